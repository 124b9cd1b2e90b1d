/* kernels/cpu/krylov/bicg.c - vector operations of BiCG, one pass over the vectors per step; scalars in
 * krylov/state.h
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cpu/backend/cpu.h"
#include "kernels/krylov/state.h"

/* part[0] = r.r, part[1] = rt.(dinv r) over entries i0 .. i1-1, each with two running sums */
static void residual_sums(int64_t i0, int64_t i1, const double *r, const double *rt, const double *dinv,
                          double part[2])
{
  double  s0 = 0.0, s1 = 0.0;
  int64_t i = i0;
  part[0]   = bf_cpu_dot(i1 - i0, r + i0, r + i0);
  if (!dinv) {
    part[1] = bf_cpu_dot(i1 - i0, rt + i0, r + i0);
    return;
  }
  for (; i + 2 <= i1; i += 2) {
    s0 += rt[i] * (dinv[i] * r[i]);
    s1 += rt[i + 1] * (dinv[i + 1] * r[i + 1]);
  }
  if (i < i1) s0 += rt[i] * (dinv[i] * r[i]);
  part[1] = s0 + s1;
}

bf_err bf_cpu_bicg_begin(bf_backend *be, bf_int n, const double *r, const double *dinv, const double *rt,
                         double *p, double *pt, bf_krylov_state *st, bf_krylov_sample *history)
{
  const int64_t nc = bf_cpu_chunks(n);
  double       *part, sum[2];
  BF_TRY(bf_cpu_scratch(be, 2 * nc, &part));
#pragma omp parallel for schedule(static) if (n > BF_CPU_SMALL)
  for (int64_t c = 0; c < nc; c++) {
    const int64_t i0 = c * BF_CPU_CHUNK, i1 = i0 + BF_CPU_CHUNK < n ? i0 + BF_CPU_CHUNK : n;
    for (int64_t i = i0; i < i1; i++) {
      p[i]  = dinv ? dinv[i] * r[i] : r[i];
      pt[i] = dinv ? dinv[i] * rt[i] : rt[i];
    }
    residual_sums(i0, i1, r, rt, dinv, part + 2 * c);
  }
  bf_cpu_add_up(nc, 2, part, sum);
  bf_krylov_begin(st, sum[0], sum[1], BF_ANY_SIGN, history);
  return BF_OK;
}

bf_err bf_cpu_bicg_update(bf_backend *be, bf_int n, double *x, double *r, double *rt, const double *p,
                          const double *q, const double *qt, const double *dinv, bf_krylov_state *st,
                          bf_krylov_sample *history)
{
  if (st->status != BF_KRYLOV_RUNNING) return BF_OK;
  const int64_t nc = bf_cpu_chunks(n);
  const double  a  = bf_krylov_alpha(st, BF_ANY_SIGN);
  double       *part, sum[2];
  BF_TRY(bf_cpu_scratch(be, 2 * nc, &part));
#pragma omp parallel for schedule(static) if (n > BF_CPU_SMALL)
  for (int64_t c = 0; c < nc; c++) {
    const int64_t i0 = c * BF_CPU_CHUNK, i1 = i0 + BF_CPU_CHUNK < n ? i0 + BF_CPU_CHUNK : n;
    if (a != 0.0)
      for (int64_t i = i0; i < i1; i++) {
        x[i] += a * p[i];
        r[i] -= a * q[i];
        rt[i] -= a * qt[i];
      }
    residual_sums(i0, i1, r, rt, dinv, part + 2 * c);
  }
  bf_cpu_add_up(nc, 2, part, sum);
  bf_krylov_end(st, sum[0], sum[1], BF_ANY_SIGN, history);
  return BF_OK;
}

bf_err bf_cpu_bicg_direction(bf_backend *be, bf_int n, const double *r, const double *rt, const double *dinv,
                             double *p, double *pt, const bf_krylov_state *st)
{
  (void)be;
  if (st->status != BF_KRYLOV_RUNNING) return BF_OK;
  const double beta = st->beta;
#pragma omp parallel for schedule(static) if (n > BF_CPU_SMALL)
  for (bf_int i = 0; i < n; i++) {
    const double d = dinv ? dinv[i] : 1.0;
    p[i]           = d * r[i] + beta * p[i];
    pt[i]          = d * rt[i] + beta * pt[i];
  }
  return BF_OK;
}
