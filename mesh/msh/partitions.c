/* mesh/msh/partitions.c - partitioned meshes: which partitions a file has, and its ghost elements
 *
 * Tags of an element after the physical and the elementary one (Gmsh reference manual, "MSH file format
 * version 2"; Gmsh's own reader for the older ones):
 *   2.0, 2.1   the partition
 *   2.2        the number n of partitions, then n ids: the partition it belongs to, and, negative, those that
 *              have it as a ghost
 * In 4.1 $PartitionedEntities gives the number of partitions, the partition of each entity and the tags of
 * ghost entities.
 *
 * A file of version 2.2 is one partition k with its ghosts if every element that does not belong to k is
 * marked as a ghost of k, and this holds for no other partition that has elements.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "mesh/msh/internal.h"
#include <stdio.h>
#include <string.h>

enum { PARTITIONS_MAX = 1 << 16 };

static bf_err partition_capacity(bf_msh *m, int64_t id)
{
  if (id <= m->partition_capacity) return BF_OK;
  const int64_t     room = id < 8 ? 16 : 2 * id;
  bf_msh_partition *q    = bf_host_realloc(m->partition, (size_t)room, sizeof *q);
  BF_CHECK(q, BF_E_MEMORY, "no memory for %lld partitions", (long long)room);
  memset(q + m->partition_capacity, 0, (size_t)(room - m->partition_capacity) * sizeof *q);
  m->partition          = q;
  m->partition_capacity = room;
  return BF_OK;
}

bf_err bf_msh_partition_tag(bf_msh *m, int64_t i, int64_t tag, bf_msh_sharing *sharing)
{
  const int first = m->partition_is_third ? 2 : 3;
  if (i < 2) return BF_OK;
  if (i == 2) sharing->ids = m->partition_is_third ? 1 : tag;
  const int64_t id = tag < 0 ? -tag : tag;
  if (i < first || i - first >= sharing->ids || id < 1 || id > PARTITIONS_MAX) return BF_OK;
  const int own = tag > 0 && sharing->owner == 0;
  if (own) sharing->owner = id;
  if (m->only) return BF_OK; /* counted before */
  BF_TRY(partition_capacity(m, id));
  m->partition[id - 1].owned += own;
  m->partition[id - 1].ghosts += !own;
  if (id > m->npartitions) m->npartitions = (int)id;
  return BF_OK;
}

int bf_msh_left_out(bf_msh *m, const bf_msh_sharing *sharing)
{
  if (m->only == 0 || sharing->owner == m->only) return 0;
  m->left_out++;
  return 1;
}

int bf_msh_is_ghost(const bf_msh *m, int entity)
{
  for (int64_t k = 0; k < m->nghosts; k++)
    if (m->ghost[k] == entity) return 1;
  return 0;
}

int bf_msh_choose_partition(bf_msh *m, int64_t n)
{
  int64_t found = 0, others = 0;
  int     count = 0;
  for (int64_t k = 0; m->version == 22 && k < m->partition_capacity; k++) {
    const bf_msh_partition *p = &m->partition[k];
    if (p->owned == 0 || p->owned + p->ghosts != n) continue;
    count++;
    found  = k + 1;
    others = p->ghosts;
  }
  m->only = count == 1 && others > 0 ? found : 0;
  return m->only != 0;
}

/* 4.1: elements of the mesh's dimension in each partition. */
static bf_err count_owned(bf_msh *m)
{
  int dim = 0;
  for (int t = 0; t < BF_ELEM_TYPES; t++)
    if (m->type[t].n && bf_elem((bf_elem_type)t)->dim > dim) dim = bf_elem((bf_elem_type)t)->dim;
  for (int64_t r = 0; r < m->nruns; r++) {
    const bf_msh_run *run = &m->run[r];
    const int         id  = run->key < 0 ? 0 : m->entity[run->key].partition;
    if (bf_elem(run->type)->dim != dim || id < 1 || id > PARTITIONS_MAX) continue;
    BF_TRY(partition_capacity(m, id));
    m->partition[id - 1].owned += run->n;
  }
  return BF_OK;
}

/* 1 if partition k (from 0) is in the file. With m->only the others are ignored. */
static int present(const bf_msh *m, int64_t k)
{
  return m->partition[k].owned > 0 && (m->only == 0 || m->only == k + 1);
}

/* Partitions that have elements: their number; the first of them as words. */
static int64_t list_present(const bf_msh *m, char *words, size_t size)
{
  int64_t n = 0;
  words[0]  = '\0';
  for (int64_t k = 0; k < m->partition_capacity; k++) {
    if (!present(m, k)) continue;
    const size_t at = strlen(words);
    if (n < 5) snprintf(words + at, size - at, "%s%lld", n ? ", " : "", (long long)(k + 1));
    if (n == 5) snprintf(words + at, size - at, ", ...");
    n++;
  }
  return n;
}

/* Partitions that the file must have to be the whole mesh: in 2.2 those that it names, and if it has one
 * alone, all up to its number. */
static int64_t expected(const bf_msh *m, int64_t have)
{
  int64_t n = 0;
  if (m->version == 41 || have == 1) return m->npartitions;
  for (int64_t k = 0; k < m->partition_capacity; k++) n += m->partition[k].owned + m->partition[k].ghosts > 0;
  return n;
}

bf_err bf_msh_report_partitions(bf_msh *m)
{
  char           words[120], ghosts[80] = "";
  const bf_where where = {m->path, 0, 0};
  if (m->npartitions == 0) return BF_OK;
  if (m->version == 41) BF_TRY(count_owned(m));
  const int64_t have = list_present(m, words, sizeof words);
  if (have == 0 || have >= expected(m, have)) {
    bf_diag_add(m->diags, BF_NOTE, 217, where,
                "the mesh is partitioned; the partitions are not used, it is read as a whole");
    return BF_OK;
  }
  if (m->left_out)
    snprintf(ghosts, sizeof ghosts, "; %lld ghost element%s of other partitions %s left out",
             (long long)m->left_out, m->left_out == 1 ? "" : "s", m->left_out == 1 ? "is" : "are");
  bf_diag_add(m->diags, BF_WARNING, 231, where,
              "part%s %s of %s%d alone: the file is not the whole mesh%s; to read the whole mesh, save all "
              "partitions in one file",
              have == 1 ? "" : "s", words, m->version == 41 ? "" : "at least ", m->npartitions, ghosts);
  return BF_OK;
}
