/* tests/kernels/sparse/t282_statistics.c - statistics of a matrix, against a dense one place by
 * place; its rows in another order */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/matrix/statistics.h"
#include "solvers/linear/convergence_estimate.h"
#include "tests/no_memory.h"
#include "tests/test.h"
#include <math.h>

enum { N = 13 };

/* A random matrix: `fill` of 16 places listed, some of them zero. */
static bf_sparse *make(int n, int fill, int symmetric, uint64_t seed, double *a, int *listed)
{
  bf_int     row[N * N], col[N * N];
  double     val[N * N];
  int64_t    m = 0;
  bf_sparse *S = NULL;
  for (int i = 0; i < n * n; i++) a[i] = listed[i] = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < (symmetric ? i + 1 : n); j++) {
      if ((int)(t_random(&seed) % 16) >= fill) continue;
      const double v    = t_random(&seed) % 8 == 0 ? 0.0 : t_uniform(&seed) - 0.4;
      listed[i * n + j] = 1;
      a[i * n + j]      = v;
      if (symmetric) listed[j * n + i] = 1, a[j * n + i] = v;
    }
  for (int i = 0; i < n * n; i++)
    if (listed[i]) {
      row[m]   = i / n;
      col[m]   = i % n;
      val[m++] = a[i];
    }
  T_OK(bf_sparse_from_triplets(n, n, m, row, col, val, &S));
  return S;
}

static void expect_counts(int n, const double *a, const int *listed, const bf_statistics *v)
{
  int positive = 0, negative = 0, missing = 0, zero = 0, dominant = 0, strictly = 0, rows = 0, cols = 0,
      hole      = -1;
  int64_t zeros = 0, unpaired = 0, unequal = 0;
  double  lo = INFINITY, hi = -INFINITY, largest = 0.0, least = INFINITY;
  for (int i = 0; i < n; i++) {
    double others = 0.0, in_row = 0.0, in_col = 0.0;
    for (int j = 0; j < n; j++) {
      const double x = a[i * n + j];
      zeros += listed[i * n + j] && x == 0.0;
      unpaired += listed[i * n + j] && !listed[j * n + i];
      unequal += i > j && (listed[i * n + j] || listed[j * n + i]) && x != a[j * n + i];
      if (i != j) others += fabs(x);
      in_row += fabs(x);
      in_col += fabs(a[j * n + i]);
      largest = fmax(largest, fabs(x));
      if (x != 0.0) least = fmin(least, fabs(x));
    }
    const double d = a[i * n + i];
    positive += d > 0.0;
    negative += d < 0.0;
    missing += !listed[i * n + i];
    zero += listed[i * n + i] && d == 0.0;
    if (d == 0.0 && hole < 0) hole = i;
    dominant += fabs(d) >= others;
    strictly += fabs(d) > others;
    rows += in_row == 0.0;
    cols += in_col == 0.0;
    lo = fmin(lo, d - others);
    hi = fmax(hi, d + others);
  }
  assert_int_equal(v->positive, positive);
  assert_int_equal(v->negative, negative);
  assert_int_equal(v->missing, missing);
  assert_int_equal(v->zero, zero);
  assert_int_equal(v->hole, hole);
  assert_int_equal(v->dominant, dominant);
  assert_int_equal(v->strictly, strictly);
  assert_int_equal(v->empty_rows, rows);
  assert_int_equal(v->empty_cols, cols);
  assert_int_equal(v->zeros, zeros);
  assert_int_equal(v->unpaired, unpaired);
  assert_int_equal(v->unequal, unequal);
  assert_int_equal(bf_statistics_symmetric(v), unequal == 0);
  T_NEAR(v->gershgorin_lo, lo, 1e-14);
  T_NEAR(v->gershgorin_hi, hi, 1e-14);
  assert_true(v->largest == largest);
  if (largest > 0.0) assert_true(v->least == least);
}

static void counts_are_those_of_the_dense_matrix(void **state)
{
  (void)state;
  double        a[N * N];
  int           listed[N * N];
  bf_statistics v;
  for (int k = 0; k < 400; k++) {
    const int  n = 1 + k % N, fill = k % 17;
    bf_sparse *S = make(n, fill, k % 3 == 0, (uint64_t)k + 1, a, listed);
    T_OK(bf_sparse_statistics(S, &v));
    expect_counts(n, a, listed, &v);
    bf_sparse_destroy(&S);
  }
}

static bf_statistics survey_of_pair(double lower, double upper)
{
  const bf_int  row[] = {0, 0, 1, 1}, col[] = {0, 1, 0, 1};
  const double  val[] = {0.0, upper, lower, 0.0};
  bf_sparse    *S     = NULL;
  bf_statistics v;
  T_OK(bf_sparse_from_triplets(2, 2, 4, row, col, val, &S));
  T_OK(bf_sparse_statistics(S, &v));
  bf_sparse_destroy(&S);
  return v;
}

