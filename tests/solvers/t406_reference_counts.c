/* tests/solvers/t406_reference_counts.c - iterations of CG with Jacobi and with block-Jacobi on problems of
 * exactly known input, beside those of an independent code
 *
 * p2: Poisson on N^2 squares, each cut into two triangles, nodes moved, the whole boundary held; p3: N^3 unit
 * cubes, the whole boundary held; p3j: held at x = 0, conductivities 1, 1e4 in inclusions, 1e6 in fibres; e2:
 * plane strain, E = 1, nu = 0.3, 2N x N unit squares, held at x = 0; e3: 2N x N x N unit cubes; e3j: E = 1e4
 * in inclusions and fibres.  Two Gauss points a direction; free nodes lexicographic, the first index slowest;
 * the right-hand side is a hash of the indices, so it excites every mode and depends on no library.  Stop at
 * ||r|| <= 1e-8 ||b||. The counts of blocks are medians over many partitions of METIS 5.1, so they are met up
 * to 5 %, or 3. usage: t406_reference_counts <backend> */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/precond/block_jacobi.h"
#include "tests/solvers/solver_case.h"

typedef struct problem {
  int        D; /* components */
  bf_sparse *S;
  bf_graph  *nodes;
  double    *b;
} problem;

/* ---- the right-hand side ---- */

static uint64_t mix64(uint64_t z)
{
  z += 0x9E3779B97F4A7C15U;
  z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9U;
  z = (z ^ z >> 27) * 0x94D049BB133111EBU;
  return z ^ z >> 31;
}

static double uniform(int i, int j, int k, int c)
{
  const uint64_t key = (uint64_t)i + ((uint64_t)j << 20) + ((uint64_t)k << 40) + ((uint64_t)c << 60);
  return (double)(mix64(key) >> 11) * 0x1p-53;
}

static double load(int i, int j, int k, int c)
{
  return 2.0 * uniform(i, j, k, c) - 1.0;
}

static void the_hash_is_the_known_one(void **state)
{
  (void)state;
  static const double p3[] = {0.41080510203389520, 0.81512608248761342, 0.58783309674724604,
                              0.50585885953848053};
  static const double e3[] = {0.13312315034456179, -0.74777205441946792, -0.084291580104903341};
  assert_true(mix64(0) == 0xE220A8397B1DCDAFU);
  for (int k = 0; k < 4; k++) T_NEAR(load(1, 1, k + 1, 0), p3[k], 0.0);
  for (int c = 0; c < 3; c++) T_NEAR(load(1, 0, 0, c), e3[c], 0.0);
  T_NEAR(load(1, 0, 1, 0), -0.14535493106674280, 0.0);
}

/* ---- elements of unit length ---- */

static const double point[2] = {0.21132486540518712, 0.78867513459481288};

/* grad N_a at Gauss point q of the unit cube; corner a and point q at their bits, x the lowest. */
static void gradients(int q, double g[8][3])
{
  for (int a = 0; a < 8; a++)
    for (int d = 0; d < 3; d++) {
      g[a][d] = a >> d & 1 ? 1.0 : -1.0;
      for (int e = 0; e < 3; e++)
        if (e != d) g[a][d] *= a >> e & 1 ? point[q >> e & 1] : 1.0 - point[q >> e & 1];
    }
}

/* K[8][8]: integral of grad N_a . grad N_b over the unit cube. */
static void cube(double *K)
{
  for (int q = 0; q < 8; q++) {
    double g[8][3];
    gradients(q, g);
    for (int a = 0; a < 8; a++)
      for (int b = 0; b < 8; b++)
        K[8 * a + b] += (g[a][0] * g[b][0] + g[a][1] * g[b][1] + g[a][2] * g[b][2]) / 8.0;
  }
}

