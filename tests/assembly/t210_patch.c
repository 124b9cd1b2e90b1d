/* tests/assembly/t210_patch.c - patch tests: fields that the elements contain come out exactly
 *
 * Linear fields on distorted meshes (Irons), quadratic fields with their body load on affine meshes for
 * quadratic elements; heat, plane stress, plane strain, 3D; bDIA full and half, CSR. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "mesh/build.h"
#include "tests/assembly/model_case.h"

/* u_c(x) = coefficients of 1 x y z xx yy xy yz xz zz; the same as formulas for the deck. */
static const double field[3][10] = {{0.2, 0.5, -0.3, 0.25, 0.4, -0.2, 0.3, 0.15, -0.35, 0.1},
                                    {-0.1, 0.35, 0.6, -0.2, -0.3, 0.25, 0.2, -0.4, 0.15, 0.3},
                                    {0.4, -0.25, 0.15, 0.45, 0.2, 0.1, -0.15, 0.3, 0.25, -0.45}};

static double value_of(int c, int terms, const double *x)
{
  const double t[10] = {1.0,         x[0],        x[1],        x[2],        x[0] * x[0],
                        x[1] * x[1], x[0] * x[1], x[1] * x[2], x[0] * x[2], x[2] * x[2]};
  double       s     = 0.0;
  for (int i = 0; i < terms; i++) s += field[c][i] * t[i];
  return s;
}

/* d2 u_c / dx_i dx_j of the quadratic field, in sdim dimensions */
static double second(int c, int i, int j)
{
  static const int at[3][3] = {{4, 6, 8}, {6, 5, 7}, {8, 7, 9}};
  return (i == j ? 2.0 : 1.0) * field[c][at[i][j]];
}

static void formula_of(int c, int terms, char text[512])
{
  static const char *const t[10] = {"1", "x", "y", "z", "x*x", "y*y", "x*y", "y*z", "x*z", "z*z"};
  size_t                   used  = 0;
  for (int i = 0; i < terms; i++)
    used += (size_t)snprintf(text + used, 512 - used, "%s(%.17g)*%s", i ? " + " : "", field[c][i], t[i]);
}

/* Constant load that belongs to the quadratic field:  f_c = -k lap T  |  -mu lap u_c - (lambda + mu) d_c div
 * u */
static void set_body_load(t_case *c, int sdim)
{
  const int    heat = c->p.physics == BF_HEAT;
  bf_load     *load = t_load(c, heat ? BF_LOAD_HEAT_SOURCE : BF_LOAD_BODY_FORCE);
  const double E = c->material[0].E.value, nu = c->material[0].nu, k = c->material[0].k.value;
  const double mu     = E / (2.0 * (1.0 + nu));
  const double lambda = c->p.space == BF_SPACE_PLANE_STRESS ? E * nu / (1.0 - nu * nu)
                                                            : E * nu / ((1.0 + nu) * (1.0 - 2.0 * nu));
  for (int a = 0; a < (heat ? 1 : sdim); a++) {
    double f = 0.0;
    for (int j = 0; j < sdim; j++) {
      f -= (heat ? k : mu) * second(a, j, j);
      if (!heat) f -= (lambda + mu) * second(j, a, j);
    }
    load->value[a] = t_number(f);
  }
}

/* Largest error of the solution relative to the largest value of the field. */
static double error_of(t_case *c, t_format format, int terms)
{
  double   *u     = NULL;
  const int ncomp = c->p.physics == BF_HEAT ? 1 : c->mesh->dim;
  double    worst = 0.0, scale = 0.0;
  t_solve(c, format, &u);
  for (bf_int v = 0; v < c->mesh->nnodes; v++)
    for (int a = 0; a < ncomp; a++) {
      const double exact = value_of(a, terms, c->mesh->x + 3 * v);
      worst              = fmax(worst, fabs(u[v * ncomp + a] - exact));
      scale              = fmax(scale, fabs(exact));
    }
  bf_host_free(u);
  return worst / scale;
}

