/* solvers/linear/multigrid/spectral_coarse.c - what the next level needs beside its matrix: the near-null
 * space and element matrices
 *
 *     N_c = T^T D N;   K_a = sum of T_e^T K_e T_e over the elements e that aggregate a owns
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "solvers/linear/multigrid/spectral.h"
#include <string.h>

bf_err bf_mg_spectrum_modes(const bf_mg_spectrum *s, const bf_int *first, double *modes)
{
  const int64_t n = s->fine->n, nc = first[s->body.count];
  for (bf_int a = 0; a < s->body.count; a++) {
    const bf_int *unknown = s->lists.unknown + s->lists.uptr[a];
    const int64_t m       = s->lists.uptr[a + 1] - s->lists.uptr[a];
    for (int j = 0; j < s->fine->nmodes; j++)
      for (bf_int e = 0; e < s->k[a]; e++) {
        const double *z   = s->Z + s->zptr[a] + e * m;
        double        sum = 0.0;
        for (int64_t r = 0; r < m; r++) sum += z[r] * s->diagonal[unknown[r]] * s->modes[j * n + unknown[r]];
        modes[j * nc + first[a] + e] = sum;
      }
  }
  return BF_OK;
}

typedef struct builder { /* of coarse elements; host, owned */
  const bf_mg_spectrum *s;
  bf_int               *row;    /* [unknowns]: place in the own list of its aggregate; -1: fixed */
  bf_int               *column; /* [count]: first column of an aggregate in the element at hand; -1 */
  int64_t              *ptr, *at;
  bf_int               *node, *from; /* from[ne]: aggregate whose elements it is made of */
  double               *K, *W;       /* W: [unknowns of an element][columns] */
  bf_int                ne;
} builder;

static void builder_clear(builder *b)
{
  bf_host_free(b->row);
  bf_host_free(b->column);
  bf_host_free(b->ptr);
  bf_host_free(b->at);
  bf_host_free(b->node);
  bf_host_free(b->from);
  bf_host_free(b->K);
  bf_host_free(b->W);
}

/* Aggregates with vectors that the own elements of a touch, ascending, into node; their number. */
static bf_int touched(builder *b, bf_int a, bf_int *node)
{
  const bf_mg_spectrum *s     = b->s;
  const bf_element_set *E     = &s->body.E;
  bf_int                count = 0;
  for (int64_t m = s->lists.eptr[a]; m < s->lists.eptr[a + 1]; m++) {
    const bf_int e = s->lists.element[m];
    for (int64_t k = E->ptr[e]; s->lists.owner[e] == a && k < E->ptr[e + 1]; k++) {
      const bf_int t = s->aggregate[E->node[k]];
      if (t < 0 || s->k[t] == 0 || b->column[t] >= 0) continue;
      b->column[t] = 0;
      bf_int at    = count++;
      for (; at > 0 && node[at - 1] > t; at--) node[at] = node[at - 1];
      node[at] = t;
    }
  }
  for (bf_int i = 0; i < count; i++) b->column[node[i]] = -1;
  return count;
}

/* Coarse elements: one for every aggregate with own elements. */
static bf_err count_elements(builder *b)
{
  const bf_mg_spectrum *s     = b->s;
  const bf_int          count = s->body.count;
  bf_int               *node  = NULL;
  bf_err                err   = BF_OK;
  int64_t               room  = 0;
  BF_GO(BF_NEW_ARRAY(b->ptr, (size_t)count + 1));
  BF_GO(BF_NEW_ARRAY(b->at, (size_t)count + 1));
  BF_GO(BF_NEW_ARRAY(b->from, (size_t)count));
  BF_GO(BF_NEW_ARRAY(node, (size_t)count));
  for (int pass = 0; pass < 2; pass++) {
    b->ne = 0;
    for (bf_int a = 0; a < count; a++) {
      const bf_int many  = touched(b, a, node);
      int64_t      order = 0;
      if (many == 0) continue;
      for (bf_int i = 0; i < many; i++) order += s->k[node[i]];
      if (pass == 1) memcpy(b->node + b->ptr[b->ne], node, (size_t)many * sizeof *node);
      b->ptr[b->ne + 1] = b->ptr[b->ne] + many;
      b->at[b->ne + 1]  = b->at[b->ne] + order * order;
      b->from[b->ne++]  = a;
    }
    room = b->ptr[b->ne];
    if (pass == 0) BF_GO(BF_NEW_ARRAY(b->node, (size_t)room));
  }
  BF_GO(BF_NEW_ARRAY(b->K, (size_t)b->at[b->ne]));
done:
  bf_host_free(node);
  return err;
}

/* W = K_e T_e by rows of `order` columns, for the unknowns of element e in turn. */
static void multiply(const builder *b, bf_int e, int64_t order)
{
  const bf_mg_spectrum *s     = b->s;
  const bf_element_set *E     = &s->body.E;
  const bf_int         *first = s->body.first;
  int64_t               own = 0, r = 0;
  for (int64_t k = E->ptr[e]; k < E->ptr[e + 1]; k++) own += first[E->node[k] + 1] - first[E->node[k]];
  memset(b->W, 0, (size_t)(own * order) * sizeof *b->W);
  const double *K = E->K + E->at[e];
  for (int64_t k = E->ptr[e]; k < E->ptr[e + 1]; k++) {
    const bf_int t = s->aggregate[E->node[k]];
    for (bf_int v = first[E->node[k]]; v < first[E->node[k] + 1]; v++, r++) {
      if (t < 0 || b->row[v] < 0) continue;
      const int64_t m = s->lists.uptr[t + 1] - s->lists.uptr[t];
      const double *z = s->Z + s->zptr[t] + b->row[v];
      for (int64_t u = 0; u < own; u++)
        for (bf_int l = 0; l < s->k[t]; l++) b->W[u * order + b->column[t] + l] += K[r * own + u] * z[l * m];
    }
  }
}

