/* assembly/model/total_force.c - type force: a total force F and moment M on faces, lines or points
 *
 *     t(x) = F / A + w x (x - c),      I w = M + (p - c) x F,      I = integral |x-c|^2 1 - (x-c)(x-c)^T
 *
 * A, c: measure and centroid of the groups; p: the point where F acts, without it the centroid.  Of all
 * tractions with resultant F and moment M about p this one has the least integral of |t|^2.  Integrals are
 * those of the loads (same rule), so the sums of the nodal forces are F and M to rounding also on curved
 * sides: sum_a x_a x f_a = integral (sum_a N_a x_a) x t.  On lines and points of a solid the same with
 * lengths and numbers of points; there I may be singular (points on a line): E318 for a moment that no such
 * forces have.  In rectangular axes F and M have their components; in cylindrical ones t(x) = sum_k F_k/A
 * e_k(x): the integrals of the components t_r, t_t, t_z are F.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "assembly/basis/shape.h"
#include "assembly/model/axes.h"
#include "assembly/model/internal.h"
#include "base/memory.h"
#include <math.h>
#include <string.h>

typedef struct bf_samples { /* integration points of the groups of one condition, or their nodes */
  bf_int  n, capacity;
  double *x; /* owned [capacity][4]: place and weight */
} bf_samples;

static double *add_sample(bf_samples *s)
{
  if (s->n == s->capacity) {
    const bf_int more = s->capacity < 64 ? 64 : 2 * s->capacity;
    void        *p    = bf_host_realloc(s->x, 4 * (size_t)more, sizeof *s->x);
    if (!p) return NULL;
    s->x        = p;
    s->capacity = more;
  }
  return s->x + 4 * (size_t)s->n++;
}

const bf_group *bf_model_force_group(const bf_model *m, const bf_name *name, bf_diags *diags)
{
  bf_diags        none = {0};
  const bf_group *g    = bf_model_group(m, name, m->sdim - 1, m->sdim - 1, "boundary 'force'", &none);
  bf_diags_clear(&none);
  return g ? g : bf_model_group(m, name, 0, m->sdim - 1, "boundary 'force'", diags);
}

/* Point loads at the points of a rule in one line or point element; their number. */
static bf_err add_element(bf_model *m, int boundary, bf_int elem, bf_samples *s)
{
  int                nn   = 0;
  const bf_int      *node = bf_mesh_elem_nodes(m->mesh, elem, &nn);
  const bf_elem_type type = bf_mesh_block_of(m->mesh, elem)->type;
  bf_rule            rule = {.n = 1, .w = {1.0}};
  double             x[BF_NEN_MAX][3], dN[BF_NEN_MAX][3], J[3][3];
  for (int a = 0; a < nn; a++)
    if (!m->used[node[a]]) return BF_OK; /* W329 */
  for (int a = 0; a < nn; a++) memcpy(x[a], m->mesh->x + 3 * (size_t)node[a], sizeof x[a]);
  if (type != BF_POINT1) BF_TRY(bf_quadrature(type, 0, BF_RULE_MASS, &rule));
  void *p = bf_host_realloc(m->point, (size_t)m->npoints + (size_t)rule.n, sizeof *m->point);
  BF_CHECK(p, BF_E_MEMORY, "no memory for the points of a force");
  m->point = p;
  for (int q = 0; q < rule.n; q++) {
    bf_point_load *load = &m->point[m->npoints++];
    double        *to   = add_sample(s);
    BF_CHECK(to, BF_E_MEMORY, "no memory for the points of a force");
    *load = (bf_point_load){.load = BF_POINTS_OF_BOUNDARY(boundary), .n = nn};
    memcpy(load->node, node, (size_t)nn * sizeof *node);
    load->share[0] = 1.0;
    to[0] = to[1] = to[2] = 0.0;
    to[3]                 = 1.0;
    if (type != BF_POINT1) {
      bf_shape(type, rule.xi[q], load->share, dN);
      to[3] = rule.w[q] * bf_shape_jacobian(type, m->sdim, (const double(*)[3])x, (const double(*)[3])dN, J);
    }
    for (int a = 0; a < nn; a++)
      for (int d = 0; d < 3; d++) to[d] += load->share[a] * x[a][d];
  }
  return BF_OK;
}

