/* tests/assembly/t220_loads.c - loads and boundary terms: their sums are the analytic ones, exact 1D
 * solutions come out
 *
 * Sums are taken of the external nodal loads that the model keeps (before constraints). */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "assembly/model/internal.h"
#include "tests/assembly/model_case.h"
#include "tests/no_memory.h"

/* Assembles and adds up the nodal loads: sum[3], moment about the origin[3], sum of |.|. */
static double total_load(t_case *c, double sum[3], double moment[3])
{
  bf_model *m = t_model(c);
  t_system  s;
  double    size  = 0.0;
  const int ncomp = bf_model_ncomp(m);
  t_assemble(c, m, T_CSR, &s);
  for (int d = 0; d < 3; d++) sum[d] = moment[d] = 0.0;
  for (bf_int v = 0; v < c->mesh->nnodes; v++) {
    const double *x    = c->mesh->x + 3 * v;
    double        f[3] = {0.0, 0.0, 0.0};
    for (int a = 0; a < ncomp; a++) f[a] = m->f_ext[v * ncomp + a];
    for (int d = 0; d < 3; d++) {
      sum[d] += f[d];
      size += fabs(f[d]);
      moment[d] += x[(d + 1) % 3] * f[(d + 2) % 3] - x[(d + 2) % 3] * f[(d + 1) % 3];
    }
  }
  t_system_clear(&s);
  bf_model_destroy(&m);
  return size;
}

static void clamp(t_case *c)
{
  bf_boundary *b = t_condition(c, c->p.physics == BF_HEAT ? BF_BC_TEMPERATURE : BF_BC_FIXED, t_x_min, 1);
  b->value[0]    = t_number(0.0);
}

/* A smooth map that bends every side and keeps the volume of nothing in particular. */
static void bend(bf_mesh *mesh)
{
  for (bf_int v = 0; v < mesh->nnodes; v++) {
    double      *x = mesh->x + 3 * v;
    const double p = x[0], q = x[1];
    x[0] = p + 0.15 * sin(2.0 * q) + 0.05 * x[2];
    x[1] = q * (1.0 + 0.2 * p) + 0.1 * p * p;
    if (mesh->dim == 3) x[2] *= 1.0 + 0.1 * p * q;
  }
}

static void weight_is_density_times_volume(void **state)
{
  (void)state;
  for (int t = 0; t < T_TYPES; t++) {
    T_ONE_OF(3);
    t_case c;
    double sum[3], moment[3];
    t_case_create(&c, BF_ELASTICITY, t_types[t], 2);
    t_distort(c.mesh, 0.1, 1);
    clamp(&c);
    bf_load *g  = t_load(&c, BF_LOAD_GRAVITY);
    g->value[0] = t_number(0.5);
    g->value[1] = t_number(-9.81);
    if (c.mesh->dim == 2) c.p.thickness = 0.25;
    const double mass = 7.5 * 2.0 * (c.mesh->dim == 2 ? 0.25 : 1.0);
    total_load(&c, sum, moment);
    T_NEAR(sum[0], 0.5 * mass, 1e-12 * mass);
    T_NEAR(sum[1], -9.81 * mass, 1e-11 * mass);
    T_NEAR(sum[2], 0.0, 1e-12);
    t_case_clear(&c);
  }
}

static void loads_act_on_their_groups_and_materials(void **state)
{
  (void)state;
  for (int whole = 0; whole < 2; whole++) {
    t_case   c;
    bf_group group[2], *kept;
    bf_name  name[2];
    double   sum[3], moment[3];
    t_case_create(&c, BF_ELASTICITY, BF_TET4, 3); /* 4 cells along x: the cut is at 1 */
    t_split_materials(&c, group, name);
    c.material[0].rho = 2.0;
    c.material[1].rho = 8.0;
    const int ngroups = c.mesh->ngroups;
    kept              = c.mesh->group;
    bf_group all[16];
    memcpy(all, kept, (size_t)ngroups * sizeof *all);
    memcpy(all + ngroups, group, sizeof group);
    c.mesh->group   = all;
    c.mesh->ngroups = ngroups + 2;
    clamp(&c);
    bf_load *g  = t_load(&c, BF_LOAD_GRAVITY);
    g->value[2] = t_number(-10.0);
    if (!whole) {
      g->ngroups = 1;
      g->group   = &name[1];
    }
    bf_load *f  = t_load(&c, BF_LOAD_BODY_FORCE);
    f->value[0] = t_formula("3*x*x");
    f->ngroups  = 1;
    f->group    = &name[0];
    total_load(&c, sum, moment);
    T_NEAR(sum[0], 1.0, 1e-12); /* integral of 3 x^2 from 0 to 1 */
    T_NEAR(sum[2], whole ? -100.0 : -80.0, 1e-11);
    c.mesh->group   = kept;
    c.mesh->ngroups = ngroups;
    for (int k = 0; k < 2; k++) bf_host_free(group[k].elem);
    t_case_clear(&c);
  }
}

