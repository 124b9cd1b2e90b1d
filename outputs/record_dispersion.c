/* outputs/record_dispersion.c - /bandfem/dispersion of case.hdf: the band diagram
 *
 *   dispersion/  attributes phase method cell_unknowns unknowns interior_modes batch hermitian_defect k_unit
 *                k_reciprocal k_cartesian [nk][3], path_length [nk], tick_position tick_label [nticks],
 *                frequency_hz residual (truncation) branch [nk][bands], gap [ngaps][2], gap_below [ngaps]
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "outputs/record.h"

void bf_record_dispersion(bf_hdf *h, hid_t record, const bf_dispersion_record *d)
{
  if (!d) return;
  const hid_t g = bf_hdf_group(h, record, "dispersion");
  bf_hdf_attr_text(h, g, "phase", d->phase);
  bf_hdf_attr_text(h, g, "method", d->method);
  bf_hdf_attr_text(h, g, "k_unit", d->k_unit);
  bf_hdf_attr_int(h, g, "cell_unknowns", d->cell_unknowns);
  bf_hdf_attr_int(h, g, "unknowns", d->unknowns);
  bf_hdf_attr_int(h, g, "interior_modes", d->interior_modes);
  bf_hdf_attr_int(h, g, "batch", d->batch);
  bf_hdf_attr_real(h, g, "hermitian_defect", d->hermitian_defect);
  bf_hdf_array(h, g, "k_reciprocal", H5T_NATIVE_DOUBLE, d->nk, 3, d->k_reciprocal);
  bf_hdf_array(h, g, "k_cartesian", H5T_NATIVE_DOUBLE, d->nk, 3, d->k_cartesian);
  bf_hdf_array(h, g, "path_length", H5T_NATIVE_DOUBLE, d->nk, 1, d->path_length);
  bf_hdf_array(h, g, "tick_position", H5T_NATIVE_DOUBLE, d->nticks, 1, d->tick_position);
  bf_hdf_texts(h, g, "tick_label", d->nticks, d->tick_label);
  bf_hdf_array(h, g, "frequency_hz", H5T_NATIVE_DOUBLE, d->nk, d->bands, d->frequency_hz);
  bf_hdf_array(h, g, "residual", H5T_NATIVE_DOUBLE, d->nk, d->bands, d->residual);
  if (d->truncation) bf_hdf_array(h, g, "truncation", H5T_NATIVE_DOUBLE, d->nk, d->bands, d->truncation);
  if (d->branch) bf_hdf_array(h, g, "branch", H5T_NATIVE_INT, d->nk, d->bands, d->branch);
  bf_hdf_array(h, g, "gap", H5T_NATIVE_DOUBLE, d->ngaps, 2, d->gap);
  bf_hdf_array(h, g, "gap_below", H5T_NATIVE_INT, d->ngaps, 1, d->gap_below);
}
