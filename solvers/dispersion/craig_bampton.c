/* solvers/dispersion/craig_bampton.c - Craig-Bampton's reduction of a unit cell; see unit_cell.h
 *
 *     K_ss + K_si Psi                            0            M_ss + M_si Psi + Psi^T C    C^T Phi
 *     0                                     diag(mu)          Phi^T C                            1
 *
 * with C = M_ii Psi + M_is, for the sides' rows s without periodicity: this is applied last, when the one
 * large element is added to the matrices of each translation.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "base/timer.h"
#include "solvers/eigen.h"
#include "solvers/linear/band_factor.h"
#include "solvers/unit_cell.h"
#include <float.h>
#include <string.h>

typedef struct work {
  bf_cell         *c;
  const bf_sparse *K, *M;     /* borrowed */
  bf_sparse       *Kii, *Mii; /* owned */
  bf_factors      *factors;   /* owned, of Kii */
  bf_int          *local;     /* owned [nrows]: place in the interior, or -1 - place on the sides */
  double          *C;         /* owned [nsides][ninterior] */
  double          *G;         /* owned [nsides][ninterior]: R C, R = Kii^-1 - Phi diag(1/mu) Phi^T */
  double          *H;         /* owned [nsides][ninterior]: Mii G */
  double          *P;         /* owned [nsides][nmodes]: C^T Phi */
} work;

/* a.b in a fixed order, eight sums side by side */
static double dot(int64_t n, const double *a, const double *b)
{
  double  s[8] = {0.0}, rest = 0.0;
  int64_t i = 0;
  for (; i + 8 <= n; i += 8)
    for (int l = 0; l < 8; l++) s[l] += a[i + l] * b[i + l];
  for (; i < n; i++) rest += a[i] * b[i];
  return ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7])) + rest;
}

/* Classifies the rows as interior or on the sides, and numbers the sides' unknowns. */
static bf_err divide(const bf_cell_rows *rows, work *w)
{
  bf_err   err = BF_OK;
  bf_cell *c   = w->c;
  bf_int  *map = NULL;
  BF_GO(BF_NEW_ARRAY(map, rows->n));
  BF_GO(BF_NEW_ARRAY(c->side, rows->nrows));
  BF_GO(BF_NEW_ARRAY(c->inside, rows->nrows));
  BF_GO(BF_NEW_ARRAY(c->outside, rows->nrows));
  BF_GO(BF_NEW_ARRAY(w->local, rows->nrows));
  for (bf_int a = 0; a < rows->n; a++) map[a] = -1;
  for (bf_int r = 0; r < rows->nrows; r++) {
    const bf_int a = rows->unknown[r];
    c->side[r]     = -1;
    if (a < 0) continue;
    if (!rows->paired[r]) {
      w->local[r]               = c->ninterior;
      c->inside[c->ninterior++] = r;
      continue;
    }
    if (map[a] < 0) map[a] = c->n++;
    c->side[r]              = map[a];
    w->local[r]             = -1 - c->nsides;
    c->outside[c->nsides++] = r;
  }
  c->unknown = c->side;
  BF_NEED(c->ninterior > 0 && c->nsides > 0, BF_E_ARG, "%d rows inside the cell, %d on its sides",
          (int)c->ninterior, (int)c->nsides);
done:
  bf_host_free(map);
  return err;
}

static int inside(const work *w, bf_int r)
{
  return w->c->rows->unknown[r] >= 0 && w->local[r] >= 0;
}

static bf_err interior_of(const work *w, const bf_sparse *S, bf_sparse **out)
{
  const bf_cell *c   = w->c;
  int64_t        nnz = 0;
  for (int pass = 0; pass < 2; pass++) {
    int64_t at = 0;
    for (bf_int i = 0; i < c->ninterior; i++) {
      const bf_int r = c->inside[i];
      for (int64_t p = S->ptr[r]; p < S->ptr[r + 1]; p++) {
        if (!inside(w, S->col[p])) continue;
        if (pass) {
          (*out)->col[at] = w->local[S->col[p]];
          (*out)->val[at] = S->val[p];
        }
        at++;
      }
      if (pass) (*out)->ptr[i + 1] = at;
    }
    nnz = at;
    if (!pass) BF_TRY(bf_sparse_create(c->ninterior, c->ninterior, nnz, out));
  }
  return BF_OK;
}

/* v += a S_is e_s: the entries of a side's row, by symmetry. */
static void add_side(const work *w, const bf_sparse *S, bf_int s, double a, double *v)
{
  const bf_int r = w->c->outside[s];
  for (int64_t p = S->ptr[r]; p < S->ptr[r + 1]; p++)
    if (inside(w, S->col[p])) v[w->local[S->col[p]]] += a * S->val[p];
}

