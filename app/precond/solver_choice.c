/* app/precond/solver_choice.c - see solver_choice.h
 *
 *     Jacobi     k_J = c N f log(1/reduction) / log(1e8),   N nodes along the longest side, c = 3.8 or 10
 *                (elasticity), f for thin bodies, nearly incompressible materials and jumps
 *     t_J = k_J (product + 8 vectors + launches)
 *     t_M = set-up + k_M (product + 10 vectors + cycle)
 *     cycle = complexity * 2 degree (product with fp32 values + 9 vectors) + levels * launches + coarsest
 * inverse t_D = rows * 1 us + nonzeros * 0.1 us + entries of the band * 20 ns + flops / 25e9
 *
 * If k_J is more than twice the iterations that fit into t_M, multigrid is taken at once; else Jacobi gets as
 * many iterations as fit, and multigrid follows if more than that remains.  So the choice costs at most twice
 * the time of the better method, whatever k_J is.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "app/precond/solver_choice.h"
#include <math.h>

enum { JACOBI_VECTORS = 8, CG_VECTORS = 10, STEP_VECTORS = 9, RATIO = 2 };

typedef struct path { /* counts and costs of one coarsening */
  double iterations;  /* for a reduction of 1e-8: heat, elasticity */
  double elastic;
  double complexity; /* of the cycle: visits included */
  double products;   /* of the set-up, as fp64 products */
  double launches;   /* kernels of one visit of a level */
  double waits;      /* of the host per level in the set-up */
  double ratio[2];   /* of the unknowns of a level and the next: plane, solid */
} path;

static const path PLANES     = {8.0, 12.0, 1.2, 16.0, 14.0, 30.0, {3.7, 7.0}};
static const path AGGREGATES = {14.0, 20.0, 1.5, 60.0, 16.0, 60.0, {8.0, 12.0}};

typedef struct machine {
  double launch, wait; /* seconds of a kernel without work, of one answer to the host */
  double flops;        /* of the coarsest inverse */
  double coarsest;     /* unknowns */
  double fixed;        /* seconds of a set-up of any size: memory, small matrices */
  double half;         /* time of a product with fp32 values over that with fp64 values */
  double setup;        /* of the set-up: measured over that of its products */
} machine;

static const machine DEVICE = {3e-6, 15e-6, 4e12, 2000.0, 8e-3, 0.5, 1.0};
static const machine HOST   = {2e-6, 1e-6, 1.7e10, 1000.0, 3e-4, 0.9, 2.5};

/* ---- iterations ---- */

static const double SLENDER  = 20.0;  /* from here on a body is thin */
static const double CONTRAST = 100.0; /* below it jumps change little */
static const double JUMPS =
    0.1; /* share of nodes at jumps from which on parts of other material are many and thin */

/* Of nearly incompressible materials, relative to nu = 0.3: sqrt((1 - nu) / (1 - 2 nu)). */
static double locking(const bf_solver_size *s)
{
  if (s->ncomp < 2 || !(s->nu > 0.3)) return 1.0;
  return fmin(sqrt((1.0 - s->nu) / fmax(1.0 - 2.0 * s->nu, 1e-6)) / 1.323, 10.0);
}

static int is_jumping(const bf_solver_size *s)
{
  return s->contrast > CONTRAST && s->share > JUMPS;
}

static double jacobi_iterations(const bf_solver_size *s, double digits)
{
  const bf_solver_shape *b    = &s->shape;
  const double           thin = s->ncomp > 1 ? fmax(1.0, b->slenderness / SLENDER) : 1.0;
  const double           k    = (s->ncomp > 1 ? 10.0 : 3.8) * b->layers * thin * locking(s);
  return ceil(k * (is_jumping(s) ? 8.0 : 1.0) * (s->shape.tetrahedra ? 2.0 : 1.0) * digits /
              (s->bicgstab ? 2.0 : 1.0));
}

