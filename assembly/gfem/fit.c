/* assembly/gfem/fit.c - polynomials fitted to the nodal values of a patch, interpolating at its own node
 *
 *     sum_J w_J (u_I + B_J a - u_J)^2 -> min,   a = T (u_S - u_I 1),   C = (1 | T) with columns that sum to 0
 * Away from sides: T = M^-1 B^T W.  On flat sides under a prescribed value and on interfaces of materials the
 * trace is fitted first: with G the nodes of the patch there, in the directions P that are still free,
 *     P M_G P = V diag(l) V^T,   U = the v with l > 1e-8 l_max,   X = U L^-1 U^T,
 *     T <- T + X B_G^T W_G (I - B T),   P <- P - U U^T
 * and in the end
 *     T <- T + X B^T W (I - B T),   X = P K^-1 P,   K = P M P + s (I - P)
 * so the trace on the side depends only on the values there.  At a crossing the interface precedes the
 * prescribed values; in space the line where they cross precedes both, so that the trace on the side does not
 * depend on nodes of the interface inside the body.  Entries are independent of each other.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "assembly/gfem/fit.h"
#include "assembly/basis/vector_units.h"
#include "assembly/gfem/small_eigen.h"
#include "base/memory.h"
#include <math.h>
#include <omp.h>
#include <string.h>

enum { SQUARE = BF_GFEM_FREE * BF_GFEM_FREE };

double bf_gfem_size(const bf_model *m, const bf_gfem *g, bf_int q, const bf_int *other, bf_int n)
{
  const double *x = m->mesh->x + 3 * (size_t)g->at.node[q];
  double        h = 0.0;
  for (bf_int j = 0; j < n; j++) {
    const double *y = m->mesh->x + 3 * (size_t)g->at.node[other[j]];
    double        s = 0.0;
    for (int i = 0; i < g->dim; i++) s += (y[i] - x[i]) * (y[i] - x[i]);
    h = fmax(h, s);
  }
  return sqrt(h);
}

double bf_gfem_row(const bf_model *m, const bf_gfem *g, bf_int q, bf_int other, double h, double *B)
{
  const double *x = m->mesh->x + 3 * (size_t)g->at.node[q], *y = m->mesh->x + 3 * (size_t)g->at.node[other];
  double        xi[3], r                                       = 0.0, all[BF_GFEM_TERMS];
  for (int i = 0; i < g->dim; i++) {
    xi[i] = (y[i] - x[i]) / h;
    r += xi[i] * xi[i];
  }
  bf_gfem_polynomials(g->dim, g->order, xi, all, NULL);
  memcpy(B, all + 1, (size_t)(g->nb - 1) * sizeof *B);
  return 1.0 / r;
}

BF_VECTOR void bf_gfem_moments(const bf_model *m, const bf_gfem *g, bf_int q, const bf_int *other, bf_int n,
                               const uint8_t *in, double *M)
{
  const int    nm = g->nb - 1;
  const double h  = bf_gfem_size(m, g, q, other, n);
  double       B[BF_GFEM_FREE];
  memset(M, 0, (size_t)(nm * nm) * sizeof *M);
  for (bf_int j = 0; j < n; j++) {
    if (in && !in[j]) continue;
    const double w = bf_gfem_row(m, g, q, other[j], h, B);
    for (int a = 0; a < nm; a++) {
      const double f = w * B[a];
#pragma omp simd
      for (int b = 0; b < nm; b++) M[a * nm + b] += f * B[b];
    }
  }
}

typedef struct bf_fit { /* of one thread */
  double  *T, *Z;       /* owned [BF_GFEM_FREE][most]: the fit, and X B^T W */
  uint8_t *in;          /* owned [most]: 1 = of G */
  double   P[SQUARE], M[SQUARE], K[SQUARE], X[SQUARE];
} bf_fit;

static const bf_int *others(const bf_gfem *g, bf_int q, bf_int *n)
{
  *n = (bf_int)(g->patch.ptr[q + 1] - g->patch.ptr[q]);
  return g->patch.entry + g->patch.ptr[q];
}

static int shared(const bf_gfem *g, bf_int q, bf_int other)
{
  const bf_int v = g->at.node[q], u = g->at.node[other];
  for (bf_int p = g->at.first[v]; p < g->at.first[v + 1]; p++) {
    if (p == q) continue;
    for (int64_t i = g->patch.ptr[p]; i < g->patch.ptr[p + 1]; i++)
      if (g->at.node[g->patch.entry[i]] == u) return 1;
  }
  return 0;
}

enum { STAGES = 3 };

/* Marks G: in space, stage 0 the nodes of stages 1 and 2 both; stage 1 the interface, in the patches of two
 * materials; stage 2 flat sides. */
