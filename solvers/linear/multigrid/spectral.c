/* solvers/linear/multigrid/spectral.c - see spectral.h: aggregates, prolongation, the next stage */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "solvers/linear/multigrid/spectral.h"
#include "base/memory.h"
#include "solvers/linear/multigrid/aggregation.h"
#include <math.h>
#include <string.h>

static const double CONTRAST = 10.0; /* of coefficients inside an aggregate, from which on it is mixed */
static const double GAIN     = 0.7;  /* unknowns of the coarse level over those of the fine one, at most */

bf_err bf_mg_local_create(const bf_mg_stage *s, const bf_multigrid_elements *elements, bf_mg_local **out)
{
  bf_err                err = BF_OK;
  bf_mg_local          *l   = NULL;
  const bf_int          n   = s->n / s->ncomp;
  const bf_element_set *E   = &elements->set;
  *out                      = NULL;
  for (int64_t k = 0; k < E->ptr[E->ne]; k++)
    BF_CHECK(E->node[k] >= 0 && E->node[k] < n, BF_E_ARG, "an element has node %d of %d", (int)E->node[k],
             (int)n);
  for (bf_int e = 0; e < E->ne; e++) {
    const int64_t order = (E->ptr[e + 1] - E->ptr[e]) * s->ncomp;
    BF_CHECK(E->at[e + 1] - E->at[e] == order * order, BF_E_ARG, "element %d has no matrix of order %lld",
             (int)e, (long long)order);
  }
  BF_GO(BF_NEW(l));
  *l = (bf_mg_local){.level = 1, .ncomp = s->ncomp, .n = n, .E = *E, .coefficient = elements->coefficient};
  BF_GO(BF_NEW_ARRAY(l->first, (size_t)n + 1));
  for (bf_int i = 0; i <= n; i++) l->first[i] = i * s->ncomp;
  if (s->grid[0] > 0) {
    BF_GO(BF_NEW_ARRAY(l->place, (size_t)n));
    for (bf_int i = 0; i < n; i++) l->place[i] = i;
    memcpy(l->grid, s->grid, sizeof l->grid);
  }
  *out = l;
  l    = NULL;
done:
  bf_mg_local_destroy(&l);
  return err;
}

void bf_mg_local_destroy(bf_mg_local **out)
{
  bf_mg_local *l = out ? *out : NULL;
  if (!l) return;
  if (l->level > 1) {
    bf_host_free((void *)l->E.ptr);
    bf_host_free((void *)l->E.node);
    bf_host_free((void *)l->E.at);
    bf_host_free((void *)l->E.K);
  }
  bf_host_free(l->first);
  bf_host_free(l->mixed);
  bf_host_free(l->place);
  bf_host_free(l);
  *out = NULL;
}

static void clear(bf_mg_spectrum *s)
{
  bf_host_free(s->diagonal);
  bf_host_free(s->modes);
  bf_host_free(s->fixed);
  bf_host_free(s->mixed);
  bf_host_free(s->aggregate);
  bf_host_free(s->place);
  bf_local_lists_clear(&s->lists);
  bf_host_free(s->k);
  bf_host_free(s->zptr);
  bf_host_free(s->Z);
}

/* The stage on the host. */
static bf_err begin(const bf_mg_stage *fine, bf_mg_spectrum *s)
{
  bf_backend  *be = fine->be;
  const size_t n = (size_t)fine->n, q = (size_t)fine->nmodes;
  BF_CHECK(fine->local && fine->nmodes > 0 && fine->nmodes <= BF_MG_MODES_MOST, BF_E_ARG,
           "spectral aggregates need element matrices and modes");
  *s = (bf_mg_spectrum){.fine = fine, .local = fine->local};
  BF_TRY(BF_NEW_ARRAY(s->diagonal, n));
  BF_TRY(BF_NEW_ARRAY(s->fixed, n));
  BF_TRY(BF_NEW_ARRAY(s->modes, q * n));
  BF_TRY(BF_NEW_ARRAY(s->aggregate, (size_t)fine->local->n));
  BF_TRY(be->ops.copy(be, s->diagonal, fine->diagonal, n * sizeof *s->diagonal, BF_TO_HOST));
  BF_TRY(be->ops.copy(be, s->fixed, fine->fixed, n, BF_TO_HOST));
  BF_TRY(be->ops.copy(be, s->modes, fine->modes, q * n * sizeof *s->modes, BF_TO_HOST));
  return be->ops.sync(be);
}

/* ---- aggregates ---- */

static int live(const bf_mg_spectrum *s, bf_int i)
{
  for (bf_int u = s->local->first[i]; u < s->local->first[i + 1]; u++)
    if (!s->fixed[u]) return 1;
  return 0;
}

/* Boxes of `size` in each direction; at the ends of a line they may be smaller, inside never, so that boxes
 * couple with their neighbours alone. */
