/* assembly/problem.h - the problem to be solved, in terms of the deck: physics, materials, boundary
 * conditions, loads
 *
 * The program fills a bf_problem from the deck; names and formulas are borrowed from it, and `where` is its
 * line.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_PROBLEM_H
#define BF_PROBLEM_H
#include "base/diag.h"
#include "base/table.h"
#include "base/units.h"

typedef enum { BF_HEAT, BF_ELASTICITY, BF_ADVECTION } bf_physics;
typedef enum {
  BF_SPACE_AUTO,
  BF_SPACE_3D,
  BF_SPACE_PLANE_STRESS,
  BF_SPACE_PLANE_STRAIN,
  BF_SPACE_AXISYMMETRIC, /* x is the radius, y the axis */
  BF_SPACE_2D
} bf_space;
/* AUTO: 3D meshes 3D; 2D meshes elasticity on a 2D mesh requires a choice (E307); the others use 2D. */

typedef struct bf_quantity { /* number, formula of x, y, z, table, or field of another result */
  double                  value;
  const char             *formula; /* NULL: `value` is used; of a table or field its file */
  bf_table               *table;   /* NULL: a number, formula or field */
  struct bf_field_source *source;  /* basis/field_source.h; NULL: none; borrowed */
  bf_where                where;
} bf_quantity;

/* Named axes: the same directions everywhere, or those of a cylinder, which turn with the place (axes.h). */
typedef enum { BF_AXES_RECTANGULAR, BF_AXES_CYLINDRICAL } bf_axes_type;
typedef struct bf_axes {
  const char  *name;
  bf_where     where;
  bf_axes_type type;
  double       origin[3];      /* cylindrical: a point of the axis */
  double first[3], other[3];   /* rectangular: x, and a vector in the plane of x and y.  Cylindrical: other is
                                  the axis; first is not used */
  int nfirst, nother, norigin; /* numbers given */
} bf_axes;

typedef struct bf_name {
  const char *name;
  bf_where    where;
} bf_name;

typedef struct bf_material {
  const char    *name;
  bf_where       where;
  int            ngroups;
  const bf_name *group;
  bf_quantity    E, k;                               /* Pa, W/(m K): may be formulas */
  bf_quantity    diffusivity, velocity[3], reaction; /* m2/s, m/s, 1/s */
  double         nu, rho, alpha;                     /* -, kg/m3, 1/K */
  bf_where       nu_where, rho_where, alpha_where;
  int            has_rho, has_alpha;
} bf_material;

typedef enum {
  BF_BC_FIXED,        /* all displacement components 0 */
  BF_BC_DISPLACEMENT, /* components with given[c] */
  BF_BC_SYMMETRY,     /* no displacement along the normal of a flat side of any direction */
  BF_BC_TRACTION,     /* value[c], Pa */
  BF_BC_PRESSURE,     /* value[0], Pa, positive acts against the outward normal */
  BF_BC_FORCE,        /* value[c], N, and moment: in all, on faces, lines or points; total_force.c */
  BF_BC_SPRING,       /* value[0], N/m3, in every direction; if any `given`: value[c] in direction c */
  BF_BC_TEMPERATURE,  /* value[0] */
  BF_BC_VALUE,        /* value[0], of the concentration */
  BF_BC_FLUX,         /* value[0], W/m2 or kg/m2/s by diffusion, positive into the body */
  BF_BC_CONVECTION,   /* h, ambient */
  BF_BC_INSULATED,    /* natural: nothing */
  BF_BC_OUTFLOW,      /* the same for a flux */
  BF_BC_BLOCH         /* periodic up to a phase: groups 2i and 2i + 1 are opposite sides */
} bf_bc_type;

