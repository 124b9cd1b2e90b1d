/* kernels/cuda/sparse/transpose_radix_sort.cu - transpose of any CSR matrix by expanding, sorting and
 * compressing
 *
 * Computes   T = A^T in three steps: (row, value) of every entry packed together, a stable radix sort of
 *            these by column, row pointers of T from the sorted columns.
 * Source     Jin (docs/references.md). The sort is cub::DeviceRadixSort on the ceil(log2 ncols) bits that
 *            columns need. The values are part of the sort: a gather at the end through a sorted
 *            permutation moves 1.6 to 2.6 times their bytes, because gathered values are loaded in 32-byte
 *            sectors.
 * Layout     transpose.h; workspace in the backend's scratch, 44 bytes per entry (fp64) or 32.
 * Cost       fp64: 20 + 32 per pass of 8 bits + 28 bytes per entry.
 * Launch     expansion: 2048 entries per block, their rows by marks at the starts of rows and a running
 *            maximum, in the same time for any row lengths.
 * Checked    tests/kernels/sparse/t317_transpose.c.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cuda/sparse/transpose.cuh"
#include <cub/device/device_radix_sort.cuh>
#include <cuda_pipeline.h>

namespace bf
{

enum { THREADS = BF_EXPAND_THREADS, DEPTH = BF_EXPAND_DEPTH, TILE = BF_EXPAND_TILE };
enum { BUCKET_THREADS = 384, BUCKET_DEPTH = 10, BUCKET = BUCKET_THREADS * BUCKET_DEPTH, BUCKET_BITS = 8 };

/* Payload of the sort: row and value in 32-bit words, so that 12 bytes need no padding to 16 */
template <typename T>
struct packed {
  unsigned word[1 + sizeof(T) / 4];
};

template <typename T>
static __global__ void __launch_bounds__(THREADS)
    pack(bf_int m, int64_t nnz, const int64_t *__restrict__ ptr, const T *__restrict__ val, unsigned *out)
{
  constexpr int       WORDS = sizeof(packed<T>) / 4;
  __shared__ bf_int   row[TILE];
  __shared__ unsigned words[TILE * WORDS];
  const int           tid = (int)threadIdx.x;
  const int64_t       p0 = (int64_t)blockIdx.x * TILE, p1 = p0 + TILE < nnz ? p0 + TILE : nnz;
  const int           count = (int)(p1 - p0);
  T                   v[DEPTH];
#pragma unroll
  for (int k = 0; k < DEPTH; k++) {
    const int q = k * THREADS + tid;
    if (q < count) v[k] = __ldcs(val + p0 + q);
  }
  bf_expand_rows(m, ptr, p0, p1, row);
#pragma unroll
  for (int k = 0; k < DEPTH; k++) {
    const int q = k * THREADS + tid;
    if (q >= count) continue;
    words[q * WORDS] = (unsigned)row[q];
    if constexpr (sizeof(T) == 8) {
      words[q * WORDS + 1] = (unsigned)__double2loint(v[k]);
      words[q * WORDS + 2] = (unsigned)__double2hiint(v[k]);
    } else
      words[q * WORDS + 1] = __float_as_uint(v[k]);
  }
  __syncthreads();
  for (int q = tid; q < count * WORDS; q += THREADS) out[p0 * WORDS + q] = words[q];
}

