/* tests/solvers/t458_spectral_backends.c - one step of spectral aggregation: the CPU's on every backend, the
 * same bits in repeats
 * usage: t458_spectral_backends <backend> */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "solvers/linear/multigrid/spectral.h"
#include "tests/solvers/body_case.h"
#include <string.h>

typedef struct step { /* host, owned: P P^T r, which does not depend on the basis of a space of vectors */
  bf_int  n, nc;
  int64_t nnz;
  double *y, *modes;
  double  sum; /* of the squares of coarse element matrices */
} step;

static void free_step(step *s)
{
  free(s->y);
  free(s->modes);
}

static double squares(const bf_mg_local *l)
{
  const bf_element_set *E = &l->elements.set;
  int64_t               numbers;
  double                sum = 0.0;
  t_to_host(&numbers, E->at + E->ne, sizeof numbers);
  T_OK(t_be->ops.sync(t_be));
  double *K = malloc((size_t)numbers * sizeof *K);
  assert_non_null(K);
  t_to_host(K, E->K, (size_t)numbers * sizeof *K);
  T_OK(t_be->ops.sync(t_be));
  for (int64_t k = 0; k < numbers; k++) sum += K[k] * K[k];
  free(K);
  return sum;
}

static step one_step(const t_body_form *form, bf_format format)
{
  t_body                  B    = t_body_new(form);
  t_elements              E    = t_elements_of(form);
  const bf_multigrid_body body = {.x = B.x, .rigid = B.D > 1, .elements = t_give_elements, .context = &E};
  const bf_mg_choice      how  = {.theta = 0.02, .tau = 0.2, .coarsest = 0};
  bf_matrix              *A    = NULL;
  bf_mg_stage             fine, coarse;
  bf_mg_transfer          T;
  int                     bad, made;
  T_OK(bf_matrix_from_sparse(t_be, B.A, &(bf_matrix_form){.format = format, .ncomp = B.D}, &A));
  T_OK(bf_mg_stage_first(A, &body, &fine, &bad));
  T_OK(bf_mg_lattice(A, fine.grid));
  T_OK(bf_mg_stage_modes(&fine));
  T_OK(bf_mg_lambda(&fine, 15, &fine.lambda));
  T_OK(bf_mg_request_elements(&fine, &body));
  T_OK(bf_mg_spectral(&fine, &how, &made, &coarse, &T));
  assert_true(made);
  step    s = {.n = fine.n, .nc = coarse.n, .nnz = coarse.rows->nnz, .sum = squares(coarse.local)};
  double *r = t_to_backend(B.b, (size_t)fine.n * sizeof *r), *rc = NULL, *y = NULL;
  T_OK(bf_vector_create(t_be, s.nc, 0, &rc));
  T_OK(bf_vector_create(t_be, s.n, 0, &y));
  T_OK(T.restricted(T.self, r, rc));
  T_OK(T.prolong(T.self, rc, y));
  s.y     = malloc((size_t)s.n * sizeof *s.y);
  s.modes = malloc((size_t)(coarse.nmodes * s.nc) * sizeof *s.modes);
  assert_true(s.y && s.modes);
  t_to_host(s.y, y, (size_t)s.n * sizeof *s.y);
  t_to_host(s.modes, coarse.modes, (size_t)(coarse.nmodes * s.nc) * sizeof *s.modes);
  T_OK(t_be->ops.sync(t_be));
  t_be->ops.release(t_be, r);
  bf_vector_destroy(t_be, 0, &rc);
  bf_vector_destroy(t_be, 0, &y);
  T.destroy(T.self);
  bf_mg_stage_release(&coarse);
  bf_mg_stage_release(&fine);
  bf_matrix_destroy(&A);
  t_elements_free(&E);
  t_body_free(&B);
  return s;
}

static void compare(const t_body_form *form, bf_format format)
{
  bf_backend *given = t_be, *cpu = NULL;
  step        one = one_step(form, format), again = one_step(form, format);
  assert_int_equal(one.nc, again.nc);
  assert_memory_equal(one.y, again.y, (size_t)one.n * sizeof *one.y);
  assert_memory_equal(one.modes, again.modes, (size_t)one.nc * sizeof *one.modes);
  assert_memory_equal(&one.sum, &again.sum, sizeof one.sum);
  T_OK(bf_backend_create("cpu", NULL, &cpu));
  t_be       = cpu;
  step other = one_step(form, format);
  t_be       = given;
  bf_backend_destroy(&cpu);
  double top = 0.0;
  for (bf_int i = 0; i < one.n; i++) top = fmax(top, fabs(other.y[i]));
  assert_int_equal(one.nc, other.nc);
  assert_int_equal(one.nnz, other.nnz);
  for (bf_int i = 0; i < one.n; i++) T_NEAR(one.y[i], other.y[i], 1e-5 * top); /* values of P are fp32 */
  T_NEAR(one.sum, other.sum, 1e-6 * other.sum);
  free_step(&one);
  free_step(&again);
  free_step(&other);
}

static void fibres_on_a_lattice(void **state)
{
  (void)state;
  compare(&(t_body_form){.cells = {10, 8, 8}, .D = 3, .nu = 0.3, .coefficient = t_fibres}, BF_FORMAT_BDIA);
}

static void fibres_of_tetrahedra(void **state)
{
  (void)state;
  compare(&(t_body_form){.cells = {6, 6, 6}, .D = 3, .nu = 0.3, .tets = 1, .coefficient = t_fibres},
          BF_FORMAT_CSR);
}

static void channels_on_a_lattice(void **state)
{
  (void)state;
  compare(&(t_body_form){.cells = {12, 12, 12}, .D = 1, .coefficient = t_channels}, BF_FORMAT_BDIA);
}

int main(int argc, char **argv)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(fibres_on_a_lattice),
      cmocka_unit_test(fibres_of_tetrahedra),
      cmocka_unit_test(channels_on_a_lattice),
  };
  const int code = t_backend_open(argc, argv);
  return code ? code : t_backend_close(T_RUN(tests));
}
