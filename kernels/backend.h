/* kernels/backend.h - the table of operations a backend implements, and nothing else of it
 *
 * Pointers are backend memory unless stated otherwise.  Work is queued in call order; results may be read
 * after copy(BF_TO_HOST) or sync.  Every sum has a fixed order: repeated runs are bit-identical (CPU:
 * whatever the number of threads).  A missing entry is BF_E_UNSUPPORTED naming it; nothing runs silently
 * elsewhere.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_BACKEND_H
#define BF_BACKEND_H
#include "base/err.h"
#include "kernels/ops/band.h"
#include "kernels/ops/batch.h"
#include "kernels/ops/convert.h"
#include "kernels/ops/element.h"
#include "kernels/ops/gfem.h"
#include "kernels/ops/krylov.h"
#include "kernels/ops/matrix.h"
#include "kernels/ops/precond.h"
#include "kernels/ops/vector.h"

struct bf_dense_ops; /* dense.h */
struct bf_mg_cycle_ops;
struct bf_mg_plane_ops;
struct bf_mg_aggregate_ops;

typedef enum { BF_TO_DEVICE, BF_TO_HOST, BF_WITHIN } bf_dir;

/* Fixed properties of the hardware of a backend; no value is measured. */
typedef struct bf_properties {
  char   name[128];  /* "NVIDIA H200"; model of the CPU */
  int    capability; /* compute capability 9.0: 90; CPU: 0 */
  int    threads;    /* resident on the whole device; CPU: of OpenMP */
  double bandwidth;  /* bytes/s, bus width times clock of the memory; 0: unknown, as on the CPU */
} bf_properties;

typedef struct bf_ops {
  const char *name;      /* "cpu", "cuda" */
  int         on_device; /* 1: backend memory cannot be read by the host */

  /* required */
  bf_err (*open)(bf_backend *be); /* BF_E_DEVICE where there is no usable device, with the reason */
  void (*close)(bf_backend *be);
  bf_err (*alloc)(bf_backend *be, size_t bytes,
                  void **p);                /* at least 256-byte aligned, not zeroed; 0 bytes is fine */
  void (*release)(bf_backend *be, void *p); /* NULL is fine */
  bf_err (*copy)(bf_backend *be, void *dst, const void *src, size_t bytes, bf_dir dir);
  bf_err (*zero)(bf_backend *be, void *p, size_t bytes);
  bf_err (*sync)(bf_backend *be);
  bf_err (*memory)(bf_backend *be, size_t *available, size_t *total); /* bytes */
  void (*describe)(bf_backend *be, char *text, size_t size);          /* "NVIDIA H200, 132 SM, ..." */
  void (*properties)(bf_backend *be, bf_properties *p);

  /* by object: the headers of ops/ */
  bf_vector_ops      vector;
  bf_matrix_ops      matrix;
  const bf_part_ops *part[BF_PARTS]; /* by bf_part_number */
  bf_convert_ops     convert;
  bf_precond_ops     precond;
  bf_element_ops     element;
  bf_gfem_ops        gfem;
  bf_batch_ops       batch;
  bf_band_ops        band;
  bf_krylov_ops      krylov;

  /* one large dense matrix (dense.h); NULL: built without the library that it needs */
  const struct bf_dense_ops *dense;

  /* multigrid (multigrid/ops.h, planes.h, aggregates.h): the cycle, coarsening by planes, by aggregates */
  const struct bf_mg_cycle_ops     *mg_cycle;
  const struct bf_mg_plane_ops     *mg_planes;
  const struct bf_mg_aggregate_ops *mg_aggregates;
} bf_ops;

struct bf_backend {
  bf_ops ops;
  void  *impl; /* owned by the table: stream, scratch */
};

int bf_backend_has_cuda(void); /* 1: this program was built with CUDA */

/* name: "cpu", "cuda" or "auto" (cuda if there is a usable device, else cpu; *why, a static or backend-owned
 * text, says which and why; why may be NULL).  BF_E_DEVICE where cuda was asked for and there is none, or was
 * not built in. */
bf_err bf_backend_create(const char *name, const char **why, bf_backend **out);
void   bf_backend_destroy(bf_backend **be);

/* BF_E_DEVICE naming the device where its compute capability, 10 major + minor, is below the least that the
 * kernels were built for. */
bf_err bf_device_capable(const char *device, int capability, int least);

bf_err bf_unsupported(const bf_backend *be, const char *op);
#define BF_OP(be, op, ...) ((be)->ops.op ? (be)->ops.op((be), __VA_ARGS__) : bf_unsupported((be), #op))
#endif
