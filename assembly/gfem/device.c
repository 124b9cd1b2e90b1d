/* assembly/gfem/device.c - see device.h
 *
 * Elements of a block are grouped by the number of nodes that they couple, rounded up to a multiple of 4:
 * all matrices of a group have one size.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "assembly/basis/shape.h"
#include "assembly/gfem/device_work.h"
#include "base/memory.h"
#include <limits.h>
#include <string.h>

enum { ROUND = BF_GFEM_ROUND };

int bf_gfem_on_device(const bf_model *m, const bf_backend *be)
{
  const bf_gfem *g = bf_gfem_of(m);
  if (!g || m->sdim != 2 || g->most + ROUND > BF_FIT_NODES) return 0;
  for (bf_int e = 0; e < m->mesh->nelem; e++)
    if (g->lptr[e + 1] - g->lptr[e] > BF_FIT_PATCHES) return 0;
  for (int l = 0; l < m->problem->nloads; l++) {
    const bf_load_type t = m->problem->load[l].type;
    if (t != BF_LOAD_GRAVITY && t != BF_LOAD_BODY_FORCE && t != BF_LOAD_HEAT_SOURCE) return 0;
  }
  return be->ops.gfem.matrix && be->ops.gfem.support && be->ops.gfem.source && g->most > 0 &&
         (m->physics->form == BF_FORM_GRAD || m->physics->form == BF_FORM_STRAIN) && !bf_model_revolved(m);
}

int64_t bf_gfem_device_bytes(const bf_model *m, int64_t limit, int64_t *matrices)
{
  const bf_gfem *g = bf_gfem_of(m);
  *matrices        = 0;
  if (!g) return 0;
  const int64_t n = g->at.n, inside = g->patch.ptr[n], nd = (int64_t)g->most * m->ncomp, each = nd * nd * 8;
  int64_t       tables = 52 * n + 4 * inside + 8 * (int64_t)g->nb * (inside + n), most = 0;
  for (int i = 0; i < m->nblocks; i++) {
    const bf_model_block *b  = &m->block[i];
    const int64_t         ne = b->block->n, own = ne * (4 * bf_elem(b->block->type)->nnodes + 4),
                  chunk   = ne * each < limit  ? ne
                            : limit / each > 1 ? limit / each
                                               : 1;
    const int64_t formula = b->factor ? ne * b->stiffness.n * 8 : 0;
    most                  = own + formula > most ? own + formula : most;
    *matrices = chunk * (each + 8 * g->most) > *matrices ? chunk * (each + 8 * g->most) : *matrices;
  }
  return tables + most;
}

static void device_clear(bf_on_device *d)
{
  void *const owned[] = {d->x,        d->row,      d->ptr,    d->other,   d->h,    d->C,
                         d->material, d->corner,   d->mat,    d->factor,  d->w,    d->N,
                         d->dN,       d->mass_w,   d->mass_N, d->mass_dN, d->elem, d->conn,
                         d->values,   d->item_ptr, d->item,   d->given};
  for (size_t i = 0; i < sizeof owned / sizeof *owned; i++) d->be->ops.release(d->be, owned[i]);
  *d = (bf_on_device){.be = d->be};
}

static void release(bf_on_device *d, void **p)
{
  d->be->ops.release(d->be, *p);
  *p = NULL;
}

/* Fits of all entries. */
static bf_err upload_fits(const bf_model *m, const bf_numbering *num, bf_on_device *d)
{
  bf_err         err = BF_OK;
  const bf_gfem *g   = bf_gfem_of(m);
  const size_t   n = (size_t)g->at.n, inside = (size_t)g->patch.ptr[g->at.n];
  double        *x    = NULL;
  bf_int        *row  = NULL;
  int            lost = 0;
  BF_GO(BF_NEW_ARRAY(x, 3 * n));
  BF_GO(BF_NEW_ARRAY(row, n));
#pragma omp parallel for schedule(static) reduction(| : lost) if (n > 8192)
  for (bf_int q = 0; q < g->at.n; q++) {
    const bf_int v = g->at.node[q];
    for (int i = 0; i < 3; i++) x[3 * (size_t)q + (size_t)i] = m->mesh->x[3 * (size_t)v + (size_t)i];
    row[q] = num->row[v];
    lost |= row[q] < 0;
  }
  BF_NEED(!lost, BF_E_ARG, "the numbering has no row for a node of an element");
  BF_GO(bf_upload(d->be, x, 3 * n * sizeof *x, &d->x, NULL));
  BF_GO(bf_upload(d->be, row, n * sizeof *row, &d->row, NULL));
  BF_GO(bf_upload(d->be, g->patch.ptr, (n + 1) * sizeof *g->patch.ptr, &d->ptr, NULL));
  BF_GO(bf_upload(d->be, g->patch.entry, inside * sizeof *g->patch.entry, &d->other, NULL));
  BF_GO(bf_upload(d->be, g->h, n * sizeof *g->h, &d->h, NULL));
  BF_GO(bf_upload(d->be, g->C, (size_t)g->nb * (inside + n) * sizeof *g->C, &d->C, NULL));
  BF_GO(bf_upload(d->be, m->C, (size_t)m->problem->nmaterials * (size_t)m->nC * sizeof *m->C, &d->material,
                  NULL));
  BF_GO(d->be->ops.sync(d->be)); /* x and row are freed */
  d->fits = (bf_gfem_fits){.dim   = m->sdim,
                           .order = g->order,
                           .n     = g->at.n,
                           .x     = d->x,
                           .row   = d->row,
                           .ptr   = d->ptr,
                           .other = d->other,
                           .h     = d->h,
                           .C     = d->C};
done:
  bf_host_free(x);
  bf_host_free(row);
  return err;
}

