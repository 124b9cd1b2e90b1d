/* assembly/recover/reactions.c - nodal forces, reactions at prescribed unknowns, and the balance of the whole
 *
 *     f_int = sum_e Ke u_e  (conduction or elasticity),     f_robin = the same over convection or spring
 * faces held = f_int + f_robin - f_ext  at prescribed unknowns, 0 elsewhere scalars     applied = sum (f_ext
 * - f_robin),   reaction = held elasticity  applied = sum f_ext,              reaction = held - f_robin:
 * springs are supports reacted = sum reaction,   balance = |applied + reacted| / reference advection balance
 * = |applied + reacted + inflow - outflow - consumed| / (sum of their sizes): loads, supports by diffusion
 * and the flow, by separate integrals (flow.c) and not by K f_ext contains the loads and h*ambient, so f_ext
 * - f_robin is the heat supplied by loads and convection. reference: sum of |nodal loads|; if that is 0, the
 * largest |f_int| or |f_robin|.  Moments (about the centre of the mesh's box) likewise, with |arm| |force|.
 * f_int has zero sum and moment, so the balance is the residual of the solver at the free unknowns. In a body
 * of revolution forces are those of the full revolution: only the sum along the axis is meaningful, radial
 * forces cancel and there is no moment.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "assembly/model/robin.h"
#include "assembly/physics/flow.h"
#include "assembly/recover/recover.h"
#include "base/memory.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct bf_sums { /* over nodes */
  double applied[3], reacted[3], moment[3];
  double net, gross, arm, largest; /* sum |nodal loads|, sum |f_ext| + |f_robin|, sum |arm| |load|, max */
} bf_sums;

