/* assembly/basis/von_mises.c - see von_mises.h */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "assembly/basis/von_mises.h"
#include <math.h>

double bf_von_mises(const double s[6])
{
  const double a = s[0] - s[1], b = s[1] - s[2], c = s[2] - s[0];
  return sqrt(0.5 * (a * a + b * b + c * c) + 3.0 * (s[3] * s[3] + s[4] * s[4] + s[5] * s[5]));
}
