/* mesh/mesh.c - creation, invariants and look-ups of the open structure bf_mesh: see mesh.h */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "mesh/mesh.h"
#include "base/memory.h"
#include "mesh/build.h"
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { PARALLEL_FROM = 10000 };

bf_err bf_mesh_create(const char *file, int dim, bf_int nnodes, int nblocks, int ngroups, bf_mesh **out)
{
  bf_err   err = BF_OK;
  bf_mesh *m   = NULL;
  *out         = NULL;
  BF_GO(BF_NEW(m));
  m->file = bf_host_strdup(file);
  BF_NEED(m->file, BF_E_MEMORY, "no memory for the name of the mesh");
  m->dim    = dim;
  m->nnodes = nnodes;
  BF_GO(BF_NEW_ARRAY(m->x, 3 * (size_t)nnodes));
  BF_GO(BF_NEW_ARRAY(m->node_tag, nnodes));
  BF_GO(BF_NEW_ARRAY(m->block, nblocks));
  m->nblocks = nblocks;
  BF_GO(BF_NEW_ARRAY(m->group, ngroups));
  m->ngroups = ngroups;
  *out       = m;
  m          = NULL;
done:
  bf_mesh_destroy(&m);
  return err;
}

bf_err bf_mesh_set_block(bf_mesh *m, int b, bf_elem_type type, bf_int n)
{
  bf_block *block = &m->block[b];
  block->type     = type;
  block->n        = n;
  block->first    = b > 0 ? m->block[b - 1].first + m->block[b - 1].n : 0;
  BF_CHECK(n <= INT_MAX - block->first, BF_E_MODEL, "more than %d elements", INT_MAX);
  m->nelem = block->first + n;
  BF_TRY(BF_NEW_ARRAY(block->node, (size_t)n * (size_t)bf_elem(type)->nnodes));
  BF_TRY(BF_NEW_ARRAY(block->tag, n));
  return BF_OK;
}

bf_err bf_mesh_set_group(bf_mesh *m, int g, const char *name, int dim, int tag, bf_int nelem)
{
  bf_group *group = &m->group[g];
  char      number[32];
  snprintf(number, sizeof number, "%d:%d", dim, tag);
  group->dim   = dim;
  group->tag   = tag;
  group->named = name != NULL;
  group->nelem = nelem;
  group->name  = bf_host_strdup(name ? name : number);
  BF_CHECK(group->name, BF_E_MEMORY, "no memory for the name of a group");
  BF_TRY(BF_NEW_ARRAY(group->elem, nelem));
  return BF_OK;
}

void bf_mesh_destroy(bf_mesh **mesh)
{
  if (!mesh || !*mesh) return;
  bf_mesh *m = *mesh;
  for (int b = 0; b < m->nblocks; b++) {
    bf_host_free(m->block[b].node);
    bf_host_free(m->block[b].tag);
  }
  for (int g = 0; g < m->ngroups; g++) {
    bf_host_free(m->group[g].name);
    bf_host_free(m->group[g].elem);
  }
  bf_host_free(m->block);
  bf_host_free(m->group);
  bf_host_free(m->x);
  bf_host_free(m->node_tag);
  bf_host_free(m->file);
  bf_host_free(m);
  *mesh = NULL;
}

