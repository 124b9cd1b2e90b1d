/* solvers/linear/multigrid/stage.c - see multigrid.h: a level while the next one is made from it */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "kernels/multigrid/block_rows.h"
#include "kernels/multigrid/hash_noise.h"
#include "kernels/multigrid/ops.h"
#include "solvers/linear/multigrid/multigrid.h"
#include "solvers/linear/multigrid/spectral.h"
#include "solvers/linear/tridiagonal_eigenvalues.h"
#include <math.h>
#include <string.h>

enum { SALT = 7 };

void bf_mg_stage_release(bf_mg_stage *s)
{
  bf_backend *be = s->be;
  if (!be) return;
  bf_matrix_destroy(&s->A_owned);
  bf_block_rows_destroy(&s->rows);
  be->ops.release(be, s->fixed);
  be->ops.release(be, s->diagonal);
  be->ops.release(be, s->root);
  be->ops.release(be, s->x);
  be->ops.release(be, s->modes);
  for (int a = 0; a < 3; a++) bf_host_free(s->plane[a]);
  for (int a = 0; a < 3; a++) bf_host_free(s->on[a]);
  bf_host_free(s->frame);
  bf_mg_local_destroy(&s->local);
  *s = (bf_mg_stage){.be = NULL};
}

static bf_int guard_of(const bf_mg_stage *s)
{
  return s->A ? s->A->guard : 0;
}

bf_err bf_mg_stage_multiply(const bf_mg_stage *s, const double *x, double *y)
{
  if (s->A) return bf_matrix_spmv(s->A, x, y, NULL, NULL);
  return bf_block_rows_spmv(s->rows, x, y);
}

/* ---- the first stage ---- */

/* Unknowns that no entry outside the diagonal couples: A v = D v to the last bit for a vector v of noise,
 * with the products that have a zero factor being exact. */
static bf_err find_decoupled(bf_mg_stage *s)
{
  bf_err      err = BF_OK;
  bf_backend *be  = s->be;
  double     *v = NULL, *y = NULL;
  BF_GO(bf_vector_create(be, s->n, guard_of(s), &v));
  BF_GO(bf_vector_create(be, s->n, guard_of(s), &y));
  BF_GO(be->ops.mg_cycle->noise(be, s->n, s->ncomp, 0, v));
  BF_GO(bf_mg_stage_multiply(s, v, y));
  BF_GO(be->ops.mg_cycle->decoupled(be, s->n, s->diagonal, v, y, s->fixed));
done:
  bf_vector_destroy(be, guard_of(s), &v);
  bf_vector_destroy(be, guard_of(s), &y);
  return err;
}

bf_err bf_mg_stage_root(bf_mg_stage *s, int *bad)
{
  bf_err      err = BF_OK;
  bf_backend *be  = s->be;
  void       *p = NULL, *flag = NULL;
  *bad = 0;
  BF_GO(be->ops.alloc(be, sizeof(int), &flag));
  BF_GO(be->ops.alloc(be, (size_t)s->n * sizeof(double), &p));
  s->root = p;
  BF_GO(be->ops.mg_cycle->root(be, s->n, s->diagonal, s->fixed, s->root, flag));
  BF_GO(be->ops.copy(be, bad, flag, sizeof *bad, BF_TO_HOST));
  BF_GO(be->ops.sync(be));
done:
  be->ops.release(be, flag);
  return err;
}

/* About the middle of the box around all nodes, the longest half side is 1: rotations and translations then
 * have about the same size.  Rows without a node lie in the middle. */
bf_err bf_mg_stage_coordinates(bf_mg_stage *s, const double *x)
{
  bf_backend   *be    = s->be;
  const int64_t nodes = s->n / s->ncomp;
  double lo0 = INFINITY, lo1 = INFINITY, lo2 = INFINITY, hi0 = -INFINITY, hi1 = -INFINITY, hi2 = -INFINITY;
  void  *p = NULL;
#pragma omp parallel for reduction(min : lo0, lo1, lo2) reduction(max : hi0, hi1, hi2)
  for (int64_t i = 0; i < nodes; i++) {
    const double *at = x + 3 * i;
    if (!isfinite(at[0])) continue;
    lo0 = fmin(lo0, at[0]), lo1 = fmin(lo1, at[1]), lo2 = fmin(lo2, at[2]);
    hi0 = fmax(hi0, at[0]), hi1 = fmax(hi1, at[1]), hi2 = fmax(hi2, at[2]);
  }
  const double half      = 0.5 * fmax(fmax(hi0 - lo0, hi1 - lo1), hi2 - lo2);
  const double middle[3] = {0.5 * (lo0 + hi0), 0.5 * (lo1 + hi1), 0.5 * (lo2 + hi2)};
  const double by        = half > 0.0 && isfinite(half) ? 1.0 / half : 1.0;
  BF_TRY(be->ops.alloc(be, (size_t)nodes * 3 * sizeof *x, &p));
  s->x = p;
  BF_TRY(be->ops.copy(be, s->x, x, (size_t)nodes * 3 * sizeof *x, BF_TO_DEVICE));
  return be->ops.mg_cycle->centre(be, (bf_int)nodes, middle, by, s->x);
}

