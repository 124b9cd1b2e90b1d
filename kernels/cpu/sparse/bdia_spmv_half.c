/* kernels/cpu/sparse/bdia_spmv_half.c - y = A x with the half of a symmetric A, every value read once
 *
 *     y[i] += U_k[i] x[i + off_k],   y[i + off_k] += U_k[i]^T x[i],   for the rows i in ascending order
 *
 * Order    that of one thread, for any number of threads: each starts so far before its own rows that its
 *          ring (bdia_half_simd.h) contains the contributions of earlier rows when it reaches them. No
 *          synchronisation.
 * Cost     4 flops per stored value, U once, x and y once from memory; each thread but the first reads U of
 *          `reach` rows again. x of the rows that a tile reaches, and the ring, `reach` entries each, stay
 *          in cache.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cpu/sparse/bdia_spmv_half.h"
#include "kernels/cpu/backend/cpu.h"
#include "kernels/cpu/sparse/bdia_half_simd.h"
#include <omp.h>
#include <string.h>

enum {
  BLOCK  = 32,     /* nodes: segments begin at multiples, tiles have as many or a part of it */
  STEP   = 1024,   /* nodes of a call, whose dots are one sum: multiple of a block */
  LINE   = 8,      /* doubles of a line of the cache */
  CACHED = 1 << 24 /* bytes of values that two products after each other may find in a cache, at most */
};

/* Largest number of rows after its own that a tile adds to */
static int64_t far(const bf_bdia *A)
{
  return (int64_t)A->reach + BF_HALF_TILES_PAST;
}

int bf_cpu_half_once(const bf_bdia *A)
{
  const int64_t n = A->nrows;
  return A->half && A->ncomp <= BF_HALF_TILES_D && (n * A->ncomp <= BF_CPU_SMALL || n >= 8 * far(A));
}

int bf_cpu_bdia_layout(const bf_bdia *A, int *by_component)
{
  *by_component = bf_cpu_half_once(A);
  return bf_bdia_tile_nodes(A->ncomp);
}

static int64_t least(int64_t a, int64_t b)
{
  return a < b ? a : b;
}

static int64_t round_up(int64_t n, int64_t unit)
{
  return (n + unit - 1) / unit * unit;
}

typedef struct half {
  const bf_bdia     *A;
  bf_bdia_half_tiles add;
  const double      *x, *w;
  double            *y, *part; /* part[steps][2]: w.y, y.y */
} half;

static int64_t ring_size(const bf_bdia *A)
{
  return round_up((int64_t)A->reach + BF_HALF_TILES_WRAP, BLOCK);
}

/* Doubles of a ring with the entries after its end, in whole blocks */
static int64_t ring_values(const bf_bdia *A)
{
  return (ring_size(A) + round_up(BF_HALF_TILES_PAST, BLOCK)) * A->ncomp;
}

/* Offset in doubles that aligns the ring, so that the sums of most rows and groups of diagonals start at
 * a cache line: an access that crosses two lines costs twice as much. */
static int64_t ring_shift(const bf_bdia *A)
{
  int64_t rows[LINE] = {0};
  int     best       = 0;
  for (int s = 0; s < A->nseg; s++) {
    const bf_bdia_seg *S = &A->seg[s];
    rows[0] += S->nrows; /* the tile's own */
    for (int k = 0; k < S->ndiag; k++) {
      const int64_t off = A->off[S->diag0 + k];
      if (off > 1 && (k == 0 || A->off[S->diag0 + k - 1] != off - 1)) rows[off * A->ncomp % LINE] += S->nrows;
    }
  }
  for (int r = 1; r < LINE; r++)
    if (rows[r] > rows[best]) best = r;
  return (LINE - best) % LINE;
}

/* Where values come from memory, AMD processors use another loop. */
static bf_bdia_half_tiles loop(const bf_bdia *A)
{
  const int    fp32     = A->prec == BF_FP32;
  const bf_isa isa      = bf_cpu_isa();
  const int    long_run = A->nvalues * (fp32 ? 4 : 8) > CACHED;
  return bf_cpu_bdia_half_tiles(isa == BF_ISA_AVX512_AMD && !long_run ? BF_ISA_AVX512 : isa, fp32, A->ncomp);
}

