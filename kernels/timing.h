/* kernels/timing.h - times between events on the CUDA backend's stream, and a kernel that only reads
 *
 * For CUDA backends, in programs built with CUDA.  A host's clock also counts the launch and the wait for its
 * end, some 10 us: more than a batch of small matrices takes.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_TIMING_H
#define BF_TIMING_H
#include "kernels/backend.h"
#ifdef __cplusplus
extern "C" {
#endif

/* Seconds of one call of fn(context), which queues work on the CUDA backend's stream: median and least of
 * `reps` calls between events, after two calls that do not count.  flush_bytes > 0: that much other memory is
 * written and read before each call, so that none of its data is left in the caches (256 MB is several times
 * an H200's 60). */
bf_err bf_bench_time(bf_backend *be, bf_err (*fn)(void *context), void *context, int reps, size_t flush_bytes,
                     double *median, double *least);

/* Seconds of one call inside a graph of `calls` calls, after two graphs that do not count: median of `reps`.
 * Nothing passes through the caches between: what fits there stays. */
bf_err bf_bench_time_graph(bf_backend *be, bf_err (*fn)(void *context), void *context, int reps, int calls,
                           double *median);

/* Seconds of one of `calls` calls of run(context) in a row, in one graph where they can be captured: median
 * of at most `reps`, of two or three where they last.  Before each time, outside of it: prepare(context),
 * then 256 MB of other memory are written and read.  Has been run before: what it loads or allocates once is
 * there. */
bf_err bf_bench_time_fresh(bf_backend *be, bf_err (*prepare)(void *context), bf_err (*run)(void *context),
                           void *context, int calls, int reps, double *median);

/* Reads `bytes` (a multiple of 16) at p: the ceiling of kernels that mostly read.  out: 8 bytes, not p's. */
bf_err bf_bench_read(bf_backend *be, size_t bytes, const void *p, void *out);
#ifdef __cplusplus
}
#endif
#endif
