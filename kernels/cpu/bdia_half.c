/* kernels/cpu/bdia_half.c - y = A x with the half of a symmetric A, every value read once
 *
 *     y[i] += U_k[i] x[i + off_k],   y[i + off_k] += U_k[i]^T x[i],   for the rows i in ascending order
 *
 * Order    chunks of rows, whatever the threads; in a chunk tiles of rows, in a tile groups of neighbouring
 *          diagonals (mirror.h).  What a chunk adds to rows of the next goes to a tail of its own, which that
 *          chunk adds to its first `reach` rows when all are through: two passes, one barrier.
 * Cost     4 flops a stored value, U once, x and y about once from memory: the part of both that a tile
 *          reaches, 2 reach entries, stays in cache.
 */
#include "kernels/cpu/bdia_half.h"
#include "kernels/cpu/cpu.h"
#include "kernels/mirror.h"
#include <omp.h>
#include <string.h>

enum { TILE1 = 2048, TILE = 512 }; /* node rows of a tile, D = 1 and more */

int bf_cpu_half_chunks(const bf_bdia *A)
{
  const int64_t n = A->nrows, reach = A->reach;
  if (!A->half || A->ncomp > BF_MIRROR_D) return 0;
  return n * A->ncomp <= BF_CPU_SMALL ? 1
         : n >= 256 * reach           ? 64
         : n >= 64 * reach            ? 32
         : n >= 16 * reach            ? 16
                                      : 0;
}

typedef struct half {
  const bf_bdia *A;
  bf_isa         isa;
  const double  *x, *w;
  double        *y;
  int64_t        len;  /* rows of a chunk */
  double        *part; /* [chunks][2][2]: w.y and y.y of the rows behind the first `reach`, and of those */
} half;

typedef struct chunk {
  const half *H;
  int64_t     i0, i1, own; /* its rows; from `own` on no other chunk adds to them */
  double     *tail;        /* [reach D]: what it adds to the next */
  double     *part;
} chunk;

static chunk chunk_of(const half *H, int64_t c, double *tail)
{
  const bf_bdia *A  = H->A;
  const int64_t  i0 = c * H->len, i1 = i0 + H->len, n = A->nrows, own = c > 0 ? i0 + A->reach : i0;
  return (chunk){.H    = H,
                 .i0   = i0 < n ? i0 : n,
                 .i1   = i1 < n ? i1 : n,
                 .own  = own < n ? own : n,
                 .tail = tail,
                 .part = H->part + 4 * c};
}

/* Diagonals k .. k+g-1 of S for the rows i .. i+n-1, whose targets are all in the chunk or all behind it. */
static void run(const chunk *C, const bf_bdia_seg *S, int k, int g, int64_t i, int64_t n)
{
  const half    *H = C->H;
  const bf_bdia *A = H->A;
  const int      D = A->ncomp, bytes = A->prec == BF_FP32 ? 4 : 8;
  const int64_t  off = A->off[S->diag0 + k], to = i + off;
  const void    *v[BF_MIRROR_GROUP * BF_MIRROR_D];
  if (n <= 0) return;
  for (int p = 0; p < g * D; p++)
    v[p] = (const char *)A->values + bytes * bf_bdia_at(S, D, k * D + p, (i - S->row0) * D);
  double *t = to < C->i1 ? H->y + to * D : C->tail + (to - C->i1) * D;
  bf_cpu_mirror(H->isa, A->prec == BF_FP32, D, g)(n, v, H->x + i * D, H->x + to * D, H->y + i * D,
                                                  off == 0 && g == 1 ? NULL : t);
}

/* Group of `g` diagonals from k on: whole where it may be, else one diagonal after the other and cut. */
static void group(const chunk *C, const bf_bdia_seg *S, int k, int g, int64_t i, int64_t n)
{
  const int64_t off = C->H->A->off[S->diag0 + k], rows = C->H->A->nrows;
  if (i + n + off + g - 1 <= (i + off < C->i1 ? C->i1 : rows)) {
    run(C, S, k, g, i, n);
    return;
  }
  for (int q = 0; q < g; q++) {
    const int64_t to = i + off + q, all = to + n < rows ? n : rows - to, in = to + n < C->i1 ? n : C->i1 - to,
                  first = in > 0 ? in : 0;
    run(C, S, k + q, 1, i, first);
    run(C, S, k + q, 1, i + first, all - first);
  }
}

