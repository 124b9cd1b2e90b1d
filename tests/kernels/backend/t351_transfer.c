/* tests/kernels/backend/t351_transfer.c - copies of any length arrive whole, in order, and touch nothing else
 * usage: t351_transfer <backend> */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/backend.h"

enum { MIB = 1 << 20 };

static unsigned char byte_at(size_t i)
{
  return (unsigned char)((i * 2654435761u >> 7) ^ i);
}

/* There and back, with guard bytes behind the copy on both sides. */
static void there_and_back(size_t bytes)
{
  unsigned char *out = malloc(bytes + 8), *in = malloc(bytes + 8);
  void          *p = NULL;
  for (size_t i = 0; i < bytes + 8; i++) out[i] = byte_at(i);
  memset(in, 0xA5, bytes + 8);
  T_OK(t_be->ops.alloc(t_be, bytes + 8, &p));
  T_OK(t_be->ops.zero(t_be, p, bytes + 8));
  T_OK(t_be->ops.copy(t_be, p, out, bytes, BF_TO_DEVICE));
  memset(out, 0, bytes); /* the source may be changed at once */
  T_OK(t_be->ops.copy(t_be, in, p, bytes, BF_TO_HOST));
  for (size_t i = 0; i < bytes; i++)
    if (in[i] != byte_at(i)) fail_msg("%zu bytes: byte %zu differs", bytes, i);
  for (size_t i = bytes; i < bytes + 8; i++) assert_int_equal(in[i], 0xA5);
  T_OK(t_be->ops.copy(t_be, in, (char *)p + bytes, 8, BF_TO_HOST));
  for (size_t i = 0; i < 8; i++) assert_int_equal(in[i], 0);
  t_be->ops.release(t_be, p);
  free(in);
  free(out);
}

static void copies_of_every_length_come_back(void **state)
{
  (void)state;
  const size_t lengths[] = {0,
                            1,
                            4097,
                            MIB - 1,
                            MIB,
                            MIB + 1,
                            16 * MIB - 1,
                            16 * MIB,
                            16 * MIB + 1,
                            32 * MIB - 3,
                            32 * MIB + 5,
                            50 * MIB + 77};
  for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) there_and_back(lengths[i]);
}

static void copies_follow_the_work_queued_before_them(void **state)
{
  (void)state;
  enum { N = 5 << 20 };
  double *x = malloc(N * sizeof *x), *dx = NULL, *dy = NULL;
  for (int i = 0; i < N; i++) x[i] = i;
  dx = t_to_backend(x, N * sizeof *x);
  dy = t_to_backend(x, N * sizeof *x);
  for (int k = 0; k < 10; k++) T_OK(BF_OP(t_be, vector.axpby, N, 1.0, dx, 1.0, dy));
  t_to_host(x, dy, N * sizeof *x);
  for (int i = 0; i < N; i++)
    if (x[i] != 11.0 * i) fail_msg("entry %d is %g", i, x[i]);
  t_be->ops.release(t_be, dx);
  t_be->ops.release(t_be, dy);
  free(x);
}

int main(int argc, char **argv)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(copies_of_every_length_come_back),
      cmocka_unit_test(copies_follow_the_work_queued_before_them),
  };
  const int code = t_backend_open(argc, argv);
  return code ? code : t_backend_close(T_RUN(tests));
}
