/* tests/kernels/dense/t379_sysolve.c - a few right-hand sides with one symmetric matrix
 * usage: t379_sysolve <backend> */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/kernels/dense/syinv_case.h"

/* ||b - A x|| / ((||A|| ||x|| + ||b||) n u); the padding of b is NaN */
static double solve(t_syinv *t, bf_int nrhs)
{
  const size_t N = (size_t)t->n, ldb = N + 2, e = bf_scalar_bytes(t->type), K = (size_t)nrhs;
  const double u     = t->type == BF_S ? (double)FLT_EPSILON : DBL_EPSILON;
  double       worst = 0.0, *B = bf_host_alloc(ldb * K + 1, sizeof *B);
  char        *a = bf_host_alloc(N * N, e), *b = bf_host_alloc(ldb * K + 1, e);
  uint64_t     seed = 5;
  size_t       bytes;
  assert_true(a && b && B);
  for (size_t k = 0; k < N * N + ldb * K; k++) {
    const size_t q = k - N * N;
    const double x = k < N * N ? t->A[k] : q % ldb < N ? t_uniform(&seed) : (double)NAN;
    if (k >= N * N) B[q] = t->type == BF_S ? (double)(float)x : x;
    char *to = k < N * N ? a + k * e : b + q * e;
    if (t->type == BF_S)
      *(float *)(void *)to = (float)x;
    else
      *(double *)(void *)to = x;
  }
  T_OK(bf_sysolve_work(t_be, &t->how, t->type, t->n, nrhs, &bytes));
  void *work = NULL, *da = t_to_backend(a, N * N * e), *db = t_to_backend(b, ldb * K * e);
  T_OK(t_be->ops.alloc(t_be, bytes, &work));
  T_OK(bf_sysolve(t_be, &t->how, t->type, t->n, t->n, da, nrhs, (bf_int)ldb, db, work, &t->report));
  t_to_host(b, db, ldb * K * e);
  for (size_t k = 0; k < K; k++) {
    double r2 = 0.0, x2 = 0.0, a2 = 0.0, b2 = 0.0;
    for (size_t i = 0; i < N; i++) {
      double r = B[k * ldb + i];
      for (size_t j = 0; j < N; j++) r -= t->A[j * N + i] * t_load(t->type, b, k * ldb + j);
      for (size_t j = 0; j < N; j++) a2 += t->A[j * N + i] * t->A[j * N + i];
      r2 += r * r;
      x2 += t_load(t->type, b, k * ldb + i) * t_load(t->type, b, k * ldb + i);
      b2 += B[k * ldb + i] * B[k * ldb + i];
    }
    const double error = sqrt(r2) / ((sqrt(a2 * x2) + sqrt(b2)) * (double)t->n * u);
    worst              = error <= worst ? worst : error;
    for (size_t i = N; i < ldb; i++) assert_true(isnan(t_load(t->type, b, k * ldb + i)));
    if (!(error < INFINITY)) worst = INFINITY;
  }
  t_be->ops.release(t_be, work);
  t_be->ops.release(t_be, da);
  t_be->ops.release(t_be, db);
  bf_host_free(a);
  bf_host_free(b);
  bf_host_free(B);
  return worst;
}

static void solutions_of_all_families_are_accurate(void **state)
{
  static const bf_int n[] = {1, 2, 31, 64, 129, 300, 700};
  (void)state;
  for (size_t k = 0; k < sizeof n / sizeof *n; k++)
    for (int type = BF_S; type <= BF_D; type++)
      for (int f = T_SPD; f <= T_ZERO_DIAGONAL; f++) {
        T_ONE_OF(5)
        t_syinv      t = t_syinv_create((bf_scalar)type, n[k], (t_family)f);
        const double e = solve(&t, (bf_int)(1 + 2 * (k % 3)));
        if (t.report.info != 0 || !(e <= 10.0))
          fail_msg("%c n=%d %s: info %d, error %g", "sd"[type], (int)n[k], t_family_name((t_family)f),
                   (int)t.report.info, e);
        if (f == T_SPD) assert_int_equal(t.report.path, BF_SYINV_DEFINITE);
        t_syinv_destroy(&t);
      }
}

static void every_rank_gives_an_accurate_solution(void **state)
{
  static const bf_int rank[] = {128, 256, 384};
  (void)state;
  for (size_t k = 0; k < sizeof rank / sizeof *rank; k++) {
    t_syinv t = t_syinv_create(BF_D, 333, T_SPD);
    t.how     = (bf_syinv_how){.rank = rank[k], .method = BF_SYINV_DEFINITE};
    T_LE(solve(&t, 3), 10.0);
    t_syinv_destroy(&t);
  }
}

static void matrices_that_are_not_definite_or_finite_give_info(void **state)
{
  (void)state;
  t_syinv t            = t_syinv_create(BF_D, 200, T_SPD);
  t.how.method         = BF_SYINV_DEFINITE;
  t.A[150 * 200 + 150] = -1.0;
  solve(&t, 1);
  assert_int_equal(t.report.info, 151);
  t.A[150 * 200 + 150] = (double)NAN;
  t.how.method         = BF_SYINV_AUTO;
  solve(&t, 1);
  assert_int_equal(t.report.info, 201);
  t_syinv_destroy(&t);
}

int main(int argc, char **argv)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(solutions_of_all_families_are_accurate),
      cmocka_unit_test(every_rank_gives_an_accurate_solution),
      cmocka_unit_test(matrices_that_are_not_definite_or_finite_give_info),
  };
  const int code = t_backend_open(argc, argv);
  return code ? code : t_backend_close(T_RUN(tests));
}
