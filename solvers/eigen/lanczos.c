/* solvers/eigen/lanczos.c - see lanczos.h
 *
 * A thick restart keeps the best Ritz vectors Y and the columns not multiplied yet (waiting): H becomes
 *
 *     diag(theta)  in the first rows,  H(waiting rows) Y  below,
 *
 * and the columns of the waiting vectors follow from their products (Wu and Simon, 2000). A product that adds
 * no direction to V narrows the block; if no column waits, V is invariant and is extended by random vectors
 * until it has enough columns or spans the space.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "solvers/eigen/lanczos.h"
#include "base/memory.h"
#include "base/timer.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  BLOCK = 4,  /* start vectors: multiple eigenvalues are found together */
  MORE  = 30, /* columns beyond twice the wanted pairs */
  LOOK  = 5   /* steps between solutions of T */
};
static const double NOTHING = 1e-13; /* remaining fraction of a product's length below which it lies in V */
static const double ROUNDED = 2e-15; /* of the largest theta: level below which residuals are rounding */
enum { STALL = 10 };                 /* restarts that do not halve the largest residual */

void bf_lanczos_release(bf_lanczos *L)
{
  bf_columns_release(&L->V);
  bf_columns_release(&L->MV);
  bf_columns_release(&L->spare);
  bf_host_free(L->H);
  bf_host_free(L->T);
  bf_host_free(L->B);
  bf_host_free(L->theta);
  bf_host_free(L->gap);
  bf_host_free(L->c);
  bf_host_free(L->order);
  bf_host_free(L->work);
  *L = (bf_lanczos){0};
}

static bf_batch small(bf_lanczos *L)
{
  return (bf_batch){.type = BF_D, .n = L->a > 0 ? L->a : L->most, .ld = L->most, .count = 1, .a = L->T};
}

int64_t bf_lanczos_columns(int want, int nstart)
{
  return 2 * (int64_t)want + MORE + nstart + BLOCK;
}

bf_err bf_lanczos_create(bf_pencil *p, int want, int nstart, bf_lanczos *out)
{
  const int64_t most = bf_lanczos_columns(want, nstart);
  bf_lanczos    L    = {.pencil = p, .want = want, .block = BLOCK + nstart};
  size_t        bytes;
  L.most             = (int)(most < p->massive ? most : p->massive);
  const size_t   m   = (size_t)L.most;
  const bf_batch T   = small(&L);
  bf_err         err = BF_OK;
  BF_CHECK(want >= 1 && want <= p->massive, BF_E_ARG, "%d pairs", want);
  *out = (bf_lanczos){0};
  BF_GO(bf_columns_create(p->be, p->n, p->guard, L.most, &L.V));
  BF_GO(bf_columns_create(p->be, p->n, p->guard, L.most, &L.MV));
  BF_GO(bf_columns_create(p->be, p->n, p->guard, L.most, &L.spare));
  BF_GO(BF_NEW_ARRAY(L.H, m * m));
  BF_GO(BF_NEW_ARRAY(L.T, m * m));
  BF_GO(BF_NEW_ARRAY(L.B, (size_t)L.block * m));
  BF_GO(BF_NEW_ARRAY(L.theta, m));
  BF_GO(BF_NEW_ARRAY(L.gap, m));
  BF_GO(BF_NEW_ARRAY(L.c, m));
  BF_GO(BF_NEW_ARRAY(L.order, m));
  BF_GO(bf_batch_work(p->be, BF_HEEV, &T, &bytes));
  L.work = bf_host_alloc(bytes, 1);
  BF_NEED(L.work, BF_E_MEMORY, "no memory for %d Ritz values", L.most);
  *out = L;
  L    = (bf_lanczos){0};
done:
  bf_lanczos_release(&L);
  return err;
}

/* Orthonormalises column p of V against those before it, with M V; unless h is NULL, h[0..p) += its
 * coefficients and h[p] = its length. *kept: 0 = the column is dependent. */
static bf_err append(bf_lanczos *L, double *h, int *kept)
{
  bf_pencil   *p  = L->pencil;
  bf_backend  *be = p->be;
  const bf_int n  = p->n;
  double      *v = bf_column(&L->V, L->p), *mv = bf_column(&L->MV, L->p), before = 0.0, after = 0.0;
  for (int pass = 0; pass < 2; pass++) {
    BF_TRY(BF_OP(be, vector.columns_dot, n, L->p, L->MV.a, L->MV.ld, 1, v, L->V.ld, L->c));
    for (int i = 0; i < L->p; i++) {
      if (h) h[i] += L->c[i];
      L->c[i] = -L->c[i];
    }
    BF_TRY(BF_OP(be, vector.columns_combine, n, L->p, L->V.a, L->V.ld, 1, L->c, 1.0, v, L->V.ld));
    if (pass == 0)
      for (int i = 0; i < L->p; i++) before += L->c[i] * L->c[i];
  }
  BF_TRY(bf_matrix_spmv(p->M, v, mv, NULL, NULL));
  BF_TRY(BF_OP(be, vector.dot, n, v, mv, &after));
  after  = sqrt(fmax(after, 0.0));
  before = sqrt(before + after * after);
  *kept  = after > NOTHING * before;
  if (!*kept) return BF_OK;
  if (h) h[L->p] = after;
  BF_TRY(BF_OP(be, vector.axpby, n, 0.0, v, 1.0 / after, v));
  BF_TRY(BF_OP(be, vector.axpby, n, 0.0, mv, 1.0 / after, mv));
  L->p++;
  return BF_OK;
}

