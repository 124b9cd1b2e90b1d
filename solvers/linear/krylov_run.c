/* solvers/linear/krylov_run.c - see krylov_run.h: the host queues iterations and reads the state every few of
 * them
 *
 * Reading the state waits for the device, so it is done about every 20 ms, after at least one and at most
 * BF_LOOK_MAX iterations. Iterations queued after the end cost at most a launch each and change nothing;
 * those with a multigrid cycle cost the cycle, so that the readings aim at the end.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "solvers/linear/krylov_run.h"
#include "base/memory.h"
#include "base/timer.h"
#include "solvers/linear/fp32_matrix.h"
#include "solvers/linear/iteration_limit.h"
#include <math.h>
#include <stddef.h>

enum { LOOK_FIRST = 8, LOOK_LEAST = 4, ROOM_FIRST = 1024 };
static const double LOOK_SECONDS = 0.02, COSTLY = 0.7;

double bf_run_energy(const bf_run *run)
{
  return run->replaced ? run->energy : 0.0;
}

bf_err bf_run_begin(bf_run *run, double stop)
{
  bf_backend *be   = run->A->be;
  const int   left = run->limit - run->report->iterations;
  run->chain       = run->replaced ? run->chain + run->host.iteration : 0;
  run->judged      = run->replaced ? run->judged : 0;
  run->host        = (bf_krylov_state){.rr       = INFINITY, /* not known yet */
                                       .rr_stop  = stop * stop,
                                       .limit    = left,
                                       .energy   = bf_run_energy(run),
                                       .patience = bf_limit_patience(run->A->nrows)};
  return be->ops.copy(be, run->state, &run->host, sizeof run->host, BF_TO_DEVICE);
}

/* ---- memory for the histories ---- */

static bf_err grow(void **array, int entries, size_t size)
{
  void *p = bf_host_realloc(*array, (size_t)entries, size);
  BF_CHECK(p, BF_E_MEMORY, "no memory for the history of %d iterations", entries);
  *array = p;
  return BF_OK;
}

bf_err bf_run_reserve(bf_run *run, int entries)
{
  bf_solve_report *rep  = run->report;
  int              room = run->room > ROOM_FIRST ? run->room : ROOM_FIRST;
  if (entries <= run->room) return BF_OK;
  while (room < entries) room = room < INT32_MAX / 2 ? 2 * room : INT32_MAX;
  BF_TRY(grow((void **)&rep->history, room, sizeof *rep->history));
  BF_TRY(grow((void **)&rep->true_history, room, sizeof *rep->true_history));
  BF_TRY(grow((void **)&rep->time_history, room, sizeof *rep->time_history));
  BF_TRY(grow((void **)&run->samples, room, sizeof *run->samples));
  run->room = room;
  return BF_OK;
}

/* ---- reading the state ---- */

/* Passes iteration i of the whole solve to the monitor. */
static void show_one(const bf_run *run, int i)
{
  const bf_solve_options *opt   = run->opt;
  const bf_solve_report  *rep   = run->report;
  const int               every = opt->monitor_every > 0 ? opt->monitor_every : 1;
  const int               back  = i >= every ? i - every : 0;
  const double            rate = i > back ? pow(rep->history[i] / rep->history[back], 1.0 / (i - back)) : 1.0;
  const double            spent  = rep->time_history[i];
  const double            target = run->tol / (rep->norm_b > 0.0 ? rep->norm_b : 1.0);
  const double            mean   = rep->history[0] > 0.0 ? log(rep->history[i] / rep->history[0]) / i : 0.0;
  const double            togo   = mean < 0.0 ? log(target / rep->history[i]) / mean : -1.0;
  opt->monitor(opt->context, &(bf_progress){.iteration    = i,
                                            .limit        = run->limit,
                                            .residual     = rep->history[i],
                                            .rate         = rate,
                                            .seconds      = spent,
                                            .seconds_left = togo >= 0.0 ? togo * spent / i : -1.0});
}

/* Passes iterations first+1 .. last to the monitor where they are multiples of monitor_every. */
static void show(const bf_run *run, int first, int last)
{
  const int every = run->opt->monitor_every > 0 ? run->opt->monitor_every : 1;
  for (int i = first + 1; run->opt->monitor && i <= last; i++)
    if (i % every == 0) show_one(run, i);
}

void bf_run_show_end(const bf_run *run)
{
  const int every = run->opt->monitor_every > 0 ? run->opt->monitor_every : 1, last = run->report->iterations;
  if (run->opt->monitor && last % every != 0) show_one(run, last);
}

