/* solvers/solver.h - solution of A x = b, iterative or by factorisation: options and report
 *
 * Solvers use matrices and backends, not elements. Vectors are backend memory of bf_vector_create with the
 * matrix's guard.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_SOLVER_H
#define BF_SOLVER_H
#include "base/partition/partition.h"
#include "base/solve_report.h"
#include "kernels/matrix/matrix.h"
#include "kernels/multigrid/local_problem.h"
#include "solvers/linear/inverse.h"

typedef enum {
  BF_METHOD_CG,
  BF_METHOD_BICGSTAB,
  BF_METHOD_BICG,
  BF_METHOD_DIRECT,
  BF_METHOD_INVERSE,
  BF_METHODS
} bf_method;
typedef enum {
  BF_PRECOND_NONE,
  BF_PRECOND_JACOBI,
  BF_PRECOND_BLOCK_JACOBI,
  BF_PRECOND_MULTIGRID,
  BF_PRECOND_AUTO, /* Jacobi, and multigrid once `trial` iterations have not come half of the way */
  BF_PRECONDS
} bf_precond;

/* What can serve several solves with one matrix: the parts of bf_kept, which the caller clears at the end. */
typedef struct bf_kept {
  struct bf_factors *factors; /* owned: direct */
  struct bf_blocks  *blocks;  /* owned: block_jacobi */
} bf_kept;
void bf_kept_clear(bf_kept *kept);

typedef struct bf_multigrid bf_multigrid; /* a hierarchy, which can serve several solves with one matrix */
void                        bf_multigrid_destroy(bf_multigrid **out);

/* Small solves with multigrid that use the kernels of a large one, of a body of `dim` dimensions with `ncomp`
 * unknowns a node, on a lattice or in compressed rows.  A device loads a kernel when it is first used: a
 * thread with a backend of its own has that done while the host is busy.  stop(context) not 0: ends between
 * solves. */
bf_err bf_multigrid_warm_up(struct bf_backend *be, int dim, int ncomp, int lattice,
                            int (*stop)(void *context), void *context);

/* Multigrid: how levels are made, how they are visited. */
typedef enum {
  BF_COARSENING_AUTO,
  BF_COARSENING_PLANES,
  BF_COARSENING_AGGREGATES,
  BF_COARSENING_SPECTRAL, /* aggregates with eigenvectors; needs `elements` of the body */
  BF_COARSENINGS
} bf_coarsening;
typedef enum { BF_CYCLE_AUTO, BF_CYCLE_V, BF_CYCLE_W, BF_CYCLES } bf_cycle;
typedef struct bf_multigrid_options {
  /* auto: planes where the matrix has a lattice without jumps; spectral where the stiffness of an elastic
   * body jumps; else aggregates */
  bf_coarsening coarsening;
  bf_cycle      cycle;  /* auto: V with planes alone, else W */
  int           degree; /* of the smoother, 1..4; 0: 2, or 3 on the first level where `body` asks for it */
  bf_int
      coarsest; /* unknowns of the coarsest level at most; 0: 2000 on a device, 1000 on the CPU; of spectral
                 * aggregates 12288 and 4096: below, stiff parts that are long lose their low modes */
  double theta; /* couplings of aggregates are strong from here on; 0 .. 1 */
  double tau;   /* spectral: eigenvectors below this eigenvalue are kept; 0: 0.2, elastic bodies 0.15 */
} bf_multigrid_options;

/* The elements of a body, for spectral aggregates: backend memory, all arrays owned by who asked for them
 * (bf_multigrid_elements_clear). */
typedef struct bf_multigrid_elements {
  bf_element_set set;         /* nodes are node rows of the matrix; ne 0: there are none */
  double        *coefficient; /* [ne] > 0: how stiff an element is beside others */
} bf_multigrid_elements;
void bf_multigrid_elements_clear(bf_backend *be, bf_multigrid_elements *e);

/* Of which node of a coarse level each node row of the matrix is a part, on the first levels: made with the
 * hierarchy, composed down to the rows of the matrix. */