static void pressure_on_a_closed_surface_is_in_balance(void **state)
{
  (void)state;
  for (int t = 0; t < T_TYPES; t++) {
    T_ONE_OF(3);
    t_case c;
    double sum[3], moment[3];
    t_case_create(&c, BF_ELASTICITY, t_types[t], 2);
    bend(c.mesh);
    clamp(&c);
    bf_boundary *p    = t_condition(&c, BF_BC_PRESSURE, t_sides, t_nsides(&c));
    p->value[0]       = t_number(4.0);
    const double size = total_load(&c, sum, moment);
    assert_true(size > 10.0);
    for (int d = 0; d < 3; d++) {
      T_NEAR(sum[d], 0.0, 1e-13 * size);
      /* the moment is the integral of x times a polynomial normal: beyond the face rule where faces are
       * curved */
      if (bf_elem(t_types[t])->order == 1) T_NEAR(moment[d], 0.0, 1e-13 * size);
    }
    t_case_clear(&c);
  }
}

static void pressure_pushes_inwards_however_the_faces_are_listed(void **state)
{
  (void)state;
  for (int t = 0; t < T_TYPES; t++)
    for (int flip = 0; flip < 2; flip++) {
      T_ONE_OF(7);
      t_case c;
      double sum[3], moment[3];
      t_case_create(&c, BF_ELASTICITY, t_types[t], 2);
      clamp(&c);
      for (int b = 0; b < c.mesh->nblocks && flip; b++) { /* faces mirrored in the file */
        const bf_elem_info *info = bf_elem(c.mesh->block[b].type);
        if (info->dim != c.mesh->dim - 1 || info->order != 1) continue;
        for (bf_int e = 0; e < c.mesh->block[b].n; e++) {
          bf_int *n = c.mesh->block[b].node + e * info->nnodes;
          for (int i = 0, j = info->nnodes - 1; i < j; i++, j--) {
            const bf_int k = n[i];
            n[i]           = n[j];
            n[j]           = k;
          }
        }
      }
      for (int side = 0; side < t_nsides(&c); side++) { /* outward normal -x, x, -y, ...; mean pressure 4 */
        const double area = side < 2 ? 1.0 : 2.0;
        c.p.nboundaries   = 1;
        bf_boundary *p    = t_condition(&c, BF_BC_PRESSURE, t_sides + side, 1);
        p->value[0]       = t_formula(side < 2 ? "1 + 6*y" : "1 + 3*x");
        total_load(&c, sum, moment);
        for (int d = 0; d < 3; d++)
          T_NEAR(sum[d], d != side / 2 ? 0.0 : side % 2 ? -4.0 * area : 4.0 * area, 1e-12);
      }
      t_case_clear(&c);
    }
}

