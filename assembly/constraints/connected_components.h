/* assembly/constraints/connected_components.h - connected components (parts) of a mesh: elements of one
 * dimension joined through shared nodes, and bodies: elements joined through whole sides */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_ASSEMBLY_CONSTRAINTS_CONNECTED_COMPONENTS_H
#define BF_ASSEMBLY_CONSTRAINTS_CONNECTED_COMPONENTS_H
#include "mesh/mesh.h"

/* part[nnodes], out: part of each node, numbered from 0 in the order of their lowest node; -1 for nodes of no
 * element of the dimension.  Parallel; the result does not depend on the number of threads. Cost: close to
 * one pass over the connectivity; 4 bytes per node. */
bf_err bf_parts_find(const bf_mesh *mesh, int dim, bf_int *part, bf_int *nparts);

/* body[mesh->nelem], out: elements of the dimension that share a side (dim 3: a face, dim 2: an edge, all
 * corners the same) are of one body; bodies are numbered from 0 in the order of their lowest element, -1 for
 * elements of another dimension.  Every body lies in one part.  Parallel; the result does not depend on the
 * number of threads.  Cost: close to two passes over the connectivity; 4 bytes per corner of an element and 8
 * per node while it runs. */
bf_err bf_bodies_find(const bf_mesh *mesh, int dim, bf_int *body, bf_int *nbodies);
#endif
