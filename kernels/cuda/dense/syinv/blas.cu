/* kernels/cuda/dense/syinv/blas.cu - the device's operations on one large dense matrix: the table, products
 * by cuBLAS
 *
 * The handle is created by the first product and destroyed with the backend.  Its sums have a fixed order:
 * one stream, no atomics.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cuda/dense/syinv/blas.cuh"
#include <cublas_v2.h>
#include <dlfcn.h>
#include <new>

namespace bf
{

/* What is called of cuBLAS.  The library is loaded by the first product: linked, it costs every process 0.1
 * s. */
#define CUBLAS_FUNCTIONS(F)                                                                                  \
  F(cublasCreate)                                                                                            \
  F(cublasDestroy)                                                                                           \
  F(cublasSetStream)                                                                                         \
  F(cublasSetMathMode)                                                                                       \
  F(cublasSgemm)                                                                                             \
  F(cublasDgemm)                                                                                             \
  F(cublasSsyrk)                                                                                             \
  F(cublasDsyrk)                                                                                             \
  F(cublasSsyrkx)                                                                                            \
  F(cublasDsyrkx)                                                                                            \
  F(cublasSsymm)                                                                                             \
  F(cublasDsymm)                                                                                             \
  F(cublasStrsm)                                                                                             \
  F(cublasDtrsm)

#define CUBLAS_MEMBER(name) decltype(&::name) name;
#define CUBLAS_TEXT(x)      #x
#define CUBLAS_NAME(x)      CUBLAS_TEXT(x)

struct bf_cuda_blas {
  void          *library; /* of dlopen */
  cublasHandle_t handle;
  cudaStream_t   side;
  cudaEvent_t    event;
  bool           aside; /* calls are queued on `side` */
  bool           apart; /* the backend's stream has not waited for `side` */
  bool           emulated;
  CUBLAS_FUNCTIONS(CUBLAS_MEMBER)
#if CUBLAS_VER_MAJOR >= 13
  cublasStatus_t (*cublasSetEmulationStrategy)(cublasHandle_t, cublasEmulationStrategy_t);
#endif
};

/* Multiprocessors that products on the backend's stream leave to the second; fewer where an update takes far
 * longer than the leaves of a panel. */
enum { RESERVED = 8, RESERVED_LARGE = 12288 };

static bf_err blas_status(cublasStatus_t s, const char *call, const char *func, const char *file, int line)
{
  if (s == CUBLAS_STATUS_SUCCESS) return BF_OK;
  return bf_err_raise(s == CUBLAS_STATUS_ALLOC_FAILED ? BF_E_MEMORY : BF_E_DEVICE, func, file, line,
                      "%s: status %d of cuBLAS", call, (int)s);
}
#define BLAS(call) blas_status((call), #call, __func__, __FILE__, __LINE__)

static const bf_cuda_blas &lib(const bf_backend *be)
{
  return *bf_cuda_of(be)->blas;
}

static bf_err load(bf_cuda_blas *b)
{
  const char *name = "libcublas.so." CUBLAS_NAME(CUBLAS_VER_MAJOR);
  b->library       = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  BF_CHECK(b->library, BF_E_UNSUPPORTED, "the inverse of a large symmetric matrix needs cuBLAS: %s",
           dlerror());
#define CUBLAS_LOAD(name)                                                                                    \
  *(void **)&b->name = dlsym(b->library, CUBLAS_NAME(name));                                                 \
  BF_CHECK(b->name, BF_E_UNSUPPORTED, "cuBLAS has no function %s", CUBLAS_NAME(name));
  CUBLAS_FUNCTIONS(CUBLAS_LOAD)
#if CUBLAS_VER_MAJOR >= 13
  CUBLAS_LOAD(cublasSetEmulationStrategy)
#endif
  return BF_OK;
}

static void destroy(bf_cuda_blas *b)
{
  if (b->handle) b->cublasDestroy(b->handle);
  if (b->event) cudaEventDestroy(b->event);
  if (b->side) cudaStreamDestroy(b->side);
  if (b->library) dlclose(b->library);
  delete b;
}

void bf_cuda_dense_close(bf_backend *be)
{
  bf_cuda *cu = bf_cuda_of(be);
  if (!cu->blas) return;
  destroy(cu->blas);
  cu->blas = NULL;
}

static bf_err create(bf_cuda_blas *b)
{
  int least, greatest;
  BF_TRY(BF_CUDA(cudaDeviceGetStreamPriorityRange(&least, &greatest)));
  BF_TRY(BF_CUDA(cudaStreamCreateWithPriority(&b->side, cudaStreamNonBlocking, greatest)));
  return BF_CUDA(cudaEventCreateWithFlags(&b->event, cudaEventDisableTiming));
}

static bf_err dense_open(bf_backend *be)
{
  bf_cuda *cu = bf_cuda_of(be);
  if (cu->blas) return BF_OK;
  bf_cuda_blas *b = new (std::nothrow) bf_cuda_blas();
  BF_CHECK(b, BF_E_MEMORY, "no memory for the streams of dense matrices");
  const bf_err err = create(b);
  if (err == BF_OK)
    cu->blas = b;
  else
    destroy(b);
  return err;
}

