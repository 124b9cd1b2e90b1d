/* tests/kernels/krylov/krylov_case.h - what the tests of iterations ask the backend for: a vector, the state
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_TESTS_KERNELS_KRYLOV_KRYLOV_CASE_H
#define BF_TESTS_KERNELS_KRYLOV_KRYLOV_CASE_H
#include "kernels/krylov/state.h"
#include "tests/backend.h"
#include <stdlib.h>

/* n entries of v on the host, for the caller to free. */
static inline double *t_on_host(const double *v, bf_int n)
{
  double *h = malloc((size_t)n * sizeof *h + 1);
  t_to_host(h, v, (size_t)n * sizeof *h);
  return h;
}

static inline bf_krylov_state t_state(const bf_krylov_state *st)
{
  bf_krylov_state copy;
  t_to_host(&copy, st, sizeof copy);
  return copy;
}

/* n samples of an iteration in backend memory, r.r = -1 in each, for the caller to release. */
static inline bf_krylov_sample *t_samples_on(bf_backend *be, int n)
{
  bf_krylov_sample *h = calloc((size_t)n, sizeof *h);
  void             *p = NULL;
  for (int i = 0; i < n; i++) h[i].rr = -1.0;
  T_OK(be->ops.alloc(be, (size_t)n * sizeof *h, &p));
  T_OK(be->ops.copy(be, p, h, (size_t)n * sizeof *h, BF_TO_DEVICE));
  free(h);
  return p;
}
static inline bf_krylov_sample *t_samples(int n)
{
  return t_samples_on(t_be, n);
}

/* rr[n]: r.r of the first n samples. */
static inline void t_residuals_on(bf_backend *be, const bf_krylov_sample *history, int n, double *rr)
{
  bf_krylov_sample *h = malloc((size_t)n * sizeof *h);
  T_OK(be->ops.copy(be, h, history, (size_t)n * sizeof *h, BF_TO_HOST));
  for (int i = 0; i < n; i++) rr[i] = h[i].rr;
  free(h);
}
static inline void t_residuals(const bf_krylov_sample *history, int n, double *rr)
{
  t_residuals_on(t_be, history, n, rr);
}
#endif
