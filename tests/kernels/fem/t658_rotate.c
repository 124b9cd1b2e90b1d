/* tests/kernels/fem/t658_rotate.c - element matrices in the frames of their nodes: against T^T K T in long
 * double, and by what a rotation keeps usage: t658_rotate <backend> */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "tests/backend.h"
#include <math.h>

static const int    nodes[]  = {1, 2, 3, 4, 6, 8, 9, 10, 20, 26, 27};
static const bf_int counts[] = {1, 3, 4, 5, 33, 1025};
enum { NODES = sizeof nodes / sizeof *nodes, COUNTS = sizeof counts / sizeof *counts, FRAMES = 5, ROWS = 40 };

/* Rows of an orthogonal matrix of D x D. */
static void axes(int D, uint64_t *seed, double *T)
{
  const double a = 6.0 * t_uniform(seed), b = 6.0 * t_uniform(seed), c = 6.0 * t_uniform(seed);
  if (D == 2) {
    T[0] = T[3] = cos(a);
    T[1]        = -sin(a);
    T[2]        = sin(a);
    return;
  }
  const double q[9] = {cos(a) * cos(b),
                       cos(a) * sin(b) * sin(c) - sin(a) * cos(c),
                       cos(a) * sin(b) * cos(c) + sin(a) * sin(c),
                       sin(a) * cos(b),
                       sin(a) * sin(b) * sin(c) + cos(a) * cos(c),
                       sin(a) * sin(b) * cos(c) - cos(a) * sin(c),
                       -sin(b),
                       cos(b) * sin(c),
                       cos(b) * cos(c)};
  memcpy(T, q, sizeof q);
}

typedef struct set { /* elements whose nodes partly have frames */
  int    D;
  size_t ne, nen, nd;
  bf_int frame[ROWS], *conn;
  double T[FRAMES * 9], *K, *got;
} set;

static void create(set *s, int D, size_t ne, size_t nen, uint64_t *seed)
{
  *s = (set){.D = D, .ne = ne, .nen = nen, .nd = nen * (size_t)D};
  for (int i = 0; i < ROWS; i++) s->frame[i] = i % 3 == 1 ? (bf_int)(t_uniform(seed) * FRAMES) % FRAMES : -1;
  for (int i = 0; i < FRAMES; i++) axes(D, seed, s->T + i * D * D);
  T_OK(BF_NEW_ARRAY(s->conn, ne * nen));
  T_OK(BF_NEW_ARRAY(s->K, ne * s->nd * s->nd));
  T_OK(BF_NEW_ARRAY(s->got, ne * s->nd * s->nd + 1));
  for (size_t i = 0; i < ne * nen; i++) s->conn[i] = (bf_int)(t_uniform(seed) * ROWS) % ROWS;
  for (size_t a = 0; a < nen; a++) s->conn[a] = 0; /* an element without frames */
  for (size_t e = 0; e < ne; e++)
    for (size_t i = 0; i < s->nd; i++)
      for (size_t j = 0; j <= i; j++)
        s->K[(e * s->nd + i) * s->nd + j] = s->K[(e * s->nd + j) * s->nd + i] = 2.0 * t_uniform(seed) - 1.0;
  memcpy(s->got, s->K, ne * s->nd * s->nd * sizeof *s->K);
  s->got[ne * s->nd * s->nd] = NAN; /* belongs to nobody */
}

static void run(set *s)
{
  const size_t n = s->ne * s->nd * s->nd + 1;
  double      *K = t_to_backend(s->got, n * sizeof(double)), *T = t_to_backend(s->T, sizeof s->T);
  bf_int      *conn = t_to_backend(s->conn, s->ne * s->nen * sizeof(bf_int)),
         *frame     = t_to_backend(s->frame, sizeof s->frame);
  bf_node_frames F  = {.ncomp = s->D, .frame = frame, .T = T};
  T_OK(BF_OP(t_be, element.rotate, (bf_int)s->ne, (int)s->nen, &F, conn, K));
  t_to_host(s->got, K, n * sizeof(double));
  t_be->ops.release(t_be, K);
  t_be->ops.release(t_be, T);
  t_be->ops.release(t_be, conn);
  t_be->ops.release(t_be, frame);
}

static void destroy(set *s)
{
  bf_host_free(s->conn);
  bf_host_free(s->K);
  bf_host_free(s->got);
}

