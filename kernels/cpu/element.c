/* kernels/cpu/element.c - element matrices, loads and forces: sums over integration points, one element a
 * thread
 *
 *     Ke = sum_q c_q B^T C B      fe = sum_q c_q N^T f      fe = sum_q c_q B^T (C (B u))      c_q = scale
 * factor w det J
 *
 * Every column of B (node b, component c) has at most three entries, and which rows they are depends on c
 * alone: B[row[c][t]][b*ncomp + c] = g[dir[c][t]][b],   g = the three derivatives of N, or N itself for the
 * mass form. So CB = c_q C B is formed densely (nv rows of nd), and row (a, c) of Ke is a sum of at most
 * three rows of CB: the inner loop runs along a row of Ke.  The lower half is the mirror image of the upper
 * one.
 *
 * Source   Hughes, The Finite Element Method, ch. 3 (isoparametric elements), 2.7-2.9 (B for elasticity).
 * Cost     nq*nd*nd*t flops for each element, t = entries of a column of B.
 */
#include "kernels/cpu/cpu.h"
#include <string.h>

enum { NEN = 20, ND = 60, NV = 6 };

typedef struct b_rows { /* the pattern of B's columns, by component */
  int nt;
  int row[3][3], dir[3][3];
} b_rows;

static b_rows rows_of_b(const bf_element_batch *E)
{
  static const b_rows grad    = {.nt = 3, .row = {{0, 1, 2}}, .dir = {{0, 1, 2}}};
  static const b_rows strain1 = {.nt = 1, .row = {{0}}, .dir = {{0}}};
  static const b_rows strain2 = {.nt = 2, .row = {{0, 2}, {1, 2}}, .dir = {{0, 1}, {1, 0}}};
  static const b_rows strain3 = {.nt  = 3, /* xx yy zz xy yz xz */
                                 .row = {{0, 3, 5}, {1, 3, 4}, {2, 4, 5}},
                                 .dir = {{0, 1, 2}, {1, 0, 2}, {2, 1, 0}}};
  static const b_rows mass    = {.nt = 1, .row = {{0}, {1}, {2}}, .dir = {{0}, {0}, {0}}};
  b_rows              R       = mass;
  if (E->form == BF_FORM_GRAD) {
    R    = grad;
    R.nt = E->sdim;
  }
  if (E->form == BF_FORM_STRAIN) R = E->sdim == 1 ? strain1 : E->sdim == 2 ? strain2 : strain3;
  return R;
}

/* ---- geometry ---- */

/* J[s][r] = sum_a x_a[s] dN_a/dxi_r */
static void jacobian(const bf_element_batch *E, double x[NEN][3], int q, double J[3][3])
{
  const double *dN = E->dN + (size_t)q * (size_t)(E->nen * E->rdim);
  memset(J, 0, 9 * sizeof(double));
  for (int a = 0; a < E->nen; a++)
    for (int s = 0; s < E->sdim; s++)
      for (int r = 0; r < E->rdim; r++) J[s][r] += x[a][s] * dN[a * E->rdim + r];
}

static double det3(double J[3][3])
{
  return J[0][0] * (J[1][1] * J[2][2] - J[1][2] * J[2][1]) -
         J[0][1] * (J[1][0] * J[2][2] - J[1][2] * J[2][0]) +
         J[0][2] * (J[1][0] * J[2][1] - J[1][1] * J[2][0]);
}

/* Length, area or volume for a unit of the reference element: det J, or sqrt(det J^T J) for a face in space.
 */
static double measure(const bf_element_batch *E, double J[3][3])
{
  if (E->rdim == E->sdim) {
    if (E->rdim == 1) return J[0][0];
    if (E->rdim == 2) return J[0][0] * J[1][1] - J[0][1] * J[1][0];
    return det3(J);
  }
  double g00 = 0.0, g01 = 0.0, g11 = 0.0; /* J^T J; unused rows of J are zero */
  for (int s = 0; s < 3; s++) {
    g00 += J[s][0] * J[s][0];
    g01 += J[s][0] * J[s][1];
    g11 += J[s][1] * J[s][1];
  }
  return sqrt(E->rdim == 1 ? g00 : g00 * g11 - g01 * g01);
}

/* inv[r][s] = d xi_r / d x_s, for rdim = sdim */
static void inverse(int dim, double J[3][3], double det, double inv[3][3])
{
  const double f = 1.0 / det;
  if (dim == 1) {
    inv[0][0] = f;
  } else if (dim == 2) {
    inv[0][0] = f * J[1][1];
    inv[0][1] = -f * J[0][1];
    inv[1][0] = -f * J[1][0];
    inv[1][1] = f * J[0][0];
  } else {
    for (int r = 0; r < 3; r++)
      for (int s = 0; s < 3; s++) {
        const int r1 = (r + 1) % 3, r2 = (r + 2) % 3, s1 = (s + 1) % 3, s2 = (s + 2) % 3;
        inv[r][s] = f * (J[s1][r1] * J[s2][r2] - J[s1][r2] * J[s2][r1]);
      }
  }
}

