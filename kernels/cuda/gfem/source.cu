/* kernels/cuda/gfem/source.cu - volume loads of generalised finite elements
 *
 * Computes   fe = sum_p c_p psi f(p), c_p = scale w det J.
 * Source     docs/theory/gfem.md.
 * Layout     gfem.h, element_values.cuh.
 * Cost       per point width*ncomp multiply-adds besides those of element_values.cuh; the C of the corners
 *            and f read, 8 nd bytes written.
 * Launch     128 threads, 1 to 8 elements; in the last step a thread owns a component of a node.
 * Order      every sum has a fixed order.
 * Checked    tests/assembly/gfem/t675_gfem_backend.c.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cuda/gfem/element_values.cuh"

namespace bf
{

/* One (element, node, component) a thread in the last step. */
template <int DIM, int ORDER>
static __global__ void __launch_bounds__(THREADS)
    source(bf_gfem_fits F, bf_gfem_batch B, const bf_int *__restrict__ conn, plan P, bf_element_source f,
           double *__restrict__ fe, int *violation)
{
  extern __shared__ double shared[];
  constexpr int            TERMS =
      DIM == 2 ? (ORDER + 1) * (ORDER + 2) / 2 : (ORDER + 1) * (ORDER + 2) * (ORDER + 3) / 6;
  char        *base  = reinterpret_cast<char *>(shared);
  const bf_int first = (bf_int)blockIdx.x * P.group;
  const int    count = min(P.group, B.ne - first), D = B.ncomp, nd = B.width * D;
  load_elements(F, B, conn, first, count, base, P.bytes, TERMS, 1, P.chunk, violation);
  for (int p0 = 0; p0 < B.nq; p0 += P.chunk) {
    const int np = min(P.chunk, B.nq - p0);
    weigh<DIM, ORDER, true>(F, B, first, count, base, P.bytes, P.chunk, p0, np);
    __syncthreads();
    sum_corners<TERMS, 1>(F, B, count, base, P.bytes, P.chunk, np);
    __syncthreads();
    for (int t = (int)threadIdx.x; t < count * nd; t += THREADS) {
      const int     i = t / nd, a = (t - i * nd) / D, k = t - i * nd - a * D;
      const element s  = element_of(base + i * P.bytes, B.nen, B.width, TERMS, 1, P.chunk);
      double       *to = fe + (int64_t)(first + i) * nd + a * D + k, sum = p0 > 0 ? *to : 0.0;
      const double *v = f.value + (int64_t)(first + i) * f.stride_e + (int64_t)p0 * f.stride_q + k;
      for (int p = 0; p < np; p++) sum += s.c[p] * s.d[(size_t)p * B.width + a] * v[p * f.stride_q];
      *to = sum;
    }
    __syncthreads();
  }
}

template <int DIM, int ORDER>
struct launch_source {
  static void run(bf_cuda *cu, const bf_gfem_fits *F, const bf_gfem_batch *B, const bf_int *conn, plan P,
                  const bf_element_source *f, double *fe)
  {
    source<DIM, ORDER><<<bf_cuda_blocks(B->ne, P.group), THREADS, P.bytes *(size_t)P.group, cu->stream>>>(
        *F, *B, conn, P, *f, fe, cu->violation);
  }
};

BF_CUDA_DECLARE(gfem.source, gfem_source);
bf_err bf_cuda_gfem_source(bf_backend *be, const bf_gfem_fits *F, const bf_gfem_batch *B, const bf_int *conn,
                           const bf_element_source *f, double *fe)
{
  BF_TRY(bf_gfem_batch_check(F, B, 0));
  BF_CHECK(f && f->value, BF_E_ARG, "source: a value is missing");
  if (B->ne == 0) return BF_OK;
  const plan P  = plan_of(F, B, 1);
  bf_cuda   *cu = bf_cuda_of(be);
  cu->watch     = true;
  by_order<launch_source>(F, cu, F, B, conn, P, f, fe);
  return BF_CUDA_LAUNCHED(be);
}

} // namespace bf
