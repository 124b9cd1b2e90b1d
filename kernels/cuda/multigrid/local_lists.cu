/* kernels/cuda/multigrid/local_lists.cu - local problems of aggregates: lists, patterns, their table
 *
 * Computes   local_problem.h: what belongs to nodes, unknowns and aggregates; formulas in local_node.h
 * Source     Brezina, Vassilevski, LNCS 7116 (2012) 3, doi 10.1007/978-3-642-29843-1_1
 * Layout     local_problem.h
 * Cost       the lists once; places and mixed: the nodes of an aggregate twice.
 * Launch     a thread a node, an aggregate, an element or a number.
 * Checked    tests/kernels/multigrid/t388_local_problem.c
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cuda/multigrid/local.cuh"

namespace bf
{

enum { THREADS = BF_MG_THREADS };

static __global__ void __launch_bounds__(THREADS)
    unknowns_of_nodes(bf_local_body B, bf_int *owner, bf_int *rank, bf_int *own)
{
  const int64_t i = bf_mg_item();
  if (i < B.n) bf_local_unknowns_of(&B, (bf_int)i, owner, rank, own);
}

static bf_err unknowns(bf_backend *be, const bf_local_body *B, bf_int *owner, bf_int *rank, bf_int *own)
{
  if (B->n == 0) return BF_OK;
  unknowns_of_nodes<<<bf_mg_grid(B->n), THREADS, 0, bf_cuda_of(be)->stream>>>(*B, owner, rank, own);
  return BF_CUDA_LAUNCHED(be);
}

/* Thread q of the list looks for its aggregate. */
static __global__ void __launch_bounds__(THREADS)
    slots_of_unknowns(bf_int unknowns, bf_int count, const int64_t *uptr, const bf_int *unknown, bf_int *slot)
{
  const int64_t q = bf_mg_item();
  if (q >= unknowns || q >= uptr[count]) return;
  bf_int lo = 0, hi = count; /* uptr[lo] <= q < uptr[hi] */
  while (hi - lo > 1) {
    const bf_int mid = lo + (hi - lo) / 2;
    if (uptr[mid] <= q)
      lo = mid;
    else
      hi = mid;
  }
  slot[unknown[q]] = (bf_int)(q - uptr[lo]);
}

static bf_err slots(bf_backend *be, bf_int unknowns, bf_int count, const int64_t *uptr, const bf_int *unknown,
                    bf_int *slot)
{
  const cudaStream_t stream = bf_cuda_of(be)->stream;
  BF_TRY(BF_CUDA(cudaMemsetAsync(slot, 0xff, (size_t)unknowns * sizeof *slot, stream)));
  if (unknowns == 0 || count == 0) return BF_OK;
  slots_of_unknowns<<<bf_mg_grid(unknowns), THREADS, 0, stream>>>(unknowns, count, uptr, unknown, slot);
  return BF_CUDA_LAUNCHED(be);
}

static __global__ void __launch_bounds__(THREADS)
    rows_of_nodes(bf_int n, const bf_int *aggregate, const int64_t *ptr, bf_int *col, double *val)
{
  const int64_t i = bf_mg_item();
  if (i >= n || ptr[i + 1] == ptr[i]) return;
  col[ptr[i]] = aggregate[i];
  val[ptr[i]] = 1.0;
}

static bf_err node_rows(bf_backend *be, const bf_int *aggregate, bf_block_rows *A)
{
  const bf_int n = A->form.nrows;
  if (n == 0) return BF_OK;
  rows_of_nodes<<<bf_mg_grid(n), THREADS, 0, bf_cuda_of(be)->stream>>>(n, aggregate, A->ptr, A->col,
                                                                       static_cast<double *>(A->val));
  return BF_CUDA_LAUNCHED(be);
}

static __global__ void __launch_bounds__(THREADS) set_ones(int64_t count, double *v)
{
  const int64_t k = bf_mg_item();
  if (k < count) v[k] = 1.0;
}

static bf_err ones(bf_backend *be, int64_t count, double *v)
{
  if (count == 0) return BF_OK;
  set_ones<<<bf_mg_grid(count), THREADS, 0, bf_cuda_of(be)->stream>>>(count, v);
  return BF_CUDA_LAUNCHED(be);
}

static __global__ void __launch_bounds__(THREADS) first_columns(bf_int n, rows_of A, bf_int *owner)
{
  const int64_t e = bf_mg_item();
  if (e < n) owner[e] = A.ptr[e + 1] > A.ptr[e] ? A.col[A.ptr[e]] : -1;
}

static bf_err owners(bf_backend *be, const bf_block_rows *touched, bf_int *owner)
{
  const bf_int n = touched->form.nrows;
  if (n == 0) return BF_OK;
  first_columns<<<bf_mg_grid(n), THREADS, 0, bf_cuda_of(be)->stream>>>(n, pattern_of(touched), owner);
  return BF_CUDA_LAUNCHED(be);
}