bf_err bf_mg_stage_first(const bf_matrix *A, const bf_multigrid_body *body, bf_mg_stage *s, int *bad)
{
  bf_err      err = BF_OK;
  bf_backend *be  = A->be;
  void       *p   = NULL;
  *bad            = 0;
  *s              = (bf_mg_stage){.be = be, .n = A->nrows, .ncomp = A->ncomp, .A = A};
  BF_CHECK(be->ops.mg_cycle, BF_E_UNSUPPORTED, "backend '%s' has no operations for multigrid", be->ops.name);
  BF_GO(be->ops.alloc(be, (size_t)s->n, &p));
  s->fixed = p;
  BF_GO(be->ops.alloc(be, (size_t)s->n * sizeof(double), &p));
  s->diagonal = p;
  BF_GO(bf_matrix_diagonal(A, s->diagonal));
  BF_GO(find_decoupled(s));
  if (body && body->rigid) s->place = body->x;
  if (body && body->frame) {
    BF_GO(BF_NEW_ARRAY(s->frame, (size_t)(s->n / s->ncomp)));
    memcpy(s->frame, body->frame, (size_t)(s->n / s->ncomp) * sizeof *s->frame);
    s->T = body->T;
  }
  BF_GO(bf_mg_stage_root(s, bad));
done:
  if (err != BF_OK) bf_mg_stage_release(s);
  return err;
}

int bf_mg_stage_placed(const bf_mg_stage *s)
{
  return s->x || s->place;
}

/* s->x from the coordinates of the first level, by the planes that those of a coarser lattice lie on. */
static bf_err place_nodes(bf_mg_stage *s)
{
  bf_err       err = BF_OK;
  double      *x   = NULL;
  const size_t n0 = (size_t)s->grid[0], n1 = (size_t)s->grid[1];
  if (!s->on[0]) return bf_mg_stage_coordinates(s, s->place);
  BF_GO(BF_NEW_ARRAY(x, 3 * ((size_t)s->n / (size_t)s->ncomp)));
#pragma omp parallel for schedule(static)
  for (bf_int k = 0; k < s->grid[2]; k++)
    for (size_t j = 0; j < n1; j++)
      for (size_t i = 0; i < n0; i++) {
        const size_t line = (size_t)s->first[1] * (size_t)s->on[2][k] + (size_t)s->on[1][j];
        const size_t from = (size_t)s->first[0] * line + (size_t)s->on[0][i],
                     to   = i + n0 * (j + n1 * (size_t)k);
        for (size_t a = 0; a < 3; a++) x[3 * to + a] = s->place[3 * from + a];
      }
  BF_GO(bf_mg_stage_coordinates(s, x));
done:
  bf_host_free(x);
  return err;
}

/* Component c of mode j at x in the frame T. */
static double turned(const bf_mg_stage *s, const double *T, const double *x, int c, int j)
{
  const int D   = s->ncomp;
  double    sum = 0.0;
  for (int i = 0; i < D; i++) sum += T[i * D + c] * bf_near_null_value(D, x, i, j);
  return sum;
}

/* s->modes at the nodes with frames, on the host: one copy of the modes to it and back. */
static bf_err turn_modes(bf_mg_stage *s)
{
  bf_err       err = BF_OK;
  bf_backend  *be  = s->be;
  const size_t n = (size_t)s->n, D = (size_t)s->ncomp, bytes = (size_t)s->nmodes * n * sizeof(double);
  double      *modes = NULL, *x = NULL;
  uint8_t     *fixed = NULL;
  BF_GO(BF_NEW_ARRAY(modes, (size_t)s->nmodes * n));
  BF_GO(BF_NEW_ARRAY(fixed, n));
  if (s->x) BF_GO(BF_NEW_ARRAY(x, 3 * (n / D)));
  BF_GO(be->ops.copy(be, modes, s->modes, bytes, BF_TO_HOST));
  BF_GO(be->ops.copy(be, fixed, s->fixed, n, BF_TO_HOST));
  if (x) BF_GO(be->ops.copy(be, x, s->x, 3 * (n / D) * sizeof *x, BF_TO_HOST));
  BF_GO(be->ops.sync(be));
#pragma omp parallel for schedule(static) if (n > 8192)
  for (size_t i = 0; i < n / D; i++)
    for (int j = 0; s->frame[i] >= 0 && j < s->nmodes; j++)
      for (size_t c = 0; c < D; c++)
        modes[(size_t)j * n + i * D + c] =
            fixed[i * D + c] ? 0.0
                             : turned(s, s->T + (size_t)s->frame[i] * D * D, x ? x + 3 * i : NULL, (int)c, j);
  BF_GO(be->ops.copy(be, s->modes, modes, bytes, BF_TO_DEVICE));
  BF_GO(be->ops.sync(be));
done:
  bf_host_free(modes);
  bf_host_free(x);
  bf_host_free(fixed);
  return err;
}

