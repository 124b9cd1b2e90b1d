/* base/table_csv.c - reads a CSV file into a table: every error has its line and column
 *
 * The rows are sorted by their coordinates; a full grid is then in the order of bf_table.value, and the first
 * row out of place indicates a missing point.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "base/number.h"
#include "base/table.h"
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { COLUMNS_MAX = 4, FIELD_MAX = 64, FAULTS_MAX = 5 };

typedef struct row {
  double  c[3], v;
  int64_t line;
} row;

typedef struct reader {
  const char *name; /* borrowed */
  char       *text; /* owned [length + 1] */
  size_t      length;
  char       *at;     /* the next line */
  char       *line;   /* the current one, its end a zero (in text) */
  int64_t     number; /* of the current line */
  char        separator;
  int         ncols, axis[3];
  row        *rows; /* owned [nrows] */
  int64_t     nrows;
  bf_diags   *diags;
  int         faults;
} reader;

#define FAULT(r, line_, column_, ...)                                                                        \
  ((r)->faults++,                                                                                            \
   bf_diag_add((r)->diags, BF_ERROR, 113, (bf_where){(r)->name, (line_), (column_)}, __VA_ARGS__))

/* The whole file, ends with a zero; *out = NULL after E113. */
static bf_err slurp(const char *path, bf_where named, bf_diags *diags, char **out, size_t *length)
{
  bf_err      err = BF_OK;
  struct stat st;
  FILE       *f    = NULL;
  char       *text = NULL;
  const char *why  = NULL;
  errno            = 0;
  *out             = NULL;
  if (stat(path, &st) != 0)
    why = strerror(errno);
  else if (!S_ISREG(st.st_mode))
    why = S_ISDIR(st.st_mode) ? strerror(EISDIR) : "not a regular file";
  else if (st.st_size > BF_TABLE_BYTES_MAX)
    why = "larger than 64 MiB";
  else if (!(f = fopen(path, "rb")))
    why = strerror(errno);
  if (!why) {
    BF_GO(BF_NEW_ARRAY(text, (size_t)st.st_size + 1));
    *length = fread(text, 1, (size_t)st.st_size, f);
    if (ferror(f)) why = strerror(errno ? errno : EIO);
  }
  if (why) {
    bf_diag_add(diags, BF_ERROR, 113, named, "cannot read the table '%s': %s", path, why);
  } else {
    *out = text;
    text = NULL;
  }
done:
  if (f) fclose(f);
  bf_host_free(text);
  return err;
}

/* Moves to the next line with data; 0 at the end. */
static int next_line(reader *r)
{
  while (*r->at) {
    char *end = r->at;
    r->line   = end;
    end += strcspn(end, "\r\n");
    r->at = end + (*end != '\0') + (end[0] == '\r' && end[1] == '\n');
    *end  = '\0';
    r->number++;
    const char *s = r->line + strspn(r->line, " \t");
    if (*s && *s != '#') return 1;
  }
  return 0;
}

/* Field number `column` (from 0) of the line without blanks and quotes; its column in the file.  0: missing;
 * 2: too long and truncated. */
static int field(const reader *r, int column, char text[FIELD_MAX], int *place)
{
  const char *s = r->line;
  for (int k = 0; k < column; k++) {
    s = strchr(s, r->separator);
    if (!s++) return 0;
  }
  const char *end = strchr(s, r->separator) ? strchr(s, r->separator) : s + strlen(s);
  while (s < end && (*s == ' ' || (*s == '\t' && r->separator != '\t'))) s++;
  while (end > s && (end[-1] == ' ' || end[-1] == '\t')) end--;
  *place = 1;
  for (const char *c = r->line; c < s; c++) *place += ((unsigned char)*c & 0xC0) != 0x80;
  if (end - s >= 2 && *s == '"' && end[-1] == '"') {
    s++;
    end--;
  }
  const size_t n = end - s < FIELD_MAX ? (size_t)(end - s) : FIELD_MAX - 1;
  memcpy(text, s, n);
  text[n] = '\0';
  return end - s < FIELD_MAX ? 1 : 2;
}

static int count_fields(const reader *r)
{
  int n = 1;
  for (const char *s = r->line; (s = strchr(s, r->separator)) != NULL; s++) n++;
  return n;
}