/* K[8][8]: plane strain on the unit square, dof = corner * 2 + component. */
static void square(double *K)
{
  const double nu = 0.3, c = 1.0 / ((1.0 + nu) * (1.0 - 2.0 * nu));
  const double normal = c * (1.0 - nu), cross = c * nu, shear = c * (1.0 - 2.0 * nu) / 2.0;
  for (int q = 0; q < 4; q++) {
    double g[4][2];
    for (int a = 0; a < 4; a++)
      for (int d = 0; d < 2; d++)
        g[a][d] = (a >> d & 1 ? 1.0 : -1.0) *
                  (a >> (1 - d) & 1 ? point[q >> (1 - d) & 1] : 1.0 - point[q >> (1 - d) & 1]);
    for (int a = 0; a < 4; a++)
      for (int b = 0; b < 4; b++)
        for (int i = 0; i < 2; i++)
          for (int j = 0; j < 2; j++)
            K[8 * (2 * a + i) + 2 * b + j] +=
                0.25 * (i == j ? normal * g[a][i] * g[b][i] + shear * g[a][1 - i] * g[b][1 - i]
                               : cross * g[a][i] * g[b][j] + shear * g[a][j] * g[b][i]);
  }
}

/* K[24][24]: elasticity on the unit cube, dof = corner * 3 + component. */
static void brick(double *K)
{
  const double nu = 0.3, lambda = nu / ((1.0 + nu) * (1.0 - 2.0 * nu)), mu = 0.5 / (1.0 + nu);
  for (int q = 0; q < 8; q++) {
    double g[8][3];
    gradients(q, g);
    for (int a = 0; a < 8; a++)
      for (int b = 0; b < 8; b++) {
        const double dot = g[a][0] * g[b][0] + g[a][1] * g[b][1] + g[a][2] * g[b][2];
        for (int i = 0; i < 3; i++)
          for (int j = 0; j < 3; j++)
            K[24 * (3 * a + i) + 3 * b + j] +=
                0.125 * (lambda * g[a][i] * g[b][j] + mu * g[a][j] * g[b][i] + (i == j ? mu * dot : 0.0));
      }
  }
}

/* ---- materials: a factor of a cell ---- */

typedef double (*factor)(int i, int j, int k);

static int in_fibre(int i, int j, int k)
{
  return (j % 7 < 2 && k % 7 < 2) || (i % 11 == 0 && j % 9 == 0);
}
static int in_inclusion(int i, int j, int k)
{
  return i % 5 >= 3 && j % 5 >= 3 && k % 5 >= 3;
}
static double equal(int i, int j, int k)
{
  (void)i, (void)j, (void)k;
  return 1.0;
}
static double conductivity(int i, int j, int k)
{
  return in_inclusion(i, j, k) ? 1e4 : in_fibre(i, j, k) ? 1e6 : 1.0;
}
static double modulus(int i, int j, int k)
{
  return in_inclusion(i, j, k) || in_fibre(i, j, k) ? 1e4 : 1.0;
}

/* ---- systems ---- */

/* Number of a node among the free ones, or -1. */
typedef bf_int (*numbered)(int N, int i, int j, int k);

static bf_int in_p3(int N, int i, int j, int k)
{
  const int n = N - 1;
  return i < 1 || j < 1 || k < 1 || i > n || j > n || k > n ? -1 : ((i - 1) * n + j - 1) * n + k - 1;
}
static bf_int in_e2(int N, int i, int j, int k)
{
  return i < 1 || k > 0 ? -1 : (i - 1) * (N + 1) + j;
}
static bf_int behind_a_side(int N, int i, int j, int k) /* p3j, e3: held at x = 0 */
{
  return i < 1 ? -1 : ((i - 1) * (N + 1) + j) * (N + 1) + k;
}
static bf_int in_p2(int N, int i, int j)
{
  const int n = N - 1;
  return i < 1 || j < 1 || i > n || j > n ? -1 : (i - 1) * n + j - 1;
}

