/* tests/kernels/vector/t331_columns.c - products between blocks of columns: right to rounding, and the same
 * bits every time usage: t331_columns <backend> */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/multivector.h"
#include "tests/backend.h"
#include "tests/reference/dense.h"
#include <float.h>
#include <math.h>
#include <omp.h>

static const bf_int size[] = {1, 31, 33, 64, 257, 4095, 4097, 20011};
static const int    wide[] = {1, 2, 3, 4, 5, 8, 13, 33};
enum { SIZES = sizeof size / sizeof *size, WIDES = sizeof wide / sizeof *wide };

/* count columns of random numbers, NaN between them; *host gets a copy with the same ld. */
static double *columns(bf_int n, int count, int64_t ld, uint64_t *seed, double **host)
{
  const size_t total = (size_t)ld * (size_t)count;
  *host              = malloc(total * sizeof **host);
  for (size_t i = 0; i < total; i++)
    (*host)[i] = (int64_t)i % ld < n ? 2.0 * t_uniform(seed) - 1.0 : (double)NAN;
  return t_to_backend(*host, total * sizeof **host);
}

typedef struct product {
  bf_int  n;
  int     k, l;
  int64_t ldx, ldy;
  double *x, *y, *c, *hx, *hy, *hc; /* X, Y, C or G: backend, host */
} product;

static product product_of(bf_int n, int k, int l, uint64_t seed)
{
  product p = {.n = n, .k = k, .l = l, .ldx = n + 3, .ldy = n + 32};
  p.x       = columns(n, k, p.ldx, &seed, &p.hx);
  p.y       = columns(n, l, p.ldy, &seed, &p.hy);
  p.c       = columns(k, l, k, &seed, &p.hc);
  return p;
}

static void end(product *p)
{
  t_be->ops.release(t_be, p->x), t_be->ops.release(t_be, p->y), t_be->ops.release(t_be, p->c);
  free(p->hx), free(p->hy), free(p->hc);
}

static void dots_are_right_to_rounding(void **state)
{
  (void)state;
  for (int i = 0; i < SIZES; i++)
    for (int j = 0; j < WIDES; j++) {
      T_ONE_OF(7);
      const int l = wide[(i + 3 * j) % WIDES];
      product   p = product_of(size[i], wide[j], l, 5);
      T_OK(BF_OP(t_be, vector.columns_dot, p.n, p.k, p.x, p.ldx, l, p.y, p.ldy, p.c));
      t_to_host(p.hc, p.c, (size_t)(p.k * l) * sizeof(double));
      for (int b = 0; b < l; b++)
        for (int a = 0; a < p.k; a++) {
          long double s = 0.0L, m = 0.0L;
          for (bf_int r = 0; r < p.n; r++) {
            const long double t = (long double)p.hx[a * p.ldx + r] * (long double)p.hy[b * p.ldy + r];
            s += t, m += fabsl(t);
          }
          T_NEAR(p.hc[b * p.k + a], (double)s, 100.0 * DBL_EPSILON * (double)m);
        }
      end(&p);
    }
}

static void combinations_are_right_to_rounding(void **state)
{
  (void)state;
  for (int i = 0; i < SIZES; i++)
    for (int j = 0; j < WIDES; j++)
      for (int add = 0; add < 2; add++) {
        T_ONE_OF(11);
        const int    l     = wide[(i + 3 * j) % WIDES];
        const size_t total = (size_t)l * (size_t)(size[i] + 32);
        product      p     = product_of(size[i], wide[j], l, 6);
        double      *got   = malloc(total * sizeof *got);
        if (!add) { /* NaN in what is not read */
          for (size_t t = 0; t < total; t++) got[t] = (double)NAN;
          T_OK(t_be->ops.copy(t_be, p.y, got, total * sizeof *got, BF_TO_DEVICE));
        }
        T_OK(
            BF_OP(t_be, vector.columns_combine, p.n, p.k, p.x, p.ldx, l, p.c, add ? -0.75 : 0.0, p.y, p.ldy));
        t_to_host(got, p.y, total * sizeof *got);
        for (int b = 0; b < l; b++)
          for (bf_int r = 0; r < p.n; r++) {
            long double s = add ? -0.75L * (long double)p.hy[b * p.ldy + r] : 0.0L, m = fabsl(s);
            for (int a = 0; a < p.k; a++) {
              const long double t = (long double)p.hx[a * p.ldx + r] * (long double)p.hc[b * p.k + a];
              s += t, m += fabsl(t);
            }
            T_NEAR(got[b * p.ldy + r], (double)s, 40.0 * DBL_EPSILON * (double)m);
          }
        for (int b = 0; b < l; b++)
          for (bf_int r = p.n; r < p.ldy; r++) assert_true(isnan(got[b * p.ldy + r]));
        free(got);
        end(&p);
      }
}

