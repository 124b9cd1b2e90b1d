/* assembly/recover/error_estimate.c - error of the solution in the energy norm, estimated from the recovered
 * stress
 *
 *     eta_e^2 = integral over e of (s* - s_h) . C^-1 (s* - s_h),     |u_h|_e^2 = integral of s_h . C^-1 s_h,
 *     field    eta_e / N,     total  sqrt(sum eta_e^2) / N,     N^2 = sum |u_h|_e^2 + sum eta_e^2
 *
 * s_h: stress (heat flux; C = k) at the integration points, s*: the nodal values between them by the shape
 * functions.  Points are those of the mass rule, which integrates the square of s*; where the stiffness rule
 * is another, s_h, det J and the coefficient are fitted to its points (extrapolate.c).  For a quadratic
 * element without a node recovered by a patch (a plate of one layer) s* is the mean of the linear
 * extrapolations from the samples: the fit of its own order equals s_h except for the jumps. Source: O. C.
 * Zienkiewicz, J. Z. Zhu, A simple error estimator and adaptive procedure for practical engineering analysis,
 * Int. J. Numer. Meth. Engng 24 (1987) 337-357, doi 10.1002/nme.1620240206, and patch_recovery.h.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "assembly/basis/shape.h"
#include "assembly/recover/patch_recovery.h"
#include "assembly/recover/recover.h"
#include "base/memory.h"
#include <math.h>
#include <string.h>

/* Stresses below this fraction of the stress of the constrained thermal strain, squared, are rounding. */
static const double NOTHING = 1e-12;

typedef struct table { /* of one block */
  const bf_model_block *block;
  int                   same;                                    /* 1: both rules are one */
  double                H[BF_QUADRATURE_MAX][BF_QUADRATURE_MAX]; /* [q][g]: stiffness rule to mass rule */
  double                N[BF_NEN_MAX][BF_QUADRATURE_MAX];        /* [node][g] */
} table;

typedef struct sums { /* of a cell */
  double error, norm, thermal;
} sums;

static void table_fill(const bf_model_block *b, table *t)
{
  const bf_elem_type type = b->block->type;
  double             H[BF_QUADRATURE_MAX][BF_QUADRATURE_MAX], N[BF_NEN_MAX];
  t->block = b;
  t->same  = b->mass.n == b->stiffness.n; /* on boxes and on simplices a count is one rule */
  bf_recover_extrapolation(type, &b->stiffness, b->mass.n, b->mass.xi, H);
  for (int g = 0; g < b->mass.n; g++) {
    bf_shape(type, b->mass.xi[g], N, NULL);
    for (int a = 0; a < bf_elem(type)->nnodes; a++) t->N[a][g] = N[a];
    for (int q = 0; q < b->stiffness.n; q++) t->H[q][g] = H[g][q];
  }
}

/* S = C^-1, C[n][n] symmetric positive definite: Gauss and Jordan without pivots. */
static void invert(int n, const double *C, double S[BF_TENSOR][BF_TENSOR])
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) S[i][j] = C[i * n + j];
  for (int k = 0; k < n; k++) {
    const double d = 1.0 / S[k][k];
    S[k][k]        = 1.0;
    for (int j = 0; j < n; j++) S[k][j] *= d;
    for (int i = 0; i < n; i++) {
      if (i == k) continue;
      const double f = S[i][k];
      S[i][k]        = 0.0;
      for (int j = 0; j < n; j++) S[i][j] -= f * S[k][j];
    }
  }
}

/* The components of a value that C has, in its order. */
static const int *components(const bf_model *m)
{
  static const int all[6] = {0, 1, 2, 3, 4, 5}, plane[3] = {0, 1, 3};
  return m->ncomp > 1 && m->nv == 3 ? plane : all;
}

enum { PRODUCTS = BF_TENSOR * (BF_TENSOR + 1) / 2 };

typedef struct compliance { /* the products s_i s_j that s . C^-1 s has, and their coefficients */
  int    n, i[PRODUCTS], j[PRODUCTS];
  double c[PRODUCTS], first; /* first: of C^-1 */
} compliance;

