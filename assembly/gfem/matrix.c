/* assembly/gfem/matrix.c - matrices of elements and of their sides with the shape functions of gfem.h
 *
 *     K_e  = sum_q w  B^T C B                                       of an element
 *     H    = sum_q w  h psi^T psi                                   of a face under convection
 *     weak = sum_q w (-T_c^T psi_c - psi_c^T T_c + (gamma C_11 / l) psi_c^T psi_c)
 *            for the components c prescribed on a curved side, T the tractions (heat: flux) of the shape
 *            functions, l the face's length
 * Source: J. Nitsche, Ueber ein Variationsprinzip zur Loesung von Dirichlet-Problemen, Abh. Math. Sem. Univ.
 * Hamburg 36 (1971) 9, doi 10.1007/BF02995904, for the last.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "assembly/gfem/matrix.h"
#include "base/memory.h"

void bf_gfem_B(const bf_model *m, int n, const double *d, double *B)
{
  const int nd = n * m->ncomp;
  if (m->ncomp == 1) {
    for (int i = 0; i < 2 * n; i++) B[i] = d[i];
    return;
  }
  for (int j = 0; j < n; j++) {
    const double dx = d[j], dy = d[n + j];
    B[2 * j]              = dx;
    B[2 * j + 1]          = 0.0;
    B[nd + 2 * j]         = 0.0;
    B[nd + 2 * j + 1]     = dy;
    B[2 * nd + 2 * j]     = dy;
    B[2 * nd + 2 * j + 1] = dx;
  }
}

bf_err bf_gfem_work_create(const bf_model *m, bf_gfem_work *w)
{
  const size_t n = (size_t)bf_gfem_of(m)->most, nd = n * (size_t)m->ncomp;
  BF_TRY(BF_NEW_ARRAY(w->psi, n));
  BF_TRY(BF_NEW_ARRAY(w->d, 2 * n));
  BF_TRY(BF_NEW_ARRAY(w->B, (size_t)m->nv * nd));
  BF_TRY(BF_NEW_ARRAY(w->CB, (size_t)m->nv * nd));
  BF_TRY(BF_NEW_ARRAY(w->T, 3 * nd));
  return BF_OK;
}

void bf_gfem_work_clear(bf_gfem_work *w)
{
  bf_host_free(w->psi);
  bf_host_free(w->d);
  bf_host_free(w->B);
  bf_host_free(w->CB);
  bf_host_free(w->T);
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

double bf_gfem_at_point(const bf_model *m, const bf_model_block *b, bf_int e, int q, bf_gfem_work *w)
{
  const bf_int elem = b->block->first + e;
  const int    n    = (int)(bf_gfem_of(m)->eptr[elem + 1] - bf_gfem_of(m)->eptr[elem]);
  double       x[3];
  const double det = bf_gfem_shape(m->mesh, bf_gfem_of(m), elem, b->stiffness.xi[q], w->psi, w->d, x);
  bf_gfem_B(m, n, w->d, w->B);
  return m->thickness * b->stiffness.w[q] * det *
         (b->factor ? b->factor[(size_t)e * (size_t)b->stiffness.n + (size_t)q] : 1.0);
}

void bf_gfem_element(const bf_model *m, const bf_model_block *b, bf_int e, bf_gfem_work *w, int ld, double *K)
{
  const bf_int elem = b->block->first + e;
  const int    n = (int)(bf_gfem_of(m)->eptr[elem + 1] - bf_gfem_of(m)->eptr[elem]), nd = n * m->ncomp,
            nv    = m->nv;
  const double *C = m->C + (size_t)m->region[elem] * (size_t)(nv * nv);
  for (int q = 0; q < b->stiffness.n; q++) {
    const double weight = bf_gfem_at_point(m, b, e, q, w);
    for (int k = 0; k < nv; k++)
      for (int j = 0; j < nd; j++) {
        double s = 0.0;
        for (int i = 0; i < nv; i++) s += C[k * nv + i] * w->B[i * nd + j];
        w->CB[k * nd + j] = weight * s;
      }
    for (int i = 0; i < nd; i++) /* the upper triangle */
      for (int k = 0; k < nv; k++) {
        const double  s  = w->B[k * nd + i];
        const double *CB = w->CB + k * nd;
        double       *Ki = K + (size_t)i * (size_t)ld;
        if (s == 0.0) continue;
        for (int j = i; j < nd; j++) Ki[j] += s * CB[j];
      }
  }
  for (int i = 0; i < nd; i++)
    for (int j = 0; j < i; j++) K[(size_t)i * (size_t)ld + (size_t)j] = K[(size_t)j * (size_t)ld + (size_t)i];
}

void bf_gfem_robin(const bf_model *m, const bf_gfem_sides *s, bf_int i, const double *h, bf_gfem_work *w,
                   int ld, double *K)
{
  for (int q = 0; q < s->rule.n; q++) {
    double    weight;
    const int n = bf_gfem_side_point(m, s, i, q, w->psi, w->d, &weight);
    weight *= h[(size_t)i * (size_t)s->rule.n + (size_t)q];
    for (int a = 0; a < n; a++)
      for (int b = 0; b < n; b++) K[(size_t)a * (size_t)ld + (size_t)b] += weight * w->psi[a] * w->psi[b];
  }
}

double bf_gfem_penalty(const bf_model *m, const bf_gfem_sides *s, bf_int i, int q)
{
  const size_t at    = (size_t)m->region[s->elem[i]] * (size_t)(m->nv * m->nv);
  const double gamma = m->problem->nitsche_gamma > 0.0 ? m->problem->nitsche_gamma : 30.0;
  return gamma * m->C[at] * s->factor[(size_t)i * (size_t)s->rule.n + (size_t)q] /
         s->normal[3 * (size_t)i + 2];
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
                      s->normal + 3 * (size_t)i, nd, w->B, w->T);
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
