/* kernels/cuda/batch_heev.cuh - eigen-decompositions of orders 33 .. 512, a block a matrix
 *
 * Computes   A = V diag(w) V^H: Householder's reduction to a real tridiagonal matrix, divide and conquer,
 *            reflectors applied to its vectors.  About 4/3 + 4/3 + 2 n^3 multiplications and additions.
 * Source     LAPACK's zhetd2, zlarfg (formulas of a reflector); batch_divide.cuh.
 * Layout     S: the whole of A, then half of the working space of divide and conquer, then the reflectors;
 *            on the chip where ON_CHIP, else a piece of the workspace; one column more than n apart.  Q: the
 *            other half, in the workspace (L2).  A keeps the reflectors meanwhile.  Persistent blocks.
 *            Reduction: every warp has v, w of the last step in its own copy, so a step has one barrier:
 * column by column  A <- A - v w^H - w v^H  and  p += A v_new  in one pass, partial p by warp. Checked
 * tests/t360_heev_batch.c, t359_pairs_batch.c.
 *
 * The matrix is scaled by a power of 2 to entries below 1.  A diagonal matrix is sorted at once.
 */
#ifndef BF_BATCH_HEEV_CUH
#define BF_BATCH_HEEV_CUH
#include "kernels/cuda/batch_divide.cuh"
#include "kernels/cuda/batch_families.cuh"
#include "kernels/cuda/batch_reflect.cuh"

enum { HEEV_HEAD = 64 }; /* bytes of flags in front of the shared memory */

struct heev_place { /* bytes in shared memory, behind the head; workspace of a block */
  int    ld, lpanel;
  size_t tau, de, divide, vectors, part, s, shared, q, block;
  bool   part_far; /* partial sums in the workspace */
};

template <class T, int CHUNKS, int WARPS, bool ON_CHIP>
static heev_place heev_layout(int n)
{
  using R              = real_t<T>;
  const auto up        = [](size_t x) { return (x + 15) / 16 * 16; };
  const auto most      = [](size_t a, size_t b) { return a > b ? a : b; };
  heev_place p         = {};
  p.ld                 = n | 1;
  p.lpanel             = CHUNKS > 8 ? 3 : 4;
  const size_t vectors = up((size_t)3 * WARPS * n * sizeof(T)), part = up((size_t)2 * WARPS * n * sizeof(T));
  const size_t divide = up(divide_room<R>::bytes(n)), panel = up(((size_t)n << p.lpanel) * sizeof(R));
  p.part_far         = CHUNKS > 8;
  p.tau              = HEEV_HEAD;
  p.de               = p.tau + up(n * sizeof(T));
  p.vectors          = p.de + up(2 * n * sizeof(R)); /* the reduction and what follows share this */
  p.divide           = p.vectors;
  p.s                = p.vectors + most(vectors + (p.part_far ? 0 : part), divide + panel);
  const size_t whole = up((size_t)n * p.ld * sizeof(T));
  p.shared           = p.s + (ON_CHIP ? whole : 0);
  p.part             = p.part_far ? (ON_CHIP ? 0 : whole) : p.vectors + vectors;
  p.q                = (ON_CHIP ? 0 : whole) + (p.part_far ? part : 0);
  p.block            = p.q + up((size_t)n * p.ld * sizeof(R));
  return p;
}

struct heev_head {
  int                broken, dense; /* an entry that is not finite; one off the diagonal that is not 0 */
  unsigned long long largest;       /* bits of a double */
};

/* S = A from its triangle, largest component and flags in the head. */
template <class T, int WARPS>
__device__ void heev_load(const T *a, int lda, int n, bool upper, T *S, int ld, heev_head *head)
{
  const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
  real_t<T> most   = 0;
  bool      broken = false, dense = false;
  for (int j = warp; j < n; j += WARPS)
    for (int i = lane; i < n; i += 32) {
      if (upper ? i > j : i < j) continue;
      T x = a[(size_t)j * lda + i];
      if (i == j) x = from_real<T>(real_part(x));
      broken |= !is_finite(x);
      dense |= i != j && abs1(x) != 0;
      most          = fmax(most, fmax(fabs(real_part(x)), fabs(imaginary(x))));
      S[j * ld + i] = x;
      S[i * ld + j] = conj(x);
    }
  for (int o = 16; o; o /= 2) most = fmax(most, __shfl_xor_sync(~0u, most, o));
  if (broken) head->broken = 1;
  if (dense) head->dense = 1;
  if (lane == 0) atomicMax(&head->largest, (unsigned long long)__double_as_longlong((double)most));
}

