/* tests/assembly/t216_mass.c - the mass matrix: whole bodies, single elements, constrained unknowns, inertia
 *
 * usage: t216_mass <backend>
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "assembly/basis/shape.h"
#include "tests/assembly/mass_case.h"

/* Sum of the entries of direction c with direction d. */
static double sum_of(const mass_case *k, int c, int d)
{
  const bf_int D = k->M->ncomp;
  double       s = 0.0;
  for (bf_int i = c; i < k->n; i += D)
    for (bf_int j = d; j < k->n; j += D) s += t_mass_entry(k, i, j);
  return s;
}

static void every_direction_has_the_mass_of_the_body(void **state)
{
  (void)state;
  for (int type = 0; type < T_TYPES; type++)
    for (int format = 0; format < T_FORMATS; format++)
      for (int kind = 0; kind < 2; kind++) {
        T_ONE_OF(7);
        mass_case k;
        t_mass_begin(&k, type % 2 ? BF_HEAT : BF_ELASTICITY, t_types[type], 1 + type % 2);
        t_mass_make(&k, (t_format)format, (bf_mass)kind, 0);
        const double mass = 2.0 * 7.5 * (k.c.mesh->dim == 3 ? 1.0 : 0.25);
        for (int c = 0; c < k.M->ncomp; c++)
          for (int d = 0; d < k.M->ncomp; d++) T_NEAR(sum_of(&k, c, d), c == d ? mass : 0.0, 1e-13 * mass);
        for (bf_int i = 0; i < k.n; i++) assert_true(t_mass_entry(&k, i, i) > 0.0);
        for (bf_int i = 0; i < k.n && kind == BF_MASS_LUMPED; i++)
          for (bf_int j = 0; j < k.n; j++) assert_true(i == j || t_mass_entry(&k, i, j) == 0.0);
        t_mass_clear(&k);
      }
}

static void each_material_brings_its_own(void **state)
{
  (void)state;
  mass_case k;
  bf_group  group[2], all[16], *own;
  bf_name   name[2];
  t_mass_begin(&k, BF_ELASTICITY, BF_QUAD8, 3);
  t_split_materials(&k.c, group, name);
  k.c.material[1].rho = 30.0;
  own                 = k.c.mesh->group;
  const int ngroups   = k.c.mesh->ngroups;
  memcpy(all, own, (size_t)ngroups * sizeof *all);
  memcpy(all + ngroups, group, sizeof group);
  k.c.mesh->group   = all;
  k.c.mesh->ngroups = ngroups + 2;
  t_mass_make(&k, T_BDIA_FULL, BF_MASS_LUMPED, 0);
  T_NEAR(sum_of(&k, 0, 0), 0.25 * (7.5 + 30.0), 1e-12);
  k.c.mesh->group   = own;
  k.c.mesh->ngroups = ngroups;
  for (int i = 0; i < 2; i++) bf_host_free(group[i].elem);
  t_mass_clear(&k);
}

/* Bodies of revolution: a disc of radius 2. */
static void a_body_of_revolution_has_the_mass_of_the_whole_turn(void **state)
{
  (void)state;
  for (int type = 0; type < 5; type++)
    for (int kind = 0; kind < 2; kind++) {
      mass_case k;
      t_mass_begin(&k, BF_ELASTICITY, t_types[type], 2);
      k.c.p.space = BF_SPACE_AXISYMMETRIC;
      t_mass_make(&k, T_CSR, (bf_mass)kind, 0);
      for (int c = 0; c < 2; c++) T_NEAR(sum_of(&k, c, c), 7.5 * 0.5 * BF_TWO_PI * 4.0, 1e-11);
      t_mass_clear(&k);
    }
}

