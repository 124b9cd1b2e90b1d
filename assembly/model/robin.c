/* assembly/model/robin.c - see robin.h; both are mass matrices of faces:
 *
 *     K[a,c][b,c] += thickness * integral of  k_c N_a N_b      k = h of convection, N/m3 of springs
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "assembly/model/robin.h"
#include "assembly/basis/shape.h"
#include "base/memory.h"

int bf_robin_is_uniform(const bf_boundary *bc)
{
  return bc->type == BF_BC_CONVECTION || !(bc->given[0] || bc->given[1] || bc->given[2]);
}

const bf_quantity *bf_robin_value(const bf_boundary *bc, int c)
{
  if (bc->type == BF_BC_CONVECTION) return &bc->h;
  if (bc->type != BF_BC_SPRING) return NULL;
  return &bc->value[bf_robin_is_uniform(bc) ? 0 : c];
}

bf_err bf_robin_points(const bf_model *m, const bf_face_set *set, const bf_quantity *k, double **x,
                       double **f)
{
  const size_t np = (size_t)set->n * (size_t)set->rule.n;
  BF_TRY(BF_NEW_ARRAY(*x, 3 * np));
  BF_TRY(BF_NEW_ARRAY(*f, np));
  bf_model_points(m->mesh, set->type, set->node, 0, set->n, &set->rule, *x);
  return bf_quantity_need(m, k, (int64_t)np, *x, NULL, 1, *f);
}

/* One value of a condition on one of its sets. */
static bf_err check_value(const bf_model *m, const bf_face_set *set, const bf_quantity *k, bf_diags *diags)
{
  bf_err             err  = BF_OK;
  const bf_boundary *bc   = &m->problem->boundary[set->boundary];
  const char        *name = bc->type == BF_BC_SPRING ? "value" : "h";
  double            *x = NULL, *f = NULL;
  const bf_err       bad = bf_robin_points(m, set, k, &x, &f);
  if (bad == BF_E_MODEL) goto done; /* E319 */
  BF_GO(bad);
  for (size_t i = 0; i < (size_t)set->n * (size_t)set->rule.n; i++) {
    if (f[i] >= 0.0) continue;
    if (k->formula)
      bf_diag_add(diags, BF_ERROR, 303, k->where,
                  "%s = '%s' of %s is %g at (%g, %g, %g); it must not be negative", name, k->formula,
                  bf_bc_name(bc->type), f[i], x[3 * i], x[3 * i + 1], x[3 * i + 2]);
    else
      bf_diag_add(diags, BF_ERROR, 303, k->where, "%s = %g of %s must not be negative", name, f[i],
                  bf_bc_name(bc->type));
    break;
  }
done:
  bf_host_free(x);
  bf_host_free(f);
  return err;
}

bf_err bf_robin_check(const bf_model *m, bf_diags *diags)
{
  for (int s = 0; s < m->nsets; s++) {
    const bf_boundary *bc   = &m->problem->boundary[m->set[s].boundary];
    const int          axes = bf_robin_is_uniform(bc) ? 1 : m->ncomp;
    for (int c = 0; bf_robin_value(bc, 0) && c < axes; c++)
      BF_TRY(check_value(m, &m->set[s], bf_robin_value(bc, c), diags));
  }
  return BF_OK;
}

/* The value at the integration points, if it is a formula. */
static bf_err upload_factor(const bf_model *m, bf_backend *be, const bf_face_set *set, const bf_quantity *k,
                            bf_model_batch *b, double *bytes)
{
  bf_err  err = BF_OK;
  double *x = NULL, *f = NULL;
  BF_GO(bf_robin_points(m, set, k, &x, &f));
  BF_GO(bf_upload(be, f, (size_t)set->n * (size_t)set->rule.n * sizeof *f, &b->factor, bytes));
  BF_GO(be->ops.sync(be)); /* f is freed */
  b->E.factor = b->factor;
done:
  bf_host_free(x);
  bf_host_free(f);
  return err;
}

