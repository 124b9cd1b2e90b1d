/* app/bench.c - bandfem bench DECK: product, CG iteration and assembly on the matrix of a deck, the peers
 * beside them
 *
 * The same assembled matrix in every format; each product is compared with the one of CSR fp64 (largest
 * difference relative to |A||x| bounded by the row sums), timed as a median over repetitions, and related to
 * the copy and triad bandwidth of the same run.  With BANDFEM_PEERS cuSPARSE and cuBLAS do the same work in
 * the same run.
 */
#include "app/options.h"
#include "app/say.h"
#include "base/memory.h"
#ifdef BF_WITH_PEERS
#include "kernels/peers.h"
#endif
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ITERATIONS = 300 }; /* of the solves that time one */

typedef struct bench {
  bf_job *job;
  FILE   *csv;
  double *x, *y,
      *reference; /* backend vectors with the largest guard; reference: host, product of CSR fp64 */
  double     *host;
  double     *rhs; /* backend: the deck's right-hand side, with room for every format */
  bf_int      guard;
  double      copy, triad;        /* bytes/s */
  double      peer_spmv, peer_cg; /* seconds, 0 = no peer */
  const char *backend;
} bench;

typedef struct product {
  const bf_matrix *A;
  const double    *x;
  double          *y;
} product;

static bf_err run_product(void *context)
{
  const product *p = context;
  return bf_matrix_spmv(p->A, p->x, p->y, NULL, NULL);
}

