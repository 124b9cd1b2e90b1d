/* mesh/msh/elements.c - $Elements of .msh files: parts common to all versions
 *
 * Two passes: the first counts the elements of each type (it reads no node), the second fills arrays of exact
 * size.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "mesh/msh/internal.h"
#include <stdio.h>
#include <string.h>

/* ---- runs ---- */
bf_err bf_msh_add_run(bf_msh *m, bf_elem_type type, int64_t first, int64_t n, int key, int elementary)
{
  for (int64_t r = m->nruns - 1; m->version == 22 && r >= 0 && r >= m->nruns - 4; r--) {
    bf_msh_run *run = &m->run[r];
    if (run->type != type || run->key != key || run->elementary != elementary) continue;
    if (run->first + run->n > first) return BF_OK; /* listed twice for one group */
    if (run->first + run->n < first) break;
    run->n += n;
    return BF_OK;
  }
  if (m->nruns == m->run_room) {
    const int64_t room = m->run_room ? 2 * m->run_room : 64;
    bf_msh_run   *q    = bf_host_realloc(m->run, (size_t)room, sizeof *q);
    BF_CHECK(q, BF_E_MEMORY, "no memory for %lld runs of elements", (long long)room);
    m->run      = q;
    m->run_room = room;
  }
  m->run[m->nruns++] = (bf_msh_run){first, n, type, key, elementary};
  return BF_OK;
}

/* ---- one element ---- */
bf_err bf_msh_unknown_node(bf_msh *m, int64_t element, int64_t node)
{
  return bf_msh_fail(m, 215, "element %lld uses node %lld that does not exist", (long long)element,
                     (long long)node);
}

/* A line with too few or too many numbers: counts them for the message. */
static bf_err wrong_count(bf_msh *m, bf_elem_type type, int64_t element, int got)
{
  int64_t node;
  while (bf_msh_int(m, &node)) got++;
  const bf_elem_info *info = bf_elem(type);
  if (m->p < m->end && *m->p != '\n') return bf_msh_expected(m, 215, "a node tag");
  if (m->p >= m->end && got < info->nnodes)
    return bf_msh_fail(m, 201, "unexpected end of file in element %lld", (long long)element);
  return bf_msh_fail(m, 215, "element %lld (%s) needs %d nodes, got %d", (long long)element, info->name,
                     info->nnodes, got);
}

bf_err bf_msh_read_element_nodes(bf_msh *m, bf_elem_type type, int64_t element, bf_int *node)
{
  const int nen = bf_elem(type)->nnodes;
  for (int a = 0; a < nen; a++) {
    int64_t tag;
    if (!bf_msh_int(m, &tag)) return wrong_count(m, type, element, a);
    node[a] = bf_msh_node(m, tag);
    if (node[a] < 0) return bf_msh_unknown_node(m, element, tag);
  }
  const char *at = m->p;
  if (bf_msh_line_end(m)) return BF_OK;
  m->p = at;
  return wrong_count(m, type, element, nen);
}

static bf_err one_pass(bf_msh *m, int64_t blocks, int64_t n, int filling)
{
  if (m->version == 41) return bf_msh_elements_41(m, blocks, n, filling);
  return bf_msh_elements_22(m, n, filling);
}

/* The numbers after $Elements: 4.1 {blocks, elements, lowest, highest tag}, 2.2 elements, in text */
static bf_err read_counts(bf_msh *m, int64_t *blocks, int64_t *n, int64_t given[2])
{
  const int binary = m->binary;
  if (m->version == 41) {
    BF_TRY(bf_msh_get_size(m, "number of blocks of elements", blocks));
    BF_TRY(bf_msh_get_size(m, "number of elements", n));
    BF_TRY(bf_msh_get_size(m, "lowest element tag", &given[0]));
    BF_TRY(bf_msh_get_size(m, "highest element tag", &given[1]));
    BF_TRY(bf_msh_plausible(m, "blocks of elements", *blocks, 8, 20));
    return bf_msh_plausible(m, "elements", *n, 4, 16);
  }
  m->binary  = 0;
  bf_err err = bf_msh_get_size(m, "number of elements", n);
  if (err == BF_OK && !bf_msh_line_end(m))
    err = bf_msh_expected(m, 213, "the end of the line after the number of elements");
  m->binary = binary;
  BF_TRY(err);
  return bf_msh_plausible(m, "elements", *n, 8, 8);
}

bf_err bf_msh_read_elements(bf_msh *m)
{
  int64_t     n = 0, blocks = 0, given[2];
  const char *at = m->p;
  if (!m->x) return bf_msh_fail(m, 213, "$Elements comes before $Nodes");
  if (m->has_elements) return bf_msh_fail(m, 213, "a second $Elements section");
  BF_TRY(read_counts(m, &blocks, &n, given));
  if (n == 0)
    return bf_msh_fail(
        m, 213, "the mesh has no elements; is the geometry empty, or was it not meshed (gmsh -2, gmsh -3)?");
  m->has_elements = 1;
  bf_msh_sort_entities(m);
  const char *from = m->p;
  BF_TRY(one_pass(m, blocks, n, 0));
  for (int t = 0; t < BF_ELEM_TYPES; t++) {
    bf_msh_type *type = &m->type[t];
    if (!type->count) continue;
    BF_TRY(BF_NEW_ARRAY(type->node, (size_t)type->count * (size_t)bf_elem((bf_elem_type)t)->nnodes));
    BF_TRY(BF_NEW_ARRAY(type->tag, type->count));
  }
  m->p        = from;
  m->elem_min = INT64_MAX;
  BF_TRY(one_pass(m, blocks, n, 1));
  if (bf_msh_choose_partition(m, n)) { /* again, without the elements of other partitions */
    for (int t = 0; t < BF_ELEM_TYPES; t++) m->type[t].n = 0;
    m->nruns = 0;
    m->p     = from;
    BF_TRY(one_pass(m, blocks, n, 1));
  }
  if (m->version == 41) bf_msh_check_range(m, at, "element", given, m->elem_min, m->elem_max);
  return bf_msh_section_end(m, "Elements", "elements", n);
}
