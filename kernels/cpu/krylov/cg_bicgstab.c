/* kernels/cpu/krylov/cg_bicgstab.c - vector operations of CG and BiCGStab, one pass over the vectors per
 * step
 *
 * The scalar steps are those of krylov/state.h. Every kernel returns at once after the iteration has ended.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cpu/backend/cpu.h"

typedef struct range { /* one chunk of the vectors */
  int64_t i0, i1;
} range;

static range chunk(int64_t c, bf_int n)
{
  const int64_t i0 = c * BF_CPU_CHUNK, i1 = i0 + BF_CPU_CHUNK;
  return (range){i0, i1 < n ? i1 : n};
}

/* z = dinv v, or v itself */
static void scale(range k, const double *dinv, const double *v, double *z)
{
  for (int64_t i = k.i0; i < k.i1; i++) z[i] = dinv ? dinv[i] * v[i] : v[i];
}

/* part[0] = r.r, part[1] = r.(dinv r) over one chunk */
static void residual_sums(range k, const double *r, const double *dinv, double part[2])
{
  part[0] = bf_cpu_dot(k.i1 - k.i0, r + k.i0, r + k.i0);
  part[1] = part[0];
  if (!dinv) return;
  double  s0 = 0.0, s1 = 0.0;
  int64_t i = k.i0;
  for (; i + 2 <= k.i1; i += 2) {
    s0 += r[i] * (dinv[i] * r[i]);
    s1 += r[i + 1] * (dinv[i + 1] * r[i + 1]);
  }
  if (i < k.i1) s0 += r[i] * (dinv[i] * r[i]);
  part[1] = s0 + s1;
}

bf_err bf_cpu_cg_begin(bf_backend *be, bf_int n, const double *r, const double *dinv, double *p,
                       bf_krylov_state *st, bf_krylov_sample *history)
{
  const int64_t nc = bf_cpu_chunks(n);
  double       *part, sum[2];
  BF_TRY(bf_cpu_scratch(be, 2 * nc, &part));
#pragma omp parallel for schedule(static) if (n > BF_CPU_SMALL)
  for (int64_t c = 0; c < nc; c++) {
    const range k = chunk(c, n);
    scale(k, dinv, r, p);
    residual_sums(k, r, dinv, part + 2 * c);
  }
  bf_cpu_add_up(nc, 2, part, sum);
  bf_krylov_begin(st, sum[0], sum[1], BF_POSITIVE, history);
  return BF_OK;
}

/* x is updated in the second pass, which reads p anyway; also in the last iteration. */
bf_err bf_cpu_cg_move(bf_backend *be, bf_int n, double *x, double *r, double *p, const double *q,
                      const double *dinv, bf_krylov_state *st, bf_krylov_sample *history)
{
  if (st->status != BF_KRYLOV_RUNNING) return BF_OK;
  const int64_t nc = bf_cpu_chunks(n);
  const double  a  = bf_krylov_alpha(st, BF_POSITIVE);
  double       *part, sum[2];
  BF_TRY(bf_cpu_scratch(be, 2 * nc, &part));
#pragma omp parallel for schedule(static) if (n > BF_CPU_SMALL)
  for (int64_t c = 0; c < nc; c++) {
    const range k = chunk(c, n);
    for (int64_t i = k.i0; a != 0.0 && i < k.i1; i++) r[i] -= a * q[i];
    residual_sums(k, r, dinv, part + 2 * c);
  }
  bf_cpu_add_up(nc, 2, part, sum);
  bf_krylov_end(st, sum[0], sum[1], BF_POSITIVE, history);
  const int    on   = st->status == BF_KRYLOV_RUNNING;
  const double beta = st->beta;
#pragma omp parallel for schedule(static) if (n > BF_CPU_SMALL)
  for (int64_t c = 0; c < nc; c++) {
    const range k = chunk(c, n);
    for (int64_t i = k.i0; on && i < k.i1; i++) {
      x[i] += a * p[i];
      p[i] = (dinv ? dinv[i] * r[i] : r[i]) + beta * p[i];
    }
    for (int64_t i = k.i0; !on && a != 0.0 && i < k.i1; i++) x[i] += a * p[i];
  }
  return BF_OK;
}

bf_err bf_cpu_cg_open(bf_backend *be, bf_int n, const double *r, bf_krylov_state *st,
                      bf_krylov_sample *history)
{
  double rr;
  BF_TRY(bf_cpu_dot_op(be, n, r, r, &rr));
  bf_krylov_begin(st, rr, st->rz, BF_POSITIVE, history);
  return BF_OK;
}

bf_err bf_cpu_cg_update(bf_backend *be, bf_int n, double *x, double *r, const double *p, const double *q,
                        bf_krylov_state *st)
{
  if (st->status != BF_KRYLOV_RUNNING) return BF_OK;
  const int64_t nc = bf_cpu_chunks(n);
  const double  a  = bf_krylov_alpha(st, BF_POSITIVE);
  double       *part;
  BF_TRY(bf_cpu_scratch(be, nc, &part));
#pragma omp parallel for schedule(static) if (n > BF_CPU_SMALL)
  for (int64_t c = 0; c < nc; c++) {
    const range k = chunk(c, n);
    if (a != 0.0)
      for (int64_t i = k.i0; i < k.i1; i++) {
        x[i] += a * p[i];
        r[i] -= a * q[i];
      }
    part[c] = bf_cpu_dot(k.i1 - k.i0, r + k.i0, r + k.i0);
  }
  bf_cpu_add_up(nc, 1, part, &st->rr);
  return BF_OK;
}

