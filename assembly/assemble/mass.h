/* assembly/assemble/mass.h - the mass matrix of a model, and the rigid-body motions of the body
 *
 *     consistent  M[a,c][b,c] = integral of  rho N_a N_b
 *     lumped      diagonal: of every element  M_aa^e m_e / sum_b M_bb^e,  m_e its mass (HRZ):
 *                 positive for every type, also quadratic ones, and the sum is the mass
 *
 * times the thickness, or around the turn in a body of revolution.  The rule is that of BF_RULE_MASS.
 * Elasticity: rho of the material in every direction.  Heat: a scalar wave, K x = lambda M x with
 * div(k grad x) + lambda rho x = 0 (a membrane: k its tension, rho its mass per area).  Incompatible modes
 * have no mass: the product of their gradients is in K alone.
 * Source: E. Hinton, T. Rock, O. C. Zienkiewicz, A note on mass lumping and related processes in the finite
 * element method, Earthquake Eng. Struct. Dyn. 4 (1976) 245, doi 10.1002/eqe.4290040305; T. J. R. Hughes, The
 * Finite Element Method (1987), sec. 7.3.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_ASSEMBLY_ASSEMBLE_MASS_H
#define BF_ASSEMBLY_ASSEMBLE_MASS_H
#include "assembly/model.h"

typedef enum { BF_MASS_CONSISTENT, BF_MASS_LUMPED } bf_mass;

/* M += mass; every material in use has rho, no node is condensed and the basis has a mass (bf_model_create
 * checks this for analyses of free vibrations), else BF_E_ARG.  M: as K, of a form that element matrices can
 * be added to; a lumped mass fits every M that has the diagonal.  constrained: 1 = rows and columns of
 * prescribed unknowns become zero, including the diagonal, so that they belong to no finite lambda (K keeps
 * its diagonal there); 0 = the whole mass.  Phases: those of bf_model_assemble, "assembly: mass" for the
 * rest.  Cost: as K's with one component; lumped: nodal shares of the elements are copied to the host. */
bf_err bf_model_mass(const bf_model *m, const bf_numbering *num, bf_mass kind, int constrained, bf_matrix *M,
                     bf_phases *phases);

/* Zero matrix with the diagonal only: for a lumped mass. */
bf_err bf_mass_diagonal_create(bf_backend *be, const bf_numbering *num, int ncomp, bf_matrix **out);

/* The rigid-body motions of the unconstrained body: translations x, y (, z), then rotations about x, y, z
 * through the centre of the bounding box of its nodes (plane: about z); of revolution: only translation y;
 * scalars: a constant.  r[count][nrows*ncomp], host, out: by scalar row, 0 at prescribed unknowns. */
int         bf_model_motions(const bf_model *m); /* 6, 3, 1 */
const char *bf_model_motion_name(const bf_model *m,
                                 int             i); /* "translation x", "rotation about z", "constant" */
bf_err      bf_model_motion_vectors(const bf_model *m, const bf_numbering *num, double *r);
#endif
