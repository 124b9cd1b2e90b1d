/* assembly/gfem/fit.c - polynomials fitted to the nodal values of a patch, interpolating at its own node
 *
 *     sum_J w_J (u_I + B_J a - u_J)^2 -> min,   a = T (u_S - u_I 1),   C = (1 | T) with columns that sum to 0
 * Away from sides: T = M^-1 B^T W.  On flat sides under a prescribed value and on interfaces of materials the
 * trace is fitted first: with G the nodes of the patch there, in the directions P that are still free, P M_G
 * P = V diag(l) V^T,   U = the v with l > 1e-8 l_max,   T <- T + U L^-1 U^T B_G^T W_G (I - B T)_G P <- P - U
 * U^T,            in the end   T <- T + P K^-1 P B^T W (I - B T),   K = P M P + s (I - P) so the trace on the
 * side depends only on the values there. At a crossing the interface precedes the prescribed values.  The
 * decompositions of a slab of entries are one batch each, so are the inverses of K.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "assembly/gfem/fit.h"
#include "base/memory.h"
#include <math.h>
#include <string.h>

enum { TERMS = BF_GFEM_TERMS - 1, SLAB = 4096 };

double bf_gfem_size(const bf_model *m, const bf_gfem *g, bf_int q, const bf_int *other, bf_int n)
{
  const double *x = m->mesh->x + 3 * (size_t)g->at.node[q];
  double        h = 0.0;
  for (bf_int j = 0; j < n; j++) {
    const double *y = m->mesh->x + 3 * (size_t)g->at.node[other[j]];
    h               = fmax(h, hypot(y[0] - x[0], y[1] - x[1]));
  }
  return h;
}

double bf_gfem_row(const bf_model *m, const bf_gfem *g, bf_int q, bf_int other, double h, double *B)
{
  const double *x = m->mesh->x + 3 * (size_t)g->at.node[q], *y = m->mesh->x + 3 * (size_t)g->at.node[other];
  const double  a = (y[0] - x[0]) / h, b = (y[1] - x[1]) / h;
  double        all[BF_GFEM_TERMS];
  bf_gfem_polynomials(g->order, a, b, all, NULL);
  memcpy(B, all + 1, (size_t)(g->nb - 1) * sizeof *B);
  return 1.0 / (a * a + b * b);
}

void bf_gfem_moments(const bf_model *m, const bf_gfem *g, bf_int q, const bf_int *other, bf_int n, double *M)
{
  const int    nm = g->nb - 1;
  const double h  = bf_gfem_size(m, g, q, other, n);
  double       B[TERMS];
  memset(M, 0, (size_t)(nm * nm) * sizeof *M);
  for (bf_int j = 0; j < n; j++) {
    const double w = bf_gfem_row(m, g, q, other[j], h, B);
    for (int a = 0; a < nm; a++)
      for (int b = 0; b < nm; b++) M[a * nm + b] += w * B[a] * B[b];
  }
}

typedef struct bf_slab_fit { /* entries q0 .. q0+n-1 */
  bf_int   q0, n;
  double  *T;      /* [of the patches of the slab][nm], by node */
  double  *P, *K;  /* [n][nm][nm] */
  double  *lambda; /* [n][nm] */
  bf_int  *list;   /* [n]: entries of a batch, from q0 */
  bf_int  *info;
  void    *work; /* of the batches */
  uint8_t *in;   /* [of the patches]: 1 = of G */
} bf_slab_fit;

static double *T_of(const bf_gfem *g, const bf_slab_fit *s, bf_int k)
{
  return s->T + (size_t)(g->patch.ptr[s->q0 + k] - g->patch.ptr[s->q0]) * (size_t)(g->nb - 1);
}

static int shared(const bf_gfem *g, bf_int q, bf_int other)
{
  const bf_int v = g->at.node[q], u = g->at.node[other];
  for (bf_int p = g->at.first[v]; p < g->at.first[v + 1]; p++) {
    if (p == q) continue;
    for (int64_t i = g->patch.ptr[p]; i < g->patch.ptr[p + 1]; i++)
      if (g->at.node[g->patch.entry[i]] == u) return 1;
  }
  return 0;
}

/* Marks G of entry k of the slab: stage 0 the interface, in the patches of two materials; stage 1 flat sides.
 */
