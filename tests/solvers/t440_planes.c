/* tests/solvers/t440_planes.c - coarsening of a lattice by planes: the interpolation, and P^T A P against
 * dense matrices */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "solvers/linear/multigrid/planes_choice.h"
#include "tests/no_memory.h"
#include "tests/solvers/lattice_case.h"

typedef struct t_coarse { /* one coarsening of a lattice */
  bf_matrix     *A;
  bf_mg_stage    fine, coarse;
  bf_mg_transfer T;
  bf_mg_line     line[3];
  int            made;
  double        *P, *R, *C; /* dense: by the transfer, by its transpose, the coarse matrix */
} t_coarse;

static t_coarse coarsen(const t_lattice *L)
{
  const bf_mg_choice how = {.coarsest = 1};
  t_coarse           t   = {.A = t_lattice_matrix(L)};
  bf_mg_way          way;
  t.fine = t_lattice_stage(t.A, L->n);
  T_OK(bf_mg_choose_planes(&t.fine, t.line, &way));
  if (way != BF_MG_PLANES) return t;
  T_OK(bf_mg_planes(&t.fine, &how, &t.made, &t.coarse, &t.T));
  assert_true(t.made);
  for (int a = 0; a < 3; a++) assert_int_equal(t.coarse.grid[a], t.line[a].nc);
  assert_int_equal(t.coarse.n, t.line[0].nc * t.line[1].nc * t.line[2].nc * L->D);
  t.P = t_transfer_dense(&t.T, L->rows, t.coarse.n, 0);
  t.R = t_transfer_dense(&t.T, L->rows, t.coarse.n, 1);
  t.C = calloc((size_t)t.coarse.n * (size_t)t.coarse.n, sizeof *t.C);
  assert_non_null(t.C);
  T_OK(bf_matrix_check(t.coarse.A));
  T_OK(bf_matrix_to_dense(t.coarse.A, t.C));
  return t;
}

static void coarse_free(t_coarse *t)
{
  if (t->T.destroy) t->T.destroy(t->T.self);
  for (int a = 0; a < 3; a++) bf_host_free(t->line[a].first);
  bf_mg_stage_release(&t->coarse);
  bf_mg_stage_release(&t->fine);
  bf_matrix_destroy(&t->A);
  free(t->P);
  free(t->R);
  free(t->C);
}

/* Weight of coarse plane c for the fine plane f, from the planes that are kept. */
static double weight(const bf_mg_line *line, bf_int f, bf_int c)
{
  const bf_int at = line->first[c];
  if (line->nc == 1 || f == at) return 1.0;
  if (f > at)
    return c + 1 < line->nc && f < line->first[c + 1]
               ? (double)(line->first[c + 1] - f) / (line->first[c + 1] - at)
               : 0.0;
  return c > 0 && f > line->first[c - 1] ? (double)(f - line->first[c - 1]) / (at - line->first[c - 1]) : 0.0;
}

/* Does the coarse unknown lie on fixed unknowns alone? */
static int lies_on_fixed(const t_lattice *L, const t_coarse *t, const bf_int c[3], int a)
{
  int free = 0;
  for (bf_int u = 0; u < L->rows / L->D; u++) {
    bf_int x[3];
    int    on = 1;
    t_lattice_place(L->n, u, x);
    for (int q = 0; q < 3; q++) on &= t->line[q].nc == 1 || x[q] == t->line[q].first[c[q]];
    free |= on && !L->fixed[u * L->D + a];
  }
  return !free;
}

