/* tests/assembly/t217_spectra.c - spectra of elements: closed forms, an independent rule and Jacobi's method,
 * hourglass modes, laws of scale, time steps against the assembled pencil, what has none, failing allocations
 *
 * usage: t217_spectra <backend>
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "assembly/assemble/mass.h"
#include "tests/assembly/spectrum_case.h"
#include "tests/reference/dense.h"

static void a_square_has_the_eigenvalues_of_the_closed_form(void **state)
{
  (void)state;
  for (int strain = 0; strain < 2; strain++) {
    spectrum_case k;
    single(&k, BF_ELASTICITY, BF_QUAD4, 1.0);
    k.c.p.space     = strain ? BF_SPACE_PLANE_STRAIN : BF_SPACE_PLANE_STRESS;
    k.c.p.thickness = 0.1;
    see(&k);
    const double E = 210.0, nu = 0.3, t = 0.1, G = E / (2.0 * (1.0 + nu));
    const double C11 = strain ? E * (1.0 - nu) / ((1.0 + nu) * (1.0 - 2.0 * nu)) : E / (1.0 - nu * nu);
    T_NEAR(k.max[0], (2.0 * C11 - 2.0 * G) * t, 1e-12 * C11); /* x, y: C11 + C12, C12 = C11 - 2 G */
    T_NEAR(k.min[0], (C11 + G) * t / 3.0, 1e-12 * C11);       /* xy: bending */
    assert_true(k.zero[0] == 3.0);
    assert_int_equal(k.out.nspectra, 1);
    assert_int_equal(k.out.spectrum[0].faulty, 0);
    assert_int_equal(k.out.spectrum[0].expected, 3);
    clear(&k);
  }
}

static void a_cube_expands_against_three_halves_of_its_bulk_modulus(void **state)
{
  (void)state;
  spectrum_case k;
  single(&k, BF_ELASTICITY, BF_HEX8, 1.0);
  see(&k);
  T_NEAR(k.max[0], 1.5 * 210.0 / (3.0 * (1.0 - 0.6)), 1e-10); /* (x, y, z): 9 K over |u|^2 = 6 */
  assert_true(k.zero[0] == 6.0);
  clear(&k);
}

/* Where the map is affine any rule that is exact gives the same matrix. */
static void every_type_agrees_with_another_rule_and_jacobis_method(void **state)
{
  (void)state;
  for (int t = 0; t < T_TYPES; t++)
    for (int heat = 0; heat < 2; heat++) {
      T_ONE_OF(7);
      spectrum_case k;
      begin(&k, heat ? BF_HEAT : BF_ELASTICITY, t_types[t], 1);
      for (bf_int v = 0; v < k.c.mesh->nnodes; v++)
        k.c.mesh->x[3 * v] += 0.3 * k.c.mesh->x[3 * v + 1]; /* skew */
      see(&k);
      const int nd = bf_elem(t_types[t])->nnodes * k.m->ncomp, rigid = bf_model_motions(k.m);
      double   *K = calloc((size_t)(nd * nd), sizeof *K), *d = calloc((size_t)nd, sizeof *d),
             *w = calloc((size_t)nd, sizeof *w);
      for (bf_int cell = 0; cell < k.view->ncells; cell++) {
        reference(&k, k.view->elem[cell], K, d);
        for (int pass = 0; pass < 2; pass++) {
          for (int i = 0; i < nd * nd && pass; i++) K[i] /= sqrt(d[i / nd] * d[i % nd]);
          double *copy = malloc((size_t)(nd * nd) * sizeof *copy);
          memcpy(copy, K, (size_t)(nd * nd) * sizeof *copy);
          t_symmetric_values(nd, copy, w);
          free(copy);
          if (pass == 0) {
            T_NEAR(k.max[cell], w[nd - 1], 1e-11 * w[nd - 1]);
            T_NEAR(k.min[cell], w[rigid], 1e-11 * w[nd - 1]);
            assert_true(k.zero[cell] == rigid);
          } else if (!heat)
            T_NEAR(k.step[cell], 2.0 / sqrt(w[nd - 1]), 1e-11 * k.step[cell]);
        }
      }
      assert_true(!heat || !k.step);
      free(K);
      free(d);
      free(w);
      clear(&k);
    }
}

