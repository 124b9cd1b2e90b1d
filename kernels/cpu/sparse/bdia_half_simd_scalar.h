/* kernels/cpu/sparse/bdia_half_simd_scalar.h - scalar steps of a tile of bdia_half_simd.h, for one type of
 * value and one instruction set
 *
 * Included by bdia_half_simd.c with NAME(f) the function's name, ISA its target attribute, VALUE double or
 * float, and MULADD(a, b, c), a b + c.  Arrays: x, sum [a][n].
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#define LANE    double
#define LANES   ENTRIES
#define NONE    0.0
#define LAST(c) (c)

ISA static inline __attribute__((always_inline)) void NAME(begin)(int D, const double *z, double *x,
                                                                  double *sum)
{
  const int n = bf_bdia_tile_nodes(D);
  for (int a = 0; a < D; a++)
    for (int i = 0; i < n; i++) x[a * n + i] = z[i * D + a], sum[a * n + i] = 0.0;
}

ISA static inline __attribute__((always_inline)) void NAME(own)(int D, const VALUE *u, const double *x,
                                                                double *sum)
{
  const int n = bf_bdia_tile_nodes(D);
  for (int b = 0; b < D; b++)
    for (int a = 0; a < D; a++, u += n)
      for (int i = 0; i < n; i++) sum[a * n + i] = MULADD((double)u[i], x[b * n + i], sum[a * n + i]);
}

/* sum_a += u_ab X_b, P = sum over a of u_ab x_a: the planes of b of a diagonal. */
ISA static inline __attribute__((always_inline)) void NAME(both)(int D, const VALUE *u, const double *x,
                                                                 const double *X, double *sum, double *P)
{
  const int n = bf_bdia_tile_nodes(D);
  for (int i = 0; i < n; i++) P[i] = (double)u[i] * x[i];
  for (int a = 0; a < D; a++, u += n)
    for (int i = 0; i < n; i++) {
      sum[a * n + i] = MULADD((double)u[i], X[i], sum[a * n + i]);
      if (a > 0) P[i] = MULADD((double)u[i], x[a * n + i], P[i]);
    }
}

ISA static inline __attribute__((always_inline)) void
NAME(beside)(int D, const VALUE *u, const double *x, const double *z, double *sum, double *carry)
{
  const int n = bf_bdia_tile_nodes(D);
  double    X[NODES], P[NODES];
  for (int b = 0; b < D; b++, u += D * n) {
    for (int i = 0; i < n; i++) X[i] = z[(i + 1) * D + b];
    NAME(both)(D, u, x, X, sum, P);
    sum[b * n] += carry[b];
    for (int i = 1; i < n; i++) sum[b * n + i] += P[i - 1];
    carry[b] = P[n - 1];
  }
}

ISA static inline __attribute__((always_inline)) void
NAME(group)(int D, int G, const VALUE *u, const double *x, const double *z, double *t, double *sum)
{
  const int n = bf_bdia_tile_nodes(D), end = n + G - 1;
  double    T[ENTRIES], X[ENTRIES], P[NODES];
  for (int b = 0; b < D; b++)
    for (int i = 0; i < end; i++) X[b * LONG + i] = z[i * D + b], T[b * LONG + i] = 0.0;
  for (int g = 0; g < G; g++)
    for (int b = 0; b < D; b++, u += D * n) {
      NAME(both)(D, u, x, X + b * LONG + g, sum, P);
      for (int i = 0; i < n; i++) T[b * LONG + i + g] += P[i];
    }
  for (int i = 0; i < end; i++)
    for (int b = 0; b < D; b++) t[i * D + b] += T[b * LONG + i];
}

ISA static inline __attribute__((always_inline)) void NAME(end)(int D, const double *sum, double *t,
                                                                double *y)
{
  const int n = bf_bdia_tile_nodes(D);
  for (int i = 0; i < n; i++)
    for (int a = 0; a < D; a++) y[i * D + a] = t[i * D + a] + sum[a * n + i], t[i * D + a] = 0.0;
}

#include "kernels/cpu/sparse/bdia_half_simd_tile.h"
#undef LANE
#undef LANES
#undef NONE
#undef LAST
