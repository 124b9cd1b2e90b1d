/* tests/assembly/linear_displacement.h - the linear displacement and the material that tests of recovery
 * prescribe */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_TESTS_ASSEMBLY_LINEAR_DISPLACEMENT_H
#define BF_TESTS_ASSEMBLY_LINEAR_DISPLACEMENT_H
#include "tests/assembly/known_solution.h"

static const double A[3][4] = {{0.1, 1.0e-3, 4.0e-4, -2.0e-4},
                               {0.0, -3.0e-4, 7.0e-4, 5.0e-4},
                               {-0.2, 6.0e-4, 1.0e-4, -9.0e-4}}; /* displacement and its gradient */
static const double E0 = 2.0e5, NU = 0.3;

static inline void fixed_everywhere(t_known *t)
{
  t_known_boundary(t, BF_BC_FIXED, 1, 2 * t->mesh->dim);
}
#endif
