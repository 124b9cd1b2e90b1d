/* kernels/backend.c - chooses a table of operations by name */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/backend.h"
#include "base/memory.h"
#include <string.h>

extern const bf_ops bf_ops_cpu;
#ifdef BF_WITH_CUDA
extern const bf_ops bf_ops_cuda;
#endif

bf_err bf_unsupported(const bf_backend *be, const char *op)
{
  return BF_FAIL(BF_E_UNSUPPORTED, "backend '%s' has no operation '%s'", be->ops.name, op);
}

bf_err bf_device_capable(const char *device, int capability, int least)
{
  BF_CHECK(capability >= least, BF_E_DEVICE,
           "%s has compute capability %d.%d: the kernels of this bandfem need %d.%d or newer", device,
           capability / 10, capability % 10, least / 10, least % 10);
  return BF_OK;
}

static bf_err open_table(const bf_ops *ops, bf_backend **out)
{
  bf_err      err = BF_OK;
  bf_backend *be  = NULL;
  *out            = NULL;
  BF_GO(BF_NEW(be));
  be->ops = *ops;
  BF_GO(be->ops.open(be));
  *out = be;
  be   = NULL;
done:
  bf_host_free(be); /* open() leaves nothing behind when it fails */
  return err;
}

int bf_backend_has_cuda(void)
{
#ifdef BF_WITH_CUDA
  return 1;
#else
  return 0;
#endif
}

static bf_err open_cuda(bf_backend **out)
{
#ifdef BF_WITH_CUDA
  return open_table(&bf_ops_cuda, out);
#else
  *out = NULL;
  return BF_FAIL(BF_E_DEVICE, "this bandfem was built without CUDA");
#endif
}

bf_err bf_backend_create(const char *name, const char **why, bf_backend **out)
{
  static _Thread_local char reason[256];
  BF_CHECK(name && out, BF_E_ARG, "null argument");
  *out               = NULL;
  const char *answer = "asked for";
  if (strcmp(name, "cuda") == 0) {
    BF_TRY(open_cuda(out));
  } else if (strcmp(name, "cpu") == 0) {
    BF_TRY(open_table(&bf_ops_cpu, out));
  } else if (strcmp(name, "auto") == 0) {
    answer = "a usable CUDA device is present";
    if (open_cuda(out) != BF_OK) {
      strncpy(reason, bf_err_message(), sizeof reason - 1);
      answer = reason;
      BF_TRY(open_table(&bf_ops_cpu, out));
    }
  } else {
    return BF_FAIL(BF_E_ARG, "no backend '%s': auto, cpu or cuda", name);
  }
  if (why) *why = answer;
  return BF_OK;
}

void bf_backend_destroy(bf_backend **be)
{
  if (!be || !*be) return;
  (*be)->ops.close(*be);
  bf_host_free(*be);
  *be = NULL;
}
