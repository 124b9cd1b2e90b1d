/* kernels/cuda/dense/inverse/instantiate/inverse_z.cu - gauss_jordan.cuh for cplx<double>: shapes by
 * order, as measured */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cuda/dense/inverse/gauss_jordan.cuh"

namespace bf
{

template <>
struct gj_tuning<cplx<double>> {
  template <class F>
  static auto select(int n_bucket, F f)
  {
    if (n_bucket <= 96) return f(gj_shape<1, 4, 160, 2>());
    if (n_bucket <= 128) return f(gj_shape<1, 4, 256, 1>());
    return f(gj_shape<1, 8, 320, 1>());
  }
};

template size_t      inverse_dispatch_work<cplx<double>>(int, int);
template cudaError_t inverse_dispatch(const batch_view<cplx<double>> &, int *, void *, cudaStream_t);

} // namespace bf
