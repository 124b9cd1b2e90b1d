/* outputs/vtk/read_field.c - see read_field.h; the layout is that of vtkhdf.c
 *
 * Source: VTK File Formats, "VTKHDF File Format", unstructured grids.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "outputs/vtk/read_field.h"
#include "base/memory.h"
#include "outputs/vtk/vtk_nodes.h"
#include <errno.h>
#include <hdf5.h>
#include <stdio.h>
#include <string.h>

void bf_read_field_clear(bf_read_field *r)
{
  bf_host_free(r->x);
  bf_host_free(r->type);
  bf_host_free(r->ptr);
  bf_host_free(r->point);
  bf_host_free(r->value);
  *r = (bf_read_field){.x = NULL};
}

typedef struct reader { /* HDF5's own messages are switched off while it is open */
  hid_t       file;
  const char *path;
  H5E_auto2_t report;
  void       *report_data;
} reader;

static bf_err open_file(const char *path, reader *r)
{
  FILE *f = fopen(path, "rb");
  BF_CHECK(f, BF_E_INPUT, "cannot read '%s': %s", path, strerror(errno));
  fclose(f);
  r->path = path;
  H5Eget_auto2(H5E_DEFAULT, &r->report, &r->report_data);
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  r->file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
  return r->file >= 0 ? BF_OK : BF_FAIL(BF_E_INPUT, "'%s' is not a result file: no HDF5", path);
}

static void close_file(reader *r)
{
  if (!r->path) return;
  if (r->file >= 0) H5Fclose(r->file);
  H5Eset_auto2(H5E_DEFAULT, r->report, r->report_data);
}

/* Rows and columns of a data set; rows -1: there is none. */
static void extent(const reader *r, const char *name, hsize_t size[2])
{
  hid_t set = -1, space = -1;
  size[0] = size[1] = 0;
  set               = H5Dopen2(r->file, name, H5P_DEFAULT);
  if (set < 0) return;
  space   = H5Dget_space(set);
  size[1] = 1;
  if (H5Sget_simple_extent_ndims(space) <= 2) H5Sget_simple_extent_dims(space, size, NULL);
  if (H5Sget_simple_extent_ndims(space) == 1) size[1] = 1;
  H5Sclose(space);
  H5Dclose(set);
}

/* The whole data set converted to a type of memory, to[rows * columns]. */
static bf_err get(const reader *r, const char *name, hid_t type, void *to)
{
  const hid_t  set = H5Dopen2(r->file, name, H5P_DEFAULT);
  const herr_t got = set >= 0 ? H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, to) : -1;
  if (set >= 0) H5Dclose(set);
  BF_CHECK(got >= 0, BF_E_INPUT, "'%s': cannot read %s", r->path, name);
  return BF_OK;
}

static bf_err vtk_type(const reader *r, int code, int64_t nodes, bf_elem_type *type)
{
  for (int t = 0; t < BF_ELEM_TYPES; t++)
    if (bf_elem((bf_elem_type)t)->vtk == code && bf_elem((bf_elem_type)t)->nnodes == nodes &&
        bf_elem((bf_elem_type)t)->dim >= 2) {
      *type = (bf_elem_type)t;
      return BF_OK;
    }
  return BF_FAIL(BF_E_INPUT, "'%s': cells of VTK type %d with %lld points are not supported", r->path, code,
                 (long long)nodes);
}

/* Points, cells and their types. */
static bf_err get_mesh(const reader *r, bf_read_field *out)
{
  bf_err   err = BF_OK;
  hsize_t  points[2], types[2], ids[2], ptr[2];
  int64_t *id   = NULL;
  int     *code = NULL;
  extent(r, "/VTKHDF/Points", points);
  extent(r, "/VTKHDF/Types", types);
  extent(r, "/VTKHDF/Connectivity", ids);
  extent(r, "/VTKHDF/Offsets", ptr);
  BF_NEED(points[0] > 0 && points[1] == 3 && types[0] > 0 && ptr[0] == types[0] + 1 &&
              points[0] < INT32_MAX && types[0] < INT32_MAX,
          BF_E_INPUT, "'%s' has no unstructured grid of VTKHDF with one part", r->path);
  out->npoints = (bf_int)points[0];
  out->ncells  = (bf_int)types[0];
  BF_GO(BF_NEW_ARRAY(out->x, 3 * (size_t)points[0]));
  BF_GO(BF_NEW_ARRAY(out->type, types[0]));
  BF_GO(BF_NEW_ARRAY(out->ptr, ptr[0]));
  BF_GO(BF_NEW_ARRAY(out->point, ids[0]));
  BF_GO(BF_NEW_ARRAY(id, ids[0]));
  BF_GO(BF_NEW_ARRAY(code, types[0]));
  BF_GO(get(r, "/VTKHDF/Points", H5T_NATIVE_DOUBLE, out->x));
  BF_GO(get(r, "/VTKHDF/Types", H5T_NATIVE_INT, code));
  BF_GO(get(r, "/VTKHDF/Offsets", H5T_NATIVE_INT64, out->ptr));
  BF_GO(get(r, "/VTKHDF/Connectivity", H5T_NATIVE_INT64, id));
  for (bf_int c = 0; c < out->ncells; c++) {
    const int64_t first = out->ptr[c], n = out->ptr[c + 1] - first;
    BF_NEED(first >= 0 && n > 0 && (hsize_t)(first + n) <= ids[0], BF_E_INPUT, "'%s': wrong offsets",
            r->path);
    BF_GO(vtk_type(r, code[c], n, &out->type[c]));
    const int *order = bf_vtk_nodes(out->type[c]);
    const int  dim   = bf_elem(out->type[c])->dim;
    out->dim         = dim > out->dim ? dim : out->dim;
    for (int64_t k = 0; k < n; k++) {
      BF_NEED(id[first + k] >= 0 && id[first + k] < out->npoints, BF_E_INPUT, "'%s': wrong connectivity",
              r->path);
      out->point[first + order[k]] = (bf_int)id[first + k];
    }
  }
done:
  bf_host_free(id);
  bf_host_free(code);
  return err;
}

