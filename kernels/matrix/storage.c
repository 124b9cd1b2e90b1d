/* kernels/matrix/storage.c - backend memory of the formats: availability check, allocation, copies */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/matrix/storage.h"
#include "base/memory.h"
#include <stdio.h>

/* "12.3 GiB", "4.5 MiB", "12 B": one text per call site and thread is not needed, the caller gives the room.
 */
static const char *bytes_text(double bytes, char *text, size_t size)
{
  static const char *const unit[] = {"B", "KiB", "MiB", "GiB", "TiB"};
  int                      u      = 0;
  while (bytes >= 1024.0 && u < 4) {
    bytes /= 1024.0;
    u++;
  }
  snprintf(text, size, u ? "%.1f %s" : "%.0f %s", bytes, unit[u]);
  return text;
}

bf_err bf_memory_refuse(bf_backend *be, int64_t bytes, const char *what)
{
  size_t available = 0, total = 0;
  char   need[32], have[32];
  BF_TRY(be->ops.memory(be, &available, &total));
  BF_CHECK(available == 0 || (bytes >= 0 && (uint64_t)bytes <= available), BF_E_MEMORY,
           "%s needs %s, %s available on backend '%s'", what, bytes_text((double)bytes, need, sizeof need),
           bytes_text((double)available, have, sizeof have), be->ops.name);
  return BF_OK;
}

bf_err bf_longest_row(bf_backend *be, const int64_t *ptr, bf_int n, int64_t *most)
{
  void *p = NULL;
  *most   = 0;
  BF_TRY(bf_fetch(be, ptr, (int64_t)n + 1, sizeof *ptr, &p));
  const int64_t *at = p;
  for (bf_int i = 0; i < n; i++)
    if (at[i + 1] - at[i] > *most) *most = at[i + 1] - at[i];
  bf_host_free(p);
  return BF_OK;
}

bf_err bf_alloc_zero(bf_backend *be, int64_t n, size_t size, void **p)
{
  bf_err err = BF_OK;
  void  *q   = NULL;
  *p         = NULL;
  BF_NEED(n >= 0 && (uint64_t)n <= SIZE_MAX / 2 / size, BF_E_MEMORY, "%lld x %zu bytes", (long long)n, size);
  BF_GO(be->ops.alloc(be, (size_t)n * size, &q));
  BF_GO(be->ops.zero(be, q, (size_t)n * size));
  *p = q;
  q  = NULL;
done:
  be->ops.release(be, q);
  return err;
}

bf_err bf_alloc_copy(bf_backend *be, const void *host, int64_t n, size_t size, void **p)
{
  bf_err err = BF_OK;
  void  *q   = NULL;
  *p         = NULL;
  BF_GO(be->ops.alloc(be, (size_t)n * size, &q));
  BF_GO(be->ops.copy(be, q, host, (size_t)n * size, BF_TO_DEVICE));
  *p = q;
  q  = NULL;
done:
  be->ops.release(be, q);
  return err;
}

bf_err bf_fetch(bf_backend *be, const void *p, int64_t n, size_t size, void **host)
{
  bf_err err = BF_OK;
  char  *h   = NULL;
  *host      = NULL;
  BF_GO(BF_NEW_ARRAY(h, (size_t)n * size));
  BF_GO(be->ops.copy(be, h, p, (size_t)n * size, BF_TO_HOST));
  *host = h;
  h     = NULL;
done:
  bf_host_free(h);
  return err;
}

bf_err bf_alloc_same(bf_backend *be, const void *from, int64_t n, size_t size, void **p)
{
  *p = NULL;
  BF_TRY(be->ops.alloc(be, (size_t)n * size, p));
  const bf_err err = be->ops.copy(be, *p, from, (size_t)n * size, BF_WITHIN);
  if (err == BF_OK) return BF_OK;
  be->ops.release(be, *p);
  *p = NULL;
  return err;
}

/* ---- values ---- */

bf_err bf_values_to_fp32(bf_backend *be, const void *values, int64_t n, void **p)
{
  *p = NULL;
  BF_TRY(be->ops.alloc(be, (size_t)n * sizeof(float), p));
  const bf_err err = BF_OP(be, vector.demote, n, values, *p);
  if (err == BF_OK) return BF_OK;
  be->ops.release(be, *p);
  *p = NULL;
  return err;
}

bf_err bf_values_put(bf_backend *be, int64_t n, const double *host, bf_prec prec, void **p)
{
  bf_err err = BF_OK;
  float *f   = NULL;
  *p         = NULL;
  if (prec == BF_FP64) return bf_alloc_copy(be, host, n, sizeof *host, p);
  BF_GO(BF_NEW_ARRAY(f, n));
  for (int64_t i = 0; i < n; i++) f[i] = (float)host[i];
  BF_GO(bf_alloc_copy(be, f, n, sizeof *f, p));
  BF_GO(be->ops.sync(be)); /* f is released below */
done:
  bf_host_free(f);
  if (err) {
    be->ops.release(be, *p);
    *p = NULL;
  }
  return err;
}

bf_err bf_values_get(bf_backend *be, int64_t n, const void *p, bf_prec prec, double *host)
{
  bf_err err = BF_OK;
  void  *f   = NULL;
  if (prec == BF_FP64) return be->ops.copy(be, host, p, (size_t)n * sizeof *host, BF_TO_HOST);
  BF_GO(bf_fetch(be, p, n, sizeof(float), &f));
  for (int64_t i = 0; i < n; i++) host[i] = (double)((const float *)f)[i];
done:
  bf_host_free(f);
  return err;
}
