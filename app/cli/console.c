/* app/cli/console.c - see console.h */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "app/cli/console.h"
#include "base/memory.h"
#include "base/timer.h"
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

enum { TEXT = 160, WIDTH = 80 };
static const double FIRST = 0.3, EVERY = 0.5, FILE_EVERY = 10.0; /* seconds */

struct bf_console {
  int             live, verbose, shown, stop, threaded;
  int             converged; /* modes of the last line in a file */
  pthread_mutex_t lock;
  pthread_cond_t  wake;
  pthread_t       thread;
  char            phase[48], state[TEXT]; /* state: of the solver, replaces the rest of the line */
  double          begin, expected, share, last;
  double          left, told; /* by the solver, when */
};

void bf_bytes_text(double bytes, char text[24])
{
  static const char *const unit[] = {"B", "KiB", "MiB", "GiB", "TiB"};
  int                      u      = 0;
  for (; u < 4 && bytes >= 1024.0; u++) bytes /= 1024.0;
  snprintf(text, 24, "%.4g %s", bytes, unit[u]);
}

/* ---- with the lock ---- */

static void erase(bf_console *c)
{
  if (!c->shown) return;
  fputs("\r\033[K", stdout);
  fflush(stdout);
  c->shown = 0;
}

static void span(double seconds, char *text, size_t size)
{
  if (seconds < 100.0)
    snprintf(text, size, "%.0f s", seconds);
  else
    snprintf(text, size, "%d min %02d s", (int)(seconds / 60.0), (int)seconds % 60);
}

/* Seconds left; negative: unknown. */
static double left(const bf_console *c, double elapsed)
{
  if (c->state[0]) return c->left < 0.0 ? c->left : fmax(c->left - (bf_seconds() - c->told), 0.0);
  if (c->share > 0.02 && c->share < 1.0) return elapsed * (1.0 - c->share) / c->share;
  return c->expected > elapsed ? c->expected - elapsed : -1.0;
}

static void show(bf_console *c)
{
  const double   elapsed = bf_seconds() - c->begin, rest = left(c, elapsed);
  char           line[2 * TEXT], time[24], more[48] = "";
  struct winsize w = {.ws_col = 0};
  const int width  = ioctl(STDOUT_FILENO, TIOCGWINSZ, &w) == 0 && w.ws_col > 20 ? w.ws_col - 1 : WIDTH - 1;
  if (!c->phase[0] || elapsed < FIRST) return;
  span(elapsed, time, sizeof time);
  if (rest >= 0.0) {
    char text[24];
    span(rest, text, sizeof text);
    snprintf(more, sizeof more, ", about %s left", text);
  }
  snprintf(line, sizeof line, "%-9s %s%s%s%s", c->phase, c->state, c->state[0] ? ", " : "", time, more);
  printf("\r\033[K%.*s", width, line);
  fflush(stdout);
  c->shown = 1;
}

/* ---- the thread ---- */

static void *rewrite(void *context)
{
  bf_console *c = context;
  pthread_mutex_lock(&c->lock);
  while (!c->stop) {
    struct timespec at;
    clock_gettime(CLOCK_REALTIME, &at);
    at.tv_nsec += (long)(EVERY * 1e9);
    at.tv_sec += at.tv_nsec / 1000000000L;
    at.tv_nsec %= 1000000000L;
    pthread_cond_timedwait(&c->wake, &c->lock, &at);
    if (!c->stop) show(c);
  }
  pthread_mutex_unlock(&c->lock);
  return NULL;
}

/* Signals belong to the main thread. */
static void start(bf_console *c)
{
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  c->threaded = pthread_create(&c->thread, NULL, rewrite, c) == 0;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
}

bf_console *bf_console_open(int live, int verbose)
{
  bf_console *c = bf_host_alloc(1, sizeof *c);
  if (!c) return NULL;
  *c = (bf_console){.live = live && isatty(STDOUT_FILENO), .verbose = verbose, .share = 0.0, .left = -1.0};
  pthread_mutex_init(&c->lock, NULL);
  pthread_cond_init(&c->wake, NULL);
  if (c->live) start(c);
  return c;
}