static void dots(const half *H, int64_t i0, int64_t i1, double *part)
{
  const int D = H->A->ncomp;
  if (!H->w || i0 >= i1) return;
  part[0] += bf_cpu_dot((i1 - i0) * D, H->w + i0 * D, H->y + i0 * D);
  part[1] += bf_cpu_dot((i1 - i0) * D, H->y + i0 * D, H->y + i0 * D);
}

static void sweep_segment(const chunk *C, const bf_bdia_seg *S)
{
  const bf_bdia *A    = C->H->A;
  const int64_t  rows = A->ncomp == 1 ? TILE1 : TILE, end = (int64_t)S->row0 + S->nrows;
  const int64_t  i0 = C->i0 > S->row0 ? C->i0 : S->row0, i1 = C->i1 < end ? C->i1 : end;
  const bf_int  *off = A->off + S->diag0;
  for (int64_t i = i0; i < i1; i += rows) {
    const int64_t n = i1 - i < rows ? i1 - i : rows;
    for (int k = 0, g; k < S->ndiag; k += g) {
      for (g = 1; g < BF_MIRROR_GROUP && k + g < S->ndiag && off[k + g] == off[k] + g; g++) {}
      group(C, S, k, g, i, n);
    }
    dots(C->H, i > C->own ? i : C->own, i + n, C->part);
  }
}

static void sweep(const chunk *C)
{
  const half  *H = C->H;
  const size_t D = (size_t)H->A->ncomp;
  memset(H->y + C->i0 * (int64_t)D, 0, (size_t)(C->i1 - C->i0) * D * sizeof(double));
  memset(C->tail, 0, (size_t)H->A->reach * D * sizeof(double));
  for (int s = 0; s < H->A->nseg; s++) sweep_segment(C, &H->A->seg[s]);
}

/* The tail of the chunk before is added to the first rows. */
static void finish(const chunk *C, const double *tail)
{
  const int D = C->H->A->ncomp;
  double   *y = C->H->y + C->i0 * D;
  for (int64_t r = 0; r < (C->own - C->i0) * D; r++) y[r] += tail[r];
  dots(C->H, C->i0, C->own, C->part + 2);
}

/* Chunks one after another by one thread, which keeps two tails; the first is left to be finished when the
 * thread before is through. */
static void sweep_all(const half *H, int64_t first, int64_t behind, double *tail)
{
  const int64_t len = (int64_t)H->A->reach * H->A->ncomp;
  for (int64_t c = first; c < behind; c++) {
    const chunk C = chunk_of(H, c, tail + c % 2 * len);
    sweep(&C);
    if (c > first) finish(&C, tail + (c + 1) % 2 * len);
  }
}

bf_err bf_cpu_half_spmv(bf_backend *be, const bf_bdia *A, const double *x, double *y, const double *w,
                        double *dot)
{
  const int64_t n = A->nrows, chunks = bf_cpu_half_chunks(A), tails = 2 * (int64_t)A->reach * A->ncomp;
  double       *scratch;
  half          H = {.A = A, .isa = bf_cpu_isa(), .x = x, .w = w, .y = y};
  H.len           = ((n + chunks - 1) / chunks + BF_MIRROR_BLOCK - 1) / BF_MIRROR_BLOCK * BF_MIRROR_BLOCK;
  BF_TRY(bf_cpu_scratch(be, 4 * chunks + omp_get_max_threads() * tails, &scratch));
  H.part = scratch;
  memset(H.part, 0, (size_t)chunks * 4 * sizeof(double));
#pragma omp parallel if (chunks > 1)
  {
    const int64_t T = omp_get_num_threads(), t = omp_get_thread_num(), first = chunks * t / T,
                  behind = chunks * (t + 1) / T;
    double *const tail   = scratch + 4 * chunks + t * tails;
    sweep_all(&H, first, behind, tail);
#pragma omp barrier
    for (int64_t s = t - 1; s >= 0 && first > 0 && first < behind;
         s--) { /* the thread with the chunk before */
      if (chunks * s / T == first) continue;
      const chunk C = chunk_of(&H, first, NULL);
      finish(&C, scratch + 4 * chunks + s * tails + (first + 1) % 2 * tails / 2);
      break;
    }
  }
  if (w) bf_cpu_add_up(2 * chunks, 2, H.part, dot);
  return BF_OK;
}
