/* tests/mesh/t111_msh_broken.c - every broken .msh file is refused with code, line and words, and none harms
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#define T_SCRATCH "t111.msh"
#include "tests/mesh/msh_files.h"
#include <math.h>

static const char *const names[] = {"plate_1", "plate_2", "solid_1", "solid_2"};
static const char *const forms[] = {"22a", "22b", "41a", "41b"};

typedef struct broken {
  const char *base, *from, *to; /* the first `from` in base becomes `to` */
  int         code, line;
  const char *words;
} broken;

static void expect(const char *text, size_t n, int code, int line, const char *words)
{
  bf_diags      d      = {0};
  bf_mesh      *m      = NULL;
  const int64_t before = bf_memory_live();
  write_bytes(text, n);
  T_ERR(BF_E_MODEL, bf_mesh_read_msh(scratch, &d, &m));
  assert_null(m);
  const bf_diag *last = &d.item[d.count - 1];
  assert_int_equal(d.errors, 1);
  T_CONTAINS(last->text, words);
  assert_int_equal(last->code, code);
  if (line >= 0) assert_int_equal(last->line, line);
  bf_diags_clear(&d);
  assert_int_equal(bf_memory_live(), before);
}

static void every_broken_text_file_is_refused_with_code_line_and_words(void **state)
{
  (void)state;
  static const broken table[] = {
      {good22, "2.2 0 8", "1.0 0 8", 202, 2,
       "format version 1.0 is not supported; bandfem reads 2.0, "
       "2.1, 2.2 and 4.1; convert the file: gmsh -save -format msh41 -o new.msh old.msh"},
      {good22, "2.2 0 8", "2.05 0 8", 202, 2, "format version 2.05 is not supported"},
      {good22, "2.2 0 8", "4.1000001 0 8", 202, 2, "format version 4.1000001 is not supported"},
      {good22, "$PhysicalNames", "$MeshFormat", 213, -1, "a second $MeshFormat section"},
      {good22, "$MeshFormat", "\xff\xfe$", 201, 1, "looks like a text in UTF-16"},
      {good22, "2.2 0 8", "3 0 8", 202, 2, "format version 3 is not supported"},
      {good22, "2.2 0 8", "4 0 8", 202, 2, "format version 4 is not supported"},
      {good22, "2.2 0 8", "2.2 2 8", 202, 2, "file type 2"},
      {good41, "4.1 0 8", "4.1 0 4", 202, 2, "data-size is 4"},
      {good22, "2.2 0 8", "2.2 0", 202, 2, "expected version, file type and data size of the format"},
      {good22, "$MeshFormat", "$NOD", 202, 1, "format version 1.0 is not supported; bandfem reads"},
      {good22, "$MeshFormat", "$Nodes", 202, 1, "$Nodes comes before $MeshFormat"},
      {good22, "$MeshFormat", "version https://git-lfs.github.com/spec/v1\n", 201, 1,
       "not a Gmsh mesh (first line 'version https://git-lfs.github.com/spec/v1'); looks like a Git LFS "
       "pointer"},
      {good22, "$MeshFormat", "<!DOCTYPE html>\n", 201, 1, "looks like a web page"},
      {good22, "$MeshFormat", "SetFactory(\"Built-in\");\n", 201, 1, "looks like a geometry: mesh it first"},
      {good22, "$MeshFormat", "\n\nsolid x\n", 201, 3, "not a Gmsh mesh (first line 'solid x')"},
      {good22, "$Elements", "$Unknown", 201, -1, "unexpected end of file: $EndUnknown is missing"},
      {good22, ELEMENTS22, "", 201, -1, "the file has no $Elements section"},
      {good22, NODES22 ELEMENTS22, "", 201, -1, "the file has no $Nodes section"},
      {good22, NODES22, NODES22 NODES22, 213, -1, "a second $Nodes section"},
      {good22, ELEMENTS22, ELEMENTS22 ELEMENTS22, 213, -1, "a second $Elements section"},
      {good22, NODES22 ELEMENTS22, ELEMENTS22 NODES22, 213, 10, "$Elements comes before $Nodes"},
      {good22, "$EndNodes\n", "$EndNodes\nhallo\n", 213, 17, "expected a section, found 'hallo'"},
      /* nodes */
      {good22, "$Nodes\n5", "$Nodes\n6", 213, 16, "expected 6 nodes, found $EndNodes after 5"},
      {good22, "$Nodes\n5", "$Nodes\n4", 213, 15, "expected $EndNodes after 4 nodes, found '5'"},
      {good22, "5 2 0.5 0\n$EndNodes\n" ELEMENTS22, "", 201, 15, "unexpected end of file, node 5 of 5"},
      {good22, "$Nodes\n5", "$Nodes\n99999999999", 213, 10, "implausible number of nodes: 99999999999"},
      {good22, "$Nodes\n5", "$Nodes\n-5", 213, -1, "implausible number of nodes: -5"},
      {good22, "$Nodes\n5", "$Nodes\n99999999999999999999", 213, 10,
       "implausible number of nodes: 99999999999999999999"},
      {good22, "$Nodes\n5\n1 0 0 0\n2 1 0 0\n3 1 1 0\n4 0 1 0\n5 2 0.5 0\n$EndNodes\n" ELEMENTS22,
       "$Nodes\n109\n1 0 0 0\n2 1 0", 201, -1, "unexpected end of file, node 2 of 109"},
      {good22, "0 1 0\n5 2 0.5 0\n$EndNodes\n" ELEMENTS22, "0 1", 201, 14,
       "unexpected end of file, node 4 of 5"},
      {good22, "$Nodes\n5", "$Nodes\n0", 213, -1, "the mesh has no nodes"},
      {good22, "$Nodes\n5", "$Nodes\nfive", 213, 10, "expected number of nodes, found 'five'"},
      {good22, "4 0 1 0\n", "2 0 1 0\n", 214, 14, "node tag 2 is defined twice (line 12 and line 14)"},
      {good22, "4 0 1 0\n", "-4 0 1 0\n", 214, 14, "negative tag -4"},
      {good22, "3 1 1 0\n", "3 nan 1 0\n", 214, 13, "node 3: x is not finite"},
      {good22, "3 1 1 0\n", "3 1 1e999 0\n", 214, 13, "node 3: y is not finite"},
      {good22, "3 1 1 0\n", "3 1 1 -inf\n", 214, 13, "node 3: z is not finite"},
      {good22, "3 1 1 0\n", "3 1 1\n", 213, 13, "expected a coordinate, found the end of the line"},
      {good22, "3 1 1 0\n", "3 1 1 0 7\n", 213, 13,
       "expected the end of the line after the coordinates, found '7'"},
      {good22, "3 1 1 0\n", "3 1,5 1 0\n", 213, 13, "expected a coordinate, found '1,5'"},
      {good22, "3 1 1 0\n", "3.5 1 1 0\n", 213, 13, "expected a node tag, found '3.5'"},
      {good41, "2 5 1 5", "2 6 1 5", 213, -1, "expected 6 nodes, the blocks list 5"},
      {good41, "2 5 1 5", "2 4 1 5", 213, -1, "expected 4 nodes, the blocks list more"},
      {good41, "2 1 0 3", "2 1 0 4", 213, -1, "expected 5 nodes, the blocks list more (6)"},
      {good41, "2 5 1 5", "2 123456789012 1 5", 213, -1, "implausible number of nodes: 123456789012"},
      {good41, "2 5 1 5", "900000000 5 1 5", 213, -1, "implausible number of blocks of nodes"},
      {good41, "0 1 0 0.75\n", "0 1 0 0.75 6\n", 213, 21,
       "the end of the line after the coordinates, found '6'"},
      {good41, "2\n3\n5\n1 0 0", "2\n3\n4\n1 0 0", 214, 25,
       "node tag 4 is defined twice (line 19 and line 25)"},
      {good41, "1 1 0\n2 0.5 0", "1 1 0\ninf 0.5 0", 214, -1, "node 5: x is not finite"},
      {good41, "1 4 1 2", "1 4 2 2", 213, 17, "parametric flag 2"},
      /* elements */
      {good22, "$Elements\n4", "$Elements\n5", 213, 23, "expected 5 elements, found $EndElements after 4"},
      {good22, "$Elements\n4", "$Elements\n3", 213, 22, "expected $EndElements after 3 elements, found '41'"},
      {good22, "$Elements\n4", "$Elements\n99999999999", 213, 18,
       "implausible number of elements: 99999999999"},
      {good22, "$Elements\n4", "$Elements\n0", 213, -1, "the mesh has no elements"},
      {good22, "3 2 2 2 1 2 5 3\n", "3 2 2 2 1 2 999 3\n", 215, 21,
       "element 3 uses node 999 that does not exist"},
      {good22, "3 2 2 2 1 2 5 3\n", "3 2 2 2 1 2 0 3\n", 215, 21,
       "element 3 uses node 0 that does not exist"},
      {good22, "3 2 2 2 1 2 5 3\n", "3 2 2 2 1 2 5\n", 215, 21, "element 3 (tri3) needs 3 nodes, got 2"},
      {good22, "1 1 2 1 4 4 1\n", "1 1 2 1 4 4 1 2\n", 215, 19, "element 1 (line2) needs 2 nodes, got 3"},
      {good22, "3 2 2 2 1 2 5 3\n", "12 6 2 2 1 2 5 3 1 2 3\n", 207, 21,
       "tet4, tet10, hex8, hex20, hex27; leave out Recombine in Extrude"},
      {good22, "3 2 2 2 1 2 5 3\n", "12 7 2 2 1 2 5 3 1 2\n", 207, 21, "element 12: pyramid"},
      {good22, "3 2 2 2 1 2 5 3\n", "12 10 2 2 1 2 5 3 1 2\n", 215, 21,
       "element 12 (quad9) needs 9 nodes, got 5"},
      {good22, "3 2 2 2 1 2 5 3\n", "12 29 2 2 1 2 5 3 1 2\n", 207, 21, "element 12: tet20"},
      {good22, "3 2 2 2 1 2 5 3\n", "12 92 2 2 1 2 5 3 1 2\n", 207, 21, "element 12: hex64"},
      {good22, "3 2 2 2 1 2 5 3\n", "12 777 2 2 1 2 5 3 1 2\n", 207, 21,
       "element 12: this type (Gmsh type 777)"},
      {good22, "3 2 2 2 1 2 5 3\n", "3 2 2 2 1 2 five 3\n", 215, 21, "expected a node tag, found 'five'"},
      {good22, "3 2 2 2 1 2 5 3\n", "3 2 2 2\n", 215, 21,
       "expected a tag of an element, found the end of the line"},
      {good22, "3 2 2 2 1 2 5 3\n", "3 2 2 99999999999 1 2 5 3\n", 215, 21, "element 3 has a tag above"},
      {good22, "41 15 2 0 1 1\n$EndElements\n", "", 201, -1, "unexpected end of file, element 4 of 4"},
      {good22, "1 2 3 4\n3 2 2 2 1 2 5 3\n41 15 2 0 1 1\n$EndElements\n", "1 2", 201, -1,
       "unexpected end of file"},
      {good41, "3 3 1 3", "3 4 1 3", 213, -1, "expected 4 elements, the blocks list 3"},
      {good41, "3 3 1 3", "3 2 1 3", 213, -1, "expected 2 elements, the blocks list more"},
      {good41, "3 3 1 3", "2 3 1 3", 213, -1, "expected 3 elements, the blocks list 2"},
      {good41, "2 1 2 1\n", "2 1 13 1\n", 207, -1, "element 3: prism18 (Gmsh type 13) is not supported"},
      {good41, "2 1 2 1\n", "1 1 2 1\n", 215, -1, "block of tri3 for an entity of dimension 1"},
      {good41, "2 1 2 3 4\n", "2 1 2 3\n", 215, -1, "element 2 (quad4) needs 4 nodes, got 3"},
      {good41, "2 1 2 3 4\n", "2 1 2 3 44\n", 215, -1, "element 2 uses node 44 that does not exist"},
      /* names and entities */
      {good22, "1 1 \"left\"", "1 1 left", 213, 6, "name of physical group 1:1 is not in quotes"},
      {good22, "1 1 \"left\"", "4 1 \"left\"", 213, 6, "expected dimension (0..3), tag and"},
      {good22, "$PhysicalNames\n2", "$PhysicalNames\n3", 213, 8,
       "expected 3 physical names, found $EndPhysicalNames after 2"},
      {good22, "$PhysicalNames\n2", "$PhysicalNames\n1", 213, 7,
       "expected $EndPhysicalNames after 1 physical names"},
      {good22, "$PhysicalNames\n2", "$PhysicalNames\n2000000", 213, -1,
       "implausible number of physical names"},
      {good41, "1 1 1 0\n", "1 1 1 1\n", 213, -1, "expected tag of an entity, found '$EndEntities'"},
      {good41, "1 1 1 0\n", "1 1 88888888888 0\n", 213, -1, "implausible number of entities"},
      {good41, "1 0 1 1 2 1 -2", "1 0 777777777 1 2 1 -2", 213, -1, "implausible number of physical tags"},
  };
  for (size_t k = 0; k < sizeof table / sizeof *table; k++) {
    const broken *b  = &table[k];
    const char   *at = strstr(b->base, b->from);
    char          text[4000];
    assert_non_null(at);
    const int n =
        snprintf(text, sizeof text, "%.*s%s%s", (int)(at - b->base), b->base, b->to, at + strlen(b->from));
    print_message("           %s\n", b->words);
    expect(text, (size_t)n, b->code, b->line, b->words);
  }
}

