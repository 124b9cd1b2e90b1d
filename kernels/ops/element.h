/* kernels/ops/element.h - operations on batches of finite elements (elements.h) */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_OPS_ELEMENT_H
#define BF_OPS_ELEMENT_H
#include "base/err.h"
#include "kernels/batch.h"
#include "kernels/elements.h"

typedef struct bf_element_ops {
  /* elements e0 .. e1-1 of a batch; Ke[e1-e0][nd][nd], fe[e1-e0][nd] */
  bf_err (*matrix)(bf_backend *be, const bf_element_batch *E, bf_int e0, bf_int e1, double *Ke);
  bf_err (*source)(bf_backend *be, const bf_element_batch *E, bf_int e0, bf_int e1,
                   const bf_element_source *f, double *fe);
  /* fe = Ke u_e, without forming Ke; u by scalar row.  Not of elements with modes: see schur_force */
  bf_err (*force)(bf_backend *be, const bf_element_batch *E, bf_int e0, bf_int e1, const double *u,
                  double *fe);
  /* fe = sum_q c_q B^T s(e,q), c_q = scale factor w det J: forces of a given stress; s holds nv values a
   * point */
  bf_err (*stress)(bf_backend *be, const bf_element_batch *E, bf_int e0, bf_int e1,
                   const bf_element_source *s, double *fe);
  /* schur        S, g and inverses of condensed elements (elements.h)
   * schur_force  fe[ne][nb] = S u_e without S: K (u_e, -Kii^-1 Kib u_e); conn[ne][nb/ncomp], u by scalar row
   */
  bf_err (*schur)(bf_backend *be, const bf_schur *C);
  bf_err (*schur_force)(bf_backend *be, const bf_schur *C, const bf_int *conn, int ncomp, const double *u,
                        double *fe);
  /* element_lump    d[ne][nen] from M[ne][nen][nen];  element_pencil  K = d^-1/2 K d^-1/2 (elements.h) */
  bf_err (*lump)(bf_backend *be, bf_int ne, int nen, const double *M, double *d);
  bf_err (*pencil)(bf_backend *be, bf_int ne, int nen, int ncomp, const double *d, double *K);
  /* Ke[ne][nd][nd] symmetric, nd = nen*ncomp: its blocks of the nodes a, b become T_a^T K_ab T_b (elements.h)
   */
  bf_err (*rotate)(bf_backend *be, bf_int ne, int nen, const bf_node_frames *F, const bf_int *conn,
                   double *Ke);
  /* For each row the places where it occurs in conn[ne][nen]: item[ptr[r] .. ptr[r+1]) = e*nen + a,
   * ascending. ptr[nrows+1], item[ne*nen]; ne*nen < 2^31. */
  bf_err (*incidence)(bf_backend *be, bf_int ne, int nen, const bf_int *conn, bf_int nrows, bf_int *ptr,
                      bf_int *item);
} bf_element_ops;
#endif