/* Copies samples from .. to of this run to the host. */
static bf_err fetch(bf_run *run, int from, int to)
{
  bf_backend *be = run->A->be;
  for (int i = from; i <= to;) {
    const int at = i % BF_KRYLOV_SAMPLES, rest = BF_KRYLOV_SAMPLES - at, left = to - i + 1;
    const int n = left < rest ? left : rest;
    BF_TRY(be->ops.copy(be, run->samples + run->chain + i, run->history + at,
                        (size_t)n * sizeof *run->samples, BF_TO_HOST));
    i += n;
  }
  return BF_OK;
}

/* Adds iterations from+1 .. to of this run to the report's history, as relative norms; from = -1: the start
 * of the run, which is in the history already, is fetched too. */
static bf_err collect(bf_run *run, int from, int to, double seconds)
{
  bf_solve_report *rep = run->report;
  const double     by  = rep->norm_b > 0.0 ? rep->norm_b : 1.0;
  if (to <= from) return BF_OK;
  BF_TRY(bf_run_reserve(run, rep->nhistory + to + 1));
  const double alpha = run->samples[run->chain].alpha; /* of the last iteration of the run before */
  BF_TRY(fetch(run, from + 1, to));
  if (from < 0 && run->chain > 0) run->samples[run->chain].alpha = alpha;
  for (int k = from < 0 ? 1 : from + 1; k <= to; k++) {
    const int i          = rep->nhistory++;
    rep->history[i]      = sqrt(run->samples[run->chain + k].rr) / by;
    rep->true_history[i] = NAN;
    rep->time_history[i] = seconds;
  }
  rep->iterations = rep->nhistory - 1;
  return BF_OK;
}

int bf_run_costly(const bf_run *run)
{
  return run->precond && (run->opt->precond == BF_PRECOND_MULTIGRID || run->opt->precond == BF_PRECOND_AUTO);
}

/* Iterations until the state is read next: those of LOOK_SECONDS, and not past the end predicted by the rate
 * since `before`; of costly ones, 0.7 of these, since a reading takes less time than an iteration too many.
 */
static int next_chunk(const bf_run *run, int before, double each)
{
  const bf_solve_report *rep    = run->report;
  const int              now    = rep->iterations;
  const double           target = sqrt(run->host.rr_stop) / (rep->norm_b > 0.0 ? rep->norm_b : 1.0);
  const int              costly = bf_run_costly(run);
  double                 want   = each > 0.0 ? LOOK_SECONDS / each : BF_LOOK_MAX;
  if (now > before && target > 0.0 && rep->history[now] < rep->history[before]) {
    const double rate = log(rep->history[now] / rep->history[before]) / (now - before);
    const double left = log(target / rep->history[now]) / rate;
    want              = fmin(want, costly ? COSTLY * left : fmax(left + 1.0, LOOK_LEAST));
  }
  return want < 1.0 ? 1 : want > BF_LOOK_MAX ? BF_LOOK_MAX : (int)want;
}

/* The limit of the state on the backend; nothing is queued. */
static bf_err set_limit(const bf_run *run)
{
  bf_backend *be = run->A->be;
  char       *to = (char *)run->state + offsetof(bf_krylov_state, limit);
  return be->ops.copy(be, to, &run->host.limit, sizeof run->host.limit, BF_TO_DEVICE);
}

bf_err bf_run_iterate(bf_run *run, bf_err (*steps)(bf_run *run, int count))
{
  bf_backend *be   = run->A->be;
  double      each = -1.0;
  int         seen = -1, chunk = bf_run_costly(run) ? 2 : LOOK_FIRST, check = 1, grown;
  for (;;) {
    const double before = bf_seconds();
    BF_TRY(be->ops.copy(be, &run->host, run->state, sizeof run->host, BF_TO_HOST));
    const int done = run->host.iteration, first = run->report->iterations;
    BF_TRY(collect(run, seen, done, bf_seconds() - run->start));
    if (run->host.status == BF_KRYLOV_RUNNING && run->opt->interrupted &&
        run->opt->interrupted(run->opt->context))
      run->host.status = BF_KRYLOV_INTERRUPTED;
    show(run, first, run->report->iterations);
    BF_TRY(bf_limit_grow(
        run,
        &grown)); /* at the end too: the times of reading depend on the clock, the end of a run does not */
    if (run->host.status != BF_KRYLOV_RUNNING) return BF_OK;
    if (grown) BF_TRY(set_limit(run));
    seen = done;
    if (each >= 0.0) chunk = next_chunk(run, first, each);
    if (done == check) BF_TRY(bf_fp32_check(run, &run->discard));
    if (run->discard) return BF_OK;
    if (done == check) check *= 2;
    if (run->A != run->exact && chunk > check - done) chunk = check - done;
    BF_TRY(steps(run, chunk));
    BF_TRY(be->ops.sync(be));
    each = (bf_seconds() - before) / chunk;
  }
}
