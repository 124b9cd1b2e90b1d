/* kernels/cuda/multigrid/local_matrices.cu - local problems of aggregates: Neumann matrices from element
 * matrices, Schur complements from their factors
 *
 * Computes   local_problem.h: assemble, schur
 * Source     Brezina, Vassilevski, LNCS 7116 (2012) 3, doi 10.1007/978-3-642-29843-1_1
 * Layout     local_problem.h; places of an element's unknowns in shared memory
 * Cost       assemble: the lower triangle is written once and read and written once for each entry
 *            of an element and for the scaling, mostly in cache; schur: m^3 / 3 multiply-adds.
 * Launch     a block of threads a matrix; its elements one after the other, so that every sum has
 *            their order.
 * Checked    tests/kernels/multigrid/t388_local_problem.c
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cuda/multigrid/local.cuh"

namespace bf
{

enum { THREADS = BF_MG_THREADS, WARPS = THREADS / 32 };
static const size_t SHARED = 48 << 10; /* bytes that need no attribute */

struct lists_view {
  rows_of        element, node;
  const bf_int  *rank, *unknown, *place, *others;
  const int64_t *uptr;
};

static lists_view view_of(const bf_local_lists *L)
{
  return {pattern_of(L->element), pattern_of(L->node), L->rank, L->unknown, L->place, L->others, L->uptr};
}

/* where[r]: places of the unknowns of element e in the matrix of aggregate a, -1 of fixed ones; the order of
 * the element in *order.  A thread a node. */
static __device__ __forceinline__ void find_places(const bf_local_body &B, const lists_view &L, bf_int a,
                                                   bf_int e, bf_int *where, bf_int *order)
{
  const int64_t n0 = B.E.ptr[e], begin = L.node.ptr[a];
  const int     nn = (int)(B.E.ptr[e + 1] - n0), size = (int)(L.node.ptr[a + 1] - begin);
  for (int k = (int)threadIdx.x; k < nn; k += THREADS) {
    const bf_int i  = B.E.node[n0 + k];
    bf_int       at = 0;
    for (int q = 0; q < k; q++) at += B.first[B.E.node[n0 + q] + 1] - B.first[B.E.node[n0 + q]];
    const int p = bf_find(L.node.col + begin, size, i);
    for (bf_int u = B.first[i]; u < B.first[i + 1]; u++)
      where[at++] = L.rank[u] < 0 || p < 0 ? -1 : L.place[begin + p] + L.rank[u];
    if (k == nn - 1) *order = at;
  }
  if (nn == 0 && threadIdx.x == 0) *order = 0;
}

/* The shift of N_cc, the scaling and the shift of own unknowns. */
static __device__ __forceinline__ void regularise(const bf_local_body &B, const bf_int *own, bf_int c,
                                                  bf_int n, double shift, int64_t ld, double *out)
{
  __shared__ double mean;
  double            sum[1] = {0.0};
  for (bf_int j = (bf_int)threadIdx.x; j < c; j += THREADS) sum[0] += out[j * (ld + 1)];
  bf_block_sum(sum);
  if (threadIdx.x == 0) mean = c > 0 ? sum[0] / c : 0.0;
  __syncthreads();
  for (bf_int j = (bf_int)threadIdx.x; j < c; j += THREADS) {
    double *d = out + j * (ld + 1);
    *d += BF_LOCAL_OTHER_RELATIVE * *d + BF_LOCAL_OTHER_MEAN * mean;
  }
  const int lane = (int)threadIdx.x % 32;
  for (bf_int j = (bf_int)threadIdx.x / 32; j < n; j += WARPS) {
    const double column = j < c ? 1.0 : B.root[own[j - c]];
    for (bf_int i = (j > c ? j : c) + lane; i < n; i += 32) {
      double v = out[j * ld + i] * (B.root[own[i - c]] * column);
      if (i == j) v += shift;
      out[j * ld + i] = v;
    }
  }
}

