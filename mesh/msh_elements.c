/* mesh/msh_elements.c - $Elements of .msh 2.2 and 4.1, ascii and binary
 *
 * Two passes: the first counts the elements of each type (it reads no node), the second fills arrays of exact
 * size.  In 2.2 an element of several physical groups is several lines, one after the other, with the same
 * nodes: one element in several runs.
 */
#include "base/memory.h"
#include "mesh/msh_internal.h"
#include <limits.h>
#include <stdio.h>
#include <string.h>

/* ---- runs ---- */
static bf_err add_run(bf_msh *m, bf_elem_type type, int64_t first, int64_t n, int key, int elementary)
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

/* Do two elements have the same set of nodes? */
static int same_nodes(const bf_int *a, const bf_int *b, int nen)
{
  int64_t sum = 0;
  for (int i = 0; i < nen; i++) sum += (int64_t)a[i] - b[i];
  for (int i = 0; sum == 0 && i < nen; i++) {
    int found = 0;
    for (int j = 0; j < nen; j++) found |= a[i] == b[j];
    if (!found) return 0;
  }
  return sum == 0;
}

static bf_err place_22(bf_msh *m, bf_elem_type type, int physical, int elementary)
{
  bf_msh_type      *t    = &m->type[type];
  const int         nen  = bf_elem(type)->nnodes;
  const bf_msh_run *last = m->nruns ? &m->run[m->nruns - 1] : NULL;
  const int         key  = physical < 0 && physical > -INT_MAX ? -physical : physical;
  if (last && last->type == type && last->elementary == elementary && key && last->key && t->n > 0 &&
      same_nodes(t->node + (t->n - 1) * nen, t->node + t->n * nen, nen))
    return add_run(m, type, t->n - 1, 1, key, elementary);
  return add_run(m, type, t->n++, 1, key, elementary);
}

/* ---- one element ---- */
static bf_err unknown_node(bf_msh *m, int64_t element, int64_t node)
{
  return bf_msh_fail(m, 215, "element %lld uses node %lld that does not exist", (long long)element,
                     (long long)node);
}

/* A line with too few or too many numbers: counts what is there. */
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

static bf_err read_nodes_ascii(bf_msh *m, bf_elem_type type, int64_t element, bf_int *node)
{
  const int nen = bf_elem(type)->nnodes;
  for (int a = 0; a < nen; a++) {
    int64_t tag;
    if (!bf_msh_int(m, &tag)) return wrong_count(m, type, element, a);
    node[a] = bf_msh_node(m, tag);
    if (node[a] < 0) return unknown_node(m, element, tag);
  }
  const char *at = m->p;
  if (bf_msh_line_end(m)) return BF_OK;
  m->p = at;
  return wrong_count(m, type, element, nen);
}

/* ---- 2.2 ---- */
/* number type ntags tags... nodes..., one element a line */
static bf_err ascii_22(bf_msh *m, int64_t n, int filling)
{
  for (int64_t k = 1; k <= n; k++) {
    int64_t number, gmsh, ntags, tag, tags[2] = {0, 0};
    bf_msh_passed(m);
    BF_TRY(bf_msh_row(m, "element", k, n));
    if (!bf_msh_int(m, &number)) return bf_msh_expected(m, 215, "an element number");
    if (!bf_msh_int(m, &gmsh)) return bf_msh_expected(m, 215, "an element type");
    const int type = gmsh > INT_MAX ? -1 : bf_elem_by_gmsh((int)gmsh);
    if (type < 0) return bf_msh_unsupported(m, number, gmsh > INT_MAX ? INT_MAX : (int)gmsh);
    if (filling) {
      if (!bf_msh_int(m, &ntags)) return bf_msh_expected(m, 215, "a number of tags");
      for (int64_t i = 0; i < ntags; i++) {
        if (!bf_msh_int(m, &tag)) return bf_msh_expected(m, 215, "a tag of an element");
        if (i < 2) tags[i] = tag;
      }
      m->partitioned |= ntags > 2;
      if (tags[0] < -INT_MAX || tags[0] > INT_MAX || tags[1] < -INT_MAX || tags[1] > INT_MAX)
        return bf_msh_fail(m, 215, "element %lld has a tag above %d", (long long)number, INT_MAX);
      bf_msh_type *t = &m->type[type];
      BF_TRY(read_nodes_ascii(m, (bf_elem_type)type, number,
                              t->node + t->n * bf_elem((bf_elem_type)type)->nnodes));
      t->tag[t->n] = number;
      BF_TRY(place_22(m, (bf_elem_type)type, (int)tags[0], (int)tags[1]));
    } else {
      m->type[type].count++;
      const char *stop = memchr(m->p, '\n', (size_t)(m->end - m->p));
      m->p             = stop ? stop : m->end;
    }
  }
  return BF_OK;
}

