/* kernels/cuda/sparse/transpose_banded.cu - transpose of a narrow band in one pass, without sorting or
 * counting
 *
 * Computes   T = A^T, `tile` columns of A per block. Their entries are in rows j0-half .. j1+half-1, one
 *            contiguous piece of A. Row i becomes a word with bit j-i+half set for every entry (i, j);
 *            column j the word with bit i-j+half for every entry, whose bits come from rows j-half ..
 *            j+half. The number of set bits below a bit of the column's word is the position in T's row, of
 *            the row's word the position in A. The start of the block's piece in T needs no other block:
 *            rows before j0-half have all their entries in columns before j0, so it is ptr[j0-half] plus
 *            the entries before column j0 in the block's rows.
 * Source     own; Jin, CUDA tutorial 7 (docs/references.md) for the counting that it avoids.
 * Layout     transpose.h. For bands that fit one word the piece is in shared memory, and its values are
 *            copied while the words are computed; wider ones read values through L1, for which their rows
 *            would leave no space.
 * Cost       24 bytes per entry (fp64) and 16 per row; rows read by two blocks come from L2.
 * Launch     256 threads; a warp per row for the words, a warp per column for the copy. A piece longer than
 *            the shared memory is read from global memory.
 * Checked    tests/kernels/sparse/t317_transpose.c. Entries outside the band and rows that do not ascend
 *            are detected here, and the caller uses another method.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cuda/sparse/transpose.cuh"
#include <cub/block/block_scan.cuh>
#include <cuda_pipeline.h>

namespace bf
{

enum { THREADS = 256, WARPS = THREADS / 32, AHEAD = 4, ROWS = THREADS + 2 * BF_BAND_MAX };

struct band_args {
  bf_int               m, n;
  int                  half, tile, room; /* columns of a block; values its shared memory holds */
  const int64_t       *ptr;
  const bf_int        *col;
  int64_t             *ptrT;
  bf_int              *colT;
  bf_transpose_sample *sample;
};

/* Set bits of a word of 32*WORDS bits below bit k. */
template <int WORDS>
static __device__ __forceinline__ int bits_below(const unsigned *word, int k)
{
  int sum = 0;
  if (WORDS > 1)
    for (int w = 0; w < k >> 5; w++) sum += __popc(word[w]);
  return sum + __popc(word[WORDS > 1 ? k >> 5 : 0] & ((1u << (k & 31)) - 1));
}

/* The word of row i from its columns, 32 at a time; c: those of the lanes' first.  For whole warps. */
template <int WORDS>
static __device__ __forceinline__ bool make_row(int half, const bf_int *col, bf_int i, int length, bf_int c,
                                                unsigned *word)
{
  const int lane = (int)threadIdx.x & 31;
  unsigned  set[WORDS];
  bf_int    last = -1;
  bool      fits = length <= 2 * half + 1;
#pragma unroll
  for (int x = 0; x < WORDS; x++) set[x] = 0;
  for (int q = 0; q == 0 || (WORDS > 1 && q < 32 * WORDS && q < length); q += 32) {
    const bool on = q + lane < length;
    if (q > 0) c = on ? col[q + lane] : INT32_MAX;
    const unsigned k     = (unsigned)c - (unsigned)i + (unsigned)half;
    bf_int         above = __shfl_up_sync(~0u, c, 1);
    if (lane == 0) above = last;
    if (WORDS > 1) last = __shfl_sync(~0u, c, 31);
    if (on && (c <= above || k > 2u * (unsigned)half)) fits = false;
#pragma unroll
    for (int x = 0; x < WORDS; x++)
      set[x] |= __reduce_or_sync(~0u, on && (WORDS == 1 || k >> 5 == x) ? 1u << (k & 31) : 0u);
  }
#pragma unroll
  for (int x = 0; x < WORDS; x++)
    if (lane == x) word[x] = set[x];
  return fits;
}