/* Sum of K over ni x nj x nk cells of `corners` corners; the graph of nodes that share a cell. */
static problem assembled(int N, int ni, int nj, int nk, int corners, int D, const double *K, numbered number,
                         factor f)
{
  problem       p     = {.D = D};
  const int     nd    = corners * D;
  const int64_t cells = (int64_t)ni * nj * nk;
  bf_int       *row   = malloc((size_t)(cells * nd * nd) * sizeof *row),
         *col         = malloc((size_t)(cells * nd * nd) * sizeof *col);
  bf_int  *item = malloc((size_t)(cells * corners) * sizeof *item), n = 0;
  double  *val = malloc((size_t)(cells * nd * nd) * sizeof *val);
  int64_t *ptr = malloc((size_t)(cells + 1) * sizeof *ptr), count = 0, e = 0;
  ptr[0] = 0;
  for (int i = 0; i < ni; i++)
    for (int j = 0; j < nj; j++)
      for (int k = 0; k < nk; k++, e++) {
        bf_int *at = item + e * corners;
        for (int a = 0; a < corners; a++) {
          at[a] = number(N, i + (a & 1), j + (a >> 1 & 1), k + (a >> 2 & 1));
          n     = at[a] >= n ? at[a] + 1 : n;
        }
        ptr[e + 1] = (e + 1) * corners;
        for (int a = 0; a < nd; a++)
          for (int b = 0; b < nd; b++) {
            if (at[a / D] < 0 || at[b / D] < 0) continue;
            row[count]   = at[a / D] * D + a % D;
            col[count]   = at[b / D] * D + b % D;
            val[count++] = K[a * nd + b] * f(i, j, k);
          }
      }
  T_OK(bf_sparse_from_triplets(n * D, n * D, count, row, col, val, &p.S));
  T_OK(bf_graph_from_items(n, (bf_int)cells, ptr, item, 0, &p.nodes));
  p.b = calloc((size_t)(n * D), sizeof *p.b);
  for (int i = 0; i <= ni; i++)
    for (int j = 0; j <= nj; j++)
      for (int k = 0; k <= nk; k++)
        for (int c = 0; c < D && number(N, i, j, k) >= 0; c++)
          p.b[number(N, i, j, k) * D + c] = load(i, j, k, c);
  free(row), free(col), free(val), free(item), free(ptr);
  return p;
}

static void clear(problem *p)
{
  bf_sparse_destroy(&p->S);
  bf_graph_destroy(&p->nodes);
  free(p->b);
}

static problem poisson(int N)
{
  double K[64] = {0.0};
  cube(K);
  return assembled(N, N, N, N, 8, 1, K, in_p3, equal);
}

static problem plane_strain(int N)
{
  double K[64] = {0.0};
  square(K);
  return assembled(N, 2 * N, N, 1, 4, 2, K, in_e2, equal);
}

/* The triangle of three corners of a cell: 2 x its gradients' products, over 4 areas. */
static void triangle(int N, const int corner[3][2], double *x, bf_int *row, bf_int *col, double *val,
                     int64_t *count)
{
  bf_int at[3];
  for (int a = 0; a < 3; a++) {
    const int i = corner[a][0], j = corner[a][1];
    at[a]        = in_p2(N, i, j);
    x[2 * a]     = i + (at[a] >= 0 ? uniform(i, j, 0, 3) / 2.0 - 0.25 : 0.0);
    x[2 * a + 1] = j + (at[a] >= 0 ? uniform(i, j, 0, 4) / 2.0 - 0.25 : 0.0);
  }
  const double twice = fabs((x[2] - x[0]) * (x[5] - x[1]) - (x[4] - x[0]) * (x[3] - x[1]));
  for (int a = 0; a < 3; a++)
    for (int b = 0; b < 3; b++) {
      const int a1 = (a + 1) % 3, a2 = (a + 2) % 3, b1 = (b + 1) % 3, b2 = (b + 2) % 3;
      if (at[a] < 0 || at[b] < 0) continue;
      row[*count]     = at[a];
      col[*count]     = at[b];
      val[(*count)++] = ((x[2 * a1 + 1] - x[2 * a2 + 1]) * (x[2 * b1 + 1] - x[2 * b2 + 1]) +
                         (x[2 * a1] - x[2 * a2]) * (x[2 * b1] - x[2 * b2])) /
                        (2.0 * twice);
    }
}

