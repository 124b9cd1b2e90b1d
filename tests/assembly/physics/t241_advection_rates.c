/* tests/assembly/physics/t241_advection_rates.c - errors of stabilised advection and diffusion: the rates of
 * the theory, layers that stay where they are, and how far Galerkin's method oscillates
 *
 * Manufactured solutions in a rotating flow on curved meshes, diffusion from weak to strong: L2 rate p + 1,
 * rate p of the gradient.  A boundary layer with a known solution; a front across the mesh (Brooks and Hughes
 * 1982).  All figures are printed to stderr.
 * usage: t241_advection_rates <backend> */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/assembly/convergence.h"
#include "tests/shuffle.h"

typedef struct variant {
  const char *name;
  double      D, r;
  const char *Dtext;
} variant;
/* cell Peclet numbers from 20 and 0.05 on */
static const variant carried = {"D = 0.002", 0.002, 1.0, "0.002"}, spread = {"D = 1", 1.0, 1.0, "1"};

/* v = (1 + y, 0.5 - x, 0.25): free of divergence */
static void manufacture(t_case *c, const variant *v, const t_field *f, t_problem_text *text)
{
  static const char *const times[3] = {"*(1 + y)", "*(0.5 - x)", "*0.25"};
  memset(text, 0, sizeof *text);
  c->material[0].diffusivity = t_formula(v->Dtext);
  c->material[0].reaction    = t_number(v->r);
  c->material[0].velocity[0] = t_formula("1 + y");
  c->material[0].velocity[1] = t_formula("0.5 - x");
  c->material[0].velocity[2] = t_number(0.25);
  t_append_term(text->value[0], "", 1.0, f, 0, -1, -1);
  t_append_term(text->load[0], "", v->r, f, 0, -1, -1);
  for (int d = 0; d < f->dim; d++) {
    t_append_term(text->load[0], times[d], 1.0, f, 0, d, -1);
    t_append_term(text->load[0], "", -v->D, f, 0, d, d);
  }
  t_condition(c, BF_BC_VALUE, t_sides, t_nsides(c))->value[0] = t_formula(text->value[0]);
  t_load(c, BF_LOAD_SOURCE)->value[0]                         = t_formula(text->load[0]);
}

static void square(t_case *c, bf_elem_type type, bf_int cells)
{
  const double size[3] = {1.0, 1.0, 1.0};
  const bf_int n[3]    = {cells, cells, cells};
  t_case_create(c, BF_ADVECTION, type, 1);
  bf_mesh_destroy(&c->mesh);
  c->mesh = t_generated(size, n, type);
}

static void rates(const variant *v, bf_elem_type type, const bf_int *cells, int nmeshes)
{
  const bf_elem_info *info = bf_elem(type);
  t_field             f    = {.ncomp = 1, .dim = info->dim, .a = {1.0}, .s = {{0.3, 0.7, 0.2}}};
  t_problem_text      text;
  double              before[2] = {0.0, 0.0}, rate[2] = {0.0, 0.0};
  for (int d = 0; d < 3; d++) f.k[0][d] = t_pi;
  for (int k = 0; k < nmeshes; k++) {
    t_case c;
    bf_int unknowns;
    square(&c, type, cells[k]);
    t_map(c.mesh, c.mesh->dim == 3 ? t_curve_3d : t_curve_2d);
    manufacture(&c, v, &f, &text);
    double       *u    = t_solve_iteratively(&c, &unknowns);
    const t_norms n    = t_errors(&c, u, info->order + 2, t_field_exact, &f);
    const double  e[2] = {sqrt(n.l2 / n.l2_of_u), sqrt(n.energy / n.energy_of_u)};
    fprintf(stderr, "| %s | %s | %d | %d |", v->name, info->name, (int)cells[k], (int)unknowns);
    for (int i = 0; i < 2; i++) {
      if (k > 0) rate[i] = log(before[i] / e[i]) / log((double)cells[k] / cells[k - 1]);
      fprintf(stderr, k > 0 ? " %.3e | %.3f |" : " %.3e | |", e[i], rate[i]);
      before[i] = e[i];
    }
    fprintf(stderr, "\n");
    bf_host_free(u);
    t_case_clear(&c);
  }
  for (int i = 0; i < 2; i++)
    if (!(rate[i] >= info->order + 1 - i - 0.2))
      fail_msg("%s, %s: %s rate %.3f, below %d", v->name, info->name, i ? "gradient" : "L2", rate[i],
               info->order + 1 - i);
}

