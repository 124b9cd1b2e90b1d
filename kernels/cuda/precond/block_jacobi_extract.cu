/* kernels/cuda/precond/block_jacobi_extract.cu - block Jacobi: entries of the diagonal blocks of a matrix,
 * one kernel per format
 *
 * Computes   a[block[i]*stride + place[j]*ld + place[i]] = A(i, j) where block[i] = block[j].
 * Source     Saad, Iterative Methods for Sparse Linear Systems, section 12.2 (block Jacobi).
 * Layout     matrix/matrix.h, block_jacobi.h. Every entry has its own position, so nothing is added.
 * Cost       the block numbers of all columns (4 bytes per entry, mostly from the caches), the values of
 *            the entries inside blocks; each is written as 8 bytes.
 * Launch     bDIA, ELL: a thread per row; CSR: 8 lanes per row; COO: a thread per entry; remainder: a
 *            thread per listed row.
 * Checked    tests/solvers/t404_blocks.c: the result is inverted and compared.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cuda/device/launch_and_reduce.cuh"
extern "C" {
#include "kernels/precond/block_jacobi.h"
}

namespace bf
{

enum { THREADS = 256, LANES = 8 };

static __device__ __forceinline__ void put(const bf_block_map &m, int64_t i, int64_t j, double value)
{
  m.a[m.block[i] * m.stride + (int64_t)m.place[j] * m.ld + m.place[i]] = value;
}

struct bdia_args {
  int64_t            n; /* scalar rows */
  int                D, nseg, half;
  const bf_bdia_seg *segs;
  const bf_int      *off;
};

/* Thread r owns row r; half storage: also the transposed entries to the right of the node's own block. */
template <typename T>
static __global__ void bdia(bdia_args g, const T *__restrict__ values, bf_block_map m)
{
  const int64_t r = (int64_t)blockIdx.x * THREADS + threadIdx.x;
  if (r >= g.n) return;
  const bf_int      node = (bf_int)(r / g.D);
  const bf_bdia_seg seg  = g.segs[bf_find_segment(g.segs, g.nseg, node)];
  const T          *v    = values + seg.base + (r - (int64_t)seg.row0 * g.D);
  const bf_int      mine = m.block[r];
  for (int k = 0; k < seg.ndiag; k++) {
    const bf_int  off = __ldg(g.off + seg.diag0 + k);
    const int64_t c   = ((int64_t)node + off) * g.D;
    if (c < 0 || c >= g.n || m.block[c] != mine) continue;
    for (int b = 0; b < g.D; b++) {
      const double x = (double)v[((int64_t)k * g.D + b) * seg.ld];
      put(m, r, c + b, x);
      if (g.half && off > 0) put(m, c + b, r, x);
    }
  }
}

/* LANES threads own row r. */
template <typename T, typename C>
static __global__ void csr(int64_t n, const int64_t *__restrict__ ptr, const C *__restrict__ col,
                           const T *__restrict__ val, bf_block_map m)
{
  const int64_t r = ((int64_t)blockIdx.x * THREADS + threadIdx.x) / LANES;
  if (r >= n) return;
  const bf_int mine = m.block[r];
  for (int64_t i = ptr[r] + threadIdx.x % LANES; i < ptr[r + 1]; i += LANES) {
    const bf_int c = col[i] + bf_column_base<C>(r);
    if (m.block[c] == mine) put(m, r, c, (double)val[i]);
  }
}

/* Thread r owns row r. */
template <typename T>
static __global__ void ell(int64_t n, int64_t ld, int64_t slots, const bf_int *__restrict__ col,
                           const T *__restrict__ val, bf_block_map m)
{
  const int64_t r = (int64_t)blockIdx.x * THREADS + threadIdx.x;
  if (r >= n) return;
  const bf_int mine = m.block[r];
  for (int64_t p = r; p < slots && col[p] >= 0; p += ld)
    if (m.block[col[p]] == mine) put(m, r, col[p], (double)val[p]);
}

/* Thread i owns entry i. */
template <typename T>
static __global__ void coo(int64_t nnz, const bf_int *row, const bf_int *col, const T *val, bf_block_map m)
{
  const int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x;
  if (i < nnz && m.block[row[i]] == m.block[col[i]]) put(m, row[i], col[i], (double)val[i]);
}

