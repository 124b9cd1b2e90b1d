/* kernels/cuda/gfem/matrix.cu - element matrices of generalised finite elements
 *
 * Computes   Ke = sum_p c_p B^T C B, c_p = scale factor w det J. With d_a = grad psi_a the sums over the
 *            points are M_ab[k][l] = sum_p c_p d_a[k] d_b[l], and C enters once, after the sum, as in
 *            fem/element_stiffness.cu.
 * Source     docs/theory/gfem.md.
 * Layout     gfem.h, element_values.cuh. Chunks of points are added in order to Ke by the threads that own
 *            its entries.
 * Cost       per point width^2/2*dim^2 multiply-adds besides those of element_values.cuh, width 16 and 36 on
 *            quadrilaterals of order 2 and 3; 8 nd^2 bytes written and the C of the corners read.
 * Launch     128 threads, 1 to 8 elements; in the last step a thread owns 2 x 2 nodes.
 * Order      every sum has a fixed order: repeated runs give the same bits.
 * Checked    tests/assembly/gfem/t675_gfem_backend.c.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cuda/gfem/element_values.cuh"

namespace bf
{

/* Tile number p = b(b+1)/2 + a, a <= b. */
static __device__ __forceinline__ void tile_of(int p, int &a, int &b)
{
  b = (int)((sqrtf(8.0f * (float)p + 1.0f) - 1.0f) * 0.5f);
  while ((b + 1) * (b + 2) / 2 <= p) b++;
  while (b * (b + 1) / 2 > p) b--;
  a = p - b * (b + 1) / 2;
}

/* Writes, or with `add` adds, the D x D block of nodes (a, b) and its transpose. */
template <int D>
static __device__ __forceinline__ void put_block(double *K, int nd, int a, int b, bool add,
                                                 const double (&block)[D][D])
{
#pragma unroll
  for (int i = 0; i < D; i++)
#pragma unroll
    for (int j = 0; j < D; j++) {
      const bool   mirrored = a == b && i > j; /* equal but for rounding: take the upper half */
      double      *to       = K + (int64_t)(a * D + i) * nd + b * D + j;
      const double v        = (mirrored ? block[j][i] : block[i][j]) + (add ? *to : 0.0);
      *to                   = v;
      if (a != b) K[(int64_t)(b * D + j) * nd + a * D + i] = v;
    }
}

/* K of one tile of 2 x 2 nodes from np points. */
template <int DIM, int D>
static __device__ __forceinline__ void tile(const element &s, const double *C, int width, int np, int ta,
                                            int tb, bool add, double *K)
{
  constexpr int NV                = D == 1 ? DIM : DIM * (DIM + 1) / 2;
  double        M[2][2][DIM][DIM] = {};
  for (int p = 0; p < np; p++) {
    const double  c = s.c[p];
    const double *d = s.d + (size_t)p * DIM * width;
    double2       A[DIM], B[DIM];
#pragma unroll
    for (int k = 0; k < DIM; k++) {
      A[k] = *reinterpret_cast<const double2 *>(d + k * width + 2 * ta);
      B[k] = *reinterpret_cast<const double2 *>(d + k * width + 2 * tb);
      A[k].x *= c;
      A[k].y *= c;
    }
#pragma unroll
    for (int k = 0; k < DIM; k++)
#pragma unroll
      for (int l = 0; l < DIM; l++) {
        M[0][0][k][l] += A[k].x * B[l].x;
        M[0][1][k][l] += A[k].x * B[l].y;
        M[1][0][k][l] += A[k].y * B[l].x;
        M[1][1][k][l] += A[k].y * B[l].y;
      }
  }
#pragma unroll
  for (int i = 0; i < 2; i++)
#pragma unroll
    for (int j = 0; j < 2; j++) {
      if (ta == tb && i > j) continue;
      double block[D][D] = {};
#pragma unroll
      for (int r = 0; r < D; r++)
#pragma unroll
        for (int q = 0; q < D; q++)
#pragma unroll
          for (int k = 0; k < DIM; k++)
#pragma unroll
            for (int l = 0; l < DIM; l++)
              block[r][q] +=
                  __ldg(C + bf_fit_strain_row(DIM, D, r, k) * NV + bf_fit_strain_row(DIM, D, q, l)) *
                  M[i][j][k][l];
      put_block<D>(K, width * D, 2 * ta + i, 2 * tb + j, add, block);
    }
}

template <int DIM, int ORDER, int D>
static __global__ void __launch_bounds__(THREADS)
    matrix(bf_gfem_fits F, bf_gfem_batch B, const bf_int *__restrict__ conn, plan P, double *__restrict__ Ke,
           int *violation)
{
  extern __shared__ double shared[];
  constexpr int            TERMS =
      DIM == 2 ? (ORDER + 1) * (ORDER + 2) / 2 : (ORDER + 1) * (ORDER + 2) * (ORDER + 3) / 6;
  constexpr int NV    = D == 1 ? DIM : DIM * (DIM + 1) / 2;
  char         *base  = reinterpret_cast<char *>(shared);
  const bf_int  first = (bf_int)blockIdx.x * P.group;
  const int count = min(P.group, B.ne - first), T = B.width / 2, tiles = T * (T + 1) / 2, nd = B.width * D;
  load_elements(F, B, conn, first, count, base, P.bytes, TERMS, DIM, P.chunk, violation);
  for (int p0 = 0; p0 < B.nq; p0 += P.chunk) {
    const int np = min(P.chunk, B.nq - p0);
    weigh<DIM, ORDER, false>(F, B, first, count, base, P.bytes, P.chunk, p0, np);
    __syncthreads();
    sum_corners<TERMS, DIM>(F, B, count, base, P.bytes, P.chunk, np);
    __syncthreads();
    for (int t = (int)threadIdx.x; t < count * tiles; t += THREADS) {
      const int i = t / tiles;
      int       ta, tb;
      tile_of(t - i * tiles, ta, tb);
      const element s  = element_of(base + i * P.bytes, B.nen, B.width, TERMS, DIM, P.chunk);
      const bf_int  at = B.elem ? B.elem[first + i] : first + i;
      tile<DIM, D>(s, B.C + (B.mat ? (int64_t)B.mat[at] * (NV * NV) : 0), B.width, np, ta, tb, p0 > 0,
                   Ke + (int64_t)(first + i) * nd * nd);
    }
    __syncthreads();
  }
}

template <int DIM, int ORDER>
struct launch_matrix {
  static void run(bf_cuda *cu, const bf_gfem_fits *F, const bf_gfem_batch *B, const bf_int *conn, plan P,
                  double *Ke)
  {
    auto *kernel = B->ncomp == 1 ? matrix<DIM, ORDER, 1> : matrix<DIM, ORDER, DIM>;
    kernel<<<bf_cuda_blocks(B->ne, P.group), THREADS, P.bytes *(size_t)P.group, cu->stream>>>(
        *F, *B, conn, P, Ke, cu->violation);
  }
};

BF_CUDA_DECLARE(gfem.matrix, gfem_matrix);
bf_err bf_cuda_gfem_matrix(bf_backend *be, const bf_gfem_fits *F, const bf_gfem_batch *B, const bf_int *conn,
                           double *Ke)
{
  BF_TRY(bf_gfem_batch_check(F, B, 1));
  if (B->ne == 0) return BF_OK;
  const plan P  = plan_of(F, B, F->dim);
  bf_cuda   *cu = bf_cuda_of(be);
  cu->watch     = true;
  by_order<launch_matrix>(F, cu, F, B, conn, P, Ke);
  return BF_CUDA_LAUNCHED(be);
}

} // namespace bf
