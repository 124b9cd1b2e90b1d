/* tests/solvers/lattice_fem.h - linear elements on a lattice of cells: heat or elasticity, curved or graded,
 * with a coefficient per cell; half storage; the face x = 0 is fixed
 *
 * Node (i0, i1, i2) is row i2 + n2 (i1 + n1 i0): the last index runs fastest, as in the study that the counts
 * of iterations come from.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_TESTS_SOLVERS_LATTICE_FEM_H
#define BF_TESTS_SOLVERS_LATTICE_FEM_H
#include "kernels/matrix/host_csr.h"
#include "kernels/multigrid/hash_noise.h"
#include "solvers/solver.h"
#include "tests/backend.h"
#include <math.h>

typedef struct t_body {
  int    dim, D;                                    /* D: 1 heat, dim elasticity */
  bf_int cells[3];                                  /* cells[2] = 0 in 2D */
  double nu;                                        /* elasticity; E is the coefficient */
  void (*map)(const struct t_body *b, double x[3]); /* from numbers of nodes to places; NULL: the same */
  double (*coefficient)(const struct t_body *b, const bf_int cell[3]); /* NULL: 1 */
  double grade[3]; /* for maps: ratio of cells, or their size */
} t_body;

static inline bf_int t_body_planes(const t_body *b, int a)
{
  return a < b->dim ? b->cells[a] + 1 : 1;
}
static inline bf_int t_body_row(const t_body *b, const bf_int i[3])
{
  return b->dim == 3 ? i[2] + t_body_planes(b, 2) * (i[1] + t_body_planes(b, 1) * i[0])
                     : i[1] + t_body_planes(b, 1) * i[0];
}

static inline double t_determinant(int d, double J[3][3], double inv[3][3])
{
  if (d == 2) {
    const double det = J[0][0] * J[1][1] - J[0][1] * J[1][0];
    inv[0][0] = J[1][1] / det, inv[0][1] = -J[0][1] / det;
    inv[1][0] = -J[1][0] / det, inv[1][1] = J[0][0] / det;
    return det;
  }
  double det = 0.0;
  for (int i = 0; i < 3; i++)
    det += J[0][i] * (J[1][(i + 1) % 3] * J[2][(i + 2) % 3] - J[1][(i + 2) % 3] * J[2][(i + 1) % 3]);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      const int r = (j + 1) % 3, s = (j + 2) % 3, p = (i + 1) % 3, q = (i + 2) % 3;
      inv[i][j] = (J[r][p] * J[s][q] - J[r][q] * J[s][p]) / det;
    }
  return det;
}

/* Gradients of the 2^d shape functions at Gauss point q; returns |J| */
static inline double t_gradients(int d, double x[8][3], int q, double G[8][3])
{
  const double g = 1.0 / sqrt(3.0);
  double       dN[8][3], J[3][3] = {{0.0}}, inv[3][3];
  for (int k = 0; k < 1 << d; k++)
    for (int a = 0; a < d; a++) {
      dN[k][a] = (k >> a & 1 ? 0.5 : -0.5);
      for (int b = 0; b < d; b++)
        if (b != a) dN[k][a] *= 0.5 * (1.0 + (k >> b & 1 ? 1.0 : -1.0) * (q >> b & 1 ? g : -g));
    }
  for (int a = 0; a < d; a++) /* J[a][b] = dx_a / dxi_b */
    for (int b = 0; b < d; b++)
      for (int k = 0; k < 1 << d; k++) J[a][b] += x[k][a] * dN[k][b];
  const double det = t_determinant(d, J, inv);
  for (int k = 0; k < 1 << d; k++)
    for (int a = 0; a < d; a++) {
      G[k][a] = 0.0;
      for (int b = 0; b < d; b++) G[k][a] += dN[k][b] * inv[b][a];
    }
  return fabs(det);
}

/* K[8 D][8 D], corner k at bit a of direction a */
static inline void t_element(const t_body *b, double x[8][3], double coefficient, double K[24][24])
{
  const int    m = 1 << b->dim, D = b->D;
  const double lambda = b->nu / ((1.0 + b->nu) * (1.0 - 2.0 * b->nu)), mu = 0.5 / (1.0 + b->nu);
  memset(K, 0, 24 * 24 * sizeof(double));
  for (int q = 0; q < m; q++) {
    double       G[8][3];
    const double w = coefficient * t_gradients(b->dim, x, q, G);
    for (int i = 0; i < m; i++)
      for (int j = 0; j < m; j++) {
        double dot = 0.0;
        for (int a = 0; a < b->dim; a++) dot += G[i][a] * G[j][a];
        for (int a = 0; a < D; a++)
          for (int c = 0; c < D; c++)
            K[i * D + a][j * D + c] +=
                D == 1 ? w * dot
                       : w * (lambda * G[i][a] * G[j][c] + mu * (G[i][c] * G[j][a] + (a == c ? dot : 0.0)));
      }
  }
}

typedef struct t_assembly {
  bf_int  *row, *col;
  double  *val;
  int64_t  count;
  uint8_t *fixed;
} t_assembly;

