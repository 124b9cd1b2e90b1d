/* tests/kernels/fem/t636_element_identities.c - element matrices, forces and loads against identities: energy
 * of linear fields, rigid motions, measures; condensed incompatible modes
 *
 * usage: t636_element_identities <backend>
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/kernels/fem/element_case.h"
#include "tests/reference/dense.h"

static const double skew[3][3] = {{1.1, 0.3, -0.2}, {-0.1, 0.9, 0.25}, {0.2, 0.15, 0.8}};
static const double det2       = 1.1 * 0.9 + 0.1 * 0.3;

/* Determinant of skew by the first row. */
static double det3(void)
{
  return 1.1 * (0.9 * 0.8 - 0.25 * 0.15) - 0.3 * (-0.1 * 0.8 - 0.25 * 0.2) - 0.2 * (-0.1 * 0.15 - 0.9 * 0.2);
}

/* A quad4 with u = (a x, b y + c): strains a, b, a (hoop), 0 at every point, so the forces are those of one
 * stress, and their work on the field is the energy volume * strain.C strain. */
static void a_body_of_revolution_has_its_exact_energy(void **state)
{
  (void)state;
  const double a = 0.3, b = -0.7, c = 2.0, strain[4] = {a, b, a, 0.0};
  uint64_t     seed = 11;
  t_batch      t    = t_batch_revolved(BF_FORM_STRAIN, 4, 2, 2, NE, &seed);
  free((void *)t.E.factor);
  t.E.factor = NULL;
  double *u  = malloc((size_t)(t.nrows * 2) * sizeof *u);
  for (int i = 0; i < t.nrows; i++) {
    u[2 * i]     = a * t.E.x[3 * i];
    u[2 * i + 1] = b * t.E.x[3 * i + 1] + c;
  }
  double *h = forces(&t, u);
  for (bf_int e = 0; e < NE; e++) {
    const double *C    = t.E.C + 16 * t.E.mat[e];
    double        work = 0.0, energy = 0.0;
    for (int i = 0; i < 4; i++)
      for (int j = 0; j < 4; j++) energy += t_element_measure(&t.E, e) * strain[i] * C[4 * i + j] * strain[j];
    for (int i = 0; i < 8; i++) work += h[8 * e + i] * u[2 * t.E.conn[4 * e + i / 2] + i % 2];
    T_NEAR(work, energy, 1e-12 * energy);
  }
  free(h);
  free(u);
  t_batch_free(&t);
}

static void constant_temperature_and_rigid_motion_make_no_force(void **state)
{
  (void)state;
  uint64_t seed = 8;
  for (int dim = 2; dim <= 3; dim++) {
    t_batch heat = t_batch_random(BF_FORM_GRAD, 1 << dim, dim, dim, 1, NE, &seed);
    double *u    = malloc((size_t)(heat.nrows * 3) * sizeof *u);
    for (int i = 0; i < heat.nrows; i++) u[i] = 3.0;
    double *h = forces(&heat, u);
    for (int i = 0; i < NE << dim; i++) T_NEAR(h[i], 0.0, 1e-13);
    free(h);
    t_batch solid = t_batch_random(BF_FORM_STRAIN, 1 << dim, dim, dim, dim, NE, &seed);
    for (int i = 0; i < solid.nrows; i++) { /* u = t + omega x X */
      const double *x = solid.E.x + 3 * i, w[3] = {dim == 3 ? 0.4 : 0.0, dim == 3 ? -0.7 : 0.0, 0.5};
      const double  z    = dim == 3 ? x[2] : 0.0;
      const double  r[3] = {1.0 + w[1] * z - w[2] * x[1], 2.0 + w[2] * x[0] - w[0] * z,
                            w[0] * x[1] - w[1] * x[0]};
      for (int c = 0; c < dim; c++) u[i * dim + c] = r[c];
    }
    h = forces(&solid, u);
    for (int i = 0; i < (NE << dim) * dim; i++) T_NEAR(h[i], 0.0, 1e-11);
    free(h);
    free(u);
    t_batch_free(&heat);
    t_batch_free(&solid);
  }
}

