/* solvers/linear/multigrid/multigrid.h - inside solvers/: the hierarchy of a multigrid preconditioner
 *
 *     M^-1 r:  x = S(r);  x += P M_c^-1 P^T (r - A x);  x = S'(x)        S, S': Chebyshev-Jacobi, symmetric
 * pair
 *
 * A level is made from the one above it by a coarsening: planes of a lattice, smoothed aggregates, or the
 * vertices of quadratic elements.  The set-up works on fp64 values; the cycle reads fp32 values but for the
 * inverse of the coarsest matrix.  Vectors are fp64.
 *
 * Sources: Vanek, Mandel, Brezina, Computing 56 (1996) 179, doi 10.1007/BF02238511 (smoothed aggregation);
 * Lottes, Numer. Linear Algebra Appl. 30 (2023) e2518, doi 10.1002/nla.2518 (Chebyshev of the fourth kind);
 * Trottenberg, Oosterlee, Schueller, Multigrid, Academic Press 2001.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_SOLVERS_LINEAR_MULTIGRID_H
#define BF_SOLVERS_LINEAR_MULTIGRID_H
#include "kernels/matrix/matrix.h"
#include "solvers/solver.h"

/* Prolongation P from nc to n unknowns and its transpose. */
typedef struct bf_mg_transfer {
  void *self;                                                          /* owned */
  bf_err (*prolong)(const void *self, const double *xc, double *x);    /* x += P xc */
  bf_err (*restricted)(const void *self, const double *r, double *bc); /* bc = P^T r */
  void (*destroy)(void *self);
  int64_t     bytes;
  const char *name; /* "planes", "aggregates", ... */
} bf_mg_transfer;

#define BF_MG_LAMBDA_SAFETY 1.1 /* the largest Ritz value is below the largest eigenvalue */

/* A level while the next one is made from it: fp64 values.  Vectors have the guard of A. */
typedef struct bf_mg_stage {
  bf_backend           *be;    /* borrowed */
  bf_int                n;     /* scalar rows */
  int                   ncomp; /* unknowns of a node: rows node * ncomp + c */
  const bf_matrix      *A;     /* fp64, or NULL where the level is in `rows`; borrowed on the first level */
  bf_matrix            *A_owned;
  struct bf_block_rows *rows;     /* owned: fp64 block rows (kernels/multigrid/block_rows.h), or NULL */
  uint8_t              *fixed;    /* backend, owned [n]: decoupled unknowns; their rows of P are 0 */
  double               *diagonal; /* backend, owned [n]: of A */
  double               *root;     /* backend, owned [n]: 1 / sqrt(diagonal), 1 where that is 0 */
  double               *x; /* backend, owned [n / ncomp][3]: coordinates of nodes, of size 1; or NULL */
  const double *place;     /* host, borrowed: coordinates of the nodes of the first level, of which x is made
                              where modes need them; or NULL */
  bf_int *frame; /* host, owned [n / ncomp]: frames of the nodes, as bf_multigrid_body has them; or NULL */
  const double    *T;      /* host, borrowed: their axes */
  const bf_matrix *fast;   /* borrowed: fp32 values of A, for products that need no more; or NULL */
  double           lambda; /* BF_MG_LAMBDA_SAFETY times the largest eigenvalue of D^-1 A; 0: not known yet */
  int              nmodes; /* near-null space: q vectors, 0 on fixed unknowns; 0: not made yet */
  double          *modes;  /* backend, owned [nmodes][n] */
  struct bf_mg_local *local; /* owned: element matrices for spectral aggregates (spectral.h), or NULL */
  bf_int *on[3]; /* host, owned [grid[a]]: plane of the first level that each plane lies on; NULL: its own */
  bf_int  first[3];              /* planes of the first level, where there is `on` */
  bf_multigrid_parents *parents; /* borrowed: what the coarsenings write of each node; NULL: nothing */
  double *plane[3]; /* host, owned [grid[a]]: position of each plane of a lattice; NULL: its number */
  bf_int  grid[3];  /* nodes in each direction, node = i + grid[0] (j + grid[1] k); grid[0] 0: no lattice */
} bf_mg_stage;

void bf_mg_stage_release(bf_mg_stage *s); /* of zeros too */

/* The first stage: of A itself.  *bad: a coupled unknown without a positive finite diagonal entry. */
bf_err bf_mg_stage_first(const bf_matrix *A, const bf_multigrid_body *body, bf_mg_stage *s, int *bad);
/* s->root from s->diagonal and s->fixed, which a coarsening has set. */
bf_err bf_mg_stage_root(bf_mg_stage *s, int *bad);
/* s->x from coordinates on the host [n / ncomp][3], moved and scaled to [-1, 1]; not finite: a row without a
 * node */
bf_err bf_mg_stage_coordinates(bf_mg_stage *s, const double *x);
int    bf_mg_stage_placed(const bf_mg_stage *s); /* are there coordinates? */
/* s->modes from coordinates, or constants per component, where there are none; in the frames of the nodes. */
bf_err bf_mg_stage_modes(bf_mg_stage *s);

typedef struct bf_mg_choice { /* of bf_mg_options, with every `auto` resolved */
  double theta, tau;          /* strength of couplings of aggregates; eigenvalues of spectral aggregates */
  bf_int coarsest;            /* unknowns of the coarsest level, at most */
  int    degree;              /* of the smoother */
} bf_mg_choice;

/* 1.1 times the largest eigenvalue of D^-1/2 A D^-1/2, D = diag(A), by `products` Lanczos steps from hash
 * noise.  Cost: one product, with fp32 values where there are, and 5 passes over a vector per step; the host
 * reads the result once. */
bf_err bf_mg_lambda(const bf_mg_stage *s, int products, double *lambda);

