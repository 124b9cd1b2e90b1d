/* app/info/info.c - bandfem info MESH.msh: counts, groups, quality, numbering table, memory per format;
 * matrices: matrix_market.c; devices: device.c
 *
 * For a mesh with errors, everything that can be determined is printed.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "app/info/info.h"
#include "app/cli/message.h"
#include "app/job.h"
#include "app/solve/mtx.h"
#include "base/memory.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const measures[] = {"", "length", "area", "volume"};

/* Elements of dimension dim that are in no group; *first is the tag of the first one in the file. */
static bf_err ungrouped(const bf_mesh *m, int dim, bf_int *count, int64_t *first)
{
  uint8_t *in = NULL;
  *count      = 0;
  BF_TRY(BF_NEW_ARRAY(in, m->nelem));
  for (int g = 0; g < m->ngroups; g++)
    for (bf_int k = 0; k < m->group[g].nelem; k++) in[m->group[g].elem[k]] = 1;
  for (bf_int e = 0; e < m->nelem; e++) {
    const bf_block *b = bf_mesh_block_of(m, e);
    if (in[e] || bf_elem(b->type)->dim != dim) continue;
    if ((*count)++ == 0) *first = b->tag[e - b->first];
  }
  bf_host_free(in);
  return BF_OK;
}

static bf_err groups(const bf_mesh *m)
{
  double  measure = 0.0;
  bf_int  count   = 0;
  int64_t first   = 0;
  printf("groups    %d%s\n", m->ngroups,
         m->ngroups ? "" : ": the file has no physical groups; a deck can only use 'all'");
  for (int g = 0; g < m->ngroups; g++) {
    const bf_group *group = &m->group[g];
    BF_TRY(bf_mesh_group_measure(m, group, &measure));
    printf("          %dD %-24s %8d element%s", group->dim, group->name, group->nelem,
           group->nelem == 1 ? " " : "s");
    if (group->dim) printf("   %s %.6g", measures[group->dim], measure);
    puts(group->named ? "" : "   (no name: dimension:tag in a deck)");
  }
  for (int dim = m->dim; dim > 0 && m->ngroups; dim--) {
    BF_TRY(ungrouped(m, dim, &count, &first));
    if (count)
      printf("          %dD %-24s %8d element%s   first: element %lld of the file\n", dim, "in no group",
             count, count == 1 ? " " : "s", (long long)first);
  }
  return BF_OK;
}

static int64_t tag_of(const bf_mesh *m, bf_int elem)
{
  const bf_block *b = bf_mesh_block_of(m, elem);
  return b->tag[elem - b->first];
}

static bf_err quality(const bf_mesh *m)
{
  double     lo[3], hi[3];
  bf_quality q;
  const int  surface = m->dim == 2 && !bf_mesh_is_plane(m); /* surface in space: the Jacobian is not square */
  bf_mesh_bounds(m, lo, hi);
  BF_TRY(bf_mesh_quality(m, &q));
  printf("bounds    %g %g %g  to  %g %g %g, size %g x %g x %g\n", lo[0], lo[1], lo[2], hi[0], hi[1], hi[2],
         hi[0] - lo[0], hi[1] - lo[1], hi[2] - lo[2]);
  if (!surface) printf("measure   %s %.6g\n", measures[m->dim], q.measure);
  if (!surface)
    printf("quality   worst Jacobian ratio %.3f (element %lld of the file), largest aspect %.3g (element "
           "%lld)\n",
           q.jacobian_min, (long long)tag_of(m, q.jacobian_min_elem), q.aspect_max,
           (long long)tag_of(m, q.aspect_max_elem));
  printf("parts     %d%s, %d node%s without a %dD element\n", q.components,
         q.components == 1 ? " (connected)"
                           : " without common nodes; surfaces that should be joined need common nodes",
         q.unused_nodes, q.unused_nodes == 1 ? "" : "s", m->dim);
  return BF_OK;
}

