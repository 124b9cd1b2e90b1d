/* mesh/report.h - results on a mesh: assembly computes them, outputs writes them */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_MESH_REPORT_H
#define BF_MESH_REPORT_H
#include "mesh/element.h"

typedef struct bf_field { /* one result field on the host */
  const char *name;       /* "displacement", "stress", ... as in docs/deck.md */
  const char *unit;       /* NULL = not known */
  int         ncomp;      /* 1, 3 (vectors, padded with 0 in 2D) or 6 (xx yy zz xy yz xz) */
  int         on_cells;   /* 1: [ncells of the view], 0: [npoints of the view] */
  double     *data;       /* [steps][npoints or ncells][ncomp] */
  int         by_step;    /* 1: data of each step, one after the other; 0: the same in every step */
} bf_field;

typedef struct bf_reaction { /* sum over the nodes of a group; a node counts once per group */
  const char *group;
  double      value[3]; /* [ncomp] force of the support on the body, N; heat into the body, W */
  int         ncomp;
  const char *unit;    /* NULL = not known */
  const char *of_case; /* load case; NULL = the only one */
} bf_reaction;

typedef struct bf_recovery { /* stresses or fluxes at nodes, recovered within a material */
  int64_t points;            /* of the view; 0: not recovered */
  int64_t by_patches;        /* points whose value comes from patches */
  int     has_error;         /* 0: no error estimate */
  double  error_estimate;    /* relative, in the energy norm */
} bf_recovery;

typedef struct bf_spectrum { /* eigenvalues of the matrices of all elements of a type */
  bf_elem_type type;
  int64_t      elements, faulty; /* faulty: elements with more zero-energy modes than `expected` */
  int          expected, most;   /* zero-energy modes of an element: as they should be; largest number */
  double       min, max;         /* smallest nonzero eigenvalue, largest */
  double       step;             /* s, smallest critical time step; 0: not known */
  int64_t      most_id, min_id, max_id, step_id; /* tags of the first elements with these values */
  const char  *unit;                             /* of the eigenvalues */
} bf_spectrum;
#endif
