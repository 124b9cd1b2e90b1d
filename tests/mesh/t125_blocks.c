/* tests/mesh/t125_blocks.c - meshes of several blocks: cut at irregular vertices and edges, numbered block by
 * block, what crosses the seams left outside the diagonals */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "mesh/numbering/drivers.h"
#include "mesh/numbering/vertex_mesh.h"
#include "tests/mesh/patches.h"
#include "tests/numbering_case.h"

typedef struct shape {
  const char *name;
  int         blocks;
  double      full, half, rest; /* bounds of the bytes of blocks one by one; share left over */
} shape;

static const shape shapes[] = {{"L-shape", 3, 8.5, 4.9, 0.012},
                               {"plate with a hole", 1, 0.0, 0.0, 0.0},
                               {"plate and one block", 3, 8.4, 4.8, 0.012},
                               {"plate and two blocks", 6, 8.5, 4.8, 0.019},
                               {"disc", 5, 8.6, 5.0, 0.027},
                               {"T-shape", 4, 9.6, 5.4, 0.052},
                               {"cylinder", 5, 9.5, 5.5, 0.076}};
enum { SHAPES = sizeof shapes / sizeof *shapes };

static bf_mesh *make(int i, uint64_t seed)
{
  bf_mesh *m = NULL;
  switch (i) {
  case 0:
    m = t_box(BF_QUAD4, 120, 120, 0);
    t_keep(m, t_in_l_shape);
    break;
  case 1: m = t_plate_with_hole(60, 40, 0); break;
  case 2: m = t_plate_with_hole(60, 40, 1); break;
  case 3: m = t_plate_with_hole(60, 40, 2); break;
  case 4: m = t_disc(60, 50); break;
  case 5:
    m = t_box(BF_HEX8, 40, 44, 16);
    t_keep(m, t_in_t_shape);
    break;
  case 6: m = t_extrude(t_disc(16, 14), 40); break;
  }
  t_shuffle(m, seed);
  return m;
}

static void blocks_are_found_whatever_the_file(void **state)
{
  (void)state;
  for (int i = 0; i < SHAPES; i++)
    for (uint64_t seed = 1; seed < 3; seed++) {
      bf_mesh  *m = make(i, seed);
      bf_vmesh *v = NULL;
      bf_int    n = 0;
      T_OK(bf_vmesh_create(m, 0, &v));
      bf_int *block = bf_host_alloc((size_t)v->cells.block[0].n, sizeof *block);
      assert_non_null(block);
      T_OK(bf_cell_blocks(v, block, &n));
      if (n != shapes[i].blocks) fail_msg("%s: %d blocks", shapes[i].name, n);
      bf_host_free(block);
      bf_vmesh_destroy(&v);
      bf_mesh_destroy(&m);
    }
}

static const bf_try *line_of_blocks(const bf_numbering *n)
{
  for (int i = 0; i < n->ntries; i++)
    if (strstr(n->tries[i].name, "blocks")) return &n->tries[i];
  return NULL;
}

static void blocks_one_by_one_reach_the_bytes_of_the_design(void **state)
{
  (void)state;
  for (int i = 0; i < SHAPES; i++) {
    bf_mesh      *m = make(i, 1);
    bf_numbering *n = NULL;
    T_OK(bf_numbering_create(m, BF_ORDER_AUTO, &n));
    t_is_valid(m, n);
    const bf_try *t = line_of_blocks(n);
    if (!t) { /* levels are near the floor already */
      T_LE(t_chosen(n)->bytes_full, 8.4);
    } else {
      if (getenv("BANDFEM_TEST_VERBOSE"))
        print_message("%s: %.2f / %.2f, %.2f %% outside; levels %.2f / %.2f\n", shapes[i].name, t->bytes_full,
                      t->bytes_half, 100.0 * t->rest, n->tries[n->line].bytes_full,
                      n->tries[n->line].bytes_half);
      T_LE(t->bytes_full, shapes[i].full);
      T_LE(t->bytes_half, shapes[i].half);
      T_LE(t->rest, shapes[i].rest);
      char name[40];
      snprintf(name, sizeof name, "%d blocks", shapes[i].blocks);
      T_CONTAINS(t->name, name);
    }
    bf_numbering_destroy(&n);
    bf_mesh_destroy(&m);
  }
}

