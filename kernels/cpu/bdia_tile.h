/* kernels/cpu/bdia_tile.h - the inner loops of the bDIA product for one type of stored value
 *
 * Included twice by bdia_spmv.c, with VALUE = double and float and NAME(f) the function names.  All sums are
 * double.
 *
 *     upper, plane b of D:  y[i*D + a] += v[b*ld + i*D + a] * x[i*D + b]      x moved by the offset
 *     lower, plane a of D:  y[i*D + a] += v[a*ld + i*D + b] * x[i*D + b]      v and x moved by the offset:
 * v^T
 *
 * For D = 1 both are y[i] += v[i] x[i], and GROUP diagonals are added in one pass over y.
 */

/* y += v0 x0 + v1 x1 + v2 x2 + v3 x3 */
static void NAME(add_group)(bf_int n, const VALUE *const v[GROUP], const double *const x[GROUP],
                            double *restrict y)
{
  const VALUE *restrict v0 = v[0], *restrict v1 = v[1], *restrict v2 = v[2], *restrict v3 = v[3];
  const double *restrict x0 = x[0], *restrict x1 = x[1], *restrict x2 = x[2], *restrict x3 = x[3];
  for (bf_int i = 0; i < n; i++)
    y[i] += ((double)v0[i] * x0[i] + (double)v1[i] * x1[i]) + ((double)v2[i] * x2[i] + (double)v3[i] * x3[i]);
}

static void NAME(add_one)(bf_int n, const VALUE *restrict v, const double *restrict x, double *restrict y)
{
  for (bf_int i = 0; i < n; i++) y[i] += (double)v[i] * x[i];
}

static void NAME(add_upper2)(bf_int n, const VALUE *restrict v, int64_t ld, const double *restrict x,
                             double *restrict y)
{
  const VALUE *restrict v1 = v + ld;
  for (bf_int i = 0; i < n; i++) {
    y[2 * i] += (double)v[2 * i] * x[2 * i] + (double)v1[2 * i] * x[2 * i + 1];
    y[2 * i + 1] += (double)v[2 * i + 1] * x[2 * i] + (double)v1[2 * i + 1] * x[2 * i + 1];
  }
}

static void NAME(add_lower2)(bf_int n, const VALUE *restrict v, int64_t ld, const double *restrict x,
                             double *restrict y)
{
  const VALUE *restrict v1 = v + ld;
  for (bf_int i = 0; i < n; i++) {
    y[2 * i] += (double)v[2 * i] * x[2 * i] + (double)v[2 * i + 1] * x[2 * i + 1];
    y[2 * i + 1] += (double)v1[2 * i] * x[2 * i] + (double)v1[2 * i + 1] * x[2 * i + 1];
  }
}

static void NAME(add_upper3)(bf_int n, const VALUE *restrict v, int64_t ld, const double *restrict x,
                             double *restrict y)
{
  const VALUE *restrict v1 = v + ld, *restrict v2 = v + 2 * ld;
  for (bf_int i = 0; i < n; i++) {
    const bf_int k  = 3 * i;
    const double x0 = x[k], x1 = x[k + 1], x2 = x[k + 2];
    y[k] += (double)v[k] * x0 + (double)v1[k] * x1 + (double)v2[k] * x2;
    y[k + 1] += (double)v[k + 1] * x0 + (double)v1[k + 1] * x1 + (double)v2[k + 1] * x2;
    y[k + 2] += (double)v[k + 2] * x0 + (double)v1[k + 2] * x1 + (double)v2[k + 2] * x2;
  }
}

static void NAME(add_lower3)(bf_int n, const VALUE *restrict v, int64_t ld, const double *restrict x,
                             double *restrict y)
{
  const VALUE *restrict v1 = v + ld, *restrict v2 = v + 2 * ld;
  for (bf_int i = 0; i < n; i++) {
    const bf_int k  = 3 * i;
    const double x0 = x[k], x1 = x[k + 1], x2 = x[k + 2];
    y[k] += (double)v[k] * x0 + (double)v[k + 1] * x1 + (double)v[k + 2] * x2;
    y[k + 1] += (double)v1[k] * x0 + (double)v1[k + 1] * x1 + (double)v1[k + 2] * x2;
    y[k + 2] += (double)v2[k] * x0 + (double)v2[k + 1] * x1 + (double)v2[k + 2] * x2;
  }
}

/* Collects diagonals of D = 1 and adds them GROUP at a time over the n rows of a tile. */
typedef struct NAME(group) {
  int           count;
  const VALUE  *v[GROUP];
  const double *x[GROUP];
} NAME(group);