static double *expected_P(const t_lattice *L, const t_coarse *t, uint8_t *fixed_c)
{
  const bf_int nc[3] = {t->line[0].nc, t->line[1].nc, t->line[2].nc}, n = t->coarse.n;
  double      *P = calloc((size_t)L->rows * (size_t)n, sizeof *P);
  assert_non_null(P);
  for (bf_int c = 0; c < n; c++) {
    bf_int x[3], y[3];
    t_lattice_place(nc, c / L->D, x);
    fixed_c[c] = (uint8_t)lies_on_fixed(L, t, x, c % L->D);
    for (bf_int r = 0; r < L->rows; r++) {
      t_lattice_place(L->n, r / L->D, y);
      if (r % L->D != c % L->D || L->fixed[r] || fixed_c[c]) continue;
      P[(size_t)r * (size_t)n + (size_t)c] =
          weight(&t->line[0], y[0], x[0]) * weight(&t->line[1], y[1], x[1]) * weight(&t->line[2], y[2], x[2]);
    }
  }
  return P;
}

/* P^T A P in long double, row by row of A P */
static long double *dense_product(const t_lattice *L, const double *P, size_t nc)
{
  const size_t n  = (size_t)L->rows;
  long double *AP = malloc(nc * sizeof *AP), *C = calloc(nc * nc, sizeof *C);
  assert_true(AP && C);
  for (size_t r = 0; r < n; r++) {
    memset(AP, 0, nc * sizeof *AP);
    for (size_t c = 0; c < n; c++)
      for (size_t j = 0; L->a[r * n + c] != 0.0 && j < nc; j++)
        AP[j] += (long double)L->a[r * n + c] * (long double)P[c * nc + j];
    for (size_t i = 0; i < nc; i++)
      for (size_t j = 0; P[r * nc + i] != 0.0 && j < nc; j++)
        C[i * nc + j] += (long double)P[r * nc + i] * AP[j];
  }
  free(AP);
  return C;
}

/* The coarse matrix is P^T A P with the identity in fixed rows. */
static void check_product(const t_lattice *L, const t_coarse *t, const double *P, const uint8_t *fixed_c)
{
  const size_t n = (size_t)L->rows, nc = (size_t)t->coarse.n;
  double       scale = 0.0, *diagonal = malloc(nc * sizeof *diagonal);
  uint8_t     *fixed = malloc(nc);
  long double *C     = dense_product(L, P, nc);
  assert_non_null(diagonal);
  assert_non_null(fixed);
  t_to_host(diagonal, t->coarse.diagonal, nc * sizeof *diagonal);
  t_to_host(fixed, t->coarse.fixed, nc);
  for (size_t k = 0; k < n * n; k++) scale = fmax(scale, fabs(L->a[k]));
  for (size_t i = 0; i < nc; i++)
    for (size_t j = 0; j < nc; j++) {
      const long double c = fixed_c[i] || fixed_c[j] ? (i == j ? 1.0L : 0.0L) : C[i * nc + j];
      T_NEAR(t->C[i * nc + j], (double)c, 1e-13 * scale); /* at most 125 terms with weights of sum 8 */
      if (L->half) assert_true(t->C[i * nc + j] == t->C[j * nc + i]);
      if (i == j) assert_true(diagonal[i] == t->C[i * nc + i]);
      if (i == j) assert_int_equal(fixed[i], fixed_c[i]);
    }
  free(diagonal);
  free(fixed);
  free(C);
}

static void check(const t_lattice *L)
{
  t_coarse t = coarsen(L);
  if (t.made) {
    const size_t size    = (size_t)L->rows * (size_t)t.coarse.n;
    uint8_t     *fixed_c = calloc((size_t)t.coarse.n, 1);
    double      *P       = expected_P(L, &t, fixed_c);
    for (size_t k = 0; k < size; k++) {
      assert_true(t.P[k] == t.R[k]);
      T_NEAR(t.P[k], P[k], 1e-15);
    }
    check_product(L, &t, P, fixed_c);
    free(P);
    free(fixed_c);
  }
  coarse_free(&t);
}

/* ---- claims ---- */

static const double ALIKE[3] = {1.0, 1.0, 1.0};

static const bf_int SIZES[][3] = {{4, 5, 7}, {7, 4, 1}, {5, 1, 1}, {2, 7, 3}, {9, 2, 2}, {3, 3, 5},
                                  {6, 5, 1}, {1, 5, 4}, {4, 4, 4}, {1, 1, 9}, {2, 3, 1}};

