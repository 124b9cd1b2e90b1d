/* solvers/linear/multigrid/transfer_rows.c - a transfer whose prolongation is stored: P and P^T in block rows
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "kernels/multigrid/block_rows.h"
#include "solvers/linear/multigrid/multigrid.h"

typedef struct pair { /* owned, fp32 values */
  bf_block_rows *P, *PT;
} pair;

static bf_err prolong(const void *self, const double *xc, double *x)
{
  return bf_block_rows_add(((const pair *)self)->P, xc, x);
}

static bf_err restricted(const void *self, const double *r, double *bc)
{
  return bf_block_rows_spmv(((const pair *)self)->PT, r, bc);
}

static void destroy(void *self)
{
  pair *t = self;
  if (!t) return;
  bf_block_rows_destroy(&t->P);
  bf_block_rows_destroy(&t->PT);
  bf_host_free(t);
}

bf_err bf_mg_transfer_rows(const bf_block_rows *P, const bf_block_rows *PT, const char *name,
                           bf_mg_transfer *T)
{
  bf_err err = BF_OK;
  pair  *t   = NULL;
  *T         = (bf_mg_transfer){.self = NULL};
  BF_TRY(BF_NEW(t));
  BF_GO(bf_block_rows_to_fp32(P, &t->P));
  BF_GO(bf_block_rows_to_fp32(PT, &t->PT));
  *T = (bf_mg_transfer){.self       = t,
                        .prolong    = prolong,
                        .restricted = restricted,
                        .destroy    = destroy,
                        .bytes      = bf_block_rows_bytes(t->P) + bf_block_rows_bytes(t->PT),
                        .name       = name};
  t  = NULL;
done:
  destroy(t);
  return err;
}