static compliance products_of(const bf_model *m, bf_int material)
{
  const int *at = components(m);
  double     S[BF_TENSOR][BF_TENSOR];
  compliance k = {.n = 0};
  invert(m->nv, m->C + (size_t)material * (size_t)m->nC, S);
  for (int i = 0; i < m->nv; i++)
    for (int j = i; j < m->nv; j++) {
      if (S[i][j] == 0.0) continue;
      k.i[k.n]   = at[i];
      k.j[k.n]   = at[j];
      k.c[k.n++] = (i == j ? 1.0 : 2.0) * S[i][j];
    }
  k.first = S[0][0];
  return k;
}

/* A component at BF_LANES points from g0 on: h of the element from `of` its points, d = that of the nodes' v
 * less h. */
static inline void difference(const table *t, int g0, const double *restrict v, const double *restrict of,
                              double *restrict h, double *restrict d)
{
  const int nen = bf_elem(t->block->block->type)->nnodes, nq = t->block->stiffness.n;
  for (int l = 0; l < BF_LANES; l++) h[l] = t->same ? of[g0 + l] : 0.0;
  for (int q = 0; q < nq && !t->same; q++)
#pragma omp simd
    for (int l = 0; l < BF_LANES; l++) h[l] += t->H[q][g0 + l] * of[q];
  for (int l = 0; l < BF_LANES; l++) d[l] = -h[l];
  for (int n = 0; n < nen; n++)
#pragma omp simd
    for (int l = 0; l < BF_LANES; l++) d[l] += t->N[n][g0 + l] * v[n];
}

/* sum_l c[l] s . C^-1 s */
static inline double energy(const compliance *S, const double *restrict c, bf_lane *restrict s)
{
  bf_lane e   = {0.0};
  double  sum = 0.0;
  for (int n = 0; n < S->n; n++)
#pragma omp simd
    for (int l = 0; l < BF_LANES; l++) e[l] += S->c[n] * s[S->i[n]][l] * s[S->j[n]][l];
  for (int l = 0; l < BF_LANES; l++) sum += c[l] * e[l];
  return sum;
}

/* The value at point g of the mass rule of `of` at the points of the stiffness rule. */
static inline double at_point(const table *t, const double *of, int g)
{
  double sum = 0.0;
  if (t->same) return of[g];
  for (int q = 0; q < t->block->stiffness.n; q++) sum += t->H[q][g] * of[q];
  return sum;
}

BF_VECTOR static sums one_cell(const bf_patches *p, const table *t, int block, bf_int cell,
                               const double *nodal, const compliance *S)
{
  const bf_model_block *b = t->block;
  const int     nq = b->stiffness.n, ng = b->mass.n, nen = bf_elem(b->block->type)->nnodes, w = p->width;
  const bf_int *point = p->view->point + p->view->ptr[cell];
  const size_t  first = (size_t)(cell - p->cell0[block]) * (size_t)nq, at = p->q0[block] + first;
  double        v[BF_TENSOR][BF_NEN_MAX];
  sums          sum = {0.0, 0.0, 0.0};
  for (int n = 0; n < nen; n++)
    for (int k = 0; k < w; k++) v[k][n] = nodal[(size_t)point[n] * (size_t)w + (size_t)k];
  for (int g0 = 0; g0 < ng; g0 += BF_LANES) {
    bf_lane c = {0.0}, h[BF_TENSOR], d[BF_TENSOR]; /* the lanes past the last point have no weight */
    for (int l = 0; l < BF_LANES && g0 + l < ng; l++) {
      const double F = b->factor ? at_point(t, b->factor + first, g0 + l) : 1.0;
      const double a = b->expansion ? at_point(t, b->expansion + first, g0 + l) : 0.0;
      const double J = b->mass.w[g0 + l] * at_point(t, p->det + at, g0 + l);
      c[l]           = J / F;
      sum.thermal += J * F * a * a / S->first;
    }
    for (int k = 0; k < w; k++)
      difference(t, g0, v[k], p->value + at * (size_t)w + (size_t)(k * nq), h[k], d[k]);
    sum.error += energy(S, c, d);
    sum.norm += energy(S, c, h);
  }
  return sum;
}

