/* kernels/cuda/peers.cu - cuSPARSE and cuBLAS on the same matrix, for comparisons; see kernels/peers.h
 *
 * Source: the conjugate gradient sample of NVIDIA's CUDALibrarySamples (one library call an operation), here
 * with all scalars on the device, and with Jacobi by cublasDdgmm.
 */
#include "kernels/cuda/cuda_util.cuh"
#include "kernels/peers.h"
#include <algorithm>
#include <cublas_v2.h>
#include <cusparse.h>
#include <stdio.h>
#include <vector>

enum { THREADS = 256, TRIALS = 10, VECTORS = 4 };
enum {
  RHO,
  RHO_NEW,
  PQ,
  ALPHA,
  MINUS_ALPHA,
  BETA,
  RR,
  ONE,
  MINUS_ONE,
  SCALARS
}; /* scalars of CG on the device */

struct bf_peer {
  bf_backend          *be;
  const bf_csr        *A;
  cusparseHandle_t     sparse;
  cublasHandle_t       blas;
  cusparseSpMatDescr_t matrix;
  int                 *ptr;    /* offsets in 32 bits */
  void                *buffer; /* workspace of the chosen algorithm */
  cusparseSpMVAlg_t    algorithm;
  double              *vector, *scalar; /* [VECTORS][nrows], [SCALARS], made by the first bf_peer_cg */
  char                 text[128];
};

static bf_err sparse_status(cusparseStatus_t s, const char *call, const char *func, int line)
{
  return s == CUSPARSE_STATUS_SUCCESS
             ? BF_OK
             : bf_err_raise(BF_E_INTERNAL, func, __FILE__, line, "%s: %s", call, cusparseGetErrorString(s));
}
static bf_err blas_status(cublasStatus_t s, const char *call, const char *func, int line)
{
  return s == CUBLAS_STATUS_SUCCESS
             ? BF_OK
             : bf_err_raise(BF_E_INTERNAL, func, __FILE__, line, "%s: %s", call, cublasGetStatusString(s));
}
#define SPARSE(call) BF_TRY(sparse_status((call), #call, __func__, __LINE__))
#define BLAS(call)   BF_TRY(blas_status((call), #call, __func__, __LINE__))

static __global__ void narrow(int64_t n, const int64_t *from, int *to)
{
  const int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x;
  if (i < n) to[i] = (int)from[i];
}
static __global__ void constants(double *s)
{
  s[ONE]       = 1.0;
  s[MINUS_ONE] = -1.0;
}
static __global__ void step_length(double *s)
{
  s[ALPHA]       = s[RHO] / s[PQ];
  s[MINUS_ALPHA] = -s[ALPHA];
}
static __global__ void step_direction(double *s)
{
  s[BETA] = s[RHO_NEW] / s[RHO];
  s[RHO]  = s[RHO_NEW];
}

/* ---- products ---- */

struct vectors { /* descriptors of one product */
  cusparseDnVecDescr_t x = NULL, y = NULL;
  ~vectors()
  {
    if (x) cusparseDestroyDnVec(x);
    if (y) cusparseDestroyDnVec(y);
  }
};

static cudaDataType value_type(const bf_peer *p)
{
  return p->A->prec == BF_FP64 ? CUDA_R_64F : CUDA_R_32F;
}

static bf_err product(bf_peer *p, const vectors &v, cusparseSpMVAlg_t algorithm, void *buffer)
{
  const double one = 1.0, zero = 0.0;
  const float  onef = 1.0f, zerof = 0.0f;
  const bool   wide = p->A->prec == BF_FP64;
  SPARSE(cusparseSpMV(p->sparse, CUSPARSE_OPERATION_NON_TRANSPOSE, wide ? (const void *)&one : &onef,
                      p->matrix, v.x, wide ? (const void *)&zero : &zerof, v.y, value_type(p), algorithm,
                      buffer));
  return BF_OK;
}

