/* kernels/sysolve.c - a few right-hand sides with one symmetric matrix: see syinv.h
 *
 *     L_kk L_kk^T = A_kk,  W_k = L_kk^-1,  L_ik = A_ik W_k^T,  A_ij -= L_ik L_jk^T   for i >= j > k
 *     y_k = W_k b_k,  b_i -= L_ik y_k                                                k upwards
 *     x_k = W_k^T (y_k - sum over i > k of L_ik^T x_i)                               k downwards
 *
 * The updates are collected as in syinv_sweep.c; here L itself is collected.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/syinv_work.h"
#include <math.h>

enum { LEAF = BF_DENSE_LEAF };

typedef struct solve {
  bf_syinv_run r;
  bf_int       nrhs, ldb;
  void        *b, *y; /* y [nrhs][n] */
  void        *w;     /* W_k: columns k0 .. of [LEAF][n] */
} solve;

static void *entry(const solve *s, bf_int i, bf_int j)
{
  return bf_syinv_at(&s->r, s->r.a, s->r.ld, i, j);
}
static void *inverse_of(const solve *s, bf_int k0)
{
  return bf_syinv_at(&s->r, s->w, LEAF, 0, k0);
}

/* C = alpha op(A) op(B) + beta C */
static bf_err gemm(const solve *s, bf_trans ta, bf_trans tb, bf_int m, bf_int n, bf_int k, double alpha,
                   const void *A, bf_int lda, const void *B, bf_int ldb, double beta, void *C, bf_int ldc)
{
  if (m == 0 || n == 0 || k == 0) return BF_OK;
  return s->r.op->gemm(s->r.be, s->r.type, ta, tb, m, n, k, alpha, A, lda, B, ldb, beta, C, ldc);
}

/* Columns k0 .. of L; those from p0 on are not yet subtracted from the rest. */
static bf_err factor_block(const solve *s, bf_int p0, bf_int k0, bf_int m)
{
  const bf_syinv_run  *r = &s->r;
  const bf_int         n = r->ldg, rows = r->n - k0;
  const bf_dense_block first = {rows, 0, m};
  void                *b     = bf_syinv_at(r, r->h, n, k0, 0);
  const void          *rest  = bf_syinv_at(r, b, n, m, 0);
  BF_TRY(r->op->gather(r->be, r->type, first, entry(s, k0, k0), r->ld, b, n));
  BF_TRY(gemm(s, BF_NO_TRANS, BF_TRANS, rows, m, k0 - p0, -1.0, entry(s, k0, p0), r->ld, entry(s, k0, p0),
              r->ld, 1.0, b, n));
  BF_TRY(r->op->definite(r->be, r->type, m, k0, b, n, 0, inverse_of(s, k0), LEAF, &r->out->flag));
  return gemm(s, BF_NO_TRANS, BF_TRANS, rows - m, m, m, 1.0, rest, n, inverse_of(s, k0), LEAF, 0.0,
              entry(s, k0 + m, k0), r->ld);
}

static bf_int rows_of(const solve *s, bf_int k0)
{
  return s->r.n - k0 < LEAF ? s->r.n - k0 : LEAF;
}

/* *definite: all blocks are; read after the first block and at the end. */
static bf_err factor(const solve *s, int *definite)
{
  const bf_syinv_run *r = &s->r;
  bf_syinv_results    seen;
  bf_int              p0 = 0;
  BF_TRY(r->be->ops.zero(r->be, &r->out->flag, sizeof r->out->flag));
  for (bf_int k0 = 0; k0 < r->n; k0 += LEAF) {
    const bf_int m = rows_of(s, k0), end = k0 + m;
    BF_TRY(factor_block(s, p0, k0, m));
    if (k0 == 0 || end == r->n) {
      BF_TRY(bf_syinv_read(r, &seen));
      *definite = seen.flag == 0;
      if (!*definite) return BF_OK;
    }
    if (end == r->n || end - p0 + LEAF <= r->rank) continue;
    BF_TRY(r->op->syrkx(r->be, r->type, r->n - end, end - p0, entry(s, end, p0), entry(s, end, p0), r->ld,
                        entry(s, end, end), r->ld));
    p0 = end;
  }
  return BF_OK;
}

