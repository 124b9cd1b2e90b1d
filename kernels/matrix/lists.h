/* kernels/matrix/lists.h - the parts of matrices and the formats, one line each: everything else that is
 * listed by part or format is generated from these two
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_MATRIX_LISTS_H
#define BF_KERNELS_MATRIX_LISTS_H

/* X(csr) and so on: struct bf_csr, the member A->csr of a matrix, its host side bf_csr_part (matrix/format.h)
 * and its operations bf_cpu_csr_part and bf_cuda_csr_part (ops/matrix.h).  Of two parts of one matrix
 * the later adds to the earlier. */
#define BF_PART_LIST(X)                                                                                      \
  X(bdia)                                                                                                    \
  X(csr)                                                                                                     \
  X(ell)                                                                                                     \
  X(coo)                                                                                                     \
  X(bcsr)                                                                                                    \
  X(rest)

/* X(word, NAME): the deck's word, BF_FORMAT_<NAME> and its table bf_<word>_format (matrix/format.h). */
#define BF_FORMAT_LIST(X)                                                                                    \
  X(bdia, BDIA)                                                                                              \
  X(csr, CSR)                                                                                                \
  X(csr16, CSR16)   /* CSR, columns in 16 bits relative to the row */                                        \
  X(ell, ELL)       /* every row as long as the longest, column-major */                                     \
  X(hyb, HYB)       /* ELL of the usual length + COO of what is longer */                                    \
  X(dia, DIA)       /* bDIA with single diagonals: one segment, stored in full */                            \
  X(coo, COO)       /* row, column, value, sorted */                                                         \
  X(hybrid, HYBRID) /* bDIA + what fills no diagonal, as rows of its own */                                  \
  X(bcsr, BCSR)     /* CSR of D x D blocks, node columns in 16 bits where they fit */

#define BF_PART_NUMBER(part)         BF_PART_##part,
#define BF_FORMAT_NUMBER(word, NAME) BF_FORMAT_##NAME,
typedef enum bf_part_number { BF_PART_LIST(BF_PART_NUMBER) BF_PARTS } bf_part_number;
typedef enum bf_format { BF_FORMAT_LIST(BF_FORMAT_NUMBER) BF_FORMATS } bf_format;
#undef BF_PART_NUMBER
#undef BF_FORMAT_NUMBER
#endif
