/* tests/kernels/dense/t369_hard_batch.c - batched LU and inverses of matrices with a name: residuals, exact
 * inverses, hidden permutations, signs of determinants, powers of two, what is nearly nothing, a million
 * matrices, places beyond 2^31 usage: t369_hard_batch <backend> */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/kernels/dense/batch_family.h"
#include "tests/kernels/dense/batch_lu.h"

/* Upper Hessenberg, determinant 1; ill-conditioned. */
static void frank(bf_scalar type, bf_int n, t_cx *a, uint64_t *seed)
{
  (void)type, (void)seed;
  for (bf_int j = 0; j < n; j++)
    for (bf_int i = 0; i < n; i++) a[(int64_t)j * n + i] = (t_cx){i > j + 1 ? 0.0 : n - (i > j ? i : j), 0.0};
}
static void hilbert(bf_scalar type, bf_int n, t_cx *a, uint64_t *seed)
{
  (void)type, (void)seed;
  for (bf_int j = 0; j < n; j++)
    for (bf_int i = 0; i < n; i++) a[(int64_t)j * n + i] = (t_cx){1.0 / (i + j + 1.0), 0.0};
}
static void vandermonde(bf_scalar type, bf_int n, t_cx *a, uint64_t *seed)
{
  (void)seed;
  for (bf_int i = 0; i < n; i++) {
    const double angle = 2.0 * acos(-1.0) * i / n, x = (i + 1.0) / n; /* complex: roots of 1 */
    t_cx         p = {1.0, 0.0};
    for (bf_int j = 0; j < n; j++) {
      a[(int64_t)j * n + i] = p;
      p = t_is_complex(type) ? (t_cx){cos(angle * (j + 1.0)), sin(angle * (j + 1.0))} : (t_cx){p.re * x, 0.0};
    }
  }
}
/* 0 on the diagonal, singular for odd n: a half is added there. */
static void clement(bf_scalar type, bf_int n, t_cx *a, uint64_t *seed)
{
  (void)type, (void)seed;
  for (bf_int j = 0; j < n; j++)
    for (bf_int i = 0; i < n; i++)
      a[(int64_t)j * n + i] = (t_cx){i == j ? 0.5 : i == j + 1 ? i : j == i + 1 ? n - j : 0.0, 0.0};
}
static void laplace(bf_scalar type, bf_int n, t_cx *a, uint64_t *seed)
{
  (void)type, (void)seed;
  for (bf_int j = 0; j < n; j++)
    for (bf_int i = 0; i < n; i++)
      a[(int64_t)j * n + i] = (t_cx){i == j ? 2.0 : i - j == 1 || j - i == 1 ? -1.0 : 0.0, 0.0};
}
/* The last column is the mean of the others up to 1e-14 (single: 1e-6). */
static void nearly_singular(bf_scalar type, bf_int n, t_cx *a, uint64_t *seed)
{
  t_random_matrix(type, n, a, seed);
  for (bf_int i = 0; i < n && n > 1; i++) {
    t_cx s = {0.0, 0.0}, *last = a + (int64_t)(n - 1) * n + i;
    for (bf_int j = 0; j < n - 1; j++) s.re += a[(int64_t)j * n + i].re, s.im += a[(int64_t)j * n + i].im;
    t_scale_entry(last, t_is_single(type) ? 1e-6 : 1e-14);
    last->re += s.re / (n - 1), last->im += s.im / (n - 1);
  }
}
static void far_below(bf_scalar type, bf_int n, t_cx *a, uint64_t *seed)
{
  t_random_matrix(type, n, a, seed);
  for (int64_t i = 0; i < (int64_t)n * n; i++) t_scale_entry(a + i, t_is_single(type) ? 1e-25 : 1e-150);
}
static void far_above(bf_scalar type, bf_int n, t_cx *a, uint64_t *seed)
{
  t_random_matrix(type, n, a, seed);
  for (int64_t i = 0; i < (int64_t)n * n; i++) t_scale_entry(a + i, t_is_single(type) ? 1e18 : 1e150);
}

