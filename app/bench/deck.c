/* app/bench/deck.c - bandfem bench DECK: product, CG iteration (where the matrix is symmetric) and assembly
 * on the matrix of a deck
 *
 * The same assembled matrix in every format; each product is compared with the one of CSR fp64.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "app/bench/bench.h"
#include "app/cli/message.h"
#include "app/cli/options.h"
#include "base/memory.h"
#include <math.h>
#include <string.h>

enum { HOPELESS = 3 }; /* times the bytes of CSR: not measured */

typedef struct deck_bench {
  bf_bench b;
  bf_job  *job;
  double  *x, *y;              /* backend vectors of the matrix at hand */
  double  *x_row, *y_row;      /* host, by its rows: x, and the product of CSR fp64 */
  double  *y_node;             /* host, by unknowns of the mesh: the product of CSR fp64 */
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
  const bf_bench_row row = {.kernel = kernel, .seconds = seconds, .bytes = bytes, .error = error};
  snprintf(kernel, sizeof kernel, "%s: %s", what, form);
  d->b.peer = d->b.best = peer;
  bf_bench_show(&d->b, &row);
}

static bf_err measure(deck_bench *d, const bf_matrix *A, const char *form)
{
  bf_product p = {A, d->x, d->y};
  double     t, error;
  BF_TRY(bf_product_run(&p));
  BF_TRY(bf_bench_error(A->be, A->nrows, d->y, d->y_row, &error));
  BF_TRY(bf_bench_seconds(A->be, 0, bf_product_run, &p, &t));
  show(d, "product", form, t, (double)bf_matrix_product_bytes(A), error, d->peer_spmv);
  if (!bf_model_symmetric(d->job->model)) return BF_OK;
  BF_TRY(bf_bench_iteration(A, BF_METHOD_CG, 0, d->job->b, &t, &error));
  if (isfinite(t)) show(d, "cg", form, t, cg_bytes(A), error, d->peer_cg);
  return BF_OK;
}

static bf_err peers(deck_bench *d, const bf_matrix *A)
{
  BF_TRY(bf_bench_peer_products(&d->b, 0, A, d->x, d->y, d->y_row));
  d->peer_spmv = d->b.peer; /* of CSR, as in the tables */
  if (!bf_model_symmetric(d->job->model)) return BF_OK;
  d->b.peer = d->b.best = 0.0;
  BF_TRY(bf_bench_peer_iterations(&d->b, A, BF_METHOD_CG, d->job->b, d->y, cg_bytes(A)));
  d->peer_cg = d->b.peer;
  return BF_OK;
}

/* ---- the deck's matrix as each candidate has it ---- */

static void drop(deck_bench *d)
{
  bf_job      *job   = d->job;
  const bf_int guard = job->A ? job->A->guard : 0;
  bf_vector_destroy(job->be, guard, &d->x);
  bf_vector_destroy(job->be, guard, &d->y);
  bf_vector_destroy(job->be, guard, &job->x);
  bf_vector_destroy(job->be, guard, &job->b);
  bf_matrix_destroy(&job->A);
  bf_host_free(d->x_row);
  bf_host_free(d->y_row);
  d->x_row = d->y_row = NULL;
}

/* x and the reference by the rows of the numbering at hand; phantom rows 0. */
static bf_err set_vectors(deck_bench *d)
{
  const bf_job       *job = d->job;
  const bf_numbering *num = job->num;
  const bf_matrix    *A   = job->A;
  const size_t        D   = (size_t)A->ncomp;
  BF_TRY(bf_vector_create(job->be, A->nrows, A->guard, &d->x));
  BF_TRY(bf_vector_create(job->be, A->nrows, A->guard, &d->y));
  BF_TRY(BF_NEW_ARRAY(d->x_row, A->nrows));
  BF_TRY(BF_NEW_ARRAY(d->y_row, A->nrows));
  for (size_t r = 0; r < (size_t)num->nrows; r++)
    for (size_t c = 0; c < D && num->node[r] >= 0; c++) {
      const size_t k      = (size_t)num->node[r] * D + c;
      d->x_row[r * D + c] = sin(1.0 + 0.7 * (double)k);
      d->y_row[r * D + c] = d->y_node[k];
    }
  return job->be->ops.copy(job->be, d->x, d->x_row, (size_t)A->nrows * sizeof(double), BF_TO_DEVICE);
}

