/* tests/mesh/t110_msh.c - .msh files: every format gives the same mesh; groups, tags and sections are
 * understood
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#define T_SCRATCH "t110.msh"
#include "tests/mesh/msh_files.h"
#include <math.h>

static const char *const names[] = {"plate_1", "plate_2", "solid_1", "solid_2"};
static const char *const forms[] = {"22a", "22b", "41a", "41b"};

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
  assert_int_equal(d.count, 2);
  assert_int_equal(d.item[0].severity, BF_NOTE);
  assert_int_equal(d.item[0].line, 13);
  T_CONTAINS(d.item[0].text, "section $Colours is not used");
  T_CONTAINS(d.item[1].text, "section $NodeData is not used"); /* and not of $Periodic: nothing is lost */
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
    find_diag(&d, 215);
    bf_diags_clear(&d);
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
  T_CONTAINS(find_diag(&d, 219)->text, "'left' is used by groups 1:1 and 2:1");
  bf_diags_clear(&d);
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
      cmocka_unit_test(sparse_and_unordered_tags_are_read),
      cmocka_unit_test(elements_outside_groups_stay_only_where_they_must),
      cmocka_unit_test(an_element_listed_once_for_each_group_is_one_element),
      cmocka_unit_test(an_element_listed_again_elsewhere_is_refused),
      cmocka_unit_test(unused_nodes_and_empty_names_are_hinted_at),
      cmocka_unit_test(a_failed_allocation_leaks_nothing),
  };
  const int code = T_RUN(tests);
  remove(scratch);
  return code;
}
