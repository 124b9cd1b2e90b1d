/* solvers/linear/convergence_estimate.c - see convergence_estimate.h: three-term Lanczos recurrence */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "solvers/linear/convergence_estimate.h"
#include "base/memory.h"
#include "solvers/linear/tridiagonal_eigenvalues.h"
#include <math.h>

enum { MANY = 16384, BLOCK = 1024 };

typedef struct lanczos {
  const bf_sparse *S;                        /* borrowed */
  double          *scale, *v, *last, *w, *z; /* owned [n]; scale = 1/sqrt|a_ii| or 1 */
  double          *alpha, *beta;             /* owned [steps]: diagonal and subdiagonal */
} lanczos;

/* Sum of x y in blocks: the same for any number of threads. */
static double dot(bf_int n, const double *x, const double *y)
{
  double sum = 0.0;
  for (bf_int at = 0; at < n; at += BLOCK) {
    double       part = 0.0;
    const bf_int end  = n - at < BLOCK ? n : at + BLOCK;
    for (bf_int i = at; i < end; i++) part += x[i] * y[i];
    sum += part;
  }
  return sum;
}

/* w = D^-1/2 A D^-1/2 v */
static void product(const lanczos *l)
{
  const bf_sparse *S = l->S;
  for (bf_int i = 0; i < S->nrows; i++) l->z[i] = l->scale[i] * l->v[i];
#pragma omp parallel for schedule(static) if (S->nnz > MANY)
  for (bf_int i = 0; i < S->nrows; i++) {
    double sum = 0.0;
    for (int64_t p = S->ptr[i]; p < S->ptr[i + 1]; p++) sum += S->val[p] * l->z[S->col[p]];
    l->w[i] = l->scale[i] * sum;
  }
}

/* Random signs and sizes that are the same in every run. */
static void start(lanczos *l)
{
  const bf_int n    = l->S->nrows;
  uint64_t     seed = 88172645463325252u;
  for (bf_int i = 0; i < n; i++) {
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    l->v[i]    = (double)(seed >> 11) * 0x1p-53 - 0.5;
    l->last[i] = 0.0;
  }
  const double norm = sqrt(dot(n, l->v, l->v));
  for (bf_int i = 0; i < n; i++) l->v[i] = norm > 0.0 ? l->v[i] / norm : 1.0;
}

/* One step; 0 where the space is exhausted. */
static int step(lanczos *l, int k)
{
  const bf_int n = l->S->nrows;
  product(l);
  const double a = dot(n, l->v, l->w), b = k ? l->beta[k - 1] : 0.0;
  for (bf_int i = 0; i < n; i++) l->w[i] -= a * l->v[i] + b * l->last[i];
  const double next = sqrt(dot(n, l->w, l->w));
  l->alpha[k]       = a;
  l->beta[k]        = next;
  if (!(next > 1e-12 * (fabs(a) + b))) return 0;
  double *spare = l->last;
  l->last       = l->v;
  l->v          = spare;
  for (bf_int i = 0; i < n; i++) l->v[i] = l->w[i] / next;
  return 1;
}

static bf_err scale(lanczos *l, int jacobi)
{
  const bf_sparse *S = l->S;
  for (bf_int i = 0; i < S->nrows; i++) {
    double d = 0.0;
    for (int64_t p = S->ptr[i]; p < S->ptr[i + 1]; p++)
      if (S->col[p] == i) d = fabs(S->val[p]);
    BF_CHECK(!jacobi || d > 0.0, BF_E_ARG, "row %d has no diagonal entry", (int)i);
    l->scale[i] = jacobi ? 1.0 / sqrt(d) : 1.0;
  }
  return BF_OK;
}

bf_err bf_estimate_symmetric(const bf_sparse *S, int jacobi, int steps, bf_estimate *out)
{
  bf_err  err = BF_OK;
  lanczos l   = {.S = S};
  BF_CHECK(S && out && S->nrows == S->ncols && S->nrows > 0 && steps > 0, BF_E_ARG, "not a square matrix");
  *out            = (bf_estimate){0};
  double **each[] = {&l.scale, &l.v, &l.last, &l.w, &l.z};
  for (int k = 0; k < 5; k++) BF_GO(BF_NEW_ARRAY(*each[k], S->nrows));
  BF_GO(BF_NEW_ARRAY(l.alpha, steps));
  BF_GO(BF_NEW_ARRAY(l.beta, steps));
  BF_GO(scale(&l, jacobi));
  start(&l);
  do out->steps++;
  while (step(&l, out->steps - 1) && out->steps < steps && out->steps < S->nrows);
  bf_tridiagonal_ends(out->steps, l.alpha, l.beta, &out->least, &out->most);
done:
  for (int k = 0; k < 5; k++) bf_host_free(*each[k]);
  bf_host_free(l.alpha);
  bf_host_free(l.beta);
  return err;
}

double bf_estimate_iterations(const bf_estimate *o, double rtol)
{
  return o->least > 0.0 ? 0.5 * sqrt(o->most / o->least) * log(2.0 / rtol) : 0.0;
}