static bf_int box_of(bf_int n, bf_int size, bf_int i, bf_int *count)
{
  *count            = (n + size - 1) / size;
  const bf_int head = size - (*count * size - n) / 2;
  return i < head ? 0 : 1 + (i - head) / size;
}

static bf_err by_boxes(bf_mg_spectrum *s, bf_int size)
{
  bf_err             err    = BF_OK;
  const bf_mg_local *l      = s->local;
  bf_int            *number = NULL, total = 1;
  for (int a = 0; a < 3; a++) {
    box_of(l->grid[a], size, 0, &s->boxes[a]);
    total *= s->boxes[a];
  }
  BF_GO(BF_NEW_ARRAY(number, (size_t)total));
  BF_GO(BF_NEW_ARRAY(s->place, (size_t)total));
  for (bf_int i = 0; i < l->n; i++) {
    bf_int at = l->place[i], box[3], unused;
    for (int a = 0; a < 3; a++, at /= l->grid[a - 1])
      box[a] = box_of(l->grid[a], size, at % l->grid[a], &unused);
    s->aggregate[i] = live(s, i) ? box[0] + s->boxes[0] * (box[1] + s->boxes[1] * box[2]) : -1;
    if (s->aggregate[i] >= 0) number[s->aggregate[i]] = 1;
  }
  s->body.count = 0;
  for (bf_int b = 0; b < total; b++)
    if (number[b]) {
      s->place[s->body.count] = b;
      number[b]               = s->body.count++;
    }
  for (bf_int i = 0; i < l->n; i++)
    if (s->aggregate[i] >= 0) s->aggregate[i] = number[s->aggregate[i]];
done:
  bf_host_free(number);
  return err;
}

/* Aggregates of all couplings of the first level's nodes. */
static bf_err by_couplings(bf_mg_spectrum *s, bf_mg_aggregation *g)
{
  bf_backend *be = g->be;
  BF_TRY(bf_mg_find_aggregates(g, 0.0));
  s->body.count = g->count;
  BF_TRY(be->ops.copy(be, s->aggregate, g->aggregate, (size_t)g->n * sizeof *s->aggregate, BF_TO_HOST));
  return be->ops.sync(be);
}

/* s->mixed: by the coefficients of the elements that touch an aggregate, or by its nodes. */
static bf_err find_mixed(bf_mg_spectrum *s)
{
  const bf_mg_local *l = s->local;
  BF_TRY(BF_NEW_ARRAY(s->mixed, (size_t)s->body.count));
  for (bf_int a = 0; l->level == 1 && a < s->body.count; a++) {
    double least = INFINITY, most = 0.0;
    for (int64_t m = s->lists.eptr[a]; m < s->lists.eptr[a + 1]; m++) {
      const double c = l->coefficient[s->lists.element[m]];
      most           = fmax(most, c);
      least          = c > 0.0 ? fmin(least, c) : least;
    }
    s->mixed[a] = most > CONTRAST * least;
  }
  for (bf_int i = 0; l->level > 1 && i < l->n; i++)
    if (s->aggregate[i] >= 0 && l->mixed[i]) s->mixed[s->aggregate[i]] = 1;
  return BF_OK;
}

/* ---- prolongation ---- */

typedef struct host_rows { /* T by block rows with columns of order 1; owned */
  int64_t *ptr;
  bf_int  *col, *node; /* node[unknowns]: of this level */
  double  *val;
} host_rows;

static bf_err fill_rows(const bf_mg_spectrum *s, const bf_int *first, host_rows *t)
{
  const bf_int D = s->fine->ncomp, rows = s->fine->n / D;
  BF_TRY(BF_NEW_ARRAY(t->node, (size_t)s->fine->n));
  BF_TRY(BF_NEW_ARRAY(t->ptr, (size_t)rows + 1));
  for (bf_int i = 0; i < s->local->n; i++)
    for (bf_int u = s->local->first[i]; u < s->local->first[i + 1]; u++) t->node[u] = i;
  for (bf_int r = 0; r < rows; r++) {
    const bf_int a = s->aggregate[t->node[r * D]];
    t->ptr[r + 1]  = t->ptr[r] + (a < 0 ? 0 : s->k[a]);
  }
  BF_TRY(BF_NEW_ARRAY(t->col, (size_t)t->ptr[rows]));
  BF_TRY(BF_NEW_ARRAY(t->val, (size_t)(t->ptr[rows] * D)));
  for (bf_int r = 0; r < rows; r++) {
    const bf_int a = s->aggregate[t->node[r * D]];
    for (bf_int e = 0; a >= 0 && e < s->k[a]; e++) t->col[t->ptr[r] + e] = first[a] + e;
  }
  for (bf_int a = 0; a < s->body.count; a++) {
    const int64_t begin = s->lists.uptr[a], m = s->lists.uptr[a + 1] - begin;
    for (int64_t q = 0; q < m; q++) {
      const bf_int u = s->lists.unknown[begin + q];
      for (bf_int e = 0; e < s->k[a]; e++)
        t->val[(t->ptr[u / D] + e) * D + u % D] = s->Z[s->zptr[a] + e * m + q];
    }
  }
  return BF_OK;
}

