/* tests/kernels/krylov/t346_fused_bicgstab.c - BiCGStab queued as a whole (krylov/steps.h): the plain
 * iteration in long double in every storage, the same bits however it is cut into calls, and every way to end
 * usage: t346_fused_bicgstab <backend> */
/* SPDX-License-Identifier: BSD-3-Clause */
#define STAB 1
#include "tests/kernels/krylov/fused_claims.h"

static void plain_iteration(const bf_sparse *S, int jacobi, int count, double *x, double *history)
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

static void symmetric_matrices_are_followed(range of)
{
  for (int jacobi = 0; jacobi < 2; jacobi++) follow_everywhere(0, jacobi, of);
}
ON_ALL_ROWS(symmetric_matrices_are_followed)

/* Three runs of rows, each with diagonals of its own; dominated by the diagonal. */
static bf_matrix *segments(int D, int half, bf_prec prec)
{
  static const bf_int row[] = {0, 128, 384, 700};
  t_table            *t     = t_table_new(700, 3, row);
  uint64_t            seed  = 5;
  bf_matrix          *A     = NULL;
  for (bf_int k = 1; k < 6; k++) {
    t_table_put(t, 0, k * k);
    t_table_put(t, 1, half ? k * 7 : -k * 7);
    t_table_put(t, 2, k % 2 ? k * 31 : half ? k * 53 : -k * 53);
  }
  if (half) t_table_mirror(t);
  bf_bands    *bands = t_table_bands(t);
  double      *a     = t_dense_random(t, D, half, &seed);
  const size_t n     = (size_t)(700 * D);
  for (size_t i = 0; i < n; i++) {
    double sum = 0.0;
    for (size_t j = 0; j < n; j++) sum += i != j ? fabs(a[i * n + j]) : 0.0;
    a[i * n + i] = ceil(sum) + 1.0;
  }
  t_dense_round(n, a);
  T_OK(bf_matrix_create_bdia(t_be, bands, D, half, prec, 0, &A));
  t_matrix_put(A, a);
  bf_bands_destroy(&bands);
  t_table_free(t);
  free(a);
  return A;
}

static void segments_with_diagonals_of_their_own_are_followed(void **state)
{
  (void)state;
  for (int D = 1; D <= 3; D++)
    for (int form = 0; form < 8; form++) {
      T_ONE_OF(7);
      const int  half = form & 1, jacobi = form & 2;
      bf_matrix *A = segments(D, half, form & 4 ? BF_FP32 : BF_FP64);
      bf_sparse *S = NULL;
      char       name[60];
      T_OK(bf_matrix_to_sparse(A, &S));
      double *x = malloc((size_t)S->nrows * sizeof *x), want[SHOWN + 1];
      plain_iteration(S, jacobi, SHOWN, x, want);
      snprintf(name, sizeof name, "segments, %d components, form %d", D, form);
      assert_int_equal(A->bdia->nseg, 3);
      follows(A, name, jacobi != 0, x, want);
      free(x);
      bf_sparse_destroy(&S);
      bf_matrix_destroy(&A);
    }
}

static void skew(bf_sparse *S)
{
  each_value(S, 0.0, 1.0, -1.0);
}
static void zeros(bf_sparse *S)
{
  each_value(S, 0.0, 0.0, 0.0);
}

/* r0.v is 0. */
static void a_breakdown_is_named(void **state)
{
  (void)state;
  static const int of[] = {1, SEVERAL, MANY, BEYOND, SHAPES - 1};
  for (int k = 0; k < 5; k++) {
    T_ONE_OF(2);
    bf_sparse *S = make(&shapes[of[k]], 1, 1.0 / 64);
    if (k == 0) assert_int_equal(end_of(S, 1, skew, LIMIT).status, BF_KRYLOV_BREAKDOWN);
    const bf_krylov_state end = end_of(S, shapes[of[k]].D, zeros, LIMIT);
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
      FUSED_TESTS,
      TESTS(symmetric_matrices_are_followed),
      cmocka_unit_test(segments_with_diagonals_of_their_own_are_followed),
      cmocka_unit_test(a_breakdown_is_named),
  };
  return t_backend_close(T_RUN(tests));
}
