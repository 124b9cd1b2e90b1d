/* mesh/jacobian.h - det dx/dxi of an element at nodes and quadrature points (private to mesh/) */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_MESH_JACOBIAN_H
#define BF_MESH_JACOBIAN_H
#include "mesh/mesh.h"

enum { BF_JACOBIAN_POINTS = BF_NEN_MAX + 27 };

/* Gradients of the shape functions at the element's nodes (first `nodes` points; the corners come first) and
 * at the points of a quadrature that integrates det J exactly.  Types with constant det J have one point. */
typedef struct bf_jacobian {
  const bf_elem_info *info;
  int                 nodes, npoints;
  double              weight[BF_JACOBIAN_POINTS]; /* 0 at the nodes */
  double              grad[BF_JACOBIAN_POINTS][BF_NEN_MAX][3];
  double              centre_grad[BF_NEN_MAX][3]; /* gradients at the centre */
  double              from_centre[BF_NEN_MAX][3]; /* reference coordinates of the nodes, less the centre's */
  double              volume;                     /* of the reference element */
  double              lebesgue;                   /* max over points and directions of sum_a |dN_a/dxi_d| */
} bf_jacobian;

void bf_jacobian_rule(bf_elem_type type, bf_jacobian *rule);

/* dN_a/dxi_d at xi: grad[nnodes][3], out; directions past the dimension are 0. */
void bf_jacobian_gradients(bf_elem_type type, const double xi[3], double grad[BF_NEN_MAX][3]);

/* det[npoints], out, of an element with nodes node[nnodes] at m->x.  2D uses x and y; lines have their length
 * |dx/dxi|. */
void bf_jacobian_dets(const bf_jacobian *rule, const double *x, const bf_int *node, double *det);

/* det J at the centre.  *spread bounds |det J - that| at all points: with x = affine map + r, the columns of
 * J change by at most lebesgue * max |r_a|, and the determinant by prod (|J_d| + change) - prod |J_d|.
 * For elements that are nearly parallelepipeds these two numbers suffice, at a tenth of the cost. */
double bf_jacobian_affine(const bf_jacobian *rule, const double *x, const bf_int *node, double *spread);

/* 1: det J is negative at all points evaluated, and no node is repeated. */
int bf_jacobian_inverted(const bf_jacobian *rule, const double *x, const bf_int *node);
#endif
