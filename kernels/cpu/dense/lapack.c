/* kernels/cpu/dense/lapack.c - the table of LAPACK's routines: see lapack.h */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cpu/dense/lapack.h"

typedef void getrf_fn(const int *m, const int *n, void *a, const int *lda, int *ipiv, int *info);
typedef void getrs_fn(const char *trans, const int *n, const int *nrhs, const void *a, const int *lda,
                      const int *ipiv, void *b, const int *ldb, int *info, size_t);
typedef void getri_fn(const int *n, void *a, const int *lda, const int *ipiv, void *work, const int *lwork,
                      int *info);
typedef void potrf_fn(const char *uplo, const int *n, void *a, const int *lda, int *info, size_t);
typedef void potrs_fn(const char *uplo, const int *n, const int *nrhs, const void *a, const int *lda, void *b,
                      const int *ldb, int *info, size_t);
typedef void trtri_fn(const char *uplo, const char *diag, const int *n, void *a, const int *lda, int *info,
                      size_t, size_t);
typedef void sytrf_fn(const char *uplo, const int *n, void *a, const int *lda, int *ipiv, void *work,
                      const int *lwork, int *info, size_t);
typedef void sytri_fn(const char *uplo, const int *n, void *a, const int *lda, const int *ipiv, void *work,
                      int *info, size_t);
typedef void syev_fn(const char *jobz, const char *uplo, const int *n, void *a, const int *lda, void *w,
                     void *work, const int *lwork, int *info, size_t, size_t);
typedef void sygv_fn(const int *itype, const char *jobz, const char *uplo, const int *n, void *a,
                     const int *lda, void *b, const int *ldb, void *w, void *work, const int *lwork,
                     int *info, size_t, size_t);
typedef void heev_fn(const char *jobz, const char *uplo, const int *n, void *a, const int *lda, void *w,
                     void *work, const int *lwork, void *rwork, int *info, size_t, size_t);
typedef void hegv_fn(const int *itype, const char *jobz, const char *uplo, const int *n, void *a,
                     const int *lda, void *b, const int *ldb, void *w, void *work, const int *lwork,
                     void *rwork, int *info, size_t, size_t);

extern getrf_fn sgetrf_, dgetrf_, cgetrf_, zgetrf_;
extern getrs_fn sgetrs_, dgetrs_, cgetrs_, zgetrs_;
extern getri_fn sgetri_, dgetri_, cgetri_, zgetri_;
extern potrf_fn spotrf_, dpotrf_, cpotrf_, zpotrf_;
extern potrs_fn spotrs_, dpotrs_, cpotrs_, zpotrs_;
extern trtri_fn strtri_, dtrtri_;
extern sytrf_fn ssytrf_, dsytrf_;
extern sytri_fn ssytri_, dsytri_;
extern syev_fn  ssyev_, dsyev_;
extern sygv_fn  ssygv_, dsygv_;
extern heev_fn  cheev_, zheev_;
extern hegv_fn  chegv_, zhegv_;

const bf_lapack bf_lapack_of[4] = {
    [BF_S] = {.getrf = sgetrf_,
              .getrs = sgetrs_,
              .getri = sgetri_,
              .potrf = spotrf_,
              .potrs = spotrs_,
              .trtri = strtri_,
              .sytrf = ssytrf_,
              .sytri = ssytri_,
              .syev  = ssyev_,
              .sygv  = ssygv_},
    [BF_D] = {.getrf = dgetrf_,
              .getrs = dgetrs_,
              .getri = dgetri_,
              .potrf = dpotrf_,
              .potrs = dpotrs_,
              .trtri = dtrtri_,
              .sytrf = dsytrf_,
              .sytri = dsytri_,
              .syev  = dsyev_,
              .sygv  = dsygv_},
    [BF_C] = {.getrf = cgetrf_,
              .getrs = cgetrs_,
              .getri = cgetri_,
              .potrf = cpotrf_,
              .potrs = cpotrs_,
              .heev  = cheev_,
              .hegv  = chegv_},
    [BF_Z] = {.getrf = zgetrf_,
              .getrs = zgetrs_,
              .getri = zgetri_,
              .potrf = zpotrf_,
              .potrs = zpotrs_,
              .heev  = zheev_,
              .hegv  = zhegv_},
};