/* Directions in the matrix `one` of the batches: 0 = all of them, 1 + c = direction c alone. */
static bf_err one_batch(const bf_model *m, const bf_numbering *num, bf_batches *bs, const bf_face_set *set,
                        int one, const bf_quantity *k, double *formula_bytes)
{
  bf_model_batch *b = &bs->batch[bs->n++];
  BF_TRY(bf_model_batch_tables(b, bs->be, set->type, &set->rule, &bs->bytes));
  b->set        = set;
  b->node       = set->node;
  b->E.form     = BF_FORM_MASS;
  b->E.ncomp    = m->ncomp;
  b->E.sdim     = m->sdim;
  b->E.revolved = bf_model_revolved(m);
  b->E.nv       = m->ncomp;
  b->E.ne       = set->n;
  b->E.x        = bs->x;
  b->E.C        = (const double *)bs->one + one * m->ncomp * m->ncomp;
  b->E.scale    = m->thickness * (k->formula ? 1.0 : k->value);
  BF_TRY(bf_upload_rows(bs->be, num, set->node, set->n, b->E.nen, b->E.nen, &b->conn, &bs->bytes));
  b->E.conn = b->conn;
  if (k->formula) BF_TRY(upload_factor(m, bs->be, set, k, b, formula_bytes));
  return BF_OK;
}

bf_err bf_robin_batches(const bf_model *m, const bf_numbering *num, bf_batches *bs, const bf_face_set *set,
                        double *formula_bytes)
{
  const bf_boundary *bc = &m->problem->boundary[set->boundary];
  if (!bf_robin_value(bc, 0)) return BF_OK;
  if (bf_robin_is_uniform(bc)) return one_batch(m, num, bs, set, 0, bf_robin_value(bc, 0), formula_bytes);
  for (int c = 0; c < m->ncomp; c++)
    if (!bf_quantity_is_zero(bf_robin_value(bc, c)))
      BF_TRY(one_batch(m, num, bs, set, 1 + c, bf_robin_value(bc, c), formula_bytes));
  return BF_OK;
}

void bf_robin_weights(const bf_model *m, const bf_face_set *set, double *w)
{
  const int nen = bf_elem(set->type)->nnodes, nq = set->rule.n;
  double    N[BF_QUADRATURE_MAX][BF_NEN_MAX], dN[BF_QUADRATURE_MAX][BF_NEN_MAX][3];
  for (int q = 0; q < nq; q++) bf_shape(set->type, set->rule.xi[q], N[q], dN[q]);
  for (bf_int e = 0; e < set->n; e++) {
    const bf_int *node = set->node + (size_t)e * (size_t)nen;
    double        x[BF_NEN_MAX][3], J[3][3];
    for (int a = 0; a < nen; a++)
      for (int d = 0; d < 3; d++) x[a][d] = m->mesh->x[3 * (size_t)node[a] + (size_t)d];
    for (int q = 0; q < nq; q++)
      *w++ = m->thickness * bf_model_turn(m, nen, N[q], (const double(*)[3])x) * set->rule.w[q] *
             bf_shape_jacobian(set->type, m->sdim, (const double(*)[3])x, (const double(*)[3])dN[q], J);
  }
}

/* Adds the forces in direction c, with the stiffness f at the points and their weights w. */
static void add_forces(const bf_model *m, const bf_numbering *num, const bf_face_set *set, int c,
                       const double *f, const double *w, const double *u, double *force)
{
  const int nen = bf_elem(set->type)->nnodes, nq = set->rule.n;
  double    N[BF_QUADRATURE_MAX][BF_NEN_MAX];
  for (int q = 0; q < nq; q++) bf_shape(set->type, set->rule.xi[q], N[q], NULL);
  for (bf_int e = 0; e < set->n; e++) {
    const bf_int *node = set->node + (size_t)e * (size_t)nen;
    for (int q = 0; q < nq; q++) {
      const size_t p    = (size_t)e * (size_t)nq + (size_t)q;
      double       move = 0.0;
      for (int a = 0; a < nen; a++)
        move += N[q][a] * u[(size_t)num->row[node[a]] * (size_t)m->ncomp + (size_t)c];
      force[3 * (size_t)e + (size_t)c] -= w[p] * f[p] * move;
    }
  }
}