enum { BF_MULTIGRID_PARENTS = 2 };
typedef struct bf_multigrid_parent {
  const char *coarsening; /* how the level was made, as in the report */
  bf_int      count;      /* nodes of the level */
  bf_int      grid[3];    /* planes: those of the level, node = i + grid[0] (j + grid[1] k); else 0 */
  bf_int     *of;         /* host, owned [rows]: the node, -1: none */
} bf_multigrid_parent;
typedef struct bf_multigrid_parents {
  int                 nlevels; /* 0: no hierarchy, or one of a single level */
  bf_int              rows;    /* node rows of the matrix */
  bf_multigrid_parent level[BF_MULTIGRID_PARENTS];
} bf_multigrid_parents;
void bf_multigrid_parents_clear(bf_multigrid_parents *p);

/* Data of the body beside the matrix; host, borrowed by the solve. */
typedef struct bf_multigrid_body {
  /* coordinates of node row r: place + 3 node[r], node[r] -1: none; NULL: those of x.  For the distances of
   * planes alone, of any physics */
  const double *place;
  const bf_int *node;
  const double *x; /* [nodes][3]: coordinates of the node of each node row; NULL: constants per component */
  const bf_int *frame; /* [nodes]: index into T of node rows whose unknowns are u' of u = T u', or -1; NULL:
                          all are along x, y, z */
  const double *T;     /* [frames][ncomp][ncomp] */
  int           rigid; /* the unknowns are displacements in 2 or 3 dimensions: rotations have no energy */
  int           stiff; /* nu > 0.4 or serendipity elements: one degree more on the first level */
  /* quadratic elements: node rows whose value is the mean of 1 (a vertex: itself), 2, 4 or 8 vertices;
   * ends[nodes][8], count[nodes], 0 for a row without a node; NULL: no such elements */
  const bf_int (*ends)[8];
  const uint8_t *count;
  /* element matrices, made when a hierarchy needs them; NULL: there are none */
  bf_err (*elements)(void *context, bf_multigrid_elements *out);
  void                 *context;
  bf_multigrid_parents *parents; /* filled in with the hierarchy; NULL: nobody asks for them */
  double contrast; /* the largest of their coefficients over the smallest, 1 where none jumps; 0: not known */
} bf_multigrid_body;

typedef struct bf_progress { /* data for a monitor, every `monitor_every` iterations and at the end */
  int    iteration, limit;
  double residual;     /* relative, from the recurrence */
  double rate;         /* reduction per iteration since the last reading, < 1 is progress */
  double seconds;      /* since the start of the solve */
  double seconds_left; /* by the mean rate since the start; < 0 = unknown */
} bf_progress;

/* Automatic limit: max(20000, 100 sqrt(n)) for n unknowns; with CG it grows, up to 20 n, by the Ritz values
 * of the iteration (iteration_limit.h). */
enum { BF_ITERATIONS_AUTO = -1, BF_ITERATIONS_MOST = 100000000 };

typedef struct bf_solve_options {
  bf_method  method;
  bf_precond precond;
  double     rtol, atol;     /* stop: ||b - A x|| <= max(rtol*||b||, atol), true residual */
  int        max_iterations; /* 0 .. BF_ITERATIONS_MOST, or BF_ITERATIONS_AUTO */
  int        monitor_every;  /* iterations between readings of the state by the host, 1.. */
  void (*monitor)(void *context, const bf_progress *p); /* may be NULL */
  void *context;
  int (*interrupted)(void *context);     /* may be NULL; not 0: the iteration ends at this reading */
  const bf_partition      *parts;        /* block_jacobi: of the nodes of A, borrowed */
  bf_prec                  block_values; /* block_jacobi: type in which the inverses are stored */
  bf_multigrid_options     multigrid;
  const bf_multigrid_body *body; /* multigrid: or NULL */
  bf_multigrid **kept; /* multigrid: the hierarchy of an earlier solve with this matrix, or of this one
                          if *kept is NULL; the caller destroys it.  NULL: made anew, and destroyed */
  bf_kept *closed; /* direct, block_jacobi: factors or blocks of an earlier solve with this matrix, or of this
                      one; NULL: made anew, and destroyed */
  int trial;       /* auto: iterations with Jacobi before the decision; they cost what multigrid would.  0:
                      multigrid at once */
} bf_solve_options;

