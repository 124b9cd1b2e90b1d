/* kernels/cpu/dense/inverse_tiny.c - inverses of the smallest orders, without LAPACK
 *
 * Computes   A^-1 by Gauss-Jordan with LAPACK's pivots, in place.
 * Source     N. J. Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., section 14.4.
 * Cost       2 n^3 flops. LAPACK takes microseconds for orders 1 to 3, and tens of them on many threads,
 *            because OpenBLAS allocates memory under a lock.
 * Checked    tests/kernels/dense/t361_inverse_batch.c.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cpu/dense/batch.h"
#include <complex.h>
#include <math.h>

#define TYPE    float
#define NAME    inverse_s
#define SIZE(x) fabsf(x)
#include "kernels/cpu/dense/inverse_tiny_loop.h"
#undef TYPE
#undef NAME
#undef SIZE
#define TYPE    double
#define NAME    inverse_d
#define SIZE(x) fabs(x)
#include "kernels/cpu/dense/inverse_tiny_loop.h"
#undef TYPE
#undef NAME
#undef SIZE
#define TYPE    float complex
#define NAME    inverse_c
#define SIZE(x) (fabsf(crealf(x)) + fabsf(cimagf(x)))
#include "kernels/cpu/dense/inverse_tiny_loop.h"
#undef TYPE
#undef NAME
#undef SIZE
#define TYPE    double complex
#define NAME    inverse_z
#define SIZE(x) (fabs(creal(x)) + fabs(cimag(x)))
#include "kernels/cpu/dense/inverse_tiny_loop.h"

int bf_cpu_inverse_few(bf_scalar type, int n, void *a)
{
  if (n > BF_CPU_FEW) return 0;
  switch (type) {
  case BF_S: return inverse_s(n, a);
  case BF_D: return inverse_d(n, a);
  case BF_C: return inverse_c(n, a);
  case BF_Z: break;
  }
  return inverse_z(n, a);
}
