/* tests/inputs/deck_case.h - a deck that is read again and again without memory for it */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_TESTS_INPUTS_DECK_CASE_H
#define BF_TESTS_INPUTS_DECK_CASE_H
#include "inputs/deck.h"
#include "tests/inputs/folder.h"
#include "tests/no_memory.h"

/* The sound deck `name` of the folder with its 1st, 2nd, ... allocation failing: no deck, nothing leaks. */
static inline void t_deck_without_memory(const t_folder *f, const char *name)
{
  char        path[128];
  t_no_memory t = {0};
  snprintf(path, sizeof path, "%s/%s", f->path, name);
  while (t_no_memory_next(&t)) {
    bf_diags d    = {0};
    bf_deck *deck = NULL;
    t_no_memory_begin(&t);
    t_no_memory_end(&t, bf_deck_read(path, &d, &deck));
    assert_int_equal(deck != NULL, t.last);
    bf_deck_destroy(&deck);
    bf_diags_clear(&d);
  }
  assert_true(t.failed > 50);
}
#endif
