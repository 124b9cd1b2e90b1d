/* kernels/precond/coupling_graph.c - see coupling_graph.h */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/precond/coupling_graph.h"
#include "base/memory.h"
#include "kernels/matrix/storage.h"
#include <float.h>
#include <math.h>

/* Index of u among the neighbours of v, or -1 */
static int64_t edge(const bf_graph *g, bf_int v, bf_int u)
{
  int64_t lo = g->ptr[v], hi = g->ptr[v + 1];
  while (lo < hi) {
    const int64_t mid = lo + (hi - lo) / 2;
    if (g->adj[mid] == u) return mid;
    if (g->adj[mid] < u)
      lo = mid + 1;
    else
      hi = mid;
  }
  return -1;
}

/* 1 / sqrt(max |A_uu|) */
static double scale(const bf_sparse *S, int D, bf_int u)
{
  double most = 0.0;
  for (bf_int r = u * D; r < (u + 1) * D; r++)
    for (int64_t p = S->ptr[r]; p < S->ptr[r + 1]; p++)
      if (S->col[p] >= u * D && S->col[p] < (u + 1) * D) most = fmax(most, fabs(S->val[p]));
  return 1.0 / sqrt(most);
}

/* Columns and neighbours ascend: one merge pass over both. */
static void one_way(const bf_sparse *S, int D, const bf_graph *g, bf_int u, const double *s, float *c)
{
  for (bf_int r = u * D; r < (u + 1) * D; r++) {
    int64_t k = g->ptr[u];
    for (int64_t p = S->ptr[r]; p < S->ptr[r + 1]; p++) {
      while (k < g->ptr[u + 1] && (g->adj[k] + 1) * D <= S->col[p]) k++;
      if (k == g->ptr[u + 1]) break;
      const bf_int v = g->adj[k];
      const double x = fabs(S->val[p]) * s[u] * s[v];
      if (v * D <= S->col[p] && isfinite(x)) c[k] = fmaxf(c[k], (float)x);
    }
  }
}

bf_err bf_sparse_couplings(const bf_sparse *S, int D, const bf_graph *g, float **coupling)
{
  bf_err  err = BF_OK;
  double *s   = NULL;
  float  *c = NULL, *both = NULL;
  BF_CHECK(S && g && coupling, BF_E_ARG, "null argument");
  *coupling = NULL;
  BF_CHECK(D >= 1 && S->nrows == S->ncols && (int64_t)g->n * D == S->nrows, BF_E_ARG,
           "a graph of %d nodes for %d rows of %d components", g->n, S->nrows, D);
  BF_GO(BF_NEW_ARRAY(s, (size_t)g->n));
  BF_GO(BF_NEW_ARRAY(c, (size_t)g->ptr[g->n]));
  BF_GO(BF_NEW_ARRAY(both, (size_t)g->ptr[g->n]));
#pragma omp parallel for schedule(static)
  for (bf_int u = 0; u < g->n; u++) s[u] = scale(S, D, u);
#pragma omp parallel for schedule(static)
  for (bf_int u = 0; u < g->n; u++) one_way(S, D, g, u, s, c);
#pragma omp parallel for schedule(static)
  for (bf_int u = 0; u < g->n; u++)
    for (int64_t k = g->ptr[u]; k < g->ptr[u + 1]; k++) {
      const int64_t back = edge(g, g->adj[k], u);
      both[k]            = back >= 0 && g->adj[k] != u ? 0.5F * (c[k] + c[back]) : 0.0F;
    }
  *coupling = both;
  both      = NULL;
done:
  bf_host_free(s);
  bf_host_free(c);
  bf_host_free(both);
  return err;
}

/* ---- bDIA ---- */

typedef struct magnitudes { /* max |A_uv| of the node blocks in the diagonals of a bDIA */
  const bf_bdia *A;
  const void    *v;     /* its values, on the host */
  int64_t       *first; /* owned [nseg]: segment s has its diagonal k at most[first[s] + k * nrows] */
  bf_int        *of;    /* owned [nodes]: segment of a node */
  double        *most;  /* owned; values that are not finite count as 0 */
} magnitudes;

/* m[q] = max(m[q], |v[q * step]|), q = 0 .. n-1. */
static void raise_to(const void *v, bf_prec prec, int64_t at, bf_int n, int64_t step, double *m)
{
  const float  *f = (const float *)v + at;
  const double *d = (const double *)v + at;
  for (bf_int q = 0; q < n; q++) {
    const double x = fabs(prec == BF_FP32 ? (double)f[q * step] : d[q * step]);
    m[q]           = x > m[q] && x <= DBL_MAX ? x : m[q];
  }
}

