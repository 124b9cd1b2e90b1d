/* tests/assembly/spectrum_case.h - spectra of the elements of a small model, and an element matrix by another
 * rule */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_TESTS_ASSEMBLY_SPECTRUM_CASE_H
#define BF_TESTS_ASSEMBLY_SPECTRUM_CASE_H
#include "assembly/basis/shape.h"
#include "assembly/model/internal.h"
#include "tests/assembly/solved_case.h"

typedef struct spectrum_case { /* at the elements of a case that is held at x_min */
  t_case        c;
  bf_model     *m;
  bf_view      *view;
  t_system      s;
  bf_solution   out;
  const double *min, *max, *zero, *step; /* by cell; step may be NULL */
} spectrum_case;

static const double *field(const spectrum_case *k, const char *name)
{
  for (int i = 0; i < k->out.nfields; i++)
    if (strcmp(k->out.field[i].name, name) == 0) return k->out.field[i].data;
  return NULL;
}

static inline void begin(spectrum_case *k, bf_physics physics, bf_elem_type type, bf_int cells)
{
  memset(k, 0, sizeof *k);
  t_case_create(&k->c, physics, type, cells);
  k->c.p.spectrum = 1;
  if (physics == BF_ELASTICITY)
    t_condition(&k->c, BF_BC_FIXED, t_x_min, 1);
  else
    t_condition(&k->c, BF_BC_TEMPERATURE, t_x_min, 1)->value[0] = t_number(1.0);
}

/* One element with the corners 0 and size. */
static inline void single(spectrum_case *k, bf_physics physics, bf_elem_type type, double size)
{
  const double edges[3] = {size, size, size};
  const bf_int one[3]   = {1, 1, 1};
  begin(k, physics, type, 1);
  bf_mesh_destroy(&k->c.mesh);
  k->c.mesh = t_generated(edges, one, type);
}

static inline void see(spectrum_case *k)
{
  double *zero = NULL;
  k->m         = t_model(&k->c);
  t_assemble(&k->c, k->m, T_CSR, &k->s);
  T_OK(bf_view_create(k->c.mesh, bf_model_region(k->m), &k->view));
  T_OK(BF_NEW_ARRAY(zero, k->s.n));
  T_OK(bf_model_recover(k->m, k->s.num, t_be, k->view, zero, &k->s.phases, &k->out));
  bf_host_free(zero);
  k->min  = field(k, "spectrum_min");
  k->max  = field(k, "spectrum_max");
  k->zero = field(k, "zero_energy_modes");
  k->step = field(k, "critical_time_step");
  assert_non_null(k->min);
  assert_non_null(k->max);
  assert_non_null(k->zero);
}

static inline void clear(spectrum_case *k)
{
  bf_solution_clear(&k->out);
  bf_view_destroy(&k->view);
  t_system_clear(&k->s);
  bf_model_destroy(&k->m);
  t_case_clear(&k->c);
}

/* K[nd][nd] of an element from its shape functions and a rule of 4 points a direction, B written out; the
 * lumped masses d[nd] too. */
static inline void reference(const spectrum_case *k, bf_int elem, double *K, double *d)
{
  int           nen  = 0;
  const bf_int *node = bf_mesh_elem_nodes(k->c.mesh, elem, &nen);
  const int     nc = k->m->ncomp, nv = k->m->nv, sd = k->m->sdim, nd = nen * nc;
  const double *C = k->m->C + (size_t)k->m->region[elem] * (size_t)k->m->nC;
  double        N[BF_NEN_MAX], dN[BF_NEN_MAX][3], mass = 0.0, trace = 0.0;
  bf_rule       rule;
  T_OK(bf_quadrature(bf_mesh_block_of(k->c.mesh, elem)->type, 4, BF_RULE_STIFFNESS, &rule));
  memset(K, 0, (size_t)(nd * nd) * sizeof *K);
  memset(d, 0, (size_t)nd * sizeof *d);
  for (int q = 0; q < rule.n; q++) {
    double J[3][3] = {{0}}, B[6][81] = {{0}}, I[3][3];
    bf_shape(bf_mesh_block_of(k->c.mesh, elem)->type, rule.xi[q], N, dN);
    for (int a = 0; a < nen; a++)
      for (int i = 0; i < sd; i++)
        for (int j = 0; j < sd; j++) J[i][j] += k->c.mesh->x[3 * node[a] + i] * dN[a][j];
    if (sd == 2) J[2][2] = 1.0;
    double det = 0.0;
    for (int i = 0; i < 3; i++) {
      const int p = (i + 1) % 3, r = (i + 2) % 3;
      det += J[0][i] * (J[1][p] * J[2][r] - J[1][r] * J[2][p]);
      for (int j = 0; j < 3; j++) /* the cofactors, transposed */
        I[i][j] = J[(j + 1) % 3][p] * J[(j + 2) % 3][r] - J[(j + 1) % 3][r] * J[(j + 2) % 3][p];
    }
    const double w = rule.w[q] * det * k->m->thickness;
    for (int a = 0; a < nen; a++) {
      double g[3] = {0};
      for (int i = 0; i < sd; i++)
        for (int j = 0; j < sd; j++) g[i] += dN[a][j] * I[j][i] / det;
      double *b[6] = {NULL};
      for (int v = 0; v < nv; v++) b[v] = &B[v][a * nc];
      for (int i = 0; i < sd && nc == 1; i++) b[i][0] = g[i];
      if (nc == 2) b[0][0] = g[0], b[1][1] = g[1], b[2][0] = g[1], b[2][1] = g[0];
      if (nc == 3) {
        for (int i = 0; i < 3; i++) b[i][i] = g[i];
        b[3][0] = g[1], b[3][1] = g[0], b[4][1] = g[2], b[4][2] = g[1], b[5][0] = g[2], b[5][2] = g[0];
      }
      mass += w * N[a];
      d[a] += w * N[a] * N[a];
      trace += w * N[a] * N[a];
    }
    for (int i = 0; i < nd; i++)
      for (int j = 0; j < nd; j++)
        for (int v = 0; v < nv; v++)
          for (int u = 0; u < nv; u++) K[i * nd + j] += w * B[v][i] * C[v * nv + u] * B[u][j];
  }
  for (int i = nd - 1; i >= 0; i--) d[i] = 7.5 * d[i / nc] * mass / trace;
}
#endif
