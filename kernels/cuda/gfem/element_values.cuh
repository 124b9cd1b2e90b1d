/* kernels/cuda/gfem/element_values.cuh - psi or its derivatives at the integration points of elements, in
 * shared memory: the first steps of matrix.cu and source.cu
 *
 * Computes   d[point][direction][node] = sum over the corners of the weights of gfem_point.h times C.
 * Source     docs/theory/gfem.md.
 * Layout     gfem.h. Shared memory, for each element of a block: its rows; for each corner the place of a
 *            row in its patch, or -1; weights of the corners and d at the points of a chunk. C is read
 *            through the L1 cache. An element whose points do not fit is computed in chunks of points.
 * Cost       per point patches*terms*directions multiply-adds, patches 36 and 100 on quadrilaterals of order
 *            2 and 3.
 * Launch     128 threads, 1 to 8 elements; a thread owns (point, corner) pairs, then a node at 4 points.
 * Order      every sum has a fixed order.
 * Checked    tests/assembly/gfem/t675_gfem_backend.c.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_CUDA_GFEM_ELEMENT_VALUES_CUH
#define BF_KERNELS_CUDA_GFEM_ELEMENT_VALUES_CUH
#include "kernels/cuda/device/launch_and_reduce.cuh"
#include "kernels/gfem_point.h"

namespace bf
{

enum {
  THREADS = 128,
  SHARED  = 40 << 10 /* bytes: one point of BF_FIT_NODES nodes has 27 KB */,
  GROUP   = 8,
  POINTS  = 4 /* of one thread */
};

struct plan {          /* of a launch */
  int    group, chunk; /* elements of a block, points at a time */
  size_t bytes;        /* shared memory of an element */
};

/* Doubles per point of a chunk: weights of the corners, values of the nodes, c_p. */
static inline size_t doubles_per_point(int nen, int terms, int width, int K)
{
  return (size_t)(nen * terms * K + width * K + 2); /* an even number of each for loads of 16 bytes */
}

static inline size_t bytes_per_element(int nen, int width)
{
  const size_t ints = (size_t)width + 2 + (size_t)nen, shorts = (size_t)(nen * width);
  return (3 * (size_t)nen + 1) / 2 * 16 + (ints * 4 + shorts * 2 + 15) / 16 * 16;
}

static inline plan plan_of(const bf_gfem_fits *F, const bf_gfem_batch *B, int K)
{
  const int    terms = bf_fit_terms(F->dim, F->order);
  const size_t point = doubles_per_point(B->nen, terms, B->width, K) * sizeof(double);
  const size_t fixed = bytes_per_element(B->nen, B->width);
  plan         p     = {1, B->nq, fixed + point * (size_t)B->nq};
  if (p.bytes <= SHARED) {
    p.group = (int)(SHARED / p.bytes);
    p.group = p.group > GROUP ? GROUP : p.group;
    return p;
  }
  p.chunk = (int)((SHARED - (fixed < SHARED ? fixed : SHARED)) / point);
  p.chunk = p.chunk < 1 ? 1 : p.chunk;
  p.bytes = fixed + point * (size_t)p.chunk;
  return p;
}

/* Shared memory of one element */
struct element {
  double  *X;      /* [nen][3] */
  bf_int  *corner; /* [nen] */
  bf_int  *nodes;  /* [1]: distinct rows */
  bf_int  *row;    /* [width] */
  int16_t *place;  /* [nen][width]: of a row in the patch of a corner, -1 = not there */
  double  *W;      /* [chunk][nen][terms][K] */
  double  *d;      /* [chunk][K][width] */
  double  *c;      /* [chunk] */
};

static __device__ __forceinline__ element element_of(char *base, int nen, int width, int terms, int K,
                                                     int chunk)
{
  element s;
  s.X      = reinterpret_cast<double *>(base);
  s.W      = s.X + (3 * nen + 1) / 2 * 2;
  s.d      = s.W + (size_t)chunk * nen * terms * K;
  s.c      = s.d + (size_t)chunk * K * width;
  s.corner = reinterpret_cast<bf_int *>(s.c + 2 * (size_t)chunk);
  s.nodes  = s.corner + nen;
  s.row    = s.nodes + 2;
  s.place  = reinterpret_cast<int16_t *>(s.row + width);
  return s;
}

/* Corners, rows and places of an element, by the block; a barrier at the end. */
static __device__ __forceinline__ void load_elements(const bf_gfem_fits &F, const bf_gfem_batch &B,
                                                     const bf_int *__restrict__ conn, bf_int first, int count,
                                                     char *base, size_t bytes, int terms, int K, int chunk,
                                                     int *violation)
{
  const int t0 = (int)threadIdx.x, nen = B.nen, width = B.width;
  for (int t = t0; t < count * nen; t += THREADS) {
    const int     i = t / nen, v = t - i * nen;
    const element s = element_of(base + i * bytes, nen, width, terms, K, chunk);
    const bf_int  e = first + i, q = B.corner[(int64_t)(B.elem ? B.elem[e] : e) * nen + v];
    s.corner[v] = q;
    for (int k = 0; k < 3; k++) s.X[3 * v + k] = F.x[3 * (int64_t)q + k];
    if (v == 0) *s.nodes = 1;
  }
  for (int t = t0; t < count * width; t += THREADS) {
    const int     i = t / width, k = t - i * width;
    const element s = element_of(base + i * bytes, nen, width, terms, K, chunk);
    s.row[k]        = conn[(int64_t)(first + i) * width + k];
    for (int v = 0; v < nen; v++) s.place[v * width + k] = -1;
  }
  __syncthreads();
  for (int t = t0; t < count * width; t += THREADS) {
    const int     i = t / width, k = t - i * width;
    const element s = element_of(base + i * bytes, nen, width, terms, K, chunk);
    if (k > 0 && s.row[k] > s.row[k - 1]) atomicAdd(s.nodes, 1); /* integers: any order */
  }
  __syncthreads();
  for (int i = 0; i < count; i++) {
    const element s = element_of(base + i * bytes, nen, width, terms, K, chunk);
    for (int v = 0; v < nen; v++) {
      const bf_int  q  = s.corner[v];
      const int64_t p0 = F.ptr[q];
      const int     ns = (int)(F.ptr[q + 1] - p0);
      for (int j = t0; j <= ns; j += THREADS) {
        const bf_int want = F.row[j < ns ? F.other[p0 + j] : q];
        int          lo = 0, hi = *s.nodes;
        while (lo < hi) {
          const int mid = (lo + hi) / 2;
          if (s.row[mid] < want)
            lo = mid + 1;
          else
            hi = mid;
        }
        if (lo < *s.nodes && s.row[lo] == want)
          s.place[v * width + lo] = (int16_t)j;
        else
          *violation = 1;
      }
    }
  }
  __syncthreads();
}

