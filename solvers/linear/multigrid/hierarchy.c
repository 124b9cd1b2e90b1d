/* solvers/linear/multigrid/hierarchy.c - the levels of a multigrid preconditioner, from the first to the
 * coarsest
 *
 *     quadratic elements: to their vertices;  a lattice: by planes;  else, and where nodes have frames: by
 *     smoothed aggregation
 *
 * until a level has at most `coarsest` unknowns.  A level's fp64 values live until the next level is made.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "base/timer.h"
#include "kernels/multigrid/block_rows.h"
#include "kernels/multigrid/ops.h"
#include "solvers/linear/multigrid/multigrid.h"
#include "solvers/linear/multigrid/spectral.h"
#include <math.h>
#include <stdio.h>

/* Eigenvalues of spectral aggregates, on the scale of D^-1 A.  Of elastic bodies further vectors fill blocks
 * of three, as if tau were larger. */
static const double TAU = 0.2, TAU_ELASTIC = 0.15;
enum { PRODUCTS = 8, PRODUCTS_AGGREGATES = 15 }; /* Lanczos steps for lambda */
enum {
  COARSEST_DEVICE          = 2000,
  COARSEST_CPU             = 1000,
  COARSEST_GENERAL         = 500,
  COARSEST_SPECTRAL        = 4096, /* on a device as many as an inverse costs what another level would */
  COARSEST_SPECTRAL_DEVICE = 12288,
  COARSEST_SECTIONS_DEVICE = 8192, /* below sections of quadratic elements aggregates lose bending */
  COARSEST_MOST            = 8192
};

typedef struct maker {
  const bf_multigrid_options *opt;
  const bf_multigrid_body    *body;
  bf_multigrid_report        *rep;
  bf_multigrid               *M;
  bf_mg_choice                how;
  int                         general; /* some coarsening was not by planes */
} maker;

static bf_int coarsest_of(const maker *m, const bf_backend *be, bf_coarsening by)
{
  const int    device   = be->ops.on_device;
  const bf_int ordinary = device ? COARSEST_DEVICE : COARSEST_CPU,
               spectral = device ? COARSEST_SPECTRAL_DEVICE : COARSEST_SPECTRAL;
  bf_int coarsest       = by == BF_COARSENING_SPECTRAL ? spectral : ordinary;
  if (m->opt->coarsest > 0) coarsest = m->opt->coarsest;
  return !m->M->symmetric && coarsest > COARSEST_GENERAL ? COARSEST_GENERAL : coarsest;
}

static bf_mg_choice choose(const maker *m, const bf_backend *be)
{
  const bf_multigrid_options *o   = m->opt;
  const double                tau = m->body && m->body->rigid ? TAU_ELASTIC : TAU;
  return (bf_mg_choice){
      .theta = o->theta, .tau = o->tau > 0.0 ? o->tau : tau, .coarsest = coarsest_of(m, be, o->coarsening)};
}

static int degree_of(const maker *m, int level)
{
  if (m->opt->degree > 0) return m->opt->degree;
  return level == 0 && m->body && m->body->stiff ? 3 : 2;
}

/* ---- a level for the cycle ---- */

/* The vectors that the cycle needs on level l, whose sizes and degree are set; *bytes of them. */
static bf_err level_vectors(bf_multigrid *M, int l, int last, int64_t *bytes)
{
  bf_mg_level *L      = &M->level[l];
  double     **all[]  = {&L->b, &L->x, &L->e, &L->r, &L->y, &L->z, &L->w};
  const int    want[] = {l > 0, l > 0, l > 0, !last, !last, !last, !last && L->degree > 2};
  *bytes              = 0;
  for (int i = 0; i < 7; i++) {
    if (!want[i]) continue;
    BF_TRY(bf_vector_create(M->be, L->n, L->guard, all[i]));
    *bytes += 8 * ((int64_t)L->n + 2 * (int64_t)L->guard);
  }
  return BF_OK;
}

static int64_t nnz_of(const bf_mg_stage *s)
{
  return s->A ? s->A->nnz : s->rows->nnz * s->rows->form.br * s->rows->form.bc;
}

/* fp32 values, which the largest eigenvalue is computed with too. */
static bf_err level_values(bf_mg_level *L, bf_mg_stage *s)
{
  if (s->rows) return bf_block_rows_to_fp32(s->rows, &L->rows);
  BF_TRY(bf_matrix_to_fp32(s->A, &L->A));
  s->fast = L->A;
  return BF_OK;
}

/* 1/diagonal and vectors. */
static bf_err make_level(maker *m, const bf_mg_stage *s)
{
  bf_multigrid *M  = m->M;
  bf_backend   *be = s->be;
  bf_mg_level  *L  = &M->level[M->nlevels];
  void         *p  = NULL;
  int64_t       vectors;
  L->n      = s->n;
  L->guard  = s->A ? s->A->guard : 0;
  L->degree = degree_of(m, M->nlevels);
  BF_TRY(be->ops.alloc(be, (size_t)s->n * sizeof(double), &p));
  L->dinv = p;
  BF_TRY(BF_OP(be, vector.reciprocal, s->n, s->diagonal, L->dinv));
  L->lambda = s->lambda;
  BF_TRY(level_vectors(M, M->nlevels, 0, &vectors));
  m->rep->bytes +=
      vectors + 8 * (int64_t)s->n + (L->A ? bf_matrix_bytes(L->A) : bf_block_rows_bytes(L->rows));
  return BF_OK;
}

