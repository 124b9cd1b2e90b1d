/* base/timer.h - wall clock and the table of phases: name, calls, seconds, bytes, flops */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_TIMER_H
#define BF_TIMER_H
#include "base/err.h"

double bf_seconds(void); /* monotonic wall clock */

typedef struct bf_phase {
  char    name[40];
  int64_t calls;
  double  seconds, seconds_min, seconds_max; /* sum; minimum and maximum of a call */
  double  bytes, flops;                      /* sums; 0 = not counted */
} bf_phase;

enum { BF_PHASES_MAX = 64 };
typedef struct bf_phases { /* zero-initialise */
  int      count;
  bf_phase phase[BF_PHASES_MAX];
  void (*progress)(void *context, double share); /* of the phase at work, 0..1; may be NULL */
  void  *context;
  double work, done;
} bf_phases;

/* Adds one call to the phase of that name, a new one at the end of the table. Past BF_PHASES_MAX names it
 * counts in the last phase.
 */
void bf_phase_add(bf_phases *p, const char *name, double seconds, double bytes, double flops);
/* The phase at work has so many parts; parts of it are done.  p may be NULL. */
void bf_phase_work(bf_phases *p, double parts);
void bf_phase_done(bf_phases *p, double parts);
#endif
