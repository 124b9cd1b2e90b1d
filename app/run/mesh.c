/* app/run/mesh.c - the mesh a deck asks for: a file beside the deck (.msh, or .geo meshed first), or a
 * generator */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "app/job.h"
#include "base/map_file.h"
#include "base/memory.h"

/* Why the file cannot be read, or NULL. */
static const char *unreadable(const char *path)
{
  bf_mapped   file;
  const char *why = bf_map_file(path, &file);
  bf_unmap_file(&file);
  return why;
}

/* E401 before anything is allocated: the mesh, and as much again for its numbering and the model (measured:
 * check takes 1.6 to 1.9 times the mesh).  E105 for more nodes or elements than can be numbered. */
static bf_err forecast(bf_job *job, const bf_item *cells, const bf_int n[3], bf_elem_type type)
{
  const bf_item *fraction  = bf_item_get(bf_deck_root(job->deck), "device.memory_limit");
  const double   available = (double)bf_memory_available();
  const double   allowed   = (fraction ? bf_item_number(fraction) : 0.9) * available;
  double         most;
  const double   need = 2.0 * bf_mesh_generated_bytes(n, type, &most);
  if (available > 0.0 && need > allowed) {
    char needs[24], may[24];
    bf_bytes_text(need, needs);
    bf_bytes_text(allowed, may);
    bf_diag_add(
        &job->diags, BF_ERROR, 401, bf_item_where(cells),
        "%.4g nodes and elements need %s of memory before the matrix, %s may be used; use a coarser mesh",
        most, needs, may);
    return BF_E_MEMORY;
  }
  if (most <= INT32_MAX) return BF_OK;
  bf_diag_add(&job->diags, BF_ERROR, 105, bf_item_where(cells),
              "%.4g nodes or elements are more than can be numbered, %d", most, INT32_MAX);
  return BF_E_INPUT;
}

/* mesh.order: 1, 2, or 0 for from_file */
static int order_of(const bf_job *job)
{
  const bf_item *order = bf_item_get(bf_deck_root(job->deck), "mesh.order");
  return bf_item_is(order, "1") ? 1 : bf_item_is(order, "2") ? 2 : 0;
}

static bf_err generate(bf_job *job, const bf_item *gen, bf_mesh **out)
{
  const bf_item *box = bf_item_get(gen, "box"), *rectangle = bf_item_get(gen, "rectangle");
  const bf_item *shape = box ? box : rectangle, *size = bf_item_get(shape, "size"),
                *cells = bf_item_get(shape, "cells");
  const int type       = bf_elem_by_name(bf_item_text(bf_item_get(shape, "element")));
  double    s[3]       = {0};
  bf_int    n[3]       = {0};
  for (int d = 0; d < 3 && d < bf_item_count(size); d++) s[d] = bf_item_number(bf_item_at(size, d));
  for (int d = 0; d < 3 && d < bf_item_count(cells); d++) n[d] = (bf_int)bf_item_number(bf_item_at(cells, d));
  BF_CHECK(type >= 0, BF_E_INTERNAL, "element name passed the schema and is unknown");
  const int          order = order_of(job);
  const bf_elem_type made  = order ? bf_elem_of_order((bf_elem_type)type, order) : (bf_elem_type)type;
  BF_TRY(forecast(job, cells, n, made));
  return box ? bf_mesh_box(s, n, made, out) : bf_mesh_rectangle(s, n, made, out);
}

/* The file beside the deck, meshed first if it is a .geo. */
static bf_err read_file(bf_job *job, const bf_item *file)
{
  bf_err err  = BF_OK;
  char  *path = NULL, meshed[2048];
  BF_GO(bf_deck_beside(job->deck, file, &path));
  const char *why = unreadable(path);
  if (why) { /* the deck names it: say where */
    bf_diag_add(&job->diags, BF_ERROR, 201, bf_item_where(file), "cannot open '%s': %s", path, why);
    err = BF_E_MODEL;
  } else if (bf_is_geo(path)) {
    BF_GO(bf_job_geo(job, path, meshed, sizeof meshed));
    BF_GO(bf_mesh_read_msh(meshed, &job->diags, &job->mesh));
  } else {
    BF_GO(bf_mesh_read_msh(path, &job->diags, &job->mesh));
  }
done:
  bf_host_free(path);
  return err;
}

static bf_err change_order(bf_job *job)
{
  const int    order = order_of(job);
  const bf_int had   = job->mesh->nnodes;
  if (!order) return BF_OK;
  const bf_err err = bf_mesh_change_order(job->mesh, order, INT32_MAX);
  if (err == BF_E_MODEL)
    bf_diag_add(&job->diags, BF_ERROR, 105, bf_item_where(bf_item_get(bf_deck_root(job->deck), "mesh.order")),
                "%s", bf_err_message());
  BF_TRY(err);
  const bf_int change = job->mesh->nnodes - had;
  if (change)
    bf_log_line(&job->log, "order     %d: %d mid-side nodes %s", order, change > 0 ? change : -change,
                change > 0 ? "added, in the middle of straight edges" : "dropped");
  return BF_OK;
}

bf_err bf_job_mesh(bf_job *job)
{
  const bf_item *root = bf_deck_root(job->deck), *file = bf_item_get(root, "mesh.file");
  const double   t0 = bf_seconds();
  if (file) {
    BF_TRY(read_file(job, file));
    BF_TRY(change_order(job));
  } else {
    BF_TRY(generate(job, bf_item_get(root, "mesh.generate"), &job->mesh));
  }
  const bf_item *scale = bf_item_get(root, "mesh.scale");
  if (scale && bf_item_number(scale) != 1.0) bf_mesh_scale(job->mesh, bf_item_number(scale));
  const bf_mesh *m = job->mesh;
  bf_phase_add(&job->phases, "mesh", bf_seconds() - t0, 0.0, 0.0);
  bf_log_line(&job->log, "mesh      %s: %d nodes, %d elements, %d groups", m->file, m->nnodes, m->nelem,
              m->ngroups);
  for (int b = 0; b < m->nblocks; b++)
    bf_log_line(&job->log, "          %8d %s", m->block[b].n, bf_elem(m->block[b].type)->name);
  const double t1 = bf_seconds();
  BF_TRY(bf_mesh_check_jacobian(m, &job->diags));
  bf_phase_add(&job->phases, "mesh: check", bf_seconds() - t1, 0.0, 0.0);
  return bf_diags_status(&job->diags) == BF_OK ? BF_OK : BF_FAIL(bf_diags_status(&job->diags), "%s", m->file);
}
