/* kernels/cuda/multigrid/block_rows.cu - block rows: from a matrix, transpose, diagonal, dense
 *
 * Computes   block_rows.h, struct bf_block_ops.  Transpose: block numbers sorted by column, stable.
 * Source     our own; the sort is cub::DeviceRadixSort.
 * Layout     block_rows.h, matrix/matrix.h
 * Cost       from a matrix: it is read twice. Transpose: 8 bytes a pass of 8 bits and block for the sort, the
 *            values once, by blocks.
 * Launch     from a matrix: a thread a row of nodes, which merges its lists of entries. Transpose: a thread
 * an entry of the result.
 * Checked    tests/kernels/multigrid/t385_block_rows.c
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cuda/multigrid/multigrid.cuh"
#include "kernels/cuda/sparse/transpose.cuh"
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>
extern "C" {
#include "kernels/multigrid/block_source.h"
}

namespace bf
{

enum { THREADS = BF_MG_THREADS, GROUP = 32 };

bf_err bf_cuda_row_sums(bf_backend *be, int64_t n, int64_t *ptr, int64_t *total)
{
  const cudaStream_t stream = bf_cuda_of(be)->stream;
  size_t             bytes  = 0;
  void              *room;
  *total = 0;
  BF_TRY(BF_CUDA(cudaMemsetAsync(ptr, 0, sizeof *ptr, stream)));
  if (n == 0) return BF_OK;
  BF_TRY(BF_CUDA(cub::DeviceScan::InclusiveSum(NULL, bytes, ptr + 1, ptr + 1, n, stream)));
  BF_TRY(bf_cuda_scratch(be, bytes, &room));
  BF_TRY(BF_CUDA(cub::DeviceScan::InclusiveSum(room, bytes, ptr + 1, ptr + 1, n, stream)));
  return be->ops.copy(be, total, ptr + n, sizeof *total, BF_TO_HOST);
}

/* ---- from a matrix ---- */

static __global__ void __launch_bounds__(THREADS) count_row(bf_block_source s, int64_t *ptr)
{
  const int64_t i = bf_mg_item();
  if (i < s.n) ptr[i + 1] = bf_block_row_of(&s, (bf_int)i, NULL, NULL);
}

static __global__ void __launch_bounds__(THREADS)
    fill_row(bf_block_source s, const int64_t *ptr, bf_int *col, double *val)
{
  const int64_t i = bf_mg_item();
  if (i < s.n) bf_block_row_of(&s, (bf_int)i, col + ptr[i], val + ptr[i] * s.D * s.D);
}

static bf_err matrix_count(bf_backend *be, const bf_matrix *A, int64_t *ptr, int64_t *nnz)
{
  bf_block_source s;
  BF_TRY(bf_block_source_of(A, &s));
  if (s.n > 0) {
    count_row<<<bf_mg_grid(s.n), THREADS, 0, bf_cuda_of(be)->stream>>>(s, ptr);
    BF_TRY(BF_CUDA_LAUNCHED(be));
  }
  return bf_cuda_row_sums(be, s.n, ptr, nnz);
}

static bf_err matrix_fill(bf_backend *be, const bf_matrix *A, bf_block_rows *C)
{
  bf_block_source s;
  BF_TRY(bf_block_source_of(A, &s));
  if (s.n == 0) return BF_OK;
  fill_row<<<bf_mg_grid(s.n), THREADS, 0, bf_cuda_of(be)->stream>>>(s, C->ptr, C->col,
                                                                    static_cast<double *>(C->val));
  return BF_CUDA_LAUNCHED(be);
}

/* ---- diagonal ---- */

/* Block (i, i), or -1. */
static __device__ __forceinline__ int64_t own_block(const int64_t *ptr, const bf_int *col, bf_int i)
{
  const int64_t begin = ptr[i];
  const int     at    = bf_find(col + begin, (int)(ptr[i + 1] - begin), i);
  return at < 0 ? -1 : begin + at;
}

