/* tests/solvers/t450_aggregation.c - a coarsening by aggregates: the coarse matrix, the near-null space
 * usage: t450_aggregation <backend> */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/multigrid/block_rows.h"
#include "solvers/linear/multigrid/multigrid.h"
#include "tests/reference/dense.h"
#include "tests/solvers/body_case.h"
#include <omp.h>

typedef struct coarsening { /* of one body */
  t_body         B;
  bf_matrix     *A;
  bf_mg_stage    fine, coarse;
  bf_mg_transfer T;
} coarsening;

static void begin(coarsening *c, const t_body_form *form, bf_format format)
{
  int bad                      = 0;
  *c                           = (coarsening){.A = NULL};
  c->B                         = t_body_new(form);
  const bf_multigrid_body body = {.x = c->B.x, .rigid = c->B.D > 1};
  T_OK(bf_matrix_from_sparse(t_be, c->B.A, &(bf_matrix_form){.format = format, .ncomp = c->B.D}, &c->A));
  T_OK(bf_mg_stage_first(c->A, &body, &c->fine, &bad));
  assert_false(bad);
  T_OK(bf_mg_stage_modes(&c->fine));
  T_OK(bf_mg_lambda(&c->fine, 15, &c->fine.lambda));
}

static void end(coarsening *c)
{
  bf_mg_stage_release(&c->fine);
  bf_mg_stage_release(&c->coarse);
  if (c->T.destroy) c->T.destroy(c->T.self);
  bf_matrix_destroy(&c->A);
  t_body_free(&c->B);
}

static void coarsen(coarsening *c, double theta)
{
  int made = 0;
  T_OK(bf_mg_aggregates(&c->fine, &(bf_mg_choice){.theta = theta, .coarsest = 1}, &made, &c->coarse, &c->T));
  assert_true(made);
}

/* P[n][nc] from products with unit vectors. */
static double *prolongation(const coarsening *c)
{
  const size_t n = (size_t)c->fine.n, nc = (size_t)c->coarse.n;
  double      *p = calloc(n * nc, sizeof *p), *e = calloc(nc, sizeof *e), *x = calloc(n, sizeof *x);
  double      *de = t_to_backend(e, nc * sizeof *e), *dx = t_to_backend(x, n * sizeof *x);
  for (size_t j = 0; j < nc; j++) {
    e[j] = 1.0;
    T_OK(t_be->ops.copy(t_be, de, e, nc * sizeof *e, BF_TO_DEVICE));
    T_OK(t_be->ops.zero(t_be, dx, n * sizeof *x));
    T_OK(c->T.prolong(c->T.self, de, dx));
    t_to_host(x, dx, n * sizeof *x);
    for (size_t i = 0; i < n; i++) p[i * nc + j] = x[i];
    e[j] = 0.0;
  }
  free(e), free(x);
  t_be->ops.release(t_be, de);
  t_be->ops.release(t_be, dx);
  return p;
}

/* A_1 = P^T A P with the fp32 values of P; phantom unknowns have diagonal 1. */
static void check_galerkin(const coarsening *c)
{
  const size_t n = (size_t)c->fine.n, nc = (size_t)c->coarse.n;
  double      *p = prolongation(c), *dense = t_to_backend(p, nc * nc * sizeof *p),
         *ap = calloc(n * nc, sizeof *ap);
  double  *a = malloc(nc * nc * sizeof *a), *d = malloc(nc * sizeof *d), top = 0.0;
  uint8_t *phantom = malloc(nc);
  T_OK(bf_block_rows_to_dense(c->coarse.rows, dense));
  t_to_host(a, dense, nc * nc * sizeof *a);
  t_to_host(d, c->coarse.diagonal, nc * sizeof *d);
  t_to_host(phantom, c->coarse.fixed, nc);
  for (size_t i = 0; i < n; i++)
    for (int64_t k = c->B.A->ptr[i]; k < c->B.A->ptr[i + 1]; k++)
      for (size_t j = 0; j < nc; j++) ap[i * nc + j] += c->B.A->val[k] * p[(size_t)c->B.A->col[k] * nc + j];
  for (size_t j = 0; j < nc; j++) top = fmax(top, a[j * nc + j]);
  for (size_t x = 0; x < nc; x++) {
    assert_true(d[x] == a[x * nc + x] && d[x] > 0.0);
    for (size_t y = 0; y < nc; y++) {
      double s = phantom[x] && x == y ? 1.0 : 0.0;
      for (size_t i = 0; i < n; i++) s += p[i * nc + x] * ap[i * nc + y];
      T_NEAR(a[x * nc + y], s, 2e-6 * top);
      if (phantom[x] && x != y) assert_true(a[x * nc + y] == 0.0 && a[y * nc + x] == 0.0);
    }
  }
  free(p), free(ap), free(a), free(d), free(phantom);
  t_be->ops.release(t_be, dense);
}

