/* tests/solvers/t404_blocks.c - diagonal blocks out of every format, inverted and applied
 * usage: t404_blocks <backend> */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/matrix/statistics.h"
#include "kernels/precond/block_jacobi.h"
#include "kernels/precond/coupling_graph.h"
#include "tests/reference/dense.h"
#include "tests/solvers/solver_forms.h"

enum { ROWS = 12, N = T_NX * ROWS };

/* Parts of the nodes of S with D components each, about `size` unknowns in one. */
static bf_partition *parts_of(const bf_sparse *S, int D, bf_int size)
{
  bf_graph     *g = NULL;
  bf_partition *p = NULL;
  T_OK(bf_sparse_graph(S, D, &g));
  T_OK(bf_partition_create(g, (S->nrows + size - 1) / size, BF_BLOCK_MOST / D, &p));
  bf_graph_destroy(&g);
  return p;
}

/* z = M^-1 r on the backend; *rz = r.z as it gives it. */
static void apply(const bf_blocks *B, int transposed, const double *r, double *z, double *rz)
{
  const size_t bytes = (size_t)B->nrows * sizeof *r;
  double      *dr = t_to_backend(r, bytes), *dz = t_to_backend(r, bytes), *dot = t_to_backend(r, sizeof *r);
  T_OK(bf_blocks_apply(B, transposed, dr, dz, rz ? dot : NULL));
  t_to_host(z, dz, bytes);
  if (rz) t_to_host(rz, dot, sizeof *rz);
  t_be->ops.release(t_be, dr);
  t_be->ops.release(t_be, dz);
  t_be->ops.release(t_be, dot);
}

/* | A_b z_b - r_b | over | A_b | | z_b | + | r_b |, the largest of all rows: z solves the systems of the
 * blocks. */
static double residual(const bf_sparse *S, const bf_partition *p, int D, int transposed, const double *r,
                       const double *z)
{
  bf_int *part = malloc((size_t)S->nrows * sizeof *part);
  double *sum = calloc((size_t)S->nrows, sizeof *sum), *size = calloc((size_t)S->nrows, sizeof *size);
  double  worst = 0.0;
  for (bf_int k = 0; k < p->count; k++)
    for (bf_int i = p->ptr[k]; i < p->ptr[k + 1]; i++)
      for (int c = 0; c < D; c++) part[p->vertex[i] * D + c] = k;
  for (bf_int i = 0; i < S->nrows; i++)
    for (int64_t q = S->ptr[i]; q < S->ptr[i + 1]; q++) {
      const bf_int j = S->col[q], to = transposed ? j : i, from = transposed ? i : j;
      if (part[i] != part[j]) continue;
      sum[to] += S->val[q] * z[from];
      size[to] += fabs(S->val[q] * z[from]);
    }
  for (bf_int i = 0; i < S->nrows; i++) {
    const double e = fabs(sum[i] - r[i]) / (size[i] + fabs(r[i]));
    if (!(e <= worst)) worst = e;
  }
  free(part), free(sum), free(size);
  return worst;
}

static void every_format_gives_its_blocks(void **state)
{
  (void)state;
  uint64_t seed = 11;
  double  *r    = t_random_vector(N, &seed), z[N], zt[N], rz;
  for (int wind = 0; wind < 2; wind++) {
    bf_sparse *S = t_sparse(N, wind ? t_wind : t_laplace);
    for (int f = 0; f < T_FORMS; f++)
      for (int fp32 = 0; fp32 < 2; fp32++) {
        if (wind && t_forms[f].half) continue;
        T_ONE_OF(5);
        const int     D = t_forms[f].ncomp ? t_forms[f].ncomp : 1;
        bf_matrix    *A = t_stored(S, &t_forms[f], BF_FP64);
        bf_partition *p = parts_of(S, D, 24);
        bf_blocks    *B = NULL;
        T_OK(bf_blocks_create(A, p, fp32 ? BF_FP32 : BF_FP64, !wind, &B));
        assert_int_equal(B->count, p->count);
        assert_int_equal(B->singular, 0);
        apply(B, 0, r, z, &rz);
        apply(B, 1, r, zt, NULL);
        const double within = fp32 ? 1e-6 : 1e-14;
        T_LE(residual(S, p, D, 0, r, z), within);
        T_LE(residual(S, p, D, 1, r, zt), within);
        if (!wind) assert_memory_equal(z, zt, sizeof z);
        double sum = 0.0;
        for (int i = 0; i < N; i++) sum += r[i] * z[i];
        T_NEAR(rz, sum, 1e-12 * fabs(sum));
        bf_blocks_destroy(&B);
        bf_partition_destroy(&p);
        bf_matrix_destroy(&A);
      }
    bf_sparse_destroy(&S);
  }
  free(r);
}

