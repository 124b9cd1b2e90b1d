/* app/run/check_targets.c - checks before the solve that the fields, groups and positions of probes and
 * checks exist: E111 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "app/analysis.h"
#include "app/run/static/flexibility.h"
#include "app/run/static/static.h"
#include "assembly/basis/locate_point.h"
#include "assembly/setup/memory_estimate.h"
#include <string.h>

/* E111: a field that this run does not compute. The schema has checked the physics. */
static void field_is_made(bf_job *job, bf_where where, const char *field)
{
  bf_field_kind kind[BF_FIELD_KINDS];
  char          base[BF_Q_NAME_MAX + 1];
  if (!job->analysis->model_fields) return;
  if (bf_envelope_base(field, base)) field = base;
  for (int i = bf_model_fields(job->model, kind) - 1; i >= 0; i--)
    if (strcmp(kind[i].name, field) == 0) return;
  bf_diag_add(&job->diags, BF_ERROR, 111, where,
              strcmp(field, "error_estimate") == 0 ? "method gfem has no field '%s'"
              : strcmp(field, "element_spectrum") == 0
                  ? "'%s' stands for several fields; use one of: spectrum_min, spectrum_max, "
                    "zero_energy_modes, critical_time_step"
              : job->problem.spectrum
                  ? "field '%s' is not available in this run: a material has no rho"
                  : "field '%s' is not available in this run; add element_spectrum to output.fields",
              field);
}

static bf_err places(bf_job *job)
{
  bf_err   err  = BF_OK;
  bf_view *view = NULL;
  double   lo[3], hi[3];
  bf_mesh_bounds(job->mesh, lo, hi);
  BF_GO(bf_view_create(job->mesh, NULL, &view));
  for (int i = 0; i < job->config.output.nprobes; i++) {
    const bf_probe_config *probe = &job->config.output.probe[i];
    const double          *x     = probe->at;
    bf_location            place;
    for (int k = 0; k < probe->nfields; k++) field_is_made(job, probe->field[k].where, probe->field[k].name);
    BF_GO(bf_locate_point(job->mesh, view, x, &place));
    if (place.cell >= 0) continue;
    bf_diag_add(
        &job->diags, BF_ERROR, 111, probe->at_where,
        "no element contains probe '%s' at (%g, %g, %g); the mesh extends from (%g, %g, %g) to (%g, %g, %g)",
        probe->name, x[0], x[1], x[2], lo[0], lo[1], lo[2], hi[0], hi[1], hi[2]);
  }
done:
  bf_view_destroy(&view);
  return err;
}

typedef struct quantity_context { /* at one check */
  bf_job  *job;
  bf_where where; /* of its quantity */
} quantity_context;

static bf_err known(void *context, const bf_qref *ref, double *value)
{
  const quantity_context *l = context;
  (void)value;
  if (ref->field[0]) field_is_made(l->job, l->where, ref->field);
  if (ref->kind == BF_Q_FLEXIBILITY && l->job->flexibility &&
      !bf_static_flexibility_has(l->job, ref->number, ref->other))
    bf_diag_add(&l->job->diags, BF_ERROR, 111, l->where,
                "flexibility(%d, %d): the matrix has %d rows and columns", ref->number, ref->other,
                (int)l->job->flexibility->unknowns.n);
  if (ref->kind == BF_Q_NORM) {
    const bf_error_request of = bf_static_norm(ref);
    if (bf_model_error_request(l->job->model, &of) != BF_OK)
      bf_diag_add(&l->job->diags, BF_ERROR, 111, l->where, "%s", bf_err_message());
  }
  if (ref->kind == BF_Q_ERROR) field_is_made(l->job, l->where, "error_estimate");
  if ((ref->kind == BF_Q_INTEGRAL || ref->kind == BF_Q_MIN || ref->kind == BF_Q_MAX) && ref->group[0] &&
      strcmp(ref->group, "all") != 0 && !bf_mesh_group(l->job->mesh, ref->group))
    bf_diag_add(&l->job->diags, BF_ERROR, 111, l->where, "the mesh has no group '%s'", ref->group);
  return BF_OK;
}

/* E107: output.refine divides cells of plane meshes only. */
static void refinement(bf_job *job)
{
  if (job->config.output.refine >= 2 && job->mesh->dim != 2)
    bf_diag_add(&job->diags, BF_ERROR, 107, job->config.output.refine_where,
                "'refine' is for plane problems in this version; the mesh has dimension %d", job->mesh->dim);
}

bf_err bf_job_check_targets(bf_job *job)
{
  const int    before = job->diags.errors;
  const double t0     = bf_seconds();
  int          column;
  refinement(job);
  if (job->analysis->targets) job->analysis->targets(job);
  if (job->config.output.nprobes > 0) BF_TRY(places(job));
  for (int i = 0; i < job->config.nchecks; i++) {
    quantity_context l = {job, job->config.check[i].quantity_where};
    BF_TRY(bf_quantity_check(job->config.check[i].quantity, known, &l, &column));
  }
  bf_phase_add(&job->phases, "probes: places", bf_seconds() - t0, 0.0, 0.0);
  if (job->diags.errors == before) return BF_OK;
  return BF_FAIL(bf_diags_status(&job->diags),
                 "a probe, a check or output.flexibility refers to a missing field, group or position");
}
