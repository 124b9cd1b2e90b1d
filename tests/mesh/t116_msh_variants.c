/* tests/mesh/t116_msh_variants.c - .msh files of versions 2.0 and 2.1, partitioned meshes, wrong ranges of
 * tags */
/* SPDX-License-Identifier: BSD-3-Clause */
#define T_SCRATCH "t116.msh"
#include "tests/mesh/msh_files.h"

/* A row of four unit squares, elements 11 to 14 with nodes 1 2 .. 5 below and 6 7 .. 10 above, and the line
 * elements 21 at the left and 22 at the right end. */
#define ROW_NODES                                                                                            \
  "10\n1 0 0 0\n2 1 0 0\n3 2 0 0\n4 3 0 0\n5 4 0 0\n6 0 1 0\n7 1 1 0\n8 2 1 0\n9 3 1 0\n10 4 1 0\n"

/* The row in ascii; part[k]: the tags behind the elementary one, of quadrilaterals 11 .. 14 and lines 21, 22;
 * NULL = the element is not in the file. */
static const char *row(const char *version, const char *const part[6])
{
  static char text[2000];
  int         n = 0;
  for (int k = 0; k < 6; k++) n += part[k] != NULL;
  int at = snprintf(text, sizeof text,
                    "$MeshFormat\n%s 0 8\n$EndMeshFormat\n$Nodes\n" ROW_NODES "$EndNodes\n$Elements\n%d\n",
                    version, n);
  for (int k = 0; k < 6; k++) {
    if (!part[k]) continue;
    int tags = 2;
    for (const char *s = part[k]; *s; s++) tags += *s != ' ' && (s[1] == ' ' || s[1] == '\0');
    at += k < 4 ? snprintf(text + at, sizeof text - (size_t)at, "%d 3 %d 7 1 %s %d %d %d %d\n", 11 + k, tags,
                           part[k], k + 1, k + 2, k + 7, k + 6)
                : snprintf(text + at, sizeof text - (size_t)at, "%d 1 %d 8 2 %s %d %d\n", 17 + k, tags,
                           part[k], k == 4 ? 6 : 5, k == 4 ? 1 : 10);
  }
  snprintf(text + at, sizeof text - (size_t)at, "$EndElements\n");
  return text;
}

/* The same file in binary, in blocks of one element. */
static size_t to_binary(const char *text, char *out)
{
  char       *to = out;
  const char *s  = strstr(text, " 0 8\n");
  memcpy(to, text, (size_t)(s - text));
  to += s - text;
  memcpy(to, " 1 8\n", 5), to += 5;
  memcpy(to, &(int32_t){1}, 4), to += 4;
  memcpy(to, "\n$EndMeshFormat\n$Nodes\n10\n", 26), to += 26;
  s = strstr(text, "$Nodes\n") + 10;
  for (int k = 0; k < 10; k++) {
    char         *rest;
    const int32_t tag  = (int32_t)strtol(s, &rest, 10);
    const double  x[3] = {strtod(rest, &rest), strtod(rest, &rest), strtod(rest, &rest)};
    memcpy(to, &tag, 4), memcpy(to + 4, x, 24), to += 28;
    s = rest;
  }
  memcpy(to, "$EndNodes\n$Elements\n", 20), to += 20;
  s = strstr(text, "$Elements\n") + 10;
  char     *rest;
  const int n = (int)strtol(s, &rest, 10);
  to += sprintf(to, "%d\n", n);
  for (int k = 0; k < n; k++) {
    int32_t   v[20];
    const int tag = (int)strtol(rest, &rest, 10), type = (int)strtol(rest, &rest, 10),
              tags = (int)strtol(rest, &rest, 10), more = tags + (type == 3 ? 4 : 2);
    v[0] = type, v[1] = 1, v[2] = tags, v[3] = tag;
    for (int i = 0; i < more; i++) v[4 + i] = (int32_t)strtol(rest, &rest, 10);
    memcpy(to, v, 4 * (size_t)(4 + more)), to += 4 * (4 + more);
  }
  memcpy(to, "\n$EndElements\n", 14);
  return (size_t)(to + 14 - out);
}

/* Reads the text as ascii or, binary = 1, in binary: elements of the plane and lines, and the one diagnostic
 * (code 0: none). */