/* u = G X has the strain sym(G): energy u.Ku = volume * strain.C strain. */
static void a_linear_field_has_its_exact_energy(void **state)
{
  (void)state;
  const double G[3][3] = {{0.3, -0.2, 0.5}, {0.1, 0.7, -0.4}, {0.25, 0.6, -0.1}};
  for (int dim = 2; dim <= 3; dim++) {
    t_batch      b      = t_batch_affine(BF_FORM_STRAIN, dim, dim, dim, skew);
    const double volume = dim == 2 ? 4.0 * det2 : 8.0 * det3();
    const double s3[6] = {G[0][0], G[1][1], G[2][2], G[0][1] + G[1][0], G[1][2] + G[2][1], G[0][2] + G[2][0]};
    const double s2[3] = {G[0][0], G[1][1], G[0][1] + G[1][0]}, *strain = dim == 2 ? s2 : s3;
    double       energy = 0.0, uKu = 0.0, u[24];
    for (int i = 0; i < b.E.nv; i++)
      for (int j = 0; j < b.E.nv; j++) energy += volume * strain[i] * b.E.C[i * b.E.nv + j] * strain[j];
    for (int a = 0; a < b.E.nen; a++)
      for (int c = 0; c < dim; c++) {
        u[a * dim + c] = 0.0;
        for (int s = 0; s < dim; s++) u[a * dim + c] += G[c][s] * b.E.x[3 * a + s];
      }
    double   *h  = matrices(&b, 0, 1);
    const int nd = b.E.nen * dim;
    for (int i = 0; i < nd; i++)
      for (int j = 0; j < nd; j++) uKu += u[i] * h[i * nd + j] * u[j];
    T_NEAR(uKu, energy, 1e-13 * energy);
    free(h);
    t_batch_free(&b);
  }
}

static void a_unit_load_sums_to_the_length_area_or_volume(void **state)
{
  (void)state;
  const double one   = 1.0;
  const double line2 = 2.0 * sqrt(1.1 * 1.1 + 0.1 * 0.1),
               line3 = 2.0 * sqrt(1.1 * 1.1 + 0.1 * 0.1 + 0.2 * 0.2);
  const double c0 = -0.1 * 0.15 - 0.2 * 0.9, c1 = 0.2 * 0.3 - 1.1 * 0.15, c2 = det2;
  const struct {
    int    rdim, sdim;
    double measure;
  } k[] = {{1, 2, line2},
           {1, 3, line3},
           {2, 2, 4.0 * det2},
           {2, 3, 4.0 * sqrt(c0 * c0 + c1 * c1 + c2 * c2)},
           {3, 3, 8.0 * det3()}};
  for (int i = 0; i < 5; i++) {
    t_batch b = t_batch_affine(BF_FORM_MASS, k[i].rdim, k[i].sdim, 1, skew);
    double *h = loads(&b, &one, 1, 0, 0), sum = 0.0;
    for (int a = 0; a < b.E.nen; a++) sum += h[a];
    T_NEAR(sum, k[i].measure, 1e-14 * k[i].measure);
    free(h);
    t_batch_free(&b);
  }
}

/* Those of elements with modes, n of them at Ke in backend memory, condensed to S; with u also their forces.
 */
static void condense(const bf_element_batch *E, bf_int n, double *Ke, double *S, const double *u, double *fe)
{
  const int      nd = bf_element_order(E), nb = E->nen * E->ncomp, ni = nd - nb;
  const bf_batch A = {
      .type = BF_D, .n = ni, .ld = nd, .count = n, .stride = (int64_t)nd * nd, .a = Ke + nb * nd + nb};
  const bf_schur C = {.ne = n, .nd = nd, .ni = ni, .symmetric = 1, .K = Ke, .S = S};
  size_t         bytes;
  void          *work = NULL, *info = NULL;
  T_OK(bf_batch_work(t_be, BF_INVERSE, &A, &bytes));
  T_OK(t_be->ops.alloc(t_be, bytes, &work));
  T_OK(t_be->ops.alloc(t_be, (size_t)n * sizeof(bf_int), &info));
  T_OK(bf_inverse_batch(t_be, &A, info, work));
  if (S) T_OK(BF_OP(t_be, element.schur, &C));
  if (u) T_OK(BF_OP(t_be, element.schur_force, &C, E->conn, E->ncomp, u, fe));
  T_OK(t_be->ops.sync(t_be));
  t_be->ops.release(t_be, work);
  t_be->ops.release(t_be, info);
}

static double *matrices_with_modes(const t_batch *b)
{
  bf_element_batch E  = t_batch_on(t_be, b);
  const size_t     nd = (size_t)bf_element_order(&E), nb = (size_t)(E.nen * E.ncomp), n = (size_t)E.ne;
  double          *h = calloc(n * nb * nb, sizeof *h), *S = t_to_backend(h, n * nb * nb * sizeof *h);
  void            *Ke = NULL;
  T_OK(t_be->ops.alloc(t_be, n * nd * nd * sizeof *h, &Ke));
  T_OK(BF_OP(t_be, element.matrix, &E, 0, E.ne, Ke));
  condense(&E, E.ne, Ke, S, NULL, NULL);
  t_to_host(h, S, n * nb * nb * sizeof *h);
  t_be->ops.release(t_be, Ke);
  t_be->ops.release(t_be, S);
  t_batch_off(t_be, &E);
  return h;
}

