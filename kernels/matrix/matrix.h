/* kernels/matrix/matrix.h - matrices in backend memory, in the formats of lists.h, and the memory traffic
 * of a product
 *
 * Rows are rows of nodes with D = ncomp components each, interleaved: scalar row r = node*D + a.
 * Vectors that are multiplied have `guard` zero entries before and after (bf_vector_create), so that no
 * kernel tests ranges of x.
 *
 * bDIA.  Segment s has node rows row0 .. row0+nrows-1 and ndiag ascending offsets.  Its k-th diagonal holds D
 * planes of nrows*D values, A(node*D + a, (node+off)*D + b) in plane p = k*D + b, row r = (node - row0)*D +
 * a. The rows are divided into tiles of ld, each with the parts of all planes one after another:
 * bf_bdia_at. A tile is the segment, its nodes rounded up to 32, so that planes start at 128-byte lines
 * (fp32) or better; on the CPU it is bdia_tile nodes, and a product reads one run of memory instead of
 * dozens. In a tile the components of a node are `apart` from each other: 1, or the nodes of the tile, all
 * of a component together. Slots whose column is outside the matrix, slots without a nonzero and those
 * after nrows hold 0. Half storage (symmetric A) stores offsets >= 0 (the block at offset 0 in full); the
 * entries left of the diagonal are listed per segment in `lower`: for rows row_lo .. row_hi-1 A(node*D + a,
 * (node-off)*D + b) is the value of row (node - off - src0)*D + b in the plane a of the segment and
 * diagonal that store the transposed entry, bf_bdia_lower_at. A single segment has one lower entry per
 * positive offset with row_lo = off, row_hi = nrows. values has `pad` readable zeros before and after, pad
 * >= reach*D rounded up to 32.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_MATRIX_MATRIX_H
#define BF_KERNELS_MATRIX_MATRIX_H
#include "base/bands.h"
#include "base/graph.h"
#include "kernels/backend.h"
#include "kernels/matrix/host_csr.h"

typedef enum { BF_FP64, BF_FP32 } bf_prec; /* of stored values; vectors and sums are fp64 */

typedef struct bf_bdia_seg {
  bf_int  row0, nrows;
  int32_t diag0, ndiag;    /* offsets off[diag0 .. diag0+ndiag) */
  int32_t lower0, nlower;  /* entries lower[lower0 .. lower0+nlower); 0 in full storage */
  int64_t base, ld, apart; /* in values; rows of a tile */
} bf_bdia_seg;

typedef struct bf_bdia_lower {
  bf_int  off;             /* > 0: column node = row node - off */
  bf_int  row_lo, row_hi;  /* node rows this entry serves, within its segment */
  bf_int  src0;            /* row0 of the source segment */
  int64_t base, ld, apart; /* of the source diagonal: plane b = 0 starts at values[base] */
  int64_t step;            /* from tile to tile */
} bf_bdia_lower;

/* Index of row t in a plane of a tile of ld rows */
static inline BF_HD int64_t bf_bdia_in_tile(int64_t ld, int64_t apart, int64_t t)
{
  if (apart == 1) return t;
  const int64_t D = ld / apart;
  return t / D + t % D * apart;
}
/* Index in values of row r of plane p, both counted in the segment */
static inline BF_HD int64_t bf_bdia_at(const bf_bdia_seg *S, int D, int p, int64_t r)
{
  return S->base + (r / S->ld * S->ndiag * D + p) * S->ld + bf_bdia_in_tile(S->ld, S->apart, r % S->ld);
}
/* ... of plane a of the entry, r counted in the source segment. */
static inline BF_HD int64_t bf_bdia_lower_at(const bf_bdia_lower *L, int a, int64_t r)
{
  return L->base + r / L->ld * L->step + a * L->ld + bf_bdia_in_tile(L->ld, L->apart, r % L->ld);
}
/* Values of a segment: its node rows rounded up to 32. */
static inline int64_t bf_bdia_segment_values(const bf_bdia_seg *S, int D)
{
  return ((int64_t)S->nrows + 31) / 32 * 32 * D * S->ndiag * D;
}

