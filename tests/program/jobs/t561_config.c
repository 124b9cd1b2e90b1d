/* tests/program/jobs/t561_config.c - the run configuration has the values of the deck, its defaults and the
 * choices of the command line */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "app/config.h"
#include "tests/test.h"
#include <math.h>

#define HEAD "deck: 1\n"
#define BEAM                                                                                                 \
  HEAD "mesh: {generate: {box: {size: [2.0, 1.0, 0.5], cells: [4, 2, 1], element: hex20}}}\n"                \
       "physics: elasticity\n"                                                                               \
       "materials:\n  m: {group: volume, E: 1.0e+9, nu: 0.25, rho: 7.0}\n"
#define HELD "boundary:\n  - {group: x_min, type: fixed}\n"

typedef struct config_case {
  bf_deck      *deck;
  bf_diags      diags;
  bf_run_config config;
} config_case;

static const bf_run_config *config_of(config_case *c, const char *text, const char *backend, const char *dir)
{
  *c = (config_case){0};
  T_OK(bf_deck_read_text("case.yaml", text, strlen(text), &c->diags, &c->deck));
  T_OK(bf_run_config_read(c->deck, backend, dir, &c->config));
  return &c->config;
}

static void clear(config_case *c)
{
  bf_run_config_clear(&c->config);
  bf_deck_destroy(&c->deck);
  bf_diags_clear(&c->diags);
}

static void a_short_deck_has_the_defaults(void **state)
{
  (void)state;
  config_case          c;
  const bf_run_config *k = config_of(&c, BEAM HELD, NULL, NULL);
  assert_string_equal(k->title, "");
  assert_string_equal(k->analysis, "static");
  assert_int_equal(k->problem.analysis, BF_STATIC);
  assert_int_equal(k->problem.nmaterials, 1);
  assert_int_equal(k->problem.boundary[0].type, BF_BC_FIXED);
  assert_null(k->mesh.path);
  assert_int_equal(k->mesh.dim, 3);
  assert_int_equal(k->mesh.element, BF_HEX20);
  assert_int_equal(k->mesh.order, 0);
  T_NEAR(k->mesh.size[1], 1.0, 0.0);
  assert_int_equal(k->mesh.cells[0], 4);
  T_NEAR(k->mesh.scale, 1.0, 0.0);
  assert_true(k->matrix.format_auto);
  assert_int_equal(k->matrix.storage, BF_STORAGE_AUTO);
  assert_int_equal(k->matrix.values, BF_FP64);
  assert_int_equal(k->matrix.reorder, BF_ORDER_AUTO);
  assert_true(k->solver.method_auto);
  assert_int_equal(k->solver.precond, BF_PRECOND_AUTO);
  T_NEAR(k->solver.rtol, 1e-8, 0.0);
  assert_int_equal(k->solver.max_iterations, BF_ITERATIONS_AUTO);
  assert_false(k->solver.warn_only);
  assert_string_equal(k->device.backend, "auto");
  T_NEAR(k->device.memory_limit, 0.9, 0.0);
  assert_string_equal(k->device.memory_limit_where.file, "case.yaml");
  assert_int_equal(k->device.memory_limit_where.line, 0);
  assert_string_equal(k->output.dir, "out/case");
  assert_int_equal(k->output.dir_where.line, 0);
  assert_true(bf_output_has(&k->output, BF_FILE_VTK) && bf_output_has(&k->output, BF_FILE_VTKHDF));
  assert_int_equal(k->output.compression, 0);
  assert_int_equal(k->output.nprobes + k->nchecks, 0);
  clear(&c);
}

static void given_values_have_their_types_and_locations(void **state)
{
  (void)state;
  config_case          c;
  const bf_run_config *k = config_of(
      &c,
      BEAM HELD "matrix: {format: csr, storage: full, values: fp32, reorder: rcm}\n"
                "solver: {method: bicg, preconditioner: block_jacobi, block_size: 32, block_parts: metis,\n"
                "         block_values: fp64, max_iterations: 77, on_failure: warn}\n"
                "device: {backend: cpu, memory_limit: 0.5}\n"
                "output:\n  dir: there\n  formats: [vtk]\n  csv: true\n  fields: [stress, displacement]\n"
                "  probes: {tip: {at: [2.0, 0.5, 0.25], fields: [displacement, stress_nodal]}}\n"
                "checks:\n  - {quantity: balance.force, expect: 0.0, atol: 1.0e-6, note: none}\n"
                "  - {quantity: unknowns, report: true}\n",
      NULL, NULL);
  assert_false(k->matrix.format_auto);
  assert_int_equal(k->matrix.format, BF_FORMAT_CSR);
  assert_int_equal(k->matrix.format_where.line, 8);
  assert_int_equal(k->matrix.storage, BF_STORAGE_FULL);
  assert_int_equal(k->matrix.values, BF_FP32);
  assert_int_equal(k->matrix.reorder, BF_ORDER_RCM);
  assert_false(k->solver.method_auto);
  assert_int_equal(k->solver.method, BF_METHOD_BICG);
  assert_int_equal(k->solver.precond, BF_PRECOND_BLOCK_JACOBI);
  assert_int_equal(k->solver.blocks.size, 32);
  assert_true(k->solver.blocks.metis);
  assert_int_equal(k->solver.blocks.values, BF_FP64);
  assert_int_equal(k->solver.max_iterations, 77);
  assert_true(k->solver.warn_only);
  assert_string_equal(k->device.backend, "cpu");
  T_NEAR(k->device.memory_limit, 0.5, 0.0);
  assert_int_equal(k->device.memory_limit_where.line, k->device.backend_where.line);
  assert_string_equal(k->output.dir, "there");
  assert_int_equal(k->output.nformats, 1);
  assert_int_equal(k->output.format[0], BF_FILE_VTK);
  assert_true(k->output.csv);
  assert_int_equal(k->output.nfields, 2);
  assert_string_equal(k->output.field[1], "displacement");
  const bf_probe_config *probe = &k->output.probe[0];
  assert_string_equal(probe->name, "tip");
  T_NEAR(probe->at[2], 0.25, 0.0);
  assert_int_equal(probe->nfields, 2);
  assert_string_equal(probe->field[1].name, "stress_nodal");
  assert_int_equal(k->nchecks, 2);
  assert_false(k->check[0].report || k->check[0].relative);
  T_NEAR(k->check[0].tolerance, 1e-6, 0.0);
  assert_string_equal(k->check[0].note, "none");
  assert_true(k->check[1].report && isnan(k->check[1].expected));
  clear(&c);
}

