/* kernels/cuda/bicgstab.cu - the vector work of a BiCGStab iteration, one kernel a step
 *
 * Computes   begin      r0 = r, p = r, ph = dinv p, rr = r.r
 *            middle     a = rho/(r0.v): r -= a v, rh = dinv r, ss = r.r
 *            update     o = (t.s)/(t.t): x += alpha ph + o rh, r -= o t, rr = r.r, r0.r
 *            direction  p = r + beta (p - omega v), ph = dinv p
 *            with the scalar steps of krylov.h. Without preconditioner ph is p and rh is r.
 * Source     van der Vorst 1992, SIAM J. Sci. Stat. Comput. 13(2); Saad, alg. 7.7.
 * Cost       per entry with Jacobi: begin 40 bytes, middle 40, update 64, direction 48.
 * Launch     as in cg.cu. An iteration is five launches: product, middle, product, update, direction.
 * Checked    tests/t340_krylov.c, t350_large.c and the solvers' tests, against the CPU backend.
 */
#include "kernels/cuda/cuda_util.cuh"

/* In every kernel thread t owns entries t, t + threads of the grid, ...; one thread of the last block owns
 * the state, after every other thread has read it. */
#define FOR_ENTRIES(i, n)                                                                                    \
  for (int64_t i = (int64_t)blockIdx.x * BF_SUM_THREADS + threadIdx.x; i < (n);                              \
       i += (int64_t)gridDim.x * BF_SUM_THREADS)

template <bool JACOBI>
static __global__ void __launch_bounds__(BF_SUM_THREADS)
    begin(int64_t n, const double *r, const double *dinv, double *r0, double *p, double *ph,
          bf_krylov_state *st, double *history, double *partial, unsigned *ticket)
{
  double sum[1] = {0.0};
  FOR_ENTRIES(i, n)
  {
    const double ri = r[i];
    r0[i]           = ri;
    p[i]            = ri;
    if (JACOBI) ph[i] = dinv[i] * ri;
    sum[0] += ri * ri;
  }
  if (bf_grid_sum(sum, partial, ticket)) bf_bicgstab_begin(st, sum[0], history);
}

template <bool JACOBI>
static __global__ void __launch_bounds__(BF_SUM_THREADS)
    middle(int64_t n, double *__restrict__ r, const double *__restrict__ v, const double *__restrict__ dinv,
           double *__restrict__ rh, bf_krylov_state *st, double *partial, unsigned *ticket)
{
  if (st->status != BF_KRYLOV_RUNNING) return;
  const double a      = bf_bicgstab_alpha(st);
  double       sum[1] = {0.0};
#pragma unroll 2
  FOR_ENTRIES(i, n)
  {
    const double ri = r[i] - a * v[i];
    r[i]            = ri;
    if (JACOBI) rh[i] = dinv[i] * ri;
    sum[0] += ri * ri;
  }
  if (bf_grid_sum(sum, partial, ticket)) bf_bicgstab_middle(st, sum[0]);
}

/* rh may be r: its entry is read before r is written. */
static __global__ void __launch_bounds__(BF_SUM_THREADS)
    update(int64_t n, double *__restrict__ x, double *r, const double *__restrict__ r0,
           const double *__restrict__ ph, const double *rh, const double *__restrict__ t, bf_krylov_state *st,
           double *history, double *partial, unsigned *ticket)
{
  if (st->status != BF_KRYLOV_RUNNING) return;
  const double a = st->alpha, o = bf_bicgstab_omega(st);
  double       sum[2] = {0.0, 0.0};
#pragma unroll 2
  FOR_ENTRIES(i, n)
  {
    const double xi = x[i] + (a * ph[i] + o * rh[i]), ri = r[i] - o * t[i];
    x[i] = xi;
    r[i] = ri;
    sum[0] += ri * ri;
    sum[1] += r0[i] * ri;
  }
  if (bf_grid_sum(sum, partial, ticket)) bf_bicgstab_end(st, sum[0], sum[1], history);
}

template <bool JACOBI>
static __global__ void __launch_bounds__(BF_SUM_THREADS)
    direction(int64_t n, const double *__restrict__ r, const double *__restrict__ v,
              const double *__restrict__ dinv, double *__restrict__ p, double *__restrict__ ph,
              const bf_krylov_state *st)
{
  if (st->status != BF_KRYLOV_RUNNING) return;
  const double beta = st->beta, omega = st->omega;
#pragma unroll 2
  FOR_ENTRIES(i, n)
  {
    const double pi = r[i] + beta * (p[i] - omega * v[i]);
    p[i]            = pi;
    if (JACOBI) ph[i] = dinv[i] * pi;
  }
}

BF_CUDA_DECLARE(bicgstab_begin);
bf_err bf_cuda_bicgstab_begin(bf_backend *be, bf_int n, const double *r, const double *dinv, double *r0,
                              double *p, double *ph, bf_krylov_state *st, double *history)
{
  const bf_cuda *cu     = bf_cuda_of(be);
  const int      blocks = bf_cuda_sum_blocks(be, n);
  double        *partial;
  BF_TRY(bf_cuda_partials(be, blocks, &partial));
  auto *kernel = dinv ? begin<true> : begin<false>;
  kernel<<<blocks, BF_SUM_THREADS, 0, cu->stream>>>(n, r, dinv, r0, p, ph, st, history, partial, cu->ticket);
  return BF_CUDA_LAUNCHED(be);
}

BF_CUDA_DECLARE(bicgstab_middle);
bf_err bf_cuda_bicgstab_middle(bf_backend *be, bf_int n, double *r, const double *v, const double *dinv,
                               double *rh, bf_krylov_state *st)
{
  const bf_cuda *cu     = bf_cuda_of(be);
  const int      blocks = bf_cuda_sum_blocks(be, n);
  double        *partial;
  BF_TRY(bf_cuda_partials(be, blocks, &partial));
  auto *kernel = dinv ? middle<true> : middle<false>;
  kernel<<<blocks, BF_SUM_THREADS, 0, cu->stream>>>(n, r, v, dinv, rh, st, partial, cu->ticket);
  return BF_CUDA_LAUNCHED(be);
}

BF_CUDA_DECLARE(bicgstab_update);
bf_err bf_cuda_bicgstab_update(bf_backend *be, bf_int n, double *x, double *r, const double *r0,
                               const double *ph, const double *rh, const double *t, bf_krylov_state *st,
                               double *history)
{
  const bf_cuda *cu     = bf_cuda_of(be);
  const int      blocks = bf_cuda_sum_blocks(be, n);
  double        *partial;
  BF_TRY(bf_cuda_partials(be, 2 * (int64_t)blocks, &partial));
  update<<<blocks, BF_SUM_THREADS, 0, cu->stream>>>(n, x, r, r0, ph, rh, t, st, history, partial, cu->ticket);
  return BF_CUDA_LAUNCHED(be);
}

BF_CUDA_DECLARE(bicgstab_direction);
bf_err bf_cuda_bicgstab_direction(bf_backend *be, bf_int n, const double *r, const double *v,
                                  const double *dinv, double *p, double *ph, const bf_krylov_state *st)
{
  if (n <= 0) return BF_OK;
  auto *kernel = dinv ? direction<true> : direction<false>;
  kernel<<<bf_cuda_sum_blocks(be, n), BF_SUM_THREADS, 0, bf_cuda_of(be)->stream>>>(n, r, v, dinv, p, ph, st);
  return BF_CUDA_LAUNCHED(be);
}
