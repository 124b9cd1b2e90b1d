/* kernels/cuda/fem/element_load.cu - element vectors: loads, forces Ke u without Ke, forces of a given stress
 *
 * Computes   source  fe(a, c) = sum_q scale w_q det J N_a f_c(e, q)
 *            force   fe(a, c) = sum_q sum_r dN_a/dxi_r P_q[c][r]
 *                    P_q[c][r] = c_q sum_s sigma[c][s] dxi_r/dx_s,  sigma = C (strain or gradient of u)
 *                    mass form: sum_q N_a P_q[c],  P_q = c_q C u(q).
 *            stress  the same with sigma given, mass form P_q = c_q sigma
 *                    body of revolution: sum_q N_a H_q is added to the first component, H_q = c_q sigma_tt/r.
 * Source     Hughes, The Finite Element Method, ch. 2 and 3.
 * Layout     kernels/elements.h; the result is fe[ne][nen*ncomp], element by element.
 * Cost       reads 8 nen (3 + D) bytes and writes 8 nd an element; force about nq (6 D + 18) nen flops.
 * Launch     128 threads a block on a group of elements (element_geometry.cuh): one (element, point) a thread
 *            leaves weights or P in shared memory, then one entry (a, c) a thread sums over the points
 *            in order.
 * Checked    tests/kernels/fem/t320_element.c against Ke u and the definitions.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cuda/fem/element_geometry.cuh"

namespace bf
{

/* Shared memory: coordinates, then the weight of each (element, point). */
static __global__ void __launch_bounds__(ELEMENT_THREADS)
    source(bf_element_batch E, bf_int e0, bf_int e1, int group, bf_element_source f, double *__restrict__ fe)
{
  extern __shared__ double shared[];
  const int                nen = E.nen, nq = E.nq, D = E.ncomp, nd = nen * D, xs = coordinate_stride(nen);
  const bf_int             first = e0 + (bf_int)blockIdx.x * group;
  const int                count = min(group, e1 - first);
  double                  *x = shared, *c = shared + group * xs;
  gather(E, first, count, 3, xs, E.x, x);
  __syncthreads();
  for (int t = (int)threadIdx.x; t < count * nq; t += ELEMENT_THREADS) {
    const int i = t / nq, q = t - i * nq;
    c[t] = E.scale * E.w[q] * measure(E, x + i * xs, q) * axis_length(E, x + i * xs, q);
  }
  __syncthreads();
  for (int t = (int)threadIdx.x; t < count * nd; t += ELEMENT_THREADS) {
    const int     i = t / nd, k = t - i * nd, a = k / D;
    const double *v   = f.value + (first + i) * f.stride_e + (k - a * D);
    double        sum = 0.0;
    for (int q = 0; q < nq; q++) sum += c[i * nq + q] * __ldg(E.N + q * nen + a) * __ldg(v + q * f.stride_q);
    fe[(int64_t)(first - e0) * nd + t] = sum;
  }
}

/* P[k][r] = c sum_s sigma[k][s] inv[r][s]; in a body of revolution c sigma_tt/r after it */
template <int SD, int D, bool HOOP>
static __device__ __forceinline__ void stress_to_reference(const double *stress, const double (&inv)[SD][SD],
                                                           double c, double per_r, double *P)
{
  using B = b_form<SD, D, HOOP>;
#pragma unroll
  for (int k = 0; k < D; k++)
#pragma unroll
    for (int r = 0; r < SD; r++) {
      double p = 0.0;
#pragma unroll
      for (int s = 0; s < SD; s++) p += stress[B::row(k, s)] * inv[r][s];
      P[k * SD + r] = c * p;
    }
  if constexpr (HOOP) P[D * SD] = c * stress[2] * per_r;
}

/* The mass form: from P[D] of each (element, point), stride 3. */
static __device__ __forceinline__ void collect_mass(const bf_element_batch &E, int count, const double *P,
                                                    double *__restrict__ fe)
{
  const int nen = E.nen, nq = E.nq, D = E.ncomp, nd = nen * D;
  for (int t = (int)threadIdx.x; t < count * nd; t += ELEMENT_THREADS) {
    const int i = t / nd, k = t - i * nd, a = k / D;
    double    sum = 0.0;
    for (int q = 0; q < nq; q++) sum += __ldg(E.N + q * nen + a) * P[(i * nq + q) * 3 + (k - a * D)];
    fe[t] = sum;
  }
}