/* Chains of every length from 1 to beyond the last change of algorithm, one block each, uneven. */
static void blocks_of_many_sizes(void **state)
{
  (void)state;
  static const bf_int sizes[] = {1,  2,  3,   7,   8,   9,   31,  32,  33,  63, 64,
                                 65, 96, 100, 127, 128, 129, 190, 255, 256, 512};
  enum { COUNT = sizeof sizes / sizeof *sizes };
  const int count = t_quick() == 2 ? 12 : COUNT;
  bf_int    n = 0, ptr[COUNT + 1] = {0};
  uint64_t  seed = 3;
  for (int k = 0; k < count; k++) ptr[k + 1] = n += sizes[k];
  bf_int      *order = malloc((size_t)n * sizeof *order);
  bf_partition parts = {n, count, ptr, order};
  bf_sparse   *S     = NULL;
  bf_matrix   *A     = NULL;
  T_OK(bf_sparse_create(n, n, 5 * (int64_t)n, &S));
  int64_t at = 0;
  for (bf_int i = 0; i < n; i++) {
    order[i] = i;
    for (bf_int j = i - 2; j <= i + 2; j++)
      if (j >= 0 && j < n) S->col[at] = j, S->val[at++] = i == j ? 4.0 + t_uniform(&seed) : -t_uniform(&seed);
    S->ptr[i + 1] = at;
  }
  S->nnz = at;
  T_OK(bf_matrix_from_sparse(t_be, S, &t_forms[0], &A));
  double *r = t_random_vector((size_t)n, &seed), *z = malloc((size_t)n * sizeof *z),
         *again = malloc((size_t)n * sizeof *again);
  for (int fp32 = 0; fp32 < 2; fp32++) {
    bf_blocks *B = NULL;
    double     one, two;
    T_OK(bf_blocks_create(A, &parts, fp32 ? BF_FP32 : BF_FP64, 0, &B));
    assert_int_equal(B->largest, sizes[count - 1]);
    assert_int_equal(B->smallest, 1);
    for (int t = 0; t < 2; t++) {
      apply(B, t, r, z, &one);
      T_LE(residual(S, &parts, 1, t, r, z), fp32 ? 1e-6 : 1e-14);
      apply(B, t, r, again, &two);
      assert_memory_equal(z, again, (size_t)n * sizeof *z);
      assert_memory_equal(&one, &two, sizeof one);
    }
    bf_blocks_destroy(&B);
  }
  free(r), free(z), free(again), free(order);
  bf_matrix_destroy(&A);
  bf_sparse_destroy(&S);
}

/* Blocks of `size` rows, one after the other. */
static void rows_in_order(bf_partition *p, bf_int size)
{
  for (bf_int i = 0; i < p->n; i++) p->vertex[i] = i;
  for (bf_int k = 0; k <= p->count; k++) p->ptr[k] = k * size;
}

/* Values of 1e-271 and 1e+271 have inverses that a float could not hold. */
static double tiny_and_huge(bf_int n, bf_int i, bf_int j)
{
  const double size = i < n / 3 ? 0x1p-900 : i < 2 * n / 3 ? 1.0 : 0x1p900;
  return i / (n / 3) == j / (n / 3) ? size * t_laplace(n, i, j) : 0.0;
}

static void fp32_holds_inverses_of_any_size(void **state)
{
  (void)state;
  enum { SIZE = T_NX };
  bf_int       ptr[N / SIZE + 1], vertex[N];
  bf_partition parts = {N, N / SIZE, ptr, vertex};
  bf_sparse   *S     = t_sparse(N, tiny_and_huge);
  bf_matrix   *A     = t_stored(S, &t_forms[0], BF_FP64);
  bf_blocks   *B     = NULL;
  uint64_t     seed  = 4;
  double      *r     = t_random_vector(N, &seed), z[N];
  rows_in_order(&parts, SIZE);
  for (int i = 0; i < N; i++) r[i] *= i < N / 3 ? 0x1p-900 : i < 2 * N / 3 ? 1.0 : 0x1p900;
  T_OK(bf_blocks_create(A, &parts, BF_FP32, 1, &B));
  apply(B, 0, r, z, NULL);
  T_LE(residual(S, &parts, 1, 0, r, z), 1e-6);
  free(r);
  bf_blocks_destroy(&B);
  bf_matrix_destroy(&A);
  bf_sparse_destroy(&S);
}

