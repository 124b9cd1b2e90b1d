/* tests/kernels/fem/t323_schur.c - condensed element matrices against elimination one by one, and against
 * what they must satisfy usage: t323_schur <backend> */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/backend.h"
#include <float.h>
#include <math.h>

typedef struct shape {
  int nd, ni;
} shape;

/* heat, plane elasticity and solids: quad9, hex27; modes of quad4 and hex8; the least and the most */
static const shape shapes[] = {{9, 1}, {27, 1}, {18, 2}, {81, 3}, {12, 4}, {33, 9}, {2, 1}, {81, 9}, {10, 9}};
enum { SHAPES = sizeof shapes / sizeof *shapes };

typedef struct sample {
  bf_int  ne;
  int     nd, ni, symmetric;
  double *K, *f, *S, *g, *inverse; /* owned, host */
} sample;

static double *fresh(size_t n)
{
  double *p = bf_host_alloc(n + 1, sizeof *p);
  assert_non_null(p);
  for (size_t i = 0; i <= n; i++) p[i] = NAN; /* the last is a guard */
  return p;
}

/* A^T A + shift, or that and something unsymmetric */
static sample make(shape s, int symmetric, bf_int ne, uint64_t *seed)
{
  sample       a  = {.ne = ne, .nd = s.nd, .ni = s.ni, .symmetric = symmetric};
  const size_t nd = (size_t)s.nd, ni = (size_t)s.ni, nb = nd - ni, n = (size_t)ne;
  a.K       = fresh(n * nd * nd);
  a.f       = fresh(n * ni);
  a.S       = fresh(n * nb * nb);
  a.g       = fresh(n * nb);
  a.inverse = fresh(n * ni * ni);
  for (size_t e = 0; e < n; e++) {
    double v[81];
    for (size_t i = 0; i < nd; i++) v[i] = t_uniform(seed) - 0.5;
    for (size_t i = 0; i < nd; i++)
      for (size_t j = 0; j <= i; j++) {
        const double x = v[i] * v[j] + 0.1 * (t_uniform(seed) - 0.5) / (double)nd + (i == j ? 1.0 : 0.0);
        a.K[(e * nd + i) * nd + j] = x;
        a.K[(e * nd + j) * nd + i] = symmetric ? x : x + 0.3 * (t_uniform(seed) - 0.5) / (double)nd;
      }
    for (size_t i = 0; i < ni; i++) a.f[e * ni + i] = t_uniform(seed) - 0.5;
  }
  return a;
}

static void clear(sample *a)
{
  bf_host_free(a->K);
  bf_host_free(a->f);
  bf_host_free(a->S);
  bf_host_free(a->g);
  bf_host_free(a->inverse);
}

/* Inverts the blocks and condenses, as assembly does. */
static void run(sample *a)
{
  const size_t nd = (size_t)a->nd, ni = (size_t)a->ni, nb = nd - ni, n = (size_t)a->ne, w = sizeof(double);
  double      *K = t_to_backend(a->K, n * nd * nd * w), *f = t_to_backend(a->f, n * ni * w);
  double      *S = t_to_backend(a->S, (n * nb * nb + 1) * w), *g = t_to_backend(a->g, (n * nb + 1) * w),
         *inverse = t_to_backend(a->inverse, (n * ni * ni + 1) * w);
  bf_int *info = bf_host_alloc(n + 1, sizeof *info), *info_be = t_to_backend(info, (n + 1) * sizeof *info);
  const bf_batch A    = {.type   = BF_D,
                         .n      = a->ni,
                         .ld     = a->nd,
                         .count  = a->ne,
                         .stride = (int64_t)(nd * nd),
                         .a      = K + nb * nd + nb};
  const bf_schur C    = {a->ne, a->nd, a->ni, a->symmetric, K, f, S, g, inverse};
  void          *work = NULL;
  size_t         bytes;
  T_OK(bf_batch_work(t_be, BF_INVERSE, &A, &bytes));
  T_OK(t_be->ops.alloc(t_be, bytes, &work));
  T_OK(bf_inverse_batch(t_be, &A, info_be, work));
  T_OK(BF_OP(t_be, element.schur, &C));
  t_to_host(info, info_be, n * sizeof *info);
  t_to_host(a->S, S, (n * nb * nb + 1) * w);
  t_to_host(a->g, g, (n * nb + 1) * w);
  t_to_host(a->inverse, inverse, (n * ni * ni + 1) * w);
  for (size_t e = 0; e < n; e++) assert_int_equal(info[e], 0);
  assert_true(isnan(a->S[n * nb * nb]) && isnan(a->g[n * nb]) && isnan(a->inverse[n * ni * ni]));
  void *const owned[] = {K, f, S, g, inverse, info_be, work};
  for (size_t i = 0; i < sizeof owned / sizeof *owned; i++) t_be->ops.release(t_be, owned[i]);
  bf_host_free(info);
}

