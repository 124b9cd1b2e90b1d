/* app/run/choose_format.c - which format the matrix gets: the one whose product is expected to take the least
 * time
 *
 * The deck may fix format, storage and values; the table of all candidates is logged whatever was chosen, so
 * that a user sees what the others would have cost.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "app/job.h"
#include <stdio.h>

static const bf_numbering *numbering_of(const bf_job *job, const bf_candidate *c)
{
  const bf_numbering *n = job->num;
  while (n->line != c->line) n = n->next;
  return n;
}

static void show(const bf_job *job, int chosen)
{
  const bf_plan *plan  = &job->plan;
  const int64_t  D     = bf_model_ncomp(job->model);
  const int64_t  nnz   = job->num->nnz * D * D;
  const bf_int   nodes = job->num->nrows - bf_numbering_phantoms(job->num);
  bf_log_line(&job->log, "matrix    %lld unknowns, %lld nonzeros, %.1f a row", (long long)nodes * D,
              (long long)nnz, (double)nnz / ((double)nodes * (double)D));
  bf_log_line(&job->log,
              "          format                    bytes/nonzero   MiB in memory   MiB a product   us "
              "expected on the %s",
              plan->rates.on_device ? "GPU" : "CPU");
  for (int i = 0; i < plan->ncandidates; i++) {
    const bf_candidate *c = &plan->candidate[i];
    const bf_numbering *n = numbering_of(job, c);
    char                name[40];
    bf_candidate_name(job, c, name, sizeof name);
    if (!c->possible)
      bf_log_line(&job->log, "          %-24s  %s", name,
                  c->format == BF_FORMAT_CSR16 ? "columns too far from the diagonal" : "too many diagonals");
    else
      bf_log_line(&job->log, "          %-24s  %13.2f  %14.1f  %14.1f  %12.4g%s", name,
                  (double)(c->product - (int64_t)16 * n->nrows * D) / (double)nnz, (double)c->bytes / 0x1p20,
                  (double)c->product / 0x1p20, 1e6 * c->seconds, i == chosen ? "   <- chosen" : "");
  }
  if (chosen >= 0 && nodes < numbering_of(job, &plan->candidate[chosen])->nrows)
    bf_log_line(&job->log, "          %lld phantom rows (unit diagonal, right-hand side 0)",
                (long long)(numbering_of(job, &plan->candidate[chosen])->nrows - nodes) * D);
}

/* The fastest candidate that the deck allows; -1: none. */
static int choose(const bf_job *job)
{
  const bf_item *root = bf_deck_root(job->deck), *format = bf_item_get(root, "matrix.format");
  const bf_item *storage = bf_item_get(root, "matrix.storage");
  const bf_plan *plan    = &job->plan;
  int            half    = 0; /* there is a symmetric one */
  for (int i = 0; i < plan->ncandidates; i++) half |= plan->candidate[i].half && plan->candidate[i].possible;
  int chosen = -1;
  for (int i = 0; i < plan->ncandidates; i++) {
    const bf_candidate *c = &plan->candidate[i];
    if (!c->possible) continue;
    if (!bf_item_is(format, "auto") && !bf_item_is(format, bf_format_word(c->format))) continue;
    if (bf_item_is(storage, "full") && c->half) continue;
    if (bf_item_is(storage, "symmetric") && !c->half && (!bf_item_is(format, "auto") || half)) continue;
    if (chosen < 0 || c->seconds < plan->candidate[chosen].seconds) chosen = i;
  }
  return chosen;
}

/* Why no candidate is left. */
static bf_err refuse(bf_job *job, const bf_item *format, const bf_item *storage)
{
  const int bands = bf_item_is(format, "bdia") || bf_item_is(format, "hybrid");
  if (bf_item_is(storage, "symmetric") && !bands)
    bf_diag_add(&job->diags, BF_ERROR, 106, bf_item_where(storage),
                "format %s has no symmetric storage; use storage: auto or full", bf_item_text(format));
  else if (bf_item_is(format, "csr16"))
    bf_diag_add(
        &job->diags, BF_ERROR, 402, bf_item_where(format),
        "this mesh has a half-bandwidth of %lld rows, too many for the 16-bit columns of format csr16; "
        "use format: auto or csr",
        ((long long)bf_numbering_plain(job->num)->reach + 1) * bf_model_ncomp(job->model) - 1);
  else
    bf_diag_add(&job->diags, BF_ERROR, 402, bf_item_where(format),
                "this mesh has too many diagonals for format %s; use format: auto or csr",
                bf_item_text(format));
  return bf_diags_status(&job->diags);
}

bf_err bf_job_plan(bf_job *job)
{
  const bf_item *root = bf_deck_root(job->deck), *format = bf_item_get(root, "matrix.format");
  const bf_item *storage = bf_item_get(root, "matrix.storage");
  bf_plan       *plan    = &job->plan;
  plan->values           = bf_item_is(bf_item_get(root, "matrix.values"), "fp32") ? BF_FP32 : BF_FP64;
  BF_CHECK((int64_t)bf_numbering_plain(job->num)->nrows * bf_model_ncomp(job->model) < INT32_MAX, BF_E_MODEL,
           "%d nodes with %d components are more unknowns than fit", bf_numbering_plain(job->num)->nrows,
           bf_model_ncomp(job->model));
  BF_TRY(bf_job_candidates(job));
  const int chosen = choose(job);
  if (chosen < 0) return refuse(job, format, storage);
  show(job, chosen);
  BF_TRY(bf_job_take(job, chosen));
  bf_numbering_destroy(&job->num->next);
  BF_TRY(bf_job_direct_forecast(job));
  BF_TRY(bf_job_forecast(job));
  if (job->draft) return BF_OK; /* check has a table of it */
  bf_log_line(&job->log,
              "          forecast %.1f MiB for the run on the CPU; on a GPU %.1f MiB there and %.1f MiB here",
              (double)plan->memory.cpu_peak / 0x1p20, (double)plan->memory.device / 0x1p20,
              (double)plan->memory.gpu_host_peak / 0x1p20);
  return BF_OK;
}
