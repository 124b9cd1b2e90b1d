/* tests/no_memory.h - something done again and again, its 1st, 2nd, ... allocation failing, until none is
 * left
 *
 *     t_no_memory t = {0};
 *     while (t_no_memory_next(&t)) {
 *       bf_mesh *m = NULL;
 *       t_no_memory_begin(&t);
 *       t_no_memory_end(&t, bf_mesh_box(size, cells, BF_HEX20, &m));
 *       bf_mesh_destroy(&m);
 *     }
 *     assert_true(t.failed > 10);
 *
 * Every time but the last the answer has to be BF_E_MEMORY, the last time BF_OK (or `without`); after each as
 * much is allocated as before the first.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_TEST_NO_MEMORY_H
#define BF_TEST_NO_MEMORY_H
#include "tests/test.h"

typedef struct t_no_memory {
  bf_err  without; /* the answer when nothing fails */
  int     spare;   /* that is an answer too where one fails: some can be done without */
  int64_t failed;  /* allocations that failed so far, */
  int64_t errors;  /* those that were not spared */
  int     rounds, last;
  int64_t live;
} t_no_memory;

static inline int t_no_memory_next(t_no_memory *t)
{
  if (t->rounds == 0) t->live = bf_memory_live();
  assert_int_equal(bf_memory_live(), t->live);
  assert_int_equal(t->failed + t->last, t->rounds); /* each round had its end */
  if (t->last) return 0;
  t->rounds++;
  return 1;
}

/* From here on the first allocation that has not failed yet will. */
static inline void t_no_memory_begin(const t_no_memory *t)
{
  bf_memory_fail_at(t->failed + 1);
}

/* The answer; nothing fails any more in this round. */
static inline void t_no_memory_end(t_no_memory *t, bf_err err)
{
  t->last = bf_memory_calls() <= t->failed;
  bf_memory_fail_at(0);
  if (err != (t->last ? t->without : BF_E_MEMORY) && !(t->spare && err == t->without))
    fail_msg("allocation %d failed%s, the answer was %s\n%s", (int)t->failed + 1, t->last ? " nowhere" : "",
             bf_err_name(err), bf_err_trace());
  t->failed += !t->last;
  t->errors += err == BF_E_MEMORY;
}
#endif
