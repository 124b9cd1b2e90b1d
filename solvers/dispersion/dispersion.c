/* solvers/dispersion/dispersion.c - see solvers/dispersion.h */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "solvers/dispersion.h"
#include "base/memory.h"
#include "base/timer.h"
#include <math.h>

enum { SHARE_MIB_HOST = 256, SHARE_MIB_DEVICE = 4096 };

typedef struct chunk { /* of pencils */
  bf_backend *be;
  int         most;     /* pencils */
  double     *host;     /* owned [most][n][n] complex */
  void       *a, *b;    /* backend: the same size each */
  void       *w, *info; /* backend [most][n], [most] */
  void       *work;
  bf_batch    A, B;
} chunk;

static void chunk_release(chunk *c)
{
  void *const owned[] = {c->a, c->b, c->w, c->info, c->work};
  for (size_t i = 0; i < sizeof owned / sizeof *owned; i++) c->be->ops.release(c->be, owned[i]);
  bf_host_free(c->host);
}

/* Pencils per call: the requested number, or as many as fit. */
static bf_err chunk_size(bf_backend *be, bf_int n, int nk, int batch, int *most)
{
  const double each = 16.0 * n * n * 3.0; /* two matrices, and the workspace of the solver */
  size_t       available, total;
  BF_TRY(be->ops.memory(be, &available, &total));
  double room = (be->ops.on_device ? SHARE_MIB_DEVICE : SHARE_MIB_HOST) * 0x1p20;
  if (available > 0 && 0.25 * (double)available < room) room = 0.25 * (double)available;
  const double fit = room / each;
  *most            = batch > 0 ? batch : fit < 1.0 ? 1 : fit > nk ? nk : (int)fit;
  if (*most > nk) *most = nk;
  return BF_OK;
}

static bf_err chunk_create(bf_backend *be, bf_int n, int nk, int batch, chunk *c)
{
  size_t bytes;
  c->be = be;
  BF_TRY(chunk_size(be, n, nk, batch, &c->most));
  const size_t most = (size_t)c->most, all = most * (size_t)n * (size_t)n * 16;
  BF_TRY(BF_NEW_ARRAY(c->host, all / sizeof(double)));
  BF_TRY(be->ops.alloc(be, all, &c->a));
  BF_TRY(be->ops.alloc(be, all, &c->b));
  BF_TRY(be->ops.alloc(be, most * (size_t)n * sizeof(double), &c->w));
  BF_TRY(be->ops.alloc(be, most * sizeof(bf_int), &c->info));
  c->A   = (bf_batch){.type = BF_Z, .n = n, .ld = n, .count = c->most, .stride = (int64_t)n * n, .a = c->a};
  c->B   = c->A;
  c->B.a = c->b;
  BF_TRY(bf_batch_work(be, BF_HEGV, &c->A, &bytes));
  BF_TRY(be->ops.alloc(be, bytes, &c->work));
  return BF_OK;
}

/* A(k) of the wave vectors of a chunk, on the host; `to`: then on the backend too. */
static bf_err form(const chunk *c, const bf_shifted *A, int count, const double *kappa, void *to)
{
  const int64_t each = 2 * (int64_t)A->n * A->n;
#pragma omp parallel for schedule(static)
  for (int k = 0; k < count; k++) bf_shifted_at(A, kappa + 3 * (size_t)k, c->host + k * each, A->n);
  if (!to) return BF_OK;
  BF_TRY(c->be->ops.copy(c->be, to, c->host, (size_t)(count * each) * sizeof(double), BF_TO_DEVICE));
  return c->be->ops.sync(c->be); /* the host's memory is overwritten next */
}

/* Eigenvalues and the first modes of a chunk, to the host. */
static bf_err take(const chunk *c, bf_waves *w, int k0, int count)
{
  bf_err       err = BF_OK;
  const size_t n = (size_t)w->n, nb = (size_t)w->bands;
  double      *all  = NULL;
  bf_int      *info = NULL;
  bf_backend  *be   = c->be;
  BF_GO(BF_NEW_ARRAY(all, (size_t)count * n));
  BF_GO(BF_NEW_ARRAY(info, count));
  BF_GO(be->ops.copy(be, all, c->w, (size_t)count * n * sizeof *all, BF_TO_HOST));
  BF_GO(be->ops.copy(be, info, c->info, (size_t)count * sizeof *info, BF_TO_HOST));
  for (size_t k = 0; k < (size_t)count; k++)
    BF_GO(be->ops.copy(be, w->mode + ((size_t)k0 + k) * nb * n * 2, (char *)c->a + k * n * n * 16,
                       nb * n * 16, BF_TO_HOST));
  BF_GO(be->ops.sync(be));
  for (size_t k = 0; k < (size_t)count; k++) {
    for (size_t j = 0; j < nb; j++) w->lambda[((size_t)k0 + k) * nb + j] = all[k * n + j];
    if (info[k] == 0 || w->failed >= 0) continue;
    w->failed = k0 + (int)k;
    w->info   = info[k];
  }
done:
  bf_host_free(all);
  bf_host_free(info);
  return err;
}

static double frobenius(const double *z, int64_t n)
{
  double sum = 0.0;
  for (int64_t j = 0; j < n; j++)
    for (int64_t i = j; i < n; i++) {
      const double re = z[2 * (j * n + i)], im = z[2 * (j * n + i) + 1];
      sum += (i == j ? 1.0 : 2.0) * (re * re + im * im);
    }
  return sqrt(sum);
}

