/* kernels/cuda/batch_warp.cuh - LU and inverses of orders from 17 on: a warp, or two, factor a matrix in
 * shared memory, 8 columns at a time
 *
 * Computes   P A = L U with LAPACK's ipiv and info, or A^-1 by Gauss-Jordan.  A panel of 8 columns is taken
 *            with its pivots in registers, lane r row r; in place of its columns grows W, what the panel's
 *            steps do to any other column (batch_warp_update.cuh), and then does it to all of them (LU: on
 * the right) at once.  Rows never move; each carries its place in LAPACK's order.  After the last panel of an
 * inverse, with Y the array and p(k) the row of pivot k:  A^-1(k, p(j)) = Y(p(k), j) over pivot k. Source
 * Golub, Van Loan, Matrix Computations, 4th ed., sections 3.2, 3.4; W, the inverse of L11 and -L21 times it,
 * column by column as in Gauss-Jordan's method: Higham, 2nd ed., section 14.4. Cost       2/3 n^3 or 2 n^3
 * flops, 4 n^2 more for W; A is read and written once; no barrier where a warp works alone, else one a column
 * and two a panel. Checked    tests/t361_inverse_batch.c, t362_lu_batch.c, t367_small_batch.c.
 */
#ifndef BF_BATCH_WARP_CUH
#define BF_BATCH_WARP_CUH
#include "kernels/cuda/batch_warp_update.cuh"
#include "kernels/cuda/bulk.cuh"
#include "kernels/cuda/lanes_pivot.cuh"

/* What a warp of several proposes for a pivot: |x| as bits + 1, 0 for nothing; the row, and in `power` what x
 * is to be multiplied by before it is compared with its reciprocal. */
struct alignas(16) warp_proposal {
  uint64_t key;
  int      place, row;
  double   power;
};
BF_LANES uint64_t key_of(float size)
{
  return (uint64_t)__float_as_uint(size) + 1u;
}
BF_LANES uint64_t key_of(double size)
{
  return (uint64_t)__double_as_longlong(size) + 1u;
}

/* Can M's columns of n scalars be copied by 16 bytes? */
template <class T>
BF_LANES bool by_packets(const T *a, int ld, int n)
{
  return (reinterpret_cast<uintptr_t>(a) | (size_t)ld * sizeof(T) | (size_t)n * sizeof(T)) % 16 == 0;
}

/* M into S, zeros beyond it; columns of as many bytes as to be worth it by the copy engine.  The first panel
 * is there, the rest is when bf_copies_done says so. */
template <class T, int N, bool ENGINE>
BF_LANES void warp_fetch(const small_matrix<T> &M, int r, T *S, uint64_t *barrier)
{
  constexpr int P = warp_shape<T, N>::pitch, TEAM = warp_shape<T, N>::team, V = packet<T>::of;
  if (M.n < N && r < N)
#pragma unroll
    for (int j = 0; j < N; j++)
      if (r >= M.n || j >= M.n) shared_put(S + j * P + r, zero_of<T>());
  if (!by_packets(M.a, M.ld, M.n)) {
    const T *p = M.a + r;
#pragma unroll 4
    for (int j = 0; j < M.n; j++, p += M.ld)
      if (r < M.n) bf_copy_parts<(int)sizeof(real_t<T>)>(S + j * P + r, p);
  } else if constexpr (ENGINE) {
    if (r == 0) {
      bf_barrier_init(barrier, 1);
      bf_barrier_made();
      bf_barrier_expect(barrier, (uint32_t)(M.n * M.n * (int)sizeof(T)));
    }
    team_sync<TEAM>();
    if (r < M.n) bf_bulk_copy(S + r * P, M.a + (int64_t)r * M.ld, (uint32_t)(M.n * (int)sizeof(T)), barrier);
    bf_barrier_wait(barrier, 0);
    return;
  } else {
    constexpr int Q = N / V, C = 32 * TEAM / Q;
    const int     c0 = r / Q, i = r % Q * V;
    const T      *p    = M.a + (int64_t)c0 * M.ld + i;
    const int64_t down = (int64_t)C * M.ld;
#pragma unroll
    for (int c = 0; c < N; c += C) {
      if (c >= WARP_KB && c < WARP_KB + C) bf_copies_group();
      if (c0 < C && c + c0 < M.n && i < M.n) bf_copy_async<16>(S + (c + c0) * P + i, p);
      p += down;
    }
    bf_copies_group();
    bf_copies_wait<1>();
    team_sync<TEAM>();
    return;
  }
  bf_copies_done();
  team_sync<TEAM>();
}

/* A lane's part in one matrix. */
template <class T, int N, bool INVERSE, bool ENGINE>
struct warp_work {
  using S                   = warp_shape<T, N>;
  using R                   = real_t<T>;
  static constexpr int   KB = WARP_KB, P = S::pitch, TEAM = S::team, V = packet<T>::of;
  const small_matrix<T> &M;
  const lane_group<32>  &L;
  T                     *a, *own; /* column 0: of all rows, this lane's entry */
  packet<T>             *shown;
  uint16_t              *order;
  warp_proposal         *heads;
  unsigned              *masks;
  int                    w, r, place, zero = 0;
  bool                   live; /* no pivot yet */
  R                      by    = 1;
  T                      scale = zero_of<T>();