/* Memory of the matrix in each format, for 1 (heat) and dim components (elasticity). */
static void memory(const bf_mesh *m, const bf_numbering *num)
{
  printf("memory    MiB of the matrix      bdia full   bdia symmetric          csr\n");
  for (int D = 1; D <= m->dim; D += m->dim > 1 ? m->dim - 1 : 1) {
    printf("          %d component%s ", D, D == 1 ? " (heat)       " : "s (elasticity)");
    for (int half = 0; half < 2; half++) {
      if (num->bands)
        printf("%14.1f   ", (double)bf_bdia_bytes(num->bands, D, half, BF_FP64) / 0x1p20);
      else
        printf("%14s   ", "-");
    }
    printf("%10.1f\n",
           (double)bf_csr_bytes(num->nnz * D * D, bf_numbering_plain(num)->nrows * D, BF_FP64) / 0x1p20);
  }
}

static bf_err show(bf_job *job, const char *path)
{
  const bf_err read = bf_mesh_read_msh(path, &job->diags, &job->mesh);
  if (read != BF_OK) bf_info_sections(path);
  BF_TRY(read);
  const bf_mesh *m = job->mesh;
  printf("mesh      %s: dimension %d, %d nodes, %d elements\n", path, m->dim, m->nnodes, m->nelem);
  for (int b = 0; b < m->nblocks; b++)
    printf("          %8d %s\n", m->block[b].n, bf_elem(m->block[b].type)->name);
  BF_TRY(groups(m));
  BF_TRY(quality(m));
  const bf_err geometry = bf_mesh_check_jacobian(m, &job->diags);
  if (m->dim == 3 || bf_mesh_is_plane(m)) {
    BF_TRY(bf_job_number(job));
    memory(m, job->num);
  }
  BF_TRY(geometry);
  return bf_diags_status(&job->diags);
}

/* A .geo or a deck is not a mesh: names the command for it. */
static bf_err refuse_others(bf_job *job, const char *path)
{
  const size_t n = strlen(path);
  char         source[4200], made[4200], mesh[4200];
  const int    deck =
      (n > 5 && strcmp(path + n - 5, ".yaml") == 0) || (n > 4 && strcmp(path + n - 4, ".yml") == 0);
  if (!deck && !bf_is_geo(path)) return BF_OK;
  bf_say_word(path, source, sizeof source);
  snprintf(mesh, sizeof mesh, "%.*s.msh", (int)n - 4, path);
  if (deck)
    bf_diag_add(&job->diags, BF_ERROR, 201, (bf_where){0},
                "'%s' is a deck; info describes meshes and matrices, bandfem check %s describes the deck and "
                "its mesh",
                path, source);
  else
    bf_diag_add(&job->diags, BF_ERROR, 201, (bf_where){0},
                "'%s' is a geometry, not a mesh: mesh it with gmsh -3 %s -o %s; mesh.file of a deck can also "
                "name the .geo",
                path, source, bf_say_word(mesh, made, sizeof made));
  return BF_FAIL(BF_E_MODEL, "%s is not a mesh", path);
}

int bf_cmd_info(int argc, char **argv)
{
  bf_job      job     = {.log = {bf_console_line, NULL}, .json_errors = bf_say_json(argc, argv)};
  const char *path    = NULL;
  int         refused = 0, device = 0;
  for (int i = 0; i < argc; i++) {
    const int asks = strcmp(argv[i], "--device") == 0;
    device |= asks;
    if (asks || bf_say_option(argv[i])) continue;
    refused |= path != NULL || argv[i][0] == '-';
    path = argv[i];
  }
  if (device && path) {
    bf_say(job.json_errors,
           "info: --device takes no file and no other option, but '%s' was given; see bandfem info --help",
           path);
    return BF_EXIT_INTERNAL;
  }
  if (device) return bf_info_device(job.json_errors);
  if (path && !refused && bf_is_mtx(path)) return bf_info_mtx(path, job.json_errors);
  if (!path || refused) {
    bf_say(job.json_errors, "info: expected one mesh or matrix file, or --device; see bandfem info --help");
    return BF_EXIT_INTERNAL;
  }
  bf_err err = refuse_others(&job, path);
  if (err == BF_OK) err = show(&job, path);
  bf_say_diags(&job.diags, 0, job.json_errors);
  if (err != BF_OK && job.diags.errors == 0) bf_say(job.json_errors, "%s", bf_err_trace());
  bf_job_close(&job);
  return bf_exit_status(err);
}
