/* kernels/cuda/multigrid/block_product.cu - block rows: C = A B by rows
 *
 * Computes   C_i = sum_k A_ik B_k, k ascending.  Columns of a row of C are gathered in a hash table
 *            in shared memory, or, where they are many, in a bitmap of all columns; then the blocks
 *            are added up.
 * Source     Gustavson, ACM Trans. Math. Softw. 4 (1978) 250, doi 10.1145/355791.355796; Nagasaka,
 *            Matsuoka, Azad, Buluc, Parallel Computing 90 (2019) 102545, doi
 *            10.1016/j.parco.2019.102545 (hash tables).
 * Layout     block_rows.h
 * Cost       columns of the named rows of B twice, values of A and B once from memory or cache; C is
 *            read and written once for every product of two blocks, mostly in the first cache.
 * Launch     columns: a warp a row, every lane walks the rows of B that belong to its entries of A;
 *            long rows: a block of threads a row. Values: 32 or 8 lanes a row, one entry of A after
 *            the other.
 * Checked    tests/kernels/multigrid/t385_block_rows.c
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cuda/multigrid/multigrid.cuh"
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>

namespace bf
{

enum {
  THREADS = BF_MG_THREADS,
  WARPS   = THREADS / 32,
  BITS    = 9,
  TABLE   = 1 << BITS,    /* places of a hash table */
  FIT     = TABLE * 3 / 4 /* columns that it takes to be sorted */
};
static const size_t BITMAPS = (size_t)64 << 20; /* bytes of all bitmaps of long rows */

struct product_args {
  bf_int         n, ncols; /* rows of A, columns of B */
  int            br, m, bc;
  const int64_t *aptr, *bptr, *cptr;
  const bf_int  *acol, *bcol;
  bf_int        *ccol;
  const double  *aval, *bval;
  double        *cval;
};

/* What is left to the kernels of long rows. */
struct long_rows {
  unsigned *count;  /* of `row` */
  bf_int   *row;    /* [n], in any order */
  unsigned *bitmap; /* [blocks][words] */
  int64_t   words;
};

/* 1: j is new, 0: it is there, -1: the table is full. */
static __device__ __forceinline__ int insert(bf_int *table, bf_int j)
{
  unsigned at = (unsigned)j * 0x9E3779B1u >> (32 - BITS);
  for (int probe = 0; probe < TABLE; probe++) {
    const bf_int there = atomicCAS(table + at, -1, j);
    if (there == -1) return 1;
    if (there == j) return 0;
    at = (at + 1) & (TABLE - 1);
  }
  return -1;
}

/* All columns of row i of C into the table of the warp; their number, or -1 where they do not fit. */
static __device__ __forceinline__ int gather(const product_args &g, bf_int i, bf_int *table)
{
  const int lane  = (int)threadIdx.x % 32;
  int       found = 0;
  bool      full  = false;
  for (int t = lane; t < TABLE; t += 32) table[t] = -1;
  __syncwarp();
  for (int64_t k = g.aptr[i] + lane; k < g.aptr[i + 1] && !full; k += 32) {
    const bf_int  j   = g.acol[k];
    const int64_t end = g.bptr[j + 1];
    for (int64_t q = g.bptr[j]; q < end && !full; q++) {
      const int fresh = insert(table, g.bcol[q]);
      full            = fresh < 0;
      found += fresh > 0;
    }
  }
  __syncwarp();
  if (__any_sync(~0u, full)) return -1;
  for (int o = 16; o > 0; o /= 2) found += __shfl_xor_sync(~0u, found, o);
  return found;
}

/* A warp owns a row. */
static __global__ void __launch_bounds__(THREADS) count_short(product_args g, int64_t *ptr, long_rows L)
{
  __shared__ bf_int tables[WARPS][TABLE];
  const int64_t     i = bf_mg_item(32);
  if (i >= g.n) return;
  const int found = gather(g, (bf_int)i, tables[threadIdx.x / 32]);
  if (threadIdx.x % 32 != 0) return;
  ptr[i + 1] = found;
  if (found < 0) L.row[atomicAdd(L.count, 1u)] = (bf_int)i;
}

