/* assembly/gfem/small_eigen.c - eigenvalues by reduction to a tridiagonal matrix and the implicit QL method,
 * Cholesky's factors and the rank of one small symmetric matrix
 *
 * Source: G. H. Golub, C. F. Van Loan, Matrix Computations, 3rd ed. (1996), algorithms 8.3.1 (tridiagonal),
 * 8.3.2 (QR step with Wilkinson's shift, here from the end), 4.2.1 and 4.2.4 (Cholesky, with pivots).
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "assembly/gfem/small_eigen.h"
#include <float.h>
#include <math.h>
#include <stddef.h>

/* A -> Q^T A Q tridiagonal with diagonal d[n] and off[n-1] beside it; with vectors Q in A.  Column k is
 * reduced by the reflector I - beta v v^T of the entries below its diagonal. */
static void tridiagonal(int n, double *A, double *d, double *off, int vectors)
{
  double beta[BF_SMALL_MAX] = {0.0}, p[BF_SMALL_MAX];
  for (int k = 0; k + 2 < n; k++) {
    double *v = A + k * n, s = 0.0; /* row k stands for column k: v[k+1 .. n-1] */
    for (int i = k + 2; i < n; i++) s += v[i] * v[i];
    off[k] = v[k + 1];
    if (s == 0.0) continue;
    const double length = sqrt(v[k + 1] * v[k + 1] + s), a = v[k + 1] <= 0.0 ? length : -length;
    v[k + 1] -= a;
    beta[k]    = 2.0 / (v[k + 1] * v[k + 1] + s);
    off[k]     = a;
    double dot = 0.0;
    for (int i = k + 1; i < n; i++) {
      p[i] = 0.0;
      for (int j = k + 1; j < n; j++) p[i] += A[i * n + j] * v[j];
      p[i] *= beta[k];
      dot += p[i] * v[i];
    }
    for (int i = k + 1; i < n; i++) p[i] -= 0.5 * beta[k] * dot * v[i];
    for (int i = k + 1; i < n; i++)
      for (int j = k + 1; j < n; j++) A[i * n + j] -= v[i] * p[j] + p[i] * v[j];
  }
  for (int i = 0; i < n; i++) d[i] = A[i * n + i];
  if (n > 1) off[n - 2] = A[(n - 2) * n + n - 1];
  if (!vectors) return;
  for (int k = n - 1; k >= 0; k--) { /* Q = H_0 .. H_{n-3}, from the last; row k still holds v */
    double v[BF_SMALL_MAX];
    for (int i = k + 1; i < n; i++) v[i] = A[k * n + i];
    for (int i = k; i < n; i++) A[k * n + i] = A[i * n + k] = i == k ? 1.0 : 0.0;
    for (int j = k + 1; j < n && beta[k] != 0.0; j++) {
      double s = 0.0;
      for (int i = k + 1; i < n; i++) s += v[i] * A[i * n + j];
      for (int i = k + 1; i < n; i++) A[i * n + j] -= beta[k] * s * v[i];
    }
  }
}

/* One implicit step on rows lo .. hi; Q[n][n]: columns are rotated, NULL = none. */
static void step(int n, int lo, int hi, double *d, double *off, double *Q)
{
  const double half = 0.5 * (d[hi - 1] - d[hi]), o = off[hi - 1];
  const double root  = hypot(half, o);
  const double shift = d[hi] - o * o / (half + (half < 0.0 ? -root : root));
  double       x = d[lo] - shift, z = off[lo];
  for (int k = lo; k < hi; k++) {
    const double r = hypot(x, z), c = r == 0.0 ? 1.0 : x / r, s = r == 0.0 ? 0.0 : z / r;
    const double a = d[k], b = off[k], e = d[k + 1];
    if (k > lo) off[k - 1] = r;
    d[k]     = c * c * a + 2.0 * c * s * b + s * s * e;
    d[k + 1] = s * s * a - 2.0 * c * s * b + c * c * e;
    off[k]   = c * s * (e - a) + (c * c - s * s) * b;
    if (k + 1 < hi) {
      x = off[k];
      z = s * off[k + 1];
      off[k + 1] *= c;
    }
    for (int i = 0; i < n && Q; i++) {
      const double u = Q[i * n + k], v = Q[i * n + k + 1];
      Q[i * n + k]     = c * u + s * v;
      Q[i * n + k + 1] = c * v - s * u;
    }
  }
}

