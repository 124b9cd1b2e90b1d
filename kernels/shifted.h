/* kernels/shifted.h - a matrix of a periodic medium, on the host: a real block for each lattice translation
 *
 *     A(k) = sum_s exp(i k.R_s) A_s,      k.R_s = 2 pi (kappa_1 s_1 + kappa_2 s_2 + kappa_3 s_3)
 *
 * kappa = k in fractions of the reciprocal vectors.  A_s couples the unknowns of one cell with those of the
 * cell R_s away, so few s occur (9 in the plane, 27 in space), and A(k) of any k is a sum of few blocks.
 * A(k) is Hermitian where A_-s = A_s^T.
 */
#ifndef BF_SHIFTED_H
#define BF_SHIFTED_H
#include "base/err.h"

enum { BF_SHIFTS_MAX = 125 };

typedef struct bf_shifted {
  bf_int  n;
  int     nterms;
  int     shift[BF_SHIFTS_MAX][3]; /* of term 0: zeros */
  double *term[BF_SHIFTS_MAX];     /* owned [nterms][n][n]: A_s(i,j) = term[j*n + i] */
} bf_shifted;

bf_err bf_shifted_create(bf_int n, bf_shifted **out); /* zero: term 0 alone */
void   bf_shifted_destroy(bf_shifted **A);

/* A += an element's matrix Ke[m][m] (by rows), shift[m][3], for unknowns u_a = exp(i k.R_shift[a]) x(row[a]);
 * row -1: not there.  BF_E_ARG for a row outside, or more than BF_SHIFTS_MAX translations. */
bf_err bf_shifted_add(bf_shifted *A, bf_int m, const bf_int *row, const int *shift, const double *Ke);

/* Largest |A_s(i,j) - A_-s(j,i)| over the largest |A_s(i,j)|: what is not Hermitian, whatever k. */
double bf_shifted_defect(const bf_shifted *A);

/* z(i,j) = A(k)(i,j), i >= j, at z[2*(j*ld + i)] (re, im); above the diagonal nothing is written.
 * 2 nterms n^2 flops. */
void bf_shifted_at(const bf_shifted *A, const double kappa[3], double *z, int64_t ld);

/* y = A(k) x, complex [n] (re, im), from the lower triangle z of bf_shifted_at. */
void bf_shifted_times(bf_int n, const double *z, int64_t ld, const double *x, double *y);
#endif
