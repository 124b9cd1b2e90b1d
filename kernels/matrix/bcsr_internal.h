/* kernels/matrix/bcsr_internal.h - block compressed rows: functions shared by bcsr.c, bcsr_pattern.c and
 * bcsr_convert.c */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_MATRIX_BCSR_INTERNAL_H
#define BF_KERNELS_MATRIX_BCSR_INTERNAL_H
#include "kernels/matrix/bcsr.h"
#include "kernels/matrix/format.h"

/* ---- sizes: bcsr.c ---- */

/* Bytes of all tables; nlower: blocks left of the diagonal in half storage, -1 in full storage. */
int64_t bf_bcsr_bytes(int64_t nblocks, int64_t nlower, int64_t nrows, int D, int narrow, bf_prec prec);
/* Number of values, those of BF_BCSR_PAD included. */
int64_t bf_bcsr_values(const bf_bcsr *A);

/* ---- pattern: bcsr_pattern.c ---- */

/* 1: all columns fit in 16 bits from the first node of their row's block of BF_CSR16_ROWS nodes. */
int bf_bcsr_fits16(const bf_graph *g);
/* 1: (j, i) is in the pattern wherever (i, j) is. */
int bf_bcsr_is_paired(const bf_graph *g);
/* Blocks left of the diagonal; -1: full storage. */
int64_t bf_bcsr_count_lower(const bf_graph *g, int half);
/* Lists of half storage: low[g->n + 1] and from[low[g->n]], see bcsr.h; host memory that the caller frees. */
bf_err bf_bcsr_lower_lists(const bf_graph *g, int64_t **low, bf_int **from);
/* M->bcsr with all tables but the values; on failure it is incomplete and destroyed with M. */
bf_err bf_bcsr_put_pattern(bf_matrix *M, const bf_graph *g, int half);
/* The pattern on the host, its invariants checked. */
bf_err bf_bcsr_get_pattern(const bf_matrix *M, bf_graph **out);

/* ---- conversion: bcsr_convert.c; entries of the table of the part ---- */

bf_err bf_bcsr_from_sparse(bf_matrix *M, const bf_sparse *S, int half);
bf_err bf_bcsr_to_fp32(const bf_matrix *M, bf_matrix *to);
bf_err bf_bcsr_to_sparse(const bf_matrix *M, bf_sparse **out);
#endif
