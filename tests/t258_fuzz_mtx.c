/* tests/t258_fuzz_mtx.c - what fuzzing the reader of matrices found stays found: its regressions and its
 * seeds once more */
#include "tests/fuzz/replay.h"

static void every_input_that_once_broke_something_is_answered(void **state)
{
  (void)state;
  assert_true(fuzz_replay(BF_SOURCE_DIR "/tests/fuzz/regressions/mtx") >= 1);
}

static void every_seed_is_answered(void **state)
{
  (void)state;
  assert_true(fuzz_replay(BF_SOURCE_DIR "/tests/matrices") >= 12);
}

static void no_bytes_at_all_are_answered(void **state)
{
  (void)state;
  assert_int_equal(LLVMFuzzerTestOneInput((const uint8_t *)"", 0), 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_input_that_once_broke_something_is_answered),
      cmocka_unit_test(every_seed_is_answered),
      cmocka_unit_test(no_bytes_at_all_are_answered),
  };
  return T_RUN(tests);
}
