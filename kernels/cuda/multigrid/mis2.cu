/* kernels/cuda/multigrid/mis2.cu - aggregates of a graph of strong couplings, and their members
 *
 * Computes   roots: independent set at distance two, by maxima of (state, hash of the number); their
 * neighbours join them; the rest joins the strongest neighbour's aggregate in three sweeps; what is left are
 *            aggregates of their own.  All of it integers: the same as on the CPU.
 * Source     Bell, Dalton, Olson, SIAM J. Sci. Comput. 34 (2012) C123, doi 10.1137/110838844
 * Layout     aggregates.h
 * Cost       two passes over the graph a round, 4 to 8 rounds; four more for joining.
 * Launch     a thread a node; the host looks after ROUNDS rounds, then after every second one: some 20
 * launches.
 * Checked    tests/kernels/multigrid/t386_aggregates.c
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cuda/multigrid/multigrid.cuh"
#include "kernels/cuda/sparse/transpose.cuh"
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>

namespace bf
{

enum { THREADS = BF_MG_THREADS, ROUNDS = 4, MORE = 2 };

struct room_of_roots { /* in scratch */
  uint64_t *key, *near;
  bf_int   *number, *left; /* [n + 1]: flags, then how many come before */
  bf_int   *next;
  int      *open;
  void     *scan;
  size_t    scan_bytes;
};

static __global__ void __launch_bounds__(THREADS) first_keys(bf_int n, const uint8_t *live, uint64_t *key)
{
  const int64_t i = bf_mg_item();
  if (i < n) key[i] = bf_mg_key(live[i] ? BF_MG_UNDECIDED : BF_MG_OUT, (bf_int)i);
}

static __global__ void __launch_bounds__(THREADS)
    nearest(bf_mg_graph G, const uint64_t *__restrict__ key, uint64_t *near)
{
  const int64_t i = bf_mg_item();
  if (i < G.n) near[i] = bf_mg_largest(&G, (bf_int)i, key);
}

/* *open = 1 where a node stays undecided. */
static __global__ void __launch_bounds__(THREADS)
    decide(bf_mg_graph G, const uint64_t *__restrict__ near, uint64_t *key, int *open)
{
  const int64_t i = bf_mg_item();
  if (i >= G.n) return;
  const uint64_t own = key[i];
  if (own >> 62 != BF_MG_UNDECIDED) return;
  const int state = bf_mg_decide(own, bf_mg_largest(&G, (bf_int)i, near));
  key[i]          = bf_mg_key(state, (bf_int)i);
  if (state == BF_MG_UNDECIDED) *open = 1;
}

static __global__ void __launch_bounds__(THREADS) flag_roots(bf_int n, const uint64_t *key, bf_int *number)
{
  const int64_t i = bf_mg_item();
  if (i <= n) number[i] = i < n && key[i] >> 62 == BF_MG_ROOT;
}

static __global__ void __launch_bounds__(THREADS)
    join_roots(bf_mg_graph G, const uint8_t              *live, const uint64_t *__restrict__ key,
               const bf_int *__restrict__ number, bf_int *aggregate)
{
  const int64_t i = bf_mg_item();
  if (i >= G.n) return;
  bf_int most = -1;
  for (int64_t k = G.ptr[i]; k < G.ptr[i + 1] && live[i]; k++) {
    const bf_int j = G.col[k];
    if (key[j] >> 62 == BF_MG_ROOT && number[j] > most) most = number[j];
  }
  aggregate[i] = most;
}

static __global__ void __launch_bounds__(THREADS)
    join_strongest(bf_mg_graph G, const uint8_t *live, const bf_int *__restrict__ aggregate, bf_int *next)
{
  const int64_t i = bf_mg_item();
  if (i < G.n) next[i] = live[i] && aggregate[i] < 0 ? bf_mg_join(&G, (bf_int)i, aggregate) : aggregate[i];
}

static __global__ void __launch_bounds__(THREADS)
    flag_left(bf_int n, const uint8_t *live, const bf_int *aggregate, bf_int *left)
{
  const int64_t i = bf_mg_item();
  if (i <= n) left[i] = i < n && live[i] && aggregate[i] < 0;
}

