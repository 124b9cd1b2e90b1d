/* tests/assembly/physics/transport_case.h - elements of the TRANSPORT form: a batch of one type with its own
 * nodes, results of the backend, and the same by the definition, with second derivatives by differences */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_TESTS_ASSEMBLY_PHYSICS_TRANSPORT_CASE_H
#define BF_TESTS_ASSEMBLY_PHYSICS_TRANSPORT_CASE_H
#include "assembly/basis/quadrature.h"
#include "assembly/basis/shape.h"
#include "kernels/supg.h"
#include "tests/backend.h"
#include <float.h>
#include <math.h>

enum { NE = 3, NMAT = 2, TYPES = 12 };
static const bf_elem_type types[TYPES] = {BF_LINE2, BF_LINE3, BF_TRI3,  BF_TRI6, BF_QUAD4, BF_QUAD8,
                                          BF_QUAD9, BF_TET4,  BF_TET10, BF_HEX8, BF_HEX20, BF_HEX27};

/* Elements of one type with their own nodes, in host memory. */
typedef struct batch {
  bf_elem_type     type;
  bf_rule          rule;
  bf_element_batch E;
  double           N[64 * 27], dN[64 * 27 * 3], dNv[64 * 8 * 3], ddN[64 * 27 * 6];
  double           x[3 * NE * 27 + 3], C[NMAT * 5], Cq[NE * 64 * 5];
  bf_int           conn[NE * 27], mat[NE];
} batch;

/* by_point: other coefficients at every point; points: of the rule, 0 = auto */
static inline batch *make(bf_elem_type type, int supg, int revolved, int by_point, int points, double bend,
                          uint64_t *seed)
{
  const bf_elem_info *info = bf_elem(type);
  batch              *b    = calloc(1, sizeof *b);
  double              home[BF_NEN_MAX][3], n[BF_NEN_MAX], d[BF_NEN_MAX][3], dd[BF_NEN_MAX][6];
  const int           dim = info->dim, nen = info->nnodes, nh = BF_DDN(dim);
  b->type = type;
  T_OK(bf_quadrature(type, points, BF_RULE_MASS, &b->rule));
  for (int q = 0; q < b->rule.n; q++) {
    bf_shape(type, b->rule.xi[q], n, d);
    bf_shape_second(type, b->rule.xi[q], dd);
    for (int a = 0; a < nen; a++) {
      b->N[q * nen + a] = n[a];
      for (int r = 0; r < dim; r++) b->dN[(q * nen + a) * dim + r] = d[a][r];
      for (int h = 0; h < nh; h++) b->ddN[(q * nen + a) * nh + h] = dd[a][dim == 2 && h == 2 ? 3 : h];
    }
    bf_shape(bf_elem_of_order(type, 1), b->rule.xi[q], n, d);
    for (int a = 0; a < info->ncorners; a++)
      for (int r = 0; r < dim; r++) b->dNv[(q * info->ncorners + a) * dim + r] = d[a][r];
  }
  bf_elem_nodes(type, home);
  for (int e = 0; e < NE; e++) {
    b->mat[e] = e % NMAT;
    for (int a = 0; a < nen; a++) {
      b->conn[e * nen + a] = NE * nen - (e * nen + a); /* row 0 belongs to nobody */
      for (int s = 0; s < 3; s++)
        b->x[3 * b->conn[e * nen + a] + s] =
            s < dim ? home[a][s] + bend * (t_uniform(seed) - 0.5) + 4.0 * revolved : 1e3 * t_uniform(seed);
    }
  }
  for (int i = 0; i < NMAT * (dim + 2); i++)
    b->C[i] = i % (dim + 2) == 0 ? 0.02 + t_uniform(seed) : 3.0 * (t_uniform(seed) - 0.4);
  for (int i = 0; i < NE * b->rule.n * (dim + 2); i++)
    b->Cq[i] = i % (dim + 2) == 0 ? 0.02 + t_uniform(seed) : 3.0 * (t_uniform(seed) - 0.4);
  b->E = (bf_element_batch){.form     = BF_FORM_TRANSPORT,
                            .nen      = nen,
                            .ncomp    = 1,
                            .nq       = b->rule.n,
                            .rdim     = dim,
                            .sdim     = dim,
                            .nv       = dim + 2,
                            .revolved = revolved,
                            .ne       = NE,
                            .w        = b->rule.w,
                            .N        = b->N,
                            .dN       = b->dN,
                            .conn     = b->conn,
                            .x        = b->x,
                            .mat      = b->mat,
                            .C        = b->C,
                            .Cq       = by_point ? b->Cq : NULL,
                            .supg     = supg ? info->order : 0,
                            .nvert    = supg ? info->ncorners : 0,
                            .dNv      = supg ? b->dNv : NULL,
                            .ddN   = supg && (info->order == 2 || info->ncorners > dim + 1) ? b->ddN : NULL,
                            .scale = 0.7};
  return b;
}

