/* tests/t110_msh.c - .msh files: every format gives the same mesh, every broken file is refused by name and
 * line
 *
 * The fixtures in tests/meshes were written by the gmsh program (make.sh there).
 */
#include "mesh/mesh.h"
#include "tests/test.h"
#include <math.h>

static const char *const scratch = BF_BINARY_DIR "/t110.msh";
static const char *const names[] = {"plate_1", "plate_2", "solid_1", "solid_2"};
static const char *const forms[] = {"22a", "22b", "41a", "41b"};

static const char *fixture(const char *name, const char *form)
{
  static char path[400];
  snprintf(path, sizeof path, "%s/tests/meshes/%s_%s.msh", BF_SOURCE_DIR, name, form);
  return path;
}

static void write_bytes(const char *text, size_t n)
{
  FILE *f = fopen(scratch, "wb");
  assert_non_null(f);
  assert_int_equal(fwrite(text, 1, n, f), n);
  assert_int_equal(fclose(f), 0);
}

static char *read_bytes(const char *path, size_t *n)
{
  FILE *f = fopen(path, "rb");
  assert_non_null(f);
  char *text = malloc(1 << 20);
  *n         = fread(text, 1, 1 << 20, f);
  fclose(f);
  return text;
}

/* Reads a good file; its errors would be shown. */
static bf_mesh *read_good(const char *path, bf_diags *d)
{
  bf_mesh *m = NULL;
  if (bf_mesh_read_msh(path, d, &m) != BF_OK) bf_diags_print(d, 0, stderr);
  assert_int_equal(d->errors, 0);
  assert_non_null(m);
  T_OK(bf_mesh_check(m));
  return m;
}

static bf_mesh *read_text(const char *text, bf_diags *d)
{
  write_bytes(text, strlen(text));
  return read_good(scratch, d);
}

static const bf_diag *find_diag(const bf_diags *d, int code)
{
  for (int i = 0; i < d->count; i++)
    if (d->item[i].code == code) return &d->item[i];
  fail_msg("no diagnostic %d", code);
  return NULL;
}

/* The element has the same tags of nodes at the same places. */
static void same_element(const bf_mesh *a, bf_int i, const bf_mesh *b, bf_int j)
{
  int           na, nb;
  const bf_int *p = bf_mesh_elem_nodes(a, i, &na), *q = bf_mesh_elem_nodes(b, j, &nb);
  assert_int_equal(na, nb);
  for (int k = 0; k < na; k++) {
    assert_int_equal(a->node_tag[p[k]], b->node_tag[q[k]]);
    for (int d = 0; d < 3; d++) T_NEAR(a->x[3 * p[k] + d], b->x[3 * q[k] + d], 1e-15);
  }
}

static void all_formats_give_the_same_mesh(void **state)
{
  (void)state;
  for (size_t i = 0; i < 4; i++) {
    bf_diags d = {0};
    bf_mesh *a = read_good(fixture(names[i], forms[0]), &d);
    for (size_t k = 1; k < 4; k++) {
      bf_mesh *b = read_good(fixture(names[i], forms[k]), &d);
      assert_int_equal(a->nnodes, b->nnodes);
      assert_int_equal(a->dim, b->dim);
      assert_int_equal(a->nblocks, b->nblocks);
      for (int t = 0; t < a->nblocks; t++) {
        assert_int_equal(a->block[t].type, b->block[t].type);
        assert_int_equal(a->block[t].n, b->block[t].n);
      }
      assert_int_equal(a->ngroups, b->ngroups);
      for (bf_int e = 0; e < a->nelem; e++) same_element(a, e, b, e);
      for (int g = 0; g < a->ngroups; g++) {
        assert_string_equal(a->group[g].name, b->group[g].name);
        assert_int_equal(a->group[g].dim, b->group[g].dim);
        assert_int_equal(a->group[g].tag, b->group[g].tag);
        assert_int_equal(a->group[g].nelem, b->group[g].nelem);
        assert_memory_equal(a->group[g].elem, b->group[g].elem, (size_t)a->group[g].nelem * sizeof(bf_int));
      }
      bf_mesh_destroy(&b);
    }
    bf_mesh_destroy(&a);
    bf_diags_clear(&d);
  }
}