static void prescribe_all_round(t_case *c, int terms, char text[3][512])
{
  const int    heat = c->p.physics == BF_HEAT;
  bf_boundary *b    = t_condition(c, heat ? BF_BC_TEMPERATURE : BF_BC_DISPLACEMENT, t_sides, t_nsides(c));
  for (int a = 0; a < (heat ? 1 : c->mesh->dim); a++) {
    formula_of(a, terms, text[a]);
    b->given[a] = 1;
    b->value[a] = t_formula(text[a]);
  }
}

typedef struct variant {
  bf_physics physics;
  bf_space   space;
} variant;
static const variant variants[] = {{BF_HEAT, BF_SPACE_AUTO},
                                   {BF_ELASTICITY, BF_SPACE_PLANE_STRESS},
                                   {BF_ELASTICITY, BF_SPACE_PLANE_STRAIN},
                                   {BF_ELASTICITY, BF_SPACE_3D}};

static int possible(const variant *v, bf_elem_type type)
{
  const int solid = bf_elem(type)->dim == 3;
  return v->physics == BF_HEAT || (v->space == BF_SPACE_3D) == solid;
}

static void linear_fields_are_exact_on_distorted_meshes(void **state)
{
  (void)state;
  double worst = 0.0;
  for (int t = 0; t < T_TYPES; t++)
    for (size_t k = 0; k < sizeof variants / sizeof *variants; k++)
      for (int format = 0; format < T_FORMATS; format++) {
        T_ONE_OF(7);
        t_case c;
        char   text[3][512];
        if (!possible(&variants[k], t_types[t])) continue;
        t_case_create(&c, variants[k].physics, t_types[t], 2);
        t_distort(c.mesh, 0.12, t_types[t] != BF_TET10); /* tet10: its rule is exact for straight edges */
        c.p.space = variants[k].space;
        if (c.mesh->dim == 2) c.p.thickness = 0.37;
        prescribe_all_round(&c, c.mesh->dim + 1, text);
        const double e = error_of(&c, (t_format)format, c.mesh->dim + 1);
        if (!(e <= 1e-11))
          fail_msg("%s, variant %d, format %d: %g", bf_elem(t_types[t])->name, (int)k, format, e);
        worst = fmax(worst, e);
        t_case_clear(&c);
      }
  print_message("largest relative error, linear fields: %.2e\n", worst);
}

/* A rectangle of quads with every second one cut into two triangles: two blocks and two side lines. */
static void mixed_mesh(bf_mesh **out)
{
  const double size[2]  = {2.0, 1.0};
  const bf_int cells[2] = {4, 3};
  bf_mesh     *quads = NULL, *m = NULL;
  T_OK(bf_mesh_rectangle(size, cells, BF_QUAD4, &quads));
  t_distort(quads, 0.08, 0);
  const bf_block *q = bf_mesh_block(quads, BF_QUAD4), *l = bf_mesh_block(quads, BF_LINE2);
  const bf_int    ncut = (q->n + 1) / 2;
  T_OK(bf_mesh_create("mixed", 2, quads->nnodes, 3, quads->ngroups, &m));
  memcpy(m->x, quads->x, 3 * (size_t)m->nnodes * sizeof *m->x);
  memcpy(m->node_tag, quads->node_tag, (size_t)m->nnodes * sizeof *m->node_tag);
  T_OK(bf_mesh_set_block(m, 0, BF_LINE2, l->n));
  T_OK(bf_mesh_set_block(m, 1, BF_TRI3, 2 * ncut));
  T_OK(bf_mesh_set_block(m, 2, BF_QUAD4, q->n - ncut));
  memcpy(m->block[0].node, l->node, 2 * (size_t)l->n * sizeof *l->node);
  for (bf_int e = 0, t = 0, k = 0; e < q->n; e++) {
    const bf_int *n = q->node + 4 * e;
    if (e % 2 == 1) {
      memcpy(m->block[2].node + 4 * k++, n, 4 * sizeof *n);
      continue;
    }
    const bf_int tri[6] = {n[0], n[1], n[2], n[0], n[2], n[3]};
    memcpy(m->block[1].node + 3 * t, tri, sizeof tri);
    t += 2;
  }
  for (int b = 0; b < 3; b++)
    for (bf_int e = 0; e < m->block[b].n; e++) m->block[b].tag[e] = m->block[b].first + e + 1;
  for (int g = 0; g < quads->ngroups; g++) { /* the sides stay; the surface is all triangles and quads */
    const bf_group *old  = &quads->group[g];
    const int       body = old->dim == 2;
    const bf_int    n    = body ? 2 * ncut + q->n - ncut : old->nelem;
    T_OK(bf_mesh_set_group(m, g, old->name, old->dim, old->tag, n));
    for (bf_int i = 0; i < n; i++)
      m->group[g].elem[i] = body ? m->block[1].first + i : old->elem[i] - l->first;
  }
  bf_mesh_destroy(&quads);
  T_OK(bf_mesh_check(m));
  *out = m;
}

