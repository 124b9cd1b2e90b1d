/* app/bench/syinv.c - bandfem bench syinv: the inverse of one symmetric matrix
 *
 * A case is a type, an order and what it shows: d8000-spd a positive definite matrix; d8000-indefinite;
 * d8000-emulated with products by emulation; d8000-variants the positive definite one by several ranks
 * of updates; d8000-phases the operations of a panel; s8000-bordering one row and column at a time, as
 * published, with the root mean square of the difference to the serial program.  Uniform entries in
 * (-1/2, 1/2); definite: and n on the diagonal.  flops: n^3.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/syinv.h"
#include "app/bench/syinv.h"
#include "app/bench/syinv_serial.h"
#include "base/memory.h"
#include "kernels/dense.h"
#ifdef BF_WITH_PEERS
#include "kernels/vendor_syinv.h"
#endif
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef enum { DEFINITE, INDEFINITE, EMULATED, VARIANTS, BORDERING, PHASES, KINDS } case_kind;
static const char *const suffix[KINDS] = {"-spd",      "-indefinite", "-emulated",
                                          "-variants", "-bordering",  "-phases"};

typedef struct syinv_case {
  bf_bench           *b;
  bf_backend         *be;
  const bf_dense_ops *op;
  bf_scalar           type;
  bf_int              n;
  case_kind           kind;
  size_t              bytes; /* of a matrix */
  void               *origin, *a, *work;
  float              *serial; /* host, BORDERING: the inverse by the serial program */
  bf_syinv_how        how;
  bf_syinv_report     report;
#ifdef BF_WITH_PEERS
  bf_peer_syinv *peer; /* at work */
#endif
} syinv_case;

static bf_err make(syinv_case *c)
{
  const size_t n    = (size_t)c->n;
  char        *host = NULL;
  bf_err       err  = BF_OK;
  c->bytes          = n * n * bf_scalar_bytes(c->type);
  BF_GO(BF_NEW_ARRAY(host, (int64_t)c->bytes));
#pragma omp parallel for schedule(dynamic, 16)
  for (bf_int j = 0; j < c->n; j++)
    for (size_t i = 0; i < n; i++) {
      const uint64_t low = i < (size_t)j ? i : (size_t)j, high = i < (size_t)j ? (size_t)j : i;
      uint64_t       z = (high * 65536 + low + 1) * UINT64_C(0x9E3779B97F4A7C15);
      z                = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
      z                = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
      const double x   = (double)((z ^ (z >> 31)) >> 11) * 0x1p-53 - 0.5 +
                       (i == (size_t)j && c->kind != INDEFINITE ? c->n : 0.0);
      if (c->type == BF_S)
        ((float *)(void *)host)[(size_t)j * n + i] = (float)x;
      else
        ((double *)(void *)host)[(size_t)j * n + i] = x;
    }
  BF_GO(c->be->ops.alloc(c->be, c->bytes, &c->origin));
  BF_GO(c->be->ops.alloc(c->be, c->bytes, &c->a));
  BF_GO(c->be->ops.copy(c->be, c->origin, host, c->bytes, BF_TO_DEVICE));
  BF_GO(c->be->ops.sync(c->be));
done:
  bf_host_free(host);
  return err;
}

static bf_err restore(void *context)
{
  syinv_case *c = context;
  return c->be->ops.copy(c->be, c->a, c->origin, c->bytes, BF_WITHIN);
}

/* ||A X - I||_F / (||A||_F ||X||_F n u), products in the type of the matrix; x: full. */
static bf_err residual(syinv_case *c, const void *x, double *error)
{
  const double u = c->type == BF_S ? (double)FLT_EPSILON : DBL_EPSILON;
  double       norm[6], *at;
  void        *r = NULL, *room = NULL;
  bf_err       err = BF_OK;
  BF_GO(c->be->ops.alloc(c->be, c->bytes, &r));
  BF_GO(c->be->ops.alloc(c->be, (3 * (size_t)c->n + 6) * sizeof(double), &room));
  at = (double *)room + 3 * (size_t)c->n;
  BF_GO(c->op->gemm(c->be, c->type, BF_NO_TRANS, BF_NO_TRANS, c->n, c->n, c->n, -1.0, c->origin, c->n, x,
                    c->n, 0.0, r, c->n));
  BF_GO(c->op->shift(c->be, c->type, c->n, r, c->n));
  BF_GO(c->op->norms(c->be, c->type, c->n, c->n, r, c->n, at, room));
  BF_GO(c->op->norms(c->be, c->type, c->n, c->n, c->origin, c->n, at + 2, room));
  BF_GO(c->op->norms(c->be, c->type, c->n, c->n, x, c->n, at + 4, room));
  BF_GO(c->be->ops.copy(c->be, norm, at, sizeof norm, BF_TO_HOST));
  BF_GO(c->be->ops.sync(c->be));
  *error = norm[1] / norm[3] / norm[5] / (c->n * u);
done:
  c->be->ops.release(c->be, r);
  c->be->ops.release(c->be, room);
  return err;
}

