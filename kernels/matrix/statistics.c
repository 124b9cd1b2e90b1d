/* kernels/matrix/statistics.c - see statistics.h */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/matrix/statistics.h"
#include "base/memory.h"
#include <math.h>
#include <stdlib.h>

/* ---- symmetry ---- */

typedef struct mirror { /* statistics of the pairs of a row */
  int64_t unpaired, unequal;
  double  asymmetry;
  int     skew;
} mirror;

/* The pair of an entry off the diagonal; a pair whose two are listed counts where i > j. */
static void pair(const bf_sparse *S, const double *size, bf_int i, int64_t p, mirror *m)
{
  const bf_int  j = S->col[p];
  const int64_t q = bf_sparse_place(S, j, i);
  const double  a = S->val[p], b = q >= 0 ? S->val[q] : 0.0;
  m->unpaired += q < 0;
  if (a != -b) m->skew = 0;
  if (a == b || (q >= 0 && i < j)) return;
  m->unequal++;
  m->asymmetry = fmax(m->asymmetry, fabs(a - b) / fmax(size[i], size[j]));
}

static bf_err symmetry(const bf_sparse *S, bf_statistics *out)
{
  int64_t unpaired = 0, unequal = 0;
  double  asymmetry = 0.0, *size = NULL;
  int     skew = 1;
  BF_TRY(BF_NEW_ARRAY(size, S->nrows));
  for (bf_int i = 0; i < S->nrows; i++)
    for (int64_t p = S->ptr[i]; p < S->ptr[i + 1]; p++) size[i] = fmax(size[i], fabs(S->val[p]));
#pragma omp parallel for schedule(static) reduction(+ : unpaired, unequal) reduction(max : asymmetry) reduction(&& : skew)
  for (bf_int i = 0; i < S->nrows; i++) {
    mirror m = {.skew = 1};
    for (int64_t p = S->ptr[i]; p < S->ptr[i + 1]; p++) {
      if (S->col[p] != i)
        pair(S, size, i, p, &m);
      else if (S->val[p] != 0.0)
        m.skew = 0;
    }
    unpaired += m.unpaired;
    unequal += m.unequal;
    asymmetry = fmax(asymmetry, m.asymmetry);
    skew      = skew && m.skew;
  }
  out->unpaired  = unpaired;
  out->unequal   = unequal;
  out->asymmetry = asymmetry;
  out->skew      = skew && unequal > 0;
  bf_host_free(size);
  return BF_OK;
}

/* ---- rows ---- */

static void diagonal(bf_statistics *v, bf_int i, int listed, double d, double others)
{
  v->missing += !listed;
  v->zero += listed && d == 0.0;
  v->positive += d > 0.0;
  v->negative += d < 0.0;
  if (d == 0.0 && v->hole < 0) v->hole = i;
  v->dominant += fabs(d) >= others;
  v->strictly += fabs(d) > others;
  v->gershgorin_lo = fmin(v->gershgorin_lo, d - others);
  v->gershgorin_hi = fmax(v->gershgorin_hi, d + others);
}

static void row(const bf_sparse *S, bf_int i, bf_statistics *v, uint8_t *col_used)
{
  const bf_int n      = (bf_int)(S->ptr[i + 1] - S->ptr[i]);
  int          listed = 0, used = 0;
  double       d = 0.0, others = 0.0;
  v->shortest = n < v->shortest ? n : v->shortest;
  v->longest  = n > v->longest ? n : v->longest;
  for (int64_t p = S->ptr[i]; p < S->ptr[i + 1]; p++) {
    const double a = S->val[p], size = fabs(a);
    v->zeros += a == 0.0;
    if (a != 0.0) {
      used = col_used[S->col[p]] = 1;
      v->largest                 = fmax(v->largest, size);
      v->least                   = fmin(v->least, size);
    }
    if (S->col[p] == i) {
      listed = 1;
      d      = a;
    } else {
      others += size;
    }
  }
  if (!used && v->empty_rows++ == 0) v->empty_row = i;
  diagonal(v, i, listed, d, others);
}

bf_err bf_sparse_statistics(const bf_sparse *S, bf_statistics *out)
{
  bf_err   err      = BF_OK;
  uint8_t *col_used = NULL;
  BF_CHECK(S && out, BF_E_ARG, "null argument");
  BF_CHECK(S->nrows == S->ncols && S->nrows > 0, BF_E_ARG, "%d x %d is not square", S->nrows, S->ncols);
  *out = (bf_statistics){.shortest      = INT32_MAX,
                         .empty_row     = -1,
                         .empty_col     = -1,
                         .hole          = -1,
                         .least         = INFINITY,
                         .gershgorin_lo = INFINITY,
                         .gershgorin_hi = -INFINITY};
  BF_GO(BF_NEW_ARRAY(col_used, S->ncols));
  BF_GO(symmetry(S, out));
  for (bf_int i = 0; i < S->nrows; i++) row(S, i, out, col_used);
  for (bf_int j = 0; j < S->ncols; j++)
    if (!col_used[j] && out->empty_cols++ == 0) out->empty_col = j;
  if (out->largest == 0.0) out->least = 0.0;
done:
  bf_host_free(col_used);
  return err;
}
