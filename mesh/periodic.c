/* mesh/periodic.c - see periodic.h
 *
 * Each pair gives links v -> w with a translation; a forest over the nodes holds every node's translation
 * from its root (Tarjan, union-find with potentials), so edges and corners need no special case: all paths to
 * a node must give the same translation.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "mesh/periodic.h"
#include "base/memory.h"
#include "mesh/node_lookup.h"
#include "mesh/periodic_sides.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double LOOSE = 4.0; /* times the tolerance: for whole faces */
enum { COMBINATIONS = 27 };      /* of -1, 0, 1 for each vector */

typedef struct matcher {
  const bf_mesh    *mesh;
  const bf_lattice *L;
  bf_periodic      *p;
  double            tolerance; /* absolute */
  bf_int   *partner; /* borrowed [nnodes]: of a node of the first side of a pair on the second, or -1 */
  bf_diags *diags;
} matcher;

/* ---- translations ---- */

/* Combination c of the vectors with factors -1, 0, 1; 0 where it needs more vectors than there are. */
static int combination(const bf_lattice *L, int c, int s[3])
{
  for (int i = 0; i < 3; i++, c /= 3) s[i] = c % 3 == 2 ? -1 : c % 3;
  for (int i = L->n; i < 3; i++)
    if (s[i] != 0) return 0;
  return 1;
}

static void translation(const bf_lattice *L, const int s[3], double r[3])
{
  for (int d = 0; d < 3; d++) {
    r[d] = 0.0;
    for (int i = 0; i < L->n; i++) r[d] += s[i] * L->a[i][d];
  }
}

static void bounds(const bf_mesh *m, const bf_int *node, bf_int n, double lo[3], double hi[3])
{
  for (int d = 0; d < 3; d++) {
    lo[d] = INFINITY;
    hi[d] = -INFINITY;
    for (bf_int i = 0; i < n; i++) {
      const double x = m->x[3 * (size_t)node[i] + (size_t)d];
      lo[d]          = fmin(lo[d], x);
      hi[d]          = fmax(hi[d], x);
    }
  }
}

/* The combination that maps the box of one face to that of the other; E211 and 0 if there is none. */
static int find_translation(const matcher *k, const bf_face_pair *pair, const bf_int *a, bf_int na,
                            const bf_int *b, bf_int nb, int s[3])
{
  double alo[3], ahi[3], blo[3], bhi[3], r[3], from[3], near[3] = {0}, best = INFINITY;
  bounds(k->mesh, a, na, alo, ahi);
  bounds(k->mesh, b, nb, blo, bhi);
  for (int d = 0; d < 3; d++) from[d] = 0.5 * (blo[d] + bhi[d] - alo[d] - ahi[d]);
  for (int c = 1; c < COMBINATIONS; c++) {
    int t[3];
    if (!combination(k->L, c, t)) continue;
    translation(k->L, t, r);
    if (bf_spot_apart(r, from) >= best) continue;
    best = bf_spot_apart(r, from);
    memcpy(near, r, sizeof near);
    memcpy(s, t, sizeof t);
  }
  if (best <= LOOSE * k->tolerance) return 1;
  bf_diag_add(k->diags, BF_ERROR, 211, pair->where,
              "no translation of the lattice maps '%s' to '%s': they are (%g, %g, %g) apart, the nearest "
              "translation is (%g, %g, %g)",
              pair->first->name, pair->second->name, from[0], from[1], from[2], near[0], near[1], near[2]);
  return 0;
}

/* ---- classes ---- */

static bf_int root_of(const bf_periodic *p, bf_int v, int s[3])
{
  s[0] = s[1] = s[2] = 0;
  while (p->master[v] != v) {
    for (int i = 0; i < 3; i++) s[i] += p->shift[v][i];
    v = p->master[v];
  }
  return v;
}

/* Path compression. */
static void shorten(bf_periodic *p, bf_int v, bf_int root, const int s[3])
{
  int left[3] = {s[0], s[1], s[2]};
  while (p->master[v] != v && p->master[v] != root) {
    const bf_int up = p->master[v];
    for (int i = 0; i < 3; i++) {
      const int step = p->shift[v][i];
      p->shift[v][i] = left[i];
      left[i] -= step;
    }
    p->master[v] = root;
    v            = up;
  }
}