/* Elements of a binary 2.2 block behind its head: number, tags, nodes: 1 + ntags + nnodes ints each. */
static bf_err block_22(bf_msh *m, bf_elem_type type, int here, int ntags)
{
  const int    nen = bf_elem(type)->nnodes;
  bf_msh_type *t   = &m->type[type];
  for (int i = 0; i < here; i++) {
    int32_t head[3] = {0, 0, 0}, tag; /* number, physical and elementary tag */
    memcpy(head, m->p, sizeof *head * (size_t)(ntags < 2 ? 1 + ntags : 3));
    const char *at   = m->p + 4 * (1 + (int64_t)ntags);
    bf_int     *node = t->node + t->n * nen;
    for (int a = 0; a < nen; a++) {
      memcpy(&tag, at + 4 * (int64_t)a, sizeof tag);
      node[a] = bf_msh_node(m, tag);
      if (node[a] < 0) return unknown_node(m, head[0], tag);
    }
    t->tag[t->n] = head[0];
    BF_TRY(place_22(m, type, head[1], head[2]));
    m->p = at + 4 * (int64_t)nen;
    bf_msh_passed(m);
  }
  return BF_OK;
}

/* Blocks with a head {type, elements that follow, tags of each} */
static bf_err binary_22(bf_msh *m, int64_t n, int filling)
{
  for (int64_t k = 0; k < n;) {
    int gmsh, here, ntags, number = 0;
    bf_msh_passed(m);
    if (m->p < m->end && m->end - m->p >= 12 && memcmp(m->p, "\n$EndElemen", 11) == 0) m->p++;
    if (m->end - m->p >= 12 && memcmp(m->p, "$EndElements", 12) == 0)
      return bf_msh_row(m, "element", k + 1, n);
    BF_TRY(bf_msh_need_bytes(m, "element", k + 1, n, 12));
    BF_TRY(bf_msh_get_int(m, "element type", &gmsh));
    BF_TRY(bf_msh_get_int(m, "number of elements", &here));
    BF_TRY(bf_msh_get_int(m, "number of tags", &ntags));
    const int type = bf_elem_by_gmsh(gmsh);
    if (m->end - m->p >= 4) memcpy(&number, m->p, sizeof number);
    if (type < 0) return bf_msh_unsupported(m, number, gmsh);
    if (here < 1 || here > n - k || ntags < 0 || ntags > 1000000)
      return bf_msh_fail(m, 213, "block of %d elements with %d tags, %lld of %lld elements are left", here,
                         ntags, (long long)(n - k), (long long)n);
    const int64_t bytes = (int64_t)here * 4 * (1 + (int64_t)ntags + bf_elem((bf_elem_type)type)->nnodes);
    BF_TRY(bf_msh_need_bytes(m, "element", k + 1, n, bytes));
    m->partitioned |= ntags > 2;
    if (filling)
      BF_TRY(block_22(m, (bf_elem_type)type, here, ntags));
    else
      m->p += bytes;
    m->type[type].count += filling ? 0 : here;
    k += here;
  }
  return BF_OK;
}

