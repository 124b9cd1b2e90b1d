/* app/cli/output_file.h - result files named on the command line: removed before the work, reported if not
 * written */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_APP_CLI_OUTPUT_FILE_H
#define BF_APP_CLI_OUTPUT_FILE_H
#include "base/diag.h"

/* Reports E601 if a file could not be written; path may be NULL. */
bf_err bf_output_try(bf_diags *diags, const char *path);

/* Removes the file of an earlier call of the program, so that no old file remains next to new ones, unless it
 * is one of the `count` input files (NULL: not given).  `work` names the call: "solve".  E601. */
bf_err bf_output_remove(bf_diags *diags, const char *path, const char *const *input, int count,
                        const char *work);
#endif
