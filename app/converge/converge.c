/* app/converge/converge.c - bandfem converge: solves a deck on refined meshes, tables of errors and
 * observed orders
 *
 * Level k has the mesh of the deck with every cell halved k - 1 times in each direction: twice the cells of a
 * generated mesh, elements of a .msh divided by mesh/refine_uniform.c, a .geo meshed by gmsh with smaller
 * elements.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "app/converge/converge.h"
#include "app/cli/message.h"
#include "app/cli/options.h"
#include "app/converge/study.h"
#include "base/memory.h"
#include "outputs/atomic_file.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct command {
  bf_job   job; /* of the command line: its options are those of every level */
  bf_log   log;
  bf_study study;
  int      unsolved; /* 1: a level did not converge */
  char     dir[1024], elements[64];
} command;

static int refuse(const bf_job *job, const char *what, const char *word)
{
  bf_say(job->json_errors, "converge: %s '%s'; see bandfem converge --help", what, word);
  return BF_EXIT_INTERNAL;
}

/* "1", "2" or "1,2" */
static int take_degrees(bf_study *s, const char *text)
{
  if (strcmp(text, "1") != 0 && strcmp(text, "2") != 0 && strcmp(text, "1,2") != 0) return 0;
  s->degree[s->ndegrees++] = text[0] - '0';
  if (text[1]) s->degree[s->ndegrees++] = text[2] - '0';
  return 1;
}

/* Takes the options of converge out of argv; the others are those of every command with a deck. */
static int own_options(int *argc, char **argv, command *c)
{
  int kept = 0;
  for (int i = 0; i < *argc; i++) {
    char     *after;
    const int levels = strcmp(argv[i], "--levels") == 0, degrees = strcmp(argv[i], "--order") == 0,
              quantity = strcmp(argv[i], "--quantity") == 0;
    if (strcmp(argv[i], "--all") == 0) {
      c->study.all = 1;
      continue;
    }
    if (!levels && !degrees && !quantity) {
      argv[kept++] = argv[i];
      if (strcmp(argv[i], "-s") == 0 && i + 1 < *argc) argv[kept++] = argv[++i];
      continue;
    }
    if (i + 1 == *argc) return refuse(&c->job, "a value is missing after", argv[i]);
    const char *value = argv[++i];
    if (levels) {
      const long n    = strtol(value, &after, 10);
      c->study.levels = (int)n;
      if (after == value || *after || n < 2 || n > BF_STUDY_LEVELS)
        return refuse(&c->job, "--levels must be 2 to 10, got", value);
    } else if (degrees) {
      if (c->study.ndegrees || !take_degrees(&c->study, value))
        return refuse(&c->job, "--order must be 1, 2 or 1,2, got", value);
    } else {
      if (c->study.nwanted == BF_STUDY_QUANTITIES) return refuse(&c->job, "too many quantities, at", value);
      c->study.wanted[c->study.nwanted++] = value;
    }
  }
  *argc = kept;
  return -1;
}

/* out/DECK/converge, or that of --out */
static void folder_of(command *c)
{
  const char *path = c->job.deck_path, *base = strrchr(path, '/');
  base = base ? base + 1 : path;
  if (c->job.out_dir)
    snprintf(c->dir, sizeof c->dir, "%s", c->job.out_dir);
  else
    snprintf(c->dir, sizeof c->dir, "out/%.*s/converge", (int)strcspn(base, "."), base);
}

/* "hex20 elements", "quad4 elements, gfem of order 3" */
static void elements_of(const bf_job *job, char text[64])
{
  size_t at = 0;
  text[0]   = '\0';
  for (int b = 0; b < job->mesh->nblocks; b++) {
    const bf_elem_info *el = bf_elem(job->mesh->block[b].type);
    if (el->dim == job->mesh->dim && at < 40)
      at += (size_t)snprintf(text + at, 64 - at, "%s%s", at ? ", " : "", el->name);
  }
  at += (size_t)snprintf(text + at, 64 - at, " elements");
  if (job->problem.order > 1) snprintf(text + at, 64 - at, ", gfem of order %d", job->problem.order);
}

static bf_err solve(command *c, bf_job *job, int level, double start)
{
  bf_study *s = &c->study;
  BF_TRY(bf_job_open(job));
  if (s->table.nquantities == 0) BF_TRY(bf_study_quantities(s, job));
  elements_of(job, c->elements);
  BF_TRY(bf_job_steps(job, job->analysis->solve));
  c->unsolved = job->analysis->unsolved(job);
  BF_CHECK(!c->unsolved, BF_E_MODEL, "level %d did not converge", level);
  BF_TRY(bf_job_steps(job, job->analysis->recover));
  return bf_study_add(s, job, level, bf_seconds() - start);
}

