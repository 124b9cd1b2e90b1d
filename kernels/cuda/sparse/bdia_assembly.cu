/* kernels/cuda/sparse/bdia_assembly.cu - diagonal, constraints and element matrices of a bDIA matrix
 *
 * Computes   bdia_diagonal   d(r) = A(r, r)
 *            bdia_constrain  A(r, c) = 0 for r != c where r or c is fixed, in every stored slot
 *            bdia_scatter    A += element matrices
 *            The place of an entry is arithmetic: its diagonal is found in the segment's ascending list
 *            of offsets, its row is the slot.  Of a hybrid matrix it may be in the remainder.
 * Source     the definition; the distribution of the work is this project's.
 * Layout     matrix/matrix.h. One thread a scalar row: a warp writes neighbouring slots of a plane.
 * Cost       scatter reads Ke once (8 nd^2 bytes an element) and adds into each stored value once an
 *            incidence, in the L2 cache; constrain reads a byte a stored value.
 * Launch     256 threads, one scalar row each, no atomics: a row's sums have the order of its
 *            incidences.
 * Checked    tests/kernels/sparse/t312_constrain.c, t316_hybrid.c, t321_scatter.c against dense matrices.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cuda/device/launch_and_reduce.cuh"

namespace bf
{

enum { THREADS = 256 };

struct edit_args {
  int64_t            n; /* scalar rows */
  int                D, nseg, half;
  const bf_bdia_seg *segs;
  const bf_int      *off;
};

static edit_args edit_of(const bf_bdia *A)
{
  return {(int64_t)A->nrows * A->ncomp, A->ncomp, A->nseg, A->half, A->seg_be, A->off_be};
}

/* Thread r owns row r in all kernels of this file. */
template <typename T>
static __global__ void diagonal(edit_args g, const T *__restrict__ values, double *d)
{
  const int64_t r = (int64_t)blockIdx.x * THREADS + threadIdx.x;
  if (r >= g.n) return;
  const bf_int      node = (bf_int)(r / g.D);
  const bf_bdia_seg seg  = g.segs[bf_find_segment(g.segs, g.nseg, node)];
  const int         k = bf_find(g.off + seg.diag0, seg.ndiag, 0), a = (int)(r - (int64_t)node * g.D);
  d[r] = k < 0 ? 0.0
               : (double)values[seg.base + ((int64_t)k * g.D + a) * seg.ld + (r - (int64_t)seg.row0 * g.D)];
}

template <typename T>
static __global__ void constrain(edit_args g, const uint8_t *__restrict__ fixed, T *values)
{
  const int64_t r = (int64_t)blockIdx.x * THREADS + threadIdx.x;
  if (r >= g.n) return;
  const bf_int      node      = (bf_int)(r / g.D);
  const bf_bdia_seg seg       = g.segs[bf_find_segment(g.segs, g.nseg, node)];
  const bool        row_fixed = fixed[r] != 0;
  T                *v         = values + seg.base + (r - (int64_t)seg.row0 * g.D);
  for (int k = 0; k < seg.ndiag; k++) {
    const int64_t c0 = ((int64_t)node + __ldg(g.off + seg.diag0 + k)) * g.D;
    for (int b = 0; b < g.D; b++, v += seg.ld) {
      const int64_t c = c0 + b;
      if (c < 0 || c >= g.n || c == r) continue;
      if (row_fixed || fixed[c]) *v = (T)0;
    }
  }
}

struct rest_args { /* nlist 0: no remainder */
  int            nlist;
  const bf_int  *row, *col;
  const int64_t *ptr;
  double        *val;
};

/* Where row r of the remainder begins, and how long it is; 0 if it is not listed. */
static __device__ __forceinline__ int rest_row(const rest_args &R, int64_t r, int64_t *begin)
{
  const int k = R.nlist > 0 ? bf_find(R.row, R.nlist, (bf_int)r) : -1;
  if (k < 0) return 0;
  *begin = R.ptr[k];
  return (int)(R.ptr[k + 1] - R.ptr[k]);
}

/* Entries outside all bands go to the remainder; with half storage also those left of the diagonal whose
 * transposed entry does. */
