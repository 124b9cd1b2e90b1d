/* kernels/cpu/stream.h - the inner loop of the bDIA product: products of long runs of values, added up
 *
 *     y[i] += v_0[i] x_0[i] + v_1[i] x_1[i] + ... + v_{m-1}[i] x_{m-1}[i],   0 <= i < n,  terms added from
 * the left
 *
 * x and sums are fp64, v fp64 or fp32.  The order of the additions does not depend on the instruction set.
 */
#ifndef BF_CPU_STREAM_H
#define BF_CPU_STREAM_H
#include <stdint.h>

enum { BF_STREAMS = 16 }; /* largest m: runs that are read side by side */

typedef void (*bf_stream)(int64_t n, int m, const void *const *v, const double *const *x, double *y);

/* For the widest vectors that this processor has. */
bf_stream bf_cpu_stream(int fp32);
#endif