/* Entry p of the sorted ones is entry p of T. */
template <typename T>
static __global__ void __launch_bounds__(THREADS)
    unpack(bf_int n, int64_t nnz, const unsigned *__restrict__ key, const unsigned *__restrict__ in,
           int64_t *ptrT, bf_int *colT, T *valT, int *violation)
{
  constexpr int       WORDS = sizeof(packed<T>) / 4, DEEP = 4;
  __shared__ unsigned words[THREADS * DEEP * WORDS];
  const int           tid   = (int)threadIdx.x;
  const int64_t       p0    = (int64_t)blockIdx.x * THREADS * DEEP;
  const int           count = (int)(nnz - p0 < THREADS * DEEP ? nnz - p0 : THREADS * DEEP);
#pragma unroll
  for (int k = 0; k < DEEP * WORDS; k++) {
    const int q = k * THREADS + tid;
    if (q < count * WORDS) words[q] = __ldcs(in + p0 * WORDS + q);
  }
  __syncthreads();
#pragma unroll
  for (int k = 0; k < DEEP; k++) {
    const int     q      = k * THREADS + tid;
    const int64_t p      = p0 + q;
    bf_int        before = n, here = n;
    if (q < count) {
      const unsigned *w = words + q * WORDS;
      __stcs(colT + p, (bf_int)w[0]);
      if constexpr (sizeof(T) == 8)
        __stcs(valT + p, __hiloint2double((int)w[2], (int)w[1]));
      else
        __stcs(valT + p, __uint_as_float(w[1]));
      const unsigned j = key[p];
      if (j >= (unsigned)n) *violation = 1;
      here   = j < (unsigned)n ? (bf_int)j : n;
      before = p == 0 ? -1 : key[p - 1] < (unsigned)n ? (bf_int)key[p - 1] : n;
    }
    bf_fill_rows(ptrT, before, here, p);
    bf_fill_rows(ptrT, p == nnz - 1 ? here : n, n, nnz); /* rows after the last entry, and the end */
  }
}

/* start[b] = first sorted entry with column >= b << low; *most = the largest bucket's size. */
static __global__ void find_buckets(int64_t nnz, bf_int nbuckets, int low, const unsigned *__restrict__ key,
                                    int64_t *start, unsigned long long *most, int *violation)
{
  const int64_t b = (int64_t)blockIdx.x * THREADS + threadIdx.x;
  if (b > nbuckets) return;
  int64_t lo[2] = {0, 0};
  for (int side = 0; side < 2; side++)
    for (int64_t hi = nnz; lo[side] < hi;) {
      const int64_t mid = lo[side] + (hi - lo[side]) / 2;
      if ((int64_t)(key[mid] >> low) < b + side)
        lo[side] = mid + 1;
      else
        hi = mid;
    }
  start[b] = lo[0];
  if (b < nbuckets) atomicMax(most, (unsigned long long)(lo[1] - lo[0]));
  if (b == nbuckets && lo[0] != nnz) *violation = 1; /* a column outside the matrix */
}

/* Lanes that are on and have this lane's j < 2^low; 0.4 of 5.7 ms faster than __match_any_sync */
static __device__ __forceinline__ unsigned same_column(int low, bool on, unsigned j)
{
  unsigned same = __ballot_sync(~0u, on);
  if (!on) same = ~same;
  for (int b = 0; b < low; b++) {
    const unsigned set = __ballot_sync(~0u, j >> b & 1);
    same &= j >> b & 1 ? set : ~set;
  }
  return same;
}

/* Block b sorts the entries of bucket b, which are in the order of A, by column: counts them by column
 * while rows and values are copied to shared memory, and writes them in the resulting order. */
