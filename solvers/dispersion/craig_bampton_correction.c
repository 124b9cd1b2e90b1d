/* solvers/dispersion/craig_bampton_correction.c - waves of a Craig-Bampton cell corrected for the interior
 * modes left out; see unit_cell.h
 *
 * The modes x_j of the reduced pencil, lambda_j, are improved by one step: the interior gets the static
 * response of the omitted modes to the inertia of each, u_j + lambda_j R C x_j, R = K_ii^-1 - sum_kept phi
 * phi^T / mu.  In the space of these vectors (Rayleigh-Ritz)
 *
 *     K' = L + L T' L,     M' = 1 + T' L + L T' + L S' L,      L = diag(lambda),  T' = X^H T X,  S' = X^H S X
 *
 * with T = C^T R C, S = C^T R M_ii R C, as R K_ii R = R and R M_ii Phi = 0: a small pencil for each wave
 * vector.  It is the pencil of the whole cell in a subspace, so its eigenvalues are upper bounds.
 * Source: J.-G. Kim, P.-S. Lee, An enhanced Craig-Bampton method, Int. J. Numer. Meth. Eng. 103 (2015) 79,
 * doi 10.1002/nme.4880 (the residual flexibility in the basis).
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "base/timer.h"
#include "solvers/dispersion.h"
#include <math.h>

enum { K, M, PENCIL };

typedef struct small { /* pencils of order nb for every wave vector */
  bf_backend *be;
  int64_t     nb, nk;
  double     *host[PENCIL];                 /* owned [nk][nb][nb] complex */
  void       *at[PENCIL], *w, *info, *work; /* backend */
} small;

static void small_release(small *p)
{
  for (int i = 0; i < PENCIL; i++) {
    bf_host_free(p->host[i]);
    p->be->ops.release(p->be, p->at[i]);
  }
  p->be->ops.release(p->be, p->w);
  p->be->ops.release(p->be, p->info);
  p->be->ops.release(p->be, p->work);
}

/* Overwrites T' and S' by K' and M', lower triangles. */
static void fill(const bf_waves *w, const small *p)
{
  for (int64_t k = 0; k < p->nk; k++)
    for (int64_t j = 0; j < p->nb; j++)
      for (int64_t i = j; i < p->nb; i++) {
        double      *t = p->host[K] + 2 * ((k * p->nb + j) * p->nb + i), *s = p->host[M] + (t - p->host[K]);
        const double a = fmax(w->lambda[k * p->nb + i], 0.0), b = fmax(w->lambda[k * p->nb + j], 0.0);
        for (int d = 0; d < 2; d++) {
          s[d] = (a + b) * t[d] + a * b * s[d];
          t[d] *= a * b;
        }
        if (i == j) t[0] += a, s[0] += 1.0;
      }
}

static bf_err solve(small *p)
{
  bf_backend       *be    = p->be;
  const size_t      bytes = (size_t)(p->nk * p->nb * p->nb) * 16;
  const bf_heev_how how   = {.vectors = 1, .uplo = BF_LOWER};
  bf_batch          A     = {
                   .type = BF_Z, .n = (bf_int)p->nb, .ld = (bf_int)p->nb, .count = (bf_int)p->nk, .stride = p->nb * p->nb};
  size_t work;
  for (int i = 0; i < PENCIL; i++) {
    BF_TRY(be->ops.alloc(be, bytes, &p->at[i]));
    BF_TRY(be->ops.copy(be, p->at[i], p->host[i], bytes, BF_TO_DEVICE));
  }
  BF_TRY(be->ops.alloc(be, (size_t)(p->nk * p->nb) * sizeof(double), &p->w));
  BF_TRY(be->ops.alloc(be, (size_t)p->nk * sizeof(bf_int), &p->info));
  bf_batch B = A;
  A.a        = p->at[K];
  B.a        = p->at[M];
  BF_TRY(bf_batch_work(be, BF_HEGV, &A, &work));
  BF_TRY(be->ops.alloc(be, work, &p->work));
  return bf_hegv_batch(be, &how, &A, &B, p->w, p->info, p->work);
}

/* Eigenvalues and, rotated, modes of the first bands; unchanged where hegv failed. */
static bf_err take(const small *p, const bf_waves *w, bf_waves *out)
{
  bf_err        err  = BF_OK;
  bf_backend   *be   = p->be;
  double       *all  = NULL;
  bf_int       *info = NULL;
  const int64_t nb = p->nb, nc = out->bands, each = 2 * (int64_t)w->n;
  BF_GO(BF_NEW_ARRAY(all, p->nk * nb));
  BF_GO(BF_NEW_ARRAY(info, p->nk));
  BF_GO(be->ops.copy(be, all, p->w, (size_t)(p->nk * nb) * sizeof *all, BF_TO_HOST));
  BF_GO(be->ops.copy(be, info, p->info, (size_t)p->nk * sizeof *info, BF_TO_HOST));
  BF_GO(be->ops.copy(be, p->host[K], p->at[K], (size_t)(p->nk * nb * nb) * 16, BF_TO_HOST));
  BF_GO(be->ops.sync(be));
  for (int64_t k = 0; k < p->nk; k++)
    for (int64_t c = 0; c < nc; c++) {
      double *to                = out->mode + (k * nc + c) * each;
      out->residual[k * nc + c] = w->residual[k * nb + c];
      out->lambda[k * nc + c]   = info[k] == 0 ? all[k * nb + c] : w->lambda[k * nb + c];
      for (int64_t j = 0; j < nb; j++) {
        const double *v = p->host[K] + 2 * ((k * nb + c) * nb + j), *x = w->mode + (k * nb + j) * each;
        const double  re = info[k] == 0 ? v[0] : j == c, im = info[k] == 0 ? v[1] : 0.0;
        for (int64_t i = 0; i < each; i += 2) {
          to[i] += re * x[i] - im * x[i + 1];
          to[i + 1] += re * x[i + 1] + im * x[i];
        }
      }
    }
done:
  bf_host_free(all);
  bf_host_free(info);
  return err;
}

bf_err bf_waves_refine(bf_backend *be, const bf_waves *w, const bf_shifted *T, const bf_shifted *S,
                       const double *kappa, int bands, bf_waves **out)
{
  bf_err    err = BF_OK;
  bf_waves *v   = NULL;
  small     p   = {.be = be};
  BF_CHECK(be && w && T && S && kappa && out && bands > 0 && bands <= w->bands && w->failed < 0, BF_E_ARG,
           "null argument, or %d bands", bands);
  *out            = NULL;
  p.nb            = w->bands;
  p.nk            = w->nk;
  const double t0 = bf_seconds();
  BF_GO(bf_waves_create(w->nk, bands, w->n, &v));
  for (int i = 0; i < PENCIL; i++) BF_GO(BF_NEW_ARRAY(p.host[i], 2 * p.nk * p.nb * p.nb));
  BF_GO(bf_waves_form(w, T, kappa, p.host[K]));
  BF_GO(bf_waves_form(w, S, kappa, p.host[M]));
  fill(w, &p);
  BF_GO(solve(&p));
  BF_GO(take(&p, w, v));
  v->batch            = w->batch;
  v->seconds_form     = w->seconds_form;
  v->seconds_solve    = w->seconds_solve;
  v->seconds_residual = w->seconds_residual;
  v->seconds_refine   = bf_seconds() - t0;
  *out                = v;
  v                   = NULL;
done:
  small_release(&p);
  bf_waves_destroy(&v);
  return err;
}
