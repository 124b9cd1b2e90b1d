/* app/cli/console.h - the terminal of a run: log lines, and below them one live line of the phase at work
 *
 * The live line exists on a terminal alone; a thread rewrites it twice a second once a phase has taken a
 * second. The time left comes from the solver, from the share of the work that is done, or from the expected
 * time of the phase, in this order; without any of them the line shows the time elapsed.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_APP_CLI_CONSOLE_H
#define BF_APP_CLI_CONSOLE_H
#include "solvers/eigen.h"

typedef struct bf_console bf_console; /* opaque */

/* live: 1 = with the live line, if stdout is a terminal; verbose: 1 = a line per reading of the solver's
 * state in a file, else few lines.  NULL without memory: functions below accept NULL and write lines alone.
 */
bf_console *bf_console_open(int live, int verbose);
void        bf_console_close(bf_console **console); /* erases the live line */

/* The phase at work, such as "numbering"; expected: seconds, 0 = unknown; text NULL: none. */
void bf_console_phase(bf_console *console, const char *text, double expected);
/* Share of the work of the phase that is done, 0..1. */
void bf_console_share(void *console, double share);
void bf_console_erase(bf_console *console); /* before lines on stderr */

/* A line of the log; context: bf_console or NULL. */
void bf_console_line(void *context, const char *text);
/* Monitors of the solvers; context: bf_console or NULL.  In a file: at least 10 s between two lines. */
void bf_console_progress(void *context, const bf_progress *p);
void bf_console_modes(void *context, const bf_eigen_progress *p);

void bf_bytes_text(double bytes, char text[24]); /* "20.5 GiB" */
#endif
