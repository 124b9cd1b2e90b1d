/* kernels/cuda/vendor/cusolver_eigen.cu - eigen-decompositions of cuSOLVER; see vendor_batch.h */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cuda/vendor/vendor_batched.cuh"
#include <stdlib.h>

namespace bf
{

static const cusolverEigMode_t VECTORS = CUSOLVER_EIG_MODE_VECTOR;
static const cublasFillMode_t  LOWER   = CUBLAS_FILL_MODE_LOWER;

/* ---- one name for the four types */
#define ROUTINES(L, NAME, PAIR, T, R)                                                                        \
  static cusolverStatus_t jacobi_room(cusolverDnHandle_t h, int n, T *a, R *w, int *items, syevjInfo_t j,    \
                                      int count)                                                             \
  {                                                                                                          \
    return cusolverDn##L##NAME##jBatched_bufferSize(h, VECTORS, LOWER, n, a, n, w, items, j, count);         \
  }                                                                                                          \
  static cusolverStatus_t jacobi(cusolverDnHandle_t h, int n, T *a, R *w, T *room, int items, int *info,     \
                                 syevjInfo_t j, int count)                                                   \
  {                                                                                                          \
    return cusolverDn##L##NAME##jBatched(h, VECTORS, LOWER, n, a, n, w, room, items, info, j, count);        \
  }                                                                                                          \
  static cusolverStatus_t single_room(cusolverDnHandle_t h, int n, T *a, R *w, int *items)                   \
  {                                                                                                          \
    return cusolverDn##L##NAME##d_bufferSize(h, VECTORS, LOWER, n, a, n, w, items);                          \
  }                                                                                                          \
  static cusolverStatus_t single(cusolverDnHandle_t h, int n, T *a, R *w, T *room, int items, int *info)     \
  {                                                                                                          \
    return cusolverDn##L##NAME##d(h, VECTORS, LOWER, n, a, n, w, room, items, info);                         \
  }                                                                                                          \
  static cusolverStatus_t pair_room(cusolverDnHandle_t h, int n, T *a, R *w, int *items)                     \
  {                                                                                                          \
    return cusolverDn##L##PAIR##d_bufferSize(h, CUSOLVER_EIG_TYPE_1, VECTORS, LOWER, n, a, n, a, n, w,       \
                                             items);                                                         \
  }                                                                                                          \
  static cusolverStatus_t pair(cusolverDnHandle_t h, int n, T *a, R *w, T *room, int items, int *info)       \
  {                                                                                                          \
    return cusolverDn##L##PAIR##d(h, CUSOLVER_EIG_TYPE_1, VECTORS, LOWER, n, a, n, a + (size_t)n * n, n, w,  \
                                  room, items, info);                                                        \
  }
ROUTINES(S, syev, sygv, float, float)
ROUTINES(D, syev, sygv, double, double)
ROUTINES(C, heev, hegv, cuComplex, float)
ROUTINES(Z, heev, hegv, cuDoubleComplex, double)

static cudaDataType scalar_type(const bf_peer_dense *p)
{
  static const cudaDataType type[] = {CUDA_R_32F, CUDA_R_64F, CUDA_C_32F, CUDA_C_64F};
  return type[p->type];
}
static cudaDataType real_type(const bf_peer_dense *p)
{
  return p->type == BF_S || p->type == BF_C ? CUDA_R_32F : CUDA_R_64F;
}

/* ---- workspaces */
static bf_err xsyev_workspace(bf_peer_dense *p)
{
  SOLVER(cusolverDnCreateParams(&p->params));
  SOLVER(cusolverDnXsyevBatched_bufferSize(p->solver, p->params, VECTORS, LOWER, p->n, scalar_type(p), p->a,
                                           p->n, real_type(p), p->w, scalar_type(p), &p->workspace_bytes,
                                           &p->aside_bytes, p->count));
  return BF_OK;
}

template <typename T, typename R>
static bf_err typed_workspace(bf_peer_dense *p)
{
  int items = 0;
  T  *a     = reinterpret_cast<T *>(p->a);
  R  *w     = reinterpret_cast<R *>(p->w);
  if (p->kind == BF_PEER_SYEVD)
    SOLVER(single_room(p->solver, p->n, a, w, &items));
  else if (p->kind == BF_PEER_SYGVD)
    SOLVER(pair_room(p->solver, p->n, a, w, &items));
  else
    SOLVER(jacobi_room(p->solver, p->n, a, w, &items, p->jacobi, p->count));
  p->workspace_bytes = (size_t)items * sizeof(T);
  return BF_OK;
}

static bool in_streams(const bf_peer_dense *p)
{
  return p->kind == BF_PEER_SYEVD || p->kind == BF_PEER_SYGVD;
}

static bf_err streams(bf_peer_dense *p)
{
  BF_TRY(BF_CUDA(cudaEventCreateWithFlags(&p->fork, cudaEventDisableTiming)));
  for (int k = 0; k < BF_PEER_STREAMS; k++) {
    BF_TRY(BF_CUDA(cudaStreamCreateWithFlags(&p->stream[k], cudaStreamNonBlocking)));
    BF_TRY(BF_CUDA(cudaEventCreateWithFlags(&p->join[k], cudaEventDisableTiming)));
    SOLVER(cusolverDnCreate(&p->each[k]));
    SOLVER(cusolverDnSetStream(p->each[k], p->stream[k]));
  }
  return BF_OK;
}

