/* app/matrix/export.c - rows, element matrices and files of bandfem matrix; see matrix.h */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "app/matrix/matrix.h"
#include "app/run/modal/modal.h"
#include "base/memory.h"
#include "kernels/matrix/statistics.h"
#include "outputs/atomic_file.h"
#include "outputs/matrix/mtx_sparse.h"
#include "outputs/matrix/mtx_vector.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bf_err bf_export_rows(bf_export *x, const bf_job *job)
{
  const bf_numbering *num = job->num;
  const bf_int        D   = bf_model_ncomp(job->model);
  bf_int              n   = 0;
  for (bf_int v = 0; v < num->nnodes; v++) n += num->row[v] >= 0;
  x->nkept = n * D;
  BF_TRY(BF_NEW_ARRAY(x->row_of, 2 * (size_t)x->nkept));
  bf_int *file = x->row_of, *chosen = x->row_of + x->nkept, k = 0;
  for (bf_int v = 0; v < num->nnodes; v++)
    for (bf_int c = 0; c < D && num->row[v] >= 0; c++) file[k++] = num->row[v] * D + c;
  k = 0;
  for (bf_int r = 0; r < num->nrows; r++)
    for (bf_int c = 0; c < D && num->node[r] >= 0; c++) chosen[k++] = r * D + c;
  return BF_OK;
}

static int ascending(const void *a, const void *b)
{
  const bf_int p = *(const bf_int *)a, q = *(const bf_int *)b;
  return (p > q) - (p < q);
}

/* new_row[S->nrows]: number of a row among those listed, or -1. */
static void fill_row(const bf_sparse *S, bf_int r, bf_int k, const bf_int *new_row, bf_sparse *P, bf_int *at)
{
  int64_t n = P->ptr[k];
  for (int64_t i = S->ptr[r]; i < S->ptr[r + 1]; i++) {
    const bf_int l = new_row[S->col[i]];
    if (l < 0 || (S->val[i] == 0.0 && l != k)) continue;
    P->col[n++] = l;
    at[l]       = (bf_int)(i - S->ptr[r]);
  }
  qsort(P->col + P->ptr[k], (size_t)(n - P->ptr[k]), sizeof *P->col, ascending);
  for (int64_t i = P->ptr[k]; i < n; i++) P->val[i] = S->val[S->ptr[r] + at[P->col[i]]];
  P->ptr[k + 1] = n;
}

bf_err bf_export_select(const bf_sparse *S, bf_int n, const bf_int *row, bf_sparse **out)
{
  bf_err     err     = BF_OK;
  bf_int    *new_row = NULL, *at = NULL;
  bf_sparse *P = NULL;
  BF_GO(BF_NEW_ARRAY(new_row, S->nrows));
  BF_GO(BF_NEW_ARRAY(at, n));
  BF_GO(bf_sparse_create(n, n, S->nnz, &P));
  for (bf_int i = 0; i < S->nrows; i++) new_row[i] = -1;
  for (bf_int k = 0; k < n; k++) new_row[row[k]] = k;
  for (bf_int k = 0; k < n; k++) fill_row(S, row[k], k, new_row, P, at);
  P->nnz = P->ptr[n];
  *out   = P;
  P      = NULL;
done:
  bf_host_free(new_row);
  bf_host_free(at);
  bf_sparse_destroy(&P);
  return err;
}

/* The element matrices as diagonal blocks of E, and the gather matrix P with A = P^T E P. */
static bf_err blocks(const bf_export *x, const bf_job *job, const bf_model_elements *el, bf_sparse **E,
                     bf_sparse **P)
{
  bf_err        err = BF_OK;
  const bf_int  D   = bf_model_ncomp(job->model);
  const int64_t n = el->ptr[el->ne] * D, nnz = el->at[el->ne];
  bf_int       *unknown = NULL;
  BF_NEED(n <= INT32_MAX, BF_E_MEMORY, "%lld rows of element matrices", (long long)n);
  BF_GO(BF_NEW_ARRAY(unknown, job->num->nrows * D));
  BF_GO(bf_sparse_create((bf_int)n, (bf_int)n, nnz, E));
  BF_GO(bf_sparse_create((bf_int)n, x->nkept, n, P));
  for (bf_int k = 0; k < x->nkept; k++) unknown[x->row_of[(x->chosen ? x->nkept : 0) + k]] = k;
  int64_t at = 0;
  for (bf_int e = 0; e < el->ne; e++) {
    const bf_int first = (bf_int)(el->ptr[e] * D), nd = (bf_int)((el->ptr[e + 1] - el->ptr[e]) * D);
    for (bf_int i = 0; i < nd; i++) {
      for (bf_int j = 0; j < nd; j++, at++) {
        (*E)->col[at] = first + j;
        (*E)->val[at] = el->K[at];
      }
      (*E)->ptr[first + i + 1] = at;
      (*P)->col[first + i]     = unknown[el->node[el->ptr[e] + i / D] * D + i % D];
      (*P)->val[first + i]     = 1.0;
      (*P)->ptr[first + i + 1] = first + i + 1;
    }
  }
done:
  bf_host_free(unknown);
  return err;
}