static int mark(const bf_gfem *g, bf_int q, int stage, uint8_t *in)
{
  const bf_int  v = g->at.node[q];
  bf_int        n;
  const bf_int *entry   = others(g, q, &n);
  const int     between = g->at.first[v + 1] - g->at.first[v] > 1;
  int           on = stage == 1 ? between : g->face.flat[v], any = 0;
  if (stage == 0) on &= between && g->dim == 3;
  for (bf_int j = 0; j < n && on; j++) {
    in[j] = (uint8_t)((stage > 1 || shared(g, q, entry[j])) &&
                      (stage == 1 || g->face.flat[g->at.node[entry[j]]]));
    any |= in[j];
  }
  return any;
}

/* out = A B, all [nm][nm]. */
static void multiply(int nm, const double *A, const double *B, double *out)
{
  for (int a = 0; a < nm; a++)
    for (int b = 0; b < nm; b++) {
      double s = 0.0;
      for (int c = 0; c < nm; c++) s += A[a * nm + c] * B[c * nm + b];
      out[a * nm + b] = s;
    }
}

/* out = P A P */
static void project(int nm, const double *P, const double *A, double *out)
{
  double Y[SQUARE];
  multiply(nm, P, A, Y);
  multiply(nm, Y, P, out);
}

/* T += X B^T W (I - B T) with the nodes of `in` (NULL = all), whose moments are M: X B^T W - (X M) T. */
static void add_fit(const bf_model *m, const bf_gfem *g, bf_int q, const double *X, const double *M,
                    const uint8_t *in, bf_fit *s)
{
  const int     nm = g->nb - 1;
  bf_int        n;
  const bf_int *entry = others(g, q, &n);
  double        XM[SQUARE], B[BF_GFEM_FREE];
  multiply(nm, X, M, XM);
  memset(s->Z, 0, (size_t)nm * (size_t)n * sizeof *s->Z);
  for (bf_int j = 0; j < n; j++) {
    if (in && !in[j]) continue;
    const double w = bf_gfem_row(m, g, q, entry[j], g->h[q], B);
    for (int a = 0; a < nm; a++) {
      double x = 0.0;
      for (int b = 0; b < nm; b++) x += X[a * nm + b] * B[b];
      s->Z[a * n + j] = w * x;
    }
  }
  for (int a = 0; a < nm; a++)
    for (int b = 0; b < nm; b++) {
      const double  f = XM[a * nm + b];
      const double *t = s->T + b * n;
      double       *z = s->Z + a * n;
      for (bf_int j = 0; j < n; j++) z[j] -= f * t[j];
    }
  for (int i = 0; i < nm * n; i++) s->T[i] += s->Z[i];
}

/* X = sum of v v^T / l over the eigenvalues of K above least and the tolerance times the largest, K
 * destroyed; P loses these directions unless it is NULL. */
static bf_err pseudo_inverse(int nm, double tolerance, double least, double *K, double *X, double *P)
{
  double l[BF_GFEM_FREE];
  BF_CHECK(bf_small_eigen(nm, K, l, 1), BF_E_MODEL, "the fit of a patch failed");
  memset(X, 0, (size_t)(nm * nm) * sizeof *X);
  for (int c = 0; c < nm; c++) {
    const double *v = K + c * nm;
    if (!(l[c] > tolerance * l[nm - 1] && l[c] > least)) continue;
    for (int a = 0; a < nm; a++)
      for (int b = 0; b < nm; b++) {
        X[a * nm + b] += v[a] * v[b] / l[c];
        if (P) P[a * nm + b] -= v[a] * v[b];
      }
  }
  return BF_OK;
}

static double trace(int nm, const double *M)
{
  double s = 0.0;
  for (int a = 0; a < nm; a++) s += M[a * (nm + 1)];
  return s;
}

/* The fit of an entry with traces, or of a poor patch, into s->T. */
static bf_err fit_in_stages(const bf_model *m, const bf_gfem *g, bf_int q, bf_fit *s)
{
  const int     nm = g->nb - 1;
  bf_int        n;
  const bf_int *entry = others(g, q, &n);
  memset(s->T, 0, (size_t)nm * (size_t)n * sizeof *s->T);
  memset(s->P, 0, sizeof s->P);
  for (int a = 0; a < nm; a++) s->P[a * (nm + 1)] = 1.0;
  for (int stage = 0; stage < STAGES; stage++) {
    if (!mark(g, q, stage, s->in)) continue;
    bf_gfem_moments(m, g, q, entry, n, s->in, s->M);
    project(nm, s->P, s->M, s->K);
    BF_TRY(pseudo_inverse(nm, 1e-8, 1e-11 * trace(nm, s->M), s->K, s->X, s->P)); /* K can be 0: rounding */
    add_fit(m, g, q, s->X, s->M, s->in, s);
  }
  bf_gfem_moments(m, g, q, entry, n, NULL, s->M);
  project(nm, s->P, s->M, s->K);
  const double mean = trace(nm, s->M) / nm;
  for (int a = 0; a < nm; a++)
    for (int b = 0; b < nm; b++) s->K[a * nm + b] += mean * ((a == b) - s->P[a * nm + b]);
  if (g->patch.poor[q]) {
    double K[SQUARE];
    BF_TRY(pseudo_inverse(nm, 1e-10, 0.0, s->K, K, NULL));
    project(nm, s->P, K, s->X);
  } else {
    double Y[SQUARE];
    memcpy(Y, s->P, sizeof Y);
    BF_CHECK(bf_small_cholesky(nm, s->K), BF_E_MODEL, "the fit of the patch of node %d failed",
             g->at.node[q]);
    bf_small_solve(nm, s->K, nm, nm, Y);
    multiply(nm, s->P, Y, s->X);
  }
  add_fit(m, g, q, s->X, s->M, NULL, s);
  return BF_OK;
}

