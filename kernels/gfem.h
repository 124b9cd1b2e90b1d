/* kernels/gfem.h - polynomials fitted on patches of nodes, and batches of elements that combine them
 *
 *     phi^q_J(x) = sum_a b_a((x - x_q)/h_q) C^q[a][J],     psi_J = sum_v N_v phi^{q(v)}_J
 *     Ke = sum_p  scale factor(e,p) w_p det J  B^T C B,    fe = sum_p  scale w_p det J  psi f(e,p)
 *
 * q: an entry, a node with a polynomial fit for each component; b: the monomials up to a degree; N: the
 * linear shape functions of the nen corners of an element; p: its integration points. B is the gradient of
 * psi (BF_FORM_GRAD) or its symmetric gradient (BF_FORM_STRAIN, rows as in elements.h).  Formulas:
 * docs/theory/gfem.md.
 *
 * All pointers are backend memory and borrowed.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_GFEM_H
#define BF_KERNELS_GFEM_H
#include "kernels/elements.h"

enum {
  BF_FIT_TERMS   = 20, /* monomials at most: degree 3 in space */
  BF_FIT_CORNERS = 8,
  BF_FIT_NODES   = 512, /* of an element, at most */
  BF_FIT_PATCHES = 4096 /* nodes of the patches of its corners, each counted for each corner, at most */
};

typedef struct bf_gfem_fits {
  int            dim, order; /* of space, 2 or 3; degree of the polynomials, 1 to 3 */
  bf_int         n;          /* entries */
  const double  *x;          /* [n][3]: place of the node */
  const bf_int  *row;        /* [n]: matrix row of the node */
  const int64_t *ptr;        /* [n+1] */
  const bf_int  *other;      /* [ptr[n]]: the other entries of a patch, of different rows */
  const double  *h;          /* [n]: size of a patch */
  const double  *C; /* entry q: [terms][np] at terms*(ptr[q] + q), np = ptr[q+1] - ptr[q] + 1, its own node
                     * last
                     */
} bf_gfem_fits;

typedef struct bf_gfem_batch {
  bf_form       form;    /* GRAD or STRAIN */
  int           ncomp;   /* 1, or dim */
  int           nen;     /* corners */
  int           nq;      /* integration points, at most 64 */
  int           width;   /* places for nodes of an element: even, at least as many as its patches have */
  int           patches; /* nodes of the patches of an element, each counted for each corner: at most */
  bf_int        ne;
  const bf_int *elem;   /* [ne]: numbers into corner, mat and factor; NULL: 0, 1, .. */
  const bf_int *corner; /* [..][nen]: entries */
  const double *w;      /* [nq] */
  const double *N;      /* [nq][nen] */
  const double *dN;     /* [nq][nen][dim] */
  const bf_int *mat;    /* [..]: index into C, or NULL = all 0 */
  const double *C;      /* [nmat][nv][nv], symmetric; nv = dim, of STRAIN dim (dim + 1)/2 */
  const double *factor; /* [..][nq], or NULL = 1 */
  double        scale;
} bf_gfem_batch;

/* Monomials of degree up to `order` in `dim` coordinates: 6 and 10 in the plane, 10 and 20 in space. */
static inline int bf_fit_terms(int dim, int order)
{
  return dim == 2 ? (order + 1) * (order + 2) / 2 : (order + 1) * (order + 2) * (order + 3) / 6;
}

/* BF_E_ARG naming what is out of range or missing. */
bf_err bf_gfem_batch_check(const bf_gfem_fits *F, const bf_gfem_batch *B, int with_matrix);
#endif
