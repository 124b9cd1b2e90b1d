/* assembly/constraints/constraint_check.c - see constraint_check.h; the motions are those of
 * rigid_body_modes.h, the parts those of connected_components.h */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "assembly/constraints/connected_components.h"
#include "assembly/constraints/constraint_check_internal.h"
#include "assembly/model/frames.h"
#include "assembly/model/robin.h"
#include "assembly/physics/inflow.h"
#include "base/memory.h"
#include <math.h>
#include <string.h>

/* Box of each part, its elements and the first of them; every thread has parts of its own. */
static void survey_some(const bf_model *m, const bf_int *part, bf_part *p)
{
#pragma omp for schedule(static) nowait
  for (bf_int i = 0; i < m->mesh->nnodes; i++)
    for (int c = 0; part[i] >= 0 && c < 3; c++) {
      const double x = m->mesh->x[3 * (size_t)i + (size_t)c];
      bf_part     *q = &p[part[i]];
      q->lo[c]       = x < q->lo[c] ? x : q->lo[c];
      q->hi[c]       = x > q->hi[c] ? x : q->hi[c];
    }
  for (int b = 0; b < m->nblocks; b++) {
    const bf_block *k   = m->block[b].block;
    const size_t    nen = (size_t)bf_elem(k->type)->nnodes;
#pragma omp for schedule(static) nowait
    for (bf_int e = 0; e < k->n; e++) {
      bf_part *q = &p[part[k->node[(size_t)e * nen]]];
      if (q->nelem++ == 0) q->first = k->first + e;
    }
  }
}

static void begin_survey(bf_int nparts, bf_part *p)
{
  for (bf_int k = 0; k < nparts; k++) {
    p[k].first = p[k].by = -1;
    for (int i = 0; i < 3; i++) p[k].lo[i] = INFINITY, p[k].hi[i] = -INFINITY;
  }
}

static void merge_survey(bf_int nparts, const bf_part *from, bf_part *p)
{
  for (bf_int k = 0; k < nparts; k++) {
    const bf_part *q = &from[k];
    for (int i = 0; i < 3; i++) {
      p[k].lo[i] = q->lo[i] < p[k].lo[i] ? q->lo[i] : p[k].lo[i];
      p[k].hi[i] = q->hi[i] > p[k].hi[i] ? q->hi[i] : p[k].hi[i];
    }
    if (q->nelem && (p[k].first < 0 || q->first < p[k].first)) p[k].first = q->first;
    p[k].nelem += q->nelem;
  }
}

static bf_err survey(const bf_model *m, const bf_int *part, bf_int nparts, bf_part *p)
{
  enum { FEW = 100 }; /* parts: with more, the copies of the threads cost more than they save */
  int short_of_memory = 0;
  begin_survey(nparts, p);
#pragma omp        parallel if (nparts <= FEW)
  {
           bf_part *own = bf_host_alloc((size_t)nparts, sizeof *own);
           if (own) begin_survey(nparts, own);
    if (!own)
       #pragma omp atomic write
      short_of_memory = 1;
#pragma omp barrier
    if (!short_of_memory) survey_some(m, part, own); /* all threads or none */
#pragma omp critical
    if (own) merge_survey(nparts, own, p);
    bf_host_free(own);
  }
  BF_CHECK(!short_of_memory, BF_E_MEMORY, "no memory to survey %d parts", nparts);
  return BF_OK;
}

/* A spring at an integration point of face i of a set. */
static void hold_point(const bf_face_set *set, bf_int i, const double *x, int c, double k, double weight,
                       const bf_int *part, bf_part *p, bf_mechanisms *M)
{
  bf_part *q = &p[part[set->node[(size_t)i * (size_t)bf_elem(set->type)->nnodes]]];
  bf_motions_hold(&q->motion, x, c);
  bf_weak_add(q, set->boundary, x, c, k, weight);
  if (M) bf_mechanisms_hold(M, set->parent[i], x, c);
}