static inline bf_element_batch on(const batch *b)
{
  bf_element_batch E  = b->E;
  const size_t     np = (size_t)(E.nq * E.nen);
  E.w                 = t_to_backend(b->rule.w, (size_t)E.nq * 8);
  E.N                 = t_to_backend(b->N, np * 8);
  E.dN                = t_to_backend(b->dN, np * (size_t)E.rdim * 8);
  E.conn              = t_to_backend(b->conn, (size_t)(NE * E.nen) * sizeof(bf_int));
  E.x                 = t_to_backend(b->x, sizeof b->x);
  E.mat               = t_to_backend(b->mat, sizeof b->mat);
  E.C                 = t_to_backend(b->C, sizeof b->C);
  if (E.Cq) E.Cq = t_to_backend(b->Cq, (size_t)(NE * E.nq * E.nv) * 8);
  if (E.dNv) E.dNv = t_to_backend(b->dNv, (size_t)(E.nq * E.nvert * E.rdim) * 8);
  if (E.ddN) E.ddN = t_to_backend(b->ddN, np * (size_t)BF_DDN(E.rdim) * 8);
  return E;
}

static inline void off(bf_element_batch *E)
{
  const void *all[] = {E->w, E->N, E->dN, E->conn, E->x, E->mat, E->C, E->Cq, E->dNv, E->ddN};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) t_be->ops.release(t_be, (void *)all[i]);
}

typedef enum { MATRIX, FORCE, SOURCE } what;

/* Result of the backend for all elements; in: u by row, or values of a load [NE][nq]. */
static inline double *result(const batch *b, what of, const double *in, size_t nin)
{
  bf_element_batch E     = on(b);
  const size_t     width = (size_t)(of == MATRIX ? E.nen * E.nen : E.nen), bytes = NE * width * 8;
  double          *h = malloc(bytes), *d, *v = NULL;
  memset(h, 0x7f, bytes); /* what the backend does not write would show */
  d = t_to_backend(h, bytes);
  if (in) v = t_to_backend(in, nin * 8);
  const bf_element_source f = {.value = v, .stride_e = E.nq, .stride_q = 1};
  if (of == MATRIX) T_OK(BF_OP(t_be, element.matrix, &E, 0, NE, d));
  if (of == FORCE) T_OK(BF_OP(t_be, element.force, &E, 0, NE, v, d));
  if (of == SOURCE) T_OK(BF_OP(t_be, element.source, &E, 0, NE, &f, d));
  t_to_host(h, d, bytes);
  t_be->ops.release(t_be, d);
  t_be->ops.release(t_be, v);
  off(&E);
  return h;
}

/* ---- the definition ---- */

/* det J and g[a][i] = dN_a/dx_i of element e at any place xi. */
static inline double gradients(const batch *b, int e, const double xi[3], double g[BF_NEN_MAX][3])
{
  double N[BF_NEN_MAX], dN[BF_NEN_MAX][3], x[BF_NEN_MAX][3] = {{0.0}};
  for (int a = 0; a < b->E.nen; a++)
    for (int s = 0; s < b->E.sdim; s++) x[a][s] = b->x[3 * b->conn[e * b->E.nen + a] + s];
  bf_shape(b->type, xi, N, dN);
  if (b->E.sdim > 1) return bf_shape_gradient(b->type, (const double(*)[3])x, (const double(*)[3])dN, g);
  double J = 0.0;
  for (int a = 0; a < b->E.nen; a++) J += x[a][0] * dN[a][0];
  for (int a = 0; a < b->E.nen; a++) g[a][0] = dN[a][0] / J, g[a][1] = g[a][2] = 0.0;
  return J;
}

/* lap N_a = div of the gradient: differences of fourth order in reference space, turned by the inverse of J,
 * whose rows are the gradients of the reference coordinates, sum_a g_a xi_a for the corners' own places. */
