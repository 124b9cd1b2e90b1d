/* solvers/linear/multigrid/spectral_vectors.c - the vectors of each aggregate: low eigenvectors of its
 * Neumann matrix, or the near-null space, orthonormal in the diagonal of the matrix
 *
 * Matrices are assembled on the host and factored and diagonalised in batches on the backend.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "kernels/batch.h"
#include "kernels/multigrid/aggregate_node.h"
#include "solvers/linear/multigrid/aggregation.h"
#include "solvers/linear/multigrid/spectral.h"
#include <math.h>
#include <string.h>

static const double SHIFT = 1e-8; /* of the scaled matrices, so that they are positive definite */
enum { DEVICE_MOST = 512 };
enum { VECTORS_MOST = 64 };
static const int64_t CHUNK = (int64_t)16 << 20; /* numbers of a batch */

typedef struct chunk { /* host arrays, then those of the backend */
  bf_int        many, ld, lds;
  const bf_int *which;
  double       *a, *s, *w; /* [many][ld][ld], [many][lds][lds], [many][lds] */
  bf_int       *sizes, *info;
  void         *da, *dw, *dsizes, *dinfo, *work;
} chunk;

static bf_int own(const bf_mg_spectrum *s, bf_int a)
{
  return (bf_int)(s->lists.uptr[a + 1] - s->lists.uptr[a]);
}

/* Room for m k numbers of aggregate a. */
static bf_err keep(bf_mg_spectrum *s, bf_int a, bf_int k)
{
  const int64_t more = (int64_t)own(s, a) * k;
  if (s->used + more > s->room) {
    const int64_t room = 2 * s->room + more;
    double       *Z    = bf_host_realloc(s->Z, (size_t)room, sizeof *Z);
    BF_CHECK(Z, BF_E_MEMORY, "no memory for %lld numbers of vectors", (long long)room);
    s->Z    = Z;
    s->room = room;
  }
  s->k[a]    = k;
  s->zptr[a] = s->used;
  s->used += more;
  return BF_OK;
}

static void chunk_clear(bf_backend *be, chunk *c)
{
  bf_host_free(c->a);
  bf_host_free(c->s);
  bf_host_free(c->w);
  bf_host_free(c->sizes);
  bf_host_free(c->info);
  be->ops.release(be, c->da);
  be->ops.release(be, c->dw);
  be->ops.release(be, c->dsizes);
  be->ops.release(be, c->dinfo);
  be->ops.release(be, c->work);
}

/* One batched operation in place on host matrices of orders c->sizes. */
static bf_err on_backend(bf_backend *be, chunk *c, bf_batch_op op, bf_int ld, double *a)
{
  const bf_heev_how how   = {.vectors = 1, .uplo = BF_LOWER};
  const size_t      bytes = (size_t)c->many * (size_t)ld * (size_t)ld * sizeof *a;
  bf_batch          batch = {
               .type = BF_D, .n = ld, .ld = ld, .count = c->many, .stride = (int64_t)ld * ld, .a = c->da};
  size_t work;
  BF_TRY(be->ops.copy(be, c->da, a, bytes, BF_TO_DEVICE));
  BF_TRY(be->ops.copy(be, c->dsizes, c->sizes, (size_t)c->many * sizeof *c->sizes, BF_TO_DEVICE));
  batch.sizes = c->dsizes;
  BF_TRY(bf_batch_work(be, op, &batch, &work));
  be->ops.release(be, c->work);
  BF_TRY(bf_mg_reserve(be, (int64_t)work, 1, &c->work));
  if (op == BF_HEEV) {
    BF_TRY(bf_heev_batch(be, &how, &batch, c->dw, c->dinfo, c->work));
    BF_TRY(be->ops.copy(be, c->w, c->dw, (size_t)c->many * (size_t)ld * sizeof *c->w, BF_TO_HOST));
  } else {
    BF_TRY(bf_potrf_batch(be, BF_LOWER, &batch, c->dinfo, c->work));
  }
  BF_TRY(be->ops.copy(be, c->info, c->dinfo, (size_t)c->many * sizeof *c->info, BF_TO_HOST));
  return be->ops.copy(be, a, c->da, bytes, BF_TO_HOST);
}