static void columns_are_scaled_in_place_or_elsewhere(void **state)
{
  (void)state;
  for (int i = 0; i < SIZES; i++) {
    product  p    = product_of(size[i], 5, 5, 7);
    uint64_t seed = 8;
    double  *hd = t_random_vector((size_t)p.n, &seed), *d = t_to_backend(hd, (size_t)p.n * sizeof *hd);
    double  *got = malloc((size_t)(5 * p.ldy) * sizeof *got);
    T_OK(BF_OP(t_be, vector.columns_scale, p.n, 5, d, p.x, p.ldx, p.y, p.ldy));
    T_OK(BF_OP(t_be, vector.columns_scale, p.n, 5, d, p.y, p.ldy, p.y, p.ldy));
    t_to_host(got, p.y, (size_t)(5 * p.ldy) * sizeof *got);
    for (int j = 0; j < 5; j++)
      for (bf_int r = 0; r < p.n; r++)
        assert_true(got[j * p.ldy + r] == hd[r] * (hd[r] * p.hx[j * p.ldx + r]));
    t_be->ops.release(t_be, d);
    free(hd), free(got);
    end(&p);
  }
}

static void dots_repeat_bit_for_bit_on_any_number_of_threads(void **state)
{
  (void)state;
  const int many = omp_get_max_threads();
  product   p    = product_of(100003, 7, 6, 9);
  double    first[42], again[42];
  for (int threads = 1; threads <= (t_quick() ? 2 : 5); threads++) {
    omp_set_num_threads(threads);
    T_OK(BF_OP(t_be, vector.columns_dot, p.n, p.k, p.x, p.ldx, p.l, p.y, p.ldy, p.c));
    t_to_host(threads == 1 ? first : again, p.c, sizeof first);
    if (threads > 1) assert_memory_equal(first, again, sizeof first);
  }
  omp_set_num_threads(many);
  end(&p);
}

static void blocks_are_zero_with_guards_around_every_column(void **state)
{
  (void)state;
  bf_columns X;
  T_OK(bf_columns_create(t_be, 100, 64, 3, &X));
  assert_true(X.ld % 32 == 0 && X.ld >= 164);
  double *h = malloc((size_t)(64 + 3 * X.ld) * sizeof *h);
  t_to_host(h, X.a - 64, (size_t)(64 + 3 * X.ld) * sizeof *h);
  for (int64_t i = 0; i < 64 + 3 * X.ld; i++) assert_true(h[i] == 0.0);
  assert_true(bf_column(&X, 2) == X.a + 2 * X.ld);
  free(h);
  bf_columns_release(&X);
  bf_columns_release(&X);
  T_ERR(BF_E_ARG, bf_columns_create(t_be, 100, 33, 3, &X));
}

int main(int argc, char **argv)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(dots_are_right_to_rounding),
      cmocka_unit_test(combinations_are_right_to_rounding),
      cmocka_unit_test(columns_are_scaled_in_place_or_elsewhere),
      cmocka_unit_test(dots_repeat_bit_for_bit_on_any_number_of_threads),
      cmocka_unit_test(blocks_are_zero_with_guards_around_every_column),
  };
  const int code = t_backend_open(argc, argv);
  if (code) return code;
  if (!t_be->ops.vector.columns_dot) {
    bf_backend_destroy(&t_be);
    return T_SKIP;
  }
  return t_backend_close(T_RUN(tests));
}
