/* mesh/msh/internal.h - state and functions of the reader of .msh files (private to mesh/msh/)
 *
 *   file.c         the file, mapped, and its pages
 *   read.c          header, sections one after the other
 *   text.c         numbers and lines of ascii files, values of binary ones, errors with their place
 *   entities.c     $PhysicalNames, $Entities, $PartitionedEntities
 *   nodes.c        $Nodes, and the map from node tags to node numbers
 *   elements.c, elements_22.c, elements_41.c: $Elements
 *   partitions.c     partitions: which of them the file has, ghost elements
 *   unsupported.c     element types bandfem does not have
 *   finish.c       from the data read to bf_mesh: groups, blocks, selection of elements
 *   twice.c        elements that are listed twice
 *
 * Codes: E201 file, E202 version and binary header, E206 an element listed twice, E207 element type, E213
 * sections and counts, E214 nodes, E215 elements, W209 unused nodes, N216 section not used, N217 partitioned
 * mesh, N218 physical names without elements, W219 one physical name for several groups, W220 range of tags
 * in a header, W231 some of several partitions, N232 elements turned, N233 mesh moved to z = 0.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_MESH_MSH_INTERNAL_H
#define BF_MESH_MSH_INTERNAL_H
#include "mesh/mesh.h"

typedef struct bf_msh_name { /* a line of $PhysicalNames */
  int   dim, tag;
  char *text; /* owned */
} bf_msh_name;

typedef struct bf_msh_entity { /* 4.1: a point, curve, surface or volume and its physical tags */
  int     dim, tag, nphysical;
  int64_t physical;  /* first of them in bf_msh.physical */
  int     partition; /* that alone has the entity; 0: none, or several share it */
} bf_msh_entity;

typedef struct bf_msh_run { /* consecutive elements of one type and one origin */
  int64_t      first, n;    /* numbers within the type */
  bf_elem_type type;
  int          key;        /* 2.2: physical tag, 0 = none; 4.1: number of the entity, -1 = not listed */
  int          elementary; /* 2.2: tag of the geometrical entity */
} bf_msh_run;

typedef struct bf_msh_type { /* elements of one type, in the order of the file */
  int64_t  count;            /* lines of the file */
  int64_t  n;                /* read so far; elements of several groups (2.2) are lines but not elements */
  bf_int  *node;             /* owned */
  int64_t *tag;              /* owned */
} bf_msh_type;

typedef struct bf_msh_partition { /* elements of the file that ... */
  int64_t owned;                  /* belong to it */
  int64_t ghosts;                 /* belong to another one and are marked as its ghosts (2.2) */
} bf_msh_partition;

typedef struct bf_msh_sharing { /* 2.2: the partitions of one element, from its tags */
  int64_t ids, owner;           /* how many are named; the one it belongs to, 0 = not known */
} bf_msh_sharing;

typedef struct bf_msh {
  const char *path;       /* borrowed */
  bf_diags   *diags;      /* borrowed */
  const char *data, *end; /* the file, mapped */
  const char *p;          /* position of the next read */
  void       *map;        /* borrowed: data as a mapping of the file; NULL = just bytes */
  const char *kept;       /* pages of the mapping before it have been released */
  size_t      window; /* bytes after `kept` that are read before their pages are released; SIZE_MAX without a
                         mapping */
  const char *item;   /* what the line at p is of: item_k (from 1) of item_n; NULL = nothing counted */
  int64_t     item_k, item_n;
  int         version;            /* 22 (2.0, 2.1 and 2.2), 41; 0 = no header yet */
  int         partition_is_third; /* 2.0, 2.1: the third tag of an element is its partition, not a count */
  int         binary;

  int            nnames, nentities, name_room, entity_room;
  int64_t        nphysical, physical_room;
  bf_msh_name   *name;     /* owned */
  bf_msh_entity *entity;   /* owned; sorted by (dim, tag) before elements are read */
  int           *physical; /* owned */

  bf_int      nnodes;
  double     *x;        /* owned [nnodes][3] */
  int64_t    *node_tag; /* owned [nnodes] */
  const char *nodes_at; /* first byte after the count of $Nodes */
  int64_t     node_blocks;
  int64_t     watch[2]; /* numbers of nodes whose place is searched ... */
  const char *seen[2];  /* ... and their places */

  int               npartitions; /* 4.1: as in the file; 2.2: the highest in the file */
  bf_msh_partition *partition;   /* owned [partition_capacity]; partition k is at k - 1 */
  int64_t           partition_capacity;
  int              *ghost; /* owned [nghosts]: tags of ghost entities (4.1) */
  int64_t           nghosts, left_out;
  int64_t           only; /* 2.2: the partition whose elements are read, 0 = all */

  int64_t  elem_min, elem_max; /* 4.1: range of the element tags */
  int64_t  tag_min, tag_max;
  int      in_order; /* node k has tag tag_min + k: no table */
  bf_int  *slot;     /* owned: 1 + node; by tag - tag_min, or a hash table of `slots` = 2^k entries */
  uint64_t slots;    /* 0: direct */

  bf_msh_type type[BF_ELEM_TYPES];
  int         has_elements;
  int64_t     nruns, run_room;
  bf_msh_run *run; /* owned */
} bf_msh;

/* ---- text.c ---- */
/* Reports an error at m->p and returns BF_E_MODEL. */
bf_err bf_msh_fail(bf_msh *m, int code, const char *fmt, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 3, 4)))
#endif
    ;
