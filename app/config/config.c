/* app/config/config.c - fills the configuration from the deck: mesh, modal analysis, device, and the order of
 * the parts */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "app/config/internal.h"
#include "base/memory.h"

bf_err bf_config_array(bf_run_config *config, int count, size_t size, void **p)
{
  void **store = bf_host_realloc(config->store, (size_t)config->nstore + 1, sizeof *store);
  BF_CHECK(store, BF_E_MEMORY, "no memory for the model");
  config->store = store;
  *p            = bf_host_alloc((size_t)count, size);
  BF_CHECK(*p, BF_E_MEMORY, "no memory for the model");
  config->store[config->nstore++] = *p;
  return BF_OK;
}

double bf_config_real(const bf_item *it, double otherwise)
{
  return it ? bf_item_number(it) : otherwise;
}

int bf_config_int(const bf_item *it, int otherwise)
{
  return it ? (int)bf_item_number(it) : otherwise;
}

bf_err bf_config_names(bf_run_config *config, const bf_item *list, int *n, const bf_name **name)
{
  const int count = bf_item_count(list);
  void     *p     = NULL;
  *n              = count;
  *name           = NULL;
  if (count == 0) return BF_OK;
  BF_TRY(bf_config_array(config, count, sizeof(bf_name), &p));
  bf_name *to = p;
  for (int i = 0; i < count; i++) {
    const bf_item *it = bf_item_at(list, i);
    to[i]             = (bf_name){bf_item_text(it), bf_item_where(it)};
  }
  *name = to;
  return BF_OK;
}

bf_err bf_config_texts(bf_run_config *config, const bf_item *list, int *n, const char *const **text)
{
  const int count = bf_item_count(list);
  void     *p     = NULL;
  *n              = count;
  *text           = NULL;
  if (count == 0) return BF_OK;
  BF_TRY(bf_config_array(config, count, sizeof(char *), &p));
  const char **to = p;
  for (int i = 0; i < count; i++) to[i] = bf_item_text(bf_item_at(list, i));
  *text = to;
  return BF_OK;
}

static bf_err generated(const bf_item *gen, bf_mesh_config *mesh)
{
  const bf_item *box   = bf_item_get(gen, "box");
  const bf_item *shape = box ? box : bf_item_get(gen, "rectangle");
  const bf_item *size = bf_item_get(shape, "size"), *cells = bf_item_get(shape, "cells");
  const int      type = bf_elem_by_name(bf_item_text(bf_item_get(shape, "element")));
  BF_CHECK(type >= 0, BF_E_INTERNAL, "element name passed the schema and is unknown");
  mesh->dim         = box ? 3 : 2;
  mesh->element     = (bf_elem_type)type;
  mesh->cells_where = bf_item_where(cells);
  for (int d = 0; d < 3 && d < bf_item_count(size); d++) mesh->size[d] = bf_item_number(bf_item_at(size, d));
  for (int d = 0; d < 3 && d < bf_item_count(cells); d++)
    mesh->cells[d] = (bf_int)bf_item_number(bf_item_at(cells, d));
  return BF_OK;
}

static bf_err mesh(const bf_deck *deck, const bf_item *section, bf_mesh_config *mesh)
{
  const bf_item *order = bf_item_get(section, "order");
  mesh->file           = bf_item_get(section, "file");
  mesh->file_where     = bf_item_where(mesh->file);
  mesh->order          = bf_item_is(order, "1") ? 1 : bf_item_is(order, "2") ? 2 : 0;
  mesh->order_where    = bf_item_where(order);
  mesh->scale          = bf_config_real(bf_item_get(section, "scale"), 1.0);
  if (mesh->file) return bf_deck_beside(deck, mesh->file, &mesh->path);
  return generated(bf_item_get(section, "generate"), mesh);
}

static void modal(const bf_item *analysis, bf_modal_config *modal)
{
  const bf_item *shift = bf_item_get(analysis, "shift");
  modal->modes_where   = bf_item_where(bf_item_get(analysis, "modes"));
  modal->shift         = bf_config_real(shift, 0.0);
  modal->shift_text    = bf_item_text(shift);
  modal->mass = bf_item_is(bf_item_get(analysis, "mass"), "lumped") ? BF_MASS_LUMPED : BF_MASS_CONSISTENT;
  modal->largest_is_one = bf_item_is(bf_item_get(analysis, "normalization"), "max");
}

static void device(const bf_deck *deck, const bf_item *section, const char *backend, bf_device_config *device)
{
  const bf_item *name = bf_item_get(section, "backend"), *limit = bf_item_get(section, "memory_limit");
  device->backend       = backend ? backend : name ? bf_item_text(name) : "auto";
  device->backend_item  = name;
  device->backend_where = backend ? (bf_where){0} : bf_item_where(name);
  device->memory_limit  = bf_config_real(limit, 0.9);
  device->memory_limit_where =
      bf_item_given(limit) ? bf_item_where(limit) : (bf_where){.file = bf_deck_path(deck)};
}

const char *bf_config_output_dir(const bf_deck *deck)
{
  return bf_item_text(bf_item_get(bf_deck_root(deck), "output.dir"));
}

bf_err bf_run_config_read(const bf_deck *deck, const char *backend, const char *dir, bf_run_config *config)
{
  const bf_item *root = bf_deck_root(deck), *title = bf_item_get(root, "title");
  const bf_item *space = bf_item_get(root, "discretization.space");
  config->title        = title ? bf_item_text(title) : "";
  config->physics      = bf_item_text(bf_item_get(root, "physics"));
  config->analysis     = bf_item_text(bf_item_get(root, "analysis.type"));
  config->space        = space ? bf_item_text(space) : "";
  BF_TRY(bf_config_axes(root, config));
  BF_TRY(bf_config_problem(root, config));
  BF_TRY(mesh(deck, bf_item_get(root, "mesh"), &config->mesh));
  modal(bf_item_get(root, "analysis"), &config->modal);
  BF_TRY(bf_config_waves(root, config));
  bf_config_solvers(root, config);
  device(deck, bf_item_get(root, "device"), backend, &config->device);
  BF_TRY(bf_config_cases(root, config));
  BF_TRY(bf_config_output(root, config));
  if (dir) {
    config->output.dir       = dir;
    config->output.dir_where = (bf_where){0};
  }
  return BF_OK;
}

void bf_run_config_clear(bf_run_config *config)
{
  bf_host_free(config->mesh.path);
  for (int i = 0; i < config->nstore; i++) bf_host_free(config->store[i]);
  bf_host_free(config->store);
  *config = (bf_run_config){0};
}
