/* kernels/matrix/storage.h - creation, copies, checks and host copies of the parts of a matrix; private to
 * this folder
 *
 * Each part has functions of its own structure; a format is one of them or two (matrix.h).
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_MATRIX_STORAGE_H
#define BF_KERNELS_MATRIX_STORAGE_H
#include "kernels/matrix/matrix.h"

/* Bytes of one stored value. */
static inline int64_t bf_prec_bytes(bf_prec prec)
{
  return prec == BF_FP32 ? 4 : 8;
}

/* BF_E_MEMORY "<what> needs .., .. available" if the backend has less than `bytes` left (0 = unknown).
 */
bf_err bf_memory_refuse(bf_backend *be, int64_t bytes, const char *what);

/* A matrix without parts. */
bf_err bf_matrix_new(bf_backend *be, bf_format format, bf_int nrows, int ncomp, bf_prec prec, int64_t nnz,
                     bf_matrix **out);
/* BF_E_ARG unless a matrix of so many node rows exists. */
bf_err bf_matrix_check_shape(const bf_backend *be, int64_t nrows, int ncomp, bf_prec prec);

/* ---- bDIA: sizes computed from the bands, for both the estimate and the matrix ---- */
typedef struct bf_bdia_size {
  int64_t ndiag, nlower;
  int64_t nvalues, pad; /* values without the guard zones; of one guard zone */
  int64_t slots;        /* node slots inside the matrix's rows, padding of planes not counted */
  bf_int  reach;
} bf_bdia_size;

bf_bdia_size bf_bdia_measure(const bf_bands *b, int ncomp, int half);
int64_t      bf_bdia_size_bytes(const bf_bdia_size *z, int64_t nseg, bf_prec prec);

bf_err bf_bdia_create(bf_backend *be, const bf_bands *b, int ncomp, int half, bf_prec prec, bf_bdia **out);
bf_err bf_bdia_to_fp32(bf_backend *be, const bf_bdia *A, bf_bdia **out);
void   bf_bdia_destroy(bf_backend *be, bf_bdia **A);
bf_err bf_bdia_check(bf_backend *be, const bf_bdia *A);

/* Lower tables of half storage from the segments and offsets of A: fills lower[], lower0 and nlower of each
 * segment. */
void bf_bdia_fill_lower(bf_bdia *A);
/* Entries bf_bdia_fill_lower makes for these bands. */
int64_t bf_bdia_count_lower(const bf_bands *b);

/* Distinct offsets of nodes in one segment, 0 always; with `mirror` every offset has its opposite. */
bf_err bf_bands_of_sparse(const bf_sparse *S, int D, int mirror, bf_bands **out);
/* BF_E_ARG naming a row unless A(i,j) = A(j,i) up to rounding (2^-40 of the row's largest). */
bf_err bf_sparse_symmetric(const bf_sparse *S);
/* Values of all stored slots from S; entries without a slot are left out. */
bf_err bf_bdia_put(bf_backend *be, bf_bdia *A, const bf_sparse *S);
bf_err bf_bdia_to_sparse(bf_backend *be, const bf_bdia *A, bf_sparse **out);

/* ---- CSR; narrow: 16-bit columns ---- */
/* Memory of a matrix of this shape; nothing set yet. */
bf_err bf_csr_new(bf_backend *be, bf_int nrows, int64_t nnz, int narrow, bf_prec prec, bf_csr **out);
bf_err bf_csr_create(bf_backend *be, const bf_graph *pattern, int ncomp, int narrow, bf_prec prec,
                     bf_csr **out);
/* BF_E_ARG with the half-bandwidth where a column of the pattern has no place in 16 bits. */
bf_err bf_csr16_fits(const bf_graph *pattern, int ncomp);
bf_err bf_csr_from_sparse(bf_backend *be, const bf_sparse *S, int narrow, bf_prec prec, bf_csr **out);
bf_err bf_csr_to_sparse(bf_backend *be, const bf_csr *A, bf_sparse **out);
bf_err bf_csr_to_fp32(bf_backend *be, const bf_csr *A, bf_csr **out);
void   bf_csr_destroy(bf_backend *be, bf_csr **A);
bf_err bf_csr_check(bf_backend *be, const bf_csr *A);

