/* solvers/krylov_run.c - see krylov_run.h: the host queues iterations and looks every few of them
 *
 * Looks wait for the device, so they are spaced by time: about 20 ms, never less than one and never more than
 * LOOK_MAX iterations.  Iterations queued past the end cost a launch each at most and change nothing.
 */
#include "solvers/krylov_run.h"
#include "base/timer.h"
#include <math.h>
#include <string.h>

enum { LOOK_FIRST = 8, LOOK_LEAST = 4, LOOK_MAX = 1024 };
static const double LOOK_SECONDS = 0.02;

bf_err bf_run_begin(bf_run *run, double stop, int limit)
{
  bf_backend *be = run->A->be;
  run->host      = (bf_krylov_state){.rr_stop = stop * stop, .limit = limit};
  return be->ops.copy(be, run->state, &run->host, sizeof run->host, BF_TO_DEVICE);
}

/* Hands iterations first+1 .. last of the whole solve to the monitor where they are multiples of
 * monitor_every. */
static void show(const bf_run *run, int first, int last)
{
  const bf_solve_options *opt = run->opt;
  const bf_solve_report  *rep = run->report;
  if (!opt->monitor) return;
  const int every = opt->monitor_every > 0 ? opt->monitor_every : 1;
  for (int i = first + 1; i <= last; i++) {
    const int stopped = run->host.status != BF_KRYLOV_RUNNING && i == last;
    if (i % every != 0 && !stopped) continue;
    const int    back   = i >= every ? i - every : 0;
    const double rate   = i > back ? pow(rep->history[i] / rep->history[back], 1.0 / (i - back)) : 1.0;
    const double spent  = rep->time_history[i];
    const double target = sqrt(run->host.rr_stop) / (rep->norm_b > 0.0 ? rep->norm_b : 1.0);
    const double mean   = rep->history[0] > 0.0 ? log(rep->history[i] / rep->history[0]) / i : 0.0;
    const double togo   = mean < 0.0 ? log(target / rep->history[i]) / mean : -1.0;
    opt->monitor(opt->context, &(bf_progress){.iteration    = i,
                                              .limit        = opt->max_iterations,
                                              .residual     = rep->history[i],
                                              .rate         = rate,
                                              .seconds      = spent,
                                              .seconds_left = togo >= 0.0 ? togo * spent / i : -1.0});
  }
}

/* Copies r.r of iterations from+1 .. to of this run behind the report's history, as relative norms. */
static bf_err collect(bf_run *run, int from, int to, double seconds)
{
  bf_backend      *be  = run->A->be;
  bf_solve_report *rep = run->report;
  const int        at  = rep->nhistory;
  const double     by  = rep->norm_b > 0.0 ? rep->norm_b : 1.0;
  if (to <= from) return BF_OK;
  BF_TRY(be->ops.copy(be, rep->history + at, run->history + from + 1, (size_t)(to - from) * sizeof(double),
                      BF_TO_HOST));
  for (int i = at; i < at + to - from; i++) {
    rep->history[i]      = sqrt(rep->history[i]) / by;
    rep->true_history[i] = NAN;
    rep->time_history[i] = seconds;
  }
  rep->nhistory   = at + to - from;
  rep->iterations = rep->nhistory - 1;
  return BF_OK;
}

/* Iterations until the next look: LOOK_SECONDS of them, and not past the end the rate since `before`
 * foretells. */
static int next_chunk(const bf_run *run, int before, double each)
{
  const bf_solve_report *rep    = run->report;
  const int              now    = rep->iterations;
  const double           target = sqrt(run->host.rr_stop) / (rep->norm_b > 0.0 ? rep->norm_b : 1.0);
  double                 want   = each > 0.0 ? LOOK_SECONDS / each : LOOK_MAX;
  if (now > before && target > 0.0 && rep->history[now] < rep->history[before]) {
    const double rate = log(rep->history[now] / rep->history[before]) / (now - before);
    want              = fmin(want, fmax(log(target / rep->history[now]) / rate + 1.0, LOOK_LEAST));
  }
  return want < 1.0 ? 1 : want > LOOK_MAX ? LOOK_MAX : (int)want;
}

bf_err bf_run_iterate(bf_run *run, bf_err (*steps)(bf_run *run, int count))
{
  bf_backend *be   = run->A->be;
  double      best = INFINITY, each = -1.0;
  int         seen = 0, best_at = 0, chunk = LOOK_FIRST;
  for (;;) {
    const double before = bf_seconds();
    BF_TRY(be->ops.copy(be, &run->host, run->state, sizeof run->host, BF_TO_HOST));
    const int done = run->host.iteration, first = run->report->iterations;
    BF_TRY(collect(run, seen, done, bf_seconds() - run->start));
    for (int i = run->report->nhistory - (done - seen); i < run->report->nhistory; i++) {
      if (run->report->history[i] >= best) continue;
      best    = run->report->history[i];
      best_at = seen + i - (run->report->nhistory - (done - seen)) + 1;
    }
    if (run->host.status == BF_KRYLOV_RUNNING && done - best_at >= BF_STALL)
      run->host.status = BF_KRYLOV_STAGNATION;
    if (run->host.status == BF_KRYLOV_RUNNING && run->opt->interrupted &&
        run->opt->interrupted(run->opt->context))
      run->host.status = BF_KRYLOV_INTERRUPTED;
    show(run, first, run->report->iterations);
    if (run->host.status != BF_KRYLOV_RUNNING) return BF_OK;
    seen = done;
    if (each >= 0.0) chunk = next_chunk(run, first, each);
    BF_TRY(steps(run, chunk));
    BF_TRY(be->ops.sync(be));
    each = (bf_seconds() - before) / chunk;
  }
}