static bf_bench_row row_of(const syinv_case *c, const char *kernel)
{
  static const double peak[] = {63.9e12, 66.3e12}; /* flops/s of one H200, as for the batches */
  const double        n      = c->n;
  bf_bench_row row = {.kernel = kernel, .error = -1.0, .bytes = 2.0 * (double)c->bytes, .flops = n * n * n};
  row.floor        = row.bytes / c->b->copy;
  if (c->be->ops.on_device) row.floor = fmax(row.floor, row.flops / peak[c->type]);
  return row;
}

/* The inverse of the same matrix by the serial program. */
static bf_err make_serial(syinv_case *c)
{
  if (c->kind != BORDERING || c->type != BF_S) return BF_OK;
  BF_TRY(BF_NEW_ARRAY(c->serial, (size_t)c->n * (size_t)c->n));
  BF_TRY(c->be->ops.copy(c->be, c->serial, c->origin, c->bytes, BF_TO_HOST));
  BF_TRY(c->be->ops.sync(c->be));
  return bf_bench_serial_border(c->n, c->serial);
}

static bf_err compare(syinv_case *c, bf_bench_row *row)
{
  bf_err err = BF_OK;
  float *x   = NULL;
  if (!c->serial) return BF_OK;
  BF_GO(BF_NEW_ARRAY(x, (size_t)c->n * (size_t)c->n));
  BF_GO(c->be->ops.copy(c->be, x, c->a, c->bytes, BF_TO_HOST));
  BF_GO(c->be->ops.sync(c->be));
  row->difference = bf_bench_difference((size_t)c->n * (size_t)c->n, x, c->serial, &row->relative);
  row->compared   = 1;
done:
  bf_host_free(x);
  return err;
}

static bf_err run(void *context)
{
  syinv_case *c = context;
  return bf_syinv(c->be, &c->how, c->type, c->n, c->n, c->a, c->work, &c->report);
}

/* A row of bf_syinv; where the backend has it not, a line that says so. */
static bf_err own(syinv_case *c, const char *name, bf_syinv_how how)
{
  static const char *const path[] = {"", "definite", "indefinite", "pivoted", "bordering"};
  bf_bench_row             row    = row_of(c, name);
  size_t                   bytes;
  c->how     = how;
  bf_err err = bf_syinv_work(c->be, &how, c->type, c->n, &bytes);
  if (err == BF_OK) err = c->be->ops.alloc(c->be, bytes, &c->work);
  if (err == BF_OK) err = restore(c);
  if (err == BF_OK) err = run(c);
  if (err == BF_E_UNSUPPORTED) printf("  %-34s not on this backend\n", name);
  if (err == BF_E_UNSUPPORTED) goto done;
  BF_GO(err);
  row.failed = c->report.info != 0;
  BF_GO(residual(c, c->a, &row.error));
  BF_GO(compare(c, &row));
  BF_GO(bf_bench_seconds_fresh(c->be, 1, restore, run, c, &row.seconds));
  bf_bench_show(c->b, &row);
  printf("    path %s, %d Newton-Schulz steps, %d blocks deferred, condition %.3g, residual estimate %.3g, "
         "workspace %.3g n^2\n",
         path[c->report.path], c->report.refined, (int)c->report.deferred, c->report.condition,
         c->report.residual, (double)bytes / (double)c->bytes);
done:
  c->be->ops.release(c->be, c->work);
  c->work = NULL;
  return err == BF_E_UNSUPPORTED ? BF_OK : err;
}

