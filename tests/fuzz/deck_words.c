/* tests/fuzz/deck_words.c - the words of the deck language as a dictionary of libFuzzer, from the schema */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "inputs/schema.h"
#include <stdio.h>

int main(void)
{
  int            nkeys, nwords;
  const bf_key  *key  = bf_schema_keys(&nkeys);
  const bf_word *word = bf_schema_words(&nwords);
  for (int i = 0; i < nkeys; i++) printf("\"%s: \"\n", key[i].name);
  for (int i = 0; i < nwords; i++) printf("\"%s\"\n", word[i].word);
  return 0;
}
