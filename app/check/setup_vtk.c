/* app/check/setup_vtk.c - setup.vtk and setup_sides.vtk: materials, conditions and loads of the deck on its
 * mesh, written without solving
 *
 * The body is apart from its sides, edges and points, which lie in its surface.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "app/cli/interrupt.h"
#include "app/job.h"
#include "base/memory.h"
#include <stdio.h>
#include <string.h>
#include <unistd.h>

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

typedef struct part { /* the cells of the body, or the others; views share the points */
  bf_view view;       /* owned: elem, type, ptr, point */
  bf_int *cell;       /* owned [ncells]: of the view of all */
} part;

static void part_clear(part *p)
{
  bf_host_free(p->view.elem);
  bf_host_free(p->view.type);
  bf_host_free(p->view.ptr);
  bf_host_free(p->view.point);
  bf_host_free(p->cell);
}

/* Cells of the mesh's dimension, or of lower ones. */
static bf_err part_of(const bf_view *all, int dim, int body, part *p)
{
  bf_view *v = &p->view;
  *v         = (bf_view){.npoints = all->npoints, .node = all->node, .region = all->region};
  BF_TRY(BF_NEW_ARRAY(v->elem, all->ncells));
  BF_TRY(BF_NEW_ARRAY(v->type, all->ncells));
  BF_TRY(BF_NEW_ARRAY(v->ptr, all->ncells + 1));
  BF_TRY(BF_NEW_ARRAY(v->point, all->ptr[all->ncells]));
  BF_TRY(BF_NEW_ARRAY(p->cell, all->ncells));
  for (bf_int c = 0; c < all->ncells; c++) {
    const int64_t n = all->ptr[c + 1] - all->ptr[c];
    if ((bf_elem(all->type[c])->dim == dim) != body) continue;
    p->cell[v->ncells] = c;
    v->elem[v->ncells] = all->elem[c];
    v->type[v->ncells] = all->type[c];
    memcpy(v->point + v->ptr[v->ncells], all->point + all->ptr[c], (size_t)n * sizeof *v->point);
    v->ptr[v->ncells + 1] = v->ptr[v->ncells] + n;
    v->ncells++;
  }
  return BF_OK;
}

/* Fields of the cells of a part; point fields are those of all. */
static bf_err part_fields(const bf_setup *s, const part *p, bf_field field[BF_SETUP_FIELDS])
{
  for (int i = 0; i < s->nfields; i++) {
    const bf_field *f = &s->field[i];
    const size_t    n = (size_t)f->ncomp;
    field[i]          = (bf_field){f->name, f->unit, f->ncomp, f->on_cells, f->data, 0};
    if (!f->on_cells) continue;
    field[i].data = NULL;
    BF_TRY(BF_NEW_ARRAY(field[i].data, n * (size_t)p->view.ncells));
    for (bf_int c = 0; c < p->view.ncells; c++)
      memcpy(field[i].data + n * (size_t)c, f->data + n * (size_t)p->cell[c], n * sizeof *f->data);
  }
  return BF_OK;
}

/* setup.vtk, or setup_sides.vtk; a file of an earlier check is removed if there are no sides. */
static bf_err write_part(bf_job *job, const bf_view *all, int body, int nlegends, const bf_legend *text)
{
  bf_err      err                    = BF_OK;
  part        p                      = {.cell = NULL};
  bf_field    field[BF_SETUP_FIELDS] = {{.name = NULL}};
  char        path[1200];
  const char *name = body ? "setup.vtk" : "setup_sides.vtk";
  snprintf(path, sizeof path, "%s/%s", job->dir, name);
  BF_GO(part_of(all, job->mesh->dim, body, &p));
  if (p.view.ncells == 0 && !body) {
    unlink(path);
    goto done;
  }
  BF_GO(part_fields(job->setup, &p, field));
  const bf_result r = {.title    = job->config.title,
                       .status   = "setup: not solved",
                       .mesh     = job->mesh,
                       .view     = &p.view,
                       .nfields  = job->setup->nfields,
                       .field    = field,
                       .nlegends = nlegends,
                       .legend   = text};
  bf_interrupt_hold("interrupted: finishing the setup");
  err = bf_write_vtk(&r, path);
  bf_interrupt_settle();
done:
  for (int i = 0; i < BF_SETUP_FIELDS; i++)
    if (field[i].on_cells) bf_host_free(field[i].data);
  part_clear(&p);
  return err;
}

static bf_err picture(bf_job *job, const bf_view *view)
{
  bf_err       err        = BF_OK;
  legend       l[LEGENDS] = {{0}};
  bf_legend    text[LEGENDS];
  int          n  = 0;
  const double t0 = bf_seconds();
  BF_GO(legends(job, l, text, &n));
  BF_GO(write_part(job, view, 1, n, text));
  BF_GO(write_part(job, view, 0, n, text));
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
