/* tests/test.h - what every test program starts from: cmocka in the right order, comparisons of doubles, the
 * backend */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_TEST_H
#define BF_TEST_H
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/err.h"
#include "base/memory.h"

enum { T_SKIP = 77 };

/* The call must return BF_OK; shows the trace if it does not. */
#define T_OK(call)                                                                                           \
  do {                                                                                                       \
    const bf_err t_err_ = (call);                                                                            \
    if (t_err_ != BF_OK) fail_msg("%s\n%s", #call, bf_err_trace());                                          \
  } while (0)
/* ... or exactly this error. */
#define T_ERR(expected, call)                                                                                \
  do {                                                                                                       \
    const bf_err t_err_ = (call);                                                                            \
    if (t_err_ != (expected))                                                                                \
      fail_msg("%s: %s instead of %s", #call, bf_err_name(t_err_), bf_err_name(expected));                   \
  } while (0)
/* a <= b; NaN fails. */
#define T_LE(a, b)                                                                                           \
  do {                                                                                                       \
    const double t_a_ = (a), t_b_ = (b);                                                                     \
    if (!(t_a_ <= t_b_)) fail_msg("%s = %.17g is above %s = %.17g", #a, t_a_, #b, t_b_);                     \
  } while (0)
/* |a - b| <= tol */
#define T_NEAR(a, b, tol)                                                                                    \
  do {                                                                                                       \
    const double t_a_ = (a), t_b_ = (b), t_d_ = t_a_ > t_b_ ? t_a_ - t_b_ : t_b_ - t_a_;                     \
    if (!(t_d_ <= (tol))) fail_msg("%s = %.17g, %s = %.17g, apart by %.3g", #a, t_a_, #b, t_b_, t_d_);       \
  } while (0)
#define T_CONTAINS(text, part)                                                                               \
  do {                                                                                                       \
    if (!strstr((text), (part))) fail_msg("'%s' is not in: %s", (part), (text));                             \
  } while (0)

/* Runs a group; 0, or 1 if a test failed (cmocka returns a count, a shell expects 0 or 1). */
#define T_RUN(tests) (cmocka_run_group_tests((tests), NULL, NULL) == 0 ? 0 : 1)

/* BANDFEM_QUICK=1: a program takes a part of its cases, which still reaches every kernel in every shape, so
 * that a checker of memory, 5 to 20 times slower, comes to its end; 2: fewer, for one of races, 20 to 200
 * times slower.  ./dev sanitize */
static inline int t_quick(void)
{
  static int is = -1;
  if (is < 0) {
    const char *const set = getenv("BANDFEM_QUICK");
    is                    = set && strlen(set) == 1 && *set >= '0' && *set <= '2' ? *set - '0' : 0;
  }
  return is;
}
/* First line of a test with nothing new for such a checker. */
#define T_LONG                                                                                               \
  do {                                                                                                       \
    if (t_quick()) skip(); /* does not return */                                                             \
  } while (0)
/* ... of races: long chains of kernels that other tests run too. */
#define T_LONG_CHAINS                                                                                        \
  do {                                                                                                       \
    if (t_quick() == 2) skip(); /* does not return */                                                        \
  } while (0)
/* First line of the innermost loop over cases: a quick run takes one of so many, the quickest one of four
 * times as many; a number without a divisor in common with those of the loops around meets all of their
 * values. */
#define T_ONE_OF(of)                                                                                         \
  {                                                                                                          \
    static int t_case_ = 0;                                                                                  \
    if (t_quick() && t_case_++ % ((of) * (t_quick() == 2 ? 4 : 1)) != 0) continue;                           \
  }

/* Reproducible random numbers: xorshift64*, state never 0; uniform in [0,1). */
static inline uint64_t t_random(uint64_t *state)
{
  uint64_t s = *state;
  s ^= s >> 12;
  s ^= s << 25;
  s ^= s >> 27;
  *state = s;
  return s * 2685821657736338717ULL;
}
static inline double t_uniform(uint64_t *state)
{
  return (double)(t_random(state) >> 11) * 0x1p-53;
}
#endif
