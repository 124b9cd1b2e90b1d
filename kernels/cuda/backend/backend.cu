/* kernels/cuda/backend/backend.cu - the CUDA backend: device, copies, errors, table of operations
 *
 * Computes   nothing; opens device 0 of those visible to CUDA (CUDA_VISIBLE_DEVICES). All work on one stream,
 *            memory by memory.cu. BF_CUDA_SYNC=1 in the environment synchronises after every launch.
 * Checked    tests/kernels/backend/t300_backend.c.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cuda/device/launch_and_reduce.cuh"
#include <new>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

namespace bf
{

bf_err bf_cuda_status(cudaError_t code, const char *call, const char *func, const char *file, int line)
{
  if (code == cudaSuccess) return BF_OK;
  cudaGetLastError(); /* clears it, unless the context is lost */
  return bf_err_raise(code == cudaErrorMemoryAllocation ? BF_E_MEMORY : BF_E_DEVICE, func, file, line,
                      "%s: %s (%s)", call, cudaGetErrorString(code), cudaGetErrorName(code));
}

bf_err bf_cuda_launched(bf_backend *be, const char *func, const char *file, int line)
{
  const bf_cuda *cu   = bf_cuda_of(be);
  cudaError_t    code = cudaGetLastError();
  if (code == cudaSuccess && cu->wait) code = cudaStreamSynchronize(cu->stream);
  return bf_cuda_status(code, "kernel", func, file, line);
}

/* Whether there is machine code for this device */
static __global__ void probe(int *p)
{
  *p = 0;
}

/* Devices of unsupported capability are rejected first. */
static bf_err check_device(int device)
{
  static const int built[] = {__CUDA_ARCH_LIST__}; /* 900, .. */
  int              least   = built[0];
  cudaDeviceProp   prop;
  for (size_t k = 1; k < sizeof built / sizeof *built; k++) least = built[k] < least ? built[k] : least;
  BF_TRY(BF_CUDA(cudaGetDeviceProperties(&prop, device)));
  return bf_device_capable(prop.name, 10 * prop.major + prop.minor, least / 10);
}

static bf_err find_device(int *device, int *sms)
{
  int count = 0, driver = 0;
  cudaDriverGetVersion(&driver);
  BF_CHECK(driver > 0, BF_E_DEVICE, "no CUDA driver on this machine");
  BF_TRY(BF_CUDA(cudaGetDeviceCount(&count)));
  BF_CHECK(count > 0, BF_E_DEVICE, "no CUDA device on this machine");
  *device = 0;
  BF_TRY(check_device(*device));
  BF_TRY(BF_CUDA(cudaSetDevice(*device)));
  BF_TRY(BF_CUDA(cudaDeviceGetAttribute(sms, cudaDevAttrMultiProcessorCount, *device)));
  cudaFuncAttributes attributes;
  BF_TRY(BF_CUDA(cudaFuncGetAttributes(&attributes, probe)));
  return BF_OK;
}

BF_CUDA_DECLARE(close, close);
void bf_cuda_close(bf_backend *be)
{
  bf_cuda *cu = bf_cuda_of(be);
  if (!cu) return;
  cudaFree(cu->violation);
  cudaFree(cu->ticket);
  cudaFree(cu->sequence);
  if (cu->graph) cudaGraphExecDestroy(cu->graph);
  bf_cuda_transfer_close(be);
#ifdef BF_WITH_CUBLAS
  bf_cuda_dense_close(be);
#endif
  if (cu->stream) bf_cuda_memory_close(be);
  if (cu->stream) cudaStreamDestroy(cu->stream);
  delete cu;
  be->impl = NULL;
}

static bf_err open_stream(bf_backend *be, bf_cuda *cu)
{
  const char *wait = getenv("BF_CUDA_SYNC");
  cu->wait         = wait && strcmp(wait, "1") == 0;
  BF_TRY(find_device(&cu->device, &cu->sms));
  BF_TRY(BF_CUDA(cudaStreamCreateWithFlags(&cu->stream, cudaStreamNonBlocking)));
  BF_TRY(bf_cuda_memory_open(be));
  BF_TRY(BF_CUDA(cudaMalloc(&cu->violation, sizeof *cu->violation)));
  BF_TRY(BF_CUDA(cudaMalloc(&cu->ticket, sizeof *cu->ticket)));
  BF_TRY(BF_CUDA(cudaMemsetAsync(cu->ticket, 0, sizeof *cu->ticket, cu->stream)));
  BF_TRY(BF_CUDA(cudaMalloc(&cu->sequence, sizeof *cu->sequence)));
  BF_TRY(BF_CUDA(cudaMemsetAsync(cu->sequence, 0, sizeof *cu->sequence, cu->stream)));
  BF_TRY(bf_cuda_transfer_open(be));
  probe<<<1, 1, 0, cu->stream>>>(cu->violation);
  BF_TRY(BF_CUDA_LAUNCHED(be));
  return BF_CUDA(cudaStreamSynchronize(cu->stream));
}

