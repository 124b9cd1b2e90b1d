/* assembly/model/value.c - numbers or formulas of the deck, evaluated on the host at many places */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "assembly/basis/field_source.h"
#include "assembly/basis/shape.h"
#include "assembly/model/internal.h"
#include "base/expression.h"
#include "base/memory.h"
#include <math.h>

enum { PIECE = 4096 }; /* points one thread evaluates at a time */

int bf_quantity_is_zero(const bf_quantity *q)
{
  return !q->formula && q->value == 0.0;
}

static bf_err compile(const bf_quantity *q, bf_expression **e)
{
  int column = 0;
  return q->table ? bf_expression_of_table(q->table, e) : bf_expression_create(q->formula, &column, e);
}

/* f[n] by pieces, each thread with its own compiled formula; *failed = first piece that failed. */
static void eval_pieces(const bf_quantity *q, int64_t n, const double *x, double *f, int64_t *failed)
{
  const int64_t npieces = (n + PIECE - 1) / PIECE;
  int64_t       first   = npieces;
#pragma omp parallel reduction(min : first) if (npieces > 1)
  {
    bf_expression *e    = NULL;
    const bf_err   made = compile(q, &e);
#pragma omp for schedule(static)
    for (int64_t p = 0; p < npieces; p++) {
      const int64_t i0 = p * PIECE, i1 = i0 + PIECE < n ? i0 + PIECE : n;
      if (made != BF_OK || bf_expression_eval(e, i1 - i0, x + 3 * i0, f + i0) != BF_OK)
        first = p < first ? p : first;
    }
    bf_expression_destroy(&e);
  }
  *failed = first < npieces ? first : -1;
}

bf_err bf_quantity_eval(const bf_quantity *q, int64_t n, const double *x, double *f)
{
  bf_err         err    = BF_OK;
  bf_expression *e      = NULL;
  int64_t        failed = -1;
  if (!q->formula) {
    BF_CHECK(isfinite(q->value), BF_E_MODEL, "the value %g is not finite", q->value);
    for (int64_t i = 0; i < n; i++) f[i] = q->value;
    return BF_OK;
  }
  if (q->source) return bf_field_source_eval(q->source, n, x, f);
  eval_pieces(q, n, x, f, &failed);
  if (failed < 0) return BF_OK;
  /* the message of another thread is not available here: repeats the failed piece on this thread */
  const int64_t i0 = failed * PIECE;
  err              = compile(q, &e);
  if (err == BF_OK) err = bf_expression_eval(e, n - i0, x + 3 * i0, f + i0);
  bf_expression_destroy(&e);
  return err == BF_E_ARG ? BF_E_INPUT : err; /* a formula that does not compile */
}

bf_err bf_model_factor(const bf_model *m, bf_int mat, int64_t n, const double *x, double *f)
{
  BF_CHECK(mat >= 0 && mat < m->problem->nmaterials, BF_E_ARG, "material %d of %d", mat,
           m->problem->nmaterials);
  const bf_quantity *q = m->physics->quantity(&m->problem->material[mat]);
  if (q->formula)
    BF_TRY(bf_quantity_need(m, q, n, x, NULL, 1, f));
  else
    for (int64_t i = 0; i < n; i++) f[i] = 1.0; /* the number is part of C */
  return BF_OK;
}

void bf_model_points(const bf_mesh *mesh, bf_elem_type type, const bf_int *node, bf_int e0, bf_int e1,
                     const bf_rule *rule, double *x)
{
  const int nen = bf_elem(type)->nnodes, nq = rule->n;
  double    N[BF_QUADRATURE_MAX][BF_NEN_MAX];
  for (int q = 0; q < nq; q++) bf_shape(type, rule->xi[q], N[q], NULL);
#pragma omp parallel for schedule(static) if (e1 - e0 > 1024)
  for (bf_int e = e0; e < e1; e++) {
    const bf_int *en = node + (size_t)e * (size_t)nen;
    double       *p  = x + (size_t)(e - e0) * (size_t)nq * 3;
    for (int q = 0; q < nq; q++)
      for (int d = 0; d < 3; d++) {
        double s = 0.0; /* x_d(xi_q) = sum_a N_a x_a */
        for (int a = 0; a < nen; a++) s += N[q][a] * mesh->x[3 * (size_t)en[a] + (size_t)d];
        p[3 * q + d] = s;
      }
  }
}
