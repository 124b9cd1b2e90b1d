/* tests/kernels/krylov/t350_large.c - sizes that fill a device: many blocks, long sums, whole Krylov
 * iterations usage: t350_large <backend>.  The oracle is the CPU backend, itself checked against dense
 * matrices. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/matrix/matrix.h"
#include "tests/kernels/krylov/krylov_case.h"
#include "tests/reference/dense.h"
#include "tests/reference/grid.h"
#include <float.h>
#include <math.h>

static bf_backend *t_cpu;

static void *t_backend_copy(bf_backend *be, const void *host, size_t bytes)
{
  void *p = NULL;
  T_OK(be->ops.alloc(be, bytes, &p));
  T_OK(be->ops.copy(be, p, host, bytes, BF_TO_DEVICE));
  return p;
}

/* -Laplace on a grid of hexahedra plus a little mass: ones off the element's diagonal, positive definite. */
static bf_matrix *laplace(bf_backend *be, const t_grid *g, int format, int D)
{
  const int nd = g->nen * D;
  double   *Ke = calloc((size_t)g->ne * (size_t)(nd * nd), sizeof *Ke);
  for (size_t e = 0; e < (size_t)g->ne; e++)
    for (int i = 0; i < nd; i++)
      for (int j = 0; j < nd; j++)
        Ke[(e * (size_t)nd + (size_t)i) * (size_t)nd + (size_t)j] =
            i == j ? nd - 0.9 + 0.001 * (double)(e % 97) : -1.0;
  bf_int    *conn = t_backend_copy(be, g->conn, (size_t)g->ne * (size_t)g->nen * sizeof(bf_int));
  double    *K    = t_backend_copy(be, Ke, (size_t)g->ne * (size_t)(nd * nd) * sizeof *Ke);
  void      *ptr = NULL, *item = NULL;
  bf_matrix *A = NULL;
  bf_graph  *G = t_grid_pattern(g);
  if (format == 2) {
    T_OK(bf_matrix_create_csr(be, G, D, BF_FP64, &A));
  } else {
    t_table  *t = t_table_of_elements(g->n, g->ne, g->nen, g->conn, 0);
    bf_bands *b = t_table_bands(t);
    T_OK(bf_matrix_create_bdia(be, b, D, format, BF_FP64, G->ptr[G->n] * D * D, &A));
    bf_bands_destroy(&b);
    t_table_free(t);
  }
  T_OK(be->ops.alloc(be, ((size_t)g->n + 1) * sizeof(bf_int), &ptr));
  T_OK(be->ops.alloc(be, (size_t)g->ne * (size_t)g->nen * sizeof(bf_int), &item));
  T_OK(be->ops.element.incidence(be, g->ne, g->nen, conn, g->n, ptr, item));
  T_OK(bf_matrix_scatter(A, ptr, item, g->nen, conn, K));
  T_OK(be->ops.sync(be));
  be->ops.release(be, ptr);
  be->ops.release(be, item);
  be->ops.release(be, conn);
  be->ops.release(be, K);
  bf_graph_destroy(&G);
  free(Ke);
  return A;
}

