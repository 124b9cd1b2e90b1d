/* kernels/matrix/hybrid.c - bDIA with a remainder from compressed rows: the split that moves the fewest bytes
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/bands_split.h"
#include "base/memory.h"
#include "kernels/matrix/format.h"
#include "kernels/matrix/statistics.h"
#include "kernels/matrix/storage.h"

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
  bf_err                 err = BF_OK;
  bf_graph              *g = NULL, *rest = NULL;
  bf_bands              *b    = NULL;
  const bf_split_options want = {
      .ncomp = A->ncomp, .half = half, .value_bytes = (int)bf_prec_bytes(A->prec), .remainder = 1};
  BF_GO(bf_sparse_node_pattern(S, A->ncomp, half, &g));
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
