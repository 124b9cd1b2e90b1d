/* kernels/syinv_sweep.c - the block sweep: every block of rows and columns is eliminated from all others
 *
 *     D = A_kk,  B = A_*k with B_k = -I,  row and column k of A = 0,  A -= B D^-1 B^T
 *
 * After all blocks A is replaced by -A^-1; only the lower triangle is computed.
 *
 * Positive definite: blocks are panels of `rank` columns. D^-1 = W^T W, W = L^-1, G = B W^T, A -= G G^T. W
 * is computed from [D | I] by elimination of leaves: with w = L_ll^-1 of a leaf, rows l of [D | W] are
 * multiplied by w, and D_li^T times these is subtracted from the rows i below. The next panel is updated
 * before the rest of A, so that its W is computed on a second stream at the same time.
 *
 * Indefinite: blocks are leaves, G = B D^-1, A -= G B^T.  Updates are collected until they have 512 columns:
 * A = base - G H^T, H = B; a column of A is that of the base minus G H_k^T, and a row and column are set to
 * 0 by zeros in the base, in G and in H.
 *
 * Cost: n^3 flops; indefinite 640 n^2 more.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/syinv_work.h"
#include <math.h>

enum { LEAF = BF_DENSE_LEAF };

static bf_dense_block block_at(const bf_syinv_run *r, bf_int k0, bf_int most)
{
  return (bf_dense_block){r->n, k0, r->n - k0 < most ? r->n - k0 : most};
}

/* w = W of the panel, whose diagonal block is in its rows of h, which become -I.  These rows and v hold the
 * rows of [D | W] as columns. */
static bf_err invert_panel(const bf_syinv_run *r, bf_dense_block k)
{
  for (bf_int o = 0; o < k.m; o += LEAF) {
    const bf_int         m = k.m - o < LEAF ? k.m - o : LEAF, end = o + m;
    const bf_dense_block l = {k.m, o, m}, next = {k.m, end, k.m - end};
    void                *v = bf_syinv_at(r, r->v, r->rank, 0, o), *d = bf_syinv_at(r, r->h, r->ldg, k.k0, o);
    BF_TRY(r->op->definite(r->be, r->type, m, k.k0 + o, bf_syinv_at(r, d, r->ldg, o, 0), r->ldg, 1, r->leaf,
                           LEAF, &r->out->flag));
    BF_TRY(r->op->factor(r->be, r->type, k.m, m, d, r->ldg, r->leaf, LEAF, v, r->rank));
    if (next.m > 0)
      BF_TRY(r->op->advance(r->be, r->type, l, next, v, r->rank, NULL, 0, bf_syinv_at(r, d, r->ldg, 0, m),
                            r->ldg));
  }
  return r->op->lower(r->be, r->type, k, r->v, r->rank, r->w, r->rank, r->h, r->ldg);
}

/* Eliminates block `before` from the columns of panel k, then from the rest of A beside the work on the
 * panel's diagonal block; G of panel k. Beside that of the first panel: ||A||. */
static bf_err panel(const bf_syinv_run *r, bf_dense_block before, bf_dense_block k)
{
  const int first = before.m == 0;
  if (first)
    BF_TRY(r->op->gather(r->be, r->type, k, r->a, r->ld, r->h, r->ldg));
  else
    BF_TRY(r->op->advance(r->be, r->type, before, k, r->g, r->ldg, r->a, r->ld, r->h, r->ldg));
  BF_TRY(r->op->queue(r->be, BF_DENSE_SIDE));
  BF_TRY(invert_panel(r, k));
  BF_TRY(r->op->queue(r->be, BF_DENSE_MAIN));
  if (first)
    BF_TRY(r->op->norms(r->be, r->type, r->n, r->n, r->a, r->ld, r->out->norm_a, r->room));
  else
    BF_TRY(r->op->sweep(r->be, r->type, before, k, r->g, r->ldg, r->a, r->ld));
  BF_TRY(r->op->queue(r->be, BF_DENSE_JOIN));
  return r->op->factor(r->be, r->type, r->n, k.m, r->h, r->ldg, r->w, r->rank, r->g, r->ldg);
}

/* The host waits for the flag after the first panel, where most indefinite matrices are detected, then
 * every LOOK rows. */
enum { LOOK = 4096 };

bf_err bf_syinv_definite(const bf_syinv_run *r, bf_int *info, double *top)
{
  bf_dense_block   before = {r->n, 0, 0};
  bf_int           look   = 0;
  bf_syinv_results seen;
  *info = 0;
  BF_TRY(r->be->ops.zero(r->be, &r->out->flag, sizeof r->out->flag));
  for (bf_int k0 = 0; k0 < r->n; k0 += before.m) {
    const bf_dense_block k = block_at(r, k0, r->rank);
    BF_TRY(panel(r, before, k));
    before = k;
    if (k0 < look || k.m == r->n) continue;
    look = k0 + LOOK;
    BF_TRY(bf_syinv_read(r, &seen));
    *info = seen.flag;
    if (seen.flag != 0) return BF_OK;
  }
  BF_TRY(r->op->sweep(r->be, r->type, before, (bf_dense_block){r->n, 0, 0}, r->g, r->ldg, r->a, r->ld));
  BF_TRY(r->op->norms(r->be, r->type, 1, r->n, r->a, r->ld + 1, r->out->norm_x, r->room)); /* the diagonal */
  BF_TRY(bf_syinv_read(r, &seen));
  *info = seen.flag;
  *top  = seen.norm_a[0] * seen.norm_x[0];
  return BF_OK;
}

