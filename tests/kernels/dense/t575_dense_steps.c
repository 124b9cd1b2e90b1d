/* tests/kernels/dense/t575_dense_steps.c - the steps of the block sweep one by one, compared with plain loops
 * usage: t575_dense_steps <backend> */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/dense.h"
#include "tests/backend.h"
#include <float.h>
#include <math.h>
#include <string.h>

typedef struct matrix { /* host values in fp64; rows beyond m are NaN on the backend */
  bf_scalar type;
  size_t    m, n, ld;
  double   *v; /* [n][ld] */
  void     *be;
} matrix;

static double get(const matrix *a, size_t i, size_t j)
{
  return a->v[j * a->ld + i];
}

static void send(matrix *a)
{
  const size_t e    = bf_scalar_bytes(a->type);
  char        *host = bf_host_alloc(a->ld * a->n, e);
  assert_non_null(host);
  for (size_t k = 0; k < a->ld * a->n; k++)
    if (a->type == BF_S)
      ((float *)(void *)host)[k] = (float)a->v[k];
    else
      ((double *)(void *)host)[k] = a->v[k];
  if (a->be) t_be->ops.release(t_be, a->be);
  a->be = t_to_backend(host, a->ld * a->n * e);
  bf_host_free(host);
}

static void receive(matrix *a)
{
  const size_t e    = bf_scalar_bytes(a->type);
  char        *host = bf_host_alloc(a->ld * a->n, e);
  assert_non_null(host);
  T_OK(t_be->ops.sync(t_be));
  t_to_host(host, a->be, a->ld * a->n * e);
  for (size_t k = 0; k < a->ld * a->n; k++)
    a->v[k] = a->type == BF_S ? (double)((float *)(void *)host)[k] : ((double *)(void *)host)[k];
  bf_host_free(host);
}

/* Uniform entries in (-1/2, 1/2) */
static matrix create(bf_scalar type, size_t m, size_t n)
{
  static uint64_t seed = 7;
  matrix          a    = {.type = type, .m = m, .n = n, .ld = (m + 31) / 32 * 32};
  a.v                  = bf_host_alloc(a.ld * n, sizeof *a.v);
  assert_non_null(a.v);
  for (size_t k = 0; k < a.ld * n; k++)
    a.v[k] = k % a.ld >= m ? (double)NAN : (double)(float)(t_uniform(&seed) - 0.5);
  send(&a);
  return a;
}

static void destroy(matrix *a)
{
  t_be->ops.release(t_be, a->be);
  bf_host_free(a->v);
}

static double rounding(bf_scalar type)
{
  return type == BF_S ? (double)FLT_EPSILON : DBL_EPSILON;
}

static const bf_dense_ops *ops(void)
{
  const bf_dense_ops *op = t_be->ops.dense;
  assert_non_null(op);
  T_OK(op->open(t_be));
  return op;
}

/* D = R R^T + m I in its lower triangle, NaN above; W; what is in D and in the flag afterwards. p >= 0: the
 * diagonal entry p is -1. */
static void leaf(bf_scalar type, size_t m, int p)
{
  matrix D = create(type, m, m), W = create(type, m, m), R = create(type, m, m);
  for (size_t j = 0; j < m; j++)
    for (size_t i = 0; i < m; i++) {
      double s = i == j ? (double)m : 0.0;
      for (size_t q = 0; q < m; q++) s += get(&R, i, q) * get(&R, j, q);
      D.v[j * D.ld + i] = i < j                   ? (double)NAN
                          : i == j && (int)i == p ? -1.0
                          : type == BF_S          ? (double)(float)s
                                                  : s;
    }
  send(&D);
  bf_int *flag = t_to_backend(&(bf_int){0}, sizeof(bf_int)), seen;
  T_OK(ops()->definite(t_be, type, (bf_int)m, 1000, D.be, (bf_int)D.ld, 1, W.be, (bf_int)W.ld, flag));
  matrix I = D;
  I.v      = bf_host_alloc(D.ld * m, sizeof *I.v);
  assert_non_null(I.v);
  receive(&I);
  receive(&W);
  t_to_host(&seen, flag, sizeof seen);
  assert_int_equal(seen, p < 0 ? 0 : 1000 + p + 1);
  for (size_t j = 0; j < m; j++)
    for (size_t i = 0; i < m; i++) {
      if (get(&I, i, j) != (i == j ? 1.0 : 0.0))
        fail_msg("m=%d: D(%d,%d) is not that of I", (int)m, (int)i, (int)j);
      if (i < j && p < 0 && get(&W, i, j) != 0.0)
        fail_msg("m=%d: W(%d,%d) above the diagonal", (int)m, (int)i, (int)j);
    }
  for (size_t j = 0; j < m && p < 0; j++) /* W D W^T = I */
    for (size_t i = j; i < m; i++) {
      double s = 0.0;
      for (size_t q = 0; q <= i; q++)
        for (size_t t = 0; t <= j; t++)
          s += get(&W, i, q) * (q >= t ? get(&D, q, t) : get(&D, t, q)) * get(&W, j, t);
      if (!(fabs(s - (i == j)) <= 8.0 * sqrt((double)m) * rounding(type)))
        fail_msg("%c m=%d: (W D W^T)(%d,%d) = %g", "sd"[type], (int)m, (int)i, (int)j, s);
    }
  bf_host_free(I.v);
  t_be->ops.release(t_be, flag);
  destroy(&D);
  destroy(&W);
  destroy(&R);
}

