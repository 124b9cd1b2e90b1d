/* assembly/assemble/stiffness.c - element matrices and loads into the matrix and the right-hand side, then
 * the constraints
 *
 *     A += K + (convection),  b += f,   then   A_ff u_f = b_f - A_fc g,   A_cc u_c = A_cc g
 *     (A_cc: its diagonal)
 *
 * Chunk by chunk: element matrices, who owns which of them (incidence), and each row gathers its own.  Where
 * nodes are condensed (static_condensation.c), loads are summed over all of them first.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "assembly/assemble/static_condensation.h"
#include "assembly/gfem/gfem.h"
#include "assembly/physics/flow.h"
#include "base/memory.h"

typedef struct bf_scratch { /* backend memory of one batch */
  void        *Ke, *ptr, *item;
  bf_condenser condenser; /* where its elements are condensed */
  bf_int       chunk;
} bf_scratch;

static bf_err scratch_create(bf_backend *be, const bf_model_batch *B, bf_int nrows, bf_scratch *s)
{
  const bf_element_batch *E  = &B->E;
  const size_t            ke = bf_condense_bytes(B, 0);
  BF_TRY(bf_batch_chunk(be, E, bf_condense_bytes(B, B->ni > 0), &s->chunk));
  if (B->ni) BF_TRY(bf_condense_create(be, B, s->chunk, 1, &s->condenser));
  BF_TRY(be->ops.alloc(be, (size_t)s->chunk * ke, &s->Ke));
  BF_TRY(be->ops.alloc(be, ((size_t)nrows + 1) * sizeof(bf_int), &s->ptr));
  BF_TRY(be->ops.alloc(be, (size_t)s->chunk * (size_t)E->nen * sizeof(bf_int), &s->item));
  return BF_OK;
}

static void scratch_release(bf_backend *be, bf_scratch *s)
{
  be->ops.release(be, s->Ke);
  be->ops.release(be, s->ptr);
  be->ops.release(be, s->item);
  bf_condense_release(be, &s->condenser);
}

/* A += element matrices of one batch; condensed ones also add to b, f: loads of the nodes that go. */
static bf_err add_batch(bf_model *m, bf_matrix *A, bf_int nrows, const bf_model_batch *B, const double *f,
                        double *b, bf_phases *phases)
{
  bf_err                  err   = BF_OK;
  bf_backend             *be    = A->be;
  const bf_element_batch *E     = &B->E;
  bf_scratch              s     = {0};
  double                  since = bf_seconds();
  const double            nd    = (double)bf_element_order(E);
  const int               nen   = B->kept ? E->nen - 1 : E->nen;
  if (E->ne == 0) return BF_OK;
  BF_GO(scratch_create(be, B, nrows, &s));
  for (bf_int e0 = 0; e0 < E->ne; e0 += s.chunk) {
    const bf_int  e1   = E->ne - e0 < s.chunk ? E->ne : e0 + s.chunk;
    const bf_int *conn = (B->kept ? (const bf_int *)B->kept : E->conn) + (size_t)e0 * (size_t)nen;
    const double  ke   = (double)(e1 - e0) * nd * nd * 8.0;
    BF_GO(BF_OP(be, element.matrix, E, e0, e1, s.Ke));
    BF_GO(bf_phase_end(be, phases, "assembly: element matrices", &since, ke));
    if (B->ni) {
      BF_GO(bf_condense_chunk(m, be, B, e0, e1, nrows, s.Ke, f, &s.condenser));
      BF_GO(bf_phase_end(be, phases, "assembly: condensation", &since, 2.0 * ke));
    }
    BF_GO(BF_OP(be, element.incidence, e1 - e0, nen, conn, nrows, s.ptr, s.item));
    BF_GO(bf_matrix_scatter(A, s.ptr, s.item, nen, conn, B->ni ? s.condenser.S : s.Ke));
    if (B->kept) BF_GO(BF_OP(be, vector.scatter, nrows, E->ncomp, s.ptr, s.item, nen, s.condenser.g, b));
    BF_GO(bf_phase_end(be, phases, "assembly: scatter", &since, ke + 2.0 * (double)bf_matrix_bytes(A)));
    if (e1 == E->ne) break;
  }
done:
  scratch_release(be, &s);
  return err;
}

bf_err bf_model_add_batch(bf_matrix *A, bf_int nrows, const bf_model_batch *B, bf_phases *phases)
{
  return add_batch(NULL, A, nrows, B, NULL, NULL, phases);
}

