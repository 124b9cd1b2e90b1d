/* kernels/syinv.c - inverse of a symmetric matrix, choice of the method: see syinv.h */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/syinv.h"
#include "kernels/syinv_work.h"
#include <math.h>

enum { ALIGN = 256, LEAF = BF_DENSE_LEAF, RANK_MOST = 2048 };

bf_err bf_syinv_check(bf_backend *be, const bf_syinv_how *how, bf_scalar type, bf_int n)
{
  BF_CHECK(be && how, BF_E_ARG, "null argument");
  BF_CHECK(type == BF_S || type == BF_D, BF_E_ARG, "symmetric inverse of scalar type %d: fp32 or fp64 only",
           (int)type);
  BF_CHECK(n >= 1 && n <= BF_SYINV_LARGEST, BF_E_ARG, "symmetric inverse of order %d: 1 to %d", (int)n,
           (int)BF_SYINV_LARGEST);
  BF_CHECK(how->uplo == BF_LOWER || how->uplo == BF_UPPER, BF_E_ARG, "no triangle %d", (int)how->uplo);
  BF_CHECK(how->method >= BF_SYINV_AUTO && how->method <= BF_SYINV_BORDER, BF_E_ARG, "no method %d",
           (int)how->method);
  BF_CHECK(how->refine >= 0 && how->refine <= BF_SYINV_REFINED, BF_E_ARG, "%d Newton-Schulz steps: 0 to %d",
           how->refine, (int)BF_SYINV_REFINED);
  BF_CHECK(how->rank >= 0 && how->rank <= RANK_MOST && how->rank % LEAF == 0, BF_E_ARG,
           "updates of rank %d: a multiple of %d, at most %d", (int)how->rank, (int)LEAF, (int)RANK_MOST);
  BF_CHECK(be->ops.dense, BF_E_UNSUPPORTED,
           "backend '%s' has no operation 'syinv': this bandfem was built without cuBLAS", be->ops.name);
  return be->ops.dense->open(be);
}

/* The next `bytes` of the workspace; work NULL: counts only */
static void *take(char *work, size_t *used, size_t bytes)
{
  void *p = work ? work + *used : NULL;
  *used += (bytes + ALIGN - 1) / ALIGN * ALIGN;
  return p;
}

/* H200, 2026-11-24, ms by rank 256, 512, 1024: fp64 n = 8000 16.7, 14.9, 14.3, n = 16000 512: 102, 1024: 96;
 * fp32 n = 8000 11.2, 10.6, 10.7; n = 4000: 256 in both. */
static bf_int rank_of(const bf_backend *be, bf_int n)
{
  if (!be->ops.on_device) return LEAF;
  return n < 6144 ? 256 : 1024;
}

bf_err bf_syinv_layout(bf_backend *be, const bf_syinv_how *how, bf_scalar type, bf_int n, char *work,
                       bf_syinv_run *r, size_t *used)
{
  const size_t e = bf_scalar_bytes(type), N = (size_t)n;
  const int    whole = how->method != BF_SYINV_DEFINITE && how->method != BF_SYINV_BORDER;
  size_t       bytes = 0;
  *r                 = (bf_syinv_run){.be = be, .op = be->ops.dense, .type = type, .n = n, .ld = n};
  r->ldg             = (n + 31) / 32 * 32;
  r->rank            = how->rank ? how->rank : rank_of(be, n);
  if (r->rank > n) r->rank = (n + LEAF - 1) / LEAF * LEAF; /* one update */
  const bf_batch D = {.type = type, .n = LEAF, .ld = LEAF, .count = 1};
  const size_t   R = (size_t)r->rank, S = (size_t)r->ldg * R * e;
  *used       = 0;
  r->out      = take(work, used, sizeof *r->out);
  r->diagonal = take(work, used, (N + 64) * e);
  r->new      = take(work, used, N * e);
  r->room     = take(work, used, 3 * N * sizeof(double));
  r->leaf     = take(work, used, LEAF * LEAF * e);
  r->g        = take(work, used, S);
  r->h        = take(work, used, S);
  r->v        = take(work, used, R * R * e);
  r->w        = take(work, used, R * R * e);
  if (whole) BF_TRY(bf_batch_work(be, BF_INVERSE, &D, &bytes));
  r->batch = take(work, used, bytes);
  bytes    = N * N * e;
  if (whole) r->square = take(work, used, bytes + r->op->pivoted_bytes(type, n));
  return BF_OK;
}

