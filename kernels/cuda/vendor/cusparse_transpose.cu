/* kernels/cuda/vendor/cusparse_transpose.cu - transposes and conversions by cuSPARSE and thrust; see
 * kernels/vendor.h
 *
 * Source     Jin, CUDA tutorial 7 (docs/references.md) for the methods by thrust (expand the rows, sort,
 *            compress) and for the product by atomics. Every method gets its workspace in advance, thrust
 *            through an allocator that keeps its blocks.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cuda/sparse/transpose.cuh"
#include "kernels/cuda/vendor/vendor.cuh"
#include <map>
#include <new>
#include <thrust/execution_policy.h>
#include <thrust/gather.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/reduce.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/system/cuda/vector.h>
#include <thrust/tuple.h>
#include <vector>

namespace bf
{

enum { THREADS = 256 };

/* Blocks freed by thrust are kept for its next request of that size. */
struct kept_blocks {
  typedef char                       value_type;
  std::multimap<std::size_t, char *> free;
  std::map<char *, std::size_t>      used;
  char                              *allocate(std::ptrdiff_t n)
  {
    char *p    = NULL;
    auto  slot = free.find((std::size_t)n);
    if (slot != free.end()) {
      p = slot->second;
      free.erase(slot);
    } else if (cudaMalloc(&p, (std::size_t)n) != cudaSuccess) {
      cudaGetLastError();
      throw std::bad_alloc();
    }
    used[p] = (std::size_t)n;
    return p;
  }
  void deallocate(char *p, std::size_t)
  {
    auto slot = used.find(p);
    free.insert({slot->second, p});
    used.erase(slot);
  }
  ~kept_blocks()
  {
    for (auto &b : free) cudaFree(b.second);
  }
};

} // namespace bf

/* the opaque type of the C interface */
struct bf_peer_work {
  bf_backend         *be;
  bf_peer_kind        kind;
  bf_csr_arrays       csr; /* input of a transpose, borrowed */
  bf_coo_arrays       coo; /* input of a conversion, borrowed */
  cusparseHandle_t    sparse;
  bf::kept_blocks     blocks;
  std::vector<void *> memory; /* all that follows */
  int                *ptr, *ptr_out, *row, *col, *index;
  bf_int             *row_out, *col_out;
  double             *val, *val_out;
  uint64_t           *key, *key_out;
  void               *buffer;
  int64_t             nnz_out;
};

