/* kernels/cpu/sparse/bdia_half_simd_avx512.h - the steps of a tile of bdia_half_simd.h in AVX-512: vectors of
 * eight nodes, V to a tile
 *
 * Included by bdia_half_simd.c with NAME(f), ISA, VALUE, READ(p), a VECTOR v of values, as doubles or as
 * memory operand, TIMES(x, v) and ADD(sum, x, v), which is sum + v x. Values are read in the order of their
 * addresses and the compiler must not reorder the loads: the hardware prefetcher follows only such a
 * sequence. Arrays: x, sum [a][q], X [q][b], T [b][q]; q < V.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#define LANE  wide
#define LANES SOME
#define NONE                                                                                                 \
  {                                                                                                          \
    0.0                                                                                                      \
  }
#define LAST(c) ((c)[WIDE - 1])

ISA static inline __attribute__((always_inline)) void NAME(begin)(int D, const double *z, wide *x, wide *sum)
{
  const int  V    = bf_bdia_tile_nodes(D) / WIDE;
  const wide none = {0.0};
  wide       X[SOME];
  for (int q = 0; q < V; q++) {
    split(D, z + WIDE * q * D, X);
    for (int a = 0; a < D; a++) x[a * V + q] = X[a], sum[a * V + q] = none;
  }
}

ISA static inline __attribute__((always_inline)) void NAME(own)(int D, const VALUE *u, const wide *x,
                                                                wide *sum)
{
  const int V = bf_bdia_tile_nodes(D) / WIDE;
  for (int b = 0; b < D; b++)
    for (int a = 0; a < D; a++)
      for (int q = 0; q < V; q++, u += WIDE) {
        ask(u, (b * D + a) * V + q, (int)sizeof(VALUE));
        sum[a * V + q] = ADD(sum[a * V + q], x[b * V + q], READ(u));
      }
}

/* sum_a += v X, P += v x_a: vector q of plane a of a diagonal and its mirror image. */
ISA static inline __attribute__((always_inline)) void NAME(both)(int a, const VALUE *u, wide X, wide x,
                                                                 wide *sum, wide *P)
{
  const VECTOR v = READ(u);
  *sum           = ADD(*sum, X, v);
  if (a == 0)
    *P = TIMES(x, v);
  else
    *P = ADD(*P, x, v);
}

/* The mirrored part is added to the sums of the tile's own rows, in registers: no store-to-load
 * dependency. */
ISA static inline __attribute__((always_inline)) void NAME(beside)(int D, const VALUE *u, const wide *x,
                                                                   const double *z, wide *sum, wide *carry)
{
  const int V = bf_bdia_tile_nodes(D) / WIDE;
  wide      P[SOME], next[BF_HALF_TILES_D];
  split_two(D, z + WIDE * V * D, next);
  for (int b = 0; b < D; b++) {
    for (int a = 0; a < D; a++)
      for (int q = 0; q < V; q++, u += WIDE) {
        ask(u, ((D + b) * D + a) * V + q, (int)sizeof(VALUE));
        const wide X = ahead(1, x[b * V + q], q + 1 < V ? x[b * V + q + 1] : next[b]);
        NAME(both)(a, u, X, x[a * V + q], &sum[a * V + q], &P[q]);
      }
    for (int q = 0; q < V; q++) sum[b * V + q] += behind(1, q == 0 ? carry[b] : P[q - 1], P[q]);
    carry[b] = P[V - 1];
  }
}

/* Diagonal g of G adjacent ones. Called for each g with a constant: gcc does not unroll a loop over g
 * with D = 3, which is a fifth slower. */
ISA static inline __attribute__((always_inline)) void
NAME(one)(int D, int G, int g, const VALUE *u, const wide *x, const wide *X, wide *T, double *t, wide *sum)
{
  const int  V = bf_bdia_tile_nodes(D) / WIDE, W = V + 1;
  const wide none = {0.0};
  wide       P[SOME];
  for (int b = 0; b < D; b++) {
    for (int a = 0; a < D; a++)
      for (int q = 0; q < V; q++, u += WIDE) {
        ask(u, ((g * D + b) * D + a) * V + q, (int)sizeof(VALUE));
        const wide there = g == 0 ? X[q * D + b] : ahead(g, X[q * D + b], X[(q + 1) * D + b]);
        NAME(both)(a, u, there, x[a * V + q], &sum[a * V + q], &P[q]);
        if (a == D - 1 && g == 0) T[b * W + q] = P[q];
        if (a == D - 1 && g > 0) T[b * W + q] += behind(g, q == 0 ? none : P[q - 1], P[q]);
        if (D == 1 && g == G - 1) add_joined(D, T + q, W, t + WIDE * q);
      }
    if (g == 1) T[b * W + V] = behind(1, P[V - 1], none);
    if (g == 2) T[b * W + V] += behind(2, P[V - 1], none);
  }
}

ISA static inline __attribute__((always_inline)) void NAME(group)(int D, int G, const VALUE *u, const wide *x,
                                                                  const double *z, double *t, wide *sum)
{
  const int V = bf_bdia_tile_nodes(D) / WIDE, W = V + 1, next = D * D * V * WIDE;
  wide      X[SOME], T[SOME];
  for (int q = 0; q < V; q++) split(D, z + WIDE * q * D, X + q * D);
  if (G > 1) split_two(D, z + WIDE * V * D, X + V * D);
  NAME(one)(D, G, 0, u, x, X, T, t, sum);
  if (G > 1) NAME(one)(D, G, 1, u + next, x, X, T, t, sum);
  if (G > 2) NAME(one)(D, G, 2, u + 2 * next, x, X, T, t, sum);
  for (int q = 0; D > 1 && q < V; q++) add_joined(D, T + q, W, t + WIDE * q * D);
  if (G > 1) add_two(D, T + V, W, t + WIDE * V * D);
}

ISA static inline __attribute__((always_inline)) void NAME(end)(int D, const wide *sum, double *t, double *y)
{
  const int  V    = bf_bdia_tile_nodes(D) / WIDE;
  const wide none = {0.0};
  for (int q = 0; q < V; q++) {
    wide J[BF_HALF_TILES_D];
    join(D, sum + q, V, J);
    for (int d = 0; d < D; d++, t += WIDE, y += WIDE) *(wide *)y = DOUBLES(t) + J[d], *(wide *)t = none;
  }
}

#include "kernels/cpu/sparse/bdia_half_simd_tile.h"
#undef LANE
#undef LANES
#undef NONE
#undef LAST
