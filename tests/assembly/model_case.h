/* tests/assembly/model_case.h - small finite-element problems for the tests of assembly/: build, assemble,
 * solve densely
 *
 * The solver is a dense Cholesky factorisation of the assembled matrix, so nothing of solvers/ is needed.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_TESTS_ASSEMBLY_MODEL_CASE_H
#define BF_TESTS_ASSEMBLY_MODEL_CASE_H
#include "assembly/model.h"
#include "tests/backend.h"
#include "tests/generated.h"
#include "tests/middle.h"
#include <math.h>

static const bf_elem_type t_types[] = {BF_TRI3, BF_TRI6,  BF_QUAD4, BF_QUAD8, BF_QUAD9,
                                       BF_TET4, BF_TET10, BF_HEX8,  BF_HEX20, BF_HEX27};
enum { T_TYPES = 10, T_BOUNDARIES = 8, T_LOADS = 4, T_MATERIALS = 2 };

static const bf_name t_all[]   = {{.name = "all", .where = {.file = "deck.yaml", .line = 5}}};
static const bf_name t_sides[] = {{.name = "x_min"}, {.name = "x_max"}, {.name = "y_min"},
                                  {.name = "y_max"}, {.name = "z_min"}, {.name = "z_max"}};
static const bf_name t_x_min[] = {{.name = "x_min"}}, t_x_max[] = {{.name = "x_max"}};

typedef struct t_case { /* zero-initialise through t_case_create; clear with t_case_clear */
  bf_mesh    *mesh;     /* owned */
  bf_problem  p;
  bf_material material[T_MATERIALS];
  bf_boundary boundary[T_BOUNDARIES];
  bf_load     load[T_LOADS];
  bf_diags    diags; /* of t_model and what follows it */
} t_case;

static inline bf_quantity t_number(double v)
{
  return (bf_quantity){.value = v, .where = {.file = "deck.yaml", .line = 9}};
}
static inline bf_quantity t_formula(const char *text)
{
  return (bf_quantity){.value = (double)NAN, .formula = text, .where = {.file = "deck.yaml", .line = 9}};
}

/* Box [0,2]x[0,1]x[0,1] or rectangle [0,2]x[0,1] of one material on all elements, no conditions. */
static inline void t_case_create(t_case *c, bf_physics physics, bf_elem_type type, bf_int cells)
{
  const double size[3] = {2.0, 1.0, 1.0};
  const bf_int n[3]    = {cells + 1, cells, cells};
  *c                   = (t_case){0};
  c->mesh              = t_generated(size, n, type);
  c->material[0]       = (bf_material){.name        = "steel",
                                       .where       = {.file = "deck.yaml", .line = 4},
                                       .ngroups     = 1,
                                       .group       = t_all,
                                       .E           = t_number(210.0),
                                       .k           = t_number(3.0),
                                       .diffusivity = t_number(0.5),
                                       .velocity    = {t_number(1.0), t_number(0.4), t_number(-0.3)},
                                       .nu          = 0.3,
                                       .rho         = 7.5,
                                       .has_rho     = 1};
  c->p                 = (bf_problem){.physics    = physics,
                                      .stabilized = physics == BF_ADVECTION,
                                      .space      = c->mesh->dim == 3 || physics != BF_ELASTICITY ? BF_SPACE_AUTO
                                                                                                  : BF_SPACE_PLANE_STRESS,
                                      .thickness  = 1.0,
                                      .nmaterials = 1};
}

static inline void t_case_clear(t_case *c)
{
  bf_mesh_destroy(&c->mesh);
  bf_diags_clear(&c->diags);
}

/* The problem with pointers into the case as it stands now. */
static inline const bf_problem *t_problem(t_case *c)
{
  c->p.material = c->material;
  c->p.boundary = c->boundary;
  c->p.load     = c->load;
  return &c->p;
}

