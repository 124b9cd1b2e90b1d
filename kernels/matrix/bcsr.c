/* kernels/matrix/bcsr.c - the part bcsr and the format that consists of it: pattern, values, copies, costs;
 * layout in bcsr.h
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/matrix/bcsr.h"
#include "base/memory.h"
#include "kernels/matrix/format.h"
#include "kernels/matrix/statistics.h"
#include "kernels/matrix/storage.h"
#include <string.h>

/* nlower: -1 in full storage. */
static int64_t value_count(int64_t nblocks, int64_t nlower, int D)
{
  return nlower < 0 ? nblocks * D * D : (nblocks - nlower) * D * D + BF_BCSR_PAD;
}

static int64_t bytes_of(int64_t nblocks, int64_t nlower, int64_t nrows, int D, int narrow, bf_prec prec)
{
  const int64_t lists = nlower < 0 ? 0 : nlower * (int64_t)sizeof(bf_int) + (nrows + 1) * 8;
  return value_count(nblocks, nlower, D) * bf_prec_bytes(prec) + nblocks * (narrow ? 2 : 4) +
         (nrows + 1) * 8 + lists;
}

static bf_int base_of(bf_int node)
{
  return node - node % BF_CSR16_ROWS;
}

/* ---- pattern ---- */

/* Do all columns fit in 16 bits? */
static int fits16(const bf_graph *g)
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

static int is_paired(const bf_graph *g)
{
  int yes = 1;
#pragma omp parallel for schedule(static) reduction(&& : yes)
  for (bf_int i = 0; i < g->n; i++)
    for (int64_t p = g->ptr[i]; p < g->ptr[i + 1]; p++)
      yes = yes && (g->adj[p] == i || has_column(g, g->adj[p], i));
  return yes;
}

/* Lists of half storage: low[n + 1] and from[low[n]], see bcsr.h; both are the caller's. */
static bf_err lower_lists(const bf_graph *g, int64_t **low_out, bf_int **from_out)
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

/* ---- life ---- */

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

static int64_t values_of(const bf_bcsr *A)
{
  return value_count(A->nblocks, A->half ? A->nlower : -1, A->ncomp);
}

