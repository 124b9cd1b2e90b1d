/* tests/kernels/dense/t366_sizes_batch.c - batches of several sizes, behind pointers, in any order and
 * number: every matrix becomes what it becomes alone, bit for bit usage: t366_sizes_batch <backend> */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/kernels/dense/batch_family.h"
#include "tests/kernels/dense/batch_score.h"

/* An operation on a case, in place; ipiv[count][n]. */
typedef void operation(t_batch *B, bf_int *ipiv, bf_int *info);

static void lu(t_batch *B, bf_int *ipiv, bf_int *info)
{
  t_getrf(B, ipiv, info);
}
static void inverse(t_batch *B, bf_int *ipiv, bf_int *info)
{
  (void)ipiv;
  t_inverse(B, info);
}
static void lu_and_inverse(t_batch *B, bf_int *ipiv, bf_int *info)
{
  t_getrf(B, ipiv, info);
  t_getri(B, ipiv, info);
}
static void cholesky(t_batch *B, bf_int *ipiv, bf_int *info)
{
  (void)ipiv;
  t_potrf(B, BF_LOWER, info);
}

static const struct {
  const char *name;
  operation  *run;
} ops[] = {{"getrf", lu}, {"inverse", inverse}, {"getri", lu_and_inverse}, {"potrf", cholesky}};
enum { OPS = sizeof ops / sizeof *ops };

/* 0 where the backend has it. */
static int missing(int op)
{
  const bf_ops *o = &t_be->ops;
  return op == 0   ? !o->batch.getrf
         : op == 1 ? !o->batch.inverse
         : op == 2 ? !o->batch.getri
                   : !o->batch.potrf;
}

typedef struct t_many {
  t_batch B;
  bf_int *ipiv, *info; /* owned */
} t_many;

static t_many many_create(bf_scalar type, bf_int n, bf_int count)
{
  t_many M = {.B = t_batch_create(type, n, count)};
  M.ipiv   = bf_host_alloc((size_t)n * (size_t)count, sizeof *M.ipiv);
  M.info   = bf_host_alloc((size_t)count, sizeof *M.info);
  assert_true(M.ipiv && M.info);
  for (bf_int b = 0; b < count; b++) M.info[b] = -7;
  return M;
}
static void many_destroy(t_many *M)
{
  t_batch_destroy(&M->B);
  bf_host_free(M->ipiv);
  bf_host_free(M->info);
}

/* The matrix of number `id`: the same wherever it stands. */
static void fill(t_batch *B, bf_int b, int id)
{
  const bf_int n    = t_order(B, b);
  uint64_t     seed = 1000 + (uint64_t)id;
  t_cx        *A    = bf_host_alloc((size_t)n * (size_t)n + 1, sizeof *A);
  assert_non_null(A);
  if (n > 0) t_definite_matrix(B->type, n, A, &seed); /* also for Cholesky */
  for (bf_int j = 1; j < n && id % 2; j++) A[j].re *= 1.25, A[j * n].re *= 1.25;
  t_put(B, b, A);
  bf_host_free(A);
}

/* Matrix b of M against the same one alone, of its own size. */
static void alone(int op, const t_many *M, bf_int b, int id)
{
  const bf_int n   = t_order(&M->B, b);
  t_many       one = many_create(M->B.type, n, 1);
  fill(&one.B, 0, id);
  ops[op].run(&one.B, one.ipiv, one.info);
  if (M->info[b] != one.info[0] || !t_same(&M->B, b, &one.B, 0))
    fail_msg("%s type %d n=%d: info %d, alone %d, or other bits", ops[op].name, (int)M->B.type, (int)n,
             (int)M->info[b], (int)one.info[0]);
  if (op == 0) assert_memory_equal(M->ipiv + (int64_t)b * M->B.n, one.ipiv, (size_t)n * sizeof *one.ipiv);
  many_destroy(&one);
}

