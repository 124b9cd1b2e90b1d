/* assembly/physics/elasticity.c - linear isotropic elasticity: the definition of the physics
 *
 *     integral of  eps(v) . C eps(u)  =  integral of  v . f  +  boundary terms
 *
 * with engineering shear, order xx yy zz xy yz xz (plane: xx yy xy; axisymmetric: xx yy zz xy, where x is the
 * radius, y the axis and zz the hoop), and
 *     3D            C = lambda (1 1 1)(1 1 1)^T + mu diag(2 2 2 1 1 1),  mu = E/2(1+nu),
 *                   lambda = E nu/(1+nu)(1-2nu)
 *     plane strain  the rows and columns xx yy xy of it (eps_zz = 0)
 *     axisymmetric  its rows and columns xx yy zz xy
 *     plane stress  those of plane strain with lambda' = E nu/(1-nu^2) (sigma_zz = 0)
 * Source: T. J. R. Hughes, The Finite Element Method (1987), sec. 2.7 and 3.10.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "assembly/model/internal.h"

static int elasticity_ncomp(int sdim)
{
  return sdim;
}

static int elasticity_nv(bf_space space)
{
  return space == BF_SPACE_3D ? 6 : space == BF_SPACE_AXISYMMETRIC ? 4 : 3;
}

static const bf_quantity *elasticity_quantity(const bf_material *mat)
{
  return &mat->E;
}

static void elasticity_matrix(const bf_material *mat, bf_space space, double *C)
{
  const double nu = mat->nu;
  const double mu = 0.5 / (1.0 + nu); /* E = 1 */
  const double lambda =
      space == BF_SPACE_PLANE_STRESS ? nu / (1.0 - nu * nu) : nu / ((1.0 + nu) * (1.0 - 2.0 * nu));
  const int nv = elasticity_nv(space), n = nv == 3 ? 2 : 3; /* rows; normal components first */
  for (int i = 0; i < nv; i++)
    for (int j = 0; j < nv; j++)
      C[i * nv + j] = (i < n && j < n ? lambda : 0.0) + (i != j ? 0.0 : i < n ? 2.0 * mu : mu);
}

const bf_physics_def bf_physics_elasticity = {.words       = {.name       = "elasticity",
                                                              .field      = "displacement",
                                                              .field_unit = "m",
                                                              .force_unit = "N",
                                                              .flux       = "stress",
                                                              .flux_nodal = "stress_nodal",
                                                              .flux_unit  = "Pa",
                                                              .load       = "body_force",
                                                              .load_unit  = "N/m3",
                                                              .side       = "traction",
                                                              .side_unit  = "N/m2",
                                                              .balance    = "force",
                                                              .phase      = "recover: stresses"},
                                              .coefficient = "E",
                                              .form        = BF_FORM_STRAIN,
                                              .ncomp       = elasticity_ncomp,
                                              .nv          = elasticity_nv,
                                              .quantity    = elasticity_quantity,
                                              .matrix      = elasticity_matrix};
