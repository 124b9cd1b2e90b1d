/* kernels/syinv_work.h - what the files of bf_syinv share: the matrix, its workspace, the steps */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_SYINV_WORK_H
#define BF_SYINV_WORK_H
#include "kernels/backend.h"
#include "kernels/dense.h"
#include "kernels/syinv.h"

enum { BF_SYINV_SAMPLES = 4, BF_SYINV_BLOCKS = BF_SYINV_LARGEST / BF_DENSE_LEAF };

typedef struct bf_syinv_results {                   /* backend; read by the host at once */
  double norm_a[2], norm_x[2], norm_r[2], block[2]; /* ||.||_1, ||.||_F; block: ||D||_1, ||D^-1||_1 */
  bf_int flag, info;
} bf_syinv_results;

typedef struct bf_syinv_run {
  bf_backend         *be;
  const bf_dense_ops *op;
  bf_scalar           type;
  bf_int              n, ld, ldg, rank;
  void               *a;              /* lower triangle: the sweep; strict upper: A */
  void               *diagonal, *new; /* [n] of A; of a refined X */
  void               *g, *h;          /* [rank][ldg]: factors of the pending update, see syinv_sweep.c */
  void               *v, *w;          /* [rank][rank]: W^T, W of a panel */
  void               *leaf;           /* [BF_DENSE_LEAF][BF_DENSE_LEAF]: W or D^-1 of a block */
  void               *square;         /* [n][n], or NULL where the method needs none */
  void               *batch;          /* workspace of the inverse of a block */
  double             *room;           /* [3 n] */
  bf_syinv_results   *out;            /* backend */
} bf_syinv_run;

/* Entry (i, j) of a matrix. */
static inline void *bf_syinv_at(const bf_syinv_run *r, const void *a, bf_int ld, bf_int i, bf_int j)
{
  return (char *)a + ((size_t)j * (size_t)ld + (size_t)i) * bf_scalar_bytes(r->type);
}

/* syinv.c.  The arguments, the library's handle; r and the bytes of its workspace (work NULL: these alone).
 */
bf_err bf_syinv_check(bf_backend *be, const bf_syinv_how *how, bf_scalar type, bf_int n);
bf_err bf_syinv_layout(bf_backend *be, const bf_syinv_how *how, bf_scalar type, bf_int n, char *work,
                       bf_syinv_run *r, size_t *used);
/* Both triangles are A, its diagonal is kept. */
bf_err bf_syinv_begin(const bf_syinv_run *r, bf_uplo uplo);
/* out->norm_a of the full matrix a; bf_syinv_definite does it too. */
bf_err bf_syinv_norm(const bf_syinv_run *r);
/* a = X by the paths for matrices that are not positive definite, from A in the strict upper triangle. */
bf_err bf_syinv_other_paths(const bf_syinv_run *r, const bf_syinv_how *how, bf_syinv_report *report);

/* syinv_sweep.c.  The lower triangle of a becomes that of -A^-1.  *info: 0 or the order of the leading block
 * that is not positive definite; *top = ||A||_1 max |X_ii|.  *fit 0: no order of blocks was fit for
 * elimination; *deferred counts blocks that were put off. */
bf_err bf_syinv_definite(const bf_syinv_run *r, bf_int *info, double *top);
bf_err bf_syinv_indefinite(const bf_syinv_run *r, bf_int *deferred, int *fit);

/* syinv_refine.c.  square = A, a = X, both full.  *residual as in the report. */
bf_err bf_syinv_residual(const bf_syinv_run *r, double *residual, double *norm);
/* X = 2 X - X A X; square = A again at the end. */
bf_err bf_syinv_refine(const bf_syinv_run *r);

bf_err bf_syinv_read(const bf_syinv_run *r, bf_syinv_results *host);
#endif
