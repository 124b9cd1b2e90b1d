/* kernels/cuda/krylov/persistent.cuh - persistent Krylov kernels: matrix resident on chip; common parts of
 * CG and BiCGStab
 *
 * Computes   the product of the block's rows with a window of a vector.
 * Source     Zhang et al., PERKS, ICS 2023.
 * Layout     one block per multiprocessor for many iterations. It owns `rows` consecutive scalar rows and
 *            holds their entries, expanded from full or half storage to whole rows, in registers and shared
 *            memory; global memory is accessed at the start and the end only. A row is processed by `split`
 *            threads, each with `per` consecutive entries, the first REGISTERS of them in registers.
 *            Operand vectors are stored as windows: the block's rows and `reach` entries on both sides,
 *            which the neighbours send as flagged values.
 * Cost       product: shared memory only, 8 bytes of the window and 4 of the offset table per entry, and
 *            the entry if it is not in registers.
 * Checked    tests/kernels/krylov/t344_fused_cg.c, t346_fused_bicgstab.c.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_CUDA_KRYLOV_PERSISTENT_CUH
#define BF_KERNELS_CUDA_KRYLOV_PERSISTENT_CUH
#include "kernels/cuda/device/grid_reduce_flagged.cuh"
extern "C" {
#include "kernels/krylov/steps.h"
}

namespace bf
{

enum { SUM_SLOTS = 8192 }; /* slots of sums, followed by those of rows */

/* Entries of a thread in registers: 512 threads have 128 registers each, 1024 have 64. */
static inline __host__ __device__ constexpr int persistent_registers(int threads)
{
  return threads == 512 ? 32 : 8;
}

struct persistent_args {
  int64_t             n; /* scalar rows */
  int                 D, half, ndiag;
  int                 rows, padded; /* of a block; a multiple of 32 */
  int                 reach;        /* scalar entries of a window on either side */
  int                 entries, per, split;
  int                 threads; /* 512 or 1024 */
  int                 count;   /* iterations */
  int64_t             ld;
  const bf_int       *off; /* backend [ndiag] */
  const void         *values;
  bf_flagged         *reduce_slots; /* SUM_SLOTS for sums, then 2 n for rows */
  unsigned long long *sequence;
};

/* Shared memory: `windows` vectors, the partial sums of split rows, the offset table, the entries */
static inline __host__ __device__ int window_length(const persistent_args &g)
{
  return (g.rows + 2 * g.reach + 1) & ~1;
}

/* Entry k of whole row i, 0 outside the matrix */
template <typename T>
static __device__ __forceinline__ T matrix_entry(const persistent_args &g, int64_t i, int k)
{
  const T *v = static_cast<const T *>(g.values);
  if (i >= g.n || k >= g.entries) return (T)0;
  const int d = k / g.D - (g.half ? g.ndiag - 1 : 0), b = k % g.D;
  if (d >= 0) return v[(int64_t)(d * g.D + b) * g.ld + i];
  const int64_t node = i / g.D - g.off[-d];
  return node < 0 ? (T)0 : v[(int64_t)(-d * g.D + (int)(i % g.D)) * g.ld + node * g.D + b];
}

/* The block's part of the matrix. Thread t has entries per*s .. of row r, s = t / padded, r = t %
 * padded. */
template <typename T, int THREADS>
struct persistent_matrix {
  static constexpr int REGISTERS = persistent_registers(THREADS);
  T                    in_registers[REGISTERS];
  T                   *in_shared; /* shared [split][max(per - REGISTERS, 0)][padded] */
  int    *table; /* shared [split * per]: position in the window, relative to the first row of the node */
  double *sums;  /* shared [split][padded] */
  int     s, r, first;