static void the_command_line_overrides_backend_and_folder(void **state)
{
  (void)state;
  config_case          c;
  const bf_run_config *k =
      config_of(&c, BEAM HELD "device: {backend: cuda}\noutput: {dir: there}\n", "cpu", "elsewhere");
  assert_string_equal(k->device.backend, "cpu");
  assert_int_equal(k->device.backend_where.line, 0); /* a message names no line of the deck */
  assert_string_equal(k->output.dir, "elsewhere");
  assert_int_equal(k->output.dir_where.line, 0);
  assert_non_null(k->output.dir_item);
  clear(&c);
}

static void a_modal_deck_has_its_section_and_eigensolver(void **state)
{
  (void)state;
  config_case          c;
  const bf_run_config *k =
      config_of(&c,
                BEAM HELD "analysis: {type: modal, modes: 5, mass: lumped, normalization: max}\n"
                          "eigensolver: {method: lobpcg, preconditioner: block_jacobi}\n",
                NULL, NULL);
  assert_int_equal(k->problem.analysis, BF_MODAL);
  assert_int_equal(k->problem.modes, 5);
  assert_int_equal(k->modal.mass, BF_MASS_LUMPED);
  assert_true(k->modal.largest_is_one);
  T_NEAR(k->modal.shift, 0.0, 0.0);
  assert_int_equal(k->eigensolver.method, BF_EIGEN_METHOD_LOBPCG);
  assert_false(k->eigensolver.precond_auto);
  assert_int_equal(k->eigensolver.precond, BF_EIGEN_BLOCK_JACOBI);
  assert_int_equal(k->eigensolver.blocks.size, 192);
  assert_int_equal(k->eigensolver.max_iterations, 500);
  clear(&c);
}

static void a_dispersion_deck_has_its_path_and_saved_modes(void **state)
{
  (void)state;
  config_case          c;
  const bf_run_config *k = config_of(
      &c,
      HEAD "mesh: {generate: {rectangle: {size: [1.0, 1.0], cells: [4, 4], element: quad8}}}\n"
           "physics: heat\nmaterials:\n  m: {group: surface, k: 1.0, rho: 1.0}\n"
           "analysis:\n  type: dispersion\n  bands: 6\n  lattice: [[1.0, 0.0], [0.0, 1.0]]\n"
           "  points: {g: [0.0, 0.0], x: [0.5, 0.0], m: [0.5, 0.5]}\n  path: [m, g, x]\n  samples: 7\n"
           "boundary:\n  - {type: bloch, pairs: [[x_min, x_max], [y_min, y_max]]}\n"
           "output: {save_modes: {at: [x], bands: [1, 3]}}\n",
      NULL, NULL);
  const bf_dispersion_config *d = &k->dispersion;
  assert_int_equal(d->bands, 6);
  assert_int_equal(d->samples, 7);
  assert_false(d->cartesian);
  assert_int_equal(d->npoints, 3);
  assert_int_equal(d->npath, 3);
  assert_string_equal(d->point[d->path[0]].name, "m");
  T_NEAR(d->point[d->path[2]].x[0], 0.5, 0.0);
  assert_int_equal(d->nsaved_points, 1);
  assert_string_equal(d->saved_point[0], "x");
  assert_int_equal(d->nsaved_bands, 2);
  assert_int_equal(d->saved_band[1], 3);
  assert_int_equal(k->eigensolver.batch, 0);
  assert_int_equal(k->eigensolver.interior_modes, 40);
  clear(&c);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_short_deck_has_the_defaults),
      cmocka_unit_test(given_values_have_their_types_and_locations),
      cmocka_unit_test(the_command_line_overrides_backend_and_folder),
      cmocka_unit_test(a_modal_deck_has_its_section_and_eigensolver),
      cmocka_unit_test(a_dispersion_deck_has_its_path_and_saved_modes),
  };
  return T_RUN(tests);
}