static bf_err describe_vectors(const bf_peer *p, const void *x, void *y, vectors *v)
{
  SPARSE(cusparseCreateDnVec(&v->x, p->A->nrows, const_cast<void *>(x), value_type(p)));
  SPARSE(cusparseCreateDnVec(&v->y, p->A->nrows, y, value_type(p)));
  return BF_OK;
}

bf_err bf_peer_spmv(bf_peer *p, const void *x, void *y)
{
  vectors v;
  BF_CHECK(p && x && y, BF_E_ARG, "null argument");
  BF_TRY(describe_vectors(p, x, y, &v));
  return product(p, v, p->algorithm, p->buffer);
}

/* Workspace and preprocessing for an algorithm, then the seconds of one product. */
static bf_err try_algorithm(bf_peer *p, const vectors &v, cusparseSpMVAlg_t algorithm, void **buffer,
                            double *seconds)
{
  struct context {
    bf_peer          *p;
    const vectors    *v;
    cusparseSpMVAlg_t algorithm;
    void             *buffer;
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
        return product(k->p, *k->v, k->algorithm, k->buffer);
      },
      &c, TRIALS, 0, &median, seconds);
}

/* Tries both algorithms on a product of zeros, keeps the faster; a matrix keeps the preprocessing of the last
 * one made, so the winner is made last. */
static bf_err choose(bf_peer *p)
{
  const cusparseSpMVAlg_t all[2] = {CUSPARSE_SPMV_CSR_ALG1, CUSPARSE_SPMV_CSR_ALG2};
  const size_t            bytes  = (size_t)p->A->nrows * (p->A->prec == BF_FP64 ? 8 : 4);
  void                   *x = NULL, *buffer = NULL;
  double                  seconds[2] = {0.0, 0.0};
  vectors                 v;
  bf_err                  err = BF_OK;
  BF_GO(BF_CUDA(cudaMalloc(&x, 2 * bytes)));
  BF_GO(BF_CUDA(cudaMemsetAsync(x, 0, 2 * bytes, bf_cuda_of(p->be)->stream)));
  BF_GO(describe_vectors(p, x, static_cast<char *>(x) + bytes, &v));
  for (int i = 0; i < 2; i++) {
    BF_GO(try_algorithm(p, v, all[i], &buffer, &seconds[i]));
    cudaFree(buffer);
    buffer = NULL;
  }
  p->algorithm = all[seconds[1] < seconds[0]];
  BF_GO(try_algorithm(p, v, p->algorithm, &p->buffer, &seconds[0]));
done:
  cudaFree(buffer);
  cudaFree(x);
  return err;
}

/* ---- life ---- */

static bf_err fill(bf_peer *p)
{
  const bf_csr      *A            = p->A;
  const cudaStream_t stream       = bf_cuda_of(p->be)->stream;
  int                sparse_major = 0, sparse_minor = 0, blas_version = 0;
  BF_TRY(BF_CUDA(cudaMalloc(&p->ptr, ((size_t)A->nrows + 1) * sizeof *p->ptr)));
  narrow<<<bf_cuda_blocks((int64_t)A->nrows + 1, THREADS), THREADS, 0, stream>>>((int64_t)A->nrows + 1,
                                                                                 A->ptr, p->ptr);
  BF_TRY(BF_CUDA_LAUNCHED(p->be));
  SPARSE(cusparseCreate(&p->sparse));
  SPARSE(cusparseSetStream(p->sparse, stream));
  BLAS(cublasCreate(&p->blas));
  BLAS(cublasSetStream(p->blas, stream));
  BLAS(cublasSetPointerMode(p->blas, CUBLAS_POINTER_MODE_DEVICE));
  SPARSE(cusparseCreateCsr(&p->matrix, A->nrows, A->nrows, A->nnz, p->ptr, A->col, A->val, CUSPARSE_INDEX_32I,
                           CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, value_type(p)));
  BF_TRY(choose(p));
  SPARSE(cusparseGetProperty(MAJOR_VERSION, &sparse_major));
  SPARSE(cusparseGetProperty(MINOR_VERSION, &sparse_minor));
  BLAS(cublasGetVersion(p->blas, &blas_version));
  snprintf(p->text, sizeof p->text, "cuSPARSE %d.%d CSR_ALG%d preprocessed, cuBLAS %d", sparse_major,
           sparse_minor, p->algorithm == CUSPARSE_SPMV_CSR_ALG1 ? 1 : 2, blas_version);
  return BF_OK;
}

