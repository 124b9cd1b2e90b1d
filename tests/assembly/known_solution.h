/* tests/assembly/known_solution.h - a model with a prescribed solution, for tests of what comes after the
 * solver */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_TESTS_ASSEMBLY_KNOWN_SOLUTION_H
#define BF_TESTS_ASSEMBLY_KNOWN_SOLUTION_H
#include "assembly/model/internal.h"
#include "tests/generated.h"
#include "tests/middle.h"
#include "tests/test.h"
#include <math.h>

typedef struct t_known {
  bf_mesh     *mesh;
  bf_name      name[8]; /* group names that boundaries and materials may borrow */
  bf_material  material[2];
  bf_boundary  boundary[4];
  bf_load      load[2];
  bf_problem   problem;
  bf_model    *model;
  bf_numbering num;
  bf_view     *view;
  bf_backend  *be;
  double      *u; /* by scalar row */
  bf_solution  solution;
  bf_diags     diags;
} t_known;

static const bf_elem_type t_types[] = {BF_TRI3, BF_TRI6,  BF_QUAD4, BF_QUAD8, BF_QUAD9,
                                       BF_TET4, BF_TET10, BF_HEX8,  BF_HEX20, BF_HEX27};
enum { T_TYPES = 10 };

/* Box or rectangle 3 x 2 x 1 of cells^dim cells; with `bend` a smooth map moves what is inside, the sides
 * stay plane. */
static inline void t_known_mesh(t_known *t, bf_elem_type type, bf_int cells, double bend)
{
  const double size[3]  = {3.0, 2.0, 1.0};
  const bf_int count[3] = {cells, cells, cells};
  const double pi       = acos(-1.0);
  memset(t, 0, sizeof *t);
  t->mesh = t_generated(size, count, type);
  for (bf_int i = 0; i < t->mesh->nnodes; i++) {
    double      *x = t->mesh->x + 3 * i;
    const double s = sin(pi * x[0] / 3.0), c = sin(pi * x[1] / 2.0),
                 z = t->mesh->dim == 3 ? sin(pi * x[2]) : 1.0;
    x[0] += bend * s * c * (t->mesh->dim == 3 ? cos(x[2]) : 1.0);
    x[1] += 0.7 * bend * c * cos(x[0]);
    if (t->mesh->dim == 3) x[2] -= 0.4 * bend * z * (0.5 + s * c);
  }
  t->name[0].name                   = t->mesh->dim == 3 ? "volume" : "surface";
  static const char *const sides[6] = {"x_min", "x_max", "y_min", "y_max", "z_min", "z_max"};
  for (int k = 0; k < 6; k++) t->name[1 + k].name = sides[k];
  t->problem.thickness   = 1.0;
  t->problem.nmaterials  = 1;
  t->problem.material    = t->material;
  t->problem.boundary    = t->boundary;
  t->problem.load        = t->load;
  t->material[0].name    = "steel";
  t->material[0].ngroups = 1;
  t->material[0].group   = &t->name[0];
}

/* Puts every node between corners in the middle of its edge, face or element: then the rules integrate a
 * linear field exactly. */
static inline void t_known_straighten(t_known *t)
{
  for (int b = 0; b < t->mesh->nblocks; b++) {
    const bf_block     *k  = &t->mesh->block[b];
    const bf_elem_info *el = bf_elem(k->type);
    for (bf_int e = 0; e < k->n; e++)
      for (int a = el->ncorners; a < el->nnodes; a++) {
        const bf_int *node = k->node + e * el->nnodes;
        t_middle(t->mesh, el, node, a, t->mesh->x + 3 * node[a]);
      }
  }
}

static inline void t_known_elastic(t_known *t, double E, double nu)
{
  t->problem.physics     = BF_ELASTICITY;
  t->problem.space       = t->mesh->dim == 3 ? BF_SPACE_3D : BF_SPACE_PLANE_STRESS;
  t->material[0].E.value = E;
  t->material[0].nu      = nu;
}

/* Boundary condition of a type on sides first .. last of t->name (1 = x_min). */
static inline bf_boundary *t_known_boundary(t_known *t, bf_bc_type type, int first, int last)
{
  bf_boundary *b = &t->boundary[t->problem.nboundaries++];
  b->type        = type;
  b->ngroups     = last - first + 1;
  b->group       = &t->name[first];
  return b;
}

