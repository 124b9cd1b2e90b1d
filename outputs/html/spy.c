/* outputs/html/spy.c - see spy.h */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "outputs/html/spy.h"
#include "base/memory.h"
#include "outputs/matrix/png.h"
#include <math.h>

enum { GAP = 20, SHADES = 64, FRAME = 1, FIRST = 2 };

bf_err bf_spy_create(int64_t rows_before, int64_t rows_after, bf_spy **out)
{
  bf_err  err = BF_OK;
  bf_spy *s   = NULL;
  *out        = NULL;
  BF_CHECK(rows_before > 0 && rows_after > 0, BF_E_ARG, "a picture of no rows");
  BF_GO(BF_NEW(s));
  *s = (bf_spy){.rows = {rows_before, rows_after}, .every = 1};
  for (int k = 0; k < 2; k++) {
    s->side[k] = (int)(s->rows[k] < BF_SPY_SIDE ? s->rows[k] : BF_SPY_SIDE);
    BF_GO(BF_NEW_ARRAY(s->count[k], (size_t)s->side[k] * (size_t)s->side[k]));
  }
  *out = s;
  s    = NULL;
done:
  bf_spy_destroy(&s);
  return err;
}

void bf_spy_destroy(bf_spy **spy)
{
  if (!spy || !*spy) return;
  for (int k = 0; k < 2; k++) bf_host_free((*spy)->count[k]);
  bf_host_free(*spy);
  *spy = NULL;
}

void bf_spy_add(bf_spy *spy, int picture, int64_t row, int64_t column)
{
  const int64_t n = spy->side[picture], r = row * n / spy->rows[picture], c = column * n / spy->rows[picture];
  spy->count[picture][r * n + c]++;
}

/* Picture k, enlarged where it has few rows, with a frame; x: its left side */
static void draw(const bf_spy *s, int k, int x, int width, uint8_t *pixel)
{
  const int n = s->side[k], size = BF_SPY_SIDE / n * n, scale = size / n;
  uint32_t  most = 1;
  for (size_t i = 0; i < (size_t)n * (size_t)n; i++) most = s->count[k][i] > most ? s->count[k][i] : most;
  for (int r = -1; r <= size; r++)
    for (int c = -1; c <= size; c++) {
      uint8_t *p = &pixel[(size_t)(GAP + r) * (size_t)width + (size_t)(x + c)];
      if (r < 0 || c < 0 || r == size || c == size) {
        *p = FRAME;
        continue;
      }
      const uint32_t v = s->count[k][(size_t)(r / scale) * (size_t)n + (size_t)(c / scale)];
      if (v) *p = (uint8_t)(FIRST + (SHADES - 1) * log(1.0 + v) / log(1.0 + most));
    }
}

bf_err bf_spy_png(const bf_spy *s, uint8_t **png, size_t *bytes)
{
  static const int light[3] = {150, 190, 225}, dark[3] = {8, 35, 90};
  bf_err           err                        = BF_OK;
  uint8_t          palette[FIRST + SHADES][3] = {{255, 255, 255}, {120, 120, 120}}, *pixel = NULL;
  const int        width = 2 * BF_SPY_SIDE + 3 * GAP, height = BF_SPY_SIDE + 2 * GAP;
  for (int k = 0; k < SHADES; k++)
    for (int i = 0; i < 3; i++)
      palette[FIRST + k][i] = (uint8_t)(light[i] + (dark[i] - light[i]) * k / (SHADES - 1));
  BF_GO(BF_NEW_ARRAY(pixel, (size_t)width * (size_t)height));
  draw(s, 0, GAP, width, pixel);
  draw(s, 1, 2 * GAP + BF_SPY_SIDE, width, pixel);
  BF_GO(bf_png_encode(width, height, FIRST + SHADES, (const uint8_t(*)[3])palette, pixel, png, bytes));
done:
  bf_host_free(pixel);
  return err;
}
