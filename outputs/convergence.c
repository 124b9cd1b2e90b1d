/* outputs/convergence.c - see convergence.h; texts are quoted as in csv.c, numbers have 17 digits */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "outputs/convergence.h"
#include "outputs/atomic_file.h"
#include <math.h>
#include <string.h>

static void put_quoted(bf_atomic_file *f, const char *text)
{
  bf_atomic_file_write(f, "\"", 1);
  for (const char *p = text; *p; p++) {
    if (*p == '"') bf_atomic_file_write(f, p, 1);
    bf_atomic_file_write(f, p, 1);
  }
  bf_atomic_file_write(f, "\"", 1);
}

static void put_number(bf_atomic_file *f, double v)
{
  if (isfinite(v))
    bf_atomic_file_print(f, ",%.17g", v);
  else
    bf_atomic_file_print(f, ",");
}

bf_err bf_write_convergence(const bf_convergence *c, const char *path)
{
  bf_err          err = BF_OK;
  bf_atomic_file *f   = NULL;
  BF_GO(bf_atomic_file_create(path, &f));
  bf_atomic_file_print(
      f, "degree,level,h,elements,unknowns,iterations,seconds,quantity,value,error,observed_order\n");
  for (int i = 0; i < c->nrows; i++)
    for (int q = 0; q < c->nquantities; q++) {
      const bf_convergence_row *r = &c->row[i];
      bf_atomic_file_print(f, "%d,%d,%.17g,%lld,%lld,%lld,%.6g,", r->degree, r->level, r->h,
                           (long long)r->elements, (long long)r->unknowns, (long long)r->iterations,
                           r->seconds);
      put_quoted(f, c->quantity[q]);
      put_number(f, r->value[q]);
      put_number(f, r->error[q]);
      put_number(f, r->order[q]);
      bf_atomic_file_print(f, "\n");
    }
  BF_GO(bf_atomic_file_commit(f));
done:
  bf_atomic_file_destroy(&f);
  return err;
}
