/* assembly/model/frames.c - see frames.h */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "assembly/model/frames.h"
#include "base/memory.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A direction this near to the span of others depends on them. */
static const double DEPENDENT = 1e-6;

typedef struct clash { /* of two conditions */
  int    by, other;
  bf_int count, node;
  double n[3], want, have;
} clash;
enum { CLASHES = 16 };

typedef struct maker {
  bf_model *m;
  double    scale;
  int       nclashes;
  clash     clash[CLASHES];
} maker;

typedef struct local { /* the constraints of one node */
  int    rank, by[3];
  double q[3][3], v[3];
} local;

bf_err bf_directions_add(bf_directions *d, const bf_direction *one)
{
  if (d->n == d->room) {
    const int64_t more = d->room < 64 ? 64 : 2 * d->room;
    void         *p    = bf_host_realloc(d->item, (size_t)more, sizeof *d->item);
    BF_CHECK(p, BF_E_MEMORY, "no memory for %lld constraints", (long long)more);
    d->item = p;
    d->room = more;
  }
  d->item[d->n++] = *one;
  return BF_OK;
}

static double dot(const double a[3], const double b[3])
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const double a[3], const double b[3], double c[3])
{
  for (int i = 0; i < 3; i++) c[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

static void disagree(maker *k, const bf_direction *d, int other, double have)
{
  clash *c = NULL;
  for (int i = 0; i < k->nclashes && !c; i++)
    if (k->clash[i].by == d->by && k->clash[i].other == other) c = &k->clash[i];
  if (!c && k->nclashes == CLASHES) return;
  if (!c) {
    c  = &k->clash[k->nclashes++];
    *c = (clash){.by = d->by, .other = other, .node = d->node, .want = d->value, .have = have};
    memcpy(c->n, d->n, sizeof c->n);
  }
  c->count++;
}

/* One more constraint: Gram-Schmidt, twice for its rounding. */
static void constrain(maker *k, local *L, const bf_direction *d)
{
  double r[3] = {d->n[0], d->n[1], d->n[2]}, have = 0.0;
  for (int pass = 0; pass < 2; pass++)
    for (int j = 0; j < L->rank; j++) {
      const double s = dot(r, L->q[j]);
      for (int i = 0; i < 3; i++) r[i] -= s * L->q[j][i];
      have += s * L->v[j];
    }
  const double size = sqrt(dot(r, r));
  if (size <= DEPENDENT) {
    if (fabs(d->value - have) > 1e-10 * k->scale) disagree(k, d, L->by[L->rank - 1], have);
    return;
  }
  for (int i = 0; i < 3; i++) L->q[L->rank][i] = r[i] / size;
  L->v[L->rank]    = (d->value - have) / size;
  L->by[L->rank++] = d->by;
}

/* Directions across those of the constraints; D = 2: in the plane. */
static void complete(const local *L, int D, double q[3][3])
{
  memcpy(q, L->q, sizeof L->q);
  if (D == 2) {
    q[1][0] = -q[0][1];
    q[1][1] = q[0][0];
    q[1][2] = 0.0;
    return;
  }
  if (L->rank == 1) {
    int least = 0;
    for (int i = 1; i < 3; i++)
      if (fabs(q[0][i]) < fabs(q[0][least])) least = i;
    for (int i = 0; i < 3; i++) q[1][i] = (i == least) - q[0][least] * q[0][i];
    const double size = sqrt(dot(q[1], q[1]));
    for (int i = 0; i < 3; i++) q[1][i] /= size;
  }
  cross(q[0], q[1], q[2]);
}

/* order[c]: the direction that becomes component c, so that components are as near to x, y, z as they can. */
static void arrange(int D, double q[3][3], int order[3])
{
  static const int all[6][3] = {{0, 1, 2}, {1, 0, 2}, {0, 2, 1}, {2, 1, 0}, {1, 2, 0}, {2, 0, 1}};
  double           best      = -1.0;
  for (int p = 0; p < (D == 3 ? 6 : 2); p++) {
    double sum = 0.0;
    for (int c = 0; c < D; c++) sum += fabs(q[all[p][c]][c]);
    if (sum <= best + 1e-12) continue;
    best = sum;
    memcpy(order, all[p], sizeof all[p]);
  }
}

static void set(bf_model *m, bf_int node, int c, double value, int by)
{
  const size_t u = (size_t)node * (size_t)m->ncomp + (size_t)c;
  m->fixed[u]    = 1;
  m->value[u]    = value;
  m->fixed_by[u] = by;
}

/* fixed, value and T of one node. */
static void settle(bf_model *m, bf_int node, const local *L)
{
  const int D = m->ncomp;
  double    q[3][3];
  int       order[3] = {0, 1, 2};
  for (int c = 0; c < D; c++) {
    const size_t u = (size_t)node * (size_t)D + (size_t)c;
    m->fixed[u]    = 0;
    m->value[u]    = 0.0;
    m->fixed_by[u] = -1;
  }
  if (L->rank == D) { /* all of it is known: no frame */
    for (int c = 0; c < D; c++) {
      double sum = 0.0;
      for (int k = 0; k < D; k++) sum += L->q[k][c] * L->v[k];
      set(m, node, c, sum, L->by[c]);
    }
    return;
  }
  complete(L, D, q);
  arrange(D, q, order);
  double *T      = m->T + (size_t)m->nframes * (size_t)(D * D);
  m->frame[node] = m->nframes++;
  for (int c = 0; c < D; c++) {
    const int    k    = order[c];
    const double sign = q[k][c] < 0.0 ? -1.0 : 1.0;
    for (int i = 0; i < D; i++) T[i * D + c] = sign * q[k][i];
    if (k < L->rank) set(m, node, c, sign * L->v[k], L->by[k]);
  }
}

static int by_node(const void *a, const void *b)
{
  const bf_direction *p = a, *q = b;
  if (p->node != q->node) return p->node < q->node ? -1 : 1;
  return p->by < q->by ? -1 : p->by > q->by;
}

static void report(const bf_model *m, const clash *c, bf_diags *diags)
{
  const bf_boundary *bc = &m->problem->boundary[c->by], *other = &m->problem->boundary[c->other];
  const double      *x = m->mesh->x + 3 * (size_t)c->node;
  char               at[BF_WHERE_TEXT];
  bf_diag_add(
      diags, BF_ERROR, 302, bc->where,
      "'%s' sets %s along (%.4g, %.4g, %.4g) = %g on node %lld (%g, %g, %g), where '%s' (%s) and the "
      "conditions before it set %g; %d such value%s in all. Let the conditions agree where they meet, or "
      "take the shared nodes out of one group",
      bf_bc_name(bc->type), m->physics->words.field, c->n[0], c->n[1], c->n[2], c->want,
      (long long)m->mesh->node_tag[c->node], x[0], x[1], x[2], bf_bc_name(other->type),
      bf_where_text(other->where, bc->where, at), c->have, c->count, c->count == 1 ? "" : "s");
}

/* The constraints of a node in the order of the deck: those along x, y, z and those of d[n]. */
static void one_node(maker *k, const bf_direction *d, int64_t n)
{
  bf_model    *m = k->m;
  const size_t D = (size_t)m->ncomp, u0 = (size_t)d->node * D;
  local        L = {.rank = 0};
  for (int by = 0; by < m->problem->nboundaries; by++) {
    for (size_t c = 0; c < D; c++) {
      bf_direction axis = {.node = d->node, .by = by, .value = m->value[u0 + c]};
      if (!m->fixed[u0 + c] || m->fixed_by[u0 + c] != by) continue;
      axis.n[c] = 1.0;
      constrain(k, &L, &axis);
    }
    for (int64_t i = 0; i < n; i++)
      if (d[i].by == by) constrain(k, &L, &d[i]);
  }
  settle(m, d->node, &L);
}

bf_err bf_model_make_frames(bf_model *m, bf_directions *d, double scale, bf_diags *diags)
{
  maker  k     = {.m = m, .scale = scale};
  bf_int nodes = 0;
  if (d->n == 0) return BF_OK;
  qsort(d->item, (size_t)d->n, sizeof *d->item, by_node);
  for (int64_t i = 0; i < d->n; i++) nodes += i == 0 || d->item[i].node != d->item[i - 1].node;
  BF_TRY(BF_NEW_ARRAY(m->frame, m->mesh->nnodes));
  BF_TRY(BF_NEW_ARRAY(m->T, (size_t)nodes * (size_t)(m->ncomp * m->ncomp)));
  for (bf_int i = 0; i < m->mesh->nnodes; i++) m->frame[i] = -1;
  for (int64_t i = 0, j; i < d->n; i = j) {
    for (j = i + 1; j < d->n && d->item[j].node == d->item[i].node; j++) {}
    one_node(&k, d->item + i, j - i);
  }
  for (int i = 0; i < k.nclashes; i++) report(m, &k.clash[i], diags);
  if (m->nframes > 0) return BF_OK;
  bf_host_free(m->frame);
  bf_host_free(m->T);
  m->frame = NULL;
  m->T     = NULL;
  return BF_OK;
}

const double *bf_model_frame(const bf_model *m, bf_int node)
{
  if (!m->frame || m->frame[node] < 0) return NULL;
  return m->T + (size_t)m->frame[node] * (size_t)(m->ncomp * m->ncomp);
}

void bf_model_direction(const bf_model *m, bf_int node, int c, double n[3])
{
  const double *T = bf_model_frame(m, node);
  for (int i = 0; i < 3; i++) n[i] = T && i < m->ncomp ? T[i * m->ncomp + c] : i == c ? 1.0 : 0.0;
}

int bf_model_turned(const bf_model *m, bf_int node)
{
  return bf_model_frame(m, node) != NULL;
}

bf_err bf_model_frames(const bf_model *m, const bf_numbering *num, bf_int **frame, const double **T)
{
  *frame = NULL;
  *T     = m->T;
  if (!m->frame) return BF_OK;
  BF_TRY(BF_NEW_ARRAY(*frame, num->nrows));
  for (bf_int r = 0; r < num->nrows; r++) (*frame)[r] = num->node[r] < 0 ? -1 : m->frame[num->node[r]];
  return BF_OK;
}

/* v = T^T v or T v */
static void turn(int D, const double *T, int to_local, double *v)
{
  double w[3] = {0.0, 0.0, 0.0};
  for (int i = 0; i < D; i++)
    for (int k = 0; k < D; k++) w[i] += (to_local ? T[k * D + i] : T[i * D + k]) * v[k];
  for (int i = 0; i < D; i++) v[i] = w[i];
}

void bf_frames_turn(const bf_model *m, const bf_numbering *num, int to_local, double *u)
{
  if (!m->frame) return;
#pragma omp parallel for schedule(static) if (num->nrows > 8192)
  for (bf_int r = 0; r < num->nrows; r++) {
    const double *T = num->node[r] < 0 ? NULL : bf_model_frame(m, num->node[r]);
    if (T) turn(m->ncomp, T, to_local, u + (size_t)r * (size_t)m->ncomp);
  }
}

bf_err bf_frames_turn_loads(const bf_model *m, const bf_numbering *num, bf_backend *be, double *b)
{
  bf_err       err = BF_OK;
  const size_t n   = (size_t)num->nrows * (size_t)m->ncomp;
  double      *f   = NULL;
  if (!m->frame) return BF_OK;
  BF_GO(BF_NEW_ARRAY(f, n));
  BF_GO(be->ops.copy(be, f, b, n * sizeof *f, BF_TO_HOST));
  BF_GO(be->ops.sync(be));
  bf_frames_turn(m, num, 1, f);
  BF_GO(be->ops.copy(be, b, f, n * sizeof *f, BF_TO_DEVICE));
  BF_GO(be->ops.sync(be));
done:
  bf_host_free(f);
  return err;
}

void bf_frames_held(const bf_model *m, double *f)
{
  const int D = m->ncomp;
#pragma omp parallel for schedule(static) if (m->mesh->nnodes > 8192)
  for (bf_int i = 0; i < m->mesh->nnodes; i++) {
    const double *T = bf_model_frame(m, i);
    double       *v = f + (size_t)i * (size_t)D;
    if (T) turn(D, T, 1, v);
    for (int c = 0; c < D; c++)
      if (!m->fixed[(size_t)i * (size_t)D + (size_t)c]) v[c] = 0.0;
    if (T) turn(D, T, 0, v);
  }
}

bf_err bf_frames_upload(const bf_model *m, const bf_numbering *num, bf_batches *bs)
{
  bf_err        err   = BF_OK;
  bf_int       *frame = NULL;
  const double *T     = NULL;
  if (!m->frame) return BF_OK;
  BF_GO(bf_model_frames(m, num, &frame, &T));
  BF_GO(bf_upload(bs->be, frame, (size_t)num->nrows * sizeof *frame, &bs->frame, &bs->bytes));
  BF_GO(bf_upload(bs->be, T, (size_t)m->nframes * (size_t)(m->ncomp * m->ncomp) * sizeof *T, &bs->T,
                  &bs->bytes));
  bs->frames = (bf_node_frames){.ncomp = m->ncomp, .frame = bs->frame, .T = bs->T};
  BF_GO(bs->be->ops.sync(bs->be)); /* frame is freed */
done:
  bf_host_free(frame);
  return err;
}
