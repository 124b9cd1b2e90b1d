/* app/run/resolved_deck.c - the deck of this run with defaults and the choices of the command line */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "app/job.h"
#include "base/memory.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* A relative path would refer to the folder of the resolved deck. */
static bf_err from_root(const char *path, char *full, size_t size)
{
  size_t n = 0;
  if (path[0] != '/') {
    BF_CHECK(getcwd(full, size), BF_E_FILE, "cannot determine the folder of '%s': %s", path, strerror(errno));
    n         = strlen(full);
    full[n++] = '/';
  }
  BF_CHECK(n + strlen(path) < size, BF_E_FILE, "the path of '%s' is too long", path);
  snprintf(full + n, size - n, "%s", path);
  return BF_OK;
}

bf_err bf_job_resolved(bf_job *job)
{
  const bf_item   *mesh = job->config.mesh.file;
  char             path[8192];
  bf_err           err        = BF_OK;
  bf_deck_instead *instead    = NULL;
  char(*full)[8192]           = NULL;
  int                   n     = 0, ntables;
  const bf_deck_table  *table = bf_deck_tables(job->deck, &ntables);
  int                   nsources;
  const bf_deck_source *source = bf_deck_sources(job->deck, &nsources);
  BF_GO(BF_NEW_ARRAY(instead, ntables + nsources + 3));
  BF_GO(BF_NEW_ARRAY(full, ntables + nsources));
  for (int i = 0; i < ntables; i++) {
    BF_GO(from_root(table[i].path, full[i], sizeof full[i]));
    instead[n++] = (bf_deck_instead){table[i].file, full[i]};
  }
  for (int i = 0; i < nsources; i++) {
    BF_GO(from_root(source[i].path, full[ntables + i], sizeof full[i]));
    instead[n++] = (bf_deck_instead){source[i].file, full[ntables + i]};
  }
  if (mesh) {
    BF_GO(from_root(job->mesh->file, path, sizeof path));
    instead[n++] = (bf_deck_instead){mesh, path};
  }
  instead[n++] = (bf_deck_instead){job->config.output.dir_item, job->dir};
  if (job->backend_name) instead[n++] = (bf_deck_instead){job->config.device.backend_item, job->backend_name};
  bf_host_free(job->resolved);
  job->resolved = NULL;
  err           = bf_deck_resolved(job->deck, instead, n, &job->resolved);
done:
  bf_host_free(full);
  bf_host_free(instead);
  return err;
}