/* Springs act at the integration points: K contains nothing else of them. */
static bf_err hold_springs(const bf_model *m, const bf_int *part, bf_part *p, bf_mechanisms *M)
{
  bf_err  err = BF_OK;
  double *x = NULL, *f = NULL, *w = NULL;
  for (int s = 0; s < m->nsets; s++) {
    const bf_face_set *set = &m->set[s];
    const bf_boundary *bc  = &m->problem->boundary[set->boundary];
    const size_t       nq = (size_t)set->rule.n, np = (size_t)set->n * nq;
    if (bc->type != BF_BC_SPRING) continue;
    BF_GO(BF_NEW_ARRAY(w, np));
    bf_robin_weights(m, set, w);
    for (int c = 0; c < m->ncomp; c++) {
      if (bf_quantity_is_zero(bf_robin_value(bc, c))) continue;
      BF_GO(bf_robin_points(m, set, bf_robin_value(bc, c), &x, &f));
      for (size_t i = 0; i < np; i++)
        if (f[i] > 0.0) hold_point(set, (bf_int)(i / nq), x + 3 * i, c, f[i], w[i], part, p, M);
      bf_host_free(x);
      bf_host_free(f);
      x = f = NULL;
    }
    bf_host_free(w);
    w = NULL;
  }
done:
  bf_host_free(x);
  bf_host_free(f);
  bf_host_free(w);
  return err;
}

static void begin_motions(const bf_model *m, const bf_int *part, bf_int nparts, bf_part *p)
{
  for (bf_int k = 0; k < nparts; k++) {
    double centre[3], length = 0.0;
    for (int i = 0; i < 3; i++) {
      centre[i] = 0.5 * (p[k].lo[i] + p[k].hi[i]);
      length    = hypot(length, 0.5 * (p[k].hi[i] - p[k].lo[i]));
    }
    bf_motions_begin(&p[k].motion, m->sdim, bf_model_revolved(m), centre, length > 0.0 ? length : 1.0);
  }
  for (bf_int i = 0; i < m->mesh->nnodes; i++)
    for (int c = 0; part[i] >= 0 && c < m->ncomp; c++) {
      double n[3];
      if (!m->fixed[(size_t)i * (size_t)m->ncomp + (size_t)c]) continue;
      bf_model_direction(m, i, c, n);
      bf_motions_hold_along(&p[part[i]].motion, m->mesh->x + 3 * (size_t)i, n);
    }
  for (bf_int k = 0; k < nparts; k++) p[k].nweak = bf_motions_free(&p[k].motion, p[k].weak);
}

/* E301 (free vibrations: W335) for mechanisms in part k; *reported: number of messages so far. */
static bf_err report_mechanisms(const bf_model *m, const bf_mechanisms *M, bf_int k, const bf_part *p,
                                int *reported, bf_diags *diags)
{
  enum { MOST = 8 };
  const bf_severity severity = m->problem->analysis == BF_STATIC ? BF_ERROR : BF_WARNING;
  const int         code     = severity == BF_ERROR ? 301 : 335;
  bf_mechanism      list[MOST];
  double            whole[6][6];
  const int         nwhole = bf_motions_free(&p->motion, whole);
  bf_int            more = bf_mechanisms_count(M, k) - nwhole, motions = 0;
  int               n = 0;
  if (more <= 0) return BF_OK;
  if (*reported < MOST)
    BF_TRY(bf_mechanisms_list(M, k, &p->motion, nwhole, whole, list, MOST - *reported, &n, &motions));
  for (int i = 0; i < n; i++) bf_rigid_report_mechanism(m, &list[i], severity, code, diags);
  *reported += n;
  more -= motions;
  if (more > 0)
    bf_diag_add(diags, severity, code, (bf_where){.file = m->mesh->file},
                "bodies that are joined only at nodes or edges have %d more free motion%s", (int)more,
                more == 1 ? "" : "s");
  return BF_OK;
}

static bf_err solve_mechanisms(const bf_model *m, bf_mechanisms *M, bf_int nparts, const bf_part *p,
                               int *reported, bf_diags *diags)
{
  int complete = 0;
  BF_TRY(bf_mechanisms_solve(M, &complete));
  if (!complete)
    bf_diag_add(diags, BF_NOTE, 337, (bf_where){.file = m->mesh->file},
                "the mesh has %d bodies, joined only at nodes or edges: they are too many to examine whether "
                "they can move against each other; if they can, the matrix is singular",
                (int)bf_mechanisms_bodies(M));
  for (bf_int k = 0; k < nparts && complete; k++) BF_TRY(report_mechanisms(m, M, k, &p[k], reported, diags));
  return BF_OK;
}

