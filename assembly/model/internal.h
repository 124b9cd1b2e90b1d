/* assembly/model/internal.h - inside assembly/: the struct of a checked model, and the batches that assembly
 * and recovery share
 *
 * Everything here is on the host except the tables of bf_batches.  "unknown" = mesh node * ncomp + component.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_ASSEMBLY_MODEL_INTERNAL_H
#define BF_ASSEMBLY_MODEL_INTERNAL_H
#include "assembly/basis/basis.h"
#include "assembly/basis/quadrature.h"
#include "mesh/periodic.h"

/* A physics: the form of B, its sizes, the matrix C and its leading coefficient. */
typedef struct bf_physics_def {
  bf_physics_words words;
  const char *coefficient; /* "k", "E": C is proportional to it; of advection "diffusivity", the first of C */
  bf_form     form;
  int (*ncomp)(int sdim);
  int (*nv)(bf_space space);
  const bf_quantity *(*quantity)(const bf_material *mat); /* the coefficient as given */
  /* C[nv][nv] of the material for a coefficient of 1; of advection C[nv] as kernels/elements.h has it,
   * formulas as 0 */
  void (*matrix)(const bf_material *mat, bf_space space, double *C);
} bf_physics_def;
extern const bf_physics_def bf_physics_heat, bf_physics_elasticity, bf_physics_advection;

/* One mesh block of dimension dim, ready to be integrated. */
typedef struct bf_model_block {
  const bf_block *block;     /* borrowed from the mesh; first, n, node, type */
  bf_rule         stiffness; /* integration rule of K (and of stresses) */
  bf_rule         mass;      /* of loads */
  double *factor; /* owned [n][stiffness.n]: E or k at the integration points relative to C of the element's
                     material; NULL = 1 (no material of the block has a formula) */
  double *flow;   /* owned [n][stiffness.n][nv], advection: C at the integration points; NULL = the material's
                     (no   material of the block has a formula) */
  double *expansion; /* owned [n][stiffness.n]: thermal strain alpha (T - reference) at the integration
                        points; NULL = 0 */
} bf_model_block;

/* A force on the body at one place, shared between nodes. */
typedef struct bf_point_load {
  int    load; /* index into problem->load, or BF_POINTS_OF_BOUNDARY of a condition */
  int    n;    /* nodes */
  bf_int node[BF_NEN_MAX];
  double share[BF_NEN_MAX]; /* shape functions at the place; 1 on a node */
  double force[3];          /* N */
} bf_point_load;

#define BF_POINTS_OF_BOUNDARY(boundary) (-1 - (boundary))

/* Traction of a condition of type force (total_force.c): a + w x (x - c), N/m2; on lines N/m, on points N. In
 * cylindrical axes a has the components r, t, z, and w = 0. */
typedef struct bf_total_force {
  const bf_axes *axes;   /* cylindrical ones, or NULL */
  int            linear; /* 0: the same traction everywhere */
  double         a[3], w[3], c[3], measure;
} bf_total_force;
void bf_total_force_at(const bf_total_force *t, const double x[3], double f[3]);

/* The faces of one type under one boundary condition that is integrated (traction, pressure, force, spring,
 * flux, convection). A face appears once in a set, even if several groups name it. */
typedef struct bf_face_set {
  int          boundary; /* index into problem->boundary */
  bf_elem_type type;     /* of the faces: line2 ... quad8 */
  bf_rule      rule;     /* mass rule of that type */
  bf_int       n;
  bf_int      *parent; /* owned [n]: element of dimension dim the face belongs to, ascending */
  bf_int      *elem;   /* owned [n]: the face's own element number */
  bf_int      *node;   /* owned [n][nnodes of type]: mesh nodes in the order of the parent's side, so that the
                          normal points out of the parent (bf_elem_info.face) */
} bf_face_set;

