/* app/job_plan.c - which format the matrix gets: the one that moves the fewest bytes in a product
 *
 * Candidates: bDIA full, bDIA symmetric half, CSR.  The deck may fix format, storage and values; the table is
 * logged whatever was chosen, so that a user sees what the other formats would have cost.
 */
#include "app/job.h"
#include <stdio.h>

enum { FULL, HALF, CSR, CANDIDATES };

typedef struct candidate {
  const char *name;
  int         possible;
  int64_t     bytes, product; /* memory, and moved by a product, with the values asked for */
} candidate;

static void count(const bf_job *job, bf_prec values, candidate c[CANDIDATES])
{
  const int     D    = bf_model_ncomp(job->model);
  const int64_t nnz  = job->num->nnz * D * D;
  const bf_int  rows = job->num->nrows;
  c[FULL].name = "bdia full", c[HALF].name = "bdia symmetric", c[CSR].name = "csr";
  for (int half = 0; half < 2 && job->plan.bands; half++) {
    c[half].possible = 1;
    c[half].bytes    = bf_bdia_bytes(job->plan.bands, D, half, BF_FP64);
    c[half].product  = bf_bdia_product_bytes(job->plan.bands, D, half, values);
    if (values == BF_FP32) c[half].bytes += bf_bdia_bytes(job->plan.bands, D, half, BF_FP32);
  }
  c[CSR].possible = (int64_t)rows * D < INT32_MAX;
  c[CSR].bytes    = bf_csr_bytes(nnz, (bf_int)(rows * D), BF_FP64);
  c[CSR].product  = bf_csr_product_bytes(nnz, (bf_int)(rows * D), values);
  if (values == BF_FP32) c[CSR].bytes += bf_csr_bytes(nnz, (bf_int)(rows * D), BF_FP32);
}

static void show(const bf_job *job, const candidate c[CANDIDATES], int chosen)
{
  const int     D   = bf_model_ncomp(job->model);
  const int64_t nnz = job->num->nnz * D * D;
  bf_log_line(&job->log, "matrix    %lld unknowns, %lld nonzeros, %.1f a row", (long long)job->num->nrows * D,
              (long long)nnz, (double)nnz / ((double)job->num->nrows * (double)D));
  bf_log_line(&job->log, "          format          bytes/nonzero   MiB in memory   MiB a product");
  for (int i = 0; i < CANDIDATES; i++) {
    if (!c[i].possible)
      bf_log_line(&job->log, "          %-14s  %s", c[i].name, "too many diagonals");
    else
      bf_log_line(&job->log, "          %-14s  %13.2f  %14.1f  %14.1f%s", c[i].name,
                  (double)(c[i].product - 16 * (int64_t)job->num->nrows * D) / (double)nnz,
                  (double)c[i].bytes / 0x1p20, (double)c[i].product / 0x1p20,
                  i == chosen ? "   <- chosen" : "");
  }
}

bf_err bf_job_plan(bf_job *job)
{
  const bf_item *root = bf_deck_root(job->deck), *format = bf_item_get(root, "matrix.format");
  const bf_item *storage       = bf_item_get(root, "matrix.storage");
  const bf_prec  values        = bf_item_is(bf_item_get(root, "matrix.values"), "fp32") ? BF_FP32 : BF_FP64;
  candidate      c[CANDIDATES] = {{0}};
  bf_plan       *plan          = &job->plan;
  plan->bands     = job->num->bands; /* the numbering's work is done: its bands belong to the plan now */
  job->num->bands = NULL;
  BF_CHECK((int64_t)job->num->nrows * bf_model_ncomp(job->model) < INT32_MAX, BF_E_MODEL,
           "%d nodes with %d components are more unknowns than fit", job->num->nrows,
           bf_model_ncomp(job->model));
  count(job, values, c);
  int chosen = -1;
  for (int i = 0; i < CANDIDATES; i++) {
    if (!c[i].possible) continue;
    if (bf_item_is(format, "csr") && i != CSR) continue;
    if (bf_item_is(format, "bdia") && i == CSR) continue;
    if (bf_item_is(storage, "full") && i == HALF) continue;
    if (bf_item_is(storage, "symmetric") && i != HALF && (!bf_item_is(format, "auto") || c[HALF].possible))
      continue;
    if (chosen < 0 || c[i].product < c[chosen].product) chosen = i;
  }
  if (chosen < 0) {
    const int symmetric_csr = bf_item_is(storage, "symmetric") && bf_item_is(format, "csr");
    bf_diag_add(&job->diags, BF_ERROR, symmetric_csr ? 106 : 402,
                bf_item_where(symmetric_csr ? storage : format), "%s",
                symmetric_csr ? "format csr has no symmetric storage; use storage: auto or full"
                              : "this mesh has too many diagonals for format bdia; use format: auto or csr");
    return bf_diags_status(&job->diags);
  }
  plan->format  = chosen == CSR ? BF_FORMAT_CSR : BF_FORMAT_BDIA;
  plan->half    = chosen == HALF;
  plan->values  = values;
  plan->bytes   = c[chosen].bytes;
  plan->product = c[chosen].product;
  show(job, c, chosen);
  BF_TRY(bf_job_direct_forecast(job));
  BF_TRY(bf_job_forecast(job));
  if (job->draft) return BF_OK; /* check has a table of it */
  bf_log_line(&job->log,
              "          forecast %.1f MiB for the run on the CPU; on a GPU %.1f MiB there and %.1f MiB here",
              (double)plan->memory.cpu_peak / 0x1p20, (double)plan->memory.device / 0x1p20,
              (double)plan->memory.gpu_host_peak / 0x1p20);
  return BF_OK;
}
