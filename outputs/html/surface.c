/* outputs/html/surface.c - see surface.h: the polygons of the surface */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "outputs/html/surface.h"
#include "base/memory.h"

enum { CORNERS = 4 };

typedef struct face {
  bf_int cell;
  int    local, inner; /* inner: another cell has it too */
} face;

typedef struct faces {
  const bf_view *view;
  int64_t        n, slots; /* slots: a power of two */
  face          *face;     /* owned [n] */
  int64_t       *slot;     /* owned [slots]: face + 1, 0 = empty */
} faces;

/* The nodes of the corners, ascending; -1 behind three of a triangle */
static void key_of(const faces *F, const face *f, bf_int key[CORNERS])
{
  const bf_view      *v = F->view;
  const bf_elem_info *e = bf_elem(v->type[f->cell]);
  const int           n = bf_elem(e->face_type)->ncorners;
  for (int i = 0; i < CORNERS; i++) {
    const bf_int node = i < n ? v->node[v->point[v->ptr[f->cell] + e->face[f->local][i]]] : -1;
    int          k    = i;
    for (; k > 0 && i < n && key[k - 1] > node; k--) key[k] = key[k - 1];
    key[k] = node;
  }
}

static int same(const bf_int a[CORNERS], const bf_int b[CORNERS])
{
  return a[0] == b[0] && a[1] == b[1] && a[2] == b[2] && a[3] == b[3];
}

/* Enters face f, or marks the one that lies on it as inner. */
static void enter(faces *F, int64_t f)
{
  bf_int key[CORNERS], other[CORNERS];
  key_of(F, &F->face[f], key);
  uint64_t h = 1469598103934665603u;
  for (int i = 0; i < CORNERS; i++) h = (h ^ (uint32_t)key[i]) * 1099511628211u;
  for (int64_t s = (int64_t)((h ^ h >> 29) & (uint64_t)(F->slots - 1));; s = (s + 1) & (F->slots - 1)) {
    if (F->slot[s] == 0) {
      F->slot[s] = f + 1;
      return;
    }
    key_of(F, &F->face[F->slot[s] - 1], other);
    if (same(key, other)) {
      F->face[F->slot[s] - 1].inner = F->face[f].inner = 1;
      return;
    }
  }
}

static bf_err outer_faces(const bf_view *v, faces *F)
{
  F->view = v;
  for (bf_int c = 0; c < v->ncells; c++) F->n += bf_elem(v->type[c])->nfaces;
  for (F->slots = 16; F->slots < 2 * F->n;) F->slots *= 2;
  BF_TRY(BF_NEW_ARRAY(F->face, F->n));
  BF_TRY(BF_NEW_ARRAY(F->slot, F->slots));
  int64_t n = 0;
  for (bf_int c = 0; c < v->ncells; c++)
    for (int k = 0; k < bf_elem(v->type[c])->nfaces; k++, n++) {
      F->face[n] = (face){c, k, 0};
      enter(F, n);
    }
  return BF_OK;
}

/* Points around a side: corner, middle of the edge behind it, next corner, ...; returns their number. */
static int around(const bf_elem_info *side, bf_int *to, const bf_int *local)
{
  const int nc = side->ncorners, mids = side->order == 2;
  for (int i = 0; i < nc; i++) {
    *to++ = local[i];
    if (mids) *to++ = local[nc + i];
  }
  return nc * (1 + mids);
}

static void add(bf_surface *s, bf_int cell, const bf_elem_info *side, const bf_int *local)
{
  s->ptr[s->n + 1] = s->ptr[s->n] + around(side, s->point + s->ptr[s->n], local);
  s->cell[s->n++]  = cell;
}

static void fill(bf_surface *s, const faces *F)
{
  const bf_view *v = s->view;
  bf_int         local[BF_NEN_MAX];
  for (bf_int c = 0; c < v->ncells && s->dim == 2; c++) add(s, c, bf_elem(v->type[c]), v->point + v->ptr[c]);
  for (int64_t f = 0; f < F->n && s->dim == 3; f++) {
    const bf_elem_info *e = bf_elem(v->type[F->face[f].cell]), *side = bf_elem(e->face_type);
    if (F->face[f].inner) continue;
    for (int a = 0; a < side->nnodes; a++)
      local[a] = v->point[v->ptr[F->face[f].cell] + e->face[F->face[f].local][a]];
    add(s, F->face[f].cell, side, local);
  }
}

bf_err bf_surface_create(const bf_mesh *mesh, const bf_view *view, bf_surface **out)
{
  bf_err      err = BF_OK;
  bf_surface *s   = NULL;
  faces       F   = {.n = 0};
  *out            = NULL;
  BF_CHECK(mesh->dim >= 2 && view->ncells > 0 && view->ncells <= BF_SURFACE_MOST_CELLS, BF_E_MODEL,
           "no picture of %d cells of dimension %d", (int)view->ncells, mesh->dim);
  BF_GO(BF_NEW(s));
  s->mesh      = mesh;
  s->view      = view;
  s->dim       = mesh->dim;
  int64_t most = view->ncells;
  if (s->dim == 3) BF_GO(outer_faces(view, &F));
  if (s->dim == 3) most = 0;
  for (int64_t f = 0; f < F.n; f++) most += !F.face[f].inner;
  BF_GO(BF_NEW_ARRAY(s->ptr, most + 1));
  BF_GO(BF_NEW_ARRAY(s->cell, most));
  BF_GO(BF_NEW_ARRAY(s->point, 2 * CORNERS * most));
  fill(s, &F);
  *out = s;
  s    = NULL;
done:
  bf_host_free(F.face);
  bf_host_free(F.slot);
  bf_surface_destroy(&s);
  return err;
}

void bf_surface_destroy(bf_surface **s)
{
  if (!s || !*s) return;
  bf_host_free((*s)->ptr);
  bf_host_free((*s)->point);
  bf_host_free((*s)->cell);
  bf_host_free(*s);
  *s = NULL;
}
