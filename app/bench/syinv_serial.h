/* app/bench/syinv_serial.h - the inverse by serial bordering in fp32, to compare results with */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_APP_BENCH_SYINV_SERIAL_H
#define BF_APP_BENCH_SYINV_SERIAL_H
#include "base/err.h"

/* A[order][order], symmetric, full, becomes its inverse by the steps of the published serial program, one row
 * and column at a time, without pivoting.  Rows are shared by threads, the sums of an entry keep the serial
 * order: the result is bitwise equal to that of one thread and of BF_SYINV_BORDER on the CPU.  4/3 n^3 flops,
 * 4 n^3 bytes. */
bf_err bf_bench_serial_border(bf_int order, float *A);

/* sqrt(sum (x_k - y_k)^2 / count); *relative: over sqrt(sum y_k^2 / count). */
double bf_bench_difference(size_t count, const float *x, const float *y, double *relative);
#endif
