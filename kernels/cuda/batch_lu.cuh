/* kernels/cuda/batch_lu.cuh - what kernels that factor a matrix of 65 and more rows in shared memory begin
 * with: its room there, and columns on their way to rows of a panel
 */
#ifndef BF_BATCH_LU_CUH
#define BF_BATCH_LU_CUH
#include "kernels/cuda/batch.cuh"
#include "kernels/cuda/batch_tile.cuh"
#include "kernels/cuda/bulk.cuh"

/* Bytes of shared memory, from 0: each piece a multiple of 16 bytes. */
struct lu_room {
  int                     bytes = 0;
  __host__ __device__ int take(int size)
  {
    const int at = bytes;
    bytes += (size + 15) / 16 * 16;
    return at;
  }
};

/* nb columns from a, m rows of each, into rows of S, by threads tid, tid + threads .. */
template <class T>
static __device__ __forceinline__ void lu_stage(T *S, const T *a, int64_t ld, int m, int nb, int tid,
                                                int threads)
{
  for (int r = tid; r < m; r += threads) {
    const T *from = a + r;
    T       *to   = S + r * lu_pitch<T>;
    if (nb == LU_NB) {
#pragma unroll
      for (int c = 0; c < LU_NB; c++, from += ld) bf_copy_parts<(int)sizeof(real_t<T>)>(to + c, from);
    } else
      for (int c = 0; c < nb; c++, from += ld) bf_copy_parts<(int)sizeof(real_t<T>)>(to + c, from);
  }
}
#endif
