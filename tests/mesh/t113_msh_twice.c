/* tests/mesh/t113_msh_twice.c - elements that are listed twice are found among many, in any order of their
 * nodes
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "mesh/build.h"
#include "mesh/msh/internal.h"
#include "tests/test.h"
#include <time.h>

enum { CELLS = 1 }; /* the block of a box behind its sides */

/* The number of reported pairs, or 0; the words are checked against the first pair. */
static int pairs_found(const bf_mesh *m, bf_int first, bf_int second)
{
  bf_diags     d   = {0};
  const bf_err err = bf_msh_check_twice(m, &d);
  char         want[80];
  int          pairs = 0;
  assert_int_equal(err == BF_OK, d.errors == 0);
  assert_true(d.count <= 1);
  if (d.count) {
    const char *at = strchr(d.item[0].text, '(');
    snprintf(want, sizeof want, "elements %lld and %lld (", (long long)m->block[CELLS].tag[first],
             (long long)m->block[CELLS].tag[second]);
    assert_int_equal(d.item[0].code, 206);
    T_CONTAINS(d.item[0].text, want);
    at = at ? strchr(at + 1, '(') : NULL;
    assert_non_null(at);
    assert_int_equal(sscanf(at, "(%d such pair", &pairs), 1);
  }
  bf_diags_clear(&d);
  return pairs;
}

/* Element `to` gets the nodes of `from`, turned around. */
static void repeat(bf_mesh *m, bf_int from, bf_int to)
{
  const int nen = bf_elem(m->block[CELLS].type)->nnodes;
  for (int a = 0; a < nen; a++)
    m->block[CELLS].node[(int64_t)to * nen + a] = m->block[CELLS].node[(int64_t)from * nen + nen - 1 - a];
}

static void planted_pairs_are_counted(void **state)
{
  (void)state;
  const bf_elem_type type[]  = {BF_TET4, BF_TET10, BF_HEX8, BF_HEX20};
  const double       size[3] = {1.0, 1.0, 1.0};
  for (size_t t = 0; t < sizeof type / sizeof *type; t++) {
    const bf_int cells[3] = {9, 8, 10};
    uint64_t     seed     = 7;
    bf_mesh     *m        = NULL;
    T_OK(bf_mesh_box(size, cells, type[t], &m));
    assert_int_equal(bf_elem(m->block[CELLS].type)->dim, 3);
    assert_int_equal(pairs_found(m, 0, 0), 0);
    repeat(m, 5, 700);
    assert_int_equal(pairs_found(m, 5, 700), 1);
    repeat(m, 5, 701);
    repeat(m, 300, 301);
    assert_int_equal(pairs_found(m, 300, 301), 3);
    for (int k = 0; k < 50; k++) repeat(m, 5, 400 + (bf_int)(t_random(&seed) % 100));
    assert_true(pairs_found(m, 300, 301) > 3);
    bf_mesh_destroy(&m);
  }
}

/* All pairs of elements at one node would be 4.5e10 comparisons. */
static void elements_around_one_node_cost_no_more(void **state)
{
  (void)state;
  const bf_int n = 300000;
  bf_mesh     *m = NULL;
  bf_diags     d = {0};
  T_OK(bf_mesh_create("fan", 2, n + 2, 1, 0, &m));
  T_OK(bf_mesh_set_block(m, 0, BF_TRI3, n));
  for (bf_int e = 0; e < n; e++) {
    m->block[0].node[3 * e]     = 0;
    m->block[0].node[3 * e + 1] = e + 1;
    m->block[0].node[3 * e + 2] = n + 1 - e; /* the sum is the same for all */
    m->block[0].tag[e]          = e;
  }
  const clock_t cpu = clock();
  T_ERR(BF_E_MODEL, bf_msh_check_twice(m, &d));
  T_LE((double)(clock() - cpu) / CLOCKS_PER_SEC, 5.0);
  T_CONTAINS(d.item[0].text, "(149999 such pairs)"); /* e and n - e, from 1 on */
  bf_diags_clear(&d);
  bf_mesh_destroy(&m);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(planted_pairs_are_counted),
                                     cmocka_unit_test(elements_around_one_node_cost_no_more)};
  return T_RUN(tests);
}