static void the_inverse_factor_of_a_leaf_makes_it_the_identity(void **state)
{
  static const size_t m[] = {1, 2, 31, 32, 33, 63, 64, 65, 96, 97, 127, 128};
  (void)state;
  for (int type = BF_S; type <= BF_D; type++)
    for (size_t k = 0; k < sizeof m / sizeof *m; k++) leaf((bf_scalar)type, m[k], -1);
}

static void the_first_pivot_that_is_not_positive_is_named(void **state)
{
  (void)state;
  for (int type = BF_S; type <= BF_D; type++)
    for (int p = 0; p < 100; p += 11) leaf((bf_scalar)type, 100, p);
}

enum { N = 300 };

/* G of a block: rows k upper triangular */
static matrix factor_of(bf_scalar type, bf_dense_block k)
{
  matrix G = create(type, N, (size_t)k.m);
  for (size_t j = 0; j < (size_t)k.m; j++)
    for (size_t i = j + 1; i < (size_t)k.m; i++) G.v[j * G.ld + (size_t)k.k0 + i] = 0.0;
  send(&G);
  return G;
}

/* (A - G G^T)(i, j), the rows and columns k of A taken as 0 */
static double updated(const matrix *A, const matrix *G, bf_dense_block k, size_t i, size_t j)
{
  const size_t k0 = (size_t)k.k0, k1 = k0 + (size_t)k.m;
  const int    own = (i >= k0 && i < k1) || (j >= k0 && j < k1);
  double       s   = own ? 0.0 : i >= j ? get(A, i, j) : get(A, j, i);
  for (size_t p = 0; p < (size_t)k.m; p++) s -= get(G, i, p) * get(G, j, p);
  return s;
}

/* Tensor cores cut off every sum of 8 products (fp32: of three kinds). */
static void near(const matrix *a, size_t i, size_t j, double expected, const char *what)
{
  if (!(fabs(get(a, i, j) - expected) <= 150.0 * rounding(a->type) * fmax(1.0, fabs(expected))))
    fail_msg("%c %s(%d,%d) = %.17g, expected %.17g", "sd"[a->type], what, (int)i, (int)j, get(a, i, j),
             expected);
}

static const bf_dense_block blocks[] = {{N, 0, 128}, {N, 128, 128}, {N, 256, N - 256}, {N, 0, N}};

static void an_update_is_the_product_of_its_factor(void **state)
{
  (void)state;
  for (int type = BF_S; type <= BF_D; type++)
    for (int b = 0; b < 4; b++)
      for (int c = 0; c < 4; c++) {
        const bf_dense_block k = blocks[b], next = c == b ? (bf_dense_block){N, N, 0} : blocks[c];
        if (b == 3 || c == 3) continue;
        matrix A = create((bf_scalar)type, N, N), G = factor_of((bf_scalar)type, k), X = A;
        X.v = bf_host_alloc(A.ld * A.n, sizeof *X.v);
        T_OK(ops()->sweep(t_be, (bf_scalar)type, k, next, G.be, (bf_int)G.ld, X.be, (bf_int)X.ld));
        receive(&X);
        for (size_t j = 0; j < N; j++)
          for (size_t i = 0; i < N; i++) {
            const size_t n0 = (size_t)next.k0, n1 = n0 + (size_t)next.m;
            const int    left = (i >= n0 && i < n1) || (j >= n0 && j < n1);
            if (i < j && get(&X, i, j) != get(&A, i, j))
              fail_msg("(%d,%d) above the diagonal", (int)i, (int)j);
            if (i >= j && !left) near(&X, i, j, updated(&A, &G, k, i, j), "A - G G^T");
          }
        bf_host_free(X.v);
        destroy(&A);
        destroy(&G);
      }
}

