/* kernels/cuda/fem/element_advection.cu - the TRANSPORT form (kernels/elements.h): matrices, forces, loads
 *
 * Computes   Ke[a][b] = sum_q c_q (D g_a . g_b + W_a (s_b + r N_b) - tau s_a D l_b)
 *                       g = grad N, s = v . g, W = N + tau s, l = lap N
 *            fe = Ke u  = sum_q sum_i dN_a/dxi_i P_q[i] + N_a H_q,    w = dxi/dx v
 *                       P[i] = c (D (dxi/dx grad u)_i + tau w_i (v . grad u + r u - D lap u))
 *                       H    = c (v . grad u + r u)
 *            loads        P[i] = c tau w_i f,  H = c f
 *            lap N_a    = L_a - g_a . sum_b x_b L_b,  L_a = sum_rs G[r][s] d2N_a/dxi_r dxi_s,
 *                       G = dxi/dx dxi/dx^T; in a body of revolution + dN_a/dr / r.
 * Source     as kernels/supg.h; the chain rule twice.
 * Layout     Ke[e1-e0][nen][nen], full and unsymmetric.
 * Cost       matrix about nq (nen^2 14 + 60 nen) flops an element; vectors nq 40 nen.
 * Launch     128 threads a block on a group of elements (element_geometry.cuh): one (element, point) a thread
 *            leaves geometry and coefficients, or P and H, in shared memory; then one entry a thread sums
 *            over the points in order.
 * Checked    tests/assembly/physics/t213_transport.c against the definition and identities.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cuda/fem/element_geometry.cuh"
#include "kernels/supg.h"

namespace bf
{

/* Geometry and coefficients at one point. */
template <int SD>
struct point_data {
  double inv[SD][SD];                       /* dxi_r/dx_s */
  double c, tau, D, r, v[SD], w[SD], per_r; /* w = inv v */
};

template <int SD>
static __device__ __forceinline__ void point_data_of(const bf_element_batch &E, bf_int e, int q,
                                                     const double *x, point_data<SD> &p)
{
  const double *C = E.Cq ? E.Cq + ((int64_t)e * E.nq + q) * E.nv : coefficients(E, e);
  double        J[SD][SD], speed2 = 0.0, sum = 0.0;
  jacobian<SD>(E, x, q, J);
  p.c     = E.scale * E.w[q] * invert<SD>(J, p.inv) * axis_length(E, x, q);
  p.D     = C[0];
  p.r     = C[1];
  p.per_r = E.revolved ? 1.0 / radius(E, x, q) : 0.0;
#pragma unroll
  for (int s = 0; s < SD; s++) {
    p.v[s] = C[2 + s];
    speed2 += p.v[s] * p.v[s];
  }
#pragma unroll
  for (int i = 0; i < SD; i++) {
    p.w[i] = 0.0;
#pragma unroll
    for (int s = 0; s < SD; s++) p.w[i] += p.inv[i][s] * p.v[s];
  }
  for (int k = 0; k < E.nvert && E.supg; k++) {
    double d = 0.0;
#pragma unroll
    for (int i = 0; i < SD; i++) d += p.w[i] * __ldg(E.dNv + (q * E.nvert + k) * SD + i);
    sum += fabs(d);
  }
  p.tau = bf_supg_tau(E.supg, sqrt(speed2), sum, p.D, p.r);
}

/* L_a of node a at point q; with H the derivatives d2/dxi dxi of its shape function. */
template <int SD>
static __device__ __forceinline__ double metric_sum(const point_data<SD> &p, const double *H)
{
  double L = 0.0;
#pragma unroll
  for (int i = 0; i < SD; i++)
#pragma unroll
    for (int j = i; j < SD; j++) {
      const int h = i == j ? i : SD == 2 ? 2 : i == 1 ? 4 : j == 1 ? 3 : 5; /* xx yy zz xy yz xz */
      double    G = 0.0;
#pragma unroll
      for (int s = 0; s < SD; s++) G += p.inv[i][s] * p.inv[j][s];
      L += (i == j ? G : 2.0 * G) * __ldg(H + h);
    }
  return L;
}

/* sum_b x_b L_b */
template <int SD>
static __device__ __forceinline__ void curvature(const bf_element_batch &E, int q, const double *x,
                                                 const point_data<SD> &p, double (&curve)[SD])
{
#pragma unroll
  for (int s = 0; s < SD; s++) curve[s] = 0.0;
  for (int b = 0; E.ddN && b < E.nen; b++) {
    const double L = metric_sum<SD>(p, E.ddN + (int64_t)(q * E.nen + b) * BF_DDN(SD));
#pragma unroll
    for (int s = 0; s < SD; s++) curve[s] += x[b * 3 + s] * L;
  }
}

