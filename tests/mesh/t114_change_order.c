/* tests/mesh/t114_change_order.c - meshes of another order: the same body, conforming, groups and tags kept
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#define T_SCRATCH "t114.msh"
#include "mesh/build.h"
#include "tests/generated.h"
#include "tests/mesh/msh_files.h"
#include "tests/no_memory.h"
#include <limits.h>
#include <math.h>

static bf_mesh *generated(bf_elem_type type)
{
  const double size[3]  = {2.0, 1.0, 0.5};
  const bf_int cells[3] = {4, 3, 2};
  return t_generated(size, cells, type);
}

static const bf_elem_type linear[] = {BF_TRI3, BF_QUAD4, BF_TET4, BF_HEX8};
enum { LINEAR = sizeof linear / sizeof *linear };

static void check_good(const bf_mesh *m, double measure)
{
  bf_diags   d = {0};
  bf_quality q;
  T_OK(bf_mesh_check(m));
  T_OK(bf_mesh_check_jacobian(m, &d));
  T_OK(bf_mesh_quality(m, &q));
  T_NEAR(q.measure, measure, 1e-13);
  assert_int_equal(q.components, 1);
  assert_int_equal(q.unused_nodes, 0);
  for (bf_int i = 0; i < m->nnodes; i++)
    for (bf_int k = 0; k < i && m->nnodes < 2000; k++) assert_true(m->node_tag[i] != m->node_tag[k]);
  bf_diags_clear(&d);
}

/* Elements of a and b have the same nodes by their places. */
static void same_places(const bf_mesh *a, const bf_mesh *b, double tol)
{
  assert_int_equal(a->nnodes, b->nnodes);
  assert_int_equal(a->nelem, b->nelem);
  assert_int_equal(a->nblocks, b->nblocks);
  for (bf_int e = 0; e < a->nelem; e++) {
    int           na, nb;
    const bf_int *p = bf_mesh_elem_nodes(a, e, &na), *q = bf_mesh_elem_nodes(b, e, &nb);
    assert_int_equal(na, nb);
    for (int k = 0; k < 3 * na; k++) T_NEAR(a->x[3 * p[k / 3] + k % 3], b->x[3 * q[k / 3] + k % 3], tol);
  }
  assert_int_equal(a->ngroups, b->ngroups);
  for (int g = 0; g < a->ngroups; g++) {
    assert_string_equal(a->group[g].name, b->group[g].name);
    assert_int_equal(a->group[g].nelem, b->group[g].nelem);
    assert_memory_equal(a->group[g].elem, b->group[g].elem, sizeof(bf_int) * (size_t)a->group[g].nelem);
  }
}

/* The generator makes quadratic meshes by arithmetic: another way to the same nodes, shared and on
 * boundaries. */
static void a_linear_mesh_made_quadratic_is_the_generators(void **state)
{
  (void)state;
  for (size_t t = 0; t < LINEAR; t++) {
    bf_mesh *m = generated(linear[t]), *want = generated(bf_elem_of_order(linear[t], 2));
    T_OK(bf_mesh_change_order(m, 2, INT32_MAX));
    check_good(m, m->dim == 3 ? 1.0 : 2.0);
    same_places(m, want, 1e-15);
    bf_mesh_destroy(&m);
    bf_mesh_destroy(&want);
  }
}

static void there_and_back_is_the_mesh_itself(void **state)
{
  (void)state;
  for (size_t t = 0; t < LINEAR; t++) {
    bf_mesh *m = generated(linear[t]), *want = generated(linear[t]);
    T_OK(bf_mesh_change_order(m, 1, INT32_MAX)); /* as it is */
    same_places(m, want, 0.0);
    T_OK(bf_mesh_change_order(m, 2, INT32_MAX));
    T_OK(bf_mesh_change_order(m, 2, INT32_MAX));
    T_OK(bf_mesh_change_order(m, 1, INT32_MAX));
    same_places(m, want, 0.0);
    for (bf_int i = 0; i < m->nnodes; i++) assert_int_equal(m->node_tag[i], want->node_tag[i]);
    for (int b = 0; b < m->nblocks; b++)
      assert_memory_equal(m->block[b].tag, want->block[b].tag, sizeof(int64_t) * (size_t)want->block[b].n);
    check_good(m, m->dim == 3 ? 1.0 : 2.0);
    bf_mesh_destroy(&m);
    bf_mesh_destroy(&want);
  }
}

