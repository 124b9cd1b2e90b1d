/* tests/assembly/convergence.h - fields with known derivatives, the problem each solves, and the error of a
 * solution
 *
 *     u_c(x) = a_c prod_d sin(k_cd x_d + s_cd),      d/dx_d: factor k_cd, s_cd grows by pi/2
 *
 * In bodies of revolution (x = r) the divergence and the Laplacian have terms with 1/x, and the norms the
 * weight 2 pi r.  The same rule gives numbers and the formulas of the deck: k = k0 (1 + x) with the source
 * -div(k grad u), and E = E0 (1 + x/2) with the force -div(sigma).  Errors are integrated with a richer rule
 * than assembly uses.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_TESTS_ASSEMBLY_CONVERGENCE_H
#define BF_TESTS_ASSEMBLY_CONVERGENCE_H
#include "assembly/basis/quadrature.h"
#include "assembly/basis/shape.h"
#include "solvers/solver.h"
#include "tests/assembly/model_case.h"

enum { T_TEXT = 4096 };
static const double t_pi = 3.14159265358979323846;

typedef struct t_field {
  int    ncomp, dim;
  double a[3], k[3][3], s[3][3];
} t_field;

typedef struct t_problem_text { /* what the problem's formulas point into */
  char value[3][T_TEXT], load[3][T_TEXT];
} t_problem_text;

/* Derivative of u_c, order[d] times by x_d. */
static inline double t_field_at(const t_field *f, int c, const int order[3], const double *x)
{
  double v = f->a[c];
  for (int d = 0; d < f->dim; d++)
    v *= pow(f->k[c][d], order[d]) * sin(f->k[c][d] * x[d] + f->s[c][d] + 0.5 * t_pi * order[d]);
  return v;
}
static inline double t_field_value(const t_field *f, int c, const double *x)
{
  return t_field_at(f, c, (const int[3]){0, 0, 0}, x);
}
static inline double t_field_slope(const t_field *f, int c, int i, const double *x)
{
  int order[3] = {0, 0, 0};
  order[i]++;
  return t_field_at(f, c, order, x);
}

static inline void t_append(char text[T_TEXT], const char *more)
{
  const size_t used = strlen(text);
  assert_true(used + strlen(more) < T_TEXT);
  memcpy(text + used, more, strlen(more) + 1);
}

/* text += factor * derivative of u_c; i, j: directions of derivation, -1 for none. */
static inline void t_append_term(char text[T_TEXT], const char *factor, double by, const t_field *f, int c,
                                 int i, int j)
{
  char   part[256];
  double amp      = by * f->a[c];
  int    order[3] = {0, 0, 0};
  if (i >= 0) order[i]++;
  if (j >= 0) order[j]++;
  for (int d = 0; d < f->dim; d++) amp *= pow(f->k[c][d], order[d]);
  if (amp == 0.0) return;
  snprintf(part, sizeof part, "%s(%.17g)%s", text[0] ? " + " : "", amp, factor);
  t_append(text, part);
  for (int d = 0; d < f->dim; d++) {
    snprintf(part, sizeof part, "*sin(%.17g*%c + %.17g)", f->k[c][d], "xyz"[d],
             f -> s[c][d] + 0.5 * t_pi * order[d]);
    t_append(text, part);
  }
}

/* Lame's constants for E = 1; plane stress replaces lambda by 2 lambda mu / (lambda + 2 mu). */
static inline void t_lame(const t_case *c, double *lambda, double *mu)
{
  const double nu = c->material[0].nu;
  *mu             = 0.5 / (1.0 + nu);
  *lambda = c->p.space == BF_SPACE_PLANE_STRESS ? nu / (1.0 - nu * nu) : nu / ((1.0 + nu) * (1.0 - 2.0 * nu));
}

static const double  t_k0 = 3.0, t_E0 = 2.0;
static inline double t_stiffness(const t_case *c, const double *x) /* k or E */
{
  if (c->p.physics == BF_ELASTICITY) return t_E0 * (1.0 + 0.5 * x[0]);
  if (c->p.physics == BF_ADVECTION) return 1.0;
  return c->material[0].k.formula ? t_k0 * (1.0 + x[0]) : c->material[0].k.value;
}

static inline int t_turned(const t_case *c)
{
  return c->p.space == BF_SPACE_AXISYMMETRIC;
}

/* sigma_ij / E of a gradient g[c][i] = du_c/dx_i; g[2][2] is the hoop strain in a body of revolution */
static inline double t_stress(const t_case *c, double g[3][3], int i, int j)
{
  double lambda, mu, trace = 0.0;
  t_lame(c, &lambda, &mu);
  for (int d = 0; d < c->mesh->dim + t_turned(c); d++) trace += g[d][d];
  return mu * (g[i][j] + g[j][i]) + (i == j ? lambda * trace : 0.0);
}

/* q = -div(k grad u) = -k lap u - k0 u_x; of revolution: -k u_x/x more */
static inline void t_heat_source(const t_case *c, const t_field *f, char text[T_TEXT])
{
  if (t_turned(c)) t_append_term(text, "*(1 + x)/x", -t_k0, f, 0, 0, -1);
  for (int d = 0; d < f->dim; d++) t_append_term(text, "*(1 + x)", -t_k0, f, 0, d, d);
  t_append_term(text, "", -t_k0, f, 0, 0, -1);
}

