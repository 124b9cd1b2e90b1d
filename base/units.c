/* base/units.c - see units.h; work in mm, N, s is N mm = mJ, power mW */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/units.h"
#include <string.h>

const char *bf_unit_in(bf_units system, const char *si)
{
  static const char *const mm[][2] = {{"m", "mm"},
                                      {"m2", "mm2"},
                                      {"m3", "mm3"},
                                      {"m/s2", "mm/s2"},
                                      {"N/m", "N/mm"},
                                      {"N/m2", "N/mm2"},
                                      {"kg/m3", "t/mm3"},
                                      {"Pa", "MPa"},
                                      {"N/m3", "N/mm3"},
                                      {"W", "mW"},
                                      {"W/K", "mW/K"},
                                      {"W/m2", "mW/mm2"},
                                      {"W/m3", "mW/mm3"},
                                      {"W/m/K", "mW/mm/K"},
                                      {"W/m2/K", "mW/mm2/K"},
                                      {"J/kg/K", "mJ/t/K"},
                                      {"m2/s", "mm2/s"},
                                      {"m/s", "mm/s"},
                                      {"kg/s", "t/s"},
                                      {"kg/m2/s", "t/mm2/s"},
                                      {"kg/m3/s", "t/mm3/s"},
                                      {"N m", "N mm"},
                                      {"kg", "t"},
                                      {"kg^-1/2", "t^-1/2"},
                                      {"1/m3/s2", "1/mm3/s2"},
                                      {"Pa/m2", "MPa/mm2"}};
  for (size_t i = 0; system == BF_UNITS_MM && i < sizeof mm / sizeof *mm; i++)
    if (strcmp(mm[i][0], si) == 0) return mm[i][1];
  return si;
}
