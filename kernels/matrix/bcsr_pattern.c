/* kernels/matrix/bcsr_pattern.c - pattern of block compressed rows: 16-bit columns, symmetry, lists of half
 * storage, copies to the backend and back; layout in bcsr.h */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "kernels/matrix/bcsr_internal.h"
#include "kernels/matrix/storage.h"

static bf_int base_of(bf_int node)
{
  return node - node % BF_CSR16_ROWS;
}

/* Do all columns fit in 16 bits? */
int bf_bcsr_fits16(const bf_graph *g)
{
  for (bf_int i = 0; i < g->n; i++) {
    if (g->ptr[i] == g->ptr[i + 1]) continue;
    if (g->adj[g->ptr[i]] - base_of(i) < INT16_MIN || g->adj[g->ptr[i + 1] - 1] - base_of(i) > INT16_MAX)
      return 0;
  }
  return 1;
}

static int has_column(const bf_graph *g, bf_int row, bf_int col)
{
  int64_t lo = g->ptr[row], hi = g->ptr[row + 1];
  while (lo < hi) {
    const int64_t mid = lo + (hi - lo) / 2;
    if (g->adj[mid] < col)
      lo = mid + 1;
    else
      hi = mid;
  }
  return lo < g->ptr[row + 1] && g->adj[lo] == col;
}

int bf_bcsr_is_paired(const bf_graph *g)
{
  int yes = 1;
#pragma omp parallel for schedule(static) reduction(&& : yes)
  for (bf_int i = 0; i < g->n; i++)
    for (int64_t p = g->ptr[i]; p < g->ptr[i + 1]; p++)
      yes = yes && (g->adj[p] == i || has_column(g, g->adj[p], i));
  return yes;
}

/* Lists of half storage: low[n + 1] and from[low[n]], see bcsr.h; both are the caller's. */
bf_err bf_bcsr_lower_lists(const bf_graph *g, int64_t **low_out, bf_int **from_out)
{
  bf_err   err = BF_OK;
  int64_t *low = NULL, *next = NULL, stored = 0;
  bf_int  *from = NULL;
  BF_GO(BF_NEW_ARRAY(low, (int64_t)g->n + 1));
  BF_GO(BF_NEW_ARRAY(next, g->n));
  for (bf_int i = 0; i < g->n; i++) {
    low[i + 1] = next[i] = low[i];
    for (int64_t p = g->ptr[i]; p < g->ptr[i + 1] && g->adj[p] < i; p++) low[i + 1]++;
  }
  BF_NEED(g->ptr[g->n] - low[g->n] <= INT32_MAX, BF_E_ARG, "half storage of %lld blocks, 2^31 - 1 at most",
          (long long)(g->ptr[g->n] - low[g->n]));
  BF_GO(BF_NEW_ARRAY(from, low[g->n]));
  for (bf_int i = 0; i < g->n; i++) /* ascending rows: each list ascends */
    for (int64_t p = g->ptr[i] + low[i + 1] - low[i]; p < g->ptr[i + 1]; p++, stored++)
      if (g->adj[p] > i) from[next[g->adj[p]]++] = (bf_int)stored;
  *low_out  = low;
  *from_out = from;
  low       = NULL;
  from      = NULL;
done:
  bf_host_free(low);
  bf_host_free(next);
  bf_host_free(from);
  return err;
}

static bf_err put_lower(bf_backend *be, const bf_graph *g, bf_bcsr *A)
{
  bf_err   err  = BF_OK;
  int64_t *low  = NULL;
  bf_int  *from = NULL;
  void    *p    = NULL;
  BF_CHECK(A->paired, BF_E_ARG, "half storage needs a symmetric pattern");
  BF_GO(bf_bcsr_lower_lists(g, &low, &from));
  A->nlower = low[g->n];
  BF_GO(bf_alloc_copy(be, low, (int64_t)g->n + 1, sizeof *low, &p));
  A->low = p;
  BF_GO(bf_alloc_copy(be, from, A->nlower, sizeof *from, &p));
  A->from = p;
  BF_GO(be->ops.sync(be)); /* the lists are released below */
done:
  bf_host_free(low);
  bf_host_free(from);
  return err;
}