static void sizes_may_be_mixed(int op, bf_scalar type, bf_int most, bf_int count)
{
  uint64_t seed = 11 + (uint64_t)most;
  t_many   M    = many_create(type, most, count);
  bf_int  *keep = bf_host_alloc((size_t)count, sizeof *keep);
  M.B.sizes     = bf_host_alloc((size_t)count, sizeof *M.B.sizes);
  assert_true(M.B.sizes && keep);
  for (bf_int b = 0; b < count; b++) {
    M.B.sizes[b] = (bf_int)(t_random(&seed) % (uint64_t)(most + 1));
    fill(&M.B, b, b);
  }
  memcpy(keep, M.B.sizes, (size_t)count * sizeof *keep);
  M.B.sizes[2]         = most + 1; /* out of range: the matrix there is a matrix of another size */
  M.B.sizes[count - 1] = -1;
  t_batch before       = M.B;
  before.a             = bf_host_alloc(before.bytes, 1);
  assert_non_null(before.a);
  memcpy(before.a, M.B.a, before.bytes);
  ops[op].run(&M.B, M.ipiv, M.info);
  memcpy(M.B.sizes, keep, (size_t)count * sizeof *keep);
  t_guards(&M.B);
  for (bf_int b = 0; b < count; b++)
    if (b == 2 || b == count - 1) {
      assert_int_equal(M.info[b], -1);
      assert_true(t_same(&M.B, b, &before, b));
    } else if (M.B.sizes[b] == 0) {
      assert_int_equal(M.info[b], 0);
    } else {
      alone(op, &M, b, b);
    }
  bf_host_free(before.a);
  bf_host_free(keep);
  many_destroy(&M);
}

static void mixed_sizes_become_what_they_become_alone(void **state)
{
  (void)state;
  for (int op = 0; op < OPS; op++)
    for (int t = 0; t < T_TYPES && !missing(op); t++) {
      if (t_quick() == 2 && op != t) continue;
      sizes_may_be_mixed(op, t_types[t], 5, t_quick() ? 6 : 30);
      sizes_may_be_mixed(op, t_types[t], 40, t_quick() == 2 ? 5 : t_quick() ? 9 : 100);
      sizes_may_be_mixed(op, t_types[t], 140, t_quick() == 2 ? 3 : t_quick() ? 7 : 60);
      if (!t_quick()) sizes_may_be_mixed(op, t_types[t], 512, 24); /* every bucket */
    }
}

/* More matrices than the device has multiprocessors, where some orders take a warp more than others. */
static void many_of_similar_sizes(int op, bf_scalar type, bf_int most)
{
  enum { KINDS = 8, STEP = 9 };
  const bf_int count = t_be->ops.on_device && !t_quick() ? 300 : KINDS;
  t_many       one[KINDS], M = many_create(type, most, count);
  M.B.sizes = bf_host_alloc((size_t)count, sizeof *M.B.sizes);
  assert_non_null(M.B.sizes);
  for (bf_int b = 0; b < count; b++) M.B.sizes[b] = most - STEP * (b * 5 % KINDS);
  for (bf_int i = 0; i < KINDS; i++) {
    const bf_int n    = M.B.sizes[i];
    uint64_t     seed = (uint64_t)n;
    t_cx        *A    = bf_host_alloc((size_t)n * (size_t)n, sizeof *A);
    assert_non_null(A);
    t_random_matrix(type, n, A, &seed);
    one[i] = many_create(type, n, 1);
    t_put(&one[i].B, 0, A);
    for (bf_int b = i; b < count; b += KINDS) t_put(&M.B, b, A);
    ops[op].run(&one[i].B, one[i].ipiv, one[i].info);
    bf_host_free(A);
  }
  ops[op].run(&M.B, M.ipiv, M.info);
  for (bf_int b = 0; b < count; b++)
    if (M.info[b] != 0 || !t_same(&M.B, b, &one[b % KINDS].B, 0))
      fail_msg("%s type %d n=%d: info %d, or other bits than alone", ops[op].name, (int)type,
               (int)M.B.sizes[b], (int)M.info[b]);
  for (int i = 0; i < KINDS; i++) many_destroy(&one[i]);
  many_destroy(&M);
}

static void many_of_similar_sizes_become_what_they_become_alone(void **state)
{
  (void)state;
  for (int op = 0; op < 2; op++)
    for (int t = 0; t < T_TYPES && !missing(op); t++) {
      T_ONE_OF(1);
      if (t_quick() < 2) many_of_similar_sizes(op, t_types[t], 176);
      if (t_quick()) continue;
      many_of_similar_sizes(op, t_types[t], 256);
      many_of_similar_sizes(op, t_types[t], 288);
    }
}

/* One matrix of each order that has a kernel of its own, among so many of order 0 that the batch is a large
 * one. */