/* M of one direction by node, with the most points there are, on the host. */
static double *reference(const mass_case *k, int revolved)
{
  const bf_mesh *mesh = k->c.mesh;
  const size_t   n    = (size_t)mesh->nnodes;
  double        *M    = calloc(n * n, sizeof *M);
  for (int b = 0; b < mesh->nblocks; b++) {
    const bf_block     *block = &mesh->block[b];
    const bf_elem_info *info  = bf_elem(block->type);
    bf_rule             rule;
    if (info->dim != mesh->dim) continue;
    T_OK(bf_quadrature(block->type, bf_quadrature_max(block->type), BF_RULE_MASS, &rule));
    for (bf_int e = 0; e < block->n; e++)
      for (int q = 0; q < rule.n; q++) {
        const bf_int *node = block->node + (size_t)e * (size_t)info->nnodes;
        double        N[BF_NEN_MAX], dN[BF_NEN_MAX][3], J[3][3] = {{0}}, r = 0.0;
        bf_shape(block->type, rule.xi[q], N, dN);
        for (int a = 0; a < info->nnodes; a++) {
          r += N[a] * mesh->x[3 * node[a]];
          for (int i = 0; i < 3; i++)
            for (int j = 0; j < info->dim; j++) J[i][j] += mesh->x[3 * node[a] + i] * dN[a][j];
        }
        const double det = mesh->dim == 2 ? J[0][0] * J[1][1] - J[0][1] * J[1][0]
                                          : J[0][0] * (J[1][1] * J[2][2] - J[1][2] * J[2][1]) -
                                                J[0][1] * (J[1][0] * J[2][2] - J[1][2] * J[2][0]) +
                                                J[0][2] * (J[1][0] * J[2][1] - J[1][1] * J[2][0]);
        const double c   = 7.5 * (revolved ? BF_TWO_PI * r : mesh->dim == 2 ? 0.25 : 1.0) * rule.w[q] * det;
        for (int a = 0; a < info->nnodes; a++)
          for (int d = 0; d < info->nnodes; d++) M[(size_t)node[a] * n + (size_t)node[d]] += c * N[a] * N[d];
      }
  }
  return M;
}

/* The rule of the mass integrates N^T N of undistorted elements, times r too: more points change nothing. */
static void the_rule_is_exact_on_elements_of_constant_jacobian(void **state)
{
  (void)state;
  for (int type = 0; type < T_TYPES; type++)
    for (int revolved = 0; revolved < (bf_elem(t_types[type])->dim == 2 ? 2 : 1); revolved++) {
      T_ONE_OF(7);
      mass_case k;
      t_mass_begin(&k, BF_ELASTICITY, t_types[type], 1);
      if (revolved) k.c.p.space = BF_SPACE_AXISYMMETRIC;
      t_mass_make(&k, T_CSR, BF_MASS_CONSISTENT, 0);
      double   *want = reference(&k, revolved), worst = 0.0, most = 0.0;
      const int D = k.M->ncomp;
      for (bf_int v = 0; v < k.c.mesh->nnodes; v++)
        for (bf_int w = 0; w < k.c.mesh->nnodes; w++)
          for (int c = 0; c < D; c++) {
            const double m = want[(size_t)v * (size_t)k.c.mesh->nnodes + (size_t)w];
            worst = fmax(worst, fabs(m - t_mass_entry(&k, k.num->row[v] * D + c, k.num->row[w] * D + c)));
            most  = fmax(most, fabs(m));
          }
      T_LE(worst, 2e-14 * most);
      free(want);
      t_mass_clear(&k);
    }
}

