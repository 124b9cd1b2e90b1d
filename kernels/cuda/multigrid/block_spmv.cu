/* kernels/cuda/multigrid/block_spmv.cu - block rows: y = A x, y += A x, y = b - A x, step of a smoother
 *
 * Computes   y(i br + a) = sum_k sum_c val[k][c][a] x(col[k] bc + c), and what multigrid/ops.h says
 *            of a step
 * Source     CSR-vector (Bell and Garland, SC09) with blocks in place of entries.
 * Layout     block_rows.h. Lane (s, a) of a row reads column c of block k = ptr[i] + s, + S, ...: the
 *            lanes of a row read S whole blocks in bc steps.
 * Cost       br bc values and 4 bytes for each block, 8 bytes for each row, x and y once.
 * Launch     8 or 32 lanes a row, S = lanes / br blocks at a time; sums of a row are added by a fixed
 *            tree.
 * Checked    tests/kernels/multigrid/t385_block_rows.c
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cuda/multigrid/multigrid.cuh"
extern "C" {
#include "kernels/multigrid/step_row.h"
}

namespace bf
{

struct spmv_args {
  int64_t         n;
  int             br, bc;
  bf_block_update how;
  const int64_t  *ptr;
  const bf_int   *col;
  const double   *b, *x;
  double         *y;
  bf_mg_step      step; /* in the place of y, where step.b is not NULL */
};

/* G lanes own a row.  BR and BC 0: orders of g. */
template <typename T, int BR, int BC, int G>
static __global__ void __launch_bounds__(BF_MG_THREADS) spmv(spmv_args g, const T *__restrict__ val)
{
  const int     br = BR ? BR : g.br, bc = BC ? BC : g.bc, S = G / br;
  const int     lane = (int)threadIdx.x % G, a = lane % br, s = lane / br;
  const int64_t row = bf_mg_item(G);
  double        sum = 0.0;
  if (row < g.n && s < S) {
    const int64_t end = g.ptr[row + 1];
    for (int64_t k = g.ptr[row] + s; k < end; k += S) {
      const double *x = g.x + (int64_t)__ldg(g.col + k) * bc;
      const T      *v = val + k * br * bc + a;
#pragma unroll
      for (int c = 0; c < bc; c++) sum += (double)__ldcs(v + c * br) * __ldg(x + c);
    }
  }
  int half = 1;
  while (half < S) half *= 2;
  for (int o = half / 2; o > 0; o /= 2) {
    const double other = __shfl_down_sync(~0u, sum, (unsigned)(o * br), G);
    if (s + o < S) sum += other;
  }
  if (row >= g.n || lane >= br) return;
  const int64_t r = row * br + a;
  if (g.step.b) {
    bf_mg_step_row(&g.step, r, sum);
    return;
  }
  g.y[r] = g.how == BF_BLOCK_SET ? sum : g.how == BF_BLOCK_ADD ? g.y[r] + sum : g.b[r] - sum;
}

template <typename T, int G>
static void launch(const spmv_args &g, cudaStream_t stream, const void *values)
{
  const T       *val    = static_cast<const T *>(values);
  const unsigned blocks = bf_mg_grid(g.n, G);
  switch (g.br * 8 + g.bc) {
  case 1 * 8 + 1: spmv<T, 1, 1, G><<<blocks, BF_MG_THREADS, 0, stream>>>(g, val); break;
  case 1 * 8 + 3: spmv<T, 1, 3, G><<<blocks, BF_MG_THREADS, 0, stream>>>(g, val); break;
  case 3 * 8 + 1: spmv<T, 3, 1, G><<<blocks, BF_MG_THREADS, 0, stream>>>(g, val); break;
  case 2 * 8 + 2: spmv<T, 2, 2, G><<<blocks, BF_MG_THREADS, 0, stream>>>(g, val); break;
  case 2 * 8 + 3: spmv<T, 2, 3, G><<<blocks, BF_MG_THREADS, 0, stream>>>(g, val); break;
  case 3 * 8 + 2: spmv<T, 3, 2, G><<<blocks, BF_MG_THREADS, 0, stream>>>(g, val); break;
  case 3 * 8 + 3: spmv<T, 3, 3, G><<<blocks, BF_MG_THREADS, 0, stream>>>(g, val); break;
  case 3 * 8 + 6: spmv<T, 3, 6, G><<<blocks, BF_MG_THREADS, 0, stream>>>(g, val); break;
  case 6 * 8 + 3: spmv<T, 6, 3, G><<<blocks, BF_MG_THREADS, 0, stream>>>(g, val); break;
  case 6 * 8 + 6: spmv<T, 6, 6, G><<<blocks, BF_MG_THREADS, 0, stream>>>(g, val); break;
  default: spmv<T, 0, 0, G><<<blocks, BF_MG_THREADS, 0, stream>>>(g, val); break;
  }
}

static bf_err choose(bf_backend *be, const bf_block_rows *A, const spmv_args &g)
{
  const cudaStream_t stream = bf_cuda_of(be)->stream;
  const bool         brief  = A->nnz * A->form.br <= 16 * (int64_t)A->form.nrows; /* two steps of 8 lanes */
  if (A->form.nrows == 0) return BF_OK;
  if (A->form.prec == BF_FP64)
    (brief ? launch<double, 8> : launch<double, 32>)(g, stream, A->val);
  else
    (brief ? launch<float, 8> : launch<float, 32>)(g, stream, A->val);
  return BF_CUDA_LAUNCHED(be);
}

bf_err bf_cuda_block_spmv(bf_backend *be, const bf_block_rows *A, bf_block_update how, const double *b,
                          const double *x, double *y)
{
  return choose(be, A, {A->form.nrows, A->form.br, A->form.bc, how, A->ptr, A->col, b, x, y, {}});
}

bf_err bf_cuda_block_step(bf_backend *be, const bf_block_rows *A, const double *v, const bf_mg_step &step)
{
  return choose(be, A,
                {A->form.nrows, A->form.br, A->form.bc, BF_BLOCK_SET, A->ptr, A->col, NULL, v, NULL, step});
}

} /* namespace bf */
