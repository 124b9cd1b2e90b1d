/* app/cli/options.h - the command line of the sub-commands that take a deck */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_APP_CLI_OPTIONS_H
#define BF_APP_CLI_OPTIONS_H
#include "app/job.h"

/* Reads DECK [-s KEY=VALUE]... [--errors=text|json] [--quiet], for run [--backend NAME] [--out DIR], for
 * check [--out DIR], for bench [--backend NAME] [--csv FILE], into the job; -1, or the exit status after a
 * message. */
int bf_options(int argc, char **argv, const char *command, bf_job *job);
#endif
