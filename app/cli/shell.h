/* app/cli/shell.h - the man page and the completion of bash, made from the help texts and the schema of decks
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_APP_CLI_SHELL_H
#define BF_APP_CLI_SHELL_H
#include <stdio.h>

void bf_man_page(FILE *out);        /* section 1, for man */
void bf_bash_completion(FILE *out); /* commands, options of each, keys of decks behind -s */
#endif