static void expect(const char *text, int binary, int quads, int lines, int code, const char *words)
{
  static char bytes[4000];
  bf_diags    d = {0};
  if (binary)
    write_bytes(bytes, to_binary(text, bytes));
  else
    write_bytes(text, strlen(text));
  bf_mesh *m = read_good(scratch, &d);
  assert_int_equal(bf_mesh_block(m, BF_QUAD4)->n, quads);
  assert_int_equal(bf_mesh_block(m, BF_LINE2) ? bf_mesh_block(m, BF_LINE2)->n : 0, lines);
  double area;
  T_OK(bf_mesh_group_measure(m, bf_mesh_group(m, "2:7"), &area));
  T_NEAR(area, quads, 1e-14);
  int others = 0;
  for (int k = 0; k < d.count; k++) others += d.item[k].code != code && d.item[k].code != 209;
  assert_int_equal(others, 0);
  if (code) T_CONTAINS(find_diag(&d, code)->text, words);
  bf_mesh_destroy(&m);
  bf_diags_clear(&d);
}

static void versions_2_0_and_2_1_are_read_as_2_2(void **state)
{
  (void)state;
  static const char *const versions[] = {"2", "2.0", "2.1", "2.2"};
  for (int k = 0; k < 8; k++)
    expect(row(versions[k / 2], (const char *const[]){"", "", "", "", "", ""}), k % 2, 4, 2, 0, "");
}

/* In 2.1 the third tag is a partition, in 2.2 a number of partitions. */
static void the_third_tag_has_the_meaning_of_its_version(void **state)
{
  (void)state;
  for (int b = 0; b < 2; b++) {
    expect(row("2.1", (const char *const[]){"1", "1", "2", "3", "1", "3"}), b, 4, 2, 217, "read as a whole");
    expect(row("2", (const char *const[]){"3", "3", "3", "3", "3", "3"}), b, 4, 2, 231,
           "part 3 of at least 3 alone");
    expect(row("2.2", (const char *const[]){"1 1", "1 1", "1 2", "1 3", "1 1", "1 3"}), b, 4, 2, 217,
           "read as a whole");
    expect(row("2.2", (const char *const[]){"1 2", "1 2", NULL, NULL, NULL, NULL}), b, 2, 0, 231,
           "part 2 of at least 2 alone: the file is not the whole mesh; to read");
  }
}

static void all_partitions_with_their_ghosts_are_the_whole_mesh(void **state)
{
  (void)state;
  for (int b = 0; b < 2; b++) {
    /* lines have no ghosts: the last one is of partition 2 and not marked for 1 */
    expect(row("2.2", (const char *const[]){"1 1", "1 1", "2 1 -2", "2 2 -1", "1 1", "1 2"}), b, 4, 2, 217,
           "the mesh is partitioned; the partitions are not used, it is read as a whole");
    /* both could be the one partition of the file */
    expect(row("2.2", (const char *const[]){"2 1 -2", "2 1 -2", "2 2 -1", "2 2 -1", NULL, NULL}), b, 4, 0,
           217, "read as a whole");
  }
}

static void one_partition_is_read_without_the_ghosts_of_others(void **state)
{
  (void)state;
  for (int b = 0; b < 2; b++) {
    expect(row("2.2", (const char *const[]){"1 1", "1 1", "2 1 -2", "2 2 -1", "1 1", NULL}), b, 3, 1, 231,
           "part 1 of at least 2 alone: the file is not the whole mesh; 1 ghost element of other partitions "
           "is left out");
    expect(row("2.2", (const char *const[]){"2 3 -4", "3 4 -3 -5", "2 5 -4", NULL, NULL, NULL}), b, 1, 0, 231,
           "part 4 of at least 5 alone: the file is not the whole mesh; 2 ghost elements of other partitions "
           "are left out");
    expect(row("2.2", (const char *const[]){"1 1", "2 1 -2", "3 2 -1 -3", NULL, "1 1", "1 2"}), b, 3, 2, 231,
           "parts 1, 2 of at least 3 alone");
  }
}

/* The entities of a row of four squares in three partitions, two of which have ghosts; curve 5 is the
 * interface of 1 and 2 and inherits the physical tag 7 of the surface. */
#define ROW41                                                                                                \
  FORMAT41 "$Entities\n0 0 1 0\n1 0 0 0 4 1 0 1 7 0\n$EndEntities\n$PartitionedEntities\n3\n2\n8 1\n9 2\n"   \
           "0 3 2 0\n5 2 1 2 1 2 2 0 0 2 1 0 1 7 0\n6 1 1 1 1 0 0 0 0 1 0 1 8 0\n8 1 2 1 2 4 0 0 4 1 0 1 8 " \
           "0\n2 2 1 1 1 0 0 0 2 1 0 1 7 0\n3 2 1 1 2 2 0 0 4 1 0 1 7 0\n$EndPartitionedEntities\n"          \
           "$Nodes\n1 10 1 10\n2 2 0 10\n1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n0 0 0\n1 0 0\n2 0 0\n3 0 0\n4 0 0\n" \
           "0 1 0\n1 1 0\n2 1 0\n3 1 0\n4 1 0\n$EndNodes\n"

