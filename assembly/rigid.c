/* assembly/rigid.c - see rigid.h; the motions are those of motion.h, the parts those of parts.h */
#include "assembly/rigid.h"
#include "assembly/films.h"
#include "assembly/inflow.h"
#include "assembly/motion.h"
#include "assembly/parts.h"
#include "base/memory.h"
#include <math.h>
#include <string.h>

enum { TEXT = 640 };

/* What is known of one part. */
typedef struct bf_part {
  double     lo[3], hi[3];
  bf_int     nelem, first; /* elements, and the lowest of them */
  int        level;        /* scalars: something fixes the temperature or concentration */
  bf_motions motion;
} bf_part;

static void survey(const bf_model *m, const bf_int *part, bf_int nparts, bf_part *p)
{
  for (bf_int k = 0; k < nparts; k++) {
    p[k].first = -1;
    for (int i = 0; i < 3; i++) p[k].lo[i] = INFINITY, p[k].hi[i] = -INFINITY;
  }
  for (bf_int i = 0; i < m->mesh->nnodes; i++)
    for (int c = 0; part[i] >= 0 && c < 3; c++) {
      const double x   = m->mesh->x[3 * (size_t)i + (size_t)c];
      p[part[i]].lo[c] = fmin(p[part[i]].lo[c], x);
      p[part[i]].hi[c] = fmax(p[part[i]].hi[c], x);
    }
  for (int b = 0; b < m->nblocks; b++) {
    const bf_block *k   = m->block[b].block;
    const size_t    nen = (size_t)bf_elem(k->type)->nnodes;
    for (bf_int e = 0; e < k->n; e++) {
      bf_part *q = &p[part[k->node[(size_t)e * nen]]];
      if (q->nelem++ == 0) q->first = k->first + e;
    }
  }
}

/* "the model", or "part 2 of 3 (120 elements of group 'left')". */
static void part_name(const bf_model *m, const bf_part *p, bf_int k, bf_int nparts, char *text, size_t size)
{
  const bf_group *found = NULL;
  if (nparts == 1) {
    snprintf(text, size, "the model");
    return;
  }
  for (int g = 0; g < m->mesh->ngroups && !found; g++) {
    const bf_group *group = &m->mesh->group[g];
    bf_int          lo = 0, hi = group->nelem; /* first element >= p->first */
    while (lo < hi && group->dim == m->sdim) {
      const bf_int mid = lo + (hi - lo) / 2;
      if (group->elem[mid] < p->first)
        lo = mid + 1;
      else
        hi = mid;
    }
    if (group->dim == m->sdim && lo < group->nelem && group->elem[lo] == p->first) found = group;
  }
  const bf_block *b   = bf_mesh_block_of(m->mesh, p->first);
  const char     *s   = p->nelem == 1 ? "" : "s";
  const int64_t   tag = b ? b->tag[p->first - b->first] : 0;
  if (found)
    snprintf(text, size, "part %d of %d (%d element%s, in group '%s')", (int)k + 1, (int)nparts,
             (int)p->nelem, s, found->name);
  else
    snprintf(text, size, "part %d of %d (%d element%s, the first is element %lld)", (int)k + 1, (int)nparts,
             (int)p->nelem, s, (long long)tag);
}

static void append(char *text, size_t size, const char *more)
{
  const size_t n = strlen(text);
  snprintf(text + n, size - n, "%s", more);
}

