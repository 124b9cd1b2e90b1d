/* kernels/cuda/sparse/ell.cu - ELL: product, diagonal, constraints
 *
 * Computes   ell_spmv: y(r) = sum_k val(k, r) x(col(k, r)) over the stored entries, k ascending;
 *            ell_diagonal: d(r) = A(r, r); ell_constrain: A(r, c) = 0 for r != c where r or c is fixed.
 * Source     ELLPACK, column-major: adjacent threads read adjacent slots.
 * Layout     matrix/matrix.h. A column of -1 ends a row: its x is not read, so a NaN there has no effect on
 *            the row.
 * Cost       2 flops per entry; 12 bytes (fp64) or 8 (fp32) per slot, plus x and y: bf_ell_product_bytes.
 * Launch     256 threads, one row each, DEPTH slots in flight; with dots as many blocks as are resident.
 * Checked    tests/kernels/sparse/t315_products.c against long double.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cuda/device/launch_and_reduce.cuh"

namespace bf
{

enum { THREADS = 256, DEPTH = 4, BLOCKS_PER_SM = 8 };

struct ell_args {
  int64_t       n, ld, slots; /* slots = width * ld */
  const bf_int *col;
  const double *x, *w;
  double       *y, *dot, *partial;
  unsigned     *ticket;
};

template <typename T>
static __global__ void __launch_bounds__(THREADS, BLOCKS_PER_SM)
    ell_spmv(ell_args g, const T *__restrict__ val)
{
  double        sum[2] = {0.0, 0.0};
  const int64_t step   = (int64_t)gridDim.x * THREADS;
  for (int64_t r = (int64_t)blockIdx.x * THREADS + threadIdx.x; r < g.n; r += step) {
    double  y = 0.0;
    int64_t p = r;
    for (; p + (DEPTH - 1) * g.ld < g.slots; p += DEPTH * g.ld) {
      bf_int c[DEPTH];
      T      v[DEPTH];
#pragma unroll
      for (int j = 0; j < DEPTH; j++) {
        c[j] = __ldcs(g.col + p + j * g.ld);
        v[j] = __ldcs(val + p + j * g.ld);
      }
#pragma unroll
      for (int j = 0; j < DEPTH; j++)
        if (c[j] >= 0) y += (double)v[j] * __ldg(g.x + c[j]);
    }
    for (; p < g.slots; p += g.ld) {
      const bf_int c = g.col[p];
      if (c >= 0) y += (double)val[p] * __ldg(g.x + c);
    }
    g.y[r] = y;
    if (g.w) sum[0] += g.w[r] * y;
    sum[1] += y * y;
  }
  if (!g.w || !bf_grid_sum(sum, g.partial, g.ticket)) return;
  g.dot[0] = sum[0];
  g.dot[1] = sum[1];
}

/* Thread r owns row r. */
template <typename T>
static __global__ void diagonal(int64_t n, int64_t ld, int64_t slots, const bf_int *__restrict__ col,
                                const T *__restrict__ val, double *d)
{
  const int64_t r = (int64_t)blockIdx.x * THREADS + threadIdx.x;
  if (r >= n) return;
  double found = 0.0;
  for (int64_t p = r; p < slots && col[p] >= 0 && col[p] <= r; p += ld)
    if (col[p] == r) found = (double)val[p];
  d[r] = found;
}

template <typename T>
static __global__ void constrain(int64_t n, int64_t ld, int64_t slots, const bf_int *__restrict__ col,
                                 const uint8_t *__restrict__ fixed, T *val)
{
  const int64_t r = (int64_t)blockIdx.x * THREADS + threadIdx.x;
  if (r >= n) return;
  const bool row_fixed = fixed[r] != 0;
  for (int64_t p = r; p < slots; p += ld) {
    const bf_int c = col[p];
    if (c < 0) return;
    if (c != r && (row_fixed || fixed[c])) val[p] = (T)0;
  }
}

extern "C" bf_part_spmv bf_cuda_ell_spmv;
bf_err bf_cuda_ell_spmv(bf_backend *be, const bf_matrix *M, const double *x, double *y, const double *w,
                        double *dot)
{
  const bf_ell *A = M->ell;
  BF_CHECK(A && (!w || dot), BF_E_ARG, "null argument");
  const bf_cuda *cu     = bf_cuda_of(be);
  const unsigned most   = (unsigned)(BLOCKS_PER_SM * cu->sms);
  unsigned       blocks = bf_cuda_blocks(A->nrows, THREADS);
  ell_args       g      = {A->nrows, A->ld, A->width * A->ld, A->col, x, w, y, dot, NULL, cu->ticket};
  if (w) {
    if (blocks > most) blocks = most;
    BF_TRY(bf_cuda_partials(be, 2 * (int64_t)blocks, &g.partial));
  }
  bf_cuda_with_values(A->val, A->prec, [&](auto *v) { ell_spmv<<<blocks, THREADS, 0, cu->stream>>>(g, v); });
  return BF_CUDA_LAUNCHED(be);
}

extern "C" bf_part_diagonal bf_cuda_ell_diagonal;
bf_err                      bf_cuda_ell_diagonal(bf_backend *be, const bf_matrix *M, double *d)
{
  const bf_ell      *A      = M->ell;
  const cudaStream_t stream = bf_cuda_of(be)->stream;
  const unsigned     blocks = bf_cuda_blocks(A->nrows, THREADS);
  const int64_t      slots  = A->width * A->ld;
  bf_cuda_with_values(A->val, A->prec, [&](auto *v) {
    diagonal<<<blocks, THREADS, 0, stream>>>(A->nrows, A->ld, slots, A->col, v, d);
  });
  return BF_CUDA_LAUNCHED(be);
}

extern "C" bf_part_constrain bf_cuda_ell_constrain;
bf_err                       bf_cuda_ell_constrain(bf_backend *be, bf_matrix *M, const uint8_t *fixed)
{
  bf_ell            *A      = M->ell;
  const cudaStream_t stream = bf_cuda_of(be)->stream;
  const unsigned     blocks = bf_cuda_blocks(A->nrows, THREADS);
  const int64_t      slots  = A->width * A->ld;
  bf_cuda_with_values(A->val, A->prec, [&](auto *v) {
    constrain<<<blocks, THREADS, 0, stream>>>(A->nrows, A->ld, slots, A->col, fixed, v);
  });
  return BF_CUDA_LAUNCHED(be);
}

} // namespace bf