static void all_types(const variant *v, int dim)
{
  static const bf_int cells[2][2][3] = {{{16, 32, 64}, {8, 16, 32}}, {{6, 9, 14}, {3, 5, 8}}};
  for (int t = 0; t < T_TYPES; t++)
    if (bf_elem(t_types[t])->dim == dim)
      rates(v, t_types[t], cells[dim - 2][bf_elem(t_types[t])->order - 1], 3);
}

static void plane_elements_converge_where_the_flow_rules(void **state)
{
  (void)state;
  T_LONG;
  all_types(&carried, 2);
}
static void plane_elements_converge_where_diffusion_rules(void **state)
{
  (void)state;
  T_LONG;
  all_types(&spread, 2);
}
static void solid_elements_converge(void **state)
{
  (void)state;
  T_LONG;
  all_types(&carried, 3);
}

/* u = X(x) X(y), X = x - (e^((x-1)/D) - e^(-1/D))/(1 - e^(-1/D)): a layer at x = 1 and y = 1, smooth
 * elsewhere; X' - D X'' = 1, so the source is X(x) + X(y). */
static double smooth(double D, double x)
{
  return x - (exp((x - 1.0) / D) - exp(-1.0 / D)) / (1.0 - exp(-1.0 / D));
}

static void smooth_exact(const void *context, const double *x, double u[3], double g[3][3])
{
  const double *D = context;
  (void)g; /* the gradient is not looked at */
  u[0] = smooth(*D, x[0]) * smooth(*D, x[1]);
}

/* L2 error, and least and largest value, of the elements with x, y <= 0.9. */
static double outside_the_layer(const t_case *c, const double *u, double D, double range[2])
{
  t_norms n = {0};
  for (int b = 0; b < c->mesh->nblocks; b++) {
    const bf_block *B   = &c->mesh->block[b];
    const int       nen = bf_elem(B->type)->nnodes;
    bf_rule         rule;
    if (bf_elem(B->type)->dim != 2) continue;
    T_OK(bf_quadrature(B->type, 3, BF_RULE_STIFFNESS, &rule));
    for (bf_int e = 0; e < B->n; e++) {
      const bf_int *node = B->node + e * nen;
      int           out  = 1;
      for (int a = 0; a < nen; a++)
        out &= c->mesh->x[3 * node[a]] < 0.9 + 1e-9 && c->mesh->x[3 * node[a] + 1] < 0.9 + 1e-9;
      for (int a = 0; a < nen && out; a++) {
        range[0] = fmin(range[0], u[node[a]]);
        range[1] = fmax(range[1], u[node[a]]);
      }
      for (int q = 0; q < rule.n && out; q++)
        t_add_point(c, B->type, node, u, smooth_exact, &D, rule.xi[q], rule.w[q], &n);
    }
  }
  return sqrt(n.l2);
}

