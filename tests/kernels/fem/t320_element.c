/* tests/kernels/fem/t320_element.c - element matrices, forces and loads of all shapes against the textbook
 * integrals
 *
 * usage: t320_element <backend>
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/kernels/fem/element_case.h"
#include <omp.h>

typedef struct shape {
  bf_form form;
  int     nen, rdim, sdim, ncomp, revolved;
} shape;

/* Node counts of every element type and face, all forms. */
static const shape all[] = {
    {BF_FORM_GRAD, 2, 1, 1, 1, 0},    {BF_FORM_GRAD, 3, 2, 2, 1, 0},    {BF_FORM_GRAD, 4, 2, 2, 1, 0},
    {BF_FORM_GRAD, 6, 2, 2, 1, 0},    {BF_FORM_GRAD, 8, 2, 2, 1, 0},    {BF_FORM_GRAD, 4, 3, 3, 1, 0},
    {BF_FORM_GRAD, 8, 3, 3, 1, 0},    {BF_FORM_GRAD, 10, 3, 3, 1, 0},   {BF_FORM_GRAD, 20, 3, 3, 1, 0},
    {BF_FORM_STRAIN, 2, 1, 1, 1, 0},  {BF_FORM_STRAIN, 3, 2, 2, 2, 0},  {BF_FORM_STRAIN, 4, 2, 2, 2, 0},
    {BF_FORM_STRAIN, 6, 2, 2, 2, 0},  {BF_FORM_STRAIN, 8, 2, 2, 2, 0},  {BF_FORM_STRAIN, 4, 3, 3, 3, 0},
    {BF_FORM_STRAIN, 8, 3, 3, 3, 0},  {BF_FORM_STRAIN, 10, 3, 3, 3, 0}, {BF_FORM_STRAIN, 20, 3, 3, 3, 0},
    {BF_FORM_STRAIN, 27, 3, 3, 3, 0}, {BF_FORM_STRAIN, 9, 2, 2, 2, 0},  {BF_FORM_MASS, 2, 1, 2, 1, 0},
    {BF_FORM_MASS, 3, 1, 2, 2, 0},    {BF_FORM_MASS, 2, 1, 3, 3, 0},    {BF_FORM_MASS, 3, 2, 3, 1, 0},
    {BF_FORM_MASS, 4, 2, 3, 3, 0},    {BF_FORM_MASS, 8, 2, 3, 3, 0},    {BF_FORM_MASS, 6, 2, 3, 1, 0},
    {BF_FORM_MASS, 4, 2, 2, 2, 0},    {BF_FORM_MASS, 8, 3, 3, 3, 0},    {BF_FORM_MASS, 20, 3, 3, 1, 0},
    {BF_FORM_GRAD, 3, 2, 2, 1, 1},    {BF_FORM_GRAD, 4, 2, 2, 1, 1},    {BF_FORM_GRAD, 6, 2, 2, 1, 1},
    {BF_FORM_GRAD, 8, 2, 2, 1, 1},    {BF_FORM_STRAIN, 3, 2, 2, 2, 1},  {BF_FORM_STRAIN, 4, 2, 2, 2, 1},
    {BF_FORM_STRAIN, 6, 2, 2, 2, 1},  {BF_FORM_STRAIN, 8, 2, 2, 2, 1},  {BF_FORM_MASS, 2, 1, 2, 1, 1},
    {BF_FORM_MASS, 3, 1, 2, 2, 1},    {BF_FORM_MASS, 4, 2, 2, 2, 1},    {BF_FORM_MASS, 6, 2, 2, 1, 1},
    {BF_FORM_MASS, 9, 2, 3, 3, 0},    {BF_FORM_GRAD, 27, 3, 3, 1, 0},
};
static t_batch batch(const shape *s, bf_int ne, uint64_t *seed)
{
  return s->revolved ? t_batch_revolved(s->form, s->nen, s->rdim, s->ncomp, ne, seed)
                     : t_batch_random(s->form, s->nen, s->rdim, s->sdim, s->ncomp, ne, seed);
}

enum { SHAPES = sizeof all / sizeof *all };

