/* assembly/fields.c - strains, stresses and heat fluxes: at integration points, per cell, and at the nodes
 *
 *     grad u = (sum_a u_a (x) dN_a/dxi) J^-1,   strain = symmetric part,   stress = factor C strain,
 *     heat flux = -factor C grad T
 * cell value      mean over the integration points weighted by w det J; von_mises the mean of the points'
 * values nodal value     the element's least-squares fit at the node (extrapolate.c), mean over the elements
 * of one region that share it; von_mises_nodal of the mean tensor plane strain    stress zz = nu (xx + yy);
 * plane stress  strain zz = -nu/(1-nu) (xx + yy) Shear strains in fields are tensor components, half the
 * engineering shear that C takes.
 */
#include "assembly/recover.h"
#include "assembly/shape.h"
#include "base/memory.h"
#include <math.h>
#include <omp.h>
#include <string.h>

enum { CHUNK = 8192, WIDTH = 6 };

typedef struct bf_table { /* of one block */
  const bf_model_block *block;
  double                dN[BF_QUADRATURE_MAX][BF_NEN_MAX][3];
  double                P[BF_NEN_MAX][BF_QUADRATURE_MAX];
} bf_table;

typedef struct bf_points { /* an element at its integration points */
  int    nq;
  double wdet[BF_QUADRATURE_MAX];
  double strain[BF_QUADRATURE_MAX][WIDTH]; /* tensor components */
  double value[BF_QUADRATURE_MAX][WIDTH];  /* stress or heat flux */
} bf_points;

typedef struct bf_targets { /* where the results go; borrowed from the solution */
  int     width;            /* of value: 6 or 3 */
  double *strain, *value, *vm, *vm_max, *nodal, *vm_nodal;
} bf_targets;

double bf_von_mises(const double s[6])
{
  const double a = s[0] - s[1], b = s[1] - s[2], c = s[2] - s[0];
  return sqrt(0.5 * (a * a + b * b + c * c) + 3.0 * (s[3] * s[3] + s[4] * s[4] + s[5] * s[5]));
}

static void tables_fill(const bf_model_block *block, bf_table *t)
{
  double N[BF_NEN_MAX];
  t->block = block;
  for (int q = 0; q < block->stiffness.n; q++)
    bf_shape(block->block->type, block->stiffness.xi[q], N, t->dN[q]);
  bf_recover_extrapolation(block->block->type, &block->stiffness, t->P);
}

/* Inverse of J (2 x 2 or 3 x 3, rest 0); returns det J, I = 0 where it is 0. */
static double invert(int dim, double J[3][3], double I[3][3])
{
  memset(I, 0, 9 * sizeof I[0][0]);
  if (dim == 2) {
    const double det = J[0][0] * J[1][1] - J[0][1] * J[1][0], r = det != 0.0 ? 1.0 / det : 0.0;
    I[0][0] = J[1][1] * r;
    I[0][1] = -J[0][1] * r;
    I[1][0] = -J[1][0] * r;
    I[1][1] = J[0][0] * r;
    return det;
  }
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      const int a = (i + 1) % 3, b = (i + 2) % 3, c = (j + 1) % 3, d = (j + 2) % 3;
      I[j][i] = J[a][c] * J[b][d] - J[a][d] * J[b][c];
    }
  const double det = J[0][0] * I[0][0] + J[0][1] * I[1][0] + J[0][2] * I[2][0],
               r   = det != 0.0 ? 1.0 / det : 0.0;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) I[i][j] *= r;
  return det;
}

/* Stress and strain from G[c][i] = du_c/dx_i. */
static void elastic(const bf_model *m, const double *C, double nu, double factor, double G[3][3],
                    double *strain, double *stress)
{
  const int nv   = m->nv;
  double    e[6] = {G[0][0], G[1][1], G[2][2], G[0][1] + G[1][0], G[1][2] + G[2][1], G[0][2] + G[2][0]}, s[6];
  if (nv == 3) e[2] = e[3]; /* xx yy xy */
  for (int i = 0; i < nv; i++) {
    s[i] = 0.0;
    for (int j = 0; j < nv; j++) s[i] += C[i * nv + j] * e[j];
    s[i] *= factor;
  }
  for (int i = 0; i < 6; i++) strain[i] = stress[i] = 0.0;
  if (nv == 6) {
    for (int i = 0; i < 6; i++) strain[i] = i < 3 ? e[i] : 0.5 * e[i], stress[i] = s[i];
    return;
  }
  strain[0] = e[0], strain[1] = e[1], strain[3] = 0.5 * e[2];
  stress[0] = s[0], stress[1] = s[1], stress[3] = s[2];
  if (m->space == BF_SPACE_PLANE_STRAIN)
    stress[2] = nu * (s[0] + s[1]);
  else
    strain[2] = -nu / (1.0 - nu) * (e[0] + e[1]);
}

