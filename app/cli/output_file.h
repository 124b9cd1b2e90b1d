/* app/cli/output_file.h - result files that the command line names, before the work */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_APP_CLI_OUTPUT_FILE_H
#define BF_APP_CLI_OUTPUT_FILE_H
#include "base/diag.h"

/* E601 where a file could not be written after the work; path may be NULL. */
bf_err bf_output_try(bf_diags *diags, const char *path);

/* Removes the file of an earlier call of the program, so that it does not remain beside a file of this one,
 * unless it is one of the `count` input files (NULL: not given).  `work` names the call: "solve".  E601. */
bf_err bf_output_remove(bf_diags *diags, const char *path, const char *const *input, int count,
                        const char *work);
#endif
