/* kernels/mirror.h - the inner loop of the product with half storage: diagonals and their mirror images
 *
 * G <= 3 neighbouring diagonals off, off + 1, .. of D x D blocks, n nodes; every value is read once:
 *
 *     y[i D + a]       += sum over g, b of v_{gD+b}[i D + a] there[(i + g) D + b]     there = x + off D
 *     t[(i + g) D + b] += sum over g, a of v_{gD+b}[i D + a] here[i D + a]            t = y + off D
 *
 * Order of the sums, whatever the instruction set: by blocks of BF_MIRROR_BLOCK nodes, first y, then t; into
 * y term by term, g first, then b; what a block adds to an entry of t is summed over g for each a, then
 * a = b, b + 1, b + 2 (mod D).  y and t may be parts of one vector.  t NULL: y alone.
 */
#ifndef BF_MIRROR_H
#define BF_MIRROR_H
#include "kernels/stream.h"

enum { BF_MIRROR_GROUP = 3, BF_MIRROR_BLOCK = 8, BF_MIRROR_D = 3 };

/* v[G D]: planes; reads there[0 .. (n + G - 1) D), with D = 1 up to there[n + 7]; adds to
 * t[0 .. (n + G - 1) D). */
typedef void (*bf_mirror)(int64_t n, const void *const *v, const double *here, const double *there, double *y,
                          double *t);

/* D, G in 1 .. 3 */
bf_mirror bf_cpu_mirror(bf_isa isa, int fp32, int D, int G);
#endif
