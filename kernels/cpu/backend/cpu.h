/* kernels/cpu/backend/cpu.h - common parts of the CPU backend: chunks, scratch, names of the operations
 *
 * Sums over vectors are divided into chunks of BF_CPU_CHUNK entries; a chunk is summed by one thread, and
 * the partial sums are added in the order of the chunks. So no result depends on the number of threads.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_CPU_BACKEND_CPU_H
#define BF_KERNELS_CPU_BACKEND_CPU_H
#include "kernels/backend.h"
#include "kernels/matrix/matrix.h"

enum {
  BF_CPU_CHUNK = 4096,  /* entries of a partial sum */
  BF_CPU_SMALL = 16384, /* below this many entries a loop runs on one thread */
  BF_CPU_SUMS  = 2      /* largest number of sums of one kernel */
};

static inline int64_t bf_cpu_chunks(int64_t n)
{
  return (n + BF_CPU_CHUNK - 1) / BF_CPU_CHUNK;
}

/* Scratch of the backend for `count` doubles, until the next call. */
bf_err bf_cpu_scratch(bf_backend *be, int64_t count, double **p);

/* x.y over n entries, four running sums: fixed order, hides the adder's latency */
static inline double bf_cpu_dot(int64_t n, const double *x, const double *y)
{
  double  s0 = 0.0, s1 = 0.0, s2 = 0.0, s3 = 0.0;
  int64_t i = 0;
  for (; i + 4 <= n; i += 4) {
    s0 += x[i] * y[i];
    s1 += x[i + 1] * y[i + 1];
    s2 += x[i + 2] * y[i + 2];
    s3 += x[i + 3] * y[i + 3];
  }
  for (; i < n; i++) s0 += x[i] * y[i];
  return (s0 + s1) + (s2 + s3);
}

/* sum[k] = part[0][k] + part[1][k] + ... in this order, for k < nsums; part[n][nsums] */
static inline void bf_cpu_add_up(int64_t n, int nsums, const double *part, double *sum)
{
  for (int k = 0; k < nsums; k++) sum[k] = 0.0;
  for (int64_t c = 0; c < n; c++)
    for (int k = 0; k < nsums; k++) sum[k] += part[c * nsums + k];
}

/* dot[0] = w.y, dot[1] = y.y, for products whose rows are not completed in one pass */
bf_err bf_cpu_dots(bf_backend *be, bf_int n, const double *w, const double *y, double *dot);

/* Entry p of stored values, and its assignment to zero */
static inline double bf_cpu_value(const void *val, bf_prec prec, int64_t p)
{
  return prec == BF_FP32 ? (double)((const float *)val)[p] : ((const double *)val)[p];
}
static inline void bf_cpu_clear(void *val, bf_prec prec, int64_t p)
{
  if (prec == BF_FP32)
    ((float *)val)[p] = 0.0F;
  else
    ((double *)val)[p] = 0.0;
}

bf_err bf_cpu_axpby(bf_backend *be, bf_int n, double a, const double *x, double b, double *y);
bf_err bf_cpu_dot_op(bf_backend *be, bf_int n, const double *x, const double *y, double *s);
bf_err bf_cpu_reciprocal(bf_backend *be, bf_int n, const double *d, double *r);
bf_err bf_cpu_constrain_rhs(bf_backend *be, bf_int n, const uint8_t *fixed, const double *diag,
                            const double *g, const double *Ag, double *b);
bf_err bf_cpu_demote(bf_backend *be, int64_t n, const double *x, float *y);
bf_err bf_cpu_triad(bf_backend *be, int64_t n, double a, const double *x, const double *y, double *z);

bf_err bf_cpu_columns_dot(bf_backend *be, bf_int n, int k, const double *X, int64_t ldx, int l,
                          const double *Y, int64_t ldy, double *G);
bf_err bf_cpu_columns_combine(bf_backend *be, bf_int n, int k, const double *X, int64_t ldx, int l,
                              const double *C, double beta, double *Y, int64_t ldy);
bf_err bf_cpu_columns_scale(bf_backend *be, bf_int n, int k, const double *d, const double *X, int64_t ldx,
                            double *Y, int64_t ldy);

/* Operations of the parts; sparse/part_tables.c collects them. */
bf_part_spmv bf_cpu_bdia_spmv, bf_cpu_csr_spmv, bf_cpu_ell_spmv, bf_cpu_coo_spmv, bf_cpu_coo_spmv_add,
    bf_cpu_rest_spmv_add;
