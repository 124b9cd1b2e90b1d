/* tests/assembly/t204_mechanism.c - bodies joined only at nodes or edges: free motions against the zero
 * eigenvalues of K
 *
 * K is assembled as that of free vibrations, which may have mechanisms; LAPACK has its eigenvalues.
 * usage: t204_mechanism <backend>
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "assembly/constraints/connected_components.h"
#include "assembly/constraints/mechanism.h"
#include "assembly/constraints/nullspace.h"
#include "assembly/model/internal.h"
#include "tests/assembly/grid_cells.h"
#include <math.h>

extern void dsyev_(const char *jobz, const char *uplo, const int *n, double *a, const int *lda, double *w,
                   double *work, const int *lwork, int *info);

/* Eigenvalues of K below 1e-10 of the largest. */
static int zero_eigenvalues(t_case *c, bf_model *m)
{
  t_system     S;
  int          zeros = 0, info = 0;
  const double top = 210.0;
  t_assemble(c, m, T_CSR, &S);
  const int n = S.n, lwork = 64 * n + 64;
  double   *w = bf_host_alloc((size_t)n, sizeof *w), *work = bf_host_alloc((size_t)lwork, sizeof *work);
  dsyev_("N", "L", &n, S.dense, &n, w, work, &lwork, &info);
  assert_int_equal(info, 0);
  for (int i = 0; i < n; i++) zeros += fabs(w[i]) < 1e-10 * top;
  for (int i = 0; i < n; i++) /* nothing near the limit, or the test proves little */
    if (fabs(w[i]) > 1e-10 * top && w[i] < 1e-6 * top) fail_msg("eigenvalue %g", w[i]);
  bf_host_free(w);
  bf_host_free(work);
  t_system_clear(&S);
  return zeros;
}

/* Free motions as the analysis counts them; all listed mechanisms together are those that are counted. */
static int free_motions(const bf_model *m)
{
  bf_bodies     *bodies = NULL;
  bf_mechanisms *M      = NULL;
  bf_int        *part   = NULL, nparts, motions;
  int            complete, sum = 0, n;
  T_OK(BF_NEW_ARRAY(part, m->mesh->nnodes));
  T_OK(bf_parts_find(m->mesh, m->sdim, part, &nparts));
  T_OK(bf_bodies_create(m->mesh, m->sdim, &bodies));
  T_OK(bf_mechanisms_create(m, bodies, part, &M));
  T_OK(bf_mechanisms_solve(M, &complete));
  assert_true(complete);
  for (bf_int k = 0; k < nparts; k++) {
    bf_motions   whole;
    double       mode[6][6];
    bf_mechanism list[24];
    const double centre[3] = {1.0, 2.0, 0.5};
    bf_motions_begin(&whole, m->sdim, 0, centre, 2.0);
    for (bf_int i = 0; i < m->mesh->nnodes; i++)
      for (int c = 0; part[i] == k && c < m->ncomp; c++)
        if (m->fixed[i * m->ncomp + c]) bf_motions_hold(&whole, m->mesh->x + 3 * (size_t)i, c);
    const int nwhole = bf_motions_free(&whole, mode);
    T_OK(bf_mechanisms_list(M, k, &whole, nwhole, mode, list, 24, &n, &motions));
    if (bf_mechanisms_count(M, k) <= 18) assert_int_equal(motions, bf_mechanisms_count(M, k) - nwhole);
    sum += bf_mechanisms_count(M, k);
  }
  bf_mechanisms_destroy(&M);
  bf_bodies_destroy(&bodies);
  bf_host_free(part);
  return sum;
}

static int agree(const t_shape *s)
{
  t_case c;
  case_of(s, BF_MODAL, &c);
  bf_model *m     = t_model(&c);
  const int zeros = zero_eigenvalues(&c, m);
  assert_int_equal(free_motions(m), zeros);
  bf_model_destroy(&m);
  t_case_clear(&c);
  return zeros;
}

static const bf_elem_type shapes[] = {BF_QUAD4, BF_TRI3, BF_HEX8, BF_TET4};

/* A static analysis: its errors, or without any W334; the first message contains a and b.  a = NULL: no
 * message.
 */
