/* kernels/cpu/bdia_tile.c - a tile of rows of a bDIA product as sums of long runs (stream.h)
 *
 * With D components, r = node D + a, in the planes b of a diagonal `off` (matrix.h):
 *
 *     upper   y[r] += v_b[r] X_b[r + off D],           X_b[i D + a] = x[i D + b]: x spread, once for a run of
 * offsets lower   T_a[r] += v_a[r - off D] x[r - off D],   at the end y[i D + a] += T_a[i D] + .. + T_a[i D +
 * D-1]
 *
 * so that every plane is one run of values, whatever D; for D = 1 X = x, T = y.
 */
#include "kernels/cpu/bdia_tile.h"
#include "kernels/stream.h"

enum {
  ROWS1 = 512, /* node rows of a tile, D = 1 */
  ROWS  = 128, /* D = 2, 3 */
  NEAR  = 8,   /* offsets of a run that share a spread x */
  D_MAX = 3
};

typedef struct runs { /* those that go to one target */
  int           m;
  int64_t       n;
  double       *y;
  const void   *v[BF_STREAMS];
  const double *x[BF_STREAMS];
} runs;

typedef struct fans { /* transposed diagonals of D > 1: one x, a plane for each T_a */
  int           m;
  const void   *v[BF_STREAMS];
  const double *x[BF_STREAMS / 2];
} fans;

typedef struct tile {
  const bf_bdia *A;
  bf_stream      add;
  bf_fan         fan;
  bf_spread      spread; /* D = 3 */
  bf_int         i0, n;
  const double  *x;
  double        *y;                      /* the target's first row */
  runs           up;                     /* into y */
  fans           low;                    /* into T */
  double         T[D_MAX][ROWS * D_MAX]; /* D > 1 */
  double         X[D_MAX][(ROWS + NEAR) * D_MAX];
} tile;

static const void *value(const bf_bdia *A, int64_t at)
{
  return (const char *)A->values + at * (A->prec == BF_FP32 ? 4 : 8);
}

static void flush(const tile *t, runs *r)
{
  if (r->m > 0) t->add(r->n, r->m, r->v, r->x, r->y);
  r->m = 0;
}

static void put(const tile *t, runs *r, const void *v, const double *x)
{
  r->v[r->m]   = v;
  r->x[r->m++] = x;
  if (r->m == BF_STREAMS) flush(t, r);
}

static void start(tile *t, const bf_bdia *A, bf_int i0, bf_int n, const double *x, double *y)
{
  const int     D   = A->ncomp;
  const int64_t len = (int64_t)n * D;
  const bf_isa  isa = bf_cpu_isa();
  t->A = A, t->i0 = i0, t->n = n, t->x = x;
  t->add    = bf_cpu_stream(isa, A->prec == BF_FP32);
  t->fan    = bf_cpu_fan(isa, A->prec == BF_FP32);
  t->spread = bf_cpu_spread3(isa);
  t->low.m  = 0;
  t->y      = y + (int64_t)i0 * D;
  t->up.m = 0, t->up.n = len, t->up.y = t->y;
  for (int64_t i = 0; i < len; i++) t->y[i] = 0.0;
  for (int a = 0; D > 1 && a < D; a++)
    for (int64_t i = 0; i < len; i++) t->T[a][i] = 0.0;
}

/* X_b of the nodes from .. from+n-1 */
static void spread(tile *t, int64_t from, int64_t n)
{
  const int     D = t->A->ncomp;
  const double *x = t->x + from * D;
  for (int b = 0; b < D; b++) {
    double *X = t->X[b];
    if (D == 2)
      for (int64_t i = 0; i < n; i++) X[2 * i] = X[2 * i + 1] = x[2 * i + b];
    else
      t->spread(n, x + b, X);
  }
}

