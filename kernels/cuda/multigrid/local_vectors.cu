/* kernels/cuda/multigrid/local_vectors.cu - vectors of aggregates: their number, their values, the tentative
 * prolongator and the near-null space of the next level
 *
 * Computes   local_problem.h: choose, scale_vectors, count_modes, combine_modes, row_counts, rows, modes
 * Source     Brezina, Vassilevski, LNCS 7116 (2012) 3, doi 10.1007/978-3-642-29843-1_1
 * Layout     local_problem.h
 * Cost       the vectors once, modes: for each vector and mode the own unknowns of the aggregate.
 * Launch     a thread an aggregate for what is an integer; a block of 128 threads an aggregate, or 8 lanes a
 *            row, for values.
 * Checked    tests/kernels/multigrid/t388_local_problem.c
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cuda/multigrid/local.cuh"

namespace bf
{

enum { THREADS = BF_MG_THREADS, OF_AGGREGATE = 128, LANES = 8 };

static __global__ void __launch_bounds__(THREADS)
    count_below(bf_local_batch C, double tau, bf_int most, int multiple, bf_int *k)
{
  const int64_t b = bf_mg_item();
  if (b >= C.many) return;
  const bf_int m = C.sizes[b];
  k[C.which[b]]  = m == 0 || C.info[b] != 0 ? 0 : bf_local_below(m, C.w + b * C.lds, tau, most, multiple);
}

bf_err bf_cuda_local_choose(bf_backend *be, const bf_local_batch *C, double tau, bf_int most, int multiple,
                            bf_int *k)
{
  if (C->many == 0) return BF_OK;
  count_below<<<bf_mg_grid(C->many), THREADS, 0, bf_cuda_of(be)->stream>>>(*C, tau, most, multiple, k);
  return BF_CUDA_LAUNCHED(be);
}

static __global__ void __launch_bounds__(OF_AGGREGATE)
    scale_eigenvectors(bf_local_batch C, const double *root, const int64_t *uptr, const bf_int *unknown,
                       const bf_int *k, double *const *z)
{
  const bf_int  a = C.which[blockIdx.x], m = (bf_int)(uptr[a + 1] - uptr[a]);
  const double *V = C.s + (int64_t)blockIdx.x * C.lds * C.lds;
  for (int t = (int)threadIdx.x; t < k[a] * m; t += OF_AGGREGATE)
    z[a][t] = V[(int64_t)(t / m) * C.lds + t % m] * root[unknown[uptr[a] + t % m]];
}

bf_err bf_cuda_local_scale_vectors(bf_backend *be, const bf_local_body *B, const bf_local_lists *L,
                                   const bf_local_batch *C, const bf_int *k, double *const *z)
{
  if (C->many == 0) return BF_OK;
  scale_eigenvectors<<<(unsigned)C->many, OF_AGGREGATE, 0, bf_cuda_of(be)->stream>>>(*C, B->root, L->uptr,
                                                                                     L->unknown, k, z);
  return BF_CUDA_LAUNCHED(be);
}

static __global__ void __launch_bounds__(THREADS)
    count_combinations(bf_int count, bf_local_modes M, const uint8_t *by_modes, bf_int *k)
{
  const int64_t a = bf_mg_item();
  if (a >= count || !by_modes[a]) return;
  bf_int found = 0;
  for (int e = 0; e < M.nq; e++) found += !M.phantom[a * M.nq + e];
  k[a] = found;
}

bf_err bf_cuda_local_count_modes(bf_backend *be, bf_int count, const bf_local_modes *M,
                                 const uint8_t *by_modes, bf_int *k)
{
  if (count == 0) return BF_OK;
  count_combinations<<<bf_mg_grid(count), THREADS, 0, bf_cuda_of(be)->stream>>>(count, *M, by_modes, k);
  return BF_CUDA_LAUNCHED(be);
}

static __global__ void __launch_bounds__(OF_AGGREGATE)
    combine_modes_of(bf_int unknowns, const int64_t *uptr, const bf_int *unknown, bf_local_modes M,
                     const uint8_t *by_modes, double *const *z)
{
  const bf_int a = (bf_int)blockIdx.x, m = (bf_int)(uptr[a + 1] - uptr[a]);
  if (!by_modes[a]) return;
  bf_int e = 0;
  for (int c = 0; c < M.nq; c++) {
    if (M.phantom[(int64_t)a * M.nq + c]) continue;
    for (bf_int r = (bf_int)threadIdx.x; r < m; r += OF_AGGREGATE)
      z[a][(int64_t)e * m + r] = bf_local_combined(&M, unknowns, a, c, unknown[uptr[a] + r]);
    e++;
  }
}

bf_err bf_cuda_local_combine_modes(bf_backend *be, const bf_local_body *B, const bf_local_lists *L,
                                   const bf_local_modes *M, const uint8_t *by_modes, double *const *z)
{
  if (B->count == 0) return BF_OK;
  combine_modes_of<<<(unsigned)B->count, OF_AGGREGATE, 0, bf_cuda_of(be)->stream>>>(
      B->unknowns, L->uptr, L->unknown, *M, by_modes, z);
  return BF_CUDA_LAUNCHED(be);
}

/* ---- tentative prolongator ---- */

