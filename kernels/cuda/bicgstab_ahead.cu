/* kernels/cuda/bicgstab_ahead.cu - BiCGStab in three kernels: the second product makes s = r - alpha v as it
 * reads, and its sums tell beta before r is there, so that x, r and p move at once
 *
 * Computes   after v = A ph, whose product left r0.v in parts:
 *            product  alpha = rho/(r0.v), s = r - alpha v, t = A M^-1 s; t.s, t.t, s.s, r0.s, r0.t
 *            move     omega = t.s/t.t, rho' = r0.s - omega r0.t, beta: x += M^-1 (alpha p + omega s),
 *                     r = s - omega t, p = r + beta (p - omega v), ph = M^-1 p, rr = r.r
 *            with the scalar steps of krylov.h. M is the diagonal, or nothing, and then ph is p.
 * Source     the usual BiCGStab (bicgstab.cu) with its sums taken earlier, as in Yang and Brent, The improved
 *            BiCGStab method for large and sparse unsymmetric linear systems on parallel distributed memory
 *            architectures (2002). rho' has an error of u |r0| |s| where r0.r would have one of u |r0| |r|.
 * Layout     matrix.h: one full table of offsets in the parameters, D = 1. Offsets that follow each other
 *            share their entries of s: s(i + o) of a row's next diagonal is that of the next row's this.
 * Cost       vectors an iteration, without the diagonal (with it): first product 3 (3), second 4 (5), move 8
 *            (10); the four kernels of bicgstab.cu 18 (24).
 * Launch     product: one block an SM, cooperative, which waits once for r0.v (packets.cuh); its warps go
 *            through the matrix in step, 64 rows at a time. move: any number of blocks.
 * Checked    tests/t344_fused.c against the iteration in long double.
 */
#include "kernels/cuda/bdia.cuh"
#include "kernels/cuda/bicgstab.cuh"

enum { WARP_ROWS = 64, MOVE_THREADS = 256, MOVE_BLOCKS = 4 }; /* blocks an SM */

/* Offsets: any; in threes that follow each other; all following each other. */
enum { ANY, THREES, BAND };

template <bool JACOBI>
struct ahead_shape { /* the registers that 12 or 18 diagonals on the way need */
  static constexpr int threads = JACOBI ? 768 : 1024, steps = JACOBI ? 18 : 12;
};

/* What is multiplied. */
template <bool JACOBI>
struct stabilised {
  const double                     *r, *v, *d; /* of the first of two rows */
  double                            alpha;
  __device__ __forceinline__ double operator()(int64_t o) const
  {
    const double s = __ldg(r + o) - alpha * __ldg(v + o);
    return JACOBI ? __ldg(d + o) * s : s;
  }
};

/* Two rows of A M^-1 s. */
template <typename T, int PATTERN, int STEPS, class X>
static __device__ __forceinline__ double2 two_rows(const bdia_args &g, const T *__restrict__ v, const X &x)
{
  const int64_t ld = g.seg.ld;
  double2       y  = {0.0, 0.0};
  if (PATTERN == BAND) {
    const int o    = g.table[0];
    double    here = x(o);
#pragma unroll STEPS
    for (int k = 0; k < g.seg.ndiag; k++, v += ld) {
      const double2 a    = bdia_stream_pair(v);
      const double  next = x(o + 1 + k);
      y.x += a.x * here;
      y.y += a.y * next;
      here = next;
    }
  } else if (PATTERN == THREES) {
#pragma unroll(STEPS / 3)
    for (int k = 0; k < g.seg.ndiag; k += 3, v += 3 * ld) {
      const int     o    = g.table[k];
      const double2 a[3] = {bdia_stream_pair(v), bdia_stream_pair(v + ld), bdia_stream_pair(v + 2 * ld)};
      const double  e[4] = {x(o), x(o + 1), x(o + 2), x(o + 3)};
#pragma unroll
      for (int j = 0; j < 3; j++) {
        y.x += a[j].x * e[j];
        y.y += a[j].y * e[j + 1];
      }
    }
  } else {
#pragma unroll(STEPS / 2)
    for (int k = 0; k < g.seg.ndiag; k++, v += ld) {
      const int     o = g.table[k];
      const double2 a = bdia_stream_pair(v);
      y.x += a.x * x(o);
      y.y += a.y * x(o + 1);
    }
  }
  return y;
}