template <typename T>
static __global__ void __launch_bounds__(THREADS)
    read_diagonal(int64_t n, int D, const int64_t *ptr, const bf_int *col, const T *val, double *d)
{
  const int64_t r = bf_mg_item();
  if (r >= n) return;
  const int     c = (int)(r % D);
  const int64_t k = own_block(ptr, col, (bf_int)(r / D));
  d[r]            = k < 0 ? 0.0 : (double)val[(k * D + c) * D + c];
}

static __global__ void __launch_bounds__(THREADS)
    set_diagonal(int64_t n, int D, const int64_t *ptr, const bf_int *col, const uint8_t *flag, double *val)
{
  const int64_t r = bf_mg_item();
  if (r >= n || !flag[r]) return;
  const int     c = (int)(r % D);
  const int64_t k = own_block(ptr, col, (bf_int)(r / D));
  if (k >= 0) val[(k * D + c) * D + c] = 1.0;
}

static bf_err diagonal(bf_backend *be, const bf_block_rows *A, double *d)
{
  const int          D      = A->form.br;
  const int64_t      n      = (int64_t)A->form.nrows * D;
  const cudaStream_t stream = bf_cuda_of(be)->stream;
  if (n == 0) return BF_OK;
  bf_cuda_with_values(A->val, A->form.prec, [&](auto *v) {
    read_diagonal<<<bf_mg_grid(n), THREADS, 0, stream>>>(n, D, A->ptr, A->col, v, d);
  });
  return BF_CUDA_LAUNCHED(be);
}

static bf_err unit_diagonal(bf_backend *be, bf_block_rows *A, const uint8_t *flag)
{
  const int     D = A->form.br;
  const int64_t n = (int64_t)A->form.nrows * D;
  if (n == 0) return BF_OK;
  set_diagonal<<<bf_mg_grid(n), THREADS, 0, bf_cuda_of(be)->stream>>>(n, D, A->ptr, A->col, flag,
                                                                      static_cast<double *>(A->val));
  return BF_CUDA_LAUNCHED(be);
}

/* ---- dense ---- */

template <typename T>
static __global__ void __launch_bounds__(THREADS)
    spread(bf_block_form f, const int64_t *ptr, const bf_int *col, const T *val, double *out)
{
  const int64_t i = bf_mg_item(GROUP);
  if (i >= f.nrows) return;
  const int     one = f.br * f.bc;
  const int64_t n = (int64_t)f.ncols * f.bc, begin = ptr[i], count = (ptr[i + 1] - begin) * one;
  for (int64_t e = threadIdx.x % GROUP; e < count; e += GROUP) {
    const int64_t k = begin + e / one;
    const int     a = (int)(e % one % f.br), b = (int)(e % one / f.br);
    out[(i * f.br + a) * n + (int64_t)col[k] * f.bc + b] = (double)val[begin * one + e];
  }
}

static bf_err dense(bf_backend *be, const bf_block_rows *A, double *out)
{
  const bf_block_form f      = A->form;
  const cudaStream_t  stream = bf_cuda_of(be)->stream;
  BF_TRY(
      be->ops.zero(be, out, (size_t)f.nrows * (size_t)f.br * (size_t)f.ncols * (size_t)f.bc * sizeof *out));
  if (f.nrows == 0) return BF_OK;
  bf_cuda_with_values(A->val, f.prec, [&](auto *v) {
    spread<<<bf_mg_grid(f.nrows, GROUP), THREADS, 0, stream>>>(f, A->ptr, A->col, v, out);
  });
  return BF_CUDA_LAUNCHED(be);
}

/* ---- transpose ---- */

static __global__ void __launch_bounds__(THREADS) number(int64_t nnz, unsigned *block)
{
  const int64_t k = bf_mg_item();
  if (k < nnz) block[k] = (unsigned)k;
}

