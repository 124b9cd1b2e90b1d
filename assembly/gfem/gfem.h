/* assembly/gfem/gfem.h - inside assembly/: generalised finite elements without extra unknowns, of order 2 and
 * 3 on linear elements of the plane and of space
 *
 *     u_h(x) = sum_v N_v(x) sum_J phi^v_J(x) u_J = sum_J psi_J(x) u_J,     phi^v_J = sum_a b_a(xi) C^v[a][J]
 * N_v: the linear shape functions of the element; phi^v: polynomials fitted to the nodal values of a patch
 * around v.  Nodes and unknowns are those of the linear mesh whatever the order.  See docs/theory/gfem.md.
 *
 * An entry is a pair of node and material: a node on an interface has one for each material, and an element
 * uses those of its material.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_ASSEMBLY_GFEM_GFEM_H
#define BF_ASSEMBLY_GFEM_GFEM_H
#include "assembly/model/internal.h"

enum {
  BF_GFEM_ORDER_MAX = 3,
  BF_GFEM_TERMS     = 20, /* polynomials of degree 3 in space */
  BF_GFEM_CORNERS   = BF_CORNERS_MAX,
  BF_GFEM_SIDES     = 4 /* flat sides through a node */
};

typedef struct bf_gfem_entries { /* entries, and their graph */
  bf_int  n;
  bf_int *node;   /* owned [n] */
  bf_int *region; /* owned [n]: its material */
  bf_int *first;  /* owned [nnodes+1]: entries of a node, ascending by material */
  bf_int *corner; /* owned [nelem][BF_GFEM_CORNERS]: entries of an element's corners; -1 past them and on
                     other elements */
  bf_graph *near; /* owned: entries that share an element */
} bf_gfem_entries;

typedef struct bf_gfem_faces {    /* sides under a prescribed value, and interfaces of materials */
  uint8_t *flat;                  /* owned [nnodes]: 1 = on a flat side: the trace is fitted first */
  bf_int (*chain)[BF_GFEM_SIDES]; /* owned [nnodes]: flat sides through a node, -1 = none */
  bf_int       nchains;
  bf_int      *count;   /* owned [nchains]: nodes of a side */
  bf_int       ncurved; /* faces under Nitsche's method */
  int          bent;    /* an interface of materials is not flat */
  int          nsets;   /* of the faces under a prescribed value */
  bf_face_set *set;     /* owned [nsets]; rule not used */
  uint8_t    **weak;    /* owned [nsets][n]: 1 = Nitsche */
} bf_gfem_faces;

typedef struct bf_gfem_patches { /* of each entry the other entries of its patch */
  int64_t *ptr;                  /* owned [n+1] */
  bf_int  *entry;                /* owned [ptr[n]], by rings, in a ring ascending; by distance if compact */
  uint8_t *poor;                 /* owned [n]: 1 = too few nodes for the order in reach */
} bf_gfem_patches;

typedef struct bf_gfem {          /* bf_model.basis_data */
  int             dim, order, nb; /* nb polynomials of degree up to order, 1 among them */
  bf_gfem_entries at;
  bf_gfem_faces   face;
  bf_gfem_patches patch;
  double         *h;     /* owned [n]: size of a patch */
  double         *C;     /* owned: of entry q [nb][ns+1] at nb*(ptr[q] + q); its own node last */
  int64_t        *eptr;  /* owned [nelem+1] */
  bf_int         *enode; /* owned: nodes that an element couples, ascending */
  int64_t        *lptr;  /* owned [nelem+1] */
  bf_int         *local; /* owned: places in enode of the patches of its corners, in order */
  int             most;  /* nodes of an element, at most */
  bf_int          npoor;
} bf_gfem;

/* Of a model of this basis; NULL before bf_gfem_create. */
static inline bf_gfem *bf_gfem_of(const bf_model *m)
{
  return m->basis_data;
}

/* ---- the steps of create ---- */
bf_err bf_gfem_entries_create(const bf_model *m, bf_gfem_entries *at);
/* Removes the prescribed values that Nitsche's method imposes from m->fixed. */
bf_err bf_gfem_faces_create(bf_model *m, const bf_gfem_entries *at, bf_gfem_faces *f, bf_diags *diags);
/* Cost: linear in the entries; memory: twice the patches while they are collected. */
bf_err bf_gfem_patches_create(const bf_model *m, const bf_gfem *g, bf_gfem_patches *p);
bf_err bf_gfem_fit(const bf_model *m, bf_gfem *g);    /* h, C */
bf_err bf_gfem_couple(const bf_model *m, bf_gfem *g); /* eptr, enode, lptr, local, most */

/* E107 for elements, conditions and loads that have no integral with these shape functions; W330 patches too
 * small for the order, W331 bent interfaces. */
bf_err bf_gfem_create(bf_model *m, bf_diags *diags);
void   bf_gfem_destroy(bf_gfem **g);