/* lap of a function with the gradient g[SD], whose L is known. */
template <int SD>
static __device__ __forceinline__ double laplacian(const point_data<SD> &p, const double (&curve)[SD],
                                                   double                L, const double (&g)[SD])
{
  double l = L + p.per_r * g[0];
#pragma unroll
  for (int s = 0; s < SD; s++) l -= g[s] * curve[s];
  return l;
}

/* Numbers stored per point for the matrix: for each node its gradient and with SECOND D lap N, then c,
 * tau, D, r, v */
template <int SD, bool SECOND>
static __host__ __device__ __forceinline__ int matrix_stride(int nen)
{
  return (nen * (SD + SECOND) + 4 + SD) | 1;
}

template <int SD, bool SECOND>
static __device__ __forceinline__ void store_point_data(const bf_element_batch &E, bf_int e, int q,
                                                        const double *x, double *to)
{
  constexpr int  W   = SD + SECOND;
  const int      nen = E.nen;
  point_data<SD> p;
  double         curve[SD];
  point_data_of<SD>(E, e, q, x, p);
  if (SECOND) curvature<SD>(E, q, x, p, curve);
  for (int a = 0; a < nen; a++) {
    const double *dN = E.dN + (int64_t)(q * nen + a) * SD;
    double        g[SD];
#pragma unroll
    for (int s = 0; s < SD; s++) {
      g[s] = 0.0;
#pragma unroll
      for (int i = 0; i < SD; i++) g[s] += __ldg(dN + i) * p.inv[i][s];
      to[a * W + s] = g[s];
    }
    if (SECOND) {
      const double L = E.ddN ? metric_sum<SD>(p, E.ddN + (int64_t)(q * nen + a) * BF_DDN(SD)) : 0.0;
      to[a * W + SD] = p.D * laplacian<SD>(p, curve, L, g);
    }
  }
  to += nen * W;
  to[0] = p.c, to[1] = p.tau, to[2] = p.D, to[3] = p.r;
#pragma unroll
  for (int s = 0; s < SD; s++) to[4 + s] = p.v[s];
}

/* Shared memory: coordinates, then matrix_stride numbers of each (element, point). */
template <int SD, bool SECOND>
static __global__ void __launch_bounds__(ELEMENT_THREADS)
    transport_matrix(bf_element_batch E, bf_int e0, bf_int e1, int group, double *__restrict__ Ke)
{
  extern __shared__ double shared[];
  constexpr int            W   = SD + SECOND;
  const int                nen = E.nen, nq = E.nq, nn = nen * nen, xs = coordinate_stride(nen),
            ps       = matrix_stride<SD, SECOND>(nen);
  const bf_int first = e0 + (bf_int)blockIdx.x * group;
  const int    count = min(group, e1 - first);
  double      *x = shared, *point = shared + group * xs;
  gather(E, first, count, 3, xs, E.x, x);
  __syncthreads();
  for (int t = (int)threadIdx.x; t < count * nq; t += ELEMENT_THREADS)
    store_point_data<SD, SECOND>(E, first + t / nq, t % nq, x + t / nq * xs, point + t * ps);
  __syncthreads();
  for (int t = (int)threadIdx.x; t < count * nn; t += ELEMENT_THREADS) {
    const int i = t / nn, a = (t - i * nn) / nen, b = t - i * nn - a * nen;
    double    sum = 0.0;
    for (int q = 0; q < nq; q++) {
      const double *p = point + (i * nq + q) * ps, *ga = p + a * W, *gb = p + b * W, *k = p + nen * W;
      double        gg = 0.0, sa = 0.0, sb = 0.0;
#pragma unroll
      for (int s = 0; s < SD; s++) {
        gg += ga[s] * gb[s];
        sa += k[4 + s] * ga[s];
        sb += k[4 + s] * gb[s];
      }
      const double supg_weight = k[1] * sa, Wa = __ldg(E.N + q * nen + a) + supg_weight;
      double       v = k[2] * gg + Wa * (sb + k[3] * __ldg(E.N + q * nen + b));
      if (SECOND) v -= supg_weight * gb[SD];
      sum += k[0] * v;
    }
    Ke[(int64_t)(first - e0) * nn + t] = sum;
  }
}