static void matrices_are_the_textbook_integrals(void **state)
{
  (void)state;
  uint64_t seed = 1;
  for (int k = 0; k < SHAPES; k++) {
    t_batch      b  = batch(&all[k], NE, &seed);
    const size_t nd = (size_t)(b.E.nen * b.E.ncomp);
    double      *h  = matrices(&b, 0, NE), K[81 * 81];
    for (bf_int e = 0; e < NE; e++) {
      t_element_matrix(&b.E, e, K);
      near_all(nd * nd, h + (size_t)e * nd * nd, K);
    }
    free(h);
    t_batch_free(&b);
  }
}

static void matrices_are_exactly_symmetric(void **state)
{
  (void)state;
  uint64_t seed = 2;
  t_batch  b    = t_batch_random(BF_FORM_STRAIN, 8, 3, 3, 3, NE, &seed);
  double  *h    = matrices(&b, 0, NE);
  for (int e = 0; e < NE; e++)
    for (int i = 0; i < 24; i++)
      for (int j = 0; j < 24; j++) assert_true(h[(e * 24 + i) * 24 + j] == h[(e * 24 + j) * 24 + i]);
  free(h);
  t_batch_free(&b);
}

static void missing_materials_and_factors_mean_the_first_and_one(void **state)
{
  (void)state;
  uint64_t seed = 3;
  t_batch  b    = t_batch_random(BF_FORM_GRAD, 8, 3, 3, 1, NE, &seed);
  double   K[64];
  free((void *)b.E.mat);
  free((void *)b.E.factor);
  b.E.mat    = NULL;
  b.E.factor = NULL;
  double *h  = matrices(&b, 0, NE);
  for (bf_int e = 0; e < NE; e++) {
    t_element_matrix(&b.E, e, K);
    near_all(64, h + e * 64, K);
  }
  free(h);
  t_batch_free(&b);
}

static void a_range_of_elements_gives_its_part_of_all(void **state)
{
  (void)state;
  uint64_t seed = 4;
  t_batch  b    = t_batch_random(BF_FORM_STRAIN, 4, 2, 2, 2, 700, &seed);
  double  *h = matrices(&b, 0, 700), *part = matrices(&b, 301, 577);
  assert_memory_equal(part, h + (size_t)301 * 64, (size_t)(577 - 301) * 64 * sizeof *h);
  bf_element_batch E = t_batch_on(t_be, &b);
  T_ERR(BF_E_ARG, BF_OP(t_be, element.matrix, &E, 0, 701, NULL));
  T_OK(BF_OP(t_be, element.matrix, &E, 20, 20, NULL));
  t_batch_off(t_be, &E);
  free(h);
  free(part);
  t_batch_free(&b);
}

static void forces_are_the_matrix_times_u(void **state)
{
  (void)state;
  uint64_t seed = 5;
  for (int k = 0; k < SHAPES; k++) {
    t_batch   b = batch(&all[k], NE, &seed);
    const int D = b.E.ncomp, nd = b.E.nen * D;
    double    K[81 * 81], f[81], *u = malloc((size_t)(b.nrows * D) * sizeof *u);
    for (int i = 0; i < b.nrows * D; i++) u[i] = 2.0 * t_uniform(&seed) - 1.0;
    double *h = forces(&b, u);
    for (bf_int e = 0; e < NE; e++) {
      t_element_matrix(&b.E, e, K);
      for (int i = 0; i < nd; i++) {
        f[i] = 0.0;
        for (int j = 0; j < nd; j++) f[i] += K[i * nd + j] * u[b.E.conn[e * b.E.nen + j / D] * D + j % D];
      }
      near_all((size_t)nd, h + e * nd, f);
    }
    free(h);
    free(u);
    t_batch_free(&b);
  }
}