static void products_are_those_of_dense_matrices(void **state)
{
  (void)state;
  for (size_t k = 0; k < sizeof SIZES / sizeof *SIZES; k++)
    for (int D = 1; D <= 3; D++)
      for (int half = 0; half < 2; half++) {
        T_ONE_OF(3);
        t_lattice L = t_lattice_random(SIZES[k], D, half, ALIKE, NULL, k);
        check(&L);
        t_lattice_free(&L);
      }
}

/* To the last bit, since the sums have the same order. */
static void half_and_full_storage_give_the_same_matrix(void **state)
{
  (void)state;
  static const bf_int sizes[][3] = {{7, 8, 6}, {6, 7, 1}, {2, 5, 9}};
  for (int k = 0; k < 3; k++)
    for (int D = 1; D <= 3; D++) {
      t_lattice L = t_lattice_random(sizes[k], D, 1, ALIKE, NULL, 2);
      t_coarse  t = coarsen(&L);
      L.half      = 0;
      t_coarse u  = coarsen(&L);
      assert_int_equal(t.made, u.made);
      if (t.made) assert_memory_equal(t.C, u.C, (size_t)t.coarse.n * (size_t)t.coarse.n * sizeof *t.C);
      coarse_free(&t);
      coarse_free(&u);
      t_lattice_free(&L);
    }
}

/* Lines are cut into runs of 256 nodes, on the CPU into 96 coarse ones too. */
static void long_lines_are_cut_without_a_seam(void **state)
{
  (void)state;
  static const bf_int sizes[][3] = {{530, 3, 1}, {263, 2, 2}, {3, 263, 2}, {2, 3, 270}, {799, 1, 1}};
  for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
    for (int half = 0; half < 2; half++) {
      T_ONE_OF(3);
      t_lattice L = t_lattice_random(sizes[k], 1, half, ALIKE, NULL, k);
      check(&L);
      t_lattice_free(&L);
    }
  for (int D = 1; D <= 3; D++) {
    static const bf_int n[3] = {203, 6, 1};
    t_lattice           L    = t_lattice_random(n, D, D % 2, ALIKE, NULL, 4);
    check(&L);
    t_lattice_free(&L);
  }
}

/* Faces, single nodes and single components */
static void fixed_unknowns_have_no_part(void **state)
{
  (void)state;
  for (size_t k = 0; k < sizeof SIZES / sizeof *SIZES; k++)
    for (int D = 1; D <= 3; D++)
      for (int how = 0; how < 4; how++) {
        T_ONE_OF(5);
        const bf_int *n     = SIZES[k];
        const bf_int  rows  = n[0] * n[1] * n[2] * D;
        uint8_t      *fixed = calloc((size_t)rows, 1);
        uint64_t      seed  = 7 + k;
        for (bf_int r = 0; r < rows; r++) {
          bf_int x[3];
          t_lattice_place(n, r / D, x);
          if (how == 0) fixed[r] = x[0] == 0;
          if (how == 1) fixed[r] = x[1] == 0 && r % D == 0;
          if (how == 2) fixed[r] = t_uniform(&seed) < 0.2;
          if (how == 3) fixed[r] = (x[0] == 0 && r % D == D - 1) || x[1] == n[1] - 1;
        }
        t_lattice L = t_lattice_random(n, D, how % 2, ALIKE, fixed, k);
        check(&L);
        t_lattice_free(&L);
        free(fixed);
      }
}

static void weak_directions_keep_their_planes(void **state)
{
  (void)state;
  static const bf_int n[3] = {7, 6, 6}; /* elastic bodies of at most five planes are thin */
  for (int a = 0; a < 3; a++)
    for (int D = 1; D <= 3; D++) {
      T_ONE_OF(3);
      double along[3] = {1.0, 1.0, 1.0};
      along[a]        = 0.01;
      t_lattice L     = t_lattice_random(n, D, 1, along, NULL, 3);
      t_coarse  t     = coarsen(&L);
      assert_true(t.made);
      for (int q = 0; q < 3; q++) assert_int_equal(t.line[q].nc < n[q], q != a);
      coarse_free(&t);
      check(&L);
      t_lattice_free(&L);
    }
}

