/* mesh/search.c - the search for an order of few diagonals
 *
 * Cheap candidates first: the order in the file and the lexicographic one need no graph; then levels from
 * each start of each connected part; reverse Cuthill-McKee where nothing costs less than CSR (12 bytes per
 * nonzero). A part's search ends at the ideal number of diagonals, or within 5 % of 8 bytes per nonzero.
 * Parts are numbered one after another.
 */
#include "base/memory.h"
#include "base/timer.h"
#include "mesh/numbering_internal.h"
#include <stdio.h>
#include <string.h>

enum { LEVEL_TRIES = 48, HOPELESS = 8, RESERVED = 2 };

typedef struct search {
  bf_vmesh      *v; /* borrowed, renumbered when the graph is built */
  bf_order       order;
  bf_numbering  *out;
  bf_offsets    *o;         /* owned: of the candidate at hand */
  bf_graph      *g;         /* owned; with it the rest: */
  bf_int         nparts;    /* connected parts */
  bf_int        *part;      /* owned [nv] */
  bf_int        *part_ptr;  /* owned [nparts + 1]: vertices of part p are at part_ptr[p] .. in by_part, ... */
  bf_int        *file;      /* owned [nv]: by part, in file order */
  bf_int        *lex, *rcm; /* owned [nv]: likewise, or NULL */
  char           axes[4];
  bf_starts     *starts; /* owned */
  bf_level_work *work;   /* owned */
  uint8_t       *cut;    /* owned [nv], 0 */
  bf_int        *local;  /* owned [nv], -1 */
  bf_int        *list;   /* owned [nv]: order of the candidate */
  bf_int        *begin;  /* owned [nv]: its start */
  bf_cells       cells;  /* by part */
  bf_int        *cells_owned[BF_ELEM_TYPES], *cells_first;
  bf_choice      now, best; /* of the part at hand: pos by vertex, places within the part */
  int64_t        nnz;       /* of the part, 0 = not counted yet */
  bf_int         p;         /* part at hand, -1 = all */
} search;

void bf_choice_clear(bf_choice *c)
{
  bf_host_free(c->pos);
  bf_bands_destroy(&c->bands);
  memset(c, 0, sizeof *c);
}

static void search_free(search *S)
{
  bf_host_free(S->o);
  bf_graph_destroy(&S->g);
  bf_host_free(S->part);
  bf_host_free(S->part_ptr);
  bf_host_free(S->file);
  bf_host_free(S->lex);
  bf_host_free(S->rcm);
  bf_starts_destroy(&S->starts);
  bf_level_work_destroy(&S->work);
  bf_host_free(S->cut);
  bf_host_free(S->local);
  bf_host_free(S->list);
  bf_host_free(S->begin);
  for (int b = 0; b < BF_ELEM_TYPES; b++) bf_host_free(S->cells_owned[b]);
  bf_host_free(S->cells_first);
  bf_choice_clear(&S->now);
  bf_choice_clear(&S->best);
}

int bf_tries_add(bf_numbering *n, const char *name, const bf_offsets *o, const bf_bands *bands,
                 double seconds, int summary)
{
  if (n->ntries >= BF_TRIES_MAX - (summary ? 0 : RESERVED)) return -1;
  bf_try *t = &n->tries[n->ntries];
  snprintf(t->name, sizeof t->name, "%.47s", name);
  t->diagonals  = o ? 2 * o->n + 1 : 0;
  t->reach      = o ? o->reach : 0;
  t->stopped    = o && o->stopped;
  t->segments   = bands ? bands->nseg : 0;
  t->bytes_full = bands ? bf_bands_bytes(bands, 0) : 0.0;
  t->bytes_half = bands ? bf_bands_bytes(bands, 1) : 0.0;
  t->seconds    = seconds;
  return n->ntries++;
}

void bf_tries_scale(bf_numbering *n, int first, int64_t nnz)
{
  for (int i = first; i < n->ntries && nnz > 0; i++) {
    n->tries[i].bytes_full /= (double)nnz;
    n->tries[i].bytes_half /= (double)nnz;
  }
}

/* Cells of part p (-1: all) as a view. */
static bf_cells cells_of(const search *S, bf_int p)
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

static bf_int size_of(const search *S, bf_int p)
{
  return p < 0 || S->nparts <= 1 ? S->v->cells.nv : S->part_ptr[p + 1] - S->part_ptr[p];
}

/* now is better than best: fewer bytes, or the smaller reach where both are hopeless. */
static int better(const bf_choice *now, const bf_choice *best)
{
  if (!best->pos || best->empty) return 1;
  if (now->stopped != best->stopped) return best->stopped;
  return now->stopped ? now->reach < best->reach : now->bytes < best->bytes;
}

