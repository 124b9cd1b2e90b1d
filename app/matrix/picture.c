/* app/matrix/picture.c - pictures of bandfem matrix: places of the nonzeros, slots of the diagonals
 *
 * Small matrices have squares of several pixels per entry; in large ones a pixel is a block of rows and
 * columns, the darker the more of it is filled (on a logarithmic scale).
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "app/matrix/matrix.h"
#include "base/memory.h"
#include "outputs/matrix/png.h"
#include <math.h>
#include <string.h>

enum { SIDE = 800, GAP = 24, SHADES = 64, WHITE = 0, FRAME = 1, FIRST = 2 };

typedef struct picture {
  int      width, height;
  uint8_t *pixel; /* owned */
} picture;

typedef struct panel { /* of nrows x ncols items: sx x sy pixels an item, or `per` items a pixel */
  int     x, y, width, height, sx, sy;
  int64_t rows_per, cols_per;
} panel;

static bf_err picture_create(int width, int height, picture *p)
{
  *p = (picture){width, height, NULL};
  return BF_NEW_ARRAY(p->pixel, (size_t)width * (size_t)height);
}

/* Pixels of an item along a side of n items. */
static int scale_of(int64_t n, int most)
{
  return 2 * n > most ? 1 : (int)(most / n < 24 ? most / n : 24);
}

static panel panel_of(int x, int y, int64_t nrows, int64_t ncols, int width)
{
  panel p    = {.x = x, .y = y, .sx = scale_of(ncols, width), .sy = scale_of(nrows, SIDE)};
  p.rows_per = (nrows + SIDE - 1) / SIDE;
  p.cols_per = (ncols + SIDE - 1) / SIDE;
  p.height   = (int)((nrows + p.rows_per - 1) / p.rows_per) * p.sy;
  p.width    = (int)((ncols + p.cols_per - 1) / p.cols_per) * p.sx;
  return p;
}

static void frame(picture *f, const panel *p)
{
  for (int y = p->y - 1; y <= p->y + p->height; y++)
    for (int x = p->x - 1; x <= p->x + p->width; x++)
      if (y < p->y || y == p->y + p->height || x < p->x || x == p->x + p->width)
        f->pixel[(size_t)y * (size_t)f->width + (size_t)x] = FRAME;
}

/* An item, with a light seam where there is room for it. */
static void square(picture *f, const panel *p, int64_t row, int64_t col, uint8_t colour)
{
  const int w = p->sx - (p->sx > 4), h = p->sy - (p->sy > 4);
  for (int64_t y = p->y + row * p->sy; y < p->y + row * p->sy + h; y++)
    for (int64_t x = p->x + col * p->sx; x < p->x + col * p->sx + w; x++)
      f->pixel[(size_t)y * (size_t)f->width + (size_t)x] = colour;
}

static void spy_panel(picture *f, const panel *p, const bf_sparse *S, int64_t *count)
{
  const int64_t w = p->width / p->sx, h = p->height / p->sy;
  memset(count, 0, (size_t)(w * h) * sizeof *count);
  for (bf_int i = 0; i < S->nrows; i++)
    for (int64_t k = S->ptr[i]; k < S->ptr[i + 1]; k++)
      count[i / p->rows_per * w + S->col[k] / p->cols_per] += S->val[k] != 0.0;
  const double all = log(1.0 + (double)(p->rows_per * p->cols_per));
  for (int64_t r = 0; r < h; r++)
    for (int64_t c = 0; c < w; c++)
      if (count[r * w + c])
        square(f, p, r, c, (uint8_t)(FIRST + (SHADES - 1) * log(1.0 + (double)count[r * w + c]) / all));
  frame(f, p);
}

/* from a to b in SHADES steps */
static void shades(uint8_t (*palette)[3], const int a[3], const int b[3])
{
  for (int k = 0; k < SHADES; k++)
    for (int i = 0; i < 3; i++) palette[k][i] = (uint8_t)(a[i] + (b[i] - a[i]) * k / (SHADES - 1));
}