/* y += S x */
static void add_product(const bf_sparse *S, const double *x, double *y)
{
#pragma omp parallel for schedule(static) if (S->nrows > 8192)
  for (bf_int i = 0; i < S->nrows; i++) {
    double sum = 0.0;
    for (int64_t p = S->ptr[i]; p < S->ptr[i + 1]; p++) sum += S->val[p] * x[S->col[p]];
    y[i] += sum;
  }
}

static bf_err interior_modes(work *w, int modes)
{
  bf_err                 err = BF_OK;
  bf_cell               *c   = w->c;
  bf_eigen_report        rep = {0};
  const double           t0  = bf_seconds();
  const bf_eigen_options opt = {.pairs = modes, .rtol = 1e-9, .max_iterations = 300};
  BF_GO(BF_NEW_ARRAY(c->phi, (size_t)modes * (size_t)c->ninterior));
  BF_GO(BF_NEW_ARRAY(c->mu, modes));
  BF_GO(bf_shift_invert_sparse(w->Kii, w->Mii, 1, &opt, c->phi, &rep));
  BF_NEED(rep.reason == BF_EIGEN_CONVERGED, BF_E_MODEL, "modes of the interior: %s", rep.text);
  memcpy(c->mu, rep.value, (size_t)modes * sizeof *c->mu);
  c->nmodes = modes;
  c->n += modes;
  c->seconds_modes = bf_seconds() - t0;
done:
  bf_eigen_report_clear(&rep);
  return err;
}

/* Psi, C and Kii^-1 C, a column for each row of the sides. */
static bf_err static_modes(bf_backend *be, work *w)
{
  bf_err        err = BF_OK;
  bf_cell      *c   = w->c;
  const int64_t ni = c->ninterior, all = ni * c->nsides;
  double       *r  = NULL;
  const double  t0 = bf_seconds();
  BF_GO(bf_factors_create(be, w->Kii, 1, &w->factors));
  BF_NEED(w->factors->met.info == 0 && w->factors->met.rcond >= DBL_EPSILON, BF_E_MODEL,
          "the interior of the unit cell is singular with fixed sides; possible cause: a part of the mesh is "
          "not connected to the sides");
  BF_GO(BF_NEW_ARRAY(c->psi, all));
  BF_GO(BF_NEW_ARRAY(w->C, all));
  BF_GO(BF_NEW_ARRAY(w->G, all));
  BF_GO(BF_NEW_ARRAY(r, ni));
  for (bf_int s = 0; s < c->nsides; s++) {
    double *psi = c->psi + s * ni, *C = w->C + s * ni;
    memset(r, 0, (size_t)ni * sizeof *r);
    add_side(w, w->K, s, -1.0, r);
    BF_GO(bf_factors_add(w->factors, r, psi));
    add_side(w, w->M, s, 1.0, C);
    add_product(w->Mii, psi, C);
    BF_GO(bf_factors_add(w->factors, C, w->G + s * ni));
  }
  c->seconds_static = bf_seconds() - t0;
done:
  bf_host_free(r);
  return err;
}

/* The sides' block of S itself. */
static void add_sides(const work *w, const bf_sparse *S, int64_t m, double *E)
{
  for (bf_int s = 0; s < w->c->nsides; s++) {
    const bf_int r = w->c->outside[s];
    for (int64_t p = S->ptr[r]; p < S->ptr[r + 1]; p++) {
      const bf_int j = S->col[p];
      if (w->c->side[j] >= 0) E[s * m + (-1 - w->local[j])] += S->val[p];
    }
  }
}

/* (S_si)_s . v */
static double side_dot(const work *w, const bf_sparse *S, bf_int s, const double *v)
{
  const bf_int r   = w->c->outside[s];
  double       sum = 0.0;
  for (int64_t p = S->ptr[r]; p < S->ptr[r + 1]; p++)
    if (inside(w, S->col[p])) sum += S->val[p] * v[w->local[S->col[p]]];
  return sum;
}

/* P = C^T Phi; G = Kii^-1 C - Phi diag(1/mu) P^T in the place of the first; H = Mii G. */
static void residual_flexibility(work *w)
{
  const bf_cell *c  = w->c;
  const int64_t  ni = c->ninterior, ns = c->nsides, nq = c->nmodes;
#pragma omp parallel for schedule(dynamic, 8)
  for (int64_t s = 0; s < ns; s++) {
    double *G = w->G + s * ni;
    for (int64_t j = 0; j < nq; j++) {
      const double *phi = c->phi + j * ni, p = w->P[s * nq + j] = dot(ni, w->C + s * ni, phi),
                   a = p / c->mu[j];
      for (int64_t i = 0; i < ni; i++) G[i] -= a * phi[i];
    }
  }
  for (int64_t s = 0; s < ns; s++) add_product(w->Mii, w->G + s * ni, w->H + s * ni);
}