/* The rows i0 .. i1-1 of S, y of the first; the last tile of all may have rows that y has not. */
static void add_rows(const half *H, const bf_bdia_seg *S, int64_t i0, int64_t i1, double *y, bf_ring *ring)
{
  const bf_bdia *A = H->A;
  const int64_t  D = A->ncomp, tile = bf_bdia_tile_nodes(A->ncomp), whole = (i1 - i0) / tile,
                rest = (i1 - i0) % tile, i = i0 + whole * tile, bytes = A->prec == BF_FP32 ? 4 : 8;
  const char   *v   = (const char *)A->values + bytes * bf_bdia_at(S, A->ncomp, 0, (i0 - S->row0) * D);
  const bf_int *off = A->off + S->diag0;
  double        last[BLOCK];
  H->add(whole, S->ndiag, off, v, H->x + i0 * D, y, ring);
  if (rest == 0) return;
  H->add(1, S->ndiag, off, v + bytes * whole * tile * D * D * S->ndiag, H->x + i * D, last, ring);
  memcpy(y + whole * tile * D, last, (size_t)(rest * D) * sizeof *y);
}

/* The steps own .. s1-1, and as many before them as the ring needs, whose y is discarded. room: aligned
 * memory for a ring, a line and y of a step */
static void sweep(const half *H, int64_t own, int64_t s1, double *room)
{
  const bf_bdia *A      = H->A;
  const int      D      = A->ncomp;
  const int64_t  before = own * STEP - far(A), s0 = before > 0 ? before / STEP : 0;
  bf_ring        ring  = {.sum = room + ring_shift(A), .size = ring_size(A), .at = s0 * STEP % ring_size(A)};
  double *const  aside = room + ring_values(A) + BLOCK;
  int            k     = 0;
  memset(ring.sum, 0, (size_t)ring_values(A) * sizeof *ring.sum);
  for (int64_t s = s0; s < s1; s++) {
    const int64_t i0 = s * STEP, i1 = least(i0 + STEP, A->nrows);
    double *const y = s < own ? aside : H->y + i0 * D;
    for (int64_t i = i0, end; i < i1; i = end) {
      while (A->seg[k].row0 + A->seg[k].nrows <= i) k++;
      end = least(i1, (int64_t)A->seg[k].row0 + A->seg[k].nrows);
      add_rows(H, &A->seg[k], i, end, y + (i - i0) * D, &ring);
    }
    if (!H->w || s < own) continue;
    H->part[2 * s]     = bf_cpu_dot((i1 - i0) * D, H->w + i0 * D, y);
    H->part[2 * s + 1] = bf_cpu_dot((i1 - i0) * D, y, y);
  }
}

/* First step of thread t of T: all have as many rows, including those before their own. */
static int64_t first_step(const bf_bdia *A, int64_t steps, int64_t t, int64_t T)
{
  const int64_t each = (A->nrows - far(A)) / T;
  return t == 0 ? 0 : t == T ? steps : least(steps, (far(A) + t * each + STEP / 2) / STEP);
}

bf_err bf_cpu_half_spmv(bf_backend *be, const bf_bdia *A, const double *x, double *y, const double *w,
                        double *dot)
{
  const int64_t n = A->nrows, steps = (n + STEP - 1) / STEP, parts = round_up(2 * steps, BLOCK),
                each = ring_values(A) + BLOCK + (int64_t)STEP * A->ncomp;
  const int most     = n * A->ncomp <= BF_CPU_SMALL ? 1 : (int)least(omp_get_max_threads(), n / far(A));
  double   *scratch;
  half      H = {.A = A, .add = loop(A), .x = x, .w = w, .y = y};
  BF_TRY(bf_cpu_scratch(be, parts + most * each + LINE, &scratch));
  scratch = (double *)round_up((int64_t)(uintptr_t)scratch, LINE * (int64_t)sizeof *scratch);
  H.part  = scratch;
#pragma omp parallel if (most > 1)
  {
    const int64_t t = omp_get_thread_num(), T = least(omp_get_num_threads(), most);
    if (t < T)
      sweep(&H, first_step(A, steps, t, T), first_step(A, steps, t + 1, T), scratch + parts + t * each);
  }
  if (w) bf_cpu_add_up(steps, 2, H.part, dot);
  return BF_OK;
}