/* Distorted meshes, as squares contain x y. */
static void a_layer_does_not_reach_into_the_body(void **state)
{
  (void)state;
  T_LONG;
  static const bf_elem_type type[] = {BF_QUAD4, BF_TRI3};
  const double              D[]    = {1e-2, 1e-3, 1e-4};
  for (int t = 0; t < 2; t++)
    for (int k = 0; k < 3; k++) {
      double before = 0.0, rate = 0.0;
      char   text[512];
      snprintf(text, sizeof text,
               "x - (exp((x-1)/%.17g) - exp(-1/%.17g))/(1 - exp(-1/%.17g)) + y - (exp((y-1)/%.17g) - "
               "exp(-1/%.17g))/(1 "
               "- exp(-1/%.17g))",
               D[k], D[k], D[k], D[k], D[k], D[k]);
      for (bf_int n = 20; n <= 80; n *= 2) {
        t_case c;
        bf_int unknowns;
        double range[2] = {0.0, 0.0};
        square(&c, type[t], n);
        t_distort(c.mesh, 0.15 / n, 0);
        c.material[0].diffusivity = t_number(D[k]);
        c.material[0].velocity[0] = c.material[0].velocity[1] = t_number(1.0);
        t_condition(&c, BF_BC_VALUE, t_sides, 4)->value[0]    = t_number(0.0);
        t_load(&c, BF_LOAD_SOURCE)->value[0]                  = t_formula(text);
        double      *u                                        = t_solve_iteratively(&c, &unknowns);
        const double error                                    = outside_the_layer(&c, u, D[k], range);
        rate                                                  = log(before / error) / log(2.0);
        fprintf(stderr, "| smooth layer, D = %g | %s | %d | %.3e | %.2f | %.3f to %.3f |\n", D[k],
                bf_elem(type[t])->name, (int)n, error, before > 0.0 ? rate : 0.0, range[0], range[1]);
        before = error;
        assert_true(range[0] > -0.05 && range[1] < 1.1 && range[1] > 0.7);
        bf_host_free(u);
        t_case_clear(&c);
      }
      T_LE(1.8, rate);
    }
}

/* Front that enters at y = 0.2 on x = 0 and crosses the mesh; the solution lies between 0 and 1.  Where 0 is
 * held (bits of held: x_max, y_max) the front ends in a layer thinner than any cell, where SUPG overshoots
 * too. */
static void skew(bf_elem_type type, double degrees, int held, int stable, double *under, double *over)
{
  static const char *const where[] = {"", ", held on x_max", ", held on y_max", ", held on both"};
  t_case                   c;
  double                  *u = NULL;
  const double             t = degrees * t_pi / 180.0;
  square(&c, type, 20);
  c.p.stabilized                                         = stable;
  c.material[0].diffusivity                              = t_number(1e-6);
  c.material[0].velocity[0]                              = t_number(cos(t));
  c.material[0].velocity[1]                              = t_number(sin(t));
  t_condition(&c, BF_BC_VALUE, t_sides, 1)->value[0]     = t_formula("y > 0.2 - 1e-9");
  t_condition(&c, BF_BC_VALUE, t_sides + 2, 1)->value[0] = t_number(0.0);
  if (held & 1) t_condition(&c, BF_BC_VALUE, t_sides + 1, 1)->value[0] = t_number(0.0);
  if (held & 2) t_condition(&c, BF_BC_VALUE, t_sides + 3, 1)->value[0] = t_formula("x < 1e-9");
  t_solve(&c, T_CSR, &u); /* without stabilisation no iteration gets through */
  *under = *over = 0.0;
  for (bf_int i = 0; i < c.mesh->nnodes; i++) {
    *under = fmax(*under, -u[i]);
    *over  = fmax(*over, u[i] - 1.0);
  }
  fprintf(stderr, "| front at %g degrees%s | %s | %s | %.1f %% | %.1f %% |\n", degrees, where[held],
          bf_elem(type)->name, stable ? "SUPG" : "Galerkin", 100.0 * *under, 100.0 * *over);
  bf_host_free(u);
  t_case_clear(&c);
}

static void a_front_across_the_mesh_overshoots_little(void **state)
{
  (void)state;
  T_LONG;
  const double degrees[] = {22.5, 45.0, 67.5};
  for (int k = 0; k < 3; k++)
    for (int t = 0; t < 2; t++)
      for (int held = 0; held < 4; held++)
        for (int stable = 0; stable < 2; stable++) {
          double    under, over;
          const int steep = k == 2 ? 2 : 1; /* the side that takes more of the flow */
          if (held == 3 - steep) continue;
          skew(t ? BF_TRI3 : BF_QUAD4, degrees[k], held, stable, &under, &over);
          if (stable) assert_true(under < 0.25 && over < (held == 3 ? 0.7 : 0.25));
          if (!stable && held && t == 0)
            assert_true(under > 0.5 || over > 0.5); /* diagonals follow 45 degrees */
        }
}

