/* tests/assembly/gfem/t675_gfem_backend.c - generalised finite elements integrated on a backend: equal to the
 * host's integrals, exact for polynomials, the same bits in every run
 * usage: t675_gfem_backend <backend> */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "assembly/gfem/device.h"
#include "tests/assembly/gfem/gfem_space.h"
#include "tests/backend.h"
#include "tests/numbering_case.h"

typedef struct t_sys {
  bf_matrix *A;
  double    *b; /* backend */
} t_sys;

static void empty(const t_gfem *t, bf_backend *be, int csr, t_sys *s)
{
  bf_graph *g = NULL;
  memset(s, 0, sizeof *s);
  T_OK(bf_model_pattern(t->m, t->num, &g));
  if (csr)
    T_OK(bf_matrix_create_csr(be, g, t->m->ncomp, BF_FP64, &s->A));
  else
    T_OK(bf_matrix_create_bdia(be, t->num->bands, t->m->ncomp, 1, BF_FP64, 0, &s->A));
  bf_graph_destroy(&g);
  T_OK(bf_vector_create(be, s->A->nrows, s->A->guard, &s->b));
}

static void clear(t_sys *s)
{
  bf_vector_destroy(s->A->be, s->A->guard, &s->b);
  bf_matrix_destroy(&s->A);
}

/* Dense copy of the matrix [n][n] and of b [n] behind it. */
static double *numbers(const t_sys *s)
{
  const size_t n = (size_t)s->A->nrows;
  double      *a = NULL;
  T_OK(BF_NEW_ARRAY(a, n * n + n));
  T_OK(bf_matrix_to_dense(s->A, a));
  T_OK(s->A->be->ops.copy(s->A->be, a + n * n, s->b, n * sizeof *a, BF_TO_HOST));
  return a;
}

static double *on_host(t_gfem *t)
{
  bf_backend *be = NULL;
  t_sys       s;
  T_OK(bf_backend_create("cpu", NULL, &be));
  empty(t, be, 1, &s);
  T_OK(bf_model_assemble_free(t->m, t->num, s.A, s.b, NULL));
  double *a = numbers(&s);
  clear(&s);
  bf_backend_destroy(&be);
  return a;
}

static double *on_backend(const t_gfem *t, int csr)
{
  t_sys s;
  empty(t, t_be, csr, &s);
  if (t->m->sdim == 2) assert_true(bf_gfem_on_device(t->m, t_be));
  T_OK(bf_gfem_assemble_device(t->m, t->num, s.A, s.b, NULL));
  T_OK(bf_model_add_phantoms(t->m, t->num, s.A));
  double *a = numbers(&s);
  clear(&s);
  return a;
}

static double largest(const double *a, size_t n)
{
  double most = 0.0;
  for (size_t i = 0; i < n; i++) most = fmax(most, fabs(a[i]));
  return most;
}

/* |a - b| relative to the largest |b|, of the matrices and of the vectors; NaN counts as infinite. */
static void assert_near(const double *a, const double *b, size_t n, double tol)
{
  for (int part = 0; part < 2; part++) {
    const size_t from = part ? n * n : 0, to = part ? n * n + n : n * n;
    const double size = largest(b + from, to - from);
    assert_true(size > 0.0);
    for (size_t i = from; i < to; i++)
      if (!(fabs(a[i] - b[i]) <= tol * size))
        fail_msg("%s %zu of %zu: %.17g, expected %.17g", part ? "load" : "entry", i - from, n, a[i], b[i]);
  }
}