static bf_err substitute(const solve *s)
{
  const bf_syinv_run *r = &s->r;
  const bf_int        n = r->n, last = (n - 1) / LEAF * LEAF;
  for (bf_int k0 = 0; k0 < n; k0 += LEAF) {
    const bf_int m = rows_of(s, k0), end = k0 + m;
    void        *bk = bf_syinv_at(r, s->b, s->ldb, k0, 0), *yk = bf_syinv_at(r, s->y, n, k0, 0);
    BF_TRY(gemm(s, BF_NO_TRANS, BF_NO_TRANS, m, s->nrhs, m, 1.0, inverse_of(s, k0), LEAF, bk, s->ldb, 0.0, yk,
                n));
    BF_TRY(gemm(s, BF_NO_TRANS, BF_NO_TRANS, n - end, s->nrhs, m, -1.0, entry(s, end, k0), r->ld, yk, n, 1.0,
                bf_syinv_at(r, s->b, s->ldb, end, 0), s->ldb));
  }
  for (bf_int k0 = last; k0 >= 0; k0 -= LEAF) {
    const bf_int m = rows_of(s, k0), end = k0 + m;
    void        *bk = bf_syinv_at(r, s->b, s->ldb, k0, 0), *yk = bf_syinv_at(r, s->y, n, k0, 0);
    BF_TRY(gemm(s, BF_TRANS, BF_NO_TRANS, m, s->nrhs, n - end, -1.0, entry(s, end, k0), r->ld,
                bf_syinv_at(r, s->b, s->ldb, end, 0), s->ldb, 1.0, yk, n));
    BF_TRY(
        gemm(s, BF_TRANS, BF_NO_TRANS, m, s->nrhs, m, 1.0, inverse_of(s, k0), LEAF, yk, n, 0.0, bk, s->ldb));
  }
  return BF_OK;
}

/* B = X B */
static bf_err multiply(const solve *s)
{
  const bf_syinv_run *r      = &s->r;
  const size_t        column = (size_t)r->n * bf_scalar_bytes(r->type);
  BF_TRY(gemm(s, BF_NO_TRANS, BF_NO_TRANS, r->n, s->nrhs, r->n, 1.0, r->a, r->ld, s->b, s->ldb, 0.0, s->y,
              r->n));
  for (bf_int j = 0; j < s->nrhs; j++)
    BF_TRY(r->be->ops.copy(r->be, bf_syinv_at(r, s->b, s->ldb, 0, j), bf_syinv_at(r, s->y, r->n, 0, j),
                           column, BF_WITHIN));
  return BF_OK;
}

static bf_err layout(bf_backend *be, const bf_syinv_how *how, bf_scalar type, bf_int n, bf_int nrhs,
                     char *work, solve *s, size_t *bytes)
{
  BF_TRY(bf_syinv_check(be, how, type, n));
  BF_CHECK(how->method != BF_SYINV_BORDER, BF_E_ARG, "no solution by bordering");
  BF_CHECK(nrhs >= 0, BF_E_ARG, "%d right-hand sides", (int)nrhs);
  BF_TRY(bf_syinv_layout(be, how, type, n, work, &s->r, bytes));
  const size_t e = bf_scalar_bytes(type), L = LEAF, N = (size_t)n;
  s->w = work ? work + *bytes : NULL;
  s->y = work ? work + *bytes + L * (N + L) * e : NULL;
  *bytes += (L * (N + L) + (size_t)nrhs * N) * e;
  return BF_OK;
}

bf_err bf_sysolve_work(bf_backend *be, const bf_syinv_how *how, bf_scalar type, bf_int n, bf_int nrhs,
                       size_t *bytes)
{
  solve s;
  BF_CHECK(bytes, BF_E_ARG, "null argument");
  return layout(be, how, type, n, nrhs, NULL, &s, bytes);
}

static bf_err run(const solve *s, const bf_syinv_how *how, bf_syinv_report *report)
{
  const int first    = how->method <= BF_SYINV_DEFINITE;
  int       definite = 0;
  BF_TRY(bf_syinv_begin(&s->r, how->uplo));
  BF_TRY(bf_syinv_norm(&s->r));
  report->path = BF_SYINV_DEFINITE;
  if (first) BF_TRY(factor(s, &definite));
  if (definite) return substitute(s);
  if (first) {
    bf_syinv_results seen;
    BF_TRY(bf_syinv_read(&s->r, &seen));
    report->info = seen.flag;
  }
  BF_TRY(bf_syinv_other_paths(&s->r, how, report));
  return report->info == 0 ? multiply(s) : BF_OK;
}

bf_err bf_sysolve(bf_backend *be, const bf_syinv_how *how, bf_scalar type, bf_int n, bf_int ld, void *a,
                  bf_int nrhs, bf_int ldb, void *b, void *work, bf_syinv_report *report)
{
  solve  s;
  size_t bytes;
  BF_TRY(layout(be, how, type, n, nrhs, work, &s, &bytes));
  BF_CHECK(ld >= n && ldb >= n, BF_E_ARG, "matrix of order %d: ld=%d, right-hand sides ld=%d", (int)n,
           (int)ld, (int)ldb);
  BF_CHECK(a && work && report && (b || nrhs == 0), BF_E_ARG, "null argument");
  *report = (bf_syinv_report){.residual = -1.0};
  s.r.a   = a;
  s.r.ld  = ld;
  s.nrhs  = nrhs;
  s.ldb   = ldb;
  s.b     = b;
  if (nrhs == 0) return BF_OK;
  if (how->emulate) BF_TRY(s.r.op->emulate(be, 1));
  const bf_err err = run(&s, how, report);
  BF_TRY(s.r.op->queue(be, BF_DENSE_JOIN));
  if (how->emulate) BF_TRY(s.r.op->emulate(be, 0));
  return err;
}