/* Reference coordinates in its parent of the point of a face with shape functions N. */
static void in_parent(const bf_model *m, bf_int parent, int nen, const bf_int *node, const double *N,
                      double xi[3])
{
  const bf_elem_info *el = bf_elem(bf_mesh_block_of(m->mesh, parent)->type);
  int                 n;
  const bf_int       *own = bf_mesh_elem_nodes(m->mesh, parent, &n);
  for (int i = 0; i < 3; i++) xi[i] = 0.0;
  for (int b = 0; b < nen; b++)
    for (int a = 0; a < n; a++)
      for (int i = 0; i < 3 && own[a] == node[b]; i++) xi[i] += N[b] * el->corner[a][i];
}

/* The same where basis functions reach beyond the face: those of the parent, of linear elements. */
static bf_err add_wide_forces(const bf_model *m, const bf_numbering *num, const bf_face_set *set, int c,
                              const double *f, const double *w, const double *u, double *force)
{
  bf_err       err = BF_OK;
  const int    nen = bf_elem(set->type)->nnodes, nq = set->rule.n;
  const size_t most = (size_t)m->basis->support_max(m);
  double      *psi = NULL, *d = NULL, N[BF_NEN_MAX], xi[3], x[3];
  BF_GO(BF_NEW_ARRAY(psi, most));
  BF_GO(BF_NEW_ARRAY(d, (size_t)m->sdim * most));
  for (bf_int e = 0; e < set->n; e++)
    for (int q = 0; q < nq; q++) {
      const bf_int *node;
      const size_t  p    = (size_t)e * (size_t)nq + (size_t)q;
      const int     n    = m->basis->support(m, set->parent[e], &node);
      double        move = 0.0;
      bf_shape(set->type, set->rule.xi[q], N, NULL);
      in_parent(m, set->parent[e], nen, set->node + (size_t)e * (size_t)nen, N, xi);
      m->basis->shape(m, set->parent[e], xi, psi, d, x);
      for (int a = 0; a < n; a++)
        move += psi[a] * u[(size_t)num->row[node[a]] * (size_t)m->ncomp + (size_t)c];
      force[3 * (size_t)e + (size_t)c] -= w[p] * f[p] * move;
    }
done:
  bf_host_free(psi);
  bf_host_free(d);
  return err;
}

bf_err bf_spring_forces(const bf_model *m, const bf_numbering *num, const bf_face_set *set, const double *u,
                        double *force)
{
  bf_err             err = BF_OK;
  const bf_boundary *bc  = &m->problem->boundary[set->boundary];
  double            *x = NULL, *f = NULL, *w = NULL;
  for (size_t i = 0; i < 3 * (size_t)set->n; i++) force[i] = 0.0;
  BF_GO(BF_NEW_ARRAY(w, (size_t)set->n * (size_t)set->rule.n));
  bf_robin_weights(m, set, w);
  for (int c = 0; c < m->ncomp; c++) {
    BF_GO(bf_robin_points(m, set, bf_robin_value(bc, c), &x, &f));
    if (m->basis->local)
      add_forces(m, num, set, c, f, w, u, force);
    else
      BF_GO(add_wide_forces(m, num, set, c, f, w, u, force));
    bf_host_free(x);
    bf_host_free(f);
    x = f = NULL;
  }
done:
  bf_host_free(x);
  bf_host_free(f);
  bf_host_free(w);
  return err;
}
