/* base/utf8.c - see utf8.h */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/utf8.h"

int bf_utf8_length(const unsigned char *s)
{
  const int n = s[0] < 0x80                   ? 1
                : s[0] >= 0xc2 && s[0] < 0xe0 ? 2
                : s[0] >= 0xe0 && s[0] < 0xf0 ? 3
                : s[0] >= 0xf0 && s[0] < 0xf5 ? 4
                                              : 0;
  for (int k = 1; k < n; k++)
    if ((s[k] & 0xc0) != 0x80) return 0;
  const int overlong  = (s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xf0 && s[1] < 0x90);
  const int surrogate = s[0] == 0xed && s[1] > 0x9f, too_large = s[0] == 0xf4 && s[1] > 0x8f;
  return overlong || surrogate || too_large ? 0 : n;
}