static int mark(const bf_gfem *g, bf_slab_fit *s, bf_int k, int stage)
{
  const bf_int  q = s->q0 + k, v = g->at.node[q];
  const int64_t p0 = g->patch.ptr[q], at = p0 - g->patch.ptr[s->q0];
  const int     on  = stage == 0 ? g->at.first[v + 1] - g->at.first[v] > 1 : g->face.flat[v];
  int           any = 0;
  for (int64_t j = 0; j < g->patch.ptr[q + 1] - p0; j++) {
    const bf_int e = g->patch.entry[p0 + j];
    s->in[at + j]  = (uint8_t)(on && (stage == 0 ? shared(g, q, e) : g->face.flat[g->at.node[e]]));
    any |= s->in[at + j];
  }
  return any;
}

/* out = P X P, all [nm][nm]. */
static void project(int nm, const double *P, const double *X, double *out)
{
  double Y[TERMS * TERMS];
  for (int a = 0; a < nm; a++)
    for (int b = 0; b < nm; b++) {
      Y[a * nm + b] = 0.0;
      for (int c = 0; c < nm; c++) Y[a * nm + b] += P[a * nm + c] * X[c * nm + b];
    }
  for (int a = 0; a < nm; a++)
    for (int b = 0; b < nm; b++) {
      out[a * nm + b] = 0.0;
      for (int c = 0; c < nm; c++) out[a * nm + b] += Y[a * nm + c] * P[c * nm + b];
    }
}

/* T += X B^T W (I - B T) with the rows of `in` (NULL = all); X[nm][nm] symmetric, T[ns][nm]. */
static bf_err add_fit(const bf_model *m, const bf_gfem *g, bf_int q, const double *X, const uint8_t *in,
                      double *T)
{
  bf_err        err = BF_OK;
  const int     nm  = g->nb - 1;
  const int64_t p0  = g->patch.ptr[q];
  const bf_int  ns  = (bf_int)(g->patch.ptr[q + 1] - p0);
  double       *Y = NULL, *R = NULL; /* Y[ns][nm] = w X B^T, R[ns][nm] = B of a row times T */
  BF_GO(BF_NEW_ARRAY(Y, (size_t)ns * (size_t)nm));
  BF_GO(BF_NEW_ARRAY(R, (size_t)ns * (size_t)ns));
  for (bf_int j = 0; j < ns; j++) {
    double       B[TERMS];
    const double w = in && !in[j] ? 0.0 : bf_gfem_row(m, g, q, g->patch.entry[p0 + j], g->h[q], B);
    if (w == 0.0) continue;
    for (int a = 0; a < nm; a++)
      for (int b = 0; b < nm; b++) Y[j * nm + a] += w * X[a * nm + b] * B[b];
    for (bf_int i = 0; i < ns; i++) {
      double s = i == j ? 1.0 : 0.0;
      for (int a = 0; a < nm; a++) s -= B[a] * T[i * nm + a];
      R[(size_t)j * (size_t)ns + (size_t)i] = s;
    }
  }
  for (bf_int j = 0; j < ns; j++)
    for (bf_int i = 0; i < ns && !(in && !in[j]); i++)
      for (int a = 0; a < nm; a++) T[i * nm + a] += Y[j * nm + a] * R[(size_t)j * (size_t)ns + (size_t)i];
done:
  bf_host_free(Y);
  bf_host_free(R);
  return err;
}

