/* kernels/matrix/bloch_sum.h - a matrix of a periodic medium, on the host: a real block for each lattice
 * translation
 *
 *     A(k) = sum_s exp(i k.R_s) A_s,      k.R_s = 2 pi (kappa_1 s_1 + kappa_2 s_2 + kappa_3 s_3)
 *
 * kappa = k in fractions of the reciprocal vectors.  A_s couples the unknowns of one cell with those of the
 * cell R_s away, so few s occur (9 in the plane, 27 in space), and A(k) of any k is a sum of few blocks.
 * A(k) is Hermitian where A_-s = A_s^T.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_MATRIX_BLOCH_SUM_H
#define BF_KERNELS_MATRIX_BLOCH_SUM_H
#include "kernels/matrix/host_csr.h"

enum { BF_SHIFTS_MAX = 125 };

/* Rows of a cell's matrix that are one unknown up to a phase: u(i) = exp(i k.R_shift(i)) x(unknown(i)). */
typedef struct bf_cell_rows {
  bf_int   nrows, n;
  bf_int  *unknown; /* owned [nrows]: 0 .. n-1; -1: u(i) = 0 */
  int     *shift;   /* owned [nrows][3] */
  uint8_t *paired;  /* owned [nrows]: 1 = on a periodic side */
} bf_cell_rows;
void bf_cell_rows_clear(bf_cell_rows *rows);

typedef struct bf_shifted {
  bf_int  n;
  int     nterms;
  int     shift[BF_SHIFTS_MAX][3]; /* of term 0: zeros */
  double *term[BF_SHIFTS_MAX];     /* owned [nterms][n][n]: A_s(i,j) = term[j*n + i] */
} bf_shifted;

bf_err bf_shifted_create(bf_int n, bf_shifted **out); /* zero: term 0 only */
void   bf_shifted_destroy(bf_shifted **A);

/* A += an element's matrix Ke[m][m] (by rows), shift[m][3], for unknowns u_a = exp(i k.R_shift[a]) x(row[a]);
 * row -1: not there.  BF_E_ARG for a row outside, or more than BF_SHIFTS_MAX translations. */
bf_err bf_shifted_add(bf_shifted *A, bf_int m, const bf_int *row, const int *shift, const double *Ke);

/* A += a cell's matrix S, whose rows are those of `rows`. */
bf_err bf_shifted_gather(bf_shifted *A, const bf_sparse *S, const bf_cell_rows *rows);

/* exp(i k.R_s) */
void bf_shifted_phase(const int s[3], const double kappa[3], double phase[2]);

/* Largest |A_s(i,j) - A_-s(j,i)| over the largest |A_s(i,j)|: deviation from Hermitian, for any k */
double bf_shifted_defect(const bf_shifted *A);

/* z(i,j) = A(k)(i,j), i >= j, at z[2*(j*ld + i)] (re, im); above the diagonal nothing is written.
 * 2 nterms n^2 flops. */
void bf_shifted_at(const bf_shifted *A, const double kappa[3], double *z, int64_t ld);

/* y = A(k) x, complex [n] (re, im), from the lower triangle z of bf_shifted_at. */
void bf_shifted_times(bf_int n, const double *z, int64_t ld, const double *x, double *y);
#endif
