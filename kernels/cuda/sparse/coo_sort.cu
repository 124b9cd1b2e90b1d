/* kernels/cuda/sparse/coo_sort.cu - COO sorted by row and column; COO to CSR in general
 *
 * Computes   coo_sort: B = A by the key row * 2^b + column, with as many bits as rows and columns need;
 *            coo_to_csr: the same sort, then entries with equal keys are added; if all rows are short,
 *            coo_to_csr_short_rows.cu instead. Duplicates are added in input order, in fp64, by one thread:
 *            the sort is stable.
 * Source     Jin, CUDA tutorial 7 (docs/references.md); the sort is cub::DeviceRadixSort.
 * Layout     transpose.h; workspace in the backend's scratch.
 * Cost       fp64 values: 28 bytes per entry for the keys, 32 per pass of 8 bits, 24 per entry and 12 per
 *            result for the sums.
 * Launch     256 threads, 4 entries each.
 * Checked    tests/kernels/sparse/t318_triplets.c.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cuda/sparse/transpose.cuh"
#include <cub/block/block_scan.cuh>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>

namespace bf
{

enum { THREADS = 256, DEPTH = 4, TILE = THREADS * DEPTH };

/* Entries outside the matrix get key 0 and set *violation. */
static __global__ void make_keys(bf_coo_arrays A, int bits, uint64_t *key, int *violation)
{
  const int64_t p = (int64_t)blockIdx.x * THREADS + threadIdx.x;
  if (p >= A.nnz) return;
  const bf_int i = A.row[p], j = A.col[p];
  const bool   inside = i >= 0 && i < A.nrows && j >= 0 && j < A.ncols;
  if (!inside) *violation = 1;
  key[p] = inside ? (uint64_t)i << bits | (uint64_t)j : 0;
}

static __global__ void split_keys(int64_t nnz, int bits, const uint64_t *__restrict__ key, bf_int *row,
                                  bf_int *col)
{
  const int64_t p = (int64_t)blockIdx.x * THREADS + threadIdx.x;
  if (p >= nnz) return;
  row[p] = (bf_int)(key[p] >> bits);
  col[p] = (bf_int)(key[p] & (((uint64_t)1 << bits) - 1));
}

/* key[nnz] and val[nnz], both in scratch: A sorted; `more` bytes of scratch after them */
template <typename T>
static bf_err sort_by_key(bf_backend *be, const bf_coo_arrays *A, int *violation, size_t more, uint64_t **key,
                          T **val, void **room)
{
  bf_cuda     *cu  = bf_cuda_of(be);
  const int    low = bf_bits_of(A->ncols), high = bf_bits_of(A->nrows);
  const size_t keys = bf_aligned((size_t)A->nnz * 8), values = bf_aligned((size_t)A->nnz * sizeof(T));
  const T     *from  = static_cast<const T *>(A->val);
  size_t       bytes = 0;
  void        *scratch;
  BF_TRY(BF_CUDA(cub::DeviceRadixSort::SortPairs(NULL, bytes, (const uint64_t *)NULL, (uint64_t *)NULL, from,
                                                 (T *)NULL, A->nnz, 0, low + high, cu->stream)));
  bytes = bf_aligned(bytes);
  BF_TRY(bf_cuda_scratch(be, 2 * keys + values + (bytes > more ? bytes : more), &scratch));
  uint64_t *raw = static_cast<uint64_t *>(scratch);
  *key          = reinterpret_cast<uint64_t *>(static_cast<char *>(scratch) + keys);
  *val          = reinterpret_cast<T *>(static_cast<char *>(scratch) + 2 * keys);
  *room         = static_cast<char *>(scratch) + 2 * keys + values;
  make_keys<<<bf_cuda_blocks(A->nnz, THREADS), THREADS, 0, cu->stream>>>(*A, low, raw, violation);
  BF_TRY(BF_CUDA_LAUNCHED(be));
  return BF_CUDA(cub::DeviceRadixSort::SortPairs(*room, bytes, (const uint64_t *)raw, *key, from, *val,
                                                 A->nnz, 0, low + high, cu->stream));
}

template <typename T>
static bf_err sort_coo(bf_backend *be, const bf_coo_arrays *A, bf_coo_arrays *B)
{
  bf_cuda  *cu = bf_cuda_of(be);
  uint64_t *key;
  T        *val;
  void     *room;
  cu->watch = true;
  BF_TRY(sort_by_key(be, A, cu->violation, 0, &key, &val, &room));
  split_keys<<<bf_cuda_blocks(A->nnz, THREADS), THREADS, 0, cu->stream>>>(A->nnz, bf_bits_of(A->ncols), key,
                                                                          B->row, B->col);
  BF_TRY(BF_CUDA_LAUNCHED(be));
  return be->ops.copy(be, B->val, val, (size_t)A->nnz * sizeof *val, BF_WITHIN);
}

