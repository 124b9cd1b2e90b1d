/* tests/assembly/gfem/gfem_case.h - problems on the unit square with generalised finite elements, their
 * solution and errors
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_TESTS_ASSEMBLY_GFEM_GFEM_CASE_H
#define BF_TESTS_ASSEMBLY_GFEM_GFEM_CASE_H
#include "assembly/basis/shape.h"
#include "assembly/gfem/gfem.h"
#include "solvers/solver.h"
#include "tests/assembly/model_case.h"

typedef struct t_gfem { /* zero-initialise through t_gfem_create */
  t_case          c;
  bf_diags        diags;
  bf_model       *m;
  bf_numbering   *num;
  bf_matrix      *A;
  double         *b, *x; /* backend */
  double         *u;     /* host, by node [nnodes*ncomp] */
  double         *row;   /* host, by scalar row */
  bf_solve_report report;
} t_gfem;

/* [0,lx]x[0,ly], n[0] x n[1] cells. */
static inline void t_gfem_create(t_gfem *t, bf_physics physics, bf_elem_type type, double lx, double ly,
                                 bf_int nx, bf_int ny, int order)
{
  const double size[2] = {lx, ly};
  const bf_int n[2]    = {nx, ny};
  memset(t, 0, sizeof *t);
  T_OK(bf_mesh_rectangle(size, n, type, &t->c.mesh));
  t->c.material[0] = (bf_material){
      .name = "m", .ngroups = 1, .group = t_all, .E = t_number(1000.0), .k = t_number(1.0), .nu = 0.3};
  t->c.p = (bf_problem){.physics    = physics,
                        .space      = physics == BF_HEAT ? BF_SPACE_AUTO : BF_SPACE_PLANE_STRESS,
                        .thickness  = 1.0,
                        .nmaterials = 1,
                        .order      = order};
}

static inline void t_gfem_clear(t_gfem *t)
{
  const bf_int guard = t->A ? t->A->guard : 0;
  bf_solve_report_clear(&t->report);
  bf_vector_destroy(t_be, guard, &t->b);
  bf_vector_destroy(t_be, guard, &t->x);
  bf_matrix_destroy(&t->A);
  bf_numbering_destroy(&t->num);
  bf_model_destroy(&t->m);
  bf_diags_clear(&t->diags);
  bf_host_free(t->u);
  bf_host_free(t->row);
  t_case_clear(&t->c);
}

/* Nodes inside move smoothly by up to `much`; the sides stay. */
static inline void t_gfem_warp(t_gfem *t, double much)
{
  const double pi = acos(-1.0);
  for (bf_int i = 0; i < t->c.mesh->nnodes; i++) {
    double *x = t->c.mesh->x + 3 * i, s = sin(pi * x[0]) * sin(pi * x[1]);
    x[0] += much * s;
    x[1] -= much * s;
  }
}

/* Is d inside the circle through a, b, c (anticlockwise)? */
static inline int t_in_circle(const double *a, const double *b, const double *c, const double *d)
{
  const double *p[3] = {a, b, c};
  double        v[3][3];
  for (int i = 0; i < 3; i++) {
    v[i][0] = p[i][0] - d[0];
    v[i][1] = p[i][1] - d[1];
    v[i][2] = v[i][0] * v[i][0] + v[i][1] * v[i][1];
  }
  return v[0][0] * (v[1][1] * v[2][2] - v[1][2] * v[2][1]) -
             v[0][1] * (v[1][0] * v[2][2] - v[1][2] * v[2][0]) +
             v[0][2] * (v[1][0] * v[2][1] - v[1][1] * v[2][0]) >
         1e-14;
}

/* A mesh of triangles becomes irregular: nodes inside move at random by up to 0.3 h, sides of triangles are
 * flipped until every one is Delaunay's. */
