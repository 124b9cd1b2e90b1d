/* assembly/gfem/matrix.c - matrices of elements and of their sides with the shape functions of gfem.h
 *
 *     K_e  = sum_q w  B^T C B                                       of an element
 *     H    = sum_q w  h psi^T psi                                   of a face under convection or springs
 *     weak = sum_q w (-T_c^T psi_c - psi_c^T T_c + (gamma C_11 / l) psi_c^T psi_c)
 *            for the components c prescribed on a curved side, T the tractions (heat: flux) of the shape
 *            functions, l the face's length
 * Source: J. Nitsche, Ueber ein Variationsprinzip zur Loesung von Dirichlet-Problemen, Abh. Math. Sem. Univ.
 * Hamburg 36 (1971) 9, doi 10.1007/BF02995904, for the last.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "assembly/gfem/matrix.h"
#include "assembly/gfem/product.h"
#include "base/memory.h"
#include <omp.h>
#include <string.h>

int bf_gfem_strain(const bf_model *m, int c, int i)
{
  static const int plane[2][2] = {{0, 2}, {2, 1}}, space[3][3] = {{0, 3, 5}, {3, 1, 4}, {5, 4, 2}};
  if (m->ncomp == 1) return i;
  return m->sdim == 2 ? plane[c][i] : space[c][i];
}

void bf_gfem_B(const bf_model *m, int n, const double *d, double *B)
{
  const int D = m->ncomp, nd = n * D;
  memset(B, 0, (size_t)(m->nv * nd) * sizeof *B);
  for (int c = 0; c < D; c++)
    for (int i = 0; i < m->sdim; i++) {
      double *row = B + bf_gfem_strain(m, c, i) * nd;
      for (int j = 0; j < n; j++) row[j * D + c] = d[i * n + j];
    }
}

bf_err bf_gfem_work_create(const bf_model *m, bf_gfem_work *w)
{
  const int    most = bf_gfem_of(m)->most;
  const size_t n = (size_t)most, nd = n * (size_t)m->ncomp, wide = (size_t)bf_panels(most) * BF_PANEL;
  const size_t depth = (size_t)m->sdim * BF_QUADRATURE_MAX;
  BF_TRY(BF_NEW_ARRAY(w->psi, n));
  BF_TRY(BF_NEW_ARRAY(w->d, (size_t)m->sdim * n));
  BF_TRY(BF_NEW_ARRAY(w->B, (size_t)m->nv * nd));
  BF_TRY(BF_NEW_ARRAY(w->T, 3 * nd));
  BF_TRY(BF_NEW_ARRAY(w->A, depth * wide));
  BF_TRY(BF_NEW_ARRAY(w->S, depth * wide));
  BF_TRY(BF_NEW_ARRAY(w->M, wide * wide));
  return BF_NEW_ARRAY(w->ue, nd);
}

void bf_gfem_work_clear(bf_gfem_work *w)
{
  bf_host_free(w->psi);
  bf_host_free(w->d);
  bf_host_free(w->B);
  bf_host_free(w->T);
  bf_host_free(w->A);
  bf_host_free(w->S);
  bf_host_free(w->M);
  bf_host_free(w->ue);
}

bf_err bf_gfem_works_create(const bf_model *m, int n, bf_gfem_work **out)
{
  BF_TRY(BF_NEW_ARRAY(*out, n));
  for (int t = 0; t < n; t++) BF_TRY(bf_gfem_work_create(m, &(*out)[t]));
  return BF_OK;
}

void bf_gfem_works_destroy(int n, bf_gfem_work **w)
{
  for (int t = 0; t < n && *w; t++) bf_gfem_work_clear(&(*w)[t]);
  bf_host_free(*w);
  *w = NULL;
}

static double factor_at(const bf_model *m, const bf_model_block *b, bf_int e, int q)
{
  return m->thickness * b->stiffness.w[q] *
         (b->factor ? b->factor[(size_t)e * (size_t)b->stiffness.n + (size_t)q] : 1.0);
}

double bf_gfem_at_point(const bf_model *m, const bf_model_block *b, bf_int e, int q, bf_gfem_work *w)
{
  const bf_int *node, elem = b->block->first + e;
  const int     n = bf_gfem_nodes(bf_gfem_of(m), elem, &node);
  double        x[3];
  const double  det = bf_gfem_shape(m->mesh, bf_gfem_of(m), elem, b->stiffness.xi[q], w->psi, w->d, x);
  bf_gfem_B(m, n, w->d, w->B);
  return factor_at(m, b, e, q) * det;
}

/* K += M^ij times the entries of C that couple derivatives i and j, and its transpose. */
static void add_pair(const bf_model *m, const double *C, int i, int j, int n, const bf_gfem_work *w, int ld,
                     double *K)
{
  const int    D  = m->ncomp;
  const size_t lm = (size_t)bf_panels(n) * BF_PANEL;
  for (int c = 0; c < D; c++)
    for (int d = 0; d < D; d++) {
      const double f = C[bf_gfem_strain(m, c, i) * m->nv + bf_gfem_strain(m, d, j)];
      for (int a = 0; a < n && f != 0.0; a++) {
        double       *Ka = K + (size_t)(a * D + c) * (size_t)ld + d;
        const double *Ma = w->M + (size_t)a * lm;
        for (int b = 0; b < n; b++)
          Ka[b * D] += f * (i == j && b < a ? w->M[(size_t)b * lm + (size_t)a] : Ma[b]);
      }
      const double t = C[bf_gfem_strain(m, c, j) * m->nv + bf_gfem_strain(m, d, i)];
      for (int a = 0; a < n && t != 0.0 && i != j; a++) {
        double *Ka = K + (size_t)(a * D + c) * (size_t)ld + d;
        for (int b = 0; b < n; b++) Ka[b * D] += t * w->M[(size_t)b * lm + (size_t)a];
      }
    }
}

