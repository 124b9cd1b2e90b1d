/* assembly/loads.c - everything that goes to the right-hand side: b += sum over elements and faces of
 *
 *     integral of  N^T f        f = rho g, body force, heat source | traction, -p n, flux, h * ambient
 *
 * One job is one load on the elements of one block (gravity: of one material) or one condition on one set of
 * faces. Constant values go up once, others as a table [element][point][component] made on the host, chunk by
 * chunk.
 */
#include "assembly/model_internal.h"
#include "assembly/shape.h"
#include "base/memory.h"

enum { TABLE_MIB = 256 }; /* of host values of one chunk */

typedef struct bf_job {
  bf_batch           batch;    /* batch.node: the mesh nodes of its elements */
  bf_elem_type       type;     /* of these elements */
  const bf_rule     *rule;     /* borrowed */
  const bf_quantity *value[3]; /* per component; pressure, flux, source: value[0]; convection: h, ambient */
  int                nvalues;
  double             times;   /* rho of gravity, -1 of pressure, else 1 */
  int                normal;  /* pressure: times the outward normal */
  int                product; /* convection: value[0] * value[1] */
} bf_job;

static const char *phase_values(const bf_backend *be)
{
  return be->ops.on_device ? "assembly: load values to the device" : "assembly: load values";
}

static int job_is_constant(const bf_job *job)
{
  int formulas = job->normal;
  for (int i = 0; i < job->nvalues; i++) formulas |= job->value[i]->formula != NULL;
  return !formulas;
}

static int job_is_zero(const bf_job *job)
{
  int zeros = 0;
  for (int i = 0; i < job->nvalues; i++) zeros += bf_quantity_is_zero(job->value[i]);
  return zeros == job->nvalues || (job->product && zeros > 0);
}

/* n(e,q) = unit normal of faces e0 .. e1-1, v[..][q][sdim] *= n with the pressure in component 0. */
static void times_normal(const bf_model *m, const bf_job *job, bf_int e0, bf_int e1, double *v)
{
  const int nen = job->batch.E.nen, nq = job->rule->n, sdim = m->sdim;
  double    dN[BF_QUADRATURE_MAX][BF_NEN_MAX][3], N[BF_NEN_MAX];
  for (int q = 0; q < nq; q++) bf_shape(job->type, job->rule->xi[q], N, dN[q]);
  for (bf_int e = e0; e < e1; e++) {
    const bf_int *node = job->batch.node + (size_t)e * (size_t)nen;
    double        x[BF_NEN_MAX][3];
    for (int a = 0; a < nen; a++)
      for (int d = 0; d < 3; d++) x[a][d] = m->mesh->x[3 * (size_t)node[a] + (size_t)d];
    for (int q = 0; q < nq; q++) {
      double      *f = v + ((size_t)(e - e0) * (size_t)nq + (size_t)q) * (size_t)sdim;
      const double p = f[0];
      double       n[3];
      bf_shape_normal(job->type, sdim, (const double(*)[3])x, (const double(*)[3])dN[q], n);
      for (int d = 0; d < sdim; d++) f[d] = p * n[d];
    }
  }
}

/* Values at np points x into v[np][ncomp]; f[np] is scratch. */
static bf_err values_at(const bf_job *job, int ncomp, int64_t np, const double *x, double *f, double *v)
{
  for (int64_t i = 0; i < np * ncomp; i++) v[i] = job->product ? job->times : 0.0;
  for (int c = 0; c < job->nvalues; c++) {
    BF_TRY(bf_quantity_need(job->value[c], np, x, f));
    for (int64_t i = 0; i < np; i++) {
      if (job->product)
        v[i * ncomp] *= f[i];
      else
        v[i * ncomp + c] = job->times * f[i];
    }
  }
  return BF_OK;
}

/* Table of elements e0 .. e1-1 on the backend. */
static bf_err upload_values(const bf_model *m, const bf_job *job, bf_backend *be, bf_int e0, bf_int e1,
                            void *table)
{
  bf_err       err = BF_OK;
  const size_t np = (size_t)(e1 - e0) * (size_t)job->rule->n, nc = (size_t)m->ncomp;
  double      *x = NULL, *f = NULL, *v = NULL;
  BF_GO(BF_NEW_ARRAY(x, 3 * np));
  BF_GO(BF_NEW_ARRAY(f, np));
  BF_GO(BF_NEW_ARRAY(v, np * nc));
  bf_model_places(m->mesh, job->type, job->batch.node, e0, e1, job->rule, x);
  BF_GO(values_at(job, m->ncomp, (int64_t)np, x, f, v));
  if (job->normal) times_normal(m, job, e0, e1, v);
  BF_GO(be->ops.copy(be, table, v, np * nc * sizeof *v, BF_TO_DEVICE));
  BF_GO(be->ops.sync(be));
done:
  bf_host_free(x);
  bf_host_free(f);
  bf_host_free(v);
  return err;
}

