/* assembly/model/bloch.h - unknowns of a unit cell that are equal up to a phase
 *
 *     u(r + R) = u(r) exp(i k.R),      time exp(-i omega t)
 *
 * on opposite sides of the cell: an unknown of a paired side is that of its master times exp(i k.R_shift), so
 * the waves of the whole medium are those of the masters' unknowns.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_ASSEMBLY_MODEL_BLOCH_H
#define BF_ASSEMBLY_MODEL_BLOCH_H
#include "assembly/model.h"
#include "kernels/matrix/bloch_sum.h"
#include "mesh/periodic.h"

/* For a model with analysis dispersion; else NULL. Borrowed. */
const bf_periodic *bf_model_periodic(const bf_model *m);
const bf_lattice  *bf_model_lattice(const bf_model *m);

/* By scalar row of a numbering; the unknowns of the cell are the free ones of masters. Free with
 * bf_cell_rows_clear(rows). */
bf_err bf_model_bloch_rows(const bf_model *m, const bf_numbering *num, bf_cell_rows *rows);

/* Values by scalar row u[nrows] (re, im) as fields at the points of a view: re, im [npoints][3], or [npoints]
 * of a scalar. */
void bf_model_bloch_shape(const bf_model *m, const bf_numbering *num, const bf_view *view, const double *u,
                          double *re, double *im);
#endif
