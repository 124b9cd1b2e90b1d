/* app/cli/console.c - log lines and progress of the solver on the terminal
 *
 * On a terminal the progress is one line that is overwritten; in a file it is one line per `monitor_every`
 * iterations.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "app/job.h"
#include <stdio.h>
#include <unistd.h>

void bf_console_line(void *context, const char *text)
{
  (void)context;
  puts(text);
  fflush(stdout);
}

void bf_bytes_text(double bytes, char text[24])
{
  static const char *const unit[] = {"B", "KiB", "MiB", "GiB", "TiB"};
  int                      u      = 0;
  for (; u < 4 && bytes >= 1024.0; u++) bytes /= 1024.0;
  snprintf(text, 24, "%.4g %s", bytes, unit[u]);
}

static void span(double seconds, char *text, size_t size)
{
  if (seconds < 0.0)
    snprintf(text, size, "-");
  else if (seconds < 100.0)
    snprintf(text, size, "%.1f s", seconds);
  else
    snprintf(text, size, "%d min %02d s", (int)(seconds / 60.0), (int)seconds % 60);
}

void bf_console_progress(void *context, const bf_progress *p)
{
  (void)context;
  char left[32];
  span(p->seconds_left, left, sizeof left);
  const int live = isatty(STDOUT_FILENO);
  printf("%s  iteration %5d of at most %d   residual %.3e   rate %.3f   time left %s%s",
         live ? "\r\033[K" : "", p->iteration, p->limit, p->residual, p->rate, left, live ? "" : "\n");
  fflush(stdout);
}

/* In a file: one line for each further converged mode. */
void bf_console_modes(void *shown, const bf_eigen_progress *p)
{
  int      *last = shown;
  const int live = isatty(STDOUT_FILENO);
  if (!live && p->converged <= *last) return;
  *last = p->converged;
  printf("%s  iteration %5d of at most %d   %d of %d modes   largest residual %.3e%s", live ? "\r\033[K" : "",
         p->iteration, p->limit, p->converged, p->pairs, p->residual, live ? "" : "\n");
  fflush(stdout);
}
