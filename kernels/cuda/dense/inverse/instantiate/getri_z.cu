/* kernels/cuda/dense/inverse/instantiate/getri_z.cu - inverse/getri.cuh for cplx<double>: which shape for
 * which orders, as measured
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cuda/dense/inverse/inverse_via_lu.cuh"

namespace bf
{

template <>
struct getri_shapes<cplx<double>> {
  template <class W, class S>
  static auto by(int edge, W whole, S strips)
  {
    if (edge <= 48) return whole(tiled_shape<cplx<double>, 3, 1, 3, 1, 2>());
    if (edge <= 64) return whole(tiled_shape<cplx<double>, 4, 1, 1, 4, 1>());
    if (edge <= 96) return strips(left_shape<cplx<double>, 2, 2, 4>());
    if (edge <= 160) return strips(left_shape<cplx<double>, 4, 1, 3>());
    if (edge <= 192) return strips(left_shape<cplx<double>, 4, 2, 2>());
    if (edge <= 256) return strips(left_shape<cplx<double>, 4, 1, 3>());
    if (edge <= 384) return strips(left_shape<cplx<double>, 4, 1, 2>());
    return strips(left_shape<cplx<double>, 11, 1, 1>());
  }
};

template size_t      getri_mid_work<cplx<double>>(int, int);
template cudaError_t getri_mid(const batch_view<cplx<double>> &, const int *, int *, void *, cudaStream_t);
template size_t      inverse_lu_work<cplx<double>>(int, int);
template cudaError_t inverse_lu(const batch_view<cplx<double>> &, int *, void *, cudaStream_t);

} // namespace bf
