/* kernels/multigrid/local_node.h - steps of one node or one aggregate of local_problem.h: one source,
 * compiled for both backends */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_MULTIGRID_LOCAL_NODE_H
#define BF_KERNELS_MULTIGRID_LOCAL_NODE_H
#include "kernels/multigrid/aggregate_node.h"
#include "kernels/multigrid/local_problem.h"

#define BF_LOCAL_OTHER_RELATIVE                                                                              \
  1e-8 /* added to the diagonal of N_cc: relative to each entry, to the mean                                 \
        */
#define BF_LOCAL_OTHER_MEAN 1e-10

/* owner, rank and own of the unknowns of node i; its aggregate where none of them is free. */
static inline BF_HD void bf_local_unknowns_of(const bf_local_body *B, bf_int i, bf_int *owner, bf_int *rank,
                                              bf_int *own)
{
  const bf_int a    = B->aggregate[i];
  bf_int       free = 0;
  for (bf_int u = B->first[i]; u < B->first[i + 1]; u++) rank[u] = B->fixed[u] ? -1 : free++;
  for (bf_int u = B->first[i]; u < B->first[i + 1]; u++) {
    owner[u] = free > 0 ? a : -1;
    own[u]   = rank[u] >= 0 ? a : -1;
  }
  if (free == 0) B->aggregate[i] = -1;
}

static inline BF_HD bf_int bf_local_free(const bf_local_body *B, bf_int i)
{
  bf_int free = 0;
  for (bf_int u = B->first[i]; u < B->first[i + 1]; u++) free += !B->fixed[u];
  return free;
}

/* Slot of the first free unknown of node i, or 0. */
static inline BF_HD bf_int bf_local_slot(const bf_local_body *B, const bf_int *slot, bf_int i)
{
  for (bf_int u = B->first[i]; u < B->first[i + 1]; u++)
    if (slot[u] >= 0) return slot[u];
  return 0;
}

/* Places of the nodes of the elements of aggregate a, which are node[begin .. end-1]: others from 0, own ones
 * behind them by their slots.  Returns the unknowns of others. */
static inline BF_HD bf_int bf_local_places_of(const bf_local_body *B, bf_int a, const bf_int *slot,
                                              const bf_int *node, int64_t begin, int64_t end, bf_int *place)
{
  bf_int others = 0;
  for (int64_t k = begin; k < end; k++) {
    if (B->aggregate[node[k]] == a) continue;
    place[k] = others;
    others += bf_local_free(B, node[k]);
  }
  for (int64_t k = begin; k < end; k++)
    if (B->aggregate[node[k]] == a) place[k] = others + bf_local_slot(B, slot, node[k]);
  return others;
}

/* Does the largest coefficient of elements exceed `contrast` times the least positive one? */
static inline BF_HD int bf_local_jumps(const double *coefficient, const bf_int *element, int64_t begin,
                                       int64_t end, double contrast)
{
  double least = INFINITY, most = 0.0;
  for (int64_t k = begin; k < end; k++) {
    const double c = coefficient[element[k]];
    most           = c > most ? c : most;
    least          = c > 0.0 && c < least ? c : least;
  }
  return most > contrast * least;
}

/* Eigenvalues below tau of an ascending list, at least 1 and at most `most`, and those that make their number
 * a multiple. */
static inline BF_HD bf_int bf_local_below(bf_int m, const double *w, double tau, bf_int most, int multiple)
{
  const bf_int end = m < most ? m : most;
  bf_int       k   = 0;
  while (k < end && w[k] < tau) k++;
  k = ((k > 0 ? k : 1) + multiple - 1) / multiple * multiple;
  return k < end ? k : end;
}

/* Column of combine that is vector e of aggregate a: the e-th that is no phantom. */
static inline BF_HD int bf_local_combination(const bf_local_modes *M, bf_int a, int e)
{
  int c = 0;
  for (; c < M->nq; c++)
    if (!M->phantom[(int64_t)a * M->nq + c] && e-- == 0) break;
  return c;
}

/* Entry of combination c of aggregate a at unknown u of `unknowns`. */
static inline BF_HD double bf_local_combined(const bf_local_modes *M, bf_int unknowns, bf_int a, int c,
                                             bf_int u)
{
  const double *by  = M->combine + ((int64_t)a * M->nq + c) * M->nq;
  double        sum = 0.0;
  for (int j = 0; j < M->nq; j++) sum += by[j] * M->modes[(int64_t)j * unknowns + u];
  return sum;
}

/* Entry of vector e of aggregate a at its own unknown `slot`; 0 of no vector, no unknown. */
static inline BF_HD double bf_local_entry(const bf_local_vectors *V, const int64_t *uptr, bf_int a, int64_t e,
                                          bf_int slot)
{
  return slot < 0 || e >= V->k[a] ? 0.0 : V->z[a][e * (uptr[a + 1] - uptr[a]) + slot];
}

/* z^T D v of a vector z of an aggregate with the own unknowns unknown[0 .. m-1]. */
static inline BF_HD double bf_local_weighted(bf_int m, const bf_int *unknown, const double *z,
                                             const double *diagonal, const double *v)
{
  double sum = 0.0;
  for (bf_int r = 0; r < m; r++) sum += z[r] * diagonal[unknown[r]] * v[unknown[r]];
  return sum;
}
#endif