static bf_err element_files(const bf_export *x, bf_job *job, const char *comment)
{
  bf_err            err = BF_OK;
  bf_model_elements el  = {0};
  bf_backend       *be  = NULL; /* files are written from host memory */
  bf_sparse        *E = NULL, *P = NULL;
  BF_GO(bf_backend_create("cpu", NULL, &be));
  BF_GO(bf_model_elements_create(job->model, job->num, be, &el));
  BF_NEED(el.ne > 0, BF_E_MODEL,
          "no element matrices: those of condensed nodes (set discretization.condense=off), generalised "
          "elements and transport are not kept; use --stage assembled");
  BF_GO(blocks(x, job, &el, &E, &P));
  if (x->matrix)
    BF_GO(bf_write_mtx_sparse(x->matrix, comment, E->nrows, E->ncols, 1, E->ptr, E->col, E->val));
  if (x->matrix)
    bf_log_line(&job->log, "file      %s: %d element matrices as diagonal blocks, %d rows, %lld entries",
                x->matrix, el.ne, E->nrows, (long long)E->nnz);
  if (x->gather)
    BF_GO(bf_write_mtx_sparse(x->gather, comment, P->nrows, P->ncols, 0, P->ptr, P->col, P->val));
  if (x->gather)
    bf_log_line(&job->log,
                "file      %s: gather matrix P, %d x %d; P' E P is the assembled matrix without convection "
                "and springs",
                x->gather, P->nrows, P->ncols);
done:
  if (be) bf_model_elements_clear(be, &el);
  bf_backend_destroy(&be);
  bf_sparse_destroy(&E);
  bf_sparse_destroy(&P);
  return err;
}

/* row,node,component,x,y,z */
static bf_err row_file(const bf_export *x, const bf_job *job)
{
  bf_err              err = BF_OK;
  bf_atomic_file     *f   = NULL;
  const bf_numbering *num = job->num;
  const bf_int        D = bf_model_ncomp(job->model), *row = x->row_of + (x->chosen ? x->nkept : 0);
  BF_GO(bf_atomic_file_create(x->rows, &f));
  bf_atomic_file_print(f, "row,node,component,prescribed,x,y,z\n");
  for (bf_int k = 0; k < x->nkept; k++) {
    const bf_int  v = num->node[row[k] / D], c = row[k] % D;
    const double *p = job->mesh->x + 3 * (size_t)v;
    bf_atomic_file_print(f, "%d,%lld,%c,%d,%.17g,%.17g,%.17g\n", k + 1, (long long)job->mesh->node_tag[v],
                         D == 1 ? '1' : (bf_model_turned(job->model, v) ? "123" : "xyz")[c],
                         bf_model_prescribed(job->model, v, (int)c), p[0], p[1], p[2]);
  }
  BF_GO(bf_atomic_file_commit(f));
done:
  bf_atomic_file_destroy(&f);
  return err;
}

/* A matrix of the solver's rows, in the order of the export. */
static bf_err write_one(const bf_export *x, const bf_job *job, const bf_sparse *S, const char *path,
                        const char *comment, const char *what)
{
  bf_err        err = BF_OK;
  bf_sparse    *P   = NULL;
  bf_statistics v;
  BF_GO(bf_export_select(S, x->nkept, x->row_of + (x->chosen ? x->nkept : 0), &P));
  BF_GO(bf_sparse_statistics(P, &v));
  const int symmetric = bf_statistics_symmetric(&v);
  BF_GO(bf_write_mtx_sparse(path, comment, P->nrows, P->ncols, symmetric, P->ptr, P->col, P->val));
  bf_log_line(&job->log, "file      %s: %s, %s, %d rows, %lld nonzeros", path, what,
              symmetric ? "symmetric (lower triangle)" : "general", P->nrows, (long long)P->nnz);
done:
  bf_sparse_destroy(&P);
  return err;
}

static bf_err mass_file(const bf_export *x, bf_job *job, const char *comment)
{
  bf_err     err = BF_OK;
  bf_sparse *M   = NULL;
  BF_GO(bf_modal_mass(job));
  BF_GO(bf_matrix_to_sparse(job->modes.M, &M));
  BF_GO(write_one(x, job, M, x->mass, comment, "mass matrix"));
done:
  bf_sparse_destroy(&M);
  return err;
}

static bf_err rhs_file(const bf_export *x, const bf_job *job, const char *comment)
{
  bf_err  err = BF_OK;
  double *b   = NULL;
  BF_GO(BF_NEW_ARRAY(b, x->nkept));
  for (bf_int k = 0; k < x->nkept; k++) b[k] = x->b[x->row_of[(x->chosen ? x->nkept : 0) + k]];
  BF_GO(bf_write_mtx_vector(x->rhs, comment, x->nkept, b));
  bf_log_line(&job->log, "file      %s: right-hand side, %d rows", x->rhs, x->nkept);
done:
  bf_host_free(b);
  return err;
}

bf_err bf_export_files(const bf_export *x, bf_job *job)
{
  static const char *const stages[] = {"element matrices", "assembled, without prescribed values",
                                       "prescribed unknowns: row and column 0 but for the diagonal"};
  char                     comment[400];
  snprintf(comment, sizeof comment, "bandfem %s, deck %.200s\n%s; rows in the order of %s", BF_VERSION,
           job->deck_path, stages[x->stage], x->chosen ? "the solver" : "the mesh file");
  if (x->stage == BF_STAGE_ELEMENT)
    BF_TRY(element_files(x, job, comment));
  else if (x->matrix)
    BF_TRY(write_one(x, job, x->S, x->matrix, comment,
                     x->stage == BF_STAGE_ASSEMBLED ? "assembled" : "constrained"));
  if (x->mass) BF_TRY(mass_file(x, job, comment));
  if (x->rhs) BF_TRY(rhs_file(x, job, comment));
  if (!x->rows) return BF_OK;
  BF_TRY(row_file(x, job));
  bf_log_line(&job->log, "file      %s: node and component of each row", x->rows);
  return BF_OK;
}