static __global__ void __launch_bounds__(THREADS)
    places_of_nodes(bf_local_body B, rows_of N, const bf_int *slot, bf_int *place, bf_int *others)
{
  const int64_t a = bf_mg_item();
  if (a < B.count) others[a] = bf_local_places_of(&B, (bf_int)a, slot, N.col, N.ptr[a], N.ptr[a + 1], place);
}

static bf_err places(bf_backend *be, const bf_local_body *B, const bf_local_lists *L)
{
  if (B->count == 0) return BF_OK;
  places_of_nodes<<<bf_mg_grid(B->count), THREADS, 0, bf_cuda_of(be)->stream>>>(*B, pattern_of(L->node),
                                                                                L->slot, L->place, L->others);
  return BF_CUDA_LAUNCHED(be);
}

static __global__ void __launch_bounds__(THREADS)
    find_mixed(bf_local_body B, rows_of E, rows_of N, const double *coefficient, const uint8_t *node_mixed,
               double contrast, uint8_t *mixed)
{
  const int64_t a = bf_mg_item();
  if (a >= B.count) return;
  int is = coefficient && bf_local_jumps(coefficient, E.col, E.ptr[a], E.ptr[a + 1], contrast);
  for (int64_t k = N.ptr[a]; node_mixed && k < N.ptr[a + 1]; k++)
    is |= B.aggregate[N.col[k]] == (bf_int)a && node_mixed[N.col[k]];
  mixed[a] = (uint8_t)is;
}

static bf_err mixed(bf_backend *be, const bf_local_body *B, const bf_local_lists *L,
                    const double *coefficient, const uint8_t *node_mixed, double contrast, uint8_t *mixed)
{
  if (B->count == 0) return BF_OK;
  find_mixed<<<bf_mg_grid(B->count), THREADS, 0, bf_cuda_of(be)->stream>>>(
      *B, pattern_of(L->element), pattern_of(L->node), coefficient, node_mixed, contrast, mixed);
  return BF_CUDA_LAUNCHED(be);
}

static __global__ void __launch_bounds__(THREADS)
    rows_of_unknowns(bf_int nodes, bf_int blocks, int bc, const bf_int *first, int64_t *ptr, bf_int *col)
{
  const int64_t i = bf_mg_item();
  if (i <= nodes) ptr[i] = first[i] / bc;
  if (i < blocks) col[i] = (bf_int)i;
}

static bf_err unknown_rows(bf_backend *be, const bf_int *first, bf_block_rows *A)
{
  const bf_int  nodes = A->form.nrows, blocks = A->form.ncols;
  const int64_t more = nodes + 1 > blocks ? nodes + 1 : blocks;
  rows_of_unknowns<<<bf_mg_grid(more), THREADS, 0, bf_cuda_of(be)->stream>>>(nodes, blocks, A->form.bc, first,
                                                                             A->ptr, A->col);
  BF_TRY(BF_CUDA_LAUNCHED(be));
  return ones(be, A->nnz * A->form.bc, static_cast<double *>(A->val));
}

static __global__ void __launch_bounds__(THREADS) squares(int64_t count, int root, double *v)
{
  const int64_t k = bf_mg_item();
  if (k < count) v[k] = root ? sqrt(v[k]) : v[k] * v[k];
}

static bf_err square(bf_backend *be, int64_t count, double *v)
{
  if (count == 0) return BF_OK;
  squares<<<bf_mg_grid(count), THREADS, 0, bf_cuda_of(be)->stream>>>(count, 0, v);
  return BF_CUDA_LAUNCHED(be);
}

static bf_err square_root(bf_backend *be, int64_t count, double *v)
{
  if (count == 0) return BF_OK;
  squares<<<bf_mg_grid(count), THREADS, 0, bf_cuda_of(be)->stream>>>(count, 1, v);
  return BF_CUDA_LAUNCHED(be);
}

extern "C" {
const bf_local_ops bf_cuda_local = {
    .unknowns         = unknowns,
    .slots            = slots,
    .node_rows        = node_rows,
    .ones             = ones,
    .owners           = owners,
    .places           = places,
    .mixed            = mixed,
    .assemble         = bf_cuda_local_assemble,
    .schur            = bf_cuda_local_schur,
    .choose           = bf_cuda_local_choose,
    .scale_vectors    = bf_cuda_local_scale_vectors,
    .count_modes      = bf_cuda_local_count_modes,
    .combine_modes    = bf_cuda_local_combine_modes,
    .row_counts       = bf_cuda_local_row_counts,
    .rows             = bf_cuda_local_rows,
    .padding          = bf_cuda_local_padding,
    .modes            = bf_cuda_local_modes,
    .element_sizes    = bf_cuda_local_element_sizes,
    .element_matrices = bf_cuda_local_element_matrices,
    .unknown_rows     = unknown_rows,
    .square           = square,
    .square_root      = square_root,
};
}

} // namespace bf
