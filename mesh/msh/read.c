/* mesh/msh/read.c - the reader of Gmsh's .msh files: header and sections
 *
 * Source: Gmsh reference manual, "MSH file format" (version 4.1) and "MSH file format version 2 (Legacy)".
 * Nothing in a file is executed.  All counts are compared with the size of the file before memory is
 * allocated.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "mesh/msh/internal.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static const char convert[] =
    "bandfem reads 2.0, 2.1, 2.2 and 4.1; convert the file: gmsh -save -format msh41 -o new.msh old.msh";

static int starts_with(const bf_msh *m, const char *text)
{
  const size_t n = strlen(text);
  return (size_t)(m->end - m->p) >= n && memcmp(m->p, text, n) == 0;
}

/* The error for a first line that is not that of a .msh file, with the probable kind of the file. */
static bf_err not_a_mesh(bf_msh *m)
{
  const char *looks = "";
  if (starts_with(m, "\xff\xfe") || starts_with(m, "\xfe\xff"))
    return bf_msh_fail(m, 201, "not a Gmsh mesh; looks like a text in UTF-16: save it as ASCII or UTF-8");
  char   line[61];
  size_t n = 0;
  bf_msh_skip_space(m);
  if (m->p == m->end) return bf_msh_fail(m, 201, "the file has only blanks, it is not a Gmsh mesh");
  while (n < sizeof line - 1 && m->p + n < m->end && m->p[n] != '\n' && m->p[n] != '\r') {
    line[n] = m->p[n] >= ' ' && m->p[n] < 127 ? m->p[n] : '?';
    n++;
  }
  line[n] = '\0';
  if (starts_with(m, "version https://git-lfs"))
    looks = "; looks like a Git LFS pointer: fetch the file with 'git lfs pull'";
  else if (starts_with(m, "<"))
    looks = "; looks like a web page or XML, not the file itself";
  else if (starts_with(m, "//") || strstr(line, "Point(") || starts_with(m, "SetFactory"))
    looks =
        "; looks like a geometry: mesh it first (gmsh -3 file.geo -o file.msh), or give it a name in .geo";
  return bf_msh_fail(m, 201, "not a Gmsh mesh (first line '%s')%s", line, looks);
}

static int is_one_of(double v, const double *list, int n)
{
  for (int k = 0; k < n; k++)
    if (fabs(v - list[k]) <= 1e-9) return 1;
  return 0;
}

/* $MeshFormat: version file-type data-size, and in binary files the integer 1 */
static bf_err read_format(bf_msh *m)
{
  double  version = 0.0;
  int64_t type = -1, size = 0;
  bf_msh_skip_space(m);
  const char *word = m->p;
  const int   read = bf_msh_real(m, &version);
  if (read && !is_one_of(version, (const double[]){2.0, 2.1, 2.2, 4.1}, 4))
    return bf_msh_fail(m, 202, "format version %.*s is not supported; %s",
                       (int)(m->p - word < 20 ? m->p - word : 20), word, convert);
  if (!read || !bf_msh_int(m, &type) || !bf_msh_int(m, &size))
    return bf_msh_expected(m, 202, "version, file type and data size of the format");
  if (type != 0 && type != 1)
    return bf_msh_fail(m, 202, "file type %lld; 0 is ascii and 1 is binary", (long long)type);
  if (size != 8)
    return bf_msh_fail(m, 202, "data-size is %lld; bandfem reads files with data-size 8", (long long)size);
  if (!bf_msh_line_end(m)) return bf_msh_expected(m, 202, "the end of the line after the format");
  if (type == 1) {
    uint32_t one = 0;
    m->binary    = 1;
    if (m->end - m->p < 4) return bf_msh_fail(m, 201, "unexpected end of file in the binary header");
    memcpy(&one, m->p, sizeof one);
    if (one != 1)
      return bf_msh_fail(m, 202, "the endianness mark is %#x, not 1%s", (unsigned)one,
                         one == 0x01000000u ? ": the file was written on a machine of the other byte order"
                                            : "");
    m->p += 4;
  }
  m->version            = version < 3.0 ? 22 : 41;
  m->partition_is_third = version < 2.15;
  return bf_msh_section_end(m, "MeshFormat", "lines", -1);
}

