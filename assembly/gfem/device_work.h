/* assembly/gfem/device_work.h - inside assembly/gfem/: tables and buffers of device.c on the backend */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_ASSEMBLY_GFEM_DEVICE_WORK_H
#define BF_ASSEMBLY_GFEM_DEVICE_WORK_H
#include "assembly/gfem/device.h"

enum { BF_GFEM_ROUND = 4 }; /* nodes of a group of elements: a multiple */

typedef struct bf_on_device { /* owned backend memory, for the blocks in turn */
  bf_backend   *be;           /* borrowed */
  bf_gfem_fits  fits;
  bf_gfem_batch batch;
  void         *x, *row, *ptr, *other, *h, *C;          /* of the entries */
  void         *material;                               /* m->C */
  void         *corner, *mat, *factor;                  /* of a block */
  void         *w, *N, *dN;                             /* of its rule, */
  void         *mass_w, *mass_N, *mass_dN;              /* and of that of its loads */
  void         *elem, *conn, *values, *item_ptr, *item; /* of a chunk of elements; values: Ke or fe */
  void         *given;                                  /* load at the points of a chunk */
} bf_on_device;

typedef struct bf_group_of { /* elements of a block that have one width */
  bf_int *elem;              /* owned: numbers in the block, ascending */
  bf_int  n;
  int     width, patches;
} bf_group_of;

/* Elements of a block with `width` places for their nodes, those with in[e] != 0 (NULL = all). */
void bf_gfem_list_width(const bf_gfem *g, const bf_block *block, const uint8_t *in, int width,
                        bf_group_of *of);

/* Buffers for `chunk` elements with `bytes` of values each. */
bf_err bf_gfem_chunk_create(bf_on_device *d, bf_int chunk, int width, bf_int nrows, size_t bytes);
void   bf_gfem_chunk_release(bf_on_device *d);
/* Rows of k elements, and where each row occurs. */
bf_err bf_gfem_rows(bf_on_device *d, const bf_int *elem, bf_int k, const bf_group_of *of, bf_int nrows);

/* vector += volume loads of a block (device_loads.c). */
bf_err bf_gfem_device_loads(const bf_model *m, const bf_model_block *b, bf_int nrows, bf_on_device *d,
                            bf_group_of *of, double *vector);
#endif
