/* tests/assembly/gfem/t261_gfem_rates.c - errors of generalised finite elements against reference numbers,
 * and their rates
 *
 * Heat on the unit square, u = sin(2.5 x + 0.3) sin(2 y + pi/2 - 0.4) prescribed all round, its source
 * inside; errors relative.  The reference numbers were found by another program (docs/verification.md).
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/assembly/gfem/gfem_case.h"

static void exact(const double *x, double *u, double (*g)[2])
{
  const double p = 2.5 * x[0] + 0.3, q = 2.0 * x[1] + 0.5 * acos(-1.0) - 0.4;
  u[0]    = sin(p) * sin(q);
  g[0][0] = 2.5 * cos(p) * sin(q);
  g[0][1] = 2.0 * sin(p) * cos(q);
}

#define SOLUTION "sin(2.5*x+0.3)*sin(2*y+1.5707963267948966-0.4)"

typedef struct t_setup {
  bf_elem_type  type;
  int           kind; /* 0 straight, 1 warped, 2 irregular */
  bf_patch_kind patch;
  t_format      format;
} t_setup;

static void solve(t_gfem *t, const t_setup *s, bf_int n, int order)
{
  static const char *const value[] = {SOLUTION};
  t_gfem_create(t, BF_HEAT, s->type, 1.0, 1.0, n, n, order);
  if (s->kind == 1) t_gfem_warp(t, 0.1);
  if (s->kind == 2) t_gfem_delaunay(t, 1.0 / n, 7);
  t_gfem_dirichlet(t, value);
  t_load(&t->c, BF_LOAD_HEAT_SOURCE)->value[0] = t_formula("10.25*" SOLUTION);
  t->c.p.patch                                 = s->patch;
  t_gfem_solve(t, s->format, 1e-12);
}

static void errors_are_those_of_the_reference(void **state)
{
  (void)state;
  T_LONG;
  static const struct {
    bf_elem_type type;
    bf_int       n;
    int          order;
    double       l2, h1, row;
  } expect[] = {
      {BF_TRI3, 8, 1, 1.746068e-2, 1.383114e-1, 5.90},    {BF_TRI3, 8, 2, 1.001848e-3, 1.719574e-2, 24.31},
      {BF_TRI3, 8, 3, 3.938843e-4, 6.653954e-3, 40.06},   {BF_TRI3, 16, 2, 9.299347e-5, 3.997323e-3, 31.11},
      {BF_TRI3, 16, 3, 2.601981e-5, 9.870502e-4, 65.68},  {BF_QUAD4, 8, 1, 1.158116e-2, 1.034907e-1, 7.37},
      {BF_QUAD4, 16, 2, 9.558460e-5, 2.398576e-3, 41.43}, {BF_QUAD4, 8, 3, 4.402931e-4, 6.387071e-3, 46.55},
      {BF_QUAD4, 16, 3, 2.441359e-5, 7.353895e-4, 86.44}, {BF_TRI3, 32, 2, 1.073e-5, 9.881e-4, 34.2},
      {BF_TRI3, 32, 3, 1.668e-6, 1.338e-4, 78.4},         {BF_QUAD4, 32, 2, 7.243e-6, 4.555e-4, 45.5},
      {BF_QUAD4, 32, 3, 1.371e-6, 8.736e-5, 104.3}};
  for (size_t k = 0; k < sizeof expect / sizeof *expect; k++) {
    const t_setup s = {expect[k].type, 0, BF_PATCH_RINGS, (t_format)(k % T_FORMATS)};
    t_gfem        t;
    solve(&t, &s, expect[k].n, expect[k].order);
    const t_rel e = t_gfem_errors(&t, expect[k].order + 4, exact);
    T_NEAR(e.l2 / expect[k].l2, 1.0, 0.01);
    T_NEAR(e.h1 / expect[k].h1, 1.0, 0.01);
    T_NEAR(t_row_length(&t) / expect[k].row, 1.0, 0.002);
    t_gfem_clear(&t);
  }
}

