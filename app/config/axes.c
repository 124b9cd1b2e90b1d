/* app/config/axes.c - fills the configuration from the deck: named axes */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "app/config/internal.h"
#include <string.h>

static int numbers(const bf_item *it, double v[3])
{
  for (int d = 0; d < bf_item_count(it) && d < 3; d++) v[d] = bf_item_number(bf_item_at(it, d));
  return bf_item_count(it);
}

bf_err bf_config_axes(const bf_item *root, bf_run_config *config)
{
  const bf_item *list = bf_item_get(root, "axes");
  bf_problem    *p    = &config->problem;
  void          *store;
  p->naxes = bf_item_count(list);
  if (p->naxes == 0) return BF_OK;
  BF_TRY(bf_config_array(config, p->naxes, sizeof(bf_axes), &store));
  bf_axes *a = store;
  p->axes    = a;
  for (int i = 0; i < p->naxes; i++, a++) {
    const bf_item *it = bf_item_at(list, i);
    a->name           = bf_item_text(bf_item_get(it, "name"));
    a->where          = bf_item_where(it);
    if (bf_item_is(bf_item_get(it, "type"), "cylindrical")) {
      a->type     = BF_AXES_CYLINDRICAL;
      a->other[2] = 1.0;
      a->norigin  = numbers(bf_item_get(it, "origin"), a->origin);
      a->nother   = numbers(bf_item_get(it, "axis"), a->other);
    } else {
      a->type   = BF_AXES_RECTANGULAR;
      a->nfirst = numbers(bf_item_get(it, "x"), a->first);
      a->nother = numbers(bf_item_get(it, "xy"), a->other);
    }
  }
  p->output_axes = bf_config_axes_of(config, bf_item_get(root, "output"), NULL);
  return BF_OK;
}

const bf_axes *bf_config_axes_of(const bf_run_config *config, const bf_item *entry, bf_where *where)
{
  const bf_item    *name = bf_item_get(entry, "axes");
  const bf_problem *p    = &config->problem;
  if (name && where) *where = bf_item_where(name);
  for (int i = 0; name && i < p->naxes; i++)
    if (bf_item_is(name, p->axes[i].name)) return &p->axes[i];
  return NULL;
}
