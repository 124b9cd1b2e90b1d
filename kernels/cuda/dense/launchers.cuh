/* kernels/cuda/dense/launchers.cuh - host launchers of the kernel families, by range of orders; dispatch.cu
 * chooses among them
 *
 * A launcher takes a view whose orders are in its range (A.n is the largest) and queues kernels for all
 * members. It is instantiated for the four types where it is defined. The choice of a kernel inside a
 * family depends only on bucket_order(A.n): a matrix gets the same kernel alone and in a bucket. `work` is
 * shared by the buckets of a call, which run one after another.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_CUDA_DENSE_LAUNCHERS_CUH
#define BF_KERNELS_CUDA_DENSE_LAUNCHERS_CUH
#include "kernels/cuda/dense/batch_view.cuh"

namespace bf
{

enum { BATCH_REGISTER_MAX = 32, BATCH_MAX = 512 }; /* largest orders of the two ranges */

/* orders 17 .. 64, z from 9 on */
template <class T>
cudaError_t lu_warp(const batch_view<T> &A, int *ipiv, int *info, cudaStream_t s);
template <class T>
cudaError_t inverse_warp(const batch_view<T> &A, int *info, cudaStream_t s);

/* orders from 65 on */
template <class T>
inline constexpr int inverse_leading_max = is_complex<T> ? 72 : 80;
template <class T>
cudaError_t inverse_leading(const batch_view<T> &A, int *info, cudaStream_t s);

/* orders 1 .. 32 */
template <class T>
cudaError_t lu_register(const batch_view<T> &A, int *ipiv, int *info, cudaStream_t s);
template <class T>
cudaError_t inverse_register(const batch_view<T> &A, int *info, cudaStream_t s);
template <class T>
cudaError_t getri_register(const batch_view<T> &A, const int *ipiv, int *info, cudaStream_t s);
template <class T>
cudaError_t potrf_register(const batch_view<T> &A, bf_uplo uplo, int *info, cudaStream_t s);

/* jacobi_onesided.cuh; work: length of the list, then at HEEV_LIST_OFFSET the list */
template <class T>
cudaError_t heev_jacobi(const batch_view<T> &A, const bf_heev_how &how, real_t<T> *w, int *info, void *work,
                        cudaStream_t s);
enum { HEEV_LIST_OFFSET = 64 };
static inline size_t heev_list_bytes(int count)
{
  return ((size_t)count + HEEV_LIST_OFFSET) * sizeof(int);
}
template <class T>
size_t heev_jacobi_work(int n, int count);

/* dispatch.cu: left (or NULL) is set to 0 for matrices whose info is not n+2, to at least 1 for the
 * others */
bf_err batch_clear_left(bf_backend *be, const bf_batch *A, const int *info, int *left);

/* orders 33 .. 512; *_work: bytes for a batch of `count` */
template <class T>
size_t lu_dispatch_work(int n, int count); /* n: of the batch, largest of all buckets */
template <class T>
cudaError_t lu_dispatch(const batch_view<T> &A, int *ipiv, int *info, void *work, cudaStream_t s);
template <class T>
size_t inverse_dispatch_work(int n, int count);
template <class T>
cudaError_t inverse_dispatch(const batch_view<T> &A, int *info, void *work, cudaStream_t s);
template <class T>
size_t getri_dispatch_work(int n, int count);
template <class T>
cudaError_t getri_dispatch(const batch_view<T> &A, const int *ipiv, int *info, void *work, cudaStream_t s);
template <class T>
cudaError_t potrf_dispatch(const batch_view<T> &A, bf_uplo uplo, int *info, cudaStream_t s);

/* inverse_via_lu.cuh: orders above the largest one of Gauss-Jordan */
template <class T>
inline constexpr int inverse_gauss_jordan_max = sizeof(T) == 4   ? 256
                                                : sizeof(T) == 8 ? 192
                                                                 : 160;
template <class T>
size_t inverse_via_lu_work(int n, int count);
template <class T>
cudaError_t inverse_via_lu(const batch_view<T> &A, int *info, void *work, cudaStream_t s);

/* heev_shared.cuh */
template <class T>
cudaError_t heev_dispatch(const batch_view<T> &A, bf_uplo uplo, bool vectors, real_t<T> *w, int *info,
                          void *work, cudaStream_t s);
template <class T>
size_t heev_dispatch_work(int n, int count);

/* solve/getrs.cuh: right-hand sides with getrf's factors, not transposed, orders 33 .. getrs_max_order,
 * from GETRS_MIN_RHS columns on (orders to 48: GETRS_MIN_RHS_48) */
enum { GETRS_MIN_RHS = 8, GETRS_MIN_RHS_48 = 32 };
template <class T>
inline constexpr int getrs_max_order = sizeof(T) == 16 ? 256 : BATCH_MAX;
template <class T>
cudaError_t getrs_tiled(const batch_view<T> &A, const rhs_view<T> &B, const int *ipiv, int *info,
                        cudaStream_t s);

/* solve_dispatch.cu: potrs; use_info: info is the factorisation's; matrices with info != 0 are skipped */
bf_err batch_potrs(bf_backend *be, bf_uplo uplo, const bf_batch *A, const bf_batch_rhs *B, bool use_info,
                   int *info, void *work);
/* the same with one triangle of A; matrices with info != 0 are skipped */
bf_err batch_trsm(bf_backend *be, bf_uplo half, const bf_batch *A, const bf_batch_rhs *B, int *info,
                  void *work);

/* eigen/hegv.cu */
bf_err batch_hegv_work(bf_backend *be, const bf_batch *A, size_t *bytes);

} // namespace bf
#endif
