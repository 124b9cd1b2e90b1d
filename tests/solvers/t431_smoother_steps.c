/* tests/solvers/t431_smoother_steps.c - steps of Lanczos and of the smoother, the latter with and without the
 * product in one kernel
 *
 * usage: t431_smoother_steps <backend>
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/multigrid/block_rows.h"
#include "kernels/multigrid/hash_noise.h"
#include "kernels/multigrid/ops.h"
#include "kernels/multigrid/planes.h"
#include "tests/solvers/lattice_case.h"

extern void dsyev_(const char *jobz, const char *uplo, const int *n, double *a, const int *lda, double *w,
                   double *work, const int *lwork, int *info);

static double *uniform(int64_t n, uint64_t seed, double from, double to)
{
  double  *v     = malloc((size_t)(n > 0 ? n : 1) * sizeof *v);
  uint64_t state = 2 * seed + 1;
  assert_non_null(v);
  for (int64_t i = 0; i < n; i++) v[i] = from + (to - from) * t_uniform(&state);
  return v;
}

/* ---- Lanczos ---- */

static void a_step_of_lanczos_is_its_formula(void **state)
{
  (void)state;
  static const bf_int sizes[] = {1, 31, 33, 4096, 4097, 70001};
  const int           salt = 7, ncomp = 3;
  for (int q = 0; q < 6; q++) {
    const bf_int n     = sizes[q];
    const size_t bytes = (size_t)n * sizeof(double);
    double      *s = uniform(n, 1, 0.5, 2.0), *y = uniform(n, 2, -1.0, 1.0), *w = malloc(bytes),
           *last    = malloc(bytes);
    bf_mg_lanczos S = {.dot = {0.75}};
    void *S_be = t_to_backend(&S, sizeof S), *s_be = t_to_backend(s, bytes), *y_be = t_to_backend(y, bytes);
    void *w_be = t_to_backend(s, bytes), *b_be = t_to_backend(y, bytes);
    long double norm = 0.0L, next_norm = 0.0L;
    T_OK(t_be->ops.mg_cycle->lanczos_start(t_be, n, ncomp, salt, s_be, w_be, S_be));
    t_to_host(w, w_be, bytes);
    t_to_host(&S, S_be, sizeof S);
    for (bf_int i = 0; i < n; i++) {
      const double v = bf_hash_noise(i / ncomp, i % ncomp, salt);
      norm += (long double)v * v;
      T_NEAR(w[i], s[i] * v, 1e-15);
    }
    T_NEAR(S.scale[0], (double)(1.0L / sqrtl(norm)), 1e-12 * S.scale[0]);
    for (int k = 0; k < 2; k++) { /* step 1 takes the vector before along */
      const double scale = S.scale[k], diag = scale * scale * 0.75;
      const double off = k > 0 ? S.off[k - 1] * S.scale[k - 1] : 0.0;
      t_to_host(last, b_be, bytes);
      T_OK(t_be->ops.mg_cycle->lanczos_step(t_be, n, k, s_be, y_be, w_be, b_be, S_be));
      double *got = malloc(bytes);
      t_to_host(got, b_be, bytes);
      t_to_host(&S, S_be, sizeof S);
      next_norm = 0.0L;
      for (bf_int i = 0; i < n; i++) {
        const double want = scale * (s[i] * s[i] * y[i] - diag * w[i]) - (k > 0 ? off * last[i] : 0.0);
        T_NEAR(got[i], want, 1e-12 * (1.0 + fabs(want)));
        next_norm += (long double)(want / s[i]) * (want / s[i]);
      }
      T_NEAR(S.diag[k], diag, 1e-14 * diag);
      T_NEAR(S.off[k], (double)sqrtl(next_norm), 1e-11 * S.off[k]);
      T_NEAR(S.scale[k + 1] * S.off[k], 1.0, 1e-14);
      memcpy(w, got, bytes);
      free(got);
      void *swap = w_be;
      w_be       = b_be;
      b_be       = swap;
    }
    void *all[] = {S_be, s_be, y_be, w_be, b_be};
    for (int i = 0; i < 5; i++) t_be->ops.release(t_be, all[i]);
    free(s), free(y), free(w), free(last);
  }
}

/* Of D^-1/2 A D^-1/2, by LAPACK */
static double largest_eigenvalue(const t_lattice *L)
{
  const int n = L->rows, lwork = 34 * n;
  double   *a = malloc((size_t)n * (size_t)n * sizeof *a), *w = malloc((size_t)n * sizeof *w),
         *work = malloc((size_t)lwork * sizeof *work);
  int info     = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) a[i * n + j] = L->a[i * n + j] / sqrt(L->a[i * n + i] * L->a[j * n + j]);
  dsyev_("N", "L", &n, a, &n, w, work, &lwork, &info);
  assert_int_equal(info, 0);
  const double most = w[n - 1];
  free(a), free(w), free(work);
  return most;
}

