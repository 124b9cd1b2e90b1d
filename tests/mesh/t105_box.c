/* tests/mesh/t105_box.c - generated boxes are whole, conforming, and their sides face outward */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/timer.h"
#include "mesh/mesh.h"
#include "tests/generated.h"
#include "tests/middle.h"
#include "tests/no_memory.h"
#include "tests/test.h"
#include <math.h>

static const bf_elem_type every[] = {BF_TRI3, BF_TRI6,  BF_QUAD4, BF_QUAD8, BF_QUAD9,
                                     BF_TET4, BF_TET10, BF_HEX8,  BF_HEX20, BF_HEX27};
enum { EVERY = sizeof every / sizeof *every };
static const double size[3]  = {2.0, 0.3, 0.7};
static const bf_int cells[3] = {4, 3, 2};

static bf_mesh *box_of(bf_elem_type type)
{
  return t_generated(size, cells, type);
}

static void counts_are_those_of_the_grid(void **state)
{
  (void)state;
  const struct {
    bf_elem_type type;
    bf_int       nodes, cells, sides;
  } want[] = {{BF_QUAD4, 20, 12, 14},    {BF_TRI3, 20, 24, 14},   {BF_QUAD8, 51, 12, 14},
              {BF_TRI6, 63, 24, 14},     {BF_HEX8, 60, 24, 52},   {BF_TET4, 60, 144, 104},
              {BF_TET10, 315, 144, 104}, {BF_HEX20, 193, 24, 52}, {BF_QUAD9, 63, 12, 14},
              {BF_HEX27, 315, 24, 52}}; /* hex20: 60 corners + 133 edges */
  for (size_t k = 0; k < sizeof want / sizeof *want; k++) {
    bf_mesh *m = box_of(want[k].type);
    assert_int_equal(m->nnodes, want[k].nodes);
    assert_int_equal(bf_mesh_block(m, want[k].type)->n, want[k].cells);
    assert_int_equal(bf_mesh_block(m, bf_elem(want[k].type)->face_type)->n, want[k].sides);
    assert_int_equal(m->nelem, want[k].cells + want[k].sides);
    bf_mesh_destroy(&m);
  }
}

static void the_bytes_of_a_mesh_are_told_before_it_is_made(void **state)
{
  (void)state;
  const bf_int huge[3] = {4000, 4000, 4000};
  double       most;
  for (int k = 0; k < EVERY; k++) {
    bf_mesh *m     = box_of(every[k]);
    size_t   bytes = (size_t)m->nnodes * (3 * sizeof *m->x + sizeof *m->node_tag);
    for (int b = 0; b < m->nblocks; b++)
      bytes += (size_t)m->block[b].n * ((size_t)bf_elem(m->block[b].type)->nnodes * sizeof *m->block[b].node +
                                        sizeof *m->block[b].tag);
    for (int g = 0; g < m->ngroups; g++) bytes += (size_t)m->group[g].nelem * sizeof *m->group[g].elem;
    T_NEAR(bf_mesh_generated_bytes(cells, every[k], &most), (double)bytes, 0.0);
    assert_true(most >= m->nelem && most >= m->nnodes);
    bf_mesh_destroy(&m);
  }
  /* 4000^3 cells of 44 bytes, 4001^3 nodes of 32, 6 x 4000^2 sides of 28 */
  T_NEAR(bf_mesh_generated_bytes(huge, BF_HEX8, &most), 2816e9 + 32.0 * 4001.0 * 4001.0 * 4001.0 + 2688e6,
         1.0);
  T_NEAR(most, 64.096e9, 1.0);
}

static void no_two_nodes_coincide_and_all_are_used(void **state)
{
  (void)state;
  for (int k = 0; k < EVERY; k++) {
    bf_mesh *m    = box_of(every[k]);
    uint8_t *used = malloc((size_t)m->nnodes);
    bf_int   unused;
    bf_mesh_used_nodes(m, m->dim, used, &unused);
    assert_int_equal(unused, 0);
    for (bf_int i = 1; i < m->nnodes; i++) { /* lexicographic by z, y, x */
      const double *a = m->x + 3 * (i - 1), *b = m->x + 3 * i;
      assert_true(a[2] < b[2] || (a[2] == b[2] && (a[1] < b[1] || (a[1] == b[1] && a[0] < b[0]))));
    }
    double lo[3], hi[3];
    bf_mesh_bounds(m, lo, hi);
    for (int d = 0; d < 3; d++) {
      T_NEAR(lo[d], 0.0, 0.0);
      T_NEAR(hi[d], d < m->dim ? size[d] : 0.0, 0.0);
    }
    free(used);
    bf_mesh_destroy(&m);
  }
}