/* The rest gets numbers behind those of the roots; *count = both. */
static __global__ void __launch_bounds__(THREADS)
    number_left(bf_int n, const uint8_t *live, const bf_int *from, const bf_int *number, const bf_int *left,
                bf_int *aggregate, int *count)
{
  const int64_t i = bf_mg_item();
  if (i >= n) return;
  aggregate[i] = live[i] && from[i] < 0 ? number[n] + left[i] : from[i];
  if (i == 0) *count = number[n] + left[n];
}

static bf_err reserve(bf_backend *be, bf_int n, room_of_roots *r)
{
  const size_t keys = bf_aligned((size_t)n * sizeof(uint64_t)),
               ints = bf_aligned(((size_t)n + 1) * sizeof(bf_int));
  void *p;
  r->scan_bytes = 0;
  BF_TRY(BF_CUDA(cub::DeviceScan::ExclusiveSum(NULL, r->scan_bytes, (bf_int *)NULL, (bf_int *)NULL,
                                               (int64_t)n + 1, bf_cuda_of(be)->stream)));
  BF_TRY(bf_cuda_scratch(be, 2 * keys + 3 * ints + 256 + r->scan_bytes, &p));
  char *at  = static_cast<char *>(p);
  r->key    = reinterpret_cast<uint64_t *>(at);
  r->near   = reinterpret_cast<uint64_t *>(at + keys);
  r->number = reinterpret_cast<bf_int *>(at + 2 * keys);
  r->left   = reinterpret_cast<bf_int *>(at + 2 * keys + ints);
  r->next   = reinterpret_cast<bf_int *>(at + 2 * keys + 2 * ints);
  r->open   = reinterpret_cast<int *>(at + 2 * keys + 3 * ints);
  r->scan   = at + 2 * keys + 3 * ints + 256;
  return BF_OK;
}

static bf_err find_roots(bf_backend *be, const bf_mg_graph *G, const uint8_t *live, const room_of_roots *r)
{
  const cudaStream_t stream = bf_cuda_of(be)->stream;
  const unsigned     blocks = bf_mg_grid(G->n);
  int                open   = 1;
  first_keys<<<blocks, THREADS, 0, stream>>>(G->n, live, r->key);
  BF_TRY(BF_CUDA_LAUNCHED(be));
  for (int rounds = ROUNDS; open; rounds = MORE) {
    for (int k = 0; k < rounds; k++) {
      if (k == rounds - 1) BF_TRY(BF_CUDA(cudaMemsetAsync(r->open, 0, sizeof *r->open, stream)));
      nearest<<<blocks, THREADS, 0, stream>>>(*G, r->key, r->near);
      BF_TRY(BF_CUDA_LAUNCHED(be));
      decide<<<blocks, THREADS, 0, stream>>>(*G, r->near, r->key, r->open);
      BF_TRY(BF_CUDA_LAUNCHED(be));
    }
    BF_TRY(be->ops.copy(be, &open, r->open, sizeof open, BF_TO_HOST));
  }
  return BF_OK;
}

static bf_err sums(bf_backend *be, const room_of_roots *r, bf_int n, bf_int *flag)
{
  size_t bytes = r->scan_bytes;
  return BF_CUDA(
      cub::DeviceScan::ExclusiveSum(r->scan, bytes, flag, flag, (int64_t)n + 1, bf_cuda_of(be)->stream));
}

