/* kernels/cuda/dense/inverse/instantiate/getri_s.cu - inverse/getri.cuh for float: shapes by order, as
 * measured */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cuda/dense/inverse/inverse_via_lu.cuh"

namespace bf
{

template <>
struct getri_tuning<float> {
  template <class W, class S>
  static auto select(int n_bucket, W sweep, S left_looking)
  {
    if (n_bucket <= 48) return sweep(trsm_shape<float, 3, 1, 3, 1, 6>());
    if (n_bucket <= 64) return sweep(trsm_shape<float, 4, 1, 4, 1, 4>());
    if (n_bucket <= 96) return sweep(trsm_shape<float, 3, 2, 3, 2, 2>());
    if (n_bucket <= 128) return sweep(trsm_shape<float, 8, 1, 4, 2, 1>());
    if (n_bucket <= 160) return left_looking(getri_left_looking_shape<float, 5, 5, 3>());
    if (n_bucket <= 192) return left_looking(getri_left_looking_shape<float, 4, 4, 4>());
    if (n_bucket <= 256) return left_looking(getri_left_looking_shape<float, 4, 4, 3>());
    if (n_bucket <= 384) return left_looking(getri_left_looking_shape<float, 8, 4, 2>());
    return left_looking(getri_left_looking_shape<float, 8, 3, 2>());
  }
};

template size_t      getri_dispatch_work<float>(int, int);
template cudaError_t getri_dispatch(const batch_view<float> &, const int *, int *, void *, cudaStream_t);
template size_t      inverse_via_lu_work<float>(int, int);
template cudaError_t inverse_via_lu(const batch_view<float> &, int *, void *, cudaStream_t);

} // namespace bf
