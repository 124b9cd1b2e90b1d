/* mesh/msh/entities.c - physical names, and the physical tags of geometrical entities (4.1)
 *
 * A physical tag may be negative (an entity counted with the opposite orientation): its absolute value names
 * the group.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "mesh/msh/internal.h"
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* Grows an array of elements of `size` bytes for one more: doubles it when it is full. */
static bf_err grow(void **array, int64_t used, int64_t *room, size_t size)
{
  if (used < *room) return BF_OK;
  const int64_t more = *room ? 2 * *room : 16;
  void         *q    = bf_host_realloc(*array, (size_t)more, size);
  BF_CHECK(q, BF_E_MEMORY, "no memory for %lld x %zu bytes", (long long)more, size);
  *array = q;
  *room  = more;
  return BF_OK;
}

/* One line: dimension tag "name" */
static bf_err read_name(bf_msh *m, int64_t k, int64_t n)
{
  int64_t dim, tag, room = m->name_room;
  BF_TRY(bf_msh_row(m, "physical name", k, n));
  if (!bf_msh_int(m, &dim) || !bf_msh_int(m, &tag) || dim < 0 || dim > 3 || tag < -INT_MAX || tag > INT_MAX)
    return bf_msh_expected(m, 213, "dimension (0..3), tag and \"name\" of a physical group");
  const char *stop = memchr(m->p, '\n', (size_t)(m->end - m->p));
  if (!stop) stop = m->end;
  const char *from = memchr(m->p, '"', (size_t)(stop - m->p)), *to = stop;
  while (to > m->p && to[-1] != '"') to--; /* after the last quote */
  if (!from || to < from + 2)
    return bf_msh_fail(m, 213, "the name of physical group %lld:%lld is not in quotes", (long long)dim,
                       (long long)tag);
  const size_t len = (size_t)(to - from - 2);
  m->p             = stop;
  BF_TRY(grow((void **)&m->name, m->nnames, &room, sizeof *m->name));
  m->name_room      = (int)room;
  bf_msh_name *name = &m->name[m->nnames];
  *name             = (bf_msh_name){(int)dim, (int)(tag < 0 ? -tag : tag), bf_host_alloc(len + 1, 1)};
  BF_CHECK(name->text, BF_E_MEMORY, "no memory for a name of %zu bytes", len);
  memcpy(name->text, from + 1, len);
  m->nnames++;
  return BF_OK;
}

bf_err bf_msh_read_names(bf_msh *m)
{
  int64_t   n      = 0;
  const int binary = m->binary;
  m->binary        = 0; /* this section is always text */
  bf_err err       = bf_msh_get_size(m, "number of physical names", &n);
  if (err == BF_OK) err = bf_msh_plausible(m, "physical names", n, 6, 6);
  for (int64_t k = 1; err == BF_OK && k <= n; k++) err = read_name(m, k, n);
  if (err == BF_OK) err = bf_msh_section_end(m, "PhysicalNames", "physical names", n);
  m->binary = binary;
  return err;
}

static bf_err skip_ints(bf_msh *m, const char *what, int64_t n)
{
  int v;
  for (int64_t k = 0; k < n; k++) BF_TRY(bf_msh_get_int(m, what, &v));
  return BF_OK;
}

/* parent dimension, parent tag, partitions.  An entity whose parent has a higher dimension is an interface
 * between partitions and no part of the geometry. */
static bf_err read_partitions(bf_msh *m, bf_msh_entity *e, int *interface)
{
  int     parent[2], id = 0;
  int64_t n = 0;
  BF_TRY(bf_msh_get_int(m, "parent of an entity", &parent[0]));
  BF_TRY(bf_msh_get_int(m, "parent of an entity", &parent[1]));
  BF_TRY(bf_msh_get_size(m, "number of partitions", &n));
  for (int64_t k = 0; k < n; k++) BF_TRY(bf_msh_get_int(m, "partition of an entity", &id));
  e->partition = n == 1 ? id : 0;
  *interface   = parent[0] > e->dim;
  return BF_OK;
}

/* tag [parent dimension, parent tag, partitions] box physical tags [bounding entities]; the physical tags of
 * an interface between partitions are those of its parent and are left out. */
