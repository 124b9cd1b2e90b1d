/* solvers/eigen/orthonormal_basis.c - see orthonormal_basis.h */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "solvers/eigen/orthonormal_basis.h"
#include "base/memory.h"
#include <math.h>
#include <string.h>

static double dot(int n, const double *x, const double *y)
{
  double s = 0.0;
  for (int i = 0; i < n; i++) s += x[i] * y[i];
  return s;
}

/* y = G x for the symmetric G. */
static void times(int n, const double *G, const double *x, double *y)
{
  for (int i = 0; i < n; i++) y[i] = dot(n, G + (size_t)i * (size_t)n, x);
}

bf_err bf_basis_extend(int n, const double *G, int have, int count, double drop, double *C, int *kept)
{
  double      *g = NULL;
  const size_t N = (size_t)n;
  int          k = have;
  BF_CHECK(n >= 1 && G && C && kept && have >= 0 && count >= 0, BF_E_ARG, "n=%d have=%d count=%d", n, have,
           count);
  BF_TRY(BF_NEW_ARRAY(g, n));
  for (int j = have; j < have + count; j++) {
    double *c = C + (size_t)k * N;
    if (k < j) memcpy(c, C + (size_t)j * N, N * sizeof *c);
    times(n, G, c, g);
    const double before = sqrt(fmax(dot(n, c, g), 0.0));
    for (int pass = 0; pass < 2; pass++) {
      for (int i = 0; i < k; i++) {
        const double *q = C + (size_t)i * N, f = dot(n, q, g);
        for (int r = 0; r < n; r++) c[r] -= f * q[r];
      }
      times(n, G, c, g);
    }
    const double after = sqrt(fmax(dot(n, c, g), 0.0));
    if (!(after > drop * before) || !isfinite(after)) continue;
    for (int r = 0; r < n; r++) c[r] /= after;
    k++;
  }
  *kept = k - have;
  bf_host_free(g);
  return BF_OK;
}