typedef struct bf_bdia {
  bf_int         nrows; /* node rows */
  int            ncomp; /* D */
  int            half;
  bf_prec        prec;
  bf_int         reach; /* max |offset|, in nodes */
  int            nseg, ndiag, nlower;
  bf_bdia_seg   *seg;    /* host, owned [nseg] */
  bf_int        *off;    /* host, owned [ndiag] */
  bf_bdia_lower *lower;  /* host, owned [nlower] */
  bf_bdia_seg   *seg_be; /* the same three in backend memory, owned */
  bf_int        *off_be;
  bf_bdia_lower *lower_be;
  int64_t        nvalues, pad; /* values[-pad .. nvalues+pad) exists */
  void          *values;       /* backend, inside `store`; double or float by prec */
  void          *store;        /* backend, owned */
} bf_bdia;

/* Columns in 16 bits count from the first row of the row's block of BF_CSR16_ROWS: col = rel + row -
 * row % BF_CSR16_ROWS.  A tile of rows inside a block so has one base for all its columns. */
enum { BF_CSR16_ROWS = 256 };

typedef struct bf_csr { /* scalar rows; columns ascending in each row */
  bf_int   nrows;       /* scalar rows = columns */
  int64_t  nnz;
  bf_prec  prec;
  int64_t *ptr; /* backend, owned [nrows + 1] */
  bf_int  *col; /* backend, owned [nnz]; NULL with rel */
  int16_t *rel; /* backend, owned [nnz], CSR16; NULL with col */
  void    *val; /* backend, owned [nnz] */
} bf_csr;

/* Entry k of row i is at k*ld + i, ascending columns first; col is -1 and the value 0 where a row has no k.
 */
typedef struct bf_ell {
  bf_int  nrows, width; /* largest number of entries of a row */
  int64_t ld;           /* nrows rounded up to 32 */
  int64_t nnz;          /* stored entries */
  bf_prec prec;
  bf_int *col; /* backend, owned [width*ld] */
  void   *val; /* backend, owned [width*ld] */
} bf_ell;

typedef struct bf_coo { /* ascending by row, then column, no repeats */
  bf_int  nrows;
  int64_t nnz;
  bf_prec prec;
  bf_int *row; /* backend, owned [nnz] */
  bf_int *col; /* backend, owned [nnz] */
  void   *val; /* backend, owned [nnz] */
} bf_coo;

typedef struct bf_rest { /* the remainder of HYBRID: compressed rows of those rows that have entries */
  bf_int   nrows, nlist; /* of the matrix; listed */
  int64_t  nnz;
  bf_prec  prec;
  bf_int  *row; /* backend, owned [nlist]: ascending */
  int64_t *ptr; /* backend, owned [nlist + 1] */
  bf_int  *col; /* backend, owned [nnz], in each row ascending */
  void    *val; /* backend, owned [nnz] */
} bf_rest;

typedef struct bf_matrix { /* a sum of parts, determined by `format`; callers of kernels use only this */
  bf_format   format;
  bf_backend *be;    /* borrowed */
  bf_int      nrows; /* scalar rows */
  int         ncomp;
  bf_prec     prec; /* of the values */
  bf_int  guard; /* zero entries a multiplied vector needs on both sides, multiple of 32; 0 without bands */
  int64_t nnz;   /* structural nonzeros (scalar), for flop counts: 2*nnz per product */
  /* the parts, owned: bf_bdia *bdia and so on; those that the format has */
#define BF_PART_MEMBER(part) struct bf_##part *part;
  BF_PART_LIST(BF_PART_MEMBER)
#undef BF_PART_MEMBER
} bf_matrix;

/* ---- estimates before allocation (all in bytes) ---- */
int64_t bf_bdia_bytes(const bf_bands *b, int ncomp, int half, bf_prec prec); /* memory of the matrix */
int64_t bf_csr_bytes(int64_t nnz, bf_int nrows, bf_prec prec);
int64_t bf_csr16_bytes(int64_t nnz, bf_int nrows, bf_prec prec);
int64_t bf_ell_bytes(bf_int width, bf_int nrows, bf_prec prec);
int64_t bf_coo_bytes(int64_t nnz, bf_prec prec);
/* Lengths of the rows of a pattern, ptr[n + 1], each entry a block of ncomp x ncomp: the width of ELL, that
 * of HYB (one more column costs its bytes in every row and saves those of the entries removed from COO),
 * and the entries of the COO part of HYB. */
