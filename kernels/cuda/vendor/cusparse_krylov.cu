/* kernels/cuda/vendor/cusparse_krylov.cu - CG and BiCGStab by cuSPARSE and cuBLAS, one call per operation;
 * see kernels/vendor.h
 *
 * Source     the conjugate gradient sample of NVIDIA's CUDALibrarySamples, with all scalars on the device
 *            and Jacobi by cublasDdgmm.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cuda/vendor/vendor.cuh"

namespace bf
{

enum { VECTORS = 5 };
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
  TS,
  TT,
  OMEGA,
  MINUS_OMEGA,
  SCALARS
}; /* on the device */

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

/* z = dinv r; without preconditioner z is r. */
static bf_err precondition(bf_peer *p, const double *dinv, const double *r, double *z)
{
  const int n = p->A->nrows;
  if (dinv) BLAS(cublasDdgmm(p->blas, CUBLAS_SIDE_LEFT, n, 1, r, n, dinv, 1, z, n));
  return BF_OK;
}

extern "C" bf_err bf_peer_cg(bf_peer *p, const double *b, double *x, const double *dinv, int iterations,
                             int host_check, double *rr)
{
  BF_CHECK(p && b && x && p->A->prec == BF_FP64, BF_E_ARG, "peer CG: null argument or not fp64");
  const int          n      = p->A->nrows;
  const cudaStream_t stream = bf_cuda_of(p->be)->stream;
  if (!p->vector) BF_TRY(BF_CUDA(cudaMalloc(&p->vector, VECTORS * (size_t)n * sizeof(double))));
  if (!p->scalar) BF_TRY(BF_CUDA(cudaMalloc(&p->scalar, SCALARS * sizeof(double))));
  double         *r = p->vector, *d = r + n, *q = d + n, *z = dinv ? q + n : r, *s = p->scalar;
  double          host = 0.0;
  bf_peer_vectors start, step;
  BF_TRY(bf_peer_describe_vectors(p, x, q, &start));
  BF_TRY(bf_peer_describe_vectors(p, d, q, &step));
  BF_TRY(bf_peer_product(p, start, p->algorithm, p->buffer));
  constants<<<1, 1, 0, stream>>>(s);
  BLAS(cublasDcopy(p->blas, n, b, 1, r, 1));
  BLAS(cublasDaxpy(p->blas, n, s + MINUS_ONE, q, 1, r, 1));
  BF_TRY(precondition(p, dinv, r, z));
  BLAS(cublasDcopy(p->blas, n, z, 1, d, 1));
  BLAS(cublasDdot(p->blas, n, r, 1, z, 1, s + RHO));
  for (int i = 0; i < iterations; i++) {
    BF_TRY(bf_peer_product(p, step, p->algorithm, p->buffer));
    BLAS(cublasDdot(p->blas, n, d, 1, q, 1, s + PQ));
    step_length<<<1, 1, 0, stream>>>(s);
    BLAS(cublasDaxpy(p->blas, n, s + ALPHA, d, 1, x, 1));
    BLAS(cublasDaxpy(p->blas, n, s + MINUS_ALPHA, q, 1, r, 1));
    BF_TRY(precondition(p, dinv, r, z));
    BLAS(cublasDdot(p->blas, n, r, 1, z, 1, s + RHO_NEW));
    if (host_check) { /* without preconditioner r.r is computed already */
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

/* ---- BiCGStab ---- */

static __global__ void step_omega(double *s)
{
  s[OMEGA]       = s[TS] / s[TT];
  s[MINUS_OMEGA] = -s[OMEGA];
}
static __global__ void step_stabilised(double *s)
{
  s[BETA] = s[RHO_NEW] / s[RHO] * (s[ALPHA] / s[OMEGA]);
  s[RHO]  = s[RHO_NEW];
}

/* y += s[which] x */
static bf_err add(bf_peer *p, int which, const double *x, double *y)
{
  BLAS(cublasDaxpy(p->blas, p->A->nrows, p->scalar + which, x, 1, y, 1));
  return BF_OK;
}
static bf_err dot(bf_peer *p, const double *x, const double *y, int which)
{
  BLAS(cublasDdot(p->blas, p->A->nrows, x, 1, y, 1, p->scalar + which));
  return BF_OK;
}

static bf_err stabilised_step(bf_peer *p, const bf_peer_vectors &first, const bf_peer_vectors &second,
                              double *x)
{
  const cudaStream_t stream = bf_cuda_of(p->be)->stream;
  const int          n      = p->A->nrows;
  double            *r = p->vector, *r0 = r + n, *d = r0 + n, *v = d + n, *t = v + n, *s = p->scalar;
  BF_TRY(bf_peer_product(p, first, p->algorithm, p->buffer));
  BF_TRY(dot(p, r0, v, PQ));
  step_length<<<1, 1, 0, stream>>>(s);
  BF_TRY(add(p, MINUS_ALPHA, v, r));
  BF_TRY(bf_peer_product(p, second, p->algorithm, p->buffer));
  BF_TRY(dot(p, t, r, TS));
  BF_TRY(dot(p, t, t, TT));
  step_omega<<<1, 1, 0, stream>>>(s);
  BF_TRY(add(p, ALPHA, d, x));
  BF_TRY(add(p, OMEGA, r, x));
  BF_TRY(add(p, MINUS_OMEGA, t, r));
  BF_TRY(dot(p, r0, r, RHO_NEW));
  step_stabilised<<<1, 1, 0, stream>>>(s);
  BF_TRY(add(p, MINUS_OMEGA, v, d));
  BLAS(cublasDscal(p->blas, n, s + BETA, d, 1));
  return add(p, ONE, r, d);
}

extern "C" bf_err bf_peer_bicgstab(bf_peer *p, const double *b, double *x, int iterations, double *rr)
{
  BF_CHECK(p && b && x && p->A->prec == BF_FP64, BF_E_ARG, "peer BiCGStab: null argument or not fp64");
  const int          n      = p->A->nrows;
  const cudaStream_t stream = bf_cuda_of(p->be)->stream;
  if (!p->vector) BF_TRY(BF_CUDA(cudaMalloc(&p->vector, VECTORS * (size_t)n * sizeof(double))));
  if (!p->scalar) BF_TRY(BF_CUDA(cudaMalloc(&p->scalar, SCALARS * sizeof(double))));
  double         *r = p->vector, *r0 = r + n, *d = r0 + n, *v = d + n, *t = v + n;
  bf_peer_vectors start, first, second;
  BF_TRY(bf_peer_describe_vectors(p, x, v, &start));
  BF_TRY(bf_peer_describe_vectors(p, d, v, &first));
  BF_TRY(bf_peer_describe_vectors(p, r, t, &second));
  constants<<<1, 1, 0, stream>>>(p->scalar);
  BF_TRY(bf_peer_product(p, start, p->algorithm, p->buffer));
  BLAS(cublasDcopy(p->blas, n, b, 1, r, 1));
  BF_TRY(add(p, MINUS_ONE, v, r));
  BLAS(cublasDcopy(p->blas, n, r, 1, r0, 1));
  BLAS(cublasDcopy(p->blas, n, r, 1, d, 1));
  BF_TRY(dot(p, r, r, RHO));
  for (int i = 0; i < iterations; i++) BF_TRY(stabilised_step(p, first, second, x));
  if (!rr) return BF_CUDA(cudaGetLastError());
  BF_TRY(dot(p, r, r, RR));
  BF_TRY(BF_CUDA(cudaMemcpyAsync(rr, p->scalar + RR, sizeof *rr, cudaMemcpyDeviceToHost, stream)));
  return BF_CUDA(cudaStreamSynchronize(stream));
}

} // namespace bf
