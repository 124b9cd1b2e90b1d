/* app/bench/dense_bandfem.c - our kernels on the matrices of a case, through the public calls */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "app/bench/dense.h"
#include "base/memory.h"

typedef struct own_run {
  bf_dense_case *c;
  int            how; /* which of the operations */
  bf_batch       A, B;
  bf_int        *ipiv, *info; /* backend */
  void          *values, *work;
  int            turn;
} own_run;

/* What there is to do of the batch: all of it, what is left when it has been factored, the first half of its
 * matrices, or every other one while the rest is diagonal; a peer has all of it. */
typedef enum { ALL, FACTORED, HALF, EVERY_OTHER } own_part;

typedef struct own_kernel {
  bf_dense_work work;
  const char   *name;
  bf_batch_op   room[2]; /* whose workspace */
  bf_err (*run)(own_run *r);
  own_part part;
} own_kernel;

static bf_err getrf(own_run *r)
{
  return bf_getrf_batch(r->c->b->be, &r->A, r->ipiv, r->info, r->work);
}
static bf_err inverse(own_run *r)
{
  return bf_inverse_batch(r->c->b->be, &r->A, r->info, r->work);
}
static bf_err getri(own_run *r)
{
  return bf_getri_batch(r->c->b->be, &r->A, r->ipiv, r->info, r->work);
}
static bf_err two_calls(own_run *r)
{
  BF_TRY(getrf(r));
  return getri(r);
}
static bf_err potrf(own_run *r)
{
  return bf_potrf_batch(r->c->b->be, BF_LOWER, &r->A, r->info, r->work);
}
static bf_err heev(own_run *r)
{
  const bf_heev_how how = {.vectors = 1, .uplo = BF_LOWER};
  return bf_heev_batch(r->c->b->be, &how, &r->A, r->values, r->info, r->work);
}
static bf_err hegv(own_run *r)
{
  const bf_heev_how how = {.vectors = 1, .uplo = BF_LOWER};
  return bf_hegv_batch(r->c->b->be, &how, &r->A, &r->B, r->values, r->info, r->work);
}

static const own_kernel kernels[] = {
    {BF_DENSE_LU, "getrf", {BF_GETRF, BF_GETRF}, getrf, ALL},
    {BF_DENSE_INVERSE, "inverse", {BF_INVERSE, BF_INVERSE}, inverse, ALL},
    {BF_DENSE_INVERSE, "getrf + getri", {BF_GETRF, BF_GETRI}, two_calls, ALL},
    {BF_DENSE_INVERSE, "getri", {BF_GETRF, BF_GETRI}, getri, FACTORED},
    {BF_DENSE_CHOLESKY, "potrf", {BF_POTRF, BF_POTRF}, potrf, ALL},
    {BF_DENSE_EIGEN, "heev", {BF_HEEV, BF_HEEV}, heev, ALL},
    {BF_DENSE_EIGEN, "heev, half of the matrices alone", {BF_HEEV, BF_HEEV}, heev, HALF},
    {BF_DENSE_EIGEN, "heev, every other one diagonal", {BF_HEEV, BF_HEEV}, heev, EVERY_OTHER},
    {BF_DENSE_PENCIL, "hegv", {BF_HEGV, BF_HEGV}, hegv, ALL}};
enum { KERNELS = sizeof kernels / sizeof *kernels };

static bf_err on_next(own_run *r, bf_err (*of)(own_run *r))
{
  r->A.a  = (char *)r->c->a + (size_t)r->turn * (size_t)r->c->count * r->c->each;
  r->B.a  = (char *)r->A.a + r->c->each / 2;
  r->turn = (r->turn + 1) % r->c->batches;
  return of(r);
}

static bf_err prepare(void *context)
{
  own_run *r = context;
  r->turn    = 0;
  BF_TRY(bf_dense_case_restore(r->c));
  for (int k = 0; k < r->c->batches && kernels[r->how].part == FACTORED; k++) BF_TRY(on_next(r, getrf));
  return BF_OK;
}

