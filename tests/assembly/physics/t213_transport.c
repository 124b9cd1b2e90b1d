/* tests/assembly/t213_transport.c - the TRANSPORT form on every element type against its definition, with
 * derivatives in space by differences, and against identities; the stabilisation parameter; exact nodes on a
 * line usage: t213_transport <backend> */
/* SPDX-License-Identifier: BSD-3-Clause */
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
static batch *make(bf_elem_type type, int supg, int revolved, int by_point, int points, double bend,
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

static bf_element_batch on(const batch *b)
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

static void off(bf_element_batch *E)
{
  const void *all[] = {E->w, E->N, E->dN, E->conn, E->x, E->mat, E->C, E->Cq, E->dNv, E->ddN};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) t_be->ops.release(t_be, (void *)all[i]);
}

typedef enum { MATRIX, FORCE, SOURCE } what;

/* Result of the backend for all elements; in: u by row, or values of a load [NE][nq]. */
static double *result(const batch *b, what of, const double *in, size_t nin)
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
static double gradients(const batch *b, int e, const double xi[3], double g[BF_NEN_MAX][3])
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
static void laplacians(const batch *b, int e, const double xi[3], double lap[BF_NEN_MAX])
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

static double reference_tau(int p, double speed, double h, double D, double r)
{
  if (p == 0 || speed == 0.0) return 0.0;
  const long double hp = h / p, Pe = speed * hp / (2.0L * D);
  const long double t = hp / (2.0L * speed) * (Pe < 1e-6L ? Pe / 3.0L : 1.0L / tanhl(Pe) - 1.0L / Pe);
  return (double)(1.0L / (1.0L / t + fabsl((long double)r)));
}

static point at(const batch *b, int e, int q)
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

static void define(const batch *b, int e, double *K)
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

static void near_all(int n, const double *a, const double *b, double tol, const char *what_)
{
  double size = 0.0;
  for (int i = 0; i < n; i++) size = fmax(size, fabs(b[i]));
  for (int i = 0; i < n; i++)
    if (!(fabs(a[i] - b[i]) <= tol * size))
      fail_msg("%s: entry %d: %.17g instead of %.17g (largest %.3g)", what_, i, a[i], b[i], size);
}

/* Every type, with and without stabilisation, coefficients by material and by point; bodies of revolution. */
typedef void check(const batch *b, const char *name);
static void  each(uint64_t seed, check *check_body)
{
  for (int t = 0; t < TYPES; t++)
    for (int turned = 0; turned <= (bf_elem(types[t])->dim == 2); turned++)
      for (int supg = 0; supg < 2; supg++)
        for (int by_point = 0; by_point < 2; by_point++) {
          T_ONE_OF(7);
          batch *b = make(types[t], supg, turned, by_point, 0,
                          bf_elem(types[t])->ncorners == bf_elem(types[t])->dim + 1 ? 0.1 : 0.25, &seed);
          check_body(b, bf_elem(types[t])->name);
          free(b);
        }
}

static void matrix_of(const batch *b, const char *name)
{
  double  K[27 * 27];
  double *h = result(b, MATRIX, NULL, 0);
  for (int e = 0; e < NE; e++) {
    define(b, e, K);
    near_all(b->E.nen * b->E.nen, h + e * b->E.nen * b->E.nen, K, 1e-9, name);
  }
  free(h);
}

static void matrices_are_the_definition(void **state)
{
  (void)state;
  each(1, matrix_of);
}

static void forces_of(const batch *b, const char *name)
{
  uint64_t  seed = 7;
  const int nen  = b->E.nen;
  double    u[NE * 27 + 1], f[27];
  for (int i = 0; i < NE * 27 + 1; i++) u[i] = t_uniform(&seed) - 0.3;
  double *K = result(b, MATRIX, NULL, 0), *h = result(b, FORCE, u, NE * 27 + 1);
  for (int e = 0; e < NE; e++) {
    for (int i = 0; i < nen; i++) {
      f[i] = 0.0;
      for (int j = 0; j < nen; j++) f[i] += K[(e * nen + i) * nen + j] * u[b->conn[e * nen + j]];
    }
    near_all(nen, h + e * nen, f, 1e-12, name);
  }
  free(K);
  free(h);
}

static void forces_are_the_matrix_times_u(void **state)
{
  (void)state;
  each(2, forces_of);
}

static void loads_of(const batch *b, const char *name)
{
  uint64_t  seed = 9;
  const int nen  = b->E.nen;
  double    v[NE * 64], f[27];
  for (int i = 0; i < NE * 64; i++) v[i] = t_uniform(&seed) - 0.3;
  double *h = result(b, SOURCE, v, NE * 64);
  for (int e = 0; e < NE; e++) {
    for (int i = 0; i < nen; i++) f[i] = 0.0;
    for (int q = 0; q < b->E.nq; q++) {
      const point p = at(b, e, q);
      for (int i = 0; i < nen; i++) f[i] += p.c * v[e * b->E.nq + q] * (p.N[i] + p.tau * p.s[i]);
    }
    near_all(nen, h + e * nen, f, 1e-12, name);
  }
  free(h);
}