bf_err bf_peer_create_csr(bf_backend *be, const bf_csr *A, bf_peer **out)
{
  BF_CHECK(be && A && out, BF_E_ARG, "null argument");
  *out = NULL;
  BF_CHECK(be->ops.on_device, BF_E_ARG, "peers run on the cuda backend");
  BF_CHECK(A->nrows > 0 && A->nnz > 0 && A->nnz < INT32_MAX, BF_E_ARG, "peer: %d rows, %lld nonzeros",
           (int)A->nrows, (long long)A->nnz);
  bf_peer *p = new bf_peer();
  p->be      = be;
  p->A       = A;
  bf_err err = fill(p);
  if (err != BF_OK)
    bf_peer_destroy(&p);
  else
    *out = p;
  return err;
}

void bf_peer_destroy(bf_peer **p)
{
  if (!p || !*p) return;
  bf_peer *q = *p;
  if (q->matrix) cusparseDestroySpMat(q->matrix);
  if (q->sparse) cusparseDestroy(q->sparse);
  if (q->blas) cublasDestroy(q->blas);
  cudaFree(q->ptr);
  cudaFree(q->buffer);
  cudaFree(q->vector);
  cudaFree(q->scalar);
  delete q;
  *p = NULL;
}

const char *bf_peer_describe(const bf_peer *p)
{
  return p->text;
}

/* ---- conjugate gradients ---- */

/* z = dinv r, or nothing to do: z is r. */
static bf_err precondition(bf_peer *p, const double *dinv, const double *r, double *z)
{
  const int n = p->A->nrows;
  if (dinv) BLAS(cublasDdgmm(p->blas, CUBLAS_SIDE_LEFT, n, 1, r, n, dinv, 1, z, n));
  return BF_OK;
}

bf_err bf_peer_cg(bf_peer *p, const double *b, double *x, const double *dinv, int iterations, int host_check,
                  double *rr)
{
  BF_CHECK(p && b && x && p->A->prec == BF_FP64, BF_E_ARG, "peer CG: null argument or not fp64");
  const int          n      = p->A->nrows;
  const cudaStream_t stream = bf_cuda_of(p->be)->stream;
  if (!p->vector) BF_TRY(BF_CUDA(cudaMalloc(&p->vector, VECTORS * (size_t)n * sizeof(double))));
  if (!p->scalar) BF_TRY(BF_CUDA(cudaMalloc(&p->scalar, SCALARS * sizeof(double))));
  double *r = p->vector, *d = r + n, *q = d + n, *z = dinv ? q + n : r, *s = p->scalar;
  double  host = 0.0;
  vectors start, step;
  BF_TRY(describe_vectors(p, x, q, &start));
  BF_TRY(describe_vectors(p, d, q, &step));
  BF_TRY(product(p, start, p->algorithm, p->buffer));
  constants<<<1, 1, 0, stream>>>(s);
  BLAS(cublasDcopy(p->blas, n, b, 1, r, 1));
  BLAS(cublasDaxpy(p->blas, n, s + MINUS_ONE, q, 1, r, 1));
  BF_TRY(precondition(p, dinv, r, z));
  BLAS(cublasDcopy(p->blas, n, z, 1, d, 1));
  BLAS(cublasDdot(p->blas, n, r, 1, z, 1, s + RHO));
  for (int i = 0; i < iterations; i++) {
    BF_TRY(product(p, step, p->algorithm, p->buffer));
    BLAS(cublasDdot(p->blas, n, d, 1, q, 1, s + PQ));
    step_length<<<1, 1, 0, stream>>>(s);
    BLAS(cublasDaxpy(p->blas, n, s + ALPHA, d, 1, x, 1));
    BLAS(cublasDaxpy(p->blas, n, s + MINUS_ALPHA, q, 1, r, 1));
    BF_TRY(precondition(p, dinv, r, z));
    BLAS(cublasDdot(p->blas, n, r, 1, z, 1, s + RHO_NEW));
    if (host_check) { /* without preconditioner r.r is at hand */
      if (dinv) BLAS(cublasDdot(p->blas, n, r, 1, r, 1, s + RR));
      BF_TRY(BF_CUDA(
          cudaMemcpyAsync(&host, s + (dinv ? RR : RHO_NEW), sizeof host, cudaMemcpyDeviceToHost, stream)));
      BF_TRY(BF_CUDA(cudaStreamSynchronize(stream)));
    }
    step_direction<<<1, 1, 0, stream>>>(s);
    BLAS(cublasDscal(p->blas, n, s + BETA, d, 1));
    BLAS(cublasDaxpy(p->blas, n, s + ONE, z, 1, d, 1));
  }
  if (!rr) return BF_CUDA(cudaGetLastError());
  BLAS(cublasDdot(p->blas, n, r, 1, r, 1, s + RR));
  BF_TRY(BF_CUDA(cudaMemcpyAsync(rr, s + RR, sizeof *rr, cudaMemcpyDeviceToHost, stream)));
  return BF_CUDA(cudaStreamSynchronize(stream));
}