bf_err bf_cpu_cg_direction(bf_backend *be, bf_int n, const double *z, double *p, bf_krylov_state *st,
                           bf_krylov_sample *history)
{
  (void)be;
  if (st->status != BF_KRYLOV_RUNNING) return BF_OK;
  bf_krylov_end(st, st->rr, st->rz, BF_POSITIVE, history);
  if (st->status != BF_KRYLOV_RUNNING) return BF_OK;
  const double beta = st->beta;
#pragma omp parallel for schedule(static) if (n > BF_CPU_SMALL)
  for (bf_int i = 0; i < n; i++) p[i] = z[i] + beta * p[i];
  return BF_OK;
}

bf_err bf_cpu_bicgstab_begin(bf_backend *be, bf_int n, const double *r, const double *dinv, double *r0,
                             double *p, double *ph, bf_krylov_state *st, bf_krylov_sample *history)
{
  const int64_t nc = bf_cpu_chunks(n);
  double       *part, rr;
  BF_TRY(bf_cpu_scratch(be, nc, &part));
#pragma omp parallel for schedule(static) if (n > BF_CPU_SMALL)
  for (int64_t c = 0; c < nc; c++) {
    const range k = chunk(c, n);
    for (int64_t i = k.i0; i < k.i1; i++) r0[i] = p[i] = r[i];
    if (dinv) scale(k, dinv, r, ph);
    part[c] = bf_cpu_dot(k.i1 - k.i0, r + k.i0, r + k.i0);
  }
  bf_cpu_add_up(nc, 1, part, &rr);
  bf_bicgstab_begin(st, rr, history);
  return BF_OK;
}

bf_err bf_cpu_bicgstab_middle(bf_backend *be, bf_int n, double *r, const double *v, const double *dinv,
                              double *rh, bf_krylov_state *st)
{
  if (st->status != BF_KRYLOV_RUNNING) return BF_OK;
  const int64_t nc = bf_cpu_chunks(n);
  const double  a  = bf_bicgstab_alpha(st);
  double       *part, ss;
  BF_TRY(bf_cpu_scratch(be, nc, &part));
#pragma omp parallel for schedule(static) if (n > BF_CPU_SMALL)
  for (int64_t c = 0; c < nc; c++) {
    const range k = chunk(c, n);
    if (a != 0.0)
      for (int64_t i = k.i0; i < k.i1; i++) r[i] -= a * v[i];
    if (dinv) scale(k, dinv, r, rh);
    part[c] = bf_cpu_dot(k.i1 - k.i0, r + k.i0, r + k.i0);
  }
  bf_cpu_add_up(nc, 1, part, &ss);
  bf_bicgstab_middle(st, ss);
  return BF_OK;
}

/* x += a ph + o rh, r -= o t; part = r.r, r0.r */
static void stabilise(range k, double a, double o, double *x, double *r, const double *ph, const double *rh,
                      const double *r0, const double *t, double part[2])
{
  for (int64_t i = k.i0; i < k.i1; i++) { /* rh may be r: x first */
    x[i] += a * ph[i] + o * rh[i];
    r[i] -= o * t[i];
  }
  part[0] = bf_cpu_dot(k.i1 - k.i0, r + k.i0, r + k.i0);
  part[1] = bf_cpu_dot(k.i1 - k.i0, r0 + k.i0, r + k.i0);
}

bf_err bf_cpu_bicgstab_move(bf_backend *be, bf_int n, double *x, double *r, double *p, double *ph,
                            const double *r0, const double *rh, const double *v, const double *t,
                            const double *dinv, bf_krylov_state *st, bf_krylov_sample *history)
{
  if (st->status != BF_KRYLOV_RUNNING) return BF_OK;
  const int64_t nc = bf_cpu_chunks(n);
  const double  a = st->alpha, o = bf_bicgstab_omega(st);
  double       *part, sum[2];
  BF_TRY(bf_cpu_scratch(be, 2 * nc, &part));
#pragma omp parallel for schedule(static) if (n > BF_CPU_SMALL)
  for (int64_t c = 0; c < nc; c++) stabilise(chunk(c, n), a, o, x, r, ph, rh, r0, t, part + 2 * c);
  bf_cpu_add_up(nc, 2, part, sum);
  bf_bicgstab_end(st, sum[0], sum[1], history);
  if (st->status != BF_KRYLOV_RUNNING) return BF_OK;
  const double beta = st->beta;
#pragma omp parallel for schedule(static) if (n > BF_CPU_SMALL)
  for (bf_int i = 0; i < n; i++) {
    p[i] = r[i] + beta * (p[i] - o * v[i]);
    if (dinv) ph[i] = dinv[i] * p[i];
  }
  return BF_OK;
}