/* The first line: separator and names. */
static void read_header(reader *r)
{
  static const char separators[] = ",;\t";
  char              name[FIELD_MAX];
  int               kinds = 0, place, whole;
  r->separator            = ',';
  for (const char *s = separators; *s; s++)
    if (strchr(r->line, *s)) {
      r->separator = *s;
      kinds++;
    }
  if (kinds > 1) {
    FAULT(r, r->number, 1, "separate the columns by one of , ; or tab, not by several");
    return;
  }
  r->ncols = count_fields(r);
  (void)field(r, 0, name, &place);
  if (bf_number_length(name, &whole) > 0)
    FAULT(r, r->number, place, "the first line of a table names its columns, as in x,value");
  else if (r->ncols < 2 || r->ncols > COLUMNS_MAX)
    FAULT(r, r->number, 1, "a table has 1 to 3 columns of coordinates and one of values, not %d columns",
          r->ncols);
  for (int k = 0; k < r->ncols && !r->faults; k++) {
    (void)field(r, k, name, &place);
    const int is_axis = (name[0] >= 'x' && name[0] <= 'z') && !name[1], last = k == r->ncols - 1;
    if (last && is_axis)
      FAULT(r, r->number, place, "the last column has the values; '%s' is a coordinate", name);
    else if (last && !name[0])
      FAULT(r, r->number, place, "the last column has no name");
    else if (!last && !is_axis)
      FAULT(r, r->number, place, "column '%.40s' is not a coordinate; valid before the values: x, y, z",
            name);
    for (int j = 0; j < k && !last && is_axis; j++)
      if (r->axis[j] == name[0] - 'x') FAULT(r, r->number, place, "coordinate '%s' has two columns", name);
    if (!last) r->axis[k] = name[0] - 'x';
  }
}

static int is_comma_number(const char *text)
{
  const size_t n = strspn(text, "+-0123456789");
  return n > 0 && text[n] == ',' && strspn(text + n + 1, "0123456789") > 0;
}

/* The numbers of the current line. */
static void read_row(reader *r, row *out)
{
  const int found          = count_fields(r);
  double    v[COLUMNS_MAX] = {0};
  out->line                = r->number;
  if (found != r->ncols) {
    FAULT(r, r->number, 1, "expected %d columns, got %d%s", r->ncols, found,
          found == 2 * r->ncols && r->separator == ',' ? "; the decimal point is '.'" : "");
    return;
  }
  for (int k = 0; k < r->ncols; k++) {
    char      text[FIELD_MAX];
    int       place;
    const int cut = field(r, k, text, &place) == 2, bad = bf_text_number(text, &v[k]);
    if (cut)
      FAULT(r, r->number, place, "a number of more than %d characters", FIELD_MAX - 1);
    else if (bad == 2)
      FAULT(r, r->number, place, "%.40s is too large for a number", text);
    else if (bad)
      FAULT(r, r->number, place, "expected a number, got '%.40s'%s", text,
            is_comma_number(text) ? "; the decimal point is '.'" : "");
  }
  for (int k = 0; k < r->ncols - 1; k++) out->c[k] = v[k] + 0.0; /* no -0 */
  out->v = v[r->ncols - 1];
}

static bf_err read_rows(reader *r)
{
  int64_t lines = 0;
  for (const char *s = r->at; *s; s++) lines += *s == '\n' || *s == '\r';
  if (lines >= BF_TABLE_ROWS_MAX) {
    FAULT(r, 0, 0, "more than %d rows", BF_TABLE_ROWS_MAX);
    return BF_OK;
  }
  BF_TRY(BF_NEW_ARRAY(r->rows, lines + 1));
  while (r->faults < FAULTS_MAX && next_line(r)) read_row(r, &r->rows[r->nrows++]);
  return BF_OK;
}

static int by_coordinates(const void *a, const void *b)
{
  const row *p = a, *q = b;
  for (int d = 0; d < 3; d++)
    if (p->c[d] != q->c[d]) return p->c[d] < q->c[d] ? -1 : 1;
  return p->line < q->line ? -1 : p->line > q->line;
}

static int by_value(const void *a, const void *b)
{
  const double p = *(const double *)a, q = *(const double *)b;
  return (p > q) - (p < q);
}

/* at[d] of the table: the different values of a coordinate. */
static bf_err find_axis(const reader *r, int d, bf_table *t)
{
  int64_t n = 0;
  BF_TRY(BF_NEW_ARRAY(t->at[d], r->nrows));
  for (int64_t i = 0; i < r->nrows; i++) t->at[d][i] = r->rows[i].c[d];
  qsort(t->at[d], (size_t)r->nrows, sizeof(double), by_value);
  for (int64_t i = 0; i < r->nrows; i++)
    if (i == 0 || t->at[d][i] != t->at[d][n - 1]) t->at[d][n++] = t->at[d][i];
  t->n[d] = (int)n;
  return BF_OK;
}

