/* assembly/assemble/element_batches.c - the element batches of K with their tables in backend memory, for
 * assembly and recovery
 *
 * Connectivity (matrix rows) and coordinates (by matrix row) are copied in slabs, so that the host has no
 * second copy of a large mesh.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "assembly/basis/shape.h"
#include "assembly/model/frames.h"
#include "assembly/model/robin.h"
#include "base/memory.h"
#include <limits.h>
#include <math.h>

enum { SLAB = 1 << 20 }; /* entries staged at a time */

bf_err bf_upload(bf_backend *be, const void *src, size_t bytes, void **dst, double *sum)
{
  *dst = NULL;
  if (bytes == 0) return BF_OK;
  BF_TRY(be->ops.alloc(be, bytes, dst));
  BF_TRY(be->ops.copy(be, *dst, src, bytes, BF_TO_DEVICE)); /* the caller releases *dst on failure too */
  if (sum) *sum += (double)bytes;
  return BF_OK;
}

bf_err bf_phase_end(bf_backend *be, bf_phases *phases, const char *name, double *since, double bytes)
{
  BF_TRY(be->ops.sync(be));
  const double now = bf_seconds();
  if (phases && name) bf_phase_add(phases, name, now - *since, bytes, 0.0);
  *since = now;
  return BF_OK;
}

bf_err bf_upload_rows(bf_backend *be, const bf_numbering *num, const bf_int *node, bf_int ne, int nen,
                      int kept, void **dst, double *sum)
{
  bf_err        err = BF_OK;
  bf_int       *row = NULL;
  const int64_t n   = (int64_t)ne * kept;
  BF_GO(be->ops.alloc(be, (size_t)n * sizeof *row, dst));
  BF_GO(BF_NEW_ARRAY(row, n < SLAB ? n : SLAB));
  for (int64_t i0 = 0; i0 < n; i0 += SLAB) {
    const int64_t k    = n - i0 < SLAB ? n - i0 : SLAB;
    int           lost = 0;
#pragma omp parallel for schedule(static) reduction(| : lost) if (k > 8192)
    for (int64_t i = 0; i < k; i++) {
      row[i] = num->row[node[(i0 + i) / kept * nen + (i0 + i) % kept]];
      lost |= row[i] < 0;
    }
    BF_NEED(!lost, BF_E_ARG, "the numbering has no row for a node of an element");
    BF_GO(be->ops.copy(be, (bf_int *)*dst + i0, row, (size_t)k * sizeof *row, BF_TO_DEVICE));
    BF_GO(be->ops.sync(be)); /* row is overwritten next */
  }
  if (sum) *sum += (double)n * sizeof *row;
done:
  bf_host_free(row);
  return err;
}

bf_err bf_upload_coordinates(bf_batches *bs, const bf_mesh *mesh, const bf_numbering *num)
{
  bf_err       err = BF_OK;
  bf_backend  *be  = bs->be;
  double      *x   = NULL;
  const bf_int n = num->nrows, slab = n < SLAB ? n : SLAB;
  BF_GO(be->ops.alloc(be, (size_t)n * 3 * sizeof *x, &bs->x));
  BF_GO(BF_NEW_ARRAY(x, (size_t)slab * 3));
  for (bf_int r0 = 0; r0 < n; r0 += slab) {
    const bf_int k = n - r0 < slab ? n - r0 : slab;
#pragma omp parallel for schedule(static) if (k > 8192)
    for (bf_int i = 0; i < k; i++) {
      const bf_int v = num->node[r0 + i];
      for (int d = 0; d < 3; d++)
        x[3 * (size_t)i + (size_t)d] = v < 0 ? 0.0 : mesh->x[3 * (size_t)v + (size_t)d];
    }
    BF_GO(be->ops.copy(be, (double *)bs->x + 3 * (size_t)r0, x, (size_t)k * 3 * sizeof *x, BF_TO_DEVICE));
    BF_GO(be->ops.sync(be));
  }
  bs->bytes += (double)n * 24.0;
done:
  bf_host_free(x);
  return err;
}

