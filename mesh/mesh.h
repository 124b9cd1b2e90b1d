/* mesh/mesh.h - nodes, elements in blocks of one type, named groups
 *
 * Elements are numbered 0 .. nelem-1 through the blocks in order; a block holds all elements of its type.  A
 * group is a physical name of Gmsh: its elements (all of one dimension), by number.  Nodes keep the file's
 * order; matrices use rows from bf_numbering.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_MESH_H
#define BF_MESH_H
#include "base/diag.h"
#include "base/log.h"
#include "mesh/element.h"

typedef struct bf_block {
  bf_elem_type type;
  bf_int       first; /* number of the block's first element */
  bf_int       n;
  bf_int      *node; /* owned [n][nnodes of the type] */
  int64_t     *tag;  /* owned [n]: element tags of the file (generators: 1, 2, ...) */
} bf_block;

typedef struct bf_group {
  char   *name; /* owned; the physical name, or "dim:tag" without one */
  int     dim, tag;
  int     named; /* 0: name was made from dim:tag */
  bf_int  nelem;
  bf_int *elem; /* owned [nelem], element numbers, ascending */
} bf_group;

typedef struct bf_mesh {
  char     *file; /* owned; path, or "box", "rectangle" */
  int       dim;  /* 1, 2 or 3: the highest dimension of its elements */
  bf_int    nnodes;
  double   *x;        /* owned [nnodes][3] */
  int64_t  *node_tag; /* owned [nnodes]: node tags of the file */
  bf_int    nelem;
  int       nblocks;
  bf_block *block; /* owned [nblocks], at most one of each type, ascending by type */
  int       ngroups;
  bf_group *group; /* owned [ngroups] */
} bf_mesh;

void bf_mesh_destroy(bf_mesh **m);

/* Checks every invariant of the structure (ranges, order, finite coordinates); BF_E_ARG names the first
 * broken one. bf_mesh_check_jacobian checks the geometry. */
bf_err bf_mesh_check(const bf_mesh *m);

/* Block of a type or of an element, or NULL. */
const bf_block *bf_mesh_block(const bf_mesh *m, bf_elem_type type);
const bf_block *bf_mesh_block_of(const bf_mesh *m, bf_int elem);
/* Nodes of element elem, *count of them. */
const bf_int *bf_mesh_elem_nodes(const bf_mesh *m, bf_int elem, int *count);

/* Group by name ("dim:tag" also finds a named group by its numbers), or NULL. */
const bf_group *bf_mesh_group(const bf_mesh *m, const char *name);
/* Nodes of a group, ascending, without repeats: *nodes is the caller's, free with bf_host_free. */
bf_err bf_mesh_group_nodes(const bf_mesh *m, const bf_group *g, bf_int **nodes, bf_int *count);

/* used[nnodes], out: 1 if an element of dimension `dim` has the node; *unused counts the others. */
void bf_mesh_used_nodes(const bf_mesh *m, int dim, uint8_t *used, bf_int *unused);

void bf_mesh_bounds(const bf_mesh *m, double lo[3], double hi[3]);
void bf_mesh_scale(bf_mesh *m, double factor);

/* mesh/msh/read.c - reads a Gmsh .msh file, 2.0, 2.1, 2.2 or 4.1, ascii or binary.  Every error is added to
 * `diags` with its line (E201 file, E202 version or binary header, E206 element listed twice, E207 element
 * type, E213 sections and counts, E214 nodes, E215 elements); then BF_E_MODEL and *out stays NULL.  Reading
 * stops at the first error. Hints: W209 unused nodes, N216 section not used, N217 all partitions of a mesh,
 * N218 empty physical names, W219 one name for several groups, W220 wrong range of tags in a header, W231
 * some of several partitions. Ghost elements of other partitions are left out where a file has not all of
 * them. Clockwise or mirrored elements are turned (N232), a plane mesh in z = c is moved to z = 0 (N233).
 * Elements of the highest dimension are all kept; others in no physical group are kept (blocks) unless the
 * file has groups of that dimension, points only in groups.  Groups are sorted by dimension, highest first,
 * then by tag.  Time: one pass over the file; memory: the mesh, the file is mapped.
 */
