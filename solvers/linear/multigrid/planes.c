/* solvers/linear/multigrid/planes.c - see multigrid.h: the next level of a lattice, plane by plane where that
 * is its way
 *
 * Two neighbouring gaps between planes become one where both are strong: the coupling across a gap is at
 * least 1/4 of the strongest one at the weaker end of the edge, for 80 % of the gap's edges.  So a body of
 * flat cells is coarsened along its strong direction first, and a graded one where its planes are close.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/multigrid/planes.h"
#include "base/memory.h"
#include "kernels/multigrid/ops.h"
#include "solvers/linear/multigrid/planes_choice.h"

enum { ALIGN = 256 };

/* The transfer; the tables of the map are in `tables`, the flags are its own. */
typedef struct planes {
  bf_backend  *be;
  bf_plane_map map;
  void        *tables;          /* backend */
  uint8_t     *fixed, *fixed_c; /* backend */
} planes;

static bf_err planes_prolong(const void *self, const double *xc, double *x)
{
  const planes *p = self;
  return p->be->ops.mg_planes->prolong(p->be, &p->map, xc, x);
}

static bf_err planes_restricted(const void *self, const double *r, double *bc)
{
  const planes *p = self;
  return p->be->ops.mg_planes->restricted(p->be, &p->map, r, bc);
}

static void planes_destroy(void *self)
{
  planes *p = self;
  if (!p) return;
  p->be->ops.release(p->be, p->tables);
  p->be->ops.release(p->be, p->fixed);
  p->be->ops.release(p->be, p->fixed_c);
  bf_host_free(p);
}

/* ---- tables of the map ---- */

static size_t aligned(size_t bytes)
{
  return (bytes + ALIGN - 1) / ALIGN * ALIGN;
}

/* Plane i of direction a.  Positions stay those of the first level: a function that is linear there is in the
 * range of P on all levels, also where gaps of two and three planes have made distances unequal. */
static double position(const bf_mg_stage *s, int a, bf_int i)
{
  return s->plane[a] ? s->plane[a][i] : (double)i;
}

/* left, right and first of one direction from its coarse planes, into host memory */
static void fill_line(const bf_mg_stage *s, int a, const bf_mg_line *line, bf_int *left, double *right,
                      bf_int *first)
{
  for (bf_int c = 0; c < line->nc; c++) {
    const bf_int from = line->first[c], to = c + 1 < line->nc ? line->first[c + 1] : line->n;
    const double begin = position(s, a, from), end = to < line->n ? position(s, a, to) : begin;
    first[c] = from;
    for (bf_int f = from; f < to; f++) {
      left[f]  = c;
      right[f] = c + 1 < line->nc ? (position(s, a, f) - begin) / (end - begin) : 0.0;
    }
  }
}

static bf_err make_tables(planes *p, const bf_mg_stage *s, const bf_mg_line line[3], size_t *bytes)
{
  bf_err      err  = BF_OK;
  bf_backend *be   = p->be;
  char       *host = NULL;
  size_t      at[3][3];
  *bytes = 0;
  for (int a = 0; a < 3; a++) {
    at[a][0] = *bytes;
    at[a][1] = at[a][0] + aligned((size_t)line[a].n * sizeof(bf_int));
    at[a][2] = at[a][1] + aligned((size_t)line[a].n * sizeof(double));
    *bytes   = at[a][2] + aligned((size_t)line[a].nc * sizeof(bf_int));
  }
  BF_GO(BF_NEW_ARRAY(host, *bytes));
  BF_GO(be->ops.alloc(be, *bytes, &p->tables));
  for (int a = 0; a < 3; a++) {
    char *to = p->tables;
    fill_line(s, a, &line[a], (bf_int *)(host + at[a][0]), (double *)(host + at[a][1]),
              (bf_int *)(host + at[a][2]));
    p->map.line[a] = (bf_plane_line){.n     = line[a].n,
                                     .nc    = line[a].nc,
                                     .left  = (const bf_int *)(to + at[a][0]),
                                     .right = (const double *)(to + at[a][1]),
                                     .first = (const bf_int *)(to + at[a][2])};
  }
  BF_GO(be->ops.copy(be, p->tables, host, *bytes, BF_TO_DEVICE));
done:
  bf_host_free(host);
  return err;
}

/* ---- the coarse stage ---- */

/* *C = P^T A P by one pass for each direction that loses planes, the slowest index first.  Results between
 * the passes are in one array, at most 3/4 of A. */
