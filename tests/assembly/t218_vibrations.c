/* tests/assembly/t218_vibrations.c - vibrations of bodies by both methods: the membrane's in closed form,
 * motions of free bodies as zeros, effective masses; rates of convergence; errors of the model
 *
 * usage: t218_vibrations <backend>
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "solvers/eigen.h"
#include "tests/assembly/mass_case.h"
#include <omp.h>

typedef bf_err (*method)(const bf_matrix *K, const bf_matrix *M, const bf_eigen_options *opt, double *X,
                         bf_eigen_report *report);

typedef struct body {
  t_case          c;
  bf_model       *m;
  bf_numbering   *num;
  bf_matrix      *K, *M;
  double         *b, *x0, *R, *X;
  int             motions;
  bf_eigen_report rep;
} body;

/* Box or rectangle of the size, n cells along x, y and z. */
static void begin(body *o, bf_physics physics, bf_elem_type type, double lx, double ly, bf_int nx, bf_int ny)
{
  const double size[3] = {lx, ly, 1.0};
  const bf_int n[3]    = {nx, ny, ny};
  *o                   = (body){.motions = 0};
  t_case_create(&o->c, physics, type, 1);
  bf_mesh_destroy(&o->c.mesh);
  o->c.mesh            = t_generated(size, n, type);
  o->c.p.analysis      = BF_MODAL;
  o->c.material[0].k   = t_number(1.0);
  o->c.material[0].rho = 1.0;
}

static void assemble(body *o, bf_mass kind)
{
  o->m         = t_model(&o->c);
  const int nc = bf_model_ncomp(o->m);
  T_OK(bf_numbering_create(o->c.mesh, BF_ORDER_AUTO, &o->num));
  T_OK(bf_matrix_create_bdia(t_be, o->num->bands, nc, 1, BF_FP64, o->num->nnz * nc * nc, &o->K));
  if (kind == BF_MASS_LUMPED)
    T_OK(bf_mass_diagonal_create(t_be, o->num, nc, &o->M));
  else
    T_OK(bf_matrix_create_bdia(t_be, o->num->bands, nc, 1, BF_FP64, o->num->nnz * nc * nc, &o->M));
  T_OK(bf_vector_create(t_be, o->K->nrows, o->K->guard, &o->b));
  T_OK(bf_vector_create(t_be, o->K->nrows, o->K->guard, &o->x0));
  T_OK(bf_model_assemble(o->m, o->num, o->K, o->b, o->x0, NULL));
  T_OK(bf_model_mass(o->m, o->num, kind, 1, o->M, NULL));
  o->motions = bf_model_motions(o->m);
  o->R       = calloc((size_t)o->motions * (size_t)o->K->nrows, sizeof *o->R);
  T_OK(bf_model_motion_vectors(o->m, o->num, o->R));
}

static void vibrate(body *o, method how, int pairs, int given)
{
  const bf_eigen_options opt = {.pairs          = pairs,
                                .rtol           = 1e-8,
                                .max_iterations = 1000,
                                .near_null      = given ? o->R : NULL,
                                .nnear          = given ? o->motions : 0};
  bf_eigen_report_clear(&o->rep);
  free(o->X);
  o->X = calloc((size_t)pairs * (size_t)o->K->nrows, sizeof *o->X);
  T_OK(how(o->K, o->M, &opt, o->X, &o->rep));

  if (o->rep.reason != BF_EIGEN_CONVERGED) fail_msg("%s", o->rep.text);
}

static void end(body *o)
{
  const bf_int guard = o->K->guard;
  bf_vector_destroy(t_be, guard, &o->b);
  bf_vector_destroy(t_be, guard, &o->x0);
  bf_matrix_destroy(&o->K);
  bf_matrix_destroy(&o->M);
  bf_numbering_destroy(&o->num);
  bf_model_destroy(&o->m);
  bf_eigen_report_clear(&o->rep);
  free(o->R), free(o->X);
  t_case_clear(&o->c);
}

static double hertz(double lambda)
{
  return sqrt(fabs(lambda)) / BF_TWO_PI;
}

/* LOBPCG everywhere, the factorisation where the backend is the CPU. */
static int methods(method how[2])
{
  how[0] = bf_lobpcg;
  how[1] = bf_shift_invert;
  return t_be->ops.on_device ? 1 : 2;
}

/* Value of m half waves on [0,1] by `cells` quadratic elements: det(K - lambda M) = 0 of ends and middles,
 * K = (7 -8 1; -8 16 -8; 1 -8 7)/3h, M = h (4 2 -1; 2 16 2; -1 2 4)/30. */
