/* tests/outputs/t272_report.c - report.json is JSON, residuals.csv a table, and the console table shows what
 * happened
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "outputs/atomic_file.h"
#include "outputs/json.h"
#include "tests/outputs/samples.h"
#include <ctype.h>

#define FOLDER BF_BINARY_DIR "/t272"

/* A JSON value at p, strictly (RFC 8259); what follows it, NULL if it is none.  Counts the values. */
static const char *json_value(const char *p, int *count);

static const char *json_space(const char *p)
{
  return p ? p + strspn(p, " \t\r\n") : NULL;
}

static const char *json_text(const char *p)
{
  if (!p || *p++ != '"') return NULL;
  for (; *p != '"'; p++) {
    if ((unsigned char)*p < 0x20) return NULL;
    if (*p != '\\') continue;
    if (*++p == 'u') {
      for (int k = 0; k < 4; k++)
        if (!isxdigit((unsigned char)*++p)) return NULL;
    } else if (!*p || !strchr("\"\\/bfnrt", *p))
      return NULL;
  }
  return p + 1;
}

static const char *json_items(const char *p, char end, int *count)
{
  p = json_space(p + 1);
  if (*p == end) return p + 1;
  for (;;) {
    if (end == '}') {
      p = json_space(json_text(json_space(p)));
      if (!p || *p++ != ':') return NULL;
    }
    p = json_space(json_value(json_space(p), count));
    if (!p) return NULL;
    if (*p == end) return p + 1;
    if (*p++ != ',') return NULL;
  }
}

static const char *json_value(const char *p, int *count)
{
  const char *const words[] = {"true", "false", "null"};
  (*count)++;
  if (!p) return NULL;
  if (*p == '{') return json_items(p, '}', count);
  if (*p == '[') return json_items(p, ']', count);
  if (*p == '"') return json_text(p);
  for (int k = 0; k < 3; k++)
    if (strncmp(p, words[k], strlen(words[k])) == 0) return p + strlen(words[k]);
  const size_t digits = strspn(p, "0123456789+-.eE");
  char        *end;
  if (digits == 0 || (*p != '-' && !isdigit((unsigned char)*p))) return NULL;
  (void)strtod(p, &end);
  return end == p + digits ? end : NULL;
}

static void expect_json(const char *text, int at_least)
{
  int         count = 0;
  const char *end   = json_space(json_value(text, &count));
  if (!end || *end) fail_msg("not JSON: %s", text);
  if (count < at_least) fail_msg("%d values", count);
}

static void the_report_is_json_and_says_what_the_run_said(void **state)
{
  (void)state;
  sample s;
  s_mixed(&s);
  T_OK(bf_write_report(&s.r, FOLDER "/report.json"));
  char *text = s_read(FOLDER "/report.json", NULL);
  expect_json(text, 120);
  T_CONTAINS(text, "\"title\": \"a sample, 100 %\"");
  T_CONTAINS(text, "\"converged\": true");
  T_CONTAINS(text, "\"status\": \"converged\"");
  T_CONTAINS(text, "\"points\": 42");
  T_CONTAINS(text, "\"name\": \"tets/and \\\"hexes\\\"\"");
  T_CONTAINS(text, "\"nnz\": 81000000000");
  T_CONTAINS(text, "\"symmetric\": true");
  T_CONTAINS(text, "\"iterations\": 3");
  T_CONTAINS(text, "\"residual\": 1e-09");
  T_CONTAINS(text, "\"true_residual\": 1.5");
  T_CONTAINS(text, "\"converged_to_rounding\": true");
  T_CONTAINS(text, "\"backward_error\": 3e-17");
  T_CONTAINS(text, "\"estimated_condition\": 4");
  T_CONTAINS(text, "\"estimated_forward_error\": 1.2");
  T_CONTAINS(text, "\"at\": [1, 0.05, 0.05]");
  T_CONTAINS(text, "\"value\": [0.001, 0, -0.002]");
  T_CONTAINS(text, "\"force\": 1.25e-09");
  T_CONTAINS(text, "\"note\": \"a \\\"beam\\\" \\\\ 2nd line\\n\\t\xc3\x85 \\ufffd\""); /* \xff is no UTF-8 */
  T_CONTAINS(text, "\"got\": null");                                                    /* infinity */
  T_CONTAINS(text, "\"unit\": null");
  T_CONTAINS(text, "\"name\": \"spmv\"");
  T_CONTAINS(text, "\"calls\": 2");
  T_CONTAINS(text, "\"seconds\": 0.8");
  T_CONTAINS(text, "\"verdict\": \"VALID\"");
  T_CONTAINS(text, "\"argv\": \"bandfem run \\\"a deck.yaml\\\"\"");
  bf_host_free(text);
  s_clear(&s);
}

