/* kernels/cuda/dense/syinv/product.cuh - products A B^T of tall matrices by the tensor cores, of a symmetric
 * result the lower triangle alone
 *
 * Computes   C - A B^T or A B^T, A m x k, B n x k, C m x n.  fp32 numbers are split into two parts of
 *            11 bits and multiplied by three TF32 products (mma_16x8x8.cuh).
 * Layout     a block has one tile of C at a time, in registers, a warp a part of it.  DEPTH columns
 *            of A and B pass through a ring of STAGES slots in shared memory, entry (i, p) at [p][i];
 *            lanes of a fragment read 32 different banks because TILE + PAD is 4 (fp64) or 8 (fp32)
 *            modulo 16 or 32. Warp 0 fills the ring by bulk copies, a lane a column.  Warps wait for
 *            a slot and give it back one by one, so that one multiplies while another loads; a warp
 *            loads the fragments of the next product, also those of the next slot, before it queues
 *            the present one.
 * Launch     as many blocks as are resident; block b computes tiles b, b + blocks, ...  The ring does
 *            not stop between tiles.  Tiles are in groups of GROUP columns, row by row, so that tiles
 *            that run at the same time share their rows of A and B in L2.
 * Cost       2 m n k flops, n^2 k for a lower triangle.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_CUDA_DENSE_SYINV_PRODUCT_CUH
#define BF_KERNELS_CUDA_DENSE_SYINV_PRODUCT_CUH
#include "kernels/cuda/dense/common/mma_16x8x8.cuh"
#include "kernels/cuda/device/async_bulk_copy.cuh"

namespace bf
{

template <class T>
struct product_task {
  int      m, n, k;
  const T *A, *B;
  size_t   lda, ldb; /* multiples of 16 bytes, as A and B are */
  T       *C;
  size_t   ldc;
  bool     subtract;   /* C - A B^T; else A B^T */
  bool     triangular; /* B(j, p) = 0 for p > j, and not read in other tiles than that of the diagonal */
  bool     lower;      /* m = n: entries i >= j alone */
  /* subtract: not from C but from columns first, first+1, ... of a symmetric matrix in its lower triangle; or
   * NULL */
  const T *symmetric;
  size_t   lds;
  int      first;
  /* Rows (lower: and columns) own0 .. own1-1 become -A B^T, where A(own0 + i, p) = 0 (and B likewise) for p <
   * i; rows and columns skip0 .. skip1-1 of a lower triangle are left.  Multiples of TILE, or the end. */
  int own0, own1, skip0, skip1;
};

template <class T, int TILE_, int ROWS_, int COLUMNS_, int STAGES_, int BLOCKS_>
struct product_shape {
  enum {
    TILE    = TILE_,
    ROWS    = ROWS_,    /* of warps */
    COLUMNS = COLUMNS_, /* of warps */
    THREADS = 32 * ROWS * COLUMNS,
    STAGES  = STAGES_,
    AHEAD   = STAGES > 4 ? STAGES - 2 : STAGES - 1, /* slots that are filled before they are needed */
    BLOCKS  = BLOCKS_,                              /* of a multiprocessor */
    DEPTH   = 16,                                   /* columns of A in a slot */
    LD      = TILE + (sizeof(T) == 8 ? 4 : 8),
    SLOT    = 2 * DEPTH * LD, /* entries */
    BYTES   = STAGES * SLOT * (int)sizeof(T),
    MI      = TILE / ROWS / 16, /* of a warp: tiles of 16 x 8 */
    NI      = TILE / COLUMNS / 8,
    STEP    = sizeof(T) == 8 ? 16 : 8, /* columns of A in one product of the tensor cores */
    GROUPS  = DEPTH / STEP * MI,
    GROUP   = 1024 / TILE
  };
};

struct product_tile {
  int i, j; /* in tiles */
};

/* Tile number t.  Group: columns g0 .. g1-1; of a lower triangle the rows from g0 on. */
template <int GROUP>
static __device__ __forceinline__ product_tile product_tile_at(int t, int rows, int columns, bool lower)
{
  for (int g0 = 0;; g0 += GROUP) {
    const int w = columns - g0 < GROUP ? columns - g0 : GROUP, top = lower ? w * (w + 1) / 2 : 0;
    const int first = lower ? g0 + w : 0, count = top + (rows - first) * w;
    if (t >= count) {
      t -= count;
      continue;
    }
    if (t >= top) return {first + (t - top) / w, g0 + (t - top) % w};
    int i = 0;
    while (t > i) t -= ++i;
    return {g0 + i, g0 + t};
  }
}