static double *forces_with_modes(const t_batch *b, const double *u)
{
  bf_element_batch E = t_batch_on(t_be, b);
  const size_t nd = (size_t)bf_element_order(&E), n = (size_t)E.ne, bytes = n * (size_t)(E.nen * E.ncomp) * 8;
  double      *h = calloc(1, bytes), *fe = t_to_backend(h, bytes);
  double      *d  = t_to_backend(u, (size_t)(b->nrows * E.ncomp) * sizeof *u);
  void        *Ke = NULL;
  T_OK(t_be->ops.alloc(t_be, n * nd * nd * sizeof *h, &Ke));
  T_OK(BF_OP(t_be, element.matrix, &E, 0, E.ne, Ke));
  condense(&E, E.ne, Ke, NULL, d, fe);
  t_to_host(h, fe, bytes);
  T_ERR(BF_E_ARG, BF_OP(t_be, element.force, &E, 0, E.ne, d, fe)); /* not this way */
  void *const owned[] = {Ke, fe, d};
  for (int i = 0; i < 3; i++) t_be->ops.release(t_be, owned[i]);
  t_batch_off(t_be, &E);
  return h;
}

/* The condensed matrix and Ke u of quad4 and hex8; exactly symmetric, no force from a rigid motion, and
 * softer than without modes. */
static void incompatible_modes_are_condensed(void **state)
{
  (void)state;
  uint64_t seed = 12;
  for (int dim = 2; dim <= 3; dim++) {
    t_batch   b  = t_batch_with_modes(dim, NE, &seed);
    const int nd = b.E.nen * dim;
    double *h = matrices_with_modes(&b), K[24 * 24], f[24], *u = malloc((size_t)(b.nrows * dim) * sizeof *u);
    for (int i = 0; i < b.nrows * dim; i++) u[i] = 2.0 * t_uniform(&seed) - 1.0;
    double                *fe    = forces_with_modes(&b, u);
    const bf_element_batch with  = b.E;
    bf_element_batch       plain = b.E;
    plain.dN0                    = NULL;
    for (bf_int e = 0; e < NE; e++) {
      const double *he   = h + e * nd * nd;
      double        soft = 0.0, stiff = 0.0;
      t_element_matrix(&with, e, K);
      near_all((size_t)(nd * nd), he, K);
      for (int i = 0; i < nd; i++) {
        f[i] = 0.0;
        for (int j = 0; j < nd; j++) {
          f[i] += K[i * nd + j] * u[b.E.conn[e * b.E.nen + j / dim] * dim + j % dim];
          assert_true(he[i * nd + j] == he[j * nd + i]);
        }
        soft += f[i] * u[b.E.conn[e * b.E.nen + i / dim] * dim + i % dim];
      }
      near_all((size_t)nd, fe + e * nd, f);
      t_element_matrix(&plain, e, K);
      for (int i = 0; i < nd; i++)
        for (int j = 0; j < nd; j++)
          stiff += u[b.E.conn[e * b.E.nen + i / dim] * dim + i % dim] * K[i * nd + j] *
                   u[b.E.conn[e * b.E.nen + j / dim] * dim + j % dim];
      assert_true(soft > 0.0 && soft < 0.999 * stiff);
    }
    free(h);
    free(fe);
    free(u);
    t_batch_free(&b);
  }
}

/* Eigenvalues of K[n][n] below 1e-12 of the largest, by Jacobi rotations. */
static int zero_modes(int n, double *K)
{
  double w[24];
  int    zeros = 0;
  t_symmetric_values(n, K, w);
  for (int i = 0; i < n; i++) zeros += fabs(w[i]) < 1e-12 * w[n - 1];
  return zeros;
}

static void incompatible_modes_add_no_motion_without_energy(void **state)
{
  (void)state;
  uint64_t seed = 13;
  for (int dim = 2; dim <= 3; dim++) {
    t_batch   b  = t_batch_with_modes(dim, NE, &seed);
    const int nd = b.E.nen * dim;
    double   *h  = matrices_with_modes(&b);
    for (bf_int e = 0; e < NE; e++) assert_int_equal(zero_modes(nd, h + e * nd * nd), dim == 2 ? 3 : 6);
    free(h);
    t_batch_free(&b);
  }
}

int main(int argc, char **argv)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_body_of_revolution_has_its_exact_energy),
      cmocka_unit_test(constant_temperature_and_rigid_motion_make_no_force),
      cmocka_unit_test(a_linear_field_has_its_exact_energy),
      cmocka_unit_test(a_unit_load_sums_to_the_length_area_or_volume),
      cmocka_unit_test(incompatible_modes_are_condensed),
      cmocka_unit_test(incompatible_modes_add_no_motion_without_energy),
  };
  const int code = t_backend_open(argc, argv);
  return code ? code : t_backend_close(T_RUN(tests));
}