static void sort(int n, double *l, double *V)
{
  for (int i = 1; i < n; i++)
    for (int j = i; j > 0 && l[j] < l[j - 1]; j--) {
      const double t = l[j];
      l[j]           = l[j - 1];
      l[j - 1]       = t;
      for (int k = 0; k < n && V; k++) {
        const double u     = V[j * n + k];
        V[j * n + k]       = V[(j - 1) * n + k];
        V[(j - 1) * n + k] = u;
      }
    }
}

int bf_small_eigen(int n, double *A, double *l, int vectors)
{
  double off[BF_SMALL_MAX] = {0.0};
  int    hi                = n - 1;
  tridiagonal(n, A, l, off, vectors);
  for (int steps = 0; hi > 0; steps++) {
    int lo = hi;
    if (steps > 60 * n) return 0;
    while (lo > 0 && fabs(off[lo - 1]) > DBL_EPSILON * (fabs(l[lo - 1]) + fabs(l[lo]))) lo--;
    if (lo == hi)
      hi--;
    else
      step(n, lo, hi, l, off, vectors ? A : 0);
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i && vectors; j++) { /* vectors to rows */
      const double t = A[i * n + j];
      A[i * n + j]   = A[j * n + i];
      A[j * n + i]   = t;
    }
  sort(n, l, vectors ? A : 0);
  return 1;
}

int bf_small_cholesky(int n, double *A)
{
  for (int j = 0; j < n; j++) {
    double s = A[j * n + j];
    for (int k = 0; k < j; k++) s -= A[j * n + k] * A[j * n + k];
    if (!(s > 0.0)) return 0;
    const double r = sqrt(s);
    A[j * n + j]   = r;
    for (int i = j + 1; i < n; i++) {
      double t = A[i * n + j];
      for (int k = 0; k < j; k++) t -= A[i * n + k] * A[j * n + k];
      A[i * n + j] = t / r;
    }
  }
  return 1;
}

void bf_small_solve(int n, const double *L, int m, int ld, double *X)
{
  for (int a = 0; a < n; a++) {
    double *restrict x = X + (size_t)a * (size_t)ld;
    for (int b = 0; b < a; b++) {
      const double *y = X + (size_t)b * (size_t)ld, f = L[a * n + b];
#pragma omp simd
      for (int j = 0; j < m; j++) x[j] -= f * y[j];
    }
    const double r = 1.0 / L[a * n + a];
    for (int j = 0; j < m; j++) x[j] *= r;
  }
  for (int a = n - 1; a >= 0; a--) {
    double *restrict x = X + (size_t)a * (size_t)ld;
    for (int b = a + 1; b < n; b++) {
      const double *y = X + (size_t)b * (size_t)ld, f = L[b * n + a];
#pragma omp simd
      for (int j = 0; j < m; j++) x[j] -= f * y[j];
    }
    const double r = 1.0 / L[a * n + a];
    for (int j = 0; j < m; j++) x[j] *= r;
  }
}

int bf_small_rank(int n, double *A, double tolerance)
{
  double first = 0.0;
  for (int k = 0; k < n; k++) { /* the Schur complement of the pivots so far is updated in place */
    int p = -1;
    for (int i = 0; i < n; i++)
      if (A[i * n + i] > 0.0 && (p < 0 || A[i * n + i] > A[p * n + p])) p = i;
    if (p < 0) return k;
    const double pivot = A[p * n + p];
    if (k == 0) first = pivot;
    if (!(pivot > tolerance * first)) return k;
    for (int i = 0; i < n; i++) {
      if (i == p) continue;
      const double f = A[i * n + p] / pivot;
      for (int j = 0; j < n && f != 0.0; j++)
        if (j != p) A[i * n + j] -= f * A[p * n + j];
    }
    for (int i = 0; i < n; i++) A[i * n + p] = A[p * n + i] = 0.0;
  }
  return n;
}
