/* assembly/extrapolate.c - integration-point values carried to the nodes of their element by least squares
 *
 *     p(xi) = sum_i n_i(xi) c_i,   n_i = shape functions of the linear element of the same shape,
 *     M c = sum_q w_q n(xi_q) value_q,   M = sum_q w_q n(xi_q) n(xi_q)^T,
 *     P[a][q] = n(xi_a)^T M^-1 n(xi_q) w_q
 *
 * Source: Hinton and Campbell, Local and global smoothing of discontinuous finite element functions using a
 * least squares method, Int. J. Numer. Meth. Engng 8 (1974): the linear fit, also on quadratic elements.
 */
#include "assembly/recover.h"
#include "assembly/shape.h"
#include <math.h>

enum { NB = 8 };

/* M = L L^T in the lower triangle; 0 where M is singular to working precision. */
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

void bf_recover_extrapolation(bf_elem_type type, const bf_rule *rule, double P[BF_NEN_MAX][BF_QUADRATURE_MAX])
{
  const bf_elem_type base = bf_elem_of_order(type, 1);
  const int          nb = bf_elem(base)->nnodes, nen = bf_elem(type)->nnodes, nq = rule->n;
  double             M[NB][NB] = {{0.0}}, n[NB], node[BF_NEN_MAX][3], sum = 0.0;
  int                fit = nq >= nb;
  for (int q = 0; q < nq; q++) {
    bf_shape(base, rule->xi[q], n, NULL);
    sum += rule->w[q];
    for (int i = 0; i < nb; i++)
      for (int j = 0; j < nb; j++) M[i][j] += rule->w[q] * n[i] * n[j];
  }
  if (fit) fit = cholesky(nb, M);
  bf_elem_nodes(type, node);
  for (int a = 0; a < nen; a++) {
    double c[NB]; /* M^-1 n(xi_a) */
    bf_shape(base, node[a], c, NULL);
    if (fit) solve(nb, M, c);
    for (int q = 0; q < nq; q++) {
      P[a][q] = rule->w[q] / sum;
      if (!fit) continue;
      bf_shape(base, rule->xi[q], n, NULL);
      P[a][q] = 0.0;
      for (int i = 0; i < nb; i++) P[a][q] += c[i] * n[i] * rule->w[q];
    }
  }
}