static bf_err assemble_as(deck_bench *d, int candidate, double *seconds)
{
  bf_job   *job    = d->job;
  bf_phases before = job->phases;
  drop(d);
  BF_TRY(bf_job_select(job, candidate));
  job->phases = (bf_phases){0};
  BF_TRY(bf_job_assemble(job));
  *seconds = 0.0;
  for (int i = 0; i < job->phases.count; i++)
    if (strcmp(job->phases.phase[i].name, "assembly: element matrices") == 0 ||
        strcmp(job->phases.phase[i].name, "assembly: scatter") == 0)
      *seconds += job->phases.phase[i].seconds;
  job->phases = before;
  return set_vectors(d);
}

static bf_err one_candidate(deck_bench *d, int i)
{
  const bf_candidate *c = &d->job->plan.candidates.item[i];
  char                name[48], form[64];
  double              first, again;
  bf_matrix          *A32 = NULL;
  BF_TRY(assemble_as(d, i, &first));
  BF_TRY(assemble_as(d, i, &again));
  const bf_matrix *A = d->job->A;
  bf_candidate_name(d->job, c, name, sizeof name);
  snprintf(form, sizeof form, "%s fp64", name);
  show(d, "assembly", form, fmin(first, again), 2.0 * (double)bf_matrix_bytes(A), -1.0, 0.0);
  BF_TRY(measure(d, A, form));
  BF_TRY(bf_matrix_to_fp32(A, &A32));
  snprintf(form, sizeof form, "%s fp32 values", name);
  const bf_err err = measure(d, A32, form);
  bf_matrix_destroy(&A32);
  return err;
}

/* The product of CSR fp64 by the unknowns of the mesh, and the peers. */
static bf_err reference(deck_bench *d, int csr)
{
  const bf_job *job = d->job;
  double        seconds;
  BF_TRY(BF_NEW_ARRAY(d->y_node, (size_t)job->mesh->nnodes * (size_t)bf_model_ncomp(job->model)));
  BF_TRY(assemble_as(d, csr, &seconds));
  const size_t n = (size_t)job->A->nrows, D = (size_t)job->A->ncomp;
  bf_product   p = {job->A, d->x, d->y};
  BF_TRY(bf_product_run(&p));
  BF_TRY(job->be->ops.copy(job->be, d->y_row, d->y, n * sizeof(double), BF_TO_HOST));
  BF_TRY(job->be->ops.sync(job->be));
  for (size_t i = 0; i < n; i++)
    if (job->num->node[i / D] >= 0) d->y_node[(size_t)job->num->node[i / D] * D + i % D] = d->y_row[i];
  return peers(d, job->A);
}

static bf_err steps(deck_bench *d)
{
  bf_job *job = d->job;
  int     csr = 0;
  BF_TRY(bf_job_open(job));
  BF_TRY(bf_job_number(job));
  BF_TRY(bf_job_backend(job));
  BF_TRY(bf_job_candidates(job));
  while (job->plan.candidates.item[csr].format != BF_FORMAT_CSR) csr++;
  BF_TRY(bf_job_select(job, csr));
  BF_TRY(bf_job_forecast(job));
  BF_TRY(bf_job_fits(job, job->be));
  d->b.be = job->be;
  BF_TRY(bf_bench_ceilings(&d->b));
  BF_TRY(reference(d, csr));
  const bf_candidate *c = job->plan.candidates.item;
  for (int i = 0; i < job->plan.candidates.count; i++)
    if (c[i].why_not == BF_FITS && c[i].product <= HOPELESS * c[csr].product) BF_TRY(one_candidate(d, i));
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
  if (job.be) drop(&d);
  bf_host_free(d.y_node);
  bf_job_close(&job);
  return bf_exit_status(err);
}