static __host__ __device__ __forceinline__ int product_tiles(int rows, int columns, bool lower)
{
  return lower ? rows * (rows + 1) / 2 : rows * columns;
}

/* c += a b of 16 x 16 by 16 x 8 tiles: the shape of full rate, half with 8 columns of a.  Entries of a lane:
 * those of two products of mma_16x8x8.cuh, one after the other. */
static __device__ __forceinline__ void product_mma(double (&c)[4], const double (&a)[8], const double (&b)[4])
{
  asm("mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64 {%0,%1,%2,%3}, {%4,%5,%6,%7,%8,%9,%10,%11}, "
      "{%12,%13,%14,%15}, {%0,%1,%2,%3};"
      : "+d"(c[0]), "+d"(c[1]), "+d"(c[2]), "+d"(c[3])
      : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(a[4]), "d"(a[5]), "d"(a[6]), "d"(a[7]), "d"(b[0]),
        "d"(b[1]), "d"(b[2]), "d"(b[3]));
}

/* A row of tiles of C: c += x y.  fp32: three passes, so that sums that depend on each other are apart. */
template <int NI>
static __device__ __forceinline__ void product_row(double (&c)[NI][4], const double (&x)[8],
                                                   const double (&y)[NI][4])
{
#pragma unroll
  for (int j = 0; j < NI; j++) product_mma(c[j], x, y[j]);
}
template <int NI>
static __device__ __forceinline__ void product_row(float (&c)[NI][4], const tf32_pair (&x)[4],
                                                   const tf32_pair (&y)[NI][2])
{
  const uint32_t high[4] = {x[0].hi, x[1].hi, x[2].hi, x[3].hi},
                 low[4]  = {x[0].lo, x[1].lo, x[2].lo, x[3].lo};
#pragma unroll
  for (int j = 0; j < NI; j++) mma_tf32(c[j], low, {y[j][0].hi, y[j][1].hi});
#pragma unroll
  for (int j = 0; j < NI; j++) mma_tf32(c[j], high, {y[j][0].lo, y[j][1].lo});
#pragma unroll
  for (int j = 0; j < NI; j++) mma_tf32(c[j], high, {y[j][0].hi, y[j][1].hi});
}

/* A lane's entries of columns p .. p+STEP-1 of a slot: of 16 rows of A from the warp's row 16 i on; of the
 * warp's rows of B */
template <class S, class T>
static __device__ __forceinline__ void product_left(T (&x)[S::STEP / 2], const T *slot, int p, int i)
{
  const int lane = (int)threadIdx.x % 32, warp = (int)threadIdx.x / 32, g = lane / 4, t = lane % 4;
  const T  *a = slot + warp / S::COLUMNS * (16 * S::MI) + g + (p + t) * S::LD + 16 * i;
#pragma unroll
  for (int e = 0; e < S::STEP / 2; e++) x[e] = a[e / 2 * 4 * S::LD + e % 2 * 8];
}
template <class S, class T>
static __device__ __forceinline__ void product_right(T (&y)[S::NI][S::STEP / 4], const T *slot, int p)
{
  const int lane = (int)threadIdx.x % 32, warp = (int)threadIdx.x / 32, g = lane / 4, t = lane % 4;
  const T  *b = slot + warp % S::COLUMNS * (8 * S::NI) + g + (S::DEPTH + p + t) * S::LD;
#pragma unroll
  for (int j = 0; j < S::NI; j++)
#pragma unroll
    for (int e = 0; e < S::STEP / 4; e++) y[j][e] = b[4 * e * S::LD + 8 * j];
}

template <class S, class T>
static __device__ __forceinline__ bool product_full(const product_task<T> &task, product_tile at)
{
  return (at.i + 1) * S::TILE <= task.m && (at.j + 1) * S::TILE <= task.n && !(task.lower && at.i == at.j);
}

