/* tests/mesh/t103_condensed_numbering.c - numberings without the nodes in the middle of quad9 and hex27 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/no_memory.h"
#include "tests/numbering_case.h"

static const bf_elem_type with[] = {BF_QUAD9, BF_HEX27}, without[] = {BF_QUAD8, BF_HEX20};

static bf_mesh *block(bf_elem_type type, uint64_t seed)
{
  bf_mesh *m = bf_elem(type)->dim == 2 ? t_box(type, 14, 19, 0) : t_box(type, 6, 7, 9);
  t_shuffle(m, seed);
  t_map(m, m->dim == 2 ? t_curve_2d : t_curve_3d);
  return m;
}

static void middle_nodes_have_no_row_and_all_others_have_one(void **state)
{
  (void)state;
  for (int t = 0; t < 2; t++)
    for (int order = BF_ORDER_AUTO; order <= BF_ORDER_LEVELS; order++) {
      bf_mesh        *m   = block(with[t], 3);
      const bf_block *B   = bf_mesh_block(m, with[t]);
      const int       nen = bf_elem(with[t])->nnodes;
      bf_numbering   *n = NULL, *whole = NULL;
      bf_int          empty = 0;
      T_OK(bf_numbering_create_condensed(m, (bf_order)order, &n));
      T_OK(bf_numbering_check(n));
      for (const bf_numbering *k = n; k; k = k->next) {
        for (bf_int e = 0; e < B->n; e++)
          for (int a = 0; a < nen; a++) assert_int_equal(k->row[B->node[e * nen + a]] >= 0, a < nen - 1);
        assert_int_equal(k->nrows - bf_numbering_phantoms(k), m->nnodes - B->n);
      }
      T_OK(bf_numbering_whole(m, n, &whole));
      assert_int_equal(whole->nrows, n->nrows + B->n);
      for (bf_int e = 0; e < B->n; e++) /* behind the others, in the order of the elements */
        assert_int_equal(whole->row[B->node[(e + 1) * nen - 1]], n->nrows + e);
      for (bf_int r = 0; r < whole->nrows; r++) {
        if (whole->node[r] < 0)
          empty++;
        else
          assert_int_equal(whole->row[whole->node[r]], r);
      }
      assert_int_equal(empty, bf_numbering_phantoms(n));
      bf_numbering_destroy(&whole);
      T_OK(bf_numbering_whole(m, n, &whole)); /* the same again */
      bf_numbering_destroy(&whole);
      bf_numbering_destroy(&n);
      bf_mesh_destroy(&m);
    }
}

/* quad9 condensed is numbered as quad8; hex27 loses the 27 diagonals of its middles, and those to them: 8 of
 * a vertex, 4 of each family of edges, 2 of each of faces. */
static void the_bands_lose_what_the_nodes_had(void **state)
{
  (void)state;
  static const struct {
    bf_elem_type type;
    int          nseg;
    int64_t      full;
  } want[] = {{BF_QUAD9, 3, 47}, {BF_HEX27, 7, 512 - 27 - 8 - 3 * 4 - 3 * 2}};
  for (int t = 0; t < 2; t++) {
    bf_mesh      *m = block(want[t].type, 5), *s = block(without[t], 5);
    bf_numbering *n = NULL, *all = NULL, *like = NULL;
    T_OK(bf_numbering_create_condensed(m, BF_ORDER_AUTO, &n));
    T_OK(bf_numbering_create(m, BF_ORDER_AUTO, &all));
    T_OK(bf_numbering_create(s, BF_ORDER_AUTO, &like));
    assert_non_null(n->bands);
    print_message("%s: %d rows, %d segments, %lld offsets, %lld pairs; all %d, %d, %lld, %lld\n",
                  bf_elem(want[t].type)->name, (int)n->nrows, (int)n->bands->nseg,
                  (long long)n->bands->ptr[n->bands->nseg], (long long)n->nnz, (int)all->nrows,
                  (int)all->bands->nseg, (long long)all->bands->ptr[all->bands->nseg], (long long)all->nnz);
    assert_int_equal(n->bands->nseg, want[t].nseg);
    assert_true(n->nnz < all->nnz);
    assert_int_equal(n->bands->ptr[want[t].nseg], want[t].full);
    if (t == 0) {
      assert_int_equal(n->nnz, like->nnz);
      assert_int_equal(n->nrows, like->nrows);
    }
    bf_numbering_destroy(&n);
    bf_numbering_destroy(&all);
    bf_numbering_destroy(&like);
    bf_mesh_destroy(&m);
    bf_mesh_destroy(&s);
  }
}

