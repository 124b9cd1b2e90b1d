/* assembly/recover/mode_energies.c - see mode_energies.h: shapes and strain energies of modes
 *
 *     w_e = 1/2 u_e . (K_e u_e) / V_e,   sum_e w_e V_e = 1/2 phi K phi = 1/2 lambda phi M phi
 *     (without springs)
 *
 * K_e u_e is computed on the backend chunk by chunk, products and volumes on the host.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "assembly/recover/mode_energies.h"
#include "assembly/basis/shape.h"
#include "assembly/model/frames.h"
#include "assembly/recover/recover.h"
#include "base/memory.h"
#include <string.h>

int64_t bf_model_free_unknowns(const bf_model *m)
{
  int64_t free = 0;
  for (size_t i = 0; i < (size_t)m->mesh->nnodes; i++)
    for (size_t c = 0; c < (size_t)m->ncomp; c++) free += m->used[i] && !m->fixed[i * (size_t)m->ncomp + c];
  return free;
}

/* Volume of every element of the body by element number, with turn and thickness. */
static void volumes(const bf_model *m, double *volume)
{
  for (int b = 0; b < m->nblocks; b++) {
    const bf_block *block = m->block[b].block;
    const bf_rule  *rule  = &m->block[b].stiffness;
    const int       nen   = bf_elem(block->type)->nnodes;
    double          N[BF_QUADRATURE_MAX][BF_NEN_MAX], dN[BF_QUADRATURE_MAX][BF_NEN_MAX][3];
    for (int q = 0; q < rule->n; q++) bf_shape(block->type, rule->xi[q], N[q], dN[q]);
#pragma omp parallel for schedule(static)
    for (bf_int e = 0; e < block->n; e++) {
      double x[BF_NEN_MAX][3], J[3][3], sum = 0.0;
      for (int a = 0; a < nen; a++)
        memcpy(x[a], m->mesh->x + 3 * (size_t)block->node[(size_t)e * (size_t)nen + (size_t)a], sizeof x[a]);
      for (int q = 0; q < rule->n; q++)
        sum += rule->w[q] * bf_model_turn(m, nen, N[q], (const double(*)[3])x) *
               bf_shape_jacobian(block->type, m->sdim, (const double(*)[3])x, (const double(*)[3])dN[q], J);
      volume[block->first + e] = m->thickness * sum;
    }
  }
}

/* energy[block->first + e] = 1/2 u_e . f_e of elements e0 .. e1-1, f[e1-e0][nen*ncomp] */
static void products(const bf_numbering *num, const bf_model_batch *b, bf_int e0, bf_int e1, const double *u,
                     const double *f, double *energy)
{
  const size_t nen = (size_t)b->E.nen, D = (size_t)b->E.ncomp;
#pragma omp parallel for schedule(static)
  for (bf_int e = e0; e < e1; e++) {
    const bf_int *node = b->node + (size_t)e * nen;
    const double *fe   = f + (size_t)(e - e0) * nen * D;
    double        sum  = 0.0;
    for (size_t a = 0; a < nen; a++)
      for (size_t c = 0; c < D; c++) sum += fe[a * D + c] * u[(size_t)num->row[node[a]] * D + c];
    energy[b->block->block->first + e] = 0.5 * sum;
  }
}

typedef struct workspace { /* for the forces of a chunk of elements */
  bf_int  chunk;
  void   *backend; /* owned */
  double *host;    /* owned */
} workspace;

static bf_err workspace_create(bf_backend *be, const bf_element_batch *E, workspace *r)
{
  const size_t nd = (size_t)E->nen * (size_t)E->ncomp, bytes = nd * sizeof(double);
  BF_TRY(bf_batch_chunk(be, E, bytes, &r->chunk));
  const size_t most = ((size_t)BF_CHUNK_MIB_HOST << 20) / bytes; /* it is copied to the host too */
  if ((size_t)r->chunk > most) r->chunk = (bf_int)most;
  BF_TRY(be->ops.alloc(be, (size_t)r->chunk * bytes, &r->backend));
  BF_TRY(BF_NEW_ARRAY(r->host, (size_t)r->chunk * nd));
  return BF_OK;
}

/* Energies of the elements of one batch; u on the host, ub on the backend. */
static bf_err batch_energy(const bf_numbering *num, bf_backend *be, const bf_model_batch *b, const double *u,
                           const double *ub, double *energy)
{
  bf_err                  err = BF_OK;
  const bf_element_batch *E   = &b->E;
  const size_t            nd  = (size_t)E->nen * (size_t)E->ncomp;
  workspace               r   = {0};
  if (E->ne == 0) return BF_OK;
  BF_GO(workspace_create(be, E, &r));
  for (bf_int e0 = 0, e1; e0 < E->ne; e0 = e1) {
    e1 = E->ne - e0 < r.chunk ? E->ne : e0 + r.chunk;
    BF_GO(BF_OP(be, element.force, E, e0, e1, ub, r.backend));
    BF_GO(be->ops.copy(be, r.host, r.backend, (size_t)(e1 - e0) * nd * sizeof(double), BF_TO_HOST));
    BF_GO(be->ops.sync(be));
    products(num, b, e0, e1, u, r.host, energy);
  }
done:
  be->ops.release(be, r.backend);
  bf_host_free(r.host);
  return err;
}

