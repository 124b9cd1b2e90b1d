/* app/bench/preconditioners.c - bandfem bench preconditioners DECK: iterations, times and memory of each way
 * to solve the system of a deck
 *
 * Every row is a run of the deck up to the solution, with the matrix format that a run would choose, on the
 * same mesh, right-hand side and tolerance.  The system is solved twice from the same start: with the set-up,
 * and with the hierarchy, blocks or factors of the first solve.  set-up: their difference, of multigrid and
 * block-Jacobi as they report it.  Of load cases the first is solved.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "app/bench/bench.h"
#include "app/cli/message.h"
#include "app/cli/options.h"
#include "app/precond/multigrid.h"
#include "app/run/static/static.h"
#include "base/memory.h"
#include "outputs/atomic_file.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct row {
  bf_precond  precond;
  int         direct, solved;
  const char *method, *precond_word, *format;
  int64_t     unknowns, bytes; /* of the preconditioner or the factors */
  int64_t     matrix;          /* bytes */
  int         iterations, converged;
  double      setup, solve, residual;
  char        why[400]; /* not solved, or not converged */
} row;

static const row rows[] = {{.precond = BF_PRECOND_NONE},
                           {.precond = BF_PRECOND_JACOBI},
                           {.precond = BF_PRECOND_BLOCK_JACOBI},
                           {.precond = BF_PRECOND_MULTIGRID},
                           {.direct = 1}};
enum { ROWS = sizeof rows / sizeof *rows };

/* The method of the row in place of the deck's. */
static void configure(bf_job *job, const row *r)
{
  bf_solver_config *s    = &job->config.solver;
  const int         keep = !s->method_auto && s->method != BF_METHOD_DIRECT && s->method != BF_METHOD_INVERSE;
  const bf_method   own  = bf_model_symmetric(job->model) ? BF_METHOD_CG : BF_METHOD_BICGSTAB;
  s->method              = r->direct ? BF_METHOD_DIRECT : keep ? s->method : own;
  s->method_auto         = 0;
  s->precond             = r->direct ? BF_PRECOND_NONE : r->precond;
}

static int64_t bytes_of(const bf_job *job, const row *r, const bf_solve_report *rep)
{
  if (r->direct) return job->plan.direct.band + job->plan.direct.beside;
  if (r->precond == BF_PRECOND_MULTIGRID) return rep->multigrid.bytes;
  if (r->precond == BF_PRECOND_BLOCK_JACOBI) return rep->blocks.bytes;
  return r->precond == BF_PRECOND_JACOBI ? 8 * (int64_t)job->A->nrows : 0;
}

/* Two solves from one start: first, then with what it made. */
static bf_err solve_twice(bf_job *job, bf_solve_options *opt, double *first, bf_solve_report *rep)
{
  bf_err        err   = BF_OK;
  bf_multigrid *kept  = NULL;
  bf_kept       made  = {NULL, NULL};
  double       *start = NULL;
  const size_t  bytes = (size_t)job->A->nrows * sizeof(double);
  opt->kept           = &kept;
  opt->closed         = &made;
  BF_GO(bf_vector_create(job->be, job->A->nrows, job->A->guard, &start));
  BF_GO(job->be->ops.copy(job->be, start, job->x, bytes, BF_WITHIN));
  BF_GO(bf_solve(job->A, job->A_fast, job->b, job->x, opt, rep));
  const bf_multigrid_report multigrid = rep->multigrid;
  const bf_blocks_report    blocks    = rep->blocks;
  *first                              = rep->seconds;
  bf_solve_report_clear(rep);
  BF_GO(job->be->ops.copy(job->be, job->x, start, bytes, BF_WITHIN));
  BF_GO(bf_solve(job->A, job->A_fast, job->b, job->x, opt, rep));
  rep->multigrid = multigrid;
  rep->blocks    = blocks;
done:
  opt->kept   = NULL;
  opt->closed = NULL;
  bf_vector_destroy(job->be, job->A->guard, &start);
  bf_multigrid_destroy(&kept);
  bf_kept_clear(&made);
  return err;
}

static void fill(const bf_job *job, const bf_solve_options *opt, const bf_solve_report *rep, double first,
                 row *r)
{
  r->solved       = 1;
  r->method       = bf_method_name(opt->method);
  r->precond_word = r->direct ? "-" : bf_precond_name(r->precond);
  r->format       = bf_format_word(job->plan.format);
  r->unknowns     = bf_job_unknowns(job);
  r->matrix       = bf_matrix_bytes(job->A);
  r->bytes        = bytes_of(job, r, rep);
  r->iterations   = rep->iterations;
  r->converged    = rep->reason == BF_KRYLOV_CONVERGED;
  r->residual     = rep->true_residual;
  r->solve        = rep->seconds;
  r->setup        = r->direct                               ? fmax(0.0, first - rep->seconds)
                    : r->precond == BF_PRECOND_MULTIGRID    ? rep->multigrid.seconds
                    : r->precond == BF_PRECOND_BLOCK_JACOBI ? rep->blocks.seconds + job->parts_seconds
                                                            : 0.0;
  if (rep->multigrid.failure[0])
    snprintf(r->why, sizeof r->why, "no hierarchy, solved with jacobi: %.300s", rep->multigrid.failure);
  else if (!r->converged)
    snprintf(r->why, sizeof r->why, "%.380s", rep->text);
}

