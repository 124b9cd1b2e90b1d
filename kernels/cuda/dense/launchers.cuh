/* kernels/cuda/dense/launchers.cuh - host launchers of the kernel families, by range of orders: what
 * dispatch.cu chooses from
 *
 * Each takes a view whose order is in its range (A.n is the largest order in it; smaller ones may be among
 * its members) and queues kernels for all members; instantiated for all four types where it is defined.  The
 * choice of a kernel inside a family depends on the order through batch_edge(A.n) only, so that a matrix
 * meets the same kernel alone and in a bucket.  `work` is shared by the buckets of a call, which run one
 * after another.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_CUDA_DENSE_LAUNCHERS_CUH
#define BF_KERNELS_CUDA_DENSE_LAUNCHERS_CUH
#include "kernels/cuda/dense/batch_view.cuh"

namespace bf
{

enum { BATCH_REGISTER_MAX = 32, BATCH_MAX = 512 }; /* the last orders of the ranges */

/* orders 17 .. 64, z from 9 on: where the families below send them */
template <class T>
cudaError_t lu_warp(const batch_view<T> &A, int *ipiv, int *info, cudaStream_t s);
template <class T>
cudaError_t inverse_warp(const batch_view<T> &A, int *info, cudaStream_t s);

/* orders from 65 on, likewise */
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

/* jacobi_onesided.cuh; work: how many matrices are listed, then behind a head the list */
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

/* dispatch.cu: left, where there is one, is 0 of matrices whose info is not n+2, at least 1 of the others
 */
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

/* inverse_via_lu.cuh: of those, orders beyond the last one of Gauss-Jordan */
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

/* solve/getrs.cuh: right-hand sides with getrf's factors, not transposed, orders 33 .. getrs_most, where
 * there are several; of orders to 48 many */
enum { GETRS_MIN_RHS = 8, GETRS_MIN_RHS_48 = 32 };
template <class T>
inline constexpr int getrs_max_order = sizeof(T) == 16 ? 256 : BATCH_MAX;
template <class T>
cudaError_t getrs_tiled(const batch_view<T> &A, const rhs_view<T> &B, const int *ipiv, int *info,
                        cudaStream_t s);

/* solve_dispatch.cu: potrs; judged: info is the factorisation's, and where it is not 0 nothing is done */
bf_err batch_potrs(bf_backend *be, bf_uplo uplo, const bf_batch *A, const bf_batch_rhs *B, bool use_info,
                   int *info, void *work);
/* the same with one triangle as it stands; judged */
bf_err batch_trsm(bf_backend *be, bf_uplo half, const bf_batch *A, const bf_batch_rhs *B, int *info,
                  void *work);

/* eigen/hegv.cu */
bf_err batch_hegv_work(bf_backend *be, const bf_batch *A, size_t *bytes);

} // namespace bf
#endif
