/* kernels/cuda/vendor/cusparse_spmv.cu - products of cuSPARSE on the same matrix, for comparisons; see
 * kernels/vendor.h */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cuda/vendor/vendor.cuh"
#include "kernels/timing.h"
#include <stdio.h>
#include <thrust/execution_policy.h>
#include <thrust/scan.h>

namespace bf
{

enum { THREADS = 256, TRIALS = 10 };
#if CUSPARSE_VERSION >= 12603
#define BSR_PRODUCT /* the generic product takes BSR */
#endif

bf_err bf_peer_sparse_status(cusparseStatus_t s, const char *call, const char *func, const char *file,
                             int line)
{
  return s == CUSPARSE_STATUS_SUCCESS
             ? BF_OK
             : bf_err_raise(s == CUSPARSE_STATUS_NOT_SUPPORTED ? BF_E_UNSUPPORTED : BF_E_INTERNAL, func, file,
                            line, "%s: %s", call, cusparseGetErrorString(s));
}
bf_err bf_peer_blas_status(cublasStatus_t s, const char *call, const char *func, const char *file, int line)
{
  return s == CUBLAS_STATUS_SUCCESS
             ? BF_OK
             : bf_err_raise(BF_E_INTERNAL, func, file, line, "%s: %s", call, cublasGetStatusString(s));
}

static __global__ void narrow(int64_t n, const int64_t *from, int *to)
{
  const int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x;
  if (i < n) to[i] = (int)from[i];
}
/* ---- products ---- */

static cudaDataType value_type(const bf_peer *p)
{
  return p->A->prec == BF_FP64 ? CUDA_R_64F : CUDA_R_32F;
}

bf_err bf_peer_product(bf_peer *p, const bf_peer_vectors &v, cusparseSpMVAlg_t algorithm, void *buffer)
{
  const double one = 1.0, zero = 0.0;
  const float  onef = 1.0f, zerof = 0.0f;
  const bool   wide = p->A->prec == BF_FP64;
  SPARSE(cusparseSpMV(p->sparse, CUSPARSE_OPERATION_NON_TRANSPOSE, wide ? (const void *)&one : &onef,
                      p->matrix, v.x, wide ? (const void *)&zero : &zerof, v.y, value_type(p), algorithm,
                      buffer));
  return BF_OK;
}

bf_err bf_peer_describe_vectors(const bf_peer *p, const void *x, void *y, bf_peer_vectors *v)
{
  SPARSE(cusparseCreateDnVec(&v->x, p->A->nrows, const_cast<void *>(x), value_type(p)));
  SPARSE(cusparseCreateDnVec(&v->y, p->A->nrows, y, value_type(p)));
  return BF_OK;
}

extern "C" bf_err bf_peer_spmv(bf_peer *p, const void *x, void *y)
{
  bf_peer_vectors v;
  BF_CHECK(p && x && y, BF_E_ARG, "null argument");
  BF_TRY(bf_peer_describe_vectors(p, x, y, &v));
  return bf_peer_product(p, v, p->algorithm, p->buffer);
}

/* Workspace and preprocessing for an algorithm, then the seconds of one product. */
static bf_err try_algorithm(bf_peer *p, const bf_peer_vectors &v, cusparseSpMVAlg_t algorithm, void **buffer,
                            double *seconds)
{
  struct context {
    bf_peer               *p;
    const bf_peer_vectors *v;
    cusparseSpMVAlg_t      algorithm;
    void                  *buffer;
  } c              = {p, &v, algorithm, NULL};
  const double one = 1.0, zero = 0.0;
  const float  onef = 1.0f, zerof = 0.0f;
  const bool   wide  = p->A->prec == BF_FP64;
  const void  *alpha = wide ? (const void *)&one : &onef, *beta = wide ? (const void *)&zero : &zerof;
  size_t       bytes = 0;
  double       median;
  SPARSE(cusparseSpMV_bufferSize(p->sparse, CUSPARSE_OPERATION_NON_TRANSPOSE, alpha, p->matrix, v.x, beta,
                                 v.y, value_type(p), algorithm, &bytes));
  BF_TRY(BF_CUDA(cudaMalloc(buffer, bytes > 0 ? bytes : 1)));
  SPARSE(cusparseSpMV_preprocess(p->sparse, CUSPARSE_OPERATION_NON_TRANSPOSE, alpha, p->matrix, v.x, beta,
                                 v.y, value_type(p), algorithm, *buffer));
  c.buffer = *buffer;
  return bf_bench_time(
      p->be,
      [](void *context_) {
        const context *k = static_cast<context *>(context_);
        return bf_peer_product(k->p, *k->v, k->algorithm, k->buffer);
      },
      &c, TRIALS, 0, &median, seconds);
}

/* Tries the algorithms of the format on a product of zeros and keeps the fastest; a matrix keeps the
 * preprocessing of the last one, so the fastest is prepared last. */
static bf_err choose(bf_peer *p)
{
  const cusparseSpMVAlg_t csr[2] = {CUSPARSE_SPMV_CSR_ALG1, CUSPARSE_SPMV_CSR_ALG2};
  const size_t            bytes  = (size_t)p->A->nrows * (p->A->prec == BF_FP64 ? 8 : 4);
  void                   *x = NULL, *buffer = NULL;
  double                  seconds[2] = {0.0, 0.0};
  bf_peer_vectors         v;
  bf_err                  err = BF_OK;
  BF_GO(BF_CUDA(cudaMalloc(&x, 2 * bytes)));
  BF_GO(BF_CUDA(cudaMemsetAsync(x, 0, 2 * bytes, bf_cuda_of(p->be)->stream)));
  BF_GO(bf_peer_describe_vectors(p, x, static_cast<char *>(x) + bytes, &v));
  p->algorithm = CUSPARSE_SPMV_SELL_ALG1;
#ifdef BSR_PRODUCT
  if (p->format == BF_PEER_BSR) p->algorithm = CUSPARSE_SPMV_BSR_ALG1;
#endif
  if (p->format == BF_PEER_CSR) {
    for (int i = 0; i < 2; i++) {
      BF_GO(try_algorithm(p, v, csr[i], &buffer, &seconds[i]));
      cudaFree(buffer);
      buffer = NULL;
    }
    p->algorithm = csr[seconds[1] < seconds[0]];
  }
  BF_GO(try_algorithm(p, v, p->algorithm, &p->buffer, &seconds[0]));
done:
  cudaFree(buffer);
  cudaFree(x);
  return err;
}

/* ---- sliced ELL ---- */

enum { SLICE = 32 };

/* width[s + 1] = slots of slice s: SLICE times its longest row. */
static __global__ void slice_slots(int n, const int64_t *ptr, int slices, int *width)
{
  const int s = (int)(blockIdx.x * THREADS + threadIdx.x);
  if (s == 0) width[0] = 0;
  if (s >= slices) return;
  int most = 0;
  for (int r = s * SLICE; r < min(n, (s + 1) * SLICE); r++) most = max(most, (int)(ptr[r + 1] - ptr[r]));
  width[s + 1] = most * SLICE;
}

/* Thread r owns row r: its entries, then empty slots. */
template <typename T>
static __global__ void slice_fill(int n, const int64_t *ptr, const int *col, const T *val, const int *slice,
                                  int *to_col, T *to_val)
{
  const int r = (int)(blockIdx.x * THREADS + threadIdx.x), s = r / SLICE;
  if (s * SLICE >= n) return;
  const int64_t begin = r < n ? ptr[r] : 0, end = r < n ? ptr[r + 1] : 0;
  const int     width = (slice[s + 1] - slice[s]) / SLICE;
  for (int k = 0; k < width; k++) {
    const int64_t at = slice[s] + (int64_t)k * SLICE + r % SLICE;
    to_col[at]       = begin + k < end ? col[begin + k] : -1;
    to_val[at]       = begin + k < end ? val[begin + k] : (T)0;
  }
}

static bf_err make_sell(bf_peer *p)
{
  const bf_csr      *A      = p->A;
  const cudaStream_t stream = bf_cuda_of(p->be)->stream;
  const int          slices = (A->nrows + SLICE - 1) / SLICE;
  const size_t       item   = A->prec == BF_FP64 ? 8 : 4;
  int                slots  = 0;
  BF_TRY(BF_CUDA(cudaMalloc(&p->ptr, ((size_t)slices + 1) * sizeof *p->ptr)));
  slice_slots<<<bf_cuda_blocks(slices, THREADS), THREADS, 0, stream>>>(A->nrows, A->ptr, slices, p->ptr);
  thrust::inclusive_scan(thrust::cuda::par.on(stream), p->ptr, p->ptr + slices + 1, p->ptr);
  BF_TRY(BF_CUDA(cudaMemcpyAsync(&slots, p->ptr + slices, sizeof slots, cudaMemcpyDeviceToHost, stream)));
  BF_TRY(BF_CUDA(cudaStreamSynchronize(stream)));
  BF_TRY(BF_CUDA(cudaMalloc(&p->col, (size_t)slots * sizeof *p->col)));
  BF_TRY(BF_CUDA(cudaMalloc(&p->val, (size_t)slots * item)));
  const unsigned blocks = bf_cuda_blocks((int64_t)slices * SLICE, THREADS);
  if (A->prec == BF_FP64)
    slice_fill<<<blocks, THREADS, 0, stream>>>(A->nrows, A->ptr, A->col, static_cast<const double *>(A->val),
                                               p->ptr, p->col, static_cast<double *>(p->val));
  else
    slice_fill<<<blocks, THREADS, 0, stream>>>(A->nrows, A->ptr, A->col, static_cast<const float *>(A->val),
                                               p->ptr, p->col, static_cast<float *>(p->val));
  BF_TRY(BF_CUDA_LAUNCHED(p->be));
  SPARSE(cusparseCreateSlicedEll(&p->matrix, A->nrows, A->nrows, A->nnz, slots, SLICE, p->ptr, p->col, p->val,
                                 CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO,
                                 value_type(p)));
  return BF_OK;
}

/* ---- block rows ---- */

/* Thread i owns node row i: its offset and the columns of its blocks. */
static __global__ void block_rows(int n, int D, const int64_t *ptr, const int *col, int *to_ptr, int *to_col)
{
  const int i = (int)(blockIdx.x * THREADS + threadIdx.x);
  if (i > n) return;
  const int64_t begin = ptr[(int64_t)i * D];
  to_ptr[i]           = (int)(begin / (D * D));
  if (i == n) return;
  const int m = (int)(ptr[(int64_t)i * D + 1] - begin) / D;
  for (int k = 0; k < m; k++) to_col[begin / (D * D) + k] = col[begin + (int64_t)k * D] / D;
}

/* Thread r owns scalar row r; blocks by rows. */
template <typename T>
static __global__ void block_values(int64_t n, int D, const int64_t *ptr, const T *val, T *to)
{
  const int64_t r = (int64_t)blockIdx.x * THREADS + threadIdx.x;
  if (r >= n) return;
  const int64_t first = ptr[r / D * D], begin = ptr[r];
  for (int64_t j = 0; j < ptr[r + 1] - begin; j++)
    to[first + j / D * D * D + r % D * D + j % D] = val[begin + j];
}

static bf_err make_bsr(bf_peer *p)
{
#ifdef BSR_PRODUCT
  const bf_csr      *A      = p->A;
  const cudaStream_t stream = bf_cuda_of(p->be)->stream;
  const int          n = A->nrows / p->D, blocks = (int)(A->nnz / (p->D * p->D));
  const unsigned     grid = bf_cuda_blocks(A->nrows, THREADS);
  BF_TRY(BF_CUDA(cudaMalloc(&p->ptr, ((size_t)n + 1) * sizeof *p->ptr)));
  BF_TRY(BF_CUDA(cudaMalloc(&p->col, (size_t)blocks * sizeof *p->col)));
  BF_TRY(BF_CUDA(cudaMalloc(&p->val, (size_t)A->nnz * (A->prec == BF_FP64 ? 8 : 4))));
  block_rows<<<bf_cuda_blocks((int64_t)n + 1, THREADS), THREADS, 0, stream>>>(n, p->D, A->ptr, A->col, p->ptr,
                                                                              p->col);
  BF_TRY(BF_CUDA_LAUNCHED(p->be));
  if (A->prec == BF_FP64)
    block_values<<<grid, THREADS, 0, stream>>>(A->nrows, p->D, A->ptr, static_cast<const double *>(A->val),
                                               static_cast<double *>(p->val));
  else
    block_values<<<grid, THREADS, 0, stream>>>(A->nrows, p->D, A->ptr, static_cast<const float *>(A->val),
                                               static_cast<float *>(p->val));
  BF_TRY(BF_CUDA_LAUNCHED(p->be));
  SPARSE(cusparseCreateBsr(&p->matrix, n, n, blocks, p->D, p->D, p->ptr, p->col, p->val, CUSPARSE_INDEX_32I,
                           CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, value_type(p), CUSPARSE_ORDER_ROW));
  return BF_OK;
#else
  return BF_FAIL(BF_E_UNSUPPORTED, "this cuSPARSE has no product with BSR");
#endif
}

static bf_err make_csr(bf_peer *p)
{
  const bf_csr *A = p->A;
  BF_TRY(BF_CUDA(cudaMalloc(&p->ptr, ((size_t)A->nrows + 1) * sizeof *p->ptr)));
  narrow<<<bf_cuda_blocks((int64_t)A->nrows + 1, THREADS), THREADS, 0, bf_cuda_of(p->be)->stream>>>(
      (int64_t)A->nrows + 1, A->ptr, p->ptr);
  BF_TRY(BF_CUDA_LAUNCHED(p->be));
  SPARSE(cusparseCreateCsr(&p->matrix, A->nrows, A->nrows, A->nnz, p->ptr, A->col, A->val, CUSPARSE_INDEX_32I,
                           CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, value_type(p)));
  return BF_OK;
}

/* ---- life ---- */

static bf_err fill(bf_peer *p)
{
  const cudaStream_t stream       = bf_cuda_of(p->be)->stream;
  int                sparse_major = 0, sparse_minor = 0;
  const char        *name = p->format == BF_PEER_SELL ? "sell 32" : "bsr";
  SPARSE(cusparseCreate(&p->sparse));
  SPARSE(cusparseSetStream(p->sparse, stream));
  BLAS(cublasCreate(&p->blas));
  BLAS(cublasSetStream(p->blas, stream));
  BLAS(cublasSetPointerMode(p->blas, CUBLAS_POINTER_MODE_DEVICE));
  BF_TRY(p->format == BF_PEER_SELL ? make_sell(p) : p->format == BF_PEER_BSR ? make_bsr(p) : make_csr(p));
  BF_TRY(choose(p));
  if (p->format == BF_PEER_CSR) name = p->algorithm == CUSPARSE_SPMV_CSR_ALG1 ? "csr ALG1" : "csr ALG2";
  SPARSE(cusparseGetProperty(MAJOR_VERSION, &sparse_major));
  SPARSE(cusparseGetProperty(MINOR_VERSION, &sparse_minor));
  snprintf(p->text, sizeof p->text, "cuSPARSE %d.%d %s %s", sparse_major, sparse_minor, name,
           p->A->prec == BF_FP64 ? "fp64" : "fp32");
  return BF_OK;
}

static bf_err create(bf_backend *be, const bf_csr *A, bf_peer_format format, int D, bf_peer **out)
{
  BF_CHECK(be && A && out, BF_E_ARG, "null argument");
  *out = NULL;
  BF_CHECK(be->ops.on_device, BF_E_ARG, "peers run on the cuda backend");
  BF_CHECK(A->nrows > 0 && A->nnz > 0 && A->nnz < INT32_MAX, BF_E_ARG, "peer: %d rows, %lld nonzeros",
           (int)A->nrows, (long long)A->nnz);
  bf_peer *p = new bf_peer();
  p->be      = be;
  p->A       = A;
  p->format  = format;
  p->D       = D;
  bf_err err = fill(p);
  if (err != BF_OK)
    bf_peer_destroy(&p);
  else
    *out = p;
  return err;
}

extern "C" bf_err bf_peer_create(bf_backend *be, const bf_csr *A, bf_peer_format format, bf_peer **out)
{
  BF_CHECK(format == BF_PEER_CSR || format == BF_PEER_SELL, BF_E_ARG, "peer format %d", (int)format);
  return create(be, A, format, 1, out);
}

extern "C" bf_err bf_peer_create_bsr(bf_backend *be, const bf_csr *A, int D, bf_peer **out)
{
  BF_CHECK(A && D > 0 && A->nrows % D == 0 && A->nnz % (D * D) == 0 && A->col, BF_E_ARG,
           "a matrix without blocks of order %d", D);
  return create(be, A, BF_PEER_BSR, D, out);
}

extern "C" void bf_peer_destroy(bf_peer **p)
{
  if (!p || !*p) return;
  bf_peer *q = *p;
  if (q->matrix) cusparseDestroySpMat(q->matrix);
  if (q->sparse) cusparseDestroy(q->sparse);
  if (q->blas) cublasDestroy(q->blas);
  cudaFree(q->ptr);
  cudaFree(q->col);
  cudaFree(q->val);
  cudaFree(q->buffer);
  cudaFree(q->vector);
  cudaFree(q->scalar);
  delete q;
  *p = NULL;
}

extern "C" const char *bf_peer_describe(const bf_peer *p)
{
  return p->text;
}

} // namespace bf
