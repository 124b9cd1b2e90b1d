/* tests/kernels/fem/t320_element.c - element matrices, loads and forces against the textbook and against
 * identities usage: t320_element <backend> */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/backend.h"
#include "tests/reference/dense.h"
#include "tests/reference/integrals.h"
#include <float.h>
#include <math.h>
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
enum { SHAPES = sizeof all / sizeof *all, NE = 5 };

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

static double *matrices(const t_batch *b, bf_int e0, bf_int e1)
{
  bf_element_batch E  = t_batch_on(t_be, b);
  const size_t     nd = (size_t)(E.nen * E.ncomp), bytes = (size_t)(e1 - e0) * nd * nd * sizeof(double);
  double          *h = malloc(bytes + 1), *Ke;
  memset(h, 0x7f, bytes); /* what the backend does not write would show */
  Ke = t_to_backend(h, bytes);
  T_OK(BF_OP(t_be, element.matrix, &E, e0, e1, Ke));
  t_to_host(h, Ke, bytes);
  t_be->ops.release(t_be, Ke);
  t_batch_off(t_be, &E);
  return h;
}

static double *forces(const t_batch *b, const double *u)
{
  bf_element_batch E     = t_batch_on(t_be, b);
  const size_t     bytes = (size_t)(E.ne * E.nen * E.ncomp) * sizeof(double);
  double          *h = malloc(bytes + 1), *fe = t_to_backend(h, bytes);
  double          *d = t_to_backend(u, (size_t)(b->nrows * E.ncomp) * sizeof *u);
  T_OK(BF_OP(t_be, element.force, &E, 0, E.ne, d, fe));
  t_to_host(h, fe, bytes);
  t_be->ops.release(t_be, fe);
  t_be->ops.release(t_be, d);
  t_batch_off(t_be, &E);
  return h;
}

static double *loads(const t_batch *b, const double *value, size_t nvalue, int64_t stride_e, int64_t stride_q)
{
  bf_element_batch        E     = t_batch_on(t_be, b);
  const size_t            bytes = (size_t)(E.ne * E.nen * E.ncomp) * sizeof(double);
  double                 *h = malloc(bytes + 1), *fe = t_to_backend(h, bytes);
  double                 *v = t_to_backend(value, nvalue * sizeof *value);
  const bf_element_source f = {.value = v, .stride_e = stride_e, .stride_q = stride_q};
  T_OK(BF_OP(t_be, element.source, &E, 0, E.ne, &f, fe));
  t_to_host(h, fe, bytes);
  t_be->ops.release(t_be, fe);
  t_be->ops.release(t_be, v);
  t_batch_off(t_be, &E);
  return h;
}

static double *stresses(const t_batch *b, const double *value, size_t nvalue, int64_t stride_e,
                        int64_t stride_q)
{
  bf_element_batch        E     = t_batch_on(t_be, b);
  const size_t            bytes = (size_t)(E.ne * E.nen * E.ncomp) * sizeof(double);
  double                 *h = malloc(bytes + 1), *fe = t_to_backend(h, bytes);
  double                 *v = t_to_backend(value, nvalue * sizeof *value);
  const bf_element_source s = {.value = v, .stride_e = stride_e, .stride_q = stride_q};
  T_OK(BF_OP(t_be, element.stress, &E, 0, E.ne, &s, fe));
  t_to_host(h, fe, bytes);
  t_be->ops.release(t_be, fe);
  t_be->ops.release(t_be, v);
  t_batch_off(t_be, &E);
  return h;
}

/* Entries differ by rounding of the largest. */
static void near_all(size_t n, const double *a, const double *b)
{
  double size = 0.0;
  for (size_t i = 0; i < n; i++) size = fmax(size, fabs(b[i]));
  for (size_t i = 0; i < n; i++)
    if (!(fabs(a[i] - b[i]) <= 400.0 * DBL_EPSILON * size))
      fail_msg("entry %zu: %.17g instead of %.17g (largest %.3g)", i, a[i], b[i], size);
}

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
      cmocka_unit_test(constant_temperature_and_rigid_motion_make_no_force),
      cmocka_unit_test(a_linear_field_has_its_exact_energy),
      cmocka_unit_test(a_body_of_revolution_has_its_exact_energy),
      cmocka_unit_test(incompatible_modes_are_condensed),
      cmocka_unit_test(incompatible_modes_add_no_motion_without_energy),
      cmocka_unit_test(a_unit_load_sums_to_the_length_area_or_volume),
      cmocka_unit_test(results_repeat_bit_for_bit_on_any_number_of_threads),
      cmocka_unit_test(a_wrong_batch_is_refused_by_name),
  };
  const int code = t_backend_open(argc, argv);
  return code ? code : t_backend_close(T_RUN(tests));
}