/* Place of a byte in words: "line 12" or "byte 345"; buf of 40. */
const char *bf_msh_place(const bf_msh *m, const char *at, char *buf);
bf_where    bf_msh_where(const bf_msh *m, const char *at); /* ascii: with its line */

void bf_msh_skip_space(bf_msh *m);      /* also over ends of lines */
int  bf_msh_int(bf_msh *m, int64_t *v); /* ascii, on this line: 1, or 0 and p at what is no integer */
int  bf_msh_real(bf_msh *m, double *v); /* the same; nan, inf and overflow give values that are not finite */
int  bf_msh_line_end(bf_msh *m);        /* 1 and p after it, or 0 */
/* "expected WHAT, found '...'": at p, or E201 at the end of the file. */
bf_err bf_msh_expected(bf_msh *m, int code, const char *what);
/* To the line of item k (from 1) of n; E201 at the end of the file, E213 at an early $End. */
bf_err bf_msh_row(bf_msh *m, const char *item, int64_t k, int64_t n);
/* 1 if $EndNAME follows, after white space; then p is after its line. */
bf_err bf_msh_section_end(bf_msh *m, const char *name, const char *item, int64_t n);

/* One value, ascii (over ends of lines) or binary by m->binary; `what` names it in errors. */
bf_err bf_msh_get_int(bf_msh *m, const char *what, int *v);
bf_err bf_msh_get_size(bf_msh *m, const char *what, int64_t *v); /* never negative */
bf_err bf_msh_get_real(bf_msh *m, const char *what, double *v);
/* n items of at least so many bytes each must fit the rest of the file and bf_int. */
bf_err bf_msh_plausible(bf_msh *m, const char *items, int64_t n, int64_t ascii, int64_t binary);
/* W220 if the range of tags that a header at `at` gives is not that of the tags. */
void bf_msh_check_range(bf_msh *m, const char *at, const char *item, const int64_t given[2], int64_t low,
                        int64_t high);
/* E201 unless n * size bytes of a binary file follow. */
bf_err bf_msh_need_bytes(bf_msh *m, const char *item, int64_t k, int64_t of, int64_t bytes);

/* ---- read.c ---- */
bf_err bf_msh_read(const char *name, const void *data, size_t size, void *map, bf_diags *diags,
                   bf_mesh **out);

/* ---- file.c ---- */
/* Releases the pages of the mapping before p, which count as memory of the process.  bf_msh_passed is called
 * for every node and element. */
enum { BF_MSH_WINDOW = 1 << 18 };
void               bf_msh_drop_pages(bf_msh *m);
static inline void bf_msh_passed(bf_msh *m)
{
  if ((size_t)(m->p - m->kept) >= m->window) bf_msh_drop_pages(m);
}

/* ---- entities.c ---- */
bf_err               bf_msh_read_names(bf_msh *m);
bf_err               bf_msh_read_entities(bf_msh *m, int partitioned);
void                 bf_msh_sort_entities(bf_msh *m);
const bf_msh_entity *bf_msh_find_entity(const bf_msh *m, int dim, int tag);

/* ---- nodes.c ---- */
bf_err bf_msh_read_nodes(bf_msh *m);
bf_int bf_msh_node(const bf_msh *m, int64_t tag); /* node number, or -1 */

/* ---- elements.c ---- */
bf_err bf_msh_read_elements(bf_msh *m);
/* Elements first .. first + n - 1 of a type come from an origin: a new run, or more of the last ones (2.2).
 */
bf_err bf_msh_add_run(bf_msh *m, bf_elem_type type, int64_t first, int64_t n, int key, int elementary);
bf_err bf_msh_unknown_node(bf_msh *m, int64_t element, int64_t node); /* E215 */
/* The nodes of an element to the end of its line (ascii). */
bf_err bf_msh_read_element_nodes(bf_msh *m, bf_elem_type type, int64_t element, bf_int *node);
/* One pass over n elements, counting or filling. */
bf_err bf_msh_elements_22(bf_msh *m, int64_t n, int filling);
bf_err bf_msh_elements_41(bf_msh *m, int64_t blocks, int64_t n, int filling);

/* ---- partitions.c ---- */
/* Tag number i (from 0) of an element (2.2). */
bf_err bf_msh_partition_tag(bf_msh *m, int64_t i, int64_t tag, bf_msh_sharing *sharing);
/* 1 if the element is not of the partition that is read; counts those. */
int bf_msh_left_out(bf_msh *m, const bf_msh_sharing *sharing);
int bf_msh_is_ghost(const bf_msh *m, int entity);
/* 2.2, all n elements read: 1 if only those of one partition must be read (m->only). */
int bf_msh_choose_partition(bf_msh *m, int64_t n);
/* N217 or W231, all elements read. */
bf_err bf_msh_report_partitions(bf_msh *m);

/* ---- unsupported.c ---- */
bf_err bf_msh_unsupported(bf_msh *m, int64_t tag, int gmsh); /* E207 */

/* ---- finish.c ---- */
bf_err bf_msh_finish(bf_msh *m, bf_mesh **out);

/* ---- twice.c ---- */
/* E206 if two elements of one type and of the mesh's dimension have the same nodes. */
bf_err bf_msh_check_twice(const bf_mesh *mesh, bf_diags *diags);
#endif