/* Static analysis: every part must be constrained.  M: bodies joined at nodes or edges, or NULL. */
static bf_err check_motions(const bf_model *m, const bf_int *part, bf_int nparts, bf_part *p,
                            bf_mechanisms *M, int *mechanisms, bf_diags *diags)
{
  const int is_static = m->problem->analysis == BF_STATIC;
  char      what[256];
  begin_motions(m, part, nparts, p);
  BF_TRY(hold_springs(m, part, p, M));
  for (bf_int k = 0; k < nparts && is_static; k++) {
    bf_rigid_part_name(m, &p[k], k, nparts, what, sizeof what);
    bf_rigid_report_motions(m, what, &p[k].motion, diags);
  }
  if (M) BF_TRY(solve_mechanisms(m, M, nparts, p, mechanisms, diags));
  return is_static ? bf_weak_check(m, part, nparts, p, diags) : BF_OK;
}

/* A reaction term determines the level. */
static void decay_levels(const bf_model *m, const bf_int *part, bf_part *p)
{
  for (int b = 0; b < m->nblocks && m->problem->physics == BF_ADVECTION; b++) {
    const bf_block *k   = m->block[b].block;
    const size_t    nen = (size_t)bf_elem(k->type)->nnodes;
    for (bf_int e = 0; e < k->n; e++)
      if (!bf_quantity_is_zero(&m->problem->material[m->region[k->first + e]].reaction))
        p[part[k->node[(size_t)e * nen]]].level = 1;
  }
}

/* Convection of the parts whose level is not determined otherwise. */
static bf_err weak_levels(const bf_model *m, const bf_int *part, bf_part *p)
{
  bf_err  err = BF_OK;
  double *x = NULL, *f = NULL, *w = NULL;
  for (int s = 0; s < m->nsets; s++) {
    const bf_face_set *set = &m->set[s];
    const bf_boundary *bc  = &m->problem->boundary[set->boundary];
    const size_t nen = (size_t)bf_elem(set->type)->nnodes, nq = (size_t)set->rule.n, np = (size_t)set->n * nq;
    if (bc->type != BF_BC_CONVECTION) continue;
    BF_GO(BF_NEW_ARRAY(w, np));
    bf_robin_weights(m, set, w);
    BF_GO(bf_robin_points(m, set, &bc->h, &x, &f));
    for (size_t i = 0; i < np; i++)
      bf_weak_add(&p[part[set->node[i / nq * nen]]], set->boundary, x + 3 * i, 0, f[i], w[i]);
    bf_host_free(x);
    bf_host_free(f);
    bf_host_free(w);
    x = f = w = NULL;
  }
done:
  bf_host_free(x);
  bf_host_free(f);
  bf_host_free(w);
  return err;
}

static bf_err check_levels(const bf_model *m, const bf_int *part, bf_int nparts, bf_part *p, bf_diags *diags)
{
  char                    what[256];
  const bf_physics_words *w = &m->physics->words;
  for (bf_int i = 0; i < m->mesh->nnodes; i++)
    if (part[i] >= 0 && m->fixed[i]) p[part[i]].level = 1;
  decay_levels(m, part, p);
  for (bf_int k = 0; k < nparts; k++) {
    p[k].nweak      = !p[k].level;
    p[k].weak[0][0] = 1.0;
  }
  for (int s = 0; s < m->nsets; s++) {
    const bf_face_set *set = &m->set[s];
    const bf_boundary *bc  = &m->problem->boundary[set->boundary];
    const size_t       nen = (size_t)bf_elem(set->type)->nnodes;
    if (bc->type != BF_BC_CONVECTION || bf_quantity_is_zero(&bc->h)) continue;
    for (bf_int f = 0; f < set->n; f++) p[part[set->node[(size_t)f * nen]]].level = 1;
  }
  if (m->problem->physics == BF_HEAT) BF_TRY(weak_levels(m, part, p));
  for (bf_int k = 0; k < nparts; k++) {
    double in = 0.0, size = 0.0;
    if (p[k].level) continue;
    bf_rigid_part_name(m, &p[k], k, nparts, what, sizeof what);
    BF_TRY(bf_inflow(m, part, k, &in, &size));
    if (fabs(in) <= 1e-10 * size)
      bf_diag_add(diags, BF_ERROR, 301, bf_rigid_where(m),
                  "the %s level of %s is undetermined: the %s flows balance, and any constant can be added; "
                  "add a boundary condition of type %s",
                  w->field, what, w->substance, w->level);
    else
      bf_diag_add(diags, BF_ERROR, 301, bf_rigid_where(m),
                  "the %s level of %s is undetermined, and its flux sum %.6g %s is not zero; add a boundary "
                  "condition of type %s where the %s can leave",
                  w->field, what, in, bf_unit_in(m->problem->units, w->force_unit), w->level, w->substance);
  }
  return bf_weak_check(m, part, nparts, p, diags);
}