/* Columns behind k of S:  S -= v w^H + w v^H of the step before;  acc = S x by the columns of this warp. */
template <class T, int CHUNKS, int WARPS>
__device__ __forceinline__ void heev_pass(T *S, int ld, int n, int k, const T *pv, const T *pw, const T *x,
                                          const T *v, const T *w, T *acc)
{
  constexpr int AT_ONCE = CHUNKS * (int)sizeof(T) <= 32 ? 4 : CHUNKS * (int)sizeof(T) <= 64 ? 2 : 1;
  const int     lane = threadIdx.x & 31, warp = threadIdx.x >> 5, c0 = (k + 1) >> 5;
  for (int j = k + 1 + warp; j < n; j += AT_ONCE * WARPS) {
    T y[AT_ONCE][CHUNKS], xj[AT_ONCE], wj[AT_ONCE], vj[AT_ONCE];
#pragma unroll
    for (int u = 0; u < AT_ONCE; u++) {
      const int at = j + u * WARPS, in = at < n, jc = in ? at : n - 1;
      xj[u] = in ? x[jc] : from_real<T>(0);
      wj[u] = conj(pw[jc]);
      vj[u] = conj(pv[jc]);
#pragma unroll
      for (int c = 0; c < CHUNKS; c++) {
        const int i = lane + 32 * c;
        if (c >= c0) y[u][c] = i < n ? S[(size_t)jc * ld + i] : from_real<T>(0);
      }
    }
#pragma unroll
    for (int u = 0; u < AT_ONCE; u++)
#pragma unroll
      for (int c = 0; c < CHUNKS; c++) {
        const int i = lane + 32 * c, at = j + u * WARPS;
        if (c < c0) continue;
        const T q = mulsub(w[c], vj[u], mulsub(v[c], wj[u], y[u][c]));
        if (i < n && at < n) S[(size_t)at * ld + i] = q;
        acc[c] = muladd(q, xj[u], acc[c]);
      }
  }
}

/* d, e, tau: S = H T H^H; the reflectors into the columns of A where they are wanted. */
template <class T, int CHUNKS, int WARPS>
__device__ void heev_reduce(T *S, int ld, int n, T *vectors, T *part, real_t<T> *d, real_t<T> *e, T *tau,
                            T *a, int lda)
{
  using R        = real_t<T>;
  const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
  T        *pv = vectors + (size_t)warp * 3 * n, *pw = pv + n, *x = pw + n;
  T         v[CHUNKS] = {}, w[CHUNKS] = {};
  for (int i = lane; i < n; i += 32) pv[i] = pw[i] = from_real<T>(0);
  __syncwarp();
  for (int k = 0; k < n - 1; k++) {
    const T vk = conj(pv[k]), wk = conj(pw[k]);
    T       y[CHUNKS], alpha = from_real<T>(0), acc[CHUNKS] = {};
    R       xx = 0, beta;
#pragma unroll
    for (int c = 0; c < CHUNKS; c++) {
      const int i = lane + 32 * c;
      y[c]        = from_real<T>(0);
      if (i < k || i >= n) continue;
      y[c] = mulsub(w[c], vk, mulsub(v[c], wk, S[(size_t)k * ld + i]));
      if (i == k && warp == 0) d[k] = real_part(y[c]);
      if (i == k + 1) alpha = y[c];
      if (i >= k + 2) xx += square_of(y[c]);
    }
    T       t;
    const T scale = reflector(of_lane(alpha, (k + 1) & 31), sum_warp(xx), &t, &beta);
#pragma unroll
    for (int c = 0; c < CHUNKS; c++) {
      const int i = lane + 32 * c;
      y[c]        = i >= k + 2 ? y[c] * scale : from_real<T>(i == k + 1 ? 1 : 0);
      if (i < n) x[i] = y[c];
      if (a && warp == k % WARPS && i > k && i < n) a[(size_t)k * lda + i] = y[c];
    }
    if (threadIdx.x == 0) {
      e[k]   = beta;
      tau[k] = t;
    }
    __syncwarp();
    heev_pass<T, CHUNKS, WARPS>(S, ld, n, k, pv, pw, x, v, w, acc);
    T *sums = part + (size_t)(k & 1) * WARPS * n, dot = from_real<T>(0);
#pragma unroll
    for (int c = 0; c < CHUNKS; c++)
      if (lane + 32 * c < n) sums[warp * n + lane + 32 * c] = acc[c];
    __syncthreads();
#pragma unroll
    for (int c = 0; c < CHUNKS; c++) {
      const int i = lane + 32 * c;
      T         p = from_real<T>(0);
      if (i > k && i < n)
#pragma unroll
        for (int q = 0; q < WARPS; q++) p = p + sums[q * n + i];
      acc[c] = p * t;
      dot    = muladd(conj(acc[c]), y[c], dot);
    }
    const T half = times(t * sum_warp(dot), R(-0.5));
    __syncwarp();
#pragma unroll
    for (int c = 0; c < CHUNKS; c++) {
      v[c] = y[c];
      w[c] = muladd(half, y[c], acc[c]);
      if (lane + 32 * c < n) pw[lane + 32 * c] = w[c];
    }
    T *swap = pv;
    pv      = x;
    x       = swap;
    __syncwarp();
  }
  if (threadIdx.x == 0) {
    const T b = pv[n - 1], c = pw[n - 1];
    d[n - 1] = real_part(S[(size_t)(n - 1) * ld + n - 1] - b * conj(c) - c * conj(b));
    e[n - 1] = 0;
  }
}

