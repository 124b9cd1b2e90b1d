/* tests/assembly/t291_basis.c - the interface of basis functions, by isoparametric and by generalised finite
 * elements: shape values, supports, result fields between their points, what a basis lacks
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "assembly/assemble/mass.h"
#include "assembly/basis/shape.h"
#include "assembly/model/internal.h"
#include "tests/assembly/model_case.h"

typedef struct t_basis { /* one basis on one mesh */
  t_case        c;
  bf_model     *m;
  bf_numbering *num;
  bf_view      *view;
  double       *psi, *d; /* [most], [3][most] */
} t_basis;

static const struct {
  bf_elem_type type;
  int          order; /* of generalised elements; 1: isoparametric */
} kinds[] = {{BF_TRI3, 1}, {BF_TRI6, 1},  {BF_QUAD4, 1}, {BF_QUAD8, 1}, {BF_QUAD9, 1},
             {BF_TET4, 1}, {BF_TET10, 1}, {BF_HEX8, 1},  {BF_HEX20, 1}, {BF_HEX27, 1},
             {BF_TRI3, 2}, {BF_TRI3, 3},  {BF_QUAD4, 2}, {BF_QUAD4, 3}};
enum { KINDS = sizeof kinds / sizeof *kinds };

static double linear(const double x[3])
{
  return 1.0 + 2.0 * x[0] - 3.0 * x[1] + 0.5 * x[2];
}

static void create(t_basis *t, int k)
{
  *t = (t_basis){0};
  t_case_create(&t->c, BF_HEAT, kinds[k].type, 4);
  t->c.p.order           = kinds[k].order;
  t->c.material[0].k     = t_number(1.0);
  bf_boundary *b         = t_condition(&t->c, BF_BC_TEMPERATURE, t_x_min, 1);
  b->given[0]            = 1;
  b->value[0]            = t_number(0.0);
  const bf_mesh    *mesh = t->c.mesh;
  const bf_problem *p    = t_problem(&t->c);
  T_OK(bf_model_create(mesh, p, &t->c.diags, &t->m));
  T_OK(bf_numbering_create(mesh, BF_ORDER_AUTO, &t->num));
  T_OK(bf_view_create(mesh, bf_model_region(t->m), &t->view));
  const size_t most = (size_t)t->m->basis->support_max(t->m);
  T_OK(BF_NEW_ARRAY(t->psi, most));
  T_OK(BF_NEW_ARRAY(t->d, 3 * most));
}

static void clear(t_basis *t)
{
  bf_host_free(t->psi);
  bf_host_free(t->d);
  bf_view_destroy(&t->view);
  bf_numbering_destroy(&t->num);
  bf_model_destroy(&t->m);
  t_case_clear(&t->c);
}

/* A point inside every element: the mean of its corners, moved at random. */
static void inside(uint64_t *seed, bf_elem_type type, double xi[3])
{
  const bf_elem_info *el  = bf_elem(type);
  double              sum = 0.0, w[8];
  for (int a = 0; a < el->ncorners; a++) sum += w[a] = 0.1 + t_uniform(seed);
  for (int i = 0; i < 3; i++) {
    xi[i] = 0.0;
    for (int a = 0; a < el->ncorners; a++) xi[i] += w[a] / sum * el->corner[a][i];
  }
}

static void basis_functions_reproduce_constants_and_coordinates(void **state)
{
  (void)state;
  uint64_t seed = 5;
  for (int k = 0; k < KINDS; k++) {
    t_basis t;
    create(&t, k);
    const bf_basis_ops *ops = t.m->basis;
    const int           dim = t.m->sdim;
    for (bf_int c = 0; c < t.view->ncells; c++) {
      const bf_int elem = t.view->elem[c], *node;
      double       xi[3], x[3], sum[4] = {0.0}, dx[3][4] = {{0.0}};
      inside(&seed, t.view->type[c], xi);
      const int    n   = ops->support(t.m, elem, &node);
      const double det = ops->shape(t.m, elem, xi, t.psi, t.d, x);
      assert_true(det > 0.0 && n <= ops->support_max(t.m));
      for (int a = 0; a < n; a++)
        for (int j = 0; j < 4; j++) {
          const double f = j < 3 ? t.m->mesh->x[3 * node[a] + j] : 1.0;
          sum[j] += t.psi[a] * f;
          for (int i = 0; i < dim; i++) dx[i][j] += t.d[i * n + a] * f;
        }
      T_NEAR(sum[3], 1.0, 1e-11);
      for (int i = 0; i < dim; i++) {
        T_NEAR(sum[i], x[i], 1e-11);
        for (int j = 0; j < 4; j++) T_NEAR(dx[i][j], i == j ? 1.0 : 0.0, 1e-9);
      }
    }
    clear(&t);
  }
}

