/* tests/solvers/t441_lattice.c - the lattice of nodes of a bDIA matrix, from its diagonals */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/matrix/storage.h"
#include "tests/numbering_case.h"
#include "tests/solvers/lattice_case.h"

static const double ALIKE[3] = {1.0, 1.0, 1.0};

static void assert_grid(const bf_matrix *A, bf_int n0, bf_int n1, bf_int n2)
{
  bf_int grid[3] = {-1, -1, -1};
  T_OK(bf_mg_lattice(A, grid));
  if (grid[0] != n0 || grid[1] != n1 || grid[2] != n2)
    fail_msg("%d x %d x %d instead of %d x %d x %d", (int)grid[0], (int)grid[1], (int)grid[2], (int)n0,
             (int)n1, (int)n2);
}

static void lattices_are_found(void **state)
{
  (void)state;
  static const bf_int sizes[][3] = {{4, 5, 7}, {7, 4, 1}, {5, 1, 1}, {3, 7, 3}, {9, 3, 4}, {2, 2, 2},
                                    {2, 5, 1}, {5, 2, 1}, {3, 2, 6}, {6, 2, 3}, {2, 6, 4}};
  for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
    for (int D = 1; D <= 3; D++)
      for (int half = 0; half < 2; half++) {
        t_lattice  L = t_lattice_random(sizes[k], D, half, ALIKE, NULL, k);
        bf_matrix *A = t_lattice_matrix(&L);
        bf_int     grid[3];
        T_OK(bf_mg_lattice(A, grid));
        assert_int_equal(grid[0] * grid[1] * grid[2], L.rows / D);
        if (sizes[k][0] > 2 && sizes[k][1] != 2 && sizes[k][2] != 2) /* others have several lattices */
          assert_grid(A, L.n[0], L.n[1], L.n[2]);
        for (bf_int r = 0; r < L.rows; r++) /* what was found explains every entry */
          for (bf_int c = 0; c < L.rows; c++)
            if (L.a[(size_t)r * (size_t)L.rows + (size_t)c] != 0.0)
              assert_true(t_lattice_joined(grid, r / D, c / D));
        bf_matrix_destroy(&A);
        t_lattice_free(&L);
      }
}

/* 5 and 7 points: no couplings across corners and edges */
static void stencils_without_corners_are_found(void **state)
{
  (void)state;
  static const bf_int sizes[][3] = {{6, 5, 1}, {5, 4, 6}, {11, 3, 3}};
  for (size_t k = 0; k < 3; k++)
    for (int half = 0; half < 2; half++) {
      const bf_int *n = sizes[k];
      t_lattice     L = t_lattice_random(n, 1, half, ALIKE, NULL, k);
      for (bf_int r = 0; r < L.rows; r++)
        for (bf_int c = 0; c < L.rows; c++) {
          bf_int x[3], y[3];
          t_lattice_place(n, r, x);
          t_lattice_place(n, c, y);
          if ((x[0] != y[0]) + (x[1] != y[1]) + (x[2] != y[2]) > 1)
            L.a[(size_t)r * (size_t)L.rows + (size_t)c] = 0.0;
        }
      bf_matrix *A = t_lattice_matrix(&L);
      assert_grid(A, n[0], n[1], n[2]);
      bf_matrix_destroy(&A);
      t_lattice_free(&L);
    }
}

static void an_entry_over_the_end_of_a_line_is_no_lattice(void **state)
{
  (void)state;
  static const bf_int n[3] = {6, 5, 4};
  for (int half = 0; half < 2; half++) {
    t_lattice    L = t_lattice_random(n, 2, half, ALIKE, NULL, 1);
    const size_t r = 2 * 29, c = 2 * 30 + 1,
                 rows = (size_t)L.rows; /* the last of a plane, the first of the next */
    L.a[r * rows + c] = L.a[c * rows + r] = 1e-3;
    bf_matrix *A                          = t_lattice_matrix(&L);
    assert_grid(A, 0, 0, 0);
    bf_matrix_destroy(&A);
    t_lattice_free(&L);
  }
}

