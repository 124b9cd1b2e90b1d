/* assembly/recover/quadrature_fields.h - inside assembly/: strain, stress or heat flux of BF_LANES elements
 * at a time
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_ASSEMBLY_RECOVER_QUADRATURE_FIELDS_H
#define BF_ASSEMBLY_RECOVER_QUADRATURE_FIELDS_H
#include "assembly/basis/vector_units.h"
#include "assembly/model/internal.h"

enum { BF_LANES = 8, BF_TENSOR = 6, BF_MODES_MAX = 9 };

typedef double bf_lane[BF_LANES];

typedef struct bf_nodes { /* interpolated nodal values: coordinates, then the unknowns */
  bf_lane v[6][BF_NEN_MAX];
} bf_nodes;

typedef struct bf_point_table { /* of one block */
  const bf_model_block *block;
  double                N[BF_QUADRATURE_MAX][BF_NEN_MAX], dN[BF_QUADRATURE_MAX][BF_NEN_MAX][3];
  double                dN0[BF_NEN_MAX][3]; /* at the centre */
} bf_point_table;

typedef struct bf_points {                  /* BF_LANES elements of one block at their integration points */
  double wdet[BF_QUADRATURE_MAX][BF_LANES]; /* axisymmetric: times r */
  double strain[BF_QUADRATURE_MAX][BF_TENSOR][BF_LANES]; /* tensor components; elasticity only */
  double value[BF_QUADRATURE_MAX][BF_TENSOR][BF_LANES];  /* stress, or heat flux in the first three */
} bf_points;

/* Incompatible modes of BF_LANES elements: their amplitudes from the condition that each has no residual,
 *     sum_q c_q Ba^T C (B u + Ba a) = 0,     and their contribution to the gradient of u at a point.
 * incompatible_amplitudes.c */
typedef struct bf_modes {
  bf_lane centre[3][3];    /* det J0 J0^-1 */
  bf_lane a[BF_MODES_MAX]; /* of mode i and component c: a[i*ncomp + c] */
} bf_modes;
void bf_modes_fill(const bf_model *m, const bf_point_table *t, bf_nodes *at, const bf_int elem[BF_LANES],
                   bf_lane *C, bf_modes *out);
void bf_modes_add(const bf_model *m, const bf_point_table *t, int q, bf_modes *modes, bf_lane det,
                  bf_lane G[3][3]);

/* I = J^-1 and det J at point q, or at the centre for q = -1; D[j] = derivatives of at->v[j]. */
void bf_points_jacobian(const bf_model *m, const bf_point_table *t, bf_nodes *at, int q, bf_lane D[6][3],
                        bf_lane I[3][3], bf_lane det);
/* G[c][i] = du_c/dx_i of the nodes' values at point q, and det J. */
void bf_points_gradient(const bf_model *m, const bf_point_table *t, bf_nodes *at, int q, bf_lane G[3][3],
                        bf_lane det);
/* E or k at point q relative to C: 1 where there is no formula. */
void bf_points_factor(const bf_point_table *t, const bf_int elem[BF_LANES], int q, bf_lane f);

void bf_point_table_fill(const bf_model_block *block, bf_point_table *t);

/* elem[BF_LANES]: element numbers of the mesh, of the table's block, in any order, repeats allowed. */
void bf_points_fill(const bf_model *m, const bf_numbering *num, const bf_point_table *t,
                    const bf_int elem[BF_LANES], const double *u, bf_points *out);
#endif