static double half_waves(int m, int cells)
{
  const double t = acos(-1.0) * m / cells, e = 14.0 + 2.0 * cos(t), g = 8.0 - 2.0 * cos(t),
               c = 4.0 * cos(0.5 * t) * cos(0.5 * t), a = 16.0 * g - 4.0 * c,
               b = -160.0 * (e + g) - 320.0 * c, d = 1600.0 * e - 6400.0 * c;
  return cells * cells * 2.0 * d / (-b + sqrt(b * b - 4.0 * a * d));
}

/* Matrices of quad9 on squares are products of those of a line, so values are sums; sqrt(m^2 + n^2) / 2 but
 * for the elements. */
static void a_membrane_has_its_frequencies(void **state)
{
  (void)state;
  T_LONG;
  static const int half[6][2] = {{1, 1}, {1, 2}, {2, 1}, {2, 2}, {1, 3}, {3, 1}};
  method           how[2];
  body             o;
  begin(&o, BF_HEAT, BF_QUAD9, 1.0, 1.0, 8, 8);
  t_condition(&o.c, BF_BC_TEMPERATURE, t_sides, 4);
  assemble(&o, BF_MASS_CONSISTENT);
  for (int k = 0; k < methods(how); k++) {
    vibrate(&o, how[k], 6, 0);
    for (int i = 0; i < 6; i++) {
      const int    m = half[i][0], n = half[i][1];
      const double high = hertz(o.rep.value[i]) / (0.5 * sqrt(m * m + n * n)) - 1.0;
      T_NEAR(o.rep.value[i] / (half_waves(m, 8) + half_waves(n, 8)), 1.0, 1e-10);
      assert_true(high > 0.0 && high < (i < 4 ? 5e-4 : 1.2e-3));
    }
    T_NEAR(o.rep.value[2] / o.rep.value[1], 1.0, 1e-10);
    T_NEAR(o.rep.value[5] / o.rep.value[4], 1.0, 1e-10);
    assert_int_equal(o.rep.zeros, 0);
    assert_int_equal(o.rep.cut, 0);
    vibrate(&o, how[k], 2, 0);
    assert_int_equal(o.rep.cut, 1);
    T_NEAR(o.rep.next / o.rep.value[1], 1.0, 1e-6);
  }
  end(&o);
}

static void lumped_masses_bring_them_from_below(void **state)
{
  (void)state;
  T_LONG;
  method how[2];
  body   o;
  begin(&o, BF_HEAT, BF_QUAD4, 1.0, 1.0, 16, 16);
  t_condition(&o.c, BF_BC_TEMPERATURE, t_sides, 4);
  assemble(&o, BF_MASS_LUMPED);
  for (int k = 0; k < methods(how); k++) {
    vibrate(&o, how[k], 1, 0);
    assert_true(hertz(o.rep.value[0]) < 0.70710678);
    T_NEAR(hertz(o.rep.value[0]), 0.70710678, 4e-3);
  }
  end(&o);
}

static void free_bodies_have_their_motions_and_no_more(void **state)
{
  (void)state;
  static const struct {
    bf_physics   physics;
    bf_elem_type type;
    bf_space     space;
    int          motions;
  } want[] = {{BF_ELASTICITY, BF_HEX8, BF_SPACE_AUTO, 6},
              {BF_ELASTICITY, BF_HEX20, BF_SPACE_AUTO, 6},
              {BF_ELASTICITY, BF_TET10, BF_SPACE_AUTO, 6},
              {BF_ELASTICITY, BF_QUAD8, BF_SPACE_PLANE_STRESS, 3},
              {BF_ELASTICITY, BF_QUAD4, BF_SPACE_AXISYMMETRIC, 1},
              {BF_HEAT, BF_TRI6, BF_SPACE_AUTO, 1}};
  for (size_t i = 0; i < sizeof want / sizeof *want; i++)
    for (int kind = 0; kind < 2; kind++) {
      T_ONE_OF(5);
      if (t_quick() == 2) i = 5; /* the fewest unknowns */
      method how[2];
      body   o;
      begin(&o, want[i].physics, want[i].type, 1.0, 1.0, 2, 2);
      o.c.p.space = want[i].space;
      assemble(&o, (bf_mass)kind);
      assert_int_equal(o.motions, want[i].motions);
      for (int k = 0; k < methods(how); k++)
        for (int given = t_quick() == 2; given < 2; given++) {
          vibrate(&o, how[k], o.motions + 3, given);
          assert_int_equal(o.rep.zeros, o.motions);
          const double first = o.rep.value[o.motions];
          for (int j = 0; j < o.motions; j++) T_LE(fabs(o.rep.value[j]), 1e-10 * first);
        }
      end(&o);
    }
}

