/* app/plan_candidates.c - the ways to number and to store the matrix, and what each takes
 *
 * Formats of diagonals go with every numbering that has bands, formats of rows with the plain one; half of
 * the diagonals only where the matrix is symmetric.
 */
#include "app/job.h"
#include <stdio.h>

static void add(bf_job *job, const bf_numbering *num, bf_format format, int half)
{
  bf_plan      *plan = &job->plan;
  const int     D    = bf_model_ncomp(job->model);
  const int64_t nnz = num->nnz * D * D, rows = (int64_t)num->nrows * D;
  if (plan->ncandidates == BF_CANDIDATES_MAX) return;
  bf_candidate *c = &plan->candidate[plan->ncandidates++];
  *c              = (bf_candidate){.line = num->line, .format = format, .half = half};
  c->possible     = rows < INT32_MAX && (format == BF_FORMAT_CSR || num->bands);
  if (!c->possible) return;
  for (bf_prec prec = BF_FP64; prec <= plan->values; prec++) { /* of fp32 both are kept */
    if (format == BF_FORMAT_BDIA) {
      c->bytes += bf_bdia_bytes(num->bands, D, half, prec);
      c->product = bf_bdia_product_bytes(num->bands, D, half, prec);
    } else {
      c->bytes += bf_csr_bytes(nnz, (bf_int)rows, prec);
      c->product = bf_csr_product_bytes(nnz, (bf_int)rows, prec);
    }
  }
}

void bf_job_candidates(bf_job *job)
{
  job->plan.ncandidates = 0;
  const int halves      = bf_model_symmetric(job->model) ? 2 : 1;
  for (const bf_numbering *n = job->num; n; n = n->next)
    for (int half = 0; half < halves; half++) add(job, n, BF_FORMAT_BDIA, half);
  add(job, bf_numbering_plain(job->num), BF_FORMAT_CSR, 0);
}

void bf_candidate_name(const bf_job *job, const bf_candidate *c, char *name, size_t size)
{
  const bf_numbering *n = job->num;
  while (n && n->line != c->line) n = n->next;
  const char *storage = c->format != BF_FORMAT_BDIA ? "" : c->half ? " symmetric" : " full";
  snprintf(name, size, "%s%s%s%s", bf_format_word(c->format), storage, job->num->next ? ", " : "",
           job->num->next && n ? n->kind : "");
}

bf_err bf_job_take(bf_job *job, int i)
{
  bf_plan            *plan  = &job->plan;
  const bf_candidate *c     = &plan->candidate[i];
  int                 which = 0;
  for (const bf_numbering *n = job->num; n && n->line != c->line; n = n->next) which++;
  BF_TRY(bf_numbering_select(&job->num, which));
  plan->format  = c->format;
  plan->half    = c->half;
  plan->bytes   = c->bytes;
  plan->product = c->product;
  plan->bands   = c->format == BF_FORMAT_CSR ? NULL : job->num->bands;
  return BF_OK;
}
