/* assembly/assemble/mass.c - see mass.h: batches of MASS elements, added like those of K; then rows and
 * columns of prescribed unknowns become zero */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "assembly/assemble/mass.h"
#include "assembly/assemble/mass_batches.h"
#include "assembly/model/frames.h"
#include "base/memory.h"

/* C of every material: rho times the identity; 0 for an unused material without rho. */
static bf_err upload_densities(const bf_model *m, int ncomp, bf_batches *bs)
{
  bf_err       err = BF_OK;
  double      *C   = NULL;
  const size_t nc = (size_t)ncomp, n = (size_t)m->problem->nmaterials;
  BF_GO(BF_NEW_ARRAY(C, n * nc * nc));
  for (size_t k = 0; k < n; k++)
    for (size_t c = 0; c < nc; c++) C[k * nc * nc + c * (nc + 1)] = m->problem->material[k].rho;
  BF_GO(bf_upload(bs->be, C, n * nc * nc * sizeof *C, &bs->C, &bs->bytes));
  BF_GO(bs->be->ops.sync(bs->be));
done:
  bf_host_free(C);
  return err;
}

static bf_err mass_batch(const bf_model *m, const bf_numbering *num, int ncomp, bf_batches *bs,
                         const bf_model_block *block, bf_model_batch *b)
{
  const bf_block *mb = block->block;
  BF_TRY(bf_model_batch_tables(b, bs->be, mb->type, &block->mass, &bs->bytes));
  b->block      = block;
  b->node       = mb->node;
  b->inner      = -1;
  b->E.form     = BF_FORM_MASS;
  b->E.ncomp    = ncomp;
  b->E.nv       = ncomp;
  b->E.sdim     = m->sdim;
  b->E.revolved = bf_model_revolved(m);
  b->E.ne       = mb->n;
  b->E.x        = bs->x;
  b->E.scale    = m->thickness;
  BF_TRY(bf_upload_rows(bs->be, num, mb->node, mb->n, b->E.nen, b->E.nen, &b->conn, &bs->bytes));
  b->E.conn = b->conn;
  return bf_model_batch_materials(m, b, bs, ncomp * ncomp);
}

bf_err bf_mass_batches_create(const bf_model *m, const bf_numbering *num, bf_backend *be, int ncomp,
                              bf_phases *phases, bf_batches **out)
{
  bf_err      err   = BF_OK;
  bf_batches *bs    = NULL;
  double      since = bf_seconds();
  BF_CHECK(m && num && be && out, BF_E_ARG, "null argument");
  *out = NULL;
  BF_GO(BF_NEW(bs));
  bs->be = be;
  BF_GO(BF_NEW_ARRAY(bs->batch, m->nblocks));
  BF_GO(upload_densities(m, ncomp, bs));
  BF_GO(bf_upload_coordinates(bs, m->mesh, num));
  BF_GO(bf_frames_upload(m, num, bs));
  for (int i = 0; i < m->nblocks; i++)
    BF_GO(mass_batch(m, num, ncomp, bs, &m->block[i], &bs->batch[bs->n++]));
  BF_GO(bf_phase_end(be, phases, "assembly: mass", &since, bs->bytes));
  *out = bs;
  bs   = NULL;
done:
  bf_batches_destroy(&bs);
  return err;
}

static bf_err consistent(const bf_model *m, const bf_numbering *num, bf_matrix *M, bf_phases *phases)
{
  bf_err      err = BF_OK;
  bf_batches *bs  = NULL;
  BF_GO(bf_mass_batches_create(m, num, M->be, m->ncomp, phases, &bs));
  for (int i = 0; i < bs->n; i++)
    BF_GO(bf_model_add_batch(M, num->nrows, &bs->batch[i], &bs->frames, phases));
done:
  bf_batches_destroy(&bs);
  return err;
}

/* Adds times * d[nrows*ncomp] at the unknowns of the mask (NULL: all). */
static bf_err add_at(const bf_numbering *num, const uint8_t *mask, double times, double *d, bf_matrix *M)
{
  bf_err       err = BF_OK;
  bf_int      *row = NULL;
  const size_t nc  = (size_t)M->ncomp;
  BF_GO(BF_NEW_ARRAY(row, num->nrows));
  for (bf_int r = 0; r < num->nrows; r++) row[r] = r;
  for (size_t i = 0; i < (size_t)num->nrows * nc; i++) d[i] = mask && !mask[i] ? 0.0 : times * d[i];
  BF_GO(bf_model_add_diagonal(M, num->nrows, row, d));
done:
  bf_host_free(row);
  return err;
}

