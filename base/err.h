/* base/err.h - status codes, the error trace, and the macros that carry them upward
 *
 * A function that can fail returns bf_err.  The first failure records a message and its place; every BF_TRY
 * or BF_GO it passes on the way up adds a line.  The library never prints: the program shows bf_err_trace().
 * Numerical results (a singular pivot, no convergence) are not a bf_err: they are reported in an info array
 * or a report.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_ERR_H
#define BF_ERR_H
#include <stddef.h>
#include <stdint.h>

typedef int32_t bf_int; /* indices and sizes; offsets and counts of entries are int64_t or size_t */

typedef enum bf_err {
  BF_OK = 0,
  BF_E_ARG,         /* argument outside its documented range */
  BF_E_MEMORY,      /* host or device memory exhausted, or too small for the estimate */
  BF_E_INPUT,       /* the deck is wrong: see the diagnostics */
  BF_E_MODEL,       /* the mesh or the model is wrong: see the diagnostics */
  BF_E_DEVICE,      /* no such device, or a device call failed */
  BF_E_UNSUPPORTED, /* the backend has no such operation */
  BF_E_FILE,        /* a result could not be written */
  BF_E_INTERNAL     /* a library returned an unexpected result */
} bf_err;

const char *bf_err_name(bf_err err);

/* Starts a new trace with a printf message; returns err.  Called by BF_FAIL. */
bf_err bf_err_raise(bf_err err, const char *func, const char *file, int line, const char *fmt, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 5, 6)))
#endif
    ;
/* Adds one line to the trace; returns err.  Called by BF_TRY and BF_GO. */
bf_err bf_err_pass(bf_err err, const char *func, const char *file, int line);

const char *bf_err_message(void); /* message of the last failure on this thread */
const char *bf_err_trace(void);   /* message and places, one per line */

/* The value is the code itself, so that a compiler can derive that a failure is not BF_OK; err_ is evaluated
 * twice.
 */
#define BF_FAIL(err_, ...) (bf_err_raise((err_), __func__, __FILE__, __LINE__, __VA_ARGS__), (err_))

/* Return at once on failure (functions that own nothing). */
#define BF_TRY(call)                                                                                         \
  do {                                                                                                       \
    const bf_err try_err_ = (call);                                                                          \
    if (try_err_ != BF_OK) {                                                                                 \
      bf_err_pass(try_err_, __func__, __FILE__, __LINE__);                                                   \
      return try_err_;                                                                                       \
    }                                                                                                        \
  } while (0)
#define BF_CHECK(cond, err_, ...)                                                                            \
  do {                                                                                                       \
    if (!(cond)) return BF_FAIL((err_), __VA_ARGS__);                                                        \
  } while (0)

/* Go to `done:` on failure (functions with something to free; they declare `bf_err err = BF_OK`). */
#define BF_GO(call)                                                                                          \
  do {                                                                                                       \
    err = (call);                                                                                            \
    if (err != BF_OK) {                                                                                      \
      bf_err_pass(err, __func__, __FILE__, __LINE__);                                                        \
      goto done;                                                                                             \
    }                                                                                                        \
  } while (0)
#define BF_NEED(cond, err_, ...)                                                                             \
  do {                                                                                                       \
    if (!(cond)) {                                                                                           \
      err = BF_FAIL((err_), __VA_ARGS__);                                                                    \
      goto done;                                                                                             \
    }                                                                                                        \
  } while (0)

#endif
