/* tests/kernels/dense/t377_eigen_forms.c - batched eigen-decompositions in every form a batch can have:
 * several sizes behind pointers, matrices that fail, triangles that are not read, known spectra to order 512,
 * powers of two, a million matrices, places beyond 2^31 usage: t377_eigen_forms <backend> */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/kernels/dense/batch_hermitian.h"

static double value_of(const t_batch *B, const void *w, bf_int b, bf_int k)
{
  return t_load(t_real_type(B->type), w, (int64_t)b * B->n + k).re;
}

/* The matrix of number id: the same wherever it stands. */
static void plant(t_batch *B, bf_int b, int id)
{
  const bf_int n = t_order(B, b), own = B->n;
  uint64_t     seed = 500 + (uint64_t)id;
  t_cx        *A    = bf_host_alloc((size_t)n * (size_t)n + 1, sizeof *A);
  assert_non_null(A);
  B->n = n; /* t_fill takes the order from here */
  if (n > 0) t_fill(B, b, id % 5 == 3 ? t_diagonal : id % 5 == 4 ? t_graded : t_plain, A, &seed);
  B->n = own;
  bf_host_free(A);
}

/* Matrix b, its values and info against the same one alone. */
static void alone(const t_batch *B, const void *w, const bf_int *info, bf_int b, int id,
                  const bf_heev_how *how)
{
  const bf_int n   = t_order(B, b);
  t_batch      one = t_batch_create(B->type, n, 1);
  double      *v   = bf_host_alloc((size_t)n, sizeof *v);
  bf_int       said;
  assert_non_null(v);
  plant(&one, 0, id);
  t_heev(&one, how, v, &said);
  assert_int_equal(info[b], said);
  if (!t_same(B, b, &one, 0)) fail_msg("type %d n=%d: other vectors than alone", (int)B->type, (int)n);
  for (bf_int k = 0; k < n; k++) assert_true(value_of(B, w, b, k) == value_of(&one, v, 0, k));
  bf_host_free(v);
  t_batch_destroy(&one);
}

static void several_sizes(bf_scalar type, bf_int most, bf_int count, bf_uplo uplo)
{
  const bf_heev_how how  = {.vectors = 1, .uplo = uplo};
  uint64_t          seed = 17 + (uint64_t)most;
  t_batch           B    = t_batch_create(type, most, count);
  double           *w    = bf_host_alloc((size_t)count * (size_t)most, sizeof *w);
  bf_int           *info = bf_host_alloc((size_t)count, sizeof *info);
  B.sizes                = bf_host_alloc((size_t)count, sizeof *B.sizes);
  B.array                = 1;
  assert_true(w && info && B.sizes);
  for (bf_int b = 0; b < count; b++) {
    B.sizes[b] = (bf_int)(t_random(&seed) % (uint64_t)(most + 1));
    plant(&B, b, b);
  }
  B.sizes[1] = most;
  plant(&B, 1, 1);
  t_heev(&B, &how, w, info);
  t_guards(&B);
  for (bf_int b = 0; b < count; b++) {
    if (B.sizes[b] == 0) assert_int_equal(info[b], 0);
    if (B.sizes[b] > 0) alone(&B, w, info, b, b, &how);
  }
  bf_host_free(w);
  bf_host_free(info);
  t_batch_destroy(&B);
}

static void several_sizes_behind_pointers_become_what_they_are_alone(void **state)
{
  (void)state;
  for (int t = 0; t < T_TYPES; t++) {
    T_ONE_OF(1);
    several_sizes(t_types[t], 9, t_quick() ? 7 : 40, BF_LOWER);
    several_sizes(t_types[t], 40, t_quick() ? 7 : 60, t % 2 ? BF_UPPER : BF_LOWER);
    if (t_quick() == 2) continue;
    several_sizes(t_types[t], 150, t_quick() ? 4 : 16, t % 2 ? BF_LOWER : BF_UPPER);
  }
}

