/* kernels/cuda/dense/inverse/instantiate/getri_s.cu - inverse/getri.cuh for float: which shape for which
 * orders, as measured */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cuda/dense/inverse/inverse_via_lu.cuh"

namespace bf
{

template <>
struct getri_shapes<float> {
  template <class W, class S>
  static auto by(int edge, W whole, S strips)
  {
    if (edge <= 48) return whole(tiled_shape<float, 3, 1, 3, 1, 6>());
    if (edge <= 64) return whole(tiled_shape<float, 4, 1, 4, 1, 4>());
    if (edge <= 96) return whole(tiled_shape<float, 3, 2, 3, 2, 2>());
    if (edge <= 128) return whole(tiled_shape<float, 8, 1, 4, 2, 1>());
    if (edge <= 160) return strips(left_shape<float, 5, 5, 3>());
    if (edge <= 192) return strips(left_shape<float, 4, 4, 4>());
    if (edge <= 256) return strips(left_shape<float, 4, 4, 3>());
    if (edge <= 384) return strips(left_shape<float, 8, 4, 2>());
    return strips(left_shape<float, 8, 3, 2>());
  }
};

template size_t      getri_mid_work<float>(int, int);
template cudaError_t getri_mid(const batch_view<float> &, const int *, int *, void *, cudaStream_t);
template size_t      inverse_lu_work<float>(int, int);
template cudaError_t inverse_lu(const batch_view<float> &, int *, void *, cudaStream_t);

} // namespace bf