static const struct {
  t_matrix_of *make;
  bf_int       invertible; /* to this order in double precision; single: to a third of it */
} named[] = {{frank, 12},      {hilbert, 9},     {vandermonde, 9},
             {clement, 512},   {laplace, 512},   {nearly_singular, 512},
             {far_below, 512}, {far_above, 512}, {t_kahan_matrix, 33}};
enum { NAMED = sizeof named / sizeof *named };

static const bf_int size[] = {1,  2,  3,  4,  6,   8,   9,   12,  13,  16,  24,  31,  32,  33, 48,
                              63, 64, 65, 96, 108, 127, 128, 129, 160, 190, 255, 256, 384, 512};
enum { SIZES = sizeof size / sizeof *size };

typedef struct t_case {
  t_lu    L;
  t_batch X; /* becomes inverses */
} t_case;

static t_case case_create(bf_scalar type, bf_int n, bf_int count)
{
  return (t_case){.L = t_lu_create(type, n, count), .X = t_batch_create(type, n, count)};
}
static void case_destroy(t_case *c)
{
  t_lu_destroy(&c->L);
  t_batch_destroy(&c->X);
}
/* Matrix b of both batches, and of c->L.A as it was rounded. */
static void case_put(t_case *c, bf_int b)
{
  t_lu_put(&c->L, b);
  t_put(&c->X, b, t_lu_matrix(&c->L, b));
}

static void matrices_with_a_name_have_small_residuals(void **state)
{
  (void)state;
  T_LONG;
  uint64_t seed = 1;
  for (int t = 0; t < T_TYPES; t++)
    for (int s = 0; s < SIZES; s++) {
      const bf_int n = size[s];
      t_case       c = case_create(t_types[t], n, NAMED);
      for (int b = 0; b < NAMED; b++) {
        named[b].make(t_types[t], n, t_lu_matrix(&c.L, b), &seed);
        case_put(&c, b);
      }
      t_getrf(&c.L.B, c.L.ipiv, c.L.info);
      t_guards(&c.L.B);
      for (int b = s % 3; b < NAMED && n <= 256; b += n > 65 ? 3 : 1) {
        const t_lu_error e = t_lu_judge(&c.L, b);
        if (c.L.info[b] < 0 || c.L.info[b] > n || !(e.over_a <= 1.0))
          fail_msg("LU, type %d n=%d matrix %d: info %d, %g", t, (int)n, b, (int)c.L.info[b], e.over_a);
      }
      t_inverse(&c.X, c.L.info);
      t_guards(&c.X);
      for (int b = (s + 1) % 3; b<NAMED; b += n> 256 ? NAMED : n > 65 ? 3 : 1) {
        if (n > named[b].invertible / (t_is_single(t_types[t]) && named[b].invertible < 512 ? 3 : 1))
          continue;
        t_get(&c.X, b, c.L.F);
        const double e = t_inverse_error(t_types[t], n, t_lu_matrix(&c.L, b), c.L.F);
        if (c.L.info[b] != 0 || !(e <= 10.0))
          fail_msg("inverse, type %d n=%d matrix %d: info %d, %g", t, (int)n, b, (int)c.L.info[b], e);
      }
      case_destroy(&c);
    }
}

/* (min(i,j) + 1)(n - max(i,j)) / (n + 1): the inverse of 2 -1 on a line, at every order. */
static void the_inverse_of_a_line_is_known(void **state)
{
  (void)state;
  for (int t = 0; t < T_TYPES; t++)
    for (int s = 0; s < SIZES; s++) {
      if (t_quick() && size[s] > 65) continue;
      T_ONE_OF(11);
      const bf_int n = size[s];
      t_case       c = case_create(t_types[t], n, 1);
      double       e = 0.0, all = 0.0;
      const double cond = 4.0 * (n + 1.0) * (n + 1.0) / 9.8;
      laplace(t_types[t], n, c.L.A, NULL);
      case_put(&c, 0);
      t_inverse(&c.X, c.L.info);
      assert_int_equal(c.L.info[0], 0);
      for (bf_int j = 0; j < n; j++)
        for (bf_int i = 0; i < n; i++) {
          const bf_int low = i < j ? i : j, high = i < j ? j : i;
          const double x   = (low + 1.0) * (n - (double)high) / (n + 1.0);
          const t_cx   got = t_at(&c.X, 0, i, j);
          e += (got.re - x) * (got.re - x) + got.im * got.im;
          all += x * x;
        }
      if (cond * n * t_u(t_types[t]) < 0.01) T_LE(sqrt(e / all), 10.0 * n * t_u(t_types[t]) * cond);
      case_destroy(&c);
    }
}