/* Which condition would stop the motions. */
static void hint(const bf_motions *M, int n, double mode[6][6], char *text, size_t size)
{
  static const char *const name[3]  = {"x: 0", "y: 0", "z: 0"};
  int                      along[3] = {0, 0, 0}, oblique = 0, rotations = 0, count = 0;
  text[0] = '\0';
  if (n == (M->sdim == 3 ? 6 : 3)) {
    append(text, size, "nothing holds it; add a boundary of type fixed, symmetry, displacement or spring");
    return;
  }
  for (int k = 0; k < n; k++) {
    const double *r = mode[k], *t = mode[k] + 3;
    const int     still = (t[0] == 0.0) + (t[1] == 0.0) + (t[2] == 0.0);
    if (r[0] != 0.0 || r[1] != 0.0 || r[2] != 0.0)
      rotations++;
    else if (still == 2)
      along[t[0] != 0.0 ? 0 : t[1] != 0.0 ? 1 : 2] = 1;
    else
      oblique = 1;
  }
  for (int i = 0; i < 3; i++)
    if (along[i]) {
      append(text, size, count++ ? ", " : "add a boundary {type: displacement, ");
      append(text, size, name[i]);
    }
  if (count) append(text, size, "} on a group of it");
  if (oblique)
    append(text, size,
           count++ ? "; hold a component of the oblique translation too"
                   : "add a displacement condition with a component along the translation");
  if (rotations)
    append(text, size,
           count ? "; hold a group away from the axis to stop the rotation"
                 : "hold a group away from the axis: {type: displacement} across it stops the rotation");
}

static bf_where place(const bf_model *m)
{
  const bf_problem *p = m->problem;
  return p->nboundaries ? p->boundary[0].where : p->nmaterials ? p->material[0].where : p->space_where;
}

static void report_motions(const bf_model *m, const char *what, const bf_motions *M, bf_diags *diags)
{
  double    mode[6][6];
  char      list[TEXT] = "", stop[TEXT], one[256];
  const int n          = bf_motions_free(M, mode);
  if (n == 0) return;
  for (int k = 0; k < n; k++) {
    bf_motion_name(M, mode[k], one, sizeof one);
    if (k) append(list, sizeof list, k == n - 1 ? " and " : ", ");
    append(list, sizeof list, one);
  }
  hint(M, n, mode, stop, sizeof stop);
  bf_diag_add(diags, BF_ERROR, 301, place(m), "%s is not held: %d rigid-body mode%s left: %s; %s", what, n,
              n == 1 ? "" : "s", list, stop);
}

/* Springs hold the integration points where they are stiff: that is all that K knows of them. */
static bf_err hold_springs(const bf_model *m, const bf_int *part, bf_part *p)
{
  bf_err  err = BF_OK;
  double *x = NULL, *f = NULL;
  for (int s = 0; s < m->nsets; s++) {
    const bf_face_set *set = &m->set[s];
    const bf_boundary *bc  = &m->problem->boundary[set->boundary];
    const size_t       nen = (size_t)bf_elem(set->type)->nnodes, nq = (size_t)set->rule.n;
    for (int c = 0; bc->type == BF_BC_SPRING && c < m->ncomp; c++) {
      if (bf_quantity_is_zero(bf_film_value(bc, c))) continue;
      BF_GO(bf_film_points(m, set, bf_film_value(bc, c), &x, &f));
      for (size_t i = 0; i < (size_t)set->n * nq; i++)
        if (f[i] > 0.0) bf_motions_hold(&p[part[set->node[i / nq * nen]]].motion, x + 3 * i, c);
      bf_host_free(x);
      bf_host_free(f);
      x = f = NULL;
    }
  }
done:
  bf_host_free(x);
  bf_host_free(f);
  return err;
}

static bf_err check_motions(const bf_model *m, const bf_int *part, bf_int nparts, bf_part *p, bf_diags *diags)
{
  char what[256];
  for (bf_int k = 0; k < nparts; k++) {
    double centre[3], length = 0.0;
    for (int i = 0; i < 3; i++) {
      centre[i] = 0.5 * (p[k].lo[i] + p[k].hi[i]);
      length    = hypot(length, 0.5 * (p[k].hi[i] - p[k].lo[i]));
    }
    bf_motions_begin(&p[k].motion, m->sdim, bf_model_revolved(m), centre, length > 0.0 ? length : 1.0);
  }
  for (bf_int i = 0; i < m->mesh->nnodes; i++)
    for (int c = 0; part[i] >= 0 && c < m->ncomp; c++)
      if (m->fixed[(size_t)i * (size_t)m->ncomp + (size_t)c])
        bf_motions_hold(&p[part[i]].motion, m->mesh->x + 3 * (size_t)i, c);
  BF_TRY(hold_springs(m, part, p));
  for (bf_int k = 0; k < nparts; k++) {
    part_name(m, &p[k], k, nparts, what, sizeof what);
    report_motions(m, what, &p[k].motion, diags);
  }
  return BF_OK;
}

