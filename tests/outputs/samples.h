/* tests/outputs/samples.h - small results made by hand for the writers: one curved element of each type, a
 * mixed mesh
 *
 * Values: component c of field k at point or cell i is 100 i + 10 c + k + 1/4.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_TESTS_OUTPUTS_SAMPLES_H
#define BF_TESTS_OUTPUTS_SAMPLES_H
#include "mesh/build.h"
#include "outputs/result.h"
#include "tests/test.h"
#include <math.h>

enum { S_FIELDS = 5, S_HISTORY = 4 };

typedef struct sample {
  bf_mesh         *mesh;            /* owned */
  bf_view         *view;            /* owned */
  double          *value[S_FIELDS]; /* owned */
  bf_int          *row;             /* owned [nnodes] */
  bf_field         field[S_FIELDS];
  bf_matrix_record matrix;
  bf_history       history;
  double           residual[S_HISTORY], true_residual[S_HISTORY], seconds[S_HISTORY];
  bf_check_record  check[2];
  bf_probe_record  probe[3];
  bf_reaction      reaction[2];
  bf_text          provenance[2];
  bf_phases        phases;
  bf_result        r;
} sample;

static inline bf_err s_group(bf_mesh *m, int g, const char *name, int dim, int tag, bf_int first, bf_int n)
{
  BF_TRY(bf_mesh_set_group(m, g, name, dim, tag, n));
  for (bf_int k = 0; k < n; k++) m->group[g].elem[k] = first + k;
  return BF_OK;
}

/* Nodes of one element at m->x + 3*first: corners of the reference element, bent a little where the type
 * allows it, shifted by `shift` in x; mid-side node e off the middle of its edge by up to 0.08 of an edge,
 * each one its own way. */
static inline void s_place(bf_mesh *m, bf_int first, bf_elem_type type, double shift)
{
  const bf_elem_info *e = bf_elem(type);
  double              xi[BF_NEN_MAX][3];
  bf_elem_nodes(type, xi);
  for (int a = 0; a < e->nnodes; a++) {
    double *x = m->x + 3 * (size_t)(first + a);
    for (int d = 0; d < e->dim; d++) x[d] = (1.0 + 0.5 * d) * xi[a][d] + 0.05 * xi[a][0] * xi[a][(d + 1) % 3];
    if (a >= e->ncorners)
      for (int d = 0; d < e->dim; d++) x[d] += 0.08 * sin(1.0 + 2.3 * a + 1.7 * d);
    x[0] += shift;
    m->node_tag[first + a] = 10 * (int64_t)(first + a) + 3;
  }
}

static inline bf_err s_curved_mesh(bf_elem_type type, bf_mesh **out)
{
  const bf_elem_info *e = bf_elem(type);
  BF_TRY(bf_mesh_create("by hand", e->dim, e->nnodes, 1, 1, out));
  BF_TRY(bf_mesh_set_block(*out, 0, type, 1));
  for (int a = 0; a < e->nnodes; a++) (*out)->block[0].node[a] = a;
  (*out)->block[0].tag[0] = 1;
  s_place(*out, 0, type, 0.0);
  BF_TRY(s_group(*out, 0, "body", e->dim, 1, 0, 1));
  return BF_OK;
}

/* tri3 (a side, no cell of the picture), tet4, tet10, hex8, hex20; node 0 is used by nobody; tet4 shares node
 * 1 with hex8, and each element is a region of its own, so this node is two points. */
static inline bf_err s_mixed_mesh(bf_mesh **out, bf_int region[5])
{
  const bf_elem_type type[] = {BF_TRI3, BF_TET4, BF_TET10, BF_HEX8, BF_HEX20};
  bf_int             at     = 1;
  BF_TRY(bf_mesh_create("by hand", 3, 1 + 4 + 10 + 8 + 20, 5, 3, out));
  bf_mesh *m     = *out;
  m->node_tag[0] = 3;
  for (int b = 0; b < 5; b++) {
    const int nen = bf_elem(type[b])->nnodes;
    BF_TRY(bf_mesh_set_block(m, b, type[b], 1));
    m->block[b].tag[0] = 100 + b;
    region[b]          = b;
    for (int a = 0; a < nen; a++) m->block[b].node[a] = at + a;
    if (b == 0) continue;
    s_place(m, at, type[b], 4.0 * b);
    at += nen;
  }
  m->block[3].node[0] = 1;
  BF_TRY(s_group(m, 0, "side", 2, 7, 0, 1));
  BF_TRY(s_group(m, 1, "tets/and \"hexes\"", 3, 8, 1, 4));
  BF_TRY(s_group(m, 2, NULL, 3, 9, 3, 1));
  return BF_OK;
}

static inline bf_err s_field(sample *s, int k, const char *name, const char *unit, int ncomp, int on_cells)
{
  const bf_int n = on_cells ? s->view->ncells : s->view->npoints;
  BF_TRY(BF_NEW_ARRAY(s->value[k], (size_t)n * (size_t)ncomp));
  for (bf_int i = 0; i < n; i++)
    for (int c = 0; c < ncomp; c++) s->value[k][i * ncomp + c] = 100.0 * i + 10.0 * c + k + 0.25;
  s->field[k] = (bf_field){name, unit, ncomp, on_cells, s->value[k], 0};
  return BF_OK;
}