static void static_errors(const t_shape *s, int errors, const char *a, const char *b)
{
  t_case    c;
  bf_diags  diags = {0};
  bf_model *m     = NULL;
  case_of(s, BF_STATIC, &c);
  const bf_err err = bf_model_create(c.mesh, t_problem(&c), &diags, &m);
  if (diags.errors != errors || diags.count != (a ? errors + !errors : 0)) {
    bf_diags_print(&diags, 0, stderr);
    fail_msg("%d errors, %d messages", diags.errors, diags.count);
  }
  assert_int_equal(err, errors ? BF_E_MODEL : BF_OK);
  if (a) {
    assert_int_equal(diags.item[0].code, errors ? 301 : 334);
    assert_string_equal(diags.item[0].file, "cells.msh");
    T_CONTAINS(diags.item[0].text, a);
    T_CONTAINS(diags.item[0].text, b);
  }
  bf_diags_clear(&diags);
  bf_model_destroy(&m);
  t_case_clear(&c);
}

#define ALL3                                                                                                 \
  {                                                                                                          \
    1, 1, 1                                                                                                  \
  }
#define CLAMP3                                                                                               \
  {.at = {0, 0, 0}, .given = ALL3}, {.at = {1, 0, 0}, .given = ALL3},                                        \
  {                                                                                                          \
    .at = {0, 1, 0}, .given = ALL3                                                                           \
  }

static void a_shared_node_leaves_three_rotations(void **state)
{
  (void)state;
  t_shape s = {.type = BF_HEX8, .ncells = 2, .cell = {{0, 0, 0}, {1, 1, 1}}, .npins = 3, .pin = {CLAMP3}};
  static_errors(
      &s, 1,
      "a body of 1 element (in group 'body', x 1 to 2, y 1 to 2, z 1 to 2) can move without deformation: "
      "joined only at node 92 (1, 1, 1); 3 free motions",
      "rotation about x through (1.5, 1, 1), rotation about y through (1, 1.5, 1) and rotation about z "
      "through (1, 1, 1.5)");
  assert_int_equal(agree(&s), 3);
  s.type = BF_TET4;
  static_errors(&s, 1, "a body of 6 elements", "joined only at node 92 (1, 1, 1); 3 free motions");
  assert_int_equal(agree(&s), 3);
}

static void a_shared_node_in_the_plane_is_a_pin(void **state)
{
  (void)state;
  t_shape s = {.type   = BF_QUAD4,
               .ncells = 2,
               .cell   = {{0, 0, 0}, {1, 1, 0}},
               .npins  = 2,
               .pin    = {{.at = {0, 0, 0}, .given = ALL3}, {.at = {1, 0, 0}, .given = ALL3}}};
  static_errors(&s, 1,
                "joined only at node 11 (1, 1); 1 free motion of the body: rotation about z through (1, 1)",
                "must share whole edges of elements");
  assert_int_equal(agree(&s), 1);
  s.type = BF_TRI3;
  static_errors(&s, 1, "a body of 2 elements", "rotation about z through (1, 1)");
  assert_int_equal(agree(&s), 1);
}

static void a_shared_edge_is_a_hinge_about_it(void **state)
{
  (void)state;
  t_shape s = {.type = BF_HEX8, .ncells = 2, .cell = {{0, 0, 0}, {1, 0, 1}}, .npins = 3, .pin = {CLAMP3}};
  static_errors(&s, 1, "joined only at 2 nodes on the line from node 92 (1, 1, 1) to node 83 (1, 0, 1)",
                "1 free motion of the body: rotation about y through (1, 0.5, 1)");
  assert_int_equal(agree(&s), 1);
}

/* Cells that hold each other by hinges in three directions, and one that holds itself. */
static void a_braced_or_supported_joint_is_accepted_with_a_warning(void **state)
{
  (void)state;
  t_shape brace = {
      .type = BF_HEX8, .ncells = 3, .cell = {{0, 0, 0}, {1, 1, 0}, {1, 0, 1}}, .npins = 3, .pin = {CLAMP3}};
  static_errors(&brace, 0, "the mesh has bodies that are joined at 4 nodes and through no face of elements",
                "the stiffness of such a joint");
  assert_int_equal(agree(&brace), 0);
  brace.ncells = 2;
  static_errors(&brace, 1, "joined only at 2 nodes on the line", "1 free motion");
  assert_int_equal(agree(&brace), 1);

  t_shape own = {.type   = BF_HEX8,
                 .ncells = 2,
                 .cell   = {{0, 0, 0}, {1, 0, 1}},
                 .npins  = 4,
                 .pin    = {CLAMP3, {.at = {2, 0, 1}, .given = {0, 0, 1}}}};
  static_errors(&own, 0, "joined at 2 nodes", "vanishes");
  assert_int_equal(agree(&own), 0);
}