/* The tile's lines of C are asked for. */
template <class S, class T>
static __device__ __forceinline__ void product_ask(const product_task<T> &task, product_tile at)
{
  enum { LINE = 128 / (int)sizeof(T), LINES = S::TILE / LINE };
  for (int c = (int)threadIdx.x; c < S::TILE * LINES; c += S::THREADS) {
    const int column = at.j * S::TILE + c / LINES, row = at.i * S::TILE + c % LINES * LINE;
    if (row < task.m && column < task.n)
      asm volatile("prefetch.global.L2 [%0];" ::"l"(task.C + (size_t)column * task.ldc + row));
  }
}

/* A block's way through its tiles and their slots. */
struct product_place {
  int          tile, p, end;
  product_tile at;
};

/* C's tiles in rows (or columns) of `size` entries, those of the skipped range left out */
template <class S, class T>
static __host__ __device__ __forceinline__ int product_lines(const product_task<T> &task, int size)
{
  return (size + S::TILE - 1) / S::TILE - (task.skip1 - task.skip0 + S::TILE - 1) / S::TILE;
}

/* The first column of A that matters to tile row (or column) i of C */
template <class S, class T>
static __device__ __forceinline__ int product_begin(const product_task<T> &task, int i)
{
  const int row = i * S::TILE;
  return row > task.own0 && row < task.own1 ? row - task.own0 : 0;
}

template <class S, class T>
static __device__ __forceinline__ bool product_own(const product_task<T> &task, product_tile at)
{
  const int row = at.i * S::TILE, column = at.j * S::TILE;
  return (row >= task.own0 && row < task.own1) || (task.lower && column >= task.own0 && column < task.own1);
}

template <class S, class T>
static __device__ __forceinline__ void product_enter(const product_task<T> &task, int tiles, product_place &w)
{
  if (w.tile >= tiles) return;
  const int wide = (task.skip1 - task.skip0 + S::TILE - 1) / S::TILE, from = task.skip0 / S::TILE;
  w.at = product_tile_at<S::GROUP>(w.tile, product_lines<S>(task, task.m), product_lines<S>(task, task.n),
                                   task.lower);
  if (w.at.i >= from) w.at.i += wide;
  if (w.at.j >= from) w.at.j += wide;
  const int a = product_begin<S>(task, w.at.i), b = task.lower ? product_begin<S>(task, w.at.j) : 0;
  w.p   = a > b ? a : b;
  w.end = task.triangular && (w.at.j + 1) * S::TILE < task.k ? (w.at.j + 1) * S::TILE : task.k;
}

/* The tile of C = what is in registers, or what C has less that.  Entries of C are asked for two columns at a
 * time, before the two columns before them are stored.  FULL: all entries of the tile belong to C. */
template <class S, bool FULL, class T>
static __device__ __forceinline__ void product_finish(T (&acc)[S::MI][S::NI][4], const product_task<T> &task,
                                                      product_tile at)
{
  const int  lane = (int)threadIdx.x % 32, warp = (int)threadIdx.x / 32, g = lane / 4, t = lane % 4;
  const int  i0   = at.i * S::TILE + warp / S::COLUMNS * (16 * S::MI) + g;
  const int  j0   = at.j * S::TILE + warp % S::COLUMNS * (8 * S::NI) + 2 * t;
  const bool keep = task.subtract && !product_own<S>(task, at);
  T         *c    = task.C + (size_t)j0 * task.ldc + i0;
  T          old[2][2][2 * S::MI];
  const auto ask = [&](int j) {
    if (task.symmetric) {
#pragma unroll
      for (int e = 0; e < 2; e++)
#pragma unroll
        for (int h = 0; h < 2 * S::MI; h++) {
          const int  row = i0 + 8 * h, c = j0 + 8 * j + e, column = task.first + c;
          const bool in = FULL || (row < task.m && c < task.n);
          const T   *s  = task.symmetric +
                       (row >= column ? (size_t)column * task.lds + row : (size_t)row * task.lds + column);
          old[j % 2][e][h] = keep && in ? *s : T(0);
        }
      return;
    }
#pragma unroll
    for (int e = 0; e < 2; e++)
#pragma unroll
      for (int h = 0; h < 2 * S::MI; h++) {
        const bool in    = FULL || (i0 + 8 * h < task.m && j0 + 8 * j + e < task.n);
        old[j % 2][e][h] = keep && in ? c[(8 * j + e) * task.ldc + 8 * h] : T(0);
      }
  };
  ask(0);
#pragma unroll
  for (int j = 0; j < S::NI; j++) {
    if (j + 1 < S::NI) ask(j + 1);
#pragma unroll
    for (int e = 0; e < 2; e++)
#pragma unroll
      for (int h = 0; h < 2 * S::MI; h++) {
        const int row = i0 + 8 * h, column = j0 + 8 * j + e;
        T        &v = acc[h / 2][j][e + h % 2 * 2];
        if (FULL || (row < task.m && column < task.n && (!task.lower || row >= column)))
          c[(8 * j + e) * task.ldc + 8 * h] = task.subtract ? old[j % 2][e][h] - v : v;
        v = 0;
      }
  }
}