static void sound_elements_have_the_rigid_motions_however_they_are_distorted(void **state)
{
  (void)state;
  for (int t = 0; t < T_TYPES; t++)
    for (int way = 0; way < 4; way++) { /* heat, solid, round the axis, incompatible modes */
      T_ONE_OF(7);
      const int linear = t_types[t] == BF_QUAD4 || t_types[t] == BF_HEX8;
      if ((way == 2 && bf_elem(t_types[t])->dim == 3) || (way == 3 && !linear)) continue;
      spectrum_case k;
      begin(&k, way ? BF_ELASTICITY : BF_HEAT, t_types[t], 2);
      t_distort(k.c.mesh, 0.1, 1);
      k.c.p.incompatible = way == 3;
      if (way == 2) k.c.p.space = BF_SPACE_AXISYMMETRIC;
      for (bf_int v = 0; v < k.c.mesh->nnodes; v++) k.c.mesh->x[3 * v] += 100.0; /* far from the origin */
      see(&k);
      const int rigid = way == 0 || way == 2 ? 1 : k.c.mesh->dim == 2 ? 3 : 6;
      for (bf_int cell = 0; cell < k.view->ncells; cell++) {
        assert_true(k.zero[cell] == rigid);
        assert_true(k.min[cell] > 0.0 && k.min[cell] <= k.max[cell]);
      }
      clear(&k);
    }
}

static void few_points_leave_hourglass_modes(void **state)
{
  static const struct {
    bf_elem_type type;
    int          heat, points, zeros;
  } all[] = {{BF_QUAD4, 0, 1, 5},  {BF_QUAD8, 0, 2, 4}, {BF_QUAD9, 0, 2, 6}, {BF_HEX8, 0, 1, 18},
             {BF_HEX20, 0, 2, 12}, {BF_QUAD4, 1, 1, 2}, {BF_HEX8, 1, 1, 5},  {BF_TRI6, 0, 1, 9}};
  (void)state;
  T_LONG_CHAINS;
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    spectrum_case k;
    begin(&k, all[i].heat ? BF_HEAT : BF_ELASTICITY, all[i].type, 2);
    k.c.p.quadrature = all[i].points;
    t_distort(k.c.mesh, 0.05, 0);
    see(&k);
    for (bf_int cell = 0; cell < k.view->ncells; cell++) assert_true(k.zero[cell] == all[i].zeros);
    const bf_spectrum *s = &k.out.spectrum[0];
    assert_int_equal(s->most, all[i].zeros);
    assert_int_equal(s->faulty, k.view->ncells);
    assert_int_equal(s->elements, k.view->ncells);
    clear(&k);
  }
}

static void condensed_elements_are_looked_at_whole(void **state)
{
  (void)state;
  for (int dim = 2; dim <= (t_quick() == 2 ? 2 : 3); dim++) {
    spectrum_case whole, condensed;
    begin(&whole, BF_ELASTICITY, dim == 2 ? BF_QUAD9 : BF_HEX27, 2);
    begin(&condensed, BF_ELASTICITY, dim == 2 ? BF_QUAD9 : BF_HEX27, 2);
    condensed.c.p.condense = BF_CONDENSE_ON;
    see(&whole);
    see(&condensed);
    assert_true(bf_model_condensed(condensed.m) > 0);
    const size_t bytes = (size_t)whole.view->ncells * sizeof(double);
    assert_memory_equal(whole.min, condensed.min, bytes);
    assert_memory_equal(whole.max, condensed.max, bytes);
    assert_memory_equal(whole.step, condensed.step, bytes);
    clear(&whole);
    clear(&condensed);
  }
}

/* E times 4: eigenvalues times 4, steps halved; rho times 4: steps doubled; twice as large: eigenvalues times
 * 1 in the plane, 2 in space, steps doubled.  Powers of 2, so to the last bits. */