bf_part_spmv_t    bf_cpu_bdia_spmv_t;
bf_part_diagonal  bf_cpu_bdia_diagonal, bf_cpu_csr_diagonal, bf_cpu_ell_diagonal, bf_cpu_coo_diagonal;
bf_part_constrain bf_cpu_bdia_constrain, bf_cpu_csr_constrain, bf_cpu_ell_constrain, bf_cpu_coo_constrain,
    bf_cpu_rest_constrain;
bf_part_blocks bf_cpu_bdia_blocks, bf_cpu_csr_blocks, bf_cpu_ell_blocks, bf_cpu_coo_blocks,
    bf_cpu_rest_blocks;
bf_part_scatter bf_cpu_bdia_scatter, bf_cpu_csr_scatter;

#define BF_CPU_PART(part) extern const bf_part_ops bf_cpu_##part##_part;
BF_PART_LIST(BF_CPU_PART)
#undef BF_CPU_PART

bf_err bf_cpu_csr_expand(bf_backend *be, bf_int n, int D, const int64_t *nptr, const bf_int *nadj, bf_csr *A);

bf_err bf_cpu_blocks_measure(bf_backend *be, const struct bf_blocks *B, const double *a,
                             const struct bf_block_kept *kept);
bf_err bf_cpu_blocks_store(bf_backend *be, const struct bf_blocks *B, const double *a,
                           const struct bf_block_kept *kept, bf_int *info);
bf_err bf_cpu_blocks_apply(bf_backend *be, const struct bf_blocks *B, int transposed, const double *r,
                           double *z, double *dot);

bf_err bf_cpu_dense_transpose(bf_backend *be, bf_int nrows, bf_int ncols, const double *a, double *t);
bf_err bf_cpu_csr_transpose(bf_backend *be, const struct bf_csr_arrays *A, struct bf_csr_arrays *T);
bf_err bf_cpu_coo_sort(bf_backend *be, const struct bf_coo_arrays *A, struct bf_coo_arrays *B);
bf_err bf_cpu_coo_to_csr(bf_backend *be, const struct bf_coo_arrays *A, struct bf_csr_arrays *B);

bf_err bf_cpu_element_matrix(bf_backend *be, const bf_element_batch *E, bf_int e0, bf_int e1, double *Ke);
bf_err bf_cpu_element_source(bf_backend *be, const bf_element_batch *E, bf_int e0, bf_int e1,
                             const bf_element_source *f, double *fe);
bf_err bf_cpu_element_force(bf_backend *be, const bf_element_batch *E, bf_int e0, bf_int e1, const double *u,
                            double *fe);
bf_err bf_cpu_element_stress(bf_backend *be, const bf_element_batch *E, bf_int e0, bf_int e1,
                             const bf_element_source *s, double *fe);
bf_err bf_cpu_schur(bf_backend *be, const bf_schur *C);
bf_err bf_cpu_gfem_support(bf_backend *be, const bf_gfem_fits *F, const bf_gfem_batch *B, bf_int *conn);
bf_err bf_cpu_gfem_matrix(bf_backend *be, const bf_gfem_fits *F, const bf_gfem_batch *B, const bf_int *conn,
                          double *Ke);
bf_err bf_cpu_gfem_source(bf_backend *be, const bf_gfem_fits *F, const bf_gfem_batch *B, const bf_int *conn,
                          const bf_element_source *f, double *fe);
bf_err bf_cpu_element_lump(bf_backend *be, bf_int ne, int nen, const double *M, double *d);
bf_err bf_cpu_element_pencil(bf_backend *be, bf_int ne, int nen, int ncomp, const double *d, double *K);
bf_err bf_cpu_element_rotate(bf_backend *be, bf_int ne, int nen, const bf_node_frames *F, const bf_int *conn,
                             double *Ke);
bf_err bf_cpu_schur_force(bf_backend *be, const bf_schur *C, const bf_int *conn, int ncomp, const double *u,
                          double *fe);
bf_err bf_cpu_incidence(bf_backend *be, bf_int ne, int nen, const bf_int *conn, bf_int nrows, bf_int *ptr,
                        bf_int *item);
bf_err bf_cpu_vector_scatter(bf_backend *be, bf_int nrows, int D, const bf_int *ptr, const bf_int *item,
                             int nen, const double *fe, double *b);

