/* kernels/cuda/sparse/bdia_spmv_half_stencil27.cu - y = A x, symmetric bDIA of a 27-point stencil on a
 * grid: every value is loaded once per multiprocessor and used twice
 *
 * Computes   as bdia_spmv_half.cu, for the offsets 0, 1, m-1, m, m+1 and P + d, d = -m-1, -m, ..., m+1, of
 *            a grid with rows of m and planes of P.
 * Source     own (2.5D blocking). A block owns a patch of `width` consecutive rows in each of several
 *            consecutive planes and processes them in order. A value of an offset P + d is used for a row
 *            of this plane and for one of the next, whose sum stays in a register until the block reaches
 *            that plane. The values of a diagonal needed by the patch (its own rows and those d before or
 *            after it) are copied to shared memory as one contiguous piece; a ring buffer keeps enough
 *            copies in flight.
 * Layout     matrix/matrix.h, one segment, D = 1, any number of rows. An item of the ring is one to three
 *            diagonals, or the entries of x of the next plane: each x is loaded once per patch; of this
 *            plane's, nine per row stay in registers.
 * Cost       memory: bf_bdia_product_bytes. From L2: (width + m) / width of that, against the second read
 *            of 13 of 14 values that bounds bdia_spmv_half.cu. Before its first plane a block processes the
 *            nine diagonals of the previous plane.
 * Launch     threads of ROWS rows and one copying warp; one block per multiprocessor, at most as many
 *            blocks as multiprocessors. H200, 2026-11-22, 128^3, 200^3, 320^3: fp64 80, 294, 1254 us by
 *            bdia_spmv_half.cu, 72, 259, 988 here; fp32 54, 179, 719 and 44, 147, 637.
 * Checked    tests/kernels/sparse/t354_band_shapes.c against long double.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cuda/device/async_bulk_copy.cuh"
#include "kernels/cuda/sparse/bdia_view.cuh"

namespace bf
{

enum { ROWS = 2, POINTS = 14, MIN_ROWS = 200000, BARRIER_BYTES = 512, MAX_SLOTS = 24, PAGE = 512 };
/* Items of a plane: {0, 1}, {m-1, m, m+1}, x, then the offsets of the next plane by rows. */
enum { IN_PLANE_ITEMS = 2, X_ITEM = 2, ITEMS = 6 };

/* Threads that compute; speed of a block relative to an equal share when other multiprocessors are idle */
template <typename T>
struct stencil_shape {
  static constexpr bool   wide         = sizeof(T) == sizeof(double);
  static constexpr int    threads      = wide ? 608 : 512;
  static constexpr double idle_speedup = wide ? 1.3 : 1.0;
};

struct patch_plan {
  int64_t plane;                /* P */
  int64_t x_end;                /* entries of x exist up to here */
  int     m, width, patches;    /* in-plane */
  int     planes, block_planes; /* in all, of a block */
  int     room, slots;          /* entries of a copy in the ring, slots of 3 * room */
};

/* Offset of diagonal k, without P for those of the next plane. */
static __host__ __device__ __forceinline__ int shift_of(int k, int m)
{
  return k < 2 ? k : k < 5 ? m + k - 3 : ((k - 5) / 3 - 1) * m + (k - 5) % 3 - 1;
}

/* Entries that a copy of a diagonal includes before and after the patch */
static __device__ __forceinline__ int halo_before(int shift)
{
  return shift > 0 ? shift : 0;
}
static __device__ __forceinline__ int halo_after(int k, int shift)
{
  return k >= 5 && shift < 0 ? -shift : 0;
}