static void symmetry_is_exact_or_to_rounding_or_skew(void **state)
{
  (void)state;
  bf_statistics v = survey_of_pair(3.0, 3.0);
  assert_true(bf_statistics_symmetric(&v) && bf_statistics_nearly_symmetric(&v) && !v.skew &&
              v.asymmetry == 0.0);
  v = survey_of_pair(3.0, 3.0 * (1.0 + 0x1p-50));
  assert_true(!bf_statistics_symmetric(&v) && bf_statistics_nearly_symmetric(&v) && !v.skew);
  v = survey_of_pair(3.0, 3.1);
  assert_true(!bf_statistics_symmetric(&v) && !bf_statistics_nearly_symmetric(&v));
  T_NEAR(v.asymmetry, 0.1 / 3.1, 1e-12);
  v = survey_of_pair(3.0, -3.0);
  assert_true(!bf_statistics_symmetric(&v) && v.skew);
  v = survey_of_pair(0.0, 0.0);
  assert_true(bf_statistics_symmetric(&v) && !v.skew);
}

static void the_graph_has_an_edge_where_a_block_or_its_mirror_image_has_a_nonzero(void **state)
{
  (void)state;
  double a[N * N];
  int    listed[N * N];
  for (int k = 0; k < 100; k++) {
    const int  n = 1 + k % 12, D = n % 3 == 0 ? 3 : n % 2 == 0 ? 2 : 1, nodes = n / D;
    bf_graph  *g = NULL;
    bf_sparse *S = make(n, k % 9, 0, (uint64_t)k + 77, a, listed);
    T_OK(bf_sparse_graph(S, D, &g));
    T_OK(bf_graph_check(g));
    assert_int_equal(g->n, nodes);
    for (int u = 0; u < nodes; u++)
      for (int v = 0; v < nodes; v++) {
        int found = 0, want = 0;
        for (int64_t p = g->ptr[u]; p < g->ptr[u + 1]; p++) found |= g->adj[p] == v;
        for (int i = u * D; i < u * D + D; i++)
          for (int j = v * D; j < v * D + D; j++)
            want |= u != v && (a[i * n + j] != 0.0 || a[j * n + i] != 0.0);
        assert_int_equal(found, want);
      }
    bf_graph_destroy(&g);
    bf_sparse_destroy(&S);
  }
}

static void a_permuted_matrix_has_every_entry_at_its_new_place(void **state)
{
  (void)state;
  double   a[N * N];
  int      listed[N * N];
  uint64_t seed = 3;
  for (int k = 0; k < 60; k++) {
    const int  n = 1 + k % N;
    bf_int     order[N];
    bf_sparse *S = make(n, 8, 0, (uint64_t)k + 5, a, listed), *P = NULL;
    for (int i = 0; i < n; i++) order[i] = i;
    for (int i = n - 1; i > 0; i--) {
      const int    j = (int)(t_random(&seed) % (uint64_t)(i + 1));
      const bf_int t = order[i];
      order[i]       = order[j];
      order[j]       = t;
    }
    T_OK(bf_sparse_permute(S, order, &P));
    T_OK(bf_sparse_check(P));
    assert_int_equal(P->nnz, S->nnz);
    for (int i = 0; i < n; i++)
      for (int64_t p = P->ptr[i]; p < P->ptr[i + 1]; p++) {
        assert_true(listed[order[i] * n + order[P->col[p]]]);
        assert_true(P->val[p] == a[order[i] * n + order[P->col[p]]]);
      }
    bf_sparse_destroy(&P);
    bf_sparse_destroy(&S);
  }
}

static void the_bands_are_the_diagonals_that_have_an_entry(void **state)
{
  (void)state;
  double a[N * N];
  int    listed[N * N];
  for (int k = 0; k < 60; k++) {
    const int  n = 1 + k % N;
    bf_bands  *b = NULL;
    bf_sparse *S = make(n, k % 4, 0, (uint64_t)k + 9, a, listed);
    T_OK(bf_sparse_bands(S, &b));
    T_OK(bf_bands_check(b));
    int64_t at = 0;
    for (int off = 1 - n; off < n; off++) {
      int used = off == 0;
      for (int i = 0; i < n; i++) used |= i + off >= 0 && i + off < n && listed[i * n + i + off];
      if (used) assert_int_equal(b->off[at++], off);
    }
    assert_int_equal(b->ptr[1], at);
    bf_bands_destroy(&b);
    bf_sparse_destroy(&S);
  }
}

/* The second difference matrix of n rows, a_ii times d_i^2 from left and right. */
static bf_sparse *second_difference(int n, double shift, int scaled)
{
  bf_int    *row = malloc(3 * (size_t)n * sizeof *row), *col = malloc(3 * (size_t)n * sizeof *col);
  double    *val = malloc(3 * (size_t)n * sizeof *val);
  int64_t    m   = 0;
  bf_sparse *S   = NULL;
  for (int i = 0; i < n; i++)
    for (int j = i > 0 ? i - 1 : 0; j <= i + 1 && j < n; j++) {
      const double by = scaled ? pow(10.0, i % 5 + j % 5) : 1.0;
      row[m] = i, col[m] = j, val[m++] = by * (i == j ? 2.0 + shift : -1.0);
    }
  T_OK(bf_sparse_from_triplets(n, n, m, row, col, val, &S));
  free(row), free(col), free(val);
  return S;
}