/* The library and the handle, by the first call: 80 ms, which the inverse of a definite matrix does not need.
 */
static bf_err need_handle(bf_backend *be)
{
  bf_cuda_blas *b = bf_cuda_of(be)->blas;
  if (b->handle) return BF_OK;
  BF_TRY(load(b));
  BF_TRY(BLAS(b->cublasCreate(&b->handle)));
  return BLAS(b->cublasSetStream(b->handle, bf_cuda_of(be)->stream));
}

cudaStream_t bf_cuda_dense_stream(const bf_backend *be)
{
  return lib(be).aside ? lib(be).side : bf_cuda_of(be)->stream;
}

bool bf_cuda_dense_emulated(const bf_backend *be, bf_scalar type)
{
  return lib(be).emulated && type == BF_D;
}

int bf_cuda_dense_sms(const bf_backend *be, bf_int n)
{
  const int sms = bf_cuda_of(be)->sms, reserved = n < RESERVED_LARGE ? RESERVED : RESERVED / 4;
  return !lib(be).aside && lib(be).apart && sms > 2 * reserved ? sms - reserved : sms;
}

static bf_err queue(bf_backend *be, bf_dense_queue where)
{
  bf_cuda           *cu   = bf_cuda_of(be);
  bf_cuda_blas      *b    = cu->blas;
  const cudaStream_t from = where == BF_DENSE_SIDE ? cu->stream : b->side;
  if (b->emulated) return BF_OK; /* the handle has one stream */
  b->aside = where == BF_DENSE_SIDE;
  if (where == BF_DENSE_MAIN || (where == BF_DENSE_JOIN && !b->apart)) return BF_OK;
  b->apart = where == BF_DENSE_SIDE;
  BF_TRY(BF_CUDA(cudaEventRecord(b->event, from)));
  return BF_CUDA(cudaStreamWaitEvent(b->apart ? b->side : cu->stream, b->event, 0));
}

static bf_err emulate(bf_backend *be, int on)
{
#if CUBLAS_VER_MAJOR >= 13
  if (!on && !lib(be).emulated) return BF_OK;
  BF_TRY(need_handle(be));
  bf_cuda_of(be)->blas->emulated = on;
  if (!on) return BLAS(lib(be).cublasSetMathMode(lib(be).handle, CUBLAS_DEFAULT_MATH));
  BF_TRY(BLAS(lib(be).cublasSetEmulationStrategy(lib(be).handle, CUBLAS_EMULATION_STRATEGY_EAGER)));
  return BLAS(lib(be).cublasSetMathMode(lib(be).handle, CUBLAS_FP64_EMULATED_FIXEDPOINT_MATH));
#else
  return on ? bf_unsupported(be, "emulated fp64 products") : BF_OK;
#endif
}

static cublasOperation_t operation(bf_trans t)
{
  return t == BF_NO_TRANS ? CUBLAS_OP_N : CUBLAS_OP_T;
}

bf_err bf_cuda_dense_gemm(bf_backend *be, bf_scalar type, bf_trans ta, bf_trans tb, bf_int m, bf_int n,
                          bf_int k, double alpha, const void *A, bf_int lda, const void *B, bf_int ldb,
                          double beta, void *C, bf_int ldc)
{
  const float a = (float)alpha, b = (float)beta;
  BF_TRY(need_handle(be));
  if (type == BF_S)
    return BLAS(lib(be).cublasSgemm(lib(be).handle, operation(ta), operation(tb), m, n, k, &a,
                                    (const float *)A, lda, (const float *)B, ldb, &b, (float *)C, ldc));
  return BLAS(lib(be).cublasDgemm(lib(be).handle, operation(ta), operation(tb), m, n, k, &alpha,
                                  (const double *)A, lda, (const double *)B, ldb, &beta, (double *)C, ldc));
}

/* C -= A B^T of the lower triangle */
static bf_err triangle(bf_backend *be, bf_int n, bf_int k, const double *A, const double *B, bf_int ld,
                       double *C, bf_int ldc)
{
  const double minus = -1.0, one = 1.0;
  if (A == B)
    return BLAS(lib(be).cublasDsyrk(lib(be).handle, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, n, k, &minus, A, ld,
                                    &one, C, ldc));
  return BLAS(lib(be).cublasDsyrkx(lib(be).handle, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, n, k, &minus, A, ld,
                                   B, ld, &one, C, ldc));
}
static bf_err triangle(bf_backend *be, bf_int n, bf_int k, const float *A, const float *B, bf_int ld,
                       float *C, bf_int ldc)
{
  const float minus = -1.0f, one = 1.0f;
  if (A == B)
    return BLAS(lib(be).cublasSsyrk(lib(be).handle, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, n, k, &minus, A, ld,
                                    &one, C, ldc));
  return BLAS(lib(be).cublasSsyrkx(lib(be).handle, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, n, k, &minus, A, ld,
                                   B, ld, &one, C, ldc));
}

