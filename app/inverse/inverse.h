/* app/inverse/inverse.h - bandfem inverse A.mtx: the inverse of one symmetric matrix, step by step
 *
 *     options -> read (file, symmetry) -> backend, memory -> dense matrix -> inverse, bounds -> files
 *
 * Everything a step makes stays here until bf_cmd_inverse returns.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_APP_INVERSE_INVERSE_H
#define BF_APP_INVERSE_INVERSE_H
#include "app/inverse_memory.h"
#include "base/diag.h"
#include "base/log.h"
#include "base/timer.h"
#include "inputs/mtx.h"
#include "kernels/backend.h"
#include "solvers/linear/inverse.h"

typedef struct bf_inverse_options {
  const char *path, *out, *json, *backend; /* NULL = not given */
  bf_scalar   type;                        /* BF_D, BF_S */
  double      memory_limit;                /* part of the available memory that may be used */
  int         json_errors, quiet;
} bf_inverse_options;

typedef struct bf_inverse_job {
  bf_inverse_options opt;
  bf_log             log;
  bf_diags           diags;
  bf_phases          phases;
  bf_mtx            *M; /* the file, until there is A */
  bf_mtx_layout      layout;
  bf_mtx_field       field;
  bf_mtx_symmetry    symmetry;
  int64_t            listed, repeated; /* entries of the file; of these on top of another */
  bf_int             n;
  double             asymmetry; /* largest |a_ij - a_ji| relative to the rows; 0: exactly symmetric */
  bf_backend        *be;
  char               device[128];
  bf_inverse_memory  memory;
  double            *A, *X; /* host, owned [n][n] */
  bf_inverse_report  report;
} bf_inverse_job;

/* The command line; -1, or the exit status after a message. */
int bf_inverse_read_options(int argc, char **argv, bf_inverse_options *opt);

bf_err bf_inverse_read(bf_inverse_job *job);       /* matrix.c: the file as it is; E221..E226 */
bf_err bf_inverse_dense(bf_inverse_job *job);      /* matrix.c: A; E224, E226, N230 */
void   bf_inverse_show(const bf_inverse_job *job); /* report.c: the result in the log */
bf_err bf_inverse_write_json(const bf_inverse_job *job);
/* "inverted", "singular", "not finite" */
const char *bf_inverse_status(const bf_inverse_job *job);
#endif
