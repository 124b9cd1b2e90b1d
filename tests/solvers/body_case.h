/* tests/solvers/body_case.h - matrices of a box of unit cells: heat or elasticity, hexahedra or tetrahedra
 *
 * Nodes are lexicographic, the last index is the fastest.  The face x = 0 is fixed: its rows and columns are
 * 0 but for the diagonal.  Right-hand sides are hash noise, 0 on fixed unknowns, so that counts of iterations
 * can be compared with those of other programs.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_TESTS_SOLVERS_BODY_CASE_H
#define BF_TESTS_SOLVERS_BODY_CASE_H
#include "kernels/matrix/host_csr.h"
#include "kernels/multigrid/hash_noise.h"
#include "solvers/solver.h"
#include "tests/backend.h"
#include <math.h>

typedef double (*t_coefficient)(int i, int j, int k); /* of a cell */

typedef struct t_body_form {
  int           cells[3], D, tets;
  double        nu;
  t_coefficient coefficient; /* NULL: 1 */
} t_body_form;

typedef struct t_body {
  bf_int     n; /* nodes */
  int        D;
  bf_sparse *A;
  double    *x, *b; /* [n][3], [n D] */
} t_body;

static inline void t_body_free(t_body *B)
{
  bf_sparse_destroy(&B->A);
  free(B->x);
  free(B->b);
}

/* K += w (gradients g of `nen` functions): heat, or elasticity of E = 1. */
static inline void t_add_point(int nen, int D, double nu, double w, double (*g)[3], double *K)
{
  const double lam = nu / ((1.0 + nu) * (1.0 - 2.0 * nu)), mu = 0.5 / (1.0 + nu);
  const int    nd = nen * D;
  for (int i = 0; i < nen; i++)
    for (int j = 0; j < nen; j++) {
      const double dot = g[i][0] * g[j][0] + g[i][1] * g[j][1] + g[i][2] * g[j][2];
      if (D == 1) K[i * nd + j] += w * dot;
      for (int a = 0; a < 3 && D == 3; a++)
        for (int c = 0; c < 3; c++)
          K[(i * 3 + a) * nd + j * 3 + c] +=
              w * (lam * g[i][a] * g[j][c] + mu * g[i][c] * g[j][a] + (a == c ? mu * dot : 0.0));
    }
}