static void ghost_entities_and_interfaces_of_4_1_are_left_out(void **state)
{
  (void)state;
  expect(
      ROW41 "$Elements\n5 6 11 30\n1 5 1 1\n23 3 8\n1 6 1 1\n21 6 1\n1 8 1 1\n22 5 10\n2 2 3 2\n"
            "11 1 2 7 6\n12 2 3 8 7\n2 8 3 1\n30 3 4 9 8\n$EndElements\n$GhostElements\n1\n30 2 1 1\n"
            "$EndGhostElements\n",
      0, 2, 2, 231,
      "part 1 of 3 alone: the file is not the whole mesh; 1 ghost element of other partitions is left out");
  expect(ROW41 "$Elements\n2 4 11 14\n2 2 3 2\n11 1 2 7 6\n12 2 3 8 7\n2 3 3 2\n13 3 4 9 8\n14 4 5 10 9\n"
               "$EndElements\n",
         0, 4, 0, 231, "parts 1, 2 of 3 alone: the file is not the whole mesh; to read the whole mesh, save");
}

static void a_wrong_range_of_tags_is_told_with_the_right_one(void **state)
{
  (void)state;
  static const struct {
    const char *from, *to, *words;
    int         line;
  } want[] = {
      {"2 5 1 5", "2 5 1 9", "gives node tags from 1 to 9, the tags of the file go from 1 to 5", 16},
      {"2 5 1 5", "2 5 0 5", "gives node tags from 0 to 5, the tags of the file go from 1 to 5", 16},
      {"3 3 1 3", "3 3 1 2", "gives element tags from 1 to 2, the tags of the file go from 1 to 3", 31}};
  for (size_t k = 0; k < sizeof want / sizeof *want; k++) {
    char        text[2000];
    bf_diags    d  = {0};
    const char *at = strstr(good41, want[k].from);
    snprintf(text, sizeof text, "%.*s%s%s", (int)(at - good41), good41, want[k].to,
             at + strlen(want[k].from));
    bf_mesh *m = read_text(text, &d);
    assert_int_equal(d.count, 1);
    T_CONTAINS(find_diag(&d, 220)->text, want[k].words);
    assert_int_equal(d.item[0].severity, BF_WARNING);
    assert_int_equal(d.item[0].line, want[k].line);
    assert_int_equal(m->nelem, 3);
    bf_mesh_destroy(&m);
    bf_diags_clear(&d);
  }
}

static void a_failed_allocation_of_a_partitioned_mesh_leaks_nothing(void **state)
{
  (void)state;
  const int64_t before = bf_memory_live();
  write_bytes(ROW41 "$Elements\n1 2 11 12\n2 2 3 2\n11 1 2 7 6\n12 2 3 8 7\n$EndElements\n",
              strlen(ROW41) +
                  strlen("$Elements\n1 2 11 12\n2 2 3 2\n11 1 2 7 6\n12 2 3 8 7\n$EndElements\n"));
  for (int64_t at = 1, done = 0; !done; at++) {
    bf_diags d = {0};
    bf_mesh *m = NULL;
    bf_memory_fail_at(at);
    const bf_err err = bf_mesh_read_msh(scratch, &d, &m);
    bf_memory_fail_at(0);
    bf_mesh_destroy(&m);
    bf_diags_clear(&d);
    assert_int_equal(bf_memory_live(), before);
    done = err == BF_OK;
    assert_true(done ? at > 9 : err == BF_E_MEMORY);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(versions_2_0_and_2_1_are_read_as_2_2),
      cmocka_unit_test(the_third_tag_has_the_meaning_of_its_version),
      cmocka_unit_test(all_partitions_with_their_ghosts_are_the_whole_mesh),
      cmocka_unit_test(one_partition_is_read_without_the_ghosts_of_others),
      cmocka_unit_test(ghost_entities_and_interfaces_of_4_1_are_left_out),
      cmocka_unit_test(a_wrong_range_of_tags_is_told_with_the_right_one),
      cmocka_unit_test(a_failed_allocation_of_a_partitioned_mesh_leaks_nothing),
  };
  const int code = T_RUN(tests);
  remove(scratch);
  return code;
}