/* Planes follow flat elements and thin bodies, aggregates do not. */
static double multigrid_iterations(const bf_solver_size *s, const path *p, double digits)
{
  const bf_solver_shape *b      = &s->shape;
  const int              planes = p == &PLANES && !is_jumping(s);
  const double           thin   = planes || s->ncomp == 1 ? 1.0 : fmax(1.0, b->slenderness / SLENDER);
  const double flat = planes ? fmin(b->aspect, 2.0) : s->dim == 2 ? 0.5 + 0.5 * b->aspect : b->aspect;
  const double k    = s->ncomp > 1 ? p->elastic : p->iterations;
  return ceil(k * thin * flat * locking(s) * (is_jumping(s) ? (s->ncomp > 1 ? 4.0 : 2.0) : 1.0) * digits);
}

/* ---- times ---- */

typedef struct depth {
  double levels, coarsest; /* unknowns of the last */
} depth;

/* Vertices of quadratic elements are the second level; sections of thin bodies have half the unknowns. */
static depth depth_of(const bf_solver_size *s, const path *p, double coarsest)
{
  const int    thin  = p == &PLANES && s->ncomp > 1 && s->shape.slenderness > SLENDER;
  const double ratio = p->ratio[s->dim == 3], by = s->quadratic ? (s->dim == 3 ? 7.0 : 3.0)
                                                   : thin       ? 2.0
                                                                : ratio;
  depth        d = {1.0, s->rows};
  for (; d.coarsest > coarsest; d.levels++) d.coarsest /= d.levels > 1.0 ? ratio : by;
  return d;
}

bf_solver_expected bf_solver_expect(const bf_solver_size *s)
{
  const machine *m      = s->on_device ? &DEVICE : &HOST;
  const path    *p      = s->lattice && !s->quadratic && !is_jumping(s) ? &PLANES : &AGGREGATES;
  const double   digits = log(1.0 / s->reduction) / log(1e8), twice = s->bicgstab ? 2.0 : 1.0;
  const depth    d = depth_of(s, p, m->coarsest);
  const double   L = d.levels, nc = d.coarsest;
  const double   each   = twice * (s->product + JACOBI_VECTORS * s->vector + 2.0 * m->launch);
  const double   degree = s->stiff ? 3.0 : 2.0;
  const double   level =
      L > 1.0 ? p->complexity * 2.0 * degree * (m->half * s->product + STEP_VECTORS * s->vector) : 0.0;
  const double       inverse = nc * nc * s->product / fmax(s->nonzeros, 1.0); /* bytes of X over those of A */
  const double       cycle   = level + (L - 1.0) * p->launches * m->launch + inverse + m->launch;
  bf_solver_expected e;
  e.uncertain         = locking(s) > 2.0 || is_jumping(s);
  e.jacobi_iterations = jacobi_iterations(s, digits);
  e.jacobi_seconds    = s->cases * e.jacobi_iterations * each;
  e.iterations        = L > 1.0 ? multigrid_iterations(s, p, digits) : 2.0;
  e.setup = (L > 1.0 ? m->setup * p->products * p->complexity * (s->product + 2.0 * s->vector) : 0.0) +
            L * p->waits * m->wait + nc * nc * nc / m->flops + m->fixed;
  e.seconds = e.setup + s->cases * e.iterations * (twice * (s->product + CG_VECTORS * s->vector + cycle));
  const double fit = fmin(ceil(e.seconds / (s->cases * each)), 1e9);
  e.trial          = e.jacobi_iterations > RATIO * fit ? 0 : (int)fmax(fit, 1.0);
  return e;
}

double bf_direct_expect(const bf_solver_size *s, const bf_direct_cost *cost)
{
  const double passes = 0.75 + 0.25 * s->cases; /* most are for the factors */
  return passes * (s->rows * 1e-6 + s->nonzeros * 1e-7 + s->rows * (cost->half + 1.0) * 20e-9) +
         cost->flops / 25e9;
}