/* L U with |l| <= 1/8 under a permutation of its rows: every pivot is clearly the largest, and known. */
static void hidden_permutation(bf_scalar type, bf_int n, uint64_t *seed)
{
  t_case  c  = case_create(type, n, 1);
  bf_int *at = bf_host_alloc(3 * (size_t)n, sizeof *at), *place = at + n, *want = place + n;
  t_cx   *U = bf_host_alloc((size_t)n * (size_t)n, sizeof *U);
  assert_true(at && U);
  t_random_matrix(type, n, U, seed);
  for (bf_int j = 0; j < n; j++) {
    for (bf_int i = j + 1; i < n; i++) U[(int64_t)j * n + i] = (t_cx){0.0, 0.0};
    U[(int64_t)j * n + j] = t_is_complex(type) ? (t_cx){1.0, 0.5} : (t_cx){1.5, 0.0};
    at[j]                 = j;
  }
  for (bf_int j = n - 1; j > 0; j--) {
    const bf_int k = (bf_int)(t_random(seed) % (uint64_t)(j + 1)), x = at[j];
    at[j] = at[k];
    at[k] = x;
  }
  for (bf_int i = 0; i < n; i++) /* row i of L U, L a few entries a row, becomes row at[i] */
    for (bf_int j = 0; j < n; j++) {
      t_cx x = U[(int64_t)j * n + i];
      for (bf_int k = i - 1; k >= 0 && k >= i - 40; k -= 13) {
        const double l = 0.0625 * ((k * 7 + i * 3) % 5 - 2.0);
        x.re += l * U[(int64_t)j * n + k].re, x.im += l * U[(int64_t)j * n + k].im;
      }
      c.L.A[(int64_t)j * n + at[i]] = x;
    }
  case_put(&c, 0);
  t_getrf(&c.L.B, c.L.ipiv, c.L.info);
  assert_int_equal(c.L.info[0], 0);
  for (bf_int i = 0; i < n; i++) place[i] = i; /* the row that stands at i */
  for (bf_int k = 0; k < n; k++) {
    bf_int p = k;
    while (place[p] != at[k]) p++;
    place[p] = place[k];
    want[k]  = p + 1;
  }
  for (bf_int k = 0; k < n; k++)
    if (c.L.ipiv[k] != want[k])
      fail_msg("type %d n=%d: pivot %d is %d, not %d", (int)type, (int)n, (int)k, (int)c.L.ipiv[k],
               (int)want[k]);
  bf_host_free(at);
  bf_host_free(U);
  case_destroy(&c);
}

static void a_hidden_permutation_is_found_at_every_order(void **state)
{
  (void)state;
  T_LONG;
  uint64_t seed = 2;
  for (int t = 0; t < T_TYPES; t++)
    for (int s = 0; s < SIZES; s++) hidden_permutation(t_types[t], size[s], &seed);
}

