/* kernels/cuda/sparse/bdia_spmv_half_band.cu - y = A x, symmetric bDIA with stored diagonals 0, 1, ..., H:
 * every value is read once and used twice
 *
 * Computes   y(j) = sum_{o=0..H} U_o(j) x(j + o) + sum_{o=1..H} U_o(j - o) x(j - o).
 * Source     own. A thread has R adjacent rows j and processes the diagonals from H down. U_o(j) x(j)
 *            contributes to y(j + o), o rows ahead; the sum for it is therefore passed on by one row per
 *            step (within the thread, to the next lane) and arrives at its row when o is 0. Sums that leave
 *            a warp are stored in shared memory for the next warp. The entries x(j + o) are passed on in
 *            the same way.
 * Layout     matrix/matrix.h, one segment, D = 1. x of the block's rows is in shared memory, entry i at [i
 *            % R][i / R], so that lanes R rows apart read adjacent banks.
 * Cost       2 flops per use; a value is loaded once, 16 bytes per thread: memory traffic is
 *            bf_bdia_product_bytes plus a halo of H / 2 rows per block, without the second read of the
 *            values from L2 that bounds bdia_spmv_half.cu.
 * Launch     WARPS warps of 32 R rows, and one more before them that computes the sums from the rows before
 *            the block. STEPS diagonals are in flight at once. H200, 2026-11-22, n = 4e6, 101 diagonals:
 *            fp64 422 us by bdia_spmv_half.cu, 395 here (93 % of the rate of a read-only kernel), fp32 276
 *            and 224; 27 diagonals: 146 and 125, 89 and 80. 10 steps, 4 rows in fp64, 2 in fp32, 4 warps
 *            are slower.
 * Checked    tests/kernels/sparse/t310_bdia.c, t354_band_shapes.c against the dense product.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cuda/sparse/bdia_view.cuh"

namespace bf
{

enum { WARPS = 8, LEAST = 6 };

/* Rows of a thread; diagonals per step, and whether the next step's are loaded early; blocks per
 * multiprocessor, which limits the registers */
template <typename T>
struct band_shape {
  static constexpr bool wide = sizeof(T) == sizeof(double), early = wide;
  static constexpr int  rows = wide ? 2 : 4, steps = wide ? 3 : 5, held = wide ? 4 : 3;
};

static __device__ __forceinline__ void load_rows(const double *p, double (&u)[2])
{
  const double2 a = __ldcs(reinterpret_cast<const double2 *>(p));
  u[0] = a.x, u[1] = a.y;
}
static __device__ __forceinline__ void load_rows(const float *p, float (&u)[4])
{
  const float4 a = __ldcs(reinterpret_cast<const float4 *>(p));
  u[0] = a.x, u[1] = a.y, u[2] = a.z, u[3] = a.w;
}

/* Rows row .. row + R - 1 of the diagonals o, o - 1, ..., o - STEPS + 1; zeros where they are not
 * needed: rows outside the matrix, and in the halo those with y(j + o) before the block */
template <typename T, int R, int STEPS>
static __device__ __forceinline__ void load_steps(const T *v, int64_t ld, int o, bool inside, int above,
                                                  T (&u)[STEPS][R])
{
#pragma unroll
  for (int k = 0; k < STEPS; k++) {
#pragma unroll
    for (int r = 0; r < R; r++) u[k][r] = 0;
    if (inside && o - k >= above) load_rows(v + (int64_t)(o - k) * ld, u[k]);
  }
}

/* One step o > 0: uses the R values u, then passes the sums and the entries of x on by one row. */
template <typename T, int R>
static __device__ __forceinline__ void step(const T (&u)[R], const double (&own)[R], double (&ahead)[R],
                                            double (&up)[R], double (&low)[R], double next, int lane,
                                            double *left)
{
#pragma unroll
  for (int r = 0; r < R; r++) {
    const double a = (double)u[r];
    up[r] += a * ahead[r];
    low[r] += a * own[r];
  }
#pragma unroll
  for (int r = R - 1; r > 0; r--) ahead[r] = ahead[r - 1];
  ahead[0] = next;
  if (lane == 31) *left = low[R - 1];
  const double in = __shfl_up_sync(~0u, low[R - 1], 1);
#pragma unroll
  for (int r = R - 1; r > 0; r--) low[r] = low[r - 1];
  low[0] = lane == 0 ? 0.0 : in;
}

