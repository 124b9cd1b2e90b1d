/* kernels/cuda/sparse/coo.cu - COO: product by a segmented sum without atomics, diagonal, constraints
 *
 * Computes   coo_spmv: y(r) (+)= sum of val(i) x(col(i)) over the entries of row r; coo_diagonal: d(r) =
 *            A(r, r) if it is stored; coo_constrain: A(r, c) = 0 for r != c where r or c is fixed.
 * Source     segmented reduction of sorted keys: a thread adds the runs of its PER_THREAD entries; runs that
 *            cross threads are added by a segmented scan, those that cross tiles by a second kernel. The
 *            tree depends on the positions of the entries only, so a product gives the same bits every
 *            time.
 * Layout     matrix/matrix.h: sorted by row.
 * Cost       2 flops and 16 bytes (fp64) or 12 (fp32) per entry, plus x and y: bf_coo_product_bytes; 16
 *            bytes per tile of TILE entries for runs that cross tiles.
 * Launch     256 threads and TILE entries per block; one thread per tile for runs that cross tiles; with
 *            dots w and y are read once more.
 * Checked    tests/kernels/sparse/t315_products.c against long double, including rows longer than tiles.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cuda/device/launch_and_reduce.cuh"

namespace bf
{

enum { THREADS = 256, PER_THREAD = 4, TILE = THREADS * PER_THREAD, WARPS = THREADS / 32 };

struct coo_args {
  int64_t       nnz, ntiles;
  const bf_int *row, *col;
  const double *x;
  double *y, *continued, *unfinished; /* per tile: sum of the run that started before it, sum of the run that
                                         continues after it */
  int add;
};

/* Sum of a thread and whether a row starts in it; later sums count from the last start. */
struct run_sum {
  double sum;
  int    starts;
};

static __device__ __forceinline__ run_sum combine(run_sum a, run_sum b)
{
  return {b.starts ? b.sum : a.sum + b.sum, a.starts | b.starts};
}

/* Sum of the current run before thread t: the exclusive segmented scan of all threads */
static __device__ __forceinline__ double exclusive_run_scan(run_sum mine, run_sum *warp_end)
{
  const int t = (int)threadIdx.x, lane = t & 31, warp = t >> 5;
#pragma unroll
  for (int o = 1; o < 32; o *= 2) {
    const run_sum previous = {__shfl_up_sync(~0u, mine.sum, o), __shfl_up_sync(~0u, mine.starts, o)};
    if (lane >= o) mine = combine(previous, mine);
  }
  if (lane == 31) warp_end[warp] = mine;
  run_sum before = {__shfl_up_sync(~0u, mine.sum, 1), __shfl_up_sync(~0u, mine.starts, 1)};
  if (lane == 0) before = {0.0, 0};
  __syncthreads();
  run_sum warps = {0.0, 0};
  for (int k = 0; k < warp; k++) warps = combine(warps, warp_end[k]);
  return combine(warps, before).sum;
}

static __device__ __forceinline__ void store_row(const coo_args &g, bf_int row, double sum)
{
  g.y[row] = g.add ? g.y[row] + sum : sum;
}

/* A block owns a tile of entries, thread t its entries PER_THREAD t ... */
template <typename T>
static __global__ void __launch_bounds__(THREADS) sum_tiles(coo_args g, const T *__restrict__ val)
{
  __shared__ double  product[TILE];
  __shared__ bf_int  row[TILE + 1]; /* row[0]: of the entry before the tile */
  __shared__ run_sum warp_end[WARPS];
  const int          t     = (int)threadIdx.x;
  const int64_t      base  = (int64_t)blockIdx.x * TILE;
  const int          count = (int)min(g.nnz - base, (int64_t)TILE);
  for (int i = t; i < count; i += THREADS) {
    row[i + 1] = __ldcs(g.row + base + i);
    product[i] = (double)__ldcs(val + base + i) * __ldg(g.x + __ldcs(g.col + base + i));
  }
  if (t == 0) row[0] = base > 0 ? g.row[base - 1] : -1;
  __syncthreads();
  const int i0 = t * PER_THREAD, i1 = min(i0 + PER_THREAD, count);
  run_sum   mine = {0.0, 0};
  for (int i = i0; i < i1; i++) {
    const int starts = row[i + 1] != row[i];
    mine             = {starts ? product[i] : mine.sum + product[i], mine.starts | starts};
  }
  double    sum    = exclusive_run_scan(mine, warp_end);
  const int before = base > 0 && row[1] == row[0]; /* the first run started in an earlier tile */
  for (int i = i0; i < i1; i++) {
    if (row[i + 1] != row[i]) sum = 0.0;
    sum += product[i];
    const bool last = i == count - 1;
    if (!last && row[i + 2] == row[i + 1]) continue; /* the run continues in the tile */
    const bool continues = last && base + count < g.nnz && g.row[base + count] == row[i + 1];
    if (before && row[i + 1] == row[0])
      g.continued[blockIdx.x] = sum;
    else if (continues)
      g.unfinished[blockIdx.x] = sum;
    else
      store_row(g, row[i + 1], sum);
  }
}

