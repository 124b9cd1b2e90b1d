/* assembly/assemble/static_condensation.h - inside assembly/: element matrices without the unknowns of inner
 * nodes and modes
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_ASSEMBLY_ASSEMBLE_STATIC_CONDENSATION_H
#define BF_ASSEMBLY_ASSEMBLE_STATIC_CONDENSATION_H
#include "assembly/model/internal.h"

typedef struct bf_condenser {            /* memory of one batch */
  void   *S, *g, *inverse, *info, *work; /* owned backend memory of a chunk: bf_schur, bf_inverse_batch */
  bf_int *host_info;                     /* owned */
} bf_condenser;

/* Bytes of an element in a chunk: its matrix, and with `condensed` the condensed one. */
size_t bf_condense_bytes(const bf_model_batch *B, int condensed);
/* matrices: 1 = memory for S and g too */
bf_err bf_condense_create(bf_backend *be, const bf_model_batch *B, bf_int chunk, int matrices,
                          bf_condenser *s);
void   bf_condense_release(bf_backend *be, bf_condenser *s);

/* Ke of elements e0 .. e1-1 (overwritten) -> s->S[..][nb][nb]; for inner nodes also the contribution of their
 * loads to the others, s->g[..][nb], and m->inverse.  nrows: of the condensed numbering; f: backend, loads of
 * the rows behind these.  BF_E_MODEL naming an element whose inner unknowns have no stiffness. */
bf_err bf_condense_chunk(bf_model *m, bf_backend *be, const bf_model_batch *B, bf_int e0, bf_int e1,
                         bf_int nrows, double *Ke, const double *f, bf_condenser *s);
/* fe[..][nb] = S u_e of elements e0 .. e1-1 with modes, from their Ke (overwritten). */
bf_err bf_condense_force(const bf_model_batch *B, bf_backend *be, bf_int e0, bf_int e1, double *Ke,
                         const double *u, bf_condenser *s, double *fe);
#endif