static void as_many_steps_as_unknowns_give_the_eigenvalue_of_lapack(void **state)
{
  (void)state;
  static const bf_int sizes[][3] = {{4, 3, 2}, {3, 2, 1}, {5, 3, 1}, {1, 1, 7}};
  const double        along[3]   = {1.0, 0.5, 0.1};
  for (int D = 1; D <= 2; D++)
    for (int k = 0; k < 4; k++) {
      t_lattice   L = t_lattice_random(sizes[k], D, 1, along, NULL, (uint64_t)k);
      bf_matrix  *A = t_lattice_matrix(&L), *fast = NULL;
      bf_mg_stage s = t_lattice_stage(A, sizes[k]);
      double      lambda;
      if (L.rows <= BF_MG_LANCZOS_MOST) {
        const double exact = BF_MG_LAMBDA_SAFETY * largest_eigenvalue(&L);
        T_OK(bf_mg_lambda(&s, BF_MG_LANCZOS_MOST, &lambda));
        T_NEAR(lambda, exact, 1e-9 * exact);
        T_OK(bf_matrix_to_fp32(A, &fast));
        s.fast = fast;
        T_OK(bf_mg_lambda(&s, BF_MG_LANCZOS_MOST, &lambda));
        T_NEAR(lambda, exact, 1e-5 * exact);
      }
      bf_matrix_destroy(&fast);
      bf_mg_stage_release(&s);
      bf_matrix_destroy(&A);
      t_lattice_free(&L);
    }
}

static void a_krylov_space_of_one_vector_ends_the_steps(void **state)
{
  (void)state;
  const bf_int n[3] = {6, 5, 1};
  uint8_t      fixed[30];
  const double along[3] = {1.0, 1.0, 1.0};
  double       lambda;
  memset(fixed, 1, sizeof fixed);
  t_lattice   L = t_lattice_random(n, 1, 1, along, fixed, 3);
  bf_matrix  *A = t_lattice_matrix(&L);
  bf_mg_stage s = t_lattice_stage(A, n);
  T_OK(bf_mg_lambda(&s, 8, &lambda));
  T_NEAR(lambda, BF_MG_LAMBDA_SAFETY, 1e-12);
  bf_mg_stage_release(&s);
  bf_matrix_destroy(&A);
  t_lattice_free(&L);
}

/* ---- the smoother ---- */

enum { VECTORS = 7, B = 0, R, DINV, Z, NEXT, X, V };

/* Which of the pointers of a step are NULL, and scalars. */
static bf_mg_step variant(int k, double *const v[VECTORS])
{
  bf_mg_step s = {.b = v[B], .r = v[R], .c1 = 0.3, .c2 = 0.7, .before = 1.1, .beta = -0.4};
  if (k == 0) return s; /* the residual */
  s.dinv = v[DINV];
  s.r    = k == 1 || k == 4 ? NULL : k == 5 ? v[B] : v[R];
  s.z    = k == 2 ? NULL : v[Z];
  s.next = k == 1 ? NULL : v[NEXT];
  s.x    = k == 3 ? NULL : v[X];
  s.add  = k != 4;
  return s;
}
enum { VARIANTS = 6 };

/* The formula of ops.h, row by row, on host arrays. */
static void by_formula(int k, int64_t n, const double *y, double *v[VECTORS])
{
  const bf_mg_step s = variant(k, v);
  for (int64_t i = 0; i < n; i++) {
    const long double r = (long double)s.b[i] - (y ? y[i] : 0.0), z = s.z ? s.z[i] : 0.0;
    long double       next = 0.0L;
    if (s.dinv) next = s.c1 * z + s.c2 * s.dinv[i] * r;
    if (s.r) s.r[i] = (double)r;
    if (s.next && s.dinv) s.next[i] = (double)next;
    if (s.x && s.dinv) s.x[i] = (double)((s.add ? s.x[i] : 0.0L) + s.before * z + s.beta * next);
  }
}

/* Vectors with guards in backend memory from host arrays. */
static void upload(bf_int n, bf_int guard, double *const host[VECTORS], double *v[VECTORS])
{
  for (int q = 0; q < VECTORS; q++) {
    T_OK(bf_vector_create(t_be, n, guard, &v[q]));
    T_OK(t_be->ops.copy(t_be, v[q], host[q], (size_t)n * sizeof(double), BF_TO_DEVICE));
  }
}

static void compare(bf_int n, double *const want[VECTORS], double *const v[VECTORS])
{
  double *got = malloc((size_t)n * sizeof *got);
  for (int q = 0; q < VECTORS; q++) {
    t_to_host(got, v[q], (size_t)n * sizeof *got);
    for (bf_int i = 0; i < n; i++) T_NEAR(got[i], want[q][i], 1e-12 * (1.0 + fabs(want[q][i])));
  }
  free(got);
}

static void host_vectors(bf_int n, uint64_t seed, double *h[VECTORS])
{
  for (int q = 0; q < VECTORS; q++) h[q] = uniform(n, seed + (uint64_t)q, -1.0, 1.0);
}

