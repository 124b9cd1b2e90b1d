/* assembly/setup/setup.h - the conditions, loads and materials of a problem on its mesh, as fields and
 * numbers, before the solution
 *
 * One cell for every element and one point for every node (bf_view_create_all): materials, conditions and
 * loads as fields, and sizes for every entry of the deck. Also for a draft (bf_model_draft): entries that
 * could not be resolved are missing.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_ASSEMBLY_SETUP_SETUP_H
#define BF_ASSEMBLY_SETUP_SETUP_H
#include "assembly/model.h"

typedef struct bf_setup_entry { /* extent of one material, condition, load or group */
  bf_int elements, nodes;
  double measure;    /* of the elements: m3, m2, m; 0 for points */
  int    has_total;  /* its load is known without the solution */
  double total[3];   /* sum of its nodal loads, N, W or kg/s */
  int    has_moment; /* a condition of type force: moment of its nodal loads about `about` */
  double moment[3], about[3];
} bf_setup_entry;

typedef struct bf_setup_part { /* a connected part of the body */
  bf_int  elements, nodes;
  int64_t prescribed[3]; /* prescribed unknowns by component */
  int64_t skew;          /* those along other directions than x, y, z */
  bf_int  robin;         /* faces with convection or springs */
} bf_setup_part;

enum { BF_SETUP_FIELDS = 16 };

typedef struct bf_setup {
  /* cells: material_id, dimension, group_id, condition_id, load_id: index in the mesh or the deck from 0, the
   * first that has the element, -1 = none; if the deck has such loads, values at the centre of a cell:
   * traction N/m2 (pressure too), spring_stiffness N/m3, body_force N/m3 (gravity too), thermal_temperature |
   * flux W/m2 or kg/m2/s, heat_source W/m3, source kg/m3/s, convection_h, ambient; units in the deck's
   * system.  points: fixed (0 or 1 by component; along other directions n the sum of n_c^2),
   * prescribed_displacement | _temperature | _concentration, nodal_load N | W (without convection; absent in
   * a draft with errors other than E301) */
  int             nfields;
  bf_field        field[BF_SETUP_FIELDS];              /* data owned */
  bf_setup_entry *group, *material, *condition, *load; /* owned, as many as the mesh or the problem has */
  int             moved;                               /* a prescribed value is not 0 */
  int             has_total;                           /* nodal loads were summed */
  double          total[3];                            /* of all loads */
  bf_int          nparts;
  bf_setup_part  *part; /* owned */
} bf_setup;

/* A value that is not finite is E319 in the diagnostics of the model.  Cost: passes over the elements; loads
 * are integrated as in a run, on the CPU. */
bf_err bf_setup_create(const bf_model *m, bf_setup **out);
void   bf_setup_forget_fields(bf_setup *s); /* the numbers are kept */
void   bf_setup_destroy(bf_setup **s);

/* Texts for a legend and a log: "traction [0, 0, -1e+06]", "gravity [0, 0, -9.81]", "steel: E 2.1e+11, ...".
 */
enum { BF_SETUP_TEXT = 400 };
void bf_setup_condition_text(const bf_model *m, int i, char text[BF_SETUP_TEXT]);
void bf_setup_load_text(const bf_model *m, int i, char text[BF_SETUP_TEXT]);
void bf_setup_material_text(const bf_model *m, int i, char text[BF_SETUP_TEXT]);
#endif