/* P_q[D][SD] of one point, and H_q after it; u[nen][D] and x[nen][3] of its element. */
template <int SD, int D, bool HOOP>
static __device__ __forceinline__ void flux(const bf_element_batch &E, bf_int e, int q, const double *x,
                                            const double *u, double *P)
{
  using B          = b_form<SD, D, HOOP>;
  const double *dN = E.dN + (int64_t)q * E.nen * SD;
  double        J[SD][SD], inv[SD][SD], H[D][SD] = {}; /* H = du/dxi */
  jacobian<SD>(E, x, q, J);
  const double c = point_weight(E, e, q) * invert<SD>(J, inv) * axis_length(E, x, q);
  for (int a = 0; a < E.nen; a++)
#pragma unroll
    for (int r = 0; r < SD; r++) {
      const double d = __ldg(dN + a * SD + r);
#pragma unroll
      for (int k = 0; k < D; k++) H[k][r] += u[a * D + k] * d;
    }
  constexpr int NV         = B::NV;
  const double *C          = coefficients(E, e);
  double        strain[NV] = {}, stress[NV];
#pragma unroll
  for (int k = 0; k < D; k++)
#pragma unroll
    for (int s = 0; s < SD; s++)
#pragma unroll
      for (int r = 0; r < SD; r++) strain[B::row(k, s)] += H[k][r] * inv[r][s];
  double per_r = 0.0;
  if constexpr (HOOP) {
    per_r = 1.0 / radius(E, x, q);
    for (int a = 0; a < E.nen; a++) strain[2] += per_r * __ldg(E.N + q * E.nen + a) * u[a * D];
  }
#pragma unroll
  for (int v = 0; v < NV; v++) {
    stress[v] = 0.0;
#pragma unroll
    for (int w = 0; w < NV; w++) stress[v] += __ldg(C + v * NV + w) * strain[w];
  }
  stress_to_reference<SD, D, HOOP>(stress, inv, c, per_r, P);
}

/* Shared memory: coordinates, values of u, then P[D][SD] (and H) of each (element, point). */
template <int SD, int D, bool HOOP>
static __global__ void __launch_bounds__(ELEMENT_THREADS)
    force(bf_element_batch E, bf_int e0, bf_int e1, int group, const double *__restrict__ uh,
          double *__restrict__ fe)
{
  extern __shared__ double shared[];
  constexpr int            PS  = D * SD + HOOP; /* stride of P */
  const int                nen = E.nen, nq = E.nq, nd = nen * D, xs = coordinate_stride(nen);
  const bf_int             first = e0 + (bf_int)blockIdx.x * group;
  const int                count = min(group, e1 - first);
  double                  *x = shared, *u = x + group * xs, *P = u + group * xs;
  gather(E, first, count, 3, xs, E.x, x);
  gather(E, first, count, D, xs, uh, u);
  __syncthreads();
  for (int t = (int)threadIdx.x; t < count * nq; t += ELEMENT_THREADS) {
    const int i = t / nq, q = t - i * nq;
    flux<SD, D, HOOP>(E, first + i, q, x + i * xs, u + i * xs, P + t * PS);
  }
  __syncthreads();
  sum_points<SD, D, HOOP>(E, count, P, fe + (int64_t)(first - e0) * nd);
}

