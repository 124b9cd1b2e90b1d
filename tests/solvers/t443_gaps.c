/* tests/solvers/t443_gaps.c - strengths of the gaps between planes, planes that stay, boxes and sections */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/multigrid/ops.h"
#include "kernels/multigrid/planes.h"
#include "solvers/linear/multigrid/planes_choice.h"
#include "tests/solvers/lattice_case.h"

static const double ALIKE[3] = {1.0, 1.0, 1.0};

/* ---- strengths ---- */

/* max(0, - sum of the entries of node u, same component, towards the plane behind (side 1) or before in a) */
static double coupling(const t_lattice *L, bf_int u, int a, int side)
{
  double sum = 0.0;
  bf_int x[3], y[3];
  t_lattice_place(L->n, u, x);
  for (bf_int v = 0; v < L->rows / L->D; v++) {
    t_lattice_place(L->n, v, y);
    if (y[a] - x[a] != (side ? 1 : -1)) continue;
    for (int c = 0; c < L->D; c++)
      sum -= L->a[(size_t)(u * L->D + c) * (size_t)L->rows + (size_t)(v * L->D + c)];
  }
  return fmax(sum, 0.0);
}

static int all_fixed(const t_lattice *L, bf_int u)
{
  int held = 1;
  for (int c = 0; c < L->D; c++) held &= L->fixed[u * L->D + c];
  return held;
}