static bf_err cuda_open(bf_backend *be)
{
  bf_cuda *cu = new (std::nothrow) bf_cuda();
  BF_CHECK(cu, BF_E_MEMORY, "no memory for the CUDA backend");
  be->impl         = cu;
  const bf_err err = open_stream(be, cu);
  if (err != BF_OK) bf_cuda_close(be);
  return err;
}

/* Waits, and reports violations of the scatters since the last synchronisation. */
static bf_err cuda_sync(bf_backend *be)
{
  bf_cuda *cu = bf_cuda_of(be);
  if (!cu->watch) return BF_CUDA(cudaStreamSynchronize(cu->stream));
  int violation = 0;
  BF_TRY(BF_CUDA(
      cudaMemcpyAsync(&violation, cu->violation, sizeof violation, cudaMemcpyDeviceToHost, cu->stream)));
  BF_TRY(BF_CUDA(cudaStreamSynchronize(cu->stream)));
  cu->watch = false;
  if (!violation) return BF_OK;
  BF_TRY(BF_CUDA(cudaMemsetAsync(cu->violation, 0, sizeof *cu->violation, cu->stream)));
  return BF_FAIL(BF_E_ARG,
                 "a row or column is outside the matrix, or an element's entry outside its pattern");
}

static bf_err cuda_copy(bf_backend *be, void *dst, const void *src, size_t bytes, bf_dir dir)
{
  BF_TRY(bf_cuda_transfer(be, dst, src, bytes, dir));
  return dir == BF_TO_HOST ? cuda_sync(be) : BF_OK;
}

static bf_err cuda_zero(bf_backend *be, void *p, size_t bytes)
{
  return bytes == 0 ? BF_OK : BF_CUDA(cudaMemsetAsync(p, 0, bytes, bf_cuda_of(be)->stream));
}

static void cuda_describe(bf_backend *be, char *text, size_t size)
{
  cudaDeviceProp prop;
  int            driver = 0, runtime = 0;
  cudaDriverGetVersion(&driver);
  cudaRuntimeGetVersion(&runtime);
  if (cudaGetDeviceProperties(&prop, bf_cuda_of(be)->device) != cudaSuccess)
    snprintf(text, size, "CUDA device");
  else
    snprintf(text, size, "%s, %d SM, %.1f GB, compute capability %d.%d, CUDA %d.%d (driver %d.%d)", prop.name,
             prop.multiProcessorCount, (double)prop.totalGlobalMem * 1e-9, prop.major, prop.minor,
             runtime / 1000, runtime % 1000 / 10, driver / 1000, driver % 1000 / 10);
}

/* The product of both attributes, or 0 if one is not known */
static double attributes(int device, cudaDeviceAttr a, cudaDeviceAttr b)
{
  int x = 0, y = 0;
  if (cudaDeviceGetAttribute(&x, a, device) == cudaSuccess &&
      cudaDeviceGetAttribute(&y, b, device) == cudaSuccess)
    return (double)x * (double)y;
  cudaGetLastError(); /* clears it */
  return 0.0;
}

/* Two transfers per clock, as GDDR and HBM; clock in kHz, bus width in bits */
static void cuda_properties(bf_backend *be, bf_properties *p)
{
  const int      device = bf_cuda_of(be)->device;
  cudaDeviceProp prop;
  *p = {};
  if (cudaGetDeviceProperties(&prop, device) == cudaSuccess) {
    snprintf(p->name, sizeof p->name, "%.127s", prop.name);
    p->capability = 10 * prop.major + prop.minor;
  }
  p->threads =
      (int)attributes(device, cudaDevAttrMultiProcessorCount, cudaDevAttrMaxThreadsPerMultiProcessor);
  p->bandwidth =
      2.0 * 1e3 / 8.0 * attributes(device, cudaDevAttrMemoryClockRate, cudaDevAttrGlobalMemoryBusWidth);
}

