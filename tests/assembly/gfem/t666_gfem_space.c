/* tests/assembly/gfem/t666_gfem_space.c - generalised finite elements in space: shape functions, traces,
 * polynomials that are solved exactly
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/assembly/gfem/gfem_space.h"

static void point_of(bf_elem_type type, uint64_t *seed, double xi[3])
{
  for (int i = 0; i < 3; i++) xi[i] = 2.0 * t_uniform(seed) - 1.0;
  if (type != BF_TET4) return;
  for (int i = 0; i < 3; i++) xi[i] = 0.25 * (xi[i] + 1.0) / 1.5;
}

/* psi_J(x_K) = delta_JK; polynomials of the order, 1 among them, with their gradients; on faces nodes inside
 * have no part. */
static void shape_functions_interpolate_and_reproduce_polynomials(void **state)
{
  (void)state;
  static const char *const zero[] = {"0"};
  uint64_t                 seed   = 1;
  for (int kind = 0; kind < 3; kind++) /* hexahedra, shaken ones, shaken tetrahedra */
    for (int order = 2; order <= 3; order++) {
      T_ONE_OF(2);
      t_gfem t;
      double x[3], xi[3];
      t_cube_create(&t, BF_HEAT, kind < 2 ? BF_HEX8 : BF_TET4, 6, order);
      if (kind > 0) t_cube_shake(&t, 0.15 / 6, 9);
      t_cube_dirichlet(&t, zero);
      t_gfem_model(&t);
      const bf_gfem *g = bf_gfem_of(t.m);
      double        *psi, *d;
      T_OK(BF_NEW_ARRAY(psi, g->most));
      T_OK(BF_NEW_ARRAY(d, 3 * g->most));
      const bf_block *B = t.m->block[0].block;
      for (bf_int e = B->first; e < B->first + B->n; e += 3) {
        int           nen;
        const bf_int *own = bf_mesh_elem_nodes(t.c.mesh, e, &nen), *node;
        const int     n = bf_gfem_nodes(g, e, &node), terms = bf_gfem_terms(3, order);
        double        b[BF_GFEM_TERMS], db[3][BF_GFEM_TERMS], v[4][BF_GFEM_TERMS] = {{0.0}};
        for (int a = 0; a < nen; a++) {
          bf_gfem_shape(t.c.mesh, g, e, bf_elem(B->type)->corner[a], psi, NULL, x);
          for (int j = 0; j < n; j++) T_NEAR(psi[j], node[j] == own[a] ? 1.0 : 0.0, 1e-12);
        }
        point_of(B->type, &seed, xi);
        bf_gfem_shape(t.c.mesh, g, e, xi, psi, d, x);
        for (int j = 0; j < n; j++) {
          bf_gfem_polynomials(3, order, t.c.mesh->x + 3 * node[j], b, NULL);
          for (int k = 0; k < terms; k++) {
            v[0][k] += psi[j] * b[k];
            for (int i = 0; i < 3; i++) v[1 + i][k] += d[i * n + j] * b[k];
          }
        }
        bf_gfem_polynomials(3, order, x, b, db);
        for (int k = 0; k < terms; k++) {
          T_NEAR(v[0][k], b[k], 1e-11);
          for (int i = 0; i < 3; i++) T_NEAR(v[1 + i][k], db[i][k], 1e-9);
        }
      }
      for (int s = 0; s < g->face.nsets; s++)
        for (bf_int i = 0; i < g->face.set[s].n; i++) {
          const bf_face_set *set = &g->face.set[s];
          const bf_int      *node;
          const int          n     = bf_gfem_nodes(g, set->parent[i], &node);
          double             v     = 0.0;
          const double       at[3] = {0.3 * t_uniform(&seed), 0.3 * t_uniform(&seed), 0.0};
          bf_gfem_on_side(t.c.mesh, set->parent[i], set->type, set->node + bf_elem(set->type)->nnodes * i, at,
                          xi);
          bf_gfem_shape(t.c.mesh, g, set->parent[i], xi, psi, d, x);
          for (int j = 0; j < n; j++) v += t.m->fixed[node[j]] ? 0.0 : fabs(psi[j]);
          T_NEAR(v, 0.0, 1e-11);
        }
      assert_int_equal(g->face.nchains, 6);
      bf_host_free(psi);
      bf_host_free(d);
      t_gfem_clear(&t);
    }
}

