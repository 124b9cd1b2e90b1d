/* kernels/cpu/multigrid/planes.c - coarsening by planes on the CPU: the table of operations, interpolation
 *
 * Every result has one owner and the order of planes_point.h, whatever the number of threads; counts of edges
 * are integers.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cpu/multigrid/planes.h"
#include "kernels/cpu/backend/cpu.h"
#include "kernels/multigrid/planes_point.h"

static bf_int nodes_of(const bf_int n[3])
{
  return n[0] * n[1] * n[2];
}

static bf_err inject(bf_backend *be, const bf_plane_map *P, const double *x, uint8_t *fixed_c, double *x_c)
{
  (void)be;
  const bf_int n[3]  = {P->line[0].n, P->line[1].n, P->line[2].n};
  const bf_int nc[3] = {P->line[0].nc, P->line[1].nc, P->line[2].nc}, nodes = nodes_of(nc);
#pragma omp parallel for schedule(static) if (nodes > BF_CPU_CHUNK)
  for (bf_int i = 0; i < nodes; i++) {
    bf_int c[3];
    bf_lattice_place(nc, i, c);
    for (int a = 0; a < P->D; a++) fixed_c[(int64_t)i * P->D + a] = (uint8_t)bf_plane_all_fixed(P, n, c, a);
    if (!x) continue;
    for (int q = 0; q < 3; q++) c[q] = P->line[q].first[c[q]];
    for (int q = 0; q < 3; q++) x_c[3 * (int64_t)i + q] = x[3 * (int64_t)bf_lattice_node(n, c) + q];
  }
  return BF_OK;
}

static bf_err close_rows(bf_backend *be, const bf_lattice *A, uint8_t *fixed, double *diagonal)
{
  (void)be;
  const int64_t n = (int64_t)nodes_of(A->n) * A->D;
#pragma omp parallel for schedule(static) if (n > BF_CPU_SMALL)
  for (int64_t r = 0; r < n; r++) {
    const int              a = (int)(r % A->D);
    const bf_lattice_block B = bf_lattice_at(A, (bf_int)(r / A->D), BF_LATTICE_SELF);
    if (diagonal[r] <= 0.0) fixed[r] = 1;
    if (fixed[r]) diagonal[r] = A->values[B.at + a * (B.sa + B.sb)] = 1.0;
  }
  return BF_OK;
}

static bf_err boxes(bf_backend *be, const bf_int n[3], const bf_int *const line[3], const bf_int nbox[3],
                    bf_int *box)
{
  (void)be;
  const bf_int nodes = nodes_of(n);
#pragma omp parallel for schedule(static) if (nodes > BF_CPU_SMALL)
  for (bf_int i = 0; i < nodes; i++) {
    bf_int x[3];
    bf_lattice_place(n, i, x);
    box[i] = bf_lattice_node(nbox, (const bf_int[]){line[0][x[0]], line[1][x[1]], line[2][x[2]]});
  }
  return BF_OK;
}

/* ---- P and its transpose ---- */

static bf_err restricted(bf_backend *be, const bf_plane_map *P, const double *r, double *bc)
{
  (void)be;
  const bf_int n[3]  = {P->line[0].n, P->line[1].n, P->line[2].n};
  const bf_int nc[3] = {P->line[0].nc, P->line[1].nc, P->line[2].nc}, nodes = nodes_of(nc);
#pragma omp parallel for schedule(static) if (nodes > BF_CPU_CHUNK)
  for (bf_int i = 0; i < nodes; i++) {
    bf_int c[3];
    bf_lattice_place(nc, i, c);
    for (int64_t row = (int64_t)i * P->D, a = 0; a < P->D; a++)
      bc[row + a] = P->fixed_c[row + a] ? 0.0 : bf_plane_restricted(P, n, c, (int)a, r);
  }
  return BF_OK;
}

static bf_err prolong(bf_backend *be, const bf_plane_map *P, const double *xc, double *x)
{
  (void)be;
  const bf_int n[3] = {P->line[0].n, P->line[1].n, P->line[2].n}, nodes = nodes_of(n);
  const bf_int nc[3] = {P->line[0].nc, P->line[1].nc, P->line[2].nc};
#pragma omp parallel for schedule(static) if (nodes > BF_CPU_CHUNK)
  for (bf_int i = 0; i < nodes; i++) {
    bf_int at[3];
    bf_lattice_place(n, i, at);
    for (int64_t row = (int64_t)i * P->D, a = 0; a < P->D; a++)
      if (!P->fixed[row + a]) x[row + a] += bf_plane_prolonged(P, nc, at, (int)a, xc);
  }
  return BF_OK;
}

extern const bf_mg_plane_ops bf_cpu_mg_planes; /* known to backend.c only */
const bf_mg_plane_ops        bf_cpu_mg_planes = {.wraps      = bf_cpu_planes_wraps,
                                                 .couplings  = bf_cpu_planes_couplings,
                                                 .gaps       = bf_cpu_planes_gaps,
                                                 .galerkin   = bf_cpu_planes_galerkin,
                                                 .inject     = inject,
                                                 .close_rows = close_rows,
                                                 .boxes      = boxes,
                                                 .restricted = restricted,
                                                 .prolong    = prolong};