/* ---- polynomials ---- */
int bf_gfem_terms(int dim, int order); /* 6, 10; in space 10, 20 */
/* b[terms] and, unless NULL, their derivatives d[dim][terms], at x[dim]: by degree, then x first. */
void bf_gfem_polynomials(int dim, int order, const double *x, double *b, double (*d)[BF_GFEM_TERMS]);

/* ---- shape functions ---- */
/* Integration points per direction of an order: K and loads of an element, or a side of it. */
int bf_gfem_points(const bf_problem *p, bf_elem_type type);

static inline int bf_gfem_nodes(const bf_gfem *g, bf_int elem, const bf_int **node)
{
  *node = g->enode + g->eptr[elem];
  return (int)(g->eptr[elem + 1] - g->eptr[elem]);
}
/* psi[n] and, unless NULL, d[dim][n] (dpsi/dx_i at d + i n) of the n nodes of an element at xi, x its place;
 * returns det J. Source: the formulas above and their derivatives. */
double bf_gfem_shape(const bf_mesh *mesh, const bf_gfem *g, bf_int elem, const double xi[3], double *psi,
                     double *d, double x[3]);
/* Place xi in element elem of point s of its side with nodes node[] and type. */
void bf_gfem_on_side(const bf_mesh *mesh, bf_int elem, bf_elem_type type, const bf_int *node, const double *s,
                     double xi[3]);

/* ---- integrals, on the host ---- */
/* B[nv][n*ncomp] of the model's form from d[dim][n]. */
void bf_gfem_B(const bf_model *m, int n, const double *d, double *B);

/* Faces of a set (those with take[i], NULL = all) with the data for integrals over them. */
typedef struct bf_gfem_sides {
  const bf_face_set *set; /* borrowed */
  bf_int             n;
  bf_int            *face;   /* owned [n]: number in the set */
  bf_int            *elem;   /* owned [n]: parent */
  bf_rule            rule;   /* of the faces */
  double            *x;      /* owned [n][rule.n][3] */
  double            *normal; /* owned [n][rule.n][3]: outward */
  double            *w;      /* owned [n][rule.n]: weight times the measure, with the thickness */
  double            *size;   /* owned [n]: length; of a quadrilateral the root of its area, of a triangle of
                                twice its area */
  double *factor;            /* owned [n][rule.n]: of the parent's material, relative to its C */
} bf_gfem_sides;
bf_err bf_gfem_sides_create(const bf_model *m, const bf_face_set *set, const uint8_t *take, bf_gfem_sides *s);
void   bf_gfem_sides_clear(bf_gfem_sides *s);

static inline const double *bf_gfem_normal(const bf_gfem_sides *s, bf_int i, int q)
{
  return s->normal + 3 * ((size_t)i * (size_t)s->rule.n + (size_t)q);
}

/* Shape functions at point q of side i, and w = its weight; n nodes of the parent. */
int bf_gfem_side_point(const bf_model *m, const bf_gfem_sides *s, bf_int i, int q, double *psi, double *d,
                       double *w);

/* Components under the condition of a set: c of them, comp[3]. */
int bf_gfem_prescribed(const bf_model *m, const bf_face_set *set, int comp[3]);
/* T[ncomp][n*ncomp]: tractions (heat: inward flux) per unit of the unknowns, from B and the normal. */
void bf_gfem_tractions(const bf_model *m, bf_int elem, double factor, const double *normal, int nd,
                       const double *B, double *T);

/* A += K + Robin terms + Nitsche's terms; b += loads, kept in m->f_ext, and Nitsche's terms of prescribed
 * values.
 */
bf_err bf_gfem_assemble(bf_model *m, const bf_numbering *num, bf_matrix *A, double *b, bf_phases *phases);
/* f[nnodes*ncomp] += loads of sides and, with `volumes`, of elements. */
bf_err bf_gfem_loads(const bf_model *m, int volumes, double *f);
/* b += Nitsche's terms of the prescribed values. */
bf_err bf_gfem_weak_values(const bf_model *m, const bf_numbering *num, bf_backend *be, double *b);
/* f[nnodes*ncomp] by node to b by row. */
bf_err bf_gfem_add_rows(const bf_model *m, const bf_numbering *num, bf_backend *be, const double *f,
                        double *b);

/* ---- from the solution; u: host, by scalar row ---- */
bf_err bf_gfem_nodal_forces(const bf_model *m, const bf_numbering *num, bf_backend *be,
                            const struct bf_batches *bs, const double *u, bf_phases *phases,
                            bf_nodal_forces *f);
/* sum[ncomp] of the forces on the body by the faces of a group under Nitsche's method; *any: there are such
 * faces. */
bf_err bf_gfem_weak_reaction(const bf_model *m, const bf_numbering *num, const bf_group *group,
                             const double *u, int *any, double sum[3]);

bf_err bf_gfem_fields(const bf_model *m, const bf_numbering *num, const bf_view *view, const double *u,
                      const bf_basis_targets *to, bf_solution *out);
bf_err bf_gfem_field_create(bf_basis_field *f);
#endif
