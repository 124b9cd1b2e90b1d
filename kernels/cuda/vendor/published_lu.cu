/* kernels/cuda/vendor/published_lu.cu - batched LU as it was published; see kernels/vendor_batch.h
 *
 * Computes   P A = L U in place, partial pivoting: panels of NB columns, left-looking, one block a
 *            matrix, thread i owns row i, the panel in shared memory.
 * Source     Liu, Zhao, Huang, Yu, Zhang, "Effective Implementation of Matrix Inversion Based on
 *            Batched LU Decomposition on GPU", Journal of Software 34 (2023) 4952, algorithm 9,
 *            sections 3.1 and 4.3. Ideas      TREE     the largest entry of a column by a binary tree
 *            of all threads; else by one thread GROUPED  the NB exchanges of a panel in a column at
 *            once by NB threads of one warp; else one exchange after the other, a thread a column
 *            DELAYED  columns right of the panel are exchanged when they come to shared memory; else
 *            at once
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cuda/vendor/published_scalar.cuh"

namespace bf
{

enum { TREE = BF_LU_TREE, GROUPED = BF_LU_GROUPED, DELAYED = BF_LU_DELAYED };

template <typename T, int NB>
struct room {                       /* shared memory of a block */
  T                         *panel; /* [NB][n] */
  typename bf_real<T>::type *key;   /* [n] */
  int                       *at;    /* [n]: row of a key; between panels: a permutation */
  int *order;             /* [n]: row of the matrix in memory that is now row i, right of the panel */
  int *pivot;             /* [NB] of the panel */
  int *from, *to, *below; /* [NB]: exchanges of a panel all at once */
};

template <typename T, int NB>
static size_t workspace_bytes(int n)
{
  return (size_t)n * (NB * sizeof(T) + sizeof(typename bf_real<T>::type) + 2 * sizeof(int)) +
         4 * NB * sizeof(int);
}

template <typename T, int NB>
static __device__ room<T, NB> divide(unsigned char *raw, int n)
{
  room<T, NB> m;
  m.panel = reinterpret_cast<T *>(raw);
  m.key   = reinterpret_cast<typename bf_real<T>::type *>(m.panel + (size_t)NB * n);
  m.at    = reinterpret_cast<int *>(m.key + n);
  m.order = m.at + n;
  m.pivot = m.order + n;
  m.from  = m.pivot + NB;
  m.to    = m.from + NB;
  m.below = m.to + NB;
  return m;
}

/* The panel minus what the columns left of it contribute: first its rows above j0 by forward substitution,
 * then the others from registers. */
template <typename T, int NB>
static __device__ void correct(const room<T, NB> &m, int n, int j0, const T *A, int i)
{
  for (int j = 0; j < j0; j++) {
    if (i > j && i < j0) {
      const T l = A[(size_t)j * n + i];
#pragma unroll
      for (int c = 0; c < NB; c++) m.panel[c * n + i] = minus(m.panel[c * n + i], l, m.panel[c * n + j]);
    }
    __syncthreads();
  }
  if (i < j0 || i >= n) return;
  T r[NB];
#pragma unroll
  for (int c = 0; c < NB; c++) r[c] = m.panel[c * n + i];
  for (int j = 0; j < j0; j++) {
    const T l = A[(size_t)j * n + i];
#pragma unroll
    for (int c = 0; c < NB; c++) r[c] = minus(r[c], l, m.panel[c * n + j]);
  }
#pragma unroll
  for (int c = 0; c < NB; c++) m.panel[c * n + i] = r[c];
}

/* Row of the largest entry of column c from row k on, the first of several, in all threads */
template <typename T, int NB, int IDEAS>
static __device__ int search(const room<T, NB> &m, int n, int k, int c, int i)
{
  const T *column = m.panel + (size_t)c * n;
  if (i >= k && i < n) {
    m.key[i - k] = size_of(column[i]);
    m.at[i - k]  = i;
  }
  __syncthreads();
  if (IDEAS & TREE) {
    int half = 1;
    while (2 * half < n - k) half *= 2;
    for (; half > 0 && n - k > 1; half /= 2) {
      if (i < half && i + half < n - k) {
        const auto a = m.key[i], b = m.key[i + half];
        if (b > a || (b == a && m.at[i + half] < m.at[i])) {
          m.key[i] = b;
          m.at[i]  = m.at[i + half];
        }
      }
      __syncthreads();
    }
  } else {
    if (i == 0)
      for (int t = 1; t < n - k; t++)
        if (m.key[t] > m.key[0]) {
          m.key[0] = m.key[t];
          m.at[0]  = m.at[t];
        }
    __syncthreads();
  }
  return m.at[0];
}