static bf_err read_entity(bf_msh *m, int dim, int partitioned)
{
  int64_t n = 0, room = m->entity_room;
  int     interface = 0;
  double  box;
  BF_TRY(grow((void **)&m->entity, m->nentities, &room, sizeof *m->entity));
  m->entity_room   = (int)room;
  bf_msh_entity *e = &m->entity[m->nentities];
  *e               = (bf_msh_entity){.dim = dim, .physical = m->nphysical};
  BF_TRY(bf_msh_get_int(m, "tag of an entity", &e->tag));
  if (partitioned) BF_TRY(read_partitions(m, e, &interface));
  for (int k = 0; k < (dim == 0 ? 3 : 6); k++) BF_TRY(bf_msh_get_real(m, "bounds of an entity", &box));
  BF_TRY(bf_msh_get_size(m, "number of physical tags", &n));
  BF_TRY(bf_msh_plausible(m, "physical tags", n, 2, 4));
  for (int64_t k = 0; k < n; k++) {
    int tag = 0;
    BF_TRY(grow((void **)&m->physical, m->nphysical, &m->physical_room, sizeof *m->physical));
    BF_TRY(bf_msh_get_int(m, "physical tag", &tag));
    m->physical[m->nphysical++] = tag < 0 && tag > -INT_MAX ? -tag : tag;
  }
  e->nphysical = interface ? 0 : (int)n;
  m->nentities++;
  if (dim == 0) return BF_OK;
  BF_TRY(bf_msh_get_size(m, "number of bounding entities", &n));
  BF_TRY(skip_ints(m, "bounding entity", n));
  return BF_OK;
}

/* n pairs: tag of a ghost entity, its partition */
static bf_err read_ghosts(bf_msh *m, int64_t n)
{
  if (n == 0 || m->ghost) return skip_ints(m, "ghost entity", 2 * n);
  BF_TRY(BF_NEW_ARRAY(m->ghost, n));
  for (; m->nghosts < n; m->nghosts++) {
    BF_TRY(bf_msh_get_int(m, "tag of a ghost entity", &m->ghost[m->nghosts]));
    BF_TRY(skip_ints(m, "partition of a ghost entity", 1));
  }
  return BF_OK;
}

bf_err bf_msh_read_entities(bf_msh *m, int partitioned)
{
  const char *name     = partitioned ? "PartitionedEntities" : "Entities";
  int64_t     count[4] = {0}, n = 0, total = 0;
  if (partitioned) {
    BF_TRY(bf_msh_get_size(m, "number of partitions", &n));
    m->npartitions = n < INT_MAX ? (int)n : INT_MAX;
    BF_TRY(bf_msh_get_size(m, "number of ghost entities", &n));
    BF_TRY(bf_msh_plausible(m, "ghost entities", n, 4, 8));
    BF_TRY(read_ghosts(m, n));
  }
  for (int d = 0; d < 4; d++) {
    BF_TRY(bf_msh_get_size(m, "number of entities", &count[d]));
    BF_TRY(bf_msh_plausible(m, "entities", count[d], 10, 36));
  }
  for (int d = 0; d < 4; d++)
    for (int64_t k = 0; k < count[d]; k++, total++) BF_TRY(read_entity(m, d, partitioned));
  BF_TRY(bf_msh_section_end(m, name, "entities", total));
  return BF_OK;
}

static int by_tag(const void *a, const void *b)
{
  const bf_msh_entity *p = a, *q = b;
  if (p->dim != q->dim) return p->dim - q->dim;
  return (p->tag > q->tag) - (p->tag < q->tag);
}

void bf_msh_sort_entities(bf_msh *m)
{
  if (m->nentities) qsort(m->entity, (size_t)m->nentities, sizeof *m->entity, by_tag);
}

const bf_msh_entity *bf_msh_find_entity(const bf_msh *m, int dim, int tag)
{
  const bf_msh_entity key = {.dim = dim, .tag = tag};
  return m->nentities ? bsearch(&key, m->entity, (size_t)m->nentities, sizeof *m->entity, by_tag) : NULL;
}
