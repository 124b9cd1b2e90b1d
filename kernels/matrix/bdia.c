/* kernels/matrix/bdia.c - bDIA storage: sizes, tables, values; layout in matrix.h, products in cpu/ and cuda/
 *
 * Source: Wang, Ren, Tian, "Efficient Sparse Matrix-vector Multiplication and CG Solver Optimization on GPU"
 * (bDIA: whole diagonals of a band, stored one after another). Beyond the publication: several bands, row
 * segments with their own diagonals, D x D blocks per node, symmetric half, padded planes between guard
 * zones.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "kernels/matrix/storage.h"
#include <limits.h>

enum { LINE = 32 }; /* node rows of a plane and guard zones are multiples of so many */

static int64_t round_up(int64_t n)
{
  return (n + LINE - 1) / LINE * LINE;
}

/* ---- sizes ---- */

bf_bdia_size bf_bdia_measure(const bf_bands *b, int ncomp, int half)
{
  bf_bdia_size z = {0};
  for (bf_int s = 0; s < b->nseg; s++) {
    const int64_t n = b->row[s + 1] - b->row[s];
    int64_t       k = 0;
    for (int64_t p = b->ptr[s]; p < b->ptr[s + 1]; p++) {
      const bf_int off = b->off[p], far = off < 0 ? -off : off;
      if (!half || off >= 0) k++;
      if (far > z.reach) z.reach = far;
    }
    z.ndiag += k;
    z.slots += k * n;
    z.nvalues += k * ncomp * round_up(n) * ncomp;
  }
  /* one line more than the reach: kernels may process a complete padded plane */
  z.pad    = round_up((int64_t)z.reach * ncomp) + LINE;
  z.nlower = half ? bf_bdia_count_lower(b) : 0;
  return z;
}

int64_t bf_bdia_size_bytes(const bf_bdia_size *z, int64_t nseg, bf_prec prec)
{
  return (z->nvalues + 2 * z->pad) * bf_prec_bytes(prec) + nseg * (int64_t)sizeof(bf_bdia_seg) +
         z->ndiag * (int64_t)sizeof(bf_int) + z->nlower * (int64_t)sizeof(bf_bdia_lower);
}

/* ---- tables ---- */

/* A diagonal -k without any diagonal k is not part of a symmetric pattern. If only some rows lack the
 * transposed entry, the slot is a structural zero of the full table (two segments share an offset, one
 * of them by other rows), and the half table is the smaller, exact one; see bf_bdia_fill_lower. */
static bf_err check_symmetric(const bf_bands *b)
{
  for (bf_int s = 0; s < b->nseg; s++)
    for (int64_t p = b->ptr[s]; p < b->ptr[s + 1] && b->off[p] < 0; p++) {
      const bf_int k = -b->off[p];
      bf_int       t = s;
      while (t >= 0 && !bf_bands_has(b, t, k)) t--; /* the transposed entry is in earlier rows */
      if (t < 0)
        for (t = s + 1; t < b->nseg && !bf_bands_has(b, t, k);) t++;
      BF_CHECK(t < b->nseg, BF_E_ARG,
               "half storage of an unsymmetric pattern: rows %d.. have offset %d and no rows have %d",
               (int)b->row[s], (int)-k, (int)k);
    }
  return BF_OK;
}

/* tile: node rows, 0: all of a segment */
static void fill_segments(bf_bdia *A, const bf_bands *b, int tile, int by_component)
{
  int64_t base = 0;
  int     d    = 0;
  for (int s = 0; s < A->nseg; s++) {
    bf_bdia_seg *S = &A->seg[s];
    S->row0        = b->row[s];
    S->nrows       = b->row[s + 1] - b->row[s];
    S->diag0       = d;
    for (int64_t p = b->ptr[s]; p < b->ptr[s + 1]; p++)
      if (!A->half || b->off[p] >= 0) A->off[d++] = b->off[p];
    S->ndiag = d - S->diag0;
    S->base  = base;
    S->ld    = (tile > 0 ? tile : round_up(S->nrows)) * A->ncomp;
    S->apart = by_component ? S->ld / A->ncomp : 1;
    base += bf_bdia_segment_values(S, A->ncomp);
  }
}

/* ---- life ---- */

