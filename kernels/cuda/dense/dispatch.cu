/* kernels/cuda/dense/dispatch.cu - entries of the table for batches: kernel family by order, workspace
 *
 * Computes   getrf, getri, inverse, potrf, posv and heev of batches: a batch of several sizes is grouped by
 *            bucket (size_buckets.cu), and every bucket goes to the kernel family of its order.
 * Layout     work: the lists, then the workspace of the families, shared by all buckets.
 * Launch     one or more launches per bucket; batch_clear_left one thread per matrix.
 * Checked    tests/kernels/dense/t358_repeat_batch.c, t366_sizes_batch.c.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cuda/dense/launchers.cuh"

namespace bf
{

enum { ALIGN = 256 };

static size_t padded(size_t bytes)
{
  return (bytes + ALIGN - 1) / ALIGN * ALIGN;
}

template <class T>
static size_t work_of(bf_batch_op op, int n, int count)
{
  if (n <= BATCH_REGISTER_MAX) return op == BF_HEEV ? heev_jacobi_work<T>(n, count) : 0;
  if (op == BF_HEEV) return heev_dispatch_work<T>(n, count);
  if (op == BF_INVERSE) return inverse_dispatch_work<T>(n, count);
  if (op == BF_GETRI) return getri_dispatch_work<T>(n, count);
  if (op == BF_GETRF) return lu_dispatch_work<T>(n, count);
  return 0;
}

/* The largest workspace among the buckets */
BF_CUDA_DECLARE(batch.work, batch_work);
bf_err bf_cuda_batch_work(bf_backend *be, bf_batch_op op, const bf_batch *A, size_t *bytes)
{
  if (op == BF_HEGV) return batch_hegv_work(be, A, bytes);
  batch_bucket bucket[BATCH_BUCKETS];
  size_t       most  = 0;
  const int    count = batch_buckets(A, NULL, bucket);
  for (int k = 0; k < count; k++)
    BF_TRY(batch_by_type(A->type, [&](auto zero) {
      const size_t need = work_of<decltype(zero)>(op, bucket[k].n, A->count);
      most              = need > most ? need : most;
      return BF_OK;
    }));
  *bytes = padded(batch_lists_bytes(A)) + most;
  return BF_OK;
}

static bf_err in_range(const bf_batch *A)
{
  BF_CHECK(A->n <= BATCH_MAX, BF_E_UNSUPPORTED, "n=%d: batches on the device end at %d", A->n,
           (int)BATCH_MAX);
  return BF_OK;
}

static void *after_lists(const bf_batch *A, void *work)
{
  return work ? static_cast<char *>(work) + padded(batch_lists_bytes(A)) : NULL;
}

BF_CUDA_DECLARE(batch.getrf, getrf_batch);
bf_err bf_cuda_getrf_batch(bf_backend *be, const bf_batch *A, bf_int *ipiv, bf_int *info, void *work)
{
  const cudaStream_t s = bf_cuda_of(be)->stream;
  BF_TRY(in_range(A));
  return batch_launch(be, A, info, work, [&](auto view) {
    return view.n <= BATCH_REGISTER_MAX ? lu_register(view, ipiv, info, s)
                                        : lu_dispatch(view, ipiv, info, after_lists(A, work), s);
  });
}

BF_CUDA_DECLARE(batch.getri, getri_batch);
bf_err bf_cuda_getri_batch(bf_backend *be, const bf_batch *A, const bf_int *ipiv, bf_int *info, void *work)
{
  const cudaStream_t s = bf_cuda_of(be)->stream;
  BF_TRY(in_range(A));
  return batch_launch(be, A, info, work, [&](auto view) {
    return view.n <= BATCH_REGISTER_MAX ? getri_register(view, ipiv, info, s)
                                        : getri_dispatch(view, ipiv, info, after_lists(A, work), s);
  });
}

BF_CUDA_DECLARE(batch.inverse, inverse_batch);
bf_err bf_cuda_inverse_batch(bf_backend *be, const bf_batch *A, bf_int *info, void *work)
{
  const cudaStream_t s = bf_cuda_of(be)->stream;
  BF_TRY(in_range(A));
  return batch_launch(be, A, info, work, [&](auto view) {
    return view.n <= BATCH_REGISTER_MAX ? inverse_register(view, info, s)
                                        : inverse_dispatch(view, info, after_lists(A, work), s);
  });
}

BF_CUDA_DECLARE(batch.potrf, potrf_batch);
bf_err bf_cuda_potrf_batch(bf_backend *be, bf_uplo uplo, const bf_batch *A, bf_int *info, void *work)
{
  const cudaStream_t s = bf_cuda_of(be)->stream;
  BF_TRY(in_range(A));
  return batch_launch(be, A, info, work, [&](auto view) {
    return view.n <= BATCH_REGISTER_MAX ? potrf_register(view, uplo, info, s)
                                        : potrf_dispatch(view, uplo, info, s);
  });
}

BF_CUDA_DECLARE(batch.posv, posv_batch);
bf_err bf_cuda_posv_batch(bf_backend *be, bf_uplo uplo, const bf_batch *A, const bf_batch_rhs *B,
                          bf_int *info, void *work)
{
  BF_TRY(bf_cuda_potrf_batch(be, uplo, A, info, work));
  return batch_potrs(be, uplo, A, B, true, info, work);
}

/* left of matrices that converged is 0, of others at least 1. */
static __global__ void clear_left(const int *__restrict__ sizes, int n, int count,
                                  const int *__restrict__ info, int *__restrict__ left)
{
  const int b = (int)(blockIdx.x * blockDim.x + threadIdx.x);
  if (b >= count) return;
  const bool done = info[b] != (sizes ? sizes[b] : n) + 2;
  left[b]         = done ? 0 : left[b] > 0 ? left[b] : 1;
}

bf_err batch_clear_left(bf_backend *be, const bf_batch *A, const int *info, int *left)
{
  if (!left) return BF_OK;
  clear_left<<<(unsigned)((A->count - 1) / 256 + 1), 256, 0, bf_cuda_of(be)->stream>>>(A->sizes, A->n,
                                                                                       A->count, info, left);
  return BF_CUDA_LAUNCHED(be);
}

BF_CUDA_DECLARE(batch.heev, heev_batch);
bf_err bf_cuda_heev_batch(bf_backend *be, const bf_heev_how *how, const bf_batch *A, void *w, bf_int *info,
                          void *work)
{
  const cudaStream_t s = bf_cuda_of(be)->stream;
  BF_TRY(in_range(A));
  if (how->left) BF_TRY(BF_CUDA(cudaMemsetAsync(how->left, 0, (size_t)A->count * sizeof *how->left, s)));
  BF_TRY(batch_launch(be, A, info, work, [&](auto view) {
    using R         = real_t<std::remove_pointer_t<decltype(view.a)>>;
    void *workspace = after_lists(A, work);
    R    *values    = static_cast<R *>(w);
    return view.n <= BATCH_REGISTER_MAX
               ? heev_jacobi(view, *how, values, info, workspace, s)
               : heev_dispatch(view, how->uplo, how->vectors != 0, values, info, workspace, s);
  }));
  return batch_clear_left(be, A, info, how->left);
}

} // namespace bf
