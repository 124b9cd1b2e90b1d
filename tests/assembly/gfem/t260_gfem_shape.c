/* tests/assembly/gfem/t260_gfem_shape.c - patches, fits and shape functions of generalised finite elements */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/assembly/gfem/gfem_case.h"
#include "tests/no_memory.h"

static const bf_elem_type type_of[2] = {BF_TRI3, BF_QUAD4};

static const char *const zero[2] = {"0", "0"};

/* Straight, warped and irregular meshes of n x n cells with values prescribed all round. */
static void make(t_gfem *t, int kind, int order, bf_int n, bf_patch_kind patch)
{
  t_gfem_create(t, BF_HEAT, kind == 0 || kind == 3 ? BF_TRI3 : BF_QUAD4, 1.0, 1.0, n, n, order);
  if (kind == 2) t_gfem_warp(t, 0.1);
  if (kind == 3) t_gfem_delaunay(t, 1.0 / n, 7);
  t->c.p.patch = patch;
  t_gfem_dirichlet(t, zero);
  t_gfem_model(t);
}
enum { KINDS = 4 };

#define EACH_CASE                                                                                            \
  for (int kind = 0; kind < KINDS; kind++)                                                                   \
    for (int order = 2; order <= 3; order++)                                                                 \
      for (int patch = BF_PATCH_RINGS; patch <= BF_PATCH_COMPACT; patch++)

static double random_point(bf_elem_type type, uint64_t *seed, double xi[3])
{
  for (int i = 0; i < 3; i++) xi[i] = i < 2 ? 2.0 * t_uniform(seed) - 1.0 : 0.0;
  if (type == BF_TRI3) {
    xi[0] = 0.5 * (xi[0] + 1.0);
    xi[1] = 0.5 * (xi[1] + 1.0) * (1.0 - xi[0]);
  }
  return xi[0];
}

/* psi_J(x_K) = delta_JK, sum_J psi_J = 1, sum_J grad psi_J = 0 */
static void shape_functions_take_their_nodes_values_and_sum_to_one(void **state)
{
  (void)state;
  uint64_t seed = 1;
  EACH_CASE
  {
    t_gfem t;
    make(&t, kind, order, 10, (bf_patch_kind)patch);
    double *psi, *d, x[3], xi[3];
    T_OK(BF_NEW_ARRAY(psi, bf_gfem_of(t.m)->most));
    T_OK(BF_NEW_ARRAY(d, 2 * bf_gfem_of(t.m)->most));
    const bf_block *B = t.m->block[0].block;
    for (bf_int e = B->first; e < B->first + B->n; e++) {
      int           nen;
      const bf_int *own = bf_mesh_elem_nodes(t.c.mesh, e, &nen), *node;
      const int     n   = bf_gfem_nodes(bf_gfem_of(t.m), e, &node);
      for (int a = 0; a < nen; a++) {
        bf_gfem_shape(t.c.mesh, bf_gfem_of(t.m), e, bf_elem(B->type)->corner[a], psi, d, x);
        for (int j = 0; j < n; j++) T_NEAR(psi[j], node[j] == own[a] ? 1.0 : 0.0, 1e-12);
      }
      double sum[3] = {-1.0, 0.0, 0.0};
      random_point(B->type, &seed, xi);
      bf_gfem_shape(t.c.mesh, bf_gfem_of(t.m), e, xi, psi, d, x);
      for (int j = 0; j < n; j++) sum[0] += psi[j], sum[1] += d[j], sum[2] += d[n + j];
      T_NEAR(sum[0], 0.0, 1e-12);
      T_NEAR(sum[1], 0.0, 1e-10);
      T_NEAR(sum[2], 0.0, 1e-10);
    }
    bf_host_free(psi);
    bf_host_free(d);
    t_gfem_clear(&t);
  }
}

