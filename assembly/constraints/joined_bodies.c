/* assembly/constraints/joined_bodies.c - see joined_bodies.h: nodes of several bodies, found by a mark per
 * node and a sort of (node, body) */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "assembly/constraints/joined_bodies.h"
#include "assembly/constraints/connected_components.h"
#include "base/memory.h"
#include <math.h>
#include <stdlib.h>

typedef struct incidence {
  bf_int node, body;
} incidence;

static int by_node(const void *p, const void *q)
{
  const incidence *s = p, *t = q;
  if (s->node != t->node) return s->node < t->node ? -1 : 1;
  return s->body < t->body ? -1 : s->body > t->body;
}

static int by_pair(const void *p, const void *q)
{
  const bf_joint *s = p, *t = q;
  if (s->first != t->first) return s->first < t->first ? -1 : 1;
  if (s->second != t->second) return s->second < t->second ? -1 : 1;
  return s->node < t->node ? -1 : s->node > t->node;
}

/* One entry for each element at a node of several bodies; *list NULL: counted. */
static int64_t collect(const bf_mesh *mesh, const bf_bodies *b, const uint8_t *many, incidence *list)
{
  int64_t n = 0;
  for (int i = 0; i < mesh->nblocks; i++) {
    const bf_block *k   = &mesh->block[i];
    const int       nen = bf_elem(k->type)->nnodes;
    for (bf_int e = 0; e < k->n && b->of[k->first] >= 0; e++)
      for (int a = 0; a < nen; a++) {
        const bf_int v = k->node[(size_t)e * (size_t)nen + (size_t)a];
        if (!many[v]) continue;
        if (list) list[n] = (incidence){v, b->of[k->first + e]};
        n++;
      }
  }
  return n;
}

/* many[v] = 1 for nodes of several bodies. */
static bf_err mark(const bf_mesh *mesh, const bf_bodies *b, uint8_t *many)
{
  bf_int *seen = NULL; /* body + 1 of the first element at a node */
  BF_TRY(BF_NEW_ARRAY(seen, mesh->nnodes));
  for (int i = 0; i < mesh->nblocks; i++) {
    const bf_block *k   = &mesh->block[i];
    const int       nen = bf_elem(k->type)->nnodes;
    for (bf_int e = 0; e < k->n && b->of[k->first] >= 0; e++)
      for (int a = 0; a < nen; a++) {
        const bf_int v = k->node[(size_t)e * (size_t)nen + (size_t)a], body = b->of[k->first + e];
        if (seen[v] == 0) seen[v] = body + 1;
        many[v] |= seen[v] != body + 1;
      }
  }
  bf_host_free(seen);
  return BF_OK;
}

static bf_err find_joints(const bf_mesh *mesh, bf_bodies *b)
{
  bf_err     err  = BF_OK;
  uint8_t   *many = NULL;
  incidence *list = NULL;
  bf_host_free(b->joint);
  b->joint   = NULL;
  b->njoints = b->nodes = 0;
  BF_GO(BF_NEW_ARRAY(many, mesh->nnodes));
  BF_GO(mark(mesh, b, many));
  const int64_t n = collect(mesh, b, many, NULL);
  if (n == 0) goto done;
  BF_GO(BF_NEW_ARRAY(list, n));
  BF_GO(BF_NEW_ARRAY(b->joint, n));
  collect(mesh, b, many, list);
  qsort(list, (size_t)n, sizeof *list, by_node);
  for (int64_t i = 0, lowest = 0; i < n; i++) {
    if (i > 0 && list[i].node == list[lowest].node) {
      if (list[i].body != list[i - 1].body)
        b->joint[b->njoints++] = (bf_joint){list[lowest].body, list[i].body, list[i].node};
      continue;
    }
    lowest = i;
    b->nodes++;
  }
  qsort(b->joint, (size_t)b->njoints, sizeof *b->joint, by_pair);
done:
  bf_host_free(many);
  bf_host_free(list);
  return err;
}

/* Vector from node a to node b; returns its squared length. */
static double between(const bf_mesh *mesh, bf_int a, bf_int b, double d[3])
{
  double r = 0.0;
  for (int i = 0; i < 3; i++) {
    d[i] = mesh->x[3 * (size_t)b + (size_t)i] - mesh->x[3 * (size_t)a + (size_t)i];
    r += d[i] * d[i];
  }
  return r;
}