void bf_console_close(bf_console **console)
{
  bf_console *c = *console;
  if (!c) return;
  pthread_mutex_lock(&c->lock);
  c->stop = 1;
  erase(c);
  pthread_cond_signal(&c->wake);
  pthread_mutex_unlock(&c->lock);
  if (c->threaded) pthread_join(c->thread, NULL);
  pthread_cond_destroy(&c->wake);
  pthread_mutex_destroy(&c->lock);
  bf_host_free(c);
  *console = NULL;
}

void bf_console_phase(bf_console *c, const char *text, double expected)
{
  if (!c) return;
  pthread_mutex_lock(&c->lock);
  erase(c);
  snprintf(c->phase, sizeof c->phase, "%s", text ? text : "");
  c->state[0]  = '\0';
  c->expected  = expected;
  c->share     = 0.0;
  c->left      = -1.0;
  c->converged = 0;
  c->begin = c->last = bf_seconds();
  pthread_mutex_unlock(&c->lock);
}

void bf_console_share(void *console, double share)
{
  bf_console *c = console;
  if (!c) return;
  pthread_mutex_lock(&c->lock);
  c->share = share;
  pthread_mutex_unlock(&c->lock);
}

void bf_console_erase(bf_console *c)
{
  if (!c) return;
  pthread_mutex_lock(&c->lock);
  erase(c);
  pthread_mutex_unlock(&c->lock);
}

void bf_console_line(void *context, const char *text)
{
  bf_console *c = context;
  if (c) {
    pthread_mutex_lock(&c->lock);
    erase(c);
  }
  puts(text);
  fflush(stdout);
  if (c) pthread_mutex_unlock(&c->lock);
}

/* Whether a file gets a line of the solver now; then the time of the last line is set. */
static int file_line(bf_console *c, double now)
{
  if (c->verbose || now - c->last >= FILE_EVERY) {
    c->last = now;
    return 1;
  }
  return 0;
}

void bf_console_progress(void *context, const bf_progress *p)
{
  bf_console *c        = context;
  char        time[32] = "-";
  if (!c) return;
  if (p->seconds_left >= 100.0)
    span(p->seconds_left, time, sizeof time);
  else if (p->seconds_left >= 0.0)
    snprintf(time, sizeof time, "%.1f s", p->seconds_left);
  pthread_mutex_lock(&c->lock);
  if (c->live) {
    snprintf(c->state, sizeof c->state, "iteration %d, residual %.2e", p->iteration, p->residual);
    c->left = p->seconds_left;
    c->told = bf_seconds();
    if (bf_seconds() - c->last >= 0.1) { /* the thread shows it otherwise */
      c->last = bf_seconds();
      show(c);
    }
  } else if (file_line(c, bf_seconds())) {
    printf("  iteration %5d of at most %d   residual %.3e   rate %.3f   time left %s\n", p->iteration,
           p->limit, p->residual, p->rate, time);
    fflush(stdout);
  }
  pthread_mutex_unlock(&c->lock);
}

void bf_console_modes(void *context, const bf_eigen_progress *p)
{
  bf_console *c = context;
  if (!c) return;
  pthread_mutex_lock(&c->lock);
  if (c->live) {
    snprintf(c->state, sizeof c->state, "iteration %d, %d of %d modes, largest residual %.2e", p->iteration,
             p->converged, p->pairs, p->residual);
    c->left = -1.0;
    show(c);
  } else if ((c->verbose && p->converged > c->converged) || (!c->verbose && file_line(c, bf_seconds()))) {
    c->converged = p->converged;
    printf("  iteration %5d of at most %d   %d of %d modes   largest residual %.3e\n", p->iteration, p->limit,
           p->converged, p->pairs, p->residual);
    fflush(stdout);
  }
  pthread_mutex_unlock(&c->lock);
}
