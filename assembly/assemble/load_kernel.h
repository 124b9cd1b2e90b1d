/* assembly/assemble/load_kernel.h - inside assembly/: one load on one batch of elements or faces, added to
 * the right-hand side
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_ASSEMBLY_ASSEMBLE_LOAD_KERNEL_H
#define BF_ASSEMBLY_ASSEMBLE_LOAD_KERNEL_H
#include "assembly/model/internal.h"

typedef struct bf_load_job {
  bf_model_batch     batch;      /* batch.node: the mesh nodes of its elements */
  bf_elem_type       type;       /* of these elements */
  const bf_rule     *rule;       /* borrowed */
  const bf_quantity *value[3];   /* per component; pressure, flux, source: value[0]; convection: h, ambient */
  int                nvalues;    /* 0: of `total` */
  const bf_total_force *total;   /* traction of a force, or NULL */
  const bf_axes        *axes;    /* of the components of value; NULL: x y z */
  double                times;   /* rho of gravity, -1 of pressure, else 1 */
  int                   normal;  /* pressure: times the outward normal */
  int                   product; /* convection: value[0] * value[1] */
  const uint8_t        *take;    /* [ne]: 0 = the load does not act on the element; NULL = it acts on all */
  const double         *expansion; /* thermal strain at the points: its stress instead of a load */
  const bf_int         *region;    /* then: material of each element */
} bf_load_job;

/* 1 for a load without formulas whose values are 0. */
int bf_load_job_is_zero(const bf_load_job *job);

/* b += the load, chunk by chunk: integral of N^T f, or of B^T (expansion * thermal stress).  Phases:
 * "assembly: loads", and the values computed on the host. */
bf_err bf_load_run(const bf_model *m, const bf_load_job *job, const bf_numbering *num, bf_backend *be,
                   double *b, bf_phases *phases);
#endif
