/* tests/outputs/t274_write_samples.c - one curved element of each type and a mixed mesh in both formats, for
 * t275
 *
 * usage: t274_write_samples [folder]   (default: samples/ in the build folder)
 * Also expected.json: per file its type, nodes in Gmsh's order and the exact measure from our own shape
 * functions.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "outputs/atomic_file.h"
#include "outputs/json.h"
#include "tests/outputs/samples.h"

#define FOLDER BF_BINARY_DIR "/samples"

static void write_both(const bf_result *r, const char *folder, const char *name, int compression)
{
  char path[4096];
  snprintf(path, sizeof path, "%s/%s.vtk", folder, name);
  T_OK(bf_write_vtk(r, path));
  snprintf(path, sizeof path, "%s/%s.hdf", folder, name);
  T_OK(bf_write_vtkhdf(r, path, compression));
}

static void describe(bf_json *j, const char *name, const bf_mesh *m, const bf_view *v)
{
  bf_quality q;
  T_OK(bf_mesh_quality(m, &q));
  bf_json_open(j, name, '{');
  bf_json_real(j, "measure", q.measure);
  bf_json_int(j, "points", v->npoints);
  bf_json_int(j, "cells", v->ncells);
  bf_json_open(j, "cell_types", '[');
  for (bf_int c = 0; c < v->ncells; c++) bf_json_text(j, NULL, bf_elem(v->type[c])->name);
  bf_json_close(j, ']');
  bf_json_open(j, "x", '[');
  for (bf_int i = 0; i < v->npoints; i++) bf_json_reals(j, NULL, 3, m->x + 3 * (size_t)v->node[i]);
  bf_json_close(j, ']');
  bf_json_close(j, '}');
}

int main(int argc, char **argv)
{
  const char     *folder = argc > 1 ? argv[1] : FOLDER;
  char            path[4096];
  sample          s;
  bf_atomic_file *f = NULL;
  T_OK(bf_make_folder(folder));
  snprintf(path, sizeof path, "%s/expected.json", folder);
  T_OK(bf_atomic_file_create(path, &f));
  bf_json j = {.out = f};
  bf_json_open(&j, NULL, '{');
  for (int t = BF_LINE2; t < BF_ELEM_TYPES; t++) {
    s_curved(&s, (bf_elem_type)t);
    T_OK(bf_mesh_check(s.mesh));
    write_both(&s.r, folder, bf_elem((bf_elem_type)t)->name, 0);
    describe(&j, bf_elem((bf_elem_type)t)->name, s.mesh, s.view);
    s_clear(&s);
  }
  s_mixed(&s);
  write_both(&s.r, folder, "mixed", 0);
  describe(&j, "mixed", s.mesh, s.view);
  s.r.converged    = 0;
  s.history.reason = "iteration limit";
  write_both(&s.r, folder, "failed", 0);
  s_clear(&s);

  const bf_int cells[3] = {12, 12, 12}; /* large enough for several compressed chunks of each array */
  s                     = (sample){0};
  T_OK(bf_mesh_box((const double[]){1, 2, 3}, cells, BF_HEX20, &s.mesh));
  T_OK(s_finish(&s, NULL));
  write_both(&s.r, folder, "box_compressed", 4);
  describe(&j, "box_compressed", s.mesh, s.view);
  s_clear(&s);
  bf_json_close(&j, '}');
  T_OK(bf_atomic_file_commit(f));
  bf_atomic_file_destroy(&f);
  return 0;
}
