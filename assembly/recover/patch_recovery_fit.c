/* assembly/recover/patch_recovery_fit.c - polynomials of the patches, and the nodes that take their values:
 * see patch_recovery.h
 *
 * Coordinates z of a patch run along the edges of its first cell at the node, in units of their lengths, so
 * that flat and oblique elements do not spoil the condition of the fit.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "assembly/recover/patch_recovery.h"
#include "base/memory.h"
#include <math.h>
#include <string.h>

enum { TERMS = 17, COLUMNS = 24 }; /* values, terms, and room for whole vectors */

typedef struct poly {
  int    n; /* terms; 0 = not determined */
  double R[3][3], c[TERMS][BF_TENSOR];
} poly;

/* A term whose pivot is less than this share of its diagonal is not determined by the samples. */
static const double DETERMINED = 1e-3;

/* Terms of the polynomial of a patch of elements of a type. */
static int terms_of(const bf_elem_info *el)
{
  const int box = el->ncorners > el->dim + 1;
  if (el->order == 1) return el->dim + 1;
  return el->dim == 2 ? (box ? 8 : 6) : box ? 17 : 10;
}

/* 1 z1 z2 [z3], the products of order 2, and of boxes those of their shape functions that are cubic:
 * z1^2 z2 and so on, z1 z2 z3 */
static void monomials(int dim, int n, const double z[3], double *m)
{
  int k  = 0;
  m[k++] = 1.0;
  for (int i = 0; i < dim; i++) m[k++] = z[i];
  if (k == n) return;
  for (int i = 0; i < dim; i++)
    for (int j = i; j < dim; j++) m[k++] = z[i] * z[j];
  if (k == n) return;
  for (int i = 0; i < dim; i++)
    for (int j = 0; j < dim; j++)
      if (i != j) m[k++] = z[i] * z[i] * z[j];
  if (dim == 3) m[k++] = z[0] * z[1] * z[2];
}

/* Columns w .. w+n-1 of A: L L^T in place in the lower triangle; columns 0 .. w-1, right-hand sides, become
 * L^-1 b.  0 where a pivot is below `share` of its diagonal. */
static int factor(int n, int w, double A[TERMS][COLUMNS], double share)
{
  for (int j = 0; j < n; j++) {
    double      *row = A[j], *m = A[j] + w;
    const double d0 = m[j];
    for (int k = 0; k < j; k++) m[j] -= m[k] * m[k];
    if (!(m[j] > share * d0)) return 0;
    m[j]           = sqrt(m[j]);
    const double d = 1.0 / m[j];
    for (int i = j + 1; i < n; i++) {
      for (int k = 0; k < j; k++) A[i][w + j] -= A[i][w + k] * m[k];
      A[i][w + j] *= d;
    }
    for (int k = 0; k < j; k++)
      for (int c = 0; c < w; c++) row[c] -= m[k] * A[k][c];
    for (int c = 0; c < w; c++) row[c] *= d;
  }
  return 1;
}

/* z = R (x - origin) */
static void turn(int dim, double R[3][3], const double *x, const double *origin, double z[3])
{
  for (int i = 0; i < dim; i++) {
    z[i] = 0.0;
    for (int k = 0; k < dim; k++) z[i] += R[i][k] * (x[k] - origin[k]);
  }
}

typedef struct run { /* samples of a cell */
  const double *x, *v;
  int           n;
} run;

static run samples(const bf_patches *p, bf_int cell)
{
  const int    b = bf_patches_block(p, cell), n = p->table[b].n;
  const size_t at = p->s0[b] + (size_t)(cell - p->cell0[b]) * (size_t)n;
  return (run){p->x + 3 * at, p->v + (size_t)p->width * at, n};
}

/* R = E^-1, E[k] = edge k of the first cell at v: cells are about unit cubes, squares or simplices in z; 0
 * where the edges lie in a plane. */