static void a_report_of_nothing_is_json_too_and_not_converged(void **state)
{
  (void)state;
  bf_result r = {0};
  T_OK(bf_write_report(&r, FOLDER "/empty.json"));
  char *text = s_read(FOLDER "/empty.json", NULL);
  expect_json(text, 15);
  T_CONTAINS(text, "\"title\": null");
  T_CONTAINS(text, "\"converged\": false");
  T_CONTAINS(text, "\"status\": \"NOT CONVERGED: no solution was found\"");
  bf_host_free(text);
}

static void a_failed_run_is_told_with_its_reason(void **state)
{
  (void)state;
  sample s;
  s_curved(&s, BF_HEX8);
  s.r.converged             = 0;
  s.history.reason          = "breakdown";
  s.residual[S_HISTORY - 1] = NAN;
  T_OK(bf_write_report(&s.r, FOLDER "/failed.json"));
  char *text = s_read(FOLDER "/failed.json", NULL);
  expect_json(text, 100);
  T_CONTAINS(text, "\"status\": \"NOT CONVERGED: breakdown after 3 iterations, relative residual ");
  T_CONTAINS(text, "\"residual\": null");
  bf_host_free(text);
  s_clear(&s);
}

static void every_byte_becomes_a_valid_text(void **state)
{
  (void)state;
  bf_atomic_file *f = NULL;
  char            all[256], kept[64];
  for (int i = 0; i < 255; i++) all[i] = (char)(i + 1);
  all[255] = '\0';
  T_OK(bf_atomic_file_create(FOLDER "/bytes.json", &f));
  bf_json j = {.out = f};
  bf_json_open(&j, NULL, '[');
  bf_json_text(&j, NULL, all);
  bf_json_text(&j, NULL, "\xe2\x82\xac \xf0\x9f\x98\x80"); /* euro sign, a face: kept */
  bf_json_text(&j, NULL,
               "\xc0\xaf|\xed\xa0\x80|\xf4\x90\x80\x80|\xe2\x82|\xe0\x80\x80"); /* overlong, surrogate, too
                                                                                   large, cut */
  bf_json_real(&j, NULL, 0.1);
  bf_json_real(&j, NULL, 1.0 / 3.0);
  bf_json_real(&j, NULL, -INFINITY);
  bf_json_close(&j, ']');
  T_OK(bf_atomic_file_commit(f));
  bf_atomic_file_destroy(&f);
  char *text = s_read(FOLDER "/bytes.json", NULL);
  expect_json(text, 7);
  T_CONTAINS(text, "\\u0001");
  T_CONTAINS(text, "\"\xe2\x82\xac \xf0\x9f\x98\x80\"");
  T_CONTAINS(text, "\"\\ufffd\\ufffd|\\ufffd\\ufffd\\ufffd|\\ufffd\\ufffd\\ufffd\\ufffd|\\ufffd\\ufffd|"
                   "\\ufffd\\ufffd\\ufffd\"");
  snprintf(kept, sizeof kept, "  0.1,\n  %.17g,\n  null\n]\n", 1.0 / 3.0);
  T_CONTAINS(text, kept);
  bf_host_free(text);
}

static void residuals_are_a_line_an_iteration(void **state)
{
  (void)state;
  sample s;
  s_curved(&s, BF_HEX8);
  T_OK(bf_write_residuals(&s.r, FOLDER "/residuals.csv"));
  char *text = s_read(FOLDER "/residuals.csv", NULL);
  assert_string_equal(text, "iteration,residual,true_residual,seconds\n"
                            "0,1.000000000e+00,1.500000000e+00,0.000000000e+00\n"
                            "1,1.000000000e-03,,1.250000000e-01\n"
                            "2,1.000000000e-06,,2.500000000e-01\n"
                            "3,1.000000000e-09,1.500000000e-09,3.750000000e-01\n");
  bf_host_free(text);
  s.residual[1]     = INFINITY;
  s.history.seconds = NULL;
  s.history.n       = 2;
  T_OK(bf_write_residuals(&s.r, FOLDER "/residuals.csv"));
  text = s_read(FOLDER "/residuals.csv", NULL);
  T_CONTAINS(text, "\n0,1.000000000e+00,1.500000000e+00,\n1,inf,,\n");
  bf_host_free(text);
  s.r.history = NULL;
  T_OK(bf_write_residuals(&s.r, FOLDER "/residuals.csv"));
  text = s_read(FOLDER "/residuals.csv", NULL);
  assert_string_equal(text, "iteration,residual,true_residual,seconds\n");
  bf_host_free(text);
  s_clear(&s);
}