/* Heat: one product over all points and derivatives, S = w C d. */
static void add_scalar(int n, int depth, bf_gfem_work *w, int ld, double *K)
{
  const size_t lm = (size_t)bf_panels(n) * BF_PANEL;
  bf_panel_product(bf_panels(n), depth, 0, 0, depth, w->A, w->S, 1, w->M);
  for (int a = 0; a < n; a++)
    for (int b = a; b < n; b++) {
      const double v = w->M[(size_t)a * lm + (size_t)b];
      K[(size_t)a * (size_t)ld + (size_t)b] += v;
      if (b > a) K[(size_t)b * (size_t)ld + (size_t)a] += v;
    }
}

/* flux[n] = sum_j C[i][j] d[j] of a scalar */
static void flux_row(const bf_model *m, const double *C, int i, int n, const double *d, double *flux)
{
  for (int a = 0; a < n; a++) flux[a] = 0.0;
  for (int j = 0; j < m->sdim; j++)
    for (int a = 0; a < n; a++) flux[a] += C[i * m->nv + j] * d[j * n + a];
}

void bf_gfem_element(const bf_model *m, const bf_model_block *b, bf_int e, bf_gfem_work *w, int ld, double *K)
{
  const bf_int *node, elem = b->block->first + e;
  const int     n = bf_gfem_nodes(bf_gfem_of(m), elem, &node), nq = b->stiffness.n, depth = m->sdim * nq;
  const double *C = m->C + (size_t)m->region[elem] * (size_t)(m->nv * m->nv);
  double        x[3];
  for (int q = 0; q < nq; q++) {
    const double det    = bf_gfem_shape(m->mesh, bf_gfem_of(m), elem, b->stiffness.xi[q], w->psi, w->d, x);
    const double weight = factor_at(m, b, e, q) * det;
    for (int i = 0; i < m->sdim; i++) {
      bf_panel_row(n, depth, i * nq + q, 1.0, w->d + i * n, w->A);
      if (m->ncomp == 1) flux_row(m, C, i, n, w->d, w->T);
      bf_panel_row(n, depth, i * nq + q, weight, m->ncomp == 1 ? w->T : w->d + i * n, w->S);
    }
  }
  if (m->ncomp == 1) {
    add_scalar(n, depth, w, ld, K);
    return;
  }
  for (int i = 0; i < m->sdim; i++)
    for (int j = i; j < m->sdim; j++) {
      bf_panel_product(bf_panels(n), depth, i * nq, j * nq, nq, w->A, w->S, i == j, w->M);
      add_pair(m, C, i, j, n, w, ld, K);
    }
}

