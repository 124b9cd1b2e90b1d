/* solvers/linear/multigrid/cycle.c - one V or W cycle
 *
 *     smoother of degree k, z_0 = 0:   z_j = (2j-3)/(2j+1) z_j-1 + (8j-4)/((2j+1) lambda) D^-1 r
 *                                      x += beta_j z_j,   r -= A z_j,   j = 1 .. k
 *
 * with beta of the optimised fourth-kind polynomial; unsymmetric: z_j = omega D^-1 r, beta = 1.  The same
 * polynomial before and after the correction makes the cycle symmetric.  A step adds beta z of the step
 * before, which it reads anyway.
 *
 * Source: J. Lottes, Numer. Linear Algebra Appl. 30 (2023) e2518, doi 10.1002/nla.2518, algorithm 3 and
 * table 1. Cost: 2 k products of each level (W: 2^l times on level l), 4 to 5 vectors a step beside the
 * product.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/multigrid/block_rows.h"
#include "kernels/multigrid/ops.h"
#include "solvers/linear/multigrid/multigrid.h"

enum { DEGREES = 4 };
static const double BETA[DEGREES][DEGREES] = {
    {1.125},
    {1.02387287570313, 1.26408905371085},
    {1.00842544782028, 1.08867839208730, 1.33753125909618},
    {1.00391310427285, 1.04035811188593, 1.14863498546254, 1.38268869241000}};
static const double OMEGA = 0.5; /* damping of Jacobi for unsymmetric matrices */

/* c1, c2 of step j */
static bf_mg_step coefficients(const bf_multigrid *M, const bf_mg_level *L, int j)
{
  if (!M->symmetric) return (bf_mg_step){.c2 = OMEGA, .dinv = L->dinv};
  return (bf_mg_step){.c1   = j > 1 ? (2.0 * j - 3.0) / (2.0 * j + 1.0) : 0.0,
                      .c2   = (8.0 * j - 4.0) / ((2.0 * j + 1.0) * L->lambda),
                      .dinv = L->dinv};
}

static double beta(const bf_multigrid *M, const bf_mg_level *L, int j)
{
  return M->symmetric ? BETA[L->degree - 1][j - 1] : 1.0;
}

/* The step with y = A v, v neither s->next nor s->x. */
static bf_err with_product(const bf_multigrid *M, const bf_mg_level *L, const double *v, const bf_mg_step *s)
{
  const bf_mg_cycle_ops *ops  = M->be->ops.mg_cycle;
  int                    done = 0;
  if (ops->product_step) BF_TRY(ops->product_step(M->be, L->A, L->rows, v, s, &done));
  if (done) return BF_OK;
  BF_TRY(L->A ? bf_matrix_spmv(L->A, v, L->y, NULL, NULL) : bf_block_rows_spmv(L->rows, v, L->y));
  return ops->step(M->be, L->n, s, L->y);
}

/* Steps 2 .. degree; z: that of step 1, which x does not contain yet; r: its residual; add: x is not 0. */
static bf_err more_steps(const bf_multigrid *M, const bf_mg_level *L, double *z, const double *r, int add,
                         double *x)
{
  double *other = z == L->z ? L->w : L->z;
  for (int j = 2; j <= L->degree; j++) {
    const int  last = j == L->degree;
    bf_mg_step s    = coefficients(M, L, j);
    s.b             = r;
    s.r             = last ? NULL : L->r;
    s.z             = z;
    s.next          = last ? NULL : other;
    s.x             = x;
    s.add           = add || j > 2;
    s.before        = beta(M, L, j - 1);
    s.beta          = last ? beta(M, L, j) : 0.0;
    BF_TRY(with_product(M, L, z, &s));
    r     = L->r;
    other = z;
    z     = s.next;
  }
  return BF_OK;
}

/* x = S(b) from x = 0. */
static bf_err smooth_first(const bf_multigrid *M, const bf_mg_level *L, const double *b, double *x)
{
  bf_mg_step s = coefficients(M, L, 1);
  s.b          = b;
  s.next       = L->degree > 1 ? L->z : NULL;
  s.x          = L->degree > 1 ? NULL : x;
  s.beta       = beta(M, L, 1);
  BF_TRY(M->be->ops.mg_cycle->step(M->be, L->n, &s, NULL));
  return more_steps(M, L, L->z, b, 0, x);
}