/* Rows that no node has get the diagonal 1. */
static bf_err add_phantoms(const bf_model *m, const bf_numbering *num, bf_matrix *A)
{
  bf_err       err = BF_OK;
  bf_int      *row = NULL, n = 0;
  double      *one = NULL;
  const size_t nc  = (size_t)m->ncomp;
  for (bf_int r = 0; r < num->nrows; r++) n += num->node[r] < 0;
  if (n == 0) return BF_OK;
  BF_GO(BF_NEW_ARRAY(row, n));
  BF_GO(BF_NEW_ARRAY(one, (size_t)n * nc));
  for (size_t i = 0; i < (size_t)n * nc; i++) one[i] = 1.0;
  n = 0;
  for (bf_int r = 0; r < num->nrows; r++)
    if (num->node[r] < 0) row[n++] = r;
  BF_GO(bf_model_add_diagonal(A, n, row, one));
done:
  bf_host_free(row);
  bf_host_free(one);
  return err;
}

/* Keeps the loads by node for the reactions. */
static bf_err keep_loads(bf_model *m, const bf_numbering *num, bf_backend *be, const double *b,
                         bf_phases *phases)
{
  bf_err       err = BF_OK;
  double      *h = NULL, since = bf_seconds();
  const size_t nc = (size_t)m->ncomp, n = (size_t)num->nrows * nc;
  if (!m->f_ext) BF_GO(BF_NEW_ARRAY(m->f_ext, (size_t)m->mesh->nnodes * nc));
  BF_GO(BF_NEW_ARRAY(h, n));
  BF_GO(be->ops.copy(be, h, b, n * sizeof *h, BF_TO_HOST));
  BF_GO(be->ops.sync(be));
#pragma omp parallel for schedule(static) if (m->mesh->nnodes > 8192)
  for (bf_int v = 0; v < m->mesh->nnodes; v++) {
    const bf_int r = num->row[v];
    for (size_t c = 0; c < nc; c++) m->f_ext[(size_t)v * nc + c] = r < 0 ? 0.0 : h[(size_t)r * nc + c];
  }
  BF_GO(bf_phase_end(be, phases, "assembly: loads kept", &since, (double)n * 8.0));
done:
  bf_host_free(h);
  return err;
}

int bf_model_rows_prescribed(const bf_model *m, const bf_numbering *num, uint8_t *fixed)
{
  const size_t nc    = (size_t)m->ncomp;
  int          found = 0;
#pragma omp parallel for schedule(static) reduction(| : found) if (num->nrows > 8192)
  for (bf_int r = 0; r < num->nrows; r++) {
    const bf_int v = num->node[r];
    for (size_t c = 0; c < nc; c++) {
      const size_t i = (size_t)r * nc + c, k = (size_t)v * nc + c;
      fixed[i] = v < 0 ? 1 : m->fixed[k];
      if (v >= 0 && m->fixed[k]) found |= m->value[k] != 0.0;
    }
  }
  return found;
}

/* x0 = prescribed values on the fixed rows, 0 elsewhere: sent only where one of them is not 0. */
static bf_err start_vector(const bf_model *m, const bf_numbering *num, bf_backend *be, int any, double *x0)
{
  bf_err       err = BF_OK;
  double      *g   = NULL;
  const size_t nc = (size_t)m->ncomp, n = (size_t)num->nrows * nc;
  if (!any) return be->ops.zero(be, x0, n * sizeof *x0);
  BF_GO(BF_NEW_ARRAY(g, n));
#pragma omp parallel for schedule(static) if (num->nrows > 8192)
  for (bf_int r = 0; r < num->nrows; r++)
    for (size_t c = 0; c < nc; c++) {
      const size_t k        = (size_t)(num->node[r] < 0 ? 0 : num->node[r]) * nc + c;
      g[(size_t)r * nc + c] = num->node[r] >= 0 && m->fixed[k] ? m->value[k] : 0.0;
    }
  BF_GO(be->ops.copy(be, x0, g, n * sizeof *g, BF_TO_DEVICE));
  BF_GO(be->ops.sync(be));
done:
  bf_host_free(g);
  return err;
}