template <typename T, int AFTER>
static __global__ void __launch_bounds__(32 * (WARPS + 1), band_shape<T>::held)
    bdia_band(const __grid_constant__ bdia_args g, const T *__restrict__ values)
{
  constexpr int            R = band_shape<T>::rows, STEPS = band_shape<T>::steps, TILE = 32 * R;
  extern __shared__ double shared[];
  const int     H = g.seg.ndiag - 1, entries = (WARPS + 1) * TILE + H, pitch = (entries / R + 2) | 1;
  double       *x = shared, *left = shared + R * pitch; /* left[warp][o - 1]: for the row o after its last */
  const int     warp = (int)threadIdx.x / 32, lane = (int)threadIdx.x & 31, at = (int)threadIdx.x * R;
  const int64_t begin = (int64_t)blockIdx.x * WARPS * TILE - TILE, row = begin + at;
  const bool    halo = warp == 0, inside = row >= 0 && row < g.n;
  const int     above = halo ? max(1, TILE - at - R + 1) : 0;
  const T      *v     = values + g.seg.base + row;
  T             u[STEPS][R], early[STEPS][R];
  double        alpha;
  if (!bdia_goes_on<AFTER>(g, &alpha)) return;
  if (band_shape<T>::early) load_steps(v, g.seg.ld, H, inside, above, early);
  for (int i = (int)threadIdx.x; i < entries; i += 32 * (WARPS + 1)) {
    const int64_t j          = begin + i;
    x[i % R * pitch + i / R] = j >= 0 && j < g.n ? __ldg(g.x + j) : 0.0;
  }
  __syncthreads();
  double up[R], low[R], own[R], ahead[R], sum[bdia_count<AFTER>] = {};
#pragma unroll
  for (int r = 0; r < R; r++) {
    const int i = at + r + H;
    up[r] = low[r] = 0.0;
    own[r]         = x[r * pitch + at / R];
    ahead[r]       = x[i % R * pitch + i / R];
  }
  for (int o = H; o >= 0; o -= STEPS) {
    if (band_shape<T>::early) {
#pragma unroll
      for (int k = 0; k < STEPS; k++)
#pragma unroll
        for (int r = 0; r < R; r++) u[k][r] = early[k][r];
      load_steps(v, g.seg.ld, o - STEPS, inside, above, early);
    } else
      load_steps(v, g.seg.ld, o, inside, above, u);
#pragma unroll
    for (int k = 0; k < STEPS; k++) {
      const int i = at + o - k - 1;
      if (o - k > 0)
        step(u[k], own, ahead, up, low, x[i % R * pitch + i / R], lane, left + warp * H + o - k - 1);
      else if (o == k)
#pragma unroll
        for (int r = 0; r < R; r++) up[r] += (double)u[k][r] * own[r];
    }
  }
  __syncthreads();
#pragma unroll
  for (int r = 0; r < R; r++) {
    if (halo || row + r >= g.n) continue;
    const int i = lane * R + r;
    up[r] += low[r] + (i < H ? left[(warp - 1) * H + i] : 0.0);
    if (AFTER == BDIA_PLAIN)
      bdia_row<AFTER>(g, alpha, row + r, up[r], sum);
    else if (r % 2)
      bdia_two_rows<AFTER>(g, alpha, row + r - 1, g.n, up[r - 1], up[r], sum);
    else if (row + r + 1 == g.n)
      bdia_row<AFTER>(g, alpha, row + r, up[r], sum);
  }
  bdia_dots<AFTER>(sum, g);
}

template <typename T>
static bf_err launch(bf_backend *be, bdia_args *g, const void *values)
{
  constexpr int  R = band_shape<T>::rows;
  const int      H = g->seg.ndiag - 1, entries = (WARPS + 1) * 32 * R + H;
  const size_t   room   = (size_t)(R * ((entries / R + 2) | 1) + (WARPS + 1) * H) * sizeof(double);
  const unsigned blocks = bf_cuda_blocks(g->n, WARPS * 32 * R);
  BF_TRY(bf_cuda_bdia_sums(be, g, blocks));
#define BAND(after) bdia_band<T, after>
  auto *kernel = BDIA_AFTER(g, BAND);
  kernel<<<blocks, 32 * (WARPS + 1), room, bf_cuda_of(be)->stream>>>(*g, static_cast<const T *>(values));
  return bf_cuda_bdia_add(be, g, blocks);
}

bool bf_cuda_bdia_is_band(const bf_bdia *A)
{
  return A->half && A->ncomp == 1 && A->nseg == 1 && A->reach == A->ndiag - 1 && A->reach >= LEAST &&
         A->reach <= 32 * (A->prec == BF_FP64 ? band_shape<double>::rows : band_shape<float>::rows);
}

bf_err bf_cuda_bdia_band(bf_backend *be, const bf_bdia *A, bdia_args *g)
{
  return (A->prec == BF_FP64 ? launch<double> : launch<float>)(be, g, A->values);
}

} // namespace bf
