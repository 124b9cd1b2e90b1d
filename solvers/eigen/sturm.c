/* solvers/eigen/sturm.c - see sturm.h
 *
 *     values below s  =  negative pivots of K - s M = L D L^T
 *
 * (Sylvester's law of inertia). Source: B. N. Parlett, The Symmetric Eigenvalue Problem, SIAM (1998),
 * sec. 3.3 and 15.3, doi 10.1137/1.9781611971163.
 *
 * Rows without mass have only K's diagonal, which is positive: they are not counted.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "solvers/eigen/sturm.h"
#include "solvers/linear/band_factor.h"
#include <float.h>
#include <math.h>

static const double APART =
    1e-4; /* relative to the larger: distance of two neighbours with a shift between them */
static const double SAFE = 100.0; /* times u growth of the typical value: error of a value by rounding */

/* Chooses *at and the number of values below; 0: no suitable shift. */
static int place(int pairs, const double *value, double next, double typical, double *at)
{
  for (int i = pairs; i > 0; i--) {
    const double above = i == pairs ? next : value[i], below = value[i - 1], gap = above - below;
    if (!(gap > APART * fabs(above)) || !(gap > SAFE * DBL_EPSILON * typical)) continue;
    *at = below + 0.5 * gap;
    return i;
  }
  return 0;
}

bf_err bf_sturm_count(const bf_pencil *p, const bf_sparse *K, const bf_sparse *M, const double *value,
                      double next, bf_eigen_report *report, int64_t *missing)
{
  bf_err          err = BF_OK;
  bf_sparse      *A   = NULL;
  bf_band_inertia seen;
  double          at;
  const int       found = place(report->pairs, value, next, p->typical, &at);
  *missing              = 0;
  report->counted       = 0;
  if (found == 0) return BF_OK;
  BF_GO(bf_sparse_add(1.0, K, -at, M, &A));
  BF_GO(bf_factors_inertia(p->be, A, p->K->ncomp, &seen));
  const double near = fmin(at - value[found - 1], (found == report->pairs ? next : value[found]) - at);
  if (!(SAFE * DBL_EPSILON * seen.growth * p->typical < near)) goto done;
  report->counted  = 1;
  report->count_at = at;
  report->below    = seen.negative;
  *missing         = seen.negative - found;
done:
  bf_sparse_destroy(&A);
  return err;
}