/* g[j] = sum_a v[a][c] dN_a/dxi_j */
static inline void gradient(int nen, int c, const double (*v)[3], const double (*dN)[3], double *g)
{
  double g0 = 0.0, g1 = 0.0, g2 = 0.0;
  for (int a = 0; a < nen; a++) {
    g0 += v[a][c] * dN[a][0];
    g1 += v[a][c] * dN[a][1];
    g2 += v[a][c] * dN[a][2];
  }
  g[0] = g0, g[1] = g1, g[2] = g2;
}

/* Element number e (of the mesh) of the table's block. */
static void element(const bf_model *m, const bf_numbering *num, const bf_table *t, bf_int e, const double *u,
                    bf_points *out)
{
  const bf_block *k   = t->block->block;
  const int       nen = bf_elem(k->type)->nnodes, nq = t->block->stiffness.n, D = m->ncomp;
  const bf_int   *node = k->node + (size_t)(e - k->first) * (size_t)nen, region = m->region[e];
  const double   *C      = m->C + (size_t)region * (size_t)(m->nv * m->nv);
  const double   *factor = t->block->factor ? t->block->factor + (size_t)(e - k->first) * (size_t)nq : NULL;
  double          x[BF_NEN_MAX][3], v[BF_NEN_MAX][3] = {{0.0}};
  for (int a = 0; a < nen; a++) {
    const size_t row = (size_t)num->row[node[a]];
    memcpy(x[a], m->mesh->x + 3 * (size_t)node[a], sizeof x[a]);
    for (int c = 0; c < D; c++) v[a][c] = u[row * (size_t)D + (size_t)c];
  }
  out->nq = nq;
  for (int q = 0; q < nq; q++) {
    double J[3][3], H[3][3] = {{0.0}}, I[3][3], G[3][3];
    for (int c = 0; c < 3; c++) gradient(nen, c, (const double(*)[3])x, (const double(*)[3])t->dN[q], J[c]);
    for (int c = 0; c < D; c++) gradient(nen, c, (const double(*)[3])v, (const double(*)[3])t->dN[q], H[c]);
    out->wdet[q]   = t->block->stiffness.w[q] * invert(m->sdim, J, I);
    const double f = factor ? factor[q] : 1.0;
    for (int c = 0; c < 3; c++)
      for (int i = 0; i < 3; i++) G[c][i] = H[c][0] * I[0][i] + H[c][1] * I[1][i] + H[c][2] * I[2][i];
    if (m->problem->physics == BF_ELASTICITY) {
      elastic(m, C, m->problem->material[region].nu, f, G, out->strain[q], out->value[q]);
      continue;
    }
    for (int i = 0; i < 3; i++) {
      out->value[q][i] = 0.0;
      for (int j = 0; j < m->nv && i < m->nv; j++) out->value[q][i] -= f * C[i * m->nv + j] * G[0][j];
    }
  }
}

/* Cell values of cell c from its points. */
static void reduce(const bf_points *p, bf_int c, const bf_targets *to)
{
  const size_t w      = (size_t)to->width;
  double       volume = 0.0, mean = 0.0, most = 0.0;
  for (int q = 0; q < p->nq; q++) volume += p->wdet[q];
  for (int q = 0; q < p->nq; q++) {
    const double s = p->wdet[q] / volume;
    for (size_t i = 0; i < w; i++) to->value[(size_t)c * w + i] += s * p->value[q][i];
    if (!to->strain) continue;
    const double vm = bf_von_mises(p->value[q]);
    for (size_t i = 0; i < w; i++) to->strain[(size_t)c * w + i] += s * p->strain[q][i];
    mean += s * vm;
    most = fmax(most, vm);
  }
  if (!to->strain) return;
  to->vm[c]     = mean;
  to->vm_max[c] = most;
}

/* Adds the chunk's nodal values ext[incidence][width] to the points, each point by one thread that walks the
 * incidences in order. */
