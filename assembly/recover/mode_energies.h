/* assembly/recover/mode_energies.h - results of free vibrations beside the frequencies: shapes and energies
 *
 * Modes are columns X[count][nrows*ncomp] by scalar row of the numbering.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_ASSEMBLY_RECOVER_MODE_ENERGIES_H
#define BF_ASSEMBLY_RECOVER_MODE_ENERGIES_H
#include "assembly/model.h"

/* Number of free unknowns, which is the number of modes. */
int64_t bf_model_free_unknowns(const bf_model *m);

/* Fields of all modes, one after the other in data[count][..]: mode_shape (3 components of elasticity, 1 of
 * heat) at points, modal_strain_energy in cells, 1/2 u_e K_e u_e over the volume of the element; and
 * material_id, once.  X: host.  Phases: "recover: tables", "recover: modes".
 * Cost: a pass over the elements for each mode, on the backend. */
bf_err bf_model_recover_modes(const bf_model *m, const bf_numbering *num, bf_backend *be, const bf_view *view,
                              const double *X, int count, bf_phases *phases, bf_solution *out);
#endif