BF_CUDA_DECLARE(convert.coo_sort, coo_sort);
bf_err bf_cuda_coo_sort(bf_backend *be, const bf_coo_arrays *A, bf_coo_arrays *B)
{
  BF_TRY(A->prec == BF_FP64 ? sort_coo<double>(be, A, B) : sort_coo<float>(be, A, B));
  return BF_OK;
}

/* first[j]: entry j of this thread is the first with its key; number of such entries before it, and in
 * the tile */
static __device__ __forceinline__ void find_places(int64_t nnz, const uint64_t *__restrict__ key, int64_t p0,
                                                   int (&first)[DEPTH], int (&before)[DEPTH], int &total)
{
  typedef cub::BlockScan<int, THREADS>  Scan;
  __shared__ typename Scan::TempStorage scan;
#pragma unroll
  for (int j = 0; j < DEPTH; j++) {
    const int64_t p = p0 + (int64_t)threadIdx.x * DEPTH + j;
    first[j]        = p < nnz && (p == 0 || key[p] != key[p - 1]);
  }
  Scan(scan).ExclusiveSum(first, before, total);
}

static __global__ void __launch_bounds__(THREADS)
    count_places(int64_t nnz, const uint64_t *__restrict__ key, int64_t *places)
{
  int first[DEPTH], before[DEPTH], total;
  find_places(nnz, key, (int64_t)blockIdx.x * TILE, first, before, total);
  if (threadIdx.x == 0) places[blockIdx.x] = total;
}

/* places[b] = number of different keys before tile b */
template <typename T>
static __global__ void __launch_bounds__(THREADS)
    add_up(int64_t nnz, bf_int nrows, int bits, const uint64_t *__restrict__ key, const T *__restrict__ val,
           const int64_t *__restrict__ places, int64_t *ptr, bf_int *col, T *out)
{
  int           first[DEPTH], before[DEPTH], total;
  const int64_t p0 = (int64_t)blockIdx.x * TILE, base = places[blockIdx.x];
  find_places(nnz, key, p0, first, before, total);
#pragma unroll
  for (int j = 0; j < DEPTH; j++) {
    const int64_t p = p0 + (int64_t)threadIdx.x * DEPTH + j, at = base + before[j];
    bf_int        above = nrows, here = nrows;
    if (first[j]) {
      const uint64_t k   = key[p];
      double         sum = (double)val[p];
      for (int64_t q = p + 1; q < nnz && key[q] == k; q++) sum += (double)val[q];
      col[at] = (bf_int)(k & (((uint64_t)1 << bits) - 1));
      out[at] = (T)sum;
      here    = (bf_int)(k >> bits);
      above   = p == 0 ? -1 : (bf_int)(key[p - 1] >> bits);
    }
    bf_fill_rows(ptr, above, here, at);
    const bool last = p == nnz - 1;
    bf_fill_rows(ptr, last ? (bf_int)(key[p] >> bits) : nrows, nrows, at + first[j]);
  }
}

template <typename T>
static bf_err by_place(bf_backend *be, const bf_coo_arrays *A, bf_csr_arrays *B)
{
  const cudaStream_t stream = bf_cuda_of(be)->stream;
  const int64_t      tiles  = bf_cuda_blocks(A->nnz, TILE);
  const size_t       table  = bf_aligned(((size_t)tiles + 1) * sizeof(int64_t));
  const int          bits   = bf_bits_of(A->ncols);
  size_t             bytes  = 0;
  uint64_t          *key;
  T                 *val;
  void              *room;
  BF_TRY(
      BF_CUDA(cub::DeviceScan::ExclusiveSum(NULL, bytes, (int64_t *)NULL, (int64_t *)NULL, tiles, stream)));
  BF_TRY(sort_by_key(be, A, bf_cuda_of(be)->violation, table + bytes, &key, &val, &room));
  int64_t *places = static_cast<int64_t *>(room);
  count_places<<<(unsigned)tiles, THREADS, 0, stream>>>(A->nnz, key, places);
  BF_TRY(BF_CUDA_LAUNCHED(be));
  BF_TRY(BF_CUDA(cub::DeviceScan::ExclusiveSum(static_cast<char *>(room) + table, bytes, places, places,
                                               tiles, stream)));
  add_up<<<(unsigned)tiles, THREADS, 0, stream>>>(A->nnz, A->nrows, bits, key, val, places, B->ptr, B->col,
                                                  static_cast<T *>(B->val));
  return BF_CUDA_LAUNCHED(be);
}

BF_CUDA_DECLARE(convert.coo_to_csr, coo_to_csr);
bf_err bf_cuda_coo_to_csr(bf_backend *be, const bf_coo_arrays *A, bf_csr_arrays *B)
{
  bf_cuda *cu = bf_cuda_of(be);
  int      done;
  BF_TRY(bf_cuda_rows_of_triplets(be, A, B, &done));
  if (!done) BF_TRY(A->prec == BF_FP64 ? by_place<double>(be, A, B) : by_place<float>(be, A, B));
  cu->watch = true; /* the copy below synchronises and reports violations */
  return be->ops.copy(be, &B->nnz, B->ptr + A->nrows, sizeof B->nnz, BF_TO_HOST);
}

} // namespace bf