static bf_err check_block(const bf_mesh *m, int b)
{
  const bf_block     *block = &m->block[b];
  const bf_elem_info *info  = bf_elem(block->type);
  BF_CHECK(info, BF_E_ARG, "block %d: element type %d", b, (int)block->type);
  BF_CHECK(b == 0 || m->block[b - 1].type < block->type, BF_E_ARG, "block %d (%s) is not ascending by type",
           b, info->name);
  const bf_int first = b ? m->block[b - 1].first + m->block[b - 1].n : 0;
  BF_CHECK(block->first == first, BF_E_ARG, "block %d starts at %d, not %d", b, block->first, first);
  BF_CHECK(block->n > 0 && block->n <= m->nelem - first, BF_E_ARG, "block %d has %d elements of %d", b,
           block->n, m->nelem);
  BF_CHECK(block->node && block->tag, BF_E_ARG, "block %d: null array", b);
  BF_CHECK(info->dim <= m->dim, BF_E_ARG, "block %d: %s in a mesh of dimension %d", b, info->name, m->dim);
  const int64_t nodes = (int64_t)block->n * info->nnodes;
  for (int64_t k = 0; k < nodes; k++)
    BF_CHECK(block->node[k] >= 0 && block->node[k] < m->nnodes, BF_E_ARG,
             "element %d: node %d is not in 0..%d", (int)(first + k / info->nnodes), block->node[k],
             m->nnodes - 1);
  return BF_OK;
}

static bf_err check_group(const bf_mesh *m, int g)
{
  const bf_group *group = &m->group[g];
  BF_CHECK(group->name && group->elem, BF_E_ARG, "group %d: null pointer", g);
  BF_CHECK(group->name[0], BF_E_ARG, "group %d has an empty name", g);
  BF_CHECK(group->nelem >= 0, BF_E_ARG, "group '%s': %d elements", group->name, group->nelem);
  for (bf_int k = 0; k < group->nelem; k++) {
    const bf_int e = group->elem[k];
    BF_CHECK(e >= 0 && e < m->nelem, BF_E_ARG, "group '%s': element %d is not in 0..%d", group->name, e,
             m->nelem - 1);
    BF_CHECK(k == 0 || group->elem[k - 1] < e, BF_E_ARG, "group '%s': element %d does not ascend",
             group->name, e);
    BF_CHECK(bf_elem(bf_mesh_block_of(m, e)->type)->dim == group->dim, BF_E_ARG,
             "group '%s' of dimension %d: element %d has another dimension", group->name, group->dim, e);
  }
  return BF_OK;
}

bf_err bf_mesh_check(const bf_mesh *m)
{
  BF_CHECK(m, BF_E_ARG, "null mesh");
  BF_CHECK(m->file && m->x && m->node_tag && m->block && m->group, BF_E_ARG, "null array in the mesh");
  BF_CHECK(m->dim >= 1 && m->dim <= 3, BF_E_ARG, "mesh of dimension %d", m->dim);
  BF_CHECK(m->nnodes > 0 && m->nelem > 0, BF_E_ARG, "%d nodes, %d elements", m->nnodes, m->nelem);
  for (int64_t k = 0; k < 3 * (int64_t)m->nnodes; k++)
    BF_CHECK(isfinite(m->x[k]), BF_E_ARG, "node %d: %c is not finite", (int)(k / 3), "xyz"[k % 3]);
  int    dim   = 0;
  bf_int nelem = 0;
  for (int b = 0; b < m->nblocks; b++) {
    BF_TRY(check_block(m, b));
    nelem += m->block[b].n;
    if (bf_elem(m->block[b].type)->dim > dim) dim = bf_elem(m->block[b].type)->dim;
  }
  BF_CHECK(nelem == m->nelem, BF_E_ARG, "blocks have %d elements, the mesh %d", nelem, m->nelem);
  BF_CHECK(dim == m->dim, BF_E_ARG, "elements of dimension %d in a mesh of dimension %d", dim, m->dim);
  for (int g = 0; g < m->ngroups; g++) BF_TRY(check_group(m, g));
  return BF_OK;
}

const bf_block *bf_mesh_block(const bf_mesh *m, bf_elem_type type)
{
  for (int b = 0; b < m->nblocks; b++)
    if (m->block[b].type == type) return &m->block[b];
  return NULL;
}

const bf_block *bf_mesh_block_of(const bf_mesh *m, bf_int elem)
{
  for (int b = 0; b < m->nblocks; b++)
    if (elem >= m->block[b].first && elem < m->block[b].first + m->block[b].n) return &m->block[b];
  return NULL;
}

