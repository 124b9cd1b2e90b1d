/* kernels/cuda/sparse/coo_to_csr_short_rows.cu - COO to CSR where all rows are short
 *
 * Computes   entry numbers sorted by row only (half the bits, a third of the bytes of the full key); then
 *            one warp per row sorts its (column, number in the row) and adds duplicates in input order, in
 *            fp64; shortened rows are then compacted.
 * Source     own; sort: Jin (docs/references.md). Elements refer to a row in adjacent entries and few
 *            times, so that gathering columns and values by number costs little more than their bytes.
 * Layout     transpose.h; workspace in the backend's scratch: 28 bytes per entry (fp64), 8 per row.
 * Cost       16 bytes per entry and pass of 8 bits of the row; 20 per entry to gather and 24 per result for
 *            the rest.
 * Launch     a warp per row. Up to SHORT entries: two per lane, bitonic sort of 32-bit keys in registers;
 *            up to LONG: of 64-bit keys in shared memory. For longer rows coo_sort.cu is used.
 * Checked    tests/kernels/sparse/t318_triplets.c.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cuda/sparse/transpose.cuh"
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_scan.cuh>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

namespace bf
{

enum { THREADS = 256, WARPS = THREADS / 32, SHORT = 64, LONG = 512, SHORT_BITS = 26, LANES = 16 };

static __global__ void number_entries(bf_coo_arrays A, unsigned *index, int *violation)
{
  const int64_t p = (int64_t)blockIdx.x * THREADS + threadIdx.x;
  if (p >= A.nnz) return;
  index[p] = (unsigned)p;
  if (A.row[p] < 0 || A.row[p] >= A.nrows) *violation = 1;
}

/* ptr from sorted rows; rows outside the matrix do not count. */
static __global__ void find_rows(int64_t nnz, bf_int nrows, const unsigned *__restrict__ row, int64_t *ptr)
{
  const int64_t  p     = (int64_t)blockIdx.x * THREADS + threadIdx.x;
  const unsigned n     = (unsigned)nrows;
  bf_int         above = nrows, here = nrows;
  if (p < nnz) {
    here  = (bf_int)(row[p] < n ? row[p] : n);
    above = p == 0 ? -1 : (bf_int)(row[p - 1] < n ? row[p - 1] : n);
  }
  bf_fill_rows(ptr, above, here, p);
  bf_fill_rows(ptr, p == nnz - 1 ? here : nrows, nrows, nnz);
}

struct row_length {
  const int64_t     *ptr;
  __device__ int64_t operator()(int64_t r) const
  {
    return ptr[r + 1] - ptr[r];
  }
};

struct row_args {
  bf_int          nrows, ncols;
  const int64_t  *ptr;
  const unsigned *index;
  const bf_int   *col;
  bf_int         *out_col; /* at the row's original position */
  int64_t        *counts;  /* entries that remain */
  int            *violation;
};

/* Up to SHORT entries per row, columns of at most SHORT_BITS bits */
template <typename T>
static __global__ void __launch_bounds__(THREADS)
    short_rows(row_args a, const T *__restrict__ val, T *__restrict__ out)
{
  __shared__ T        values[WARPS][SHORT];
  __shared__ unsigned keys[WARPS][SHORT];
  const int           warp = (int)threadIdx.x / 32, lane = (int)threadIdx.x % 32;
  const int64_t       r = (int64_t)blockIdx.x * WARPS + warp;
  if (r >= a.nrows) return;
  const int64_t begin  = a.ptr[r];
  const int     length = (int)(a.ptr[r + 1] - begin);
  T            *value  = values[warp];
  unsigned     *sorted = keys[warp], key[2];
#pragma unroll
  for (int u = 0; u < 2; u++) {
    const int q = lane + 32 * u;
    key[u]      = ~0u;
    if (q >= length) continue;
    const unsigned p = a.index[begin + q], j = (unsigned)a.col[p];
    value[q] = val[p];
    if (j >= (unsigned)a.ncols) *a.violation = 1;
    key[u] = j << 6 | (unsigned)q;
  }
#pragma unroll
  for (int run = 2; run <= SHORT; run *= 2)
#pragma unroll
    for (int step = run / 2; step > 0; step /= 2) {
      if (step == 32) {
        const unsigned low = min(key[0], key[1]), high = max(key[0], key[1]);
        key[0] = low;
        key[1] = high;
        continue;
      }
#pragma unroll
      for (int u = 0; u < 2; u++) {
        const unsigned other = __shfl_xor_sync(~0u, key[u], step);
        const bool     up = ((lane + 32 * u) & run) == 0, first = (lane & step) == 0;
        key[u] = up == first ? min(key[u], other) : max(key[u], other);
      }
    }
  sorted[lane]      = key[0];
  sorted[lane + 32] = key[1];
  __syncwarp();
  int before = 0;
#pragma unroll
  for (int u = 0; u < 2; u++) {
    const int      q     = lane + 32 * u;
    const unsigned j     = sorted[q] >> 6;
    const bool     head  = q < length && (q == 0 || sorted[q - 1] >> 6 != j);
    const unsigned heads = __ballot_sync(~0u, head);
    if (head) {
      const int64_t at  = begin + before + __popc(heads & ((1u << lane) - 1));
      double        sum = (double)value[sorted[q] & 63];
      for (int t = q + 1; t < length && sorted[t] >> 6 == j; t++) sum += (double)value[sorted[t] & 63];
      a.out_col[at] = (bf_int)j;
      out[at]       = (T)sum;
    }
    before += __popc(heads);
  }
  if (lane == 0) a.counts[r] = before;
}