static void fill_magnitudes(magnitudes *M, int s)
{
  const bf_bdia_seg *seg   = &M->A->seg[s];
  const int          D     = M->A->ncomp;
  const bf_int       nodes = (bf_int)(seg->ld / D), tiles = (seg->nrows + nodes - 1) / nodes;
  const int64_t      step = seg->apart == 1 ? D : 1;
#pragma omp parallel for schedule(static)
  for (bf_int t = 0; t < tiles; t++) {
    const bf_int q0 = t * nodes, n = seg->nrows - q0 < nodes ? seg->nrows - q0 : nodes;
    for (int k = 0; k < seg->ndiag; k++)
      for (int c = 0; c < D * D; c++) { /* component c / D of the column, c % D of the row */
        const int64_t at = bf_bdia_at(seg, D, k * D + c / D, (int64_t)q0 * D) + c % D * seg->apart;
        raise_to(M->v, M->A->prec, at, n, step, &M->most[M->first[s] + (int64_t)k * seg->nrows + q0]);
      }
  }
}

/* max |A_uv|, 0 where it is not stored. */
static double magnitude(const magnitudes *M, bf_int u, bf_int v)
{
  const bf_bdia *A = M->A;
  if (A->half && v < u) return magnitude(M, v, u);
  const bf_bdia_seg *seg = &A->seg[M->of[u]];
  int                lo = seg->diag0, hi = seg->diag0 + seg->ndiag - 1;
  while (lo < hi) {
    const int mid = lo + (hi - lo) / 2;
    if (A->off[mid] < v - u)
      lo = mid + 1;
    else
      hi = mid;
  }
  if (seg->ndiag == 0 || A->off[lo] != v - u) return 0.0;
  return M->most[M->first[M->of[u]] + (int64_t)(lo - seg->diag0) * seg->nrows + (u - seg->row0)];
}

static bf_err magnitudes_create(const bf_bdia *A, const void *v, magnitudes *M)
{
  int64_t slots = 0;
  *M            = (magnitudes){.A = A, .v = v};
  BF_TRY(BF_NEW_ARRAY(M->first, (size_t)A->nseg));
  BF_TRY(BF_NEW_ARRAY(M->of, (size_t)A->nrows));
  for (int s = 0; s < A->nseg; s++) {
    M->first[s] = slots;
    slots += (int64_t)A->seg[s].ndiag * A->seg[s].nrows;
    for (bf_int q = 0; q < A->seg[s].nrows; q++) M->of[A->seg[s].row0 + q] = s;
  }
  BF_TRY(BF_NEW_ARRAY(M->most, (size_t)slots));
  for (int s = 0; s < A->nseg; s++) fill_magnitudes(M, s);
  return BF_OK;
}

static bf_err bdia_couplings(bf_backend *be, const bf_bdia *A, const bf_graph *g, float **coupling)
{
  bf_err     err     = BF_OK;
  magnitudes M       = {.A = NULL};
  void      *fetched = NULL;
  double    *s       = NULL;
  float     *c       = NULL;
  if (be->ops.on_device) BF_GO(bf_fetch(be, A->values, A->nvalues, (size_t)bf_prec_bytes(A->prec), &fetched));
  BF_GO(magnitudes_create(A, fetched ? fetched : A->values, &M));
  BF_GO(BF_NEW_ARRAY(s, (size_t)g->n));
  BF_GO(BF_NEW_ARRAY(c, (size_t)g->ptr[g->n]));
#pragma omp parallel for schedule(static)
  for (bf_int u = 0; u < g->n; u++) s[u] = 1.0 / sqrt(magnitude(&M, u, u));
#pragma omp parallel for schedule(static)
  for (bf_int u = 0; u < g->n; u++)
    for (int64_t k = g->ptr[u]; k < g->ptr[u + 1]; k++) {
      const bf_int v = g->adj[k];
      const double x = magnitude(&M, u, v) * s[u] * s[v], y = A->half ? x : magnitude(&M, v, u) * s[v] * s[u];
      if (v != u) c[k] = 0.5F * ((isfinite(x) ? (float)x : 0.0F) + (isfinite(y) ? (float)y : 0.0F));
    }
  *coupling = c;
  c         = NULL;
done:
  bf_host_free(fetched);
  bf_host_free(M.first);
  bf_host_free(M.of);
  bf_host_free(M.most);
  bf_host_free(s);
  bf_host_free(c);
  return err;
}

bf_err bf_matrix_couplings(const bf_matrix *A, const bf_graph *g, float **coupling)
{
  bf_sparse *S = NULL;
  BF_CHECK(A && g && coupling, BF_E_ARG, "null argument");
  *coupling = NULL;
  BF_CHECK((int64_t)g->n * A->ncomp == A->nrows, BF_E_ARG, "a graph of %d nodes for %d rows of %d components",
           g->n, A->nrows, A->ncomp);
  if (A->bdia && !A->rest) {
    BF_TRY(bdia_couplings(A->be, A->bdia, g, coupling));
    return BF_OK;
  }
  BF_TRY(bf_matrix_to_sparse(A, &S));
  const bf_err err = bf_sparse_couplings(S, A->ncomp, g, coupling);
  bf_sparse_destroy(&S);
  BF_TRY(err);
  return BF_OK;
}