/* P M_G P of every entry on such a side, decomposed together; updates T and P. */
static bf_err traces(const bf_model *m, const bf_gfem *g, bf_backend *be, bf_slab_fit *s, int stage)
{
  const int nm    = g->nb - 1;
  bf_int    count = 0;
  for (bf_int k = 0; k < s->n; k++) {
    const bf_int   q                = s->q0 + k;
    const uint8_t *in               = s->in + (g->patch.ptr[q] - g->patch.ptr[s->q0]);
    double         M[TERMS * TERMS] = {0.0}, B[TERMS];
    if (!mark(g, s, k, stage)) continue;
    for (int64_t j = g->patch.ptr[q]; j < g->patch.ptr[q + 1]; j++) {
      if (!in[j - g->patch.ptr[q]]) continue;
      const double w = bf_gfem_row(m, g, q, g->patch.entry[j], g->h[q], B);
      for (int a = 0; a < nm; a++)
        for (int b = 0; b < nm; b++) M[a * nm + b] += w * B[a] * B[b];
    }
    project(nm, s->P + (size_t)k * (size_t)(nm * nm), M, s->K + (size_t)count * (size_t)(nm * nm));
    s->list[count++] = k;
  }
  const bf_batch K = {.type = BF_D, .n = nm, .ld = nm, .count = count, .stride = (int64_t)nm * nm, .a = s->K};
  BF_TRY(bf_heev_batch(be, &(bf_heev_how){.vectors = 1}, &K, s->lambda, s->info, s->work));
  for (bf_int i = 0; i < count; i++) {
    const bf_int  k = s->list[i], q = s->q0 + k;
    const double *V = s->K + (size_t)i * (size_t)(nm * nm), *l = s->lambda + (size_t)i * (size_t)nm;
    double       *P = s->P + (size_t)k * (size_t)(nm * nm), X[TERMS * TERMS] = {0.0};
    BF_CHECK(s->info[i] == 0, BF_E_MODEL, "the fit of the trace at node %d failed", g->at.node[q]);
    for (int c = 0; c < nm; c++) {
      const double *v = V + c * nm;
      if (!(l[c] > 1e-8 * l[nm - 1])) continue;
      for (int a = 0; a < nm; a++)
        for (int b = 0; b < nm; b++) {
          X[a * nm + b] += v[a] * v[b] / l[c];
          P[a * nm + b] -= v[a] * v[b];
        }
    }
    BF_TRY(add_fit(m, g, q, X, s->in + (g->patch.ptr[q] - g->patch.ptr[s->q0]), T_of(g, s, k)));
  }
  return BF_OK;
}

/* X = K^+ of a patch that is too small: the eigenvalues above 1e-10 of the largest. */
static bf_err truncated(const bf_gfem *g, bf_backend *be, const bf_slab_fit *s, double *K)
{
  const int      nm = g->nb - 1;
  double         V[TERMS * TERMS], l[TERMS];
  bf_int         info;
  const bf_batch one = {.type = BF_D, .n = nm, .ld = nm, .count = 1, .stride = (int64_t)nm * nm, .a = V};
  memcpy(V, K, (size_t)(nm * nm) * sizeof *V);
  BF_TRY(bf_heev_batch(be, &(bf_heev_how){.vectors = 1}, &one, l, &info, s->work));
  BF_CHECK(info == 0, BF_E_MODEL, "the fit of a patch failed");
  memset(K, 0, (size_t)(nm * nm) * sizeof *K);
  for (int c = 0; c < nm; c++)
    for (int a = 0; a < nm && l[c] > 1e-10 * l[nm - 1]; a++)
      for (int b = 0; b < nm; b++) K[a * nm + b] += V[c * nm + a] * V[c * nm + b] / l[c];
  return BF_OK;
}

/* K = P M P + s (I - P), s = the mean of M's diagonal. */
static void free_directions(const bf_model *m, const bf_gfem *g, const bf_slab_fit *s, bf_int k, double *K)
{
  const int     nm = g->nb - 1;
  const bf_int  q  = s->q0 + k;
  const double *P  = s->P + (size_t)k * (size_t)(nm * nm);
  double        M[TERMS * TERMS], mean = 0.0;
  bf_gfem_moments(m, g, q, g->patch.entry + g->patch.ptr[q], (bf_int)(g->patch.ptr[q + 1] - g->patch.ptr[q]),
                  M);
  project(nm, P, M, K);
  for (int a = 0; a < nm; a++) mean += M[a * (nm + 1)] / nm;
  for (int a = 0; a < nm; a++)
    for (int b = 0; b < nm; b++) K[a * nm + b] += mean * ((a == b) - P[a * nm + b]);
}

/* C of entry k from its T. */
static void coefficients(bf_gfem *g, const bf_slab_fit *s, bf_int k)
{
  const int     nm = g->nb - 1;
  const bf_int  q = s->q0 + k, ns = (bf_int)(g->patch.ptr[q + 1] - g->patch.ptr[q]);
  double       *C = g->C + (size_t)g->nb * (size_t)(g->patch.ptr[q] + q);
  const double *T = T_of(g, s, k);
  C[ns]           = 1.0; /* the rest of row 0 is 0 */
  for (int a = 0; a < nm; a++) {
    double *row = C + (size_t)(a + 1) * (size_t)(ns + 1), sum = 0.0;
    for (bf_int j = 0; j < ns; j++) sum += row[j] = T[j * nm + a];
    row[ns] = -sum;
  }
}

