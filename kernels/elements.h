/* kernels/elements.h - an open batch of elements of one type, and the integrals over them
 *
 *     Ke = sum_q  scale * factor(e,q) * w_q det J(e,q)  B(e,q)^T C B(e,q)
 *
 * GRAD    B = grad N, [sdim][nen], ncomp = 1, nv = sdim: heat conduction, C = conductivity.
 * STRAIN  B = symmetric gradient, [nv][nen*sdim], ncomp = sdim: elasticity, C = elastic matrix; nv = 6 in 3D,
 *         order xx yy zz xy yz xz with engineering shear; nv = 3 in 2D, order xx yy xy; revolved: below.
 * MASS    B = N for each component, [ncomp][nen*ncomp], nv = ncomp: convection and springs on faces, mass.
 *         For rdim < sdim (faces in space) det J is the length or area of the mapped element; only MASS and
 *         loads are defined.
 *
 * Revolved batches (sdim = 2) are bodies of revolution: x is the radius r, y the axis, integrals are over
 * the full revolution, det J times 2 pi r, r = sum_a N_a x_a. STRAIN then has nv = 4 rows, rr yy tt ry,
 * with the hoop strain u_r/r. No integration point may have r = 0.
 * With dN0 and dM the element also has incompatible modes, one for each reference direction i and
 * component, with the gradient d_i (det J0/det J) J0^-T e_i, d_i = dM[q][i] and J0 the Jacobian at the
 * centre; they follow the nodes as if they were nodes nen .. nen+rdim-1, for bf_schur to eliminate. STRAIN
 * only, not revolved; the rule must have sum_q w d_i = 0 and more than one point.
 *
 * TRANSPORT is unsymmetric: diffusion (D), transport by a velocity v and reaction at a rate r; the test
 * functions are upstream-weighted (SUPG; tau: kernels/supg.h):
 *
 *     Ke[a][b] = sum_q c_q (D grad N_a . grad N_b + W_a (v . grad N_b + r N_b)
 *                            - tau (v . grad N_a) D lap N_b),
 *     W_a = N_a + tau v . grad N_a,    c_q = scale w_q det J,    loads  fe[a] = sum_q c_q W_a f
 *
 * ncomp = 1; C is not a matrix but nv = sdim + 2 numbers: D, r, v_1 .. v_sdim; factor is not used.
 *
 * Element unknowns are interleaved: a*ncomp + c for local node a, component c; nd = nen*ncomp, with modes
 * (nen + rdim)*ncomp. All pointers are backend memory and borrowed.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_ELEMENTS_H
#define BF_ELEMENTS_H
#include "base/err.h"

#define BF_DDN(rdim) ((rdim) * ((rdim) + 1) / 2)
enum { BF_ELEMENT_NODES = 27 }; /* at most */
#define BF_TWO_PI 6.28318530717958647692

typedef enum { BF_FORM_GRAD, BF_FORM_STRAIN, BF_FORM_MASS, BF_FORM_TRANSPORT } bf_form;

typedef struct bf_element_batch {
  bf_form       form;
  int           nen;        /* nodes of an element */
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
  const double *C;      /* [nmat][nv][nv], symmetric; TRANSPORT: [nmat][nv] */
  const double *factor; /* [ne][nq], or NULL = 1 */
  const double *Cq;     /* TRANSPORT: [ne][nq][nv] in place of C, or NULL */
  int           supg;   /* TRANSPORT: degree of the shape functions, 0 = no stabilisation: tau = 0 */
  int           nvert;  /* with supg: corners, whose linear shape functions give the element length */
  const double *dNv;    /* [nq][nvert][rdim]: their derivatives */
  const double
      *ddN; /* [nq][nen][BF_DDN(rdim)]: second derivatives xx yy xy, or xx yy zz xy yz xz; NULL = 0 */
  const double *dN0;   /* [nen][rdim] at the centre: incompatible modes; or NULL */
  const double *dM;    /* [nq][rdim]: derivative of mode i along xi_i; only with dN0 */
  double        scale; /* thickness in plane problems, else 1 */
} bf_element_batch;

