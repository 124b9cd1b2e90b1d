/* app/run/sweep.c - parameters with several values: one run for each, in sweep_NNN of the output folder, and
 * a table of results, sweep.csv and sweep.json
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "app/run/sweep.h"
#include "app/analysis.h"
#include "app/cli/message.h"
#include "app/run/static/cases.h"
#include "base/memory.h"
#include "outputs/atomic_file.h"
#include "outputs/json.h"
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

typedef struct column {
  char *name;      /* owned */
  int   parameter; /* one value in the deck: shown where it differs between runs */
} column;

typedef struct sweep {
  const bf_parameter *parameter; /* borrowed */
  int                 nparameters, runs, zip;
  int                 ncolumns;
  column             *column; /* owned: of the results */
  double             *value;  /* owned [runs][ncolumns]; NaN: none */
  int                *status; /* owned [runs] */
} sweep;

/* Value of parameter k in a run: the last parameter changes fastest. */
static double value_of(const sweep *s, int run, int k)
{
  const bf_parameter *p = &s->parameter[k];
  if (p->n == 1) return p->values[0];
  if (s->zip) return p->values[run];
  int step = 1;
  for (int i = k + 1; i < s->nparameters; i++) step *= s->parameter[i].n;
  return p->values[run / step % p->n];
}

/* Index of a column, which is added where it is new; -1 without memory. */
static int column_of(sweep *s, const char *name, int parameter)
{
  for (int i = 0; i < s->ncolumns; i++)
    if (strcmp(s->column[i].name, name) == 0) return i;
  void *p = bf_host_realloc(s->column, (size_t)s->ncolumns + 1, sizeof *s->column);
  if (!p) return -1;
  s->column    = p;
  double *wide = bf_host_alloc((size_t)s->runs * ((size_t)s->ncolumns + 1), sizeof *wide);
  char   *text = bf_host_strdup(name);
  if (!wide || !text) {
    bf_host_free(wide);
    bf_host_free(text);
    return -1;
  }
  for (int r = 0; r < s->runs; r++) {
    for (int i = 0; i < s->ncolumns; i++) wide[r * (s->ncolumns + 1) + i] = s->value[r * s->ncolumns + i];
    wide[r * (s->ncolumns + 1) + s->ncolumns] = NAN;
  }
  bf_host_free(s->value);
  s->value               = wide;
  s->column[s->ncolumns] = (column){text, parameter};
  return s->ncolumns++;
}

static void set(sweep *s, int run, const char *name, double value, int parameter)
{
  const int i = column_of(s, name, parameter);
  if (i >= 0) s->value[run * s->ncolumns + i] = value;
}

/* Largest value or length of a field, over all cases. */
static void extreme(sweep *s, int run, bf_job *job, const char *field)
{
  double most = NAN;
  char   name[80];
  for (int i = 0; i < bf_static_cases_count(job); i++) {
    bf_static_case_select(job, i);
    for (int k = 0; k < job->solution.nfields; k++) {
      double v;
      if (strcmp(job->solution.field[k].name, field) != 0) continue;
      if (bf_model_extreme(job->model, job->view, &job->solution.field[k], -1, NULL, 1, &v) == BF_OK)
        most = isnan(most) ? v : fmax(most, v);
    }
  }
  bf_static_case_select_loaded(job, 0);
  snprintf(name, sizeof name, "max(%s)", field);
  if (!isnan(most)) set(s, run, name, most, 0);
}

void bf_sweep_take(void *context, int run, bf_job *job, double seconds)
{
  static const char *const fields[] = {"displacement", "von_mises", "temperature", "concentration"};
  sweep                   *s        = context;
  char                     name[400];
  int                      n = 0;
  const bf_parameter      *p = job->deck ? bf_deck_parameters(job->deck, &n) : NULL;
  for (int i = 0; i < n; i++) /* values that may follow from swept ones */
    if (s->parameter[i].n == 1) set(s, run, p[i].name, p[i].value, 1);
  if (job->mesh) set(s, run, "elements", job->view ? job->view->ncells : job->mesh->nelem, 0);
  if (job->A) set(s, run, "unknowns", (double)bf_job_unknowns(job), 0);
  if (job->solved) set(s, run, "iterations", job->solve.iterations, 0);
  for (size_t i = 0; i < sizeof fields / sizeof *fields && job->view; i++) extreme(s, run, job, fields[i]);
  for (int i = 0; i < job->nchecks; i++) {
    const bf_check_record *c = &job->check[i];
    snprintf(name, sizeof name, "%s%s%s", c->of_case ? c->of_case : "", c->of_case ? ": " : "", c->quantity);
    set(s, run, name, c->got, 0);
  }
  set(s, run, "seconds", seconds, 0);
}

