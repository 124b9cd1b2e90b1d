/* assembly/constraints/constraint_check.h - is the solution unique?  Rigid-body motions and temperature
 * levels left free */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_ASSEMBLY_CONSTRAINTS_CONSTRAINT_CHECK_H
#define BF_ASSEMBLY_CONSTRAINTS_CONSTRAINT_CHECK_H
#include "assembly/model.h"

/* For each connected part of the mesh: elasticity, the rigid-body motions (3 in 2D, 6 in 3D) that the
 * prescribed displacements and springs do not stop, and mechanisms of bodies that are joined only at nodes or
 * edges (mechanism.h); heat, whether a temperature or a convection fixes the level.  E301 with the motions in
 * words, what would stop them, and for heat the sum of the heat that the loads bring in; E301 and W336 where
 * springs or convection alone hold a motion and are lost in rounding errors (weak_supports.c).  W333 for more
 * than one part, W334 for joints at nodes or edges, N337 where there are too many.  Free vibrations may have
 * free motions: W333, W334 and, for mechanisms, W335.  Needs the model's materials, blocks, conditions and
 * faces. */
bf_err bf_rigid_check(const bf_model *m, bf_diags *diags);
#endif
