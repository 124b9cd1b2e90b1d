/* inputs/mtx.h - matrices and vectors from Matrix Market files (.mtx)
 *
 *     %%MatrixMarket matrix coordinate|array real|integer|pattern general|symmetric|skew-symmetric
 *     % comments
 *     rows columns entries        (array: rows columns)
 *     row column value            one entry per line, indices from 1 (pattern: no value; array: the
 *                                 value alone)
 *
 * Source: R. Boisvert, R. Pozo, K. Remington, The Matrix Market Exchange Formats, NISTIR 5935 (1996).
 * The words of the banner may be in any case; lines end with \n, \r\n or \r; blanks are spaces and tabs;
 * blank lines and comments may follow the banner anywhere; entries may be in any order and repeated (they are
 * summed).  A symmetric or skew-symmetric file lists its lower triangle, skew without the diagonal; an array
 * lists column by column. Codes: E221 file, E222 banner, E223 size line, E224 an entry, E225 number of
 * entries, N227 a last line without an end.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_MTX_H
#define BF_MTX_H
#include "base/diag.h"

typedef enum { BF_MTX_COORDINATE, BF_MTX_ARRAY } bf_mtx_layout;
typedef enum { BF_MTX_REAL, BF_MTX_INTEGER, BF_MTX_PATTERN } bf_mtx_field;
typedef enum { BF_MTX_GENERAL, BF_MTX_SYMMETRIC, BF_MTX_SKEW } bf_mtx_symmetry;

typedef struct bf_mtx {
  bf_mtx_layout   layout;
  bf_mtx_field    field;
  bf_mtx_symmetry symmetry;
  bf_int          nrows, ncols;
  int64_t         listed;    /* entries of the file */
  int64_t         nentries;  /* entries now: bf_mtx_expand adds those the symmetry implies */
  bf_int         *row, *col; /* owned [nentries], from 0; NULL in an array before bf_mtx_expand */
  double         *val;       /* owned [nentries], finite; NULL for a pattern before bf_mtx_expand */
  int             mirrored;  /* by bf_mtx_expand */
  int64_t         bytes;     /* of the file */
  int64_t         size_line; /* number of the size line in the file */
} bf_mtx;

/* Reads a file of any size: mapped, one pass, 16 bytes of memory per entry. BF_E_MODEL after exactly one
 * error in diags with its location; *out = NULL then. */
bf_err bf_mtx_read(const char *path, bf_diags *diags, bf_mtx **out);
/* The same from bytes; `name` is the file's in messages. */
bf_err bf_mtx_read_memory(const char *name, const void *data, size_t size, bf_diags *diags, bf_mtx **out);
void   bf_mtx_destroy(bf_mtx **A);

/* Every entry of the matrix as (row, col, val): a pattern gets ones, the other triangle of a symmetric or
 * skew-symmetric matrix is appended in the same order, and zeros of an array are dropped. A second call has
 * no effect. */
bf_err bf_mtx_expand(bf_mtx *A);

/* x[nrows] of a matrix with one column, in either layout, expanded or not; repeated entries are summed. */
bf_err bf_mtx_vector(const bf_mtx *A, double *x);

/* The first entry of the file, in its order, for which `is` is not 0: its place (line 0 where the file cannot
 * be read again) and indices from 0; i = -1 where there is none.  The file has been read without an error. */
typedef int (*bf_mtx_predicate)(const void *context, bf_int i, bf_int j);
bf_err bf_mtx_find(const char *path, bf_mtx_predicate is, const void *context, bf_where *at, bf_int *i,
                   bf_int *j);

const char *bf_mtx_layout_name(bf_mtx_layout layout);
const char *bf_mtx_field_name(bf_mtx_field field);
const char *bf_mtx_symmetry_name(bf_mtx_symmetry symmetry);
#endif