BF_CUDA_DECLARE(alloc, alloc);
BF_CUDA_DECLARE(release, release);
BF_CUDA_DECLARE(memory, memory);
BF_CUDA_DECLARE(vector.axpby, axpby);
BF_CUDA_DECLARE(vector.dot, dot);
BF_CUDA_DECLARE(vector.reciprocal, reciprocal);
BF_CUDA_DECLARE(vector.constrain_rhs, constrain_rhs);
BF_CUDA_DECLARE(vector.demote, demote);
BF_CUDA_DECLARE(vector.triad, triad);
BF_CUDA_DECLARE(vector.columns_dot, columns_dot);
BF_CUDA_DECLARE(vector.columns_combine, columns_combine);
BF_CUDA_DECLARE(vector.columns_scale, columns_scale);
BF_CUDA_DECLARE(matrix.csr_expand, csr_expand);
BF_CUDA_DECLARE(convert.dense_transpose, dense_transpose);
BF_CUDA_DECLARE(convert.csr_transpose, csr_transpose);
BF_CUDA_DECLARE(convert.coo_sort, coo_sort);
BF_CUDA_DECLARE(convert.coo_to_csr, coo_to_csr);
BF_CUDA_DECLARE(element.matrix, element_matrix);
BF_CUDA_DECLARE(element.source, element_source);
BF_CUDA_DECLARE(element.force, element_force);
BF_CUDA_DECLARE(element.stress, element_stress);
BF_CUDA_DECLARE(element.schur, schur);
BF_CUDA_DECLARE(element.schur_force, schur_force);
BF_CUDA_DECLARE(element.lump, element_lump);
BF_CUDA_DECLARE(element.pencil, element_pencil);
BF_CUDA_DECLARE(element.rotate, element_rotate);
BF_CUDA_DECLARE(element.incidence, incidence);
BF_CUDA_DECLARE(gfem.support, gfem_support);
BF_CUDA_DECLARE(gfem.matrix, gfem_matrix);
BF_CUDA_DECLARE(gfem.source, gfem_source);
BF_CUDA_DECLARE(vector.scatter, vector_scatter);
BF_CUDA_DECLARE(batch.work, batch_work);
BF_CUDA_DECLARE(batch.getrf, getrf_batch);
BF_CUDA_DECLARE(batch.getrs, getrs_batch);
BF_CUDA_DECLARE(batch.getri, getri_batch);
BF_CUDA_DECLARE(batch.inverse, inverse_batch);
BF_CUDA_DECLARE(batch.potrf, potrf_batch);
BF_CUDA_DECLARE(batch.potrs, potrs_batch);
BF_CUDA_DECLARE(batch.posv, posv_batch);
BF_CUDA_DECLARE(batch.gemv, gemv_batch);
BF_CUDA_DECLARE(batch.symv, symv_batch);
BF_CUDA_DECLARE(batch.heev, heev_batch);
BF_CUDA_DECLARE(batch.hegv, hegv_batch);
BF_CUDA_DECLARE(precond.blocks_measure, blocks_measure);
BF_CUDA_DECLARE(precond.blocks_store, blocks_store);
BF_CUDA_DECLARE(precond.blocks_apply, blocks_apply);
BF_CUDA_DECLARE(krylov.cg_begin, cg_begin);
BF_CUDA_DECLARE(krylov.cg_move, cg_move);
BF_CUDA_DECLARE(krylov.cg_open, cg_open);
BF_CUDA_DECLARE(krylov.cg_update, cg_update);
BF_CUDA_DECLARE(krylov.cg_direction, cg_direction);
BF_CUDA_DECLARE(krylov.bicg_begin, bicg_begin);
BF_CUDA_DECLARE(krylov.bicg_update, bicg_update);
BF_CUDA_DECLARE(krylov.bicg_direction, bicg_direction);
BF_CUDA_DECLARE(krylov.bicgstab_begin, bicgstab_begin);
BF_CUDA_DECLARE(krylov.bicgstab_middle, bicgstab_middle);
BF_CUDA_DECLARE(krylov.bicgstab_move, bicgstab_move);
BF_CUDA_DECLARE(krylov.cg_steps, cg_steps);
BF_CUDA_DECLARE(krylov.bicgstab_steps, bicgstab_steps);
BF_CUDA_DECLARE(krylov.bicgstab_early_alpha, bicgstab_early_alpha);