static void nodes_between_corners_are_half_way(void **state)
{
  (void)state;
  for (int k = 0; k < EVERY; k++) {
    bf_mesh *m = box_of(every[k]);
    for (bf_int e = 0; e < m->nelem; e++) {
      int                 nen;
      const bf_int       *node = bf_mesh_elem_nodes(m, e, &nen);
      const bf_elem_info *info = bf_elem(bf_mesh_block_of(m, e)->type);
      for (int a = info->ncorners; a < nen; a++) {
        double x[3];
        t_middle(m, info, node, a, x);
        for (int d = 0; d < 3; d++) T_NEAR(m->x[3 * node[a] + d], x[d], 1e-15);
      }
    }
    bf_mesh_destroy(&m);
  }
}

/* A face of the mesh by its sorted corners. */
typedef struct face_key {
  bf_int node[4];
  int    side; /* an element of the boundary block */
} face_key;

static int by_nodes(const void *a, const void *b)
{
  return memcmp(((const face_key *)a)->node, ((const face_key *)b)->node, sizeof((face_key *)0)->node);
}

static face_key key_of(const bf_int *corner, int n, int side)
{
  face_key f = {{-1, -1, -1, -1}, side};
  for (int i = 0; i < n; i++) {
    int at = i;
    while (at > 0 && f.node[at - 1] > corner[i]) {
      f.node[at] = f.node[at - 1];
      at--;
    }
    f.node[at] = corner[i];
  }
  return f;
}

static void every_inner_face_has_two_cells_and_every_outer_one_a_side(void **state)
{
  (void)state;
  for (int k = 0; k < EVERY; k++) {
    bf_mesh            *m    = box_of(every[k]);
    const bf_elem_info *info = bf_elem(every[k]), *fi = bf_elem(info->face_type);
    const bf_block     *vol = bf_mesh_block(m, every[k]), *sides = bf_mesh_block(m, info->face_type);
    const int           total = vol->n * info->nfaces + sides->n;
    face_key           *f     = malloc((size_t)total * sizeof *f);
    int                 n     = 0;
    for (bf_int e = 0; e < vol->n; e++)
      for (int s = 0; s < info->nfaces; s++) {
        bf_int corner[4];
        for (int c = 0; c < fi->ncorners; c++) corner[c] = vol->node[e * info->nnodes + info->face[s][c]];
        f[n++] = key_of(corner, fi->ncorners, 0);
      }
    for (bf_int e = 0; e < sides->n; e++) f[n++] = key_of(sides->node + e * fi->nnodes, fi->ncorners, 1);
    qsort(f, (size_t)n, sizeof *f, by_nodes);
    for (int i = 0; i < n; i += 2) assert_int_equal(by_nodes(&f[i], &f[i + 1]), 0);
    for (int i = 2; i < n; i += 2) assert_int_not_equal(by_nodes(&f[i - 1], &f[i]), 0);
    free(f);
    bf_mesh_destroy(&m);
  }
}

/* Flux of x/dim through a side by its corners (flat): the sum over all sides is the volume. */
static double flux(const bf_mesh *m, bf_int e)
{
  int                 nen;
  const bf_int       *node = bf_mesh_elem_nodes(m, e, &nen);
  const bf_elem_info *info = bf_elem(bf_mesh_block_of(m, e)->type);
  const double       *a = m->x + 3 * node[0], *b = m->x + 3 * node[1], *c = m->x + 3 * node[2];
  if (m->dim == 2) return 0.5 * ((b[1] - a[1]) * a[0] - (b[0] - a[0]) * a[1]);
  double v = 0.0;
  for (int d = 0; d < 3; d++) {
    const int p = (d + 1) % 3, q = (d + 2) % 3;
    v += a[d] * ((b[p] - a[p]) * (c[q] - a[q]) - (b[q] - a[q]) * (c[p] - a[p]));
  }
  return v / 3.0 / (info->ncorners == 3 ? 2.0 : 1.0);
}

static void sides_are_where_their_names_say_and_face_outward(void **state)
{
  (void)state;
  const char *const name[] = {"x_min", "x_max", "y_min", "y_max", "z_min", "z_max"};
  for (int k = 0; k < EVERY; k++) {
    bf_mesh *m      = box_of(every[k]);
    double   volume = 0.0;
    assert_int_equal(m->ngroups, 1 + 2 * m->dim);
    assert_int_equal(bf_mesh_group(m, m->dim == 3 ? "volume" : "surface")->nelem,
                     bf_mesh_block(m, every[k])->n);
    for (int s = 0; s < 2 * m->dim; s++) {
      const bf_group *g = bf_mesh_group(m, name[s]);
      bf_int         *node, n;
      T_OK(bf_mesh_group_nodes(m, g, &node, &n));
      for (bf_int i = 0; i < n; i++) T_NEAR(m->x[3 * node[i] + s / 2], s % 2 ? size[s / 2] : 0.0, 0.0);
      for (bf_int i = 1; i < n; i++) assert_true(node[i - 1] < node[i]);
      bf_host_free(node);
      for (bf_int e = 0; e < g->nelem; e++) {
        T_LE(s % 2 ? 1e-6 : -1e-15, flux(m, g->elem[e]));
        volume += flux(m, g->elem[e]);
      }
    }
    T_NEAR(volume, size[0] * size[1] * (m->dim == 3 ? size[2] : 1.0), 1e-13);
    bf_mesh_destroy(&m);
  }
}

