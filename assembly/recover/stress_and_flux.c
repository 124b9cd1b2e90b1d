/* assembly/recover/stress_and_flux.c - strains, stresses and fluxes of isoparametric elements: from the
 * integration points to cells and nodes
 *
 * cell value      mean over the integration points weighted by w det J; von_mises the mean of the points'
 *                 values
 * nodal value     inside a region the polynomials of patches (patch_recovery.h); elsewhere the element's
 * least-squares fit at the node (extrapolate.c), mean over the elements of one region that share it;
 *                 von_mises_nodal of the resulting tensor
 * error_estimate  error_estimate.c
 * Values at the points: quadrature_fields.c.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "assembly/recover/patch_recovery.h"
#include "assembly/recover/quadrature_fields.h"
#include "assembly/recover/recover.h"
#include "base/memory.h"
#include <math.h>

typedef double bf_lane[BF_LANES];

/* von Mises stress v of every lane (von_mises.h): most = max(most, v), mean += share v. */
static void von_mises(bf_lane *restrict s, const double *restrict share, double *restrict mean,
                      double *restrict most)
{
#pragma omp simd
  for (int l = 0; l < BF_LANES; l++) {
    const double a = s[0][l] - s[1][l], b = s[1][l] - s[2][l], c = s[2][l] - s[0][l];
    const double v = sqrt(0.5 * (a * a + b * b + c * c) +
                          3.0 * (s[3][l] * s[3][l] + s[4][l] * s[4][l] + s[5][l] * s[5][l]));
    mean[l] += share[l] * v;
    most[l] = v > most[l] ? v : most[l];
  }
}

/* to[cell][k] = sum_q share[q] of[q][k], of a lane each */
static inline void mean_of(int nq, int w, bf_lane *restrict share, double (*restrict of)[BF_TENSOR][BF_LANES],
                           const bf_int *cell, int n, double *to)
{
  for (int k = 0; k < w; k++) {
    bf_lane mean;
#pragma omp simd
    for (int l = 0; l < BF_LANES; l++) {
      double sum = 0.0;
      for (int q = 0; q < nq; q++) sum += share[q][l] * of[q][k][l];
      mean[l] = sum;
    }
    for (int l = 0; l < n; l++) to[(size_t)cell[l] * (size_t)w + (size_t)k] = mean[l];
  }
}

/* Cell values of n cells from their points. */
BF_VECTOR static void reduce(bf_points *p, int nq, const bf_int *cell, int n, const bf_basis_targets *to)
{
  bf_lane volume = {0.0}, mean = {0.0}, most = {0.0}, share[BF_QUADRATURE_MAX];
  for (int q = 0; q < nq; q++)
    for (int l = 0; l < BF_LANES; l++) volume[l] += p->wdet[q][l];
  for (int q = 0; q < nq; q++)
    for (int l = 0; l < BF_LANES; l++) share[q][l] = p->wdet[q][l] / volume[l];
  mean_of(nq, to->width, share, p->value, cell, n, to->value);
  if (!to->strain) return;
  mean_of(nq, to->width, share, p->strain, cell, n, to->strain);
  for (int q = 0; q < nq; q++) von_mises(p->value[q], share[q], mean, most);
  for (int l = 0; l < n; l++) {
    to->vm[cell[l]]     = mean[l];
    to->vm_max[cell[l]] = most[l];
  }
}

/* BF_LANES cells of a block from `first` on, less at its end. */
static void some_cells(const bf_model *m, const bf_numbering *num, const bf_view *view, const double *u,
                       const bf_point_table *t, int block, bf_int first, bf_int end, bf_patches *patches,
                       const bf_basis_targets *to)
{
  bf_points p;
  const int n = end - first < BF_LANES ? end - first : BF_LANES;
  bf_int    cell[BF_LANES], elem[BF_LANES];
  for (int l = 0; l < BF_LANES; l++) { /* the last lanes repeat the last cell */
    cell[l] = first + (l < n ? l : n - 1);
    elem[l] = view->elem[cell[l]];
  }
  bf_points_fill(m, num, t, elem, u, &p);
  reduce(&p, t->block->stiffness.n, cell, n, to);
  bf_patches_store(patches, block, &p, cell, n);
}

bf_err bf_fem_element_fields(const bf_model *m, const bf_numbering *num, const bf_view *view, const double *u,
                             const bf_basis_targets *to, bf_solution *out)
{
  bf_err          err     = BF_OK;
  bf_patches     *patches = NULL;
  bf_point_table *table   = NULL;
  BF_GO(BF_NEW_ARRAY(table, 1));
  BF_GO(bf_patches_create(m, view, to->width, &patches));
  for (int b = 0; b < m->nblocks; b++) {
    const bf_int c0 = patches->cell0[b], c1 = patches->cell0[b + 1];
    bf_point_table_fill(&m->block[b], table);
#pragma omp parallel for schedule(dynamic, 16)
    for (bf_int c = c0; c < c1; c += BF_LANES) some_cells(m, num, view, u, table, b, c, c1, patches, to);
  }
  BF_GO(bf_patches_recover(patches, to->nodal));
  out->recovery =
      (bf_recovery){.points = view->npoints, .by_patches = patches->nby, .has_error = to->error != NULL};
  if (to->error) BF_GO(bf_patches_error(patches, to->nodal, to->error, &out->recovery.error_estimate));
#pragma omp parallel for
  for (bf_int p = 0; p < view->npoints; p++)
    if (to->vm_nodal) to->vm_nodal[p] = bf_von_mises(to->nodal + (size_t)p * (size_t)to->width);
done:
  bf_patches_destroy(&patches);
  bf_host_free(table);
  return err;
}