/* out = H Q: a group of lanes holds COLUMNS columns, a lane ROWS rows of them; V[k*ldv + i], i > k. */
template <class T, int CHUNKS, int WARPS>
__device__ void heev_back(const real_t<T> *Q, int ld, int n, const T *V, int ldv, const T *tau, T *out,
                          int ldo)
{
  constexpr int ROWS = CHUNKS > 8 ? 16 : 8, LEAST = 8;
  constexpr int MOST    = (sizeof(T) == 16 ? 4 : 8) / (ROWS / 8),
                FIT     = CHUNKS * LEAST * CHUNKS * 16 / (32 * WARPS),
                COLUMNS = FIT < 1      ? 1
                          : FIT < MOST ? FIT
                                       : MOST;
  int group             = LEAST;
  while (group * ROWS < n) group *= 2;
  const int lane = threadIdx.x & 31, g = lane & (group - 1), groups = 32 * WARPS / group;
  for (int c0 = 0; c0 < n; c0 += groups * COLUMNS) {
    const int c = c0 + threadIdx.x / group * COLUMNS;
    T         q[COLUMNS][ROWS];
#pragma unroll
    for (int p = 0; p < COLUMNS; p++)
#pragma unroll
      for (int r = 0; r < ROWS; r++) {
        const int i = g + group * r;
        q[p][r]     = from_real<T>(c + p < n && i < n ? Q[(size_t)(c + p) * ld + i] : 0);
      }
    for (int k = n - 2; k >= 0; k--) {
      T v[ROWS], sum[COLUMNS];
#pragma unroll
      for (int r = 0; r < ROWS; r++) {
        const int i = g + group * r;
        v[r]        = i > k && i < n ? V[(size_t)k * ldv + i] : from_real<T>(0);
      }
#pragma unroll
      for (int p = 0; p < COLUMNS; p++) {
        sum[p] = from_real<T>(0);
#pragma unroll
        for (int r = 0; r < ROWS; r++) sum[p] = muladd(conj(v[r]), q[p][r], sum[p]);
      }
      const T mine = sum_columns<T, COLUMNS>(sum, group) * tau[k];
#pragma unroll
      for (int p = 0; p < COLUMNS; p++) {
        const T s = of_lane(mine, (lane & ~(group - 1)) + lane_of_column<COLUMNS>(p));
#pragma unroll
        for (int r = 0; r < ROWS; r++) q[p][r] = mulsub(v[r], s, q[p][r]);
      }
    }
#pragma unroll
    for (int p = 0; p < COLUMNS; p++) {
      const T phase = phase_of<T, ROWS>(q[p], g, group);
#pragma unroll
      for (int r = 0; r < ROWS; r++) {
        const int i = g + group * r;
        if (c + p < n && i < n) out[(size_t)(c + p) * ldo + i] = q[p][r] * phase;
      }
    }
  }
}

