/* mesh/box.c - boxes and rectangles of n x n x n cells, with named sides
 *
 * A cell is a hexahedron (quadrilateral), or is split into the 3! = 6 (2! = 2) simplices of Kuhn: the paths
 * from corner 0 to the opposite corner along the axes, one for each order of the axes; all cells are split in
 * the same way, so neighbours conform (H. W. Kuhn, Some combinatorial lemmas in topology, IBM J. Res. Dev. 4
 * (1960) 518, doi 10.1147/rd.45.0518).
 *
 * Nodes lie on a grid with `step` intervals per cell: 1 for linear, 2 for quadratic elements; tet10, tri6,
 * hex27 and quad9 use every grid point, hex20 and quad8 those with at most one odd coordinate.  Node numbers
 * are lexicographic, x fastest, and computed directly.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "mesh/build.h"
#include <limits.h>
#include <math.h>
#include <string.h>

enum { SUB_MAX = 6, SIDE_MAX = 12 };

typedef struct recipe { /* the elements of one cell */
  const bf_elem_info *info;
  bf_elem_type        type;
  int                 dim, step, sparse; /* sparse: serendipity, no grid point with two odd coordinates */
  int                 nsub;              /* elements a cell */
  int                 off[SUB_MAX][BF_NEN_MAX][3]; /* grid offsets of their nodes, 0 .. step */
  int                 nside;                       /* elements of a cell on one side of the box */
  int                 side[6][SIDE_MAX][2];        /* x_min x_max y_min ...: {sub element, its face} */
  int64_t             n[3], grid[3];               /* cells, grid points; 1 past the dimension: 0, 1 */
  double              size[3];
} recipe;

/* Corner offsets of the sub elements, in cells. */
static int cell_corners(const recipe *r, int corner[SUB_MAX][8][3])
{
  static const int path[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};
  const int        box        = r->info->ncorners == (r->dim == 2 ? 4 : 8);
  if (box) {
    for (int a = 0; a < r->info->ncorners; a++)
      for (int d = 0; d < 3; d++) corner[0][a][d] = r->info->corner[a][d] > 0.0;
    return 1;
  }
  int nsub = 0;
  for (int p = 0; p < 6; p++) {
    if (r->dim == 2 && path[p][2] != 2) continue; /* 2D: orders xy and yx */
    int at[3] = {0, 0, 0};
    for (int a = 0; a <= r->dim; a++) {
      memcpy(corner[nsub][a], at, sizeof at);
      if (a < r->dim) at[path[p][a]] = 1;
    }
    if (r->dim == 2 ? path[p][0] == 1
                    : p >= 3) { /* an odd order of the axes is left-handed: swap two corners */
      memcpy(at, corner[nsub][1], sizeof at);
      memcpy(corner[nsub][1], corner[nsub][2], sizeof at);
      memcpy(corner[nsub][2], at, sizeof at);
    }
    nsub++;
  }
  return nsub;
}

/* Faces of the sub elements that lie on each side of the cell. */
static void cell_sides(recipe *r)
{
  const bf_elem_info *face = bf_elem(r->info->face_type);
  for (int s = 0; s < 2 * r->dim; s++) {
    const int axis = s / 2, at = s % 2 ? r->step : 0;
    r->nside = 0;
    for (int e = 0; e < r->nsub; e++)
      for (int f = 0; f < r->info->nfaces; f++) {
        int on = 1;
        for (int c = 0; c < face->ncorners; c++) on = on && r->off[e][r->info->face[f][c]][axis] == at;
        if (!on) continue;
        r->side[s][r->nside][0]   = e;
        r->side[s][r->nside++][1] = f;
      }
  }
}

static void make_recipe(recipe *r, bf_elem_type type, const double *size, const bf_int *cells)
{
  int corner[SUB_MAX][8][3] = {{{0}}};
  *r                        = (recipe){.info = bf_elem(type), .type = type};
  r->dim                    = r->info->dim;
  r->step                   = r->info->order;
  r->sparse                 = type == BF_QUAD8 || type == BF_HEX20;
  r->nsub                   = cell_corners(r, corner);
  for (int d = 0; d < 3; d++) {
    r->n[d]    = d < r->dim ? cells[d] : 0;
    r->grid[d] = r->n[d] * r->step + 1;
    r->size[d] = d < r->dim ? size[d] : 0.0;
  }
  for (int e = 0; e < r->nsub; e++)
    for (int a = 0; a < r->info->nnodes; a++) {
      int       span[BF_CORNERS_MAX];
      const int n = bf_elem_span(r->info, a, span);
      for (int d = 0; d < 3; d++) {
        int sum = 0;
        for (int k = 0; k < n; k++) sum += corner[e][span[k]][d];
        r->off[e][a][d] = r->step * sum / n;
      }
    }
  cell_sides(r);
}

/* Number of the first node of grid row (j, k).  Serendipity: rows alternate between all points (j, k even)
 * and every other one (one of them odd); rows with both odd are empty. */