/* low[npoints][width]: means of the linear extrapolation, at the points that no patch recovered. */
static void extrapolate(const bf_patches *p, double *low)
{
  const size_t w = (size_t)p->width;
#pragma omp parallel for schedule(dynamic, 256)
  for (bf_int v = 0; v < p->view->npoints; v++) {
    if (p->by[v]) continue;
    for (int64_t i = p->ptr[v]; i < p->ptr[v + 1]; i++) {
      const bf_int           cell = p->item[i];
      const int              b    = bf_patches_block(p, cell);
      const bf_sample_table *t    = &p->table[b];
      const int              a    = bf_patches_local(p->view, cell, v);
      const size_t           s0   = p->s0[b] + (size_t)(cell - p->cell0[b]) * (size_t)t->n;
      for (int s = 0; s < t->n; s++)
        for (size_t k = 0; k < w; k++)
          low[(size_t)v * w + k] +=
              t->T[a][s] * p->v[(s0 + (size_t)s) * w + k] / (double)(p->ptr[v + 1] - p->ptr[v]);
    }
  }
}

static int without_patch(const bf_patches *p, bf_int cell)
{
  int some = bf_elem(p->view->type[cell])->order == 1;
  for (int64_t i = p->view->ptr[cell]; i < p->view->ptr[cell + 1]; i++) some |= p->by[p->view->point[i]];
  return !some;
}

/* eta[cell] = eta_e^2, of[cell] the other sums. */
static bf_err over_cells(const bf_patches *p, const table *t, const double *nodal, const double *low,
                         double *eta, sums *of)
{
  bf_err          err = BF_OK;
  const bf_model *m   = p->m;
  compliance     *S   = NULL;
  BF_GO(BF_NEW_ARRAY(S, m->problem->nmaterials));
  for (bf_int k = 0; k < m->problem->nmaterials; k++) S[k] = products_of(m, k);
#pragma omp parallel for schedule(dynamic, 256)
  for (bf_int c = 0; c < p->view->ncells; c++) {
    const int b = bf_patches_block(p, c);
    of[c] =
        one_cell(p, &t[b], b, c, low && without_patch(p, c) ? low : nodal, &S[m->region[p->view->elem[c]]]);
    eta[c] = of[c].error;
  }
done:
  bf_host_free(S);
  return err;
}

bf_err bf_patches_error(const bf_patches *p, const double *nodal, double *eta, double *total)
{
  bf_err       err = BF_OK;
  const bf_int nc  = p->view->ncells;
  table       *t   = NULL;
  sums        *of = NULL, all = {0.0, 0.0, 0.0};
  double      *low  = NULL;
  bf_int       thin = 0;
  BF_GO(BF_NEW_ARRAY(t, p->m->nblocks));
  BF_GO(BF_NEW_ARRAY(of, nc));
  for (int b = 0; b < p->m->nblocks; b++) table_fill(&p->m->block[b], &t[b]);
#pragma omp parallel for reduction(+ : thin)
  for (bf_int c = 0; c < nc; c++) thin += without_patch(p, c);
  if (thin) BF_GO(BF_NEW_ARRAY(low, (size_t)p->view->npoints * (size_t)p->width));
  if (thin) extrapolate(p, low);
  BF_GO(over_cells(p, t, nodal, low, eta, of));
  for (bf_int c = 0; c < nc; c++) {
    all.error += of[c].error;
    all.norm += of[c].norm;
    all.thermal += of[c].thermal;
  }
  const double N2 = all.error + all.norm;
  const int    no = !(N2 > NOTHING * all.thermal); /* only rounding errors */
  for (bf_int c = 0; c < nc; c++) eta[c] = no ? 0.0 : sqrt(eta[c] / N2);
  *total = no ? 0.0 : sqrt(all.error / N2);
done:
  bf_host_free(t);
  bf_host_free(of);
  bf_host_free(low);
  return err;
}
