/* assembly/recover/error_norm.c - norms of the difference between the solution and a formula
 *
 *     L2^2      = integral of |u - u_h|^2
 *     H1_semi^2 = integral of |grad u - grad u_h|^2,      H1^2 = L2^2 + H1_semi^2
 *     energy^2  = integral of (grad u - grad u_h) . k (grad u - grad u_h), or of eps . C eps, eps the strain
 *                 of u - u_h
 *
 * u: the formula with its exact gradient (base/expression_gradient.h), u_h = sum_J psi_J u_J.  Integrals are
 * those over the body: times the thickness, of a body of revolution times 2 pi r, where the gradient of a
 * vector has the hoop component u_r/r.  Gauss rules of p + 3 points per direction (3D: 4) for elements of
 * degree p, 2 degrees or more above the rule of the element, whose points are points of superconvergence.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "assembly/error_norm.h"
#include "assembly/recover/recover.h"
#include "base/memory.h"
#include <math.h>
#include <string.h>

enum { CHUNK = 256, UNKNOWNS = 3, TENSOR = 6 };

typedef struct integrand {
  const bf_model         *m;
  const bf_view          *view;
  const bf_error_request *of;
  int                     c0, n; /* first component, components */
  int                     gradients;
  double                 *u; /* owned [nnodes][n]: nodal values */
  bf_rule                 rule[BF_ELEM_TYPES];
  bf_gradient           **coefficient; /* owned [nmaterials]: E or k by a formula, else NULL */
} integrand;

typedef struct sums { /* of a run of cells */
  double error, exact;
  int    bad; /* 1 + component with a value that is not finite; at */
  double at[3], value;
} sums;

/* C of a material, times E or k at x where it is a formula. */
static bf_err coefficient(const integrand *I, bf_int material, const double x[3], double *f)
{
  const bf_quantity *q = I->m->physics->quantity(&I->m->problem->material[material]);
  double             v[4];
  *f = 1.0; /* a number is part of C */
  if (I->coefficient[material]) {
    bf_gradient_eval(I->coefficient[material], x, v);
    *f = v[0];
  } else if (q->table) {
    BF_TRY(bf_table_eval(q->table, 1, x, f));
  }
  return BF_OK;
}

/* g[component][axis] to what C takes: the gradient, or the strain with engineering shears. */
static int generalized(const bf_model *m, double g[UNKNOWNS][3], double u_r, double r, double e[TENSOR])
{
  if (m->ncomp == 1) {
    for (int i = 0; i < m->sdim; i++) e[i] = g[0][i];
    return m->sdim;
  }
  int k  = 0;
  e[k++] = g[0][0];
  e[k++] = g[1][1];
  if (m->sdim == 3) e[k++] = g[2][2];
  if (bf_model_revolved(m)) e[k++] = u_r / r;
  e[k++] = g[0][1] + g[1][0];
  if (m->sdim == 3) {
    e[k++] = g[1][2] + g[2][1];
    e[k++] = g[0][2] + g[2][0];
  }
  return k;
}

/* The square of the norm at a point: values v, gradient g, C already times E or k. */
static double density(const integrand *I, const double v[UNKNOWNS], double g[UNKNOWNS][3], const double x[3],
                      const double *C, double factor)
{
  const bf_model *m = I->m;
  double          s = 0.0, e[TENSOR];
  if (I->of->norm == BF_NORM_ENERGY) {
    const int k = generalized(m, g, v[0], x[0], e);
    for (int i = 0; i < k; i++)
      for (int j = 0; j < k; j++) s += e[i] * C[i * k + j] * e[j];
    return factor * s;
  }
  for (int c = 0; c < I->n && I->of->norm != BF_NORM_H1_SEMI; c++) s += v[c] * v[c];
  if (!I->gradients) return s;
  for (int c = 0; c < I->n; c++)
    for (int i = 0; i < m->sdim; i++) s += g[c][i] * g[c][i];
  if (bf_model_revolved(m) && m->ncomp > 1 && I->c0 == 0) s += v[0] / x[0] * (v[0] / x[0]);
  return s;
}

/* The formula at a point; 0 with the component in sum->bad where it is not finite. */
static int exact_at(const integrand *I, const double x[3], double v[UNKNOWNS], double g[UNKNOWNS][3],
                    sums *sum)
{
  for (int c = 0; c < I->n; c++) {
    double d[4];
    bf_gradient_eval(I->of->exact[c], x, d);
    v[c] = d[0];
    for (int i = 0; i < 3; i++) g[c][i] = d[1 + i];
    for (int i = 0; i < (I->gradients ? 1 + I->m->sdim : 1); i++) {
      if (isfinite(d[i])) continue;
      sum->bad   = 1 + c;
      sum->value = d[i];
      memcpy(sum->at, x, sizeof sum->at);
      return 0;
    }
  }
  return 1;
}