static void mixed_elements_pass_too(void **state)
{
  (void)state;
  for (int physics = 0; physics < 2; physics++)
    for (int format = 0; format < T_FORMATS; format++) {
      t_case c;
      char   text[3][512];
      t_case_create(&c, physics ? BF_ELASTICITY : BF_HEAT, BF_QUAD4, 2);
      bf_mesh_destroy(&c.mesh);
      mixed_mesh(&c.mesh);
      prescribe_all_round(&c, 3, text);
      T_LE(error_of(&c, (t_format)format, 3), 1e-11);
      t_case_clear(&c);
    }
}

static void quadratic_fields_are_exact_on_affine_meshes(void **state)
{
  (void)state;
  double worst = 0.0;
  for (int t = 0; t < T_TYPES; t++)
    for (size_t k = 0; k < sizeof variants / sizeof *variants; k++) {
      T_ONE_OF(7);
      t_case c;
      char   text[3][512];
      if (bf_elem(t_types[t])->order != 2 || !possible(&variants[k], t_types[t])) continue;
      t_case_create(&c, variants[k].physics, t_types[t], 2);
      for (bf_int v = 0; v < c.mesh->nnodes; v++) { /* shear: still one affine map for all */
        double *x = c.mesh->x + 3 * v;
        x[0] += 0.3 * x[1] + 0.1 * x[2];
        x[1] += 0.2 * x[2];
      }
      c.p.space       = variants[k].space;
      const int terms = c.mesh->dim == 2 ? 7 : 10; /* z = 0 in plane problems */
      prescribe_all_round(&c, terms, text);
      set_body_load(&c, c.mesh->dim);
      const double e = error_of(&c, T_CSR, terms);
      if (!(e <= 1e-11)) fail_msg("%s, variant %d: %g", bf_elem(t_types[t])->name, (int)k, e);
      worst = fmax(worst, e);
      t_case_clear(&c);
    }
  print_message("largest relative error, quadratic fields: %.2e\n", worst);
}

static void linear_elements_do_not_contain_quadratic_fields(void **state)
{
  (void)state; /* the patch test can fail: the same check finds the error of linear elements */
  t_case c;
  char   text[3][512];
  t_case_create(&c, BF_HEAT, BF_TRI3, 2);
  t_distort(c.mesh, 0.12, 0);
  prescribe_all_round(&c, 7, text);
  set_body_load(&c, 2);
  assert_true(error_of(&c, T_CSR, 7) > 1e-4);
  t_case_clear(&c);
}

static void constrained_rows_stay_with_their_diagonal(void **state)
{
  (void)state;
  for (int format = 0; format < T_FORMATS; format++) {
    T_ONE_OF(3);
    t_case c;
    char   text[3][512];
    t_case_create(&c, BF_ELASTICITY, BF_QUAD4, 2);
    prescribe_all_round(&c, 3, text);
    bf_model *m = t_model(&c);
    t_system  s;
    t_assemble(&c, m, (t_format)format, &s);
    for (bf_int v = 0; v < c.mesh->nnodes; v++) {
      const double *x     = c.mesh->x + 3 * v;
      const int     outer = x[0] < 1e-9 || x[0] > 2.0 - 1e-9 || x[1] < 1e-9 || x[1] > 1.0 - 1e-9;
      for (int a = 0; a < 2; a++) {
        const bf_int i = s.num->row[v] * 2 + a;
        for (bf_int j = 0; j < s.n && outer; j++)
          if (j != i) {
            assert_true(s.dense[(size_t)i * (size_t)s.n + (size_t)j] == 0.0);
            assert_true(s.dense[(size_t)j * (size_t)s.n + (size_t)i] == 0.0);
          }
        const double d = s.dense[(size_t)i * (size_t)s.n + (size_t)i], g = value_of(a, 3, x);
        assert_true(d > 0.0);
        T_NEAR(s.start[i], outer ? g : 0.0, 1e-14);
        if (outer) T_NEAR(s.rhs[i], d * g, 1e-12 * d);
      }
    }
    t_system_clear(&s);
    bf_model_destroy(&m);
    t_case_clear(&c);
  }
}

