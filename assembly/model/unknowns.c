/* assembly/model/unknowns.c - see unknowns.h */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "assembly/model/unknowns.h"
#include "assembly/model/frames.h"
#include "base/memory.h"

void bf_unknowns_clear(bf_unknowns *u)
{
  bf_host_free(u->node);
  bf_host_free(u->component);
  bf_host_free(u->group);
  *u = (bf_unknowns){0};
}

/* inner[i] = 1: node i is in the middle of an element and has no row. */
static void mark_inner(const bf_model *m, uint8_t *inner)
{
  for (int b = 0; b < m->nblocks && m->ninner > 0; b++) {
    const bf_block     *block = m->block[b].block;
    const bf_elem_info *info  = bf_elem(block->type);
    for (bf_int e = 0; e < block->n; e++)
      for (int a = info->nnodes - info->inner; a < info->nnodes; a++)
        inner[block->node[(size_t)e * (size_t)info->nnodes + (size_t)a]] = 1;
  }
}

/* 1: a node whose unknowns are not displacements along x, y, z; E107 for the first. */
static int skew(const bf_model *m, bf_int node, const bf_name *name, const char *what, bf_diags *diags)
{
  const double *x = m->mesh->x + 3 * (size_t)node;
  if (!bf_model_frame(m, node)) return 0;
  bf_diag_add(
      diags, BF_ERROR, 107, name->where,
      "%s: node %lld (%g, %g, %g) of group '%s' has a condition in directions other than x, y and z, so "
      "that its unknowns are not displacements along x, y and z; leave such nodes out of the group",
      what, (long long)m->mesh->node_tag[node], x[0], x[1], x[2], name->name);
  return 1;
}

/* A group adds the nodes that no group before it has. */
static bf_err add_group(const bf_model *m, int g, const bf_name *name, const char *what, const uint8_t *inner,
                        uint8_t *seen, bf_diags *diags, bf_unknowns *u)
{
  const size_t    D     = (size_t)m->ncomp;
  bf_int         *nodes = NULL, n = 0;
  bf_err          err   = BF_OK;
  const bf_group *group = bf_model_group(m, name, 0, 3, what, diags);
  if (!group) return BF_OK;
  BF_GO(bf_model_body_nodes(m, group, name, &nodes, &n, diags));
  for (bf_int i = 0; i < n; i++) {
    const bf_int node = nodes[i];
    if (seen[node]) continue;
    seen[node] = 1;
    if (skew(m, node, name, what, diags)) break;
    u->inner += inner[node];
    for (size_t c = 0; c < D && !inner[node]; c++) {
      if (m->fixed[(size_t)node * D + c]) {
        u->prescribed++;
        continue;
      }
      u->node[u->n]      = node;
      u->component[u->n] = (int)c;
      u->group[u->n++]   = g;
    }
  }
done:
  bf_host_free(nodes);
  return err;
}

static bf_err fits(const bf_model *m, const bf_name *first, const char *what, bf_diags *diags)
{
  if (m->basis->local && bf_model_symmetric(m)) return BF_OK;
  bf_diag_add(diags, BF_ERROR, 107, first->where,
              m->basis->local ? "%s needs a symmetric matrix"
                              : "%s does not go with generalised finite elements, which impose values weakly",
              what);
  return BF_FAIL(BF_E_INPUT, "%s does not fit the model", what);
}

bf_err bf_model_unknowns(const bf_model *m, int ngroups, const bf_name *group, const char *what,
                         bf_diags *diags, bf_unknowns *out)
{
  bf_err       err    = BF_OK;
  const int    before = diags->errors;
  const size_t most   = (size_t)m->mesh->nnodes * (size_t)m->ncomp;
  uint8_t     *inner = NULL, *seen = NULL;
  bf_unknowns  u = {0};
  *out           = (bf_unknowns){0};
  BF_GO(fits(m, group, what, diags));
  BF_GO(BF_NEW_ARRAY(inner, m->mesh->nnodes));
  BF_GO(BF_NEW_ARRAY(seen, m->mesh->nnodes));
  BF_GO(BF_NEW_ARRAY(u.node, most));
  BF_GO(BF_NEW_ARRAY(u.component, most));
  BF_GO(BF_NEW_ARRAY(u.group, most));
  mark_inner(m, inner);
  for (int g = 0; g < ngroups; g++) BF_GO(add_group(m, g, &group[g], what, inner, seen, diags, &u));
  BF_NEED(diags->errors == before, BF_E_INPUT, "%s names what the mesh does not have", what);
  *out = u;
  u    = (bf_unknowns){0};
done:
  bf_unknowns_clear(&u);
  bf_host_free(inner);
  bf_host_free(seen);
  return err;
}