/* Thread k owns listed row k. */
template <typename T>
static __global__ void rest(int64_t n, const bf_int *__restrict__ row, const int64_t *__restrict__ ptr,
                            const bf_int *__restrict__ col, const T *__restrict__ val, bf_block_map m)
{
  const int64_t k = (int64_t)blockIdx.x * THREADS + threadIdx.x;
  if (k >= n) return;
  const bf_int mine = m.block[row[k]];
  for (int64_t i = ptr[k]; i < ptr[k + 1]; i++)
    if (m.block[col[i]] == mine) put(m, row[k], col[i], (double)val[i]);
}

extern "C" bf_part_blocks bf_cuda_bdia_blocks;
bf_err                    bf_cuda_bdia_blocks(bf_backend *be, const bf_matrix *M, const bf_block_map *m)
{
  const bf_bdia  *A = M->bdia;
  const bdia_args g = {(int64_t)A->nrows * A->ncomp, A->ncomp, A->nseg, A->half, A->seg_be, A->off_be};
  if (g.n == 0) return BF_OK;
  const cudaStream_t stream = bf_cuda_of(be)->stream;
  bf_cuda_with_values(A->values, A->prec,
                      [&](auto *v) { bdia<<<bf_cuda_blocks(g.n, THREADS), THREADS, 0, stream>>>(g, v, *m); });
  return BF_CUDA_LAUNCHED(be);
}

extern "C" bf_part_blocks bf_cuda_csr_blocks;
bf_err                    bf_cuda_csr_blocks(bf_backend *be, const bf_matrix *M, const bf_block_map *m)
{
  const bf_csr *A = M->csr;
  if (A->nrows == 0) return BF_OK;
  const cudaStream_t stream = bf_cuda_of(be)->stream;
  const unsigned     blocks = bf_cuda_blocks((int64_t)A->nrows * LANES, THREADS);
  bf_cuda_with_values(A->val, A->prec, [&](auto *v) {
    if (A->rel)
      csr<<<blocks, THREADS, 0, stream>>>(A->nrows, A->ptr, A->rel, v, *m);
    else
      csr<<<blocks, THREADS, 0, stream>>>(A->nrows, A->ptr, A->col, v, *m);
  });
  return BF_CUDA_LAUNCHED(be);
}

extern "C" bf_part_blocks bf_cuda_ell_blocks;
bf_err                    bf_cuda_ell_blocks(bf_backend *be, const bf_matrix *M, const bf_block_map *m)
{
  const bf_ell *A = M->ell;
  if (A->nrows == 0) return BF_OK;
  const cudaStream_t stream = bf_cuda_of(be)->stream;
  bf_cuda_with_values(A->val, A->prec, [&](auto *v) {
    ell<<<bf_cuda_blocks(A->nrows, THREADS), THREADS, 0, stream>>>(A->nrows, A->ld, A->width * A->ld, A->col,
                                                                   v, *m);
  });
  return BF_CUDA_LAUNCHED(be);
}

extern "C" bf_part_blocks bf_cuda_coo_blocks;
bf_err                    bf_cuda_coo_blocks(bf_backend *be, const bf_matrix *M, const bf_block_map *m)
{
  const bf_coo *A = M->coo;
  if (A->nnz == 0) return BF_OK;
  const cudaStream_t stream = bf_cuda_of(be)->stream;
  bf_cuda_with_values(A->val, A->prec, [&](auto *v) {
    coo<<<bf_cuda_blocks(A->nnz, THREADS), THREADS, 0, stream>>>(A->nnz, A->row, A->col, v, *m);
  });
  return BF_CUDA_LAUNCHED(be);
}

extern "C" bf_part_blocks bf_cuda_rest_blocks;
bf_err                    bf_cuda_rest_blocks(bf_backend *be, const bf_matrix *M, const bf_block_map *m)
{
  const bf_rest *A = M->rest;
  if (A->nlist == 0) return BF_OK;
  const cudaStream_t stream = bf_cuda_of(be)->stream;
  bf_cuda_with_values(A->val, A->prec, [&](auto *v) {
    rest<<<bf_cuda_blocks(A->nlist, THREADS), THREADS, 0, stream>>>(A->nlist, A->row, A->ptr, A->col, v, *m);
  });
  return BF_CUDA_LAUNCHED(be);
}

} // namespace bf