/* num with `extra` phantom rows before row `at`. */
static void add_phantoms(bf_numbering *num, bf_int at, bf_int extra)
{
  bf_int *node = NULL;
  T_OK(BF_NEW_ARRAY(node, num->nrows + extra));
  for (bf_int r = 0; r < num->nrows + extra; r++)
    node[r] = r < at ? num->node[r] : r < at + extra ? -1 : num->node[r - extra];
  for (bf_int v = 0; v < num->nnodes; v++)
    if (num->row[v] >= at) num->row[v] += extra;
  bf_host_free(num->node);
  num->node = node;
  num->nrows += extra;
}

static void phantom_rows_have_the_diagonal_one_and_disturb_nothing(void **state)
{
  (void)state;
  for (int physics = 0; physics < 2; physics++) {
    t_case        c;
    char          text[3][512];
    bf_numbering *num     = NULL;
    bf_graph     *pattern = NULL;
    bf_matrix    *A       = NULL;
    double       *b = NULL, *x0 = NULL;
    t_case_create(&c, physics ? BF_ELASTICITY : BF_HEAT, BF_HEX8, 2);
    prescribe_all_round(&c, 4, text);
    bf_model    *m     = t_model(&c);
    const int    ncomp = bf_model_ncomp(m);
    const bf_int at = 7, extra = 3;
    T_OK(bf_numbering_create(c.mesh, BF_ORDER_FILE, &num));
    add_phantoms(num, at, extra);
    T_OK(bf_numbering_pattern(c.mesh, num, &pattern));
    T_OK(bf_matrix_create_csr(t_be, pattern, ncomp, BF_FP64, &A));
    T_OK(bf_vector_create(t_be, A->nrows, A->guard, &b));
    T_OK(bf_vector_create(t_be, A->nrows, A->guard, &x0));
    T_OK(bf_model_assemble(m, num, A, b, x0, NULL));
    const size_t n = (size_t)A->nrows;
    double      *a = NULL, *rhs = NULL, *x = NULL;
    T_OK(BF_NEW_ARRAY(a, n * n));
    T_OK(BF_NEW_ARRAY(rhs, n));
    T_OK(BF_NEW_ARRAY(x, n));
    T_OK(bf_matrix_to_dense(A, a));
    t_to_host(rhs, b, n * sizeof *rhs);
    for (size_t i = (size_t)(at * ncomp); i < (size_t)((at + extra) * ncomp); i++) {
      for (size_t j = 0; j < n; j++) assert_true(a[i * n + j] == (i == j ? 1.0 : 0.0));
      assert_true(rhs[i] == 0.0);
    }
    t_cholesky(A->nrows, a, rhs, x);
    for (bf_int v = 0; v < c.mesh->nnodes; v++)
      for (int k = 0; k < ncomp; k++)
        T_NEAR(x[num->row[v] * ncomp + k], value_of(k, 4, c.mesh->x + 3 * v), 1e-12);
    bf_host_free(a);
    bf_host_free(rhs);
    bf_host_free(x);
    bf_vector_destroy(t_be, A->guard, &b);
    bf_vector_destroy(t_be, A->guard, &x0);
    bf_matrix_destroy(&A);
    bf_graph_destroy(&pattern);
    bf_numbering_destroy(&num);
    bf_model_destroy(&m);
    t_case_clear(&c);
  }
}

static void *on_host(const void *p, size_t bytes)
{
  void *host = malloc(bytes > 0 ? bytes : 1);
  assert_non_null(host);
  if (bytes > 0) t_to_host(host, p, bytes);
  return host;
}