static void groups_have_the_elements_the_geometry_says(void **state)
{
  (void)state;
  const struct {
    int         mesh;
    const char *name;
    int         dim, nelem, named;
  } want[] = {{0, "left part", 2, 4, 1}, {0, "bottom", 1, 4, 1},   {0, "outside", 1, 12, 1},
              {0, "1:4", 1, 2, 1},       {0, "round", 1, 2, 1},    {0, "corner", 0, 1, 1},
              {2, "brick", 3, 2, 1},     {2, "3:2", 3, 24, 0},     {2, "both", 3, 26, 1},
              {2, "clamp", 2, 1, 1},     {3, "both", 3, 26, 1},    {3, "far", 2, 4, 1},
              {1, "left part", 2, 4, 1}, {1, "1:3000000", 1, 2, 1}};
  for (size_t k = 0; k < sizeof want / sizeof *want; k++) {
    bf_diags        d = {0};
    bf_mesh        *m = read_good(fixture(names[want[k].mesh], "22b"), &d);
    const bf_group *g = bf_mesh_group(m, want[k].name);
    assert_non_null(g);
    assert_int_equal(g->dim, want[k].dim);
    assert_int_equal(g->nelem, want[k].nelem);
    assert_int_equal(g->named, want[k].named);
    assert_null(bf_mesh_group(m, "lefft"));
    assert_int_equal(d.count, 0);
    bf_mesh_destroy(&m);
    bf_diags_clear(&d);
  }
}

static void curved_sides_lie_on_their_circle(void **state)
{
  (void)state;
  bf_diags d = {0};
  bf_mesh *m = read_good(fixture("plate_2", "41b"), &d);
  bf_int  *node, n;
  T_OK(bf_mesh_group_nodes(m, bf_mesh_group(m, "round"), &node, &n));
  assert_int_equal(n, 5);
  for (bf_int i = 0; i < n; i++)
    T_NEAR(hypot(m->x[3 * node[i]] - 0.5, m->x[3 * node[i] + 1] - 0.5), sqrt(0.5), 1e-14);
  bf_host_free(node);
  bf_mesh_destroy(&m);
}

/* Wrong node orders would show as wrong volumes or negative Jacobians. */
static void meshes_of_gmsh_have_the_right_volume_and_jacobians(void **state)
{
  (void)state;
  const double a = acos(-1.0) / 4.0; /* an arc of 45 degrees: chord and height of its segment, r^2 = 1/2 */
  const double chord = sqrt(2.0) * sin(a / 2.0), height = sqrt(0.5) * (1.0 - cos(a / 2.0));
  const double under_chords = 0.25 * (2.0 * sin(a) - 1.0);
  const double exact[4]     = {2.0 + under_chords, 2.0 + under_chords + 2.0 * 2.0 / 3.0 * chord * height, 3.0,
                               3.0};
  for (size_t i = 0; i < 4; i++)
    for (size_t k = 0; k < 4; k++) {
      bf_diags   d = {0};
      bf_mesh   *m = read_good(fixture(names[i], forms[k]), &d);
      bf_quality q;
      T_OK(bf_mesh_check_jacobian(m, &d));
      T_OK(bf_mesh_quality(m, &q));
      T_NEAR(q.measure, exact[i], 1e-12);
      assert_int_equal(q.components, i < 2 ? 1 : 2);
      assert_int_equal(q.unused_nodes, 0);
      bf_mesh_destroy(&m);
      bf_diags_clear(&d);
    }
}

/* ---- small files written here ---- */
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

static void check_small(const bf_mesh *m)
{
  assert_int_equal(m->dim, 2);
  assert_int_equal(m->nnodes, 5);
  assert_int_equal(m->nelem, 3); /* the point in no group is gone */
  assert_int_equal(m->ngroups, 2);
  const bf_group *body = bf_mesh_group(m, "body"), *left = bf_mesh_group(m, "left");
  assert_int_equal(body->nelem, 2);
  assert_int_equal(left->nelem, 1);
  int           n;
  const bf_int *node = bf_mesh_elem_nodes(m, bf_mesh_block(m, BF_TRI3)->first, &n);
  T_NEAR(m->x[3 * node[1]], 2.0, 0.0);
  T_NEAR(m->x[3 * node[1] + 1], 0.5, 0.0);
  assert_int_equal(bf_mesh_block(m, BF_TRI3)->tag[0], 3);
}

