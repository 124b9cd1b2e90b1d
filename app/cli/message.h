/* app/cli/message.h - messages on stderr: text, or one JSON object per line with --errors=json */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_APP_CLI_MESSAGE_H
#define BF_APP_CLI_MESSAGE_H
#include "base/diag.h"

/* 1: --errors=json is among the arguments. Called before they are parsed, so that parse errors have this
 * format too. */
int bf_say_json(int argc, char **argv);

/* 1: the argument is --errors=text or --errors=json. */
int bf_say_option(const char *word);

/* A path as one word of a shell command: in single quotes if it needs them; buf is returned. */
const char *bf_say_word(const char *path, char *buf, size_t size);

void bf_say_diags(const bf_diags *d, int first, int json);

/* Prints an error without a code as one line, "bandfem ...". */
void bf_say(int json, const char *fmt, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;
#endif
