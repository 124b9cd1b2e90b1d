/* solvers/linear/multigrid/spectral_modes.c - aggregates of even coefficients: the near-null space,
 * orthonormal in the diagonal of the matrix
 *
 * The Gram matrices of all aggregates are those of D^1/2 N, one batch (prolongator.c).
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "kernels/multigrid/ops.h"
#include "solvers/linear/multigrid/aggregation.h"
#include "solvers/linear/multigrid/spectral.h"

/* scaled[q][n] = D^1/2 modes */
static bf_err scale(const bf_mg_spectrum *s, double *scaled)
{
  bf_err        err = BF_OK;
  bf_backend   *be  = s->be;
  const int64_t n   = s->fine->n;
  void         *d   = NULL;
  BF_GO(bf_mg_reserve(be, n, sizeof(double), &d));
  BF_GO(be->ops.copy(be, d, s->fine->diagonal, (size_t)n * sizeof(double), BF_WITHIN));
  BF_GO(s->ops->square_root(be, n, d));
  for (int j = 0; j < s->fine->nmodes; j++)
    BF_GO(be->ops.mg_cycle->scale(be, s->fine->n, d, s->fine->modes + j * n, scaled + j * n));
done:
  be->ops.release(be, d);
  return err;
}

typedef struct work { /* backend memory, owned */
  void *scaled, *gram, *vectors, *values, *combine, *modes, *phantom, *by_modes;
} work;

static void release(bf_backend *be, work *w)
{
  be->ops.release(be, w->scaled);
  be->ops.release(be, w->gram);
  be->ops.release(be, w->vectors);
  be->ops.release(be, w->values);
  be->ops.release(be, w->combine);
  be->ops.release(be, w->modes);
  be->ops.release(be, w->phantom);
  be->ops.release(be, w->by_modes);
}

static bf_err combinations(const bf_mg_spectrum *s, work *w)
{
  bf_backend                *be  = s->be;
  const bf_mg_aggregate_ops *ops = be->ops.mg_aggregates;
  const int                  nq  = s->fine->nmodes;
  const int64_t              m = (int64_t)s->body.count * nq, square = m * nq;
  BF_TRY(bf_mg_reserve(be, (int64_t)nq * s->fine->n, sizeof(double), &w->scaled));
  BF_TRY(bf_mg_reserve(be, square, sizeof(double), &w->gram));
  BF_TRY(bf_mg_reserve(be, square, sizeof(double), &w->vectors));
  BF_TRY(bf_mg_reserve(be, m, sizeof(double), &w->values));
  BF_TRY(bf_mg_reserve(be, square, sizeof(double), &w->combine));
  BF_TRY(bf_mg_reserve(be, square, sizeof(double), &w->modes));
  BF_TRY(bf_mg_reserve(be, m, 1, &w->phantom));
  BF_TRY(scale(s, w->scaled));
  const bf_mg_basis B = {.n         = s->fine->n,
                         .ncomp     = 1,
                         .nq        = nq,
                         .modes     = w->scaled,
                         .aggregate = s->lists.owner,
                         .count     = s->body.count,
                         .ptr       = s->lists.uptr,
                         .node      = s->lists.unknown};
  BF_TRY(ops->gram(be, &B, w->gram, w->vectors));
  BF_TRY(bf_mg_gram_eigen(be, nq, s->body.count, w->vectors, w->values));
  return ops->factor(be, &B, w->gram, w->vectors, w->values, w->combine, w->modes, w->phantom);
}

bf_err bf_mg_spectrum_modes(bf_mg_spectrum *s, const int64_t *uptr)
{
  bf_err       err   = BF_OK;
  bf_backend  *be    = s->be;
  const bf_int count = s->body.count;
  uint8_t     *by    = NULL;
  work         w     = {.scaled = NULL};
  double      *piece;
  int64_t      numbers = 0;
  BF_GO(BF_NEW_ARRAY(by, (size_t)count));
  for (bf_int a = 0; a < count; a++) by[a] = s->host_k[a] == 0;
  BF_GO(combinations(s, &w));
  BF_GO(bf_mg_reserve(be, count, 1, &w.by_modes));
  BF_GO(be->ops.copy(be, w.by_modes, by, (size_t)count, BF_TO_DEVICE));
  const bf_local_modes M = {
      .nq = s->fine->nmodes, .modes = s->fine->modes, .combine = w.combine, .phantom = w.phantom};
  BF_GO(s->ops->count_modes(be, count, &M, w.by_modes, s->k));
  BF_GO(be->ops.copy(be, s->host_k, s->k, (size_t)count * sizeof *s->k, BF_TO_HOST));
  BF_GO(be->ops.sync(be));
  for (bf_int a = 0; a < count; a++) numbers += by[a] ? s->host_k[a] * (uptr[a + 1] - uptr[a]) : 0;
  BF_GO(bf_mg_spectrum_piece(s, numbers, &piece));
  for (bf_int a = 0; a < count; a++) {
    if (!by[a]) continue;
    s->host_z[a] = piece;
    piece += s->host_k[a] * (uptr[a + 1] - uptr[a]);
  }
  BF_GO(be->ops.copy(be, s->z, s->host_z, (size_t)count * sizeof *s->z, BF_TO_DEVICE));
  BF_GO(s->ops->combine_modes(be, &s->body, &s->lists, &M, w.by_modes, s->z));
  BF_GO(be->ops.sync(be));
done:
  release(be, &w);
  bf_host_free(by);
  return err;
}
