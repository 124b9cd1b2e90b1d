/* tests/peers/bandfem_multigrid.c - CG with multigrid by bandfem on the system of a deck, and the system for
 * PETSc
 *
 * usage: bandfem_multigrid DECK [DUMP]
 * prints: seconds of set-up, seconds of set-up and solve, iterations, true residual.  DUMP: rows, components,
 * nonzeros (int64), ptr (int64), col (int32), val, b, coordinates [nodes][3] (fp64), in the order of the
 * rows.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "app/job.h"
#include "app/precond/multigrid.h"
#include <math.h>
#include <stdio.h>

static bf_err put(FILE *f, const void *p, size_t size, size_t n)
{
  BF_CHECK(fwrite(p, size, n, f) == n, BF_E_FILE, "the dump cannot be written");
  return BF_OK;
}

static bf_err dump(const bf_job *job, const char *path)
{
  bf_err        err = BF_OK;
  bf_sparse    *S   = NULL;
  const int     D   = bf_model_ncomp(job->model);
  FILE         *f   = fopen(path, "wb");
  const int64_t n   = job->A->nrows;
  BF_CHECK(f, BF_E_FILE, "cannot write '%s'", path);
  BF_GO(bf_matrix_to_sparse(job->A, &S));
  const int64_t head[3] = {n, D, S->nnz};
  BF_GO(put(f, head, sizeof *head, 3));
  BF_GO(put(f, S->ptr, sizeof *S->ptr, (size_t)n + 1));
  BF_GO(put(f, S->col, sizeof *S->col, (size_t)S->nnz));
  BF_GO(put(f, S->val, sizeof *S->val, (size_t)S->nnz));
  BF_GO(put(f, job->b, sizeof *job->b, (size_t)n));
  for (int64_t i = 0; i < n / D; i++) {
    static const double none[3];
    const bf_int        node = job->num->node[i];
    BF_GO(put(f, node < 0 ? none : job->mesh->x + 3 * (size_t)node, sizeof(double), 3));
  }
done:
  bf_sparse_destroy(&S);
  if (fclose(f) != 0 && err == BF_OK) err = BF_FAIL(BF_E_FILE, "cannot write '%s'", path);
  return err;
}

int main(int argc, char **argv)
{
  bf_err      err  = BF_OK;
  bf_job      job  = {.deck_path = argc > 1 ? argv[1] : "", .backend_name = "cpu"};
  bf_job_body body = {.x = NULL};
  if (argc != 2 && argc != 3) return 2;
  BF_GO(bf_job_open(&job));
  BF_GO(bf_job_number(&job));
  BF_GO(bf_job_backend(&job));
  BF_GO(bf_job_plan(&job));
  BF_GO(bf_job_assemble(&job));
  BF_GO(bf_job_body_create(&job, &body));
  const bf_solve_options opt = {.method         = BF_METHOD_CG,
                                .precond        = BF_PRECOND_MULTIGRID,
                                .multigrid      = job.config.solver.multigrid,
                                .body           = &body.body,
                                .rtol           = 1e-8,
                                .max_iterations = 1000,
                                .monitor_every  = 10};
  if (argc == 3) {
    BF_GO(dump(&job, argv[2]));
  } else {
    BF_GO(bf_solve(job.A, NULL, job.b, job.x, &opt, &job.solve));
    printf("%.4f %.4f %d %.2e\n", job.solve.multigrid.seconds, job.solve.seconds, job.solve.iterations,
           job.solve.true_residual);
  }
done:
  if (err != BF_OK) fprintf(stderr, "%s\n", bf_err_trace());
  bf_job_body_clear(&body);
  bf_job_close(&job);
  return err != BF_OK;
}