static inline void laplacians(const batch *b, int e, const double xi[3], double lap[BF_NEN_MAX])
{
  const double h = 2e-3, step[4] = {-2.0, -1.0, 1.0, 2.0}, by[4] = {1.0 / 12, -8.0 / 12, 8.0 / 12, -1.0 / 12};
  const int    dim = b->E.sdim;
  double       home[BF_NEN_MAX][3], g[BF_NEN_MAX][3], inv[3][3] = {{0.0}};
  bf_elem_nodes(b->type, home);
  gradients(b, e, xi, g); /* xi_r = sum_a N_a home_a[r]: every element contains its reference coordinates */
  for (int r = 0; r < dim; r++)
    for (int s = 0; s < dim; s++)
      for (int a = 0; a < b->E.nen; a++) inv[r][s] += home[a][r] * g[a][s];
  for (int a = 0; a < b->E.nen; a++) lap[a] = 0.0;
  for (int r = 0; r < dim; r++)
    for (int k = 0; k < 4; k++) {
      double at[3] = {xi[0], xi[1], xi[2]};
      at[r] += h * step[k];
      gradients(b, e, at, g);
      for (int a = 0; a < b->E.nen; a++)
        for (int s = 0; s < dim; s++) lap[a] += by[k] / h * g[a][s] * inv[r][s];
    }
}

typedef struct point {
  double c, D, r, v[3], tau, N[BF_NEN_MAX], g[BF_NEN_MAX][3], lap[BF_NEN_MAX], s[BF_NEN_MAX];
} point;

static inline double reference_tau(int p, double speed, double h, double D, double r)
{
  if (p == 0 || speed == 0.0) return 0.0;
  const long double hp = h / p, Pe = speed * hp / (2.0L * D);
  const long double t = hp / (2.0L * speed) * (Pe < 1e-6L ? Pe / 3.0L : 1.0L / tanhl(Pe) - 1.0L / Pe);
  return (double)(1.0L / (1.0L / t + fabsl((long double)r)));
}

static inline point at(const batch *b, int e, int q)
{
  const bf_element_batch *E = &b->E;
  const double *C = E->Cq ? b->Cq + (e * E->nq + q) * E->nv : b->C + b->mat[e] * E->nv, *xi = b->rule.xi[q];
  double dN[BF_NEN_MAX][3], dv[BF_NEN_MAX][3], nv[BF_NEN_MAX], gv[3], sum = 0.0, speed = 0.0, radius = 0.0;
  point  p = {.D = C[0], .r = C[1]};
  bf_shape(b->type, xi, p.N, dN);
  p.c = E->scale * b->rule.w[q] * gradients(b, e, xi, p.g);
  for (int s = 0; s < E->sdim; s++) p.v[s] = C[2 + s], speed += C[2 + s] * C[2 + s];
  speed = sqrt(speed);
  for (int a = 0; a < E->nen; a++) radius += p.N[a] * b->x[3 * b->conn[e * E->nen + a]];
  if (E->revolved) p.c *= 2.0 * acos(-1.0) * radius;
  laplacians(b, e, xi, p.lap);
  for (int a = 0; a < E->nen; a++) {
    if (E->revolved) p.lap[a] += p.g[a][0] / radius;
    for (int s = 0; s < E->sdim; s++) p.s[a] += p.v[s] * p.g[a][s];
  }
  /* linear functions of the corners: dN = dxi/dx dN_v, with the reference coordinates' gradients again */
  double home[BF_NEN_MAX][3];
  bf_elem_nodes(b->type, home);
  bf_shape(bf_elem_of_order(b->type, 1), xi, nv, dv);
  for (int k = 0; k < bf_elem(b->type)->ncorners; k++) {
    double flow = 0.0;
    for (int s = 0; s < E->sdim; s++) {
      gv[s] = 0.0;
      for (int r = 0; r < E->rdim; r++)
        for (int a = 0; a < E->nen; a++) gv[s] += dv[k][r] * home[a][r] * p.g[a][s];
      flow += p.v[s] * gv[s];
    }
    sum += fabs(flow);
  }
  p.tau = reference_tau(E->supg, speed, sum > 0.0 ? 2.0 * speed / sum : 1.0, p.D, p.r);
  return p;
}

static inline void define(const batch *b, int e, double *K)
{
  const int nen = b->E.nen;
  for (int i = 0; i < nen * nen; i++) K[i] = 0.0;
  for (int q = 0; q < b->E.nq; q++) {
    const point p = at(b, e, q);
    for (int i = 0; i < nen; i++)
      for (int j = 0; j < nen; j++) {
        double gg = 0.0;
        for (int s = 0; s < 3; s++) gg += p.g[i][s] * p.g[j][s];
        const double residual = p.s[j] + p.r * p.N[j] - p.D * p.lap[j]; /* of N_j */
        K[i * nen + j] += p.c * (p.D * gg + p.N[i] * (p.s[j] + p.r * p.N[j]) + p.tau * p.s[i] * residual);
      }
  }
}
#endif