static void create(t_gfem *t, bf_physics physics, bf_elem_type type, bf_int n, int order)
{
  static const char *const heat[] = {"x"}, *const solid[] = {"x", "y"};
  t_gfem_create(t, physics, type, 1.0, 1.0, n, n + 1, order);
  t_gfem_warp(t, 0.05);
  t_gfem_dirichlet(t, physics == BF_HEAT ? heat : solid);
  bf_load *load  = t_load(&t->c, physics == BF_HEAT ? BF_LOAD_HEAT_SOURCE : BF_LOAD_BODY_FORCE);
  load->value[0] = t_formula("10*sin(2.5*x+0.3)*sin(2*y+0.4)");
  if (physics != BF_HEAT) load->value[1] = t_formula("3*x-y*y");
  t_shuffle(t->c.mesh, 5);
}

static void compare_all(bf_physics physics)
{
  for (int order = 2; order <= 3; order++)
    for (int k = 0; k < 2; k++) {
      t_gfem t;
      create(&t, physics, k ? BF_TRI3 : BF_QUAD4, 8, order);
      t_gfem_model(&t);
      const size_t n = (size_t)(t.num->nrows * t.m->ncomp);
      double      *a = on_host(&t), *b = on_backend(&t, 1), *c = on_backend(&t, 0);
      assert_near(b, a, n, 1e-13);
      assert_near(c, a, n, 1e-13);
      bf_host_free(a);
      bf_host_free(b);
      bf_host_free(c);
      t_gfem_clear(&t);
    }
}

static void heat_is_that_of_the_host(void **state)
{
  (void)state;
  compare_all(BF_HEAT);
}

static void elasticity_is_that_of_the_host(void **state)
{
  (void)state;
  compare_all(BF_ELASTICITY);
}

static void solids_are_those_of_the_host(void **state)
{
  static const char *const heat[] = {"x"}, *const solid[] = {"x", "y", "z"};
  (void)state;
  for (int k = 0; k < 5; k++) { /* hexahedra, tetahedra of both orders; tetahedra under load */
    const int order = k < 4 ? 2 + k % 2 : 2, elastic = k == 4;
    t_gfem    t;
    t_cube_create(&t, elastic ? BF_ELASTICITY : BF_HEAT, k < 2 ? BF_HEX8 : BF_TET4, k < 2 ? 4 : 3, order);
    t_cube_shake(&t, 0.03, 9);
    t_cube_dirichlet(&t, elastic ? solid : heat);
    bf_load *load = t_load(&t.c, elastic ? BF_LOAD_BODY_FORCE : BF_LOAD_HEAT_SOURCE);
    for (int c = 0; c < (elastic ? 3 : 1); c++) load->value[c] = t_formula("1+x*y-z");
    t_gfem_model(&t);
    const size_t n = (size_t)(t.num->nrows * t.m->ncomp);
    double      *a = on_host(&t), *b = on_backend(&t, 1);
    assert_near(b, a, n, 1e-13);
    bf_host_free(a);
    bf_host_free(b);
    t_gfem_clear(&t);
  }
}

/* The components of a body force along turned axes. */
static void forces_in_axes_are_those_of_x_and_y(void **state)
{
  (void)state;
  static const bf_axes turned = {.name   = "turned",
                                 .type   = BF_AXES_RECTANGULAR,
                                 .first  = {0.0, 1.0, 0.0},
                                 .other  = {-1.0, 0.0, 0.0},
                                 .nfirst = 3,
                                 .nother = 3};
  double              *a[2];
  size_t               n = 0;
  for (int k = 0; k < 2; k++) {
    t_gfem t;
    create(&t, BF_ELASTICITY, BF_QUAD4, 6, 2);
    t.c.load[0].value[k]     = t_formula("1+x");
    t.c.load[0].value[1 - k] = t_number(0.0);
    t.c.load[0].axes         = k == 0 ? &turned : NULL; /* along its first axis, and along y */
    t_gfem_model(&t);
    n    = (size_t)(t.num->nrows * t.m->ncomp);
    a[k] = on_backend(&t, 1);
    t_gfem_clear(&t);
  }
  assert_near(a[0], a[1], n, 1e-14);
  bf_host_free(a[0]);
  bf_host_free(a[1]);
}

