/* tests/kernels/sparse/t345_bdia_half_simd.c - half storage on the CPU with every value read once: the loops
 * under it are right and, where products are added fused, give the same bits; the product gives the same with
 * any number of threads
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cpu/sparse/bdia_half_simd.h"
#include "kernels/matrix/matrix.h"
#include "tests/test.h"
#include <float.h>
#include <omp.h>

/* Diagonals of two tables: with the main one, or far apart; the ring wraps around in any of the tiles. */
enum { DIAGONALS = 9, FAR = 60, TILES = 3, RING = 192, ROWS_MAX = RING + BF_HALF_TILES_PAST };
enum { VALUES = DIAGONALS * TILES * 32 * 4, LEN = ROWS_MAX * BF_HALF_TILES_D };
static const bf_int tables[2][DIAGONALS] = {{0, 1, 2, 5, 6, 30, 31, 32, 33},
                                            {1, 3, 7, 8, 9, 40, 41, 42, FAR}};

typedef struct data {
  double v[VALUES], x[LEN], y[LEN];
  float  f[VALUES];
} data;

static void fill(data *d)
{
  uint64_t seed = 12;
  for (int i = 0; i < VALUES; i++) d->v[i] = d->f[i] = (float)(t_uniform(&seed) - 0.5);
  for (int i = 0; i < LEN; i++) d->x[i] = t_uniform(&seed) - 0.5, d->y[i] = t_uniform(&seed);
}

typedef struct shape {
  int           D, tiles, at; /* place of the first node in the ring */
  const bf_int *off;
} shape;

/* y[r] by the definition, in extended precision. */
static void expected(const data *d, const shape *s, double *y)
{
  const int   D = s->D, n = bf_bdia_tile_nodes(D);
  long double sum[LEN];
  for (int i = 0; i < LEN; i++) sum[i] = (long double)d->y[i];
  for (int i = 0; i < s->tiles * n; i++)
    for (int k = 0; k < DIAGONALS; k++)
      for (int b = 0; b < D; b++)
        for (int a = 0; a < D; a++) {
          const long double v   = (long double)d->v[(((i / n * DIAGONALS + k) * D + b) * D + a) * n + i % n];
          const int         row = i * D + a, col = (i + s->off[k]) * D + b;
          sum[row] += v * (long double)d->x[col];
          if (s->off[k] > 0) sum[col] += v * (long double)d->x[row];
        }
  for (int i = 0; i < LEN; i++) y[i] = (double)sum[i];
}

/* Row r of the ring of so many rows. */
static int place(const shape *s, int r)
{
  return (r + s->at * s->D) % (RING * s->D);
}

/* y of the tiles, behind it what the ring has for the rows from there on; nothing else may be written. */
static void run(const data *d, const shape *s, bf_isa isa, int fp32, double *y)
{
  const int D = s->D, nodes = s->tiles * bf_bdia_tile_nodes(D);
  double    sum[LEN] = {0.0};
  bf_ring   ring     = {.sum = sum, .size = RING, .at = s->at};
  for (int r = 0; r < RING * D; r++) sum[place(s, r)] = d->y[r];
  memcpy(y, d->y, sizeof d->y);
  bf_cpu_bdia_half_tiles(isa, fp32, D)(s->tiles, DIAGONALS, s->off, fp32 ? (const void *)d->f : d->v, d->x, y,
                                       &ring);
  assert_int_equal(ring.at, (s->at + nodes) % RING);
  for (int r = nodes * D; r < LEN; r++) assert_true(y[r] == d->y[r]);
  for (int r = 0; r < BF_HALF_TILES_PAST * D; r++) sum[r] += sum[RING * D + r];
  for (int r = 0; r < nodes * D; r++) assert_true(sum[place(s, r)] == 0.0);
  for (int r = nodes * D; r < RING * D; r++) y[r] = sum[place(s, r)];
}

