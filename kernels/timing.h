/* kernels/timing.h - timing on the CUDA backend's stream by events, and a read-only kernel
 *
 * For CUDA backends, in programs built with CUDA. A host clock also includes the launch and the
 * synchronisation, about 10 us: more than a batch of small matrices takes.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_TIMING_H
#define BF_TIMING_H
#include "kernels/backend.h"
#ifdef __cplusplus
extern "C" {
#endif

/* Seconds of one call of fn(context), which queues work on the CUDA backend's stream: median and minimum
 * of `reps` calls between events, after two warm-up calls. flush_bytes > 0: that many bytes of other
 * memory are written and read before each call, so that no data is left in the caches (256 MB is several
 * times the 60 MB of an H200). */
bf_err bf_bench_time(bf_backend *be, bf_err (*fn)(void *context), void *context, int reps, size_t flush_bytes,
                     double *median, double *least);

/* Seconds of one call inside a graph of `calls` calls, after two warm-up graphs: median of `reps`. The
 * caches are not flushed between calls. */
bf_err bf_bench_time_graph(bf_backend *be, bf_err (*fn)(void *context), void *context, int reps, int calls,
                           double *median);

/* Seconds of one of `calls` consecutive calls of run(context), in a graph if they can be captured:
 * median of at most `reps`, of two or three if they take long. Before each measurement:
 * prepare(context), then 256 MB of other memory are written and read. run has been called before, so its
 * first allocations are done. */
bf_err bf_bench_time_fresh(bf_backend *be, bf_err (*prepare)(void *context), bf_err (*run)(void *context),
                           void *context, int calls, int reps, double *median);

/* Reads `bytes` (a multiple of 16) at p: the upper limit of memory-bound kernels. out: 8 bytes, distinct
 * from p */
bf_err bf_bench_read(bf_backend *be, size_t bytes, const void *p, void *out);
#ifdef __cplusplus
}
#endif
#endif