static void add_upper(tile *t, const bf_bdia_seg *S)
{
  const int     D   = t->A->ncomp;
  const bf_int *off = t->A->off + S->diag0;
  const int64_t in  = (int64_t)(t->i0 - S->row0) * D;
  for (int k = 0, first; k < S->ndiag; k = first) {
    for (first = k; first < S->ndiag && (D == 1 || off[first] - off[k] < NEAR); first++) {}
    if (D > 1) {
      flush(t, &t->up); /* the spread x is about to change */
      spread(t, (int64_t)t->i0 + off[k], (int64_t)t->n + off[first - 1] - off[k]);
    }
    for (int j = k; j < first; j++)
      for (int b = 0; b < D; b++)
        put(t, &t->up, value(t->A, S->base + ((int64_t)j * D + b) * S->ld + in),
            D == 1 ? t->x + t->i0 + off[j] : t->X[b] + (int64_t)(off[j] - off[k]) * D);
  }
  if (D > 1) flush(t, &t->up);
}

/* Adds the fans of the rows from `row` on, both counted in scalar rows of the tile. */
static void spread_out(tile *t, fans *f, int64_t row, int64_t len)
{
  double *const T[D_MAX] = {t->T[0] + row, t->T[1] + row, t->T[2] + row};
  if (f->m > 0) t->fan(t->A->ncomp, len, f->m, f->v, f->x, T);
  f->m = 0;
}

/* The transpose of a diagonal whose plane 0 starts at values[base] for row src0, for the rows lo .. hi-1. */
static void add_lower(tile *t, bf_int off, bf_int src0, int64_t lo, int64_t hi, int64_t base, int64_t ld)
{
  const int D = t->A->ncomp;
  if (lo < t->i0) lo = t->i0;
  if (hi > (int64_t)t->i0 + t->n) hi = (int64_t)t->i0 + t->n;
  if (lo >= hi) return;
  const double *u  = t->x + (lo - off) * D;
  const int64_t at = base + (lo - off - src0) * D, row = (lo - t->i0) * D, len = (hi - lo) * D;
  if (D == 1) {
    const void *v = value(t->A, at);
    if (hi - lo == t->n)
      put(t, &t->up, v, u);
    else
      t->add(len, 1, &v, &u, t->y + row);
    return;
  }
  fans one, *to = hi - lo == t->n ? &t->low : &one;
  if (to == &one) one.m = 0;
  for (int a = 0; a < D; a++) to->v[to->m * D + a] = value(t->A, at + a * ld);
  to->x[to->m++] = u;
  if (to == &one || (to->m + 1) * D > BF_STREAMS) spread_out(t, to, row, len);
}

static void finish(tile *t)
{
  const int D = t->A->ncomp;
  flush(t, &t->up);
  if (D > 1) spread_out(t, &t->low, 0, (int64_t)t->n * D);
  for (int a = 0; D > 1 && a < D; a++) {
    const double *T = t->T[a];
    double       *y = t->y + a;
    if (D == 2)
      for (bf_int i = 0; i < t->n; i++) y[2 * i] += T[2 * i] + T[2 * i + 1];
    else
      for (bf_int i = 0; i < t->n; i++) y[3 * i] += T[3 * i] + T[3 * i + 1] + T[3 * i + 2];
  }
}

bf_int bf_cpu_tile_rows(int ncomp)
{
  return ncomp == 1 ? ROWS1 : ROWS;
}

void bf_cpu_tile(const bf_bdia *A, const bf_bdia_seg *S, bf_int i0, bf_int n, const double *x, double *y)
{
  tile t;
  start(&t, A, i0, n, x, y);
  add_upper(&t, S);
  for (int k = 0; k < S->nlower; k++) {
    const bf_bdia_lower *L = &A->lower[S->lower0 + k];
    add_lower(&t, L->off, L->src0, L->row_lo, L->row_hi, L->base, L->ld);
  }
  finish(&t);
}

void bf_cpu_tile_t(const bf_bdia *A, bf_int i0, bf_int n, const double *x, double *y)
{
  tile t;
  start(&t, A, i0, n, x, y);
  for (int s = 0; s < A->nseg; s++) {
    const bf_bdia_seg *S = &A->seg[s];
    if (S->row0 + S->nrows <= i0 - A->reach || S->row0 >= (int64_t)i0 + n + A->reach) continue;
    for (int k = 0; k < S->ndiag; k++) {
      const int64_t off = A->off[S->diag0 + k], lo = S->row0 + off, end = lo + S->nrows;
      add_lower(&t, (bf_int)off, S->row0, lo > 0 ? lo : 0, end < A->nrows ? end : A->nrows,
                S->base + (int64_t)k * A->ncomp * S->ld, S->ld);
    }
  }
  finish(&t);
}
