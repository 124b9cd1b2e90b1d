/* assembly/basis/shape.h - shape functions of the element types and their derivatives
 *
 *     u(xi) = sum_a N_a(xi) u_a,      x(xi) = sum_a N_a(xi) x_a   (isoparametric)
 *
 * Node order and reference elements: mesh/element.h.  Formulas: docs/theory/elements.md.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_ASSEMBLY_BASIS_SHAPE_H
#define BF_ASSEMBLY_BASIS_SHAPE_H
#include "mesh/element.h"

/* N[nnodes] = shape functions at xi[3] (coordinates past the element's dimension are ignored);
 * dN[nnodes][3] = dN_a/dxi_j, 0 past the dimension; dN may be NULL.  xi may lie outside the element. */
void bf_shape(bf_elem_type type, const double xi[3], double *N, double (*dN)[3]);

/* ddN[nnodes][6] = d2N_a/dxi_i dxi_j in the order xx yy zz xy yz xz; 0 past the dimension. */
void bf_shape_second(bf_elem_type type, const double xi[3], double (*ddN)[6]);

/* Jacobian of the map of an element to space at a point: J[i][j] = dx_i/dxi_j = sum_a x_a[i] dN_a/dxi_j
 * (columns past the element's dimension are 0).  x[nnodes][3].  Returns the factor between the measures: det
 * J for an element of the dimension of space (2D: the determinant in x, y; sdim = 2), else length or area of
 * the mapped element. */
double bf_shape_jacobian(bf_elem_type type, int sdim, const double (*x)[3], const double (*dN)[3],
                         double J[3][3]);

/* Unit normal n[3] of a side (dimension sdim - 1) at a point, out of the body that lies to the left of the
 * directed side (2D) or behind it by the right-hand rule; 0 where the side has no size. */
void bf_shape_normal(bf_elem_type type, int sdim, const double (*x)[3], const double (*dN)[3], double n[3]);

/* Derivatives in space g[nnodes][3] = dN_a/dx_i for an element of the dimension of space, sdim = 2 or 3;
 * returns det J; where it is 0 or not finite g is 0. */
double bf_shape_gradient(bf_elem_type type, const double (*x)[3], const double (*dN)[3], double (*g)[3]);
#endif
