/* solvers/linear/multigrid/vertices.c - quadratic elements to their vertices
 *
 *     P: a vertex keeps its value, a node between vertices gets the mean of its 2, 4 or 8;   A_1 = P^T A P
 *     (in the frames T of the nodes, where there are: blocks T_i^T T_v)
 *
 * Rows of decoupled unknowns and columns of decoupled vertices are 0; these vertices get diagonal 1.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "kernels/multigrid/block_rows.h"
#include "solvers/linear/multigrid/multigrid.h"

typedef struct table { /* P by block rows on the host, owned */
  int64_t *ptr;
  bf_int  *col, *vertex; /* vertex[nodes]: number of a vertex, -1 of other nodes */
  double  *val;
  uint8_t *fixed, *coarse_fixed; /* of unknowns */
  double  *x;                    /* [vertices][3], or NULL */
  bf_int  *frame;                /* [vertices], or NULL */
  bf_int   nodes, nvertices;
} table;

static void clear(table *t)
{
  bf_host_free(t->ptr);
  bf_host_free(t->col);
  bf_host_free(t->vertex);
  bf_host_free(t->val);
  bf_host_free(t->fixed);
  bf_host_free(t->coarse_fixed);
  bf_host_free(t->x);
  bf_host_free(t->frame);
}

/* Vertices in the order of their rows, their coordinates and flags; ptr. */
static bf_err number(const bf_mg_stage *s, const bf_multigrid_body *body, table *t)
{
  const int D = s->ncomp;
  t->nodes    = s->n / D;
  BF_TRY(BF_NEW_ARRAY(t->ptr, (size_t)t->nodes + 1));
  BF_TRY(BF_NEW_ARRAY(t->vertex, (size_t)t->nodes));
  BF_TRY(BF_NEW_ARRAY(t->fixed, (size_t)s->n));
  BF_TRY(s->be->ops.copy(s->be, t->fixed, s->fixed, (size_t)s->n, BF_TO_HOST));
  BF_TRY(s->be->ops.sync(s->be));
  for (bf_int i = 0; i < t->nodes; i++) {
    t->vertex[i]  = body->count[i] == 1 ? t->nvertices++ : -1;
    t->ptr[i + 1] = t->ptr[i] + body->count[i];
  }
  BF_TRY(BF_NEW_ARRAY(t->coarse_fixed, (size_t)t->nvertices * (size_t)D));
  if (body->x) BF_TRY(BF_NEW_ARRAY(t->x, 3 * (size_t)t->nvertices));
  if (s->frame) BF_TRY(BF_NEW_ARRAY(t->frame, t->nvertices));
  for (bf_int i = 0; i < t->nodes; i++) {
    const size_t v = (size_t)t->vertex[i];
    if (t->vertex[i] < 0) continue;
    for (int c = 0; c < D; c++) t->coarse_fixed[v * (size_t)D + (size_t)c] = t->fixed[i * D + c];
    if (t->frame && s->frame) t->frame[v] = s->frame[i];
    for (int a = 0; a < 3 && body->x; a++) t->x[3 * v + (size_t)a] = body->x[3 * (size_t)i + (size_t)a];
  }
  return BF_OK;
}

static void sort(bf_int *v, int count)
{
  for (int i = 1; i < count; i++)
    for (int j = i; j > 0 && v[j] < v[j - 1]; j--) {
      const bf_int t = v[j];
      v[j]           = v[j - 1];
      v[j - 1]       = t;
    }
}

/* Entry (c, d) of T_i^T T_v: of a mean in the frames of a node and a vertex, indices or -1. */
static double turned(const bf_mg_stage *s, bf_int i, bf_int v, int c, int d)
{
  const int     D  = s->ncomp;
  const double *Ti = i < 0 ? NULL : s->T + (int64_t)i * D * D, *Tv = v < 0 ? NULL : s->T + (int64_t)v * D * D;
  double        sum = 0.0;
  for (int k = 0; k < D; k++) sum += (Ti ? Ti[k * D + c] : k == c) * (Tv ? Tv[k * D + d] : k == d);
  return sum;
}

