/* kernels/matrix/hybrid.c - bDIA with a remainder from compressed rows: the split that moves the fewest bytes
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/bands_split.h"
#include "base/memory.h"
#include "kernels/matrix/storage.h"

/* Pairs of nodes with an entry; with `mirror` also (j, i) of every (i, j). */
static bf_err node_pattern(const bf_sparse *S, int D, int mirror, bf_graph **out)
{
  bf_err     err = BF_OK;
  bf_sparse *P   = NULL;
  bf_graph  *g   = NULL;
  bf_int    *row = NULL, *col = NULL;
  double    *one = NULL;
  int64_t    m   = 0;
  *out           = NULL;
  BF_GO(BF_NEW_ARRAY(row, S->nnz * (mirror ? 2 : 1)));
  BF_GO(BF_NEW_ARRAY(col, S->nnz * (mirror ? 2 : 1)));
  BF_GO(BF_NEW_ARRAY(one, S->nnz * (mirror ? 2 : 1)));
  for (bf_int i = 0; i < S->nrows; i++)
    for (int64_t p = S->ptr[i]; p < S->ptr[i + 1]; p++) {
      const bf_int j = S->col[p] / D;
      if (p > S->ptr[i] && S->col[p - 1] / D == j) continue;
      row[m]   = i / D;
      col[m++] = j;
      if (!mirror) continue;
      row[m]   = j;
      col[m++] = i / D;
    }
  BF_GO(bf_sparse_from_triplets(S->nrows / D, S->nrows / D, m, row, col, one, &P));
  BF_GO(bf_graph_create(P->nrows, P->nnz, &g));
  for (bf_int i = 0; i <= P->nrows; i++) g->ptr[i] = P->ptr[i];
  for (int64_t p = 0; p < P->nnz; p++) g->adj[p] = P->col[p];
  *out = g;
done:
  bf_host_free(row);
  bf_host_free(col);
  bf_host_free(one);
  bf_sparse_destroy(&P);
  return err;
}

bf_err bf_hybrid_from_sparse(bf_backend *be, const bf_sparse *S, const bf_matrix_form *form, int ncomp,
                             bf_matrix **out)
{
  bf_err              err = BF_OK;
  bf_graph           *g = NULL, *rest = NULL;
  bf_bands           *b    = NULL;
  bf_matrix          *A    = NULL;
  const bf_split_want want = {
      .ncomp = ncomp, .half = form->half, .value_bytes = (int)bf_prec_bytes(form->prec), .remainder = 1};
  *out = NULL;
  BF_GO(node_pattern(S, ncomp, form->half, &g));
  BF_GO(bf_bands_split(g, &want, &b, &rest));
  BF_GO(bf_matrix_create_hybrid(be, b, rest, ncomp, form->half, form->prec, S->nnz, &A));
  BF_GO(bf_bdia_put(be, A->bdia, S));
  BF_GO(bf_rest_put(be, A->rest, S));
  *out = A;
  A    = NULL;
done:
  bf_graph_destroy(&g);
  bf_graph_destroy(&rest);
  bf_bands_destroy(&b);
  bf_matrix_destroy(&A);
  return err;
}
