/* app/run/warm_up.c - see warm_up.h
 *
 * Opening a device takes 0.2 to 0.3 s, which a job with a large mesh needs for the mesh anyway.  The thread
 * has a backend of its own: the driver shares the context and the loaded kernels among all of a process.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "app/run/warm_up.h"
#include "base/memory.h"
#include "solvers/solver.h"
#include <pthread.h>
#include <string.h>

static const double LARGE =
    1e5; /* unknowns: below, iterations with the diagonal take less time than loading */

struct bf_warm_up {
  pthread_t       thread;
  bf_backend     *be; /* of the thread; closed at the end, which waits for the device */
  pthread_mutex_t lock;
  pthread_cond_t  changed;
  int             go, stop; /* under the lock */
  int             dim, ncomp, lattice;
};

static int stopped(void *context)
{
  struct bf_warm_up *r = context;
  pthread_mutex_lock(&r->lock);
  const int stop = r->stop;
  pthread_mutex_unlock(&r->lock);
  return stop;
}

static void *thread_main(void *context)
{
  struct bf_warm_up *r = context;
  if (bf_backend_create("cuda", NULL, &r->be) != BF_OK) return NULL;
  pthread_mutex_lock(&r->lock);
  while (!r->go && !r->stop) pthread_cond_wait(&r->changed, &r->lock);
  const int go = r->go && !r->stop;
  pthread_mutex_unlock(&r->lock);
  if (go)
    bf_multigrid_warm_up(r->be, r->dim, r->ncomp, r->lattice, stopped, r); /* a failure costs time only */
  return NULL;
}

void bf_job_warm_up_begin(bf_job *job)
{
  struct bf_warm_up *r = NULL;
  if (!bf_backend_has_cuda() || strcmp(job->config.device.backend, "cpu") == 0) return;
  if (BF_NEW(r) != BF_OK) return;
  pthread_mutex_init(&r->lock, NULL);
  pthread_cond_init(&r->changed, NULL);
  if (pthread_create(&r->thread, NULL, thread_main, r) == 0)
    job->warm_up = r;
  else
    bf_host_free(r);
}

/* Is a static problem solved by CG or BiCGStab with multigrid, as the deck wants it or as `auto` may choose?
 */
static int multigrid(const bf_job *job)
{
  const bf_solver_config *s = &job->config.solver;
  return job->problem.analysis == BF_STATIC && job->problem.physics != BF_ADVECTION &&
         s->precond >= BF_PRECOND_MULTIGRID &&
         (s->method_auto || s->method == BF_METHOD_CG || s->method == BF_METHOD_BICGSTAB);
}

static void tell(struct bf_warm_up *r, int go, int stop)
{
  pthread_mutex_lock(&r->lock);
  r->go |= go;
  r->stop |= stop;
  pthread_cond_signal(&r->changed);
  pthread_mutex_unlock(&r->lock);
}

void bf_job_warm_up_go(bf_job *job)
{
  struct bf_warm_up *r = job->warm_up;
  if (!r) return;
  r->dim     = job->mesh->dim;
  r->ncomp   = job->problem.physics == BF_ELASTICITY ? job->mesh->dim : 1;
  r->lattice = !job->config.mesh.path;
  tell(r, multigrid(job) && (double)job->mesh->nnodes * r->ncomp > LARGE, 0);
}

void bf_job_warm_up_end(bf_job *job)
{
  struct bf_warm_up *r = job->warm_up;
  if (!r) return;
  tell(r, 0, 1);
  pthread_join(r->thread, NULL);
  pthread_cond_destroy(&r->changed);
  pthread_mutex_destroy(&r->lock);
  bf_backend_destroy(&r->be);
  bf_host_free(r);
  job->warm_up = NULL;
}
