/* tests/kernels/backend/t300_backend.c - the backend's memory, its table, and what happens when an entry or
 * memory is missing usage: t300_backend <backend> */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/matrix/format.h"
#include "kernels/matrix/matrix.h"
#include "tests/backend.h"
#include "tests/no_memory.h"
#include "tests/reference/dense.h"

static void memory_is_aligned_and_copies_come_back(void **state)
{
  (void)state;
  static const size_t size[] = {0, 1, 255, 256, 4097, 1000000};
  for (int k = 0; k < 6; k++) {
    char *h = malloc(size[k] + 1), *back = malloc(size[k] + 1);
    void *p = NULL, *q = NULL;
    for (size_t i = 0; i < size[k]; i++) h[i] = (char)(i * 7 + 3);
    T_OK(t_be->ops.alloc(t_be, size[k], &p));
    T_OK(t_be->ops.alloc(t_be, size[k], &q));
    assert_int_equal((uintptr_t)p % 256, 0);
    T_OK(t_be->ops.copy(t_be, p, h, size[k], BF_TO_DEVICE));
    T_OK(t_be->ops.copy(t_be, q, p, size[k], BF_WITHIN));
    T_OK(t_be->ops.zero(t_be, p, size[k]));
    T_OK(t_be->ops.sync(t_be));
    T_OK(t_be->ops.copy(t_be, back, q, size[k], BF_TO_HOST));
    assert_memory_equal(h, back, size[k]);
    T_OK(t_be->ops.copy(t_be, back, p, size[k], BF_TO_HOST));
    for (size_t i = 0; i < size[k]; i++) assert_int_equal(back[i], 0);
    t_be->ops.release(t_be, p);
    t_be->ops.release(t_be, q);
    free(h);
    free(back);
  }
  t_be->ops.release(t_be, NULL);
}

static void the_backend_tells_its_memory_and_its_name(void **state)
{
  (void)state;
  size_t available = 0, total = 0;
  char   text[200] = "";
  T_OK(t_be->ops.memory(t_be, &available, &total));
  assert_true(available > 0 && available <= total);
  t_be->ops.describe(t_be, text, sizeof text);
  assert_true(strlen(text) > 3);
  t_be->ops.describe(t_be, text, 4); /* cut, never past the end */
  assert_true(strlen(text) <= 3);
}

static void the_backend_tells_fixed_properties_of_its_device(void **state)
{
  (void)state;
  bf_properties p, again;
  memset(&p, 0xff, sizeof p);
  t_be->ops.properties(t_be, &p);
  t_be->ops.properties(t_be, &again);
  assert_true(p.name[0] && memchr(p.name, '\0', sizeof p.name));
  assert_string_equal(p.name, again.name);
  assert_true(p.threads > 0 && p.threads == again.threads);
  assert_true(p.bandwidth == again.bandwidth && p.capability == again.capability);
  assert_true(t_be->ops.on_device ? p.capability >= 90 : p.capability == 0);
  assert_true(t_be->ops.on_device ? p.bandwidth > 1e11 && p.bandwidth < 1e14 : p.bandwidth == 0.0);
}

static void a_missing_entry_is_an_error_that_names_it(void **state)
{
  (void)state;
  bf_backend part       = *t_be;
  double     x          = 1.0;
  part.ops.vector.triad = NULL;
  T_ERR(BF_E_UNSUPPORTED, BF_OP(&part, vector.triad, 1, 2.0, &x, &x, &x));
  T_CONTAINS(bf_err_message(), "triad");
  T_CONTAINS(bf_err_message(), t_be->ops.name);
  const bf_int row[2]         = {0, 3};
  t_table     *t              = t_table_new(3, 1, row);
  bf_bands    *b              = t_table_bands(t);
  bf_matrix   *A              = NULL;
  bf_part_ops  none           = *t_be->ops.part[BF_PART_bdia];
  none.spmv                   = NULL;
  part.ops.part[BF_PART_bdia] = &none;
  T_OK(bf_matrix_create_bdia(&part, b, 1, 0, BF_FP64, 3, &A));
  T_ERR(BF_E_UNSUPPORTED, bf_matrix_spmv(A, &x, &x + 1, NULL, NULL));
  T_CONTAINS(bf_err_message(), "bdia.spmv");
  bf_matrix_destroy(&A);
  bf_bands_destroy(&b);
  t_table_free(t);
}

