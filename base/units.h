/* base/units.h - systems of units as labels: numbers are not converted */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_UNITS_H
#define BF_UNITS_H

typedef enum { BF_UNITS_SI, BF_UNITS_MM } bf_units; /* SI; mm, t, s, N, MPa, K */

/* The unit of the system for a unit of SI: "Pa" -> "MPa", "W/m2" -> "mW/mm2". A unit without counterpart is
 * returned unchanged. */
const char *bf_unit_in(bf_units system, const char *si);
#endif