static void two_planes_of_a_scalar_become_one(void **state)
{
  (void)state;
  static const bf_int n[3] = {7, 2, 5};
  uint8_t             fixed[70];
  for (bf_int r = 0; r < 70; r++) fixed[r] = r % 14 == 0 || r >= 56; /* one of two points; both */
  t_lattice L = t_lattice_random(n, 1, 1, ALIKE, fixed, 5);
  t_coarse  t = coarsen(&L);
  assert_int_equal(t.line[1].nc, 1);
  coarse_free(&t);
  check(&L);
  t_lattice_free(&L);
}

/* P P' of two levels, in the unknowns of component 0 */
static double two_levels(const t_coarse *t, const double *P2, bf_int n2, const double *f, bf_int row)
{
  const size_t n1  = (size_t)t->coarse.n;
  double       sum = 0.0;
  for (size_t c = 0; c < n1; c++)
    for (size_t k = 0; k < (size_t)n2; k++) sum += t->P[(size_t)row * n1 + c] * P2[c * (size_t)n2 + k] * f[k];
  return sum;
}

/* Of the positions of planes, over two levels whose gaps differ; coordinates are those of stretched cells. */
static void linear_functions_are_reproduced(void **state)
{
  (void)state;
  static const bf_int n[3] = {14, 6, 8};
  const bf_mg_choice  how  = {.coarsest = 1};
  for (int placed = 0; placed < 2; placed++) {
    t_lattice      L    = t_lattice_random(n, 1, 1, ALIKE, NULL, 9);
    bf_matrix     *A    = t_lattice_matrix(&L);
    bf_mg_stage    fine = t_lattice_stage(A, n), coarse;
    bf_mg_transfer T;
    double        *x = malloc((size_t)L.rows * 3 * sizeof *x);
    int            made;
    for (bf_int u = 0; u < L.rows; u++) {
      bf_int p[3];
      t_lattice_place(n, u, p);
      for (int a = 0; a < 3; a++) x[3 * u + a] = placed ? 0.1 * p[a] * p[a] + p[a] : p[a];
    }
    if (placed) T_OK(bf_mg_place_planes(&fine, &(bf_multigrid_body){.x = x}));
    t_coarse t = {.A = A};
    T_OK(bf_mg_planes(&fine, &how, &made, &t.coarse, &t.T));
    assert_true(made);
    T_OK(bf_mg_planes(&t.coarse, &how, &made, &coarse, &T));
    assert_true(made && coarse.grid[0] == 4 && t.coarse.grid[0] == 7);
    t.P        = t_transfer_dense(&t.T, L.rows, t.coarse.n, 0);
    double *P2 = t_transfer_dense(&T, t.coarse.n, coarse.n, 0), *f = malloc((size_t)coarse.n * sizeof *f);
    double  unit[3]; /* of a position in coordinates */
    for (int a = 0; a < 3; a++)
      unit[a] = (placed ? 0.1 * (n[a] - 1) * (n[a] - 1) + n[a] - 1 : n[a] - 1) /
                coarse.plane[a][coarse.grid[a] - 1];
    for (bf_int c = 0; c < coarse.n; c++) {
      bf_int p[3];
      t_lattice_place(coarse.grid, c, p);
      f[c] = 1.0;
      for (int a = 0; a < 3; a++) f[c] += (a + 1) * unit[a] * coarse.plane[a][p[a]];
    }
    for (bf_int r = 0; r < L.rows; r++)
      T_NEAR(two_levels(&t, P2, coarse.n, f, r), 1.0 + x[3 * r] + 2.0 * x[3 * r + 1] + 3.0 * x[3 * r + 2],
             1e-11);
    free(P2);
    free(f);
    free(x);
    T.destroy(T.self);
    bf_mg_stage_release(&coarse);
    bf_mg_stage_release(&fine);
    coarse_free(&t);
    t_lattice_free(&L);
  }
}

