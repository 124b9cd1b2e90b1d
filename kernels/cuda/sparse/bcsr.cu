/* kernels/cuda/sparse/bcsr.cu - block compressed rows in full storage: product, product with the transpose;
 * the table of the part
 *
 * Computes   y(i*D + a) = sum over blocks p of node row i and b < D of A(i*D + a, j(p)*D + b) x(j(p)*D + b);
 *            y = A^T x for a symmetric pattern: block (j, i) is looked up in row j for every j of row i.
 * Source     CSR-vector (Bell and Garland, SC09) with the D rows of a node together: a lane owns scalar
 *            columns of the node row, reads one entry of x for each and uses it for D values.
 * Layout     matrix/bcsr.h: the D rows of a node one after another, so L lanes read L neighbouring values.
 * Cost       2 D*D flops and 8 D*D + 4 bytes (fp64) a block, 2 less with 16-bit columns, 8 for each node, x
 *            and y once; for D = 3 and 13 blocks a row 8.3 bytes a nonzero.
 * Launch     product: 128 threads on 128/L node rows, L such that a mean row has at most ROUNDS columns a
 *            lane, and as many blocks as run at once.  The ROUNDS*D values of a lane are on the way before
 *            the first is used.  Product with the transpose: 8 lanes a node row.  No atomics.
 * Checked    tests/kernels/sparse/t332_bcsr.c against CSR, t314_convert.c, t315_products.c against long
 *            double.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cuda/sparse/bcsr.cuh"

namespace bf
{

enum { THREADS = 128, BLOCKS_PER_SM = 6, ROUNDS = 4, LANES = 8 };

struct bcsr_args {
  int64_t        n; /* node rows */
  const int64_t *ptr;
  const void    *col; /* bf_int, or int16_t from the base of the rows' block */
  const double  *x, *w;
  double        *y, *dot, *partial;
  unsigned      *ticket;
};

/* ---- product ---- */

struct node_row {
  int64_t p0;    /* its first block */
  int     width; /* scalar columns; 0 behind the last row */
};

template <int D>
static __device__ __forceinline__ node_row find_row(const bcsr_args &g, int64_t i)
{
  if (i >= g.n) return {0, 0};
  const int64_t p0 = __ldg(g.ptr + i);
  return {p0, (int)(__ldg(g.ptr + i + 1) - p0) * D};
}

/* at[u]: the entry of x of scalar column j0 + u*L of row i. */
template <typename C, int D, int L>
static __device__ __forceinline__ void load_columns(const bcsr_args &g, int64_t i, const node_row &row,
                                                    int j0, bf_int (&at)[ROUNDS])
{
  const C     *col  = static_cast<const C *>(g.col) + row.p0;
  const bf_int base = bf_column_base<C>(i);
#pragma unroll
  for (int u = 0; u < ROUNDS; u++) {
    const int j = j0 + u * L, k = (int)((unsigned)j / (unsigned)D);
    at[u] = j < row.width ? ((bf_int)__ldcs(col + k) + base) * D + (j - k * D) : 0;
  }
}

/* Values and entries of x of these columns; 0 behind the end of the row. */
template <typename T, int D, int L>
static __device__ __forceinline__ void load_values(const bcsr_args &g, const T *__restrict__ val,
                                                   const node_row &row, int j0, const bf_int (&at)[ROUNDS],
                                                   T (&value)[ROUNDS][D], double (&x)[ROUNDS])
{
  const T *v = val + row.p0 * (D * D);
#pragma unroll
  for (int u = 0; u < ROUNDS; u++) {
    const int j = j0 + u * L;
#pragma unroll
    for (int a = 0; a < D; a++) value[u][a] = j < row.width ? __ldcs(v + a * row.width + j) : (T)0;
  }
#pragma unroll
  for (int u = 0; u < ROUNDS; u++) x[u] = j0 + u * L < row.width ? __ldg(g.x + at[u]) : 0.0;
}

template <typename T, int D>
static __device__ __forceinline__ void add(const T (&value)[ROUNDS][D], const double (&x)[ROUNDS],
                                           double (&sum)[D])
{
#pragma unroll
  for (int u = 0; u < ROUNDS; u++)
#pragma unroll
    for (int a = 0; a < D; a++) sum[a] += (double)value[u][a] * x[u];
}

/* A block owns every gridDim-th tile of THREADS / L node rows, L neighbouring threads a row.  The columns of
 * the next row and the offsets of the one after it are on the way beside the values of this one, so a row
 * waits for memory once. */
template <typename T, typename C, int D, int L>
static __global__ void __launch_bounds__(THREADS, BLOCKS_PER_SM)
    bcsr_spmv(bcsr_args g, const T *__restrict__ val)
{
  constexpr int ROWS = THREADS / L;
  const int     lane = (int)threadIdx.x % L;
  const int     mine = (int)threadIdx.x / L;
  const int64_t step = (int64_t)gridDim.x * ROWS, first = (int64_t)blockIdx.x * ROWS;
  double        dot[2] = {0.0, 0.0};
  node_row      row = find_row<D>(g, first + mine), next = find_row<D>(g, first + mine + step);
  bf_int        at[ROUNDS];
  load_columns<C, D, L>(g, first + mine, row, lane, at);
  for (int64_t i0 = first; i0 < g.n; i0 += step) {
    const int64_t i = i0 + mine;
    T             value[ROUNDS][D];
    double        x[ROUNDS], sum[D] = {};
    load_values<T, D, L>(g, val, row, lane, at, value, x);
    load_columns<C, D, L>(g, i + step, next, lane, at);
    const node_row after = find_row<D>(g, i + 2 * step);
    add<T, D>(value, x, sum);
#pragma unroll 1
    for (int j0 = lane + ROUNDS * L; j0 < row.width; j0 += ROUNDS * L) { /* of a long row */
      bf_int more[ROUNDS];
      load_columns<C, D, L>(g, i, row, j0, more);
      load_values<T, D, L>(g, val, row, j0, more, value, x);
      add<T, D>(value, x, sum);
    }
    bf_bcsr_sum_lanes<D, L>(sum);
    if (i < g.n && lane == 0) bf_bcsr_store(sum, i, g.y, g.w, dot);
    row  = next;
    next = after;
  }
  if (!g.w || !bf_grid_sum(dot, g.partial, g.ticket)) return;
  g.dot[0] = dot[0];
  g.dot[1] = dot[1];
}

