/* solvers/linear/ritz_values.c - see ritz_values.h */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "solvers/linear/ritz_values.h"
#include "base/memory.h"
#include "solvers/linear/tridiagonal_eigenvalues.h"

bf_err bf_ritz_values(int k, const bf_krylov_sample *samples, bf_ritz_ends *out)
{
  bf_err  err  = BF_OK;
  double *diag = NULL, *off = NULL, last = 0.0; /* beta_{j-1}/alpha_{j-1} */
  int     n = 0;
  *out      = (bf_ritz_ends){0.0, 0.0};
  BF_GO(BF_NEW_ARRAY(diag, k));
  BF_GO(BF_NEW_ARRAY(off, k));
  for (int j = 1; j <= k; j++) {
    const double alpha = samples[j].alpha, rho = samples[j].rho;
    if (!(alpha > 0.0) || !isfinite(alpha)) break;
    diag[n++] = 1.0 / alpha + last;
    if (!(rho > 0.0) || !(samples[j - 1].rho > 0.0)) break;
    const double beta = rho / samples[j - 1].rho;
    off[n - 1]        = sqrt(beta) / alpha;
    last              = beta / alpha;
  }
  if (n > 0) bf_tridiagonal_ends(n, diag, off, &out->least, &out->most);
done:
  bf_host_free(off);
  bf_host_free(diag);
  return err;
}

double bf_ritz_iterations(const bf_ritz_ends *r, double rtol)
{
  if (!(r->least > 0.0)) return 0.0;
  const double root = sqrt(r->most / r->least);
  return 0.5 * root * log(2.0 * root / rtol);
}
