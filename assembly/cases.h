/* assembly/cases.h - load cases: several right-hand sides of one matrix, and sums of cases
 *
 *     A x_i = b_i,      sum of cases:  x = sum_i s_i x_i
 *
 * Each case is a bf_model of the same mesh; their problems differ in loads and in prescribed values.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_ASSEMBLY_CASES_H
#define BF_ASSEMBLY_CASES_H
#include "assembly/model.h"

/* 1: both prescribe the same unknowns; else the first that only one of them prescribes. */
int bf_model_same_constraints(const bf_model *a, const bf_model *b, bf_int *node, int *component);

/* bf_model_assemble of m[0] for A, b[0], x0[0], and of the loads and prescribed values of m[i] for b[i],
 * x0[i]. Method fem without condensed nodes: BF_E_ARG. */
bf_err bf_model_assemble_cases(int n, bf_model *const *m, const bf_numbering *num, bf_matrix *A,
                               double *const *b, double *const *x0, bf_phases *phases);

/* The loads, prescribed values and thermal strains of m become the sum of factor[i] times those of the n
 * assembled models, for bf_model_recover of the sum of their solutions. */
bf_err bf_model_combine(bf_model *m, int n, const bf_model *const *of, const double *factor);
#endif
