/* kernels/cpu/multigrid/local_lists.c - local problems of aggregates: lists, vectors, the tentative
 * prolongator
 *
 * Checked  tests/kernels/multigrid/t388_local_problem.c
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cpu/multigrid/local.h"
#include <math.h>
#include <string.h>

static bf_err unknowns(bf_backend *be, const bf_local_body *B, bf_int *owner, bf_int *rank, bf_int *own)
{
  (void)be;
#pragma omp parallel for schedule(static) if (B->unknowns > BF_CPU_SMALL)
  for (bf_int i = 0; i < B->n; i++) bf_local_unknowns_of(B, i, owner, rank, own);
  return BF_OK;
}

static bf_err slots(bf_backend *be, bf_int unknowns, bf_int count, const int64_t *uptr, const bf_int *unknown,
                    bf_int *slot)
{
  (void)be;
  memset(slot, 0xff, (size_t)unknowns * sizeof *slot);
#pragma omp parallel for schedule(static) if (unknowns > BF_CPU_SMALL)
  for (bf_int a = 0; a < count; a++)
    for (int64_t q = uptr[a]; q < uptr[a + 1]; q++) slot[unknown[q]] = (bf_int)(q - uptr[a]);
  return BF_OK;
}

static bf_err node_rows(bf_backend *be, const bf_int *aggregate, bf_block_rows *A)
{
  (void)be;
  double *val = A->val;
#pragma omp parallel for schedule(static) if (A->nnz > BF_CPU_SMALL)
  for (bf_int i = 0; i < A->form.nrows; i++)
    if (A->ptr[i + 1] > A->ptr[i]) {
      A->col[A->ptr[i]] = aggregate[i];
      val[A->ptr[i]]    = 1.0;
    }
  return BF_OK;
}

static bf_err ones(bf_backend *be, int64_t count, double *v)
{
  (void)be;
#pragma omp parallel for schedule(static) if (count > BF_CPU_SMALL)
  for (int64_t k = 0; k < count; k++) v[k] = 1.0;
  return BF_OK;
}

static bf_err owners(bf_backend *be, const bf_block_rows *touched, bf_int *owner)
{
  (void)be;
#pragma omp parallel for schedule(static) if (touched->nnz > BF_CPU_SMALL)
  for (bf_int e = 0; e < touched->form.nrows; e++)
    owner[e] = touched->ptr[e + 1] > touched->ptr[e] ? touched->col[touched->ptr[e]] : -1;
  return BF_OK;
}

static bf_err places(bf_backend *be, const bf_local_body *B, const bf_local_lists *L)
{
  (void)be;
  const int64_t *ptr = L->node->ptr;
#pragma omp parallel for schedule(dynamic, 64) if (L->node->nnz > BF_CPU_SMALL)
  for (bf_int a = 0; a < B->count; a++)
    L->others[a] = bf_local_places_of(B, a, L->slot, L->node->col, ptr[a], ptr[a + 1], L->place);
  return BF_OK;
}

static bf_err mixed(bf_backend *be, const bf_local_body *B, const bf_local_lists *L,
                    const double *coefficient, const uint8_t *node_mixed, double contrast, uint8_t *mixed)
{
  (void)be;
  const int64_t *eptr = L->element->ptr, *nptr = L->node->ptr;
  const bf_int  *node = L->node->col;
#pragma omp parallel for schedule(dynamic, 64) if (L->node->nnz > BF_CPU_SMALL)
  for (bf_int a = 0; a < B->count; a++) {
    int is = coefficient && bf_local_jumps(coefficient, L->element->col, eptr[a], eptr[a + 1], contrast);
    for (int64_t k = nptr[a]; node_mixed && k < nptr[a + 1]; k++)
      is |= B->aggregate[node[k]] == a && node_mixed[node[k]];
    mixed[a] = (uint8_t)is;
  }
  return BF_OK;
}

/* ---- vectors ---- */

static bf_err choose(bf_backend *be, const bf_local_batch *C, double tau, bf_int most, int multiple,
                     bf_int *k)
{
  (void)be;
  for (bf_int b = 0; b < C->many; b++)
    k[C->which[b]] = C->sizes[b] == 0 || C->info[b] != 0
                         ? 0
                         : bf_local_below(C->sizes[b], C->w + (int64_t)b * C->lds, tau, most, multiple);
  return BF_OK;
}

static bf_err scale_vectors(bf_backend *be, const bf_local_body *B, const bf_local_lists *L,
                            const bf_local_batch *C, const bf_int *k, double *const *z)
{
  (void)be;
#pragma omp parallel for schedule(dynamic, 16)
  for (bf_int b = 0; b < C->many; b++) {
    const bf_int  a = C->which[b], m = (bf_int)(L->uptr[a + 1] - L->uptr[a]);
    const bf_int *unknown = L->unknown + L->uptr[a];
    const double *V       = C->s + (int64_t)b * C->lds * C->lds;
    for (bf_int e = 0; e < k[a]; e++)
      for (bf_int r = 0; r < m; r++)
        z[a][(int64_t)e * m + r] = V[(int64_t)e * C->lds + r] * B->root[unknown[r]];
  }
  return BF_OK;
}

static bf_err count_modes(bf_backend *be, bf_int count, const bf_local_modes *M, const uint8_t *by_modes,
                          bf_int *k)
{
  (void)be;
  for (bf_int a = 0; a < count; a++) {
    if (!by_modes[a]) continue;
    k[a] = 0;
    for (int e = 0; e < M->nq; e++) k[a] += !M->phantom[(int64_t)a * M->nq + e];
  }
  return BF_OK;
}

