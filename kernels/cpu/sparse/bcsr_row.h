/* kernels/cpu/sparse/bcsr_row.h - node rows of a product with block compressed rows, for one type of values
 * and one instruction set
 *
 * Included by bcsr.c with NAME(f) the functions' names, ISA their target attribute, VALUE the type of values
 * and LOAD(p) four of them as doubles.  The order of the sums does not depend on the
 * instruction set.
 */
/* SPDX-License-Identifier: BSD-3-Clause */

/* Four blocks at a time are D vectors of entries of x for each of the D rows; the blocks behind them one by
 * one. */
ISA static inline __attribute__((always_inline)) void NAME(some)(int D, const bf_bcsr *A, bf_int i0,
                                                                 bf_int i1, const double *x, double *y)
{
  for (bf_int i = i0; i < i1; i++) {
    const int64_t  p0 = A->ptr[i], m = A->ptr[i + 1] - p0;
    const bf_int  *col     = A->rel ? NULL : A->col + p0;
    const int16_t *rel     = A->rel ? A->rel + p0 : NULL;
    const double  *base    = rel ? x + (int64_t)(i - i % BF_CSR16_ROWS) * D : x;
    const VALUE   *v       = (const VALUE *)A->val + p0 * D * D;
    quad           s[3]    = {{0.0}};
    double         rest[3] = {0.0};
    int64_t        k       = 0;
    for (; k + 4 <= m; k += 4) {
      const double *b[4];
      /* the D rows are read side by side, which the prefetchers of a core do not follow */
      for (int l = 0; l < 4 * D * D; l += LINE / (int)sizeof(VALUE))
        __builtin_prefetch((const char *)(v + k * D * D + l) + AHEAD);
      for (int l = 0; l < 4; l++) b[l] = base + (int64_t)(rel ? rel[k + l] : col[k + l]) * D;
      for (int q = 0; q < D; q++) {
        const quad X = {b[4 * q / D][4 * q % D], b[(4 * q + 1) / D][(4 * q + 1) % D],
                        b[(4 * q + 2) / D][(4 * q + 2) % D], b[(4 * q + 3) / D][(4 * q + 3) % D]};
        for (int a = 0; a < D; a++) s[a] += LOAD(v + (a * m + k) * D + 4 * q) * X;
      }
    }
    for (; k < m; k++) {
      const double *b = base + (int64_t)(rel ? rel[k] : col[k]) * D;
      for (int a = 0; a < D; a++)
        for (int c = 0; c < D; c++) rest[a] += (double)v[(a * m + k) * D + c] * b[c];
    }
    for (int a = 0; a < D; a++) y[(int64_t)i * D + a] = (s[a][0] + s[a][1]) + (s[a][2] + s[a][3]) + rest[a];
  }
}

ISA static void NAME(rows)(const bf_bcsr *A, bf_int i0, bf_int i1, const double *x, double *y)
{
  if (A->ncomp == 1)
    NAME(some)(1, A, i0, i1, x, y);
  else if (A->ncomp == 2)
    NAME(some)(2, A, i0, i1, x, y);
  else
    NAME(some)(3, A, i0, i1, x, y);
}

/* Half storage.  A row of a block is one vector, of which D places count: what lies behind the block is read
 * (BF_BCSR_PAD) and not used.  D is a constant at every call. */
ISA static inline __attribute__((always_inline)) void NAME(half_some)(int D, const bf_bcsr *A, bf_int i0,
                                                                      bf_int i1, const double *x, double *y)
{
  const VALUE *val = (const VALUE *)A->val;
  for (bf_int i = i0; i < i1; i++) {
    const int64_t  p0 = A->ptr[i], m = A->ptr[i + 1] - p0, nlower = A->low[i + 1] - A->low[i];
    const bf_int  *from = A->from + A->low[i];
    const bf_int  *col  = A->rel ? NULL : A->col + p0;
    const int16_t *rel  = A->rel ? A->rel + p0 : NULL;
    const double  *base = rel ? x + (int64_t)(i - i % BF_CSR16_ROWS) * D : x;
    const VALUE   *v    = val + (p0 - A->low[i]) * D * D; /* the blocks from the diagonal on */
    quad           low = {0.0}, up[3] = {{0.0}};
    for (int64_t k = 0; k < nlower; k++) {
      const VALUE  *u = val + (int64_t)from[k] * D * D;
      const double *X = base + (int64_t)(rel ? rel[k] : col[k]) * D;
      for (int a = 0; a < D; a++) low += LOAD(u + a * D) * X[a];
    }
    for (int64_t k = nlower; k < m; k++, v += D * D) {
      const double *b = base + (int64_t)(rel ? rel[k] : col[k]) * D;
      const quad    X = {b[0], D > 1 ? b[1] : 0.0, D > 2 ? b[2] : 0.0, 0.0};
      for (int a = 0; a < D; a++) up[a] += LOAD(v + a * D) * X;
    }
    for (int a = 0; a < D; a++) {
      double sum = low[a];
      for (int b = 0; b < D; b++) sum += up[a][b];
      y[(int64_t)i * D + a] = sum;
    }
  }
}

ISA static void NAME(half_rows)(const bf_bcsr *A, bf_int i0, bf_int i1, const double *x, double *y)
{
  if (A->ncomp == 1)
    NAME(half_some)(1, A, i0, i1, x, y);
  else if (A->ncomp == 2)
    NAME(half_some)(2, A, i0, i1, x, y);
  else
    NAME(half_some)(3, A, i0, i1, x, y);
}