static void eigenvalues_and_steps_follow_modulus_density_and_size(void **state)
{
  (void)state;
  T_LONG_CHAINS;
  for (int dim = 2; dim <= 3; dim++) {
    spectrum_case at, stiff, heavy, large;
    for (int i = 0; i < 4; i++) {
      spectrum_case *k = (spectrum_case *[]){&at, &stiff, &heavy, &large}[i];
      begin(k, BF_ELASTICITY, dim == 2 ? BF_QUAD8 : BF_HEX8, 2);
      t_distort(k->c.mesh, 0.1, 0);
      if (i == 1) k->c.material[0].E = t_number(840.0);
      if (i == 2) k->c.material[0].rho = 30.0;
      for (bf_int v = 0; v < 3 * k->c.mesh->nnodes && i == 3; v++) k->c.mesh->x[v] *= 2.0;
      see(k);
    }
    for (bf_int c = 0; c < at.view->ncells; c++) {
      const double grown = dim == 2 ? 1.0 : 2.0, tol = 1e-12;
      T_NEAR(stiff.min[c], 4.0 * at.min[c], tol * at.max[c]);
      T_NEAR(stiff.max[c], 4.0 * at.max[c], tol * at.max[c]);
      T_NEAR(heavy.max[c], at.max[c], tol * at.max[c]);
      T_NEAR(large.min[c], grown * at.min[c], tol * at.max[c]);
      T_NEAR(large.max[c], grown * at.max[c], tol * at.max[c]);
      T_NEAR(stiff.step[c], 0.5 * at.step[c], tol * at.step[c]);
      T_NEAR(heavy.step[c], 2.0 * at.step[c], tol * at.step[c]);
      T_NEAR(large.step[c], 2.0 * at.step[c], tol * at.step[c]);
    }
    clear(&at);
    clear(&stiff);
    clear(&heavy);
    clear(&large);
  }
}

static void the_summary_names_the_elements_of_the_extremes(void **state)
{
  (void)state;
  spectrum_case k;
  bf_group      group[2];
  bf_name       name[2];
  begin(&k, BF_ELASTICITY, BF_QUAD4, 2);
  t_split_materials(&k.c, group, name);
  const int ngroups = k.c.mesh->ngroups;
  bf_group *all = malloc((size_t)(ngroups + 2) * sizeof *all), *own = k.c.mesh->group;
  memcpy(all, own, (size_t)ngroups * sizeof *all);
  memcpy(all + ngroups, group, sizeof group);
  k.c.mesh->group     = all;
  k.c.mesh->ngroups   = ngroups + 2;
  k.c.material[0].E   = t_formula("210*(2 - x)"); /* stiffest at the left, heaviest at the right */
  k.c.material[1].E   = t_number(10.0);
  k.c.material[1].rho = 30.0;
  see(&k);
  const bf_spectrum *s   = &k.out.spectrum[0];
  const int64_t     *tag = bf_mesh_block(k.c.mesh, BF_QUAD4)->tag;
  assert_int_equal(s->max_id, tag[0]);
  assert_int_equal(s->min_id, tag[2]); /* the first of x > 4/3 */
  assert_int_equal(s->step_id, tag[0]);
  assert_int_equal(s->most, 3);
  T_NEAR(s->max, k.max[0], 0.0);
  T_NEAR(s->min, k.min[2], 0.0);
  T_NEAR(s->step, k.step[0], 0.0);
  k.c.mesh->group   = own;
  k.c.mesh->ngroups = ngroups;
  free(all);
  for (int i = 0; i < 2; i++) bf_host_free(group[i].elem);
  clear(&k);
}

/* Rayleigh: nothing of the assembled body is faster than the fastest element alone; and the bound is not far.
 */
static void no_vibration_of_the_body_is_faster_than_its_fastest_element(void **state)
{
  (void)state;
  T_LONG_CHAINS;
  for (int t = 0; t < T_TYPES; t++) {
    T_ONE_OF(3);
    spectrum_case k;
    if (bf_elem(t_types[t])->dim == 3 && bf_elem(t_types[t])->order == 2) continue; /* long in the oracle */
    begin(&k, BF_ELASTICITY, t_types[t], 2);
    t_distort(k.c.mesh, 0.1, 0);
    see(&k);
    bf_matrix *M = NULL;
    const int  n = k.s.n;
    double *m = calloc((size_t)n * (size_t)n, sizeof *m), *w = calloc((size_t)n, sizeof *w), least = INFINITY;
    T_OK(bf_mass_diagonal_create(t_be, k.s.num, k.m->ncomp, &M));
    T_OK(bf_model_mass(k.m, k.s.num, BF_MASS_LUMPED, 0, M, NULL));
    T_OK(bf_matrix_to_dense(M, m));
    for (int i = 0; i < n; i++) w[i] = 1.0 / sqrt(m[i * n + i]);
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) m[i * n + j] = w[i] * k.s.dense[i * n + j] * w[j];
    for (int i = 0; i < n; i++) /* what is held does not move */
      for (int j = 0; j < n; j++) {
        const bf_int nc = k.m->ncomp;
        if (k.m->fixed[k.s.num->node[i / nc] * nc + i % nc] ||
            k.m->fixed[k.s.num->node[j / nc] * nc + j % nc])
          m[i * n + j] = 0.0;
      }
    t_symmetric_values(n, m, w);
    for (bf_int c = 0; c < k.view->ncells; c++) least = fmin(least, k.step[c]);
    assert_true(least <= 2.0 / sqrt(w[n - 1]) * (1.0 + 1e-12));
    assert_true(least >= 0.5 * 2.0 / sqrt(w[n - 1]));
    T_NEAR(k.out.spectrum[0].step, least, 0.0);
    bf_matrix_destroy(&M);
    free(m);
    free(w);
    clear(&k);
  }
}

