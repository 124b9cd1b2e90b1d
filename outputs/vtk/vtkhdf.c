/* outputs/vtk/vtkhdf.c - case.hdf: VTKHDF unstructured grid and the record of the run beside it
 *
 *   /VTKHDF    attributes Version, Type; NumberOfPoints NumberOfCells NumberOfConnectivityIds [1]
 *              Points [n][3]  Connectivity  Offsets [cells+1]  Types  PointData/ CellData/ FieldData/
 *     Steps    see hdf_steps.c
 *   /bandfem   see record.c
 * A steady state has version 1.0, which older readers accept, steps have version 2.0: the mesh once, a field
 * that changes as the rows of all steps, concatenated. Type is a fixed-length ASCII text, as the reader of
 * VTK requires.  Indices are int64, values doubles. Source: VTK File Formats, "VTKHDF File Format".
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "outputs/record.h"
#include "outputs/vtk/hdf_steps.h"
#include "outputs/vtk/vtk_nodes.h"
#include <string.h>

enum { PARALLEL_FROM = 10000 };

static void number(bf_hdf *h, hid_t at, const char *name, int64_t value)
{
  bf_hdf_array(h, at, name, H5T_NATIVE_INT64, 1, 1, &value);
}

static void put_points(bf_hdf *h, hid_t vtk, const bf_result *r, double *block)
{
  const bf_view *v    = r->view;
  const double  *x    = r->mesh->x;
  const hid_t    set  = bf_hdf_array_create(h, vtk, "Points", H5T_NATIVE_DOUBLE, v->npoints, 3);
  const int64_t  room = bf_hdf_part_rows(3 * sizeof *x);
  for (int64_t i = 0; i < v->npoints && !bf_hdf_failed(h); i += room) {
    const int64_t n = v->npoints - i < room ? v->npoints - i : room;
#pragma omp parallel for schedule(static) if (n > PARALLEL_FROM)
    for (int64_t k = 0; k < n; k++) memcpy(block + 3 * k, x + 3 * (int64_t)v->node[i + k], 3 * sizeof *x);
    bf_hdf_array_part(h, set, H5T_NATIVE_DOUBLE, i, n, 3, block);
  }
}

static void put_connectivity(bf_hdf *h, hid_t vtk, const bf_view *v, int64_t *block)
{
  const int64_t nids = v->ncells ? v->ptr[v->ncells] : 0, room = BF_HDF_PART_BYTES / (BF_NEN_MAX * 8);
  const hid_t   set = bf_hdf_array_create(h, vtk, "Connectivity", H5T_NATIVE_INT64, nids, 1);
  for (int64_t c0 = 0; c0 < v->ncells && !bf_hdf_failed(h); c0 += room) {
    const int64_t n = v->ncells - c0 < room ? v->ncells - c0 : room;
#pragma omp parallel for schedule(static) if (n > PARALLEL_FROM)
    for (int64_t c = c0; c < c0 + n; c++) {
      const bf_int *point = v->point + v->ptr[c];
      const int    *order = bf_vtk_nodes(v->type[c]);
      int64_t      *to    = block + (v->ptr[c] - v->ptr[c0]);
      for (int k = 0; k < (int)(v->ptr[c + 1] - v->ptr[c]); k++) to[k] = point[order[k]];
    }
    bf_hdf_array_part(h, set, H5T_NATIVE_INT64, v->ptr[c0], v->ptr[c0 + n] - v->ptr[c0], 1, block);
  }
}

static void put_types(bf_hdf *h, hid_t vtk, const bf_view *v, uint8_t *block)
{
  const hid_t   set  = bf_hdf_array_create(h, vtk, "Types", H5T_NATIVE_UINT8, v->ncells, 1);
  const int64_t room = bf_hdf_part_rows(1);
  for (int64_t i = 0; i < v->ncells && !bf_hdf_failed(h); i += room) {
    const int64_t n = v->ncells - i < room ? v->ncells - i : room;
    for (int64_t k = 0; k < n; k++) block[k] = (uint8_t)bf_elem(v->type[i + k])->vtk;
    bf_hdf_array_part(h, set, H5T_NATIVE_UINT8, i, n, 1, block);
  }
}

/* block [BF_HDF_PART_BYTES]: room for a part of an array */
static void put_mesh(bf_hdf *h, hid_t vtk, const bf_result *r, void *block)
{
  const bf_view *v    = r->view;
  const int64_t  zero = 0;
  number(h, vtk, "NumberOfPoints", v->npoints);
  number(h, vtk, "NumberOfCells", v->ncells);
  number(h, vtk, "NumberOfConnectivityIds", v->ncells ? v->ptr[v->ncells] : 0);
  put_points(h, vtk, r, block);
  put_connectivity(h, vtk, v, block);
  bf_hdf_array(h, vtk, "Offsets", H5T_NATIVE_INT64, (int64_t)v->ncells + 1, 1, v->ncells ? v->ptr : &zero);
  put_types(h, vtk, v, block);
}

