/* kernels/cuda/multigrid/aggregates.cu - strengths of couplings, the filtered matrix, the smoothed
 * prolongator
 *
 * Computes   aggregates.h, struct bf_mg_aggregate_ops; strengths are rounded as on the CPU, so that the same
 *            couplings are strong.
 * Source     Vanek, Mandel, Brezina, Computing 56 (1996) 179, doi 10.1007/BF02238511
 * Layout     aggregates.h, block_rows.h
 * Cost       strengths: the matrix once; filter: its strong part twice, the weak one once; smooth: P twice.
 * Launch     8 lanes a row for blocks of the matrix, 32 for blocks of P; a thread a row for what is small.
 * Checked    tests/kernels/multigrid/t386_aggregates.c, t387_tentative.c
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cuda/multigrid/multigrid.cuh"

namespace bf
{

enum { THREADS = BF_MG_THREADS, LANES = 8, WARP = 32 };

struct rows_view { /* of fp64 values */
  bf_int         n;
  int            D;
  const int64_t *ptr;
  const bf_int  *col;
  const double  *val;
};

static rows_view view_of(const bf_block_rows *A)
{
  return {A->form.nrows, A->form.br, A->ptr, A->col, static_cast<const double *>(A->val)};
}

/* ---- strengths ---- */

static __global__ void __launch_bounds__(THREADS) diagonal_norms(rows_view A, double *norm)
{
  const int64_t i = bf_mg_item();
  if (i >= A.n) return;
  const int64_t begin = A.ptr[i];
  const int     at    = bf_find(A.col + begin, (int)(A.ptr[i + 1] - begin), (bf_int)i);
  norm[i]             = at < 0 ? 0.0 : bf_mg_norm(A.D, A.val + (begin + at) * A.D * A.D);
}

static __global__ void __launch_bounds__(THREADS)
    block_strengths(rows_view A, const double *__restrict__ norm, float *strength)
{
  const int64_t i = bf_mg_item(LANES);
  if (i >= A.n) return;
  for (int64_t k = A.ptr[i] + threadIdx.x % LANES; k < A.ptr[i + 1]; k += LANES) {
    const bf_int j = A.col[k];
    strength[k]    = j == i ? 0.0F : bf_mg_strength(bf_mg_norm(A.D, A.val + k * A.D * A.D), norm[i], norm[j]);
  }
}

static bf_err strengths(bf_backend *be, const bf_block_rows *A, float *strength)
{
  const cudaStream_t stream = bf_cuda_of(be)->stream;
  const bf_int       n      = A->form.nrows;
  void              *norm;
  if (n == 0) return BF_OK;
  BF_TRY(bf_cuda_scratch(be, (size_t)n * sizeof(double), &norm));
  diagonal_norms<<<bf_mg_grid(n), THREADS, 0, stream>>>(view_of(A), static_cast<double *>(norm));
  BF_TRY(BF_CUDA_LAUNCHED(be));
  block_strengths<<<bf_mg_grid(n, LANES), THREADS, 0, stream>>>(view_of(A), static_cast<double *>(norm),
                                                                strength);
  return BF_CUDA_LAUNCHED(be);
}

/* ---- strong couplings ---- */

static __global__ void __launch_bounds__(THREADS)
    count_strong(rows_view A, const float *__restrict__ strength, double theta, int64_t *ptr)
{
  const int64_t i = bf_mg_item();
  if (i >= A.n) return;
  int64_t count = 0;
  for (int64_t k = A.ptr[i]; k < A.ptr[i + 1]; k++)
    count += A.col[k] == i || bf_mg_is_strong(strength[k], theta);
  ptr[i + 1] = count;
}

static __global__ void __launch_bounds__(THREADS)
    fill_strong(rows_view A, const float *__restrict__ strength, double theta, bf_mg_graph G)
{
  const int64_t i = bf_mg_item();
  if (i >= A.n) return;
  int64_t at = G.ptr[i];
  for (int64_t k = A.ptr[i]; k < A.ptr[i + 1]; k++)
    if (A.col[k] == i || bf_mg_is_strong(strength[k], theta)) {
      G.col[at]        = A.col[k];
      G.strength[at++] = strength[k];
    }
}

