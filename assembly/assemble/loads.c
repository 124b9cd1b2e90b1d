/* assembly/assemble/loads.c - the right-hand side: b += sum over elements and faces of
 *
 *     integral of  N^T f        f = rho g, body force, heat source | traction, -p n, flux, h * ambient
 *     integral of  B^T s        s = stress of the thermal strain
 *     integral of  W f          f = source of a substance, W the test functions of its matrix
 * and the point forces.  One job (load_kernel.h) is one load on the elements of one block (gravity: of one
 * material) or one condition on one set of faces.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "assembly/assemble/load_kernel.h"
#include "base/memory.h"

static void set_form(const bf_model *m, const bf_batches *bs, bf_model_batch *b)
{
  b->E.form  = BF_FORM_MASS;
  b->E.ncomp = b->E.nv = m->ncomp;
  b->E.sdim            = m->sdim;
  b->E.revolved        = bf_model_revolved(m);
  b->E.x               = bs->x;
  b->E.C               = bs->one;
  b->E.scale           = m->thickness;
}

void bf_load_elements(const bf_model *m, const bf_load *load, const bf_block *block, int k, uint8_t *in,
                      bf_int *count)
{
  bf_diags none = {0};
  int      all  = load->ngroups == 0;
  for (int i = 0; i < load->ngroups; i++) all |= bf_name_is_all(&load->group[i]);
  for (bf_int e = 0; e < block->n; e++) in[e] = all ? 1 : 0;
  for (int i = 0; i < load->ngroups && !all; i++) {
    const bf_group *g = bf_model_group(m, &load->group[i], m->sdim, m->sdim, "load", &none);
    for (bf_int j = 0; g && j < g->nelem; j++)
      if (g->elem[j] >= block->first && g->elem[j] - block->first < block->n)
        in[g->elem[j] - block->first] = 1;
  }
  *count = 0;
  for (bf_int e = 0; e < block->n; e++) {
    if (k >= 0 && m->region[block->first + e] != k) in[e] = 0;
    *count += in[e];
  }
  bf_diags_clear(&none);
}

/* One load on one block (for gravity: on its elements of material k). */
static bf_err volume_job(const bf_model *m, const bf_load *load, int i, int k, const bf_numbering *num,
                         bf_batches *bs, double *b, bf_phases *phases)
{
  bf_err                err   = BF_OK;
  const bf_model_block *block = &m->block[i];
  const bf_block       *mb    = block->block;
  const size_t          nen   = (size_t)bf_elem(mb->type)->nnodes;
  bf_load_job           job   = {.type = mb->type, .rule = &block->mass, .nvalues = m->ncomp, .times = 1.0};
  uint8_t              *in    = NULL;
  bf_int               *node = NULL, count = 0;
  if (k >= 0) job.times = m->problem->material[k].rho;
  job.axes = load->axes;
  for (int c = 0; c < m->ncomp; c++) job.value[c] = &load->value[c];
  if (bf_load_job_is_zero(&job)) return BF_OK;
  BF_GO(BF_NEW_ARRAY(in, mb->n));
  bf_load_elements(m, load, mb, k, in, &count);
  if (count == 0) goto done;
  set_form(m, bs, &job.batch);
  job.batch.E.ne = count;
  if (count == mb->n) {
    job.batch.node   = mb->node;
    job.batch.E.conn = bs->batch[i].E.conn;
  } else {
    BF_GO(BF_NEW_ARRAY(node, (size_t)count * nen));
    bf_int at = 0;
    for (bf_int e = 0; e < mb->n; e++) {
      if (!in[e]) continue;
      for (size_t a = 0; a < nen; a++) node[(size_t)at * nen + a] = mb->node[(size_t)e * nen + a];
      at++;
    }
    job.batch.node = node;
    BF_GO(bf_upload_rows(bs->be, num, node, count, (int)nen, (int)nen, &job.batch.conn, NULL));
    job.batch.E.conn = job.batch.conn;
  }
  BF_GO(bf_model_batch_tables(&job.batch, bs->be, mb->type, &block->mass, NULL));
  BF_GO(bf_load_run(m, &job, num, bs->be, b, phases));
done:
  bf_model_batch_release(&job.batch, bs->be);
  bf_host_free(in);
  bf_host_free(node);
  return err;
}

/* A source of a substance on one block; the batch is that of its matrix, so the test functions are too. */
static bf_err source_job(const bf_model *m, const bf_load *load, int i, const bf_numbering *num,
                         const bf_batches *bs, double *b, bf_phases *phases)
{
  bf_err                err   = BF_OK;
  const bf_model_block *block = &m->block[i];
  bf_load_job           job   = {.batch    = bs->batch[i], /* borrowed whole */
                                 .type     = block->block->type,
                                 .rule     = &block->stiffness,
                                 .nvalues  = 1,
                                 .value[0] = &load->value[0],
                                 .times    = 1.0};
  uint8_t              *in    = NULL;
  bf_int                count = 0;
  if (bf_load_job_is_zero(&job)) return BF_OK;
  BF_GO(BF_NEW_ARRAY(in, block->block->n));
  bf_load_elements(m, load, block->block, -1, in, &count);
  if (count < block->block->n) job.take = in;
  if (count > 0) BF_GO(bf_load_run(m, &job, num, bs->be, b, phases));
done:
  bf_host_free(in);
  return err;
}