typedef struct bf_widths {
  bf_int  longest, usual;
  int64_t beyond;
} bf_widths;
bf_err  bf_widths_count(bf_int n, const int64_t *ptr, int ncomp, bf_prec prec, bf_widths *out);
int64_t bf_rest_bytes(int64_t nnz, bf_int nlist, bf_prec prec);
/* Bands and a remainder of node pairs */
int64_t bf_hybrid_bytes(const bf_bands *b, const bf_graph *rest, int ncomp, int half, bf_prec prec);
int64_t bf_matrix_bytes(const bf_matrix *A);
/* Bytes a product y = A x must move: matrix once, x read and y written once. */
int64_t bf_bdia_product_bytes(const bf_bands *b, int ncomp, int half, bf_prec prec);
int64_t bf_csr_product_bytes(int64_t nnz, bf_int nrows, bf_prec prec);
int64_t bf_csr16_product_bytes(int64_t nnz, bf_int nrows, bf_prec prec);
int64_t bf_ell_product_bytes(bf_int width, bf_int nrows, bf_prec prec);
int64_t bf_coo_product_bytes(int64_t nnz, bf_int nrows, bf_prec prec);
/* Bytes that the remainder adds to the product of the bands: its rows of y are read and written once more. */
int64_t bf_rest_product_bytes(int64_t nnz, bf_int nlist, bf_prec prec);
int64_t bf_hybrid_product_bytes(const bf_bands *b, const bf_graph *rest, int ncomp, int half, bf_prec prec);
int64_t bf_matrix_product_bytes(const bf_matrix *A);

/* ---- creation and destruction ---- */
/* The pattern of a matrix, as needed by its format; all borrowed */
typedef struct bf_layout {
  bf_int          nrows; /* of nodes */
  int             ncomp;
  int64_t         nnz;   /* structural nonzeros (scalar) */
  int64_t         reach; /* largest |column - row|, in nodes */
  const bf_bands *bands; /* the diagonals; NULL: too many, or unknown */
  const bf_graph *rest;  /* entries outside of them; NULL: none */
  const bf_graph *graph; /* all pairs of nodes, diagonal included; NULL: unknown */
} bf_layout;

/* Zero matrix of a format to which element matrices can be added: from L->bands (and L->rest) or L->graph. */
bf_err bf_matrix_create(bf_backend *be, bf_format format, const bf_layout *L, int half, bf_prec prec,
                        bf_matrix **out);
/* Can element matrices be added? Else the matrix is assembled as CSR and converted. */
int bf_format_takes_elements(bf_format format);
/* Zero matrix with the diagonals of `b` (full pattern). half stores the offsets >= 0; the entry (i, i-k) of
 * row i is the stored entry k of row i-k, so the product is that of the stored half and its transpose for
 * any segments, and a slot -k without a stored transposed entry is a structural zero. BF_E_ARG for a
 * diagonal -k without a k in any segment. BF_E_MEMORY, with the estimate, if the backend has less memory
 * left.
 */
bf_err bf_matrix_create_bdia(bf_backend *be, const bf_bands *b, int ncomp, int half, bf_prec prec,
                             int64_t nnz, bf_matrix **out);
/* Zero matrix in format DIA: full storage of bands in one segment (bf_bands_union makes such). */
bf_err bf_matrix_create_dia(bf_backend *be, const bf_bands *b, int ncomp, bf_prec prec, int64_t nnz,
                            bf_matrix **out);
/* Zero matrix with the pattern of a node graph (diagonal included), every node pair an ncomp x ncomp block.
 */
bf_err bf_matrix_create_csr(bf_backend *be, const bf_graph *pattern, int ncomp, bf_prec prec,
                            bf_matrix **out);
/* The same with 16-bit columns. BF_E_ARG, with the half-bandwidth, if a column is too far from its row:
 * up to 32767 - BF_CSR16_ROWS always fits. */
bf_err bf_matrix_create_csr16(bf_backend *be, const bf_graph *pattern, int ncomp, bf_prec prec,
                              bf_matrix **out);
/* Zero matrix with the diagonals of `b` and in addition the node pairs of `rest` (none of them on a
 * diagonal of `b`; rows may be empty). half: for the bands only, `rest` is symmetric and stored in full. */