static bf_err combine_modes(bf_backend *be, const bf_local_body *B, const bf_local_lists *L,
                            const bf_local_modes *M, const uint8_t *by_modes, double *const *z)
{
  (void)be;
#pragma omp parallel for schedule(dynamic, 64) if (B->unknowns > BF_CPU_SMALL)
  for (bf_int a = 0; a < B->count; a++) {
    const bf_int m = (bf_int)(L->uptr[a + 1] - L->uptr[a]);
    int64_t      e = 0;
    for (int c = 0; by_modes[a] && c < M->nq; c++) {
      if (M->phantom[(int64_t)a * M->nq + c]) continue;
      for (bf_int r = 0; r < m; r++)
        z[a][e * m + r] = bf_local_combined(M, B->unknowns, a, c, L->unknown[L->uptr[a] + r]);
      e++;
    }
  }
  return BF_OK;
}

static bf_err row_counts(bf_backend *be, bf_int rows, int D, int bc, const bf_int *owner, const bf_int *first,
                         int64_t *ptr, int64_t *nnz)
{
  (void)be;
#pragma omp parallel for schedule(static) if (rows > BF_CPU_SMALL)
  for (bf_int r = 0; r < rows; r++) {
    const bf_int a = owner[(int64_t)r * D];
    ptr[r + 1]     = a < 0 ? 0 : (first[a + 1] - first[a]) / bc;
  }
  *nnz = bf_cpu_row_sums(rows, ptr);
  return BF_OK;
}

static bf_err rows(bf_backend *be, const bf_local_lists *L, const bf_local_vectors *V, bf_block_rows *T)
{
  (void)be;
  const int D = T->form.br, bc = T->form.bc;
  double   *val = T->val;
#pragma omp parallel for schedule(static) if (T->nnz > BF_CPU_SMALL)
  for (bf_int r = 0; r < T->form.nrows; r++) {
    const bf_int a = L->owner[(int64_t)r * D];
    for (int64_t k = T->ptr[r]; k < T->ptr[r + 1]; k++)
      T->col[k] = V->first[a] / bc + (bf_int)(k - T->ptr[r]);
    for (int64_t e = 0; e < (T->ptr[r + 1] - T->ptr[r]) * bc; e++)
      for (int c = 0; c < D; c++)
        val[(T->ptr[r] * bc + e) * D + c] = bf_local_entry(V, L->uptr, a, e, L->slot[(int64_t)r * D + c]);
  }
  return BF_OK;
}

static bf_err padding(bf_backend *be, bf_int count, const bf_local_vectors *V, uint8_t *flag)
{
  (void)be;
#pragma omp parallel for schedule(static) if (count > BF_CPU_SMALL / 8)
  for (bf_int a = 0; a < count; a++)
    for (bf_int c = V->first[a]; c < V->first[a + 1]; c++) flag[c] = c >= V->first[a] + V->k[a];
  return BF_OK;
}

static bf_err modes(bf_backend *be, const bf_local_body *B, const bf_local_lists *L,
                    const bf_local_vectors *V, int nq, const double *modes, bf_int nc, double *coarse)
{
  (void)be;
  memset(coarse, 0, (size_t)nq * (size_t)nc * sizeof *coarse);
#pragma omp parallel for schedule(dynamic, 64) if (B->unknowns > BF_CPU_SMALL)
  for (bf_int a = 0; a < B->count; a++) {
    const bf_int m = (bf_int)(L->uptr[a + 1] - L->uptr[a]);
    for (int j = 0; j < nq; j++)
      for (bf_int e = 0; e < V->k[a]; e++)
        coarse[(int64_t)j * nc + V->first[a] + e] =
            bf_local_weighted(m, L->unknown + L->uptr[a], V->z[a] + (int64_t)e * m, B->diagonal,
                              modes + (int64_t)j * B->unknowns);
  }
  return BF_OK;
}

static bf_err unknown_rows(bf_backend *be, const bf_int *first, bf_block_rows *A)
{
  double   *val = A->val;
  const int bc  = A->form.bc;
  for (bf_int i = 0; i <= A->form.nrows; i++) A->ptr[i] = first[i] / bc;
  for (bf_int u = 0; u < A->form.ncols; u++) A->col[u] = u;
  return ones(be, A->nnz * bc, val);
}

static bf_err square(bf_backend *be, int64_t count, double *v)
{
  (void)be;
#pragma omp parallel for schedule(static) if (count > BF_CPU_SMALL)
  for (int64_t k = 0; k < count; k++) v[k] *= v[k];
  return BF_OK;
}

static bf_err square_root(bf_backend *be, int64_t count, double *v)
{
  (void)be;
#pragma omp parallel for schedule(static) if (count > BF_CPU_SMALL)
  for (int64_t k = 0; k < count; k++) v[k] = sqrt(v[k]);
  return BF_OK;
}

const bf_local_ops bf_cpu_local = {
    .unknowns         = unknowns,
    .slots            = slots,
    .node_rows        = node_rows,
    .ones             = ones,
    .owners           = owners,
    .places           = places,
    .mixed            = mixed,
    .assemble         = bf_cpu_local_assemble,
    .schur            = bf_cpu_local_schur,
    .choose           = choose,
    .scale_vectors    = scale_vectors,
    .count_modes      = count_modes,
    .combine_modes    = combine_modes,
    .row_counts       = row_counts,
    .rows             = rows,
    .padding          = padding,
    .modes            = modes,
    .element_sizes    = bf_cpu_local_element_sizes,
    .element_matrices = bf_cpu_local_element_matrices,
    .unknown_rows     = unknown_rows,
    .square           = square,
    .square_root      = square_root,
};