static void derivatives_are_those_of_the_values(void **state)
{
  (void)state;
  const double h    = 1e-5;
  uint64_t     seed = 6;
  for (int k = 0; k < KINDS; k++) {
    t_basis t;
    create(&t, k);
    const bf_basis_ops *ops  = t.m->basis;
    const size_t        most = (size_t)ops->support_max(t.m);
    double             *side[2], *unused;
    for (int s = 0; s < 2; s++) T_OK(BF_NEW_ARRAY(side[s], most));
    T_OK(BF_NEW_ARRAY(unused, 3 * most));
    for (bf_int c = 0; c < t.view->ncells; c += 3) {
      const bf_int elem = t.view->elem[c], *node;
      double       xi[3], x[3], at[2][3];
      const int    n = ops->support(t.m, elem, &node);
      inside(&seed, t.view->type[c], xi);
      ops->shape(t.m, elem, xi, t.psi, t.d, x);
      for (int r = 0; r < t.m->sdim; r++) {
        for (int s = 0; s < 2; s++) {
          double y[3] = {xi[0], xi[1], xi[2]};
          y[r] += s ? h : -h;
          ops->shape(t.m, elem, y, side[s], unused, at[s]);
        }
        for (int a = 0; a < n; a++) {
          double along = 0.0;
          for (int i = 0; i < t.m->sdim; i++) along += t.d[i * n + a] * (at[1][i] - at[0][i]);
          T_NEAR(side[1][a] - side[0][a], along, 1e-10);
        }
      }
    }
    bf_host_free(side[0]);
    bf_host_free(side[1]);
    bf_host_free(unused);
    clear(&t);
  }
}

static void pattern_couples_the_nodes_of_every_support(void **state)
{
  (void)state;
  for (int k = 0; k < KINDS; k++) {
    t_basis t;
    create(&t, k);
    const size_t n    = (size_t)t.m->mesh->nnodes;
    uint8_t     *pair = NULL;
    bf_graph    *G    = NULL;
    int64_t      own  = 0;
    T_OK(BF_NEW_ARRAY(pair, n * n));
    for (bf_int c = 0; c < t.view->ncells; c++) {
      const bf_int *node;
      const int     s = t.m->basis->support(t.m, t.view->elem[c], &node);
      for (int a = 0; a < s; a++)
        for (int b = 0; b < s; b++) pair[(size_t)node[a] * n + (size_t)node[b]] = 1;
    }
    T_OK(bf_model_pattern(t.m, t.num, &G));
    for (size_t i = 0; i < n * n; i++) own += pair[i];
    int64_t found = 0;
    for (bf_int r = 0; r < G->n; r++)
      for (int64_t j = G->ptr[r]; j < G->ptr[r + 1] && t.num->node[r] >= 0; j++, found++)
        assert_true(pair[(size_t)t.num->node[r] * n + (size_t)t.num->node[G->adj[j]]]);
    assert_int_equal(found, own);
    bf_graph_destroy(&G);
    bf_host_free(pair);
    clear(&t);
  }
}

static void linear_field_and_its_integrals_are_exact(void **state)
{
  (void)state;
  uint64_t seed = 7;
  for (int k = 0; k < KINDS; k++) {
    t_basis        t;
    bf_basis_field f;
    bf_field       field = {.name = "temperature", .unit = "K", .ncomp = 1};
    create(&t, k);
    T_OK(BF_NEW_ARRAY(field.data, t.view->npoints));
    for (bf_int p = 0; p < t.view->npoints; p++) field.data[p] = linear(t.m->mesh->x + 3 * t.view->node[p]);
    T_OK(bf_basis_field_create(t.m, t.view, &field, &f));
    for (bf_int c = 0; c < t.view->ncells; c++) {
      double xi[3], x[3], v;
      inside(&seed, t.view->type[c], xi);
      t.m->basis->shape(t.m, t.view->elem[c], xi, t.psi, t.d, x);
      f.ops->value(&f, c, xi, &v);
      T_NEAR(v, linear(x), 1e-10);
    }
    bf_basis_field_clear(&f);
    const double z = t.m->sdim == 3 ? 0.5 : 0.0, at_mean[3] = {1.0, 0.5, z}, at_end[3] = {2.0, 0.5, z};
    double       all, side;
    T_OK(bf_model_integral(t.m, t.view, &field, 0, NULL, &all)); /* the body is [0,2]x[0,1](x[0,1]) */
    T_OK(bf_model_integral(t.m, t.view, &field, 0, "x_max", &side));
    T_NEAR(all, 2.0 * linear(at_mean), 1e-11);
    T_NEAR(side, linear(at_end), 1e-11);
    bf_host_free(field.data);
    clear(&t);
  }
}

