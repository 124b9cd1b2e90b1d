/* tests/kernels/sparse/t354_band_shapes.c - products of banded matrices on both sides of every change of
 * kernel usage: t354_band_shapes <backend>
 *
 * One band, the patterns of grids, few and many rows, n not a multiple of anything; bands wider than a tile.
 * Oracle: the formula of matrix/matrix.h in long double from the stored diagonals, componentwise
 * |y - y'| <= (d + 2) u (|A| |x|); dots against sums of the product the backend returned; bit-identical when
 * repeated.  Guard zones of y stay as they were.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/matrix/matrix.h"
#include "tests/backend.h"
#include <float.h>
#include <math.h>

enum { MOST = 256 };

typedef struct banded { /* on the host: diagonals 0 .. (half) or all, val[k*n + i] = A(i, i + off[k]) */
  bf_int     n, off[MOST];
  int        noff, half;
  double    *val;
  bf_matrix *A;
} banded;

static banded make(bf_int n, const bf_int *positive, int count, int half, bf_prec prec)
{
  banded     B     = {.n = n, .half = half};
  bf_bands  *bands = NULL;
  bf_matrix *A     = NULL;
  bf_int     all[MOST];
  uint64_t   seed  = (uint64_t)n + (uint64_t)count;
  const int  total = 2 * count + 1;
  for (int k = 0; k < count; k++) {
    all[count + 1 + k] = positive[k];
    all[count - 1 - k] = -positive[k];
  }
  all[count] = 0;
  T_OK(bf_bands_create(n, 1, total, &bands));
  bands->row[0] = 0, bands->row[1] = n, bands->ptr[0] = 0, bands->ptr[1] = total;
  memcpy(bands->off, all, (size_t)total * sizeof *all);
  T_OK(bf_matrix_create_bdia(t_be, bands, 1, half, BF_FP64, (int64_t)n * total, &A));
  bf_bands_destroy(&bands);
  B.noff = half ? count + 1 : total;
  memcpy(B.off, half ? all + count : all, (size_t)B.noff * sizeof *all);
  B.val = calloc((size_t)n * (size_t)B.noff, sizeof *B.val);
  for (int k = 0; k < B.noff; k++)
    for (bf_int i = 0; i < n; i++) {
      const int64_t j = (int64_t)i + B.off[k];
      if (j < 0 || j >= n) continue;
      const double v                           = t_uniform(&seed) - 0.5;
      B.val[(size_t)k * (size_t)n + (size_t)i] = prec == BF_FP32 ? (double)(float)v : v;
    }
  const bf_bdia *M = A->bdia;
  double        *v = calloc((size_t)M->nvalues, sizeof *v);
  for (int k = 0; k < B.noff; k++)
    for (bf_int i = 0; i < n; i++) v[bf_bdia_at(M->seg, 1, k, i)] = B.val[(size_t)k * (size_t)n + (size_t)i];
  T_OK(t_be->ops.copy(t_be, M->values, v, (size_t)M->nvalues * sizeof *v, BF_TO_DEVICE));
  T_OK(t_be->ops.sync(t_be));
  free(v);
  B.A = A;
  if (prec == BF_FP32) {
    T_OK(bf_matrix_to_fp32(A, &B.A));
    bf_matrix_destroy(&A);
  }
  return B;
}

/* Row i of the product and of |A| |x|. */
static long double row(const banded *B, const double *x, bf_int i, long double *size)
{
  long double y = 0.0L;
  *size         = 0.0L;
  for (int k = 0; k < B->noff; k++) {
    const bf_int o = B->off[k];
    if (i + o >= 0 && i + o < B->n) {
      const long double t = (long double)B->val[(size_t)k * (size_t)B->n + (size_t)i] * x[i + o];
      y += t, *size += fabsl(t);
    }
    if (B->half && o > 0 && i >= o) {
      const long double t = (long double)B->val[(size_t)k * (size_t)B->n + (size_t)(i - o)] * x[i - o];
      y += t, *size += fabsl(t);
    }
  }
  return y;
}

