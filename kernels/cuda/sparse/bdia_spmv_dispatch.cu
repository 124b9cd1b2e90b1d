/* kernels/cuda/sparse/bdia_spmv_dispatch.cu - y = A x for bDIA: checks, kernel parameters, choice of the
 * kernel
 *
 * Computes   y = A x and w.y, y.y; sums of blocks.
 * Source     see the kernels.
 * Layout     bdia_view.cuh.
 * Cost       bf_bdia_product_bytes; sum of partial sums: 16 bytes per block.
 * Launch     add: at most 32 blocks of 1024 threads, for products of more than BDIA_TICKETS blocks.
 * Checked    tests/kernels/sparse/t310_bdia.c, t354_band_shapes.c.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cuda/sparse/bdia_view.cuh"

namespace bf
{

enum { ADD_THREADS = 1024, ADD_BLOCKS = 32 };

/* dot[0..1] = sum of pairs[count][2] in a fixed order: a thread adds every so many-th pair. */
static __global__ void __launch_bounds__(ADD_THREADS)
    add(unsigned count, const double *pairs, double *partial, unsigned *ticket, double *dot)
{
  double sum[2] = {0.0, 0.0};
#pragma unroll 4
  for (unsigned i = blockIdx.x * ADD_THREADS + threadIdx.x; i < count; i += gridDim.x * ADD_THREADS) {
    const double2 p = reinterpret_cast<const double2 *>(pairs)[i];
    sum[0] += p.x;
    sum[1] += p.y;
  }
  if (gridDim.x == 1) {
    bf_block_sum(sum);
    if (threadIdx.x > 0) return;
  } else if (!bf_grid_sum(sum, partial, ticket))
    return;
  dot[0] = sum[0];
  dot[1] = sum[1];
}

bf_err bf_cuda_bdia_partials(bf_backend *be, bdia_args *g, unsigned blocks)
{
  if (g->bicgstab.state && g->bicgstab.second)
    return bf_cuda_partials(be, bdia_nsums<BDIA_EPILOGUE_T> * (int64_t)blocks, &g->partial);
  return g->w ? bf_cuda_partials(be, 2 * ((int64_t)blocks + ADD_BLOCKS), &g->partial) : BF_OK;
}

bf_err bf_cuda_bdia_add_partials(bf_backend *be, const bdia_args *g, unsigned blocks)
{
  BF_TRY(BF_CUDA_LAUNCHED(be));
  if (g->nparts) *g->nparts = blocks;
  if (!g->w || g->nparts || blocks <= BDIA_TICKETS) return BF_OK;
  const unsigned want = bf_cuda_blocks(blocks, 4 * ADD_THREADS), most = ADD_BLOCKS;
  const unsigned grid = want < most ? want : most;
  add<<<grid, ADD_THREADS, 0, bf_cuda_of(be)->stream>>>(blocks, g->partial, g->partial + 2 * (size_t)blocks,
                                                        g->ticket, g->dot);
  return BF_CUDA_LAUNCHED(be);
}

bool bf_cuda_bdia_args_of(const bf_bdia *A, const double *x, double *y, bdia_args *g)
{
  const int  D   = A->ncomp;
  const bool one = A->nseg == 1 && A->seg[0].ndiag <= BDIA_TABLE;
  g->n           = (int64_t)A->nrows * D;
  g->nseg        = A->nseg;
  g->seg         = A->seg[0];
  g->segs        = A->seg_be;
  g->off         = A->off_be;
  g->lower       = A->lower_be;
  g->x           = x;
  g->y           = y;
  for (int k = 0; one && k < A->seg[0].ndiag; k++) g->table[k] = A->off[A->seg[0].diag0 + k] * D;
  return one;
}

/* y = A x by the kernel for this matrix; g has the epilogue of the rows. */
static bf_err launch(bf_backend *be, const bf_bdia *A, const double *x, double *y, int64_t *nparts,
                     bdia_args *g)
{
  const bool one = bf_cuda_bdia_args_of(A, x, y, g);
  g->nparts      = nparts;
  g->ticket      = bf_cuda_of(be)->ticket;
  if (one && bf_cuda_bdia_has_few_rows(be, A)) return bf_cuda_bdia_few_rows(be, A, g);
  if (one && bf_cuda_bdia_is_small(be, A)) return bf_cuda_bdia_small(be, A, g);
  if (one && bf_cuda_bdia_is_band(A)) return bf_cuda_bdia_band(be, A, g);
  if (one && bf_cuda_bdia_is_stencil27(be, A, g->x)) return bf_cuda_bdia_stencil27(be, A, g);
  return A->half ? bf_cuda_bdia_half(be, A, g, one) : bf_cuda_bdia_full(be, A, g, one);
}

bf_err bf_cuda_bdia_product(bf_backend *be, const bf_bdia *A, const double *x, double *y, const double *w,
                            double *dot, int64_t *nparts)
{
  BF_CHECK(A && A->ncomp >= 1 && A->ncomp <= 3, BF_E_ARG, "bDIA product: 1 to 3 components");
  BF_CHECK(!w || dot, BF_E_ARG, "bDIA product: w without dot");
  if (A->nrows == 0) return w ? be->ops.zero(be, dot, 2 * sizeof *dot) : BF_OK;
  bdia_args g = {};
  g.w         = w;
  g.dot       = dot;
  return launch(be, A, x, y, nparts, &g);
}

bf_err bf_cuda_bdia_bicgstab(bf_backend *be, const bf_bdia *A, const double *x, double *y,
                             const bdia_bicgstab &bicgstab, int64_t *nparts)
{
  bdia_args g = {};
  g.bicgstab  = bicgstab;
  return launch(be, A, x, y, nparts, &g);
}

bf_err bf_cuda_bdia_step(bf_backend *be, const bf_bdia *A, const double *v, const bf_mg_step &step)
{
  bdia_args g = {};
  g.step      = step;
  return A->nrows > 0 ? launch(be, A, v, NULL, NULL, &g) : BF_OK;
}

extern "C" bf_part_spmv bf_cuda_bdia_spmv;
bf_err bf_cuda_bdia_spmv(bf_backend *be, const bf_matrix *M, const double *x, double *y, const double *w,
                         double *dot)
{
  const bf_bdia *A = M->bdia;
  return bf_cuda_bdia_product(be, A, x, y, w, dot, NULL);
}

} // namespace bf
