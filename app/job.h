/* app/job.h - one run of a deck: its data and its steps; the sub-commands execute different numbers of steps
 *
 *     open (deck, mesh, model) -> number -> plan (format, memory) -> assemble -> solve -> recover
 *     -> evaluate checks -> write
 *
 * The steps of each analysis are listed in its table of operations (analysis.h).
 *
 * The job owns the results of all steps until bf_job_close.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_JOB_H
#define BF_JOB_H
#include "app/cli/console.h"
#include "app/config.h"
#include "assembly/model.h"
#include "assembly/setup/setup.h"
#include "kernels/matrix/plan.h"
#include "kernels/precond/block_jacobi.h"
#include "outputs/result.h"

typedef struct bf_forecast { /* memory forecast of a run, bytes; run/memory_estimate.c */
  int64_t held;              /* mesh, model, numbering and the program, already allocated */
  int64_t matrix, vectors, factors, blocks, elements, results;
  int64_t cpu_more;                     /* CPU backend: to be allocated beside `held` */
  int64_t cpu_peak;                     /* of the process */
  int64_t device, device_elements;      /* GPU memory: total; element tables and buffers */
  int64_t gpu_host_more, gpu_host_peak; /* host memory of a run on a GPU */
  int64_t vtk, hdf;                     /* files */
} bf_forecast;

typedef struct bf_plan {      /* choice of the matrix format, and its candidates */
  bf_rates        rates;      /* of the device of the predicted times */
  bf_candidates   candidates; /* layout: the line of the numbering in the table of tries */
  bf_format       format;
  int             half;
  bf_prec         values;
  const bf_bands *bands;         /* borrowed from job->num or own_bands; NULL without bands */
  bf_bands       *own_bands;     /* owned: DIA, HYBRID */
  const bf_graph *rest;          /* borrowed likewise: HYBRID */
  bf_graph       *own_rest;      /* owned */
  int64_t         bytes;         /* of the stored matrix, both precisions if two are stored */
  int64_t         product;       /* bytes that a product moves */
  int64_t         before;        /* of the candidate */
  bf_direct_cost  direct;        /* of method: direct and where auto may become that, else zeros */
  int             direct_chosen; /* 1: method: auto has become direct */
  bf_forecast     memory;
} bf_plan;

typedef struct bf_job_modes { /* of analysis modal */
  bf_matrix      *M;
  double         *X; /* owned, host [pairs][rows]: mass-normalised, or the largest component 1 */
  bf_eigen_report report;
  double         *number; /* owned [pairs]: 1, 2, ... */
  bf_modes_record record; /* for the writers; owned: its arrays but orthogonality, which is that of report */
} bf_job_modes;

typedef struct bf_job {
  const char *deck_path, *backend_name, *out_dir, *csv_path; /* of the command line; NULL = not given */
  const char *override[64];                                  /* of -s: "key=value" */
  int         noverrides;
  int         argc; /* of the sub-command, for the report */
  char      **argv;
  int         json_errors; /* diagnostics as JSON lines */
  int         draft;       /* 1: keep a model with errors, for setup.vtk */
  int         warms_up;    /* 1: open the device beside the mesh, run/warm_up.h */
  int         replaces;    /* 1: remove the results of an earlier run from the folder */
  int         halvings;    /* of the mesh, of converge: every cell divided into 2^dim so many times */
  int         interrupted; /* the signal that ended the solve, 0 = none */
  char        start_utc[32];
  bf_log      log;     /* in detail: of run with --verbose */
  bf_log      brief;   /* of run: a few lines and the results; none with --quiet */
  int         verbose; /* of run: --verbose */
  bf_console *console; /* of run, for the live line; or NULL */
  bf_diags    diags;
  bf_phases   phases;

  bf_deck                      *deck;
  bf_err                        deck_status;  /* of reading it */
  double                        deck_seconds; /* 0: not read yet */
  bf_run_config                 config; /* of the deck and the command line; not changed after bf_job_open */
  bf_mesh                      *mesh;
  const struct bf_analysis_ops *analysis; /* of the deck's analysis, app/analysis.h */
  bf_problem           problem; /* that of the configuration, with choices of the program (condense) */
  bf_model            *model;
  bf_setup            *setup; /* of check */
  bf_numbering        *num;
  bf_plan              plan;
  bf_backend          *be;
  struct bf_warm_up   *warm_up;      /* owned, or NULL */
  int                  files_beside; /* 1: a thread writes case.vtk, run/write.c */
  struct bf_early     *early;        /* owned, or NULL: run/early_numbering.h */
  bf_matrix           *A, *A_fast;
  double              *b, *x;         /* backend */
  bf_partition        *parts;         /* of block_jacobi: the nodes, in rows of the numbering */
  double               parts_seconds; /* of making them */
  bf_solve_report      solve;
  bf_multigrid_parents parents; /* of output.levels; app/precond/levels.h */
  int                  solved;
  bf_job_modes         modes;
  double              *u; /* host [nrows*ncomp] */
  bf_view             *view;
  bf_solution          solution;
  int                  npeaks;
  bf_peak              peak[8]; /* static/peaks.c: of displacement and stress, or of the field and its flux */
  struct bf_flexibility   *flexibility; /* owned: where the deck asks for it; static/flexibility.h */
  int                      nsources;
  struct bf_field_source **source;    /* owned: fields of other results; run/sources.c */
  struct bf_cases         *cases;     /* owned: of a deck with load cases, else NULL; static/cases.h */
  struct bf_job_waves     *waves;     /* owned: of analysis dispersion, else NULL; dispersion/dispersion.h */
  char                    *resolved;  /* owned: the deck with every default */
  char                     dir[1024]; /* of the results */
  int                      nprobes, nchecks, checks_failed;
  bf_probe_record         *probe;
  bf_check_record         *check;
} bf_job;

