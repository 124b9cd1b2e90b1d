/* kernels/cpu/dense/blas_loop.h - steps on a large dense matrix, for entries of type REAL; see
 * kernels/dense.h
 *
 * Included once for each type, NAME(f) is the function's name.
 */
/* SPDX-License-Identifier: BSD-3-Clause */

static void NAME(gather)(bf_dense_block k, const REAL *A, size_t ld, REAL *B, size_t ldb)
{
#pragma omp parallel for schedule(static)
  for (bf_int c = 0; c < k.m; c++) {
    const bf_int j = k.k0 + c;
    REAL        *b = B + (size_t)c * ldb;
    for (bf_int i = 0; i < j; i++) b[i] = A[(size_t)i * ld + (size_t)j];
    for (bf_int i = j; i < k.n; i++) b[i] = A[(size_t)j * ld + (size_t)i];
  }
}

/* The block's rows and columns of the lower triangle become 0. */
static void NAME(clear_lower)(bf_dense_block k, REAL *A, size_t ld)
{
  const bf_int end = k.k0 + k.m;
#pragma omp parallel for schedule(static)
  for (bf_int j = 0; j < end; j++)
    for (bf_int i = j < k.k0 ? k.k0 : j; i < (j < k.k0 ? end : k.n); i++) A[(size_t)j * ld + (size_t)i] = 0;
}

/* D(i, j) = diagonal where i = j, else 0 */
static void NAME(identity)(bf_int m, bf_int n, int diagonal, REAL *D, size_t ld)
{
  for (bf_int j = 0; j < n; j++)
    for (bf_int i = 0; i < m; i++) D[(size_t)j * ld + (size_t)i] = i == j ? (REAL)diagonal : 0;
}

/* W = the lower triangle of V^T, zeros above */
static void NAME(lower)(bf_int m, const REAL *V, size_t ldv, REAL *W, size_t ldw)
{
  for (size_t j = 0; j < (size_t)m; j++)
    for (size_t i = 0; i < (size_t)m; i++) W[j * ldw + i] = i >= j ? V[i * ldv + j] : 0;
}

static void NAME(clear)(bf_dense_block k, REAL *A, size_t ld, REAL *B, size_t ldb, bf_int columns, REAL *G,
                        REAL *H, size_t ldg)
{
  const bf_int end = k.k0 + k.m;
  NAME(clear_lower)(k, A, ld);
  for (bf_int j = 0; j < k.m; j++)
    for (bf_int i = 0; i < k.m; i++) B[(size_t)j * ldb + (size_t)(k.k0 + i)] = i == j ? -1 : 0;
  for (bf_int j = 0; j < columns; j++)
    for (bf_int i = k.k0; i < end; i++) G[(size_t)j * ldg + (size_t)i] = H[(size_t)j * ldg + (size_t)i] = 0;
}

/* C = lower triangle of D, 0 above, or mirrored */
static void NAME(copy_lower)(bf_int m, int full, const REAL *D, size_t ldd, REAL *C, size_t ldc)
{
  for (bf_int j = 0; j < m; j++) {
    for (bf_int i = j; i < m; i++) C[(size_t)j * ldc + (size_t)i] = D[(size_t)j * ldd + (size_t)i];
    for (bf_int i = j + 1; i < m; i++)
      C[(size_t)i * ldc + (size_t)j] = full ? C[(size_t)j * ldc + (size_t)i] : 0;
  }
}

/* W lower triangular: the diagonal is positive and finite */
static int NAME(is_factor)(bf_int m, const REAL *W, size_t ld)
{
  int fine = 1;
  for (bf_int j = 0; j < m; j++)
    fine &= W[(size_t)j * ld + (size_t)j] > 0 && W[(size_t)j * ld + (size_t)j] < (REAL)INFINITY;
  return fine;
}

