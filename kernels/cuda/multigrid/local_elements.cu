/* kernels/cuda/multigrid/local_elements.cu - element matrices of a level of spectral aggregates from those of
 * the level above it
 *
 * Computes   K_a = sum of T_e^T K_e T_e; local_problem.h: element_sizes, element_matrices
 * Source     Brezina, Vassilevski, LNCS 7116 (2012) 3, doi 10.1007/978-3-642-29843-1_1
 * Layout     shared memory: of the nodes of the new element their vectors, of each unknown of an old one the
 *            node that it belongs to, of each warp a column of K_e T_e.
 * Cost       for each old element and each column that is not 0 there: its unknowns once for each of its rows
 *            and once for each entry of the column.
 * Launch     a block of threads a new element, its old ones one after the other; a warp owns columns.
 * Checked    tests/kernels/multigrid/t388_local_problem.c
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cuda/multigrid/local.cuh"
#include <cub/device/device_reduce.cuh>

namespace bf
{

enum { THREADS = BF_MG_THREADS, WARPS = THREADS / 32 };
static const size_t SHARED = 48 << 10; /* bytes that need no attribute */

static __global__ void __launch_bounds__(THREADS)
    count_orders(bf_int n, rows_of nodes, const bf_int *first, int64_t *at, bf_int *order, bf_int *width)
{
  const int64_t a = bf_mg_item();
  if (a >= n) return;
  bf_int sum = 0;
  for (int64_t q = nodes.ptr[a]; q < nodes.ptr[a + 1]; q++)
    sum += first[nodes.col[q] + 1] - first[nodes.col[q]];
  at[a + 1] = (int64_t)sum * sum;
  order[a]  = sum;
  width[a]  = (bf_int)(nodes.ptr[a + 1] - nodes.ptr[a]);
}

/* *most = the largest of v[n]; waits */
static bf_err largest(bf_backend *be, bf_int n, const bf_int *v, void *workspace, size_t bytes, bf_int *out,
                      bf_int *most)
{
  BF_TRY(BF_CUDA(cub::DeviceReduce::Max(workspace, bytes, v, out, n, bf_cuda_of(be)->stream)));
  return be->ops.copy(be, most, out, sizeof *most, BF_TO_HOST);
}

static bf_err sizes_and_most(bf_backend *be, const bf_block_rows *nodes, const bf_int *first, int64_t *at,
                             bf_int *order, bf_int *width)
{
  const bf_int n     = nodes->form.nrows;
  size_t       bytes = 0;
  void        *workspace;
  bf_int      *v;
  BF_TRY(BF_CUDA(
      cub::DeviceReduce::Max(NULL, bytes, (const bf_int *)NULL, (bf_int *)NULL, n, bf_cuda_of(be)->stream)));
  const size_t list = ((size_t)n * sizeof *v + 255) / 256 * 256;
  BF_TRY(bf_cuda_scratch(be, 2 * list + 256 + bytes, &workspace));
  char *base = static_cast<char *>(workspace);
  v          = reinterpret_cast<bf_int *>(base);
  bf_int *w = reinterpret_cast<bf_int *>(base + list), *out = reinterpret_cast<bf_int *>(base + 2 * list);
  count_orders<<<bf_mg_grid(n), THREADS, 0, bf_cuda_of(be)->stream>>>(n, pattern_of(nodes), first, at, v, w);
  BF_TRY(BF_CUDA_LAUNCHED(be));
  BF_TRY(largest(be, n, v, base + 2 * list + 256, bytes, out, order));
  BF_TRY(be->ops.sync(be));
  BF_TRY(largest(be, n, w, base + 2 * list + 256, bytes, out, width));
  return be->ops.sync(be);
}

bf_err bf_cuda_local_element_sizes(bf_backend *be, const bf_block_rows *nodes, const bf_int *first,
                                   int64_t *at, int64_t *total, bf_int *most)
{
  bf_int width;
  *most = 0;
  if (nodes->form.nrows > 0) BF_TRY(sizes_and_most(be, nodes, first, at, most, &width));
  return bf_cuda_row_sums(be, nodes->form.nrows, at, total);
}