/* Backend memory of one job: values, element vectors, incidences. */
typedef struct bf_job_memory {
  void  *value, *fe, *ptr, *item;
  bf_int chunk;
} bf_job_memory;

static bf_err job_memory(const bf_job *job, int ncomp, bf_int nrows, bf_backend *be, bf_job_memory *mem)
{
  const bf_element_batch *E     = &job->batch.E;
  const size_t            nd    = (size_t)(E->nen * ncomp);
  const size_t            table = job_is_constant(job) ? 0 : (size_t)(E->nq * ncomp) * sizeof(double);
  const size_t            host  = (size_t)E->nq * (size_t)(4 + ncomp) * sizeof(double);
  BF_TRY(bf_batch_chunk(be, E, nd * sizeof(double) + table, &mem->chunk));
  const size_t most = ((size_t)TABLE_MIB << 20) / host;
  if (table > 0 && (size_t)mem->chunk > most) mem->chunk = (bf_int)most;
  const size_t n = (size_t)mem->chunk;
  BF_TRY(be->ops.alloc(be, table > 0 ? n * table : (size_t)ncomp * sizeof(double), &mem->value));
  BF_TRY(be->ops.alloc(be, n * nd * sizeof(double), &mem->fe));
  BF_TRY(be->ops.alloc(be, ((size_t)nrows + 1) * sizeof(bf_int), &mem->ptr));
  BF_TRY(be->ops.alloc(be, n * (size_t)E->nen * sizeof(bf_int), &mem->item));
  return BF_OK;
}

/* b += the load of elements e0 .. e1-1 (E: the batch of these alone, so that the table starts with them). */
static bf_err run_chunk(const bf_model *m, const bf_job *job, bf_backend *be, bf_int e0, bf_int e1,
                        bf_int nrows, const bf_job_memory *mem, double *b, double *since, bf_phases *phases)
{
  bf_element_batch  E      = job->batch.E;
  const bf_int      n      = e1 - e0;
  const int64_t     nc     = m->ncomp;
  bf_element_source source = {.value = mem->value};
  E.conn += (size_t)e0 * (size_t)E.nen;
  E.ne = n;
  if (!job_is_constant(job)) {
    BF_TRY(upload_values(m, job, be, e0, e1, mem->value));
    BF_TRY(bf_phase_end(be, phases, phase_values(be), since, (double)n * E.nq * (double)nc * 8.0));
    source.stride_q = nc;
    source.stride_e = nc * E.nq;
  }
  BF_TRY(BF_OP(be, element_source, &E, 0, n, &source, mem->fe));
  BF_TRY(BF_OP(be, incidence, n, E.nen, E.conn, nrows, mem->ptr, mem->item));
  BF_TRY(BF_OP(be, vector_scatter, nrows, m->ncomp, mem->ptr, mem->item, E.nen, mem->fe, b));
  return bf_phase_end(be, phases, "assembly: loads", since, 2.0 * (double)n * E.nen * (double)nc * 8.0);
}

static bf_err run_job(const bf_model *m, const bf_job *job, const bf_numbering *num, bf_backend *be,
                      double *b, bf_phases *phases)
{
  bf_err        err   = BF_OK;
  bf_job_memory mem   = {0};
  double        since = bf_seconds();
  const bf_int  ne    = job->batch.E.ne;
  BF_GO(bf_element_batch_check(&job->batch.E));
  BF_GO(job_memory(job, m->ncomp, num->nrows, be, &mem));
  if (job_is_constant(job)) {
    double v[3], f, origin[3] = {0.0, 0.0, 0.0};
    BF_GO(values_at(job, m->ncomp, 1, origin, &f, v));
    BF_GO(be->ops.copy(be, mem.value, v, (size_t)m->ncomp * sizeof *v, BF_TO_DEVICE));
    BF_GO(be->ops.sync(be));
  }
  for (bf_int e0 = 0; e0 < ne; e0 += mem.chunk) {
    const bf_int e1 = ne - e0 < mem.chunk ? ne : e0 + mem.chunk;
    BF_GO(run_chunk(m, job, be, e0, e1, num->nrows, &mem, b, &since, phases));
    if (e1 == ne) break;
  }
done:
  be->ops.release(be, mem.value);
  be->ops.release(be, mem.fe);
  be->ops.release(be, mem.ptr);
  be->ops.release(be, mem.item);
  return err;
}

