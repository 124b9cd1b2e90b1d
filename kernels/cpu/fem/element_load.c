/* kernels/cpu/fem/element_load.c - element loads, forces without the matrix, forces of a given stress
 *
 *     fe = sum_q scale w det J  N^T f          fe = sum_q c_q B^T (C (B u)),   c_q = scale factor w det J
 *                                              fe = sum_q c_q B^T s
 *
 * Cost     about nq * nen * (18 ncomp + 36) flops an element for forces.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cpu/backend/cpu.h"
#include "kernels/cpu/fem/element_point.h"

static void one_source(const bf_element_batch *E, const point_tables *T, bf_int e, const bf_element_source *f,
                       double *fe)
{
  double x[3][NEN], J[3][3];
  load_nodes(E, e, x);
  for (int i = 0; i < E->nen * E->ncomp; i++) fe[i] = 0.0;
  for (int q = 0; q < E->nq; q++) {
    const double *value = f->value + e * f->stride_e + q * f->stride_q;
    jacobian(T->np, T->dN[q], x, J);
    const double weight = point_weight(E, T, q, x, measure(E, J));
    for (int a = 0; a < E->nen; a++)
      for (int c = 0; c < E->ncomp; c++) fe[a * E->ncomp + c] += weight * T->N[q][a] * value[c];
  }
}

bf_err bf_cpu_element_source(bf_backend *be, const bf_element_batch *E, bf_int e0, bf_int e1,
                             const bf_element_source *f, double *fe)
{
  (void)be;
  BF_TRY((E && E->form == BF_FORM_TRANSPORT ? bf_element_batch_check_matrix : bf_element_batch_check)(E));
  BF_TRY(check_range(E, e0, e1));
  BF_CHECK(f && f->value, BF_E_ARG, "no load values");
  const size_t nd = (size_t)(E->nen * E->ncomp);
  point_tables T;
  fill_tables(E, &T);
#pragma omp parallel for schedule(static) if (e1 - e0 > 256)
  for (bf_int e = e0; e < e1; e++)
    (E->form == BF_FORM_TRANSPORT ? bf_cpu_transport_source : one_source)(E, &T, e, f,
                                                                          fe + (size_t)(e - e0) * nd);
  return BF_OK;
}

/* stress[v] = weight * sum_k C[v][k] (B u)[k] */
static void stress_at(const bf_element_batch *E, const b_rows *R, const double *C, double weight,
                      double g[3][NEN], double u[3][NEN], double stress[NV])
{
  double strain[NV] = {0.0};
  for (int c = 0; c < E->ncomp; c++)
    for (int t = 0; t < R->nt[c]; t++) {
      double s = 0.0;
      for (int b = 0; b < E->nen; b++) s += g[R->dir[c][t]][b] * u[c][b];
      strain[R->row[c][t]] += s;
    }
  for (int v = 0; v < E->nv; v++) {
    stress[v] = 0.0;
    for (int k = 0; k < E->nv; k++) stress[v] += weight * C[v * E->nv + k] * strain[k];
  }
}

/* f += B^T stress */
static void add_stress(const bf_element_batch *E, const b_rows *R, int np, double g[3][NEN],
                       const double stress[NV], double f[3][NEN])
{
  for (int c = 0; c < E->ncomp; c++)
    for (int t = 0; t < R->nt[c]; t++) {
      const double  s  = stress[R->row[c][t]];
      const double *gt = g[R->dir[c][t]];
      for (int a = 0; a < np; a++) f[c][a] += gt[a] * s;
    }
}

/* fe[a*ncomp + c] = f[c][a] */
static void store(const bf_element_batch *E, double f[3][NEN], double *fe)
{
  for (int a = 0; a < E->nen; a++)
    for (int c = 0; c < E->ncomp; c++) fe[a * E->ncomp + c] = f[c][a];
}

static void one_force(const bf_element_batch *E, const b_rows *R, const point_tables *T, bf_int e,
                      const double *u, double *fe)
{
  const int     D    = E->ncomp;
  const bf_int *conn = E->conn + (size_t)e * (size_t)E->nen;
  double        x[3][NEN], g[3][NEN], ue[3][NEN], f[3][NEN], stress[NV];
  load_nodes(E, e, x);
  memset(f, 0, sizeof f);
  memset(ue, 0, sizeof ue);
  for (int b = 0; b < E->nen; b++)
    for (int c = 0; c < D; c++) ue[c][b] = u[(size_t)conn[b] * (size_t)D + (size_t)c];
  for (int q = 0; q < E->nq; q++) {
    const double weight = at_point(E, T, e, q, x, g);
    stress_at(E, R, coefficients(E, e), weight, g, ue, stress);
    add_stress(E, R, T->np, g, stress, f);
  }
  store(E, f, fe);
}

bf_err bf_cpu_element_force(bf_backend *be, const bf_element_batch *E, bf_int e0, bf_int e1, const double *u,
                            double *fe)
{
  (void)be;
  BF_TRY(bf_element_batch_check_matrix(E));
  BF_CHECK(!E->dN0, BF_E_ARG, "dN0: forces of elements with modes are those of their condensed matrices");
  BF_TRY(check_range(E, e0, e1));
  const b_rows R  = rows_of_b(E);
  const size_t nd = (size_t)(E->nen * E->ncomp);
  point_tables T;
  fill_tables(E, &T);
#pragma omp parallel for schedule(static) if (e1 - e0 > 256)
  for (bf_int e = e0; e < e1; e++) {
    double *to = fe + (size_t)(e - e0) * nd;
    if (E->form == BF_FORM_TRANSPORT)
      bf_cpu_transport_force(E, &T, e, u, to);
    else
      one_force(E, &R, &T, e, u, to);
  }
  return BF_OK;
}

static void one_stress(const bf_element_batch *E, const b_rows *R, const point_tables *T, bf_int e,
                       const bf_element_source *s, double *fe)
{
  double x[3][NEN], g[3][NEN], f[3][NEN], stress[NV] = {0.0};
  load_nodes(E, e, x);
  memset(f, 0, sizeof f);
  for (int q = 0; q < E->nq; q++) {
    const double *value  = s->value + e * s->stride_e + q * s->stride_q;
    const double  weight = at_point(E, T, e, q, x, g);
    for (int v = 0; v < E->nv; v++) stress[v] = weight * value[v];
    add_stress(E, R, T->np, g, stress, f);
  }
  store(E, f, fe);
}

bf_err bf_cpu_element_stress(bf_backend *be, const bf_element_batch *E, bf_int e0, bf_int e1,
                             const bf_element_source *s, double *fe)
{
  (void)be;
  BF_TRY(bf_element_batch_check_matrix(E));
  BF_TRY(check_range(E, e0, e1));
  BF_CHECK(s && s->value, BF_E_ARG, "no stress values");
  BF_CHECK(E->form != BF_FORM_TRANSPORT, BF_E_ARG, "the transport form has no stress");
  const b_rows R  = rows_of_b(E);
  const size_t nd = (size_t)(E->nen * E->ncomp);
  point_tables T;
  fill_tables(E, &T);
#pragma omp parallel for schedule(static) if (e1 - e0 > 256)
  for (bf_int e = e0; e < e1; e++) one_stress(E, &R, &T, e, s, fe + (size_t)(e - e0) * nd);
  return BF_OK;
}
