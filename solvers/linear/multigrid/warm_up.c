/* solvers/linear/multigrid/warm_up.c - see solver.h: small solves that use the kernels of a large one
 *
 * A device loads the code of a kernel when it is first used: 15 to 27 ms in all in a solve with multigrid
 * (H200, CUDA 13.0), which itself takes 20 to 50.  The matrices are -1 towards every neighbour of a lattice,
 * in each component; their sizes are those at which products change their kernels.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "kernels/multigrid/planes_point.h"
#include "solvers/linear/multigrid/multigrid.h"
#include <math.h>

enum { ITERATIONS = 4 };

typedef struct warm_up {
  bf_backend *be;
  bf_int      n[3];
  int         D;
  bf_matrix  *A;     /* fp64, half storage of diagonals */
  double     *b, *x; /* backend */
  double     *place; /* host [nodes][3] */
} warm_up;

/* Number of the point of an offset >= 0. */
static int point_of(const bf_int n[3], bf_int off)
{
  int d[3], point = BF_LATTICE_SELF;
  for (; point < BF_LATTICE_POINTS - 1; point++) {
    bf_lattice_step(point, d);
    if (d[0] + n[0] * (d[1] + n[1] * d[2]) == off) break;
  }
  return point;
}

static bf_err fill(const warm_up *R)
{
  const bf_bdia *B      = R->A ? R->A->bdia : NULL;
  const int      D      = R->D;
  double        *values = NULL;
  BF_CHECK(B, BF_E_ARG, "no matrix of a lattice");
  BF_TRY(BF_NEW_ARRAY(values, B->nvalues));
  for (int k = 0; k < B->ndiag; k++) {
    const int point = point_of(R->n, B->off[k]);
    int       d[3];
    bf_lattice_step(point, d);
    for (bf_int i = 0; i < B->nrows; i++) {
      bf_int x[3];
      bf_lattice_place(R->n, i, x);
      if (!bf_lattice_inside(R->n, x, d)) continue;
      for (int c = 0; c < D; c++)
        values[bf_bdia_at(B->seg, D, k * D + c, (int64_t)i * D + c)] = point == BF_LATTICE_SELF ? 27.0 : -1.0;
    }
  }
  const bf_err err =
      R->be->ops.copy(R->be, B->values, values, (size_t)B->nvalues * sizeof *values, BF_TO_DEVICE);
  bf_host_free(values);
  return err;
}

static bf_err begin(warm_up *R)
{
  bf_err       err   = BF_OK;
  const size_t nodes = (size_t)R->n[0] * (size_t)R->n[1] * (size_t)R->n[2];
  double      *ones  = NULL;
  BF_GO(bf_lattice_matrix(R->be, R->n, R->D, 1, &R->A));
  BF_GO(fill(R));
  BF_GO(bf_vector_create(R->be, R->A->nrows, R->A->guard, &R->b));
  BF_GO(bf_vector_create(R->be, R->A->nrows, R->A->guard, &R->x));
  BF_GO(BF_NEW_ARRAY(ones, R->A->nrows));
  for (bf_int i = 0; i < R->A->nrows; i++) ones[i] = 1.0;
  BF_GO(R->be->ops.copy(R->be, R->b, ones, (size_t)R->A->nrows * sizeof *ones, BF_TO_DEVICE));
  BF_GO(BF_NEW_ARRAY(R->place, 3 * nodes));
  for (bf_int i = 0; i < (bf_int)nodes; i++) {
    bf_int x[3];
    bf_lattice_place(R->n, i, x);
    for (int a = 0; a < 3; a++) R->place[3 * (size_t)i + (size_t)a] = (double)x[a];
  }
done:
  bf_host_free(ones);
  return err;
}

static void end(warm_up *R)
{
  const bf_int guard = R->A ? R->A->guard : 0;
  bf_vector_destroy(R->be, guard, &R->b);
  bf_vector_destroy(R->be, guard, &R->x);
  bf_matrix_destroy(&R->A);
  bf_host_free(R->place);
}

static bf_err solve(warm_up *R, const bf_matrix *A, bf_coarsening how)
{
  const bf_multigrid_body body = {.x = R->place, .rigid = R->D > 1};
  const bf_solve_options  opt  = {.method         = BF_METHOD_CG,
                                  .precond        = BF_PRECOND_MULTIGRID,
                                  .rtol           = 1e-14,
                                  .max_iterations = ITERATIONS,
                                  .multigrid      = {.coarsening = how, .theta = 0.02},
                                  .body           = &body};
  bf_solve_report         rep;
  BF_TRY(R->be->ops.zero(R->be, R->x, (size_t)A->nrows * sizeof *R->x));
  const bf_err err = bf_solve(A, NULL, R->b, R->x, &opt, &rep);
  bf_solve_report_clear(&rep);
  return err;
}

/* One lattice: by planes and by aggregates, or by aggregates in rows. */
static bf_err one(bf_backend *be, const bf_int n[3], int D, int lattice, int (*stop)(void *context),
                  void *context)
{
  bf_err     err  = BF_OK;
  warm_up    R    = {.be = be, .n = {n[0], n[1], n[2]}, .D = D};
  bf_matrix *rows = NULL;
  BF_GO(begin(&R));
  if (lattice) {
    BF_GO(solve(&R, R.A, BF_COARSENING_PLANES));
    if (!stop(context)) BF_GO(solve(&R, R.A, BF_COARSENING_AGGREGATES));
  } else {
    const bf_matrix_form form = {.format = D > 1 ? BF_FORMAT_BCSR : BF_FORMAT_CSR16, .ncomp = D};
    BF_GO(bf_matrix_convert(R.A, &form, &rows));
    BF_GO(solve(&R, rows, BF_COARSENING_AGGREGATES));
  }
done:
  bf_matrix_destroy(&rows);
  end(&R);
  return err;
}

bf_err bf_multigrid_warm_up(bf_backend *be, int dim, int ncomp, int lattice, int (*stop)(void *context),
                            void *context)
{
  static const bf_int sizes[2][2][3] = {{{300, 220, 1}, {500, 450, 1}}, {{45, 45, 45}, {60, 60, 60}}};
  static const bf_int blocks[2][3]   = {{100, 90, 1}, {24, 16, 16}};
  const int           d              = dim == 3;
  BF_CHECK(be && stop, BF_E_ARG, "null argument");
  BF_CHECK(ncomp >= 1 && ncomp <= 3, BF_E_ARG, "%d unknowns of a node", ncomp);
  if (ncomp > 1) return one(be, blocks[d], ncomp, lattice, stop, context);
  for (int k = 0; k < 2 && !stop(context); k++) BF_TRY(one(be, sizes[d][k], 1, lattice, stop, context));
  return BF_OK;
}
