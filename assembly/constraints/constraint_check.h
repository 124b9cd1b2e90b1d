/* assembly/constraints/constraint_check.h - checks that the solution is unique: free rigid-body motions and
 * temperature levels */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_ASSEMBLY_CONSTRAINTS_CONSTRAINT_CHECK_H
#define BF_ASSEMBLY_CONSTRAINTS_CONSTRAINT_CHECK_H
#include "assembly/model.h"

/* For each connected part of the mesh: elasticity, the rigid-body motions (3 in 2D, 6 in 3D) that prescribed
 * displacements and springs leave free, and mechanisms of bodies that are joined only at nodes or edges
 * (mechanism.h); heat, whether a temperature or a convection fixes the level.  E301 with the motions as text,
 * the missing supports, and for heat the total heat of the loads; E301 and W336 if only springs or convection
 * constrain a motion and are lost in rounding errors (weak_supports.c).  W333 for more than one part, W334
 * for joints at nodes or edges, N337 if there are too many.  Free vibrations may have free motions: W333,
 * W334 and, for mechanisms, W335.  Needs the model's materials, blocks, conditions and faces. */
bf_err bf_rigid_check(const bf_model *m, bf_diags *diags);
#endif