static bf_err spmv(bf_backend *be, const bf_matrix *M, const double *x, double *y, const double *w,
                   double *dot)
{
  const bf_bcsr *A = M->bcsr;
  BF_CHECK(A && (!w || dot), BF_E_ARG, "null argument");
  BF_CHECK(A->ncomp >= 1 && A->ncomp <= 3, BF_E_ARG, "product with blocks of order %d", A->ncomp);
  if (A->nrows == 0) return w ? be->ops.zero(be, dot, 2 * sizeof *dot) : BF_OK;
  if (A->half) return bf_cuda_bcsr_spmv_half(be, M, x, y, w, dot);
  const int      lanes  = bf_bcsr_lanes(A, ROUNDS);
  const bf_cuda *cu     = bf_cuda_of(be);
  const unsigned most   = (unsigned)(BLOCKS_PER_SM * cu->sms);
  unsigned       blocks = bf_cuda_blocks(A->nrows, THREADS / lanes);
  bcsr_args      g      = {A->nrows, A->ptr, A->col, x, w, y, dot, NULL, cu->ticket};
  if (A->rel) g.col = A->rel;
  if (blocks > most) blocks = most;
  if (w) BF_TRY(bf_cuda_partials(be, 2 * (int64_t)blocks, &g.partial));
  bf_bcsr_with_types(A, [&](auto *c, auto *v, auto D) {
    using T = std::remove_pointer_t<decltype(v)>;
    using C = std::remove_pointer_t<decltype(c)>;
    bf_bcsr_with_lanes(lanes, [&](auto L) {
      bcsr_spmv<T, C, decltype(D)::value, decltype(L)::value><<<blocks, THREADS, 0, cu->stream>>>(g, v);
    });
  });
  return BF_CUDA_LAUNCHED(be);
}

/* ---- product with the transpose ---- */

/* LANES threads own node row i of the result. */
template <typename T, typename C, int D>
static __global__ void __launch_bounds__(THREADS)
    transposed(int64_t n, const int64_t *__restrict__ ptr, const C *__restrict__ col,
               const T *__restrict__ val, const double *__restrict__ x, double *y)
{
  const int64_t i      = ((int64_t)blockIdx.x * THREADS + threadIdx.x) / LANES;
  double        sum[D] = {};
  if (i < n) {
    for (int64_t p = ptr[i] + threadIdx.x % LANES; p < ptr[i + 1]; p += LANES) {
      const int64_t j = col[p] + bf_column_base<C>(i), q0 = __ldg(ptr + j);
      const int     m = (int)(__ldg(ptr + j + 1) - q0);
      const int     k = bf_find(col + q0, m, (bf_int)i - bf_column_base<C>(j));
      if (k < 0) continue; /* not in a matrix whose check passes */
      const T *v = val + q0 * (D * D) + (int64_t)k * D;
#pragma unroll
      for (int a = 0; a < D; a++) {
        const double xa = __ldg(x + j * D + a);
#pragma unroll
        for (int b = 0; b < D; b++) sum[b] += (double)v[(int64_t)a * m * D + b] * xa;
      }
    }
  }
  bf_bcsr_sum_lanes<D, LANES>(sum);
  if (i >= n || threadIdx.x % LANES != 0) return;
#pragma unroll
  for (int b = 0; b < D; b++) y[i * D + b] = sum[b];
}

static bf_err spmv_t(bf_backend *be, const bf_matrix *M, const double *x, double *y)
{
  const bf_bcsr *A = M->bcsr;
  BF_CHECK(A->paired, BF_E_ARG, "the transposed product needs a symmetric pattern");
  if (A->nrows == 0) return BF_OK;
  if (A->half) return bf_cuda_bcsr_spmv_half(be, M, x, y, NULL, NULL);
  const cudaStream_t stream = bf_cuda_of(be)->stream;
  const unsigned     blocks = bf_cuda_blocks((int64_t)A->nrows * LANES, THREADS);
  bf_bcsr_with_types(A, [&](auto *c, auto *v, auto D) {
    using T = std::remove_pointer_t<decltype(v)>;
    using C = std::remove_pointer_t<decltype(c)>;
    transposed<T, C, decltype(D)::value><<<blocks, THREADS, 0, stream>>>(A->nrows, A->ptr, c, v, x, y);
  });
  return BF_CUDA_LAUNCHED(be);
}

extern "C" {
extern const bf_part_ops bf_cuda_bcsr_part;
const bf_part_ops        bf_cuda_bcsr_part = {
           .spmv      = spmv,
           .spmv_t    = spmv_t,
           .diagonal  = bf_cuda_bcsr_diagonal,
           .constrain = bf_cuda_bcsr_constrain,
           .blocks    = bf_cuda_bcsr_blocks,
           .scatter   = bf_cuda_bcsr_scatter,
};
}
} // namespace bf
