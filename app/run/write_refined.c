/* app/run/write_refined.c - output.refine: refined.vtk, fields of a plane problem evaluated between the nodes
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "app/cli/interrupt.h"
#include "app/job.h"
#include "base/memory.h"
#include <stdio.h>
#include <string.h>

/* The selected fields, with values on the finer mesh. */
static int refined_fields(const bf_result *r, const bf_solution *fine, bf_field *field)
{
  int n = 0;
  for (int i = 0; i < r->nfields; i++)
    for (int k = 0; k < fine->nfields; k++)
      if (strcmp(fine->field[k].name, r->field[i].name) == 0) {
        field[n]        = r->field[i];
        field[n++].data = fine->field[k].data;
      }
  return n;
}

bf_err bf_job_write_refined(bf_job *job, const bf_result *r)
{
  const int   n     = job->config.output.refine;
  bf_err      err   = BF_OK;
  bf_mesh    *mesh  = NULL;
  bf_view    *view  = NULL;
  bf_solution s     = {0};
  bf_field   *field = NULL;
  char        path[1200];
  if (n < 2) return BF_OK;
  const double t0 = bf_seconds();
  BF_GO(BF_NEW_ARRAY(field, r->nfields));
  BF_GO(bf_model_refine(job->model, job->view, &job->solution, n, &mesh, &view, &s));
  bf_result fine   = *r;
  fine.mesh        = mesh;
  fine.view        = view;
  fine.permutation = NULL;
  fine.field       = field;
  fine.nfields     = refined_fields(r, &s, field);
  snprintf(path, sizeof path, "%s/refined.vtk", job->dir);
  bf_interrupt_hold("interrupted: the results are incomplete");
  err = bf_write_vtk(&fine, path);
  bf_interrupt_settle();
  BF_GO(err);
  bf_phase_add(&job->phases, "write refined.vtk", bf_seconds() - t0, 0.0, 0.0);
done:
  bf_host_free(field);
  bf_solution_clear(&s);
  bf_view_destroy(&view);
  bf_mesh_destroy(&mesh);
  return err;
}
