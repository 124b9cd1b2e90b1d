/* tests/mesh/t124_families.c - node families give quadratic elements full diagonals, a table for each family
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/numbering_case.h"

static bf_mesh *block(bf_elem_type type, bf_int nx, bf_int ny, bf_int nz, uint64_t seed)
{
  bf_mesh *m = t_box(type, nx, ny, nz);
  t_shuffle(m, seed);
  t_map(m, m->dim == 2 ? t_curve_2d : t_curve_3d);
  return m;
}

/* Offsets of all segments together, and those >= 0. */
static void count_offsets(const bf_bands *b, int64_t *full, int64_t *upper)
{
  *full  = b->ptr[b->nseg];
  *upper = 0;
  for (int64_t k = 0; k < *full; k++) *upper += b->off[k] >= 0;
}

/* The counts of the design: diagonals of each family, and their sums. */
static void a_block_has_the_ideal_counts_of_its_families(void **state)
{
  (void)state;
  static const struct {
    bf_elem_type type;
    bf_int       n[3], families, vertices, full, upper, mid[7]; /* mid: ascending */
  } ideal[] = {{BF_TRI6, {13, 19, 0}, 4, 19, 46, 25, {9, 9, 9}},
               {BF_QUAD8, {14, 19, 0}, 3, 21, 47, 25, {13, 13}},
               {BF_TET10, {7, 9, 12}, 8, 65, 230, 119, {19, 19, 19, 27, 27, 27, 27}},
               {BF_HEX20, {8, 10, 15}, 4, 81, 234, 119, {51, 51, 51}},
               {BF_QUAD9, {14, 19, 0}, 4, 25, 64, 34, {9, 15, 15}},
               {BF_HEX27, {8, 10, 15}, 8, 125, 512, 260, {27, 45, 45, 45, 75, 75, 75}}};
  for (int i = 0; i < 6; i++)
    for (uint64_t seed = 1; seed < 4; seed++) {
      bf_mesh      *m = block(ideal[i].type, ideal[i].n[0], ideal[i].n[1], ideal[i].n[2], seed);
      bf_numbering *n = NULL;
      int64_t       full, upper;
      T_OK(bf_numbering_create(m, BF_ORDER_AUTO, &n));
      t_is_valid(m, n);
      const bf_bands *b = n->bands;
      assert_int_equal(b->nseg, ideal[i].families);
      assert_int_equal(b->ptr[1], ideal[i].vertices);
      count_offsets(b, &full, &upper);
      assert_int_equal(full, ideal[i].full);
      assert_int_equal(upper, ideal[i].upper);
      bf_int width[7];
      for (bf_int s = 1; s < b->nseg; s++) width[s - 1] = (bf_int)(b->ptr[s + 1] - b->ptr[s]);
      qsort(width, (size_t)b->nseg - 1, sizeof *width, t_compare_int);
      for (bf_int s = 1; s < b->nseg; s++) assert_int_equal(width[s - 1], ideal[i].mid[s - 1]);
      bf_numbering_destroy(&n);
      bf_mesh_destroy(&m);
    }
}

static bf_int segment_of(const bf_bands *b, bf_int row)
{
  bf_int s = 0;
  while (b->row[s + 1] <= row) s++;
  return s;
}

/* row = row of the owner, the end of the edge with the smaller one, + a constant of the family. */
static void a_mid_node_has_the_place_of_its_owner(void **state)
{
  (void)state;
  static const bf_elem_type types[] = {BF_TRI6, BF_QUAD8, BF_TET10, BF_HEX20, BF_QUAD9, BF_HEX27};
  for (int t = 0; t < 6; t++) {
    bf_mesh            *m    = block(types[t], 6, 8, 7, 5);
    const bf_elem_info *info = bf_elem(types[t]);
    bf_numbering       *n    = NULL;
    T_OK(bf_numbering_create(m, BF_ORDER_AUTO, &n));
    const bf_block *B = bf_mesh_block(m, types[t]);
    bf_int          shift[8], end = 0;
    for (int s = 0; s < 8; s++) shift[s] = -1;
    for (bf_int e = 0; e < B->n; e++)
      for (int k = 0; k < info->nedges; k++) {
        const bf_int *node = B->node + (size_t)e * (size_t)info->nnodes;
        const bf_int  p = n->row[node[info->edge[k][0]]], q = n->row[node[info->edge[k][1]]],
                     r = n->row[node[info->ncorners + k]], owner = p < q ? p : q, s = segment_of(n->bands, r);
        assert_true(p < n->bands->row[1] && q < n->bands->row[1] && s > 0 && s < 8);
        if (shift[s] < 0) shift[s] = r - owner;
        assert_int_equal(r - owner, shift[s]);
      }
    for (bf_int s = 0; s < n->bands->nseg; s++) { /* no slice of phantoms alone */
      assert_int_equal(n->bands->row[s] % 128, 0);
      for (end = n->bands->row[s + 1]; n->node[end - 1] < 0; end--)
        ;
      T_LE(n->bands->row[s + 1] - end, 127);
    }
    bf_numbering_destroy(&n);
    bf_mesh_destroy(&m);
  }
}