static void scaling_multiplies_coordinates(void **state)
{
  (void)state;
  bf_mesh *m = box_of(BF_HEX8);
  double   lo[3], hi[3];
  bf_mesh_scale(m, 1e-3);
  bf_mesh_bounds(m, lo, hi);
  for (int d = 0; d < 3; d++) T_NEAR(hi[d], size[d] * 1e-3, 1e-18);
  bf_mesh_destroy(&m);
}

static void wrong_sizes_cells_and_types_are_refused(void **state)
{
  (void)state;
  bf_mesh     *m       = (bf_mesh *)1;
  const double flat[3] = {1.0, 0.0, 1.0}, nan3[3] = {1.0, 1.0, (double)NAN};
  const bf_int none[3] = {1, 1, 0}, huge[3] = {2000, 2000, 2000};
  T_ERR(BF_E_ARG, bf_mesh_box(flat, cells, BF_HEX8, &m));
  assert_null(m);
  T_ERR(BF_E_ARG, bf_mesh_box(nan3, cells, BF_HEX8, &m));
  T_ERR(BF_E_ARG, bf_mesh_box(size, none, BF_HEX8, &m));
  T_ERR(BF_E_ARG, bf_mesh_box(size, huge, BF_HEX8, &m));
  T_CONTAINS(bf_err_message(), "8.012e+09 grid points");
  T_ERR(BF_E_ARG, bf_mesh_box(size, cells, BF_QUAD4, &m));
  T_ERR(BF_E_ARG, bf_mesh_rectangle(size, cells, BF_HEX8, &m));
  T_ERR(BF_E_ARG, bf_mesh_rectangle(size, cells, BF_LINE2, &m));
}

static void the_check_finds_each_broken_invariant(void **state)
{
  (void)state;
  bf_mesh *m = box_of(BF_HEX8);
#define BREAK(type, place, value, words)                                                                     \
  do {                                                                                                       \
    const type kept_ = (place);                                                                              \
    (place)          = (value);                                                                              \
    T_ERR(BF_E_ARG, bf_mesh_check(m));                                                                       \
    T_CONTAINS(bf_err_message(), words);                                                                     \
    (place) = kept_;                                                                                         \
    T_OK(bf_mesh_check(m));                                                                                  \
  } while (0)
  BREAK(double, m->x[4], (double)NAN, "node 1: y is not finite");
  BREAK(bf_int, m->block[1].node[8], 60, "node 60 is not in 0..59");
  BREAK(bf_int, m->block[1].first, 7, "starts at 7");
  BREAK(bf_elem_type, m->block[1].type, BF_QUAD4, "ascending");
  BREAK(int, m->dim, 2, "dimension");
  BREAK(bf_int, m->group[1].elem[1], 0, "does not ascend");
  BREAK(bf_int, m->group[0].elem[0], 0, "another dimension");
  BREAK(bf_int, m->nelem, 75, "elements");
#undef BREAK
  bf_mesh_destroy(&m);
}

static void a_failed_allocation_leaks_nothing(void **state)
{
  (void)state;
  t_no_memory t = {0};
  while (t_no_memory_next(&t)) {
    bf_mesh *m = NULL;
    t_no_memory_begin(&t);
    t_no_memory_end(&t, bf_mesh_box(size, cells, BF_HEX20, &m));
    assert_int_equal(m != NULL, t.last);
    bf_mesh_destroy(&m);
  }
  assert_true(t.failed >= 10);
}

static void a_million_cells_take_a_fraction_of_a_second(void **state)
{
  (void)state;
  const bf_int n[3] = {100, 100, 100};
  bf_mesh     *m    = NULL;
  const double t0   = bf_seconds();
  T_OK(bf_mesh_box(size, n, BF_HEX8, &m));
  T_LE(bf_seconds() - t0, 3.0);
  bf_mesh_destroy(&m);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(counts_are_those_of_the_grid),
      cmocka_unit_test(the_bytes_of_a_mesh_are_told_before_it_is_made),
      cmocka_unit_test(no_two_nodes_coincide_and_all_are_used),
      cmocka_unit_test(nodes_between_corners_are_half_way),
      cmocka_unit_test(every_inner_face_has_two_cells_and_every_outer_one_a_side),
      cmocka_unit_test(sides_are_where_their_names_say_and_face_outward),
      cmocka_unit_test(scaling_multiplies_coordinates),
      cmocka_unit_test(wrong_sizes_cells_and_types_are_refused),
      cmocka_unit_test(the_check_finds_each_broken_invariant),
      cmocka_unit_test(a_failed_allocation_leaks_nothing),
      cmocka_unit_test(a_million_cells_take_a_fraction_of_a_second),
  };
  return T_RUN(tests);
}
