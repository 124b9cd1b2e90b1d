/* outputs/record_modes.c - /bandfem/modes of case.hdf: results of a modal analysis
 *
 *   modes/   attributes method preconditioner mass normalization iterations rigid total_mass unit
 *            frequency_hz residual orthogonality [n]; participation effective_mass [n][axes]
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "outputs/record.h"

void bf_record_modes(bf_hdf *h, hid_t record, const bf_modes_record *m)
{
  if (!m) return;
  const hid_t g = bf_hdf_group(h, record, "modes");
  bf_hdf_attr_text(h, g, "method", m->method);
  bf_hdf_attr_text(h, g, "preconditioner", m->preconditioner);
  bf_hdf_attr_text(h, g, "mass", m->mass);
  bf_hdf_attr_text(h, g, "normalization", m->normalization);
  bf_hdf_attr_int(h, g, "iterations", m->iterations);
  bf_hdf_attr_int(h, g, "rigid", m->rigid);
  bf_hdf_attr_reals(h, g, "total_mass", m->naxes, m->total_mass);
  bf_hdf_attr_text(h, g, "unit", m->mass_unit);
  bf_hdf_array(h, g, "frequency_hz", H5T_NATIVE_DOUBLE, m->n, 1, m->frequency_hz);
  bf_hdf_array(h, g, "residual", H5T_NATIVE_DOUBLE, m->n, 1, m->residual);
  bf_hdf_array(h, g, "orthogonality", H5T_NATIVE_DOUBLE, m->n, 1, m->orthogonality);
  bf_hdf_array(h, g, "participation", H5T_NATIVE_DOUBLE, m->n, m->naxes, m->participation);
  bf_hdf_array(h, g, "effective_mass", H5T_NATIVE_DOUBLE, m->n, m->naxes, m->effective_mass);
}
