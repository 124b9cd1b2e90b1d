/* assembly/assemble/add_diagonal.c - adds numbers to the diagonal of a matrix by one-node elements
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "assembly/model/internal.h"
#include "base/memory.h"

enum { SLAB = 1 << 18 }; /* nodes per slab */

typedef struct nodes { /* of a slab: host, then backend memory */
  double *Ke;
  void   *conn, *Ke_be, *ptr, *item;
} nodes;

static bf_err add_slab(bf_matrix *A, bf_int n, const bf_int *row, const double *d, nodes *s)
{
  bf_backend  *be = A->be;
  const size_t nc = (size_t)A->ncomp;
  for (size_t k = 0; k < (size_t)n; k++)
    for (size_t c = 0; c < nc; c++) s->Ke[k * nc * nc + c * (nc + 1)] = d[k * nc + c];
  BF_TRY(be->ops.copy(be, s->conn, row, (size_t)n * sizeof *row, BF_TO_DEVICE));
  BF_TRY(be->ops.copy(be, s->Ke_be, s->Ke, (size_t)n * nc * nc * sizeof *s->Ke, BF_TO_DEVICE));
  BF_TRY(BF_OP(be, element.incidence, n, 1, s->conn, A->nrows / A->ncomp, s->ptr, s->item));
  BF_TRY(bf_matrix_scatter(A, s->ptr, s->item, 1, s->conn, s->Ke_be));
  return be->ops.sync(be); /* Ke is overwritten next */
}

bf_err bf_model_add_diagonal(bf_matrix *A, bf_int n, const bf_int *row, const double *d)
{
  bf_err       err  = BF_OK;
  bf_backend  *be   = A->be;
  const bf_int slab = n < SLAB ? n : SLAB, nrows = A->nrows / A->ncomp;
  const size_t nc = (size_t)A->ncomp;
  nodes        s  = {0};
  if (n == 0) return BF_OK;
  BF_GO(BF_NEW_ARRAY(s.Ke, (size_t)slab * nc * nc));
  BF_GO(be->ops.alloc(be, (size_t)slab * sizeof *row, &s.conn));
  BF_GO(be->ops.alloc(be, (size_t)slab * nc * nc * sizeof *s.Ke, &s.Ke_be));
  BF_GO(be->ops.alloc(be, ((size_t)nrows + 1) * sizeof *row, &s.ptr));
  BF_GO(be->ops.alloc(be, (size_t)slab * sizeof *row, &s.item));
  for (bf_int k = 0; k < n; k += slab)
    BF_GO(add_slab(A, n - k < slab ? n - k : slab, row + k, d + (size_t)k * nc, &s));
done:
  bf_host_free(s.Ke);
  be->ops.release(be, s.conn);
  be->ops.release(be, s.Ke_be);
  be->ops.release(be, s.ptr);
  be->ops.release(be, s.item);
  return err;
}
