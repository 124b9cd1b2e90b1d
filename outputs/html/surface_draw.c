/* outputs/html/surface_draw.c - see surface.h: triangles and edges into a picture with a depth buffer
 *
 * A polygon is divided into triangles around its centre; inside a triangle depth and value are linear.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "outputs/html/surface.h"
#include "outputs/matrix/png.h"
#include <math.h>

enum { MARGIN = 12, BINS = 62, SHADES = 4, WHITE = 0, LINE = 1, FIRST = 2, EDGES_BELOW = 4000 };

typedef struct canvas {
  int      width, height, shade; /* of the polygon that is drawn */
  uint8_t *pixel;                /* owned */
  float   *depth;                /* owned; the larger, the nearer */
} canvas;

typedef struct vertex {
  double x, y, z, v; /* pixels, depth, share of the range */
} vertex;

typedef struct frame {
  double right[3], up[3], toward[3], scale, dx, dy;
} frame;

/* viridis (S. van der Walt and N. Smith), every eighth of the map */
void bf_surface_colour(double share, uint8_t rgb[3])
{
  static const uint8_t stop[9][3] = {{68, 1, 84},    {71, 44, 122},  {59, 81, 139},
                                     {44, 113, 142}, {33, 144, 141}, {39, 173, 129},
                                     {92, 200, 99},  {170, 220, 50}, {253, 231, 37}};
  const double         s          = fmin(fmax(share, 0.0), 1.0) * 8.0;
  const int            k          = s < 8.0 ? (int)s : 7;
  for (int i = 0; i < 3; i++) rgb[i] = (uint8_t)lround(stop[k][i] + (stop[k + 1][i] - stop[k][i]) * (s - k));
}

static void place(const bf_surface *s, const bf_surface_colours *c, bf_int point, double x[3])
{
  for (int d = 0; d < 3; d++) {
    x[d] = s->mesh->x[3 * (size_t)s->view->node[point] + (size_t)d];
    if (c->move) x[d] += c->factor * c->move[3 * (size_t)point + (size_t)d];
  }
}

static double dot(const double a[3], const double b[3])
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void view_of(const bf_surface *s, const bf_surface_colours *c, frame *f)
{
  const double n = sqrt(1.0 + 1.6 * 1.6 + 0.9 * 0.9), h = sqrt(1.0 + 1.6 * 1.6);
  const frame  plane = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, 1, 0, 0};
  const frame  space = {
       {1.6 / h, 1 / h, 0}, {-0.9 / n / h, 1.6 * 0.9 / n / h, h / n}, {1 / n, -1.6 / n, 0.9 / n}, 1, 0, 0};
  double lo[2] = {INFINITY, INFINITY}, hi[2] = {-INFINITY, -INFINITY}, x[3];
  *f = s->dim == 3 ? space : plane;
  for (int64_t k = 0; k < s->ptr[s->n]; k++) {
    place(s, c, s->point[k], x);
    const double u = dot(f->right, x), v = dot(f->up, x);
    if (!isfinite(u) || !isfinite(v)) continue;
    lo[0] = fmin(lo[0], u), hi[0] = fmax(hi[0], u);
    lo[1] = fmin(lo[1], v), hi[1] = fmax(hi[1], v);
  }
  const double w = fmax(hi[0] - lo[0], 1e-300), t = fmax(hi[1] - lo[1], 1e-300);
  f->scale = fmin((BF_SURFACE_WIDTH - 2 * MARGIN) / w, (BF_SURFACE_HEIGHT - 2 * MARGIN) / t);
  f->dx    = 0.5 * BF_SURFACE_WIDTH - f->scale * 0.5 * (lo[0] + hi[0]);
  f->dy    = 0.5 * BF_SURFACE_HEIGHT + f->scale * 0.5 * (lo[1] + hi[1]);
}

static vertex project(const frame *f, const double x[3], double v)
{
  return (vertex){f->dx + f->scale * dot(f->right, x), f->dy - f->scale * dot(f->up, x),
                  f->scale * dot(f->toward, x), v};
}

static void triangle(canvas *k, vertex a, vertex b, vertex c)
{
  const double area = (b.x - a.x) * (c.y - a.y) - (c.x - a.x) * (b.y - a.y);
  const int    x0   = (int)fmax(floor(fmin(a.x, fmin(b.x, c.x))), 0),
            x1      = (int)fmin(ceil(fmax(a.x, fmax(b.x, c.x))), k->width - 1);
  const int y0      = (int)fmax(floor(fmin(a.y, fmin(b.y, c.y))), 0),
            y1      = (int)fmin(ceil(fmax(a.y, fmax(b.y, c.y))), k->height - 1);
  if (!(fabs(area) > 0.0)) return;
  for (int y = y0; y <= y1; y++)
    for (int x = x0; x <= x1; x++) {
      const double px = x + 0.5, py = y + 0.5;
      const double s = ((px - a.x) * (c.y - a.y) - (c.x - a.x) * (py - a.y)) / area;
      const double t = ((b.x - a.x) * (py - a.y) - (px - a.x) * (b.y - a.y)) / area;
      if (s < -1e-9 || t < -1e-9 || s + t > 1.0 + 1e-9) continue;
      const double z = a.z + s * (b.z - a.z) + t * (c.z - a.z), v = a.v + s * (b.v - a.v) + t * (c.v - a.v);
      const size_t i = (size_t)y * (size_t)k->width + (size_t)x;
      if (!(z > k->depth[i])) continue;
      const int bin = (int)(fmin(fmax(v, 0.0), 1.0) * (BINS - 1) + 0.5);
      k->depth[i]   = (float)z;
      k->pixel[i]   = (uint8_t)(FIRST + k->shade * BINS + bin);
    }
}

