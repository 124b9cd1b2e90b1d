/* assembly/constraints/mechanism_list.c - null vectors of a part as motions of few bodies; see mechanism.h
 *
 * Motions of the whole are subtracted so that the root body rests.  A reduced echelon form over the bodies in
 * the order of their distance from bodies at rest gives each vector its own pivot body. Bodies beyond the
 * pivot body then get its motion as far as their own free motions allow, so that a chain rotates as one.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "assembly/constraints/mechanism_internal.h"
#include "assembly/model/internal.h"
#include "base/memory.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Parts of a motion, relative to its largest displacement: 0; large enough to be a pivot. */
#define NOTHING 1e-7
#define PIVOT   1e-6
enum { VECTORS = 24, ROWS = VECTORS + 6 };

typedef struct basis {
  const bf_mechanisms *M;
  int                  n, nwhole;                    /* rows; the first nwhole are motions of the whole */
  double              *row[ROWS];                    /* owned [bodies*d] */
  double              *carried[ROWS];                /* owned [bodies*d] */
  double               top[ROWS], carried_top[ROWS]; /* largest entries */
  bf_int               pivot[ROWS];                  /* body, -1 = none: dependent on the others */
  int                  component[ROWS];
  bf_int               norder;
  bf_int              *order; /* owned [bodies]: bodies of the part, nearest to those at rest first */
} basis;

static double *motion_of(const basis *B, int row, bf_int body)
{
  return B->row[row] + (size_t)body * (size_t)B->M->d;
}

static double largest(const double *x, size_t n)
{
  double top = 0.0;
  for (size_t i = 0; i < n; i++) top = fmax(top, fabs(x[i]));
  return top;
}

static size_t length(const basis *B)
{
  return (size_t)B->M->n * (size_t)B->M->d;
}

static void expand(const bf_mechanisms *M, const double *x, double mode[6])
{
  memset(mode, 0, 6 * sizeof *mode);
  for (int k = 0; k < M->d; k++) mode[M->axis[k]] = x[k];
}

static bf_err take_rows(basis *B, bf_int part, const bf_motions *of, int nwhole, double whole[6][6])
{
  const bf_mechanisms *M = B->M;
  for (int k = 0; k < nwhole; k++, B->n++) {
    BF_TRY(BF_NEW_ARRAY(B->row[B->n], length(B)));
    for (bf_int b = 0; b < M->n; b++) {
      bf_motions frame;
      double     mode[6];
      if (M->frame[b].part != part) continue;
      bf_mechanisms_frame(M, b, &frame);
      bf_motion_shift(of, whole[k], &frame, mode);
      for (int c = 0; c < M->d; c++) motion_of(B, B->n, b)[c] = mode[M->axis[c]];
    }
  }
  B->nwhole = nwhole;
  for (bf_int k = 0; k < bf_nullspace_count(M->N) && B->n < ROWS; k++) {
    if (M->frame[bf_nullspace_block(M->N, k)].part != part) continue;
    BF_TRY(BF_NEW_ARRAY(B->row[B->n], length(B)));
    bf_nullspace_vector(M->N, k, B->row[B->n++]);
  }
  for (int k = 0; k < B->n; k++) {
    const double top = largest(B->row[k], length(B));
    for (size_t i = 0; i < length(B) && top > 0.0; i++) B->row[k][i] /= top;
    B->top[k]   = top > 0.0;
    B->pivot[k] = -1;
  }
  return BF_OK;
}

static int rests(const basis *B, bf_int body)
{
  for (int k = 0; k < B->n; k++)
    if (largest(motion_of(B, k, body), (size_t)B->M->d) > NOTHING) return 0;
  return 1;
}

