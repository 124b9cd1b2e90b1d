/* kernels/matrix/bcsr.c - the part bcsr and the format that consists of it: pattern, values, copies, costs;
 * layout in bcsr.h
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/matrix/bcsr.h"
#include "base/memory.h"
#include "kernels/matrix/format.h"
#include "kernels/matrix/storage.h"

static int64_t bytes_of(int64_t nblocks, int64_t nrows, int D, int narrow, bf_prec prec)
{
  return nblocks * ((int64_t)D * D * bf_prec_bytes(prec) + (narrow ? 2 : 4)) + (nrows + 1) * 8;
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

/* Pairs of nodes with an entry. */
static bf_err pattern_of(const bf_sparse *S, int D, bf_graph **out)
{
  bf_err       err  = BF_OK;
  bf_int      *seen = NULL; /* 1 + the last row with an entry in this column */
  bf_graph    *g    = NULL;
  const bf_int n    = S->nrows / D;
  int64_t      m    = 0;
  *out              = NULL;
  BF_GO(BF_NEW_ARRAY(seen, n));
  for (int count = 1; count >= 0; count--) {
    if (!count) BF_GO(bf_graph_create(n, m, &g));
    m = 0;
    for (bf_int i = 0; i < n; i++) {
      const int64_t first = m;
      const bf_int  mark  = count ? i + 1 : -(i + 1);
      for (int64_t p = S->ptr[(int64_t)i * D]; p < S->ptr[(int64_t)(i + 1) * D]; p++) {
        const bf_int j = S->col[p] / D;
        if (seen[j] == mark) continue;
        seen[j]   = mark;
        int64_t q = m++;
        if (count) continue;
        for (; q > first && g->adj[q - 1] > j; q--) g->adj[q] = g->adj[q - 1]; /* rows are short */
        g->adj[q] = j;
      }
      if (!count) g->ptr[i + 1] = m;
    }
  }
  *out = g;
  g    = NULL;
done:
  bf_host_free(seen);
  bf_graph_destroy(&g);
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
  M->be->ops.release(M->be, A->val);
  bf_host_free(A);
  M->bcsr = NULL;
}

/* Everything but the values; on failure M->bcsr is half made and destroyed with M. */
static bf_err put_pattern(bf_matrix *M, const bf_graph *g)
{
  bf_err      err = BF_OK;
  bf_backend *be  = M->be;
  int16_t    *rel = NULL;
  void       *p   = NULL;
  const int   D = M->ncomp, narrow = fits16(g);
  BF_TRY(bf_memory_refuse(be, bytes_of(g->ptr[g->n], g->n, D, narrow, M->prec), "matrix"));
  BF_TRY(BF_NEW(M->bcsr));
  bf_bcsr *A = M->bcsr;
  *A = (bf_bcsr){.nrows = g->n, .ncomp = D, .nblocks = g->ptr[g->n], .prec = M->prec, .paired = is_paired(g)};
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
  BF_GO(be->ops.sync(be)); /* rel is released below */
done:
  bf_host_free(rel);
  return err;
}

static bf_err create(bf_matrix *M, const bf_layout *L, int half)
{
  (void)half;
  BF_TRY(put_pattern(M, L->graph));
  return bf_alloc_zero(M->be, M->bcsr->nblocks * M->ncomp * M->ncomp, (size_t)bf_prec_bytes(M->prec),
                       &M->bcsr->val);
}

/* Values of the blocks of g, 0 where S has no entry. */
static void fill(const bf_sparse *S, const bf_graph *g, int D, double *val)
{
#pragma omp parallel for schedule(static)
  for (bf_int i = 0; i < g->n; i++) {
    const int64_t m = g->ptr[i + 1] - g->ptr[i];
    for (int a = 0; a < D; a++) {
      double       *row = val + g->ptr[i] * D * D + a * m * D;
      const int64_t r   = (int64_t)i * D + a;
      int64_t       k   = 0;
      for (int64_t p = S->ptr[r]; p < S->ptr[r + 1]; p++) {
        while (g->adj[g->ptr[i] + k] < S->col[p] / D) k++;
        row[k * D + S->col[p] % D] = S->val[p];
      }
    }
  }
}

static bf_err from_sparse(bf_matrix *M, const bf_sparse *S, int half)
{
  bf_err    err = BF_OK;
  bf_graph *g   = NULL;
  double   *val = NULL;
  const int D   = M->ncomp;
  (void)half;
  BF_GO(pattern_of(S, D, &g));
  BF_GO(put_pattern(M, g));
  BF_GO(BF_NEW_ARRAY(val, g->ptr[g->n] * D * D));
  fill(S, g, D, val);
  BF_GO(bf_values_put(M->be, g->ptr[g->n] * D * D, val, M->prec, &M->bcsr->val));
  BF_GO(M->be->ops.sync(M->be)); /* val is released below */
done:
  bf_graph_destroy(&g);
  bf_host_free(val);
  return err;
}

