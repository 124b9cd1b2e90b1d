/* solvers/eigen/lobpcg_block.c - see lobpcg.h: construction, orthonormalisation and update of S = [X P W]
 *
 * With S^T M S = 1 the vectors X' = S Cx and P' = S Cp are M-orthonormal where the coefficients are: Cp is Cx
 * of the active columns without their part in X, orthonormalised against Cx (Hetmaniuk and Lehoucq, 2006). W
 * is orthogonalised twice and orthonormalised by its Gram matrix; directions at rounding level are dropped
 * (Duersch et al., 2018).
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "solvers/eigen/lobpcg.h"
#include "solvers/eigen/orthonormal_basis.h"
#include <math.h>
#include <string.h>

static const double LEFT =
    1e-9; /* fraction of a direction's length outside X and P below which it is rounding */
static const double ALIGNED =
    1e-5; /* fraction of a direction's length outside the others of W below which it is dropped */
static const double AGAIN = 1e-2; /* fraction below which it is orthogonalised once more */

bf_err bf_lobpcg_create(bf_pencil *p, const bf_eigen_options *opt, const bf_operation *precond, int b,
                        bf_lobpcg_work *out)
{
  bf_err         err = BF_OK;
  bf_backend    *be  = p->be;
  const size_t   k = 3 * (size_t)b, n = (size_t)p->n;
  bf_lobpcg_work w    = {.p = p, .opt = opt, .precond = precond, .b = b};
  void          *diag = NULL, *dinv = NULL;
  *out = (bf_lobpcg_work){0};
  BF_GO(bf_columns_create(be, p->n, p->guard, 3 * b, &w.S));
  BF_GO(bf_columns_create(be, p->n, p->guard, 3 * b, &w.KS));
  BF_GO(bf_columns_create(be, p->n, p->guard, 3 * b, &w.MS));
  BF_GO(bf_columns_create(be, p->n, p->guard, 2 * b, &w.T));
  BF_GO(bf_ritz_create(be, 3 * b, &w.R));
  BF_GO(be->ops.alloc(be, k * k * sizeof(double), &w.small));
  BF_GO(BF_NEW_ARRAY(w.G, k * k));
  BF_GO(BF_NEW_ARRAY(w.C, k * k));
  BF_GO(BF_NEW_ARRAY(w.value, k));
  BF_GO(BF_NEW_ARRAY(w.before, b));
  BF_GO(BF_NEW_ARRAY(w.active, b));
  if (!precond) {
    BF_GO(be->ops.alloc(be, n * sizeof(double), &diag));
    BF_GO(be->ops.alloc(be, n * sizeof(double), &dinv));
    w.dinv = dinv;
    BF_GO(bf_matrix_diagonal(p->K, diag));
    BF_GO(BF_OP(be, vector.reciprocal, p->n, diag, w.dinv));
  }
  *out = w;
  w    = (bf_lobpcg_work){.p = p};
done:
  be->ops.release(be, diag);
  bf_lobpcg_release(&w);
  return err;
}

void bf_lobpcg_release(bf_lobpcg_work *w)
{
  bf_columns_release(&w->S);
  bf_columns_release(&w->KS);
  bf_columns_release(&w->MS);
  bf_columns_release(&w->T);
  bf_ritz_release(&w->R);
  if (w->p) w->p->be->ops.release(w->p->be, w->small);
  if (w->p) w->p->be->ops.release(w->p->be, w->dinv);
  bf_host_free(w->G);
  bf_host_free(w->C);
  bf_host_free(w->value);
  bf_host_free(w->before);
  bf_host_free(w->active);
  *w = (bf_lobpcg_work){0};
}

/* G[k][l] on the host = X^T Y. */
static bf_err gram(const bf_lobpcg_work *w, int k, const double *X, int l, const double *Y, double *G)
{
  bf_backend *be = w->p->be;
  BF_TRY(BF_OP(be, vector.columns_dot, w->p->n, k, X, w->S.ld, l, Y, w->S.ld, w->small));
  BF_TRY(be->ops.copy(be, G, w->small, (size_t)k * (size_t)l * sizeof *G, BF_TO_HOST));
  return be->ops.sync(be);
}

/* The first `kept` columns from `first` of Q = their combinations; C is in w->small. */
static bf_err turn_one(bf_lobpcg_work *w, const bf_columns *Q, int first, int count, int kept)
{
  bf_backend *be = w->p->be;
  BF_TRY(BF_OP(be, vector.columns_combine, Q->n, count, bf_column(Q, first), Q->ld, kept, w->small, 0.0,
               w->T.a, w->T.ld));
  for (int j = 0; j < kept; j++)
    BF_TRY(be->ops.copy(be, bf_column(Q, first + j), bf_column(&w->T, j), (size_t)Q->n * sizeof(double),
                        BF_WITHIN));
  return BF_OK;
}