/* Families in each block. */
static void quadratic_elements_have_families_in_every_block(void **state)
{
  (void)state;
  for (int i = 4; i < SHAPES; i += 2) {
    bf_mesh      *m = i == 4 ? t_disc(40, 30) : t_extrude(t_disc(10, 9), 24);
    bf_numbering *n = NULL;
    T_OK(bf_mesh_change_order(m, 2, INT32_MAX));
    t_shuffle(m, 1);
    T_OK(bf_numbering_create(m, BF_ORDER_AUTO, &n));
    t_is_valid(m, n);
    const bf_try *t = line_of_blocks(n);
    assert_non_null(t);
    if (getenv("BANDFEM_TEST_VERBOSE"))
      print_message("%s, quadratic: %.2f / %.2f, %.2f %% outside in %d segments; first %.2f / %.2f\n",
                    shapes[i].name, t->bytes_full, t->bytes_half, 100.0 * t->rest, t->segments,
                    n->tries[n->line].bytes_full, n->tries[n->line].bytes_half);
    T_LE(t->bytes_full, i == 4 ? 9.3 : 11.0);
    T_LE(t->bytes_half, i == 4 ? 5.2 : 7.0);
    bf_numbering_destroy(&n);
    bf_mesh_destroy(&m);
  }
}

static void quadrilaterals_without_structure_have_no_blocks(void **state)
{
  (void)state;
  bf_mesh *t = t_random_triangles(20, 3); /* every triangle cut into three quadrilaterals */
  T_OK(bf_mesh_change_order(t, 2, INT32_MAX));
  const bf_block *B    = bf_mesh_block(t, BF_TRI6);
  const bf_int    n    = t->nnodes + B->n;
  double         *x    = bf_host_alloc((size_t)n, 2 * sizeof *x);
  bf_int         *quad = bf_host_alloc((size_t)B->n, 12 * sizeof *quad);
  assert_true(x && quad);
  for (bf_int i = 0; i < t->nnodes; i++) memcpy(x + 2 * i, t->x + 3 * i, 2 * sizeof *x);
  for (bf_int e = 0; e < B->n; e++) {
    const bf_int *c = B->node + 6 * e, middle = t->nnodes + e;
    for (int d = 0; d < 2; d++)
      x[2 * middle + d] = (t->x[3 * c[0] + d] + t->x[3 * c[1] + d] + t->x[3 * c[2] + d]) / 3.0;
    for (int k = 0; k < 3; k++) {
      const bf_int q[4] = {c[k], c[3 + k], middle, c[3 + (k + 2) % 3]};
      memcpy(quad + 12 * e + 4 * k, q, sizeof q);
    }
  }
  bf_mesh      *m   = t_mesh_2d(BF_QUAD4, n, x, 3 * B->n, quad);
  bf_numbering *num = NULL;
  t_shuffle(m, 2);
  T_OK(bf_numbering_create(m, BF_ORDER_AUTO, &num));
  t_is_valid(m, num);
  assert_null(line_of_blocks(num));
  bf_numbering_destroy(&num);
  bf_host_free(x);
  bf_host_free(quad);
  bf_mesh_destroy(&m);
  bf_mesh_destroy(&t);
}

static void the_result_repeats(void **state)
{
  (void)state;
  bf_mesh      *m    = make(4, 5);
  bf_numbering *n[2] = {NULL, NULL};
  for (int k = 0; k < 2; k++) {
    T_OK(bf_numbering_create(m, BF_ORDER_AUTO, &n[k]));
    assert_non_null(n[k]->next);
    T_OK(bf_numbering_select(&n[k], 1));
  }
  assert_memory_equal(n[0]->row, n[1]->row, (size_t)m->nnodes * sizeof *n[0]->row);
  for (int half = 0; half < 2; half++)
    assert_int_equal(n[0]->split[half].rest->ptr[n[0]->nrows], n[1]->split[half].rest->ptr[n[1]->nrows]);
  for (int k = 0; k < 2; k++) bf_numbering_destroy(&n[k]);
  bf_mesh_destroy(&m);
}

static void no_allocation_failure_leaks(void **state)
{
  (void)state;
  bf_mesh      *m = t_disc(12, 8);
  bf_numbering *n = NULL;
  T_OK(bf_numbering_create(m, BF_ORDER_AUTO, &n));
  assert_non_null(line_of_blocks(n)); /* so blocks are what is made */
  bf_numbering_destroy(&n);
  t_numbering_without_memory(m);
  bf_mesh_destroy(&m);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(blocks_are_found_whatever_the_file),
      cmocka_unit_test(blocks_one_by_one_reach_the_bytes_of_the_design),
      cmocka_unit_test(quadratic_elements_have_families_in_every_block),
      cmocka_unit_test(quadrilaterals_without_structure_have_no_blocks),
      cmocka_unit_test(the_result_repeats),
      cmocka_unit_test(no_allocation_failure_leaks),
  };
  return T_RUN(tests);
}
