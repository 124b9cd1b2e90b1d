/* tests/t370_staged_batch.c - batched LU of orders that are factored panel by panel: what may go wrong at the
 * borders of panels
 * usage: t370_staged_batch <backend> */
#include "tests/batch_family.h"
#include "tests/batch_score.h"

static const bf_int size[] = {65, 95, 96, 97, 160, 193, 257};
enum { SIZES = sizeof size / sizeof *size };

typedef struct t_case { /* a batch, what it was, what became of it */
  t_batch B;
  t_cx   *A, *F; /* owned [count][n][n], [n][n] */
  bf_int *ipiv, *info;
} t_case;

static t_case case_create(bf_scalar type, bf_int n, bf_int count, uint64_t seed)
{
  const size_t all = (size_t)n * (size_t)n;
  t_case       L   = {.B = t_batch_create(type, n, count)};
  L.A              = bf_host_alloc(all * (size_t)count, sizeof *L.A);
  L.F              = bf_host_alloc(all, sizeof *L.F);
  L.ipiv           = bf_host_alloc((size_t)n * (size_t)count, sizeof *L.ipiv);
  L.info           = bf_host_alloc((size_t)count, sizeof *L.info);
  assert_true(L.A && L.F && L.ipiv && L.info);
  for (bf_int b = 0; b < count; b++) t_random_matrix(type, n, L.A + (size_t)b * all, &seed);
  return L;
}
static void case_destroy(t_case *L)
{
  t_batch_destroy(&L->B);
  bf_host_free(L->A);
  bf_host_free(L->F);
  bf_host_free(L->ipiv);
  bf_host_free(L->info);
}
static t_cx *entry(t_case *L, bf_int b, bf_int i, bf_int j)
{
  return L->A + ((size_t)b * (size_t)L->B.n + (size_t)j) * (size_t)L->B.n + i;
}
static void factor(t_case *L)
{
  for (bf_int b = 0; b < L->B.count; b++) {
    t_put(&L->B, b, entry(L, b, 0, 0));
    t_get(&L->B, b, entry(L, b, 0, 0)); /* as it was rounded */
  }
  t_getrf(&L->B, L->ipiv, L->info);
  t_guards(&L->B);
}

static void pivots_are_those_of_exact_elimination(void **state)
{
  (void)state;
  enum { EACH = 2 };
  bf_int ipiv[257];
  int    known = 0;
  for (int t = 0; t < T_TYPES; t++)
    for (int s = 0; s < SIZES; s++) {
      const bf_int n = size[s];
      t_case       L = case_create(t_types[t], n, EACH, 11);
      factor(&L);
      for (bf_int b = 0; b < EACH; b++) {
        if (!t_reference_pivots(t_types[t], n, entry(&L, b, 0, 0), ipiv)) continue;
        known++;
        assert_memory_equal(ipiv, L.ipiv + b * n, (size_t)n * sizeof *ipiv);
      }
      case_destroy(&L);
    }
  assert_true(known > T_TYPES * SIZES / 2);
}

/* Columns without a pivot at the ends of panels: factors are complete and info names the first. */
static void a_column_of_zeros_is_named_in_any_panel(void **state)
{
  (void)state;
  enum { COUNT = 7 };
  for (int t = 0; t < T_TYPES; t++)
    for (int s = 0; s < SIZES; s++) {
      const bf_int n = size[s], column[COUNT] = {0, 15, 16, 31, 32, 64, n - 1};
      t_case       L = case_create(t_types[t], n, COUNT, 12);
      for (bf_int b = 0; b < COUNT; b++)
        for (bf_int i = 0; i < n; i++)
          *entry(&L, b, i, column[b]) = *entry(&L, b, i, n - 1) = (t_cx){0.0, 0.0};
      factor(&L);
      for (bf_int b = 0; b < COUNT; b++) {
        assert_int_equal(L.info[b], column[b] + 1);
        t_get(&L.B, b, L.F);
        T_LE(t_lu_score(t_types[t], n, entry(&L, b, 0, 0), L.F, L.ipiv + b * n).over_a, 1.0);
      }
      case_destroy(&L);
    }
}

/* One entry that is not finite, left and right of borders, above and below the diagonal: info n + 1, pivots
 * in range, and every second matrix, which has none, as it is without. */
static void what_is_not_finite_is_noticed_anywhere(void **state)
{
  (void)state;
  enum { PLACES = 6, COUNT = 2 * PLACES };
  for (int t = 0; t < T_TYPES; t++)
    for (int s = 0; s < SIZES; s++) {
      const bf_int n = size[s], row[PLACES] = {n - 1, 0, 0, n - 1, 33, n - 1},
                   column[PLACES] = {0, 32, n - 1, 31, 34, n - 1};
      t_case L = case_create(t_types[t], n, COUNT, 13), C = case_create(t_types[t], n, COUNT, 13);
      for (int k = 0; k < PLACES; k++) entry(&L, 2 * k, row[k], column[k])->re = k % 2 ? NAN : INFINITY;
      factor(&C);
      factor(&L);
      for (bf_int b = 0; b < COUNT; b++) {
        const bf_int *ipiv = L.ipiv + b * n;
        assert_int_equal(L.info[b], b % 2 ? 0 : n + 1);
        for (bf_int k = 0; k < n; k++) assert_true(ipiv[k] > k && ipiv[k] <= n);
        if (b % 2 == 0) continue;
        assert_true(t_same(&L.B, b, &C.B, b));
        assert_memory_equal(ipiv, C.ipiv + b * n, (size_t)n * sizeof *ipiv);
      }
      case_destroy(&C);
      case_destroy(&L);
    }
}

int main(int argc, char **argv)
{
  int code = t_backend_open(argc, argv);
  if (code == 0) code = t_batch_missing(t_be->ops.getrf_batch != NULL, "getrf_batch");
  if (code) return code;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(pivots_are_those_of_exact_elimination),
      cmocka_unit_test(a_column_of_zeros_is_named_in_any_panel),
      cmocka_unit_test(what_is_not_finite_is_noticed_anywhere),
  };
  code = T_RUN(tests);
  bf_backend_destroy(&t_be);
  return code;
}
