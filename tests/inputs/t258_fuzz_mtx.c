/* tests/inputs/t258_fuzz_mtx.c - the reader of matrices answers whatever fuzzing has found, and its seeds */
/* SPDX-License-Identifier: BSD-3-Clause */
#define FUZZ_READER "mtx"
#define FUZZ_SEEDS                                                                                           \
  {                                                                                                          \
    BF_SOURCE_DIR "/tests/matrices", 12                                                                      \
  }
#include "tests/fuzz/replay.h"
