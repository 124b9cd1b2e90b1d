/* app/config/waves.c - fills the configuration from the deck: wave vectors and bands of analysis dispersion
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "app/config/internal.h"
#include <string.h>

static bf_err points(bf_run_config *config, const bf_item *map)
{
  bf_dispersion_config *d     = &config->dispersion;
  void                 *store = NULL;
  d->npoints                  = bf_item_count(map);
  BF_TRY(bf_config_array(config, d->npoints, sizeof(bf_wave_point), &store));
  bf_wave_point *p = store;
  d->point         = p;
  for (int i = 0; i < d->npoints; i++, p++) {
    const bf_item *it = bf_item_at(map, i);
    *p = (bf_wave_point){.name = bf_item_key(it), .where = bf_item_where(it), .n = bf_item_count(it)};
    for (int c = 0; c < p->n && c < 3; c++) p->x[c] = bf_item_number(bf_item_at(it, c));
  }
  return BF_OK;
}

/* The schema's rules have checked that every name of the path is a point. */
static bf_err path(bf_run_config *config, const bf_item *list)
{
  bf_dispersion_config *d     = &config->dispersion;
  void                 *store = NULL;
  d->npath                    = bf_item_count(list);
  d->path_where               = bf_item_where(list);
  BF_TRY(bf_config_array(config, d->npath, sizeof(int), &store));
  int *index = store;
  d->path    = index;
  for (int t = 0; t < d->npath; t++) {
    const char *name = bf_item_text(bf_item_at(list, t));
    int         i    = 0;
    while (i < d->npoints && strcmp(d->point[i].name, name) != 0) i++;
    BF_CHECK(i < d->npoints, BF_E_INTERNAL, "a point of the path passed the schema and is unknown");
    index[t] = i;
  }
  return BF_OK;
}

static bf_err saved(bf_run_config *config, const bf_item *save)
{
  bf_dispersion_config *d     = &config->dispersion;
  const bf_item        *bands = bf_item_get(save, "bands");
  void                 *store = NULL;
  BF_TRY(bf_config_texts(config, bf_item_get(save, "at"), &d->nsaved_points, &d->saved_point));
  d->nsaved_bands = bf_item_count(bands);
  BF_TRY(bf_config_array(config, d->nsaved_bands, sizeof(int), &store));
  int *band     = store;
  d->saved_band = band;
  for (int i = 0; i < d->nsaved_bands; i++) band[i] = (int)bf_item_number(bf_item_at(bands, i));
  return BF_OK;
}

bf_err bf_config_waves(const bf_item *root, bf_run_config *config)
{
  const bf_item        *analysis = bf_item_get(root, "analysis"), *bands = bf_item_get(analysis, "bands");
  bf_dispersion_config *d = &config->dispersion;
  if (config->problem.analysis != BF_DISPERSION) return BF_OK;
  d->bands       = bf_config_int(bands, 0);
  d->bands_where = bf_item_where(bands);
  d->samples     = bf_config_int(bf_item_get(analysis, "samples"), 1);
  d->cartesian   = bf_item_is(bf_item_get(analysis, "k_units"), "rad_per_length");
  BF_TRY(points(config, bf_item_get(analysis, "points")));
  BF_TRY(path(config, bf_item_get(analysis, "path")));
  return saved(config, bf_item_get(root, "output.save_modes"));
}
