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

enum { WARPS = 8, MIN_REACH = 6 };

/* Rows of a thread; diagonals per step, and whether the next step's are loaded early; blocks per
 * multiprocessor, which limits the registers */
template <typename T>
struct band_shape {
  static constexpr bool wide = sizeof(T) == sizeof(double), prefetched = wide;
  static constexpr int  rows = wide ? 2 : 4, steps = wide ? 3 : 5, blocks_per_sm = wide ? 4 : 3;
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
static __device__ __forceinline__ void load_diagonals(const T *v, int64_t ld, int o, bool inside, int above,
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
static __device__ __forceinline__ void step(const T (&u)[R], const double (&x_row)[R], double (&x_shifted)[R],
                                            double (&upper)[R], double (&lower)[R], double next, int lane,
                                            double *carry)
{
#pragma unroll
  for (int r = 0; r < R; r++) {
    const double a = (double)u[r];
    upper[r] += a * x_shifted[r];
    lower[r] += a * x_row[r];
  }
#pragma unroll
  for (int r = R - 1; r > 0; r--) x_shifted[r] = x_shifted[r - 1];
  x_shifted[0] = next;
  if (lane == 31) *carry = lower[R - 1];
  const double in = __shfl_up_sync(~0u, lower[R - 1], 1);
#pragma unroll
  for (int r = R - 1; r > 0; r--) lower[r] = lower[r - 1];
  lower[0] = lane == 0 ? 0.0 : in;
}

template <typename T, int EPILOGUE>
static __global__ void __launch_bounds__(32 * (WARPS + 1), band_shape<T>::blocks_per_sm)
    bdia_band(const __grid_constant__ bdia_args g, const T *__restrict__ values)
{
  constexpr int            R = band_shape<T>::rows, STEPS = band_shape<T>::steps, TILE = 32 * R;
  extern __shared__ double shared[];
  const int H = g.seg.ndiag - 1, entries = (WARPS + 1) * TILE + H, pitch = (entries / R + 2) | 1;
  double   *x = shared, *carry = shared + R * pitch; /* carry[warp][o - 1]: for the row o after its last */
  const int warp = (int)threadIdx.x / 32, lane = (int)threadIdx.x & 31, at = (int)threadIdx.x * R;
  const int64_t begin = (int64_t)blockIdx.x * WARPS * TILE - TILE, row = begin + at;
  const bool    halo = warp == 0, inside = row >= 0 && row < g.n;
  const int     above = halo ? max(1, TILE - at - R + 1) : 0;
  const T      *v     = values + g.seg.base + row;
  T             u[STEPS][R], prefetched[STEPS][R];
  double        alpha;
  if (!bdia_running<EPILOGUE>(g, &alpha)) return;
  if (band_shape<T>::prefetched) load_diagonals(v, g.seg.ld, H, inside, above, prefetched);
  for (int i = (int)threadIdx.x; i < entries; i += 32 * (WARPS + 1)) {
    const int64_t j          = begin + i;
    x[i % R * pitch + i / R] = j >= 0 && j < g.n ? __ldg(g.x + j) : 0.0;
  }
  __syncthreads();
  double upper[R], lower[R], x_row[R], x_shifted[R], sum[bdia_nsums<EPILOGUE>] = {};
#pragma unroll
  for (int r = 0; r < R; r++) {
    const int i = at + r + H;
    upper[r] = lower[r] = 0.0;
    x_row[r]            = x[r * pitch + at / R];
    x_shifted[r]        = x[i % R * pitch + i / R];
  }
  for (int o = H; o >= 0; o -= STEPS) {
    if (band_shape<T>::prefetched) {
#pragma unroll
      for (int k = 0; k < STEPS; k++)
#pragma unroll
        for (int r = 0; r < R; r++) u[k][r] = prefetched[k][r];
      load_diagonals(v, g.seg.ld, o - STEPS, inside, above, prefetched);
    } else
      load_diagonals(v, g.seg.ld, o, inside, above, u);
#pragma unroll
    for (int k = 0; k < STEPS; k++) {
      const int i = at + o - k - 1;
      if (o - k > 0)
        step(u[k], x_row, x_shifted, upper, lower, x[i % R * pitch + i / R], lane,
             carry + warp * H + o - k - 1);
      else if (o == k)
#pragma unroll
        for (int r = 0; r < R; r++) upper[r] += (double)u[k][r] * x_row[r];
    }
  }
  __syncthreads();
#pragma unroll
  for (int r = 0; r < R; r++) {
    if (halo || row + r >= g.n) continue;
    const int i = lane * R + r;
    upper[r] += lower[r] + (i < H ? carry[(warp - 1) * H + i] : 0.0);
    if (EPILOGUE == BDIA_EPILOGUE_DOT)
      bdia_store_row<EPILOGUE>(g, alpha, row + r, upper[r], sum);
    else if (r % 2)
      bdia_store_two_rows<EPILOGUE>(g, alpha, row + r - 1, g.n, upper[r - 1], upper[r], sum);
    else if (row + r + 1 == g.n)
      bdia_store_row<EPILOGUE>(g, alpha, row + r, upper[r], sum);
  }
  bdia_dots<EPILOGUE>(sum, g);
}

template <typename T>
static bf_err launch(bf_backend *be, bdia_args *g, const void *values)
{
  constexpr int  R = band_shape<T>::rows;
  const int      H = g->seg.ndiag - 1, entries = (WARPS + 1) * 32 * R + H;
  const size_t   room   = (size_t)(R * ((entries / R + 2) | 1) + (WARPS + 1) * H) * sizeof(double);
  const unsigned blocks = bf_cuda_blocks(g->n, WARPS * 32 * R);
  BF_TRY(bf_cuda_bdia_partials(be, g, blocks));
#define BAND(epilogue) bdia_band<T, epilogue>
  auto *kernel = BDIA_BY_EPILOGUE(g, BAND);
  kernel<<<blocks, 32 * (WARPS + 1), room, bf_cuda_of(be)->stream>>>(*g, static_cast<const T *>(values));
  return bf_cuda_bdia_add_partials(be, g, blocks);
}

bool bf_cuda_bdia_is_band(const bf_bdia *A)
{
  return A->half && A->ncomp == 1 && A->nseg == 1 && A->reach == A->ndiag - 1 && A->reach >= MIN_REACH &&
         A->reach <= 32 * (A->prec == BF_FP64 ? band_shape<double>::rows : band_shape<float>::rows);
}

bf_err bf_cuda_bdia_band(bf_backend *be, const bf_bdia *A, bdia_args *g)
{
  return (A->prec == BF_FP64 ? launch<double> : launch<float>)(be, g, A->values);
}

} // namespace bf
