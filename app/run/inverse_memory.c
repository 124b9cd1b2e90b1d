/* app/run/inverse_memory.c - see app/inverse_memory.h */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "app/inverse_memory.h"
#include "app/job.h"
#include "base/memory.h"
#include "solvers/solver.h"
#include <stdio.h>

/* -1: the available memory is not known. */
static int64_t part_of(double part, size_t available)
{
  return available == 0 ? -1 : (int64_t)(part * (double)available);
}

static bf_err need(int64_t bytes, int64_t allowed, const char *where, bf_int n, int fp32, bf_where at,
                   bf_diags *diags)
{
  char needs[24], may[24];
  if (allowed < 0 || bytes <= allowed) return BF_OK;
  bf_bytes_text((double)bytes, needs);
  bf_bytes_text((double)allowed, may);
  bf_diag_add(diags, BF_ERROR, 401, at,
              "the inverse of order %d needs %s of memory on the %s (matrix, inverse, workspace), %s may be "
              "used%s",
              (int)n, needs, where, may, fp32 ? "" : "; fp32 needs less");
  return BF_FAIL(BF_E_MEMORY, "the inverse does not fit");
}

bf_err bf_inverse_memory_check(bf_backend *be, bf_int n, int fp32, double part, bf_where where,
                               const bf_log *log, bf_diags *diags, bf_inverse_memory *m)
{
  size_t available, total;
  char   text[3][24], name[40];
  BF_TRY(bf_inverse_forecast(be, n, fp32, &m->backend, &m->host));
  BF_TRY(be->ops.memory(be, &available, &total));
  m->allowed      = part_of(part, available);
  m->host_allowed = part_of(part, bf_memory_available());
  bf_bytes_text((double)m->backend, text[0]);
  bf_bytes_text((double)m->host, text[1]);
  bf_bytes_text((double)(m->backend + m->host), text[2]);
  snprintf(name, sizeof name, "%s backend", be->ops.name);
  if (be->ops.on_device) {
    bf_log_line(log, "memory    %s on the %s, %s on the host", text[0], name, text[1]);
    BF_TRY(need(m->backend, m->allowed, name, n, fp32, where, diags));
    return need(m->host, m->host_allowed, "host", n, 0, where, diags);
  }
  bf_log_line(log, "memory    %s", text[2]);
  return need(m->backend + m->host, m->allowed, name, n, fp32, where, diags);
}
