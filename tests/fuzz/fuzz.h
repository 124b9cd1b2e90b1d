/* tests/fuzz/fuzz.h - what the fuzz targets share: the entry libFuzzer calls, and claims that end the process
 *
 * A target is tests/fuzz/fuzz_NAME.c: one LLVMFuzzerTestOneInput that must return 0 for any bytes.  It is
 * linked twice: with libFuzzer (./dev fuzz NAME SECONDS, clang) and with the test tNNN_fuzz_NAME.c, which
 * hands it every file of the regressions and of the seeds.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_FUZZ_H
#define BF_FUZZ_H
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A claim about the program that no input may break. */
#define FUZZ_MUST(cond, ...)                                                                                 \
  do {                                                                                                       \
    if (!(cond)) {                                                                                           \
      fprintf(stderr, "\n%s:%d: broken claim: %s: ", __FILE__, __LINE__, #cond);                             \
      fprintf(stderr, __VA_ARGS__);                                                                          \
      fputc('\n', stderr);                                                                                   \
      abort();                                                                                               \
    }                                                                                                        \
  } while (0)
#endif