static void among_many(int op, bf_scalar type, bf_int most, bf_int count)
{
  static const t_family family[OPS] = {T_LU, T_INVERSES, T_INVERSES, T_CHOLESKY};
  const bf_int         *order       = t_quick_orders[family[op]][type];
  enum { APART = 7 };
  t_many M  = many_create(type, most, count);
  bf_int at = 0;
  M.B.sizes = bf_host_alloc((size_t)count, sizeof *M.B.sizes);
  assert_non_null(M.B.sizes);
  memset(M.B.sizes, 0, (size_t)count * sizeof *M.B.sizes);
  for (int s = 0; order[s] > 0 && order[s] <= most; s++) {
    if (order[s] <= 32 || (most > 140 && order[s] <= 140)) continue;
    M.B.sizes[at * APART] = order[s];
    fill(&M.B, at * APART, s);
    at++;
  }
  ops[op].run(&M.B, M.ipiv, M.info);
  t_guards(&M.B);
  for (bf_int b = 0, s = 0; b < count; b++) {
    assert_int_equal(M.info[b], 0);
    if (M.B.sizes[b] == 0) continue;
    while (order[s] != M.B.sizes[b]) s++;
    if (t_quick() < 2) alone(op, &M, b, s);
  }
  many_destroy(&M);
}

static void one_of_each_order_among_many_becomes_what_it_becomes_alone(void **state)
{
  (void)state;
  for (int op = 0; op < OPS; op++)
    for (int t = 0; t < T_TYPES && !missing(op); t++) {
      if (t_quick() == 2 && op != 3) continue; /* only Cholesky's kernels are others for many */
      among_many(op, t_types[t], 140, 300);
      among_many(op, t_types[t], 260, 140);
    }
}

/* However many blocks of the device work on a matrix. */
static void few_and_many_become_the_same(void **state)
{
  (void)state;
  enum { KINDS = 3, POTRF = 3 };
  static const bf_int size[] = {65, 100, 260}, many[] = {4, 10, 20, 30, 60, 140};
  for (int t = 0; t < T_TYPES && !missing(POTRF); t++)
    for (size_t s = 0; s < sizeof size / sizeof *size; s++)
      for (size_t c = 0; c < (t_be->ops.on_device ? sizeof many / sizeof *many : 1); c++) {
        T_ONE_OF(11);
        t_many M = many_create(t_types[t], size[s], many[c]);
        for (bf_int b = 0; b < many[c]; b++) fill(&M.B, b, b % KINDS);
        ops[POTRF].run(&M.B, M.ipiv, M.info);
        t_guards(&M.B);
        for (bf_int b = 0; b < KINDS; b++) alone(POTRF, &M, b, b);
        for (bf_int b = 0; b < many[c]; b++)
          if (M.info[b] != 0 || !t_same(&M.B, b, &M.B, b % KINDS))
            fail_msg("type %d n=%d: other bits among %d", (int)t_types[t], (int)size[s], (int)many[c]);
        many_destroy(&M);
      }
}

/* On a device rows left of LU's panels move in the blocks that end it where there are four turns of these. */
static void lu_of_few_and_of_many_is_the_same(void **state)
{
  (void)state;
  enum { KINDS = 3, GETRF = 0, ORDER = 128 };
  for (int t = 0; t < T_TYPES && !missing(GETRF); t++) {
    const bf_int count = !t_be->ops.on_device || t_quick() ? 4 : t_types[t] == BF_Z ? 1600 : 3200;
    t_many       few = many_create(t_types[t], ORDER, KINDS), M = many_create(t_types[t], ORDER, count);
    t_cx        *A    = bf_host_alloc((size_t)ORDER * ORDER, sizeof *A);
    uint64_t     seed = 17;
    assert_non_null(A);
    for (bf_int kind = 0; kind < KINDS; kind++) {
      t_random_matrix(t_types[t], ORDER, A, &seed);
      t_put(&few.B, kind, A);
      for (bf_int b = kind; b < count; b += KINDS) t_put(&M.B, b, A);
    }
    ops[GETRF].run(&few.B, few.ipiv, few.info);
    ops[GETRF].run(&M.B, M.ipiv, M.info);
    t_guards(&M.B);
    for (bf_int b = 0; b < count; b++) {
      const bf_int *ipiv = few.ipiv + b % KINDS * ORDER;
      if (M.info[b] != 0 || !t_same(&M.B, b, &few.B, b % KINDS) ||
          memcmp(M.ipiv + (int64_t)b * ORDER, ipiv, ORDER * sizeof *ipiv) != 0)
        fail_msg("type %d: other bits among %d", (int)t_types[t], (int)count);
    }
    bf_host_free(A);
    many_destroy(&few);
    many_destroy(&M);
  }
}

