/* tests/mesh/t645_incidence.c - the items at nodes, beside a search over all items */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/incidence.h"
#include "base/memory.h"
#include "tests/test.h"
#include <omp.h>

enum { NODES = 37, FIXED = 400, FREE = 300, STRIDE = 6, COUNT = 4 };

typedef struct lists {
  bf_int       fixed[FIXED * STRIDE], node[FREE * 5];
  int64_t      ptr[FREE + 1];
  bf_item_list list[2];
} lists;

/* 400 items 10, 11, ... with 4 of 6 stored nodes each, and 300 items 1000, 1001, ... with 0 to 4, some of
 * them -1. */
static void make(lists *l)
{
  uint64_t state = 645;
  for (int i = 0; i < FIXED * STRIDE; i++) l->fixed[i] = (bf_int)(t_random(&state) % NODES);
  l->ptr[0] = 0;
  for (int e = 0; e < FREE; e++) {
    l->ptr[e + 1] = l->ptr[e];
    for (int k = (int)(t_random(&state) % 5); k > 0; k--)
      l->node[l->ptr[e + 1]++] = (bf_int)(t_random(&state) % (NODES + 1)) - 1;
  }
  l->list[0] = (bf_item_list){.n = FIXED, .first = 10, .node = l->fixed, .stride = STRIDE, .count = COUNT};
  l->list[1] = (bf_item_list){.n = FREE, .first = 1000, .ptr = l->ptr, .node = l->node};
}

/* Items at node v in order, by a search; returns their number. */
static int64_t search(const lists *l, bf_int v, bf_int *item)
{
  int64_t n = 0;
  for (int e = 0; e < FIXED; e++)
    for (int k = 0; k < COUNT; k++)
      if (l->fixed[e * STRIDE + k] == v) item[n++] = 10 + e;
  for (int e = 0; e < FREE; e++)
    for (int64_t k = l->ptr[e]; k < l->ptr[e + 1]; k++)
      if (l->node[k] == v) item[n++] = 1000 + e;
  return n;
}

static void items_are_those_of_a_search_for_any_number_of_threads(void **state)
{
  static lists  l;
  static bf_int want[(FIXED + FREE) * 5];
  (void)state;
  make(&l);
  const int before = omp_get_max_threads();
  for (int threads = 1; threads <= 9; threads += 2) {
    int64_t *ptr  = NULL;
    bf_int  *item = NULL;
    omp_set_num_threads(threads);
    T_OK(bf_incidence_create(NODES, l.list, 2, &ptr, &item));
    assert_int_equal(ptr[0], 0);
    for (bf_int v = 0; v < NODES; v++) {
      const int64_t n = search(&l, v, want);
      assert_int_equal(ptr[v + 1] - ptr[v], n);
      assert_memory_equal(item + ptr[v], want, (size_t)n * sizeof *want);
    }
    bf_host_free(ptr);
    bf_host_free(item);
  }
  omp_set_num_threads(before);
}

static void no_items_leave_every_node_empty(void **state)
{
  int64_t *ptr  = NULL;
  bf_int  *item = NULL;
  (void)state;
  T_OK(bf_incidence_create(3, NULL, 0, &ptr, &item));
  for (int v = 0; v <= 3; v++) assert_int_equal(ptr[v], 0);
  bf_host_free(ptr);
  bf_host_free(item);
}

static void a_node_out_of_range_is_named_with_its_item(void **state)
{
  static lists l;
  int64_t     *ptr  = NULL;
  bf_int      *item = NULL;
  (void)state;
  make(&l);
  l.fixed[7 * STRIDE + 2] = NODES;
  T_ERR(BF_E_ARG, bf_incidence_create(NODES, l.list, 2, &ptr, &item));
  T_CONTAINS(bf_err_message(), "item 17 has node 37 of 37");
  assert_null(ptr);
  assert_null(item);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(items_are_those_of_a_search_for_any_number_of_threads),
      cmocka_unit_test(no_items_leave_every_node_empty),
      cmocka_unit_test(a_node_out_of_range_is_named_with_its_item),
  };
  return T_RUN(tests);
}