/* What the hoop strain u_x/x adds to b: with w = u_x/x, div u grows by w and the Laplacian by (d_x .)/x, less
 * u_x/x^2 in the first component:  -E [(lambda + mu) d_i w + mu (u_i,x/x - (i = x) u_x/x^2)] - (E0/2) lambda
 * w. */
static inline void t_hoop_force(const t_field *f, double lambda, double mu, int i, char text[T_TEXT])
{
  t_append_term(text, "*(1 + 0.5*x)/x", -t_E0 * (lambda + mu), f, 0, i, -1);
  t_append_term(text, "*(1 + 0.5*x)/x", -t_E0 * mu, f, i, 0, -1);
  if (i != 0) return;
  t_append_term(text, "*(1 + 0.5*x)/x^2", t_E0 * (lambda + 2.0 * mu), f, 0, -1, -1);
  t_append_term(text, "/x", -0.5 * t_E0 * lambda, f, 0, -1, -1);
}

/* b_i = -E [(lambda + mu) d_i div u + mu lap u_i] - (E0/2) [mu (d_x u_i + d_i u_x) + lambda div u for i = x]
 */
static inline void t_body_force(const t_case *c, const t_field *f, int i, char text[T_TEXT])
{
  double lambda, mu;
  t_lame(c, &lambda, &mu);
  for (int j = 0; j < f->dim; j++) {
    t_append_term(text, "*(1 + 0.5*x)", -t_E0 * (lambda + mu), f, j, i, j);
    t_append_term(text, "*(1 + 0.5*x)", -t_E0 * mu, f, i, j, j);
    if (i == 0) t_append_term(text, "", -0.5 * t_E0 * lambda, f, j, j, -1);
  }
  t_append_term(text, "", -0.5 * t_E0 * mu, f, i, 0, -1);
  t_append_term(text, "", -0.5 * t_E0 * mu, f, 0, i, -1);
  if (t_turned(c)) t_hoop_force(f, lambda, mu, i, text);
}

/* Material, values prescribed all round and the load that make f the solution; `text` outlives the case. */
static inline void t_manufacture(t_case *c, const t_field *f, t_problem_text *text)
{
  const int    heat = c->p.physics == BF_HEAT;
  bf_boundary *b    = t_condition(c, heat ? BF_BC_TEMPERATURE : BF_BC_DISPLACEMENT, t_sides, t_nsides(c));
  bf_load     *load = t_load(c, heat ? BF_LOAD_HEAT_SOURCE : BF_LOAD_BODY_FORCE);
  memset(text, 0, sizeof *text);
  c->material[0].k = t_formula("3*(1 + x)");
  c->material[0].E = t_formula("2*(1 + 0.5*x)");
  for (int i = 0; i < f->ncomp; i++) {
    t_append_term(text->value[i], "", 1.0, f, i, -1, -1);
    if (heat)
      t_heat_source(c, f, text->load[i]);
    else
      t_body_force(c, f, i, text->load[i]);
    b->given[i]    = 1;
    b->value[i]    = t_formula(text->value[i]);
    load->value[i] = t_formula(text->load[i]);
  }
}

/* u[nnodes*ncomp] by node, with the solvers of the library: Jacobi CG to 1e-10, BiCGStab where the matrix is
 * not symmetric. */
static inline double *t_solve_iteratively(t_case *c, bf_int *unknowns)
{
  bf_model       *m   = t_model(c);
  const int       D   = bf_model_ncomp(m);
  bf_numbering   *num = NULL;
  bf_graph       *g   = NULL;
  bf_matrix      *A   = NULL;
  double         *b = NULL, *x = NULL, *row = NULL, *u = NULL;
  bf_phases       times = {0};
  bf_solve_report rep;
  T_OK(bf_numbering_create(c->mesh, BF_ORDER_FILE, &num));
  T_OK(bf_numbering_pattern(c->mesh, num, &g));
  if (num->bands && bf_elem(c->mesh->block[c->mesh->nblocks - 1].type)->order == 1)
    T_OK(bf_matrix_create_bdia(t_be, num->bands, D, bf_model_symmetric(m), BF_FP64, num->nnz * D * D, &A));
  else
    T_OK(bf_matrix_create_csr(t_be, g, D, BF_FP64, &A));
  T_OK(bf_vector_create(t_be, A->nrows, A->guard, &b));
  T_OK(bf_vector_create(t_be, A->nrows, A->guard, &x));
  T_OK(bf_model_assemble(m, num, A, b, x, &times));
  const bf_solve_options opt = {.method         = bf_model_symmetric(m) ? BF_METHOD_CG : BF_METHOD_BICGSTAB,
                                .precond        = BF_PRECOND_JACOBI,
                                .rtol           = 1e-10,
                                .max_iterations = 20000};
  T_OK(bf_solve(A, NULL, b, x, &opt, &rep));
  if (rep.reason != BF_KRYLOV_CONVERGED) fail_msg("%s", rep.text);
  T_OK(BF_NEW_ARRAY(row, A->nrows));
  T_OK(BF_NEW_ARRAY(u, (size_t)c->mesh->nnodes * (size_t)D));
  t_to_host(row, x, (size_t)A->nrows * sizeof *row);
  for (bf_int v = 0; v < c->mesh->nnodes; v++)
    for (int k = 0; k < D && num->row[v] >= 0; k++) u[v * D + k] = row[num->row[v] * D + k];
  *unknowns = A->nrows;
  bf_host_free(row);
  bf_vector_destroy(t_be, A->guard, &b);
  bf_vector_destroy(t_be, A->guard, &x);
  bf_solve_report_clear(&rep);
  bf_matrix_destroy(&A);
  bf_graph_destroy(&g);
  bf_numbering_destroy(&num);
  bf_model_destroy(&m);
  return u;
}