struct bf_model {
  const bf_mesh        *mesh;    /* borrowed */
  const bf_problem     *problem; /* borrowed */
  bf_diags             *diags;   /* borrowed, those of create: errors that assembly and recovery find */
  const bf_physics_def *physics;
  int                   sdim;  /* dimension of space = mesh->dim: 2 or 3 */
  bf_space              space; /* 3D, PLANE_STRESS, PLANE_STRAIN, AXISYMMETRIC, or 2D (scalars): never AUTO */
  int                   ncomp, nv; /* components of a node, rows of B */
  double                thickness; /* multiplies every integral; 1 in 3D and axisymmetric */

  bf_int  *region; /* owned [nelem]: material of elements of dimension sdim, -1 for the others */
  uint8_t *used;   /* owned [nnodes]: 1 = node of an element of dimension sdim */
  int      nC;     /* numbers of a material in C: nv*nv, of advection nv */
  double  *C;      /* owned [nmaterials][nC]; coefficient included unless it is a formula, then for 1 */

  int             nblocks; /* those of dimension sdim, ascending */
  bf_model_block *block;   /* owned [nblocks] */
  int             nsets;
  bf_face_set    *set;    /* owned [nsets] */
  int             nouter; /* advection: all sides of one element only, else 0 */
  bf_face_set    *outer;  /* owned [nouter]; boundary -1, elem NULL */

  uint8_t *fixed; /* owned [nnodes*ncomp]: 1 = prescribed (only on used nodes) */
  double  *value; /* owned [nnodes*ncomp]: prescribed value, 0 where free */
  bf_int
      *fixed_by; /* owned [nnodes*ncomp]: boundary that prescribed it first, -1 where none did: its `where` */
  bf_int  nframes; /* nodes whose unknowns are not along x, y, z (frames.h) */
  bf_int *frame;   /* owned [nnodes]: index into T, or -1; NULL without frames */
  double *T;       /* owned [nframes][ncomp][ncomp]: u = T u' */

  int has_steps; /* 1: time steps of elements are requested, and their masses are known */
  int sound;     /* 1: the steps of create found no error; free motions are checked after them */

  const bf_basis_ops *basis;      /* its basis functions */
  void               *basis_data; /* owned by the basis; NULL before its `create` */

  int             npoints;
  bf_point_load  *point; /* owned [npoints] */
  bf_total_force *total; /* owned [nboundaries]: of those of type force; NULL without one */

  bf_lattice   lattice;  /* of dispersion */
  bf_periodic *periodic; /* owned: nodes that are equal up to a phase; NULL unless dispersion */

  bf_int ninner; /* center nodes whose unknowns are eliminated; 0 = none */
  double *
      inverse; /* owned [ninner][ncomp][ncomp]: of their blocks, by block and element; NULL before assembly */

  double *f_ext; /* owned [nnodes*ncomp]: external nodal loads (body, traction, pressure, flux, h*ambient,
                    point forces, forces of the thermal strain) before constraints, set by bf_model_assemble;
                    NULL before */
};

/* 1: a body of revolution; every integral is over the full revolution, det J times 2 pi x. */
int bf_model_revolved(const bf_model *m);
/* 2 pi r at a place with shape functions N, x[nen][3]; 1 if the body is not one of revolution. */
double bf_model_turn(const bf_model *m, int nen, const double *N, const double (*x)[3]);
/* The rule of a type and a use in this model: quadrature of the problem, and where it is auto and the body is
 * one of revolution, triangles by a degree more, as r multiplies everything. */
bf_err bf_model_rule(const bf_model *m, bf_elem_type type, bf_rule_use use, bf_rule *rule);
/* The same without the problem's quadrature: the rule of the element type. */
bf_err bf_model_auto_rule(const bf_model *m, bf_elem_type type, bf_rule_use use, bf_rule *rule);

/* Length, area or volume of every element, sides too, without thickness or turn: size[nelem]; points: 0. */
bf_err bf_model_measure(const bf_model *m, double *size);

/* ---- incompatible modes (incompatible_modes.c) ---- */
void bf_model_check_modes(const bf_model *m, bf_diags *diags); /* E314 */
/* dN0[nen][dim] at the centre and dM[nq][dim], the derivative of mode i along xi_i, of a rule's points. */
void bf_model_mode_tables(bf_elem_type type, const bf_rule *rule, double *dN0, double *dM);