static void polynomials_of_the_order_are_solved_exactly(void **state)
{
  (void)state;
  static const char *const value[2][1] = {{"1+x-2*y+3*z+x*y+3*x*x-y*z-z*z"},
                                          {"1+x-2*y+3*z+x*y+3*x*x-y*z-z*z+x*x*x-2*x*x*z+x*y*z"}};
  static const char *const source[2]   = {"-4", "-4-6*x+4*z"};
  for (int kind = 0; kind < 4; kind++) /* hexahedra, shaken; tetrahedra, shaken */
    for (int order = 2; order <= 3; order++) {
      T_ONE_OF(4);
      t_gfem t;
      double worst = 0.0;
      t_cube_create(&t, BF_HEAT, kind < 2 ? BF_HEX8 : BF_TET4, 6, order);
      if (kind % 2) t_cube_shake(&t, 0.15 / 6, 3);
      t_cube_dirichlet(&t, value[order - 2]);
      t_load(&t.c, BF_LOAD_HEAT_SOURCE)->value[0] = t_formula(source[order - 2]);
      t_gfem_solve(&t, T_CSR, 1e-14);
      for (bf_int v = 0; v < t.c.mesh->nnodes; v++) {
        const double *p = t.c.mesh->x + 3 * v, x = p[0], y = p[1], z = p[2];
        double        u = 1 + x - 2 * y + 3 * z + x * y + 3 * x * x - y * z - z * z;
        if (order == 3) u += x * x * x - 2 * x * x * z + x * y * z;
        worst = fmax(worst, fabs(t.u[v] - u));
      }
      print_message("kind %d order %d: %.2e\n", kind, order, worst);
      T_LE(worst, 1e-11);
      t_gfem_clear(&t);
    }
}

/* u = (y^p, z^p, x^p): div u = 0, so its body force is -mu lap u. */
static void displacements_of_the_order_are_solved_exactly(void **state)
{
  (void)state;
  static const char *const value[2][3] = {{"y^2", "z^2", "x^2"}, {"y^3", "z^3", "x^3"}};
  static const char *const force[2][3] = {
      {"-769.230769230769231", "-769.230769230769231", "-769.230769230769231"},
      {"-2307.692307692307692*y", "-2307.692307692307692*z", "-2307.692307692307692*x"}};
  for (int kind = 0; kind < 2; kind++)
    for (int order = 2; order <= 3; order++) {
      T_ONE_OF(4);
      t_gfem t;
      double worst = 0.0;
      t_cube_create(&t, BF_ELASTICITY, kind ? BF_TET4 : BF_HEX8, 5, order);
      t_cube_shake(&t, 0.03, 4);
      t_cube_dirichlet(&t, value[order - 2]);
      bf_load *l = t_load(&t.c, BF_LOAD_BODY_FORCE);
      for (int c = 0; c < 3; c++) l->value[c] = t_formula(force[order - 2][c]);
      t_gfem_solve(&t, T_CSR, 1e-14);
      for (bf_int v = 0; v < t.c.mesh->nnodes; v++)
        for (int c = 0; c < 3; c++)
          worst = fmax(worst, fabs(t.u[3 * v + c] - pow(t.c.mesh->x[3 * v + (c + 1) % 3], order)));
      print_message("kind %d order %d: %.2e\n", kind, order, worst);
      T_LE(worst, 1e-11);
      t_gfem_clear(&t);
    }
}

int main(int argc, char **argv)
{
  const int code = t_backend_open(argc, argv);
  if (code) return code;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(shape_functions_interpolate_and_reproduce_polynomials),
      cmocka_unit_test(polynomials_of_the_order_are_solved_exactly),
      cmocka_unit_test(displacements_of_the_order_are_solved_exactly),
  };
  return t_backend_close(T_RUN(tests));
}
