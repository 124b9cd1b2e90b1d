/* app/cli/interrupt.h - Ctrl-C (SIGINT) and SIGTERM
 *
 * Without a hold the first signal terminates the program at once; no file is being written then. During a
 * hold the first signal prints a message and is recorded; the second one has the default action of the
 * system.  The exit status is 128 plus the number of the signal: 130 for SIGINT, 143 for SIGTERM.  A signal
 * that was ignored at the start of the program stays ignored.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_APP_CLI_INTERRUPT_H
#define BF_APP_CLI_INTERRUPT_H

/* Installs the handlers; once, by main.  json: messages are JSON objects. */
void bf_interrupt_watch(int json);

/* Begins a hold: until release or settle the first signal prints `text` and is recorded. */
void bf_interrupt_hold(const char *text);

/* The recorded signal, 0 = none. context is not used; the signature is that of bf_solve_options.interrupted.
 */
int bf_interrupted(void *context);

/* Ends the hold and returns the recorded signal, 0 = none. */
int bf_interrupt_release(void);

/* Ends the hold; terminates the program if a signal was recorded. */
void bf_interrupt_settle(void);
#endif