/* Blocks left of the diagonal; -1: full storage. */
int64_t bf_bcsr_count_lower(const bf_graph *g, int half)
{
  int64_t n = 0;
  for (bf_int i = 0; half && i < g->n; i++)
    for (int64_t p = g->ptr[i]; p < g->ptr[i + 1] && g->adj[p] < i; p++) n++;
  return half ? n : -1;
}

/* Everything but the values; on failure M->bcsr is half made and destroyed with M. */
bf_err bf_bcsr_put_pattern(bf_matrix *M, const bf_graph *g, int half)
{
  bf_err      err = BF_OK;
  bf_backend *be  = M->be;
  int16_t    *rel = NULL;
  void       *p   = NULL;
  const int   D = M->ncomp, narrow = bf_bcsr_fits16(g);
  BF_TRY(bf_memory_refuse(
      be, bf_bcsr_bytes(g->ptr[g->n], bf_bcsr_count_lower(g, half), g->n, D, narrow, M->prec), "matrix"));
  BF_TRY(BF_NEW(M->bcsr));
  bf_bcsr *A = M->bcsr;
  *A         = (bf_bcsr){.nrows   = g->n,
                         .ncomp   = D,
                         .half    = half,
                         .nblocks = g->ptr[g->n],
                         .prec    = M->prec,
                         .paired  = bf_bcsr_is_paired(g)};
  BF_GO(bf_alloc_copy(be, g->ptr, (int64_t)g->n + 1, sizeof *g->ptr, &p));
  A->ptr = p;
  if (narrow) {
    BF_GO(BF_NEW_ARRAY(rel, A->nblocks));
    for (bf_int i = 0; i < g->n; i++)
      for (int64_t k = g->ptr[i]; k < g->ptr[i + 1]; k++) rel[k] = (int16_t)(g->adj[k] - base_of(i));
    BF_GO(bf_alloc_copy(be, rel, A->nblocks, sizeof *rel, &p));
    A->rel = p;
  } else {
    BF_GO(bf_alloc_copy(be, g->adj, A->nblocks, sizeof *g->adj, &p));
    A->col = p;
  }
  if (half) BF_GO(put_lower(be, g, A));
  BF_GO(be->ops.sync(be)); /* rel is released below */
done:
  bf_host_free(rel);
  return err;
}

/* The pattern, its invariants checked. */
bf_err bf_bcsr_get_pattern(const bf_matrix *M, bf_graph **out)
{
  bf_err         err = BF_OK;
  bf_backend    *be  = M->be;
  const bf_bcsr *A   = M->bcsr;
  bf_graph      *g   = NULL;
  void          *rel = NULL;
  *out               = NULL;
  BF_GO(bf_graph_create(A->nrows, A->nblocks, &g));
  BF_GO(be->ops.copy(be, g->ptr, A->ptr, ((size_t)A->nrows + 1) * sizeof *A->ptr, BF_TO_HOST));
  for (bf_int i = 0; i < A->nrows; i++)
    BF_NEED(g->ptr[i] >= 0 && g->ptr[i] <= g->ptr[i + 1] && g->ptr[i + 1] <= A->nblocks, BF_E_ARG,
            "row %d has no end", (int)i);
  if (A->rel) {
    BF_GO(bf_fetch(be, A->rel, A->nblocks, sizeof *A->rel, &rel));
    for (bf_int i = 0; i < A->nrows; i++)
      for (int64_t k = g->ptr[i]; k < g->ptr[i + 1]; k++) g->adj[k] = ((const int16_t *)rel)[k] + base_of(i);
  } else {
    BF_GO(be->ops.copy(be, g->adj, A->col, (size_t)A->nblocks * sizeof *A->col, BF_TO_HOST));
  }
  BF_NEED(g->ptr[0] == 0 && g->ptr[A->nrows] == A->nblocks, BF_E_ARG, "rows hold %lld of %lld blocks",
          (long long)g->ptr[A->nrows], (long long)A->nblocks);
  BF_GO(bf_graph_check(g));
  *out = g;
  g    = NULL;
done:
  bf_host_free(rel);
  bf_graph_destroy(&g);
  return err;
}