static void set_form(const bf_model *m, const bf_batches *bs, bf_batch *b)
{
  b->E.form  = BF_FORM_MASS;
  b->E.ncomp = b->E.nv = m->ncomp;
  b->E.sdim            = m->sdim;
  b->E.x               = bs->x;
  b->E.C               = bs->one;
  b->E.scale           = m->thickness;
}

/* in[n]: 1 = element i of the block is in the load's groups and, for k >= 0, of material k; *count of them.
 */
static bf_err mark_elements(const bf_model *m, const bf_load *load, const bf_block *block, int k, uint8_t *in,
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
  return BF_OK;
}

/* One load on one block (for gravity: on its elements of material k). */
static bf_err volume_job(const bf_model *m, const bf_load *load, int i, int k, const bf_numbering *num,
                         bf_batches *bs, double *b, bf_phases *phases)
{
  bf_err                err   = BF_OK;
  const bf_model_block *block = &m->block[i];
  const bf_block       *mb    = block->block;
  const size_t          nen   = (size_t)bf_elem(mb->type)->nnodes;
  bf_job                job   = {.type = mb->type, .rule = &block->mass, .nvalues = m->ncomp, .times = 1.0};
  uint8_t              *in    = NULL;
  bf_int               *node = NULL, count = 0;
  if (k >= 0) job.times = m->problem->material[k].rho;
  for (int c = 0; c < m->ncomp; c++) job.value[c] = &load->value[c];
  if (job_is_zero(&job)) return BF_OK;
  BF_GO(BF_NEW_ARRAY(in, mb->n));
  BF_GO(mark_elements(m, load, mb, k, in, &count));
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
    BF_GO(bf_upload_rows(bs->be, num, node, (int64_t)count * (int64_t)nen, &job.batch.conn, NULL));
    job.batch.E.conn = job.batch.conn;
  }
  BF_GO(bf_batch_tables(&job.batch, bs->be, mb->type, &block->mass, NULL));
  BF_GO(run_job(m, &job, num, bs->be, b, phases));
done:
  bf_batch_release(&job.batch, bs->be);
  bf_host_free(in);
  bf_host_free(node);
  return err;
}

static bf_err face_job(const bf_model *m, const bf_face_set *set, const bf_numbering *num, bf_batches *bs,
                       double *b, bf_phases *phases)
{
  bf_err             err = BF_OK;
  const bf_boundary *bc  = &m->problem->boundary[set->boundary];
  bf_job             job = {.type = set->type, .rule = &set->rule, .nvalues = 1, .times = 1.0};
  job.value[0]           = &bc->value[0];
  if (bc->type == BF_BC_SPRING) return BF_OK; /* all of it is in K */
  if (bc->type == BF_BC_TRACTION) {
    job.nvalues = m->ncomp;
    for (int c = 0; c < m->ncomp; c++) job.value[c] = &bc->value[c];
  } else if (bc->type == BF_BC_PRESSURE) {
    job.normal = 1;
    job.times  = -1.0;
  } else if (bc->type == BF_BC_CONVECTION) {
    job.nvalues  = 2;
    job.product  = 1;
    job.value[0] = &bc->h;
    job.value[1] = &bc->ambient;
  }
  if (job_is_zero(&job)) return BF_OK;
  set_form(m, bs, &job.batch);
  job.batch.node = set->node;
  job.batch.E.ne = set->n;
  BF_GO(bf_upload_rows(bs->be, num, set->node, (int64_t)set->n * bf_elem(set->type)->nnodes, &job.batch.conn,
                       NULL));
  job.batch.E.conn = job.batch.conn;
  BF_GO(bf_batch_tables(&job.batch, bs->be, set->type, &set->rule, NULL));
  BF_GO(run_job(m, &job, num, bs->be, b, phases));
done:
  bf_batch_release(&job.batch, bs->be);
  return err;
}

bf_err bf_model_add_load(const bf_model *m, int l, const bf_numbering *num, bf_batches *bs, double *b,
                         bf_phases *phases)
{
  const bf_load *load    = &m->problem->load[l];
  const int      gravity = load->type == BF_LOAD_GRAVITY;
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
  return BF_OK;
}

bf_err bf_model_add_loads(const bf_model *m, const bf_numbering *num, bf_batches *bs, double *b,
                          bf_phases *phases)
{
  for (int l = 0; l < m->problem->nloads; l++) BF_TRY(bf_model_add_load(m, l, num, bs, b, phases));
  for (int i = 0; i < m->problem->nboundaries; i++) BF_TRY(bf_model_add_boundary(m, i, num, bs, b, phases));
  return BF_OK;
}
