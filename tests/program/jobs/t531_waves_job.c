/* tests/program/jobs/t531_waves_job.c - a dispersion from within: pencils that are not Hermitian are an error
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "app/run/dispersion/dispersion.h"
#include "tests/test.h"
#include <math.h>

static void pencils_that_are_not_hermitian_are_told(void **state)
{
  (void)state;
  static const double defect[] = {0.0, 1e-11, 1e-9, 1.0, (double)NAN};
  for (int k = 0; k < 5; k++) {
    const int    bad   = k > 1;
    bf_job_waves waves = {.record.hermitian_defect = defect[k]};
    bf_job       job   = {.deck_path = "deck.yaml", .waves = &waves};
    bf_waves_judge(&job);
    assert_int_equal(waves.failed, bad);
    assert_int_equal(job.diags.count, bad);
    if (!bad) continue;
    assert_int_equal(job.diags.item[0].code, 506);
    assert_int_equal(job.diags.item[0].severity, BF_ERROR);
    T_CONTAINS(job.diags.item[0].text, "is not Hermitian: defect ");
    bf_diags_clear(&job.diags);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(pencils_that_are_not_hermitian_are_told)};
  return T_RUN(tests);
}