template <typename T, int NB, int IDEAS>
static __device__ void factor(const room<T, NB> &m, int n, int j0, int nb, int i, int *ipiv, int *info)
{
  for (int c = 0; c < nb; c++) {
    const int k = j0 + c, p = search<T, NB, IDEAS>(m, n, k, c, i);
    if (i < nb && p != k) {
      const T a          = m.panel[i * n + k];
      m.panel[i * n + k] = m.panel[i * n + p];
      m.panel[i * n + p] = a;
    }
    if (i == 0) {
      m.pivot[c] = p;
      ipiv[k]    = p + 1;
      if (m.key[0] == 0 && *info == 0) *info = k + 1;
    }
    __syncthreads();
    const T d = m.panel[c * n + k];
    if (i > k && i < n && size_of(d) != 0) {
      const T l          = times(m.panel[c * n + i], inverse(d));
      m.panel[c * n + i] = l;
#pragma unroll
      for (int b = 1; b < NB; b++)
        if (b > c) m.panel[b * n + i] = minus(m.panel[b * n + i], l, m.panel[b * n + k]);
    }
  }
  __syncthreads();
}

/* A thread exchanges two rows of its column. */
template <typename T, int NB>
static __device__ void exchange(const room<T, NB> &m, int n, int j0, int nb, int right, T *A)
{
  for (int col = (int)threadIdx.x; col < (right ? n : j0); col += (int)blockDim.x) {
    if (col >= j0 && col < j0 + nb) continue;
    T *a = A + (size_t)col * n;
    for (int c = 0; c < nb; c++) {
      const int p = m.pivot[c];
      const T   x = a[j0 + c];
      a[j0 + c]   = a[p];
      a[p]        = x;
    }
  }
}

/* Thread 0: source of every row that a panel moves. at[] is the identity before and after. */
template <typename T, int NB>
static __device__ void plan(const room<T, NB> &m, int j0, int nb)
{
  for (int c = 0; c < nb; c++) {
    const int p = m.pivot[c], x = m.at[j0 + c];
    m.at[j0 + c] = m.at[p];
    m.at[p]      = x;
  }
  for (int c = 0; c < nb; c++) {
    const int  p       = m.pivot[c];
    const bool outside = p >= j0 + nb && m.at[p] != p;
    m.to[c]            = outside ? p : -1;
    m.below[c]         = outside ? m.at[p] : 0;
    if (outside) m.at[p] = p;
  }
  for (int c = 0; c < nb; c++) {
    m.from[c]    = m.at[j0 + c];
    m.at[j0 + c] = j0 + c;
  }
}

/* NB lanes of a warp move all rows of a column at once. */
template <typename T, int NB>
static __device__ void exchange_grouped(const room<T, NB> &m, int n, int j0, int nb, int right, T *A)
{
  enum { GROUPS = 32 / NB };
  const int lane = (int)threadIdx.x & 31, warp = (int)threadIdx.x >> 5, warps = (int)blockDim.x >> 5;
  const int group = lane / NB, c = lane % NB, columns = right ? n - nb : j0;
  for (int first = warp * GROUPS; first < columns; first += warps * GROUPS) {
    const int  k = first + group, col = k < j0 ? k : k + nb;
    const bool mine = group < GROUPS && k < columns && c < nb;
    T         *a    = A + (size_t)col * n;
    T          x = number<T>(0), y = number<T>(0);
    if (mine) {
      x = a[m.from[c]];
      if (m.to[c] >= 0) y = a[m.below[c]];
    }
    __syncwarp();
    if (mine) {
      a[j0 + c] = x;
      if (m.to[c] >= 0) a[m.to[c]] = y;
    }
  }
}

