/* solvers/linear/multigrid/spectral.c - see spectral.h: aggregates, prolongation, the next stage */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "solvers/linear/multigrid/spectral.h"
#include "base/memory.h"
#include "kernels/multigrid/ops.h"
#include "kernels/multigrid/planes.h"
#include "solvers/linear/multigrid/aggregation.h"
#include <string.h>

static const double CONTRAST = 10.0; /* of coefficients inside an aggregate, from which on it is mixed */
static const double GAIN     = 0.7;  /* unknowns of the coarse level over those of the fine one, at most */

void bf_multigrid_elements_clear(bf_backend *be, bf_multigrid_elements *e)
{
  be->ops.release(be, (void *)e->set.ptr);
  be->ops.release(be, (void *)e->set.node);
  be->ops.release(be, (void *)e->set.at);
  be->ops.release(be, (void *)e->set.K);
  be->ops.release(be, e->coefficient);
  *e = (bf_multigrid_elements){.coefficient = NULL};
}

bf_err bf_mg_local_create(const bf_mg_stage *s, bf_multigrid_elements *elements, bf_mg_local **out)
{
  bf_err       err   = BF_OK;
  bf_backend  *be    = s->be;
  bf_mg_local *l     = NULL;
  bf_int      *first = NULL;
  const bf_int n     = s->n / s->ncomp;
  void        *p;
  *out = NULL;
  BF_GO(BF_NEW(l));
  *l        = (bf_mg_local){.be = be, .level = 1, .n = n, .elements = *elements};
  *elements = (bf_multigrid_elements){.coefficient = NULL};
  memcpy(l->grid, s->grid, sizeof l->grid);
  BF_GO(BF_NEW_ARRAY(first, (size_t)n + 1));
  for (bf_int i = 0; i <= n; i++) first[i] = i * s->ncomp;
  BF_GO(bf_mg_reserve(be, (int64_t)n + 1, sizeof *first, &p));
  l->first = p;
  BF_GO(be->ops.copy(be, l->first, first, ((size_t)n + 1) * sizeof *first, BF_TO_DEVICE));
  BF_GO(be->ops.sync(be));
  *out = l;
  l    = NULL;
done:
  bf_host_free(first);
  bf_mg_local_destroy(&l);
  bf_multigrid_elements_clear(be, elements);
  return err;
}

void bf_mg_local_destroy(bf_mg_local **out)
{
  bf_mg_local *l = out ? *out : NULL;
  if (!l) return;
  bf_multigrid_elements_clear(l->be, &l->elements);
  l->be->ops.release(l->be, l->first);
  l->be->ops.release(l->be, l->mixed);
  bf_host_free(l);
  *out = NULL;
}

static void clear(bf_mg_spectrum *s)
{
  bf_backend *be = s->be;
  be->ops.release(be, s->body.aggregate);
  bf_local_lists_clear(be, &s->lists);
  be->ops.release(be, s->mixed);
  be->ops.release(be, s->k);
  be->ops.release(be, s->first);
  be->ops.release(be, s->z);
  for (int i = 0; i < s->pieces; i++) be->ops.release(be, s->piece[i]);
  bf_host_free(s->host_k);
  bf_host_free(s->host_first);
  bf_host_free(s->host_z);
  bf_host_free(s->piece);
}

static bf_err begin(const bf_mg_stage *fine, bf_mg_spectrum *s)
{
  const bf_mg_local *l = fine->local;
  void              *p;
  BF_CHECK(l && fine->nmodes > 0 && fine->nmodes <= BF_MG_MODES_MOST, BF_E_ARG,
           "spectral aggregates need element matrices and modes");
  s->fine  = fine;
  s->local = l;
  s->ops   = s->be->ops.mg_aggregates ? s->be->ops.mg_aggregates->local : NULL;
  BF_CHECK(s->ops, BF_E_UNSUPPORTED, "backend '%s' has no operations for spectral aggregates",
           s->be->ops.name);
  s->body = (bf_local_body){.n        = l->n,
                            .unknowns = fine->n,
                            .first    = l->first,
                            .fixed    = fine->fixed,
                            .diagonal = fine->diagonal,
                            .root     = fine->root,
                            .E        = l->elements.set};
  BF_TRY(bf_mg_reserve(s->be, l->n, sizeof(bf_int), &p));
  s->body.aggregate = p;
  return BF_OK;
}

/* ---- aggregates ---- */

/* Boxes of `size` nodes in each direction; at the ends of a line they may be smaller, inside never, so that
 * boxes couple with their neighbours alone. */
static bf_err by_boxes(bf_mg_spectrum *s, bf_int size)
{
  bf_err        err  = BF_OK;
  bf_backend   *be   = s->be;
  const bf_int *grid = s->local->grid;
  const size_t  all  = (size_t)grid[0] + (size_t)grid[1] + (size_t)grid[2];
  bf_int       *host = NULL, at = 0;
  const bf_int *line[3];
  void         *p = NULL;
  BF_GO(BF_NEW_ARRAY(host, all));
  BF_GO(bf_mg_reserve(be, (int64_t)all, sizeof *host, &p));
  for (int a = 0; a < 3; at += grid[a], a++) {
    const bf_int many = (grid[a] + size - 1) / size, head = size - (many * size - grid[a]) / 2;
    for (bf_int i = 0; i < grid[a]; i++) host[at + i] = i < head ? 0 : 1 + (i - head) / size;
    line[a]     = (const bf_int *)p + at;
    s->boxes[a] = many;
  }
  BF_GO(be->ops.copy(be, p, host, all * sizeof *host, BF_TO_DEVICE));
  BF_GO(be->ops.mg_planes->boxes(be, grid, line, s->boxes, s->body.aggregate));
  s->body.count = s->boxes[0] * s->boxes[1] * s->boxes[2];
done:
  be->ops.release(be, p);
  bf_host_free(host);
  return err;
}