/* out += T_e^T W */
static void project(const builder *b, bf_int e, int64_t order, double *out)
{
  const bf_mg_spectrum *s     = b->s;
  const bf_element_set *E     = &s->body.E;
  const bf_int         *first = s->body.first;
  int64_t               r     = 0;
  for (int64_t k = E->ptr[e]; k < E->ptr[e + 1]; k++) {
    const bf_int t = s->aggregate[E->node[k]];
    for (bf_int u = first[E->node[k]]; u < first[E->node[k] + 1]; u++, r++) {
      if (t < 0 || b->row[u] < 0) continue;
      const int64_t m = s->lists.uptr[t + 1] - s->lists.uptr[t];
      const double *z = s->Z + s->zptr[t] + b->row[u];
      for (bf_int l = 0; l < s->k[t]; l++)
        for (int64_t j = 0; j < order; j++)
          out[(b->column[t] + l) * order + j] += z[l * m] * b->W[r * order + j];
    }
  }
}

static bf_err fill_elements(builder *b)
{
  const bf_mg_spectrum *s       = b->s;
  const bf_element_set *E       = &s->body.E;
  int64_t               largest = 0, unknowns = 0;
  for (bf_int i = 0; i < b->ne; i++) {
    int64_t order = 0;
    for (int64_t k = b->ptr[i]; k < b->ptr[i + 1]; k++) order += s->k[b->node[k]];
    largest = order > largest ? order : largest;
  }
  for (bf_int e = 0; e < E->ne; e++) {
    int64_t own = 0;
    for (int64_t k = E->ptr[e]; k < E->ptr[e + 1]; k++)
      own += s->body.first[E->node[k] + 1] - s->body.first[E->node[k]];
    unknowns = own > unknowns ? own : unknowns;
  }
  BF_TRY(BF_NEW_ARRAY(b->W, (size_t)(largest * unknowns)));
  for (bf_int c = 0; c < b->ne; c++) {
    const bf_int a     = b->from[c];
    int64_t      order = 0;
    for (int64_t k = b->ptr[c]; k < b->ptr[c + 1]; k++) {
      b->column[b->node[k]] = (bf_int)order;
      order += s->k[b->node[k]];
    }
    for (int64_t m = s->lists.eptr[a]; m < s->lists.eptr[a + 1]; m++) {
      const bf_int e = s->lists.element[m];
      if (s->lists.owner[e] != a) continue;
      multiply(b, e, order);
      project(b, e, order, b->K + b->at[c]);
    }
    for (int64_t k = b->ptr[c]; k < b->ptr[c + 1]; k++) b->column[b->node[k]] = -1;
  }
  return BF_OK;
}

/* Which aggregates are of mixed coefficients, and where they lie. */
static bf_err inherit(const bf_mg_spectrum *s, bf_mg_local *l)
{
  const bf_int count = s->body.count;
  BF_TRY(BF_NEW_ARRAY(l->mixed, (size_t)count));
  memcpy(l->mixed, s->mixed, (size_t)count);
  if (s->boxes[0] == 0) return BF_OK;
  BF_TRY(BF_NEW_ARRAY(l->place, (size_t)count));
  memcpy(l->place, s->place, (size_t)count * sizeof *l->place);
  memcpy(l->grid, s->boxes, sizeof l->grid);
  return BF_OK;
}

bf_err bf_mg_spectrum_coarse(const bf_mg_spectrum *s, bf_int *first, bf_mg_local **out)
{
  bf_err       err = BF_OK;
  bf_mg_local *l   = NULL;
  builder      b   = {.s = s};
  const size_t n   = (size_t)s->fine->n;
  *out             = NULL;
  BF_GO(BF_NEW(l));
  l->level = s->local->level + 1;
  l->ncomp = s->local->ncomp;
  l->n     = s->body.count;
  BF_GO(BF_NEW_ARRAY(l->first, (size_t)l->n + 1));
  memcpy(l->first, first, ((size_t)l->n + 1) * sizeof *first);
  BF_GO(BF_NEW_ARRAY(b.row, n));
  BF_GO(BF_NEW_ARRAY(b.column, (size_t)l->n));
  memset(b.row, 0xff, n * sizeof *b.row);
  memset(b.column, 0xff, (size_t)l->n * sizeof *b.column);
  for (bf_int a = 0; a < l->n; a++)
    for (int64_t q = s->lists.uptr[a]; q < s->lists.uptr[a + 1]; q++)
      b.row[s->lists.unknown[q]] = (bf_int)(q - s->lists.uptr[a]);
  BF_GO(count_elements(&b));
  BF_GO(fill_elements(&b));
  BF_GO(inherit(s, l));
  l->E  = (bf_element_set){.ne = b.ne, .ptr = b.ptr, .node = b.node, .at = b.at, .K = b.K};
  b.ptr = b.at = NULL;
  b.node       = NULL;
  b.K          = NULL;
  *out         = l;
  l            = NULL;
done:
  builder_clear(&b);
  bf_mg_local_destroy(&l);
  return err;
}
