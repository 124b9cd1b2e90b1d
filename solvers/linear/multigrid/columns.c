/* solvers/linear/multigrid/columns.c - thin elastic bodies of quadratic elements: sections through the
 * thickness
 *
 *     column     vertices joined by edges that are short beside the others of their ends
 *     section    nodes between the same columns, with the rigid motions of their nodes, P = T
 *
 * Functions that are linear between vertices cannot bend where an element is flat: their matrix is too stiff
 * by the square of the element's aspect ratio.  The rigid motions of sections can.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "solvers/linear/multigrid/multigrid.h"
#include <math.h>

static const double SHORT = 0.25;  /* length of an edge beside the longest of both its ends */
enum { COLUMN_MOST = 6, KEY = 8 }; /* vertices of a column; columns of a section */

typedef struct columns {
  const bf_multigrid_body *body;
  bf_int                   n;       /* nodes */
  bf_int                  *parent;  /* owned [n]: union-find of vertices; the root is the smallest row */
  double                  *longest; /* owned [n]: edge of a vertex */
  bf_int                  *next;    /* owned [n]: the next section with the same first column, -1: the last */
  bf_int                  *first;   /* owned [n]: the first section of a column, -1 */
  bf_int (*key)[KEY];               /* owned [n]: columns of a section, ascending; -1: none */
  bf_int *section;                  /* owned [n]: of a node, -1: none */
  bf_int  count;
} columns;

static void clear(columns *c)
{
  bf_host_free(c->parent);
  bf_host_free(c->longest);
  bf_host_free(c->next);
  bf_host_free(c->first);
  bf_host_free(c->key);
  bf_host_free(c->section);
}

static bf_err reserve(columns *c)
{
  BF_TRY(BF_NEW_ARRAY(c->parent, (size_t)c->n));
  BF_TRY(BF_NEW_ARRAY(c->longest, (size_t)c->n));
  BF_TRY(BF_NEW_ARRAY(c->next, (size_t)c->n));
  BF_TRY(BF_NEW_ARRAY(c->first, (size_t)c->n));
  BF_TRY(BF_NEW_ARRAY(c->key, (size_t)c->n));
  return BF_NEW_ARRAY(c->section, (size_t)c->n);
}

static bf_int root_of(const columns *c, bf_int i)
{
  while (c->parent[i] != i) i = c->parent[i];
  return i;
}

static double edge(const columns *c, bf_int i)
{
  const double *a = c->body->x + 3 * (size_t)c->body->ends[i][0],
               *b = c->body->x + 3 * (size_t)c->body->ends[i][1];
  return hypot(hypot(a[0] - b[0], a[1] - b[1]), a[2] - b[2]);
}

/* Joins the ends of short edges; returns the vertices of the largest column. */
static bf_int join(columns *c, bf_int *vertices, bf_int *roots)
{
  const bf_multigrid_body *b    = c->body;
  bf_int                   most = 0;
  *vertices = *roots = 0;
  for (bf_int i = 0; i < c->n; i++) {
    c->parent[i] = i;
    for (int k = 0; b->count[i] == 2 && k < 2; k++)
      c->longest[b->ends[i][k]] = fmax(c->longest[b->ends[i][k]], edge(c, i));
  }
  for (bf_int i = 0; i < c->n; i++) {
    if (b->count[i] != 2) continue;
    const bf_int u = b->ends[i][0], v = b->ends[i][1], p = root_of(c, u), q = root_of(c, v);
    if (edge(c, i) <= SHORT * fmin(c->longest[u], c->longest[v])) c->parent[p > q ? p : q] = p < q ? p : q;
  }
  for (bf_int i = 0; i < c->n; i++) c->first[i] = 0;
  for (bf_int i = 0; i < c->n; i++) {
    if (b->count[i] != 1) continue;
    const bf_int r = root_of(c, i);
    ++*vertices;
    *roots += r == i;
    if (++c->first[r] > most) most = c->first[r];
  }
  return most;
}

/* The columns of a node's vertices, ascending and different; the rest -1. */
static void key_of(const columns *c, bf_int i, bf_int key[KEY])
{
  int n = 0;
  for (int k = 0; k < KEY; k++) key[k] = -1;
  for (int k = 0; k < c->body->count[i]; k++) {
    const bf_int r = root_of(c, c->body->ends[i][k]);
    int          j = n;
    while (j > 0 && key[j - 1] > r) j--;
    if (j > 0 && key[j - 1] == r) continue;
    for (int m = n; m > j; m--) key[m] = key[m - 1];
    key[j] = r;
    n++;
  }
}

static int equal(const bf_int a[KEY], const bf_int b[KEY])
{
  int same = 1;
  for (int k = 0; k < KEY; k++) same &= a[k] == b[k];
  return same;
}

/* section[i], in the order of their first nodes. */
static void number(columns *c)
{
  for (bf_int i = 0; i < c->n; i++) c->first[i] = -1;
  for (bf_int i = 0; i < c->n; i++) {
    bf_int key[KEY];
    c->section[i] = -1;
    if (c->body->count[i] == 0) continue;
    key_of(c, i, key);
    bf_int s = c->first[key[0]];
    while (s >= 0 && !equal(c->key[s], key)) s = c->next[s];
    if (s < 0) {
      s = c->count++;
      for (int k = 0; k < KEY; k++) c->key[s][k] = key[k];
      c->next[s]       = c->first[key[0]];
      c->first[key[0]] = s;
    }
    c->section[i] = s;
  }
}

bf_err bf_mg_columns(const bf_mg_stage *fine, const bf_multigrid_body *body, int *made, bf_mg_stage *coarse,
                     bf_mg_transfer *T)
{
  bf_err      err = BF_OK;
  bf_backend *be  = fine->be;
  columns     c   = {.body = body, .n = fine->n / fine->ncomp};
  bf_int      vertices, roots;
  void       *p = NULL;
  *made         = 0;
  if (!body->x || fine->nmodes < 3 || !fine->x) return BF_OK;
  BF_GO(reserve(&c));
  const bf_int most = join(&c, &vertices, &roots);
  if (most > COLUMN_MOST || 2 * roots > vertices + vertices / 10) goto done; /* nearly every vertex has one */
  number(&c);
  if ((int64_t)c.count * fine->nmodes > fine->n) goto done;
  BF_GO(be->ops.alloc(be, (size_t)c.n * sizeof *c.section, &p));
  BF_GO(be->ops.copy(be, p, c.section, (size_t)c.n * sizeof *c.section, BF_TO_DEVICE));
  BF_GO(bf_mg_aggregate_with(fine, p, c.count, 0, coarse, T));
  BF_GO(be->ops.sync(be));
  T->name = "sections";
  *made   = 1;
done:
  be->ops.release(be, p);
  clear(&c);
  return err;
}