/* t of a row, its part of the sums t.s, t.t, s.s, r0.s, r0.t */
static __device__ __forceinline__ void leave_row(const bf_bicgstab_move &m, double alpha, int64_t i, double t,
                                                 double *to, double (&sum)[5])
{
  const double s = m.r[i] - alpha * m.v[i], r0 = m.r0[i];
  to[i] = t;
  sum[0] += t * s;
  sum[1] += t * t;
  sum[2] += s * s;
  sum[3] += r0 * s;
  sum[4] += r0 * t;
}

template <typename T, bool JACOBI, int PATTERN>
static __global__ void __launch_bounds__(ahead_shape<JACOBI>::threads, 1)
    product(const __grid_constant__ bdia_args g, const __grid_constant__ bf_bicgstab_move m,
            const T *__restrict__ values)
{
  constexpr int              THREADS = ahead_shape<JACOBI>::threads;
  __shared__ bf_krylov_state st;
  if (m.state->status != BF_KRYLOV_RUNNING) return;
  const unsigned long long number = *m.number;
  double                   r0v[1] = {0.0}, sum[5] = {0.0, 0.0, 0.0, 0.0, 0.0};
  for (int64_t i = blockIdx.x * THREADS + threadIdx.x; i < m.partials; i += gridDim.x * THREADS)
    r0v[0] += m.partial[2 * i];
  if (threadIdx.x == 0) st = *m.state;
  bf_sum_everywhere(
      r0v, THREADS / 32, m.packets, number + 1,
      [&](const double *s) {
        st.dot[0] = s[0];
        st.alpha  = bf_bicgstab_alpha(&st);
      },
      [](int, int) {});
  const double a = st.alpha;
  for (int64_t i = ((int64_t)blockIdx.x * THREADS + threadIdx.x) / 32 * WARP_ROWS + 2 * (threadIdx.x & 31);
       i < g.n; i += (int64_t)gridDim.x * THREADS / 32 * WARP_ROWS) {
    const stabilised<JACOBI> x = {m.r + i, m.v + i, JACOBI ? m.dinv + i : NULL, a};
    const double2 t = two_rows<T, PATTERN, ahead_shape<JACOBI>::steps>(g, values + g.seg.base + i, x);
    leave_row(m, a, i, t.x, g.y, sum);
    if (i + 1 < g.n) leave_row(m, a, i + 1, t.y, g.y, sum);
  }
  if (!bf_grid_sum(sum, g.partial, g.ticket)) return;
  bf_bicgstab_ahead(&st, sum[2], sum[0], sum[1], sum[3], sum[4]);
  *m.state  = st;
  *m.number = number + 1;
}

struct steps {
  double alpha, omega, beta;
};

/* One entry; returns r^2. */
static __device__ __forceinline__ double advance(const steps &c, double v, double t, double d, double *x,
                                                 double *r, double *p)
{
  const double s = *r - c.alpha * v;
  *x += d * (c.alpha * *p + c.omega * s);
  *r = s - c.omega * t;
  *p = *r + c.beta * (*p - c.omega * v);
  return *r * *r;
}

static __device__ __forceinline__ double2 pair(const double *v, int64_t i)
{
  return reinterpret_cast<const double2 *>(v)[i];
}
static __device__ __forceinline__ double2 pair_once(const double *v, int64_t i)
{
  return __ldcs(reinterpret_cast<const double2 *>(v) + i);
}
static __device__ __forceinline__ void put_pair(double *v, int64_t i, double2 value)
{
  reinterpret_cast<double2 *>(v)[i] = value;
}