static void every_instruction_set_gives_the_sums_and_the_fused_ones_their_bits(void **state)
{
  (void)state;
  static data d;
  fill(&d);
  for (int kind = 0; kind < 2 * BF_HALF_TILES_D * (TILES + 1); kind++) {
    const int D = 1 + kind % BF_HALF_TILES_D, tiles = kind / (2 * BF_HALF_TILES_D), n = bf_bdia_tile_nodes(D);
    for (int at = 0; at < RING; at += n) {
      const shape s = {D, tiles, at, tables[kind / BF_HALF_TILES_D % 2]};
      double      want[LEN], fused[LEN], y[LEN];
      expected(&d, &s, want);
      for (int isa = 0; isa <= (int)bf_cpu_isa(); isa++)
        for (int fp32 = 0; fp32 < 2; fp32++) {
          run(&d, &s, (bf_isa)isa, fp32, y);
          for (int i = 0; i < LEN; i++) T_NEAR(y[i], want[i], 40 * DBL_EPSILON);
          if (isa == BF_ISA_AVX2 && !fp32) memcpy(fused, y, sizeof y);
          if (isa >= BF_ISA_AVX2) assert_memory_equal(fused, y, sizeof y);
        }
    }
  }
}

/* ---- the product ---- */

enum { ROWS = 17000, SEGMENTS = 3, OFFSETS = 15, NARROW = 444, BROAD = 2080, WIDE = 4444 };
static const bf_int positive[SEGMENTS][7] = {
    {1, 2, 20, 21, 22, 23, 300}, {1, 7, 19, 40, 41, 443, 0}, {3, 20, 21, 22, 100, 101, 102}};

/* The largest offset, of the segment in the middle, is `reach`. */
static bf_bands *bands(bf_int reach)
{
  bf_bands *b = NULL;
  T_OK(bf_bands_create(ROWS, SEGMENTS, SEGMENTS * OFFSETS, &b));
  for (int s = 0; s <= SEGMENTS; s++) b->ptr[s] = s * OFFSETS;
  b->row[1] = 2048, b->row[2] = 2048 + 1280, b->row[3] = ROWS;
  for (int s = 0; s < SEGMENTS; s++)
    for (int k = 0; k < OFFSETS; k++)
      b->off[s * OFFSETS + k] = k < 7 ? -positive[s][6 - k] : k == 7 ? 0 : positive[s][k - 8];
  b->off[OFFSETS] = -reach, b->off[2 * OFFSETS - 1] = reach;
  return b;
}

typedef struct product {
  bf_backend *be;
  bf_matrix  *A;
  double     *x, *y;
  double     *want, *size; /* A x and |A| |x| */
} product;

/* Value r of plane p of segment S: of row r / D. */
static double *slot(const bf_bdia *A, const bf_bdia_seg *S, int p, int64_t r)
{
  return (double *)A->values + bf_bdia_at(S, A->ncomp, p, r);
}

/* Random values where the column exists; the sums from the definition. */
static void values(product *P, uint64_t *seed)
{
  const bf_bdia *A = P->A->bdia;
  const int      D = A->ncomp;
  for (int s = 0; s < A->nseg; s++)
    for (int k = 0; k < A->seg[s].ndiag; k++)
      for (int64_t i = 0; i < A->seg[s].nrows; i++) {
        const bf_bdia_seg *S   = &A->seg[s];
        const int64_t      off = A->off[S->diag0 + k], to = S->row0 + i + off;
        for (int c = 0; to < ROWS && c < D * D; c++) {
          const int64_t row = (S->row0 + i) * D + c % D, col = to * D + c / D;
          const double  v                           = (float)(t_uniform(seed) - 0.5);
          *slot(A, S, k * D + c / D, i * D + c % D) = v;
          P->want[row] += v * P->x[col], P->size[row] += fabs(v * P->x[col]);
          if (off > 0) P->want[col] += v * P->x[row], P->size[col] += fabs(v * P->x[row]);
        }
      }
}