static void shape(const bf_model *m, const bf_numbering *num, const bf_view *view, const double *u,
                  double *out)
{
  const size_t D = (size_t)m->ncomp, width = D == 1 ? 1 : 3;
#pragma omp parallel for
  for (bf_int p = 0; p < view->npoints; p++)
    for (size_t c = 0; c < D; c++) out[(size_t)p * width + c] = u[(size_t)num->row[view->node[p]] * D + c];
}

static bf_err modes(const bf_model *m, const bf_numbering *num, const bf_batches *bs, const bf_view *view,
                    const double *X, int count, double *shapes, double *energies)
{
  bf_err       err = BF_OK;
  bf_backend  *be  = bs->be;
  const size_t n = (size_t)num->nrows * (size_t)m->ncomp, width = m->ncomp == 1 ? 1 : 3;
  double      *volume = NULL, *energy = NULL, *turned = NULL; /* a mode in x, y, z */
  void        *ub = NULL;
  BF_GO(BF_NEW_ARRAY(volume, m->mesh->nelem));
  BF_GO(BF_NEW_ARRAY(energy, m->mesh->nelem));
  BF_GO(be->ops.alloc(be, n * sizeof *X, &ub));
  volumes(m, volume);
  if (m->frame) BF_GO(BF_NEW_ARRAY(turned, n));
  for (int k = 0; k < count; k++) {
    const double *u = X + (size_t)k * n;
    if (turned) memcpy(turned, u, n * sizeof *u);
    if (turned) bf_frames_turn(m, num, 0, turned);
    if (turned) u = turned;
    double *w = energies + (size_t)k * (size_t)view->ncells;
    shape(m, num, view, u, shapes + (size_t)k * (size_t)view->npoints * width);
    BF_GO(be->ops.copy(be, ub, u, n * sizeof *u, BF_TO_DEVICE));
    for (int b = 0; b < m->nblocks; b++) BF_GO(batch_energy(num, be, &bs->batch[b], u, ub, energy));
    for (bf_int c = 0; c < view->ncells; c++) w[c] = energy[view->elem[c]] / volume[view->elem[c]];
  }
done:
  be->ops.release(be, ub);
  bf_host_free(volume);
  bf_host_free(energy);
  bf_host_free(turned);
  return err;
}

bf_err bf_model_recover_modes(const bf_model *m, const bf_numbering *num, bf_backend *be, const bf_view *view,
                              const double *X, int count, bf_phases *phases, bf_solution *out)
{
  bf_err      err    = BF_OK;
  bf_solution s      = {0};
  bf_batches *bs     = NULL;
  double     *shapes = NULL, *energies = NULL;
  BF_CHECK(m && num && be && view && X && out && count > 0, BF_E_ARG, "null argument, or no modes");
  BF_CHECK(!m->basis->no_mass, BF_E_ARG, "%s", m->basis->no_mass);
  BF_CHECK(m->ninner == 0, BF_E_ARG, "modes with condensed nodes");
  *out = (bf_solution){0};
  BF_GO(BF_NEW_ARRAY(s.field, BF_RECOVER_FIELDS));
  BF_GO(bf_batches_create(m, num, be, "recover: tables", phases, &bs));
  double       since = bf_seconds();
  const size_t times = (size_t)count;
  BF_CHECK(3 * times * (size_t)view->npoints < SIZE_MAX / 64, BF_E_ARG, "too many modes");
  const int scalar = m->ncomp == 1; /* a scalar wave */
  BF_GO(bf_recover_add_times(&s, "mode_shape", scalar ? "1" : m->physics->words.field_unit, scalar ? 1 : 3, 0,
                             view->npoints, count, &shapes));
  BF_GO(bf_recover_add_times(&s, "modal_strain_energy", scalar ? "1" : "J/m3", 1, 1, view->ncells, count,
                             &energies));
  BF_GO(modes(m, num, bs, view, X, count, shapes, energies));
  BF_GO(bf_recover_material(m, view, &s));
  BF_GO(bf_recover_in_axes(m, view, count, &s));
  BF_GO(bf_phase_end(be, phases, "recover: modes", &since, 0.0));
  for (int i = 0; i < s.nfields; i++) s.field[i].unit = bf_unit_in(m->problem->units, s.field[i].unit);
  *out = s;
  s    = (bf_solution){0};
done:
  bf_batches_destroy(&bs);
  bf_solution_clear(&s);
  return err;
}
