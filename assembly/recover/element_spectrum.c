/* assembly/recover/element_spectrum.c - eigenvalues of the element matrices: smallest, largest, and the
 * number of modes without energy
 *
 *     Ke v = lambda v,      0 = lambda_1 = .. = lambda_z < lambda_z+1 <= .. <= lambda_nd
 *
 * z is the number of rigid-body modes of an unconstrained body (of scalars: the constant). Further modes are
 * hourglass modes: their strain is 0 at the integration points. An eigenvalue is 0 if it is below ROUNDOFF nd
 * lambda_nd: element matrices and decompositions have errors of a few u lambda_nd. Ke includes center nodes,
 * even if they are condensed; incompatible modes, which are not motions of nodes, are eliminated. Convection
 * and springs, which act on sides, are not included. If every material of a solid has rho, also the pencil
 * with the lumped mass (mass.h):
 *
 *     Ke v = omega^2 Me v,      dt = 2 / omega_max,      omega_max = sqrt(lambda_nd(Me^-1/2 Ke Me^-1/2))
 *
 * No free vibration of the body has a higher frequency than the highest of a single element, so the central
 * difference method is stable with the smallest dt of all elements, for any supports but springs. Chunk by
 * chunk in the backend's memory: matrices, one bf_heev_batch of all of them, the values to the host. Source:
 * O. C. Zienkiewicz, R. L. Taylor, The Finite Element Method, 5th ed., vol. 1, section 10.3 (the eigenvalue
 * test of single elements); T. Belytschko, W. K. Liu, B. Moran, Nonlinear Finite Elements (2000), section 8.7
 * (hourglass modes), section 6.4 (time steps of elements; Irons, Rayleigh's principle).
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "assembly/assemble/mass.h"
#include "assembly/assemble/mass_batches.h"
#include "assembly/assemble/static_condensation.h"
#include "assembly/recover/recover.h"
#include "base/memory.h"
#include <float.h>
#include <math.h>

#define ROUNDOFF (10.0 * DBL_EPSILON)

void bf_model_check_spectra(const bf_model *m, bf_diags *diags)
{
  const bf_problem *p = m->problem;
  if (!p->spectrum) return;
  if (m->basis->no_spectrum)
    bf_diag_add(diags, BF_ERROR, 317, p->spectrum_where, "%s", m->basis->no_spectrum);
  if (!bf_model_symmetric(m))
    bf_diag_add(diags, BF_ERROR, 317, p->spectrum_where,
                "element matrices of %s are not symmetric and have no spectra of this kind; leave the field "
                "out",
                m->physics->words.name);
  if (p->analysis != BF_STATIC)
    bf_diag_add(diags, BF_ERROR, 317, p->spectrum_where,
                "spectra of single elements belong to analysis static in this version; leave the field out");
}

bf_err bf_model_check_steps(bf_model *m, bf_diags *diags)
{
  const bf_problem *p   = m->problem;
  int               all = 0;
  if (!p->spectrum || p->physics != BF_ELASTICITY) return BF_OK;
  BF_TRY(bf_model_densities(m, p->time_step ? diags : NULL, "a time step needs", &all));
  m->has_steps = all;
  return BF_OK;
}

typedef struct workspace {           /* of a chunk */
  void        *Ke, *w, *info, *work; /* owned backend memory */
  void        *Me, *lumped;          /* the same, with time steps */
  double      *values;               /* owned [chunk][nb] */
  bf_int      *host_info;            /* owned [chunk] */
  bf_condenser condenser;
} workspace;

typedef struct targets { /* by cell, from the first element of the block on; borrowed from the solution */
  double *min, *max, *zero, *step; /* step: NULL without time steps */
} targets;

static bf_batch matrices_of(const bf_element_batch *E, bf_int n, void *K)
{
  const int nb = E->nen * E->ncomp;
  return (bf_batch){.type = BF_D, .n = nb, .ld = nb, .count = n, .stride = (int64_t)nb * nb, .a = K};
}