/* P[SD] and H of one point: of u[nen], or of the load where u is NULL. */
template <int SD, bool FORCE>
static __device__ __forceinline__ void transport_flux(const bf_element_batch &E, bf_int e, int q,
                                                      const double *x, const double *u, double load,
                                                      double *P)
{
  const int      nen = E.nen;
  point_data<SD> p;
  double         H[SD] = {}, g[SD] = {}, value = 0.0, L = 0.0, curve[SD], grad = load,
         residual = load; /* H = du/dxi */
  point_data_of<SD>(E, e, q, x, p);
  if (FORCE) {
    for (int a = 0; a < nen; a++) {
      const double ua = u[a];
      value += __ldg(E.N + q * nen + a) * ua;
#pragma unroll
      for (int i = 0; i < SD; i++) H[i] += __ldg(E.dN + (int64_t)(q * nen + a) * SD + i) * ua;
      if (E.ddN) L += metric_sum<SD>(p, E.ddN + (int64_t)(q * nen + a) * BF_DDN(SD)) * ua;
    }
#pragma unroll
    for (int s = 0; s < SD; s++)
#pragma unroll
      for (int i = 0; i < SD; i++) g[s] += H[i] * p.inv[i][s];
    curvature<SD>(E, q, x, p, curve);
    grad = p.r * value;
#pragma unroll
    for (int s = 0; s < SD; s++) grad += p.v[s] * g[s];
    residual = grad - p.D * laplacian<SD>(p, curve, L, g);
  }
#pragma unroll
  for (int i = 0; i < SD; i++) {
    double d = p.tau * p.w[i] * residual;
#pragma unroll
    for (int s = 0; s < SD; s++) d += p.D * p.inv[i][s] * g[s];
    P[i] = p.c * d;
  }
  P[SD] = p.c * grad;
}

/* Shared memory: coordinates, values of u, then P[SD] and H of each (element, point). */
template <int SD, bool FORCE>
static __global__ void __launch_bounds__(ELEMENT_THREADS)
    transport_vector(bf_element_batch E, bf_int e0, bf_int e1, int group, const double *__restrict__ uh,
                     bf_element_source f, double *__restrict__ fe)
{
  extern __shared__ double shared[];
  const int                nen = E.nen, nq = E.nq, xs = coordinate_stride(nen);
  const bf_int             first = e0 + (bf_int)blockIdx.x * group;
  const int                count = min(group, e1 - first);
  double                  *x = shared, *u = x + group * xs, *P = u + group * nen;
  gather(E, first, count, 3, xs, E.x, x);
  if (FORCE) gather(E, first, count, 1, nen, uh, u);
  __syncthreads();
  for (int t = (int)threadIdx.x; t < count * nq; t += ELEMENT_THREADS) {
    const int    i = t / nq, q = t - i * nq;
    const double load = FORCE ? 0.0 : __ldg(f.value + (first + i) * f.stride_e + q * f.stride_q);
    transport_flux<SD, FORCE>(E, first + i, q, x + i * xs, u + i * nen, load, P + t * (SD + 1));
  }
  __syncthreads();
  sum_points<SD, 1, true>(E, count, P, fe + (int64_t)(first - e0) * nen);
}

template <int SD, bool SECOND>
static bf_err run_matrix(bf_backend *be, const bf_element_batch *E, bf_int e0, bf_int e1, double *Ke)
{
  const size_t bytes =
      ((size_t)coordinate_stride(E->nen) + (size_t)E->nq * (size_t)matrix_stride<SD, SECOND>(E->nen)) *
      sizeof(double);
  const int group = element_group(bytes, e1 - e0);
  BF_CHECK(bytes * (size_t)group <= 48 << 10, BF_E_ARG, "transport: nen=%d with nq=%d points do not fit",
           E->nen, E->nq);
  transport_matrix<SD, SECOND>
      <<<bf_cuda_blocks(e1 - e0, group), ELEMENT_THREADS, bytes *(size_t)group, bf_cuda_of(be)->stream>>>(
          *E, e0, e1, group, Ke);
  return BF_CUDA_LAUNCHED(be);
}

bf_err bf_cuda_transport_matrix(bf_backend *be, const bf_element_batch *E, bf_int e0, bf_int e1, double *Ke)
{
  const bool second = E->supg && (E->ddN || E->revolved);
  if (E->sdim == 1) return (second ? run_matrix<1, true> : run_matrix<1, false>)(be, E, e0, e1, Ke);
  if (E->sdim == 2) return (second ? run_matrix<2, true> : run_matrix<2, false>)(be, E, e0, e1, Ke);
  return (second ? run_matrix<3, true> : run_matrix<3, false>)(be, E, e0, e1, Ke);
}

bf_err bf_cuda_transport_vector(bf_backend *be, const bf_element_batch *E, bf_int e0, bf_int e1,
                                const double *u, const bf_element_source *f, double *fe)
{
  const size_t bytes  = (size_t)(coordinate_stride(E->nen) + E->nen + E->nq * (E->sdim + 1)) * sizeof(double);
  const int    group  = element_group(bytes, e1 - e0);
  auto        *kernel = u              ? (E->sdim == 1   ? transport_vector<1, true>
                                          : E->sdim == 2 ? transport_vector<2, true>
                                                         : transport_vector<3, true>)
                        : E->sdim == 1 ? transport_vector<1, false>
                        : E->sdim == 2 ? transport_vector<2, false>
                                       : transport_vector<3, false>;
  kernel<<<bf_cuda_blocks(e1 - e0, group), ELEMENT_THREADS, bytes *(size_t)group, bf_cuda_of(be)->stream>>>(
      *E, e0, e1, group, u, f ? *f : (bf_element_source){}, fe);
  return BF_CUDA_LAUNCHED(be);
}

} // namespace bf
