/* tests/mesh/t109_msh_numbers.c - numbers of ascii .msh files are read exactly */
/* SPDX-License-Identifier: BSD-3-Clause */
#define T_SCRATCH "t109.msh"
#include "tests/mesh/msh_files.h"
#include <math.h>

/* Random numbers, printed with 15 to 19 digits, come back as strtod reads them. */
static void coordinates_are_read_to_the_last_bit(void **state)
{
  (void)state;
  enum { N = 60000 };
  char    *text = malloc(200 * N), *s = text, word[40];
  double  *want = malloc(3 * N * sizeof *want);
  uint64_t seed = 11;
  bf_diags d    = {0};
  s += sprintf(s, FORMAT22 "$Nodes\n%d\n", N);
  for (int i = 0; i < N; i++) {
    s += sprintf(s, "%d", i + 1);
    for (int k = 0; k < 3; k++) {
      const double big = ldexp(1.0, (int)(t_random(&seed) % 2000) - 1000);
      double       x   = (t_uniform(&seed) - 0.5) * (i % 4 == 0 ? big : i % 4 == 1 ? 1.0 : 1e-3);
      if (i % 4 == 3) x = (double)(t_random(&seed) % 2000) / 1000.0;
      snprintf(word, sizeof word, i % 7 == 0 ? "%.*e" : "%.*g", 15 + i % 9, x);
      want[3 * i + k] = strtod(word, NULL);
      s += sprintf(s, " %s", word);
    }
    s += sprintf(s, "\n");
  }
  sprintf(s, "$EndNodes\n$Elements\n1\n1 2 2 0 1 1 2 3\n$EndElements\n");
  bf_mesh *m = read_text(text, &d);
  assert_memory_equal(m->x, want, 3 * N * sizeof *want);
  bf_mesh_destroy(&m);
  bf_diags_clear(&d);
  free(text);
  free(want);
}

static void odd_numbers_are_read_as_strtod_reads_them(void **state)
{
  (void)state;
  const char *const odd[] = {"9007199254740993",
                             "-0",
                             "1e23",
                             "8.5e-22",
                             "+.5",
                             "5.",
                             "1E+2",
                             "4.9e-324",
                             "1.7976931348623157e308",
                             "0.1000000000000000055511151231257827",
                             "123456789012345678901",
                             "0000000000000000000000000012.5",
                             "2.2250738585072011e-308",
                             "1e-400",
                             "1.7976931348623158079e308",
                             "2.2250738585072014e-308",
                             "9.9999999999999999999999e-290",
                             "3.141592653589793238462643383279502884197e+17",
                             "123456789012345678901234567890.5e-40",
                             "0.00000000000000000000000000000000000123456789012345678901",
                             "0e999",
                             "0x1p3",
                             "6.103515625e-05",
                             "1.00000000000000011102230246251565404"};
  for (size_t k = 0; k < sizeof odd / sizeof *odd; k++) {
    char     text[600];
    bf_diags d = {0};
    snprintf(
        text, sizeof text,
        FORMAT22
        "$Nodes\n3\n1 %s 0 0\n2 1 0 0\n3 1 1 0\n$EndNodes\n$Elements\n1\n1 2 2 0 1 1 2 3\n$EndElements\n",
        odd[k]);
    bf_mesh     *m = read_text(text, &d);
    const double x = strtod(odd[k], NULL);
    assert_memory_equal(m->x, &x, sizeof x);
    bf_mesh_destroy(&m);
    bf_diags_clear(&d);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(coordinates_are_read_to_the_last_bit),
      cmocka_unit_test(odd_numbers_are_read_as_strtod_reads_them),
  };
  const int code = T_RUN(tests);
  remove(scratch);
  return code;
}
