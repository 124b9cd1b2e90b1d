/* tests/reference/integrals.c - see integrals.h */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/reference/integrals.h"
#include <math.h>

typedef long double real;

/* ---- shape functions ---- */

static const double corner[8][3] = {{-1, -1, -1}, {1, -1, -1}, {1, 1, -1}, {-1, 1, -1},
                                    {-1, -1, 1},  {1, -1, 1},  {1, 1, 1},  {-1, 1, 1}};

/* line2, quad4, hex8 */
static void tensor_shape(int nen, int rdim, const double xi[3], double *N, double *dN)
{
  static const int line[2] = {0, 1};
  for (int a = 0; a < nen; a++) {
    const double *c = corner[nen == 2 ? line[a] : a];
    double        f[3];
    N[a] = 1.0;
    for (int r = 0; r < rdim; r++) {
      f[r] = 0.5 * (1.0 + c[r] * xi[r]);
      N[a] *= f[r];
    }
    for (int r = 0; r < rdim; r++) {
      dN[a * rdim + r] = 0.5 * c[r];
      for (int s = 0; s < rdim; s++)
        if (s != r) dN[a * rdim + r] *= f[s];
    }
  }
}

static void tensor_tables(bf_element_batch *E, double *w, double *N, double *dN)
{
  const double g = 1.0 / sqrt(3.0);
  for (int q = 0; q < E->nq; q++) {
    const double xi[3] = {q & 1 ? g : -g, q & 2 ? g : -g, q & 4 ? g : -g};
    w[q]               = 1.0;
    tensor_shape(E->nen, E->rdim, xi, N + q * E->nen, dN + q * E->nen * E->rdim);
  }
}

/* Nodes 0..rdim behave like a simplex, so that J is near the identity; the others are small disturbances. */
static void invented_tables(bf_element_batch *E, double *w, double *N, double *dN)
{
  for (int q = 0; q < E->nq; q++) {
    w[q] = 0.3 + 0.1 * q;
    for (int a = 0; a < E->nen; a++) {
      N[q * E->nen + a] = cos(0.7 * a + 0.3 * q) / E->nen + 0.2;
      for (int r = 0; r < E->rdim; r++)
        dN[(q * E->nen + a) * E->rdim + r] = (a == r + 1 ? 1.0
                                              : a == 0   ? -1.0
                                                         : 0.0) +
                                             0.05 * sin(1.3 * a + 2.1 * r + 0.9 * q) / E->nen;
    }
  }
}

/* ---- batches ---- */

static void *fresh(size_t count, size_t size)
{
  void *p = calloc(count + 1, size);
  assert_non_null(p);
  return p;
}

static int is_tensor(int nen, int rdim)
{
  return nen == 1 << rdim;
}

static t_batch new_batch(bf_form form, int nen, int rdim, int sdim, int ncomp, int revolved, bf_int ne,
                         int nmat)
{
  t_batch           b = {.nrows = ne * nen + 3, .nmat = nmat};
  bf_element_batch *E = &b.E;
  E->form             = form;
  E->nen              = nen;
  E->ncomp            = ncomp;
  E->nq               = is_tensor(nen, rdim) ? 1 << rdim : nen > 8 ? 14 : 3;
  E->rdim             = rdim;
  E->sdim             = sdim;
  E->revolved         = revolved;
  E->nv = form == BF_FORM_GRAD ? sdim : form == BF_FORM_MASS ? ncomp : revolved ? 4 : sdim * (sdim + 1) / 2;
  E->ne = ne;
  E->scale  = 1.0;
  double *w = fresh((size_t)E->nq, 8), *N = fresh((size_t)(E->nq * nen), 8);
  double *dN = fresh((size_t)(E->nq * nen * rdim), 8);
  if (is_tensor(nen, rdim))
    tensor_tables(E, w, N, dN);
  else
    invented_tables(E, w, N, dN);
  E->w    = w;
  E->N    = N;
  E->dN   = dN;
  E->conn = fresh((size_t)(ne * nen), sizeof(bf_int));
  E->x    = fresh((size_t)b.nrows * 3, 8);
  E->C    = fresh((size_t)(nmat * E->nv * E->nv), 8);
  return b;
}