static void traction_and_flux_sum_to_their_integrals(void **state)
{
  (void)state;
  static const bf_name twice[] = {{.name = "x_max"}, {.name = "x_max"}}; /* a face counts once */
  for (int t = 0; t < T_TYPES; t++) {
    T_ONE_OF(3);
    t_case       c;
    double       sum[3], moment[3];
    const double h = bf_elem(t_types[t])->dim == 2 ? 0.2 : 1.0;
    t_case_create(&c, BF_ELASTICITY, t_types[t], 2);
    c.p.thickness = 0.2;
    clamp(&c);
    bf_boundary *b = t_condition(&c, BF_BC_TRACTION, twice, 2);
    b->value[0]    = t_number(5.0);
    b->value[1]    = t_formula("3*y^2 - 2");
    total_load(&c, sum, moment);
    T_NEAR(sum[0], 5.0 * h, 1e-12);
    T_NEAR(sum[1], -1.0 * h, 1e-12);
    t_case_clear(&c);

    t_case_create(&c, BF_HEAT, t_types[t], 2);
    c.p.thickness = 0.2;
    clamp(&c);
    b           = t_condition(&c, BF_BC_FLUX, t_x_max, 1);
    b->value[0] = t_formula("2*y");
    bf_load *q  = t_load(&c, BF_LOAD_HEAT_SOURCE);
    q->value[0] = t_formula("x + y");
    total_load(&c, sum, moment);
    T_NEAR(sum[0], (1.0 + 3.0) * h, 1e-12); /* flux 1, source: 2 * mean of x + y */
    t_case_clear(&c);
  }
}

static void a_cooled_bar_has_its_exact_temperature(void **state)
{
  (void)state;
  /* T = T0 at x = 0, -k T' = h (T - Ta) at x = L: T = T0 + s x, s = h (Ta - T0)/(k + h L) */
  const double k = 3.0, h = 7.0, L = 2.0, T0 = 80.0, Ta = 20.0, slope = h * (Ta - T0) / (k + h * L);
  for (int t = 0; t < T_TYPES; t++)
    for (int formula = 0; formula < 2; formula++)
      for (int format = 0; format < T_FORMATS; format++) {
        T_ONE_OF(7);
        t_case  c;
        double *u = NULL;
        t_case_create(&c, BF_HEAT, t_types[t], 2);
        if (c.mesh->dim == 2) c.p.thickness = 0.3; /* cancels */
        bf_boundary *b = t_condition(&c, BF_BC_TEMPERATURE, t_x_min, 1);
        b->value[0]    = t_number(T0);
        b              = t_condition(&c, BF_BC_CONVECTION, t_x_max, 1);
        b->h           = formula ? t_formula("7 + 0*y") : t_number(h);
        b->ambient     = formula ? t_formula("20*cos(0*x)") : t_number(Ta);
        t_solve(&c, (t_format)format, &u);
        for (bf_int v = 0; v < c.mesh->nnodes; v++) T_NEAR(u[v], T0 + slope * c.mesh->x[3 * v], 1e-11 * T0);
        bf_host_free(u);
        t_case_clear(&c);
      }
}

static void a_conductivity_formula_gives_the_exact_solution(void **state)
{
  (void)state;
  /* T = x with k = 1 + x: -(k T')' = -1.  T = x^2: -(k T')' = -2 - 4x, for quadratic elements */
  for (int t = 0; t < T_TYPES; t++) {
    T_ONE_OF(3);
    const int order = bf_elem(t_types[t])->order;
    t_case    c;
    double   *u = NULL;
    t_case_create(&c, BF_HEAT, t_types[t], 2);
    c.material[0].k = t_formula("1 + x");
    bf_boundary *b  = t_condition(&c, BF_BC_TEMPERATURE, t_sides, t_nsides(&c));
    b->value[0]     = t_formula(order == 2 ? "x^2" : "x");
    bf_load *f      = t_load(&c, BF_LOAD_HEAT_SOURCE);
    f->value[0]     = order == 2 ? t_formula("-2 - 4*x") : t_number(-1.0);
    t_solve(&c, T_CSR, &u);
    for (bf_int v = 0; v < c.mesh->nnodes; v++) {
      const double x = c.mesh->x[3 * v];
      T_NEAR(u[v], order == 2 ? x * x : x, 1e-11);
    }
    bf_host_free(u);
    t_case_clear(&c);
  }
}