static void loads_are_the_textbook_integrals(void **state)
{
  (void)state;
  uint64_t seed = 6;
  for (int k = 0; k < SHAPES; k++)
    for (int stride = 0; stride < 3; stride++) { /* constant; by element; by element and point */
      T_ONE_OF(5);
      t_batch   b = batch(&all[k], NE, &seed);
      const int D = b.E.ncomp, nd = b.E.nen * D;
      double    v[NE * 64 * 3], f[81];
      for (int i = 0; i < NE * 64 * 3; i++) v[i] = t_uniform(&seed) - 0.3;
      const bf_element_source s = {.value    = v,
                                   .stride_q = stride == 2 ? D : 0,
                                   .stride_e = stride == 2   ? b.E.nq * D
                                               : stride == 1 ? D + 1
                                                             : 0};
      double                 *h = loads(&b, v, NE * 64 * 3, s.stride_e, s.stride_q);
      for (bf_int e = 0; e < NE; e++) {
        t_element_source(&b.E, e, &s, f);
        near_all((size_t)nd, h + e * nd, f);
      }
      free(h);
      t_batch_free(&b);
    }
}

static void forces_of_a_stress_are_the_textbook_integrals(void **state)
{
  (void)state;
  uint64_t seed = 16;
  for (int k = 0; k < SHAPES; k++)
    for (int stride = 0; stride < 3; stride++) { /* constant; by element; by element and point */
      T_ONE_OF(5);
      t_batch   b  = batch(&all[k], NE, &seed);
      const int nv = b.E.nv, nd = b.E.nen * b.E.ncomp;
      double    v[NE * 64 * 6], f[81];
      for (int i = 0; i < NE * 64 * 6; i++) v[i] = t_uniform(&seed) - 0.3;
      const bf_element_source s = {.value    = v,
                                   .stride_q = stride == 2 ? nv : 0,
                                   .stride_e = stride == 2   ? b.E.nq * nv
                                               : stride == 1 ? nv + 1
                                                             : 0};
      double                 *h = stresses(&b, v, NE * 64 * 6, s.stride_e, s.stride_q);
      for (bf_int e = 0; e < NE; e++) {
        t_element_stress(&b.E, e, &s, f);
        near_all((size_t)nd, h + e * nd, f);
      }
      free(h);
      t_batch_free(&b);
    }
}

/* s = C B u at every point: the forces are those of u. */
static void forces_of_the_stress_of_u_are_the_forces_of_u(void **state)
{
  (void)state;
  static const double G[3][3] = {{0.3, -0.2, 0.5}, {0.1, 0.7, -0.4}, {0.25, 0.6, -0.1}};
  uint64_t            seed    = 17;
  for (int dim = 2; dim <= 3; dim++) {
    t_batch b         = t_batch_random(BF_FORM_STRAIN, 1 << dim, dim, dim, dim, 70, &seed);
    double *u         = malloc((size_t)(b.nrows * dim) * sizeof *u), s[70 * 6];
    double  strain[6] = {G[0][0], G[1][1], G[2][2], G[0][1] + G[1][0], G[1][2] + G[2][1], G[0][2] + G[2][0]};
    if (dim == 2) strain[2] = strain[3];
    for (int i = 0; i < b.nrows; i++)
      for (int c = 0; c < dim; c++) {
        u[i * dim + c] = 0.0;
        for (int d = 0; d < dim; d++) u[i * dim + c] += G[c][d] * b.E.x[3 * i + d];
      }
    for (int e = 0; e < 70; e++)
      for (int v = 0; v < b.E.nv; v++) {
        s[e * 6 + v] = 0.0;
        for (int k = 0; k < b.E.nv; k++)
          s[e * 6 + v] += b.E.C[(b.E.mat[e] * b.E.nv + v) * b.E.nv + k] * strain[k];
      }
    double *h = stresses(&b, s, sizeof s / sizeof *s, 6, 0), *f = forces(&b, u);
    near_all((size_t)(70 * b.E.nen * dim), h, f);
    free(h);
    free(f);
    free(u);
    t_batch_free(&b);
  }
}

static void a_stress_without_values_or_elements_is_refused(void **state)
{
  (void)state;
  uint64_t                seed = 18;
  t_batch                 b    = t_batch_random(BF_FORM_STRAIN, 4, 2, 2, 2, NE, &seed);
  const bf_element_source none = {0};
  bf_element_batch        E    = t_batch_on(t_be, &b);
  T_ERR(BF_E_ARG, BF_OP(t_be, element.stress, &E, 0, NE, &none, NULL));
  T_ERR(BF_E_ARG, BF_OP(t_be, element.stress, &E, 0, NE + 1, &none, NULL));
  t_batch_off(t_be, &E);
  t_batch_free(&b);
}