/* The history of r.r, [limit + 1], after `queued` iterations, and the state. */
static double *iterate(bf_backend *be, bf_matrix *A, const double *rhs, int bicgstab, int jacobi, int limit,
                       int queued, bf_krylov_state *end)
{
  const bf_int n = A->nrows;
  double      *v[9], *x, *p, *ph, *rh, *h = malloc(((size_t)limit + 1) * sizeof *h);
  for (int i = 0; i < 9; i++) v[i] = t_vector(be, n, A->guard, NULL);
  x                   = v[0];
  double           *r = t_vector(be, n, A->guard, rhs), *dinv = NULL;
  void             *state   = NULL;
  bf_krylov_sample *history = t_samples_on(be, limit + 1);
  T_OK(be->ops.alloc(be, sizeof *end, &state));
  bf_krylov_state  s  = {.limit = limit, .rr_stop = 0.0};
  bf_krylov_state *st = state;
  T_OK(be->ops.copy(be, st, &s, sizeof s, BF_TO_DEVICE));
  if (jacobi) {
    dinv = v[8];
    T_OK(bf_matrix_diagonal(A, dinv));
    T_OK(be->ops.vector.reciprocal(be, n, dinv, dinv));
  }
  p  = v[1];
  ph = jacobi && bicgstab ? v[2] : p;
  rh = jacobi ? v[3] : r;
  if (bicgstab)
    T_OK(be->ops.krylov.bicgstab_begin(be, n, r, dinv, v[4], p, ph, st, history));
  else
    T_OK(be->ops.krylov.cg_begin(be, n, r, dinv, p, st, history));
  for (int i = 0; i < queued; i++) {
    T_OK(bf_matrix_spmv(A, ph, v[5], bicgstab ? v[4] : p, st->dot));
    if (!bicgstab) {
      T_OK(be->ops.krylov.cg_move(be, n, x, r, p, v[5], dinv, st, history));
      continue;
    }
    T_OK(be->ops.krylov.bicgstab_middle(be, n, r, v[5], dinv, rh, st));
    T_OK(bf_matrix_spmv(A, rh, v[6], r, st->dot));
    T_OK(be->ops.krylov.bicgstab_move(be, n, x, r, p, ph, v[4], rh, v[5], v[6], dinv, st, history));
  }
  t_residuals_on(be, history, limit + 1, h);
  T_OK(be->ops.copy(be, end, st, sizeof *end, BF_TO_HOST));
  for (int i = 0; i < 9; i++) bf_vector_destroy(be, A->guard, &v[i]);
  bf_vector_destroy(be, A->guard, &r);
  be->ops.release(be, state);
  be->ops.release(be, history);
  return h;
}

static void krylov_case(int bicgstab, int jacobi, int format, int D)
{
  uint64_t        seed  = 77;
  const int       limit = t_quick() ? 3 : 25;
  t_grid          g     = t_grid_new(18, 13, 15, &seed);
  bf_matrix      *A = laplace(t_be, &g, format, D), *B = laplace(t_cpu, &g, format, D);
  double         *rhs = t_random_vector((size_t)A->nrows, &seed);
  bf_krylov_state end, ref, again;
  double *h = iterate(t_be, A, rhs, bicgstab, jacobi, limit, limit + 3, &end); /* 3 queued past the end */
  double *k = iterate(t_cpu, B, rhs, bicgstab, jacobi, limit, limit, &ref);
  double *m = iterate(t_be, A, rhs, bicgstab, jacobi, limit, limit, &again);
  assert_int_equal(end.status, BF_KRYLOV_LIMIT);
  assert_int_equal(ref.status, BF_KRYLOV_LIMIT);
  assert_int_equal(end.iteration, limit);
  /* another order of summation, other digits: BiCGStab amplifies them iteration by iteration */
  for (int i = 0; i <= limit; i++) T_NEAR(h[i], k[i], (bicgstab ? 1e-6 : 1e-9) * k[i] + 1e-13 * k[0]);
  assert_memory_equal(h, m, ((size_t)limit + 1) * sizeof *h);
  assert_memory_equal(&end.rr, &again.rr, sizeof end.rr);
  free(h);
  free(k);
  free(m);
  free(rhs);
  bf_matrix_destroy(&A);
  bf_matrix_destroy(&B);
  t_grid_free(&g);
}

static void cg_follows_the_cpu_and_repeats_bit_for_bit(void **state)
{
  (void)state;
  for (int jacobi = 0; jacobi < 2; jacobi++)
    for (int format = 0; format < 3; format++) {
      T_ONE_OF(5);
      krylov_case(0, jacobi, format, 1 + format);
    }
}

static void bicgstab_follows_the_cpu_and_repeats_bit_for_bit(void **state)
{
  (void)state;
  for (int jacobi = 0; jacobi < 2; jacobi++)
    for (int format = 0; format < 3; format++) {
      T_ONE_OF(5);
      krylov_case(1, jacobi, format, 3 - format);
    }
}