static __global__ void __launch_bounds__(THREADS)
    count_rows(bf_int rows, int D, int bc, const bf_int *owner, const bf_int *first, int64_t *ptr)
{
  const int64_t r = bf_mg_item();
  if (r >= rows) return;
  const bf_int a = owner[r * D];
  ptr[r + 1]     = a < 0 ? 0 : (first[a + 1] - first[a]) / bc;
}

bf_err bf_cuda_local_row_counts(bf_backend *be, bf_int rows, int D, int bc, const bf_int *owner,
                                const bf_int *first, int64_t *ptr, int64_t *nnz)
{
  if (rows > 0) {
    count_rows<<<bf_mg_grid(rows), THREADS, 0, bf_cuda_of(be)->stream>>>(rows, D, bc, owner, first, ptr);
    BF_TRY(BF_CUDA_LAUNCHED(be));
  }
  return bf_cuda_row_sums(be, rows, ptr, nnz);
}

static __global__ void __launch_bounds__(THREADS)
    fill_rows(bf_int rows, int D, int bc, const bf_int *owner, const bf_int *slot, const int64_t *uptr,
              bf_local_vectors V, const int64_t *ptr, bf_int *col, double *val)
{
  const int64_t r = bf_mg_item(LANES);
  if (r >= rows) return;
  const bf_int a = owner[r * D];
  if (a < 0) return;
  const int64_t p0   = ptr[r];
  const int     size = (int)(ptr[r + 1] - p0), lane = (int)threadIdx.x % LANES;
  for (int k = lane; k < size; k += LANES) col[p0 + k] = V.first[a] / bc + k;
  for (int t = lane; t < size * bc * D; t += LANES)
    val[p0 * bc * D + t] = bf_local_entry(&V, uptr, a, t / D, slot[r * D + t % D]);
}

bf_err bf_cuda_local_rows(bf_backend *be, const bf_local_lists *L, const bf_local_vectors *V,
                          bf_block_rows *T)
{
  const bf_int rows = T->form.nrows;
  if (rows == 0) return BF_OK;
  fill_rows<<<bf_mg_grid(rows, LANES), THREADS, 0, bf_cuda_of(be)->stream>>>(
      rows, T->form.br, T->form.bc, L->owner, L->slot, L->uptr, *V, T->ptr, T->col,
      static_cast<double *>(T->val));
  return BF_CUDA_LAUNCHED(be);
}

static __global__ void __launch_bounds__(THREADS)
    flag_padding(bf_int count, bf_local_vectors V, uint8_t *flag)
{
  const int64_t a = bf_mg_item();
  if (a >= count) return;
  for (bf_int c = V.first[a]; c < V.first[a + 1]; c++) flag[c] = c >= V.first[a] + V.k[a];
}

bf_err bf_cuda_local_padding(bf_backend *be, bf_int count, const bf_local_vectors *V, uint8_t *flag)
{
  if (count == 0) return BF_OK;
  flag_padding<<<bf_mg_grid(count), THREADS, 0, bf_cuda_of(be)->stream>>>(count, *V, flag);
  return BF_CUDA_LAUNCHED(be);
}

/* A thread a vector and mode of the aggregate. */
static __global__ void __launch_bounds__(OF_AGGREGATE)
    coarse_modes(bf_int unknowns, const double *diagonal, const int64_t *uptr, const bf_int *unknown,
                 bf_local_vectors V, int nq, const double *modes, int64_t nc, double *coarse)
{
  const bf_int a = (bf_int)blockIdx.x, m = (bf_int)(uptr[a + 1] - uptr[a]), k = V.k[a];
  for (int t = (int)threadIdx.x; t < k * nq; t += OF_AGGREGATE) {
    const int e = t % k, j = t / k;
    coarse[j * nc + V.first[a] + e] = bf_local_weighted(m, unknown + uptr[a], V.z[a] + (int64_t)e * m,
                                                        diagonal, modes + (int64_t)j * unknowns);
  }
}

bf_err bf_cuda_local_modes(bf_backend *be, const bf_local_body *B, const bf_local_lists *L,
                           const bf_local_vectors *V, int nq, const double *modes, bf_int nc, double *coarse)
{
  BF_TRY(be->ops.zero(be, coarse, (size_t)nq * (size_t)nc * sizeof *coarse));
  if (B->count == 0) return BF_OK;
  coarse_modes<<<(unsigned)B->count, OF_AGGREGATE, 0, bf_cuda_of(be)->stream>>>(
      B->unknowns, B->diagonal, L->uptr, L->unknown, *V, nq, modes, nc, coarse);
  return BF_CUDA_LAUNCHED(be);
}

} // namespace bf