/* Counts the candidate order[n] (NULL: 0, 1, ...) of the part at hand and keeps it if it is the best; reach:
 * if known, else -1; *done: good enough. */
static bf_err evaluate(search *S, const char *name, const bf_int *order, bf_int reach, double begin,
                       int *done)
{
  const bf_cells cells = cells_of(S, S->p);
  const bf_int   n     = size_of(S, S->p);
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
  now->stopped = S->o->stopped;
  now->reach   = S->o->reach;
  now->bytes   = now->bands ? bf_bands_bytes(now->bands, 0) : 0.0;
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

/* ---- what needs the graph ---- */

/* by_part = order, stably sorted by part. */
static void sort_by_part(const search *S, const bf_int *order, bf_int *at, bf_int *by_part)
{
  for (bf_int p = 0; p < S->nparts; p++) at[p] = S->part_ptr[p];
  for (bf_int k = 0; k < S->v->cells.nv; k++) {
    const bf_int v            = order ? order[k] : k;
    by_part[at[S->part[v]]++] = v;
  }
}

static bf_err split_parts(search *S)
{
  bf_err       err = BF_OK;
  const bf_int nv  = S->v->cells.nv;
  bf_int      *at  = NULL;
  BF_GO(BF_NEW_ARRAY(S->part, nv));
  BF_GO(bf_graph_components(S->g, S->part, &S->nparts));
  if (S->nparts == 1) goto done;
  BF_GO(BF_NEW_ARRAY(S->part_ptr, (size_t)S->nparts + 1));
  for (bf_int v = 0; v < nv; v++) S->part_ptr[S->part[v] + 1]++;
  for (bf_int p = 0; p < S->nparts; p++) S->part_ptr[p + 1] += S->part_ptr[p];
  BF_GO(BF_NEW_ARRAY(at, S->nparts));
  BF_GO(BF_NEW_ARRAY(S->file, nv));
  sort_by_part(S, S->v->file, at, S->file);
  BF_GO(BF_NEW_ARRAY(S->lex, nv));
  sort_by_part(S, NULL, at, S->lex); /* the vertices are numbered so */
  BF_GO(bf_cells_by_part(&S->v->cells, S->part, S->nparts, &S->cells, S->cells_owned, &S->cells_first));
done:
  bf_host_free(at);
  return err;
}

/* The vertices are renumbered lexicographically, for the cache; so is the best order so far. */
static bf_err renumber(search *S, bf_int *reach)
{
  bf_err       err = BF_OK;
  const bf_int nv  = S->v->cells.nv;
  bf_int      *lex = NULL, *pos = NULL;
  BF_GO(BF_NEW_ARRAY(lex, nv));
  BF_GO(bf_order_lexicographic(S->v, lex, S->axes));
  BF_GO(bf_vmesh_renumber(S->v, lex, reach));
  if (S->best.pos) {
    BF_GO(BF_NEW_ARRAY(pos, nv));
    for (bf_int k = 0; k < nv; k++) pos[k] = S->best.pos[lex[k]];
    bf_host_free(S->best.pos);
    S->best.pos = pos;
  }
done:
  bf_host_free(lex);
  return err;
}

static bf_err build_graph(search *S)
{
  const bf_int nv = S->v->cells.nv;
  BF_TRY(bf_edge_graph(&S->v->cells, &S->g));
  BF_TRY(split_parts(S));
  if (S->order == BF_ORDER_RCM) return BF_OK;
  BF_TRY(bf_starts_create(S->v, S->g, S->part, S->nparts, &S->starts));
  BF_TRY(bf_level_work_create(nv, &S->work));
  BF_TRY(BF_NEW_ARRAY(S->cut, nv));
  BF_TRY(BF_NEW_ARRAY(S->local, nv));
  memset(S->local, -1, (size_t)nv * sizeof *S->local);
  BF_TRY(BF_NEW_ARRAY(S->list, nv));
  BF_TRY(BF_NEW_ARRAY(S->begin, nv));
  return BF_OK;
}

/* ---- levels ---- */

/* The vertices of a side, by levels from the chain over the side's own edges, into S->begin; *count = 0 if
 * they do not reach the whole side. */
static bf_err number_side(search *S, const bf_start *start, bf_level_key key, bf_int *count)
{
  bf_err         err  = BF_OK;
  const bf_side *side = &S->starts->side[start->side];
  bf_int(*edge)[2]    = S->starts->edge + side->first_edge;
  bf_int   *node = NULL, *global = NULL, *order = NULL, n = 0;
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
  for (bf_int i = 0; i < start->count; i++) S->begin[i] = S->local[S->starts->vert[start->first + i]];
  for (bf_int i = 0; i < n; i++) S->local[global[i]] = -1;
  BF_GO(bf_graph_from_items(n, side->nedges, ptr, node, 0, &g));
  BF_GO(BF_NEW_ARRAY(order, n));
  *count = bf_levels(S->work, g, S->begin, start->count, key, NULL, order);
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

/* One level order: *reached = 1 if it covers the part; then it is counted. */
static bf_err try_levels(search *S, const bf_start *s, bf_level_key key, int *reached, int *done)
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
  const bf_int n =
      bf_levels(S->work, S->g, S->begin, count, key, s->kind == BF_START_CUT ? S->cut : NULL, S->list);
  for (bf_int i = 0; i < s->count + s->nleft && s->kind == BF_START_CUT; i++) S->cut[vert[i]] = 0;
  *reached = n == size_of(S, S->p);
  if (*reached) return evaluate(S, name, S->list, -1, begin, done);
  bf_tries_add(S->out, name, NULL, NULL, bf_seconds() - begin, 0);
  return BF_OK;
}

/* Starts of the part at hand, item[*at] on; *at moves to the next part's. */
static bf_err try_starts(search *S, int *at, int *done)
{
  int tries = 0, hopeless = 0, covered = 0;
  for (; *at < S->starts->n && S->starts->item[*at].part == S->p; ++*at) {
    const bf_start *s = &S->starts->item[*at];
    if (*done || tries >= LEVEL_TRIES || hopeless >= HOPELESS) continue;
    if (s->kind == BF_START_VERTEX && covered) continue;
    for (int key = BF_MAX_MIN; key <= (S->v->simplices ? BF_MIN_MAX : BF_MAX_MIN) && !*done; key++) {
      int reached = 0;
      BF_TRY(try_levels(S, s, (bf_level_key)key, &reached, done));
      covered |= reached;
      tries++;
      hopeless = reached && !S->o->stopped ? 0 : hopeless + reached;
    }
  }
  return BF_OK;
}

static bf_err try_rcm(search *S, int *done)
{
  const double begin = bf_seconds();
  if (!S->rcm) {
    BF_TRY(BF_NEW_ARRAY(S->rcm, S->v->cells.nv));
    BF_TRY(bf_graph_rcm(S->g, S->rcm)); /* parts in order of their first vertex, as they are numbered */
  }
  return evaluate(S, "rcm", S->rcm + (S->nparts > 1 ? S->part_ptr[S->p] : 0), -1, begin, done);
}

/* ---- the whole ---- */

/* The vertices have been renumbered so. */
static bf_err try_lexicographic(search *S, bf_int reach, double begin, int *done)
{
  char name[32];
  snprintf(name, sizeof name, "lexicographic %s", S->axes);
  return evaluate(S, name, S->nparts > 1 ? S->lex + S->part_ptr[S->p] : NULL, reach, begin, done);
}

/* Nonzeros of the part at hand where every pair of an element's vertices is an edge. */
static int64_t count_edges(const search *S)
{
  const int64_t *ptr = S->g->ptr;
  const bf_int   n   = size_of(S, S->p);
  if (S->nparts == 1) return n + ptr[n];
  int64_t sum = n;
  for (bf_int k = S->part_ptr[S->p]; k < S->part_ptr[S->p + 1]; k++)
    sum += ptr[S->file[k] + 1] - ptr[S->file[k]];
  return sum;
}

/* All candidates of part p. */
static bf_err search_part(search *S, bf_int p, int *at)
{
  const int first = S->out->ntries, several = S->nparts > 1;
  int       done = 0;
  S->p           = p;
  if (several) S->nnz = 0;
  if (S->nnz == 0 && S->v->only_edges) S->nnz = count_edges(S);
  if (several) {
    if (S->order == BF_ORDER_AUTO)
      BF_TRY(evaluate(S, "file", S->file + S->part_ptr[p], -1, bf_seconds(), &done));
    if (S->order == BF_ORDER_AUTO && !done) BF_TRY(try_lexicographic(S, -1, bf_seconds(), &done));
  }
  if (S->order != BF_ORDER_RCM) BF_TRY(try_starts(S, at, &done));
  if (S->order == BF_ORDER_RCM || (S->order == BF_ORDER_AUTO && !done &&
                                   (S->best.stopped || S->nnz == 0 || S->best.bytes > 12.0 * (double)S->nnz)))
    BF_TRY(try_rcm(S, &done));
  if (several) bf_tries_scale(S->out, first, S->nnz);
  return BF_OK;
}

/* Parts one after another: *whole holds the positions, counted as one order at the end. */
static bf_err search_parts(search *S, bf_choice *whole, int64_t *nnz)
{
  bf_int *order = NULL;
  bf_err  err   = BF_OK;
  int     at    = 0, done;
  int64_t sum   = 0;
  BF_GO(BF_NEW_ARRAY(order, S->v->cells.nv));
  for (bf_int p = 0; p < S->nparts; p++) {
    const bf_cells cells = cells_of(S, p);
    BF_GO(search_part(S, p, &at));
    if (S->nnz == 0) BF_GO(bf_pairs_count_rows(&cells, S->best.pos, size_of(S, p), &S->nnz));
    sum += S->nnz;
    for (bf_int k = S->part_ptr[p]; k < S->part_ptr[p + 1]; k++)
      order[S->part_ptr[p] + S->best.pos[S->file[k]]] = S->file[k];
    bf_bands_destroy(&S->best.bands);
    S->best.empty = 1; /* pos stays as memory for the next part */
  }
  bf_choice_clear(&S->best);
  S->best = *whole; /* file and lexicographic order of all parts at once */
  *whole  = (bf_choice){0};
  S->p    = -1;
  S->nnz  = sum;
  if (S->out->ntries > BF_TRIES_MAX - RESERVED - 1) S->out->ntries = BF_TRIES_MAX - RESERVED - 1;
  const int line = S->out->ntries;
  BF_GO(evaluate(S, "parts one after another", order, -1, bf_seconds(), &done));
  bf_tries_scale(S->out, line, sum);
  *nnz = sum;
done:
  bf_host_free(order);
  return err;
}

/* The chosen order was perhaps not cut into segments yet. */
static bf_err choose_again(search *S)
{
  bf_choice *best = &S->best;
  bf_try    *t    = &S->out->tries[best->line];
  if (best->stopped || t->diagonals <= S->v->ideal || best->bands->nseg > 1 ||
      best->bytes <= 1.05 * 8.0 * (double)S->nnz)
    return BF_OK;
  BF_TRY(bf_offsets_find(&S->v->cells, best->pos, S->v->cells.nv, best->reach, S->o));
  bf_bands_destroy(&best->bands);
  BF_TRY(bf_bands_choose(&S->v->cells, best->pos, S->v->cells.nv, S->o, BF_CUT, &S->nnz, &best->bands));
  best->bytes   = bf_bands_bytes(best->bands, 0);
  t->segments   = best->bands->nseg;
  t->bytes_full = best->bytes / (double)S->nnz;
  t->bytes_half = bf_bands_bytes(best->bands, 1) / (double)S->nnz;
  return BF_OK;
}

bf_err bf_search_orders(bf_vmesh *v, bf_order order, bf_numbering *out, bf_choice *best, int64_t *nnz)
{
  bf_err    err  = BF_OK;
  int       done = 0, at = 0;
  search    S     = {.v = v, .order = order, .out = out, .nparts = 1, .p = -1};
  bf_choice whole = {0};
  BF_GO(BF_NEW(S.o));
  if (order == BF_ORDER_AUTO || order == BF_ORDER_FILE)
    BF_GO(evaluate(&S, "file", NULL, v->quadratic ? -1 : v->reach_file, bf_seconds(), &done));
  if (!done && order != BF_ORDER_FILE) {
    const double begin = bf_seconds();
    bf_int       reach;
    BF_GO(renumber(&S, &reach));
    if (order == BF_ORDER_AUTO || order == BF_ORDER_LEXICOGRAPHIC)
      BF_GO(try_lexicographic(&S, reach, begin, &done));
  }
  if (!done && order != BF_ORDER_FILE && order != BF_ORDER_LEXICOGRAPHIC) {
    BF_GO(build_graph(&S));
    if (S.nparts == 1) {
      BF_GO(search_part(&S, 0, &at));
    } else {
      bf_tries_scale(out, 0, S.nnz);
      whole  = S.best;
      S.best = (bf_choice){0};
      BF_GO(search_parts(&S, &whole, &S.nnz));
    }
  }
  if (S.nnz == 0) BF_GO(bf_pairs_count_rows(&v->cells, S.best.pos, v->cells.nv, &S.nnz));
  if (S.nparts == 1) bf_tries_scale(out, 0, S.nnz);
  BF_GO(choose_again(&S));
  *nnz   = S.nnz;
  *best  = S.best;
  S.best = (bf_choice){0};
done:
  bf_choice_clear(&whole);
  search_free(&S);
  return err;
}
