/* assembly/rigid.h - is the solution unique?  Rigid-body motions and temperature levels left free */
#ifndef BF_RIGID_H
#define BF_RIGID_H
#include "assembly/model.h"

/* For each connected part of the mesh: elasticity, the rigid-body motions (3 in 2D, 6 in 3D) that the
 * prescribed displacements and springs do not stop; heat, whether a temperature or a convection fixes the
 * level.  E301 per part with the motions in words, what would stop them, and for heat the sum of the heat
 * that the loads bring in.  W333 for more than one part.  Free vibrations
 * may have both: W333 alone.  Needs the model's materials, blocks, conditions and
 * faces.  A mechanism inside a part (two bodies that share one node) is not seen here: the solver meets a
 * singular matrix. */
bf_err bf_rigid_check(const bf_model *m, bf_diags *diags);
#endif