bf_err bf_cpu_batch_work(bf_backend *be, bf_batch_op op, const bf_batch *A, size_t *bytes);
bf_err bf_cpu_getrf_batch(bf_backend *be, const bf_batch *A, bf_int *ipiv, bf_int *info, void *work);
bf_err bf_cpu_getrs_batch(bf_backend *be, bf_trans trans, const bf_batch *A, const bf_int *ipiv,
                          const bf_batch_rhs *B, bf_int *info, void *work);
bf_err bf_cpu_getri_batch(bf_backend *be, const bf_batch *A, const bf_int *ipiv, bf_int *info, void *work);
bf_err bf_cpu_inverse_batch(bf_backend *be, const bf_batch *A, bf_int *info, void *work);
bf_err bf_cpu_potrf_batch(bf_backend *be, bf_uplo uplo, const bf_batch *A, bf_int *info, void *work);
bf_err bf_cpu_potrs_batch(bf_backend *be, bf_uplo uplo, const bf_batch *A, const bf_batch_rhs *B,
                          bf_int *info, void *work);
bf_err bf_cpu_posv_batch(bf_backend *be, bf_uplo uplo, const bf_batch *A, const bf_batch_rhs *B, bf_int *info,
                         void *work);
bf_err bf_cpu_gemv_batch(bf_backend *be, bf_trans trans, double alpha, const bf_batch *A,
                         const bf_batch_vector *x, double beta, const bf_batch_vector *y);
bf_err bf_cpu_symv_batch(bf_backend *be, bf_uplo uplo, double alpha, const bf_batch *A,
                         const bf_batch_vector *x, double beta, const bf_batch_vector *y);
bf_err bf_cpu_heev_batch(bf_backend *be, const bf_heev_how *how, const bf_batch *A, void *w, bf_int *info,
                         void *work);
bf_err bf_cpu_hegv_batch(bf_backend *be, const bf_heev_how *how, const bf_batch *A, const bf_batch *B,
                         void *w, bf_int *info, void *work);

/* band_lapack.c: sets the threads of LAPACK and BLAS for a band; `end` takes the value that `begin`
 * returned. */
int    bf_cpu_band_threads(const bf_band *B);
void   bf_cpu_band_threads_end(int before);
bf_err bf_cpu_band_factor(bf_backend *be, bf_band *B, bf_band_report *report);
bf_err bf_cpu_band_solve(bf_backend *be, const bf_band *B, double *x);
bf_err bf_cpu_band_inertia(bf_backend *be, bf_band *B, bf_band_inertia *out);

bf_err bf_cpu_cg_begin(bf_backend *be, bf_int n, const double *r, const double *dinv, double *p,
                       bf_krylov_state *st, bf_krylov_sample *history);
bf_err bf_cpu_cg_move(bf_backend *be, bf_int n, double *x, double *r, double *p, const double *q,
                      const double *dinv, bf_krylov_state *st, bf_krylov_sample *history);
bf_err bf_cpu_cg_open(bf_backend *be, bf_int n, const double *r, bf_krylov_state *st,
                      bf_krylov_sample *history);
bf_err bf_cpu_cg_update(bf_backend *be, bf_int n, double *x, double *r, const double *p, const double *q,
                        bf_krylov_state *st);
bf_err bf_cpu_cg_direction(bf_backend *be, bf_int n, const double *z, double *p, bf_krylov_state *st,
                           bf_krylov_sample *history);
bf_err bf_cpu_bicg_begin(bf_backend *be, bf_int n, const double *r, const double *dinv, const double *rt,
                         double *p, double *pt, bf_krylov_state *st, bf_krylov_sample *history);
bf_err bf_cpu_bicg_update(bf_backend *be, bf_int n, double *x, double *r, double *rt, const double *p,
                          const double *q, const double *qt, const double *dinv, bf_krylov_state *st,
                          bf_krylov_sample *history);
bf_err bf_cpu_bicg_direction(bf_backend *be, bf_int n, const double *r, const double *rt, const double *dinv,
                             double *p, double *pt, const bf_krylov_state *st);
bf_err bf_cpu_bicgstab_begin(bf_backend *be, bf_int n, const double *r, const double *dinv, double *r0,
                             double *p, double *ph, bf_krylov_state *st, bf_krylov_sample *history);
bf_err bf_cpu_bicgstab_middle(bf_backend *be, bf_int n, double *r, const double *v, const double *dinv,
                              double *rh, bf_krylov_state *st);
bf_err bf_cpu_bicgstab_move(bf_backend *be, bf_int n, double *x, double *r, double *p, double *ph,
                            const double *r0, const double *rh, const double *v, const double *t,
                            const double *dinv, bf_krylov_state *st, bf_krylov_sample *history);
#endif