/* Of one size: strided and behind pointers in another order. */
static void pointers_and_strides_give_the_same_bits(void **state)
{
  (void)state;
  enum { COUNT = 11 };
  static const bf_int size[] = {1, 4, 7, 16, 32, 33, 64, 65, 130};
  const bf_heev_how   how    = {.vectors = 1};
  for (int t = 0; t < T_TYPES; t++)
    for (size_t s = 0; s < sizeof size / sizeof *size; s++) {
      T_ONE_OF(5);
      const bf_int n = size[s];
      t_batch      B = t_batch_create(t_types[t], n, COUNT), C = t_batch_create(t_types[t], n, COUNT);
      double       w[COUNT * 130], l[COUNT * 130];
      bf_int       info[COUNT];
      C.array = 1;
      for (bf_int b = 0; b < COUNT; b++) plant(&B, b, b), plant(&C, b, (b * 5 + 3) % COUNT);
      t_heev(&B, &how, w, info);
      t_heev(&C, &how, l, info);
      t_guards(&B);
      t_guards(&C);
      for (bf_int b = 0; b < COUNT; b++) {
        const bf_int of = (b * 5 + 3) % COUNT;
        assert_int_equal(info[b], 0);
        assert_true(t_same(&C, b, &B, of));
        for (bf_int k = 0; k < n; k++) assert_true(value_of(&C, l, b, k) == value_of(&B, w, of, k));
      }
      t_batch_destroy(&B);
      t_batch_destroy(&C);
    }
}

/* NaN where nothing is read: the other triangle, imaginary parts of the diagonal. */
static void hide(t_batch *B, bf_int b, bf_uplo uplo)
{
  for (bf_int j = 0; j < B->n; j++)
    for (bf_int i = 0; i < B->n; i++)
      if (uplo == BF_LOWER ? i < j : i > j)
        t_set(B, b, i, j, (t_cx){(double)NAN, (double)NAN});
      else if (i == j)
        t_set(B, b, i, j, (t_cx){t_at(B, b, i, j).re, (double)NAN});
}

/* Planted entries in the triangle that counts, everything hidden in the other: bits of a batch without. */
static void failures(bf_scalar type, bf_int n, bf_uplo uplo)
{
  enum { COUNT = 23 };
  const bf_heev_how how = {.vectors = 1, .uplo = uplo};
  t_batch           B = t_batch_create(type, n, COUNT), C = t_batch_create(type, n, COUNT);
  double           *w = bf_host_alloc(2 * (size_t)COUNT * (size_t)n, sizeof *w), *l = w + COUNT * n;
  bf_int            info[COUNT], last                                               = n - 1;
  assert_non_null(w);
  for (bf_int b = 0; b < COUNT; b++) {
    plant(&B, b, b), plant(&C, b, b);
    hide(&B, b, uplo);
  }
  t_set(&B, 4, uplo == BF_LOWER ? last : 0, uplo == BF_LOWER ? 0 : last, (t_cx){(double)NAN, 0.0});
  t_set(&B, 9, last, last, (t_cx){-(double)INFINITY, 0.0});
  t_set(&B, 22, 0, 0, (t_cx){(double)NAN, 0.0});
  t_heev(&C, &how, l, info);
  t_heev(&B, &how, w, info);
  t_guards(&B);
  for (bf_int b = 0; b < COUNT; b++) {
    const int bad = b == 4 || b == 9 || b == 22;
    if (info[b] != (bad ? n + 1 : 0))
      fail_msg("type %d n=%d b=%d: info %d", (int)type, (int)n, (int)b, (int)info[b]);
    if (!bad && !t_same(&B, b, &C, b)) fail_msg("type %d n=%d b=%d: other bits", (int)type, (int)n, (int)b);
    for (bf_int k = 0; k < n; k++)
      assert_true(bad ? isnan(value_of(&B, w, b, k)) : value_of(&B, w, b, k) == value_of(&C, l, b, k));
    if (bad) assert_true(isnan(t_at(&B, b, 0, last).re) && isnan(t_at(&B, b, last, 0).re));
  }
  bf_host_free(w);
  t_batch_destroy(&B);
  t_batch_destroy(&C);
}

static void what_is_not_finite_fails_alone_and_half_of_a_matrix_is_not_read(void **state)
{
  (void)state;
  static const bf_int size[] = {2, 3, 8, 9, 16, 17, 31, 33, 64, 65, 100, 130, 200};
  for (int t = 0; t < T_TYPES; t++)
    for (size_t s = 0; s < sizeof size / sizeof *size; s++)
      if (!t_quick() || ((s + (size_t)t) % 5 == 0 && (t_quick() < 2 || size[s] <= 65)))
        failures(t_types[t], size[s], (s + (size_t)t) % 2 ? BF_UPPER : BF_LOWER);
}

/* Eigenvalue k of n, ascending, in closed form. */
static double exact(t_member *of, bf_int n, bf_int k)
{
  if (of == t_identity) return 3.0;
  if (of == t_two_values) return k < n - n / 2 ? 1.0 : 2.0;
  if (of == t_clement) return 2.0 * k - (n - 1.0);
  const double s = sin(0.5 * acos(-1.0) * (k + 1) / (n + 1.0)); /* t_laplace_line */
  return 4.0 * s * s;
}

