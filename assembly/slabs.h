/* assembly/slabs.h - inside assembly/: cells cut into slabs, slabs in colours, so that threads may add to
 * points
 *
 * Two slabs of one colour share no point: they are worked on at the same time and add to their points without
 * atomics.  Colours follow each other, cells of a slab too: every point receives its sums in one order, which
 * depends on the mesh and its numbering, never on the number of threads.
 */
#ifndef BF_SLABS_H
#define BF_SLABS_H
#include "assembly/model_internal.h"

typedef struct bf_slab {
  int    block;  /* of the model: all cells of a slab have its type */
  bf_int c0, c1; /* places c0 .. c1-1 in the order of cells */
} bf_slab;

typedef struct bf_slabs {
  bf_int  *order; /* owned [ncells]: cell at a place; NULL = the view's order */
  int      n;     /* slabs */
  bf_slab *slab;  /* owned [n], by colour */
  int      ncolours;
  int     *first; /* owned [ncolours + 1]: first slab of a colour */
} bf_slabs;

enum { BF_SLAB_CELLS = 256, BF_SLABS_TARGET = 2048, BF_SLABS_ABREAST = 32 };

/* Slabs of BF_SLAB_CELLS cells or more, about BF_SLABS_TARGET at most.  The view's own order of cells is
 * kept where it lets BF_SLABS_ABREAST slabs a colour on average; else cells are sorted by their lowest row,
 * if that is better: neighbours are near each other in any numbering made for a narrow band.  view: the
 * model's cells; every node of it has a row.  Cost: one or two passes over the cells' points. */
bf_err bf_slabs_create(const bf_model *m, const bf_numbering *num, const bf_view *view, bf_slabs **out);
void   bf_slabs_destroy(bf_slabs **s);
#endif