/* v = C x for the column of M x. */
static bf_err multiply(bf_lanczos *L, const double *mx, double *v)
{
  memset(v, 0, (size_t)L->pencil->n * sizeof *v);
  L->solves++;
  return bf_factors_add(L->F, mx, v);
}

/* Another vector: given, or random; C is applied to it, so that V is smooth. */
static bf_err another(bf_lanczos *L, const double *given, int *kept)
{
  const bf_columns *V = &L->V;
  *kept               = 0;
  for (int tries = 0; tries < 3 && !*kept && L->p < L->most; tries++) {
    BF_TRY(bf_pencil_start(L->pencil, given, L->seed++, V, L->p));
    BF_TRY(bf_matrix_spmv(L->pencil->M, bf_column(V, L->p), bf_column(&L->MV, L->p), NULL, NULL));
    BF_TRY(multiply(L, bf_column(&L->MV, L->p), bf_column(V, L->p)));
    BF_TRY(append(L, NULL, kept));
    if (given) return BF_OK;
  }
  return BF_OK;
}

bf_err bf_lanczos_begin(bf_lanczos *L, const bf_factors *F, int nstart, const double *start)
{
  int          kept;
  const size_t m = (size_t)L->most;
  L->F           = F;
  L->a = L->p = L->ritz = L->restarts = 0;
  memset(L->H, 0, m * m * sizeof *L->H);
  for (int i = 0; i < nstart && L->p < L->most; i++)
    BF_TRY(another(L, start + (size_t)i * (size_t)L->pencil->n, &kept));
  for (int i = 0; i < BLOCK && L->p < L->most; i++) BF_TRY(another(L, NULL, &kept));
  return BF_OK;
}

/* One product; false *more: V is complete. */
static bf_err step(bf_lanczos *L, int *more)
{
  double *h = L->H + (size_t)L->a * (size_t)L->most;
  int     kept;
  *more = 1;
  if (L->a == L->p) {
    BF_TRY(another(L, NULL, &kept));
    *more = kept;
    if (!kept) return BF_OK;
  }
  if (L->p < L->most) {
    BF_TRY(multiply(L, bf_column(&L->MV, L->a), bf_column(&L->V, L->p)));
    BF_TRY(append(L, h, &kept));
  } else { /* V is full only if it spans the space; the spare column takes the product */
    double *v = bf_column(&L->spare, 0);
    BF_TRY(multiply(L, bf_column(&L->MV, L->a), v));
    BF_TRY(BF_OP(L->pencil->be, vector.columns_dot, L->pencil->n, L->p, L->MV.a, L->MV.ld, 1, v, L->spare.ld,
                 h));
  }
  L->a++;
  return BF_OK;
}

typedef struct ranked {
  double size;
  int    index;
} ranked;

static int falling(const void *a, const void *b)
{
  const ranked *x = a, *y = b;
  if (x->size != y->size) return x->size < y->size ? 1 : -1;
  return x->index - y->index;
}

/* Ritz pairs of the first a columns; *done: number of wanted ones that have converged. */
static bf_err check_convergence(bf_lanczos *L, double tol, int *done, double *worst, int *finite)
{
  bf_err            err  = BF_OK;
  const size_t      m    = (size_t)L->most;
  const int         a    = L->a;
  const bf_heev_how how  = {.vectors = 1, .uplo = BF_LOWER};
  const bf_batch    T    = small(L);
  ranked           *rank = NULL;
  bf_int            info;
  for (int j = 0; j < a; j++)
    for (int i = j; i < a; i++)
      L->T[(size_t)j * m + (size_t)i] =
          0.5 * (L->H[(size_t)j * m + (size_t)i] + L->H[(size_t)i * m + (size_t)j]);
  BF_GO(bf_heev_batch(L->pencil->be, &how, &T, L->theta, &info, L->work));
  *finite = info == 0;
  *done   = 0;
  *worst  = 0.0;
  L->ritz = a;
  if (!*finite) goto done;
  BF_GO(BF_NEW_ARRAY(rank, a));
  for (int i = 0; i < a; i++) rank[i] = (ranked){fabs(L->theta[i]), i};
  qsort(rank, (size_t)a, sizeof *rank, falling);
  for (int k = 0; k < a; k++) {
    const double *y = L->T + (size_t)rank[k].index * m;
    double        s = 0.0;
    for (int r = a; r < L->p; r++) {
      double t = 0.0;
      for (int j = 0; j < a; j++) t += L->H[(size_t)j * m + (size_t)r] * y[j];
      s += t * t;
    }
    L->order[k]           = rank[k].index;
    L->gap[rank[k].index] = sqrt(s);
    if (k >= L->want) continue;
    *done += sqrt(s) <= fmax(tol * rank[k].size, ROUNDED * rank[0].size);
    *worst = fmax(*worst, sqrt(s) / rank[k].size);
  }
done:
  bf_host_free(rank);
  return err;
}

