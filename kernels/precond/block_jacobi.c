/* kernels/precond/block_jacobi.c - see block_jacobi.h: blocks extracted from the stored matrix, inverted as
 * a batch, rounded
 *
 * Memory during the construction: the batch in fp64, the workspace of the inversion and 16 bytes per row,
 * besides the result.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/precond/block_jacobi.h"
#include "base/memory.h"
#include "kernels/matrix/storage.h"

enum { ALIGN = 8 }; /* rows of a column: 32 bytes of fp32 */

static bf_int leading(bf_int largest)
{
  return (largest + ALIGN - 1) / ALIGN * ALIGN;
}

bf_int bf_block_largest(bf_int size, int D)
{
  const bf_int more = size / 32 > 3 ? size / 32 : 3, all = (size + more + D - 1) / D * D;
  return all < BF_BLOCK_MOST ? all : BF_BLOCK_MOST / D * D;
}

/* Upper bound of the workspace of inverses on a device: factors and inverses of up to 4096 blocks above
 * order 192 (kernels/cuda/dense/inverse/inverse_via_lu.cuh), otherwise one matrix for each of the blocks
 * that run at once. t405 compares it with bf_batch_work. */
static int64_t inverse_work(bf_int count, bf_int largest)
{
  enum { FACTORED = 193, COPIES = 4096, RUNNING = 1024 };
  const int64_t each = 8 * (int64_t)leading(largest) * leading(largest) + 256 * (int64_t)largest;
  const int64_t most = largest < FACTORED ? RUNNING : COPIES;
  return (count < most ? count : most) * each * (largest < FACTORED ? 1 : 2) + 4096;
}

bf_blocks_bytes bf_blocks_forecast(bf_int nrows, bf_int count, bf_int largest, bf_prec prec, int on_device)
{
  const int64_t ld = leading(largest), values = (int64_t)count * ld * largest;
  const int64_t storage = values * bf_prec_bytes(prec) + 4 * (int64_t)nrows + 12 * (int64_t)count + 4;
  const int64_t made    = storage + 8 * values + 16 * (int64_t)nrows + 16 * (int64_t)count;
  return (bf_blocks_bytes){storage, made + (on_device ? inverse_work(count, largest) : 0)};
}

/* On the host: rows by blocks; block and index in the block of every row */
typedef struct rows_of {
  bf_int *ptr, *row, *block, *place; /* owned */
} rows_of;

static void clear(rows_of *r)
{
  bf_host_free(r->ptr);
  bf_host_free(r->row);
  bf_host_free(r->block);
  bf_host_free(r->place);
}

static bf_err number(const bf_partition *parts, int D, rows_of *r)
{
  const size_t n = (size_t)parts->n * (size_t)D;
  BF_TRY(BF_NEW_ARRAY(r->ptr, (size_t)parts->count + 1));
  BF_TRY(BF_NEW_ARRAY(r->row, n));
  BF_TRY(BF_NEW_ARRAY(r->block, n));
  BF_TRY(BF_NEW_ARRAY(r->place, n));
  for (bf_int b = 0; b < parts->count; b++) {
    bf_int at = r->ptr[b];
    for (bf_int i = parts->ptr[b]; i < parts->ptr[b + 1]; i++)
      for (int c = 0; c < D; c++, at++) {
        const bf_int row = parts->vertex[i] * D + c;
        r->row[at]       = row;
        r->block[row]    = b;
        r->place[row]    = at - r->ptr[b];
      }
    r->ptr[b + 1] = at;
  }
  return BF_OK;
}

/* Sizes of the blocks, and their allocation */
static bf_err measure(bf_blocks *B, const rows_of *r)
{
  B->smallest = B->count > 0 ? B->nrows : 0;
  for (bf_int b = 0; b < B->count; b++) {
    const bf_int m = r->ptr[b + 1] - r->ptr[b];
    B->largest     = m > B->largest ? m : B->largest;
    B->smallest    = m < B->smallest ? m : B->smallest;
  }
  BF_CHECK(B->largest <= BF_BLOCK_MOST, BF_E_ARG, "a block of %d rows, %d at most", B->largest,
           (int)BF_BLOCK_MOST);
  B->ld     = leading(B->largest);
  B->stride = (int64_t)B->ld * B->largest;
  return BF_OK;
}

static bf_err allocate(bf_blocks *B, const rows_of *r)
{
  bf_backend   *be = B->be;
  const int64_t n = B->nrows, count = B->count;
  BF_TRY(bf_memory_refuse(
      be, bf_blocks_forecast(B->nrows, B->count, B->largest, B->prec, be->ops.on_device).setup,
      "block_jacobi"));
  BF_TRY(bf_alloc_copy(be, r->ptr, count + 1, sizeof(bf_int), (void **)&B->ptr));
  BF_TRY(bf_alloc_copy(be, r->row, n, sizeof(bf_int), (void **)&B->row));
  BF_TRY(bf_alloc_zero(be, count, sizeof(double), (void **)&B->scale));
  BF_TRY(bf_alloc_zero(be, count * B->stride, (size_t)bf_prec_bytes(B->prec), &B->values));
  return BF_OK;
}

typedef struct making { /* backend, temporary */
  double       *a;      /* [count][stride] */
  bf_int       *block, *place, *sizes, *info;
  void         *work;
  bf_block_kept kept;
} making;

