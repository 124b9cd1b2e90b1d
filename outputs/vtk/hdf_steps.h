/* outputs/vtk/hdf_steps.h - the group Steps of a VTKHDF file with several steps (private) */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_HDF_STEPS_H
#define BF_HDF_STEPS_H
#include "outputs/result.h"
#include "outputs/vtk/hdf.h"

/* Steps/ of `vtk` for what vtkhdf.c has written of r. */
bf_err bf_hdf_steps(bf_hdf *h, hid_t vtk, const bf_result *r);
/* TimeValue and the numbers of the steps, [n] each, below FieldData. */
void bf_hdf_step_numbers(bf_hdf *h, hid_t data, const bf_steps *steps);
#endif
