/* tests/assembly/gfem/t265_gfem_diagonals.c - the wide rows of generalised finite elements: well-filled
 * diagonals in one table, what the boundary adds left outside them */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/assembly/gfem/gfem_case.h"
#include "tests/numbering_case.h"

static void model(t_gfem *t, bf_elem_type type, bf_int nx, bf_int ny, int order)
{
  static const char *const value[] = {"x"};
  t_gfem_create(t, BF_HEAT, type, 1.0, 1.0, nx, ny, order);
  t_gfem_dirichlet(t, value);
  t_shuffle(t->c.mesh, 3);
  t_gfem_model(t);
}

/* The bounds are those of the design for 100 x 140 to 200 x 300 quadrilaterals of orders 2 and 3. */
static void the_boundary_is_left_outside(void **state)
{
  (void)state;
  static const struct {
    bf_elem_type type;
    int          order;
    bf_int       diagonals;
    double       full, half, rest;
  } want[] = {{BF_QUAD4, 2, 49, 8.4, 4.5, 0.024}, {BF_QUAD4, 3, 121, 8.5, 4.5, 0.018}};
  for (int i = 0; i < 2; i++) {
    t_gfem t;
    model(&t, want[i].type, 100, 140, want[i].order);
    const bf_numbering *n = t.num, *k = n->next;
    assert_non_null(k);
    assert_non_null(k->split[0].rest);
    assert_null(k->bands);
    assert_null(n->split[0].bands);
    assert_null(k->next);
    const bf_try *e = &n->tries[k->line];
    if (getenv("BANDFEM_TEST_VERBOSE"))
      print_message("%s order %d: %d diagonals, %.2f / %.2f, %.2f %% outside; all in bands %.2f / %.2f\n",
                    bf_elem(want[i].type)->name, want[i].order, e->diagonals, e->bytes_full, e->bytes_half,
                    100.0 * e->rest, n->tries[n->line].bytes_full, n->tries[n->line].bytes_half);
    T_NEAR(e->diagonals, want[i].diagonals, 0.15 * want[i].diagonals);
    T_LE(e->bytes_full, want[i].full);
    T_LE(e->bytes_half, want[i].half);
    T_LE(e->rest, want[i].rest);
    T_LE(e->bytes_full, t_chosen(n)->bytes_full);
    t_gfem_clear(&t);
  }
}

static void every_coupling_has_one_place(void **state)
{
  (void)state;
  for (int order = 2; order <= 3; order++) {
    t_gfem    t;
    bf_graph *g = NULL;
    model(&t, BF_QUAD4, 30, 26, order);
    const bf_numbering *k = t.num->next;
    assert_non_null(k);
    T_OK(bf_model_pattern(t.m, k, &g));
    t_split_is_valid(k->split, g);
    assert_true(k->split[0].rest->ptr[k->nrows] > 0);
    bf_graph_destroy(&g);
    t_gfem_clear(&t);
  }
}

int main(int argc, char **argv)
{
  const int               code    = t_backend_open(argc, argv);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_boundary_is_left_outside),
      cmocka_unit_test(every_coupling_has_one_place),
  };
  if (code) return code;
  return t_backend_close(T_RUN(tests));
}