static void known_spectra_are_met_to_order_512(void **state)
{
  (void)state;
  T_LONG;
  static const bf_int size[] = {1, 2, 3, 31, 32, 33, 63, 64, 65, 127, 128, 129, 160, 190, 255, 256, 384, 512};
  static t_member *const of[] = {t_laplace_line, t_clement, t_two_values, t_identity};
  enum { OF = sizeof of / sizeof *of };
  for (int t = 0; t < T_TYPES; t++)
    for (size_t s = 0; s < sizeof size / sizeof *size; s++) {
      const bf_int      n   = size[s];
      const bf_heev_how how = {.vectors = n <= 256 && (s + (size_t)t) % 2,
                               .uplo    = s % 2 ? BF_UPPER : BF_LOWER};
      t_batch           B   = t_batch_create(t_types[t], n, OF);
      t_cx             *A   = bf_host_alloc((size_t)n * (size_t)n, sizeof *A);
      double           *w   = bf_host_alloc((size_t)OF * (size_t)n, sizeof *w);
      bf_int            info[OF];
      uint64_t          seed = 1;
      assert_true(A && w);
      for (int m = 0; m < OF; m++) t_fill(&B, m, of[m], A, &seed);
      t_heev(&B, &how, w, info);
      t_guards(&B);
      for (int m = 0; m < OF; m++) {
        double most = 0.0, apart = 0.0;
        assert_int_equal(info[m], 0);
        for (bf_int k = 0; k < n; k++) {
          most  = fmax(most, fabs(exact(of[m], n, k)));
          apart = fmax(apart, fabs(value_of(&B, w, m, k) - exact(of[m], n, k)));
        }
        const double within = of[m] == t_two_values && n > 256 ? 80.0
                              : n <= 64                        ? 20.0
                                                               : 40.0; /* LAPACK: 52 */
        if (!(apart <= within * t_u(B.type) * most))
          fail_msg("type %d n=%d member %d: %g u", (int)B.type, (int)n, m, apart / most / t_u(B.type));
      }
      bf_host_free(A);
      bf_host_free(w);
      t_batch_destroy(&B);
    }
}

/* Of some columns ||A v - w v|| / (||A|| n u), of all pairs with them |v_i^H v_j - [i = j]| / (n u). */
static void score(const t_batch *V, bf_int b, const t_cx *A, const void *w, double err[2])
{
  const bf_int n = V->n;
  t_cx        *v = bf_host_alloc(2 * (size_t)n, sizeof *v), *r = v + n;
  const double norm = t_norm((int64_t)n * n, A);
  assert_non_null(v);
  err[0] = err[1] = 0.0;
  for (bf_int j = 0; j < n; j += 1 + n / 9) {
    const double l = value_of(V, w, b, j);
    for (bf_int i = 0; i < n; i++) v[i] = t_at(V, b, i, j), r[i] = t_times(v[i], -l);
    for (bf_int k = 0; k < n; k++)
      for (bf_int i = 0; i < n; i++) {
        const t_cx a = A[(int64_t)k * n + i];
        r[i].re += a.re * v[k].re - a.im * v[k].im;
        r[i].im += a.re * v[k].im + a.im * v[k].re;
      }
    err[0] = fmax(err[0], t_norm(n, r) / norm / n / t_u(V->type));
    for (bf_int c = 0; c < n; c++) {
      t_cx q = {c == j ? -1.0 : 0.0, 0.0};
      for (bf_int k = 0; k < n; k++) {
        const t_cx x = t_at(V, b, k, c);
        q.re += x.re * v[k].re + x.im * v[k].im;
        q.im += x.re * v[k].im - x.im * v[k].re;
      }
      err[1] = fmax(err[1], hypot(q.re, q.im) / n / t_u(V->type));
    }
  }
  bf_host_free(v);
}

