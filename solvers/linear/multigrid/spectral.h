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

typedef struct bf_mg_local {      /* of a stage; backend memory, owned */
  bf_backend           *be;       /* borrowed */
  int                   level;    /* 1: that of the matrix itself */
  bf_int                n;        /* nodes of this level */
  bf_int               *first;    /* [n + 1] their unknowns */
  bf_multigrid_elements elements; /* coefficient: of level 1 */
  uint8_t              *mixed;    /* [n], other levels: the coefficients inside differ much */
  bf_int                grid[3];  /* lattice of the nodes, 0: none */
} bf_mg_local;

/* For a first stage; its grid is used where it has one.  Takes the elements over. */
bf_err bf_mg_local_create(const bf_mg_stage *s, bf_multigrid_elements *elements, bf_mg_local **out);
void   bf_mg_local_destroy(bf_mg_local **out);

/* jumps.c: s->local from the elements of the body, where it has them. */
bf_err bf_mg_request_elements(bf_mg_stage *s, const bf_multigrid_body *body);
/* Coarsening auto of a first stage where coefficients jump: s->local, if that is allowed, and the reason in
 * the report; or aggregates: s->grid[0] = 0. */
bf_err bf_mg_choose_for_jumps(bf_mg_stage *s, const bf_multigrid_body *body, int allowed,
                              bf_multigrid_report *rep);

/* As bf_mg_aggregates, of a stage with fine->local.  how->tau: eigenvalues below it are kept. */
bf_err bf_mg_spectral(const bf_mg_stage *fine, const bf_mg_choice *how, int *made, bf_mg_stage *coarse,
                      bf_mg_transfer *T);

/* ---- inside ---- */
typedef struct bf_mg_spectrum { /* owned; backend memory unless said otherwise */
  const bf_mg_stage  *fine;     /* borrowed */
  const bf_mg_local  *local;    /* borrowed */
  bf_backend         *be;       /* borrowed */
  const bf_local_ops *ops;
  bf_int              boxes[3]; /* lattice of the aggregates, 0: none */
  bf_local_body       body;     /* body.aggregate is owned */
  bf_local_lists      lists;
  uint8_t            *mixed;               /* [count]: by eigenvectors */
  bf_int             *k;                   /* [count] vectors of an aggregate */
  bf_int             *first;               /* [count + 1] */
  double            **z;                   /* [count] */
  bf_int             *host_k, *host_first; /* host */
  double            **host_z;              /* host: places in the pieces */
  double            **piece;               /* host [pieces] of backend memory */
  int                 block;               /* first[a + 1] - first[a] is a multiple of it */
  int                 pieces;
} bf_mg_spectrum;

struct bf_mg_aggregation;
/* spectral_groups.c: body.aggregate and body.count, below the first level */
bf_err bf_mg_group_aggregates(bf_mg_spectrum *s, struct bf_mg_aggregation *g);
/* spectral_vectors.c: k, first, z; coarsest: unknowns of a level that needs no other below it */
bf_err bf_mg_spectrum_vectors(bf_mg_spectrum *s, double tau);
/* Room for `numbers` of vectors, which lives as long as s. */
bf_err bf_mg_spectrum_piece(bf_mg_spectrum *s, int64_t numbers, double **out);
/* spectral_modes.c: k and z of the aggregates with k 0 */
bf_err bf_mg_spectrum_modes(bf_mg_spectrum *s, const int64_t *uptr);
/* spectral_coarse.c: the local data of the coarse level */
bf_err bf_mg_spectrum_coarse(bf_mg_spectrum *s, bf_mg_local **out);
#endif
