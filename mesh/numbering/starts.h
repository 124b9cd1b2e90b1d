/* mesh/numbering/starts.h - inside mesh/numbering/: the boundary of a vertex mesh and the start sets of level
 * orders
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_MESH_NUMBERING_STARTS_H
#define BF_MESH_NUMBERING_STARTS_H
#include "mesh/numbering/vertex_mesh.h"

typedef struct bf_facet { /* side of one element only, outward by the right-hand rule (2D: interior to the
                             left) */
  bf_int v[4];
  int    n; /* 1, 2, 3 or 4 vertices */
} bf_facet;

typedef struct bf_surface_edge { /* edge of a facet of a 3D mesh */
  bf_int a, b;                   /* a < b */
  bf_int facet[2];               /* the first two */
  int    nfacets, ncells;        /* facets and elements at it (elements: only without simplices, else 0) */
} bf_surface_edge;

typedef struct bf_boundary {
  bf_int           nfacets;
  bf_facet        *facet;    /* owned */
  uint8_t         *vertex;   /* owned [nv]: 1 = on a facet */
  bf_int           nedges;   /* 3D, else 0 */
  bf_surface_edge *edge;     /* owned, by vertex a */
  bf_int          *edge_ptr; /* owned [nv + 1]: edges of a */
  bf_int           nsides;   /* 3D: sets of facets that join smoothly */
  bf_int          *side;     /* owned [nfacets]: 0 .. nsides-1 in order of their first facet */
} bf_boundary;

bf_err bf_boundary_create(const bf_vmesh *v, const bf_graph *g, bf_boundary **out);
void   bf_boundary_destroy(bf_boundary **b);
/* Number of the surface edge p-q, or -1. */
bf_int bf_boundary_edge(const bf_boundary *b, bf_int p, bf_int q);

/* Angle between two directions over 40 degrees (or one of them zero). */
int bf_is_corner(const double a[3], const double b[3]);

/* ---- chains ---- */
typedef struct bf_chains { /* chain i is vert[ptr[i] .. ptr[i+1]) */
  bf_int   n, nvert;
  bf_int  *ptr;  /* owned [n + 1] */
  bf_int  *vert; /* owned [ptr[n]] */
  uint8_t *loop; /* owned [n]: closed, no corner */
} bf_chains;

/* Directed edges, cut at corners into chains; a vertex with other than two edges is always a corner.
 * corner[v]: 1 = corner; NULL: by angle.  local[nv]: scratch, -1 everywhere before and after. */
bf_err bf_chains_create(const bf_vmesh *v, bf_int nedges, const bf_int (*edge)[2], const uint8_t *corner,
                        bf_int *local, bf_chains **out);
void   bf_chains_destroy(bf_chains **c);

/* ---- starts ---- */
typedef enum { BF_START_CHAIN, BF_START_LOOP, BF_START_CUT, BF_START_SIDE, BF_START_VERTEX } bf_start_kind;

typedef struct bf_start {
  bf_start_kind kind;
  bf_int        part;
  bf_int        side;         /* 3D: number of the side, else -1 */
  bf_int        chain;        /* its number in the side, or in the boundary */
  bf_int        first, count; /* vert[first .. first+count): the chain, loop or cut line */
  bf_int        nleft;        /* of a cut line: its left neighbours follow in vert */
  int64_t       size;         /* for the order of trying */
} bf_start;

typedef struct bf_side { /* its edges and number of vertices */
  bf_int first_edge, nedges, nvert;
} bf_side;

typedef struct bf_starts {
  bf_int    n, capacity;
  bf_start *item; /* owned, by part, then in the order of trying */
  bf_int    nvert, vert_capacity;
  bf_int   *vert; /* owned */
  bf_int    nsides;
  bf_side  *side;    /* owned */
  bf_int (*edge)[2]; /* owned: edges of the sides */
} bf_starts;

/* part[nv] or NULL = all in part 0. */
bf_err bf_starts_create(const bf_vmesh *v, const bf_graph *g, const bf_int *part, bf_int nparts,
                        bf_starts **out);
void   bf_starts_destroy(bf_starts **s);

/* Adds a start with its vertices (borrowed, copied). */
bf_err bf_starts_add(bf_starts *s, bf_start item, const bf_int *vert, bf_int nvert);

/* Cut lines of a loop in a mesh of quadrilaterals: straight from it to the boundary (cut_line.c). */
bf_err bf_starts_add_cut(bf_starts *s, const bf_vmesh *v, const bf_graph *g, const bf_boundary *b,
                         const bf_int *loop, bf_int nloop, bf_start item);
#endif
