/* app/precond/multigrid.h - preconditioner: multigrid: the body, words of the log */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_APP_PRECOND_MULTIGRID_H
#define BF_APP_PRECOND_MULTIGRID_H
#include "app/job.h"
#include "mesh/vertex_means.h"

typedef struct bf_job_body { /* arrays behind bf_multigrid_body */
  double           *x;       /* owned, or NULL */
  bf_vertex_means   means;   /* owned */
  bf_int           *frame;   /* owned, or NULL */
  bf_multigrid_body body;
} bf_job_body;

/* Are there elements of order 2 of the mesh's dimension? */
int bf_mesh_is_quadratic(const bf_mesh *m);
/* A material with nu > 0.4, or serendipity elements: the smoother has one degree more. */
int bf_job_is_stiff(const bf_job *job);
/* Coordinates and means of vertices by row of the numbering. */
bf_err bf_job_body_create(const bf_job *job, bf_job_body *out);
void   bf_job_body_clear(bf_job_body *b);
/* "3 levels: 68921, 9261, 1331 unknowns, planes, V cycle, ..." */
void bf_multigrid_text(const bf_multigrid_report *r, char *text, size_t size);
/* After the solve: a line of the log, or W504. */
void bf_job_multigrid_done(bf_job *job);
#endif