bf_err bf_model_batch_tables(bf_model_batch *b, bf_backend *be, bf_elem_type type, const bf_rule *rule,
                             double *bytes)
{
  const bf_elem_info *info = bf_elem(type);
  const int           nen = info->nnodes, dim = info->dim, nq = rule->n;
  double              N[BF_QUADRATURE_MAX * BF_NEN_MAX], dN[BF_QUADRATURE_MAX * BF_NEN_MAX * 3];
  for (int q = 0; q < nq; q++) {
    double d[BF_NEN_MAX][3];
    bf_shape(type, rule->xi[q], N + q * nen, d);
    for (int a = 0; a < nen; a++)
      for (int j = 0; j < dim; j++) dN[(q * nen + a) * dim + j] = d[a][j];
  }
  BF_TRY(bf_upload(be, rule->w, (size_t)nq * sizeof(double), &b->w, bytes));
  BF_TRY(bf_upload(be, N, (size_t)(nq * nen) * sizeof(double), &b->N, bytes));
  BF_TRY(bf_upload(be, dN, (size_t)(nq * nen * dim) * sizeof(double), &b->dN, bytes));
  b->E.nen  = nen;
  b->E.nq   = nq;
  b->E.rdim = dim;
  b->E.w    = b->w;
  b->E.N    = b->N;
  b->E.dN   = b->dN;
  return BF_OK;
}

void bf_model_batch_release(bf_model_batch *b, bf_backend *be)
{
  void *const owned[] = {b->w,   b->N,    b->dN,   b->dN0, b->dM,     b->dNv,
                         b->ddN, b->conn, b->kept, b->mat, b->factor, b->Cq};
  for (size_t i = 0; i < sizeof owned / sizeof *owned; i++) be->ops.release(be, owned[i]);
  *b = (bf_model_batch){0};
}

bf_err bf_batch_chunk(bf_backend *be, const bf_element_batch *E, size_t bytes, bf_int *chunk)
{
  size_t available = 0, total = 0;
  size_t limit = (size_t)(be->ops.on_device ? BF_CHUNK_MIB_DEVICE : BF_CHUNK_MIB_HOST) << 20;
  BF_TRY(be->ops.memory(be, &available, &total));
  if (available > 0 && available / 4 < limit) limit = available / 4;
  size_t n = bytes > 0 ? limit / bytes : (size_t)INT_MAX;
  if (n > (size_t)(INT_MAX / E->nen)) n = (size_t)(INT_MAX / E->nen);
  if (n > (size_t)E->ne) n = (size_t)E->ne;
  *chunk = n > 0 ? (bf_int)n : 1;
  return BF_OK;
}

bf_err bf_model_batch_materials(const bf_model *m, bf_model_batch *b, bf_batches *bs, int nC)
{
  const bf_int *region = m->region + b->block->block->first;
  const bf_int  n      = b->E.ne;
  int           mixed  = 0;
#pragma omp parallel for schedule(static) reduction(| : mixed) if (n > 8192)
  for (bf_int e = 1; e < n; e++) mixed |= region[e] != region[0];
  b->E.C = (const double *)bs->C + (mixed ? 0 : (size_t)region[0] * (size_t)nC);
  if (mixed) BF_TRY(bf_upload(bs->be, region, (size_t)n * sizeof *region, &b->mat, &bs->bytes));
  b->E.mat = b->mat;
  return BF_OK;
}

static bf_err mode_tables(bf_model_batch *b, bf_backend *be, bf_elem_type type, const bf_rule *rule,
                          double *bytes)
{
  const size_t dim = (size_t)bf_elem(type)->dim;
  double       dN0[BF_NEN_MAX * 3], dM[BF_QUADRATURE_MAX * 3];
  bf_model_mode_tables(type, rule, dN0, dM);
  BF_TRY(bf_upload(be, dN0, (size_t)b->E.nen * dim * sizeof(double), &b->dN0, bytes));
  BF_TRY(bf_upload(be, dM, (size_t)rule->n * dim * sizeof(double), &b->dM, bytes));
  b->E.dN0 = b->dN0;
  b->E.dM  = b->dM;
  return BF_OK;
}