static void near(double got, long double want, long double scale, const char *what)
{
  if (!(fabsl(got - want) <= 64.0L * DBL_EPSILON * scale)) fail_msg("%s: %.17g, not %.17Lg", what, got, want);
}

static void check(bf_int n, const bf_int *positive, int count, int half, bf_prec prec)
{
  banded       B     = make(n, positive, count, half, prec);
  uint64_t     seed  = 11;
  const bf_int guard = B.A->guard, room = n + 2 * guard;
  double      *x = malloc((size_t)n * sizeof *x), *w = malloc((size_t)n * sizeof *w);
  double      *y = malloc((size_t)room * sizeof *y), *again = malloc((size_t)room * sizeof *y);
  double      *dx = NULL, *dw = NULL, *dy = NULL, *dd = t_to_backend((double[2]){NAN, NAN}, 16);
  double       dot[2], dot2[2];
  for (bf_int i = 0; i < n; i++) x[i] = t_uniform(&seed) - 0.5, w[i] = t_uniform(&seed) - 0.3;
  for (bf_int i = 0; i < room; i++) y[i] = 7.0;
  T_OK(bf_vector_create(t_be, n, guard, &dx));
  T_OK(bf_vector_create(t_be, n, 0, &dw));
  T_OK(bf_vector_create(t_be, n, guard, &dy));
  T_OK(t_be->ops.copy(t_be, dx, x, (size_t)n * sizeof *x, BF_TO_DEVICE));
  T_OK(t_be->ops.copy(t_be, dw, w, (size_t)n * sizeof *w, BF_TO_DEVICE));
  T_OK(t_be->ops.copy(t_be, dy - guard, y, (size_t)room * sizeof *y, BF_TO_DEVICE));
  T_OK(bf_matrix_spmv(B.A, dx, dy, NULL, NULL));
  t_to_host(y, dy - guard, (size_t)room * sizeof *y);
  T_OK(bf_matrix_spmv(B.A, dx, dy, dw, dd));
  t_to_host(again, dy - guard, (size_t)room * sizeof *y);
  t_to_host(dot, dd, sizeof dot);
  T_OK(bf_matrix_spmv(B.A, dx, dy, dw, dd));
  t_to_host(dot2, dd, sizeof dot2);
  assert_memory_equal(y, again, (size_t)room * sizeof *y);
  assert_memory_equal(dot, dot2, sizeof dot);
  long double wy = 0.0L, yy = 0.0L, ws = 0.0L;
  for (bf_int i = 0; i < n; i++) {
    long double       size;
    const long double want = row(&B, x, i, &size);
    const double      got  = y[guard + i];
    const int         d    = half ? 2 * B.noff - 1 : B.noff;
    if (!(fabsl(got - want) <= (d + 2) * 0x1p-53L * size))
      fail_msg("n %d, %d offsets, half %d, fp%d: row %d is %.17g, not %.17Lg", (int)n, B.noff, half,
               prec == BF_FP64 ? 64 : 32, (int)i, got, want);
    wy += (long double)w[i] * got, ws += fabsl((long double)w[i] * got), yy += (long double)got * got;
  }
  near(dot[0], wy, ws, "w.y");
  near(dot[1], yy, yy, "y.y");
  for (bf_int i = 0; i < guard; i++)
    if (y[i] != 7.0 || y[guard + n + i] != 7.0) fail_msg("the guard zone of y was written at %d", (int)i);
  t_be->ops.release(t_be, dd);
  bf_vector_destroy(t_be, guard, &dx);
  bf_vector_destroy(t_be, 0, &dw);
  bf_vector_destroy(t_be, guard, &dy);
  bf_matrix_destroy(&B.A);
  free(B.val), free(x), free(w), free(y), free(again);
}

