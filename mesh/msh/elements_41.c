/* mesh/msh/elements_41.c - $Elements of .msh 4.1, ascii and binary: blocks of elements of one entity
 *
 * Blocks of a ghost entity repeat elements that belong to another partition: they are left out.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "mesh/msh/internal.h"
#include <omp.h>
#include <string.h>

static void note_tag(bf_msh *m, int64_t tag)
{
  if (tag < m->elem_min) m->elem_min = tag;
  if (tag > m->elem_max) m->elem_max = tag;
}

/* Numbers of a binary element at `at` to its tag and nodes; returns the place of the first unknown node, or
 * nen. */
static int binary_element(const bf_msh *m, const char *at, int nen, int64_t *tag, bf_int *node)
{
  memcpy(tag, at, sizeof *tag);
  for (int a = 0; a < nen; a++) {
    int64_t number;
    memcpy(&number, at + 8 * (1 + (size_t)a), sizeof number);
    node[a] = bf_msh_node(m, number);
    if (node[a] < 0) return a;
  }
  return nen;
}

/* The elements of a binary block, some at a time by all threads; their pages are released in between. */
static bf_err binary_block_41(bf_msh *m, bf_elem_type type, int64_t here)
{
  enum { PART = 1 << 16, PARALLEL_FROM = 4096, MOST = 4 }; /* more threads wait for pages of the file */
  const int     nen = bf_elem(type)->nnodes, all = omp_get_max_threads(), threads = all < MOST ? all : MOST;
  const int64_t size = 8 * (1 + (int64_t)nen);
  bf_msh_type  *t    = &m->type[type];
  (void)threads; /* read by the pragma only */
  for (int64_t i = 0; i < here; i += PART) {
    const int64_t n   = here - i < PART ? here - i : PART;
    int64_t       low = m->elem_min, high = m->elem_max, bad = n;
    const char   *at = m->p;
#pragma omp parallel for schedule(static) reduction(min                                                      \
                                                    : low, bad) reduction(max                                \
                                                                          : high) if (n > PARALLEL_FROM)     \
    num_threads(threads)
    for (int64_t e = 0; e < n; e++) {
      int64_t  *tag = &t->tag[t->n + e];
      const int got = binary_element(m, at + e * size, nen, tag, t->node + (t->n + e) * nen);
      if (got < nen && e < bad) bad = e;
      low  = *tag < low ? *tag : low;
      high = *tag > high ? *tag : high;
    }
    if (bad < n) { /* the first of the file */
      int64_t tag, number;
      bf_int  node[BF_NEN_MAX];
      m->p          = at + bad * size;
      const int got = binary_element(m, m->p, nen, &tag, node);
      memcpy(&number, m->p + 8 * (1 + (size_t)got), sizeof number);
      return bf_msh_unknown_node(m, tag, number);
    }
    m->elem_min = low;
    m->elem_max = high;
    t->n += n;
    m->p += n * size;
    bf_msh_passed(m);
  }
  return BF_OK;
}

/* Elements of an entity block after its header: a line, or size_t, each: tag nodes... */
static bf_err block_41(bf_msh *m, bf_elem_type type, int64_t done, int64_t here, int64_t n)
{
  const int    nen = bf_elem(type)->nnodes;
  bf_msh_type *t   = &m->type[type];
  if (m->binary) return binary_block_41(m, type, here);
  for (int64_t i = 0; i < here; i++, t->n++) {
    int64_t tag  = 0;
    bf_int *node = t->node + t->n * nen;
    BF_TRY(bf_msh_row(m, "element", done + i + 1, n));
    if (!bf_msh_int(m, &tag)) return bf_msh_expected(m, 215, "an element tag");
    BF_TRY(bf_msh_read_element_nodes(m, type, tag, node));
    t->tag[t->n] = tag;
    note_tag(m, tag);
    bf_msh_passed(m);
  }
  return BF_OK;
}

/* Passes over the elements of a block; the tags of ghosts count for the range of the header. */
static bf_err skip_block(bf_msh *m, int nen, int64_t done, int64_t here, int64_t n, int ghosts)
{
  int64_t tag = 0;
  for (int64_t i = 0; i < here; i++) {
    bf_msh_passed(m);
    if (m->binary) {
      memcpy(&tag, m->p, sizeof tag);
      m->p += 8 * (1 + nen);
      if (ghosts) note_tag(m, tag);
      continue;
    }
    BF_TRY(bf_msh_row(m, "element", done + i + 1, n));
    if (ghosts && !bf_msh_int(m, &tag)) return bf_msh_expected(m, 215, "an element tag");
    if (ghosts) note_tag(m, tag);
    const char *stop = memchr(m->p, '\n', (size_t)(m->end - m->p));
    m->p             = stop ? stop : m->end;
  }
  return BF_OK;
}

bf_err bf_msh_elements_41(bf_msh *m, int64_t blocks, int64_t n, int filling)
{
  int64_t k = 0;
  for (int64_t b = 0; b < blocks; b++) {
    int     dim, entity, gmsh;
    int64_t here, number = 0;
    BF_TRY(bf_msh_get_int(m, "dimension of a block of elements", &dim));
    BF_TRY(bf_msh_get_int(m, "entity of a block of elements", &entity));
    BF_TRY(bf_msh_get_int(m, "element type", &gmsh));
    BF_TRY(bf_msh_get_size(m, "number of elements of a block", &here));
    if (here > n - k)
      return bf_msh_fail(m, 213, "expected %lld elements, the blocks list more", (long long)n);
    const int type = bf_elem_by_gmsh(gmsh);
    if (type < 0 && here > 0) {
      if (m->binary && m->end - m->p >= 8)
        memcpy(&number, m->p, sizeof number);
      else
        BF_TRY(bf_msh_row(m, "element", k + 1, n));
      if (!m->binary && !bf_msh_int(m, &number)) return bf_msh_expected(m, 215, "an element tag");
      return bf_msh_unsupported(m, number, gmsh);
    }
    if (here == 0) continue;
    const bf_elem_info *info = bf_elem((bf_elem_type)type);
    if (info->dim != dim)
      return bf_msh_fail(m, 215, "block of %s for an entity of dimension %d", info->name, dim);
    const int64_t bytes = here * 8 * (1 + (int64_t)info->nnodes);
    if (m->binary) BF_TRY(bf_msh_need_bytes(m, "element", k + 1, n, bytes));
    const bf_msh_entity *e      = bf_msh_find_entity(m, dim, entity);
    const int            ghosts = !e && bf_msh_is_ghost(m, entity);
    if (filling && !ghosts) {
      BF_TRY(bf_msh_add_run(m, (bf_elem_type)type, m->type[type].n, here, e ? (int)(e - m->entity) : -1,
                            entity));
      BF_TRY(block_41(m, (bf_elem_type)type, k, here, n));
    } else {
      m->type[type].count += filling || ghosts ? 0 : here;
      m->left_out += filling ? here : 0;
      if (m->binary && !ghosts)
        m->p += bytes;
      else
        BF_TRY(skip_block(m, info->nnodes, k, here, n, ghosts && filling));
    }
    k += here;
  }
  if (k < n)
    return bf_msh_fail(m, 213, "expected %lld elements, the blocks list %lld", (long long)n, (long long)k);
  return BF_OK;
}