static int frame(const bf_patches *p, bf_int v, double R[3][3])
{
  const bf_int        cell  = p->item[p->ptr[v]];
  const bf_elem_info *el    = bf_elem(p->view->type[cell]);
  const bf_int       *point = p->view->point + p->view->ptr[cell];
  const double       *x = p->m->mesh->x, *o = x + 3 * (size_t)p->view->node[v];
  double              E[3][3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
  int                 n       = 0;
  for (int k = 0; k < el->nedges && n < el->dim; k++) {
    const bf_int a = point[el->edge[k][0]], b = point[el->edge[k][1]];
    if (a != v && b != v) continue;
    const double *y = x + 3 * (size_t)p->view->node[a == v ? b : a];
    for (int i = 0; i < el->dim; i++) E[i][n] = y[i] - o[i];
    n++;
  }
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      const int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
      R[j][i] = E[i1][j1] * E[i2][j2] - E[i1][j2] * E[i2][j1]; /* cofactors */
    }
  const double det = E[0][0] * R[0][0] + E[0][1] * R[1][0] + E[0][2] * R[2][0];
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) R[i][j] /= det;
  return isfinite(1.0 / det);
}

/* A += row[w + a] row of the first n rows a, `columns` of each */
static inline void add_sample(int n, int w, int columns, const double *restrict row, double A[TERMS][COLUMNS])
{
  for (int a = 0; a < n; a++)
#pragma omp simd
    for (int c = 0; c < columns; c++) A[a][c] += row[w + a] * row[c];
}

/* Normal equations behind their right-hand sides; returns the number of samples. */
BF_VECTOR static int gather(const bf_patches *p, bf_int v, int n, double R[3][3], double A[TERMS][COLUMNS])
{
  const int     dim = p->m->sdim, w = p->width;
  const double *origin = p->m->mesh->x + 3 * (size_t)p->view->node[v];
  int           count  = 0;
  memset(A, 0, (size_t)n * sizeof A[0]);
  for (int64_t i = p->ptr[v]; i < p->ptr[v + 1]; i++) {
    const run r = samples(p, p->item[i]);
    for (int s = 0; s < r.n; s++) {
      double z[3], row[COLUMNS] = {0.0};
      turn(dim, R, r.x + (ptrdiff_t)3 * s, origin, z);
      for (int k = 0; k < w; k++) row[k] = r.v[s * w + k];
      monomials(dim, n, z, row + w);
      if (n + w <= COLUMNS / 2) /* two loops of known length */
        add_sample(n, w, COLUMNS / 2, row, A);
      else
        add_sample(n, w, COLUMNS, row, A);
    }
    count += r.n;
  }
  return count;
}

static void fit(const bf_patches *p, bf_int v, int n, poly *out)
{
  const int w = p->width;
  double    A[TERMS][COLUMNS];
  out->n = 0;
  if (!frame(p, v, out->R) || gather(p, v, n, out->R, A) < n || !factor(n, w, A, DETERMINED)) return;
  for (int j = n - 1; j >= 0; j--)
    for (int c = 0; c < w; c++) {
      double sum = A[j][c];
      for (int i = j + 1; i < n; i++) sum -= A[i][w + j] * out->c[i][c];
      out->c[j][c] = sum / A[j][w + j];
    }
  out->n = n;
}

/* sum[width] += the polynomial of corner point v at x */
static void add_value(const bf_patches *p, poly *f, bf_int v, const double *x, double *sum)
{
  double z[3], m[TERMS];
  turn(p->m->sdim, f->R, x, p->m->mesh->x + 3 * (size_t)p->view->node[v], z);
  monomials(p->m->sdim, f->n, z, m);
  for (int i = 0; i < f->n; i++)
    for (int k = 0; k < p->width; k++) sum[k] += m[i] * f->c[i][k];
}

/* Value of point v between corners, the mean of the polynomials of those that are inside; 0 where none is. */
static int between(const bf_patches *p, poly *of, const bf_int *slot, bf_int v, double *value)
{
  const bf_int        cell           = p->item[p->ptr[v]];
  const bf_elem_info *el             = bf_elem(p->view->type[cell]);
  const bf_int       *point          = p->view->point + p->view->ptr[cell];
  double              sum[BF_TENSOR] = {0.0};
  int                 corner[BF_CORNERS_MAX], found = 0;
  const int           n = bf_elem_span(el, bf_patches_local(p->view, cell, v), corner);
  for (int i = 0; i < n; i++) {
    const bf_int at = point[corner[i]];
    if (slot[at] < 0 || of[slot[at]].n == 0) continue;
    add_value(p, &of[slot[at]], at, p->m->mesh->x + 3 * (size_t)p->view->node[v], sum);
    found++;
  }
  for (int k = 0; k < p->width && found; k++) value[k] = sum[k] / found;
  return found > 0;
}

