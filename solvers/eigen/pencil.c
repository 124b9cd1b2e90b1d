/* solvers/eigen/pencil.c - see pencil.h */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "solvers/eigen/pencil.h"
#include "base/memory.h"
#include <float.h>
#include <math.h>

static bf_err fetch_diagonal(const bf_matrix *A, void *be_d, double *d)
{
  BF_TRY(bf_matrix_diagonal(A, be_d));
  return A->be->ops.copy(A->be, d, be_d, (size_t)A->nrows * sizeof *d, BF_TO_HOST);
}

static bf_err measure(const double *k, const double *m, bf_pencil *p)
{
  double sum_k = 0.0, sum_m = 0.0;
  for (bf_int i = 0; i < p->n; i++) {
    BF_CHECK(isfinite(k[i]) && isfinite(m[i]) && m[i] >= 0.0, BF_E_ARG, "row %d has stiffness %g and mass %g",
             (int)i, k[i], m[i]);
    p->has[i] = m[i] > 0.0;
    if (!p->has[i]) continue;
    BF_CHECK(k[i] > 0.0, BF_E_ARG, "row %d has mass %g and the stiffness %g", (int)i, m[i], k[i]);
    p->massive++;
    p->k = fmax(p->k, k[i]);
    p->m = fmax(p->m, m[i]);
    sum_k += k[i];
    sum_m += m[i];
  }
  p->typical = p->massive > 0 ? sum_k / sum_m : 0.0;
  return BF_OK;
}

bf_err bf_pencil_create(const bf_matrix *K, const bf_matrix *M, bf_pencil *out)
{
  bf_err  err  = BF_OK;
  void   *be_d = NULL;
  double *k = NULL, *m = NULL;
  BF_CHECK(K && M && out, BF_E_ARG, "null argument");
  *out = (bf_pencil){.K = K, .M = M, .be = K->be, .n = K->nrows};
  BF_CHECK(K->be == M->be && K->nrows == M->nrows, BF_E_ARG,
           "K has %d rows, M %d, and both must be on one backend", (int)K->nrows, (int)M->nrows);
  out->guard = K->guard > M->guard ? K->guard : M->guard;
  BF_GO(BF_NEW_ARRAY(out->has, K->nrows));
  BF_GO(BF_NEW_ARRAY(k, K->nrows));
  BF_GO(BF_NEW_ARRAY(m, K->nrows));
  BF_GO(K->be->ops.alloc(K->be, (size_t)K->nrows * sizeof(double), &be_d));
  BF_GO(fetch_diagonal(K, be_d, k));
  BF_GO(K->be->ops.sync(K->be));
  BF_GO(fetch_diagonal(M, be_d, m));
  BF_GO(K->be->ops.sync(K->be));
  BF_GO(measure(k, m, out));
done:
  K->be->ops.release(K->be, be_d);
  bf_host_free(k);
  bf_host_free(m);
  if (err != BF_OK) bf_pencil_clear(out);
  return err;
}

void bf_pencil_clear(bf_pencil *p)
{
  bf_host_free(p->has);
  *p = (bf_pencil){0};
}

bf_err bf_pencil_check(const bf_pencil *p, const bf_eigen_options *opt)
{
  BF_CHECK(opt->pairs >= 1 && opt->pairs <= p->massive, BF_E_ARG,
           "%d eigenpairs are wanted, %d rows have mass", opt->pairs, (int)p->massive);
  BF_CHECK(opt->rtol > 0.0 && isfinite(opt->rtol), BF_E_ARG, "rtol=%g must be positive and finite",
           opt->rtol);
  BF_CHECK(opt->max_iterations >= 0 && opt->max_iterations < INT32_MAX && opt->guard >= 0 &&
               isfinite(opt->shift),
           BF_E_ARG, "max_iterations=%d guard=%d shift=%g", opt->max_iterations, opt->guard, opt->shift);
  BF_CHECK(opt->nnear >= 0 && (opt->nnear == 0 || opt->near_null), BF_E_ARG,
           "%d start vectors are given without an array", opt->nnear);
  return BF_OK;
}