/* A permutation with signs: factors without roundoff, so the determinant is exact. */
static void determinants_have_their_sign(void **state)
{
  (void)state;
  T_LONG;
  uint64_t seed = 3;
  for (int t = 0; t < T_TYPES; t++)
    for (int s = 0; s < SIZES; s++) {
      const bf_int n   = size[s];
      double       det = 1.0, want = 1.0;
      t_case       c   = case_create(t_types[t], n, 1);
      bf_int      *row = bf_host_alloc((size_t)n, sizeof *row);
      assert_non_null(row);
      t_permuted_identity(t_types[t], n, c.L.A, &seed);
      case_put(&c, 0);
      for (bf_int j = 0; j < n; j++)
        for (bf_int i = 0; i < n; i++)
          if (c.L.A[(int64_t)j * n + i].re != 0.0) {
            row[j] = i;
            want *= c.L.A[(int64_t)j * n + i].re;
          }
      for (bf_int j = 0; j < n; j++)
        for (bf_int k = j + 1; k < n; k++)
          if (row[k] < row[j]) want = -want;
      t_getrf(&c.L.B, c.L.ipiv, c.L.info);
      for (bf_int k = 0; k < n; k++) det *= t_at(&c.L.B, 0, k, k).re * (c.L.ipiv[k] == k + 1 ? 1.0 : -1.0);
      assert_true(det == want);
      bf_host_free(row);
      case_destroy(&c);
    }
}

/* 2^+-500, single 2^+-60; complex 2^+-400, 2^+-40: products of small entries and pivots have all their
 * digits. */
static double power_of(bf_scalar type, int sign)
{
  return ldexp(1.0, sign * (type == BF_Z ? 400 : type == BF_C ? 40 : type == BF_D ? 500 : 60));
}

/* 2^k A = P^T L (2^k U) and (2^k A)^-1 = 2^-k A^-1, bit for bit. */
static void powers_of_two_scale_exactly(void **state)
{
  (void)state;
  T_LONG;
  uint64_t seed = 4;
  for (int t = 0; t < T_TYPES; t++)
    for (int s = 0; s < SIZES; s++) {
      const bf_int n = size[s];
      t_case       c = case_create(t_types[t], n, 3);
      for (int b = 0; b < 3; b++) {
        if (b == 0) t_definite_matrix(t_types[t], n, c.L.A, &seed); /* no pivot far below the others */
        for (bf_int j = 0; j < n && b == 0; j++) c.L.A[(int64_t)j * n].re *= 1.25;
        for (int64_t i = 0; i < (int64_t)n * n && b == 0; i++)
          t_scale_entry(c.L.A + i, ldexp(1.0, -ilogb(n) - 1)); /* nor squares of pivots beyond the type */
        for (int64_t i = 0; i < (int64_t)n * n && b > 0; i++) {
          t_lu_matrix(&c.L, b)[i] = c.L.A[i];
          t_scale_entry(t_lu_matrix(&c.L, b) + i, power_of(t_types[t], b == 1 ? -1 : 1));
        }
        case_put(&c, b);
      }
      t_getrf(&c.L.B, c.L.ipiv, c.L.info);
      for (int b = 1; b < 3; b++) {
        const double f = power_of(t_types[t], b == 1 ? -1 : 1);
        assert_memory_equal(c.L.ipiv, c.L.ipiv + (int64_t)b * n, (size_t)n * sizeof *c.L.ipiv);
        for (bf_int j = 0; j < n; j++)
          for (bf_int i = 0; i < n; i++) {
            const t_cx   x = t_at(&c.L.B, 0, i, j), y = t_at(&c.L.B, b, i, j);
            const double g = i <= j ? f : 1.0;
            if (x.re * g != y.re || x.im * g != y.im)
              fail_msg("LU, type %d n=%d: (%d, %d) is not scaled", t, (int)n, (int)i, (int)j);
          }
      }
      t_inverse(&c.X, c.L.info);
      for (int b = 1; b < 3; b++)
        for (bf_int j = 0; j < n; j++)
          for (bf_int i = 0; i < n; i++) {
            const t_cx   x = t_at(&c.X, 0, i, j), y = t_at(&c.X, b, i, j);
            const double g = power_of(t_types[t], b == 1 ? 1 : -1);
            if (x.re * g != y.re || x.im * g != y.im)
              fail_msg("inverse, type %d n=%d: (%d, %d) is not scaled", t, (int)n, (int)i, (int)j);
          }
      case_destroy(&c);
    }
}

