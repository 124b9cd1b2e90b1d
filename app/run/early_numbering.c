/* app/run/early_numbering.c - see early_numbering.h
 *
 * Model and numbering have serial parts; side by side, each with half of the threads, they take the time of
 * the longer one.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "app/run/early_numbering.h"
#include "base/memory.h"
#include <omp.h>
#include <pthread.h>

enum { LARGE = 50000 }; /* nodes: below, a thread saves milliseconds */

struct bf_early {
  pthread_t      thread;
  const bf_mesh *mesh;
  bf_order       order;
  int            threads, all;
  bf_numbering  *num; /* NULL after an error, which the caller meets again */
};

static void *thread_main(void *context)
{
  struct bf_early *r = context;
  omp_set_num_threads(r->threads); /* of this thread's loops */
  if (bf_numbering_create(r->mesh, r->order, &r->num) != BF_OK) r->num = NULL;
  return NULL;
}

/* Center nodes may be condensed: only the model says which numbering they need. */
static int has_center_nodes(const bf_mesh *m)
{
  for (int b = 0; b < m->nblocks; b++)
    if (bf_elem(m->block[b].type)->dim == m->dim && bf_elem(m->block[b].type)->inner) return 1;
  return 0;
}

void bf_job_early_begin(bf_job *job)
{
  struct bf_early *r   = NULL;
  const int        all = omp_get_max_threads();
  if (job->early || job->mesh->nnodes < LARGE || all < 2 || has_center_nodes(job->mesh)) return;
  if (BF_NEW(r) != BF_OK) return;
  r->mesh    = job->mesh;
  r->order   = job->config.matrix.reorder;
  r->all     = all;
  r->threads = all - all / 2;
  if (pthread_create(&r->thread, NULL, thread_main, r) != 0) {
    bf_host_free(r);
    return;
  }
  job->early = r;
  omp_set_num_threads(all / 2); /* of the model */
}

int bf_job_early_take(bf_job *job, bf_numbering **num)
{
  struct bf_early *r = job->early;
  if (!r) return 0;
  pthread_join(r->thread, NULL);
  omp_set_num_threads(r->all);
  *num           = r->num;
  const int made = r->num != NULL;
  job->early     = NULL;
  bf_host_free(r);
  return made;
}

void bf_job_early_end(bf_job *job)
{
  bf_numbering *num = NULL;
  if (bf_job_early_take(job, &num)) bf_numbering_destroy(&num);
}
