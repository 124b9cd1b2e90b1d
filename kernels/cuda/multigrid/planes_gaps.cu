/* kernels/cuda/multigrid/planes_gaps.cu - is a matrix one of a lattice, and how strong are the gaps between
 * its planes
 *
 * Computes   multigrid/planes.h: wraps, couplings, gaps.
 * Source     docs/theory/multigrid-planes.md; the distribution of the work is this project's.
 * Layout     matrix/matrix.h; w[7][nodes]; count[gap][bin].
 * Cost       wraps: the values of nodes on the surface; couplings: each stored diagonal entry of a
 *            block, in half storage twice, 28 bytes per node written; gaps: 16 bytes per node read.
 *            Counts are integers: the order of their additions does not matter.
 * Launch     wraps, couplings: a thread per node; gaps: a block 64 neighbouring nodes of up to 256
 *            lines, a thread its own histogram in shared memory.
 * Checked    tests/solvers/t441_lattice.c, t443_gaps.c.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cuda/multigrid/planes.cuh"

namespace bf
{

namespace
{

enum { THREADS = 256, LANES = 64, LINES = 256, PITCH = LANES + 1 };
static_assert((int)LANES == (int)BF_GAP_BINS, "a thread sums one bin");

/* ---- wraps ---- */

struct wrap_args {
  bf_int             n[3];
  int                D, nseg;
  const bf_bdia_seg *seg;
  const bf_int      *off;
  int               *flag;
};

template <typename T>
__global__ void __launch_bounds__(THREADS) wraps(int64_t nodes, wrap_args g, const T *__restrict__ values)
{
  const int64_t node = (int64_t)blockIdx.x * THREADS + threadIdx.x;
  if (node >= nodes) return;
  bf_int x[3], y[3];
  bf_lattice_place(g.n, (bf_int)node, x);
  bool inner = true;
  for (int a = 0; a < 3; a++) inner = inner && (g.n[a] == 1 || (x[a] > 0 && x[a] < g.n[a] - 1));
  if (inner) return;
  const bf_bdia_seg seg = g.seg[bf_find_segment(g.seg, g.nseg, (bf_int)node)];
  const T          *v   = values + seg.base + (node - seg.row0) * g.D;
  for (int k = 0; k < seg.ndiag; k++) {
    const int64_t other = node + __ldg(g.off + seg.diag0 + k);
    if (other < 0 || other >= nodes) continue;
    bf_lattice_place(g.n, (bf_int)other, y);
    if (abs(x[0] - y[0]) <= 1 && abs(x[1] - y[1]) <= 1 && abs(x[2] - y[2]) <= 1) continue;
    for (int b = 0; b < g.D; b++)
      for (int a = 0; a < g.D; a++)
        if (v[((int64_t)k * g.D + b) * seg.ld + a] != T(0)) *g.flag = 1; /* the same value from all */
  }
}

/* ---- couplings ---- */

template <int D>
__global__ void __launch_bounds__(THREADS) couplings(int64_t nodes, const __grid_constant__ bf_lattice A,
                                                     const uint8_t *__restrict__ fixed, float *__restrict__ w)
{
  const int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x;
  if (i >= nodes) return;
  double sum[6];
  float  big  = 0.0F;
  bool   held = true;
  bf_plane_couplings(&A, (bf_int)i, sum);
#pragma unroll
  for (int q = 0; q < 6; q++) {
    const float f    = sum[q] > 0.0 ? (float)sum[q] : 0.0F;
    w[q * nodes + i] = f;
    big              = f > big ? f : big;
  }
  for (int a = 0; a < D; a++) held = held && fixed[i * D + a] != 0;
  w[6 * nodes + i] = held ? 0.0F : big;
}

/* The same of one tile: the loop over the neighbours is unrolled. */
template <int D>
__global__ void __launch_bounds__(THREADS)
    couplings_of_tile(int64_t nodes, const __grid_constant__ bf_lattice A, const uint8_t *__restrict__ fixed,
                      float *__restrict__ w)
{
  const int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x;
  if (i >= nodes) return;
  double sum[6] = {};
  bf_int x[3];
  bf_lattice_place(A.n, (bf_int)i, x);
#pragma unroll
  for (int point = 0; point < BF_LATTICE_POINTS; point++) {
    const int d[3]   = {point % 3 - 1, point / 3 % 3 - 1, point / 9 - 1};
    bool      inside = true;
#pragma unroll
    for (int a = 0; a < 3; a++) {
      if (d[a] < 0) inside = inside && x[a] > 0;
      if (d[a] > 0) inside = inside && x[a] + 1 < A.n[a];
    }
    const bf_plane_view B = bf_planes_view(A, D, point, d[0] + A.n[0] * (d[1] + A.n[1] * d[2]));
    if (point == BF_LATTICE_SELF || !inside || !B.p) continue;
    double one = 0.0;
#pragma unroll
    for (int a = 0; a < D; a++) one -= B.p[i * B.node + a * (B.row + B.column)];
#pragma unroll
    for (int a = 0; a < 3; a++) {
      if (d[a] < 0) sum[2 * a] += one;
      if (d[a] > 0) sum[2 * a + 1] += one;
    }
  }
  float big  = 0.0F;
  bool  held = true;
#pragma unroll
  for (int q = 0; q < 6; q++) {
    const float f    = sum[q] > 0.0 ? (float)sum[q] : 0.0F;
    w[q * nodes + i] = f;
    big              = f > big ? f : big;
  }
#pragma unroll
  for (int a = 0; a < D; a++) held = held && fixed[i * D + a] != 0;
  w[6 * nodes + i] = held ? 0.0F : big;
}

