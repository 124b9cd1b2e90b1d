/* kernels/cuda/dense/syinv/product.cuh - products A B^T of tall matrices by the tensor cores, of a symmetric
 * result the lower triangle alone
 *
 * Computes   C - A B^T or A B^T, A m x k, B n x k, C m x n.  fp32 numbers are split into two parts of 11 bits
 *            and multiplied by three TF32 products (mma_16x8x8.cuh).
 * Layout     a block has one tile of C at a time, in registers, a warp a part of it.  Columns of A and B pass
 *            through a ring of STAGES slots in shared memory, entry (i, p) at [p][i]; lanes of a fragment
 * read 32 different banks because TILE + PAD is 4 (fp64) or 8 (fp32) modulo 16 or 32.
 * Launch     as many
 * blocks as are resident; block b computes tiles b, b + blocks, ...  The ring does not stop between tiles.
 * Tiles are in groups of GROUP columns, row by row, so that tiles that run at the same time share their rows
 * of A and B in L2.
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
    BLOCKS  = BLOCKS_, /* of a multiprocessor */
    DEPTH   = 16,      /* columns of A in a slot */
    LD      = TILE + (sizeof(T) == 8 ? 4 : 8),
    SLOT    = 2 * DEPTH * LD, /* entries */
    BYTES   = STAGES * SLOT * (int)sizeof(T),
    MI      = TILE / ROWS / 16, /* of a warp: tiles of 16 x 8 */
    NI      = TILE / COLUMNS / 8,
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

/* 16 bytes; those beyond the first `bytes` are 0. */
static __device__ __forceinline__ void product_copy(void *to, const void *from, int bytes)
{
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(shared_address(to)), "l"(from),
               "r"(bytes)
               : "memory");
}