static int compare_doubles(const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* The ratio of rank (edges - 1) / 5 of the gap; 1 without edges. */
static double strength(const t_lattice *L, const double *w, int a, bf_int gap)
{
  const bf_int nodes = L->rows / L->D, step = a == 0 ? 1 : a == 1 ? L->n[0] : L->n[0] * L->n[1];
  double      *ratio = malloc((size_t)nodes * sizeof *ratio), at = 1.0;
  int          edges = 0;
  assert_non_null(ratio);
  for (bf_int u = 0; u < nodes; u++) {
    bf_int x[3];
    t_lattice_place(L->n, u, x);
    if (x[a] != gap || all_fixed(L, u) || all_fixed(L, u + step)) continue;
    const double *wu = w + 6 * u, *wv = w + 6 * (u + step);
    double        bu = 0.0, bv = 0.0;
    for (int q = 0; q < 6; q++) bu = fmax(bu, wu[q]), bv = fmax(bv, wv[q]);
    const double across = fmax(wu[2 * a + 1], wv[2 * a]);
    if (across > 0.0) ratio[edges++] = fmin(1.0, across / fmin(bu, bv));
  }
  qsort(ratio, (size_t)edges, sizeof *ratio, compare_doubles);
  if (edges > 0) at = ratio[(edges - 1) / 5];
  free(ratio);
  return at;
}

static void strong_gaps_are_those_of_the_rule(void **state)
{
  (void)state;
  static const bf_int sizes[][3]  = {{7, 6, 8}, {12, 9, 1}, {3, 2, 30}, {40, 1, 1}};
  static const double along[][3]  = {{1.0, 0.1, 0.05}, {0.08, 1.0, 0.12}, {0.05, 0.2, 1.0}, {1.0, 1.0, 1.0}};
  int                 strong_ones = 0, weak_ones = 0;
  for (int k = 0; k < 16; k++)
    for (int D = 1; D <= 3; D++) {
      T_ONE_OF(5);
      const bf_int *n     = sizes[k % 4];
      const bf_int  nodes = n[0] * n[1] * n[2];
      uint8_t      *fixed = calloc((size_t)nodes * 3, 1);
      for (bf_int r = 0; r < nodes * D; r++) fixed[r] = r / D % n[0] == 0 && (k % 3 == 0 || r % D == 0);
      t_lattice   L = t_lattice_random(n, D, k % 2, along[k / 4], fixed, (uint64_t)k);
      bf_matrix  *A = t_lattice_matrix(&L);
      bf_mg_stage s = t_lattice_stage(A, n);
      double     *w = malloc((size_t)nodes * 6 * sizeof *w);
      uint8_t    *strong[3];
      for (bf_int u = 0; u < nodes; u++)
        for (int q = 0; q < 6; q++) w[6 * u + q] = coupling(&L, u, q / 2, q % 2);
      T_OK(bf_mg_gap_strengths(&s, strong));
      for (int a = 0; a < 3; a++)
        for (bf_int g = 0; g + 1 < n[a]; g++) {
          const double at = strength(&L, w, a, g);
          if (fabs(at - 0.25) < 1e-4) continue; /* either */
          assert_int_equal(strong[a][g], at > 0.25);
          strong_ones += at > 0.25;
          weak_ones += at < 0.25;
        }
      for (int a = 0; a < 3; a++) bf_host_free(strong[a]);
      bf_mg_stage_release(&s);
      bf_matrix_destroy(&A);
      t_lattice_free(&L);
      free(w);
      free(fixed);
    }
  assert_true(strong_ones > 10 && weak_ones > 10);
}

/* Cells half as high as wide: every ratio is 1/4 but for rounding. */
static void a_ratio_at_the_threshold_is_strong(void **state)
{
  (void)state;
  static const bf_int n[3]    = {9, 9, 1};
  const double        scale[] = {1.0, 1.0 - 1e-6, 1.0 + 1e-6};
  for (int k = 0; k < 3; k++) {
    t_lattice L = t_lattice_random(n, 1, 1, ALIKE, NULL, 0);
    for (bf_int r = 0; r < 81; r++)
      for (bf_int c = 0; c < 81; c++) {
        const bf_int d = abs(r - c), line = r / 9 == c / 9;
        L.a[81 * r + c] = r == c ? 4.0 : d == 1 && line ? -1.0 : d == 9 ? -0.25 * scale[k] : 0.0;
      }
    bf_matrix  *A = t_lattice_matrix(&L);
    bf_mg_stage s = t_lattice_stage(A, n);
    uint8_t    *strong[3];
    T_OK(bf_mg_gap_strengths(&s, strong));
    for (bf_int g = 0; g < 8; g++) assert_true(strong[0][g] && strong[1][g]);
    for (int a = 0; a < 3; a++) bf_host_free(strong[a]);
    bf_mg_stage_release(&s);
    bf_matrix_destroy(&A);
    t_lattice_free(&L);
  }
}

/* Counts of couplings that are no matrix's: lattices longer and wider than the blocks of a device */
static void counts_are_those_of_all_edges(void **state)
{
  (void)state;
  static const bf_int sizes[][3] = {{130, 5, 300}, {3, 290, 67}, {700, 70, 1}, {1, 1, 9000}, {257, 3, 2}};
  for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
    const bf_int *n     = sizes[k];
    const bf_int  nodes = n[0] * n[1] * n[2];
    uint64_t      seed  = 2 * k + 1;
    float        *w     = malloc((size_t)nodes * 7 * sizeof *w);
    for (bf_int i = 0; i < 7 * nodes; i++) w[i] = t_uniform(&seed) < 0.1 ? 0.0F : (float)t_uniform(&seed);
    for (bf_int i = 0; i < nodes; i++) w[6 * (size_t)nodes + (size_t)i] *= 3.0F;
    float *wb = t_to_backend(w, (size_t)nodes * 7 * sizeof *w);
    for (int a = 0; a < 3; a++) {
      const bf_int g0 = n[a] / 3, g1 = n[a] - 1, step = a == 0 ? 1 : a == 1 ? n[0] : n[0] * n[1];
      if (g0 >= g1) continue;
      const size_t many = (size_t)(g1 - g0) * BF_GAP_BINS;
      bf_int      *want = calloc(many, sizeof *want), *have = calloc(many, sizeof *have);
      bf_int      *count = t_to_backend(have, many * sizeof *have);
      T_OK(t_be->ops.mg_planes->gaps(t_be, n, wb, a, g0, g1, count));
      t_to_host(have, count, many * sizeof *have);
      for (bf_int u = 0; u < nodes; u++) {
        bf_int x[3];
        t_lattice_place(n, u, x);
        if (x[a] < g0 || x[a] >= g1) continue;
        const size_t i = (size_t)u, j = i + (size_t)step, N = (size_t)nodes;
        const float  across = fmaxf(w[(2 * (size_t)a + 1) * N + i], w[2 * (size_t)a * N + j]);
        const float  least  = fminf(w[6 * N + i], w[6 * N + j]);
        if (!(across > 0.0F && least > 0.0F)) continue;
        const double bin = floor(BF_GAP_BINS * (1.0 + 0x1p-16) * ((double)across / least));
        want[(size_t)(x[a] - g0) * BF_GAP_BINS + (size_t)fmin(bin, BF_GAP_BINS - 1)]++;
      }
      /* a ratio at an edge of bins may round to either: the factors are multiplied in another order */
      int64_t apart = 0;
      for (size_t q = 0; q < many; q++) apart += abs(want[q] - have[q]);
      assert_true(apart <= 4);
      t_be->ops.release(t_be, count);
      free(want);
      free(have);
    }
    t_be->ops.release(t_be, wb);
    free(w);
  }
}