static void every_operation_of_the_table_is_there(void **state)
{
  (void)state;
  const bf_ops *o = &t_be->ops;
  assert_true(o->vector.axpby && o->vector.dot && o->vector.reciprocal && o->vector.constrain_rhs &&
              o->vector.demote && o->vector.triad);
  assert_non_null(o->matrix.csr_expand);
  for (int k = 0; k < BF_PARTS; k++) {
    const bf_part_ops *p = o->part[k];
    assert_true(p->constrain && p->blocks && (p->spmv || p->spmv_add));
    assert_true(p->diagonal || k == BF_PART_rest);
  }
  for (int f = 0; f < BF_FORMATS; f++) /* of the first part */
    for (int k = 0; k < BF_PARTS; k++)
      if (bf_format_of((bf_format)f)->parts >> k & 1) {
        assert_true(o->part[k]->spmv != NULL);
        assert_true(!bf_format_of((bf_format)f)->elements || o->part[k]->scatter);
        assert_true(!bf_format_of((bf_format)f)->transposes || o->part[k]->spmv_t);
        break;
      }
  assert_true(o->element.matrix && o->element.source && o->element.force && o->element.stress);
  assert_true(o->element.incidence && o->vector.scatter);
  assert_true(o->krylov.cg_begin && o->krylov.cg_move);
  assert_true(o->krylov.bicgstab_begin && o->krylov.bicgstab_middle && o->krylov.bicgstab_move);
}

static void an_unknown_backend_is_refused(void **state)
{
  (void)state;
  bf_backend *be = NULL;
  T_ERR(BF_E_ARG, bf_backend_create("abacus", NULL, &be));
  T_CONTAINS(bf_err_message(), "abacus");
  assert_null(be);
}

static void a_device_that_is_too_old_is_refused_by_its_name(void **state)
{
  (void)state;
  T_OK(bf_device_capable("NVIDIA H200", 90, 90));
  T_OK(bf_device_capable("NVIDIA B200", 100, 90));
  T_ERR(BF_E_DEVICE, bf_device_capable("NVIDIA A100-SXM4-80GB", 80, 90));
  assert_non_null(strstr(bf_err_message(), "NVIDIA A100-SXM4-80GB has compute capability 8.0"));
  assert_non_null(strstr(bf_err_message(), "need 9.0 or newer"));
  T_ERR(BF_E_DEVICE, bf_device_capable("NVIDIA H200", 90, 103));
  assert_non_null(strstr(bf_err_message(), "compute capability 9.0: the kernels of this bandfem need 10.3"));
}

static void auto_takes_one_and_says_why(void **state)
{
  (void)state;
  bf_backend *be  = NULL;
  const char *why = NULL;
  T_OK(bf_backend_create("auto", &why, &be));
  assert_true(why && strlen(why) > 5);
  bf_backend_destroy(&be);
  assert_null(be);
}

/* ---- forecasts ---- */

static size_t counted; /* bytes asked of the backend's alloc while a counting table is in use */

static bf_err counting_alloc(bf_backend *be, size_t bytes, void **p)
{
  counted += bytes;
  return t_be->ops.alloc(be, bytes, p);
}

