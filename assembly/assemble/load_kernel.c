/* assembly/assemble/load_kernel.c - see load_kernel.h
 *
 * Constant values are copied once, others as a table [element][point][component] computed on the host, chunk
 * by chunk.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "assembly/assemble/load_kernel.h"
#include "assembly/basis/shape.h"
#include "assembly/model/axes.h"
#include "base/memory.h"

enum { TABLE_MIB = 256 }; /* of host values of one chunk */

static const char *phase_values(const bf_backend *be)
{
  return be->ops.on_device ? "assembly: load values to the device" : "assembly: load values";
}

static int job_is_constant(const bf_load_job *job)
{
  int formulas = job->normal || job->expansion || job->take || (job->total && job->total->linear) ||
                 (job->axes && job->axes->type == BF_AXES_CYLINDRICAL);
  for (int i = 0; i < job->nvalues; i++) formulas |= job->value[i]->formula != NULL;
  return !formulas;
}

int bf_load_job_is_zero(const bf_load_job *job)
{
  int zeros = 0;
  for (int i = 0; i < job->nvalues; i++) zeros += bf_quantity_is_zero(job->value[i]);
  if (job->total) return 0;
  return zeros == job->nvalues || (job->product && zeros > 0);
}

/* n(e,q) = unit normal of faces e0 .. e1-1, v[..][q][sdim] *= n with the pressure in component 0. */
static void times_normal(const bf_model *m, const bf_load_job *job, bf_int e0, bf_int e1, double *v)
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
static bf_err values_at(const bf_model *m, const bf_load_job *job, const uint8_t *use, int64_t np,
                        const double *x, double *f, double *v)
{
  const int ncomp = m->ncomp;
  for (int64_t i = 0; i < np * ncomp; i++) v[i] = job->product ? job->times : 0.0;
  for (int64_t i = 0; i < np && job->total; i++) {
    double t[3];
    bf_total_force_at(job->total, x + 3 * i, t);
    for (int c = 0; c < ncomp; c++) v[i * ncomp + c] = t[c];
  }
  for (int c = 0; c < job->nvalues; c++) {
    BF_TRY(bf_quantity_need(m, job->value[c], np, x, use, job->rule->n, f));
    for (int64_t i = 0; i < np; i++) {
      if (job->product)
        v[i * ncomp] *= f[i];
      else
        v[i * ncomp + c] = job->times * f[i];
    }
  }
  for (int64_t i = 0; i < np && job->axes; i++) {
    double e[3][3], t[3] = {0.0, 0.0, 0.0};
    bf_axes_at(job->axes, x + 3 * i, 0.0, e);
    for (int c = 0; c < ncomp; c++) t[c] = v[i * ncomp + c];
    bf_axes_to_global((const double(*)[3])e, t);
    for (int c = 0; c < ncomp; c++) v[i * ncomp + c] = t[c];
  }
  return BF_OK;
}

/* Numbers per point: components of a load, or of a stress. */
static int width(const bf_model *m, const bf_load_job *job)
{
  return job->expansion ? m->nv : m->ncomp;
}

/* Stresses of the thermal strain at the points of elements e0 .. e1-1: v[..][nv]. */
static void stresses(const bf_model *m, const bf_load_job *job, bf_int e0, bf_int e1, double *v)
{
  const size_t nq = (size_t)job->rule->n, nv = (size_t)m->nv;
  for (bf_int e = e0; e < e1; e++) {
    double s[6];
    bf_thermal_stress(m, job->region[e], s);
    for (size_t q = 0; q < nq; q++)
      for (size_t i = 0; i < nv; i++) *v++ = job->expansion[(size_t)e * nq + q] * s[i];
  }
}