/* Forces of the thermal strain of one block; the batch is that of its stiffness. */
static bf_err thermal_job(const bf_model *m, int i, const bf_numbering *num, const bf_batches *bs, double *b,
                          bf_phases *phases)
{
  const bf_model_block *block = &m->block[i];
  const bf_load_job     job   = {.batch     = bs->batch[i], /* borrowed whole */
                                 .type      = block->block->type,
                                 .rule      = &block->stiffness,
                                 .expansion = block->expansion,
                                 .region    = m->region + block->block->first};
  return block->expansion ? bf_load_run(m, &job, num, bs->be, b, phases) : BF_OK;
}

static bf_err face_job(const bf_model *m, const bf_face_set *set, const bf_numbering *num, bf_batches *bs,
                       double *b, bf_phases *phases)
{
  bf_err             err = BF_OK;
  const bf_boundary *bc  = &m->problem->boundary[set->boundary];
  bf_load_job        job = {.type = set->type, .rule = &set->rule, .nvalues = 1, .times = 1.0};
  job.value[0]           = &bc->value[0];
  if (bc->type == BF_BC_SPRING) return BF_OK; /* all of it is in K */
  if (bc->type == BF_BC_TRACTION) {
    job.nvalues = m->ncomp;
    job.axes    = bc->axes;
    for (int c = 0; c < m->ncomp; c++) job.value[c] = &bc->value[c];
  } else if (bc->type == BF_BC_FORCE) {
    job.nvalues = 0;
    job.total   = &m->total[set->boundary];
  } else if (bc->type == BF_BC_PRESSURE) {
    job.normal = 1;
    job.times  = -1.0;
  } else if (bc->type == BF_BC_CONVECTION) {
    job.nvalues  = 2;
    job.product  = 1;
    job.value[0] = &bc->h;
    job.value[1] = &bc->ambient;
  }
  if (bf_load_job_is_zero(&job)) return BF_OK;
  set_form(m, bs, &job.batch);
  job.batch.node = set->node;
  job.batch.E.ne = set->n;
  const int nen  = bf_elem(set->type)->nnodes;
  BF_GO(bf_upload_rows(bs->be, num, set->node, set->n, nen, nen, &job.batch.conn, NULL));
  job.batch.E.conn = job.batch.conn;
  BF_GO(bf_model_batch_tables(&job.batch, bs->be, set->type, &set->rule, NULL));
  BF_GO(bf_load_run(m, &job, num, bs->be, b, phases));
done:
  bf_model_batch_release(&job.batch, bs->be);
  return err;
}

bf_err bf_model_add_load(const bf_model *m, int l, const bf_numbering *num, bf_batches *bs, double *b,
                         bf_phases *phases)
{
  const bf_load *load    = &m->problem->load[l];
  const int      gravity = load->type == BF_LOAD_GRAVITY;
  if (load->type == BF_LOAD_THERMAL) return BF_OK;
  if (load->type == BF_LOAD_POINT_FORCE) return bf_model_add_points(m, l, num, bs->be, b);
  for (int i = 0; i < m->nblocks && load->type == BF_LOAD_SOURCE; i++)
    BF_TRY(source_job(m, load, i, num, bs, b, phases));
  if (load->type == BF_LOAD_SOURCE) return BF_OK;
  for (int i = 0; i < m->nblocks; i++)
    for (int k = gravity ? 0 : -1; k < (gravity ? m->problem->nmaterials : 0); k++)
      BF_TRY(volume_job(m, load, i, k, num, bs, b, phases));
  return BF_OK;
}

bf_err bf_model_add_boundary(const bf_model *m, int boundary, const bf_numbering *num, bf_batches *bs,
                             double *b, bf_phases *phases)
{
  for (int i = 0; i < m->nsets; i++)
    if (m->set[i].boundary == boundary) BF_TRY(face_job(m, &m->set[i], num, bs, b, phases));
  return m->total ? bf_model_add_points(m, BF_POINTS_OF_BOUNDARY(boundary), num, bs->be, b) : BF_OK;
}

bf_err bf_model_add_loads(const bf_model *m, const bf_numbering *num, bf_batches *bs, double *b,
                          bf_phases *phases)
{
  const bf_problem *p = m->problem;
  for (int l = 0; l < p->nloads; l++) BF_TRY(bf_model_add_load(m, l, num, bs, b, phases));
  for (int i = 0; i < m->nblocks; i++) BF_TRY(thermal_job(m, i, num, bs, b, phases));
  for (int i = 0; i < p->nboundaries; i++) BF_TRY(bf_model_add_boundary(m, i, num, bs, b, phases));
  return BF_OK;
}