bf_err bf_syinv_work(bf_backend *be, const bf_syinv_how *how, bf_scalar type, bf_int n, size_t *bytes)
{
  bf_syinv_run r;
  BF_TRY(bf_syinv_check(be, how, type, n));
  BF_CHECK(bytes, BF_E_ARG, "null argument");
  return bf_syinv_layout(be, how, type, n, NULL, &r, bytes);
}

bf_err bf_syinv_read(const bf_syinv_run *r, bf_syinv_results *host)
{
  BF_TRY(r->be->ops.copy(r->be, host, r->out, sizeof *host, BF_TO_HOST));
  return r->be->ops.sync(r->be);
}

bf_err bf_syinv_begin(const bf_syinv_run *r, bf_uplo uplo)
{
  return r->op->mirror(r->be, r->type, uplo, r->n, 1.0, r->a, r->ld, NULL, r->a, r->ld, r->diagonal);
}

bf_err bf_syinv_norm(const bf_syinv_run *r)
{
  return r->op->norms(r->be, r->type, r->n, r->n, r->a, r->ld, r->out->norm_a, r->room);
}

/* Restores a = A from its strict upper triangle and the stored diagonal; or C = A. */
static bf_err restore(const bf_syinv_run *r, void *C, bf_int ldc)
{
  return r->op->mirror(r->be, r->type, BF_UPPER, r->n, 1.0, r->a, r->ld, r->diagonal, C, ldc, NULL);
}

/* a = X from -X in the lower triangle. */
static bf_err finish(const bf_syinv_run *r)
{
  return r->op->mirror(r->be, r->type, BF_LOWER, r->n, -1.0, r->a, r->ld, NULL, r->a, r->ld, NULL);
}

/* ||X||, condition; info n+1 if X is not finite */
static bf_err judge(const bf_syinv_run *r, bf_syinv_report *report)
{
  bf_syinv_results seen;
  BF_TRY(r->op->norms(r->be, r->type, r->n, r->n, r->a, r->ld, r->out->norm_x, r->room));
  BF_TRY(bf_syinv_read(r, &seen));
  report->condition = seen.norm_a[0] * seen.norm_x[0];
  if (report->info == 0 && !(seen.norm_x[0] < INFINITY && seen.norm_a[0] < INFINITY)) report->info = r->n + 1;
  return BF_OK;
}

/* From A in the strict upper triangle, or in `square` if given */
static bf_err pivoted(const bf_syinv_run *r, int in_square, bf_syinv_report *report)
{
  bf_syinv_results seen;
  report->path     = BF_SYINV_PIVOTED;
  report->residual = -1.0;
  if (!in_square) BF_TRY(restore(r, r->square, r->n));
  BF_TRY(r->op->pivoted(r->be, r->type, r->n, r->square, r->n, r->a, r->ld, &r->out->info,
                        (char *)r->square + (size_t)r->n * (size_t)r->n * bf_scalar_bytes(r->type)));
  BF_TRY(bf_syinv_read(r, &seen));
  report->info = seen.info;
  return judge(r, report);
}

/* Limits of the estimated residual: for stopping, and for accepting the result; the estimate may be half
 * of the residual. */
static const double fine = 1.0, fair = 5.0;

/* a = X, square = A: the requested Newton-Schulz steps, further ones while the residual is above its
 * limit. */
static bf_err refine(const bf_syinv_run *r, const bf_syinv_how *how, bf_syinv_report *report)
{
  double norm;
  BF_TRY(bf_syinv_residual(r, &report->residual, &norm));
  while (report->refined < how->refine ||
         (report->refined < BF_SYINV_REFINED && report->residual > fine && norm < 0.5)) {
    BF_TRY(bf_syinv_refine(r));
    report->refined++;
    BF_TRY(bf_syinv_residual(r, &report->residual, &norm));
  }
  return BF_OK;
}