/* The word of a column from those of the rows top .. top + 2*half among the block's rows; its set bits */
template <int WORDS>
static __device__ __forceinline__ int make_column(int half, const unsigned *row_words, int top, int rows,
                                                  unsigned *word)
{
  int count = 0;
#pragma unroll
  for (int x = 0; x < WORDS; x++) {
    unsigned set = 0;
    for (int b = 0; b < 32 && x * 32 + b <= 2 * half; b++) {
      const int r = top + x * 32 + b, k = 2 * half - x * 32 - b;
      if (r >= 0 && r < rows) set |= (row_words[r * WORDS + (WORDS > 1 ? k >> 5 : 0)] >> (k & 31) & 1u) << b;
    }
    word[x] = set;
    count += __popc(set);
  }
  return count;
}

template <typename T, int WORDS>
static __global__ void __launch_bounds__(THREADS, WORDS == 1 ? 1 : 6)
    transpose_band(band_args a, const T *__restrict__ val, T *__restrict__ valT)
{
  constexpr bool                        STAGED = WORDS == 1;
  typedef cub::BlockScan<int, THREADS>  Scan;
  __shared__ typename Scan::TempStorage scan;
  __shared__ unsigned                   row_word[ROWS * WORDS], col_word[THREADS * WORDS];
  __shared__ int                        begin[ROWS + 1], first[THREADS], before;
  extern __shared__ __align__(16) double room[];
  T                                     *here     = reinterpret_cast<T *>(room);
  bf_int                                *col_here = reinterpret_cast<bf_int *>(here + a.room);
  const int                              tid = (int)threadIdx.x, warp = tid / 32, lane = tid % 32;
  const int64_t j0 = (int64_t)blockIdx.x * a.tile, j1 = j0 + a.tile < a.n ? j0 + a.tile : a.n;
  const int64_t lo = j0 - a.half, hi = j1 + a.half;
  const bf_int  i0 = (bf_int)(lo < 0 ? 0 : lo < a.m ? lo : a.m), i1 = (bf_int)(hi < a.m ? hi : a.m);
  const int     rows = i1 - i0, columns = (int)(j1 - j0);
  const int64_t p0     = a.ptr[i0];
  bool          failed = false;
  for (int r = tid; r <= rows; r += THREADS) {
    const int64_t p = a.ptr[i0 + r] - p0;
    failed |= p > (int64_t)ROWS * (2 * a.half + 1);
    begin[r] = (int)p;
  }
  if (tid == 0) before = 0;
  const bool far = a.sample->reach > a.half;
  if (__syncthreads_or(failed || far)) {
    if (!far) a.sample->failed = 1;
    return;
  }
  const int     run    = begin[rows];
  const bool    staged = STAGED && run <= a.room;
  const bf_int *col    = a.col + p0;
  val += p0;
  if (staged) {
    for (int q = tid; q < run; q += THREADS) __pipeline_memcpy_async(col_here + q, col + q, sizeof *col);
    __pipeline_commit();
    for (int q = tid; q < run; q += THREADS) __pipeline_memcpy_async(here + q, val + q, sizeof *val);
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
  }
  for (int r0 = warp; r0 < rows; r0 += WARPS * AHEAD) {
    bf_int c[AHEAD];
#pragma unroll
    for (int u = 0; u < AHEAD; u++) {
      const int r = r0 + u * WARPS;
      c[u]        = INT32_MAX;
      if (r < rows && begin[r] + lane < begin[r + 1])
        c[u] = staged ? col_here[begin[r] + lane] : col[begin[r] + lane];
    }
#pragma unroll
    for (int u = 0; u < AHEAD; u++) {
      const int r = r0 + u * WARPS;
      if (r < rows)
        failed |= !make_row<WORDS>(a.half, col + begin[r], i0 + r, begin[r + 1] - begin[r], c[u],
                                   row_word + r * WORDS);
    }
  }
  if (__syncthreads_or(failed)) {
    a.sample->failed = 1;
    return;
  }
  int left = 0, count = 0, place, total;
  for (int r = tid; r < rows; r += THREADS) {
    const int k = (int)(j0 - i0 - r) + a.half;
    if (k > 0) left += k > 2 * a.half ? begin[r + 1] - begin[r] : bits_below<WORDS>(row_word + r * WORDS, k);
  }
  left = __reduce_add_sync(~0u, left);
  if (lane == 0 && left > 0) atomicAdd(&before, left);
  const int top = (int)(j0 - i0) - a.half; /* first row of column 0 among the block's rows; may be negative */
  if (tid < columns) count = make_column<WORDS>(a.half, row_word, top + tid, rows, col_word + tid * WORDS);
  Scan(scan).ExclusiveSum(count, place, total);
  first[tid] = place;
  if (staged) __pipeline_wait_prior(0);
  __syncthreads();
  const int64_t base = p0 + before;
  if (tid < columns) a.ptrT[j0 + tid] = base + place;
  if (j1 == a.n && tid == 0) { /* rows that no block has read are empty, or A is no such band */
    a.ptrT[a.n] = base + total;
    if (base + total != a.ptr[a.m]) a.sample->failed = 1;
  }

  valT += base;
  bf_int *colT = a.colT + base;
#pragma unroll 4
  for (int t = warp; t < columns; t += WARPS) {
    int at = first[t];
#pragma unroll
    for (int x = 0; x < WORDS; x++) {
      const unsigned word = col_word[t * WORDS + x];
      if (word >> lane & 1) {
        const int k = x * 32 + lane, r = top + t + k;
        const int from = begin[r] + bits_below<WORDS>(row_word + r * WORDS, 2 * a.half - k);
        const int to   = at + __popc(word & ((1u << lane) - 1));
        __stcs(valT + to, staged ? here[from] : val[from]);
        __stcs(colT + to, i0 + r);
      }
      at += __popc(word);
    }
  }
}

