/* assembly/basis/basis.h - inside assembly/: the interface of the basis functions of a model
 *
 *     u_h(x) = sum_J psi_J(x) u_J,      psi_J: basis function of node J, u_J: its ncomp unknowns
 *
 * Two bases implement the table: isoparametric elements (assembly/fem.c) and generalised finite elements
 * (assembly/gfem/basis.c).  Every model has one, chosen in bf_model_create; nothing else depends on which.
 * The table fixes neither the dimension of space nor the memory side of matrices: `assemble`, `batches` and
 * `nodal_forces` work on a backend, the values at a point are for single points on the host.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_ASSEMBLY_BASIS_BASIS_H
#define BF_ASSEMBLY_BASIS_BASIS_H
#include "assembly/model.h"

struct bf_batches; /* model/internal.h */

typedef struct bf_nodal_forces { /* of a solution, host, owned, [nnodes*ncomp] each */
  double *inside;                /* f_int = sum_e Ke u_e */
  double *robin;                 /* the same over faces with convection or springs; NULL: there are none */
  double *reaction;              /* f_int + robin - external loads where values are prescribed, elsewhere 0 */
} bf_nodal_forces;

typedef struct bf_basis_targets { /* arrays of a solution for stresses or fluxes; borrowed; NULL = not
                                   * computed
                                   */
  int     width;                  /* of strain, value, nodal: 6 (xx yy zz xy yz xz) or 3 */
  double *strain, *value, *vm, *vm_max, *error; /* [ncells][..]: of von Mises stress mean and maximum */
  double *nodal, *vm_nodal;                     /* [npoints][..] */
} bf_basis_targets;

typedef struct bf_basis_field bf_basis_field;

typedef struct bf_basis_field_ops {
  int concurrent; /* 1: several threads may evaluate one field at the same time */
  /* value[ncomp] at the reference coordinates xi in a cell of the view */
  void (*value)(const bf_basis_field *f, bf_int cell, const double xi[3], double *value);
  /* Prepares the two integrals. */
  bf_err (*integrals)(bf_basis_field *f);
  /* *sum += integral of a component over a cell, or over the side of a cell with mesh nodes node[]; without
   * the thickness */
  void (*add_cell)(const bf_basis_field *f, int component, bf_int cell, double *sum);
  void (*add_side)(const bf_basis_field *f, int component, bf_int cell, bf_elem_type type, const bf_int *node,
                   double *sum);
  void (*clear)(bf_basis_field *f); /* frees data */
} bf_basis_field_ops;

struct bf_basis_field {        /* a result field as a function of place */
  const bf_model           *m; /* borrowed, as the next two */
  const bf_view            *view;
  const bf_field           *field;
  const bf_basis_field_ops *ops;
  void                     *data; /* owned */
};

/* The field as a function of place: a field in cells is constant in each cell, nodal forces vary between
 * nodes as the shape functions of the mesh's elements, other fields at points as the basis functions
 * (field.c). */
bf_err bf_basis_field_create(const bf_model *m, const bf_view *view, const bf_field *field,
                             bf_basis_field *f);
void   bf_basis_field_clear(bf_basis_field *f); /* accepts a zero field */

/* All entries are required but for those marked optional, which may be NULL. */
typedef struct bf_basis_ops {
  const char *name; /* as discretization.method: "fem", "gfem" */

  /* ---- what the basis lacks: NULL, or the reason for the user ---- */
  const char *no_mass;     /* mass matrix: E316 */
  const char *no_spectrum; /* eigenvalues of element matrices: E317 */
  /* ---- properties ---- */
  int local;          /* 1: an element couples its own nodes only */
  int patch_recovery; /* 1: nodal stresses and fluxes by recover/patch_recovery.h, with an error estimate */
  int own_matrices;   /* 1: element matrices are not those of element batches (model/internal.h) */

  /* ---- life ---- */
  /* Sets m->basis_data (optional).  E107 for elements, conditions and loads that the basis lacks. */
  bf_err (*create)(bf_model *m, bf_diags *diags);
  void (*destroy)(bf_model *m); /* optional; also of a model without basis_data */
  /* Host bytes; *matrices: of the largest set of element matrices on the host at a time. */
  int64_t (*bytes)(const bf_model *m, int64_t *matrices);
  /* Bytes on a device: tables; *matrices: of the largest set of element matrices, at most `limit`.  Optional:
   * those of element batches. */
  int64_t (*device_bytes)(const bf_model *m, int64_t limit, int64_t *matrices);
  /* 1: that backend computes the element matrices, 0: the host does.  Optional: 1. */
  int (*on_backend)(const bf_model *m, const struct bf_backend *be);
  void (*log)(const bf_model *m, const bf_log *log); /* optional: a few lines for the log */

  /* ---- supports ---- */
  /* Number of nodes whose basis functions do not vanish on an element of dimension sdim; *node borrowed. */
  int (*support)(const bf_model *m, bf_int elem, const bf_int **node);
  int (*support_max)(const bf_model *m); /* of all elements */
  /* bf_model_pattern, bf_model_widen */
  bf_err (*pattern)(const bf_model *m, const bf_numbering *num, bf_graph **out);
  bf_err (*widen)(const bf_model *m, bf_numbering *num); /* optional: bands of the mesh suffice */

  /* ---- integration points ---- */
  /* Points per direction in elements of a type, 0 = the automatic rule of bf_model_auto_rule. */
  int (*points)(const bf_problem *p, bf_elem_type type);

  /* ---- values at a point ---- */
  /* psi[n], d[sdim][n] (derivatives in space) of the n nodes of the support of an element at xi, and the
   * place x; returns det J. */
  double (*shape)(const bf_model *m, bf_int elem, const double xi[3], double *psi, double *d, double x[3]);
  /* bf_basis_field_create for a field that varies as the basis functions: sets ops and data. */
  bf_err (*field_create)(bf_basis_field *f);

  /* ---- the linear system: bf_model_assemble without constraints ---- */
  /* A += K + faces with convection and springs, b += loads; keeps the loads by node in m->f_ext. */
  bf_err (*assemble)(bf_model *m, const bf_numbering *num, bf_matrix *A, double *b, bf_phases *phases);

  /* ---- from the solution u (host, by scalar row of num) ---- */
  /* Tables on the backend for the next functions: bf_batches_create (optional: it needs none). */
  bf_err (*batches)(const bf_model *m, const bf_numbering *num, bf_backend *be, const char *phase,
                    bf_phases *phases, struct bf_batches **out);
  /* Allocates and fills f; bs: of `batches`. */
  bf_err (*nodal_forces)(const bf_model *m, const bf_numbering *num, bf_backend *be,
                         const struct bf_batches *bs, const double *u, bf_phases *phases, bf_nodal_forces *f);
  /* sum[ncomp] of the forces on the body by faces of a group where values are imposed weakly; *any = 0: the
   * group has no such face (optional: no basis function is constrained weakly). */
  bf_err (*weak_reaction)(const bf_model *m, const bf_numbering *num, const bf_group *group, const double *u,
                          int *any, double sum[3]);
  /* Strains, stresses and fluxes, with patch_recovery also out->recovered, patched, has_error,
   * error_estimate. */
  bf_err (*element_fields)(const bf_model *m, const bf_numbering *num, const bf_view *view, const double *u,
                           const bf_basis_targets *to, bf_solution *out);
} bf_basis_ops;

extern const bf_basis_ops bf_basis_fem, bf_basis_gfem;
#endif
