/* tests/kernels/sparse/matrix_forms.h - every format and storage that a matrix of one component can have */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_TESTS_KERNELS_SPARSE_MATRIX_FORMS_H
#define BF_TESTS_KERNELS_SPARSE_MATRIX_FORMS_H
#include "kernels/matrix/matrix.h"

static const bf_matrix_form t_plain_forms[] = {
    {.format = BF_FORMAT_BDIA},   {.format = BF_FORMAT_BDIA, .half = 1},
    {.format = BF_FORMAT_DIA},    {.format = BF_FORMAT_CSR},
    {.format = BF_FORMAT_CSR16},  {.format = BF_FORMAT_ELL},
    {.format = BF_FORMAT_HYB},    {.format = BF_FORMAT_COO},
    {.format = BF_FORMAT_HYBRID}, {.format = BF_FORMAT_HYBRID, .half = 1},
    {.format = BF_FORMAT_BCSR},   {.format = BF_FORMAT_BCSR, .half = 1},
};
enum { T_PLAIN_FORMS = sizeof t_plain_forms / sizeof *t_plain_forms };
#endif