typedef struct element { /* what stays the same over the points of an element */
  double        x[NEN][3];
  const double *C; /* [nv][nv] */
  const double *factor;
} element;

static void load(const bf_element_batch *E, bf_int e, element *el)
{
  const bf_int *conn = E->conn + (size_t)e * (size_t)E->nen;
  for (int a = 0; a < E->nen; a++)
    for (int s = 0; s < 3; s++) el->x[a][s] = E->x[3 * (size_t)conn[a] + (size_t)s];
  el->C      = E->C ? E->C + (size_t)(E->mat ? E->mat[e] : 0) * (size_t)(E->nv * E->nv) : NULL;
  el->factor = E->factor ? E->factor + (size_t)e * (size_t)E->nq : NULL;
}

/* Weight c_q of point q; g[3][NEN]: derivatives of N in space, or g[0] = N for the mass form. */
static double point(const bf_element_batch *E, element *el, int q, double g[3][NEN])
{
  const double *dN = E->dN + (size_t)q * (size_t)(E->nen * E->rdim), *N = E->N + (size_t)q * (size_t)E->nen;
  double        J[3][3], inv[3][3];
  jacobian(E, el->x, q, J);
  const double det = measure(E, J), c = E->scale * (el->factor ? el->factor[q] : 1.0) * E->w[q] * det;
  if (E->form == BF_FORM_MASS) {
    for (int a = 0; a < E->nen; a++) g[0][a] = N[a];
    return c;
  }
  inverse(E->rdim, J, det, inv);
  for (int s = 0; s < E->sdim; s++)
    for (int a = 0; a < E->nen; a++) {
      g[s][a] = 0.0;
      for (int r = 0; r < E->rdim; r++) g[s][a] += inv[r][s] * dN[a * E->rdim + r];
    }
  return c;
}

/* ---- element matrix ---- */

/* CB[v][b*ncomp + c] = weight * sum_t C[v][row] g[dir][b] */
static void form_cb(const bf_element_batch *E, const b_rows *R, const double *C, double weight,
                    double g[3][NEN], double CB[NV][ND])
{
  for (int v = 0; v < E->nv; v++)
    for (int c = 0; c < E->ncomp; c++)
      for (int b = 0; b < E->nen; b++) {
        double s = 0.0;
        for (int t = 0; t < R->nt; t++) s += C[v * E->nv + R->row[c][t]] * g[R->dir[c][t]][b];
        CB[v][b * E->ncomp + c] = weight * s;
      }
}

/* K[j] += sum_t f[t] row_t[j] for j0 <= j < nd */
static void add_rows(int nt, int j0, int nd, const double f[3], double *const row[3], double *restrict K)
{
  const double *restrict r0 = row[0], *restrict r1 = row[1], *restrict r2 = row[2];
  if (nt == 3)
    for (int j = j0; j < nd; j++) K[j] += f[0] * r0[j] + f[1] * r1[j] + f[2] * r2[j];
  else if (nt == 2)
    for (int j = j0; j < nd; j++) K[j] += f[0] * r0[j] + f[1] * r1[j];
  else
    for (int j = j0; j < nd; j++) K[j] += f[0] * r0[j];
}

/* Upper half of Ke += B^T CB, whole blocks at the diagonal. */
static void add_btcb(const bf_element_batch *E, const b_rows *R, double g[3][NEN], double CB[NV][ND],
                     double *restrict Ke)
{
  const int nd = E->nen * E->ncomp;
  for (int a = 0; a < E->nen; a++)
    for (int c = 0; c < E->ncomp; c++) {
      double  f[3]   = {0.0, 0.0, 0.0};
      double *row[3] = {CB[0], CB[0], CB[0]};
      for (int t = 0; t < R->nt; t++) {
        f[t]   = g[R->dir[c][t]][a];
        row[t] = CB[R->row[c][t]];
      }
      add_rows(R->nt, a * E->ncomp, nd, f, row, Ke + (size_t)(a * E->ncomp + c) * (size_t)nd);
    }
}

