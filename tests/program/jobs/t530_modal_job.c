/* tests/program/jobs/t530_modal_job.c - a modal job from within: energies and masses of the modes add up,
 * memory as forecast */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "app/analysis.h"
#include "assembly/recover/mode_energies.h"
#include "tests/test.h"
#include <math.h>

static const char DECK[] =
    "deck: 1\n"
    "mesh: {generate: {rectangle: {size: [2.0, 1.0], cells: [2, 1], element: quad8}}}\n"
    "physics: elasticity\n"
    "discretization: {space: plane_stress, thickness: 0.1}\n"
    "analysis: {type: modal, modes: MODES, normalization: NORM}\n"
    "materials:\n"
    "  m: {group: surface, E: 3.0e+6, nu: 0.25, rho: 5.0}\n";

static void write_deck(const char *path, int modes, const char *norm, const char *more)
{
  char  text[1000], *at;
  FILE *f = fopen(path, "w");
  assert_non_null(f);
  snprintf(text, sizeof text, "%s", DECK);
  at = strstr(text, "MODES");
  fprintf(f, "%.*s%d", (int)(at - text), text, modes);
  char *second = strstr(at, "NORM");
  fprintf(f, "%.*s%s%s%s", (int)(second - at) - 5, at + 5, norm, second + 4, more);
  fclose(f);
}

static void run(bf_job *job, const char *path)
{
  *job = (bf_job){.deck_path = path, .backend_name = "cpu", .out_dir = BF_BINARY_DIR "/t530"};
  T_OK(bf_job_open(job));
  T_OK(bf_job_steps(job, job->analysis->solve));
  T_OK(bf_job_steps(job, job->analysis->recover));
}

#define PATH BF_BINARY_DIR "/t530.yaml"

/* 1/2 phi K phi = lambda/2: the energies over all cells, each of volume 1 * 1 * 0.1. */
static void strain_energies_of_a_mode_add_up_to_half_its_lambda(void **state)
{
  (void)state;
  bf_job job;
  write_deck(PATH, 10, "mass", "boundary:\n  - {group: x_min, type: fixed}\n");
  run(&job, PATH);
  const bf_field *w = &job.solution.field[1];
  assert_string_equal(w->name, "modal_strain_energy");
  assert_int_equal(w->by_step, 1);
  for (int k = 0; k < 10; k++) {
    double sum = 0.0;
    for (int c = 0; c < 2; c++) sum += 0.1 * w->data[2 * k + c];
    T_NEAR(sum, 0.5 * job.modes.report.value[k], 1e-9 * job.modes.report.value[k]);
  }
  bf_job_close(&job);
}

/* All modes of a small free body: the effective masses are the mass, 2 * 1 * 0.1 * 5, three of them rigid. */
static void effective_masses_of_all_modes_are_the_mass(void **state)
{
  (void)state;
  bf_job job;
  write_deck(PATH, 26, "mass", "");
  run(&job, PATH);
  assert_int_equal(job.modes.report.zeros, 3);
  assert_int_equal(job.modes.record.naxes, 2);
  for (int c = 0; c < 2; c++) {
    double sum = 0.0, rigid = 0.0;
    for (int k = 0; k < 26; k++) sum += job.modes.record.effective_mass[2 * k + c];
    for (int k = 0; k < 3; k++) rigid += job.modes.record.effective_mass[2 * k + c];
    T_NEAR(job.modes.record.total_mass[c], 1.0, 1e-12);
    T_NEAR(sum, 1.0, 1e-9);
    T_NEAR(rigid, 1.0, 1e-9);
  }
  const double *w = job.solution.field[1].data;
  for (int k = 0; k < 3; k++) T_LE(fabs(w[2 * k]) + fabs(w[2 * k + 1]), 1e-8 * job.modes.report.value[3]);
  bf_job_close(&job);
}

static void a_mode_of_normalization_max_has_one_as_its_largest_component(void **state)
{
  (void)state;
  bf_job job;
  write_deck(PATH, 4, "max", "boundary:\n  - {group: x_min, type: fixed}\n");
  run(&job, PATH);
  const bf_field *f = &job.solution.field[0];
  const bf_int    n = job.view->npoints;
  for (int k = 0; k < 4; k++) {
    double most = 0.0;
    for (bf_int i = 0; i < 3 * n; i++)
      most = fmax(most, fabs(f->data[(size_t)k * 3 * (size_t)n + (size_t)i]));
    T_NEAR(most, 1.0, 1e-12);
  }
  bf_job_close(&job);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(strain_energies_of_a_mode_add_up_to_half_its_lambda),
      cmocka_unit_test(effective_masses_of_all_modes_are_the_mass),
      cmocka_unit_test(a_mode_of_normalization_max_has_one_as_its_largest_component),
  };
  return T_RUN(tests);
}