/* Up to LONG entries per row */
template <typename T>
static __global__ void __launch_bounds__(THREADS)
    long_rows(row_args a, const T *__restrict__ val, T *__restrict__ out)
{
  __shared__ uint64_t keys[WARPS][LONG];
  const int           warp = (int)threadIdx.x / 32, lane = (int)threadIdx.x % 32;
  const int64_t       r = (int64_t)blockIdx.x * WARPS + warp;
  if (r >= a.nrows) return;
  const int64_t   begin  = a.ptr[r];
  const int       length = (int)(a.ptr[r + 1] - begin);
  const unsigned *index  = a.index + begin;
  uint64_t       *key    = keys[warp];
  int             size   = 32;
  while (size < length) size *= 2;
  for (int q = lane; q < size; q += 32) {
    const unsigned j = q < length ? (unsigned)a.col[index[q]] : 0;
    if (j >= (unsigned)a.ncols) *a.violation = 1;
    key[q] = q < length ? (uint64_t)j << 32 | (unsigned)q : ~(uint64_t)0;
  }
  __syncwarp();
  for (int run = 2; run <= size; run *= 2)
    for (int step = run / 2; step > 0; step /= 2) {
      for (int q = lane; q < size / 2; q += 32) {
        const int      low = 2 * q - (q & (step - 1)), high = low + step;
        const uint64_t x = key[low], y = key[high];
        if ((x > y) == ((low & run) == 0)) {
          key[low]  = y;
          key[high] = x;
        }
      }
      __syncwarp();
    }
  int before = 0;
  for (int q0 = 0; q0 < length; q0 += 32) {
    const int      q     = q0 + lane;
    const bool     head  = q < length && (q == 0 || key[q - 1] >> 32 != key[q] >> 32);
    const unsigned heads = __ballot_sync(~0u, head);
    if (head) {
      const int64_t at  = begin + before + __popc(heads & ((1u << lane) - 1));
      double        sum = (double)val[index[(unsigned)key[q]]];
      for (int t = q + 1; t < length && key[t] >> 32 == key[q] >> 32; t++)
        sum += (double)val[index[(unsigned)key[t]]];
      a.out_col[at] = (bf_int)(key[q] >> 32);
      out[at]       = (T)sum;
    }
    before += __popc(heads);
  }
  if (lane == 0) a.counts[r] = before;
}

/* LANES threads move a row from its original to its final position. */
template <typename T>
static __global__ void compact_rows(int64_t nrows, const int64_t *__restrict__ from,
                                    const bf_int *__restrict__ col, const T *__restrict__ val,
                                    const int64_t *__restrict__ to, bf_int *__restrict__ out_col,
                                    T *__restrict__ out)
{
  const int64_t r = ((int64_t)blockIdx.x * THREADS + threadIdx.x) / LANES;
  if (r >= nrows) return;
  const int64_t shift = from[r] - to[r];
  for (int64_t p = to[r] + threadIdx.x % LANES; p < to[r + 1]; p += LANES) {
    out_col[p] = col[p + shift];
    out[p]     = val[p + shift];
  }
}

struct workspace {
  unsigned *number, *row, *index; /* [nnz]: in input order; sorted rows and their entry numbers */
  int64_t  *ptr, *longest;        /* [nrows + 1], [1] */
  void     *scan_temp;            /* of scan and maximum */
  size_t    scan_temp_bytes, sort_bytes;
  void     *sort_temp; /* of the sort, then values of rows at their original position */
};

static bf_err make_workspace(bf_backend *be, const bf_coo_arrays *A, size_t value, workspace *w)
{
  const size_t n = (size_t)A->nnz, word_bytes = bf_aligned(4 * n),
               rows   = bf_aligned(((size_t)A->nrows + 1) * 8);
  const int64_t nrows = A->nrows;
  size_t        sum = 0, most = 0;
  void         *p;
  unsigned     *null_words = NULL;
  int64_t      *null_longs = NULL;
  const auto    lengths =
      thrust::make_transform_iterator(thrust::make_counting_iterator((int64_t)0), row_length{null_longs});
  BF_TRY(BF_CUDA(cub::DeviceRadixSort::SortPairs(NULL, w->sort_bytes, (const unsigned *)null_words,
                                                 null_words, (const unsigned *)null_words, null_words, A->nnz,
                                                 0, bf_bits_of(A->nrows))));
  BF_TRY(BF_CUDA(cub::DeviceScan::ExclusiveSum(NULL, sum, null_longs, null_longs, nrows + 1)));
  BF_TRY(BF_CUDA(cub::DeviceReduce::Max(NULL, most, lengths, null_longs, nrows)));
  w->scan_temp_bytes     = sum > most ? sum : most;
  const size_t scan_temp = bf_aligned(w->scan_temp_bytes),
               sort_temp = w->sort_bytes > n * value ? w->sort_bytes : n * value;
  BF_TRY(bf_cuda_scratch(be, 3 * word_bytes + rows + 256 + scan_temp + sort_temp, &p));
  char *at     = static_cast<char *>(p);
  w->number    = reinterpret_cast<unsigned *>(at);
  w->row       = reinterpret_cast<unsigned *>(at + word_bytes);
  w->index     = reinterpret_cast<unsigned *>(at + 2 * word_bytes);
  w->ptr       = reinterpret_cast<int64_t *>(at + 3 * word_bytes);
  w->longest   = reinterpret_cast<int64_t *>(at + 3 * word_bytes + rows);
  w->scan_temp = at + 3 * word_bytes + rows + 256;
  w->sort_temp = at + 3 * word_bytes + rows + 256 + scan_temp;
  return BF_OK;
}