static problem triangles(int N)
{
  problem      p   = {.D = 1};
  const bf_int n   = (N - 1) * (N - 1);
  const size_t all = (size_t)N * (size_t)N * 18;
  bf_int      *row = malloc(all * sizeof *row), *col = malloc(all * sizeof *col);
  double      *val   = malloc(all * sizeof *val), x[6];
  int64_t      count = 0;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      const int rising    = uniform(i, j, 0, 5) < 0.5;
      const int one[3][2] = {{i, j}, {i + 1, j}, {i + rising, j + 1}},
                two[3][2] = {{i + 1, j + 1}, {i, j + 1}, {i + 1 - rising, j}};
      triangle(N, one, x, row, col, val, &count);
      triangle(N, two, x, row, col, val, &count);
    }
  T_OK(bf_sparse_from_triplets(n, n, count, row, col, val, &p.S));
  p.b = calloc((size_t)n, sizeof *p.b);
  for (int i = 1; i < N; i++)
    for (int j = 1; j < N; j++) p.b[in_p2(N, i, j)] = load(i, j, 0, 0);
  free(row), free(col), free(val);
  return p;
}

/* Iterations of CG; m = 0: Jacobi, else blocks of about m unknowns. */
static int iterations(const problem *p, const bf_matrix *A, bf_int m, bf_prec values)
{
  bf_solve_options opt   = t_options(BF_METHOD_CG, m ? BF_PRECOND_BLOCK_JACOBI : BF_PRECOND_JACOBI, 1e-8);
  bf_partition    *parts = NULL;
  t_solution       s     = {.x = NULL};
  const bf_int     n     = A->nrows;
  if (m) T_OK(bf_partition_create(p->nodes, (n + m - 1) / m, BF_BLOCK_MOST / p->D, &parts));
  opt.parts        = parts;
  opt.block_values = values;
  T_OK(t_solve(A, NULL, p->b, NULL, &opt, &s));
  assert_int_equal(s.rep.reason, BF_KRYLOV_CONVERGED);
  if (m) {
    assert_int_equal(s.rep.blocks.count, (n + m - 1) / m);
    assert_int_equal(s.rep.blocks.singular, 0);
    T_LE(s.rep.blocks.largest, m + 3);
  }
  const int count = s.rep.iterations;
  t_solution_clear(&s);
  bf_partition_destroy(&parts);
  return count;
}

static void near_count(const char *what, int got, int want)
{
  const double most = fmax(3.0, 0.05 * want);
  print_message("%s: %d iterations, %d expected\n", what, got, want);
  if (fabs((double)got - want) > most)
    fail_msg("%s: %d iterations, %d +- %.0f expected", what, got, want, most);
}

static bf_matrix *stored(const problem *p)
{
  bf_matrix *A = NULL;
  T_OK(bf_matrix_from_sparse(t_be, p->S,
                             &(bf_matrix_form){.format = BF_FORMAT_BDIA, .half = 1, .ncomp = p->D}, &A));
  return A;
}

static void poisson_in_a_cube(void **state)
{
  (void)state;
  T_LONG;
  problem    p = poisson(40);
  bf_matrix *A = stored(&p);
  assert_int_equal(A->nrows, 59319);
  near_count("Jacobi", iterations(&p, A, 0, BF_FP64), 84);
  near_count("blocks of 64", iterations(&p, A, 64, BF_FP64), 64);
  near_count("blocks of 64 in fp32", iterations(&p, A, 64, BF_FP32), 64);
  near_count("blocks of 128", iterations(&p, A, 128, BF_FP64), 59);
  bf_matrix_destroy(&A);
  clear(&p);
}

