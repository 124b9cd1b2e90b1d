/* kernels/cuda/multigrid/planes_galerkin.cu - P^T A P of one direction of a lattice
 *
 * Computes   multigrid/planes.h: galerkin; one row of one block by bf_plane_block.
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

template <int D, int DIRECTION>
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
  const bf_plane_pass pass = {DIRECTION, line, fixed};
  double              acc[3];
  bf_plane_block(&A, &pass, x, point, a, 1, acc);
  const bf_lattice_block B = bf_lattice_at(&C, node, point);
#pragma unroll
  for (int b = 0; b < D; b++) C.values[B.at + a * B.sa + b * B.sb] = acc[b];
}

template <int D>
void launch(cudaStream_t stream, const bf_lattice *A, int a, const bf_plane_line *line, const uint8_t *fixed,
            const bf_lattice *C)
{
  const int64_t rows = bf_planes_nodes(C->n) * D;
  const dim3    grid(bf_cuda_blocks(rows, THREADS), (unsigned)C->npoint);
  if (a == 0)
    product<D, 0><<<grid, THREADS, 0, stream>>>(rows, *A, *line, fixed, *C);
  else if (a == 1)
    product<D, 1><<<grid, THREADS, 0, stream>>>(rows, *A, *line, fixed, *C);
  else
    product<D, 2><<<grid, THREADS, 0, stream>>>(rows, *A, *line, fixed, *C);
}

} // namespace

bf_err bf_cuda_planes_galerkin(bf_backend *be, const bf_lattice *A, int a, const bf_plane_line *line,
                               const uint8_t *fixed, const bf_lattice *C)
{
  bf_planes_with_components(
      A->D, [&](auto D) { launch<decltype(D)::value>(bf_cuda_of(be)->stream, A, a, line, fixed, C); });
  return BF_CUDA_LAUNCHED(be);
}

} // namespace bf
