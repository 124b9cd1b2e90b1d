/* kernels/cuda/dense/inverse/instantiate/inverse_c.cu - gauss_jordan.cuh for cplx<float>: shapes by
 * order, as measured */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cuda/dense/inverse/gauss_jordan.cuh"

namespace bf
{

template <>
struct gj_tuning<cplx<float>> {
  template <class F>
  static auto select(int n_bucket, F f)
  {
    if (n_bucket <= 96) return f(gj_shape<1, 4, 128, 4>());
    if (n_bucket <= 128) return f(gj_shape<1, 4, 256, 2>());
    if (n_bucket <= 160) return f(gj_shape<1, 8, 256, 2>());
    return f(gj_shape<1, 8, 512, 1, 64>());
  }
};

template size_t      inverse_dispatch_work<cplx<float>>(int, int);
template cudaError_t inverse_dispatch(const batch_view<cplx<float>> &, int *, void *, cudaStream_t);

} // namespace bf
