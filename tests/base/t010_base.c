/* tests/base/t010_base.c - errors carry their trace, diagnostics their place, allocations can be made to fail
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/diag.h"
#include "base/timer.h"
#include "tests/test.h"

static bf_err fails_below(void)
{
  return BF_FAIL(BF_E_ARG, "n=%d", 5);
}
static bf_err passes_on(void)
{
  BF_TRY(fails_below());
  return BF_OK;
}

static void a_trace_names_message_and_places(void **state)
{
  (void)state;
  T_ERR(BF_E_ARG, passes_on());
  T_CONTAINS(bf_err_trace(), "argument outside its documented range: n=5");
  T_CONTAINS(bf_err_trace(), "at fails_below (");
  T_CONTAINS(bf_err_trace(), "at passes_on (");
  assert_string_equal(bf_err_message(), "n=5");
}

static void the_first_twenty_errors_are_kept_and_all_counted(void **state)
{
  (void)state;
  bf_diags d = {0};
  for (int i = 0; i < 25; i++) bf_diag_add(&d, BF_ERROR, 101, (bf_where){"x", i + 1, 1}, "number %d", i);
  bf_diag_add(&d, BF_WARNING, 311, (bf_where){0}, "hint");
  assert_int_equal(d.errors, 25);
  assert_int_equal(d.warnings, 1);
  assert_int_equal(d.count, 21);
  assert_string_equal(d.item[19].text, "number 19");
  assert_int_equal(bf_diags_status(&d), BF_E_INPUT);
  bf_diags_clear(&d);
}

static void the_class_of_the_first_error_decides_the_status(void **state)
{
  (void)state;
  const struct {
    int    code;
    bf_err err;
  } want[] = {{101, BF_E_INPUT}, {203, BF_E_MODEL}, {301, BF_E_MODEL}, {401, BF_E_DEVICE}, {601, BF_E_FILE}};
  for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
    bf_diags d = {0};
    assert_int_equal(bf_diags_status(&d), BF_OK);
    bf_diag_add(&d, BF_ERROR, want[i].code, (bf_where){0}, "x");
    assert_int_equal(bf_diags_status(&d), want[i].err);
    bf_diags_clear(&d);
  }
}

static void the_nearest_name_is_found_only_if_near(void **state)
{
  (void)state;
  const char *const names[] = {"method", "preconditioner", "rtol"};
  assert_string_equal(bf_nearest("methud", names, 3), "method");
  assert_string_equal(bf_nearest("rtoll", names, 3), "rtol");
  assert_null(bf_nearest("zebra", names, 3));
}

static void allocations_are_zeroed_aligned_counted_and_fail_on_demand(void **state)
{
  (void)state;
  const int64_t live = bf_memory_live();
  double       *p    = bf_host_alloc(100, sizeof *p);
  assert_non_null(p);
  assert_int_equal((uintptr_t)p % 64, 0);
  for (int i = 0; i < 100; i++) assert_true(p[i] == 0.0);
  p[99]     = 7.0;
  double *q = bf_host_realloc(p, 1000, sizeof *q);
  assert_true(q[99] == 7.0);
  assert_int_equal(bf_memory_live(), live + 1);
  bf_host_free(q);
  assert_null(bf_host_alloc(SIZE_MAX / 4, 8));
  bf_memory_fail_at(2);
  void *a = bf_host_alloc(1, 1), *b = bf_host_alloc(1, 1), *c = bf_host_alloc(1, 1);
  bf_memory_fail_at(0);
  assert_non_null(a);
  assert_null(b);
  assert_non_null(c);
  bf_host_free(a);
  bf_host_free(c);
  assert_int_equal(bf_memory_live(), live);
}

static void phases_add_up_by_name(void **state)
{
  (void)state;
  bf_phases p = {0};
  bf_phase_add(&p, "a", 1.0, 10.0, 0.0);
  bf_phase_add(&p, "b", 5.0, 0.0, 0.0);
  bf_phase_add(&p, "a", 3.0, 10.0, 0.0);
  assert_int_equal(p.count, 2);
  assert_int_equal(p.phase[0].calls, 2);
  T_NEAR(p.phase[0].seconds, 4.0, 0.0);
  T_NEAR(p.phase[0].seconds_min, 1.0, 0.0);
  T_NEAR(p.phase[0].seconds_max, 3.0, 0.0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_trace_names_message_and_places),
      cmocka_unit_test(the_first_twenty_errors_are_kept_and_all_counted),
      cmocka_unit_test(the_class_of_the_first_error_decides_the_status),
      cmocka_unit_test(the_nearest_name_is_found_only_if_near),
      cmocka_unit_test(allocations_are_zeroed_aligned_counted_and_fail_on_demand),
      cmocka_unit_test(phases_add_up_by_name),
  };
  return T_RUN(tests);
}
