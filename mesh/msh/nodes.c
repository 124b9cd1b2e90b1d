/* mesh/msh/nodes.c - $Nodes of .msh 2.2 and 4.1, ascii and binary; node tags -> node numbers
 *
 * A second pass over the section finds the lines of two nodes with one tag.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "mesh/msh/internal.h"
#include <limits.h>
#include <math.h>
#include <string.h>

/* Node k has tag m->node_tag[k]; its coordinates are at m->p (after them `extra` parameters that are not
 * stored).
 */
static bf_err read_point(bf_msh *m, int64_t k, int extra)
{
  double *x = m->x + 3 * k;
  if (m->binary) {
    memcpy(x, m->p, 3 * sizeof *x);
  } else {
    double more;
    int    good = bf_msh_real(m, x) && bf_msh_real(m, x + 1) && bf_msh_real(m, x + 2);
    for (int i = 0; good && i < extra; i++) good = bf_msh_real(m, &more);
    if (!good) return bf_msh_expected(m, 213, "a coordinate");
    if (!bf_msh_line_end(m)) return bf_msh_expected(m, 213, "the end of the line after the coordinates");
  }
  for (int d = 0; d < 3; d++)
    if (!isfinite(x[d])) {
      if (!m->binary) m->p--; /* back to the node's line */
      return bf_msh_fail(m, 214, "node %lld: %c is not finite", (long long)m->node_tag[k], "xyz"[d]);
    }
  if (m->binary) m->p += (3 + extra) * (int)sizeof *x;
  bf_msh_passed(m);
  return BF_OK;
}

static bf_err set_tag(bf_msh *m, int64_t k, int64_t tag, const char *at)
{
  bf_msh_passed(m);
  for (int w = 0; w < 2; w++)
    if (m->watch[w] == k) m->seen[w] = at;
  m->node_tag[k] = tag;
  if (tag >= 0) return BF_OK;
  m->p = at;
  return bf_msh_fail(m, 214, "node %lld of the file has the negative tag %lld", (long long)(k + 1),
                     (long long)tag);
}

/* 2.2: a line, or int and 3 doubles, a node. */
static bf_err fill_22(bf_msh *m)
{
  const int64_t n = m->nnodes;
  for (int64_t k = 0; k < n; k++) {
    const char *at  = m->p;
    int64_t     tag = 0;
    if (m->binary) {
      int32_t number;
      BF_TRY(bf_msh_need_bytes(m, "node", k + 1, n, 28));
      memcpy(&number, m->p, sizeof number);
      m->p += sizeof number;
      tag = number;
    } else {
      BF_TRY(bf_msh_row(m, "node", k + 1, n));
      at = m->p;
      if (!bf_msh_int(m, &tag)) return bf_msh_expected(m, 213, "a node tag");
    }
    BF_TRY(set_tag(m, k, tag, at));
    BF_TRY(read_point(m, k, 0));
  }
  return BF_OK;
}

/* 4.1: entity blocks: all tags of a block, then its points with `dimension` parameters if it is parametric.
 */
static bf_err fill_41(bf_msh *m)
{
  const int64_t n = m->nnodes;
  int64_t       k = 0;
  for (int64_t b = 0; b < m->node_blocks; b++) {
    int     dim, entity, parametric;
    int64_t here;
    BF_TRY(bf_msh_get_int(m, "dimension of a block of nodes", &dim));
    BF_TRY(bf_msh_get_int(m, "entity of a block of nodes", &entity));
    BF_TRY(bf_msh_get_int(m, "parametric flag of a block of nodes", &parametric));
    BF_TRY(bf_msh_get_size(m, "number of nodes of a block", &here));
    if (dim < 0 || dim > 3 || parametric < 0 || parametric > 1)
      return bf_msh_fail(m, 213, "block of nodes with dimension %d and parametric flag %d", dim, parametric);
    if (here > n - k)
      return bf_msh_fail(m, 213, "expected %lld nodes, the blocks list more (%lld)", (long long)n,
                         (long long)(k > INT64_MAX - here ? INT64_MAX : k + here));
    if (m->binary) BF_TRY(bf_msh_need_bytes(m, "node", k + 1, n, here * (32 + 8 * parametric * dim)));
    for (int64_t i = 0; i < here; i++) {
      const char *at = m->p;
      int64_t     tag;
      if (m->binary) {
        memcpy(&tag, m->p, sizeof tag);
        m->p += sizeof tag;
      } else {
        BF_TRY(bf_msh_row(m, "node", k + i + 1, n));
        at = m->p;
        if (!bf_msh_int(m, &tag)) return bf_msh_expected(m, 213, "a node tag");
        if (!bf_msh_line_end(m)) return bf_msh_expected(m, 213, "the end of the line after a node tag");
      }
      BF_TRY(set_tag(m, k + i, tag, at));
    }
    for (int64_t i = 0; i < here; i++, k++) {
      if (!m->binary) BF_TRY(bf_msh_row(m, "node", k + 1, n));
      BF_TRY(read_point(m, k, parametric * dim));
    }
  }
  if (k < n)
    return bf_msh_fail(m, 213, "expected %lld nodes, the blocks list %lld", (long long)n, (long long)k);
  return BF_OK;
}

