/* mesh/msh/elements_22.c - $Elements of .msh 2.0, 2.1 and 2.2, ascii and binary
 *
 * An element of several physical groups is several lines, one after the other, with the same nodes: one
 * element in several runs.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "mesh/msh/internal.h"
#include <limits.h>
#include <string.h>

/* 1 if two elements have the same set of nodes. */
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
    return bf_msh_add_run(m, type, t->n - 1, 1, key, elementary);
  return bf_msh_add_run(m, type, t->n++, 1, key, elementary);
}

static void skip_line(bf_msh *m)
{
  const char *stop = memchr(m->p, '\n', (size_t)(m->end - m->p));
  m->p             = stop ? stop : m->end;
}

/* number type ntags tags... nodes..., one element a line */
static bf_err ascii_22(bf_msh *m, int64_t n, int filling)
{
  for (int64_t k = 1; k <= n; k++) {
    int64_t        number, gmsh, ntags, tag, tags[2] = {0, 0};
    bf_msh_sharing sharing = {0};
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
        BF_TRY(bf_msh_partition_tag(m, i, tag, &sharing));
      }
      if (tags[0] < -INT_MAX || tags[0] > INT_MAX || tags[1] < -INT_MAX || tags[1] > INT_MAX)
        return bf_msh_fail(m, 215, "element %lld has a tag above %d", (long long)number, INT_MAX);
      if (bf_msh_left_out(m, &sharing)) {
        skip_line(m);
        continue;
      }
      bf_msh_type *t = &m->type[type];
      BF_TRY(bf_msh_read_element_nodes(m, (bf_elem_type)type, number,
                                       t->node + t->n * bf_elem((bf_elem_type)type)->nnodes));
      t->tag[t->n] = number;
      BF_TRY(place_22(m, (bf_elem_type)type, (int)tags[0], (int)tags[1]));
    } else {
      m->type[type].count++;
      skip_line(m);
    }
  }
  return BF_OK;
}

/* Elements of a binary block after its header: number, tags, nodes: 1 + ntags + nnodes ints each. */
static bf_err block_22(bf_msh *m, bf_elem_type type, int here, int ntags)
{
  const int    nen = bf_elem(type)->nnodes;
  bf_msh_type *t   = &m->type[type];
  for (int i = 0; i < here; i++) {
    int32_t        head[3] = {0, 0, 0}, tag; /* number, physical and elementary tag */
    bf_msh_sharing sharing = {0};
    memcpy(head, m->p, sizeof *head * (size_t)(ntags < 2 ? 1 + ntags : 3));
    for (int k = 2; k < ntags; k++) {
      memcpy(&tag, m->p + 4 * (1 + (int64_t)k), sizeof tag);
      BF_TRY(bf_msh_partition_tag(m, k, tag, &sharing));
    }
    const char *at   = m->p + 4 * (1 + (int64_t)ntags);
    bf_int     *node = t->node + t->n * nen;
    for (int a = 0; a < nen; a++) {
      memcpy(&tag, at + 4 * (int64_t)a, sizeof tag);
      node[a] = bf_msh_node(m, tag);
      if (node[a] < 0) return bf_msh_unknown_node(m, head[0], tag);
    }
    t->tag[t->n] = head[0];
    if (!bf_msh_left_out(m, &sharing)) BF_TRY(place_22(m, type, head[1], head[2]));
    m->p = at + 4 * (int64_t)nen;
    bf_msh_passed(m);
  }
  return BF_OK;
}

/* Blocks with a header {type, elements that follow, tags of each} */
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
    if (filling)
      BF_TRY(block_22(m, (bf_elem_type)type, here, ntags));
    else
      m->p += bytes;
    m->type[type].count += filling ? 0 : here;
    k += here;
  }
  return BF_OK;
}

bf_err bf_msh_elements_22(bf_msh *m, int64_t n, int filling)
{
  return m->binary ? binary_22(m, n, filling) : ascii_22(m, n, filling);
}
