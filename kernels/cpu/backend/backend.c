/* kernels/cpu/backend/backend.c - the CPU backend: its table, memory and description */
/* SPDX-License-Identifier: BSD-3-Clause */
#define _DEFAULT_SOURCE /* madvise */
#include "base/host.h"
#include "base/memory.h"
#include "kernels/cpu/backend/cpu.h"
#include "kernels/cpu/dense/blas.h"
#include "kernels/cpu/sparse/bdia_spmv_half.h"
#include "kernels/matrix/host_copy.h"
#include <omp.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
  ALIGN = 256,
  HUGE  = BF_HUGE_PAGE,
  LARGE = BF_LARGE_BLOCK /* from which huge pages are asked for */
};

typedef struct cpu_impl {
  double *scratch; /* owned */
  int64_t count;
} cpu_impl;

static bf_err cpu_open(bf_backend *be)
{
  cpu_impl *impl = NULL;
  BF_TRY(BF_NEW(impl));
  be->impl = impl;
  return BF_OK;
}

static void cpu_close(bf_backend *be)
{
  cpu_impl *impl = be->impl;
  if (impl) bf_host_free(impl->scratch);
  bf_host_free(impl);
  be->impl = NULL;
}

bf_err bf_cpu_scratch(bf_backend *be, int64_t count, double **p)
{
  cpu_impl *impl = be->impl;
  if (count > impl->count) {
    bf_host_free(impl->scratch);
    impl->count = 0;
    BF_TRY(BF_NEW_ARRAY(impl->scratch, count));
    impl->count = count;
  }
  *p = impl->scratch;
  return BF_OK;
}

/* A block of the host's allocator, moved up to a multiple of 256; its start is kept just before.  A large one
 * is moved to a multiple of a huge page and ends at one, and the system is asked for such pages: fewer to
 * look up where dozens of diagonals are read side by side, and no two of them in the same sets of the cache.
 */
static bf_err cpu_alloc(bf_backend *be, size_t bytes, void **p)
{
  (void)be;
  *p                = NULL;
  const size_t unit = bytes >= LARGE ? HUGE : ALIGN;
  BF_CHECK(bytes <= SIZE_MAX - 3 * HUGE, BF_E_MEMORY, "%zu bytes", bytes);
  const size_t size = (bytes + unit - 1) / unit * unit;
  char        *raw  = bf_host_alloc(size + 2 * unit, 1);
  BF_CHECK(raw, BF_E_MEMORY, "no memory for %zu bytes", bytes);
  char *q = (char *)(((uintptr_t)raw + 2 * unit - 1) & ~(uintptr_t)(unit - 1));
  memcpy(q - sizeof raw, &raw, sizeof raw);
  if (bytes >= LARGE) madvise(q, size, MADV_HUGEPAGE);
  *p = q;
  return BF_OK;
}

static void cpu_release(bf_backend *be, void *p)
{
  (void)be;
  char *raw = NULL;
  if (p) memcpy(&raw, (char *)p - sizeof raw, sizeof raw);
  bf_host_free(raw);
}

static bf_err cpu_copy(bf_backend *be, void *dst, const void *src, size_t bytes, bf_dir dir)
{
  (void)be;
  (void)dir;
  bf_host_copy(dst, src, bytes);
  return BF_OK;
}

/* Also the first touch of most pages: by the threads that will use them. */
static bf_err cpu_zero(bf_backend *be, void *p, size_t bytes)
{
  (void)be;
  const size_t  chunk = (size_t)BF_CPU_CHUNK * sizeof(double);
  const int64_t n     = (int64_t)((bytes + chunk - 1) / chunk);
#pragma omp parallel for schedule(static) if (n > 4)
  for (int64_t c = 0; c < n; c++) {
    const size_t at = (size_t)c * chunk;
    memset((char *)p + at, 0, bytes - at < chunk ? bytes - at : chunk);
  }
  return BF_OK;
}

static bf_err cpu_sync(bf_backend *be)
{
  (void)be;
  return BF_OK;
}

static bf_err cpu_memory(bf_backend *be, size_t *available, size_t *total)
{
  (void)be;
  const long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
  *available = bf_memory_available();
  *total     = pages > 0 && page > 0 ? (size_t)pages * (size_t)page : 0;
  return BF_OK;
}

static void cpu_properties(bf_backend *be, bf_properties *p)
{
  (void)be;
  *p = (bf_properties){.threads = omp_get_max_threads()};
  bf_host_processor(p->name, sizeof p->name);
}

static void cpu_describe(bf_backend *be, char *text, size_t size)
{
  bf_properties p;
  cpu_properties(be, &p);
  snprintf(text, size, "%s, %d thread%s", p.name, p.threads, p.threads == 1 ? "" : "s");
}

