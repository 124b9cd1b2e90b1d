/* tests/kernels/fem/t324_pencil.c - lumped masses of elements and the scaled stiffness against the formulas
 * in long double usage: t324_pencil <backend> */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "tests/backend.h"
#include <math.h>

static const int    nodes[]  = {1, 2, 3, 4, 6, 8, 9, 10, 20, 27};
static const bf_int counts[] = {1, 3, 33, 1025};
enum { NODES = sizeof nodes / sizeof *nodes, COUNTS = sizeof counts / sizeof *counts };

static double *random_values(size_t n, double lo, double hi, uint64_t *seed)
{
  double *v = bf_host_alloc(n + 1, sizeof *v);
  for (size_t i = 0; i < n; i++) v[i] = lo + (hi - lo) * t_uniform(seed);
  v[n] = NAN; /* belongs to nobody */
  return v;
}

static void shares_are_those_of_the_diagonal_and_sum_to_the_mass(void **state)
{
  (void)state;
  uint64_t seed = 1;
  for (int k = 0; k < NODES; k++)
    for (int c = 0; c < COUNTS; c++) {
      const size_t n = (size_t)counts[c], nen = (size_t)nodes[k];
      double      *M = random_values(n * nen * nen, 0.01, 1.0, &seed),
             *d      = random_values(n * nen, 7.0, 8.0, &seed);
      double *Mb = t_to_backend(M, n * nen * nen * 8), *db = t_to_backend(d, (n * nen + 1) * 8);
      T_OK(BF_OP(t_be, element.lump, counts[c], nodes[k], Mb, db));
      t_to_host(d, db, (n * nen + 1) * 8);
      assert_true(isnan(d[n * nen]));
      for (size_t e = 0; e < n; e++) {
        long double mass = 0.0L, trace = 0.0L, sum = 0.0L;
        for (size_t i = 0; i < nen * nen; i++) mass += M[e * nen * nen + i];
        for (size_t a = 0; a < nen; a++) trace += M[e * nen * nen + a * (nen + 1)];
        for (size_t a = 0; a < nen; a++) {
          const double want = (double)(M[e * nen * nen + a * (nen + 1)] * mass / trace);
          T_NEAR(d[e * nen + a], want, 1e-14 * want);
          sum += d[e * nen + a];
        }
        T_NEAR((double)sum, (double)mass, 1e-13 * (double)mass);
      }
      bf_host_free(M);
      bf_host_free(d);
      t_be->ops.release(t_be, Mb);
      t_be->ops.release(t_be, db);
    }
}

static void entries_are_divided_by_the_roots_of_both_masses(void **state)
{
  (void)state;
  uint64_t seed = 2;
  for (int k = 0; k < NODES; k++)
    for (int ncomp = 1; ncomp <= 3; ncomp++) {
      const size_t n = (size_t)counts[k % COUNTS], nen = (size_t)nodes[k], nd = nen * (size_t)ncomp;
      double      *K = random_values(n * nd * nd, -1.0, 1.0, &seed),
             *d      = random_values(n * nen, 1e-9, 1e-8, &seed);
      for (size_t e = 0; e < n; e++)
        for (size_t i = 0; i < nd; i++)
          for (size_t j = 0; j < i; j++) K[(e * nd + i) * nd + j] = K[(e * nd + j) * nd + i];
      double *got = random_values(n * nd * nd, 0.0, 1.0, &seed);
      double *Kb = t_to_backend(K, (n * nd * nd + 1) * 8), *db = t_to_backend(d, n * nen * 8);
      T_OK(BF_OP(t_be, element.pencil, (bf_int)n, nodes[k], ncomp, db, Kb));
      t_to_host(got, Kb, (n * nd * nd + 1) * 8);
      assert_true(isnan(got[n * nd * nd]));
      for (size_t e = 0; e < n; e++)
        for (size_t i = 0; i < nd; i++)
          for (size_t j = 0; j < nd; j++) {
            const size_t at = (e * nd + i) * nd + j;
            const double mi = d[e * nen + i / (size_t)ncomp], mj = d[e * nen + j / (size_t)ncomp];
            const double want = K[at] / (double)sqrtl((long double)mi * (long double)mj);
            T_NEAR(got[at], want, 1e-14 * fabs(want));
            T_NEAR(got[at], got[(e * nd + j) * nd + i], 0.0); /* symmetric to the last bit */
          }
      bf_host_free(K);
      bf_host_free(d);
      bf_host_free(got);
      t_be->ops.release(t_be, Kb);
      t_be->ops.release(t_be, db);
    }
}

static void what_is_out_of_range_is_refused(void **state)
{
  (void)state;
  double x[4] = {1.0, 1.0, 1.0, 1.0}, *b = t_to_backend(x, sizeof x);
  T_ERR(BF_E_ARG, BF_OP(t_be, element.lump, -1, 2, b, b));
  T_ERR(BF_E_ARG, BF_OP(t_be, element.lump, 1, 28, b, b));
  T_ERR(BF_E_ARG, BF_OP(t_be, element.lump, 1, 0, b, b));
  T_ERR(BF_E_ARG, BF_OP(t_be, element.lump, 1, 2, NULL, b));
  T_ERR(BF_E_ARG, BF_OP(t_be, element.pencil, 1, 2, 4, b, b));
  T_ERR(BF_E_ARG, BF_OP(t_be, element.pencil, 1, 2, 0, b, b));
  T_ERR(BF_E_ARG, BF_OP(t_be, element.pencil, 1, 2, 1, b, NULL));
  T_OK(BF_OP(t_be, element.lump, 0, 2, NULL, NULL));
  T_OK(BF_OP(t_be, element.pencil, 0, 2, 3, NULL, NULL));
  t_be->ops.release(t_be, b);
}

int main(int argc, char **argv)
{
  const int code = t_backend_open(argc, argv);
  if (code) return code;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(shares_are_those_of_the_diagonal_and_sum_to_the_mass),
      cmocka_unit_test(entries_are_divided_by_the_roots_of_both_masses),
      cmocka_unit_test(what_is_out_of_range_is_refused),
  };
  return t_backend_close(T_RUN(tests));
}