/* Tables for SUPG: shape functions of the corners, and second derivatives unless they are 0. */
static bf_err stabilize(bf_model_batch *b, bf_backend *be, bf_elem_type type, const bf_rule *rule,
                        double *bytes)
{
  const bf_elem_info *info = bf_elem(type), *linear = bf_elem(bf_elem_of_order(type, 1));
  const int           dim = info->dim, nv = linear->nnodes, nh = BF_DDN(dim);
  double              dNv[BF_QUADRATURE_MAX * 8 * 3], ddN[BF_QUADRATURE_MAX * BF_NEN_MAX * 6];
  int                 curved = 0;
  for (int q = 0; q < rule->n; q++) {
    double N[BF_NEN_MAX], d[BF_NEN_MAX][3], dd[BF_NEN_MAX][6];
    bf_shape(bf_elem_of_order(type, 1), rule->xi[q], N, d);
    for (int a = 0; a < nv; a++)
      for (int j = 0; j < dim; j++) dNv[(q * nv + a) * dim + j] = d[a][j];
    bf_shape_second(type, rule->xi[q], dd);
    for (int a = 0; a < info->nnodes; a++)
      for (int h = 0; h < nh; h++) {
        const double v                       = dd[a][dim == 2 && h == 2 ? 3 : h]; /* xx yy xy in the plane */
        ddN[(q * info->nnodes + a) * nh + h] = v;
        curved |= v != 0.0;
      }
  }
  BF_TRY(bf_upload(be, dNv, (size_t)(rule->n * nv * dim) * sizeof(double), &b->dNv, bytes));
  if (curved)
    BF_TRY(bf_upload(be, ddN, (size_t)(rule->n * info->nnodes * nh) * sizeof(double), &b->ddN, bytes));
  b->E.supg  = info->order;
  b->E.nvert = nv;
  b->E.dNv   = b->dNv;
  b->E.ddN   = b->ddN;
  return BF_OK;
}

static bf_err stiffness_batch(const bf_model *m, const bf_numbering *num, bf_batches *bs,
                              const bf_model_block *block, bf_model_batch *b)
{
  const bf_block *mb = block->block;
  BF_TRY(bf_model_batch_tables(b, bs->be, mb->type, &block->stiffness, &bs->bytes));
  if (m->problem->incompatible) BF_TRY(mode_tables(b, bs->be, mb->type, &block->stiffness, &bs->bytes));
  if (m->physics->form == BF_FORM_TRANSPORT && m->problem->stabilized)
    BF_TRY(stabilize(b, bs->be, mb->type, &block->stiffness, &bs->bytes));
  b->block      = block;
  b->node       = mb->node;
  b->E.form     = m->physics->form;
  b->E.ncomp    = m->ncomp;
  b->E.sdim     = m->sdim;
  b->E.revolved = bf_model_revolved(m);
  b->E.nv       = m->nv;
  b->E.ne       = mb->n;
  b->E.x        = bs->x;
  b->E.scale    = m->thickness;
  BF_TRY(bf_upload_rows(bs->be, num, mb->node, mb->n, b->E.nen, b->E.nen, &b->conn, &bs->bytes));
  b->E.conn = b->conn;
  b->inner  = -1;
  b->ni     = m->problem->incompatible ? m->sdim * m->ncomp : 0;
  if (m->ninner && bf_elem(mb->type)->inner && mb->n > 0) {
    b->inner = num->row[mb->node[b->E.nen - 1]];
    b->ni    = m->ncomp;
    BF_TRY(bf_upload_rows(bs->be, num, mb->node, mb->n, b->E.nen, b->E.nen - 1, &b->kept, &bs->bytes));
  }
  BF_TRY(bf_model_batch_materials(m, b, bs, m->nC));
  return BF_OK;
}