static void order_and_neighbours_change_nothing(void **state)
{
  (void)state;
  enum { COUNT = 19 };
  static const bf_int size[] = {1, 3, 8, 16, 17, 32, 33, 64, 65, 96, 108, 129, 200};
  for (int op = 0; op < OPS; op++)
    for (int t = 0; t < T_TYPES && !missing(op); t++)
      for (size_t s = 0; s < sizeof size / sizeof *size; s++) {
        T_ONE_OF(7);
        t_many M = many_create(t_types[t], size[s], COUNT), N = many_create(t_types[t], size[s], COUNT);
        N.B.array = 1;
        for (bf_int b = 0; b < COUNT; b++) {
          fill(&M.B, b, b);
          fill(&N.B, b, (b * 5 + 3) % COUNT);
        }
        ops[op].run(&M.B, M.ipiv, M.info);
        ops[op].run(&N.B, N.ipiv, N.info);
        t_guards(&M.B);
        t_guards(&N.B);
        for (bf_int b = 0; b < COUNT; b++) {
          assert_int_equal(N.info[b], 0);
          if (!t_same(&N.B, b, &M.B, (b * 5 + 3) % COUNT))
            fail_msg("%s type %d n=%d depends on its place", ops[op].name, (int)t_types[t], (int)size[s]);
        }
        alone(op, &M, 7, 7);
        many_destroy(&M);
        many_destroy(&N);
      }
}

static void none_and_very_many_are_batches(void **state)
{
  (void)state;
  T_LONG;
  enum { MANY = 65537 };
  bf_int untouched = 77, ipiv = 78;
  for (int op = 0; op < OPS; op++)
    for (int t = 0; t < T_TYPES && !missing(op); t += 3) { /* S and Z */
      const bf_batch empty = {.type = t_types[t], .n = 4, .ld = 4};
      T_OK(op == 0   ? bf_getrf_batch(t_be, &empty, &ipiv, &untouched, NULL)
           : op == 1 ? bf_inverse_batch(t_be, &empty, &untouched, NULL)
           : op == 2 ? bf_getri_batch(t_be, &empty, &ipiv, &untouched, NULL)
                     : bf_potrf_batch(t_be, BF_LOWER, &empty, &untouched, NULL));
      assert_true(untouched == 77 && ipiv == 78);
      t_many M = many_create(t_types[t], 3, MANY);
      for (bf_int b = 0; b < MANY; b++) fill(&M.B, b, b % 97);
      ops[op].run(&M.B, M.ipiv, M.info);
      t_guards(&M.B);
      for (bf_int b = 0; b < MANY; b++) {
        assert_int_equal(M.info[b], 0);
        assert_true(t_same(&M.B, b, &M.B, b % 97));
      }
      alone(op, &M, MANY - 1, (MANY - 1) % 97);
      many_destroy(&M);
    }
}

/* Room is what the caller brings: no call takes memory of the host's. */
static void calls_allocate_nothing(void **state)
{
  (void)state;
  enum { COUNT = 7 };
  static const bf_int size[] = {3, 20, 40, 70, 130};
  for (int t = 0; t < T_TYPES; t++)
    for (size_t s = 0; s < sizeof size / sizeof *size; s++) {
      T_ONE_OF(3);
      t_many       M = many_create(t_types[t], size[s], COUNT), P = many_create(t_types[t], size[s], COUNT);
      const bf_int n = size[s];
      bf_int *ipiv = t_workspace((size_t)n * COUNT * sizeof *ipiv), *info = t_workspace(COUNT * sizeof *info);
      double *w = t_workspace((size_t)n * COUNT * sizeof *w);
      void   *work[BF_HEGV + 1];
      bf_int  kinds[COUNT];
      for (bf_int b = 0; b < COUNT; b++) fill(&M.B, b, b), fill(&P.B, b, b), kinds[b] = n - b % 2;
      M.B.sizes = bf_host_alloc(COUNT, sizeof *M.B.sizes);
      assert_non_null(M.B.sizes);
      memcpy(M.B.sizes, kinds, sizeof kinds);
      const bf_batch A = t_start(&M.B);
      bf_batch       B = t_start(&P.B);
      B.sizes          = A.sizes;
      for (int op = 0; op <= BF_HEGV; op++) work[op] = t_work((bf_batch_op)op, &A);
      const int64_t calls = bf_memory_calls();
      if (!missing(3)) T_OK(bf_potrf_batch(t_be, BF_LOWER, &A, info, work[BF_POTRF]));
      if (t_be->ops.batch.hegv)
        T_OK(bf_hegv_batch(t_be, &(bf_heev_how){.vectors = 1}, &A, &B, w, info, work[BF_HEGV]));
      if (t_be->ops.batch.heev)
        T_OK(bf_heev_batch(t_be, &(bf_heev_how){.vectors = 1}, &A, w, info, work[BF_HEEV]));
      if (!missing(0)) T_OK(bf_getrf_batch(t_be, &A, ipiv, info, work[BF_GETRF]));
      if (!missing(2)) T_OK(bf_getri_batch(t_be, &A, ipiv, info, work[BF_GETRI]));
      if (!missing(1)) T_OK(bf_inverse_batch(t_be, &A, info, work[BF_INVERSE]));
      assert_int_equal(bf_memory_calls(), calls);
      for (int op = 0; op <= BF_HEGV; op++) t_be->ops.release(t_be, work[op]);
      B.sizes = NULL;
      t_finish(&M.B, &A);
      t_finish(&P.B, &B);
      t_be->ops.release(t_be, ipiv);
      t_be->ops.release(t_be, info);
      t_be->ops.release(t_be, w);
      many_destroy(&M);
      many_destroy(&P);
    }
}