static void missing_and_empty_files_and_directories_are_refused(void **state)
{
  (void)state;
  bf_diags d = {0};
  bf_mesh *m = NULL;
  T_ERR(BF_E_MODEL, bf_mesh_read_msh("/nowhere/x.msh", &d, &m));
  assert_int_equal(d.item[0].code, 201);
  T_CONTAINS(d.item[0].text, "cannot open '/nowhere/x.msh': No such file");
  T_ERR(BF_E_MODEL, bf_mesh_read_msh(BF_SOURCE_DIR, &d, &m));
  T_CONTAINS(d.item[1].text, "Is a directory");
  bf_diags_clear(&d);
  expect("", 0, 201, -1, "the file is empty, not a Gmsh mesh");
  expect("\n\n", 2, 201, -1, "not a Gmsh mesh");
}

/* Overwrites bytes of a binary fixture behind the first `mark`. */
static void patched(const char *name, const char *form, const char *mark, size_t skip, const void *bytes,
                    size_t n, int code, const char *words)
{
  size_t size;
  char  *text = read_bytes(fixture(name, form), &size), *at = NULL;
  for (size_t i = 0; !at && i + strlen(mark) <= size; i++)
    if (memcmp(text + i, mark, strlen(mark)) == 0) at = text + i + strlen(mark) + skip;
  assert_non_null(at);
  memcpy(at, bytes, n);
  expect(text, size, code, code == 202 ? -1 : 0, words);
  free(text);
}

