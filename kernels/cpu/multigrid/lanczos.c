/* kernels/cpu/multigrid/lanczos.c - one step of Lanczos for the largest eigenvalue of D^-1 A
 *
 * Computes   multigrid/ops.h: lanczos_start, lanczos_step.
 * Source     C. Lanczos, J. Res. Natl. Bur. Stand. 45 (1950) 255, doi 10.6028/jres.045.026; Golub and
 *            Van Loan, Matrix Computations, sec. 10.1, in the inner product of D.
 * Cost       y, w, s and the vector before are read once, one vector is written.
 * Checked    tests/solvers/t431_smoother_steps.c.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cpu/backend/cpu.h"
#include "kernels/cpu/multigrid/multigrid.h"
#include "kernels/multigrid/hash_noise.h"
#include <math.h>

/* part[nc]: sums of squares */
static void lanczos_norm(int64_t nc, const double *part, double *norm, double *scale)
{
  bf_cpu_add_up(nc, 1, part, norm);
  *norm  = sqrt(*norm);
  *scale = 1.0 / *norm;
}

bf_err bf_cpu_lanczos_start(bf_backend *be, bf_int n, int ncomp, int salt, const double *s, double *w,
                            bf_mg_lanczos *S)
{
  const int64_t nc = bf_cpu_chunks(n);
  double       *part, norm;
  BF_TRY(bf_cpu_scratch(be, nc, &part));
#pragma omp parallel for schedule(static) if (n > BF_CPU_SMALL)
  for (int64_t c = 0; c < nc; c++) {
    const int64_t begin = c * BF_CPU_CHUNK, end = n - begin < BF_CPU_CHUNK ? n : begin + BF_CPU_CHUNK;
    double        sum = 0.0;
    for (int64_t i = begin; i < end; i++) {
      const double v = bf_hash_noise(i / ncomp, (int)(i % ncomp), salt);
      w[i]           = s[i] * v;
      sum += v * v;
    }
    part[c] = sum;
  }
  lanczos_norm(nc, part, &norm, &S->scale[0]);
  return BF_OK;
}

bf_err bf_cpu_lanczos_step(bf_backend *be, bf_int n, int k, const double *s, const double *y, const double *w,
                           double *before, bf_mg_lanczos *S)
{
  const int64_t nc   = bf_cpu_chunks(n);
  const double  here = S->scale[k], diag = here * here * S->dot[0];
  const double  last = k > 0 ? S->off[k - 1] * S->scale[k - 1] : 0.0;
  double       *part;
  BF_TRY(bf_cpu_scratch(be, nc, &part));
#pragma omp parallel for schedule(static) if (n > BF_CPU_SMALL)
  for (int64_t c = 0; c < nc; c++) {
    const int64_t begin = c * BF_CPU_CHUNK, end = n - begin < BF_CPU_CHUNK ? n : begin + BF_CPU_CHUNK;
    double        sum = 0.0;
    for (int64_t i = begin; i < end; i++) {
      double next = here * (s[i] * s[i] * y[i] - diag * w[i]);
      if (k > 0) next -= last * before[i];
      before[i]      = next;
      const double v = next / s[i];
      sum += v * v;
    }
    part[c] = sum;
  }
  S->diag[k] = diag;
  lanczos_norm(nc, part, &S->off[k], &S->scale[k + 1]);
  return BF_OK;
}
