/* kernels/cpu/dense/lapack.h - table of LAPACK's routines for the four scalar types
 *
 * Fortran symbols; scalars are passed by void pointers, the lengths of the character arguments come last.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_CPU_DENSE_LAPACK_H
#define BF_KERNELS_CPU_DENSE_LAPACK_H
#include "kernels/batch.h"

typedef struct bf_lapack {
  void (*getrf)(const int *m, const int *n, void *a, const int *lda, int *ipiv, int *info);
  void (*getrs)(const char *trans, const int *n, const int *nrhs, const void *a, const int *lda,
                const int *ipiv, void *b, const int *ldb, int *info, size_t);
  void (*getri)(const int *n, void *a, const int *lda, const int *ipiv, void *work, const int *lwork,
                int *info);
  void (*potrf)(const char *uplo, const int *n, void *a, const int *lda, int *info, size_t);
  void (*potrs)(const char *uplo, const int *n, const int *nrhs, const void *a, const int *lda, void *b,
                const int *ldb, int *info, size_t);
  /* symmetric and triangular, of types S and D */
  void (*trtri)(const char *uplo, const char *diag, const int *n, void *a, const int *lda, int *info, size_t,
                size_t);
  void (*sytrf)(const char *uplo, const int *n, void *a, const int *lda, int *ipiv, void *work,
                const int *lwork, int *info, size_t);
  void (*sytri)(const char *uplo, const int *n, void *a, const int *lda, const int *ipiv, void *work,
                int *info, size_t);
  void (*syev)(const char *jobz, const char *uplo, const int *n, void *a, const int *lda, void *w, void *work,
               const int *lwork, int *info, size_t, size_t);
  void (*sygv)(const int *itype, const char *jobz, const char *uplo, const int *n, void *a, const int *lda,
               void *b, const int *ldb, void *w, void *work, const int *lwork, int *info, size_t, size_t);
  /* Hermitian, of types C and Z; rwork[3 n] */
  void (*heev)(const char *jobz, const char *uplo, const int *n, void *a, const int *lda, void *w, void *work,
               const int *lwork, void *rwork, int *info, size_t, size_t);
  void (*hegv)(const int *itype, const char *jobz, const char *uplo, const int *n, void *a, const int *lda,
               void *b, const int *ldb, void *w, void *work, const int *lwork, void *rwork, int *info, size_t,
               size_t);
} bf_lapack;

extern const bf_lapack bf_lapack_of[4]; /* by bf_scalar */
#endif