static inline bf_boundary *t_condition(t_case *c, bf_bc_type type, const bf_name *group, int ngroups)
{
  assert_true(c->p.nboundaries < T_BOUNDARIES);
  bf_boundary *b = &c->boundary[c->p.nboundaries];
  *b             = (bf_boundary){.type    = type,
                                 .where   = {.file = "deck.yaml", .line = 20 + c->p.nboundaries},
                                 .ngroups = ngroups,
                                 .group   = group};
  c->p.nboundaries++;
  return b;
}

static inline int t_nsides(const t_case *c)
{
  return 2 * c->mesh->dim;
}

static inline bf_load *t_load(t_case *c, bf_load_type type)
{
  assert_true(c->p.nloads < T_LOADS);
  bf_load *l = &c->load[c->p.nloads];
  *l         = (bf_load){.type = type, .where = {.file = "deck.yaml", .line = 40 + c->p.nloads}};
  c->p.nloads++;
  return l;
}

/* Elements with a centre left of x = 1 get another material of half the density, as groups of the mesh. */
static inline void t_split_materials(t_case *c, bf_group group[2], bf_name name[2])
{
  static char *const names[2] = {"left", "right"};
  for (int k = 0; k < 2; k++) {
    group[k] = (bf_group){.name = names[k], .dim = c->mesh->dim, .tag = 100 + k, .named = 1};
    T_OK(BF_NEW_ARRAY(group[k].elem, c->mesh->nelem));
  }
  for (bf_int e = 0; e < c->mesh->nelem; e++) {
    int           n    = 0;
    const bf_int *node = bf_mesh_elem_nodes(c->mesh, e, &n);
    double        x    = 0.0;
    if (bf_elem(bf_mesh_block_of(c->mesh, e)->type)->dim != c->mesh->dim) continue;
    for (int a = 0; a < n; a++) x += c->mesh->x[3 * node[a]] / n;
    const int k                     = x > 1.0;
    group[k].elem[group[k].nelem++] = e;
  }
  for (int k = 0; k < 2; k++) {
    name[k]                = (bf_name){.name = names[k]};
    c->material[k]         = c->material[0];
    c->material[k].ngroups = 1;
    c->material[k].group   = &name[k];
  }
  c->material[0].name = "light";
  c->material[1].name = "heavy";
  c->p.nmaterials     = 2;
}

/* Creates the model; diagnostics are shown if that fails. */
static inline bf_model *t_model(t_case *c)
{
  bf_model *m = NULL;
  bf_diags_clear(&c->diags);
  const bf_err err = bf_model_create(c->mesh, t_problem(c), &c->diags, &m);
  if (err != BF_OK) {
    bf_diags_print(&c->diags, 0, stderr);
    fail_msg("%s", bf_err_trace());
  }
  return m;
}

typedef enum { T_BDIA_FULL, T_BDIA_HALF, T_CSR, T_FORMATS } t_format;

typedef struct t_system { /* an assembled problem, on the host */
  bf_numbering *num;
  bf_matrix    *A;
  double       *b, *x0; /* backend */
  bf_int        n;
  double       *dense;       /* [n][n] */
  double       *rhs, *start; /* [n] */
  bf_phases     phases;
} t_system;

static inline void t_assemble(t_case *c, bf_model *m, t_format format, t_system *s)
{
  const int ncomp = bf_model_ncomp(m);
  *s              = (t_system){0};
  T_OK((bf_model_condensed(m) ? bf_numbering_create_condensed : bf_numbering_create)(c->mesh, BF_ORDER_AUTO,
                                                                                     &s->num));
  if (format == T_CSR) {
    bf_graph *g = NULL;
    T_OK(bf_numbering_pattern(c->mesh, s->num, &g));
    T_OK(bf_matrix_create_csr(t_be, g, ncomp, BF_FP64, &s->A));
    bf_graph_destroy(&g);
  } else
    T_OK(bf_matrix_create_bdia(t_be, s->num->bands, ncomp, format == T_BDIA_HALF, BF_FP64,
                               s->num->nnz * ncomp * ncomp, &s->A));
  s->n = s->A->nrows;
  T_OK(bf_vector_create(t_be, s->n, s->A->guard, &s->b));
  T_OK(bf_vector_create(t_be, s->n, s->A->guard, &s->x0));
  T_OK(bf_model_assemble(m, s->num, s->A, s->b, s->x0, &s->phases));
  T_OK(BF_NEW_ARRAY(s->dense, (size_t)s->n * (size_t)s->n));
  T_OK(BF_NEW_ARRAY(s->rhs, s->n));
  T_OK(BF_NEW_ARRAY(s->start, s->n));
  T_OK(bf_matrix_to_dense(s->A, s->dense));
  t_to_host(s->rhs, s->b, (size_t)s->n * sizeof(double));
  t_to_host(s->start, s->x0, (size_t)s->n * sizeof(double));
}

