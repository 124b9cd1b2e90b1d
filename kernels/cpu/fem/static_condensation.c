/* kernels/cpu/fem/static_condensation.c - condensed element matrices and their forces: one thread per
 * element
 *
 * Computes   S = Kbb - Kbi X, g = -Kbi Kii^-1 f, X = Kii^-1 Kib; fe = K (u, -X u) (elements.h).
 * Source     Guyan, AIAA J. 3 (1965) 380 (static condensation).
 * Cost       2 nb^2 ni flops per element (half of it for symmetric K), nd^2 values read and nb^2 written;
 *            forces 2 nd^2 flops.
 * Checked    tests/kernels/fem/t323_schur.c.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cpu/backend/cpu.h"
#include <string.h>

/* X[ni][nb] of element e */
static void solve_inner(const bf_schur *C, const double *K, double X[BF_SCHUR_INNER][BF_SCHUR_MOST])
{
  const int nd = C->nd, ni = C->ni, nb = nd - ni;
  for (int k = 0; k < ni; k++) {
    const double *row = K + (nb + k) * nd + nb; /* of Kii^-1 */
    for (int j = 0; j < nb; j++) X[k][j] = 0.0;
    for (int l = 0; l < ni; l++) {
      const double *Kl = K + (nb + l) * nd;
      for (int j = 0; j < nb; j++) X[k][j] += row[l] * Kl[j];
    }
  }
}

/* g, and the copy of the inverse */
static void loads(const bf_schur *C, const double *K, bf_int e)
{
  const int nd = C->nd, ni = C->ni, nb = nd - ni;
  double    y[BF_SCHUR_INNER];
  for (int k = 0; k < ni; k++) {
    const double *row = K + (nb + k) * nd + nb;
    if (C->inverse)
      memcpy(C->inverse + ((size_t)e * (size_t)ni + (size_t)k) * (size_t)ni, row, (size_t)ni * sizeof *row);
    y[k] = 0.0;
    for (int l = 0; l < ni && C->f; l++) y[k] += row[l] * C->f[(size_t)e * (size_t)ni + (size_t)l];
  }
  for (int i = 0; i < nb && C->f; i++) {
    double sum = 0.0;
    for (int k = 0; k < ni; k++) sum += K[i * nd + nb + k] * y[k];
    C->g[(size_t)e * (size_t)nb + (size_t)i] = -sum;
  }
}

static void one(const bf_schur *C, bf_int e)
{
  const int     nd = C->nd, ni = C->ni, nb = nd - ni;
  const double *K = C->K + (size_t)e * (size_t)nd * (size_t)nd;
  double       *S = C->S + (size_t)e * (size_t)nb * (size_t)nb;
  double        X[BF_SCHUR_INNER][BF_SCHUR_MOST];
  solve_inner(C, K, X);
  loads(C, K, e);
  for (int i = 0; i < nb; i++) {
    const double *Ki    = K + i * nd;
    double       *Si    = S + i * nb;
    const int     first = C->symmetric ? i : 0;
    memcpy(Si + first, Ki + first, (size_t)(nb - first) * sizeof *Si);
    for (int k = 0; k < ni; k++) {
      const double c = Ki[nb + k];
      for (int j = first; j < nb; j++) Si[j] -= c * X[k][j];
    }
    for (int j = 0; j < first; j++) Si[j] = S[j * nb + i];
  }
}

bf_err bf_cpu_schur(bf_backend *be, const bf_schur *C)
{
  (void)be;
  BF_TRY(bf_schur_check(C));
  BF_CHECK(C->S || C->ne == 0, BF_E_ARG, "no room for S");
#pragma omp parallel for schedule(static) if (C->ne > 64)
  for (bf_int e = 0; e < C->ne; e++) one(C, e);
  return BF_OK;
}

static void one_force(const bf_schur *C, bf_int e, const bf_int *conn, int ncomp, const double *u, double *fe)
{
  const int     nd = C->nd, ni = C->ni, nb = nd - ni;
  const double *K = C->K + (size_t)e * (size_t)nd * (size_t)nd;
  double        v[BF_SCHUR_MOST], z[BF_SCHUR_INNER];
  for (int j = 0; j < nb; j++) v[j] = u[(size_t)conn[j / ncomp] * (size_t)ncomp + (size_t)(j % ncomp)];
  for (int k = 0; k < ni; k++) {
    z[k] = 0.0;
    for (int j = 0; j < nb; j++) z[k] += K[(nb + k) * nd + j] * v[j];
  }
  for (int k = 0; k < ni; k++) {
    v[nb + k] = 0.0;
    for (int l = 0; l < ni; l++) v[nb + k] -= K[(nb + k) * nd + nb + l] * z[l];
  }
  for (int i = 0; i < nb; i++) {
    fe[i] = 0.0;
    for (int j = 0; j < nd; j++) fe[i] += K[i * nd + j] * v[j];
  }
}

bf_err bf_cpu_schur_force(bf_backend *be, const bf_schur *C, const bf_int *conn, int ncomp, const double *u,
                          double *fe)
{
  (void)be;
  BF_TRY(bf_schur_check_force(C, conn, ncomp, u, fe));
  const size_t nb = (size_t)(C->nd - C->ni), nodes = nb / (size_t)ncomp;
#pragma omp parallel for schedule(static) if (C->ne > 64)
  for (bf_int e = 0; e < C->ne; e++) one_force(C, e, conn + (size_t)e * nodes, ncomp, u, fe + (size_t)e * nb);
  return BF_OK;
}
