/* app/solve/report.c - properties of a matrix for the log: symmetry, diagonal, numberings, formats
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "app/job.h"
#include "app/solve/mtx.h"
#include "solvers/linear/convergence_estimate.h"
#include <math.h>
#include <stdio.h>

static void show_symmetry(const bf_mtx_job *job)
{
  const bf_statistics *v = &job->statistics;
  char                 pattern[80];
  if (v->unpaired)
    snprintf(pattern, sizeof pattern, "%lld entries without a transposed entry", (long long)v->unpaired);
  else
    snprintf(pattern, sizeof pattern, "symmetric");
  if (bf_statistics_symmetric(v))
    bf_log_line(&job->log, "symmetry  pattern %s; values exactly symmetric", pattern);
  else if (v->skew)
    bf_log_line(&job->log, "symmetry  pattern %s; values exactly skew-symmetric", pattern);
  else
    bf_log_line(
        &job->log,
        "symmetry  pattern %s; %lld pair%s of values differ, by %.2g of the largest in their rows at most%s",
        pattern, (long long)v->unequal, v->unequal == 1 ? "" : "s", v->asymmetry,
        bf_statistics_nearly_symmetric(v) ? ": symmetric to rounding" : "");
}

static void show_diagonal(const bf_mtx_job *job)
{
  const bf_statistics *v           = &job->statistics;
  const bf_int         n           = job->S->nrows;
  char                 missing[80] = "";
  if (v->missing + v->zero > 0)
    snprintf(missing, sizeof missing, "; %d not listed, %d zero (the first in row %d)", v->missing, v->zero,
             v->hole + 1);
  if (v->positive == n)
    bf_log_line(&job->log, "diagonal  all positive");
  else if (v->negative == n)
    bf_log_line(&job->log, "diagonal  all negative");
  else
    bf_log_line(&job->log, "diagonal  %d positive, %d negative%s", v->positive, v->negative, missing);
  bf_log_line(&job->log, "          diagonally dominant: %d of %d rows, %d of them strictly", v->dominant, n,
              v->strictly);
  if (!bf_statistics_symmetric(v)) return;
  bf_log_line(&job->log, "          eigenvalues between %.6g and %.6g (Gershgorin)%s", v->gershgorin_lo,
              v->gershgorin_hi,
              v->gershgorin_lo > 0.0   ? ": positive definite"
              : v->gershgorin_hi < 0.0 ? ": negative definite"
                                       : "");
}

void bf_mtx_show_matrix(const bf_mtx_job *job)
{
  const bf_statistics *v = &job->statistics;
  const bf_sparse     *S = job->S;
  bf_log_line(&job->log, "          %lld nonzeros, %.1f per row (%d to %d)%s", (long long)S->nnz,
              (double)S->nnz / (double)S->nrows, v->shortest, v->longest,
              v->zeros ? ", explicit zeros among them" : "");
  if (v->zeros) bf_log_line(&job->log, "          %lld of them are zero", (long long)v->zeros);
  if (job->repeated)
    bf_log_line(&job->log, "          %lld entries added to others at the same position",
                (long long)job->repeated);
  bf_log_line(&job->log, "          %d empty rows, %d empty columns; magnitudes from %.3g to %.3g",
              v->empty_rows, v->empty_cols, v->least, v->largest);
  show_symmetry(job);
  show_diagonal(job);
}

void bf_mtx_show_plan(const bf_mtx_job *job)
{
  const double n = job->S->nrows, nnz = (double)job->S->nnz;
  for (int k = 0; k < job->nnumberings; k++) {
    const bf_bands *b = job->numbering[k].bands;
    bf_log_line(&job->log, "%s%-6s half-bandwidth %d, %lld diagonals, %.1f %% of their entries are nonzero",
                k ? "          " : "numbering ", job->numbering[k].name, bf_bands_reach(b),
                (long long)b->ptr[1], 100.0 * nnz / ((double)b->ptr[1] * n));
  }
  bf_log_line(&job->log,
              "          format            order   bytes/nonzero   MiB in memory     MiB/product   us "
              "predicted on the %s",
              job->rates.on_device ? "GPU" : "CPU");
  for (int i = 0; i < job->candidates.count; i++) {
    const bf_candidate *c = &job->candidates.item[i];
    char                name[32];
    snprintf(name, sizeof name, "%s%s", bf_format_word(c->format), c->half ? " symmetric" : "");
    if (c->why_not)
      bf_log_line(&job->log, "          %-16s  %-6s  %s", name, job->numbering[c->layout].name,
                  bf_mtx_why(c->why_not));
    else
      bf_log_line(&job->log, "          %-16s  %-6s  %13.2f  %14.4g  %14.4g  %12.4g%s", name,
                  job->numbering[c->layout].name, nnz > 0.0 ? ((double)c->product - 16.0 * n) / nnz : 0.0,
                  (double)c->bytes / 0x1p20, (double)c->product / 0x1p20, 1e6 * c->seconds,
                  i == job->chosen ? "   <- chosen" : "");
  }
}

static bf_err convergence_estimate(const bf_mtx_job *job, int jacobi, const char *label)
{
  enum { STEPS = 100, LEAST = 10 };
  const double rtol = 1e-8;
  const double most = 2e9 / fmax((double)job->S->nnz, 1.0); /* steps of a few seconds */
  const char  *name = jacobi ? "jacobi" : "none";
  bf_estimate  o;
  BF_TRY(bf_estimate_symmetric(job->S, jacobi, (int)fmin(fmax(most, LEAST), STEPS), &o));
  if (!isfinite(o.least) || !isfinite(o.most))
    bf_log_line(&job->log, "%s%-6s products overflow: no estimate", label, name);
  else if (o.least < 0.0 && o.most > 0.0)
    bf_log_line(&job->log,
                "%s%-6s indefinite: eigenvalues of both signs, %.3g and %.3g or beyond (%d Lanczos step%s)",
                label, name, o.least, o.most, o.steps, o.steps == 1 ? "" : "s");
  else if (o.least > 0.0)
    bf_log_line(&job->log,
                "%s%-6s condition at least %.3g: eigenvalues %.3g to %.3g or beyond (%d Lanczos step%s); "
                "estimate for cg: %.0f iterations to %.0e",
                label, name, o.most / o.least, o.least, o.most, o.steps, o.steps == 1 ? "" : "s",
                ceil(bf_estimate_iterations(&o, rtol)), rtol);
  else
    bf_log_line(&job->log, "%s%-6s eigenvalues %.3g to %.3g or beyond (%d Lanczos step%s)", label, name,
                o.least, o.most, o.steps, o.steps == 1 ? "" : "s");
  return BF_OK;
}

/* Cost of the factors of method direct. */
static bf_err direct(const bf_mtx_job *job)
{
  bf_err         err = BF_OK;
  bf_direct_cost cost;
  char           band[24];
  bf_graph      *g = NULL;
  BF_GO(bf_sparse_graph(job->S, 1, &g));
  BF_GO(bf_direct_forecast(g, 1, bf_statistics_symmetric(&job->statistics), &cost));
  bf_bytes_text((double)cost.band, band);
  bf_log_line(&job->log, "          direct half-bandwidth %d, factors %s, %.1e flops at most", cost.half,
              band, cost.flops);
done:
  bf_graph_destroy(&g);
  return err;
}

bf_err bf_mtx_show_convergence(const bf_mtx_job *job)
{
  const bf_statistics *v = &job->statistics;
  if (!bf_statistics_nearly_symmetric(v)) {
    bf_log_line(&job->log, "estimate  not symmetric, bicgstab: the number of iterations cannot be estimated");
    return direct(job);
  }
  BF_TRY(convergence_estimate(job, 0, "estimate  "));
  if (v->hole < 0) BF_TRY(convergence_estimate(job, 1, "          "));
  return direct(job);
}
