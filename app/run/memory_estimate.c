/* app/run/memory_estimate.c - forecast of memory and file sizes before the matrix is allocated; E401 if it
 * does not fit
 *
 *     peak = persistent memory + maximum of assembly, solve, recovery, writing
 *
 * On the CPU backend all of it is host memory; with a GPU the matrix, its vectors and the element tables are
 * in device memory. Comparison with measured peaks: docs/verification.md.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "assembly/setup/memory_estimate.h"
#include "app/analysis.h"
#include "app/run/static/cases.h"
#include "assembly/basis/field_source.h"
#include "base/memory.h"
#include <stdio.h>
#include <string.h>

enum {
  PROGRAM_MIB = 16,
  CONTEXT_MIB = 400,
  WRITER_MIB  = 16
}; /* CUDA's context on the host; buffers of files */

static int64_t largest(const int64_t *x, int n)
{
  int64_t most = 0;
  for (int i = 0; i < n; i++) most = x[i] > most ? x[i] : most;
  return most;
}

/* Host memory while the nodes are divided into blocks.  METIS: the pattern, its copy without loops, coarser
 * graphs with weights of about the same size.  Couplings: the pattern, their values, and the largest value of
 * each pair (bDIA) or the matrix in compressed rows; from a device a copy of its values. */
static int64_t parting_bytes(const bf_job *job)
{
  enum { AN_EDGE = 24, A_NODE = 80, AN_ENTRY = 12, A_VALUE = 8 };
  const int64_t D = bf_model_ncomp(job->model), nodes = job->num->nrows, pairs = job->num->nnz;
  if (job->analysis->precond(job) != BF_PRECOND_BLOCK_JACOBI) return 0;
  if (!bf_job_blocks_by_couplings(job)) return AN_EDGE * pairs + A_NODE * nodes;
  const int     bands = job->plan.format == BF_FORMAT_BDIA || job->plan.format == BF_FORMAT_DIA;
  const int64_t entry = !bands ? AN_ENTRY : job->plan.rates.on_device ? A_VALUE : 0;
  return AN_EDGE * pairs + entry * pairs * D * D + A_NODE * nodes;
}

int bf_job_writes_field(const bf_job *job, const char *field)
{
  const bf_output_config *output = &job->config.output;
  char                    base[BF_Q_NAME_MAX + 1];
  int keep = output->nfields == 0 || strcmp(field, "material_id") == 0 || bf_envelope_base(field, base);
  for (int i = 0; i < output->nfields; i++) keep |= bf_field_is(field, output->field[i]);
  return keep;
}

/* Bytes of case.vtk (of all steps) and case.hdf. */
static void files(const bf_job *job, const bf_model_bytes *b, bf_forecast *f)
{
  const bf_mesh  *m    = job->mesh;
  bf_picture_size size = {.points  = b->points,
                          .cells   = b->cells,
                          .corners = b->corners,
                          .nodes   = m->nnodes,
                          .steps   = job->analysis->steps(job)};
  bf_field_kind   kind[BF_FIELD_KINDS];
  for (int i = bf_model_fields(job->model, kind) - 1; i >= 0; i--) {
    const int64_t count = kind[i].on_cells ? b->cells : b->points;
    const int by = kind[i].by_step || (job->config.ncases > 0 && strcmp(kind[i].name, "material_id") != 0 &&
                                       !bf_field_is_spectral(kind[i].name));
    if (!bf_job_writes_field(job, kind[i].name)) continue;
    *(by ? &size.by_step : &size.shared) += kind[i].ncomp * count;
    if (job->config.ncases > 0 && bf_envelope_has(kind[i].name)) size.shared += 2 * count;
  }
  size.shared += bf_job_group_values(job, b->cells, b->points);
  if (job->config.output.levels) size.shared += BF_MULTIGRID_PARENTS * (b->cells + 4 * b->points);
  for (int g = 0; g < m->ngroups; g++)
    size.members += (int64_t)m->group[g].nelem + (job->setup ? job->setup->group[g].nodes : 0);
  f->vtk = bf_write_vtk_bytes(&size);
  f->hdf = bf_write_vtkhdf_bytes(&size);
}

/* Models, loads and fields of every load case; the envelope has about two more scalars for each field. */
static void cases_bytes(int64_t cases, bf_model_bytes *b)
{
  b->model *= cases;
  b->loads *= cases;
  b->fields *= cases > 1 ? cases + 1 : 1;
}