/* Subnormal entries: an end, pivots in range, nothing that is not a number, neighbours as without them. */
static void subnormal_matrices_end_and_disturb_nobody(void **state)
{
  (void)state;
  enum { COUNT = 9 };
  static const bf_int some[] = {1, 2, 5, 8, 16, 17, 32, 33, 64, 65, 128, 130, 200};
  for (int t = 0; t < T_TYPES; t++)
    for (size_t s = 0; s < sizeof some / sizeof *some; s++) {
      T_ONE_OF(5);
      const bf_int n    = some[s];
      uint64_t     seed = 6;
      t_case       c = case_create(t_types[t], n, COUNT), d = case_create(t_types[t], n, COUNT);
      for (bf_int b = 0; b < COUNT; b++) {
        t_random_matrix(t_types[t], n, t_lu_matrix(&d.L, b), &seed);
        memcpy(t_lu_matrix(&c.L, b), t_lu_matrix(&d.L, b), (size_t)n * (size_t)n * sizeof *c.L.A);
        for (int64_t i = 0; i < (int64_t)n * n && b == 4; i++)
          t_scale_entry(t_lu_matrix(&c.L, b) + i, t_is_single(t_types[t]) ? 1e-41 : 1e-310);
        case_put(&c, b);
        case_put(&d, b);
      }
      t_getrf(&d.L.B, d.L.ipiv, d.L.info);
      t_getrf(&c.L.B, c.L.ipiv, c.L.info);
      assert_true(c.L.info[4] >= 0 && c.L.info[4] <= n);
      for (bf_int k = 0; k < n; k++) {
        assert_in_range(c.L.ipiv[4 * n + k], k + 1, n);
        for (bf_int i = 0; i < n; i++)
          assert_true(isfinite(t_at(&c.L.B, 4, i, k).re) && isfinite(t_at(&c.L.B, 4, i, k).im));
      }
      t_inverse(&d.X, d.L.info);
      t_inverse(&c.X, c.L.info);
      if (c.L.info[4] != 0) /* its inverse is too large for the type: it stays */
        for (bf_int k = 0; k < n * n; k++)
          assert_true(t_at(&c.X, 4, k % n, k / n).re == c.L.A[4 * n * n + k].re);
      for (bf_int b = 0; b < COUNT; b++)
        if (b != 4) assert_true(t_same(&c.L.B, b, &d.L.B, b) && t_same(&c.X, b, &d.X, b) && c.L.info[b] == 0);
      case_destroy(&c);
      case_destroy(&d);
    }
}

static void a_zero_row_is_singular_wherever_it_is(void **state)
{
  (void)state;
  static const bf_int some[] = {1, 2, 7, 16, 31, 33, 65, 130, 200};
  uint64_t            seed   = 7;
  for (int t = 0; t < T_TYPES; t++)
    for (size_t s = 0; s < sizeof some / sizeof *some; s++) {
      T_ONE_OF(5);
      const bf_int n = some[s];
      t_case       c = case_create(t_types[t], n, 1);
      t_random_matrix(t_types[t], n, c.L.A, &seed);
      for (bf_int j = 0; j < n; j++) c.L.A[(int64_t)j * n + n / 2] = (t_cx){0.0, 0.0};
      case_put(&c, 0);
      t_getrf(&c.L.B, c.L.ipiv, c.L.info);
      assert_int_equal(c.L.info[0], n); /* no other column is without a pivot */
      t_inverse(&c.X, c.L.info);
      assert_int_equal(c.L.info[0], n);
      for (bf_int k = 0; k < n * n; k++) assert_true(t_at(&c.X, 0, k % n, k / n).re == c.L.A[k].re);
      case_destroy(&c);
    }
}

