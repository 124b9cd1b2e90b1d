/* assembly/model/frames.h - inside assembly/: frames of nodes whose constraints are not along x, y, z
 *
 *     n_i . u = g_i  at a node   ->   u = T u',  T orthogonal, its columns span the n_i first in turn:
 *     q_k = (n_i - sum_j (n_i.q_j) q_j)/|..|,   u'_k = (g_i - sum_j (n_i.q_j) u'_j)/|..|
 *
 * The unknowns of such a node are u'; `fixed` and `value` of the model refer to them.  Element matrices and
 * the right-hand side are turned when they enter the linear system, solutions are turned back before
 * recovery; everything else in assembly/ is in x, y, z.  Theory: docs/theory/frames.md.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_ASSEMBLY_MODEL_FRAMES_H
#define BF_ASSEMBLY_MODEL_FRAMES_H
#include "assembly/model/internal.h"

typedef struct bf_direction { /* n . u = value at a node, by condition `by` */
  bf_int node;
  int    by;
  double n[3], value;
} bf_direction;

typedef struct bf_directions {
  int64_t       n, room;
  bf_direction *item; /* owned [room] */
} bf_directions;

bf_err bf_directions_add(bf_directions *d, const bf_direction *one);

/* Frames of the nodes of d, with the components that are prescribed there along x, y, z.  scale: largest
 * prescribed value.  E302 where directions depend on each other and values do not agree. */
bf_err bf_model_make_frames(bf_model *m, bf_directions *d, double scale, bf_diags *diags);

/* Rows of T of a node, [ncomp][ncomp]; NULL: it has none. */
const double *bf_model_frame(const bf_model *m, bf_int node);

/* Direction n[3] of component c of a node. */
void bf_model_direction(const bf_model *m, bf_int node, int c, double n[3]);

/* u, host, by scalar row: u' = T^T u (to_local), or u = T u'. */
void bf_frames_turn(const bf_model *m, const bf_numbering *num, int to_local, double *u);
/* b = T^T b of a vector of the backend.  Cost: two copies of it where there are frames, else none. */
bf_err bf_frames_turn_loads(const bf_model *m, const bf_numbering *num, bf_backend *be, double *b);

/* f[nnodes*ncomp] by node, x y z: the part along the prescribed directions, f = sum_k q_k (q_k . f). */
void bf_frames_held(const bf_model *m, double *f);

/* Tables for element.rotate by rows of num; bs->frames.frame stays NULL without frames. */
bf_err bf_frames_upload(const bf_model *m, const bf_numbering *num, bf_batches *bs);
#endif
