/* kernels/cpu/schur.c - condensed element matrices: one thread an element
 *
 * Computes   S = Kbb - Kbi X, g = -X^T f for symmetric K, else -Kbi Kii^-1 f, with X = Kii^-1 Kib
 * (elements.h) Cost       2 nb^2 ni flops an element (half of it where K is symmetric), nd^2 read and nb^2
 * written. Checked    tests/t323_schur.c
 */
#include "kernels/cpu/cpu.h"

static void one(const bf_schur *C, bf_int e)
{
  const int     nd = C->nd, ni = C->ni, nb = nd - ni;
  const double *K = C->K + (size_t)e * (size_t)nd * (size_t)nd, *f = C->f + (size_t)e * (size_t)ni;
  double       *S = C->S + (size_t)e * (size_t)nb * (size_t)nb, *g = C->g + (size_t)e * (size_t)nb;
  double       *inverse = C->inverse + (size_t)e * (size_t)ni * (size_t)ni;
  double        X[BF_SCHUR_INNER][BF_SCHUR_MOST], y[BF_SCHUR_INNER];
  for (int k = 0; k < ni; k++) {
    const double *row = K + (nb + k) * nd + nb;
    y[k]              = 0.0;
    for (int j = 0; j < nb; j++) X[k][j] = 0.0;
    for (int l = 0; l < ni; l++) {
      const double *Kl    = K + (nb + l) * nd;
      inverse[k * ni + l] = row[l];
      y[k] += row[l] * f[l];
      for (int j = 0; j < nb; j++) X[k][j] += row[l] * Kl[j];
    }
  }
  for (int i = 0; i < nb; i++) {
    const double *Ki  = K + i * nd;
    double        sum = 0.0;
    for (int k = 0; k < ni; k++) sum += Ki[nb + k] * y[k];
    g[i] = -sum;
    for (int j = C->symmetric ? i : 0; j < nb; j++) {
      double s = Ki[j];
      for (int k = 0; k < ni; k++) s -= Ki[nb + k] * X[k][j];
      S[i * nb + j] = s;
    }
    for (int j = i + 1; j < nb && C->symmetric; j++) S[j * nb + i] = S[i * nb + j];
  }
}

bf_err bf_cpu_schur(bf_backend *be, const bf_schur *C)
{
  (void)be;
  BF_TRY(bf_schur_check(C));
#pragma omp parallel for schedule(static) if (C->ne > 64)
  for (bf_int e = 0; e < C->ne; e++) one(C, e);
  return BF_OK;
}