/* Elements right of x = 0.5 have another material, whose conductivity is a formula: nodes on the interface
 * have two fits. */
static void split(t_gfem *t)
{
  static bf_name   left[] = {{.name = "left"}}, right[] = {{.name = "right"}};
  static const int dim = 2;
  bf_mesh         *m   = t->c.mesh;
  m->group             = bf_host_realloc(m->group, (size_t)(m->ngroups + 2), sizeof *m->group);
  assert_non_null(m->group);
  for (int g = 0; g < 2; g++) {
    bf_group *p = &m->group[m->ngroups++];
    *p = (bf_group){.name = bf_host_strdup(g ? "right" : "left"), .dim = dim, .tag = 901 + g, .named = 1};
    p->elem = bf_host_alloc((size_t)m->nelem, sizeof(bf_int));
    for (bf_int e = 0; e < m->nelem; e++) {
      int           n;
      double        x    = 0.0;
      const bf_int *node = bf_mesh_elem_nodes(m, e, &n);
      if (bf_elem(bf_mesh_block_of(m, e)->type)->dim != dim) continue;
      for (int a = 0; a < n; a++) x += m->x[3 * node[a]] / n;
      if ((x > 0.5) == g) p->elem[p->nelem++] = e;
    }
  }
  t->c.material[1]       = t->c.material[0];
  t->c.material[1].name  = "other";
  t->c.material[1].k     = t_formula("2+x*x");
  t->c.material[0].group = left;
  t->c.material[1].group = right;
  t->c.p.nmaterials      = 2;
}

static void materials_and_formulas_are_those_of_the_host(void **state)
{
  (void)state;
  t_gfem t;
  create(&t, BF_HEAT, BF_QUAD4, 10, 2);
  split(&t);
  t_gfem_model(&t);
  const size_t n = (size_t)t.num->nrows;
  double      *a = on_host(&t), *b = on_backend(&t, 1);
  assert_near(b, a, n, 1e-13);
  bf_host_free(a);
  bf_host_free(b);
  t_gfem_clear(&t);
}

/* K u = f at the free nodes where u is a polynomial of the order and f its load: the second oracle. */
static void polynomials_of_the_order_are_exact(void **state)
{
  (void)state;
  for (int order = 2; order <= 3; order++)
    for (int k = 0; k < 2; k++) {
      static const char *const heat[] = {"x"};
      t_gfem                   t;
      t_gfem_create(&t, BF_HEAT, k ? BF_TRI3 : BF_QUAD4, 1.0, 1.0, 9, 9, order);
      t_gfem_dirichlet(&t, heat);
      t_load(&t.c, BF_LOAD_HEAT_SOURCE)->value[0] = order == 2 ? t_formula("-6") : t_formula("-(6*x+4*y)");
      t_shuffle(t.c.mesh, 7);
      t_gfem_model(&t);
      const bf_int n = t.num->nrows;
      double      *a = on_backend(&t, 1), *u, most = 0.0;
      T_OK(BF_NEW_ARRAY(u, n));
      for (bf_int v = 0; v < t.c.mesh->nnodes; v++) {
        const double x = t.c.mesh->x[3 * v], y = t.c.mesh->x[3 * v + 1];
        u[t.num->row[v]] =
            order == 2 ? x * x + 2.0 * y * y - x * y + x : x * x * x + 2.0 * x * x * y - x * y + y;
      }
      for (bf_int v = 0; v < t.c.mesh->nnodes; v++) {
        if (t.m->fixed[v]) continue;
        const bf_int r = t.num->row[v];
        double       s = -a[(size_t)n * (size_t)n + (size_t)r];
        for (bf_int j = 0; j < n; j++) s += a[(size_t)r * (size_t)n + (size_t)j] * u[j];
        most = fmax(most, fabs(s));
      }
      T_LE(most, 2e-12 * largest(a, (size_t)n * (size_t)n));
      bf_host_free(a);
      bf_host_free(u);
      t_gfem_clear(&t);
    }
}