static bf_err upload_rule(bf_on_device *d, bf_elem_type type, const bf_rule *rule, void **w, void **N,
                          void **dN)
{
  const bf_elem_info *info = bf_elem(type);
  const int           nen = info->nnodes, dim = info->dim;
  double              n[BF_QUADRATURE_MAX * BF_FIT_CORNERS], dn[BF_QUADRATURE_MAX * BF_FIT_CORNERS * 3];
  BF_CHECK(nen <= BF_FIT_CORNERS, BF_E_ARG, "elements of %d nodes", nen);
  for (int q = 0; q < rule->n; q++) {
    double slope[BF_NEN_MAX][3];
    bf_shape(type, rule->xi[q], n + q * nen, slope);
    for (int a = 0; a < nen; a++)
      for (int i = 0; i < dim; i++) dn[(q * nen + a) * dim + i] = slope[a][i];
  }
  BF_TRY(bf_upload(d->be, rule->w, (size_t)rule->n * sizeof(double), w, NULL));
  BF_TRY(bf_upload(d->be, n, (size_t)(rule->n * nen) * sizeof(double), N, NULL));
  BF_TRY(bf_upload(d->be, dn, (size_t)(rule->n * nen * dim) * sizeof(double), dN, NULL));
  return d->be->ops.sync(d->be); /* n and dn leave scope */
}

/* Corners, materials and rules of a block; d->batch for its matrices. */
static bf_err upload_block(const bf_model *m, const bf_model_block *b, bf_on_device *d)
{
  bf_err         err = BF_OK;
  const bf_gfem *g   = bf_gfem_of(m);
  const bf_int   n = b->block->n, first = b->block->first;
  const size_t   nen    = (size_t)bf_elem(b->block->type)->nnodes;
  bf_int        *corner = NULL;
  BF_GO(BF_NEW_ARRAY(corner, (size_t)n * nen));
  for (bf_int e = 0; e < n; e++)
    for (size_t a = 0; a < nen; a++)
      corner[(size_t)e * nen + a] = g->at.corner[BF_GFEM_CORNERS * (size_t)(first + e) + a];
  BF_GO(bf_upload(d->be, corner, (size_t)n * nen * sizeof *corner, &d->corner, NULL));
  BF_GO(bf_upload(d->be, m->region + first, (size_t)n * sizeof *m->region, &d->mat, NULL));
  if (b->factor)
    BF_GO(bf_upload(d->be, b->factor, (size_t)n * (size_t)b->stiffness.n * sizeof *b->factor, &d->factor,
                    NULL));
  BF_GO(upload_rule(d, b->block->type, &b->stiffness, &d->w, &d->N, &d->dN));
  BF_GO(upload_rule(d, b->block->type, &b->mass, &d->mass_w, &d->mass_N, &d->mass_dN));
  d->batch = (bf_gfem_batch){.form   = m->physics->form,
                             .ncomp  = m->ncomp,
                             .nen    = (int)nen,
                             .nq     = b->stiffness.n,
                             .corner = d->corner,
                             .w      = d->w,
                             .N      = d->N,
                             .dN     = d->dN,
                             .mat    = d->mat,
                             .C      = d->material,
                             .factor = d->factor,
                             .scale  = m->thickness};
done:
  bf_host_free(corner);
  return err;
}

static void release_block(bf_on_device *d)
{
  void **const owned[] = {&d->corner, &d->mat,    &d->factor, &d->w,      &d->N,
                          &d->dN,     &d->mass_w, &d->mass_N, &d->mass_dN};
  for (size_t i = 0; i < sizeof owned / sizeof *owned; i++) release(d, owned[i]);
}

static int width_of(const bf_gfem *g, bf_int elem)
{
  return (int)((g->eptr[elem + 1] - g->eptr[elem] + ROUND - 1) / ROUND * ROUND);
}

/* Elements of width n of a block, those with in[e] != 0 (NULL = all). */
void bf_gfem_list_width(const bf_gfem *g, const bf_block *block, const uint8_t *in, int width,
                        bf_group_of *of)
{
  int64_t most = 0;
  of->n        = 0;
  of->width    = width;
  for (bf_int e = 0; e < block->n; e++) {
    const bf_int elem = block->first + e;
    if ((in && !in[e]) || width_of(g, elem) != width) continue;
    of->elem[of->n++] = e;
    const int64_t all = g->lptr[elem + 1] - g->lptr[elem];
    most              = all > most ? all : most;
  }
  of->patches = (int)most;
}

