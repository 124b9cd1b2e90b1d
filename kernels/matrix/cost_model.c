/* kernels/matrix/cost_model.c - expected seconds of a product, from its bytes and a table of rates for each
 * device
 *
 *     t = fixed + bytes / (scale rate) + planes * step * min(1, wave / rows)
 *
 * rate: bytes/s of the kernels of a format on the device of the table.  scale: memory bandwidth of this
 * device over that of the table's.  planes: entries of a row that one thread reads one after another; their
 * latency counts where the rows do not fill the device (fewer rows than `wave`).  Compressed rows on the
 * device take `second_chunk` more where a mean row has so many entries that a block reads them in two rounds.
 *
 * The rates follow from properties of the device alone; nothing is measured in a run, so that equal runs on
 * one machine choose the same format.  The measurements behind the tables and the deviations of the formula
 * from them: docs/performance/auto.md.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/matrix/cost_model.h"
#include "kernels/matrix/format.h"
#include <string.h>

typedef enum {
  ONE_TABLE, /* one unknown a node, offsets in the kernel's parameters */
  ONE_TABLE_HALF,
  BLOCKS, /* the same with several unknowns a node */
  BLOCKS_HALF,
  SEGMENTS, /* tables in memory */
  SEGMENTS_HALF,
  SEGMENTS_BLOCKS_HALF,
  KINDS
} kind;
enum { TABLE = 128 }; /* offsets that fit in the parameters (BDIA_TABLE) */

/* H200 (4.6 TB/s read), 2026-11-22, cold caches, fitted by hand to 49 matrices of 95 to 1e6 rows. */
static const bf_rate device[KINDS] = {[ONE_TABLE]            = {3.5e-6, 4.39e12, 0.05e-6, 0},
                                      [ONE_TABLE_HALF]       = {3.2e-6, 3.00e12, 0.05e-6, 0},
                                      [BLOCKS]               = {3.5e-6, 4.39e12, 0.20e-6, 0},
                                      [BLOCKS_HALF]          = {3.2e-6, 3.00e12, 0.30e-6, 0},
                                      [SEGMENTS]             = {6.0e-6, 4.20e12, 0.30e-6, 0},
                                      [SEGMENTS_HALF]        = {6.0e-6, 2.15e12, 0.30e-6, 0},
                                      [SEGMENTS_BLOCKS_HALF] = {6.0e-6, 2.15e12, 0.30e-6, 0}};
enum { DEVICE_THREADS = 132 * 2048 };
static const double device_bandwidth = 4.9e12;  /* bytes/s: 6144 bits, two transfers at 3201 MHz */
static const double device_triad     = 4.13e12; /* bytes/s, docs/performance/products.md */
static const double usual_share      = 0.9;     /* of the bandwidth by bus and clock: STREAM triad of a GPU */
static const double second_chunk     = 1.5e-6;  /* of compressed rows */

/* EPYC, 2 cores, 2026-11-22, 33 example decks, nearly all in its caches.  A shared machine: single times
 * repeat to a fifth. */
static const bf_rate host[KINDS] = {[ONE_TABLE]            = {0.5e-6, 82e9, 0.0, 0},
                                    [ONE_TABLE_HALF]       = {0.4e-6, 68e9, 0.0, 0},
                                    [BLOCKS]               = {0.5e-6, 66e9, 0.0, 0},
                                    [BLOCKS_HALF]          = {0.4e-6, 65e9, 0.0, 0},
                                    [SEGMENTS]             = {0.5e-6, 72e9, 0.0, 0},
                                    [SEGMENTS_HALF]        = {0.4e-6, 60e9, 0.0, 0},
                                    [SEGMENTS_BLOCKS_HALF] = {0.2e-6, 62e9, 0.0, 0}};

static const double second[2] = {4e-6, 3e-6}; /* the remainder's own kernel: host, device */

static kind kind_of(int half, const bf_bands *b, int D)
{
  if (b->nseg > 1 || b->ptr[1] - b->ptr[0] > TABLE)
    return !half ? SEGMENTS : D > 1 ? SEGMENTS_BLOCKS_HALF : SEGMENTS_HALF;
  if (D > 1) return half ? BLOCKS_HALF : BLOCKS;
  return half ? ONE_TABLE_HALF : ONE_TABLE;
}

/* Entries of the longest row in the bands and of a mean listed row of the remainder. */
static double planes_of(const bf_bands *b, const bf_graph *rest)
{
  int64_t most = 0, listed = 0;
  for (bf_int s = 0; s < b->nseg; s++) {
    const int64_t n = b->ptr[s + 1] - b->ptr[s], both = b->off[b->ptr[s]] < 0 ? n : 2 * n - 1;
    most = both > most ? both : most; /* only offsets >= 0 are listed: each counts twice */
  }
  for (bf_int i = 0; rest && i < rest->n; i++) listed += rest->ptr[i] < rest->ptr[i + 1];
  return (double)most + (listed ? (double)rest->ptr[rest->n] / (double)listed : 0.0);
}

/* The device of the table: all of an H200, not a slice of it. */
static int is_listed(const bf_properties *p)
{
  return strncmp(p->name, "NVIDIA H200", 11) == 0 && p->threads == DEVICE_THREADS;
}

void bf_rates_of(const bf_properties *p, int on_device, bf_rates *rates)
{
  *rates = (bf_rates){.on_device = on_device, .scale = 1.0, .wave = DEVICE_THREADS};
  if (!on_device || !p) return;
  if (p->threads > 0) rates->wave = p->threads;
  if (!is_listed(p) && p->bandwidth > 0.0) rates->scale = p->bandwidth / device_bandwidth;
  rates->triad = is_listed(p) ? device_triad : usual_share * p->bandwidth;
}

void bf_rates_of_backend(bf_backend *be, bf_rates *rates)
{
  bf_properties p;
  be->ops.properties(be, &p);
  bf_rates_of(&p, be->ops.on_device, rates);
}

void bf_rates_of_word(const char *want, bf_rates *rates)
{
  bf_backend *gpu = NULL;
  if (strcmp(want, "cpu") == 0 || bf_backend_create("cuda", NULL, &gpu) != BF_OK)
    bf_rates_of(NULL, strcmp(want, "cuda") == 0, rates);
  else
    bf_rates_of_backend(gpu, rates);
  bf_backend_destroy(&gpu);
}

double bf_product_seconds(bf_format format, int half, int64_t bytes, const bf_bands *b, const bf_graph *rest,
                          int64_t rows, double entries, int D, const bf_rates *rates)
{
  const int            on_device = rates->on_device;
  const kind           what      = b ? kind_of(half, b, D) : KINDS;
  const bf_format_ops *f         = bf_format_of(format);
  const bf_rate       *r         = b      ? &(on_device ? device : host)[what]
                                   : half ? &f->half_rate[on_device]
                                          : &f->rate[on_device];
  const int            two       = r->chunk > 0 && entries >= r->chunk;
  const double         busy      = (double)rows > rates->wave ? rates->wave / (double)rows : 1.0;
  return r->fixed + (rest ? second[on_device] : 0.0) + (two ? second_chunk : 0.0) +
         (double)bytes / (rates->scale * r->speed) +
         (b ? r->step * busy * (what == BLOCKS_HALF ? 1 : D) * planes_of(b, rest) : 0.0);
}