/* Columns of a square copied, or their part below the diagonal. */
template <class T, int WARPS>
__device__ void heev_copy(const T *from, int ldf, T *to, int ldt, int n, bool below)
{
  for (int j = threadIdx.x >> 5; j < n; j += WARPS)
    for (int i = threadIdx.x & 31; i < n; i += 32)
      if (!below || i > j) to[(size_t)j * ldt + i] = from[(size_t)j * ldf + i];
}

/* w = the sorted diagonal of S, A = the columns of 1 that belong to it. */
template <class T, int WARPS>
__device__ void heev_diagonal(const T *S, int ld, int n, real_t<T> *w, T *a, int lda)
{
  for (int c = threadIdx.x; c < n; c += 32 * WARPS) {
    const real_t<T> me = real_part(S[(size_t)c * ld + c]);
    int             r  = 0;
    for (int j = 0; j < n; j++) {
      const real_t<T> x = real_part(S[(size_t)j * ld + j]);
      r += x < me || (x == me && j < c);
    }
    w[r] = me;
    for (int i = 0; i < n && a; i++) a[(size_t)r * lda + i] = from_real<T>(i == c ? 1 : 0);
  }
}

template <class T, int WARPS>
__device__ void heev_fail(real_t<T> *w, T *a, int lda, int n)
{
  const real_t<T> nan = real_t<T>(nanf(""));
  for (int i = threadIdx.x; i < n; i += 32 * WARPS) w[i] = nan;
  for (int j = threadIdx.x >> 5; j < n && a; j += WARPS)
    for (int i = threadIdx.x & 31; i < n; i += 32) a[(size_t)j * lda + i] = from_real<T>(nan);
}

/* One matrix; info of it. */
template <class T, int CHUNKS, int WARPS, bool ON_CHIP>
__device__ int heev_one(T *a, int lda, int n, bool upper, bool vectors, real_t<T> *w, const heev_place &P,
                        char *shared, char *block)
{
  using R         = real_t<T>;
  heev_head *head = reinterpret_cast<heev_head *>(shared);
  T         *tau  = reinterpret_cast<T *>(shared + P.tau);
  T         *S;
  if constexpr (ON_CHIP)
    S = reinterpret_cast<T *>(shared + P.s);
  else
    S = reinterpret_cast<T *>(block);
  T        *part = reinterpret_cast<T *>((P.part_far ? block : shared) + P.part);
  R        *Q    = reinterpret_cast<R *>(block + P.q);
  T        *keep = vectors ? a : NULL;
  const int ld   = P.ld;
  if (threadIdx.x == 0) *head = {0, 0, 0};
  __syncthreads();
  heev_load<T, WARPS>(a, lda, n, upper, S, ld, head);
  __syncthreads();
  if (head->broken) {
    heev_fail<T, WARPS>(w, keep, lda, n);
    return n + 1;
  }
  if (!head->dense) {
    heev_diagonal<T, WARPS>(S, ld, n, w, keep, lda);
    return 0;
  }
  const R   most = (R)__longlong_as_double((long long)head->largest);
  const int ex   = ilogb(most) + 1;
  const R   down = scalbn(R(1), -ex / 2), rest = scalbn(R(1), -ex + ex / 2);
  for (int x = threadIdx.x; x < n * ld; x += 32 * WARPS)
    if (x % ld < n) S[x] = times(times(S[x], down), rest);
  __syncthreads();
  divide_room<R> m;
  m.d = reinterpret_cast<R *>(shared + P.de);
  m.e = m.d + n;
  heev_reduce<T, CHUNKS, WARPS>(S, ld, n, reinterpret_cast<T *>(shared + P.vectors), part, m.d, m.e, tau,
                                keep, lda);
  __syncthreads();
  m.carve(shared + P.divide, n);
  R   *U      = reinterpret_cast<R *>(shared + P.divide + (divide_room<R>::bytes(n) + 15) / 16 * 16);
  int  levels = 0;
  bool fine;
  while (1 << levels < n) levels++;
  R *half = reinterpret_cast<R *>(S); /* the last level ends in Q */
  divide_conquer(n, m, levels % 2 ? half : Q, levels % 2 ? Q : half, ld, U, P.lpanel, &fine);
  if (!__syncthreads_and(fine)) {
    heev_fail<T, WARPS>(w, keep, lda, n);
    return n + 2;
  }
  const R up = scalbn(R(1), ex / 2), more = scalbn(R(1), ex - ex / 2);
  for (int i = threadIdx.x; i < n; i += 32 * WARPS) w[i] = m.d[i] * up * more;
  if (!vectors) return 0;
  if constexpr (ON_CHIP) {
    heev_copy<T, WARPS>(a, lda, S, ld, n, true);
    __syncthreads();
    heev_back<T, CHUNKS, WARPS>(Q, ld, n, S, ld, tau, a, lda);
  } else {
    heev_back<T, CHUNKS, WARPS>(Q, ld, n, a, lda, tau, S, ld);
    __syncthreads();
    heev_copy<T, WARPS>(S, ld, a, lda, n, false);
  }
  return 0;
}