static void open_product(product *P, int D, bf_int reach)
{
  uint64_t  seed = 3;
  bf_bands *b    = bands(reach);
  *P             = (product){.be = NULL};
  T_OK(bf_backend_create("cpu", NULL, &P->be));
  T_OK(bf_matrix_create_bdia(P->be, b, D, 1, BF_FP64, 0, &P->A));
  T_OK(bf_vector_create(P->be, ROWS * D, P->A->guard, &P->x));
  T_OK(bf_vector_create(P->be, ROWS * D, P->A->guard, &P->y));
  P->want = calloc((size_t)ROWS * (size_t)D, sizeof(double));
  P->size = calloc((size_t)ROWS * (size_t)D, sizeof(double));
  assert_true(P->want && P->size);
  for (int i = 0; i < ROWS * D; i++) P->x[i] = t_uniform(&seed) - 0.5;
  values(P, &seed);
  bf_bands_destroy(&b);
}

static void close_product(product *P)
{
  free(P->want);
  free(P->size);
  bf_vector_destroy(P->be, P->A->guard, &P->x);
  bf_vector_destroy(P->be, P->A->guard, &P->y);
  bf_matrix_destroy(&P->A);
  bf_backend_destroy(&P->be);
}

/* NARROW: below an eighth of the rows, each value is read once; WIDE: once for each half. */
static void half_is_the_stored_entries_and_their_mirror_images(void **state)
{
  (void)state;
  for (int kind = 0; kind < 6; kind++) {
    product    P;
    bf_matrix *single = NULL;
    double     dot[2], wy = 0.0, yy = 0.0;
    const int  D = 1 + kind / 2, wide = kind % 2;
    open_product(&P, D, wide ? WIDE : NARROW);
    T_OK(bf_matrix_to_fp32(P.A, &single));
    for (int fp32 = 0; fp32 < 2; fp32++) {
      memset(P.y, 0xff, sizeof(double) * ROWS * (size_t)D); /* NaN: y is only written */
      T_OK(bf_matrix_spmv(fp32 ? single : P.A, P.x, P.y, P.x, dot));
      wy = yy = 0.0;
      for (int i = 0; i < ROWS * D; i++) {
        T_NEAR(P.y[i], P.want[i], 2 * (30 * D + 2) * DBL_EPSILON * P.size[i]);
        wy += P.x[i] * P.y[i], yy += P.y[i] * P.y[i];
      }
      T_NEAR(dot[0], wy, 1e-10 * yy);
      T_NEAR(dot[1], yy, 1e-12 * yy);
      for (int i = 0; i < P.A->guard; i++) assert_true(P.y[ROWS * D + i] == 0.0 && P.y[-1 - i] == 0.0);
    }
    bf_matrix_destroy(&single);
    close_product(&P);
  }
}

/* BROAD: more threads than have work. */
enum { REACHES = 3 };
static void any_number_of_threads_gives_the_same_bits(void **state)
{
  (void)state;
  const int    before         = omp_get_max_threads();
  const bf_int reach[REACHES] = {NARROW, BROAD, WIDE};
  for (int kind = 0; kind < BF_HALF_TILES_D * REACHES; kind++) {
    product      P;
    const int    D     = 1 + kind / REACHES;
    const size_t bytes = sizeof(double) * ROWS * (size_t)D;
    double       one[2], dot[2];
    open_product(&P, D, reach[kind % REACHES]);
    omp_set_num_threads(1);
    T_OK(bf_matrix_spmv(P.A, P.x, P.y, P.x, one));
    memcpy(P.want, P.y, bytes);
    for (int threads = 2; threads <= 9; threads++) {
      omp_set_num_threads(threads);
      T_OK(bf_matrix_spmv(P.A, P.x, P.y, P.x, dot));
      assert_memory_equal(P.want, P.y, bytes);
      assert_memory_equal(one, dot, sizeof dot);
    }
    close_product(&P);
  }
  omp_set_num_threads(before);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_instruction_set_gives_the_sums_and_the_fused_ones_their_bits),
      cmocka_unit_test(half_is_the_stored_entries_and_their_mirror_images),
      cmocka_unit_test(any_number_of_threads_gives_the_same_bits),
  };
  return T_RUN(tests);
}
