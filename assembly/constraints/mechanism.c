/* assembly/constraints/mechanism.c - see mechanism.h: the equations of bodies and joints */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "assembly/constraints/mechanism_internal.h"
#include "assembly/model/frames.h"
#include "base/memory.h"
#include <math.h>
#include <stdlib.h>

/* Rows have entries up to 1: a pivot below this is a stiffness of 1e-12, lost in rounding errors. */
#define TOLERANCE 1e-6

/* Limits of the rank analysis: some ten seconds, and about the memory of a run. */
#define MOST_FLOPS 2e10
#define MOST_BYTES (1024.0 * 1024.0 * 1024.0)
enum { MOST_BODIES = 200000 };

/* Components of a motion: in the plane r_z, t_x, t_y. */
static const int in_space[6] = {0, 1, 2, 3, 4, 5}, in_plane[3] = {2, 3, 4};

static bf_err survey(bf_mechanisms *M, const bf_int *part)
{
  const bf_mesh *mesh = M->m->mesh;
  double(*lo)[3] = NULL, (*hi)[3] = NULL;
  bf_err err = BF_OK;
  BF_GO(BF_NEW_ARRAY(lo, M->n));
  BF_GO(BF_NEW_ARRAY(hi, M->n));
  for (bf_int e = 0; e < mesh->nelem; e++) {
    int           nen  = 0;
    const bf_int *node = bf_mesh_elem_nodes(mesh, e, &nen), b = M->bodies->of[e];
    if (b < 0) continue;
    bf_frame *f = &M->frame[b];
    for (int a = 0; a < nen; a++)
      for (int i = 0; i < 3; i++) {
        const double x = mesh->x[3 * (size_t)node[a] + (size_t)i];
        lo[b][i]       = f->nelem == 0 && a == 0 ? x : fmin(lo[b][i], x);
        hi[b][i]       = f->nelem == 0 && a == 0 ? x : fmax(hi[b][i], x);
      }
    if (f->nelem++ == 0) {
      f->first = e;
      f->part  = part[node[0]];
    }
  }
  for (bf_int b = 0; b < M->n; b++) {
    double length = 0.0;
    for (int i = 0; i < 3; i++) {
      M->frame[b].centre[i] = 0.5 * (lo[b][i] + hi[b][i]);
      M->frame[b].half[i]   = 0.5 * (hi[b][i] - lo[b][i]);
      length                = hypot(length, M->frame[b].half[i]);
    }
    M->frame[b].length = length > 0.0 ? length : 1.0;
  }
done:
  bf_host_free(lo);
  bf_host_free(hi);
  return err;
}

void bf_mechanisms_frame(const bf_mechanisms *M, bf_int body, bf_motions *frame)
{
  const bf_frame *f = &M->frame[body];
  bf_motions_begin(frame, M->m->sdim, 0, f->centre, f->length);
}

static void row_along(const bf_mechanisms *M, bf_int body, const double x[3], const double n[3], double *row)
{
  bf_motions frame;
  double     all[6];
  bf_mechanisms_frame(M, body, &frame);
  bf_motion_row_along(&frame, x, n, all);
  for (int k = 0; k < M->d; k++) row[k] = all[M->axis[k]];
}

static void body_row(const bf_mechanisms *M, bf_int body, const double x[3], int component, double *row)
{
  double n[3]  = {0.0, 0.0, 0.0};
  n[component] = 1.0;
  row_along(M, body, x, n, row);
}

void bf_mechanisms_hold(bf_mechanisms *M, bf_int elem, const double x[3], int component)
{
  double row[6];
  if (!M->N) return;
  body_row(M, M->bodies->of[elem], x, component, row);
  bf_nullspace_hold(M->N, M->bodies->of[elem], row);
}

static bf_err add_joints(bf_mechanisms *M)
{
  double row[12];
  for (bf_int j = 0; j < M->bodies->njoints; j++) {
    const bf_joint *k = &M->bodies->joint[j];
    const double   *x = M->m->mesh->x + 3 * (size_t)k->node;
    for (int c = 0; c < M->m->sdim; c++) {
      body_row(M, k->first, x, c, row);
      body_row(M, k->second, x, c, row + M->d);
      for (int i = 0; i < M->d; i++) row[M->d + i] = -row[M->d + i];
      BF_TRY(bf_nullspace_join(M->N, k->first, k->second, row));
    }
  }
  return BF_OK;
}

static void hold_node(bf_mechanisms *M, bf_int elem, bf_int node, int c)
{
  double row[6], n[3];
  bf_model_direction(M->m, node, c, n);
  row_along(M, M->bodies->of[elem], M->m->mesh->x + 3 * (size_t)node, n, row);
  bf_nullspace_hold(M->N, M->bodies->of[elem], row);
}

/* A prescribed component constrains every body of the node. */
static void add_prescribed(bf_mechanisms *M)
{
  const bf_model *m = M->m;
  for (bf_int e = 0; e < m->mesh->nelem; e++) {
    int           nen  = 0;
    const bf_int *node = bf_mesh_elem_nodes(m->mesh, e, &nen);
    for (int a = 0; M->bodies->of[e] >= 0 && a < nen; a++)
      for (int c = 0; c < m->ncomp; c++)
        if (m->fixed[(size_t)node[a] * (size_t)m->ncomp + (size_t)c]) hold_node(M, e, node[a], c);
  }
}

bf_err bf_mechanisms_create(const bf_model *m, const bf_bodies *bodies, const bf_int *part,
                            bf_mechanisms **out)
{
  bf_err         err = BF_OK;
  bf_mechanisms *M   = NULL;
  BF_CHECK(m && bodies && part && out, BF_E_ARG, "null argument");
  *out = NULL;
  BF_GO(BF_NEW(M));
  M->m      = m;
  M->bodies = bodies;
  M->n      = bodies->n;
  M->d      = m->sdim == 3 ? 6 : 3;
  M->axis   = m->sdim == 3 ? in_space : in_plane;
  BF_GO(BF_NEW_ARRAY(M->frame, M->n));
  BF_GO(survey(M, part));
  if (M->n <= MOST_BODIES) {
    BF_GO(bf_nullspace_create(M->n, M->d, &M->N));
    BF_GO(add_joints(M));
    add_prescribed(M);
  }
  *out = M;
  M    = NULL;
done:
  bf_mechanisms_destroy(&M);
  return err;
}

void bf_mechanisms_destroy(bf_mechanisms **M)
{
  if (!M || !*M) return;
  bf_nullspace_destroy(&(*M)->N);
  bf_host_free((*M)->frame);
  bf_host_free((*M)->count);
  bf_host_free(*M);
  *M = NULL;
}

bf_err bf_mechanisms_solve(bf_mechanisms *M, int *complete)
{
  bf_int nparts = 0;
  *complete     = 0;
  if (!M->N) return BF_OK;
  BF_TRY(bf_nullspace_solve(M->N, TOLERANCE, MOST_FLOPS, MOST_BYTES, complete));
  if (!*complete) return BF_OK;
  for (bf_int b = 0; b < M->n; b++) nparts = M->frame[b].part >= nparts ? M->frame[b].part + 1 : nparts;
  BF_TRY(BF_NEW_ARRAY(M->count, nparts));
  for (bf_int k = 0; k < bf_nullspace_count(M->N); k++)
    M->count[M->frame[bf_nullspace_block(M->N, k)].part]++;
  return BF_OK;
}

bf_int bf_mechanisms_count(const bf_mechanisms *M, bf_int part)
{
  return M->count ? M->count[part] : 0;
}

bf_int bf_mechanisms_bodies(const bf_mechanisms *M)
{
  return M->n;
}
