/* app/run/setup_text.h - extents, resultants and supports of a model as text, for bandfem check and
 * report.html */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_APP_SETUP_TEXT_H
#define BF_APP_SETUP_TEXT_H
#include "app/job.h"

const char *bf_setup_measure_unit(const bf_job *job, int dim); /* "m2" */
/* ": 24 elements, 39 nodes, 0.04 m2", ": 1 node", "" without nodes */
void bf_setup_extent(const bf_job *job, const bf_setup_entry *e, int dim, char text[96]);
/* "(0, 0, -40000) N"; components at the level of rounding are 0 */
void bf_setup_force(const bf_job *job, const double total[3], char text[96]);
/* ", moment (0, 0, 12) N m about (1, 0, 0)"; "" unless the entry has one */
void bf_setup_moment(const bf_job *job, const bf_setup_entry *e, char text[200]);
/* Size below which the total of a condition is the rounding of its moment */
double bf_setup_moment_rounding(const bf_job *job, const bf_setup_entry *e);
/* Supports of one part: "27 of 189 unknowns prescribed (x 9, y 9, z 9)" */
void bf_setup_prescribed(const bf_job *job, const bf_setup_part *p, char text[160]);
#endif