static void wrong_arguments_are_refused(void **state)
{
  (void)state;
  double        *p     = t_workspace(64 * sizeof *p);
  bf_int        *info  = t_workspace(4 * sizeof *info);
  const bf_batch good  = {.type = BF_D, .n = 2, .ld = 2, .count = 1, .stride = 4, .a = p};
  const bf_batch bad[] = {
      {.type = BF_D, .n = 0, .ld = 1, .count = 1, .stride = 1, .a = p},
      {.type = BF_D, .n = 2, .ld = 1, .count = 1, .stride = 4, .a = p},
      {.type = BF_D, .n = 2, .ld = 2, .count = 2, .stride = 3, .a = p},
      {.type = BF_D, .n = 2, .ld = 2, .count = -1, .stride = 4, .a = p},
      {.type = BF_D, .n = 2, .ld = 2, .count = 1, .stride = 4},
      {.type = (bf_scalar)4, .n = 2, .ld = 2, .count = 1, .stride = 4, .a = p},
      {.type = BF_D, .n = BF_BATCH_LARGEST + 1, .ld = BF_BATCH_LARGEST + 1, .count = 1, .a = p}};
  for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
    T_ERR(BF_E_ARG, bf_getrf_batch(t_be, &bad[k], info, info, p));
    T_ERR(BF_E_ARG, bf_inverse_batch(t_be, &bad[k], info, p));
    T_ERR(BF_E_ARG, bf_potrf_batch(t_be, BF_UPPER, &bad[k], info, p));
  }
  T_ERR(BF_E_ARG, bf_getrf_batch(t_be, NULL, info, info, p));
  T_ERR(BF_E_ARG, bf_getrf_batch(t_be, &good, NULL, info, p));
  T_ERR(BF_E_ARG, bf_getrf_batch(t_be, &good, info, NULL, p));
  T_ERR(BF_E_ARG, bf_potrf_batch(t_be, (bf_uplo)2, &good, info, p));
  const bf_batch_rhs few = {.nrhs = 1, .ld = 1, .b = p}, none = {.nrhs = 1, .ld = 2},
                     less = {.nrhs = -1, .ld = 2, .b = p};
  T_ERR(BF_E_ARG, bf_getrs_batch(t_be, BF_TRANS, &good, info, &few, info, p));
  T_ERR(BF_E_ARG, bf_getrs_batch(t_be, BF_TRANS, &good, info, &none, info, p));
  T_ERR(BF_E_ARG, bf_getrs_batch(t_be, BF_TRANS, &good, info, &less, info, p));
  T_ERR(BF_E_ARG, bf_getrs_batch(t_be, (bf_trans)3, &good, info, &few, info, p));
  t_be->ops.release(t_be, p);
  t_be->ops.release(t_be, info);
}

int main(int argc, char **argv)
{
  int code = t_backend_open(argc, argv);
  if (code) return code;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(mixed_sizes_become_what_they_become_alone),
      cmocka_unit_test(many_of_similar_sizes_become_what_they_become_alone),
      cmocka_unit_test(one_of_each_order_among_many_becomes_what_it_becomes_alone),
      cmocka_unit_test(few_and_many_become_the_same),
      cmocka_unit_test(lu_of_few_and_of_many_is_the_same),
      cmocka_unit_test(order_and_neighbours_change_nothing),
      cmocka_unit_test(none_and_very_many_are_batches),
      cmocka_unit_test(calls_allocate_nothing),
      cmocka_unit_test(wrong_arguments_are_refused),
  };
  return t_backend_close(T_RUN(tests));
}