/* A polynomial of the order is what its nodal values interpolate to, with its gradient, up to sides. */
static void polynomials_of_the_order_are_reproduced(void **state)
{
  (void)state;
  uint64_t seed = 2;
  EACH_CASE
  {
    t_gfem t;
    make(&t, kind, order, 10, (bf_patch_kind)patch);
    double *psi, *d, x[3], xi[3];
    T_OK(BF_NEW_ARRAY(psi, bf_gfem_of(t.m)->most));
    T_OK(BF_NEW_ARRAY(d, 2 * bf_gfem_of(t.m)->most));
    const bf_block *B = t.m->block[0].block;
    for (bf_int e = B->first; e < B->first + B->n; e++) {
      const bf_int *node;
      const int     n = bf_gfem_nodes(bf_gfem_of(t.m), e, &node), terms = bf_gfem_terms(2, order);
      double        b[BF_GFEM_TERMS], db[2][BF_GFEM_TERMS], v[3][BF_GFEM_TERMS] = {{0.0}};
      random_point(B->type, &seed, xi);
      bf_gfem_shape(t.c.mesh, bf_gfem_of(t.m), e, xi, psi, d, x);
      for (int j = 0; j < n; j++) {
        bf_gfem_polynomials(2, order, t.c.mesh->x + 3 * node[j], b, NULL);
        for (int k = 0; k < terms; k++) {
          v[0][k] += psi[j] * b[k];
          v[1][k] += d[j] * b[k];
          v[2][k] += d[n + j] * b[k];
        }
      }
      bf_gfem_polynomials(2, order, x, b, db);
      for (int k = 0; k < terms; k++) {
        T_NEAR(v[0][k], b[k], 1e-12);
        T_NEAR(v[1][k], db[0][k], 1e-10);
        T_NEAR(v[2][k], db[1][k], 1e-10);
      }
    }
    bf_host_free(psi);
    bf_host_free(d);
    t_gfem_clear(&t);
  }
}

/* With 0 at the nodes of a straight side the trace there is 0, whatever stands inside. */
static void the_trace_on_a_side_depends_on_the_values_there_alone(void **state)
{
  (void)state;
  uint64_t seed = 3;
  EACH_CASE
  {
    t_gfem t;
    make(&t, kind, order, 10, (bf_patch_kind)patch);
    double *psi, *d, x[3], xi[3], *u;
    T_OK(BF_NEW_ARRAY(psi, bf_gfem_of(t.m)->most));
    T_OK(BF_NEW_ARRAY(d, 2 * bf_gfem_of(t.m)->most));
    T_OK(BF_NEW_ARRAY(u, t.c.mesh->nnodes));
    for (bf_int v = 0; v < t.c.mesh->nnodes; v++) u[v] = t.m->fixed[v] ? 0.0 : t_uniform(&seed) - 0.5;
    const bf_gfem_faces *f = &bf_gfem_of(t.m)->face;
    assert_int_equal(f->nchains, 4);
    for (int s = 0; s < f->nsets; s++)
      for (bf_int i = 0; i < f->set[s].n; i++) {
        const bf_int *node, e = f->set[s].parent[i];
        const int     n     = bf_gfem_nodes(bf_gfem_of(t.m), e, &node);
        double        v     = 0.0;
        const double  at[3] = {2.0 * t_uniform(&seed) - 1.0, 0.0, 0.0};
        bf_gfem_on_side(t.c.mesh, e, BF_LINE2, f->set[s].node + 2 * i, at, xi);
        bf_gfem_shape(t.c.mesh, bf_gfem_of(t.m), e, xi, psi, d, x);
        for (int j = 0; j < n; j++) v += psi[j] * u[node[j]];
        T_NEAR(v, 0.0, 1e-12);
      }
    bf_host_free(psi);
    bf_host_free(d);
    bf_host_free(u);
    t_gfem_clear(&t);
  }
}

static void order_one_is_the_plain_method(void **state)
{
  (void)state;
  for (int k = 0; k < 2; k++) {
    t_gfem t;
    t_gfem_create(&t, BF_HEAT, type_of[k], 1.0, 1.0, 4, 4, 1);
    t_gfem_dirichlet(&t, zero);
    t_gfem_model(&t);
    assert_ptr_equal(t.m->basis, &bf_basis_fem);
    t_gfem_clear(&t);
  }
}

/* The patches of section 1.1 of the theory: rings of elements inside, as many as the order on sides. */
static void patches_of_rings_have_the_sizes_of_a_grid(void **state)
{
  (void)state;
  const int inside[2][2] = {{7, 19}, {9, 25}}, side[2][2] = {{0, 0}, {15, 28}};
  for (int k = 0; k < 2; k++)
    for (int order = 2; order <= 3; order++) {
      t_gfem    t;
      const int n = 12;
      t_gfem_create(&t, BF_HEAT, type_of[k], 1.0, 1.0, n, n, order);
      t_gfem_dirichlet(&t, zero);
      t_gfem_model(&t);
      const int64_t *ptr = bf_gfem_of(t.m)->patch.ptr;
      const bf_int   mid = n / 2 * (n + 1) + n / 2, bottom = n / 2;
      assert_int_equal(ptr[mid + 1] - ptr[mid] + 1, inside[k][order - 2]);
      if (k == 1) assert_int_equal(ptr[bottom + 1] - ptr[bottom] + 1, side[k][order - 2]);
      assert_int_equal(bf_gfem_of(t.m)->npoor, 0);
      t_gfem_clear(&t);
    }
}

