/* app/bench/dense_vendor.c - cuBLAS and cuSOLVER on the matrices of a case */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "app/bench/dense.h"
#ifdef BF_WITH_PEERS
#include "kernels/vendor_batch.h"

typedef struct peer_run {
  bf_dense_case *c;
  bf_peer_dense *peer;
} peer_run;

static bf_err prepare(void *context)
{
  peer_run *r = context;
  BF_TRY(bf_dense_case_restore(r->c));
  return bf_peer_dense_prepare(r->peer);
}
static bf_err run(void *context)
{
  return bf_peer_dense_run(((peer_run *)context)->peer);
}

enum {
  SINGLES = 40,   /* one matrix after the other: more of them would only repeat the time */
  MANY    = 10000 /* getri alone, which is part of the row before it, is shown for large batches */
};

/* The peer's row, or under another name that of one of its variants.  part: it begins with factors. */
static bf_err show(peer_run *r, const char *kernel, int part, bf_int count, int calls)
{
  bf_dense_case        *c      = r->c;
  const bf_dense_result result = {bf_peer_dense_result(r->peer), bf_peer_dense_values(r->peer),
                                  bf_peer_dense_pivots(r->peer), bf_peer_dense_info(r->peer)};
  bf_bench_row          row    = bf_dense_case_row(c, kernel ? kernel : bf_peer_dense_describe(r->peer));
  row.peer                     = !kernel;
  if (part) bf_dense_case_part(c, 2.0 / 3.0, &row);
  BF_TRY(prepare(r));
  BF_TRY(run(r));
  if (count == c->count) {
    BF_TRY(bf_dense_case_error(c, &result, &row.error));
    BF_TRY(bf_dense_case_failed(c, result.info, &row.failed));
  }
  BF_TRY(bf_bench_seconds_fresh(c->b->be, calls, prepare, run, r, &row.seconds));
  row.seconds *= (double)c->count / count;
  bf_bench_show(c->b, &row);
  return BF_OK;
}

static bf_err one(bf_dense_case *c, bf_peer_dense_kind kind)
{
  const int    single = kind == BF_PEER_SYEVD || kind == BF_PEER_SYGVD;
  const bf_int count  = single && c->count > SINGLES ? SINGLES : c->count;
  const int    calls  = single ? 1 : c->batches;
  peer_run     r      = {.c = c};
  bf_err       err    = bf_peer_dense_create(c->b->be, kind, c->type, c->n, count, calls, c->a, &r.peer);
  if (err == BF_E_UNSUPPORTED) return BF_OK;
  BF_GO(err);
  const int part = kind == BF_PEER_GETRI;
  BF_GO(show(&r, part ? bf_peer_dense_describe(r.peer) : NULL, part, count, calls));
done:
  bf_peer_dense_destroy(&r.peer);
  return err;
}

bf_err bf_dense_case_peers(bf_dense_case *c)
{
  static const struct {
    bf_dense_work      work;
    bf_peer_dense_kind kind;
  } all[] = {{BF_DENSE_LU, BF_PEER_GETRF},       {BF_DENSE_INVERSE, BF_PEER_LU_INVERSE},
             {BF_DENSE_INVERSE, BF_PEER_MATINV}, {BF_DENSE_INVERSE, BF_PEER_GETRI},
             {BF_DENSE_CHOLESKY, BF_PEER_POTRF}, {BF_DENSE_EIGEN, BF_PEER_XSYEV},
             {BF_DENSE_EIGEN, BF_PEER_SYEVJ},    {BF_DENSE_EIGEN, BF_PEER_SYEVD},
             {BF_DENSE_PENCIL, BF_PEER_SYGVD}};
  for (size_t k = 0; k < sizeof all / sizeof *all && c->b->be->ops.on_device; k++)
    if (all[k].work == c->work && (all[k].kind != BF_PEER_GETRI || c->count == MANY))
      BF_TRY(one(c, all[k].kind));
  return BF_OK;
}

bf_err bf_dense_case_published(bf_dense_case *c)
{
  static const struct {
    bf_dense_work work;
    int           panel, ideas;
    const char   *kernel;
  } all[]                       = {{BF_DENSE_LU, 14, BF_LU_ALL, NULL},
                                   {BF_DENSE_LU, 14, BF_LU_TREE, "exchanges one by one, at once, panel 14"},
                                   {BF_DENSE_LU, 14, BF_LU_TREE | BF_LU_GROUPED, "exchanges grouped, at once, panel 14"},
                                   {BF_DENSE_LU, 14, BF_LU_GROUPED | BF_LU_DELAYED, "pivot by one thread, panel 14"},
                                   {BF_DENSE_LU, 8, BF_LU_ALL, "panel 8"},
                                   {BF_DENSE_LU, 10, BF_LU_ALL, "panel 10"},
                                   {BF_DENSE_LU, 18, BF_LU_ALL, "panel 18"},
                                   {BF_DENSE_LU, 24, BF_LU_ALL, "panel 24"},
                                   {BF_DENSE_INVERSE, 16, BF_INVERSE_ALL, NULL},
                                   {BF_DENSE_INVERSE, 16, BF_INVERSE_WAY, "timely, one launch, panel 16"},
                                   {BF_DENSE_INVERSE, 16, BF_INVERSE_LATE | BF_INVERSE_WAY, "delayed, one launch, panel 16"},
                                   {BF_DENSE_INVERSE, 16, BF_INVERSE_LATE | BF_INVERSE_EACH, "columns exchanged, panel 16"},
                                   {BF_DENSE_INVERSE, 8, BF_INVERSE_ALL, "panel 8"},
                                   {BF_DENSE_INVERSE, 20, BF_INVERSE_ALL, "panel 20"},
                                   {BF_DENSE_INVERSE, 28, BF_INVERSE_ALL, "panel 28"}};
  bf_err                   err  = BF_OK;
  peer_run                 r    = {.c = c};
  const bf_peer_dense_kind kind = c->work == BF_DENSE_LU ? BF_PEER_PUBLISHED_LU : BF_PEER_PUBLISHED_INVERSE;
  if (!c->b->be->ops.on_device) return BF_OK;
  BF_GO(bf_peer_dense_create(c->b->be, kind, c->type, c->n, c->count, 1, c->a, &r.peer));
  for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
    if (all[k].work != c->work) continue;
    bf_peer_dense_ideas(r.peer, all[k].panel, all[k].ideas);
    BF_GO(show(&r, all[k].kernel, c->work == BF_DENSE_INVERSE, c->count, 1));
  }
done:
  bf_peer_dense_destroy(&r.peer);
  return err;
}
#else
bf_err bf_dense_case_published(bf_dense_case *c)
{
  (void)c;
  return BF_OK;
}

bf_err bf_dense_case_peers(bf_dense_case *c)
{
  (void)c;
  return BF_OK;
}
#endif
