/* outputs/vtk/hdf_steps.c - the group Steps of a VTKHDF file: offsets of each step in the arrays
 *
 *   Steps/   attribute NSteps; Values [n], PartOffsets NumberOfParts PointOffsets CellOffsets
 *            ConnectivityIdOffsets [n]
 *     PointDataOffsets/ CellDataOffsets/ FieldDataOffsets/   <field> [n], the first row of the step
 *     FieldDataSizes/                                        <field> [n][2]: components, rows
 * The mesh is one part, written once, with offset 0 in every step; so is a constant field. The reader of
 * VTK 9.3 crashes if a field has no offsets, so each field has them. Source: VTK File Formats, "VTKHDF File
 * Format", temporal unstructured grids.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "outputs/vtk/hdf_steps.h"
#include "base/memory.h"
#include <string.h>

void bf_hdf_step_numbers(bf_hdf *h, hid_t data, const bf_steps *steps)
{
  bf_hdf_array(h, data, "TimeValue", H5T_NATIVE_DOUBLE, steps->n, 1, steps->at);
  for (int i = 0; i < steps->nnumbers; i++)
    bf_hdf_array(h, data, steps->number[i].name, H5T_NATIVE_DOUBLE, steps->n, 1, steps->number[i].value);
}

typedef struct room { /* for the offsets of one array */
  int      n;
  int64_t *offset; /* owned [2 n] */
} room;

/* Offsets are multiples of `rows`. */
static void put_offsets(bf_hdf *h, hid_t at, const char *name, const room *o, int64_t rows)
{
  for (int s = 0; s < o->n; s++) o->offset[s] = s * rows;
  bf_hdf_array(h, at, name, H5T_NATIVE_INT64, o->n, 1, o->offset);
}

static void put_same(bf_hdf *h, hid_t at, const char *name, const room *o, int64_t value)
{
  for (int s = 0; s < o->n; s++) o->offset[s] = value;
  bf_hdf_array(h, at, name, H5T_NATIVE_INT64, o->n, 1, o->offset);
}

static void put_field_offsets(bf_hdf *h, hid_t group, const bf_result *r, const room *o)
{
  const hid_t point = bf_hdf_group(h, group, "PointDataOffsets"),
              cell  = bf_hdf_group(h, group, "CellDataOffsets");
  for (int i = 0; i < r->nfields; i++) {
    const bf_field *f    = &r->field[i];
    const int64_t   rows = f->on_cells ? r->view->ncells : r->view->npoints;
    put_offsets(h, f->on_cells ? cell : point, f->name, o, f->by_step ? rows : 0);
  }
}

static int is_legend(const bf_result *r, const char *name)
{
  int is = 0;
  for (int i = 0; i < r->nlegends; i++) is |= strcmp(r->legend[i].name, name) == 0;
  return is;
}

/* For all of FieldData: one row of one component per step, for texts the same row, for legends the same
 * rows in every step. */
static void put_data_offsets(bf_hdf *h, hid_t group, hid_t vtk, const bf_result *r, const room *o)
{
  const hid_t offsets = bf_hdf_group(h, group, "FieldDataOffsets"),
              sizes   = bf_hdf_group(h, group, "FieldDataSizes");
  const hid_t data    = bf_hdf_failed(h) ? H5I_INVALID_HID : H5Gopen2(vtk, "FieldData", H5P_DEFAULT);
  H5G_info_t  links   = {.nlinks = 0};
  if (data >= 0 && H5Gget_info(data, &links) < 0) bf_hdf_keep_error(h);
  for (hsize_t i = 0; i < links.nlinks && !bf_hdf_failed(h); i++) {
    char name[BF_HDF_NAME_MAX];
    if (H5Lget_name_by_idx(data, ".", H5_INDEX_NAME, H5_ITER_INC, i, name, sizeof name, H5P_DEFAULT) < 0) {
      bf_hdf_keep_error(h);
      break;
    }
    const hid_t    set = H5Dopen2(data, name, H5P_DEFAULT), space = H5Dget_space(set);
    const hssize_t rows = H5Sget_simple_extent_npoints(space);
    H5Sclose(space);
    const int legend = is_legend(r, name);
    put_offsets(h, offsets, name, o, rows == o->n && !legend ? 1 : 0);
    for (int s = 0; s < o->n; s++) {
      o->offset[2 * s]     = 1;
      o->offset[2 * s + 1] = legend ? rows : 1;
    }
    bf_hdf_array(h, sizes, name, H5T_NATIVE_INT64, o->n, 2, o->offset);
  }
}

bf_err bf_hdf_steps(bf_hdf *h, hid_t vtk, const bf_result *r)
{
  const bf_steps *steps = r->steps;
  room            o     = {.n = steps->n};
  const hid_t     group = bf_hdf_group(h, vtk, "Steps");
  BF_TRY(BF_NEW_ARRAY(o.offset, 2 * steps->n));
  bf_hdf_attr_int(h, group, "NSteps", steps->n);
  bf_hdf_array(h, group, "Values", H5T_NATIVE_DOUBLE, steps->n, 1, steps->at);
  static const char *const mesh[] = {"PartOffsets", "PointOffsets", "CellOffsets", "ConnectivityIdOffsets"};
  for (int i = 0; i < 4; i++) put_same(h, group, mesh[i], &o, 0);
  put_same(h, group, "NumberOfParts", &o, 1);
  put_field_offsets(h, group, r, &o);
  put_data_offsets(h, group, vtk, r, &o);
  bf_host_free(o.offset);
  return BF_OK;
}