/* ---- planes that stay ---- */

/* The planes of a line whose gaps are strong (1) or weak (0), as text "0 2 4" */
static void expect_planes(const char *gaps, int D, const char *planes)
{
  const bf_int n[3]      = {(bf_int)strlen(gaps) + 1, 7, 1};
  t_lattice    L         = t_lattice_random(n, D, 1, ALIKE, NULL, 0);
  const bf_int rows      = L.rows;
  char         text[200] = "";
  for (bf_int r = 0; r < rows; r++)
    for (bf_int c = 0; c < rows; c++) {
      bf_int x[3], y[3];
      t_lattice_place(n, r / D, x);
      t_lattice_place(n, c / D, y);
      const int along = abs(x[0] - y[0]) == 1 && x[1] == y[1], across = x[0] == y[0] && abs(x[1] - y[1]) == 1;
      const int weak                            = along && gaps[x[0] < y[0] ? x[0] : y[0]] == '0';
      L.a[(size_t)r * (size_t)rows + (size_t)c] = r == c                                 ? 5.0
                                                  : r % D != c % D || !(along || across) ? 0.0
                                                  : weak                                 ? -0.1
                                                                                         : -1.0;
    }
  bf_matrix  *A = t_lattice_matrix(&L);
  bf_mg_stage s = t_lattice_stage(A, n);
  bf_mg_line  line[3];
  bf_mg_way   way;
  T_OK(bf_mg_choose_planes(&s, line, &way));
  assert_int_equal(way, BF_MG_PLANES);
  for (bf_int c = 0; c < line[0].nc; c++)
    snprintf(text + strlen(text), sizeof text - strlen(text), "%s%d", c ? " " : "", (int)line[0].first[c]);
  assert_string_equal(text, planes);
  for (int a = 0; a < 3; a++) bf_host_free(line[a].first);
  bf_mg_stage_release(&s);
  bf_matrix_destroy(&A);
  t_lattice_free(&L);
}

static void two_strong_gaps_become_one(void **state)
{
  (void)state;
  expect_planes("111111", 1, "0 2 4 6");
  expect_planes("11111", 1, "0 2 5"); /* the last three together */
  expect_planes("111", 1, "0 3");
  expect_planes("11", 1, "0 2");
  expect_planes("011011", 1, "0 1 3 4 6");
  expect_planes("000000", 1, "0 1 2 3 4 5 6");
  expect_planes("111110", 1, "0 2 4 5 6");
  expect_planes("110111", 1, "0 2 3 6");
  expect_planes("1", 1, "0"); /* two planes of a scalar */
  expect_planes("0", 1, "0 1");
  expect_planes("111111", 2, "0 2 4 6");
}

static void couplings_that_are_weak_everywhere_coarsen_all(void **state)
{
  (void)state;
  static const bf_int n[3] = {6, 1, 1};
  t_lattice           L    = t_lattice_random(n, 1, 1, ALIKE, NULL, 0);
  bf_matrix          *A    = t_lattice_matrix(&L);
  bf_mg_stage         s    = t_lattice_stage(A, n);
  bf_mg_line          line[3];
  bf_mg_way           way;
  T_OK(bf_mg_choose_planes(&s, line, &way));
  assert_int_equal(way, BF_MG_PLANES);
  assert_int_equal(line[0].nc, 3);
  for (int a = 0; a < 3; a++) bf_host_free(line[a].first);
  bf_mg_stage_release(&s);
  bf_matrix_destroy(&A);
  t_lattice_free(&L);
}

/* ---- thin bodies ---- */

static bf_mg_way way_of(const bf_int n[3], int D, const double along[3], int placed)
{
  t_lattice   L = t_lattice_random(n, D, 1, along, NULL, 0);
  bf_matrix  *A = t_lattice_matrix(&L);
  bf_mg_stage s = t_lattice_stage(A, n);
  bf_mg_line  line[3];
  bf_mg_way   way;
  double      none[3] = {0.0};
  if (placed) s.x = t_to_backend(none, sizeof none);
  T_OK(bf_mg_choose_planes(&s, line, &way));
  for (int a = 0; a < 3; a++) bf_host_free(line[a].first);
  bf_mg_stage_release(&s);
  bf_matrix_destroy(&A);
  t_lattice_free(&L);
  return way;
}