/* y = A x of a stage, fp64. */
bf_err bf_mg_stage_multiply(const bf_mg_stage *s, const double *x, double *y);

/* ---- coarsenings: the next stage and its transfer; *made 0: nothing to gain, coarse and T are empty ---- */

/* lattice.c: grid[3] of a matrix in bDIA whose rows are a lattice of nodes, else 0 */
bf_err bf_mg_lattice(const bf_matrix *A, bf_int grid[3]);
/* s->plane of a lattice: mean distances of neighbouring planes over a sample of at most 256 lines.  Without
 * coordinates, or where they give no distance: none. */
bf_err bf_mg_place_planes(bf_mg_stage *s, const bf_multigrid_body *body);
/* planes.c: a lattice, fine->grid, by its planes; thin elastic bodies by sections or boxes of nodes, which
 * have a lattice again.  Makes fine->modes where it needs them. */
bf_err bf_mg_planes(bf_mg_stage *fine, const bf_mg_choice *how, int *made, bf_mg_stage *coarse,
                    bf_mg_transfer *T);
/* transfer_rows.c: the transfer of a stored P and its transpose, of which it keeps copies with fp32 values */
bf_err bf_mg_transfer_rows(const struct bf_block_rows *P, const struct bf_block_rows *PT, const char *name,
                           bf_mg_transfer *T);
/* vertices.c: quadratic elements to their vertices; of the first stage alone */
bf_err bf_mg_vertices(const bf_mg_stage *fine, const bf_multigrid_body *body, int *made, bf_mg_stage *coarse,
                      bf_mg_transfer *T);
/* columns.c: the same for thin elastic bodies, by sections through the thickness; needs fine->modes */
bf_err bf_mg_columns(const bf_mg_stage *fine, const bf_multigrid_body *body, int *made, bf_mg_stage *coarse,
                     bf_mg_transfer *T);
/* aggregates.c: smoothed aggregation over the couplings of the matrix */
bf_err bf_mg_aggregates(const bf_mg_stage *fine, const bf_mg_choice *how, int *made, bf_mg_stage *coarse,
                        bf_mg_transfer *T);
/* ... with given aggregates, aggregate[n / ncomp] (backend) in 0 .. count-1, -1: of none, its rows of P are
 * 0. smoothed: P = (I - 4/(3 lambda) D^-1 A) T; else P = T. */
bf_err bf_mg_aggregate_with(const bf_mg_stage *fine, const bf_int *aggregate, bf_int count, int smoothed,
                            bf_mg_stage *coarse, bf_mg_transfer *T);

/* parents.c: the next level of fine->parents, where there is one to write: parent[n] in 0 .. count-1 or -1,
 * of nodes of this level, in host memory or in that of the backend.  grid[3]: planes of the level; NULL:
 * none. */
bf_err bf_mg_parents_host(const bf_mg_stage *fine, bf_int n, const bf_int *parent, bf_int count,
                          const bf_int *grid);
bf_err bf_mg_parents(const bf_mg_stage *fine, bf_int n, const bf_int *parent, bf_int count);

/* ---- the hierarchy ---- */

typedef struct bf_mg_level {
  bf_int                n, guard;
  bf_matrix            *A;    /* owned: fp32 values, or NULL */
  struct bf_block_rows *rows; /* owned: fp32 values, where A is NULL */
  double               *dinv; /* backend, owned [n] */
  double                lambda;
  int                   degree;
  double               *b, *x, *e;     /* backend, owned, with guards; not on the first level; e: W cycle */
  double               *r, *y, *z, *w; /* the same; not on the last level; w: degree above 2 */
  bf_mg_transfer        T;             /* to the next level; empty on the last */
} bf_mg_level;

/* A cycle that was recorded for these vectors (multigrid/ops.h); NULL until it was queued twice. */
enum { BF_MG_RECORDS = 4 };
typedef struct bf_mg_record {
  const double                 *r;
  double                       *z;
  const struct bf_krylov_state *watch;
  struct bf_mg_recorded        *graph; /* owned */
} bf_mg_record;

struct bf_multigrid {
  bf_backend                   *be;             /* borrowed */
  int                           nlevels, cycle; /* 1: V, 2: W */
  int                           symmetric;      /* Chebyshev; else damped Jacobi */
  bf_mg_level                   level[BF_MULTIGRID_LEVELS];
  double                       *inverse; /* backend, owned [n][n]: of the last level's matrix */
  bf_multigrid_report           report;  /* of its set-up */
  const struct bf_krylov_state *watch;   /* backend, borrowed, or NULL: of the iteration that is served;
                                            recorded   cycles do nothing after its end */
  bf_mg_record *record; /* owned [BF_MG_RECORDS], host; entries in the order of their last use */
};

/* The hierarchy of A.  Where numbers do not allow one (not positive, not finite, no level small enough): *out
 * is NULL and report->failure says why.  report: levels, bytes, seconds. */
bf_err bf_multigrid_create(const bf_matrix *A, const bf_multigrid_options *opt, const bf_multigrid_body *body,
                           int symmetric, bf_multigrid_report *report, bf_multigrid **out);

/* z = M^-1 r by one cycle; dot != NULL: *dot = r.z (backend).  self: const bf_multigrid *.  Of a symmetric
 * matrix M is symmetric; `transposed` is not supported otherwise. */
bf_err bf_multigrid_apply(const void *self, int transposed, const double *r, double *z, double *dot);

/* coarsest.c: *X = A^-1 of a stage, backend [n][n]; *singular: what is wrong where it has none, else NULL. */
bf_err bf_mg_invert(const bf_mg_stage *s, int symmetric, double **X, const char **singular);
#endif