/* Row 40 is empty; rows 20 and 21 are nearly, rows 60 and 61 exactly one another's copies. */
static double without_inverse(bf_int n, bf_int i, bf_int j)
{
  if (i == 40 || j == 40) return 0.0;
  if (i == 61) return t_wind(n, 60, j);
  return i == 21 ? t_wind(n, 20, j) * (1.0 + (j == 20) * 0x1p-52) : t_wind(n, i, j);
}

static void a_singular_block_has_the_inverse_of_its_diagonal(void **state)
{
  (void)state;
  enum { SIZE = 6 };
  bf_int       ptr[N / SIZE + 1], vertex[N];
  bf_partition parts = {N, N / SIZE, ptr, vertex};
  bf_sparse   *S     = t_sparse(N, without_inverse);
  bf_matrix   *A     = t_stored(S, &t_forms[0], BF_FP64);
  bf_blocks   *B     = NULL;
  uint64_t     seed  = 5;
  double      *r     = t_random_vector(N, &seed), z[N];
  rows_in_order(&parts, SIZE);
  for (int fp32 = 0; fp32 < 2; fp32++) {
    T_OK(bf_blocks_create(A, &parts, fp32 ? BF_FP32 : BF_FP64, 0, &B));
    assert_int_equal(B->singular, 3);
    assert_true(B->singular_row >= 18 && B->singular_row < 24);
    T_LE(2.0, B->condition);
    T_LE(B->condition, 100.0);
    apply(B, 0, r, z, NULL);
    for (int i = 0; i < N; i++) {
      const double d = bf_sparse_value(S, i, i);
      if (i / SIZE == 20 / SIZE || i / SIZE == 40 / SIZE || i / SIZE == 60 / SIZE)
        T_NEAR(z[i], d != 0.0 ? r[i] / d : r[i], fp32 ? 1e-7 : 1e-15);
    }
    bf_blocks_destroy(&B);
  }
  free(r);
  bf_matrix_destroy(&A);
  bf_sparse_destroy(&S);
}

/* Two components a node, graded by 1e150 from row to row, so that only their relation can count. */
static double graded_pairs(bf_int n, bf_int i, bf_int j)
{
  static const double size[] = {1e-300, 1e-150, 1.0, 1e150};
  const bf_int        u = i / 2, v = j / 2;
  (void)n;
  if (u == v) return size[u % 4] * (i == j ? 4.0 : 1.0);
  if (u - v > 1 || v - u > 1) return 0.0;
  return -(i < j ? 2.0 : 1.0) * sqrt(size[u % 4]) * sqrt(size[v % 4]) * (i % 2 == j % 2 ? 1.0 : 0.25);
}

static void couplings_are_relative_to_both_diagonals(void **state)
{
  (void)state;
  enum { NODES = 8 };
  bf_sparse *S = t_sparse(2 * NODES, graded_pairs);
  bf_graph  *g = NULL;
  float     *c = NULL;
  T_OK(bf_sparse_graph(S, 2, &g));
  T_OK(bf_sparse_couplings(S, 2, g, &c));
  for (bf_int u = 0; u < NODES; u++)
    for (int64_t k = g->ptr[u]; k < g->ptr[u + 1]; k++) T_NEAR((double)c[k], 0.5 * (2.0 + 1.0) / 4.0, 1e-6);
  assert_int_equal(g->ptr[NODES], 2 * (NODES - 1));
  bf_host_free(c);
  T_ERR(BF_E_ARG, bf_sparse_couplings(S, 1, g, &c));
  assert_null(c);
  bf_graph_destroy(&g);
  bf_sparse_destroy(&S);
}