/* Columns of a strip of the symmetric product, for orders from STRIP_FROM on; H200, 2026-11-23, n = 16000:
 * 109 ms, whole 119 ms; n = 8000: no gain. */
enum { STRIP = 2048, STRIP_FROM = 12288 };

bf_err bf_cuda_dense_syrkx_blas(bf_backend *be, bf_scalar type, bf_int n, bf_int k, bf_dense_block skip,
                                const void *A, const void *B, bf_int ld, void *C, bf_int ldc)
{
  const bf_int s0 = skip.k0, s1 = skip.k0 + skip.m;
  BF_TRY(need_handle(be));
  return dense_by_type(type, [&](auto zero) {
    using T    = decltype(zero);
    const T *a = (const T *)A, *b = (const T *)B;
    if (n < STRIP_FROM) return triangle(be, n, k, a, b, ld, (T *)C, ldc);
    const auto rows = [&](bf_int i0, bf_int i1, bf_int j, bf_int m) {
      if (i1 <= i0) return BF_OK;
      return bf_cuda_dense_gemm(be, type, BF_NO_TRANS, BF_TRANS, i1 - i0, m, k, -1.0, a + i0, ld, b + j, ld,
                                1.0, dense_at((T *)C, ldc, i0, j), ldc);
    };
    for (bf_int j = 0, end; j < n; j = end) {
      end = n - j < STRIP ? n : j + STRIP;
      if (j < s1 && end > s0) end = j < s0 ? s0 : s1;
      if (j >= s0 && j < s1) continue;
      BF_TRY(triangle(be, end - j, k, a + j, b + j, ld, dense_at((T *)C, ldc, j, j), ldc));
      BF_TRY(rows(end, j < s0 ? s0 : n, j, end - j));
      if (j < s0) BF_TRY(rows(s1, n, j, end - j));
    }
    return BF_OK;
  });
}

static bf_err symm(bf_backend *be, bf_scalar type, bf_int n, bf_int m, const void *A, bf_int lda,
                   const void *B, bf_int ldb, void *C, bf_int ldc)
{
  const float  fminus = -1.0f, fzero = 0.0f;
  const double minus = -1.0, zero = 0.0;
  BF_TRY(need_handle(be));
  if (type == BF_S)
    return BLAS(lib(be).cublasSsymm(lib(be).handle, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, n, m, &fminus,
                                    (const float *)A, lda, (const float *)B, ldb, &fzero, (float *)C, ldc));
  return BLAS(lib(be).cublasDsymm(lib(be).handle, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, n, m, &minus,
                                  (const double *)A, lda, (const double *)B, ldb, &zero, (double *)C, ldc));
}

bf_err bf_cuda_dense_trsm(bf_backend *be, bf_scalar type, bool lower, bf_int m, bf_int n, const void *A,
                          bf_int lda, void *X, bf_int ldx)
{
  const float            fone = 1.0f;
  const double           one  = 1.0;
  const cublasFillMode_t half = lower ? CUBLAS_FILL_MODE_LOWER : CUBLAS_FILL_MODE_UPPER;
  const cublasDiagType_t unit = lower ? CUBLAS_DIAG_UNIT : CUBLAS_DIAG_NON_UNIT;
  BF_TRY(need_handle(be));
  if (type == BF_S)
    return BLAS(lib(be).cublasStrsm(lib(be).handle, CUBLAS_SIDE_LEFT, half, CUBLAS_OP_N, unit, m, n, &fone,
                                    (const float *)A, lda, (float *)X, ldx));
  return BLAS(lib(be).cublasDtrsm(lib(be).handle, CUBLAS_SIDE_LEFT, half, CUBLAS_OP_N, unit, m, n, &one,
                                  (const double *)A, lda, (double *)X, ldx));
}

extern "C" {
extern const bf_dense_ops bf_cuda_dense;
const bf_dense_ops        bf_cuda_dense = {dense_open,
                                           emulate,
                                           bf_cuda_dense_gemm,
                                           bf_cuda_dense_syrkx,
                                           symm,
                                           bf_cuda_dense_gather,
                                           bf_cuda_dense_clear,
                                           bf_cuda_dense_definite,
                                           bf_cuda_dense_lower,
                                           bf_cuda_dense_factor,
                                           bf_cuda_dense_advance,
                                           bf_cuda_dense_sweep,
                                           queue,
                                           bf_cuda_dense_take,
                                           bf_cuda_dense_mirror,
                                           bf_cuda_dense_norms,
                                           bf_cuda_dense_signs,
                                           bf_cuda_dense_shift,
                                           bf_cuda_dense_corrected,
                                           bf_cuda_dense_pivoted,
                                           bf_cuda_dense_pivoted_bytes,
                                           bf_cuda_dense_border};
}

} // namespace bf
