/* kernels/matrix/cost_model.h - rates of a device by its properties, and the expected time of a product
 *
 * Equal properties give equal rates: nothing is measured.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_MATRIX_COST_MODEL_H
#define BF_KERNELS_MATRIX_COST_MODEL_H
#include "kernels/matrix/matrix.h"

typedef struct bf_rates {
  int    on_device; /* 1: the table of GPUs; 0: that of CPUs */
  double scale;     /* of the table's bytes/s */
  double wave;      /* threads that fill the device */
  double triad;     /* bytes/s of the STREAM triad; 0: unknown, as on CPUs */
} bf_rates;

typedef struct bf_rate { /* of the kernels of one format on one device */
  double fixed;          /* s */
  double speed;          /* bytes/s; only ratios matter for the choice */
  double step;           /* s a plane of a band; several unknowns a node, half, one table: a node diagonal */
  int    chunk;          /* entries of a mean row from which a block reads it in two rounds; 0: never */
} bf_rate;

/* Rates from properties; p NULL: those of the table's device. */
void bf_rates_of(const bf_properties *p, int on_device, bf_rates *rates);
void bf_rates_of_backend(bf_backend *be, bf_rates *rates);
/* Rates of the backend that "auto", "cpu" or "cuda" selects on this machine; "cuda" without a usable
 * device: those of the table's GPU. */
void bf_rates_of_word(const char *want, bf_rates *rates);

/* Expected seconds of a product that moves `bytes`; b, rest: its bands and remainder, or NULL; rows of
 * scalars, `entries` of a mean one. */
double bf_product_seconds(bf_format format, int half, int64_t bytes, const bf_bands *b, const bf_graph *rest,
                          int64_t rows, double entries, int D, const bf_rates *rates);
#endif
