/* kernels/cuda/sparse/csr_spmv.cu - y = A x for CSR, through products in shared memory
 *
 * Computes   y(r) = sum_i val(i) x(col(i)), i = ptr(r) .. ptr(r+1)-1: lane l of a row's L lanes adds every
 *            L-th product, the lanes are added by a fixed tree.
 * Source     CSR-Stream, Greathouse and Daga, SC14: all nonzeros of several rows are read as one contiguous
 *            stream, their products stored in shared memory, then summed by row.
 * Layout     matrix/matrix.h; columns ascending, so adjacent threads read adjacent entries of x.
 * Cost       2 flops and 12 bytes (fp64) or 8 (fp32) per nonzero, 2 less with 16-bit columns, plus x, y,
 *            ptr: bf_csr_product_bytes. A tile of rows is in one block of 16-bit bases, so x is offset
 *            once.
 * Launch     128 threads on 128/L rows, whose nonzeros are one to two chunks; more nonzeros take more
 *            chunks, so any row lengths are valid and uniform ones are fast. 16 independent loads per
 *            thread are in flight. With dots as many blocks as are resident. H200, 2026-11-22, scattered
 *            points and 27-point 128^3: 256 threads, 8 loads, rows that fit in one chunk 60 and 218 us;
 *            here 55 and 188.
 * Checked    tests/kernels/sparse/t311_csr.c against the dense product, t315_products.c against long
 *            double.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cuda/device/launch_and_reduce.cuh"

namespace bf
{

enum { THREADS = 128, DEPTH = 16, CHUNK = THREADS * DEPTH, BLOCKS_PER_SM = 6 };

struct csr_args {
  int64_t        n;
  const int64_t *ptr;
  const void    *col; /* bf_int, or int16_t from the base of the rows' block */
  const double  *x, *w;
  double        *y, *dot, *partial;
  unsigned      *ticket;
};

/* A block owns every gridDim-th tile of THREADS / L rows, L neighbouring threads a row. */
template <typename T, typename C, int L>
static __global__ void __launch_bounds__(THREADS, BLOCKS_PER_SM)
    csr_spmv(csr_args g, const T *__restrict__ val)
{
  constexpr int     ROWS = THREADS / L;
  __shared__ double product[CHUNK];
  const int         t = (int)threadIdx.x, lane = t % L;
  double            sum[2] = {0.0, 0.0};
  for (int64_t r0 = (int64_t)blockIdx.x * ROWS; r0 < g.n; r0 += (int64_t)gridDim.x * ROWS) {
    const int64_t row = r0 + t / L, begin = g.ptr[r0], end = g.ptr[min(r0 + ROWS, g.n)];
    const int64_t p0 = row < g.n ? g.ptr[row] : end, p1 = row < g.n ? g.ptr[row + 1] : end;
    const double *x = g.x + bf_column_base<C>(r0);
    double        y = 0.0;
    for (int64_t base = begin; base < end; base += CHUNK) {
      const int left = (int)min(end - base, (int64_t)CHUNK);
      const T  *v    = val + base;
      const C  *c    = static_cast<const C *>(g.col) + base;
      C         column[DEPTH];
      T         value[DEPTH];
#pragma unroll
      for (int j = 0; j < DEPTH; j++) { /* past the end: copies of the last, never summed */
        const int i = min(t + j * THREADS, left - 1);
        column[j]   = __ldcs(c + i);
        value[j]    = __ldcs(v + i);
      }
#pragma unroll
      for (int j = 0; j < DEPTH; j++) product[t + j * THREADS] = (double)value[j] * __ldg(x + column[j]);
      __syncthreads();
      const int lo = (int)(max(p0, base) - base), hi = (int)(min(p1, base + CHUNK) - base);
      for (int i = lo + lane; i < hi; i += L) y += product[i];
      __syncthreads(); /* product may be overwritten */
    }
#pragma unroll
    for (int o = L / 2; o > 0; o >>= 1) y += __shfl_down_sync(~0u, y, o, L);
    if (row < g.n && lane == 0) {
      g.y[row] = y;
      if (g.w) sum[0] += g.w[row] * y;
      sum[1] += y * y;
    }
  }
  if (!g.w || !bf_grid_sum(sum, g.partial, g.ticket)) return;
  g.dot[0] = sum[0];
  g.dot[1] = sum[1];
}

template <typename T, typename C>
static void launch(int lanes, unsigned blocks, cudaStream_t stream, const csr_args &g, const void *val)
{
  static_assert((int)BF_CSR16_ROWS % (int)THREADS == 0, "a tile of rows has one base");
  const T *v = static_cast<const T *>(val);
  switch (lanes) {
  case 1: csr_spmv<T, C, 1><<<blocks, THREADS, 0, stream>>>(g, v); break;
  case 2: csr_spmv<T, C, 2><<<blocks, THREADS, 0, stream>>>(g, v); break;
  case 4: csr_spmv<T, C, 4><<<blocks, THREADS, 0, stream>>>(g, v); break;
  case 8: csr_spmv<T, C, 8><<<blocks, THREADS, 0, stream>>>(g, v); break;
  case 16: csr_spmv<T, C, 16><<<blocks, THREADS, 0, stream>>>(g, v); break;
  default: csr_spmv<T, C, 32><<<blocks, THREADS, 0, stream>>>(g, v); break;
  }
}

extern "C" bf_part_spmv bf_cuda_csr_spmv;
bf_err bf_cuda_csr_spmv(bf_backend *be, const bf_matrix *M, const double *x, double *y, const double *w,
                        double *dot)
{
  const bf_csr *A = M->csr;
  BF_CHECK(A, BF_E_ARG, "null argument");
  BF_CHECK(!w || dot, BF_E_ARG, "CSR product: w without dot");
  if (A->nrows == 0) return w ? be->ops.zero(be, dot, 2 * sizeof *dot) : BF_OK;
  int lanes = 1; /* the nonzeros of THREADS / lanes rows of mean length fit in two chunks */
  while (lanes < 32 && A->nnz * (THREADS / lanes) > (int64_t)A->nrows * 2 * CHUNK) lanes *= 2;
  const bf_cuda *cu     = bf_cuda_of(be);
  const unsigned most   = (unsigned)(BLOCKS_PER_SM * cu->sms);
  unsigned       blocks = bf_cuda_blocks(A->nrows, THREADS / lanes);
  csr_args       g      = {A->nrows, A->ptr, A->col, x, w, y, dot, NULL, cu->ticket};
  if (A->rel) g.col = A->rel;
  if (w) {
    if (blocks > most) blocks = most;
    BF_TRY(bf_cuda_partials(be, 2 * (int64_t)blocks, &g.partial));
  }
  if (A->prec == BF_FP64)
    (A->rel ? launch<double, int16_t> : launch<double, bf_int>)(lanes, blocks, cu->stream, g, A->val);
  else
    (A->rel ? launch<float, int16_t> : launch<float, bf_int>)(lanes, blocks, cu->stream, g, A->val);
  return BF_CUDA_LAUNCHED(be);
}

} // namespace bf