/* Bytes a nonzero of full and half storage; rows of 32-bit columns take 12 and more, of 16-bit ones 10. */
static void families_take_8_2_to_9_1_bytes_a_nonzero(void **state)
{
  (void)state;
  static const struct {
    bf_elem_type type;
    bf_int       n[3];
    double       full, half;
  } want[] = {{BF_TRI6, {80, 110, 0}, 8.2, 4.5},   {BF_QUAD8, {80, 110, 0}, 8.2, 4.4},
              {BF_TET10, {16, 20, 28}, 8.9, 4.65}, {BF_HEX20, {20, 22, 30}, 8.8, 4.5},
              {BF_QUAD9, {80, 110, 0}, 8.2, 4.4},  {BF_HEX27, {16, 18, 24}, 9.1, 4.7}};
  for (int i = 0; i < 6; i++) {
    bf_mesh      *m = block(want[i].type, want[i].n[0], want[i].n[1], want[i].n[2], 1);
    bf_numbering *n = NULL;
    T_OK(bf_numbering_create(m, BF_ORDER_AUTO, &n));
    T_CONTAINS(t_chosen(n)->name, "node families");
    T_LE(t_chosen(n)->bytes_full, want[i].full);
    T_LE(t_chosen(n)->bytes_half, want[i].half);
    bf_numbering_destroy(&n);
    bf_mesh_destroy(&m);
  }
}

/* Several blocks: families by levels; a few segments more. */
static void blocks_in_a_row_have_families_by_levels(void **state)
{
  (void)state;
  bf_mesh *m[3] = {t_box(BF_QUAD8, 60, 60, 0), t_box(BF_QUAD4, 120, 24, 0), t_box(BF_HEX20, 30, 33, 12)};
  t_keep(m[0], t_in_l_shape);
  t_close_ring(m[1], 121);
  T_OK(bf_mesh_change_order(m[1], 2, INT32_MAX));
  t_keep(m[2], t_in_t_shape);
  static const double full[3] = {8.8, 9.0, 10.0}, half[3] = {4.8, 4.9, 5.2};
  for (int i = 0; i < 3; i++) {
    bf_numbering *n = NULL;
    t_shuffle(m[i], 3);
    if (i != 1) t_map(m[i], m[i]->dim == 2 ? t_curve_2d : t_curve_3d);
    T_OK(bf_numbering_create(m[i], BF_ORDER_AUTO, &n));
    t_is_valid(m[i], n);
    T_CONTAINS(t_chosen(n)->name, "node families");
    if (getenv("BANDFEM_TEST_VERBOSE"))
      print_message("%.3f %.3f %d\n", t_chosen(n)->bytes_full, t_chosen(n)->bytes_half, n->bands->nseg);
    T_LE(t_chosen(n)->bytes_full, full[i]);
    T_LE(t_chosen(n)->bytes_half, half[i]);
    bf_numbering_destroy(&n);
    bf_mesh_destroy(&m[i]);
  }
}

static void any_numbering_of_the_list_can_be_selected(void **state)
{
  (void)state;
  for (int which = 0; which < 3; which++) {
    bf_mesh      *m = block(BF_HEX20, 4, 5, 6, 2);
    bf_numbering *n = NULL;
    T_OK(bf_numbering_create(m, BF_ORDER_AUTO, &n));
    assert_non_null(n->next);
    assert_true(bf_numbering_phantoms(n) > 0 && bf_numbering_phantoms(n->next) == 0);
    assert_null(n->next->next);
    const bf_int rows = which ? n->next->nrows : n->nrows, line = which ? n->next->line : n->line;
    if (which == 2) {
      T_ERR(BF_E_ARG, bf_numbering_select(&n, 2));
    } else {
      T_OK(bf_numbering_select(&n, which));
      assert_non_null(n->next);
      assert_null(n->next->next);
      assert_int_equal(n->nrows, rows);
      assert_int_equal(n->line, line);
      T_CONTAINS(t_chosen(n)->name, which ? "mid-edge" : "families");
    }
    t_is_valid(m, n);
    bf_numbering_destroy(&n);
    bf_mesh_destroy(&m);
  }
}

static void orders_can_be_asked_for_with_families(void **state)
{
  (void)state;
  static const bf_order orders[] = {BF_ORDER_FILE, BF_ORDER_LEXICOGRAPHIC, BF_ORDER_RCM, BF_ORDER_LEVELS};
  for (int i = 0; i < 4; i++) {
    bf_mesh      *m = t_box(BF_QUAD8, 9, 12, 0);
    bf_numbering *n = NULL;
    t_shuffle(m, 4);
    T_OK(bf_numbering_create(m, orders[i], &n));
    t_is_valid(m, n);
    assert_int_equal(strstr(t_chosen(n)->name, "families") != NULL,
                     orders[i] == BF_ORDER_LEXICOGRAPHIC || orders[i] == BF_ORDER_LEVELS);
    bf_numbering_destroy(&n);
    bf_mesh_destroy(&m);
  }
}

static void no_allocation_failure_leaks(void **state)
{
  (void)state;
  bf_mesh *m = block(BF_TET10, 3, 4, 3, 7);
  t_numbering_without_memory(m);
  bf_mesh_destroy(&m);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_block_has_the_ideal_counts_of_its_families),
      cmocka_unit_test(a_mid_node_has_the_place_of_its_owner),
      cmocka_unit_test(families_take_8_2_to_9_1_bytes_a_nonzero),
      cmocka_unit_test(blocks_in_a_row_have_families_by_levels),
      cmocka_unit_test(any_numbering_of_the_list_can_be_selected),
      cmocka_unit_test(orders_can_be_asked_for_with_families),
      cmocka_unit_test(no_allocation_failure_leaks),
  };
  return T_RUN(tests);
}