#define BF_CPU_PART(part) &bf_cpu_##part##_part,
extern const struct bf_mg_cycle_ops     bf_cpu_mg_cycle;
extern const struct bf_mg_plane_ops     bf_cpu_mg_planes;
extern const struct bf_mg_aggregate_ops bf_cpu_mg_aggregates;

extern const bf_ops bf_ops_cpu; /* known to backend.c only */
const bf_ops        bf_ops_cpu = {
           .name       = "cpu",
           .on_device  = 0,
           .open       = cpu_open,
           .close      = cpu_close,
           .alloc      = cpu_alloc,
           .release    = cpu_release,
           .copy       = cpu_copy,
           .zero       = cpu_zero,
           .sync       = cpu_sync,
           .memory     = cpu_memory,
           .describe   = cpu_describe,
           .properties = cpu_properties,
           .vector =
               {
                   .axpby           = bf_cpu_axpby,
                   .dot             = bf_cpu_dot_op,
                   .reciprocal      = bf_cpu_reciprocal,
                   .constrain_rhs   = bf_cpu_constrain_rhs,
                   .demote          = bf_cpu_demote,
                   .triad           = bf_cpu_triad,
                   .columns_dot     = bf_cpu_columns_dot,
                   .columns_combine = bf_cpu_columns_combine,
                   .columns_scale   = bf_cpu_columns_scale,
                   .scatter         = bf_cpu_vector_scatter,
        },
           .matrix =
               {
                   .bdia_tile  = bf_cpu_bdia_layout,
                   .csr_expand = bf_cpu_csr_expand,
        },
           .part = {BF_PART_LIST(BF_CPU_PART)},
           .convert =
               {
                   .dense_transpose = bf_cpu_dense_transpose,
                   .csr_transpose   = bf_cpu_csr_transpose,
                   .coo_sort        = bf_cpu_coo_sort,
                   .coo_to_csr      = bf_cpu_coo_to_csr,
        },
           .precond =
               {
                   .blocks_measure = bf_cpu_blocks_measure,
                   .blocks_store   = bf_cpu_blocks_store,
                   .blocks_apply   = bf_cpu_blocks_apply,
        },
           .element =
               {
                   .matrix      = bf_cpu_element_matrix,
                   .source      = bf_cpu_element_source,
                   .force       = bf_cpu_element_force,
                   .stress      = bf_cpu_element_stress,
                   .schur       = bf_cpu_schur,
                   .schur_force = bf_cpu_schur_force,
                   .lump        = bf_cpu_element_lump,
                   .pencil      = bf_cpu_element_pencil,
                   .rotate      = bf_cpu_element_rotate,
                   .incidence   = bf_cpu_incidence,
        },
           .gfem =
               {
                   .support = bf_cpu_gfem_support,
                   .matrix  = bf_cpu_gfem_matrix,
                   .source  = bf_cpu_gfem_source,
        },
           .batch =
               {
                   .work    = bf_cpu_batch_work,
                   .getrf   = bf_cpu_getrf_batch,
                   .getrs   = bf_cpu_getrs_batch,
                   .getri   = bf_cpu_getri_batch,
                   .inverse = bf_cpu_inverse_batch,
                   .potrf   = bf_cpu_potrf_batch,
                   .potrs   = bf_cpu_potrs_batch,
                   .posv    = bf_cpu_posv_batch,
                   .gemv    = bf_cpu_gemv_batch,
                   .symv    = bf_cpu_symv_batch,
                   .heev    = bf_cpu_heev_batch,
                   .hegv    = bf_cpu_hegv_batch,
        },
           .band =
               {
                   .factor  = bf_cpu_band_factor,
                   .solve   = bf_cpu_band_solve,
                   .inertia = bf_cpu_band_inertia,
        },
           .krylov =
               {
                   .cg_begin        = bf_cpu_cg_begin,
                   .cg_move         = bf_cpu_cg_move,
                   .cg_open         = bf_cpu_cg_open,
                   .cg_update       = bf_cpu_cg_update,
                   .cg_direction    = bf_cpu_cg_direction,
                   .bicg_begin      = bf_cpu_bicg_begin,
                   .bicg_update     = bf_cpu_bicg_update,
                   .bicg_direction  = bf_cpu_bicg_direction,
                   .bicgstab_begin  = bf_cpu_bicgstab_begin,
                   .bicgstab_middle = bf_cpu_bicgstab_middle,
                   .bicgstab_move   = bf_cpu_bicgstab_move,
        },
           .dense         = &bf_cpu_dense,
           .mg_cycle      = &bf_cpu_mg_cycle,
           .mg_planes     = &bf_cpu_mg_planes,
           .mg_aggregates = &bf_cpu_mg_aggregates,
};