static void small_files_are_read_in_both_versions(void **state)
{
  (void)state;
  bf_diags d = {0};
  bf_mesh *m = read_text(good22, &d);
  check_small(m);
  bf_mesh_destroy(&m);
  m = read_text(good41, &d);
  check_small(m);
  bf_mesh_destroy(&m);
  assert_int_equal(d.count, 0);
}

static void dos_line_ends_and_a_missing_last_one_are_read(void **state)
{
  (void)state;
  for (int v = 0; v < 2; v++) {
    const char *from = v ? good41 : good22;
    char        text[4000];
    size_t      n = 0;
    for (const char *s = from; *s; s++) {
      if (*s == '\n') text[n++] = '\r';
      text[n++] = *s;
    }
    bf_diags d = {0};
    write_bytes(text, n - 2);
    bf_mesh *m = read_good(scratch, &d);
    check_small(m);
    bf_mesh_destroy(&m);
  }
}

static void comments_unknown_sections_and_late_names_are_read(void **state)
{
  (void)state;
  bf_diags d = {0};
  bf_mesh *m =
      read_text("$Comments\nanything\n$EndComment\n$ 12\n$EndComments\n" FORMAT22
                "\n  \n$Comments\n$EndComments\n$Colours\n1\n$End\n$EndColours\n" NODES22
                "$Periodic\n0\n$EndPeriodic\n" ELEMENTS22 NAMES "$NodeData\n1\n\"T\"\n$EndNodeData\n",
                &d);
  check_small(m);
  bf_mesh_destroy(&m);
  assert_int_equal(d.count, 3);
  assert_int_equal(d.item[0].severity, BF_NOTE);
  assert_int_equal(d.item[0].line, 13);
  T_CONTAINS(d.item[0].text, "section $Colours is not used");
  T_CONTAINS(d.item[1].text, "section $Periodic is not used");
  T_CONTAINS(d.item[2].text, "section $NodeData is not used");
  bf_diags_clear(&d);
}

static void partitions_and_ghosts_are_tolerated(void **state)
{
  (void)state;
  bf_diags d = {0};
  bf_mesh *m =
      read_text(FORMAT41 NAMES "$Entities\n0 0 0 0\n$EndEntities\n"
                               "$PartitionedEntities\n2\n2\n4 1\n5 2\n1 1 1 0\n"
                               "7 0 1 1 2 0 0 0 0\n4 1 3 2 1 2 0 0 0 0 1 0 1 1 2 1 -2\n"
                               "1 2 1 1 2 0 0 0 2 1 0 1 2 1 4\n$EndPartitionedEntities\n" NODES41 ELEMENTS41
                               "$GhostElements\n1\n2 1 1 2\n$EndGhostElements\n",
                &d);
  check_small(m);
  bf_mesh_destroy(&m);
  T_CONTAINS(find_diag(&d, 217)->text, "partitions of the mesh are not used");
  T_CONTAINS(find_diag(&d, 216)->text, "$GhostElements");
  bf_diags_clear(&d);
}

static void sparse_and_unordered_tags_are_read(void **state)
{
  (void)state;
  const struct {
    const char *format;
    int64_t     tag[5];
  } want[] = {{"22", {5, 4, 3, 2, 1}},
              {"22", {7, 2147483647, 3, 1000, 5}},
              {"41", {9000000000000000000, 1, 77, 4000000000, 12}},
              {"41", {10, 20, 30, 40, 0}}};
  for (size_t k = 0; k < sizeof want / sizeof *want; k++) {
    const int64_t *t = want[k].tag;
    char           text[2000];
    bf_diags       d = {0};
#define L(i) (long long)t[i]
    if (want[k].format[0] == '2')
      snprintf(text, sizeof text,
               FORMAT22 NAMES
               "$Nodes\n5\n%lld 0 0 0\n%lld 1 0 0\n%lld 1 1 0\n%lld 0 1 0\n%lld 2 0.5 0\n"
               "$EndNodes\n$Elements\n3\n9 1 2 1 4 %lld %lld\n8 3 3 2 1 6 %lld %lld %lld %lld\n"
               "3 2 2 2 1 %lld %lld %lld\n$EndElements\n",
               L(0), L(1), L(2), L(3), L(4), L(3), L(0), L(0), L(1), L(2), L(3), L(1), L(4), L(2));
    else
      snprintf(text, sizeof text,
               FORMAT41 NAMES ENTITIES41
               "$Nodes\n1 5 1 5\n2 1 0 5\n%lld\n%lld\n%lld\n%lld\n%lld\n0 0 0\n1 0 0\n"
               "1 1 0\n0 1 0\n2 0.5 0\n$EndNodes\n$Elements\n3 3 1 3\n1 4 1 1\n"
               "1 %lld %lld\n2 1 3 1\n2 %lld %lld %lld %lld\n2 1 2 1\n3 %lld %lld %lld\n"
               "$EndElements\n",
               L(0), L(1), L(2), L(3), L(4), L(3), L(0), L(0), L(1), L(2), L(3), L(1), L(4), L(2));
    bf_mesh *m = read_text(text, &d);
    check_small(m);
    for (int i = 0; i < 5; i++) assert_int_equal(m->node_tag[i], t[i]);
    bf_mesh_destroy(&m);
    char *at =
        strstr(text, "$EndElements"); /* cuts the last digit of the last node: no such tag, or no node */
    snprintf(at - 2, 40, " \n$EndElements\n");
    bf_mesh *none = NULL;
    write_bytes(text, strlen(text));
    T_ERR(BF_E_MODEL, bf_mesh_read_msh(scratch, &d, &none));
    assert_int_equal(d.item[0].code, 215);
    bf_diags_clear(&d);
  }
}

