/* tests/mesh/t612_refine_uniform.c - divided meshes: 2^dim times the elements, conforming, the same body and
 * groups; curved elements keep their curves
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "assembly/basis/shape.h"
#include "tests/generated.h"
#include <limits.h>

static const bf_elem_type types[] = {BF_TRI3, BF_TRI6,  BF_QUAD4, BF_QUAD8, BF_QUAD9,
                                     BF_TET4, BF_TET10, BF_HEX8,  BF_HEX20, BF_HEX27};
enum { TYPES = sizeof types / sizeof *types };

static bf_mesh *generated(bf_elem_type type, int times)
{
  const double size[3]  = {2.0, 1.0, 0.5};
  const bf_int cells[3] = {2 * times, 3 * times, times};
  return t_generated(size, cells, type);
}

static double measure_of(const bf_mesh *m, const char *name)
{
  double          v;
  const bf_group *g = bf_mesh_group(m, name);
  assert_non_null(g);
  T_OK(bf_mesh_group_measure(m, g, &v));
  return v;
}

static void check_good(const bf_mesh *m)
{
  bf_diags   d = {0};
  bf_quality q;
  T_OK(bf_mesh_check(m));
  T_OK(bf_mesh_check_jacobian(m, &d));
  T_OK(bf_mesh_quality(m, &q));
  assert_int_equal(q.components, 1);
  assert_int_equal(q.unused_nodes, 0);
  bf_diags_clear(&d);
}

/* A second way to the same counts: the generator with twice the cells, for all types whose division is that
 * of the generator. */
static void counts_are_those_of_twice_the_cells(void **state)
{
  (void)state;
  for (int i = 0; i < TYPES; i++) {
    bf_mesh  *m = generated(types[i], 1), *twice = generated(types[i], 2);
    const int dim = bf_elem(types[i])->dim;
    T_OK(bf_mesh_refine_uniform(m, bf_shape, INT_MAX));
    check_good(m);
    assert_int_equal(m->nelem, twice->nelem);
    assert_int_equal(m->nnodes, twice->nnodes);
    for (int g = 0; g < m->ngroups; g++) {
      assert_int_equal(m->group[g].nelem, twice->group[g].nelem);
      T_NEAR(measure_of(m, m->group[g].name), measure_of(twice, m->group[g].name), 1e-14);
    }
    T_NEAR(measure_of(m, dim == 3 ? "volume" : "surface"), dim == 3 ? 1.0 : 2.0, 1e-14);
    bf_mesh_destroy(&m);
    bf_mesh_destroy(&twice);
  }
}

static int by_node(const void *a, const void *b)
{
  return memcmp(a, b, 4 * sizeof(bf_int));
}

static int ascending(const void *a, const void *b)
{
  const bf_int p = *(const bf_int *)a, q = *(const bf_int *)b;
  return (p > q) - (p < q);
}

/* Every side belongs to two elements, or lies on the boundary: a hanging node would leave more single sides.
 */
static void a_divided_mesh_conforms(void **state)
{
  (void)state;
  for (int i = 0; i < TYPES; i++) {
    const bf_elem_info *el = bf_elem(types[i]);
    const int           nc = bf_elem(el->face_type)->ncorners;
    bf_mesh            *m  = generated(types[i], 1);
    bf_int(*side)[4], outer = 0, single = 0;
    T_OK(bf_mesh_refine_uniform(m, bf_shape, INT_MAX));
    T_OK(bf_mesh_refine_uniform(m, bf_shape, INT_MAX));
    const bf_block *b     = bf_mesh_block(m, types[i]);
    const int64_t   sides = (int64_t)b->n * el->nfaces;
    T_OK(BF_NEW_ARRAY(side, sides));
    for (int64_t k = 0; k < sides; k++) {
      for (int a = 0; a < nc; a++)
        side[k][a] = b->node[k / el->nfaces * el->nnodes + el->face[k % el->nfaces][a]];
      qsort(side[k], (size_t)nc, sizeof side[k][0], ascending);
    }
    qsort(side, (size_t)sides, sizeof *side, by_node);
    for (int64_t k = 0; k < sides; k++) {
      const int before = k > 0 && by_node(side[k - 1], side[k]) == 0;
      const int after  = k + 1 < sides && by_node(side[k], side[k + 1]) == 0;
      assert_true(!(before && after));
      single += !before && !after;
    }
    for (int g = 0; g < m->ngroups; g++)
      if (m->group[g].dim == el->dim - 1) outer += m->group[g].nelem;
    assert_int_equal(single, outer);
    bf_host_free(side);
    bf_mesh_destroy(&m);
  }
}