static void columns_of_an_update_are_those_of_the_matrix_less_the_product(void **state)
{
  (void)state;
  for (int type = BF_S; type <= BF_D; type++)
    for (int b = 0; b < 3; b++)
      for (int c = 0; c < 3; c++) {
        const bf_dense_block k = blocks[b], next = blocks[c];
        if (b == c) continue;
        matrix A = create((bf_scalar)type, N, N), G = factor_of((bf_scalar)type, k);
        matrix B = create((bf_scalar)type, N, (size_t)next.m), C = create((bf_scalar)type, N, (size_t)next.m);
        T_OK(ops()->advance(t_be, (bf_scalar)type, k, next, G.be, (bf_int)G.ld, A.be, (bf_int)A.ld, B.be,
                            (bf_int)B.ld));
        T_OK(ops()->gather(t_be, (bf_scalar)type, next, A.be, (bf_int)A.ld, C.be, (bf_int)C.ld));
        T_OK(ops()->advance(t_be, (bf_scalar)type, k, next, G.be, (bf_int)G.ld, NULL, 0, C.be, (bf_int)C.ld));
        receive(&B);
        receive(&C);
        for (size_t j = 0; j < (size_t)next.m; j++)
          for (size_t i = 0; i < N; i++) {
            near(&B, i, j, updated(&A, &G, k, i, (size_t)next.k0 + j), "columns");
            if (get(&B, i, j) != get(&C, i, j)) fail_msg("(%d,%d) differs after gather", (int)i, (int)j);
          }
        destroy(&A);
        destroy(&G);
        destroy(&B);
        destroy(&C);
      }
}

/* W lower triangular, its transpose V with NaN below the diagonal blocks' rows that `lower` cuts off */
static void a_factor_is_the_product_with_the_triangle(void **state)
{
  (void)state;
  for (int type = BF_S; type <= BF_D; type++)
    for (int b = 0; b < 4; b++) {
      const bf_dense_block k = blocks[b];
      const size_t         m = (size_t)k.m;
      matrix               V = create((bf_scalar)type, m, m), W = create((bf_scalar)type, m, m),
             B = create((bf_scalar)type, N, m);
      matrix G = create((bf_scalar)type, N, m);
      T_OK(
          ops()->lower(t_be, (bf_scalar)type, k, V.be, (bf_int)V.ld, W.be, (bf_int)W.ld, B.be, (bf_int)B.ld));
      receive(&W);
      receive(&B);
      T_OK(ops()->factor(t_be, (bf_scalar)type, N, k.m, B.be, (bf_int)B.ld, W.be, (bf_int)W.ld, G.be,
                         (bf_int)G.ld));
      receive(&G);
      for (size_t j = 0; j < m; j++)
        for (size_t i = 0; i < N; i++) {
          double s = 0.0;
          for (size_t p = 0; p <= j; p++) s += get(&B, i, p) * get(&V, p, j);
          near(&G, i, j, s, "G");
          if (i < m && get(&W, i, j) != (i >= j ? get(&V, j, i) : 0.0)) fail_msg("W(%d,%d)", (int)i, (int)j);
          if (i < m && get(&B, (size_t)k.k0 + i, j) != (i == j ? -1.0 : 0.0))
            fail_msg("B(%d,%d)", (int)i, (int)j);
        }
      destroy(&V);
      destroy(&W);
      destroy(&B);
      destroy(&G);
    }
}

static void a_symmetric_product_of_two_factors_is_that_of_loops(void **state)
{
  (void)state;
  for (int type = BF_S; type <= BF_D; type++)
    for (size_t k = 1; k <= 200; k += 66) {
      matrix A = create((bf_scalar)type, N, k), B = create((bf_scalar)type, N, k),
             C = create((bf_scalar)type, N, N);
      matrix X = C;
      X.v      = bf_host_alloc(C.ld * C.n, sizeof *X.v);
      assert_non_null(X.v);
      T_OK(ops()->syrkx(t_be, (bf_scalar)type, N, (bf_int)k, A.be, B.be, (bf_int)A.ld, X.be, (bf_int)X.ld));
      receive(&X);
      for (size_t j = 0; j < N; j++)
        for (size_t i = j; i < N; i++) {
          double s = get(&C, i, j);
          for (size_t p = 0; p < k; p++) s -= get(&A, i, p) * get(&B, j, p);
          near(&X, i, j, s, "C - A B^T");
        }
      bf_host_free(X.v);
      destroy(&A);
      destroy(&B);
      destroy(&C);
    }
}

int main(int argc, char **argv)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_inverse_factor_of_a_leaf_makes_it_the_identity),
      cmocka_unit_test(the_first_pivot_that_is_not_positive_is_named),
      cmocka_unit_test(an_update_is_the_product_of_its_factor),
      cmocka_unit_test(columns_of_an_update_are_those_of_the_matrix_less_the_product),
      cmocka_unit_test(a_factor_is_the_product_with_the_triangle),
      cmocka_unit_test(a_symmetric_product_of_two_factors_is_that_of_loops),
  };
  const int code = t_backend_open(argc, argv);
  return code ? code : t_backend_close(T_RUN(tests));
}