static int64_t row_start(const recipe *r, int64_t j, int64_t k)
{
  const int64_t all = r->grid[0], few = r->n[0] + 1;
  if (!r->sparse) return all * (j + r->grid[1] * k);
  const int64_t even_plane = (r->n[1] + 1) * all + r->n[1] * few, odd_plane = (r->n[1] + 1) * few;
  const int64_t planes = (k + 1) / 2 * even_plane + k / 2 * odd_plane;
  return planes + (k % 2 == 0 ? (j + 1) / 2 * all + j / 2 * few : (j + 1) / 2 * few);
}

static int64_t node_at(const recipe *r, const int64_t g[3])
{
  const int thin = r->sparse && (g[1] % 2 || g[2] % 2);
  return row_start(r, g[1], g[2]) + (thin ? g[0] / 2 : g[0]);
}

/* Coordinates size * index / intervals, row by row, so the last is exactly size.
 */
static void fill_nodes(const recipe *r, bf_mesh *m)
{
  const int64_t rows = r->grid[1] * r->grid[2];
#pragma omp parallel for schedule(static)
  for (int64_t row = 0; row < rows; row++) {
    const int64_t j = row % r->grid[1], k = row / r->grid[1];
    if (r->sparse && j % 2 && k % 2) continue;
    const int64_t stride = r->sparse && (j % 2 || k % 2) ? 2 : 1;
    int64_t       node   = row_start(r, j, k);
    for (int64_t i = 0; i < r->grid[0]; i += stride, node++) {
      const int64_t g[3] = {i, j, k};
      for (int d = 0; d < 3; d++)
        m->x[3 * node + d] = d < r->dim ? r->size[d] * (double)g[d] / (double)(r->n[d] * r->step) : 0.0;
      m->node_tag[node] = node + 1;
    }
  }
}

static void fill_cells(const recipe *r, bf_block *block)
{
  const int64_t nk = r->dim == 3 ? r->n[2] : 1, rows = r->n[1] * nk;
  const int     nen = r->info->nnodes;
#pragma omp parallel for schedule(static)
  for (int64_t row = 0; row < rows; row++) {
    const int64_t j = row % r->n[1], k = row / r->n[1];
    int64_t       start[3][3]; /* of the grid rows around this row of cells */
    for (int b = 0; b <= r->step; b++)
      for (int c = 0; c <= (r->dim == 3 ? r->step : 0); c++)
        start[b][c] = row_start(r, j * r->step + b, k * r->step + c);
    for (int64_t i = 0; i < r->n[0]; i++)
      for (int e = 0; e < r->nsub; e++) {
        const int64_t elem = (row * r->n[0] + i) * r->nsub + e;
        bf_int       *node = block->node + elem * nen;
        for (int a = 0; a < nen; a++) {
          const int    *o    = r->off[e][a];
          const int64_t g    = i * r->step + o[0];
          const int     thin = r->sparse && (o[1] == 1 || o[2] == 1);
          node[a]            = (bf_int)(start[o[1]][o[2]] + (thin ? g / 2 : g));
        }
        block->tag[elem] = block->first + elem + 1;
      }
  }
}

/* Sides of dimension dim-1 in the order x_min, x_max, y_min, ...: nodes of the face of the cell's element, so
 * that their normals point outward. */
static void fill_sides(const recipe *r, bf_block *block, bf_group *group)
{
  const bf_elem_info *face = bf_elem(block->type);
  int64_t             elem = 0;
  for (int s = 0; s < 2 * r->dim; s++) {
    const int     axis = s / 2, u = axis == 0 ? 1 : 0, v = axis == 2 ? 1 : 2;
    const int64_t nu = r->n[u], nv = r->dim == 3 ? r->n[v] : 1, first = elem;
    for (int64_t q = 0; q < nu * nv; q++) {
      int64_t cell[3] = {0, 0, 0};
      cell[u]         = q % nu;
      cell[v]         = r->dim == 3 ? q / nu : 0;
      cell[axis]      = s % 2 ? r->n[axis] - 1 : 0;
      for (int t = 0; t < r->nside; t++, elem++) {
        const int(*off)[3] = r->off[r->side[s][t][0]];
        const int *local   = r->info->face[r->side[s][t][1]];
        for (int a = 0; a < face->nnodes; a++) {
          int64_t g[3];
          for (int d = 0; d < 3; d++) g[d] = cell[d] * r->step + off[local[a]][d];
          block->node[elem * face->nnodes + a] = (bf_int)node_at(r, g);
        }
        block->tag[elem] = elem + 1;
      }
    }
    for (int64_t e = first; e < elem; e++) group[s].elem[e - first] = (bf_int)e;
  }
}

static int64_t side_elements(const recipe *r, int axis)
{
  int64_t n = r->nside;
  for (int d = 0; d < r->dim; d++)
    if (d != axis) n *= r->n[d];
  return n;
}

