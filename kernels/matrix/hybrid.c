/* kernels/matrix/hybrid.c - bDIA with a remainder from compressed rows: the split that moves the fewest bytes
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/bands_split.h"
#include "base/memory.h"
#include "kernels/matrix/format.h"
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

static bf_why_not fits(const bf_layout *L)
{
  return L->bands ? BF_FITS : BF_TOO_MANY_DIAGONALS;
}

static bf_err cost(const bf_layout *L, int half, bf_prec prec, bf_format_cost *out)
{
  *out = (bf_format_cost){bf_hybrid_bytes(L->bands, L->rest, L->ncomp, half, prec),
                          bf_hybrid_product_bytes(L->bands, L->rest, L->ncomp, half, prec)};
  return BF_OK;
}

static bf_err create(bf_matrix *A, const bf_layout *L, int half)
{
  BF_CHECK(L->rest, BF_E_ARG, "null argument");
  BF_TRY(bf_rest_check_pattern(L->rest, L->bands, half));
  BF_TRY(bf_memory_refuse(A->be, bf_hybrid_bytes(L->bands, L->rest, A->ncomp, half, A->prec), "matrix"));
  BF_TRY(bf_bdia_create(A->be, L->bands, A->ncomp, half, A->prec, &A->bdia));
  BF_TRY(bf_rest_create(A->be, L->rest, A->ncomp, A->prec, &A->rest));
  A->guard = (bf_int)A->bdia->pad;
  return BF_OK;
}

static bf_err from_sparse(bf_matrix *A, const bf_sparse *S, int half)
{
  bf_err              err = BF_OK;
  bf_graph           *g = NULL, *rest = NULL;
  bf_bands           *b    = NULL;
  const bf_split_want want = {
      .ncomp = A->ncomp, .half = half, .value_bytes = (int)bf_prec_bytes(A->prec), .remainder = 1};
  BF_GO(node_pattern(S, A->ncomp, half, &g));
  BF_GO(bf_bands_split(g, &want, &b, &rest));
  BF_GO(create(A, &(bf_layout){.ncomp = A->ncomp, .bands = b, .rest = rest}, half));
  BF_GO(bf_bdia_put(A->be, A->bdia, S));
  BF_GO(bf_rest_put(A->be, A->rest, S));
done:
  bf_graph_destroy(&g);
  bf_graph_destroy(&rest);
  bf_bands_destroy(&b);
  return err;
}

const bf_format_ops bf_hybrid_format = {.word        = "hybrid",
                                        .parts       = 1U << BF_PART_bdia | 1U << BF_PART_rest,
                                        .bands       = 1,
                                        .half        = 1,
                                        .elements    = 1,
                                        .automatic   = 1,
                                        .fits        = fits,
                                        .cost        = cost,
                                        .create      = create,
                                        .from_sparse = from_sparse};