static void repeated_runs_give_the_same_bits(void **state)
{
  (void)state;
  t_gfem t;
  create(&t, BF_ELASTICITY, BF_QUAD4, 9, 3);
  t_gfem_model(&t);
  const size_t n = (size_t)(t.num->nrows * t.m->ncomp);
  double      *a = on_backend(&t, 1);
  for (int run = 0; run < 3; run++) {
    double *b = on_backend(&t, 1);
    assert_memory_equal(a, b, (n * n + n) * sizeof *a);
    bf_host_free(b);
  }
  bf_host_free(a);
  t_gfem_clear(&t);
}

/* A batch of two elements with room for fewer rows than the second couples. */
static void too_narrow_a_batch_is_an_error(void **state)
{
  (void)state;
  static const double  x[]   = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0};
  static const bf_int  row[] = {3, 1, 0, 2}, other[] = {1, 2, 3, 0, 3, 0, 3, 0, 1, 2};
  static const int64_t ptr[] = {0, 3, 5, 7, 10};
  static const double  h[] = {2, 2, 2, 2}, C[10 * 16] = {0.0}, one[] = {1.0, 0.0, 0.0, 1.0, 0.0, 0.0};
  static const bf_int  corner[] = {0, 1, 2};
  void                *p[]      = {t_to_backend(x, sizeof x),           t_to_backend(row, sizeof row),
                                   t_to_backend(other, sizeof other),   t_to_backend(ptr, sizeof ptr),
                                   t_to_backend(h, sizeof h),           t_to_backend(C, sizeof C),
                                   t_to_backend(corner, sizeof corner), t_to_backend(one, sizeof one)};
  const bf_gfem_fits   F        = {2, 2, 4, p[0], p[1], p[3], p[2], p[4], p[5]};
  const bf_gfem_batch  B        = {.form    = BF_FORM_GRAD,
                                   .ncomp   = 1,
                                   .nen     = 3,
                                   .nq      = 1,
                                   .width   = 2,
                                   .patches = 12,
                                   .ne      = 1,
                                   .corner  = p[6],
                                   .w       = p[7],
                                   .N       = p[7],
                                   .dN      = p[7],
                                   .C       = p[7],
                                   .scale   = 1.0};
  bf_gfem_batch        wide     = B;
  bf_int               conn[6];
  void                *to = NULL;
  T_OK(t_be->ops.alloc(t_be, sizeof conn, &to));
  const bf_err now = BF_OP(t_be, gfem.support, &F, &B, to), then = t_be->ops.sync(t_be);
  assert_true(now == BF_E_ARG || then == BF_E_ARG);
  wide.width = 6;
  T_OK(BF_OP(t_be, gfem.support, &F, &wide, to));
  t_to_host(conn, to, sizeof conn);
  for (int i = 0; i < 6; i++) assert_int_equal(conn[i], i < 4 ? i : 0);
  wide.width = 5;
  assert_int_equal(BF_OP(t_be, gfem.support, &F, &wide, to), BF_E_ARG);
  t_be->ops.release(t_be, to);
  for (size_t i = 0; i < sizeof p / sizeof *p; i++) t_be->ops.release(t_be, p[i]);
}

int main(int argc, char **argv)
{
  const int               code    = t_backend_open(argc, argv);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(heat_is_that_of_the_host),
      cmocka_unit_test(elasticity_is_that_of_the_host),
      cmocka_unit_test(solids_are_those_of_the_host),
      cmocka_unit_test(forces_in_axes_are_those_of_x_and_y),
      cmocka_unit_test(materials_and_formulas_are_those_of_the_host),
      cmocka_unit_test(polynomials_of_the_order_are_exact),
      cmocka_unit_test(repeated_runs_give_the_same_bits),
      cmocka_unit_test(too_narrow_a_batch_is_an_error),
  };
  if (code) return code;
  return t_backend_close(T_RUN(tests));
}
