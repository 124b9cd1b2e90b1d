/* kernels/cuda/fem/element_stiffness.cu - element matrices
 *
 * Computes   Ke = sum_q c_q B^T C B, c_q = scale factor w_q det J, with C constant in an element.
 *            Gradient and strain form: with G_a = grad N_a the sums over the points are M_ab[k][l] =
 *            sum_q c_q G_a[k] G_b[l], and C enters once, after the sum: GRAD    K_ab       = sum_kl
 *            C[k][l] M_ab[k][l] STRAIN  K_ab[i][j] = sum_kl C[row(i,k)][row(j,l)] M_ab[k][l],   row
 *            of b_form. In a body of revolution G_a has a third entry N_a/r for the hoop strain.
 *            Incompatible modes stand behind the nodes; mode i has the gradient d_i (det J0/det J)
 *            J0^-T e_i. Mass form: K_ab[i][j] = C[i][j] sum_q c_q N_a N_b.
 * Source     Hughes, The Finite Element Method, ch. 2.7-3 (isoparametric elements, B); the exchange
 *            of the sum over points with the contraction by C is plain linearity.
 * Layout     Ke[e1-e0][nd][nd], full; the block (b, a) is written as the transpose of (a, b), so Ke
 *            is exactly symmetric.
 * Cost       per element nq*(18 nen + 40) + nen(nen+1)/2 (12 nq + 81) multiply-adds in 3D elasticity;
 *            8 nd^2 bytes written.
 * Launch     128 threads a block on a group of elements (element_geometry.cuh); a thread owns node
 *            pairs (a <= b).
 * Checked    tests/kernels/fem/t320_element.c against dense B^T C B and patch identities.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cuda/fem/element_geometry.cuh"

namespace bf
{

/* Blocks (a, b) and (b, a) of an element matrix of order nd. */
template <int D>
static __device__ __forceinline__ void store_pair(double *K, int nd, int a, int b,
                                                  const double (&block)[D][D])
{
#pragma unroll
  for (int i = 0; i < D; i++)
#pragma unroll
    for (int j = 0; j < D; j++) {
      const bool   mirrored = a == b && i > j; /* equal but for rounding: take the upper half */
      const double v        = mirrored ? block[j][i] : block[i][j];
      K[(int64_t)(b * D + j) * nd + a * D + i] = v;
      if (a != b) K[(int64_t)(a * D + i) * nd + b * D + j] = v;
    }
}

/* Gradients g[SD][SD] of the modes at point q, where the element has det J = det. */
template <int SD>
static __device__ __forceinline__ void mode_gradients(const bf_element_batch &E, int q, const double *x,
                                                      double det, double *g)
{
  double J0[SD][SD], inv0[SD][SD];
  jacobian_of<SD>(E.nen, E.dN0, x, J0);
  const double ratio = invert<SD>(J0, inv0) / det;
#pragma unroll
  for (int i = 0; i < SD; i++)
#pragma unroll
    for (int s = 0; s < SD; s++) g[i * SD + s] = ratio * __ldg(E.dM + q * SD + i) * inv0[i][s];
}

/* b_form selects the form.  Shared memory: coordinates, then for each (element, point) the gradients
 * G[nodes and modes][DIRS] and the weight c_q. */
template <int SD, int D, bool HOOP, bool MODES>
static __global__ void __launch_bounds__(ELEMENT_THREADS)
    stiffness(bf_element_batch E, bf_int e0, bf_int e1, int group, double *__restrict__ Ke)
{
  extern __shared__ double shared[];
  using B            = b_form<SD, D, HOOP>;
  constexpr int DIRS = B::DIRS;
  const int     nen = E.nen, nq = E.nq, nn = nen + (MODES ? SD : 0), nd = nn * D, xs = coordinate_stride(nen),
            gs       = (nn * DIRS + 1) | 1;
  const bf_int first = e0 + (bf_int)blockIdx.x * group;
  const int    count = min(group, e1 - first);
  double      *x = shared, *g = shared + group * xs;
  gather(E, first, count, 3, xs, E.x, x);
  __syncthreads();
  for (int t = (int)threadIdx.x; t < count * nq; t += ELEMENT_THREADS) {
    const int     i = t / nq, q = t - i * nq;
    const double *dN = E.dN + (int64_t)q * nen * SD;
    double        J[SD][SD], inv[SD][SD], *gt = g + t * gs;
    jacobian<SD>(E, x + i * xs, q, J);
    const double det = invert<SD>(J, inv);
    gt[nn * DIRS]    = point_weight(E, first + i, q) * det * axis_length(E, x + i * xs, q);
    if constexpr (MODES) mode_gradients<SD>(E, q, x + i * xs, det, gt + nen * DIRS);
    for (int a = 0; a < nen; a++)
#pragma unroll
      for (int s = 0; s < SD; s++) {
        double d = 0.0;
#pragma unroll
        for (int r = 0; r < SD; r++) d += __ldg(dN + a * SD + r) * inv[r][s];
        gt[a * DIRS + s] = d;
      }
    if constexpr (HOOP) {
      const double per_r = 1.0 / radius(E, x + i * xs, q);
      for (int a = 0; a < nen; a++) gt[a * DIRS + 2] = per_r * __ldg(E.N + q * nen + a);
    }
  }
  __syncthreads();
  const int pairs = nn * (nn + 1) / 2;
  for (int t = (int)threadIdx.x; t < count * pairs; t += ELEMENT_THREADS) {
    const int i = t / pairs;
    int       a, b;
    node_pair(t - i * pairs, a, b);
    double M[DIRS][DIRS] = {}, block[D][D] = {};
    for (int q = 0; q < nq; q++) {
      const double *gt = g + (i * nq + q) * gs, c = gt[nn * DIRS];
#pragma unroll
      for (int k = 0; k < DIRS; k++) {
        const double ca = c * gt[a * DIRS + k];
#pragma unroll
        for (int l = 0; l < DIRS; l++) M[k][l] += ca * gt[b * DIRS + l];
      }
    }
    const double *C = coefficients(E, first + i);
#pragma unroll
    for (int r = 0; r < D; r++)
#pragma unroll
      for (int c = 0; c < D; c++)
#pragma unroll
        for (int k = 0; k < DIRS; k++)
#pragma unroll
          for (int l = 0; l < DIRS; l++)
            if (B::row(r, k) >= 0 && B::row(c, l) >= 0)
              block[r][c] += __ldg(C + B::row(r, k) * B::NV + B::row(c, l)) * M[k][l];
    store_pair<D>(Ke + (int64_t)(first - e0 + i) * nd * nd, nd, a, b, block);
  }
}