namespace bf
{

template <typename T>
static bf_err give(bf_peer_work *w, int64_t n, T **p)
{
  void *q = NULL;
  BF_TRY(BF_CUDA(cudaMalloc(&q, ((size_t)n + 1) * sizeof(T))));
  w->memory.push_back(q);
  *p = static_cast<T *>(q);
  return BF_OK;
}

static __global__ void narrow_offsets(int64_t n, const int64_t *from, int *to)
{
  const int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x;
  if (i < n) to[i] = (int)from[i];
}
static __global__ void pair_keys(bf_coo_arrays A, uint64_t *key)
{
  const int64_t p = (int64_t)blockIdx.x * THREADS + threadIdx.x;
  if (p < A.nnz) key[p] = (uint64_t)A.row[p] << 32 | (uint64_t)A.col[p];
}
static __global__ void split_pairs(int64_t n, const uint64_t *key, bf_int *row, bf_int *col)
{
  const int64_t p = (int64_t)blockIdx.x * THREADS + threadIdx.x;
  if (p >= n) return;
  row[p] = (bf_int)(key[p] >> 32);
  col[p] = (bf_int)key[p];
}
/* y += A^T x, a warp a row */
static __global__ void add_atomically(bf_csr_arrays A, const double *x, double *y)
{
  const int64_t r = ((int64_t)blockIdx.x * THREADS + threadIdx.x) / 32;
  if (r >= A.nrows) return;
  for (int64_t p = A.ptr[r] + threadIdx.x % 32; p < A.ptr[r + 1]; p += 32)
    atomicAdd(y + A.col[p], static_cast<const double *>(A.val)[p] * x[r]);
}

extern "C" bf_err bf_peer_spmv_t_atomic(bf_backend *be, const bf_csr_arrays *A, const double *x, double *y)
{
  BF_TRY(be->ops.zero(be, y, (size_t)A->ncols * sizeof *y));
  add_atomically<<<bf_cuda_blocks((int64_t)A->nrows * 32, THREADS), THREADS, 0, bf_cuda_of(be)->stream>>>(
      *A, x, y);
  return BF_CUDA_LAUNCHED(be);
}

/* ---- transposes */

static bf_err prepare_transpose(bf_peer_work *w)
{
  const bf_csr_arrays *A     = &w->csr;
  size_t               bytes = 0;
  BF_TRY(give(w, A->nrows, &w->ptr));
  BF_TRY(give(w, A->ncols, &w->ptr_out));
  BF_TRY(give(w, A->nnz, &w->row_out));
  BF_TRY(give(w, A->nnz, &w->val_out));
  narrow_offsets<<<bf_cuda_blocks((int64_t)A->nrows + 1, THREADS), THREADS, 0, bf_cuda_of(w->be)->stream>>>(
      (int64_t)A->nrows + 1, A->ptr, w->ptr);
  BF_TRY(BF_CUDA_LAUNCHED(w->be));
  if (w->kind != BF_PEER_CSR2CSC) return give(w, A->nnz, &w->col);
  SPARSE(cusparseCsr2cscEx2_bufferSize(
      w->sparse, A->nrows, A->ncols, (int)A->nnz, A->val, w->ptr, A->col, w->val_out, w->ptr_out, w->row_out,
      CUDA_R_64F, CUSPARSE_ACTION_NUMERIC, CUSPARSE_INDEX_BASE_ZERO, CUSPARSE_CSR2CSC_ALG1, &bytes));
  char *buffer;
  BF_TRY(give(w, (int64_t)bytes, &buffer));
  w->buffer = buffer;
  return BF_OK;
}

struct by_column_and_row {
  __device__ bool operator()(const thrust::tuple<int, int> &a, const thrust::tuple<int, int> &b) const
  {
    return thrust::get<0>(a) < thrust::get<0>(b) ||
           (thrust::get<0>(a) == thrust::get<0>(b) && thrust::get<1>(a) < thrust::get<1>(b));
  }
};

static bf_err transpose(bf_peer_work *w)
{
  const bf_csr_arrays *A      = &w->csr;
  const cudaStream_t   stream = bf_cuda_of(w->be)->stream;
  const int            nnz    = (int)A->nnz;
  if (w->kind == BF_PEER_CSR2CSC) {
    SPARSE(cusparseCsr2cscEx2(w->sparse, A->nrows, A->ncols, nnz, A->val, w->ptr, A->col, w->val_out,
                              w->ptr_out, w->row_out, CUDA_R_64F, CUSPARSE_ACTION_NUMERIC,
                              CUSPARSE_INDEX_BASE_ZERO, CUSPARSE_CSR2CSC_ALG1, w->buffer));
    return BF_OK;
  }
  const auto policy = thrust::cuda::par(w->blocks).on(stream);
  BF_TRY(BF_CUDA(cudaMemcpyAsync(w->col, A->col, (size_t)nnz * 4, cudaMemcpyDeviceToDevice, stream)));
  BF_TRY(BF_CUDA(cudaMemcpyAsync(w->val_out, A->val, (size_t)nnz * 8, cudaMemcpyDeviceToDevice, stream)));
  SPARSE(cusparseXcsr2coo(w->sparse, w->ptr, nnz, A->nrows, w->row_out, CUSPARSE_INDEX_BASE_ZERO));
  if (w->kind == BF_PEER_STABLE_SORT) {
    auto carried = thrust::make_zip_iterator(thrust::make_tuple(w->row_out, w->val_out));
    thrust::stable_sort_by_key(policy, w->col, w->col + nnz, carried);
  } else {
    auto place = thrust::make_zip_iterator(thrust::make_tuple(w->col, w->row_out));
    thrust::stable_sort_by_key(policy, place, place + nnz, w->val_out, by_column_and_row());
  }
  SPARSE(cusparseXcoo2csr(w->sparse, w->col, nnz, A->ncols, w->ptr_out, CUSPARSE_INDEX_BASE_ZERO));
  return BF_OK;
}

/* ---- COO -> CSR */

static bf_err prepare_conversion(bf_peer_work *w)
{
  const bf_coo_arrays *A     = &w->coo;
  size_t               bytes = 0;
  BF_TRY(give(w, A->nnz, &w->row));
  BF_TRY(give(w, A->nnz, &w->col));
  BF_TRY(give(w, A->nnz, &w->val));
  BF_TRY(give(w, A->nnz, &w->row_out));
  BF_TRY(give(w, A->nnz, &w->col_out));
  BF_TRY(give(w, A->nnz, &w->val_out));
  BF_TRY(give(w, A->nrows, &w->ptr_out));
  if (w->kind == BF_PEER_SORT_PAIRS) {
    BF_TRY(give(w, A->nnz, &w->key));
    return give(w, A->nnz, &w->key_out);
  }
  BF_TRY(give(w, A->nnz, &w->index));
  SPARSE(cusparseXcoosort_bufferSizeExt(w->sparse, A->nrows, A->ncols, (int)A->nnz, w->row, w->col, &bytes));
  char *buffer;
  BF_TRY(give(w, (int64_t)bytes, &buffer));
  w->buffer = buffer;
  return BF_OK;
}

static bf_err convert(bf_peer_work *w)
{
  const bf_coo_arrays *A      = &w->coo;
  const cudaStream_t   stream = bf_cuda_of(w->be)->stream;
  const int            nnz    = (int)A->nnz;
  const double        *val    = static_cast<const double *>(A->val);
  const auto           policy = thrust::cuda::par(w->blocks).on(stream);
  if (w->kind == BF_PEER_SORT_PAIRS) {
    pair_keys<<<bf_cuda_blocks(nnz, THREADS), THREADS, 0, stream>>>(*A, w->key);
    BF_TRY(BF_CUDA_LAUNCHED(w->be));
    BF_TRY(BF_CUDA(cudaMemcpyAsync(w->val, val, (size_t)nnz * 8, cudaMemcpyDeviceToDevice, stream)));
    thrust::stable_sort_by_key(policy, w->key, w->key + nnz, w->val);
    const auto end = thrust::reduce_by_key(policy, w->key, w->key + nnz, w->val, w->key_out, w->val_out);
    w->nnz_out     = end.first - w->key_out;
    split_pairs<<<bf_cuda_blocks(w->nnz_out, THREADS), THREADS, 0, stream>>>(w->nnz_out, w->key_out,
                                                                             w->row_out, w->col_out);
    BF_TRY(BF_CUDA_LAUNCHED(w->be));
  } else {
    BF_TRY(BF_CUDA(cudaMemcpyAsync(w->row, A->row, (size_t)nnz * 4, cudaMemcpyDeviceToDevice, stream)));
    BF_TRY(BF_CUDA(cudaMemcpyAsync(w->col, A->col, (size_t)nnz * 4, cudaMemcpyDeviceToDevice, stream)));
    thrust::sequence(policy, w->index, w->index + nnz);
    SPARSE(cusparseXcoosortByRow(w->sparse, A->nrows, A->ncols, nnz, w->row, w->col, w->index, w->buffer));
    thrust::gather(policy, w->index, w->index + nnz, val, w->val);
    auto       place = thrust::make_zip_iterator(thrust::make_tuple(w->row, w->col));
    auto       out   = thrust::make_zip_iterator(thrust::make_tuple(w->row_out, w->col_out));
    const auto end   = thrust::reduce_by_key(policy, place, place + nnz, w->val, out, w->val_out);
    w->nnz_out       = end.second - w->val_out;
  }
  SPARSE(cusparseXcoo2csr(w->sparse, w->row_out, (int)w->nnz_out, A->nrows, w->ptr_out,
                          CUSPARSE_INDEX_BASE_ZERO));
  return BF_OK;
}

/* ---- life */

static bf_err create(bf_backend *be, bf_peer_kind kind, const bf_csr_arrays *csr, const bf_coo_arrays *coo,
                     bf_peer_work **out)
{
  BF_CHECK(be && be->ops.on_device && out, BF_E_ARG, "peers run on the cuda backend");
  const int64_t nnz = csr ? csr->nnz : coo->nnz;
  BF_CHECK(nnz > 0 && nnz < INT32_MAX && (csr ? csr->prec : coo->prec) == BF_FP64, BF_E_ARG,
           "peer: %lld entries, or not fp64", (long long)nnz);
  bf_peer_work *w = new bf_peer_work();
  w->be           = be;
  w->kind         = kind;
  if (csr) w->csr = *csr;
  if (coo) w->coo = *coo;
  *out = w;
  bf_err err =
      bf_peer_sparse_status(cusparseCreate(&w->sparse), "cusparseCreate", __func__, __FILE__, __LINE__);
  if (err == BF_OK)
    err = bf_peer_sparse_status(cusparseSetStream(w->sparse, bf_cuda_of(be)->stream), "cusparseSetStream",
                                __func__, __FILE__, __LINE__);
  if (err == BF_OK) err = csr ? prepare_transpose(w) : prepare_conversion(w);
  if (err != BF_OK) bf_peer_work_destroy(out);
  return err;
}

extern "C" bf_err bf_peer_work_transpose(bf_backend *be, bf_peer_kind kind, const bf_csr_arrays *A,
                                         bf_peer_work **out)
{
  BF_CHECK(A && kind <= BF_PEER_COMPARED_SORT, BF_E_ARG, "peer: transpose");
  return create(be, kind, A, NULL, out);
}

extern "C" bf_err bf_peer_work_convert(bf_backend *be, bf_peer_kind kind, const bf_coo_arrays *A,
                                       bf_peer_work **out)
{
  BF_CHECK(A && kind >= BF_PEER_COOSORT, BF_E_ARG, "peer: conversion");
  return create(be, kind, NULL, A, out);
}

extern "C" bf_err bf_peer_work_run(void *work)
{
  bf_peer_work *w = static_cast<bf_peer_work *>(work);
  try {
    return w->kind <= BF_PEER_COMPARED_SORT ? transpose(w) : convert(w);
  } catch (const std::exception &e) {
    return BF_FAIL(BF_E_DEVICE, "thrust: %s", e.what());
  }
}

extern "C" const char *bf_peer_work_describe(const bf_peer_work *w)
{
  static const char *const text[] = {"cusparseCsr2cscEx2", "thrust stable_sort_by_key",
                                     "thrust sort, comparator", "cusparseXcoosortByRow + thrust",
                                     "thrust sort + reduce_by_key"};
  return text[w->kind];
}

extern "C" void bf_peer_work_destroy(bf_peer_work **w)
{
  if (!w || !*w) return;
  if ((*w)->sparse) cusparseDestroy((*w)->sparse);
  for (void *p : (*w)->memory) cudaFree(p);
  delete *w;
  *w = NULL;
}

} // namespace bf