  __device__ __forceinline__ void load(const persistent_args &g, double *shared, int64_t row0)
  {
    sums      = shared;
    table     = reinterpret_cast<int *>(sums + g.split * g.padded);
    in_shared = reinterpret_cast<T *>(table + g.split * g.per);
    s         = (int)threadIdx.x / g.padded;
    r         = (int)threadIdx.x % g.padded;
    first     = r < g.rows ? r / g.D * g.D : 0; /* padding rows stay inside the window */
    for (int k = (int)threadIdx.x; k < g.split * g.per; k += THREADS) {
      const int d = k / g.D - (g.half ? g.ndiag - 1 : 0);
      table[k]    = k >= g.entries ? 0 : g.reach + (d < 0 ? -g.off[-d] : g.off[d]) * g.D + k % g.D;
    }
    const int64_t i = r < g.rows && s < g.split ? row0 + r : g.n;
#pragma unroll
    for (int j = 0; j < REGISTERS; j++)
      in_registers[j] = j < g.per ? matrix_entry<T>(g, i, s * g.per + j) : (T)0;
    if (s < g.split)
      for (int j = REGISTERS; j < g.per; j++)
        in_shared[(size_t)(s * (g.per - REGISTERS) + j - REGISTERS) * g.padded + r] =
            matrix_entry<T>(g, i, s * g.per + j);
  }

  /* sums = partial sums of the rows of A times the window; between barriers */
  __device__ __forceinline__ void multiply(const persistent_args &g, const double *window)
  {
    if (s >= g.split) return;
    const int4   *o    = reinterpret_cast<const int4 *>(table + s * g.per);
    const double *x    = window + first;
    double        y[4] = {0.0, 0.0, 0.0, 0.0};
#pragma unroll
    for (int j = 0; j < REGISTERS; j += 4, o++) {
      if (j >= g.per) break;
      y[0] += (double)in_registers[j] * x[o->x];
      y[1] += (double)in_registers[j + 1] * x[o->y];
      y[2] += (double)in_registers[j + 2] * x[o->z];
      y[3] += (double)in_registers[j + 3] * x[o->w];
    }
    const T  *v    = in_shared + (size_t)s * (g.per - REGISTERS) * g.padded + r;
    const int next = g.padded;
#pragma unroll 2
    for (int j = REGISTERS; j < g.per; j += 4, o++, v += 4 * next) {
      y[0] += (double)v[0] * x[o->x];
      y[1] += (double)v[next] * x[o->y];
      y[2] += (double)v[2 * next] * x[o->z];
      y[3] += (double)v[3 * next] * x[o->w];
    }
    sums[s * g.padded + r] = (y[0] + y[1]) + (y[2] + y[3]);
  }

  /* y = A window of row t, for t < rows, after multiply and a barrier */
  __device__ __forceinline__ double row(const persistent_args &g) const
  {
    double y = 0.0;
    for (int j = 0; j < g.split; j++) y += sums[j * g.padded + threadIdx.x];
    return y;
  }
};

/* Entry e of a window's two sides: its position in the window, and its row of the matrix or -1 */
static __device__ __forceinline__ int64_t window_side(const persistent_args &g, int64_t row0, int e,
                                                      int *position)
{
  *position       = e < g.reach ? e : e + g.rows;
  const int64_t i = row0 - g.reach + *position;
  return i < g.n ? i : -1; /* negative at the start */
}

/* Loads a window's two sides from their owners' slots, in reverse, since the first warps arrive late. */
static __device__ __forceinline__ void load_window_sides(const persistent_args &g, int64_t row0,
                                                         const bf_flagged *rows, unsigned long long sequence,
                                                         double *window, int thread, int threads)
{
  for (int e = threads - 1 - thread; e < 2 * g.reach; e += threads) {
    int           position;
    const int64_t row = window_side(g, row0, e, &position);
    if (row >= 0) window[position] = load_flagged(rows + row, sequence);
  }
}

/* Queues `count` iterations, or leaves *done = 0 if the matrix does not fit. */
bf_err bf_cuda_cg_persistent(bf_backend *be, const bf_matrix *A, const bf_cg_work *w, int count, int *done);
bf_err bf_cuda_bicgstab_persistent(bf_backend *be, const bf_matrix *A, const bf_bicgstab_work *w, int count,
                                   int *done);

/* Kernels with parameters (persistent_args, *work), for fp32 and fp64 values, without and with Jacobi,
 * of 512 and 1024 threads; `windows`: number of windows in shared memory */
typedef const void *persistent_kernels[2][2][2];
bf_err              bf_cuda_persistent_run(bf_backend *be, const bf_matrix *A, int windows,
                                           const persistent_kernels kernels, bool jacobi, int count, void *work,
                                           int *done);

} // namespace bf
#endif