static void coordinates_are_those_of_the_planes_that_stay(void **state)
{
  (void)state;
  static const bf_int n[3] = {5, 4, 6};
  t_lattice           L    = t_lattice_random(n, 1, 1, ALIKE, NULL, 9);
  const bf_mg_choice  how  = {.coarsest = 1};
  bf_matrix          *A    = t_lattice_matrix(&L);
  bf_mg_stage         fine = t_lattice_stage(A, n), coarse;
  bf_mg_transfer      T;
  int                 made;
  double              x[360], y[360];
  for (bf_int u = 0; u < 120; u++) {
    bf_int p[3];
    t_lattice_place(n, u, p);
    for (int a = 0; a < 3; a++) x[3 * u + a] = p[a] + 0.5 * a;
  }
  fine.x = t_to_backend(x, sizeof x);
  T_OK(bf_mg_planes(&fine, &how, &made, &coarse, &T));
  assert_true(made);
  t_to_host(y, coarse.x, (size_t)coarse.n * 3 * sizeof *y);
  for (bf_int c = 0; c < coarse.n; c++) {
    static const bf_int at[3][4] = {{0, 2, 4}, {0, 3}, {0, 2, 5}};
    bf_int              p[3];
    t_lattice_place(coarse.grid, c, p);
    for (int a = 0; a < 3; a++) assert_true(y[3 * c + a] == at[a][p[a]] + 0.5 * a);
  }
  T.destroy(T.self);
  bf_mg_stage_release(&coarse);
  bf_mg_stage_release(&fine);
  bf_matrix_destroy(&A);
  t_lattice_free(&L);
}

static void a_failed_allocation_leaves_nothing_behind(void **state)
{
  (void)state;
  static const bf_int sizes[][3] = {{6, 7, 6}, {3, 7, 6}}; /* by planes, by boxes */
  const bf_mg_choice  how        = {.coarsest = 1};
  for (int k = 0; k < 2; k++) {
    t_lattice   L    = t_lattice_random(sizes[k], 2, 1, ALIKE, NULL, 9);
    bf_matrix  *A    = t_lattice_matrix(&L);
    bf_mg_stage fine = t_lattice_stage(A, sizes[k]);
    T_OK(bf_mg_lambda(&fine, 8, &fine.lambda));
    T_OK(bf_mg_stage_modes(&fine));
    t_no_memory t = {0};
    while (t_no_memory_next(&t)) {
      bf_mg_stage    coarse;
      bf_mg_transfer T;
      int            made;
      t_no_memory_begin(&t);
      t_no_memory_end(&t, bf_mg_planes(&fine, &how, &made, &coarse, &T));
      assert_int_equal(made, t.last);
      assert_int_equal(T.self != NULL, t.last);
      if (T.destroy) T.destroy(T.self);
      bf_mg_stage_release(&coarse);
    }
    assert_true(t.failed > 5);
    bf_mg_stage_release(&fine);
    bf_matrix_destroy(&A);
    t_lattice_free(&L);
  }
}

int main(int argc, char **argv)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(products_are_those_of_dense_matrices),
      cmocka_unit_test(half_and_full_storage_give_the_same_matrix),
      cmocka_unit_test(long_lines_are_cut_without_a_seam),
      cmocka_unit_test(fixed_unknowns_have_no_part),
      cmocka_unit_test(weak_directions_keep_their_planes),
      cmocka_unit_test(two_planes_of_a_scalar_become_one),
      cmocka_unit_test(linear_functions_are_reproduced),
      cmocka_unit_test(coordinates_are_those_of_the_planes_that_stay),
      cmocka_unit_test(a_failed_allocation_leaves_nothing_behind),
  };
  const int code = t_backend_open(argc, argv);
  return code ? code : t_backend_close(T_RUN(tests));
}