typedef struct bf_solve_report {
  bf_krylov_status reason;
  char             text[600];       /* the reason in words, and possible causes */
  int              iterations;      /* in all, restarts included */
  int              restarts;        /* corrections with the true residual */
  int              limit;           /* iterations that were allowed */
  int              fp32_iterations; /* of these with the fp32 values of A_fast */
  double           norm_b;          /* ||b|| */
  double           residual;        /* relative, of the recurrence, at the end */
  double           true_residual;   /* ||b - A x|| / ||b||, recomputed with the fp64 matrix */
  int              to_rounding;     /* converged by the backward error, above rtol (backward_error.h) */
  double backward_error, condition, forward_error; /* estimates; NaN: not computed (backward_error.h) */
  double seconds;
  bf_blocks_report    blocks;
  bf_multigrid_report multigrid;
  bf_inverse_report   inverse;  /* of method inverse, else all 0 */
  bf_int              unknown;  /* direct, where it failed: the row of the smallest pivot; else -1 */
  int                 nhistory; /* iterations + 1 */
  double             *history;  /* host, owned: relative residual norms */
  double *true_history;         /* host, owned [nhistory]: true residual where it was computed, else NaN */
  double *time_history;         /* host, owned [nhistory]: seconds at the reading after the iteration */
} bf_solve_report;

/* Solves A x = b from the start x.  A_fast: the same matrix with cheaper values (fp32) used for the
 * iterations, or NULL = A; the true residual always uses A, and the iteration is restarted on the correction
 * until it meets the tolerance or gains nothing.  b = 0 gives x = 0.  Not converging is not an error:
 * report->reason.  BF_E_ARG for a tolerance that is not positive and finite (both 0, NaN).  Memory:
 * bf_solve_vectors, bf_solve_transpose_bytes and the history; block_jacobi: bf_blocks_forecast.  The
 * preconditioner is computed from A; with CG it is symmetric. */
bf_err bf_solve(const bf_matrix *A, const bf_matrix *A_fast, const double *b, double *x,
                const bf_solve_options *opt, bf_solve_report *report);

/* BF_METHOD_DIRECT factors the band of the equilibrated matrix: Cholesky where A is symmetric with a positive
 * diagonal and positive definite, else LU with row exchanges.  The solution and up to 9 refinements
 * count as iterations.  With report->unknown: BF_KRYLOV_SINGULAR, a pivot is zero, x is the start;
 * BF_KRYLOV_ILL_CONDITIONED, the estimated condition number is above 1/u; x is the solution of the factors,
 * which may have no correct digit.  On the CPU backend only: BF_E_UNSUPPORTED elsewhere.  BF_E_MEMORY with
 * the sizes if the band does not fit. */
typedef struct bf_direct_cost {
  bf_int  half;         /* half-bandwidth in scalar rows */
  int64_t band, beside; /* bytes of the factors, and of the other arrays */
  double  flops;        /* of the factorisation, at most */
} bf_direct_cost;

/* BF_METHOD_INVERSE makes the inverse X of the symmetric matrix as a dense matrix (linear/inverse.h; of the
 * values of A_fast in fp32 where that is given), x = X b, and corrections x += X (b - A x) that count as
 * iterations.  report->forward_error is a bound of ||x - A^-1 b||_inf / ||x||_inf, not an estimate;
 * report->condition is ||A||_1 ||X||_1.  On every backend that has bf_syinv, of order up to
 * BF_SYINV_LARGEST: BF_E_ARG above; BF_E_ARG for a matrix that is not symmetric to rounding. */
/* Bytes: backend memory, and host memory beside it. */
bf_err bf_inverse_forecast(bf_backend *be, bf_int n, int fp32, int64_t *backend, int64_t *host);

/* Cost of the factorisation of a matrix with this node pattern; symmetric: and positive definite. */
bf_err bf_direct_forecast(const bf_graph *pattern, int ncomp, int symmetric, bf_direct_cost *cost);

/* Vectors of the rows of A that bf_solve allocates beside b and x, from the start on; a restart adds one. */
int bf_solve_vectors(bf_method method, bf_precond precond, bf_format format, int on_device);
/* Bytes of the transposed copy that BiCG keeps if the format has no product with the transpose; nnz, nrows:
 * of A in scalars. */
int64_t bf_solve_transpose_bytes(bf_method method, bf_format format, int64_t nnz, bf_int nrows, bf_prec prec);

void        bf_solve_report_clear(bf_solve_report *report);
const char *bf_method_name(bf_method method);             /* the deck's word */
const char *bf_precond_name(bf_precond precond);          /* the deck's word */
const char *bf_coarsening_name(bf_coarsening coarsening); /* the deck's word */
const char *bf_cycle_name(bf_cycle cycle);                /* the deck's word */
const char *bf_reason_name(bf_krylov_status reason);      /* "converged", "iteration limit", ... */
#endif
