/* tests/solvers/t405_block_jacobi.c - solves with block-Jacobi: every method, format and precision finds what
 * the factorisation finds; blocks of one unknown are Jacobi; one block is the solution usage:
 * t405_block_jacobi <backend> */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/batch.h"
#include "kernels/matrix/statistics.h"
#include "kernels/precond/block_jacobi.h"
#include "tests/no_memory.h"
#include "tests/reference/dense.h"
#include "tests/solvers/solver_forms.h"

enum { ROWS = 12, N = T_NX * ROWS };

static const bf_matrix_form forms[] = {
    {.format = BF_FORMAT_CSR},
    {.format = BF_FORMAT_BDIA},
    {.format = BF_FORMAT_BDIA, .half = 1},
    {.format = BF_FORMAT_ELL},
    {.format = BF_FORMAT_HYBRID, .half = 1},
};
enum { FORMS = sizeof forms / sizeof *forms };

static bf_partition *parts_of(const bf_sparse *S, bf_int size)
{
  bf_graph     *g = NULL;
  bf_partition *p = NULL;
  T_OK(bf_sparse_graph(S, 1, &g));
  T_OK(bf_partition_create(g, (S->nrows + size - 1) / size, 512, &p));
  bf_graph_destroy(&g);
  return p;
}

static bf_solve_options options(bf_method method, const bf_partition *parts, bf_prec values)
{
  bf_solve_options opt = t_options(method, BF_PRECOND_BLOCK_JACOBI, 1e-10);
  opt.parts            = parts;
  opt.block_values     = values;
  return opt;
}

static t_solution solved(const bf_matrix *A, const bf_matrix *fast, const double *b,
                         const bf_solve_options *opt)
{
  t_solution s = {.x = NULL};
  T_OK(t_solve(A, fast, b, NULL, opt, &s));
  if (s.rep.reason != BF_KRYLOV_CONVERGED)
    fail_msg("%s on %s: %s", bf_method_name(opt->method), bf_format_word(A->format), s.rep.text);
  T_LE(s.rep.true_residual, opt->rtol);
  return s;
}

static void near_solution(const t_solution *s, const double *want, double within)
{
  double error = 0.0, size = 0.0;
  for (int i = 0; i < N; i++) {
    error += (s->x[i] - want[i]) * (s->x[i] - want[i]);
    size += want[i] * want[i];
  }
  T_LE(sqrt(error), within * sqrt(size));
}

/* All forms, fp64 and fp32 matrices, inverses in fp64 and fp32; twice, to the same bits. */
static void solve_all(t_entry a, int symmetric, const bf_method *method, int nmethods)
{
  uint64_t      seed = 5;
  double       *b    = t_random_vector(N, &seed);
  bf_sparse    *S    = t_sparse(N, a);
  bf_partition *p    = parts_of(S, 24);
  t_solution    want = t_direct(S, 1, b, NULL);
  for (int f = 0; f < FORMS; f++) {
    if (forms[f].half && !symmetric) continue;
    bf_matrix *A = t_stored(S, &forms[f], BF_FP64), *A32 = t_stored(S, &forms[f], BF_FP32);
    for (int m = 0; m < nmethods * 4; m++) {
      T_ONE_OF(11);
      const bf_solve_options opt  = options(method[m / 4], p, m & 1 ? BF_FP32 : BF_FP64);
      const bf_matrix       *fast = m & 2 ? A32 : NULL;
      t_solution             one = solved(A, fast, b, &opt), two = solved(A, fast, b, &opt);
      near_solution(&one, want.x, 200.0 * opt.rtol);
      assert_int_equal(one.rep.blocks.count, p->count);
      assert_memory_equal(one.x, two.x, N * sizeof(double));
      assert_int_equal(one.rep.iterations, two.rep.iterations);
      assert_memory_equal(one.rep.history, two.rep.history, (size_t)one.rep.nhistory * sizeof(double));
      t_solution_clear(&one);
      t_solution_clear(&two);
    }
    bf_matrix_destroy(&A);
    bf_matrix_destroy(&A32);
  }
  t_solution_clear(&want);
  bf_partition_destroy(&p);
  bf_sparse_destroy(&S);
  free(b);
}

static void positive_definite_systems_are_solved_by_every_method(void **state)
{
  (void)state;
  solve_all(t_definite, 1, (const bf_method[]){BF_METHOD_CG, BF_METHOD_BICGSTAB, BF_METHOD_BICG}, 3);
}

static void unsymmetric_systems_by_bicgstab_and_bicg(void **state)
{
  (void)state;
  solve_all(t_windy, 0, (const bf_method[]){BF_METHOD_BICGSTAB, BF_METHOD_BICG}, 2);
}

/* To rounding at first; it grows until the end. */
static void same_iterates(const t_solution *one, const t_solution *two)
{
  T_NEAR((double)one->rep.iterations, (double)two->rep.iterations, 1.0);
  for (int i = 0; i <= 10; i++) T_NEAR(two->rep.history[i], one->rep.history[i], 1e-8 * one->rep.history[i]);
}