/* Indefinite: columns of an update; more cost more in `columns`. */
enum { COLLECTED = 512 };

/* B = H's next columns = the block's columns of A minus the collected updates */
static bf_err columns(const bf_syinv_run *r, bf_int collected, bf_dense_block k)
{
  void *b = bf_syinv_at(r, r->h, r->ldg, 0, collected);
  BF_TRY(r->op->gather(r->be, r->type, k, r->a, r->ld, b, r->ldg));
  if (collected == 0) return BF_OK;
  return r->op->gemm(r->be, r->type, BF_NO_TRANS, BF_TRANS, r->n, k.m, collected, -1.0, r->g, r->ldg,
                     bf_syinv_at(r, r->h, r->ldg, k.k0, 0), r->ldg, 1.0, b, r->ldg);
}

static bf_err update(const bf_syinv_run *r, bf_int *collected)
{
  const bf_int k = *collected;
  *collected     = 0;
  return k == 0 ? BF_OK : r->op->syrkx(r->be, r->type, r->n, k, r->g, r->h, r->ldg, r->a, r->ld);
}

/* Eliminates the block; its inverse is in `leaf`. */
static bf_err eliminate(const bf_syinv_run *r, bf_int *collected, bf_dense_block k)
{
  void *b = bf_syinv_at(r, r->h, r->ldg, 0, *collected), *g = bf_syinv_at(r, r->g, r->ldg, 0, *collected);
  BF_TRY(r->op->clear(r->be, r->type, k, r->a, r->ld, b, r->ldg, *collected, r->g, r->h, r->ldg));
  BF_TRY(r->op->gemm(r->be, r->type, BF_NO_TRANS, BF_TRANS, r->n, k.m, k.m, 1.0, b, r->ldg, r->leaf, LEAF,
                     0.0, g, r->ldg));
  *collected += k.m;
  return *collected + LEAF > (r->rank < COLLECTED ? r->rank : COLLECTED) ? update(r, collected) : BF_OK;
}

/* D^-1 to `leaf` by Gauss-Jordan with row exchanges; *condition of D, infinite if singular. */
static bf_err invert(const bf_syinv_run *r, bf_int collected, bf_dense_block k, double *condition)
{
  const bf_batch   D = {.type = r->type, .n = k.m, .ld = LEAF, .count = 1, .a = r->leaf};
  const void      *d = bf_syinv_at(r, r->h, r->ldg, k.k0, collected);
  bf_syinv_results seen;
  BF_TRY(r->op->take(r->be, r->type, k.m, d, r->ldg, r->leaf, LEAF, &r->out->block[0]));
  BF_TRY(bf_inverse_batch(r->be, &D, &r->out->info, r->batch));
  BF_TRY(r->op->take(r->be, r->type, k.m, r->leaf, LEAF, r->leaf, LEAF, &r->out->block[1]));
  BF_TRY(bf_syinv_read(r, &seen));
  *condition = seen.info == 0 ? seen.block[0] * seen.block[1] : INFINITY;
  if (!(*condition < INFINITY)) *condition = INFINITY;
  return BF_OK;
}

/* Blocks in order; a block whose condition is above the limit is postponed. If all remaining blocks are
 * above it, the limit is raised. */
bf_err bf_syinv_indefinite(const bf_syinv_run *r, bf_int *deferred, int *fit)
{
  const double most  = r->type == BF_S ? 1e5 : 1e12; /* above, refinement cannot converge */
  double       limit = r->type == BF_S ? 1e3 : 1e6;
  bf_int       queue[BF_SYINV_BLOCKS], first = 0, left = 0, refused = 0;
  bf_int       collected = 0;
  const bf_int room      = (r->n + LEAF - 1) / LEAF;
  for (bf_int k0 = 0; k0 < r->n; k0 += LEAF) queue[left++] = k0;
  *fit = 1;
  while (left > 0) {
    const bf_dense_block k = block_at(r, queue[first], LEAF);
    double               condition;
    BF_TRY(columns(r, collected, k));
    BF_TRY(invert(r, collected, k, &condition));
    first = (first + 1) % room;
    if (condition <= limit) {
      BF_TRY(eliminate(r, &collected, k));
      left--;
      refused = 0;
      continue;
    }
    queue[(first + left - 1) % room] = k.k0;
    *deferred += 1;
    if (++refused < left) continue;
    refused = 0;
    limit *= 1e2;
    *fit = limit <= most;
    if (!*fit) return BF_OK;
  }
  return update(r, &collected);
}