/* A mesh that gmsh's factor of sizes does not change: sizes of transfinite curves are numbers of the .geo. */
static int same_mesh(const command *c, int level, int json)
{
  const bf_convergence_row *r = &c->study.table.row[c->study.table.nrows - 1];
  if (level == 1 || r->elements > r[-1].elements) return 0;
  bf_say(json,
         "converge: level %d has %lld elements, as many as level %d: the sizes in the .geo do not follow "
         "gmsh's factor -clscale; multiply the numbers of transfinite curves by the variable 'refinement' "
         "(DefineConstant[refinement = 1];), which is 2^(k-1) on level k, or use a .msh, which is divided "
         "uniformly",
         level, (long long)r->elements, level - 1);
  return 1;
}

/* Exit status of one level. */
static int one_level(command *c, int level, const char *order)
{
  const double start = bf_seconds();
  bf_job       job   = c->job;
  job.log            = (bf_log){0};
  job.out_dir        = c->dir;
  job.halvings       = level - 1;
  if (order) job.override[job.noverrides++] = order;
  const bf_err err  = solve(c, &job, level, start);
  int          exit = bf_exit_status(err);
  if (c->unsolved) exit = BF_EXIT_NOT_CONVERGED;
  if (level == 1 || job.diags.errors > 0) bf_say_diags(&job.diags, 0, job.json_errors);
  if (err != BF_OK && job.diags.errors == 0)
    bf_say(job.json_errors, "converge: level %d: %s", level, bf_err_message());
  if (job.interrupted) exit = 128 + job.interrupted;
  if (exit == BF_EXIT_OK && same_mesh(c, level, job.json_errors)) {
    exit = BF_EXIT_MODEL;
    bf_host_free(c->study.table.row[--c->study.table.nrows].value);
  }
  if (exit == BF_EXIT_OK) {
    const bf_convergence_row *r = &c->study.table.row[c->study.table.nrows - 1];
    bf_log_line(&c->log, "level     %d of %d: %lld %s, %lld unknowns, %lld iterations, %.2f s", level,
                c->study.levels, (long long)r->elements, c->elements, (long long)r->unknowns,
                (long long)r->iterations, r->seconds);
  }
  bf_job_close(&job);
  return exit;
}

/* All levels of one degree; the table has those that were solved. */
static int one_degree(command *c, int degree)
{
  const int first = c->study.table.nrows;
  char      order[24];
  int       exit = BF_EXIT_OK;
  snprintf(order, sizeof order, "mesh.order=%d", degree);
  for (int level = 1; level <= c->study.levels && exit == BF_EXIT_OK; level++)
    exit = one_level(c, level, degree ? order : NULL);
  if (c->study.table.nrows == first) return exit;
  bf_study_orders(&c->study, first);
  bf_study_print(&c->study, first, c->elements, &c->log);
  return exit;
}

static int write_table(command *c)
{
  char   path[1200], word[1300];
  bf_err err = bf_make_folder(c->dir);
  snprintf(path, sizeof path, "%s/convergence.csv", c->dir);
  if (err == BF_OK) err = bf_write_convergence(&c->study.table, path);
  if (err != BF_OK) bf_say(c->job.json_errors, "converge: %s", bf_err_message());
  if (err == BF_OK) {
    bf_log_line(&c->log, "%s", "");
    bf_log_line(&c->log, "file      %s; plot: ./dev plot %s", path, bf_say_word(path, word, sizeof word));
  }
  return bf_exit_status(err);
}

int bf_cmd_converge(int argc, char **argv)
{
  command c         = {.job = {.log = {bf_console_line, NULL}}, .study = {.levels = 4}};
  int     exit      = -1;
  c.job.json_errors = bf_say_json(argc, argv);
  exit              = own_options(&argc, argv, &c);
  if (exit < 0) exit = bf_options(argc, argv, "converge", &c.job);
  if (exit >= 0) return exit;
  if (c.job.noverrides == (int)(sizeof c.job.override / sizeof *c.job.override))
    return refuse(&c.job, "more than 63 options -s, at", c.job.override[c.job.noverrides - 1]);
  c.log = c.job.log;
  folder_of(&c);
  c.study.table.quantity = (const char **)c.study.label;
  if (BF_NEW_ARRAY(c.study.table.row, BF_STUDY_LEVELS * BF_STUDY_DEGREES) != BF_OK) return BF_EXIT_DEVICE;
  exit = BF_EXIT_OK;
  for (int k = 0; k < (c.study.ndegrees ? c.study.ndegrees : 1) && exit == BF_EXIT_OK; k++)
    exit = one_degree(&c, c.study.ndegrees ? c.study.degree[k] : 0);
  if (c.study.table.nrows > 0) {
    const int written = write_table(&c);
    if (exit == BF_EXIT_OK) exit = written;
  }
  bf_study_clear(&c.study);
  return exit;
}
