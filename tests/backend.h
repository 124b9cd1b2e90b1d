/* tests/backend.h - the backend a kernel test was asked to run on: t310_x cpu|cuda [TESTS]
 *
 * TESTS, a name or a pattern with * and ?, picks some: what a checker of races is to finish. */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_TEST_BACKEND_H
#define BF_TEST_BACKEND_H
#include "kernels/backend.h"
#include "tests/test.h"

static bf_backend *t_be; /* of the whole program */

/* In main: const int code = t_backend_open(argc, argv);
 *          return code ? code : t_backend_close(T_RUN(tests)); */
static inline int t_backend_open(int argc, char **argv)
{
  const char *name = argc > 1 ? argv[1] : "cpu";
  if (argc > 2) cmocka_set_test_filter(argv[2]);
  if (bf_backend_create(name, NULL, &t_be) == BF_OK) return 0;
  const char *must = getenv("BANDFEM_REQUIRE_CUDA");
  fprintf(stderr, "%s\n", bf_err_trace());
  return must && strcmp(must, "1") == 0 ? 1 : T_SKIP;
}

static inline int t_backend_close(int code)
{
  bf_backend_destroy(&t_be);
  return code;
}

/* The same; skipped where the backend lacks what lobpcg needs. */
static inline int t_backend_open_columns(int argc, char **argv)
{
  const int code = t_backend_open(argc, argv);
  if (code || (t_be->ops.vector.columns_dot && t_be->ops.batch.hegv)) return code;
  bf_backend_destroy(&t_be);
  return T_SKIP;
}

/* Copies to and from backend memory; the caller releases with t_be->ops.release. */
static inline void *t_to_backend(const void *host, size_t bytes)
{
  void *p = NULL;
  T_OK(t_be->ops.alloc(t_be, bytes, &p));
  T_OK(t_be->ops.copy(t_be, p, host, bytes, BF_TO_DEVICE));
  return p;
}
static inline void t_to_host(void *host, const void *p, size_t bytes)
{
  T_OK(t_be->ops.copy(t_be, host, p, bytes, BF_TO_HOST));
}
#endif
