/* kernels/matrix/matrix.c - see matrix.h: operations on a matrix as the sum of its parts */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/matrix/matrix.h"
#include "base/memory.h"
#include "kernels/matrix/format.h"
#include "kernels/matrix/storage.h"
#include <stdio.h>

/* ---- parts ---- */

#define PART(part) &bf_##part##_part,
const bf_part *const bf_parts[BF_PARTS] = {BF_PART_LIST(PART)};
#undef PART

static int has(const bf_matrix *A, int part)
{
#define PART(part) A->part,
  const void *const of[BF_PARTS] = {BF_PART_LIST(PART)};
#undef PART
  return of[part] != NULL;
}

int bf_next_part(const bf_matrix *A, int part)
{
  while (part < BF_PARTS && !has(A, part)) part++;
  return part;
}

static bf_err missing(const bf_matrix *A, int part, const char *operation)
{
  char name[48];
  snprintf(name, sizeof name, "%s.%s", bf_parts[part]->name, operation);
  return bf_unsupported(A->be, name);
}
#define PART_OP(A, k, op, ...)                                                                               \
  ((A)->be->ops.part[k]->op ? (A)->be->ops.part[k]->op((A)->be, __VA_ARGS__) : missing(A, k, #op))

/* ---- life ---- */

bf_err bf_matrix_to_fp32(const bf_matrix *A, bf_matrix **out)
{
  bf_err     err    = BF_OK;
  bf_matrix *B      = NULL;
  int64_t    values = 0;
  BF_CHECK(A && out, BF_E_ARG, "null argument");
  *out = NULL;
  BF_CHECK(A->prec == BF_FP64, BF_E_ARG, "the matrix is fp32 already");
  BF_FOR_PARTS(A) values += bf_parts[k]->size(A).values;
  BF_TRY(bf_memory_refuse(A->be, bf_matrix_bytes(A) - 4 * values, "fp32 copy of the matrix"));
  BF_GO(bf_matrix_new(A->be, A->format, A->nrows, A->ncomp, BF_FP32, A->nnz, &B));
  B->guard = A->guard;
  BF_FOR_PARTS(A) BF_GO(bf_parts[k]->to_fp32(A, B));
  *out = B;
  B    = NULL;
done:
  bf_matrix_destroy(&B);
  return err;
}

void bf_matrix_destroy(bf_matrix **A)
{
  if (!A || !*A) return;
  BF_FOR_PARTS(*A) bf_parts[k]->destroy(*A);
  bf_host_free(*A);
  *A = NULL;
}

/* ---- sizes ---- */

int64_t bf_matrix_bytes(const bf_matrix *A)
{
  int64_t sum = 0;
  BF_FOR_PARTS(A) sum += bf_parts[k]->size(A).bytes;
  return sum;
}

bf_err bf_matrix_longest_row(const bf_matrix *A, int64_t *most)
{
  *most = 0;
  BF_FOR_PARTS(A)
  {
    int64_t more;
    BF_TRY(bf_parts[k]->longest(A, &more));
    *most += more;
  }
  return BF_OK;
}

int64_t bf_matrix_product_bytes(const bf_matrix *A)
{
  int64_t sum = (int64_t)A->nrows * 16;
  BF_FOR_PARTS(A) sum += bf_parts[k]->size(A).product;
  return sum;
}

int bf_matrix_half(const bf_matrix *A)
{
  int half = 0;
  BF_FOR_PARTS(A) half |= bf_parts[k]->size(A).half;
  return half;
}

/* ---- check ---- */

static bf_err check_bands(const bf_matrix *A)
{
  BF_CHECK(A->bdia->ncomp == A->ncomp && A->bdia->nrows * A->ncomp == A->nrows, BF_E_ARG,
           "the bDIA part does not fit the matrix");
  BF_CHECK(A->guard % 32 == 0 && A->guard >= (int64_t)A->bdia->reach * A->ncomp, BF_E_ARG,
           "guard %d for a reach of %d", (int)A->guard, (int)A->bdia->reach);
  BF_CHECK(A->format != BF_FORMAT_DIA || (A->bdia->nseg == 1 && !A->bdia->half), BF_E_ARG,
           "DIA with %d segments", A->bdia->nseg);
  return BF_OK;
}

bf_err bf_matrix_check(const bf_matrix *A)
{
  unsigned found   = 0;
  int64_t  entries = 0;
  BF_CHECK(A && A->be, BF_E_ARG, "null argument");
  BF_CHECK((int)A->format >= 0 && A->format < BF_FORMATS, BF_E_ARG, "format %d", (int)A->format);
  BF_CHECK(A->ncomp >= 1 && A->ncomp <= 3 && A->nrows > 0 && A->nrows % A->ncomp == 0, BF_E_ARG,
           "%d rows of %d components", (int)A->nrows, A->ncomp);
  BF_FOR_PARTS(A) found |= 1U << k;
  BF_CHECK(found == bf_format_of(A->format)->parts, BF_E_ARG, "the parts are not those of format %s",
           bf_format_word(A->format));
  BF_FOR_PARTS(A)
  {
    const bf_part_size z = bf_parts[k]->size(A);
    BF_CHECK(z.prec == A->prec, BF_E_ARG, "a part has another precision than the matrix");
    BF_CHECK(z.nrows == A->nrows, BF_E_ARG, "a part has other rows than the matrix");
    entries = entries < 0 || z.entries < 0 ? -1 : entries + z.entries;
  }
  if (A->bdia)
    BF_TRY(check_bands(A));
  else {
    BF_CHECK(A->guard == 0, BF_E_ARG, "guard %d without bands", (int)A->guard);
    BF_CHECK(entries < 0 || A->nnz == entries, BF_E_ARG, "%lld entries of %lld", (long long)entries,
             (long long)A->nnz);
  }
  BF_FOR_PARTS(A) BF_TRY(bf_parts[k]->check(A));
  return BF_OK;
}

/* ---- operations ---- */

bf_err bf_matrix_spmv(const bf_matrix *A, const double *x, double *y, const double *w, double *dot)
{
  BF_CHECK(A && x && y && (!w || dot), BF_E_ARG, "null argument");
  BF_CHECK(x != y, BF_E_ARG, "y = A x with y the same vector as x");
  const int first = bf_next_part(A, 0);
  BF_FOR_PARTS(A)
  { /* the dots are those of the last part */
    const double *with = bf_next_part(A, k + 1) < BF_PARTS ? NULL : w;
    BF_TRY(k == first ? PART_OP(A, k, spmv, A, x, y, with, dot)
                      : PART_OP(A, k, spmv_add, A, x, y, with, dot));
  }
  return BF_OK;
}

int bf_matrix_transposes_in_place(const bf_matrix *A)
{
  int yes             = bf_format_of(A->format)->transposes;
  BF_FOR_PARTS(A) yes = yes && (!bf_parts[k]->transposes || bf_parts[k]->transposes(A));
  return yes;
}

bf_err bf_matrix_spmv_t(const bf_matrix *A, const double *x, double *y)
{
  BF_CHECK(A && x && y, BF_E_ARG, "null argument");
  BF_CHECK(x != y, BF_E_ARG, "y = A^T x with y the same vector as x");
  BF_CHECK(bf_matrix_transposes_in_place(A), BF_E_UNSUPPORTED,
           "format %s has no product with the transpose: make the transpose", bf_format_word(A->format));
  BF_FOR_PARTS(A) BF_TRY(PART_OP(A, k, spmv_t, A, x, y));
  return BF_OK;
}

bf_err bf_matrix_diagonal(const bf_matrix *A, double *d)
{
  BF_CHECK(A && d, BF_E_ARG, "null argument");
  const int first = bf_next_part(A, 0);
  if (first < BF_PARTS && bf_parts[first]->diagonals == BF_DIAGONAL_LISTED)
    BF_TRY(A->be->ops.zero(A->be, d, (size_t)A->nrows * sizeof *d));
  BF_FOR_PARTS(A)
  if (bf_parts[k]->diagonals != BF_DIAGONAL_NONE) BF_TRY(PART_OP(A, k, diagonal, A, d));
  return BF_OK;
}

bf_err bf_matrix_scatter(bf_matrix *A, const bf_int *inc_ptr, const bf_int *inc_item, int nen,
                         const bf_int *conn, const double *Ke)
{
  BF_CHECK(A && inc_ptr && inc_item && conn && Ke, BF_E_ARG, "null argument");
  BF_CHECK(A->prec == BF_FP64, BF_E_ARG, "element matrices can be added to fp64 values only");
  BF_CHECK(bf_format_takes_elements(A->format), BF_E_ARG, "element matrices cannot be added to format %s",
           bf_format_word(A->format));
  const int first = bf_next_part(A, 0); /* it fills a remainder too */
  BF_TRY(PART_OP(A, first, scatter, A, inc_ptr, inc_item, nen, conn, Ke));
  return BF_OK;
}

bf_err bf_matrix_constrain(bf_matrix *A, const uint8_t *fixed)
{
  BF_CHECK(A && fixed, BF_E_ARG, "null argument");
  BF_FOR_PARTS(A) BF_TRY(PART_OP(A, k, constrain, A, fixed));
  return BF_OK;
}

bf_err bf_matrix_blocks(const bf_matrix *A, const struct bf_block_map *map)
{
  BF_FOR_PARTS(A) BF_TRY(PART_OP(A, k, blocks, A, map));
  return BF_OK;
}