/* From n to 2n cells a side:  H1 at the rate of the order, L2 one more, data that are not zero anywhere. */
static void errors_fall_at_the_rate_of_the_order(void **state)
{
  (void)state;
  T_LONG;
  static const t_setup setup[] = {{BF_TRI3, 0, BF_PATCH_RINGS, T_BDIA_HALF},
                                  {BF_QUAD4, 0, BF_PATCH_RINGS, T_BDIA_HALF},
                                  {BF_QUAD4, 1, BF_PATCH_RINGS, T_BDIA_FULL},
                                  {BF_TRI3, 2, BF_PATCH_RINGS, T_CSR}};
  for (int k = 0; k < 4; k++)
    for (int order = 2; order <= 3; order++) {
      t_rel e[2];
      for (int i = 0; i < 2; i++) {
        t_gfem t;
        solve(&t, &setup[k], i ? 64 : 32, order);
        assert_int_equal(bf_gfem_of(t.m)->npoor, 0);
        e[i] = t_gfem_errors(&t, order + 3, exact);
        t_gfem_clear(&t);
      }
      const double h1 = log2(e[0].h1 / e[1].h1), l2 = log2(e[0].l2 / e[1].l2);
      print_message("%s kind %d order %d: H1 %.3e rate %.2f, L2 %.3e rate %.2f\n",
                    bf_elem(setup[k].type)->name, setup[k].kind, order, e[1].h1, h1, e[1].l2, l2);
      T_LE(order - 0.1, h1);
      T_LE(order + 0.9, l2);
    }
}

static void compact_patches_converge_too(void **state)
{
  (void)state;
  T_LONG;
  for (int kind = 0; kind < 3; kind++)
    for (int order = 2; order <= 3; order++) {
      const t_setup s = {kind == 2 ? BF_TRI3 : BF_QUAD4, kind, BF_PATCH_COMPACT, T_CSR};
      t_rel         e[2];
      for (int i = 0; i < 2; i++) {
        t_gfem t;
        solve(&t, &s, i ? 32 : 16, order);
        e[i] = t_gfem_errors(&t, order + 3, exact);
        t_gfem_clear(&t);
      }
      print_message("compact kind %d order %d: H1 %.3e rate %.2f\n", kind, order, e[1].h1,
                    log2(e[0].h1 / e[1].h1));
      T_LE(order - 0.1, log2(e[0].h1 / e[1].h1));
    }
}

/* Degree `order` polynomials with sources, conductivity by formula left out: exact to rounding. */
static void polynomials_of_the_order_are_solved_exactly(void **state)
{
  (void)state;
  static const char *const value[2][1] = {{"1+x-2*y+x*y+3*x*x-y*y"},
                                          {"1+x-2*y+x*y+3*x*x-y*y+x*x*x-2*x*x*y+y*y*y"}};
  static const char *const source[2]   = {"-4", "-4-6*x+4*y-6*y"};
  const double             tol[2]      = {1e-11, 1e-11};
  const bf_int             n           = t_quick() == 2 ? 4 : 8;
  for (int kind = 0; kind < 4; kind++)
    for (int order = 2; order <= 3; order++)
      for (int patch = BF_PATCH_RINGS; patch <= BF_PATCH_COMPACT; patch++) {
        T_ONE_OF(7);
        t_gfem t;
        double worst = 0.0;
        t_gfem_create(&t, BF_HEAT, kind == 0 || kind == 3 ? BF_TRI3 : BF_QUAD4, 1.0, 1.0, n, n, order);
        if (kind == 2) t_gfem_warp(&t, 0.1);
        if (kind == 3) t_gfem_delaunay(&t, 1.0 / n, 7);
        t.c.p.patch = (bf_patch_kind)patch;
        t_gfem_dirichlet(&t, value[order - 2]);
        t_load(&t.c, BF_LOAD_HEAT_SOURCE)->value[0] = t_formula(source[order - 2]);
        t_gfem_solve(&t, T_CSR, 1e-14);
        for (bf_int v = 0; v < t.c.mesh->nnodes; v++) {
          const double *x = t.c.mesh->x + 3 * v;
          double        u = 1 + x[0] - 2 * x[1] + x[0] * x[1] + 3 * x[0] * x[0] - x[1] * x[1];
          if (order == 3) u += x[0] * x[0] * x[0] - 2 * x[0] * x[0] * x[1] + x[1] * x[1] * x[1];
          worst = fmax(worst, fabs(t.u[v] - u));
        }
        T_LE(worst, tol[order - 2]);
        t_gfem_clear(&t);
      }
}