/* W333: adjacent bodies that should be one are often meshed with separate nodes on the common side. */
static void report_parts(const bf_model *m, bf_int nparts, bf_diags *diags)
{
  if (nparts > 1)
    bf_diag_add(diags, BF_WARNING, 333, (bf_where){.file = m->mesh->file},
                "the mesh consists of %d parts that share no nodes and do not interact; if they should be "
                "one body, merge the nodes of their common sides (Gmsh: Coherence Mesh)",
                (int)nparts);
}

/* W334: the stiffness or conductance of a joint at nodes depends on the size of the elements. */
static void report_joints(const bf_model *m, const bf_bodies *b, bf_diags *diags)
{
  const double *x    = m->mesh->x + 3 * (size_t)b->joint[0].node;
  const char   *side = m->sdim == 3 ? "face" : "edge";
  bf_diag_add(
      diags, BF_WARNING, 334, (bf_where){.file = m->mesh->file},
      "the mesh has bodies that are joined at %d node%s and through no %s of elements, the first at node "
      "%lld (%g, %g, %g): the %s of such a joint depends on the size of the elements and vanishes as "
      "they are refined; bodies that should be one must share whole %ss, with the same nodes",
      (int)b->nodes, b->nodes == 1 ? "" : "s", side, (long long)m->mesh->node_tag[b->joint[0].node], x[0],
      x[1], x[2], m->ncomp == 1 ? "conductance" : "stiffness", side);
}

bf_err bf_rigid_check(const bf_model *m, bf_diags *diags)
{
  bf_err         err    = BF_OK;
  bf_int        *part   = NULL;
  bf_part       *p      = NULL;
  bf_bodies     *bodies = NULL;
  bf_mechanisms *M      = NULL;
  bf_int         nparts = 0;
  int            found  = 0; /* mechanisms */
  BF_CHECK(m && diags && m->fixed, BF_E_ARG, "null argument");
  const int solid = m->ncomp > 1, hinges = solid && !bf_model_revolved(m) && m->basis->local;
  BF_GO(BF_NEW_ARRAY(part, m->mesh->nnodes));
  BF_GO(bf_parts_find(m->mesh, m->sdim, part, &nparts));
  BF_GO(bf_bodies_create(m->mesh, m->sdim, &bodies));
  BF_GO(BF_NEW_ARRAY(p, nparts));
  BF_GO(survey(m, part, nparts, p));
  report_parts(m, nparts, diags);
  if (hinges && bodies->njoints > 0 && m->problem->analysis != BF_DISPERSION)
    BF_GO(bf_mechanisms_create(m, bodies, part, &M));
  if (solid && (M || m->problem->analysis == BF_STATIC))
    BF_GO(check_motions(m, part, nparts, p, M, &found, diags));
  if (!solid && m->problem->analysis == BF_STATIC) BF_GO(check_levels(m, part, nparts, p, diags));
  if (bodies->njoints > 0 && found == 0) report_joints(m, bodies, diags);
done:
  bf_mechanisms_destroy(&M);
  bf_bodies_destroy(&bodies);
  bf_host_free(part);
  bf_host_free(p);
  return err;
}
