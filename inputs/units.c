/* inputs/units.c - W114: values that are plausible only in the other system of units
 *
 * The thresholds are one table, which the reference page shows.  They lie between the systems
 * for solids and gravity; a value inside them is not confirmed, it is only not reported.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/units.h"
#include "inputs/validate.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct bf_units_row {
  bf_units    system; /* of the deck */
  const char *key;
  double      above, below; /* suspicious values; for a vector its magnitude */
  const char *unit, *looks, *usual;
} bf_units_row;

static const bf_units_row rows[] = {
    {BF_UNITS_SI, "rho", 0.0, 1.0e-5, "kg/m3", "t/mm3, as in mm-N-MPa-t", "steel 7850"},
    {BF_UNITS_SI, "g", 9.0e+3, 1.1e+4, "m/s2", "mm/s2, as in mm-N-MPa-t", "on earth 9.81"},
    {BF_UNITS_SI, "E", 1.0e+4, 1.0e+6, "Pa", "MPa, as in mm-N-MPa-t", "steel 2.1e+11"},
    {BF_UNITS_MM, "E", 1.0e+8, INFINITY, "MPa", "Pa, as in SI", "steel 210000"},
    {BF_UNITS_MM, "rho", 1.0e-5, INFINITY, "t/mm3", "kg/m3, as in SI", "steel 7.85e-9"},
    {BF_UNITS_MM, "g", 9.0, 11.0, "mm/s2", "m/s2, as in SI", "on earth 9810"},
};

/* A number, the largest value of a table, the magnitude of a vector; NaN for anything with a formula. */
static double size_of(const bf_item *it)
{
  double sum = 0.0;
  if (bf_item_table(it)) return bf_item_table(it)->most;
  if (bf_item_count(it) == 0) return bf_item_number(it);
  for (int i = 0; i < bf_item_count(it); i++) sum += pow(bf_item_number(bf_item_at(it, i)), 2.0);
  return sqrt(sum);
}

/* Tests this key of a material or load against every row. */
static void look(bf_checker *c, bf_units system, const bf_item *entry, const char *key)
{
  const bf_item *it       = bf_item_get(entry, key);
  const double   v        = size_of(it);
  char           soft[96] = "";
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    const bf_units_row *r = &rows[i];
    if (!it || r->system != system || strcmp(r->key, key) != 0 || !(v > r->above && v < r->below)) continue;
    const bf_item *rho = bf_item_get(entry, "rho");
    if (system == BF_UNITS_SI && key[0] == 'E' && rho && size_of(rho) < 1.0e-5) continue; /* said with rho */
    const double E = system == BF_UNITS_SI && key[0] == 'r' ? size_of(bf_item_get(entry, "E")) : NAN;
    if (E < 1.0e6) snprintf(soft, sizeof soft, "; so does 'E', %g Pa", E);
    bf_diag_add(c->diags, BF_WARNING, 114, it->where,
                "'%s' = %g %s looks like %s%s (%s); units.system is %s and values are not converted", key, v,
                r->unit, r->looks, soft, r->usual, system == BF_UNITS_SI ? "SI" : "mm-N-MPa-t");
  }
}

bf_units bf_units_of(const bf_item *root)
{
  return bf_item_is(bf_item_get(root, "units.system"), "mm-N-MPa-t") ? BF_UNITS_MM : BF_UNITS_SI;
}

void bf_units_check(bf_checker *c, const bf_item *root)
{
  const bf_item *materials = bf_item_child(root, "materials"), *loads = bf_item_child(root, "loads");
  for (int i = 0; i < bf_item_count(materials); i++) {
    look(c, c->units, bf_item_at(materials, i), "E");
    look(c, c->units, bf_item_at(materials, i), "rho");
  }
  for (int i = 0; i < bf_item_count(loads); i++)
    if (bf_item_is(bf_item_get(bf_item_at(loads, i), "type"), "gravity"))
      look(c, c->units, bf_item_at(loads, i), "g");
}

static void put_number(FILE *out, double v)
{
  if (v > 0.0 && v < INFINITY) fprintf(out, "%g", v);
}

void bf_units_reference(FILE *out)
{
  const bf_units_row *r = rows;
  fputs(
      "\n## Units\n\n"
      "Numbers are used as they are written. `units.system` is the label of the results (`unit_<field>`, "
      "`report.json`,\nthe log). In mm-N-MPa-t a unit that this page gives in SI becomes its counterpart: Pa "
      "is "
      "MPa, m is mm, W is mW and so on.\nValues that look like those of the other system get a warning "
      "(W114, "
      "never an error). For a vector its magnitude is\ntested, for a table its largest value; formulas are "
      "not "
      "tested:\n\n"
      "| `units.system` | key | suspicious above | below | looks like | usual |\n|---|---|---|---|---|---|\n",
      out);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    fprintf(out, "| %s | `%s` (%s) | ", r[i].system == BF_UNITS_SI ? "SI" : "mm-N-MPa-t", r[i].key,
            r[i].unit);
    put_number(out, r[i].above);
    fputs(" | ", out);
    put_number(out, r[i].below);
    fprintf(out, " | %s | %s |\n", r[i].looks, r[i].usual);
  }
}
