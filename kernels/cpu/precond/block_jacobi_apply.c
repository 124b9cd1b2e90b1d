/* kernels/cpu/precond/block_jacobi_apply.c - block Jacobi: inverses of diagonal blocks, stored and
 * multiplied by a vector
 *
 * Computes   blocks_measure: 1-norm and diagonal of the blocks; blocks_store: values = X / scale, rounded;
 *            X = the inverse, its mean with its transpose for a symmetric matrix, or the inverse of the
 *            diagonal if there is none; blocks_apply: z_b = scale X_b r_b or scale X_b^T r_b, and r.z.
 * Source     Saad, Iterative Methods for Sparse Linear Systems, section 12.2 (block Jacobi).
 * Cost       apply: 2 m flops and m values per row, r, z and 4 bytes of a row number.
 * Order      one thread per block; sums over its columns in order, r.z block by block in order.
 * Checked    tests/solvers/t404_blocks.c against dense inverses.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cpu/backend/cpu.h"
#include "kernels/precond/block_jacobi.h"
#include <float.h>
#include <math.h>

typedef struct source { /* of one block */
  const double *a, *diagonal;
  int64_t       ld;
  int           symmetric, failed;
} source;

/* X_b(i, j) in fp64 */
static double inverse(const source *s, bf_int i, bf_int j)
{
  const double d = s->diagonal[i], x = s->a[j * s->ld + i];
  if (s->failed) return i != j ? 0.0 : d != 0.0 && isfinite(d) ? 1.0 / d : 1.0;
  return s->symmetric ? 0.5 * (x + s->a[i * s->ld + j]) : x;
}

bf_err bf_cpu_blocks_measure(bf_backend *be, const bf_blocks *B, const double *a, const bf_block_kept *kept)
{
  (void)be;
#pragma omp parallel for schedule(static) if (B->nrows > 1024)
  for (bf_int b = 0; b < B->count; b++) {
    const bf_int  m    = B->ptr[b + 1] - B->ptr[b];
    const double *v    = a + b * B->stride;
    double        most = 0.0;
    for (bf_int j = 0; j < m; j++) {
      double sum = 0.0;
      for (bf_int i = 0; i < m; i++) sum += fabs(v[(int64_t)j * B->ld + i]);
      most                          = fmax(most, sum);
      kept->diagonal[B->ptr[b] + j] = v[(int64_t)j * (B->ld + 1)];
    }
    kept->norm[b] = most;
  }
  return BF_OK;
}

/* Largest entry of X_b, and its 1-norm. */
static void measure(const source *s, bf_int m, double *most, double *norm)
{
  *most = *norm = 0.0;
  for (bf_int j = 0; j < m; j++) {
    double sum = 0.0;
    for (bf_int i = 0; i < m; i++) {
      const double x = fabs(inverse(s, i, j));
      *most          = fmax(*most, x);
      sum += x;
    }
    *norm = fmax(*norm, sum);
  }
}

static void store(const bf_blocks *B, bf_int b, const double *a, const bf_block_kept *kept, bf_int *info)
{
  const bf_int  m     = B->ptr[b + 1] - B->ptr[b];
  const int64_t first = b * B->stride;
  source        s     = {a + first, kept->diagonal + B->ptr[b], B->ld, B->symmetric, info[b] != 0};
  double        most, norm;
  int           power = 0;
  measure(&s, m, &most, &norm);
  kept->norm[b] = s.failed ? 0.0 : kept->norm[b] * norm;
  if (!(kept->norm[b] < 1.0 / DBL_EPSILON)) {
    kept->norm[b] = 0.0;
    info[b]       = -2;
    s.failed      = 1;
    measure(&s, m, &most, &norm);
  }
  if (most > 0.0 && isfinite(most)) frexp(most, &power);
  power       = bf_block_power(power);
  B->scale[b] = ldexp(1.0, power);
  for (bf_int j = 0; j < m; j++)
    for (bf_int i = 0; i < m; i++) {
      const double v = ldexp(inverse(&s, i, j), -power);
      if (B->prec == BF_FP32)
        ((float *)B->values)[first + (int64_t)j * B->ld + i] = (float)v;
      else
        ((double *)B->values)[first + (int64_t)j * B->ld + i] = v;
    }
}

bf_err bf_cpu_blocks_store(bf_backend *be, const bf_blocks *B, const double *a, const bf_block_kept *kept,
                           bf_int *info)
{
  (void)be;
#pragma omp parallel for schedule(static) if (B->nrows > 1024)
  for (bf_int b = 0; b < B->count; b++) store(B, b, a, kept, info);
  return BF_OK;
}

#define VALUE   double
#define NAME(f) f##_fp64
#include "kernels/cpu/precond/block_jacobi_row.h"
#undef VALUE
#undef NAME
#define VALUE   float
#define NAME(f) f##_fp32
#include "kernels/cpu/precond/block_jacobi_row.h"
#undef VALUE
#undef NAME

/* One block: gather, multiply, scatter; returns r_b.z_b. */
static double apply(const bf_blocks *B, bf_int b, int transposed, const double *r, double *z)
{
  const bf_int  m = B->ptr[b + 1] - B->ptr[b], *row = B->row + B->ptr[b];
  const int64_t first = b * B->stride;
  double        x[BF_BLOCK_MOST], y[BF_BLOCK_MOST], sum = 0.0;
  for (bf_int i = 0; i < m; i++) x[i] = r[row[i]];
  if (B->prec == BF_FP32)
    (transposed ? product_t_fp32 : product_fp32)(m, B->ld, (const float *)B->values + first, x, y);
  else
    (transposed ? product_t_fp64 : product_fp64)(m, B->ld, (const double *)B->values + first, x, y);
  for (bf_int i = 0; i < m; i++) {
    const double v = B->scale[b] * y[i];
    z[row[i]]      = v;
    sum += x[i] * v;
  }
  return sum;
}

bf_err bf_cpu_blocks_apply(bf_backend *be, const bf_blocks *B, int transposed, const double *r, double *z,
                           double *dot)
{
  double *part;
  BF_TRY(bf_cpu_scratch(be, B->count, &part));
#pragma omp parallel for schedule(static) if (B->nrows > 1024)
  for (bf_int b = 0; b < B->count; b++) part[b] = apply(B, b, transposed, r, z);
  if (dot) bf_cpu_add_up(B->count, 1, part, dot);
  return BF_OK;
}