/* A bar held at one end: all the mass that moves is in the vibrations, x by itself. */
static void effective_masses_add_up(void **state)
{
  (void)state;
  T_LONG;
  method how[2];
  body   o;
  begin(&o, BF_ELASTICITY, BF_QUAD8, 3.0, 1.0, 3, 1);
  o.c.p.thickness = 0.5;
  t_condition(&o.c, BF_BC_FIXED, t_x_min, 1);
  assemble(&o, BF_MASS_CONSISTENT);
  int held = 0;
  for (bf_int i = 0; i < o.c.mesh->nnodes; i++) held += o.c.mesh->x[3 * i] < 1e-9;
  const int all = (int)o.K->nrows - 2 * held;
  for (int k = 0; k < methods(how); k++) {
    double *part = calloc(3 * (size_t)all, sizeof *part), whole[3];
    vibrate(&o, how[k], all, 0);
    T_OK(bf_eigen_participation(o.M, 3, o.R, all, o.X, part, whole));
    for (int r = 0; r < 3; r++) {
      double sum = 0.0;
      for (int i = 0; i < all; i++) sum += part[3 * i + r] * part[3 * i + r];
      T_NEAR(sum / whole[r], 1.0, 1e-10);
    }
    T_LE(whole[0], 1.5);
    assert_true(part[1] * part[1] > 0.5 * whole[1]); /* the first mode bends */
    T_LE(part[0] * part[0], 1e-10 * whole[0]);
    free(part);
  }
  end(&o);
}

/* f_1 of the membrane [0,2]x[0,1] constrained around: error relative to sqrt(1/4 + 1)/2 with k = rho = 1. */
static double membrane_error(bf_elem_type type, bf_int cells, bf_mass kind)
{
  mass_case k;
  t_system  s;
  double    w0;
  t_mass_begin(&k, BF_HEAT, type, cells);
  k.c.material[0].k = t_number(1.0), k.c.material[0].rho = 1.0;
  t_condition(&k.c, BF_BC_TEMPERATURE, t_sides, 4);
  t_mass_make(&k, T_CSR, kind, 1);
  t_assemble(&k.c, k.m, T_CSR, &s);
  bf_int  nf = 0;
  double *K = calloc((size_t)k.n * (size_t)k.n, sizeof *K), *M = calloc((size_t)k.n * (size_t)k.n, sizeof *M);
  for (bf_int i = 0; i < k.n; i++) nf += t_mass_entry(&k, i, i) > 0.0;
  for (bf_int i = 0, p = 0; i < k.n; i++) {
    if (!(t_mass_entry(&k, i, i) > 0.0)) continue;
    for (bf_int j = 0, q = 0; j < k.n; j++)
      if (t_mass_entry(&k, j, j) > 0.0) {
        K[p * nf + q] = s.dense[i * k.n + j];
        M[p * nf + q] = t_mass_entry(&k, i, j);
        q++;
      }
    p++;
  }
  const size_t      bytes = (size_t)nf * (size_t)nf * sizeof *K;
  bf_batch          A = {.type = BF_D, .n = nf, .ld = nf, .count = 1, .a = t_to_backend(K, bytes)}, B = A;
  const bf_heev_how how  = {.vectors = 0, .uplo = BF_LOWER};
  size_t            work = 0;
  bf_int            info = 1;
  void             *w = NULL, *wk = NULL, *inf = t_to_backend(&info, sizeof info);
  B.a = t_to_backend(M, bytes);
  T_OK(bf_batch_work(t_be, BF_HEGV, &A, &work));
  T_OK(t_be->ops.alloc(t_be, work, &wk));
  T_OK(t_be->ops.alloc(t_be, (size_t)nf * sizeof(double), &w));
  T_OK(bf_hegv_batch(t_be, &how, &A, &B, w, inf, wk));
  t_to_host(&w0, w, sizeof w0);
  t_to_host(&info, inf, sizeof info);
  assert_int_equal(info, 0);
  t_be->ops.release(t_be, A.a), t_be->ops.release(t_be, B.a), t_be->ops.release(t_be, w);
  t_be->ops.release(t_be, wk), t_be->ops.release(t_be, inf);
  free(K), free(M);
  t_system_clear(&s);
  t_mass_clear(&k);
  return sqrt(w0) / BF_TWO_PI / (0.5 * sqrt(1.25)) - 1.0;
}