/* Thread p owns block p of the result, which is block from[p] of A; column key[p]. */
static __global__ void __launch_bounds__(THREADS)
    transposed_columns(bf_block_form f, int64_t nnz, const int64_t *ptr, const unsigned *key,
                       const unsigned *from, int64_t *tptr, bf_int *tcol)
{
  const int64_t p    = bf_mg_item();
  bf_int        here = f.ncols, before = f.ncols;
  if (p < nnz) {
    here    = (bf_int)key[p];
    before  = p == 0 ? -1 : (bf_int)key[p - 1];
    tcol[p] = bf_row_of(ptr, 0, f.nrows - 1, from[p]);
  }
  bf_fill_rows(tptr, before, here, p);
  bf_fill_rows(tptr, p == nnz - 1 ? here : f.ncols, f.ncols, nnz); /* rows behind the last, and the end */
}

template <typename T>
static __global__ void __launch_bounds__(THREADS)
    transposed_values(bf_block_form f, int64_t entries, const unsigned *from, const T *__restrict__ val,
                      T *out)
{
  const int64_t e = bf_mg_item();
  if (e >= entries) return;
  const int one = f.br * f.bc, w = (int)(e % one), a = w / f.bc, b = w % f.bc;
  out[e] = val[(int64_t)from[e / one] * one + b * f.br + a];
}

static bf_err transpose(bf_backend *be, const bf_block_rows *A, bf_block_rows *T)
{
  const bf_block_form f      = A->form;
  const cudaStream_t  stream = bf_cuda_of(be)->stream;
  const int64_t       nnz = A->nnz, entries = nnz * f.br * f.bc;
  const size_t        list  = bf_aligned((size_t)nnz * sizeof(unsigned));
  const unsigned     *key   = reinterpret_cast<const unsigned *>(A->col);
  size_t              bytes = 0;
  void               *room;
  BF_CHECK(nnz <= INT32_MAX, BF_E_UNSUPPORTED, "transpose of %lld blocks; at most 2^31 - 1", (long long)nnz);
  if (nnz == 0) return be->ops.zero(be, T->ptr, ((size_t)f.ncols + 1) * sizeof *T->ptr);
  BF_TRY(BF_CUDA(cub::DeviceRadixSort::SortPairs(NULL, bytes, key, (unsigned *)NULL, (const unsigned *)NULL,
                                                 (unsigned *)NULL, nnz, 0, bf_bits_of(f.ncols), stream)));
  BF_TRY(bf_cuda_scratch(be, 3 * list + bytes, &room));
  char     *at  = static_cast<char *>(room);
  unsigned *all = reinterpret_cast<unsigned *>(at), *sorted = reinterpret_cast<unsigned *>(at + list),
           *from = reinterpret_cast<unsigned *>(at + 2 * list);
  number<<<bf_mg_grid(nnz), THREADS, 0, stream>>>(nnz, all);
  BF_TRY(BF_CUDA_LAUNCHED(be));
  BF_TRY(BF_CUDA(cub::DeviceRadixSort::SortPairs(at + 3 * list, bytes, key, sorted, (const unsigned *)all,
                                                 from, nnz, 0, bf_bits_of(f.ncols), stream)));
  transposed_columns<<<bf_mg_grid(nnz), THREADS, 0, stream>>>(f, nnz, A->ptr, sorted, from, T->ptr, T->col);
  BF_TRY(BF_CUDA_LAUNCHED(be));
  bf_cuda_with_values(A->val, f.prec, [&](auto *v) {
    transposed_values<<<bf_mg_grid(entries), THREADS, 0, stream>>>(f, entries, from, v,
                                                                   static_cast<decltype(v)>(T->val));
  });
  return BF_CUDA_LAUNCHED(be);
}

extern "C" {
const bf_block_ops bf_cuda_block_rows = {
    .matrix_count  = matrix_count,
    .matrix_fill   = matrix_fill,
    .product_count = bf_cuda_block_product_count,
    .product_fill  = bf_cuda_block_product_fill,
    .spmv          = bf_cuda_block_spmv,
    .diagonal      = diagonal,
    .transpose     = transpose,
    .unit_diagonal = unit_diagonal,
    .dense         = dense,
};
}

} // namespace bf