/* CG needs hardly more iterations than with plain elements. */
static void the_condition_stays_near_that_of_plain_elements(void **state)
{
  (void)state;
  T_LONG;
  for (int k = 0; k < 2; k++) {
    const t_setup s = {k ? BF_QUAD4 : BF_TRI3, 0, BF_PATCH_RINGS, T_CSR};
    int           iterations[4];
    for (int order = 1; order <= 3; order++) {
      t_gfem t;
      solve(&t, &s, 32, order);
      iterations[order] = t.report.iterations;
      t_gfem_clear(&t);
      T_LE(iterations[order], 1.4 * iterations[1]);
    }
  }
}

/* Largest over smallest eigenvalue of the matrix among free unknowns; it must be positive definite. */
static double condition(const t_gfem *t)
{
  const size_t N = (size_t)t->A->nrows;
  double      *K = NULL, *w = NULL;
  bf_int       n = 0, info = -1;
  bf_backend  *cpu = NULL;
  T_OK(bf_backend_create("cpu", NULL, &cpu));
  T_OK(BF_NEW_ARRAY(K, N * N));
  T_OK(BF_NEW_ARRAY(w, N));
  T_OK(bf_matrix_to_dense(t->A, K));
  for (size_t j = 0; j < N; j++) { /* prescribed rows and columns go; symmetric, so rows or columns first */
    if (t->m->fixed[t->num->node[j]]) continue;
    size_t at = (size_t)n++ * N;
    for (size_t i = 0; i < N; i++)
      if (!t->m->fixed[t->num->node[i]]) K[at++] = K[j * N + i];
  }
  const bf_batch A = {.type = BF_D, .n = n, .ld = (bf_int)N, .count = 1, .a = K};
  size_t         bytes;
  void          *work = NULL;
  T_OK(bf_batch_work(cpu, BF_HEEV, &A, &bytes));
  T_OK(cpu->ops.alloc(cpu, bytes, &work));
  T_OK(bf_heev_batch(cpu, &(bf_heev_how){0}, &A, w, &info, work));
  cpu->ops.release(cpu, work);
  assert_int_equal(info, 0);
  const double least = w[0], most = w[n - 1];
  bf_host_free(K);
  bf_host_free(w);
  bf_backend_destroy(&cpu);
  assert_true(least > 0.0);
  return most / least;
}

static void the_matrix_is_positive_definite_and_conditioned_as_the_reference(void **state)
{
  (void)state;
  T_LONG;
  static const struct {
    bf_elem_type type;
    bf_int       n;
    int          order;
    double       value;
  } known[] = {{BF_TRI3, 8, 1, 25.27},   {BF_TRI3, 8, 2, 28.16},  {BF_TRI3, 8, 3, 23.76},
               {BF_TRI3, 16, 2, 121.4},  {BF_TRI3, 16, 3, 102.6}, {BF_QUAD4, 8, 1, 12.82},
               {BF_QUAD4, 16, 2, 61.37}, {BF_QUAD4, 8, 3, 14.46}, {BF_QUAD4, 16, 3, 66.77}};
  for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
    const t_setup s = {known[k].type, 0, BF_PATCH_RINGS, T_CSR};
    t_gfem        t;
    solve(&t, &s, known[k].n, known[k].order);
    T_LE(fabs(condition(&t) / known[k].value - 1.0), 0.01);
    t_gfem_clear(&t);
  }
}

