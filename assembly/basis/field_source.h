/* assembly/basis/field_source.h - a field of another result as a function of place
 *
 *     f(x) = sum_a N_a(xi) f_a,  x = sum_a N_a(xi) x_a     in the element of that result that contains x
 *
 * The other mesh may differ from that of the model: elements of any type, curved ones included.  A point
 * outside by at most BF_SOURCE_OUTSIDE times the size of the nearest element gets the value at the nearest
 * place of this element, as two meshes of one curved body do not cover the same points.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_ASSEMBLY_BASIS_FIELD_SOURCE_H
#define BF_ASSEMBLY_BASIS_FIELD_SOURCE_H
#include "mesh/mesh.h"
#include "mesh/view.h"

#define BF_SOURCE_OUTSIDE 0.1

typedef struct bf_source_data { /* what a file has: nodes are points of the view */
  bf_mesh mesh;                 /* dim, nnodes and x alone; owned */
  bf_view view;                 /* owned */
  int     on_cells;             /* one value per cell, else per point */
  double *value;                /* owned [cells or points] */
} bf_source_data;
void bf_source_data_clear(bf_source_data *d);

typedef struct bf_field_source {
  bf_source_data data;
  char           name[160]; /* "temperature of heat/case.hdf" */
  bf_int         n[3];      /* cells of the search grid */
  double         lo[3], width[3], size;
  int64_t       *ptr;  /* owned [n0 n1 n2 + 1] */
  bf_int        *cell; /* owned: cells of the view whose box meets a grid cell */
  /* over all evaluations so far: points outside the mesh that got a value, their largest distance */
  int64_t outside;
  double  farthest, farthest_at[3];
  /* points that are too far outside: none has a value */
  int64_t lost;
  double  lost_distance, lost_at[3];
} bf_field_source;

/* Takes *data, also after an error. */
bf_err  bf_field_source_create(bf_source_data *data, const char *name, bf_field_source **out);
int64_t bf_field_source_bytes(const bf_field_source *s); /* host memory that it holds */
void    bf_field_source_destroy(bf_field_source **s);

/* f[i] at x[3*i ..]; NaN for points too far outside, then BF_E_MODEL with the largest distance.  Parallel.
 * Cost per point: Newton's method in a few elements. */
bf_err bf_field_source_eval(bf_field_source *s, int64_t n, const double *x, double *f);
#endif