/* One element on [0,2]x[0,1], mass 0.25*2*7.5 = 3.75; values of the textbooks. */
static void single_elements_have_the_matrices_of_the_textbooks(void **state)
{
  (void)state;
  static const struct {
    bf_elem_type type;
    bf_mass      kind;
    int          a, b; /* nodes of the element */
    double       share;
  } want[] = {
      {BF_QUAD4, BF_MASS_CONSISTENT, 0, 0, 4.0 / 36},   {BF_QUAD4, BF_MASS_CONSISTENT, 0, 1, 2.0 / 36},
      {BF_QUAD4, BF_MASS_CONSISTENT, 0, 2, 1.0 / 36},   {BF_QUAD4, BF_MASS_LUMPED, 0, 0, 1.0 / 4},
      {BF_QUAD8, BF_MASS_LUMPED, 0, 0, 3.0 / 76},       {BF_QUAD8, BF_MASS_LUMPED, 5, 5, 16.0 / 76},
      {BF_QUAD9, BF_MASS_CONSISTENT, 0, 0, 16.0 / 900}, {BF_QUAD9, BF_MASS_CONSISTENT, 8, 8, 256.0 / 900},
      {BF_QUAD9, BF_MASS_CONSISTENT, 0, 2, 1.0 / 900},  {BF_QUAD9, BF_MASS_LUMPED, 0, 0, 1.0 / 36},
      {BF_QUAD9, BF_MASS_LUMPED, 4, 4, 4.0 / 36},       {BF_QUAD9, BF_MASS_LUMPED, 8, 8, 16.0 / 36}};
  for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
    const double size[3] = {2.0, 1.0, 0.0};
    const bf_int n[3]    = {1, 1, 0};
    mass_case    k;
    t_mass_begin(&k, BF_HEAT, want[i].type, 1);
    bf_mesh_destroy(&k.c.mesh);
    T_OK(bf_mesh_rectangle(size, n, want[i].type, &k.c.mesh));
    t_mass_make(&k, T_CSR, want[i].kind, 0);
    int           nen;
    const bf_int *node = bf_mesh_elem_nodes(k.c.mesh, k.m->block[0].block->first, &nen);
    T_NEAR(t_mass_entry(&k, k.num->row[node[want[i].a]], k.num->row[node[want[i].b]]), 3.75 * want[i].share,
           1e-14);
    t_mass_clear(&k);
  }
}

static void held_unknowns_have_no_mass(void **state)
{
  (void)state;
  for (int format = 0; format < T_FORMATS; format++)
    for (int kind = 0; kind < 2; kind++) {
      T_ONE_OF(7);
      mass_case k;
      bf_int    constrained = 0;
      t_mass_begin(&k, BF_ELASTICITY, BF_HEX8, 2);
      t_condition(&k.c, BF_BC_SYMMETRY, t_x_min, 1);
      t_condition(&k.c, BF_BC_FIXED, t_x_max, 1);
      t_mass_make(&k, (t_format)format, (bf_mass)kind, 1);
      for (bf_int v = 0; v < k.c.mesh->nnodes; v++)
        for (int c = 0; c < 3; c++) {
          const bf_int r = k.num->row[v] * 3 + c;
          if (!k.m->fixed[v * 3 + c]) {
            assert_true(t_mass_entry(&k, r, r) > 0.0);
            continue;
          }
          constrained++;
          for (bf_int j = 0; j < k.n; j++)
            assert_true(t_mass_entry(&k, r, j) == 0.0 && t_mass_entry(&k, j, r) == 0.0);
        }
      assert_int_equal(constrained, 9 + 27);
      t_mass_clear(&k);
    }
}

static void a_matrix_with_the_diagonal_alone_holds_a_lumped_mass(void **state)
{
  (void)state;
  mass_case  k;
  bf_matrix *D = NULL;
  t_mass_begin(&k, BF_ELASTICITY, BF_TET10, 1);
  t_mass_make(&k, T_BDIA_HALF, BF_MASS_LUMPED, 0);
  T_OK(bf_mass_diagonal_create(t_be, k.num, 3, &D));
  T_OK(bf_matrix_check(D));
  T_OK(bf_model_mass(k.m, k.num, BF_MASS_LUMPED, 0, D, NULL));
  double *other = malloc((size_t)k.n * (size_t)k.n * sizeof *other);
  T_OK(bf_matrix_to_dense(D, other));
  assert_memory_equal(other, k.dense, (size_t)k.n * (size_t)k.n * sizeof *other);
  T_ERR(BF_E_ARG, bf_model_mass(k.m, k.num, BF_MASS_CONSISTENT, 0, D, NULL));
  free(other);
  bf_matrix_destroy(&D);
  t_mass_clear(&k);
}

