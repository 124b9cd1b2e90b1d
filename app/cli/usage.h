/* app/cli/usage.h - the help texts of the program and of its commands */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_APP_CLI_USAGE_H
#define BF_APP_CLI_USAGE_H
#include <stdio.h>

/* The summary of all commands. */
void bf_usage(FILE *out);

/* The help of one command; 0 if there is no such command. */
int bf_usage_command(FILE *out, const char *command);

/* The text of bf_usage; name and text of command i, NULL after the last. */
const char *bf_usage_summary(void);
const char *bf_usage_name(int i, const char **text);
#endif