  __device__ __forceinline__ warp_work(const small_matrix<T> &M_, const lane_group<32> &L_, int warp,
                                       char *room)
      : M(M_), L(L_), a(reinterpret_cast<T *>(room)), shown(reinterpret_cast<packet<T> *>(room + S::matrix)),
        order(reinterpret_cast<uint16_t *>(room + S::matrix + S::rows)),
        heads(reinterpret_cast<warp_proposal *>(room + S::matrix + S::rows + S::order)),
        masks(reinterpret_cast<unsigned *>(room + S::bytes - 16)), w(warp), r(32 * warp + L_.lane),
        place(r < M_.n ? r : NOBODY), live(r < M_.n)
  {
    own = a + (r < N ? r : 0);
    if (r < 2 * TEAM * KB) shared_put(reinterpret_cast<T *>(shown) + r, zero_of<T>());
    if (r < N) order[r] = 0;
    warp_fetch<T, N, ENGINE>(M, r, a, reinterpret_cast<uint64_t *>(room + S::bytes - 16));
  }

  /* A row for the others, with the pivot's reciprocal in place of the pivot */
  __device__ __forceinline__ void show(const T (&x)[KB], int j, T inverse, packet<T> *row) const
  {
#pragma unroll
    for (int c = 0; c < S::packets; c++) {
      packet<T> q;
#pragma unroll
      for (int e = 0; e < V; e++) q.e[e] = c * V + e == j ? inverse : x[c * V + e];
      row[c] = q;
    }
  }

  /* The pivot of column k = k0 + j: true for its own lane.  `at`: its place so far; row: where it is shown;
   * y: x[j], perhaps scaled as what is shown in its place. */
  __device__ __forceinline__ bool choose_alone(const T (&x)[KB], int j, int k, T &y, int &at, packet<T> *row)
  {
    const bool is =
        find_pivot<INVERSE>(L, k, live, place, y, at, zero, by, [&](T inverse) { show(x, j, inverse, row); });
    __syncwarp();
    return is;
  }
  __device__ __forceinline__ bool choose_together(const T (&x)[KB], int j, int k, T &y, int &at,
                                                  packet<T> *&row)
  {
    T         inverse;
    R         power = 1;
    int       none  = 1;
    const int p     = pivot_row(L, k, place, y, inverse, none, power);
    if (L.lane == p) {
      heads[j % 2 * TEAM + w] = {place >= k ? key_of(abs1(x[j])) : 0, place, r, (double)power};
      show(x, j, inverse, row + w * S::packets);
    }
    __syncthreads();
    const warp_proposal *h0 = heads + j % 2 * TEAM, *h1 = h0 + 1;
    const bool           second = h1->key > h0->key || (h1->key == h0->key && h1->place < h0->place);
    const warp_proposal  h      = second ? *h1 : *h0;
    const bool           is     = h.key != 0 && r == h.row;
    row += second ? S::packets : 0;
    at = h.place;
    y  = x[j];
    if (h.power != 1) {
      y = times(y, (R)h.power);
      if (is) by = (R)h.power;
    }
    if (h.key == 1 && zero == 0) zero = k + 1;
    return is;
  }

  /* Step k = k0 + j of the panel x; lu: what of column j is L's or U's */
  __device__ __forceinline__ void step(T (&x)[KB], T (&lu)[KB], int k0, int j)
  {
    const int  k   = k0 + j;
    packet<T> *row = shown + j % 2 * TEAM * S::packets, q[S::packets];
    T          y   = x[j];
    int        at;
    bool       is;
    if constexpr (TEAM == 1)
      is = choose_alone(x, j, k, y, at, row);
    else
      is = choose_together(x, j, k, y, at, row);
#pragma unroll
    for (int c = 0; c < S::packets; c++) q[c] = row[c];
    const T inverse  = q[j / V].e[j % V];
    live             = live && !is;
    const bool other = INVERSE ? !is : live;
    const T    l     = y * choose(other, inverse, zero_of<T>());
    if (place == k) place = at;
    if (is) {
      place    = k;
      order[k] = (uint16_t)(at << 8 | r);
      if (INVERSE) scale = inverse;
    }
#pragma unroll
    for (int c = 0; c < KB; c++)
      if (c != j) x[c] = mulsub(l, q[c / V].e[c % V], x[c]);
    if (!INVERSE) {
      lu[j] = choose(other, l, x[j]);
      settle(lu[j]);
    }
    x[j] = INVERSE ? choose(other, -l, from_real<T>(1)) : l;
    settle(x[j]);
  }

