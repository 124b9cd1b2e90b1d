/* kernels/cuda/dense/inverse/instantiate/getri_z.cu - inverse/getri.cuh for cplx<double>: shapes by
 * order, as measured */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cuda/dense/inverse/inverse_via_lu.cuh"

namespace bf
{

template <>
struct getri_tuning<cplx<double>> {
  template <class W, class S>
  static auto select(int n_bucket, W sweep, S left_looking)
  {
    if (n_bucket <= 48) return sweep(trsm_shape<cplx<double>, 3, 1, 3, 1, 2>());
    if (n_bucket <= 64) return sweep(trsm_shape<cplx<double>, 4, 1, 1, 4, 1>());
    if (n_bucket <= 96) return left_looking(getri_left_looking_shape<cplx<double>, 2, 2, 4>());
    if (n_bucket <= 160) return left_looking(getri_left_looking_shape<cplx<double>, 4, 1, 3>());
    if (n_bucket <= 192) return left_looking(getri_left_looking_shape<cplx<double>, 4, 2, 2>());
    if (n_bucket <= 256) return left_looking(getri_left_looking_shape<cplx<double>, 4, 1, 3>());
    if (n_bucket <= 384) return left_looking(getri_left_looking_shape<cplx<double>, 4, 1, 2>());
    return left_looking(getri_left_looking_shape<cplx<double>, 11, 1, 1>());
  }
};

template size_t      getri_dispatch_work<cplx<double>>(int, int);
template cudaError_t getri_dispatch(const batch_view<cplx<double>> &, const int *, int *, void *,
                                    cudaStream_t);
template size_t      inverse_via_lu_work<cplx<double>>(int, int);
template cudaError_t inverse_via_lu(const batch_view<cplx<double>> &, int *, void *, cudaStream_t);

} // namespace bf
