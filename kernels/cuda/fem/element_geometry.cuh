/* kernels/cuda/fem/element_geometry.cuh - element kernels: gathering, Jacobians, launch geometry
 *
 * Computes   coordinates in shared memory, Jacobians and their inverses, weights of points, sums over
 *            points.
 * Source     Hughes, The Finite Element Method, ch. 3 (isoparametric elements).
 * Layout     a block processes a group of elements. Phase 1: one (element, point) pair per thread; phase 2:
 *            one entry of a result per thread; the tables in between are in shared memory. So all threads
 *            are busy for any numbers of points and nodes.
 * Checked    tests/kernels/fem/t320_element.c.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_CUDA_FEM_ELEMENT_GEOMETRY_CUH
#define BF_KERNELS_CUDA_FEM_ELEMENT_GEOMETRY_CUH
#include "kernels/cuda/device/launch_and_reduce.cuh"

namespace bf
{

enum { ELEMENT_THREADS = 128, ELEMENT_SHARED = 32 << 10 /* target in bytes */, ELEMENT_GROUP = 64 };

/* Elements of a block: as many as fit, at least one (the largest needs 33 KB), at most ELEMENT_GROUP */
static inline int element_group(size_t bytes, bf_int elements)
{
  int group = (int)(ELEMENT_SHARED / bytes);
  group     = group < 1 ? 1 : group > ELEMENT_GROUP ? ELEMENT_GROUP : group;
  return group > elements ? (int)elements : group;
}

static inline bf_err element_range(const bf_element_batch *E, bf_int e0, bf_int e1)
{
  BF_CHECK(e0 >= 0 && e0 <= e1 && e1 <= E->ne, BF_E_ARG, "elements %d..%d of %d", (int)e0, (int)e1,
           (int)E->ne);
  return BF_OK;
}

/* Stride of an element's coordinates in shared memory: odd, so that elements start in different banks */
static __host__ __device__ __forceinline__ int coordinate_stride(int nen)
{
  return (nen * 3) | 1;
}

/* to[i*stride + a*width + s] = from[row of node a of element first+i][s], by the block; no barrier at
 * the end */
static __device__ __forceinline__ void gather(const bf_element_batch &E, bf_int first, int count, int width,
                                              int stride, const double *__restrict__ from, double *to)
{
  const int per = E.nen * width;
  for (int t = (int)threadIdx.x; t < count * per; t += ELEMENT_THREADS) {
    const int i = t / per, k = t - i * per, a = k / width;
    to[i * stride + k] = from[(int64_t)E.conn[(int64_t)(first + i) * E.nen + a] * width + (k - a * width)];
  }
}

/* J[s][r] = sum_a x_a[s] dN_a/dxi_r, for rdim = SD: of a table dN[nen][SD], or at point q. */
template <int SD>
static __device__ __forceinline__ void jacobian_of(int nen, const double *dN, const double *x,
                                                   double (&J)[SD][SD])
{
#pragma unroll
  for (int i = 0; i < SD * SD; i++) J[i / SD][i % SD] = 0.0;
  for (int a = 0; a < nen; a++)
#pragma unroll
    for (int r = 0; r < SD; r++) {
      const double d = __ldg(dN + a * SD + r);
#pragma unroll
      for (int s = 0; s < SD; s++) J[s][r] += x[a * 3 + s] * d;
    }
}

template <int SD>
static __device__ __forceinline__ void jacobian(const bf_element_batch &E, const double *x, int q,
                                                double (&J)[SD][SD])
{
  jacobian_of<SD>(E.nen, E.dN + (int64_t)q * E.nen * SD, x, J);
}

/* inv[r][s] = d xi_r / d x_s; returns det J. */
template <int SD>
static __device__ __forceinline__ double invert(const double (&J)[SD][SD], double (&inv)[SD][SD])
{
  double det;
  if constexpr (SD == 1) {
    det       = J[0][0];
    inv[0][0] = 1.0 / det;
  } else if constexpr (SD == 2) {
    det            = J[0][0] * J[1][1] - J[0][1] * J[1][0];
    const double f = 1.0 / det;
    inv[0][0]      = f * J[1][1];
    inv[0][1]      = -f * J[0][1];
    inv[1][0]      = -f * J[1][0];
    inv[1][1]      = f * J[0][0];
  } else {
#pragma unroll
    for (int r = 0; r < 3; r++)
#pragma unroll
      for (int s = 0; s < 3; s++) {
        const int r1 = (r + 1) % 3, r2 = (r + 2) % 3, s1 = (s + 1) % 3, s2 = (s + 2) % 3;
        inv[r][s] = J[s1][r1] * J[s2][r2] - J[s1][r2] * J[s2][r1]; /* cofactor */
      }
    det            = J[0][0] * inv[0][0] + J[0][1] * inv[1][0] + J[0][2] * inv[2][0];
    const double f = 1.0 / det;
#pragma unroll
    for (int i = 0; i < 9; i++) inv[i / 3][i % 3] *= f;
  }
  return det;
}