/* Elements at a time: `bytes` of values each. */
static bf_err chunk_of(bf_backend *be, bf_int n, int width, size_t bytes, bf_int *chunk)
{
  const bf_element_batch like = {.ne = n, .nen = width};
  return bf_batch_chunk(be, &like, bytes, chunk);
}

bf_err bf_gfem_chunk_create(bf_on_device *d, bf_int chunk, int width, bf_int nrows, size_t bytes)
{
  const size_t nc = (size_t)chunk * (size_t)width;
  bf_backend  *be = d->be;
  BF_TRY(be->ops.alloc(be, (size_t)chunk * sizeof(bf_int), &d->elem));
  BF_TRY(be->ops.alloc(be, nc * sizeof(bf_int), &d->conn));
  BF_TRY(be->ops.alloc(be, (size_t)chunk * bytes, &d->values));
  BF_TRY(be->ops.alloc(be, ((size_t)nrows + 1) * sizeof(bf_int), &d->item_ptr));
  return be->ops.alloc(be, nc * sizeof(bf_int), &d->item);
}

void bf_gfem_chunk_release(bf_on_device *d)
{
  void **const owned[] = {&d->elem, &d->conn, &d->values, &d->item_ptr, &d->item, &d->given};
  for (size_t i = 0; i < sizeof owned / sizeof *owned; i++) release(d, owned[i]);
}

/* Rows of k elements, and where each row occurs. */
bf_err bf_gfem_rows(bf_on_device *d, const bf_int *elem, bf_int k, const bf_group_of *of, bf_int nrows)
{
  bf_backend *be = d->be;
  BF_TRY(be->ops.copy(be, d->elem, elem, (size_t)k * sizeof *elem, BF_TO_DEVICE));
  d->batch.ne      = k;
  d->batch.elem    = d->elem;
  d->batch.width   = of->width;
  d->batch.patches = of->patches;
  BF_TRY(BF_OP(be, gfem.support, &d->fits, &d->batch, d->conn));
  return BF_OP(be, element.incidence, k, of->width, d->conn, nrows, d->item_ptr, d->item);
}

static bf_err add_matrices(bf_on_device *d, const bf_group_of *of, bf_int nrows, bf_matrix *A,
                           bf_phases *phases)
{
  bf_err       err = BF_OK;
  const size_t nd = (size_t)of->width * (size_t)d->batch.ncomp, each = nd * nd * sizeof(double);
  bf_int       chunk;
  double       since = bf_seconds();
  BF_GO(chunk_of(d->be, of->n, of->width, each, &chunk));
  BF_GO(bf_gfem_chunk_create(d, chunk, of->width, nrows, each));
  for (bf_int k0 = 0; k0 < of->n; k0 += chunk) {
    const bf_int k = of->n - k0 < chunk ? of->n - k0 : chunk;
    BF_GO(bf_gfem_rows(d, of->elem + k0, k, of, nrows));
    BF_GO(BF_OP(d->be, gfem.matrix, &d->fits, &d->batch, d->conn, d->values));
    BF_GO(bf_phase_end(d->be, phases, "assembly: element matrices", &since, (double)k * (double)each));
    BF_GO(bf_matrix_scatter(A, d->item_ptr, d->item, of->width, d->conn, d->values));
    BF_GO(bf_phase_end(d->be, phases, "assembly: scatter", &since,
                       (double)k * (double)each + 2.0 * (double)bf_matrix_bytes(A)));
  }
done:
  bf_gfem_chunk_release(d);
  return err;
}

bf_err bf_gfem_assemble_device(const bf_model *m, const bf_numbering *num, bf_matrix *A, double *b,
                               bf_phases *phases)
{
  bf_err         err   = BF_OK;
  const bf_gfem *g     = bf_gfem_of(m);
  bf_on_device   d     = {.be = A->be};
  bf_group_of    of    = {0};
  double         since = bf_seconds();
  BF_GO(upload_fits(m, num, &d));
  BF_GO(bf_phase_end(A->be, phases, "assembly: tables", &since, 0.0));
  for (int i = 0; i < m->nblocks; i++) {
    const bf_model_block *block = &m->block[i];
    BF_GO(BF_NEW_ARRAY(of.elem, block->block->n));
    BF_GO(upload_block(m, block, &d));
    BF_GO(bf_phase_end(A->be, phases, "assembly: tables", &since, 0.0));
    for (int width = ROUND; width < g->most + ROUND; width += ROUND) {
      bf_gfem_list_width(g, block->block, NULL, width, &of);
      if (of.n > 0) BF_GO(add_matrices(&d, &of, num->nrows, A, phases));
    }
    since = bf_seconds();
    BF_GO(bf_gfem_device_loads(m, block, num->nrows, &d, &of, b));
    BF_GO(bf_phase_end(A->be, phases, "assembly: loads", &since, 0.0));
    release_block(&d);
    bf_host_free(of.elem);
    of.elem = NULL;
  }
done:
  bf_host_free(of.elem);
  device_clear(&d);
  return err;
}