/* Entry numbers by row, ptr, and on the host the longest row; BF_E_ARG for a row outside the matrix */
static bf_err sort_rows(bf_backend *be, const bf_coo_arrays *A, workspace *w, int64_t *longest)
{
  bf_cuda           *cu     = bf_cuda_of(be);
  const cudaStream_t stream = cu->stream;
  const int64_t      nnz    = A->nnz;
  const unsigned     blocks = bf_cuda_blocks(nnz, THREADS);
  const auto         lengths =
      thrust::make_transform_iterator(thrust::make_counting_iterator((int64_t)0), row_length{w->ptr});
  number_entries<<<blocks, THREADS, 0, stream>>>(*A, w->number, cu->violation);
  BF_TRY(BF_CUDA_LAUNCHED(be));
  BF_TRY(BF_CUDA(cub::DeviceRadixSort::SortPairs(
      w->sort_temp, w->sort_bytes, reinterpret_cast<const unsigned *>(A->row), w->row,
      (const unsigned *)w->number, w->index, nnz, 0, bf_bits_of(A->nrows), stream)));
  find_rows<<<blocks, THREADS, 0, stream>>>(nnz, A->nrows, w->row, w->ptr);
  BF_TRY(BF_CUDA_LAUNCHED(be));
  BF_TRY(BF_CUDA(cub::DeviceReduce::Max(w->scan_temp, w->scan_temp_bytes, lengths, w->longest,
                                        (int64_t)A->nrows, stream)));
  cu->watch = true; /* the copy synchronises and reports violations */
  return be->ops.copy(be, longest, w->longest, sizeof *longest, BF_TO_HOST);
}

template <typename T>
static bf_err rows(bf_backend *be, const bf_coo_arrays *A, bf_csr_arrays *B, int *done)
{
  bf_cuda           *cu     = bf_cuda_of(be);
  const cudaStream_t stream = cu->stream;
  const T           *val    = static_cast<const T *>(A->val);
  workspace          w      = {};
  int64_t            longest;
  BF_TRY(make_workspace(be, A, sizeof(T), &w));
  BF_TRY(sort_rows(be, A, &w, &longest));
  if (longest > LONG) return BF_OK;
  const bool     use_short_rows = longest <= SHORT && bf_bits_of(A->ncols) <= SHORT_BITS;
  const unsigned blocks         = bf_cuda_blocks(A->nrows, WARPS);
  bf_int        *col            = reinterpret_cast<bf_int *>(w.row);
  T             *out            = static_cast<T *>(w.sort_temp);
  const row_args a              = {A->nrows, A->ncols, w.ptr, w.index, A->col, col, B->ptr, cu->violation};
  BF_TRY(BF_CUDA(cudaMemsetAsync(B->ptr + A->nrows, 0, sizeof *B->ptr, stream)));
  if (use_short_rows)
    short_rows<<<blocks, THREADS, 0, stream>>>(a, val, out);
  else
    long_rows<<<blocks, THREADS, 0, stream>>>(a, val, out);
  BF_TRY(BF_CUDA_LAUNCHED(be));
  BF_TRY(BF_CUDA(cub::DeviceScan::ExclusiveSum(w.scan_temp, w.scan_temp_bytes, B->ptr, B->ptr,
                                               (int64_t)A->nrows + 1, stream)));
  compact_rows<<<bf_cuda_blocks((int64_t)A->nrows * LANES, THREADS), THREADS, 0, stream>>>(
      A->nrows, w.ptr, col, out, B->ptr, B->col, static_cast<T *>(B->val));
  *done = 1;
  return BF_CUDA_LAUNCHED(be);
}

bf_err bf_cuda_rows_of_triplets(bf_backend *be, const bf_coo_arrays *A, bf_csr_arrays *B, int *done)
{
  *done = 0;
  if (A->nnz > UINT32_MAX || A->nnz / A->nrows > LONG) return BF_OK; /* numbers in 32 bits; short rows */
  BF_TRY(A->prec == BF_FP64 ? rows<double>(be, A, B, done) : rows<float>(be, A, B, done));
  return BF_OK;
}

} // namespace bf