/* ---- the table ---- */

/* A column of the table; a parameter that is the same in every run is not one. */
static int shown(const sweep *s, int i)
{
  int differs = 0;
  for (int r = 1; r < s->runs; r++)
    differs |= s->value[r * s->ncolumns + i] != s->value[i] && !isnan(s->value[r * s->ncolumns + i]);
  return !s->column[i].parameter || differs;
}

static bf_err write_csv(const sweep *s, const char *path)
{
  bf_err          err = BF_OK;
  bf_atomic_file *f   = NULL;
  BF_GO(bf_atomic_file_create(path, &f));
  bf_atomic_file_print(f, "run");
  for (int k = 0; k < s->nparameters; k++)
    if (s->parameter[k].n > 1) bf_atomic_file_print(f, ",%s", s->parameter[k].name);
  bf_atomic_file_print(f, ",status");
  for (int i = 0; i < s->ncolumns; i++) {
    if (!shown(s, i)) continue;
    bf_atomic_file_print(f, ",");
    bf_atomic_file_print_csv(f, s->column[i].name);
  }
  bf_atomic_file_print(f, "\n");
  for (int r = 0; r < s->runs; r++) {
    bf_atomic_file_print(f, "sweep_%03d", r);
    for (int k = 0; k < s->nparameters; k++)
      if (s->parameter[k].n > 1) bf_atomic_file_print(f, ",%.17g", value_of(s, r, k));
    bf_atomic_file_print(f, ",%d", s->status[r]);
    for (int i = 0; i < s->ncolumns; i++) {
      const double v = s->value[r * s->ncolumns + i];
      if (!shown(s, i)) continue;
      if (isnan(v))
        bf_atomic_file_print(f, ",");
      else
        bf_atomic_file_print(f, ",%.17g", v);
    }
    bf_atomic_file_print(f, "\n");
  }
  BF_GO(bf_atomic_file_commit(f));
done:
  bf_atomic_file_destroy(&f);
  return err;
}

static bf_err write_json(const sweep *s, const char *deck, const char *path)
{
  bf_err          err = BF_OK;
  bf_atomic_file *f   = NULL;
  char            name[40];
  BF_GO(bf_atomic_file_create(path, &f));
  bf_json j = {.out = f};
  bf_json_open(&j, NULL, '{');
  bf_json_text(&j, "deck", deck);
  bf_json_text(&j, "sweep", s->zip ? "zip" : "product");
  bf_json_open(&j, "runs", '[');
  for (int r = 0; r < s->runs; r++) {
    bf_json_open(&j, NULL, '{');
    snprintf(name, sizeof name, "sweep_%03d", r);
    bf_json_text(&j, "folder", name);
    bf_json_open(&j, "parameters", '{');
    for (int k = 0; k < s->nparameters; k++)
      if (s->parameter[k].n > 1) bf_json_real(&j, s->parameter[k].name, value_of(s, r, k));
    bf_json_close(&j, '}');
    bf_json_int(&j, "status", s->status[r]);
    bf_json_open(&j, "results", '{');
    for (int i = 0; i < s->ncolumns; i++)
      if (shown(s, i) && !isnan(s->value[r * s->ncolumns + i]))
        bf_json_real(&j, s->column[i].name, s->value[r * s->ncolumns + i]);
    bf_json_close(&j, '}');
    bf_json_close(&j, '}');
  }
  bf_json_close(&j, ']');
  bf_json_close(&j, '}');
  BF_GO(bf_atomic_file_commit(f));
done:
  bf_atomic_file_destroy(&f);
  return err;
}

