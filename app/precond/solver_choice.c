/* app/precond/solver_choice.c - see solver_choice.h
 *
 *     Jacobi     k_J = c N log(1/reduction) / log(1e8),   N nodes along the longest side, c = 3.8 or 10
 * (elasticity) t_J = k_J (product + 8 vectors + launches) multigrid  t_M = set-up + k_M (product + 10 vectors
 * + cycle) cycle = complexity * 2 degree (product / 2 + 9 vectors) + levels * launches + coarsest inverse
 *
 * If k_J is more than twice the iterations that fit into t_M, multigrid is taken at once; else Jacobi gets as
 * many iterations as fit, and multigrid follows if more than that remain.  So the choice costs at most twice
 * the time of the better method, whatever k_J is.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "app/precond/solver_choice.h"
#include <math.h>

enum { DEGREE = 2, JACOBI_VECTORS = 8, CG_VECTORS = 10, STEP_VECTORS = 9, RATIO = 2 };

typedef struct path { /* counts and costs of one coarsening */
  double iterations;  /* for a reduction of 1e-8: heat, elasticity */
  double elastic;
  double complexity; /* of the cycle: visits included */
  double products;   /* of the set-up, as fp64 products */
  double launches;   /* kernels of one visit of a level */
  double waits;      /* of the host per level in the set-up */
} path;

static const path PLANES     = {8.0, 12.0, 1.2, 16.0, 14.0, 30.0};
static const path AGGREGATES = {14.0, 20.0, 1.5, 60.0, 16.0, 60.0};

typedef struct machine {
  double launch, wait; /* seconds of a kernel without work, of one answer to the host */
  double flops;        /* of the coarsest inverse */
  double coarsest;     /* unknowns */
  double fixed;        /* seconds of a set-up of any size: memory, small matrices */
} machine;

static const machine DEVICE = {3e-6, 15e-6, 4e12, 2000.0, 8e-3};
static const machine HOST   = {1e-6, 1e-6, 1e10, 600.0, 3e-4};

double bf_mesh_layers(const bf_mesh *m)
{
  double lo[3] = {INFINITY, INFINITY, INFINITY}, hi[3] = {-INFINITY, -INFINITY, -INFINITY}, volume = 1.0,
         most = 0.0;
  int dim     = 0;
  for (bf_int i = 0; i < m->nnodes; i++)
    for (int a = 0; a < 3; a++) {
      lo[a] = fmin(lo[a], m->x[3 * (size_t)i + (size_t)a]);
      hi[a] = fmax(hi[a], m->x[3 * (size_t)i + (size_t)a]);
    }
  for (int a = 0; a < 3; a++) {
    const double side = hi[a] - lo[a];
    if (!(side > 0.0)) continue;
    volume *= side;
    most = fmax(most, side);
    dim++;
  }
  return dim > 0 ? 1.0 + most * pow(m->nnodes / volume, 1.0 / dim) : 1.0;
}

static double levels(const bf_solver_size *s, double coarsest, int lattice)
{
  const double by = lattice ? 7.0 : 12.0;
  return s->rows > coarsest ? 1.0 + ceil(log(s->rows / coarsest) / log(by)) : 1.0;
}

bf_solver_expected bf_solver_expect(const bf_solver_size *s)
{
  const machine *m      = s->on_device ? &DEVICE : &HOST;
  const path    *p      = s->lattice && !s->quadratic ? &PLANES : &AGGREGATES;
  const double   digits = log(1.0 / s->reduction) / log(1e8), twice = s->bicgstab ? 2.0 : 1.0;
  const double   nc = fmin(s->rows, m->coarsest), L = levels(s, m->coarsest, s->lattice);
  const double   each = twice * (s->product + JACOBI_VECTORS * s->vector + 2.0 * m->launch);
  const double   level =
      L > 1.0 ? p->complexity * 2 * DEGREE * (0.5 * s->product + STEP_VECTORS * s->vector) : 0.0;
  const double       inverse = nc * nc * s->product / fmax(s->nonzeros, 1.0); /* bytes of X over those of A */
  const double       cycle   = level + (L - 1.0) * p->launches * m->launch + inverse + m->launch;
  bf_solver_expected e;
  e.jacobi_iterations = ceil((s->ncomp > 1 ? 10.0 : 3.8) * s->layers * digits / (s->bicgstab ? 2.0 : 1.0));
  e.jacobi_iterations = fmin(e.jacobi_iterations, s->rows);
  e.jacobi_seconds    = e.jacobi_iterations * each;
  e.iterations        = L > 1.0 ? ceil((s->ncomp > 1 ? p->elastic : p->iterations) * digits) : 2.0;
  e.setup             = (L > 1.0 ? p->products * p->complexity * (s->product + 2.0 * s->vector) : 0.0) +
            L * p->waits * m->wait + nc * nc * nc / m->flops + m->fixed;
  e.seconds        = e.setup + e.iterations * (twice * (s->product + CG_VECTORS * s->vector + cycle));
  const double fit = fmin(ceil(e.seconds / each), 1e9);
  e.trial          = e.jacobi_iterations > RATIO * fit ? 0 : (int)fmax(fit, 1.0);
  return e;
}