static __global__ void __launch_bounds__(THREADS)
    assemble_matrix(bf_local_body B, lists_view L, double shift, const bf_int *which, int64_t ld, double *all,
                    bf_int *sizes)
{
  extern __shared__ bf_int where[];
  __shared__ bf_int        order;
  const bf_int             a = which[blockIdx.x], c = L.others[a];
  const bf_int             n    = c + (bf_int)(L.uptr[a + 1] - L.uptr[a]);
  const int                lane = (int)threadIdx.x % 32;
  double                  *out  = all + (int64_t)blockIdx.x * ld * ld;
  if (threadIdx.x == 0) sizes[blockIdx.x] = n;
  for (bf_int j = (bf_int)threadIdx.x / 32; j < n; j += WARPS)
    for (bf_int i = j + lane; i < n; i += 32) out[j * ld + i] = 0.0;
  for (int64_t k = L.element.ptr[a]; k < L.element.ptr[a + 1]; k++) {
    const bf_int e = L.element.col[k];
    __syncthreads(); /* the element before is done */
    find_places(B, L, a, e, where, &order);
    __syncthreads();
    const double *K = B.E.K + B.E.at[e];
    for (int t = (int)threadIdx.x; t < order * order; t += THREADS) {
      const bf_int j = where[t / order], i = where[t % order];
      if (j >= 0 && i >= j) out[j * ld + i] += K[t];
    }
  }
  __syncthreads();
  regularise(B, L.unknown + L.uptr[a], c, n, shift, ld, out);
}

bf_err bf_cuda_local_assemble(bf_backend *be, const bf_local_body *B, const bf_local_lists *L, double shift,
                              const bf_local_batch *C)
{
  const size_t bytes = (size_t)(B->E.most > 0 ? B->E.most : 1) * sizeof(bf_int);
  if (C->many == 0) return BF_OK;
  if (bytes > SHARED)
    BF_TRY(BF_CUDA(
        cudaFuncSetAttribute(assemble_matrix, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes)));
  assemble_matrix<<<(unsigned)C->many, THREADS, bytes, bf_cuda_of(be)->stream>>>(
      *B, view_of(L), shift, C->which, C->ld, C->a, C->sizes);
  return BF_CUDA_LAUNCHED(be);
}

/* s = L_oo L_oo^T; a warp owns every WARPS-th column. */
static __global__ void __launch_bounds__(THREADS)
    multiply_factor(lists_view L, const bf_int *which, int64_t ld, const double *factors, int64_t lds,
                    double *all, const bf_int *info, bf_int *sizes)
{
  const bf_int a = which[blockIdx.x], c = L.others[a], m = (bf_int)(L.uptr[a + 1] - L.uptr[a]);
  const bool   good = info[blockIdx.x] == 0;
  if (threadIdx.x == 0) sizes[blockIdx.x] = good ? m : 0;
  if (!good) return;
  const double *f    = factors + (int64_t)blockIdx.x * ld * ld + c * (ld + 1);
  double       *s    = all + (int64_t)blockIdx.x * lds * lds;
  const int     lane = (int)threadIdx.x % 32;
  for (bf_int j = (bf_int)threadIdx.x / 32; j < m; j += WARPS)
    for (bf_int i = j + lane; i < m; i += 32) {
      double sum = 0.0;
      for (bf_int l = 0; l <= j; l++) sum += f[l * ld + i] * f[l * ld + j];
      s[j * lds + i] = sum;
      s[i * lds + j] = sum;
    }
}

bf_err bf_cuda_local_schur(bf_backend *be, const bf_local_lists *L, const bf_local_batch *C)
{
  if (C->many == 0) return BF_OK;
  multiply_factor<<<(unsigned)C->many, THREADS, 0, bf_cuda_of(be)->stream>>>(
      view_of(L), C->which, C->ld, C->a, C->lds, C->s, C->info, C->sizes);
  return BF_CUDA_LAUNCHED(be);
}

} // namespace bf