static bf_err put_lower(bf_backend *be, const bf_graph *g, bf_bcsr *A)
{
  bf_err   err  = BF_OK;
  int64_t *low  = NULL;
  bf_int  *from = NULL;
  void    *p    = NULL;
  BF_CHECK(A->paired, BF_E_ARG, "half storage needs a symmetric pattern");
  BF_GO(lower_lists(g, &low, &from));
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
static int64_t count_lower(const bf_graph *g, int half)
{
  int64_t n = 0;
  for (bf_int i = 0; half && i < g->n; i++)
    for (int64_t p = g->ptr[i]; p < g->ptr[i + 1] && g->adj[p] < i; p++) n++;
  return half ? n : -1;
}

/* Everything but the values; on failure M->bcsr is half made and destroyed with M. */
static bf_err put_pattern(bf_matrix *M, const bf_graph *g, int half)
{
  bf_err      err = BF_OK;
  bf_backend *be  = M->be;
  int16_t    *rel = NULL;
  void       *p   = NULL;
  const int   D = M->ncomp, narrow = fits16(g);
  BF_TRY(
      bf_memory_refuse(be, bytes_of(g->ptr[g->n], count_lower(g, half), g->n, D, narrow, M->prec), "matrix"));
  BF_TRY(BF_NEW(M->bcsr));
  bf_bcsr *A = M->bcsr;
  *A         = (bf_bcsr){.nrows   = g->n,
                         .ncomp   = D,
                         .half    = half,
                         .nblocks = g->ptr[g->n],
                         .prec    = M->prec,
                         .paired  = is_paired(g)};
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

static bf_err create(bf_matrix *M, const bf_layout *L, int half)
{
  BF_TRY(put_pattern(M, L->graph, half));
  return bf_alloc_zero(M->be, values_of(M->bcsr), (size_t)bf_prec_bytes(M->prec), &M->bcsr->val);
}

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

static bf_err from_sparse(bf_matrix *M, const bf_sparse *S, int half)
{
  bf_err    err  = BF_OK;
  bf_graph *g    = NULL;
  double   *val  = NULL;
  int64_t  *low  = NULL;
  bf_int   *from = NULL;
  BF_GO(bf_sparse_node_pattern(S, M->ncomp, half, &g));
  BF_GO(put_pattern(M, g, half));
  if (M->bcsr->half) BF_GO(lower_lists(g, &low, &from));
  const bf_bcsr H = host_view(M->bcsr, g, low, from);
  BF_GO(BF_NEW_ARRAY(val, values_of(&H)));
  fill(S, &H, val);
  BF_GO(bf_values_put(M->be, values_of(&H), val, M->prec, &M->bcsr->val));
  BF_GO(M->be->ops.sync(M->be)); /* val is released below */
done:
  bf_graph_destroy(&g);
  bf_host_free(val);
  bf_host_free(low);
  bf_host_free(from);
  return err;
}

static bf_err to_fp32(const bf_matrix *M, bf_matrix *to)
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
  return bf_values_to_fp32(be, A->val, values_of(A), &B->val);
}

/* ---- to the host ---- */

/* The pattern, its invariants checked. */
static bf_err get_pattern(const bf_matrix *M, bf_graph **out)
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

static bf_err to_sparse(const bf_matrix *M, bf_sparse **out)
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
  BF_GO(get_pattern(M, &g));
  if (A->half) BF_GO(lower_lists(g, &low, &from));
  const bf_bcsr H = host_view(A, g, low, from);
  BF_GO(BF_NEW_ARRAY(val, values_of(A)));
  BF_GO(bf_values_get(M->be, values_of(A), A->val, A->prec, val));
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

/* The lists of half storage are those of the pattern. */
static bf_err check_lower(const bf_matrix *M, const bf_graph *g)
{
  bf_err         err  = BF_OK;
  const bf_bcsr *A    = M->bcsr;
  int64_t       *low  = NULL;
  bf_int        *from = NULL;
  void          *l = NULL, *f = NULL;
  BF_GO(lower_lists(g, &low, &from));
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
  BF_TRY(get_pattern(M, &g));
  BF_NEED(!(A->paired || A->half) || is_paired(g), BF_E_ARG, "blocks without their transposed");
  if (A->half) BF_GO(check_lower(M, g));
done:
  bf_graph_destroy(&g);
  return err;
}

/* ---- tables ---- */

static bf_part_size size(const bf_matrix *M)
{
  const bf_bcsr *A = M->bcsr;
  const int64_t  bytes =
      bytes_of(A->nblocks, A->half ? A->nlower : -1, A->nrows, A->ncomp, A->rel != NULL, A->prec);
  return (bf_part_size){.nrows   = A->nrows * A->ncomp,
                        .prec    = A->prec,
                        .half    = A->half,
                        .entries = -1,
                        .values  = values_of(A),
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
                              .to_sparse  = to_sparse,
                              .to_fp32    = to_fp32,
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
  const int     narrow = L->graph ? fits16(L->graph) : L->reach <= INT16_MAX - BF_CSR16_ROWS;
  const int64_t count  = L->nnz / L->ncomp / L->ncomp;
  const int64_t lower  = L->graph ? count_lower(L->graph, half) : half ? (count - L->nrows) / 2 : -1;
  out->bytes           = bytes_of(count, lower, L->nrows, L->ncomp, narrow, prec);
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
                                      .from_sparse = from_sparse,
                                      .rate        = {{0.6e-6, 68e9, 0.0, 0}, {5.7e-6, 4.37e12, 0.0, 0}},
                                      .half_rate   = {{0.6e-6, 27e9, 0.0, 0}, {5.7e-6, 2.25e12, 0.0, 0}}};
