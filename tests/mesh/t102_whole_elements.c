/* tests/mesh/t102_whole_elements.c - quad9 and hex27: nodes in the middle of faces and elements, in files of
 * gmsh and beside other elements; numbering: t120, t124; files for pictures: t270, t275 */
/* SPDX-License-Identifier: BSD-3-Clause */
#define T_SCRATCH "t102.msh"
#include "mesh/build.h"
#include "tests/generated.h"
#include "tests/mesh/msh_files.h"
#include "tests/middle.h"
#include "tests/no_memory.h"

static const double size[3]  = {2.0, 1.0, 0.5};
static const bf_int cells[3] = {2, 1, 1};

/* The fixture has straight sides: the position of a node identifies it. */
static void gmsh_and_bandfem_agree_on_the_place_of_every_node(void **state)
{
  (void)state;
  bf_diags d = {0};
  bf_mesh *m = read_good(fixture("whole_2", "41a"), &d);
  assert_int_equal(bf_mesh_block(m, BF_HEX27)->n, 2);
  assert_int_equal(bf_mesh_block(m, BF_QUAD9)->n, 4);
  assert_int_equal(m->nnodes, 45);
  for (bf_int e = 0; e < m->nelem; e++) {
    int                 nen;
    const bf_int       *node = bf_mesh_elem_nodes(m, e, &nen);
    const bf_elem_info *info = bf_elem(bf_mesh_block_of(m, e)->type);
    for (int a = 0; a < nen; a++) {
      double x[3];
      t_middle(m, info, node, a, x);
      for (int k = 0; k < 3; k++) T_NEAR(m->x[3 * node[a] + k], x[k], 1e-11); /* gmsh's own rounding */
    }
  }
  bf_quality q;
  T_OK(bf_mesh_check_jacobian(m, &d));
  T_OK(bf_mesh_quality(m, &q));
  T_NEAR(q.measure, 1.0, 1e-11);
  T_NEAR(q.jacobian_min, 1.0, 1e-9);
  bf_mesh_destroy(&m);
  bf_diags_clear(&d);
}

static void they_become_linear_and_stay_at_order_two(void **state)
{
  (void)state;
  for (int k = 0; k < 2; k++) {
    bf_mesh *m         = t_generated(size, cells, k ? BF_HEX27 : BF_QUAD9),
            *linear    = t_generated(size, cells, k ? BF_HEX8 : BF_QUAD4);
    const bf_int nodes = m->nnodes;
    T_OK(bf_mesh_change_order(m, 2, INT32_MAX));
    assert_int_equal(m->nnodes, nodes);
    assert_non_null(bf_mesh_block(m, k ? BF_HEX27 : BF_QUAD9));
    T_OK(bf_mesh_change_order(m, 1, INT32_MAX));
    T_OK(bf_mesh_check(m));
    assert_int_equal(m->nnodes, linear->nnodes);
    assert_int_equal(m->nelem, linear->nelem);
    for (bf_int e = 0; e < m->nelem; e++) {
      int           n;
      const bf_int *p = bf_mesh_elem_nodes(m, e, &n), *q = bf_mesh_elem_nodes(linear, e, &n);
      for (int a = 0; a < n; a++)
        for (int i = 0; i < 3; i++) T_NEAR(m->x[3 * p[a] + i], linear->x[3 * q[a] + i], 1e-15);
    }
    bf_mesh_destroy(&m);
    bf_mesh_destroy(&linear);
  }
}

/* Two elements side by side along x, of types a and b, that share the nodes of their common corners and
 * edges; c: the type of a side at x = 0, or -1. */
