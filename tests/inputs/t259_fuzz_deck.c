/* tests/inputs/t259_fuzz_deck.c - the reader of decks answers whatever fuzzing has found, and its seeds */
/* SPDX-License-Identifier: BSD-3-Clause */
#define FUZZ_READER "deck"
#define FUZZ_SEEDS                                                                                           \
  {BF_SOURCE_DIR "/tests/decks", 20},                                                                        \
  {                                                                                                          \
    BF_SOURCE_DIR "/inputs/decks", 7                                                                         \
  }
#include "tests/fuzz/replay.h"