/* The copying warp: lane 3 i + j starts the j-th copy of item i. */
template <typename T>
static __device__ __forceinline__ void copy_planes(const bdia_args &g, const patch_plan &s, const T *values,
                                                   int64_t first, int z0, int z1, int wide, uint64_t *full,
                                                   uint64_t *empty, unsigned char *ring)
{
  constexpr int64_t UNIT = 16 / sizeof(T);
  const int         lane = (int)threadIdx.x & 31, item = lane / 3, j = lane % 3;
  const bool        is_x = item == X_ITEM, has = item < ITEMS && !(item == 0 && j == 2) && !(is_x && j > 0);
  const int         k = item < IN_PLANE_ITEMS ? 2 * item + j : 5 + 3 * (item - X_ITEM - 1) + j,
            shift     = shift_of(k, s.m);
  const int     lead = is_x ? s.m + 1 : halo_before(shift), tail = is_x ? s.m + 1 : halo_after(k, shift);
  ring_position at = {0, 1};
  for (int z = z0 - 1; z < z1; z++) {
    const int64_t begin = z * s.plane + first - lead + (is_x ? s.plane : 0), unit = is_x ? 2 : UNIT;
    int64_t       end = begin + lead + wide + tail;
    if (is_x) end = min(end, s.x_end); /* the rest of the slot is used by rows past the matrix only */
    const int64_t  from = begin & -unit, count = (end - from + unit - 1) & -unit;
    const uint32_t bytes  = has && count > 0 ? (uint32_t)(count * (is_x ? 8 : (int)sizeof(T))) : 0;
    const uint32_t second = __shfl_down_sync(~0u, bytes, 1), third = __shfl_down_sync(~0u, bytes, 2);
    for (int i = z < z0 ? X_ITEM : 0; i < ITEMS; i++) {
      if (item == i && j == 0) {
        mbarrier_wait(empty + at.slot, at.phase);
        mbarrier_arrive_expect_tx(full + at.slot, bytes + second + third);
      }
      __syncwarp();
      if (item == i && bytes > 0) {
        fence_proxy_async();
        void *to = ring + ((size_t)at.slot * 3 + j) * s.room * sizeof(T);
        cp_async_bulk(to, is_x ? (const void *)(g.x + from) : values + g.seg.base + k * g.seg.ld + from,
                      bytes, full + at.slot);
      }
      ring_advance(at, s.slots);
    }
  }
}

/* Address of row 0 of the patch in the j-th copy of a slot; the plane starts at row `plane`. */
template <typename T>
static __device__ __forceinline__ const T *slot_row0(const unsigned char *ring, const patch_plan &s, int slot,
                                                     int j, int lead, int64_t plane)
{
  constexpr int UNIT = 16 / sizeof(T);
  return reinterpret_cast<const T *>(ring) + (slot * 3 + j) * s.room + lead +
         ((int)(plane - lead) & (UNIT - 1));
}

/* y += the terms of the item's diagonals 0, 1 or m-1, m, m+1 in this plane, and their transposes */
template <typename T, int ITEM>
static __device__ __forceinline__ void add_in_plane(const patch_plan &s, const unsigned char *ring, int slot,
                                                    int64_t plane, const int (&p)[ROWS],
                                                    const double (&x)[9][ROWS], double (&y)[ROWS])
{
#pragma unroll
  for (int j = 0; j < 2 + ITEM; j++) {
    const int k = 2 * ITEM + j, shift = shift_of(k, s.m), right = k == 0 ? 4 : k == 1 ? 5 : 4 + k;
    const T  *u = slot_row0<T>(ring, s, slot, j, shift, plane);
#pragma unroll
    for (int r = 0; r < ROWS; r++) {
      y[r] += (double)u[p[r]] * x[right][r];
      if (k > 0) y[r] += (double)u[p[r] - shift] * x[8 - right][r];
    }
  }
}

/* The terms of the offsets P + (ROW - 1) m - 1, 0, + 1: y of this plane with x of the next, `next` of the
 * next plane with x of this. x_next: entry of row 0 of the patch. */
template <typename T, int ROW>
static __device__ __forceinline__ void
add_next_plane(const patch_plan &s, const unsigned char *ring, int slot, int64_t plane, const int (&p)[ROWS],
               const double *x_next, double (&x)[9][ROWS], double (&y)[ROWS], double (&next)[ROWS])
{
  double ahead[3][ROWS];
#pragma unroll
  for (int j = 0; j < 3; j++) {
    const int k = 5 + 3 * ROW + j, shift = shift_of(k, s.m);
    const T  *u = slot_row0<T>(ring, s, slot, j, halo_before(shift), plane);
#pragma unroll
    for (int r = 0; r < ROWS; r++) {
      ahead[j][r] = x_next[p[r] + (ROW - 1) * s.m + j - 1];
      y[r] += (double)u[p[r]] * ahead[j][r];
      next[r] += (double)u[p[r] - shift] * x[8 - 3 * ROW - j][r];
    }
  }
  /* x becomes that of the next plane: its row 0 replaces row 2, which is not needed any more */
#pragma unroll
  for (int j = 0; j < 3; j++)
#pragma unroll
    for (int r = 0; r < ROWS; r++) {
      if (ROW == 2) x[j][r] = x[6 + j][r];
      x[(ROW == 1 ? 3 : 6) + j][r] = ahead[j][r];
    }
}

