/* tests/kernels/dense/t368_lu_panels.c - batched LU across the borders of panels of 16, 32 and 64 columns:
 * singular columns, entries that are not finite, ties between rows far from each other usage: t368_lu_panels
 * <backend>
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/kernels/dense/batch_family.h"
#include "tests/kernels/dense/batch_score.h"

static const bf_int size[] = {65, 72, 73, 81, 95, 96, 97, 108, 129, 140, 160, 192, 257};
enum { SIZES = sizeof size / sizeof *size };

typedef struct t_run {
  t_batch B;
  bf_int *ipiv, *info;
} t_run;

static t_run run_create(bf_scalar type, bf_int n, bf_int count)
{
  t_run R = {.B = t_batch_create(type, n, count)};
  R.ipiv  = bf_host_alloc((size_t)n * (size_t)count, sizeof *R.ipiv);
  R.info  = bf_host_alloc((size_t)count, sizeof *R.info);
  assert_true(R.ipiv && R.info);
  return R;
}
static void run_destroy(t_run *R)
{
  t_batch_destroy(&R->B);
  bf_host_free(R->ipiv);
  bf_host_free(R->info);
}
static t_cx *matrix_create(bf_int n)
{
  t_cx *A = bf_host_alloc((size_t)n * (size_t)n, sizeof *A);
  assert_non_null(A);
  return A;
}

/* First and last columns of panels, and some between; -1: none. */
static bf_int column_at(bf_int n, int k)
{
  const bf_int column[] = {-1, 0,     1,      15,     16,     31,    32,    33, 63,
                           64, n / 2, n - 33, n - 32, n - 31, n - 2, n - 1, 7,  8};
  return column[k];
}
enum { COLUMNS = 18 };

static void zero_columns_of_every_panel_are_reported(void **state)
{
  (void)state;
  uint64_t seed = 1;
  for (int t = 0; t < T_TYPES; t++)
    for (int s = 0; s < SIZES; s++) {
      if (t_quick() && size[s] != 108 && size[s] != 129) continue; /* a head, a pair of panels */
      const bf_int n = size[s];
      t_run        R = run_create(t_types[t], n, COLUMNS);
      t_cx        *A = matrix_create(n), *F = matrix_create(n);
      for (int b = 0; b < COLUMNS; b++) {
        const uint64_t before = seed;
        t_random_matrix(t_types[t], n, A, &seed);
        if (b > 0) memset(A + column_at(n, b) * n, 0, (size_t)n * sizeof *A);
        t_put(&R.B, b, A);
        seed = before;
      }
      t_getrf(&R.B, R.ipiv, R.info);
      t_guards(&R.B);
      for (int b = 0; b < COLUMNS; b++) {
        if (R.info[b] != column_at(n, b) + 1)
          fail_msg("type %d n=%d column %d: info %d", t, (int)n, (int)column_at(n, b), (int)R.info[b]);
        if (b != 6 && b != 0) continue;
        t_random_matrix(t_types[t], n, A, &(uint64_t){seed});
        if (b > 0) memset(A + column_at(n, b) * n, 0, (size_t)n * sizeof *A);
        t_get(&R.B, b, F);
        T_LE(t_lu_score(t_types[t], n, A, F, R.ipiv + (size_t)b * (size_t)n).over_a, 1.0);
      }
      seed++;
      bf_host_free(A);
      bf_host_free(F);
      run_destroy(&R);
    }
}

/* Matrix b > 0 is matrix 0 with one entry replaced; the matrices of even b are whole. */
static void entries_that_are_not_finite_are_reported_from_anywhere(void **state)
{
  (void)state;
  uint64_t seed = 2;
  for (int t = 0; t < T_TYPES; t++)
    for (int s = 0; s < SIZES; s++) {
      if (t_quick() && size[s] != 65 && size[s] != 81) continue;
      const bf_int n    = size[s];
      const bf_int at[] = {0, 31, 32, n / 2, n - 32, n - 1};
      enum { AT = 6, COUNT = 2 * AT * AT };
      t_run R = run_create(t_types[t], n, COUNT);
      t_cx *A = matrix_create(n);
      t_random_matrix(t_types[t], n, A, &seed);
      for (int b = 0; b < COUNT; b++) {
        t_put(&R.B, b, A);
        if (b % 2) t_set(&R.B, b, at[b / 2 / AT], at[b / 2 % AT], (t_cx){b % 4 == 1 ? NAN : -INFINITY, 0.0});
      }
      t_getrf(&R.B, R.ipiv, R.info);
      t_guards(&R.B);
      for (int b = 0; b < COUNT; b++) {
        const bf_int expect = b % 2 ? n + 1 : 0;
        if (R.info[b] != expect)
          fail_msg("type %d n=%d entry %d %d: info %d", t, (int)n, (int)at[b / 2 / AT], (int)at[b / 2 % AT],
                   (int)R.info[b]);
        if (b % 2) continue;
        assert_true(t_same(&R.B, b, &R.B, 0));
        assert_memory_equal(R.ipiv + (size_t)b * (size_t)n, R.ipiv, (size_t)n * sizeof *R.ipiv);
      }
      bf_host_free(A);
      run_destroy(&R);
    }
}

