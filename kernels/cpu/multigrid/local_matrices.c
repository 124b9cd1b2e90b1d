/* kernels/cpu/multigrid/local_matrices.c - local problems of aggregates: Neumann matrices from element
 * matrices, Schur complements from their factors
 *
 * Checked  tests/kernels/multigrid/t388_local_problem.c
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "kernels/cpu/multigrid/local.h"
#include <math.h>
#include <omp.h>
#include <string.h>

/* where[r]: places of the unknowns of element e in the matrix of aggregate a, -1 of fixed ones; their number
 */
static bf_int find_places(const bf_local_body *B, const bf_local_lists *L, bf_int a, bf_int e, bf_int *where)
{
  const int64_t begin = L->node->ptr[a];
  bf_int        order = 0;
  for (int64_t k = B->E.ptr[e]; k < B->E.ptr[e + 1]; k++) {
    const bf_int  i  = B->E.node[k];
    const int64_t at = bf_mg_own_block(L->node->ptr, L->node->col, a, i);
    for (bf_int u = B->first[i]; u < B->first[i + 1]; u++)
      where[order++] = L->rank[u] < 0 ? -1 : L->place[at < 0 ? begin : at] + L->rank[u];
  }
  return order;
}

static void regularise(const bf_local_body *B, const bf_local_lists *L, bf_int a, double shift, bf_int ld,
                       double *out)
{
  const bf_int  c = L->others[a], m = (bf_int)(L->uptr[a + 1] - L->uptr[a]);
  const bf_int *own  = L->unknown + L->uptr[a];
  double        mean = 0.0;
  for (bf_int j = 0; j < c; j++) mean += out[(int64_t)j * (ld + 1)];
  for (bf_int j = 0; j < c; j++) {
    double *d = &out[(int64_t)j * (ld + 1)];
    *d += BF_LOCAL_OTHER_RELATIVE * *d + BF_LOCAL_OTHER_MEAN * mean / c;
  }
  for (bf_int j = 0; j < c + m; j++) /* rows and columns of own unknowns */
    for (bf_int i = j > c ? j : c; i < c + m; i++) {
      const double by = B->root[own[i - c]] * (j < c ? 1.0 : B->root[own[j - c]]);
      out[(int64_t)j * ld + i] *= by;
      if (i == j) out[(int64_t)j * ld + i] += shift;
    }
}

bf_err bf_cpu_local_assemble(bf_backend *be, const bf_local_body *B, const bf_local_lists *L, double shift,
                             const bf_local_batch *C)
{
  (void)be;
  bf_err    err     = BF_OK;
  const int threads = omp_get_max_threads();
  bf_int   *places  = NULL;
  BF_GO(BF_NEW_ARRAY(places, (size_t)threads * (size_t)B->E.most));
#pragma omp parallel for schedule(dynamic, 4) num_threads(threads)
  for (bf_int b = 0; b < C->many; b++) {
    const bf_int  a     = C->which[b];
    const int64_t ld    = C->ld;
    bf_int       *where = places + (size_t)omp_get_thread_num() * (size_t)B->E.most;
    double       *out   = C->a + (int64_t)b * ld * ld;
    C->sizes[b]         = L->others[a] + (bf_int)(L->uptr[a + 1] - L->uptr[a]);
    for (bf_int j = 0; j < C->sizes[b]; j++)
      memset(out + j * ld + j, 0, (size_t)(C->sizes[b] - j) * sizeof *out);
    for (int64_t k = L->element->ptr[a]; k < L->element->ptr[a + 1]; k++) {
      const bf_int  e     = L->element->col[k];
      const bf_int  order = find_places(B, L, a, e, where);
      const double *K     = B->E.K + B->E.at[e];
      for (bf_int c = 0; c < order; c++)
        for (bf_int r = 0; where[c] >= 0 && r < order; r++)
          if (where[r] >= where[c]) out[where[c] * ld + where[r]] += K[(int64_t)c * order + r];
    }
    regularise(B, L, a, shift, C->ld, out);
  }
done:
  bf_host_free(places);
  return err;
}

bf_err bf_cpu_local_schur(bf_backend *be, const bf_local_lists *L, const bf_local_batch *C)
{
  (void)be;
  const int64_t ld = C->ld, lds = C->lds;
#pragma omp parallel for schedule(dynamic, 4)
  for (bf_int b = 0; b < C->many; b++) {
    const bf_int  a = C->which[b], c = L->others[a], m = (bf_int)(L->uptr[a + 1] - L->uptr[a]);
    const double *f = C->a + b * ld * ld + c * (ld + 1);
    double       *t = C->s + b * lds * lds;
    C->sizes[b]     = C->info[b] == 0 ? m : 0;
    if (C->info[b] != 0) continue;
    for (bf_int j = 0; j < m; j++) memset(t + j * lds, 0, (size_t)m * sizeof *t);
    for (bf_int l = 0; l < m; l++) /* column l of L_oo begins at row l */
      for (bf_int j = l; j < m; j++)
        for (bf_int i = j; i < m; i++) t[j * lds + i] += f[l * ld + i] * f[l * ld + j];
    for (bf_int j = 0; j < m; j++)
      for (bf_int i = j + 1; i < m; i++) t[i * lds + j] = t[j * lds + i];
  }
  return BF_OK;
}