static void all_forms(bf_int n, const bf_int *positive, int count)
{
  for (int half = 0; half < 2; half++)
    for (int prec = BF_FP64; prec <= BF_FP32; prec++) {
      T_ONE_OF(7);
      check(n, positive, count, half, (bf_prec)prec);
    }
}

/* Half storage only. */
static void both_precisions(bf_int n, const bf_int *positive, int count)
{
  for (int prec = BF_FP64; prec <= BF_FP32; prec++) {
    T_ONE_OF(3);
    check(n, positive, count, 1, (bf_prec)prec);
  }
}

static void one_band_of_any_width(void **state)
{
  (void)state;
  const int    widths[] = {1, 2, 5, 13, 50, 64, 100, 120};
  const bf_int sizes[]  = {1, 31, 33, 127, 128, 129, 1000, 1025};
  bf_int       off[MOST];
  for (int k = 0; k < MOST; k++) off[k] = k + 1;
  for (size_t w = 0; w < sizeof widths / sizeof *widths; w++)
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
      all_forms(sizes[s], off, widths[w] < sizes[s] ? widths[w] : sizes[s] - 1);
}

/* Rows above what a kernel for few rows takes. */
static void one_band_of_many_rows(void **state)
{
  (void)state;
  bf_int off[MOST];
  for (int k = 0; k < MOST; k++) off[k] = k + 1;
  all_forms(140001, off, 13);
  both_precisions(139776, off, 50);
  both_precisions(200003, off, 100);
  both_precisions(150000, off, 4);
}

/* Offsets of the points of a stencil: mask of {1, m-1, m, m+1, P-m-1, ..., P+m+1}. */
static int stencil(bf_int m, bf_int P, unsigned mask, bf_int *off)
{
  int n = 0;
  for (int k = 0; k < 13; k++)
    if (mask >> k & 1)
      off[n++] = k == 0 ? 1 : k < 4 ? m + k - 2 : P + ((k - 4) / 3 - 1) * m + (k - 4) % 3 - 1;
  return n;
}

static void patterns_of_grids(void **state)
{
  (void)state;
  const unsigned all = 0x1fff, seven = 1u | 1u << 2 | 1u << 8, kuhn = 1u | 3u << 2 | 3u << 8 | 3u << 11;
  bf_int         off[MOST];
  int            n;
  if (t_quick()) { /* the kernel for grids, in either precision, on few rows */
    n = stencil(53, 53 * 47, all, off), check(53 * 47 * 85, off, n, 1, BF_FP32);
    n = stencil(50, 2500, all, off), check(50 * 50 * 90 + 17, off, n, 1, BF_FP64);
  }
  if (t_quick() == 2) return;
  n = stencil(8, 64, all, off), all_forms(8 * 8 * 8, off, n);
  n = stencil(20, 400, all, off), all_forms(20 * 20 * 20, off, n);
  n = stencil(53, 53 * 47, all, off), both_precisions(53 * 47 * 85, off, n);    /* odd planes */
  n = stencil(50, 2500, all, off), both_precisions(50 * 50 * 90 + 17, off, n);  /* a last plane cut short */
  n = stencil(200, 200 * 31, all, off), both_precisions(200 * 31 * 35, off, n); /* rows longer than planes */
  n = stencil(97, 97 * 101, all, off), both_precisions(97 * 101 * 105 - 3000, off, n);
  n = stencil(64, 4096, seven, off), both_precisions(64 * 64 * 40, off, n);
  n = stencil(60, 3600, kuhn, off), both_precisions(60 * 60 * 45, off, n);
  n = stencil(400, 400, 0xf, off), all_forms(400 * 401, off, n); /* 9 points in a plane */
}

int main(int argc, char **argv)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_band_of_any_width),
      cmocka_unit_test(one_band_of_many_rows),
      cmocka_unit_test(patterns_of_grids),
  };
  const int code = t_backend_open(argc, argv);
  return code ? code : t_backend_close(T_RUN(tests));
}