static bf_err chunk_reserve(bf_backend *be, chunk *c)
{
  const size_t many = (size_t)c->many, one = (size_t)c->ld * (size_t)c->ld, small = (size_t)c->lds;
  BF_TRY(BF_NEW_ARRAY(c->a, many * one));
  BF_TRY(BF_NEW_ARRAY(c->s, many * small * small));
  BF_TRY(BF_NEW_ARRAY(c->w, many * small));
  BF_TRY(BF_NEW_ARRAY(c->sizes, many));
  BF_TRY(BF_NEW_ARRAY(c->info, many));
  BF_TRY(bf_mg_reserve(be, (int64_t)(many * one), sizeof(double), &c->da));
  BF_TRY(bf_mg_reserve(be, (int64_t)(many * small), sizeof(double), &c->dw));
  BF_TRY(bf_mg_reserve(be, (int64_t)many, sizeof(bf_int), &c->dsizes));
  return bf_mg_reserve(be, (int64_t)many, sizeof(bf_int), &c->dinfo);
}

/* Vectors with eigenvalues below tau; where a matrix has no factor or no eigenvalues, mixed is 0. */
static bf_err take_vectors(bf_mg_spectrum *s, const chunk *c, double tau)
{
  for (bf_int b = 0; b < c->many; b++) {
    const bf_int  a = c->which[b], m = own(s, a);
    const double *w = c->w + (int64_t)b * c->lds, *V = c->s + (int64_t)b * c->lds * c->lds;
    bf_int        k = 0;
    if (c->sizes[b] == 0 || c->info[b] != 0) {
      s->mixed[a] = 0;
      continue;
    }
    while (k < m && k < VECTORS_MOST && w[k] - SHIFT < tau) k++;
    if (k == 0) k = 1;
    BF_TRY(keep(s, a, k));
    for (bf_int e = 0; e < k; e++)
      for (bf_int r = 0; r < m; r++)
        s->Z[s->zptr[a] + (int64_t)e * m + r] =
            V[(int64_t)e * c->lds + r] / sqrt(s->diagonal[s->lists.unknown[s->lists.uptr[a] + r]]);
  }
  return BF_OK;
}

/* Batches on a device end at order DEVICE_MOST; larger ones are computed on the CPU. */
static bf_err run_chunk(bf_mg_spectrum *s, chunk *c, double tau)
{
  bf_err      err = BF_OK;
  bf_backend *be = s->fine->be, *cpu = NULL;
  if (be->ops.on_device && c->ld > DEVICE_MOST) BF_TRY(bf_backend_create("cpu", NULL, &cpu));
  if (cpu) be = cpu;
  BF_GO(chunk_reserve(be, c));
  for (bf_int b = 0; b < c->many; b++) c->sizes[b] = s->lists.others[c->which[b]] + own(s, c->which[b]);
  BF_GO(bf_local_assemble(&s->body, &s->lists, c->many, c->which, SHIFT, c->ld, c->a));
  BF_GO(on_backend(be, c, BF_POTRF, c->ld, c->a));
  bf_local_schur(&s->lists, c->many, c->which, c->ld, c->a, c->lds, c->s);
  for (bf_int b = 0; b < c->many; b++) c->sizes[b] = c->info[b] == 0 ? own(s, c->which[b]) : 0;
  BF_GO(on_backend(be, c, BF_HEEV, c->lds, c->s));
  BF_GO(take_vectors(s, c, tau));
done:
  chunk_clear(be, c);
  bf_backend_destroy(&cpu);
  return err;
}

/* Aggregates of mixed coefficients, in batches of at most CHUNK numbers. */
static bf_err by_eigenvectors(bf_mg_spectrum *s, double tau)
{
  bf_err  err   = BF_OK;
  bf_int *which = NULL, count = 0;
  BF_GO(BF_NEW_ARRAY(which, (size_t)s->body.count));
  for (bf_int a = 0; a < s->body.count; a++)
    if (s->mixed[a] && own(s, a) > 0) which[count++] = a;
  for (bf_int at = 0; at < count;) {
    chunk c = {.which = which + at};
    for (; at + c.many < count; c.many++) {
      const bf_int a = which[at + c.many], m = own(s, a), order = m + s->lists.others[a],
                   ld = order > c.ld ? order : c.ld;
      if (c.many > 0 && (int64_t)ld * ld * (c.many + 1) > CHUNK) break;
      c.ld  = ld;
      c.lds = m > c.lds ? m : c.lds;
    }
    at += c.many;
    BF_GO(run_chunk(s, &c, tau));
  }
done:
  bf_host_free(which);
  return err;
}