/* A cell on two parallel edges of a frame shares four nodes with it: they are one body. */
static void nodes_that_lie_on_no_line_make_one_body(void **state)
{
  (void)state;
  t_shape ring = {.type   = BF_HEX8,
                  .ncells = 6,
                  .cell   = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {2, 0, 1}, {1, 0, 2}, {0, 0, 1}},
                  .npins  = 3,
                  .pin    = {CLAMP3}};
  static_errors(&ring, 0, NULL, NULL);
  assert_int_equal(agree(&ring), 0);
  ring.cell[5][2] = 2; /* open: (0, 0, 2) is beside (1, 0, 2), and both hang on one edge */
  static_errors(&ring, 1, "joined only at 2 nodes on the line", "1 free motion");
  assert_int_equal(agree(&ring), 1);
}

/* A spring on a side of the hinged cell: across the hinge it holds, along the axis of the hinge it does not.
 */
static void a_spring_holds_the_body_that_has_its_face(void **state)
{
  (void)state;
  t_shape s = {.type   = BF_HEX8,
               .ncells = 2,
               .cell   = {{0, 0, 0}, {1, 0, 1}},
               .npins  = 3,
               .pin    = {CLAMP3},
               .face   = {{1, 0, 2}, {2, 0, 2}, {2, 1, 2}, {1, 1, 2}},
               .spring = 1};
  static_errors(&s, 0, "joined at 2 nodes", "vanishes");
  s.spring = 2;
  static_errors(&s, 1, "rotation about y through (1, 0.5, 1)", "1 free motion");
}

/* Free vibrations: the same words as a warning. */
static void a_mechanism_of_free_vibrations_is_a_warning(void **state)
{
  (void)state;
  const t_shape s = {
      .type = BF_HEX8, .ncells = 2, .cell = {{0, 0, 0}, {1, 0, 1}}, .npins = 3, .pin = {CLAMP3}};
  t_case    c;
  bf_diags  diags = {0};
  bf_model *m     = NULL;
  case_of(&s, BF_MODAL, &c);
  T_OK(bf_model_create(c.mesh, t_problem(&c), &diags, &m));
  assert_int_equal(diags.count, 1);
  assert_int_equal(diags.item[0].code, 335);
  assert_int_equal(diags.item[0].severity, BF_WARNING);
  T_CONTAINS(diags.item[0].text, "rotation about y through (1, 0.5, 1)");
  T_CONTAINS(diags.item[0].text, "each is a mode of frequency 0");
  bf_diags_clear(&diags);
  bf_model_destroy(&m);
  t_case_clear(&c);
}

/* min v.S v / v.M v over the span of modes, by dsygv. */
extern void dsygv_(const int *itype, const char *jobz, const char *uplo, const int *n, double *a,
                   const int *lda, double *b, const int *ldb, double *w, double *work, const int *lwork,
                   int *info);

static void the_softest_motion_has_the_least_eigenvalue(void **state)
{
  (void)state;
  uint64_t random = 3;
  for (int trial = 0; trial < 60; trial++) {
    const int n = 1 + trial % 6, one = 1, lwork = 256;
    int       info;
    double    S[6][6] = {{0.0}}, M[6][6] = {{0.0}}, mode[6][6], v[6], a[36], b[36], w[6], work[256], sv = 0.0,
           mv = 0.0;
    for (int k = 0; k < 9; k++) {
      double r[6], t[6];
      for (int i = 0; i < 6; i++) r[i] = t_uniform(&random), t[i] = t_uniform(&random);
      for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++) S[i][j] += r[i] * r[j], M[i][j] += t[i] * t[j];
    }
    for (int k = 0; k < n; k++)
      for (int i = 0; i < 6; i++) mode[k][i] = t_uniform(&random);
    for (int k = 0; k < n; k++)
      for (int l = 0; l < n; l++) {
        a[k * n + l] = b[k * n + l] = 0.0;
        for (int i = 0; i < 6; i++)
          for (int j = 0; j < 6; j++) {
            a[k * n + l] += mode[k][i] * S[i][j] * mode[l][j];
            b[k * n + l] += mode[k][i] * M[i][j] * mode[l][j];
          }
      }
    const double got = bf_motions_softest(n, mode, S, M, v);
    dsygv_(&one, "N", "L", &n, a, &n, b, &n, w, work, &lwork, &info);
    assert_int_equal(info, 0);
    T_NEAR(got, w[0], 1e-9 * w[n - 1]);
    for (int i = 0; i < 6; i++)
      for (int j = 0; j < 6; j++) sv += v[i] * S[i][j] * v[j], mv += v[i] * M[i][j] * v[j];
    T_NEAR(sv / mv, got, 1e-9 * w[n - 1]);
  }
}