/* ---- gaps ---- */

struct gap_args {
  bf_int       nodes;
  int          a;         /* direction */
  bf_int       lanes;     /* nodes or, of direction 0, gaps of a line */
  bf_int       g0, ngap;  /* of directions 1 and 2: first gap, gaps; of direction 0: first gap, 1 */
  bf_int       lines;     /* of a gap, or of the lattice */
  bf_int       step;      /* to the node behind the gap */
  int64_t      line, gap; /* nodes from line to line, from gap to gap */
  bf_int       tiles;     /* of LANES lanes */
  const float *w;
  bf_int      *count;
};

/* Block: lanes tile*LANES .., gap, lines chunk*LINES .. */
__global__ void __launch_bounds__(LANES) gaps(gap_args g)
{
  __shared__ int hist[BF_GAP_BINS][PITCH]; /* [bin][thread] */
  const int      t     = (int)threadIdx.x;
  const int64_t  block = blockIdx.x, per_chunk = (int64_t)g.tiles * g.ngap;
  const bf_int   chunk = (bf_int)(block / per_chunk), gap = (bf_int)(block % per_chunk / g.tiles);
  const bf_int   lane = (bf_int)(block % g.tiles) * LANES + t;
  for (int b = 0; b < BF_GAP_BINS; b++) hist[b][t] = 0;
  if (lane < g.lanes) {
    const bf_int  last  = (chunk + 1) * LINES < g.lines ? (chunk + 1) * LINES : g.lines;
    const int64_t first = lane + (g.a == 0 ? (int64_t)g.g0 : (g.g0 + gap) * g.gap);
    for (bf_int q = chunk * LINES; q < last; q++) {
      const bf_int i   = (bf_int)(first + q * g.line);
      const int    bin = bf_plane_bin(g.w, g.nodes, g.a, i, i + g.step);
      if (bin >= 0) hist[bin][t]++;
    }
  }
  if (g.a == 0) { /* a thread has a gap of its own */
    for (int b = 0; b < BF_GAP_BINS; b++)
      if (hist[b][t]) atomicAdd(g.count + (int64_t)lane * BF_GAP_BINS + b, hist[b][t]);
    return;
  }
  __syncthreads();
  int sum = 0;
  for (int k = 0; k < LANES; k++) sum += hist[t][k];
  if (sum) atomicAdd(g.count + (int64_t)gap * BF_GAP_BINS + t, sum);
}

} // namespace

bf_err bf_cuda_planes_wraps(bf_backend *be, const bf_bdia *A, const bf_int n[3], int *flag)
{
  const wrap_args    g      = {{n[0], n[1], n[2]}, A->ncomp, A->nseg, A->seg_be, A->off_be, flag};
  const cudaStream_t stream = bf_cuda_of(be)->stream;
  if (A->nrows == 0) return BF_OK;
  bf_cuda_with_values(A->values, A->prec, [&](auto *v) {
    wraps<<<bf_cuda_blocks(A->nrows, THREADS), THREADS, 0, stream>>>(A->nrows, g, v);
  });
  return BF_CUDA_LAUNCHED(be);
}

bf_err bf_cuda_planes_couplings(bf_backend *be, const bf_lattice *A, const uint8_t *fixed, float *w)
{
  const int64_t      nodes  = bf_planes_nodes(A->n);
  const cudaStream_t stream = bf_cuda_of(be)->stream;
  bf_planes_with_components(A->D, [&](auto D) {
    auto *kernel =
        bf_planes_one_tile(A) ? couplings_of_tile<decltype(D)::value> : couplings<decltype(D)::value>;
    kernel<<<bf_cuda_blocks(nodes, THREADS), THREADS, 0, stream>>>(nodes, *A, fixed, w);
  });
  return BF_CUDA_LAUNCHED(be);
}

bf_err bf_cuda_planes_gaps(bf_backend *be, const bf_int n[3], const float *w, int a, bf_int g0, bf_int g1,
                           bf_int *count)
{
  const bf_int plane = n[0] * n[1];
  gap_args     g     = {(bf_int)bf_planes_nodes(n), a, n[0], g0, g1 - g0, 0, 1, 0, 0, 0, w, count};
  if (g1 <= g0) return BF_OK;
  if (a == 0) {
    g.lanes = g1 - g0;
    g.ngap  = 1;
    g.lines = n[1] * n[2];
    g.line  = n[0];
  } else {
    g.step  = a == 1 ? n[0] : plane;
    g.lines = a == 1 ? n[2] : n[1];
    g.line  = a == 1 ? plane : n[0];
    g.gap   = g.step;
  }
  g.tiles              = (g.lanes + LANES - 1) / LANES;
  const int64_t chunks = (g.lines + LINES - 1) / LINES, blocks = (int64_t)g.tiles * g.ngap * chunks;
  BF_CHECK(blocks <= INT32_MAX, BF_E_ARG, "%lld blocks of a lattice", (long long)blocks);
  gaps<<<(unsigned)blocks, LANES, 0, bf_cuda_of(be)->stream>>>(g);
  return BF_CUDA_LAUNCHED(be);
}

} // namespace bf