/* Symmetric, diagonally dominant. */
static void random_C(const bf_element_batch *E, int nmat, uint64_t *seed)
{
  double *C = (double *)E->C;
  for (int m = 0; m < nmat; m++, C += E->nv * E->nv)
    for (int i = 0; i < E->nv; i++)
      for (int j = i; j < E->nv; j++) {
        C[i * E->nv + j] = i == j ? E->nv + t_uniform(seed) : 2.0 * t_uniform(seed) - 1.0;
        C[j * E->nv + i] = C[i * E->nv + j];
      }
}

/* Where node a of a well-shaped element lies in its own frame. */
static double home(const bf_element_batch *E, int a, int s)
{
  if (s >= E->rdim) return 0.0;
  return is_tensor(E->nen, E->rdim) ? corner[a][s] : a == s + 1 ? 1.0 : 0.0;
}

static t_batch random_batch(bf_form form, int nen, int rdim, int sdim, int ncomp, int revolved, bf_int ne,
                            uint64_t *seed)
{
  enum { NMAT = 3 };
  t_batch           b    = new_batch(form, nen, rdim, sdim, ncomp, revolved, ne, NMAT);
  bf_element_batch *E    = &b.E;
  bf_int           *conn = (bf_int *)E->conn, *mat = fresh((size_t)ne, sizeof *mat);
  double           *x = (double *)E->x, *factor = fresh((size_t)(ne * E->nq), 8);
  random_C(E, NMAT, seed);
  for (bf_int e = 0; e < ne; e++) {
    for (int a = 0; a < nen; a++) {
      conn[e * nen + a] = b.nrows - 1 - (e * nen + a); /* every element has its own nodes, rows backwards */
      for (int s = 0; s < 3; s++)                      /* beyond sdim: must not be read into the result */
        x[3 * conn[e * nen + a] + s] =
            s < sdim ? home(E, a, s) + 0.3 * (t_uniform(seed) - 0.5) + e + 3.0 * revolved
                     : 1e3 * t_uniform(seed);
    }
    mat[e] = (bf_int)(t_random(seed) >> 33) % NMAT;
    for (int q = 0; q < E->nq; q++) factor[e * E->nq + q] = 0.5 + t_uniform(seed);
  }
  E->mat    = mat;
  E->factor = factor;
  E->scale  = 0.7;
  return b;
}

t_batch t_batch_random(bf_form form, int nen, int rdim, int sdim, int ncomp, bf_int ne, uint64_t *seed)
{
  return random_batch(form, nen, rdim, sdim, ncomp, 0, ne, seed);
}

t_batch t_batch_revolved(bf_form form, int nen, int rdim, int ncomp, bf_int ne, uint64_t *seed)
{
  return random_batch(form, nen, rdim, 2, ncomp, 1, ne, seed);
}

t_batch t_batch_with_modes(int rdim, bf_int ne, uint64_t *seed)
{
  t_batch      b         = random_batch(BF_FORM_STRAIN, 1 << rdim, rdim, rdim, rdim, 0, ne, seed);
  const double centre[3] = {0.0, 0.0, 0.0}, g = 1.0 / sqrt(3.0);
  double      *dN0 = fresh((size_t)(b.E.nen * rdim), 8), *dM = fresh((size_t)(b.E.nq * rdim), 8), N[8];
  tensor_shape(b.E.nen, rdim, centre, N, dN0);
  for (int q = 0; q < b.E.nq; q++) /* -2 xi_i */
    for (int r = 0; r < rdim; r++) dM[q * rdim + r] = (q >> r & 1) ? -2.0 * g : 2.0 * g;
  b.E.dN0 = dN0;
  b.E.dM  = dM;
  return b;
}

t_batch t_batch_affine(bf_form form, int rdim, int sdim, int ncomp, const double A[3][3])
{
  uint64_t          seed = 99;
  t_batch           b    = new_batch(form, 1 << rdim, rdim, sdim, ncomp, 0, 1, 1);
  bf_element_batch *E    = &b.E;
  random_C(E, 1, &seed);
  for (int a = 0; a < E->nen; a++) {
    ((bf_int *)E->conn)[a] = a;
    for (int s = 0; s < sdim; s++) {
      double *x = (double *)E->x + 3 * a + s;
      *x        = 0.4 + s;
      for (int r = 0; r < rdim; r++) *x += A[s][r] * corner[a][r];
    }
  }
  return b;
}