/* x_w = x_v + R_s.  0 if the two were one already, with another translation. */
static int join(bf_periodic *p, bf_int v, bf_int w, const int s[3])
{
  int          sv[3], sw[3], between[3];
  const bf_int rv = root_of(p, v, sv), rw = root_of(p, w, sw);
  shorten(p, v, rv, sv);
  shorten(p, w, rw, sw);
  for (int i = 0; i < 3; i++) between[i] = sv[i] + s[i] - sw[i]; /* x_rw = x_rv + R_between */
  if (rv == rw) return between[0] == 0 && between[1] == 0 && between[2] == 0;
  const bf_int low = rv < rw ? rv : rw, high = rv < rw ? rw : rv;
  p->master[high] = low;
  for (int i = 0; i < 3; i++) p->shift[high][i] = rv < rw ? between[i] : -between[i];
  return 1;
}

/* ---- pairs ---- */

/* Joins the nodes of `from` with those of `to` by the translation s; E210.  partner[v], out, or NULL. */
static void match(const matcher *k, const bf_face_pair *pair, const bf_spots *from, const bf_spots *to,
                  const int s[3], const char *name, const char *other, bf_int *partner, int *closed)
{
  double r[3];
  bf_int alone = 0, first = -1;
  translation(k->L, s, r);
  for (bf_int i = 0; i < from->n; i++) {
    const bf_int  v    = from->at[i].node;
    const double *x    = k->mesh->x + 3 * (size_t)v;
    const double  y[3] = {x[0] + r[0], x[1] + r[1], x[2] + r[2]};
    const bf_int  w    = bf_spot_find(k->mesh, to, y, k->tolerance);
    k->p->paired[v]    = 1;
    if (partner) partner[v] = w;
    if (w >= 0)
      *closed &= join(k->p, v, w, s);
    else if (alone++ == 0 || v < first)
      first = v;
  }
  if (alone == 0) return;
  const double *x    = k->mesh->x + 3 * (size_t)first;
  const double  y[3] = {x[0] + r[0], x[1] + r[1], x[2] + r[2]};
  bf_diag_add(k->diags, BF_ERROR, 210, pair->where,
              "%d of the %d nodes of '%s' have no partner on '%s': the first is node %lld (%g, %g, %g), its "
              "nearest there is %.3g away, %.3g are allowed; give both sides the same nodes (Gmsh: Periodic "
              "Curve, Periodic Surface)",
              (int)alone, (int)from->n, name, other, (long long)k->mesh->node_tag[first], x[0], x[1], x[2],
              bf_spot_nearest(k->mesh, to, y), k->tolerance);
}

static bf_err face_nodes(const matcher *k, const uint8_t *used, const bf_group *g, bf_int **node, bf_int *n)
{
  BF_TRY(bf_mesh_group_nodes(k->mesh, g, node, n));
  bf_int kept = 0;
  for (bf_int i = 0; i < *n; i++)
    if (used[(*node)[i]]) (*node)[kept++] = (*node)[i];
  *n = kept;
  return BF_OK;
}

static bf_err one_pair(const matcher *k, const uint8_t *used, const bf_face_pair *pair, int *closed)
{
  bf_err   err = BF_OK;
  bf_int  *a = NULL, *b = NULL, na = 0, nb = 0;
  bf_spots la = {0}, lb = {0};
  int      s[3] = {0};
  BF_GO(face_nodes(k, used, pair->first, &a, &na));
  BF_GO(face_nodes(k, used, pair->second, &b, &nb));
  if (na == 0 || nb == 0) {
    bf_diag_add(k->diags, BF_ERROR, 210, pair->where, "'%s' has no nodes of the body",
                (na == 0 ? pair->first : pair->second)->name);
    goto done;
  }
  if (!find_translation(k, pair, a, na, b, nb, s)) goto done;
  BF_GO(bf_spots_create(k->mesh, a, na, &la));
  BF_GO(bf_spots_create(k->mesh, b, nb, &lb));
  const int back[3] = {-s[0], -s[1], -s[2]}, before = k->diags->errors;
  for (bf_int v = 0; v < k->mesh->nnodes; v++) k->partner[v] = -1;
  match(k, pair, &la, &lb, s, pair->first->name, pair->second->name, k->partner, closed);
  match(k, pair, &lb, &la, back, pair->second->name, pair->first->name, NULL, closed);
  if (k->diags->errors == before) BF_GO(bf_periodic_sides(k->mesh, pair, k->partner, k->diags));
done:
  bf_host_free(a);
  bf_host_free(b);
  bf_host_free(la.at);
  bf_host_free(lb.at);
  return err;
}

