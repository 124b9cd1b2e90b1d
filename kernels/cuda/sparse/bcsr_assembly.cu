/* kernels/cuda/sparse/bcsr_assembly.cu - block compressed rows, full and half: diagonal, constraints,
 * diagonal blocks, element matrices
 *
 * Computes   diagonal, constrain, blocks, scatter as in csr_assembly.cu, for D x D blocks.
 * Source     the definition; the distribution of the work is this project's.
 * Layout     matrix/bcsr.h; bf_bcsr_block_of gives the position of a block and its steps in both
 *            storages.
 * Cost       one pass over the stored values; scatter as in bdia_assembly.cu, with a bisection among
 *            a row's blocks for each element node.
 * Launch     constraints, blocks: 8 lanes a node row; diagonal: a thread a node row; scatter: a
 *            thread a scalar row, which adds its incidences in order, in half storage those from the
 *            diagonal on.  No atomics.
 * Checked    tests/kernels/sparse/t332_bcsr.c and t389_bcsr_half.c against CSR.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cuda/sparse/bcsr.cuh"
extern "C" {
#include "kernels/precond/block_jacobi.h"
}

namespace bf
{

enum { THREADS = 128, LANES = 8 };

/* Number of block (i, j) of row i; -1: there is none. */
static __device__ int64_t find_block(const bf_bcsr &A, bf_int i, bf_int j)
{
  const int64_t p0 = A.ptr[i];
  const int     m  = (int)(A.ptr[i + 1] - p0);
  const int k = A.rel ? bf_find(A.rel + p0, m, j - bf_column_base<int16_t>(i)) : bf_find(A.col + p0, m, j);
  return k < 0 ? -1 : p0 + k;
}

/* A thread owns node row i. */
template <typename T>
static __global__ void diagonal(bf_bcsr A, const T *__restrict__ val, double *d)
{
  const int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x;
  if (i >= A.nrows) return;
  const int64_t p = find_block(A, (bf_int)i, (bf_int)i);
  if (p < 0) {
    for (int a = 0; a < A.ncomp; a++) d[i * A.ncomp + a] = 0.0;
    return;
  }
  const bf_bcsr_block B = bf_bcsr_block_of(&A, (bf_int)i, p);
  for (int a = 0; a < A.ncomp; a++) d[i * A.ncomp + a] = (double)val[B.at + a * (B.row + B.col)];
}

/* LANES threads own node row i. */
template <typename T>
static __global__ void constrain(bf_bcsr A, const uint8_t *__restrict__ fixed, T *val)
{
  const int64_t i = ((int64_t)blockIdx.x * THREADS + threadIdx.x) / LANES;
  if (i >= A.nrows) return;
  const int64_t first = bf_bcsr_first(&A, (bf_int)i), end = A.ptr[i + 1];
  const int     D = A.ncomp;
  for (int64_t p = first + threadIdx.x % LANES; p < end; p += LANES) {
    const bf_bcsr_block B = bf_bcsr_block_of(&A, (bf_int)i, p);
    const int64_t       j = bf_bcsr_column(&A, (bf_int)i, p);
    for (int a = 0; a < D; a++)
      for (int b = 0; b < D; b++) {
        const int64_t r = i * D + a, c = j * D + b;
        if (r != c && (fixed[r] || fixed[c])) val[B.at + a * B.row + b * B.col] = (T)0;
      }
  }
}

/* LANES threads own node row i, with its blocks left of the diagonal: every entry has its own place. */
template <typename T>
static __global__ void blocks_of(bf_bcsr A, const T *__restrict__ val, bf_block_map m)
{
  const int64_t i = ((int64_t)blockIdx.x * THREADS + threadIdx.x) / LANES;
  if (i >= A.nrows) return;
  const int D = A.ncomp;
  for (int64_t p = A.ptr[i] + threadIdx.x % LANES; p < A.ptr[i + 1]; p += LANES) {
    const bf_bcsr_block B = bf_bcsr_block_of(&A, (bf_int)i, p);
    const int64_t       j = bf_bcsr_column(&A, (bf_int)i, p);
    for (int a = 0; a < D; a++)
      for (int b = 0; b < D; b++) {
        const int64_t r = i * D + a, c = j * D + b;
        if (m.block[r] == m.block[c])
          m.a[m.block[r] * m.stride + (int64_t)m.place[c] * m.ld + m.place[r]] =
              (double)val[B.at + a * B.row + b * B.col];
      }
  }
}