static void a_chain_turns_as_one_and_link_by_link(void **state)
{
  (void)state;
  t_shape s = {.type   = BF_QUAD4,
               .ncells = 4,
               .cell   = {{0, 0, 0}, {1, 1, 0}, {2, 2, 0}, {3, 3, 0}},
               .npins  = 2,
               .pin    = {{.at = {0, 0, 0}, .given = ALL3}, {.at = {1, 0, 0}, .given = ALL3}}};
  static_errors(&s, 3, "x 1 to 2, y 1 to 2) and 2 more bodies that move with it can move without deformation",
                "joined only at node 11 (1, 1); 1 free motion of the body: rotation about z through (1, 1)");
  assert_int_equal(agree(&s), 3);
}

/* Two cells on two pins, joined by a third one: stable unless the three lie on a line. */
static void a_three_hinged_arch_is_stable_unless_flat(void **state)
{
  (void)state;
  t_shape s = {.type   = BF_TRI3,
               .ncells = 2,
               .cell   = {{0, 0, 0}, {1, 1, 0}},
               .npins  = 2,
               .skew   = 1,
               .pin    = {{.at = {0, 0, 0}, .given = ALL3}, {.at = {2, 1, 0}, .given = ALL3}}};
  assert_int_equal(agree(&s), 0);
  static_errors(&s, 0, "joined at 1 node", "through no edge of elements");
  s.pin[1].at[1] = 2;
  assert_int_equal(agree(&s), 1);
  static_errors(&s, 1, "1 more body that moves with it can move without deformation", "1 free motion");
}

static uint64_t seed = 7;
static int      below(int n)
{
  return (int)(t_random(&seed) % (uint64_t)n);
}

/* Random cells, random pins: the count is that of LAPACK's zero eigenvalues. */
static void free_motions_are_the_zero_eigenvalues_of_random_cells(void **state)
{
  (void)state;
  int seen[12] = {0};
  for (int trial = 0; trial < 240; trial++) {
    T_ONE_OF(8);
    t_shape   s   = {.type = shapes[trial % 4], .skew = below(2)};
    const int dim = dim_of(&s), side = dim == 3 ? 3 : 5, all = dim == 3 ? 27 : 25, want = 3 + below(all - 4);
    const int mask0 = below(1 << 12);
    for (int k = 0; k < all && s.ncells < want && s.ncells < CELLS; k++) {
      const int at[3] = {k % side, k / side % side, k / (side * side)};
      const int even  = (at[0] + at[1] + at[2]) % 2 == 0;
      if (mask0 % 3 == 0 ? !even && below(4) > 0 : below(all) >= want)
        continue; /* near a checkerboard, or not */
      memcpy(s.cell[s.ncells++], at, sizeof at);
    }
    if (s.ncells < 2) continue;
    s.npins = below(7);
    for (int p = 0; p < s.npins; p++) {
      const int *c = s.cell[below(s.ncells)];
      for (int i = 0; i < 3; i++) {
        s.pin[p].at[i]    = c[i] + (i < dim ? below(2) : 0);
        s.pin[p].given[i] = below(2);
      }
      if (!s.pin[p].given[0] && !s.pin[p].given[1]) s.pin[p].given[0] = 1;
    }
    /* points of one node and different groups clash in nothing: all prescribe 0 */
    const int zeros = agree(&s);
    seen[zeros < 11 ? zeros : 11]++;
  }
  for (int k = 0; k < 6; k++) assert_true(seen[k] > 0 || getenv("BANDFEM_QUICK"));
}

/* Equations of a checkerboard of N x N squares, joined at their corners; also into the dense A[][3 bodies].
 */
static bf_int checkerboard(int N, bf_nullspace **P, double *gram)
{
  bf_int n = 0, *number = bf_host_alloc((size_t)(N * N), sizeof *number);
  for (int k = 0; k < N * N; k++) number[k] = (k % N + k / N) % 2 ? -1 : n++;
  T_OK(bf_nullspace_create(n, 3, P));
  for (int i = 0; i + 1 < N; i++)
    for (int j = 0; j < N; j++)
      for (int way = -1; way < 2; way += 2) {
        if (number[i * N + j] < 0 || j + way < 0 || j + way >= N) continue;
        const bf_int p = number[i * N + j], q = number[(i + 1) * N + j + way];
        const double row[2][6] = {{-0.5 * way, 1.0, 0.0, -0.5 * way, -1.0, 0.0},
                                  {0.5, 0.0, 1.0, 0.5, 0.0, -1.0}};
        for (int c = 0; c < 2; c++) {
          T_OK(bf_nullspace_join(*P, p, q, row[c]));
          for (int a = 0; gram && a < 6; a++)
            for (int b = 0; b < 6; b++)
              gram[(3 * (a < 3 ? p : q) + a % 3) * 3 * n + 3 * (b < 3 ? p : q) + b % 3] +=
                  row[c][a] * row[c][b];
        }
      }
  bf_host_free(number);
  return n;
}

