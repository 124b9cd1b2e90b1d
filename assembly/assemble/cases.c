/* assembly/assemble/cases.c - one matrix and the right-hand sides of several load cases
 *
 *     A = K + (convection, springs),  b_i = f_i,  then  b_i <- b_i - A_fc g_i  with A as it is before the
 *     constraints, which change it once
 *
 * The cases are models of one mesh whose problems differ in loads and prescribed values only.  A sum of cases
 * is a model with the sums of their loads, prescribed values and thermal strains.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "assembly/cases.h"
#include "assembly/model/frames.h"
#include "assembly/model/internal.h"
#include "base/memory.h"
#include <math.h>

int bf_model_same_constraints(const bf_model *a, const bf_model *b, bf_int *node, int *component)
{
  const size_t n = (size_t)a->mesh->nnodes * (size_t)a->ncomp;
  for (size_t i = 0; i < n; i++) {
    if (a->fixed[i] == b->fixed[i]) continue;
    *node      = (bf_int)(i / (size_t)a->ncomp);
    *component = (int)(i % (size_t)a->ncomp);
    return 0;
  }
  for (bf_int i = 0; i < a->mesh->nnodes && (a->frame || b->frame); i++) {
    const double *S = bf_model_frame(a, i), *T = bf_model_frame(b, i);
    int           same = !S == !T;
    for (int k = 0; k < a->ncomp * a->ncomp && S && T; k++) same &= fabs(S[k] - T[k]) <= 1e-12;
    if (same) continue;
    *node      = i;
    *component = 0;
    return 0;
  }
  return 1;
}

bf_err bf_model_assemble_cases(int n, bf_model *const *m, const bf_numbering *num, bf_matrix *A,
                               double *const *b, double *const *x0, bf_phases *phases)
{
  bf_err      err = BF_OK;
  bf_backend *be  = A->be;
  bf_batches *bs  = NULL;
  BF_CHECK(n >= 1 && m[0]->ninner == 0 && m[0]->basis == &bf_basis_fem, BF_E_ARG,
           "load cases have isoparametric elements without condensed nodes");
  BF_GO(bf_model_assemble_free(m[0], num, A, b[0], phases));
  if (n > 1) BF_GO(bf_batches_create(m[0], num, be, "assembly: tables", phases, &bs));
  for (int i = 1; i < n; i++) { /* the tables of the first model: the elements are the same */
    BF_GO(bf_model_add_loads(m[i], num, bs, b[i], phases));
    BF_GO(bf_model_keep_loads(m[i], num, be, b[i], phases));
    BF_GO(bf_frames_turn_loads(m[i], num, be, b[i]));
  }
  BF_GO(bf_model_constrain(n, m, num, A, b, x0, phases));
done:
  bf_batches_destroy(&bs);
  return err;
}

/* to[n] = sum of factor * from[n] over the cases that have it */
static void add(size_t n, double factor, const double *from, double *to)
{
#pragma omp parallel for schedule(static) if (n > 8192)
  for (size_t k = 0; k < n; k++) to[k] += factor * from[k];
}

bf_err bf_model_combine(bf_model *m, int n, const bf_model *const *of, const double *factor)
{
  const size_t nu = (size_t)m->mesh->nnodes * (size_t)m->ncomp;
  if (!m->f_ext) BF_TRY(BF_NEW_ARRAY(m->f_ext, nu));
  for (size_t k = 0; k < nu; k++) m->f_ext[k] = m->value[k] = 0.0;
  for (int i = 0; i < n; i++) {
    if (factor[i] == 0.0) continue;
    BF_CHECK(of[i]->f_ext, BF_E_ARG, "case %d of a sum is not assembled", i);
    add(nu, factor[i], of[i]->f_ext, m->f_ext);
    add(nu, factor[i], of[i]->value, m->value);
  }
  for (int b = 0; b < m->nblocks; b++) {
    const size_t np = (size_t)m->block[b].block->n * (size_t)m->block[b].stiffness.n;
    for (size_t k = 0; m->block[b].expansion && k < np; k++) m->block[b].expansion[k] = 0.0;
    for (int i = 0; i < n; i++) {
      const double *strain = of[i]->block[b].expansion;
      if (!strain || factor[i] == 0.0) continue;
      if (!m->block[b].expansion) BF_TRY(BF_NEW_ARRAY(m->block[b].expansion, np));
      add(np, factor[i], strain, m->block[b].expansion);
    }
  }
  return BF_OK;
}
