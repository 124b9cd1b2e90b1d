/* app/bench/krylov_iteration.c - seconds of one iteration of our solvers, many queued between two waits for
 * the device, and how far the residual they carry along has drifted
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "app/bench/bench.h"
#include "base/memory.h"
#include "base/timer.h"
#include "kernels/krylov/steps.h"
#include <math.h>
#include <stdlib.h>

enum { LEAST = 10, MOST = 1000, TRIALS = 5, VECTORS = 6 };
enum { R, R0, P, V, T, Y0 };
static const double TRIAL_SECONDS = 0.1;

typedef struct iteration {
  const bf_matrix  *A;
  bf_method         method;
  int               apart;
  const double     *rhs;
  double           *x, *v[VECTORS];
  bf_krylov_state  *state;
  bf_krylov_sample *history; /* [MOST + LEAST + 1] */
} iteration;

/* One product and one step after the other, whatever the backend can do at once. */
static bf_err one_by_one(const iteration *k, int count)
{
  bf_backend    *be = k->A->be;
  const bf_int   n  = k->A->nrows;
  double *const *v  = k->v;
  for (int i = 0; i < count; i++) {
    BF_TRY(bf_matrix_spmv(k->A, v[P], v[V], v[k->method == BF_METHOD_CG ? P : R0], k->state->dot));
    if (k->method == BF_METHOD_CG) {
      BF_TRY(BF_OP(be, krylov.cg_move, n, k->x, v[R], v[P], v[V], NULL, k->state, k->history));
      continue;
    }
    BF_TRY(BF_OP(be, krylov.bicgstab_middle, n, v[R], v[V], NULL, v[R], k->state));
    BF_TRY(bf_matrix_spmv(k->A, v[R], v[T], v[R], k->state->dot));
    BF_TRY(BF_OP(be, krylov.bicgstab_move, n, k->x, v[R], v[P], v[P], v[R0], v[R], v[V], v[T], NULL, k->state,
                 k->history));
  }
  return BF_OK;
}

static bf_bicgstab_work stabilised(const iteration *k)
{
  double *const *v = k->v;
  return (bf_bicgstab_work){.x       = k->x,
                            .r       = v[R],
                            .r0      = v[R0],
                            .p       = v[P],
                            .v       = v[V],
                            .t       = v[T],
                            .ph      = v[P],
                            .rh      = v[R],
                            .y0      = !k->apart && bf_bicgstab_has_early_alpha(k->A) ? v[Y0] : NULL,
                            .state   = k->state,
                            .history = k->history};
}

static bf_err begin(const iteration *k)
{
  if (k->method == BF_METHOD_CG)
    return BF_OP(k->A->be, krylov.cg_begin, k->A->nrows, k->v[R], NULL, k->v[P], k->state, k->history);
  const bf_bicgstab_work w = stabilised(k);
  return bf_bicgstab_start(k->A, &w);
}

static bf_err steps(const iteration *k, int count)
{
  double *const *v = k->v;
  if (k->apart) return one_by_one(k, count);
  if (k->method == BF_METHOD_CG)
    return bf_cg_steps(k->A, &(bf_cg_work){k->x, v[R], v[P], v[V], NULL, k->state, k->history, NULL}, count);
  const bf_bicgstab_work w = stabilised(k);
  return bf_bicgstab_steps(k->A, &w, count);
}