static void record(maker *m, const bf_mg_stage *s)
{
  const int l     = m->M->nlevels++;
  m->rep->n[l]    = s->n;
  m->rep->nnz[l]  = nnz_of(s);
  m->rep->nlevels = m->M->nlevels;
}

/* ---- the next stage ---- */

static bf_err coarsen(maker *m, bf_mg_stage *s, int *made, bf_mg_stage *coarse, bf_mg_transfer *T)
{
  const bf_multigrid_body *body = m->body;
  *made                         = 0;
  if (s->local) {
    BF_TRY(bf_mg_stage_modes(s));
    return bf_mg_spectral(s, &m->how, made, coarse, T);
  }
  if (m->M->nlevels == 0 && body && body->ends && m->opt->coarsening != BF_COARSENING_PLANES) {
    BF_TRY(bf_mg_stage_modes(s));
    BF_TRY(bf_mg_columns(s, body, made, coarse, T));
    m->general |= *made;
    if (*made && m->opt->coarsest == 0 && m->M->symmetric && s->be->ops.on_device)
      m->how.coarsest = COARSEST_SECTIONS_DEVICE;
    if (!*made) BF_TRY(bf_mg_vertices(s, body, made, coarse, T));
    if (*made) return BF_OK;
  }
  if (s->grid[0] > 0 && m->opt->coarsening != BF_COARSENING_AGGREGATES) {
    BF_TRY(bf_mg_planes(s, &m->how, made, coarse, T));
    if (*made) return BF_OK;
  }
  m->general = 1;
  BF_TRY(bf_mg_stage_modes(s));
  return bf_mg_aggregates(s, &m->how, made, coarse, T);
}

static bf_err last_level(maker *m, bf_mg_stage *s)
{
  const char  *singular = NULL;
  int64_t      vectors;
  bf_mg_level *L = &m->M->level[m->M->nlevels];
  L->n           = s->n;
  BF_TRY(bf_mg_invert(s, m->M->symmetric, &m->M->inverse, &singular));
  if (singular) snprintf(m->rep->failure, sizeof m->rep->failure, "%s", singular);
  L->guard = s->A ? s->A->guard : 0;
  BF_TRY(level_vectors(m->M, m->M->nlevels, 1, &vectors));
  m->rep->bytes += vectors + 8 * (int64_t)s->n * s->n;
  record(m, s);
  return BF_OK;
}

static void fail(maker *m, const char *why, int level)
{
  snprintf(m->rep->failure, sizeof m->rep->failure, "%s on level %d of the hierarchy", why, level + 1);
}

/* One level and the stage of the next, which takes the place of *s. */
static bf_err one_level(maker *m, bf_mg_stage *s, int *done)
{
  bf_err        err    = BF_OK;
  bf_multigrid *M      = m->M;
  bf_mg_level  *L      = &M->level[M->nlevels];
  bf_mg_stage   coarse = {.be = NULL};
  int           made = 0, bad = 0;
  const int     products = s->grid[0] > 0 && !s->local ? PRODUCTS : PRODUCTS_AGGREGATES;
  *done                  = 0;
  BF_GO(level_values(L, s));
  BF_GO(bf_mg_lambda(s, products, &s->lambda));
  if (M->nlevels == 0) m->rep->lambda = s->lambda / BF_MG_LAMBDA_SAFETY;
  if (!(s->lambda > 0.0 && isfinite(s->lambda)))
    fail(m, "the largest eigenvalue is not a number", M->nlevels);
  if (m->rep->failure[0]) goto done;
  BF_GO(coarsen(m, s, &made, &coarse, &L->T));
  if (!made && s->n <= COARSEST_MOST && (M->symmetric || s->n <= COARSEST_GENERAL)) {
    *done   = 1;
    s->fast = NULL;
    bf_matrix_destroy(&L->A);
    bf_block_rows_destroy(&L->rows);
    BF_GO(last_level(m, s));
    goto done;
  }
  if (!made) fail(m, "no coarsening makes the matrix smaller", M->nlevels);
  if (!made) goto done;
  BF_GO(make_level(m, s));
  m->rep->bytes += L->T.bytes;
  m->rep->coarsening[M->nlevels] = L->T.name;
  record(m, s);
  BF_GO(bf_mg_stage_root(&coarse, &bad));
  if (bad) fail(m, "a diagonal entry is not positive", M->nlevels);
  coarse.parents = s->parents;
  bf_mg_stage_release(s);
  *s     = coarse;
  coarse = (bf_mg_stage){.be = NULL};
done:
  bf_mg_stage_release(&coarse);
  return err;
}

