/* solvers/linear/tridiagonal_eigenvalues.c - see tridiagonal_eigenvalues.h */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "solvers/linear/tridiagonal_eigenvalues.h"
#include <float.h>
#include <math.h>

typedef struct tridiagonal {
  int           n;
  const double *diag, *off; /* borrowed */
} tridiagonal;

/* Eigenvalues below x: negative terms of the Sturm sequence. */
static int count_below(const tridiagonal *T, double x)
{
  int    count = 0;
  double d     = 1.0;
  for (int i = 0; i < T->n; i++) {
    const double b = i ? T->off[i - 1] : 0.0;
    d              = T->diag[i] - x - b * b / d;
    if (d == 0.0) d = DBL_MIN;
    count += d < 0.0;
  }
  return count;
}

/* Eigenvalue k, counted from 0, between lo and hi. */
static double bisect(const tridiagonal *T, int k, double lo, double hi)
{
  for (int i = 0; i < 200 && hi - lo > 1e-13 * fmax(fabs(lo), fabs(hi)); i++) {
    const double mid = 0.5 * (lo + hi);
    if (count_below(T, mid) > k)
      hi = mid;
    else
      lo = mid;
  }
  return 0.5 * (lo + hi);
}

void bf_tridiagonal_ends(int n, const double *diag, const double *off, double *least, double *most)
{
  const tridiagonal T  = {n, diag, off};
  double            lo = INFINITY, hi = -INFINITY;
  for (int i = 0; i < n; i++) { /* Gershgorin */
    const double r = (i ? fabs(off[i - 1]) : 0.0) + (i + 1 < n ? fabs(off[i]) : 0.0);
    lo             = fmin(lo, diag[i] - r);
    hi             = fmax(hi, diag[i] + r);
  }
  *least = bisect(&T, 0, lo, hi);
  *most  = bisect(&T, n - 1, lo, hi);
}