/* Entry (j, l) of the Gram matrix of the modes in the diagonal of the matrix. */
static double weighted(const bf_mg_spectrum *s, bf_int a, int j, int l)
{
  const int64_t n   = s->fine->n;
  double        sum = 0.0;
  for (int64_t q = s->lists.uptr[a]; q < s->lists.uptr[a + 1]; q++) {
    const int64_t u = s->lists.unknown[q];
    sum += s->modes[j * n + u] * s->diagonal[u] * s->modes[l * n + u];
  }
  return sum;
}

static bf_err take_modes(bf_mg_spectrum *s, bf_int a, const double *gram, const double *V, const double *w)
{
  const int    nq = s->fine->nmodes;
  const bf_int m  = own(s, a);
  bf_int       k  = 0;
  for (int e = 0; e < nq; e++) k += w[e] > BF_MG_RANK;
  BF_TRY(keep(s, a, k));
  double *z = s->Z + s->zptr[a];
  for (int e = 0; e < nq; e++) {
    if (!(w[e] > BF_MG_RANK)) continue;
    for (bf_int r = 0; r < m; r++) z[r] = 0.0;
    for (int j = 0; j < nq; j++) {
      const double by = bf_mg_combine(nq, gram, V, w, j, e);
      for (bf_int r = 0; r < m; r++)
        z[r] += by * s->modes[(int64_t)j * s->fine->n + s->lists.unknown[s->lists.uptr[a] + r]];
    }
    z += m;
  }
  return BF_OK;
}

/* The others: the near-null space. */
static bf_err by_modes(bf_mg_spectrum *s)
{
  bf_err       err   = BF_OK;
  bf_backend  *be    = s->fine->be;
  const int    nq    = s->fine->nmodes;
  const size_t one   = (size_t)nq * (size_t)nq;
  bf_int      *which = NULL;
  double      *gram  = NULL;
  chunk        c     = {.ld = nq, .lds = nq};
  BF_GO(BF_NEW_ARRAY(which, (size_t)s->body.count));
  for (bf_int a = 0; a < s->body.count; a++)
    if (!s->mixed[a]) which[c.many++] = a;
  if (c.many == 0) goto done;
  c.which = which;
  BF_GO(chunk_reserve(be, &c));
  BF_GO(BF_NEW_ARRAY(gram, (size_t)c.many * one));
  for (bf_int b = 0; b < c.many; b++) {
    double *g  = gram + (size_t)b * one;
    c.sizes[b] = nq;
    for (int l = 0; l < nq; l++)
      for (int j = 0; j <= l; j++) g[l * nq + j] = g[j * nq + l] = weighted(s, which[b], j, l);
    for (int l = 0; l < nq; l++)
      for (int j = 0; j < nq; j++) c.s[(size_t)b * one + (size_t)(l * nq + j)] = bf_mg_scaled(nq, g, j, l);
  }
  BF_GO(on_backend(be, &c, BF_HEEV, nq, c.s));
  for (bf_int b = 0; b < c.many; b++)
    BF_GO(
        take_modes(s, which[b], gram + (size_t)b * one, c.s + (size_t)b * one, c.w + (size_t)b * (size_t)nq));
done:
  chunk_clear(be, &c);
  bf_host_free(which);
  bf_host_free(gram);
  return err;
}

bf_err bf_mg_spectrum_vectors(bf_mg_spectrum *s, double tau)
{
  BF_TRY(BF_NEW_ARRAY(s->k, (size_t)s->body.count));
  BF_TRY(BF_NEW_ARRAY(s->zptr, (size_t)s->body.count));
  BF_TRY(by_eigenvectors(s, tau));
  return by_modes(s);
}
