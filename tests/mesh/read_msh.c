/* tests/mesh/read_msh.c - reads one .msh file and prints time and memory, for t119_msh_speed.py
 *
 * usage: read_msh FILE     prints: seconds, processor seconds, bytes of memory at the peak above those before
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "base/timer.h"
#include "mesh/mesh.h"
#include <stdio.h>
#include <string.h>
#include <time.h>

static double processor_seconds(void)
{
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* A line "NAME:  123 kB" of /proc/self/status, in bytes. */
static double status_bytes(const char *name)
{
  FILE  *f = fopen("/proc/self/status", "r");
  char   line[256];
  double kib = 0.0;
  while (f && fgets(line, sizeof line, f))
    if (strncmp(line, name, strlen(name)) == 0) sscanf(line + strlen(name) + 1, "%lf", &kib);
  if (f) fclose(f);
  return 1024.0 * kib;
}

/* Resets the peak of the memory to the present use. */
static void forget_peak(void)
{
  FILE *f = fopen("/proc/self/clear_refs", "w");
  if (f) fputs("5", f);
  if (f) fclose(f);
}

int main(int argc, char **argv)
{
  bf_diags d = {0};
  bf_mesh *m = NULL;
  if (argc != 2) return 1;
  forget_peak();
  const double before = status_bytes("VmHWM"), wall = bf_seconds(), cpu = processor_seconds();
  const bf_err err     = bf_mesh_read_msh(argv[1], &d, &m);
  const double cpu_end = processor_seconds(), wall_end = bf_seconds();
  if (err != BF_OK)
    bf_diags_print(&d, 0, stderr);
  else
    printf("%.6f %.6f %.0f %d %d\n", wall_end - wall, cpu_end - cpu, status_bytes("VmHWM") - before,
           m->nnodes, m->nelem);
  bf_mesh_destroy(&m);
  bf_diags_clear(&d);
  return err != BF_OK;
}