/* x += S(b - A x) */
static bf_err smooth_again(const bf_multigrid *M, const bf_mg_level *L, const double *b, double *x)
{
  bf_mg_step s = coefficients(M, L, 1);
  s.b          = b;
  s.r          = L->degree > 1 ? L->r : NULL;
  s.next       = L->z;
  BF_TRY(with_product(M, L, x, &s));
  if (L->degree == 1) return BF_OP(M->be, vector.axpby, L->n, beta(M, L, 1), L->z, 1.0, x);
  return more_steps(M, L, L->z, L->r, 1, x);
}

/* r = b - A x; r may be b */
static bf_err residual(const bf_multigrid *M, const bf_mg_level *L, const double *b, const double *x,
                       double *r)
{
  const bf_mg_step s = {.b = b, .r = r};
  return with_product(M, L, x, &s);
}

/* x = the cycle on level l applied to b. */
static bf_err cycle(const bf_multigrid *M, int l, const double *b, double *x)
{
  const bf_mg_level *L = &M->level[l];
  if (l == M->nlevels - 1) return M->be->ops.mg_cycle->coarsest(M->be, L->n, M->inverse, b, x);
  const bf_mg_level *C     = &M->level[l + 1];
  const int          again = M->cycle == 2 && l + 1 < M->nlevels - 1;
  BF_TRY(smooth_first(M, L, b, x));
  BF_TRY(residual(M, L, b, x, L->y));
  BF_TRY(L->T.restricted(L->T.self, L->y, C->b));
  BF_TRY(cycle(M, l + 1, C->b, C->x));
  if (again) {
    BF_TRY(residual(M, C, C->b, C->x, C->b));
    BF_TRY(cycle(M, l + 1, C->b, C->e));
    BF_TRY(BF_OP(M->be, vector.axpby, C->n, 1.0, C->e, 1.0, C->x));
  }
  BF_TRY(L->T.prolong(L->T.self, C->x, x));
  return smooth_again(M, L, b, x);
}

typedef struct request { /* one cycle to be queued */
  const bf_multigrid *M;
  const double       *r;
  double             *z;
} request;

static bf_err queue(void *context)
{
  const request *q = context;
  return cycle(q->M, 0, q->r, q->z);
}

static int same(const bf_mg_record *a, const bf_mg_record *b)
{
  return a->r == b->r && a->z == b->z && a->watch == b->watch;
}

/* The record of these vectors, moved to the front; one without a graph where there was none. */
static bf_mg_record *find_record(const bf_multigrid *M, const double *r, double *z, int *known)
{
  bf_mg_record *list = M->record, found = {r, z, M->watch, NULL};
  int           k = 0;
  while (k < BF_MG_RECORDS - 1 && !same(&list[k], &found)) k++;
  *known = same(&list[k], &found);
  if (*known) found = list[k];
  if (!*known && list[k].graph) M->be->ops.mg_cycle->forget(M->be, &list[k].graph);
  for (; k > 0; k--) list[k] = list[k - 1];
  list[0] = found;
  return list;
}

/* The cycle; from the second time on with the same vectors as a recorded graph, where the backend has graphs.
 */
static bf_err run_cycle(const bf_multigrid *M, const double *r, double *z)
{
  const bf_mg_cycle_ops *ops   = M->be->ops.mg_cycle;
  request                q     = {M, r, z};
  int                    known = 0, valid = 0;
  if (!ops->record || M->nlevels == 1) return queue(&q);
  bf_mg_record *entry = find_record(M, r, z, &known);
  if (!known) return queue(&q);
  if (entry->graph) BF_TRY(ops->replay(M->be, entry->graph, &valid));
  if (valid) return BF_OK;
  if (entry->graph) {
    ops->forget(M->be, &entry->graph);
    return queue(&q);
  }
  BF_TRY(ops->record(M->be, queue, &q, M->watch, &entry->graph));
  if (entry->graph) BF_TRY(ops->replay(M->be, entry->graph, &valid));
  return valid ? BF_OK : queue(&q);
}

bf_err bf_multigrid_apply(const void *self, int transposed, const double *r, double *z, double *dot)
{
  const bf_multigrid *M = self;
  BF_CHECK(!transposed || M->symmetric, BF_E_UNSUPPORTED,
           "multigrid of an unsymmetric matrix has no transpose: use bicgstab");
  BF_TRY(run_cycle(M, r, z));
  if (dot) BF_TRY(BF_OP(M->be, vector.dot, M->level[0].n, r, z, dot));
  return BF_OK;
}
