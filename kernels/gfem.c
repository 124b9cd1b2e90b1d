/* kernels/gfem.c - argument checks of batches of generalised finite elements, common to all backends */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/gfem.h"

bf_err bf_gfem_batch_check(const bf_gfem_fits *F, const bf_gfem_batch *B, int with_matrix)
{
  BF_CHECK(F && B, BF_E_ARG, "null argument");
  BF_CHECK(F->dim >= 2 && F->dim <= 3 && F->order >= 1 && F->order <= 3, BF_E_ARG,
           "fits of order %d in %d dimensions", F->order, F->dim);
  BF_CHECK(B->ne >= 0 && B->nen > F->dim && B->nen <= BF_FIT_CORNERS && B->nq >= 1 && B->nq <= 64, BF_E_ARG,
           "%d elements of %d corners with %d points", B->ne, B->nen, B->nq);
  BF_CHECK(B->width > 0 && B->width % 2 == 0 && B->width <= BF_FIT_NODES && B->patches > 0 &&
               B->patches <= BF_FIT_PATCHES,
           BF_E_ARG, "elements of %d nodes and patches of %d together", B->width, B->patches);
  BF_CHECK(B->ne == 0 || (F->x && F->row && F->ptr && F->other && F->h && F->C && B->corner), BF_E_ARG,
           "fits or corners are missing");
  BF_CHECK(B->ne == 0 || (B->w && B->N && B->dN), BF_E_ARG, "the integration rule is missing");
  BF_CHECK(!with_matrix || B->ne == 0 || B->C, BF_E_ARG, "C is missing");
  BF_CHECK(B->form == BF_FORM_GRAD ? !with_matrix || B->ncomp == 1 : B->form == BF_FORM_STRAIN, BF_E_ARG,
           "form %d with %d components", (int)B->form, B->ncomp);
  BF_CHECK(B->ncomp == 1 || B->ncomp == F->dim, BF_E_ARG, "%d components in %d dimensions", B->ncomp, F->dim);
  BF_CHECK(!with_matrix || B->form != BF_FORM_STRAIN || B->ncomp == F->dim, BF_E_ARG,
           "strains of %d components in %d dimensions", B->ncomp, F->dim);
  return BF_OK;
}
