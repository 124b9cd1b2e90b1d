/* app/cli/interrupt.c - see interrupt.h; the handler calls only async-signal-safe functions (POSIX.1-2008)
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "app/cli/interrupt.h"
#include "base/diag.h"
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { SIGNALS = 2, TEXT_MAX = 600 };
static const int signals[SIGNALS] = {SIGINT, SIGTERM};

/* A handler has no argument for its data: these are the only variables of the program with static storage. */
static volatile sig_atomic_t watched[SIGNALS], held, kept;
static int                   as_json;
static char                  message_end[TEXT_MAX], message_hold[TEXT_MAX];

static void print(const char *text)
{
  const ssize_t n = write(STDERR_FILENO, text, strlen(text));
  (void)n; /* standard error is closed */
}

static void on_signal(int number)
{
  const int error = errno;
  if (!held) {
    print(message_end);
    _exit(128 + number);
  }
  kept = number;
  for (int i = 0; i < SIGNALS; i++)
    if (watched[i]) signal(signals[i], SIG_DFL);
  print(message_hold);
  errno = error;
}

/* The line as bf_say prints it; on a terminal below the line of progress. */
static void compose(const char *text, char line[TEXT_MAX])
{
  char  words[TEXT_MAX / 2];
  FILE *f = as_json ? fmemopen(line, TEXT_MAX, "w") : NULL;
  snprintf(words, sizeof words, ": %s", text);
  if (f) {
    bf_diag_print_json(&(bf_diag){.severity = BF_ERROR, .text = words}, f);
    fclose(f);
  } else {
    snprintf(line, TEXT_MAX, "%sbandfem%s\n", isatty(STDERR_FILENO) ? "\n" : "", words);
  }
}

void bf_interrupt_watch(int json)
{
  struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART}, before;
  as_json                 = json;
  compose("interrupted", message_end);
  sigemptyset(&action.sa_mask);
  for (int i = 0; i < SIGNALS; i++) sigaddset(&action.sa_mask, signals[i]);
  for (int i = 0; i < SIGNALS; i++) {
    if (sigaction(signals[i], NULL, &before) != 0 || before.sa_handler == SIG_IGN) continue;
    watched[i] = sigaction(signals[i], &action, NULL) == 0;
  }
}

void bf_interrupt_hold(const char *text)
{
  compose(text, message_hold);
  held = 1;
}

int bf_interrupted(void *context)
{
  (void)context;
  return kept;
}

int bf_interrupt_release(void)
{
  const int number = kept;
  held             = 0;
  kept             = 0;
  return number;
}

void bf_interrupt_settle(void)
{
  const int number = bf_interrupt_release();
  if (!number) return;
  fflush(stdout);
  _exit(128 + number);
}
