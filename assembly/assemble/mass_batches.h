/* assembly/assemble/mass_batches.h - inside assembly/: element batches of the mass matrix, with N for B and
 * rho for C */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_ASSEMBLY_ASSEMBLE_MASS_BATCHES_H
#define BF_ASSEMBLY_ASSEMBLE_MASS_BATCHES_H
#include "assembly/model/internal.h"

/* MASS batches of all blocks in order, of ncomp components (1: element matrices of one direction); element
 * order as in the block.  Free with bf_batches_destroy. */
bf_err bf_mass_batches_create(const bf_model *m, const bf_numbering *num, bf_backend *be, int ncomp,
                              bf_phases *phases, bf_batches **out);

/* mass_lumped.c: d[nrows] += the lumped mass of one direction by node row; host. */
bf_err bf_mass_lump(const bf_model *m, const bf_numbering *num, bf_backend *be, double *d, bf_phases *phases);
#endif