/* The node of the joints that is farthest from node a. */
static bf_int farthest(const bf_mesh *mesh, const bf_joint *joint, bf_int n, bf_int a)
{
  bf_int best = a;
  double top  = 0.0, d[3];
  for (bf_int i = 0; i < n; i++) {
    const double r = between(mesh, a, joint[i].node, d);
    if (r > top) top = r, best = joint[i].node;
  }
  return best;
}

int bf_bodies_on_line(const bf_mesh *mesh, const bf_joint *joint, bf_int n, bf_int end[2])
{
  double axis[3], d[3];
  end[0] = end[1] = n > 0 ? joint[0].node : -1;
  if (n < 2) return 1;
  end[0]            = farthest(mesh, joint, n, joint[0].node);
  end[1]            = farthest(mesh, joint, n, end[0]);
  const double span = between(mesh, end[0], end[1], axis);
  for (bf_int i = 0; i < n; i++) {
    double area = 0.0;
    between(mesh, end[0], joint[i].node, d);
    for (int k = 0; k < 3; k++) {
      const int p = (k + 1) % 3, q = (k + 2) % 3;
      area = hypot(area, d[p] * axis[q] - d[q] * axis[p]);
    }
    if (area > 1e-6 * span) return 0;
  }
  return 1;
}

/* 1 if the nodes of n joints make two bodies one. */
static int rigid(const bf_mesh *mesh, int dim, const bf_joint *joint, bf_int n)
{
  bf_int end[2];
  return dim == 2 ? n >= 2 : n >= 3 && !bf_bodies_on_line(mesh, joint, n, end);
}

static bf_int root(bf_int *up, bf_int i)
{
  while (up[i] != i) i = up[i] = up[up[i]];
  return i;
}

/* Merges bodies that are joined rigidly; *merged: number of bodies removed. */
static bf_err merge(const bf_mesh *mesh, int dim, bf_bodies *b, bf_int *merged)
{
  bf_err  err = BF_OK;
  bf_int *up = NULL, *number = NULL, n = 0;
  BF_GO(BF_NEW_ARRAY(up, b->n));
  BF_GO(BF_NEW_ARRAY(number, b->n));
  for (bf_int i = 0; i < b->n; i++) up[i] = i;
  for (bf_int i = 0, end; i < b->njoints; i = end) {
    const bf_joint *j = &b->joint[i];
    for (end = i + 1; end < b->njoints; end++)
      if (b->joint[end].first != j->first || b->joint[end].second != j->second) break;
    const bf_int p = root(up, j->first), q = root(up, j->second);
    if (p != q && rigid(mesh, dim, j, end - i)) up[p > q ? p : q] = p > q ? q : p;
  }
  for (bf_int i = 0; i < b->n; i++) { /* a root is the lowest of its bodies */
    const bf_int r = root(up, i);
    number[i]      = r == i ? n++ : number[r];
  }
  for (bf_int e = 0; e < mesh->nelem; e++)
    if (b->of[e] >= 0) b->of[e] = number[b->of[e]];
  *merged = b->n - n;
  b->n    = n;
done:
  bf_host_free(up);
  bf_host_free(number);
  return err;
}

bf_err bf_bodies_create(const bf_mesh *mesh, int dim, bf_bodies **out)
{
  bf_err     err    = BF_OK;
  bf_bodies *b      = NULL;
  bf_int     merged = 0;
  BF_CHECK(mesh && out, BF_E_ARG, "null argument");
  *out = NULL;
  BF_GO(BF_NEW(b));
  BF_GO(BF_NEW_ARRAY(b->of, mesh->nelem));
  BF_GO(bf_bodies_find(mesh, dim, b->of, &b->n));
  merged = b->n > 1;
  while (merged > 0) {
    BF_GO(find_joints(mesh, b));
    BF_GO(merge(mesh, dim, b, &merged));
  }
  *out = b;
  b    = NULL;
done:
  bf_bodies_destroy(&b);
  return err;
}

void bf_bodies_destroy(bf_bodies **b)
{
  if (!b || !*b) return;
  bf_host_free((*b)->of);
  bf_host_free((*b)->joint);
  bf_host_free(*b);
  *b = NULL;
}