static void a_step_is_its_formula(void **state)
{
  (void)state;
  static const bf_int sizes[] = {1, 31, 65, 20000};
  for (int q = 0; q < 4; q++)
    for (int k = 0; k < VARIANTS; k++)
      for (int zero = 0; zero < 2; zero++) {
        const bf_int n = sizes[q];
        double      *h[VECTORS], *v[VECTORS];
        host_vectors(n, 10, h);
        upload(n, 0, h, v);
        const bf_mg_step s = variant(k, v);
        T_OK(t_be->ops.mg_cycle->step(t_be, n, &s, zero ? NULL : v[V]));
        by_formula(k, n, zero ? NULL : h[V], h);
        compare(n, h, v);
        for (int i = 0; i < VECTORS; i++) bf_vector_destroy(t_be, 0, &v[i]), free(h[i]);
      }
}

/* The step with the product in one kernel beside product and step; skipped by backends without it. */
static void compare_products(const bf_matrix *A, const bf_block_rows *rows, bf_int n, bf_int guard)
{
  int done = 0;
  for (int k = 0; k < VARIANTS && t_be->ops.mg_cycle->product_step; k++) {
    double *h[VECTORS], *v[VECTORS], *y = NULL, *y_host = malloc((size_t)n * sizeof *y_host);
    host_vectors(n, 20 + (uint64_t)k, h);
    upload(n, guard, h, v);
    T_OK(bf_vector_create(t_be, n, guard, &y));
    T_OK(A ? bf_matrix_spmv(A, v[V], y, NULL, NULL) : bf_block_rows_spmv(rows, v[V], y));
    t_to_host(y_host, y, (size_t)n * sizeof *y_host);
    const bf_mg_step s = variant(k, v);
    T_OK(t_be->ops.mg_cycle->product_step(t_be, A, rows, v[V], &s, &done));
    if (done) {
      by_formula(k, n, y_host, h);
      compare(n, h, v);
    }
    bf_vector_destroy(t_be, guard, &y);
    for (int i = 0; i < VECTORS; i++) bf_vector_destroy(t_be, guard, &v[i]), free(h[i]);
    free(y_host);
  }
  if (t_be->ops.mg_cycle->product_step && t_be->ops.on_device) assert_true(done);
}

/* All stored values are used, those over the end of a line too: any diagonals will do. */
static void of_diagonals(const bf_int n[3], int D, int half)
{
  bf_matrix *A = NULL, *A32 = NULL;
  T_OK(bf_lattice_matrix(t_be, n, D, half, &A));
  double *values = uniform(A->bdia->nvalues, 5, -1.0, 1.0);
  T_OK(
      t_be->ops.copy(t_be, A->bdia->values, values, (size_t)A->bdia->nvalues * sizeof *values, BF_TO_DEVICE));
  T_OK(bf_matrix_to_fp32(A, &A32));
  compare_products(A, NULL, A->nrows, A->guard);
  compare_products(A32, NULL, A->nrows, A32->guard);
  free(values);
  bf_matrix_destroy(&A);
  bf_matrix_destroy(&A32);
}

static void steps_with_products_of_diagonals_are_product_and_step(void **state)
{
  (void)state;
  static const bf_int sizes[][3] = {{5, 4, 3}, {33, 31, 1}, {40, 1, 1}, {45, 43, 41}};
  for (int k = 0; k < 4; k++)
    for (int D = 1; D <= 3; D++)
      for (int half = 0; half < 2; half++) of_diagonals(sizes[k], D, half);
  if (t_be->ops.on_device) of_diagonals((const bf_int[]){64, 62, 60}, 1, 1); /* bdia_spmv_half_stencil27.cu */
}

static void steps_with_products_of_block_rows_are_product_and_step(void **state)
{
  (void)state;
  const bf_int n[3]     = {7, 6, 5};
  const double along[3] = {1.0, 0.5, 0.2};
  for (int D = 1; D <= 3; D++) {
    t_lattice      L    = t_lattice_random(n, D, 0, along, NULL, (uint64_t)D);
    bf_matrix     *A    = t_lattice_matrix(&L);
    bf_block_rows *rows = NULL, *fast = NULL;
    T_OK(bf_block_rows_from_matrix(A, &rows));
    T_OK(bf_block_rows_to_fp32(rows, &fast));
    compare_products(NULL, rows, L.rows, 0);
    compare_products(NULL, fast, L.rows, 0);
    bf_block_rows_destroy(&rows);
    bf_block_rows_destroy(&fast);
    bf_matrix_destroy(&A);
    t_lattice_free(&L);
  }
}

int main(int argc, char **argv)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_step_of_lanczos_is_its_formula),
      cmocka_unit_test(as_many_steps_as_unknowns_give_the_eigenvalue_of_lapack),
      cmocka_unit_test(a_krylov_space_of_one_vector_ends_the_steps),
      cmocka_unit_test(a_step_is_its_formula),
      cmocka_unit_test(steps_with_products_of_diagonals_are_product_and_step),
      cmocka_unit_test(steps_with_products_of_block_rows_are_product_and_step),
  };
  const int code = t_backend_open(argc, argv);
  return code ? code : t_backend_close(T_RUN(tests));
}
