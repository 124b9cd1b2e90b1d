/* outputs/vtk/vtk_legacy.c - case.vtk: legacy VTK file, binary (big-endian), unstructured grid; and a series
 * of them
 *
 * Version 3.0 with the classic CELLS layout (number of points, points, ... as int32), which every reader
 * supports; the number of these ints is below 2^31 (about 2.3e8 hexahedra). Values are doubles. Texts of the
 * field data have the length prefix of the reader of VTK (vtkDataReader, string arrays). Source: VTK File
 * Formats, "Simple Legacy Formats".
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "outputs/atomic_file.h"
#include "outputs/json.h"
#include "outputs/result.h"
#include "outputs/vtk/vtk_nodes.h"
#include <stdio.h>
#include <string.h>

enum { TITLE_MAX = 240, NEN_RECORD = BF_NEN_MAX + 1 };
enum { BLOCK_BYTES = 8 << 20, PARALLEL_FROM = 10000 }; /* large blocks: few parallel loops and system calls */
enum { SERIES_NAME_MAX = 4096 };

typedef struct writer {
  bf_atomic_file *f;     /* owned */
  void           *block; /* owned [BLOCK_BYTES] */
  int             swap;  /* this machine is little-endian */
} writer;

static uint32_t big32(uint32_t v, int swap)
{
  return swap ? v >> 24 | (v >> 8 & 0xff00u) | (v << 8 & 0xff0000u) | v << 24 : v;
}

/* The bytes of x, most significant first in memory. */
static uint64_t big_double(double x, int swap)
{
  uint64_t v;
  memcpy(&v, &x, sizeof v);
  return swap ? (uint64_t)big32((uint32_t)v, 1) << 32 | big32((uint32_t)(v >> 32), 1) : v;
}

static void put_doubles(writer *w, const double *x, int64_t count)
{
  const int64_t room = BLOCK_BYTES / (int64_t)sizeof *x;
  const int     swap = w->swap;
  uint64_t     *out  = w->block;
  for (int64_t i = 0; i < count && bf_atomic_file_status(w->f) == BF_OK; i += room) {
    const int64_t n = count - i < room ? count - i : room;
#pragma omp parallel for schedule(static) if (n > PARALLEL_FROM)
    for (int64_t k = 0; k < n; k++) out[k] = big_double(x[i + k], swap);
    bf_atomic_file_write(w->f, out, (size_t)n * sizeof *out);
  }
}

static void put_points(writer *w, const double *x, const bf_int *node, int64_t count)
{
  const int64_t room = BLOCK_BYTES / (3 * (int64_t)sizeof *x);
  const int     swap = w->swap;
  uint64_t     *out  = w->block;
  for (int64_t i = 0; i < count && bf_atomic_file_status(w->f) == BF_OK; i += room) {
    const int64_t n = count - i < room ? count - i : room;
#pragma omp parallel for schedule(static) if (n > PARALLEL_FROM)
    for (int64_t k = 0; k < n; k++)
      for (int d = 0; d < 3; d++) out[3 * k + d] = big_double(x[3 * (int64_t)node[i + k] + d], swap);
    bf_atomic_file_write(w->f, out, 3 * (size_t)n * sizeof *out);
  }
}

/* Records of cells: number of points, points in VTK's order. */
static void put_cells(writer *w, const bf_view *v)
{
  const int64_t room = BLOCK_BYTES / (NEN_RECORD * (int64_t)sizeof(uint32_t));
  const int     swap = w->swap;
  uint32_t     *out  = w->block;
  for (int64_t c0 = 0; c0 < v->ncells && bf_atomic_file_status(w->f) == BF_OK; c0 += room) {
    const int64_t n = v->ncells - c0 < room ? v->ncells - c0 : room;
#pragma omp parallel for schedule(static) if (n > PARALLEL_FROM)
    for (int64_t c = c0; c < c0 + n; c++) {
      const bf_int *point = v->point + v->ptr[c];
      const int    *order = bf_vtk_nodes(v->type[c]);
      const int     nen   = (int)(v->ptr[c + 1] - v->ptr[c]);
      uint32_t     *to    = out + (v->ptr[c] - v->ptr[c0]) + (c - c0);
      *to++               = big32((uint32_t)nen, swap);
      for (int k = 0; k < nen; k++) to[k] = big32((uint32_t)point[order[k]], swap);
    }
    bf_atomic_file_write(w->f, out, (size_t)(v->ptr[c0 + n] - v->ptr[c0] + n) * sizeof *out);
  }
}

static void put_types(writer *w, const bf_view *v)
{
  const int64_t room = BLOCK_BYTES / (int64_t)sizeof(uint32_t);
  const int     swap = w->swap;
  uint32_t     *out  = w->block;
  for (int64_t i = 0; i < v->ncells && bf_atomic_file_status(w->f) == BF_OK; i += room) {
    const int64_t n = v->ncells - i < room ? v->ncells - i : room;
#pragma omp parallel for schedule(static) if (n > PARALLEL_FROM)
    for (int64_t k = 0; k < n; k++) out[k] = big32((uint32_t)bf_elem(v->type[i + k])->vtk, swap);
    bf_atomic_file_write(w->f, out, (size_t)n * sizeof *out);
  }
}

