/* assembly/constraints/weak_supports.c - springs and convection that are lost in the rounding errors of the
 * stiffness matrix
 *
 *     ratio = min_v (v.S v)/(v.M v) / kappa,      kappa = max_e  c_e V_e / h_e^2
 *
 * v: rigid motions that prescribed values leave free (scalars: the constant); v.S v: energy of the springs;
 * v.M v: mean square displacement of the n nodes; kappa: stiffness of the stiffest element, c_e the greatest
 * coefficient, V_e its volume (with thickness or turn), h_e its shortest edge.  Element matrices have
 * rounding errors of about eps kappa, which do not cancel in rigid motions of equal elements, so that the
 * solution's part along v has a relative error of about 0.1 n eps/ratio.  Measured: docs/theory/elements.md.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "assembly/constraints/constraint_check_internal.h"
#include "base/memory.h"
#include <float.h>
#include <math.h>

/* E301 below LOST: on a mesh of 1000 nodes no digit is left.  W336 below WEAK, or where the error is above
 * INEXACT. */
#define LOST    (100.0 * DBL_EPSILON)
#define WEAK    1e-12
#define INEXACT 1e-3

void bf_weak_add(bf_part *p, int by, const double x[3], int c, double k, double weight)
{
  double row[6] = {1.0};
  if (p->nweak == 0) return;
  if (k > p->stiffest) {
    p->stiffest = k;
    p->by       = by;
  }
  if (p->motion.length > 0.0) bf_motion_row(&p->motion, x, c, row);
  for (int a = 0; a < 6; a++)
    for (int b = 0; b < 6; b++) p->S[a][b] += k * weight * row[a] * row[b];
}

/* M of the mean square displacement over the nodes of each part, and their number. */
static void mean_squares(const bf_model *m, const bf_int *part, const bf_part *p, double (*M)[6][6],
                         bf_int *count)
{
  for (bf_int i = 0; i < m->mesh->nnodes; i++) count[part[i] < 0 ? 0 : part[i]] += part[i] >= 0;
  for (bf_int i = 0; i < m->mesh->nnodes; i++)
    for (int c = 0; part[i] >= 0 && c < m->ncomp; c++) {
      double row[6] = {1.0};
      if (m->ncomp > 1) bf_motion_row(&p[part[i]].motion, m->mesh->x + 3 * (size_t)i, c, row);
      for (int a = 0; a < 6; a++)
        for (int b = 0; b < 6; b++) M[part[i]][a][b] += row[a] * row[b] / (double)count[part[i]];
    }
}

/* Square of the shortest edge; *turn: 2 pi r at the mean of the corners of a body of revolution, else 1. */
static double shortest_edge(const bf_model *m, const bf_elem_info *info, const bf_int *node, double *turn)
{
  double least = INFINITY, r = 0.0;
  for (int k = 0; k < info->nedges; k++) {
    const double *a = m->mesh->x + 3 * (size_t)node[info->edge[k][0]],
                 *b = m->mesh->x + 3 * (size_t)node[info->edge[k][1]];
    const double d =
        (a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) + (a[2] - b[2]) * (a[2] - b[2]);
    least = fmin(least, d);
  }
  for (int a = 0; a < info->ncorners; a++) r += m->mesh->x[3 * (size_t)node[a]] / info->ncorners;
  *turn = bf_model_revolved(m) ? BF_TWO_PI * r : 1.0;
  return least;
}

