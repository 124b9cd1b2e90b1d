/* kernels/cpu/bdia_half.c - y = A x with the half of a symmetric A, every value read once
 *
 *     y[i] += U_k[i] x[i + off_k],   y[i + off_k] += U_k[i]^T x[i],   for the rows i in ascending order
 *
 * Order    chunks of rows, whatever the threads; a chunk has the tiles of values (mirror.h) that begin in it.
 *          What it adds behind its end, or near it, goes to a tail of its own; what is behind the end is
 *          added to the first rows of the next chunk when all are through: two passes, one barrier.
 * Cost     4 flops a stored value, U once, x and y about once from memory: the part of both that a tile
 *          reaches, 2 reach entries, stays in cache.
 */
#include "kernels/cpu/bdia_half.h"
#include "kernels/cpu/cpu.h"
#include "kernels/mirror.h"
#include <omp.h>
#include <string.h>

enum {
  BLOCK = 32, /* nodes of which a chunk has a multiple: whole tiles where a segment begins at one */
  PART  = 16, /* tiles between looks at what is done */
  PAST  = BF_MIRROR_PAST /* nodes of a tail before the end of its chunk, and behind its reach */
};

/* Rows behind the end of a chunk that it adds to, at most: its last tile begins in it. */
static int64_t far(const bf_bdia *A)
{
  return (int64_t)A->reach + PAST;
}

/* ... rounded up to whole cache lines. */
static int64_t fresh(const bf_bdia *A)
{
  return (far(A) + BLOCK - 1) / BLOCK * BLOCK;
}

int bf_cpu_half_chunks(const bf_bdia *A)
{
  const int64_t n = A->nrows;
  if (!A->half || A->ncomp > BF_MIRROR_D) return 0;
  return n * A->ncomp <= BF_CPU_SMALL ? 1
         : n >= 256 * far(A)          ? 64
         : n >= 64 * far(A)           ? 32
         : n >= 16 * far(A)           ? 16
         : n >= 8 * far(A)            ? 8
                                      : 0;
}

int bf_cpu_bdia_layout(const bf_bdia *A, int *by_component)
{
  *by_component = bf_cpu_half_chunks(A) > 0;
  return bf_stream_tile(A->ncomp);
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
  double     *tail;        /* [PAST + far][D]: what it adds to its last rows and to the next chunk */
  double     *part;
} chunk;

static chunk chunk_of(const half *H, int64_t c, double *tail)
{
  const bf_bdia *A  = H->A;
  const int64_t  i0 = c * H->len, i1 = i0 + H->len, n = A->nrows, own = c > 0 ? i0 + far(A) : i0;
  return (chunk){.H    = H,
                 .i0   = i0 < n ? i0 : n,
                 .i1   = i1 < n ? i1 : n,
                 .own  = own < n ? own : n,
                 .tail = tail,
                 .part = H->part + 4 * c};
}

static void dots(const half *H, int64_t i0, int64_t i1, double *part)
{
  const int D = H->A->ncomp;
  if (!H->w || i0 >= i1) return;
  part[0] += bf_cpu_dot((i1 - i0) * D, H->w + i0 * D, H->y + i0 * D);
  part[1] += bf_cpu_dot((i1 - i0) * D, H->y + i0 * D, H->y + i0 * D);
}

static int64_t least(int64_t a, int64_t b)
{
  return a < b ? a : b;
}

/* Dots of the rows before `end` that are not yet in them. */
static void sum_to(const chunk *C, int64_t end, int64_t *summed)
{
  if (end <= *summed) return;
  dots(C->H, *summed, end, C->part);
  *summed = end;
}

/* The tiles of S that begin in the chunk. */
static void sweep_segment(const chunk *C, const bf_bdia_seg *S, int64_t *summed)
{
  const half     *H = C->H;
  const bf_bdia  *A = H->A;
  const int       D = A->ncomp, tile = bf_stream_tile(D), fp32 = A->prec == BF_FP32;
  const int64_t   rows = C->i0 - S->row0, end = (int64_t)S->row0 + S->nrows, i1 = least(C->i1, end);
  const bf_mirror add = bf_cpu_mirror(H->isa, fp32, D);
  int64_t         i   = rows > 0 ? S->row0 + (rows + tile - 1) / tile * tile : S->row0;
  for (int64_t n; i < i1; i += n * tile) {
    n                       = least((i1 - i + tile - 1) / tile, PART);
    const bf_mirror_rows to = {
        .y = H->y + i * D, .behind = C->tail + PAST * D, .inside = C->i1 - i, .fresh = fresh(A)};
    add(n, S->ndiag, A->off + S->diag0,
        (const char *)A->values + (fp32 ? 4 : 8) * bf_bdia_at(S, D, 0, (i - S->row0) * D), H->x + i * D, &to);
    sum_to(C, least(i + n * tile, least(end, C->i1 - PAST)), summed);
  }
}

static void sweep(const chunk *C)
{
  const bf_bdia *A = C->H->A;
  const int64_t  D = A->ncomp, from = C->i1 - PAST > C->i0 ? C->i1 - PAST : C->i0;
  const double  *last   = C->tail + (PAST + from - C->i1) * D;
  double        *y      = C->H->y + from * D;
  int64_t        summed = C->own;
  const int64_t  first  = least(C->i1 - C->i0, fresh(A) + BLOCK); /* the first tile sets what follows */
  memset(C->H->y + C->i0 * D, 0, (size_t)(first * D) * sizeof(double));
  memset(C->tail, 0, (size_t)((PAST + far(A)) * D) * sizeof(double));
  for (int s = 0; s < A->nseg; s++) sweep_segment(C, &A->seg[s], &summed);
  for (int64_t r = 0; r < (C->i1 - from) * D; r++) y[r] += last[r];
  sum_to(C, C->i1, &summed);
}

/* The tail of the chunk before is added to the first rows. */
static void finish(const chunk *C, const double *before)
{
  const int     D    = C->H->A->ncomp;
  const double *tail = before + PAST * D;
  double       *y    = C->H->y + C->i0 * D;
  for (int64_t r = 0; r < (C->own - C->i0) * D; r++) y[r] += tail[r];
  dots(C->H, C->i0, C->own, C->part + 2);
}

/* Chunks one after another by one thread, which keeps two tails; the first is left to be finished when the
 * thread before is through. */
static void sweep_all(const half *H, int64_t first, int64_t behind, double *tail)
{
  const int64_t len = (PAST + far(H->A)) * H->A->ncomp;
  for (int64_t c = first; c < behind; c++) {
    const chunk C = chunk_of(H, c, tail + c % 2 * len);
    sweep(&C);
    if (c > first) finish(&C, tail + (c + 1) % 2 * len);
  }
}

bf_err bf_cpu_half_spmv(bf_backend *be, const bf_bdia *A, const double *x, double *y, const double *w,
                        double *dot)
{
  const int64_t n = A->nrows, chunks = bf_cpu_half_chunks(A), tails = 2 * (PAST + far(A)) * A->ncomp;
  double       *scratch;
  half          H = {.A = A, .isa = bf_cpu_isa(), .x = x, .w = w, .y = y};
  H.len           = ((n + chunks - 1) / chunks + BLOCK - 1) / BLOCK * BLOCK;
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