extern "C" {
#ifdef BF_WITH_CUBLAS
extern const bf_dense_ops bf_cuda_dense;
#endif
#define BF_CUDA_PART(part) extern const bf_part_ops bf_cuda_##part##_part;
BF_PART_LIST(BF_CUDA_PART)
#undef BF_CUDA_PART
#define BF_CUDA_PART(part) &bf_cuda_##part##_part,
extern const struct bf_mg_cycle_ops     bf_cuda_mg_cycle;
extern const struct bf_mg_plane_ops     bf_cuda_mg_planes;
extern const struct bf_mg_aggregate_ops bf_cuda_mg_aggregates;

extern const bf_ops bf_ops_cuda;
const bf_ops        bf_ops_cuda = {
           .name       = "cuda",
           .on_device  = 1,
           .open       = cuda_open,
           .close      = bf_cuda_close,
           .alloc      = bf_cuda_alloc,
           .release    = bf_cuda_release,
           .copy       = cuda_copy,
           .zero       = cuda_zero,
           .sync       = cuda_sync,
           .memory     = bf_cuda_memory,
           .describe   = cuda_describe,
           .properties = cuda_properties,
           .vector =
               {
                   .axpby           = bf_cuda_axpby,
                   .dot             = bf_cuda_dot,
                   .reciprocal      = bf_cuda_reciprocal,
                   .constrain_rhs   = bf_cuda_constrain_rhs,
                   .demote          = bf_cuda_demote,
                   .triad           = bf_cuda_triad,
                   .columns_dot     = bf_cuda_columns_dot,
                   .columns_combine = bf_cuda_columns_combine,
                   .columns_scale   = bf_cuda_columns_scale,
                   .scatter         = bf_cuda_vector_scatter,
        },
           .matrix =
               {
                   .csr_expand = bf_cuda_csr_expand,
        },
           .part = {BF_PART_LIST(BF_CUDA_PART)},
           .convert =
               {
                   .dense_transpose = bf_cuda_dense_transpose,
                   .csr_transpose   = bf_cuda_csr_transpose,
                   .coo_sort        = bf_cuda_coo_sort,
                   .coo_to_csr      = bf_cuda_coo_to_csr,
        },
           .precond =
               {
                   .blocks_measure = bf_cuda_blocks_measure,
                   .blocks_store   = bf_cuda_blocks_store,
                   .blocks_apply   = bf_cuda_blocks_apply,
        },
           .element =
               {
                   .matrix      = bf_cuda_element_matrix,
                   .source      = bf_cuda_element_source,
                   .force       = bf_cuda_element_force,
                   .stress      = bf_cuda_element_stress,
                   .schur       = bf_cuda_schur,
                   .schur_force = bf_cuda_schur_force,
                   .lump        = bf_cuda_element_lump,
                   .pencil      = bf_cuda_element_pencil,
                   .rotate      = bf_cuda_element_rotate,
                   .incidence   = bf_cuda_incidence,
        },
           .gfem =
               {
                   .support = bf_cuda_gfem_support,
                   .matrix  = bf_cuda_gfem_matrix,
                   .source  = bf_cuda_gfem_source,
        },
           .batch =
               {
                   .work    = bf_cuda_batch_work,
                   .getrf   = bf_cuda_getrf_batch,
                   .getrs   = bf_cuda_getrs_batch,
                   .getri   = bf_cuda_getri_batch,
                   .inverse = bf_cuda_inverse_batch,
                   .potrf   = bf_cuda_potrf_batch,
                   .potrs   = bf_cuda_potrs_batch,
                   .posv    = bf_cuda_posv_batch,
                   .gemv    = bf_cuda_gemv_batch,
                   .symv    = bf_cuda_symv_batch,
                   .heev    = bf_cuda_heev_batch,
                   .hegv    = bf_cuda_hegv_batch,
        },
           .krylov =
               {
                   .cg_begin             = bf_cuda_cg_begin,
                   .cg_move              = bf_cuda_cg_move,
                   .cg_open              = bf_cuda_cg_open,
                   .cg_update            = bf_cuda_cg_update,
                   .cg_direction         = bf_cuda_cg_direction,
                   .bicg_begin           = bf_cuda_bicg_begin,
                   .bicg_update          = bf_cuda_bicg_update,
                   .bicg_direction       = bf_cuda_bicg_direction,
                   .bicgstab_begin       = bf_cuda_bicgstab_begin,
                   .bicgstab_middle      = bf_cuda_bicgstab_middle,
                   .bicgstab_move        = bf_cuda_bicgstab_move,
                   .cg_steps             = bf_cuda_cg_steps,
                   .bicgstab_steps       = bf_cuda_bicgstab_steps,
                   .bicgstab_early_alpha = bf_cuda_bicgstab_early_alpha,
        },
#ifdef BF_WITH_CUBLAS
    .dense = &bf_cuda_dense,
#endif
    .mg_cycle      = &bf_cuda_mg_cycle,
    .mg_planes     = &bf_cuda_mg_planes,
    .mg_aggregates = &bf_cuda_mg_aggregates,
};
}

} // namespace bf
