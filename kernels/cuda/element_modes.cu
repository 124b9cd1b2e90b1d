/* kernels/cuda/element_modes.cu - elements with incompatible modes, condensed
 *
 * Computes   K = sum_q c_q B^T C B over nodes and modes, then Ke = Kuu - Kua Kaa^-1 Kau, or fe = Ke u.  A
 * mode stands behind the nodes with the gradient d_i (det J0/det J) J0^-T e_i (elements.h). Source Wilson,
 * Taylor, Doherty and Ghaboussi, in: Numerical and Computer Methods in Structural Mechanics (1973); Taylor,
 * Beresford and Wilson, Int. J. Numer. Meth. Eng. 10 (1976) 1211 (J0, det J0/det J). Layout     K of an
 * element lies in shared memory, rows of odd stride; the modes are eliminated one by one from the last row,
 * each entry by K[i][j] -= (K[p][i] K[p][j])/K[p][p], which keeps K exactly symmetric. Cost       hex8:
 * 33^2/2 entries from 8 points, then 9 updates of about 28^2 entries; 11 KB shared an element. Launch     128
 * threads a block on a group of elements (element.cuh): (element, point), then node pairs, then entries of K.
 * Checked    tests/t320_element.c against a dense solve with the modes.
 */
#include "kernels/cuda/element.cuh"

/* Gradients [nen + SD][SD] of nodes and modes at point q, then the weight c_q. */
template <int SD>
static __device__ __forceinline__ void gradients(const bf_element_batch &E, bf_int e, int q, const double *x,
                                                 double *g)
{
  const int     nen = E.nen;
  const double *dN  = E.dN + (int64_t)q * nen * SD;
  double        J[SD][SD], inv[SD][SD], J0[SD][SD], inv0[SD][SD];
  jacobian<SD>(E, x, q, J);
  jacobian_of<SD>(nen, E.dN0, x, J0);
  const double det = invert<SD>(J, inv), ratio = invert<SD>(J0, inv0) / det;
  for (int a = 0; a < nen; a++)
#pragma unroll
    for (int s = 0; s < SD; s++) {
      double d = 0.0;
#pragma unroll
      for (int r = 0; r < SD; r++) d += __ldg(dN + a * SD + r) * inv[r][s];
      g[a * SD + s] = d;
    }
#pragma unroll
  for (int i = 0; i < SD; i++)
#pragma unroll
    for (int s = 0; s < SD; s++) g[(nen + i) * SD + s] = ratio * E.dM[q * SD + i] * inv0[i][s];
  g[(nen + SD) * SD] = point_weight(E, e, q) * det;
}

/* Shared memory: coordinates, gradients of each (element, point), K of each element. */
template <int SD>
static __global__ void __launch_bounds__(ELEMENT_THREADS)
    with_modes(bf_element_batch E, bf_int e0, bf_int e1, int group, const double *__restrict__ u,
               double *__restrict__ out)
{
  extern __shared__ double shared[];
  using B          = b_form<SD, SD, false>;
  const int    nen = E.nen, nq = E.nq, nn = nen + SD, nd = nen * SD, n = nn * SD, ks = n | 1;
  const int    xs = coordinate_stride(nen), gs = (nn * SD + 1) | 1, pairs = nn * (nn + 1) / 2;
  const bf_int first = e0 + (bf_int)blockIdx.x * group;
  const int    count = min(group, e1 - first);
  double      *x = shared, *g = x + group * xs, *K = g + group * nq * gs;
  gather(E, first, count, 3, xs, E.x, x);
  __syncthreads();
  for (int t = (int)threadIdx.x; t < count * nq; t += ELEMENT_THREADS)
    gradients<SD>(E, first + t / nq, t % nq, x + t / nq * xs, g + t * gs);
  __syncthreads();
  for (int t = (int)threadIdx.x; t < count * pairs; t += ELEMENT_THREADS) {
    const int i = t / pairs;
    int       a, b;
    node_pair(t - i * pairs, a, b);
    double M[SD][SD] = {};
    for (int q = 0; q < nq; q++) {
      const double *gt = g + (i * nq + q) * gs, c = gt[nn * SD];
#pragma unroll
      for (int k = 0; k < SD; k++)
#pragma unroll
        for (int l = 0; l < SD; l++) M[k][l] += c * gt[a * SD + k] * gt[b * SD + l];
    }
    const double *C  = coefficients(E, first + i);
    double       *Ki = K + i * n * ks;
    for (int r = 0; r < SD; r++)
      for (int c = a == b ? r : 0; c < SD; c++) { /* of a diagonal block the upper half, mirrored */
        double s = 0.0;
#pragma unroll
        for (int k = 0; k < SD; k++)
#pragma unroll
          for (int l = 0; l < SD; l++) s += __ldg(C + B::row(r, k) * B::NV + B::row(c, l)) * M[k][l];
        Ki[(a * SD + r) * ks + b * SD + c] = s;
        Ki[(b * SD + c) * ks + a * SD + r] = s;
      }
  }
  __syncthreads();
  for (int p = n - 1; p >= nd; p--) {
    for (int t = (int)threadIdx.x; t < count * p * p; t += ELEMENT_THREADS) {
      const int     i = t / (p * p), k = t - i * p * p, r = k / p, c = k - r * p;
      double       *Ki  = K + i * n * ks;
      const double *row = Ki + p * ks;
      Ki[r * ks + c] -= row[r] * row[c] * (1.0 / row[p]);
    }
    __syncthreads();
  }
  const int each = u ? nd : nd * nd;
  for (int t = (int)threadIdx.x; t < count * each; t += ELEMENT_THREADS) {
    const int     i = t / each, k = t - i * each;
    const double *Ki = K + i * n * ks;
    double        v  = 0.0;
    if (u) {
      const bf_int *conn = E.conn + (int64_t)(first + i) * nen;
      for (int j = 0; j < nd; j++) v += Ki[k * ks + j] * u[(int64_t)conn[j / SD] * SD + j % SD];
    } else {
      v = Ki[k / nd * ks + k % nd];
    }
    out[(int64_t)(first - e0) * each + t] = v;
  }
}

bf_err bf_cuda_element_modes(bf_backend *be, const bf_element_batch *E, bf_int e0, bf_int e1, const double *u,
                             double *out)
{
  const int    SD = E->sdim, nn = E->nen + SD, n = nn * SD;
  const size_t doubles = (size_t)(coordinate_stride(E->nen) + E->nq * ((nn * SD + 1) | 1) + n * (n | 1));
  const int    group   = element_group(doubles * sizeof(double), e1 - e0);
  auto        *kernel  = SD == 2 ? with_modes<2> : with_modes<3>;
  const size_t bytes   = doubles * sizeof(double) * (size_t)group;
  BF_CHECK(bytes <= 48 << 10, BF_E_ARG, "incompatible modes: nen=%d with nq=%d points do not fit", E->nen,
           E->nq);
  kernel<<<bf_cuda_blocks(e1 - e0, group), ELEMENT_THREADS, bytes, bf_cuda_of(be)->stream>>>(*E, e0, e1,
                                                                                             group, u, out);
  return BF_CUDA_LAUNCHED(be);
}
