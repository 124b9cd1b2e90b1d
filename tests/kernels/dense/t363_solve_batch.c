/* tests/kernels/dense/t363_solve_batch.c - right-hand sides with the factors of a batch: LU and Cholesky,
 * every transposition usage: t363_solve_batch <backend> The factors are LAPACK's, so that a solution is
 * judged alone. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/kernels/dense/batch_family.h"
#include "tests/kernels/dense/batch_score.h"

static const bf_int size[] = {1,  2,  3,  4,  7,   8,   9,   16,  17,  31, 32,
                              33, 63, 64, 65, 100, 128, 129, 190, 256, 512};
enum { SIZES = sizeof size / sizeof *size, COUNT = 5 };

/* `what` of this batch on the host by LAPACK: through the other backend, when this one is a device. */
static bf_backend *host;

typedef struct t_system { /* A, its factors in F, right-hand sides in B: matrices of nrhs columns */
  t_batch F, B;
  t_cx   *A, *b, *x; /* owned [COUNT][n][n], [n], [n] */
  bf_int *ipiv;      /* owned [COUNT][n] */
  bf_int  info[COUNT];
} t_system;

static void factorise(t_system *s, int cholesky, bf_uplo uplo)
{
  bf_backend *const be = t_be;
  t_be                 = host;
  bf_batch A           = t_start(&s->F);
  if (cholesky)
    T_OK(bf_potrf_batch(host, uplo, &A, s->info, NULL));
  else
    T_OK(bf_getrf_batch(host, &A, s->ipiv, s->info, NULL));
  t_finish(&s->F, &A);
  t_be = be;
}

static t_system system_create(bf_scalar type, bf_int n, bf_int nrhs, int cholesky, bf_uplo uplo,
                              uint64_t *seed)
{
  const size_t all = (size_t)n * (size_t)n;
  t_system     s   = {.F = t_batch_create(type, n, COUNT)};
  s.B              = t_batch_create(type, n > nrhs ? n : nrhs, COUNT); /* n rows, nrhs columns are used */
  s.A              = bf_host_alloc(all * COUNT, sizeof *s.A);
  s.b              = bf_host_alloc((size_t)n, sizeof *s.b);
  s.x              = bf_host_alloc((size_t)n, sizeof *s.x);
  s.ipiv           = bf_host_alloc((size_t)n * COUNT, sizeof *s.ipiv);
  assert_true(s.A && s.b && s.x && s.ipiv);
  for (bf_int k = 0; k < COUNT; k++) {
    t_cx *A = s.A + all * (size_t)k;
    if (cholesky)
      t_definite_matrix(type, n, A, seed);
    else
      (k == 1 ? t_tiny_matrix : k == 2 ? t_graded_matrix : t_random_matrix)(type, n, A, seed);
    t_put(&s.F, k, A);
    t_get(&s.F, k, A);
    for (bf_int r = 0; r < nrhs; r++)
      for (bf_int i = 0; i < n; i++) {
        const t_cx x = {t_uniform(seed) - 0.5, t_is_complex(type) ? t_uniform(seed) - 0.5 : 0.0};
        t_set(&s.B, k, i, r, x);
      }
  }
  factorise(&s, cholesky, uplo);
  return s;
}
static void system_destroy(t_system *s)
{
  t_batch_destroy(&s->F);
  t_batch_destroy(&s->B);
  bf_host_free(s->A);
  bf_host_free(s->b);
  bf_host_free(s->x);
  bf_host_free(s->ipiv);
}

