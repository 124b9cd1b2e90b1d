/* mesh/numbering/tries.h - inside mesh/numbering/: the table of tries of a numbering */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_MESH_NUMBERING_TRIES_H
#define BF_MESH_NUMBERING_TRIES_H
#include "mesh/numbering/band_cost.h"

enum { BF_TRIES_RESERVED = 6 }; /* lines of the table for summaries */

/* Adds a line to the table of tries; the last lines are reserved for `summary` ones. Returns its number or
 * -1. bytes_full and bytes_half are in bytes; bf_tries_scale divides them by the nonzeros. */
int  bf_tries_add(bf_numbering *n, const char *name, const bf_offsets *o, const bf_bands *bands,
                  double seconds, int summary);
void bf_tries_scale(bf_numbering *n, int first, int64_t nnz);

/* Adds the line of a numbering k with a split. */
int bf_tries_add_split(bf_numbering *n, const char *name, const bf_numbering *k, double seconds);
#endif
