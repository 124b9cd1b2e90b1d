/* app/run/sources.c - fields of other results that the deck names as values: reads their files; E113, W113 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "app/job.h"
#include "assembly/basis/field_source.h"
#include "base/memory.h"
#include "outputs/vtk/read_field.h"
#include <stdio.h>

/* The arrays of the file become those of a source; points of the file are its nodes. */
static bf_err take(bf_read_field *r, const char *name, bf_field_source **out)
{
  bf_err         err = BF_OK;
  bf_source_data d   = {.on_cells = r->on_cells};
  BF_GO(BF_NEW_ARRAY(d.view.node, r->npoints));
  for (bf_int i = 0; i < r->npoints; i++) d.view.node[i] = i;
  d.mesh.dim     = r->dim;
  d.mesh.nnodes  = r->npoints;
  d.mesh.x       = r->x;
  d.view.npoints = r->npoints;
  d.view.ncells  = r->ncells;
  d.view.type    = r->type;
  d.view.ptr     = r->ptr;
  d.view.point   = r->point;
  d.value        = r->value;
  *r             = (bf_read_field){.dim = r->dim};
  BF_GO(bf_field_source_create(&d, name, out));
done:
  bf_source_data_clear(&d);
  return err;
}

static bf_err load(bf_job *job, int i, bf_deck_source *s)
{
  bf_err         err = BF_OK;
  bf_read_field  r   = {.x = NULL};
  char           name[160];
  const bf_where where = bf_item_where(s->file);
  snprintf(name, sizeof name, "field %.50s of %.90s", s->field, s->path);
  err = bf_read_field_open(s->path, s->field, s->component, s->step, &r);
  if (err == BF_E_INPUT) {
    bf_diag_add(&job->diags, BF_ERROR, 113, where, "%s", bf_err_message());
    return BF_OK;
  }
  BF_GO(err);
  if (!r.converged)
    bf_diag_add(&job->diags, BF_WARNING, 113, where, "%s: the run of this file did not converge", name);
  BF_GO(take(&r, name, &job->source[i]));
  s->loaded = job->source[i];
  bf_log_line(&job->log, "values    %s: %d points, %d cells", name, (int)job->source[i]->data.view.npoints,
              (int)job->source[i]->data.view.ncells);
done:
  bf_read_field_clear(&r);
  return err;
}

bf_err bf_job_sources(bf_job *job)
{
  bf_deck_source *s      = bf_deck_sources(job->deck, &job->nsources);
  const int       before = job->diags.errors;
  if (job->nsources == 0) return BF_OK;
  const double t0 = bf_seconds();
  BF_TRY(BF_NEW_ARRAY(job->source, job->nsources));
  for (int i = 0; i < job->nsources; i++) BF_TRY(load(job, i, &s[i]));
  bf_phase_add(&job->phases, "fields of other results", bf_seconds() - t0, 0.0, 0.0);
  return job->diags.errors == before ? BF_OK
                                     : BF_FAIL(BF_E_INPUT, "a field of another result cannot be read");
}

bf_err bf_job_sources_fit(bf_job *job)
{
  const int before = job->diags.errors;
  int       n;
  for (int i = 0; i < job->nsources; i++)
    if (job->source[i]->data.mesh.dim != job->mesh->dim)
      bf_diag_add(&job->diags, BF_ERROR, 113, bf_item_where(bf_deck_sources(job->deck, &n)[i].file),
                  "%s is of dimension %d, the mesh of this deck of dimension %d", job->source[i]->name,
                  job->source[i]->data.mesh.dim, job->mesh->dim);
  return job->diags.errors == before ? BF_OK : BF_FAIL(BF_E_INPUT, "a field of another dimension");
}

void bf_job_sources_destroy(bf_job *job)
{
  for (int i = 0; i < job->nsources && job->source; i++) bf_field_source_destroy(&job->source[i]);
  bf_host_free(job->source);
  job->source   = NULL;
  job->nsources = 0;
}