static bf_err strong_count(bf_backend *be, const bf_block_rows *A, const float *strength, double theta,
                           int64_t *ptr, int64_t *nnz)
{
  const bf_int n = A->form.nrows;
  if (n > 0) {
    count_strong<<<bf_mg_grid(n), THREADS, 0, bf_cuda_of(be)->stream>>>(view_of(A), strength, theta, ptr);
    BF_TRY(BF_CUDA_LAUNCHED(be));
  }
  return bf_cuda_row_sums(be, n, ptr, nnz);
}

static bf_err strong_fill(bf_backend *be, const bf_block_rows *A, const float *strength, double theta,
                          bf_mg_graph *G)
{
  const bf_int n = A->form.nrows;
  if (n == 0) return BF_OK;
  fill_strong<<<bf_mg_grid(n), THREADS, 0, bf_cuda_of(be)->stream>>>(view_of(A), strength, theta, *G);
  return BF_CUDA_LAUNCHED(be);
}

static __global__ void __launch_bounds__(THREADS)
    find_live(bf_int n, int ncomp, const uint8_t *fixed, uint8_t *live, unsigned *count)
{
  const int64_t i    = bf_mg_item();
  bool          held = i >= n || fixed != NULL;
  for (int c = 0; c < ncomp && held && i < n; c++) held = fixed[i * ncomp + c] != 0;
  if (i < n) live[i] = !held;
  const unsigned on = __ballot_sync(~0u, !held);
  if (threadIdx.x % WARP == 0 && on) atomicAdd(count, (unsigned)__popc(on));
}

static bf_err live_nodes(bf_backend *be, bf_int n, int ncomp, const uint8_t *fixed, uint8_t *live,
                         bf_int *count)
{
  const cudaStream_t stream = bf_cuda_of(be)->stream;
  void              *found;
  *count = 0;
  if (n == 0) return BF_OK;
  BF_TRY(bf_cuda_scratch(be, sizeof(unsigned), &found));
  BF_TRY(BF_CUDA(cudaMemsetAsync(found, 0, sizeof(unsigned), stream)));
  find_live<<<bf_mg_grid(n), THREADS, 0, stream>>>(n, ncomp, fixed, live, static_cast<unsigned *>(found));
  BF_TRY(BF_CUDA_LAUNCHED(be));
  return be->ops.copy(be, count, found, sizeof *count, BF_TO_HOST);
}

/* ---- filtered matrix ---- */

/* The blocks that are kept; F's columns are a part of A's, both ascend. */
static __global__ void __launch_bounds__(THREADS)
    copy_strong(rows_view A, const int64_t *fptr, const bf_int *fcol, double *fval)
{
  const int64_t i = bf_mg_item(LANES);
  if (i >= A.n) return;
  const int     one   = A.D * A.D;
  const int64_t begin = A.ptr[i];
  const int     size  = (int)(A.ptr[i + 1] - begin);
  for (int64_t q = fptr[i]; q < fptr[i + 1]; q++) {
    const int at = bf_find(A.col + begin, size, fcol[q]);
    for (int e = threadIdx.x % LANES; e < one; e += LANES) fval[q * one + e] = A.val[(begin + at) * one + e];
  }
}