static void loads_take_the_same_test_functions(void **state)
{
  (void)state;
  each(3, loads_of);
}

/* sum_a W_a = 1 whatever tau: the columns' sums are what the flow and the reaction do to N_b. */
static void columns_of(const batch *b, const char *name)
{
  const int nen = b->E.nen;
  double   *h   = result(b, MATRIX, NULL, 0);
  for (int e = 0; e < NE; e++) {
    double got[27] = {0.0}, want[27] = {0.0};
    for (int q = 0; q < b->E.nq; q++) {
      const point p = at(b, e, q);
      for (int j = 0; j < nen; j++) want[j] += p.c * (p.s[j] + p.r * p.N[j]);
    }
    for (int i = 0; i < nen; i++)
      for (int j = 0; j < nen; j++) got[j] += h[(e * nen + i) * nen + j];
    near_all(nen, got, want, 1e-11, name);
  }
  free(h);
}

static void stabilisation_makes_no_mass(void **state)
{
  (void)state;
  each(4, columns_of);
}

static void the_most_integration_points_fit(void **state)
{
  (void)state;
  uint64_t seed = 5;
  batch   *b    = make(BF_HEX20, 1, 0, 1, 4, 0.2, &seed);
  assert_int_equal(b->E.nq, 64);
  matrix_of(b, "hex20 with 64 points");
  forces_of(b, "hex20 with 64 points");
  free(b);
}

static void without_flow_and_reaction_it_is_conduction(void **state)
{
  (void)state;
  uint64_t seed = 6;
  for (int t = 2; t < TYPES; t++) {
    batch *b = make(types[t], 1, 0, 0, 0, 0.25, &seed);
    for (int i = 0; i < NMAT * b->E.nv; i++) b->C[i] = i % b->E.nv == 0 ? 1.7 : 0.0;
    double *h = result(b, MATRIX, NULL, 0), I[9] = {0.0};
    for (int s = 0; s < b->E.sdim; s++) I[s * b->E.sdim + s] = 1.7;
    batch heat  = *b;
    heat.E.form = BF_FORM_GRAD;
    heat.E.nv   = b->E.sdim;
    heat.E.w = heat.rule.w, heat.E.N = heat.N, heat.E.dN = heat.dN, memset(heat.mat, 0, sizeof heat.mat);
    memcpy(heat.C, I, sizeof(double) * (size_t)(heat.E.nv * heat.E.nv));
    heat.E.dNv = heat.E.ddN = NULL;
    double *k               = result(&heat, MATRIX, NULL, 0);
    near_all(NE * b->E.nen * b->E.nen, h, k, 1e-12, bf_elem(types[t])->name);
    free(h);
    free(k);
    free(b);
  }
}

/* a u' - D u'' = 0 on n equal elements, u(0) = 0, u(1) = 1: nodes by the tridiagonal system of the elements.
 */
static void line_of(int n, double Pe, int supg, double *u)
{
  uint64_t seed = 1;
  batch   *b    = make(BF_LINE2, supg, 0, 0, 0, 0.0, &seed);
  double   lo[256], di[256], up[256], rhs[256];
  for (int e = 0; e < NE; e++) b->x[3 * b->conn[2 * e]] = 0.0, b->x[3 * b->conn[2 * e + 1]] = 1.0 / n;
  for (int m = 0; m < NMAT; m++)
    b->C[3 * m] = 1.0 / (2.0 * n * Pe), b->C[3 * m + 1] = 0.0, b->C[3 * m + 2] = 1.0;
  double *K = result(b, MATRIX, NULL, 0);
  for (int i = 1; i < n; i++) {
    lo[i] = K[2], di[i] = K[3] + K[0], up[i] = K[1];
    rhs[i] = i == n - 1 ? -up[i] : 0.0;
  }
  for (int i = 2; i < n; i++) {
    const double f = lo[i] / di[i - 1];
    di[i] -= f * up[i - 1];
    rhs[i] -= f * rhs[i - 1];
  }
  u[0] = 0.0, u[n] = 1.0;
  for (int i = n - 1; i > 0; i--) u[i] = (rhs[i] - (i == n - 1 ? 0.0 : up[i] * u[i + 1])) / di[i];
  free(K);
  free(b);
}

