/* assembly/assemble/system.c - the linear system of a model: matrix and right-hand side of its basis, then
 * the constraints
 *
 *     A = K + (convection, springs),  b = f,   then   A_ff u_f = b_f - A_fc g,   A_cc u_c = A_cc g
 *     (f: free, c: prescribed unknowns with the values g; A_cc: its diagonal)
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "assembly/model/frames.h"
#include "assembly/model/internal.h"
#include "assembly/physics/flow.h"
#include "base/memory.h"

bf_err bf_model_add_phantoms(const bf_model *m, const bf_numbering *num, bf_matrix *A)
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

/* x0 = prescribed values on the fixed rows, 0 elsewhere: copied only if one of them is not 0. */
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

/* b -= A g and the rows of prescribed unknowns, for one right-hand side; A before its constraints. */
static bf_err constrain_rhs(const bf_model *m, const bf_numbering *num, const bf_matrix *A, const void *mask,
                            int any, const double *diag, double *Ag, double *b, double *x0)
{
  bf_backend *be = A->be;
  BF_TRY(start_vector(m, num, be, any, x0));
  if (any)
    BF_TRY(bf_matrix_spmv(A, x0, Ag, NULL, NULL));
  else
    BF_TRY(be->ops.zero(be, Ag, (size_t)A->nrows * sizeof *Ag));
  BF_TRY(BF_OP(be, vector.constrain_rhs, A->nrows, mask, diag, x0, Ag, b));
  return bf_model_symmetric(m) ? BF_OK : bf_flow_start(m, num, be, x0);
}

bf_err bf_model_constrain(int ncases, bf_model *const *m, const bf_numbering *num, bf_matrix *A,
                          double *const *b, double *const *x0, bf_phases *phases)
{
  bf_err       err   = BF_OK;
  bf_backend  *be    = A->be;
  const size_t n     = (size_t)A->nrows;
  double       since = bf_seconds(), *Ag = NULL, *diag = NULL, products = 0.0;
  uint8_t     *fixed = NULL;
  void        *mask  = NULL;
  BF_GO(BF_NEW_ARRAY(fixed, n));
  BF_GO(bf_vector_create(be, A->nrows, A->guard, &Ag));
  BF_GO(bf_vector_create(be, A->nrows, A->guard, &diag));
  BF_GO(bf_matrix_diagonal(A, diag));
  for (int i = 0; i < ncases; i++) {
    const int any = bf_model_rows_prescribed(m[i], num, fixed);
    products += any ? (double)bf_matrix_product_bytes(A) : 0.0;
    if (!mask) BF_GO(bf_upload(be, fixed, n, &mask, NULL));
    BF_GO(constrain_rhs(m[i], num, A, mask, any, diag, Ag, b[i], x0[i]));
  }
  BF_GO(bf_matrix_constrain(A, mask));
  BF_GO(bf_phase_end(be, phases, "assembly: constraints", &since,
                     2.0 * (double)bf_matrix_bytes(A) + products + 9.0 * (double)n));
done:
  bf_host_free(fixed);
  be->ops.release(be, mask);
  bf_vector_destroy(be, A->guard, &Ag);
  bf_vector_destroy(be, A->guard, &diag);
  return err;
}

bf_err bf_model_assemble_free(bf_model *m, const bf_numbering *num, bf_matrix *A, double *b,
                              bf_phases *phases)
{
  BF_CHECK(m && num && A && b, BF_E_ARG, "null argument");
  BF_TRY(m->basis->assemble(m, num, A, b, phases));
  BF_TRY(bf_frames_turn_loads(m, num, A->be, b));
  return bf_model_add_phantoms(m, num, A);
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
  BF_CHECK(!bf_matrix_half(A) || bf_model_symmetric(m), BF_E_ARG,
           "half storage of a matrix that is not symmetric");
  BF_GO(bf_model_assemble_free(m, num, A, b, phases));
  BF_GO(bf_model_constrain(1, &m, num, A, &b, &x0, phases));
done:
  return err;
}
