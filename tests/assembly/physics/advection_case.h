/* tests/assembly/physics/advection_case.h - problems of advection and diffusion: coefficients, prescribed
 * values */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_TESTS_ASSEMBLY_PHYSICS_ADVECTION_CASE_H
#define BF_TESTS_ASSEMBLY_PHYSICS_ADVECTION_CASE_H
#include "tests/assembly/solved_case.h"

static inline void flow(t_case *c, double D, double vx, double vy, double vz, double r)
{
  c->material[0].diffusivity = t_number(D);
  c->material[0].velocity[0] = t_number(vx);
  c->material[0].velocity[1] = t_number(vy);
  c->material[0].velocity[2] = t_number(vz);
  c->material[0].reaction    = t_number(r);
}

static inline void value_on(t_case *c, const bf_name *side, int nsides, bf_quantity value)
{
  t_condition(c, BF_BC_VALUE, side, nsides)->value[0] = value;
}
#endif