/* 16 bytes; those beyond the first `bytes` are 0. */
static __device__ __forceinline__ void product_copy(void *to, const void *from, int bytes)
{
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(shared_address(to)), "l"(from),
               "r"(bytes)
               : "memory");
}

/* A thread's part of one matrix of a slot: 16 bytes of every STEP-th column */
template <class S, class T>
struct product_source {
  enum { PER = 16 / (int)sizeof(T), CHUNKS = S::TILE / PER, STEP = S::THREADS / CHUNKS };
  static_assert(S::THREADS % CHUNKS == 0 && S::DEPTH % STEP == 0,
                "a thread copies the same rows of every column");
  const T                              *from; /* of the next slot */
  int                                   bytes;
  static __device__ __forceinline__ int column(void)
  {
    return (int)threadIdx.x / CHUNKS;
  }
  static __device__ __forceinline__ int row(void)
  {
    return (int)threadIdx.x % CHUNKS * PER;
  }
  /* From column p on, rows i0 .. i0+TILE-1, below m, of A */
  __device__ __forceinline__ void enter(const T *A, size_t lda, int m, int i0, int p)
  {
    const int left = m - i0 - row();
    bytes          = left <= 0 ? 0 : left < PER ? left * (int)sizeof(T) : 16;
    from           = A + (size_t)(p + column()) * lda + (i0 + (left > 0 ? row() : 0));
  }
  /* DEPTH columns, of which the first `count` exist, to [DEPTH][LD] */
  __device__ __forceinline__ void copy(T *slot, const T *A, size_t lda, int count)
  {
    T       *to = slot + column() * S::LD + row();
    const T *x  = from;
#pragma unroll
    for (int q = 0; q < S::DEPTH; q += STEP, x += STEP * lda) {
      const bool in = column() + q < count;
      product_copy(to + q * S::LD, in ? x : A, in ? bytes : 0);
    }
    from = x;
  }
};

/* The ring of a block; `load`: what comes next */
template <class S, class T>
struct product_ring {
  T                   *slots;
  uint64_t            *full, *empty;
  ring_position        in, out;
  product_place        load;
  product_source<S, T> a, b;
};

template <class S, class T>
static __device__ __forceinline__ void product_enter(product_ring<S, T> &r, const product_task<T> &task,
                                                     int tiles)
{
  product_enter<S>(task, tiles, r.load);
  if (r.load.tile >= tiles) return;
  r.a.enter(task.A, task.lda, task.m, r.load.at.i * S::TILE, r.load.p);
  r.b.enter(task.B, task.ldb, task.n, r.load.at.j * S::TILE, r.load.p);
}

template <class S, class T>
static __device__ __forceinline__ void product_fill(product_ring<S, T> &r, const product_task<T> &task,
                                                    int tiles)
{
  if (r.load.tile >= tiles) return;
  T        *slot  = r.slots + r.in.slot * S::SLOT;
  const int count = r.load.end - r.load.p;
  mbarrier_wait(&r.empty[r.in.slot], r.in.phase);
  r.a.copy(slot, task.A, task.lda, count);
  r.b.copy(slot + S::DEPTH * S::LD, task.B, task.ldb, count);
  cp_async_mbarrier_arrive(&r.full[r.in.slot]);
  ring_advance(r.in, S::STAGES);
  r.load.p += S::DEPTH;
  if (r.load.p < r.load.end) return;
  r.load.tile += (int)gridDim.x;
  product_enter(r, task, tiles);
}