/* Values of two or three components of very different size; one that is not finite. */
static double uneven(bf_int n, bf_int i, bf_int j)
{
  (void)n;
  if (i == j) return 3.0 + i % 7;
  if (abs(i - j) > 13 || (i * j) % 5 == 0) return 0.0;
  return 1e-3 * (1.0 + (double)((i + j) % 11)) * (i % 4 == 1 ? 50.0 : 1.0);
}
static double even(bf_int n, bf_int i, bf_int j)
{
  return i < j ? uneven(n, i, j) : uneven(n, j, i);
}
static double infinite(bf_int n, bf_int i, bf_int j)
{
  return (i == 7 && j == 10) || (i == 10 && j == 7) ? (double)INFINITY : even(n, i, j);
}

static void every_format_has_the_couplings_of_its_rows(void **state)
{
  (void)state;
  static const bf_matrix_form forms[]   = {{.format = BF_FORMAT_BDIA}, {.format = BF_FORMAT_BDIA, .half = 1},
                                           {.format = BF_FORMAT_DIA},  {.format = BF_FORMAT_CSR16},
                                           {.format = BF_FORMAT_ELL},  {.format = BF_FORMAT_HYBRID, .half = 1},
                                           {.format = BF_FORMAT_BCSR}};
  static const t_entry        entries[] = {even, infinite, uneven};
  for (int e = 0; e < 3; e++)
    for (int D = 1; D <= 3; D++) {
      bf_sparse *S    = t_sparse(78, entries[e]);
      bf_graph  *g    = NULL;
      float     *want = NULL;
      T_OK(bf_sparse_graph(S, D, &g));
      T_OK(bf_sparse_couplings(S, D, g, &want));
      for (size_t f = 0; f < sizeof forms / sizeof *forms; f++) {
        bf_matrix_form form = forms[f];
        float         *c    = NULL;
        if (form.half && entries[e] == uneven) continue;
        form.ncomp   = D;
        bf_matrix *A = t_stored(S, &form, f % 2 ? BF_FP32 : BF_FP64);
        T_OK(bf_matrix_couplings(A, g, &c));
        for (int64_t k = 0; k < g->ptr[g->n]; k++)
          T_NEAR((double)c[k], (double)want[k], 1e-6 * (1.0 + (double)want[k]));
        bf_host_free(c);
        bf_matrix_destroy(&A);
      }
      bf_host_free(want);
      bf_graph_destroy(&g);
      bf_sparse_destroy(&S);
    }
}

static void parts_that_do_not_fit_are_refused(void **state)
{
  (void)state;
  bf_int       ptr[3] = {0, N / 2, N}, vertex[N];
  bf_partition parts  = {N, 2, ptr, vertex};
  bf_sparse   *S      = t_sparse(N, t_laplace);
  bf_matrix   *A      = t_stored(S, &(bf_matrix_form){.format = BF_FORMAT_BDIA, .ncomp = 2}, BF_FP64);
  bf_blocks   *B      = NULL;
  for (int i = 0; i < N; i++) vertex[i] = i;
  T_ERR(BF_E_ARG, bf_blocks_create(A, &parts, BF_FP64, 0, &B)); /* nodes, not rows */
  bf_matrix_destroy(&A);
  bf_sparse_destroy(&S);
  enum { LONG = BF_BLOCK_MOST + 1 };
  bf_int       all[LONG], ends[2] = {0, LONG};
  bf_partition one = {LONG, 1, ends, all};
  S                = t_sparse(LONG, t_laplace);
  A                = t_stored(S, &t_forms[0], BF_FP64);
  for (int i = 0; i < LONG; i++) all[i] = i;
  T_ERR(BF_E_ARG, bf_blocks_create(A, &one, BF_FP64, 0, &B));
  assert_null(B);
  bf_matrix_destroy(&A);
  bf_sparse_destroy(&S);
}

int main(int argc, char **argv)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_format_gives_its_blocks),
      cmocka_unit_test(blocks_of_many_sizes),
      cmocka_unit_test(fp32_holds_inverses_of_any_size),
      cmocka_unit_test(a_singular_block_has_the_inverse_of_its_diagonal),
      cmocka_unit_test(couplings_are_relative_to_both_diagonals),
      cmocka_unit_test(every_format_has_the_couplings_of_its_rows),
      cmocka_unit_test(parts_that_do_not_fit_are_refused),
  };
  const int code = t_backend_open(argc, argv);
  return code ? code : t_backend_close(T_RUN(tests));
}