struct element_args {
  bf_local_body    B;
  bf_local_vectors V;
  const bf_int    *slot, *owner, *element;
  const int64_t   *uptr, *ptr, *at;
  rows_of          nodes;
  double          *K;
  bf_int           width; /* most nodes of a new element */
};

struct element_workspace { /* shared memory */
  const double **z;        /* [width]: vectors of a node */
  bf_int        *k;        /* [width]: their number */
  bf_int        *begin;    /* [width + 1]: its first column */
  bf_int        *m;        /* [width]: its own unknowns */
  bf_int        *here;     /* [width]: has the old element unknowns of it? */
  bf_int        *of;       /* [most]: node of an unknown of the old element, -1: none */
  bf_int        *slot;     /* [most]: its place in that node's vectors */
  double        *W;        /* [WARPS][most] */
};

static __host__ __device__ size_t workspace_bytes(bf_int width, bf_int most)
{
  return (size_t)width * (sizeof(void *) + 4 * sizeof(bf_int)) + 16 +
         (size_t)most * (2 * sizeof(bf_int) + WARPS * sizeof(double)) + 16;
}

static __device__ __forceinline__ element_workspace divide(char *base, bf_int width, bf_int most)
{
  element_workspace r;
  r.W     = reinterpret_cast<double *>(base);
  r.z     = reinterpret_cast<const double **>(r.W + (size_t)WARPS * most);
  r.begin = reinterpret_cast<bf_int *>(r.z + width);
  r.m     = r.begin + width + 1;
  r.here  = r.m + width;
  r.of    = r.here + width;
  r.slot  = r.of + most;
  r.k     = r.slot + most;
  return r;
}

/* What the unknowns of old element e belong to; its order. */
static __device__ __forceinline__ void describe(const element_args &g, const element_workspace &r, bf_int a,
                                                bf_int e, bf_int *order)
{
  const int64_t n0 = g.B.E.ptr[e], begin = g.nodes.ptr[a];
  const int     nn = (int)(g.B.E.ptr[e + 1] - n0), size = (int)(g.nodes.ptr[a + 1] - begin);
  for (int k = (int)threadIdx.x; k < nn; k += THREADS) {
    const bf_int i  = g.B.E.node[n0 + k];
    bf_int       at = 0;
    for (int q = 0; q < k; q++) at += g.B.first[g.B.E.node[n0 + q] + 1] - g.B.first[g.B.E.node[n0 + q]];
    for (bf_int u = g.B.first[i]; u < g.B.first[i + 1]; u++, at++) {
      const bf_int s = g.slot[u];
      const int    t = s < 0 ? -1 : bf_find(g.nodes.col + begin, size, g.owner[u]);
      r.of[at]       = t;
      r.slot[at]     = s;
      if (t >= 0) r.here[t] = 1;
    }
    if (k == nn - 1) *order = at;
  }
  if (nn == 0 && threadIdx.x == 0) *order = 0;
}

/* Column l of node t: out[.][column] += T_e^T K_e z, a warp. */
static __device__ __forceinline__ void add_column(const element_workspace &r, const double *K, bf_int order,
                                                  int size, int t, bf_int l, double *W, double *out)
{
  const int lane = (int)threadIdx.x % 32;
  for (bf_int u = lane; u < order; u += 32) {
    double sum = 0.0;
    for (bf_int v = 0; v < order; v++)
      if (r.of[v] == t) sum += K[(int64_t)v * order + u] * r.z[t][(int64_t)l * r.m[t] + r.slot[v]];
    W[u] = sum;
  }
  __syncwarp();
  for (int s = 0; s < size; s++) {
    if (!r.here[s]) continue;
    for (bf_int x = r.begin[s] + lane; x < r.begin[s] + r.k[s]; x += 32) {
      const double *z   = r.z[s] + (int64_t)(x - r.begin[s]) * r.m[s];
      double        sum = 0.0;
      for (bf_int u = 0; u < order; u++)
        if (r.of[u] == s) sum += z[r.slot[u]] * W[u];
      out[x] += sum;
    }
  }
  __syncwarp();
}