static bf_err put_fields(bf_hdf *h, hid_t vtk, const bf_result *r)
{
  const hid_t point = bf_hdf_group(h, vtk, "PointData"), cell = bf_hdf_group(h, vtk, "CellData");
  const hid_t data = bf_hdf_group(h, vtk, "FieldData");
  char        status[BF_STATUS_MAX];
  bf_result_status(r, status);
  bf_hdf_vtk_text(h, data, "case", r->title ? r->title : "");
  bf_hdf_vtk_text(h, data, "status", status);
  if (r->steps)
    bf_hdf_step_numbers(h, data, r->steps);
  else
    bf_hdf_array(h, data, "TimeValue", H5T_NATIVE_DOUBLE, 1, 1, &(const double){0.0}); /* a steady state */
  for (int i = 0; i < r->nlegends; i++)
    bf_hdf_vtk_texts(h, data, r->legend[i].name, r->legend[i].n, r->legend[i].text);
  for (int i = 0; i < r->nfields; i++) {
    const bf_field *f    = &r->field[i];
    const int64_t   rows = f->on_cells ? r->view->ncells : r->view->npoints,
                  times  = f->by_step && r->steps ? r->steps->n : 1;
    const hid_t set = bf_hdf_array(h, f->on_cells ? cell : point, f->name, H5T_NATIVE_DOUBLE, times * rows,
                                   f->ncomp, f->data);
    if (!f->unit) continue;
    bf_hdf_attr_text(h, set, "unit", f->unit);
    const size_t length = strlen(f->name) + sizeof "unit_";
    char        *name   = bf_host_alloc(length, 1);
    BF_CHECK(name, BF_E_MEMORY, "the name of the unit of '%s'", f->name);
    snprintf(name, length, "unit_%s", f->name);
    bf_hdf_vtk_text(h, data, name, f->unit);
    bf_host_free(name);
  }
  return BF_OK;
}

int64_t bf_write_vtkhdf_bytes(const bf_picture_size *size)
{
  enum { RECORD = 60000 }; /* texts and structure of the file */
  const int64_t steps = size->steps > 1 ? size->steps : 1;
  const int64_t mesh  = 24 * size->points + 8 * size->corners + 9 * size->cells;
  const int64_t node =
      size->points != size->nodes ? 4 * size->points : 0; /* per point, if points and nodes differ */
  return mesh + 8 * (size->shared + steps * size->by_step) + 4 * (size->nodes + size->members) + node +
         RECORD;
}

bf_err bf_write_vtkhdf(const bf_result *r, const char *path, int compression)
{
  bf_err  err   = BF_OK;
  bf_hdf *h     = NULL;
  void   *block = bf_host_alloc(BF_HDF_PART_BYTES, 1);
  BF_NEED(block, BF_E_MEMORY, "%d bytes to write '%s'", BF_HDF_PART_BYTES, path ? path : "");
  BF_GO(bf_result_check(r));
  BF_GO(bf_hdf_create(path, compression, &h));
  const hid_t vtk = bf_hdf_group(h, h->file, "VTKHDF");
  bf_hdf_attr_ints(h, vtk, "Version", 2, (const int64_t[]){r->steps ? 2 : 1, 0});
  bf_hdf_attr_ascii(h, vtk, "Type", "UnstructuredGrid");
  put_mesh(h, vtk, r, block);
  BF_GO(put_fields(h, vtk, r));
  if (r->steps) BF_GO(bf_hdf_steps(h, vtk, r));
  BF_GO(bf_record_write(h, r));
  BF_GO(bf_hdf_commit(h));
done:
  bf_hdf_destroy(&h);
  bf_host_free(block);
  return err;
}