void bf_face_set_clear(bf_face_set *set); /* boundary_faces.c */
/* Sets of the boundary sides, those that belong to exactly one element; the caller's (outer_faces.c). */
bf_err bf_model_outer_faces(const bf_model *m, bf_face_set **sets, int *nsets);

/* ---- element spectra (element_spectrum.c) ---- */
void   bf_model_check_spectra(const bf_model *m, bf_diags *diags); /* E317 */
bf_err bf_model_check_steps(bf_model *m, bf_diags *diags);         /* has_steps; E304 */
/* *all: every material in use has rho.  With diags E304 for each without rho: "<need> the density of .."
 * (check_free_vibration.c) */
bf_err bf_model_densities(const bf_model *m, bf_diags *diags, const char *need, int *all);

/* ---- static condensation (assemble/static_condensation.c) ---- */
/* Decides about m->ninner, once values are prescribed; E315 */
bf_err bf_model_check_condense(bf_model *m, bf_diags *diags);

/* ---- the steps of create, in this order; each adds to diags and returns BF_OK unless memory is exhausted
 * ----
 */
void   bf_model_check_axis(const bf_model *m, bf_diags *diags);   /* E313 */
bf_err bf_model_resolve_materials(bf_model *m, bf_diags *diags);  /* region, C, E20x, E303, E304 */
bf_err bf_model_prepare_blocks(bf_model *m, bf_diags *diags);     /* rules, factor */
bf_err bf_model_resolve_conditions(bf_model *m, bf_diags *diags); /* fixed, value, fixed_by, E203, E302 */
void   bf_model_hold_axis(bf_model *m, bf_diags *diags);          /* fixed on the axis, E313 */
bf_err bf_model_resolve_faces(bf_model *m, bf_diags *diags);      /* set */
bf_err bf_model_resolve_points(bf_model *m, bf_diags *diags);     /* point, E203, E307, E309, E311 */
bf_err bf_model_resolve_forces(bf_model *m, bf_diags *diags);     /* total, point, E203, E307, E309, E318 */
bf_err bf_model_resolve_thermal(bf_model *m, bf_diags *diags);    /* expansion, E302, E311 */
bf_err bf_model_check_free(const bf_model *m, bf_diags *diags);   /* check_free_vibration.c: E304, E316 */
bf_err bf_model_resolve_bloch(bf_model *m, bf_diags *diags);      /* periodic (bloch.c): E210-E212, E306 */
/* boundary and load types of this physics */
int bf_bc_belongs(bf_bc_type type, bf_physics physics);
int bf_load_belongs(bf_load_type type, bf_physics physics);

/* Group of a condition, load or material: dimension between lo and hi, else E203 with the list of groups and
 * NULL.  what: "material 'steel'", "boundary 'pressure'". */
int             bf_name_is_all(const bf_name *name); /* the reserved name: every element of dimension sdim */
const bf_group *bf_model_group(const bf_model *m, const bf_name *name, int lo, int hi, const char *what,
                               bf_diags *diags);

const char *bf_bc_name(bf_bc_type type);          /* as in the deck: "fixed" */
const char *bf_load_name(bf_load_type type);      /* "gravity" */
int         bf_model_prescribes(bf_bc_type type); /* values of unknowns: fixed, displacement, symmetry, ... */

/* The faces under conditions that prescribe unknowns, as sets; those of one element only.  *odd: a condition
 * with faces between two elements, or -1. */
bf_err bf_model_prescribed_faces(const bf_model *m, bf_face_set **sets, int *nsets, int *odd);
/* min_max.c: the group a quantity names.  One name may serve groups of several dimensions: that of the
 * elements has precedence over that of the sides; NULL if there is none. */
const bf_group *bf_model_find_group(const bf_mesh *mesh, const char *name);

/* Group of a force: of faces if there is one of this name, else of lines or points (total_force.c). */
const bf_group *bf_model_force_group(const bf_model *m, const bf_name *name, bf_diags *diags);

/* Nodes of the group that belong to the body, the caller's; W329 if some do not, E309 if none does. */
bf_err bf_model_body_nodes(const bf_model *m, const bf_group *g, const bf_name *name, bf_int **nodes,
                           bf_int *n, bf_diags *diags);

