/* kernels/cuda/dense/inverse/instantiate/getri_d.cu - inverse/getri.cuh for double: which shape for which
 * orders, as measured */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cuda/dense/inverse/inverse_via_lu.cuh"

namespace bf
{

template <>
struct getri_shapes<double> {
  template <class W, class S>
  static auto by(int edge, W whole, S strips)
  {
    if (edge <= 48) return whole(tiled_shape<double, 3, 1, 3, 1, 5>());
    if (edge <= 64) return whole(tiled_shape<double, 4, 1, 4, 1, 4>());
    if (edge <= 96) return whole(tiled_shape<double, 6, 1, 3, 2, 1>());
    if (edge <= 128) return whole(tiled_shape<double, 4, 2, 2, 4, 1>());
    if (edge <= 160) return strips(left_shape<double, 5, 3, 3>());
    if (edge <= 192) return strips(left_shape<double, 4, 3, 3>());
    if (edge <= 256) return strips(left_shape<double, 4, 2, 3>());
    if (edge <= 384) return strips(left_shape<double, 6, 2, 2>());
    return strips(left_shape<double, 12, 3, 1>());
  }
};

template size_t      getri_mid_work<double>(int, int);
template cudaError_t getri_mid(const batch_view<double> &, const int *, int *, void *, cudaStream_t);
template size_t      inverse_lu_work<double>(int, int);
template cudaError_t inverse_lu(const batch_view<double> &, int *, void *, cudaStream_t);

} // namespace bf