/* Thread t owns the run that starts in tile t and continues after it, if there is one. */
static __global__ void add_tile_runs(coo_args g)
{
  const int64_t t = (int64_t)blockIdx.x * THREADS + threadIdx.x;
  if (t + 1 >= g.ntiles) return;
  const int64_t first = t * TILE, next = first + TILE;
  const bf_int  row = g.row[next - 1];
  if (g.row[next] != row || (first > 0 && g.row[first - 1] == row))
    return; /* ends here, or started earlier */
  double sum = g.unfinished[t];
  for (int64_t k = t + 1; k < g.ntiles && g.row[k * TILE] == row; k++) sum += g.continued[k];
  store_row(g, row, sum);
}

/* Thread i owns entry i. */
template <typename T>
static __global__ void diagonal(int64_t nnz, const bf_int *row, const bf_int *col, const T *val, double *d)
{
  const int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x;
  if (i < nnz && row[i] == col[i]) d[row[i]] = (double)val[i];
}

template <typename T>
static __global__ void constrain(int64_t nnz, const bf_int *row, const bf_int *col, const uint8_t *fixed,
                                 T *val)
{
  const int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x;
  if (i < nnz && row[i] != col[i] && (fixed[row[i]] || fixed[col[i]])) val[i] = (T)0;
}

static bf_err product(bf_backend *be, const bf_coo *A, int add, const double *x, double *y, const double *w,
                      double *dot)
{
  BF_CHECK(A && (!w || dot), BF_E_ARG, "null argument");
  const cudaStream_t stream = bf_cuda_of(be)->stream;
  coo_args           g      = {A->nnz, (A->nnz + TILE - 1) / TILE, A->row, A->col, x, y, NULL, NULL, add};
  if (!add) BF_TRY(be->ops.zero(be, y, (size_t)A->nrows * sizeof *y));
  if (A->nnz > 0) {
    BF_TRY(bf_cuda_partials(be, 2 * g.ntiles, &g.continued));
    g.unfinished = g.continued + g.ntiles;
    bf_cuda_with_values(A->val, A->prec,
                        [&](auto *v) { sum_tiles<<<(unsigned)g.ntiles, THREADS, 0, stream>>>(g, v); });
    BF_TRY(BF_CUDA_LAUNCHED(be));
    if (g.ntiles > 1) {
      add_tile_runs<<<bf_cuda_blocks(g.ntiles, THREADS), THREADS, 0, stream>>>(g);
      BF_TRY(BF_CUDA_LAUNCHED(be));
    }
  }
  return w ? bf_cuda_dots(be, A->nrows, w, y, dot) : BF_OK;
}

extern "C" bf_part_spmv bf_cuda_coo_spmv;
bf_err bf_cuda_coo_spmv(bf_backend *be, const bf_matrix *M, const double *x, double *y, const double *w,
                        double *dot)
{
  return product(be, M->coo, 0, x, y, w, dot);
}

extern "C" bf_part_spmv bf_cuda_coo_spmv_add;
bf_err bf_cuda_coo_spmv_add(bf_backend *be, const bf_matrix *M, const double *x, double *y, const double *w,
                            double *dot)
{
  return product(be, M->coo, 1, x, y, w, dot);
}

extern "C" bf_part_diagonal bf_cuda_coo_diagonal;
bf_err                      bf_cuda_coo_diagonal(bf_backend *be, const bf_matrix *M, double *d)
{
  const bf_coo *A = M->coo;
  if (A->nnz == 0) return BF_OK;
  const cudaStream_t stream = bf_cuda_of(be)->stream;
  const unsigned     blocks = bf_cuda_blocks(A->nnz, THREADS);
  bf_cuda_with_values(A->val, A->prec, [&](auto *v) {
    diagonal<<<blocks, THREADS, 0, stream>>>(A->nnz, A->row, A->col, v, d);
  });
  return BF_CUDA_LAUNCHED(be);
}

extern "C" bf_part_constrain bf_cuda_coo_constrain;
bf_err                       bf_cuda_coo_constrain(bf_backend *be, bf_matrix *M, const uint8_t *fixed)
{
  bf_coo *A = M->coo;
  if (A->nnz == 0) return BF_OK;
  const cudaStream_t stream = bf_cuda_of(be)->stream;
  const unsigned     blocks = bf_cuda_blocks(A->nnz, THREADS);
  bf_cuda_with_values(A->val, A->prec, [&](auto *v) {
    constrain<<<blocks, THREADS, 0, stream>>>(A->nnz, A->row, A->col, fixed, v);
  });
  return BF_CUDA_LAUNCHED(be);
}

} // namespace bf