static void a_wider_band_is_made_on_purpose(void **state)
{
  (void)state;
  int64_t nnz[3];
  for (int more = 0; more < 3; more++) {
    t_gfem t;
    t_gfem_create(&t, BF_HEAT, BF_QUAD4, 1.0, 1.0, 16, 16, 2);
    t.c.p.extra_rings = more;
    t_gfem_dirichlet(&t, zero);
    t_gfem_model(&t);
    nnz[more] = t.num->nnz;
    t_gfem_clear(&t);
  }
  assert_true(nnz[0] < nnz[1] && nnz[1] < nnz[2]);
}

static void a_mesh_too_coarse_for_the_order_is_said(void **state)
{
  (void)state;
  t_gfem t;
  int    said = 0;
  t_gfem_create(&t, BF_HEAT, BF_QUAD4, 1.0, 1.0, 2, 2, 3);
  t_gfem_dirichlet(&t, zero);
  t_gfem_model(&t);
  for (int i = 0; i < t.diags.count; i++) said |= t.diags.item[i].code == 330;
  assert_true(said);
  t_gfem_clear(&t);
}

static void elements_and_conditions_without_such_integrals_are_refused(void **state)
{
  (void)state;
  const bf_elem_type bad[] = {BF_TRI6, BF_QUAD8, BF_TET10, BF_HEX20};
  for (int k = 0; k < 4; k++) {
    t_case    c;
    bf_diags  diags = {0};
    bf_model *m     = NULL;
    t_case_create(&c, BF_HEAT, bad[k], 2);
    c.p.order      = 2;
    bf_boundary *b = t_condition(&c, BF_BC_TEMPERATURE, t_x_min, 1);
    b->value[0]    = t_number(1.0);
    T_ERR(BF_E_INPUT, bf_model_create(c.mesh, t_problem(&c), &diags, &m));
    assert_null(m);
    assert_int_equal(diags.item[0].code, 107);
    T_CONTAINS(diags.item[0].text, bf_elem(bad[k])->name);
    bf_diags_clear(&diags);
    t_case_clear(&c);
  }
}

/* Every allocation in turn fails: an error, no crash, nothing lost. */
static void no_allocation_is_lost_when_memory_runs_out(void **state)
{
  (void)state;
  T_LONG;
  t_no_memory n = {0};
  while (t_no_memory_next(&n)) {
    t_gfem t;
    t_gfem_create(&t, BF_HEAT, BF_QUAD4, 1.0, 1.0, 5, 5, 2);
    t_condition(&t.c, BF_BC_TEMPERATURE, t_sides, 4)->value[0] = t_number(0.0);
    const bf_problem *p                                        = t_problem(&t.c);
    t_no_memory_begin(&n);
    t_no_memory_end(&n, bf_model_create(t.c.mesh, p, &t.diags, &t.m));
    t_gfem_clear(&t);
  }
  assert_true(n.failed > 10);
}

int main(int argc, char **argv)
{
  const int code = t_backend_open(argc, argv);
  if (code) return code;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(shape_functions_take_their_nodes_values_and_sum_to_one),
      cmocka_unit_test(polynomials_of_the_order_are_reproduced),
      cmocka_unit_test(the_trace_on_a_side_depends_on_the_values_there_alone),
      cmocka_unit_test(order_one_is_the_plain_method),
      cmocka_unit_test(patches_of_rings_have_the_sizes_of_a_grid),
      cmocka_unit_test(a_wider_band_is_made_on_purpose),
      cmocka_unit_test(a_mesh_too_coarse_for_the_order_is_said),
      cmocka_unit_test(elements_and_conditions_without_such_integrals_are_refused),
      cmocka_unit_test(no_allocation_is_lost_when_memory_runs_out),
  };
  return t_backend_close(T_RUN(tests));
}
