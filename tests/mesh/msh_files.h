/* tests/mesh/msh_files.h - fixtures of tests/meshes (written by the gmsh program: make.sh there), small .msh
 * texts, and reading them; T_SCRATCH is the file a test writes */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_TESTS_MESH_MSH_FILES_H
#define BF_TESTS_MESH_MSH_FILES_H
#include "mesh/mesh.h"
#include "tests/test.h"

static const char *const scratch = BF_BINARY_DIR "/" T_SCRATCH;

/* tests/meshes/<name>_<form>.msh: name plate_1, plate_2, solid_1, solid_2 (the order), form 22a, 22b, 41a,
 * 41b. */
static inline const char *fixture(const char *name, const char *form)
{
  static char path[400];
  snprintf(path, sizeof path, "%s/tests/meshes/%s_%s.msh", BF_SOURCE_DIR, name, form);
  return path;
}

static inline void write_bytes(const char *text, size_t n)
{
  FILE *f = fopen(scratch, "wb");
  assert_non_null(f);
  assert_int_equal(fwrite(text, 1, n, f), n);
  assert_int_equal(fclose(f), 0);
}

static inline char *read_bytes(const char *path, size_t *n)
{
  FILE *f = fopen(path, "rb");
  assert_non_null(f);
  char *text = malloc(1 << 20);
  *n         = fread(text, 1, 1 << 20, f);
  fclose(f);
  return text;
}

/* Reads a good file; its errors would be shown. */
static inline bf_mesh *read_good(const char *path, bf_diags *d)
{
  bf_mesh *m = NULL;
  if (bf_mesh_read_msh(path, d, &m) != BF_OK) bf_diags_print(d, 0, stderr);
  assert_int_equal(d->errors, 0);
  assert_non_null(m);
  T_OK(bf_mesh_check(m));
  return m;
}

static inline bf_mesh *read_text(const char *text, bf_diags *d)
{
  write_bytes(text, strlen(text));
  return read_good(scratch, d);
}

static inline const bf_diag *find_diag(const bf_diags *d, int code)
{
  for (int i = 0; i < d->count; i++)
    if (d->item[i].code == code) return &d->item[i];
  fail_msg("no diagnostic %d", code);
  return NULL;
}

/* Five nodes, a line, a quadrilateral, a triangle. */
#define FORMAT22 "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n"
#define NAMES    "$PhysicalNames\n2\n1 1 \"left\"\n2 2 \"body\"\n$EndPhysicalNames\n"
#define NODES22  "$Nodes\n5\n1 0 0 0\n2 1 0 0\n3 1 1 0\n4 0 1 0\n5 2 0.5 0\n$EndNodes\n"
#define ELEMENTS22                                                                                           \
  "$Elements\n4\n1 1 2 1 4 4 1\n2 3 2 2 1 1 2 3 4\n3 2 2 2 1 2 5 3\n41 15 2 0 1 1\n$EndElements\n"
#define FORMAT41 "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n"
#define ENTITIES41                                                                                           \
  "$Entities\n1 1 1 0\n1 0 0 0 0\n4 0 0 0 0 1 0 1 1 2 1 -2\n1 0 0 0 2 1 0 1 -2 1 4\n$EndEntities\n"
#define NODES41                                                                                              \
  "$Nodes\n2 5 1 5\n1 4 1 2\n1\n4\n0 0 0 0.5\n0 1 0 0.75\n2 1 0 3\n2\n3\n5\n1 0 0\n1 1 0\n2 0.5 "            \
  "0\n$EndNodes\n"
#define ELEMENTS41 "$Elements\n3 3 1 3\n1 4 1 1\n1 4 1\n2 1 3 1\n2 1 2 3 4\n2 1 2 1\n3 2 5 3\n$EndElements\n"
static const char good22[] = FORMAT22 NAMES NODES22 ELEMENTS22;
static const char good41[] = FORMAT41 NAMES ENTITIES41 NODES41 ELEMENTS41;
#endif
