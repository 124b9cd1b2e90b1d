/* kernels/matrix/plan.h - the planner: layouts and options -> candidates with bytes and expected time -> a
 * choice
 *
 * The caller has one or several layouts (numberings) of the same matrix and lists the formats to consider;
 * the planner counts bytes and expected seconds of each and selects the fastest that the options allow.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_MATRIX_PLAN_H
#define BF_KERNELS_MATRIX_PLAN_H
#include "kernels/matrix/format.h"

enum { BF_ANY = -1 };

typedef struct bf_candidate { /* a layout in a format */
  int        layout;          /* the caller's number of it */
  bf_format  format;
  int        half;
  bf_why_not why_not;        /* BF_FITS: possible; else the sizes below may be 0 */
  int64_t    bytes, product; /* memory, and moved by a product, with the requested precision */
  double     seconds;        /* that a product is expected to take */
  int64_t    before;         /* CSR that the matrix is made from, on the backend; 0: assembled as it is */
} bf_candidate;

enum { BF_CANDIDATES_MAX = 32 };
typedef struct bf_candidates {
  int          count;
  bf_candidate item[BF_CANDIDATES_MAX];
} bf_candidates;

typedef enum bf_storage_request {
  BF_REQUEST_ANY = BF_ANY,
  BF_REQUEST_FULL,
  BF_REQUEST_HALF,
  BF_REQUEST_HALF_IF_ANY /* half wherever a candidate is possible in it, or the named format; else full */
} bf_storage_request;

typedef struct bf_format_request {
  int                format; /* bf_format; BF_ANY: the formats of auto */
  bf_storage_request storage;
  int                layout; /* BF_ANY */
} bf_format_request;

/* One more candidate: layout number `number` in a format.  BF_FP32 values: memory of both precisions, product
 * of the rounded ones. why_not: a reason known to the caller; if a candidate is not possible, the planner
 * sets the reason.
 */
bf_err bf_plan_add(bf_candidates *list, const bf_layout *L, int number, bf_format format, int half,
                   bf_prec values, bf_why_not why_not, const bf_rates *rates);
/* HYBRID by the split of L->graph that moves the fewest bytes with values of `value_bytes`. */
bf_err bf_plan_add_split(bf_candidates *list, const bf_layout *L, int number, int half, int value_bytes,
                         bf_prec values, bf_why_not why_not, const bf_rates *rates);

/* Does auto consider this format of rows, for a matrix of such nodes? */
int bf_plan_considers(bf_format format, int ncomp);
/* Number of the fastest candidate that the request allows, -1: none; and whether one is allowed. */
int bf_plan_choose(const bf_candidates *list, const bf_format_request *request);
int bf_plan_allows(const bf_candidates *list, const bf_format_request *request, const bf_candidate *c);
#endif