/* Groups of lines in space, or of points: each element and each point once. */
static bf_err lines_and_points(bf_model *m, int boundary, bf_samples *s, bf_diags *diags)
{
  bf_err             err   = BF_OK;
  const bf_boundary *bc    = &m->problem->boundary[boundary];
  uint8_t           *seen  = NULL; /* elements, and nodes of points */
  bf_int            *nodes = NULL, n = 0;
  BF_GO(BF_NEW_ARRAY(seen, (size_t)m->mesh->nelem + (size_t)m->mesh->nnodes));
  for (int k = 0; k < bc->ngroups; k++) {
    const bf_group *g = bf_model_force_group(m, &bc->group[k], diags);
    if (!g) continue;
    BF_GO(bf_model_body_nodes(m, g, &bc->group[k], &nodes, &n, diags));
    bf_host_free(nodes);
    nodes = NULL;
    for (bf_int i = 0; i < g->nelem; i++) {
      int           nn   = 0;
      const bf_int *node = bf_mesh_elem_nodes(m->mesh, g->elem[i], &nn);
      uint8_t      *once = g->dim == 0 ? &seen[m->mesh->nelem + node[0]] : &seen[g->elem[i]];
      if (!*once) BF_GO(add_element(m, boundary, g->elem[i], s));
      *once = 1;
    }
  }
done:
  bf_host_free(seen);
  bf_host_free(nodes);
  return err;
}

static bf_err faces(const bf_model *m, const bf_face_set *set, bf_samples *s)
{
  const int nen = bf_elem(set->type)->nnodes;
  double    N[BF_QUADRATURE_MAX][BF_NEN_MAX], dN[BF_QUADRATURE_MAX][BF_NEN_MAX][3];
  for (int q = 0; q < set->rule.n; q++) bf_shape(set->type, set->rule.xi[q], N[q], dN[q]);
  for (bf_int e = 0; e < set->n; e++) {
    double x[BF_NEN_MAX][3], J[3][3];
    for (int a = 0; a < nen; a++)
      memcpy(x[a], m->mesh->x + 3 * (size_t)set->node[(size_t)e * (size_t)nen + (size_t)a], sizeof x[a]);
    for (int q = 0; q < set->rule.n; q++) {
      double *to = add_sample(s);
      BF_CHECK(to, BF_E_MEMORY, "no memory for the points of a force");
      to[0] = to[1] = to[2] = 0.0;
      for (int a = 0; a < nen; a++)
        for (int d = 0; d < 3; d++) to[d] += N[q][a] * x[a][d];
      to[3] = m->thickness * set->rule.w[q] *
              bf_shape_jacobian(set->type, m->sdim, (const double(*)[3])x, (const double(*)[3])dN[q], J) *
              bf_model_turn(m, nen, N[q], (const double(*)[3])x);
    }
  }
  return BF_OK;
}

/* Eigenvalues d[3] and vectors, the columns of V, of the symmetric A by Jacobi rotations; destroys A. */
static void eigen(double A[3][3], double d[3], double V[3][3])
{
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) V[i][j] = i == j ? 1.0 : 0.0;
  for (int sweep = 0; sweep < 30; sweep++)
    for (int p = 0; p < 2; p++)
      for (int q = p + 1; q < 3; q++) {
        if (A[p][q] == 0.0) continue;
        const double theta = (A[q][q] - A[p][p]) / (2.0 * A[p][q]);
        const double t     = (theta >= 0.0 ? 1.0 : -1.0) / (fabs(theta) + sqrt(theta * theta + 1.0));
        const double c = 1.0 / sqrt(t * t + 1.0), s = t * c;
        for (int k = 0; k < 3; k++) {
          const double a = A[k][p], b = A[k][q];
          A[k][p] = c * a - s * b;
          A[k][q] = s * a + c * b;
        }
        for (int k = 0; k < 3; k++) {
          const double a = A[p][k], b = A[q][k], v = V[k][p], w = V[k][q];
          A[p][k] = c * a - s * b;
          A[q][k] = s * a + c * b;
          V[k][p] = c * v - s * w;
          V[k][q] = s * v + c * w;
        }
      }
  for (int i = 0; i < 3; i++) d[i] = A[i][i];
}

