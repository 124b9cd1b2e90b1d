/* kernels/multigrid/ops.h - operations of a backend for multigrid: the cycle, coarsening by planes, by
 * aggregates
 *
 * Pointers are backend memory unless stated otherwise; calls are queued in order, as in backend.h.  Every sum
 * has a fixed order.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_MULTIGRID_OPS_H
#define BF_KERNELS_MULTIGRID_OPS_H
#include "base/err.h"

typedef struct bf_backend bf_backend;

/* What a smoother does with y = A v in every row i, all vectors [n]:
 *
 *     r = b - y;   z' = c1 z + c2 dinv r;   x = x + before z + beta z'
 *
 * Pointers that may be NULL: r, next: not stored; dinv: the residual alone; z: 0; x: no update.  r may be b.
 */
typedef struct bf_mg_step {
  const double *b;
  double       *r;
  const double *dinv, *z; /* 1 / diagonal */
  double       *next;     /* z' */
  double       *x;
  double        c1, c2, before, beta;
  int           add; /* 0: x is not read, 0 in its place */
} bf_mg_step;

struct bf_block_rows;
struct bf_matrix;

struct bf_mg_recorded;
struct bf_krylov_state;

enum { BF_MG_LANCZOS_MOST = 32 };

/* Lanczos of D^-1 A in the inner product of D, D = s^-2 by entries: u_k = scale[k] w_k has the norm 1,
 *
 *     w_k+1 = D^-1 A u_k - diag[k] u_k - off[k-1] u_k-1,   off[k] = ||w_k+1||
 *
 * Steps after off[k] = 0 are not finite. */
typedef struct bf_mg_lanczos { /* backend memory */
  double dot[2];               /* dot[0] = w_k . A w_k before step k */
  double diag[BF_MG_LANCZOS_MOST], off[BF_MG_LANCZOS_MOST], scale[BF_MG_LANCZOS_MOST + 1];
} bf_mg_lanczos;

typedef struct bf_mg_cycle_ops {
  /* the step in every row, with y or, where y is NULL, 0; next may be z */
  bf_err (*step)(bf_backend *be, bf_int n, const bf_mg_step *s, const double *y);
  /* optional: the step with y = A v in one kernel, of A (bf_matrix) or, where A is NULL, of `rows`; next and
   * x are not v.  *done 0: not for this matrix, nothing was done. */
  bf_err (*product_step)(bf_backend *be, const struct bf_matrix *A, const struct bf_block_rows *rows,
                         const double *v, const bf_mg_step *s, int *done);
  /* v = hash noise in [-1, 1): entry i, component c of node i / ncomp (mix64 of the row's number) */
  bf_err (*noise)(bf_backend *be, bf_int n, int ncomp, int salt, double *v);
  /* w = s . noise, the first vector of Lanczos, and S->scale[0] */
  bf_err (*lanczos_start)(bf_backend *be, bf_int n, int ncomp, int salt, const double *s, double *w,
                          bf_mg_lanczos *S);
  /* step k from y = A w_k and S->dot[0]: before holds w_k-1, which is not read for k = 0, and becomes w_k+1
   */
  bf_err (*lanczos_step)(bf_backend *be, bf_int n, int k, const double *s, const double *y, const double *w,
                         double *before, bf_mg_lanczos *S);
  /* flag[i] = 1 where y[i] = d[i] v[i], the row of a decoupled unknown */
  bf_err (*decoupled)(bf_backend *be, bf_int n, const double *d, const double *v, const double *y,
                      uint8_t *flag);
  /* s = sqrt(1 / d), 1 where d is not positive and finite; *bad (backend): 1 where that is so and flag is not
   * set, else
   * 0 */
  bf_err (*root)(bf_backend *be, bf_int n, const double *d, const uint8_t *flag, double *s, int *bad);
  /* near-null space of nodes at x[nodes][3] (NULL: constants of each component), column by column,
   * modes[q][nodes
   * * ncomp]; 0 where flag is set.  Rigid motions: q = 3 of ncomp 2, 6 of ncomp 3, x in units near 1 */
  bf_err (*near_null)(bf_backend *be, bf_int nodes, int ncomp, const double *x, const uint8_t *flag,
                      double *modes);
  /* *most (backend) = the largest quotient of the entries d of one component at neighbouring nodes of the
   * lattice n[3]; quotients up to 2 count as 1; entries that are not positive or have a flag do not count */
  bf_err (*jump)(bf_backend *be, const bf_int n[3], int ncomp, const double *d, const uint8_t *flag,
                 double *most);
  /* x[nodes][3] = by (x - middle); 0 where the first coordinate of a node is not finite */
  bf_err (*centre)(bf_backend *be, bf_int nodes, const double middle[3], double by, double *x);
  /* y = s . x, entry by entry; y may be x */
  bf_err (*scale)(bf_backend *be, bf_int n, const double *s, const double *x, double *y);
  /* X(i,j) = s(i) s(j) X(i,j), and + shift where i = j; X[n][n] */
  bf_err (*scale_both)(bf_backend *be, bf_int n, const double *s, double shift, double *X);
  /* optional, NULL where queueing costs nothing:
   * record  what `queue` queues, which was queued once before, becomes *graph; nothing is done.  st != NULL
   *         (backend): a replay does nothing where st has left RUNNING or st->rr is at most st->rr_stop; a
   *         backend without such a condition does it always
   * replay  does it; *valid 0: memory of the backend has moved since, nothing is done, record again */
  bf_err (*record)(bf_backend *be, bf_err (*queue)(void *context), void *context,
                   const struct bf_krylov_state *st, struct bf_mg_recorded **graph);
  bf_err (*replay)(bf_backend *be, const struct bf_mg_recorded *graph, int *valid);
  void (*forget)(bf_backend *be, struct bf_mg_recorded **graph);
  /* y = X x, X[n][n] by rows, fp64 */
  bf_err (*coarsest)(bf_backend *be, bf_int n, const double *X, const double *x, double *y);
} bf_mg_cycle_ops;

struct bf_mg_plane_ops;     /* planes.h */
struct bf_mg_aggregate_ops; /* aggregates.h */
#endif