void t_batch_free(t_batch *b)
{
  free((void *)b->E.w);
  free((void *)b->E.N);
  free((void *)b->E.dN);
  free((void *)b->E.conn);
  free((void *)b->E.x);
  free((void *)b->E.mat);
  free((void *)b->E.C);
  free((void *)b->E.factor);
  free((void *)b->E.dN0);
  free((void *)b->E.dM);
}

static void *on(bf_backend *be, const void *host, size_t count, size_t size)
{
  void *p = NULL;
  if (!host) return NULL;
  T_OK(be->ops.alloc(be, count * size, &p));
  T_OK(be->ops.copy(be, p, host, count * size, BF_TO_DEVICE));
  return p;
}

bf_element_batch t_batch_on(bf_backend *be, const t_batch *b)
{
  bf_element_batch E  = b->E;
  const size_t     ne = (size_t)E.ne, nen = (size_t)E.nen, nq = (size_t)E.nq;
  E.w      = on(be, E.w, nq, 8);
  E.N      = on(be, E.N, nq * nen, 8);
  E.dN     = on(be, E.dN, nq * nen * (size_t)E.rdim, 8);
  E.conn   = on(be, E.conn, ne * nen, sizeof(bf_int));
  E.x      = on(be, E.x, (size_t)b->nrows * 3, 8);
  E.mat    = on(be, E.mat, ne, sizeof(bf_int));
  E.C      = on(be, E.C, (size_t)(b->nmat * E.nv * E.nv), 8);
  E.factor = on(be, E.factor, ne * nq, 8);
  E.dN0    = on(be, E.dN0, nen * (size_t)E.rdim, 8);
  E.dM     = on(be, E.dM, nq * (size_t)E.rdim, 8);
  return E;
}

void t_batch_off(bf_backend *be, bf_element_batch *E)
{
  be->ops.release(be, (void *)E->w);
  be->ops.release(be, (void *)E->N);
  be->ops.release(be, (void *)E->dN);
  be->ops.release(be, (void *)E->conn);
  be->ops.release(be, (void *)E->x);
  be->ops.release(be, (void *)E->mat);
  be->ops.release(be, (void *)E->C);
  be->ops.release(be, (void *)E->factor);
  be->ops.release(be, (void *)E->dN0);
  be->ops.release(be, (void *)E->dM);
}

/* ---- integrals ---- */

/* J as a sdim x rdim matrix of element e for the derivatives dN[nen][rdim] of a point. */
static void jacobian(const bf_element_batch *E, bf_int e, const double *dN, real J[3][3])
{
  for (int s = 0; s < 3; s++)
    for (int r = 0; r < 3; r++) {
      J[s][r] = 0.0L;
      for (int a = 0; a < E->nen && s < E->sdim && r < E->rdim; a++)
        J[s][r] += (real)E->x[3 * E->conn[e * E->nen + a] + s] * (real)dN[a * E->rdim + r];
    }
}

/* Gauss-Jordan with pivoting on [J | I]; returns the determinant. */
static real invert(int n, real J[3][3], real inv[3][3])
{
  real M[3][6], det = 1.0L;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      M[i][j]     = J[i][j];
      M[i][n + j] = i == j ? 1.0L : 0.0L;
    }
  for (int k = 0; k < n; k++) {
    int p = k;
    for (int i = k + 1; i < n; i++)
      if (fabsl(M[i][k]) > fabsl(M[p][k])) p = i;
    for (int j = 0; j < 2 * n && p != k; j++) {
      const real t = M[k][j];
      M[k][j]      = M[p][j];
      M[p][j]      = t;
    }
    if (p != k) det = -det;
    det *= M[k][k];
    const real pivot = M[k][k];
    for (int j = 0; j < 2 * n; j++) M[k][j] /= pivot;
    for (int i = 0; i < n; i++) {
      const real f = M[i][k];
      for (int j = 0; j < 2 * n && i != k; j++) M[i][j] -= f * M[k][j];
    }
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) inv[i][j] = M[i][n + j];
  return det;
}

static real radius(const bf_element_batch *E, bf_int e, int q)
{
  real r = 0.0L;
  for (int a = 0; a < E->nen; a++) r += (real)E->N[q * E->nen + a] * (real)E->x[3 * E->conn[e * E->nen + a]];
  return r;
}