/* E212: two nodes of paired faces a lattice translation apart must be one class with that translation. */
static bf_err check_closed(const matcher *k, const bf_face_pair *pair, int closed)
{
  bf_err       err  = BF_OK;
  bf_int      *node = NULL, n = 0, open = 0, v0 = -1, w0 = -1;
  bf_periodic *p   = k->p;
  bf_spots     all = {0};
  BF_GO(BF_NEW_ARRAY(node, p->nnodes));
  for (bf_int v = 0; v < p->nnodes; v++)
    if (p->paired[v]) node[n++] = v;
  BF_GO(bf_spots_create(k->mesh, node, n, &all));
  for (bf_int i = 0; i < n; i++)
    for (int c = 1; c < COMBINATIONS; c++) {
      int    s[3], sv[3], sw[3];
      double y[3];
      if (!combination(k->L, c, s)) continue;
      translation(k->L, s, y);
      for (int d = 0; d < 3; d++) y[d] += k->mesh->x[3 * (size_t)node[i] + (size_t)d];
      const bf_int w = bf_spot_find(k->mesh, &all, y, k->tolerance);
      if (w < 0) continue;
      const bf_int rv = root_of(p, node[i], sv), rw = root_of(p, w, sw);
      if (rv == rw && sw[0] == sv[0] + s[0] && sw[1] == sv[1] + s[1] && sw[2] == sv[2] + s[2]) continue;
      if (open++ > 0) continue;
      v0 = node[i];
      w0 = w;
    }
  if (open == 0 && closed) goto done;
  if (v0 < 0) {
    bf_diag_add(k->diags, BF_ERROR, 212, pair->where,
                "the pairs lead from a node back to itself with another translation of the lattice");
    goto done;
  }
  const double *x = k->mesh->x + 3 * (size_t)v0, *y = k->mesh->x + 3 * (size_t)w0;
  bf_diag_add(k->diags, BF_ERROR, 212, pair->where,
              "nodes of edges and corners are not closed: node %lld (%g, %g, %g) and node %lld (%g, %g, %g) "
              "are a translation of the lattice apart, and no pair of sides joins them (%d such in all); "
              "every side must be paired, and its group hold its edges and corners",
              (long long)k->mesh->node_tag[v0], x[0], x[1], x[2], (long long)k->mesh->node_tag[w0], y[0],
              y[1], y[2], (int)open);
done:
  bf_host_free(node);
  bf_host_free(all.at);
  return err;
}

static void finish(bf_periodic *p)
{
  for (bf_int v = 0; v < p->nnodes; v++) { /* masters are lower: their values are final */
    int          s[3];
    const bf_int root = root_of(p, v, s);
    p->master[v]      = root;
    memcpy(p->shift[v], s, sizeof s);
    p->nmasters += root == v;
  }
}

bf_err bf_periodic_create(const bf_mesh *m, const uint8_t *used, const bf_lattice *L,
                          const bf_face_pair *pair, int npairs, double tolerance, bf_diags *diags,
                          bf_periodic **out)
{
  bf_err       err     = BF_OK;
  bf_periodic *p       = NULL;
  bf_int      *partner = NULL;
  double       b[3][3], longest = 0.0;
  int          closed = 1;
  BF_CHECK(m && used && L && pair && npairs > 0 && diags && out, BF_E_ARG, "null argument, or no pairs");
  BF_CHECK(tolerance >= 0.0 && isfinite(tolerance), BF_E_ARG, "tolerance %g", tolerance);
  *out             = NULL;
  const int before = diags->errors;
  BF_GO(bf_lattice_reciprocal(L, b));
  BF_GO(BF_NEW(p));
  p->nnodes = m->nnodes;
  BF_GO(BF_NEW_ARRAY(p->master, m->nnodes));
  BF_GO(BF_NEW_ARRAY(p->shift, m->nnodes));
  BF_GO(BF_NEW_ARRAY(p->paired, m->nnodes));
  BF_GO(BF_NEW_ARRAY(partner, m->nnodes));
  for (bf_int v = 0; v < m->nnodes; v++) p->master[v] = v;
  for (int i = 0; i < L->n; i++) longest = fmax(longest, bf_spot_apart(L->a[i], (const double[3]){0}));
  const matcher k = {
      .mesh = m, .L = L, .p = p, .tolerance = tolerance * longest, .partner = partner, .diags = diags};
  for (int i = 0; i < npairs; i++) BF_GO(one_pair(&k, used, &pair[i], &closed));
  if (diags->errors == before) BF_GO(check_closed(&k, &pair[0], closed));
  BF_NEED(diags->errors == before, BF_E_MODEL, "the periodic sides do not match");
  finish(p);
  *out = p;
  p    = NULL;
done:
  bf_host_free(partner);
  bf_periodic_destroy(&p);
  return err;
}

void bf_periodic_destroy(bf_periodic **p)
{
  if (!p || !*p) return;
  bf_host_free((*p)->master);
  bf_host_free((*p)->shift);
  bf_host_free((*p)->paired);
  bf_host_free(*p);
  *p = NULL;
}