static bf_err fill(bf_msh *m)
{
  m->p = m->nodes_at;
  if (m->version == 22) BF_TRY(fill_22(m));
  if (m->version == 41) BF_TRY(fill_41(m));
  return BF_OK;
}

static bf_err twice(bf_msh *m, int64_t first, int64_t second)
{
  const int64_t tag = m->node_tag[first];
  char          a[40], b[40];
  m->watch[0] = first;
  m->watch[1] = second;
  BF_TRY(fill(m));
  m->p = m->seen[1];
  return bf_msh_fail(m, 214, "node tag %lld is defined twice (%s and %s)", (long long)tag,
                     bf_msh_place(m, m->seen[0], a), bf_msh_place(m, m->seen[1], b));
}

static uint64_t hash(const bf_msh *m, int64_t tag)
{
  uint64_t h = (uint64_t)tag * 0x9e3779b97f4a7c15ULL;
  return (h ^ (h >> 32)) & (m->slots - 1);
}

/* Tags in order need no table; dense ones an array; sparse ones a hash table, linear probing, at most half
 * full.
 */
static bf_err map_tags(bf_msh *m)
{
  const int64_t n = m->nnodes;
  m->tag_min = m->tag_max = m->node_tag[0];
  m->in_order             = 1;
  for (int64_t k = 0; k < n; k++) {
    const int64_t tag = m->node_tag[k];
    if (tag != m->node_tag[0] + k) m->in_order = 0;
    if (tag < m->tag_min) m->tag_min = tag;
    if (tag > m->tag_max) m->tag_max = tag;
  }
  if (m->in_order) return BF_OK;
  const int sparse = (m->tag_max - m->tag_min) / 4 > n + 256;
  if (sparse)
    for (m->slots = 16; m->slots < 2 * (uint64_t)n;) m->slots *= 2;
  BF_TRY(BF_NEW_ARRAY(m->slot, sparse ? m->slots : (uint64_t)(m->tag_max - m->tag_min + 1)));
  for (int64_t k = 0; k < n; k++) {
    uint64_t at = sparse ? hash(m, m->node_tag[k]) : (uint64_t)(m->node_tag[k] - m->tag_min);
    while (m->slot[at]) {
      if (m->node_tag[m->slot[at] - 1] == m->node_tag[k]) return twice(m, m->slot[at] - 1, k);
      at = (at + 1) & (m->slots - 1);
    }
    m->slot[at] = (bf_int)(k + 1);
  }
  return BF_OK;
}

bf_int bf_msh_node(const bf_msh *m, int64_t tag)
{
  if (tag < m->tag_min || tag > m->tag_max) return -1;
  if (m->in_order) return (bf_int)(tag - m->tag_min);
  if (!m->slots) return m->slot[tag - m->tag_min] - 1;
  for (uint64_t at = hash(m, tag); m->slot[at]; at = (at + 1) & (m->slots - 1))
    if (m->node_tag[m->slot[at] - 1] == tag) return m->slot[at] - 1;
  return -1;
}

bf_err bf_msh_read_nodes(bf_msh *m)
{
  int64_t     n      = 0, given[2];
  const int   binary = m->binary;
  const char *at     = m->p;
  if (m->x) return bf_msh_fail(m, 213, "a second $Nodes section");
  if (m->version == 41) {
    BF_TRY(bf_msh_get_size(m, "number of blocks of nodes", &m->node_blocks));
    BF_TRY(bf_msh_get_size(m, "number of nodes", &n));
    BF_TRY(bf_msh_get_size(m, "lowest node tag", &given[0]));
    BF_TRY(bf_msh_get_size(m, "highest node tag", &given[1]));
    BF_TRY(bf_msh_plausible(m, "blocks of nodes", m->node_blocks, 8, 20));
  } else {
    m->binary  = 0; /* the count is text in both */
    bf_err err = bf_msh_get_size(m, "number of nodes", &n);
    m->binary  = binary;
    BF_TRY(err);
    if (!bf_msh_line_end(m)) return bf_msh_expected(m, 213, "the end of the line after the number of nodes");
  }
  BF_TRY(bf_msh_plausible(m, "nodes", n, 8, m->version == 41 ? 32 : 28));
  if (n == 0)
    return bf_msh_fail(
        m, 213, "the mesh has no nodes; is the geometry empty, or was it not meshed (gmsh -2, gmsh -3)?");
  m->nnodes = (bf_int)n;
  BF_TRY(BF_NEW_ARRAY(m->x, 3 * (size_t)n));
  BF_TRY(BF_NEW_ARRAY(m->node_tag, n));
  m->nodes_at = m->p;
  m->watch[0] = m->watch[1] = -1;
  BF_TRY(fill(m));
  BF_TRY(bf_msh_section_end(m, "Nodes", "nodes", n));
  const char *after = m->p;
  BF_TRY(map_tags(m));
  m->p = after;
  if (m->version == 41) bf_msh_check_range(m, at, "node", given, m->tag_min, m->tag_max);
  return BF_OK;
}
