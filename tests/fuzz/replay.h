/* tests/fuzz/replay.h - what fuzzing a reader found stays found: its regressions and its seeds once more,
 * without libFuzzer
 *
 * FUZZ_READER is the folder of its regressions, FUZZ_SEEDS are folders with the least number of files in
 * them, both defined before.  A broken claim or a sanitizer ends the process: the file was named before.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_FUZZ_REPLAY_H
#define BF_FUZZ_REPLAY_H
#include "tests/fuzz/fuzz.h"
#include "tests/test.h"
#include <dirent.h>

static inline void fuzz_replay_file(const char *path)
{
  FILE *f = fopen(path, "rb");
  assert_non_null(f);
  assert_int_equal(fseek(f, 0, SEEK_END), 0);
  const long size = ftell(f);
  rewind(f);
  uint8_t *bytes = malloc(size > 0 ? (size_t)size : 1); /* exactly as long: a read past the end is seen */
  assert_non_null(bytes);
  assert_int_equal(fread(bytes, 1, (size_t)size, f), size);
  fclose(f);
  print_message("           %s\n", path);
  assert_int_equal(LLVMFuzzerTestOneInput(bytes, (size_t)size), 0);
  free(bytes);
}

/* Number of files that were replayed. */
static inline int fuzz_replay(const char *folder)
{
  int            n = 0;
  char           path[1024];
  struct dirent *e;
  DIR           *d = opendir(folder);
  assert_non_null(d);
  while ((e = readdir(d)) != NULL) {
    if (e->d_name[0] == '.') continue;
    snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
    DIR *below = opendir(path);
    if (below)
      closedir(below);
    else
      fuzz_replay_file(path), n++;
  }
  closedir(d);
  return n;
}

static void every_input_that_once_broke_something_is_answered(void **state)
{
  (void)state;
  assert_true(fuzz_replay(BF_SOURCE_DIR "/tests/fuzz/regressions/" FUZZ_READER) >= 1);
}

static void every_seed_is_answered(void **state)
{
  static const struct {
    const char *folder;
    int         least;
  } seeds[] = {FUZZ_SEEDS};
  (void)state;
  for (size_t i = 0; i < sizeof seeds / sizeof *seeds; i++)
    assert_true(fuzz_replay(seeds[i].folder) >= seeds[i].least);
}

static void no_bytes_at_all_are_answered(void **state)
{
  (void)state;
  assert_int_equal(LLVMFuzzerTestOneInput((const uint8_t *)"", 0), 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_input_that_once_broke_something_is_answered),
      cmocka_unit_test(every_seed_is_answered),
      cmocka_unit_test(no_bytes_at_all_are_answered),
  };
  return T_RUN(tests);
}
#endif
