/* assembly/parts.h - connected parts of a mesh: elements of one dimension joined through shared nodes */
#ifndef BF_PARTS_H
#define BF_PARTS_H
#include "mesh/mesh.h"

/* part[nnodes], out: part of each node, numbered from 0 in the order of their lowest node; -1 for nodes of no
 * element of the dimension.  Parallel; the result does not depend on the number of threads. Cost: close to
 * one pass over the connectivity; 4 bytes per node. */
bf_err bf_parts_find(const bf_mesh *mesh, int dim, bf_int *part, bf_int *nparts);
#endif