bf_err bf_matrix_create_hybrid(bf_backend *be, const bf_bands *b, const bf_graph *rest, int ncomp, int half,
                               bf_prec prec, int64_t nnz, bf_matrix **out);

/* Requested storage of a matrix */
typedef struct bf_matrix_form {
  bf_format format;
  int       half;  /* symmetric half storage, of bdia, hybrid (its bands) and bcsr */
  bf_prec   prec;  /* of the stored values: rounded to nearest */
  int       ncomp; /* components of a node (D x D blocks in bands); 0 means 1 */
} bf_matrix_form;

/* Name used in the deck */
const char *bf_format_word(bf_format format);

/* A square matrix from the host, in backend memory.  bDIA and DIA take every diagonal that has an entry, in
 * one segment. BF_E_ARG for a form that does not exist (half of a format without such storage), for a form
 * that does not suit the matrix, with the reason: half of an unsymmetric one, columns too far for 16 bits.
 * BF_E_MEMORY with the estimate. Cost: a copy of the matrix on the host. */
bf_err bf_matrix_from_sparse(bf_backend *be, const bf_sparse *S, const bf_matrix_form *form, bf_matrix **out);
/* Host copy: stored entries, both halves; of slots of bands those that are not zero */
bf_err bf_matrix_to_sparse(const bf_matrix *A, bf_sparse **out);
/* The same matrix in another form, converted on the host; form->ncomp 0: that of A */
bf_err bf_matrix_convert(const bf_matrix *A, const bf_matrix_form *form, bf_matrix **out);

/* The same matrix with fp32 values (rounded to nearest), in new memory. */
bf_err bf_matrix_to_fp32(const bf_matrix *A, bf_matrix **out);
void   bf_matrix_destroy(bf_matrix **A);
bf_err bf_matrix_check(const bf_matrix *A); /* structure only, on the host */
int    bf_matrix_half(const bf_matrix *A);  /* 1: symmetric, entries left of the diagonal are not stored */

/* Most entries in a row that a product multiplies, zeros of bands included. */
bf_err bf_matrix_longest_row(const bf_matrix *A, int64_t *most);

/* Host copy as dense row-major a[n][n], for tests of small matrices. */
bf_err bf_matrix_to_dense(const bf_matrix *A, double *a);

/* ---- operations (queued on the backend) ---- */
/* y = A x.  w != NULL: also dot[0] = w.y, dot[1] = y.y (backend, deterministic).  y must not be x. */
bf_err bf_matrix_spmv(const bf_matrix *A, const double *x, double *y, const double *w, double *dot);
/* y = A^T x for the formats that need no transposed copy (bf_matrix_transposes_in_place): bDIA by index
 * shift, half storage as it is.  BF_E_UNSUPPORTED for the others: multiply with their explicit transpose.  y
 * may not be x.  Cost: as bf_matrix_spmv. */
bf_err bf_matrix_spmv_t(const bf_matrix *A, const double *x, double *y);
int    bf_matrix_transposes_in_place(const bf_matrix *A);
/* d[nrows] = diagonal, always fp64 */
bf_err bf_matrix_diagonal(const bf_matrix *A, double *d);
/* Adds element matrices: see bf_part_scatter in ops/matrix.h.  fp64 values only; formats that take them
 * (bf_format_takes_elements). */
bf_err bf_matrix_scatter(bf_matrix *A, const bf_int *inc_ptr, const bf_int *inc_item, int nen,
                         const bf_int *conn, const double *Ke);
/* Rows and columns of constrained unknowns (fixed[nrows] != 0, backend) are set to zero, their diagonal
 * entries are unchanged. */
bf_err bf_matrix_constrain(bf_matrix *A, const uint8_t *fixed);

/* Copies entries of diagonal blocks to the positions of the map (precond/block_jacobi.h). */
bf_err bf_matrix_blocks(const bf_matrix *A, const struct bf_block_map *map);

/* ---- vectors ---- */
/* n fp64 entries on the backend, zero, with `guard` zeros before and after (multiple of 32; *x is
 * 256-byte aligned). */
bf_err bf_vector_create(bf_backend *be, bf_int n, bf_int guard, double **x);
void   bf_vector_destroy(bf_backend *be, bf_int guard, double **x);
#endif
