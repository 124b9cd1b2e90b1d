/* tests/fuzz/replay.h - every file of the folders goes through the fuzz target, without libFuzzer
 *
 * A broken claim or a sanitizer ends the process: the file was named before.
 */
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
#endif
