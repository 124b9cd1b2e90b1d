/* app/analysis.h - operations of an analysis: all that differs between static, modal and dispersion analyses
 *
 * Each analysis defines one table: run/static/static.c, run/modal/modal.c, run/dispersion/analysis.c.
 * bf_job_open selects the table of the deck (job->analysis).
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_ANALYSIS_H
#define BF_ANALYSIS_H
#include "app/job.h"
#include "inputs/quantity.h"

typedef bf_err (*bf_step)(bf_job *job);

typedef struct bf_factor_use { /* factorisation of the band */
  int         possible;        /* 1: the analysis may factor; its cost is estimated */
  int         required;        /* 1: the deck permits no other method */
  int         positive;        /* 1: the factored matrix is positive definite if it is symmetric */
  const char *method;          /* the word of the deck that requires it */
  const char *note;            /* behind the word in messages */
  bf_where    where;           /* of the word */
} bf_factor_use;

typedef struct bf_block_use { /* preconditioner block_jacobi */
  const bf_block_config *config;
  bf_where               where; /* of the preconditioner */
} bf_block_use;

typedef struct bf_solver_memory { /* memory of the solver beside the matrix, right-hand side and solution */
  int64_t vectors;                /* vectors of all unknowns */
  int64_t device_vectors;         /* more of them on a device */
  int64_t transpose;              /* bytes of a transposed matrix */
  int64_t multigrid;              /* bytes of the hierarchy while it is made */
  int64_t mass;                   /* bytes of the mass matrix */
  int64_t kept;                   /* host: bytes of the solution until the files are written */
  int     factors;                /* 1: the factors of plan.direct */
} bf_solver_memory;

typedef struct bf_table_file { /* output.csv: a table beside checks.csv */
  const char *name;            /* "probes.csv" */
  bf_err (*write)(const bf_result *r, const char *path);
} bf_table_file;

typedef struct bf_analysis_ops {
  /* steps; lists end with NULL */
  bf_step prepare;    /* before the model is made; or NULL */
  bf_step solve[13];  /* from deck, mesh and model to the solution */
  bf_step recover[3]; /* from the solution to the fields */
  bf_step check[6];   /* bandfem check: after deck, mesh and model */

  /* checks */
  void (*targets)(bf_job *job); /* values of the deck that this mesh does not permit; or NULL */
  int (*unsolved)(bf_job *job); /* reports a solution that did not converge; 1: exit status 5 */

  /* solver and memory */
  bf_factor_use (*factors)(const bf_job *job);
  bf_err (*choose_method)(bf_job *job); /* with plan.direct, before the forecast of memory; or NULL */
  bf_precond (*precond)(const bf_job *job);
  bf_block_use (*blocks)(const bf_job *job);
  bf_solver_memory (*memory)(const bf_job *job);
  int (*steps)(const bf_job *job); /* steps of the written fields; 0: one steady state */
  const char *without_factors;     /* advice of E401 where factors do not fit */

  /* quantities, log, results */
  int model_fields; /* 1: the fields are those of bf_model_fields */
  bf_err (*quantity)(const bf_job *job, const bf_qref *ref, double *value);
  void (*summary)(const bf_job *job); /* lines of bandfem check; or NULL */
  const char *without_loads;          /* note of bandfem check on a deck without loads */
  void (*result)(const bf_job *job, bf_result_store *store, bf_result *r);
  bf_table_file table[3];
} bf_analysis_ops;

extern const bf_analysis_ops bf_static_analysis, bf_modal_analysis, bf_dispersion_analysis;

const bf_analysis_ops *bf_analysis_of(bf_analysis analysis); /* run/run.c */
#endif