static bf_err tentative(const bf_mg_spectrum *s, const bf_int *first, bf_mg_aggregation *g)
{
  host_rows           t    = {.ptr = NULL};
  const bf_int        D    = s->fine->ncomp;
  const bf_block_form form = {s->fine->n / D, first[s->body.count], D, 1, BF_FP64};
  bf_err              err  = fill_rows(s, first, &t);
  if (err == BF_OK) err = bf_block_rows_from_host(g->be, &form, t.ptr, t.col, t.val, &g->T);
  if (err == BF_OK) err = g->be->ops.sync(g->be);
  bf_host_free(t.ptr);
  bf_host_free(t.col);
  bf_host_free(t.node);
  bf_host_free(t.val);
  return err;
}

/* coarse->modes and coarse->fixed */
static bf_err near_null(const bf_mg_spectrum *s, const bf_int *first, bf_mg_stage *coarse)
{
  bf_err       err = BF_OK;
  bf_backend  *be  = s->fine->be;
  const size_t nc = (size_t)first[s->body.count], q = (size_t)s->fine->nmodes;
  double      *modes = NULL;
  void        *p;
  BF_GO(BF_NEW_ARRAY(modes, q * nc));
  BF_GO(bf_mg_spectrum_modes(s, first, modes));
  BF_GO(bf_mg_reserve(be, (int64_t)(q * nc), sizeof *modes, &p));
  coarse->modes  = p;
  coarse->nmodes = s->fine->nmodes;
  BF_GO(be->ops.copy(be, coarse->modes, modes, q * nc * sizeof *modes, BF_TO_DEVICE));
  BF_GO(bf_mg_reserve(be, (int64_t)nc, 1, &p));
  coarse->fixed = p;
  BF_GO(be->ops.zero(be, coarse->fixed, nc));
  BF_GO(be->ops.sync(be));
done:
  bf_host_free(modes);
  return err;
}

/* Vectors of all aggregates; first[a]: columns before those of aggregate a. */
static bf_err find_vectors(bf_mg_spectrum *s, bf_mg_aggregation *g, double tau, bf_int **first)
{
  const bf_mg_local *l    = s->local;
  const bf_int       size = l->level == 1 ? (l->ncomp == 1 ? 4 : 3) : (l->ncomp == 1 ? 3 : 2);
  if (l->grid[0] > 0)
    BF_TRY(by_boxes(s, size));
  else if (l->level == 1)
    BF_TRY(by_couplings(s, g));
  else
    BF_TRY(bf_mg_group_aggregates(s, g));
  s->body = (bf_local_body){.n         = l->n,
                            .first     = l->first,
                            .fixed     = s->fixed,
                            .diagonal  = s->diagonal,
                            .aggregate = s->aggregate,
                            .count     = s->body.count,
                            .E         = l->E};
  BF_TRY(bf_local_lists_create(&s->body, &s->lists));
  BF_TRY(find_mixed(s));
  BF_TRY(bf_mg_spectrum_vectors(s, tau));
  BF_TRY(BF_NEW_ARRAY(*first, (size_t)s->body.count + 1));
  for (bf_int a = 0; a < s->body.count; a++) (*first)[a + 1] = (*first)[a] + s->k[a];
  return BF_OK;
}

bf_err bf_mg_spectral(const bf_mg_stage *fine, const bf_mg_choice *how, int *made, bf_mg_stage *coarse,
                      bf_mg_transfer *T)
{
  bf_err            err   = BF_OK;
  bf_mg_spectrum    s     = {.fine = NULL};
  bf_mg_aggregation g     = {.fine = fine, .be = fine->be};
  bf_int           *first = NULL;
  *made                   = 0;
  *coarse                 = (bf_mg_stage){.be = fine->be};
  *T                      = (bf_mg_transfer){.self = NULL};
  BF_GO(begin(fine, &s));
  BF_GO(bf_mg_aggregation_begin(fine, &g));
  BF_GO(find_vectors(&s, &g, how->tau, &first));
  if (first[s.body.count] == 0 || first[s.body.count] > GAIN * fine->n) goto done;
  BF_GO(tentative(&s, first, &g));
  bf_mg_release_graph(&g);
  BF_GO(bf_mg_smoothed(&g));
  BF_GO(near_null(&s, first, coarse));
  BF_GO(bf_mg_spectrum_coarse(&s, first, &coarse->local));
  BF_GO(bf_mg_next_stage(&g, "spectral aggregates", coarse, T));
  *made = 1;
done:
  clear(&s);
  bf_mg_aggregation_release(&g);
  bf_host_free(first);
  if (err != BF_OK || !*made) bf_mg_stage_release(coarse);
  return err;
}