/* cuBLAS's or OpenBLAS's rate beside which that of the inverse stands. */
static bf_err multiply(void *context)
{
  syinv_case *c = context;
  return c->op->gemm(c->be, c->type, BF_NO_TRANS, BF_NO_TRANS, c->n, c->n, c->n, 1.0, c->origin, c->n,
                     c->origin, c->n, 0.0, c->a, c->n);
}
static bf_err product(syinv_case *c)
{
  bf_bench_row row = row_of(c, "gemm of order n, 2 n^3 flops");
  row.flops *= 2.0;
  row.floor *= 2.0;
  BF_TRY(multiply(c));
  BF_TRY(bf_bench_seconds_fresh(c->be, 1, restore, multiply, c, &row.seconds));
  bf_bench_show(c->b, &row);
  return BF_OK;
}

#ifdef BF_WITH_PEERS
static bf_err run_peer(void *context)
{
  return bf_peer_syinv_run(((syinv_case *)context)->peer);
}

static bf_err peer(syinv_case *c, bf_peer_syinv_kind kind)
{
  bf_err err = BF_OK;
  BF_GO(bf_peer_syinv_create(c->be, kind, c->type, c->n, c->a, &c->peer));
  bf_bench_row row = row_of(c, bf_peer_syinv_describe(c->peer));
  row.peer         = 1;
  BF_GO(restore(c));
  BF_GO(run_peer(c));
  BF_GO(bf_peer_syinv_info(c->peer, &row.failed));
  row.failed = row.failed != 0;
  void *x    = bf_peer_syinv_result(c->peer);
  if (kind != BF_PEER_GETRS)
    BF_GO(c->op->mirror(c->be, c->type, BF_LOWER, c->n, 1.0, x, c->n, NULL, x, c->n, NULL));
  BF_GO(residual(c, x, &row.error));
  BF_GO(bf_bench_seconds_fresh(c->be, 1, restore, run_peer, c, &row.seconds));
  bf_bench_show(c->b, &row);
done:
  bf_peer_syinv_destroy(&c->peer);
  return err;
}

static bf_err peers(syinv_case *c)
{
  const int all = c->kind <= INDEFINITE && c->be->ops.on_device;
  if (all && c->kind == DEFINITE) BF_TRY(peer(c, BF_PEER_POTRI));
  if (all) BF_TRY(peer(c, BF_PEER_GETRS));
  return all ? peer(c, BF_PEER_SYTRI) : BF_OK;
}
#else
static bf_err peers(syinv_case *c)
{
  (void)c;
  return BF_OK;
}
#endif

static bf_err variants(syinv_case *c)
{
  for (bf_int rank = 128; rank <= 2048; rank *= 2) {
    char name[64];
    if (rank > 128 && (rank >= c->n || rank * 32 < c->n)) continue;
    snprintf(name, sizeof name, "syinv, rank %d", (int)rank);
    BF_TRY(own(c, name, (bf_syinv_how){.uplo = BF_LOWER, .rank = rank}));
  }
  return BF_OK;
}

static bf_err rows(syinv_case *c)
{
  BF_TRY(peers(c));
  switch (c->kind) {
  case DEFINITE:
    BF_TRY(own(c, "syinv", (bf_syinv_how){.uplo = BF_LOWER}));
    BF_TRY(own(c, "syinv, definite only", (bf_syinv_how){.uplo = BF_LOWER, .method = BF_SYINV_DEFINITE}));
    return product(c); /* last: after it the clock of the device is lower for a while */
  case INDEFINITE:
    BF_TRY(own(c, "syinv", (bf_syinv_how){.uplo = BF_LOWER}));
    BF_TRY(own(c, "syinv, one Newton-Schulz step",
               (bf_syinv_how){.uplo = BF_LOWER, .method = BF_SYINV_INDEFINITE, .refine = 1}));
    return own(c, "syinv, pivoted", (bf_syinv_how){.uplo = BF_LOWER, .method = BF_SYINV_PIVOTED});
  case EMULATED:
    BF_TRY(own(c, "syinv", (bf_syinv_how){.uplo = BF_LOWER}));
    return own(c, "syinv, emulated fp64 products", (bf_syinv_how){.uplo = BF_LOWER, .emulate = 1});
  case VARIANTS: return variants(c);
  default: break;
  }
  BF_TRY(own(c, "syinv", (bf_syinv_how){.uplo = BF_LOWER}));
  return own(c, "bordering, one row and column at a time",
             (bf_syinv_how){.uplo = BF_LOWER, .method = BF_SYINV_BORDER});
}

