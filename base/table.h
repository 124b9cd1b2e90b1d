/* base/table.h - values on a grid of x, y, z from a CSV file, linear in between
 *
 *     f(x) = sum over the corners of the cell of x of (product of the hat functions) * value
 *
 * linear, bilinear or trilinear with 1, 2 or 3 coordinates; outside the range of a coordinate the value at
 * its end is used.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_TABLE_H
#define BF_TABLE_H
#include "base/diag.h"

enum { BF_TABLE_BYTES_MAX = 64 << 20, BF_TABLE_ROWS_MAX = 4000000 };

typedef struct bf_table {
  const char *name;    /* borrowed: the path it was read from */
  int         dim;     /* coordinates, 1 .. 3 */
  int         axis[3]; /* [dim]: 0 1 2 = x y z */
  int         n[3];    /* [dim]: values of each coordinate, at least 2 */
  double     *at[3];   /* owned [n]: ascending */
  double     *value;   /* owned [n0][n1][n2], the last coordinate fastest */
  double      least, most;
  int64_t     least_line, most_line; /* of the file */
  double farthest, farthest_at[3];   /* the point farthest outside so far, in lengths of the table; 0 = none,
                                        set to infinity to disable the check */
} bf_table;

/* Reads a file of lines: names of 1 to 3 of x, y, z and of the values, then numbers, all grid points in any
 * order.  Separator , or ; or tab; blank lines and lines that begin with # are ignored. `path` is borrowed by
 * the table and by every place in it. Errors are E113 (E113 at `named` if the file cannot be read), then *out
 * = NULL and BF_OK; other values only when memory runs out. */
bf_err bf_table_read(const char *path, bf_where named, bf_diags *diags, bf_table **out);
void   bf_table_destroy(bf_table **t);

/* f[i] = value at x[3*i .. 3*i+2], i < n; several threads may call it at once. */
bf_err bf_table_eval(bf_table *t, int64_t n, const double *x, double *f);
#endif
