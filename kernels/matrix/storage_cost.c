/* kernels/matrix/storage_cost.c - memory of a matrix and bytes moved by a product, before and after its
 * creation */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "kernels/matrix/storage.h"

/* ---- memory ---- */

int64_t bf_bdia_bytes(const bf_bands *b, int ncomp, int half, bf_prec prec)
{
  const bf_bdia_size z = bf_bdia_measure(b, ncomp, half);
  return bf_bdia_size_bytes(&z, b->nseg, prec);
}

int64_t bf_csr_bytes(int64_t nnz, bf_int nrows, bf_prec prec)
{
  return nnz * (bf_prec_bytes(prec) + (int64_t)sizeof(bf_int)) + ((int64_t)nrows + 1) * 8;
}

int64_t bf_csr16_bytes(int64_t nnz, bf_int nrows, bf_prec prec)
{
  return bf_csr_bytes(nnz, nrows, prec) - nnz * 2;
}

int64_t bf_ell_bytes(bf_int width, bf_int nrows, bf_prec prec)
{
  return bf_ell_ld(nrows) * width * (bf_prec_bytes(prec) + (int64_t)sizeof(bf_int));
}

int64_t bf_coo_bytes(int64_t nnz, bf_prec prec)
{
  return nnz * (bf_prec_bytes(prec) + 2 * (int64_t)sizeof(bf_int));
}

bf_err bf_widths_count(bf_int n, const int64_t *ptr, int ncomp, bf_prec prec, bf_widths *out)
{
  int64_t      *rows    = NULL; /* rows[m]: nodes with m entries; later: with m or more */
  bf_int        longest = 0, m = 0;
  const int64_t v = bf_prec_bytes(prec), D = ncomp;
  for (bf_int i = 0; i < n; i++)
    longest = ptr[i + 1] - ptr[i] > longest ? (bf_int)(ptr[i + 1] - ptr[i]) : longest;
  BF_TRY(BF_NEW_ARRAY(rows, (size_t)longest + 2));
  for (bf_int i = 0; i < n; i++) rows[ptr[i + 1] - ptr[i]]++;
  for (bf_int k = longest; k > 0; k--) rows[k - 1] += rows[k];
  while (m < longest && rows[m + 1] * D * (v + 8) > bf_ell_ld((bf_int)(n * D)) * (v + 4)) m++;
  *out = (bf_widths){.longest = (bf_int)(longest * D), .usual = (bf_int)(m * D)};
  for (bf_int k = m + 1; k <= longest; k++) out->beyond += rows[k] * D * D;
  bf_host_free(rows);
  return BF_OK;
}

int64_t bf_rest_bytes(int64_t nnz, bf_int nlist, bf_prec prec)
{
  return bf_csr_bytes(nnz, nlist, prec) + (int64_t)nlist * (int64_t)sizeof(bf_int);
}

static bf_int listed_rows(const bf_graph *rest, int ncomp)
{
  bf_int n = 0;
  for (bf_int i = 0; i < rest->n; i++) n += rest->ptr[i] < rest->ptr[i + 1];
  return n * ncomp;
}

int64_t bf_hybrid_bytes(const bf_bands *b, const bf_graph *rest, int ncomp, int half, bf_prec prec)
{
  return bf_bdia_bytes(b, ncomp, half, prec) +
         bf_rest_bytes(rest->ptr[rest->n] * ncomp * ncomp, listed_rows(rest, ncomp), prec);
}

/* ---- a product: the matrix and x read once, y written once ---- */

/* slots*D*D values, x once, y once */
static int64_t bdia_product_bytes(int64_t slots, int64_t nrows, int64_t D, bf_prec prec)
{
  return slots * D * D * bf_prec_bytes(prec) + nrows * D * 16;
}

int64_t bf_bdia_product_bytes(const bf_bands *b, int ncomp, int half, bf_prec prec)
{
  return bdia_product_bytes(bf_bdia_measure(b, ncomp, half).slots, b->nrows, ncomp, prec);
}

int64_t bf_csr_product_bytes(int64_t nnz, bf_int nrows, bf_prec prec)
{
  return bf_csr_bytes(nnz, nrows, prec) + (int64_t)nrows * 16;
}

int64_t bf_csr16_product_bytes(int64_t nnz, bf_int nrows, bf_prec prec)
{
  return bf_csr16_bytes(nnz, nrows, prec) + (int64_t)nrows * 16;
}

int64_t bf_ell_product_bytes(bf_int width, bf_int nrows, bf_prec prec)
{
  return bf_ell_bytes(width, nrows, prec) + (int64_t)nrows * 16;
}

int64_t bf_coo_product_bytes(int64_t nnz, bf_int nrows, bf_prec prec)
{
  return bf_coo_bytes(nnz, prec) + (int64_t)nrows * 16;
}

int64_t bf_rest_product_bytes(int64_t nnz, bf_int nlist, bf_prec prec)
{
  return bf_rest_bytes(nnz, nlist, prec) + (int64_t)nlist * 16;
}

int64_t bf_hybrid_product_bytes(const bf_bands *b, const bf_graph *rest, int ncomp, int half, bf_prec prec)
{
  return bf_bdia_product_bytes(b, ncomp, half, prec) +
         bf_rest_product_bytes(rest->ptr[rest->n] * ncomp * ncomp, listed_rows(rest, ncomp), prec);
}