static double norm(const double *x, int64_t n)
{
  double sum = 0.0;
  for (int64_t i = 0; i < 2 * n; i++) sum += x[i] * x[i];
  return sqrt(sum);
}

/* y of each mode is in image[count][bands][n]: K u after the first pass, with M the residual. */
static void residuals(const chunk *c, bf_waves *w, int k0, int count, int second, double *image, double *size)
{
  const int64_t n = w->n, nb = w->bands, each = 2 * n * n;
#pragma omp parallel for schedule(static)
  for (int k = 0; k < count; k++) {
    const double *z    = c->host + k * each;
    double       *last = image + ((int64_t)count * nb + k) * 2 * n; /* a vector for each k at the end */
    if (!second) size[k] = frobenius(z, n);
    const double of_m = second ? frobenius(z, n) : 0.0;
    for (int64_t j = 0; j < nb; j++) {
      const double *u = w->mode + ((k0 + k) * nb + j) * 2 * n;
      double       *y = image + (k * nb + j) * 2 * n, lambda = w->lambda[(k0 + k) * nb + j];
      bf_shifted_times((bf_int)n, z, n, u, second ? last : y);
      if (!second) continue;
      for (int64_t i = 0; i < 2 * n; i++) y[i] -= lambda * last[i];
      w->residual[(k0 + k) * nb + j] = norm(y, n) / (size[k] + fabs(lambda) * of_m) / norm(u, n);
    }
  }
}

static bf_err one_chunk(const chunk *c, const bf_shifted *K, const bf_shifted *M, const double *kappa, int k0,
                        int count, bf_waves *w)
{
  bf_err            err = BF_OK;
  const bf_heev_how how = {.vectors = 1, .uplo = BF_LOWER};
  bf_batch          A = c->A, B = c->B;
  double           *image = NULL, *size = NULL;
  const size_t      one = 2 * (size_t)w->n;
  A.count = B.count = count;
  double t0         = bf_seconds(), t1;
  BF_GO(BF_NEW_ARRAY(image, (size_t)count * one * ((size_t)w->bands + 1)));
  BF_GO(BF_NEW_ARRAY(size, count));
  BF_GO(form(c, K, count, kappa + 3 * (size_t)k0, c->a));
  BF_GO(form(c, M, count, kappa + 3 * (size_t)k0, c->b));
  w->seconds_form += (t1 = bf_seconds()) - t0;
  BF_GO(bf_hegv_batch(c->be, &how, &A, &B, c->w, c->info, c->work));
  BF_GO(take(c, w, k0, count));
  w->seconds_solve += (t0 = bf_seconds()) - t1;
  BF_GO(form(c, K, count, kappa + 3 * (size_t)k0, NULL));
  residuals(c, w, k0, count, 0, image, size);
  BF_GO(form(c, M, count, kappa + 3 * (size_t)k0, NULL));
  residuals(c, w, k0, count, 1, image, size);
  w->seconds_residual += bf_seconds() - t0;
done:
  bf_host_free(image);
  bf_host_free(size);
  return err;
}

bf_err bf_waves_create(int nk, int bands, bf_int n, bf_waves **out)
{
  bf_err       err = BF_OK;
  bf_waves    *w   = NULL;
  const size_t all = (size_t)nk * (size_t)bands;
  *out             = NULL;
  BF_GO(BF_NEW(w));
  *w = (bf_waves){.nk = nk, .bands = bands, .n = n, .failed = -1};
  BF_GO(BF_NEW_ARRAY(w->lambda, all));
  BF_GO(BF_NEW_ARRAY(w->residual, all));
  BF_GO(BF_NEW_ARRAY(w->mode, all * 2 * (size_t)n));
  *out = w;
  w    = NULL;
done:
  bf_waves_destroy(&w);
  return err;
}

bf_err bf_waves_solve(bf_backend *be, const bf_shifted *K, const bf_shifted *M, int nk, const double *kappa,
                      int bands, int batch, bf_waves **out)
{
  bf_err    err = BF_OK;
  bf_waves *w   = NULL;
  chunk     c   = {.be = be};
  BF_CHECK(be && K && M && kappa && out, BF_E_ARG, "null argument");
  BF_CHECK(K->n == M->n, BF_E_ARG, "pencils of %d and %d unknowns", (int)K->n, (int)M->n);
  BF_CHECK(nk > 0 && bands > 0 && bands <= K->n && batch >= 0, BF_E_ARG,
           "%d wave vectors, %d bands of %d unknowns, batches of %d", nk, bands, (int)K->n, batch);
  *out = NULL;
  BF_GO(bf_waves_create(nk, bands, K->n, &w));
  BF_GO(chunk_create(be, K->n, nk, batch, &c));
  w->batch = c.most;
  for (int k0 = 0; k0 < nk; k0 += c.most)
    BF_GO(one_chunk(&c, K, M, kappa, k0, nk - k0 < c.most ? nk - k0 : c.most, w));
  *out = w;
  w    = NULL;
done:
  chunk_release(&c);
  bf_waves_destroy(&w);
  return err;
}

void bf_waves_destroy(bf_waves **w)
{
  if (!w || !*w) return;
  bf_host_free((*w)->lambda);
  bf_host_free((*w)->residual);
  bf_host_free((*w)->mode);
  bf_host_free(*w);
  *w = NULL;
}