/* Shared memory: coordinates, then the weight c_q of each (element, point). */
static __global__ void __launch_bounds__(ELEMENT_THREADS)
    mass(bf_element_batch E, bf_int e0, bf_int e1, int group, double *__restrict__ Ke)
{
  extern __shared__ double shared[];
  const int                nen = E.nen, nq = E.nq, D = E.ncomp, nd = nen * D, xs = coordinate_stride(nen);
  const bf_int             first = e0 + (bf_int)blockIdx.x * group;
  const int                count = min(group, e1 - first), pairs = nen * (nen + 1) / 2;
  double                  *x = shared, *c = shared + group * xs;
  gather(E, first, count, 3, xs, E.x, x);
  __syncthreads();
  for (int t = (int)threadIdx.x; t < count * nq; t += ELEMENT_THREADS) {
    const int i = t / nq, q = t - i * nq;
    c[t] = point_weight(E, first + i, q) * measure(E, x + i * xs, q) * axis_length(E, x + i * xs, q);
  }
  __syncthreads();
  for (int t = (int)threadIdx.x; t < count * pairs; t += ELEMENT_THREADS) {
    const int i = t / pairs;
    int       a, b;
    node_pair(t - i * pairs, a, b);
    double m = 0.0;
    for (int q = 0; q < nq; q++) m += c[i * nq + q] * (__ldg(E.N + q * nen + a) * __ldg(E.N + q * nen + b));
    const double *C = coefficients(E, first + i);
    double       *K = Ke + (int64_t)(first - e0 + i) * nd * nd;
    for (int r = 0; r < D; r++)
      for (int s = 0; s < D; s++) {
        const double v                           = m * C[r * D + s];
        K[(int64_t)(a * D + r) * nd + b * D + s] = v;
        K[(int64_t)(b * D + s) * nd + a * D + r] = v;
      }
  }
}

BF_CUDA_DECLARE(element.matrix, element_matrix);
bf_err bf_cuda_element_matrix(bf_backend *be, const bf_element_batch *E, bf_int e0, bf_int e1, double *Ke)
{
  BF_TRY(bf_element_batch_check_matrix(E));
  BF_TRY(element_range(E, e0, e1));
  if (e0 == e1) return BF_OK;
  if (E->form == BF_FORM_TRANSPORT) return bf_cuda_transport_matrix(be, E, e0, e1, Ke);
  const bool   by_mass = E->form == BF_FORM_MASS;
  const int    dirs    = E->revolved && E->form == BF_FORM_STRAIN ? 3 : E->sdim;
  const int    nn      = E->nen + (E->dN0 ? E->rdim : 0);
  const size_t point   = by_mass ? 1 : (size_t)((nn * dirs + 1) | 1);
  const size_t bytes   = ((size_t)coordinate_stride(E->nen) + (size_t)E->nq * point) * sizeof(double);
  const int    group   = element_group(bytes, e1 - e0);
  auto        *kernel  = by_mass ? mass : by_form(E, [E](auto form) {
    using B = decltype(form);
    if constexpr (B::D == B::SD && B::SD > 1 && !B::HOOP)
      if (E->dN0) return stiffness<B::SD, B::D, B::HOOP, true>;
    return stiffness<B::SD, B::D, B::HOOP, false>;
  });
  kernel<<<bf_cuda_blocks(e1 - e0, group), ELEMENT_THREADS, bytes *(size_t)group, bf_cuda_of(be)->stream>>>(
      *E, e0, e1, group, Ke);
  return BF_CUDA_LAUNCHED(be);
}

} // namespace bf
