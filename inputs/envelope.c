/* inputs/envelope.c - names of envelope fields over load cases; see quantity.h */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "inputs/quantity.h"
#include <stdio.h>
#include <string.h>

int bf_envelope_base(const char *field, char *base)
{
  static const char *const end[2] = {"_envelope", "_envelope_case"};
  const size_t             n      = strlen(field);
  snprintf(base, BF_Q_NAME_MAX + 1, "%s", field);
  for (int i = 0; i < 2; i++) {
    const size_t m = strlen(end[i]);
    if (n <= m || strcmp(field + n - m, end[i]) != 0) continue;
    if (n - m <= BF_Q_NAME_MAX) base[n - m] = '\0';
    return i + 1;
  }
  return 0;
}

int bf_envelope_has(const char *base)
{
  static const char *const fields[] = {"displacement", "von_mises", "von_mises_max_ip", "von_mises_nodal",
                                       "temperature",  "heat_flux", "heat_flux_nodal",  "concentration",
                                       "flux",         "flux_nodal"};
  for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
    if (strcmp(base, fields[i]) == 0) return 1;
  return 0;
}
