/* kernels/cpu/fem/element_point.h - geometry at an integration point, and the pattern of B
 *
 * Everything is padded to three dimensions with zeros and to np nodes, a multiple of 4, so that inner loops
 * have constant lengths; node values are stored by component: g[s][a], u[c][a].
 *
 * Every column of B (node b, component c) has at most three entries; their rows depend on c only:
 *     B[row[c][t]][b*ncomp + c] = g[dir[c][t]][b],  g = derivatives of N, or g[0] = N for the mass form;
 * in bodies of revolution g[2] = N/r.
 *
 * Incompatible modes follow the nodes, as if they were nodes nen .. nen + rdim - 1: only their g differ.
 *
 * Source   Hughes, The Finite Element Method, ch. 3 (isoparametric elements), 2.7-2.9 (B for elasticity);
 *          Taylor, Beresford and Wilson, Int. J. Numer. Meth. Eng. 10 (1976) 1211 (modes that pass the patch
 *          test).
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_CPU_FEM_ELEMENT_POINT_H
#define BF_KERNELS_CPU_FEM_ELEMENT_POINT_H
#include "kernels/elements.h"
#include <math.h>
#include <string.h>

enum { NEN = 28, NQ = 64, NV = 6 }; /* nodes: a multiple of 4 */

typedef struct b_rows { /* terms past nt[c] are zero */
  int nt[3];
  int row[3][3], dir[3][3];
} b_rows;

static inline b_rows rows_of_b(const bf_element_batch *E)
{
  static const b_rows grad    = {.nt = {3}, .row = {{0, 1, 2}}, .dir = {{0, 1, 2}}};
  static const b_rows strain1 = {.nt = {1}};
  static const b_rows strain2 = {
      .nt = {2, 2}, .row = {{0, 2}, {1, 2}}, .dir = {{0, 1}, {1, 0}}}; /* xx yy xy */
  static const b_rows strain3 = {.nt  = {3, 3, 3},                     /* xx yy zz xy yz xz */
                                 .row = {{0, 3, 5}, {1, 3, 4}, {2, 4, 5}},
                                 .dir = {{0, 1, 2}, {1, 0, 2}, {2, 1, 0}}};
  static const b_rows turned  = {.nt  = {3, 2}, /* rr yy tt ry */
                                 .row = {{0, 3, 2}, {1, 3}},
                                 .dir = {{0, 1, 2}, {1, 0}}};
  static const b_rows mass    = {.nt = {1, 1, 1}, .row = {{0}, {1}, {2}}};
  b_rows              R       = mass;
  if (E->form == BF_FORM_GRAD) {
    R       = grad;
    R.nt[0] = E->sdim;
    for (int t = R.nt[0]; t < 3; t++) R.row[0][t] = R.dir[0][t] = 0; /* read with factor 0: must be finite */
  }
  if (E->form == BF_FORM_STRAIN)
    R = E->sdim == 1 ? strain1 : E->sdim == 3 ? strain3 : E->revolved ? turned : strain2;
  return R;
}

typedef struct point_tables { /* of a batch, computed once per call */
  int    nn, np;              /* nodes with modes; padded */
  double N[NQ][NEN], dN[NQ][3][NEN];
  double dN0[3][NEN], dM[NQ][3]; /* of the modes */
} point_tables;

static inline void fill_tables(const bf_element_batch *E, point_tables *T)
{
  memset(T, 0, sizeof *T);
  T->nn = E->nen + (E->dN0 ? E->rdim : 0);
  T->np = (T->nn + 3) / 4 * 4;
  for (int r = 0; r < E->rdim && E->dN0; r++) {
    for (int a = 0; a < E->nen; a++) T->dN0[r][a] = E->dN0[a * E->rdim + r];
    for (int q = 0; q < E->nq; q++) T->dM[q][r] = E->dM[q * E->rdim + r];
  }
  for (int q = 0; q < E->nq; q++)
    for (int a = 0; a < E->nen; a++) {
      T->N[q][a] = E->N[q * E->nen + a];
      for (int r = 0; r < E->rdim; r++) T->dN[q][r][a] = E->dN[(q * E->nen + a) * E->rdim + r];
    }
}

/* x[s][a] of element e */
static inline void load_nodes(const bf_element_batch *E, bf_int e, double x[3][NEN])
{
  const bf_int *conn = E->conn + (size_t)e * (size_t)E->nen;
  memset(x, 0, 3 * NEN * sizeof(double));
  for (int a = 0; a < E->nen; a++)
    for (int s = 0; s < E->sdim; s++) x[s][a] = E->x[3 * (size_t)conn[a] + (size_t)s];
}

/* J[s][r] = sum_a x_a[s] dN_a/dxi_r */
static inline void jacobian(int np, const double dN[3][NEN], double x[3][NEN], double J[3][3])
{
  memset(J, 0, 9 * sizeof(double));
  for (int a = 0; a < np; a++)
    for (int s = 0; s < 3; s++)
      for (int r = 0; r < 3; r++) J[s][r] += x[s][a] * dN[r][a];
}

/* Length, area or volume for a unit of the reference element: det J, or sqrt(det J^T J) for a face in space.
 */
