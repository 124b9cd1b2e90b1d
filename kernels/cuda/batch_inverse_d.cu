/* kernels/cuda/batch_inverse_d.cu - batch_inverse.cuh for double: which shape for which orders, as measured
 */
#include "kernels/cuda/batch_inverse.cuh"

template <class F>
static auto choose(int edge, F f)
{
  if (edge <= 96) return f(gj_shape<1, 1, 4, 128, 3>());
  if (edge <= 128) return f(gj_shape<1, 1, 4, 192, 2>());
  if (edge <= 192) return f(gj_shape<1, 1, 8, 384, 1>());
  if (edge <= 256) return f(gj_shape<2, 1, 8, 256, 1, 32>());
  return f(gj_shape<2, 2, 8, 256, 1>());
}

template <>
size_t inverse_mid_work<double>(int n, int count)
{
  if (batch_edge(n) <= inverse_front_most<double>) return 0;
  return gj_work_bytes<double>(n, count, [](int edge, auto f) { return choose(edge, f); });
}

template <>
cudaError_t inverse_mid(const batch_view<double> &A, int *info, void *work, cudaStream_t s)
{
  if (batch_edge(A.n) <= 64) return inverse_warp(A, info, s);
  if (batch_edge(A.n) <= inverse_front_most<double>) return inverse_front(A, info, s);
  return gj_run(A, info, work, s, [](int edge, auto f) { return choose(edge, f); });
}
