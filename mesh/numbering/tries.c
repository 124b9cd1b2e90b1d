/* mesh/numbering/tries.c - see tries.h */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "mesh/numbering/tries.h"
#include <stdio.h>

int bf_tries_add(bf_numbering *n, const char *name, const bf_offsets *o, const bf_bands *bands,
                 double seconds, int summary)
{
  if (n->ntries >= BF_TRIES_MAX - (summary ? 0 : BF_TRIES_RESERVED)) return -1;
  bf_try *t = &n->tries[n->ntries];
  snprintf(t->name, sizeof t->name, "%.47s", name);
  t->diagonals  = o ? 2 * o->n + 1 : 0;
  t->reach      = o ? o->reach : 0;
  t->stopped    = o && o->stopped;
  t->segments   = bands ? bands->nseg : 0;
  t->bytes_full = bands ? bf_bands_bytes(bands, 0) : 0.0;
  t->bytes_half = bands ? bf_bands_bytes(bands, 1) : 0.0;
  t->seconds    = seconds;
  return n->ntries++;
}

int bf_tries_add_split(bf_numbering *n, const char *name, const bf_numbering *k, double seconds)
{
  const int       line = bf_tries_add(n, name, NULL, NULL, seconds, 1);
  bf_try         *t    = &n->tries[line];
  const bf_bands *b    = k->split[0].bands;
  for (bf_int s = 0; s < b->nseg; s++) {
    const bf_int d = (bf_int)(b->ptr[s + 1] - b->ptr[s]);
    t->diagonals   = d > t->diagonals ? d : t->diagonals;
  }
  t->reach      = k->reach;
  t->segments   = b->nseg;
  t->bytes_full = bf_split_bytes(k, 0) / (double)k->nnz;
  t->bytes_half = bf_split_bytes(k, 1) / (double)k->nnz;
  t->rest       = (double)k->split[0].rest->ptr[k->nrows] / (double)k->nnz;
  return line;
}

void bf_tries_scale(bf_numbering *n, int first, int64_t nnz)
{
  for (int i = first; i < n->ntries && nnz > 0; i++) {
    n->tries[i].bytes_full /= (double)nnz;
    n->tries[i].bytes_half /= (double)nnz;
  }
}