/* Entry (i, k) of the transformation of a node. */
static long double entry(const set *s, size_t e, size_t a, size_t i, size_t k)
{
  const bf_int f = s->frame[s->conn[e * s->nen + a]];
  return f < 0 ? (long double)(i == k)
               : (long double)s->T[(size_t)f * (size_t)(s->D * s->D) + i * (size_t)s->D + k];
}

static void blocks_are_those_of_the_product(void **state)
{
  (void)state;
  uint64_t seed = 3;
  for (int k = 0; k < NODES; k++)
    for (int D = 2; D <= 3; D++) {
      set s;
      create(&s, D, (size_t)counts[k % 5], (size_t)nodes[k], &seed);
      run(&s);
      const size_t d = (size_t)D;
      assert_true(isnan(s.got[s.ne * s.nd * s.nd]));
      for (size_t e = 0; e < s.ne; e++)
        for (size_t i = 0; i < s.nd; i++)
          for (size_t j = 0; j < s.nd; j++) {
            long double want = 0.0L;
            for (size_t p = 0; p < d; p++)
              for (size_t q = 0; q < d; q++)
                want += entry(&s, e, i / d, p, i % d) *
                        (long double)s.K[(e * s.nd + i / d * d + p) * s.nd + j / d * d + q] *
                        entry(&s, e, j / d, q, j % d);
            T_NEAR(s.got[(e * s.nd + i) * s.nd + j], (double)want, 1e-14 * 9.0);
          }
      destroy(&s);
    }
}

static void the_matrix_stays_symmetric_to_the_last_bit_and_keeps_trace_and_norm(void **state)
{
  (void)state;
  uint64_t seed = 4;
  for (int c = 0; c < COUNTS; c++)
    for (int D = 2; D <= 3; D++) {
      set s;
      create(&s, D, (size_t)counts[c], 8, &seed);
      run(&s);
      for (size_t e = 0; e < s.ne; e++) {
        double trace = 0.0, norm = 0.0, before = 0.0, size = 0.0;
        for (size_t i = 0; i < s.nd; i++)
          for (size_t j = 0; j < s.nd; j++) {
            const size_t at = (e * s.nd + i) * s.nd + j;
            T_NEAR(s.got[at], s.got[(e * s.nd + j) * s.nd + i], 0.0);
            trace += i == j ? s.got[at] : 0.0;
            before += i == j ? s.K[at] : 0.0;
            norm += s.got[at] * s.got[at];
            size += s.K[at] * s.K[at];
          }
        T_NEAR(trace, before, 1e-13 * sqrt(size));
        T_NEAR(norm, size, 1e-12 * size);
      }
      destroy(&s);
    }
}

static void elements_without_frames_keep_their_bits(void **state)
{
  (void)state;
  uint64_t seed = 5;
  set      s;
  create(&s, 3, 33, 20, &seed);
  for (int i = 0; i < ROWS; i++) s.frame[i] = i == 7 ? 2 : -1;
  run(&s);
  for (size_t e = 0; e < s.ne; e++) {
    int has = 0;
    for (size_t a = 0; a < s.nen; a++) has |= s.conn[e * s.nen + a] == 7;
    const int same =
        memcmp(s.got + e * s.nd * s.nd, s.K + e * s.nd * s.nd, s.nd * s.nd * sizeof(double)) == 0;
    assert_int_equal(same, !has);
  }
  destroy(&s);
}

static void arguments_are_checked(void **state)
{
  (void)state;
  double         b[36] = {0.0};
  bf_int         i[4]  = {0};
  bf_node_frames F = {.ncomp = 1, .frame = i, .T = b}, G = {.ncomp = 2, .frame = i, .T = b};
  T_ERR(BF_E_ARG, BF_OP(t_be, element.rotate, 1, 2, &F, i, b));
  T_ERR(BF_E_ARG, BF_OP(t_be, element.rotate, 1, 28, &G, i, b));
  T_ERR(BF_E_ARG, BF_OP(t_be, element.rotate, -1, 2, &G, i, b));
  T_ERR(BF_E_ARG, BF_OP(t_be, element.rotate, 1, 2, &G, NULL, b));
  T_OK(BF_OP(t_be, element.rotate, 0, 2, &G, NULL, NULL));
}

int main(int argc, char **argv)
{
  const int code = t_backend_open(argc, argv);
  if (code) return code;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(blocks_are_those_of_the_product),
      cmocka_unit_test(the_matrix_stays_symmetric_to_the_last_bit_and_keeps_trace_and_norm),
      cmocka_unit_test(elements_without_frames_keep_their_bits),
      cmocka_unit_test(arguments_are_checked),
  };
  return t_backend_close(T_RUN(tests));
}