/* A copy; the caller frees its arrays. */
static bf_model_elements elements_on_host(const bf_model_elements *E)
{
  const size_t      ne = (size_t)E->ne;
  bf_model_elements H  = {.ne = E->ne, .most = E->most, .nodes = E->nodes};
  if (ne == 0) return H;
  H.ptr         = on_host(E->ptr, (ne + 1) * sizeof *H.ptr);
  H.at          = on_host(E->at, (ne + 1) * sizeof *H.at);
  H.node        = on_host(E->node, (size_t)E->nodes * sizeof *H.node);
  H.coefficient = on_host(E->coefficient, ne * sizeof *H.coefficient);
  T_OK(t_be->ops.sync(t_be));
  H.K = on_host(E->K, (size_t)H.at[ne] * sizeof *H.K);
  T_OK(t_be->ops.sync(t_be));
  return H;
}

/* Matrices of elements by rows of the numbering add up to K; rows of the fixed side are left out. */
static void element_matrices_add_up_to_the_matrix(void **state)
{
  (void)state;
  for (int t = 0; t < T_TYPES; t++)
    for (size_t k = 0; k < sizeof variants / sizeof *variants; k++)
      for (int modes = 0; modes < 2; modes++) {
        T_ONE_OF(5);
        t_case            c;
        t_system          s;
        bf_model_elements E, given;
        if (!possible(&variants[k], t_types[t])) continue;
        if (modes && (variants[k].physics == BF_HEAT || (t_types[t] != BF_QUAD4 && t_types[t] != BF_HEX8)))
          continue;
        t_case_create(&c, variants[k].physics, t_types[t], 2);
        c.p.space        = variants[k].space;
        c.p.incompatible = modes;
        t_condition(&c, c.p.physics == BF_HEAT ? BF_BC_TEMPERATURE : BF_BC_FIXED, t_x_min, 1);
        bf_model *m = t_model(&c);
        t_assemble(&c, m, T_CSR, &s);
        const int D = bf_model_ncomp(m);
        T_OK(bf_model_elements_create(m, s.num, t_be, &given));
        E = elements_on_host(&given);
        if (bf_model_condensed(m)) {
          assert_int_equal(E.ne, 0);
        } else {
          double *sum = calloc((size_t)s.n * (size_t)s.n, sizeof *sum), top = 0.0;
          for (bf_int e = 0; e < E.ne; e++) {
            const bf_int *node  = E.node + E.ptr[e];
            const bf_int  order = (bf_int)(E.ptr[e + 1] - E.ptr[e]) * D;
            assert_int_equal(E.at[e + 1] - E.at[e], order * order);
            T_NEAR(E.coefficient[e], E.coefficient[0], 0.0);
            for (bf_int i = 0; i < order; i++)
              for (bf_int j = 0; j < order; j++)
                sum[(node[i / D] * D + i % D) * s.n + node[j / D] * D + j % D] +=
                    E.K[E.at[e] + j * order + i];
          }
          assert_true(E.coefficient[0] > 0.0);
          for (bf_int r = 0; r < s.n; r++) top = fmax(top, s.dense[r * (s.n + 1)]);
          for (bf_int r = 0; r < s.n; r++)
            for (bf_int q = 0; q < s.n; q++) {
              const bf_int u = s.num->node[r / D], v = s.num->node[q / D];
              if (c.mesh->x[3 * u] > 1e-9 && c.mesh->x[3 * v] > 1e-9)
                T_NEAR(sum[r * s.n + q], s.dense[r * s.n + q], 1e-12 * top);
            }
          free(sum);
        }
        free(E.ptr), free(E.at), free(E.node), free(E.K), free(E.coefficient);
        bf_model_elements_clear(t_be, &given);
        t_system_clear(&s);
        bf_model_destroy(&m);
        t_case_clear(&c);
      }
}

int main(int argc, char **argv)
{
  const int               code    = t_backend_open(argc, argv);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(element_matrices_add_up_to_the_matrix),
      cmocka_unit_test(linear_fields_are_exact_on_distorted_meshes),
      cmocka_unit_test(mixed_elements_pass_too),
      cmocka_unit_test(quadratic_fields_are_exact_on_affine_meshes),
      cmocka_unit_test(linear_elements_do_not_contain_quadratic_fields),
      cmocka_unit_test(constrained_rows_stay_with_their_diagonal),
      cmocka_unit_test(phantom_rows_have_the_diagonal_one_and_disturb_nothing),
  };
  if (code) return code;
  return t_backend_close(T_RUN(tests));
}
