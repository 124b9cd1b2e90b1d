/* app/config/cases.c - fills the configuration from the deck: load cases, and where conditions, loads and
 * checks apply */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "app/config/internal.h"
#include <string.h>

/* 1: the `case` of an entry names this one, or there is none. */
static int acts(const bf_item *entry, const char *name)
{
  const bf_item *of = bf_item_get(entry, "case");
  int            is = !of || bf_item_is(of, name);
  for (int i = 0; i < bf_item_count(of); i++) is |= bf_item_is(bf_item_at(of, i), name);
  return is;
}

static bf_err mask(bf_run_config *config, const bf_item *list, const char *name, const uint8_t **out)
{
  const int n    = bf_item_count(list);
  void     *p    = NULL;
  uint8_t  *take = NULL;
  BF_TRY(bf_config_array(config, n > 0 ? n : 1, 1, &p));
  take = p;
  for (int i = 0; i < n; i++) take[i] = (uint8_t)acts(bf_item_at(list, i), name);
  *out = take;
  return BF_OK;
}

bf_err bf_config_cases(const bf_item *root, bf_run_config *config)
{
  const bf_item *cases = bf_item_get(root, "cases");
  void          *p     = NULL;
  config->ncases       = bf_item_count(cases);
  if (config->ncases == 0) return BF_OK;
  BF_TRY(bf_config_array(config, config->ncases, sizeof(bf_case_config), &p));
  bf_case_config *c = p;
  config->of_case   = c;
  for (int i = 0; i < config->ncases; i++) {
    const bf_item *it = bf_item_at(cases, i), *sum = bf_item_get(it, "sum");
    c[i].name     = bf_item_key(it);
    c[i].where    = bf_item_where(it);
    c[i].sum      = sum != NULL;
    c[i].envelope = bf_item_true(bf_item_get(it, "envelope"));
    BF_TRY(bf_config_array(config, config->ncases, sizeof(double), &p));
    double *factor = p;
    for (int k = 0; k < config->ncases; k++)
      factor[k] = sum ? bf_config_real(bf_item_get(sum, bf_item_key(bf_item_at(cases, k))), 0.0) : k == i;
    c[i].factor = factor;
    BF_TRY(mask(config, bf_item_get(root, "boundary"), c[i].name, &c[i].boundary));
    BF_TRY(mask(config, bf_item_get(root, "loads"), c[i].name, &c[i].load));
    BF_TRY(mask(config, bf_item_get(root, "checks"), c[i].name, &c[i].check));
  }
  return BF_OK;
}