/* col and val. */
static bf_err fill(const bf_mg_stage *s, const bf_multigrid_body *body, table *t)
{
  const int     D   = s->ncomp;
  const int64_t nnz = t->ptr[t->nodes];
  BF_TRY(BF_NEW_ARRAY(t->col, (size_t)nnz));
  BF_TRY(BF_NEW_ARRAY(t->val, (size_t)nnz * (size_t)(D * D)));
  for (bf_int i = 0; i < t->nodes; i++) {
    const int count = body->count[i];
    bf_int   *col   = t->col + t->ptr[i];
    for (int k = 0; k < count; k++) {
      const bf_int end = body->ends[i][k];
      BF_CHECK(end >= 0 && end < t->nodes && t->vertex[end] >= 0, BF_E_ARG,
               "row %d is the mean of row %d, which is no vertex", i, end);
      col[k] = t->vertex[end];
    }
    sort(col, count);
    for (int k = 0; k < count; k++) {
      double *block = t->val + (t->ptr[i] + k) * D * D;
      for (int c = 0; c < D && !t->frame; c++)
        if (!t->fixed[i * D + c] && !t->coarse_fixed[col[k] * D + c]) block[c * D + c] = 1.0 / count;
      for (int c = 0; c < D && t->frame; c++)
        for (int d = 0; d < D; d++)
          if (!t->fixed[i * D + c] && !t->coarse_fixed[col[k] * D + d])
            block[d * D + c] = turned(s, s->frame[i], t->frame[col[k]], c, d) / count;
    }
  }
  return BF_OK;
}

/* A_1 = P^T A P */
static bf_err galerkin(const bf_mg_stage *s, const bf_block_rows *P, const bf_block_rows *PT,
                       bf_block_rows **out)
{
  bf_block_rows *A = NULL;
  BF_TRY(bf_block_rows_from_matrix(s->A, &A));
  const bf_err err = bf_block_rows_galerkin(A, P, PT, out);
  bf_block_rows_destroy(&A);
  return err;
}

static bf_err finish(const bf_mg_stage *s, table *t, bf_mg_stage *coarse)
{
  bf_backend *be = s->be;
  void       *p  = NULL;
  coarse->n      = t->nvertices * s->ncomp;
  coarse->ncomp  = s->ncomp;
  BF_TRY(be->ops.alloc(be, (size_t)coarse->n, &p));
  coarse->fixed = p;
  BF_TRY(be->ops.copy(be, coarse->fixed, t->coarse_fixed, (size_t)coarse->n, BF_TO_DEVICE));
  BF_TRY(bf_block_rows_unit_diagonal(coarse->rows, coarse->fixed));
  BF_TRY(be->ops.alloc(be, (size_t)coarse->n * sizeof(double), &p));
  coarse->diagonal = p;
  BF_TRY(bf_block_rows_diagonal(coarse->rows, coarse->diagonal));
  if (t->x && bf_mg_stage_placed(s)) BF_TRY(bf_mg_stage_coordinates(coarse, t->x));
  coarse->frame = t->frame;
  coarse->T     = s->T;
  t->frame      = NULL;
  return be->ops.sync(be);
}

/* A node between vertices counts to the first of them. */
static bf_err parents(const bf_mg_stage *s, const bf_multigrid_body *body, const table *t)
{
  bf_err  err = BF_OK;
  bf_int *of  = NULL;
  if (!s->parents) return BF_OK;
  BF_GO(BF_NEW_ARRAY(of, (size_t)t->nodes));
  for (bf_int i = 0; i < t->nodes; i++) of[i] = body->count[i] > 0 ? t->vertex[body->ends[i][0]] : -1;
  BF_GO(bf_mg_parents_host(s, t->nodes, of, t->nvertices, NULL));
done:
  bf_host_free(of);
  return err;
}

bf_err bf_mg_vertices(const bf_mg_stage *fine, const bf_multigrid_body *body, int *made, bf_mg_stage *coarse,
                      bf_mg_transfer *T)
{
  bf_err         err = BF_OK;
  table          t   = {.ptr = NULL};
  bf_block_rows *P = NULL, *PT = NULL;
  *made   = 0;
  *coarse = (bf_mg_stage){.be = fine->be};
  *T      = (bf_mg_transfer){.self = NULL};
  BF_GO(number(fine, body, &t));
  if (t.nvertices == 0 || t.nvertices == t.nodes) goto done;
  BF_GO(fill(fine, body, &t));
  const bf_block_form form = {t.nodes, t.nvertices, fine->ncomp, fine->ncomp, BF_FP64};
  BF_GO(bf_block_rows_from_host(fine->be, &form, t.ptr, t.col, t.val, &P));
  BF_GO(bf_block_rows_transpose(P, &PT));
  BF_GO(galerkin(fine, P, PT, &coarse->rows));
  BF_GO(finish(fine, &t, coarse));
  BF_GO(bf_mg_transfer_rows(P, PT, "vertices", T));
  BF_GO(parents(fine, body, &t));
  *made = 1;
done:
  bf_block_rows_destroy(&P);
  bf_block_rows_destroy(&PT);
  if (err != BF_OK || !*made) bf_mg_stage_release(coarse);
  clear(&t);
  return err;
}
