/* kernels/cpu/gfem/integrals.c - matrices and loads of generalised finite elements
 *
 * Computes   psi_J and its gradient at a point as sums of W C over the corners (gfem_point.h), then
 *            Ke += c B^T C B of the upper triangle, or fe += c psi f.
 * Source     docs/theory/gfem.md.
 * Layout     gfem.h; one thread per element, its tables in scratch of the thread.
 * Cost       per point patches*terms*(1 + dim) and nd^2/2*nv multiply-adds.
 * Checked    tests/assembly/gfem/t675_gfem_backend.c.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "kernels/cpu/backend/cpu.h"
#include "kernels/gfem_point.h"
#include <omp.h>
#include <stdlib.h>
#include <string.h>

static int ascending(const void *a, const void *b)
{
  const bf_int p = *(const bf_int *)a, q = *(const bf_int *)b;
  return (p > q) - (p < q);
}

static const bf_int *corners(const bf_gfem_batch *B, bf_int e)
{
  return B->corner + (size_t)(B->elem ? B->elem[e] : e) * (size_t)B->nen;
}

/* Rows of the patch of entry q, its own last; returns their number. */
static int patch_rows(const bf_gfem_fits *F, bf_int q, bf_int *row)
{
  int n = 0;
  for (int64_t j = F->ptr[q]; j < F->ptr[q + 1]; j++) row[n++] = F->row[F->other[j]];
  row[n++] = F->row[q];
  return n;
}

bf_err bf_cpu_gfem_support(bf_backend *be, const bf_gfem_fits *F, const bf_gfem_batch *B, bf_int *conn)
{
  (void)be;
  bf_err  err  = BF_OK;
  bf_int *work = NULL;
  int     over = 0;
  BF_TRY(bf_gfem_batch_check(F, B, 0));
  const size_t each = (size_t)B->patches;
  BF_GO(BF_NEW_ARRAY(work, each * (size_t)omp_get_max_threads()));
#pragma omp parallel for schedule(static) reduction(| : over) if (B->ne > 64)
  for (bf_int e = 0; e < B->ne; e++) {
    const bf_int *corner = corners(B, e);
    bf_int       *row = work + each * (size_t)omp_get_thread_num(), *to = conn + (size_t)e * (size_t)B->width;
    int           n = 0, k = 0;
    for (int v = 0; v < B->nen; v++) {
      over |= n + F->ptr[corner[v] + 1] - F->ptr[corner[v]] + 1 > B->patches;
      if (!over) n += patch_rows(F, corner[v], row + n);
    }
    qsort(row, (size_t)n, sizeof *row, ascending);
    for (int i = 0; i < n; i++) {
      if (k > 0 && to[k - 1] == row[i]) continue;
      over |= k == B->width;
      if (k < B->width) to[k++] = row[i];
    }
    for (; k < B->width; k++) to[k] = n > 0 ? row[0] : 0;
  }
  BF_NEED(!over, BF_E_ARG, "an element has more than %d rows, or its patches more than %d", B->width,
          B->patches);
done:
  bf_host_free(work);
  return err;
}

typedef struct bf_scratch { /* of one element */
  int     nodes;            /* rows of the element */
  bf_int *place;            /* [patches]: of the rows of the corners' patches, one after another */
  double *psi;              /* [1 + dim][width] */
  double *B, *CB;           /* [nv][width*ncomp] */
  double  value[BF_FIT_TERMS], slope[3 * BF_FIT_TERMS]; /* of one corner */
  double  X[3 * BF_FIT_CORNERS];
} bf_scratch;

static bf_err scratch_create(const bf_gfem_fits *F, const bf_gfem_batch *B, bf_scratch *s)
{
  const size_t n = (size_t)B->width, nv = 6;
  BF_TRY(BF_NEW_ARRAY(s->place, B->patches));
  BF_TRY(BF_NEW_ARRAY(s->psi, (size_t)(1 + F->dim) * n));
  BF_TRY(BF_NEW_ARRAY(s->B, nv * n * (size_t)B->ncomp));
  return BF_NEW_ARRAY(s->CB, nv * n * (size_t)B->ncomp);
}

