/* app/cli/interrupt.h - Ctrl-C (SIGINT) and SIGTERM
 *
 * Without a hold the first signal ends the program at once: nothing is being written then.  Under a hold the
 * first signal prints a message and is kept; the second has the default action of the system.  The exit
 * status is 128 plus the number of the signal: 130 for SIGINT, 143 for SIGTERM.  A signal that was ignored at
 * the start of the program stays ignored.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_APP_CLI_INTERRUPT_H
#define BF_APP_CLI_INTERRUPT_H

/* Installs the handlers; once, by main.  json: messages are JSON objects. */
void bf_interrupt_watch(int json);

/* Until release or settle the first signal prints `text` and is kept. */
void bf_interrupt_hold(const char *text);

/* The kept signal, 0 = none.  The context is not used: the form is that of bf_solve_options.interrupted. */
int bf_interrupted(void *context);

/* Ends the hold; the kept signal, 0 = none. */
int bf_interrupt_release(void);

/* Ends the hold, and the program where a signal was kept. */
void bf_interrupt_settle(void);
#endif
