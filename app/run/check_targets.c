/* app/run/check_targets.c - what probes and checks name must be there before the hours of a solve: E111 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "app/job.h"
#include "assembly/basis/locate_point.h"
#include "assembly/recover/mode_energies.h"
#include "assembly/setup/memory_estimate.h"
#include "inputs/quantity.h"
#include <string.h>

/* E111: a field that this run does not make.  Which physics has it was checked before. */
static void field_is_made(bf_job *job, const bf_item *at, const char *field)
{
  bf_field_kind kind[BF_FIELD_KINDS];
  if (job->problem.analysis == BF_DISPERSION) return; /* numbers of its own: rules_waves.c */
  for (int i = bf_model_fields(job->model, kind) - 1; i >= 0; i--)
    if (strcmp(kind[i].name, field) == 0) return;
  bf_diag_add(&job->diags, BF_ERROR, 111, bf_item_where(at),
              strcmp(field, "error_estimate") == 0 ? "method gfem has no field '%s'"
              : strcmp(field, "element_spectrum") == 0
                  ? "'%s' means several fields; name one: spectrum_min, spectrum_max, zero_energy_modes, "
                    "critical_time_step"
              : job->problem.spectrum ? "this run does not make the field '%s': a material has no rho"
                                      : "this run does not make the field '%s'; say output.fields: [.., "
                                        "element_spectrum]",
              field);
}

static bf_err places(bf_job *job, const bf_item *probes)
{
  bf_err   err  = BF_OK;
  bf_view *view = NULL;
  double   lo[3], hi[3];
  bf_mesh_bounds(job->mesh, lo, hi);
  BF_GO(bf_view_create(job->mesh, NULL, &view));
  for (int i = 0; i < bf_item_count(probes); i++) {
    const bf_item *probe = bf_item_at(probes, i), *at = bf_item_get(probe, "at");
    double         x[3] = {0};
    bf_place       place;
    const bf_item *fields = bf_item_get(probe, "fields");
    for (int k = 0; k < bf_item_count(fields); k++)
      field_is_made(job, bf_item_at(fields, k), bf_item_text(bf_item_at(fields, k)));
    for (int c = 0; c < 3 && c < bf_item_count(at); c++) x[c] = bf_item_number(bf_item_at(at, c));
    BF_GO(bf_place_find(job->mesh, view, x, &place));
    if (place.cell >= 0) continue;
    bf_diag_add(
        &job->diags, BF_ERROR, 111, bf_item_where(at),
        "no element holds probe '%s' at (%g, %g, %g); the mesh reaches from (%g, %g, %g) to (%g, %g, %g)",
        bf_item_key(probe), x[0], x[1], x[2], lo[0], lo[1], lo[2], hi[0], hi[1], hi[2]);
  }
done:
  bf_view_destroy(&view);
  return err;
}

typedef struct look { /* at one check */
  bf_job        *job;
  const bf_item *quantity;
} look;

static bf_err known(void *context, const bf_qref *ref, double *value)
{
  const look *l = context;
  (void)value;
  if (ref->field[0]) field_is_made(l->job, l->quantity, ref->field);
  if (ref->kind == BF_Q_ERROR) field_is_made(l->job, l->quantity, "error_estimate");
  if ((ref->kind == BF_Q_INTEGRAL || ref->kind == BF_Q_MIN || ref->kind == BF_Q_MAX) && ref->group[0] &&
      strcmp(ref->group, "all") != 0 && !bf_mesh_group(l->job->mesh, ref->group))
    bf_diag_add(&l->job->diags, BF_ERROR, 111, bf_item_where(l->quantity), "the mesh has no group '%s'",
                ref->group);
  return BF_OK;
}

/* E107: output.refine cuts cells of the plane. */
static void refinement(bf_job *job, const bf_item *refine)
{
  if (refine && bf_item_number(refine) >= 2.0 && job->mesh->dim != 2)
    bf_diag_add(&job->diags, BF_ERROR, 107, bf_item_where(refine),
                "'refine' is for plane problems in this version; the mesh has dimension %d", job->mesh->dim);
}

/* E105: more modes than the body has. */
static void modes(bf_job *job, const bf_item *modes)
{
  const int64_t free = bf_job_is_modal(job) ? bf_model_free_unknowns(job->model) : INT64_MAX;
  if (modes && bf_item_number(modes) > (double)free)
    bf_diag_add(&job->diags, BF_ERROR, 105, bf_item_where(modes),
                "modes %s, but the body has only %lld free unknowns", bf_item_text(modes), (long long)free);
}

bf_err bf_job_foresee(bf_job *job)
{
  const bf_item *root   = bf_deck_root(job->deck);
  const bf_item *probes = bf_item_get(root, "output.probes"), *checks = bf_item_get(root, "checks");
  const int      before = job->diags.errors;
  const double   t0     = bf_seconds();
  int            column;
  refinement(job, bf_item_get(root, "output.refine"));
  modes(job, bf_item_get(root, "analysis.modes"));
  if (bf_item_count(probes) > 0) BF_TRY(places(job, probes));
  for (int i = 0; i < bf_item_count(checks); i++) {
    const bf_item *quantity = bf_item_get(bf_item_at(checks, i), "quantity");
    look           l        = {job, quantity};
    BF_TRY(bf_quantity_check(bf_item_text(quantity), known, &l, &column));
  }
  bf_phase_add(&job->phases, "probes: places", bf_seconds() - t0, 0.0, 0.0);
  return job->diags.errors == before
             ? BF_OK
             : BF_FAIL(BF_E_INPUT, "a probe or a check names what the mesh or the deck does not have");
}