/* Curved and with points: files of Gmsh lose their mid-side nodes and get others on straight edges. */
static void meshes_of_gmsh_change_their_order(void **state)
{
  (void)state;
  const char *const names[]  = {"plate_2", "solid_2"};
  const char *const coarse[] = {"plate_1", "solid_1"};
  for (size_t k = 0; k < 2; k++) {
    bf_diags d = {0};
    bf_mesh *m = read_good(fixture(names[k], "41b"), &d), *low = read_good(fixture(coarse[k], "41b"), &d);
    T_OK(bf_mesh_change_order(m, 1, INT32_MAX));
    T_OK(bf_mesh_check(m));
    same_places(m, low, 1e-14);
    T_OK(bf_mesh_change_order(low, 2, INT32_MAX));
    T_OK(bf_mesh_check(low));
    T_OK(bf_mesh_check_jacobian(low, &d));
    bf_mesh_destroy(&m);
    bf_mesh_destroy(&low);
    bf_diags_clear(&d);
  }
}

/* quad8 and quad4 side by side, a line3 and a line2, node 9 of nobody, point on the mid-side node 6 */
static const char both[] = FORMAT22
    "$Nodes\n12\n1 0 0 0\n2 1 0 0\n3 1 1 0\n4 0 1 0\n5 .5 0 0\n6 1 .5 0\n7 .5 1 0\n8 0 .5 0\n9 7 7 0\n"
    "10 2 0 0\n11 2 1 0\n1000 1 .6 0\n$EndNodes\n"
    "$Elements\n5\n1 16 2 1 1 1 2 3 4 5 6 7 8\n2 3 2 1 1 2 10 11 3\n3 8 2 2 1 4 1 8\n4 1 2 2 1 10 11\n"
    "5 15 2 3 1 6\n$EndElements\n";

static void a_mesh_of_both_orders_gets_one(void **state)
{
  (void)state;
  for (int order = 1; order < 3; order++) {
    bf_diags d = {0};
    bf_mesh *m = read_text(both, &d);
    bf_int  *node, n;
    T_OK(bf_mesh_change_order(m, order, INT32_MAX));
    T_OK(bf_mesh_check(m));
    T_OK(bf_mesh_check_jacobian(m, &d));
    assert_int_equal(m->nblocks, 3); /* point1, lines, quadrilaterals */
    assert_int_equal(bf_elem(m->block[1].type)->order, order);
    assert_int_equal(m->block[1].n, 2);
    assert_int_equal(m->block[2].n, 2);
    /* 1: 5, 7, 8 go, 6 stays for its point; 2: three new ones, the shared edge has node 6 already */
    assert_int_equal(m->nnodes, order == 1 ? 9 : 15);
    T_OK(bf_mesh_group_nodes(m, bf_mesh_group(m, "2:1"), &node, &n));
    assert_int_equal(n, order == 1 ? 6 : 13);
    bf_host_free(node);
    if (order == 2) {
      assert_int_equal(m->node_tag[12], 1001);
      assert_int_equal(m->node_tag[14], 1003);
    }
    bf_mesh_destroy(&m);
    bf_diags_clear(&d);
  }
}

static void more_nodes_than_fit_are_refused(void **state)
{
  (void)state;
  bf_mesh *m = generated(BF_HEX8), *want = generated(BF_HEX8), *full = generated(BF_HEX20);
  T_ERR(BF_E_MODEL, bf_mesh_change_order(m, 2, full->nnodes - 1));
  T_CONTAINS(bf_err_message(), "nodes");
  same_places(m, want, 0.0);
  m->node_tag[3] = INT64_MAX - 2;
  T_ERR(BF_E_MODEL, bf_mesh_change_order(m, 2, INT32_MAX));
  T_CONTAINS(bf_err_message(), "tags");
  same_places(m, want, 0.0);
  m->node_tag[3] = 4;
  T_OK(bf_mesh_change_order(m, 2, full->nnodes));
  T_ERR(BF_E_ARG, bf_mesh_change_order(m, 3, INT32_MAX));
  bf_mesh_destroy(&m);
  bf_mesh_destroy(&want);
  bf_mesh_destroy(&full);
}

static void every_allocation_may_fail(void **state)
{
  (void)state;
  for (int order = 1; order < 3; order++) {
    bf_mesh    *want = generated(order == 1 ? BF_HEX20 : BF_TET4);
    t_no_memory t    = {0};
    while (t_no_memory_next(&t)) {
      bf_mesh *m = generated(want->block[1].type);
      t_no_memory_begin(&t);
      const int64_t live = bf_memory_live();
      t_no_memory_end(&t, bf_mesh_change_order(m, order, INT32_MAX));
      T_OK(bf_mesh_check(m));
      assert_int_equal(bf_memory_live(), live);
      if (!t.last) same_places(m, want, 0.0);
      bf_mesh_destroy(&m);
    }
    assert_true(t.failed >= 5);
    bf_mesh_destroy(&want);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_linear_mesh_made_quadratic_is_the_generators),
      cmocka_unit_test(there_and_back_is_the_mesh_itself),
      cmocka_unit_test(meshes_of_gmsh_change_their_order),
      cmocka_unit_test(a_mesh_of_both_orders_gets_one),
      cmocka_unit_test(more_nodes_than_fit_are_refused),
      cmocka_unit_test(every_allocation_may_fail),
  };
  return T_RUN(tests);
}
