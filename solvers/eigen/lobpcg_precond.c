/* solvers/eigen/lobpcg_precond.c - see lobpcg_precond.h
 *
 *     T = diag(K)^-1,   sum_b R_b^T (R_b K R_b^T)^-1 R_b   or   (K + s M)^-1
 *
 * With s = 0 where K is regular, else 1e-9 of the typical value sum K / sum M: K + s M is positive definite,
 * and the modes without energy, which T amplifies, are in X from the start and removed from W.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "solvers/eigen/lobpcg_precond.h"
#include "base/memory.h"
#include "solvers/linear/direct.h"
#include <float.h>
#include <stdio.h>
#include <string.h>

static const double REGULAR = 1e-12, NEARBY = 1e-9; /* as in shift_invert.c */

static bf_err by_blocks(const void *B, int transposed, const double *r, double *z, double *dot)
{
  return bf_blocks_apply(B, transposed, r, z, dot);
}

/* T is symmetric, and the product r.z is not used. The factors are on the CPU: vectors of a device are copied
 * to the host and back. */
static bf_err by_factors(const void *M, int transposed, const double *r, double *z, double *dot)
{
  const bf_lobpcg_precond *t     = M;
  const bf_factors        *f     = t->factors;
  const size_t             bytes = (size_t)f->n * sizeof *z;
  (void)transposed;
  BF_CHECK(!dot, BF_E_UNSUPPORTED, "r.z is not available with this preconditioner");
  if (!t->cpu) {
    memset(z, 0, bytes);
    return bf_factors_add(f, r, z);
  }
  BF_TRY(t->be->ops.copy(t->be, t->r, r, bytes, BF_TO_HOST));
  BF_TRY(t->be->ops.sync(t->be));
  memset(t->z, 0, bytes);
  BF_TRY(bf_factors_add(f, t->r, t->z));
  BF_TRY(t->be->ops.copy(t->be, z, t->z, bytes, BF_TO_DEVICE));
  return t->be->ops.sync(t->be); /* t->z may change */
}

static bf_err make_blocks(const bf_pencil *p, const bf_eigen_options *opt, bf_lobpcg_precond *t)
{
  char gone[40] = "";
  BF_CHECK(opt->parts, BF_E_ARG, "block_jacobi needs parts: none are given");
  BF_TRY(bf_blocks_create(p->K, opt->parts, BF_FP32, 1, &t->blocks));
  t->own = (bf_operation){by_blocks, t->blocks};
  if (t->blocks->singular) snprintf(gone, sizeof gone, " (%d by their diagonals)", (int)t->blocks->singular);
  snprintf(t->text, sizeof t->text, ", %d blocks of %d to %d rows%s", (int)t->blocks->count,
           (int)t->blocks->smallest, (int)t->blocks->largest, gone);
  return BF_OK;
}

/* A hierarchy of K; without one the diagonal takes its place. */
static bf_err make_multigrid(const bf_pencil *p, const bf_eigen_options *opt, bf_lobpcg_precond *t)
{
  bf_multigrid_report r;
  BF_TRY(bf_multigrid_create(p->K, &opt->multigrid, opt->body, 1, &r, &t->multigrid));
  t->own = (bf_operation){bf_multigrid_apply, t->multigrid};
  if (!t->multigrid) t->use = NULL;
  if (t->multigrid)
    snprintf(t->text, sizeof t->text, ", multigrid with %d levels, complexity %.2f, set up in %.3g s",
             r.nlevels, r.complexity, r.seconds);
  else
    snprintf(t->text, sizeof t->text, ", jacobi in place of multigrid: %.80s", r.failure);
  return BF_OK;
}

static int usable(const bf_factors *f, double least)
{
  return f->met.info == 0 && f->met.rcond >= least;
}

static bf_err make_factors(const bf_pencil *p, bf_lobpcg_precond *t)
{
  bf_err      err = BF_OK;
  bf_sparse  *K = NULL, *M = NULL, *A = NULL;
  char        more[32] = "";
  bf_backend *be       = p->be;
  if (be->ops.on_device) {
    BF_GO(bf_backend_create("cpu", NULL, &t->cpu));
    BF_GO(BF_NEW_ARRAY(t->r, p->n));
    BF_GO(BF_NEW_ARRAY(t->z, p->n));
    be = t->cpu;
  }
  BF_GO(bf_matrix_to_sparse(p->K, &K));
  BF_GO(bf_factors_create(be, K, p->K->ncomp, &t->factors));
  if (t->factors->tried || !usable(t->factors, REGULAR)) {
    bf_factors_destroy(&t->factors);
    t->shift = NEARBY * p->typical;
    BF_GO(bf_matrix_to_sparse(p->M, &M));
    BF_GO(bf_sparse_add(1.0, K, t->shift, M, &A));
    BF_GO(bf_factors_create(be, A, p->K->ncomp, &t->factors));
  }
  t->none = !usable(t->factors, DBL_EPSILON * 1e-3);
  t->own  = (bf_operation){by_factors, t};
  if (t->shift > 0.0) snprintf(more, sizeof more, " + %.4g M", t->shift);
  snprintf(t->text, sizeof t->text, ", factors of K%s%s, half-bandwidth %d, %.1f MiB", more,
           t->cpu ? " on the CPU" : "", (int)bf_factors_half(t->factors),
           (double)bf_band_bytes(&t->factors->B) / 0x1p20);
done:
  bf_sparse_destroy(&K);
  bf_sparse_destroy(&M);
  bf_sparse_destroy(&A);
  return err;
}

bf_err bf_lobpcg_precond_create(const bf_pencil *p, const bf_eigen_options *opt, bf_lobpcg_precond *out)
{
  bf_err err = BF_OK;
  *out       = (bf_lobpcg_precond){.use = opt->precond, .be = p->be};
  if (opt->precond || opt->help == BF_EIGEN_JACOBI) return BF_OK;
  out->use = &out->own;
  switch (opt->help) {
  case BF_EIGEN_DIRECT: BF_GO(make_factors(p, out)); break;
  case BF_EIGEN_MULTIGRID: BF_GO(make_multigrid(p, opt, out)); break;
  default: BF_GO(make_blocks(p, opt, out)); break;
  }
done:
  if (err != BF_OK) bf_lobpcg_precond_release(out);
  return err;
}

void bf_lobpcg_precond_release(bf_lobpcg_precond *t)
{
  bf_blocks_destroy(&t->blocks);
  bf_factors_destroy(&t->factors);
  bf_multigrid_destroy(&t->multigrid);
  bf_backend_destroy(&t->cpu);
  bf_host_free(t->r);
  bf_host_free(t->z);
  t->r = t->z = NULL;
  t->use      = NULL;
}