template <class T, int CHUNKS, int WARPS, int BLOCKS, bool ON_CHIP>
__global__ void __launch_bounds__(32 * WARPS, BLOCKS)
    heev_kernel(batch_view<T> A, bool upper, bool vectors, real_t<T> *w, int *info, heev_place P, char *work)
{
  extern __shared__ __align__(16) char shared[];
  for (int k = blockIdx.x; k < A.members(); k += gridDim.x) {
    const int b = A.member(k);
    const int i =
        heev_one<T, CHUNKS, WARPS, ON_CHIP>(A.matrix(b), A.ld, A.order(b), upper, vectors,
                                            w + (int64_t)b * A.pitch, P, shared, work + blockIdx.x * P.block);
    if (threadIdx.x == 0) info[b] = i;
    __syncthreads();
  }
}

/* ---- the kernel for an order; with A NULL only the workspace is asked for */
template <class T>
struct heev_call {
  const batch_view<T> *A;
  int                  count;
  bool                 upper, vectors;
  real_t<T>           *w;
  int                 *info;
  char                *work;
  cudaStream_t         stream;
  size_t              *bytes;
};

static inline int heev_multiprocessors()
{
  int device = 0, sms = 0;
  if (cudaGetDevice(&device) != cudaSuccess ||
      cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device) != cudaSuccess)
    return 1;
  return sms;
}

template <class T, int CHUNKS, int WARPS, int BLOCKS, bool ON_CHIP>
static cudaError_t heev_with(const heev_call<T> &c)
{
  const heev_place P    = heev_layout<T, CHUNKS, WARPS, ON_CHIP>(32 * CHUNKS);
  const int        most = heev_multiprocessors() * BLOCKS, blocks = c.count < most ? c.count : most;
  const auto       kernel = heev_kernel<T, CHUNKS, WARPS, BLOCKS, ON_CHIP>;
  if (c.bytes) *c.bytes = P.block * (size_t)blocks;
  if (!c.A) return cudaSuccess;
  const heev_place  own = heev_layout<T, CHUNKS, WARPS, ON_CHIP>(c.A->n); /* no larger */
  const cudaError_t error =
      cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)own.shared);
  if (error != cudaSuccess) return error;
  kernel<<<blocks, 32 * WARPS, own.shared, c.stream>>>(*c.A, c.upper, c.vectors, c.w, c.info, own, c.work);
  return cudaSuccess;
}

template <class T>
static cudaError_t heev_choose(int n, const heev_call<T> &c)
{
  constexpr bool wide = sizeof(T) == 16, narrow = sizeof(T) == 4;
  if (n <= 64) return heev_with < T, 2, 4, wide ? 3 : 4, true > (c);
  if (n <= 128) return heev_with < T, 4, 8, narrow ? 2 : 1, !wide > (c);
  if (n <= 256) return heev_with < T, 8, narrow ? 16 : 8, 1, false > (c);
  return heev_with<T, 16, 8, 1, false>(c);
}

template <class T>
cudaError_t heev_tridiagonal(const batch_view<T> &A, bf_uplo uplo, bool vectors, real_t<T> *w, int *info,
                             void *work, cudaStream_t s)
{
  return heev_choose<T>(
      batch_edge(A.n), {&A, A.count, uplo == BF_UPPER, vectors, w, info, static_cast<char *>(work), s, NULL});
}

template <class T>
size_t heev_tridiagonal_work(int n, int count)
{
  size_t bytes = 0;
  heev_choose<T>(batch_edge(n), {NULL, count, false, false, NULL, NULL, NULL, NULL, &bytes});
  return bytes;
}
#endif