static void a_checkerboard_has_the_null_space_of_its_equations(void **state)
{
  (void)state;
  enum { N = 11, BODIES = (N * N + 1) / 2, SIZE = 3 * BODIES };
  bf_nullspace *P    = NULL;
  double       *gram = bf_host_alloc((size_t)SIZE * SIZE, sizeof *gram), w[SIZE], x[SIZE];
  double       *work = bf_host_alloc(64 * SIZE, sizeof *work);
  const int     n = SIZE, lwork = 64 * SIZE;
  int           info, complete, zeros = 0;
  double       *copy = bf_host_alloc((size_t)SIZE * SIZE, sizeof *copy);
  assert_int_equal(checkerboard(N, &P, gram), BODIES);
  memcpy(copy, gram, (size_t)SIZE * SIZE * sizeof *copy);
  dsyev_("N", "L", &n, copy, &n, w, work, &lwork, &info);
  for (int i = 0; i < SIZE; i++) zeros += fabs(w[i]) < 1e-10;
  T_OK(bf_nullspace_solve(P, 1e-6, 1e11, 1e9, &complete));
  assert_true(complete);
  assert_int_equal(bf_nullspace_count(P), zeros);
  for (bf_int k = 0; k < zeros; k++) { /* each of them solves the equations */
    double energy = 0.0, top = 0.0;
    bf_nullspace_vector(P, k, x);
    for (int i = 0; i < SIZE; i++)
      for (int j = 0; j < SIZE; j++) energy += x[i] * gram[i * SIZE + j] * x[j];
    for (int i = 0; i < SIZE; i++) top = fmax(top, fabs(x[i]));
    T_LE(fabs(energy), 1e-15 * top * top * SIZE);
  }
  bf_nullspace_destroy(&P);
  bf_host_free(gram);
  bf_host_free(copy);
  bf_host_free(work);
}

static void large_systems_are_solved_or_given_up(void **state)
{
  (void)state;
  bf_nullspace *P = NULL;
  int           complete;
  checkerboard(61, &P, NULL);
  T_OK(bf_nullspace_solve(P, 1e-6, 2e10, 1e9, &complete));
  assert_true(complete);
  assert_true(bf_nullspace_count(P) >= 4);
  bf_nullspace_destroy(&P);
  checkerboard(61, &P, NULL);
  T_OK(bf_nullspace_solve(P, 1e-6, 1e5, 1e9, &complete));
  assert_false(complete);
  bf_nullspace_destroy(&P);
  checkerboard(61, &P, NULL);
  T_OK(bf_nullspace_solve(P, 1e-6, 2e10, 1e4, &complete));
  assert_false(complete);
  bf_nullspace_destroy(&P);
}

int main(int argc, char **argv)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_shared_node_leaves_three_rotations),
      cmocka_unit_test(a_shared_node_in_the_plane_is_a_pin),
      cmocka_unit_test(a_shared_edge_is_a_hinge_about_it),
      cmocka_unit_test(a_braced_or_supported_joint_is_accepted_with_a_warning),
      cmocka_unit_test(nodes_that_lie_on_no_line_make_one_body),
      cmocka_unit_test(a_spring_holds_the_body_that_has_its_face),
      cmocka_unit_test(a_mechanism_of_free_vibrations_is_a_warning),
      cmocka_unit_test(the_softest_motion_has_the_least_eigenvalue),
      cmocka_unit_test(a_chain_turns_as_one_and_link_by_link),
      cmocka_unit_test(a_three_hinged_arch_is_stable_unless_flat),
      cmocka_unit_test(free_motions_are_the_zero_eigenvalues_of_random_cells),
      cmocka_unit_test(a_checkerboard_has_the_null_space_of_its_equations),
      cmocka_unit_test(large_systems_are_solved_or_given_up),
  };
  const int code = t_backend_open(argc, argv);
  return code ? code : t_backend_close(T_RUN(tests));
}