static void elimination_one_by_one_gives_the_same(void **state)
{
  (void)state;
  uint64_t      seed = 1;
  static double A[81 * 82];
  for (int k = 0; k < SHAPES; k++)
    for (int symmetric = 0; symmetric < 2; symmetric++) {
      sample    a  = make(shapes[k], symmetric, k == 3 ? 70 : 37, &seed);
      const int nd = a.nd, nb = nd - a.ni;
      run(&a);
      for (bf_int e = 0; e < a.ne; e++) {
        for (int i = 0; i < nd; i++) {
          for (int j = 0; j < nd; j++)
            A[i * (nd + 1) + j] = a.K[((size_t)e * (size_t)nd + (size_t)i) * (size_t)nd + (size_t)j];
          A[i * (nd + 1) + nd] = i < nb ? 0.0 : a.f[e * a.ni + i - nb];
        }
        for (int p = nd - 1; p >= nb; p--)
          for (int i = 0; i < p; i++) {
            const double r = A[i * (nd + 1) + p] / A[p * (nd + 1) + p];
            for (int j = 0; j <= nd; j++) A[i * (nd + 1) + j] -= r * A[p * (nd + 1) + j];
          }
        for (int i = 0; i < nb; i++) {
          for (int j = 0; j < nb; j++)
            T_NEAR(a.S[((size_t)e * (size_t)nb + (size_t)i) * (size_t)nb + (size_t)j], A[i * (nd + 1) + j],
                   1e-13);
          T_NEAR(a.g[e * nb + i], A[i * (nd + 1) + nd], 1e-13);
        }
      }
      clear(&a);
    }
}

static void symmetric_matrices_stay_so_to_the_last_bit(void **state)
{
  (void)state;
  uint64_t seed = 2;
  for (int k = 0; k < SHAPES; k++) {
    T_ONE_OF(4);
    sample       a  = make(shapes[k], 1, 20, &seed);
    const size_t nb = (size_t)(a.nd - a.ni);
    run(&a);
    for (size_t e = 0; e < 20; e++)
      for (size_t i = 0; i < nb; i++)
        for (size_t j = 0; j < i; j++) assert_true(a.S[(e * nb + i) * nb + j] == a.S[(e * nb + j) * nb + i]);
    clear(&a);
  }
}

/* inverse: as handed on; a batch of one gives the bits of a batch of many. */
static void inverses_are_handed_on_and_neighbours_do_not_matter(void **state)
{
  (void)state;
  uint64_t seed = 3;
  for (int k = 0; k < SHAPES; k++) {
    T_ONE_OF(4);
    sample       a = make(shapes[k], 1, 65, &seed), b = make(shapes[k], 1, 1, &seed);
    const size_t nd = (size_t)a.nd, ni = (size_t)a.ni, nb = nd - ni;
    memcpy(b.K, a.K + 64 * nd * nd, nd * nd * sizeof *b.K);
    memcpy(b.f, a.f + 64 * ni, ni * sizeof *b.f);
    run(&a);
    run(&b);
    assert_memory_equal(b.S, a.S + 64 * nb * nb, nb * nb * sizeof *b.S);
    assert_memory_equal(b.g, a.g + 64 * nb, nb * sizeof *b.g);
    assert_memory_equal(b.inverse, a.inverse + 64 * ni * ni, ni * ni * sizeof *b.inverse);
    for (size_t i = 0; i < ni; i++)
      for (size_t j = 0; j < ni; j++) {
        double s = 0.0;
        for (size_t l = 0; l < ni; l++) s += b.inverse[i * ni + l] * b.K[(nb + l) * nd + nb + j];
        T_NEAR(s, i == j ? 1.0 : 0.0, 1e-13);
      }
    clear(&a);
    clear(&b);
  }
}