bf_err bf_columns_product(const bf_matrix *A, const bf_columns *X, int x0, int count, const bf_columns *Y,
                          int y0)
{
  for (int j = 0; j < count; j++)
    BF_TRY(bf_matrix_spmv(A, bf_column(X, x0 + j), bf_column(Y, y0 + j), NULL, NULL));
  return BF_OK;
}

/* In (-1, 1), of row i: the finaliser of splitmix64. */
static double scatter(uint64_t i, uint64_t seed)
{
  uint64_t z = (i + 1) * 0x9e3779b97f4a7c15ULL + (seed + 1) * 0xd1b54a32d192ed03ULL;
  z          = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ULL;
  z          = (z ^ z >> 27) * 0x94d049bb133111ebULL;
  z ^= z >> 31;
  return 2.0 * ((double)(z >> 11) + 0.5) * 0x1p-53 - 1.0;
}

bf_err bf_pencil_start(const bf_pencil *p, const double *v, int seed, const bf_columns *X, int j)
{
  bf_err  err  = BF_OK;
  double *host = NULL;
  BF_GO(BF_NEW_ARRAY(host, p->n));
  for (bf_int i = 0; i < p->n; i++)
    host[i] = !p->has[i] ? 0.0 : v ? v[i] : scatter((uint64_t)i, (uint64_t)seed);
  BF_GO(p->be->ops.copy(p->be, bf_column(X, j), host, (size_t)p->n * sizeof *host, BF_TO_DEVICE));
  BF_GO(p->be->ops.sync(p->be));
done:
  bf_host_free(host);
  return err;
}

/* ---- projected problems ---- */

static bf_batch small(int k, void *a)
{
  return (bf_batch){.type = BF_D, .n = k, .ld = k, .count = 1, .a = a};
}

bf_err bf_ritz_create(bf_backend *be, int most, bf_ritz *out)
{
  const size_t   k = (size_t)most;
  const bf_batch A = small(most, NULL);
  size_t         work;
  *out = (bf_ritz){.be = be, .most = most};
  BF_TRY(bf_batch_work(be, BF_HEGV, &A, &work));
  BF_TRY(be->ops.alloc(be, k * k * sizeof(double), &out->A));
  BF_TRY(be->ops.alloc(be, k * k * sizeof(double), &out->B));
  BF_TRY(be->ops.alloc(be, k * sizeof(double), &out->w));
  BF_TRY(be->ops.alloc(be, sizeof(bf_int), &out->info));
  return be->ops.alloc(be, work, &out->work); /* the caller releases it on failure too */
}

void bf_ritz_release(bf_ritz *r)
{
  if (!r->be) return;
  void *const p[] = {r->A, r->B, r->w, r->info, r->work};
  for (int i = 0; i < 5; i++) r->be->ops.release(r->be, p[i]);
  *r = (bf_ritz){0};
}

bf_err bf_ritz_solve(bf_ritz *r, int k, const bf_columns *S, const bf_columns *KS, const bf_columns *MS,
                     double *w, bf_int *info)
{
  bf_backend       *be  = r->be;
  const bf_heev_how how = {.vectors = 1, .uplo = BF_LOWER};
  const bf_batch    A = small(k, r->A), B = small(k, r->B);
  BF_CHECK(k >= 1 && k <= r->most, BF_E_ARG, "the order %d is above the largest, %d", k, r->most);
  BF_TRY(BF_OP(be, vector.columns_dot, S->n, k, S->a, S->ld, k, KS->a, KS->ld, r->A));
  BF_TRY(BF_OP(be, vector.columns_dot, S->n, k, S->a, S->ld, k, MS->a, MS->ld, r->B));
  BF_TRY(bf_hegv_batch(be, &how, &A, &B, r->w, r->info, r->work));
  BF_TRY(be->ops.copy(be, w, r->w, (size_t)k * sizeof *w, BF_TO_HOST));
  BF_TRY(be->ops.copy(be, info, r->info, sizeof *info, BF_TO_HOST));
  return be->ops.sync(be);
}
