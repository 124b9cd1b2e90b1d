/* assembly/gfem/assemble.c - adds matrices computed on the host to the matrix on its backend; see gfem.h
 *
 * An element couples the nodes of its patches, so elements are grouped by that number, rounded up to a
 * multiple of 4: the excess entries repeat the first node with zeros.  Order of the sums: by that number,
 * then by element; repeated runs give the same bits.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "assembly/gfem/device.h"
#include "assembly/gfem/matrix.h"
#include "base/memory.h"
#include <omp.h>
#include <string.h>

enum { ROUND = 4, CHUNK_MIB = 32 };

typedef struct bf_items {      /* domain of integration: elements of a block, or sides of a set */
  const bf_model_block *block; /* elements, or NULL */
  const bf_gfem_sides  *side;  /* sides, or NULL */
  const double         *robin; /* of sides with convection or springs; NULL: Nitsche's terms */
  const bf_int         *elem;  /* [n]: elements of the sides; NULL: first, first + 1, ... */
  bf_int                first, n;
} bf_items;

static bf_int elem_of(const bf_items *it, bf_int i)
{
  return it->elem ? it->elem[i] : it->first + i;
}

static int width_of(const bf_model *m, const bf_items *it, bf_int i)
{
  const bf_int e = elem_of(it, i);
  return (int)((bf_gfem_of(m)->eptr[e + 1] - bf_gfem_of(m)->eptr[e] + ROUND - 1) / ROUND * ROUND);
}

/* Rows and matrix of item i, both n nodes wide. */
static void one_item(const bf_model *m, const bf_numbering *num, const bf_items *it, bf_int i, int n,
                     bf_gfem_work *w, bf_int *conn, double *K)
{
  const bf_int *node;
  const int     have = bf_gfem_nodes(bf_gfem_of(m), elem_of(it, i), &node), nd = n * m->ncomp;
  for (int a = 0; a < n; a++) conn[a] = num->row[node[a < have ? a : 0]];
  memset(K, 0, (size_t)nd * (size_t)nd * sizeof *K);
  if (it->block)
    bf_gfem_element(m, it->block, i, w, nd, K);
  else if (it->robin)
    bf_gfem_robin(m, it->side, i, it->robin, w, nd, K);
  else
    bf_gfem_weak(m, it->side, i, w, nd, K);
}

typedef struct bf_buffers {
  bf_int       *conn; /* host */
  double       *K;
  void         *conn_be, *K_be, *ptr, *item; /* backend */
  bf_gfem_work *work;                        /* of each thread */
} bf_buffers;

static bf_err buffers_create(const bf_model *m, bf_backend *be, bf_int nrows, int n, bf_int chunk,
                             bf_buffers *s)
{
  const size_t nd = (size_t)n * (size_t)m->ncomp, nk = (size_t)chunk * nd * nd,
               nc = (size_t)chunk * (size_t)n;
  BF_TRY(BF_NEW_ARRAY(s->conn, nc));
  BF_TRY(BF_NEW_ARRAY(s->K, nk));
  BF_TRY(be->ops.alloc(be, nc * sizeof *s->conn, &s->conn_be));
  BF_TRY(be->ops.alloc(be, nk * sizeof *s->K, &s->K_be));
  BF_TRY(be->ops.alloc(be, ((size_t)nrows + 1) * sizeof(bf_int), &s->ptr));
  BF_TRY(be->ops.alloc(be, nc * sizeof(bf_int), &s->item));
  return bf_gfem_works_create(m, omp_get_max_threads(), &s->work);
}

static void buffers_clear(bf_backend *be, bf_buffers *s)
{
  bf_gfem_works_destroy(omp_get_max_threads(), &s->work);
  bf_host_free(s->conn);
  bf_host_free(s->K);
  be->ops.release(be, s->conn_be);
  be->ops.release(be, s->K_be);
  be->ops.release(be, s->ptr);
  be->ops.release(be, s->item);
  memset(s, 0, sizeof *s);
}

/* Items list[0 .. count-1], all n nodes wide, into A. */
static bf_err add_width(const bf_model *m, const bf_numbering *num, const bf_items *it, const bf_int *list,
                        bf_int count, int n, bf_matrix *A, bf_phases *phases)
{
  bf_err       err = BF_OK;
  bf_backend  *be  = A->be;
  bf_buffers   s   = {0};
  const size_t nd = (size_t)n * (size_t)m->ncomp, each = nd * nd * sizeof(double);
  bf_int       chunk = (bf_int)(((size_t)CHUNK_MIB << 20) / each);
  double       since = bf_seconds();
  if (chunk < 1) chunk = 1;
  if (chunk > count) chunk = count;
  BF_GO(buffers_create(m, be, num->nrows, n, chunk, &s));
  for (bf_int k0 = 0; k0 < count; k0 += chunk) {
    const bf_int k = count - k0 < chunk ? count - k0 : chunk;
#pragma omp parallel for schedule(dynamic, 8)
    for (bf_int i = 0; i < k; i++)
      one_item(m, num, it, list[k0 + i], n, &s.work[omp_get_thread_num()], s.conn + (size_t)i * (size_t)n,
               s.K + (size_t)i * nd * nd);
    BF_GO(bf_phase_end(be, phases, "assembly: element matrices", &since, (double)k * (double)each));
    BF_GO(be->ops.copy(be, s.conn_be, s.conn, (size_t)k * (size_t)n * sizeof *s.conn, BF_TO_DEVICE));
    BF_GO(be->ops.copy(be, s.K_be, s.K, (size_t)k * each, BF_TO_DEVICE));
    BF_GO(BF_OP(be, element.incidence, k, n, s.conn_be, num->nrows, s.ptr, s.item));
    BF_GO(bf_matrix_scatter(A, s.ptr, s.item, n, s.conn_be, s.K_be));
    BF_GO(bf_phase_end(be, phases, "assembly: scatter", &since,
                       (double)k * (double)each + 2.0 * (double)bf_matrix_bytes(A)));
  }
done:
  buffers_clear(be, &s);
  return err;
}