/* psi: room for the shape functions of an element and their derivatives. */
static bf_err add_cell(const integrand *I, bf_int cell, double *psi, sums *sum)
{
  const bf_model *m    = I->m;
  const bf_int    elem = I->view->elem[cell], *node, material = m->region[elem];
  const bf_rule  *rule = &I->rule[I->view->type[cell]];
  const int       nen  = m->basis->support(m, elem, &node);
  double         *d = psi + nen, x[3], v[UNKNOWNS], g[UNKNOWNS][3], factor = 1.0;
  for (int q = 0; q < rule->n && !sum->bad; q++) {
    double w = rule->w[q] * m->basis->shape(m, elem, rule->xi[q], psi, d, x);
    if (bf_model_revolved(m)) w *= 6.28318530717958647692 * x[0];
    if (!exact_at(I, x, v, g, sum)) return BF_OK;
    const double *C = m->C + (size_t)material * (size_t)m->nC;
    if (I->of->norm == BF_NORM_ENERGY) BF_TRY(coefficient(I, material, x, &factor));
    sum->exact += w * density(I, (const double *)v, g, x, C, factor);
    for (int c = 0; c < I->n; c++)
      for (int j = 0; j < nen; j++) {
        const double u = I->u[(size_t)node[j] * (size_t)I->n + (size_t)c];
        v[c] -= psi[j] * u;
        for (int i = 0; i < m->sdim; i++) g[c][i] -= d[i * nen + j] * u;
      }
    sum->error += w * density(I, (const double *)v, g, x, C, factor);
  }
  return BF_OK;
}

static bf_err one_run(const integrand *I, const uint8_t *take, bf_int first, bf_int last, sums *sum)
{
  bf_err  err = BF_OK;
  double *psi = NULL;
  BF_GO(BF_NEW_ARRAY(psi, (size_t)I->m->basis->support_max(I->m) * (size_t)(1 + I->m->sdim)));
  for (bf_int c = first; c < last && !sum->bad; c++)
    if (!take || take[I->view->elem[c]]) BF_GO(add_cell(I, c, psi, sum));
done:
  bf_host_free(psi);
  return err;
}

/* In fixed runs of cells: the same bits for every number of threads. */
static bf_err over_cells(const integrand *I, const uint8_t *take, sums *all)
{
  bf_err       err = BF_OK;
  const bf_int nc = I->view->ncells, runs = nc / CHUNK + 1;
  sums        *sum = NULL;
  BF_GO(BF_NEW_ARRAY(sum, runs));
#pragma omp parallel for schedule(dynamic)
  for (bf_int r = 0; r < runs; r++) {
    const bf_int last = nc - r * CHUNK < CHUNK ? nc : (r + 1) * CHUNK;
    const bf_err own  = one_run(I, take, r * CHUNK, last, &sum[r]);
    if (own != BF_OK)
#pragma omp critical(bf_error_norm)
      err = own;
  }
  if (err != BF_OK) BF_GO(BF_FAIL(err, "no memory for the error norm"));
  for (bf_int r = 0; r < runs; r++) {
    BF_NEED(!sum[r].bad, BF_E_MODEL, "formula '%s' or its gradient is %g at (%g, %g, %g)",
            bf_gradient_text(I->of->exact[sum[r].bad - 1]), sum[r].value, sum[r].at[0], sum[r].at[1],
            sum[r].at[2]);
    all->error += sum[r].error;
    all->exact += sum[r].exact;
  }
done:
  bf_host_free(sum);
  return err;
}

