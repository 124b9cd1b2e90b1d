/* kernels/matrix/format.h - the table of a part and the table of a format: functions that a new one must
 * define
 *
 * matrix.c, convert.c and plan.c use formats only through these tables; lists.h lists them.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_MATRIX_FORMAT_H
#define BF_KERNELS_MATRIX_FORMAT_H
#include "kernels/matrix/cost_model.h"
#include "kernels/matrix/matrix.h"

/* ---- parts ---- */

typedef struct bf_part_size {
  bf_int  nrows; /* scalar */
  bf_prec prec;
  int     half;    /* symmetric half storage */
  int64_t entries; /* nonzeros that it lists; -1: not counted, slots may hold no nonzero */
  int64_t values;  /* stored, padding included */
  int64_t bytes;   /* memory */
  int64_t product; /* moved by a product besides x and y once */
} bf_part_size;

typedef enum bf_part_diagonals {                     /* action of the operation `diagonal` of a part */
                                 BF_DIAGONAL_ALL,    /* sets every entry */
                                 BF_DIAGONAL_LISTED, /* sets those that the part has */
                                 BF_DIAGONAL_NONE    /* the part has none: no operation */
} bf_part_diagonals;

typedef struct bf_part {
  const char       *name;
  bf_part_diagonals diagonals;
  bf_part_size (*size)(const bf_matrix *A);
  bf_err (*check)(const bf_matrix *A);                      /* structure, on the host */
  bf_err (*to_sparse)(const bf_matrix *A, bf_sparse **out); /* host copy of the part */
  bf_err (*to_fp32)(const bf_matrix *A, bf_matrix *B);      /* the part of B from that of A */
  /* Most entries in a row that a product multiplies, zeros of bands included; may wait for the backend. */
  bf_err (*longest)(const bf_matrix *A, int64_t *most);
  int (*transposes)(const bf_matrix *A); /* whether this one has y = A^T x; NULL: as its format */
  void (*destroy)(bf_matrix *A);         /* NULL where A has none */
} bf_part;

extern const bf_part *const bf_parts[BF_PARTS];
/* The first part that A has at or after number `part`; BF_PARTS: none. */
int bf_next_part(const bf_matrix *A, int part);
/* Over the numbers k of the parts that A has. */
#define BF_FOR_PARTS(A) for (int k = bf_next_part(A, 0); k < BF_PARTS; k = bf_next_part(A, k + 1))

/* ---- formats ---- */

typedef enum bf_why_not { /* why a matrix is not stored in a format */
                          BF_FITS,
                          BF_TOO_MANY_DIAGONALS,
                          BF_TOO_FAR, /* a column from its row, for 16 bits */
                          BF_UNSYMMETRIC_PATTERN,
                          BF_UNSYMMETRIC
} bf_why_not;

typedef struct bf_format_cost {
  int64_t bytes, product; /* memory; moved by a product */
} bf_format_cost;

typedef struct bf_format_ops {
  const char *word;
  unsigned    parts;    /* bits 1 << BF_PART_... */
  int         bands;    /* stored by diagonals, of L->bands */
  int         pattern;  /* cost needs L->graph */
  int         half;     /* has symmetric half storage */
  int         elements; /* element matrices can be added; else the matrix is assembled as CSR and converted */
  int         automatic;   /* auto may take it */
  int         least_ncomp; /* components of a node from which auto considers it; 0: any */
  int         transposes;  /* y = A^T x in place */
  bf_why_not (*fits)(const bf_layout *L);
  bf_err (*cost)(const bf_layout *L, int half, bf_prec prec, bf_format_cost *out);
  /* The parts of A, a matrix of this format without any, zero or from S; BF_E_ARG where it does not fit,
   * BF_E_MEMORY with the forecast.  create NULL: without `elements`. */
  bf_err (*create)(bf_matrix *A, const bf_layout *L, int half);
  bf_err (*from_sparse)(bf_matrix *A, const bf_sparse *S, int half);
  bf_rate rate[2]; /* expected time of a product on the host and on a device; formats with bands: by kind */
  bf_rate half_rate[2]; /* the same in half storage */
} bf_format_ops;

#define BF_PART_EXTERN(part)         extern const bf_part bf_##part##_part;
#define BF_FORMAT_EXTERN(word, NAME) extern const bf_format_ops bf_##word##_format;
BF_PART_LIST(BF_PART_EXTERN)
BF_FORMAT_LIST(BF_FORMAT_EXTERN)
#undef BF_PART_EXTERN
#undef BF_FORMAT_EXTERN

/* The table of an existing format. */
const bf_format_ops *bf_format_of(bf_format format);
#endif