bf_err bf_export_spy(const char *path, const bf_sparse *file, const bf_sparse *chosen)
{
  static const int light[3] = {150, 190, 225}, dark[3] = {8, 35, 90};
  bf_err           err                        = BF_OK;
  uint8_t          palette[FIRST + SHADES][3] = {{255, 255, 255}, {120, 120, 120}};
  picture          f;
  int64_t         *count = NULL;
  const bf_sparse *S[2]  = {file, chosen};
  panel            p[2]  = {panel_of(GAP, GAP, file->nrows, file->nrows, SIDE),
                            panel_of(0, GAP, chosen->nrows, chosen->nrows, SIDE)};
  p[1].x                 = 2 * GAP + p[0].width;
  BF_TRY(picture_create(p[1].x + p[1].width + GAP, p[0].height + 2 * GAP, &f));
  shades(palette + FIRST, light, dark);
  BF_GO(BF_NEW_ARRAY(count, (size_t)SIDE * SIDE));
  for (int i = 0; i < 2; i++) spy_panel(&f, &p[i], S[i], count);
  BF_GO(bf_write_png(path, f.width, f.height, FIRST + SHADES, (const uint8_t(*)[3])palette, f.pixel));
done:
  bf_host_free(count);
  bf_host_free(f.pixel);
  return err;
}

/* 1: the block of node rows r and r + off has a nonzero. */
static int filled(const bf_sparse *S, bf_int D, bf_int r, bf_int off)
{
  const bf_int c = r + off;
  for (bf_int i = r * D; i < (r + 1) * D; i++)
    for (int64_t k = S->ptr[i]; k < S->ptr[i + 1]; k++)
      if (S->col[k] / D == c && S->val[k] != 0.0) return 1;
  return 0;
}

/* stored[bin], used[bin]: slots of the diagonals and those with a nonzero; column by offset of `all` from
 * `first` on. */
static void count_slots(const bf_bands *b, const bf_bands *all, int64_t first, const bf_sparse *S, bf_int D,
                        const panel *p, int64_t *stored, int64_t *used)
{
  const int64_t w = p->width / p->sx;
  for (bf_int s = 0; s < b->nseg; s++)
    for (int64_t k = b->ptr[s], at = 0; k < b->ptr[s + 1]; k++) {
      while (all->off[at] != b->off[k]) at++;
      for (bf_int r = b->row[s]; r < b->row[s + 1]; r++) {
        const bf_int c = r + b->off[k];
        if (at < first) break;
        const int64_t bin = r / p->rows_per * w + (at - first) / p->cols_per;
        stored[bin]++;
        used[bin] += c >= 0 && c < b->nrows && filled(S, D, r, b->off[k]);
      }
    }
}

bf_err bf_export_diagonals(const char *path, const bf_job *job, const bf_sparse *S)
{
  static const int zero[3] = {240, 150, 60}, value[3] = {8, 35, 90};
  bf_err           err                        = BF_OK;
  uint8_t          palette[FIRST + SHADES][3] = {{255, 255, 255}, {120, 120, 120}};
  picture          f                          = {0};
  bf_bands        *all                        = NULL;
  int64_t          first                      = 0; /* half storage: the offsets from 0 on */
  int64_t         *slots                      = NULL;
  const bf_bands  *b                          = job->plan.bands;
  BF_CHECK(b, BF_E_MODEL, "the plan stores no diagonals (format %s): use -s matrix.format=bdia",
           bf_format_word(job->plan.format));
  BF_GO(bf_bands_union(b, &all));
  while (job->plan.half && all->off[first] < 0) first++;
  const panel   p = panel_of(GAP, GAP, b->nrows, all->ptr[1] - first, SIDE / 2);
  const int64_t n = (int64_t)(p.width / p.sx) * (p.height / p.sy);
  BF_GO(BF_NEW_ARRAY(slots, 2 * (size_t)n));
  count_slots(b, all, first, S, bf_model_ncomp(job->model), &p, slots, slots + n);
  BF_GO(picture_create(p.width + 2 * GAP, p.height + 2 * GAP, &f));
  shades(palette + FIRST, zero, value);
  for (int64_t i = 0; i < n; i++)
    if (slots[i])
      square(&f, &p, i / (p.width / p.sx), i % (p.width / p.sx),
             (uint8_t)(FIRST + (SHADES - 1) * (double)slots[n + i] / (double)slots[i]));
  frame(&f, &p);
  BF_GO(bf_write_png(path, f.width, f.height, FIRST + SHADES, (const uint8_t(*)[3])palette, f.pixel));
done:
  bf_host_free(slots);
  bf_host_free(f.pixel);
  bf_bands_destroy(&all);
  return err;
}
