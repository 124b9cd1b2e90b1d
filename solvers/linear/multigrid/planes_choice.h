/* solvers/linear/multigrid/planes_choice.h - which planes of a lattice the next level keeps */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_SOLVERS_LINEAR_MULTIGRID_PLANES_CHOICE_H
#define BF_SOLVERS_LINEAR_MULTIGRID_PLANES_CHOICE_H
#include "solvers/linear/multigrid/multigrid.h"

typedef struct bf_mg_line { /* of one direction */
  bf_int  n, nc;
  bf_int *first; /* host, owned [nc]: planes that are kept; of two planes merged into one the first */
} bf_mg_line;

/* strong[g]: is the gap between the planes g and g + 1 of direction a strong?  Host, one array per direction,
 * *strong[a] is the caller's (bf_host_free).  Cost: one pass over the matrix, 28 bytes per node. */
bf_err bf_mg_gap_strengths(const bf_mg_stage *s, uint8_t *strong[3]);

typedef enum bf_mg_way {
  BF_MG_NO_WAY, /* every direction has one plane */
  BF_MG_PLANES,
  BF_MG_BOXES,   /* an elastic plate of three planes: smoothed aggregates of 3 x 3 x 3 nodes */
  BF_MG_SECTIONS /* a beam of three planes, a body of two, or of five whose couplings along another direction
                    are weak: all nodes through the thickness */
} bf_mg_way;

/* How the next level is made, and for planes those of all directions; line[a].first is the caller's
 * (bf_host_free). */
bf_err bf_mg_choose_planes(const bf_mg_stage *s, bf_mg_line line[3], bf_mg_way *way);

/* boxes.c: the next stage by boxes or sections; s->modes must be there.  *made 0: they have as many unknowns.
 */
bf_err bf_mg_boxes(const bf_mg_stage *s, bf_mg_way way, int *made, bf_mg_stage *coarse, bf_mg_transfer *T);
enum { BF_MG_THIN = 5 }; /* planes of a section, at most */
#endif