static bf_err indefinite(const bf_syinv_run *r, const bf_syinv_how *how, bf_syinv_report *report)
{
  int fit;
  report->path = BF_SYINV_INDEFINITE;
  report->info = 0;
  BF_TRY(restore(r, r->a, r->ld));
  BF_TRY(bf_syinv_indefinite(r, &report->deferred, &fit));
  if (fit) {
    BF_TRY(restore(r, r->square, r->n));
    BF_TRY(finish(r));
    BF_TRY(refine(r, how, report));
    if (report->residual <= fair || how->method == BF_SYINV_INDEFINITE) return judge(r, report);
    return pivoted(r, 1, report);
  }
  if (how->method == BF_SYINV_AUTO) return pivoted(r, 0, report);
  report->info = 1;
  return BF_OK;
}

/* Above the limit of ||A||_1 max X_ii, which is within a factor n of the condition, the residual is
 * estimated. */
static bf_err definite(const bf_syinv_run *r, const bf_syinv_how *how, bf_syinv_report *report)
{
  const double limit = r->type == BF_S ? 1e4 : 1e9;
  double       top, norm;
  report->path = BF_SYINV_DEFINITE;
  BF_TRY(bf_syinv_definite(r, &report->info, &top));
  if (report->info != 0) return BF_OK;
  const int look = how->method == BF_SYINV_AUTO && !(top <= limit);
  if (look) BF_TRY(restore(r, r->square, r->n));
  BF_TRY(finish(r));
  if (look) BF_TRY(bf_syinv_residual(r, &report->residual, &norm));
  return look && !(report->residual <= fair) ? pivoted(r, 1, report) : judge(r, report);
}

static bf_err border(const bf_syinv_run *r, bf_syinv_report *report)
{
  report->path = BF_SYINV_BORDER;
  BF_TRY(r->op->border(r->be, r->type, r->n, r->a, r->ld, r->diagonal));
  return judge(r, report);
}

bf_err bf_syinv_other_paths(const bf_syinv_run *r, const bf_syinv_how *how, bf_syinv_report *report)
{
  bf_syinv_results seen;
  BF_TRY(bf_syinv_read(r, &seen));
  if (!(seen.norm_a[0] < INFINITY)) report->info = r->n + 1;
  if (report->info == r->n + 1 || how->method == BF_SYINV_DEFINITE) return BF_OK;
  return how->method == BF_SYINV_PIVOTED ? pivoted(r, 0, report) : indefinite(r, how, report);
}

static bf_err paths(const bf_syinv_run *r, const bf_syinv_how *how, bf_syinv_report *report)
{
  BF_TRY(bf_syinv_begin(r, how->uplo));
  if (how->method > BF_SYINV_DEFINITE) BF_TRY(bf_syinv_norm(r));
  if (how->method == BF_SYINV_BORDER) return border(r, report);
  if (how->method <= BF_SYINV_DEFINITE) BF_TRY(definite(r, how, report));
  return how->method <= BF_SYINV_DEFINITE && report->info == 0 ? BF_OK : bf_syinv_other_paths(r, how, report);
}

bf_err bf_syinv(bf_backend *be, const bf_syinv_how *how, bf_scalar type, bf_int n, bf_int ld, void *a,
                void *work, bf_syinv_report *report)
{
  bf_syinv_run r;
  size_t       bytes;
  BF_TRY(bf_syinv_check(be, how, type, n));
  BF_CHECK(ld >= n, BF_E_ARG, "matrix of order %d: ld=%d", (int)n, (int)ld);
  BF_CHECK(a && work && report, BF_E_ARG, "null argument");
  *report = (bf_syinv_report){.residual = -1.0};
  BF_TRY(bf_syinv_layout(be, how, type, n, work, &r, &bytes));
  r.ld = ld;
  r.a  = a;
  if (how->emulate) BF_TRY(r.op->emulate(be, 1));
  const bf_err err = paths(&r, how, report);
  BF_TRY(r.op->queue(be, BF_DENSE_JOIN));
  if (how->emulate) BF_TRY(r.op->emulate(be, 0));
  return err;
}
