/* base/err.c - see err.h; one trace per thread, in fixed storage so that an error needs no memory */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/err.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static _Thread_local char   message[1024];
static _Thread_local char   trace[4096];
static _Thread_local size_t used;

const char *bf_err_name(bf_err err)
{
  switch (err) {
  case BF_OK: return "ok";
  case BF_E_ARG: return "argument outside its documented range";
  case BF_E_MEMORY: return "out of memory";
  case BF_E_INPUT: return "error in the input deck";
  case BF_E_MODEL: return "error in the mesh or the model";
  case BF_E_DEVICE: return "device error";
  case BF_E_UNSUPPORTED: return "operation not available on this backend";
  case BF_E_FILE: return "cannot write a result";
  case BF_E_INTERNAL: return "unexpected result of a library";
  }
  return "unknown error";
}

static void append(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
static void append(const char *fmt, ...)
{
  va_list args;
  va_start(args, fmt);
  const int n = vsnprintf(trace + used, sizeof trace - used, fmt, args);
  va_end(args);
  if (n > 0) used += (size_t)n < sizeof trace - used ? (size_t)n : sizeof trace - used - 1;
}

bf_err bf_err_raise(bf_err err, const char *func, const char *file, int line, const char *fmt, ...)
{
  va_list args;
  va_start(args, fmt);
  vsnprintf(message, sizeof message, fmt, args);
  va_end(args);
  used = 0;
  append("%s: %s\n  at %s (%s:%d)", bf_err_name(err), message, func, file, line);
  return err;
}

bf_err bf_err_pass(bf_err err, const char *func, const char *file, int line)
{
  append("\n  at %s (%s:%d)", func, file, line);
  return err;
}

const char *bf_err_message(void)
{
  return message;
}

const char *bf_err_trace(void)
{
  return trace;
}
