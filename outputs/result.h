/* outputs/result.h - data of a run for the writers; all pointers are borrowed
 *
 * vtk_legacy.c, vtkhdf.c, report.c and table.c write it without computing. The fields are those of one state
 * or of several steps, such as modes, on the same mesh.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_RESULT_H
#define BF_RESULT_H
#include "base/solve_report.h"
#include "base/timer.h"
#include "mesh/mesh.h"
#include "mesh/report.h"
#include "mesh/view.h"

typedef struct bf_step_number { /* a number of each step, field data of the files */
  const char   *name;
  const double *value; /* [n of the steps] */
} bf_step_number;

typedef struct bf_steps {
  int                   n;
  const double         *at; /* [n] time value of a step: for a mode its number, from 1 */
  int                   nnumbers;
  const bf_step_number *number;
} bf_steps;

typedef struct bf_case_record { /* a load case or a sum of cases, a step of the result */
  const char   *name;
  int           sum, converged, iterations;
  const double *factor;                                 /* [ncases] of a sum */
  double        true_residual, balance, error_estimate; /* NaN: not known */
} bf_case_record;

typedef struct bf_modes_record {
  int         n, converged, naxes;           /* axes of the effective masses: 1 to 3 */
  const char *method, *mass, *normalization; /* words of the deck */
  const char *preconditioner;                /* of lobpcg, else "none" */
  int         iterations, rigid;             /* rigid: number of rigid-body modes, which come first */
  double     *frequency_hz, *residual, *orthogonality; /* [n] */
  double     *participation, *effective_mass;          /* [n][naxes] */
  const char *axis[3];                                 /* [naxes] "x"; "" of a scalar */
  double      total_mass[3];                           /* of the body, [naxes] */
  const char *mass_unit;
} bf_modes_record;

typedef struct bf_dispersion_record { /* frequencies along a path of wave vectors */
  int          nk, bands, nticks, ngaps;
  double      *k_reciprocal;            /* [nk][3] in fractions of the reciprocal vectors */
  double      *k_cartesian;             /* [nk][3] rad/m */
  double      *path_length;             /* [nk] along the path, rad/m */
  double      *tick_position;           /* [nticks] of the points of the path, in path_length */
  const char **tick_label;              /* [nticks] */
  double      *frequency_hz, *residual; /* [nk][bands] */
  double      *truncation;              /* [nk][bands] estimated relative error; NULL: no neglected modes */
  int         *branch;                  /* [nk][bands]: bands in the order of continuity, from 1; or NULL */
  double      *gap;                     /* [ngaps][2] edges, Hz */
  int         *gap_below;               /* [ngaps] the band below, from 1 */
  const char  *method, *phase;          /* phase: sign convention */
  const char  *k_unit;
  int          unknowns, cell_unknowns; /* of the reduced cell; of the whole */
  int          interior_modes, batch;
  double       hermitian_defect;
} bf_dispersion_record;

typedef struct bf_history { /* one solve */
  const char   *method, *preconditioner, *reason;
  int           n;
  const double *residual, *true_residual, *seconds; /* [n]; true_residual is NaN if it was not computed */
  const bf_blocks_report *blocks;                   /* or NULL */
  int    to_rounding; /* converged by the backward error, not by the tolerance of the residual */
  double backward_error, condition, forward_error; /* estimates; NaN: not computed */
  const bf_multigrid_report *multigrid;            /* or NULL */
} bf_history;

typedef struct bf_matrix_record {
  const char *format;  /* the word of the deck: "bdia", "csr16", ... */
  const char *storage; /* "full", "symmetric" */
  const char *values;  /* "fp64", "fp32" */
  const char *reorder; /* name of the chosen order */
  int64_t     n, nnz, diagonals, segments, half_bandwidth_before, half_bandwidth_after, bytes, product_bytes;
  double      fill; /* nonzeros over stored slots */
  int         symmetric;
} bf_matrix_record;

typedef struct bf_check_record {
  const char *quantity, *note;
  double      expected, got, tolerance;
  int         relative; /* tolerance is relative */
  int         report;   /* only reported */
  int         passed;
  const char *of_case; /* load case; NULL = the only one */
} bf_check_record;

typedef struct bf_probe_record {
  const char *name, *field;
  double      at[3], value[9];
  int         ncomp;
  const char *unit;    /* NULL = not known */
  const char *of_case; /* load case; NULL = the only one */
} bf_probe_record;

typedef struct bf_peak { /* largest or smallest value of a field, of all steps */
  const char *field, *unit;
  int         greatest; /* 0: smallest */
  int         norm;     /* 1: length of a vector */
  double      value, at[3];
  int64_t     node;             /* as the mesh numbers it; -1: the middle of a cell */
  const char *material, *group; /* NULL = none */
  const char *of_case;          /* load case; NULL = none */
  char        note[640];        /* why the value may depend on the mesh; "" = no reason known */
} bf_peak;

typedef struct bf_flexibility_record { /* of named groups of a part: displacements per force, symmetric */
  bf_int             n;
  const double      *matrix;                   /* [n][n] */
  const int64_t     *node;                     /* [n] as the mesh numbers them */
  const double      *place;                    /* [n][3] */
  const char *const *component, *const *group; /* [n] */
  const char *unit;
  const char *route;                         /* "inverse", "factors", "iterations" */
  int64_t     prescribed, inner, iterations; /* unknowns and nodes left out; of all columns */
  double      residual, asymmetry;           /* largest of a column; before the mean was taken */
  double      condition, error_bound;        /* of route inverse, else NaN */
  double      seconds;
} bf_flexibility_record;