template <typename T, int WORDS>
static bf_err launch(bf_backend *be, const bf_csr_arrays *A, bf_csr_arrays *Tr, band_args a)
{
  const auto   kernel = transpose_band<T, WORDS>;
  const double mean   = (double)A->nnz / (double)(A->nrows < A->ncols ? A->nrows : A->ncols);
  const int    most   = 96 * 1024 / (int)(sizeof(T) + sizeof(bf_int));
  a.tile              = WORDS == 1 ? 96 : 256;
  a.room              = WORDS == 1 ? (int)fmin(1.02 * mean * (a.tile + 2 * a.half) + 64.0, most) : 0;
  const size_t bytes  = (size_t)a.room * (sizeof(T) + sizeof(bf_int));
  BF_TRY(BF_CUDA(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes)));
  kernel<<<bf_cuda_blocks(A->ncols, a.tile), THREADS, bytes, bf_cuda_of(be)->stream>>>(
      a, static_cast<const T *>(A->val), static_cast<T *>(Tr->val));
  return BF_CUDA_LAUNCHED(be);
}

template <typename T>
static bf_err choose(bf_backend *be, const bf_csr_arrays *A, bf_csr_arrays *Tr, const band_args &a)
{
  return a.half <= BF_BAND_NARROW ? launch<T, 1>(be, A, Tr, a)
         : a.half <= 31           ? launch<T, 2>(be, A, Tr, a)
                                  : launch<T, 4>(be, A, Tr, a);
}

bf_err bf_cuda_transpose_band(bf_backend *be, const bf_csr_arrays *A, int half, bf_csr_arrays *T,
                              bf_transpose_sample *sample)
{
  band_args a = {};
  a.m         = A->nrows;
  a.n         = A->ncols;
  a.half      = half <= BF_BAND_NARROW ? BF_BAND_NARROW
                : half <= 31           ? 31
                                       : BF_BAND_MAX; /* all bits of the words */
  a.ptr       = A->ptr;
  a.col       = A->col;
  a.ptrT      = T->ptr;
  a.colT      = T->col;
  a.sample    = sample;
  BF_TRY(A->prec == BF_FP64 ? choose<double>(be, A, T, a) : choose<float>(be, A, T, a));
  return BF_OK;
}

} // namespace bf