/* Columns of Q, k of them chosen by `order`, times those of V (or MV), through the spare columns. */
static bf_err turn(bf_lanczos *L, int keep, const bf_columns *Q)
{
  bf_backend  *be   = L->pencil->be;
  const int    wait = L->p - L->a;
  const size_t m = (size_t)L->most, column = (size_t)L->pencil->n * sizeof(double);
  for (int k = 0; k < keep; k++)
    BF_TRY(BF_OP(be, vector.columns_combine, Q->n, L->a, Q->a, Q->ld, 1, L->T + (size_t)L->order[k] * m, 0.0,
                 bf_column(&L->spare, k), L->spare.ld));
  for (int r = 0; r < wait; r++)
    BF_TRY(be->ops.copy(be, bf_column(&L->spare, keep + r), bf_column(Q, L->a + r), column, BF_WITHIN));
  for (int k = 0; k < keep + wait; k++)
    BF_TRY(be->ops.copy(be, bf_column(Q, k), bf_column(&L->spare, k), column, BF_WITHIN));
  return BF_OK;
}

/* Reduces V to the best Ritz vectors and the waiting columns. */
static bf_err restart(bf_lanczos *L)
{
  const size_t m    = (size_t)L->most;
  const int    wait = L->p - L->a;
  int          keep = L->want + (L->a - L->want) / 2;
  if (keep > L->a - wait) keep = L->a - wait;
  for (int r = 0; r < wait; r++) /* B = H(waiting rows) Y, in the rows of the following columns */
    for (int k = 0; k < keep; k++) {
      const double *y = L->T + (size_t)L->order[k] * m;
      double        t = 0.0;
      for (int j = 0; j < L->a; j++) t += L->H[(size_t)j * m + (size_t)(L->a + r)] * y[j];
      L->B[(size_t)r * m + (size_t)k] = t;
    }
  BF_TRY(turn(L, keep, &L->V));
  BF_TRY(turn(L, keep, &L->MV));
  memset(L->H, 0, m * m * sizeof *L->H);
  for (int k = 0; k < keep; k++) {
    L->H[(size_t)k * m + (size_t)k] = L->theta[L->order[k]];
    for (int r = 0; r < wait; r++) L->H[(size_t)k * m + (size_t)(keep + r)] = L->B[(size_t)r * m + (size_t)k];
  }
  L->a = keep;
  L->p = keep + wait;
  L->restarts++;
  return BF_OK;
}

static void tell(const bf_lanczos *L, const bf_eigen_options *opt, double start, int done, double worst)
{
  if (!opt->monitor) return;
  const bf_eigen_progress p = {.iteration = L->restarts,
                               .limit     = opt->max_iterations,
                               .converged = done < opt->pairs ? done : opt->pairs,
                               .pairs     = opt->pairs,
                               .residual  = worst,
                               .seconds   = bf_seconds() - start};
  opt->monitor(opt->context, &p);
}

bf_err bf_lanczos_run(bf_lanczos *L, double tol, const bf_eigen_options *opt, double start,
                      bf_eigen_reason *reason)
{
  int    more = 1, done = 0, finite = 1, last = 0;
  double best = INFINITY, worst;
  for (;;) {
    const int full = L->p == L->most && L->most < L->pencil->massive;
    if (!full) BF_TRY(step(L, &more));
    const int end = full || !more || (L->a == L->p && L->p == L->pencil->massive);
    BF_CHECK(more || L->a >= L->want, BF_E_INTERNAL, "%d vectors for a basis of %d", L->a, L->want);
    if (L->a < L->want || (!end && (L->a - L->want) % LOOK != 0)) continue;
    BF_TRY(check_convergence(L, tol, &done, &worst, &finite));
    tell(L, opt, start, done, worst);
    *reason = !finite ? BF_EIGEN_NAN : BF_EIGEN_CONVERGED;
    if (!finite || done == L->want || (end && !full)) return BF_OK;
    if (!full) continue;
    if (worst <= 0.5 * best) best = worst, last = L->restarts;
    *reason = L->restarts - last >= STALL ? BF_EIGEN_STAGNATION : BF_EIGEN_LIMIT;
    if (*reason == BF_EIGEN_STAGNATION || L->restarts >= opt->max_iterations) return BF_OK;
    BF_TRY(restart(L));
  }
}

bf_err bf_lanczos_vectors(bf_lanczos *L, const bf_columns *X)
{
  const size_t m = (size_t)L->most;
  for (int k = 0; k < L->want; k++)
    BF_TRY(BF_OP(L->pencil->be, vector.columns_combine, X->n, L->ritz, L->V.a, L->V.ld, 1,
                 L->T + (size_t)L->order[k] * m, 0.0, bf_column(X, k), X->ld));
  return BF_OK;
}