static bf_err coarse_matrix(const bf_mg_stage *fine, const planes *p, bf_matrix **C)
{
  bf_err      err = BF_OK;
  bf_backend *be  = fine->be;
  const int   D = fine->ncomp, half = fine->A->bdia->half;
  bf_lattice  from = {.nseg = 0}, to = {.nseg = 0}, last = {.nseg = 0};
  bf_int      n[4][3]; /* of A and after each pass */
  int         dir[3], passes = 0;
  int64_t     at = 0, size = 0;
  void       *between = NULL;
  for (int a = 0; a < 3; a++) n[0][a] = fine->grid[a];
  for (int a = 2; a >= 0; a--) {
    if (p->map.line[a].nc == p->map.line[a].n) continue;
    if (passes > 0) size += bf_lattice_size(n[passes], D, half);
    for (int q = 0; q < 3; q++) n[passes + 1][q] = q == a ? p->map.line[a].nc : n[passes][q];
    dir[passes++] = a;
  }
  BF_GO(be->ops.alloc(be, (size_t)size * sizeof(double), &between));
  BF_GO(bf_lattice_matrix(be, n[passes], D, half, C));
  BF_GO(bf_lattice_open(*C, n[passes], &last));
  BF_GO(bf_lattice_open(fine->A, n[0], &from));
  for (int k = 0; k < passes; k++) {
    to = k + 1 < passes ? bf_lattice_plain(n[k + 1], D, half, (double *)between + at) : last;
    at += k + 1 < passes ? bf_lattice_size(n[k + 1], D, half) : 0;
    BF_GO(be->ops.mg_planes->galerkin(be, &from, dir[k], &p->map.line[dir[k]], k ? NULL : p->fixed, &to));
    if (k == 0) bf_lattice_close(be, &from);
    from = to;
  }
  from = (bf_lattice){.nseg = 0};
done:
  if (from.slot) bf_lattice_close(be, &from);
  bf_lattice_close(be, &last);
  be->ops.release(be, between);
  return err;
}

/* Rows of fixed coarse unknowns and of those that P^T A P leaves empty are those of the identity. */
static bf_err close_rows(bf_mg_stage *c, const planes *p)
{
  bf_err      err = BF_OK;
  bf_backend *be  = c->be;
  bf_lattice  L   = {.nseg = 0};
  BF_GO(bf_lattice_open(c->A_owned, c->grid, &L));
  BF_GO(bf_matrix_diagonal(c->A_owned, c->diagonal));
  BF_GO(be->ops.mg_planes->close_rows(be, &L, p->fixed_c, c->diagonal));
  BF_GO(bf_matrix_constrain(c->A_owned, p->fixed_c));
  BF_GO(be->ops.copy(be, c->fixed, p->fixed_c, (size_t)c->n, BF_WITHIN));
done:
  bf_lattice_close(be, &L);
  return err;
}

static bf_err alloc_array(bf_backend *be, int64_t n, size_t size, void *out)
{
  void *p = NULL;
  BF_TRY(be->ops.alloc(be, (size_t)n * size, &p));
  *(void **)out = p;
  return BF_OK;
}

static bf_err place_planes(const bf_mg_stage *fine, const bf_mg_line line[3], bf_mg_stage *c)
{
  for (int a = 0; a < 3; a++) {
    BF_TRY(BF_NEW_ARRAY(c->plane[a], line[a].nc));
    for (bf_int i = 0; i < line[a].nc; i++) c->plane[a][i] = position(fine, a, line[a].first[i]);
  }
  return BF_OK;
}

/* The planes of the first level that those of the coarse one lie on. */
static bf_err number_planes(const bf_mg_stage *fine, const bf_mg_line line[3], bf_mg_stage *c)
{
  c->place = fine->place;
  for (int a = 0; a < 3; a++) {
    c->first[a] = fine->on[a] ? fine->first[a] : fine->grid[a];
    BF_TRY(BF_NEW_ARRAY(c->on[a], line[a].nc));
    for (bf_int i = 0; i < line[a].nc; i++)
      c->on[a][i] = fine->on[a] ? fine->on[a][line[a].first[i]] : line[a].first[i];
  }
  return BF_OK;
}

/* The last coarse plane that is not after plane i. */
static bf_int before(const bf_mg_line *line, bf_int i)
{
  bf_int lo = 0, hi = line->nc;
  while (hi - lo > 1) {
    const bf_int mid = lo + (hi - lo) / 2;
    if (line->first[mid] <= i)
      lo = mid;
    else
      hi = mid;
  }
  return lo;
}