bf_err bf_mesh_read_msh(const char *path, bf_diags *diags, bf_mesh **out);
/* The same from the bytes of a file; `name` names it in messages. */
bf_err bf_mesh_read_msh_memory(const char *name, const void *data, size_t size, bf_diags *diags,
                               bf_mesh **out);

/* mesh/change_order.c - converts all elements to order 1 or 2: quad8 <-> quad4, tri6 <-> tri3, line3 <->
 * line2 etc.; quad9 and hex27 become linear too, and are unchanged for order 2.  To 2: each edge gets one
 * mid-side node, halfway between its ends (curved boundaries stay polygons) or that of a quadratic neighbour;
 * new nodes are last, their tags above all others. To 1: mid-side nodes are removed. Element numbers, tags
 * and groups are unchanged.  BF_E_MODEL, and the mesh as it was, if it would have more than `most` nodes
 * (INT32_MAX but in tests).  Time O(elements); memory: the new blocks and a table of the edges.
 */
bf_err bf_mesh_change_order(bf_mesh *m, int order, bf_int most);

/* mesh/refine_uniform.c - divides every element into 2^dim elements of its type (points stay); the children
 * of an element are consecutive, in the order of the elements.  Nodes keep their numbers and tags; new ones
 * follow, placed by the maps of the elements, so curved elements keep their curves.  Groups get the children
 * of their elements; element tags are new.  shape: N[nnodes] at xi (assembly/basis/shape.h).  BF_E_MODEL, and
 * the mesh as it was, for more than `most` nodes (INT32_MAX but in tests).  Time O(elements). */
typedef void (*bf_shape_values)(bf_elem_type type, const double xi[3], double *N, double (*dN)[3]);
bf_err bf_mesh_refine_uniform(bf_mesh *m, bf_shape_values shape, bf_int most);

/* mesh/box.c - a box or rectangle [0,size] of cells[d] cells per direction; element: tri3 tri6 quad4 quad8
 * quad9 (rectangle), tet4 tet10 hex8 hex20 hex27 (box).  A cell is split in 2 triangles or 6 tetrahedra
 * (Kuhn, conforming). Groups: volume, x_min x_max y_min y_max z_min z_max; surface, x_min x_max y_min y_max.
 */
bf_err bf_mesh_box(const double size[3], const bf_int cells[3], bf_elem_type type, bf_mesh **out);
bf_err bf_mesh_rectangle(const double size[2], const bf_int cells[2], bf_elem_type type, bf_mesh **out);

/* Bytes of the mesh that bf_mesh_box or bf_mesh_rectangle creates of elements of this dimension, computed
 * without creating it; *most = the larger of its grid points and elements, at most INT32_MAX are possible.
 * Floating point, so that any number of cells is valid here. */
double bf_mesh_generated_bytes(const bf_int *cells, bf_elem_type type, double *most);

/* mesh/quality.c - worst Jacobian and aspect, components, orphan nodes: what `bandfem info` prints. */
typedef struct bf_quality {
  double
      jacobian_min; /* min over elements of min det J / max det J at corners and centre, 1 = parallelepiped */
  bf_int jacobian_min_elem; /* its element number */
  double aspect_max;        /* longest over shortest edge */
  bf_int aspect_max_elem;
  double measure; /* sum of areas or volumes of the elements of the mesh's dimension */
  bf_int unused_nodes, components;
} bf_quality;
bf_err bf_mesh_quality(const bf_mesh *m, bf_quality *q);
/* Length, area or volume of a group's elements, sides in space too; 0 for points.  The measure of a curved
 * side is by quadrature.  Volumes are signed. */
bf_err bf_mesh_group_measure(const bf_mesh *m, const bf_group *g, double *measure);

/* mesh/check_plane.c - 1: a mesh of dimension 2 in z = 0, rounding of the mesher aside. */
int bf_mesh_is_plane(const bf_mesh *m);

/* E208 for elements of dimension m->dim with det J <= 0 at a corner, mid-side node or integration point, and
 * for degenerate ones (repeated node): names element tags, the first 5 and the count.  E207 for surfaces in
 * space, which are not checked further, for meshes of lines alone, and where linear and quadratic elements
 * share an edge.  BF_E_MODEL if anything was found. */
bf_err bf_mesh_check_jacobian(const bf_mesh *m, bf_diags *diags);
#endif