/* ---- timing ---- */

/* Reads n values: after a write of them the caches hold clean lines of no use to anyone, so that the next
 * kernel neither finds its own data there nor has to write back ours. */
static __global__ void read_all(size_t n, const double *p, double *out)
{
  double s = 0.0;
  for (size_t i = (size_t)blockIdx.x * THREADS + threadIdx.x; i < n; i += (size_t)gridDim.x * THREADS)
    s += p[i];
  if (s == 1.0) *out = s; /* never: the bytes are all equal */
}

bf_err bf_bench_time(bf_backend *be, bf_err (*fn)(void *context), void *context, int reps, size_t flush_bytes,
                     double *median, double *least)
{
  BF_CHECK(be && fn && reps > 0 && median && least && be->ops.on_device, BF_E_ARG, "bench: bad argument");
  const cudaStream_t stream = bf_cuda_of(be)->stream;
  std::vector<float> ms((size_t)reps);
  cudaEvent_t        begin = NULL, end = NULL;
  void              *flush = NULL;
  bf_err             err   = BF_OK;
  BF_GO(BF_CUDA(cudaEventCreate(&begin)));
  BF_GO(BF_CUDA(cudaEventCreate(&end)));
  if (flush_bytes > 0) BF_GO(BF_CUDA(cudaMalloc(&flush, flush_bytes)));
  for (int i = -2; i < reps; i++) {
    if (flush) {
      double *f = static_cast<double *>(flush);
      BF_GO(BF_CUDA(cudaMemsetAsync(f, i & 63, flush_bytes, stream)));
      read_all<<<1024, THREADS, 0, stream>>>(flush_bytes / sizeof *f, f, f);
    }
    BF_GO(BF_CUDA(cudaEventRecord(begin, stream)));
    BF_GO(fn(context));
    BF_GO(BF_CUDA(cudaEventRecord(end, stream)));
    BF_GO(BF_CUDA(cudaEventSynchronize(end)));
    if (i >= 0) BF_GO(BF_CUDA(cudaEventElapsedTime(&ms[(size_t)i], begin, end)));
  }
  std::sort(ms.begin(), ms.end());
  *median = 1e-3 * 0.5 * ((double)ms[(size_t)(reps - 1) / 2] + (double)ms[(size_t)reps / 2]);
  *least  = 1e-3 * (double)ms[0];
done:
  cudaFree(flush);
  if (begin) cudaEventDestroy(begin);
  if (end) cudaEventDestroy(end);
  return err;
}
