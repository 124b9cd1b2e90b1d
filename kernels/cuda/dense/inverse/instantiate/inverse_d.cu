/* kernels/cuda/dense/inverse/instantiate/inverse_d.cu - gauss_jordan.cuh for double: shapes by order, as
 * measured */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cuda/dense/inverse/gauss_jordan.cuh"

namespace bf
{

template <>
struct gj_tuning<double> {
  template <class F>
  static auto select(int n_bucket, F f)
  {
    if (n_bucket <= 96) return f(gj_shape<1, 4, 128, 3>());
    if (n_bucket <= 128) return f(gj_shape<1, 4, 192, 2>());
    return f(gj_shape<1, 8, 384, 1>());
  }
};

template size_t      inverse_dispatch_work<double>(int, int);
template cudaError_t inverse_dispatch(const batch_view<double> &, int *, void *, cudaStream_t);

} // namespace bf