bf_err bf_job_forecast(bf_job *job)
{
  bf_forecast           *f = &job->plan.memory;
  const int              D = bf_model_ncomp(job->model), width = D == 1 ? 1 : 3;
  const int64_t          guard  = job->plan.bands ? (int64_t)bf_bands_reach(job->plan.bands) * D + 64 : 0;
  const int64_t          vector = 8 * (int64_t)job->num->nrows * D;
  const bf_solver_memory solver = job->analysis->memory(job);
  const int64_t          matrix = job->plan.bytes + solver.mass;
  const int64_t          cases  = 1 + bf_static_cases_more(job);
  const int64_t          one    = 2 * (vector + 16 * guard); /* right-hand side and solution, with guards */
  const int64_t          pair   = cases * one;
  const int64_t          blocks = bf_job_blocks_forecast(job, 0).setup, parting = parting_bytes(job);
  const int64_t          inverses = bf_job_blocks_forecast(job, 1).setup - blocks; /* more on a device */
  const int64_t          vectors  = one / 2 * solver.vectors + solver.transpose,
                solve             = vectors + blocks + solver.multigrid,
                direct            = solver.factors ? job->plan.direct.band + job->plan.direct.beside : 0;
  bf_model_bytes b;
  *f = (bf_forecast){0};
  BF_TRY(bf_model_forecast(job->model, job->num, 1, &b));
  /* formats made from CSR: assembly needs the CSR matrix; the conversion needs it together with the new
   * matrix and host copies of both */
  const int64_t before = job->plan.before, shift = before ? before - job->plan.bytes : 0,
                copies   = before ? before + job->plan.bytes : 0;
  const int64_t device[] = {solve + inverses + one / 2 * solver.device_vectors, b.tables + b.assembly + shift,
                            b.tables + b.recovery, before};
  f->device              = matrix + pair + largest(device, 4);
  f->device_elements     = b.tables + (b.assembly > b.recovery ? b.assembly : b.recovery);
  BF_TRY(bf_model_forecast(job->model, job->num, 0, &b));
  cases_bytes(cases, &b);
  const int64_t picture = cases * vector + b.view + solver.kept, sums = b.forces + 16 * width * b.points;
  const int64_t recovery = picture + b.fields + b.patches;
  const int64_t all      = picture + b.fields + 4 * b.points + ((int64_t)WRITER_MIB << 20);
  const int64_t array    = bf_memory_in_pages(vector + 16 * guard); /* on the CPU */
  const int64_t host[]   = {array * solver.vectors + solver.transpose + blocks + solver.multigrid + direct,
                            b.tables + b.assembly + shift,
                            picture + sums + b.tables + b.recovery,
                            b.tables + recovery,
                            all,
                            before + copies,
                            parting};
  const int64_t beside[] = {picture + sums, recovery, all,
                            copies,         parting,  direct ? direct + solver.kept : 0};
  f->held                = b.mesh + b.model + b.numbering + ((int64_t)PROGRAM_MIB << 20);
  for (int i = 0; i < job->nsources; i++) f->held += bf_field_source_bytes(job->source[i]);
  f->matrix        = matrix;
  f->vectors       = pair + vectors;
  f->blocks        = blocks;
  f->factors       = direct;
  f->elements      = largest((const int64_t[]){b.tables + b.assembly, b.tables + b.recovery}, 2);
  f->results       = all + b.loads;
  f->cpu_more      = bf_memory_in_pages(matrix) + cases * 2 * array + b.loads + largest(host, 7);
  f->cpu_peak      = f->held + f->cpu_more;
  f->gpu_host_more = b.loads + largest(beside, 6);
  f->gpu_host_peak = f->held + ((int64_t)CONTEXT_MIB << 20) + f->gpu_host_more;
  files(job, &b, f);
  return BF_OK;
}

/* E401 unless `bytes` are available; where: "cpu backend", "cuda backend", "host"; factors: `bytes` includes
 * them. */
static bf_err need(bf_job *job, int64_t bytes, size_t available, const char *where, int factors)
{
  const double allowed = job->config.device.memory_limit * (double)available;
  const int    direct = factors && job->plan.memory.factors > 0, blocks = job->plan.memory.blocks > 0;
  char         needs[24], matrix[24], may[24], more[24];
  if (available == 0 || (double)bytes <= allowed) return BF_OK;
  bf_bytes_text((double)bytes, needs);
  bf_bytes_text((double)job->plan.bytes, matrix);
  bf_bytes_text(allowed, may);
  bf_bytes_text((double)(direct ? job->plan.memory.factors : job->plan.memory.blocks), more);
  bf_diag_add(&job->diags, BF_ERROR, 401, job->config.device.memory_limit_where,
              "the run needs %s on the %s (matrix %s%s%s), %s may be used; use a coarser mesh, %s", needs,
              where, matrix,
              direct   ? ", factors "
              : blocks ? ", blocks of the preconditioner "
                       : "",
              direct || blocks ? more : "", may,
              direct   ? job->analysis->without_factors
              : blocks ? "a smaller block_size or preconditioner: jacobi"
                       : "matrix.values: fp32 or another matrix.format");
  return BF_E_MEMORY;
}

/* auto: jacobi where a hierarchy of multigrid has no memory. */
static bf_err without_multigrid(bf_job *job, int64_t bytes, size_t available)
{
  bf_solver_config *solver = &job->config.solver;
  const double      room   = job->config.device.memory_limit * (double)available;
  if (solver->precond != BF_PRECOND_AUTO || job->analysis->memory(job).multigrid == 0 ||
      (double)bytes <= room)
    return BF_OK;
  solver->precond = BF_PRECOND_JACOBI;
  bf_log_line(&job->log, "precond   jacobi: multigrid does not fit into the memory");
  return bf_job_forecast(job);
}

bf_err bf_job_fits(bf_job *job, bf_backend *be)
{
  size_t available, total;
  char   where[40];
  BF_TRY(be->ops.memory(be, &available, &total));
  const bf_forecast *f = &job->plan.memory;
  BF_TRY(without_multigrid(job, be->ops.on_device ? f->device : f->cpu_more, available));
  snprintf(where, sizeof where, "%s backend", be->ops.name);
  if (!be->ops.on_device) return need(job, job->plan.memory.cpu_more, available, where, 1);
  BF_TRY(need(job, job->plan.memory.device, available, where, 0));
  return need(job, job->plan.memory.gpu_host_more, bf_memory_available(), "host", 1);
}

bf_err bf_job_fits_backend(bf_job *job)
{
  return bf_job_fits(job, job->be);
}