template <typename T>
static __global__ void __launch_bounds__(BUCKET_THREADS, 3)
    order_buckets(bf_int n, int low, const int64_t *__restrict__ start, const unsigned *__restrict__ key,
                  const unsigned *__restrict__ in, int64_t *ptrT, bf_int *colT, T *valT, int *violation)
{
  typedef cub::BlockScan<int, BUCKET_THREADS> Scan;
  constexpr int                               WORDS = sizeof(packed<T>) / 4, WARPS = BUCKET_THREADS / 32;
  __shared__ typename Scan::TempStorage       scan;
  __shared__ unsigned short                   count[WARPS][1 << BUCKET_BITS], order[BUCKET];
  extern __shared__ __align__(16) unsigned words[];
  const int     tid = (int)threadIdx.x, warp = tid / 32, lane = tid % 32, columns = 1 << low;
  const int64_t begin = start[blockIdx.x];
  const int     size  = (int)(start[blockIdx.x + 1] - begin);
  const bf_int  j0    = (bf_int)((int64_t)blockIdx.x << low);
  unsigned      place[BUCKET_DEPTH]; /* column << 16 | rank among the column's entries in the warp's part */
  in += begin * WORDS;
  for (int q = tid; q < size * WORDS; q += BUCKET_THREADS)
    __pipeline_memcpy_async(words + q, in + q, sizeof *words);
  __pipeline_commit();
  for (int k = tid; k < WARPS << BUCKET_BITS; k += BUCKET_THREADS) (&count[0][0])[k] = 0;
  key += begin;
#pragma unroll
  for (int k = 0; k < BUCKET_DEPTH; k++) {
    const int q = (warp * BUCKET_DEPTH + k) * 32 + lane;
    place[k]    = q < size ? __ldcs(key + q) : 0;
    if (place[k] >= (unsigned)n) *violation = 1;
  }
  __syncthreads();
#pragma unroll
  for (int k = 0; k < BUCKET_DEPTH; k++) {
    const bool     on   = (warp * BUCKET_DEPTH + k) * 32 + lane < size;
    const unsigned j    = place[k] & (unsigned)(columns - 1);
    const unsigned same = same_column(low, on, j), below = same & ((1u << lane) - 1);
    const unsigned old = count[warp][j];
    __syncwarp();
    if (on && below == 0) count[warp][j] = (unsigned short)(old + __popc(same));
    __syncwarp();
    place[k] = j << 16 | (old + __popc(below));
  }
  __syncthreads();
  int total = 0, first;
  if (tid < columns)
    for (int w = 0; w < WARPS; w++) {
      const int c   = count[w][tid];
      count[w][tid] = (unsigned short)total;
      total += c;
    }
  Scan(scan).ExclusiveSum(total, first);
  if (tid < columns) {
    for (int w = 0; w < WARPS; w++) count[w][tid] = (unsigned short)(count[w][tid] + first);
    if (j0 + tid <= n) ptrT[j0 + tid] = begin + first;
  }
  if ((int64_t)j0 + columns >= n && tid == 0) ptrT[n] = begin + size;
  __syncthreads();
#pragma unroll
  for (int k = 0; k < BUCKET_DEPTH; k++) {
    const int q = (warp * BUCKET_DEPTH + k) * 32 + lane;
    if (q < size) order[count[warp][place[k] >> 16] + (place[k] & 0xffff)] = (unsigned short)q;
  }
  __pipeline_wait_prior(0);
  __syncthreads();
  for (int q = tid; q < size; q += BUCKET_THREADS) {
    const unsigned *w = words + order[q] * WORDS;
    __stcs(colT + begin + q, (bf_int)w[0]);
    if constexpr (sizeof(T) == 8)
      __stcs(valT + begin + q, __hiloint2double((int)w[2], (int)w[1]));
    else
      __stcs(valT + begin + q, __uint_as_float(w[1]));
  }
}

template <typename T>
struct sorter { /* of one transpose */
  bf_backend          *be;
  const bf_csr_arrays *A;
  bf_csr_arrays       *Tr;
  unsigned            *key; /* [nnz], sorted */
  packed<T>           *from, *to;
  int64_t             *start; /* of buckets */
  void                *room;
  size_t               bytes;
};

/* Sorts by the columns' bits from `low` on. */
template <typename T>
static bf_err sort_from(const sorter<T> &s, int low)
{
  size_t             bytes  = s.bytes;
  const cudaStream_t stream = bf_cuda_of(s.be)->stream;
  return BF_CUDA(cub::DeviceRadixSort::SortPairs(s.room, bytes, reinterpret_cast<const unsigned *>(s.A->col),
                                                 s.key, (const packed<T> *)s.from, s.to, s.A->nnz, low,
                                                 bf_bits_of(s.A->ncols), stream));
}

/* By the upper bits, then by buckets of 2^low columns; *fits = 0 where a bucket is too large for a block. */
template <typename T>
static bf_err sort_in_buckets(const sorter<T> &s, int low, int *fits)
{
  bf_cuda           *cu       = bf_cuda_of(s.be);
  const bf_int       nbuckets = (bf_int)(((int64_t)s.A->ncols + (1 << low) - 1) >> low);
  const size_t       shared   = BUCKET * sizeof(packed<T>);
  const auto         kernel   = order_buckets<T>;
  unsigned long long most     = 0;
  void              *largest  = s.start + nbuckets + 1;
  BF_TRY(sort_from(s, low));
  BF_TRY(BF_CUDA(cudaMemsetAsync(largest, 0, sizeof most, cu->stream)));
  find_buckets<<<bf_cuda_blocks((int64_t)nbuckets + 1, THREADS), THREADS, 0, cu->stream>>>(
      s.A->nnz, nbuckets, low, s.key, s.start, static_cast<unsigned long long *>(largest), cu->violation);
  BF_TRY(BF_CUDA_LAUNCHED(s.be));
  BF_TRY(BF_CUDA(cudaMemcpyAsync(&most, largest, sizeof most, cudaMemcpyDeviceToHost, cu->stream)));
  BF_TRY(BF_CUDA(cudaStreamSynchronize(cu->stream)));
  *fits = most <= BUCKET;
  if (!*fits) return BF_OK;
  BF_TRY(BF_CUDA(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)shared)));
  kernel<<<(unsigned)nbuckets, BUCKET_THREADS, shared, cu->stream>>>(
      s.A->ncols, low, s.start, s.key, reinterpret_cast<const unsigned *>(s.to), s.Tr->ptr, s.Tr->col,
      static_cast<T *>(s.Tr->val), cu->violation);
  return BF_CUDA_LAUNCHED(s.be);
}

