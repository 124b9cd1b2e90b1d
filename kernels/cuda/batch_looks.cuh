/* kernels/cuda/batch_looks.cuh - small matrices are looked at: those that are diagonal or not finite are done
 * with, the others listed; kernels that begin before the one in front of them ends
 *
 * Layout     N lanes have a matrix, a row each.
 */
#ifndef BF_BATCH_LOOKS_CUH
#define BF_BATCH_LOOKS_CUH
#include "kernels/cuda/batch_columns.cuh"

/* Row i of a matrix, which lane i of N has looked at: its entry on the diagonal; of all of them: is an entry
 * not finite, one off the diagonal not 0. */
template <class R>
struct jacobi_row {
  R    d;
  bool broken, dense;
};

/* AHEAD entries of a row are on their way at once. */
template <int N, bool ALONE, class T>
BF_JACOBI jacobi_row<real_t<T>> survey(const jacobi_matrix<T> &M, int ld, bool upper, int lane)
{
  constexpr int MOST      = ALONE && std::is_same_v<T, double> ? N
                            : sizeof(T) == 16                  ? 8
                                                               : 16,
                AHEAD     = N < MOST ? N : MOST;
  const int             n = M.n, i = lane % N;
  const unsigned        mask = N == 32 ? ~0u : ((1u << (N % 32)) - 1u) << (lane - i);
  jacobi_row<real_t<T>> row  = {0, false, false};
#pragma unroll
  for (int j0 = 0; j0 < N; j0 += AHEAD) {
    T x[AHEAD];
#pragma unroll
    for (int u = 0; u < AHEAD; u++) {
      const int j = j0 + u;
      x[u]        = i < n && j < n && (upper ? i <= j : i >= j) ? M.a[(int64_t)j * ld + i] : from_real<T>(0);
    }
#pragma unroll
    for (int u = 0; u < AHEAD; u++) {
      const bool mine = i == j0 + u;
      if (mine) x[u] = from_real<T>(row.d = real_part(x[u]));
      row.broken |= !is_finite(x[u]);
      row.dense |= !mine && !(abs1(x[u]) == 0);
    }
  }
  row.broken = __any_sync(mask, row.broken);
  row.dense  = __any_sync(mask, row.dense) && !row.broken;
  return row;
}

/* What is not to be decomposed, of the matrices of a warp: a diagonal one is sorted, one that is not finite
 * fails. */
template <int N, class T>
BF_JACOBI void settle(const batch_view<T> &A, const jacobi_matrix<T> &M, const jacobi_row<real_t<T>> &row,
                      bool vectors, int lane, real_t<T> *__restrict__ w, int *__restrict__ info)
{
  using R     = real_t<T>;
  const int n = M.n, i = lane % N, first = lane - i;
  int       place = 0;
  if (!__any_sync(~0u, n > 0 && !row.dense)) return;
#pragma unroll
  for (int j = 0; j < N; j++) {
    const R other = __shfl_sync(~0u, row.d, first + j);
    if (j < n) place += other < row.d || (other == row.d && j < i);
  }
  const R nan = R(nanf(""));
  if (i >= n || row.dense) return;
  w[(int64_t)M.b * A.pitch + (row.broken ? i : place)] = row.broken ? nan : row.d;
  if (i == 0) info[M.b] = row.broken ? n + 1 : 0;
#pragma unroll 4
  for (int c = 0; c < n && vectors; c++)
    M.a[(int64_t)c * A.ld + i] = from_real<T>(row.broken ? nan : R(place == c));
}

/* Of numbers k, one a group of N lanes, those that are taken: to `list`, of which *live is the length so far.
 */
template <int N>
BF_JACOBI void enlist(int k, bool take, int lane, int *live, int *list)
{
  const unsigned takes = __ballot_sync(~0u, lane % N == 0 && take);
  int            at    = 0;
  if (lane == 0 && takes != 0) at = atomicAdd(live, __popc(takes));
  at = __shfl_sync(~0u, at, 0) + __popc(takes & ((1u << lane) - 1u));
  if (lane % N == 0 && take) list[at] = k;
}

/* The next kernel's blocks may come; what is in front of this kernel is done. */
BF_JACOBI void jacobi_let()
{
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
  cudaTriggerProgrammaticLaunchCompletion();
#endif
}
BF_JACOBI void jacobi_wait()
{
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
  cudaGridDependencySynchronize();
#endif
}

/* The length of a list to come; the pass may look at matrices meanwhile. */
static __global__ void jacobi_zero(int *live)
{
  jacobi_let();
  *live = 0;
}

/* A kernel whose blocks may come before the one in front of it ends, for which they wait. */
template <class... Kernel, class... Given>
static cudaError_t jacobi_follow(void (*kernel)(Kernel...), unsigned blocks, unsigned threads, size_t shared,
                                 cudaStream_t s, Given... given)
{
  cudaLaunchAttribute early                        = {};
  early.id                                         = cudaLaunchAttributeProgrammaticStreamSerialization;
  early.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config                        = {};
  config.gridDim                                   = dim3(blocks);
  config.blockDim                                  = dim3(threads);
  config.dynamicSmemBytes                          = shared;
  config.stream                                    = s;
  config.attrs                                     = &early;
  config.numAttrs                                  = 1;
  return cudaLaunchKernelEx(&config, kernel, static_cast<Kernel>(given)...);
}

#endif