/* Table of elements e0 .. e1-1 on the backend. */
static bf_err upload_values(const bf_model *m, const bf_load_job *job, bf_backend *be, bf_int e0, bf_int e1,
                            void *table)
{
  bf_err       err = BF_OK;
  const size_t np = (size_t)(e1 - e0) * (size_t)job->rule->n, nc = (size_t)width(m, job);
  double      *x = NULL, *f = NULL, *v = NULL;
  BF_GO(BF_NEW_ARRAY(v, np * nc));
  if (job->expansion)
    stresses(m, job, e0, e1, v);
  else {
    BF_GO(BF_NEW_ARRAY(x, 3 * np));
    BF_GO(BF_NEW_ARRAY(f, np));
    bf_model_points(m->mesh, job->type, job->batch.node, e0, e1, job->rule, x);
    BF_GO(values_at(m, job, job->take ? job->take + e0 : NULL, (int64_t)np, x, f, v));
    if (job->take)
      for (size_t i = 0; i < np * nc; i++)
        if (!job->take[(size_t)e0 + i / (nc * (size_t)job->rule->n)]) v[i] = 0.0;
  }
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
typedef struct bf_load_memory {
  void  *value, *fe, *ptr, *item;
  bf_int chunk;
} bf_load_memory;

static bf_err job_memory(const bf_load_job *job, int ncomp, int wide, bf_int nrows, bf_backend *be,
                         bf_load_memory *mem)
{
  const bf_element_batch *E     = &job->batch.E;
  const size_t            nd    = (size_t)(E->nen * ncomp);
  const size_t            table = job_is_constant(job) ? 0 : (size_t)(E->nq * wide) * sizeof(double);
  const size_t            host  = (size_t)E->nq * (size_t)(4 + wide) * sizeof(double);
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
static bf_err run_chunk(const bf_model *m, const bf_load_job *job, bf_backend *be, bf_int e0, bf_int e1,
                        bf_int nrows, const bf_load_memory *mem, double *b, double *since, bf_phases *phases)
{
  bf_element_batch  E      = job->batch.E;
  const bf_int      n      = e1 - e0;
  const int64_t     nc     = width(m, job);
  bf_element_source source = {.value = mem->value};
  E.conn += (size_t)e0 * (size_t)E.nen;
  if (E.mat) E.mat += e0;
  if (E.factor) E.factor += (size_t)e0 * (size_t)E.nq;
  if (E.Cq) E.Cq += (size_t)e0 * (size_t)E.nq * (size_t)E.nv;
  E.ne = n;
  if (!job_is_constant(job)) {
    BF_TRY(upload_values(m, job, be, e0, e1, mem->value));
    BF_TRY(bf_phase_end(be, phases, phase_values(be), since, (double)n * E.nq * (double)nc * 8.0));
    source.stride_q = nc;
    source.stride_e = nc * E.nq;
  }
  if (job->expansion)
    BF_TRY(BF_OP(be, element.stress, &E, 0, n, &source, mem->fe));
  else
    BF_TRY(BF_OP(be, element.source, &E, 0, n, &source, mem->fe));
  BF_TRY(BF_OP(be, element.incidence, n, E.nen, E.conn, nrows, mem->ptr, mem->item));
  BF_TRY(BF_OP(be, vector.scatter, nrows, m->ncomp, mem->ptr, mem->item, E.nen, mem->fe, b));
  return bf_phase_end(be, phases, "assembly: loads", since, 2.0 * (double)n * E.nen * (double)nc * 8.0);
}

bf_err bf_load_run(const bf_model *m, const bf_load_job *job, const bf_numbering *num, bf_backend *be,
                   double *b, bf_phases *phases)
{
  bf_err         err   = BF_OK;
  bf_load_memory mem   = {0};
  double         since = bf_seconds();
  const bf_int   ne    = job->batch.E.ne;
  BF_GO(bf_element_batch_check(&job->batch.E));
  BF_GO(job_memory(job, m->ncomp, width(m, job), num->nrows, be, &mem));
  if (job_is_constant(job)) {
    double v[3], f, origin[3] = {0.0, 0.0, 0.0};
    BF_GO(values_at(m, job, NULL, 1, origin, &f, v));
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
