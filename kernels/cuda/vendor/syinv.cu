/* kernels/cuda/vendor/syinv.cu - cuSOLVER's inverses of one symmetric matrix; see vendor_syinv.h */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cuda/vendor/vendor_batched.cuh"
#include "kernels/vendor_syinv.h"
#include <new>
#include <stdlib.h>

/* the opaque type of the C interface */
struct bf_peer_syinv {
  bf_backend        *be;
  bf_peer_syinv_kind kind;
  bf_scalar          type;
  bf_int             n;
  void              *a, *x;  /* x: GETRS */
  void              *pivots; /* device, int or int64_t */
  int               *info;   /* device [2] */
  void              *room, *aside;
  size_t             room_bytes, aside_bytes;
  cusolverDnHandle_t solver;
  cusolverDnParams_t params;
};

namespace bf
{

#define ROUTINES(L, T)                                                                                       \
  static bf_err room_of(bf_peer_syinv *p, T *a)                                                              \
  {                                                                                                          \
    const cublasFillMode_t half = CUBLAS_FILL_MODE_LOWER;                                                    \
    int                    one = 0, two = 0;                                                                 \
    if (p->kind == BF_PEER_POTRI) {                                                                          \
      SOLVER(cusolverDn##L##potrf_bufferSize(p->solver, half, p->n, a, p->n, &one));                         \
      SOLVER(cusolverDn##L##potri_bufferSize(p->solver, half, p->n, a, p->n, &two));                         \
    } else {                                                                                                 \
      SOLVER(cusolverDn##L##sytrf_bufferSize(p->solver, p->n, a, p->n, &one));                               \
      SOLVER(cusolverDn##L##sytri_bufferSize(p->solver, half, p->n, a, p->n, (int *)p->pivots, &two));       \
    }                                                                                                        \
    p->room_bytes = (size_t)(one > two ? one : two) * sizeof(T);                                             \
    return BF_OK;                                                                                            \
  }                                                                                                          \
  static bf_err invert(bf_peer_syinv *p, T *a)                                                               \
  {                                                                                                          \
    const cublasFillMode_t half = CUBLAS_FILL_MODE_LOWER;                                                    \
    T                     *room = (T *)p->room;                                                              \
    const int              most = (int)(p->room_bytes / sizeof(T));                                          \
    int                   *ipiv = (int *)p->pivots;                                                          \
    if (p->kind == BF_PEER_POTRI) {                                                                          \
      SOLVER(cusolverDn##L##potrf(p->solver, half, p->n, a, p->n, room, most, p->info));                     \
      SOLVER(cusolverDn##L##potri(p->solver, half, p->n, a, p->n, room, most, p->info + 1));                 \
    } else {                                                                                                 \
      SOLVER(cusolverDn##L##sytrf(p->solver, half, p->n, a, p->n, ipiv, room, most, p->info));               \
      SOLVER(cusolverDn##L##sytri(p->solver, half, p->n, a, p->n, ipiv, room, most, p->info + 1));           \
    }                                                                                                        \
    return BF_OK;                                                                                            \
  }
ROUTINES(S, float)
ROUTINES(D, double)

static cudaDataType type_of(const bf_peer_syinv *p)
{
  return p->type == BF_S ? CUDA_R_32F : CUDA_R_64F;
}

template <class T>
static __global__ void identity(int n, T *X)
{
  const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x), j = (int)blockIdx.y;
  if (i < n) X[(size_t)j * (size_t)n + i] = i == j;
}

static bf_err by_lu(bf_peer_syinv *p)
{
  const dim3         blocks(bf_cuda_blocks(p->n, 256), (unsigned)p->n);
  const cudaStream_t s    = bf_cuda_of(p->be)->stream;
  int64_t           *ipiv = (int64_t *)p->pivots;
  SOLVER(cusolverDnXgetrf(p->solver, p->params, p->n, p->n, type_of(p), p->a, p->n, ipiv, type_of(p), p->room,
                          p->room_bytes, p->aside, p->aside_bytes, p->info));
  if (p->type == BF_S)
    identity<<<blocks, 256, 0, s>>>(p->n, (float *)p->x);
  else
    identity<<<blocks, 256, 0, s>>>(p->n, (double *)p->x);
  SOLVER(cusolverDnXgetrs(p->solver, p->params, CUBLAS_OP_N, p->n, p->n, type_of(p), p->a, p->n, ipiv,
                          type_of(p), p->x, p->n, p->info + 1));
  return BF_OK;
}

static bf_err prepare(bf_peer_syinv *p)
{
  const size_t square = (size_t)p->n * (size_t)p->n * bf_scalar_bytes(p->type);
  SOLVER(cusolverDnCreate(&p->solver));
  SOLVER(cusolverDnSetStream(p->solver, bf_cuda_of(p->be)->stream));
  SOLVER(cusolverDnCreateParams(&p->params));
  BF_TRY(BF_CUDA(cudaMalloc(&p->info, 2 * sizeof *p->info)));
  BF_TRY(BF_CUDA(cudaMemset(p->info, 0, 2 * sizeof *p->info)));
  BF_TRY(BF_CUDA(cudaMalloc(&p->pivots, (size_t)p->n * sizeof(int64_t))));
  if (p->kind == BF_PEER_GETRS) {
    BF_TRY(BF_CUDA(cudaMalloc(&p->x, square)));
    SOLVER(cusolverDnXgetrf_bufferSize(p->solver, p->params, p->n, p->n, type_of(p), p->a, p->n, type_of(p),
                                       &p->room_bytes, &p->aside_bytes));
    p->aside = p->aside_bytes > 0 ? malloc(p->aside_bytes) : NULL;
    BF_CHECK(p->aside || p->aside_bytes == 0, BF_E_MEMORY, "no memory for %zu bytes", p->aside_bytes);
  } else
    BF_TRY(p->type == BF_S ? room_of(p, (float *)p->a) : room_of(p, (double *)p->a));
  return BF_CUDA(cudaMalloc(&p->room, p->room_bytes + 1));
}

extern "C" bf_err bf_peer_syinv_create(bf_backend *be, bf_peer_syinv_kind kind, bf_scalar type, bf_int n,
                                       void *a, bf_peer_syinv **out)
{
  BF_CHECK(be && be->ops.on_device && a && out && (type == BF_S || type == BF_D), BF_E_ARG, "bad argument");
  bf_peer_syinv *p = new (std::nothrow) bf_peer_syinv();
  BF_CHECK(p, BF_E_MEMORY, "no memory for a peer");
  p->be            = be;
  p->kind          = kind;
  p->type          = type;
  p->n             = n;
  p->a             = a;
  const bf_err err = prepare(p);
  if (err != BF_OK) bf_peer_syinv_destroy(&p);
  *out = p;
  return err;
}

extern "C" bf_err bf_peer_syinv_run(void *peer)
{
  bf_peer_syinv *p = (bf_peer_syinv *)peer;
  if (p->kind == BF_PEER_GETRS) return by_lu(p);
  return p->type == BF_S ? invert(p, (float *)p->a) : invert(p, (double *)p->a);
}

extern "C" void bf_peer_syinv_destroy(bf_peer_syinv **p)
{
  if (!p || !*p) return;
  bf_peer_syinv *q = *p;
  if (q->params) cusolverDnDestroyParams(q->params);
  if (q->solver) cusolverDnDestroy(q->solver);
  cudaFree(q->info);
  cudaFree(q->pivots);
  cudaFree(q->x);
  cudaFree(q->room);
  free(q->aside);
  delete q;
  *p = NULL;
}

extern "C" const char *bf_peer_syinv_describe(const bf_peer_syinv *p)
{
  return p->kind == BF_PEER_POTRI   ? "cuSOLVER potrf + potri"
         : p->kind == BF_PEER_GETRS ? "cuSOLVER getrf + getrs(I)"
                                    : "cuSOLVER sytrf + sytri";
}

extern "C" void *bf_peer_syinv_result(bf_peer_syinv *p)
{
  return p->kind == BF_PEER_GETRS ? p->x : p->a;
}

extern "C" bf_err bf_peer_syinv_info(bf_peer_syinv *p, int *info)
{
  int both[2];
  BF_TRY(p->be->ops.copy(p->be, both, p->info, sizeof both, BF_TO_HOST));
  *info = both[0] ? both[0] : both[1];
  return BF_OK;
}

} // namespace bf
