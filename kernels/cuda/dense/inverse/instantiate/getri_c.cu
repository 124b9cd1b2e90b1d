/* kernels/cuda/dense/inverse/instantiate/getri_c.cu - inverse/getri.cuh for cplx<float>: which shape for
 * which orders, as measured
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cuda/dense/inverse/inverse_via_lu.cuh"

namespace bf
{

template <>
struct getri_shapes<cplx<float>> {
  template <class W, class S>
  static auto by(int edge, W whole, S strips)
  {
    if (edge <= 48) return whole(tiled_shape<cplx<float>, 3, 1, 3, 1, 4>());
    if (edge <= 64) return whole(tiled_shape<cplx<float>, 4, 1, 4, 1, 2>());
    if (edge <= 96) return whole(tiled_shape<cplx<float>, 6, 1, 3, 2, 1>());
    if (edge <= 128) return whole(tiled_shape<cplx<float>, 8, 1, 4, 2, 1>());
    if (edge <= 192) return strips(left_shape<cplx<float>, 4, 2, 4>());
    if (edge <= 256) return strips(left_shape<cplx<float>, 4, 2, 3>());
    if (edge <= 384) return strips(left_shape<cplx<float>, 6, 2, 2>());
    return strips(left_shape<cplx<float>, 12, 3, 1>());
  }
};

template size_t      getri_mid_work<cplx<float>>(int, int);
template cudaError_t getri_mid(const batch_view<cplx<float>> &, const int *, int *, void *, cudaStream_t);
template size_t      inverse_lu_work<cplx<float>>(int, int);
template cudaError_t inverse_lu(const batch_view<cplx<float>> &, int *, void *, cudaStream_t);

} // namespace bf