/* kappa of each part. */
static bf_err stiffness(const bf_model *m, const bf_int *part, double *kappa)
{
  bf_err  err  = BF_OK;
  double *size = NULL;
  BF_GO(BF_NEW_ARRAY(size, m->mesh->nelem));
  BF_GO(bf_model_measure(m, size));
  for (int b = 0; b < m->nblocks; b++) {
    const bf_model_block *B    = &m->block[b];
    const bf_elem_info   *info = bf_elem(B->block->type);
    for (bf_int e = 0; e < B->block->n; e++) {
      const bf_int *node = B->block->node + (size_t)e * (size_t)info->nnodes, elem = B->block->first + e;
      const double *C = m->C + (size_t)m->region[elem] * (size_t)m->nC;
      double        c = 0.0, factor = B->factor ? 0.0 : 1.0, turn;
      for (int i = 0; i < m->nv; i++) c = fmax(c, C[i * m->nv + i]);
      for (int q = 0; B->factor && q < B->stiffness.n; q++)
        factor = fmax(factor, B->factor[(size_t)e * (size_t)B->stiffness.n + (size_t)q]);
      const double h2      = shortest_edge(m, info, node, &turn);
      kappa[part[node[0]]] = fmax(kappa[part[node[0]]], c * factor * size[elem] * m->thickness * turn / h2);
    }
  }
done:
  bf_host_free(size);
  return err;
}

/* error: 0.1 n eps/ratio */
static void report(const bf_model *m, const char *what, const bf_part *p, const double v[6], double ratio,
                   double error, bf_diags *diags)
{
  const bf_where    where    = m->problem->boundary[p->by].where;
  const bf_severity severity = ratio < LOST ? BF_ERROR : BF_WARNING;
  const int         code     = ratio < LOST ? 301 : 336;
  const char       *field = m->physics->words.field, *hardly = ratio < LOST ? "not" : "hardly";
  char              motion[256], effect[160]                 = "rounding errors of the matrix can be larger";
  if (ratio >= LOST && error < 1.0)
    snprintf(effect, sizeof effect,
             "rounding errors of the matrix can change this part of the solution by %.0e of it", error);
  if (m->ncomp == 1) {
    bf_diag_add(diags, severity, code, where,
                "the %s level of %s is %s determined in double precision: only convection determines it, "
                "with %.1e of the conductance of the best conducting element; %s; check the coefficient h "
                "(%s), or prescribe a %s",
                field, what, hardly, ratio, effect,
                bf_unit_in(m->problem->units, m->physics->words.film_unit), field);
    return;
  }
  bf_motion_name(&p->motion, v, motion, sizeof motion);
  bf_diag_add(diags, severity, code, where,
              "%s is %s constrained in double precision: only springs resist %s, with %.1e of the stiffness "
              "of the stiffest element; %s; check the value (%s), or add another support",
              what, hardly, motion, ratio, effect, bf_unit_in(m->problem->units, "N/m3"));
}

bf_err bf_weak_check(const bf_model *m, const bf_int *part, bf_int nparts, bf_part *p, bf_diags *diags)
{
  bf_err err       = BF_OK;
  double(*M)[6][6] = NULL, *kappa = NULL;
  bf_int *n     = NULL;
  int     found = 0;
  char    what[256];
  for (bf_int k = 0; k < nparts; k++) found |= p[k].nweak > 0 && p[k].by >= 0;
  if (!found) return BF_OK;
  BF_GO(BF_NEW_ARRAY(M, nparts));
  BF_GO(BF_NEW_ARRAY(kappa, nparts));
  BF_GO(BF_NEW_ARRAY(n, nparts));
  mean_squares(m, part, p, M, n);
  BF_GO(stiffness(m, part, kappa));
  for (bf_int k = 0; k < nparts; k++) {
    double mode[6][6], v[6];
    if (p[k].nweak == 0 || p[k].by < 0) continue;
    if (m->ncomp > 1 && bf_motions_free(&p[k].motion, mode) > 0) continue; /* E301 was given */
    const double ratio = bf_motions_softest(p[k].nweak, p[k].weak, p[k].S, M[k], v) / kappa[k];
    const double error = 0.1 * (double)n[k] * DBL_EPSILON / ratio;
    if (ratio >= WEAK && error <= INEXACT) continue;
    bf_rigid_part_name(m, &p[k], k, nparts, what, sizeof what);
    report(m, what, &p[k], v, ratio, error, diags);
  }
done:
  bf_host_free(M);
  bf_host_free(kappa);
  bf_host_free(n);
  return err;
}
