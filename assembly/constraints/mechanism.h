/* assembly/constraints/mechanism.h - bodies that are joined only at nodes or edges and can move without
 * deformation
 *
 * Every body (joined_bodies.h) moves as a rigid one, u = t + r x (x - c)/L with its own centre c and length
 * L.  At a joint the displacements of its bodies are equal, at supports they are 0: homogeneous linear
 * equations with entries up to 1. Their null space (nullspace.h) modulo the rigid motions of the whole part
 * is the space of mechanisms. For full integration and valid elements both together are the null vectors of
 * K.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_ASSEMBLY_CONSTRAINTS_MECHANISM_H
#define BF_ASSEMBLY_CONSTRAINTS_MECHANISM_H
#include "assembly/constraints/joined_bodies.h"
#include "assembly/constraints/rigid_body_modes.h"
#include "assembly/model.h"

typedef struct bf_mechanisms bf_mechanisms; /* opaque */

/* Bodies, joints and the prescribed displacements of the model; part[nnodes] as from bf_parts_find.  Model,
 * bodies and part are borrowed. */
bf_err bf_mechanisms_create(const bf_model *m, const bf_bodies *bodies, const bf_int *part,
                            bf_mechanisms **out);
void   bf_mechanisms_destroy(bf_mechanisms **M);

/* The displacement component of the body of element elem is prescribed at x. */
void bf_mechanisms_hold(bf_mechanisms *M, bf_int elem, const double x[3], int component);

/* Call after all supports. *complete = 0: too many bodies, no result (limits: mechanism.c). */
bf_err bf_mechanisms_solve(bf_mechanisms *M, int *complete);

bf_int bf_mechanisms_bodies(const bf_mechanisms *M);
/* Free motions of a part: rigid motions of the whole and mechanisms together. */
bf_int bf_mechanisms_count(const bf_mechanisms *M, bf_int part);

typedef struct bf_mechanism {       /* motions of one set of bodies; the text calls the first one "body" */
  bf_int     body, elements, first; /* its elements, and the lowest of them */
  double     lo[3], hi[3];          /* its box */
  bf_int     with;                  /* further bodies that move */
  int        n;                     /* motions, at most 6 */
  double     mode[6][6];            /* of the body */
  bf_motions frame;                 /* its centre and length, for bf_motion_name */
  bf_int     nodes, node[2]; /* nodes at which the moving bodies are joined; the only one, or the ends */
  int        line;           /* 1: they lie on a line */
} bf_mechanism;

/* The mechanisms of a part, of which `whole`[nwhole] (in the frame of `of`) are the motions of the whole:
 * list[room], *n of them, with *motions motions.  Other bodies are at rest as far as possible, first the
 * constrained ones, or else the largest body. At most 24 null vectors are used. */
bf_err bf_mechanisms_list(const bf_mechanisms *M, bf_int part, const bf_motions *of, int nwhole,
                          double whole[6][6], bf_mechanism *list, int room, int *n, bf_int *motions);
#endif