/* fe = S u, with S from the kernel above; loads and inverses may be left out. */
static void forces_are_those_of_the_condensed_matrix(void **state)
{
  (void)state;
  uint64_t seed = 4;
  for (int k = 0; k < SHAPES; k++) {
    sample       a  = make(shapes[k], k % 2, 33, &seed);
    const size_t nd = (size_t)a.nd, ni = (size_t)a.ni, nb = nd - ni, n = 33, w = sizeof(double);
    const int    ncomp = nb % 3 == 0 ? 3 : nb % 2 == 0 ? 2 : 1;
    const size_t nodes = nb / (size_t)ncomp, rows = 50;
    bf_int      *conn = bf_host_alloc(n * nodes, sizeof *conn);
    double      *u = fresh(rows * (size_t)ncomp), *fe = fresh(n * nb);
    for (size_t i = 0; i < n * nodes; i++) conn[i] = (bf_int)(t_uniform(&seed) * 49.99);
    for (size_t i = 0; i < rows * (size_t)ncomp; i++) u[i] = t_uniform(&seed) - 0.5;
    run(&a);
    double *K = t_to_backend(a.K, n * nd * nd * w), *ub = t_to_backend(u, rows * (size_t)ncomp * w),
           *fb = t_to_backend(fe, (n * nb + 1) * w), *S = t_to_backend(a.S, n * nb * nb * w);
    bf_int        *cb   = t_to_backend(conn, n * nodes * sizeof *conn);
    const bf_batch A    = {.type   = BF_D,
                           .n      = a.ni,
                           .ld     = a.nd,
                           .count  = a.ne,
                           .stride = (int64_t)(nd * nd),
                           .a      = K + nb * nd + nb};
    bf_schur       C    = {.ne = a.ne, .nd = a.nd, .ni = a.ni, .symmetric = a.symmetric, .K = K, .S = S};
    void          *work = NULL, *info = NULL;
    size_t         bytes;
    T_OK(bf_batch_work(t_be, BF_INVERSE, &A, &bytes));
    T_OK(t_be->ops.alloc(t_be, bytes, &work));
    T_OK(t_be->ops.alloc(t_be, n * sizeof(bf_int), &info));
    T_OK(bf_inverse_batch(t_be, &A, info, work));
    T_OK(BF_OP(t_be, element.schur_force, &C, cb, ncomp, ub, fb));
    t_to_host(fe, fb, (n * nb + 1) * w);
    assert_true(isnan(fe[n * nb]));
    for (size_t e = 0; e < n; e++)
      for (size_t i = 0; i < nb; i++) {
        double sum = 0.0;
        for (size_t j = 0; j < nb; j++)
          sum += a.S[(e * nb + i) * nb + j] *
                 u[(size_t)conn[e * nodes + j / (size_t)ncomp] * (size_t)ncomp + j % (size_t)ncomp];
        T_NEAR(fe[e * nb + i], sum, 1e-13);
      }
    double *again = fresh(n * nb * nb); /* S without loads, g and inverse */
    T_OK(BF_OP(t_be, element.schur, &C));
    t_to_host(again, S, n * nb * nb * w);
    assert_memory_equal(again, a.S, n * nb * nb * w);
    T_ERR(BF_E_ARG, BF_OP(t_be, element.schur_force, &C, NULL, ncomp, ub, fb));
    T_ERR(BF_E_ARG, BF_OP(t_be, element.schur_force, &C, cb, 4, ub, fb));
    void *const owned[] = {K, ub, fb, S, cb, work, info};
    for (size_t i = 0; i < sizeof owned / sizeof *owned; i++) t_be->ops.release(t_be, owned[i]);
    bf_host_free(conn);
    bf_host_free(u);
    bf_host_free(fe);
    bf_host_free(again);
    clear(&a);
  }
}

static void what_is_out_of_range_is_refused(void **state)
{
  (void)state;
  double   x[16] = {0.0};
  bf_schur C     = {1, 3, 1, 1, x, x, x, x, x};
  T_OK(bf_schur_check(&C));
#define REFUSED(field, value)                                                                                \
  do {                                                                                                       \
    bf_schur D = C;                                                                                          \
    D.field    = value;                                                                                      \
    T_ERR(BF_E_ARG, BF_OP(t_be, element.schur, &D));                                                         \
  } while (0)
  REFUSED(ne, -1);
  REFUSED(nd, 1);
  REFUSED(nd, 82);
  REFUSED(ni, 0);
  REFUSED(ni, 3);
  REFUSED(K, NULL);
  REFUSED(S, NULL);
  REFUSED(g, NULL);
#undef REFUSED
  T_ERR(BF_E_ARG, BF_OP(t_be, element.schur, NULL));
  C.ne = 0;
  T_OK(BF_OP(t_be, element.schur, &C));
}

int main(int argc, char **argv)
{
  const int code = t_backend_open(argc, argv);
  if (code) return code;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(elimination_one_by_one_gives_the_same),
      cmocka_unit_test(symmetric_matrices_stay_so_to_the_last_bit),
      cmocka_unit_test(inverses_are_handed_on_and_neighbours_do_not_matter),
      cmocka_unit_test(forces_are_those_of_the_condensed_matrix),
      cmocka_unit_test(what_is_out_of_range_is_refused),
  };
  return t_backend_close(T_RUN(tests));
}