static void one_matrix(const bf_element_batch *E, const b_rows *R, bf_int e, double *Ke)
{
  const int nd = E->nen * E->ncomp;
  element   el;
  double    g[3][NEN], CB[NV][ND];
  memset(Ke, 0, (size_t)nd * (size_t)nd * sizeof *Ke);
  load(E, e, &el);
  for (int q = 0; q < E->nq; q++) {
    const double c = point(E, &el, q, g);
    form_cb(E, R, el.C, c, g, CB);
    add_btcb(E, R, g, CB, Ke);
  }
  for (int i = 1; i < nd; i++)
    for (int j = 0; j < i; j++) Ke[i * nd + j] = Ke[j * nd + i];
}

static bf_err check_range(const bf_element_batch *E, bf_int e0, bf_int e1)
{
  BF_CHECK(e0 >= 0 && e0 <= e1 && e1 <= E->ne, BF_E_ARG, "elements %d..%d of %d", (int)e0, (int)e1,
           (int)E->ne);
  return BF_OK;
}

bf_err bf_cpu_element_matrix(bf_backend *be, const bf_element_batch *E, bf_int e0, bf_int e1, double *Ke)
{
  (void)be;
  BF_TRY(bf_element_batch_check_matrix(E));
  BF_TRY(check_range(E, e0, e1));
  const b_rows R  = rows_of_b(E);
  const size_t nd = (size_t)(E->nen * E->ncomp);
#pragma omp parallel for schedule(static) if (e1 - e0 > 64)
  for (bf_int e = e0; e < e1; e++) one_matrix(E, &R, e, Ke + (size_t)(e - e0) * nd * nd);
  return BF_OK;
}

/* ---- loads and forces ---- */

static void one_source(const bf_element_batch *E, bf_int e, const bf_element_source *f, double *fe)
{
  element el;
  load(E, e, &el);
  for (int i = 0; i < E->nen * E->ncomp; i++) fe[i] = 0.0;
  for (int q = 0; q < E->nq; q++) {
    const double *N     = E->N + (size_t)q * (size_t)E->nen;
    const double *value = f->value + e * f->stride_e + q * f->stride_q;
    double        J[3][3];
    jacobian(E, el.x, q, J);
    const double c = E->scale * E->w[q] * measure(E, J);
    for (int a = 0; a < E->nen; a++)
      for (int k = 0; k < E->ncomp; k++) fe[a * E->ncomp + k] += c * N[a] * value[k];
  }
}

bf_err bf_cpu_element_source(bf_backend *be, const bf_element_batch *E, bf_int e0, bf_int e1,
                             const bf_element_source *f, double *fe)
{
  (void)be;
  BF_TRY(bf_element_batch_check(E));
  BF_TRY(check_range(E, e0, e1));
  const size_t nd = (size_t)(E->nen * E->ncomp);
#pragma omp parallel for schedule(static) if (e1 - e0 > 256)
  for (bf_int e = e0; e < e1; e++) one_source(E, e, f, fe + (size_t)(e - e0) * nd);
  return BF_OK;
}

static void one_force(const bf_element_batch *E, const b_rows *R, bf_int e, const double *u, double *fe)
{
  const int     D    = E->ncomp;
  const bf_int *conn = E->conn + (size_t)e * (size_t)E->nen;
  element       el;
  double        g[3][NEN];
  load(E, e, &el);
  for (int i = 0; i < E->nen * D; i++) fe[i] = 0.0;
  for (int q = 0; q < E->nq; q++) {
    double       strain[NV] = {0.0}, stress[NV];
    const double weight     = point(E, &el, q, g);
    for (int b = 0; b < E->nen; b++)
      for (int c = 0; c < D; c++)
        for (int t = 0; t < R->nt; t++)
          strain[R->row[c][t]] += g[R->dir[c][t]][b] * u[(size_t)conn[b] * (size_t)D + (size_t)c];
    for (int v = 0; v < E->nv; v++) {
      stress[v] = 0.0;
      for (int k = 0; k < E->nv; k++) stress[v] += weight * el.C[v * E->nv + k] * strain[k];
    }
    for (int a = 0; a < E->nen; a++)
      for (int c = 0; c < D; c++)
        for (int t = 0; t < R->nt; t++) fe[a * D + c] += g[R->dir[c][t]][a] * stress[R->row[c][t]];
  }
}

bf_err bf_cpu_element_force(bf_backend *be, const bf_element_batch *E, bf_int e0, bf_int e1, const double *u,
                            double *fe)
{
  (void)be;
  BF_TRY(bf_element_batch_check_matrix(E));
  BF_TRY(check_range(E, e0, e1));
  const b_rows R  = rows_of_b(E);
  const size_t nd = (size_t)(E->nen * E->ncomp);
#pragma omp parallel for schedule(static) if (e1 - e0 > 256)
  for (bf_int e = e0; e < e1; e++) one_force(E, &R, e, u, fe + (size_t)(e - e0) * nd);
  return BF_OK;
}
