/* kernels/stream.h - the inner loop of the bDIA product: products of long runs of values, added up
 *
 *     y[i] += v_0[i] x_0[i] + v_1[i] x_1[i] + ... + v_{m-1}[i] x_{m-1}[i],   0 <= i < n,  terms added from
 * the left
 *
 * x and sums are fp64, v fp64 or fp32.  The order of the additions does not depend on the instruction set.
 */
#ifndef BF_STREAM_H
#define BF_STREAM_H
#include <stdint.h>

enum { BF_STREAMS = 16 }; /* largest m: runs that are read side by side */

typedef void (*bf_stream)(int64_t n, int m, const void *const *v, const double *const *x, double *y);

/* The same x times D = 2 or 3 runs, each into a target of its own: y_a[i] += v_{kD+a}[i] x_k[i], k < m. */
enum { BF_FAN = 3 };
typedef void (*bf_fan)(int D, int64_t n, int m, const void *const *v, const double *const *x,
                       double *const *y);

/* X[3 i + a] = x[3 i] for a = 0, 1, 2: one component of n nodes for each of their rows.  Reads up to x[3 n].
 */
typedef void (*bf_spread)(int64_t n, const double *x, double *X);

/* Instruction sets this was compiled for; bf_cpu_isa: the widest that this processor has. */
typedef enum bf_isa { BF_ISA_PLAIN, BF_ISA_AVX2, BF_ISA_AVX512, BF_ISAS } bf_isa;
bf_isa    bf_cpu_isa(void);
bf_stream bf_cpu_stream(bf_isa isa, int fp32);
bf_fan    bf_cpu_fan(bf_isa isa, int fp32);
bf_spread bf_cpu_spread3(bf_isa isa);
#endif