/* The mass form: P[D] of each (element, point), stride 3. */
static __global__ void __launch_bounds__(ELEMENT_THREADS)
    force_mass(bf_element_batch E, bf_int e0, bf_int e1, int group, const double *__restrict__ uh,
               double *__restrict__ fe)
{
  extern __shared__ double shared[];
  const int                nen = E.nen, nq = E.nq, D = E.ncomp, nd = nen * D, xs = coordinate_stride(nen);
  const bf_int             first = e0 + (bf_int)blockIdx.x * group;
  const int                count = min(group, e1 - first);
  double                  *x = shared, *u = x + group * xs, *P = u + group * xs;
  gather(E, first, count, 3, xs, E.x, x);
  gather(E, first, count, D, xs, uh, u);
  __syncthreads();
  for (int t = (int)threadIdx.x; t < count * nq; t += ELEMENT_THREADS) {
    const int     i = t / nq, q = t - i * nq;
    const double *C = coefficients(E, first + i), *ui = u + i * xs;
    const double  c =
        point_weight(E, first + i, q) * measure(E, x + i * xs, q) * axis_length(E, x + i * xs, q);
    double v[3] = {};
    for (int a = 0; a < nen; a++)
#pragma unroll
      for (int k = 0; k < 3; k++)
        if (k < D) v[k] += __ldg(E.N + q * nen + a) * ui[a * D + k];
#pragma unroll
    for (int k = 0; k < 3; k++)
      if (k < D) {
        double p = 0.0;
#pragma unroll
        for (int l = 0; l < 3; l++)
          if (l < D) p += C[k * D + l] * v[l];
        P[t * 3 + k] = c * p;
      }
  }
  __syncthreads();
  collect_mass(E, count, P, fe + (int64_t)(first - e0) * nd);
}

/* Shared memory: coordinates, then P[D][SD] (and H) of each (element, point). */
template <int SD, int D, bool HOOP>
static __global__ void __launch_bounds__(ELEMENT_THREADS)
    stress(bf_element_batch E, bf_int e0, bf_int e1, int group, bf_element_source s, double *__restrict__ fe)
{
  extern __shared__ double shared[];
  constexpr int            NV = b_form<SD, D, HOOP>::NV, PS = D * SD + HOOP;
  const int                nq = E.nq, nd = E.nen * D, xs = coordinate_stride(E.nen);
  const bf_int             first = e0 + (bf_int)blockIdx.x * group;
  const int                count = min(group, e1 - first);
  double                  *x = shared, *P = x + group * xs;
  gather(E, first, count, 3, xs, E.x, x);
  __syncthreads();
  for (int t = (int)threadIdx.x; t < count * nq; t += ELEMENT_THREADS) {
    const int     i = t / nq, q = t - i * nq;
    const double *value = s.value + (first + i) * s.stride_e + q * s.stride_q;
    double        J[SD][SD], inv[SD][SD], sigma[NV];
    jacobian<SD>(E, x + i * xs, q, J);
    const double c     = point_weight(E, first + i, q) * invert<SD>(J, inv) * axis_length(E, x + i * xs, q);
    const double per_r = HOOP ? 1.0 / radius(E, x + i * xs, q) : 0.0;
#pragma unroll
    for (int v = 0; v < NV; v++) sigma[v] = __ldg(value + v);
    stress_to_reference<SD, D, HOOP>(sigma, inv, c, per_r, P + t * PS);
  }
  __syncthreads();
  sum_points<SD, D, HOOP>(E, count, P, fe + (int64_t)(first - e0) * nd);
}

/* The mass form: P[D] of each (element, point), stride 3. */
static __global__ void __launch_bounds__(ELEMENT_THREADS)
    stress_mass(bf_element_batch E, bf_int e0, bf_int e1, int group, bf_element_source s,
                double *__restrict__ fe)
{
  extern __shared__ double shared[];
  const int                nq = E.nq, D = E.ncomp, nd = E.nen * D, xs = coordinate_stride(E.nen);
  const bf_int             first = e0 + (bf_int)blockIdx.x * group;
  const int                count = min(group, e1 - first);
  double                  *x = shared, *P = x + group * xs;
  gather(E, first, count, 3, xs, E.x, x);
  __syncthreads();
  for (int t = (int)threadIdx.x; t < count * nq; t += ELEMENT_THREADS) {
    const int     i = t / nq, q = t - i * nq;
    const double *value = s.value + (first + i) * s.stride_e + q * s.stride_q;
    const double  c =
        point_weight(E, first + i, q) * measure(E, x + i * xs, q) * axis_length(E, x + i * xs, q);
    for (int k = 0; k < D; k++) P[t * 3 + k] = c * __ldg(value + k);
  }
  __syncthreads();
  collect_mass(E, count, P, fe + (int64_t)(first - e0) * nd);
}

