/* mesh/numbering/candidate.c - evaluates a candidate order, adds it to the table of tries, and keeps the best
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "base/timer.h"
#include "mesh/numbering/search_internal.h"
#include "mesh/numbering/tries.h"
#include <stdio.h>
#include <string.h>

void bf_choice_clear(bf_choice *c)
{
  bf_host_free(c->pos);
  bf_host_free(c->level);
  bf_bands_destroy(&c->bands);
  memset(c, 0, sizeof *c);
}

bf_cells bf_search_cells(const bf_search *S, bf_int p)
{
  if (p < 0 || S->nparts == 1) return S->v->cells;
  bf_cells c = S->cells;
  for (int b = 0; b < c.nblocks; b++) {
    const size_t at = (size_t)p * (size_t)c.nblocks + (size_t)b;
    c.block[b].n    = S->cells_first[at + (size_t)c.nblocks] - S->cells_first[at];
    c.block[b].v += (size_t)S->cells_first[at] * (size_t)c.block[b].stride;
  }
  return c;
}

bf_int bf_search_size(const bf_search *S, bf_int p)
{
  return p < 0 || S->nparts <= 1 ? S->v->cells.nv : S->part_ptr[p + 1] - S->part_ptr[p];
}

/* 6 times CSR. Nonzeros that are not counted yet: an upper bound. */
double bf_search_hopeless(const bf_search *S)
{
  const double   bytes = 6.0 * 12.0; /* per nonzero */
  const bf_cells c     = bf_search_cells(S, S->p);
  double         nnz   = (double)S->nnz;
  for (int b = 0; b < c.nblocks && S->nnz == 0; b++)
    nnz += (double)c.block[b].n * c.block[b].nc * (c.block[b].nc - 1);
  return bytes * (S->nnz > 0 ? nnz : nnz + bf_search_size(S, S->p));
}

void bf_search_judge(bf_search *S, bf_choice *c)
{
  const bf_int n = bf_search_size(S, S->p);
  c->hopeless    = c->stopped;
  if (!c->pos || c->empty || c->stopped || !S->list || c->bytes <= bf_search_hopeless(S)) return;
  for (bf_int k = 0; k < n; k++) {
    const bf_int v     = S->p >= 0 && S->nparts > 1 ? S->file[S->part_ptr[S->p] + k] : k;
    S->list[c->pos[v]] = v;
  }
  bf_bound_begin(S->bound, n, bf_search_hopeless(S), 0);
  c->hopeless = bf_bound_exceeded(S->bound, S->list, n, n, 0);
}

/* now is better than best: fewer bytes, or the smaller reach if diagonal storage is unsuitable for both. */
static int better(const bf_choice *now, const bf_choice *best)
{
  if (!best->pos || best->empty) return 1;
  if (now->hopeless != best->hopeless) return best->hopeless;
  return now->hopeless ? now->reach < best->reach : now->bytes < best->bytes;
}

bf_err bf_search_evaluate(bf_search *S, const char *name, const bf_int *order, bf_int reach, double begin,
                          int *done)
{
  const bf_cells cells = bf_search_cells(S, S->p);
  const bf_int   n     = bf_search_size(S, S->p);
  bf_choice     *now   = &S->now;
  char           line[96];
  if (!now->pos) BF_TRY(BF_NEW_ARRAY(now->pos, S->v->cells.nv));
#pragma omp parallel for schedule(static)
  for (bf_int k = 0; k < n; k++) now->pos[order ? order[k] : k] = k;
  BF_TRY(bf_offsets_find(&cells, now->pos, n, reach, S->o));
  const int ideal = !S->o->stopped && 2 * S->o->n + 1 <= S->v->ideal;
  bf_bands_destroy(&now->bands);
  BF_TRY(bf_bands_choose(&cells, now->pos, n, S->o, ideal ? BF_CUT_NEVER : BF_CUT_IF_QUICK, &S->nnz,
                         &now->bands));
  now->empty   = 0;
  now->nstart  = S->nstart;
  now->stopped = S->o->stopped;
  now->reach   = S->o->reach;
  now->bytes   = now->bands ? bf_bands_bytes(now->bands, 0) : 0.0;
  bf_search_judge(S, now);
  S->hopeless = now->hopeless;
  if (S->p >= 0 && S->nparts > 1)
    snprintf(line, sizeof line, "part %d %s", S->p, name);
  else
    snprintf(line, sizeof line, "%s", name);
  now->line = bf_tries_add(S->out, line, S->o, now->bands, bf_seconds() - begin, 0);
  *done     = ideal || (!now->stopped && now->bytes <= 1.05 * 8.0 * (double)S->nnz);
  if (*done || better(now, &S->best)) {
    const bf_choice t = S->best;
    S->best           = *now;
    *now              = t;
  }
  return BF_OK;
}