/* The coarse node at or before each node in all directions. */
static bf_err parents(const bf_mg_stage *fine, const bf_mg_line line[3])
{
  bf_err       err     = BF_OK;
  const bf_int n       = fine->grid[0] * fine->grid[1] * fine->grid[2];
  const bf_int grid[3] = {line[0].nc, line[1].nc, line[2].nc};
  bf_int      *of      = NULL, i[3];
  if (!fine->parents) return BF_OK;
  BF_GO(BF_NEW_ARRAY(of, (size_t)n));
  for (bf_int f = 0; f < n; f++) {
    bf_int rest = f, node = 0;
    for (int a = 0; a < 3; rest /= line[a].n, a++) i[a] = rest % line[a].n;
    for (int a = 2; a >= 0; a--) node = node * line[a].nc + before(&line[a], i[a]);
    of[f] = node;
  }
  BF_GO(bf_mg_parents_host(fine, n, of, grid[0] * grid[1] * grid[2], grid));
done:
  bf_host_free(of);
  return err;
}

static bf_err make_coarse(const bf_mg_stage *fine, const bf_mg_line line[3], planes *p, bf_mg_stage *c)
{
  bf_backend   *be    = fine->be;
  const int64_t nodes = (int64_t)p->map.line[0].nc * p->map.line[1].nc * p->map.line[2].nc;
  *c                  = (bf_mg_stage){.be = be, .n = (bf_int)(nodes * fine->ncomp), .ncomp = fine->ncomp};
  for (int a = 0; a < 3; a++) c->grid[a] = p->map.line[a].nc;
  BF_TRY(place_planes(fine, line, c));
  if (fine->place && !fine->x) BF_TRY(number_planes(fine, line, c));
  BF_TRY(alloc_array(be, c->n, 1, &c->fixed));
  BF_TRY(alloc_array(be, c->n, sizeof *c->diagonal, &c->diagonal));
  if (fine->x) BF_TRY(alloc_array(be, 3 * nodes, sizeof *c->x, &c->x));
  BF_TRY(alloc_array(be, c->n, 1, &p->fixed_c));
  p->map.fixed_c = p->fixed_c;
  BF_TRY(be->ops.mg_planes->inject(be, &p->map, fine->x, p->fixed_c, c->x));
  BF_TRY(coarse_matrix(fine, p, &c->A_owned));
  c->A = c->A_owned;
  return close_rows(c, p);
}

static bf_err coarsen(const bf_mg_stage *fine, const bf_mg_line line[3], bf_mg_stage *coarse,
                      bf_mg_transfer *T)
{
  bf_err      err   = BF_OK;
  bf_backend *be    = fine->be;
  planes     *p     = NULL;
  size_t      bytes = 0;
  BF_GO(BF_NEW(p));
  *p = (planes){.be = be, .map = {.D = fine->ncomp}};
  BF_GO(make_tables(p, fine, line, &bytes));
  BF_GO(alloc_array(be, fine->n, 1, &p->fixed));
  BF_GO(be->ops.copy(be, p->fixed, fine->fixed, (size_t)fine->n, BF_WITHIN));
  p->map.fixed = p->fixed;
  BF_GO(make_coarse(fine, line, p, coarse));
  BF_GO(parents(fine, line));
  *T = (bf_mg_transfer){.self       = p,
                        .prolong    = planes_prolong,
                        .restricted = planes_restricted,
                        .destroy    = planes_destroy,
                        .bytes      = (int64_t)bytes + fine->n + coarse->n,
                        .name       = "planes"};
  p  = NULL;
done:
  planes_destroy(p);
  if (err != BF_OK) bf_mg_stage_release(coarse);
  return err;
}

bf_err bf_mg_planes(bf_mg_stage *fine, const bf_mg_choice *how, int *made, bf_mg_stage *coarse,
                    bf_mg_transfer *T)
{
  bf_err     err     = BF_OK;
  bf_mg_line line[3] = {{.n = 0}};
  bf_mg_way  way     = BF_MG_BOXES; /* of boxes again */
  (void)how;
  *made   = 0;
  *coarse = (bf_mg_stage){.be = NULL};
  *T      = (bf_mg_transfer){.self = NULL};
  BF_CHECK(fine->grid[0] > 0, BF_E_ARG, "the level has no lattice");
  if (fine->A) BF_GO(bf_mg_choose_planes(fine, line, &way));
  *made = way != BF_MG_NO_WAY;
  if (way == BF_MG_PLANES) BF_GO(coarsen(fine, line, coarse, T));
  if (way == BF_MG_BOXES || way == BF_MG_SECTIONS) {
    BF_GO(bf_mg_stage_modes(fine));
    BF_GO(bf_mg_boxes(fine, way, made, coarse, T));
  }
done:
  for (int a = 0; a < 3; a++) bf_host_free(line[a].first);
  if (err != BF_OK) *made = 0;
  return err;
}