bf_err bf_cuda_mg_aggregate(bf_backend *be, const bf_mg_graph *G, const uint8_t *live, bf_int *aggregate,
                            bf_int *count)
{
  const cudaStream_t stream = bf_cuda_of(be)->stream;
  const bf_int       n      = G->n;
  const unsigned     blocks = bf_mg_grid(n), one_more = bf_mg_grid((int64_t)n + 1);
  room_of_roots      r;
  int                all = 0;
  *count                 = 0;
  if (n == 0) return BF_OK;
  BF_TRY(reserve(be, n, &r));
  BF_TRY(find_roots(be, G, live, &r));
  flag_roots<<<one_more, THREADS, 0, stream>>>(n, r.key, r.number);
  BF_TRY(BF_CUDA_LAUNCHED(be));
  BF_TRY(sums(be, &r, n, r.number));
  join_roots<<<blocks, THREADS, 0, stream>>>(*G, live, r.key, r.number, aggregate);
  BF_TRY(BF_CUDA_LAUNCHED(be));
  join_strongest<<<blocks, THREADS, 0, stream>>>(*G, live, aggregate, r.next);
  BF_TRY(BF_CUDA_LAUNCHED(be));
  join_strongest<<<blocks, THREADS, 0, stream>>>(*G, live, r.next, aggregate);
  BF_TRY(BF_CUDA_LAUNCHED(be));
  join_strongest<<<blocks, THREADS, 0, stream>>>(*G, live, aggregate, r.next);
  BF_TRY(BF_CUDA_LAUNCHED(be));
  flag_left<<<one_more, THREADS, 0, stream>>>(n, live, r.next, r.left);
  BF_TRY(BF_CUDA_LAUNCHED(be));
  BF_TRY(sums(be, &r, n, r.left));
  number_left<<<blocks, THREADS, 0, stream>>>(n, live, r.next, r.number, r.left, aggregate, r.open);
  BF_TRY(BF_CUDA_LAUNCHED(be));
  BF_TRY(be->ops.copy(be, &all, r.open, sizeof all, BF_TO_HOST));
  *count = all;
  return BF_OK;
}

/* ---- members ---- */

/* Nodes of no aggregate come last; a number outside is a violation. */
static __global__ void __launch_bounds__(THREADS)
    member_keys(bf_int n, bf_int count, const bf_int *aggregate, unsigned *key, bf_int *node, int *violation)
{
  const int64_t i = bf_mg_item();
  if (i >= n) return;
  const bf_int a = aggregate[i];
  if (a < -1 || a >= count) *violation = 1;
  key[i]  = a < 0 || a >= count ? (unsigned)count : (unsigned)a;
  node[i] = (bf_int)i;
}

/* ptr[a] = nodes with a smaller key. */
static __global__ void __launch_bounds__(THREADS)
    member_begin(bf_int n, bf_int count, const unsigned *__restrict__ key, int64_t *ptr)
{
  const int64_t a = bf_mg_item();
  if (a > count) return;
  bf_int lo = 0, hi = n;
  while (lo < hi) {
    const bf_int mid = lo + (hi - lo) / 2;
    if (key[mid] < (unsigned)a)
      lo = mid + 1;
    else
      hi = mid;
  }
  ptr[a] = lo;
}

bf_err bf_cuda_mg_members(bf_backend *be, bf_int n, bf_int count, const bf_int *aggregate, int64_t *ptr,
                          bf_int *node)
{
  bf_cuda           *cu     = bf_cuda_of(be);
  const cudaStream_t stream = cu->stream;
  const size_t       ints   = bf_aligned((size_t)n * sizeof(bf_int));
  const int          bits   = bf_bits_of(count + 1);
  size_t             bytes  = 0;
  void              *p;
  if (n == 0) return be->ops.zero(be, ptr, ((size_t)count + 1) * sizeof *ptr);
  BF_TRY(BF_CUDA(cub::DeviceRadixSort::SortPairs(NULL, bytes, (const unsigned *)NULL, (unsigned *)NULL,
                                                 (const bf_int *)NULL, (bf_int *)NULL, n, 0, bits, stream)));
  BF_TRY(bf_cuda_scratch(be, 3 * ints + bytes, &p));
  char     *at  = static_cast<char *>(p);
  unsigned *key = reinterpret_cast<unsigned *>(at), *sorted = reinterpret_cast<unsigned *>(at + ints);
  bf_int   *number = reinterpret_cast<bf_int *>(at + 2 * ints);
  cu->watch        = true;
  member_keys<<<bf_mg_grid(n), THREADS, 0, stream>>>(n, count, aggregate, key, number, cu->violation);
  BF_TRY(BF_CUDA_LAUNCHED(be));
  BF_TRY(BF_CUDA(cub::DeviceRadixSort::SortPairs(at + 3 * ints, bytes, (const unsigned *)key, sorted,
                                                 (const bf_int *)number, node, n, 0, bits, stream)));
  member_begin<<<bf_mg_grid((int64_t)count + 1), THREADS, 0, stream>>>(n, count, sorted, ptr);
  return BF_CUDA_LAUNCHED(be);
}

} // namespace bf
