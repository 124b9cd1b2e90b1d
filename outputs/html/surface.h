/* outputs/html/surface.h - pictures of the body, coloured by a field, drawn without a graphics library
 * (private)
 *
 * The surface of a result is made once and drawn for each step: orthographic view from (1, -1.6, 0.9) with z
 * upwards, or the plane itself; a depth buffer hides what lies behind.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_HTML_SURFACE_H
#define BF_HTML_SURFACE_H
#include "mesh/view.h"

enum { BF_SURFACE_WIDTH = 640, BF_SURFACE_HEIGHT = 420, BF_SURFACE_MOST_CELLS = 150000 };

typedef struct bf_surface {
  const bf_mesh *mesh; /* borrowed */
  const bf_view *view; /* borrowed */
  int            dim;
  int64_t        n;     /* polygons: outer faces of a solid, cells of a plane mesh */
  int64_t       *ptr;   /* owned [n + 1] */
  bf_int        *point; /* owned [ptr[n]] points of the view, around the polygon, mid-side nodes included */
  bf_int        *cell;  /* owned [n] */
} bf_surface;

/* BF_E_MODEL for a mesh of lines or of more than BF_SURFACE_MOST_CELLS cells.  Cost: about 1 us per face. */
bf_err bf_surface_create(const bf_mesh *mesh, const bf_view *view, bf_surface **out);
void   bf_surface_destroy(bf_surface **s);

typedef struct bf_surface_colours {
  const double *value; /* [npoints], or [ncells] with on_cells */
  int           on_cells;
  double        low, high; /* of the range; equal: one colour */
  const double *move;      /* [npoints][3] displacement, or NULL */
  double        factor;    /* of move */
} bf_surface_colours;

/* *png is the caller's. */
bf_err bf_surface_png(const bf_surface *s, const bf_surface_colours *c, uint8_t **png, size_t *bytes);

/* Colour of a share 0..1 of the range */
void bf_surface_colour(double share, uint8_t rgb[3]);
#endif
