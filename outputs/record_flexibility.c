/* outputs/record_flexibility.c - the flexibility matrix of a run: flexibility.mtx, /bandfem/flexibility of
 * case.hdf
 *
 *   flexibility/   attributes unit route prescribed_left_out inner_nodes_left_out iterations residual
 *                  asymmetry condition error_bound seconds
 *                  matrix [n][n]; node component group [n], place [n][3] of the rows
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "outputs/matrix/mtx_symmetric.h"
#include "outputs/record.h"
#include <stdio.h>

void bf_record_flexibility(bf_hdf *h, hid_t record, const bf_flexibility_record *f)
{
  if (!f) return;
  const hid_t g = bf_hdf_group(h, record, "flexibility");
  bf_hdf_attr_text(h, g, "unit", f->unit);
  bf_hdf_attr_text(h, g, "route", f->route);
  bf_hdf_attr_int(h, g, "prescribed_left_out", f->prescribed);
  bf_hdf_attr_int(h, g, "inner_nodes_left_out", f->inner);
  bf_hdf_attr_int(h, g, "iterations", f->iterations);
  bf_hdf_attr_real(h, g, "residual", f->residual);
  bf_hdf_attr_real(h, g, "asymmetry", f->asymmetry);
  bf_hdf_attr_real(h, g, "condition", f->condition);
  bf_hdf_attr_real(h, g, "error_bound", f->error_bound);
  bf_hdf_attr_real(h, g, "seconds", f->seconds);
  bf_hdf_array(h, g, "matrix", H5T_NATIVE_DOUBLE, f->n, f->n, f->matrix);
  bf_hdf_array(h, g, "node", H5T_NATIVE_INT64, f->n, 1, f->node);
  bf_hdf_array(h, g, "place", H5T_NATIVE_DOUBLE, f->n, 3, f->place);
  bf_hdf_texts(h, g, "component", f->n, f->component);
  bf_hdf_texts(h, g, "group", f->n, f->group);
}

bf_err bf_write_flexibility(const bf_result *r, const char *path)
{
  char comment[300];
  BF_CHECK(r && r->flexibility, BF_E_ARG, "no flexibility matrix");
  snprintf(
      comment, sizeof comment,
      "flexibility matrix, unit %s: response of the row to a unit load of the column\nrows: flexibility.csv",
      r->flexibility->unit);
  return bf_write_mtx_symmetric(path, comment, r->flexibility->n, r->flexibility->matrix);
}
