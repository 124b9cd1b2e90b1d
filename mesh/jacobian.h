/* mesh/jacobian.h - det dx/dxi of an element at the points where it is looked at (private to the room) */
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
} bf_jacobian;

void bf_jacobian_rule(bf_elem_type type, bf_jacobian *rule);

/* dN_a/dxi_d at xi: grad[nnodes][3], out; directions past the dimension are 0. */
void bf_jacobian_gradients(bf_elem_type type, const double xi[3], double grad[BF_NEN_MAX][3]);

/* det[npoints], out, of an element with nodes node[nnodes] at m->x.  2D uses x and y; lines have their length
 * |dx/dxi|. */
void bf_jacobian_dets(const bf_jacobian *rule, const double *x, const bf_int *node, double *det);
#endif
