/* assembly/gfem/matrix.h - inside assembly/: integrals over one element or one side, see matrix.c
 *
 * K has rows of ld doubles, ld at least the unknowns n*ncomp of the element; entries are added.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_ASSEMBLY_GFEM_MATRIX_H
#define BF_ASSEMBLY_GFEM_MATRIX_H
#include "assembly/gfem/gfem.h"

typedef struct bf_gfem_work { /* of one thread */
  double *psi, *d, *B, *T;    /* owned [most], [dim][most], [nv][nd], [ncomp][nd]: at one point */
  double *A, *S, *M; /* owned: operands and result of a product (product.h) over an element's points */
  double *ue;        /* owned [nd]: unknowns of an element */
} bf_gfem_work;
bf_err bf_gfem_work_create(const bf_model *m, bf_gfem_work *w);
void   bf_gfem_work_clear(bf_gfem_work *w);
bf_err bf_gfem_works_create(const bf_model *m, int n, bf_gfem_work **out);
void   bf_gfem_works_destroy(int n, bf_gfem_work **w);

/* Row of B with the derivative of component c along axis i; -1: none.  Order of strains: elasticity.c. */
int bf_gfem_strain(const bf_model *m, int c, int i);

/* psi, d and B at integration point q of element e of a block; weight times det J, thickness and factor. */
double bf_gfem_at_point(const bf_model *m, const bf_model_block *b, bf_int e, int q, bf_gfem_work *w);

void bf_gfem_element(const bf_model *m, const bf_model_block *b, bf_int e, bf_gfem_work *w, int ld,
                     double *K);
/* h[ncomp][s->n][rule.n] */
void bf_gfem_robin(const bf_model *m, const bf_gfem_sides *s, bf_int i, const double *h, bf_gfem_work *w,
                   int ld, double *K);
void bf_gfem_weak(const bf_model *m, const bf_gfem_sides *s, bf_int i, bf_gfem_work *w, int ld, double *K);
/* gamma C_11 / l at point q of side i. */
double bf_gfem_penalty(const bf_model *m, const bf_gfem_sides *s, bf_int i, int q);
/* 1: a Robin condition, convection or springs. */
int bf_gfem_is_robin(const bf_model *m, const bf_face_set *set);
/* h, or stiffness in each direction, at the points of the sides of one: h[ncomp][s->n][rule.n], the
 * caller's. */
bf_err bf_gfem_robin_values(const bf_model *m, const bf_gfem_sides *s, double **h);
/* g[np] of component c under the condition of the sides, at their points. */
bf_err bf_gfem_weak_given(const bf_model *m, const bf_gfem_sides *s, int c, double *g);

/* f[nnodes*ncomp] += what `one` writes for items 0 .. n-1: fe[n*ncomp] of the nodes of elem_of(data, i).
 * Items are computed by all threads and added in their order. */
typedef struct bf_gfem_sum {
  bf_int n;
  bf_int (*elem_of)(const void *data, bf_int i);
  void (*one)(const bf_model *m, const void *data, bf_int i, bf_gfem_work *w, double *fe);
  const void *data;
} bf_gfem_sum;
bf_err bf_gfem_add_items(const bf_model *m, const bf_gfem_sum *s, bf_gfem_work *works, double *f);
#endif
