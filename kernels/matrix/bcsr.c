/* kernels/matrix/bcsr.c - the part bcsr and the format that consists of it: sizes, checks, costs, tables;
 * layout in bcsr.h
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "kernels/matrix/bcsr_internal.h"
#include "kernels/matrix/format.h"
#include "kernels/matrix/storage.h"
#include <string.h>

/* nlower: -1 in full storage. */
static int64_t value_count(int64_t nblocks, int64_t nlower, int D)
{
  return nlower < 0 ? nblocks * D * D : (nblocks - nlower) * D * D + BF_BCSR_PAD;
}

int64_t bf_bcsr_bytes(int64_t nblocks, int64_t nlower, int64_t nrows, int D, int narrow, bf_prec prec)
{
  const int64_t lists = nlower < 0 ? 0 : nlower * (int64_t)sizeof(bf_int) + (nrows + 1) * 8;
  return value_count(nblocks, nlower, D) * bf_prec_bytes(prec) + nblocks * (narrow ? 2 : 4) +
         (nrows + 1) * 8 + lists;
}

int64_t bf_bcsr_values(const bf_bcsr *A)
{
  return value_count(A->nblocks, A->half ? A->nlower : -1, A->ncomp);
}

static void destroy(bf_matrix *M)
{
  bf_bcsr *A = M->bcsr;
  if (!A) return;
  M->be->ops.release(M->be, A->ptr);
  M->be->ops.release(M->be, A->col);
  M->be->ops.release(M->be, A->rel);
  M->be->ops.release(M->be, A->low);
  M->be->ops.release(M->be, A->from);
  M->be->ops.release(M->be, A->val);
  bf_host_free(A);
  M->bcsr = NULL;
}

static bf_err create(bf_matrix *M, const bf_layout *L, int half)
{
  BF_TRY(bf_bcsr_put_pattern(M, L->graph, half));
  return bf_alloc_zero(M->be, bf_bcsr_values(M->bcsr), (size_t)bf_prec_bytes(M->prec), &M->bcsr->val);
}

/* The lists of half storage are those of the pattern. */
static bf_err check_lower(const bf_matrix *M, const bf_graph *g)
{
  bf_err         err  = BF_OK;
  const bf_bcsr *A    = M->bcsr;
  int64_t       *low  = NULL;
  bf_int        *from = NULL;
  void          *l = NULL, *f = NULL;
  BF_GO(bf_bcsr_lower_lists(g, &low, &from));
  BF_NEED(A->nlower == low[g->n], BF_E_ARG, "%lld blocks left of the diagonal, %lld in the pattern",
          (long long)A->nlower, (long long)low[g->n]);
  BF_GO(bf_fetch(M->be, A->low, (int64_t)g->n + 1, sizeof *low, &l));
  BF_GO(bf_fetch(M->be, A->from, A->nlower, sizeof *from, &f));
  BF_NEED(memcmp(l, low, ((size_t)g->n + 1) * sizeof *low) == 0 &&
              memcmp(f, from, (size_t)A->nlower * sizeof *from) == 0,
          BF_E_ARG, "the lists of half storage are not those of the pattern");
done:
  bf_host_free(low);
  bf_host_free(from);
  bf_host_free(l);
  bf_host_free(f);
  return err;
}

static bf_err check(const bf_matrix *M)
{
  const bf_bcsr *A   = M->bcsr;
  bf_graph      *g   = NULL;
  bf_err         err = BF_OK;
  BF_CHECK(A->ptr && A->val && !A->col != !A->rel && A->nrows > 0 && A->nblocks >= 0, BF_E_ARG, "null table");
  BF_CHECK(!A->half == !A->low && !A->half == !A->from && (A->half || A->nlower == 0), BF_E_ARG,
           "lists of half storage in full storage, or none in half");
  BF_CHECK(A->ncomp == M->ncomp && M->nnz <= A->nblocks * A->ncomp * A->ncomp, BF_E_ARG,
           "%lld blocks of %d components for %lld entries", (long long)A->nblocks, A->ncomp,
           (long long)M->nnz);
  BF_TRY(bf_bcsr_get_pattern(M, &g));
  BF_NEED(!(A->paired || A->half) || bf_bcsr_is_paired(g), BF_E_ARG, "blocks without their transposed");
  if (A->half) BF_GO(check_lower(M, g));
done:
  bf_graph_destroy(&g);
  return err;
}

static bf_part_size size(const bf_matrix *M)
{
  const bf_bcsr *A = M->bcsr;
  const int64_t  bytes =
      bf_bcsr_bytes(A->nblocks, A->half ? A->nlower : -1, A->nrows, A->ncomp, A->rel != NULL, A->prec);
  return (bf_part_size){.nrows   = A->nrows * A->ncomp,
                        .prec    = A->prec,
                        .half    = A->half,
                        .entries = -1,
                        .values  = bf_bcsr_values(A),
                        .bytes   = bytes,
                        .product = bytes};
}

static int transposes(const bf_matrix *M)
{
  return M->bcsr->paired;
}

static bf_err longest(const bf_matrix *A, int64_t *most)
{
  BF_TRY(bf_longest_row(A->be, A->bcsr->ptr, A->bcsr->nrows, most));
  *most *= A->bcsr->ncomp;
  return BF_OK;
}

const bf_part bf_bcsr_part = {.name       = "bcsr",
                              .diagonals  = BF_DIAGONAL_ALL,
                              .size       = size,
                              .check      = check,
                              .to_sparse  = bf_bcsr_to_sparse,
                              .to_fp32    = bf_bcsr_to_fp32,
                              .longest    = longest,
                              .transposes = transposes,
                              .destroy    = destroy};

static bf_why_not fits(const bf_layout *L)
{
  (void)L;
  return BF_FITS;
}

/* L->nnz counts whole blocks; without the pattern every node has its diagonal block. */
static bf_err cost(const bf_layout *L, int half, bf_prec prec, bf_format_cost *out)
{
  const int     narrow = L->graph ? bf_bcsr_fits16(L->graph) : L->reach <= INT16_MAX - BF_CSR16_ROWS;
  const int64_t count  = L->nnz / L->ncomp / L->ncomp;
  const int64_t lower  = L->graph ? bf_bcsr_count_lower(L->graph, half) : half ? (count - L->nrows) / 2 : -1;
  out->bytes           = bf_bcsr_bytes(count, lower, L->nrows, L->ncomp, narrow, prec);
  out->product         = out->bytes + (int64_t)L->nrows * L->ncomp * 16;
  return BF_OK;
}

/* A single component would be csr or csr16 in other words: auto leaves it to them.  Rates on a device: one
 * matrix each, 315 MB full and 190 MB half (77.8 and 89.9 us), the fixed time is that of csr.  Auto takes
 * half storage there only where it is asked for.  docs/performance/auto.md */
const bf_format_ops bf_bcsr_format = {.word        = "bcsr",
                                      .parts       = 1U << BF_PART_bcsr,
                                      .half        = 1,
                                      .elements    = 1,
                                      .automatic   = 1,
                                      .least_ncomp = 2,
                                      .transposes  = 1,
                                      .fits        = fits,
                                      .cost        = cost,
                                      .create      = create,
                                      .from_sparse = bf_bcsr_from_sparse,
                                      .rate        = {{0.6e-6, 68e9, 0.0, 0}, {5.7e-6, 4.37e12, 0.0, 0}},
                                      .half_rate   = {{0.6e-6, 27e9, 0.0, 0}, {5.7e-6, 2.25e12, 0.0, 0}}};