static void nodal_forces_vary_as_the_shape_functions_of_the_mesh(void **state)
{
  (void)state;
  uint64_t seed = 8;
  for (int k = 0; k < KINDS; k++) {
    t_basis        t;
    bf_basis_field f;
    bf_field       field = {.name = "reaction", .unit = "W", .ncomp = 1};
    create(&t, k);
    T_OK(BF_NEW_ARRAY(field.data, t.view->npoints));
    for (bf_int p = 0; p < t.view->npoints; p++) field.data[p] = t_uniform(&seed);
    T_OK(bf_basis_field_create(t.m, t.view, &field, &f));
    for (bf_int c = 0; c < t.view->ncells; c++) {
      const bf_int *point = t.view->point + t.view->ptr[c];
      double        xi[3], N[BF_NEN_MAX], v, sum = 0.0;
      inside(&seed, t.view->type[c], xi);
      bf_shape(t.view->type[c], xi, N, NULL);
      for (int a = 0; a < bf_elem(t.view->type[c])->nnodes; a++) sum += N[a] * field.data[point[a]];
      f.ops->value(&f, c, xi, &v);
      T_NEAR(v, sum, 1e-14);
    }
    bf_basis_field_clear(&f);
    bf_host_free(field.data);
    clear(&t);
  }
}

static void cell_field_is_constant_in_each_cell(void **state)
{
  (void)state;
  for (int k = 0; k < KINDS; k++) {
    t_basis        t;
    bf_basis_field f;
    bf_field       field = {.name = "q", .unit = "1", .ncomp = 2, .on_cells = 1};
    uint64_t       seed  = 9;
    create(&t, k);
    T_OK(BF_NEW_ARRAY(field.data, 2 * (size_t)t.view->ncells));
    for (bf_int c = 0; c < 2 * t.view->ncells; c++) field.data[c] = c;
    T_OK(bf_basis_field_create(t.m, t.view, &field, &f));
    for (bf_int c = 0; c < t.view->ncells; c++) {
      double xi[3], v[2];
      inside(&seed, t.view->type[c], xi);
      f.ops->value(&f, c, xi, v);
      assert_true(v[0] == 2 * c && v[1] == 2 * c + 1);
    }
    bf_basis_field_clear(&f);
    bf_host_free(field.data);
    clear(&t);
  }
}

static void mass_of_a_basis_that_has_none_is_refused(void **state)
{
  (void)state;
  for (int k = 0; k < KINDS; k++) {
    t_basis    t;
    bf_matrix *M = NULL;
    create(&t, k);
    T_OK(bf_mass_diagonal_create(t_be, t.num, 1, &M));
    const bf_err err = bf_model_mass(t.m, t.num, BF_MASS_LUMPED, 0, M, NULL);
    assert_int_equal(err, kinds[k].order > 1 ? BF_E_ARG : BF_OK);
    if (err != BF_OK) assert_non_null(strstr(bf_err_trace(), "have no mass matrix"));
    bf_matrix_destroy(&M);
    clear(&t);
  }
}

int main(int argc, char **argv)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(basis_functions_reproduce_constants_and_coordinates),
      cmocka_unit_test(derivatives_are_those_of_the_values),
      cmocka_unit_test(pattern_couples_the_nodes_of_every_support),
      cmocka_unit_test(linear_field_and_its_integrals_are_exact),
      cmocka_unit_test(nodal_forces_vary_as_the_shape_functions_of_the_mesh),
      cmocka_unit_test(cell_field_is_constant_in_each_cell),
      cmocka_unit_test(mass_of_a_basis_that_has_none_is_refused),
  };
  const int code = t_backend_open(argc, argv);
  return code ? code : t_backend_close(T_RUN(tests));
}