/* Skips an unused section: p is after its $EndNAME. */
static bf_err skip_section(bf_msh *m, const char *name, int len)
{
  for (const char *s = m->p; (s = memchr(s, '$', (size_t)(m->end - s))) != NULL; s++) {
    if (m->end - s < len + 4 || memcmp(s, "$End", 4) != 0 || memcmp(s + 4, name, (size_t)len) != 0) continue;
    m->p = s + 4 + len;
    return BF_OK;
  }
  m->p = m->end;
  return bf_msh_fail(m, 201, "unexpected end of file: $End%.*s is missing", len, name);
}

static bf_err read_section(bf_msh *m, const char *at, const char *name, int len)
{
#define IS(text) (len == (int)sizeof(text) - 1 && memcmp(name, text, sizeof(text) - 1) == 0)
  if (IS("Comments") || IS("Periodic")) return skip_section(m, name, len); /* sides are matched by position */
  if (IS("MeshFormat") && m->version == 0) return read_format(m);
  if (IS("MeshFormat")) return bf_msh_fail(m, 213, "a second $MeshFormat section");
  if (m->version == 0) {
    m->p = at;
    if (IS("NOD") || IS("ELM"))
      return bf_msh_fail(m, 202, "format version 1.0 is not supported; %s", convert);
    return bf_msh_fail(m, 202, "$%.*s comes before $MeshFormat", len, name);
  }
  if (IS("PhysicalNames")) return bf_msh_read_names(m);
  if (IS("Nodes")) return bf_msh_read_nodes(m);
  if (IS("Elements")) return bf_msh_read_elements(m);
  if (m->version == 41 && (IS("Entities") || IS("PartitionedEntities")) && !m->has_elements)
    return bf_msh_read_entities(m, !IS("Entities"));
  if (IS("GhostElements"))
    return skip_section(m, name, len); /* the entities define which elements are ghosts */
  bf_diag_add(m->diags, BF_NOTE, 216, bf_msh_where(m, at), "section $%.*s is not used", len, name);
  return skip_section(m, name, len);
#undef IS
}

static bf_err read_sections(bf_msh *m)
{
  if (starts_with(m, "\xef\xbb\xbf")) m->p += 3; /* byte order mark */
  for (bf_msh_skip_space(m); m->p < m->end; bf_msh_skip_space(m)) {
    const char *at = m->p;
    if (*at != '$') {
      if (m->version == 0) return not_a_mesh(m);
      return bf_msh_expected(m, 213, "a section");
    }
    int len = 0;
    for (m->p++; m->p<m->end && * m->p> ' ' && len < 60; m->p++) len++;
    if (!bf_msh_line_end(m)) return bf_msh_expected(m, 213, "the end of the line after a section's name");
    BF_TRY(read_section(m, at, at + 1, len));
  }
  if (m->version == 0) return not_a_mesh(m);
  if (!m->x) return bf_msh_fail(m, 201, "the file has no $Nodes section (truncated?)");
  if (!m->has_elements) return bf_msh_fail(m, 201, "the file has no $Elements section (truncated?)");
  return bf_msh_report_partitions(m);
}

static void clear(bf_msh *m)
{
  for (int k = 0; k < m->nnames; k++) bf_host_free(m->name[k].text);
  bf_host_free(m->name);
  bf_host_free(m->entity);
  bf_host_free(m->physical);
  bf_host_free(m->x);
  bf_host_free(m->node_tag);
  bf_host_free(m->slot);
  bf_host_free(m->run);
  bf_host_free(m->partition);
  bf_host_free(m->ghost);
  for (int t = 0; t < BF_ELEM_TYPES; t++) {
    bf_host_free(m->type[t].node);
    bf_host_free(m->type[t].tag);
  }
}

static bf_err read_mesh(bf_msh *m, bf_mesh **out)
{
  BF_TRY(read_sections(m));
  return bf_msh_finish(m, out);
}

bf_err bf_msh_read(const char *name, const void *data, size_t size, void *map, bf_diags *diags, bf_mesh **out)
{
  bf_msh m = {.path = name, .diags = diags, .map = map, .window = map ? BF_MSH_WINDOW : SIZE_MAX};
  if (size == 0) return bf_msh_fail(&m, 201, "the file is empty, not a Gmsh mesh");
  m.data = m.p = m.kept = data;
  m.end                 = m.data + size;
  const bf_err err      = read_mesh(&m, out);
  clear(&m);
  return err;
}

bf_err bf_mesh_read_msh_memory(const char *name, const void *data, size_t size, bf_diags *diags,
                               bf_mesh **out)
{
  BF_CHECK(name && (data || size == 0) && diags && out, BF_E_ARG, "null argument");
  *out = NULL;
  return bf_msh_read(name, data, size, NULL, diags, out);
}