static void random_matrices_of_every_order_decompose(void **state)
{
  (void)state;
  static const bf_int size[] = {127, 128, 129, 160, 190, 255, 256, 384, 512};
  enum { SIZES = sizeof size / sizeof *size };
  uint64_t seed = 77;
  for (int t = 0; t < T_TYPES; t++)
    for (int s = 0; s < t_orders_of(T_EIGEN, t_types[t], size, SIZES, 512).count; s++) {
      T_ONE_OF(1);
      const bf_int n = t_orders_of(T_EIGEN, t_types[t], size, SIZES, 512).n[s];
      t_batch      B = t_batch_create(t_types[t], n, 1);
      t_cx        *A = bf_host_alloc((size_t)n * (size_t)n, sizeof *A);
      double      *w = bf_host_alloc((size_t)n, sizeof *w), err[2];
      bf_int       info;
      assert_true(A && w);
      t_fill(&B, 0, t_plain, A, &seed);
      t_heev(&B, &(bf_heev_how){.vectors = 1, .uplo = s % 2 ? BF_UPPER : BF_LOWER}, w, &info);
      t_guards(&B);
      assert_int_equal(info, 0);
      score(&B, 0, A, w, err);
      T_LE(err[0], 10.0);
      T_LE(err[1], 50.0);
      bf_host_free(A);
      bf_host_free(w);
      t_batch_destroy(&B);
    }
}

/* 2^k A has 2^k times the values of A, and on a device, which does not use LAPACK, the same vectors, bit for
 * bit.
 */
static void powers_of_two_scale_exactly(void **state)
{
  (void)state;
  T_LONG;
  static const bf_int size[] = {2, 3, 8, 16, 17, 32, 33, 64, 65, 130};
  const bf_heev_how   how    = {.vectors = 1};
  for (int t = 0; t < T_TYPES; t++)
    for (size_t s = 0; s < sizeof size / sizeof *size; s++)
      for (int sign = -1; sign <= 1; sign += 2) {
        const bf_int n     = size[s];
        const double f     = ldexp(1.0, sign * (t_is_single(t_types[t]) ? 60 : 500)),
                     apart = t_be->ops.on_device ? 0.0 : 20.0 * t_u(t_types[t]) * n;
        t_batch B = t_batch_create(t_types[t], n, 1), C = t_batch_create(t_types[t], n, 1);
        double  w[130], l[130];
        bf_int  info[2];
        plant(&B, 0, 0), plant(&C, 0, 0);
        for (bf_int j = 0; j < n; j++)
          for (bf_int i = 0; i < n; i++) t_set(&C, 0, i, j, t_times(t_at(&C, 0, i, j), f));
        t_heev(&B, &how, w, &info[0]);
        t_heev(&C, &how, l, &info[1]);
        assert_int_equal(info[0] + info[1], 0);
        if (t_be->ops.on_device && !t_same(&B, 0, &C, 0))
          fail_msg("type %d n=%d: other vectors at 2^%d", (int)B.type, (int)n, ilogb(f));
        for (bf_int k = 0; k < n; k++) T_NEAR(value_of(&B, w, 0, k), value_of(&C, l, 0, k) / f, apart);
        t_batch_destroy(&B);
        t_batch_destroy(&C);
      }
}

static t_cx almost_nothing(bf_scalar type, bf_int n, bf_int i, bf_int j, t_cx r)
{
  (void)n, (void)r;
  return (t_cx){i == j ? 1.0 : t_is_single(type) ? 1e-42 : 1e-320, 0.0};
}

/* Where rotations go wrong: equal diagonals, entries whose squares are nothing, angles of 45 degrees. */
static void fifteen_sweeps_are_enough_for_what_is_hard_on_rotations(void **state)
{
  (void)state;
  enum { OF = 6 };
  static t_member *const of[OF] = {t_equal_diagonal, t_ones,       almost_nothing,
                                   t_pairs,          t_two_values, t_identity};
  const bf_heev_how      how    = {.vectors = 1, .sweeps = 15};
  uint64_t               seed   = 5;
  static t_cx            A[OF][32 * 32];
  for (int t = 0; t < T_TYPES; t++)
    for (bf_int n = 1; n <= 32; n++) {
      T_ONE_OF(31);
      t_batch B = t_batch_create(t_types[t], n, OF);
      double  w[OF * 32], err[2];
      bf_int  info[OF];
      for (int m = 0; m < OF; m++) t_fill(&B, m, of[m], A[m], &seed);
      t_heev(&B, &how, w, info);
      for (int m = 0; m < OF; m++) {
        assert_int_equal(info[m], 0);
        score(&B, m, A[m], w, err);
        if (t_norm(n * n, A[m]) > 0.0) T_LE(err[0], 10.0);
        T_LE(err[1], 50.0);
      }
      t_batch_destroy(&B);
    }
}