/* Random numbers, printed with 15 to 19 digits, come back as strtod reads them. */
static void coordinates_are_read_to_the_last_bit(void **state)
{
  (void)state;
  enum { N = 60000 };
  char    *text = malloc(100 * N), *s = text, word[40];
  double  *want = malloc(3 * N * sizeof *want);
  uint64_t seed = 11;
  bf_diags d    = {0};
  s += sprintf(s, FORMAT22 "$Nodes\n%d\n", N);
  for (int i = 0; i < N; i++) {
    s += sprintf(s, "%d", i + 1);
    for (int k = 0; k < 3; k++) {
      const double big = ldexp(1.0, (int)(t_random(&seed) % 200) - 100);
      double       x   = (t_uniform(&seed) - 0.5) * (i % 4 == 0 ? big : i % 4 == 1 ? 1.0 : 1e-3);
      if (i % 4 == 3) x = (double)(t_random(&seed) % 2000) / 1000.0;
      snprintf(word, sizeof word, i % 7 == 0 ? "%.*e" : "%.*g", 15 + i % 5, x);
      want[3 * i + k] = strtod(word, NULL);
      s += sprintf(s, " %s", word);
    }
    s += sprintf(s, "\n");
  }
  sprintf(s, "$EndNodes\n$Elements\n1\n1 2 2 0 1 1 2 3\n$EndElements\n");
  bf_mesh *m = read_text(text, &d);
  assert_memory_equal(m->x, want, 3 * N * sizeof *want);
  bf_mesh_destroy(&m);
  bf_diags_clear(&d);
  free(text);
  free(want);
}

static void odd_numbers_are_read_as_strtod_reads_them(void **state)
{
  (void)state;
  const char *const odd[] = {"9007199254740993",
                             "-0",
                             "1e23",
                             "8.5e-22",
                             "+.5",
                             "5.",
                             "1E+2",
                             "4.9e-324",
                             "1.7976931348623157e308",
                             "0.1000000000000000055511151231257827",
                             "123456789012345678901",
                             "0000000000000000000000000012.5",
                             "2.2250738585072011e-308",
                             "1e-400",
                             "0e999",
                             "0x1p3",
                             "6.103515625e-05",
                             "1.00000000000000011102230246251565404"};
  for (size_t k = 0; k < sizeof odd / sizeof *odd; k++) {
    char     text[600];
    bf_diags d = {0};
    snprintf(
        text, sizeof text,
        FORMAT22
        "$Nodes\n3\n1 %s 0 0\n2 1 0 0\n3 1 1 0\n$EndNodes\n$Elements\n1\n1 2 2 0 1 1 2 3\n$EndElements\n",
        odd[k]);
    bf_mesh     *m = read_text(text, &d);
    const double x = strtod(odd[k], NULL);
    assert_memory_equal(m->x, &x, sizeof x);
    bf_mesh_destroy(&m);
  }
}

