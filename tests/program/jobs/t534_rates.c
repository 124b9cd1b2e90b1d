/* tests/program/jobs/t534_rates.c - rates follow from the properties of a device, and expected times from the
 * rates */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/matrix/cost_model.h"
#include "tests/test.h"
#include <math.h>

static const bf_properties h200  = {"NVIDIA H200", 90, 132 * 2048, 4.9168e12};
static const bf_properties half  = {"NVIDIA X1", 90, 66 * 2048, 2.45e12};
static const bf_properties blind = {"NVIDIA X2", 120, 0, 0.0};

/* Of a product in CSR with one unknown a node and 27 entries a row. */
static double csr(int64_t rows, const bf_rates *rates)
{
  const int64_t bytes = bf_csr_product_bytes(27 * rows, (bf_int)rows, BF_FP64);
  return bf_product_seconds(BF_FORMAT_CSR, 0, bytes, NULL, NULL, rows, 27.0, 1, rates);
}

static void a_device_of_the_table_has_its_rates_whatever_its_clock(void **state)
{
  (void)state;
  bf_rates r, unknown;
  bf_rates_of(&h200, 1, &r);
  assert_true(r.on_device && r.scale == 1.0 && r.wave == 132 * 2048);
  assert_true(r.triad > 4e12 && r.triad < h200.bandwidth);
  bf_rates_of(NULL, 1, &unknown); /* a deck for a GPU, checked where there is none */
  assert_true(csr(1000000, &r) == csr(1000000, &unknown) && unknown.triad == 0.0);
  bf_properties slice = h200; /* a part of the multiprocessors and of the memory */
  slice.threads       = 16 * 2048;
  slice.bandwidth /= 8.0;
  bf_rates_of(&slice, 1, &r);
  assert_true(fabs(r.scale - 0.125) < 0.002 && r.wave == 16 * 2048 && r.triad < slice.bandwidth);
}

static void another_device_is_scaled_by_its_bandwidth(void **state)
{
  (void)state;
  bf_rates r, s;
  bf_rates_of(&h200, 1, &r);
  bf_rates_of(&half, 1, &s);
  assert_true(fabs(s.scale - 0.5) < 0.01 && s.wave == 66 * 2048);
  assert_true(fabs(s.triad - 0.9 * half.bandwidth) < 1.0);
  assert_true(fabs(csr(20000000, &s) / csr(20000000, &r) - 2.0) < 0.05);
  assert_true(csr(10, &s) - csr(10, &r) < 0.01 * csr(10, &r)); /* a launch takes as long */
}

static void a_device_of_unknown_bandwidth_has_the_table_and_no_share(void **state)
{
  (void)state;
  bf_rates r;
  bf_rates_of(&blind, 1, &r);
  assert_true(r.scale == 1.0 && r.triad == 0.0 && r.wave > 0.0);
}

static void a_cpu_has_its_own_table_and_no_share(void **state)
{
  (void)state;
  const bf_properties p = {"AMD EPYC", 0, 2, 0.0};
  bf_rates            r, by_word;
  bf_rates_of(&p, 0, &r);
  assert_true(!r.on_device && r.triad == 0.0);
  bf_rates_of_word("cpu", &by_word);
  assert_true(csr(1000, &r) == csr(1000, &by_word));
  bf_rates gpu;
  bf_rates_of(&h200, 1, &gpu);
  assert_true(csr(1000000, &r) > 10.0 * csr(1000000, &gpu));
}

static void cuda_by_name_is_a_device_even_where_there_is_none(void **state)
{
  (void)state;
  bf_rates r;
  bf_rates_of_word("cuda", &r);
  assert_true(r.on_device);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_device_of_the_table_has_its_rates_whatever_its_clock),
      cmocka_unit_test(another_device_is_scaled_by_its_bandwidth),
      cmocka_unit_test(a_device_of_unknown_bandwidth_has_the_table_and_no_share),
      cmocka_unit_test(a_cpu_has_its_own_table_and_no_share),
      cmocka_unit_test(cuda_by_name_is_a_device_even_where_there_is_none),
  };
  return T_RUN(tests);
}