static void NAME(flush)(NAME(group) * g, bf_int n, double *y)
{
  if (g->count == GROUP)
    NAME(add_group)(n, g->v, g->x, y);
  else
    for (int k = 0; k < g->count; k++) NAME(add_one)(n, g->v[k], g->x[k], y);
  g->count = 0;
}

static void NAME(put)(NAME(group) * g, const VALUE *v, const double *x, bf_int n, double *y)
{
  g->v[g->count]   = v;
  g->x[g->count++] = x;
  if (g->count == GROUP) NAME(flush)(g, n, y);
}

/* Rows of a tile and where its sums go. */
typedef struct NAME(target) {
  bf_int        i0, n; /* node rows i0 .. i0+n-1 */
  const double *x;
  double       *y;
  NAME(group) g;
} NAME(target);

static void NAME(start)(NAME(target) * t, int D)
{
  for (int64_t i = 0; i < (int64_t)t->n * D; i++) t->y[(int64_t)t->i0 * D + i] = 0.0;
}

/* Adds the transpose of a diagonal `off` whose plane 0 starts at v for row src0, for target rows lo .. hi-1.
 */
static void NAME(add_transposed)(NAME(target) * t, int D, bf_int off, bf_int src0, bf_int lo, bf_int hi,
                                 const VALUE *v, int64_t ld)
{
  if (lo < t->i0) lo = t->i0;
  if (hi > t->i0 + t->n) hi = t->i0 + t->n;
  if (lo >= hi) return;
  const double *u = t->x + ((int64_t)lo - off) * D;
  double       *z = t->y + (int64_t)lo * D;
  v += ((int64_t)lo - off - src0) * D;
  if (D == 1 && hi - lo == t->n) NAME(put)(&t->g, v, u, t->n, z);
  if (D == 1 && hi - lo < t->n) NAME(add_one)(hi - lo, v, u, z);
  if (D == 2) NAME(add_lower2)(hi - lo, v, ld, u, z);
  if (D == 3) NAME(add_lower3)(hi - lo, v, ld, u, z);
}

/* y = A x on the node rows i0 .. i0+n-1 of segment S */
static void NAME(tile)(const bf_bdia *A, const bf_bdia_seg *S, bf_int i0, bf_int n, const double *x,
                       double *restrict y)
{
  const int     D  = A->ncomp;
  const int64_t at = (int64_t)i0 * D, in = (int64_t)(i0 - S->row0) * D;
  const VALUE  *val = A->values;
  NAME(target) t    = {.i0 = i0, .n = n, .x = x, .y = y, .g = {.count = 0}};
  NAME(start)(&t, D);
  for (int k = 0; k < S->ndiag; k++) {
    const VALUE  *v = val + S->base + (int64_t)k * D * S->ld + in;
    const double *u = x + at + (int64_t)A->off[S->diag0 + k] * D;
    if (D == 1) NAME(put)(&t.g, v, u, n, y + at);
    if (D == 2) NAME(add_upper2)(n, v, S->ld, u, y + at);
    if (D == 3) NAME(add_upper3)(n, v, S->ld, u, y + at);
  }
  for (int k = 0; k < S->nlower; k++) {
    const bf_bdia_lower *L = &A->lower[S->lower0 + k];
    NAME(add_transposed)(&t, D, L->off, L->src0, L->row_lo, L->row_hi, val + L->base, L->ld);
  }
  NAME(flush)(&t.g, n, y + at);
}

/* y = A^T x on the node rows i0 .. i0+n-1, A in full storage: every diagonal of every segment that reaches
 * here. */
static void NAME(tile_t)(const bf_bdia *A, bf_int i0, bf_int n, const double *x, double *restrict y)
{
  const int    D   = A->ncomp;
  const VALUE *val = A->values;
  NAME(target) t   = {.i0 = i0, .n = n, .x = x, .y = y, .g = {.count = 0}};
  NAME(start)(&t, D);
  for (int s = 0; s < A->nseg; s++) {
    const bf_bdia_seg *S = &A->seg[s];
    if (S->row0 + S->nrows <= i0 - A->reach || S->row0 >= (int64_t)i0 + n + A->reach) continue;
    for (int k = 0; k < S->ndiag; k++) {
      const int64_t off = A->off[S->diag0 + k], lo = S->row0 + off, end = lo + S->nrows;
      NAME(add_transposed)
      (&t, D, (bf_int)off, S->row0, lo > 0 ? (bf_int)lo : 0, end < A->nrows ? (bf_int)end : A->nrows,
       val + S->base + (int64_t)k * D * S->ld, S->ld);
    }
  }
  NAME(flush)(&t.g, n, y + (int64_t)i0 * D);
}
