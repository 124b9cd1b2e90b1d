/* tests/kernels/dense/t367_small_batch.c - batches of every order from 1 to 32: LU, inverse, Cholesky; all
 * orders in one call usage: t367_small_batch <backend> */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/kernels/dense/batch_family.h"
#include "tests/kernels/dense/batch_score.h"

enum { MOST = 32, COUNT = 5, ALL = MOST * MOST };

static t_matrix_of *const families[COUNT] = {t_random_matrix, t_permuted_identity, t_definite_matrix,
                                             t_empty_diagonal, t_ties};

typedef struct t_orders {
  t_cx   A[COUNT][ALL], F[ALL];
  bf_int ipiv[COUNT * MOST], info[COUNT];
} t_orders;

static t_batch plant(t_orders *o, bf_scalar type, bf_int n, uint64_t *seed)
{
  t_batch B = t_batch_create(type, n, COUNT);
  for (int b = 0; b < COUNT; b++) {
    families[b](type, n, o->A[b], seed);
    t_put(&B, b, o->A[b]);
    t_get(&B, b, o->A[b]); /* as it was rounded */
  }
  return B;
}

static void every_order_is_factored_and_inverted_to_roundoff(void **state)
{
  uint64_t  seed = 1;
  t_orders *o    = bf_host_alloc(1, sizeof *o);
  (void)state;
  assert_non_null(o);
  for (int t = 0; t < T_TYPES; t++)
    for (bf_int n = 1; n <= MOST; n++) {
      T_ONE_OF(5);
      t_batch B = plant(o, t_types[t], n, &seed), C = t_batch_create(t_types[t], n, COUNT);
      for (int b = 0; b < COUNT; b++) t_put(&C, b, o->A[b]);
      t_getrf(&B, o->ipiv, o->info);
      t_guards(&B);
      for (int b = 0; b < COUNT - 1; b++) {
        t_get(&B, b, o->F);
        const t_lu_error e = t_lu_score(t_types[t], n, o->A[b], o->F, o->ipiv + b * n);
        if (o->info[b] != 0 || !(e.over_a <= 1.0))
          fail_msg("type %d n=%d family %d: info %d, %g", t, (int)n, b, (int)o->info[b], e.over_a);
      }
      t_getri(&B, o->ipiv, o->info);
      t_guards(&B);
      t_inverse(&C, o->info);
      t_guards(&C);
      for (int b = 0; b < COUNT - 1; b++) {
        t_get(&C, b, o->F);
        const double fused = t_inverse_error(t_types[t], n, o->A[b], o->F);
        t_get(&B, b, o->F);
        const double of_factors = t_inverse_error(t_types[t], n, o->A[b], o->F);
        if (o->info[b] != 0 || !(fused <= 10.0) || !(of_factors <= 10.0))
          fail_msg("type %d n=%d family %d: info %d, inverse %g, of factors %g", t, (int)n, b,
                   (int)o->info[b], fused, of_factors);
      }
      t_batch_destroy(&B);
      t_batch_destroy(&C);
    }
  bf_host_free(o);
}

static void operate(int op, t_batch *B, bf_int *ipiv, bf_int *info)
{
  if (op == 0) t_getrf(B, ipiv, info);
  if (op == 1) t_inverse(B, info);
  if (op == 2) t_potrf(B, BF_LOWER, info);
  if (op == 3) t_potrf(B, BF_UPPER, info);
}

/* Neighbours in a warp of other orders, one of them broken: the same bits as alone. */
static void orders_beside_each_other_do_not_meet(void **state)
{
  enum { MANY = 3 * MOST + 1, BROKEN = 40 };
  uint64_t    seed = 2;
  bf_int      ipiv[MANY * MOST], info[MANY], one_ipiv[MOST], one_info[1];
  static t_cx A[MANY][ALL];
  (void)state;
  for (int t = 0; t < T_TYPES; t++)
    for (int op = 0; op < 4; op++) {
      t_batch B = t_batch_create(t_types[t], MOST, MANY);
      B.sizes   = bf_host_alloc(MANY, sizeof *B.sizes);
      assert_non_null(B.sizes);
      for (bf_int b = 0; b < MANY; b++) {
        B.sizes[b] = 1 + b % MOST;
        (op < 2 ? t_random_matrix : t_definite_matrix)(t_types[t], B.sizes[b], A[b], &seed);
        if (b == BROKEN) A[b][0].re = (double)NAN;
        t_put(&B, b, A[b]);
      }
      operate(op, &B, ipiv, info);
      t_guards(&B);
      for (bf_int b = 0; b < MANY; b += t_quick() ? 31 : 7) {
        const bf_int n = 1 + b % MOST;
        t_batch      C = t_batch_create(t_types[t], n, 1);
        t_put(&C, 0, A[b]);
        operate(op, &C, one_ipiv, one_info);
        assert_int_equal(info[b], b == BROKEN ? n + 1 : 0);
        assert_int_equal(info[b], one_info[0]);
        assert_true(b == BROKEN || t_same(&B, b, &C, 0));
        if (op == 0 && b != BROKEN) assert_memory_equal(ipiv + b * MOST, one_ipiv, (size_t)n * sizeof *ipiv);
        t_batch_destroy(&C);
      }
      t_batch_destroy(&B);
    }
}

int main(int argc, char **argv)
{
  int code = t_backend_open(argc, argv);
  if (code == 0) code = t_batch_missing(t_be->ops.batch.getrf != NULL, "getrf_batch");
  if (code) return code;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_order_is_factored_and_inverted_to_roundoff),
      cmocka_unit_test(orders_beside_each_other_do_not_meet),
  };
  return t_backend_close(T_RUN(tests));
}
