/* kernels/backend.h - the table of operations a backend implements, and nothing else of it
 *
 * Pointers are backend memory unless said otherwise.  Work is queued in call order; results may be read after
 * copy(BF_TO_HOST) or sync.  Every sum has a fixed order: repeated runs are bit-identical (CPU: whatever the
 * number of threads).  A missing entry is BF_E_UNSUPPORTED naming it; nothing runs silently elsewhere.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_BACKEND_H
#define BF_BACKEND_H
#include "base/err.h"
#include "kernels/band.h"
#include "kernels/batch.h"
#include "kernels/elements.h"
#include "kernels/krylov/state.h"

struct bf_bdia;
struct bf_csr;
struct bf_matrix;
typedef struct bf_cg_work       bf_cg_work; /* krylov/steps.h */
typedef struct bf_bicgstab_work bf_bicgstab_work;
struct bf_csr_arrays;
struct bf_coo_arrays;
struct bf_ell;
struct bf_coo;
struct bf_rest;
struct bf_blocks; /* block_jacobi.h */
struct bf_block_map;
struct bf_block_kept;
struct bf_dense_ops; /* dense.h */

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

  /* vectors (n scalar entries) */
  bf_err (*axpby)(bf_backend *be, bf_int n, double a, const double *x, double b,
                  double *y);                                                           /* y = a x + b y */
  bf_err (*dot)(bf_backend *be, bf_int n, const double *x, const double *y, double *s); /* s[0] = x.y */
  bf_err (*reciprocal)(bf_backend *be, bf_int n, const double *d,
                       double *r); /* r = 1/d, 1 where d = 0 or not finite */
  /* fixed rows: b = diag*g; free rows: b -= Ag.  fixed[n]; g, Ag = A times (g on fixed rows, 0 elsewhere) */
  bf_err (*constrain_rhs)(bf_backend *be, bf_int n, const uint8_t *fixed, const double *diag, const double *g,
                          const double *Ag, double *b);
  bf_err (*demote)(bf_backend *be, int64_t n, const double *x, float *y); /* y = (float)x */
  bf_err (*triad)(bf_backend *be, int64_t n, double a, const double *x, const double *y,
                  double *z); /* z = x + a y */

  /* blocks of columns (multivector.h), ld apart, n entries each; G and C small, column by column
   * columns_dot       G[j*k + i] = X_i . Y_j,  i < k, j < l;  X may be Y
   * columns_combine   Y_j = beta Y_j + sum_i C[j*k + i] X_i;  beta 0: Y is not read; Y overlaps nothing
   * columns_scale     Y_j = d X_j entry by entry, j < k;  Y may be X */
  bf_err (*columns_dot)(bf_backend *be, bf_int n, int k, const double *X, int64_t ldx, int l, const double *Y,
                        int64_t ldy, double *G);
  bf_err (*columns_combine)(bf_backend *be, bf_int n, int k, const double *X, int64_t ldx, int l,
                            const double *C, double beta, double *Y, int64_t ldy);
  bf_err (*columns_scale)(bf_backend *be, bf_int n, int k, const double *d, const double *X, int64_t ldx,
                          double *Y, int64_t ldy);

  /* matrices: the structures of matrix/matrix.h; y = A x with w.y and y.y in dot[0..1] where w is given */
  /* node rows of a tile, 8, 16 or 32, and whether its components lie apart; NULL: a segment is a tile */
  int (*bdia_tile)(const struct bf_bdia *A, int *by_component);
  bf_err (*bdia_spmv)(bf_backend *be, const struct bf_bdia *A, const double *x, double *y, const double *w,
                      double *dot);
  bf_err (*csr_spmv)(bf_backend *be, const struct bf_csr *A, const double *x, double *y, const double *w,
                     double *dot);
  /* y = A^T x, full storage only: the same diagonals with their index shifted, nothing is copied */
  bf_err (*bdia_spmv_t)(bf_backend *be, const struct bf_bdia *A, const double *x, double *y);
  bf_err (*ell_spmv)(bf_backend *be, const struct bf_ell *A, const double *x, double *y, const double *w,
                     double *dot);
  /* y = A x, or y += A x with `add`; the dots are of the new y */
  bf_err (*coo_spmv)(bf_backend *be, const struct bf_coo *A, int add, const double *x, double *y,
                     const double *w, double *dot);
  /* y += A x on the listed rows; the dots are of the whole new y */
  bf_err (*rest_spmv)(bf_backend *be, const struct bf_rest *A, const double *x, double *y, const double *w,
                      double *dot);
  bf_err (*bdia_diagonal)(bf_backend *be, const struct bf_bdia *A, double *d);
  bf_err (*csr_diagonal)(bf_backend *be, const struct bf_csr *A, double *d);
  bf_err (*ell_diagonal)(bf_backend *be, const struct bf_ell *A, double *d);
  bf_err (*coo_diagonal)(bf_backend *be, const struct bf_coo *A,
                         double *d); /* sets those that are there, the others stay */
  bf_err (*bdia_constrain)(bf_backend *be, struct bf_bdia *A, const uint8_t *fixed);
  bf_err (*csr_constrain)(bf_backend *be, struct bf_csr *A, const uint8_t *fixed);
  bf_err (*ell_constrain)(bf_backend *be, struct bf_ell *A, const uint8_t *fixed);
  bf_err (*coo_constrain)(bf_backend *be, struct bf_coo *A, const uint8_t *fixed);
  bf_err (*rest_constrain)(bf_backend *be, struct bf_rest *A, const uint8_t *fixed);
  /* entries of diagonal blocks, to where the map says */
  bf_err (*bdia_blocks)(bf_backend *be, const struct bf_bdia *A, const struct bf_block_map *map);
  bf_err (*csr_blocks)(bf_backend *be, const struct bf_csr *A, const struct bf_block_map *map);
  bf_err (*ell_blocks)(bf_backend *be, const struct bf_ell *A, const struct bf_block_map *map);
  bf_err (*coo_blocks)(bf_backend *be, const struct bf_coo *A, const struct bf_block_map *map);
  bf_err (*rest_blocks)(bf_backend *be, const struct bf_rest *A, const struct bf_block_map *map);
  /* blocks_measure  norm and diagonal of the blocks a[count][stride]
   * blocks_store    values and scale of B from their inverses, or from the diagonal where info is not 0 or
   *                 the condition is out of range, which makes info -2
   * blocks_apply    z = M^-1 r, M^-T r; dot may be NULL */
  bf_err (*blocks_measure)(bf_backend *be, const struct bf_blocks *B, const double *a,
                           const struct bf_block_kept *kept);
  bf_err (*blocks_store)(bf_backend *be, const struct bf_blocks *B, const double *a,
                         const struct bf_block_kept *kept, bf_int *info);
  bf_err (*blocks_apply)(bf_backend *be, const struct bf_blocks *B, int transposed, const double *r,
                         double *z, double *dot);
  /* scalar pattern from a node pattern: A->ptr[n*D+1] and A->col[] or A->rel[] from nptr[n+1], nadj[] */
  bf_err (*csr_expand)(bf_backend *be, bf_int n, int D, const int64_t *nptr, const bf_int *nadj,
                       struct bf_csr *A);

  /* transposes: see transpose.h; no argument is empty */
  bf_err (*dense_transpose)(bf_backend *be, bf_int nrows, bf_int ncols, const double *a, double *t);
  bf_err (*csr_transpose)(bf_backend *be, const struct bf_csr_arrays *A, struct bf_csr_arrays *T);
  bf_err (*coo_sort)(bf_backend *be, const struct bf_coo_arrays *A, struct bf_coo_arrays *B);
  bf_err (*coo_to_csr)(bf_backend *be, const struct bf_coo_arrays *A, struct bf_csr_arrays *B);

  /* elements e0 .. e1-1 of a batch; Ke[e1-e0][nd][nd], fe[e1-e0][nd] */
  bf_err (*element_matrix)(bf_backend *be, const bf_element_batch *E, bf_int e0, bf_int e1, double *Ke);
  bf_err (*element_source)(bf_backend *be, const bf_element_batch *E, bf_int e0, bf_int e1,
                           const bf_element_source *f, double *fe);
  /* fe = Ke u_e, without forming Ke; u by scalar row.  Not of elements with modes: see schur_force */
  bf_err (*element_force)(bf_backend *be, const bf_element_batch *E, bf_int e0, bf_int e1, const double *u,
                          double *fe);
  /* fe = sum_q c_q B^T s(e,q), c_q = scale factor w det J: forces of a given stress; s holds nv values a
   * point */
  bf_err (*element_stress)(bf_backend *be, const bf_element_batch *E, bf_int e0, bf_int e1,
                           const bf_element_source *s, double *fe);
  /* schur        S, g and inverses of condensed elements (elements.h)
   * schur_force  fe[ne][nb] = S u_e without S: K (u_e, -Kii^-1 Kib u_e); conn[ne][nb/ncomp], u by scalar row
   */
  bf_err (*schur)(bf_backend *be, const bf_schur *C);
  bf_err (*schur_force)(bf_backend *be, const bf_schur *C, const bf_int *conn, int ncomp, const double *u,
                        double *fe);
  /* element_lump    d[ne][nen] from M[ne][nen][nen];  element_pencil  K = d^-1/2 K d^-1/2 (elements.h) */
  bf_err (*element_lump)(bf_backend *be, bf_int ne, int nen, const double *M, double *d);
  bf_err (*element_pencil)(bf_backend *be, bf_int ne, int nen, int ncomp, const double *d, double *K);
  /* For each row the places where it occurs in conn[ne][nen]: item[ptr[r] .. ptr[r+1]) = e*nen + a,
   * ascending. ptr[nrows+1], item[ne*nen]; ne*nen < 2^31. */
  bf_err (*incidence)(bf_backend *be, bf_int ne, int nen, const bf_int *conn, bf_int nrows, bf_int *ptr,
                      bf_int *item);
  /* A += element matrices, each row by one owner that walks its incidences in order: deterministic, no
   * atomics. Half storage takes the entries with column node >= row node.  Every (row, column) must be in the
   * pattern: BF_E_ARG otherwise, found at the latest by the next sync.  With R (NULL: none) what no band has
   * goes there; beside half storage also the transposed entry. */
  bf_err (*bdia_scatter)(bf_backend *be, struct bf_bdia *A, struct bf_rest *R, const bf_int *ptr,
                         const bf_int *item, int nen, const bf_int *conn, const double *Ke);
  bf_err (*csr_scatter)(bf_backend *be, struct bf_csr *A, int D, const bf_int *ptr, const bf_int *item,
                        int nen, const bf_int *conn, const double *Ke);
  /* b[nrows*D] += element vectors */
  bf_err (*vector_scatter)(bf_backend *be, bf_int nrows, int D, const bf_int *ptr, const bf_int *item,
                           int nen, const double *fe, double *b);

  /* batches of dense matrices: batch.h says what each does and has checked the arguments; count > 0 */
  bf_err (*batch_work)(bf_backend *be, bf_batch_op op, const bf_batch *A, size_t *bytes);
  bf_err (*getrf_batch)(bf_backend *be, const bf_batch *A, bf_int *ipiv, bf_int *info, void *work);
  bf_err (*getrs_batch)(bf_backend *be, bf_trans trans, const bf_batch *A, const bf_int *ipiv,
                        const bf_batch_rhs *B, bf_int *info, void *work);
  bf_err (*getri_batch)(bf_backend *be, const bf_batch *A, const bf_int *ipiv, bf_int *info, void *work);
  bf_err (*inverse_batch)(bf_backend *be, const bf_batch *A, bf_int *info, void *work);
  bf_err (*potrf_batch)(bf_backend *be, bf_uplo uplo, const bf_batch *A, bf_int *info, void *work);
  bf_err (*potrs_batch)(bf_backend *be, bf_uplo uplo, const bf_batch *A, const bf_batch_rhs *B, bf_int *info,
                        void *work);
  bf_err (*posv_batch)(bf_backend *be, bf_uplo uplo, const bf_batch *A, const bf_batch_rhs *B, bf_int *info,
                       void *work);
  bf_err (*gemv_batch)(bf_backend *be, bf_trans trans, double alpha, const bf_batch *A,
                       const bf_batch_vector *x, double beta, const bf_batch_vector *y);
  bf_err (*symv_batch)(bf_backend *be, bf_uplo uplo, double alpha, const bf_batch *A,
                       const bf_batch_vector *x, double beta, const bf_batch_vector *y);
  bf_err (*heev_batch)(bf_backend *be, const bf_heev_how *how, const bf_batch *A, void *w, bf_int *info,
                       void *work);
  bf_err (*hegv_batch)(bf_backend *be, const bf_heev_how *how, const bf_batch *A, const bf_batch *B, void *w,
                       bf_int *info, void *work);

  /* one large dense matrix (dense.h); NULL: built without the library that it needs */
  const struct bf_dense_ops *dense;

  /* band matrices (band.h), in place; the report is host memory
   * band_factor    L L^T or P A = L U, with what it met; a pivot of 0 is no error but report->info
   * band_solve     x[n] = A^-1 x with the factors
   * band_inertia   counts negative eigenvalues of a matrix in symmetric storage, which is used up */
  bf_err (*band_factor)(bf_backend *be, bf_band *B, bf_band_report *report);
  bf_err (*band_solve)(bf_backend *be, const bf_band *B, double *x);
  bf_err (*band_inertia)(bf_backend *be, bf_band *B, bf_band_inertia *out);

  /* Krylov steps on a state in backend memory: see krylov/state.h; history[BF_KRYLOV_SAMPLES], dinv may be
   * NULL. cg_begin      rr = r.r, rz = r.(dinv r), p = dinv r, bf_krylov_begin cg_move       a =
   * bf_krylov_alpha; x += a p, r -= a q, rr, rz, bf_krylov_end; p = dinv r + beta p */
  bf_err (*cg_begin)(bf_backend *be, bf_int n, const double *r, const double *dinv, double *p,
                     bf_krylov_state *st, bf_krylov_sample *history);
  bf_err (*cg_move)(bf_backend *be, bf_int n, double *x, double *r, double *p, const double *q,
                    const double *dinv, bf_krylov_state *st, bf_krylov_sample *history);
  /* with z = M^-1 r by an operation between the steps, which leaves r.z in state->rz:
   * cg_open       rr = r.r, bf_krylov_begin
   * cg_update     a = bf_krylov_alpha; x += a p, r -= a q, rr = r.r
   * cg_direction  bf_krylov_end; p = z + beta p */
  bf_err (*cg_open)(bf_backend *be, bf_int n, const double *r, bf_krylov_state *st,
                    bf_krylov_sample *history);
  bf_err (*cg_update)(bf_backend *be, bf_int n, double *x, double *r, const double *p, const double *q,
                      bf_krylov_state *st);
  bf_err (*cg_direction)(bf_backend *be, bf_int n, const double *z, double *p, bf_krylov_state *st,
                         bf_krylov_sample *history);
  /* bicg_begin      p = dinv r, pt = dinv rt, rr = r.r, rho = rt.(dinv r), bf_krylov_begin
   * bicg_update     a = bf_krylov_alpha; x += a p, r -= a q, rt -= a qt, rr = r.r, rz = rt.(dinv r),
   *                 bf_krylov_end
   * bicg_direction  p = dinv r + beta p, pt = dinv rt + beta pt */
  bf_err (*bicg_begin)(bf_backend *be, bf_int n, const double *r, const double *dinv, const double *rt,
                       double *p, double *pt, bf_krylov_state *st, bf_krylov_sample *history);
  bf_err (*bicg_update)(bf_backend *be, bf_int n, double *x, double *r, double *rt, const double *p,
                        const double *q, const double *qt, const double *dinv, bf_krylov_state *st,
                        bf_krylov_sample *history);
  bf_err (*bicg_direction)(bf_backend *be, bf_int n, const double *r, const double *rt, const double *dinv,
                           double *p, double *pt, const bf_krylov_state *st);
  /* bicgstab_begin      r0 = r, p = r, ph = dinv p, rr = r.r, bf_bicgstab_begin
   * bicgstab_middle     a = bf_bicgstab_alpha; r -= a v, rh = dinv r, ss = r.r, bf_bicgstab_middle
   * bicgstab_move       o = bf_bicgstab_omega; x += alpha ph + o rh, r -= o t, rr, r0.r, bf_bicgstab_end;
   *                     p = r + beta (p - omega v), ph = dinv p
   * dinv NULL: ph and rh are not written by these; the caller has made them by an operation of its own, or
   * passes p and r in their place to spmv and here. */
  bf_err (*bicgstab_begin)(bf_backend *be, bf_int n, const double *r, const double *dinv, double *r0,
                           double *p, double *ph, bf_krylov_state *st, bf_krylov_sample *history);
  bf_err (*bicgstab_middle)(bf_backend *be, bf_int n, double *r, const double *v, const double *dinv,
                            double *rh, bf_krylov_state *st);
  bf_err (*bicgstab_move)(bf_backend *be, bf_int n, double *x, double *r, double *p, double *ph,
                          const double *r0, const double *rh, const double *v, const double *t,
                          const double *dinv, bf_krylov_state *st, bf_krylov_sample *history);

  /* optional: up to `count` whole iterations on this matrix in fewer kernels; *done = how many of them were
   * queued, 0 where the steps above are the way */
  bf_err (*cg_steps)(bf_backend *be, const struct bf_matrix *A, const bf_cg_work *w, int count, int *done);
  bf_err (*bicgstab_steps)(bf_backend *be, const struct bf_matrix *A, const bf_bicgstab_work *w, int count,
                           int *done);
  /* with it bicgstab_steps wants y0 (krylov/steps.h) for matrices in bDIA: bf_bicgstab_look with y0.ph */
  bf_err (*bicgstab_look)(bf_backend *be, bf_int n, const double *y0, const double *ph, bf_krylov_state *st);
} bf_ops;

struct bf_backend {
  bf_ops ops;
  void  *impl; /* owned by the table: stream, scratch */
};

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
