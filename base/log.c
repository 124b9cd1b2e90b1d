/* base/log.c - see log.h */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/log.h"
#include <stdarg.h>
#include <stdio.h>

void bf_log_line(const bf_log *log, const char *fmt, ...)
{
  if (!log || !log->line) return;
  char    text[1024];
  va_list args;
  va_start(args, fmt);
  vsnprintf(text, sizeof text, fmt, args);
  va_end(args);
  log->line(log->context, text);
}