static const t_body_form heat   = {.cells = {9, 7, 6}, .D = 1};
static const t_body_form bar    = {.cells = {7, 5, 4}, .D = 3, .nu = 0.3};
static const t_body_form tets   = {.cells = {7, 4, 4}, .D = 3, .nu = 0.3, .tets = 1};
static const t_body_form fibres = {.cells = {9, 7, 4}, .D = 3, .nu = 0.3, .coefficient = t_fibres};

static void the_coarse_matrix_is_that_of_galerkin(void **state)
{
  (void)state;
  const t_body_form *forms[]   = {&heat, &bar, &tets, &fibres};
  const bf_format    formats[] = {BF_FORMAT_CSR, BF_FORMAT_BDIA, BF_FORMAT_HYBRID, BF_FORMAT_ELL};
  for (int f = 0; f < 4; f++) {
    coarsening c;
    begin(&c, forms[f], formats[f]);
    coarsen(&c, 0.02);
    check_galerkin(&c);
    end(&c);
  }
}

/* modes = P R where the neighbours of a node are free, since A modes = 0 there. */
static void the_near_null_space_is_reproduced_away_from_fixed_unknowns(void **state)
{
  (void)state;
  const t_body_form *forms[] = {&heat, &bar, &tets};
  for (int f = 0; f < 3; f++) {
    coarsening c;
    begin(&c, forms[f], BF_FORMAT_CSR);
    coarsen(&c, 0.0);
    const size_t n = (size_t)c.fine.n, nc = (size_t)c.coarse.n, q = (size_t)c.fine.nmodes;
    const size_t held = (size_t)((forms[f]->cells[1] + 1) * (forms[f]->cells[2] + 1) * c.B.D);
    double      *p = prolongation(&c), *b = malloc(q * n * sizeof *b), *r = malloc(q * nc * sizeof *r);
    t_to_host(b, c.fine.modes, q * n * sizeof *b);
    t_to_host(r, c.coarse.modes, q * nc * sizeof *r);
    assert_int_equal(c.coarse.nmodes, q);
    assert_int_equal(c.coarse.ncomp, q);
    for (size_t m = 0; m < q; m++)
      for (size_t i = 0; i < n; i++) {
        double s = 0.0;
        for (size_t j = 0; j < nc; j++) s += p[i * nc + j] * r[m * nc + j];
        if (i < held) T_NEAR(s, 0.0, 0.0);
        if (i >= 2 * held) T_NEAR(s, b[m * n + i], 1e-6);
      }
    free(p), free(b), free(r);
    end(&c);
  }
}

/* Runs of four nodes; the fixed ones in none. */
static bf_int given(const coarsening *c, const t_body_form *form, bf_int **out)
{
  const bf_int held = (form->cells[1] + 1) * (form->cells[2] + 1);
  bf_int      *a    = malloc((size_t)c->B.n * sizeof *a);
  for (bf_int i = 0; i < c->B.n; i++) a[i] = i < held ? -1 : (i - held) / 4;
  *out = t_to_backend(a, (size_t)c->B.n * sizeof *a);
  free(a);
  return (c->B.n - held + 3) / 4;
}