/* Entries of one cell; fixed unknowns keep their diagonal entries. */
static inline void t_body_cell(const t_body *b, const double *x, const bf_int cell[3], t_assembly *t)
{
  const int m = 1 << b->dim, D = b->D;
  bf_int    node[8];
  double    corner[8][3], K[24][24];
  for (int k = 0; k < m; k++) {
    const bf_int at[3] = {cell[0] + (k & 1), cell[1] + (k >> 1 & 1), cell[2] + (k >> 2)};
    node[k]            = t_body_row(b, at);
    memcpy(corner[k], x + 3 * (size_t)node[k], sizeof corner[k]);
  }
  t_element(b, corner, b->coefficient ? b->coefficient(b, cell) : 1.0, K);
  for (int i = 0; i < m * D; i++)
    for (int j = 0; j < m * D; j++) {
      const bf_int r = node[i / D] * D + i % D, c = node[j / D] * D + j % D;
      if (r != c && (t->fixed[r] || t->fixed[c])) continue;
      t->row[t->count]   = r;
      t->col[t->count]   = c;
      t->val[t->count++] = K[i][j];
    }
}

/* *x [nodes][3] is the caller's (free). */
static inline bf_matrix *t_body_matrix(const t_body *b, int half, double **x)
{
  const bf_int  n[3]  = {t_body_planes(b, 0), t_body_planes(b, 1), t_body_planes(b, 2)};
  const bf_int  nodes = n[0] * n[1] * n[2], rows = nodes * b->D;
  const int64_t cells = (int64_t)b->cells[0] * b->cells[1] * (b->dim == 3 ? b->cells[2] : 1);
  const size_t  most  = (size_t)cells * (size_t)((1 << b->dim) * b->D) * (size_t)((1 << b->dim) * b->D);
  t_assembly    t     = {.row = malloc(most * sizeof(bf_int)), .col = malloc(most * sizeof(bf_int))};
  bf_sparse    *S     = NULL;
  bf_matrix    *A     = NULL;
  bf_int        i[3];
  t.val   = malloc(most * sizeof(double));
  t.fixed = calloc((size_t)rows, 1);
  *x      = calloc((size_t)nodes * 3, sizeof **x);
  assert_true(t.row && t.col && t.val && t.fixed && *x);
  for (i[0] = 0; i[0] < n[0]; i[0]++)
    for (i[1] = 0; i[1] < n[1]; i[1]++)
      for (i[2] = 0; i[2] < n[2]; i[2]++) {
        const bf_int row = t_body_row(b, i);
        for (int a = 0; a < 3; a++) (*x)[3 * (size_t)row + (size_t)a] = i[a];
        if (b->map) b->map(b, *x + 3 * (size_t)row);
        for (int a = 0; a < b->D; a++) t.fixed[row * b->D + a] = i[0] == 0;
      }
  for (i[0] = 0; i[0] < b->cells[0]; i[0]++)
    for (i[1] = 0; i[1] < b->cells[1]; i[1]++)
      for (i[2] = 0; i[2] < (b->dim == 3 ? b->cells[2] : 1); i[2]++) t_body_cell(b, *x, i, &t);
  T_OK(bf_sparse_from_triplets(rows, rows, t.count, t.row, t.col, t.val, &S));
  T_OK(bf_matrix_from_sparse(t_be, S,
                             &(bf_matrix_form){.format = BF_FORMAT_BDIA, .half = half, .ncomp = b->D}, &A));
  bf_sparse_destroy(&S);
  free(t.row);
  free(t.col);
  free(t.val);
  free(t.fixed);
  return A;
}

/* Iterations of CG from 0 to 1e-8 for a right-hand side of noise, 0 on the fixed face. */
static inline int t_body_iterations(const t_body *b, const bf_multigrid_options *mg, bf_solve_report *rep)
{
  double           *x = NULL, *f, *db = NULL, *dx = NULL;
  bf_matrix        *A    = t_body_matrix(b, 1, &x);
  bf_multigrid_body body = {.x = x, .rigid = b->D > 1};
  bf_solve_options  opt  = {.method         = BF_METHOD_CG,
                            .precond        = BF_PRECOND_MULTIGRID,
                            .rtol           = 1e-8,
                            .max_iterations = 400,
                            .monitor_every  = 1,
                            .multigrid      = *mg,
                            .body           = &body};
  const bf_int      face = t_body_planes(b, 1) * t_body_planes(b, 2) * b->D;
  f                      = calloc((size_t)A->nrows, sizeof *f);
  assert_non_null(f);
  for (bf_int r = face; r < A->nrows; r++) f[r] = bf_hash_noise(r / b->D, r % b->D, 0);
  T_OK(bf_vector_create(t_be, A->nrows, A->guard, &db));
  T_OK(bf_vector_create(t_be, A->nrows, A->guard, &dx));
  T_OK(t_be->ops.copy(t_be, db, f, (size_t)A->nrows * sizeof *f, BF_TO_DEVICE));
  T_OK(bf_solve(A, NULL, db, dx, &opt, rep));
  bf_vector_destroy(t_be, A->guard, &db);
  bf_vector_destroy(t_be, A->guard, &dx);
  bf_matrix_destroy(&A);
  free(x);
  free(f);
  return rep->iterations;
}
#endif