static void a_million_matrices_are_a_batch(void **state)
{
  (void)state;
  T_LONG;
  enum { MANY = 1000000, N = 3 };
  for (int t = 0; t < T_TYPES; t += 3) { /* S and Z */
    t_batch B    = t_batch_create(t_types[t], N, MANY);
    double *w    = bf_host_alloc((size_t)MANY * N, sizeof *w);
    bf_int *info = bf_host_alloc(MANY, sizeof *info);
    assert_true(w && info);
    for (bf_int b = 0; b < MANY; b++)
      for (bf_int j = 0; j < N; j++)
        for (bf_int i = 0; i < N; i++) /* 1 on a line of three, shifted */
          t_set(&B, b, i, j, (t_cx){i == j ? b % 1001 : abs(i - j) == 1 ? 1.0 : 0.0, 0.0});
    t_heev(&B, &(bf_heev_how){.vectors = 1}, w, info);
    for (bf_int b = 0; b < MANY; b++) {
      const double u = t_u(B.type) * (4.0 + 4.0 * (b % 1001));
      assert_int_equal(info[b], 0);
      for (bf_int k = 0; k < N; k++) T_NEAR(value_of(&B, w, b, k), b % 1001 + sqrt(2.0) * (k - 1), u);
      if (b >= 1001) assert_true(t_same(&B, b, &B, b % 1001));
    }
    bf_host_free(w);
    bf_host_free(info);
    t_batch_destroy(&B);
  }
}

/* n ld count and every place of the last matrix are above 2^31; almost all of the memory is never touched. */
static void places_beyond_2_31_are_reached(void **state)
{
  (void)state;
  enum { LD = 360000000, COUNT = 3 };
  const int64_t     stride = (int64_t)LD + 2, all = (COUNT - 1) * stride + LD + 2;
  const bf_heev_how how = {.vectors = 1};
  float            *a   = NULL, h[COUNT][2][2], w[COUNT][2];
  bf_int            info[COUNT];
  const bf_err      err = t_be->ops.alloc(t_be, (size_t)all * sizeof *a, (void **)&a);
  if (err == BF_E_MEMORY) skip(); /* does not return */
  T_OK(err);
  bf_batch A  = {.type = BF_S, .n = 2, .ld = LD, .count = COUNT, .stride = stride, .a = a};
  bf_int  *ib = t_workspace(sizeof info);
  void    *wb = t_workspace(sizeof w), *work = t_work(BF_HEEV, &A);
  for (int b = 0; b < COUNT; b++)
    for (int j = 0; j < 2; j++) {
      const float x[2] = {j ? 1.0F : 2.0F * (float)b, j ? 2.0F * (float)b : 1.0F};
      T_OK(t_be->ops.copy(t_be, a + b * stride + (int64_t)j * LD, x, sizeof x, BF_TO_DEVICE));
    }
  T_OK(bf_heev_batch(t_be, &how, &A, wb, ib, work));
  for (int b = 0; b < COUNT; b++)
    for (int j = 0; j < 2; j++) t_to_host(h[b][j], a + b * stride + (int64_t)j * LD, sizeof h[b][j]);
  t_home(info, ib, sizeof info);
  t_home(w, wb, sizeof w);
  for (int b = 0; b < COUNT; b++) {
    assert_int_equal(info[b], 0);
    T_NEAR((double)w[b][0], 2.0 * b - 1.0, 1e-6);
    T_NEAR((double)w[b][1], 2.0 * b + 1.0, 1e-6);
    for (int k = 0; k < 4; k++) T_NEAR(fabs((double)h[b][k / 2][k % 2]), sqrt(0.5), 1e-6);
  }
  t_be->ops.release(t_be, work);
  t_be->ops.release(t_be, a);
}

int main(int argc, char **argv)
{
  int code = t_backend_open(argc, argv);
  if (code == 0) code = t_batch_missing(t_be->ops.batch.heev != NULL, "heev_batch");
  if (code) return code;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(several_sizes_behind_pointers_become_what_they_are_alone),
      cmocka_unit_test(pointers_and_strides_give_the_same_bits),
      cmocka_unit_test(what_is_not_finite_fails_alone_and_half_of_a_matrix_is_not_read),
      cmocka_unit_test(known_spectra_are_met_to_order_512),
      cmocka_unit_test(random_matrices_of_every_order_decompose),
      cmocka_unit_test(powers_of_two_scale_exactly),
      cmocka_unit_test(fifteen_sweeps_are_enough_for_what_is_hard_on_rotations),
      cmocka_unit_test(a_million_matrices_are_a_batch),
      cmocka_unit_test(places_beyond_2_31_are_reached),
  };
  return t_backend_close(T_RUN(tests));
}
