/* assembly/basis/quadrature.h - integration rules on the reference elements, all with positive weights
 *
 *     integral of f over the reference element  ~  sum_q w_q f(xi_q)
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_ASSEMBLY_BASIS_QUADRATURE_H
#define BF_ASSEMBLY_BASIS_QUADRATURE_H
#include "mesh/element.h"

enum { BF_QUADRATURE_MAX = 64 };

typedef struct bf_rule {
  int    n;
  double xi[BF_QUADRATURE_MAX][3]; /* 0 past the element's dimension */
  double w[BF_QUADRATURE_MAX];
} bf_rule;

typedef enum bf_rule_use {
  BF_RULE_STIFFNESS, /* products of gradients */
  BF_RULE_MASS       /* products of shape functions, and loads */
} bf_rule_use;

/* points: 0 = auto, else points per direction 1 .. bf_quadrature_max(type).
 * auto, stiffness | mass:  line2 2 line3 3, quad4 2x2, quad8 3x3, hex8 2x2x2, hex20 3x3x3 | the same;
 * tri3 1 | 3, tri6 3 | 6, tet4 1 | 4, tet10 4 | 14 points: exact on elements of constant Jacobian.
 * points p: Gauss p^d on boxes, on simplices the shortest symmetric rule of degree 2p-1 or more, else the
 * conical product p^d: degree 2p-1 everywhere (on boxes in each coordinate).  The mass rule has at least the
 * degree of its auto rule: fewer points apply to the stiffness only (reduced integration). BF_E_ARG out of
 * range.
 */
bf_err bf_quadrature(bf_elem_type type, int points, bf_rule_use use, bf_rule *rule);

/* Most points per direction that fit: 8 in one and two dimensions, 4 in three. */
int bf_quadrature_max(bf_elem_type type);
#endif
