/* solvers/dispersion/unit_cell.c - see unit_cell.h: the direct reduction, and the way back of both */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "solvers/unit_cell.h"
#include "base/memory.h"
#include <math.h>

bf_err bf_cell_create_direct(const bf_sparse *K, const bf_sparse *M, const bf_cell_rows *rows, bf_cell **out)
{
  bf_err   err = BF_OK;
  bf_cell *c   = NULL;
  BF_CHECK(K && M && rows && out, BF_E_ARG, "null argument");
  *out = NULL;
  BF_GO(BF_NEW(c));
  c->rows    = rows;
  c->n       = rows->n;
  c->unknown = rows->unknown;
  BF_GO(bf_shifted_create(rows->n, &c->K));
  BF_GO(bf_shifted_create(rows->n, &c->M));
  BF_GO(bf_shifted_gather(c->K, K, rows));
  BF_GO(bf_shifted_gather(c->M, M, rows));
  *out = c;
  c    = NULL;
done:
  bf_cell_destroy(&c);
  return err;
}

void bf_cell_destroy(bf_cell **c)
{
  if (!c || !*c) return;
  bf_shifted_destroy(&(*c)->K);
  bf_shifted_destroy(&(*c)->M);
  bf_shifted_destroy(&(*c)->T);
  bf_shifted_destroy(&(*c)->S);
  bf_host_free((*c)->side);
  bf_host_free((*c)->inside);
  bf_host_free((*c)->outside);
  bf_host_free((*c)->psi);
  bf_host_free((*c)->phi);
  bf_host_free((*c)->mu);
  bf_host_free(*c);
  *c = NULL;
}

/* u_i += a v */
static void add(int64_t n, const double a[2], const double *v, const bf_int *to, double *u)
{
  for (int64_t i = 0; i < n; i++) {
    double *z = u + 2 * (size_t)to[i];
    z[0] += a[0] * v[i];
    z[1] += a[1] * v[i];
  }
}

void bf_cell_lift(const bf_cell *c, const double kappa[3], const double *x, double *u)
{
  const bf_cell_rows *rows = c->rows;
  const int64_t       ni   = c->ninterior;
  for (bf_int r = 0; r < rows->nrows; r++) {
    const bf_int a = c->unknown[r];
    double       p[2], *z = u + 2 * (size_t)r;
    z[0] = z[1] = 0.0;
    if (a < 0) continue;
    const double *y = x + 2 * (size_t)a;
    bf_shifted_phase(rows->shift + 3 * (size_t)r, kappa, p);
    z[0] = p[0] * y[0] - p[1] * y[1];
    z[1] = p[0] * y[1] + p[1] * y[0];
  }
  for (bf_int s = 0; s < c->nsides; s++)
    add(ni, u + 2 * (size_t)c->outside[s], c->psi + s * ni, c->inside, u);
  for (int j = 0; j < c->nmodes; j++)
    add(ni, x + 2 * (size_t)(c->n - c->nmodes + j), c->phi + j * ni, c->inside, u);
}

double bf_cell_error(const bf_cell *c, double lambda, double corrected)
{
  if (!c->T || lambda <= 0.0) return 0.0;
  const double r = lambda / c->mu[c->nmodes - 1], change = 1.0 - corrected / lambda;
  return r < 1.0 ? 0.5 * fmax(change, 0.0) * r * r / ((1.0 - r) * (1.0 - r)) : INFINITY;
}
