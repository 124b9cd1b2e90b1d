/* outputs/matrix/png.h - a picture with a palette as a PNG file
 *
 * Source: Portable Network Graphics (PNG) Specification, 2nd ed., ISO/IEC 15948:2004; P. Deutsch, DEFLATE,
 * RFC 1951 (1996).
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_PNG_H
#define BF_PNG_H
#include "base/err.h"

enum { BF_PNG_MOST = 16384 }; /* pixels of a side */

/* pixel[height][width]: indices into palette[ncolours][3] (red, green, blue), from the top left.  The file is
 * complete or absent: BF_E_FILE "cannot write 'path': ...". */
bf_err bf_write_png(const char *path, int width, int height, int ncolours, const uint8_t (*palette)[3],
                    const uint8_t *pixel);
/* The bytes of such a file: *png is the caller's, free with bf_host_free. */
bf_err bf_png_encode(int width, int height, int ncolours, const uint8_t (*palette)[3], const uint8_t *pixel,
                     uint8_t **png, size_t *bytes);
#endif
