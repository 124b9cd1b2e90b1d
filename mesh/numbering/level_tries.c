/* mesh/numbering/level_tries.c - level orders from the starts of a part, one after another
 *
 * In 3D the start is a side: its vertices are numbered by levels from one of its chains over the side's own
 * edges, then the whole by levels from the side.  With simplices both keys of the level order are tried.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "base/timer.h"
#include "mesh/numbering/search_internal.h"
#include "mesh/numbering/tries.h"
#include <stdio.h>
#include <string.h>

enum { LEVEL_TRIES = 48, HOPELESS = 8 }; /* tries of a part; unsuitable ones in a row */

/* The vertices of a side, by levels from the chain over the side's own edges, into S->begin; *count = 0 if
 * they do not reach the whole side, or the chain is not on its edges (an edge of three facets is listed for
 * two). */
static bf_err number_side(bf_search *S, const bf_start *start, bf_level_key key, bf_int *count)
{
  bf_err         err  = BF_OK;
  const bf_side *side = &S->starts->side[start->side];
  bf_int(*edge)[2]    = S->starts->edge + side->first_edge;
  bf_int   *node = NULL, *global = NULL, *order = NULL, n = 0, off = 0;
  int64_t  *ptr = NULL;
  bf_graph *g   = NULL;
  BF_GO(BF_NEW_ARRAY(node, 2 * (size_t)side->nedges));
  BF_GO(BF_NEW_ARRAY(global, 2 * (size_t)side->nedges));
  BF_GO(BF_NEW_ARRAY(ptr, (size_t)side->nedges + 1));
  for (bf_int e = 0; e < side->nedges; e++) {
    for (int k = 0; k < 2; k++) {
      bf_int *l = &S->local[edge[e][k]];
      if (*l < 0) {
        *l          = n;
        global[n++] = edge[e][k];
      }
      node[2 * e + k] = *l;
    }
    ptr[e + 1] = 2 * ((int64_t)e + 1);
  }
  for (bf_int i = 0; i < start->count; i++) {
    S->begin[i] = S->local[S->starts->vert[start->first + i]];
    off += S->begin[i] < 0;
  }
  for (bf_int i = 0; i < n; i++) S->local[global[i]] = -1;
  BF_GO(bf_graph_from_items(n, side->nedges, ptr, node, 0, &g));
  BF_GO(BF_NEW_ARRAY(order, n));
  *count = off ? 0 : bf_levels(S->work, g, S->begin, start->count, key, NULL, NULL, order);
  if (*count < n) *count = 0;
  for (bf_int i = 0; i < *count; i++) S->begin[i] = global[order[i]];
done:
  bf_host_free(node);
  bf_host_free(global);
  bf_host_free(order);
  bf_host_free(ptr);
  bf_graph_destroy(&g);
  return err;
}

static void name_start(const bf_start *s, const char *variant, char *name, size_t size)
{
  switch (s->kind) {
  case BF_START_CHAIN: snprintf(name, size, "levels chain %d%s", s->chain, variant); break;
  case BF_START_LOOP: snprintf(name, size, "levels loop %d%s", s->chain, variant); break;
  case BF_START_CUT: snprintf(name, size, "levels cut of loop %d%s", s->chain, variant); break;
  case BF_START_SIDE: snprintf(name, size, "levels side %d chain %d%s", s->side, s->chain, variant); break;
  case BF_START_VERTEX: snprintf(name, size, "levels vertex%s", variant); break;
  }
}

/* The bound above which the next level order cannot be the best: diagonal storage is unsuitable, and its
 * reach is not below that of an unsuitable best order. NULL: none. Orders with a cut are not bounded: rows at
 * the cut have neighbours without a position. */
static bf_bound *bound_of(bf_search *S, const bf_start *s)
{
  const bf_choice *best = &S->best;
  if (S->exhaustive || s->kind == BF_START_CUT || !best->pos || best->empty) return NULL;
  bf_bound_begin(S->bound, bf_search_size(S, S->p), bf_search_hopeless(S), best->hopeless ? best->reach : 0);
  return S->bound;
}

typedef enum { LEVELS_PARTIAL, LEVELS_HOPELESS, LEVELS_GOOD } outcome;

/* One level order: PARTIAL if it does not cover the part; HOPELESS also if it was abandoned early. */
static bf_err try_levels(bf_search *S, const bf_start *s, bf_level_key key, outcome *what, int *done)
{
  const double  begin = bf_seconds();
  const bf_int *vert  = S->starts->vert + s->first;
  bf_int        count = s->count;
  char          name[64];
  name_start(s, !S->v->simplices ? "" : key == BF_MAX_MIN ? " max-min" : " min-max", name, sizeof name);
  if (s->kind == BF_START_SIDE)
    BF_TRY(number_side(S, s, key, &count));
  else
    memcpy(S->begin, vert, (size_t)count * sizeof *vert);
  for (bf_int i = 0; i < s->count + s->nleft && s->kind == BF_START_CUT; i++)
    S->cut[vert[i]] = i < s->count ? 1 : 2;
  const uint8_t *cut = s->kind == BF_START_CUT ? S->cut : NULL;
  const bf_int   n   = bf_levels(S->work, S->g, S->begin, count, key, cut, bound_of(S, s), S->list);
  for (bf_int i = 0; i < s->count + s->nleft && cut; i++) S->cut[vert[i]] = 0;
  *what = n < 0 ? LEVELS_HOPELESS : LEVELS_PARTIAL; /* without a cut every vertex reaches the whole part */
  S->out->given_up += n < 0;
  if (n == bf_search_size(S, S->p)) {
    S->nstart        = count;
    const bf_err err = bf_search_evaluate(S, name, S->list, -1, begin, done);
    S->nstart        = 0;
    *what            = S->hopeless ? LEVELS_HOPELESS : LEVELS_GOOD;
    return err;
  }
  if (n >= 0) bf_tries_add(S->out, name, NULL, NULL, bf_seconds() - begin, 0);
  return BF_OK;
}

bf_err bf_search_levels(bf_search *S, int *at, int *done)
{
  int tries = 0, hopeless = 0, covered = 0, bad_side = -1;
  for (; *at < S->starts->n && S->starts->item[*at].part == S->p; ++*at) {
    const bf_start *s = &S->starts->item[*at];
    if (*done || tries >= LEVEL_TRIES || hopeless >= HOPELESS) continue;
    if (s->kind == BF_START_VERTEX && covered) continue;
    if (s->kind == BF_START_SIDE && s->side == bad_side) continue;
    for (int key = BF_MAX_MIN; key <= (S->v->simplices ? BF_MIN_MAX : BF_MAX_MIN) && !*done; key++) {
      outcome what = LEVELS_PARTIAL;
      BF_TRY(try_levels(S, s, (bf_level_key)key, &what, done));
      covered |= what != LEVELS_PARTIAL;
      tries++;
      hopeless = what == LEVELS_GOOD ? 0 : hopeless + (what == LEVELS_HOPELESS);
      if (key == BF_MIN_MAX && hopeless >= 2) bad_side = s->side;
      if (hopeless == 2 && S->order == BF_ORDER_AUTO) BF_TRY(bf_search_rcm(S, done)); /* of small reach */
    }
  }
  return BF_OK;
}