static inline void t_system_clear(t_system *s)
{
  const bf_int guard = s->A ? s->A->guard : 0;
  bf_vector_destroy(t_be, guard, &s->b);
  bf_vector_destroy(t_be, guard, &s->x0);
  bf_matrix_destroy(&s->A);
  bf_numbering_destroy(&s->num);
  bf_host_free(s->dense);
  bf_host_free(s->rhs);
  bf_host_free(s->start);
}

/* x = A \ b by Cholesky, destroying a[n][n]. */
static inline void t_cholesky(bf_int n, double *a, const double *b, double *x)
{
  for (bf_int j = 0; j < n; j++) {
    double *aj = a + (size_t)j * (size_t)n;
    for (bf_int k = 0; k < j; k++) { /* L_jk = (A_jk - sum_l L_jl L_kl) / L_kk */
      const double *ak = a + (size_t)k * (size_t)n;
      double        s  = aj[k];
      for (bf_int l = 0; l < k; l++) s -= aj[l] * ak[l];
      aj[k] = s / ak[k];
    }
    double d = aj[j];
    for (bf_int l = 0; l < j; l++) d -= aj[l] * aj[l];
    if (!(d > 0.0)) fail_msg("the assembled matrix is not positive definite: pivot %d is %g", (int)j, d);
    aj[j] = sqrt(d);
  }
  for (bf_int i = 0; i < n; i++) {
    double s = b[i];
    for (bf_int l = 0; l < i; l++) s -= a[(size_t)i * (size_t)n + (size_t)l] * x[l];
    x[i] = s / a[(size_t)i * (size_t)n + (size_t)i];
  }
  for (bf_int i = n - 1; i >= 0; i--) {
    double s = x[i];
    for (bf_int l = i + 1; l < n; l++) s -= a[(size_t)l * (size_t)n + (size_t)i] * x[l];
    x[i] = s / a[(size_t)i * (size_t)n + (size_t)i];
  }
}

/* x = A \ b by Gauss with row pivoting, destroying a[n][n] and b. */
static inline void t_gauss(bf_int n, double *a, double *b, double *x)
{
  for (bf_int k = 0; k < n; k++) {
    bf_int p = k;
    for (bf_int i = k + 1; i < n; i++)
      if (fabs(a[(size_t)i * (size_t)n + (size_t)k]) > fabs(a[(size_t)p * (size_t)n + (size_t)k])) p = i;
    double      *ak = a + (size_t)k * (size_t)n, *ap = a + (size_t)p * (size_t)n;
    const double t = b[k];
    b[k]           = b[p];
    b[p]           = t;
    for (bf_int j = 0; j < n && p != k; j++) {
      const double s = ak[j];
      ak[j]          = ap[j];
      ap[j]          = s;
    }
    if (ak[k] == 0.0) fail_msg("the assembled matrix is singular: column %d", (int)k);
    for (bf_int i = k + 1; i < n; i++) {
      double      *ai = a + (size_t)i * (size_t)n;
      const double f  = ai[k] / ak[k];
      if (f == 0.0) continue;
      for (bf_int j = k; j < n; j++) ai[j] -= f * ak[j];
      b[i] -= f * b[k];
    }
  }
  for (bf_int i = n - 1; i >= 0; i--) {
    double s = b[i];
    for (bf_int j = i + 1; j < n; j++) s -= a[(size_t)i * (size_t)n + (size_t)j] * x[j];
    x[i] = s / a[(size_t)i * (size_t)n + (size_t)i];
  }
}