/* mass: also memory for masses of one component */
static bf_err workspace_create(bf_backend *be, const bf_model_batch *B, int mass, bf_int *chunk, workspace *r)
{
  const bf_element_batch *E   = &B->E;
  const size_t            nen = (size_t)E->nen, nb = nen * (size_t)E->ncomp, values = nb * sizeof(double);
  const size_t            mass_bytes = mass ? nen * (nen + 1) * sizeof(double) : 0;
  const int               modes      = E->dN0 != NULL;
  size_t                  work;
  BF_TRY(bf_batch_chunk(be, E, bf_condense_bytes(B, modes) + values + sizeof(bf_int) + mass_bytes, chunk));
  const size_t   n = (size_t)*chunk;
  const bf_batch A = matrices_of(E, *chunk, NULL);
  BF_TRY(bf_batch_work(be, BF_HEEV, &A, &work));
  BF_TRY(be->ops.alloc(be, n * bf_condense_bytes(B, 0), &r->Ke));
  BF_TRY(be->ops.alloc(be, n * values, &r->w));
  BF_TRY(be->ops.alloc(be, n * sizeof(bf_int), &r->info));
  BF_TRY(be->ops.alloc(be, work, &r->work));
  if (mass) BF_TRY(be->ops.alloc(be, n * nen * nen * sizeof(double), &r->Me));
  if (mass) BF_TRY(be->ops.alloc(be, n * nen * sizeof(double), &r->lumped));
  if (modes) BF_TRY(bf_condense_create(be, B, *chunk, 1, &r->condenser));
  BF_TRY(BF_NEW_ARRAY(r->values, n * nb));
  BF_TRY(BF_NEW_ARRAY(r->host_info, n));
  return BF_OK;
}

static void workspace_release(bf_backend *be, workspace *r)
{
  void *const owned[] = {r->Ke, r->w, r->info, r->work, r->Me, r->lumped};
  for (size_t i = 0; i < sizeof owned / sizeof *owned; i++) be->ops.release(be, owned[i]);
  bf_condense_release(be, &r->condenser);
  bf_host_free(r->values);
  bf_host_free(r->host_info);
}

/* The eigenvalues of n matrices K, elements from e0 on, into r->values. */
static bf_err decompose(bf_backend *be, const bf_model_batch *B, bf_int e0, bf_int n, void *K, workspace *r)
{
  static const bf_heev_how how   = {.vectors = 0, .uplo = BF_LOWER};
  const size_t             bytes = (size_t)n * (size_t)(B->E.nen * B->E.ncomp) * sizeof(double);
  const bf_batch           A     = matrices_of(&B->E, n, K);
  BF_TRY(bf_heev_batch(be, &how, &A, r->w, r->info, r->work));
  BF_TRY(be->ops.copy(be, r->values, r->w, bytes, BF_TO_HOST));
  BF_TRY(be->ops.copy(be, r->host_info, r->info, (size_t)n * sizeof(bf_int), BF_TO_HOST));
  BF_TRY(be->ops.sync(be));
  for (bf_int e = 0; e < n; e++)
    BF_CHECK(r->host_info[e] == 0, BF_E_MODEL, "element %lld: the eigenvalue solver failed for its matrix",
             (long long)B->block->block->tag[e0 + e]);
  return BF_OK;
}

/* Cell e of the block from its eigenvalues w[nb], ascending. */
static void add_element(int nb, const double *w, bf_int e, const targets *to)
{
  const double zero = ROUNDOFF * nb * w[nb - 1];
  int          z    = 0;
  while (z < nb && w[z] <= zero) z++;
  to->min[e]  = z < nb ? w[z] : 0.0;
  to->max[e]  = w[nb - 1];
  to->zero[e] = z;
}

/* Elements e0 .. e1-1; M: their masses, or NULL. */
static bf_err one_chunk(bf_model *m, bf_backend *be, const bf_model_batch *B, const bf_element_batch *M,
                        bf_int e0, bf_int e1, workspace *r, const targets *to)
{
  const bf_int n  = e1 - e0;
  const size_t nb = (size_t)(B->E.nen * B->E.ncomp);
  void        *K  = r->Ke;
  BF_TRY(BF_OP(be, element.matrix, &B->E, e0, e1, r->Ke));
  if (B->E.dN0) {
    BF_TRY(bf_condense_chunk(m, be, B, e0, e1, 0, r->Ke, NULL, &r->condenser));
    K = r->condenser.S;
  }
  BF_TRY(decompose(be, B, e0, n, K, r));
#pragma omp parallel for schedule(static) if (n > 8192)
  for (bf_int e = 0; e < n; e++) add_element((int)nb, r->values + (size_t)e * nb, e0 + e, to);
  if (!M) return BF_OK;
  BF_TRY(BF_OP(be, element.matrix, M, e0, e1, r->Me));
  BF_TRY(BF_OP(be, element.lump, n, M->nen, r->Me, r->lumped));
  BF_TRY(BF_OP(be, element.pencil, n, M->nen, B->E.ncomp, r->lumped, K));
  BF_TRY(decompose(be, B, e0, n, K, r));
  for (bf_int e = 0; e < n; e++) to->step[e0 + e] = 2.0 / sqrt(r->values[(size_t)(e + 1) * nb - 1]);
  return BF_OK;
}