static double norm3(const double v[3])
{
  return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

/* Reaction at an unknown: prescribed values and springs. */
static double reaction(const bf_model *m, const bf_nodal_forces *f, size_t i)
{
  return f->reaction[i] - (f->robin && m->problem->physics == BF_ELASTICITY ? f->robin[i] : 0.0);
}

/* Sums over the nodes n0 .. n1-1. */
static bf_sums sums(const bf_model *m, const bf_nodal_forces *f, const double centre[3], bf_int n0, bf_int n1)
{
  const size_t D = (size_t)m->ncomp;
  bf_sums      s = {0};
  for (bf_int n = n0; n < n1; n++) {
    double d[3], total[3] = {0.0}, load[3] = {0.0};
    for (size_t c = 0; c < D; c++) {
      const size_t i = (size_t)n * D + c;
      const double q = f->robin ? f->robin[i] : 0.0, r = reaction(m, f, i);
      const double a = m->f_ext[i] - (m->problem->physics != BF_ELASTICITY ? q : 0.0);
      s.applied[c] += a;
      s.reacted[c] += r;
      total[c] = a + r;
      load[c]  = a;
      s.net += fabs(a);
      s.gross += fabs(m->f_ext[i]) + fabs(q);
      s.largest = fmax(s.largest, fmax(fabs(f->inside[i]), fabs(q)));
    }
    for (int i = 0; i < 3; i++) d[i] = m->mesh->x[3 * (size_t)n + (size_t)i] - centre[i];
    for (int i = 0; i < 3; i++)
      s.moment[i] += d[(i + 1) % 3] * total[(i + 2) % 3] - d[(i + 2) % 3] * total[(i + 1) % 3];
    s.arm += norm3(d) * norm3(load);
  }
  return s;
}

/* applied, reacted, balance, moment_balance: sums of SLICES parts, the same for any number of threads */
static void balance(const bf_model *m, const bf_nodal_forces *f, bf_solution *out)
{
  enum { SLICES = 128 };
  const int64_t n = m->mesh->nnodes;
  bf_sums       part[SLICES], all = {0};
  double        lo[3], hi[3], centre[3], half[3], rest[3];
  bf_mesh_bounds(m->mesh, lo, hi);
  for (int i = 0; i < 3; i++) centre[i] = 0.5 * (lo[i] + hi[i]), half[i] = 0.5 * (hi[i] - lo[i]);
#pragma omp parallel for
  for (int k = 0; k < SLICES; k++)
    part[k] = sums(m, f, centre, (bf_int)(n * k / SLICES), (bf_int)(n * (k + 1) / SLICES));
  for (int k = 0; k < SLICES; k++) {
    for (int i = 0; i < 3; i++) {
      out->applied[i] += part[k].applied[i];
      out->reacted[i] += part[k].reacted[i];
      all.moment[i] += part[k].moment[i];
    }
    all.net += part[k].net;
    all.gross += part[k].gross;
    all.arm += part[k].arm;
    all.largest = fmax(all.largest, part[k].largest);
  }
  if (bf_model_revolved(m) && m->problem->physics == BF_ELASTICITY) {
    out->applied[0] = out->reacted[0] = 0.0;
    for (int i = 0; i < 3; i++) all.moment[i] = 0.0;
  }
  const int loaded = all.net > 1e-10 * all.gross;
  for (int i = 0; i < 3; i++) rest[i] = out->applied[i] + out->reacted[i];
  const double reference = loaded ? all.net : all.largest,
               turning   = loaded && all.arm > 0.0 ? all.arm : all.largest * norm3(half);
  out->balance           = reference > 0.0 ? norm3(rest) / reference : 0.0;
  out->moment_balance =
      m->problem->physics == BF_ELASTICITY && turning > 0.0 ? norm3(all.moment) / turning : 0.0;
}

/* balance including the flow through the boundary and the consumption */
static bf_err mass_balance(const bf_model *m, const bf_numbering *num, const double *u, bf_solution *out)
{
  BF_TRY(bf_flow_sums(m, num, u, out));
  const double size = fabs(out->applied[0]) + fabs(out->reacted[0]) + fabs(out->inflow) + fabs(out->outflow) +
                      fabs(out->consumed);
  const double rest = out->applied[0] + out->reacted[0] + out->inflow - out->outflow - out->consumed;
  out->balance      = size > 0.0 ? fabs(rest) / size : 0.0;
  return BF_OK;
}

/* Sum of the reactions to prescribed values on the group's nodes, or on its faces where they are imposed
 * weakly. */
static bf_err held_sum(const bf_model *m, const bf_numbering *num, const bf_nodal_forces *f,
                       const bf_group *group, const double *u, double value[3])
{
  bf_int *nodes = NULL, count = 0;
  int     weak = 0;
  if (m->basis->weak_reaction) BF_TRY(m->basis->weak_reaction(m, num, group, u, &weak, value));
  if (weak) return BF_OK;
  BF_TRY(bf_mesh_group_nodes(m->mesh, group, &nodes, &count));
  for (bf_int i = 0; i < count; i++)
    for (int c = 0; c < m->ncomp; c++)
      value[c] += f->reaction[(size_t)nodes[i] * (size_t)m->ncomp + (size_t)c];
  bf_host_free(nodes);
  return BF_OK;
}

static int compare_numbers(const void *a, const void *b)
{
  const bf_int p = *(const bf_int *)a, q = *(const bf_int *)b;
  return p < q ? -1 : p > q;
}

/* Sum of the spring forces of boundary b on the group's faces. */
static bf_err spring_sum(const bf_model *m, const bf_numbering *num, int b, const bf_group *group,
                         const double *u, double value[3])
{
  bf_err  err   = BF_OK;
  double *force = NULL;
  for (int s = 0; s < m->nsets; s++) {
    const bf_face_set *set = &m->set[s];
    if (set->boundary != b) continue;
    BF_GO(BF_NEW_ARRAY(force, 3 * (size_t)set->n));
    BF_GO(bf_spring_forces(m, num, set, u, force));
    for (bf_int i = 0; i < set->n; i++)
      if (bsearch(&set->elem[i], group->elem, (size_t)group->nelem, sizeof *group->elem, compare_numbers))
        for (size_t c = 0; c < 3; c++) value[c] += force[3 * (size_t)i + c];
    bf_host_free(force);
    force = NULL;
  }
done:
  bf_host_free(force);
  return err;
}

/* The sum of a name, created if needed. */
static bf_reaction *sum_of(const bf_model *m, bf_solution *out, const char *name)
{
  for (int k = 0; k < out->nreactions; k++)
    if (strcmp(out->reaction[k].group, name) == 0) return &out->reaction[k];
  bf_reaction *sum = &out->reaction[out->nreactions++];
  sum->group       = name;
  sum->ncomp       = m->ncomp;
  sum->unit        = bf_unit_in(m->problem->units, bf_physics_words_of(m->problem->physics)->force_unit);
  return sum;
}

/* One sum for every group of a support, in the order of the deck, each name once: reactions to prescribed
 * values, and forces of each spring condition that names it. */
static bf_err group_sums(const bf_model *m, const bf_numbering *num, const bf_nodal_forces *f,
                         const double *u, bf_solution *out)
{
  bf_err            err     = BF_OK;
  bf_diags          unused  = {0}; /* the groups were checked before */
  const bf_problem *p       = m->problem;
  int               all     = 0;
  uint8_t          *counted = NULL; /* of a sum: it contains the prescribed values */
  for (int b = 0; b < p->nboundaries; b++) all += p->boundary[b].ngroups;
  BF_GO(BF_NEW_ARRAY(out->reaction, all));
  BF_GO(BF_NEW_ARRAY(counted, all));
  for (int b = 0; b < p->nboundaries; b++) {
    const bf_boundary *bc     = &p->boundary[b];
    const int          spring = bc->type == BF_BC_SPRING;
    for (int g = 0; (spring || bf_model_prescribes(bc->type)) && g < bc->ngroups; g++) {
      const bf_group *group =
          bf_model_group(m, &bc->group[g], spring ? m->sdim - 1 : 0, m->sdim - 1, bc->group[g].name, &unused);
      if (!group) continue;
      bf_reaction *sum = sum_of(m, out, bc->group[g].name);
      uint8_t     *in  = &counted[sum - out->reaction];
      if (spring)
        BF_GO(spring_sum(m, num, b, group, u, sum->value));
      else if (!*in)
        BF_GO(held_sum(m, num, f, group, u, sum->value));
      *in |= !spring;
    }
  }
done:
  bf_diags_clear(&unused);
  bf_host_free(counted);
  return err;
}

bf_err bf_recover_reactions(const bf_model *m, const bf_numbering *num, bf_backend *be, const bf_batches *bs,
                            const bf_view *view, const double *u, bf_phases *phases, bf_solution *out)
{
  bf_err          err = BF_OK;
  const size_t    D = (size_t)m->ncomp, w = D == 1 ? 1 : 3;
  double         *field = NULL;
  bf_nodal_forces f     = {NULL, NULL, NULL};
  BF_GO(m->basis->nodal_forces(m, num, be, bs, u, phases, &f));
  BF_GO(bf_recover_add(out, "reaction", m->physics->words.force_unit, (int)w, 0, view->npoints, &field));
#pragma omp parallel for
  for (bf_int p = 0; p < view->npoints; p++)
    for (size_t c = 0; c < D; c++) field[(size_t)p * w + c] = reaction(m, &f, (size_t)view->node[p] * D + c);
  balance(m, &f, out);
  if (m->problem->physics == BF_ADVECTION) BF_GO(mass_balance(m, num, u, out));
  BF_GO(group_sums(m, num, &f, u, out));
done:
  bf_host_free(f.inside);
  bf_host_free(f.robin);
  bf_host_free(f.reaction);
  return err;
}