bf_err bf_lobpcg_turn(bf_lobpcg_work *w, int first, int count, int kept, const double *C)
{
  bf_backend *be = w->p->be;
  BF_CHECK(kept <= w->T.count, BF_E_ARG, "%d columns into %d", kept, w->T.count);
  BF_TRY(be->ops.copy(be, w->small, C, (size_t)count * (size_t)kept * sizeof *C, BF_TO_DEVICE));
  BF_TRY(turn_one(w, &w->S, first, count, kept));
  BF_TRY(turn_one(w, &w->KS, first, count, kept));
  BF_TRY(turn_one(w, &w->MS, first, count, kept));
  return be->ops.sync(be); /* C may change */
}

static void unit(int n, double *C)
{
  memset(C, 0, (size_t)n * (size_t)n * sizeof *C);
  for (int i = 0; i < n; i++) C[(size_t)i * (size_t)(n + 1)] = 1.0;
}

bf_err bf_lobpcg_refresh(bf_lobpcg_work *w)
{
  BF_TRY(bf_columns_product(w->p->K, &w->S, 0, w->b, &w->KS, 0));
  BF_TRY(bf_columns_product(w->p->M, &w->S, 0, w->b, &w->MS, 0));
  w->p->products += w->b;
  return BF_OK;
}

bf_err bf_lobpcg_start(bf_lobpcg_work *w)
{
  const bf_eigen_options *opt  = w->opt;
  const size_t            n    = (size_t)w->p->n;
  int                     kept = 0, seed = 0;
  for (int tries = 0; tries < 4 && kept < w->b; tries++) {
    for (int j = kept; j < w->b; j++) {
      const int given = tries == 0 && j < opt->nnear;
      BF_TRY(bf_pencil_start(w->p, given ? opt->near_null + (size_t)j * n : NULL, seed++, &w->S, j));
    }
    for (int pass = 0; pass < 2;
         pass++) { /* the second pass removes the rounding errors of the first Gram matrix */
      int more = 0;
      BF_TRY(bf_lobpcg_refresh(w));
      const int count = pass == 0 ? w->b : kept;
      BF_TRY(gram(w, count, w->S.a, count, w->MS.a, w->G));
      unit(count, w->C);
      BF_TRY(bf_basis_extend(count, w->G, 0, count, ALIGNED, w->C, &more));
      kept = more;
      BF_TRY(bf_lobpcg_turn(w, 0, count, kept, w->C));
    }
  }
  BF_CHECK(kept == w->b, BF_E_INTERNAL, "only %d of %d start vectors are linearly independent", kept, w->b);
  BF_TRY(bf_lobpcg_refresh(w));
  w->np = w->nw = 0;
  return BF_OK;
}

/* Columns from `at` on: T (K X - lambda M X) of the active columns. */
static bf_err residuals(bf_lobpcg_work *w, int at)
{
  bf_backend  *be = w->p->be;
  const bf_int n  = w->p->n;
  for (int j = 0; j < w->nactive; j++) {
    const int i = w->active[j];
    double   *r = bf_column(w->precond ? &w->KS : &w->S, at + j);
    BF_TRY(be->ops.copy(be, r, bf_column(&w->KS, i), (size_t)n * sizeof(double), BF_WITHIN));
    BF_TRY(BF_OP(be, vector.axpby, n, -w->value[i], bf_column(&w->MS, i), 1.0, r));
    if (w->precond) BF_TRY(w->precond->apply(w->precond->M, 0, r, bf_column(&w->S, at + j), NULL));
  }
  if (!w->precond)
    BF_TRY(BF_OP(be, vector.columns_scale, n, w->nactive, w->dinv, bf_column(&w->S, at), w->S.ld,
                 bf_column(&w->S, at), w->S.ld));
  return BF_OK;
}

/* W -= [X P] [MX MP]^T W; adds the squares of the removed parts to before[]. */
static bf_err clear_of(bf_lobpcg_work *w, int at, int count)
{
  bf_backend *be = w->p->be;
  BF_TRY(gram(w, at, w->MS.a, count, bf_column(&w->S, at), w->G));
  for (int j = 0; j < count; j++)
    for (int i = 0; i < at; i++) {
      double *g = &w->G[(size_t)j * (size_t)at + (size_t)i];
      w->before[j] += *g * *g;
      *g = -*g;
    }
  BF_TRY(be->ops.copy(be, w->small, w->G, (size_t)at * (size_t)count * sizeof(double), BF_TO_DEVICE));
  BF_TRY(BF_OP(be, vector.columns_combine, w->p->n, at, w->S.a, w->S.ld, count, w->small, 1.0,
               bf_column(&w->S, at), w->S.ld));
  return be->ops.sync(be);
}

