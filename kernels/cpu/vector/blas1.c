/* kernels/cpu/vector/blas1.c - operations on vectors of n entries; each reads and writes its vectors once */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cpu/backend/cpu.h"

bf_err bf_cpu_axpby(bf_backend *be, bf_int n, double a, const double *x, double b, double *y)
{
  (void)be;
  if (b == 0.0) { /* y may be uninitialised, NaN too */
#pragma omp parallel for schedule(static) if (n > BF_CPU_SMALL)
    for (bf_int i = 0; i < n; i++) y[i] = a * x[i];
    return BF_OK;
  }
#pragma omp parallel for schedule(static) if (n > BF_CPU_SMALL)
  for (bf_int i = 0; i < n; i++) y[i] = a * x[i] + b * y[i];
  return BF_OK;
}

bf_err bf_cpu_dot_op(bf_backend *be, bf_int n, const double *x, const double *y, double *s)
{
  const int64_t nc = bf_cpu_chunks(n);
  double       *part;
  BF_TRY(bf_cpu_scratch(be, nc, &part));
#pragma omp parallel for schedule(static) if (n > BF_CPU_SMALL)
  for (int64_t c = 0; c < nc; c++) {
    const int64_t i = c * BF_CPU_CHUNK, m = n - i < BF_CPU_CHUNK ? n - i : BF_CPU_CHUNK;
    part[c] = bf_cpu_dot(m, x + i, y + i);
  }
  bf_cpu_add_up(nc, 1, part, s);
  return BF_OK;
}

bf_err bf_cpu_dots(bf_backend *be, bf_int n, const double *w, const double *y, double *dot)
{
  const int64_t nc = bf_cpu_chunks(n);
  double       *part;
  BF_TRY(bf_cpu_scratch(be, 2 * nc, &part));
#pragma omp parallel for schedule(static) if (n > BF_CPU_SMALL)
  for (int64_t c = 0; c < nc; c++) {
    const int64_t i = c * BF_CPU_CHUNK, m = n - i < BF_CPU_CHUNK ? n - i : BF_CPU_CHUNK;
    part[2 * c]     = bf_cpu_dot(m, w + i, y + i);
    part[2 * c + 1] = bf_cpu_dot(m, y + i, y + i);
  }
  bf_cpu_add_up(nc, 2, part, dot);
  return BF_OK;
}

bf_err bf_cpu_reciprocal(bf_backend *be, bf_int n, const double *d, double *r)
{
  (void)be;
#pragma omp parallel for schedule(static) if (n > BF_CPU_SMALL)
  for (bf_int i = 0; i < n; i++) r[i] = d[i] != 0.0 && isfinite(d[i]) ? 1.0 / d[i] : 1.0;
  return BF_OK;
}

bf_err bf_cpu_constrain_rhs(bf_backend *be, bf_int n, const uint8_t *fixed, const double *diag,
                            const double *g, const double *Ag, double *b)
{
  (void)be;
#pragma omp parallel for schedule(static) if (n > BF_CPU_SMALL)
  for (bf_int i = 0; i < n; i++) b[i] = fixed[i] ? diag[i] * g[i] : b[i] - Ag[i];
  return BF_OK;
}

bf_err bf_cpu_demote(bf_backend *be, int64_t n, const double *x, float *y)
{
  (void)be;
#pragma omp parallel for schedule(static) if (n > BF_CPU_SMALL)
  for (int64_t i = 0; i < n; i++) y[i] = (float)x[i];
  return BF_OK;
}

bf_err bf_cpu_triad(bf_backend *be, int64_t n, double a, const double *x, const double *y, double *z)
{
  (void)be;
#pragma omp parallel for schedule(static) if (n > BF_CPU_SMALL)
  for (int64_t i = 0; i < n; i++) z[i] = x[i] + a * y[i];
  return BF_OK;
}
