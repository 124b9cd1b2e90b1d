/* tests/mesh/t123_numbering_counts.c - the table of counts in docs/theory/numbering.md
 *
 * BANDFEM_TEST_VERBOSE=1 prints every line measured; without it the counts are compared.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "mesh/numbering.h"
#include "tests/shuffle.h"

typedef enum { WHOLE, L_SHAPE, RING, T_SHAPE, RANDOM } shape;

typedef struct line {
  const char  *name;
  shape        shape;
  bf_elem_type type;
  bf_int       n[3];
  void (*map)(double x[3]);
  bf_order order;
  bf_int   diagonals, segments; /* expected; diagonals 8193: over 8192 */
  double   full, half;
} line;

static bf_mesh *make(const line *l)
{
  if (l->shape == RANDOM) return t_random_triangles(l->n[0], 12);
  bf_mesh *m = t_box(l->type, l->n[0], l->n[1], l->n[2]);
  if (l->shape == L_SHAPE) t_keep(m, t_in_l_shape);
  if (l->shape == T_SHAPE) t_keep(m, t_in_t_shape);
  if (l->shape == RING) t_close_ring(m, l->n[0] + 1);
  t_shuffle(m, 1);
  if (l->map) t_map(m, l->map);
  return m;
}

/* clang-format off */
static const line table[] = {
    {"quad4 200x200, straight", WHOLE, BF_QUAD4, {200, 200, 0}, NULL, BF_ORDER_RCM, 605, 293, 12.85, 6.88},
    {"quad4 200x200, straight", WHOLE, BF_QUAD4, {200, 200, 0}, NULL, BF_ORDER_AUTO, 9, 1, 8.05, 4.47},
    {"quad4 40x1000, straight", WHOLE, BF_QUAD4, {40, 1000, 0}, NULL, BF_ORDER_RCM, 125, 13, 9.07, 4.99},
    {"quad4 40x1000, straight", WHOLE, BF_QUAD4, {40, 1000, 0}, NULL, BF_ORDER_AUTO, 9, 1, 8.14, 4.52},
    {"quad4 150x220, quarter ring", WHOLE, BF_QUAD4, {150, 220, 0}, t_quarter_ring, BF_ORDER_RCM, 455, 169, 12.36, 6.62},
    {"quad4 150x220, quarter ring", WHOLE, BF_QUAD4, {150, 220, 0}, t_quarter_ring, BF_ORDER_AUTO, 9, 1, 8.06, 4.48},
    {"tri3 150x220, curved", WHOLE, BF_TRI3, {150, 220, 0}, t_curve_2d, BF_ORDER_AUTO, 7, 1, 8.05, 4.60},
    {"tet4 16x20x30, curved", WHOLE, BF_TET4, {16, 20, 30}, t_curve_3d, BF_ORDER_AUTO, 15, 1, 8.63, 4.60},
    {"hex8 40x40x40, straight", WHOLE, BF_HEX8, {40, 40, 40}, NULL, BF_ORDER_RCM, 5841, 506, 29.78, 15.04},
    {"hex8 40x40x40, straight", WHOLE, BF_HEX8, {40, 40, 40}, NULL, BF_ORDER_AUTO, 27, 1, 8.40, 4.36},
    {"hex8 20x24x40, curved", WHOLE, BF_HEX8, {20, 24, 40}, t_curve_3d, BF_ORDER_RCM, 2281, 146, 29.96, 15.14},
    {"hex8 20x24x40, curved", WHOLE, BF_HEX8, {20, 24, 40}, t_curve_3d, BF_ORDER_AUTO, 27, 1, 8.63, 4.47},
    {"quad4 L-shape, 3 blocks of 60x60", L_SHAPE, BF_QUAD4, {120, 120, 0}, t_curve_2d, BF_ORDER_RCM, 483, 85, 21.45, 11.14},
    {"quad4 L-shape, 3 blocks of 60x60", L_SHAPE, BF_QUAD4, {120, 120, 0}, t_curve_2d, BF_ORDER_AUTO, 15, 3, 8.25, 4.58},
    {"quad4 closed ring 240x40", RING, BF_QUAD4, {240, 40, 0}, NULL, BF_ORDER_RCM, 265, 29, 18.58, 9.72},
    {"quad4 closed ring 240x40", RING, BF_QUAD4, {240, 40, 0}, NULL, BF_ORDER_AUTO, 15, 3, 8.20, 4.56},
    {"hex8 T-shape, 40x44x16 less two corners", T_SHAPE, BF_HEX8, {40, 44, 16}, t_curve_3d, BF_ORDER_RCM, 1949, 92, 42.13, 21.29},
    {"hex8 T-shape, 40x44x16 less two corners", T_SHAPE, BF_HEX8, {40, 44, 16}, t_curve_3d, BF_ORDER_AUTO, 63, 5, 8.95, 4.66},
    {"tri3 random, 16 726 nodes", RANDOM, BF_TRI3, {100, 0, 0}, NULL, BF_ORDER_RCM, 587, 124, 89.90, 45.56},
    {"tri3 random, 16 726 nodes", RANDOM, BF_TRI3, {100, 0, 0}, NULL, BF_ORDER_AUTO, 181, 117, 45.51, 23.21},
    {"tri6 80x110, curved", WHOLE, BF_TRI6, {80, 110, 0}, t_curve_2d, BF_ORDER_AUTO, 43, 4, 8.18, 4.46},
    {"quad8 80x110, curved", WHOLE, BF_QUAD8, {80, 110, 0}, t_curve_2d, BF_ORDER_AUTO, 37, 3, 8.19, 4.37},
    {"tet10 16x20x28, curved", WHOLE, BF_TET10, {16, 20, 28}, t_curve_3d, BF_ORDER_AUTO, 205, 8, 8.87, 4.63},
    {"hex20 20x22x30, curved", WHOLE, BF_HEX20, {20, 22, 30}, t_curve_3d, BF_ORDER_AUTO, 159, 4, 8.78, 4.49},
    {"quad9 80x110, curved", WHOLE, BF_QUAD9, {80, 110, 0}, t_curve_2d, BF_ORDER_AUTO, 53, 4, 8.19, 4.37},
    {"hex27 16x18x24, curved", WHOLE, BF_HEX27, {16, 18, 24}, t_curve_3d, BF_ORDER_AUTO, 447, 8, 9.10, 4.67},
};
/* clang-format on */

static void the_counts_of_the_documentation_are_reproduced(void **state)
{
  (void)state;
  const int verbose = getenv("BANDFEM_TEST_VERBOSE") != NULL;
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    const line   *l = &table[i];
    bf_numbering *n = NULL;
    bf_mesh      *m = make(l);
    T_OK(bf_numbering_create(m, l->order, &n));
    const bf_try *t = n->tries;
    while (!t->chosen) t++;
    if (verbose) {
      print_message("| %s | %s | %d | %d | %d | %d | %.2f / %.2f |\n", l->name, t->name, (int)n->nrows,
                    (int)t->diagonals, (int)t->reach, (int)t->segments, t->bytes_full, t->bytes_half);
    } else {
      assert_int_equal(t->diagonals, l->diagonals);
      assert_int_equal(t->segments, l->segments);
      T_NEAR(t->bytes_full, l->full, 0.006);
      T_NEAR(t->bytes_half, l->half, 0.006);
    }
    bf_numbering_destroy(&n);
    bf_mesh_destroy(&m);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(the_counts_of_the_documentation_are_reproduced)};
  return T_RUN(tests);
}
