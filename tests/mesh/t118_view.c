/* tests/mesh/t118_view.c - the picture has every cell once, and splits points exactly where regions meet */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "mesh/view.h"
#include "tests/generated.h"
#include "tests/no_memory.h"
#include "tests/test.h"

static bf_mesh *bar(bf_elem_type type)
{
  const double size[3] = {4.0, 1.0, 1.0};
  const bf_int n[3]    = {4, 2, 2};
  return t_generated(size, n, type);
}

/* Region of every element by the x of its first corners' mean; lower-dimensional elements get -1. */
static bf_int *regions_by_x(const bf_mesh *m, double width, bf_int (*of)(int slab))
{
  bf_int *region = malloc((size_t)m->nelem * sizeof *region);
  for (bf_int e = 0; e < m->nelem; e++) {
    int           nen;
    const bf_int *node = bf_mesh_elem_nodes(m, e, &nen);
    double        x    = 0.0;
    for (int a = 0; a < nen; a++) x += m->x[3 * node[a]] / nen;
    region[e] = bf_elem(bf_mesh_block_of(m, e)->type)->dim == m->dim ? of((int)(x / width)) : -1;
  }
  return region;
}
static bf_int two_halves(int slab)
{
  return slab < 2 ? 1 : 0;
}
static bf_int each_slab(int slab)
{
  return slab == 3 ? 7 : slab;
}

static void one_region_has_one_point_a_used_node(void **state)
{
  (void)state;
  for (int t = BF_TRI3; t < BF_ELEM_TYPES; t++) {
    bf_mesh *m = bar((bf_elem_type)t);
    bf_view *v = NULL;
    T_OK(bf_view_create(m, NULL, &v));
    assert_int_equal(v->npoints, m->nnodes);
    assert_int_equal(v->ncells, bf_mesh_block(m, (bf_elem_type)t)->n);
    for (bf_int p = 0; p < v->npoints; p++) assert_int_equal(v->node[p], p);
    for (bf_int c = 0; c < v->ncells; c++) {
      int           nen;
      const bf_int *node = bf_mesh_elem_nodes(m, v->elem[c], &nen);
      assert_int_equal(v->type[c], t);
      assert_int_equal(v->ptr[c + 1] - v->ptr[c], nen);
      assert_memory_equal(v->point + v->ptr[c], node, (size_t)nen * sizeof *node);
    }
    bf_view_destroy(&v);
    bf_mesh_destroy(&m);
  }
}

static void unused_nodes_have_no_point(void **state)
{
  (void)state;
  bf_mesh *m = bar(BF_QUAD4);
  bf_view *v = NULL;
  m->block[1].n--; /* the last cell goes: its corner (4,1) is an orphan */
  T_OK(bf_view_create(m, NULL, &v));
  assert_int_equal(v->npoints, m->nnodes - 1);
  assert_int_equal(v->node[v->npoints - 1], m->nnodes - 2);
  bf_view_destroy(&v);
  m->block[1].n++;
  bf_mesh_destroy(&m);
}

static void check_split(bf_elem_type type, bf_int (*of)(int), int interfaces)
{
  bf_mesh *m      = bar(type);
  bf_int  *region = regions_by_x(m, 1.0, of), plane = 0;
  bf_view *v = NULL;
  for (bf_int i = 0; i < m->nnodes; i++) plane += m->x[3 * i] == 2.0;
  T_OK(bf_view_create(m, region, &v));
  assert_int_equal(v->npoints, m->nnodes + interfaces * plane);
  for (bf_int p = 0; p < m->nnodes; p++) assert_int_equal(v->node[p], p);
  for (bf_int p = m->nnodes + 1; p < v->npoints; p++)
    assert_true(v->region[p - 1] < v->region[p] ||
                (v->region[p - 1] == v->region[p] && v->node[p - 1] < v->node[p]));
  for (bf_int c = 0; c < v->ncells; c++) {
    int           nen;
    const bf_int *node = bf_mesh_elem_nodes(m, v->elem[c], &nen);
    for (int a = 0; a < nen; a++) {
      const bf_int p = v->point[v->ptr[c] + a];
      assert_int_equal(v->node[p], node[a]);
      assert_int_equal(v->region[p], region[v->elem[c]]);
    }
  }
  bf_view_destroy(&v);
  free(region);
  bf_mesh_destroy(&m);
}

static void points_on_an_interface_are_split_between_its_regions(void **state)
{
  (void)state;
  for (int t = BF_TRI3; t < BF_ELEM_TYPES; t++) {
    check_split((bf_elem_type)t, two_halves, 1);
    check_split((bf_elem_type)t, each_slab, 3);
  }
}

static void a_negative_region_is_refused(void **state)
{
  (void)state;
  bf_mesh *m           = bar(BF_TRI3);
  bf_int  *region      = regions_by_x(m, 1.0, two_halves);
  bf_view *v           = NULL;
  region[m->nelem - 1] = -1;
  T_ERR(BF_E_ARG, bf_view_create(m, region, &v));
  assert_null(v);
  free(region);
  bf_mesh_destroy(&m);
}

static void a_failed_allocation_leaks_nothing(void **state)
{
  (void)state;
  bf_mesh    *m      = bar(BF_HEX20);
  bf_int     *region = regions_by_x(m, 1.0, two_halves);
  t_no_memory t      = {0};
  while (t_no_memory_next(&t)) {
    bf_view *v = NULL;
    t_no_memory_begin(&t);
    t_no_memory_end(&t, bf_view_create(m, region, &v));
    bf_view_destroy(&v);
  }
  assert_int_equal(t.failed, 10);
  free(region);
  bf_mesh_destroy(&m);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_region_has_one_point_a_used_node),
      cmocka_unit_test(unused_nodes_have_no_point),
      cmocka_unit_test(points_on_an_interface_are_split_between_its_regions),
      cmocka_unit_test(a_negative_region_is_refused),
      cmocka_unit_test(a_failed_allocation_leaks_nothing),
  };
  return T_RUN(tests);
}
