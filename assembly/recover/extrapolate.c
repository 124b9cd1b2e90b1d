/* assembly/recover/extrapolate.c - polynomials through integration-point values of an element by least
 * squares
 *
 *     p(xi) = sum_i n_i(xi) c_i,   n_i = shape functions of an element type of the same shape (the basis),
 *     M c = sum_q w_q n(xi_q) value_q,   M = sum_q w_q n(xi_q) n(xi_q)^T,
 *     P[a][q] = n(xi_a)^T M^-1 n(xi_q) w_q
 *
 * Source: E. Hinton, J. S. Campbell, Local and global smoothing of discontinuous finite element functions
 * using a least squares method, Int. J. Numer. Meth. Engng 8 (1974) 461-480, doi 10.1002/nme.1620080303.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "assembly/basis/shape.h"
#include "assembly/recover/recover.h"
#include <math.h>

enum { NB = BF_NEN_MAX };

/* M = L L^T in the lower triangle; returns 0 if M is singular to working precision. */
static int cholesky(int n, double M[NB][NB])
{
  for (int j = 0; j < n; j++) {
    double       d  = M[j][j];
    const double d0 = d;
    for (int k = 0; k < j; k++) d -= M[j][k] * M[j][k];
    if (!(d > 1e-10 * d0)) return 0;
    M[j][j] = sqrt(d);
    for (int i = j + 1; i < n; i++) {
      double s = M[i][j];
      for (int k = 0; k < j; k++) s -= M[i][k] * M[j][k];
      M[i][j] = s / M[j][j];
    }
  }
  return 1;
}

static void solve(int n, double L[NB][NB], double *b)
{
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < i; k++) b[i] -= L[i][k] * b[k];
    b[i] /= L[i][i];
  }
  for (int i = n - 1; i >= 0; i--) {
    for (int k = i + 1; k < n; k++) b[i] -= L[k][i] * b[k];
    b[i] /= L[i][i];
  }
}

int bf_recover_fit(bf_elem_type basis, const bf_rule *rule, int n, const double (*xi)[3],
                   double (*P)[BF_QUADRATURE_MAX])
{
  const int nb = bf_elem(basis)->nnodes, nq = rule->n;
  double    M[NB][NB] = {{0.0}}, N[BF_QUADRATURE_MAX][NB], c[NB];
  if (nq < nb) return 0;
  for (int q = 0; q < nq; q++) {
    bf_shape(basis, rule->xi[q], N[q], NULL);
    for (int i = 0; i < nb; i++)
      for (int j = 0; j < nb; j++) M[i][j] += rule->w[q] * N[q][i] * N[q][j];
  }
  if (!cholesky(nb, M)) return 0;
  for (int a = 0; a < n; a++) {
    bf_shape(basis, xi[a], c, NULL);
    solve(nb, M, c); /* M^-1 n(xi_a) */
    for (int q = 0; q < nq; q++) {
      P[a][q] = 0.0;
      for (int i = 0; i < nb; i++) P[a][q] += c[i] * N[q][i] * rule->w[q];
    }
  }
  return 1;
}

void bf_recover_mean(const bf_rule *rule, int n, double (*P)[BF_QUADRATURE_MAX])
{
  double sum = 0.0;
  for (int q = 0; q < rule->n; q++) sum += rule->w[q];
  for (int a = 0; a < n; a++)
    for (int q = 0; q < rule->n; q++) P[a][q] = rule->w[q] / sum;
}

void bf_recover_extrapolation(bf_elem_type type, const bf_rule *rule, int n, const double (*xi)[3],
                              double (*P)[BF_QUADRATURE_MAX])
{
  if (bf_recover_fit(type, rule, n, xi, P)) return;
  if (bf_recover_fit(bf_elem_of_order(type, 1), rule, n, xi, P)) return;
  bf_recover_mean(rule, n, P);
}