/* A quadratic map, x + 0.2 y^2 and so on: children of the curved elements have the same body. */
static void curved_elements_keep_their_curves(void **state)
{
  (void)state;
  for (int i = 0; i < TYPES; i++) {
    const bf_elem_info *el = bf_elem(types[i]);
    if (el->order != 2) continue;
    bf_mesh *m = generated(types[i], 1);
    for (bf_int n = 0; n < m->nnodes; n++) {
      double *x = m->x + 3 * (size_t)n;
      x[0] += 0.2 * x[1] * x[1];
      if (el->dim == 3) x[2] += 0.1 * x[0];
    }
    const double before = measure_of(m, el->dim == 3 ? "volume" : "surface");
    double       side   = measure_of(m, "x_max");
    T_OK(bf_mesh_refine_uniform(m, bf_shape, INT_MAX));
    T_OK(bf_mesh_refine_uniform(m, bf_shape, INT_MAX));
    check_good(m);
    T_NEAR(measure_of(m, el->dim == 3 ? "volume" : "surface"), before, 1e-13);
    T_NEAR(measure_of(m, "x_max"), side, 1e-4 * side); /* lengths of curves are by quadrature */
    /* nodes of the outer side lie on it: x = 2 + 0.2 y^2 */
    bf_int *node, count;
    T_OK(bf_mesh_group_nodes(m, bf_mesh_group(m, "x_max"), &node, &count));
    for (bf_int k = 0; k < count; k++) {
      const double *x = m->x + 3 * (size_t)node[k];
      T_NEAR(x[0], 2.0 + 0.2 * x[1] * x[1], 1e-14);
    }
    bf_host_free(node);
    bf_mesh_destroy(&m);
  }
}

static void nodes_of_the_mesh_keep_their_numbers(void **state)
{
  (void)state;
  bf_mesh *m = generated(BF_TET10, 1), *same = generated(BF_TET10, 1);
  T_OK(bf_mesh_refine_uniform(m, bf_shape, INT_MAX));
  assert_true(m->nnodes > same->nnodes);
  assert_memory_equal(m->x, same->x, sizeof *m->x * 3 * (size_t)same->nnodes);
  assert_memory_equal(m->node_tag, same->node_tag, sizeof *m->node_tag * (size_t)same->nnodes);
  for (bf_int i = 1; i < m->nnodes; i++) assert_true(m->node_tag[i] > m->node_tag[i - 1]);
  bf_mesh_destroy(&m);
  bf_mesh_destroy(&same);
}

static void too_many_nodes_leave_the_mesh_as_it_was(void **state)
{
  (void)state;
  bf_mesh *m = generated(BF_HEX8, 1), *same = generated(BF_HEX8, 1);
  T_ERR(BF_E_MODEL, bf_mesh_refine_uniform(m, bf_shape, m->nnodes + 5));
  T_CONTAINS(bf_err_message(), "more than");
  assert_int_equal(m->nnodes, same->nnodes);
  assert_int_equal(m->nelem, same->nelem);
  T_OK(bf_mesh_check(m));
  bf_mesh_destroy(&m);
  bf_mesh_destroy(&same);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(counts_are_those_of_twice_the_cells),
      cmocka_unit_test(a_divided_mesh_conforms),
      cmocka_unit_test(curved_elements_keep_their_curves),
      cmocka_unit_test(nodes_of_the_mesh_keep_their_numbers),
      cmocka_unit_test(too_many_nodes_leave_the_mesh_as_it_was),
  };
  return T_RUN(tests);
}
