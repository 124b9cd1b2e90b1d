/* base/units.h - systems of units as labels: no number is ever converted */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_UNITS_H
#define BF_UNITS_H

typedef enum { BF_UNITS_SI, BF_UNITS_MM } bf_units; /* SI; mm, t, s, N, MPa, K */

/* A unit of SI as the same quantity is measured in the system: "Pa" -> "MPa", "W/m2" -> "mW/mm2".  What has
 * no other unit there comes back as it is. */
const char *bf_unit_in(bf_units system, const char *si);
#endif