/* ---- values ---- */
/* f[n] = quantity at x[n][3].  A value that is not finite: BF_E_MODEL naming the point; of a formula or table
 * all of f is there. */
bf_err bf_quantity_eval(const bf_quantity *q, int64_t n, const double *x, double *f);
/* The same (not_finite.c); for a value that is not finite E319 in the diagnostics of the model, with the
 * deck's line and the node or element, and BF_E_MODEL.  use: of the elements of `per` points each; 0: their
 * values are not used and become 0 where they are not finite; NULL = all are used. */
bf_err bf_quantity_need(const bf_model *m, const bf_quantity *q, int64_t n, const double *x,
                        const uint8_t *use, int per, double *f);
int    bf_quantity_is_zero(const bf_quantity *q); /* a number equal to 0 */

/* f[n] = factor of material `mat` at x[n][3] relative to its C: 1, or E or k by its formula. */
bf_err bf_model_factor(const bf_model *m, bf_int mat, int64_t n, const double *x, double *f);

/* Places x[e1-e0][nq][3] of the points of a rule in elements e0 .. e1-1 of connectivity node[..][nen]. */
void bf_model_points(const bf_mesh *mesh, bf_elem_type type, const bf_int *node, bf_int e0, bf_int e1,
                     const bf_rule *rule, double *x);

/* ---- batches: all parts of K, with their tables in backend memory ---- */
typedef struct bf_model_batch {
  bf_element_batch      E;
  const bf_model_block *block; /* the block of a stiffness batch, or NULL */
  const bf_face_set    *set;   /* the faces of a convection or spring batch, or NULL */
  const bf_int         *node;  /* host, borrowed [ne][nen]: mesh nodes of E.conn */
  int    ni; /* unknowns of an element that are eliminated, at the end of its matrix: of its inner node, or */
  bf_int inner; /* its modes; 0 = none.  Row of the first inner node, -1 = modes */
  void  *kept; /* owned backend memory [ne][nen-1]: rows of the other nodes if the inner one is eliminated, or
                  NULL */
  void *w, *N, *dN, *dN0, *dM, *dNv, *ddN, *conn, *mat, *factor, *Cq; /* owned backend memory; NULL where
                                                                       shared or absent */
} bf_model_batch;

typedef struct bf_batches {
  bf_backend     *be; /* borrowed */
  int             n;
  bf_model_batch *batch; /* owned [n]: one for each m->block in order, then those of robin.h */
  void           *x;     /* owned backend memory [nrows][3] */
  void           *C;     /* owned backend memory [nmaterials][nC] */
  void           *one; /* owned backend memory: [1+ncomp][ncomp][ncomp], C of MASS batches: identity, then one
                          direction each */
  bf_node_frames frames;    /* of the rows; frame NULL: there are none */
  void          *frame, *T; /* owned backend memory: its arrays */
  double         bytes;     /* uploaded */
} bf_batches;

/* Stiffness batches of all blocks and MASS batches of convection and spring faces (robin.h).  Adds its
 * time and bytes to `phase` of phases (both may be NULL), formula values apart from the rest.  Element order
 * within a batch = order in the block. */
bf_err bf_batches_create(const bf_model *m, const bf_numbering *num, bf_backend *be, const char *phase,
                         bf_phases *phases, bf_batches **out);
void   bf_batches_destroy(bf_batches **b);

/* Elements per chunk so that `bytes` each fit in the limit (device | host) and in a quarter of the free
 * backend memory, and chunk*nen < 2^31; at least 1, at most E->ne. */
enum { BF_CHUNK_MIB_DEVICE = 2048, BF_CHUNK_MIB_HOST = 128 };
bf_err bf_batch_chunk(bf_backend *be, const bf_element_batch *E, size_t bytes, bf_int *chunk);

/* New backend memory with a copy of host data; adds to *sum (may be NULL).  0 bytes: *dst = NULL. */
bf_err bf_upload(bf_backend *be, const void *src, size_t bytes, void **dst, double *sum);

