/* app/run/dispersion/dispersion.h - analysis: dispersion, its data and steps
 *
 *     path of wave vectors -> K, M of the cell -> reduced by periodicity -> pencils of all k -> bands,
 *     gaps, shapes
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_APP_RUN_DISPERSION_DISPERSION_H
#define BF_APP_RUN_DISPERSION_DISPERSION_H
#include "app/analysis.h"
#include "solvers/dispersion.h"
#include "solvers/unit_cell.h"

#define BF_WAVE_PHASE "u(r + R) = u(r) exp(+i k.R), time exp(-i omega t)"
enum { BF_WAVE_DIRECT_MOST = 512 }; /* unknowns, up to which method: auto is direct */

typedef struct bf_job_waves {
  bf_dispersion_record record;   /* for the writers; owned: its arrays but residual, which is that of waves */
  int                 *tick;     /* owned [nticks]: wave vectors of the points of the path */
  bf_cell_rows         rows;     /* owned */
  bf_cell             *cell;     /* owned */
  bf_waves            *waves;    /* owned */
  int                  steps;    /* number of saved shapes: each band at each point of save_modes */
  double              *re, *im;  /* owned [steps][npoints][width] */
  double              *material; /* owned [ncells] */
  double              *number[6]; /* owned [steps]: step, frequency, band, kappa */
  int                  failed;    /* 1: an E5xx was reported */

  bf_steps       series;
  bf_step_number step_number[5];
} bf_job_waves;

void   bf_job_waves_destroy(bf_job_waves **w);
bf_err bf_waves_path(bf_job *job, bf_job_waves *w); /* k_path.c: kappa, k, length, ticks */
/* Numbering, path, rows of the cell; sizes in the log; E105, E401 where they do not fit. */
bf_err bf_job_waves_begin(bf_job *job);
bf_err bf_job_waves_cell(bf_job *job);   /* dispersion.c: rows and reduced cell; E105, E506 */
void   bf_waves_judge(bf_job *job);      /* E506 if the defect exceeds rounding */
bf_err bf_job_waves_solve(bf_job *job);  /* modes, frequencies, gaps; E505, W322, W323 */
bf_err bf_job_waves_shapes(bf_job *job); /* mode_shapes.c: view, fields of save_modes */
/* band_gaps.c: gaps of the path; W322 and branches; "wave vector 12 (0.4, 0, 0)" */
bf_err bf_waves_gaps(bf_job_waves *w);
bf_err bf_waves_follow(bf_job *job);
void   bf_waves_name(const bf_job_waves *w, int k, char text[96]);
/* Value of a quantity of this analysis. */
bf_err bf_job_waves_quantity(const bf_job *job, const bf_qref *ref, double *value);
void   bf_job_waves_result(const bf_job *job, bf_result_store *store, bf_result *r);
#endif