/* B = op(A)^-1 B on the backend; op 'L', 'U': with Cholesky's factor. */
static void solve(t_system *s, char op, bf_int nrhs)
{
  const size_t   pivots = (size_t)s->F.n * COUNT * sizeof *s->ipiv;
  const bf_batch A = t_start(&s->F), B = t_start(&s->B);
  bf_int        *ib = t_workspace(sizeof s->info), *pb = t_to_backend(s->ipiv, pivots);
  bf_batch_rhs   rhs  = {.nrhs = nrhs, .ld = B.ld, .stride = B.stride, .b = B.a, .array = B.array};
  void          *work = t_work(BF_GETRS, &A);
  if (op == 'L' || op == 'U')
    T_OK(bf_potrs_batch(t_be, op == 'L' ? BF_LOWER : BF_UPPER, &A, &rhs, ib, work));
  else
    T_OK(bf_getrs_batch(t_be,
                        op == 'N'   ? BF_NO_TRANS
                        : op == 'T' ? BF_TRANS
                                    : BF_CONJ_TRANS,
                        &A, pb, &rhs, ib, work));
  t_finish(&s->F, &A);
  t_finish(&s->B, &B);
  t_home(s->info, ib, sizeof s->info);
  t_be->ops.release(t_be, pb);
  t_be->ops.release(t_be, work);
}

static void check(bf_scalar type, bf_int n, bf_int nrhs, char op, uint64_t *seed)
{
  const int  cholesky = op == 'L' || op == 'U';
  t_system   s        = system_create(type, n, nrhs, cholesky, op == 'U' ? BF_UPPER : BF_LOWER, seed);
  t_batch    before   = s.B;
  const char form     = cholesky ? 'N' : op;
  s.B.array           = n % 2; /* half of the sizes as pointers */
  before.a            = bf_host_alloc(before.bytes, 1);
  assert_non_null(before.a);
  before.array = s.B.array;
  memcpy(before.a, s.B.a, before.bytes);
  solve(&s, op, nrhs);
  for (bf_int k = 0; k < COUNT; k++) {
    assert_int_equal(s.info[k], 0);
    for (bf_int r = 0; r < nrhs; r++) {
      for (bf_int i = 0; i < n; i++) {
        s.b[i] = t_at(&before, k, i, r);
        s.x[i] = t_at(&s.B, k, i, r);
      }
      const double e = t_solve_error(type, n, form, s.A + (size_t)k * (size_t)n * (size_t)n, s.x, s.b);
      if (!(e <= 10.0))
        fail_msg("type %d n=%d op %c matrix %d column %d: %g", (int)type, (int)n, op, (int)k, (int)r, e);
      for (bf_int i = 0; i < n; i++) t_set(&s.B, k, i, r, s.b[i]);
    }
  }
  assert_memory_equal(s.B.a, before.a, before.bytes); /* nothing but solutions was written */
  bf_host_free(before.a);
  system_destroy(&s);
}

static void solutions_with_lu_have_small_residuals(void **state)
{
  (void)state;
  uint64_t seed = 1;
  for (int t = 0; t < T_TYPES; t++)
    for (int s = 0; s < t_orders_of(T_SOLUTIONS, t_types[t], size, SIZES, 512).count; s++) {
      const bf_int n = t_orders_of(T_SOLUTIONS, t_types[t], size, SIZES, 512).n[s];
      check(t_types[t], n, 1, 'N', &seed);
      check(t_types[t], n, 6, 'N', &seed);
      if (n == 33 || n == 100 || n == 190) check(t_types[t], n, 35, 'N', &seed); /* two blocks of columns */
      if (n > 130) continue;
      check(t_types[t], n, 1, 'T', &seed);
      if (t_quick()) continue;
      check(t_types[t], n, 3, 'C', &seed);
      check(t_types[t], n, 4, 'T', &seed);
    }
}

static void solutions_with_cholesky_have_small_residuals(void **state)
{
  (void)state;
  uint64_t seed = 2;
  for (int t = 0; t < T_TYPES; t++)
    for (int s = 0; s < t_orders_of(T_SOLUTIONS, t_types[t], size, SIZES, 512).count; s++) {
      const bf_int n = t_orders_of(T_SOLUTIONS, t_types[t], size, SIZES, 512).n[s];
      check(t_types[t], n, 1, 'L', &seed);
      check(t_types[t], n, 5, 'U', &seed);
    }
}

