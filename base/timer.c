/* base/timer.c - see timer.h */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/timer.h"
#include <stdio.h>
#include <string.h>
#include <time.h>

double bf_seconds(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void bf_phase_add(bf_phases *p, const char *name, double seconds, double bytes, double flops)
{
  int i = 0;
  while (i < p->count && strcmp(p->phase[i].name, name) != 0) i++;
  if (i == BF_PHASES_MAX) i--;
  bf_phase *f = &p->phase[i];
  if (i == p->count) {
    p->count++;
    snprintf(f->name, sizeof f->name, "%s", name);
    f->seconds_min = seconds;
  }
  f->calls++;
  f->seconds += seconds;
  f->bytes += bytes;
  f->flops += flops;
  if (seconds < f->seconds_min) f->seconds_min = seconds;
  if (seconds > f->seconds_max) f->seconds_max = seconds;
}

void bf_phase_work(bf_phases *p, double parts)
{
  if (!p) return;
  p->work = parts;
  p->done = 0.0;
}

void bf_phase_done(bf_phases *p, double parts)
{
  if (!p) return;
  p->done += parts;
  if (p->progress && p->work > 0.0) p->progress(p->context, p->done / p->work);
}