static void thin_elastic_bodies_have_boxes_or_sections(void **state)
{
  (void)state;
  static const double weak[3] = {1.0, 1.0, 0.01};
  assert_int_equal(way_of((bf_int[]){4, 5, 7}, 3, ALIKE, 1), BF_MG_PLANES);
  assert_int_equal(way_of((bf_int[]){3, 6, 7}, 3, ALIKE, 1), BF_MG_BOXES);
  assert_int_equal(way_of((bf_int[]){3, 5, 7}, 3, ALIKE, 1), BF_MG_SECTIONS);
  assert_int_equal(way_of((bf_int[]){2, 6, 7}, 3, ALIKE, 1), BF_MG_SECTIONS);
  assert_int_equal(way_of((bf_int[]){3, 9, 1}, 2, ALIKE, 1), BF_MG_SECTIONS);
  assert_int_equal(way_of((bf_int[]){3, 5, 7}, 1, ALIKE, 1), BF_MG_PLANES);
  assert_int_equal(way_of((bf_int[]){5, 6, 7}, 3, weak, 1), BF_MG_SECTIONS);
  assert_int_equal(way_of((bf_int[]){6, 6, 7}, 3, weak, 1), BF_MG_PLANES);
  assert_int_equal(way_of((bf_int[]){7, 9, 1}, 2, ALIKE, 1), BF_MG_PLANES);
  assert_int_equal(way_of((bf_int[]){1, 1, 1}, 1, ALIKE, 1), BF_MG_NO_WAY);
  assert_int_equal(way_of((bf_int[]){3, 5, 7}, 3, ALIKE, 0), BF_MG_BOXES); /* no rotations */
  assert_int_equal(way_of((bf_int[]){5, 6, 7}, 3, weak, 0), BF_MG_PLANES);
}

/* The lattice of the boxes, their transfer and P^T A P, D = 2 without coordinates: constants per component */
static void boxes_are_a_lattice_again(void **state)
{
  (void)state;
  static const bf_int n[3] = {3, 11, 7};
  t_lattice           L    = t_lattice_random(n, 2, 1, ALIKE, NULL, 0);
  bf_matrix          *A    = t_lattice_matrix(&L);
  bf_mg_stage         s    = t_lattice_stage(A, n), coarse;
  bf_mg_transfer      T;
  int                 made;
  const bf_mg_choice  how = {.coarsest = 1};
  T_OK(bf_mg_lambda(&s, 8, &s.lambda));
  T_OK(bf_mg_planes(&s, &how, &made, &coarse, &T));
  assert_true(made);
  assert_string_equal(T.name, "boxes");
  assert_true(coarse.grid[0] == 1 && coarse.grid[1] == 4 && coarse.grid[2] == 3 && coarse.n == 24);
  double *P = t_transfer_dense(&T, L.rows, coarse.n, 0);
  for (bf_int r = 0; r < L.rows; r++)
    for (bf_int c = 0; c < coarse.n; c++) { /* smoothed: nodes of the box and their neighbours */
      bf_int x[3], y[3];
      t_lattice_place(n, r / 2, x);
      t_lattice_place(coarse.grid, c / 2, y);
      const bf_int from = y[1] ? 3 * y[1] : 0, to = y[1] < 3 ? 3 * y[1] + 2 : 10; /* boxes of 3 3 3 2 */
      const int    near = x[1] >= from - 1 && x[1] <= to + 1;
      if (!near) assert_true(P[(size_t)r * (size_t)coarse.n + (size_t)c] == 0.0);
    }
  free(P);
  T.destroy(T.self);
  bf_mg_stage_release(&coarse);
  bf_mg_stage_release(&s);
  bf_matrix_destroy(&A);
  t_lattice_free(&L);
}

int main(int argc, char **argv)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(strong_gaps_are_those_of_the_rule),
      cmocka_unit_test(a_ratio_at_the_threshold_is_strong),
      cmocka_unit_test(counts_are_those_of_all_edges),
      cmocka_unit_test(two_strong_gaps_become_one),
      cmocka_unit_test(couplings_that_are_weak_everywhere_coarsen_all),
      cmocka_unit_test(thin_elastic_bodies_have_boxes_or_sections),
      cmocka_unit_test(boxes_are_a_lattice_again),
  };
  const int code = t_backend_open(argc, argv);
  return code ? code : t_backend_close(T_RUN(tests));
}