/* The others are added to the diagonal, one component each. */
static __global__ void __launch_bounds__(THREADS)
    add_weak(rows_view A, const float *__restrict__ strength, double theta, const int64_t *fptr,
             const bf_int *fcol, double *fval)
{
  const int64_t i = bf_mg_item();
  if (i >= A.n) return;
  const int D                    = A.D;
  double    lump[BF_BLOCK_ORDER] = {};
  bool      some                 = false;
  for (int64_t k = A.ptr[i]; k < A.ptr[i + 1]; k++) {
    if (A.col[k] == i || bf_mg_is_strong(strength[k], theta)) continue;
    some = true;
#pragma unroll
    for (int c = 0; c < BF_BLOCK_ORDER; c++)
      if (c < D) lump[c] += A.val[(k * D + c) * D + c];
  }
  const int own = some ? bf_find(fcol + fptr[i], (int)(fptr[i + 1] - fptr[i]), (bf_int)i) : -1;
  if (own < 0) return;
  double *d = fval + (fptr[i] + own) * D * D;
#pragma unroll
  for (int c = 0; c < BF_BLOCK_ORDER; c++)
    if (c < D) d[c * D + c] = bf_mg_lumped(d[c * D + c], lump[c]);
}

static bf_err filter(bf_backend *be, const bf_block_rows *A, const float *strength, double theta,
                     bf_block_rows *F)
{
  const cudaStream_t stream = bf_cuda_of(be)->stream;
  const bf_int       n      = A->form.nrows;
  double            *val    = static_cast<double *>(F->val);
  if (n == 0) return BF_OK;
  copy_strong<<<bf_mg_grid(n, LANES), THREADS, 0, stream>>>(view_of(A), F->ptr, F->col, val);
  BF_TRY(BF_CUDA_LAUNCHED(be));
  add_weak<<<bf_mg_grid(n), THREADS, 0, stream>>>(view_of(A), strength, theta, F->ptr, F->col, val);
  return BF_CUDA_LAUNCHED(be);
}

/* ---- smoothing ---- */

/* A warp owns a row of P. */
static __global__ void __launch_bounds__(THREADS)
    smooth_row(bf_int n, int D, int nq, bf_mg_smoothing S, const int64_t *tptr, const bf_int *tcol,
               const double *__restrict__ t, const int64_t *ptr, const bf_int *col, double *p)
{
  const int64_t i = bf_mg_item(WARP);
  if (i >= n) return;
  const int     one   = D * nq;
  const int64_t begin = ptr[i], count = (ptr[i + 1] - begin) * one;
  for (int64_t e = threadIdx.x % WARP; e < count; e += WARP) {
    const int     within = (int)(e % one);
    const int64_t r      = i * D + within % D;
    const double  d = S.diagonal[r], w = d > 0.0 ? S.weight / d : S.weight;
    const int64_t own = bf_mg_own_block(tptr, tcol, i, col[begin + e / one]);
    double       *v   = p + begin * one + e;
    *v                = S.fixed && S.fixed[r] ? 0.0 : (own >= 0 ? t[own * one + within] : 0.0) - w * *v;
  }
}

static bf_err smooth(bf_backend *be, const bf_mg_smoothing *S, const bf_block_rows *T, bf_block_rows *P)
{
  const bf_int n = P->form.nrows;
  if (n == 0) return BF_OK;
  smooth_row<<<bf_mg_grid(n, WARP), THREADS, 0, bf_cuda_of(be)->stream>>>(
      n, P->form.br, P->form.bc, *S, T->ptr, T->col, static_cast<const double *>(T->val), P->ptr, P->col,
      static_cast<double *>(P->val));
  return BF_CUDA_LAUNCHED(be);
}

extern "C" {
const bf_mg_aggregate_ops bf_cuda_mg_aggregates = {
    .rows           = &bf_cuda_block_rows,
    .local          = &bf_cuda_local,
    .strengths      = strengths,
    .strong_count   = strong_count,
    .strong_fill    = strong_fill,
    .live           = live_nodes,
    .aggregate      = bf_cuda_mg_aggregate,
    .members        = bf_cuda_mg_members,
    .gram           = bf_cuda_mg_gram,
    .factor         = bf_cuda_mg_factor,
    .tentative_rows = bf_cuda_mg_tentative_rows,
    .tentative      = bf_cuda_mg_tentative,
    .filter         = filter,
    .smooth         = smooth,
};
}

} // namespace bf
