/* tests/t344_fused.c - iterations queued as a whole (krylov_steps.h): the plain iteration in long double, the
 * same bits however they are cut into calls, and every way to end
 * usage: t344_fused <backend> */
#include "kernels/krylov_steps.h"
#include "tests/backend.h"
#include "tests/reference/dense.h"
#include <math.h>

enum { LIMIT = 60, SHOWN = 5, X = 0, R, P, Q, R0, T, PH, RH, DINV, VECTORS };

/* ---- matrices: blocks of D x D on node diagonals, values that fp32 holds exactly ---- */

typedef struct shape {
  const char *name;
  bf_int      nodes;
  int         D;
  bf_int      off[8]; /* positive offsets, ascending, ended by 0 */
  bf_int      run;    /* or all of 1 .. run */
} shape;

/* Few rows: what a checker of races can follow.  Beyond the chip: a diagonal too far or too many rows for it.
 */
static const shape shapes[] = {
    {"one row", 1, 1, {0}, 0},
    {"two rows", 2, 1, {1, 0}, 0},
    {"one block's rows", 33, 1, {1, 5, 0}, 0},
    {"windows over several blocks", 701, 1, {0}, 20},
    {"two components", 601, 2, {1, 2, 9, 40, 0}, 0},
    {"three components", 403, 3, {1, 30, 31, 0}, 0},
    {"band of the paper, shorter", 17003, 1, {0}, 50},
    {"far diagonals", 20011, 1, {1, 26, 27, 28, 700, 701, 0}, 0},
    {"two components, beyond the chip", 4301, 2, {1, 7, 4200, 0}, 0},
    {"three components, beyond the chip", 3001, 3, {1, 2900, 0}, 0},
    {"beyond the chip", 67001, 1, {1, 8300, 0}, 0},
    {"a band, beyond the chip", 140001, 1, {0}, 2},
    {"threes, beyond the chip", 67010, 1, {1, 8299, 8300, 8301, 0}, 0},
};
enum { SEVERAL = 2, WINDOWS = 3, MANY = 6, BEYOND = 8, SHAPES = sizeof shapes / sizeof *shapes };

/* The shapes [first, last) of a claim. */
typedef struct range {
  int first, last;
} range;
static const range one_or_two = {0, SEVERAL}, few = {SEVERAL, MANY}, many = {MANY, BEYOND},
                   too_many = {BEYOND, SHAPES};

/* claim##_on_##of##_rows: a claim about some of the shapes is a test. */
#define ON_ROWS(claim, of)                                                                                   \
  static void claim##_on_##of##_rows(void **state)                                                           \
  {                                                                                                          \
    (void)state;                                                                                             \
    claim(of);                                                                                               \
  }
