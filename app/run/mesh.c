/* app/run/mesh.c - mesh of the deck: a file (.msh, or .geo meshed by gmsh) or a generator */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "app/job.h"
#include "assembly/basis/shape.h"
#include "base/map_file.h"
#include "base/memory.h"
#include <sys/stat.h>

static const double READ_RATE = 1.5e8; /* bytes/s of a .msh on one core, for the live line */

static double file_bytes(const char *path)
{
  struct stat s;
  return path && stat(path, &s) == 0 ? (double)s.st_size : 0.0;
}

/* Why the file cannot be read, or NULL. */
static const char *unreadable(const char *path)
{
  bf_mapped   file;
  const char *why = bf_map_file(path, &file);
  bf_unmap_file(&file);
  return why;
}

/* E401 before the allocation: twice the mesh, for mesh, numbering and model (check needs 1.6 to 1.9 times the
 * mesh).  E105 for more nodes or elements than 32-bit integers can number. */
static bf_err forecast(bf_job *job, bf_elem_type type)
{
  const bf_mesh_config *mesh      = &job->config.mesh;
  const double          available = (double)bf_memory_available();
  const double          allowed   = job->config.device.memory_limit * available;
  double                most;
  const double          need = 2.0 * bf_mesh_generated_bytes(mesh->cells, type, &most);
  if (available > 0.0 && need > allowed) {
    char needs[24], may[24];
    bf_bytes_text(need, needs);
    bf_bytes_text(allowed, may);
    bf_diag_add(
        &job->diags, BF_ERROR, 401, mesh->cells_where,
        "%.4g nodes and elements need %s of memory without the matrix, %s may be used; use a coarser mesh",
        most, needs, may);
    return BF_E_MEMORY;
  }
  if (most <= INT32_MAX) return BF_OK;
  bf_diag_add(&job->diags, BF_ERROR, 105, mesh->cells_where,
              "%.4g nodes or elements exceed the largest number, %d", most, INT32_MAX);
  return BF_E_INPUT;
}

static bf_err generate(bf_job *job, bf_mesh **out)
{
  bf_mesh_config *mesh = &job->config.mesh;
  for (int d = 0; d < mesh->dim; d++) {
    BF_CHECK(mesh->cells[d] <= INT32_MAX >> job->halvings, BF_E_MEMORY, "%d cells cannot be halved %d times",
             mesh->cells[d], job->halvings);
    mesh->cells[d] <<= job->halvings;
  }
  const bf_elem_type made = mesh->order ? bf_elem_of_order(mesh->element, mesh->order) : mesh->element;
  BF_TRY(forecast(job, made));
  return mesh->dim == 3 ? bf_mesh_box(mesh->size, mesh->cells, made, out)
                        : bf_mesh_rectangle(mesh->size, mesh->cells, made, out);
}

/* Reads the mesh file; a .geo is meshed first. */
static bf_err read_file(bf_job *job)
{
  const char *path = job->config.mesh.path, *why = unreadable(path);
  char        meshed[2048];
  if (why) { /* the message has the location in the deck */
    bf_diag_add(&job->diags, BF_ERROR, 201, job->config.mesh.file_where, "cannot open '%s': %s", path, why);
    return BF_E_MODEL;
  }
  if (!bf_is_geo(path)) return bf_mesh_read_msh(path, &job->diags, &job->mesh);
  bf_job_phase(job, "gmsh", 0.0);
  BF_TRY(bf_job_geo(job, path, meshed, sizeof meshed));
  bf_job_phase(job, "mesh", file_bytes(meshed) / READ_RATE);
  return bf_mesh_read_msh(meshed, &job->diags, &job->mesh);
}

static bf_err change_order(bf_job *job)
{
  const int    order = job->config.mesh.order;
  const bf_int had   = job->mesh->nnodes;
  if (!order) return BF_OK;
  const bf_err err = bf_mesh_change_order(job->mesh, order, INT32_MAX);
  if (err == BF_E_MODEL)
    bf_diag_add(&job->diags, BF_ERROR, 105, job->config.mesh.order_where, "%s", bf_err_message());
  BF_TRY(err);
  const bf_int change = job->mesh->nnodes - had;
  if (change)
    bf_log_line(&job->log, "order     %d: %d mid-side nodes %s", order, change > 0 ? change : -change,
                change > 0 ? "added at the midpoints of straight edges" : "removed");
  return BF_OK;
}

/* A .geo is meshed anew with smaller elements, run/gmsh.c. */
static bf_err divide(bf_job *job)
{
  if (bf_is_geo(job->config.mesh.path)) return BF_OK;
  for (int k = 0; k < job->halvings; k++) {
    const bf_err err = bf_mesh_refine_uniform(job->mesh, bf_shape, INT32_MAX);
    if (err == BF_E_MODEL)
      bf_diag_add(&job->diags, BF_ERROR, 207, job->config.mesh.file_where, "%s", bf_err_message());
    BF_TRY(err);
  }
  return BF_OK;
}

bf_err bf_job_mesh(bf_job *job)
{
  const double t0 = bf_seconds(), scale = job->config.mesh.scale;
  bf_job_phase(job, "mesh", file_bytes(job->config.mesh.path) / READ_RATE);
  if (job->config.mesh.path) {
    BF_TRY(read_file(job));
    BF_TRY(change_order(job));
    BF_TRY(divide(job));
  } else {
    BF_TRY(generate(job, &job->mesh));
  }
  if (scale != 1.0) bf_mesh_scale(job->mesh, scale);
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
