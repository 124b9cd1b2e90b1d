/* kernels/cuda/krylov/persistent_layout.cu - persistent Krylov kernels: whether a matrix fits on chip,
 * layout and launch; see persistent.cuh
 *
 * Computes   rows per block, threads per row, sizes in shared memory.
 * Source     the kernels of persistent.cuh; the choice of rows and threads is this project's.
 * Layout     persistent.cuh.
 * Cost       none on the device; on the host a few sizes per matrix.
 * Launch     one block per multiprocessor, cooperative.
 * Checked    tests/kernels/krylov/t344_fused_cg.c, t346_fused_bicgstab.c.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cuda/krylov/persistent.cuh"

namespace bf
{

enum {
  MIN_THREADS        = 512,
  MAX_THREADS        = 1024,
  ENTRIES_PER_THREAD = 8
}; /* threads of a block; entries per thread from which more threads are used */

static int round_up(int64_t n, int to)
{
  return (int)((n + to - 1) / to * to);
}

/* Bytes of shared memory */
static size_t shared_bytes(const persistent_args &g, int windows, bf_prec prec)
{
  const size_t threads      = (size_t)g.split * (size_t)g.padded;
  const int    in_registers = persistent_registers(g.threads);
  return sizeof(double) * ((size_t)windows * (size_t)window_length(g) + threads) +
         sizeof(int) * (size_t)(g.split * g.per) +
         (prec == BF_FP64 ? 8 : 4) * threads * (size_t)(g.per > in_registers ? g.per - in_registers : 0);
}

/* Fills g, chooses between the kernels of 512 and 1024 threads, and reports whether the matrix fits. */
static bf_err plan(bf_backend *be, const bf_matrix *A, int windows, const void *const kernels[2], int count,
                   persistent_args *g, const void **kernel, size_t *shared, bool *fits)
{
  const bf_cuda *cu = bf_cuda_of(be);
  const bf_bdia *B  = A->bdia;
  size_t         available;
  *g    = {};
  *fits = false;
  if ((A->format != BF_FORMAT_BDIA && A->format != BF_FORMAT_DIA) || A->nrows == 0 || B->nseg != 1 ||
      B->ndiag == 0)
    return BF_OK;
  g->n                         = A->nrows;
  g->D                         = B->ncomp;
  g->half                      = B->half;
  g->ndiag                     = B->ndiag;
  const int64_t rows_per_block = (g->n + cu->sms - 1) / cu->sms;
  if (rows_per_block > MAX_THREADS || (int64_t)B->reach * g->D > 8 * MAX_THREADS) return BF_OK;
  g->rows    = round_up(rows_per_block, 2 * g->D);
  g->padded  = round_up(g->rows, 32);
  g->reach   = (int)B->reach * g->D;
  g->entries = (g->half ? 2 * g->ndiag - 1 : g->ndiag) * g->D;
  if (g->padded > MAX_THREADS) return BF_OK;
  g->threads               = g->padded <= MIN_THREADS ? MIN_THREADS : MAX_THREADS;
  const int useful_threads = (g->entries + ENTRIES_PER_THREAD - 1) / ENTRIES_PER_THREAD;
  g->split                 = g->threads / g->padded;
  if (g->split > useful_threads) g->split = useful_threads;
  g->per    = round_up((g->entries + g->split - 1) / g->split, 4);
  g->count  = count;
  g->ld     = B->seg[0].ld;
  g->off    = B->off_be;
  g->values = static_cast<const char *>(B->values) + B->seg[0].base * (B->prec == BF_FP64 ? 8 : 4);
  *shared   = shared_bytes(*g, windows, B->prec);
  *kernel   = kernels[g->threads == MAX_THREADS];
  BF_TRY(bf_cuda_max_dynamic_shared(be, *kernel, &available));
  if (*shared > available) return BF_OK;
  BF_TRY(bf_cuda_reduce_slots(be, SUM_SLOTS + 2 * g->n, &g->reduce_slots, &g->sequence));
  *fits = true;
  return BF_OK;
}

bf_err bf_cuda_persistent_run(bf_backend *be, const bf_matrix *A, int windows,
                              const persistent_kernels kernels, bool jacobi, int count, void *work, int *done)
{
  const bool      wide      = A->bdia && A->bdia->prec == BF_FP64;
  const void     *kernel    = NULL;
  persistent_args g         = {};
  void           *params[2] = {&g, work};
  size_t          shared    = 0;
  bool            fits      = false;
  *done                     = 0;
  BF_TRY(plan(be, A, windows, kernels[wide][jacobi], count, &g, &kernel, &shared, &fits));
  if (!fits || count <= 0) return BF_OK;
  *done = count;
  return bf_cuda_launch_cooperative(be, kernel, g.threads, shared, params);
}

} // namespace bf
