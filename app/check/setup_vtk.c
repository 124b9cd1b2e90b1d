/* app/check/setup_vtk.c - setup.vtk: materials, conditions and loads of the deck on its mesh, written without
 * solving */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "app/cli/interrupt.h"
#include "app/job.h"
#include "base/memory.h"
#include <stdio.h>
#include <string.h>

typedef void (*words)(const bf_model *m, int i, char text[BF_SETUP_TEXT]);

static void group_words(const bf_model *m, int i, char text[BF_SETUP_TEXT])
{
  const bf_group *g = &bf_model_mesh(m)->group[i];
  snprintf(text, BF_SETUP_TEXT, "%.300s (%d-D)", g->name, g->dim);
}

typedef struct legend {              /* one text field: "materials", "groups", ... */
  char (*store)[BF_SETUP_TEXT + 64]; /* owned [n] */
  const char **text;                 /* owned [n] */
} legend;

/* "2: line 13: traction [1, 0, 0] on right"; line NULL: without "line". */
static bf_err fill(const bf_model *m, const char *name, int n, words say, const int64_t *line, legend *l,
                   bf_legend *out)
{
  char text[BF_SETUP_TEXT];
  BF_TRY(BF_NEW_ARRAY(l->store, n));
  BF_TRY(BF_NEW_ARRAY(l->text, n));
  for (int i = 0; i < n; i++) {
    say(m, i, text);
    if (line && line[i] > 0)
      snprintf(l->store[i], sizeof l->store[i], "%d: line %lld: %s", i, (long long)line[i], text);
    else
      snprintf(l->store[i], sizeof l->store[i], "%d: %s", i, text);
    l->text[i] = l->store[i];
  }
  *out = (bf_legend){name, n, l->text};
  return BF_OK;
}

enum { LEGENDS = 4 };

/* Legends of the ids, as field data; only those with entries. */
static bf_err legends(const bf_job *job, legend l[LEGENDS], bf_legend out[LEGENDS], int *count)
{
  bf_err            err  = BF_OK;
  const bf_problem *p    = &job->problem;
  int64_t          *line = NULL;
  int               n    = 0;
  BF_GO(BF_NEW_ARRAY(line, p->nboundaries + p->nloads + 1));
  for (int i = 0; i < p->nboundaries; i++) line[i] = p->boundary[i].where.line;
  for (int i = 0; i < p->nloads; i++) line[p->nboundaries + i] = p->load[i].where.line;
  const struct {
    const char    *name;
    int            n;
    words          say;
    const int64_t *line;
  } all[LEGENDS] = {{"materials", p->nmaterials, bf_setup_material_text, NULL},
                    {"groups", job->mesh->ngroups, group_words, NULL},
                    {"conditions", p->nboundaries, bf_setup_condition_text, line},
                    {"loads", p->nloads, bf_setup_load_text, line + p->nboundaries}};
  for (int i = 0; i < LEGENDS; i++) {
    if (all[i].n == 0) continue;
    BF_GO(fill(job->model, all[i].name, all[i].n, all[i].say, all[i].line, &l[n], &out[n]));
    n++;
  }
  *count = n;
done:
  bf_host_free(line);
  return err;
}

static bf_err picture(bf_job *job, const bf_view *view)
{
  bf_err       err        = BF_OK;
  legend       l[LEGENDS] = {{0}};
  bf_legend    text[LEGENDS];
  bf_field     field[BF_SETUP_FIELDS];
  char         path[1200];
  const double t0 = bf_seconds();
  bf_result    r  = {.title   = job->config.title,
                     .status  = "setup: not solved",
                     .mesh    = job->mesh,
                     .view    = view,
                     .nfields = job->setup->nfields,
                     .field   = field,
                     .legend  = text};
  for (int i = 0; i < r.nfields; i++) {
    const bf_field *f = &job->setup->field[i];
    field[i]          = (bf_field){f->name, f->unit, f->ncomp, f->on_cells, f->data, 0};
  }
  BF_GO(legends(job, l, text, &r.nlegends));
  snprintf(path, sizeof path, "%s/setup.vtk", job->dir);
  bf_interrupt_hold("interrupted: finishing setup.vtk");
  err = bf_write_vtk(&r, path);
  bf_interrupt_settle();
  BF_GO(err);
  bf_phase_add(&job->phases, "write setup.vtk", bf_seconds() - t0, 0.0, 0.0);
done:
  for (int i = 0; i < LEGENDS; i++) {
    bf_host_free(l[i].store);
    bf_host_free(l[i].text);
  }
  return err;
}

int bf_job_setup_known(const bf_job *job)
{
  if (!job->model) return 0;
  for (int i = 0; i < job->diags.count; i++) {
    const bf_diag *d = &job->diags.item[i];
    if (d->severity == BF_ERROR && (d->code < 200 || d->code == 203 || d->code == 204)) return 0;
  }
  return 1;
}

bf_err bf_job_setup(bf_job *job)
{
  bf_err       err  = BF_OK;
  bf_view     *view = NULL;
  const double t0   = bf_seconds();
  BF_GO(bf_setup_create(job->model, &job->setup));
  bf_phase_add(&job->phases, "setup", bf_seconds() - t0, 0.0, 0.0);
  BF_GO(bf_job_folder(job));
  BF_GO(bf_view_create_all(job->mesh, &view));
  err = bf_job_file_error(job, picture(job, view));
  BF_NEED(err == BF_OK, err, "no setup.vtk");
done:
  if (job->setup) bf_setup_forget_fields(job->setup); /* the check of the available memory follows */
  bf_view_destroy(&view);
  return err;
}
