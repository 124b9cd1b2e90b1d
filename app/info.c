/* app/info.c - bandfem info MESH.msh: counts, groups, quality, numbering table, memory per format */
#include "app/job.h"
#include "app/say.h"
#include <stdio.h>

static void groups(const bf_mesh *m)
{
  printf("groups    %d\n", m->ngroups);
  for (int g = 0; g < m->ngroups; g++)
    printf("          %dD %-24s %8d elements%s\n", m->group[g].dim, m->group[g].name, m->group[g].nelem,
           m->group[g].named ? "" : "  (no name)");
}

static bf_err quality(const bf_mesh *m)
{
  double     lo[3], hi[3];
  bf_quality q;
  bf_mesh_bounds(m, lo, hi);
  BF_TRY(bf_mesh_quality(m, &q));
  printf("bounds    %g %g %g  to  %g %g %g\n", lo[0], lo[1], lo[2], hi[0], hi[1], hi[2]);
  printf("measure   %.6g (%s)\n", q.measure, m->dim == 3 ? "volume" : m->dim == 2 ? "area" : "length");
  printf("quality   worst Jacobian ratio %.3f (element %d), largest aspect %.3g (element %d)\n",
         q.jacobian_min, q.jacobian_min_elem, q.aspect_max, q.aspect_max_elem);
  printf("parts     %d connected, %d nodes of no element\n", q.components, q.unused_nodes);
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
    printf("%10.1f\n", (double)bf_csr_bytes(num->nnz * D * D, (bf_int)(num->nrows * D), BF_FP64) / 0x1p20);
  }
}

static bf_err show(bf_job *job, const char *path)
{
  BF_TRY(bf_mesh_read_msh(path, &job->diags, &job->mesh));
  const bf_mesh *m = job->mesh;
  printf("mesh      %s: dimension %d, %d nodes, %d elements\n", path, m->dim, m->nnodes, m->nelem);
  for (int b = 0; b < m->nblocks; b++)
    printf("          %8d %s\n", m->block[b].n, bf_elem(m->block[b].type)->name);
  groups(m);
  BF_TRY(quality(m));
  BF_TRY(bf_mesh_check_jacobian(m, &job->diags));
  BF_TRY(bf_diags_status(&job->diags));
  BF_TRY(bf_job_number(job));
  memory(m, job->num);
  return BF_OK;
}

int bf_cmd_info(int argc, char **argv)
{
  bf_job      job     = {.log = {bf_console_line, NULL}, .json_errors = bf_say_json(argc, argv)};
  const char *path    = NULL;
  int         refused = 0;
  for (int i = 0; i < argc; i++) {
    if (bf_say_option(argv[i])) continue;
    refused |= path != NULL || argv[i][0] == '-';
    path = argv[i];
  }
  if (!path || refused) {
    bf_say(job.json_errors, "info: name one mesh file; see bandfem --help");
    return BF_EXIT_INTERNAL;
  }
  const bf_err err = show(&job, path);
  bf_say_diags(&job.diags, 0, job.json_errors);
  if (err != BF_OK && job.diags.errors == 0) bf_say(job.json_errors, "%s", bf_err_trace());
  bf_job_close(&job);
  return bf_exit_status(err);
}
