/* mesh/check_jacobian.c - degenerate and inverted elements: E208; meshes of the wrong kind: E207
 *
 * det J is evaluated at the nodes and quadrature points. Zero means below ZERO times (longest edge)^dim.
 *   all points negative                           inverted
 *   of both signs                                 inverted (linear), changes sign inside (quadratic)
 *   a zero, or a repeated node       degenerate
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "mesh/build.h"
#include "mesh/jacobian.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef enum kind { GOOD, REPEATED, DEGENERATE, ZERO_INSIDE, INVERTED, CROSSED, SIGN_CHANGE, KINDS } kind;

static const char *const says[KINDS][2] = {
    [REPEATED]    = {"is degenerate: it lists a node twice", "are degenerate: they list a node twice"},
    [DEGENERATE]  = {"is degenerate: its Jacobian is 0 everywhere (no area or volume)",
                     "are degenerate: their Jacobian is 0 everywhere (no area or volume)"},
    [ZERO_INSIDE] = {"is degenerate: its Jacobian is 0 at a node or integration point",
                     "are degenerate: their Jacobian is 0 at a node or integration point"},
    [INVERTED]    = {"is inverted: its Jacobian is negative (nodes in the wrong sense)",
                     "are inverted: their Jacobian is negative (nodes in the wrong sense)"},
    [CROSSED]     = {"is inverted: its Jacobian changes sign inside (crossed or concave)",
                     "are inverted: their Jacobian changes sign inside (crossed or concave)"},
    [SIGN_CHANGE] = {
        "is inverted in a part: the Jacobian changes sign inside (a mid-side node too far off)",
        "are inverted in a part: the Jacobian changes sign inside (mid-side nodes too far off)"}};

static kind kind_of(const bf_jacobian *rule, const double *x, const bf_int *node)
{
  static const double zero = 1e-13;
  const bf_elem_info *info = rule->info;
  for (int a = 1; a < info->nnodes; a++)
    for (int b = 0; b < a; b++)
      if (node[a] == node[b]) return REPEATED;
  double longest = 0.0, det[BF_JACOBIAN_POINTS];
  for (int k = 0; k < info->nedges; k++) {
    double s = 0.0;
    for (int d = 0; d < 3; d++) {
      const double dx = x[3 * (size_t)node[info->edge[k][0]] + (size_t)d] -
                        x[3 * (size_t)node[info->edge[k][1]] + (size_t)d];
      s += dx * dx;
    }
    longest = fmax(longest, s);
  }
  const double tiny  = zero * (info->dim == 3 ? longest * sqrt(longest) : longest);
  int          minus = 0, nil = 0, plus = 0;
  double       spread;
  if (bf_jacobian_affine(rule, x, node, &spread) > spread + tiny) return GOOD;
  bf_jacobian_dets(rule, x, node, det);
  for (int p = 0; p < rule->npoints; p++) {
    minus += det[p] < -tiny;
    plus += det[p] > tiny;
    nil += !(det[p] < -tiny) && !(det[p] > tiny);
  }
  if (minus && plus) return info->order == 2 ? SIGN_CHANGE : CROSSED;
  if (minus) return INVERTED;
  return nil == rule->npoints ? DEGENERATE : nil ? ZERO_INSIDE : GOOD;
}

int bf_jacobian_inverted(const bf_jacobian *rule, const double *x, const bf_int *node)
{
  return kind_of(rule, x, node) == INVERTED;
}

/* One diagnostic for all elements of a kind: count and the first five tags. */
static void report(const bf_mesh *m, const bf_block *block, const uint8_t *is, kind k, bf_int count,
                   bf_diags *diags)
{
  char tags[160] = "";
  int  listed    = 0;
  for (bf_int e = 0; e < block->n && listed < 5; e++) {
    if (is[e] != k) continue;
    const size_t at = strlen(tags);
    snprintf(tags + at, sizeof tags - at, "%s%lld", listed ? ", " : "", (long long)block->tag[e]);
    listed++;
  }
  const bf_where where = {m->file, 0, 0};
  const char    *name  = bf_elem(block->type)->name;
  const char    *cure  = k == INVERTED && m->dim == 2
                             ? "; reverse the surface in Gmsh (ReverseMesh Surface, or its curve loop)"
                             : "";
  if (count == 1)
    bf_diag_add(diags, BF_ERROR, 208, where, "element %s (%s) %s%s", tags, name, says[k][0], cure);
  else
    bf_diag_add(diags, BF_ERROR, 208, where, "%d %s elements %s: %s%s%s", (int)count, name, says[k][1], tags,
                count > listed ? ", ..." : "", cure);
}

static bf_err check_block(const bf_mesh *m, const bf_block *block, bf_diags *diags)
{
  bf_err       err          = BF_OK;
  uint8_t     *is           = NULL;
  bf_jacobian *rule         = NULL;
  bf_int       count[KINDS] = {0};
  const int    nen          = bf_elem(block->type)->nnodes;
  BF_GO(BF_NEW(rule));
  BF_GO(BF_NEW_ARRAY(is, block->n));
  bf_jacobian_rule(block->type, rule);
#pragma omp parallel for schedule(static)
  for (bf_int e = 0; e < block->n; e++)
    is[e] = (uint8_t)kind_of(rule, m->x, block->node + (size_t)e * (size_t)nen);
  for (bf_int e = 0; e < block->n; e++) count[is[e]]++;
  for (int k = GOOD + 1; k < KINDS; k++)
    if (count[k]) report(m, block, is, (kind)k, count[k], diags);
done:
  bf_host_free(rule);
  bf_host_free(is);
  return err;
}

bf_err bf_mesh_check_jacobian(const bf_mesh *m, bf_diags *diags)
{
  BF_CHECK(m && diags, BF_E_ARG, "null argument");
  const int before = diags->errors;
  if (m->dim == 2) BF_TRY(bf_mesh_check_plane(m, diags));
  BF_CHECK(diags->errors == before, BF_E_MODEL, "%s: a surface in space", m->file);
  if (m->dim < 2)
    bf_diag_add(diags, BF_ERROR, 207, (bf_where){m->file, 0, 0},
                "the mesh has only lines, no surface or volume elements; mesh it with gmsh -2 or -3 and give "
                "the surface or volume a physical group");
  else
    for (int b = 0; b < m->nblocks; b++)
      if (bf_elem(m->block[b].type)->dim == m->dim) BF_TRY(check_block(m, &m->block[b], diags));
  BF_TRY(bf_mesh_check_orders(m, diags));
  BF_CHECK(diags->errors == before, BF_E_MODEL, "%s: %d errors in the geometry of the mesh", m->file,
           diags->errors - before);
  return BF_OK;
}
