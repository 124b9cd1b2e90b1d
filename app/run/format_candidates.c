/* app/run/format_candidates.c - the ways to number and to store the matrix, and what each takes
 *
 * Formats of diagonals go with every numbering that has bands, formats of rows with the plain one; half of
 * the diagonals only where the matrix is symmetric.  What the counts of the numbering do not tell (lengths of
 * rows, which diagonals are full) is looked up in the pattern, and only for a format that the deck names.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "app/job.h"
#include "base/bands_split.h"
#include <stdio.h>

enum {
  FAR = 32767 - BF_CSR16_ROWS
}; /* half-bandwidth that CSR with 16-bit columns has room for in any case */

typedef struct counts { /* of a pattern, for one precision */
  bf_widths w;
  bf_bands *bands; /* owned: of the split */
  bf_graph *rest;  /* owned */
} counts;

static bf_candidate *add(bf_job *job, const bf_numbering *num, bf_format format, int half, int possible)
{
  bf_plan *plan = &job->plan;
  if (plan->ncandidates == BF_CANDIDATES_MAX) return NULL;
  bf_candidate *c = &plan->candidate[plan->ncandidates++];
  *c              = (bf_candidate){.line = num->line, .format = format, .half = half};
  c->possible     = possible && (int64_t)num->nrows * bf_model_ncomp(job->model) < INT32_MAX;
  return c->possible ? c : NULL;
}

static bf_err split(const bf_job *job, const bf_numbering *num, int half, bf_bands **b, bf_graph **rest)
{
  bf_graph           *pattern = NULL;
  const bf_split_want want    = {.ncomp       = bf_model_ncomp(job->model),
                                 .half        = half,
                                 .value_bytes = job->plan.values == BF_FP32 ? 4 : 8,
                                 .remainder   = 1};
  BF_TRY(bf_model_pattern(job->model, num, &pattern));
  const bf_err err = bf_bands_split(pattern, &want, b, rest);
  bf_graph_destroy(&pattern);
  BF_TRY(err);
  return BF_OK;
}

/* Bytes of candidate c for one precision; of fp32 both are kept. */
static void cost(const bf_job *job, const bf_numbering *num, bf_prec prec, const counts *k, bf_candidate *c)
{
  const int     D   = bf_model_ncomp(job->model);
  const bf_int  n   = num->nrows * D;
  const int64_t nnz = num->nnz * D * D;
  switch (c->format) {
  case BF_FORMAT_BDIA:
  case BF_FORMAT_DIA: {
    const bf_bands *b = k ? k->bands : num->bands;
    c->bytes += bf_bdia_bytes(b, D, c->half, prec);
    c->product = bf_bdia_product_bytes(b, D, c->half, prec);
    break;
  }
  case BF_FORMAT_HYBRID:
    c->bytes += bf_hybrid_bytes(k->bands, k->rest, D, c->half, prec);
    c->product = bf_hybrid_product_bytes(k->bands, k->rest, D, c->half, prec);
    break;
  case BF_FORMAT_CSR:
    c->bytes += bf_csr_bytes(nnz, n, prec);
    c->product = bf_csr_product_bytes(nnz, n, prec);
    break;
  case BF_FORMAT_CSR16:
    c->bytes += bf_csr16_bytes(nnz, n, prec);
    c->product = bf_csr16_product_bytes(nnz, n, prec);
    break;
  case BF_FORMAT_ELL:
    c->bytes += bf_ell_bytes(k->w.longest, n, prec);
    c->product = bf_ell_product_bytes(k->w.longest, n, prec);
    break;
  case BF_FORMAT_HYB:
    c->bytes += bf_ell_bytes(k->w.usual, n, prec) + bf_coo_bytes(k->w.beyond, prec);
    c->product = bf_ell_product_bytes(k->w.usual, n, prec) + bf_coo_bytes(k->w.beyond, prec);
    break;
  default:
    c->bytes += bf_coo_bytes(nnz, prec);
    c->product = bf_coo_product_bytes(nnz, n, prec);
    break;
  }
}

static void costs(const bf_job *job, const bf_numbering *num, const counts *k, bf_candidate *c)
{
  if (!c) return;
  for (bf_prec prec = BF_FP64; prec <= job->plan.values; prec++) cost(job, num, prec, k, c);
  const int D = bf_model_ncomp(job->model);
  const int bands =
      c->format == BF_FORMAT_BDIA || c->format == BF_FORMAT_DIA || c->format == BF_FORMAT_HYBRID;
  const bf_bands *b = !bands ? NULL : k ? k->bands : num->bands;
  c->seconds =
      bf_plan_seconds(c->format, c->half, c->product, b, bands && k ? k->rest : NULL, (int64_t)num->nrows * D,
                      (double)num->nnz * D / (double)num->nrows, D, &job->plan.rates);
  if (c->format == BF_FORMAT_ELL || c->format == BF_FORMAT_HYB || c->format == BF_FORMAT_COO)
    c->before = bf_csr_bytes(num->nnz * bf_model_ncomp(job->model) * bf_model_ncomp(job->model),
                             num->nrows * bf_model_ncomp(job->model), BF_FP64);
}