static bf_err invert(const bf_matrix *A, bf_blocks *B, const rows_of *r, const bf_int *sizes, making *m)
{
  bf_backend *be    = B->be;
  size_t      bytes = 0;
  BF_TRY(bf_alloc_copy(be, r->block, B->nrows, sizeof(bf_int), (void **)&m->block));
  BF_TRY(bf_alloc_copy(be, r->place, B->nrows, sizeof(bf_int), (void **)&m->place));
  BF_TRY(bf_alloc_copy(be, sizes, B->count, sizeof(bf_int), (void **)&m->sizes));
  BF_TRY(bf_alloc_zero(be, B->count, sizeof(bf_int), (void **)&m->info));
  BF_TRY(bf_alloc_zero(be, B->count * B->stride, sizeof(double), (void **)&m->a));
  BF_TRY(bf_alloc_zero(be, B->count, sizeof(double), (void **)&m->kept.norm));
  BF_TRY(bf_alloc_zero(be, B->nrows, sizeof(double), (void **)&m->kept.diagonal));
  BF_TRY(bf_matrix_blocks(A, &(bf_block_map){m->block, m->place, B->ld, B->stride, m->a}));
  BF_TRY(BF_OP(be, precond.blocks_measure, B, m->a, &m->kept));
  const bf_batch batch = {.type   = BF_D,
                          .n      = B->largest,
                          .ld     = B->ld,
                          .count  = B->count,
                          .stride = B->stride,
                          .a      = m->a,
                          .sizes  = m->sizes};
  BF_TRY(bf_batch_work(be, BF_INVERSE, &batch, &bytes));
  BF_TRY(be->ops.alloc(be, bytes, &m->work));
  BF_TRY(bf_inverse_batch(be, &batch, m->info, m->work));
  return BF_OP(be, precond.blocks_store, B, m->a, &m->kept, m->info);
}

/* Number of blocks without an inverse, the row where the first of them failed, the largest condition of
 * the others */
static bf_err check_blocks(bf_blocks *B, const rows_of *r, const bf_int *sizes, const making *m, bf_int *info,
                           double *condition)
{
  const size_t count = (size_t)B->count;
  BF_TRY(B->be->ops.copy(B->be, info, m->info, count * sizeof *info, BF_TO_HOST));
  BF_TRY(B->be->ops.copy(B->be, condition, m->kept.norm, count * sizeof *condition, BF_TO_HOST));
  B->singular_row = -1;
  for (bf_int b = 0; b < B->count; b++) {
    if (condition[b] > B->condition) B->condition = condition[b];
    if (info[b] == 0) continue;
    const bf_int k = info[b] >= 1 && info[b] <= sizes[b] ? info[b] - 1 : 0;
    if (B->singular++ == 0) B->singular_row = r->row[r->ptr[b] + k];
  }
  return BF_OK;
}

bf_err bf_blocks_create(const bf_matrix *A, const bf_partition *parts, bf_prec prec, int symmetric,
                        bf_blocks **out)
{
  bf_err     err   = BF_OK;
  bf_blocks *B     = NULL;
  bf_int    *sizes = NULL, *info = NULL;
  double    *condition = NULL;
  rows_of    r         = {NULL, NULL, NULL, NULL};
  making     m         = {.a = NULL};
  BF_CHECK(A && parts && out, BF_E_ARG, "null argument");
  *out = NULL;
  BF_CHECK((int64_t)parts->n * A->ncomp == A->nrows, BF_E_ARG,
           "parts of %d nodes for %d rows of %d components", parts->n, A->nrows, A->ncomp);
  BF_GO(BF_NEW(B));
  *B = (bf_blocks){
      .be = A->be, .nrows = A->nrows, .count = parts->count, .prec = prec, .symmetric = symmetric};
  BF_GO(number(parts, A->ncomp, &r));
  BF_GO(measure(B, &r));
  BF_GO(allocate(B, &r));
  BF_GO(BF_NEW_ARRAY(sizes, (size_t)B->count));
  BF_GO(BF_NEW_ARRAY(info, (size_t)B->count));
  BF_GO(BF_NEW_ARRAY(condition, (size_t)B->count));
  for (bf_int b = 0; b < B->count; b++) sizes[b] = r.ptr[b + 1] - r.ptr[b];
  BF_GO(invert(A, B, &r, sizes, &m));
  BF_GO(check_blocks(B, &r, sizes, &m, info, condition));
  *out = B;
  B    = NULL;
done:
  A->be->ops.sync(A->be); /* copies from host memory that is freed here */
  A->be->ops.release(A->be, m.a);
  A->be->ops.release(A->be, m.block);
  A->be->ops.release(A->be, m.place);
  A->be->ops.release(A->be, m.sizes);
  A->be->ops.release(A->be, m.info);
  A->be->ops.release(A->be, m.work);
  A->be->ops.release(A->be, m.kept.norm);
  A->be->ops.release(A->be, m.kept.diagonal);
  clear(&r);
  bf_host_free(sizes);
  bf_host_free(info);
  bf_host_free(condition);
  bf_blocks_destroy(&B);
  return err;
}

void bf_blocks_destroy(bf_blocks **B)
{
  if (!B || !*B) return;
  bf_backend *be = (*B)->be;
  be->ops.release(be, (*B)->ptr);
  be->ops.release(be, (*B)->row);
  be->ops.release(be, (*B)->scale);
  be->ops.release(be, (*B)->values);
  bf_host_free(*B);
  *B = NULL;
}

bf_err bf_blocks_apply(const bf_blocks *B, int transposed, const double *r, double *z, double *dot)
{
  BF_CHECK(B && r && z, BF_E_ARG, "null argument");
  BF_CHECK(r != z, BF_E_ARG, "z = M^-1 r with z the same vector as r");
  return BF_OP(B->be, precond.blocks_apply, B, transposed && !B->symmetric, r, z, dot);
}