/* A name for the reader of VTK: blanks and quotes are encoded as %XX. */
static void put_name(writer *w, const char *prefix, const char *name)
{
  bf_atomic_file_print(w->f, "%s", prefix);
  for (const char *p = name; *p; p++) {
    const unsigned char c = (unsigned char)*p;
    if (c <= ' ' || c == '"' || c == '%' || c >= 0x7f)
      bf_atomic_file_print(w->f, "%%%02X", c);
    else
      bf_atomic_file_write(w->f, p, 1);
  }
}

/* Length in 6, 14 or 30 bits after a 2-bit code for the number of length bytes, then the bytes. */
static void put_string(writer *w, const char *text)
{
  const size_t  most = (1u << 30) - 1, all = strlen(text), n = all < most ? all : most;
  unsigned char head[4] = {(unsigned char)(0x40u | n >> 24), (unsigned char)(n >> 16),
                           (unsigned char)(n >> 8), (unsigned char)n};
  size_t        skip    = 0;
  if (n < 1u << 6)
    head[skip = 3] |= 0xc0u;
  else if (n < 1u << 14)
    head[skip = 2] |= 0x80u;
  bf_atomic_file_write(w->f, head + skip, 4 - skip);
  bf_atomic_file_write(w->f, text, n);
}

static void put_texts(writer *w, const char *prefix, const char *name, int n, const char *const *text)
{
  put_name(w, prefix, name);
  bf_atomic_file_print(w->f, " 1 %d string\n", n);
  for (int i = 0; i < n; i++) put_string(w, text[i]);
  bf_atomic_file_print(w->f, "\n");
}

static void put_text(writer *w, const char *prefix, const char *name, const char *text)
{
  put_texts(w, prefix, name, 1, &text);
}

static void put_number(writer *w, const char *name, double value)
{
  put_name(w, "", name);
  bf_atomic_file_print(w->f, " 1 1 double\n");
  put_doubles(w, &value, 1);
  bf_atomic_file_print(w->f, "\n");
}

static void put_head(writer *w, const bf_result *r, int step)
{
  char status[BF_STATUS_MAX], title[TITLE_MAX];
  bf_result_status(r, status);
  const char *name = r->title && *r->title ? r->title : "bandfem result";
  snprintf(title, sizeof title, "%s%s", r->converged || r->status ? "" : "NOT CONVERGED: ", name);
  for (char *p = title; *p; p++)
    if (*p == '\n' || *p == '\r') *p = ' ';
  bf_atomic_file_print(w->f, "# vtk DataFile Version 3.0\n%s\nBINARY\nDATASET UNSTRUCTURED_GRID\n", title);

  int units = 0, numbers = r->steps ? r->steps->nnumbers : 0;
  for (int i = 0; i < r->nfields; i++) units += r->field[i].unit != NULL;
  bf_atomic_file_print(w->f, "FIELD FieldData %d\n",
                       3 + (r->step_name != NULL) + units + numbers + r->nlegends);
  put_text(w, "", "case", name);
  put_text(w, "", "status", status);
  if (r->step_name) put_text(w, "", "step_name", r->step_name[step]);
  put_number(w, "TimeValue", r->steps ? r->steps->at[step] : 0.0); /* 0 for a steady state */
  for (int i = 0; i < numbers; i++) put_number(w, r->steps->number[i].name, r->steps->number[i].value[step]);
  for (int i = 0; i < r->nfields; i++)
    if (r->field[i].unit) put_text(w, "unit_", r->field[i].name, r->field[i].unit);
  for (int i = 0; i < r->nlegends; i++)
    put_texts(w, "", r->legend[i].name, r->legend[i].n, r->legend[i].text);
}

static void put_mesh(writer *w, const bf_result *r)
{
  const bf_view *v = r->view;
  bf_atomic_file_print(w->f, "POINTS %d double\n", (int)v->npoints);
  put_points(w, r->mesh->x, v->node, v->npoints);
  bf_atomic_file_print(w->f, "\nCELLS %d %lld\n", (int)v->ncells,
                       (long long)((v->ncells ? v->ptr[v->ncells] : 0) + v->ncells));
  put_cells(w, v);
  bf_atomic_file_print(w->f, "\nCELL_TYPES %d\n", (int)v->ncells);
  put_types(w, v);
  bf_atomic_file_print(w->f, "\n");
}