typedef struct names {
  char   text[400];
  size_t used;
} names;

static herr_t add_name(hid_t group, const char *name, const H5L_info_t *info, void *data)
{
  names *n = data;
  (void)group, (void)info;
  if (n->used + strlen(name) + 3 < sizeof n->text)
    n->used +=
        (size_t)snprintf(n->text + n->used, sizeof n->text - n->used, "%s%s", n->used ? ", " : "", name);
  return 0;
}

static bf_err no_field(const reader *r, const char *field)
{
  names n = {.text = ""};
  for (int k = 0; k < 2; k++) {
    const hid_t g = H5Gopen2(r->file, k ? "/VTKHDF/CellData" : "/VTKHDF/PointData", H5P_DEFAULT);
    if (g < 0) continue;
    H5Literate(g, H5_INDEX_NAME, H5_ITER_NATIVE, NULL, add_name, &n);
    H5Gclose(g);
  }
  return BF_FAIL(BF_E_INPUT, "'%s' has no field '%s'; it has: %s", r->path, field, n.text);
}

/* One component of one step. */
static bf_err get_values(const reader *r, const char *field, int component, int step, bf_read_field *out)
{
  bf_err  err = BF_OK;
  char    name[300];
  hsize_t size[2];
  double *all = NULL;
  snprintf(name, sizeof name, "/VTKHDF/PointData/%.200s", field);
  extent(r, name, size);
  if (size[0] == 0) {
    out->on_cells = 1;
    snprintf(name, sizeof name, "/VTKHDF/CellData/%.200s", field);
    extent(r, name, size);
  }
  if (size[0] == 0) return no_field(r, field);
  const hsize_t rows  = (hsize_t)(out->on_cells ? out->ncells : out->npoints);
  const hsize_t steps = size[0] / rows;
  BF_CHECK(size[0] % rows == 0, BF_E_INPUT, "'%s': field '%s' has %llu rows for %llu %s", r->path, field,
           (unsigned long long)size[0], (unsigned long long)rows, out->on_cells ? "cells" : "points");
  BF_CHECK(component < 0 ? size[1] == 1 : (hsize_t)component < size[1], BF_E_INPUT,
           component < 0 ? "field '%s' of '%s' has %llu components; name one by 'component'"
                         : "field '%s' of '%s' has %llu components",
           field, r->path, (unsigned long long)size[1]);
  BF_CHECK(steps == 1 || (step >= 1 && (hsize_t)step <= steps), BF_E_INPUT,
           "field '%s' of '%s' has %llu steps; name one by 'step', from 1", field, r->path,
           (unsigned long long)steps);
  BF_GO(BF_NEW_ARRAY(all, size[0] * size[1]));
  BF_GO(BF_NEW_ARRAY(out->value, rows));
  BF_GO(get(r, name, H5T_NATIVE_DOUBLE, all));
  const hsize_t from = steps == 1 ? 0 : (hsize_t)(step - 1) * rows;
  for (hsize_t i = 0; i < rows; i++)
    out->value[i] = all[(from + i) * size[1] + (hsize_t)(component < 0 ? 0 : component)];
done:
  bf_host_free(all);
  return err;
}

static void get_converged(const reader *r, bf_read_field *out)
{
  int64_t     value  = 1;
  const hid_t record = H5Gopen2(r->file, "/bandfem", H5P_DEFAULT);
  const hid_t at     = record >= 0 ? H5Aopen(record, "converged", H5P_DEFAULT) : -1;
  if (at >= 0 && H5Aread(at, H5T_NATIVE_INT64, &value) < 0) value = 1;
  if (at >= 0) H5Aclose(at);
  if (record >= 0) H5Gclose(record);
  out->converged = value != 0;
}

bf_err bf_read_field_open(const char *path, const char *field, int component, int step, bf_read_field *out)
{
  bf_err err = BF_OK;
  reader r   = {.file = -1};
  *out       = (bf_read_field){.x = NULL};
  BF_GO(open_file(path, &r));
  BF_GO(get_mesh(&r, out));
  BF_GO(get_values(&r, field, component, step, out));
  get_converged(&r, out);
done:
  close_file(&r);
  if (err != BF_OK) bf_read_field_clear(out);
  return err;
}