template <typename T, int NB, int IDEAS>
static __global__ void left_looking(int n, T *const *matrices, int *pivots, int *infos)
{
  extern __shared__ __align__(16) unsigned char raw[];
  const room<T, NB>                             m = divide<T, NB>(raw, n);
  const int                                     i = (int)threadIdx.x;
  T                                            *A = matrices[blockIdx.x];
  int *ipiv = pivots + (size_t)blockIdx.x * n, *info = infos + blockIdx.x;
  if (i == 0) *info = 0;
  if (i < n) m.order[i] = i;
  for (int j0 = 0; j0 < n; j0 += NB) {
    const int nb = min(NB, n - j0);
    __syncthreads();
    if (i < n) {
      const int row = m.order[i];
      for (int c = 0; c < NB; c++) m.panel[c * n + i] = c < nb ? A[(size_t)(j0 + c) * n + row] : number<T>(0);
    }
    __syncthreads();
    correct(m, n, j0, A, i);
    __syncthreads();
    factor<T, NB, IDEAS>(m, n, j0, nb, i, ipiv, info);
    if (i < n) {
      m.at[i] = i;
      for (int c = 0; c < nb; c++) A[(size_t)(j0 + c) * n + i] = m.panel[c * n + i];
    }
    __syncthreads();
    if (i == 0) {
      if (IDEAS & GROUPED) plan(m, j0, nb);
      for (int c = 0; c < nb && (IDEAS & DELAYED); c++) {
        const int p = m.pivot[c], x = m.order[j0 + c];
        m.order[j0 + c] = m.order[p];
        m.order[p]      = x;
      }
    }
    __syncthreads();
    if (IDEAS & GROUPED)
      exchange_grouped(m, n, j0, nb, !(IDEAS & DELAYED), A);
    else
      exchange(m, n, j0, nb, !(IDEAS & DELAYED), A);
  }
}

template <typename T, int NB, int IDEAS>
static bf_err launch(bf_peer_dense *p, T *const *a, int *pivots, int *info)
{
  const size_t room    = workspace_bytes<T, NB>(p->n);
  const int    threads = (p->n + 31) / 32 * 32;
  BF_TRY(BF_CUDA(cudaFuncSetAttribute(left_looking<T, NB, IDEAS>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                      (int)room)));
  left_looking<T, NB, IDEAS>
      <<<(unsigned)p->count, threads, room, bf_cuda_of(p->be)->stream>>>(p->n, a, pivots, info);
  return BF_CUDA_LAUNCHED(p->be);
}

template <typename T>
static bf_err choose(bf_peer_dense *p, int nb, int ideas, void **at, int *pivots, int *info)
{
  T *const *a = reinterpret_cast<T *const *>(at);
  if (nb == 14) switch (ideas) {
    case TREE: return launch<T, 14, TREE>(p, a, pivots, info);
    case TREE | GROUPED: return launch<T, 14, TREE | GROUPED>(p, a, pivots, info);
    case GROUPED | DELAYED: return launch<T, 14, GROUPED | DELAYED>(p, a, pivots, info);
    default: return launch<T, 14, TREE | GROUPED | DELAYED>(p, a, pivots, info);
    }
  switch (nb) {
  case 8: return launch<T, 8, TREE | GROUPED | DELAYED>(p, a, pivots, info);
  case 10: return launch<T, 10, TREE | GROUPED | DELAYED>(p, a, pivots, info);
  case 18: return launch<T, 18, TREE | GROUPED | DELAYED>(p, a, pivots, info);
  default: return launch<T, 24, TREE | GROUPED | DELAYED>(p, a, pivots, info);
  }
}

bf_err bf_peer_published_lu(bf_peer_dense *p, int nb, int ideas, int64_t batch)
{
  void **at     = p->at + batch * p->count;
  int   *pivots = p->pivots + batch * p->count * p->n, *info = p->info + batch * p->count;
  switch (p->type) {
  case BF_S: return choose<float>(p, nb, ideas, at, pivots, info);
  case BF_D: return choose<double>(p, nb, ideas, at, pivots, info);
  case BF_C: return choose<cuComplex>(p, nb, ideas, at, pivots, info);
  case BF_Z: break;
  }
  return choose<cuDoubleComplex>(p, nb, ideas, at, pivots, info);
}

} // namespace bf
