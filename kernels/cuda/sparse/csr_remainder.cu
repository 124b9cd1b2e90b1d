/* kernels/cuda/sparse/csr_remainder.cu - the remainder of a hybrid matrix: y += R x on its rows, constraints
 *
 * Computes   rest_spmv       y(row(k)) += sum of val(i) x(col(i)), i = ptr(k) .. ptr(k+1)-1, in this order
 *            rest_constrain  R(r, c) = 0 where r or c is fixed (it has no diagonal)
 * Source     the definition; the distribution of the work is this project's.
 * Layout     matrix/matrix.h: only rows that have entries are listed, mostly a few entries each.
 * Cost       12 bytes (fp64) or 8 (fp32) an entry, 28 a listed row: bf_rest_product_bytes; with dots w and y
 *            once more, since a row is complete only now.
 * Launch     256 threads, one listed row each.
 * Checked    tests/kernels/sparse/t315_products.c against long double, t316_hybrid.c.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cuda/device/launch_and_reduce.cuh"

namespace bf
{

enum { THREADS = 256 };

/* Thread k owns listed row k in both kernels. */
template <typename T>
static __global__ void add_rows(int64_t n, const bf_int *__restrict__ row, const int64_t *__restrict__ ptr,
                                const bf_int *__restrict__ col, const T *__restrict__ val,
                                const double *__restrict__ x, double *y)
{
  const int64_t k = (int64_t)blockIdx.x * THREADS + threadIdx.x;
  if (k >= n) return;
  double        sum = 0.0;
  const int64_t end = ptr[k + 1];
  for (int64_t i = ptr[k]; i < end; i++) sum += (double)val[i] * __ldg(x + col[i]);
  y[row[k]] += sum;
}

template <typename T>
static __global__ void constrain(int64_t n, const bf_int *__restrict__ row, const int64_t *__restrict__ ptr,
                                 const bf_int *__restrict__ col, const uint8_t *__restrict__ fixed, T *val)
{
  const int64_t k = (int64_t)blockIdx.x * THREADS + threadIdx.x;
  if (k >= n) return;
  const bool row_fixed = fixed[row[k]] != 0;
  for (int64_t i = ptr[k]; i < ptr[k + 1]; i++)
    if (row_fixed || fixed[col[i]]) val[i] = (T)0;
}

extern "C" bf_part_spmv bf_cuda_rest_spmv_add;
bf_err bf_cuda_rest_spmv_add(bf_backend *be, const bf_matrix *M, const double *x, double *y, const double *w,
                             double *dot)
{
  const bf_rest *A = M->rest;
  BF_CHECK(A && (!w || dot), BF_E_ARG, "null argument");
  const cudaStream_t stream = bf_cuda_of(be)->stream;
  const unsigned     blocks = bf_cuda_blocks(A->nlist, THREADS);
  if (A->nlist > 0) {
    bf_cuda_with_values(A->val, A->prec, [&](auto *v) {
      add_rows<<<blocks, THREADS, 0, stream>>>(A->nlist, A->row, A->ptr, A->col, v, x, y);
    });
    BF_TRY(BF_CUDA_LAUNCHED(be));
  }
  return w ? bf_cuda_dots(be, A->nrows, w, y, dot) : BF_OK;
}

extern "C" bf_part_constrain bf_cuda_rest_constrain;
bf_err                       bf_cuda_rest_constrain(bf_backend *be, bf_matrix *M, const uint8_t *fixed)
{
  bf_rest *A = M->rest;
  if (A->nlist == 0) return BF_OK;
  const cudaStream_t stream = bf_cuda_of(be)->stream;
  const unsigned     blocks = bf_cuda_blocks(A->nlist, THREADS);
  bf_cuda_with_values(A->val, A->prec, [&](auto *v) {
    constrain<<<blocks, THREADS, 0, stream>>>(A->nlist, A->row, A->ptr, A->col, fixed, v);
  });
  return BF_CUDA_LAUNCHED(be);
}

} // namespace bf