/* A reaction uses up any level: it fixes one. */
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

static bf_err check_levels(const bf_model *m, const bf_int *part, bf_int nparts, bf_part *p, bf_diags *diags)
{
  char                    what[256];
  const bf_physics_words *w = &m->physics->words;
  for (bf_int i = 0; i < m->mesh->nnodes; i++)
    if (part[i] >= 0 && m->fixed[i]) p[part[i]].level = 1;
  decay_levels(m, part, p);
  for (int s = 0; s < m->nsets; s++) {
    const bf_face_set *set = &m->set[s];
    const bf_boundary *bc  = &m->problem->boundary[set->boundary];
    const size_t       nen = (size_t)bf_elem(set->type)->nnodes;
    if (bc->type != BF_BC_CONVECTION || bf_quantity_is_zero(&bc->h)) continue;
    for (bf_int f = 0; f < set->n; f++) p[part[set->node[(size_t)f * nen]]].level = 1;
  }
  for (bf_int k = 0; k < nparts; k++) {
    double in = 0.0, size = 0.0;
    if (p[k].level) continue;
    part_name(m, &p[k], k, nparts, what, sizeof what);
    BF_TRY(bf_inflow(m, part, k, &in, &size));
    if (fabs(in) <= 1e-10 * size)
      bf_diag_add(diags, BF_ERROR, 301, place(m),
                  "no %s level is fixed in %s: %s flows in and out in balance, any constant can be "
                  "added; add a boundary of type %s",
                  w->field, what, w->substance, w->level);
    else
      bf_diag_add(diags, BF_ERROR, 301, place(m),
                  "no %s level is fixed in %s, and its flux sum %.6g %s is not zero; add a boundary of "
                  "type %s where the %s can leave",
                  w->field, what, in, bf_unit_in(m->problem->units, w->force_unit), w->level, w->substance);
  }
  return BF_OK;
}

/* W333: bodies side by side that should be one are often meshed with their own nodes on the common side. */
static void report_parts(const bf_model *m, bf_int nparts, bf_diags *diags)
{
  if (nparts > 1)
    bf_diag_add(diags, BF_WARNING, 333, (bf_where){.file = m->mesh->file},
                "the mesh is in %d parts that share no nodes: nothing passes from one to another; if they "
                "should be one body, merge the nodes of their common sides (Gmsh: Coherence Mesh)",
                (int)nparts);
}

bf_err bf_rigid_check(const bf_model *m, bf_diags *diags)
{
  bf_err   err    = BF_OK;
  bf_int  *part   = NULL;
  bf_part *p      = NULL;
  bf_int   nparts = 0;
  BF_CHECK(m && diags && m->fixed, BF_E_ARG, "null argument");
  BF_GO(BF_NEW_ARRAY(part, m->mesh->nnodes));
  BF_GO(bf_parts_find(m->mesh, m->sdim, part, &nparts));
  BF_GO(BF_NEW_ARRAY(p, nparts));
  survey(m, part, nparts, p);
  report_parts(m, nparts, diags);
  if (m->problem->analysis == BF_STATIC)
    BF_GO((m->ncomp == 1 ? check_levels : check_motions)(m, part, nparts, p, diags));
done:
  bf_host_free(part);
  bf_host_free(p);
  return err;
}
