/* assembly/constraints/rigid_body_vectors.c - see mass.h: rigid-body translations and rotations, by row
 *
 *     translation c: u = e_c;      rotation about c: u = e_c x (x - centre)
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "assembly/assemble/mass.h"
#include "assembly/model/frames.h"

int bf_model_motions(const bf_model *m)
{
  return m->ncomp == 1 || bf_model_revolved(m) ? 1 : m->sdim == 3 ? 6 : 3;
}

const char *bf_model_motion_name(const bf_model *m, int i)
{
  static const char *const translation[] = {"translation x", "translation y", "translation z"};
  static const char *const rotation[]    = {"rotation about x", "rotation about y", "rotation about z"};
  if (m->ncomp == 1) return "constant";
  if (bf_model_revolved(m)) return translation[1];
  if (i < m->sdim) return translation[i];
  return rotation[m->sdim == 3 ? i - 3 : 2];
}

/* u of motion i at a place x from the centre. */
static void motion_at(const bf_model *m, int i, const double x[3], double u[3])
{
  u[0] = u[1] = u[2] = 0.0;
  if (m->ncomp == 1)
    u[0] = 1.0;
  else if (bf_model_revolved(m))
    u[1] = 1.0;
  else if (i < m->sdim)
    u[i] = 1.0;
  else {
    const int c = m->sdim == 3 ? i - 3 : 2, a = (c + 1) % 3, b = (c + 2) % 3;
    u[a] = -x[b];
    u[b] = x[a];
  }
}

bf_err bf_model_motion_vectors(const bf_model *m, const bf_numbering *num, double *r)
{
  BF_CHECK(m && num && r, BF_E_ARG, "null argument");
  double       lo[3], hi[3];
  const size_t nc = (size_t)m->ncomp, n = (size_t)num->nrows * nc;
  bf_mesh_bounds(m->mesh, lo, hi);
  for (int i = 0; i < bf_model_motions(m); i++)
#pragma omp parallel for schedule(static) if (num->nrows > 8192)
    for (bf_int row = 0; row < num->nrows; row++) {
      const bf_int v = num->node[row];
      double       x[3], u[3] = {0.0, 0.0, 0.0};
      for (int d = 0; d < 3 && v >= 0; d++)
        x[d] = m->mesh->x[3 * (size_t)v + (size_t)d] - 0.5 * (lo[d] + hi[d]);
      if (v >= 0) motion_at(m, i, x, u);
      for (size_t c = 0; c < nc; c++) {
        double e[3], along = u[c];
        if (v >= 0 && bf_model_frame(m, v)) {
          bf_model_direction(m, v, (int)c, e);
          along = e[0] * u[0] + e[1] * u[1] + e[2] * u[2];
        }
        r[(size_t)i * n + (size_t)row * nc + c] = v >= 0 && m->fixed[(size_t)v * nc + c] ? 0.0 : along;
      }
    }
  return BF_OK;
}