static bf_err run(void *context)
{
  own_run *r = context;
  return on_next(r, kernels[r->how].run);
}

static void release(own_run *r)
{
  bf_backend *be = r->c->b->be;
  be->ops.release(be, r->ipiv);
  be->ops.release(be, r->info);
  be->ops.release(be, r->values);
  be->ops.release(be, r->work);
}

static bf_err room(own_run *r)
{
  bf_backend  *be  = r->c->b->be;
  const size_t all = (size_t)r->c->count, n = (size_t)r->c->n;
  size_t       most = 0, bytes;
  void        *p;
  for (int k = 0; k < 2; k++) {
    BF_TRY(bf_batch_work(be, kernels[r->how].room[k], &r->A, &bytes));
    most = bytes > most ? bytes : most;
  }
  BF_TRY(be->ops.alloc(be, most, &r->work));
  BF_TRY(be->ops.alloc(be, all * n * sizeof(double), &r->values));
  BF_TRY(be->ops.alloc(be, all * n * sizeof(bf_int), &p));
  r->ipiv = p;
  BF_TRY(be->ops.alloc(be, all * sizeof(bf_int), &p));
  r->info = p;
  return BF_OK;
}

static own_run run_of(bf_dense_case *c, int how)
{
  const bf_int n = c->n;
  own_run      r = {.c = c, .how = how};
  r.A = (bf_batch){.type = c->type, .n = n, .ld = n, .count = c->count, .stride = (int64_t)n * n, .a = c->a};
  if (c->work == BF_DENSE_PENCIL) r.A.stride *= 2;
  r.B = r.A;
  return r;
}

/* A backend without the operation has no row. */
static bf_err one(bf_dense_case *c, int how)
{
  own_run      r   = run_of(c, how);
  bf_bench_row row = bf_dense_case_row(c, kernels[how].name);
  bf_err       err = BF_OK;
  if (kernels[how].part != ALL) c->b->peer = c->b->best = 0.0;
  if (kernels[how].part == FACTORED) bf_dense_case_part(c, 2.0 / 3.0, &row);
  if (kernels[how].part == EVERY_OTHER) {
    bf_dense_case_part(c, 0.5, &row);
    BF_TRY(bf_dense_case_halve(c));
  }
  err = room(&r);
  if (err == BF_OK) err = prepare(&r);
  if (err == BF_OK) err = run(&r);
  if (err == BF_E_UNSUPPORTED) printf("  %-34s not on this backend\n", row.kernel);
  if (err == BF_E_UNSUPPORTED) goto done;
  BF_GO(err);
  const bf_dense_result result = {c->a, r.values, r.ipiv, r.info};
  BF_GO(bf_dense_case_error(c, &result, &row.error));
  BF_GO(bf_dense_case_failed(c, r.info, &row.failed));
  BF_GO(bf_bench_seconds_fresh(c->b->be, c->batches, prepare, run, &r, &row.seconds));
  bf_bench_show(c->b, &row);
done:
  release(&r);
  return err == BF_E_UNSUPPORTED ? BF_OK : err;
}

bf_err bf_dense_case_once(bf_dense_case *c)
{
  bf_err err = BF_OK;
  int    how = 0;
  while (kernels[how].work != c->work) how++;
  own_run r = run_of(c, how);
  BF_GO(room(&r));
  BF_GO(prepare(&r));
  BF_GO(run(&r));
  BF_GO(c->b->be->ops.sync(c->b->be));
done:
  release(&r);
  return err;
}

bf_err bf_dense_case_own(bf_dense_case *c)
{
  for (int k = 0; k < KERNELS; k++) {
    bf_dense_case part = *c;
    if (kernels[k].work != c->work) continue;
    if (kernels[k].part == HALF) part.count = (c->count + 1) / 2;
    BF_TRY(one(&part, k));
  }
  return BF_OK;
}
