/* kernels/cpu/multigrid/local_elements.c - element matrices of a level of spectral aggregates from those of
 * the level above it
 *
 *     K_a = sum of T_e^T K_e T_e
 *
 * Checked  tests/kernels/multigrid/t388_local_problem.c
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "kernels/cpu/multigrid/local.h"
#include <omp.h>
#include <string.h>

bf_err bf_cpu_local_element_sizes(bf_backend *be, const bf_block_rows *nodes, const bf_int *first,
                                  int64_t *at, int64_t *total, bf_int *most)
{
  (void)be;
  *most = 0;
  for (bf_int a = 0; a < nodes->form.nrows; a++) {
    bf_int order = 0;
    for (int64_t q = nodes->ptr[a]; q < nodes->ptr[a + 1]; q++)
      order += first[nodes->col[q] + 1] - first[nodes->col[q]];
    at[a + 1] = (int64_t)order * order;
    *most     = order > *most ? order : *most;
  }
  *total = bf_cpu_row_sums(nodes->form.nrows, at);
  return BF_OK;
}

typedef struct work { /* of a thread */
  const bf_local_body    *B;
  const bf_local_lists   *L;
  const bf_local_vectors *V;
  const bf_block_rows    *nodes;
  bf_int                 *begin; /* [nodes of a coarse element]: the first column of each */
  bf_int                 *of;    /* [unknowns of an element]: which of these nodes it belongs to; -1: none */
  const double          **z;     /* [unknowns of an element]: its entry in the first vector */
  double                 *W;     /* [unknowns of an element] */
} work;

/* Returns the order of element e. */
static bf_int describe(work *w, bf_int a, bf_int e)
{
  const bf_local_body *B     = w->B;
  bf_int               order = 0;
  for (int64_t k = B->E.ptr[e]; k < B->E.ptr[e + 1]; k++)
    for (bf_int u = B->first[B->E.node[k]]; u < B->first[B->E.node[k] + 1]; u++, order++) {
      const bf_int t = w->L->slot[u] < 0 ? -1 : w->L->owner[u];
      w->of[order]   = -1;
      if (t < 0) continue;
      w->of[order] = (bf_int)(bf_mg_own_block(w->nodes->ptr, w->nodes->col, a, t) - w->nodes->ptr[a]);
      w->z[order]  = w->V->z[t] + w->L->slot[u];
    }
  return order;
}

/* out += T_e^T K_e T_e, of order n */
static void add_element(work *w, bf_int a, bf_int e, bf_int n, double *out)
{
  const bf_int  order = describe(w, a, e);
  const double *K     = w->B->E.K + w->B->E.at[e];
  for (int64_t q = w->nodes->ptr[a]; q < w->nodes->ptr[a + 1]; q++) {
    const bf_int  own = (bf_int)(q - w->nodes->ptr[a]), t = w->nodes->col[q];
    const int64_t m = w->L->uptr[t + 1] - w->L->uptr[t];
    for (bf_int l = 0; l < w->V->k[t]; l++) {
      double *column = out + (int64_t)(w->begin[own] + l) * n;
      int     some   = 0;
      memset(w->W, 0, (size_t)order * sizeof *w->W);
      for (bf_int v = 0; v < order; v++) {
        if (w->of[v] != own) continue;
        some           = 1;
        const double z = w->z[v][l * m];
        for (bf_int u = 0; u < order; u++) w->W[u] += K[(int64_t)v * order + u] * z;
      }
      for (bf_int u = 0; some && u < order; u++) {
        if (w->of[u] < 0) continue;
        const bf_int  s = w->nodes->col[w->nodes->ptr[a] + w->of[u]];
        const int64_t h = w->L->uptr[s + 1] - w->L->uptr[s];
        for (bf_int x = 0; x < w->V->k[s]; x++) column[w->begin[w->of[u]] + x] += w->z[u][x * h] * w->W[u];
      }
    }
  }
}

static bf_err reserve(const bf_local_body *B, const bf_block_rows *nodes, work *w)
{
  int64_t most = 0;
  for (bf_int a = 0; a < nodes->form.nrows; a++)
    most = nodes->ptr[a + 1] - nodes->ptr[a] > most ? nodes->ptr[a + 1] - nodes->ptr[a] : most;
  BF_TRY(BF_NEW_ARRAY(w->begin, (size_t)most));
  BF_TRY(BF_NEW_ARRAY(w->of, (size_t)B->E.most));
  BF_TRY(BF_NEW_ARRAY(w->z, (size_t)B->E.most));
  return BF_NEW_ARRAY(w->W, (size_t)B->E.most);
}

bf_err bf_cpu_local_element_matrices(bf_backend *be, const bf_local_body *B, const bf_local_lists *L,
                                     const bf_local_vectors *V, const int64_t *ptr, const bf_int *element,
                                     const bf_block_rows *nodes, const int64_t *at, double *K)
{
  (void)be;
  bf_err    err     = BF_OK;
  const int threads = omp_get_max_threads();
  work     *all     = NULL;
  BF_GO(BF_NEW_ARRAY(all, (size_t)threads));
  for (int t = 0; t < threads; t++) {
    all[t] = (work){.B = B, .L = L, .V = V, .nodes = nodes};
    BF_GO(reserve(B, nodes, &all[t]));
  }
#pragma omp parallel for schedule(dynamic, 8) num_threads(threads)
  for (bf_int a = 0; a < nodes->form.nrows; a++) {
    work  *w     = &all[omp_get_thread_num()];
    bf_int order = 0;
    for (int64_t q = nodes->ptr[a]; q < nodes->ptr[a + 1]; q++) {
      w->begin[q - nodes->ptr[a]] = order;
      order += V->first[nodes->col[q] + 1] - V->first[nodes->col[q]];
    }
    memset(K + at[a], 0, (size_t)(at[a + 1] - at[a]) * sizeof *K);
    for (int64_t q = ptr[a]; q < ptr[a + 1]; q++) add_element(w, a, element[q], order, K + at[a]);
  }
done:
  for (int t = 0; all && t < threads; t++) {
    bf_host_free(all[t].begin);
    bf_host_free(all[t].of);
    bf_host_free((void *)all[t].z);
    bf_host_free(all[t].W);
  }
  bf_host_free(all);
  return err;
}
