/* kernels/cuda/dense/batch_view.cuh - a batch as kernels see it
 *
 * Layout     a kernel takes a batch_view by value and works for every order up to view.n: template
 *            parameters depend on the bucket, the order is a run-time value. A batch of several sizes has
 *            one view per bucket, with a list of members built on the device: a grid is launched for
 *            `count` members, and blocks beyond members() exit at once.
 * Checked    tests/kernels/dense/t366_sizes_batch.c.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_CUDA_DENSE_BATCH_VIEW_CUH
#define BF_KERNELS_CUDA_DENSE_BATCH_VIEW_CUH
#include "kernels/cuda/device/scalar.cuh"

namespace bf
{

template <class T>
struct batch_view {
  T         *a; /* strided, or */
  T *const  *array;
  int64_t    stride;
  int        n, ld, count; /* n: the largest order in this view */
  int        pitch;        /* of ipiv: the batch's n */
  const int *sizes;        /* [of the batch] or NULL */
  const int *list;         /* members of the bucket, or NULL: all of the batch */
  const int *list_size;    /* length of the list */

  __device__ __forceinline__ int members() const
  {
    return list ? *list_size : count;
  }
  __device__ __forceinline__ int member(int k) const
  {
    return list ? list[k] : k;
  }
  __device__ __forceinline__ T *matrix(int b) const
  {
    return array ? array[b] : a + (int64_t)b * stride;
  }
  __device__ __forceinline__ int order(int b) const
  {
    return sizes ? sizes[b] : n;
  }
};

/* Right-hand sides: B_b(i,r) = matrix(b)[r*ld + i], r < nrhs. */
template <class T>
struct rhs_view {
  T        *b;
  T *const *array;
  int64_t   stride;
  int       nrhs, ld;

  __device__ __forceinline__ T *matrix(int m) const
  {
    return array ? array[m] : b + (int64_t)m * stride;
  }
};

/* size_buckets.cu: the largest order of n's bucket */
int bucket_order(int n);

/* Multiprocessors of the current device; 1 if the query fails */
int batch_multiprocessors(void);

/* Bytes of the lists of a batch of several sizes, 0 without sizes */
size_t batch_lists_bytes(const bf_batch *A);

/* Builds the lists of a batch of several sizes in `work` and sets info (or NULL) of matrices of order 0
 * and out of range */
bf_err batch_build_lists(bf_backend *be, const bf_batch *A, int *info, void *work);

enum { BATCH_BUCKETS = 19 };
struct batch_bucket {
  int        n; /* largest order */
  const int *list, *list_size;
};
/* The buckets of a batch whose lists batch_build_lists made; returns their number, 1 without sizes. */
int batch_buckets(const bf_batch *A, const void *work, batch_bucket *bucket);

template <class T>
batch_view<T> batch_view_of(const bf_batch *A, const batch_bucket &k)
{
  return {static_cast<T *>(A->a),
          reinterpret_cast<T *const *>(A->array),
          A->stride,
          k.n,
          A->ld,
          A->count,
          A->n,
          A->sizes,
          k.list,
          k.list_size};
}

/* f(T()) for the batch's type */
template <class F>
bf_err batch_by_type(bf_scalar type, F f)
{
  switch (type) {
  case BF_S: return f(float());
  case BF_D: return f(double());
  case BF_C: return f(cplx<float>());
  case BF_Z: return f(cplx<double>());
  }
  return BF_FAIL(BF_E_ARG, "no scalar type %d", (int)type);
}

/* launch(batch_view<T>) -> cudaError_t for every bucket, for the batch's type */
template <class F>
bf_err batch_launch(bf_backend *be, const bf_batch *A, int *info, void *work, F launch)
{
  batch_bucket bucket[BATCH_BUCKETS];
  BF_TRY(batch_build_lists(be, A, info, work));
  const int count = batch_buckets(A, work, bucket);
  for (int k = 0; k < count; k++) {
    BF_TRY(batch_by_type(
        A->type, [&](auto zero) { return BF_CUDA(launch(batch_view_of<decltype(zero)>(A, bucket[k]))); }));
    BF_TRY(BF_CUDA_LAUNCHED(be));
  }
  return BF_OK;
}

} // namespace bf
#endif