static void cross(const double a[3], const double b[3], double c[3])
{
  for (int i = 0; i < 3; i++) c[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

/* w of I w = M; 1 if there is none. rank: the largest eigenvalue times 1e-12 is the limit to 0. */
static int rotation(const bf_samples *s, const double c[3], const double M[3], double w[3])
{
  double       I[3][3] = {{0.0}}, d[3], V[3][3], most = 0.0, size = 0.0, rest[3];
  const double length = sqrt(M[0] * M[0] + M[1] * M[1] + M[2] * M[2]);
  for (bf_int k = 0; k < s->n; k++) {
    const double *x = s->x + 4 * (size_t)k, r[3] = {x[0] - c[0], x[1] - c[1], x[2] - c[2]};
    const double  rr = r[0] * r[0] + r[1] * r[1] + r[2] * r[2];
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++) I[i][j] += x[3] * ((i == j ? rr : 0.0) - r[i] * r[j]);
    for (int i = 0; i < 3; i++) size = fmax(size, x[3] * x[i] * x[i]);
  }
  eigen(I, d, V);
  for (int i = 0; i < 3; i++) most = fmax(most, d[i]);
  most = fmax(1e-12 * most, 1e-24 * size); /* one point: the rounding of its centroid */
  for (int i = 0; i < 3; i++) w[i] = 0.0, rest[i] = M[i];
  for (int k = 0; k < 3; k++) {
    const double along = V[0][k] * M[0] + V[1][k] * M[1] + V[2][k] * M[2];
    if (d[k] <= most) continue;
    for (int i = 0; i < 3; i++) w[i] += V[i][k] * along / d[k], rest[i] -= V[i][k] * along;
  }
  return sqrt(rest[0] * rest[0] + rest[1] * rest[1] + rest[2] * rest[2]) > 1e-9 * length;
}

/* The same in the plane: w = (0, 0, M / I). */
static int rotation_in_plane(const bf_samples *s, const double c[3], const double M[3], double w[3])
{
  double I = 0.0, size = 0.0;
  for (bf_int k = 0; k < s->n; k++) {
    const double *x = s->x + 4 * (size_t)k;
    I += x[3] * ((x[0] - c[0]) * (x[0] - c[0]) + (x[1] - c[1]) * (x[1] - c[1]));
    size = fmax(size, x[3] * (x[0] * x[0] + x[1] * x[1]));
  }
  w[0] = w[1] = w[2] = 0.0;
  if (M[2] == 0.0) return 0;
  if (I <= 1e-24 * size) return 1;
  w[2] = M[2] / I;
  return 0;
}

/* E307: numbers that do not fit the space; E318: a moment on a body of revolution. */
static int complete(const bf_model *m, const bf_boundary *bc, bf_diags *diags)
{
  const int before = diags->errors;
  if (bf_model_revolved(m) && (bc->nmoment > 0 || bc->nabout > 0))
    bf_diag_add(diags, BF_ERROR, 318, bc->nmoment > 0 ? bc->moment_where : bc->about_where,
                "force on a body of revolution: it acts on the whole ring, where moments cancel; remove "
                "'moment' and 'about'");
  else if (bc->axes && bc->axes->type == BF_AXES_CYLINDRICAL && (bc->nmoment > 0 || bc->nabout > 0))
    bf_diag_add(
        diags, BF_ERROR, 318, bc->nmoment > 0 ? bc->moment_where : bc->about_where,
        "force in cylindrical axes: its components are uniform tractions along r, t and z of every point; "
        "remove 'moment' and 'about', or give them in an entry without 'axes'");
  else if (bc->nmoment > 0 && bc->nmoment != (m->sdim == 3 ? 3 : 1))
    bf_diag_add(diags, BF_ERROR, 307, bc->moment_where, "the moment of a force in a %d-D body has %s, got %d",
                m->sdim, m->sdim == 3 ? "3 components" : "one number, about z", bc->nmoment);
  if (!bf_model_revolved(m) && bc->nabout > 0 && bc->nabout != m->sdim)
    bf_diag_add(diags, BF_ERROR, 307, bc->about_where,
                "'about' is a point, which in a %d-D body has %d coordinates, got %d", m->sdim, m->sdim,
                bc->nabout);
  return diags->errors == before;
}

/* traction of one condition from its samples; E309, E318 */
static void solve(const bf_model *m, const bf_boundary *bc, const bf_samples *s, bf_total_force *t,
                  bf_diags *diags)
{
  double F[3] = {0.0, 0.0, 0.0}, M[3] = {0.0, 0.0, 0.0}, p[3], couple[3], measure = 0.0;
  for (bf_int k = 0; k < s->n; k++) measure += s->x[4 * k + 3];
  if (!(measure > 0.0)) {
    bf_diag_add(diags, BF_ERROR, 309, bc->where, "the groups of this force have no area, length or points");
    return;
  }
  for (int d = 0; d < 3; d++) {
    t->c[d] = 0.0;
    for (bf_int k = 0; k < s->n; k++) t->c[d] += s->x[4 * k + 3] * (s->x[4 * k + d] / measure);
    F[d]    = d < m->ncomp ? bc->value[d].value : 0.0;
    t->w[d] = 0.0;
    p[d]    = bc->nabout ? bc->about[d] - t->c[d] : 0.0;
  }
  for (int d = 0; d < 3 && m->sdim == 3; d++) M[d] = bc->moment[d];
  if (m->sdim == 2) M[2] = bc->moment[0];
  if (bc->axes && bc->axes->type == BF_AXES_RECTANGULAR) {
    double e[3][3];
    bf_axes_at(bc->axes, t->c, 0.0, e);
    bf_axes_to_global((const double(*)[3])e, F);
    if (m->sdim == 3) bf_axes_to_global((const double(*)[3])e, M);
  }
  for (int d = 0; d < 3; d++) t->a[d] = F[d] / measure;
  t->measure = measure;
  t->axes    = bc->axes && bc->axes->type == BF_AXES_CYLINDRICAL ? bc->axes : NULL;
  t->linear  = t->axes != NULL;
  if (bf_model_revolved(m) || t->axes) return;
  cross(p, F, couple);
  for (int d = 0; d < 3; d++) M[d] += couple[d];
  const int none = m->sdim == 2 ? rotation_in_plane(s, t->c, M, t->w) : rotation(s, t->c, M, t->w);
  t->linear      = t->w[0] != 0.0 || t->w[1] != 0.0 || t->w[2] != 0.0;
  if (none)
    bf_diag_add(diags, BF_ERROR, 318, bc->nmoment > 0 ? bc->moment_where : bc->about_where,
                "the groups of this force %s and cannot carry the moment (%g, %g, %g) about their centroid "
                "(%g, %g, %g), which 'moment' and 'about' give; name faces, or points that do not lie on a "
                "line",
                s->n == 1      ? "are one point"
                : m->sdim == 2 ? "lie in one point"
                               : "lie on a line",
                M[0], M[1], M[2], t->c[0], t->c[1], t->c[2]);
}

void bf_total_force_at(const bf_total_force *t, const double x[3], double f[3])
{
  const double r[3] = {x[0] - t->c[0], x[1] - t->c[1], x[2] - t->c[2]};
  double       e[3][3];
  if (t->axes) {
    bf_axes_at(t->axes, x, 0.0, e);
    for (int d = 0; d < 3; d++) f[d] = t->a[d];
    bf_axes_to_global((const double(*)[3])e, f);
    return;
  }
  cross(t->w, r, f);
  for (int d = 0; d < 3; d++) f[d] = t->linear ? f[d] + t->a[d] : t->a[d];
}

/* 1: groups of one dimension; E203 */
static int one_dimension(const bf_model *m, const bf_boundary *bc, int *dim, bf_diags *diags)
{
  bf_diags none = {0};
  *dim          = -1;
  for (int k = 0; k < bc->ngroups; k++) {
    const bf_group *g = bf_model_force_group(m, &bc->group[k], &none);
    if (g && *dim >= 0 && g->dim != *dim) {
      bf_diag_add(diags, BF_ERROR, 203, bc->group[k].where,
                  "group '%s' is %d-D, the groups of this force before it are %d-D; write one entry for each "
                  "dimension, with the part of the force that acts there",
                  bc->group[k].name, g->dim, *dim);
      *dim = -1;
      break;
    }
    if (g) *dim = g->dim;
  }
  bf_diags_clear(&none);
  return *dim >= 0;
}

static bf_err resolve(bf_model *m, int boundary, bf_diags *diags)
{
  bf_err             err    = BF_OK;
  const bf_boundary *bc     = &m->problem->boundary[boundary];
  bf_total_force    *t      = &m->total[boundary];
  bf_samples         s      = {0};
  const int          before = diags->errors, first = m->npoints;
  int                dim;
  if (!complete(m, bc, diags) || !one_dimension(m, bc, &dim, diags)) return BF_OK;
  if (dim == m->sdim - 1)
    for (int i = 0; i < m->nsets; i++) {
      if (m->set[i].boundary == boundary) BF_GO(faces(m, &m->set[i], &s));
    }
  else
    BF_GO(lines_and_points(m, boundary, &s, diags));
  if (diags->errors == before) solve(m, bc, &s, t, diags);
  for (int i = first; i < m->npoints && diags->errors == before; i++) {
    const double *x = s.x + 4 * (size_t)(i - first);
    bf_total_force_at(t, x, m->point[i].force);
    for (int d = 0; d < 3; d++) m->point[i].force[d] *= x[3];
  }
done:
  bf_host_free(s.x);
  return err;
}

bf_err bf_model_resolve_forces(bf_model *m, bf_diags *diags)
{
  const bf_problem *p   = m->problem;
  int               any = 0;
  for (int i = 0; i < p->nboundaries; i++) any |= p->boundary[i].type == BF_BC_FORCE;
  if (!any || p->physics != BF_ELASTICITY) return BF_OK;
  BF_TRY(BF_NEW_ARRAY(m->total, p->nboundaries));
  for (int i = 0; i < p->nboundaries; i++)
    if (p->boundary[i].type == BF_BC_FORCE) BF_TRY(resolve(m, i, diags));
  return BF_OK;
}