/* The same by Cholesky where the matrix is symmetric. */
static inline void t_dense_solve(const bf_model *m, bf_int n, double *a, double *b, double *x)
{
  if (bf_model_symmetric(m))
    t_cholesky(n, a, b, x);
  else
    t_gauss(n, a, b, x);
}

/* u[nnodes*ncomp] by node: create, assemble, solve. */
static inline void t_solve(t_case *c, t_format format, double **u)
{
  bf_model *m = t_model(c);
  t_system  s;
  double   *x     = NULL;
  const int ncomp = bf_model_ncomp(m);
  t_assemble(c, m, format, &s);
  T_OK(BF_NEW_ARRAY(x, s.n));
  t_dense_solve(m, s.n, s.dense, s.rhs, x);
  T_OK(BF_NEW_ARRAY(*u, (size_t)c->mesh->nnodes * (size_t)ncomp));
  for (bf_int v = 0; v < c->mesh->nnodes; v++)
    for (int k = 0; k < ncomp; k++)
      (*u)[(size_t)v * (size_t)ncomp + (size_t)k] = x[(size_t)s.num->row[v] * (size_t)ncomp + (size_t)k];
  bf_host_free(x);
  t_system_clear(&s);
  bf_model_destroy(&m);
}

/* Moves the nodes inside the box at random by at most `by`.  Corner nodes first, the others to the middle of
 * their edge, face or element, then, if `curved`, inner mid-side nodes once more. */
static inline void t_distort(bf_mesh *mesh, double by, int curved)
{
  uint64_t     seed = 12345;
  double       lo[3], hi[3];
  uint8_t     *inner = NULL, *corner = NULL;
  const double eps = 1e-9;
  bf_mesh_bounds(mesh, lo, hi);
  T_OK(BF_NEW_ARRAY(inner, mesh->nnodes));
  T_OK(BF_NEW_ARRAY(corner, mesh->nnodes));
  for (bf_int v = 0; v < mesh->nnodes; v++) {
    inner[v] = 1;
    for (int d = 0; d < mesh->dim; d++) {
      const double x = mesh->x[3 * v + d];
      if (x < lo[d] + eps || x > hi[d] - eps) inner[v] = 0;
    }
  }
  for (int b = 0; b < mesh->nblocks; b++) {
    const bf_elem_info *info = bf_elem(mesh->block[b].type);
    for (bf_int e = 0; e < mesh->block[b].n; e++)
      for (int a = 0; a < info->ncorners; a++) corner[mesh->block[b].node[e * info->nnodes + a]] = 1;
  }
  for (bf_int v = 0; v < mesh->nnodes; v++)
    for (int d = 0; d < mesh->dim; d++) {
      const double move = by * (2.0 * t_uniform(&seed) - 1.0);
      if (inner[v] && corner[v]) mesh->x[3 * v + d] += move;
    }
  for (int b = 0; b < mesh->nblocks; b++) {
    const bf_elem_info *info = bf_elem(mesh->block[b].type);
    for (bf_int e = 0; e < mesh->block[b].n && info->order == 2; e++)
      for (int a = info->ncorners; a < info->nnodes; a++) {
        const bf_int *node = mesh->block[b].node + e * info->nnodes;
        t_middle(mesh, info, node, a, mesh->x + 3 * node[a]);
      }
  }
  for (bf_int v = 0; v < mesh->nnodes && curved; v++)
    for (int d = 0; d < mesh->dim; d++) {
      const double move = 0.3 * by * (2.0 * t_uniform(&seed) - 1.0);
      if (inner[v] && !corner[v]) mesh->x[3 * v + d] += move;
    }
  bf_host_free(inner);
  bf_host_free(corner);
}
#endif
