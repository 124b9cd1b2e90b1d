/* tests/assembly/gfem/gfem_space.h - problems on the unit cube with generalised finite elements, and their
 * errors
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_TESTS_ASSEMBLY_GFEM_GFEM_SPACE_H
#define BF_TESTS_ASSEMBLY_GFEM_GFEM_SPACE_H
#include "tests/assembly/gfem/gfem_case.h"

/* [0,lx]x[0,1]x[0,1] of n[0] x n[1] x n[2] cells. */
static inline void t_space_create(t_gfem *t, bf_physics physics, bf_elem_type type, const double size[3],
                                  const bf_int n[3], int order)
{
  memset(t, 0, sizeof *t);
  T_OK(bf_mesh_box(size, n, type, &t->c.mesh));
  t->c.material[0] = (bf_material){
      .name = "m", .ngroups = 1, .group = t_all, .E = t_number(1000.0), .k = t_number(1.0), .nu = 0.3};
  t->c.p = (bf_problem){.physics = physics, .thickness = 1.0, .nmaterials = 1, .order = order};
}

static inline void t_cube_create(t_gfem *t, bf_physics physics, bf_elem_type type, bf_int n, int order)
{
  const double size[3]  = {1.0, 1.0, 1.0};
  const bf_int cells[3] = {n, n, n};
  t_space_create(t, physics, type, size, cells, order);
}

/* Nodes inside move at random by up to `much` along each axis. */
static inline void t_cube_shake(t_gfem *t, double much, uint64_t seed)
{
  for (bf_int v = 0; v < t->c.mesh->nnodes; v++) {
    double *x  = t->c.mesh->x + 3 * v;
    int     in = 1;
    for (int i = 0; i < 3; i++) in &= x[i] > 1e-9 && x[i] < 1.0 - 1e-9;
    for (int i = 0; i < 3 && in; i++) x[i] += 2.0 * much * (t_uniform(&seed) - 0.5);
  }
}

/* All sides: the value of a formula (heat), or of one for each component. */
static inline void t_cube_dirichlet(t_gfem *t, const char *const *value)
{
  const int    heat = t->c.p.physics == BF_HEAT;
  bf_boundary *b    = t_condition(&t->c, heat ? BF_BC_TEMPERATURE : BF_BC_DISPLACEMENT, t_sides, 6);
  for (int i = 0; i < (heat ? 1 : 3); i++) {
    b->given[i] = 1;
    b->value[i] = t_formula(value[i]);
  }
}

/* u[c], g[c][3] at x */
typedef void t_space_exact(const double *x, double *u, double (*g)[3]);

/* Relative: L2, and H1 seminorm (heat) or energy norm.  */
static inline t_rel t_space_errors(const t_gfem *t, int points, t_space_exact *exact)
{
  const bf_model *m = t->m;
  const int       D = m->ncomp, nv = m->nv, most = m->basis->support_max(m);
  double          s[4] = {0.0}, *psi, *d;
  T_OK(BF_NEW_ARRAY(psi, most));
  T_OK(BF_NEW_ARRAY(d, 3 * (size_t)most));
  for (int b = 0; b < m->nblocks; b++) {
    const bf_block *B = m->block[b].block;
    bf_rule         rule;
    T_OK(bf_quadrature(B->type, points, BF_RULE_STIFFNESS, &rule));
    for (bf_int e = 0; e < B->n; e++)
      for (int q = 0; q < rule.n; q++) {
        const bf_int *node = NULL;
        double        x[3] = {0.0}, u[3] = {0.0}, g[3][3] = {{0.0}}, E[2][6] = {{0.0}};
        const int     n = m->basis->support(m, B->first + e, &node);
        const double  w = rule.w[q] * m->basis->shape(m, B->first + e, rule.xi[q], psi, d, x);
        exact(x, u, g);
        for (int c = 0; c < D; c++) {
          double v = 0.0, dv[3] = {0.0};
          for (int a = 0; a < n; a++) {
            v += psi[a] * t->u[node[a] * D + c];
            for (int i = 0; i < 3; i++) dv[i] += d[i * n + a] * t->u[node[a] * D + c];
          }
          s[0] += w * (u[c] - v) * (u[c] - v);
          s[1] += w * u[c] * u[c];
          for (int i = 0; i < 3; i++) { /* order of strains: xx yy zz xy yz xz */
            const int k = D == 1 || i == c ? i : c + i == 1 ? 3 : c + i == 3 ? 4 : 5;
            E[0][k] += g[c][i] - dv[i];
            E[1][k] += g[c][i];
          }
        }
        const double *C = m->C + m->region[B->first + e] * nv * nv;
        for (int k = 0; k < 2; k++)
          for (int i = 0; i < nv; i++)
            for (int j = 0; j < nv; j++) s[2 + k] += w * E[k][i] * C[i * nv + j] * E[k][j];
      }
  }
  bf_host_free(psi);
  bf_host_free(d);
  return (t_rel){sqrt(s[0] / s[1]), sqrt(s[2] / s[3])};
}
#endif
