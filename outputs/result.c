/* outputs/result.c - see result.h: validity of a result, status text */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "outputs/result.h"
#include <stdio.h>
#include <string.h>

void bf_result_status(const bf_result *r, char text[BF_STATUS_MAX])
{
  const bf_history *h = r->history;
  if (r->status)
    snprintf(text, BF_STATUS_MAX, "%s", r->status);
  else if (r->converged)
    snprintf(text, BF_STATUS_MAX, "converged");
  else if (r->modes)
    snprintf(text, BF_STATUS_MAX, "NOT CONVERGED: %d of %d modes converged", r->modes->converged,
             r->modes->n);
  else if (!h || h->n <= 0)
    snprintf(text, BF_STATUS_MAX, "NOT CONVERGED: no solution was found");
  else
    snprintf(text, BF_STATUS_MAX, "NOT CONVERGED: %s after %d iterations, relative residual %.3e",
             h->reason ? h->reason : "stopped", h->n - 1, h->residual[h->n - 1]);
}

bf_err bf_result_check(const bf_result *r)
{
  BF_CHECK(r && r->mesh && r->view, BF_E_ARG, "a picture needs a mesh and a view of it");
  const bf_view *v = r->view;
  BF_CHECK(v->npoints >= 0 && v->ncells >= 0 && (v->npoints == 0 || v->node), BF_E_ARG, "the view is empty");
  int nnodes[BF_ELEM_TYPES]; /* evaluated once: there may be 1e7 cells */
  for (int t = 0; t < BF_ELEM_TYPES; t++) nnodes[t] = bf_elem((bf_elem_type)t)->nnodes;
  for (bf_int c = 0; c < v->ncells; c++) {
    const int t = (int)v->type[c], known = t >= 0 && t < BF_ELEM_TYPES;
    BF_CHECK(known && v->ptr[c + 1] - v->ptr[c] == nnodes[t], BF_E_ARG, "cell %d has %lld points", (int)c,
             (long long)(v->ptr[c + 1] - v->ptr[c]));
  }
  const bf_steps *steps = r->steps;
  BF_CHECK(!steps || (steps->n > 0 && steps->at && (steps->nnumbers == 0 || steps->number)), BF_E_ARG,
           "a time series needs at least one step and its time values");
  BF_CHECK(r->nfields == 0 || r->field, BF_E_ARG, "%d fields, but none given", r->nfields);
  for (int i = 0; i < r->nfields; i++) {
    const bf_field *f = &r->field[i];
    BF_CHECK(f->name && *f->name, BF_E_ARG, "field %d has no name", i);
    BF_CHECK(f->ncomp == 1 || f->ncomp == 3 || f->ncomp == 6, BF_E_ARG,
             "field '%s' has %d components instead of 1, 3 or 6", f->name, f->ncomp);
    BF_CHECK(f->data || (f->on_cells ? v->ncells : v->npoints) == 0, BF_E_ARG, "field '%s' has no values",
             f->name);
    BF_CHECK(!f->by_step || r->steps, BF_E_ARG, "field '%s' has values per step in a result without steps",
             f->name);
    for (int j = 0; j < i; j++)
      BF_CHECK(!r->field[j].on_cells != !f->on_cells || strcmp(r->field[j].name, f->name) != 0, BF_E_ARG,
               "two fields have the name '%s'", f->name);
  }
  return BF_OK;
}

const double *bf_result_values(const bf_result *r, const bf_field *f, int s)
{
  const size_t n = (size_t)(f->on_cells ? r->view->ncells : r->view->npoints);
  return f->by_step ? f->data + (size_t)s * n * (size_t)f->ncomp : f->data;
}