static bf_err one(bf_bench *b, bf_scalar type, bf_int n, case_kind kind)
{
  static const char *const what[KINDS] = {"positive definite", "indefinite",        "positive definite",
                                          "positive definite", "positive definite", "positive definite"};
  syinv_case c   = {.b = b, .be = b->be, .op = b->be->ops.dense, .type = type, .n = n, .kind = kind};
  bf_err     err = BF_OK;
  snprintf(b->name, sizeof b->name, "%c%d%s", "sd"[type], (int)n, suffix[kind]);
  if (bf_bench_listed(b, b->name)) return BF_OK;
  b->peer = b->best = 0.0;
  b->shown++;
  printf("%s: one %s matrix of order %d\n", b->name, what[kind], (int)n);
  if (!c.op) {
    printf("  %-34s not on this backend\n", "syinv");
    return BF_OK;
  }
  BF_GO(c.op->open(c.be));
  if (kind == PHASES) {
    for (bf_int rank = 256; rank <= 2048 && err == BF_OK; rank *= 2)
      err = bf_bench_syinv_phases(b, type, n, rank);
    return err;
  }
  BF_GO(make(&c));
  BF_GO(make_serial(&c));
  bf_bench_other_rows(b, row_of(&c, ""));
  BF_GO(rows(&c));
done:
  c.be->ops.release(c.be, c.origin);
  c.be->ops.release(c.be, c.a);
  bf_host_free(c.serial);
  return err;
}

/* d8000-indefinite: type, order, kind */
static int named(const char *word, bf_scalar *type, bf_int *n, case_kind *kind)
{
  if (word[0] != 's' && word[0] != 'd') return 0;
  char      *end  = NULL;
  const long read = word[1] >= '1' && word[1] <= '9' ? strtol(word + 1, &end, 10) : 0;
  if (read < 1 || read > BF_SYINV_LARGEST) return 0;
  *type = word[0] == 's' ? BF_S : BF_D;
  *n    = (bf_int)read;
  for (int k = 0; k < KINDS; k++)
    if (strcmp(end, suffix[k]) == 0) {
      *kind = (case_kind)k;
      return 1;
    }
  return 0;
}

bf_err bf_bench_syinv(bf_bench *b)
{
  static const char *const device[] = {
      "d1000-spd",        "d2000-spd",        "d4000-spd",        "d8000-spd",        "d16000-spd",
      "s1000-spd",        "s2000-spd",        "s4000-spd",        "s8000-spd",        "s16000-spd",
      "d1000-indefinite", "d2000-indefinite", "d4000-indefinite", "d8000-indefinite", "d16000-indefinite",
      "d8000-emulated",   "s800-bordering",   "s1600-bordering",  "s2400-bordering",  "s3200-bordering",
      "s4000-bordering",  "s4800-bordering",  "s5600-bordering",  "s6400-bordering",  "s7200-bordering",
      "s8000-bordering"};
  static const char *const host[]  = {"d500-spd",        "d1000-spd",        "s1000-spd",
                                      "d500-indefinite", "d1000-indefinite", "s800-bordering"};
  static const char *const quick[] = {"d100-spd", "s100-spd", "d100-indefinite", "d100-variants",
                                      "s100-bordering"};
  const char *const       *list    = b->quick ? quick : b->be->ops.on_device ? device : host;
  const size_t             count   = b->quick               ? sizeof quick / sizeof *quick
                                     : b->be->ops.on_device ? sizeof device / sizeof *device
                                                            : sizeof host / sizeof *host;
  bf_scalar                type;
  bf_int                   n;
  case_kind                kind;
  for (int k = 0; k < b->nonly; k++)
    if (named(b->only[k], &type, &n, &kind)) BF_TRY(one(b, type, n, kind));
  for (size_t k = 0; k < count && b->nonly == 0; k++)
    if (named(list[k], &type, &n, &kind)) BF_TRY(one(b, type, n, kind));
  return BF_OK;
}