/* Greatest residual of BiCGStab on its way, relative; iterations, or -1. */
static double greatest_residual(t_case *c, int from_zero, int *iterations)
{
  bf_model       *m   = t_model(c);
  bf_numbering   *num = NULL;
  bf_matrix      *A   = NULL;
  double         *b = NULL, *x = NULL, *row = NULL, most = 0.0;
  bf_solve_report rep;
  T_OK(bf_numbering_create(c->mesh, BF_ORDER_FILE, &num));
  T_OK(bf_matrix_create_bdia(t_be, num->bands, 1, 0, BF_FP64, num->nnz, &A));
  T_OK(bf_vector_create(t_be, A->nrows, A->guard, &b));
  T_OK(bf_vector_create(t_be, A->nrows, A->guard, &x));
  T_OK(bf_model_assemble(m, num, A, b, x, NULL));
  if (from_zero) {
    T_OK(BF_NEW_ARRAY(row, A->nrows));
    for (bf_int v = 0; v < c->mesh->nnodes; v++) row[num->row[v]] = c->mesh->x[3 * v] < 1e-9;
    T_OK(t_be->ops.copy(t_be, x, row, (size_t)A->nrows * sizeof *row, BF_TO_DEVICE));
  }
  const bf_solve_options opt = {
      .method = BF_METHOD_BICGSTAB, .precond = BF_PRECOND_JACOBI, .rtol = 1e-10, .max_iterations = 2000};
  T_OK(bf_solve(A, NULL, b, x, &opt, &rep));
  for (int i = 0; i < rep.nhistory; i++) most = fmax(most, rep.history[i]);
  *iterations = rep.reason == BF_KRYLOV_CONVERGED ? rep.iterations : -1;
  bf_solve_report_clear(&rep);
  bf_host_free(row);
  bf_vector_destroy(t_be, A->guard, &b);
  bf_vector_destroy(t_be, A->guard, &x);
  bf_matrix_destroy(&A);
  bf_numbering_destroy(&num);
  bf_model_destroy(&m);
  return most;
}

/* 80 cells along the flow: from a start of 0 the residual grows a thousandfold and more before it falls. */
static void an_iteration_gets_through_a_long_mesh(void **state)
{
  (void)state;
  const double size[3] = {2.0, 0.5, 0.5};
  const bf_int n[3]    = {t_quick() == 2 ? 8 : 80, 8, 8};
  t_case       c;
  int          it, from_zero;
  square(&c, BF_HEX8, 1);
  bf_mesh_destroy(&c.mesh);
  T_OK(bf_mesh_box(size, n, BF_HEX8, &c.mesh));
  c.material[0].diffusivity = t_number(2e-3);
  c.material[0].velocity[0] = t_formula("256*y*(0.5 - y)*z*(0.5 - z)");
  c.material[0].velocity[1] = c.material[0].velocity[2] = t_number(0.0);
  t_condition(&c, BF_BC_VALUE, t_x_min, 1)->value[0]    = t_number(1.0);
  const double bad = greatest_residual(&c, 1, &from_zero), good = greatest_residual(&c, 0, &it);
  fprintf(stderr, "| start | greatest residual | iterations |\n| 0 | %.3g | %d |\n| noise | %.3g | %d |\n",
          bad, from_zero, good, it);
  assert_true(it > 0);
  if (t_quick() < 2) {
    T_LE(good, 200.0);
    T_LE(4.0 * good, bad);
  }
  t_case_clear(&c);
}

int main(int argc, char **argv)
{
  const int code = t_backend_open(argc, argv);
  if (code) return code;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(plane_elements_converge_where_the_flow_rules),
      cmocka_unit_test(plane_elements_converge_where_diffusion_rules),
      cmocka_unit_test(solid_elements_converge),
      cmocka_unit_test(a_layer_does_not_reach_into_the_body),
      cmocka_unit_test(an_iteration_gets_through_a_long_mesh),
      cmocka_unit_test(a_front_across_the_mesh_overshoots_little),
  };
  return t_backend_close(T_RUN(tests));
}