/* Reads the deck once; later calls return the status of the first. */
bf_err bf_job_read_deck(bf_job *job);
/* Reads deck and mesh, creates the model, checks the targets of probes and checks. Diagnostics: job->diags.
 */
bf_err bf_job_open(bf_job *job);
/* run/run.c: executes the steps of a list that ends with NULL until one fails */
bf_err bf_job_steps(bf_job *job, bf_err (*const *steps)(bf_job *job));
bf_err bf_job_mesh(bf_job *job); /* run/mesh.c: file or generator, order changed, scaled and checked */
/* run/gmsh.c: the gmsh program meshes a .geo; mesh[size], out: the path of the mesh, mesh.msh in the output
 * folder; the log is mesh.log in the same folder. */
bf_err bf_job_geo(bf_job *job, const char *geo, char *mesh, size_t size);
int    bf_is_geo(const char *path); /* 1: its name ends in .geo */
bf_err bf_job_check_targets(
    bf_job *job); /* check_targets.c: positions, fields and groups of probes and checks; E111 */
bf_err bf_job_number(bf_job *job);
/* Of the matrix, prescribed ones included; rows without a node are none. */
int64_t bf_job_unknowns(const bf_job *job);
/* Chooses numbering, format and storage by the predicted time of a product; logs the table. Frees the other
 * numberings. */
bf_err bf_job_plan(bf_job *job);
/* format_candidates.c: candidates (numbering, format, storage) into plan.candidates; those that need the
 * pattern only if the deck names them. */
bf_err bf_job_candidates(bf_job *job);
/* Rates of the backend of the job or, before it is open, of the requested one. */
void bf_job_rates(const bf_job *job, bf_rates *rates);
int  bf_job_on_device(const bf_job *job); /* 1: these rates are those of a device */
/* "bdia symmetric"; with several numberings "bdia symmetric, families". */
void bf_candidate_name(const bf_job *job, const bf_candidate *c, char *name, size_t size);
/* Makes candidate i the plan and its numbering the first. */
bf_err bf_job_select(bf_job *job, int i);
/* run/matrix.c: creates the zero matrix in the format of the assembly; converts the assembled matrix to the
 * format of the plan; makes the copy with fp32 values if requested. */
bf_err bf_job_matrix(bf_job *job, bf_matrix **out);
bf_err bf_job_matrix_format(bf_job *job, bf_matrix **A);
bf_err bf_job_matrix_fp32(bf_job *job);
bf_err bf_job_forecast(bf_job *job);                              /* plan.memory */
int    bf_job_writes_field(const bf_job *job, const char *field); /* 1: the field is written */
/* direct.c: plan.direct and a line of the log if the analysis may factor; the backend that factors need, or
 * E404 */
bf_err bf_job_direct_forecast(bf_job *job);
bf_err bf_job_direct_backend(bf_job *job, const char **want);
/* block_jacobi.c, of preconditioner block_jacobi alone: bytes of the blocks, the parts of the nodes (of the
 * assembled matrix), and after the solve a line of the log and W503, which names a block without an inverse
 */
bf_prec         bf_job_block_values(const bf_job *job);
bf_blocks_bytes bf_job_blocks_forecast(const bf_job *job, int on_device);
int             bf_job_blocks_by_couplings(const bf_job *job);
bf_err          bf_job_parts(bf_job *job);
void            bf_job_blocks_done(bf_job *job);
void            bf_job_cases_destroy(bf_job *job);                     /* run/static/cases.c */
void            bf_job_modes_clear(bf_job_modes *m);                   /* run/modal/modes.c */
void            bf_job_flexibility_destroy(struct bf_flexibility **f); /* run/static/flexibility.c */
/* E401 if the remaining allocations of the run do not fit into the memory of the backend or the host. */
bf_err bf_job_fits(bf_job *job, bf_backend *be);
bf_err bf_job_fits_backend(bf_job *job); /* the backend of the job */
bf_err bf_job_backend(bf_job *job);      /* opens the backend */
bf_err bf_job_assemble(bf_job *job);
/* Evaluates probes and checks; a check without a value fails. BF_E_INPUT after E111: the results can still be
 * written.
 */