template <typename T, int EPILOGUE>
static __device__ __forceinline__ void
sweep_planes(const bdia_args &g, const patch_plan &s, int64_t first, int z0, int z1, int wide, uint64_t *full,
             uint64_t *empty, const unsigned char *ring, double alpha, double (&sum)[bdia_nsums<EPILOGUE>])
{
  constexpr int THREADS = stencil_shape<T>::threads;
  int           p[ROWS];
  double        x[9][ROWS], next[ROWS];
  ring_position at = {0, 0};
#pragma unroll
  for (int r = 0; r < ROWS; r++) { /* rows past the patch are copies of its last */
    p[r]    = min((int)threadIdx.x + r * THREADS, wide - 1);
    next[r] = 0.0;
#pragma unroll
    for (int c = 0; c < 9; c++)
      x[c][r] = __ldg(g.x + (z0 - 1) * s.plane + first + p[r] + (c / 3 - 1) * s.m + c % 3 - 1);
  }
#define WITH_SLOT(call)                                                                                      \
  do {                                                                                                       \
    mbarrier_wait(full + at.slot, at.phase);                                                                 \
    call;                                                                                                    \
    mbarrier_arrive(empty + at.slot);                                                                        \
    ring_advance(at, s.slots);                                                                               \
  } while (0)
  for (int z = z0 - 1; z < z1; z++) {
    const int64_t plane = z * s.plane + first;
    double        y[ROWS];
    double2       loaded[ROWS];
#pragma unroll
    for (int r = 0; r < ROWS; r++) {
      const bool mine = z >= z0 && (int)threadIdx.x + r * THREADS < wide && plane + p[r] < g.n;
      y[r]            = next[r];
      next[r]         = 0.0;
      loaded[r]       = mine ? bdia_load_row<EPILOGUE>(g, plane + p[r]) : make_double2(0.0, 0.0);
    }
    if (z >= z0) {
      WITH_SLOT((add_in_plane<T, 0>(s, ring, at.slot, plane, p, x, y)));
      WITH_SLOT((add_in_plane<T, 1>(s, ring, at.slot, plane, p, x, y)));
    }
    const int     x_slot = at.slot;
    const double *x_next = reinterpret_cast<const double *>(ring + (size_t)x_slot * 3 * s.room * sizeof(T)) +
                           s.m + 1 + ((int)(plane + s.plane - s.m - 1) & 1);
    mbarrier_wait(full + x_slot, at.phase);
    ring_advance(at, s.slots);
    WITH_SLOT((add_next_plane<T, 0>(s, ring, at.slot, plane, p, x_next, x, y, next)));
    WITH_SLOT((add_next_plane<T, 1>(s, ring, at.slot, plane, p, x_next, x, y, next)));
    WITH_SLOT((add_next_plane<T, 2>(s, ring, at.slot, plane, p, x_next, x, y, next)));
    mbarrier_arrive(empty + x_slot);
#pragma unroll
    for (int r = 0; r < ROWS; r++) {
      if (z < z0 || (int)threadIdx.x + r * THREADS >= wide || plane + p[r] >= g.n) continue;
      bdia_store_loaded_row<EPILOGUE>(g, alpha, plane + p[r], y[r], loaded[r], sum);
    }
  }
#undef WITH_SLOT
}

template <typename T, int EPILOGUE>
static __global__ void __launch_bounds__(stencil_shape<T>::threads + 32, 1)
    bdia_stencil27(const __grid_constant__ bdia_args g, const __grid_constant__ patch_plan s,
                   const T *__restrict__ values)
{
  constexpr int     THREADS = stencil_shape<T>::threads;
  extern __shared__ __align__(128) unsigned char shared[];
  uint64_t      *full = reinterpret_cast<uint64_t *>(shared), *empty = full + MAX_SLOTS;
  unsigned char *ring                      = shared + BARRIER_BYTES;
  double         sum[bdia_nsums<EPILOGUE>] = {}, alpha;
  if (!bdia_running<EPILOGUE>(g, &alpha)) return;
  if (threadIdx.x == 0) {
    for (int i = 0; i < s.slots; i++) {
      mbarrier_init(full + i, 1);
      mbarrier_init(empty + i, THREADS);
    }
    mbarrier_init_fence();
  }
  __syncthreads();
  const int     z0 = (int)blockIdx.x / s.patches * s.block_planes, z1 = min(s.planes, z0 + s.block_planes);
  const int64_t first = (int64_t)(blockIdx.x % s.patches) * s.width;
  const int     wide  = (int)min((int64_t)s.width, s.plane - first);
  if (z0 < z1 && threadIdx.x >= THREADS)
    copy_planes(g, s, values, first, z0, z1, wide, full, empty, ring);
  else if (z0 < z1)
    sweep_planes<T, EPILOGUE>(g, s, first, z0, z1, wide, full, empty, ring, alpha, sum);
  bdia_dots<EPILOGUE>(sum, g);
}