/* A warp owns a row: its columns, ascending. */
static __global__ void __launch_bounds__(THREADS) fill_short(product_args g, long_rows L)
{
  __shared__ bf_int tables[WARPS][TABLE], lists[WARPS][FIT];
  const int64_t     i = bf_mg_item(32);
  if (i >= g.n) return;
  const int     lane  = (int)threadIdx.x % 32;
  bf_int       *table = tables[threadIdx.x / 32], *list = lists[threadIdx.x / 32];
  const int64_t p0 = g.cptr[i], size = g.cptr[i + 1] - p0;
  if (size > FIT) {
    if (lane == 0) L.row[atomicAdd(L.count, 1u)] = (bf_int)i;
    return;
  }
  gather(g, (bf_int)i, table);
  int before = 0;
  for (int t = lane; t < TABLE; t += 32) {
    const unsigned on = __ballot_sync(~0u, table[t] >= 0);
    if (table[t] >= 0) list[before + __popc(on & ((1u << lane) - 1))] = table[t];
    before += __popc(on);
  }
  __syncwarp();
  for (int e = lane; e < before; e += 32) {
    const bf_int j    = list[e];
    int          rank = 0;
    for (int o = 0; o < before; o++) rank += list[o] < j;
    g.ccol[p0 + rank] = j;
  }
}

/* Bits of all columns of row i; the whole block of threads. */
static __device__ __forceinline__ void mark(const product_args &g, bf_int i, unsigned *map, int64_t words)
{
  const int lane = (int)threadIdx.x % 32, warp = (int)threadIdx.x / 32;
  for (int64_t w = threadIdx.x; w < words; w += THREADS) map[w] = 0;
  __syncthreads();
  for (int64_t k = g.aptr[i] + warp; k < g.aptr[i + 1]; k += WARPS) {
    const bf_int j = g.acol[k];
    for (int64_t q = g.bptr[j] + lane; q < g.bptr[j + 1]; q += 32) {
      const unsigned column = (unsigned)g.bcol[q];
      atomicOr(map + column / 32, 1u << column % 32);
    }
  }
  __syncthreads();
}

/* A block of threads owns every gridDim-th long row. */
static __global__ void __launch_bounds__(THREADS) count_long(product_args g, int64_t *ptr, long_rows L)
{
  typedef cub::BlockReduce<int, THREADS> Sum;
  __shared__ typename Sum::TempStorage   room;
  unsigned                              *map = L.bitmap + (int64_t)blockIdx.x * L.words;
  for (unsigned r = blockIdx.x; r < *L.count; r += gridDim.x) {
    mark(g, L.row[r], map, L.words);
    int bits = 0;
    for (int64_t w = threadIdx.x; w < L.words; w += THREADS) bits += __popc(__ldcg(map + w));
    const int all = Sum(room).Sum(bits);
    if (threadIdx.x == 0) ptr[L.row[r] + 1] = all;
    __syncthreads();
  }
}

static __global__ void __launch_bounds__(THREADS) fill_long(product_args g, long_rows L)
{
  typedef cub::BlockScan<int, THREADS>  Scan;
  __shared__ typename Scan::TempStorage room;
  unsigned                             *map   = L.bitmap + (int64_t)blockIdx.x * L.words;
  const int64_t                         piece = (L.words + THREADS - 1) / THREADS;
  for (unsigned r = blockIdx.x; r < *L.count; r += gridDim.x) {
    const bf_int i = L.row[r];
    mark(g, i, map, L.words);
    const int64_t w0 = threadIdx.x * piece, w1 = w0 + piece < L.words ? w0 + piece : L.words;
    int           bits = 0, before;
    for (int64_t w = w0; w < w1; w++) bits += __popc(__ldcg(map + w));
    Scan(room).ExclusiveSum(bits, before);
    bf_int *col = g.ccol + g.cptr[i] + before;
    for (int64_t w = w0; w < w1; w++)
      for (unsigned on = __ldcg(map + w); on != 0; on &= on - 1)
        *col++ = (bf_int)(w * 32 + __ffs((int)on) - 1);
    __syncthreads();
  }
}

