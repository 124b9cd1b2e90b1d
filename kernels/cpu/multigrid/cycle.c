/* kernels/cpu/multigrid/cycle.c - vector operations of the multigrid cycle and its set-up
 *
 * Computes   multigrid/ops.h, struct bf_mg_cycle_ops.
 * Source     J. Lottes, "Optimal polynomial smoothers for multigrid V-cycles", Numer. Linear Algebra Appl. 30
 *            (2023) e2518, doi 10.1002/nla.2518 (the steps).
 * Cost       each entry of each vector is read and written once; coarsest: n^2 values.
 * Checked    tests/solvers/t430_multigrid_cycle.c, t431_smoother_steps.c.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cpu/backend/cpu.h"
#include "kernels/cpu/multigrid/multigrid.h"
#include "kernels/multigrid/hash_noise.h"
#include "kernels/multigrid/jump.h"
#include "kernels/multigrid/step_row.h"
#include <math.h>

static bf_err step(bf_backend *be, bf_int n, const bf_mg_step *s, const double *y)
{
  (void)be;
#pragma omp parallel for schedule(static) if (n > BF_CPU_SMALL)
  for (bf_int i = 0; i < n; i++) bf_mg_step_row(s, i, y ? y[i] : 0.0);
  return BF_OK;
}

static bf_err noise(bf_backend *be, bf_int n, int ncomp, int salt, double *v)
{
  (void)be;
#pragma omp parallel for schedule(static) if (n > BF_CPU_SMALL)
  for (bf_int i = 0; i < n; i++) v[i] = bf_hash_noise(i / ncomp, i % ncomp, salt);
  return BF_OK;
}

static bf_err decoupled(bf_backend *be, bf_int n, const double *d, const double *v, const double *y,
                        uint8_t *flag)
{
  (void)be;
#pragma omp parallel for schedule(static) if (n > BF_CPU_SMALL)
  for (bf_int i = 0; i < n; i++) flag[i] = y[i] == d[i] * v[i];
  return BF_OK;
}

static bf_err root(bf_backend *be, bf_int n, const double *d, const uint8_t *flag, double *s, int *bad)
{
  int wrong = 0;
  (void)be;
#pragma omp parallel for schedule(static) reduction(| : wrong) if (n > BF_CPU_SMALL)
  for (bf_int i = 0; i < n; i++) {
    const int good = d[i] > 0.0 && isfinite(d[i]);
    wrong |= !good && !flag[i];
    s[i] = good ? sqrt(1.0 / d[i]) : 1.0;
  }
  *bad = wrong;
  return BF_OK;
}

static bf_err near_null(bf_backend *be, bf_int nodes, int ncomp, const double *x, const uint8_t *flag,
                        double *modes)
{
  const int     q = bf_near_null_count(ncomp, x != NULL);
  const int64_t n = (int64_t)nodes * ncomp;
  (void)be;
#pragma omp parallel for schedule(static) if (n > BF_CPU_SMALL)
  for (bf_int i = 0; i < nodes; i++)
    for (int c = 0; c < ncomp; c++) {
      const int64_t row = (int64_t)i * ncomp + c;
      for (int m = 0; m < q; m++)
        modes[m * n + row] = flag[row] ? 0.0 : bf_near_null_value(ncomp, x ? x + 3 * (int64_t)i : NULL, c, m);
    }
  return BF_OK;
}

static bf_err jump(bf_backend *be, const bf_int n[3], int ncomp, const double *d, const uint8_t *flag,
                   double *most)
{
  const int64_t rows   = (int64_t)n[0] * n[1] * n[2] * ncomp;
  double        larger = 1.0;
  (void)be;
#pragma omp parallel for schedule(static) reduction(max : larger) if (rows > BF_CPU_SMALL)
  for (int64_t row = 0; row < rows; row++) larger = fmax(larger, bf_mg_jump(n, ncomp, d, flag, row));
  *most = larger > 2.0 ? larger : 1.0;
  return BF_OK;
}

static bf_err centre(bf_backend *be, bf_int nodes, const double middle[3], double by, double *x)
{
  (void)be;
#pragma omp parallel for schedule(static) if (nodes > BF_CPU_SMALL)
  for (bf_int i = 0; i < nodes; i++) {
    double   *at   = x + 3 * (int64_t)i;
    const int node = isfinite(at[0]);
    for (int a = 0; a < 3; a++) at[a] = node ? by * (at[a] - middle[a]) : 0.0;
  }
  return BF_OK;
}

static bf_err scale(bf_backend *be, bf_int n, const double *s, const double *x, double *y)
{
  (void)be;
#pragma omp parallel for schedule(static) if (n > BF_CPU_SMALL)
  for (bf_int i = 0; i < n; i++) y[i] = s[i] * x[i];
  return BF_OK;
}

static bf_err scale_both(bf_backend *be, bf_int n, const double *s, double shift, double *X)
{
  (void)be;
#pragma omp parallel for schedule(static) if (n > 128)
  for (bf_int j = 0; j < n; j++)
    for (bf_int i = 0; i < n; i++) {
      const int64_t e = (int64_t)j * n + i;
      X[e]            = s[i] * s[j] * X[e] + (i == j ? shift : 0.0);
    }
  return BF_OK;
}

static bf_err coarsest(bf_backend *be, bf_int n, const double *X, const double *x, double *y)
{
  (void)be;
#pragma omp parallel for schedule(static) if (n > 128)
  for (bf_int i = 0; i < n; i++) y[i] = bf_cpu_dot(n, X + (int64_t)i * n, x);
  return BF_OK;
}

extern const bf_mg_cycle_ops bf_cpu_mg_cycle; /* known to backend.c only */
const bf_mg_cycle_ops        bf_cpu_mg_cycle = {.step          = step,
                                                .noise         = noise,
                                                .lanczos_start = bf_cpu_lanczos_start,
                                                .lanczos_step  = bf_cpu_lanczos_step,
                                                .decoupled     = decoupled,
                                                .root          = root,
                                                .near_null     = near_null,
                                                .jump          = jump,
                                                .centre        = centre,
                                                .scale         = scale,
                                                .scale_both    = scale_both,
                                                .coarsest      = coarsest};