static void a_matrix_takes_the_memory_that_was_forecast(void **state)
{
  (void)state;
  uint64_t   seed     = 1;
  bf_backend counting = *t_be;
  counting.ops.alloc  = counting_alloc;
  for (int kind = 0; kind < T_TABLE_KINDS; kind++)
    for (int D = 1; D <= 3; D++)
      for (int v = 0; v < 4; v++) {
        t_table   *t = t_table_of_kind((t_table_kind)kind, 900, &seed);
        bf_bands  *b = t_table_bands(t);
        bf_matrix *A = NULL, *B = NULL;
        counted = 0;
        T_OK(bf_matrix_create_bdia(&counting, b, D, v & 1, (bf_prec)(v >> 1), 0, &A));
        assert_int_equal(counted, bf_bdia_bytes(b, D, v & 1, (bf_prec)(v >> 1)));
        assert_int_equal(counted, bf_matrix_bytes(A));
        assert_int_equal(bf_matrix_product_bytes(A), bf_bdia_product_bytes(b, D, v & 1, (bf_prec)(v >> 1)));
        assert_int_equal(bf_matrix_product_bytes(A),
                         bf_bands_slots(b, v & 1) * D * D * (v >> 1 ? 4 : 8) + 900 * D * 16);
        if (!(v >> 1)) {
          counted = 0;
          T_OK(bf_matrix_to_fp32(A, &B));
          assert_int_equal(counted, bf_bdia_bytes(b, D, v & 1, BF_FP32));
          bf_matrix_destroy(&B);
        }
        bf_matrix_destroy(&A);
        bf_bands_destroy(&b);
        t_table_free(t);
      }
}

static void csr_forecasts_count_values_columns_and_rows(void **state)
{
  (void)state;
  assert_int_equal(bf_csr_bytes(1000, 100, BF_FP64), 12000 + 808);
  assert_int_equal(bf_csr_bytes(1000, 100, BF_FP32), 8000 + 808);
  assert_int_equal(bf_csr_product_bytes(1000, 100, BF_FP64), 12000 + 808 + 1600);
  assert_true(bf_csr_bytes((int64_t)1 << 33, INT32_MAX, BF_FP64) > ((int64_t)12 << 33)); /* no 32-bit wrap */
}

static bf_err little_memory(bf_backend *be, size_t *available, size_t *total)
{
  (void)be;
  *available = 4096;
  *total     = 8192;
  return BF_OK;
}

static void a_matrix_that_does_not_fit_is_refused_with_both_numbers(void **state)
{
  (void)state;
  uint64_t   seed   = 1;
  bf_backend little = *t_be;
  bf_graph  *g      = NULL;
  t_table   *t      = t_table_of_kind(T_THREE_BANDS, 1000, &seed);
  bf_bands  *b      = t_table_bands(t);
  bf_matrix *A      = NULL;
  little.ops.alloc  = counting_alloc;
  little.ops.memory = little_memory;
  counted           = 0;
  T_ERR(BF_E_MEMORY, bf_matrix_create_bdia(&little, b, 1, 0, BF_FP64, 0, &A));
  T_CONTAINS(bf_err_message(), "KiB");
  T_CONTAINS(bf_err_message(), "4.0 KiB available");
  T_OK(bf_graph_create(1000, 1000, &g));
  for (bf_int i = 0; i < 1000; i++) {
    g->adj[i]     = i;
    g->ptr[i + 1] = i + 1;
  }
  T_ERR(BF_E_MEMORY, bf_matrix_create_csr(&little, g, 1, BF_FP64, &A));
  T_CONTAINS(bf_err_message(), "4.0 KiB available");
  assert_int_equal(counted, 0); /* refused before anything was taken */
  assert_null(A);
  bf_graph_destroy(&g);
  bf_bands_destroy(&b);
  t_table_free(t);
}