static bf_err upload_factors(bf_batches *bs, double *bytes)
{
  for (int i = 0; i < bs->n; i++) {
    bf_model_batch *b  = &bs->batch[i];
    const size_t    np = (size_t)b->E.ne * (size_t)b->E.nq;
    if (b->block && b->block->factor)
      BF_TRY(bf_upload(bs->be, b->block->factor, np * sizeof(double), &b->factor, bytes));
    if (b->block && b->block->flow)
      BF_TRY(bf_upload(bs->be, b->block->flow, np * (size_t)b->E.nv * sizeof(double), &b->Cq, bytes));
    b->E.factor = b->factor;
    b->E.Cq     = b->Cq;
  }
  return BF_OK;
}

static bf_err fill(const bf_model *m, const bf_numbering *num, bf_batches *bs, const char *phase,
                   bf_phases *phases)
{
  double       since = bf_seconds(), formula_bytes = 0.0;
  double       one[36] = {0}; /* the identity, then its columns one by one */
  const size_t nc      = (size_t)m->ncomp;
  for (size_t i = 0; i < nc; i++) one[i * (nc + 1)] = one[(1 + i) * nc * nc + i * (nc + 1)] = 1.0;
  BF_TRY(
      bf_upload(bs->be, m->C, (size_t)(m->problem->nmaterials * m->nC) * sizeof(double), &bs->C, &bs->bytes));
  BF_TRY(bf_upload(bs->be, one, (1 + nc) * nc * nc * sizeof(double), &bs->one, &bs->bytes));
  BF_TRY(bf_upload_coordinates(bs, m->mesh, num));
  BF_TRY(bf_frames_upload(m, num, bs));
  for (int i = 0; i < m->nblocks; i++) BF_TRY(stiffness_batch(m, num, bs, &m->block[i], &bs->batch[bs->n++]));
  BF_TRY(bf_phase_end(bs->be, phases, phase, &since, bs->bytes));
  BF_TRY(upload_factors(bs, &formula_bytes));
  const double bytes = bs->bytes;
  for (int i = 0; i < m->nsets; i++) BF_TRY(bf_robin_batches(m, num, bs, &m->set[i], &formula_bytes));
  if (formula_bytes > 0.0)
    BF_TRY(bf_phase_end(bs->be, phases,
                        bs->be->ops.on_device ? "assembly: formula values to the device"
                                              : "assembly: formula values",
                        &since, formula_bytes));
  else
    BF_TRY(bf_phase_end(bs->be, bs->bytes > bytes ? phases : NULL, phase, &since, bs->bytes - bytes));
  bs->bytes += formula_bytes;
  for (int i = 0; i < bs->n; i++) BF_TRY(bf_element_batch_check(&bs->batch[i].E));
  return BF_OK;
}

bf_err bf_batches_create(const bf_model *m, const bf_numbering *num, bf_backend *be, const char *phase,
                         bf_phases *phases, bf_batches **out)
{
  bf_err      err = BF_OK;
  bf_batches *bs  = NULL;
  BF_CHECK(m && num && be && out, BF_E_ARG, "null argument");
  *out = NULL;
  BF_CHECK(num->nnodes == m->mesh->nnodes, BF_E_ARG, "numbering of %d nodes for a mesh of %d", num->nnodes,
           m->mesh->nnodes);
  BF_GO(BF_NEW(bs));
  bs->be = be;
  BF_GO(BF_NEW_ARRAY(bs->batch, m->nblocks + BF_FILM_BATCHES * m->nsets));
  BF_GO(fill(m, num, bs, phase, phases));
  *out = bs;
  bs   = NULL;
done:
  bf_batches_destroy(&bs);
  return err;
}

void bf_batches_destroy(bf_batches **batches)
{
  if (!batches || !*batches) return;
  bf_batches *bs = *batches;
  for (int i = 0; i < bs->n; i++) bf_model_batch_release(&bs->batch[i], bs->be);
  bs->be->ops.release(bs->be, bs->x);
  bs->be->ops.release(bs->be, bs->C);
  bs->be->ops.release(bs->be, bs->one);
  bs->be->ops.release(bs->be, bs->frame);
  bs->be->ops.release(bs->be, bs->T);
  bf_host_free(bs->batch);
  bf_host_free(bs);
  *batches = NULL;
}