static void scratch_clear(bf_scratch *s)
{
  bf_host_free(s->place);
  bf_host_free(s->psi);
  bf_host_free(s->B);
  bf_host_free(s->CB);
}

/* Places of the patches' rows in conn[width], and coordinates of the corners; 0 if one is missing. */
static int find_places(const bf_gfem_fits *F, const bf_gfem_batch *B, bf_int e, const bf_int *conn,
                       bf_scratch *s)
{
  const bf_int *corner = corners(B, e);
  int           n      = 0;
  s->nodes             = 1;
  while (s->nodes < B->width && conn[s->nodes] > conn[s->nodes - 1]) s->nodes++;
  for (int v = 0; v < B->nen; v++) {
    const int had = n;
    if (n + F->ptr[corner[v] + 1] - F->ptr[corner[v]] + 1 > B->patches) return 0;
    n += patch_rows(F, corner[v], s->place + n);
    for (int i = had; i < n; i++) {
      const bf_int *at = bsearch(&s->place[i], conn, (size_t)s->nodes, sizeof *conn, ascending);
      if (!at) return 0;
      s->place[i] = (bf_int)(at - conn);
    }
    memcpy(s->X + 3 * v, F->x + 3 * (size_t)corner[v], 3 * sizeof *s->X);
  }
  return 1;
}

/* psi[0][.] and its derivatives psi[1 + s][.] at point p; returns scale w det J. */
static double at_point(const bf_gfem_fits *F, const bf_gfem_batch *B, bf_int e, int p, bf_scratch *s)
{
  const int     dim = F->dim, terms = bf_fit_terms(dim, F->order), nk = 1 + dim;
  const bf_int *corner = corners(B, e), *place = s->place;
  const double *N = B->N + p * B->nen, *dN = B->dN + p * B->nen * dim;
  double        x[3], inv[9];
  const double  det = bf_fit_geometry(dim, B->nen, N, dN, s->X, x, inv);
  memset(s->psi, 0, (size_t)nk * (size_t)B->width * sizeof *s->psi);
  for (int v = 0; v < B->nen; v++) {
    const bf_int  q = corner[v];
    const int     n = (int)(F->ptr[q + 1] - F->ptr[q]) + 1;
    const double *C = F->C + (size_t)terms * (size_t)(F->ptr[q] + q);
    bf_fit_weights(dim, F->order, terms, N[v], dN + v * dim, x, inv, s->X + 3 * v, F->h[q], s->value,
                   s->slope);
    for (int j = 0; j < n; j++) {
      double sum[4] = {0.0};
      for (int a = 0; a < terms; a++) {
        sum[0] += s->value[a] * C[a * n + j];
        for (int k = 0; k < dim; k++) sum[1 + k] += s->slope[a * dim + k] * C[a * n + j];
      }
      for (int k = 0; k < nk; k++) s->psi[k * B->width + place[j]] += sum[k];
    }
    place += n;
  }
  return B->scale * B->w[p] * det;
}

/* K += weight B^T C B, the upper triangle */
static void add_product(const bf_gfem_fits *F, const bf_gfem_batch *B, const double *C, double weight,
                        bf_scratch *s, double *K)
{
  const int dim = F->dim, D = B->ncomp, nv = D == 1 ? dim : dim * (dim + 1) / 2, nd = B->width * D,
            have = s->nodes * D;
  memset(s->B, 0, (size_t)(nv * nd) * sizeof *s->B);
  for (int j = 0; j < s->nodes; j++)
    for (int i = 0; i < D; i++)
      for (int k = 0; k < dim; k++)
        s->B[bf_fit_strain_row(dim, D, i, k) * nd + j * D + i] = s->psi[(1 + k) * B->width + j];
  for (int k = 0; k < nv; k++)
    for (int j = 0; j < have; j++) {
      double sum = 0.0;
      for (int i = 0; i < nv; i++) sum += C[k * nv + i] * s->B[i * nd + j];
      s->CB[k * nd + j] = weight * sum;
    }
  for (int i = 0; i < have; i++)
    for (int k = 0; k < nv; k++) {
      const double b = s->B[k * nd + i];
      for (int j = i; j < have && b != 0.0; j++)
        K[(size_t)i * (size_t)nd + (size_t)j] += b * s->CB[k * nd + j];
    }
}

