/* kernels/cuda/batch_inverse_s.cu - batch_inverse.cuh for float: which shape for which orders, as measured */
#include "kernels/cuda/batch_inverse.cuh"

template <class F>
static auto choose(int edge, F f)
{
  if (edge <= 96) return f(gj_shape<2, 1, 4, 128, 4>());
  if (edge <= 128) return f(gj_shape<1, 1, 4, 128, 4>());
  if (edge <= 160) return f(gj_shape<2, 1, 8, 256, 2>());
  if (edge <= 192) return f(gj_shape<1, 1, 8, 256, 2>());
  if (edge <= 256) return f(gj_shape<1, 1, 8, 512, 1>());
  return f(gj_shape<2, 1, 16, 512, 1>());
}

template <>
size_t inverse_mid_work<float>(int n, int count)
{
  if (batch_edge(n) <= inverse_front_most<float>) return 0;
  return gj_work_bytes<float>(n, count, [](int edge, auto f) { return choose(edge, f); });
}

template <>
cudaError_t inverse_mid(const batch_view<float> &A, int *info, void *work, cudaStream_t s)
{
  if (batch_edge(A.n) <= 64) return inverse_warp(A, info, s);
  if (batch_edge(A.n) <= inverse_front_most<float>) return inverse_front(A, info, s);
  return gj_run(A, info, work, s, [](int edge, auto f) { return choose(edge, f); });
}