/* Numbers the surrounded corners of quadratic elements from 0; of linear ones the slot stays 0, as nothing
 * lies between corners. */
static bf_int number(const bf_patches *p, bf_int *slot)
{
  bf_int n = 0;
  for (bf_int v = 0; v < p->view->npoints; v++)
    if (slot[v] == 0 && bf_elem(p->view->type[p->item[p->ptr[v]]])->order == 2) slot[v] = n++;
  return n;
}

/* Means of the fits of the elements at the points that no patch recovered. */
static void from_elements(const bf_patches *p, double *nodal)
{
  const size_t w = (size_t)p->width;
#pragma omp parallel for schedule(dynamic, 256)
  for (bf_int v = 0; v < p->view->npoints; v++) {
    double sum[BF_TENSOR] = {0.0};
    if (p->by[v]) continue;
    for (int64_t i = p->ptr[v]; i < p->ptr[v + 1]; i++) {
      const bf_int  cell = p->item[i];
      const int     b = bf_patches_block(p, cell), nq = p->m->block[b].stiffness.n;
      const double *value = p->value + (p->q0[b] + (size_t)(cell - p->cell0[b]) * (size_t)nq) * w;
      const double *P     = p->table[b].P[bf_patches_local(p->view, cell, v)];
      for (size_t k = 0; k < w; k++)
        for (int q = 0; q < nq; q++) sum[k] += P[q] * value[k * (size_t)nq + (size_t)q];
    }
    for (size_t k = 0; k < w; k++) nodal[(size_t)v * w + k] = sum[k] / (double)(p->ptr[v + 1] - p->ptr[v]);
  }
}

/* The cell at v whose polynomial has the fewest terms. */
static const bf_elem_info *smallest(const bf_patches *p, bf_int v)
{
  const bf_elem_info *least = bf_elem(p->view->type[p->item[p->ptr[v]]]);
  for (int64_t i = p->ptr[v] + 1; i < p->ptr[v + 1]; i++) {
    const bf_elem_info *el = bf_elem(p->view->type[p->item[i]]);
    if (terms_of(el) < terms_of(least)) least = el;
  }
  return least;
}

bf_err bf_patches_recover(bf_patches *p, double *nodal)
{
  bf_err       err  = BF_OK;
  bf_int      *slot = NULL, nby = 0;
  poly        *of = NULL;
  const bf_int np = p->view->npoints;
  const size_t w  = (size_t)p->width;
  BF_GO(BF_NEW_ARRAY(slot, np));
  BF_GO(bf_patches_inner(p, slot));
  BF_GO(BF_NEW_ARRAY(of, number(p, slot)));
#pragma omp parallel for schedule(dynamic, 256)
  for (bf_int v = 0; v < np; v++) {
    if (slot[v] < 0) continue;
    poly                f;
    const bf_elem_info *el = smallest(p, v);
    fit(p, v, terms_of(el), &f);
    if (el->order == 2) of[slot[v]] = f;
    if (f.n == 0) continue;
    memcpy(nodal + (size_t)v * w, f.c[0], w * sizeof *nodal);
    p->by[v] = 1;
  }
#pragma omp parallel for schedule(dynamic, 256) reduction(+ : nby)
  for (bf_int v = 0; v < np; v++) {
    if (slot[v] < 0 && p->ptr[v + 1] > p->ptr[v] &&
        bf_patches_local(p->view, p->item[p->ptr[v]], v) >=
            bf_elem(p->view->type[p->item[p->ptr[v]]])->ncorners)
      p->by[v] = (uint8_t)between(p, of, slot, v, nodal + (size_t)v * w);
    nby += p->by[v];
  }
  p->nby = nby;
  from_elements(p, nodal);
done:
  bf_host_free(slot);
  bf_host_free(of);
  return err;
}
