/* tests/kernels/dense/t358_repeat_batch.c - LU, inverses, Cholesky and eigen-decompositions of random types,
 * orders and batches, again and again: every run gives the bits of the first, which is held against another
 * method usage: t358_repeat_batch <backend>      for BANDFEM_SECONDS, 20 without */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/kernels/dense/batch_family.h"
#include "tests/kernels/dense/batch_score.h"
#include <time.h>

enum { LU, INVERSE, LOWER, UPPER, VALUES, VECTORS, OPS, KINDS = 5, MOST = 160, RUNS = 12 };
static const char *const name[OPS] = {"LU",     "inverse", "Cholesky, lower", "Cholesky, upper",
                                      "values", "vectors"};

static bf_backend *host; /* LAPACK */

/* A batch of few different matrices; what a run leaves beside them. */
typedef struct t_round {
  int     op;
  t_batch B;
  t_cx   *A;           /* owned [KINDS][n][n] */
  bf_int *ipiv, *info; /* owned [count][n], [count] */
  double *w;           /* owned [count][n], of the real type */
} t_round;

static t_round round_create(int op, bf_scalar type, bf_int n, bf_int count, int array, uint64_t *seed)
{
  t_round      R   = {.op = op, .B = t_batch_create(type, n, count)};
  const size_t all = (size_t)n * (size_t)n;
  R.A              = bf_host_alloc(all * KINDS, sizeof *R.A);
  R.ipiv           = bf_host_alloc((size_t)n * (size_t)count, sizeof *R.ipiv);
  R.info           = bf_host_alloc((size_t)count, sizeof *R.info);
  R.w              = bf_host_alloc((size_t)n * (size_t)count, sizeof *R.w);
  assert_true(R.A && R.ipiv && R.info && R.w);
  R.B.array = array;
  for (bf_int b = 0; b < count; b++) {
    t_cx *A = R.A + all * (size_t)(b % KINDS);
    if (b < KINDS) (op >= LOWER ? t_definite_matrix : t_random_matrix)(type, n, A, seed);
    t_put(&R.B, b, A);
    t_get(&R.B, b, A);
  }
  return R;
}
/* The same matrices, nothing run yet. */
static t_round round_again(const t_round *R)
{
  t_round C = *R;
  C.B.a     = bf_host_alloc(C.B.bytes, 1);
  C.ipiv    = bf_host_alloc((size_t)C.B.n * (size_t)C.B.count, sizeof *C.ipiv);
  C.info    = bf_host_alloc((size_t)C.B.count, sizeof *C.info);
  C.w       = bf_host_alloc((size_t)C.B.n * (size_t)C.B.count, sizeof *C.w);
  assert_true(C.B.a && C.ipiv && C.info && C.w);
  memcpy(C.B.a, R->B.a, C.B.bytes);
  return C;
}
static void again_destroy(t_round *C)
{
  bf_host_free(C->B.a), bf_host_free(C->ipiv), bf_host_free(C->info), bf_host_free(C->w);
}

static void run(t_round *R)
{
  const bf_heev_how how = {.vectors = R->op == VECTORS};
  switch (R->op) {
  case LU: t_getrf(&R->B, R->ipiv, R->info); break;
  case INVERSE: t_inverse(&R->B, R->info); break;
  case LOWER:
  case UPPER: t_potrf(&R->B, R->op == LOWER ? BF_LOWER : BF_UPPER, R->info); break;
  default: t_heev(&R->B, &how, R->w, R->info);
  }
}

/* Largest |x - y| over the largest |y|, in u, of results of this backend and of LAPACK. */
static double apart_from(const t_round *R, bf_int b)
{
  const bf_int n     = R->B.n;
  bf_backend  *be    = t_be;
  t_round      H     = round_create(R->op, R->B.type, n, KINDS, 0, &(uint64_t){1});
  double       apart = 0.0, most = 0.0;
  for (bf_int k = 0; k < KINDS; k++) t_put(&H.B, k, R->A + (size_t)b * (size_t)n * (size_t)n);
  t_be = host;
  run(&H);
  t_be = be;
  for (bf_int j = 0; j < n; j++) {
    const bf_scalar real = t_is_single(R->B.type) ? BF_S : BF_D;
    for (bf_int i = 0; i < n && R->op < VALUES; i++) {
      const t_cx x = t_at(&R->B, b, i, j), y = t_at(&H.B, 0, i, j);
      if (R->op == LOWER ? i < j : i > j) continue;
      most  = fmax(most, hypot(y.re, y.im));
      apart = fmax(apart, hypot(x.re - y.re, x.im - y.im));
    }
    if (R->op >= VALUES) {
      const double x = t_load(real, R->w, (int64_t)b * n + j).re, y = t_load(real, H.w, j).re;
      most  = fmax(most, fabs(y));
      apart = fmax(apart, fabs(x - y));
    }
  }
  again_destroy(&H);
  bf_host_free(H.A);
  return apart / most / t_u(R->B.type);
}

