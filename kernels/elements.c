/* kernels/elements.c - argument checks of an element batch, common to all backends */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/elements.h"

bf_err bf_element_batch_check(const bf_element_batch *E)
{
  BF_CHECK(E, BF_E_ARG, "no element batch");
  BF_CHECK(E->nen >= 1 && E->nen <= BF_ELEMENT_NODES, BF_E_ARG, "nen=%d: 1 to %d nodes of an element", E->nen,
           BF_ELEMENT_NODES);
  BF_CHECK(E->ncomp >= 1 && E->ncomp <= 3, BF_E_ARG, "ncomp=%d: 1 to 3 components", E->ncomp);
  BF_CHECK(E->nq >= 1 && E->nq <= 64, BF_E_ARG, "nq=%d: 1 to 64 integration points", E->nq);
  BF_CHECK(E->sdim >= 1 && E->sdim <= 3, BF_E_ARG, "sdim=%d: space has 1 to 3 dimensions", E->sdim);
  BF_CHECK(E->rdim >= 1 && E->rdim <= E->sdim, BF_E_ARG, "rdim=%d in space of sdim=%d", E->rdim, E->sdim);
  BF_CHECK(!E->revolved || E->sdim == 2, BF_E_ARG, "revolved=%d in space of sdim=%d: needs a plane",
           E->revolved, E->sdim);
  BF_CHECK(E->ne >= 0, BF_E_ARG, "ne=%d elements", (int)E->ne);
  BF_CHECK(E->w && E->N && E->dN, BF_E_ARG, "element batch without its tables w, N, dN");
  BF_CHECK(E->ne == 0 || (E->conn && E->x), BF_E_ARG, "element batch without conn or x");
  return BF_OK;
}

static bf_err check_transport(const bf_element_batch *E)
{
  BF_CHECK(E->ncomp == 1, BF_E_ARG, "ncomp=%d: the transport form has one component", E->ncomp);
  BF_CHECK(!E->factor, BF_E_ARG, "factor: the transport form has its coefficients in C or Cq");
  BF_CHECK(E->supg >= 0 && E->supg <= 2, BF_E_ARG, "supg=%d: the degree of the elements, or 0", E->supg);
  BF_CHECK(E->supg == 0 || (E->dNv && E->nvert >= 2 && E->nvert <= 8), BF_E_ARG,
           "nvert=%d: stabilisation needs the shape functions of 2 to 8 corners", E->nvert);
  BF_CHECK(E->supg > 0 || !E->ddN, BF_E_ARG, "ddN: second derivatives belong to stabilisation");
  return BF_OK;
}

bf_err bf_element_batch_check_matrix(const bf_element_batch *E)
{
  BF_TRY(bf_element_batch_check(E));
  BF_CHECK(E->C || E->Cq || E->ne == 0, BF_E_ARG, "element batch without its coefficients C");
  int nv = 0;
  switch (E->form) {
  case BF_FORM_GRAD:
    BF_CHECK(E->ncomp == 1, BF_E_ARG, "ncomp=%d: the gradient form has one component", E->ncomp);
    nv = E->sdim;
    break;
  case BF_FORM_STRAIN:
    BF_CHECK(E->ncomp == E->sdim, BF_E_ARG, "ncomp=%d: strains need sdim=%d components", E->ncomp, E->sdim);
    nv = E->revolved ? 4 : E->sdim * (E->sdim + 1) / 2;
    break;
  case BF_FORM_MASS: nv = E->ncomp; break;
  case BF_FORM_TRANSPORT:
    BF_TRY(check_transport(E));
    nv = E->sdim + 2;
    break;
  default: return BF_FAIL(BF_E_ARG, "form %d", (int)E->form);
  }
  BF_CHECK(!E->dN0 || (E->form == BF_FORM_STRAIN && !E->revolved && E->dM &&
                       E->nen + E->rdim <= BF_ELEMENT_NODES && E->nq > 1),
           BF_E_ARG, "dN0: incompatible modes need the strain form, dM, and more than one point");
  BF_CHECK(E->nv == nv, BF_E_ARG, "nv=%d: this form has %d rows", E->nv, nv);
  BF_CHECK(E->rdim == E->sdim || E->form == BF_FORM_MASS, BF_E_ARG,
           "rdim=%d in space of sdim=%d: only the mass form is defined there", E->rdim, E->sdim);
  return BF_OK;
}

bf_err bf_schur_check(const bf_schur *C)
{
  BF_CHECK(C, BF_E_ARG, "no elements to condense");
  BF_CHECK(C->ne >= 0, BF_E_ARG, "ne=%d elements", (int)C->ne);
  BF_CHECK(C->nd >= 2 && C->nd <= BF_SCHUR_MOST, BF_E_ARG, "nd=%d: 2 to %d unknowns of an element", C->nd,
           BF_SCHUR_MOST);
  BF_CHECK(C->ni >= 1 && C->ni < C->nd && C->ni <= BF_SCHUR_INNER, BF_E_ARG,
           "ni=%d of nd=%d unknowns are to go", C->ni, C->nd);
  BF_CHECK(C->ne == 0 || (C->K && (C->g || !C->f)), BF_E_ARG, "null argument");
  return BF_OK;
}

bf_err bf_schur_check_force(const bf_schur *C, const bf_int *conn, int ncomp, const double *u,
                            const double *fe)
{
  BF_TRY(bf_schur_check(C));
  BF_CHECK(ncomp >= 1 && ncomp <= 3 && (C->nd - C->ni) % ncomp == 0, BF_E_ARG, "ncomp=%d of %d unknowns",
           ncomp, C->nd - C->ni);
  BF_CHECK(C->ne == 0 || (conn && u && fe), BF_E_ARG, "null argument");
  return BF_OK;
}

bf_err bf_element_pencil_check(bf_int ne, int nen, int ncomp, const double *in, const double *out)
{
  BF_CHECK(ne >= 0, BF_E_ARG, "ne=%d elements", (int)ne);
  BF_CHECK(nen >= 1 && nen <= BF_ELEMENT_NODES, BF_E_ARG, "nen=%d: 1 to %d nodes of an element", nen,
           BF_ELEMENT_NODES);
  BF_CHECK(ncomp >= 1 && ncomp <= 3, BF_E_ARG, "ncomp=%d: 1 to 3 components", ncomp);
  BF_CHECK(ne == 0 || (in && out), BF_E_ARG, "null argument");
  return BF_OK;
}

bf_err bf_node_frames_check(bf_int ne, int nen, const bf_node_frames *F, const bf_int *conn, const double *Ke)
{
  BF_CHECK(ne >= 0, BF_E_ARG, "ne=%d elements", (int)ne);
  BF_CHECK(nen >= 1 && nen <= BF_ELEMENT_NODES, BF_E_ARG, "nen=%d: 1 to %d nodes of an element", nen,
           BF_ELEMENT_NODES);
  BF_CHECK(F && (F->ncomp == 2 || F->ncomp == 3), BF_E_ARG, "frames have 2 or 3 components");
  BF_CHECK(ne == 0 || (F->frame && F->T && conn && Ke), BF_E_ARG, "null argument");
  return BF_OK;
}