/* One line of a table: what an order costs and gives on 33 x 33 nodes. */
static t_rel table_line(const t_setup *s, bf_int n, int order)
{
  t_gfem t;
  solve(&t, s, n, order);
  const t_rel     e = t_gfem_errors(&t, 6, exact);
  const bf_bands *b = t.num->bands;
  print_message(
      "%s order %d: %5d unknowns %7lld nonzeros %6.1f a row %4d diagonals at most, bdia half %5.2f bytes/nz "
      "fill %.2f, L2 %.2e H1 %.2e, %d iterations\n",
      bf_elem(s->type)->name, order, t.num->nrows, (long long)t.num->nnz, (double)t.num->nnz / t.num->nrows,
      (int)(b->ptr[1] - b->ptr[0]), (double)bf_bdia_bytes(b, 1, 1, BF_FP64) / (double)t.num->nnz,
      (double)t.num->nnz / (double)bf_bands_slots(b, 0), e.l2, e.h1, t.report.iterations);
  t_gfem_clear(&t);
  return e;
}

static void order_two_beats_quadratic_elements_on_as_many_nodes(void **state)
{
  (void)state;
  T_LONG;
  for (int k = 0; k < 2; k++) {
    const t_setup linear    = {k ? BF_QUAD4 : BF_TRI3, 0, BF_PATCH_RINGS, T_CSR},
                  quadratic = {k ? BF_QUAD8 : BF_TRI6, 0, BF_PATCH_RINGS, T_CSR};
    t_rel e[4];
    for (int order = 1; order <= 3; order++) e[order] = table_line(&linear, 32, order);
    const t_rel q = table_line(&quadratic, 16, 1);
    T_LE(1.5 * e[2].h1, q.h1);
    T_LE(1.5 * e[2].l2, q.l2);
    T_LE(5.0 * e[3].h1, q.h1);
  }
}

/* Two runs, and the three formats: the same numbers. */
static void runs_repeat_bit_for_bit_and_formats_agree(void **state)
{
  (void)state;
  t_gfem t[T_FORMATS + 1];
  for (int k = 0; k <= T_FORMATS; k++) {
    const t_setup s = {BF_QUAD4, 1, BF_PATCH_RINGS, k < T_FORMATS ? (t_format)k : T_CSR};
    solve(&t[k], &s, t_quick() == 2 ? 4 : 12, 3);
  }
  for (bf_int v = 0; v < t[0].c.mesh->nnodes; v++) {
    T_NEAR(t[T_BDIA_FULL].u[v], t[T_CSR].u[v], 1e-10);
    T_NEAR(t[T_BDIA_HALF].u[v], t[T_CSR].u[v], 1e-10);
    assert_true(t[T_FORMATS].u[v] == t[T_CSR].u[v]);
  }
  for (int k = 0; k <= T_FORMATS; k++) t_gfem_clear(&t[k]);
}

int main(int argc, char **argv)
{
  const int code = t_backend_open(argc, argv);
  if (code) return code;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(errors_are_those_of_the_reference),
      cmocka_unit_test(errors_fall_at_the_rate_of_the_order),
      cmocka_unit_test(compact_patches_converge_too),
      cmocka_unit_test(polynomials_of_the_order_are_solved_exactly),
      cmocka_unit_test(the_matrix_is_positive_definite_and_conditioned_as_the_reference),
      cmocka_unit_test(the_condition_stays_near_that_of_plain_elements),
      cmocka_unit_test(order_two_beats_quadratic_elements_on_as_many_nodes),
      cmocka_unit_test(runs_repeat_bit_for_bit_and_formats_agree),
  };
  return t_backend_close(T_RUN(tests));
}
