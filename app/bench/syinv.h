/* app/bench/syinv.h - what the files of bandfem bench syinv share */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_APP_BENCH_SYINV_H
#define BF_APP_BENCH_SYINV_H
#include "app/bench/bench.h"

/* Rows of the operations of one panel of `rank` columns. */
bf_err bf_bench_syinv_phases(bf_bench *b, bf_scalar type, bf_int n, bf_int rank);
#endif
