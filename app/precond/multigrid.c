/* app/precond/multigrid.c - preconditioner: multigrid of solver: its options, what it needs to know of the
 * body, and what was made; W504 where there is no hierarchy
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "app/precond/multigrid.h"
#include "app/job.h"
#include "base/memory.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static const double STIFF = 0.4; /* Poisson's ratio from which on the smoother has one degree more */

/* A material with nu above STIFF, or serendipity elements. */
int bf_job_is_stiff(const bf_job *job)
{
  const bf_problem *p = &job->problem;
  for (int i = 0; p->physics == BF_ELASTICITY && i < p->nmaterials; i++)
    if (p->material[i].nu > STIFF) return 1;
  for (int b = 0; b < job->mesh->nblocks; b++)
    if (job->mesh->block[b].type == BF_QUAD8 || job->mesh->block[b].type == BF_HEX20) return 1;
  return 0;
}

int bf_mesh_is_quadratic(const bf_mesh *m)
{
  for (int b = 0; b < m->nblocks; b++) {
    const bf_elem_info *info = bf_elem(m->block[b].type);
    if (info->dim == m->dim && info->order > 1 && m->block[b].n > 0) return 1;
  }
  return 0;
}

/* Element matrices for spectral aggregates: of a job, for which the hierarchy asks. */
static bf_err elements(void *context, bf_multigrid_elements *out)
{
  const bf_job     *job = context;
  bf_model_elements e;
  BF_TRY(bf_model_elements_create(job->model, job->num, job->be, &e));
  *out = (bf_multigrid_elements){.set         = {e.ne, e.most, e.nodes, e.ptr, e.node, e.at, e.K},
                                 .coefficient = e.coefficient};
  return BF_OK;
}

bf_err bf_job_body_create(const bf_job *job, bf_job_body *out)
{
  bf_err              err = BF_OK;
  const bf_numbering *n   = job->num;
  const bf_problem   *p   = &job->problem;
  double              contrast, share;
  const int elastic = p->physics == BF_ELASTICITY, rigid = elastic && p->space != BF_SPACE_AXISYMMETRIC;
  *out = (bf_job_body){.x = NULL};
  if (bf_mesh_is_quadratic(job->mesh)) BF_GO(bf_vertex_means_create(job->mesh, n, &out->means));
  if (rigid) {
    BF_GO(BF_NEW_ARRAY(out->x, 3 * (size_t)n->nrows));
    for (bf_int r = 0; r < n->nrows; r++)
      for (int a = 0; a < 3; a++)
        out->x[3 * (size_t)r + (size_t)a] =
            n->node[r] < 0 ? NAN : job->mesh->x[3 * (size_t)n->node[r] + (size_t)a];
  }
  out->body = (bf_multigrid_body){
      .place = job->mesh->x, .node = n->node, .x = out->x, .rigid = rigid, .stiff = bf_job_is_stiff(job)};
  BF_GO(bf_model_frames(job->model, n, &out->frame, &out->body.T));
  out->body.frame = out->frame;
  if (out->means.between > 0) {
    out->body.ends  = (const bf_int(*)[8])out->means.ends;
    out->body.count = out->means.count;
  }
  out->body.elements = elements;
  out->body.context  = (void *)job;
  BF_GO(bf_model_contrast(job->model, &contrast, &share));
  out->body.contrast = share > 0.0 ? contrast : 1.0;
done:
  if (err != BF_OK) bf_job_body_clear(out);
  return err;
}

void bf_job_body_clear(bf_job_body *b)
{
  bf_host_free(b->x);
  bf_vertex_means_clear(&b->means);
  bf_host_free(b->frame);
  *b = (bf_job_body){.x = NULL};
}

void bf_multigrid_text(const bf_multigrid_report *r, char *text, size_t size)
{
  char bytes[24];
  bf_bytes_text((double)r->bytes, bytes);
  snprintf(text, size, "%d levels:", r->nlevels);
  for (int l = 0; l < r->nlevels; l++) {
    const size_t at = strlen(text);
    snprintf(text + at, size - at, "%s %d", l ? "," : "", (int)r->n[l]);
  }
  const size_t at = strlen(text);
  snprintf(text + at, size - at, " unknowns, %s, %s cycle, degree %d, complexity %.2f, %s, set up in %.3g s",
           r->nlevels > 1 ? r->coarsening[r->nlevels - 2] : "inverse", r->cycle, r->degree, r->complexity,
           bytes, r->seconds);
}

void bf_job_multigrid_done(bf_job *job)
{
  const bf_multigrid_report *r = &job->solve.multigrid;
  char                       text[512];
  if (r->failure[0])
    bf_diag_add(&job->diags, BF_WARNING, 504, (bf_where){.file = job->deck_path},
                "no multigrid hierarchy was made, preconditioner jacobi was used: %s", r->failure);
  if (r->nlevels == 0 || r->failure[0] || r->seconds == 0.0) return; /* that of an earlier load case */
  bf_multigrid_text(r, text, sizeof text);
  bf_phase_add(&job->phases, "multigrid: set-up", r->seconds, 0.0, 0.0);
  bf_log_line(&job->log, "          %s", text);
  if (r->reason[0]) bf_log_line(&job->log, "          coarsening auto: %s", r->reason);
}
