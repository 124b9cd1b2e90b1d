/* assembly/assemble/stiffness.h - inside assembly/: the linear system of isoparametric elements */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_ASSEMBLY_ASSEMBLE_STIFFNESS_H
#define BF_ASSEMBLY_ASSEMBLE_STIFFNESS_H
#include "assembly/model/internal.h"

/* `assemble` of bf_basis_ops.  With condensed nodes the loads of all nodes are summed in the numbering that
 * has them (bf_numbering_whole). */
bf_err bf_fem_assemble(bf_model *m, const bf_numbering *num, bf_matrix *A, double *b, bf_phases *phases);
#endif