/* Length, area or volume for a unit of the reference element: det J, or sqrt(det J^T J) for rdim < sdim. */
static __device__ __forceinline__ double measure(const bf_element_batch &E, const double *x, int q)
{
  const double *dN      = E.dN + (int64_t)q * E.nen * E.rdim;
  double        J[3][3] = {};
  for (int a = 0; a < E.nen; a++)
#pragma unroll
    for (int r = 0; r < 3; r++)
      if (r < E.rdim) {
        const double d = __ldg(dN + a * E.rdim + r);
#pragma unroll
        for (int s = 0; s < 3; s++)
          if (s < E.sdim) J[s][r] += x[a * 3 + s] * d;
      }
  if (E.rdim == E.sdim) {
    if (E.rdim == 1) return J[0][0];
    if (E.rdim == 2) return J[0][0] * J[1][1] - J[0][1] * J[1][0];
    double inv[3][3];
    return invert<3>(J, inv);
  }
  const double g00 = J[0][0] * J[0][0] + J[1][0] * J[1][0] + J[2][0] * J[2][0];
  if (E.rdim == 1) return sqrt(g00);
  const double g01 = J[0][0] * J[0][1] + J[1][0] * J[1][1] + J[2][0] * J[2][1];
  const double g11 = J[0][1] * J[0][1] + J[1][1] * J[1][1] + J[2][1] * J[2][1];
  return sqrt(g00 * g11 - g01 * g01);
}

/* scale * factor(e, q) * w_q */
static __device__ __forceinline__ double point_weight(const bf_element_batch &E, bf_int e, int q)
{
  return E.scale * (E.factor ? E.factor[(int64_t)e * E.nq + q] : 1.0) * E.w[q];
}

static __device__ __forceinline__ const double *coefficients(const bf_element_batch &E, bf_int e)
{
  const int n = E.form == BF_FORM_TRANSPORT ? E.nv : E.nv * E.nv;
  return E.C + (E.mat ? (int64_t)E.mat[e] * n : 0);
}

/* Radius of point q: sum_a N_a x_a. */
static __device__ __forceinline__ double radius(const bf_element_batch &E, const double *x, int q)
{
  double r = 0.0;
  for (int a = 0; a < E.nen; a++) r += __ldg(E.N + (int64_t)q * E.nen + a) * x[a * 3];
  return r;
}

/* Circumference at point q for a body of revolution, else 1 */
static __device__ __forceinline__ double axis_length(const bf_element_batch &E, const double *x, int q)
{
  return E.revolved ? BF_TWO_PI * radius(E, x, q) : 1.0;
}

/* Rows of B for space of SD dimensions and D components (D = 1: gradient, D = SD: strain); HOOP: strain
 * in a body of revolution, which has the direction "N/r" besides the derivatives. NV: rows of B */
template <int SD_, int D_, bool HOOP_>
struct b_form {
  static constexpr int  SD = SD_, D = D_;
  static constexpr bool HOOP = HOOP_;
  static constexpr int  DIRS = HOOP ? 3 : SD;
  static constexpr int  NV   = D == 1 ? SD : HOOP ? 4 : SD * (SD + 1) / 2;

  /* Row for component i and direction k, -1 where B has no entry: xx yy zz xy yz xz, xx yy xy, or rr yy tt
   * ry.
   */
  static __device__ __forceinline__ constexpr int row(int i, int k)
  {
    return D == 1    ? k
           : i == k  ? i
           : SD == 3 ? (i + k == 1   ? 3
                        : i + k == 3 ? 4
                                     : 5)
           : !HOOP   ? 2
           : k < 2   ? 3
           : i == 0  ? 2
                     : -1;
  }
};

/* launch(b_form<..>()) of a batch of the gradient or strain form. */
template <typename Launch>
static inline auto by_form(const bf_element_batch *E, Launch launch)
{
  const bool strain = E->form == BF_FORM_STRAIN;
  if (E->sdim == 1) return launch(b_form<1, 1, false>());
  if (E->sdim == 3) return strain ? launch(b_form<3, 3, false>()) : launch(b_form<3, 1, false>());
  if (!strain) return launch(b_form<2, 1, false>());
  return E->revolved ? launch(b_form<2, 2, true>()) : launch(b_form<2, 2, false>());
}

/* fe of the group from P[D][SD] (and H) of each (element, point):
 *     fe(a, c) = sum_q sum_r dN_a/dxi_r P_q[c][r], and with H  + N_a H_q for c = 0 */
template <int SD, int D, bool WITH_H>
static __device__ __forceinline__ void sum_points(const bf_element_batch &E, int count, const double *P,
                                                  double *__restrict__ fe)
{
  constexpr int PS  = D * SD + WITH_H; /* stride of P */
  const int     nen = E.nen, nq = E.nq, nd = nen * D;
  for (int t = (int)threadIdx.x; t < count * nd; t += ELEMENT_THREADS) {
    const int i = t / nd, k = t - i * nd, a = k / D, c = k - a * D;
    double    sum = 0.0;
    for (int q = 0; q < nq; q++) {
#pragma unroll
      for (int r = 0; r < SD; r++)
        sum += __ldg(E.dN + (q * nen + a) * SD + r) * P[(i * nq + q) * PS + c * SD + r];
      if (WITH_H && c == 0) sum += __ldg(E.N + q * nen + a) * P[(i * nq + q) * PS + D * SD];
    }
    fe[t] = sum;
  }
}

/* Node pair number p = b(b+1)/2 + a, a <= b. */
static __device__ __forceinline__ void node_pair(int p, int &a, int &b)
{
  b = (int)((sqrtf(8.0f * (float)p + 1.0f) - 1.0f) * 0.5f);
  if ((b + 1) * (b + 2) / 2 <= p) b++;
  if (b * (b + 1) / 2 > p) b--;
  a = p - b * (b + 1) / 2;
}

/* The TRANSPORT form (element_advection.cu): matrices; forces of u, or where u is NULL the loads f. */
bf_err bf_cuda_transport_matrix(bf_backend *be, const bf_element_batch *E, bf_int e0, bf_int e1, double *Ke);
bf_err bf_cuda_transport_vector(bf_backend *be, const bf_element_batch *E, bf_int e0, bf_int e1,
                                const double *u, const bf_element_source *f, double *fe);

} // namespace bf
#endif
