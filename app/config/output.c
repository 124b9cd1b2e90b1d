/* app/config/output.c - fills the configuration from the deck: output and checks */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "app/config/internal.h"
#include <math.h>

int bf_output_has(const bf_output_config *output, bf_file_format format)
{
  for (int i = 0; i < output->nformats; i++)
    if (output->format[i] == format) return 1;
  return 0;
}

static bf_err probes(bf_run_config *config, const bf_item *map)
{
  void *store            = NULL;
  config->output.nprobes = bf_item_count(map);
  BF_TRY(bf_config_array(config, config->output.nprobes, sizeof(bf_probe_config), &store));
  bf_probe_config *p   = store;
  config->output.probe = p;
  for (int i = 0; i < config->output.nprobes; i++, p++) {
    const bf_item *it = bf_item_at(map, i), *at = bf_item_get(it, "at");
    p->name     = bf_item_key(it);
    p->nat      = bf_item_count(at);
    p->at_where = bf_item_where(at);
    for (int c = 0; c < 3 && c < p->nat; c++) p->at[c] = bf_item_number(bf_item_at(at, c));
    BF_TRY(bf_config_names(config, bf_item_get(it, "fields"), &p->nfields, &p->field));
  }
  return BF_OK;
}

static bf_err checks(bf_run_config *config, const bf_item *list)
{
  void *store     = NULL;
  config->nchecks = bf_item_count(list);
  BF_TRY(bf_config_array(config, config->nchecks, sizeof(bf_check_config), &store));
  bf_check_config *c = store;
  config->check      = c;
  for (int i = 0; i < config->nchecks; i++, c++) {
    const bf_item *it = bf_item_at(list, i), *quantity = bf_item_get(it, "quantity");
    const bf_item *note = bf_item_get(it, "note"), *expect = bf_item_get(it, "expect");
    const bf_item *rtol = bf_item_get(it, "rtol"), *atol = bf_item_get(it, "atol");
    *c = (bf_check_config){.quantity       = bf_item_text(quantity),
                           .written        = bf_item_written(quantity),
                           .quantity_where = bf_item_where(quantity),
                           .note           = note ? bf_item_text(note) : "",
                           .report         = expect == NULL,
                           .expected       = bf_config_real(expect, NAN),
                           .relative       = expect && rtol,
                           .tolerance      = expect ? bf_item_number(rtol ? rtol : atol) : 0.0};
  }
  return BF_OK;
}

bf_err bf_config_output(const bf_item *root, bf_run_config *config)
{
  const bf_item    *section = bf_item_get(root, "output"), *dir = bf_item_get(section, "dir");
  const bf_item    *formats = bf_item_get(section, "formats"), *refine = bf_item_get(section, "refine");
  bf_output_config *o = &config->output;
  o->dir              = dir ? bf_item_text(dir) : "";
  o->dir_item         = dir;
  o->dir_where        = bf_item_given(dir) ? bf_item_where(dir) : (bf_where){0};
  for (int i = 0; i < bf_item_count(formats) && i < 2; i++)
    o->format[o->nformats++] = bf_item_is(bf_item_at(formats, i), "vtk") ? BF_FILE_VTK : BF_FILE_VTKHDF;
  o->compression  = bf_config_int(bf_item_get(section, "compression"), 0);
  o->refine       = bf_config_int(refine, 0);
  o->refine_where = bf_item_where(refine);
  o->csv          = bf_item_true(bf_item_get(section, "csv"));
  o->report       = bf_item_true(bf_item_get(section, "report"));
  o->levels       = bf_item_true(bf_item_get(section, "levels"));
  o->levels_where = bf_item_where(bf_item_get(section, "levels"));
  BF_TRY(bf_config_texts(config, bf_item_get(section, "fields"), &o->nfields, &o->field));
  BF_TRY(bf_config_names(config, bf_item_get(section, "flexibility"), &o->nflexibility, &o->flexibility));
  BF_TRY(probes(config, bf_item_get(section, "probes")));
  return checks(config, bf_item_get(root, "checks"));
}