static void plane_strain_in_a_bar(void **state)
{
  (void)state;
  T_LONG;
  problem    p = plane_strain(80);
  bf_matrix *A = stored(&p);
  assert_int_equal(A->nrows, 25920);
  near_count("Jacobi", iterations(&p, A, 0, BF_FP64), 1132);
  near_count("blocks of 64", iterations(&p, A, 64, BF_FP64), 636);
  near_count("blocks of 64 in fp32", iterations(&p, A, 64, BF_FP32), 636);
  near_count("blocks of 128", iterations(&p, A, 128, BF_FP64), 418);
  bf_matrix_destroy(&A);
  clear(&p);
}

static void jacobi(const char *what, problem p, bf_int rows, int want)
{
  bf_matrix *A = stored(&p);
  assert_int_equal(A->nrows, rows);
  near_count(what, iterations(&p, A, 0, BF_FP64), want);
  bf_matrix_destroy(&A);
  clear(&p);
}

static void jacobi_of_triangles_and_of_a_smaller_cube(void **state)
{
  (void)state;
  problem p = triangles(128);
  T_NEAR(1.0 + uniform(1, 1, 0, 3) / 2.0 - 0.25, 1.1625904621700989, 0.0); /* its first node */
  T_NEAR(1.0 + uniform(1, 1, 0, 4) / 2.0 - 0.25, 1.2350223338858934, 0.0);
  T_NEAR(p.b[0], 0.92414772126902611, 0.0);
  jacobi("p3 24", poisson(24), 12167, 50);
  if (t_quick()) {
    clear(&p);
    return;
  }
  jacobi("p2 128", p, 16129, 449);
  jacobi("p2 256", triangles(256), 65025, 905);
}

static void jacobi_of_fibres_and_inclusions(void **state)
{
  (void)state;
  T_LONG;
  double K[64] = {0.0};
  cube(K);
  jacobi("p3j 24", assembled(24, 24, 24, 24, 8, 1, K, behind_a_side, conductivity), 15000, 832);
}

static void jacobi_of_elastic_bars(void **state)
{
  (void)state;
  T_LONG;
  double K[576] = {0.0};
  brick(K);
  jacobi("e3 10", assembled(10, 20, 10, 10, 8, 3, K, behind_a_side, equal), 7260, 201);
  jacobi("e3 16", assembled(16, 32, 16, 16, 8, 3, K, behind_a_side, equal), 27744, 321);
  jacobi("e3j 10", assembled(10, 20, 10, 10, 8, 3, K, behind_a_side, modulus), 7260, 2206);
}

/* 1e-3 of the first residual after 3000 iterations. */
static void jacobi_of_a_larger_bar_with_fibres_takes_more_than_3000(void **state)
{
  (void)state;
  T_LONG;
  double K[576] = {0.0};
  brick(K);
  problem          p   = assembled(16, 32, 16, 16, 8, 3, K, behind_a_side, modulus);
  bf_matrix       *A   = stored(&p);
  bf_solve_options opt = t_options(BF_METHOD_CG, BF_PRECOND_JACOBI, 1e-8);
  t_solution       s   = {.x = NULL};
  T_OK(t_solve(A, NULL, p.b, NULL, &opt, &s));
  assert_true(s.rep.reason != BF_KRYLOV_CONVERGED);
  print_message("e3j 16: %.2g after %d iterations\n", s.rep.true_residual, s.rep.iterations);
  assert_true(s.rep.true_residual > 1e-4 && s.rep.true_residual < 1e-2);
  t_solution_clear(&s);
  bf_matrix_destroy(&A);
  clear(&p);
}

int main(int argc, char **argv)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_hash_is_the_known_one),
      cmocka_unit_test(poisson_in_a_cube),
      cmocka_unit_test(plane_strain_in_a_bar),
      cmocka_unit_test(jacobi_of_triangles_and_of_a_smaller_cube),
      cmocka_unit_test(jacobi_of_fibres_and_inclusions),
      cmocka_unit_test(jacobi_of_elastic_bars),
      cmocka_unit_test(jacobi_of_a_larger_bar_with_fibres_takes_more_than_3000),
  };
  const int code = t_backend_open(argc, argv);
  return code ? code : t_backend_close(T_RUN(tests));
}