/* Element matrix of a unit cell (part 0) or of tetrahedron 0 .. 5 of it, corners as 4 i + 2 j + k. */
static inline void t_cell_matrix(const t_body_form *f, int part, double *K, int *corner)
{
  static const int order[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
  double           g[8][3]     = {{0.0}};
  if (f->tets) { /* corners 0, e_p, e_p + e_q, (1, 1, 1): gradients of 1 - x_p, x_p - x_q, x_q - x_r, x_r */
    const int *p = order[part];
    corner[0]    = 0;
    for (int v = 0; v < 3; v++) corner[v + 1] = corner[v] | 4 >> p[v];
    for (int v = 0; v < 3; v++) {
      g[v][p[v]] -= 1.0;
      g[v + 1][p[v]] += 1.0;
    }
    t_add_point(4, f->D, f->nu, 1.0 / 6.0, g, K);
    return;
  }
  for (int c = 0; c < 8; c++) corner[c] = c;
  for (int q = 0; q < 8; q++) {
    for (int c = 0; c < 8; c++)
      for (int a = 0; a < 3; a++) {
        g[c][a] = (c & 4 >> a ? 1.0 : -1.0);
        for (int o = 0; o < 3; o++) {
          const double s = (c & 4 >> o ? 1.0 : -1.0) * (q & 4 >> o ? 1.0 : -1.0) / sqrt(3.0);
          if (o != a) g[c][a] *= 0.5 * (1.0 + s);
        }
      }
    t_add_point(8, f->D, f->nu, 0.125, g, K);
  }
}

/* S[n][27][D][D] += the cells' matrices */
static inline void t_add_cells(const t_body_form *f, double *S)
{
  const int ny = f->cells[1] + 1, nz = f->cells[2] + 1, D = f->D, nen = f->tets ? 4 : 8, nd = nen * D;
  for (int part = 0; part < (f->tets ? 6 : 1); part++) {
    double K[24 * 24] = {0.0};
    int    corner[8];
    t_cell_matrix(f, part, K, corner);
    for (int i = 0; i < f->cells[0]; i++)
      for (int j = 0; j < f->cells[1]; j++)
        for (int k = 0; k < f->cells[2]; k++) {
          const double w = f->coefficient ? f->coefficient(i, j, k) : 1.0;
          for (int u = 0; u < nen; u++)
            for (int v = 0; v < nen; v++) {
              const int c = corner[u], d = corner[v];
              const int at  = (i + (c >> 2)) * ny * nz + (j + (c >> 1 & 1)) * nz + k + (c & 1);
              const int off = 9 * ((d >> 2) - (c >> 2) + 1) + 3 * ((d >> 1 & 1) - (c >> 1 & 1) + 1) +
                              (d & 1) - (c & 1) + 1;
              double *s = S + ((size_t)at * 27 + (size_t)off) * (size_t)(D * D);
              for (int a = 0; a < D; a++)
                for (int b = 0; b < D; b++) s[a * D + b] += w * K[(u * D + a) * nd + v * D + b];
            }
        }
  }
}

/* Compressed rows of S; rows and columns of the nodes below `held` have their diagonal alone. */
static inline bf_sparse *t_compress(bf_int n, int D, bf_int held, int ny, int nz, const double *S)
{
  bf_sparse *A = NULL;
  T_OK(bf_sparse_create(n * D, n * D, (int64_t)n * 27 * D * D, &A));
  int64_t nnz = 0;
  for (bf_int r = 0; r < n * D; r++) {
    for (int off = 0; off < 27; off++) {
      const int64_t j = r / D + (int64_t)(off / 9 - 1) * ny * nz + (off / 3 % 3 - 1) * nz + off % 3 - 1;
      const double *s = S + ((size_t)(r / D) * 27 + (size_t)off) * (size_t)(D * D) + (size_t)(r % D * D);
      for (int b = 0; b < D; b++) {
        if (s[b] == 0.0 || ((r / D < held || j < held) && j * D + b != r)) continue;
        A->col[nnz]   = (bf_int)(j * D + b);
        A->val[nnz++] = s[b];
      }
    }
    A->ptr[r + 1] = nnz;
  }
  A->nnz = nnz;
  return A;
}

static inline t_body t_body_new(const t_body_form *f)
{
  const int    ny = f->cells[1] + 1, nz = f->cells[2] + 1, D = f->D;
  t_body       B = {.n = (f->cells[0] + 1) * ny * nz, .D = D};
  const size_t n = (size_t)B.n;
  double      *S = calloc(n * 27 * (size_t)(D * D), sizeof *S);
  B.x            = calloc(n * 3, sizeof *B.x);
  B.b            = calloc(n * (size_t)D, sizeof *B.b);
  assert_true(S && B.x && B.b);
  t_add_cells(f, S);
  B.A = t_compress(B.n, D, (bf_int)(ny * nz), ny, nz, S);
  free(S);
  for (bf_int i = 0; i < B.n; i++) {
    B.x[3 * i]     = (double)(i / (ny * nz));
    B.x[3 * i + 1] = (double)(i / nz % ny);
    B.x[3 * i + 2] = i % nz;
    for (int c = 0; c < D; c++) B.b[i * D + c] = i < ny * nz ? 0.0 : bf_hash_noise(i, c, 0);
  }
  return B;
}

/* Element matrices of all cells, times their coefficients; owned by the caller. */
typedef struct t_elements {
  bf_int   ne, most;
  int64_t *ptr, *at;
  bf_int  *node;
  double  *K, *coefficient;
} t_elements;

static inline void t_elements_free(t_elements *E)
{
  free(E->ptr);
  free(E->at);
  free(E->node);
  free(E->K);
  free(E->coefficient);
}

static inline t_elements t_elements_of(const t_body_form *f)
{
  const int    ny = f->cells[1] + 1, nz = f->cells[2] + 1, parts = f->tets ? 6 : 1, nen = f->tets ? 4 : 8;
  const int    nd = nen * f->D;
  const size_t ne = (size_t)(f->cells[0] * f->cells[1] * f->cells[2] * parts), one = (size_t)(nd * nd);
  t_elements   E = {.ptr         = calloc(ne + 1, sizeof *E.ptr),
                    .at          = calloc(ne + 1, sizeof *E.at),
                    .node        = calloc(ne * (size_t)nen, sizeof *E.node),
                    .K           = calloc(ne * one, sizeof *E.K),
                    .coefficient = calloc(ne, sizeof *E.coefficient)};
  size_t       e = 0;
  for (int part = 0; part < parts; part++) {
    double K[24 * 24] = {0.0};
    int    corner[8];
    t_cell_matrix(f, part, K, corner);
    for (int i = 0; i < f->cells[0]; i++)
      for (int j = 0; j < f->cells[1]; j++)
        for (int k = 0; k < f->cells[2]; k++, e++) {
          const double w   = f->coefficient ? f->coefficient(i, j, k) : 1.0;
          E.ptr[e + 1]     = (int64_t)(e + 1) * nen;
          E.at[e + 1]      = (int64_t)((e + 1) * one);
          E.coefficient[e] = w;
          for (int u = 0; u < nen; u++) {
            const int c = corner[u];
            E.node[e * (size_t)nen + (size_t)u] =
                (i + (c >> 2)) * ny * nz + (j + (c >> 1 & 1)) * nz + k + (c & 1);
          }
          for (size_t q = 0; q < one; q++) E.K[e * one + q] = w * K[q];
        }
  }
  E.ne   = (bf_int)ne;
  E.most = nd;
  return E;
}

/* As `elements` of a body, of a t_elements. */
static inline bf_err t_give_elements(void *context, bf_multigrid_elements *out)
{
  const t_elements *E  = context;
  const size_t      ne = (size_t)E->ne;
  *out                 = (bf_multigrid_elements){.set         = {.ne    = E->ne,
                                                                 .most  = E->most,
                                                                 .nodes = E->ptr[E->ne],
                                                                 .ptr   = t_to_backend(E->ptr, (ne + 1) * sizeof *E->ptr),
                                                                 .node  = t_to_backend(E->node, (size_t)E->ptr[ne] * sizeof *E->node),
                                                                 .at    = t_to_backend(E->at, (ne + 1) * sizeof *E->at),
                                                                 .K     = t_to_backend(E->K, (size_t)E->at[ne] * sizeof *E->K)},
                                                 .coefficient = t_to_backend(E->coefficient, ne * sizeof *E->coefficient)};
  return BF_OK;
}

/* Fibres of four cells and cross ties in a matrix 1e4 times softer, isolated stiff inclusions. */
static inline double t_fibres(int i, int j, int k)
{
  const int fibre = (j % 7 < 2 && k % 7 < 2) || (i % 11 == 0 && j % 9 == 0);
  const int cube  = i % 5 >= 3 && j % 5 >= 3 && k % 5 >= 3;
  return fibre || cube ? 1e4 : 1.0;
}
/* Connected channels 1e6 times more conductive, inclusions 1e4 times. */
static inline double t_channels(int i, int j, int k)
{
  const int cube = i % 5 >= 3 && j % 5 >= 3 && k % 5 >= 3;
  return cube ? 1e4 : (j % 7 < 2 && k % 7 < 2) || (i % 11 == 0 && j % 9 == 0) ? 1e6 : 1.0;
}
#endif