/* Of element e at point q: length, area or volume of the unit of the reference element, once round the axis
 * in a body of revolution (Pappus: 2 pi r times the area). */
static real measure(const bf_element_batch *E, bf_int e, int q, real J[3][3])
{
  const real pi = 3.141592653589793238462643383279502884L;
  real       inv[3][3];
  if (E->revolved) {
    const real length = sqrtl(J[0][0] * J[0][0] + J[1][0] * J[1][0]);
    return 2.0L * pi * radius(E, e, q) * (E->rdim == 1 ? length : invert(2, J, inv));
  }
  if (E->rdim == E->sdim) return invert(E->rdim, J, inv);
  if (E->rdim == 1) return sqrtl(J[0][0] * J[0][0] + J[1][0] * J[1][0] + J[2][0] * J[2][0]);
  const real n0 = J[1][0] * J[2][1] - J[2][0] * J[1][1], n1 = J[2][0] * J[0][1] - J[0][0] * J[2][1],
             n2 = J[0][0] * J[1][1] - J[1][0] * J[0][1];
  return sqrtl(n0 * n0 + n1 * n1 + n2 * n2);
}

/* B[v][j] as in elements.h */
static void strain_displacement(const bf_element_batch *E, bf_int e, int q, real J[3][3], real B[6][81])
{
  real inv[3][3];
  if (E->form != BF_FORM_MASS) invert(E->rdim, J, inv); /* d xi_r / d x_s = inv[r][s] */
  memset(B, 0, 6 * 81 * sizeof(real));
  for (int a = 0; a < E->nen; a++) {
    const int j    = a * E->ncomp;
    real      d[3] = {0.0L, 0.0L, 0.0L};
    for (int s = 0; s < E->sdim && E->form != BF_FORM_MASS; s++)
      for (int r = 0; r < E->rdim; r++) d[s] += (real)E->dN[(q * E->nen + a) * E->rdim + r] * inv[r][s];
    if (E->form == BF_FORM_MASS)
      for (int c = 0; c < E->ncomp; c++) B[c][j + c] = (real)E->N[q * E->nen + a];
    else if (E->form == BF_FORM_GRAD)
      for (int s = 0; s < E->sdim; s++) B[s][j] = d[s];
    else if (E->sdim == 3) {
      B[0][j]     = d[0];
      B[1][j + 1] = d[1];
      B[2][j + 2] = d[2];
      B[3][j]     = d[1]; /* xy: du/dy + dv/dx */
      B[3][j + 1] = d[0];
      B[4][j + 1] = d[2]; /* yz: dv/dz + dw/dy */
      B[4][j + 2] = d[1];
      B[5][j]     = d[2]; /* xz: du/dz + dw/dx */
      B[5][j + 2] = d[0];
    } else if (E->revolved) {
      B[0][j]     = d[0];
      B[1][j + 1] = d[1];
      B[2][j]     = (real)E->N[q * E->nen + a] / radius(E, e, q);
      B[3][j]     = d[1];
      B[3][j + 1] = d[0];
    } else if (E->sdim == 2) {
      B[0][j]     = d[0];
      B[1][j + 1] = d[1];
      B[2][j]     = d[1];
      B[2][j + 1] = d[0];
    } else
      B[0][j] = d[0];
  }
}

/* Columns of the modes behind those of the nodes: strain of the gradient  row c = d_i (det J0/det J) J0^-T
 * e_i. */
static void strain_of_modes(const bf_element_batch *E, bf_int e, int q, real J[3][3], real B[6][81])
{
  static const int row[3][3] = {{0, 3, 5}, {3, 1, 4}, {5, 4, 2}};
  real             J0[3][3], inv[3][3], unused[3][3];
  jacobian(E, e, E->dN0, J0);
  const real ratio = invert(E->rdim, J0, inv) / invert(E->rdim, J, unused);
  for (int i = 0; i < E->rdim; i++)
    for (int c = 0; c < E->ncomp; c++)
      for (int s = 0; s < E->sdim; s++) {
        const int v = E->sdim == 3 ? row[c][s] : c == s ? c : 2;
        B[v][(E->nen + i) * E->ncomp + c] += ratio * (real)E->dM[q * E->rdim + i] * inv[i][s];
      }
}