typedef struct counts {        /* in floating point, which cannot overflow here */
  double points, cells, sides; /* grid points, elements inside, elements of the sides */
} counts;

static counts count(const recipe *r)
{
  counts c     = {.points = 1.0};
  double cells = 1.0;
  for (int d = 0; d < r->dim; d++) {
    c.points *= (double)r->grid[d];
    cells *= (double)r->n[d];
  }
  c.cells = (double)r->nsub * cells;
  for (int d = 0; d < r->dim; d++) c.sides += 2.0 * (double)r->nside * cells / (double)r->n[d];
  return c;
}

/* Elements and nodes must fit bf_int. */
static bf_err counts_fit(const recipe *r)
{
  const counts c = count(r);
  BF_CHECK(c.points <= (double)INT_MAX && c.cells + c.sides <= (double)INT_MAX, BF_E_ARG,
           "%.4g grid points and %.4g elements: at most %d of each", c.points, c.cells + c.sides, INT_MAX);
  return BF_OK;
}

double bf_mesh_generated_bytes(const bf_int *cells, bf_elem_type type, double *most)
{
  recipe       r;
  const double unit[3] = {1.0, 1.0, 1.0};
  make_recipe(&r, type, unit, cells);
  const counts c     = count(&r);
  double       nodes = r.sparse ? 0.0 : c.points;
  for (int s = 0; s <= r.dim && r.sparse; s++) { /* edges along axis s; corners */
    double n = 1.0;
    for (int d = 0; d < r.dim; d++) n *= (double)r.n[d] + (d != s);
    nodes += n;
  }
  *most = fmax(c.points, c.cells + c.sides);
  /* a node: coordinates and tag; an element: nodes, tag, number in its group */
  return nodes * 32.0 + c.cells * (4.0 * r.info->nnodes + 12.0) +
         c.sides * (4.0 * bf_elem(r.info->face_type)->nnodes + 12.0);
}

static bf_err generate(const recipe *r, const char *name, bf_mesh **out)
{
  static const char *const side[6] = {"x_min", "x_max", "y_min", "y_max", "z_min", "z_max"};
  bf_err                   err     = BF_OK;
  bf_mesh                 *m       = NULL;
  int64_t                  cells = r->nsub, sides = 0;
  const int64_t end[3] = {r->grid[0] - 1, r->grid[1] - 1, r->grid[2] - 1}; /* all even: last node */
  BF_GO(counts_fit(r));
  for (int d = 0; d < r->dim; d++) {
    cells *= r->n[d];
    sides += 2 * side_elements(r, d);
  }
  BF_GO(bf_mesh_create(name, r->dim, (bf_int)(node_at(r, end) + 1), 2, 1 + 2 * r->dim, &m));
  BF_GO(bf_mesh_set_block(m, 0, r->info->face_type, (bf_int)sides));
  BF_GO(bf_mesh_set_block(m, 1, r->type, (bf_int)cells));
  BF_GO(bf_mesh_set_group(m, 0, r->dim == 3 ? "volume" : "surface", r->dim, 1, (bf_int)cells));
  for (int s = 0; s < 2 * r->dim; s++)
    BF_GO(bf_mesh_set_group(m, 1 + s, side[s], r->dim - 1, 1 + s, (bf_int)side_elements(r, s / 2)));
  fill_nodes(r, m);
  fill_sides(r, &m->block[0], m->group + 1);
  fill_cells(r, &m->block[1]);
  for (bf_int e = 0; e < m->block[1].n; e++) m->group[0].elem[e] = m->block[1].first + e;
  *out = m;
  m    = NULL;
done:
  bf_mesh_destroy(&m);
  return err;
}

static bf_err box_of_dim(int dim, const char *name, const double *size, const bf_int *cells,
                         bf_elem_type type, bf_mesh **out)
{
  BF_CHECK(size && cells && out, BF_E_ARG, "null argument");
  *out                     = NULL;
  const bf_elem_info *info = bf_elem(type);
  BF_CHECK(info && info->dim == dim, BF_E_ARG, "a %s has no elements %s", name, info ? info->name : "?");
  for (int d = 0; d < dim; d++) {
    BF_CHECK(isfinite(size[d]) && size[d] > 0.0, BF_E_ARG, "size of the %s in %c is %g", name, "xyz"[d],
             size[d]);
    BF_CHECK(cells[d] >= 1, BF_E_ARG, "cells of the %s in %c: %d", name, "xyz"[d], cells[d]);
  }
  recipe r;
  make_recipe(&r, type, size, cells);
  BF_TRY(generate(&r, name, out));
  return BF_OK;
}

bf_err bf_mesh_box(const double size[3], const bf_int cells[3], bf_elem_type type, bf_mesh **out)
{
  return box_of_dim(3, "box", size, cells, type, out);
}

bf_err bf_mesh_rectangle(const double size[2], const bf_int cells[2], bf_elem_type type, bf_mesh **out)
{
  return box_of_dim(2, "rectangle", size, cells, type, out);
}
