/* tests/solvers/solver_forms.h - a sparse matrix in every form that a matrix of the program can have */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_TESTS_SOLVERS_SOLVER_FORMS_H
#define BF_TESTS_SOLVERS_SOLVER_FORMS_H
#include "tests/solvers/solver_case.h"

/* Every format, storage and number of components that a matrix can have; the half ones for symmetric ones. */
static const bf_matrix_form t_forms[] = {
    {.format = BF_FORMAT_CSR},
    {.format = BF_FORMAT_BDIA},
    {.format = BF_FORMAT_BDIA, .ncomp = 2},
    {.format = BF_FORMAT_BDIA, .ncomp = 3},
    {.format = BF_FORMAT_BDIA, .half = 1},
    {.format = BF_FORMAT_BDIA, .half = 1, .ncomp = 3},
    {.format = BF_FORMAT_DIA},
    {.format = BF_FORMAT_CSR16},
    {.format = BF_FORMAT_ELL},
    {.format = BF_FORMAT_HYB},
    {.format = BF_FORMAT_COO},
    {.format = BF_FORMAT_HYBRID},
    {.format = BF_FORMAT_HYBRID, .half = 1},
    {.format = BF_FORMAT_BCSR},
    {.format = BF_FORMAT_BCSR, .ncomp = 2},
    {.format = BF_FORMAT_BCSR, .ncomp = 3},
    {.format = BF_FORMAT_BCSR, .half = 1},
    {.format = BF_FORMAT_BCSR, .half = 1, .ncomp = 3},
};
enum { T_FORMS = sizeof t_forms / sizeof *t_forms };

static inline bf_matrix *t_stored(const bf_sparse *S, const bf_matrix_form *form, bf_prec prec)
{
  bf_matrix     *A = NULL;
  bf_matrix_form f = *form;
  f.prec           = prec;
  T_OK(bf_matrix_from_sparse(t_be, S, &f, &A));
  return A;
}
#endif