static void ritz_values_lie_within_the_spectrum_and_reach_its_ends(void **state)
{
  (void)state;
  enum { M = 200 };
  const double pi = acos(-1.0), least = 2.0 - 2.0 * cos(pi / (M + 1)), most = 2.0 + 2.0 * cos(pi / (M + 1));
  bf_sparse   *S    = second_difference(M, 0.0, 0);
  double       last = most / 1.5;
  for (int steps = 10; steps <= 400; steps *= 2) {
    bf_estimate o;
    T_OK(bf_estimate_symmetric(S, 0, steps, &o));
    assert_in_range(o.steps, 1, steps);
    T_LE(least, o.least * (1.0 + 1e-10));
    T_LE(o.most, most * (1.0 + 1e-10));
    T_LE(last * (1.0 - 1e-10), o.most / o.least);
    last = o.most / o.least;
  }
  T_NEAR(last, most / least, 1e-6 * most / least);
  bf_sparse_destroy(&S);
}

static void jacobi_undoes_a_scaling_and_an_indefinite_matrix_is_seen(void **state)
{
  (void)state;
  bf_estimate o, p;
  bf_sparse  *S = second_difference(50, 0.0, 0), *D = second_difference(50, 0.0, 1);
  T_OK(bf_estimate_symmetric(S, 1, 60, &o));
  T_OK(bf_estimate_symmetric(D, 1, 60, &p));
  T_NEAR(o.least, p.least, 1e-9 * o.least);
  T_NEAR(o.most, p.most, 1e-9 * o.most);
  T_NEAR(bf_estimate_iterations(&o, 1e-8), 0.5 * sqrt(o.most / o.least) * log(2e8), 1e-9);
  T_OK(bf_estimate_symmetric(D, 0, 60, &p));
  T_LE(1e4 * o.most / o.least, p.most / p.least);
  bf_sparse_destroy(&S);
  bf_sparse_destroy(&D);
  S = second_difference(50, -1.0, 0);
  T_OK(bf_estimate_symmetric(S, 0, 30, &o));
  assert_true(o.least < 0.0 && o.most > 0.0);
  assert_true(bf_estimate_iterations(&o, 1e-8) == 0.0);
  bf_sparse_destroy(&S);
  S = second_difference(50, -2.0, 0);
  T_ERR(BF_E_ARG, bf_estimate_symmetric(S, 1, 30, &o));
  bf_sparse_destroy(&S);
  S = second_difference(1, 3.0, 0);
  T_OK(bf_estimate_symmetric(S, 0, 30, &o));
  assert_true(o.steps == 1 && fabs(o.least - 5.0) < 1e-12 && fabs(o.most - 5.0) < 1e-12);
  bf_sparse_destroy(&S);
}

static void every_failed_allocation_is_an_error_and_leaves_nothing(void **state)
{
  (void)state;
  double       a[N * N];
  int          listed[N * N];
  bf_sparse   *S       = make(5, 8, 0, 1, a, listed);
  const bf_int order[] = {4, 2, 0, 1, 3};
  for (int what = 0; what < 5; what++) {
    t_no_memory t = {0};
    while (t_no_memory_next(&t)) {
      bf_statistics v;
      bf_estimate   o;
      bf_graph     *g = NULL;
      bf_sparse    *P = NULL;
      bf_bands     *b = NULL;
      t_no_memory_begin(&t);
      t_no_memory_end(&t, what == 0   ? bf_sparse_statistics(S, &v)
                          : what == 1 ? bf_sparse_graph(S, 1, &g)
                          : what == 2 ? bf_sparse_permute(S, order, &P)
                          : what == 3 ? bf_sparse_bands(S, &b)
                                      : bf_estimate_symmetric(S, 0, 5, &o));
      bf_graph_destroy(&g);
      bf_sparse_destroy(&P);
      bf_bands_destroy(&b);
    }
    assert_in_range(t.failed, 1, 29);
  }
  bf_sparse_destroy(&S);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(counts_are_those_of_the_dense_matrix),
      cmocka_unit_test(symmetry_is_exact_or_to_rounding_or_skew),
      cmocka_unit_test(the_graph_has_an_edge_where_a_block_or_its_mirror_image_has_a_nonzero),
      cmocka_unit_test(a_permuted_matrix_has_every_entry_at_its_new_place),
      cmocka_unit_test(the_bands_are_the_diagonals_that_have_an_entry),
      cmocka_unit_test(ritz_values_lie_within_the_spectrum_and_reach_its_ends),
      cmocka_unit_test(jacobi_undoes_a_scaling_and_an_indefinite_matrix_is_seen),
      cmocka_unit_test(every_failed_allocation_is_an_error_and_leaves_nothing),
  };
  return T_RUN(tests);
}