static void patterns_are_those_of_the_nodes_with_rows(void **state)
{
  (void)state;
  bf_mesh      *m = block(BF_QUAD9, 2), *s = block(BF_QUAD8, 2);
  bf_numbering *n = NULL, *like = NULL;
  bf_graph     *g = NULL, *h = NULL;
  T_OK(bf_numbering_create_condensed(m, BF_ORDER_FILE, &n));
  T_OK(bf_numbering_create(s, BF_ORDER_FILE, &like));
  T_OK(bf_numbering_pattern(m, n, &g));
  T_OK(bf_numbering_pattern(s, like, &h));
  T_OK(bf_graph_check(g));
  assert_int_equal(g->n, h->n);
  assert_int_equal(g->ptr[g->n], h->ptr[h->n]);
  bf_graph_destroy(&g);
  bf_graph_destroy(&h);
  bf_numbering_destroy(&n);
  bf_numbering_destroy(&like);
  bf_mesh_destroy(&m);
  bf_mesh_destroy(&s);
}

static void meshes_without_such_elements_are_numbered_as_ever(void **state)
{
  (void)state;
  static const bf_elem_type types[] = {BF_TRI3, BF_QUAD4, BF_QUAD8, BF_TET10, BF_HEX8, BF_HEX20};
  for (size_t t = 0; t < sizeof types / sizeof *types; t++) {
    bf_mesh      *m = t_box(types[t], 4, 3, 3);
    bf_numbering *a = NULL, *b = NULL, *whole = NULL;
    T_OK(bf_numbering_create(m, BF_ORDER_AUTO, &a));
    T_OK(bf_numbering_create_condensed(m, BF_ORDER_AUTO, &b));
    assert_int_equal(a->nrows, b->nrows);
    assert_memory_equal(a->row, b->row, (size_t)m->nnodes * sizeof *a->row);
    T_OK(bf_numbering_whole(m, b, &whole));
    assert_int_equal(whole->nrows, b->nrows);
    bf_numbering_destroy(&a);
    bf_numbering_destroy(&b);
    bf_numbering_destroy(&whole);
    bf_mesh_destroy(&m);
  }
}

static void a_failed_allocation_leaks_nothing(void **state)
{
  (void)state;
  bf_mesh    *m = t_box(BF_HEX27, 2, 2, 3);
  t_no_memory t = {0};
  while (t_no_memory_next(&t)) {
    bf_numbering *n = NULL, *whole = NULL;
    t_no_memory_begin(&t);
    bf_err err = bf_numbering_create_condensed(m, BF_ORDER_AUTO, &n);
    if (err == BF_OK) err = bf_numbering_whole(m, n, &whole);
    t_no_memory_end(&t, err);
    bf_numbering_destroy(&n);
    bf_numbering_destroy(&whole);
  }
  assert_true(t.failed > 0);
  bf_mesh_destroy(&m);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(middle_nodes_have_no_row_and_all_others_have_one),
      cmocka_unit_test(the_bands_lose_what_the_nodes_had),
      cmocka_unit_test(patterns_are_those_of_the_nodes_with_rows),
      cmocka_unit_test(meshes_without_such_elements_are_numbered_as_ever),
      cmocka_unit_test(a_failed_allocation_leaks_nothing),
  };
  return T_RUN(tests);
}
