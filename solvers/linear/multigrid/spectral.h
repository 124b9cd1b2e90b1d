/* solvers/linear/multigrid/spectral.h - inside solvers/: aggregates whose coarse space are eigenvectors of
 * their Neumann matrices
 *
 *     S v = lambda v,  lambda < tau        (kernels/multigrid/local_problem.h)
 *
 * where coefficients differ much inside an aggregate; elsewhere the near-null space.  The coarse level has
 * one node per aggregate, with as many unknowns as vectors, and element matrices T^T K T of its own, so the
 * same step makes the next level.
 *
 * Source: Brezina, Vassilevski, LNCS 7116 (2012) 3, doi 10.1007/978-3-642-29843-1_1
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_SOLVERS_LINEAR_MULTIGRID_SPECTRAL_H
#define BF_SOLVERS_LINEAR_MULTIGRID_SPECTRAL_H
#include "kernels/multigrid/local_problem.h"
#include "solvers/linear/multigrid/multigrid.h"

typedef struct bf_mg_local {  /* of a stage; host, owned unless said otherwise */
  int            level;       /* 1: that of the matrix itself */
  int            ncomp;       /* unknowns of a node there */
  bf_int         n;           /* nodes of this level */
  bf_int        *first;       /* [n + 1] their unknowns */
  bf_element_set E;           /* level 1: borrowed */
  const double  *coefficient; /* level 1: borrowed */
  uint8_t       *mixed;       /* [n], other levels: the coefficients inside differ much */
  bf_int         grid[3];     /* lattice of the nodes, 0: none */
  bf_int        *place;       /* [n] of a node in it */
} bf_mg_local;

/* For a first stage; its grid is used where it has one. */
bf_err bf_mg_local_create(const bf_mg_stage *s, const bf_multigrid_elements *elements, bf_mg_local **out);
void   bf_mg_local_destroy(bf_mg_local **out);

/* As bf_mg_aggregates, of a stage with fine->local.  how->tau: eigenvalues below it are kept. */
bf_err bf_mg_spectral(const bf_mg_stage *fine, const bf_mg_choice *how, int *made, bf_mg_stage *coarse,
                      bf_mg_transfer *T);

/* ---- inside ---- */
typedef struct bf_mg_spectrum { /* host, owned but for what `body` borrows elsewhere */
  const bf_mg_stage *fine;
  const bf_mg_local *local;
  double            *diagonal, *modes;
  uint8_t           *fixed, *mixed; /* [count]: by eigenvectors */
  bf_int            *aggregate;
  bf_int             boxes[3]; /* lattice of the aggregates, 0: none */
  bf_int            *place;    /* [count] */
  bf_local_body      body;
  bf_local_lists     lists;
  bf_int            *k;    /* [count] vectors */
  int64_t           *zptr; /* [count]: those of aggregate a are Z[zptr[a]], own unknowns by k, columns */
  double            *Z;
  int64_t            used, room; /* of Z */
} bf_mg_spectrum;

struct bf_mg_aggregation;
/* spectral_groups.c: aggregate and body.count, below the first level */
bf_err bf_mg_group_aggregates(bf_mg_spectrum *s, struct bf_mg_aggregation *g);
/* spectral_vectors.c: k, zptr, Z */
bf_err bf_mg_spectrum_vectors(bf_mg_spectrum *s, double tau);
/* spectral_coarse.c: modes[nq][columns]; the local data of the coarse level */
bf_err bf_mg_spectrum_modes(const bf_mg_spectrum *s, const bf_int *first, double *modes);
bf_err bf_mg_spectrum_coarse(const bf_mg_spectrum *s, bf_int *first, bf_mg_local **out);
#endif