static void frequencies_of_a_membrane_converge(void **state)
{
  (void)state;
  T_LONG;
  static const struct {
    bf_elem_type type;
    bf_mass      kind;
    double       rate, side; /* consistent masses: from above */
  } want[] = {{BF_TRI3, BF_MASS_CONSISTENT, 2, 1},  {BF_QUAD4, BF_MASS_CONSISTENT, 2, 1},
              {BF_QUAD4, BF_MASS_LUMPED, 2, -1},    {BF_TRI6, BF_MASS_CONSISTENT, 4, 1},
              {BF_QUAD8, BF_MASS_CONSISTENT, 4, 1}, {BF_QUAD9, BF_MASS_CONSISTENT, 4, 1}};
  for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
    const bf_int n  = bf_elem(want[i].type)->order == 2 ? 3 : 6;
    const double e1 = membrane_error(want[i].type, n, want[i].kind),
                 e2 = membrane_error(want[i].type, 2 * n + 1, want[i].kind); /* (n+1) x n, (2n+2) x (2n+1) */
    assert_true(e1 * want[i].side > 0.0 && e2 * want[i].side > 0.0);
    const double finer = sqrt(2.0 * (2 * n + 1) / n);
    T_NEAR(log(e1 / e2) / log(finer), want[i].rate, 0.45);
    T_LE(fabs(e2), want[i].rate > 3 ? 2e-4 : 2e-2);
  }
}

static void expect_refused(bf_physics physics, int what, int code, const char *text)
{
  t_case    c;
  bf_diags  diags = {0};
  bf_model *m     = NULL;
  t_case_create(&c, physics, BF_QUAD9, 1);
  c.p.analysis       = BF_MODAL;
  c.p.analysis_where = (bf_where){.file = "deck.yaml", .line = 3};
  if (what == 1) c.material[0].has_rho = 0;
  if (what == 2) t_load(&c, BF_LOAD_BODY_FORCE)->value[0] = t_number(1.0);
  if (what == 3) t_condition(&c, BF_BC_TRACTION, t_x_max, 1)->value[1] = t_number(1.0);
  if (what == 4) {
    bf_boundary *b = t_condition(&c, BF_BC_DISPLACEMENT, t_x_max, 1);
    b->given[0]    = 1;
    b->value[0]    = t_formula("y");
  }
  if (what == 5) {
    bf_boundary *b = t_condition(&c, BF_BC_CONVECTION, t_x_max, 1);
    b->h = t_number(1.0), b->ambient = t_number(20.0);
  }
  if (what == 6) c.p.condense = BF_CONDENSE_ON;
  T_ERR(BF_E_MODEL, bf_model_create(c.mesh, t_problem(&c), &diags, &m));
  assert_int_equal(diags.errors, 1);
  assert_int_equal(diags.item[0].code, code);
  T_CONTAINS(diags.item[0].text, text);
  bf_diags_clear(&diags);
  t_case_clear(&c);
}

static void what_has_no_part_in_vibrations_is_refused(void **state)
{
  (void)state;
  expect_refused(BF_HEAT, 1, 304, "density of material 'steel'");
  expect_refused(BF_ELASTICITY, 1, 304, "add rho, kg/m3");
  expect_refused(BF_ELASTICITY, 2, 316, "load 'body_force': it has no effect on free vibrations");
  expect_refused(BF_ELASTICITY, 3, 316, "traction: it has no effect");
  expect_refused(BF_ELASTICITY, 4, 316, "displacement prescribes");
  expect_refused(BF_HEAT, 5, 316, "an ambient value that is not 0");
  expect_refused(BF_ELASTICITY, 6, 315, "take part in vibrations");
  expect_refused(BF_ADVECTION, 0, 316, "does not vibrate");
}

int main(int argc, char **argv)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_membrane_has_its_frequencies),
      cmocka_unit_test(lumped_masses_bring_them_from_below),
      cmocka_unit_test(free_bodies_have_their_motions_and_no_more),
      cmocka_unit_test(effective_masses_add_up),
      cmocka_unit_test(frequencies_of_a_membrane_converge),
      cmocka_unit_test(what_has_no_part_in_vibrations_is_refused),
  };
  const int code = t_backend_open_columns(argc, argv);
  if (code) return code;
  omp_set_num_threads(1); /* hundreds of short steps: a barrier costs more where other programs run */
  return t_backend_close(T_RUN(tests));
}
