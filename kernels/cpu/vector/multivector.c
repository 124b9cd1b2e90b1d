/* kernels/cpu/vector/multivector.c - products between blocks of columns
 *
 * Computes   G = X^T Y, Y = beta Y + X C, Y = diag(d) X for k and l columns of n entries.
 * Cost       2 n k l flops; a chunk of rows of all columns stays in cache while it is used. Sums of G per
 *            chunk, added in order.
 * Checked    tests/kernels/vector/t331_columns.c.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cpu/backend/cpu.h"

enum { TILE_I = 4, TILE_J = 2, ROWS = 512 };

/* s[j*TILE_I + i] = x_i . y_j over n rows. */
static void tile(int64_t n, const double *restrict x, int64_t ldx, const double *restrict y, int64_t ldy,
                 double s[TILE_I * TILE_J])
{
  const double *x0 = x, *x1 = x + ldx, *x2 = x + 2 * ldx, *x3 = x + 3 * ldx, *y0 = y, *y1 = y + ldy;
  double        a = 0.0, b = 0.0, c = 0.0, d = 0.0, e = 0.0, f = 0.0, g = 0.0, h = 0.0;
#pragma omp simd reduction(+ : a, b, c, d, e, f, g, h)
  for (int64_t r = 0; r < n; r++) {
    a += x0[r] * y0[r];
    b += x1[r] * y0[r];
    c += x2[r] * y0[r];
    d += x3[r] * y0[r];
    e += x0[r] * y1[r];
    f += x1[r] * y1[r];
    g += x2[r] * y1[r];
    h += x3[r] * y1[r];
  }
  s[0] = a, s[1] = b, s[2] = c, s[3] = d, s[4] = e, s[5] = f, s[6] = g, s[7] = h;
}

/* part[j*k + i] of n rows. */
static void dot_chunk(int64_t n, int k, const double *x, int64_t ldx, int l, const double *y, int64_t ldy,
                      double *part)
{
  for (int j = 0; j < l; j += TILE_J)
    for (int i = 0; i < k; i += TILE_I) {
      double s[TILE_I * TILE_J];
      if (i + TILE_I <= k && j + TILE_J <= l) {
        tile(n, x + i * ldx, ldx, y + j * ldy, ldy, s);
        for (int t = 0; t < TILE_J; t++)
          for (int u = 0; u < TILE_I; u++) part[(j + t) * k + i + u] = s[t * TILE_I + u];
        continue;
      }
      for (int t = j; t < l && t < j + TILE_J; t++)
        for (int u = i; u < k && u < i + TILE_I; u++)
          part[t * k + u] = bf_cpu_dot(n, x + u * ldx, y + t * ldy);
    }
}

bf_err bf_cpu_columns_dot(bf_backend *be, bf_int n, int k, const double *X, int64_t ldx, int l,
                          const double *Y, int64_t ldy, double *G)
{
  const int64_t nc = bf_cpu_chunks(n), kl = (int64_t)k * l;
  double       *part;
  BF_TRY(bf_cpu_scratch(be, nc * kl, &part));
#pragma omp parallel for schedule(static) if ((int64_t)n * kl > BF_CPU_SMALL)
  for (int64_t c = 0; c < nc; c++) {
    const int64_t r = c * BF_CPU_CHUNK, m = n - r < BF_CPU_CHUNK ? n - r : BF_CPU_CHUNK;
    dot_chunk(m, k, X + r, ldx, l, Y + r, ldy, part + c * kl);
  }
  bf_cpu_add_up(nc, (int)kl, part, G);
  return BF_OK;
}

/* y = beta y + X c over n rows. */
static void combine_rows(int64_t n, int k, const double *restrict x, int64_t ldx, const double *c,
                         double beta, double *restrict y)
{
  int i = 0;
  for (int64_t r = 0; r < n; r++) y[r] = beta == 0.0 ? 0.0 : beta * y[r];
  for (; i + 4 <= k; i += 4) {
    const double *x0 = x + i * ldx, *x1 = x0 + ldx, *x2 = x1 + ldx, *x3 = x2 + ldx;
    for (int64_t r = 0; r < n; r++)
      y[r] += c[i] * x0[r] + c[i + 1] * x1[r] + (c[i + 2] * x2[r] + c[i + 3] * x3[r]);
  }
  for (; i < k; i++)
    for (int64_t r = 0; r < n; r++) y[r] += c[i] * x[i * ldx + r];
}

bf_err bf_cpu_columns_combine(bf_backend *be, bf_int n, int k, const double *X, int64_t ldx, int l,
                              const double *C, double beta, double *Y, int64_t ldy)
{
  (void)be;
  const int64_t nc = ((int64_t)n + ROWS - 1) / ROWS;
#pragma omp parallel for schedule(static) if ((int64_t)n * k * l > BF_CPU_SMALL)
  for (int64_t c = 0; c < nc; c++) {
    const int64_t r = c * ROWS, m = n - r < ROWS ? n - r : ROWS;
    for (int j = 0; j < l; j++) combine_rows(m, k, X + r, ldx, C + (int64_t)j * k, beta, Y + j * ldy + r);
  }
  return BF_OK;
}

bf_err bf_cpu_columns_scale(bf_backend *be, bf_int n, int k, const double *d, const double *X, int64_t ldx,
                            double *Y, int64_t ldy)
{
  (void)be;
#pragma omp parallel for schedule(static) if ((int64_t)n * k > BF_CPU_SMALL)
  for (bf_int r = 0; r < n; r++)
    for (int j = 0; j < k; j++) Y[j * ldy + r] = d[r] * X[j * ldx + r];
  return BF_OK;
}