static void broken_binary_files_are_refused(void **state)
{
  (void)state;
  const int     swapped = 0x01000000, other = 5, prism = 6, many = 1 << 30, none = 999;
  const int64_t huge = INT64_MAX / 8, far = 999999999, minus = -1;
  const double  inf = (double)INFINITY;
  patched("plate_1", "41b", "4.1 1 8\n", 0, &swapped, 4, 202, "machine of the other byte order");
  patched("plate_1", "22b", "2.2 1 8\n", 0, &other, 4, 202, "the endianness mark is 0x5, not 1");
  patched("plate_1", "41b", "4.1 1 8", (size_t)-1, "4", 1, 202, "data-size is 4");
  patched("plate_1", "41b", "$Nodes\n", 8, &huge, 8, 213, "implausible number of nodes");
  patched("plate_1", "41b", "$Nodes\n", 8, &minus, 8, 213, "implausible number of nodes");
  patched("plate_1", "41b", "$Elements\n", 8, &huge, 8, 213, "implausible number of elements");
  patched("plate_1", "41b", "$Elements\n", 0, &huge, 8, 213, "implausible number of blocks of elements");
  patched("plate_1", "41b", "$Entities\n", 0, &huge, 8, 213, "implausible number of entities");
  patched("plate_1", "41b", "$Nodes\n", 32 + 12, &huge, 8, 213, "the blocks list more");
  patched("plate_1", "41b", "$Nodes\n", 32 + 20 + 8, &inf, 8, 214, "node 1: x is not finite (at byte");
  patched("plate_1", "41b", "$Nodes\n", 32 + 52 + 20, &(int64_t){1}, 8, 214,
          "node tag 1 is defined twice (byte ");
  patched("plate_1", "41b", "$Elements\n", 32 + 20 + 8, &far, 8, 215,
          "element 1 uses node 999999999 that does not exist");
  patched("plate_1", "41b", "$Elements\n", 32 + 8, &prism, 4, 207, "element 1: prism (Gmsh type 6)");
  patched("plate_1", "22b", "$Elements\n43\n", 0, &prism, 4, 207, "element 1: prism (Gmsh type 6)");
  patched("plate_1", "22b", "$Elements\n43\n", 4, &many, 4, 213, "block of 1073741824 elements");
  patched("plate_1", "22b", "$Elements\n43\n", 8, &many, 4, 213, "elements with 1073741824 tags");
  patched("plate_1", "22b", "$Elements\n43\n", 8, &(int){500000}, 4, 201,
          "unexpected end of file, element 1 of 43");
  patched("plate_1", "22b", "$Elements\n43\n", 12 + 12, &none, 4, 215, "element 1 uses node 999");
  patched("plate_1", "22b", "$Elements\n", 0, "44", 2, 213,
          "expected 44 elements, found $EndElements after 43");
  patched("plate_1", "22b", "$Nodes\n", 0, "17", 2, 213, "expected $EndNodes after 17 nodes");
}

