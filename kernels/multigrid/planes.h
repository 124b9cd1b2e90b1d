/* kernels/multigrid/planes.h - matrices of a lattice of nodes in bDIA, coarsened plane by plane
 *
 *     node row = i + n0 (j + n1 k), couplings of neighbours only: 27 (3D) or 9 (2D) diagonals or a part of
 * them
 *
 * Coarse points are whole planes of each direction.  The interpolation is linear in the number of the plane:
 * between the coarse planes c and c + 1 a fine plane f has the weights 1 - right[f] and right[f], so that P
 * is the product of three short tables, and P^T A P three passes of one direction each:
 *
 *     C(u, v; o) = sum over f, g = f + t, t = -1, 0, 1:  w_u(f) A(f, g; o) w_v(g)
 *
 * with o the offsets of the other two directions, which stay.  The lattice of the result has its 27 diagonals
 * again.  Rows of P of fixed unknowns, and columns of fixed coarse unknowns, are 0.
 *
 * Source: Trottenberg, Oosterlee, Schueller, Multigrid, Academic Press 2001, sections 5.1 and 7.7.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_MULTIGRID_PLANES_H
#define BF_KERNELS_MULTIGRID_PLANES_H
#include "kernels/matrix/matrix.h"

enum {
  BF_LATTICE_POINTS = 27, /* (d0 + 1) + 3 (d1 + 1) + 9 (d2 + 1), d = -1, 0, 1: a neighbour of a node */
  BF_LATTICE_SELF   = 13,
  BF_GAP_BINS       = 64 /* of the ratios of couplings, [0, 1] */
};

/* A bDIA matrix with fp64 values as a matrix of a lattice.  The table of one segment is in the structure
 * itself, which kernels get by value. */
typedef struct bf_lattice {
  bf_int             n[3]; /* planes */
  int                D, half, nseg;
  const bf_bdia_seg *seg;  /* backend, borrowed [nseg] */
  const int16_t     *slot; /* backend, owned [nseg][27]: the neighbour's diagonal in the segment, or -1;
                              NULL with one segment */
  double     *values;      /* backend, borrowed */
  bf_bdia_seg one;         /* the segment, if there is one */
  int16_t     one_slot[BF_LATTICE_POINTS];
  int         npoint; /* neighbours that are stored: those of offsets >= 0 in half storage */
  int8_t      point[BF_LATTICE_POINTS];
} bf_lattice;

/* A must be BDIA or DIA with fp64 values and n[0] n[1] n[2] node rows. */
bf_err bf_lattice_open(const bf_matrix *A, const bf_int n[3], bf_lattice *L);
void   bf_lattice_close(bf_backend *be, bf_lattice *L); /* of zeros too */
/* Zero matrix with all diagonals of a lattice of n[0] n[1] n[2] nodes, fp64. */
bf_err bf_lattice_matrix(bf_backend *be, const bf_int n[3], int D, int half, bf_matrix **out);
/* The same without a matrix, in one segment that is one tile: values[bf_lattice_size] are the caller's. */
bf_lattice bf_lattice_plain(const bf_int n[3], int D, int half, double *values);
int64_t    bf_lattice_size(const bf_int n[3], int D, int half);

/* The coarsening of one direction: n planes to nc. */
typedef struct bf_plane_line {
  bf_int        n, nc;
  const bf_int *left;  /* backend [n]: the coarse plane at or before a plane */
  const double *right; /* backend [n]: weight of coarse plane left + 1; that of left is 1 - right */
  const bf_int *first; /* backend [nc]: the plane that a coarse one lies on; the first of two merged planes */
} bf_plane_line;

/* P */
typedef struct bf_plane_map {
  int            D;
  bf_plane_line  line[3];
  const uint8_t *fixed, *fixed_c; /* backend [n D], [nc D], n and nc in nodes */
} bf_plane_map;

typedef struct bf_mg_plane_ops {
  /* *flag (backend) = 1 where an entry other than 0 couples nodes of the lattice n[3] that are no neighbours;
   * it stays where there is none.  Reads the values of nodes on the surface of the lattice. */
  bf_err (*wraps)(bf_backend *be, const bf_bdia *A, const bf_int n[3], int *flag);
  /* w[2a + s][node] = max(0, -sum of A(node, j) over the neighbours j in the plane before (s = 0) or behind
   * (s = 1) in direction a), same component, all components together; w[6][node] = the largest of the six, 0
   * where all components are fixed.  Cost: one pass over the matrix. */
  bf_err (*couplings)(bf_backend *be, const bf_lattice *A, const uint8_t *fixed, float *w);
  /* count[g - g0][bin] += edges across the gaps g0 <= g < g1 of direction a by their ratio
   * min(1, max(w_a+(i), w_a-(j)) / min(w_6(i), w_6(j))), bin = 64 ratio, rounded down, of edges i, j = i +
   * e_a with a coupling and without a fixed end.  count is zero before. */
  bf_err (*gaps)(bf_backend *be, const bf_int n[3], const float *w, int a, bf_int g0, bf_int g1,
                 bf_int *count);
  /* C = P_a^T A P_a in direction a; fixed: of A's unknowns, taken out of rows and columns, or NULL.  C is
   * zero before.  Blocks on the diagonal of C and, in full storage of a symmetric matrix, pairs of entries
   * are symmetric to the last bit.  Cost: A about once, C once. */
  bf_err (*galerkin)(bf_backend *be, const bf_lattice *A, int a, const bf_plane_line *line,
                     const uint8_t *fixed, const bf_lattice *C);
  /* fixed_c: where all the fine unknowns that a coarse one lies on are fixed; x_c[nc][3] = x of the first
   * point; x may be NULL. */
  bf_err (*inject)(bf_backend *be, const bf_plane_map *P, const double *x, uint8_t *fixed_c, double *x_c);
  /* A coarse unknown with a diagonal entry <= 0 becomes fixed; fixed ones get the entry 1, in A too. */
  bf_err (*close_rows)(bf_backend *be, const bf_lattice *A, uint8_t *fixed, double *diagonal);
  /* box[node] = box of its planes line[0][i] + nbox[0] (line[1][j] + nbox[1] line[2][k]); line[a][n[a]]
   * (backend)
   */
  bf_err (*boxes)(bf_backend *be, const bf_int n[3], const bf_int *const line[3], const bf_int nbox[3],
                  bf_int *box);
  bf_err (*restricted)(bf_backend *be, const bf_plane_map *P, const double *r, double *bc); /* bc = P^T r */
  bf_err (*prolong)(bf_backend *be, const bf_plane_map *P, const double *xc, double *x);    /* x += P xc */
} bf_mg_plane_ops;
#endif
