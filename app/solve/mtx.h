/* app/solve/mtx.h - bf_mtx_job: data and steps of bandfem solve A.mtx and bandfem info A.mtx
 *
 *     open (file, sums, statistics) -> plan (numberings, formats) -> backend -> matrix -> right-hand side
 *     -> solve -> files
 *
 * The structure owns all results of the steps until bf_mtx_close.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_APP_SOLVE_MTX_H
#define BF_APP_SOLVE_MTX_H
#include "base/diag.h"
#include "base/log.h"
#include "base/timer.h"
#include "inputs/mtx.h"
#include "kernels/matrix/plan.h"
#include "kernels/matrix/statistics.h"
#include "solvers/solver.h"

enum { BF_MTX_AUTO = -1 };

typedef struct bf_mtx_options {
  const char *path, *rhs, *out, *csv, *json, *backend; /* NULL = not given */
  const char *coordinates;                             /* file of the nodes' coordinates, or NULL */
  int         components;                              /* rows of a node, 1 to 3 */
  int         method, format, storage, order; /* BF_MTX_AUTO, or bf_method, bf_format, half, numbering */
  int         prec, precond;                  /* bf_prec, bf_precond */
  int         block_size, block_values;       /* of block_jacobi; bf_prec */
  int         metis;                          /* 1: blocks by METIS, 0: along the couplings */
  double      rtol;
  double      memory_limit; /* of method inverse: part of the available memory */
  int         max_iterations;
  int         json_errors, quiet;
} bf_mtx_options;

typedef struct bf_mtx_numbering {
  const char *name;  /* "file", "rcm" */
  bf_int     *order; /* owned: order[k] is the row of the file at position k; NULL = file order */
  bf_sparse  *S;     /* the matrix in this order; owned, but that of "file" is the job's */
  bf_bands   *bands; /* owned: its diagonals */
} bf_mtx_numbering;

enum { BF_MTX_NUMBERINGS = 2 };

typedef struct bf_mtx_job {
  bf_mtx_options   opt;
  bf_log           log;
  bf_diags         diags;
  bf_phases        phases;
  bf_sparse       *S;        /* in the order of the file */
  int64_t          repeated; /* entries of the file that repeat a position */
  bf_statistics    statistics;
  bf_mtx_numbering numbering[BF_MTX_NUMBERINGS];
  int              nnumberings;
  bf_rates         rates;      /* of the device of the predicted times */
  bf_candidates    candidates; /* layout: the numbering */
  int              chosen;
  bf_backend      *be;
  bf_matrix       *A, *A_fast; /* in the chosen numbering */
  double          *b, *x;      /* backend, in the chosen numbering */
  double          *host;       /* host [n]: right-hand side, then solution, in the order of the file */
  bf_method        method;
  double          *x_node; /* owned [nodes][3]: coordinates in the chosen numbering, or NULL */
  bf_partition    *parts;  /* of block_jacobi: the rows, in the chosen numbering */
  bf_solve_report  solve;
  int              interrupted; /* the signal that ended the solve, 0 = none */
} bf_mtx_job;

/* Reads A.mtx, sums repeated entries, gathers statistics of all entries; E221..E226. */
bf_err bf_mtx_open(bf_mtx_job *job);
/* Computes numberings and chooses the format with the lowest predicted time among those that the options
 * permit. */
bf_err bf_mtx_plan(bf_mtx_job *job);
/* "the matrix is not symmetric" */
const char *bf_mtx_why(bf_why_not why);
/* Prints the properties of the matrix, its numberings and the table of formats. */
void bf_mtx_show_matrix(const bf_mtx_job *job);
void bf_mtx_show_plan(const bf_mtx_job *job);
/* Estimates the convergence with each preconditioner by a few Lanczos steps; for info. */
bf_err bf_mtx_show_convergence(const bf_mtx_job *job);

bf_err bf_mtx_solve(bf_mtx_job *job); /* run.c: backend, matrix, right-hand side, solution in `host` */
/* body.c: E226 where the rows are not whole nodes; x_node, E231 where it does not fit; rows of an order of
 * nodes
 */
bf_err bf_mtx_check_components(bf_mtx_job *job);
bf_err bf_mtx_coordinates(bf_mtx_job *job);
bf_err bf_mtx_order_nodes(const bf_graph *nodes, int D, bf_int *order);
/* inverse.c: E226 unless the matrix can be inverted as a dense matrix, E401 unless that fits; the result in
 * the log. */
bf_err bf_mtx_can_invert(bf_mtx_job *job);
bf_err bf_mtx_inverse_fits(bf_mtx_job *job);
void   bf_mtx_show_inverse(const bf_mtx_job *job);
bf_err bf_mtx_write_json(const bf_mtx_job *job); /* json.c: --json */
bf_err bf_mtx_right_side(bf_mtx_job *job);       /* rhs.c: host = b of the file, or A times ones */
void   bf_mtx_close(bf_mtx_job *job);

/* Parses the command line of solve; -1, or the exit status after a message. */
int bf_mtx_read_options(int argc, char **argv, bf_mtx_options *opt);

/* bandfem info of a file that is a matrix; the exit status. */
int bf_info_mtx(const char *path, int json_errors);
int bf_is_mtx(const char *path); /* 1: its name ends in .mtx, or it begins with the banner */
#endif