static bf_mesh *pair(bf_elem_type a, bf_elem_type b, int c)
{
  const bf_elem_type type[3] = {a < b ? a : b, a < b ? b : a, (bf_elem_type)c};
  const int          three   = bf_elem(a)->dim == 3;
  bf_mesh           *m       = NULL, *part[2];
  int                nblocks = (a != b) + 1 + (c >= 0), at = c >= 0;
  T_OK(bf_mesh_create("pair", three ? 3 : 2, 200, nblocks, 0, &m));
  m->nnodes = 0;
  if (c >= 0) T_OK(bf_mesh_set_block(m, 0, type[2], 1));
  for (int k = 0; k < nblocks - at; k++) T_OK(bf_mesh_set_block(m, at + k, type[k], a == b ? 2 : 1));
  for (int k = 0; k < 2; k++) {
    const double unit[3] = {1.0, 1.0, 1.0};
    const bf_int one[3]  = {1, 1, 1};
    T_OK(three ? bf_mesh_box(unit, one, type[k], &part[k]) : bf_mesh_rectangle(unit, one, type[k], &part[k]));
    const bf_block *B    = bf_mesh_block(part[k], type[k]);
    bf_int         *node = m->block[at + (a == b ? 0 : k)].node + (a == b ? k * bf_elem(a)->nnodes : 0);
    for (int i = 0; i < bf_elem(type[k])->nnodes; i++) {
      const double *p    = part[k]->x + 3 * B->node[i];
      const double  x[3] = {p[0] + k, p[1], p[2]};
      bf_int        v    = 0;
      while (v < m->nnodes && memcmp(m->x + 3 * v, x, sizeof x) != 0) v++;
      if (v == m->nnodes) memcpy(m->x + 3 * m->nnodes++, x, sizeof x);
      node[i] = v;
    }
    bf_mesh_destroy(&part[k]);
  }
  if (c >= 0) {
    const bf_elem_info *info = bf_elem(type[0]);
    const int           n    = bf_elem(type[2])->nnodes;
    for (int i = 0; i < n; i++) m->block[0].node[i] = m->block[1].node[info->face[0][i]];
  }
  for (bf_int v = 0; v < m->nnodes; v++) m->node_tag[v] = v + 1;
  bf_int first = 0;
  for (int k = 0; k < m->nblocks; k++) {
    for (bf_int e = 0; e < m->block[k].n; e++) m->block[k].tag[e] = first + e + 1;
    first += m->block[k].n;
  }
  T_OK(bf_mesh_check(m));
  return m;
}

static void faces_with_and_without_a_middle_node_are_refused(void **state)
{
  (void)state;
  static const struct {
    bf_elem_type a, b;
    int          c, conforms;
    const char  *says;
  } want[] = {{BF_HEX20, BF_HEX27, -1, 0, "meet: hex20 1 and hex27 2 (1 such faces)"},
              {BF_HEX27, BF_HEX27, BF_QUAD8, 0, "meet: quad8 1 and hex27 2 (1 such faces)"},
              {BF_HEX27, BF_HEX27, BF_QUAD9, 1, NULL},
              {BF_HEX20, BF_HEX20, BF_QUAD8, 1, NULL},
              {BF_QUAD8, BF_QUAD9, -1, 1, NULL}, /* an edge has its node in both */
              {BF_QUAD4, BF_QUAD9, -1, 0, "linear and quadratic elements meet"}};
  for (size_t k = 0; k < sizeof want / sizeof *want; k++) {
    bf_mesh     *m   = pair(want[k].a, want[k].b, want[k].c);
    bf_diags     d   = {0};
    const bf_err err = bf_mesh_check_jacobian(m, &d);
    assert_int_equal(err, want[k].conforms ? BF_OK : BF_E_MODEL);
    if (!want[k].conforms) T_CONTAINS(find_diag(&d, 207)->text, want[k].says);
    bf_diags_clear(&d);
    bf_mesh_destroy(&m);
  }
}

static void a_failed_allocation_leaks_nothing(void **state)
{
  (void)state;
  bf_mesh    *m = pair(BF_HEX20, BF_HEX27, -1);
  t_no_memory t = {.without = BF_E_MODEL, .spare = 1};
  while (t_no_memory_next(&t)) {
    bf_diags d = {0};
    t_no_memory_begin(&t);
    t_no_memory_end(&t, bf_mesh_check_jacobian(m, &d));
    bf_diags_clear(&d);
  }
  assert_true(t.errors > 4);
  bf_mesh_destroy(&m);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(gmsh_and_bandfem_agree_on_the_place_of_every_node),
      cmocka_unit_test(they_become_linear_and_stay_at_order_two),
      cmocka_unit_test(faces_with_and_without_a_middle_node_are_refused),
      cmocka_unit_test(a_failed_allocation_leaks_nothing),
  };
  return T_RUN(tests);
}
