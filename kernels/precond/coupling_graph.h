/* kernels/precond/coupling_graph.h - strength of the couplings between the nodes of a matrix, as weights of
 * a graph
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_PRECOND_COUPLING_GRAPH_H
#define BF_KERNELS_PRECOND_COUPLING_GRAPH_H
#include "base/graph.h"
#include "kernels/matrix/host_csr.h"
#include "kernels/matrix/matrix.h"

/* (*coupling)[k] = (c_uv + c_vu) / 2 for edge k = (u, v) of g, c_uv = max |A_uv| / sqrt(max |A_uu| max
 * |A_vv|) of the D x D blocks of S: about 1 if a node depends on this neighbour only; 0 instead of NaN.
 * g: symmetric, of the nodes of S; entries of S that are not edges are ignored. *coupling [g->ptr[n]] is
 * the caller's (bf_host_free). Cost: one pass over S, a search in a row for each edge; 4 bytes per edge
 * besides the result. */
bf_err bf_sparse_couplings(const bf_sparse *S, int D, const bf_graph *g, float **coupling);

/* The same of the nodes of A (A->ncomp components each) in any format.  Cost: bDIA without a remainder one
 * pass over its values, 8 bytes a slot of a node diagonal, and a copy of the values where the host cannot
 * read them; other formats are copied to compressed rows first. */
bf_err bf_matrix_couplings(const bf_matrix *A, const bf_graph *g, float **coupling);
#endif