static inline void t_gfem_delaunay(t_gfem *t, double h, uint64_t seed)
{
  bf_mesh  *mesh = t->c.mesh;
  bf_block *B    = NULL;
  for (int b = 0; b < mesh->nblocks; b++)
    if (mesh->block[b].type == BF_TRI3) B = &mesh->block[b];
  double lo[3], hi[3];
  bf_mesh_bounds(mesh, lo, hi);
  for (bf_int i = 0; i < mesh->nnodes; i++) {
    double *x = mesh->x + 3 * i;
    if (x[0] < 0.5 * h || x[0] > hi[0] - 0.5 * h || x[1] < 0.5 * h || x[1] > hi[1] - 0.5 * h) continue;
    x[0] += 0.6 * h * (t_uniform(&seed) - 0.5);
    x[1] += 0.6 * h * (t_uniform(&seed) - 0.5);
  }
  for (int flips = 1, sweep = 0; flips > 0 && sweep < 50; sweep++) {
    flips = 0;
    for (bf_int e = 0; e < B->n; e++)
      for (bf_int f = e + 1; f < B->n; f++) /* neighbours are near in this numbering */
        for (int i = 0; i < 3 && f < e + 8 * (bf_int)(hi[0] / h); i++) {
          bf_int   *p = B->node + 3 * e, *q = B->node + 3 * f;
          const int j = q[0] == p[(i + 1) % 3]   ? 0
                        : q[1] == p[(i + 1) % 3] ? 1
                        : q[2] == p[(i + 1) % 3] ? 2
                                                 : -1;
          if (j < 0 || q[(j + 1) % 3] != p[i]) continue;
          const bf_int  a = p[(i + 2) % 3], b = p[i], c = p[(i + 1) % 3], d = q[(j + 2) % 3];
          const double *x = mesh->x;
          if (!t_in_circle(x + 3 * a, x + 3 * b, x + 3 * c, x + 3 * d)) continue;
          p[0] = a, p[1] = b, p[2] = d;
          q[0] = a, q[1] = d, q[2] = c;
          flips++;
        }
  }
}

/* All sides: the value of a formula (heat), or of one for each component. */
static inline void t_gfem_dirichlet(t_gfem *t, const char *const *value)
{
  const int    heat = t->c.p.physics == BF_HEAT;
  bf_boundary *b    = t_condition(&t->c, heat ? BF_BC_TEMPERATURE : BF_BC_DISPLACEMENT, t_sides, 4);
  for (int i = 0; i < (heat ? 1 : 2); i++) {
    b->given[i] = 1;
    b->value[i] = t_formula(value[i]);
  }
}

/* Model; numbering with the wider bands. */
static inline void t_gfem_model(t_gfem *t)
{
  const bf_err err = bf_model_create(t->c.mesh, t_problem(&t->c), &t->diags, &t->m);
  if (err != BF_OK) {
    bf_diags_print(&t->diags, 0, stderr);
    fail_msg("%s", bf_err_trace());
  }
  T_OK(bf_numbering_create(t->c.mesh, BF_ORDER_AUTO, &t->num));
  T_OK(bf_model_widen(t->m, t->num));
  T_OK(bf_numbering_check(t->num));
}

static inline void t_gfem_solve(t_gfem *t, t_format format, double rtol)
{
  t_gfem_model(t);
  const int D     = t->m->ncomp;
  bf_graph *g     = NULL;
  bf_phases times = {0};
  T_OK(bf_model_pattern(t->m, t->num, &g));
  assert_int_equal(g->ptr[g->n], t->num->nnz + bf_numbering_phantoms(t->num));
  if (format == T_CSR)
    T_OK(bf_matrix_create_csr(t_be, g, D, BF_FP64, &t->A));
  else
    T_OK(bf_matrix_create_bdia(t_be, t->num->bands, D, format == T_BDIA_HALF, BF_FP64, t->num->nnz * D * D,
                               &t->A));
  bf_graph_destroy(&g);
  T_OK(bf_vector_create(t_be, t->A->nrows, t->A->guard, &t->b));
  T_OK(bf_vector_create(t_be, t->A->nrows, t->A->guard, &t->x));
  T_OK(bf_model_assemble(t->m, t->num, t->A, t->b, t->x, &times));
  const bf_solve_options opt = {
      .method = BF_METHOD_CG, .precond = BF_PRECOND_JACOBI, .rtol = rtol, .max_iterations = 20000};
  T_OK(bf_solve(t->A, NULL, t->b, t->x, &opt, &t->report));
  if (!(t->report.true_residual < 1e-11)) fail_msg("%s", t->report.text); /* or as far as rounding allows */
  T_OK(BF_NEW_ARRAY(t->row, t->A->nrows));
  T_OK(BF_NEW_ARRAY(t->u, (size_t)t->c.mesh->nnodes * (size_t)D));
  t_to_host(t->row, t->x, (size_t)t->A->nrows * sizeof *t->row);
  for (bf_int v = 0; v < t->c.mesh->nnodes; v++)
    for (int k = 0; k < D; k++) t->u[v * D + k] = t->row[t->num->row[v] * D + k];
}