static bf_err one_block(bf_model *m, bf_backend *be, const bf_model_batch *B, const bf_element_batch *M,
                        const targets *to)
{
  bf_err    err = BF_OK;
  workspace r   = {0};
  bf_int    chunk;
  if (B->E.ne == 0) return BF_OK;
  BF_GO(workspace_create(be, B, M != NULL, &chunk, &r));
  for (bf_int e0 = 0; e0 < B->E.ne; e0 += chunk) {
    const bf_int e1 = B->E.ne - e0 < chunk ? B->E.ne : e0 + chunk;
    BF_GO(one_chunk(m, be, B, M, e0, e1, &r, to));
    if (e1 == B->E.ne) break;
  }
done:
  workspace_release(be, &r);
  return err;
}

static const char *eigenvalue_unit(const bf_model *m)
{
  return m->ncomp == 1 ? "W/K" : "N/m";
}

static void sum_up(const bf_model *m, const bf_block *block, const targets *of, bf_spectrum *s)
{
  const int64_t *id    = block->tag;
  const int      rigid = bf_model_motions(m);
  bf_int         min = 0, max = 0, most = 0, step = 0;
  *s = (bf_spectrum){.type     = block->type,
                     .elements = block->n,
                     .expected = rigid,
                     .unit     = bf_unit_in(m->problem->units, eigenvalue_unit(m))};
  for (bf_int e = 0; e < block->n; e++) {
    s->faulty += of->zero[e] > rigid;
    if (of->min[e] < of->min[min]) min = e;
    if (of->max[e] > of->max[max]) max = e;
    if (of->zero[e] > of->zero[most]) most = e;
    if (of->step && of->step[e] < of->step[step]) step = e;
  }
  s->most    = (int)of->zero[most];
  s->min     = of->min[min];
  s->max     = of->max[max];
  s->step    = of->step ? of->step[step] : 0.0;
  s->most_id = id[most];
  s->min_id  = id[min];
  s->max_id  = id[max];
  s->step_id = id[step];
}

/* Bytes and operations of all blocks: matrices written and read, tridiagonal forms. */
static void add_phase(const bf_model *m, const bf_batches *bs, double seconds, bf_phases *phases)
{
  double bytes = 0.0, flops = 0.0;
  for (int b = 0; b < m->nblocks; b++) {
    const double nb = bs->batch[b].E.nen * bs->batch[b].E.ncomp, n = bs->batch[b].E.ne * (1.0 + m->has_steps);
    bytes += 16.0 * n * nb * nb;
    flops += 4.0 / 3.0 * n * nb * nb * nb;
  }
  bf_phase_add(phases, "recover: element spectra", seconds, bytes, flops);
}

bf_err bf_recover_spectra(bf_model *m, const bf_numbering *num, const bf_batches *bs, const bf_view *view,
                          bf_phases *phases, bf_solution *out)
{
  bf_err       err  = BF_OK;
  const char  *unit = eigenvalue_unit(m);
  const double t0   = bf_seconds();
  targets      all  = {0};
  bf_int       cell = 0;
  bf_batches  *mass = NULL;
  BF_GO(bf_recover_add(out, "spectrum_min", unit, 1, 1, view->ncells, &all.min));
  BF_GO(bf_recover_add(out, "spectrum_max", unit, 1, 1, view->ncells, &all.max));
  BF_GO(bf_recover_add(out, "zero_energy_modes", "1", 1, 1, view->ncells, &all.zero));
  if (m->has_steps) {
    BF_GO(bf_recover_add(out, "critical_time_step", "s", 1, 1, view->ncells, &all.step));
    BF_GO(bf_mass_batches_create(m, num, bs->be, 1, NULL, &mass));
  }
  BF_GO(BF_NEW_ARRAY(out->spectrum, m->nblocks));
  for (int b = 0; b < m->nblocks; b++) { /* cells are elements, ascending, and so are blocks */
    const targets own = {all.min + cell, all.max + cell, all.zero + cell, all.step ? all.step + cell : NULL};
    BF_GO(one_block(m, bs->be, &bs->batch[b], mass ? &mass->batch[b].E : NULL, &own));
    if (m->block[b].block->n > 0) sum_up(m, m->block[b].block, &own, &out->spectrum[out->nspectra++]);
    cell += m->block[b].block->n;
  }
  add_phase(m, bs, bf_seconds() - t0, phases);
done:
  bf_batches_destroy(&mass);
  return err;
}