/* Model, view and a numbering that runs backwards with three phantom rows in front. */
static inline void t_known_build(t_known *t)
{
  const bf_err err = bf_model_create(t->mesh, &t->problem, &t->diags, &t->model);
  if (err != BF_OK) fail_msg("%s", t->diags.count ? t->diags.item[0].text : bf_err_trace());
  const bf_int n = t->mesh->nnodes;
  t->num.nnodes  = n;
  t->num.nrows   = n + 3;
  t->num.row     = bf_host_alloc((size_t)n, sizeof(bf_int));
  t->num.node    = bf_host_alloc((size_t)n + 3, sizeof(bf_int));
  for (bf_int i = 0; i < 3; i++) t->num.node[i] = -1;
  for (bf_int i = 0; i < n; i++) {
    t->num.row[i]              = n + 2 - i;
    t->num.node[t->num.row[i]] = i;
  }
  T_OK(bf_view_create(t->mesh, bf_model_region(t->model), &t->view));
  T_OK(bf_backend_create("cpu", NULL, &t->be));
  t->u = bf_host_alloc((size_t)(n + 3) * (size_t)t->model->ncomp, sizeof(double));
}

/* u_c = a[c][0] + a[c][1] x + a[c][2] y + a[c][3] z at every node; recovers the fields without loads. */
static inline void t_known_linear(t_known *t, const double a[3][4])
{
  const int D = t->model->ncomp;
  for (bf_int i = 0; i < t->mesh->nnodes; i++)
    for (int c = 0; c < D; c++) {
      const double *x             = t->mesh->x + 3 * i;
      t->u[t->num.row[i] * D + c] = a[c][0] + a[c][1] * x[0] + a[c][2] * x[1] + a[c][3] * x[2];
    }
  if (!t->model->f_ext) t->model->f_ext = bf_host_alloc((size_t)t->mesh->nnodes * (size_t)D, sizeof(double));
  bf_solution_clear(&t->solution);
  T_OK(bf_model_recover(t->model, &t->num, t->be, t->view, t->u, NULL, &t->solution));
}

static inline const bf_field *t_known_field(const t_known *t, const char *name)
{
  for (int i = 0; i < t->solution.nfields; i++)
    if (strcmp(t->solution.field[i].name, name) == 0) return &t->solution.field[i];
  fail_msg("no field '%s'", name);
  return NULL;
}

static inline bf_int t_known_count(const t_known *t, const bf_field *f)
{
  return f->on_cells ? t->view->ncells : t->view->npoints;
}

/* Every value of the field is expect[ncomp], to tol. */
static inline void t_known_constant(const t_known *t, const char *name, const double *expect, double tol)
{
  const bf_field *f = t_known_field(t, name);
  for (bf_int i = 0; i < t_known_count(t, f); i++)
    for (int k = 0; k < f->ncomp; k++)
      if (!(fabs(f->data[i * f->ncomp + k] - expect[k]) <= tol))
        fail_msg("%s[%d].%d = %.17g, not %.17g", name, (int)i, k, f->data[i * f->ncomp + k], expect[k]);
}

static inline void t_known_close(t_known *t)
{
  bf_solution_clear(&t->solution);
  bf_view_destroy(&t->view);
  bf_model_destroy(&t->model);
  bf_mesh_destroy(&t->mesh);
  bf_backend_destroy(&t->be);
  bf_host_free(t->num.row);
  bf_host_free(t->num.node);
  bf_host_free(t->u);
  bf_diags_clear(&t->diags);
}

/* Adds groups "left" and "right": the elements of the mesh's dimension with centre x below and above `at`;
 * and two materials on them, the second with twice the first's coefficient. */
static inline void t_known_split(t_known *t, double at)
{
  bf_mesh  *m     = t->mesh;
  const int ng    = m->ngroups;
  bf_group *group = bf_host_realloc(m->group, (size_t)ng + 2, sizeof *group);
  assert_non_null(group);
  m->group = group;
  for (int g = 0; g < 2; g++) {
    bf_group *p = &m->group[m->ngroups++];
    memset(p, 0, sizeof *p);
    p->name  = bf_host_strdup(g ? "right" : "left");
    p->dim   = m->dim;
    p->tag   = 901 + g;
    p->named = 1;
    p->elem  = bf_host_alloc((size_t)m->nelem, sizeof(bf_int));
    for (bf_int e = 0; e < m->nelem; e++) {
      int           n;
      double        x    = 0.0;
      const bf_int *node = bf_mesh_elem_nodes(m, e, &n);
      if (bf_elem(bf_mesh_block_of(m, e)->type)->dim != m->dim) continue;
      for (int a = 0; a < n; a++) x += m->x[3 * node[a]] / n;
      if ((x > at) == g) p->elem[p->nelem++] = e;
    }
  }
  T_OK(bf_mesh_check(m));
  t->material[1]      = t->material[0];
  t->material[1].name = "stiff";
  t->material[1].E.value *= 2.0;
  t->material[1].k.value *= 2.0;
  t->name[0].name       = "left";
  t->name[7].name       = "right";
  t->material[1].group  = &t->name[7];
  t->problem.nmaterials = 2;
}
#endif