/* The `count` columns of W orthonormal to X, P and each other, with M W; *kept of them remain; *left:
 * smallest remaining fraction of one. */
static bf_err orthonormal(bf_lobpcg_work *w, int at, int count, int *kept, double *left)
{
  bf_backend *be   = w->p->be;
  int         some = 0;
  *left            = 1.0;
  for (int j = 0; j < count; j++) w->before[j] = 0.0;
  for (int pass = 0; pass < 2; pass++) BF_TRY(clear_of(w, at, count));
  BF_TRY(bf_columns_product(w->p->M, &w->S, at, count, &w->MS, at));
  BF_TRY(gram(w, count, bf_column(&w->S, at), count, bf_column(&w->MS, at), w->G));
  memset(w->C, 0, (size_t)count * (size_t)count * sizeof *w->C);
  for (int j = 0; j < count; j++) { /* those that are not rounding */
    const double g = w->G[(size_t)j * (size_t)(count + 1)], part = sqrt(g / (g + w->before[j]));
    if (!(part > LEFT)) continue;
    w->C[(size_t)some++ * (size_t)count + (size_t)j] = 1.0;
    *left                                            = fmin(*left, part);
  }
  BF_TRY(bf_basis_extend(count, w->G, 0, some, ALIGNED, w->C, kept));
  if (*kept == 0) return BF_OK;
  BF_TRY(be->ops.copy(be, w->small, w->C, (size_t)count * (size_t)*kept * sizeof(double), BF_TO_DEVICE));
  BF_TRY(turn_one(w, &w->S, at, count, *kept));
  BF_TRY(turn_one(w, &w->MS, at, count, *kept));
  return be->ops.sync(be);
}

bf_err bf_lobpcg_search(bf_lobpcg_work *w)
{
  const int at    = w->b + w->np;
  int       count = w->nactive;
  double    left  = 0.0;
  BF_TRY(residuals(w, at));
  for (int pass = 0; pass < 3 && left < AGAIN && count > 0; pass++)
    BF_TRY(orthonormal(w, at, count, &count, &left));
  w->nw = count;
  w->p->products += count;
  return bf_columns_product(w->p->K, &w->S, at, count, &w->KS, at);
}

/* Coefficients of P after those of X in C[k][..]; returns their number. */
static bf_err directions(bf_lobpcg_work *w, int k, int *np)
{
  const size_t K = (size_t)k, b = (size_t)w->b;
  for (int j = 0; j < w->nactive; j++) {
    double *c = w->C + (b + (size_t)j) * K;
    memcpy(c, w->C + (size_t)w->active[j] * K, K * sizeof *c);
    memset(c, 0, b * sizeof *c);
  }
  unit(k, w->G);
  return bf_basis_extend(k, w->G, w->b, w->nactive, ALIGNED, w->C, np);
}

/* W takes the place of P. */
static bf_err forget_directions(bf_lobpcg_work *w)
{
  const bf_columns *Q[] = {&w->S, &w->KS, &w->MS};
  for (int q = 0; q < 3; q++)
    for (int j = 0; j < w->nw; j++)
      BF_TRY(w->p->be->ops.copy(w->p->be, bf_column(Q[q], w->b + j), bf_column(Q[q], w->b + w->np + j),
                                (size_t)w->p->n * sizeof(double), BF_WITHIN));
  w->np = 0;
  return BF_OK;
}

bf_err bf_lobpcg_project(bf_lobpcg_work *w, bf_int *info)
{
  bf_backend *be = w->p->be;
  int         k = w->b + w->np + w->nw, np = 0;
  BF_TRY(bf_ritz_solve(&w->R, k, &w->S, &w->KS, &w->MS, w->value, info));
  if (*info != 0 && w->np > 0) {
    BF_TRY(forget_directions(w));
    k = w->b + w->nw;
    BF_TRY(bf_ritz_solve(&w->R, k, &w->S, &w->KS, &w->MS, w->value, info));
  }
  if (*info != 0) { /* X only, recomputed */
    BF_TRY(bf_lobpcg_refresh(w));
    k = w->b;
    BF_TRY(bf_ritz_solve(&w->R, k, &w->S, &w->KS, &w->MS, w->value, info));
    w->nactive = 0;
  }
  if (*info != 0) return BF_OK;
  BF_TRY(be->ops.copy(be, w->C, w->R.A, (size_t)k * (size_t)w->b * sizeof *w->C, BF_TO_HOST));
  BF_TRY(be->ops.sync(be));
  BF_TRY(directions(w, k, &np));
  BF_TRY(bf_lobpcg_turn(w, 0, k, w->b + np, w->C));
  w->np = np;
  w->nw = 0;
  return BF_OK;
}
