/* solvers/dispersion/band_tracking.c - forms u^H S(k) u' of the modes of bf_waves: estimates, and the
 * continuation of bands between wave vectors */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "solvers/dispersion.h"

static const double *mode(const bf_waves *w, int k, int j)
{
  return w->mode + ((int64_t)k * w->bands + j) * 2 * w->n;
}

/* u^H v, complex */
static void inner(int64_t n, const double *u, const double *v, double z[2])
{
  z[0] = z[1] = 0.0;
  for (int64_t i = 0; i < n; i++) {
    z[0] += u[2 * i] * v[2 * i] + u[2 * i + 1] * v[2 * i + 1];
    z[1] += u[2 * i] * v[2 * i + 1] - u[2 * i + 1] * v[2 * i];
  }
}

/* The wave vectors of one thread, with its memory for a matrix and a vector. */
static void forms(const bf_waves *w, const bf_shifted *S, const double *kappa, int first, int step, double *A,
                  double *z)
{
  const int64_t nb = w->bands;
  double       *y  = A + 2 * (size_t)w->n * (size_t)w->n;
  for (int k = first; k < w->nk; k += step) {
    bf_shifted_at(S, kappa + 3 * (size_t)k, A, w->n);
    for (int j = 0; j < nb; j++) {
      bf_shifted_times(w->n, A, w->n, mode(w, k, j), y);
      for (int i = j; i < nb; i++) inner(w->n, mode(w, k, i), y, z + 2 * ((k * nb + j) * nb + i));
    }
  }
}

bf_err bf_waves_form(const bf_waves *w, const bf_shifted *S, const double *kappa, double *z)
{
  enum { PARTS = 16 }; /* of the wave vectors, for any number of threads */
  bf_err  err = BF_OK;
  double *A   = NULL;
  BF_CHECK(w && S && kappa && z && S->n == w->n, BF_E_ARG, "null argument, or of another order");
  const int    parts = w->nk < PARTS ? w->nk : PARTS;
  const size_t room  = 2 * (size_t)w->n * ((size_t)w->n + 1);
  BF_GO(BF_NEW_ARRAY(A, (size_t)parts * room));
#pragma omp parallel for schedule(static, 1)
  for (int p = 0; p < parts; p++) forms(w, S, kappa, p, parts, A + (size_t)p * room, z);
done:
  bf_host_free(A);
  return err;
}

/* |u^H y|^2 */
static double overlap(int64_t n, const double *u, const double *y)
{
  double f[2];
  inner(n, u, y, f);
  return f[0] * f[0] + f[1] * f[1];
}

/* The band of wave vector k + 1 that continues band i of k: to[i], by overlaps above 1/2, at most one in a
 * row and in a column; the others in their order.  y: M X of k. */
static void follow(const bf_waves *w, int k, const double *y, int *to, uint8_t *taken)
{
  const size_t each = 2 * (size_t)w->n;
  for (int i = 0; i < w->bands; i++) to[i] = -1, taken[i] = 0;
  for (int i = 0; i < w->bands; i++)
    for (int j = 0; j < w->bands && to[i] < 0; j++) {
      if (taken[j] || overlap(w->n, mode(w, k + 1, j), y + (size_t)i * each) <= 0.5) continue;
      to[i]    = j;
      taken[j] = 1;
    }
  for (int i = 0, j = 0; i < w->bands; i++) {
    if (to[i] >= 0) continue;
    while (taken[j]) j++;
    to[i]    = j;
    taken[j] = 1;
  }
}

bf_err bf_waves_branches(const bf_waves *w, const bf_shifted *M, const double *kappa, int *branch)
{
  bf_err   err = BF_OK;
  double  *z = NULL, *y = NULL;
  int     *to    = NULL;
  uint8_t *taken = NULL;
  BF_CHECK(w && M && kappa && branch && M->n == w->n, BF_E_ARG, "null argument, or of another order");
  const size_t each = 2 * (size_t)w->n, nb = (size_t)w->bands;
  BF_GO(BF_NEW_ARRAY(z, each * (size_t)w->n));
  BF_GO(BF_NEW_ARRAY(y, each * nb));
  BF_GO(BF_NEW_ARRAY(to, nb));
  BF_GO(BF_NEW_ARRAY(taken, nb));
  for (int j = 0; j < w->bands; j++) branch[j] = j + 1;
  for (int k = 0; k + 1 < w->nk; k++) {
    bf_shifted_at(M, kappa + 3 * (size_t)k, z, w->n);
    for (size_t j = 0; j < nb; j++) bf_shifted_times(w->n, z, w->n, mode(w, k, (int)j), y + j * each);
    follow(w, k, y, to, taken);
    for (size_t j = 0; j < nb; j++) branch[((size_t)k + 1) * nb + (size_t)to[j]] = branch[(size_t)k * nb + j];
  }
done:
  bf_host_free(z);
  bf_host_free(y);
  bf_host_free(to);
  bf_host_free(taken);
  return err;
}