static bf_err fit_slab(const bf_model *m, bf_gfem *g, bf_backend *be, bf_slab_fit *s)
{
  bf_err       err = BF_OK;
  const int    nm  = g->nb - 1;
  const size_t all = (size_t)(g->patch.ptr[s->q0 + s->n] - g->patch.ptr[s->q0]);
  BF_GO(BF_NEW_ARRAY(s->T, all * (size_t)nm));
  BF_GO(BF_NEW_ARRAY(s->in, all));
  memset(s->P, 0, (size_t)s->n * (size_t)(nm * nm) * sizeof *s->P);
  for (bf_int k = 0; k < s->n; k++)
    for (int a = 0; a < nm; a++) s->P[((size_t)k * (size_t)nm + (size_t)a) * (size_t)nm + (size_t)a] = 1.0;
  for (int stage = 0; stage < 2; stage++) BF_GO(traces(m, g, be, s, stage));
  for (bf_int k = 0; k < s->n; k++) free_directions(m, g, s, k, s->K + (size_t)k * (size_t)(nm * nm));
  const bf_batch K = {.type = BF_D, .n = nm, .ld = nm, .count = s->n, .stride = (int64_t)nm * nm, .a = s->K};
  BF_GO(bf_inverse_batch(be, &K, s->info, s->work));
  for (bf_int k = 0; k < s->n; k++) {
    double *own = s->K + (size_t)k * (size_t)(nm * nm), X[TERMS * TERMS];
    if (g->patch.poor[s->q0 + k]) {
      free_directions(m, g, s, k, own);
      BF_GO(truncated(g, be, s, own));
    }
    project(nm, s->P + (size_t)k * (size_t)(nm * nm), own, X);
    BF_NEED(s->info[k] == 0 || g->patch.poor[s->q0 + k], BF_E_MODEL, "the fit of the patch of node %d failed",
            g->at.node[s->q0 + k]);
    BF_GO(add_fit(m, g, s->q0 + k, X, NULL, T_of(g, s, k)));
    coefficients(g, s, k);
  }
done:
  bf_host_free(s->T);
  bf_host_free(s->in);
  s->T  = NULL;
  s->in = NULL;
  return err;
}

/* Workspace of both kinds of batches that fit_slab makes. */
static bf_err batch_size_of_memory(bf_backend *be, bf_int nm, bf_int count, void **work)
{
  const bf_batch K = {.type = BF_D, .n = nm, .ld = nm, .count = count, .stride = (int64_t)nm * nm};
  size_t         heev, inverse;
  BF_TRY(bf_batch_work(be, BF_HEEV, &K, &heev));
  BF_TRY(bf_batch_work(be, BF_INVERSE, &K, &inverse));
  return be->ops.alloc(be, heev > inverse ? heev : inverse, work);
}

bf_err bf_gfem_fit(const bf_model *m, bf_gfem *g, bf_backend *be)
{
  bf_err       err  = BF_OK;
  const bf_int slab = g->at.n < SLAB ? g->at.n : SLAB;
  const size_t nm   = (size_t)(g->nb - 1);
  bf_slab_fit  s    = {0};
  BF_GO(BF_NEW_ARRAY(g->h, g->at.n));
  BF_GO(BF_NEW_ARRAY(g->C, (size_t)g->nb * (size_t)(g->patch.ptr[g->at.n] + g->at.n)));
  for (bf_int q = 0; q < g->at.n; q++)
    g->h[q] = bf_gfem_size(m, g, q, g->patch.entry + g->patch.ptr[q],
                           (bf_int)(g->patch.ptr[q + 1] - g->patch.ptr[q]));
  BF_GO(BF_NEW_ARRAY(s.P, (size_t)slab * nm * nm));
  BF_GO(BF_NEW_ARRAY(s.K, (size_t)slab * nm * nm));
  BF_GO(BF_NEW_ARRAY(s.lambda, (size_t)slab * nm));
  BF_GO(BF_NEW_ARRAY(s.list, slab));
  BF_GO(BF_NEW_ARRAY(s.info, slab));
  BF_GO(batch_size_of_memory(be, (bf_int)nm, slab, &s.work));
  for (s.q0 = 0; s.q0 < g->at.n; s.q0 += slab) {
    s.n = g->at.n - s.q0 < slab ? g->at.n - s.q0 : slab;
    BF_GO(fit_slab(m, g, be, &s));
  }
done:
  bf_host_free(s.P);
  bf_host_free(s.K);
  bf_host_free(s.lambda);
  bf_host_free(s.list);
  bf_host_free(s.info);
  be->ops.release(be, s.work);
  return err;
}
