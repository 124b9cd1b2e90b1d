/* tests/inputs/folder.h - a folder of small files for one test, removed by its end */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_TESTS_INPUTS_FOLDER_H
#define BF_TESTS_INPUTS_FOLDER_H
#include "tests/test.h"
#include <sys/stat.h>
#include <unistd.h>

typedef struct t_folder {
  char path[64], file[64][128];
  int  nfiles;
} t_folder;

static inline void t_folder_open(t_folder *f)
{
  *f = (t_folder){.path = "t_folder_XXXXXX"};
  assert_non_null(mkdtemp(f->path));
}

/* Writes a file of the folder, again if it is there; its path is valid as long as the folder. */
static inline const char *t_folder_put(t_folder *f, const char *name, const char *text, size_t length)
{
  char path[128];
  int  i = 0;
  snprintf(path, sizeof path, "%.60s/%.60s", f->path, name);
  while (i < f->nfiles && strcmp(f->file[i], path) != 0) i++;
  if (i == f->nfiles) {
    assert_in_range(f->nfiles, 0, 63);
    strcpy(f->file[f->nfiles++], path);
  }
  FILE *out = fopen(path, "wb");
  assert_non_null(out);
  assert_int_equal(fwrite(text, 1, length, out), length);
  assert_int_equal(fclose(out), 0);
  return f->file[i];
}

static inline const char *t_folder_text(t_folder *f, const char *name, const char *text)
{
  return t_folder_put(f, name, text, strlen(text));
}

static inline void t_folder_below(t_folder *f, const char *name)
{
  char path[128];
  snprintf(path, sizeof path, "%.60s/%.60s", f->path, name);
  assert_in_range(f->nfiles, 0, 63);
  assert_int_equal(mkdir(path, 0777), 0);
  strcpy(f->file[f->nfiles++], path);
}

static inline void t_folder_close(t_folder *f)
{
  while (f->nfiles > 0) remove(f->file[--f->nfiles]);
  assert_int_equal(rmdir(f->path), 0);
}
#endif