static int by_size(const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Median seconds of one call: device events where they are, else the wall clock around batches of calls. */
static bf_err time_call(bf_backend *be, bf_err (*fn)(void *), void *context, double *median)
{
  enum { SAMPLES = 21 };
  double t[SAMPLES];
#ifdef BF_WITH_PEERS
  double least;
  if (be->ops.on_device) return bf_bench_time(be, fn, context, SAMPLES, (size_t)256 << 20, median, &least);
#endif
  BF_TRY(fn(context));
  BF_TRY(be->ops.sync(be));
  for (int i = 0; i < SAMPLES; i++) {
    const double t0 = bf_seconds();
    int          n  = 0;
    do {
      BF_TRY(fn(context));
      BF_TRY(be->ops.sync(be));
      n++;
    } while (bf_seconds() - t0 < 2e-3);
    t[i] = (bf_seconds() - t0) / n;
  }
  qsort(t, SAMPLES, sizeof *t, by_size);
  *median = t[SAMPLES / 2];
  return BF_OK;
}

static void row(const bench *b, const char *what, const char *form, double seconds, double bytes,
                double error, double peer)
{
  const double rate = seconds > 0.0 ? bytes / seconds : 0.0;
  printf("  %-12s %-26s %10.1f us %9.1f GB/s  %5.1f %% of copy  %5.1f %% of triad", what, form, 1e6 * seconds,
         1e-9 * rate, 100.0 * rate / b->copy, 100.0 * rate / b->triad);
  if (error >= 0.0) printf("  error %.1e", error);
  if (peer > 0.0) printf("  peer/this %.2f", peer / seconds);
  printf("\n");
  if (b->csv)
    fprintf(b->csv, "%s,%s,%s,%s,%.9g,%.9g,%.6g,%.6g,%.3g,%.6g\n", b->job->deck_path, b->backend, what, form,
            seconds, bytes, rate / b->copy, rate / b->triad, error, peer > 0.0 ? peer / seconds : NAN);
}

/* ---- ceilings */
typedef struct stream {
  bf_backend *be;
  int64_t     n;
  void       *v[3];
} stream;
static bf_err run_copy(void *context)
{
  stream *s = context;
  return s->be->ops.copy(s->be, s->v[1], s->v[0], (size_t)s->n * sizeof(double), BF_WITHIN);
}
static bf_err run_triad(void *context)
{
  stream *s = context;
  return BF_OP(s->be, triad, s->n, 3.0, s->v[0], s->v[1], s->v[2]);
}

static bf_err ceilings(bench *b)
{
  bf_err err = BF_OK;
  stream s   = {.be = b->job->be, .n = b->job->be->ops.on_device ? 1 << 27 : 1 << 24};
  double t;
  for (int i = 0; i < 3; i++) {
    BF_GO(s.be->ops.alloc(s.be, (size_t)s.n * sizeof(double), &s.v[i]));
    BF_GO(s.be->ops.zero(s.be, s.v[i], (size_t)s.n * sizeof(double)));
  }
  BF_GO(time_call(s.be, run_copy, &s, &t));
  b->copy = 16.0 * (double)s.n / t;
  BF_GO(time_call(s.be, run_triad, &s, &t));
  b->triad = 24.0 * (double)s.n / t;
  printf("  copy %.1f GB/s, triad %.1f GB/s (arrays of %.0f MiB)\n", 1e-9 * b->copy, 1e-9 * b->triad,
         (double)s.n * 8.0 / 0x1p20);
done:
  for (int i = 0; i < 3; i++) s.be->ops.release(s.be, s.v[i]);
  return err;
}

/* ---- one format: product and iteration */
static bf_err largest_difference(bench *b, const bf_matrix *A, double *error)
{
  double top = 0.0, worst = 0.0;
  BF_TRY(b->job->be->ops.copy(b->job->be, b->host, b->y, (size_t)A->nrows * sizeof(double), BF_TO_HOST));
  for (bf_int i = 0; i < A->nrows; i++) {
    top   = fmax(top, fabs(b->reference[i]));
    worst = fmax(worst, fabs(b->host[i] - b->reference[i]));
  }
  *error = top > 0.0 ? worst / top : worst;
  return BF_OK;
}

/* Last iteration that the look which saw iteration i saw. */
static int seen_with(const bf_solve_report *rep, int i)
{
  while (i < rep->iterations && rep->time_history[i + 1] == rep->time_history[i]) i++;
  return i;
}

/* Seconds of one CG iteration: between two looks of the host in the middle of one long solve. */
static bf_err iteration(bench *b, const bf_matrix *A, double *seconds)
{
  bf_solve_report        rep = {0};
  const bf_solve_options opt = {.method         = BF_METHOD_CG,
                                .precond        = BF_PRECOND_NONE,
                                .rtol           = 1e-300,
                                .max_iterations = ITERATIONS,
                                .monitor_every  = ITERATIONS};
  BF_TRY(A->be->ops.zero(A->be, b->y, (size_t)A->nrows * sizeof(double)));
  BF_TRY(bf_solve(A, NULL, b->rhs, b->y, &opt, &rep));
  const int first = seen_with(&rep, rep.iterations / 4), last = seen_with(&rep, rep.iterations * 3 / 4);
  *seconds = last > first ? (rep.time_history[last] - rep.time_history[first]) / (last - first) : INFINITY;
  bf_solve_report_clear(&rep);
  return BF_OK;
}

static bf_err measure(bench *b, const bf_matrix *A, const char *form)
{
  product p = {A, b->x, b->y};
  double  t, error;
  BF_TRY(run_product(&p));
  BF_TRY(largest_difference(b, A, &error));
  BF_TRY(time_call(A->be, run_product, &p, &t));
  row(b, "product", form, t, (double)bf_matrix_product_bytes(A), error, b->peer_spmv);
  BF_TRY(iteration(b, A, &t));
  if (isfinite(t))
    row(b, "cg", form, t, (double)bf_matrix_product_bytes(A) + 72.0 * (double)A->nrows, -1.0, b->peer_cg);
  return BF_OK;
}

#ifdef BF_WITH_PEERS
typedef struct peer_call {
  bf_peer      *peer;
  const double *x;
  double       *y;
} peer_call;
static bf_err run_peer(void *context)
{
  peer_call *c = context;
  return bf_peer_spmv(c->peer, c->x, c->y);
}

static bf_err peers(bench *b, const bf_matrix *A)
{
  bf_err    err  = BF_OK;
  bf_peer  *peer = NULL;
  peer_call c    = {.x = b->x, .y = b->y};
  double    error;
  if (!A->be->ops.on_device) return BF_OK;
  BF_GO(bf_peer_create_csr(A->be, A->csr, &peer));
  c.peer = peer;
  printf("  peer: %s\n", bf_peer_describe(peer));
  BF_GO(run_peer(&c));
  BF_GO(largest_difference(b, A, &error));
  BF_GO(time_call(A->be, run_peer, &c, &b->peer_spmv));
  row(b, "product", "cuSPARSE csr fp64", b->peer_spmv, (double)bf_matrix_product_bytes(A), error, 0.0);
  double best = INFINITY;
  for (int k = 0; k < 4; k++) {
    BF_GO(A->be->ops.zero(A->be, b->y, (size_t)A->nrows * sizeof(double)));
    BF_GO(A->be->ops.sync(A->be));
    const double t0 = bf_seconds();
    BF_GO(bf_peer_cg(peer, b->rhs, b->y, NULL, ITERATIONS, 0, NULL));
    BF_GO(A->be->ops.sync(A->be));
    if (k > 0) best = fmin(best, (bf_seconds() - t0) / ITERATIONS);
  }
  b->peer_cg = best;
  row(b, "cg", "cuSPARSE + cuBLAS", best, (double)bf_matrix_product_bytes(A) + 72.0 * (double)A->nrows, -1.0,
      0.0);
done:
  bf_peer_destroy(&peer);
  return err;
}
#endif

/* ---- the deck's matrix in another format; the right-hand side is kept from the first one */
static bf_err assemble_as(bench *b, bf_format format, int half, double *seconds)
{
  bf_job   *job    = b->job;
  bf_phases before = job->phases;
  bf_vector_destroy(job->be, job->A ? job->A->guard : 0, &job->x);
  bf_vector_destroy(job->be, job->A ? job->A->guard : 0, &job->b);
  bf_matrix_destroy(&job->A);
  job->plan.format = format;
  job->plan.half   = half;
  job->plan.values = BF_FP64;
  job->phases      = (bf_phases){0};
  BF_TRY(bf_job_assemble(job));
  *seconds = 0.0;
  for (int i = 0; i < job->phases.count; i++)
    if (strcmp(job->phases.phase[i].name, "assembly: element matrices") == 0 ||
        strcmp(job->phases.phase[i].name, "assembly: scatter") == 0)
      *seconds += job->phases.phase[i].seconds;
  job->phases = before;
  return BF_OK;
}

static bf_err one_format(bench *b, bf_format format, int half, const char *name)
{
  char       form[48];
  double     first, again;
  bf_matrix *A32 = NULL;
  BF_TRY(assemble_as(b, format, half, &first));
  BF_TRY(assemble_as(b, format, half, &again));
  const bf_matrix *A = b->job->A;
  if (A->guard > b->guard) return BF_FAIL(BF_E_INTERNAL, "guard of %s", name);
  snprintf(form, sizeof form, "%s fp64", name);
  row(b, "assembly", form, fmin(first, again), 2.0 * (double)bf_matrix_bytes(A), -1.0, 0.0);
  BF_TRY(measure(b, A, form));
  BF_TRY(bf_matrix_to_fp32(A, &A32));
  snprintf(form, sizeof form, "%s fp32 values", name);
  const bf_err err = measure(b, A32, form);
  bf_matrix_destroy(&A32);
  return err;
}

static bf_err random_vector(bench *b, bf_int n)
{
  uint64_t s = 88172645463325252ULL;
  for (bf_int i = 0; i < n; i++) {
    s ^= s << 13, s ^= s >> 7, s ^= s << 17;
    b->host[i] = (double)(s >> 11) * 0x1p-53 - 0.5;
  }
  return b->job->be->ops.copy(b->job->be, b->x, b->host, (size_t)n * sizeof(double), BF_TO_DEVICE);
}

static bf_err steps(bench *b)
{
  bf_job *job = b->job;
  BF_TRY(bf_job_open(job));
  BF_TRY(bf_job_number(job));
  BF_TRY(bf_job_plan(job));
  BF_TRY(bf_job_backend(job));
  b->backend     = job->be->ops.name;
  const bf_int n = job->num->nrows * bf_model_ncomp(job->model);
  b->guard       = job->plan.bands
                       ? (bf_bands_reach(job->plan.bands) * bf_model_ncomp(job->model) + 31) / 32 * 32 + 64
                       : 0;
  BF_TRY(bf_vector_create(job->be, n, b->guard, &b->x));
  BF_TRY(bf_vector_create(job->be, n, b->guard, &b->y));
  BF_TRY(bf_vector_create(job->be, n, b->guard, &b->rhs));
  BF_TRY(BF_NEW_ARRAY(b->reference, n));
  BF_TRY(BF_NEW_ARRAY(b->host, n));
  BF_TRY(random_vector(b, n));
  BF_TRY(ceilings(b));
  double seconds;
  BF_TRY(assemble_as(b, BF_FORMAT_CSR, 0, &seconds));
  BF_TRY(job->be->ops.copy(job->be, b->rhs, job->b, (size_t)n * sizeof(double), BF_WITHIN));
  product p = {job->A, b->x, b->y};
  BF_TRY(run_product(&p));
  BF_TRY(job->be->ops.copy(job->be, b->reference, b->y, (size_t)n * sizeof(double), BF_TO_HOST));
#ifdef BF_WITH_PEERS
  BF_TRY(peers(b, job->A));
#endif
  BF_TRY(one_format(b, BF_FORMAT_CSR, 0, "csr"));
  if (!job->plan.bands) return BF_OK;
  BF_TRY(one_format(b, BF_FORMAT_BDIA, 0, "bdia full"));
  BF_TRY(one_format(b, BF_FORMAT_BDIA, 1, "bdia symmetric"));
  return BF_OK;
}

int bf_cmd_bench(int argc, char **argv)
{
  bf_job    job  = {.log = {bf_console_line, NULL}};
  const int exit = bf_options(argc, argv, "bench", &job);
  if (exit >= 0) return exit;
  bench b = {.job = &job};
  if (job.csv_path) b.csv = fopen(job.csv_path, "a");
  if (job.csv_path && !b.csv) {
    bf_say(job.json_errors, "bench: cannot write '%s'", job.csv_path);
    return BF_EXIT_FILE;
  }
  if (b.csv)
    fprintf(b.csv,
            "deck,backend,what,form,seconds,bytes,share_of_copy,share_of_triad,error,peer_over_this\n");
  const bf_err err = steps(&b);
  bf_say_diags(&job.diags, 0, job.json_errors);
  if (err != BF_OK && job.diags.errors == 0) bf_say(job.json_errors, "%s", bf_err_trace());
  if (b.csv) fclose(b.csv);
  if (job.be) bf_vector_destroy(job.be, b.guard, &b.x);
  if (job.be) bf_vector_destroy(job.be, b.guard, &b.y);
  if (job.be) bf_vector_destroy(job.be, b.guard, &b.rhs);
  bf_host_free(b.reference);
  bf_host_free(b.host);
  bf_job_close(&job);
  return bf_exit_status(err);
}
