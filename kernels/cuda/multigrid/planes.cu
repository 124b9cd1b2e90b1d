/* kernels/cuda/multigrid/planes.cu - coarsening by planes: the table of operations, interpolation
 *
 * Computes   multigrid/planes.h: x += P xc, bc = P^T r, data of the coarse lattice from the fine one.
 * Source     docs/theory/multigrid-planes.md; the distribution of the work is this project's.
 * Layout     the tables of three directions; vectors by scalar rows.
 * Cost       prolong: x read and written, xc and a byte per unknown read; restricted: r and a byte
 *            per unknown read, bc written; repeated reads of neighbours come from the caches.
 * Launch     a thread per unknown of the result, neighbouring threads neighbouring unknowns.
 * Checked    tests/solvers/t440_planes.c.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cuda/multigrid/planes.cuh"

namespace bf
{

namespace
{

enum { THREADS = 256 };

struct sizes {
  bf_int n[3];
};

sizes fine_of(const bf_plane_map *P)
{
  return {{P->line[0].n, P->line[1].n, P->line[2].n}};
}
sizes coarse_of(const bf_plane_map *P)
{
  return {{P->line[0].nc, P->line[1].nc, P->line[2].nc}};
}

template <int D>
__global__ void __launch_bounds__(THREADS) restricted(int64_t rows, bf_plane_map P, sizes fine, sizes coarse,
                                                      const double *__restrict__ r, double *__restrict__ bc)
{
  const int64_t row = (int64_t)blockIdx.x * THREADS + threadIdx.x;
  if (row >= rows) return;
  bf_plane_map M = P;
  M.D            = D;
  bf_int c[3];
  bf_lattice_place(coarse.n, (bf_int)(row / D), c);
  bc[row] = P.fixed_c[row] ? 0.0 : bf_plane_restricted(&M, fine.n, c, (int)(row % D), r);
}

template <int D>
__global__ void __launch_bounds__(THREADS) prolong(int64_t rows, bf_plane_map P, sizes fine, sizes coarse,
                                                   const double *__restrict__ xc, double *__restrict__ x)
{
  const int64_t row = (int64_t)blockIdx.x * THREADS + threadIdx.x;
  if (row >= rows || P.fixed[row]) return;
  bf_plane_map M = P;
  M.D            = D;
  bf_int at[3];
  bf_lattice_place(fine.n, (bf_int)(row / D), at);
  x[row] += bf_plane_prolonged(&M, coarse.n, at, (int)(row % D), xc);
}

/* x_c by the threads of component 0 */
__global__ void __launch_bounds__(THREADS) inject(int64_t rows, bf_plane_map P, sizes fine, sizes coarse,
                                                  const double *x, uint8_t *fixed_c, double *x_c)
{
  const int64_t row = (int64_t)blockIdx.x * THREADS + threadIdx.x;
  if (row >= rows) return;
  const int64_t node = row / P.D;
  bf_int        c[3];
  bf_lattice_place(coarse.n, (bf_int)node, c);
  fixed_c[row] = (uint8_t)bf_plane_all_fixed(&P, fine.n, c, (int)(row % P.D));
  if (!x || row % P.D != 0) return;
  for (int q = 0; q < 3; q++) c[q] = P.line[q].first[c[q]];
  for (int q = 0; q < 3; q++) x_c[3 * node + q] = x[3 * (int64_t)bf_lattice_node(fine.n, c) + q];
}

__global__ void __launch_bounds__(THREADS)
    close_rows(int64_t rows, const __grid_constant__ bf_lattice A, uint8_t *fixed, double *diagonal)
{
  const int64_t row = (int64_t)blockIdx.x * THREADS + threadIdx.x;
  if (row >= rows) return;
  if (diagonal[row] <= 0.0) fixed[row] = 1;
  if (!fixed[row]) return;
  const int64_t          a = row % A.D;
  const bf_lattice_block B = bf_lattice_at(&A, (bf_int)(row / A.D), BF_LATTICE_SELF);
  diagonal[row] = A.values[B.at + a * (B.sa + B.sb)] = 1.0;
}

struct lines {
  const bf_int *line[3];
};