static void aggregates_can_be_given(void **state)
{
  (void)state;
  const t_body_form *forms[] = {&heat, &bar};
  for (int f = 0; f < 2; f++)
    for (int smoothed = 0; smoothed < 2; smoothed++) {
      coarsening c;
      bf_int    *aggregate = NULL;
      begin(&c, forms[f], BF_FORMAT_BDIA);
      const bf_int count = given(&c, forms[f], &aggregate);
      T_OK(bf_mg_aggregate_with(&c.fine, aggregate, count, smoothed, &c.coarse, &c.T));
      assert_int_equal(c.coarse.n, count * c.fine.nmodes);
      check_galerkin(&c);
      double *p    = prolongation(&c);
      int64_t more = 0; /* entries outside the own aggregate */
      for (bf_int i = 0; i < c.fine.n; i++)
        for (bf_int j = 0; j < c.coarse.n; j++) {
          const bf_int held = (forms[f]->cells[1] + 1) * (forms[f]->cells[2] + 1);
          const bf_int node = i / c.B.D, own = node < held ? -1 : (node - held) / 4;
          more += p[(size_t)i * (size_t)c.coarse.n + (size_t)j] != 0.0 && j / c.fine.nmodes != own;
        }
      assert_true(smoothed ? more > 0 : more == 0);
      free(p);
      t_be->ops.release(t_be, aggregate);
      end(&c);
    }
}

static void a_diagonal_matrix_has_nothing_to_gain(void **state)
{
  (void)state;
  bf_sparse *S = NULL;
  coarsening c = {.A = NULL};
  int        bad, made = 1;
  T_OK(bf_sparse_create(60, 60, 60, &S));
  for (bf_int i = 0; i < 60; i++) S->col[i] = i, S->val[i] = 1.0 + i, S->ptr[i + 1] = i + 1;
  T_OK(bf_matrix_from_sparse(t_be, S, &(bf_matrix_form){.format = BF_FORMAT_CSR}, &c.A));
  T_OK(bf_mg_stage_first(c.A, NULL, &c.fine, &bad));
  T_OK(bf_mg_aggregates(&c.fine, &(bf_mg_choice){.theta = 0.02}, &made, &c.coarse, &c.T));
  assert_int_equal(made, 0);
  assert_null(c.coarse.be);
  assert_null(c.T.self);
  bf_sparse_destroy(&S);
  end(&c);
}

/* Couplings below the threshold alone: it is halved until aggregates are large. */
static void a_threshold_that_separates_all_nodes_is_lowered(void **state)
{
  (void)state;
  coarsening c;
  begin(&c, &heat, BF_FORMAT_CSR);
  coarsen(&c, 0.9);
  T_LE((double)c.coarse.n, 0.25 * (double)c.fine.n);
  check_galerkin(&c);
  end(&c);
}

static void repeats_have_the_same_bits(void **state)
{
  (void)state;
  const int threads = omp_get_max_threads();
  double   *first   = NULL;
  for (int run = 0; run < 3; run++) {
    coarsening c;
    omp_set_num_threads(run == 0 ? 1 : run == 1 ? 2 : 7);
    begin(&c, &(t_body_form){.cells = {12, 10, 10}, .D = 3, .nu = 0.3, .tets = 1}, BF_FORMAT_CSR);
    coarsen(&c, 0.02);
    const size_t nc = (size_t)c.coarse.n;
    double      *a = malloc(nc * nc * sizeof *a), *dense = t_to_backend(a, nc * nc * sizeof *a);
    T_OK(bf_block_rows_to_dense(c.coarse.rows, dense));
    t_to_host(a, dense, nc * nc * sizeof *a);
    t_be->ops.release(t_be, dense);
    if (first) {
      assert_memory_equal(first, a, nc * nc * sizeof *a);
      free(a);
    } else {
      first = a;
    }
    end(&c);
  }
  omp_set_num_threads(threads);
  free(first);
}

int main(int argc, char **argv)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_coarse_matrix_is_that_of_galerkin),
      cmocka_unit_test(the_near_null_space_is_reproduced_away_from_fixed_unknowns),
      cmocka_unit_test(aggregates_can_be_given),
      cmocka_unit_test(a_diagonal_matrix_has_nothing_to_gain),
      cmocka_unit_test(a_threshold_that_separates_all_nodes_is_lowered),
      cmocka_unit_test(repeats_have_the_same_bits),
  };
  const int code = t_backend_open(argc, argv);
  return code ? code : t_backend_close(T_RUN(tests));
}
