/* assembly/recover/patch_recovery.h - inside assembly/: superconvergent patch recovery of stresses and fluxes
 * at nodes
 *
 * A patch is the cells of one region around a corner node.  A polynomial of the order of the elements is
 * fitted to the samples in the patch by least squares,
 *
 *     sum_s |p(x_s) - value_s|^2 -> min,
 *
 * and gives the value at the corner node; a node between corners gets the mean of the polynomials of those
 * that have one.  Samples of an element: Gauss points of the rule of one order less (1 point, 2^d, 3 in
 * triangles, 4 in tetrahedra), with the values of the polynomial of that order that fits the stiffness rule's
 * points. Only patches that surround their node are used: at the boundary of a region the polynomial would be
 * extrapolated, and the fit of each element (extrapolate.c) is more accurate on coarse curved meshes.
 * Every node processes its cells in ascending order: results do not depend on the number of threads.
 * Source: O. C. Zienkiewicz, J. Z. Zhu, The superconvergent patch recovery and a posteriori error estimates,
 * part 1, Int. J. Numer. Meth. Engng 33 (1992) 1331-1364, doi 10.1002/nme.1620330702.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_ASSEMBLY_RECOVER_PATCH_RECOVERY_H
#define BF_ASSEMBLY_RECOVER_PATCH_RECOVERY_H
#include "assembly/recover/quadrature_fields.h"

enum { BF_PATCH_SAMPLES = 8, BF_PATCH_POLY = 112 }; /* doubles of a polynomial */

typedef struct bf_sample_table { /* of one block */
  int    n, order;               /* samples of an element; degree of the polynomial of a patch */
  double S[BF_PATCH_SAMPLES][BF_QUADRATURE_MAX]; /* integration points to samples */
  double N[BF_PATCH_SAMPLES][BF_NEN_MAX];        /* shape functions at the samples */
  double T[BF_NEN_MAX][BF_PATCH_SAMPLES];        /* samples to nodes, a polynomial of order - 1 */
  double P[BF_NEN_MAX][BF_QUADRATURE_MAX];       /* integration points to nodes, extrapolate.c */
} bf_sample_table;

typedef struct bf_patches {
  const bf_model  *m;     /* borrowed */
  const bf_view   *view;  /* borrowed */
  int              width; /* components of a value: 6 or 3 */
  bf_sample_table *table; /* owned [m->nblocks] */
  bf_int          *cell0; /* owned [m->nblocks + 1]: first cell of a block */
  size_t          *s0;    /* owned [m->nblocks]: first sample of a block */
  size_t          *q0;    /* owned [m->nblocks]: first integration point of a block */
  double          *x, *v; /* owned [samples][3], [samples][width] */
  double          *det;   /* owned [points]: det J, axisymmetric: times r */
  double          *value; /* owned: of each cell [width][its points] */
  int64_t         *ptr;   /* owned [npoints + 1] */
  bf_int          *item;  /* owned [ptr[npoints]]: cells of a point of the view, ascending */
  uint8_t         *by;    /* owned [npoints]: 1 = recovered by patches */
  bf_int           nby;   /* how many */
} bf_patches;

/* Cost: three passes over the points of the cells; memory: bf_patches_bytes. */
bf_err bf_patches_create(const bf_model *m, const bf_view *view, int width, bf_patches **out);
void   bf_patches_destroy(bf_patches **p);
/* Bytes for an element of a type with nq integration points, polynomials included. */
int64_t bf_patches_bytes(bf_elem_type type, int nq, int width);
int     bf_patches_block(const bf_patches *p, bf_int cell);

/* Stores the n <= BF_LANES cells of a block in p; different cells may be stored concurrently. */
void bf_patches_store(bf_patches *to, int block, const bf_points *p, const bf_int *cell, int n);

/* Number of point v in a cell that has it. */
int bf_patches_local(const bf_view *view, bf_int cell, bf_int v);
/* slot[npoints]: 0 of corner nodes whose cells surround them, -1 of the other points. */
bf_err bf_patches_inner(const bf_patches *p, bf_int *slot);

/* nodal[npoints][width], out: values of the patches inside a region where they are determined, elsewhere the
 * mean over the elements of the fits of extrapolate.c; sets by and nby.  Cost: O(samples in patches). */
bf_err bf_patches_recover(bf_patches *p, double *nodal);

/* Error estimate of Zienkiewicz and Zhu (error_estimate.c): eta[ncells], relative to the energy norm of the
 * whole solution; *total = sqrt(sum of eta^2).  nodal: as recovered. */
bf_err bf_patches_error(const bf_patches *p, const double *nodal, double *eta, double *total);
#endif