static bf_err make_levels(maker *m, const bf_matrix *A)
{
  bf_err      err = BF_OK;
  bf_mg_stage s   = {.be = NULL};
  int         bad = 0, done = 0;
  if (m->body && m->body->parents) bf_multigrid_parents_clear(m->body->parents);
  BF_GO(bf_mg_stage_first(A, m->body, &s, &bad));
  s.parents = m->body ? m->body->parents : NULL;
  if (bad) fail(m, "a diagonal entry is not positive", 0);
  if (m->opt->coarsening != BF_COARSENING_AGGREGATES && !s.frame) BF_GO(bf_mg_lattice(A, s.grid));
  BF_GO(bf_mg_place_planes(&s, m->body));
  if (m->opt->coarsening == BF_COARSENING_AUTO)
    BF_GO(bf_mg_choose_for_jumps(&s, m->body, m->M->symmetric && s.n > m->how.coarsest, m->rep));
  if (s.local) m->how.coarsest = coarsest_of(m, A->be, BF_COARSENING_SPECTRAL);
  if (m->opt->coarsening == BF_COARSENING_PLANES && s.grid[0] == 0)
    snprintf(
        m->rep->failure, sizeof m->rep->failure,
        s.frame ? "planes need unknowns along x, y and z, and nodes with conditions in other directions have "
                  "others"
                : "the matrix is not that of a lattice of nodes");
  if (m->opt->coarsening == BF_COARSENING_SPECTRAL) {
    BF_GO(bf_mg_request_elements(&s, m->body));
    if (!s.local)
      snprintf(m->rep->failure, sizeof m->rep->failure,
               "spectral aggregates need element matrices, which condensed nodes, generalised elements "
               "and advection do not have");
  }
  while (!m->rep->failure[0] && !done) {
    if (s.n <= m->how.coarsest) {
      BF_GO(last_level(m, &s));
      break;
    }
    if (m->M->nlevels == BF_MULTIGRID_LEVELS - 1) fail(m, "too many levels", m->M->nlevels);
    if (!m->rep->failure[0]) BF_GO(one_level(m, &s, &done));
  }
done:
  if (s.parents && (err != BF_OK || m->rep->failure[0])) bf_multigrid_parents_clear(s.parents);
  for (int l = 0; s.parents && l < s.parents->nlevels; l++)
    s.parents->level[l].coarsening = m->rep->coarsening[l];
  bf_mg_stage_release(&s);
  return err;
}

bf_err bf_multigrid_create(const bf_matrix *A, const bf_multigrid_options *opt, const bf_multigrid_body *body,
                           int symmetric, bf_multigrid_report *report, bf_multigrid **out)
{
  bf_err        err = BF_OK;
  bf_multigrid *M   = NULL;
  const double  t0  = bf_seconds();
  BF_CHECK(A && opt && report && out, BF_E_ARG, "null argument");
  BF_CHECK(opt->degree >= 0 && opt->degree <= 4, BF_E_ARG, "degree %d of the smoother: 1 to 4", opt->degree);
  *out    = NULL;
  *report = (bf_multigrid_report){.nlevels = 0};
  BF_TRY(BF_NEW(M));
  *M = (bf_multigrid){.be = A->be, .symmetric = symmetric};
  BF_GO(BF_NEW_ARRAY(M->record, BF_MG_RECORDS));
  maker m = {.opt = opt, .body = body, .rep = report, .M = M};
  m.how   = choose(&m, A->be);
  BF_GO(make_levels(&m, A));
  BF_GO(A->be->ops.sync(A->be));
  M->cycle = opt->cycle == BF_CYCLE_W || (opt->cycle == BF_CYCLE_AUTO && m.general) ? 2 : 1;
  for (int l = 0; l < report->nlevels; l++)
    report->complexity += (double)report->nnz[l] / (double)report->nnz[0];
  report->cycle   = M->cycle == 2 ? "W" : "V";
  report->degree  = M->level[0].degree;
  report->seconds = bf_seconds() - t0;
  if (!report->failure[0]) {
    M->report = *report;
    *out      = M;
    M         = NULL;
  }
done:
  bf_multigrid_destroy(&M);
  return err;
}

void bf_multigrid_destroy(bf_multigrid **out)
{
  if (!out || !*out) return;
  bf_multigrid *M = *out;
  for (int l = 0; l < BF_MULTIGRID_LEVELS; l++) {
    bf_mg_level *L   = &M->level[l];
    double      *v[] = {L->b, L->x, L->e, L->r, L->y, L->z, L->w};
    for (int i = 0; i < 7; i++) bf_vector_destroy(M->be, L->guard, &v[i]);
    bf_matrix_destroy(&L->A);
    bf_block_rows_destroy(&L->rows);
    M->be->ops.release(M->be, L->dinv);
    if (L->T.destroy) L->T.destroy(L->T.self);
  }
  for (int k = 0; k < BF_MG_RECORDS && M->record; k++)
    if (M->record[k].graph) M->be->ops.mg_cycle->forget(M->be, &M->record[k].graph);
  bf_host_free(M->record);
  M->be->ops.release(M->be, M->inverse);
  bf_host_free(M);
  *out = NULL;
}