static bf_err add_padded(bf_job *job, const bf_numbering *num, bf_format format)
{
  bf_graph *pattern = NULL;
  counts    k       = {0};
  BF_TRY(bf_model_pattern(job->model, num, &pattern));
  /* the matrix is fp64 first: its widths are also those of the fp32 copy */
  const bf_err err = bf_widths_count(pattern->n, pattern->ptr, bf_model_ncomp(job->model), BF_FP64, &k.w);
  bf_graph_destroy(&pattern);
  BF_TRY(err);
  costs(job, num, &k, add(job, num, format, 0, 1));
  return BF_OK;
}

static bf_err add_hybrid(bf_job *job, const bf_numbering *num, int half)
{
  counts k = {0};
  BF_TRY(split(job, num, half, &k.bands, &k.rest));
  costs(job, num, &k, add(job, num, BF_FORMAT_HYBRID, half, 1));
  bf_bands_destroy(&k.bands);
  bf_graph_destroy(&k.rest);
  return BF_OK;
}

static bf_err add_dia(bf_job *job, const bf_numbering *num)
{
  counts k = {0};
  if (num->bands) BF_TRY(bf_bands_union(num->bands, &k.bands));
  costs(job, num, &k, add(job, num, BF_FORMAT_DIA, 0, k.bands != NULL));
  bf_bands_destroy(&k.bands);
  return BF_OK;
}

/* The format that the deck names, if it is not one of those that are always looked at. */
static bf_err add_named(bf_job *job, const bf_numbering *num)
{
  const bf_item *format = bf_item_get(bf_deck_root(job->deck), "matrix.format");
  const int      halves = bf_model_symmetric(job->model) ? 2 : 1;
  if (bf_item_is(format, "dia")) BF_TRY(add_dia(job, num));
  if (bf_item_is(format, "ell")) BF_TRY(add_padded(job, num, BF_FORMAT_ELL));
  if (bf_item_is(format, "hyb")) BF_TRY(add_padded(job, num, BF_FORMAT_HYB));
  if (bf_item_is(format, "coo")) costs(job, num, NULL, add(job, num, BF_FORMAT_COO, 0, 1));
  int split = 0; /* the numbering has thought of it */
  for (const bf_numbering *n = job->num; n; n = n->next) split |= n->split[0].bands != NULL;
  if (bf_item_is(format, "hybrid") && !split)
    for (int half = 0; half < halves; half++) BF_TRY(add_hybrid(job, num, half));
  return BF_OK;
}

bf_err bf_job_candidates(bf_job *job)
{
  const bf_numbering *plain  = bf_numbering_plain(job->num);
  const int64_t       D      = bf_model_ncomp(job->model);
  const int           halves = bf_model_symmetric(job->model) ? 2 : 1;
  job->plan.ncandidates      = 0;
  bf_job_rates(job, &job->plan.rates);
  for (const bf_numbering *n = job->num; n; n = n->next)
    for (int half = 0; half < halves; half++) {
      const counts k = {.bands = n->split[half].bands, .rest = n->split[half].rest};
      if (k.bands)
        costs(job, n, &k, add(job, n, BF_FORMAT_HYBRID, half, 1));
      else
        costs(job, n, NULL, add(job, n, BF_FORMAT_BDIA, half, n->bands != NULL));
    }
  costs(job, plain, NULL, add(job, plain, BF_FORMAT_CSR, 0, 1));
  costs(job, plain, NULL, add(job, plain, BF_FORMAT_CSR16, 0, plain->reach * D + D - 1 <= FAR));
  return add_named(job, plain);
}

void bf_candidate_name(const bf_job *job, const bf_candidate *c, char *name, size_t size)
{
  const bf_numbering *n       = job->num;
  const int           several = n && n->next;
  while (n && n->line != c->line) n = n->next;
  const int   bands   = c->format == BF_FORMAT_BDIA || c->format == BF_FORMAT_HYBRID;
  const char *storage = !bands ? "" : c->half ? " symmetric" : " full";
  snprintf(name, size, "%s%s%s%s", bf_format_word(c->format), storage, several ? ", " : "",
           several && n ? n->kind : "");
}

bf_err bf_job_take(bf_job *job, int i)
{
  bf_plan            *plan  = &job->plan;
  const bf_candidate *c     = &plan->candidate[i];
  int                 which = 0;
  for (const bf_numbering *n = job->num; n && n->line != c->line; n = n->next) which++;
  BF_TRY(bf_numbering_select(&job->num, which));
  bf_bands_destroy(&plan->own_bands);
  bf_graph_destroy(&plan->own_rest);
  plan->format  = c->format;
  plan->half    = c->half;
  plan->bytes   = c->bytes;
  plan->product = c->product;
  plan->before  = c->before;
  plan->bands   = c->format == BF_FORMAT_BDIA ? job->num->bands : NULL;
  if (c->format == BF_FORMAT_DIA) BF_TRY(bf_bands_union(job->num->bands, &plan->own_bands));
  if (c->format == BF_FORMAT_HYBRID && job->num->split[c->half].bands) {
    plan->bands = job->num->split[c->half].bands;
    plan->rest  = job->num->split[c->half].rest;
  } else if (c->format == BF_FORMAT_HYBRID) {
    BF_TRY(split(job, job->num, c->half, &plan->own_bands, &plan->own_rest));
    plan->rest = plan->own_rest;
  }
  if (plan->own_bands) plan->bands = plan->own_bands;
  return BF_OK;
}
