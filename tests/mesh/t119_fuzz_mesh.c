/* tests/mesh/t119_fuzz_mesh.c - the reader of meshes answers whatever fuzzing has found, and its seeds */
/* SPDX-License-Identifier: BSD-3-Clause */
#define FUZZ_READER "mesh"
#define FUZZ_SEEDS                                                                                           \
  {BF_SOURCE_DIR "/tests/meshes", 16},                                                                       \
  {                                                                                                          \
    BF_SOURCE_DIR "/inputs/meshes", 4                                                                        \
  }
#include "tests/fuzz/replay.h"