/* Sets rows and columns to zero, then their diagonal by adding its negative. */
static bf_err clear_constrained(const bf_numbering *num, const uint8_t *constrained, bf_matrix *M)
{
  bf_err       err  = BF_OK;
  bf_backend  *be   = M->be;
  const size_t n    = (size_t)M->nrows;
  void        *mask = NULL, *diag = NULL;
  double      *d = NULL;
  BF_GO(BF_NEW_ARRAY(d, n));
  BF_GO(bf_upload(be, constrained, n, &mask, NULL));
  BF_GO(bf_matrix_constrain(M, mask));
  BF_GO(be->ops.alloc(be, n * sizeof *d, &diag));
  BF_GO(bf_matrix_diagonal(M, diag));
  BF_GO(be->ops.copy(be, d, diag, n * sizeof *d, BF_TO_HOST));
  BF_GO(be->ops.sync(be));
  BF_GO(add_at(num, constrained, -1.0, d, M));
done:
  bf_host_free(d);
  be->ops.release(be, mask);
  be->ops.release(be, diag);
  return err;
}

static bf_err lumped(const bf_model *m, const bf_numbering *num, const uint8_t *constrained, bf_matrix *M,
                     bf_phases *phases)
{
  bf_err       err = BF_OK;
  double      *one = NULL, *d = NULL;
  const size_t nc = (size_t)m->ncomp;
  BF_GO(BF_NEW_ARRAY(one, num->nrows));
  BF_GO(BF_NEW_ARRAY(d, (size_t)num->nrows * nc));
  BF_GO(bf_mass_lump(m, num, M->be, one, phases));
  for (size_t i = 0; i < (size_t)num->nrows * nc; i++)
    d[i] = constrained && constrained[i] ? 0.0 : one[i / nc];
  BF_GO(add_at(num, NULL, 1.0, d, M));
done:
  bf_host_free(one);
  bf_host_free(d);
  return err;
}

static bf_err check(const bf_model *m, const bf_numbering *num, const bf_matrix *M)
{
  BF_CHECK(num->nnodes == m->mesh->nnodes, BF_E_ARG, "numbering of %d nodes for a mesh of %d",
           (int)num->nnodes, (int)m->mesh->nnodes);
  BF_CHECK(M->ncomp == m->ncomp && M->nrows == num->nrows * m->ncomp, BF_E_ARG,
           "matrix of %d rows with %d components for %d rows with %d", (int)M->nrows, M->ncomp,
           (int)num->nrows, m->ncomp);
  BF_CHECK(m->ninner == 0, BF_E_ARG, "the mass matrix is not available with condensed nodes");
  BF_CHECK(!m->basis->no_mass, BF_E_ARG, "%s", m->basis->no_mass);
  BF_CHECK(m->physics->form != BF_FORM_TRANSPORT, BF_E_ARG, "the mass matrix is not available for advection");
  for (bf_int e = 0; e < m->mesh->nelem; e++)
    BF_CHECK(m->region[e] < 0 || m->problem->material[m->region[e]].has_rho, BF_E_ARG,
             "material '%s' has no rho", m->problem->material[m->region[e]].name);
  return BF_OK;
}

bf_err bf_model_mass(const bf_model *m, const bf_numbering *num, bf_mass kind, int constrained, bf_matrix *M,
                     bf_phases *phases)
{
  bf_err   err   = BF_OK;
  uint8_t *fixed = NULL;
  BF_CHECK(m && num && M, BF_E_ARG, "null argument");
  BF_TRY(check(m, num, M));
  double since = bf_seconds();
  if (constrained) {
    BF_GO(BF_NEW_ARRAY(fixed, M->nrows));
    (void)bf_model_rows_prescribed(m, num, fixed);
  }
  if (kind == BF_MASS_LUMPED)
    BF_GO(lumped(m, num, fixed, M, phases));
  else {
    BF_GO(consistent(m, num, M, phases));
    since = bf_seconds();
    if (constrained) BF_GO(clear_constrained(num, fixed, M));
  }
  BF_GO(bf_phase_end(M->be, phases, "assembly: mass", &since, (double)bf_matrix_bytes(M)));
done:
  bf_host_free(fixed);
  return err;
}

bf_err bf_mass_diagonal_create(bf_backend *be, const bf_numbering *num, int ncomp, bf_matrix **out)
{
  bf_err    err = BF_OK;
  bf_bands *b   = NULL;
  BF_CHECK(be && num && out, BF_E_ARG, "null argument");
  BF_GO(bf_bands_create(num->nrows, 1, 1, &b)); /* the offset is 0 */
  b->row[1] = num->nrows;
  b->ptr[1] = 1;
  BF_GO(bf_matrix_create_bdia(be, b, ncomp, 0, BF_FP64, (int64_t)num->nrows * ncomp, out));
done:
  bf_bands_destroy(&b);
  return err;
}