/* Nothing constrained, nothing condensed: no E301. */
static void a_free_body_is_a_model(void **state)
{
  (void)state;
  mass_case k;
  t_mass_begin(&k, BF_ELASTICITY, BF_HEX27, 1);
  k.c.p.condense = BF_CONDENSE_AUTO;
  k.m            = t_model(&k.c);
  assert_int_equal(bf_model_condensed(k.m), 0);
  t_mass_clear(&k);
}

/* M r of a translation is the mass of every node; rotations have the moments of inertia of the box. */
static void motions_have_the_inertia_of_the_body(void **state)
{
  (void)state;
  mass_case k;
  t_mass_begin(&k, BF_ELASTICITY, BF_HEX20, 1);
  t_mass_make(&k, T_CSR, BF_MASS_CONSISTENT, 0);
  assert_int_equal(bf_model_motions(k.m), 6);
  assert_string_equal(bf_model_motion_name(k.m, 4), "rotation about y");
  double *r = calloc(6 * (size_t)k.n, sizeof *r);
  T_OK(bf_model_motion_vectors(k.m, k.num, r));
  const double mass = 15.0, want[6] = {mass, mass, mass, mass * 2 / 12, mass * 5 / 12, mass * 5 / 12};
  for (int a = 0; a < 6; a++)
    for (int b = 0; b < 6; b++) {
      double s = 0.0;
      for (bf_int i = 0; i < k.n; i++)
        for (bf_int j = 0; j < k.n; j++) s += r[a * k.n + i] * t_mass_entry(&k, i, j) * r[b * k.n + j];
      T_NEAR(s, a == b ? want[a] : 0.0, 1e-12);
    }
  free(r);
  t_mass_clear(&k);
}

static void nothing_leaks_where_memory_is_short(void **state)
{
  (void)state;
  T_LONG;
  for (int kind = 0; kind < 2; kind++) {
    mass_case k;
    int       failed = 0;
    t_mass_begin(&k, BF_ELASTICITY, BF_TRI6, 2);
    t_condition(&k.c, BF_BC_FIXED, t_x_min, 1);
    t_mass_make(&k, T_BDIA_HALF, (bf_mass)kind, 1);
    for (int64_t i = 1; i < 500; i++) {
      const int64_t live = bf_memory_live();
      bf_memory_fail_at(i);
      const bf_err  err   = bf_model_mass(k.m, k.num, (bf_mass)kind, 1, k.M, NULL);
      const int64_t calls = bf_memory_calls();
      bf_memory_fail_at(0);
      assert_int_equal(bf_memory_live(), live);
      failed += err != BF_OK;
      if (calls < i) break;
      assert_int_equal(err, BF_E_MEMORY);
    }
    assert_true(failed > 2);
    t_mass_clear(&k);
  }
}

int main(int argc, char **argv)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_direction_has_the_mass_of_the_body),
      cmocka_unit_test(each_material_brings_its_own),
      cmocka_unit_test(a_body_of_revolution_has_the_mass_of_the_whole_turn),
      cmocka_unit_test(the_rule_is_exact_on_elements_of_constant_jacobian),
      cmocka_unit_test(single_elements_have_the_matrices_of_the_textbooks),
      cmocka_unit_test(held_unknowns_have_no_mass),
      cmocka_unit_test(a_matrix_with_the_diagonal_alone_holds_a_lumped_mass),
      cmocka_unit_test(a_free_body_is_a_model),
      cmocka_unit_test(motions_have_the_inertia_of_the_body),
      cmocka_unit_test(nothing_leaks_where_memory_is_short),
  };
  const int code = t_backend_open(argc, argv);
  return code ? code : t_backend_close(T_RUN(tests));
}
