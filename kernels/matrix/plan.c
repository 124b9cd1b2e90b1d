/* kernels/matrix/plan.c - see plan.h */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/matrix/plan.h"
#include "base/bands_split.h"

bf_err bf_plan_add(bf_candidates *list, const bf_layout *L, int number, bf_format format, int half,
                   bf_prec values, bf_why_not why_not, const bf_rates *rates)
{
  const bf_format_ops *f = bf_format_of(format);
  const int64_t        n = (int64_t)L->nrows * L->ncomp;
  BF_CHECK(list->count < BF_CANDIDATES_MAX, BF_E_ARG, "more than %d candidates", BF_CANDIDATES_MAX);
  bf_candidate *c = &list->item[list->count++];
  *c              = (bf_candidate){.layout = number, .format = format, .half = half, .why_not = why_not};
  if (c->why_not == BF_FITS && n >= INT32_MAX) c->why_not = BF_TOO_MANY_DIAGONALS;
  if (c->why_not == BF_FITS) c->why_not = f->fits(L);
  if (c->why_not != BF_FITS) return BF_OK;
  bf_format_cost cost[2] = {{0, 0}, {0, 0}};
  for (bf_prec prec = BF_FP64; prec <= values; prec++) BF_TRY(f->cost(L, half, prec, &cost[prec]));
  c->bytes   = cost[BF_FP64].bytes + cost[BF_FP32].bytes;
  c->product = cost[values].product;
  c->seconds = bf_product_seconds(format, half, c->product, f->bands ? L->bands : NULL,
                                  f->bands ? L->rest : NULL, n, (double)L->nnz / (double)n, L->ncomp, rates);
  if (!f->elements) c->before = bf_csr_bytes(L->nnz, (bf_int)n, BF_FP64);
  return BF_OK;
}

bf_err bf_plan_add_split(bf_candidates *list, const bf_layout *L, int number, int half, int value_bytes,
                         bf_prec values, bf_why_not why_not, const bf_rates *rates)
{
  bf_bands              *b     = NULL;
  bf_graph              *rest  = NULL;
  bf_layout              split = *L;
  const bf_split_options want = {.ncomp = L->ncomp, .half = half, .value_bytes = value_bytes, .remainder = 1};
  if (why_not != BF_FITS) return bf_plan_add(list, L, number, BF_FORMAT_HYBRID, half, values, why_not, rates);
  BF_TRY(bf_bands_split(L->graph, &want, &b, &rest));
  split.bands      = b;
  split.rest       = rest;
  const bf_err err = bf_plan_add(list, &split, number, BF_FORMAT_HYBRID, half, values, BF_FITS, rates);
  bf_bands_destroy(&b);
  bf_graph_destroy(&rest);
  return err;
}

int bf_plan_considers(bf_format format, int ncomp)
{
  const bf_format_ops *f = bf_format_of(format);
  return f->automatic && !f->bands && ncomp >= f->least_ncomp;
}

int bf_plan_allows(const bf_candidates *list, const bf_format_request *request, const bf_candidate *c)
{
  int halves = 0; /* whether a candidate in half storage fits */
  for (int i = 0; i < list->count; i++) halves |= list->item[i].half && list->item[i].why_not == BF_FITS;
  const int strict = request->storage == BF_REQUEST_HALF || request->format != BF_ANY || halves;
  if (request->layout != BF_ANY && c->layout != request->layout) return 0;
  if (request->format == BF_ANY ? !bf_format_of(c->format)->automatic : (int)c->format != request->format)
    return 0;
  if (request->storage == BF_REQUEST_FULL) return !c->half;
  return request->storage == BF_REQUEST_ANY || c->half || !strict;
}

int bf_plan_choose(const bf_candidates *list, const bf_format_request *request)
{
  int chosen = -1;
  for (int i = 0; i < list->count; i++) {
    const bf_candidate *c = &list->item[i];
    if (c->why_not != BF_FITS || !bf_plan_allows(list, request, c)) continue;
    if (chosen < 0 || c->seconds < list->item[chosen].seconds) chosen = i;
  }
  return chosen;
}