void bf_gfem_robin(const bf_model *m, const bf_gfem_sides *s, bf_int i, const double *h, bf_gfem_work *w,
                   int ld, double *K)
{
  const int D = m->ncomp;
  for (int q = 0; q < s->rule.n; q++) {
    double    weight;
    const int n = bf_gfem_side_point(m, s, i, q, w->psi, NULL, &weight);
    for (int c = 0; c < D; c++) {
      const double k = weight * h[((size_t)c * (size_t)s->n + (size_t)i) * (size_t)s->rule.n + (size_t)q];
      for (int a = 0; a < n && k != 0.0; a++)
        for (int b = 0; b < n; b++)
          K[(size_t)(a * D + c) * (size_t)ld + (size_t)(b * D + c)] += k * w->psi[a] * w->psi[b];
    }
  }
}

double bf_gfem_penalty(const bf_model *m, const bf_gfem_sides *s, bf_int i, int q)
{
  const size_t at    = (size_t)m->region[s->elem[i]] * (size_t)(m->nv * m->nv);
  const double gamma = m->problem->nitsche_gamma > 0.0 ? m->problem->nitsche_gamma : 30.0;
  return gamma * m->C[at] * s->factor[(size_t)i * (size_t)s->rule.n + (size_t)q] / s->size[i];
}

void bf_gfem_weak(const bf_model *m, const bf_gfem_sides *s, bf_int i, bf_gfem_work *w, int ld, double *K)
{
  int       comp[3];
  const int nc = bf_gfem_prescribed(m, s->set, comp), D = m->ncomp;
  for (int q = 0; q < s->rule.n; q++) {
    double       weight;
    const int    n = bf_gfem_side_point(m, s, i, q, w->psi, w->d, &weight), nd = n * D;
    const double penalty = bf_gfem_penalty(m, s, i, q);
    bf_gfem_B(m, n, w->d, w->B);
    bf_gfem_tractions(m, s->elem[i], s->factor[(size_t)i * (size_t)s->rule.n + (size_t)q],
                      bf_gfem_normal(s, i, q), nd, w->B, w->T);
    for (int k = 0; k < nc; k++) {
      const int     c = comp[k];
      const double *T = w->T + c * nd;
      for (int a = 0; a < nd; a++)
        for (int b = 0; b < nd; b++) {
          const double pa = a % D == c ? w->psi[a / D] : 0.0, pb = b % D == c ? w->psi[b / D] : 0.0;
          K[(size_t)a * (size_t)ld + (size_t)b] += weight * (penalty * pa * pb - T[a] * pb - pa * T[b]);
        }
    }
  }
}

enum { CHUNK = 1024 };

bf_err bf_gfem_add_items(const bf_model *m, const bf_gfem_sum *s, bf_gfem_work *works, double *f)
{
  bf_err         err  = BF_OK;
  const bf_gfem *g    = bf_gfem_of(m);
  const size_t   most = (size_t)g->most * (size_t)m->ncomp;
  double        *fe   = NULL;
  BF_GO(BF_NEW_ARRAY(fe, most * (size_t)(s->n < CHUNK ? s->n : CHUNK)));
  for (bf_int i0 = 0; i0 < s->n; i0 += CHUNK) {
    const bf_int n = s->n - i0 < CHUNK ? s->n - i0 : CHUNK;
    memset(fe, 0, most * (size_t)n * sizeof *fe);
#pragma omp parallel for schedule(dynamic, 16)
    for (bf_int i = 0; i < n; i++)
      s->one(m, s->data, i0 + i, &works[omp_get_thread_num()], fe + most * (size_t)i);
    for (bf_int i = 0; i < n; i++) {
      const bf_int *node;
      const int     k = bf_gfem_nodes(g, s->elem_of(s->data, i0 + i), &node), D = m->ncomp;
      for (int a = 0; a < k * D; a++)
        f[(size_t)node[a / D] * (size_t)D + (size_t)(a % D)] += fe[most * (size_t)i + (size_t)a];
    }
  }
done:
  bf_host_free(fe);
  return err;
}
