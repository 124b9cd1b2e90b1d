/* kernels/cuda/sparse/csr_assembly.cu - pattern, diagonal, constraints and element matrices of a CSR matrix;
 * vectors
 *
 * Computes   csr_expand      scalar pattern of D x D blocks from a node pattern
 *            csr_diagonal    d(r) = A(r, r)
 *            csr_constrain   A(r, c) = 0 for r != c where r or c is fixed
 *            csr_scatter     A += element matrices; a node's D columns are neighbours, the first is
 *                            found by bisection of the row
 *            vector_scatter  b += element vectors
 * Source     the definition; the distribution of the work is this project's.
 * Layout     matrix/matrix.h: the D rows of a node are neighbours, and so are the D columns.
 * Cost       scatter as in bdia_assembly.cu, with a bisection among a row's columns for each element node.
 * Launch     expand, constrain: 8 lanes a scalar row; the others one thread a scalar row. No atomics: a
 *            row's sums have the order of its incidences.
 * Checked    tests/kernels/sparse/t311_csr.c, t312_constrain.c, t321_scatter.c against dense matrices.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cuda/device/launch_and_reduce.cuh"

namespace bf
{

enum { THREADS = 256, LANES = 8 };

/* LANES threads own row r = node*D + a; each row of a node is its neighbours' columns, D each. */
template <typename C>
static __global__ void expand(int64_t n, int                            D, const int64_t *__restrict__ nptr,
                              const bf_int *__restrict__ nadj, int64_t *ptr, C *col)
{
  const int64_t r = ((int64_t)blockIdx.x * THREADS + threadIdx.x) / LANES;
  const int     l = (int)threadIdx.x % LANES;
  if (r >= n) return;
  const int64_t node = r / D, begin = nptr[node], length = (nptr[node + 1] - begin) * D;
  const int64_t first = begin * D * D + (r - node * D) * length;
  if (l == 0) ptr[r] = first;
  if (l == 0 && r == n - 1) ptr[n] = first + length;
  for (int64_t i = l; i < length; i += LANES) {
    const int64_t j = i / D;
    col[first + i]  = (C)(nadj[begin + j] * D + (bf_int)(i - j * D) - bf_column_base<C>(r));
  }
}

template <typename T, typename C>
static __global__ void diagonal(int64_t n, const int64_t *__restrict__ ptr, const C *__restrict__ col,
                                const T *__restrict__ val, double *d)
{
  const int64_t r = (int64_t)blockIdx.x * THREADS + threadIdx.x;
  if (r >= n) return;
  const int k = bf_find(col + ptr[r], (int)(ptr[r + 1] - ptr[r]), (bf_int)r - bf_column_base<C>(r));
  d[r]        = k < 0 ? 0.0 : (double)val[ptr[r] + k];
}

/* LANES threads own row r. */
template <typename T, typename C>
static __global__ void constrain(int64_t n, const int64_t *__restrict__ ptr, const C *__restrict__ col,
                                 const uint8_t *__restrict__ fixed, T *val)
{
  const int64_t r = ((int64_t)blockIdx.x * THREADS + threadIdx.x) / LANES;
  if (r >= n) return;
  const bool row_fixed = fixed[r] != 0;
  for (int64_t i = ptr[r] + threadIdx.x % LANES; i < ptr[r + 1]; i += LANES) {
    const bf_int c = col[i] + bf_column_base<C>(r);
    if (c != r && (row_fixed || fixed[c])) val[i] = (T)0;
  }
}

/* Thread r owns row r. */
template <typename C>
static __global__ void __launch_bounds__(THREADS)
    scatter(int64_t n, int D, const int64_t *__restrict__ rows, const C *__restrict__ col, double *val,
            const bf_int *__restrict__ ptr, const bf_int *__restrict__ item, int nen,
            const bf_int *__restrict__ conn, const double *__restrict__ Ke, int *violation)
{
  const int64_t r = (int64_t)blockIdx.x * THREADS + threadIdx.x;
  if (r >= n) return;
  const bf_int node = (bf_int)(r / D);
  const int    ca = (int)(r - (int64_t)node * D), nd = nen * D;
  const C     *row    = col + rows[r];
  const bf_int base   = bf_column_base<C>(r);
  const int    length = (int)(rows[r + 1] - rows[r]);
  double      *v      = val + rows[r];
  for (bf_int t = ptr[node]; t < ptr[node + 1]; t++) {
    const bf_int  e = item[t] / nen, a = item[t] - e * nen;
    const bf_int *c = conn + (int64_t)e * nen;
    const double *K = Ke + ((int64_t)e * nd + a * D + ca) * nd;
    for (int j = 0; j < nen; j++) {
      const int k = bf_find(row, length, c[j] * D - base);
      if (k < 0 || k + D > length) {
        *violation = 1;
        continue;
      }
      for (int b = 0; b < D; b++) v[k + b] += K[j * D + b];
    }
  }
}