/* Seconds of `count` iterations after LEAST others, INFINITY where they are not all there; r.r at the end. */
static bf_err trial(const iteration *k, int count, double *seconds, double *rr)
{
  bf_backend     *be    = k->A->be;
  const bf_int    n     = k->A->nrows;
  bf_krylov_state state = {.limit = LEAST + count};
  BF_TRY(be->ops.copy(be, k->state, &state, sizeof state, BF_TO_DEVICE));
  BF_TRY(be->ops.zero(be, k->x, (size_t)n * sizeof(double)));
  BF_TRY(be->ops.copy(be, k->v[R], k->rhs, (size_t)n * sizeof(double), BF_WITHIN));
  BF_TRY(begin(k));
  BF_TRY(steps(k, LEAST));
  BF_TRY(be->ops.sync(be));
  const double start = bf_seconds();
  BF_TRY(steps(k, count));
  BF_TRY(be->ops.sync(be));
  *seconds = bf_seconds() - start;
  BF_TRY(be->ops.copy(be, &state, k->state, sizeof state, BF_TO_HOST));
  if (state.iteration < LEAST + count) *seconds = INFINITY;
  *rr = state.rr;
  return BF_OK;
}

bf_err bf_bench_drift(const bf_matrix *A, const double *rhs, const double *x, double rr, double *error)
{
  bf_err      err = BF_OK;
  bf_backend *be  = A->be;
  double     *y   = NULL, square[2];
  void       *dot = NULL;
  BF_GO(bf_vector_create(be, A->nrows, A->guard, &y));
  BF_GO(be->ops.alloc(be, sizeof square, &dot));
  BF_GO(bf_matrix_spmv(A, x, y, NULL, NULL));
  BF_GO(BF_OP(be, vector.axpby, A->nrows, 1.0, rhs, -1.0, y));
  BF_GO(BF_OP(be, vector.dot, A->nrows, y, y, dot));
  BF_GO(BF_OP(be, vector.dot, A->nrows, rhs, rhs, (double *)dot + 1));
  BF_GO(be->ops.copy(be, square, dot, sizeof square, BF_TO_HOST));
  const double drift = fabs(sqrt(square[0]) - sqrt(rr)) / sqrt(square[1]);
  *error             = isfinite(drift) ? drift : -1.0;
done:
  be->ops.release(be, dot);
  bf_vector_destroy(be, A->guard, &y);
  return err;
}

static int by_size(const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

bf_err bf_bench_iteration(const bf_matrix *A, bf_method method, int apart, const double *rhs, double *seconds,
                          double *error)
{
  bf_err      err     = BF_OK;
  bf_backend *be      = A->be;
  iteration   k       = {.A = A, .method = method, .apart = apart, .rhs = rhs};
  void       *state   = NULL;
  void       *history = NULL;
  double      t[TRIALS], rr;
  BF_GO(bf_vector_create(be, A->nrows, A->guard, &k.x));
  for (int i = 0; i < VECTORS; i++) BF_GO(bf_vector_create(be, A->nrows, A->guard, &k.v[i]));
  BF_GO(be->ops.alloc(be, sizeof *k.state, &state));
  BF_GO(be->ops.alloc(be, BF_KRYLOV_SAMPLES * sizeof *k.history, &history));
  k.state   = state;
  k.history = history;
  BF_GO(trial(&k, LEAST, &t[0], &rr));
  const double want  = TRIAL_SECONDS * LEAST / t[0];
  int          count = want > MOST ? MOST : want > LEAST ? (int)want : LEAST;
  BF_GO(trial(&k, count, &t[0], &rr));
  while (!isfinite(t[0]) && count > LEAST) { /* a small system is solved, to the last bit, before that */
    count = count / 2 > LEAST ? count / 2 : LEAST;
    BF_GO(trial(&k, count, &t[0], &rr));
  }
  for (int i = 1; i < TRIALS; i++) BF_GO(trial(&k, count, &t[i], &rr));
  qsort(t, TRIALS, sizeof *t, by_size);
  *seconds = t[TRIALS / 2] / count;
  BF_GO(bf_bench_drift(A, rhs, k.x, rr, error));
done:
  be->ops.release(be, history);
  be->ops.release(be, state);
  for (int i = 0; i < VECTORS; i++) bf_vector_destroy(be, A->guard, &k.v[i]);
  bf_vector_destroy(be, A->guard, &k.x);
  return err;
}
