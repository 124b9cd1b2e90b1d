/* kernels/cuda/multigrid/tentative.cu - near-null space on aggregates: Gram matrices, combinations, T
 *
 * Computes   aggregates.h: gram, factor, tentative_rows, tentative; formulas in aggregate_node.h
 * Source     Vanek, Mandel, Brezina, Computing 56 (1996) 179, doi 10.1007/BF02238511
 * Layout     aggregates.h
 * Cost       the modes twice, nq^2 numbers of every aggregate a few times, T once.
 * Launch     a thread an entry: of a Gram matrix (its members in order), of M, of T.
 * Checked    tests/kernels/multigrid/t387_tentative.c
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cuda/multigrid/multigrid.cuh"

namespace bf
{

enum { THREADS = BF_MG_THREADS };

/* Thread (a, l, j), j <= l, owns two entries. */
static __global__ void __launch_bounds__(THREADS) gram_entries(bf_mg_basis B, double *gram)
{
  const int     nq = B.nq;
  const int64_t e  = bf_mg_item();
  if (e >= (int64_t)B.count * nq * nq) return;
  const int64_t a = e / (nq * nq);
  const int     l = (int)(e % (nq * nq)) / nq, j = (int)(e % nq);
  if (j > l) return;
  double      *g = gram + a * nq * nq;
  const double s = bf_mg_gram_entry(&B, (bf_int)a, j, l);
  g[l * nq + j]  = s;
  g[j * nq + l]  = s;
}

static __global__ void __launch_bounds__(THREADS)
    scaled_entries(int64_t count, int nq, const double *gram, double *scaled)
{
  const int64_t e = bf_mg_item();
  if (e >= count * nq * nq) return;
  scaled[e] = bf_mg_scaled(nq, gram + e / (nq * nq) * nq * nq, (int)(e % nq), (int)(e % (nq * nq)) / nq);
}

bf_err bf_cuda_mg_gram(bf_backend *be, const bf_mg_basis *B, double *gram, double *scaled)
{
  const cudaStream_t stream  = bf_cuda_of(be)->stream;
  const int64_t      entries = (int64_t)B->count * B->nq * B->nq;
  if (entries == 0) return BF_OK;
  gram_entries<<<bf_mg_grid(entries), THREADS, 0, stream>>>(*B, gram);
  BF_TRY(BF_CUDA_LAUNCHED(be));
  scaled_entries<<<bf_mg_grid(entries), THREADS, 0, stream>>>(B->count, B->nq, gram, scaled);
  return BF_CUDA_LAUNCHED(be);
}

/* Thread (a, e, j): entry (j, e) of M, mode j of the coarse unknown (a, e). */
static __global__ void __launch_bounds__(THREADS)
    combinations(int64_t count, int nq, const double *gram, const double *vectors, const double *values,
                 double *combine, double *modes, uint8_t *phantom)
{
  const int64_t t = bf_mg_item();
  if (t >= count * nq * nq) return;
  const int64_t a = t / (nq * nq), at = a * nq * nq, column = t / nq;
  const int     e = (int)(column % nq), j = (int)(t % nq);
  const double *g = gram + at, *V = vectors + at, *w = values + a * nq;
  combine[t]                       = bf_mg_combine(nq, g, V, w, j, e);
  modes[j * (count * nq) + column] = bf_mg_coarse_mode(nq, g, V, w, e, j);
  if (j == 0) phantom[column] = !(w[e] > BF_MG_RANK);
}

bf_err bf_cuda_mg_factor(bf_backend *be, const bf_mg_basis *B, const double *gram, const double *vectors,
                         const double *values, double *combine, double *modes, uint8_t *phantom)
{
  const int64_t entries = (int64_t)B->count * B->nq * B->nq;
  if (entries == 0) return BF_OK;
  combinations<<<bf_mg_grid(entries), THREADS, 0, bf_cuda_of(be)->stream>>>(B->count, B->nq, gram, vectors,
                                                                            values, combine, modes, phantom);
  return BF_CUDA_LAUNCHED(be);
}

static __global__ void __launch_bounds__(THREADS) count_own(bf_int n, const bf_int *aggregate, int64_t *ptr)
{
  const int64_t i = bf_mg_item();
  if (i < n) ptr[i + 1] = aggregate[i] >= 0;
}

bf_err bf_cuda_mg_tentative_rows(bf_backend *be, bf_int n, const bf_int *aggregate, int64_t *ptr,
                                 int64_t *nnz)
{
  if (n > 0) {
    count_own<<<bf_mg_grid(n), THREADS, 0, bf_cuda_of(be)->stream>>>(n, aggregate, ptr);
    BF_TRY(BF_CUDA_LAUNCHED(be));
  }
  return bf_cuda_row_sums(be, n, ptr, nnz);
}

/* Thread (i, e, c): entry (c, e) of the block of node i. */
static __global__ void __launch_bounds__(THREADS)
    blocks_of_nodes(bf_mg_basis B, const double *combine, const int64_t *ptr, bf_int *col, double *val)
{
  const int     nq = B.nq, D = B.ncomp;
  const int64_t t = bf_mg_item();
  if (t >= (int64_t)B.n * nq * D) return;
  const int64_t i = t / (nq * D);
  const int     e = (int)(t % (nq * D)) / D, c = (int)(t % D);
  const bf_int  a = B.aggregate[i];
  if (a < 0) return;
  const double *M   = combine + (int64_t)a * nq * nq;
  double        sum = 0.0;
  for (int j = 0; j < nq; j++) sum += bf_mg_mode(&B, j, i * D + c) * M[e * nq + j];
  val[(ptr[i] * nq + e) * D + c] = sum;
  if (e == 0 && c == 0) col[ptr[i]] = a;
}

bf_err bf_cuda_mg_tentative(bf_backend *be, const bf_mg_basis *B, const double *combine, bf_block_rows *T)
{
  const int64_t entries = (int64_t)B->n * B->nq * B->ncomp;
  if (entries == 0) return BF_OK;
  blocks_of_nodes<<<bf_mg_grid(entries), THREADS, 0, bf_cuda_of(be)->stream>>>(*B, combine, T->ptr, T->col,
                                                                               static_cast<double *>(T->val));
  return BF_CUDA_LAUNCHED(be);
}

} // namespace bf
