/* assembly/gfem/device_loads.c - volume loads of generalised finite elements on the backend of the matrix:
 * see device.h
 *
 *     f_J = sum_q w psi_J(x_q) f(x_q);  the values f at the points are computed on the host
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "assembly/gfem/device_work.h"
#include "assembly/model/axes.h"
#include "base/memory.h"
#include <string.h>

enum { LOAD_CHUNK = 1 << 16, ROUND = BF_GFEM_ROUND };

/* f[k][nq][D], or one value for all elements and points, of a load in elements elem[k] of a block. */
static bf_err load_values(const bf_model *m, const bf_load *load, const bf_model_block *b, const bf_int *elem,
                          bf_int k, bf_element_source *f, double *v)
{
  bf_err       err = BF_OK;
  const int    D = m->ncomp, nq = b->mass.n, gravity = load->type == BF_LOAD_GRAVITY;
  const size_t nen = (size_t)bf_elem(b->block->type)->nnodes, np = (size_t)k * (size_t)nq;
  bf_int      *node = NULL;
  double      *x = NULL, *value = NULL;
  BF_GO(BF_NEW_ARRAY(node, (size_t)k * nen));
  BF_GO(BF_NEW_ARRAY(x, 3 * np));
  BF_GO(BF_NEW_ARRAY(value, np));
  for (bf_int i = 0; i < k; i++)
    memcpy(node + (size_t)i * nen, b->block->node + (size_t)elem[i] * nen, nen * sizeof *node);
  bf_model_points(m->mesh, b->block->type, node, 0, k, &b->mass, x);
  for (int c = 0; c < D; c++) {
    BF_GO(bf_quantity_need(m, &load->value[c], (int64_t)np, x, NULL, 1, value));
#pragma omp parallel for schedule(static) if (np > 8192)
    for (bf_int i = 0; i < k; i++) {
      const double rho = gravity ? m->problem->material[m->region[b->block->first + elem[i]]].rho : 1.0;
      for (size_t q = 0; q < (size_t)nq; q++) {
        const size_t at               = (size_t)i * (size_t)nq + q;
        v[at * (size_t)D + (size_t)c] = rho * value[at];
      }
    }
  }
  for (size_t i = 0; i < np && load->axes; i++) {
    double e[3][3], t[3] = {0.0, 0.0, 0.0};
    bf_axes_at(load->axes, x + 3 * i, 0.0, e);
    for (int c = 0; c < D; c++) t[c] = v[i * (size_t)D + (size_t)c];
    bf_axes_to_global((const double(*)[3])e, t);
    for (int c = 0; c < D; c++) v[i * (size_t)D + (size_t)c] = t[c];
  }
  f->stride_q = D;
  f->stride_e = (int64_t)nq * D;
done:
  bf_host_free(node);
  bf_host_free(x);
  bf_host_free(value);
  return err;
}

static bf_err add_load(const bf_model *m, const bf_load *load, const bf_model_block *b, const bf_group_of *of,
                       bf_int nrows, bf_on_device *d, double *vector)
{
  bf_err       err = BF_OK;
  const size_t D = (size_t)m->ncomp, each = (size_t)of->width * D * sizeof(double), nq = (size_t)b->mass.n;
  bf_int       chunk = of->n < LOAD_CHUNK ? of->n : LOAD_CHUNK;
  double      *v     = NULL;
  BF_GO(bf_gfem_chunk_create(d, chunk, of->width, nrows, each));
  BF_GO(d->be->ops.alloc(d->be, (size_t)chunk * nq * D * sizeof *v, &d->given));
  BF_GO(BF_NEW_ARRAY(v, (size_t)chunk * nq * D));
  for (bf_int k0 = 0; k0 < of->n; k0 += chunk) {
    const bf_int      k = of->n - k0 < chunk ? of->n - k0 : chunk;
    bf_element_source f = {.value = d->given};
    BF_GO(load_values(m, load, b, of->elem + k0, k, &f, v));
    BF_GO(d->be->ops.copy(d->be, d->given, v, (size_t)k * nq * D * sizeof *v, BF_TO_DEVICE));
    BF_GO(bf_gfem_rows(d, of->elem + k0, k, of, nrows));
    BF_GO(BF_OP(d->be, gfem.source, &d->fits, &d->batch, d->conn, &f, d->values));
    BF_GO(BF_OP(d->be, vector.scatter, nrows, (int)D, d->item_ptr, d->item, of->width, d->values, vector));
    BF_GO(d->be->ops.sync(d->be)); /* v is overwritten next */
  }
done:
  bf_host_free(v);
  bf_gfem_chunk_release(d);
  return err;
}

static int load_is_zero(const bf_model *m, const bf_load *load)
{
  for (int c = 0; c < m->ncomp; c++)
    if (!bf_quantity_is_zero(&load->value[c])) return 0;
  return 1;
}

bf_err bf_gfem_device_loads(const bf_model *m, const bf_model_block *b, bf_int nrows, bf_on_device *d,
                            bf_group_of *of, double *vector)
{
  bf_err         err = BF_OK;
  const bf_gfem *g   = bf_gfem_of(m);
  uint8_t       *in  = NULL;
  bf_int         count;
  d->batch.nq     = b->mass.n;
  d->batch.w      = d->mass_w;
  d->batch.N      = d->mass_N;
  d->batch.dN     = d->mass_dN;
  d->batch.factor = NULL;
  BF_GO(BF_NEW_ARRAY(in, b->block->n));
  for (int l = 0; l < m->problem->nloads; l++) {
    const bf_load *load = &m->problem->load[l];
    if (load_is_zero(m, load)) continue;
    bf_load_elements(m, load, b->block, -1, in, &count);
    for (int width = ROUND; count > 0 && width < g->most + ROUND; width += ROUND) {
      bf_gfem_list_width(g, b->block, in, width, of);
      if (of->n > 0) BF_GO(add_load(m, load, b, of, nrows, d, vector));
    }
  }
done:
  bf_host_free(in);
  return err;
}