static bf_err prepare(integrand *I, const bf_field *field)
{
  const bf_model *m = I->m;
  int             column;
  BF_TRY(BF_NEW_ARRAY(I->coefficient, m->problem->nmaterials));
  for (int k = 0; k < m->problem->nmaterials; k++) {
    const bf_quantity *q = m->physics->quantity(&m->problem->material[k]);
    if (q->formula && !q->table)
      BF_TRY(bf_gradient_create(q->formula, strlen(q->formula), &column, &I->coefficient[k]));
  }
  for (int t = 0; t < BF_ELEM_TYPES; t++) {
    const bf_elem_info *el = bf_elem((bf_elem_type)t);
    if (el->dim != m->sdim) continue;
    const int p    = m->problem->order > el->order ? m->problem->order : el->order,
              most = bf_quadrature_max((bf_elem_type)t);
    BF_TRY(bf_quadrature((bf_elem_type)t, p + 3 < most ? p + 3 : most, BF_RULE_STIFFNESS, &I->rule[t]));
  }
  BF_TRY(BF_NEW_ARRAY(I->u, (size_t)m->mesh->nnodes * (size_t)I->n));
  for (bf_int p = 0; p < I->view->npoints; p++)
    for (int c = 0; c < I->n; c++)
      I->u[(size_t)I->view->node[p] * (size_t)I->n + (size_t)c] =
          field->data[(size_t)p * (size_t)field->ncomp + (size_t)(I->c0 + c)];
  return BF_OK;
}

static void clear(integrand *I)
{
  for (int k = 0; I->coefficient && k < I->m->problem->nmaterials; k++)
    bf_gradient_destroy(&I->coefficient[k]);
  bf_host_free(I->coefficient);
  bf_host_free(I->u);
}

const char *bf_norm_name(bf_norm norm)
{
  static const char *const names[BF_NORMS] = {"L2", "H1", "H1_semi", "energy"};
  return names[norm];
}

bf_err bf_model_error_request(const bf_model *m, const bf_error_request *of)
{
  const char *field = m->physics->words.field;
  const int   n     = of->component < 0 ? m->ncomp : 1;
  BF_CHECK(of->component < m->ncomp, BF_E_MODEL, "the %s of this problem has %d component%s", field, m->ncomp,
           m->ncomp == 1 ? "" : "s");
  BF_CHECK(of->n == n, BF_E_MODEL, "error.%s needs %d formula%s for '%s' in this problem, not %d",
           bf_norm_name(of->norm), n, n == 1 ? "" : "s", field, of->n);
  BF_CHECK(of->norm != BF_NORM_ENERGY || m->problem->physics != BF_ADVECTION, BF_E_MODEL,
           "error.energy requires physics heat or elasticity: transport by a flow has no energy norm");
  BF_CHECK(of->norm != BF_NORM_ENERGY || of->component < 0, BF_E_MODEL,
           "error.energy needs all components of '%s'", field);
  BF_CHECK(
      of->norm == BF_NORM_L2 || !m->problem->incompatible, BF_E_MODEL,
      "error.%s is not available with incompatible modes, which are a part of the gradient; use error.L2",
      bf_norm_name(of->norm));
  if (!of->group || strcmp(of->group, "all") == 0) return BF_OK;
  const bf_group *g = bf_model_find_group(m->mesh, of->group);
  BF_CHECK(g, BF_E_MODEL, "the mesh has no group '%s'", of->group);
  BF_CHECK(g->dim == m->sdim, BF_E_MODEL, "group '%s' is %d-D; error norms need a %d-D group", of->group,
           g->dim, m->sdim);
  return BF_OK;
}

bf_err bf_model_error_norm(const bf_model *m, const bf_view *view, const bf_field *field,
                           const bf_error_request *of, double *error, double *exact)
{
  bf_err          err  = BF_OK;
  uint8_t        *take = NULL;
  sums            all  = {.error = 0.0};
  const bf_group *g    = NULL;
  BF_CHECK(m && view && field && of && error && exact, BF_E_ARG, "null argument");
  BF_CHECK(strcmp(field->name, m->physics->words.field) == 0, BF_E_MODEL,
           "error norms are those of '%s', not of '%s'", m->physics->words.field, field->name);
  BF_TRY(bf_model_error_request(m, of));
  integrand I = {.m         = m,
                 .view      = view,
                 .of        = of,
                 .c0        = of->component < 0 ? 0 : of->component,
                 .n         = of->n,
                 .gradients = of->norm != BF_NORM_L2};
  BF_GO(prepare(&I, field));
  if (of->group && strcmp(of->group, "all") != 0) g = bf_model_find_group(m->mesh, of->group);
  if (g) BF_GO(BF_NEW_ARRAY(take, m->mesh->nelem));
  for (bf_int i = 0; g && i < g->nelem; i++) take[g->elem[i]] = 1;
  BF_GO(over_cells(&I, take, &all));
  *error = sqrt(m->thickness * all.error);
  *exact = sqrt(m->thickness * all.exact);
done:
  clear(&I);
  bf_host_free(take);
  return err;
}
