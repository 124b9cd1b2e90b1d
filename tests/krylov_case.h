/* tests/krylov_case.h - what the tests of iterations ask the backend for: a vector, the state */
#ifndef BF_TESTS_KRYLOV_CASE_H
#define BF_TESTS_KRYLOV_CASE_H
#include "kernels/krylov.h"
#include "tests/backend.h"
#include <stdlib.h>

/* n entries of v on the host, for the caller to free. */
static inline double *t_on_host(const double *v, bf_int n)
{
  double *h = malloc((size_t)n * sizeof *h + 1);
  t_to_host(h, v, (size_t)n * sizeof *h);
  return h;
}

static inline bf_krylov_state t_state(const bf_krylov_state *st)
{
  bf_krylov_state copy;
  t_to_host(&copy, st, sizeof copy);
  return copy;
}
#endif