typedef struct bf_text { /* provenance: key and value */
  const char *key, *value;
} bf_text;

typedef struct bf_legend { /* texts for the values of a field */
  const char        *name;
  int                n;
  const char *const *text; /* [n] */
} bf_legend;

typedef struct bf_result {
  const char                  *title, *physics, *analysis;
  const char                  *status; /* replaces the text of bf_result_status; NULL = that text */
  const char                  *deck_text, *deck_path;
  size_t                       deck_length;
  const char                  *resolved_text; /* the deck with every default; NULL = none */
  const bf_mesh               *mesh;
  const bf_view               *view;
  const bf_int                *permutation; /* [nnodes] matrix row of a node, -1 unused */
  int                          nfields, nchecks, nprobes, nreactions, nprovenance;
  const bf_field              *field;
  int                          nlegends;
  const bf_legend             *legend; /* into the field data of case.vtk */
  const bf_matrix_record      *matrix;
  const bf_history            *history;   /* one solve, NULL = none */
  const bf_steps              *steps;     /* NULL: one steady state */
  const char *const           *step_name; /* [steps->n], or NULL */
  int                          ncases;
  const bf_case_record        *of_case;    /* [ncases]: load cases */
  const bf_modes_record       *modes;      /* NULL = none */
  const bf_dispersion_record  *dispersion; /* NULL = none */
  const bf_check_record       *check;
  const bf_probe_record       *probe;
  int                          npeaks;
  const bf_peak               *peak;
  const bf_reaction           *reaction;
  const bf_recovery           *recovery;    /* NULL = none */
  const bf_flexibility_record *flexibility; /* NULL = none */
  int                          nspectra;
  const bf_spectrum           *spectrum;
  const char                  *balance_name; /* "force", "energy" or "mass" */
  double                       balance;
  const bf_text               *provenance;
  const bf_phases             *phases;
  double                       triad_gb_per_s;   /* STREAM triad by the table of devices; 0 = unknown */
  double                       fom_dof_it_per_s; /* unknowns x iterations / solve seconds */
  int                          converged;
  const char                  *verdict; /* "VALID" or the reason */
} bf_result;

/* r->status, or "converged", or "NOT CONVERGED: 3 of 10 modes", or "NOT CONVERGED: <reason> after <n>
 * iterations, relative residual <r>". */
enum { BF_STATUS_MAX = 400 };
void bf_result_status(const bf_result *r, char text[BF_STATUS_MAX]);

/* Requirements of the writers of fields: mesh, view, fields with names, 1, 3 or 6 components and data, no
 * name twice on points or on cells, fields by step only with steps; BF_E_ARG names the first violation. */
bf_err bf_result_check(const bf_result *r);
/* Values of a field in step s of r (0 without steps). */
const double *bf_result_values(const bf_result *r, const bf_field *f, int s);

/* Each writes `path` through a temporary name in the same folder and renames it at the end; after a failure
 * (BF_E_FILE with the message of the system) no file of that name is created or changed. */
bf_err bf_write_vtk(const bf_result *r, const char *path); /* legacy, binary; no steps */
/* path ends in ".vtk.series": case_0000.vtk, ... one file per step in the same folder, then the index. */
bf_err bf_write_vtk_series(const bf_result *r, const char *path);
bf_err bf_write_vtkhdf(const bf_result *r, const char *path, int compression); /* 0..9; one state or steps */
/* view.py for ParaView; file: name of the result beside it. */
bf_err bf_write_view(const bf_result *r, const char *file, const char *path);
bf_err bf_write_report(const bf_result *r, const char *path);           /* report.json */
bf_err bf_write_residuals(const bf_result *r, const char *path);        /* residuals.csv */
bf_err bf_write_probes(const bf_result *r, const char *path);           /* probes.csv */
bf_err bf_write_reactions(const bf_result *r, const char *path);        /* reactions.csv */
bf_err bf_write_modes(const bf_result *r, const char *path);            /* modes.csv */
bf_err bf_write_checks(const bf_result *r, const char *path);           /* checks.csv */
bf_err bf_write_bands(const bf_result *r, const char *path);            /* bands.csv */
bf_err bf_write_resolved(const bf_result *r, const char *path);         /* deck.resolved.yaml */
bf_err bf_write_flexibility(const bf_result *r, const char *path);      /* flexibility.mtx */
bf_err bf_write_flexibility_rows(const bf_result *r, const char *path); /* flexibility.csv */

typedef struct bf_picture_size {  /* numbers that decide the size of case.vtk and case.hdf */
  int64_t points, cells, corners; /* of the view; corners: points of all cells */
  int64_t nodes;                  /* of the mesh */
  int64_t members;                /* elements and nodes of all groups */
  int64_t shared, by_step;        /* numbers of the fields: equal in all steps; of one step */
  int     steps;                  /* 0: one steady state */
} bf_picture_size;
/* Bytes of the files before compression, texts estimated: case.vtk or all files of the series; case.hdf. */
int64_t bf_write_vtk_bytes(const bf_picture_size *size);
int64_t bf_write_vtkhdf_bytes(const bf_picture_size *size);

/* Result as text for the log: table of phases, unknowns, nonzeros, iterations, checks; one call per line.
 */
void bf_table_print(const bf_result *r, void (*line)(void *context, const char *text), void *context);
/* table_brief.c: the results in at most 20 lines: largest values with places, reactions, probes, modes, gaps,
 * checks; without what the report has. */
void bf_table_brief(const bf_result *r, void (*line)(void *context, const char *text), void *context);
/* The largest values alone, which bf_table_print leaves out. */
void bf_table_peaks(const bf_result *r, void (*line)(void *context, const char *text), void *context);
#endif