static bf_err constrain(const bf_model *m, const bf_numbering *num, bf_matrix *A, double *b, double *x0,
                        bf_phases *phases)
{
  bf_err       err   = BF_OK;
  bf_backend  *be    = A->be;
  const size_t n     = (size_t)A->nrows;
  double       since = bf_seconds(), *Ag = NULL, *diag = NULL;
  uint8_t     *fixed = NULL;
  void        *mask  = NULL;
  BF_GO(BF_NEW_ARRAY(fixed, n));
  const int any = bf_model_rows_prescribed(m, num, fixed);
  BF_GO(bf_upload(be, fixed, n, &mask, NULL));
  BF_GO(start_vector(m, num, be, any, x0));
  BF_GO(bf_vector_create(be, A->nrows, A->guard, &Ag));
  BF_GO(bf_vector_create(be, A->nrows, A->guard, &diag));
  if (any) BF_GO(bf_matrix_spmv(A, x0, Ag, NULL, NULL));
  BF_GO(bf_matrix_diagonal(A, diag));
  BF_GO(BF_OP(be, vector.constrain_rhs, A->nrows, mask, diag, x0, Ag, b));
  BF_GO(bf_matrix_constrain(A, mask));
  if (!bf_model_symmetric(m)) BF_GO(bf_flow_start(m, num, be, x0));
  BF_GO(bf_phase_end(be, phases, "assembly: constraints", &since,
                     2.0 * (double)bf_matrix_bytes(A) + (any ? (double)bf_matrix_product_bytes(A) : 0.0) +
                         9.0 * (double)n));
done:
  bf_host_free(fixed);
  be->ops.release(be, mask);
  bf_vector_destroy(be, A->guard, &Ag);
  bf_vector_destroy(be, A->guard, &diag);
  return err;
}

/* K and loads, kept by node for the reactions; with condensed nodes by way of the numbering that has them. */
static bf_err stiffness_and_loads(bf_model *m, const bf_numbering *num, bf_matrix *A, double *b,
                                  bf_phases *phases)
{
  bf_err        err    = BF_OK;
  bf_backend   *be     = A->be;
  bf_batches   *bs     = NULL;
  bf_numbering *whole  = NULL;
  void         *all    = NULL; /* loads of every node */
  const char   *tables = be->ops.on_device ? "assembly: tables to the device" : "assembly: tables";
  const size_t  nc = (size_t)m->ncomp, n = (size_t)num->nrows * nc;
  double       *f = b;
  if (m->ninner) {
    BF_GO(bf_numbering_whole(m->mesh, num, &whole));
    BF_NEED(whole->nrows - num->nrows == m->ninner, BF_E_ARG, "a numbering that is not condensed");
    const size_t bytes = (size_t)whole->nrows * nc * sizeof(double);
    BF_GO(be->ops.alloc(be, bytes, &all));
    BF_GO(be->ops.zero(be, all, bytes));
    if (!m->inverse) BF_GO(BF_NEW_ARRAY(m->inverse, (size_t)m->ninner * nc * nc));
    f = all;
  }
  const bf_numbering *rows = whole ? whole : num;
  BF_GO(bf_batches_create(m, rows, be, tables, phases, &bs));
  BF_GO(bf_model_add_loads(m, rows, bs, f, phases));
  BF_GO(keep_loads(m, rows, be, f, phases));
  if (all) BF_GO(BF_OP(be, vector.axpby, (bf_int)n, 1.0, all, 1.0, b));
  for (int i = 0; i < bs->n; i++) BF_GO(add_batch(m, A, num->nrows, &bs->batch[i], f + n, b, phases));
done:
  be->ops.release(be, all);
  bf_batches_destroy(&bs);
  bf_numbering_destroy(&whole);
  return err;
}

bf_err bf_model_assemble(bf_model *m, const bf_numbering *num, bf_matrix *A, double *b, double *x0,
                         bf_phases *phases)
{
  bf_err err = BF_OK;
  BF_CHECK(m && num && A && b && x0, BF_E_ARG, "null argument");
  BF_CHECK(num->nnodes == m->mesh->nnodes, BF_E_ARG, "numbering of %d nodes for a mesh of %d", num->nnodes,
           m->mesh->nnodes);
  BF_CHECK(A->ncomp == m->ncomp && A->nrows == num->nrows * m->ncomp, BF_E_ARG,
           "matrix of %d rows with %d components for %d rows with %d", A->nrows, A->ncomp, num->nrows,
           m->ncomp);
  BF_CHECK(!(A->bdia && A->bdia->half) || bf_model_symmetric(m), BF_E_ARG,
           "half of a matrix that is not symmetric");
  if (m->gfem) {
    BF_GO(bf_gfem_assemble(m, num, A, b, phases));
    BF_GO(keep_loads(m, num, A->be, b, phases));
    BF_GO(bf_gfem_weak_values(m, num, A->be, b));
  } else {
    BF_GO(stiffness_and_loads(m, num, A, b, phases));
  }
  BF_GO(add_phantoms(m, num, A));
  BF_GO(constrain(m, num, A, b, x0, phases));
done:
  return err;
}