bf_err bf_mg_stage_modes(bf_mg_stage *s)
{
  bf_backend *be = s->be;
  void       *p  = NULL;
  if (s->modes) return BF_OK;
  if (!s->x && s->place) BF_TRY(place_nodes(s));
  s->nmodes = bf_near_null_count(s->ncomp, s->x != NULL);
  BF_TRY(be->ops.alloc(be, (size_t)s->nmodes * (size_t)s->n * sizeof(double), &p));
  s->modes = p;
  BF_TRY(be->ops.mg_cycle->near_null(be, s->n / s->ncomp, s->ncomp, s->x, s->fixed, s->modes));
  return s->frame ? turn_modes(s) : BF_OK;
}

/* ---- largest eigenvalue ---- */

typedef struct lanczos {
  const bf_mg_stage *s;
  double            *w, *before, *y; /* backend, with guards */
  bf_mg_lanczos     *S;              /* backend */
} lanczos;

/* y = A w and w.y */
static bf_err product(const lanczos *L)
{
  const bf_mg_stage *s = L->s;
  const bf_matrix   *A = s->fast ? s->fast : s->A;
  if (A) return bf_matrix_spmv(A, L->w, L->y, L->w, L->S->dot);
  BF_TRY(bf_block_rows_spmv(s->rows, L->w, L->y));
  return BF_OP(s->be, vector.dot, s->n, L->w, L->y, L->S->dot);
}

static bf_err run_lanczos(lanczos *L, int products)
{
  const bf_mg_stage     *s   = L->s;
  const bf_mg_cycle_ops *ops = s->be->ops.mg_cycle;
  BF_TRY(ops->lanczos_start(s->be, s->n, s->ncomp, SALT, s->root, L->w, L->S));
  for (int k = 0; k < products; k++) {
    BF_TRY(product(L));
    BF_TRY(ops->lanczos_step(s->be, s->n, k, s->root, L->y, L->w, L->before, L->S));
    double *free_one = L->before;
    L->before        = L->w;
    L->w             = free_one;
  }
  return BF_OK;
}

/* Steps that were made before the Krylov space ended; 0: a number is not finite. */
static int steps_made(const bf_mg_lanczos *S, int products)
{
  for (int k = 0; k < products; k++) {
    if (!isfinite(S->diag[k]) || !isfinite(S->off[k])) return 0;
    if (!(S->off[k] > 1e-12 * fabs(S->diag[k]))) return k + 1;
  }
  return products;
}

bf_err bf_mg_lambda(const bf_mg_stage *s, int products, double *lambda)
{
  bf_err        err   = BF_OK;
  bf_backend   *be    = s->be;
  const bf_int  guard = guard_of(s);
  lanczos       L     = {.s = s};
  bf_mg_lanczos S;
  double        least, most;
  void         *p = NULL;
  *lambda         = NAN;
  if (products > BF_MG_LANCZOS_MOST) products = BF_MG_LANCZOS_MOST;
  if (products > s->n) products = s->n;
  BF_GO(be->ops.alloc(be, sizeof S, &p));
  L.S = p;
  BF_GO(bf_vector_create(be, s->n, guard, &L.w));
  BF_GO(bf_vector_create(be, s->n, guard, &L.before));
  BF_GO(bf_vector_create(be, s->n, guard, &L.y));
  BF_GO(run_lanczos(&L, products));
  BF_GO(be->ops.copy(be, &S, L.S, sizeof S, BF_TO_HOST));
  BF_GO(be->ops.sync(be));
  const int made = steps_made(&S, products);
  if (made == 0) goto done;
  bf_tridiagonal_ends(made, S.diag, S.off, &least, &most);
  *lambda = BF_MG_LAMBDA_SAFETY * most;
done:
  bf_vector_destroy(be, guard, &L.w);
  bf_vector_destroy(be, guard, &L.before);
  bf_vector_destroy(be, guard, &L.y);
  be->ops.release(be, p);
  return err;
}
