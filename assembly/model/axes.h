/* assembly/model/axes.h - directions of named axes at a place
 *
 *     rectangular   e_1 = x/|x|,  e_3 = x cross y/|..|,  e_2 = e_3 cross e_1
 *     cylindrical   e_z = axis/|axis|,  e_r = (d - (d.e_z) e_z)/r,  d = place - origin,  e_t = e_z cross e_r
 *
 * In the plane e_z and e_3 are the normal of the plane.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_ASSEMBLY_MODEL_AXES_H
#define BF_ASSEMBLY_MODEL_AXES_H
#include "assembly/problem.h"

/* NULL: they have directions in a space of sdim dimensions; else what is wrong with them. */
const char *bf_axes_fault(const bf_axes *a, int sdim);

/* e[k]: direction k at x.  0: x lies on the axis of a cylinder (closer than 1e-9 of `size`), where e_r and
 * e_t are some directions across it. */
int bf_axes_at(const bf_axes *a, const double x[3], double size, double e[3][3]);

/* Name of component k of a vector: "r", "t", "z"; "x", "y", "z". */
const char *bf_axes_component(const bf_axes *a, int k);

/* v[0..2] of components becomes x y z, and back. */
void bf_axes_to_global(const double e[3][3], double v[3]);
void bf_axes_to_local(const double e[3][3], double v[3]);
/* s = (xx yy zz xy yz xz) to (rr tt zz rt tz rz) or those of rectangular axes: s' = E s E^T */
void bf_axes_tensor(const double e[3][3], double s[6]);
#endif
