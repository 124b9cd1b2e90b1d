/* outputs/vtk/read_field.h - one field of a case.hdf, with its mesh */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_READ_FIELD_H
#define BF_READ_FIELD_H
#include "mesh/mesh.h"
#include "mesh/view.h"

typedef struct bf_read_field {
  int           dim, on_cells, converged; /* converged: of the record of bandfem; 1 without a record */
  bf_int        npoints, ncells;
  double       *x;        /* owned [npoints][3] */
  bf_elem_type *type;     /* owned [ncells] */
  int64_t      *ptr;      /* owned [ncells + 1] */
  bf_int       *point;    /* owned: of cells, in bandfem's node order */
  double       *value;    /* owned [npoints or ncells] */
  char          unit[40]; /* "" not known */
} bf_read_field;
void bf_read_field_clear(bf_read_field *r);

/* component: 0 .. of a vector or tensor, -1: a field of one component.  step: from 1, 0 = the only one.
 * BF_E_INPUT with a sentence for the user: no such file or field (with those it has), components, steps, not
 * a VTKHDF unstructured grid, cells of unknown type. */
bf_err bf_read_field_open(const char *path, const char *field, int component, int step, bf_read_field *out);
#endif