static void elements_outside_groups_stay_only_where_they_must(void **state)
{
  (void)state;
  bf_diags d = {0};
  /* no groups at all: everything but the point stays */
  bf_mesh *m = read_text(FORMAT22 NODES22 "$Elements\n4\n1 1 2 0 4 4 1\n2 3 2 0 1 1 2 3 4\n3 2 0 2 5 3\n"
                                          "4 15 2 0 1 1\n$EndElements\n",
                         &d);
  assert_int_equal(m->nelem, 3);
  assert_int_equal(m->ngroups, 0);
  bf_mesh_destroy(&m);
  /* a group of lines: the other line goes, all cells stay; numbers of later elements follow */
  m = read_text(FORMAT22 NODES22 "$Elements\n5\n1 1 2 0 4 1 2\n2 1 2 8 4 4 1\n3 15 2 6 1 3\n"
                                 "4 3 2 5 1 1 2 3 4\n5 2 2 0 1 2 5 3\n$EndElements\n",
                &d);
  assert_int_equal(m->nelem, 4);
  assert_int_equal(bf_mesh_block(m, BF_LINE2)->tag[0], 2);
  assert_int_equal(bf_mesh_group(m, "1:8")->elem[0], 1);
  assert_int_equal(bf_mesh_group(m, "0:6")->elem[0], 0);
  assert_int_equal(bf_mesh_group(m, "2:5")->elem[0], 3);
  assert_int_equal(bf_mesh_block(m, BF_TRI3)->first, 2);
  bf_mesh_destroy(&m);
  assert_int_equal(d.count, 0);
}

static void an_element_listed_once_for_each_group_is_one_element(void **state)
{
  (void)state;
  bf_diags d = {0};
  bf_mesh *m =
      read_text(FORMAT22 NODES22 "$Elements\n7\n1 3 2 5 1 1 2 3 4\n2 3 2 6 1 1 2 3 4\n3 3 2 5 1 4 3 2 1\n"
                                 "4 2 2 5 2 2 5 3\n5 2 2 7 2 2 5 3\n6 2 2 6 2 2 5 3\n7 2 2 6 2 2 5 3\n"
                                 "$EndElements\n",
                &d);
  assert_int_equal(m->nelem, 2);
  assert_int_equal(m->ngroups, 3);
  assert_int_equal(bf_mesh_group(m, "2:5")->nelem, 2);
  assert_int_equal(bf_mesh_group(m, "2:6")->nelem, 2);
  assert_int_equal(bf_mesh_group(m, "2:7")->nelem, 1);
  bf_mesh_destroy(&m);
}

static void an_element_listed_again_elsewhere_is_refused(void **state)
{
  (void)state;
  bf_diags   d      = {0};
  bf_mesh   *m      = NULL;
  const char text[] = FORMAT22 NODES22 "$Elements\n3\n1 3 2 5 1 1 2 3 4\n8 2 2 5 2 2 5 3\n9 3 2 6 1 4 3 2 1\n"
                                       "$EndElements\n";
  write_bytes(text, strlen(text));
  T_ERR(BF_E_MODEL, bf_mesh_read_msh(scratch, &d, &m));
  assert_null(m);
  T_CONTAINS(find_diag(&d, 206)->text, "elements 1 and 9 (quad4) have the same nodes (1 such pair)");
  bf_diags_clear(&d);
}

static void unused_nodes_and_empty_names_are_hinted_at(void **state)
{
  (void)state;
  bf_diags d = {0};
  bf_mesh *m = read_text(
      FORMAT22 "$PhysicalNames\n3\n1 1 \"left\"\n2 2 \"body\"\n2 1 \"left\"\n$EndPhysicalNames\n" NODES22
               "$Elements\n1\n2 3 2 2 1 1 2 3 4\n$EndElements\n",
      &d);
  bf_mesh_destroy(&m);
  T_CONTAINS(find_diag(&d, 209)->text, "1 node is not used by any 2D element; ignored");
  assert_int_equal(find_diag(&d, 209)->severity, BF_WARNING);
  T_CONTAINS(find_diag(&d, 218)->text, "physical group 'left' (1D, tag 1) has no elements");
  T_CONTAINS(find_diag(&d, 219)->text, "'left' stands for groups 1:1 and 2:1");
  bf_diags_clear(&d);
}

