/* assembly/error_norm.h - norms of the difference between the solution and a formula
 *
 *     L2: |u - u_h|,  H1_semi: |grad (u - u_h)|,  H1^2 = L2^2 + H1_semi^2,
 *     energy^2 = a(u - u_h, u - u_h), a the bilinear form of heat conduction or elasticity
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_ERROR_NORM_H
#define BF_ERROR_NORM_H
#include "assembly/model.h"
#include "base/expression_gradient.h"

typedef enum bf_norm { BF_NORM_L2, BF_NORM_H1, BF_NORM_H1_SEMI, BF_NORM_ENERGY, BF_NORMS } bf_norm;

typedef struct bf_error_request {
  bf_norm      norm;
  int          component; /* of the solution; -1: all */
  int          n;         /* formulas: 1, or one for each component */
  bf_gradient *exact[3];  /* borrowed [n] */
  const char  *group;     /* of elements of the mesh's dimension; NULL = the whole body */
} bf_error_request;

const char *bf_norm_name(bf_norm norm); /* "L2", "H1", "H1_semi", "energy" */

/* BF_E_MODEL with the reason where this problem has no such norm; `exact` is not read. */
bf_err bf_model_error_request(const bf_model *m, const bf_error_request *of);

/* *error: norm of the difference between the formulas and the solution `field` (temperature, displacement,
 * concentration; host); *exact: the same norm of the formulas.  BF_E_MODEL also for a formula that is not
 * finite, or whose gradient is not where the norm needs it.  Cost: up to 64 evaluations per element. */
bf_err bf_model_error_norm(const bf_model *m, const bf_view *view, const bf_field *field,
                           const bf_error_request *of, double *error, double *exact);
#endif
