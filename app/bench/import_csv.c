/* app/bench/import_csv.c - rows that other programs measured (tests/peers/magma_batched.py), as peers of a
 * case
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "app/bench/dense.h"
#include "base/memory.h"
#include <string.h>

bf_err bf_bench_read_others(bf_bench *b, const char *path)
{
  bf_err err  = BF_OK;
  int    line = 1;
  char   text[256];
  FILE  *file = fopen(path, "r");
  BF_CHECK(file, BF_E_FILE, "cannot read '%s'", path);
  const int any                         = fgets(text, sizeof text, file) != NULL;
  text[any ? strcspn(text, "\r\n") : 0] = '\0';
  BF_NEED(strcmp(text, "table,case,kernel,seconds,error,failed") == 0, BF_E_FILE,
          "%s:1: expected table,case,kernel,seconds,error,failed", path);
  while (fgets(text, sizeof text, file)) {
    bf_bench_other  o;
    bf_bench_other *grown = bf_host_realloc(b->other, (size_t)b->nother + 1, sizeof *grown);
    BF_NEED(grown, BF_E_MEMORY, "no memory for %d rows", b->nother + 1);
    b->other = grown;
    line++;
    BF_NEED(sscanf(text, "%15[^,],%31[^,],%63[^,],%lf,%lf,%d", o.table, o.name, o.kernel, &o.seconds,
                   &o.error, &o.failed) == 6 &&
                o.seconds > 0.0,
            BF_E_FILE, "%s:%d: expected table,case,kernel,seconds,error,failed", path, line);
    b->other[b->nother++] = o;
  }
done:
  fclose(file);
  return err;
}

void bf_bench_other_rows(bf_bench *b, bf_bench_row row)
{
  row.peer = 1;
  for (int k = 0; k < b->nother; k++) {
    const bf_bench_other *o = &b->other[k];
    if (strcmp(o->table, b->table) != 0 || strcmp(o->name, b->name) != 0) continue;
    row.kernel  = o->kernel;
    row.seconds = o->seconds;
    row.error   = o->error;
    row.failed  = o->failed;
    bf_bench_show(b, &row);
  }
}

bf_err bf_dense_case_others(bf_dense_case *c)
{
  bf_bench_other_rows(c->b, bf_dense_case_row(c, ""));
  return BF_OK;
}