/* Bodies by distance in the graph of joints, beginning with those at rest, else with the largest. */
static bf_err sort_bodies(basis *B, bf_int part)
{
  bf_err               err = BF_OK;
  const bf_mechanisms *M   = B->M;
  const bf_bodies     *b   = M->bodies;
  bf_int              *ptr = NULL, *to = NULL, big = -1;
  uint8_t             *seen = NULL;
  BF_GO(BF_NEW_ARRAY(ptr, (size_t)M->n + 2));
  BF_GO(BF_NEW_ARRAY(to, 2 * (size_t)b->njoints));
  BF_GO(BF_NEW_ARRAY(seen, M->n));
  BF_GO(BF_NEW_ARRAY(B->order, M->n));
  for (bf_int j = 0; j < b->njoints; j++) ptr[b->joint[j].first + 2]++, ptr[b->joint[j].second + 2]++;
  for (bf_int i = 0; i < M->n; i++) ptr[i + 2] += ptr[i + 1];
  for (bf_int j = 0; j < b->njoints; j++) {
    to[ptr[b->joint[j].first + 1]++]  = b->joint[j].second;
    to[ptr[b->joint[j].second + 1]++] = b->joint[j].first;
  }
  for (bf_int i = 0; i < M->n; i++) {
    if (M->frame[i].part != part) continue;
    if (big < 0 || M->frame[i].nelem > M->frame[big].nelem) big = i;
    if (B->nwhole > 0 || !rests(B, i)) continue;
    B->order[B->norder++] = i;
    seen[i]               = 1;
  }
  if (B->norder == 0 && big >= 0) {
    B->order[B->norder++] = big;
    seen[big]             = 1;
  }
  for (bf_int i = 0; i < B->norder; i++)
    for (bf_int k = ptr[B->order[i]]; k < ptr[B->order[i] + 1]; k++) {
      if (seen[to[k]]) continue;
      seen[to[k]]           = 1;
      B->order[B->norder++] = to[k];
    }
done:
  bf_host_free(ptr);
  bf_host_free(to);
  bf_host_free(seen);
  return err;
}

/* Gives the rows from `from` to `to` pivots in this body and clears their columns in all other rows. */
static void eliminate(basis *B, bf_int body, int from, int to)
{
  for (int c = 0; c < B->M->d; c++) {
    int best = -1;
    for (int k = from; k < to; k++)
      if (B->pivot[k] < 0 && (best < 0 || fabs(motion_of(B, k, body)[c]) > fabs(motion_of(B, best, body)[c])))
        best = k;
    if (best < 0) return;
    const double p = motion_of(B, best, body)[c];
    if (B->top[best] < NOTHING || fabs(p) <= PIVOT * B->top[best]) continue;
    for (size_t i = 0; i < length(B); i++) B->row[best][i] /= p;
    for (int k = 0; k < B->n; k++) {
      const double f = motion_of(B, k, body)[c];
      for (size_t i = 0; k != best && f != 0.0 && i < length(B); i++) B->row[k][i] -= f * B->row[best][i];
      if (k == best || f != 0.0) B->top[k] = largest(B->row[k], length(B));
    }
    B->pivot[best]     = body;
    B->component[best] = c;
  }
}

static int moves(const basis *B, const double *x, double top, bf_int body)
{
  return largest(x + (size_t)body * (size_t)B->M->d, (size_t)B->M->d) > NOTHING * top;
}

/* carried[k] = row[k] + those other rows that give bodies beyond the pivot body its motion. */
static bf_err carry(basis *B)
{
  for (int k = B->nwhole; k < B->n; k++) {
    if (B->pivot[k] < 0) continue;
    BF_TRY(BF_NEW_ARRAY(B->carried[k], length(B)));
    memcpy(B->carried[k], B->row[k], length(B) * sizeof **B->row);
    bf_motions own, other;
    double     mode[6], same[6];
    bf_mechanisms_frame(B->M, B->pivot[k], &own);
    expand(B->M, motion_of(B, k, B->pivot[k]), mode);
    for (int j = B->nwhole; j < B->n; j++) {
      if (B->pivot[j] < 0 || B->pivot[j] == B->pivot[k] || !moves(B, B->row[k], B->top[k], B->pivot[j]))
        continue;
      bf_mechanisms_frame(B->M, B->pivot[j], &other);
      bf_motion_shift(&own, mode, &other, same);
      const double f = same[B->M->axis[B->component[j]]];
      for (size_t i = 0; i < length(B); i++) B->carried[k][i] += f * B->row[j][i];
    }
    B->carried_top[k] = largest(B->carried[k], length(B));
  }
  return BF_OK;
}

static int same_bodies(const basis *B, int j, int k)
{
  if (B->pivot[j] != B->pivot[k]) return 0;
  for (bf_int i = 0; i < B->norder; i++)
    if (moves(B, B->carried[j], B->carried_top[j], B->order[i]) !=
        moves(B, B->carried[k], B->carried_top[k], B->order[i]))
      return 0;
  return 1;
}

