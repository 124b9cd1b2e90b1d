/* solvers/linear/multigrid/jumps.c - coarsening auto where coefficients jump; see spectral.h
 *
 * Linear interpolation between planes, and rigid motions of aggregates, do not follow stiff parts of an
 * elastic body: hundreds of iterations where these are long and connected.  Spectral aggregates do, at the
 * cost of eigenproblems where coefficients jump.  Without element matrices, and for one unknown a node, where
 * the strength of couplings keeps both sides apart, aggregates of the couplings remain.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/multigrid/ops.h"
#include "solvers/linear/multigrid/spectral.h"
#include <stdio.h>

/* Quotients of coefficients, or of the diagonal at neighbouring nodes: above JUMP planes are left; above
 * SPECTRAL, or above SPECTRAL_LARGE where a body on a device has LARGE unknowns, eigenproblems take less time
 * than the iterations that they avoid, whose number grows with the mesh. */
static const double JUMP = 30.0, SPECTRAL = 1e5, SPECTRAL_LARGE = 1e3;
enum { LARGE = 200000 };

/* The largest quotient of the diagonal at neighbouring nodes of the lattice. */
static bf_err find_jump(const bf_mg_stage *s, double *most)
{
  bf_backend *be = s->be;
  void       *p  = NULL;
  *most          = 1.0;
  BF_TRY(be->ops.alloc(be, sizeof *most, &p));
  bf_err err = be->ops.mg_cycle->jump(be, s->grid, s->ncomp, s->diagonal, s->fixed, p);
  if (err == BF_OK) err = be->ops.copy(be, most, p, sizeof *most, BF_TO_HOST);
  if (err == BF_OK) err = be->ops.sync(be);
  be->ops.release(be, p);
  return err;
}

bf_err bf_mg_request_elements(bf_mg_stage *s, const bf_multigrid_body *body)
{
  bf_multigrid_elements e = {.coefficient = NULL};
  if (body && body->elements) BF_TRY(body->elements(body->context, &e));
  return e.set.ne > 0 ? bf_mg_local_create(s, &e, &s->local) : BF_OK;
}

bf_err bf_mg_choose_for_jumps(bf_mg_stage *s, const bf_multigrid_body *body, int allowed,
                              bf_multigrid_report *rep)
{
  const int    lattice  = s->grid[0] > 0;
  const double contrast = body ? body->contrast : 0.0;
  double       jump     = contrast;
  if (lattice) {
    BF_TRY(find_jump(s, &jump));
    if (!(jump > JUMP)) return BF_OK;
  }
  if (contrast > 0.0) jump = contrast;
  const double from = s->be->ops.on_device && s->n > LARGE ? SPECTRAL_LARGE : SPECTRAL;
  if (allowed && jump > from && body && body->rigid && !body->ends) BF_TRY(bf_mg_request_elements(s, body));
  if (!s->local) {
    s->grid[0] = 0;
    return BF_OK;
  }
  snprintf(rep->reason, sizeof rep->reason,
           "spectral aggregates, since the stiffness of elements differs by a factor of %.3g%s", jump,
           lattice ? " and jumps from one node to the next" : "");
  return BF_OK;
}