static __global__ void __launch_bounds__(THREADS)
    scatter(edit_args g, rest_args R, const bf_int *__restrict__ ptr, const bf_int *__restrict__ item,
            int nen, const bf_int *__restrict__ conn, const double *__restrict__ Ke, double *values,
            int *violation)
{
  const int64_t r = (int64_t)blockIdx.x * THREADS + threadIdx.x;
  if (r >= g.n) return;
  const bf_int      node = (bf_int)(r / g.D);
  const int         ca = (int)(r - (int64_t)node * g.D), nd = nen * g.D;
  const bf_bdia_seg seg   = g.segs[bf_find_segment(g.segs, g.nseg, node)];
  const bf_int     *off   = g.off + seg.diag0;
  double           *v     = values + seg.base + (r - (int64_t)seg.row0 * g.D);
  int64_t           rest0 = 0;
  const int         nrest = rest_row(R, r, &rest0);
  for (bf_int t = ptr[node]; t < ptr[node + 1]; t++) {
    const bf_int  e = item[t] / nen, a = item[t] - e * nen;
    const bf_int *c = conn + (int64_t)e * nen;
    const double *K = Ke + ((int64_t)e * nd + a * g.D + ca) * nd;
    for (int j = 0; j < nen; j++) {
      const bf_int o        = c[j] - node;
      const bool   mirrored = g.half && o < 0;
      const int    k        = mirrored ? -1 : bf_find(off, seg.ndiag, o);
      if (k < 0) {
        const int q = nrest > 0 ? bf_find(R.col + rest0, nrest, c[j] * g.D) : -1;
        if (q < 0 && !mirrored) *violation = 1;
        for (int b = 0; b < g.D && q >= 0; b++) R.val[rest0 + q + b] += K[j * g.D + b];
        continue;
      }
      for (int b = 0; b < g.D; b++) v[((int64_t)k * g.D + b) * seg.ld] += K[j * g.D + b];
    }
  }
}

extern "C" bf_part_diagonal bf_cuda_bdia_diagonal;
bf_err                      bf_cuda_bdia_diagonal(bf_backend *be, const bf_matrix *M, double *d)
{
  const bf_bdia *A = M->bdia;
  if (A->nrows == 0) return BF_OK;
  const edit_args    g      = edit_of(A);
  const cudaStream_t stream = bf_cuda_of(be)->stream;
  const unsigned     blocks = bf_cuda_blocks(g.n, THREADS);
  bf_cuda_with_values(A->values, A->prec,
                      [&](auto *v) { diagonal<<<blocks, THREADS, 0, stream>>>(g, v, d); });
  return BF_CUDA_LAUNCHED(be);
}

extern "C" bf_part_constrain bf_cuda_bdia_constrain;
bf_err                       bf_cuda_bdia_constrain(bf_backend *be, bf_matrix *M, const uint8_t *fixed)
{
  bf_bdia *A = M->bdia;
  if (A->nrows == 0) return BF_OK;
  const edit_args    g      = edit_of(A);
  const cudaStream_t stream = bf_cuda_of(be)->stream;
  const unsigned     blocks = bf_cuda_blocks(g.n, THREADS);
  bf_cuda_with_values(A->values, A->prec,
                      [&](auto *v) { constrain<<<blocks, THREADS, 0, stream>>>(g, fixed, v); });
  return BF_CUDA_LAUNCHED(be);
}

extern "C" bf_part_scatter bf_cuda_bdia_scatter;
bf_err bf_cuda_bdia_scatter(bf_backend *be, bf_matrix *M, const bf_int *ptr, const bf_int *item, int nen,
                            const bf_int *conn, const double *Ke)
{
  bf_bdia *A = M->bdia;
  bf_rest *R = M->rest;
  BF_CHECK(A->prec == BF_FP64, BF_E_ARG, "scatter needs fp64 values");
  BF_CHECK(nen > 0, BF_E_ARG, "scatter: elements of %d nodes", nen);
  if (A->nrows == 0) return BF_OK;
  bf_cuda        *cu = bf_cuda_of(be);
  const edit_args g  = edit_of(A);
  rest_args       r  = {};
  if (R) r = {R->nlist, R->row, R->col, R->ptr, static_cast<double *>(R->val)};
  cu->watch = true;
  scatter<<<bf_cuda_blocks(g.n, THREADS), THREADS, 0, cu->stream>>>(
      g, r, ptr, item, nen, conn, Ke, static_cast<double *>(A->values), cu->violation);
  return BF_CUDA_LAUNCHED(be);
}

} // namespace bf