static bf_err add_items(const bf_model *m, const bf_numbering *num, const bf_items *it, bf_matrix *A,
                        bf_phases *phases)
{
  bf_err  err  = BF_OK;
  bf_int *list = NULL, *first = NULL;
  if (it->n == 0) return BF_OK;
  const int nwidths = (bf_gfem_of(m)->most + ROUND - 1) / ROUND;
  BF_GO(BF_NEW_ARRAY(list, it->n));
  BF_GO(BF_NEW_ARRAY(first, (size_t)nwidths + 2)); /* of width ROUND k at [k]: sorted by counting */
  for (bf_int i = 0; i < it->n; i++) first[width_of(m, it, i) / ROUND + 1]++;
  for (int k = 0; k <= nwidths; k++) first[k + 1] += first[k];
  for (bf_int i = 0; i < it->n; i++) list[first[width_of(m, it, i) / ROUND]++] = i;
  for (int k = 1; k <= nwidths; k++) { /* first[k] is now the end */
    const bf_int count = first[k] - first[k - 1];
    if (count > 0) BF_GO(add_width(m, num, it, list + first[k - 1], count, ROUND * k, A, phases));
  }
done:
  bf_host_free(list);
  bf_host_free(first);
  return err;
}

static bf_err add_robin(const bf_model *m, const bf_numbering *num, bf_matrix *A, bf_phases *phases)
{
  bf_err        err  = BF_OK;
  bf_gfem_sides side = {0};
  double       *h    = NULL;
  for (int s = 0; s < m->nsets; s++) {
    if (!bf_gfem_is_robin(m, &m->set[s])) continue;
    BF_GO(bf_gfem_sides_create(m, &m->set[s], NULL, &side));
    BF_GO(bf_gfem_robin_values(m, &side, &h));
    const bf_items it = {.side = &side, .robin = h, .elem = side.elem, .n = side.n};
    BF_GO(add_items(m, num, &it, A, phases));
    bf_gfem_sides_clear(&side);
    bf_host_free(h);
    h = NULL;
  }
done:
  bf_gfem_sides_clear(&side);
  bf_host_free(h);
  return err;
}

static bf_err add_weak(const bf_model *m, const bf_numbering *num, bf_matrix *A, bf_phases *phases)
{
  bf_err               err  = BF_OK;
  bf_gfem_sides        side = {0};
  const bf_gfem_faces *f    = &bf_gfem_of(m)->face;
  for (int s = 0; s < f->nsets && f->ncurved > 0; s++) {
    BF_GO(bf_gfem_sides_create(m, &f->set[s], f->weak[s], &side));
    const bf_items it = {.side = &side, .elem = side.elem, .n = side.n};
    BF_GO(add_items(m, num, &it, A, phases));
    bf_gfem_sides_clear(&side);
  }
done:
  bf_gfem_sides_clear(&side);
  return err;
}

bf_err bf_gfem_add_rows(const bf_model *m, const bf_numbering *num, bf_backend *be, const double *f,
                        double *b)
{
  bf_err       err = BF_OK;
  double      *h   = NULL;
  const size_t nc = (size_t)m->ncomp, n = (size_t)num->nrows * nc;
  BF_GO(BF_NEW_ARRAY(h, n));
  BF_GO(be->ops.copy(be, h, b, n * sizeof *h, BF_TO_HOST));
  BF_GO(be->ops.sync(be));
  for (bf_int v = 0; v < m->mesh->nnodes; v++)
    for (size_t c = 0; c < nc && num->row[v] >= 0; c++)
      h[(size_t)num->row[v] * nc + c] += f[(size_t)v * nc + c];
  BF_GO(be->ops.copy(be, b, h, n * sizeof *h, BF_TO_DEVICE));
  BF_GO(be->ops.sync(be));
done:
  bf_host_free(h);
  return err;
}

bf_err bf_gfem_assemble(bf_model *m, const bf_numbering *num, bf_matrix *A, double *b, bf_phases *phases)
{
  bf_err    err    = BF_OK;
  double   *f      = NULL;
  const int device = A->be->ops.on_device && bf_gfem_on_device(m, A->be);
  if (device) BF_GO(bf_gfem_assemble_device(m, num, A, b, phases));
  for (int i = 0; i < m->nblocks && !device; i++) {
    const bf_items it = {.block = &m->block[i], .first = m->block[i].block->first, .n = m->block[i].block->n};
    BF_GO(add_items(m, num, &it, A, phases));
  }
  BF_GO(add_robin(m, num, A, phases));
  BF_GO(add_weak(m, num, A, phases));
  double since = bf_seconds();
  BF_GO(BF_NEW_ARRAY(f, (size_t)m->mesh->nnodes * (size_t)m->ncomp));
  BF_GO(bf_gfem_loads(m, !device, f));
  BF_GO(bf_gfem_add_rows(m, num, A->be, f, b));
  BF_GO(bf_phase_end(A->be, phases, "assembly: loads", &since, 3.0 * (double)A->nrows * 8.0));
  BF_GO(bf_model_keep_loads(m, num, A->be, b, phases));
  BF_GO(bf_gfem_weak_values(m, num, A->be, b));
done:
  bf_host_free(f);
  return err;
}