static bf_err run(bf_job *job, row *r)
{
  bf_err          err  = BF_OK;
  bf_job_body     body = {.x = NULL};
  bf_solve_report rep  = {.iterations = 0};
  double          first;
  BF_GO(bf_job_open(job));
  BF_NEED(job->problem.analysis == BF_STATIC, BF_E_INPUT, "bench preconditioners needs a static analysis");
  configure(job, r);
  BF_GO(bf_job_number(job));
  BF_GO(bf_job_backend(job));
  BF_GO(bf_job_plan(job));
  BF_GO(bf_job_fits_backend(job));
  BF_GO(bf_job_assemble(job));
  BF_GO(bf_job_parts(job));
  bf_solve_options opt = bf_static_options(job);
  if (opt.precond >= BF_PRECOND_MULTIGRID) BF_GO(bf_job_body_create(job, &body));
  opt.body = &body.body;
  BF_GO(solve_twice(job, &opt, &first, &rep));
  fill(job, &opt, &rep, first, r);
done:
  if (err != BF_OK && job->diags.errors > 0) {
    const bf_diag *d = NULL;
    for (int i = 0; i < job->diags.count && !d; i++)
      if (job->diags.item[i].severity == BF_ERROR) d = &job->diags.item[i];
    snprintf(r->why, sizeof r->why, "%.390s", d ? d->text : "");
  } else if (err != BF_OK)
    snprintf(r->why, sizeof r->why, "%.390s", bf_err_message());
  bf_solve_report_clear(&rep);
  bf_job_body_clear(&body);
  return err;
}

static void print_head(const bf_job *job, const row *r)
{
  char device[128] = "", memory[24];
  job->be->ops.describe(job->be, device, sizeof device);
  bf_bytes_text((double)r->matrix, memory);
  printf("%s: %lld unknowns, matrix %s in format %s, rtol %g, %s: %s\n", job->deck_path,
         (long long)r->unknowns, memory, r->format, job->config.solver.rtol, job->be->ops.name, device);
  printf("%-14s  %-9s  %7s  %10s  %10s  %10s  %10s  %13s\n", "preconditioner", "method", "format",
         "iterations", "set-up s", "solve s", "memory", "true residual");
}

static void print_row(const row *r)
{
  char        memory[24];
  const char *name = r->direct ? "-" : bf_precond_name(r->precond), *method = r->direct ? "direct" : "";
  if (!r->solved) {
    printf("%-14s  %-9s  not solved: %s\n", name, method, r->why);
    return;
  }
  bf_bytes_text((double)r->bytes, memory);
  printf("%-14s  %-9s  %7s  %10d  %10.3g  %10.3g  %10s  %13.2e%s%s\n", r->precond_word, r->method, r->format,
         r->iterations, r->setup, r->solve, memory, r->residual, r->why[0] ? "  " : "", r->why);
}

/* deck,preconditioner,method,format,unknowns,iterations,... */
static bf_err write_csv(const char *path, const char *deck, const row *r)
{
  bf_err          err = BF_OK;
  bf_atomic_file *f   = NULL;
  BF_GO(bf_atomic_file_create(path, &f));
  bf_atomic_file_print(f, "deck,preconditioner,method,format,unknowns,iterations,converged,setup_seconds,"
                          "solve_seconds,bytes,matrix_bytes,true_residual\n");
  for (int k = 0; k < ROWS; k++)
    if (r[k].solved)
      bf_atomic_file_print(f, "%s,%s,%s,%s,%lld,%d,%d,%.6g,%.6g,%lld,%lld,%.6g\n", deck,
                           r[k].direct ? "" : r[k].precond_word, r[k].method, r[k].format,
                           (long long)r[k].unknowns, r[k].iterations, r[k].converged, r[k].setup, r[k].solve,
                           (long long)r[k].bytes, (long long)r[k].matrix, r[k].residual);
  BF_GO(bf_atomic_file_commit(f));
done:
  bf_atomic_file_destroy(&f);
  return err;
}

int bf_bench_preconditioners(int argc, char **argv)
{
  bf_job    given = {.log = {NULL, NULL}};
  const int words = bf_options(argc, argv, "bench", &given);
  int       exit = BF_EXIT_OK, solved = 0;
  row       table[ROWS];
  if (words >= 0) return words;
  memcpy(table, rows, sizeof rows);
  for (int k = 0; k < ROWS; k++) {
    bf_job job       = given;
    job.log          = (bf_log){NULL, NULL};
    job.brief        = (bf_log){NULL, NULL};
    const bf_err err = run(&job, &table[k]);
    /* what is wrong with the deck is wrong for the first row; direct needs the CPU */
    const int deck = err != BF_OK && !job.be && k == 0;
    if (deck) bf_say_diags(&job.diags, 0, job.json_errors);
    if (deck && job.diags.errors == 0) bf_say(job.json_errors, "%s", table[k].why);
    if (err != BF_OK && (deck || exit == BF_EXIT_OK)) exit = bf_exit_status(err);
    if (job.be && table[k].solved && solved++ == 0) print_head(&job, &table[k]);
    if (!deck) print_row(&table[k]);
    fflush(stdout);
    bf_job_close(&job);
    if (deck) return exit;
  }
  if (given.csv_path && write_csv(given.csv_path, given.deck_path, table) != BF_OK) {
    bf_say(given.json_errors, "bench: %s", bf_err_message());
    return BF_EXIT_FILE;
  }
  return solved > 0 ? BF_EXIT_OK : exit;
}