/* T = M^-1 B^T W straight into the rows of C. */
BF_VECTOR static bf_err fit_inside(const bf_model *m, const bf_gfem *g, bf_int q, bf_fit *s, double *C)
{
  const int     nm = g->nb - 1;
  bf_int        n;
  const bf_int *entry = others(g, q, &n);
  double        B[BF_GFEM_FREE];
  memset(s->M, 0, (size_t)(nm * nm) * sizeof *s->M);
  for (bf_int j = 0; j < n; j++) {
    const double w = bf_gfem_row(m, g, q, entry[j], g->h[q], B);
    for (int a = 0; a < nm; a++) {
      const double f                                   = w * B[a];
      C[(size_t)(a + 1) * (size_t)(n + 1) + (size_t)j] = f;
#pragma omp simd
      for (int b = 0; b < nm; b++) s->M[a * nm + b] += f * B[b];
    }
  }
  BF_CHECK(bf_small_cholesky(nm, s->M), BF_E_MODEL, "the fit of the patch of node %d failed", g->at.node[q]);
  bf_small_solve(nm, s->M, n, n + 1, C + n + 1);
  return BF_OK;
}

static bf_err fit_entry(const bf_model *m, bf_gfem *g, bf_int q, bf_fit *s)
{
  const bf_int  v  = g->at.node[q];
  const int     nm = g->nb - 1;
  bf_int        n;
  const bf_int *entry = others(g, q, &n);
  double       *C     = g->C + (size_t)g->nb * (size_t)(g->patch.ptr[q] + q);
  g->h[q]             = bf_gfem_size(m, g, q, entry, n);
  if (g->face.flat[v] || g->at.first[v + 1] - g->at.first[v] > 1 || g->patch.poor[q]) {
    BF_TRY(fit_in_stages(m, g, q, s));
    for (int a = 0; a < nm; a++) memcpy(C + (a + 1) * (n + 1), s->T + a * n, (size_t)n * sizeof *C);
  } else {
    BF_TRY(fit_inside(m, g, q, s, C));
  }
  C[n] = 1.0; /* the rest of row 0 is 0 */
  for (int a = 1; a <= nm; a++) {
    double sum = 0.0, *row = C + a * (n + 1);
    for (bf_int j = 0; j < n; j++) sum += row[j];
    row[n] = -sum;
  }
  return BF_OK;
}

bf_err bf_gfem_fit(const bf_model *m, bf_gfem *g)
{
  bf_err    err    = BF_OK;
  const int nt     = omp_get_max_threads();
  bf_fit   *fit    = NULL;
  bf_err   *failed = NULL;
  int64_t   most   = 0;
  for (bf_int q = 0; q < g->at.n; q++) {
    const int64_t n = g->patch.ptr[q + 1] - g->patch.ptr[q];
    most            = n > most ? n : most;
  }
  BF_GO(BF_NEW_ARRAY(g->h, g->at.n));
  BF_GO(BF_NEW_ARRAY(g->C, (size_t)g->nb * (size_t)(g->patch.ptr[g->at.n] + g->at.n)));
  BF_GO(BF_NEW_ARRAY(fit, nt));
  BF_GO(BF_NEW_ARRAY(failed, nt));
  for (int t = 0; t < nt; t++) {
    BF_GO(BF_NEW_ARRAY(fit[t].T, (size_t)most * BF_GFEM_FREE));
    BF_GO(BF_NEW_ARRAY(fit[t].Z, (size_t)most * BF_GFEM_FREE));
    BF_GO(BF_NEW_ARRAY(fit[t].in, most));
  }
#pragma omp parallel for schedule(dynamic, 64)
  for (bf_int q = 0; q < g->at.n; q++) {
    const int    t = omp_get_thread_num();
    const bf_err e = fit_entry(m, g, q, &fit[t]);
    if (e != BF_OK) failed[t] = e;
  }
  for (int t = 0; t < nt; t++) BF_GO(failed[t]);
done:
  for (int t = 0; t < nt && fit; t++) {
    bf_host_free(fit[t].T);
    bf_host_free(fit[t].Z);
    bf_host_free(fit[t].in);
  }
  bf_host_free(fit);
  bf_host_free(failed);
  return err;
}
