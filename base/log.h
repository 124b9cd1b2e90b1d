/* base/log.h - lines for the user: the library formats them, the program writes them */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_LOG_H
#define BF_LOG_H
#include "base/err.h"

typedef struct bf_log {
  void (*line)(void *context, const char *text); /* NULL = silent */
  void *context;                                 /* borrowed */
} bf_log;

/* One line, printf; log may be NULL. */
void bf_log_line(const bf_log *log, const char *fmt, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;
#endif
