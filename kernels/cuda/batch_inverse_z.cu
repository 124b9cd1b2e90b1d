/* kernels/cuda/batch_inverse_z.cu - batch_inverse.cuh for cplx<double>: which shape for which orders, as
 * measured */
#include "kernels/cuda/batch_inverse.cuh"

template <class F>
static auto choose(int edge, F f)
{
  if (edge <= 96) return f(gj_shape<1, 1, 4, 128, 2>());
  if (edge <= 128) return f(gj_shape<1, 1, 4, 256, 1>());
  if (edge <= 160) return f(gj_shape<2, 1, 8, 256, 1>());
  if (edge <= 256) return f(gj_shape<2, 1, 8, 256, 1, 0>());
  if (edge <= 384) return f(gj_shape<2, 2, 8, 256, 1>());
  return f(gj_shape<1, 2, 8, 256, 1>());
}

template <>
size_t inverse_mid_work<cplx<double>>(int n, int count)
{
  if (batch_edge(n) <= inverse_front_most<cplx<double>>) return 0;
  return gj_work_bytes<cplx<double>>(n, count, [](int edge, auto f) { return choose(edge, f); });
}

template <>
cudaError_t inverse_mid(const batch_view<cplx<double>> &A, int *info, void *work, cudaStream_t s)
{
  if (batch_edge(A.n) <= 64) return inverse_warp(A, info, s);
  if (batch_edge(A.n) <= inverse_front_most<cplx<double>>) return inverse_front(A, info, s);
  return gj_run(A, info, work, s, [](int edge, auto f) { return choose(edge, f); });
}