bf_err bf_peer_eigen_fill(bf_peer_dense *p)
{
  const size_t item = real_type(p) == CUDA_R_32F ? 4 : 8;
  BF_TRY(BF_CUDA(cudaMalloc(&p->w, (size_t)p->batches * (size_t)p->count * (size_t)p->n * item)));
  if (p->kind == BF_PEER_SYEVJ) SOLVER(cusolverDnCreateSyevjInfo(&p->jacobi));
  if (in_streams(p)) BF_TRY(streams(p));
  if (p->kind == BF_PEER_XSYEV)
    BF_TRY(xsyev_workspace(p));
  else if (p->type == BF_S)
    BF_TRY((typed_workspace<float, float>(p)));
  else if (p->type == BF_D)
    BF_TRY((typed_workspace<double, double>(p)));
  else if (p->type == BF_C)
    BF_TRY((typed_workspace<cuComplex, float>(p)));
  else
    BF_TRY((typed_workspace<cuDoubleComplex, double>(p)));
  const size_t rooms = in_streams(p) ? BF_PEER_STREAMS : 1;
  p->workspace_bytes = (p->workspace_bytes + 255) / 256 * 256;
  BF_TRY(BF_CUDA(cudaMalloc(&p->room, rooms * p->workspace_bytes + 256)));
  p->aside = p->aside_bytes > 0 ? malloc(p->aside_bytes) : NULL;
  BF_CHECK(p->aside || p->aside_bytes == 0, BF_E_MEMORY, "peer: %zu bytes", p->aside_bytes);
  return BF_OK;
}

/* ---- runs */
template <typename T, typename R>
static bf_err typed_run(bf_peer_dense *p, T *a, R *w, int *info)
{
  const int items = (int)(p->workspace_bytes / sizeof(T));
  if (!in_streams(p)) {
    SOLVER(jacobi(p->solver, p->n, a, w, static_cast<T *>(p->room), items, info, p->jacobi, p->count));
    return BF_OK;
  }
  const cudaStream_t main = bf_cuda_of(p->be)->stream;
  BF_TRY(BF_CUDA(cudaEventRecord(p->fork, main)));
  for (int k = 0; k < BF_PEER_STREAMS; k++) BF_TRY(BF_CUDA(cudaStreamWaitEvent(p->stream[k], p->fork, 0)));
  for (int i = 0; i < p->count; i++) {
    const int    k    = i % BF_PEER_STREAMS;
    T           *room = reinterpret_cast<T *>(static_cast<char *>(p->room) + (size_t)k * p->workspace_bytes);
    R           *wi   = w + (size_t)i * p->n;
    const size_t from = (size_t)i * p->n * p->n;
    if (p->kind == BF_PEER_SYGVD)
      SOLVER(pair(p->each[k], p->n, a + 2 * from, wi, room, items, info + i));
    else
      SOLVER(single(p->each[k], p->n, a + from, wi, room, items, info + i));
  }
  for (int k = 0; k < BF_PEER_STREAMS; k++) {
    BF_TRY(BF_CUDA(cudaEventRecord(p->join[k], p->stream[k])));
    BF_TRY(BF_CUDA(cudaStreamWaitEvent(main, p->join[k], 0)));
  }
  return BF_OK;
}

bf_err bf_peer_eigen_run(bf_peer_dense *p, int batch)
{
  const size_t item = real_type(p) == CUDA_R_32F ? 4 : 8;
  char        *a = p->a + (size_t)batch * p->bytes, *w = p->w + (size_t)batch * p->count * p->n * item;
  int         *info = p->info + (size_t)batch * p->count;
  if (p->kind == BF_PEER_XSYEV) {
    SOLVER(cusolverDnXsyevBatched(p->solver, p->params, VECTORS, LOWER, p->n, scalar_type(p), a, p->n,
                                  real_type(p), w, scalar_type(p), p->room, p->workspace_bytes, p->aside,
                                  p->aside_bytes, info, p->count));
    return BF_OK;
  }
  switch (p->type) {
  case BF_S: return typed_run(p, reinterpret_cast<float *>(a), reinterpret_cast<float *>(w), info);
  case BF_D: return typed_run(p, reinterpret_cast<double *>(a), reinterpret_cast<double *>(w), info);
  case BF_C: return typed_run(p, reinterpret_cast<cuComplex *>(a), reinterpret_cast<float *>(w), info);
  case BF_Z: break;
  }
  return typed_run(p, reinterpret_cast<cuDoubleComplex *>(a), reinterpret_cast<double *>(w), info);
}

void bf_peer_eigen_free(bf_peer_dense *p)
{
  if (p->jacobi) cusolverDnDestroySyevjInfo(p->jacobi);
  if (p->params) cusolverDnDestroyParams(p->params);
  for (int k = 0; k < BF_PEER_STREAMS; k++) {
    if (p->each[k]) cusolverDnDestroy(p->each[k]);
    if (p->join[k]) cudaEventDestroy(p->join[k]);
    if (p->stream[k]) cudaStreamDestroy(p->stream[k]);
  }
  if (p->fork) cudaEventDestroy(p->fork);
  cudaFree(p->w);
  cudaFree(p->room);
  free(p->aside);
}

} // namespace bf
