/* kernels/cuda/multigrid/planes_galerkin.cu - P^T A P of one direction of a lattice
 *
 * Computes   multigrid/planes.h: galerkin; one row of one block by bf_plane_block.
 * Source     docs/theory/multigrid-planes.md; the distribution of the work is this project's.
 * Layout     matrix/matrix.h; the result is one segment.
 * Cost       A from memory about once (neighbouring threads read neighbouring values, each value about two
 *            times from the caches), C is written once.
 * Launch     a thread a scalar row of a diagonal of C; blockIdx.y is the diagonal.
 * Checked    tests/solvers/t440_planes.c.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cuda/multigrid/planes.cuh"

namespace bf
{

namespace
{

enum { THREADS = 128 };

/* acc[b] of row a as bf_plane_block, of one tile and a point that is no diagonal block of several components:
 * all entries come from the same end. */
template <int D, int DIRECTION>
__device__ __forceinline__ void block_of_tile(const bf_lattice &A, const bf_plane_line &line,
                                              const uint8_t *__restrict__ fixed, const bf_int (&R)[3],
                                              int point, int a, double (&acc)[3])
{
  const bool   lower  = point < BF_LATTICE_SELF;
  const bf_int stride = DIRECTION == 0 ? 1 : DIRECTION == 1 ? A.n[0] : A.n[0] * A.n[1];
  int          d[3];
  bf_lattice_step(point, d);
  bf_int       x[3] = {R[0] + (lower ? d[0] : 0), R[1] + (lower ? d[1] : 0), R[2] + (lower ? d[2] : 0)};
  const bf_int cu = x[DIRECTION], cv = lower ? R[DIRECTION] : R[DIRECTION] + d[DIRECTION];
#pragma unroll
  for (int q = 0; q < 3; q++) d[q] = q == DIRECTION ? 0 : lower ? -d[q] : d[q];
  x[DIRECTION]        = 0;
  const bf_int  first = bf_lattice_node(A.n, x), beside = d[0] + A.n[0] * (d[1] + A.n[1] * d[2]);
  const int     middle = bf_lattice_point(d), jump = DIRECTION == 0 ? 1 : DIRECTION == 1 ? 3 : 9;
  bf_plane_view view[3]; /* of t = -1, 0, 1: A(i, i + off), or A(i + off, i) by node i */
#pragma unroll
  for (int t = 0; t < 3; t++) {
    const bf_int off  = beside + (t - 1) * stride;
    const int    step = middle + (t - 1) * jump;
    view[t] =
        lower ? bf_planes_view(A, D, BF_LATTICE_POINTS - 1 - step, -off) : bf_planes_view(A, D, step, off);
    if (lower && view[t].p) view[t].p += off * view[t].node;
    if (view[t].p) view[t].p += a * view[t].row;
  }
  const bool masked = fixed && (!A.half || middle == BF_LATTICE_SELF);
  bf_int     f = bf_plane_from(&line, cu), to = bf_plane_to(&line, cu);
  double     wv[3] = {0.0, f > 0 ? bf_plane_weight(&line, f - 1, cv) : 0.0, bf_plane_weight(&line, f, cv)};
#pragma unroll
  for (int b = 0; b < D; b++) acc[b] = 0.0;
  for (; f <= to; f++) {
    const double  wf = bf_plane_weight(&line, f, cu);
    const int64_t i  = first + (int64_t)f * stride;
    wv[0]            = wv[1];
    wv[1]            = wv[2];
    wv[2]            = f + 1 < line.n ? bf_plane_weight(&line, f + 1, cv) : 0.0;
#pragma unroll
    for (int t = 0; t < 3; t++) {
      const double w = wf * wv[t];
      if (w == 0.0 || !view[t].p) continue;
      const int64_t j    = i + beside + (t - 1) * stride;
      const bool    mask = masked && (!A.half || t == 1);
      const double *p    = view[t].p + i * view[t].node;
#pragma unroll
      for (int b = 0; b < D; b++) {
        if (mask && (fixed[(lower ? j : i) * D + a] || fixed[(lower ? i : j) * D + b])) continue;
        acc[b] += w * p[b * view[t].column];
      }
    }
  }
}

template <int D, int DIRECTION, bool TILE>
__global__ void __launch_bounds__(THREADS)
    product(int64_t rows, const __grid_constant__ bf_lattice A, const __grid_constant__ bf_plane_line line,
            const uint8_t *__restrict__ fixed, const __grid_constant__ bf_lattice C)
{
  const int64_t r = (int64_t)blockIdx.x * THREADS + threadIdx.x;
  if (r >= rows) return;
  const int    point = C.point[blockIdx.y], a = (int)(r % D);
  const bf_int node = (bf_int)(r / D);
  bf_int       x[3];
  int          d[3];
  bf_lattice_place(C.n, node, x);
  bf_lattice_step(point, d);
  if (!bf_lattice_inside(C.n, x, d)) return;
  double acc[3];
  if (TILE && (D == 1 || point != BF_LATTICE_SELF)) {
    block_of_tile<D, DIRECTION>(A, line, fixed, x, point, a, acc);
  } else {
    const bf_plane_pass pass = {DIRECTION, line, fixed};
    bf_plane_block(&A, &pass, x, point, a, 1, acc);
  }
  const bf_lattice_block B = bf_lattice_at(&C, node, point);
#pragma unroll
  for (int b = 0; b < D; b++) C.values[B.at + a * B.sa + b * B.sb] = acc[b];
}

template <int D, bool TILE>
void launch(cudaStream_t stream, const bf_lattice *A, int a, const bf_plane_line *line, const uint8_t *fixed,
            const bf_lattice *C)
{
  const int64_t rows = bf_planes_nodes(C->n) * D;
  const dim3    grid(bf_cuda_blocks(rows, THREADS), (unsigned)C->npoint);
  auto         *kernel = a == 0 ? product<D, 0, TILE> : a == 1 ? product<D, 1, TILE> : product<D, 2, TILE>;
  kernel<<<grid, THREADS, 0, stream>>>(rows, *A, *line, fixed, *C);
}

} // namespace

bf_err bf_cuda_planes_galerkin(bf_backend *be, const bf_lattice *A, int a, const bf_plane_line *line,
                               const uint8_t *fixed, const bf_lattice *C)
{
  const cudaStream_t stream = bf_cuda_of(be)->stream;
  bf_planes_with_components(A->D, [&](auto D) {
    (bf_planes_one_tile(A) ? launch<decltype(D)::value, true>
                           : launch<decltype(D)::value, false>)(stream, A, a, line, fixed, C);
  });
  return BF_CUDA_LAUNCHED(be);
}

} // namespace bf
