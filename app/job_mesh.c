/* app/job_mesh.c - the mesh a deck asks for: a file beside the deck, or a generator */
#include "app/job.h"
#include "base/memory.h"
#include <stdio.h>
#include <string.h>

/* `path` seen from the deck's folder. */
static void beside_deck(const char *deck, const char *path, char *full, size_t size)
{
  const char *slash = strrchr(deck, '/');
  if (path[0] == '/' || !slash)
    snprintf(full, size, "%s", path);
  else
    snprintf(full, size, "%.*s/%s", (int)(slash - deck), deck, path);
}

static bf_err generate(const bf_item *gen, bf_mesh **out)
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
  return box ? bf_mesh_box(s, n, (bf_elem_type)type, out) : bf_mesh_rectangle(s, n, (bf_elem_type)type, out);
}

bf_err bf_job_mesh(bf_job *job)
{
  const bf_item *root = bf_deck_root(job->deck), *file = bf_item_get(root, "mesh.file");
  const double   t0 = bf_seconds();
  if (file) {
    char path[2048];
    beside_deck(bf_deck_path(job->deck), bf_item_text(file), path, sizeof path);
    BF_TRY(bf_mesh_read_msh(path, &job->diags, &job->mesh));
  } else {
    BF_TRY(generate(bf_item_get(root, "mesh.generate"), &job->mesh));
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