/* ---- broken files ---- */
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
      {good22, "2.2 0 8", "1.0 0 8", 202, 2, "format version 1 is not supported; save as 2.2 or 4.1"},
      {good22, "2.2 0 8", "3 0 8", 202, 2, "format version 3 is not supported"},
      {good22, "2.2 0 8", "4 0 8", 202, 2, "format version 4 is not supported"},
      {good22, "2.2 0 8", "2.2 2 8", 202, 2, "file type 2"},
      {good41, "4.1 0 8", "4.1 0 4", 202, 2, "data-size is 4"},
      {good22, "2.2 0 8", "2.2 0", 202, 2, "expected version, file type and data size of the format"},
      {good22, "$MeshFormat", "$NOD", 202, 1, "format version 1.0 is not supported; save as 2.2 or 4.1"},
      {good22, "$MeshFormat", "$Nodes", 202, 1, "$Nodes comes before $MeshFormat"},
      {good22, "$MeshFormat", "version https://git-lfs.github.com/spec/v1\n", 201, 1,
       "not a Gmsh mesh (first line 'version https://git-lfs.github.com/spec/v1'); looks like a Git LFS "
       "pointer"},
      {good22, "$MeshFormat", "<!DOCTYPE html>\n", 201, 1, "looks like a web page"},
      {good22, "$MeshFormat", "SetFactory(\"Built-in\");\n", 201, 1, "looks like a .geo file"},
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
       "element 12: prism (Gmsh type 6) is not supported"},
      {good22, "3 2 2 2 1 2 5 3\n", "12 7 2 2 1 2 5 3 1 2\n", 207, 21, "element 12: pyramid"},
      {good22, "3 2 2 2 1 2 5 3\n", "12 10 2 2 1 2 5 3 1 2\n", 207, 21,
       "element 12: quad9 (Gmsh type 10) is not supported"},
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
      {good41, "2 1 2 1\n", "2 1 12 1\n", 207, -1, "element 3: hex27 (Gmsh type 12) is not supported"},
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

static void a_failed_allocation_leaks_nothing(void **state)
{
  (void)state;
  const int64_t before = bf_memory_live();
  for (size_t k = 0; k < 4; k++)
    for (int64_t at = 1, done = 0; !done; at++) {
      bf_diags d = {0};
      bf_mesh *m = NULL;
      bf_memory_fail_at(at);
      const bf_err err = bf_mesh_read_msh(fixture("plate_2", forms[k]), &d, &m);
      bf_memory_fail_at(0);
      bf_mesh_destroy(&m);
      bf_diags_clear(&d);
      assert_int_equal(bf_memory_live(), before);
      done = err == BF_OK;
      assert_true(done ? at > 30 : err == BF_E_MEMORY);
    }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(all_formats_give_the_same_mesh),
      cmocka_unit_test(groups_have_the_elements_the_geometry_says),
      cmocka_unit_test(curved_sides_lie_on_their_circle),
      cmocka_unit_test(meshes_of_gmsh_have_the_right_volume_and_jacobians),
      cmocka_unit_test(small_files_are_read_in_both_versions),
      cmocka_unit_test(dos_line_ends_and_a_missing_last_one_are_read),
      cmocka_unit_test(comments_unknown_sections_and_late_names_are_read),
      cmocka_unit_test(partitions_and_ghosts_are_tolerated),
      cmocka_unit_test(sparse_and_unordered_tags_are_read),
      cmocka_unit_test(coordinates_are_read_to_the_last_bit),
      cmocka_unit_test(odd_numbers_are_read_as_strtod_reads_them),
      cmocka_unit_test(elements_outside_groups_stay_only_where_they_must),
      cmocka_unit_test(an_element_listed_once_for_each_group_is_one_element),
      cmocka_unit_test(an_element_listed_again_elsewhere_is_refused),
      cmocka_unit_test(unused_nodes_and_empty_names_are_hinted_at),
      cmocka_unit_test(every_broken_text_file_is_refused_with_code_line_and_words),
      cmocka_unit_test(missing_and_empty_files_and_directories_are_refused),
      cmocka_unit_test(broken_binary_files_are_refused),
      cmocka_unit_test(a_file_cut_anywhere_is_refused),
      cmocka_unit_test(a_file_with_wrong_bytes_is_a_mesh_or_an_error),
      cmocka_unit_test(a_failed_allocation_leaks_nothing),
  };
  const int code = T_RUN(tests);
  remove(scratch);
  return code;
}