/* Body or surface load on a batch:  fe = sum_q scale * w_q det J  N^T f(e,q),  f = value[e*stride_e +
 * q*stride_q + c]; strides of 0 give a constant load; TRANSPORT: W in place of N.  A stress inside the
 * elements, with v < nv in place of c:  fe = sum_q scale * factor(e,q) * w_q det J  B^T s(e,q).  Revolved:
 * times 2 pi r. Neither loads incompatible modes; TRANSPORT has no stress. */
typedef struct bf_element_source {
  const double *value; /* backend */
  int64_t       stride_e, stride_q;
} bf_element_source;

/* Order nd of an element matrix. */
static inline int bf_element_order(const bf_element_batch *E)
{
  return (E->nen + (E->dN0 ? E->rdim : 0)) * E->ncomp;
}

/* Static condensation: the last ni of the nd unknowns of each element are eliminated.  Their blocks Kii at
 * the end of K have been replaced by the inverses (bf_inverse_batch on K + nb nd + nb, ld = nd, stride = nd
 * nd); nb = nd - ni:
 *
 *     S = Kbb - Kbi Kii^-1 Kib,     g = -Kbi Kii^-1 f,     inverse = Kii^-1 */
typedef struct bf_schur {
  bf_int        ne;
  int           nd, ni;    /* ni < nd */
  int           symmetric; /* 1: so is K, and S is exactly symmetric */
  const double *K;         /* backend [ne][nd][nd] */
  const double *f;         /* backend [ne][ni]: loads on the eliminated unknowns; NULL = none, and no g */
  double       *S, *g;     /* backend, out: [ne][nb][nb], [ne][nb] */
  double       *inverse;   /* backend, out: [ne][ni][ni], or NULL */
} bf_schur;
enum { BF_SCHUR_MOST = 3 * BF_ELEMENT_NODES, BF_SCHUR_INNER = 9 }; /* nd and ni, at most */

/* BF_E_ARG naming what is out of range. */
bf_err bf_schur_check(const bf_schur *C);
bf_err bf_schur_check_force(const bf_schur *C, const bf_int *conn, int ncomp, const double *u,
                            const double *fe);

/* The pencil of an element with its mass lumped (HRZ): from consistent mass matrices of one component
 * M[ne][nen][nen]  d[ne][nen],  d_a = M_aa sum_bc M_bc / sum_b M_bb;  and K[ne][nd][nd], nd = nen*ncomp,
 * becomes  d^-1/2 K d^-1/2:  its eigenvalues are those of  K v = lambda d v.  Backend memory. */
bf_err bf_element_pencil_check(bf_int ne, int nen, int ncomp, const double *in, const double *out);

/* Frames of nodes: u = T u' with the columns of T the axes of the node.  Rows without a frame have T = 1.
 * Backend memory, borrowed. */
typedef struct bf_node_frames {
  int           ncomp; /* 2 or 3 */
  const bf_int *frame; /* [nrows of nodes]: index into T, or -1 */
  const double *T;     /* [frames][ncomp][ncomp], rows of T */
} bf_node_frames;
bf_err bf_node_frames_check(bf_int ne, int nen, const bf_node_frames *F, const bf_int *conn,
                            const double *Ke);

/* Numbers of a material in C. */
static inline int bf_element_coefficients(const bf_element_batch *E)
{
  return E->form == BF_FORM_TRANSPORT ? E->nv : E->nv * E->nv;
}

/* Checks without C: every count in range, pointers present (C, form and nv are not checked: loads of the
 * other forms do not use them); BF_E_ARG naming what is wrong. */
bf_err bf_element_batch_check(const bf_element_batch *E);
/* The same for matrices and forces, and all of TRANSPORT: C present, ncomp, nv and rdim fit the form. */
bf_err bf_element_batch_check_matrix(const bf_element_batch *E);
#endif