static bf_err new_tables(const bf_bdia_size *z, int nseg, bf_bdia *A)
{
  A->nseg    = nseg;
  A->ndiag   = (int)z->ndiag;
  A->nlower  = (int)z->nlower;
  A->reach   = z->reach;
  A->nvalues = z->nvalues;
  A->pad     = z->pad;
  BF_TRY(BF_NEW_ARRAY(A->seg, nseg));
  BF_TRY(BF_NEW_ARRAY(A->off, z->ndiag));
  BF_TRY(BF_NEW_ARRAY(A->lower, z->nlower));
  return BF_OK;
}

/* Tables to the backend; memory for the values, not yet set. */
static bf_err new_backend_part(bf_backend *be, bf_bdia *A)
{
  void        *p    = NULL;
  const size_t size = (size_t)bf_prec_bytes(A->prec);
  BF_TRY(bf_alloc_copy(be, A->seg, A->nseg, sizeof *A->seg, &p));
  A->seg_be = p;
  BF_TRY(bf_alloc_copy(be, A->off, A->ndiag, sizeof *A->off, &p));
  A->off_be = p;
  BF_TRY(bf_alloc_copy(be, A->lower, A->nlower, sizeof *A->lower, &p));
  A->lower_be = p;
  BF_TRY(be->ops.alloc(be, (size_t)(A->nvalues + 2 * A->pad) * size, &A->store));
  A->values = (char *)A->store + (size_t)A->pad * size;
  return BF_OK;
}

bf_err bf_bdia_create(bf_backend *be, const bf_bands *b, int ncomp, int half, bf_prec prec, bf_bdia **out)
{
  bf_err             err  = BF_OK;
  bf_bdia           *A    = NULL;
  int                tile = 0, by_component = 0;
  const bf_bdia_size z = bf_bdia_measure(b, ncomp, half);
  *out                 = NULL;
  BF_CHECK(z.ndiag <= INT_MAX && z.nlower <= INT_MAX && z.pad <= INT_MAX, BF_E_ARG,
           "%lld diagonals, %lld lower entries, guard of %lld values", (long long)z.ndiag,
           (long long)z.nlower, (long long)z.pad);
  if (half) BF_TRY(check_symmetric(b));
  BF_GO(BF_NEW(A));
  A->nrows = b->nrows;
  A->ncomp = ncomp;
  A->half  = half != 0;
  A->prec  = prec;
  BF_GO(new_tables(&z, b->nseg, A));
  if (be->ops.matrix.bdia_tile) tile = be->ops.matrix.bdia_tile(A, &by_component);
  fill_segments(A, b, tile, by_component);
  if (A->half) bf_bdia_fill_lower(A);
  BF_GO(new_backend_part(be, A));
  BF_GO(be->ops.zero(be, A->store, (size_t)((A->nvalues + 2 * A->pad) * bf_prec_bytes(prec))));
  *out = A;
  A    = NULL;
done:
  bf_bdia_destroy(be, &A);
  return err;
}

bf_err bf_bdia_to_fp32(bf_backend *be, const bf_bdia *A, bf_bdia **out)
{
  bf_err             err = BF_OK;
  bf_bdia           *B   = NULL;
  const bf_bdia_size z   = {.ndiag   = A->ndiag,
                            .nlower  = A->nlower,
                            .nvalues = A->nvalues,
                            .pad     = A->pad,
                            .slots   = 0,
                            .reach   = A->reach};
  *out                   = NULL;
  BF_GO(BF_NEW(B));
  B->nrows = A->nrows;
  B->ncomp = A->ncomp;
  B->half  = A->half;
  B->prec  = BF_FP32;
  BF_GO(new_tables(&z, A->nseg, B));
  for (int s = 0; s < A->nseg; s++) B->seg[s] = A->seg[s];
  for (int k = 0; k < A->ndiag; k++) B->off[k] = A->off[k];
  for (int k = 0; k < A->nlower; k++) B->lower[k] = A->lower[k];
  BF_GO(new_backend_part(be, B));
  BF_GO(BF_OP(be, vector.demote, A->nvalues + 2 * A->pad, A->store, B->store));
  *out = B;
  B    = NULL;
done:
  bf_bdia_destroy(be, &B);
  return err;
}

void bf_bdia_destroy(bf_backend *be, bf_bdia **A)
{
  if (!A || !*A) return;
  bf_host_free((*A)->seg);
  bf_host_free((*A)->off);
  bf_host_free((*A)->lower);
  be->ops.release(be, (*A)->seg_be);
  be->ops.release(be, (*A)->off_be);
  be->ops.release(be, (*A)->lower_be);
  be->ops.release(be, (*A)->store);
  bf_host_free(*A);
  *A = NULL;
}