/* Thread t owns pairs of entries t, t + threads of the grid, ...; an odd last entry belongs to the first. */
template <bool JACOBI>
static __global__ void __launch_bounds__(MOVE_THREADS, MOVE_BLOCKS)
    move(const __grid_constant__ bf_bicgstab_move m, double *partial, unsigned *ticket)
{
  const bf_krylov_state *st = m.state;
  if (st->status != BF_KRYLOV_RUNNING) return;
  const double  omega = bf_bicgstab_omega(st), r0r = st->rz;
  const steps   c    = {st->alpha, omega, bf_bicgstab_beta(st, omega, r0r)};
  const int64_t step = (int64_t)gridDim.x * MOVE_THREADS, last = m.n - 1;
  const int64_t first  = (int64_t)blockIdx.x * MOVE_THREADS + threadIdx.x;
  double        sum[1] = {0.0};
#pragma unroll 2
  for (int64_t i = first; i < m.n / 2; i += step) {
    const double2 v = pair_once(m.v, i), t = pair_once(m.t, i);
    double2       x = pair_once(m.x, i), r = pair(m.r, i), p = pair(m.p, i), d = {1.0, 1.0};
    if (JACOBI) d = pair(m.dinv, i);
    sum[0] += advance(c, v.x, t.x, d.x, &x.x, &r.x, &p.x);
    sum[0] += advance(c, v.y, t.y, d.y, &x.y, &r.y, &p.y);
    __stcs(reinterpret_cast<double2 *>(m.x) + i, x);
    put_pair(m.r, i, r);
    put_pair(m.p, i, p);
    if (JACOBI) put_pair(m.ph, i, make_double2(d.x * p.x, d.y * p.y));
  }
  if ((m.n & 1) && first == 0) {
    const double d = JACOBI ? m.dinv[last] : 1.0;
    sum[0] += advance(c, m.v[last], m.t[last], d, m.x + last, m.r + last, m.p + last);
    if (JACOBI) m.ph[last] = d * m.p[last];
  }
  if (bf_grid_sum(sum, partial, ticket)) bf_bicgstab_end(m.state, sum[0], r0r, m.history);
}

/* ---- launches ---- */

static int pattern_of(const bdia_args &g)
{
  int follows = 1, threes = g.seg.ndiag % 3 == 0;
  for (int k = 1; k < g.seg.ndiag; k++) {
    const bool next = g.table[k] == g.table[k - 1] + 1;
    follows &= next;
    threes &= next || k % 3 == 0;
  }
  return follows ? BAND : threes ? THREES : ANY;
}

template <typename T, bool JACOBI>
static const void *kernel_of(int pattern)
{
  return pattern == BAND     ? (const void *)product<T, JACOBI, BAND>
         : pattern == THREES ? (const void *)product<T, JACOBI, THREES>
                             : (const void *)product<T, JACOBI, ANY>;
}

bool bf_cuda_bicgstab_is_ahead(const bf_backend *be, const bf_bdia *A)
{
  return !A->half && A->ncomp == 1 && A->nseg == 1 && A->ndiag <= BDIA_TABLE && !bf_cuda_bdia_is_small(be, A);
}

bf_err bf_cuda_bicgstab_ahead(bf_backend *be, const bf_bdia *A, bf_bicgstab_move *m)
{
  const bf_cuda *cu     = bf_cuda_of(be);
  const bool     jacobi = m->dinv;
  const unsigned blocks = (unsigned)(MOVE_BLOCKS * cu->sms);
  void          *own; /* sums, beside the parts of the first product */
  bdia_args      g;
  bf_cuda_bdia_describe(A, &g);
  BF_TRY(bf_cuda_scratch(be, 5 * blocks * sizeof(double), &own));
  g.y       = m->t;
  g.partial = static_cast<double *>(own);
  g.ticket  = cu->ticket;
  BF_TRY(bf_cuda_packets(be, BF_MOVE_PACKETS, &m->packets, &m->number));
  const int   pattern   = pattern_of(g);
  const void *kernel    = A->prec == BF_FP64
                              ? (jacobi ? kernel_of<double, true>(pattern) : kernel_of<double, false>(pattern))
                              : (jacobi ? kernel_of<float, true>(pattern) : kernel_of<float, false>(pattern));
  void       *params[3] = {&g, m, const_cast<void **>(&A->values)};
  BF_TRY(bf_cuda_cooperate(be, kernel, jacobi ? ahead_shape<true>::threads : ahead_shape<false>::threads, 0,
                           params));
  (jacobi ? move<true> : move<false>)<<<blocks, MOVE_THREADS, 0, cu->stream>>>(*m, g.partial, cu->ticket);
  return BF_CUDA_LAUNCHED(be);
}