static inline double measure(const bf_element_batch *E, double J[3][3])
{
  if (E->rdim == 3)
    return J[0][0] * (J[1][1] * J[2][2] - J[1][2] * J[2][1]) -
           J[0][1] * (J[1][0] * J[2][2] - J[1][2] * J[2][0]) +
           J[0][2] * (J[1][0] * J[2][1] - J[1][1] * J[2][0]);
  if (E->rdim == E->sdim) return E->rdim == 1 ? J[0][0] : J[0][0] * J[1][1] - J[0][1] * J[1][0];
  double g00 = 0.0, g01 = 0.0, g11 = 0.0; /* J^T J */
  for (int s = 0; s < 3; s++) {
    g00 += J[s][0] * J[s][0];
    g01 += J[s][0] * J[s][1];
    g11 += J[s][1] * J[s][1];
  }
  return sqrt(E->rdim == 1 ? g00 : g00 * g11 - g01 * g01);
}

/* inv[r][s] = d xi_r / d x_s, for rdim = sdim; zero beyond */
static inline void inverse(int dim, double J[3][3], double det, double inv[3][3])
{
  const double f = 1.0 / det;
  memset(inv, 0, 9 * sizeof(double));
  if (dim == 1) {
    inv[0][0] = f;
  } else if (dim == 2) {
    inv[0][0] = f * J[1][1];
    inv[0][1] = -f * J[0][1];
    inv[1][0] = -f * J[1][0];
    inv[1][1] = f * J[0][0];
  } else {
    for (int r = 0; r < 3; r++)
      for (int s = 0; s < 3; s++) { /* cofactors with cyclic indices carry their sign */
        const int r1 = (r + 1) % 3, r2 = (r + 2) % 3, s1 = (s + 1) % 3, s2 = (s + 2) % 3;
        inv[r][s] = f * (J[s1][r1] * J[s2][r2] - J[s1][r2] * J[s2][r1]);
      }
  }
}

/* g of the modes at point q with determinant det, stored after those of the nodes */
static inline void mode_gradients(const bf_element_batch *E, const point_tables *T, int q, double x[3][NEN],
                                  double det, double g[3][NEN])
{
  double J[3][3], inv[3][3];
  jacobian(T->np, T->dN0, x, J);
  const double centre = measure(E, J);
  inverse(E->rdim, J, centre, inv);
  for (int i = 0; i < E->rdim; i++)
    for (int s = 0; s < 3; s++) g[s][E->nen + i] = centre / det * T->dM[q][i] * inv[i][s];
}

/* Radius of point q */
static inline double radius(const point_tables *T, int q, double x[3][NEN])
{
  double r = 0.0;
  for (int a = 0; a < T->np; a++) r += T->N[q][a] * x[0][a];
  return r;
}

/* scale*w*det J of point q, times the circumference for a body of revolution */
static inline double point_weight(const bf_element_batch *E, const point_tables *T, int q, double x[3][NEN],
                                  double det)
{
  const double turn = E->revolved ? BF_TWO_PI * radius(T, q, x) : 1.0;
  return E->scale * E->w[q] * det * turn;
}

/* Weight scale*factor*w*det J of point q of element e; g[s][a]: derivatives of N in space, or g[0] = N; in a
 * body of revolution g[2] = N/r. */
static inline double at_point(const bf_element_batch *E, const point_tables *T, bf_int e, int q,
                              double x[3][NEN], double g[3][NEN])
{
  double J[3][3], inv[3][3];
  jacobian(T->np, T->dN[q], x, J);
  const double det    = measure(E, J);
  const double factor = E->factor ? E->factor[(size_t)e * (size_t)E->nq + (size_t)q] : 1.0;
  if (E->form == BF_FORM_MASS) {
    memset(g, 0, 3 * NEN * sizeof(double));
    memcpy(g[0], T->N[q], sizeof T->N[q]);
  } else {
    inverse(E->rdim, J, det, inv);
    for (int s = 0; s < 3; s++)
      for (int a = 0; a < T->np; a++)
        g[s][a] = inv[0][s] * T->dN[q][0][a] + inv[1][s] * T->dN[q][1][a] + inv[2][s] * T->dN[q][2][a];
    if (E->dN0) mode_gradients(E, T, q, x, det, g);
    if (E->revolved) {
      const double per_r = 1.0 / radius(T, q, x);
      for (int a = 0; a < T->np; a++) g[2][a] = per_r * T->N[q][a];
    }
  }
  return factor * point_weight(E, T, q, x, det);
}

/* element_advection.c: all of the TRANSPORT form; T of the batch, u NULL or by row */
void bf_cpu_transport_matrix(const bf_element_batch *E, const point_tables *T, bf_int e, double *Ke);
void bf_cpu_transport_force(const bf_element_batch *E, const point_tables *T, bf_int e, const double *u,
                            double *fe);
void bf_cpu_transport_source(const bf_element_batch *E, const point_tables *T, bf_int e,
                             const bf_element_source *f, double *fe);

static inline const double *coefficients(const bf_element_batch *E, bf_int e)
{
  return E->C + (size_t)(E->mat ? E->mat[e] : 0) * (size_t)bf_element_coefficients(E);
}

static inline bf_err check_range(const bf_element_batch *E, bf_int e0, bf_int e1)
{
  BF_CHECK(e0 >= 0 && e0 <= e1 && e1 <= E->ne, BF_E_ARG, "elements %d..%d of %d", (int)e0, (int)e1,
           (int)E->ne);
  return BF_OK;
}
#endif