__global__ void __launch_bounds__(THREADS)
    boxes(int64_t nodes, sizes fine, lines by, sizes coarse, bf_int *__restrict__ box)
{
  const int64_t node = (int64_t)blockIdx.x * THREADS + threadIdx.x;
  if (node >= nodes) return;
  bf_int x[3];
  bf_lattice_place(fine.n, (bf_int)node, x);
  const bf_int c[3] = {by.line[0][x[0]], by.line[1][x[1]], by.line[2][x[2]]};
  box[node]         = bf_lattice_node(coarse.n, c);
}

bf_err planes_boxes(bf_backend *be, const bf_int n[3], const bf_int *const line[3], const bf_int nbox[3],
                    bf_int *box)
{
  const int64_t nodes = bf_planes_nodes(n);
  const sizes   fine = {{n[0], n[1], n[2]}}, coarse = {{nbox[0], nbox[1], nbox[2]}};
  const lines   by = {{line[0], line[1], line[2]}};
  boxes<<<bf_cuda_blocks(nodes, THREADS), THREADS, 0, bf_cuda_of(be)->stream>>>(nodes, fine, by, coarse, box);
  return BF_CUDA_LAUNCHED(be);
}

bf_err planes_restricted(bf_backend *be, const bf_plane_map *P, const double *r, double *bc)
{
  const sizes        fine = fine_of(P), coarse = coarse_of(P);
  const int64_t      rows   = bf_planes_nodes(coarse.n) * P->D;
  const cudaStream_t stream = bf_cuda_of(be)->stream;
  bf_planes_with_components(P->D, [&](auto D) {
    restricted<decltype(D)::value>
        <<<bf_cuda_blocks(rows, THREADS), THREADS, 0, stream>>>(rows, *P, fine, coarse, r, bc);
  });
  return BF_CUDA_LAUNCHED(be);
}

bf_err planes_prolong(bf_backend *be, const bf_plane_map *P, const double *xc, double *x)
{
  const sizes        fine = fine_of(P), coarse = coarse_of(P);
  const int64_t      rows   = bf_planes_nodes(fine.n) * P->D;
  const cudaStream_t stream = bf_cuda_of(be)->stream;
  bf_planes_with_components(P->D, [&](auto D) {
    prolong<decltype(D)::value>
        <<<bf_cuda_blocks(rows, THREADS), THREADS, 0, stream>>>(rows, *P, fine, coarse, xc, x);
  });
  return BF_CUDA_LAUNCHED(be);
}

bf_err planes_inject(bf_backend *be, const bf_plane_map *P, const double *x, uint8_t *fixed_c, double *x_c)
{
  const sizes   fine = fine_of(P), coarse = coarse_of(P);
  const int64_t rows = bf_planes_nodes(coarse.n) * P->D;
  inject<<<bf_cuda_blocks(rows, THREADS), THREADS, 0, bf_cuda_of(be)->stream>>>(rows, *P, fine, coarse, x,
                                                                                fixed_c, x_c);
  return BF_CUDA_LAUNCHED(be);
}

bf_err planes_close_rows(bf_backend *be, const bf_lattice *A, uint8_t *fixed, double *diagonal)
{
  const int64_t rows = bf_planes_nodes(A->n) * A->D;
  close_rows<<<bf_cuda_blocks(rows, THREADS), THREADS, 0, bf_cuda_of(be)->stream>>>(rows, *A, fixed,
                                                                                    diagonal);
  return BF_CUDA_LAUNCHED(be);
}

} // namespace

extern "C" {
extern const bf_mg_plane_ops bf_cuda_mg_planes; /* known to backend.cu only */
const bf_mg_plane_ops        bf_cuda_mg_planes = {.wraps      = bf_cuda_planes_wraps,
                                                  .couplings  = bf_cuda_planes_couplings,
                                                  .gaps       = bf_cuda_planes_gaps,
                                                  .galerkin   = bf_cuda_planes_galerkin,
                                                  .inject     = planes_inject,
                                                  .close_rows = planes_close_rows,
                                                  .boxes      = planes_boxes,
                                                  .restricted = planes_restricted,
                                                  .prolong    = planes_prolong};
}

} // namespace bf
