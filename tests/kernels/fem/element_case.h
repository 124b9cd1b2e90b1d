/* tests/kernels/fem/element_case.h - matrices, forces and loads of a batch of elements by the backend, on the
 * host */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_TESTS_KERNELS_FEM_ELEMENT_CASE_H
#define BF_TESTS_KERNELS_FEM_ELEMENT_CASE_H
#include "tests/backend.h"
#include "tests/reference/integrals.h"
#include <float.h>
#include <math.h>

enum { NE = 5 }; /* elements of a batch */

static inline double *matrices(const t_batch *b, bf_int e0, bf_int e1)
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

static inline double *forces(const t_batch *b, const double *u)
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

/* element.source, or element.stress, of values at integration points. */
static inline double *of_points(int stress, const t_batch *b, const double *value, size_t nvalue,
                                int64_t stride_e, int64_t stride_q)
{
  bf_element_batch        E     = t_batch_on(t_be, b);
  const size_t            bytes = (size_t)(E.ne * E.nen * E.ncomp) * sizeof(double);
  double                 *h = malloc(bytes + 1), *fe = t_to_backend(h, bytes);
  double                 *v = t_to_backend(value, nvalue * sizeof *value);
  const bf_element_source s = {.value = v, .stride_e = stride_e, .stride_q = stride_q};
  if (stress)
    T_OK(BF_OP(t_be, element.stress, &E, 0, E.ne, &s, fe));
  else
    T_OK(BF_OP(t_be, element.source, &E, 0, E.ne, &s, fe));
  t_to_host(h, fe, bytes);
  t_be->ops.release(t_be, fe);
  t_be->ops.release(t_be, v);
  t_batch_off(t_be, &E);
  return h;
}

static inline double *loads(const t_batch *b, const double *value, size_t nvalue, int64_t stride_e,
                            int64_t stride_q)
{
  return of_points(0, b, value, nvalue, stride_e, stride_q);
}

static inline double *stresses(const t_batch *b, const double *value, size_t nvalue, int64_t stride_e,
                               int64_t stride_q)
{
  return of_points(1, b, value, nvalue, stride_e, stride_q);
}

/* Entries differ by rounding of the largest. */
static inline void near_all(size_t n, const double *a, const double *b)
{
  double size = 0.0;
  for (size_t i = 0; i < n; i++) size = fmax(size, fabs(b[i]));
  for (size_t i = 0; i < n; i++)
    if (!(fabs(a[i] - b[i]) <= 400.0 * DBL_EPSILON * size))
      fail_msg("entry %zu: %.17g instead of %.17g (largest %.3g)", i, a[i], b[i], size);
}
#endif