#define ON_ALL_ROWS(claim) ON_ROWS(claim, few) ON_ROWS(claim, many) ON_ROWS(claim, too_many)
#define TESTS(claim)                                                                                         \
  cmocka_unit_test(claim##_on_few_rows), cmocka_unit_test(claim##_on_many_rows),                             \
      cmocka_unit_test(claim##_on_too_many_rows)

static double value(int64_t i, int64_t j, int unsymmetric)
{
  const int64_t lo = unsymmetric ? i : i < j ? i : j, hi = unsymmetric ? j : i < j ? j : i;
  uint64_t      h = (uint64_t)lo * 0x9E3779B97F4A7C15u ^ (uint64_t)hi * 0xC2B2AE3D27D4EB4Fu;
  h ^= h >> 29;
  h *= 0xBF58476D1CE4E5B9u;
  return ((double)(h >> 56) - 128.0) / 128.0; /* 8 bits */
}

/* Rows dominated by the diagonal where `shift` > 0. */
static bf_sparse *make(const shape *s, int unsymmetric, double shift)
{
  bf_int off[128];
  int    count = 0;
  for (bf_int k = 1; k <= s->run; k++) off[count++] = k;
  for (int k = 0; s->off[k] > 0; k++) off[count++] = s->off[k];
  const bf_int n    = s->nodes * s->D;
  const size_t most = (size_t)n * (size_t)((2 * count + 1) * s->D);
  bf_int      *row = malloc(most * sizeof *row), *col = malloc(most * sizeof *col);
  double      *val = malloc(most * sizeof *val);
  int64_t      nnz = 0;
  for (bf_int i = 0; i < n; i++) {
    double  sum  = 0.0;
    int64_t diag = 0;
    for (int k = -count; k <= count; k++) {
      const bf_int node = i / s->D + (k < 0 ? -off[-k - 1] : k > 0 ? off[k - 1] : 0);
      if (node < 0 || node >= s->nodes) continue;
      for (int b = 0; b < s->D; b++, nnz++) {
        row[nnz] = i;
        col[nnz] = node * s->D + b;
        val[nnz] = value(i, col[nnz], unsymmetric);
        if (col[nnz] == i)
          diag = nnz;
        else
          sum += fabs(val[nnz]);
      }
    }
    val[diag] = ceil(4.0 * sum) / 4.0 + shift * (1.0 + (double)(i % 5));
  }
  bf_sparse *S = NULL;
  T_OK(bf_sparse_from_triplets(n, n, nnz, row, col, val, &S));
  free(row);
  free(col);
  free(val);
  return S;
}

static bf_matrix *on_backend(const bf_sparse *S, bf_format format, int D, int half, bf_prec prec)
{
  bf_matrix *A = NULL;
  T_OK(bf_matrix_from_sparse(
      t_be, S, &(bf_matrix_form){.format = format, .half = half, .prec = prec, .ncomp = D}, &A));
  return A;
}

/* ---- an iteration on the backend ---- */

typedef struct bench {
  const bf_matrix *A;
  bf_int           n;
  int              jacobi, stab;
  double          *v[VECTORS];
  bf_krylov_state *st;
  double          *history;
} bench;

static void right_side(bf_int n, double *b)
{
  for (bf_int i = 0; i < n; i++) b[i] = 1.0 + 0.5 * cos(0.37 * (double)i);
}

static bench open_bench(const bf_matrix *A, int stab, int jacobi, double reduction, int limit)
{
  bench   k = {.A = A, .n = A->nrows, .jacobi = jacobi, .stab = stab};
  double *b = malloc((size_t)k.n * sizeof *b), empty[LIMIT + 1], rr = 0.0;
  right_side(k.n, b);
  for (bf_int i = 0; i < k.n; i++) rr += b[i] * b[i];
  for (int i = 0; i <= LIMIT; i++) empty[i] = -1.0;
  for (int i = 0; i < VECTORS; i++) T_OK(bf_vector_create(t_be, k.n, A->guard, &k.v[i]));
  T_OK(t_be->ops.copy(t_be, k.v[R], b, (size_t)k.n * sizeof *b, BF_TO_DEVICE));
  T_OK(bf_matrix_diagonal(A, k.v[DINV]));
  T_OK(BF_OP(t_be, reciprocal, k.n, k.v[DINV], k.v[DINV]));
  const bf_krylov_state start = {.rr_stop = reduction * reduction * rr, .limit = limit};
  k.st                        = t_to_backend(&start, sizeof start);
  k.history                   = t_to_backend(empty, sizeof empty);
  const double *dinv          = jacobi ? k.v[DINV] : NULL;
  if (stab)
    T_OK(BF_OP(t_be, bicgstab_begin, k.n, k.v[R], dinv, k.v[R0], k.v[P], k.v[jacobi ? PH : P], k.st,
               k.history));
  else
    T_OK(BF_OP(t_be, cg_begin, k.n, k.v[R], dinv, k.v[P], k.st, k.history));
  free(b);
  return k;
}

static void close_bench(bench *k)
{
  for (int i = 0; i < VECTORS; i++) bf_vector_destroy(t_be, k->A->guard, &k->v[i]);
  t_be->ops.release(t_be, k->st);
  t_be->ops.release(t_be, k->history);
}

static void steps(const bench *k, int count)
{
  double *const *v    = k->v;
  const double  *dinv = k->jacobi ? v[DINV] : NULL;
  if (k->stab)
    T_OK(bf_bicgstab_steps(k->A,
                           &(bf_bicgstab_work){v[X], v[R], v[R0], v[P], v[Q], v[T], v[k->jacobi ? PH : P],
                                               v[k->jacobi ? RH : R], dinv, k->st, k->history, NULL},
                           count));
  else
    T_OK(bf_cg_steps(k->A, &(bf_cg_work){v[X], v[R], v[P], v[Q], dinv, k->st, k->history, NULL}, count));
}

static double *get(const bench *k, int which)
{
  double *h = malloc((size_t)k->n * sizeof *h);
  t_to_host(h, k->v[which], (size_t)k->n * sizeof *h);
  return h;
}

static bf_krylov_state state_of(const bench *k)
{
  bf_krylov_state st;
  t_to_host(&st, k->st, sizeof st);
  return st;
}

/* ---- the plain iterations ---- */

static void product(const bf_sparse *S, const long double *x, long double *y)
{
  for (bf_int i = 0; i < S->nrows; i++) {
    y[i] = 0.0L;
    for (int64_t p = S->ptr[i]; p < S->ptr[i + 1]; p++) y[i] += (long double)S->val[p] * x[S->col[p]];
  }
}

static long double dot(bf_int n, const long double *x, const long double *y)
{
  long double s = 0.0L;
  for (bf_int i = 0; i < n; i++) s += x[i] * y[i];
  return s;
}

static void inverse_diagonal(const bf_sparse *S, int jacobi, long double *d)
{
  for (bf_int i = 0; i < S->nrows; i++) {
    d[i] = 1.0L;
    for (int64_t p = S->ptr[i]; jacobi && p < S->ptr[i + 1]; p++)
      if (S->col[p] == i) d[i] = 1.0L / (long double)S->val[p];
  }
}

/* x after `count` iterations and the squares of the residuals. */
static void plain_cg(const bf_sparse *S, int jacobi, int count, double *x, double *history)
{
  const bf_int n = S->nrows;
  long double *w = calloc((size_t)n * 5, sizeof *w), *d = w, *r = w + n, *p = r + n, *q = p + n, *y = q + n;
  right_side(n, x);
  inverse_diagonal(S, jacobi, d);
  for (bf_int i = 0; i < n; i++) {
    r[i] = (long double)x[i];
    p[i] = d[i] * r[i];
  }
  long double rho = dot(n, r, p);
  for (int it = 0; it <= count; it++) {
    history[it] = (double)dot(n, r, r);
    if (it == count) break;
    product(S, p, q);
    const long double a = rho / dot(n, p, q);
    long double new     = 0.0L;
    for (bf_int i = 0; i < n; i++) {
      y[i] += a * p[i];
      r[i] -= a * q[i];
      new += r[i] * d[i] * r[i];
    }
    for (bf_int i = 0; i < n; i++) p[i] = d[i] * r[i] + new / rho *p[i];
    rho = new;
  }
  for (bf_int i = 0; i < n; i++) x[i] = (double)y[i];
  free(w);
}

static void plain_bicgstab(const bf_sparse *S, int jacobi, int count, double *x, double *history)
{
  const bf_int n = S->nrows;
  long double *w = calloc((size_t)n * 9, sizeof *w), *d = w, *r = w + n, *r0 = r + n, *p = r0 + n, *v = p + n,
              *t = v + n, *y = t + n, *ph = y + n, *sh = ph + n;
  right_side(n, x);
  inverse_diagonal(S, jacobi, d);
  for (bf_int i = 0; i < n; i++) p[i] = r0[i] = r[i] = (long double)x[i];
  long double rho = dot(n, r, r);
  for (int it = 0; it <= count; it++) {
    history[it] = (double)dot(n, r, r);
    if (it == count) break;
    for (bf_int i = 0; i < n; i++) ph[i] = d[i] * p[i];
    product(S, ph, v);
    const long double a = rho / dot(n, r0, v);
    for (bf_int i = 0; i < n; i++) {
      r[i] -= a * v[i];
      sh[i] = d[i] * r[i];
    }
    product(S, sh, t);
    const long double o = dot(n, r, t) / dot(n, t, t);
    for (bf_int i = 0; i < n; i++) {
      y[i] += a * ph[i] + o * sh[i];
      r[i] -= o * t[i];
    }
    const long double next = dot(n, r0, r), b = next / rho * (a / o);
    for (bf_int i = 0; i < n; i++) p[i] = r[i] + b * (p[i] - o * v[i]);
    rho = next;
  }
  for (bf_int i = 0; i < n; i++) x[i] = (double)y[i];
  free(w);
}

/* ---- the claims ---- */

static void follows(const bf_matrix *A, const char *name, int stab, int jacobi, const double *x,
                    const double *want)
{
  bench  k = open_bench(A, stab, jacobi, 0.0, LIMIT);
  double history[LIMIT + 1], largest = 0.0;
  steps(&k, 2);
  steps(&k, SHOWN - 2);
  t_to_host(history, k.history, sizeof history);
  assert_int_equal(state_of(&k).iteration, SHOWN);
  assert_int_equal(state_of(&k).status, BF_KRYLOV_RUNNING);
  for (int i = 0; i <= SHOWN; i++)
    if (!(fabs(history[i] - want[i]) <= 1e-9 * want[i] + 1e-12 * sqrt(want[i] * want[0])))
      fail_msg("%s: r.r after %d iterations %.17g instead of %.17g", name, i, history[i], want[i]);
  assert_true(history[SHOWN + 1] == -1.0);
  double *got = get(&k, X);
  for (bf_int i = 0; i < k.n; i++) largest = fmax(largest, fabs(x[i]));
  for (bf_int i = 0; i < k.n; i++)
    if (!(fabs(got[i] - x[i]) <= 1e-10 * largest))
      fail_msg("%s: x(%d) = %.17g instead of %.17g", name, (int)i, got[i], x[i]);
  free(got);
  close_bench(&k);
}

static void follow_everywhere(int stab, int jacobi, range of)
{
  for (int s = of.first; s < of.last; s++) {
    bf_sparse *S = make(&shapes[s], stab, 1.0 / 64);
    double    *x = malloc((size_t)S->nrows * sizeof *x), want[SHOWN + 1];
    (stab ? plain_bicgstab : plain_cg)(S, jacobi, SHOWN, x, want);
    for (int form = 0; form < 5; form++) {
      const int half = form == 1 || form == 3, csr = form == 4;
      if (half && stab) continue;
      T_ONE_OF(7);
      bf_matrix *A = on_backend(S, csr ? BF_FORMAT_CSR : BF_FORMAT_BDIA, shapes[s].D, half,
                                form == 2 || form == 3 ? BF_FP32 : BF_FP64);
      char       name[120];
      snprintf(name, sizeof name, "%s, form %d, jacobi %d", shapes[s].name, form, jacobi);
      follows(A, name, stab, jacobi, x, want);
      bf_matrix_destroy(&A);
    }
    free(x);
    bf_sparse_destroy(&S);
  }
}

static void cg_follows_the_plain_iteration(range of)
{
  follow_everywhere(0, 0, of);
}
static void cg_with_jacobi_follows_the_plain_iteration(range of)
{
  follow_everywhere(0, 1, of);
}
static void bicgstab_follows_the_plain_iteration(range of)
{
  follow_everywhere(1, 0, of);
}
static void bicgstab_with_jacobi_follows_the_plain_iteration(range of)
{
  follow_everywhere(1, 1, of);
}
ON_ALL_ROWS(cg_follows_the_plain_iteration)
ON_ALL_ROWS(cg_with_jacobi_follows_the_plain_iteration)
ON_ALL_ROWS(bicgstab_follows_the_plain_iteration)
ON_ALL_ROWS(bicgstab_with_jacobi_follows_the_plain_iteration)

static void cuts_into_calls_and_repeats_give_the_same_bits(range of)
{
  static const int cuts[3][4] = {{26, 0, 0, 0}, {1, 25, 0, 0}, {1, 2, 23, 0}}; /* a graph, another, none */
  for (int stab = 0; stab < 2; stab++)
    for (int s = of.first; s < of.last; s++) {
      T_ONE_OF(5);
      bf_sparse *S        = make(&shapes[s], stab, 1.0 / 64);
      bf_matrix *A        = on_backend(S, BF_FORMAT_BDIA, shapes[s].D, !stab, BF_FP64);
      double    *first[3] = {NULL};
      for (int c = 0; c < 3; c++) {
        bench k = open_bench(A, stab, 1, 0.0, LIMIT);
        for (int i = 0; cuts[c][i] > 0; i++) steps(&k, cuts[c][i]);
        for (int v = 0; v < 3; v++) {
          double *h = get(&k, v);
          if (c == 0)
            first[v] = h;
          else {
            assert_memory_equal(first[v], h, (size_t)k.n * sizeof *h);
            free(h);
          }
        }
        close_bench(&k);
      }
      for (int v = 0; v < 3; v++) free(first[v]);
      bf_matrix_destroy(&A);
      bf_sparse_destroy(&S);
    }
}

ON_ALL_ROWS(cuts_into_calls_and_repeats_give_the_same_bits)

static void two_runs_do_not_disturb_each_other(void **state)
{
  (void)state;
  T_LONG;
  const shape *const of[2] = {&shapes[SHAPES - 1], &shapes[WINDOWS]};
  double            *x[2][2];
  for (int together = 0; together < 2; together++) {
    bench      k[2];
    bf_matrix *A[2];
    for (int i = 0; i < 2; i++) {
      bf_sparse *S = make(of[i], 0, 1.0 / 64);
      A[i]         = on_backend(S, BF_FORMAT_BDIA, 1, 1, BF_FP64);
      bf_sparse_destroy(&S);
    }
    for (int i = 0; i < 2; i++) {
      k[i] = open_bench(A[i], 0, 0, 0.0, LIMIT);
      if (!together) steps(&k[i], 50);
    }
    for (int i = 0; together && i < 4; i++) steps(&k[i % 2], 25);
    for (int i = 0; i < 2; i++) {
      x[together][i] = get(&k[i], X);
      close_bench(&k[i]);
      bf_matrix_destroy(&A[i]);
    }
  }
  for (int i = 0; i < 2; i++) {
    assert_memory_equal(x[0][i], x[1][i], (size_t)of[i]->nodes * sizeof(double));
    free(x[0][i]);
    free(x[1][i]);
  }
}

static void what_is_queued_past_the_end_changes_nothing(range of)
{
  for (int stab = 0; stab < 2; stab++)
    for (int s = of.first; s < of.last; s++) {
      T_ONE_OF(5);
      bf_sparse *S = make(&shapes[s], stab, 1.0);
      bf_matrix *A = on_backend(S, BF_FORMAT_BDIA, shapes[s].D, !stab, BF_FP64);
      bench      k = open_bench(A, stab, 1, 1e-6, LIMIT);
      steps(&k, LIMIT);
      const bf_krylov_state end = state_of(&k);
      assert_int_equal(end.status, BF_KRYLOV_CONVERGED);
      assert_true(end.rr <= end.rr_stop && end.iteration < LIMIT);
      double *x = get(&k, X), *r = get(&k, R), history[LIMIT + 1], rr = 0.0;
      t_to_host(history, k.history, sizeof history);
      assert_true(history[end.iteration] == end.rr && history[end.iteration + 1] == -1.0);
      for (bf_int i = 0; i < k.n; i++) { /* r is b - A x */
        double y = 1.0 + 0.5 * cos(0.37 * (double)i);
        for (int64_t p = S->ptr[i]; p < S->ptr[i + 1]; p++) y -= S->val[p] * x[S->col[p]];
        assert_true(fabs(y - r[i]) < 1e-12 * (1.0 + fabs(y)));
        rr += r[i] * r[i];
      }
      T_NEAR(rr, end.rr, 1e-12 * history[0]);
      steps(&k, 5);
      const bf_krylov_state after = state_of(&k);
      double               *x2    = get(&k, X);
      assert_int_equal(after.iteration, end.iteration);
      assert_memory_equal(x, x2, (size_t)k.n * sizeof *x);
      free(x);
      free(r);
      free(x2);
      close_bench(&k);
      bf_matrix_destroy(&A);
      bf_sparse_destroy(&S);
    }
}

ON_ROWS(what_is_queued_past_the_end_changes_nothing, one_or_two)
ON_ALL_ROWS(what_is_queued_past_the_end_changes_nothing)

/* What a residual replacement goes on with. */
static void the_direction_of_the_last_iteration_stays(range of)
{
  for (int s = of.first; s < of.last; s++)
    for (int form = 0; form < 4; form++) {
      T_ONE_OF(7);
      const int  half = form / 2, jacobi = form % 2;
      bf_sparse *S    = make(&shapes[s], 0, 1.0 / 64);
      bf_matrix *A    = on_backend(S, BF_FORMAT_BDIA, shapes[s].D, half, BF_FP32);
      bench      goes = open_bench(A, 0, jacobi, 0.0, LIMIT), ends = open_bench(A, 0, jacobi, 0.0, SHOWN);
      steps(&goes, SHOWN - 1);
      steps(&ends, 26);
      assert_int_equal(state_of(&ends).status, BF_KRYLOV_LIMIT);
      double *p = get(&goes, P), *last = get(&ends, P);
      assert_memory_equal(p, last, (size_t)A->nrows * sizeof *p);
      free(p);
      free(last);
      close_bench(&goes);
      close_bench(&ends);
      bf_matrix_destroy(&A);
      bf_sparse_destroy(&S);
    }
}

ON_ALL_ROWS(the_direction_of_the_last_iteration_stays)

/* Status after many iterations on a matrix that `spoil` has changed for the time. */
static bf_krylov_state end_of(int stab, bf_sparse *S, int D, void (*spoil)(bf_sparse *), int limit)
{
  double *val = malloc((size_t)S->nnz * sizeof *val);
  memcpy(val, S->val, (size_t)S->nnz * sizeof *val);
  if (spoil) spoil(S);
  bf_matrix *A = on_backend(S, BF_FORMAT_BDIA, D, 0, BF_FP64);
  memcpy(S->val, val, (size_t)S->nnz * sizeof *val);
  free(val);
  bench k = open_bench(A, stab, 0, 1e-12, limit);
  steps(&k, LIMIT);
  const bf_krylov_state end = state_of(&k);
  close_bench(&k);
  bf_matrix_destroy(&A);
  return end;
}

static void each_value(bf_sparse *S, double diagonal, double upper, double lower)
{
  for (bf_int i = 0; i < S->nrows; i++)
    for (int64_t p = S->ptr[i]; p < S->ptr[i + 1]; p++)
      S->val[p] = S->col[p] == i ? diagonal : S->col[p] > i ? upper : lower;
}
static void negative(bf_sparse *S)
{
  each_value(S, -1.0, 0.0, 0.0);
}
static void skew(bf_sparse *S)
{
  each_value(S, 0.0, 1.0, -1.0);
}
static void zeros(bf_sparse *S)
{
  each_value(S, 0.0, 0.0, 0.0);
}
static void twice_identity(bf_sparse *S)
{
  each_value(S, 2.0, 0.0, 0.0);
}
static void not_a_number(bf_sparse *S)
{
  S->val[S->nnz / 2] = NAN;
}

static void every_end_is_named(range of)
{
  for (int s = of.first; s < of.last; s++)
    for (int stab = 0; stab < 2; stab++) {
      T_ONE_OF(5);
      bf_sparse *S = make(&shapes[s], stab, 1.0 / 64);
      const int  D = shapes[s].D;
      if (!stab) {
        const bf_krylov_state none = end_of(0, S, D, negative, LIMIT);
        assert_int_equal(none.status, BF_KRYLOV_INDEFINITE);
        assert_int_equal(none.iteration, 0);
      }
      assert_int_equal(end_of(stab, S, D, not_a_number, LIMIT).status, BF_KRYLOV_NAN);
      const bf_krylov_state limit = end_of(stab, S, D, NULL, 2);
      assert_int_equal(limit.status, BF_KRYLOV_LIMIT);
      assert_int_equal(limit.iteration, 2);
      const bf_krylov_state one = end_of(stab, S, D, twice_identity, LIMIT);
      assert_int_equal(one.status, BF_KRYLOV_CONVERGED);
      assert_int_equal(one.iteration, 1);
      assert_int_equal(one.half, stab);
      bf_sparse_destroy(&S);
    }
}
ON_ALL_ROWS(every_end_is_named)

/* r0.v is 0. */
static void a_breakdown_is_named(void **state)
{
  (void)state;
  static const int of[] = {1, SEVERAL, MANY, BEYOND, SHAPES - 1};
  for (int k = 0; k < 5; k++) {
    T_ONE_OF(2);
    bf_sparse *S = make(&shapes[of[k]], 1, 1.0 / 64);
    if (k == 0) assert_int_equal(end_of(1, S, 1, skew, LIMIT).status, BF_KRYLOV_BREAKDOWN);
    const bf_krylov_state end = end_of(1, S, shapes[of[k]].D, zeros, LIMIT);
    assert_int_equal(end.status, BF_KRYLOV_BREAKDOWN);
    assert_int_equal(end.iteration, 0);
    bf_sparse_destroy(&S);
  }
}

int main(int argc, char **argv)
{
  const int code = t_backend_open(argc, argv);
  if (code) return code;
  const struct CMUnitTest tests[] = {
      TESTS(cg_follows_the_plain_iteration),
      TESTS(cg_with_jacobi_follows_the_plain_iteration),
      TESTS(bicgstab_follows_the_plain_iteration),
      TESTS(bicgstab_with_jacobi_follows_the_plain_iteration),
      TESTS(cuts_into_calls_and_repeats_give_the_same_bits),
      cmocka_unit_test(two_runs_do_not_disturb_each_other),
      cmocka_unit_test(what_is_queued_past_the_end_changes_nothing_on_one_or_two_rows),
      TESTS(what_is_queued_past_the_end_changes_nothing),
      TESTS(the_direction_of_the_last_iteration_stays),
      TESTS(every_end_is_named),
      cmocka_unit_test(a_breakdown_is_named),
  };
  const int failed = T_RUN(tests);
  bf_backend_destroy(&t_be);
  return failed;
}