typedef struct bf_boundary {
  bf_bc_type     type;
  bf_where       where;
  int            ngroups;
  const bf_name *group;
  int            given[3];
  bf_quantity    value[3]; /* components x y z, or those of `axes` */
  const bf_axes *axes;     /* of DISPLACEMENT, TRACTION, FORCE; NULL: x y z; borrowed */
  bf_where       axes_where;
  bf_quantity    h, ambient;
  double         moment[3]; /* of FORCE: N m about `about`; in the plane moment[0], about z */
  int            nmoment;   /* numbers given */
  bf_where       moment_where;
  double         about[3]; /* where the force acts; nabout 0: the centroid of the groups */
  int            nabout;
  bf_where       about_where;
  double         tolerance; /* of BLOCH: of places, relative to the longest lattice vector */
} bf_boundary;

typedef enum {
  BF_LOAD_GRAVITY,
  BF_LOAD_BODY_FORCE,
  BF_LOAD_POINT_FORCE, /* on each node of the 0-D groups, or at a place */
  BF_LOAD_THERMAL,     /* strain alpha (value[0] - reference) in every direction */
  BF_LOAD_HEAT_SOURCE,
  BF_LOAD_SOURCE /* kg/m3/s */
} bf_load_type;

typedef struct bf_load {
  bf_load_type   type;
  bf_where       where;
  int            ngroups; /* 0 = all volume elements; of a point force: at */
  const bf_name *group;
  bf_quantity    value[3]; /* g m/s2, N/m3, N, temperature, W/m3, kg/m3/s */
  const bf_axes *axes;     /* of BODY_FORCE, POINT_FORCE; NULL: x y z; borrowed */
  bf_where       axes_where;
  double         reference; /* temperature without strain */
  int            nat;       /* number of coordinates of the place of a point force, 0 = it has groups */
  double         at[3];
  bf_where       at_where;
} bf_load;

typedef enum {
  BF_PATCH_AUTO,
  BF_PATCH_RINGS,
  BF_PATCH_COMPACT
} bf_patch_kind; /* AUTO: rings in the plane, compact in space */

/* Elimination of the unknowns of center nodes of quad9 and hex27, element by element. AUTO: wherever
 * possible. */
typedef enum { BF_CONDENSE_OFF, BF_CONDENSE_AUTO, BF_CONDENSE_ON } bf_condense;

/* Static or steady state, free vibrations, or waves; the latter two have no loads. */
typedef enum { BF_STATIC, BF_MODAL, BF_DISPERSION } bf_analysis;

typedef struct bf_problem {
  bf_physics         physics;
  bf_analysis        analysis;
  bf_where           analysis_where;
  int                modes;    /* number of modes, of BF_MODAL */
  int                nlattice; /* of dispersion: lattice vectors, 1 to 3 */
  double             lattice[3][3];
  bf_where           lattice_where;
  bf_space           space;
  bf_units           units; /* labels of the results */
  bf_where           space_where;
  double             thickness;    /* m, plane problems */
  int                quadrature;   /* 0 = auto, else points per direction 1..8 */
  int                incompatible; /* 1: incompatible modes, quad4 and hex8 */
  bf_where           incompatible_where;
  bf_condense        condense;
  bf_where           condense_where;
  int                stabilized; /* advection: 1 = SUPG */
  bf_where           stabilization_where;
  int                order; /* of generalised finite elements, 2 or 3; 0 or 1: isoparametric elements */
  bf_where           order_where;
  bf_patch_kind      patch;
  int                extra_rings; /* 0..2, of patches of rings */
  int                spectrum;    /* 1: eigenvalues of the element matrices are requested */
  int                time_step;   /* 1: with time steps, an error without rho (elasticity) */
  bf_where           spectrum_where;
  double             nitsche_gamma; /* of curved sides under a prescribed value; 0 = default 30 */
  int                nmaterials, nboundaries, nloads, naxes;
  const bf_axes     *axes;        /* every one that has a name */
  const bf_axes     *output_axes; /* of fields in axes; NULL: none */
  const bf_material *material;
  const bf_boundary *boundary;
  const bf_load     *load;
} bf_problem;
#endif