static void other_formats_have_none(void **state)
{
  (void)state;
  static const bf_int    n[3]   = {6, 5, 4};
  static const bf_format form[] = {BF_FORMAT_CSR, BF_FORMAT_CSR16, BF_FORMAT_ELL};
  t_lattice              L      = t_lattice_random(n, 1, 0, ALIKE, NULL, 1);
  bf_matrix             *A      = t_lattice_matrix(&L);
  for (int k = 0; k < 3; k++) {
    bf_matrix *B = NULL;
    T_OK(bf_matrix_convert(A, &(bf_matrix_form){.format = form[k]}, &B));
    assert_grid(B, 0, 0, 0);
    bf_matrix_destroy(&B);
  }
  bf_matrix *B = NULL;
  T_OK(bf_matrix_convert(A, &(bf_matrix_form){.format = BF_FORMAT_DIA}, &B));
  assert_grid(B, 6, 5, 4);
  bf_matrix_destroy(&B);
  bf_matrix_destroy(&A);
  t_lattice_free(&L);
}

/* ---- meshes ---- */

/* The graph Laplacian of a mesh in the bands of its numbering */
static bf_matrix *mesh_matrix(const bf_mesh *m, int D, int half, int segments)
{
  bf_numbering *n = NULL;
  bf_graph     *g = NULL;
  bf_sparse    *S = NULL;
  bf_matrix    *A = NULL;
  T_OK(bf_numbering_create(m, BF_ORDER_AUTO, &n));
  assert_non_null(n->bands);
  T_OK(bf_numbering_pattern(m, n, &g));
  T_OK(bf_sparse_create(g->n * D, g->n * D, g->ptr[g->n] * D, &S));
  for (bf_int r = 0; r < g->n * D; r++) {
    const int64_t from = g->ptr[r / D], many = g->ptr[r / D + 1] - from;
    S->ptr[r + 1] = S->ptr[r] + many;
    for (int64_t k = 0; k < many; k++) {
      S->col[S->ptr[r] + k] = g->adj[from + k] * D + r % D;
      S->val[S->ptr[r] + k] = g->adj[from + k] == r / D ? (double)many : -1.0;
    }
  }
  bf_bands *cut = NULL;
  if (segments) { /* the same table twice */
    const bf_int at = n->nrows / 256 * 128;
    assert_int_equal(n->bands->nseg, 1);
    T_OK(bf_bands_create(n->nrows, 2, 2 * n->bands->ptr[1], &cut));
    cut->row[1] = at;
    cut->row[2] = n->nrows;
    for (int64_t k = 0; k < 2 * n->bands->ptr[1]; k++) cut->off[k] = n->bands->off[k % n->bands->ptr[1]];
    cut->ptr[1] = n->bands->ptr[1];
    cut->ptr[2] = 2 * n->bands->ptr[1];
  }
  T_OK(bf_matrix_create_bdia(t_be, cut ? cut : n->bands, D, half, BF_FP64, S->nnz, &A));
  T_OK(bf_bdia_put(t_be, A->bdia, S));
  bf_bands_destroy(&cut);
  bf_sparse_destroy(&S);
  bf_graph_destroy(&g);
  bf_numbering_destroy(&n);
  return A;
}

static int compare_sizes(const void *a, const void *b)
{
  return *(const bf_int *)a - *(const bf_int *)b;
}

/* The sizes of the lattice, in any order of the directions */
static void assert_lattice(const bf_matrix *A, bf_int n0, bf_int n1, bf_int n2)
{
  bf_int grid[3], want[3] = {n0, n1, n2};
  T_OK(bf_mg_lattice(A, grid));
  qsort(grid, 3, sizeof *grid, compare_sizes);
  qsort(want, 3, sizeof *want, compare_sizes);
  for (int a = 0; a < 3; a++) assert_int_equal(grid[a], want[a]);
}

static void curved_shuffled_meshes_of_one_block_are_lattices(void **state)
{
  (void)state;
  for (int D = 1; D <= 3; D++)
    for (int half = 0; half < 2; half++) {
      T_ONE_OF(2);
      bf_mesh *m = t_box(BF_HEX8, 7, 5, 9);
      t_map(m, t_curve_3d);
      t_shuffle(m, 3);
      bf_matrix *A = mesh_matrix(m, D, half, 0);
      assert_lattice(A, 8, 6, 10);
      bf_matrix_destroy(&A);
      bf_mesh_destroy(&m);
      m = t_box(BF_QUAD4, 17, 12, 1);
      t_map(m, t_quarter_ring);
      t_shuffle(m, 4);
      A = mesh_matrix(m, D, half, 0);
      assert_lattice(A, 18, 13, 1);
      bf_matrix_destroy(&A);
      bf_mesh_destroy(&m);
    }
}