/* 1: the bodies of the joint move against each other in a carried row. */
static int turns(const basis *B, int row, const bf_joint *j)
{
  const double *x = B->carried[row];
  bf_motions    p, q;
  double        mode[6], shifted[6], there[6], top = 0.0;
  bf_mechanisms_frame(B->M, j->first, &p);
  bf_mechanisms_frame(B->M, j->second, &q);
  expand(B->M, x + (size_t)j->first * (size_t)B->M->d, mode);
  expand(B->M, x + (size_t)j->second * (size_t)B->M->d, there);
  bf_motion_shift(&p, mode, &q, shifted);
  for (int i = 0; i < 6; i++) top = fmax(top, fabs(shifted[i] - there[i]));
  return top > PIVOT * B->carried_top[row];
}

/* The nodes of the joints that turn in one of the motions `row`[n]. */
static bf_err find_joints(const basis *B, const int *row, bf_mechanism *o)
{
  bf_err           err  = BF_OK;
  const bf_bodies *b    = B->M->bodies;
  uint8_t         *mark = NULL;
  bf_joint        *list = NULL;
  BF_GO(BF_NEW_ARRAY(mark, B->M->m->mesh->nnodes));
  BF_GO(BF_NEW_ARRAY(list, b->nodes));
  for (bf_int j = 0; j < b->njoints; j++) {
    int found = 0;
    if (mark[b->joint[j].node] || B->M->frame[b->joint[j].first].part != B->M->frame[o->body].part) continue;
    for (int k = 0; k < o->n && !found; k++) found = turns(B, row[k], &b->joint[j]);
    if (!found) continue;
    mark[b->joint[j].node] = 1;
    list[o->nodes++]       = b->joint[j];
  }
  o->line = bf_bodies_on_line(B->M->m->mesh, list, o->nodes, o->node);
done:
  bf_host_free(mark);
  bf_host_free(list);
  return err;
}

/* The mechanisms with the bodies of this row, as one. */
static bf_err describe(const basis *B, int row, bf_mechanism *o)
{
  const bf_frame *f     = &B->M->frame[B->pivot[row]];
  int             of[6] = {row};
  *o = (bf_mechanism){.body = B->pivot[row], .elements = f->nelem, .first = f->first, .n = 0};
  for (int i = 0; i < 3; i++) {
    o->lo[i] = f->centre[i] - f->half[i];
    o->hi[i] = f->centre[i] + f->half[i];
  }
  bf_mechanisms_frame(B->M, o->body, &o->frame);
  for (bf_int i = 0; i < B->norder; i++)
    o->with += moves(B, B->carried[row], B->carried_top[row], B->order[i]);
  o->with--;
  for (int at = 0; at < B->M->d * (B->n - row); at++) { /* by component: rotations about x, y, z first */
    const int k = row + at % (B->n - row);
    if (B->component[k] != at / (B->n - row) || B->pivot[k] < 0 || !same_bodies(B, row, k)) continue;
    expand(B->M, B->carried[k] + (size_t)o->body * (size_t)B->M->d, o->mode[o->n]);
    for (int i = 0; i < 6; i++)
      if (fabs(o->mode[o->n][i]) < NOTHING * largest(o->mode[o->n], 6)) o->mode[o->n][i] = 0.0;
    of[o->n++] = k;
  }
  BF_TRY(find_joints(B, of, o));
  return BF_OK;
}

bf_err bf_mechanisms_list(const bf_mechanisms *M, bf_int part, const bf_motions *of, int nwhole,
                          double whole[6][6], bf_mechanism *list, int room, int *n, bf_int *motions)
{
  bf_err err        = BF_OK;
  basis  B          = {.M = M};
  int    used[ROWS] = {0};
  *n                = 0;
  *motions          = 0;
  BF_GO(take_rows(&B, part, of, nwhole, whole));
  BF_GO(sort_bodies(&B, part));
  for (bf_int i = 0; i < B.norder; i++) eliminate(&B, B.order[i], 0, B.nwhole);
  for (bf_int i = 0; i < B.norder; i++) eliminate(&B, B.order[i], B.nwhole, B.n);
  BF_GO(carry(&B));
  for (bf_int i = 0; i < B.norder && *n < room; i++)
    for (int k = B.nwhole; k < B.n && *n < room; k++) {
      if (B.pivot[k] != B.order[i] || used[k]) continue;
      BF_GO(describe(&B, k, &list[*n]));
      for (int j = k; j < B.n; j++) used[j] |= B.pivot[j] >= 0 && same_bodies(&B, k, j);
      *motions += list[(*n)++].n;
    }
done:
  for (int k = 0; k < ROWS; k++) {
    bf_host_free(B.row[k]);
    bf_host_free(B.carried[k]);
  }
  bf_host_free(B.order);
  return err;
}
