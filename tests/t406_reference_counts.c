/* tests/t406_reference_counts.c - iterations of CG with Jacobi and with block-Jacobi on problems of exactly
 * known input, beside those of an independent code
 *
 * p3: Poisson on N^3 unit cubes, the whole boundary held; e2: plane strain, E = 1, nu = 0.3, 2N x N unit
 * squares, held at x = 0.  Two Gauss points a direction; free nodes lexicographic, the first index slowest;
 * the right-hand side is a hash of the indices, so it excites every mode and depends on no library.  Stop at
 * ||r|| <= 1e-8 ||b||. The counts of blocks are medians over many partitions of METIS 5.1, so they are met up
 * to 5 %, or 3. usage: t406_reference_counts <backend> */
#include "kernels/blocks.h"
#include "tests/solver_case.h"

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

static double load(int i, int j, int k, int c)
{
  const uint64_t key = (uint64_t)i + ((uint64_t)j << 20) + ((uint64_t)k << 40) + ((uint64_t)c << 60);
  return 2.0 * (double)(mix64(key) >> 11) * 0x1p-53 - 1.0;
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

/* K[8][8]: integral of grad N_a . grad N_b over the unit cube; corner a at its bits, x the lowest. */
static void cube(double *K)
{
  static const double point[2] = {0.21132486540518712, 0.78867513459481288};
  for (int q = 0; q < 8; q++) {
    double g[8][3];
    for (int a = 0; a < 8; a++)
      for (int d = 0; d < 3; d++) {
        g[a][d] = a >> d & 1 ? 1.0 : -1.0;
        for (int e = 0; e < 3; e++)
          if (e != d) g[a][d] *= a >> e & 1 ? point[q >> e & 1] : 1.0 - point[q >> e & 1];
      }
    for (int a = 0; a < 8; a++)
      for (int b = 0; b < 8; b++)
        K[8 * a + b] += (g[a][0] * g[b][0] + g[a][1] * g[b][1] + g[a][2] * g[b][2]) / 8.0;
  }
}

/* K[8][8]: plane strain on the unit square, dof = corner * 2 + component. */
static void square(double *K)
{
  static const double point[2] = {0.21132486540518712, 0.78867513459481288};
  const double        nu = 0.3, c = 1.0 / ((1.0 + nu) * (1.0 - 2.0 * nu));
  const double        normal = c * (1.0 - nu), cross = c * nu, shear = c * (1.0 - 2.0 * nu) / 2.0;
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

/* Sum of K over ni x nj x nk cells of `corners` corners; the graph of nodes that share a cell. */
static problem assembled(int N, int ni, int nj, int nk, int corners, int D, const double *K, numbered number)
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
            val[count++] = K[a * nd + b];
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
  return assembled(N, N, N, N, 8, 1, K, in_p3);
}

static problem plane_strain(int N)
{
  double K[64] = {0.0};
  square(K);
  problem p = assembled(N, 2 * N, N, 1, 4, 2, K, in_e2);
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

int main(int argc, char **argv)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_hash_is_the_known_one),
      cmocka_unit_test(poisson_in_a_cube),
      cmocka_unit_test(plane_strain_in_a_bar),
  };
  const int code = t_backend_open(argc, argv);
  if (code) return code;
  const int failed = T_RUN(tests);
  bf_backend_destroy(&t_be);
  return failed;
}
