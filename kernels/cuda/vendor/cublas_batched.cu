/* kernels/cuda/vendor/cublas_batched.cu - batched LU, inverse and Cholesky of cuBLAS and cuSOLVER; see
 * vendor_batch.h */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cuda/vendor/vendor_batched.cuh"

namespace bf
{

enum {
  THREADS       = 256,
  MATINV_MOST   = 32,
  LU_PANEL      = 14,
  INVERSE_PANEL = 16,
  JACOBI_MOST   = 128 /* far above this order slower than the others */
};

bf_err bf_peer_solver_status(cusolverStatus_t s, const char *call, const char *func, const char *file,
                             int line)
{
  return s == CUSOLVER_STATUS_SUCCESS
             ? BF_OK
             : bf_err_raise(BF_E_INTERNAL, func, file, line, "%s: status %d", call, (int)s);
}

static __global__ void addresses(int64_t n, char *first, size_t bytes, void **at)
{
  const int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x;
  if (i < n) at[i] = first + (size_t)i * bytes;
}

/* ---- one name for the four types */
#define ROUTINES(L, T)                                                                                       \
  static cublasStatus_t getrf(cublasHandle_t h, int n, T **a, int *p, int *info, int count)                  \
  {                                                                                                          \
    return cublas##L##getrfBatched(h, n, a, n, p, info, count);                                              \
  }                                                                                                          \
  static cublasStatus_t getri(cublasHandle_t h, int n, T **a, int *p, T **to, int *info, int count)          \
  {                                                                                                          \
    return cublas##L##getriBatched(h, n, a, n, p, to, n, info, count);                                       \
  }                                                                                                          \
  static cublasStatus_t matinv(cublasHandle_t h, int n, T **a, T **to, int *info, int count)                 \
  {                                                                                                          \
    return cublas##L##matinvBatched(h, n, a, n, to, n, info, count);                                         \
  }                                                                                                          \
  static cusolverStatus_t potrf(cusolverDnHandle_t h, int n, T **a, int *info, int count)                    \
  {                                                                                                          \
    return cusolverDn##L##potrfBatched(h, CUBLAS_FILL_MODE_LOWER, n, a, n, info, count);                     \
  }
ROUTINES(S, float)
ROUTINES(D, double)
ROUTINES(C, cuComplex)
ROUTINES(Z, cuDoubleComplex)

template <typename T>
static bf_err call(bf_peer_dense *p, bf_peer_dense_kind kind, int64_t batch)
{
  const int64_t first = batch * p->count;
  T           **a = reinterpret_cast<T **>(p->at) + first, **to = reinterpret_cast<T **>(p->to) + first;
  int          *pivots = p->pivots + first * p->n, *info = p->info + first;
  const bool    factor = kind == BF_PEER_GETRF || kind == BF_PEER_LU_INVERSE;
  if (factor) BLAS(getrf(p->blas, p->n, a, pivots, info, p->count));
  if (kind == BF_PEER_LU_INVERSE || kind == BF_PEER_GETRI)
    BLAS(getri(p->blas, p->n, a, pivots, to, info, p->count));
  if (kind == BF_PEER_MATINV) BLAS(matinv(p->blas, p->n, a, to, info, p->count));
  if (kind == BF_PEER_POTRF) SOLVER(potrf(p->solver, p->n, a, info, p->count));
  return BF_OK;
}

static bool eigen(bf_peer_dense_kind kind)
{
  return kind >= BF_PEER_XSYEV && kind <= BF_PEER_SYGVD;
}

static bf_err call_typed(bf_peer_dense *p, bf_peer_dense_kind kind, int batch)
{
  if (eigen(kind)) return bf_peer_eigen_run(p, batch);
  if (kind == BF_PEER_PUBLISHED_LU)
    return p->kind == kind ? bf_peer_published_lu(p, p->panel, p->ideas, batch)
                           : bf_peer_published_lu(p, LU_PANEL, BF_LU_ALL, batch);
  if (kind == BF_PEER_PUBLISHED_INVERSE) return bf_peer_published_inverse(p, p->panel, p->ideas, batch);
  switch (p->type) {
  case BF_S: return call<float>(p, kind, batch);
  case BF_D: return call<double>(p, kind, batch);
  case BF_C: return call<cuComplex>(p, kind, batch);
  case BF_Z: break;
  }
  return call<cuDoubleComplex>(p, kind, batch);
}

extern "C" bf_err bf_peer_dense_run(void *peer)
{
  bf_peer_dense *p     = static_cast<bf_peer_dense *>(peer);
  const int      batch = p->turn;
  p->turn              = (p->turn + 1) % p->batches;
  return call_typed(p, p->kind, batch);
}

extern "C" bf_err bf_peer_dense_prepare(bf_peer_dense *p)
{
  p->turn = 0;
  for (int k = 0; k < p->batches && p->kind == BF_PEER_GETRI; k++) BF_TRY(call_typed(p, BF_PEER_GETRF, k));
  for (int k = 0; k < p->batches && p->kind == BF_PEER_PUBLISHED_INVERSE; k++)
    BF_TRY(call_typed(p, BF_PEER_PUBLISHED_LU, k));
  return BF_OK;
}

extern "C" void bf_peer_dense_ideas(bf_peer_dense *p, int panel, int ideas)
{
  p->panel = panel;
  p->ideas = ideas;
}

/* ---- life */
static bool out_of_place(bf_peer_dense_kind kind)
{
  return kind == BF_PEER_GETRI || kind == BF_PEER_LU_INVERSE || kind == BF_PEER_MATINV ||
         kind == BF_PEER_PUBLISHED_INVERSE;
}

static bf_err fill(bf_peer_dense *p)
{
  static const size_t item[]   = {4, 8, 8, 16};
  const cudaStream_t  stream   = bf_cuda_of(p->be)->stream;
  const int64_t       matrices = (int64_t)p->batches * p->count;
  const size_t        each = (size_t)p->n * (size_t)p->n * item[p->type] * (p->kind == BF_PEER_SYGVD ? 2 : 1);
  p->bytes                 = each * (size_t)p->count;
  BF_TRY(BF_CUDA(cudaMalloc(&p->at, (size_t)matrices * sizeof *p->at)));
  BF_TRY(BF_CUDA(cudaMalloc(&p->to, (size_t)matrices * sizeof *p->to)));
  BF_TRY(BF_CUDA(cudaMalloc(&p->pivots, (size_t)matrices * (size_t)p->n * sizeof *p->pivots)));
  BF_TRY(BF_CUDA(cudaMalloc(&p->info, (size_t)matrices * sizeof *p->info)));
  if (out_of_place(p->kind)) BF_TRY(BF_CUDA(cudaMalloc(&p->out, (size_t)p->batches * p->bytes)));
  addresses<<<bf_cuda_blocks(matrices, THREADS), THREADS, 0, stream>>>(matrices, p->a, each, p->at);
  addresses<<<bf_cuda_blocks(matrices, THREADS), THREADS, 0, stream>>>(matrices, p->out, each, p->to);
  BF_TRY(BF_CUDA_LAUNCHED(p->be));
  BLAS(cublasCreate(&p->blas));
  BLAS(cublasSetStream(p->blas, stream));
  SOLVER(cusolverDnCreate(&p->solver));
  SOLVER(cusolverDnSetStream(p->solver, stream));
  return eigen(p->kind) ? bf_peer_eigen_fill(p) : BF_OK;
}

extern "C" bf_err bf_peer_dense_create(bf_backend *be, bf_peer_dense_kind kind, bf_scalar type, bf_int n,
                                       bf_int count, int batches, void *a, bf_peer_dense **out)
{
  BF_CHECK(be && a && out && be->ops.on_device, BF_E_ARG, "null argument, or not on a device");
  *out = NULL;
  BF_CHECK(n > 0 && count > 0 && batches > 0, BF_E_ARG, "peer: n %d, count %d, batches %d", (int)n,
           (int)count, batches);
  if (kind == BF_PEER_MATINV && n > MATINV_MOST) return BF_E_UNSUPPORTED;
  if (kind == BF_PEER_SYEVJ && n > JACOBI_MOST) return BF_E_UNSUPPORTED;
  bf_peer_dense *p = new bf_peer_dense();
  p->be            = be;
  p->kind          = kind;
  p->type          = type;
  p->n             = n;
  p->count         = count;
  p->batches       = batches;
  p->a             = static_cast<char *>(a);
  p->panel         = kind == BF_PEER_PUBLISHED_LU ? LU_PANEL : INVERSE_PANEL;
  p->ideas         = kind == BF_PEER_PUBLISHED_LU ? BF_LU_ALL : BF_INVERSE_ALL;
  const bf_err err = fill(p);
  if (err != BF_OK)
    bf_peer_dense_destroy(&p);
  else
    *out = p;
  return err;
}

extern "C" void bf_peer_dense_destroy(bf_peer_dense **p)
{
  if (!p || !*p) return;
  bf_peer_dense *q = *p;
  bf_peer_eigen_free(q);
  if (q->blas) cublasDestroy(q->blas);
  if (q->solver) cusolverDnDestroy(q->solver);
  cudaFree(q->at);
  cudaFree(q->to);
  cudaFree(q->out);
  cudaFree(q->pivots);
  cudaFree(q->info);
  delete q;
  *p = NULL;
}

extern "C" const char *bf_peer_dense_describe(const bf_peer_dense *p)
{
  static const char *const name[] = {
      "cuBLAS getrfBatched",   "cuBLAS getriBatched",       "cuBLAS getrfBatched + getriBatched",
      "cuBLAS matinvBatched",  "cuSOLVER potrfBatched",     "cuSOLVER XsyevBatched",
      "cuSOLVER syevjBatched", "cuSOLVER syevd, 8 streams", "cuSOLVER sygvd, 8 streams",
      "published LU",          "published inverse"};
  return name[p->kind];
}
extern "C" const void *bf_peer_dense_result(const bf_peer_dense *p)
{
  return p->out ? p->out : p->a;
}
extern "C" const int *bf_peer_dense_pivots(const bf_peer_dense *p)
{
  return p->pivots;
}
extern "C" const int *bf_peer_dense_info(const bf_peer_dense *p)
{
  return p->info;
}
extern "C" const void *bf_peer_dense_values(const bf_peer_dense *p)
{
  return p->w;
}

} // namespace bf