static void element_matrix(const bf_gfem_fits *F, const bf_gfem_batch *B, bf_int e, bf_scratch *s, double *K)
{
  const int     D = B->ncomp, nv = D == 1 ? F->dim : F->dim * (F->dim + 1) / 2, nd = B->width * D;
  const bf_int  at = B->elem ? B->elem[e] : e;
  const double *C  = B->C + (B->mat ? (size_t)B->mat[at] * (size_t)(nv * nv) : 0);
  memset(K, 0, (size_t)nd * (size_t)nd * sizeof *K);
  for (int p = 0; p < B->nq; p++) {
    const double c = at_point(F, B, e, p, s);
    add_product(F, B, C, c * (B->factor ? B->factor[(size_t)at * (size_t)B->nq + (size_t)p] : 1.0), s, K);
  }
  for (int i = 0; i < nd; i++)
    for (int j = 0; j < i; j++) K[(size_t)i * (size_t)nd + (size_t)j] = K[(size_t)j * (size_t)nd + (size_t)i];
}

static void element_source(const bf_gfem_fits *F, const bf_gfem_batch *B, bf_int e,
                           const bf_element_source *f, bf_scratch *s, double *fe)
{
  const int D = B->ncomp;
  memset(fe, 0, (size_t)(B->width * D) * sizeof *fe);
  for (int p = 0; p < B->nq; p++) {
    const double  c = at_point(F, B, e, p, s);
    const double *v = f->value + e * f->stride_e + p * f->stride_q;
    for (int a = 0; a < s->nodes; a++)
      for (int i = 0; i < D; i++) fe[a * D + i] += c * s->psi[a] * v[i];
  }
}

/* Matrices, or with f loads, of all elements */
static bf_err integrate(const bf_gfem_fits *F, const bf_gfem_batch *B, const bf_int *conn,
                        const bf_element_source *f, double *out)
{
  bf_err       err  = BF_OK;
  const int    nt   = omp_get_max_threads();
  const size_t nd   = (size_t)B->width * (size_t)B->ncomp;
  bf_scratch  *s    = NULL;
  int          lost = 0;
  BF_GO(BF_NEW_ARRAY(s, nt));
  for (int t = 0; t < nt; t++) BF_GO(scratch_create(F, B, &s[t]));
#pragma omp parallel for schedule(static) reduction(| : lost) if (B->ne > 16)
  for (bf_int e = 0; e < B->ne; e++) {
    bf_scratch *own = &s[omp_get_thread_num()];
    if (!find_places(F, B, e, conn + (size_t)e * (size_t)B->width, own)) {
      lost = 1;
      continue;
    }
    if (f)
      element_source(F, B, e, f, own, out + (size_t)e * nd);
    else
      element_matrix(F, B, e, own, out + (size_t)e * nd * nd);
  }
  BF_NEED(!lost, BF_E_ARG, "a node of a patch is not among the rows of its element");
done:
  for (int t = 0; t < nt && s; t++) scratch_clear(&s[t]);
  bf_host_free(s);
  return err;
}

bf_err bf_cpu_gfem_matrix(bf_backend *be, const bf_gfem_fits *F, const bf_gfem_batch *B, const bf_int *conn,
                          double *Ke)
{
  (void)be;
  BF_TRY(bf_gfem_batch_check(F, B, 1));
  return integrate(F, B, conn, NULL, Ke);
}

bf_err bf_cpu_gfem_source(bf_backend *be, const bf_gfem_fits *F, const bf_gfem_batch *B, const bf_int *conn,
                          const bf_element_source *f, double *fe)
{
  (void)be;
  BF_TRY(bf_gfem_batch_check(F, B, 0));
  BF_CHECK(f && f->value, BF_E_ARG, "source: a value is missing");
  return integrate(F, B, conn, f, fe);
}