/* u[c], g[c][2] at x */
typedef void t_plane_exact(const double *x, double *u, double (*g)[2]);

typedef struct t_rel { /* relative errors: L2, H1 seminorm (heat) or energy norm */
  double l2, h1;
} t_rel;

/* By Gauss points^2 on quadrilaterals, a rule of degree 2 points - 1 or more on triangles. */
static inline t_rel t_gfem_errors(const t_gfem *t, int points, t_plane_exact *exact)
{
  const bf_model *m = t->m;
  const int       D = m->ncomp, nv = m->nv;
  double          s[4] = {0.0};
  double         *psi, *d;
  const int       most = m->basis->support_max(m);
  T_OK(BF_NEW_ARRAY(psi, most));
  T_OK(BF_NEW_ARRAY(d, 2 * (size_t)most));
  for (int b = 0; b < m->nblocks; b++) {
    const bf_block *B = m->block[b].block;
    bf_rule         rule;
    T_OK(bf_quadrature(B->type, points, BF_RULE_STIFFNESS, &rule));
    for (bf_int e = 0; e < B->n; e++)
      for (int q = 0; q < rule.n; q++) {
        const bf_int *node = NULL;
        double        x[3] = {0.0}, u[2] = {0.0}, g[2][2] = {{0.0}}, E[2][3] = {{0.0}}, det;
        const int     n = m->basis->support(m, B->first + e, &node);
        det             = m->basis->shape(m, B->first + e, rule.xi[q], psi, d, x);
        const double w  = rule.w[q] * det;
        exact(x, u, g);
        for (int c = 0; c < D; c++) {
          double v = 0.0, dv[2] = {0.0, 0.0};
          for (int a = 0; a < n; a++) {
            v += psi[a] * t->u[node[a] * D + c];
            dv[0] += d[a] * t->u[node[a] * D + c];
            dv[1] += d[n + a] * t->u[node[a] * D + c];
          }
          s[0] += w * (u[c] - v) * (u[c] - v);
          s[1] += w * u[c] * u[c];
          for (int i = 0; i < 2; i++) { /* strains, or gradients: of the error, and of u */
            E[0][D == 1 ? i : i == c ? c : 2] += g[c][i] - dv[i];
            E[1][D == 1 ? i : i == c ? c : 2] += g[c][i];
          }
        }
        const double *C = m->C + m->region[B->first + e] * nv * nv;
        for (int k = 0; k < 2; k++)
          for (int i = 0; i < nv; i++)
            for (int j = 0; j < nv; j++)
              s[2 + k] += w * E[k][i] * (D == 1 ? i == j : C[i * nv + j]) * E[k][j];
      }
  }
  bf_host_free(psi);
  bf_host_free(d);
  return (t_rel){sqrt(s[0] / s[1]), sqrt(s[2] / s[3])};
}

/* Nonzeros a row among free unknowns. */
static inline double t_row_length(const t_gfem *t)
{
  bf_graph *g = NULL;
  double    n = 0.0, rows = 0.0;
  T_OK(bf_model_pattern(t->m, t->num, &g));
  for (bf_int r = 0; r < g->n; r++) {
    if (t->m->fixed[t->num->node[r]]) continue;
    rows += 1.0;
    for (int64_t k = g->ptr[r]; k < g->ptr[r + 1]; k++) n += !t->m->fixed[t->num->node[g->adj[k]]];
  }
  bf_graph_destroy(&g);
  return n / rows;
}
#endif