static void gather(const bf_view *view, int64_t i0, int64_t i1, const double *ext, const bf_targets *to,
                   bf_int *count)
{
  const bf_int *point = view->point;
  const size_t  w     = (size_t)to->width;
  bf_int        lo = view->npoints, hi = -1;
  for (int64_t i = i0; i < i1; i++) {
    if (point[i] < lo) lo = point[i];
    if (point[i] > hi) hi = point[i];
  }
#pragma omp parallel
  {
    const int64_t n = omp_get_num_threads(), k = omp_get_thread_num(), span = (int64_t)hi - lo + 1;
    const int64_t first = lo + span * k / n, last = lo + span * (k + 1) / n;
    for (int64_t i = i0; i < i1; i++) {
      const bf_int p = point[i];
      if (p < first || p >= last) continue;
      for (size_t c = 0; c < w; c++) to->nodal[(size_t)p * w + c] += ext[(size_t)(i - i0) * w + c];
      count[p]++;
    }
  }
}

static bf_err walk(const bf_model *m, const bf_numbering *num, const bf_view *view, const double *u,
                   bf_table *const table[BF_ELEM_TYPES], const bf_targets *to)
{
  bf_err       err   = BF_OK;
  double      *ext   = NULL;
  bf_int      *count = NULL;
  const size_t w     = (size_t)to->width;
  BF_GO(BF_NEW_ARRAY(count, view->npoints));
  BF_GO(BF_NEW_ARRAY(ext, (size_t)CHUNK * BF_NEN_MAX * w));
  for (bf_int c0 = 0; c0 < view->ncells; c0 += CHUNK) {
    const bf_int c1 = view->ncells - c0 < CHUNK ? view->ncells : c0 + CHUNK;
#pragma omp parallel for
    for (bf_int c = c0; c < c1; c++) {
      const bf_table *t = table[view->type[c]];
      bf_points       p;
      element(m, num, t, view->elem[c], u, &p);
      reduce(&p, c, to);
      for (int64_t i = view->ptr[c]; i < view->ptr[c + 1]; i++) {
        double   *e = ext + (size_t)(i - view->ptr[c0]) * w;
        const int a = (int)(i - view->ptr[c]);
        for (size_t k = 0; k < w; k++) e[k] = 0.0;
        for (int q = 0; q < p.nq; q++)
          for (size_t k = 0; k < w; k++) e[k] += t->P[a][q] * p.value[q][k];
      }
    }
    gather(view, view->ptr[c0], view->ptr[c1], ext, to, count);
  }
#pragma omp parallel for
  for (bf_int p = 0; p < view->npoints; p++) {
    for (size_t k = 0; k < w && count[p]; k++) to->nodal[(size_t)p * w + k] /= count[p];
    if (to->vm_nodal) to->vm_nodal[p] = bf_von_mises(to->nodal + (size_t)p * w);
  }
done:
  bf_host_free(ext);
  bf_host_free(count);
  return err;
}

bf_err bf_recover_elements(const bf_model *m, const bf_numbering *num, const bf_view *view, const double *u,
                           bf_solution *out)
{
  bf_err       err                  = BF_OK;
  bf_table    *table[BF_ELEM_TYPES] = {NULL};
  bf_targets   to                   = {0};
  const bf_int nc = view->ncells, np = view->npoints;
  for (int b = 0; b < m->nblocks; b++) {
    bf_table **t = &table[m->block[b].block->type];
    BF_GO(BF_NEW(*t));
    tables_fill(&m->block[b], *t);
  }
  if (m->problem->physics == BF_ELASTICITY) {
    to.width = 6;
    BF_GO(bf_recover_add(out, "strain", "1", 6, 1, nc, &to.strain));
    BF_GO(bf_recover_add(out, "stress", "Pa", 6, 1, nc, &to.value));
    BF_GO(bf_recover_add(out, "von_mises", "Pa", 1, 1, nc, &to.vm));
    BF_GO(bf_recover_add(out, "von_mises_max_ip", "Pa", 1, 1, nc, &to.vm_max));
    BF_GO(bf_recover_add(out, "stress_nodal", "Pa", 6, 0, np, &to.nodal));
    BF_GO(bf_recover_add(out, "von_mises_nodal", "Pa", 1, 0, np, &to.vm_nodal));
  } else {
    to.width = 3;
    BF_GO(bf_recover_add(out, "heat_flux", "W/m2", 3, 1, nc, &to.value));
    BF_GO(bf_recover_add(out, "heat_flux_nodal", "W/m2", 3, 0, np, &to.nodal));
  }
  BF_GO(walk(m, num, view, u, table, &to));
done:
  for (int t = 0; t < BF_ELEM_TYPES; t++) bf_host_free(table[t]);
  return err;
}