static void put_fields(writer *w, const bf_result *r, int step, int on_cells)
{
  const bf_int count   = on_cells ? r->view->ncells : r->view->npoints;
  int          nfields = 0;
  for (int i = 0; i < r->nfields; i++) nfields += !r->field[i].on_cells == !on_cells;
  if (nfields == 0) return;
  bf_atomic_file_print(w->f, "%s %d\nFIELD FieldData %d\n", on_cells ? "CELL_DATA" : "POINT_DATA", (int)count,
                       nfields);
  for (int i = 0; i < r->nfields; i++) {
    const bf_field *f = &r->field[i];
    if (!f->on_cells != !on_cells) continue;
    put_name(w, "", f->name);
    bf_atomic_file_print(w->f, " %d %d double\n", f->ncomp, (int)count);
    put_doubles(w, bf_result_values(r, f, step), (int64_t)count * f->ncomp);
    bf_atomic_file_print(w->f, "\n");
  }
}

static bf_err write_step(const bf_result *r, int step, const char *path)
{
  bf_err        err = BF_OK;
  writer        w   = {0};
  const int32_t one = 1;
  unsigned char low;
  memcpy(&low, &one, 1);
  w.swap              = low == 1;
  const bf_view *v    = r->view;
  const int64_t  ints = (v->ncells ? v->ptr[v->ncells] : 0) + v->ncells;
  BF_CHECK(
      ints <= INT32_MAX, BF_E_FILE,
      "cannot write '%s': its cells need %lld ints, and a legacy VTK file holds %d; use the format vtkhdf",
      path, (long long)ints, INT32_MAX);
  BF_TRY(bf_result_check(r));
  BF_GO(bf_atomic_file_create(path, &w.f));
  w.block = bf_host_alloc(BLOCK_BYTES, 1);
  BF_NEED(w.block, BF_E_MEMORY, "%d bytes to write '%s'", BLOCK_BYTES, path);
  put_head(&w, r, step);
  put_mesh(&w, r);
  put_fields(&w, r, step, 1);
  put_fields(&w, r, step, 0);
  BF_GO(bf_atomic_file_commit(w.f));
done:
  bf_host_free(w.block);
  bf_atomic_file_destroy(&w.f);
  return err;
}

bf_err bf_write_vtk(const bf_result *r, const char *path)
{
  BF_CHECK(r && r->view && path, BF_E_ARG, "a picture needs a view of the mesh and a name");
  BF_CHECK(!r->steps, BF_E_ARG, "a time series is written as several files");
  return write_step(r, 0, path);
}

int64_t bf_write_vtk_bytes(const bf_picture_size *size)
{
  enum { TEXTS = 2000 }; /* of a file */
  const int64_t mesh = 24 * size->points + 4 * (size->corners + size->cells) + 4 * size->cells;
  return (size->steps > 1 ? size->steps : 1) * (mesh + 8 * (size->shared + size->by_step) + TEXTS);
}

/* {"file-series-version": "1.0", "files": [{"name": "case_0000.vtk", "time": 1}, ...]}, ParaView's index. */
static bf_err write_index(const bf_result *r, const char *path, const char *stem)
{
  bf_err          err = BF_OK;
  bf_atomic_file *f   = NULL;
  char            name[SERIES_NAME_MAX + 16];
  BF_GO(bf_atomic_file_create(path, &f));
  bf_json j = {.out = f};
  bf_json_open(&j, NULL, '{');
  bf_json_text(&j, "file-series-version", "1.0");
  bf_json_open(&j, "files", '[');
  for (int s = 0; s < r->steps->n; s++) {
    snprintf(name, sizeof name, "%s_%04d.vtk", stem, s);
    bf_json_open(&j, NULL, '{');
    bf_json_text(&j, "name", name);
    bf_json_real(&j, "time", r->steps->at[s]);
    bf_json_close(&j, '}');
  }
  bf_json_close(&j, ']');
  bf_json_close(&j, '}');
  BF_GO(bf_atomic_file_commit(f));
done:
  bf_atomic_file_destroy(&f);
  return err;
}

bf_err bf_write_vtk_series(const bf_result *r, const char *path)
{
  static const char suffix[] = ".vtk.series";
  enum { SUFFIX = sizeof suffix - 1 };
  BF_CHECK(r && r->view && path, BF_E_ARG, "a picture needs a view of the mesh and a name");
  BF_CHECK(r->steps, BF_E_ARG, "a series needs steps");
  const size_t length = strlen(path);
  BF_CHECK(length > SUFFIX && length < SERIES_NAME_MAX && strcmp(path + length - SUFFIX, suffix) == 0,
           BF_E_ARG, "the index of a series is called ...%s, not '%s'", suffix, path);
  char        name[SERIES_NAME_MAX + 16];
  const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
  for (int s = 0; s < r->steps->n; s++) {
    snprintf(name, sizeof name, "%.*s_%04d.vtk", (int)(length - SUFFIX), path, s);
    BF_TRY(write_step(r, s, name));
  }
  char stem[SERIES_NAME_MAX];
  snprintf(stem, sizeof stem, "%.*s", (int)(path + length - SUFFIX - base), base);
  return write_index(r, path, stem);
}