static void a_stiffness_formula_gives_the_exact_solution(void **state)
{
  (void)state;
  /* u = (x, 0, 0), nu = 0, E = 1 + x: sigma_xx = 1 + x, body force -1 */
  for (int t = 0; t < T_TYPES; t++) {
    T_ONE_OF(3);
    t_case  c;
    double *u = NULL;
    t_case_create(&c, BF_ELASTICITY, t_types[t], 2);
    const int d      = c.mesh->dim;
    c.material[0].E  = t_formula("1 + x");
    c.material[0].nu = 0.0;
    bf_boundary *b   = t_condition(&c, BF_BC_DISPLACEMENT, t_sides, t_nsides(&c));
    for (int a = 0; a < d; a++) {
      b->given[a] = 1;
      b->value[a] = a == 0 ? t_formula("x") : t_number(0.0);
    }
    bf_load *f  = t_load(&c, BF_LOAD_BODY_FORCE);
    f->value[0] = t_number(-1.0);
    t_solve(&c, T_CSR, &u);
    for (bf_int v = 0; v < c.mesh->nnodes; v++)
      for (int a = 0; a < d; a++) T_NEAR(u[v * d + a], a == 0 ? c.mesh->x[3 * v] : 0.0, 1e-11);
    bf_host_free(u);
    t_case_clear(&c);
  }
}

static void two_materials_meet_with_a_kink(void **state)
{
  (void)state;
  /* k = 1 left of x = 1, 3 right of it, T(0) = 0, T(2) = 4: flux q = 4/(1 + 1/3) = 3 */
  for (int formula = 0; formula < 2; formula++) {
    t_case   c;
    bf_group group[2];
    bf_name  name[2];
    double  *u = NULL;
    t_case_create(&c, BF_HEAT, BF_HEX8, 3);
    t_split_materials(&c, group, name);
    c.material[0].k   = t_number(1.0);
    c.material[1].k   = formula ? t_formula("3") : t_number(3.0);
    bf_group *kept    = c.mesh->group, all[16];
    const int ngroups = c.mesh->ngroups;
    memcpy(all, kept, (size_t)ngroups * sizeof *all);
    memcpy(all + ngroups, group, sizeof group);
    c.mesh->group                                            = all;
    c.mesh->ngroups                                          = ngroups + 2;
    t_condition(&c, BF_BC_TEMPERATURE, t_x_min, 1)->value[0] = t_number(0.0);
    t_condition(&c, BF_BC_TEMPERATURE, t_x_max, 1)->value[0] = t_number(4.0);
    t_solve(&c, T_BDIA_HALF, &u);
    for (bf_int v = 0; v < c.mesh->nnodes; v++) {
      const double x = c.mesh->x[3 * v];
      T_NEAR(u[v], x < 1.0 ? 3.0 * x : 3.0 + (x - 1.0), 1e-12);
    }
    bf_host_free(u);
    c.mesh->group   = kept;
    c.mesh->ngroups = ngroups;
    for (int k = 0; k < 2; k++) bf_host_free(group[k].elem);
    t_case_clear(&c);
  }
}

static void a_formula_with_no_value_somewhere_is_named(void **state)
{
  (void)state;
  t_case c;
  t_case_create(&c, BF_HEAT, BF_QUAD4, 2);
  clamp(&c);
  bf_load *f        = t_load(&c, BF_LOAD_HEAT_SOURCE);
  f->value[0]       = t_formula("1/(x-x)");
  bf_model     *m   = t_model(&c);
  bf_numbering *num = NULL;
  bf_matrix    *A   = NULL;
  double       *b = NULL, *x0 = NULL;
  T_OK(bf_numbering_create(c.mesh, BF_ORDER_FILE, &num));
  T_OK(bf_matrix_create_bdia(t_be, num->bands, 1, 0, BF_FP64, num->nnz, &A));
  T_OK(bf_vector_create(t_be, A->nrows, A->guard, &b));
  T_OK(bf_vector_create(t_be, A->nrows, A->guard, &x0));
  T_ERR(BF_E_MODEL, bf_model_assemble(m, num, A, b, x0, NULL));
  assert_int_equal(c.diags.errors, 1);
  assert_int_equal(c.diags.item[0].code, 319);
  assert_int_equal(c.diags.item[0].line, 9);
  T_CONTAINS(c.diags.item[0].text, "formula '1/(x-x)' is inf at (");
  T_CONTAINS(bf_err_message(), "1/(x-x)");
  bf_vector_destroy(t_be, A->guard, &b);
  bf_vector_destroy(t_be, A->guard, &x0);
  bf_matrix_destroy(&A);
  bf_numbering_destroy(&num);
  bf_model_destroy(&m);
  t_case_clear(&c);
}