static void many_right_hand_sides_are_solved_alike(void **state)
{
  (void)state;
  enum { N = 5, MANY = 5000 };
  uint64_t seed = 3;
  t_system s    = system_create(BF_D, N, 1, 0, BF_LOWER, &seed);
  double  *b    = bf_host_alloc((size_t)N * MANY * COUNT, sizeof *b);
  assert_non_null(b);
  for (int i = 0; i < N * MANY * COUNT; i++) b[i] = i % N == 1 ? 1.0 : 0.0;
  bf_batch     A   = t_start(&s.F);
  bf_batch_rhs rhs = {
      .nrhs = MANY, .ld = N, .stride = N * MANY, .b = t_to_backend(b, sizeof *b * N * MANY * COUNT)};
  bf_int *ib = t_workspace(sizeof s.info), *pb = t_to_backend(s.ipiv, N * COUNT * sizeof *s.ipiv);
  T_OK(bf_getrs_batch(t_be, BF_NO_TRANS, &A, pb, &rhs, ib, NULL));
  t_home(b, rhs.b, sizeof *b * N * MANY * COUNT);
  for (int k = 0; k < COUNT; k++)
    for (int r = 1; r < MANY; r++)
      assert_memory_equal(b + (k * MANY + r) * N, b + k * MANY * N, N * sizeof *b);
  t_home(s.info, ib, sizeof s.info);
  t_finish(&s.F, &A);
  t_be->ops.release(t_be, pb);
  bf_host_free(b);
  system_destroy(&s);
}

/* A zero on the diagonal of a factor, or a NaN: info, and the right-hand sides stay. */
static void bad_factors_are_named_and_solve_nothing(void **state)
{
  (void)state;
  static const bf_int n_of[] = {3, 9, 20, 70};
  uint64_t            seed   = 4;
  for (int t = 0; t < T_TYPES; t++)
    for (int k = 0; k < 8; k++) {
      const bf_int n = n_of[k % 4], nrhs = k < 4 ? 1 : 9;
      t_system     s = system_create(t_types[t], n, nrhs, 0, BF_LOWER, &seed);
      t_set(&s.F, 1, n / 2, n / 2, (t_cx){0.0, 0.0});
      t_set(&s.F, 1, n - 1, n - 1, (t_cx){0.0, 0.0});
      t_set(&s.F, 3, n - 1, n - 1, (t_cx){(double)NAN, 0.0});
      t_batch before = s.B;
      before.a       = bf_host_alloc(before.bytes, 1);
      assert_non_null(before.a);
      memcpy(before.a, s.B.a, before.bytes);
      solve(&s, 'N', nrhs);
      for (bf_int b = 0; b < COUNT; b++) {
        assert_int_equal(s.info[b], b == 1 ? n / 2 + 1 : b == 3 ? n + 1 : 0);
        assert_int_equal(memcmp(s.B.a + t_place(&s.B, b), before.a + t_place(&s.B, b),
                                (size_t)n * bf_scalar_bytes(t_types[t])) == 0,
                         b == 1 || b == 3);
      }
      bf_host_free(before.a);
      system_destroy(&s);
    }
}

int main(int argc, char **argv)
{
  int code = t_backend_open(argc, argv);
  if (code == 0) code = t_batch_missing(t_be->ops.batch.getrs != NULL, "getrs_batch");
  if (code) return code;
  if (bf_backend_create("cpu", NULL, &host) != BF_OK) return 1;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(solutions_with_lu_have_small_residuals),
      cmocka_unit_test(solutions_with_cholesky_have_small_residuals),
      cmocka_unit_test(many_right_hand_sides_are_solved_alike),
      cmocka_unit_test(bad_factors_are_named_and_solve_nothing),
  };
  code = T_RUN(tests);
  bf_backend_destroy(&t_be);
  bf_backend_destroy(&host);
  return code;
}