/* ---- ELL ---- */
static inline int64_t bf_ell_ld(bf_int nrows)
{
  return ((int64_t)nrows + 31) / 32 * 32;
}
/* The first `width` entries of every row. */
bf_err bf_ell_from_sparse(bf_backend *be, const bf_sparse *S, bf_int width, bf_prec prec, bf_ell **out);
bf_err bf_ell_to_sparse(bf_backend *be, const bf_ell *A, bf_sparse **out);
bf_err bf_ell_to_fp32(bf_backend *be, const bf_ell *A, bf_ell **out);
void   bf_ell_destroy(bf_backend *be, bf_ell **A);
bf_err bf_ell_check(bf_backend *be, const bf_ell *A);

/* ---- COO ---- */
/* Every row's entries after its first `skip`. */
bf_err bf_coo_from_sparse(bf_backend *be, const bf_sparse *S, bf_int skip, bf_prec prec, bf_coo **out);
bf_err bf_coo_to_sparse(bf_backend *be, const bf_coo *A, bf_sparse **out);
bf_err bf_coo_to_fp32(bf_backend *be, const bf_coo *A, bf_coo **out);
void   bf_coo_destroy(bf_backend *be, bf_coo **A);
bf_err bf_coo_check(bf_backend *be, const bf_coo *A);

/* ---- the remainder of HYBRID ---- */
/* BF_E_ARG if a pair of `g` is on a diagonal of `b`; half: pairs right of the diagonal are checked */
bf_err bf_rest_check_pattern(const bf_graph *g, const bf_bands *b, int half);
bf_err bf_rest_create(bf_backend *be, const bf_graph *g, int ncomp, bf_prec prec, bf_rest **out);
/* Values of its pattern from S, 0 where S has none. */
bf_err bf_rest_put(bf_backend *be, bf_rest *A, const bf_sparse *S);
bf_err bf_rest_to_sparse(bf_backend *be, const bf_rest *A, bf_sparse **out);
bf_err bf_rest_to_fp32(bf_backend *be, const bf_rest *A, bf_rest **out);
void   bf_rest_destroy(bf_backend *be, bf_rest **A);
bf_err bf_rest_check(bf_backend *be, const bf_rest *A);

/* *most = largest ptr[i + 1] - ptr[i] of ptr[n + 1] in backend memory. */
bf_err bf_longest_row(bf_backend *be, const int64_t *ptr, bf_int n, int64_t *most);

/* check, to_sparse, to_fp32 and destroy of a part (format.h) from those of its structure, above. */
#define BF_PART_FUNCTIONS(part)                                                                              \
  static bf_err check(const bf_matrix *A)                                                                    \
  {                                                                                                          \
    return bf_##part##_check(A->be, A->part);                                                                \
  }                                                                                                          \
  static bf_err to_sparse(const bf_matrix *A, bf_sparse **out)                                               \
  {                                                                                                          \
    return bf_##part##_to_sparse(A->be, A->part, out);                                                       \
  }                                                                                                          \
  static bf_err to_fp32(const bf_matrix *A, bf_matrix *B)                                                    \
  {                                                                                                          \
    return bf_##part##_to_fp32(A->be, A->part, &B->part);                                                    \
  }                                                                                                          \
  static void destroy(bf_matrix *A)                                                                          \
  {                                                                                                          \
    bf_##part##_destroy(A->be, &A->part);                                                                    \
  }

/* n zero entries of `size` bytes on the backend; *p is NULL on failure. */
bf_err bf_alloc_zero(bf_backend *be, int64_t n, size_t size, void **p);
/* n entries of `size` bytes, copied from the host. */
bf_err bf_alloc_copy(bf_backend *be, const void *host, int64_t n, size_t size, void **p);
/* n entries of `size` bytes, copied from backend memory; n fp64 values rounded to fp32. */
bf_err bf_alloc_same(bf_backend *be, const void *from, int64_t n, size_t size, void **p);
bf_err bf_values_to_fp32(bf_backend *be, const void *values, int64_t n, void **p);
/* `bytes` bytes from the backend in new host memory (bf_host_free). */
bf_err bf_fetch(bf_backend *be, const void *p, int64_t n, size_t size, void **host);
/* n values in new backend memory, rounded to `prec`; and back. */
bf_err bf_values_put(bf_backend *be, int64_t n, const double *host, bf_prec prec, void **p);
bf_err bf_values_get(bf_backend *be, int64_t n, const void *p, bf_prec prec, double *host);
#endif