static void blocks_of_one_unknown_are_jacobi(void **state)
{
  (void)state;
  T_LONG;
  uint64_t   seed = 6;
  double    *b    = t_random_vector(N, &seed);
  bf_sparse *S    = t_sparse(N, t_laplace);
  for (int m = BF_METHOD_CG; m <= BF_METHOD_BICG; m++) {
    bf_matrix       *A     = t_stored(S, &forms[1], BF_FP64);
    bf_partition    *p     = parts_of(S, 1);
    bf_solve_options plain = t_options((bf_method)m, BF_PRECOND_JACOBI, 1e-10),
                     opt   = options((bf_method)m, p, BF_FP64);
    t_solution one = solved(A, NULL, b, &plain), two = solved(A, NULL, b, &opt);
    assert_int_equal(two.rep.blocks.count, N);
    assert_int_equal(two.rep.blocks.largest, 1);
    same_iterates(&one, &two);
    t_solution_clear(&one);
    t_solution_clear(&two);
    bf_partition_destroy(&p);
    bf_matrix_destroy(&A);
  }
  bf_sparse_destroy(&S);
  free(b);
}

static void one_block_is_the_solution(void **state)
{
  (void)state;
  uint64_t      seed = 7;
  double       *b    = t_random_vector(N, &seed);
  bf_sparse    *S    = t_sparse(N, t_wind);
  bf_matrix    *A    = t_stored(S, &forms[0], BF_FP64);
  bf_partition *p    = parts_of(S, N);
  for (int m = BF_METHOD_BICGSTAB; m <= BF_METHOD_BICG; m++) {
    const bf_solve_options opt = options((bf_method)m, p, BF_FP64);
    t_solution             s   = solved(A, NULL, b, &opt);
    assert_int_equal(s.rep.blocks.count, 1);
    assert_true(s.rep.iterations <= 2);
    t_solution_clear(&s);
  }
  bf_partition_destroy(&p);
  bf_matrix_destroy(&A);
  bf_sparse_destroy(&S);
  free(b);
}

/* BiCG carries other vectors along than CG, to the same iterates. */
static void on_a_symmetric_matrix_bicg_makes_the_iterates_of_cg(void **state)
{
  (void)state;
  T_LONG_CHAINS;
  uint64_t         seed = 8;
  double          *b    = t_random_vector(N, &seed);
  bf_sparse       *S    = t_sparse(N, t_laplace);
  bf_matrix       *A    = t_stored(S, &forms[1], BF_FP64);
  bf_partition    *p    = parts_of(S, 30);
  bf_solve_options cg = options(BF_METHOD_CG, p, BF_FP64), bicg = options(BF_METHOD_BICG, p, BF_FP64);
  t_solution       one = solved(A, NULL, b, &cg), two = solved(A, NULL, b, &bicg);
  same_iterates(&one, &two);
  t_solution_clear(&one);
  t_solution_clear(&two);
  bf_partition_destroy(&p);
  bf_matrix_destroy(&A);
  bf_sparse_destroy(&S);
  free(b);
}

/* A chain whose links 16 k are weak: blocks that end there are nearly the whole matrix. */
static double stiff_pieces(bf_int n, bf_int i, bf_int j)
{
  const bf_int low = i < j ? i : j, d = i < j ? j - i : i - j;
  const double link = low % 16 == 15 ? 1e-4 : 1.0;
  (void)n;
  if (d == 1) return -link;
  if (d > 1) return 0.0;
  return 1e-6 + (i > 0 ? (i % 16 == 0 ? 1e-4 : 1.0) : 0.0) + (i % 16 == 15 ? 1e-4 : 1.0);
}

static void strong_couplings_within_blocks_are_solved_by_the_blocks(void **state)
{
  (void)state;
  T_LONG;
  enum { SIZE = 16, LONG = 16 * SIZE };
  bf_int       ptr[LONG / SIZE + 1], vertex[LONG];
  bf_partition parts = {LONG, LONG / SIZE, ptr, vertex};
  uint64_t     seed  = 9;
  double      *b     = t_random_vector(LONG, &seed);
  bf_sparse   *S     = t_sparse(LONG, stiff_pieces);
  bf_matrix   *A     = t_stored(S, &forms[0], BF_FP64);
  for (int i = 0; i < LONG; i++) vertex[i] = i;
  for (int k = 0; k <= LONG / SIZE; k++) ptr[k] = k * SIZE;
  bf_solve_options plain = t_options(BF_METHOD_CG, BF_PRECOND_JACOBI, 1e-8),
                   opt   = options(BF_METHOD_CG, &parts, BF_FP32);
  opt.rtol               = 1e-8;
  t_solution one = solved(A, NULL, b, &plain), two = solved(A, NULL, b, &opt);
  T_LE(4.0 * two.rep.iterations, one.rep.iterations);
  t_solution_clear(&one);
  t_solution_clear(&two);
  bf_matrix_destroy(&A);
  bf_sparse_destroy(&S);
  free(b);
}