/* The swept parameters, status and the first columns on the terminal. */
static void show(const bf_job *job, const sweep *s, const char *dir)
{
  enum { SHOWN = 7 };
  char row[600];
  for (int r = -1; r < s->runs; r++) {
    int n = r < 0 ? snprintf(row, sizeof row, "%-10s", "sweep") : snprintf(row, sizeof row, "sweep_%03d ", r);
    for (int k = 0; k < s->nparameters; k++) {
      if (s->parameter[k].n == 1) continue;
      n += r < 0 ? snprintf(row + n, sizeof row - (size_t)n, " %12.12s", s->parameter[k].name)
                 : snprintf(row + n, sizeof row - (size_t)n, " %12.6g", value_of(s, r, k));
    }
    n += r < 0 ? snprintf(row + n, sizeof row - (size_t)n, " %6s", "status")
               : snprintf(row + n, sizeof row - (size_t)n, " %6d", s->status[r]);
    for (int i = 0, k = 0; i < s->ncolumns && k < SHOWN; i++) {
      if (!shown(s, i) || strcmp(s->column[i].name, "elements") == 0) continue;
      k++;
      n += r < 0 ? snprintf(row + n, sizeof row - (size_t)n, " %18.18s", s->column[i].name)
                 : snprintf(row + n, sizeof row - (size_t)n, " %18.9g", s->value[r * s->ncolumns + i]);
    }
    bf_log_line(&job->brief, "%s", row);
  }
  bf_log_line(&job->brief, "files     %s/: sweep.csv, sweep.json; each run in %s/sweep_NNN/", dir, dir);
}

/* The last status that is not 0, the signal of an interruption at once. */
static bf_err run_all(sweep *s, const bf_job *of, const char *dir, bf_run_one one, int *exit)
{
  enum { MOST = sizeof of->override / sizeof *of->override };
  BF_CHECK(of->noverrides + s->nparameters <= MOST, BF_E_INPUT, "more than %d options -s and parameters",
           MOST);
  for (int r = 0; r < s->runs; r++) {
    bf_job job = *of;
    char   folder[1200], text[BF_SWEPT_MAX][120];
    int    n = 0;
    for (int k = 0; k < s->nparameters; k++) {
      if (s->parameter[k].n == 1) continue;
      snprintf(text[n], sizeof text[n], "parameters.%.60s=%.17g", s->parameter[k].name, value_of(s, r, k));
      job.override[job.noverrides++] = text[n];
      n++;
    }
    snprintf(folder, sizeof folder, "%s/sweep_%03d", dir, r);
    job.out_dir = folder;
    bf_log_line(&of->brief, "sweep     run %d of %d: %s", r + 1, s->runs, n == 1 ? text[0] : folder);
    s->status[r] = one(&job, s, r);
    if (s->status[r]) *exit = s->status[r];
    if (s->status[r] > 128) return BF_OK;
  }
  return BF_OK;
}

bf_err bf_sweep_run(const bf_job *of, const bf_deck *deck, const char *dir, bf_run_one one, int *exit)
{
  bf_err err = BF_OK;
  sweep  s   = {.zip = bf_deck_zips(deck), .runs = bf_deck_runs(deck)};
  char   path[1300];
  *exit       = BF_EXIT_OK;
  s.parameter = bf_deck_parameters(deck, &s.nparameters);
  BF_GO(BF_NEW_ARRAY(s.status, s.runs));
  BF_GO(bf_make_folder(dir));
  snprintf(path, sizeof path, "%s/sweep.csv", dir);
  unlink(path); /* of an earlier sweep */
  snprintf(path, sizeof path, "%s/sweep.json", dir);
  unlink(path);
  BF_GO(run_all(&s, of, dir, one, exit));
  snprintf(path, sizeof path, "%s/sweep.csv", dir);
  BF_GO(write_csv(&s, path));
  snprintf(path, sizeof path, "%s/sweep.json", dir);
  BF_GO(write_json(&s, of->deck_path, path));
  show(of, &s, dir);
done:
  for (int i = 0; i < s.ncolumns; i++) bf_host_free(s.column[i].name);
  bf_host_free(s.column);
  bf_host_free(s.value);
  bf_host_free(s.status);
  return err;
}
