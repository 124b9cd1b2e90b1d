/* assembly/physics/inflow.h - heat or substance by fluxes and sources in a part of the mesh */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_ASSEMBLY_PHYSICS_INFLOW_H
#define BF_ASSEMBLY_PHYSICS_INFLOW_H
#include "assembly/model.h"

/* in = sum over flux faces and heat sources of  thickness * integral of the value,  for the faces and
 * elements whose nodes have part[node] == k; size = the same of absolute values, to distinguish rounding from
 * imbalance.  W or kg/s.  Convection is not counted. */
bf_err bf_inflow(const bf_model *m, const bf_int *part, bf_int k, double *in, double *size);
#endif