/* The element's matrices E[0] = Ke, Me, Te, Se [m][m], m = nsides + nmodes. */
static void project(work *w, int64_t m, double *const E[4])
{
  const bf_cell *c  = w->c;
  const int64_t  ni = c->ninterior, ns = c->nsides, nq = c->nmodes;
#pragma omp parallel for schedule(dynamic, 8)
  for (int64_t s = 0; s < ns; s++)
    for (int64_t t = 0; t < ns; t++) {
      const double *psi = c->psi + t * ni, *G = w->G + t * ni;
      E[0][s * m + t] = side_dot(w, w->K, (bf_int)s, psi);
      E[1][s * m + t] = side_dot(w, w->M, (bf_int)s, psi) + dot(ni, c->psi + s * ni, w->C + t * ni);
      E[2][s * m + t] = dot(ni, w->C + s * ni, G);
      E[3][s * m + t] = dot(ni, w->H + s * ni, G);
    }
  add_sides(w, w->K, m, E[0]);
  add_sides(w, w->M, m, E[1]);
  for (int64_t j = 0; j < nq; j++) {
    for (int64_t s = 0; s < ns; s++) E[1][s * m + ns + j] = E[1][(ns + j) * m + s] = w->P[s * nq + j];
    E[0][(ns + j) * (m + 1)] = c->mu[j];
    E[1][(ns + j) * (m + 1)] = 1.0;
  }
}

/* Adds the one large element to the matrices of each translation. */
static bf_err assemble(work *w)
{
  bf_err        err   = BF_OK;
  bf_cell      *c     = w->c;
  const int64_t m     = (int64_t)c->nsides + c->nmodes;
  bf_int       *row   = NULL;
  int          *shift = NULL;
  double       *E[4]  = {NULL, NULL, NULL, NULL};
  bf_shifted  **to[4] = {&c->K, &c->M, &c->T, &c->S};
  const double  t0    = bf_seconds();
  BF_GO(BF_NEW_ARRAY(row, m));
  BF_GO(BF_NEW_ARRAY(shift, 3 * m));
  BF_GO(BF_NEW_ARRAY(w->P, (int64_t)c->nsides * c->nmodes));
  for (int i = 0; i < 4; i++) BF_GO(BF_NEW_ARRAY(E[i], m * m));
  BF_GO(BF_NEW_ARRAY(w->H, (int64_t)c->nsides * c->ninterior));
  for (bf_int s = 0; s < c->nsides; s++) {
    row[s] = c->side[c->outside[s]];
    memcpy(shift + 3 * s, c->rows->shift + 3 * (size_t)c->outside[s], 3 * sizeof *shift);
  }
  for (int j = 0; j < c->nmodes; j++) row[c->nsides + j] = c->n - c->nmodes + j;
  residual_flexibility(w);
  project(w, m, E);
  for (int i = 0; i < 4; i++) {
    BF_GO(bf_shifted_create(c->n, to[i]));
    BF_GO(bf_shifted_add(*to[i], (bf_int)m, row, shift, E[i]));
  }
  c->seconds_project = bf_seconds() - t0;
done:
  bf_host_free(row);
  bf_host_free(shift);
  for (int i = 0; i < 4; i++) bf_host_free(E[i]);
  return err;
}

bf_err bf_cell_create_modes(bf_backend *be, const bf_sparse *K, const bf_sparse *M, const bf_cell_rows *rows,
                            int modes, bf_cell **out)
{
  bf_err err = BF_OK;
  work   w   = {.K = K, .M = M};
  BF_CHECK(be && K && M && rows && modes > 0 && out, BF_E_ARG, "null argument, or no modes");
  BF_CHECK(K->nrows == rows->nrows && M->nrows == rows->nrows, BF_E_ARG,
           "the matrices have different numbers of rows");
  *out = NULL;
  BF_GO(BF_NEW(w.c));
  w.c->rows = rows;
  BF_GO(divide(rows, &w));
  BF_GO(interior_of(&w, K, &w.Kii));
  BF_GO(interior_of(&w, M, &w.Mii));
  BF_GO(static_modes(be, &w));
  BF_GO(interior_modes(&w, modes < w.c->ninterior ? modes : w.c->ninterior));
  BF_GO(assemble(&w));
  *out = w.c;
  w.c  = NULL;
done:
  bf_sparse_destroy(&w.Kii);
  bf_sparse_destroy(&w.Mii);
  bf_factors_destroy(&w.factors);
  bf_host_free(w.local);
  bf_host_free(w.C);
  bf_host_free(w.G);
  bf_host_free(w.H);
  bf_host_free(w.P);
  bf_cell_destroy(&w.c);
  return err;
}
