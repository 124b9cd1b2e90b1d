/* app/plan_rates.c - seconds a product is expected to take, from its bytes and what was measured of each
 * format
 *
 *     t = fixed + bytes / rate + planes * step * min(1, wave / rows)
 *
 * rate: what the kernels of a format reach of the memory.  planes: entries of a row one after another, which
 * a matrix too small to fill the device (fewer rows than `wave`) waits for.  The measurements, matrix by
 * matrix, and how far the formula is from them: docs/performance/auto.md.
 */
#include "app/job.h"

typedef enum { ONE_TABLE, ONE_TABLE_HALF, SEGMENTS, SEGMENTS_HALF, ROWS, ROWS16, OTHERS, KINDS } kind;

typedef struct rate {
  double fixed; /* s */
  double speed; /* bytes/s; only ratios matter for the choice */
  double step;  /* s a plane */
} rate;

/* H200 (4.6 TB/s read), 2026-11-22, cold caches, least squares by hand over 23 matrices of 300 to 1e6 rows.
 */
static const rate device[KINDS] = {
    [ONE_TABLE] = {5.5e-6, 4.39e12, 0.05e-6}, [ONE_TABLE_HALF] = {1.5e-6, 3.00e12, 0.05e-6},
    [SEGMENTS] = {6.0e-6, 4.20e12, 0.30e-6},  [SEGMENTS_HALF] = {6.0e-6, 2.15e12, 0.30e-6},
    [ROWS] = {5.7e-6, 3.20e12, 0.0},          [ROWS16] = {5.4e-6, 2.90e12, 0.0},
    [OTHERS] = {6.0e-6, 2.50e12, 0.0}};
enum { DEVICE_WAVE = 132 * 2048 }; /* threads of the device */

/* EPYC, 2 cores, 2026-11-22: a shared machine, to a quarter at best; its caches hide what a plane waits. */
static const rate host[KINDS] = {[ONE_TABLE] = {1e-6, 9.5e9, 0.0}, [ONE_TABLE_HALF] = {1e-6, 7.0e9, 0.0},
                                 [SEGMENTS] = {1e-6, 9.0e9, 0.0},  [SEGMENTS_HALF] = {1e-6, 4.8e9, 0.0},
                                 [ROWS] = {1e-6, 6.5e9, 0.0},      [ROWS16] = {1e-6, 6.5e9, 0.0},
                                 [OTHERS] = {1e-6, 5.0e9, 0.0}};

static const double second[2] = {1e-6, 3e-6}; /* the remainder's own kernel: host, device */

static kind kind_of(const bf_candidate *c, const bf_bands *b)
{
  if (c->format == BF_FORMAT_CSR) return ROWS;
  if (c->format == BF_FORMAT_CSR16) return ROWS16;
  if (!b) return OTHERS;
  if (b->nseg == 1) return c->half ? ONE_TABLE_HALF : ONE_TABLE;
  return c->half ? SEGMENTS_HALF : SEGMENTS;
}

/* Entries of the longest row in the bands and of a mean listed row of the remainder. */
static double planes_of(const bf_bands *b, const bf_graph *rest)
{
  int64_t most = 0, listed = 0;
  for (bf_int s = 0; s < b->nseg; s++) {
    const int64_t n = b->ptr[s + 1] - b->ptr[s], both = b->off[b->ptr[s]] < 0 ? n : 2 * n - 1;
    most = both > most ? both : most; /* offsets >= 0 alone are listed: each is met twice */
  }
  for (bf_int i = 0; rest && i < rest->n; i++) listed += rest->ptr[i] < rest->ptr[i + 1];
  return (double)most + (listed ? (double)rest->ptr[rest->n] / (double)listed : 0.0);
}

double bf_plan_seconds(const bf_candidate *c, const bf_bands *b, const bf_graph *rest, int64_t rows, int D,
                       int on_device)
{
  const rate  *r    = &(on_device ? device : host)[kind_of(c, b)];
  const double busy = rows > DEVICE_WAVE ? (double)DEVICE_WAVE / (double)rows : 1.0;
  return r->fixed + (rest ? second[on_device] : 0.0) + (double)c->product / r->speed +
         (b ? r->step * busy * D * planes_of(b, rest) : 0.0);
}