static void the_phases_are_all_there(void **state)
{
  (void)state;
  static const char *const names[] = {"assembly: tables", "assembly: element matrices", "assembly: scatter",
                                      "assembly: loads", "assembly: constraints"};
  t_case                   c;
  t_system                 s;
  t_case_create(&c, BF_ELASTICITY, BF_HEX8, 2);
  clamp(&c);
  t_load(&c, BF_LOAD_GRAVITY)->value[2] = t_number(-1.0);
  bf_model *m                           = t_model(&c);
  t_assemble(&c, m, T_BDIA_FULL, &s);
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    int found = 0;
    for (int k = 0; k < s.phases.count; k++)
      if (strncmp(s.phases.phase[k].name, names[i], strlen(names[i])) == 0 && s.phases.phase[k].bytes > 0.0)
        found = 1;
    if (!found) fail_msg("no phase '%s' with bytes", names[i]);
  }
  t_system_clear(&s);
  bf_model_destroy(&m);
  t_case_clear(&c);
}

static void a_failed_allocation_leaks_nothing(void **state)
{
  (void)state;
  T_LONG;
  t_case c;
  t_case_create(&c, BF_HEAT, BF_HEX8, 2);
  clamp(&c);
  c.material[0].k                                  = t_formula("1 + x");
  t_load(&c, BF_LOAD_HEAT_SOURCE)->value[0]        = t_formula("y");
  t_condition(&c, BF_BC_CONVECTION, t_x_max, 1)->h = t_formula("1 + y");
  c.boundary[1].ambient                            = t_number(3.0);
  bf_model     *m                                  = t_model(&c);
  bf_numbering *num                                = NULL;
  T_OK(bf_numbering_create(c.mesh, BF_ORDER_FILE, &num));
  t_no_memory t = {.spare = 1}; /* a formula for each thread, or for fewer */
  while (t_no_memory_next(&t)) {
    bf_matrix *A = NULL;
    double    *b = NULL, *x0 = NULL;
    bf_host_free(m->f_ext);
    m->f_ext = NULL;
    T_OK(bf_matrix_create_bdia(t_be, num->bands, 1, 1, BF_FP64, num->nnz, &A));
    T_OK(bf_vector_create(t_be, A->nrows, A->guard, &b));
    T_OK(bf_vector_create(t_be, A->nrows, A->guard, &x0));
    t_no_memory_begin(&t);
    t_no_memory_end(&t, bf_model_assemble(m, num, A, b, x0, NULL));
    bf_vector_destroy(t_be, A->guard, &b);
    bf_vector_destroy(t_be, A->guard, &x0);
    bf_matrix_destroy(&A);
    bf_host_free(m->f_ext);
    m->f_ext = NULL;
  }
  assert_true(t.errors > (t_be->ops.on_device ? 10 : 30)); /* a device's memory is not planned to fail */
  bf_numbering_destroy(&num);
  bf_model_destroy(&m);
  t_case_clear(&c);
}

int main(int argc, char **argv)
{
  const int               code    = t_backend_open(argc, argv);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(weight_is_density_times_volume),
      cmocka_unit_test(loads_act_on_their_groups_and_materials),
      cmocka_unit_test(pressure_on_a_closed_surface_is_in_balance),
      cmocka_unit_test(pressure_pushes_inwards_however_the_faces_are_listed),
      cmocka_unit_test(traction_and_flux_sum_to_their_integrals),
      cmocka_unit_test(a_cooled_bar_has_its_exact_temperature),
      cmocka_unit_test(a_conductivity_formula_gives_the_exact_solution),
      cmocka_unit_test(a_stiffness_formula_gives_the_exact_solution),
      cmocka_unit_test(two_materials_meet_with_a_kink),
      cmocka_unit_test(a_formula_with_no_value_somewhere_is_named),
      cmocka_unit_test(the_phases_are_all_there),
      cmocka_unit_test(a_failed_allocation_leaks_nothing),
  };
  if (code) return code;
  return t_backend_close(T_RUN(tests));
}