static void NAME(mirror)(int upper, bf_int n, REAL alpha, const REAL *A, size_t lda, const REAL *diagonal,
                         REAL *C, size_t ldc, REAL *kept)
{
#pragma omp parallel for schedule(dynamic, 16)
  for (bf_int p = 0; p < n; p++) {
    const size_t j = (size_t)p;
    const REAL   d = alpha * (diagonal ? diagonal[j] : A[j * lda + j]);
    C[j * ldc + j] = d;
    if (kept) kept[j] = d;
    for (size_t i = j + 1; i < (size_t)n; i++)
      C[j * ldc + i] = C[i * ldc + j] = alpha * (upper ? A[i * lda + j] : A[j * lda + i]);
  }
}

/* s[0] = sum of |x_i|, s[1] = max |x_i|, s[2] = sum of (x_i / s[1])^2; where an entry is not finite, nor is
 * s[0] */
static void NAME(column_sums)(bf_int m, const REAL *x, double s[3])
{
  s[0] = s[1] = s[2] = 0.0;
  for (bf_int i = 0; i < m; i++) {
    const double v = fabs((double)x[i]);
    s[0] += v;
    s[1] = fmax(s[1], v);
  }
  for (bf_int i = 0; i < m && s[1] > 0.0; i++) s[2] += (double)x[i] / s[1] * ((double)x[i] / s[1]);
}

static void NAME(norms)(bf_int m, bf_int n, const REAL *A, size_t ld, double *norm, double *room)
{
  double largest = 0.0, scale = 0.0, sum = 0.0;
#pragma omp parallel for schedule(static)
  for (bf_int j = 0; j < n; j++) NAME(column_sums)(m, A + (size_t)j * ld, room + 3 * (size_t)j);
  for (size_t j = 0; j < (size_t)n; j++) {
    largest = room[3 * j] <= largest ? largest : room[3 * j]; /* also NaN: it compares false */
    if (isnan(largest)) break;
    scale = fmax(scale, room[3 * j + 1]);
  }
  for (size_t j = 0; j < (size_t)n && scale > 0.0; j++)
    sum += room[3 * j + 1] / scale * (room[3 * j + 1] / scale) * room[3 * j + 2];
  norm[0] = largest;
  norm[1] = largest < INFINITY ? scale * sqrt(sum) : largest;
}

static void NAME(signs)(bf_int n, bf_int k, REAL *V, size_t ld)
{
  for (bf_int j = 0; j < k; j++)
    for (bf_int i = 0; i < n; i++) V[(size_t)j * ld + (size_t)i] = bf_dense_sign(i, j) ? 1 : -1;
}

static void NAME(corrected)(bf_int n, bf_int j0, bf_int m, const REAL *T, size_t ldt, const REAL *X,
                            size_t ldx, REAL *Y, size_t ldy, REAL *diagonal)
{
#pragma omp parallel for schedule(static)
  for (bf_int c = j0; c < n; c++)
    for (bf_int j = 0; j < m && j0 + j <= c; j++) {
      const size_t i = (size_t)c, at = (size_t)(j0 + j);
      const REAL   x                               = X[i * ldx + at] + T[(size_t)(c - j0) * ldt + (size_t)j];
      *(at == i ? diagonal + i : Y + i * ldy + at) = x;
    }
}

/* W = inverse of the leading block of order t, in place: q = -W r, beta = rho + r.q, W += q q^T / beta,
 * border q / beta and 1 / beta.  One thread. */
static void NAME(border)(bf_int n, REAL *A, size_t ld, REAL *q)
{
  for (size_t t = 0; t < (size_t)n; t++) {
    REAL *r = A + t * ld, beta = r[t];
    memset(q, 0, t * sizeof *q);
    for (size_t j = 0; j < t; j++)
      for (size_t i = 0; i < t; i++) q[i] -= A[j * ld + i] * r[j];
    for (size_t i = 0; i < t; i++) beta += r[i] * q[i];
    const REAL scale = 1 / beta;
    for (size_t j = 0; j < t; j++) {
      for (size_t i = 0; i < t; i++) A[j * ld + i] += scale * (q[i] * q[j]);
      A[j * ld + t] = r[j] = scale * q[j];
    }
    r[t] = scale;
  }
}