/* ---- 4.1 ---- */
/* Elements of an entity block behind its head: a line, or size_t, each: tag nodes... */
static bf_err block_41(bf_msh *m, bf_elem_type type, int64_t done, int64_t here, int64_t n)
{
  const int    nen = bf_elem(type)->nnodes;
  bf_msh_type *t   = &m->type[type];
  for (int64_t i = 0; i < here; i++, t->n++) {
    int64_t tag  = 0;
    bf_int *node = t->node + t->n * nen;
    if (m->binary) {
      memcpy(&tag, m->p, sizeof tag);
      for (int a = 0; a < nen; a++) {
        int64_t number;
        memcpy(&number, m->p + 8 * (1 + a), sizeof number);
        node[a] = bf_msh_node(m, number);
        if (node[a] < 0) return unknown_node(m, tag, number);
      }
      m->p += 8 * (1 + nen);
    } else {
      BF_TRY(bf_msh_row(m, "element", done + i + 1, n));
      if (!bf_msh_int(m, &tag)) return bf_msh_expected(m, 215, "an element tag");
      BF_TRY(read_nodes_ascii(m, type, tag, node));
    }
    t->tag[t->n] = tag;
    bf_msh_passed(m);
  }
  return BF_OK;
}

static bf_err skip_rows(bf_msh *m, int64_t done, int64_t here, int64_t n)
{
  for (int64_t i = 0; i < here; i++) {
    bf_msh_passed(m);
    BF_TRY(bf_msh_row(m, "element", done + i + 1, n));
    const char *stop = memchr(m->p, '\n', (size_t)(m->end - m->p));
    m->p             = stop ? stop : m->end;
  }
  return BF_OK;
}

static bf_err blocks_41(bf_msh *m, int64_t blocks, int64_t n, int filling)
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
    if (filling) {
      const bf_msh_entity *e = bf_msh_find_entity(m, dim, entity);
      BF_TRY(add_run(m, (bf_elem_type)type, m->type[type].n, here, e ? (int)(e - m->entity) : -1, entity));
      BF_TRY(block_41(m, (bf_elem_type)type, k, here, n));
    } else {
      m->type[type].count += here;
      if (m->binary)
        m->p += bytes;
      else
        BF_TRY(skip_rows(m, k, here, n));
    }
    k += here;
  }
  if (k < n)
    return bf_msh_fail(m, 213, "expected %lld elements, the blocks list %lld", (long long)n, (long long)k);
  return BF_OK;
}

static bf_err one_pass(bf_msh *m, int64_t blocks, int64_t n, int filling)
{
  if (m->version == 41) return blocks_41(m, blocks, n, filling);
  return m->binary ? binary_22(m, n, filling) : ascii_22(m, n, filling);
}

/* The numbers behind $Elements: 4.1 {blocks, elements, lowest, highest tag}, 2.2 elements, in text */
static bf_err read_counts(bf_msh *m, int64_t *blocks, int64_t *n)
{
  int64_t   ignored = 0;
  const int binary  = m->binary;
  if (m->version == 41) {
    BF_TRY(bf_msh_get_size(m, "number of blocks of elements", blocks));
    BF_TRY(bf_msh_get_size(m, "number of elements", n));
    BF_TRY(bf_msh_get_size(m, "lowest element tag", &ignored));
    BF_TRY(bf_msh_get_size(m, "highest element tag", &ignored));
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
  int64_t n = 0, blocks = 0;
  if (!m->x) return bf_msh_fail(m, 213, "$Elements comes before $Nodes");
  if (m->has_elements) return bf_msh_fail(m, 213, "a second $Elements section");
  BF_TRY(read_counts(m, &blocks, &n));
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
  m->p = from;
  BF_TRY(one_pass(m, blocks, n, 1));
  return bf_msh_section_end(m, "Elements", "elements", n);
}
