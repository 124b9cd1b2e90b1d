/* kernels/elements.h - an open batch of elements of one type, and what is integrated over them
 *
 *     Ke = sum_q  scale * factor(e,q) * w_q det J(e,q)  B(e,q)^T C B(e,q)
 *
 * GRAD    B = grad N                 [sdim][nen],        ncomp = 1, nv = sdim: heat conduction, C =
 * conductivity STRAIN  B = symmetric gradient     [nv][nen*sdim],     ncomp = sdim; nv = 6 in 3D, order xx yy
 * zz xy yz xz with engineering shear; nv = 3 in 2D, order xx yy xy: elasticity, C = elastic matrix; revolved:
 * below MASS    B
 * = N for each component   [ncomp][nen*ncomp], nv = ncomp: convection and springs on faces, mass For rdim <
 * sdim (faces in space) det J is the length or area of the mapped element; only MASS and loads are defined.
 * Revolved batches (sdim = 2) are bodies of revolution: x is the radius r, y the axis, everything is
 * integrated over the whole turn, det J times 2 pi r, r = sum_a N_a x_a.  STRAIN then has nv = 4 rows, rr yy
 * tt ry, the hoop strain being u_r/r.  No integration point may lie on r = 0.
 * With dN0 and dM the element also has incompatible modes, one for each reference direction i and component,
 * with the gradient  d_i (det J0/det J) J0^-T e_i,  d_i = dM[q][i] and J0 the Jacobian at the centre; they
 * are condensed:  Ke = Kuu - Kua Kaa^-1 Kau.  STRAIN only, not revolved; the rule must have sum_q w d_i = 0
 * and more than one point. Element unknowns are interleaved: a*ncomp + c for local node a, component c; nd =
 * nen*ncomp. All pointers are backend memory and borrowed.
 */
#ifndef BF_ELEMENTS_H
#define BF_ELEMENTS_H
#include "base/err.h"

#define BF_TWO_PI 6.28318530717958647692

typedef enum { BF_FORM_GRAD, BF_FORM_STRAIN, BF_FORM_MASS } bf_form;

typedef struct bf_element_batch {
  bf_form       form;
  int           nen;        /* nodes of an element, at most 20 */
  int           ncomp;      /* components of a node, 1..3 */
  int           nq;         /* integration points, at most 64 */
  int           rdim, sdim; /* dimension of the reference element and of space, 1..3 */
  int           nv;         /* rows of B, 1..6 */
  int           revolved;   /* 1: body of revolution about y */
  bf_int        ne;
  const double *w;      /* [nq] */
  const double *N;      /* [nq][nen] */
  const double *dN;     /* [nq][nen][rdim] */
  const bf_int *conn;   /* [ne][nen]: matrix rows (of nodes), each in 0 .. nrows-1 */
  const double *x;      /* [nrows][3]: coordinates by matrix row */
  const bf_int *mat;    /* [ne]: index into C, or NULL = all 0 */
  const double *C;      /* [nmat][nv][nv], symmetric */
  const double *factor; /* [ne][nq], or NULL = 1 */
  const double *dN0;    /* [nen][rdim] at the centre: incompatible modes; or NULL */
  const double *dM;     /* [nq][rdim]: derivative of mode i along xi_i; only with dN0 */
  double        scale;  /* thickness in plane problems, else 1 */
} bf_element_batch;

/* Body or surface load on a batch:  fe = sum_q scale * w_q det J  N^T f(e,q),  f = value[e*stride_e +
 * q*stride_q + c]; strides of 0 give a constant load.  A stress inside the elements, with v < nv in place of
 * c:  fe = sum_q scale * factor(e,q) * w_q det J  B^T s(e,q).  Revolved: times 2 pi r.
 * Neither loads incompatible modes. */
typedef struct bf_element_source {
  const double *value; /* backend */
  int64_t       stride_e, stride_q;
} bf_element_source;

/* For a plain C check: every count in range, pointers present (C, form and nv are not looked at: loads do not
 * use them); BF_E_ARG naming what is wrong. */
bf_err bf_element_batch_check(const bf_element_batch *E);
/* The same for matrices and forces: C present, ncomp, nv and rdim fit the form. */
bf_err bf_element_batch_check_matrix(const bf_element_batch *E);
#endif
