/* app/bench/dense.h - what the tables of batched dense kernels share: matrices, their restoring, residuals
 *
 *     bandfem bench lu|inverse|cholesky|eigen|pencil|once|published [--case d64x10000]...
 *
 * A case is a type, an order and a batch.  Every timed run meets matrices as they were made: up to order 33,
 * where they take little room, 20 runs on 20 copies of the batch are one graph; else a run is timed alone.
 * The copies are restored before each time, outside of it, and other memory passes through the caches.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_APP_BENCH_DENSE_H
#define BF_APP_BENCH_DENSE_H
#include "app/bench/bench.h"

typedef enum {
  BF_DENSE_LU,
  BF_DENSE_INVERSE,
  BF_DENSE_CHOLESKY,
  BF_DENSE_EIGEN,
  BF_DENSE_PENCIL /* A V = B V D; B lies behind A: what is [n][n] for the others is [2][n][n] */
} bf_dense_work;

typedef struct bf_dense_case {
  bf_bench     *b;
  bf_dense_work work;
  bf_scalar     type;
  bf_int        n, count;
  int           batches; /* copies of the batch: runs between two restorings */
  bf_int        pool;    /* matrices that differ; the others repeat them in order */
  size_t        each;    /* bytes of a matrix, of a pair */
  void         *made;    /* host [pool][n][n] */
  void         *origin;  /* backend [count][n][n] */
  void         *a;       /* backend [batches][count][n][n] */
} bf_dense_case;

/* Entries uniform in (-1/2, 1/2), real and imaginary part; EIGEN, PENCIL: Hermitian; CHOLESKY, B: and n added
 * on the diagonal. */
bf_err bf_dense_case_create(bf_bench *b, bf_dense_work work, bf_scalar type, bf_int n, bf_int count,
                            bf_dense_case *out);
void   bf_dense_case_destroy(bf_dense_case *c);
bf_err bf_dense_case_restore(bf_dense_case *c); /* a = copies of origin */
bf_err bf_dense_case_halve(bf_dense_case *c);   /* origin: every other matrix becomes its diagonal */

/* What a run made of the first batch, backend memory: factors, inverses or eigenvectors [count][n][n], pivots
 * [count][n] from 1 (LU), eigenvalues [count][n] (EIGEN), info[count]. */
typedef struct bf_dense_result {
  const void *matrices, *values;
  const int  *pivots, *info;
} bf_dense_result;

/* Largest residual of some matrices, computed in long double, in units of eps of the type's precision:
 *   LU        ||PA - LU|| / (n ||A||)
 *   CHOLESKY  ||A - L L^H|| / (n ||A||)
 *   INVERSE   min(||XA - I||, ||AX - I||) / (n ||A|| ||X||)
 *   EIGEN     max(||A - Q D Q^H|| / (n ||A||), ||I - Q^H Q|| / n)
 *   PENCIL    max(||A V - B V D|| / (n ||A|| ||V||), ||I - V^H B V|| / n)          all norms Frobenius's */
bf_err bf_dense_case_error(const bf_dense_case *c, const bf_dense_result *r, double *error);
bf_err bf_dense_case_failed(const bf_dense_case *c, const int *info, int *failed);

/* A row with the case's bytes, flops (real operations) and floor: a matrix read and written once at the rate
 * of a copy, or its flops at the rate of the chip. */
bf_bench_row bf_dense_case_row(const bf_dense_case *c, const char *kernel);
/* The row of a kernel that has this part of the flops to do: of INVERSE from factors 2/3. */
void bf_dense_case_part(const bf_dense_case *c, double part, bf_bench_row *row);

/* cuBLAS and cuSOLVER on the case as rows; nothing without BANDFEM_PEERS or off the device. */
bf_err bf_dense_case_peers(bf_dense_case *c);
/* Results of --others for the case, as rows of other programs. */
bf_err bf_dense_case_others(bf_dense_case *c);
/* Our kernels on the case as rows; the first of them once, for a profiler, which leaves no row. */
bf_err bf_dense_case_own(bf_dense_case *c);
bf_err bf_dense_case_once(bf_dense_case *c);

/* The kernels of the publication that LU and inverse began with, each of its ideas on and off, panels of
 * several widths. */
bf_err bf_dense_case_published(bf_dense_case *c);
#endif
