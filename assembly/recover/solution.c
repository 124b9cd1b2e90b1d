/* assembly/recover/solution.c - the container of a solution: adds fields, frees them; see solution.h */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "assembly/recover/solution.h"
#include "base/memory.h"
#include <string.h>

static bf_err add(bf_solution *out, const char *name, const char *unit, int ncomp, int on_cells,
                  size_t values, int by_step, double **data)
{
  BF_CHECK(out->nfields < BF_RECOVER_FIELDS, BF_E_INTERNAL, "more than %d fields", BF_RECOVER_FIELDS);
  bf_field *f = &out->field[out->nfields];
  BF_TRY(BF_NEW_ARRAY(f->data, values));
  f->name     = name;
  f->unit     = unit;
  f->ncomp    = ncomp;
  f->on_cells = on_cells;
  f->by_step  = by_step;
  *data       = f->data;
  out->nfields++;
  return BF_OK;
}

bf_err bf_recover_add(bf_solution *out, const char *name, const char *unit, int ncomp, int on_cells,
                      bf_int count, double **data)
{
  return add(out, name, unit, ncomp, on_cells, (size_t)count * (size_t)ncomp, 0, data);
}

bf_err bf_recover_add_times(bf_solution *out, const char *name, const char *unit, int ncomp, int on_cells,
                            bf_int count, int times, double **data)
{
  return add(out, name, unit, ncomp, on_cells, (size_t)times * (size_t)count * (size_t)ncomp, 1, data);
}

void bf_solution_clear(bf_solution *s)
{
  if (!s) return;
  for (int i = 0; i < s->nfields; i++) bf_host_free(s->field[i].data);
  bf_host_free(s->field);
  bf_host_free(s->reaction);
  bf_host_free(s->spectrum);
  memset(s, 0, sizeof *s);
}
