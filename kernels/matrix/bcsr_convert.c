/* kernels/matrix/bcsr_convert.c - block compressed rows from and to sparse matrices on the host; copy in
 * fp32; layout in bcsr.h */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "kernels/matrix/bcsr_internal.h"
#include "kernels/matrix/statistics.h"
#include "kernels/matrix/storage.h"

/* A host view of the tables of A: pattern g, lists low and from. */
static bf_bcsr host_view(const bf_bcsr *A, const bf_graph *g, int64_t *low, bf_int *from)
{
  bf_bcsr H = *A;
  H.ptr     = g->ptr;
  H.col     = g->adj;
  H.rel     = NULL;
  H.low     = low;
  H.from    = from;
  H.half    = low != NULL;
  H.val     = NULL;
  return H;
}

/* Values of the stored blocks, 0 where S has no entry. */
static void fill(const bf_sparse *S, const bf_bcsr *H, double *val)
{
  const int D = H->ncomp;
#pragma omp parallel for schedule(static)
  for (bf_int i = 0; i < H->nrows; i++) {
    const int64_t first = bf_bcsr_first(H, i);
    for (int a = 0; a < D; a++) {
      const int64_t r = (int64_t)i * D + a;
      int64_t       k = H->ptr[i];
      for (int64_t p = S->ptr[r]; p < S->ptr[r + 1]; p++) {
        while (H->col[k] < S->col[p] / D) k++;
        if (k < first) continue;
        const bf_bcsr_block B                         = bf_bcsr_block_of(H, i, k);
        val[B.at + a * B.row + S->col[p] % D * B.col] = S->val[p];
      }
    }
  }
}

bf_err bf_bcsr_from_sparse(bf_matrix *M, const bf_sparse *S, int half)
{
  bf_err    err  = BF_OK;
  bf_graph *g    = NULL;
  double   *val  = NULL;
  int64_t  *low  = NULL;
  bf_int   *from = NULL;
  BF_GO(bf_sparse_node_pattern(S, M->ncomp, half, &g));
  BF_GO(bf_bcsr_put_pattern(M, g, half));
  if (M->bcsr->half) BF_GO(bf_bcsr_lower_lists(g, &low, &from));
  const bf_bcsr H = host_view(M->bcsr, g, low, from);
  BF_GO(BF_NEW_ARRAY(val, bf_bcsr_values(&H)));
  fill(S, &H, val);
  BF_GO(bf_values_put(M->be, bf_bcsr_values(&H), val, M->prec, &M->bcsr->val));
  BF_GO(M->be->ops.sync(M->be)); /* val is released below */
done:
  bf_graph_destroy(&g);
  bf_host_free(val);
  bf_host_free(low);
  bf_host_free(from);
  return err;
}

bf_err bf_bcsr_to_fp32(const bf_matrix *M, bf_matrix *to)
{
  bf_backend    *be = M->be;
  const bf_bcsr *A  = M->bcsr;
  void          *p  = NULL;
  BF_TRY(BF_NEW(to->bcsr));
  bf_bcsr *B = to->bcsr;
  *B         = *A;
  B->prec    = BF_FP32;
  B->ptr = B->low = NULL;
  B->col = B->from = NULL;
  B->rel           = NULL;
  B->val           = NULL;
  BF_TRY(bf_alloc_same(be, A->ptr, (int64_t)A->nrows + 1, sizeof *A->ptr, &p));
  B->ptr = p;
  if (A->rel) {
    BF_TRY(bf_alloc_same(be, A->rel, A->nblocks, sizeof *A->rel, &p));
    B->rel = p;
  } else {
    BF_TRY(bf_alloc_same(be, A->col, A->nblocks, sizeof *A->col, &p));
    B->col = p;
  }
  if (A->half) {
    BF_TRY(bf_alloc_same(be, A->low, (int64_t)A->nrows + 1, sizeof *A->low, &p));
    B->low = p;
    BF_TRY(bf_alloc_same(be, A->from, A->nlower, sizeof *A->from, &p));
    B->from = p;
  }
  return bf_values_to_fp32(be, A->val, bf_bcsr_values(A), &B->val);
}

/* Entries of the blocks; where blocks are not full those that are not zero (NaN is an entry). */
static int64_t entries(const bf_bcsr *H, const double *val, int all, bf_sparse *S)
{
  const int D  = H->ncomp;
  int64_t   at = 0;
  for (bf_int i = 0; i < H->nrows; i++)
    for (int a = 0; a < D; a++) {
      for (int64_t k = H->ptr[i]; k < H->ptr[i + 1]; k++) {
        const bf_bcsr_block B = bf_bcsr_block_of(H, i, k);
        for (int b = 0; b < D; b++) {
          const double v = val[B.at + a * B.row + b * B.col];
          if (!all && v == 0.0) continue;
          if (S) S->col[at] = H->col[k] * D + b;
          if (S) S->val[at] = v;
          at++;
        }
      }
      if (S) S->ptr[(int64_t)i * D + a + 1] = at;
    }
  return at;
}

bf_err bf_bcsr_to_sparse(const bf_matrix *M, bf_sparse **out)
{
  bf_err         err  = BF_OK;
  const bf_bcsr *A    = M->bcsr;
  bf_graph      *g    = NULL;
  bf_sparse     *S    = NULL;
  double        *val  = NULL;
  int64_t       *low  = NULL;
  bf_int        *from = NULL;
  const int      all  = M->nnz == A->nblocks * A->ncomp * A->ncomp;
  *out                = NULL;
  BF_GO(bf_bcsr_get_pattern(M, &g));
  if (A->half) BF_GO(bf_bcsr_lower_lists(g, &low, &from));
  const bf_bcsr H = host_view(A, g, low, from);
  BF_GO(BF_NEW_ARRAY(val, bf_bcsr_values(A)));
  BF_GO(bf_values_get(M->be, bf_bcsr_values(A), A->val, A->prec, val));
  BF_GO(bf_sparse_create(M->nrows, M->nrows, entries(&H, val, all, NULL), &S));
  entries(&H, val, all, S);
  *out = S;
  S    = NULL;
done:
  bf_graph_destroy(&g);
  bf_host_free(val);
  bf_host_free(low);
  bf_host_free(from);
  bf_sparse_destroy(&S);
  return err;
}