/* Aggregates of all couplings of the first level's nodes. */
static bf_err by_couplings(bf_mg_spectrum *s, bf_mg_aggregation *g)
{
  BF_TRY(bf_mg_find_aggregates(g, 0.0));
  s->body.count = g->count;
  return s->be->ops.copy(s->be, s->body.aggregate, g->aggregate, (size_t)g->n * sizeof *g->aggregate,
                         BF_WITHIN);
}

static bf_err find_aggregates(bf_mg_spectrum *s, bf_mg_aggregation *g)
{
  const bf_mg_local *l     = s->local;
  const int          first = l->level == 1, scalar = first && s->fine->ncomp == 1;
  if (l->grid[0] > 0) return by_boxes(s, scalar ? 4 : first || s->fine->nmodes == 1 ? 3 : 2);
  return first ? by_couplings(s, g) : bf_mg_group_aggregates(s, g);
}

/* Vectors of all aggregates. */
static bf_err find_vectors(bf_mg_spectrum *s, bf_mg_aggregation *g, const bf_mg_choice *how)
{
  const bf_mg_local *l = s->local;
  void              *p;
  BF_TRY(find_aggregates(s, g));
  BF_TRY(bf_local_lists_create(s->be, &s->body, &s->lists));
  BF_TRY(bf_mg_reserve(s->be, s->body.count, 1, &p));
  s->mixed = p;
  BF_TRY(s->ops->mixed(s->be, &s->body, &s->lists, l->elements.coefficient, l->mixed, CONTRAST, s->mixed));
  return bf_mg_spectrum_vectors(s, how->tau);
}

/* ---- prolongation ---- */

static bf_local_vectors vectors_of(const bf_mg_spectrum *s)
{
  return (bf_local_vectors){.k = s->k, .first = s->first, .z = (const double *const *)s->z};
}

static bf_err tentative(const bf_mg_spectrum *s, bf_mg_aggregation *g)
{
  bf_err                 err  = BF_OK;
  bf_backend            *be   = s->be;
  const bf_local_vectors V    = vectors_of(s);
  const bf_int           D    = s->fine->ncomp;
  const bf_int           nc   = s->host_first[s->body.count];
  const bf_block_form    form = {s->fine->n / D, nc / s->block, D, s->block, BF_FP64};
  int64_t                nnz  = 0;
  void                  *ptr  = NULL;
  BF_GO(bf_mg_reserve(be, (int64_t)form.nrows + 1, sizeof(int64_t), &ptr));
  BF_GO(s->ops->row_counts(be, form.nrows, D, form.bc, s->lists.owner, s->first, ptr, &nnz));
  BF_GO(bf_block_rows_create(be, &form, nnz, &g->T));
  be->ops.release(be, g->T->ptr);
  g->T->ptr = ptr;
  ptr       = NULL;
  BF_GO(s->ops->rows(be, &s->lists, &V, g->T));
done:
  be->ops.release(be, ptr);
  return err;
}

/* coarse->modes and coarse->fixed */
static bf_err near_null(const bf_mg_spectrum *s, bf_mg_stage *coarse)
{
  bf_backend            *be = s->be;
  const bf_local_vectors V  = vectors_of(s);
  const bf_int           nc = s->host_first[s->body.count];
  void                  *p;
  BF_TRY(bf_mg_reserve(be, (int64_t)s->fine->nmodes * nc, sizeof(double), &p));
  coarse->modes  = p;
  coarse->nmodes = s->fine->nmodes;
  BF_TRY(s->ops->modes(be, &s->body, &s->lists, &V, s->fine->nmodes, s->fine->modes, nc, coarse->modes));
  BF_TRY(bf_mg_reserve(be, nc, 1, &p));
  coarse->fixed = p;
  return s->ops->padding(be, s->body.count, &V, coarse->fixed);
}

bf_err bf_mg_spectral(const bf_mg_stage *fine, const bf_mg_choice *how, int *made, bf_mg_stage *coarse,
                      bf_mg_transfer *T)
{
  bf_err            err = BF_OK;
  bf_mg_spectrum    s   = {.be = fine->be};
  bf_mg_aggregation g   = {.fine = fine, .be = fine->be};
  *made                 = 0;
  *coarse               = (bf_mg_stage){.be = fine->be};
  *T                    = (bf_mg_transfer){.self = NULL};
  BF_GO(begin(fine, &s));
  BF_GO(bf_mg_aggregation_begin(fine, &g));
  BF_GO(find_vectors(&s, &g, how));
  const bf_int columns = s.host_first[s.body.count];
  if (columns == 0 || columns > GAIN * fine->n) goto done;
  BF_GO(tentative(&s, &g));
  bf_mg_release_graph(&g);
  BF_GO(bf_mg_smoothed(&g));
  BF_GO(near_null(&s, coarse));
  if (columns > how->coarsest) BF_GO(bf_mg_spectrum_coarse(&s, &coarse->local));
  BF_GO(bf_mg_next_stage(&g, "spectral aggregates", coarse, T));
  BF_GO(bf_mg_parents(fine, s.body.n, s.body.aggregate, s.body.count));
  *made = 1;
done:
  clear(&s);
  bf_mg_aggregation_release(&g);
  if (err != BF_OK || !*made) bf_mg_stage_release(coarse);
  return err;
}
