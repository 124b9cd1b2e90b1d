/* tests/inputs/read_mtx.c - reads one .mtx file several times and prints time and memory, for
 * t283_mtx_speed.py
 *
 * usage: read_mtx FILE REPEATS     prints: least seconds, least processor seconds, entries
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "base/timer.h"
#include "inputs/mtx.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double processor_seconds(void)
{
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int main(int argc, char **argv)
{
  double  least = INFINITY, least_cpu = INFINITY;
  int64_t entries = 0;
  if (argc != 3) return 1;
  for (int k = 0; k < atoi(argv[2]); k++) {
    bf_diags     d    = {0};
    bf_mtx      *A    = NULL;
    const double wall = bf_seconds(), cpu = processor_seconds();
    const bf_err err = bf_mtx_read(argv[1], &d, &A);
    least_cpu        = fmin(least_cpu, processor_seconds() - cpu);
    least            = fmin(least, bf_seconds() - wall);
    bf_diags_print(&d, 0, stderr);
    bf_diags_clear(&d);
    if (err != BF_OK) return 1;
    entries = A->listed;
    bf_mtx_destroy(&A);
  }
  printf("%.6f %.6f %lld\n", least, least_cpu, (long long)entries);
  return 0;
}