typedef struct page {
  char text[20000];
  int  lines;
} page;

static void add_line(void *context, const char *text)
{
  page *p = context;
  assert_null(strchr(text, '\n'));
  strcat(p->text, text);
  strcat(p->text, "\n");
  p->lines++;
}

static void the_table_names_phases_rates_and_outcome(void **state)
{
  (void)state;
  sample s;
  page   p = {{0}, 0};
  s_mixed(&s);
  s.check[0].note = "Timoshenko beam";
  bf_table_print(&s.r, add_line, &p);
  T_CONTAINS(p.text,
             "phase                               calls      seconds           GB       GB/s    GFLOP/s  of "
             "triad\n");
  T_CONTAINS(p.text,
             "read deck                               1     0.001000                                   \n");
  T_CONTAINS(
      p.text,
      "spmv                                    2     0.800000            2        2.5        0.5    25.0 "
      "%\n");
  T_CONTAINS(p.text, "all phases                                    0.801000\n");
  T_CONTAINS(p.text, "3,000,000,000 unknowns, 81,000,000,000 nonzeros\n");
  T_CONTAINS(p.text, "27 diagonals in 3 segments, half-bandwidth 900 -> 40, fill 0.875");
  T_CONTAINS(
      p.text,
      "cg, preconditioner jacobi: 3 iterations, residual 1.000e-09, true residual 1.500e-09: converged\n");
  T_CONTAINS(p.text,
             "backward error 3e-17, estimated condition 4e+09, estimated forward error 1.2e-07: converged to "
             "rounding\n");
  T_CONTAINS(p.text, "STREAM triad 10 GB/s, from the table of devices, not measured in this run\n");
  T_CONTAINS(p.text, "tip: displacement = (0.001, 0, -0.002) m at (1, 0.05, 0.05)\n");
  T_CONTAINS(p.text, "clamp: (0, 0, 10000) N\n");
  T_CONTAINS(p.text, "force: 1.250e-09\n");
  T_CONTAINS(
      p.text,
      "probe.tip.displacement.z = -0.00197, expected -0.001975 (rtol 0.02), Timoshenko beam: passed\n");
  T_CONTAINS(p.text, "gap(3) = inf\n");
  T_CONTAINS(p.text, "verdict      VALID\n");
  assert_null(strstr(p.text, "NOT CONVERGED"));
  s_clear(&s);
}

static void the_table_of_a_failed_run_says_so(void **state)
{
  (void)state;
  sample s;
  page   p = {{0}, 0};
  s_mixed(&s);
  s.r.converged      = 0;
  s.r.verdict        = "not valid: the solve did not converge";
  s.history.reason   = "iteration limit";
  s.check[0].passed  = 0;
  s.check[0].note    = NULL;
  s.r.triad_gb_per_s = 0.0;
  bf_table_print(&s.r, add_line, &p);
  T_CONTAINS(p.text, "NOT CONVERGED: iteration limit after 3 iterations, relative residual 1.000e-09\n");
  T_CONTAINS(p.text, "(rtol 0.02): FAILED\n");
  T_CONTAINS(p.text,
             "phase                               calls      seconds           GB       GB/s    GFLOP/s\n");
  T_CONTAINS(p.text,
             "spmv                                    2     0.800000            2        2.5        0.5\n");
  assert_null(strstr(p.text, "triad"));
  T_CONTAINS(p.text, "verdict      not valid: the solve did not converge\n");
  page      empty = {{0}, 0};
  bf_result none  = {.converged = 1};
  bf_table_print(&none, add_line, &empty);
  assert_int_equal(empty.lines, 0);
  s_clear(&s);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_report_is_json_and_says_what_the_run_said),
      cmocka_unit_test(a_report_of_nothing_is_json_too_and_not_converged),
      cmocka_unit_test(a_failed_run_is_told_with_its_reason),
      cmocka_unit_test(every_byte_becomes_a_valid_text),
      cmocka_unit_test(residuals_are_a_line_an_iteration),
      cmocka_unit_test(the_table_names_phases_rates_and_outcome),
      cmocka_unit_test(the_table_of_a_failed_run_says_so),
  };
  T_OK(bf_make_folder(FOLDER));
  return T_RUN(tests);
}