/* The first of each kind is right. */
static void judge(const t_round *R, bf_int b, t_cx *X)
{
  const bf_int n = R->B.n;
  const t_cx  *A = R->A + (size_t)b * (size_t)n * (size_t)n;
  double       e, most = 10.0;
  t_get(&R->B, b, X);
  if (R->op == LU) {
    e    = t_lu_score(R->B.type, n, A, X, R->ipiv + (int64_t)b * n).over_a;
    most = 1.0;
  } else if (R->op == INVERSE) {
    e = t_inverse_error(R->B.type, n, A, X);
  } else {
    e    = apart_from(R, b);
    most = R->op >= VALUES ? 80.0 : 20.0 * n;
  }
  if (R->info[b] != 0 || !(e <= most))
    fail_msg("%s, type %d n=%d of %d: info %d, error %g", name[R->op], (int)R->B.type, (int)n,
             (int)R->B.count, (int)R->info[b], e);
}

/* The first matrix of C that is not that of R in every bit, or the count. */
static bf_int first_other(const t_round *R, const t_round *C)
{
  const size_t n = (size_t)R->B.n, real = t_real(R->B.type);
  bf_int       b = 0;
  for (; b < R->B.count; b++) {
    const size_t at = (size_t)b * n;
    if (!t_same(&R->B, b, &C->B, b) || R->info[b] != C->info[b]) break;
    if (R->op == LU && memcmp(R->ipiv + at, C->ipiv + at, n * sizeof *R->ipiv) != 0) break;
    if (R->op >= VALUES && memcmp((char *)R->w + at * real, (char *)C->w + at * real, n * real) != 0) break;
  }
  return b;
}

static void one_round(int op, bf_scalar type, bf_int n, bf_int count, int array, uint64_t *seed)
{
  t_round R = round_create(op, type, n, count, array, seed), first = round_again(&R);
  t_cx   *X = bf_host_alloc((size_t)n * (size_t)n, sizeof *X);
  assert_non_null(X);
  run(&first);
  t_guards(&first.B);
  for (bf_int b = 0; b < KINDS; b++) judge(&first, b, X);
  for (bf_int b = KINDS; b < count; b++)
    if (!t_same(&first.B, b, &first.B, b % KINDS))
      fail_msg("%s, type %d n=%d: matrix %d of %d is not that of another place", name[op], (int)type, (int)n,
               (int)b, (int)count);
  for (int k = 0; k < RUNS; k++) {
    t_round C = round_again(&R);
    run(&C);
    const bf_int other = first_other(&first, &C);
    if (other < count)
      fail_msg("%s, type %d n=%d: matrix %d of %d has other bits in run %d", name[op], (int)type, (int)n,
               (int)other, (int)count, k);
    again_destroy(&C);
  }
  again_destroy(&first);
  again_destroy(&R);
  bf_host_free(R.A);
  bf_host_free(X);
}

static void every_run_gives_the_bits_of_the_first(void **state)
{
  (void)state;
  const char  *set     = getenv("BANDFEM_SECONDS");
  const double seconds = t_quick() ? 0.0 : set ? strtod(set, NULL) : 20.0;
  const time_t begin   = time(NULL);
  uint64_t     seed    = 1;
  int          rounds  = 0;
  double       done    = 0.0;
  for (; rounds < OPS || difftime(time(NULL), begin) < seconds; rounds++) {
    const uint64_t own  = t_random(&seed) >> 20;
    const bf_int   most = own % 3 ? 64 : MOST, n = 1 + (bf_int)(own / 3 % (uint64_t)most),
                 limit = t_quick()                  ? KINDS
                         : 1000000 / (n * n) < 3000 ? 1000000 / (n * n)
                                                    : 3000,
                 count = KINDS + (bf_int)(own / 1000 % (uint64_t)(limit + 1));
    one_round(rounds % OPS, t_types[own / 7 % T_TYPES], n, count, (int)(own / 29 % 2), &seed);
    done += (RUNS + 1.0) * count;
  }
  print_message("%d batches, %.0f matrices\n", rounds, done);
}

int main(int argc, char **argv)
{
  int code = t_backend_open(argc, argv);
  if (code == 0) code = t_batch_missing(t_be->ops.batch.heev != NULL, "heev_batch");
  if (code) return code;
  if (bf_backend_create("cpu", NULL, &host) != BF_OK) return 1;
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_run_gives_the_bits_of_the_first)};
  code                            = T_RUN(tests);
  bf_backend_destroy(&host);
  bf_backend_destroy(&t_be);
  return code;
}