/* K_uu - K_ua K_aa^-1 K_au by elimination with pivoting on [K_aa | K_au]; nd of all n unknowns stay. */
static void condense(int n, int nd, real K[81][81])
{
  static real A[81][81];
  const int   na = n - nd;
  for (int i = 0; i < na; i++)
    for (int j = 0; j < n; j++) A[i][j] = K[nd + i][j < na ? nd + j : j - na];
  for (int k = 0; k < na; k++) {
    int p = k;
    for (int i = k + 1; i < na; i++)
      if (fabsl(A[i][k]) > fabsl(A[p][k])) p = i;
    for (int j = 0; j < n; j++) {
      const real t = A[k][j];
      A[k][j]      = A[p][j];
      A[p][j]      = t;
    }
    for (int i = 0; i < na; i++) {
      const real f = A[i][k] / A[k][k];
      for (int j = k; j < n && i != k; j++) A[i][j] -= f * A[k][j];
    }
  }
  for (int i = 0; i < nd; i++)
    for (int j = 0; j < nd; j++)
      for (int k = 0; k < na; k++) K[i][j] -= K[i][nd + k] * A[k][na + j] / A[k][k];
}

void t_element_matrix(const bf_element_batch *E, bf_int e, double *K)
{
  const int     nd = E->nen * E->ncomp, n = nd + (E->dN0 ? E->rdim * E->ncomp : 0);
  const double *C = E->C + (E->mat ? E->mat[e] : 0) * E->nv * E->nv;
  static real   sum[81][81];
  memset(sum, 0, sizeof sum);
  for (int q = 0; q < E->nq; q++) {
    real J[3][3], B[6][81];
    jacobian(E, e, E->dN + q * E->nen * E->rdim, J);
    strain_displacement(E, e, q, J, B);
    if (E->dN0) strain_of_modes(E, e, q, J, B);
    const real c = (real)E->scale * (real)(E->factor ? E->factor[e * E->nq + q] : 1.0) * (real)E->w[q] *
                   measure(E, e, q, J);
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        for (int v = 0; v < E->nv; v++)
          for (int u = 0; u < E->nv; u++) sum[i][j] += c * B[v][i] * (real)C[v * E->nv + u] * B[u][j];
  }
  condense(n, nd, sum);
  for (int i = 0; i < nd; i++)
    for (int j = 0; j < nd; j++) K[i * nd + j] = (double)sum[i][j];
}

void t_element_source(const bf_element_batch *E, bf_int e, const bf_element_source *f, double *fe)
{
  for (int a = 0; a < E->nen; a++)
    for (int c = 0; c < E->ncomp; c++) {
      real s = 0.0L;
      for (int q = 0; q < E->nq; q++) {
        real J[3][3];
        jacobian(E, e, E->dN + q * E->nen * E->rdim, J);
        s += (real)E->scale * (real)E->w[q] * measure(E, e, q, J) * (real)E->N[q * E->nen + a] *
             (real)f->value[e * f->stride_e + q * f->stride_q + c];
      }
      fe[a * E->ncomp + c] = (double)s;
    }
}

void t_element_stress(const bf_element_batch *E, bf_int e, const bf_element_source *s, double *fe)
{
  real sum[81] = {0.0L};
  for (int q = 0; q < E->nq; q++) {
    real J[3][3], B[6][81];
    jacobian(E, e, E->dN + q * E->nen * E->rdim, J);
    strain_displacement(E, e, q, J, B);
    const real c = (real)E->scale * (real)(E->factor ? E->factor[e * E->nq + q] : 1.0) * (real)E->w[q] *
                   measure(E, e, q, J);
    for (int i = 0; i < E->nen * E->ncomp; i++)
      for (int v = 0; v < E->nv; v++)
        sum[i] += c * B[v][i] * (real)s->value[e * s->stride_e + q * s->stride_q + v];
  }
  for (int i = 0; i < E->nen * E->ncomp; i++) fe[i] = (double)sum[i];
}

double t_element_measure(const bf_element_batch *E, bf_int e)
{
  real s = 0.0L;
  for (int q = 0; q < E->nq; q++) {
    real J[3][3];
    jacobian(E, e, E->dN + q * E->nen * E->rdim, J);
    s += (real)E->scale * (real)E->w[q] * measure(E, e, q, J);
  }
  return (double)s;
}
