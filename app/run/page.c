/* app/run/page.c - see page.h: collects what report.html shows beside the result */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "app/run/page.h"
#include "app/analysis.h"
#include "app/run/setup_text.h"
#include "base/memory.h"
#include "outputs/html/page.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SETUP_ELEMENTS = 100000 };
static const double SPY_PAIRS = 4e6; /* couplings that are counted at most */

typedef struct extras { /* owned data of a page */
  bf_page        page;
  bf_quality     quality;
  bf_page_entry *entry;
  double        *measure;
  bf_setup      *setup;
  bf_spy        *spy;
  char           device[160];
} extras;

/* Texts of entry i of a kind; e: NULL = extents are not known. */
static void add_entry(const bf_job *job, extras *x, int i, const char *kind, const bf_setup_entry *e)
{
  bf_page_entry *p          = &x->entry[x->page.nentries++];
  char           extent[96] = "", total[96] = "", moment[200] = "";
  double         sum[3];
  const int      load = strcmp(kind, "load") == 0, material = strcmp(kind, "material") == 0;
  p->kind = kind;
  if (material)
    bf_setup_material_text(job->model, i, p->text);
  else if (load)
    bf_setup_load_text(job->model, i, p->text);
  else
    bf_setup_condition_text(job->model, i, p->text);
  if (!material) p->line = load ? job->problem.load[i].where.line : job->problem.boundary[i].where.line;
  if (!e) return;
  bf_setup_extent(job, e, material || load ? job->mesh->dim : job->mesh->dim - 1, extent);
  snprintf(p->extent, sizeof p->extent, "%s", extent[0] ? extent + 2 : "");
  if (material || !e->has_total) return;
  for (int c = 0; c < 3; c++)
    sum[c] = load || fabs(e->total[c]) > bf_setup_moment_rounding(job, e) ? e->total[c] : 0.0;
  bf_setup_force(job, sum, total);
  if (!load) bf_setup_moment(job, e, moment);
  snprintf(p->total, sizeof p->total, "%s%s", total, moment);
}

static bf_err entries(const bf_job *job, extras *x)
{
  const bf_problem *q = &job->problem;
  const bf_setup   *s = x->setup;
  BF_TRY(BF_NEW_ARRAY(x->entry, q->nmaterials + q->nboundaries + q->nloads));
  x->page.entry = x->entry;
  for (int i = 0; i < q->nmaterials; i++) add_entry(job, x, i, "material", s ? &s->material[i] : NULL);
  for (int i = 0; i < q->nboundaries; i++) add_entry(job, x, i, "boundary", s ? &s->condition[i] : NULL);
  for (int i = 0; i < q->nloads; i++) add_entry(job, x, i, "load", s ? &s->load[i] : NULL);
  return BF_OK;
}

/* Total of the loads, supports of the parts, measures of the groups */
static bf_err sums(const bf_job *job, extras *x)
{
  const bf_setup *s        = x->setup;
  double          rounding = 0.0, sum[3];
  char            text[160];
  if (!s) return BF_OK;
  for (int i = 0; i < job->problem.nboundaries; i++)
    rounding += bf_setup_moment_rounding(job, &s->condition[i]);
  for (int c = 0; c < 3; c++) sum[c] = fabs(s->total[c]) > rounding ? s->total[c] : 0.0;
  if (s->has_total) bf_setup_force(job, sum, text);
  if (s->has_total) snprintf(x->page.loads, sizeof x->page.loads, "%s", text);
  for (bf_int i = 0; i < s->nparts && i < 3; i++) {
    const size_t at = strlen(x->page.supports);
    bf_setup_prescribed(job, &s->part[i], text);
    snprintf(x->page.supports + at, sizeof x->page.supports - at, "%s%.120s", i ? "; " : "", text);
  }
  BF_TRY(BF_NEW_ARRAY(x->measure, job->mesh->ngroups));
  for (int g = 0; g < job->mesh->ngroups; g++) x->measure[g] = s->group[g].measure;
  x->page.group_measure = x->measure;
  return BF_OK;
}

/* Couplings of the nodes of an element, in both orders; place[node]: among the nodes with rows */
static void spy_element(const bf_job *job, const bf_int *place, const bf_int *node, int n, bf_spy *spy)
{
  const bf_int *row = job->num->row;
  for (int a = 0; a < n; a++)
    for (int b = 0; b < n; b++) {
      if (row[node[a]] < 0 || row[node[b]] < 0) continue;
      bf_spy_add(spy, 0, place[node[a]], place[node[b]]);
      bf_spy_add(spy, 1, row[node[a]], row[node[b]]);
    }
}

/* Of wider couplings than those of the elements (generalised finite elements) there is no picture. */
static bf_err spy(const bf_job *job, extras *x)
{
  bf_err         err   = BF_OK;
  const bf_mesh *m     = job->mesh;
  bf_int        *place = NULL, used = 0;
  double         pairs = 0.0;
  if (!job->A || bf_model_own_matrices(job->model)) return BF_OK;
  BF_GO(BF_NEW_ARRAY(place, m->nnodes));
  for (bf_int i = 0; i < m->nnodes; i++) place[i] = job->num->row[i] >= 0 ? used++ : -1;
  for (int b = 0; b < m->nblocks; b++) {
    const bf_elem_info *e = bf_elem(m->block[b].type);
    if (e->dim == m->dim) pairs += (double)m->block[b].n * e->nnodes * e->nnodes;
  }
  BF_GO(bf_spy_create(used, job->num->nrows, &x->spy));
  x->spy->every = pairs > SPY_PAIRS ? (int)ceil(pairs / SPY_PAIRS) : 1;
  for (int b = 0; b < m->nblocks; b++) {
    const bf_block     *k = &m->block[b];
    const bf_elem_info *e = bf_elem(k->type);
    for (bf_int i = 0; e->dim == m->dim && i < k->n; i += x->spy->every)
      spy_element(job, place, k->node + (size_t)i * (size_t)e->nnodes, e->nnodes, x->spy);
  }
  x->page.spy = x->spy;
done:
  bf_host_free(place);
  return err;
}

static bf_err collect(bf_job *job, const bf_result *r, extras *x)
{
  char text[128];
  x->page.result    = r;
  x->page.space     = job->config.space;
  x->page.length    = bf_setup_measure_unit(job, 1);
  x->page.numbering = job->num;
  x->page.diags     = &job->diags;
  if (job->be) job->be->ops.describe(job->be, text, sizeof text);
  if (job->be) snprintf(x->device, sizeof x->device, "%s: %s", job->be->ops.name, text);
  x->page.device = x->device;
  if (job->mesh->nelem <= SETUP_ELEMENTS) {
    BF_TRY(bf_setup_create(job->model, &x->setup));
    bf_setup_forget_fields(x->setup);
    BF_TRY(bf_mesh_quality(job->mesh, &x->quality));
    x->page.quality = &x->quality;
  }
  BF_TRY(entries(job, x));
  BF_TRY(sums(job, x));
  return spy(job, x);
}

bf_err bf_job_page(bf_job *job, const bf_result *r, const char *path, double seconds)
{
  bf_err err = BF_OK;
  extras x   = {.page = {.seconds = seconds}};
  BF_GO(collect(job, r, &x));
  BF_GO(bf_write_page(&x.page, path));
done:
  bf_setup_destroy(&x.setup);
  bf_spy_destroy(&x.spy);
  bf_host_free(x.entry);
  bf_host_free(x.measure);
  return err;
}
