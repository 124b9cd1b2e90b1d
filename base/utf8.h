/* base/utf8.h - one character of UTF-8 (RFC 3629) */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_UTF8_H
#define BF_UTF8_H

/* Bytes of the well-formed character at s, which ends with a zero byte; 0 if there is none (a stray or
 * truncated sequence, an overlong form, a surrogate, past U+10FFFF). */
int bf_utf8_length(const unsigned char *s);
#endif
