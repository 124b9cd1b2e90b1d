/* assembly/recover/recover.c - from the solution vector to fields: the steps in order */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "assembly/recover/recover.h"
#include "assembly/model/frames.h"
#include "base/memory.h"
#include <string.h>

static bf_err check(const bf_model *m, const bf_numbering *num, const bf_view *view)
{
  bf_int cells = 0;
  BF_CHECK(num->nnodes == m->mesh->nnodes, BF_E_ARG, "numbering of %d nodes, mesh of %d", num->nnodes,
           m->mesh->nnodes);
  for (int b = 0; b < m->nblocks; b++) cells += m->block[b].block->n;
  BF_CHECK(view->ncells == cells, BF_E_ARG, "view of %d cells, model of %d elements", view->ncells, cells);
  bf_int lost = view->npoints; /* the first point without a row */
#pragma omp parallel for reduction(min : lost)
  for (bf_int p = 0; p < view->npoints; p++)
    if (num->row[view->node[p]] < 0 && p < lost) lost = p;
  BF_CHECK(lost == view->npoints, BF_E_ARG, "node %d has no row", view->node[lost]);
  return BF_OK;
}

/* The numbering and the solution with the condensed nodes, *whole NULL if there are none; and u in x, y, z.
 * *full NULL: u is as it is needed. */
static bf_err complete(const bf_model *m, const bf_numbering *num, const double *u, bf_numbering **whole,
                       double **full)
{
  const size_t nc = (size_t)m->ncomp;
  if (!m->ninner && !m->frame) return BF_OK;
  if (m->ninner) BF_TRY(bf_numbering_whole(m->mesh, num, whole));
  BF_TRY(BF_NEW_ARRAY(*full, (size_t)(*whole ? *whole : num)->nrows * nc));
  memcpy(*full, u, (size_t)num->nrows * nc * sizeof *u);
  bf_frames_turn(m, num, 0, *full);
  return BF_OK;
}

bf_err bf_model_recover(bf_model *m, const bf_numbering *num, bf_backend *be, const bf_view *view,
                        const double *u, bf_phases *phases, bf_solution *out)
{
  bf_err        err = BF_OK;
  bf_solution   s;
  bf_phases     none;
  bf_numbering *whole = NULL;
  bf_batches   *bs    = NULL;
  double       *full  = NULL;
  memset(&s, 0, sizeof s);
  memset(&none, 0, sizeof none);
  BF_CHECK(m && num && be && view && u && out, BF_E_ARG, "null argument");
  BF_CHECK(m->f_ext, BF_E_ARG, "the model is not assembled: its loads are missing");
  memset(out, 0, sizeof *out);
  if (!phases) phases = &none;
  const bf_int nrows = num->nrows;
  BF_GO(complete(m, num, u, &whole, &full));
  if (whole) num = whole;
  if (full) u = full;
  BF_GO(check(m, num, view));
  BF_GO(BF_NEW_ARRAY(s.field, BF_RECOVER_FIELDS));
  if (m->basis->batches) BF_GO(m->basis->batches(m, num, be, "recover: tables", phases, &bs));
  double t0 = bf_seconds();
  if (whole) {
    BF_GO(bf_recover_inner(m, num, bs, nrows, full));
    bf_phase_add(phases, "recover: condensed nodes", bf_seconds() - t0, 0.0, 0.0);
  }
  BF_GO(bf_recover_primary(m, num, view, u, &s));
  BF_GO(bf_recover_reactions(m, num, be, bs, view, u, phases, &s));
  t0 = bf_seconds();
  BF_GO(bf_recover_elements(m, num, view, u, &s));
  BF_GO(bf_recover_material(m, view, &s));
  bf_phase_add(phases, m->physics->words.phase, bf_seconds() - t0, 0.0, 0.0);
  if (m->problem->spectrum) BF_GO(bf_recover_spectra(m, num, bs, view, phases, &s));
  BF_GO(bf_recover_in_axes(m, view, 1, &s));
  for (int i = 0; i < s.nfields; i++) s.field[i].unit = bf_unit_in(m->problem->units, s.field[i].unit);
  *out = s;
  memset(&s, 0, sizeof s);
done:
  bf_batches_destroy(&bs);
  bf_numbering_destroy(&whole);
  bf_host_free(full);
  bf_solution_clear(&s);
  return err;
}
