/* outputs/atomic_file.h - a file that is complete or absent
 *
 * Bytes are written to a new file in the folder of the target (`path.PROCESS.part`); commit closes it and
 * renames it over the target, so a reader gets the old file or the new one. The first error of the system is
 * stored: later writes do nothing; status and commit return it. Not thread-safe; one writer per path in a
 * process.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_ATOMIC_FILE_H
#define BF_ATOMIC_FILE_H
#include "base/err.h"

typedef struct bf_atomic_file bf_atomic_file; /* opaque */

/* Creates the folder and its missing parents, like mkdir -p; BF_E_FILE with the message of the system. */
bf_err bf_make_folder(const char *path);

/* Opens the temporary file; removes those of path that a killed process left.  BF_E_FILE "cannot write
 * 'path': ..." if the folder is missing or not writable, or if path names something that is not a regular
 * file. */
bf_err bf_atomic_file_create(const char *path, bf_atomic_file **out);

/* Appends; small pieces are buffered, pieces of a MiB and more are written directly. */
void bf_atomic_file_write(bf_atomic_file *f, const void *bytes, size_t count);
void bf_atomic_file_print(bf_atomic_file *f, const char *fmt, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;

/* A field of a CSV file: in quotes if it contains a comma, a quote or a line end (RFC 4180). */
void bf_atomic_file_print_csv(bf_atomic_file *f, const char *text);

/* For a library that writes at offsets (not to be combined with the three above). Reading past the end
 * returns zeros. */
void bf_atomic_file_write_at(bf_atomic_file *f, int64_t offset, const void *bytes, size_t count);
void bf_atomic_file_read_at(bf_atomic_file *f, int64_t offset, void *bytes, size_t count);
void bf_atomic_file_truncate(bf_atomic_file *f, int64_t length);

/* BF_E_FILE "cannot write 'path': <system's words>" if anything failed so far, else BF_OK. */
bf_err bf_atomic_file_status(const bf_atomic_file *f);

const char *bf_atomic_file_path(const bf_atomic_file *f); /* the target's */

/* Writes the buffer, closes, renames. After a failure the target is unchanged. */
bf_err bf_atomic_file_commit(bf_atomic_file *f);

/* Removes the temporary file unless it was committed, frees, sets *f = NULL; NULL is fine. */
void bf_atomic_file_destroy(bf_atomic_file **f);
#endif