/* Every file cut at every byte is refused, as is no whole one. */
static void a_file_cut_anywhere_is_refused(void **state)
{
  (void)state;
  for (size_t i = 0; i < 4; i += 3)
    for (size_t k = 0; k < 4; k++) {
      size_t size;
      char  *text = read_bytes(fixture(names[i], forms[k]), &size);
      for (size_t n = 0; n < size - 1; n += 1 + size / 1500) { /* the last byte is a line end */
        bf_diags d = {0};
        bf_mesh *m = NULL;
        write_bytes(text, n);
        T_ERR(BF_E_MODEL, bf_mesh_read_msh(scratch, &d, &m));
        assert_null(m);
        assert_int_equal(d.errors, 1);
        bf_diags_clear(&d);
      }
      free(text);
    }
}

/* Noise: whatever is read is a mesh, whatever is not is an error; the sanitizers watch the rest. */
static void a_file_with_wrong_bytes_is_a_mesh_or_an_error(void **state)
{
  (void)state;
  uint64_t seed = 5;
  int      good = 0, bad = 0;
  for (size_t i = 0; i < 4; i++)
    for (size_t k = 0; k < 4; k++) {
      size_t size;
      char  *text = read_bytes(fixture(names[i], forms[k]), &size);
      for (int trial = 0; trial < 150; trial++) {
        const size_t at  = (size_t)(t_random(&seed) % size);
        const char   old = text[at];
        bf_diags     d   = {0};
        bf_mesh     *m   = NULL;
        text[at]         = trial % 2 ? (char)t_random(&seed) : "0123456789 -.$\n\"e"[t_random(&seed) % 17];
        write_bytes(text, size);
        if (bf_mesh_read_msh(scratch, &d, &m) == BF_OK) {
          T_OK(bf_mesh_check(m));
          good++;
        } else {
          assert_int_equal(d.errors, 1);
          bad++;
        }
        bf_mesh_destroy(&m);
        bf_diags_clear(&d);
        text[at] = old;
      }
      free(text);
    }
  assert_true(good > 100 && bad > 100);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_broken_text_file_is_refused_with_code_line_and_words),
      cmocka_unit_test(missing_and_empty_files_and_directories_are_refused),
      cmocka_unit_test(broken_binary_files_are_refused),
      cmocka_unit_test(a_file_cut_anywhere_is_refused),
      cmocka_unit_test(a_file_with_wrong_bytes_is_a_mesh_or_an_error),
  };
  const int code = T_RUN(tests);
  remove(scratch);
  return code;
}