/* W and c of points p0 .. p0+np-1: one (element, point, corner) a thread.  VALUE: of psi, else of its
 * derivatives. */
template <int DIM, int ORDER, bool VALUE>
static __device__ __forceinline__ void weigh(const bf_gfem_fits &F, const bf_gfem_batch &B, bf_int first,
                                             int count, char *base, size_t bytes, int chunk, int p0, int np)
{
  constexpr int TERMS =
      DIM == 2 ? (ORDER + 1) * (ORDER + 2) / 2 : (ORDER + 1) * (ORDER + 2) * (ORDER + 3) / 6;
  constexpr int K   = VALUE ? 1 : DIM;
  const int     nen = B.nen;
  for (int t = (int)threadIdx.x; t < count * np * nen; t += THREADS) {
    const int     i = t / (np * nen), rest = t - i * np * nen, p = rest / nen, v = rest - p * nen;
    const element s = element_of(base + i * bytes, nen, B.width, TERMS, K, chunk);
    const double *N = B.N + (int64_t)(p0 + p) * nen, *dN = B.dN + (int64_t)(p0 + p) * nen * DIM;
    double        x[3], inv[9], *W = s.W + ((size_t)p * nen + v) * (TERMS * K);
    const double  det = bf_fit_geometry(DIM, nen, N, dN, s.X, x, inv);
    bf_fit_weights(DIM, ORDER, TERMS, N[v], dN + v * DIM, x, inv, s.X + 3 * v, F.h[s.corner[v]],
                   VALUE ? W : NULL, VALUE ? NULL : W);
    if (v > 0) continue;
    const bf_int at = B.elem ? B.elem[first + i] : first + i;
    s.c[p] = B.scale * B.w[p0 + p] * det * (!VALUE && B.factor ? B.factor[(int64_t)at * B.nq + p0 + p] : 1.0);
  }
}

/* d of np points from W: one (element, node, POINTS points) a thread. */
template <int TERMS, int K>
static __device__ __forceinline__ void sum_corners(const bf_gfem_fits &F, const bf_gfem_batch &B, int count,
                                                   char *base, size_t bytes, int chunk, int np)
{
  const int nen = B.nen, width = B.width, sets = (np + POINTS - 1) / POINTS, per = sets * width;
  for (int t = (int)threadIdx.x; t < count * per; t += THREADS) {
    const int     i = t / per, rest = t - i * per, set = rest / width, l = rest - set * width;
    const element s              = element_of(base + i * bytes, nen, width, TERMS, K, chunk);
    double        sum[POINTS][K] = {};
    const double *W[POINTS];
#pragma unroll
    for (int u = 0; u < POINTS; u++) W[u] = s.W + (size_t)min(set * POINTS + u, np - 1) * (nen * TERMS * K);
    for (int v = 0; v < nen; v++) {
      const int j = s.place[v * width + l];
      if (j < 0) continue;
      const bf_int  q  = s.corner[v];
      const int64_t p0 = F.ptr[q];
      const int     n  = (int)(F.ptr[q + 1] - p0) + 1;
      const double *C  = F.C + (int64_t)TERMS * (p0 + q) + j;
#pragma unroll
      for (int a = 0; a < TERMS; a++) {
        const double c = __ldg(C + (int64_t)a * n);
#pragma unroll
        for (int u = 0; u < POINTS; u++)
#pragma unroll
          for (int k = 0; k < K; k++) sum[u][k] += W[u][(v * TERMS + a) * K + k] * c;
      }
    }
#pragma unroll
    for (int u = 0; u < POINTS; u++)
      if (set * POINTS + u < np)
#pragma unroll
        for (int k = 0; k < K; k++) s.d[((size_t)(set * POINTS + u) * K + k) * width + l] = sum[u][k];
  }
}

/* launch<DIM, ORDER>() of the fits */
template <template <int, int> class Launch, typename... Args>
static void by_order(const bf_gfem_fits *F, Args... args)
{
  if (F->dim == 2)
    F->order == 1   ? Launch<2, 1>::run(args...)
    : F->order == 2 ? Launch<2, 2>::run(args...)
                    : Launch<2, 3>::run(args...);
  else
    F->order == 1   ? Launch<3, 1>::run(args...)
    : F->order == 2 ? Launch<3, 2>::run(args...)
                    : Launch<3, 3>::run(args...);
}

} // namespace bf
#endif