static void refuse(spectrum_case *k, int code, const char *text)
{
  bf_diags  diags = {0};
  bf_model *m     = NULL;
  assert_int_not_equal(bf_model_create(k->c.mesh, t_problem(&k->c), &diags, &m), BF_OK);
  int found = 0;
  for (int i = 0; i < diags.count; i++)
    found |= diags.item[i].code == code && strstr(diags.item[i].text, text);
  assert_true(found);
  bf_diags_clear(&diags);
  bf_model_destroy(&m);
  t_case_clear(&k->c);
}

static void what_has_no_spectra_is_refused(void **state)
{
  (void)state;
  spectrum_case k;
  begin(&k, BF_ELASTICITY, BF_QUAD4, 2);
  k.c.p.order = 2;
  refuse(&k, 317, "method gfem");
  memset(&k, 0, sizeof k);
  t_case_create(&k.c, BF_ADVECTION, BF_QUAD4, 2);
  t_condition(&k.c, BF_BC_VALUE, t_x_min, 1)->value[0] = t_number(1.0);
  k.c.p.spectrum                                       = 1;
  refuse(&k, 317, "not symmetric");
  begin(&k, BF_ELASTICITY, BF_QUAD4, 2);
  k.c.p.analysis = BF_MODAL;
  refuse(&k, 317, "analysis static");
  begin(&k, BF_ELASTICITY, BF_QUAD4, 2);
  k.c.material[0].has_rho = 0;
  k.c.p.time_step         = 1;
  refuse(&k, 304, "a time step needs");
}

static void without_density_there_are_no_steps(void **state)
{
  (void)state;
  spectrum_case k;
  begin(&k, BF_ELASTICITY, BF_QUAD4, 2);
  k.c.material[0].has_rho = 0;
  see(&k);
  assert_null(k.step);
  assert_true(k.out.spectrum[0].step == 0.0);
  clear(&k);
}

static void what_is_not_asked_for_is_not_made(void **state)
{
  (void)state;
  t_case   c;
  t_solved r;
  t_case_create(&c, BF_ELASTICITY, BF_QUAD4, 2);
  t_condition(&c, BF_BC_FIXED, t_x_min, 1);
  t_solve_case(&c, &r);
  assert_int_equal(r.out.nspectra, 0);
  for (int i = 0; i < r.out.nfields; i++) assert_null(strstr(r.out.field[i].name, "spectrum"));
  t_solved_clear(&c, &r);
}

static void nothing_leaks_when_allocations_fail(void **state)
{
  (void)state;
  T_LONG;
  for (int modes = 0; modes < 2; modes++) {
    spectrum_case k;
    begin(&k, BF_ELASTICITY, BF_QUAD4, 2);
    k.c.p.incompatible = modes;
    assert_true(t_fail_everywhere(&k.c) > 20);
    t_case_clear(&k.c);
  }
}

int main(int argc, char **argv)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_square_has_the_eigenvalues_of_the_closed_form),
      cmocka_unit_test(a_cube_expands_against_three_halves_of_its_bulk_modulus),
      cmocka_unit_test(every_type_agrees_with_another_rule_and_jacobis_method),
      cmocka_unit_test(sound_elements_have_the_rigid_motions_however_they_are_distorted),
      cmocka_unit_test(few_points_leave_hourglass_modes),
      cmocka_unit_test(condensed_elements_are_looked_at_whole),
      cmocka_unit_test(eigenvalues_and_steps_follow_modulus_density_and_size),
      cmocka_unit_test(the_summary_names_the_elements_of_the_extremes),
      cmocka_unit_test(no_vibration_of_the_body_is_faster_than_its_fastest_element),
      cmocka_unit_test(what_has_no_spectra_is_refused),
      cmocka_unit_test(without_density_there_are_no_steps),
      cmocka_unit_test(what_is_not_asked_for_is_not_made),
      cmocka_unit_test(nothing_leaks_when_allocations_fail),
  };
  const int code = t_backend_open(argc, argv);
  return code ? code : t_backend_close(T_RUN(tests));
}