/* An exact solution: u[3] and g[c][i] = du_c/dx_i at x. */
typedef void t_exact(const void *context, const double *x, double u[3], double g[3][3]);

static inline void t_field_exact(const void *context, const double *x, double u[3], double g[3][3])
{
  const t_field *f = context;
  for (int c = 0; c < f->ncomp; c++) {
    u[c] = t_field_value(f, c, x);
    for (int i = 0; i < f->dim; i++) g[c][i] = t_field_slope(f, c, i, x);
  }
}

/* Sums over the body: |u - uh|^2, |u|^2, energies of u - uh and of u (heat: k |grad|^2, advection:
 * |grad|^2). */
typedef struct t_norms {
  double l2, l2_of_u, energy, energy_of_u;
} t_norms;

/* Density of energy of the gradient g. */
static inline double t_energy(const t_case *c, double g[3][3], const double *x)
{
  const int dim = c->mesh->dim;
  double    s   = 0.0;
  if (c->p.physics != BF_ELASTICITY)
    for (int i = 0; i < dim; i++) s += g[0][i] * g[0][i];
  else
    for (int i = 0; i < dim + t_turned(c); i++)
      for (int j = 0; j < dim + t_turned(c); j++) s += t_stress(c, g, i, j) * g[i][j];
  return s * t_stiffness(c, x);
}

/* Adds one integration point of an element with nodes node[], nodal values u. */
static inline void t_add_point(const t_case *c, bf_elem_type type, const bf_int *node, const double *u,
                               t_exact *exact, const void *context, const double xi[3], double w, t_norms *n)
{
  const int dim = c->mesh->dim, D = c->p.physics == BF_ELASTICITY ? dim : 1, nen = bf_elem(type)->nnodes;
  double    N[BF_NEN_MAX], dN[BF_NEN_MAX][3], g[BF_NEN_MAX][3], X[BF_NEN_MAX][3];
  double    x[3] = {0.0, 0.0, 0.0}, e[3] = {0.0}, de[3][3] = {{0.0}}, v[3] = {0.0}, dv[3][3] = {{0.0}};
  bf_shape(type, xi, N, dN);
  for (int a = 0; a < nen; a++)
    for (int i = 0; i < 3; i++) {
      X[a][i] = c->mesh->x[3 * node[a] + i];
      x[i] += N[a] * X[a][i];
    }
  const double dV = w * bf_shape_gradient(type, (const double(*)[3])X, (const double(*)[3])dN, g) *
                    (t_turned(c) ? 2.0 * t_pi * x[0] : 1.0);
  exact(context, x, v, dv);
  for (int k = 0; k < D; k++) {
    e[k] = v[k];
    for (int i = 0; i < dim; i++) de[k][i] = dv[k][i];
    for (int a = 0; a < nen; a++) {
      e[k] -= N[a] * u[node[a] * D + k];
      for (int i = 0; i < dim; i++) de[k][i] -= g[a][i] * u[node[a] * D + k];
    }
    n->l2 += dV * e[k] * e[k];
    n->l2_of_u += dV * v[k] * v[k];
  }
  if (t_turned(c) && D == 2) {
    de[2][2] = e[0] / x[0];
    dv[2][2] = v[0] / x[0];
  }
  n->energy += dV * t_energy(c, de, x);
  n->energy_of_u += dV * t_energy(c, dv, x);
}

/* points: of the rule, per direction. */
static inline t_norms t_errors(const t_case *c, const double *u, int points, t_exact *exact,
                               const void *context)
{
  t_norms n = {0};
  for (int b = 0; b < c->mesh->nblocks; b++) {
    const bf_block *B   = &c->mesh->block[b];
    const int       nen = bf_elem(B->type)->nnodes;
    bf_rule         rule;
    if (bf_elem(B->type)->dim != c->mesh->dim) continue;
    T_OK(bf_quadrature(B->type, points, BF_RULE_STIFFNESS, &rule));
    for (bf_int e = 0; e < B->n; e++)
      for (int q = 0; q < rule.n; q++)
        t_add_point(c, B->type, B->node + e * nen, u, exact, context, rule.xi[q], rule.w[q], &n);
  }
  return n;
}
#endif