/* Thread r owns b[r]. */
static __global__ void scatter_vector(int64_t n, int D, const bf_int *__restrict__ ptr,
                                      const bf_int *__restrict__ item, const double *__restrict__ fe,
                                      double *b)
{
  const int64_t r = (int64_t)blockIdx.x * THREADS + threadIdx.x;
  if (r >= n) return;
  const int64_t node = r / D, c = r - node * D;
  double        sum = b[r];
  for (bf_int t = ptr[node]; t < ptr[node + 1]; t++) sum += fe[(int64_t)item[t] * D + c];
  b[r] = sum;
}

BF_CUDA_DECLARE(matrix.csr_expand, csr_expand);
bf_err bf_cuda_csr_expand(bf_backend *be, bf_int n, int D, const int64_t *nptr, const bf_int *nadj, bf_csr *A)
{
  const int64_t rows = (int64_t)n * D;
  if (rows == 0) return be->ops.zero(be, A->ptr, sizeof *A->ptr);
  const unsigned     blocks = bf_cuda_blocks(rows * LANES, THREADS);
  const cudaStream_t stream = bf_cuda_of(be)->stream;
  if (A->rel)
    expand<<<blocks, THREADS, 0, stream>>>(rows, D, nptr, nadj, A->ptr, A->rel);
  else
    expand<<<blocks, THREADS, 0, stream>>>(rows, D, nptr, nadj, A->ptr, A->col);
  return BF_CUDA_LAUNCHED(be);
}

/* call(columns, values) with the types they have. */
template <typename Call>
static void with_types(const bf_csr *A, Call call)
{
  bf_cuda_with_values(A->val, A->prec, [&](auto *v) { A->rel ? call(A->rel, v) : call(A->col, v); });
}

extern "C" bf_part_diagonal bf_cuda_csr_diagonal;
bf_err                      bf_cuda_csr_diagonal(bf_backend *be, const bf_matrix *M, double *d)
{
  const bf_csr *A = M->csr;
  if (A->nrows == 0) return BF_OK;
  const cudaStream_t stream = bf_cuda_of(be)->stream;
  const unsigned     blocks = bf_cuda_blocks(A->nrows, THREADS);
  with_types(A, [&](auto *col, auto *val) {
    diagonal<<<blocks, THREADS, 0, stream>>>(A->nrows, A->ptr, col, val, d);
  });
  return BF_CUDA_LAUNCHED(be);
}

extern "C" bf_part_constrain bf_cuda_csr_constrain;
bf_err                       bf_cuda_csr_constrain(bf_backend *be, bf_matrix *M, const uint8_t *fixed)
{
  bf_csr *A = M->csr;
  if (A->nrows == 0) return BF_OK;
  const cudaStream_t stream = bf_cuda_of(be)->stream;
  const unsigned     blocks = bf_cuda_blocks((int64_t)A->nrows * LANES, THREADS);
  with_types(A, [&](auto *col, auto *val) {
    constrain<<<blocks, THREADS, 0, stream>>>(A->nrows, A->ptr, col, fixed, val);
  });
  return BF_CUDA_LAUNCHED(be);
}

extern "C" bf_part_scatter bf_cuda_csr_scatter;
bf_err bf_cuda_csr_scatter(bf_backend *be, bf_matrix *M, const bf_int *ptr, const bf_int *item, int nen,
                           const bf_int *conn, const double *Ke)
{
  bf_csr   *A = M->csr;
  const int D = M->ncomp;
  BF_CHECK(A->prec == BF_FP64, BF_E_ARG, "scatter needs fp64 values");
  BF_CHECK(nen > 0 && D > 0 && A->nrows % D == 0, BF_E_ARG,
           "scatter: %d rows, %d components, %d nodes an element", A->nrows, D, nen);
  if (A->nrows == 0) return BF_OK;
  bf_cuda       *cu     = bf_cuda_of(be);
  const unsigned blocks = bf_cuda_blocks(A->nrows, THREADS);
  double        *val    = static_cast<double *>(A->val);
  cu->watch             = true;
  if (A->rel)
    scatter<<<blocks, THREADS, 0, cu->stream>>>(A->nrows, D, A->ptr, A->rel, val, ptr, item, nen, conn, Ke,
                                                cu->violation);
  else
    scatter<<<blocks, THREADS, 0, cu->stream>>>(A->nrows, D, A->ptr, A->col, val, ptr, item, nen, conn, Ke,
                                                cu->violation);
  return BF_CUDA_LAUNCHED(be);
}

BF_CUDA_DECLARE(vector.scatter, vector_scatter);
bf_err bf_cuda_vector_scatter(bf_backend *be, bf_int nrows, int D, const bf_int *ptr, const bf_int *item,
                              int nen, const double *fe, double *b)
{
  BF_CHECK(nen > 0 && D > 0, BF_E_ARG, "vector scatter: %d components, %d nodes an element", D, nen);
  const int64_t n = (int64_t)nrows * D;
  if (n == 0) return BF_OK;
  scatter_vector<<<bf_cuda_blocks(n, THREADS), THREADS, 0, bf_cuda_of(be)->stream>>>(n, D, ptr, item, fe, b);
  return BF_CUDA_LAUNCHED(be);
}

} // namespace bf
