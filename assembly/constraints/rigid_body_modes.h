/* assembly/constraints/rigid_body_modes.h - the rigid-body motions that a set of prescribed displacement
 * components leaves free
 *
 *     u(x) = t + r x (x - c)/L,      m = (r_x, r_y, r_z, t_x, t_y, t_z)
 *
 * with the centre c and the length L of the body, so that all six numbers are lengths. A prescribed component
 * is one linear equation row(x) . m = 0; the free motions are the null space of all rows.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_ASSEMBLY_CONSTRAINTS_RIGID_BODY_MODES_H
#define BF_ASSEMBLY_CONSTRAINTS_RIGID_BODY_MODES_H
#include "base/err.h"

typedef struct bf_motions {
  int    sdim;     /* 2: only t_x, t_y, r_z exist */
  int    revolved; /* 1: only t_y exists */
  double centre[3], length;
  double G[6][6]; /* sum of row^T row over the prescribed components */
} bf_motions;

/* Body of centre c and length L > 0 without constraints; revolved: one of revolution about y, sdim = 2. */
void bf_motions_begin(bf_motions *m, int sdim, int revolved, const double centre[3], double length);

/* row[6]: displacement component 0..sdim-1 at x is row . m. */
void bf_motion_row(const bf_motions *m, const double x[3], int component, double row[6]);

/* Displacement component 0..sdim-1 is prescribed at x; the displacement along n. */
void bf_motions_hold(bf_motions *m, const double x[3], int component);
void bf_motions_hold_along(bf_motions *m, const double x[3], const double n[3]);
/* row[6]: the displacement along n at x is row . m. */
void bf_motion_row_along(const bf_motions *m, const double x[3], const double n[3], double row[6]);

/* Free motions: mode[k][6] for k < the returned count (0 .. 6).  They are reduced to echelon form, rotations
 * first, so that motions along and about the coordinate axes are recognised. A motion is free if its mean
 * displacement at the prescribed components is below 1e-6 of the body's motion. */
int bf_motions_free(const bf_motions *m, double mode[6][6]);

/* The same motion with the centre and the length of another body: to[6]. */
void bf_motion_shift(const bf_motions *m, const double mode[6], const bf_motions *other, double to[6]);

/* Of the motions spanned by n <= 6 modes (independent, as from bf_motions_free) the one with the least
 * v.S v / v.M v, S and M symmetric, S >= 0, M > 0 on them: that quotient; v[6]. */
double bf_motions_softest(int n, double mode[6][6], double S[6][6], double M[6][6], double v[6]);

/* "translation x", "rotation about z through (0.5, 0.05, 0)", "translation along (0.707, 0.707, 0)", or a
 * rotation "together with" a translation along its axis. */
void bf_motion_name(const bf_motions *m, const double mode[6], char *text, size_t size);
#endif
