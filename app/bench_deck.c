/* app/bench_deck.c - bandfem bench DECK: product, CG iteration and assembly on the matrix of a deck
 *
 * The same assembled matrix in every format; each product is compared with the one of CSR fp64.
 */
#include "app/bench.h"
#include "app/options.h"
#include "app/say.h"
#include "base/memory.h"
#include <math.h>
#include <string.h>

typedef struct deck_bench {
  bf_bench b;
  bf_job  *job;
  double  *x, *y, *rhs; /* backend vectors with room for every format; rhs: the deck's right-hand side */
  double  *reference;   /* host, product of CSR fp64 */
  bf_int   guard;
  double   peer_spmv, peer_cg; /* seconds, 0 = no peer */
} deck_bench;

static double cg_bytes(const bf_matrix *A)
{
  return (double)bf_matrix_product_bytes(A) + 7.0 * 8.0 * A->nrows;
}

static void show(deck_bench *d, const char *what, const char *form, double seconds, double bytes,
                 double error, double peer)
{
  char               kernel[96];
  const bf_bench_row row = {kernel, seconds, bytes, error, 0};
  snprintf(kernel, sizeof kernel, "%s: %s", what, form);
  d->b.peer = peer;
  bf_bench_show(&d->b, &row);
}

static bf_err measure(deck_bench *d, const bf_matrix *A, const char *form)
{
  bf_product p = {A, d->x, d->y};
  double     t, error;
  BF_TRY(bf_product_run(&p));
  BF_TRY(bf_bench_error(A->be, A->nrows, d->y, d->reference, &error));
  BF_TRY(bf_bench_seconds(A->be, 0, bf_product_run, &p, &t));
  show(d, "product", form, t, (double)bf_matrix_product_bytes(A), error, d->peer_spmv);
  BF_TRY(bf_bench_iteration(A, BF_METHOD_CG, d->rhs, d->y, &t));
  if (isfinite(t)) show(d, "cg", form, t, cg_bytes(A), -1.0, d->peer_cg);
  return BF_OK;
}

static bf_err peers(deck_bench *d, const bf_matrix *A)
{
  BF_TRY(bf_bench_peer_products(&d->b, 0, A, d->x, d->y, d->reference));
  d->peer_spmv = d->b.peer;
  BF_TRY(bf_bench_peer_cg(A, d->rhs, d->y, &d->peer_cg));
  if (d->peer_cg > 0.0) show(d, "cg", "cuSPARSE + cuBLAS", d->peer_cg, cg_bytes(A), -1.0, 0.0);
  return BF_OK;
}

/* ---- the deck's matrix in another format; the right-hand side is kept from the first one */
static bf_err assemble_as(deck_bench *d, bf_format format, int half, double *seconds)
{
  bf_job   *job    = d->job;
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

static bf_err one_format(deck_bench *d, bf_format format, int half, const char *name)
{
  char       form[48];
  double     first, again;
  bf_matrix *A32 = NULL;
  BF_TRY(assemble_as(d, format, half, &first));
  BF_TRY(assemble_as(d, format, half, &again));
  const bf_matrix *A = d->job->A;
  if (A->guard > d->guard) return BF_FAIL(BF_E_INTERNAL, "guard of %s", name);
  snprintf(form, sizeof form, "%s fp64", name);
  show(d, "assembly", form, fmin(first, again), 2.0 * (double)bf_matrix_bytes(A), -1.0, 0.0);
  BF_TRY(measure(d, A, form));
  BF_TRY(bf_matrix_to_fp32(A, &A32));
  snprintf(form, sizeof form, "%s fp32 values", name);
  const bf_err err = measure(d, A32, form);
  bf_matrix_destroy(&A32);
  return err;
}

static bf_err steps(deck_bench *d)
{
  bf_job *job = d->job;
  BF_TRY(bf_job_open(job));
  BF_TRY(bf_job_number(job));
  BF_TRY(bf_job_plan(job));
  BF_TRY(bf_job_backend(job));
  d->b.be        = job->be;
  const bf_int n = job->num->nrows * bf_model_ncomp(job->model);
  d->guard       = job->plan.bands
                       ? (bf_bands_reach(job->plan.bands) * bf_model_ncomp(job->model) + 31) / 32 * 32 + 64
                       : 0;
  BF_TRY(bf_vector_create(job->be, n, d->guard, &d->x));
  BF_TRY(bf_vector_create(job->be, n, d->guard, &d->y));
  BF_TRY(bf_vector_create(job->be, n, d->guard, &d->rhs));
  BF_TRY(BF_NEW_ARRAY(d->reference, n));
  BF_TRY(bf_bench_random(job->be, n, d->x));
  BF_TRY(bf_bench_ceilings(&d->b));
  double seconds;
  BF_TRY(assemble_as(d, BF_FORMAT_CSR, 0, &seconds));
  BF_TRY(job->be->ops.copy(job->be, d->rhs, job->b, (size_t)n * sizeof(double), BF_WITHIN));
  bf_product p = {job->A, d->x, d->y};
  BF_TRY(bf_product_run(&p));
  BF_TRY(job->be->ops.copy(job->be, d->reference, d->y, (size_t)n * sizeof(double), BF_TO_HOST));
  BF_TRY(peers(d, job->A));
  BF_TRY(one_format(d, BF_FORMAT_CSR, 0, "csr"));
  if (!job->plan.bands) return BF_OK;
  BF_TRY(one_format(d, BF_FORMAT_BDIA, 0, "bdia full"));
  BF_TRY(one_format(d, BF_FORMAT_BDIA, 1, "bdia half"));
  return BF_OK;
}

int bf_bench_deck(int argc, char **argv)
{
  bf_job    job  = {.log = {bf_console_line, NULL}};
  const int exit = bf_options(argc, argv, "bench", &job);
  if (exit >= 0) return exit;
  deck_bench d = {.b = {.table = "deck"}, .job = &job};
  snprintf(d.b.name, sizeof d.b.name, "%s", job.deck_path);
  if (job.csv_path) d.b.csv = fopen(job.csv_path, "a");
  if (job.csv_path && !d.b.csv) {
    bf_say(job.json_errors, "bench: cannot write '%s'", job.csv_path);
    return BF_EXIT_FILE;
  }
  bf_bench_header(d.b.csv);
  const bf_err err = steps(&d);
  bf_say_diags(&job.diags, 0, job.json_errors);
  if (err != BF_OK && job.diags.errors == 0) bf_say(job.json_errors, "%s", bf_err_trace());
  if (d.b.csv) fclose(d.b.csv);
  if (job.be) bf_vector_destroy(job.be, d.guard, &d.x);
  if (job.be) bf_vector_destroy(job.be, d.guard, &d.y);
  if (job.be) bf_vector_destroy(job.be, d.guard, &d.rhs);
  bf_host_free(d.reference);
  bf_job_close(&job);
  return bf_exit_status(err);
}