static void a_load_needs_no_coefficients(void **state)
{
  (void)state;
  uint64_t seed = 7;
  t_batch  b    = t_batch_random(BF_FORM_MASS, 4, 2, 3, 3, NE, &seed);
  free((void *)b.E.C);
  b.E.C             = NULL;
  const double v[3] = {1.0, 2.0, 3.0};
  double      *h = loads(&b, v, 3, 0, 0), sum = 0.0;
  for (int a = 0; a < 4; a++) sum += h[a * 3 + 1];
  T_NEAR(sum, 2.0 * t_element_measure(&b.E, 0), 1e-14);
  free(h);
  t_batch_free(&b);
}

static void results_repeat_bit_for_bit_on_any_number_of_threads(void **state)
{
  (void)state;
  uint64_t  seed = 9;
  t_batch   b    = t_batch_random(BF_FORM_STRAIN, 8, 3, 3, 3, 300, &seed);
  double   *h1   = matrices(&b, 0, 300);
  const int many = omp_get_max_threads();
  omp_set_num_threads(3);
  double *h2 = matrices(&b, 0, 300);
  omp_set_num_threads(1);
  double *h3 = matrices(&b, 0, 300);
  omp_set_num_threads(many);
  assert_memory_equal(h1, h2, (size_t)300 * 576 * sizeof *h1);
  assert_memory_equal(h1, h3, (size_t)300 * 576 * sizeof *h1);
  free(h1);
  free(h2);
  free(h3);
  t_batch_free(&b);
}

static void a_wrong_batch_is_refused_by_name(void **state)
{
  (void)state;
  uint64_t seed = 10;
  t_batch  b    = t_batch_random(BF_FORM_STRAIN, 8, 3, 3, 3, 1, &seed);
  T_OK(bf_element_batch_check_matrix(&b.E));
#define REFUSED(field, value)                                                                                \
  do {                                                                                                       \
    bf_element_batch E = b.E;                                                                                \
    E.field            = value;                                                                              \
    T_ERR(BF_E_ARG, bf_element_batch_check_matrix(&E));                                                      \
    T_CONTAINS(bf_err_message(), #field);                                                                    \
  } while (0)
  REFUSED(nen, 28);
  REFUSED(nen, 0);
  REFUSED(ncomp, 4);
  REFUSED(ncomp, 2);
  REFUSED(nq, 65);
  REFUSED(sdim, 4);
  REFUSED(rdim, 2);
  REFUSED(revolved, 1);
  REFUSED(nv, 3);
  REFUSED(ne, -1);
  REFUSED(w, NULL);
  REFUSED(dN, NULL);
  REFUSED(conn, NULL);
  REFUSED(x, NULL);
  REFUSED(C, NULL);
  REFUSED(form, (bf_form)7);
  REFUSED(dN0, b.E.dN); /* modes without their dM */
#undef REFUSED
  t_batch_free(&b);
}

int main(int argc, char **argv)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(matrices_are_the_textbook_integrals),
      cmocka_unit_test(matrices_are_exactly_symmetric),
      cmocka_unit_test(missing_materials_and_factors_mean_the_first_and_one),
      cmocka_unit_test(a_range_of_elements_gives_its_part_of_all),
      cmocka_unit_test(forces_are_the_matrix_times_u),
      cmocka_unit_test(loads_are_the_textbook_integrals),
      cmocka_unit_test(forces_of_a_stress_are_the_textbook_integrals),
      cmocka_unit_test(forces_of_the_stress_of_u_are_the_forces_of_u),
      cmocka_unit_test(a_stress_without_values_or_elements_is_refused),
      cmocka_unit_test(a_load_needs_no_coefficients),
      cmocka_unit_test(results_repeat_bit_for_bit_on_any_number_of_threads),
      cmocka_unit_test(a_wrong_batch_is_refused_by_name),
  };
  const int code = t_backend_open(argc, argv);
  return code ? code : t_backend_close(T_RUN(tests));
}