static inline void s_record(sample *s)
{
  for (int i = 0; i < S_HISTORY; i++) {
    s->residual[i]      = pow(10.0, -3.0 * i);
    s->true_residual[i] = i == 0 || i == S_HISTORY - 1 ? 1.5 * s->residual[i] : NAN;
    s->seconds[i]       = 0.125 * i;
  }
  s->history =
      (bf_history){"cg", "jacobi", "converged", S_HISTORY, s->residual, s->true_residual, s->seconds, NULL,
                   1,    3e-17,    4e9,         1.2e-7,    NULL};
  s->matrix      = (bf_matrix_record){"bdia", "symmetric", "fp64", "rcm", 3000000000, 81000000000, 27,
                                      3,      900,         40,     1000,  2000,       0.875,       1};
  s->check[0]    = (bf_check_record){"probe.tip.displacement.z",
                                     "a \"beam\" \\ 2nd line\n\tÅ \xff",
                                     -1.975e-3,
                                     -1.97e-3,
                                     0.02,
                                     1,
                                     0,
                                     1,
                                     NULL};
  s->check[1]    = (bf_check_record){"gap(3)", NULL, NAN, INFINITY, 0.0, 0, 1, 0, NULL};
  s->probe[0]    = (bf_probe_record){"tip", "displacement", {1, 0.05, 0.05}, {1e-3, 0, -2e-3}, 3, "m", NULL};
  s->probe[1]    = (bf_probe_record){"tip", "von_mises_nodal", {1, 0.05, 0.05}, {7.5}, 1, "Pa", NULL};
  s->probe[2]    = (bf_probe_record){"root", "displacement", {0, 0, 0}, {0, 0, 0}, 3, "m", NULL};
  s->reaction[0] = (bf_reaction){"clamp", {0, 0, 1e4}, 3, "N", NULL};
  s->reaction[1] = (bf_reaction){"clamp", {0, 0, 5e3}, 3, "N", NULL}; /* the same name twice */
  s->provenance[0] = (bf_text){"version", "0.1.0"};
  s->provenance[1] = (bf_text){"argv", "bandfem run \"a deck.yaml\""};
  bf_phase_add(&s->phases, "read deck", 0.001, 0, 0);
  bf_phase_add(&s->phases, "spmv", 0.5, 1e9, 2e8);
  bf_phase_add(&s->phases, "spmv", 0.3, 1e9, 2e8);
}

/* The record of a run around s->mesh; region as in bf_view_create. */
static inline bf_err s_finish(sample *s, const bf_int *region)
{
  BF_TRY(bf_view_create(s->mesh, region, &s->view));
  BF_TRY(BF_NEW_ARRAY(s->row, s->mesh->nnodes));
  for (bf_int i = 0; i < s->mesh->nnodes; i++) s->row[i] = s->mesh->nnodes - 1 - i;
  BF_TRY(s_field(s, 0, "displacement", "m", 3, 0));
  BF_TRY(s_field(s, 1, "temperature", "degC", 1, 0));
  BF_TRY(s_field(s, 2, "stress_nodal", "Pa", 6, 0));
  BF_TRY(s_field(s, 3, "stress", "Pa", 6, 1));
  BF_TRY(s_field(s, 4, "material_id", NULL, 1, 1));
  s_record(s);
  static const char deck[] = "deck: 1\n# \xc3\x85\ntitle: sample\n";
  s->r                     = (bf_result){.title            = "a sample, 100 %",
                                         .physics          = "elasticity",
                                         .analysis         = "static",
                                         .deck_text        = deck,
                                         .resolved_text    = "deck: 1\ntitle: sample\n",
                                         .deck_path        = "sample.yaml",
                                         .deck_length      = sizeof deck - 1,
                                         .mesh             = s->mesh,
                                         .view             = s->view,
                                         .permutation      = s->row,
                                         .nfields          = S_FIELDS,
                                         .nchecks          = 2,
                                         .nprobes          = 3,
                                         .nreactions       = 2,
                                         .nprovenance      = 2,
                                         .field            = s->field,
                                         .matrix           = &s->matrix,
                                         .history          = &s->history,
                                         .check            = s->check,
                                         .probe            = s->probe,
                                         .reaction         = s->reaction,
                                         .balance_name     = "force",
                                         .balance          = 1.25e-9,
                                         .provenance       = s->provenance,
                                         .phases           = &s->phases,
                                         .triad_gb_per_s   = 10.0,
                                         .fom_dof_it_per_s = 2e9,
                                         .converged        = 1,
                                         .verdict          = "VALID"};
  return BF_OK;
}

static inline void s_clear(sample *s)
{
  for (int k = 0; k < S_FIELDS; k++) bf_host_free(s->value[k]);
  bf_host_free(s->row);
  bf_view_destroy(&s->view);
  bf_mesh_destroy(&s->mesh);
}

static inline void s_curved(sample *s, bf_elem_type type)
{
  *s = (sample){0};
  T_OK(s_curved_mesh(type, &s->mesh));
  T_OK(s_finish(s, NULL));
}

static inline void s_mixed(sample *s)
{
  bf_int region[5];
  *s = (sample){0};
  T_OK(s_mixed_mesh(&s->mesh, region));
  T_OK(s_finish(s, region));
}

/* All bytes of a file with a NUL behind them, NULL if it cannot be read; free with bf_host_free. */
static inline char *s_read(const char *path, size_t *length)
{
  FILE *f = fopen(path, "rb");
  if (length) *length = 0;
  if (!f) return NULL;
  fseek(f, 0, SEEK_END);
  const long n    = ftell(f);
  char      *text = bf_host_alloc((size_t)n + 1, 1);
  rewind(f);
  if (!text || fread(text, 1, (size_t)n, f) != (size_t)n) fail_msg("cannot read %s", path);
  fclose(f);
  if (length) *length = (size_t)n;
  return text;
}
#endif
