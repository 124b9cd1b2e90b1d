/* kernels/syinv_sweep.c - the block sweep: every block of rows and columns is eliminated from all others
 *
 *     D = A_kk,  B = A_*k with B_k = -I,  row and column k of A = 0,  A -= B D^-1 B^T
 *
 * After all blocks A has become -A^-1.  With D^-1 = W^T W (Cholesky) G = B W^T and A -= G G^T, else G = B
 * D^-1 and A -= G B^T; only the lower triangle is computed.  Updates are collected until they have `rank`
 * columns: A = base - G H^T (H = G or B); a column of A is that of the base less G H_k^T, and a row and
 * column become 0 by zeros in the base, in G and in H.
 *
 * Cost: n^3 flops, and n^2 (rank + leaf) for the columns.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/syinv_work.h"
#include <math.h>

typedef struct panel { /* columns collected so far */
  int    definite;
  bf_int columns;
} panel;

static void *factor(const bf_syinv_run *r, const panel *p)
{
  return p->definite ? r->g : r->h;
}

/* B's room: a column of H itself where there is H. */
static void *columns_of(const bf_syinv_run *r, const panel *p)
{
  return p->definite ? r->b : bf_syinv_at(r, r->h, r->n, 0, p->columns);
}

/* B = the block's columns of A. */
static bf_err columns(const bf_syinv_run *r, const panel *p, bf_dense_block k)
{
  void *b = columns_of(r, p);
  BF_TRY(r->op->gather(r->be, r->type, k, r->a, r->ld, b, r->n));
  if (p->columns == 0) return BF_OK;
  return r->op->gemm(r->be, r->type, BF_NO_TRANS, BF_TRANS, r->n, k.m, p->columns, -1.0, r->g, r->n,
                     bf_syinv_at(r, factor(r, p), r->n, k.k0, 0), r->n, 1.0, b, r->n);
}

static bf_err update(const bf_syinv_run *r, panel *p)
{
  const bf_int k = p->columns;
  p->columns     = 0;
  return k == 0 ? BF_OK : r->op->syrkx(r->be, r->type, r->n, k, r->g, factor(r, p), r->n, r->a, r->ld);
}

/* w is W or D^-1: the block is eliminated. */
static bf_err eliminate(const bf_syinv_run *r, panel *p, bf_dense_block k)
{
  void *b = columns_of(r, p), *g = bf_syinv_at(r, r->g, r->n, 0, p->columns);
  BF_TRY(r->op->clear(r->be, r->type, k, r->a, r->ld, b, r->n, p->columns, r->g, factor(r, p), r->n));
  BF_TRY(r->op->gemm(r->be, r->type, BF_NO_TRANS, BF_TRANS, r->n, k.m, k.m, 1.0, b, r->n, r->w, r->leaf, 0.0,
                     g, r->n));
  p->columns += k.m;
  return p->columns + r->leaf > r->rank ? update(r, p) : BF_OK;
}

static bf_dense_block block_at(const bf_syinv_run *r, bf_int k0)
{
  return (bf_dense_block){r->n, k0, r->n - k0 < r->leaf ? r->n - k0 : r->leaf};
}

/* The host waits for the flag after the first block, where most indefinite matrices show, then every LOOK
 * rows. */
enum { LOOK = 4096 };

bf_err bf_syinv_definite(const bf_syinv_run *r, bf_int *info, double *top)
{
  panel            p = {.definite = 1};
  bf_syinv_results seen;
  *info = 0;
  BF_TRY(r->be->ops.zero(r->be, &r->out->flag, sizeof r->out->flag));
  for (bf_int k0 = 0; k0 < r->n; k0 += r->leaf) {
    const bf_dense_block k = block_at(r, k0);
    BF_TRY(columns(r, &p, k));
    BF_TRY(r->op->definite(r->be, r->type, k, r->b, r->n, r->w, r->leaf, &r->out->flag));
    BF_TRY(eliminate(r, &p, k));
    if (k0 % LOOK != 0 || k.m == r->n) continue;
    BF_TRY(bf_syinv_read(r, &seen));
    *info = seen.flag;
    if (seen.flag != 0) return BF_OK;
  }
  BF_TRY(update(r, &p));
  BF_TRY(r->op->norms(r->be, r->type, 1, r->n, r->a, r->ld + 1, r->out->norm_x, r->room)); /* the diagonal */
  BF_TRY(bf_syinv_read(r, &seen));
  *info = seen.flag;
  *top  = seen.norm_a[0] * seen.norm_x[0];
  return BF_OK;
}

/* D^-1 to w by Gauss-Jordan with row exchanges; *condition of D, infinite where it is singular. */
static bf_err invert(const bf_syinv_run *r, const panel *p, bf_dense_block k, double *condition)
{
  const bf_batch   D = {.type = r->type, .n = k.m, .ld = r->leaf, .count = 1, .a = r->w};
  const void      *d = bf_syinv_at(r, columns_of(r, p), r->n, k.k0, 0);
  bf_syinv_results seen;
  BF_TRY(r->op->take(r->be, r->type, k.m, d, r->n, r->w, r->leaf, &r->out->block[0]));
  BF_TRY(bf_inverse_batch(r->be, &D, &r->out->info, r->batch));
  BF_TRY(r->op->take(r->be, r->type, k.m, r->w, r->leaf, r->w, r->leaf, &r->out->block[1]));
  BF_TRY(bf_syinv_read(r, &seen));
  *condition = seen.info == 0 ? seen.block[0] * seen.block[1] : INFINITY;
  if (!(*condition < INFINITY)) *condition = INFINITY;
  return BF_OK;
}

/* Blocks in order; one whose condition is above the limit goes behind the others.  Where all that remain are,
 * the limit rises. */
bf_err bf_syinv_indefinite(const bf_syinv_run *r, bf_int *deferred, int *fit)
{
  const double most  = r->type == BF_S ? 1e5 : 1e12; /* a worse block leaves nothing for refinement */
  double       limit = r->type == BF_S ? 1e3 : 1e5;
  bf_int       queue[BF_SYINV_BLOCKS], first = 0, left = 0, refused = 0;
  panel        p    = {.definite = 0};
  const bf_int room = (r->n + r->leaf - 1) / r->leaf;
  for (bf_int k0 = 0; k0 < r->n; k0 += r->leaf) queue[left++] = k0;
  *fit = 1;
  while (left > 0) {
    const bf_dense_block k = block_at(r, queue[first]);
    double               condition;
    BF_TRY(columns(r, &p, k));
    BF_TRY(invert(r, &p, k, &condition));
    first = (first + 1) % room;
    if (condition <= limit) {
      BF_TRY(eliminate(r, &p, k));
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
  return update(r, &p);
}