bf_err bf_job_evaluate_checks(bf_job *job);
/* run/write.c: job->dir, created and tested before the solve; removes earlier results if job->replaces; E601
 */
bf_err bf_job_folder(bf_job *job);
/* clear_results.c: removes the results of an earlier run from job->dir, report.json first; inputs of this run
 * stay.  BF_E_FILE names the file that cannot be removed. */
bf_err bf_job_clear(bf_job *job);
/* Reports E601 with the last error message if err is BF_E_FILE, at output.dir if the deck gives it; returns
 * err. */
bf_err bf_job_file_error(bf_job *job, bf_err err);
/* setup_vtk.c: 1: mesh and model are sufficiently complete for setup.vtk; writes setup.vtk into the output
 * folder.
 */
int    bf_job_setup_known(const bf_job *job);
bf_err bf_job_setup(bf_job *job);
bf_err bf_job_memory(bf_job *job);        /* check/memory.c: forecast in the log; E401 */
void   bf_job_summary(const bf_job *job); /* check/summary.c: mesh, materials, conditions, loads in the log */
/* run/sources.c: reads the fields of other results before the configuration; E113.  The dimension of their
 * meshes once that of the job is known. */
bf_err bf_job_sources(bf_job *job);
bf_err bf_job_sources_fit(bf_job *job);
void   bf_job_sources_destroy(bf_job *job);
/* table_warnings.c: W113 of tables evaluated outside their range, once per table */
void   bf_job_table_warnings(bf_job *job);
bf_err bf_job_resolved(bf_job *job); /* resolved_deck.c: job->resolved, the deck of this run with defaults */
bf_err bf_job_write(bf_job *job);    /* run/write.c; E601 names the file that could not be written */
void   bf_job_close(bf_job *job);

/* run/result.c: the run for the writers.  r borrows from the job and from the store; the caller clears the
 * store once the writers are done, also after an error (BF_E_MEMORY). */
typedef struct bf_result_store {
  bf_field             *field; /* owned: the fields that output.fields selects; data the job's */
  bf_matrix_record      matrix;
  bf_history            history;
  bf_flexibility_record flexibility;
  bf_step_number        number;
  bf_steps              steps;
  bf_text              *provenance; /* owned */
  char                 *argv;       /* owned: the command line */
  char                  backend[256], processor[256], end_utc[32];
  double               *group_id[4];                     /* owned; group_fields.c */
  double               *level[3 * BF_MULTIGRID_PARENTS]; /* owned; precond/levels.c */
  char (*words[3])[240];                                 /* owned: materials, groups */
  const char **word[3];                                  /* owned: words[k][i] */
  bf_legend    legend[3];
} bf_result_store;
bf_err bf_job_result(const bf_job *job, bf_result_store *store, bf_result *r);
/* group_fields.c: adds names and ids of materials and groups; how many numbers these ids are */
bf_err  bf_job_group_fields(const bf_job *job, bf_result_store *store, bf_result *r);
int64_t bf_job_group_values(const bf_job *job, int64_t cells, int64_t points);
void    bf_result_store_clear(bf_result_store *store);
/* write_refined.c: refined.vtk if output.refine is 2 or more; r: of bf_job_result. */
bf_err bf_job_write_refined(bf_job *job, const bf_result *r);

/* run/run.c: the phase at work, for the live line; expected: seconds, 0 = unknown; text NULL: none */
void bf_job_phase(bf_job *job, const char *text, double expected);
/* run/brief.c: the log of a run without --verbose */
void bf_brief_model(const bf_job *job);  /* deck, mesh */
void bf_brief_matrix(const bf_job *job); /* system, format, device */
void bf_brief_solve(const bf_job *job);  /* the end of the solve */
void bf_brief_cases(const bf_job *job, int iterations, int failed, double seconds); /* of all load cases */

/* exit status of the program for an error */
enum {
  BF_EXIT_OK,
  BF_EXIT_INTERNAL,
  BF_EXIT_DECK,
  BF_EXIT_MODEL,
  BF_EXIT_DEVICE,
  BF_EXIT_NOT_CONVERGED,
  BF_EXIT_CHECK,
  BF_EXIT_FILE
};
int bf_exit_status(bf_err err);

/* sub-commands: argv without the program's and the sub-command's name; return the exit status */
int bf_cmd_run(int argc, char **argv);
int bf_cmd_check(int argc, char **argv);
int bf_cmd_info(int argc, char **argv);
int bf_cmd_solve(int argc, char **argv);   /* solve/solve.c */
int bf_cmd_inverse(int argc, char **argv); /* inverse/inverse.c */
int bf_cmd_bench(int argc, char **argv);
#endif