/* Rows row[ne][kept] in new backend memory of the first mesh nodes of node[ne][nen]; BF_E_ARG for a node
 * without a row. */
bf_err bf_upload_rows(bf_backend *be, const bf_numbering *num, const bf_int *node, bf_int ne, int nen,
                      int kept, void **dst, double *sum);

/* bs->x: coordinates by row; phantom rows lie at the origin. */
bf_err bf_upload_coordinates(bf_batches *bs, const bf_mesh *mesh, const bf_numbering *num);

/* C and mat of a batch of a block: C of one material of bs->C where the block has one, else material numbers
 * per element; nC: numbers of a material. */
bf_err bf_model_batch_materials(const bf_model *m, bf_model_batch *b, bf_batches *bs, int nC);

/* Waits for the backend and adds the time since *since to a phase; *since = now.  phases may be NULL. */
bf_err bf_phase_end(bf_backend *be, bf_phases *phases, const char *name, double *since, double bytes);

/* Rule tables (w, N, dN) of a type in backend memory, for a batch that shares the rest. */
bf_err bf_model_batch_tables(bf_model_batch *b, bf_backend *be, bf_elem_type type, const bf_rule *rule,
                             double *bytes);
void   bf_model_batch_release(bf_model_batch *b, bf_backend *be); /* what the batch owns */

/* ---- into a matrix ---- */
/* A += element matrices of a batch that is not condensed, chunk by chunk, in the frames F of its nodes;
 * nrows: node rows. */
bf_err bf_model_add_batch(bf_matrix *A, bf_int nrows, const bf_model_batch *B, const bf_node_frames *F,
                          bf_phases *phases);

/* A(row[k], c; row[k], c) += d[k*ncomp + c] for n different node rows; host arrays (add_diagonal.c). */
bf_err bf_model_add_diagonal(bf_matrix *A, bf_int n, const bf_int *row, const double *d);

/* Rows of A without node (phantoms) get the diagonal 1. */
bf_err bf_model_add_phantoms(const bf_model *m, const bf_numbering *num, bf_matrix *A);
/* Constraints of the matrix and of n right-hand sides, models with the same prescribed unknowns (system.c).
 */
bf_err bf_model_constrain(int n, bf_model *const *m, const bf_numbering *num, bf_matrix *A, double *const *b,
                          double *const *x0, bf_phases *phases);

/* Mask [nrows*ncomp] of the prescribed unknowns by scalar row; 1 for phantom rows too. Returns 1 if a
 * prescribed value is not 0. */
int bf_model_rows_prescribed(const bf_model *m, const bf_numbering *num, uint8_t *fixed);

/* m->f_ext = the loads b (backend, by scalar row), by node on the host. */
bf_err bf_model_keep_loads(bf_model *m, const bf_numbering *num, bf_backend *be, const double *b,
                           bf_phases *phases);

/* ---- loads ---- */
/* in[n]: 1 = element i of the block is in the load's groups and, for k >= 0, of material k; *count of them.
 */
void bf_load_elements(const bf_model *m, const bf_load *load, const bf_block *block, int k, uint8_t *in,
                      bf_int *count);

/* Stress of the thermal strain 1 in a material, s[nv]; for a coefficient of 1 where E is a formula. */
void bf_thermal_stress(const bf_model *m, bf_int material, double s[6]);

/* b += the point forces of a load, on the backend. */
bf_err bf_model_add_points(const bf_model *m, int load, const bf_numbering *num, bf_backend *be, double *b);

/* b += every load and surface source, on the backend. */
bf_err bf_model_add_loads(const bf_model *m, const bf_numbering *num, bf_batches *bs, double *b,
                          bf_phases *phases);
/* One load, or the faces of one condition, of these.  Thermal loads act together, as one strain: not
 * included. */
bf_err bf_model_add_load(const bf_model *m, int load, const bf_numbering *num, bf_batches *bs, double *b,
                         bf_phases *phases);
bf_err bf_model_add_boundary(const bf_model *m, int boundary, const bf_numbering *num, bf_batches *bs,
                             double *b, bf_phases *phases);
#endif