static bf_err to_fp32(const bf_matrix *M, bf_matrix *to)
{
  bf_backend    *be = M->be;
  const bf_bcsr *A  = M->bcsr;
  void          *p  = NULL;
  BF_TRY(BF_NEW(to->bcsr));
  bf_bcsr *B = to->bcsr;
  *B         = (bf_bcsr){
              .nrows = A->nrows, .ncomp = A->ncomp, .nblocks = A->nblocks, .prec = BF_FP32, .paired = A->paired};
  BF_TRY(bf_alloc_same(be, A->ptr, (int64_t)A->nrows + 1, sizeof *A->ptr, &p));
  B->ptr = p;
  if (A->rel) {
    BF_TRY(bf_alloc_same(be, A->rel, A->nblocks, sizeof *A->rel, &p));
    B->rel = p;
  } else {
    BF_TRY(bf_alloc_same(be, A->col, A->nblocks, sizeof *A->col, &p));
    B->col = p;
  }
  return bf_values_to_fp32(be, A->val, A->nblocks * A->ncomp * A->ncomp, &B->val);
}

/* ---- to the host ---- */

/* The pattern, with its invariants looked at. */
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
static int64_t entries(const bf_graph *g, int D, const double *val, int all, bf_sparse *S)
{
  int64_t at = 0;
  for (bf_int i = 0; i < g->n; i++) {
    const int64_t m = g->ptr[i + 1] - g->ptr[i];
    for (int a = 0; a < D; a++) {
      const double *row = val + g->ptr[i] * D * D + a * m * D;
      for (int64_t k = 0; k < m * D; k++) {
        if (!all && row[k] == 0.0) continue;
        if (S) S->col[at] = g->adj[g->ptr[i] + k / D] * D + (bf_int)(k % D);
        if (S) S->val[at] = row[k];
        at++;
      }
      if (S) S->ptr[(int64_t)i * D + a + 1] = at;
    }
  }
  return at;
}

static bf_err to_sparse(const bf_matrix *M, bf_sparse **out)
{
  bf_err         err = BF_OK;
  const bf_bcsr *A   = M->bcsr;
  bf_graph      *g   = NULL;
  bf_sparse     *S   = NULL;
  double        *val = NULL;
  const int      D   = A->ncomp;
  const int64_t  n = A->nblocks * D * D, all = M->nnz == n;
  *out = NULL;
  BF_GO(get_pattern(M, &g));
  BF_GO(BF_NEW_ARRAY(val, n));
  BF_GO(bf_values_get(M->be, n, A->val, A->prec, val));
  BF_GO(bf_sparse_create(M->nrows, M->nrows, entries(g, D, val, (int)all, NULL), &S));
  entries(g, D, val, (int)all, S);
  *out = S;
  S    = NULL;
done:
  bf_graph_destroy(&g);
  bf_host_free(val);
  bf_sparse_destroy(&S);
  return err;
}

static bf_err check(const bf_matrix *M)
{
  const bf_bcsr *A = M->bcsr;
  bf_graph      *g = NULL;
  BF_CHECK(A->ptr && A->val && !A->col != !A->rel && A->nrows > 0 && A->nblocks >= 0, BF_E_ARG, "null table");
  BF_CHECK(A->ncomp == M->ncomp && M->nnz <= A->nblocks * A->ncomp * A->ncomp, BF_E_ARG,
           "%lld blocks of %d components for %lld entries", (long long)A->nblocks, A->ncomp,
           (long long)M->nnz);
  BF_TRY(get_pattern(M, &g));
  const int paired = is_paired(g);
  bf_graph_destroy(&g);
  BF_CHECK(!A->paired || paired, BF_E_ARG, "blocks without their transposed");
  return BF_OK;
}

/* ---- tables ---- */

static bf_part_size size(const bf_matrix *M)
{
  const bf_bcsr *A     = M->bcsr;
  const int64_t  bytes = bytes_of(A->nblocks, A->nrows, A->ncomp, A->rel != NULL, A->prec);
  return (bf_part_size){.nrows   = A->nrows * A->ncomp,
                        .prec    = A->prec,
                        .entries = -1,
                        .values  = A->nblocks * A->ncomp * A->ncomp,
                        .bytes   = bytes,
                        .product = bytes};
}

static int transposes(const bf_matrix *M)
{
  return M->bcsr->paired;
}

const bf_part bf_bcsr_part = {.name       = "bcsr",
                              .diagonals  = BF_DIAGONAL_ALL,
                              .size       = size,
                              .check      = check,
                              .to_sparse  = to_sparse,
                              .to_fp32    = to_fp32,
                              .transposes = transposes,
                              .destroy    = destroy};

static bf_why_not fits(const bf_layout *L)
{
  (void)L;
  return BF_FITS;
}

/* L->nnz counts whole blocks. */
static bf_err cost(const bf_layout *L, int half, bf_prec prec, bf_format_cost *out)
{
  const int narrow = L->graph ? fits16(L->graph) : L->reach <= INT16_MAX - BF_CSR16_ROWS;
  (void)half;
  out->bytes   = bytes_of(L->nnz / L->ncomp / L->ncomp, L->nrows, L->ncomp, narrow, prec);
  out->product = out->bytes + (int64_t)L->nrows * L->ncomp * 16;
  return BF_OK;
}

/* A single component would be csr or csr16 in other words: auto leaves it to them.  Rates: those of csr. */
const bf_format_ops bf_bcsr_format = {.word        = "bcsr",
                                      .parts       = 1U << BF_PART_bcsr,
                                      .elements    = 1,
                                      .automatic   = 1,
                                      .least_ncomp = 2,
                                      .transposes  = 1,
                                      .fits        = fits,
                                      .cost        = cost,
                                      .create      = create,
                                      .from_sparse = from_sparse,
                                      .rate        = {{0.7e-6, 29e9, 0.0, 0}, {5.7e-6, 3.20e12, 0.0, 0}}};