/* ---- plan ---- */

/* m and P, if the offsets are those of a grid; otherwise false */
static bool stencil_of(const bf_bdia *A, int *m, int64_t *plane)
{
  if (A->ndiag != POINTS) return false;
  *m     = A->off[3];
  *plane = A->off[9];
  if (*m < 4 || *plane < 4 * (int64_t)*m) return false;
  if (A->nrows % 2 != 0 && A->reach % 32 == 0)
    return false; /* copies of x end at even entries of its guard */
  for (int k = 0; k < POINTS; k++)
    if (A->off[k] != shift_of(k, *m) + (k >= 5 ? *plane : 0)) return false;
  return true;
}

/* Width of the patches and number of planes per block, from the work of a block (rows, those copied for
 * its neighbours and for the plane before its first included) and of all. Widths are multiples of 32
 * entries, so that patches start at cache lines; at 320^3 fp64, 1024 (all start at pages of 4 KiB) takes
 * 988 us where 992 takes 1120. False if the overhead of halo rows or idle multiprocessors is too large. */
template <typename T>
static bool make_plan(const bf_backend *be, const bf_bdia *A, patch_plan *s)
{
  const int sms = bf_cuda_of(be)->sms, budget = 226 * 1024 - BARRIER_BYTES;
  double    best = INFINITY;
  if (!stencil_of(A, &s->m, &s->plane)) return false;
  s->x_end  = (int64_t)A->nrows + A->reach;
  s->planes = (int)((A->nrows + s->plane - 1) / s->plane);
  for (int width = 256; width <= stencil_shape<T>::threads * ROWS; width += 32) {
    const int patches        = (int)((s->plane + width - 1) / width);
    const int blocks_along_z = sms / patches < s->planes ? sms / patches : s->planes;
    const int room = (width + s->m + 40) / 32 * 32, bytes = 3 * room * (int)sizeof(T), slots = budget / bytes;
    if (blocks_along_z < 1 || slots < 5 || (width + 2 * s->m + 6) * 8 > bytes) continue;
    const int    block_planes = (s->planes + blocks_along_z - 1) / blocks_along_z;
    const double work         = (block_planes + 0.65) * (width + 0.7 * s->m + 40.0);
    const bool   page_aligned = s->plane % PAGE == 0 && width % PAGE == 0 && stencil_shape<T>::wide;
    const double cost = fmax(work * patches * blocks_along_z / sms, work / stencil_shape<T>::idle_speedup) *
                        (page_aligned ? 0.95 : 1.0);
    if (cost >= best) continue;
    best            = cost;
    s->width        = width;
    s->patches      = patches;
    s->block_planes = block_planes;
    s->room         = room;
    s->slots        = slots < MAX_SLOTS ? slots : MAX_SLOTS;
  }
  return best < 1.75 * A->nrows / sms;
}

bool bf_cuda_bdia_is_stencil27(const bf_backend *be, const bf_bdia *A, const double *x)
{
  patch_plan s;
  if ((uintptr_t)x % 16 != 0 || !A->half || A->ncomp != 1 || A->nseg != 1 || A->nrows < MIN_ROWS)
    return false;
  return (A->prec == BF_FP64 ? make_plan<double> : make_plan<float>)(be, A, &s);
}

template <typename T>
static bf_err launch(bf_backend *be, const bf_bdia *A, bdia_args *g)
{
  patch_plan s;
  BF_CHECK(make_plan<T>(be, A, &s), BF_E_INTERNAL, "not the diagonals of a grid");
  const size_t   room   = BARRIER_BYTES + (size_t)s.slots * 3 * s.room * sizeof(T);
  const unsigned blocks = (unsigned)(s.patches * ((s.planes + s.block_planes - 1) / s.block_planes));
#define STENCIL27(epilogue) bdia_stencil27<T, epilogue>
  auto *kernel = BDIA_BY_EPILOGUE(g, STENCIL27);
  BF_TRY(BF_CUDA(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)room)));
  BF_TRY(bf_cuda_bdia_partials(be, g, blocks));
  kernel<<<blocks, stencil_shape<T>::threads + 32, room, bf_cuda_of(be)->stream>>>(
      *g, s, static_cast<const T *>(A->values));
  return bf_cuda_bdia_add_partials(be, g, blocks);
}

bf_err bf_cuda_bdia_stencil27(bf_backend *be, const bf_bdia *A, bdia_args *g)
{
  return (A->prec == BF_FP64 ? launch<double> : launch<float>)(be, A, g);
}

} // namespace bf
