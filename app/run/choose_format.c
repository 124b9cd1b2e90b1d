/* app/run/choose_format.c - chooses the matrix format with the lowest predicted time of a product
 *
 * The deck may fix format, storage and values; the log has the table of all candidates.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "app/job.h"
#include "app/precond/multigrid.h"
#include <stdio.h>

static const bf_numbering *numbering_of(const bf_job *job, const bf_candidate *c)
{
  const bf_numbering *n = job->num;
  while (n->line != c->layout) n = n->next;
  return n;
}

static void show(const bf_job *job, int chosen)
{
  const bf_plan *plan  = &job->plan;
  const int64_t  D     = bf_model_ncomp(job->model);
  const int64_t  nnz   = job->num->nnz * D * D;
  const bf_int   nodes = job->num->nrows - bf_numbering_phantoms(job->num);
  bf_log_line(&job->log, "matrix    %lld unknowns, %lld nonzeros, %.1f per row", (long long)nodes * D,
              (long long)nnz, (double)nnz / ((double)nodes * (double)D));
  bf_log_line(&job->log,
              "          format                    bytes/nonzero   MiB in memory     MiB/product   us "
              "predicted on the %s",
              plan->rates.on_device ? "GPU" : "CPU");
  for (int i = 0; i < plan->candidates.count; i++) {
    const bf_candidate *c = &plan->candidates.item[i];
    const bf_numbering *n = numbering_of(job, c);
    char                name[40];
    bf_candidate_name(job, c, name, sizeof name);
    if (c->why_not != BF_FITS)
      bf_log_line(&job->log, "          %-24s  %s", name,
                  c->why_not == BF_TOO_FAR ? "columns too far from the diagonal" : "too many diagonals");
    else
      bf_log_line(&job->log, "          %-24s  %13.2f  %14.1f  %14.1f  %12.4g%s", name,
                  (double)(c->product - (int64_t)16 * n->nrows * D) / (double)nnz, (double)c->bytes / 0x1p20,
                  (double)c->product / 0x1p20, 1e6 * c->seconds, i == chosen ? "   <- chosen" : "");
  }
  if (chosen >= 0 && nodes < numbering_of(job, &plan->candidates.item[chosen])->nrows)
    bf_log_line(&job->log, "          %lld phantom rows (unit diagonal, right-hand side 0)",
                (long long)(numbering_of(job, &plan->candidates.item[chosen])->nrows - nodes) * D);
}

/* 1: multigrid may find the planes of a lattice, which it reads from the diagonals.  With preconditioner auto
 * smaller matrices are left to Jacobi. */
static int wants_planes(const bf_job *job)
{
  enum { LARGE = 20000 };
  const bf_precond    precond    = job->config.solver.precond;
  const bf_coarsening coarsening = job->config.solver.multigrid.coarsening;
  const bf_numbering *n          = bf_numbering_plain(job->num);
  const int64_t       rows       = (int64_t)n->nrows * bf_model_ncomp(job->model);
  if (job->problem.analysis != BF_STATIC || !bf_model_symmetric(job->model)) return 0;
  if (precond != BF_PRECOND_MULTIGRID && (precond != BF_PRECOND_AUTO || rows < LARGE)) return 0;
  if (coarsening != BF_COARSENING_AUTO && coarsening != BF_COARSENING_PLANES) return 0;
  return n->bands && n->bands->nseg == 1 && n->ideal > 0 && n->bands->ptr[1] == n->ideal &&
         !bf_mesh_is_quadratic(job->mesh);
}

/* The fastest candidate that the deck permits; -1: none. */
static int choose(const bf_job *job)
{
  const bf_matrix_config *m       = &job->config.matrix;
  bf_format_request       request = {.format  = m->format_auto ? BF_ANY : (int)m->format,
                                     .layout  = BF_ANY,
                                     .storage = m->storage == BF_STORAGE_FULL        ? BF_REQUEST_FULL
                                                : m->storage == BF_STORAGE_SYMMETRIC ? BF_REQUEST_HALF_IF_ANY
                                                                                     : BF_REQUEST_ANY};
  if (m->format_auto && wants_planes(job)) {
    request.format   = BF_FORMAT_BDIA;
    const int chosen = bf_plan_choose(&job->plan.candidates, &request);
    if (chosen >= 0) return chosen;
    request.format = BF_ANY;
  }
  return bf_plan_choose(&job->plan.candidates, &request);
}

/* Reports why no candidate remains; with `auto` compressed rows always remain. */
static bf_err refuse(bf_job *job)
{
  const bf_matrix_config *m    = &job->config.matrix;
  const char             *word = bf_format_word(m->format);
  int                     far  = 0;
  for (int i = 0; i < job->plan.candidates.count; i++)
    far |= job->plan.candidates.item[i].why_not == BF_TOO_FAR &&
           job->plan.candidates.item[i].format == m->format;
  if (m->storage == BF_STORAGE_SYMMETRIC && !bf_format_of(m->format)->half)
    bf_diag_add(&job->diags, BF_ERROR, 106, m->storage_where,
                "format %s has no symmetric storage; use storage: auto or full", word);
  else if (far)
    bf_diag_add(&job->diags, BF_ERROR, 402, m->format_where,
                "this mesh has a half-bandwidth of %lld rows, too many for the 16-bit columns of format %s; "
                "use format: auto or csr",
                ((long long)bf_numbering_plain(job->num)->reach + 1) * bf_model_ncomp(job->model) - 1, word);
  else
    bf_diag_add(&job->diags, BF_ERROR, 402, m->format_where,
                "this mesh has too many diagonals for format %s; use format: auto or csr", word);
  return bf_diags_status(&job->diags);
}

bf_err bf_job_plan(bf_job *job)
{
  bf_plan *plan = &job->plan;
  plan->values  = job->config.matrix.values;
  BF_CHECK((int64_t)bf_numbering_plain(job->num)->nrows * bf_model_ncomp(job->model) < INT32_MAX, BF_E_MODEL,
           "%d nodes with %d components: more than 2^31 - 1 unknowns", bf_numbering_plain(job->num)->nrows,
           bf_model_ncomp(job->model));
  BF_TRY(bf_job_candidates(job));
  const int chosen = choose(job);
  if (chosen < 0) return refuse(job);
  show(job, chosen);
  BF_TRY(bf_job_select(job, chosen));
  bf_numbering_destroy(&job->num->next);
  BF_TRY(bf_job_direct_forecast(job));
  BF_TRY(bf_job_forecast(job));
  if (job->draft) return BF_OK; /* check prints a table */
  bf_brief_matrix(job);
  bf_log_line(
      &job->log,
      "          memory forecast: CPU run %.1f MiB; GPU run %.1f MiB on the device, %.1f MiB on the host",
      (double)plan->memory.cpu_peak / 0x1p20, (double)plan->memory.device / 0x1p20,
      (double)plan->memory.gpu_host_peak / 0x1p20);
  return BF_OK;
}