  __device__ __forceinline__ void put(const T (&x)[KB], int k0) const
  {
    if (r >= N) return;
#pragma unroll
    for (int j = 0; j < KB; j++) shared_put(own + (k0 + j) * P, x[j]);
  }
  /* The panel's steps for the other columns by W, for which its own columns make room: x, or for LU -x below
   * each pivot and 0 elsewhere.  Its part of L and U is back before. */
  __device__ __forceinline__ void update(T (&x)[KB], const T (&lu)[KB], int k0) const
  {
    unsigned mask[TEAM] = {INVERSE ? __ballot_sync(ALL_LANES, place >= k0 && place < k0 + KB) : 0u};
    if (!INVERSE)
#pragma unroll
      for (int j = 0; j < KB; j++) x[j] = choose(place > k0 + j, -x[j], zero_of<T>());
    put(x, k0);
    if (!ENGINE) bf_copies_done();
    if (TEAM > 1 && INVERSE && L.lane == 0) masks[w] = mask[0];
    team_sync<TEAM>();
    if (TEAM > 1 && INVERSE)
#pragma unroll
      for (int i = 0; i < TEAM; i++) mask[i] = masks[i];
    const warp_update<T, N> W(a + k0 * P, L.lane, order + k0, mask);
    if (!INVERSE) {
      team_sync<TEAM>();
      put(lu, k0);
    }
#pragma unroll
    for (int i = 0; i < N / KB - 1; i += TEAM) {
      const int e = KB * (i + w), c = INVERSE ? e + (e >= k0 ? KB : 0) : e + k0 + KB;
      if (c < M.n) W.block(a + c * P);
    }
    team_sync<TEAM>();
  }
  __device__ __forceinline__ void panel(int k0)
  {
    T x[KB], lu[KB];
#pragma unroll
    for (int j = 0; j < KB; j++) x[j] = shared_get(own + (k0 + j) * P);
#pragma unroll
    for (int j = 0; j < KB; j++) step(x, lu, k0, j);
    if (INVERSE || k0 + KB < M.n) {
      update(x, lu, k0);
    } else {
      put(lu, k0);
      team_sync<TEAM>();
    }
  }

  /* f(column, entry of the result) for this lane's row */
  template <class F>
  __device__ __forceinline__ void entries(F f) const
  {
    if (r < M.n)
#pragma unroll 8
      for (int j = 0; j < M.n; j++) {
        const T v = shared_get(own + j * P);
        f(j, INVERSE ? v * scale : v);
      }
  }
  static __device__ __forceinline__ bool anywhere(bool bad)
  {
    return TEAM == 1 ? __any_sync(ALL_LANES, bad) : __syncthreads_or(bad);
  }
  __device__ __forceinline__ void give(int *ipiv, int *info)
  {
    const bool wide = whole(M);
    T         *to   = M.a + place;
    R          rest = 0;
    scale           = times(scale, by);
    entries([&](int j, T v) {
      rest = with(v, rest);
      if (!INVERSE) store(to + (int64_t)j * M.ld, v, wide);
    });
    const bool wild = anywhere(!(rest == 0));
    if (INVERSE && !wild && zero == 0)
      entries([&](int j, T v) { store(to + (int64_t)(order[j] & 255) * M.ld, v, wide); });
    if (!INVERSE && r < M.n) ipiv[r] = (order[r] >> 8) + 1;
    if (r == 0) info[M.b] = wild ? M.n + 1 : zero;
  }
};

/* TEAMS in a block, BLOCKS of them on a multiprocessor */
template <class T, int N, bool INVERSE, int TEAMS, int BLOCKS, bool ENGINE>
static __global__ void __launch_bounds__(32 * warp_shape<T, N>::team * TEAMS, BLOCKS)
    warp_factor(const batch_view<T> A, int *__restrict__ ipiv, int *__restrict__ info)
{
  using S = warp_shape<T, N>;
  extern __shared__ __align__(16) char room[];
  const lane_group<32>                 L;
  const small_matrix<T>                M(A, lane_group<32 * S::team>());
  const int                            warp = (int)threadIdx.x / 32;
  if (M.b == NOBODY) return;
  warp_work<T, N, INVERSE, ENGINE> work(M, L, warp % S::team, room + warp / S::team * S::bytes);
#pragma unroll 1
  for (int k0 = 0; k0 < M.n; k0 += WARP_KB) work.panel(k0);
  work.give(INVERSE ? nullptr : ipiv + (int64_t)M.b * A.pitch, info);
}

template <class T, int N, bool INVERSE, int TEAMS, int BLOCKS, bool ENGINE>
static cudaError_t warp_launch(const batch_view<T> &A, int *ipiv, int *info, cudaStream_t s)
{
  using S                  = warp_shape<T, N>;
  const auto        kernel = warp_factor<T, N, INVERSE, TEAMS, BLOCKS, ENGINE>;
  const int         bytes  = TEAMS * S::bytes;
  const cudaError_t e      = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  if (e != cudaSuccess) return e;
  kernel<<<(unsigned)(((int64_t)A.count + TEAMS - 1) / TEAMS), 32 * S::team * TEAMS, (size_t)bytes, s>>>(
      A, ipiv, info);
  return cudaGetLastError();
}
#endif