template <typename T>
static bf_err sort_all(const sorter<T> &s)
{
  bf_cuda *cu = bf_cuda_of(s.be);
  BF_TRY(sort_from(s, 0));
  unpack<<<bf_cuda_blocks(s.A->nnz, THREADS * 4), THREADS, 0, cu->stream>>>(
      s.A->ncols, s.A->nnz, s.key, reinterpret_cast<const unsigned *>(s.to), s.Tr->ptr, s.Tr->col,
      static_cast<T *>(s.Tr->val), cu->violation);
  return BF_CUDA_LAUNCHED(s.be);
}

/* Bits of the sort that buckets of at most 7/8 of a block's capacity on average replace; 0 if that saves
 * no pass */
static int bucket_bits(const bf_csr_arrays *A)
{
  const int bits = bf_bits_of(A->ncols);
  int       low  = 0;
  while (low < BUCKET_BITS && low < bits && (A->nnz / A->ncols + 1) << (low + 1) <= BUCKET * 7 / 8) low++;
  return (bits - low + 7) / 8 < (bits + 7) / 8 && low < bits ? low : 0;
}

template <typename T>
static bf_err sort(bf_backend *be, const bf_csr_arrays *A, bf_csr_arrays *Tr)
{
  typedef packed<T> P;
  bf_cuda          *cu   = bf_cuda_of(be);
  const int64_t     nnz  = A->nnz;
  const int         low  = bucket_bits(A);
  const size_t      keys = bf_aligned((size_t)nnz * 4), payload = bf_aligned((size_t)nnz * sizeof(P));
  const size_t      starts = bf_aligned((((size_t)A->ncols >> low) + 4) * 8);
  sorter<T>         s      = {be, A, Tr, NULL, NULL, NULL, NULL, NULL, 0};
  void             *scratch;
  int               fits = 0;
  BF_TRY(BF_CUDA(cub::DeviceRadixSort::SortPairs(NULL, s.bytes, (const unsigned *)NULL, (unsigned *)NULL,
                                                 (const P *)NULL, (P *)NULL, nnz, 0, bf_bits_of(A->ncols),
                                                 cu->stream)));
  BF_TRY(bf_cuda_scratch(be, keys + 2 * payload + starts + s.bytes, &scratch));
  char *at = static_cast<char *>(scratch);
  s.key    = reinterpret_cast<unsigned *>(at);
  s.from   = reinterpret_cast<P *>(at + keys);
  s.to     = reinterpret_cast<P *>(at + keys + payload);
  s.start  = reinterpret_cast<int64_t *>(at + keys + 2 * payload);
  s.room   = at + keys + 2 * payload + starts;
  pack<<<bf_cuda_blocks(nnz, TILE), THREADS, 0, cu->stream>>>(
      A->nrows, nnz, A->ptr, static_cast<const T *>(A->val), reinterpret_cast<unsigned *>(s.from));
  BF_TRY(BF_CUDA_LAUNCHED(be));
  cu->watch = true;
  if (low > 0) BF_TRY(sort_in_buckets(s, low, &fits));
  if (!fits) BF_TRY(sort_all(s));
  return BF_OK;
}

bf_err bf_cuda_transpose_sort(bf_backend *be, const bf_csr_arrays *A, bf_csr_arrays *T)
{
  BF_TRY(A->prec == BF_FP64 ? sort<double>(be, A, T) : sort<float>(be, A, T));
  return BF_OK;
}

} // namespace bf
