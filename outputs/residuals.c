/* outputs/residuals.c - residuals.csv: one line per iteration, the start is iteration 0
 *
 * true_residual and seconds are empty if they were not computed.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "outputs/atomic_file.h"
#include "outputs/result.h"
#include <math.h>

static void put_cell(bf_atomic_file *f, const double *column, int i)
{
  if (column && isfinite(column[i]))
    bf_atomic_file_print(f, ",%.9e", column[i]);
  else if (column && !isnan(column[i]))
    bf_atomic_file_print(f, column[i] > 0 ? ",inf" : ",-inf");
  else
    bf_atomic_file_print(f, ",");
}

bf_err bf_write_residuals(const bf_result *r, const char *path)
{
  bf_err          err = BF_OK;
  bf_atomic_file *f   = NULL;
  BF_CHECK(r, BF_E_ARG, "no result");
  const bf_history *h = r->history;
  BF_GO(bf_atomic_file_create(path, &f));
  bf_atomic_file_print(f, "iteration,residual,true_residual,seconds\n");
  for (int i = 0; h && i < h->n; i++) {
    bf_atomic_file_print(f, "%d", i);
    put_cell(f, h->residual, i);
    put_cell(f, h->true_residual, i);
    put_cell(f, h->seconds, i);
    bf_atomic_file_print(f, "\n");
  }
  BF_GO(bf_atomic_file_commit(f));
done:
  bf_atomic_file_destroy(&f);
  return err;
}
