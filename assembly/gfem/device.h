/* assembly/gfem/device.h - inside assembly/: integrals of generalised finite elements on the backend of the
 * matrix
 *
 * The fits are copied to the backend once; rows of elements, their matrices, volume loads and the sums into
 * the matrix are computed there.  Faces with convection or under Nitsche's method are few: assemble.c adds
 * them from the host.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_ASSEMBLY_GFEM_DEVICE_H
#define BF_ASSEMBLY_GFEM_DEVICE_H
#include "assembly/gfem/gfem.h"

/* Has the backend the operations, and are physics, loads, and the numbers of nodes among theirs?  Of the
 * plane only. */
int bf_gfem_on_device(const bf_model *m, const bf_backend *be);

/* Bytes of the tables that it holds, and of the largest chunk of matrices with their rows. */
int64_t bf_gfem_device_bytes(const bf_model *m, int64_t limit, int64_t *matrices);

/* A += K of the elements, b += volume loads.  Order of the sums: as on the host, by the number of nodes of an
 * element, then by element. */
bf_err bf_gfem_assemble_device(const bf_model *m, const bf_numbering *num, bf_matrix *A, double *b,
                               bf_phases *phases);
#endif
