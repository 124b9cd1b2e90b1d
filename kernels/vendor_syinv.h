/* kernels/vendor_syinv.h - cuSOLVER's inverses of one symmetric matrix, for comparisons in one run; see
 * vendor.h
 *
 * Lower triangle, in place where the routine is; workspaces are made in advance.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_VENDOR_SYINV_H
#define BF_KERNELS_VENDOR_SYINV_H
#include "kernels/backend.h"
#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
  BF_PEER_POTRI,     /* cusolverDn?potrf, ?potri: lower triangle of the inverse */
  BF_PEER_GETRS,     /* cusolverDnXgetrf, Xgetrs with the identity: out of place */
  BF_PEER_SYTRI,     /* cusolverDn?sytrf, ?sytri: lower triangle of the inverse */
  BF_PEER_SYINVERSES /* their number */
} bf_peer_syinv_kind;

typedef struct bf_peer_syinv bf_peer_syinv; /* opaque */

/* a: device memory [n][n], full symmetric before every run, borrowed. */
bf_err      bf_peer_syinv_create(bf_backend *be, bf_peer_syinv_kind kind, bf_scalar type, bf_int n, void *a,
                                 bf_peer_syinv **out);
bf_err      bf_peer_syinv_run(void *p);
void        bf_peer_syinv_destroy(bf_peer_syinv **p);
const char *bf_peer_syinv_describe(const bf_peer_syinv *p);
void       *bf_peer_syinv_result(bf_peer_syinv *p); /* device [n][n]; the lower triangle is valid */
/* The first info that is not 0, of the factorisation or the following routine */
bf_err bf_peer_syinv_info(bf_peer_syinv *p, int *info);

#ifdef __cplusplus
}
#endif
#endif
