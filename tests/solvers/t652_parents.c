/* tests/solvers/t652_parents.c - parents of nodes on two levels: composed, from host and backend memory, no
 * third level, a level of another size, no memory */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "solvers/linear/multigrid/multigrid.h"
#include "tests/backend.h"
#include "tests/no_memory.h"

enum { ROWS = 6, NODES = 3 };
static const bf_int FIRST[ROWS]   = {2, 0, -1, 1, 2, 0};
static const bf_int SECOND[NODES] = {1, -1, 0};

static bf_err both(const bf_mg_stage *s, const bf_int *backend)
{
  const bf_int grid[3] = {2, 1, 1};
  BF_TRY(bf_mg_parents(s, ROWS, backend, NODES));
  return bf_mg_parents_host(s, NODES, SECOND, 2, grid);
}

static void the_second_level_is_composed_with_the_first(void **state)
{
  (void)state;
  static const bf_int  composed[ROWS] = {0, 1, -1, -1, 0, 1};
  bf_multigrid_parents p              = {.nlevels = 0};
  const bf_mg_stage    s              = {.be = t_be, .parents = &p};
  bf_int              *a              = t_to_backend(FIRST, sizeof FIRST);
  T_OK(both(&s, a));
  assert_int_equal(p.nlevels, 2);
  assert_int_equal(p.rows, ROWS);
  assert_int_equal(p.level[0].count, NODES);
  assert_int_equal(p.level[0].grid[0], 0);
  assert_int_equal(p.level[1].count, 2);
  assert_int_equal(p.level[1].grid[0], 2);
  assert_memory_equal(p.level[0].of, FIRST, sizeof FIRST);
  assert_memory_equal(p.level[1].of, composed, sizeof composed);
  T_OK(bf_mg_parents(&s, ROWS, a, NODES)); /* a third level is not kept */
  assert_int_equal(p.nlevels, 2);
  t_be->ops.release(t_be, a);
  bf_multigrid_parents_clear(&p);
  assert_int_equal(p.nlevels, 0);
  assert_null(p.level[0].of);
}

static void nothing_is_kept_where_nobody_asks(void **state)
{
  (void)state;
  const bf_mg_stage s = {.be = t_be};
  T_OK(bf_mg_parents_host(&s, ROWS, FIRST, NODES, NULL));
  T_OK(bf_mg_parents(&s, ROWS, NULL, NODES));
}

static void a_level_of_another_size_is_an_error(void **state)
{
  (void)state;
  bf_multigrid_parents p = {.nlevels = 0};
  const bf_mg_stage    s = {.be = t_be, .parents = &p};
  T_OK(bf_mg_parents_host(&s, ROWS, FIRST, NODES, NULL));
  assert_int_equal(bf_mg_parents_host(&s, ROWS, FIRST, 2, NULL), BF_E_ARG);
  assert_int_equal(p.nlevels, 1);
  bf_multigrid_parents_clear(&p);
}

static void without_memory_nothing_is_lost(void **state)
{
  (void)state;
  t_no_memory t = {0};
  bf_int     *a = t_to_backend(FIRST, sizeof FIRST);
  while (t_no_memory_next(&t)) {
    bf_multigrid_parents p = {.nlevels = 0};
    const bf_mg_stage    s = {.be = t_be, .parents = &p};
    t_no_memory_begin(&t);
    t_no_memory_end(&t, both(&s, a));
    bf_multigrid_parents_clear(&p);
  }
  assert_true(t.failed >= 3);
  t_be->ops.release(t_be, a);
}

int main(int argc, char **argv)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_second_level_is_composed_with_the_first),
      cmocka_unit_test(nothing_is_kept_where_nobody_asks),
      cmocka_unit_test(a_level_of_another_size_is_an_error),
      cmocka_unit_test(without_memory_nothing_is_lost),
  };
  const int code = t_backend_open(argc, argv);
  return code ? code : t_backend_close(T_RUN(tests));
}