/* acc += the tile's product; count: its slots */
template <class S, class T>
static __device__ __forceinline__ void product_sum(T (&acc)[S::MI][S::NI][4], product_ring<S, T> &r,
                                                   const product_task<T> &task, int tiles, int count)
{
  T           a[S::STEP / 2], b[S::NI][S::STEP / 4];
  mma_real<T> y[S::NI][S::STEP / 4];
  mbarrier_wait(&r.full[r.out.slot], r.out.phase);
  __syncwarp();
  product_left<S>(a, r.slots + r.out.slot * S::SLOT, 0, 0);
  product_right<S>(b, r.slots + r.out.slot * S::SLOT, 0);
  for (; count > 0; count--) {
    product_fill(r, task, tiles);
    const T  *slot = r.slots + r.out.slot * S::SLOT;
    uint64_t *done = &r.empty[r.out.slot];
    ring_advance(r.out, S::STAGES);
#pragma unroll
    for (int q = 0; q < S::GROUPS; q++) {
      enum { STEP = S::STEP, MI = S::MI };
      const int   p = (q + 1) % S::GROUPS / MI * STEP, i = (q + 1) % MI; /* of the next product */
      mma_real<T> x[STEP / 2];
#pragma unroll
      for (int e = 0; e < STEP / 2; e++) x[e] = mma_operand(a[e]);
#pragma unroll
      for (int j = 0; q % MI == 0 && j < S::NI; j++)
#pragma unroll
        for (int e = 0; e < STEP / 4; e++) y[j][e] = mma_operand(b[j][e]);
      if (q + 1 == S::GROUPS) {
        slot = r.slots + r.out.slot * S::SLOT;
        if (count > 1) mbarrier_wait(&r.full[r.out.slot], r.out.phase);
        __syncwarp();
      }
      product_left<S>(a, slot, p, i);
      product_row(acc[q % MI], x, y);
      if (i == 0) product_right<S>(b, slot, p);
    }
    __syncwarp();
    if (threadIdx.x % 32 == 0) mbarrier_arrive(done);
  }
}

template <class S, class T>
__global__ void __launch_bounds__(S::THREADS, S::BLOCKS) product_tall(product_task<T> task, int tiles)
{
  extern __shared__ __align__(16) unsigned char product_room[];
  __shared__ uint64_t                           full[S::STAGES], empty[S::STAGES];
  if (threadIdx.x == 0) {
    for (int s = 0; s < S::STAGES; s++) {
      mbarrier_init(&full[s], S::THREADS);
      mbarrier_init(&empty[s], S::THREADS / 32);
    }
    mbarrier_init_fence();
  }
  __syncthreads();
  product_place now = {(int)blockIdx.x, 0, 0, {0, 0}};
  product_enter<S>(task, tiles, now);
  product_ring<S, T> ring = {reinterpret_cast<T *>(product_room), full, empty, {0, 1}, {0, 0}, now, {}, {}};
  product_enter(ring, task, tiles);
  for (int s = 0; s < S::AHEAD; s++) product_fill(ring, task, tiles);
  T acc[S::MI][S::NI][4] = {};
  while (now.tile < tiles) {
    if (task.subtract && !task.symmetric) product_ask<S>(task, now.at);
    product_sum<S>(acc, ring, task, tiles, (now.end - now.p + S::DEPTH - 1) / S::DEPTH);
    if (product_full<S>(task, now.at))
      product_finish<S, true>(acc, task, now.at);
    else
      product_finish<S, false>(acc, task, now.at);
    now.tile += (int)gridDim.x;
    product_enter<S>(task, tiles, now);
  }
}

/* Queues the product on the stream, on `most` multiprocessors. */
template <class S, class T>
static bf_err product_launch(cudaStream_t stream, int most, const product_task<T> &task)
{
  const int tiles = product_tiles(product_lines<S>(task, task.m), product_lines<S>(task, task.n), task.lower);
  const auto f    = product_tall<S, T>;
  if (tiles == 0) return BF_OK;
  const int blocks = tiles < most * S::BLOCKS ? tiles : most * S::BLOCKS;
  BF_TRY(BF_CUDA(cudaFuncSetAttribute(f, cudaFuncAttributeMaxDynamicSharedMemorySize, S::BYTES)));
  f<<<blocks, S::THREADS, S::BYTES, stream>>>(task, tiles);
  return BF_OK;
}

} // namespace bf
#endif