/* "x = 1, y = 2" */
static const char *point_text(const reader *r, const double c[3], char text[128])
{
  int n = 0;
  for (int d = 0; d < r->ncols - 1; d++)
    n += snprintf(text + n, 128 - (size_t)n, "%s%c = %.9g", d ? ", " : "", 'x' + r->axis[d], c[d]);
  return text;
}

/* Checks that every grid point occurs once. */
static void check_grid(reader *r, const bf_table *t)
{
  char   text[128], size[64] = "";
  double points = 1.0;
  for (int64_t i = 1; i < r->nrows && !r->faults; i++)
    if (memcmp(r->rows[i].c, r->rows[i - 1].c, sizeof r->rows[i].c) == 0)
      FAULT(r, r->rows[i].line, 1, "the point %s is defined twice; first on line %lld",
            point_text(r, r->rows[i].c, text), (long long)r->rows[i - 1].line);
  for (int d = 0; d < t->dim && !r->faults; d++) {
    points *= t->n[d];
    snprintf(size + strlen(size), sizeof size - strlen(size), "%s%d", d ? " x " : "", t->n[d]);
    if (t->n[d] < 2)
      FAULT(r, 0, 0, "a table needs at least two values of %c, this one has %d", 'x' + r->axis[d], t->n[d]);
  }
  for (int64_t i = 0; i <= r->nrows && !r->faults && (double)r->nrows < points; i++) {
    double  c[3] = {0};
    int64_t rest = i;
    for (int d = t->dim - 1; d >= 0; rest /= t->n[d--]) c[d] = t->at[d][rest % t->n[d]];
    if (i < r->nrows && memcmp(c, r->rows[i].c, sizeof c) == 0) continue;
    FAULT(r, 0, 0, "the grid is incomplete: %lld rows for %s points; the first missing point is %s",
          (long long)r->nrows, size, point_text(r, c, text));
    return;
  }
}

static bf_err fill(reader *r, bf_table *t)
{
  t->dim = r->ncols - 1;
  qsort(r->rows, (size_t)r->nrows, sizeof *r->rows, by_coordinates);
  for (int d = 0; d < t->dim; d++) {
    t->axis[d] = r->axis[d];
    BF_TRY(find_axis(r, d, t));
  }
  check_grid(r, t);
  if (r->faults) return BF_OK;
  BF_TRY(BF_NEW_ARRAY(t->value, r->nrows));
  t->least = INFINITY;
  t->most  = -INFINITY;
  for (int64_t i = 0; i < r->nrows; i++) {
    const row *w = &r->rows[i];
    t->value[i]  = w->v;
    if (w->v < t->least) {
      t->least      = w->v;
      t->least_line = w->line;
    }
    if (w->v > t->most) {
      t->most      = w->v;
      t->most_line = w->line;
    }
  }
  return BF_OK;
}

bf_err bf_table_read(const char *path, bf_where named, bf_diags *diags, bf_table **out)
{
  bf_err    err = BF_OK;
  reader    r   = {.name = path, .diags = diags};
  bf_table *t   = NULL;
  BF_CHECK(path && diags && out, BF_E_ARG, "null argument");
  *out = NULL;
  BF_GO(slurp(path, named, diags, &r.text, &r.length));
  if (!r.text) goto done;
  r.at = r.text;
  if (r.length >= 3 && memcmp(r.text, "\xEF\xBB\xBF", 3) == 0) r.at += 3;
  if (strlen(r.text) != r.length) {
    FAULT(&r, 0, 0, "not a text file: byte %zu is zero", strlen(r.text) + 1);
  } else if (!next_line(&r)) {
    FAULT(&r, 0, 0, "the table is empty");
  } else {
    read_header(&r);
    if (!r.faults) BF_GO(read_rows(&r));
  }
  if (!r.faults && r.nrows == 0) FAULT(&r, 0, 0, "the table has no rows");
  if (r.faults) goto done;
  BF_GO(BF_NEW(t));
  t->name = path;
  BF_GO(fill(&r, t));
  if (r.faults) goto done;
  *out = t;
  t    = NULL;
done:
  bf_table_destroy(&t);
  bf_host_free(r.rows);
  bf_host_free(r.text);
  return err;
}