static void simplices_in_a_grid_are_lattices(void **state)
{
  (void)state;
  bf_mesh   *m = t_box(BF_TET4, 6, 4, 5);
  bf_matrix *A = mesh_matrix(m, 1, 1, 0);
  assert_lattice(A, 7, 5, 6);
  bf_matrix_destroy(&A);
  bf_mesh_destroy(&m);
  m = t_box(BF_TRI3, 11, 8, 1);
  t_shuffle(m, 5);
  A = mesh_matrix(m, 2, 1, 0);
  assert_lattice(A, 12, 9, 1);
  bf_matrix_destroy(&A);
  bf_mesh_destroy(&m);
}

static void segments_do_not_matter(void **state)
{
  (void)state;
  for (int half = 0; half < 2; half++) {
    bf_mesh   *m = t_box(BF_HEX8, 7, 5, 9);
    bf_matrix *A = mesh_matrix(m, 2, half, 1), *B = mesh_matrix(m, 2, half, 0);
    assert_int_equal(A->bdia->nseg, 2);
    assert_lattice(A, 8, 6, 10);
    bf_mg_stage    s[2] = {t_lattice_stage(A, (bf_int[]){0, 0, 0}), t_lattice_stage(B, (bf_int[]){0, 0, 0})};
    bf_mg_stage    c[2];
    bf_mg_transfer T[2];
    double        *dense[2];
    const bf_mg_choice how = {.coarsest = 1};
    for (int k = 0; k < 2; k++) {
      int made;
      T_OK(bf_mg_lattice(s[k].A, s[k].grid));
      T_OK(bf_mg_planes(&s[k], &how, &made, &c[k], &T[k]));
      assert_true(made);
      dense[k] = calloc((size_t)c[k].n * (size_t)c[k].n, sizeof **dense);
      T_OK(bf_matrix_to_dense(c[k].A, dense[k]));
    }
    assert_int_equal(c[0].n, c[1].n);
    assert_memory_equal(dense[0], dense[1], (size_t)c[0].n * (size_t)c[0].n * sizeof **dense);
    for (int k = 0; k < 2; k++) {
      T[k].destroy(T[k].self);
      bf_mg_stage_release(&c[k]);
      bf_mg_stage_release(&s[k]);
      free(dense[k]);
    }
    bf_matrix_destroy(&A);
    bf_matrix_destroy(&B);
    bf_mesh_destroy(&m);
  }
}

static void meshes_without_a_lattice_have_none(void **state)
{
  (void)state;
  bf_mesh *m = t_box(BF_QUAD4, 16, 16, 1);
  t_keep(m, t_in_l_shape);
  bf_matrix *A = mesh_matrix(m, 1, 1, 0);
  assert_grid(A, 0, 0, 0);
  bf_matrix_destroy(&A);
  bf_mesh_destroy(&m);
  m = t_box(BF_HEX27, 3, 3, 3);
  A = mesh_matrix(m, 1, 0, 0);
  assert_grid(A, 0, 0, 0);
  bf_matrix_destroy(&A);
  bf_mesh_destroy(&m);
}

int main(int argc, char **argv)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(lattices_are_found),
      cmocka_unit_test(stencils_without_corners_are_found),
      cmocka_unit_test(an_entry_over_the_end_of_a_line_is_no_lattice),
      cmocka_unit_test(other_formats_have_none),
      cmocka_unit_test(curved_shuffled_meshes_of_one_block_are_lattices),
      cmocka_unit_test(simplices_in_a_grid_are_lattices),
      cmocka_unit_test(segments_do_not_matter),
      cmocka_unit_test(meshes_without_a_lattice_have_none),
  };
  const int code = t_backend_open(argc, argv);
  return code ? code : t_backend_close(T_RUN(tests));
}