static bf_int shuffled(bf_int *place, bf_int n, uint64_t *seed)
{
  for (bf_int i = 0; i < n; i++) place[i] = i;
  for (bf_int i = n - 1; i > 0; i--) {
    const bf_int k = (bf_int)(t_uniform(seed) * (i + 1)), x = place[i];
    place[i] = place[k];
    place[k] = x;
  }
  return n;
}
/* Hadamard matrices of order 8, their rows and columns anywhere: eliminated without roundoff, pivots are
 * powers of two, and up to eight rows tie. */
static void hadamard_blocks(bf_int n, double *A, uint64_t *seed)
{
  bf_int row[512], column[512];
  shuffled(row, n, seed);
  shuffled(column, n, seed);
  memset(A, 0, (size_t)n * (size_t)n * sizeof *A);
  for (bf_int i = 0; i < n; i++)
    for (bf_int k = i & 7, j = 0; j < 8; j++) {
      const int x                                   = (int)(k & j);
      A[(int64_t)column[(i & ~7) + j] * n + row[i]] = (x ^ x >> 1 ^ x >> 2) & 1 ? -1.0 : 1.0;
    }
}
static void eliminate(bf_int n, double *A, bf_int *ipiv)
{
  for (bf_int k = 0; k < n; k++) {
    bf_int p = k;
    for (bf_int i = k + 1; i < n; i++)
      if (fabs(A[k * n + i]) > fabs(A[k * n + p])) p = i;
    ipiv[k] = p + 1;
    for (bf_int j = 0; j < n; j++) {
      const double x = A[j * n + k];
      A[j * n + k]   = A[j * n + p];
      A[j * n + p]   = x;
    }
    for (bf_int i = k + 1; i < n; i++) A[k * n + i] /= A[k * n + k];
    for (bf_int j = k + 1; j < n; j++)
      for (bf_int i = k + 1; i < n; i++) A[j * n + i] -= A[k * n + i] * A[j * n + k];
  }
}

static void of_equal_rows_anywhere_the_first_in_order_is_taken(void **state)
{
  (void)state;
  static const bf_int order[] = {72, 80, 88, 96, 128, 192, 256, 512};
  bf_int              ipiv[512];
  uint64_t            seed = 3;
  double             *H    = bf_host_alloc(512 * 512, sizeof *H);
  assert_non_null(H);
  for (size_t s = 0; s < sizeof order / sizeof *order; s++) {
    const bf_int n = order[s];
    if (t_quick() && n != 96) continue;
    const uint64_t before = seed;
    for (int t = 0; t < T_TYPES; t++) {
      t_run R = run_create(t_types[t], n, 1);
      seed    = before;
      hadamard_blocks(n, H, &seed);
      for (bf_int j = 0; j < n; j++)
        for (bf_int i = 0; i < n; i++) {
          const double x = H[j * n + i];
          t_set(&R.B, 0, i, j, t_is_complex(t_types[t]) ? (t_cx){0.0, x} : (t_cx){x, 0.0});
        }
      t_getrf(&R.B, R.ipiv, R.info);
      assert_int_equal(R.info[0], 0);
      if (t == 0) eliminate(n, H, ipiv);
      for (bf_int k = 0; k < n; k++)
        if (R.ipiv[k] != ipiv[k])
          fail_msg("type %d n=%d column %d: row %d, not %d", t, (int)n, (int)k, (int)R.ipiv[k], (int)ipiv[k]);
      run_destroy(&R);
    }
  }
  bf_host_free(H);
}

int main(int argc, char **argv)
{
  int code = t_backend_open(argc, argv);
  if (code == 0) code = t_batch_missing(t_be->ops.batch.getrf != NULL, "getrf_batch");
  if (code) return code;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(zero_columns_of_every_panel_are_reported),
      cmocka_unit_test(entries_that_are_not_finite_are_reported_from_anywhere),
      cmocka_unit_test(of_equal_rows_anywhere_the_first_in_order_is_taken),
  };
  return t_backend_close(T_RUN(tests));
}