static __global__ void __launch_bounds__(THREADS) project_elements(element_args g)
{
  extern __shared__ double base[];
  __shared__ bf_int        order;
  const bf_int             a    = (bf_int)blockIdx.x;
  const element_workspace  r    = divide(reinterpret_cast<char *>(base), g.width, g.B.E.most);
  const int64_t            n0   = g.nodes.ptr[a];
  const int                size = (int)(g.nodes.ptr[a + 1] - n0), warp = (int)threadIdx.x / 32;
  for (int s = (int)threadIdx.x; s < size; s += THREADS) {
    const bf_int t = g.nodes.col[n0 + s];
    r.z[s]         = g.V.z[t];
    r.k[s]         = g.V.k[t];
    r.m[s]         = (bf_int)(g.uptr[t + 1] - g.uptr[t]);
  }
  if (threadIdx.x == 0) {
    bf_int sum = 0;
    for (int s = 0; s < size; s++) {
      r.begin[s] = sum;
      sum += g.V.first[g.nodes.col[n0 + s] + 1] - g.V.first[g.nodes.col[n0 + s]];
    }
    r.begin[size] = sum;
  }
  for (int64_t k = g.at[a] + threadIdx.x; k < g.at[a + 1]; k += THREADS) g.K[k] = 0.0;
  __syncthreads();
  const bf_int n   = r.begin[size];
  double      *out = g.K + g.at[a], *W = r.W + (size_t)warp * g.B.E.most;
  for (int64_t q = g.ptr[a]; q < g.ptr[a + 1]; q++) {
    const bf_int e = g.element[q];
    for (int s = (int)threadIdx.x; s < size; s += THREADS) r.here[s] = 0;
    __syncthreads();
    describe(g, r, a, e, &order);
    __syncthreads();
    const double *K = g.B.E.K + g.B.E.at[e];
    for (int t = 0, c = 0; t < size; t++) {
      if (!r.here[t]) continue;
      for (bf_int l = 0; l < r.k[t]; l++, c++)
        if (c % WARPS == warp) add_column(r, K, order, size, t, l, W, out + (int64_t)(r.begin[t] + l) * n);
    }
    __syncthreads();
  }
}

bf_err bf_cuda_local_element_matrices(bf_backend *be, const bf_local_body *B, const bf_local_lists *L,
                                      const bf_local_vectors *V, const int64_t *ptr, const bf_int *element,
                                      const bf_block_rows *nodes, const int64_t *at, double *K)
{
  const cudaStream_t stream = bf_cuda_of(be)->stream;
  const bf_int       count  = nodes->form.nrows;
  bf_int             width = 0, unused = 0;
  void              *workspace;
  if (count == 0) return BF_OK;
  BF_TRY(be->ops.alloc(be, ((size_t)count + 1) * sizeof(int64_t), &workspace));
  bf_err err = sizes_and_most(be, nodes, V->first, static_cast<int64_t *>(workspace), &unused, &width);
  be->ops.release(be, workspace);
  BF_TRY(err);
  element_args g  = {};
  g.B             = *B;
  g.V             = *V;
  g.slot          = L->slot;
  g.owner         = L->owner;
  g.element       = element;
  g.uptr          = L->uptr;
  g.ptr           = ptr;
  g.at            = at;
  g.nodes         = pattern_of(nodes);
  g.K             = K;
  g.width         = width;
  const size_t by = workspace_bytes(width, B->E.most);
  if (by > SHARED)
    BF_TRY(BF_CUDA(
        cudaFuncSetAttribute(project_elements, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)by)));
  project_elements<<<(unsigned)count, THREADS, by, stream>>>(g);
  return BF_CUDA_LAUNCHED(be);
}

} // namespace bf
