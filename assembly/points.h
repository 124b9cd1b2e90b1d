/* assembly/points.h - inside assembly/: strain, stress or heat flux of BF_LANES elements at a time
 */
#ifndef BF_POINTS_H
#define BF_POINTS_H
#include "assembly/model_internal.h"

enum { BF_LANES = 8, BF_TENSOR = 6 };

typedef struct bf_point_table { /* of one block */
  const bf_model_block *block;
  double                N[BF_QUADRATURE_MAX][BF_NEN_MAX], dN[BF_QUADRATURE_MAX][BF_NEN_MAX][3];
  double                P[BF_NEN_MAX][BF_QUADRATURE_MAX]; /* points to nodes, extrapolate.c */
} bf_point_table;

typedef struct bf_points {                  /* BF_LANES elements of one block at their integration points */
  double wdet[BF_QUADRATURE_MAX][BF_LANES]; /* axisymmetric: times r */
  double strain[BF_QUADRATURE_MAX][BF_TENSOR][BF_LANES]; /* tensor components; elasticity only */
  double value[BF_QUADRATURE_MAX][BF_TENSOR][BF_LANES];  /* stress, or heat flux in the first three */
} bf_points;

void bf_point_table_fill(const bf_model_block *block, bf_point_table *t);

/* elem[BF_LANES]: element numbers of the mesh, of the table's block, in any order, repeats allowed. */
void bf_points_fill(const bf_model *m, const bf_numbering *num, const bf_point_table *t,
                    const bf_int elem[BF_LANES], const double *u, bf_points *out);
#endif