/* G lanes own a row.  Orders 0: those of g. */
template <int BR, int M, int BC, int G>
static __global__ void __launch_bounds__(THREADS) fill_values(product_args g)
{
  const int      br = BR ? BR : g.br, m = M ? M : g.m, bc = BC ? BC : g.bc, one = br * bc;
  const int      lane  = (int)threadIdx.x % G;
  const unsigned group = bf_mg_group<G>();
  const int64_t  i     = bf_mg_item(G);
  if (i >= g.n) return;
  const int64_t p0   = g.cptr[i];
  const int     size = (int)(g.cptr[i + 1] - p0);
  const bf_int *col  = g.ccol + p0;
  double       *c    = g.cval + p0 * one;
  for (int64_t e = lane; e < (int64_t)size * one; e += G) c[e] = 0.0;
  __syncwarp(group);
  const int64_t k1 = g.aptr[i + 1];
  for (int64_t k = g.aptr[i]; k < k1; k++) {
    const bf_int  j  = g.acol[k];
    const double *a  = g.aval + k * br * m;
    const int64_t q1 = g.bptr[j + 1];
    for (int64_t q0 = g.bptr[j]; q0 < q1; q0 += G) {
      const int count = (int)(q1 - q0 < G ? q1 - q0 : G);
      int       lo = 0, hi = size - 1; /* the place of this lane's column */
      if (lane < count) {
        const bf_int want = g.bcol[q0 + lane];
        while (lo < hi) {
          const int mid = (lo + hi) / 2;
          if (col[mid] < want)
            lo = mid + 1;
          else
            hi = mid;
        }
      }
      for (int e0 = 0; e0 < count * one; e0 += G) {
        const int  e  = e0 + lane;
        const bool on = e < count * one;
        const int  b = on ? e / one : 0, at = __shfl_sync(group, lo, b, G);
        if (!on) continue;
        const int     x = e % one % br, y = e % one / br;
        const double *v   = g.bval + (q0 + b) * m * bc + y * m;
        double        sum = c[(int64_t)at * one + e % one];
#pragma unroll
        for (int l = 0; l < m; l++) sum += a[l * br + x] * v[l];
        c[(int64_t)at * one + e % one] = sum;
      }
    }
    __syncwarp(group); /* the next entry of A may add to the same blocks with other lanes */
  }
}

static product_args args_of(const bf_block_rows *A, const bf_block_rows *B)
{
  product_args g = {};
  g.n            = A->form.nrows;
  g.ncols        = B->form.ncols;
  g.br           = A->form.br;
  g.m            = A->form.bc;
  g.bc           = B->form.bc;
  g.aptr         = A->ptr;
  g.bptr         = B->ptr;
  g.acol         = A->col;
  g.bcol         = B->col;
  g.aval         = static_cast<const double *>(A->val);
  g.bval         = static_cast<const double *>(B->val);
  return g;
}

/* Room for the list and as many bitmaps as `blocks`. */
static bf_err long_room(bf_backend *be, const product_args &g, long_rows *L, unsigned *blocks)
{
  const bf_cuda *cu    = bf_cuda_of(be);
  const int64_t  words = ((int64_t)g.ncols + 31) / 32;
  const size_t   each = (size_t)words * sizeof(unsigned), most = each > 0 ? BITMAPS / each : 1,
               list = ((size_t)g.n * sizeof(bf_int) + 511) / 256 * 256;
  void *p;
  *blocks = (unsigned)(most < 1 ? 1 : most < (size_t)cu->sms ? most : (size_t)cu->sms);
  BF_TRY(bf_cuda_scratch(be, 256 + list + *blocks * each, &p));
  char *at  = static_cast<char *>(p);
  L->count  = reinterpret_cast<unsigned *>(at);
  L->row    = reinterpret_cast<bf_int *>(at + 256);
  L->bitmap = reinterpret_cast<unsigned *>(at + 256 + list);
  L->words  = words;
  return BF_CUDA(cudaMemsetAsync(L->count, 0, sizeof *L->count, cu->stream));
}