const bf_int *bf_mesh_elem_nodes(const bf_mesh *m, bf_int elem, int *count)
{
  const bf_block *b = bf_mesh_block_of(m, elem);
  *count            = b ? bf_elem(b->type)->nnodes : 0;
  return b ? b->node + (size_t)(elem - b->first) * (size_t)*count : NULL;
}

const bf_group *bf_mesh_group(const bf_mesh *m, const char *name)
{
  for (int g = 0; g < m->ngroups; g++)
    if (strcmp(m->group[g].name, name) == 0) return &m->group[g];
  for (int g = 0; g < m->ngroups; g++) {
    char number[32];
    snprintf(number, sizeof number, "%d:%d", m->group[g].dim, m->group[g].tag);
    if (strcmp(number, name) == 0) return &m->group[g];
  }
  return NULL;
}

bf_err bf_mesh_group_nodes(const bf_mesh *m, const bf_group *g, bf_int **nodes, bf_int *count)
{
  bf_err   err  = BF_OK;
  uint8_t *mark = NULL;
  bf_int  *list = NULL, n = 0, found = 0;
  BF_CHECK(m && g && nodes && count, BF_E_ARG, "null argument");
  *nodes = NULL;
  *count = 0;
  BF_GO(BF_NEW_ARRAY(mark, m->nnodes));
  for (bf_int k = 0; k < g->nelem; k++) {
    int           nen;
    const bf_int *node = bf_mesh_elem_nodes(m, g->elem[k], &nen);
    for (int a = 0; a < nen; a++) {
      n += !mark[node[a]];
      mark[node[a]] = 1;
    }
  }
  BF_GO(BF_NEW_ARRAY(list, n));
  for (bf_int i = 0; i < m->nnodes; i++)
    if (mark[i]) list[found++] = i;
  *nodes = list;
  *count = n;
done:
  bf_host_free(mark);
  return err;
}

/* *of = 1, by any number of threads.  Read first: a written line leaves the other caches. */
static void set_mark(uint8_t *of)
{
  uint8_t is;
#pragma omp atomic read
  is = *of;
  if (is) return;
#pragma omp atomic write
  *of = 1;
}

void bf_mesh_used_nodes(const bf_mesh *m, int dim, uint8_t *used, bf_int *unused)
{
  memset(used, 0, (size_t)m->nnodes);
  for (int b = 0; b < m->nblocks; b++) {
    const bf_elem_info *info = bf_elem(m->block[b].type);
    if (info->dim != dim) continue;
    const bf_int *node  = m->block[b].node;
    const int64_t nodes = (int64_t)m->block[b].n * info->nnodes;
#pragma omp parallel for schedule(static) if (nodes > PARALLEL_FROM)
    for (int64_t k = 0; k < nodes; k++) set_mark(&used[node[k]]);
  }
  bf_int count = m->nnodes;
#pragma omp parallel for schedule(static) reduction(- : count) if (m->nnodes > PARALLEL_FROM)
  for (bf_int i = 0; i < m->nnodes; i++) count -= used[i];
  if (unused) *unused = count;
}

void bf_mesh_bounds(const bf_mesh *m, double lo[3], double hi[3])
{
  for (int d = 0; d < 3; d++) lo[d] = hi[d] = m->nnodes ? m->x[d] : 0.0;
  for (bf_int i = 1; i < m->nnodes; i++)
    for (int d = 0; d < 3; d++) {
      const double x = m->x[3 * (size_t)i + (size_t)d];
      if (x < lo[d]) lo[d] = x;
      if (x > hi[d]) hi[d] = x;
    }
}

void bf_mesh_scale(bf_mesh *m, double factor)
{
  for (int64_t k = 0; k < 3 * (int64_t)m->nnodes; k++) m->x[k] *= factor;
}