bf_err bf_cuda_bcsr_diagonal(bf_backend *be, const bf_matrix *M, double *d)
{
  const bf_bcsr *A = M->bcsr;
  if (A->nrows == 0) return BF_OK;
  bf_cuda_with_values(A->val, A->prec, [&](auto *v) {
    diagonal<<<bf_cuda_blocks(A->nrows, THREADS), THREADS, 0, bf_cuda_of(be)->stream>>>(*A, v, d);
  });
  return BF_CUDA_LAUNCHED(be);
}

bf_err bf_cuda_bcsr_constrain(bf_backend *be, bf_matrix *M, const uint8_t *fixed)
{
  const bf_bcsr *A = M->bcsr;
  if (A->nrows == 0) return BF_OK;
  const unsigned blocks = bf_cuda_blocks((int64_t)A->nrows * LANES, THREADS);
  bf_cuda_with_values(A->val, A->prec, [&](auto *v) {
    constrain<<<blocks, THREADS, 0, bf_cuda_of(be)->stream>>>(*A, fixed, v);
  });
  return BF_CUDA_LAUNCHED(be);
}

bf_err bf_cuda_bcsr_blocks(bf_backend *be, const bf_matrix *M, const bf_block_map *map)
{
  const bf_bcsr *A = M->bcsr;
  if (A->nrows == 0) return BF_OK;
  const unsigned blocks = bf_cuda_blocks((int64_t)A->nrows * LANES, THREADS);
  bf_cuda_with_values(A->val, A->prec, [&](auto *v) {
    blocks_of<<<blocks, THREADS, 0, bf_cuda_of(be)->stream>>>(*A, v, *map);
  });
  return BF_CUDA_LAUNCHED(be);
}

/* ---- element matrices ---- */

/* Thread r owns scalar row r. */
static __global__ void __launch_bounds__(THREADS)
    scatter(bf_bcsr A, double *val, const bf_int *__restrict__ ptr, const bf_int *__restrict__ item, int nen,
            const bf_int *__restrict__ conn, const double *__restrict__ Ke, int *violation)
{
  const int64_t r = (int64_t)blockIdx.x * THREADS + threadIdx.x;
  const int     D = A.ncomp;
  if (r >= (int64_t)A.nrows * D) return;
  const bf_int node = (bf_int)(r / D);
  const int    ca = (int)(r - (int64_t)node * D), nd = nen * D;
  for (bf_int t = ptr[node]; t < ptr[node + 1]; t++) {
    const bf_int  e = item[t] / nen, a = item[t] - e * nen;
    const bf_int *c = conn + (int64_t)e * nen;
    const double *K = Ke + ((int64_t)e * nd + a * D + ca) * nd;
    for (int j = 0; j < nen; j++) {
      if (A.half && c[j] < node) continue;
      const int64_t p = find_block(A, node, c[j]);
      if (p < 0) {
        *violation = 1;
        continue;
      }
      const bf_bcsr_block B = bf_bcsr_block_of(&A, node, p);
      for (int b = 0; b < D; b++) val[B.at + ca * B.row + b * B.col] += K[j * D + b];
    }
  }
}

bf_err bf_cuda_bcsr_scatter(bf_backend *be, bf_matrix *M, const bf_int *ptr, const bf_int *item, int nen,
                            const bf_int *conn, const double *Ke)
{
  const bf_bcsr *A = M->bcsr;
  BF_CHECK(A->prec == BF_FP64, BF_E_ARG, "scatter needs fp64 values");
  BF_CHECK(nen > 0, BF_E_ARG, "scatter: elements of %d nodes", nen);
  if (A->nrows == 0) return BF_OK;
  bf_cuda       *cu     = bf_cuda_of(be);
  const unsigned blocks = bf_cuda_blocks((int64_t)A->nrows * A->ncomp, THREADS);
  cu->watch             = true;
  scatter<<<blocks, THREADS, 0, cu->stream>>>(*A, static_cast<double *>(A->val), ptr, item, nen, conn, Ke,
                                              cu->violation);
  return BF_CUDA_LAUNCHED(be);
}
} // namespace bf