/* Rows 20 and 21 of the Laplacian changed so that the block of both has no inverse; the matrix has one. */
static double singular_pair(bf_int n, bf_int i, bf_int j)
{
  if ((i == 20 || i == 21) && (j == 20 || j == 21)) return 2.0;
  return t_wind(n, i, j);
}

static void a_singular_block_is_reported_and_the_solve_goes_on(void **state)
{
  (void)state;
  bf_int       ptr[N / 2 + 1], vertex[N];
  bf_partition parts = {N, N / 2, ptr, vertex};
  uint64_t     seed  = 10;
  double      *b     = t_random_vector(N, &seed);
  bf_sparse   *S     = t_sparse(N, singular_pair);
  t_solution   want  = t_direct(S, 1, b, NULL);
  bf_matrix   *A     = t_stored(S, &forms[0], BF_FP64);
  for (int i = 0; i < N; i++) vertex[i] = i;
  for (int k = 0; k <= N / 2; k++) ptr[k] = k * 2;
  const bf_solve_options opt = options(BF_METHOD_BICGSTAB, &parts, BF_FP64);
  t_solution             s   = solved(A, NULL, b, &opt);
  assert_int_equal(s.rep.blocks.singular, 1);
  assert_int_equal(s.rep.blocks.singular_row, 21);
  near_solution(&s, want.x, 1e-6);
  t_solution_clear(&s);
  t_solution_clear(&want);
  bf_matrix_destroy(&A);
  bf_sparse_destroy(&S);
  free(b);
}

static void nothing_leaks_when_an_allocation_fails(void **state)
{
  (void)state;
  T_LONG;
  uint64_t               seed = 11;
  double                *b    = t_random_vector(N, &seed);
  bf_sparse             *S    = t_sparse(N, t_laplace);
  bf_matrix             *A    = t_stored(S, &forms[1], BF_FP64);
  bf_partition          *p    = parts_of(S, 24);
  double                *db = NULL, *dx = NULL;
  const bf_solve_options opt = options(BF_METHOD_CG, p, BF_FP32);
  T_OK(bf_vector_create(t_be, N, A->guard, &db));
  T_OK(bf_vector_create(t_be, N, A->guard, &dx));
  T_OK(t_be->ops.copy(t_be, db, b, N * sizeof *b, BF_TO_DEVICE));
  bf_solve_report rep;
  T_OK(bf_solve(A, NULL, db, dx, &opt, &rep)); /* the backend keeps its scratch of it */
  bf_solve_report_clear(&rep);
  t_no_memory t = {0};
  while (t_no_memory_next(&t)) {
    T_OK(t_be->ops.zero(t_be, dx, N * sizeof *b));
    t_no_memory_begin(&t);
    t_no_memory_end(&t, bf_solve(A, NULL, db, dx, &opt, &rep));
    bf_solve_report_clear(&rep);
  }
  assert_in_range(t.failed, 1, 198);
  bf_vector_destroy(t_be, A->guard, &db);
  bf_vector_destroy(t_be, A->guard, &dx);
  bf_partition_destroy(&p);
  bf_matrix_destroy(&A);
  bf_sparse_destroy(&S);
  free(b);
}

static void making_blocks_takes_no_more_than_was_forecast(void **state)
{
  (void)state;
  static const bf_int largest[] = {1, 24, 65, 96, 192, 193, 257, 384, 512}, count[] = {1, 100, 4096, 20000};
  const int           device = t_be->ops.on_device;
  if (!device) skip();
  for (size_t i = 0; i < sizeof largest / sizeof *largest; i++)
    for (size_t k = 0; k < sizeof count / sizeof *count; k++) {
      const bf_int   n = largest[i], ld = (n + 7) / 8 * 8, rows = 512;
      const bf_batch A      = {.type = BF_D, .n = n, .ld = ld, .count = count[k], .stride = (int64_t)ld * n};
      const int64_t  beside = bf_blocks_forecast(rows, count[k], n, BF_FP64, 1).setup -
                             bf_blocks_forecast(rows, count[k], n, BF_FP64, 0).setup;
      size_t bytes;
      T_OK(bf_batch_work(t_be, BF_INVERSE, &A, &bytes));
      assert_true((int64_t)bytes <= beside);
      assert_true(n < 193 || 10 * (int64_t)bytes >= 9 * beside - 100000);
    }
}

int main(int argc, char **argv)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(positive_definite_systems_are_solved_by_every_method),
      cmocka_unit_test(unsymmetric_systems_by_bicgstab_and_bicg),
      cmocka_unit_test(blocks_of_one_unknown_are_jacobi),
      cmocka_unit_test(one_block_is_the_solution),
      cmocka_unit_test(on_a_symmetric_matrix_bicg_makes_the_iterates_of_cg),
      cmocka_unit_test(strong_couplings_within_blocks_are_solved_by_the_blocks),
      cmocka_unit_test(a_singular_block_is_reported_and_the_solve_goes_on),
      cmocka_unit_test(making_blocks_takes_no_more_than_was_forecast),
      cmocka_unit_test(nothing_leaks_when_an_allocation_fails),
  };
  const int code = t_backend_open(argc, argv);
  return code ? code : t_backend_close(T_RUN(tests));
}