BF_CUDA_DECLARE(element.source, element_source);
bf_err bf_cuda_element_source(bf_backend *be, const bf_element_batch *E, bf_int e0, bf_int e1,
                              const bf_element_source *f, double *fe)
{
  BF_TRY((E && E->form == BF_FORM_TRANSPORT ? bf_element_batch_check_matrix : bf_element_batch_check)(E));
  BF_TRY(element_range(E, e0, e1));
  BF_CHECK(f && f->value, BF_E_ARG, "element source without values");
  if (e0 == e1) return BF_OK;
  if (E->form == BF_FORM_TRANSPORT) return bf_cuda_transport_vector(be, E, e0, e1, NULL, f, fe);
  const size_t bytes = (size_t)(coordinate_stride(E->nen) + E->nq) * sizeof(double);
  const int    group = element_group(bytes, e1 - e0);
  source<<<bf_cuda_blocks(e1 - e0, group), ELEMENT_THREADS, bytes *(size_t)group, bf_cuda_of(be)->stream>>>(
      *E, e0, e1, group, *f, fe);
  return BF_CUDA_LAUNCHED(be);
}

/* Numbers of P, and H, of a point. */
static int point_doubles(const bf_element_batch *E)
{
  return E->form == BF_FORM_MASS ? 3 : E->ncomp * E->sdim + (E->revolved && E->form == BF_FORM_STRAIN);
}

BF_CUDA_DECLARE(element.force, element_force);
bf_err bf_cuda_element_force(bf_backend *be, const bf_element_batch *E, bf_int e0, bf_int e1, const double *u,
                             double *fe)
{
  BF_TRY(bf_element_batch_check_matrix(E));
  BF_CHECK(!E->dN0, BF_E_ARG, "dN0: forces of elements with modes are those of their condensed matrices");
  BF_TRY(element_range(E, e0, e1));
  if (e0 == e1) return BF_OK;
  if (E->form == BF_FORM_TRANSPORT) return bf_cuda_transport_vector(be, E, e0, e1, u, NULL, fe);
  const int    point  = point_doubles(E);
  const size_t bytes  = (size_t)(2 * coordinate_stride(E->nen) + E->nq * point) * sizeof(double);
  const int    group  = element_group(bytes, e1 - e0);
  auto        *kernel = E->form == BF_FORM_MASS ? force_mass : by_form(E, [](auto form) {
    using B = decltype(form);
    return force<B::SD, B::D, B::HOOP>;
  });
  kernel<<<bf_cuda_blocks(e1 - e0, group), ELEMENT_THREADS, bytes *(size_t)group, bf_cuda_of(be)->stream>>>(
      *E, e0, e1, group, u, fe);
  return BF_CUDA_LAUNCHED(be);
}

BF_CUDA_DECLARE(element.stress, element_stress);
bf_err bf_cuda_element_stress(bf_backend *be, const bf_element_batch *E, bf_int e0, bf_int e1,
                              const bf_element_source *s, double *fe)
{
  BF_TRY(bf_element_batch_check_matrix(E));
  BF_TRY(element_range(E, e0, e1));
  BF_CHECK(s && s->value, BF_E_ARG, "element stress without values");
  BF_CHECK(E->form != BF_FORM_TRANSPORT, BF_E_ARG, "the transport form has no stress");
  if (e0 == e1) return BF_OK;
  const int    point  = point_doubles(E);
  const size_t bytes  = (size_t)(coordinate_stride(E->nen) + E->nq * point) * sizeof(double);
  const int    group  = element_group(bytes, e1 - e0);
  auto        *kernel = E->form == BF_FORM_MASS ? stress_mass : by_form(E, [](auto form) {
    using B = decltype(form);
    return stress<B::SD, B::D, B::HOOP>;
  });
  kernel<<<bf_cuda_blocks(e1 - e0, group), ELEMENT_THREADS, bytes *(size_t)group, bf_cuda_of(be)->stream>>>(
      *E, e0, e1, group, *s, fe);
  return BF_CUDA_LAUNCHED(be);
}

} // namespace bf
