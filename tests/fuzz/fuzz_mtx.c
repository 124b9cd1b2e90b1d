/* tests/fuzz/fuzz_mtx.c - any bytes as a Matrix Market file: a matrix that keeps every invariant, or one
 * error
 *
 * What was read is compared with a slow second reading, line by line with strtod, of the body; then it is
 * expanded, and printed and read again: the same matrix must come back.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "inputs/mtx.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/say.h"
#include <math.h>

static int is_end(char c)
{
  return c == '\n' || c == '\r';
}

/* The next line that counts, ended by a zero; NULL behind the last. */
static char *next_line(char **at)
{
  for (;;) {
    if (!**at) return NULL;
    char *line = *at + strspn(*at, " \t"), *end = line;
    while (*end && !is_end(*end)) end++;
    const int counts = line[0] && line[0] != '%' && !is_end(line[0]);
    *at              = *end ? end + 1 : end;
    *end             = '\0';
    if (counts) return line;
  }
}

/* The entries once more, as strtod reads them, behind the line of the sizes. */
static void read_slowly(const bf_mtx *A, const uint8_t *data, size_t size)
{
  char *text = malloc(size + 1), *at = text, *line;
  if (!text) return;
  memcpy(text, data, size);
  text[size] = '\0';
  while (!is_end(*at)) at++; /* the banner */
  (void)next_line(&at);
  for (int64_t k = 0; k < A->listed; k++) {
    line = next_line(&at);
    FUZZ_MUST(line, "entry %lld of %lld is not there", (long long)k, (long long)A->listed);
    if (A->row) FUZZ_MUST(strtod(line, &line) == A->row[k] + 1.0, "row of entry %lld", (long long)k);
    if (A->col) FUZZ_MUST(strtod(line, &line) == A->col[k] + 1.0, "column of entry %lld", (long long)k);
    if (A->val) {
      const double v = strtod(line, &line);
      FUZZ_MUST(memcmp(&v, &A->val[k], sizeof v) == 0, "%.17g is read as %.17g", v, A->val[k]);
    }
    FUZZ_MUST(line[strspn(line, " \t")] == '\0', "'%s' behind entry %lld", line, (long long)k);
  }
  FUZZ_MUST(!next_line(&at), "entries behind the last");
  free(text);
}

static void invariants(const bf_mtx *A)
{
  FUZZ_MUST(A->nrows >= 1 && A->ncols >= 1 && A->nentries >= 0, "%d x %d", A->nrows, A->ncols);
  FUZZ_MUST(A->symmetry == BF_MTX_GENERAL || A->nrows == A->ncols, "%d x %d", A->nrows, A->ncols);
  for (int64_t k = 0; k < A->nentries; k++) {
    if (A->val) FUZZ_MUST(isfinite(A->val[k]), "entry %lld is %g", (long long)k, A->val[k]);
    if (!A->row) continue;
    FUZZ_MUST(A->row[k] >= 0 && A->row[k] < A->nrows && A->col[k] >= 0 && A->col[k] < A->ncols,
              "entry %lld is at (%d, %d)", (long long)k, A->row[k], A->col[k]);
    if (A->symmetry != BF_MTX_GENERAL && !A->mirrored)
      FUZZ_MUST(A->row[k] >= A->col[k] + (A->symmetry == BF_MTX_SKEW), "(%d, %d) is in the wrong triangle",
                A->row[k], A->col[k]);
  }
}

/* The expanded entries as a general file, read again. */
static void read_again(const bf_mtx *A)
{
  char    *text = NULL;
  size_t   size = 0;
  bf_diags d    = {0};
  bf_mtx  *B    = NULL;
  FILE    *f    = open_memstream(&text, &size);
  if (!f) return;
  fprintf(f, "%%%%MatrixMarket matrix coordinate real general\n%d %d %lld\n", A->nrows, A->ncols,
          (long long)A->nentries);
  for (int64_t k = 0; k < A->nentries; k++)
    fprintf(f, "%d %d %.17g\n", A->row[k] + 1, A->col[k] + 1, A->val[k]);
  fclose(f);
  const size_t n = (size_t)A->nentries;
  FUZZ_MUST(bf_mtx_read_memory("again.mtx", text, size, &d, &B) == BF_OK, "%s",
            d.count ? d.item[0].text : "");
  FUZZ_MUST(B->nentries == A->nentries && memcmp(A->row, B->row, n * sizeof *A->row) == 0 &&
                memcmp(A->col, B->col, n * sizeof *A->col) == 0 &&
                memcmp(A->val, B->val, n * sizeof *A->val) == 0,
            "another matrix came back from\n%s", text);
  bf_mtx_destroy(&B);
  bf_diags_clear(&d);
  free(text);
}

static void use_matrix(bf_mtx *A)
{
  invariants(A);
  if (A->ncols == 1 && A->nrows <= 1 << 16) {
    double *x = malloc((size_t)A->nrows * sizeof *x);
    if (x) FUZZ_MUST(bf_mtx_vector(A, x) == BF_OK, "%s", bf_err_message());
    free(x);
  }
  const int64_t before = A->nentries;
  FUZZ_MUST(bf_mtx_expand(A) == BF_OK, "%s", bf_err_message());
  FUZZ_MUST(A->row && A->col && A->val && A->nentries <= 2 * before, "%lld entries", (long long)A->nentries);
  invariants(A);
  const int64_t once = A->nentries;
  FUZZ_MUST(bf_mtx_expand(A) == BF_OK && A->nentries == once, "expanded twice");
  read_again(A);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  bf_diags      d      = {0};
  bf_mtx       *A      = NULL;
  const int64_t before = bf_memory_live();
  const bf_err  err    = bf_mtx_read_memory("nowhere/fuzz.mtx", data, size, &d, &A);
  if (err == BF_OK) {
    FUZZ_MUST(A && d.errors == 0 && d.count <= 1, "%d diagnostics and a matrix", d.count);
    if (!memchr(data, 0, size)) read_slowly(A, data, size);
    use_matrix(A);
  } else {
    FUZZ_MUST(!A && d.count == 1 && d.errors == 1 && err == BF_E_MODEL, "%s after %d errors",
              bf_err_name(err), d.errors);
    FUZZ_MUST(d.item[0].line >= 1 && d.item[0].column >= 1 && (size_t)d.item[0].column <= size + 1,
              "an error at %d:%d", (int)d.item[0].line, d.item[0].column);
  }
  fuzz_say(&d);
  bf_mtx_destroy(&A);
  bf_diags_clear(&d);
  FUZZ_MUST(bf_memory_live() == before, "%lld blocks are left", (long long)(bf_memory_live() - before));
  return 0;
}