/* Columns p0 .. p0+DEPTH-1, below `end`, of rows i0 .. i0+TILE-1, below m, of A to slot [DEPTH][LD]. */
template <class S, class T>
static __device__ __forceinline__ void product_load(T *slot, const T *__restrict__ A, size_t lda, int m,
                                                    int i0, int p0, int end)
{
  enum { PER = 16 / (int)sizeof(T), CHUNKS = S::TILE / PER, STEP = S::THREADS / CHUNKS };
  static_assert(S::THREADS % CHUNKS == 0 && S::DEPTH % STEP == 0,
                "a thread copies the same rows of every column");
  const int p = (int)threadIdx.x / CHUNKS, i = (int)threadIdx.x % CHUNKS * PER, left = m - i0 - i;
  const int rows = left <= 0 ? 0 : left < PER ? left * (int)sizeof(T) : 16;
  const T  *from = A + (size_t)(p0 + p) * lda + (i0 + i);
#pragma unroll
  for (int q = 0; q < S::DEPTH; q += STEP) {
    const int bytes = p0 + p + q < end ? rows : 0;
    product_copy(slot + (p + q) * S::LD + i, bytes > 0 ? from + (size_t)q * lda : A, bytes);
  }
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
static __device__ __forceinline__ void product_mma(float (&c)[4], const tf32_pair (&a)[4],
                                                   const tf32_pair (&b)[2])
{
  mma(c, a, b);
}

template <class S, class T>
static __device__ __forceinline__ void product_multiply(T (&acc)[S::MI][S::NI][4], const T *slot)
{
  enum { STEP = sizeof(T) == 8 ? 16 : 8 };
  const int lane = (int)threadIdx.x % 32, warp = (int)threadIdx.x / 32, g = lane / 4, t = lane % 4;
  const T  *a = slot + warp / S::COLUMNS * (16 * S::MI) + g + t * S::LD;
  const T  *b = slot + S::DEPTH * S::LD + warp % S::COLUMNS * (8 * S::NI) + g + t * S::LD;
#pragma unroll
  for (int p = 0; p < S::DEPTH; p += STEP) {
    mma_real<T> x[S::MI][STEP / 2], y[S::NI][STEP / 4];
#pragma unroll
    for (int i = 0; i < S::MI; i++)
#pragma unroll
      for (int e = 0; e < STEP / 2; e++)
        x[i][e] = mma_operand(a[(p + e / 2 * 4) * S::LD + 16 * i + e % 2 * 8]);
#pragma unroll
    for (int j = 0; j < S::NI; j++)
#pragma unroll
      for (int e = 0; e < STEP / 4; e++) y[j][e] = mma_operand(b[(p + 4 * e) * S::LD + 8 * j]);
#pragma unroll
    for (int i = 0; i < S::MI; i++)
#pragma unroll
      for (int j = 0; j < S::NI; j++) product_mma(acc[i][j], x[i], y[j]);
  }
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
 * time before the first is used: a load inside of a branch would be waited for at once.  FULL: all entries of
 * the tile belong to C. */
template <class S, bool FULL, class T>
static __device__ __forceinline__ void product_finish(T (&acc)[S::MI][S::NI][4], const product_task<T> &task,
                                                      product_tile at)
{
  const int  lane = (int)threadIdx.x % 32, warp = (int)threadIdx.x / 32, g = lane / 4, t = lane % 4;
  const int  i0   = at.i * S::TILE + warp / S::COLUMNS * (16 * S::MI) + g;
  const int  j0   = at.j * S::TILE + warp % S::COLUMNS * (8 * S::NI) + 2 * t;
  const bool keep = task.subtract && !product_own<S>(task, at);
  T         *c    = task.C + (size_t)j0 * task.ldc + i0;
#pragma unroll
  for (int j = 0; j < S::NI; j++, c += 8 * task.ldc) {
    T old[2][2 * S::MI];
#pragma unroll
    for (int e = 0; e < 2; e++)
#pragma unroll
      for (int h = 0; h < 2 * S::MI; h++) {
        const bool in = FULL || (i0 + 8 * h < task.m && j0 + 8 * j + e < task.n);
        old[e][h]     = keep && in ? c[e * task.ldc + 8 * h] : T(0);
      }
#pragma unroll
    for (int e = 0; e < 2; e++)
#pragma unroll
      for (int h = 0; h < 2 * S::MI; h++) {
        const int row = i0 + 8 * h, column = j0 + 8 * j + e;
        T        &v = acc[h / 2][j][e + h % 2 * 2];
        if (FULL || (row < task.m && column < task.n && (!task.lower || row >= column)))
          c[e * task.ldc + 8 * h] = task.subtract ? old[e][h] - v : v;
        v = 0;
      }
  }
}

template <class S, class T>
static __device__ __forceinline__ bool product_next(const product_task<T> &task, int tiles, product_place &w)
{
  w.p += S::DEPTH;
  if (w.p < w.end) return false;
  w.tile += (int)gridDim.x;
  product_enter<S>(task, tiles, w);
  return true;
}

template <class S, class T>
__global__ void __launch_bounds__(S::THREADS, S::BLOCKS) product_tall(product_task<T> task, int tiles)
{
  extern __shared__ __align__(16) unsigned char product_room[];
  T                                            *ring = reinterpret_cast<T *>(product_room);
  product_place                                 load = {(int)blockIdx.x, 0, 0, {0, 0}};
  product_enter<S>(task, tiles, load);
  product_place now  = load;
  int           slot = 0;
  const auto    fill = [&](int s) {
    if (load.tile < tiles) {
      T *to = ring + s * S::SLOT;
      product_load<S>(to, task.A, task.lda, task.m, load.at.i * S::TILE, load.p, load.end);
      product_load<S>(to + S::DEPTH * S::LD, task.B, task.ldb, task.n, load.at.j * S::TILE, load.p, load.end);
      product_next<S>(task, tiles, load);
    }
    cp_async_commit_group();
  };
  T acc[S::MI][S::NI][4] = {};
  for (int s = 0; s < S::STAGES - 1; s++) fill(s);
  if (now.tile < tiles && task.subtract) product_ask<S>(task, now.at);
  while (now.tile < tiles) {
    cp_async_wait_group<S::STAGES - 2>();
    __syncthreads();
    fill(slot == 0 ? S::STAGES - 1 : slot - 1);
    product_multiply<S>(acc, ring + slot * S::SLOT);
    slot                    = slot + 1 == S::STAGES ? 0 : slot + 1;
    const product_tile done = now.at;
    if (!product_next<S>(task, tiles, now)) continue;
    if (product_full<S>(task, done))
      product_finish<S, true>(acc, task, done);
    else
      product_finish<S, false>(acc, task, done);
    if (now.tile < tiles && task.subtract) product_ask<S>(task, now.at);
  }
  cp_async_wait_all();
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
