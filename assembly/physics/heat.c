/* assembly/physics/heat.c - heat conduction: the definition of the physics
 *
 *     integral of  grad v . k grad T  =  integral of  v f  +  boundary terms;   B = grad N,  C = k I
 *
 * Source: O. C. Zienkiewicz, R. L. Taylor, J. Z. Zhu, The Finite Element Method, 6th ed. (2005), vol. 1, the
 * chapter on field problems.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "assembly/model/internal.h"

static int heat_ncomp(int sdim)
{
  (void)sdim;
  return 1;
}

static int heat_nv(bf_space space)
{
  return space == BF_SPACE_3D ? 3 : 2;
}

static const bf_quantity *heat_quantity(const bf_material *mat)
{
  return &mat->k;
}

static void heat_matrix(const bf_material *mat, bf_space space, double *C)
{
  const int nv = heat_nv(space);
  (void)mat;
  for (int i = 0; i < nv * nv; i++) C[i] = i % (nv + 1) == 0 ? 1.0 : 0.0; /* isotropic: I */
}

const bf_physics_def bf_physics_heat = {.words       = {.name       = "heat",
                                                        .field      = "temperature",
                                                        .field_unit = "K",
                                                        .force_unit = "W",
                                                        .flux       = "heat_flux",
                                                        .flux_nodal = "heat_flux_nodal",
                                                        .flux_unit  = "W/m2",
                                                        .load       = "heat_source",
                                                        .load_unit  = "W/m3",
                                                        .side       = "flux",
                                                        .side_unit  = "W/m2",
                                                        .film_unit  = "W/m2/K",
                                                        .substance  = "heat",
                                                        .balance    = "energy",
                                                        .level      = "temperature or convection",
                                                        .phase      = "recover: heat flux"},
                                        .coefficient = "k",
                                        .form        = BF_FORM_GRAD,
                                        .ncomp       = heat_ncomp,
                                        .nv          = heat_nv,
                                        .quantity    = heat_quantity,
                                        .matrix      = heat_matrix};