static void a_million_matrices_are_a_batch(void **state)
{
  (void)state;
  T_LONG;
  enum { MANY = 1000000, N = 3, OF = 997 };
  uint64_t seed = 8;
  for (int t = 0; t < T_TYPES; t += 3) { /* S and Z */
    t_batch F = t_batch_create(t_types[t], N, MANY), X = t_batch_create(t_types[t], N, MANY);
    bf_int *info = bf_host_alloc(MANY, sizeof *info), *ipiv = bf_host_alloc((size_t)MANY * N, sizeof *ipiv);
    t_cx    A[OF][N * N];
    assert_true(info && ipiv);
    for (int b = 0; b < OF; b++) t_random_matrix(t_types[t], N, A[b], &seed);
    for (bf_int b = 0; b < MANY; b++) t_put(&F, b, A[b % OF]), t_put(&X, b, A[b % OF]);
    t_getrf(&F, ipiv, info);
    for (bf_int b = 0; b < MANY; b++)
      assert_true(info[b] == 0 && t_same(&F, b, &F, b % OF) &&
                  memcmp(ipiv + (int64_t)b * N, ipiv + (int64_t)(b % OF) * N, N * sizeof *ipiv) == 0);
    t_inverse(&X, info);
    for (bf_int b = 0; b < MANY; b++) assert_true(info[b] == 0 && t_same(&X, b, &X, b % OF));
    bf_host_free(info);
    bf_host_free(ipiv);
    t_batch_destroy(&F);
    t_batch_destroy(&X);
  }
}

/* n ld count and every place of the last matrix are above 2^31; almost all of the memory is never touched. */
static void places_beyond_2_31_are_reached(void **state)
{
  (void)state;
  enum { LD = 360000000, COUNT = 3 };
  const int64_t stride = (int64_t)LD + 2, all = (COUNT - 1) * stride + LD + 2;
  float        *a = NULL, h[2];
  bf_int        info[COUNT], ipiv[2 * COUNT];
  const bf_err  err = t_be->ops.alloc(t_be, (size_t)all * sizeof *a, (void **)&a);
  if (err == BF_E_MEMORY) skip(); /* does not return */
  T_OK(err);
  bf_batch A  = {.type = BF_S, .n = 2, .ld = LD, .count = COUNT, .stride = stride, .a = a};
  bf_int  *ib = t_workspace(sizeof info), *pb = t_workspace(sizeof ipiv);
  for (int inverse = 0; inverse < 2; inverse++) {
    void *work = t_work(inverse ? BF_INVERSE : BF_GETRF, &A);
    for (int b = 0; b < COUNT; b++)
      for (int j = 0; j < 2; j++) { /* 0 1; 2 b: as in t361 */
        const float x[2] = {j ? 1.0F : 0.0F, j ? (float)b : 2.0F};
        T_OK(t_be->ops.copy(t_be, a + b * stride + (int64_t)j * LD, x, sizeof x, BF_TO_DEVICE));
      }
    if (inverse)
      T_OK(bf_inverse_batch(t_be, &A, ib, work));
    else
      T_OK(bf_getrf_batch(t_be, &A, pb, ib, work));
    t_to_host(info, ib, sizeof info);
    for (int b = 0; b < COUNT; b++)
      for (int j = 0; j < 2; j++) {
        t_to_host(h, a + b * stride + (int64_t)j * LD, sizeof h);
        assert_int_equal(info[b], 0);
        assert_true((double)h[0] == (inverse ? (j ? 0.5 : -0.5 * b) : (j ? b : 2.0)) &&
                    (double)h[1] == (inverse ? (j ? 0.0 : 1.0) : (j ? 1.0 : 0.0)));
      }
    t_be->ops.release(t_be, work);
  }
  t_be->ops.release(t_be, ib);
  t_be->ops.release(t_be, pb);
  t_be->ops.release(t_be, a);
}

int main(int argc, char **argv)
{
  int code = t_backend_open(argc, argv);
  if (code == 0) code = t_batch_missing(t_be->ops.batch.getrf != NULL, "getrf_batch");
  if (code) return code;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(matrices_with_a_name_have_small_residuals),
      cmocka_unit_test(the_inverse_of_a_line_is_known),
      cmocka_unit_test(a_hidden_permutation_is_found_at_every_order),
      cmocka_unit_test(determinants_have_their_sign),
      cmocka_unit_test(powers_of_two_scale_exactly),
      cmocka_unit_test(subnormal_matrices_end_and_disturb_nobody),
      cmocka_unit_test(a_zero_row_is_singular_wherever_it_is),
      cmocka_unit_test(a_million_matrices_are_a_batch),
      cmocka_unit_test(places_beyond_2_31_are_reached),
  };
  return t_backend_close(T_RUN(tests));
}
