/* kernels/multigrid/lattice.c - a bDIA matrix as a matrix of a lattice: planes.h */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "kernels/matrix/storage.h"
#include "kernels/multigrid/planes.h"
#include "kernels/multigrid/planes_point.h"

/* Offset of a neighbour in node rows, and whether a lattice has nodes with that neighbour. */
static int64_t offset_of(const bf_int n[3], int point, int *exists)
{
  int d[3];
  bf_lattice_step(point, d);
  *exists = 1;
  for (int a = 0; a < 3; a++)
    if (d[a] != 0 && n[a] == 1) *exists = 0;
  return d[0] + (int64_t)n[0] * (d[1] + (int64_t)n[1] * d[2]);
}

static void list_points(bf_lattice *L)
{
  for (int point = 0; point < BF_LATTICE_POINTS; point++) {
    int           exists;
    const int64_t off = offset_of(L->n, point, &exists);
    if (exists && (!L->half || off >= 0)) L->point[L->npoint++] = (int8_t)point;
  }
}

/* slot[27] of the segment S of B */
static void fill_slots(const bf_int n[3], const bf_bdia *B, const bf_bdia_seg *S, int16_t *slot)
{
  for (int point = 0; point < BF_LATTICE_POINTS; point++) {
    int           exists, k = 0;
    const int64_t off = offset_of(n, point, &exists);
    while (k < S->ndiag && B->off[S->diag0 + k] != off) k++;
    slot[point] = (int16_t)(exists && k < S->ndiag ? k : -1);
  }
}

bf_err bf_lattice_open(const bf_matrix *A, const bf_int n[3], bf_lattice *L)
{
  bf_err         err  = BF_OK;
  const bf_bdia *B    = A->bdia;
  int16_t       *slot = NULL;
  void          *p    = NULL;
  *L                  = (bf_lattice){.nseg = 0};
  BF_CHECK(B && !A->rest && B->prec == BF_FP64, BF_E_ARG, "a lattice needs diagonals with fp64 values");
  BF_CHECK(n[0] > 0 && n[1] > 0 && n[2] > 0 && (int64_t)n[0] * n[1] * n[2] == B->nrows, BF_E_ARG,
           "%d x %d x %d nodes are not the %d of the matrix", (int)n[0], (int)n[1], (int)n[2], (int)B->nrows);
  *L = (bf_lattice){.n      = {n[0], n[1], n[2]},
                    .D      = B->ncomp,
                    .half   = B->half,
                    .nseg   = B->nseg,
                    .seg    = B->seg_be,
                    .values = B->values,
                    .one    = B->seg[0]};
  list_points(L);
  if (B->nseg == 1) {
    fill_slots(n, B, B->seg, L->one_slot);
    return BF_OK;
  }
  BF_GO(BF_NEW_ARRAY(slot, (int64_t)B->nseg * BF_LATTICE_POINTS));
  for (int s = 0; s < B->nseg; s++) fill_slots(n, B, &B->seg[s], slot + s * BF_LATTICE_POINTS);
  BF_GO(bf_alloc_copy(A->be, slot, (int64_t)B->nseg * BF_LATTICE_POINTS, sizeof *slot, &p));
  L->slot = p;
done:
  bf_host_free(slot);
  return err;
}

enum { LINE = 32 }; /* nodes; planes begin at multiples of 256 bytes */

static int64_t padded_rows(const bf_int n[3], int D)
{
  return ((int64_t)n[0] * n[1] * n[2] + LINE - 1) / LINE * LINE * D;
}

bf_lattice bf_lattice_plain(const bf_int n[3], int D, int half, double *values)
{
  bf_lattice L = {.n = {n[0], n[1], n[2]}, .D = D, .half = half, .nseg = 1, .values = values};
  list_points(&L);
  L.one = (bf_bdia_seg){.nrows = n[0] * n[1] * n[2], .ndiag = L.npoint, .ld = padded_rows(n, D), .apart = 1};
  for (int point = 0; point < BF_LATTICE_POINTS; point++) L.one_slot[point] = -1;
  for (int q = 0; q < L.npoint; q++) L.one_slot[L.point[q]] = (int16_t)q;
  return L;
}

int64_t bf_lattice_size(const bf_int n[3], int D, int half)
{
  return padded_rows(n, D) * D * bf_lattice_plain(n, D, half, NULL).npoint;
}

void bf_lattice_close(bf_backend *be, bf_lattice *L)
{
  if (L->slot) be->ops.release(be, (void *)L->slot);
  *L = (bf_lattice){.nseg = 0};
}

bf_err bf_lattice_matrix(bf_backend *be, const bf_int n[3], int D, int half, bf_matrix **out)
{
  bf_err        err   = BF_OK;
  bf_bands     *bands = NULL;
  const int64_t nodes = (int64_t)n[0] * n[1] * n[2];
  int64_t       off[BF_LATTICE_POINTS], pairs = 1;
  int           noff = 0;
  *out               = NULL;
  for (int a = 0; a < 3; a++) pairs *= 3 * (int64_t)n[a] - 2;
  for (int point = 0; point < BF_LATTICE_POINTS; point++) { /* ascending, small lattices repeat offsets */
    int           exists, at = noff;
    const int64_t o = offset_of(n, point, &exists);
    if (!exists || o >= nodes || -o >= nodes) continue;
    while (at > 0 && off[at - 1] >= o) at--;
    if (at < noff && off[at] == o) continue;
    for (int k = noff++; k > at; k--) off[k] = off[k - 1];
    off[at] = o;
  }
  BF_GO(bf_bands_create((bf_int)nodes, 1, noff, &bands));
  bands->row[1] = (bf_int)nodes;
  bands->ptr[1] = noff;
  for (int k = 0; k < noff; k++) bands->off[k] = (bf_int)off[k];
  BF_GO(bf_matrix_create_bdia(be, bands, D, half, BF_FP64, pairs * D * D, out));
done:
  bf_bands_destroy(&bands);
  return err;
}