bf_err bf_cuda_block_product_count(bf_backend *be, const bf_block_rows *A, const bf_block_rows *B,
                                   int64_t *ptr, int64_t *nnz)
{
  const cudaStream_t stream = bf_cuda_of(be)->stream;
  const product_args g      = args_of(A, B);
  long_rows          L;
  unsigned           blocks;
  if (g.n > 0) {
    BF_TRY(long_room(be, g, &L, &blocks));
    count_short<<<bf_mg_grid(g.n, 32), THREADS, 0, stream>>>(g, ptr, L);
    BF_TRY(BF_CUDA_LAUNCHED(be));
    count_long<<<blocks, THREADS, 0, stream>>>(g, ptr, L);
    BF_TRY(BF_CUDA_LAUNCHED(be));
  }
  return bf_cuda_row_sums(be, g.n, ptr, nnz);
}

template <int G>
static void launch_values(const product_args &g, cudaStream_t stream)
{
  const unsigned blocks = bf_mg_grid(g.n, G);
  switch (g.br * 64 + g.m * 8 + g.bc) {
  case 1 * 64 + 1 * 8 + 1: fill_values<1, 1, 1, G><<<blocks, THREADS, 0, stream>>>(g); break;
  case 1 * 64 + 3 * 8 + 1: fill_values<1, 3, 1, G><<<blocks, THREADS, 0, stream>>>(g); break;
  case 3 * 64 + 3 * 8 + 1: fill_values<3, 3, 1, G><<<blocks, THREADS, 0, stream>>>(g); break;
  case 2 * 64 + 2 * 8 + 3: fill_values<2, 2, 3, G><<<blocks, THREADS, 0, stream>>>(g); break;
  case 3 * 64 + 2 * 8 + 3: fill_values<3, 2, 3, G><<<blocks, THREADS, 0, stream>>>(g); break;
  case 3 * 64 + 3 * 8 + 3: fill_values<3, 3, 3, G><<<blocks, THREADS, 0, stream>>>(g); break;
  case 3 * 64 + 3 * 8 + 6: fill_values<3, 3, 6, G><<<blocks, THREADS, 0, stream>>>(g); break;
  case 6 * 64 + 3 * 8 + 6: fill_values<6, 3, 6, G><<<blocks, THREADS, 0, stream>>>(g); break;
  case 6 * 64 + 6 * 8 + 6: fill_values<6, 6, 6, G><<<blocks, THREADS, 0, stream>>>(g); break;
  default: fill_values<0, 0, 0, G><<<blocks, THREADS, 0, stream>>>(g); break;
  }
}

bf_err bf_cuda_block_product_fill(bf_backend *be, const bf_block_rows *A, const bf_block_rows *B,
                                  bf_block_rows *C)
{
  const cudaStream_t stream = bf_cuda_of(be)->stream;
  product_args       g      = args_of(A, B);
  long_rows          L;
  unsigned           blocks;
  if (g.n == 0 || C->nnz == 0) return BF_OK;
  g.cptr = C->ptr;
  g.ccol = C->col;
  g.cval = static_cast<double *>(C->val);
  BF_TRY(long_room(be, g, &L, &blocks));
  fill_short<<<bf_mg_grid(g.n, 32), THREADS, 0, stream>>>(g, L);
  BF_TRY(BF_CUDA_LAUNCHED(be));
  fill_long<<<blocks, THREADS, 0, stream>>>(g, L);
  BF_TRY(BF_CUDA_LAUNCHED(be));
  (g.br * g.bc < 4 ? launch_values<8> : launch_values<32>)(g, stream);
  return BF_CUDA_LAUNCHED(be);
}

} /* namespace bf */