static void sizes_are_64_bit_throughout(void **state)
{
  (void)state;
  bf_int   row[2] = {0, 500000000}, off[201];
  int64_t  ptr[2] = {0, 201};
  bf_bands b      = {.nrows = row[1], .nseg = 1, .row = row, .ptr = ptr, .off = off};
  for (bf_int k = 0; k < 201; k++) off[k] = k - 100;
  const int64_t slots = (int64_t)500000000 * 201;
  assert_int_equal(bf_bdia_product_bytes(&b, 3, 0, BF_FP64), slots * 72 + (int64_t)500000000 * 48);
  assert_true(bf_bdia_bytes(&b, 3, 0, BF_FP64) >= slots * 72);
  bf_matrix *A = NULL;
  T_ERR(BF_E_MEMORY, bf_matrix_create_bdia(t_be, &b, 3, 0, BF_FP64, 0, &A));
  T_CONTAINS(bf_err_message(), "TiB");
  T_ERR(BF_E_ARG, bf_matrix_create_bdia(t_be, &b, 4, 0, BF_FP64, 0, &A));
  row[1] = b.nrows = 1000000000; /* rows of 3 components no longer count in 32 bits */
  T_ERR(BF_E_ARG, bf_matrix_create_bdia(t_be, &b, 3, 0, BF_FP64, 0, &A));
}

/* ---- failing allocations ---- */

static bf_err life(const bf_bands *b, const bf_graph *g)
{
  bf_err     err = BF_OK;
  bf_matrix *A = NULL, *B = NULL, *C = NULL;
  double    *x = NULL;
  BF_GO(bf_matrix_create_bdia(t_be, b, 2, 1, BF_FP64, 0, &A));
  BF_GO(bf_matrix_to_fp32(A, &B));
  BF_GO(bf_matrix_create_csr(t_be, g, 2, BF_FP64, &C));
  bf_matrix_destroy(&B);
  BF_GO(bf_matrix_to_fp32(C, &B));
  BF_GO(bf_matrix_check(C));
  BF_GO(bf_vector_create(t_be, A->nrows, A->guard, &x));
done:
  bf_vector_destroy(t_be, A ? A->guard : 0, &x);
  bf_matrix_destroy(&A);
  bf_matrix_destroy(&B);
  bf_matrix_destroy(&C);
  return err;
}

static void no_failing_allocation_leaks_or_is_overlooked(void **state)
{
  (void)state;
  T_LONG;
  uint64_t  seed = 1;
  t_table  *t    = t_table_of_kind(T_RANDOM_SEGMENTS, 600, &seed);
  bf_bands *b    = t_table_bands(t);
  bf_graph *g    = NULL;
  T_OK(bf_graph_create(2, 2, &g));
  memcpy(g->ptr, (int64_t[3]){0, 1, 2}, 24);
  memcpy(g->adj, (bf_int[2]){0, 1}, 8);
  T_OK(life(b, g)); /* whatever the backend keeps for itself is there now */
  t_no_memory n = {0};
  while (t_no_memory_next(&n)) {
    t_no_memory_begin(&n);
    t_no_memory_end(&n, life(b, g));
  }
  assert_true(n.failed >= 8);
  bf_graph_destroy(&g);
  bf_bands_destroy(&b);
  t_table_free(t);
}

int main(int argc, char **argv)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(memory_is_aligned_and_copies_come_back),
      cmocka_unit_test(the_backend_tells_its_memory_and_its_name),
      cmocka_unit_test(the_backend_tells_fixed_properties_of_its_device),
      cmocka_unit_test(a_missing_entry_is_an_error_that_names_it),
      cmocka_unit_test(every_operation_of_the_table_is_there),
      cmocka_unit_test(an_unknown_backend_is_refused),
      cmocka_unit_test(a_device_that_is_too_old_is_refused_by_its_name),
      cmocka_unit_test(auto_takes_one_and_says_why),
      cmocka_unit_test(a_matrix_takes_the_memory_that_was_forecast),
      cmocka_unit_test(csr_forecasts_count_values_columns_and_rows),
      cmocka_unit_test(a_matrix_that_does_not_fit_is_refused_with_both_numbers),
      cmocka_unit_test(sizes_are_64_bit_throughout),
      cmocka_unit_test(no_failing_allocation_leaks_or_is_overlooked),
  };
  const int code = t_backend_open(argc, argv);
  return code ? code : t_backend_close(T_RUN(tests));
}