static void nodes_of_a_line_are_exact(void **state)
{
  (void)state;
  const double Pe[] = {0.01, 0.0999, 0.1001, 0.5, 1.0, 5.0, 40.0};
  double       u[256];
  for (size_t k = 0; k < sizeof Pe / sizeof *Pe; k++)
    for (int n = 5; n <= 80; n *= 4) {
      line_of(n, Pe[k], 1, u);
      for (int i = 0; i <= n; i++) {
        const double a = 2.0 * n * Pe[k]; /* v/D */
        T_NEAR(u[i], (exp(a * (1.0 * i / n - 1.0)) - exp(-a)) / (1.0 - exp(-a)), 1e-11);
      }
    }
}

static void galerkin_oscillates_above_a_peclet_number_of_one(void **state)
{
  (void)state;
  double u[256];
  for (int high = 0; high < 2; high++) {
    int down = 0;
    line_of(21, high ? 5.0 : 0.9, 0, u);
    for (int i = 1; i <= 21; i++) down += u[i] < u[i - 1];
    if (high)
      assert_true(down > 5);
    else
      assert_int_equal(down, 0);
  }
}

static void tau_has_its_limits_and_no_step(void **state)
{
  (void)state;
  for (double Pe = 1e-9; Pe < 1e9; Pe *= 3.7)
    for (int p = 1; p <= 2; p++)
      for (int r = 0; r < 2; r++) {
        const double speed = 2.5, h = 0.3, D = speed * h / (2.0 * p * Pe), sum = 2.0 * speed / h;
        T_NEAR(bf_cell_peclet(p, speed, sum, D), Pe, 1e-13 * Pe);
        if (Pe > 1e-3) { /* below, the reference itself cancels */
          const double want = reference_tau(p, speed, h, D, 4.0 * r);
          T_NEAR(bf_supg_tau(p, speed, sum, D, 4.0 * r), want, 2e-12 * want);
        }
      }
  T_NEAR(bf_supg_tau(1, 1e-8, 2e-8 / 0.5, 3.0, 0.0), 0.25 / 36.0, 1e-15); /* h^2/12 D */
  T_NEAR(bf_supg_tau(1, 1.0, 4.0, 1e-300, 0.0), 0.25, 1e-16);             /* h/2 v */
  assert_true(bf_supg_tau(1, 0.0, 0.0, 1.0, 0.0) == 0.0);
  assert_true(bf_supg_tau(0, 1.0, 4.0, 1.0, 0.0) == 0.0);
}

static void what_it_cannot_do_is_refused(void **state)
{
  (void)state;
  uint64_t                seed = 8;
  batch                  *b    = make(BF_QUAD4, 1, 0, 0, 0, 0.1, &seed);
  bf_element_batch        E    = on(b), bad;
  const bf_element_source s    = {.value = E.x};
  double                 *out  = t_to_backend(b->x, sizeof b->x);
  T_ERR(BF_E_ARG, BF_OP(t_be, element.stress, &E, 0, NE, &s, out));
  bad        = E;
  bad.factor = E.x;
  T_ERR(BF_E_ARG, BF_OP(t_be, element.matrix, &bad, 0, NE, out));
  bad     = E;
  bad.dNv = NULL;
  T_ERR(BF_E_ARG, BF_OP(t_be, element.source, &bad, 0, NE, &s, out));
  bad    = E;
  bad.nv = 2;
  T_ERR(BF_E_ARG, BF_OP(t_be, element.force, &bad, 0, NE, E.x, out));
  T_ERR(BF_E_ARG, BF_OP(t_be, element.matrix, &E, 0, NE + 1, out));
  T_OK(BF_OP(t_be, element.matrix, &E, 1, 1, out));
  t_be->ops.release(t_be, out);
  off(&E);
  free(b);
}

static void runs_repeat_to_the_bit(void **state)
{
  (void)state;
  uint64_t seed = 10;
  batch   *b    = make(BF_HEX20, 1, 0, 1, 0, 0.2, &seed);
  double  *h = result(b, MATRIX, NULL, 0), *k = result(b, MATRIX, NULL, 0);
  assert_memory_equal(h, k, NE * 400 * sizeof *h);
  free(h);
  free(k);
  free(b);
}

int main(int argc, char **argv)
{
  const int code = t_backend_open(argc, argv);
  if (code) return code;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(matrices_are_the_definition),
      cmocka_unit_test(forces_are_the_matrix_times_u),
      cmocka_unit_test(loads_take_the_same_test_functions),
      cmocka_unit_test(stabilisation_makes_no_mass),
      cmocka_unit_test(the_most_integration_points_fit),
      cmocka_unit_test(without_flow_and_reaction_it_is_conduction),
      cmocka_unit_test(nodes_of_a_line_are_exact),
      cmocka_unit_test(galerkin_oscillates_above_a_peclet_number_of_one),
      cmocka_unit_test(tau_has_its_limits_and_no_step),
      cmocka_unit_test(what_it_cannot_do_is_refused),
      cmocka_unit_test(runs_repeat_to_the_bit),
  };
  return t_backend_close(T_RUN(tests));
}
