/* kernels/cuda/peers_krylov.cu - the library loop: cuSPARSE and cuBLAS, one call an operation; see
 * kernels/peers.h
 *
 * Source: the conjugate gradient sample of NVIDIA's CUDALibrarySamples, here with all scalars on the device,
 * and with Jacobi by cublasDdgmm.
 */
#include "kernels/cuda/peers.cuh"

enum { VECTORS = 4 };
enum { RHO, RHO_NEW, PQ, ALPHA, MINUS_ALPHA, BETA, RR, ONE, MINUS_ONE, SCALARS }; /* on the device */

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