static void long_sums_are_exact_to_rounding_and_repeat(void **state)
{
  (void)state;
  uint64_t     seed = 9;
  const bf_int n    = 3000017;
  double      *x = t_random_vector((size_t)n, &seed), *y = t_random_vector((size_t)n, &seed), s[3];
  double      *xd = t_to_backend(x, (size_t)n * sizeof *x), *yd = t_to_backend(y, (size_t)n * sizeof *y);
  double      *sd  = t_to_backend(s, sizeof s);
  long double  sum = 0.0L, size = 0.0L;
  for (bf_int i = 0; i < n; i++) {
    sum += (long double)x[i] * y[i];
    size += fabsl((long double)x[i] * y[i]);
  }
  for (int i = 0; i < 3; i++) T_OK(t_be->ops.vector.dot(t_be, n, xd, yd, sd + i));
  t_to_host(s, sd, sizeof s);
  T_NEAR(s[0], (double)sum, 100.0 * DBL_EPSILON * (double)size);
  assert_memory_equal(&s[0], &s[1], sizeof s[0]);
  assert_memory_equal(&s[0], &s[2], sizeof s[0]);
  T_OK(t_be->ops.vector.dot(t_be, 0, xd, yd, sd));
  t_to_host(s, sd, sizeof s);
  assert_true(s[0] == 0.0);
  t_be->ops.release(t_be, xd);
  t_be->ops.release(t_be, yd);
  t_be->ops.release(t_be, sd);
  free(x);
  free(y);
}

static void an_element_outside_the_pattern_is_found_by_the_next_sync(void **state)
{
  (void)state;
  uint64_t   seed = 4;
  t_grid     g    = t_grid_new(9, 9, 9, &seed);
  bf_matrix *A    = laplace(t_be, &g, 0, 1);
  bf_int     conn[8], p[1001] = {0}, items[8];
  double     K[64] = {0.0}, y;
  for (int a = 0; a < 8; a++) conn[a] = g.conn[a], items[a] = a;
  conn[7] = conn[0] < 500 ? 999 : 0; /* far from every other node of the element */
  for (int a = 0; a < 8; a++) p[conn[a] + 1] = 1;
  for (int i = 0; i < 1000; i++) p[i + 1] += p[i];
  for (int a = 0; a < 8; a++) items[p[conn[a]]] = a;
  bf_int *cb = t_to_backend(conn, sizeof conn), *pb = t_to_backend(p, sizeof p),
         *ib  = t_to_backend(items, sizeof items);
  double *Kb  = t_to_backend(K, sizeof K);
  bf_err  err = bf_matrix_scatter(A, pb, ib, 8, cb, Kb);
  if (err == BF_OK) err = t_be->ops.sync(t_be);
  assert_int_equal(err, BF_E_ARG);
  T_OK(t_be->ops.sync(t_be)); /* reported once */
  t_to_host(&y, Kb, sizeof y);
  t_be->ops.release(t_be, cb);
  t_be->ops.release(t_be, pb);
  t_be->ops.release(t_be, ib);
  t_be->ops.release(t_be, Kb);
  bf_matrix_destroy(&A);
  t_grid_free(&g);
}

int main(int argc, char **argv)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(cg_follows_the_cpu_and_repeats_bit_for_bit),
      cmocka_unit_test(bicgstab_follows_the_cpu_and_repeats_bit_for_bit),
      cmocka_unit_test(long_sums_are_exact_to_rounding_and_repeat),
      cmocka_unit_test(an_element_outside_the_pattern_is_found_by_the_next_sync),
  };
  const int code = t_backend_open(argc, argv);
  if (code) return code;
  if (bf_backend_create("cpu", NULL, &t_cpu) != BF_OK) return 1;
  const int failed = T_RUN(tests);
  bf_backend_destroy(&t_cpu);
  bf_backend_destroy(&t_be);
  return failed;
}