static void line(canvas *k, vertex a, vertex b)
{
  const int n = (int)fmin(ceil(fmax(fabs(b.x - a.x), fabs(b.y - a.y))), 4000.0);
  for (int i = 0; i <= n; i++) {
    const double t = n ? (double)i / n : 0.0, x = a.x + t * (b.x - a.x), y = a.y + t * (b.y - a.y);
    if (!(x >= 0.0 && y >= 0.0 && x < k->width && y < k->height)) continue;
    const size_t at = (size_t)y * (size_t)k->width + (size_t)x;
    if (a.z + t * (b.z - a.z) + 2.0 > k->depth[at])
      k->pixel[at] = LINE; /* two pixels of depth of tolerance */
  }
}

/* The darker, the more a face turns from the viewer */
static int shade_of(const vertex *v, int n)
{
  double N[3] = {0, 0, 0};
  for (int i = 0; i < n; i++) {
    const vertex *a = &v[i], *b = &v[(i + 1) % n];
    N[0] += (a->y - b->y) * (a->z + b->z);
    N[1] += (a->z - b->z) * (a->x + b->x);
    N[2] += (a->x - b->x) * (a->y + b->y);
  }
  const double length = sqrt(dot(N, N));
  const double face =
      length > 0.0 ? fabs(N[2]) / length - 0.25 * N[1] / length * (N[2] > 0.0 ? 1.0 : -1.0) : 1.0;
  const int shade = (int)((1.0 - fmin(fmax(face, 0.0), 1.0)) * SHADES);
  return shade < SHADES ? shade : SHADES - 1;
}

static void polygon(canvas *k, const bf_surface *s, const bf_surface_colours *c, const frame *f, int64_t p)
{
  const int    n     = (int)(s->ptr[p + 1] - s->ptr[p]);
  const double range = c->high - c->low;
  vertex       v[8], m = {0, 0, 0, 0};
  for (int i = 0; i < n; i++) {
    const bf_int point = s->point[s->ptr[p] + i];
    const double value = c->on_cells ? c->value[s->cell[p]] : c->value[point];
    double       x[3];
    place(s, c, point, x);
    v[i] = project(f, x, range > 0.0 && isfinite(value) ? (value - c->low) / range : 0.0);
    if (!isfinite(v[i].x) || !isfinite(v[i].y) || !isfinite(v[i].z)) return;
    m.x += v[i].x / n, m.y += v[i].y / n, m.z += v[i].z / n, m.v += v[i].v / n;
  }
  k->shade = s->dim == 3 ? shade_of(v, n) : 0;
  if (n == 3)
    triangle(k, v[0], v[1], v[2]);
  else
    for (int i = 0; i < n; i++) triangle(k, v[i], v[(i + 1) % n], m);
  if (s->n < EDGES_BELOW)
    for (int i = 0; i < n; i++) line(k, v[i], v[(i + 1) % n]);
}

static void palette_of(uint8_t (*palette)[3])
{
  for (int h = 0; h < SHADES; h++)
    for (int b = 0; b < BINS; b++) {
      uint8_t rgb[3];
      bf_surface_colour((double)b / (BINS - 1), rgb);
      for (int i = 0; i < 3; i++)
        palette[FIRST + h * BINS + b][i] = (uint8_t)lround(rgb[i] * (1.0 - 0.09 * h));
    }
}

bf_err bf_surface_png(const bf_surface *s, const bf_surface_colours *c, uint8_t **png, size_t *bytes)
{
  bf_err       err                               = BF_OK;
  uint8_t      palette[FIRST + SHADES * BINS][3] = {{255, 255, 255}, {70, 74, 80}};
  canvas       k                                 = {.width = BF_SURFACE_WIDTH, .height = BF_SURFACE_HEIGHT};
  const size_t n                                 = (size_t)k.width * (size_t)k.height;
  frame        f;
  BF_GO(BF_NEW_ARRAY(k.pixel, n));
  BF_GO(BF_NEW_ARRAY(k.depth, n));
  for (size_t i = 0; i < n; i++) k.depth[i] = -INFINITY;
  view_of(s, c, &f);
  for (int64_t p = 0; p < s->n; p++) polygon(&k, s, c, &f, p);
  palette_of(palette);
  BF_GO(bf_png_encode(k.width, k.height, FIRST + SHADES * BINS, (const uint8_t(*)[3])palette, k.pixel, png,
                      bytes));
done:
  bf_host_free(k.pixel);
  bf_host_free(k.depth);
  return err;
}
