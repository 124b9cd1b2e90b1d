/* solvers/eigen/shift_invert.c - bf_shift_invert: the shift, its factors, Lanczos, and the eigenpairs
 *
 * The shift is 0 if K is regular. Else K - s M with s = -1e-9 of the typical value sum K/sum M is positive
 * definite, and close enough to 0 even for thin bodies. If the first value that is not 0 is much larger, the
 * run is repeated with the shift at minus that value: otherwise theta of the modes without energy is so much
 * larger that the others are lost in rounding.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "base/timer.h"
#include "kernels/matrix/statistics.h"
#include "solvers/eigen/lanczos.h"
#include "solvers/eigen/sturm.h"
#include <float.h>
#include <math.h>
#include <stdio.h>

static const double REGULAR =
    1e-12; /* condition numbers up to the reciprocal are those of a constrained body */
static const double NEARBY  = 1e-9;  /* of the typical value: the shift for an unconstrained body */
static const double DROWNED = 10.0;  /* first elastic value over |shift| above which the shift is moved */
static const double RITZ    = 1e-15; /* residual of theta */

enum { AGAIN = 4 }; /* runs after a count with missing values */

typedef struct inverse {
  bf_pencil   p;
  bf_sparse  *K, *M; /* owned */
  bf_factors *F;     /* owned: of K - shift M */
  double      shift;
  int         vanished; /* a row with mass is zero in K - shift M */
  bf_lanczos  L;
  int         seed; /* of random vectors, different in each run */
  int         want;
  bf_columns  X;           /* owned: `want` columns */
  double     *value, next; /* owned [want] */
} inverse;

static void clear(inverse *s)
{
  bf_lanczos_release(&s->L);
  bf_columns_release(&s->X);
  bf_factors_destroy(&s->F);
  bf_sparse_destroy(&s->K);
  bf_sparse_destroy(&s->M);
  bf_pencil_clear(&s->p);
  bf_host_free(s->value);
}

static int usable(const bf_factors *F)
{
  return F->met.info == 0 && F->met.rcond >= DBL_EPSILON * 1e-3;
}

/* A row with mass whose entries are all 0: the factorisation would treat it as an unused unknown. */
static int a_row_vanished(const bf_pencil *p, const bf_sparse *A)
{
  for (bf_int i = 0; i < A->nrows; i++) {
    int used = !p->has[i];
    for (int64_t k = A->ptr[i]; k < A->ptr[i + 1] && !used; k++) used = A->val[k] != 0.0;
    if (!used) return 1;
  }
  return 0;
}

static bf_err factor(inverse *s, double shift)
{
  bf_err     err = BF_OK;
  bf_sparse *A   = NULL;
  bf_factors_destroy(&s->F);
  s->shift = shift;
  if (shift == 0.0) return bf_factors_create(s->p.be, s->K, s->p.K->ncomp, &s->F);
  BF_GO(bf_sparse_add(1.0, s->K, -shift, s->M, &A));
  s->vanished = a_row_vanished(&s->p, A);
  BF_GO(bf_factors_create(s->p.be, A, s->p.K->ncomp, &s->F));
done:
  bf_sparse_destroy(&A);
  return err;
}

static bf_err choose_shift(inverse *s, const bf_eigen_options *opt)
{
  BF_TRY(factor(s, opt->shift));
  if (opt->shift == 0.0 && (s->F->tried || s->F->met.info > 0 || s->F->met.rcond < REGULAR))
    BF_TRY(factor(s, -NEARBY * s->p.typical));
  else if (s->F->met.info > 0 || s->vanished) /* the shift is an eigenvalue: moves it */
    BF_TRY(factor(s, opt->shift * (1.0 + 1e-7)));
  return BF_OK;
}

/* 1 if the first nonzero value is far above the shift and some values are 0. */
static int drowned(const inverse *s, const bf_eigen_options *opt, double *first)
{
  double least = INFINITY;
  if (opt->shift != 0.0 || s->shift == 0.0) return 0;
  for (int i = 0; i < s->want; i++) {
    const double v = 1.0 / s->L.theta[s->L.order[i]]; /* from the shift */
    if (v > DROWNED * -s->shift) least = fmin(least, v);
  }
  *first = least;
  return isfinite(least);
}

/* X, ascending values and the one after them, from the vectors of Lanczos: by Rayleigh-Ritz with K and M. */
static bf_err project(inverse *s, const bf_eigen_options *opt)
{
  bf_err     err = BF_OK;
  bf_pencil *p   = &s->p;
  bf_columns V = {0}, KV = {0}, MV = {0};
  bf_ritz    R = {0};
  bf_int     info;
  const int  n    = s->want;
  int        drop = n;
  BF_GO(bf_columns_create(p->be, p->n, p->guard, n, &V));
  BF_GO(bf_columns_create(p->be, p->n, 0, n, &KV));
  BF_GO(bf_columns_create(p->be, p->n, 0, n, &MV));
  BF_GO(bf_ritz_create(p->be, n, &R));
  BF_GO(bf_lanczos_vectors(&s->L, &V));
  BF_GO(bf_columns_product(p->K, &V, 0, n, &KV, 0));
  BF_GO(bf_columns_product(p->M, &V, 0, n, &MV, 0));
  p->products += n;
  BF_GO(bf_ritz_solve(&R, n, &V, &KV, &MV, s->value, &info));
  BF_NEED(info == 0, BF_E_INTERNAL, "vectors of Lanczos are not independent (%d)", (int)info);
  if (n > opt->pairs) /* one more was computed: the farthest from the shift is dropped */
    drop = fabs(s->value[0] - s->shift) > fabs(s->value[n - 1] - s->shift) ? 0 : n - 1;
  s->next = drop < n ? s->value[drop] : NAN;
  for (int i = 0, to = 0; i < n; i++) {
    if (i == drop) continue;
    BF_GO(BF_OP(p->be, vector.columns_combine, p->n, n, V.a, V.ld, 1,
                (const double *)R.A + (size_t)i * (size_t)n, 0.0, bf_column(&s->X, to), s->X.ld));
    s->value[to++] = s->value[i];
  }
done:
  bf_columns_release(&V);
  bf_columns_release(&KV);
  bf_columns_release(&MV);
  bf_ritz_release(&R);
  return err;
}

/* Lanczos from given vectors, repeated with another shift if the values above 0 were lost in rounding. */
static bf_err run(inverse *s, const bf_eigen_options *opt, int nstart, const double *begin,
                  bf_eigen_report *rep, double start)
{
  double first;
  bf_lanczos_release(&s->L);
  BF_TRY(bf_lanczos_create(&s->p, s->want, nstart, &s->L));
  s->L.seed = s->seed;
  BF_TRY(bf_lanczos_begin(&s->L, s->F, nstart, begin));
  BF_TRY(bf_lanczos_run(&s->L, RITZ, opt, start, &rep->reason));
  if (rep->reason != BF_EIGEN_NAN && drowned(s, opt, &first)) {
    rep->iterations += s->L.restarts;
    BF_TRY(factor(s, -first));
    BF_TRY(bf_lanczos_begin(&s->L, s->F, nstart, begin));
    BF_TRY(bf_lanczos_run(&s->L, RITZ, opt, start, &rep->reason));
  }
  s->seed = s->L.seed;
  rep->iterations += s->L.restarts;
  rep->solves += s->L.solves;
  rep->shift = s->shift;
  if (rep->reason == BF_EIGEN_NAN) return BF_OK;
  if (rep->reason == BF_EIGEN_CONVERGED)
    rep->reason = BF_EIGEN_STAGNATION; /* unless the residuals are smaller */
  return project(s, opt);
}

static void describe(const inverse *s, char how[200], const bf_eigen_report *rep)
{
  char more[32] = "";
  if (s->shift != 0.0) snprintf(more, sizeof more, " %c %.4g M", s->shift > 0.0 ? '-' : '+', fabs(s->shift));
  snprintf(how, 200, "Lanczos with %s of K%s, half-bandwidth %d, %.1f MiB, %lld solutions",
           s->F->B.spd ? "Cholesky" : "LU", more, (int)bf_factors_half(s->F),
           (double)bf_band_bytes(&s->F->B) / 0x1p20, (long long)rep->solves);
}

/* Another run from the vectors found and random ones, which contain the missing directions. */
static bf_err run_again(inverse *s, const bf_eigen_options *opt, bf_eigen_report *rep, double start)
{
  bf_err       err   = BF_OK;
  double      *begin = NULL;
  const size_t n     = (size_t)s->p.n;
  BF_GO(BF_NEW_ARRAY(begin, n * (size_t)opt->pairs));
  for (int i = 0; i < opt->pairs; i++)
    BF_GO(s->p.be->ops.copy(s->p.be, begin + (size_t)i * n, bf_column(&s->X, i), n * sizeof *begin,
                            BF_TO_HOST));
  BF_GO(factor(s, s->shift));
  BF_GO(run(s, opt, opt->pairs, begin, rep, start));
done:
  bf_host_free(begin);
  return err;
}

/* The pairs, with a count if possible: multiple values beyond the block size are found in the next run. */
static bf_err find(inverse *s, const bf_eigen_options *opt, char how[200], bf_eigen_report *rep, double start)
{
  int64_t missing = 0;
  BF_TRY(bf_columns_create(s->p.be, s->p.n, s->p.guard, s->want, &s->X));
  BF_TRY(BF_NEW_ARRAY(s->value, s->want));
  for (int i = 0; i <= AGAIN; i++) {
    if (i == 0)
      BF_TRY(run(s, opt, opt->nnear, opt->near_null, rep, start));
    else
      BF_TRY(run_again(s, opt, rep, start));
    describe(s, how, rep);
    if (rep->reason != BF_EIGEN_STAGNATION || opt->shift != 0.0) return BF_OK;
    bf_factors_destroy(&s->F); /* its memory is reused by the factors of the count */
    BF_TRY(bf_sturm_count(&s->p, s->K, s->M, s->value, s->next, rep, &missing));
    if (missing == 0) return BF_OK;
  }
  rep->missing = missing;
  return BF_OK;
}

static bf_err solve(inverse *s, const bf_eigen_options *opt, double *X, bf_eigen_report *rep)
{
  const double start    = bf_seconds();
  char         how[200] = "";
  BF_TRY(bf_pencil_check(&s->p, opt));
  BF_TRY(bf_eigen_report_create(opt->pairs, rep));
  s->want = opt->pairs < s->p.massive ? opt->pairs + 1 : opt->pairs;
  BF_TRY(choose_shift(s, opt));
  describe(s, how, rep);
  if (!usable(s->F))
    rep->reason = BF_EIGEN_SINGULAR;
  else
    BF_TRY(find(s, opt, how, rep, start));
  if (rep->reason != BF_EIGEN_SINGULAR && rep->reason != BF_EIGEN_NAN)
    BF_TRY(bf_eigen_finish(&s->p, opt, &s->X, s->value, s->next, X, rep));
  if (rep->missing != 0 && rep->reason == BF_EIGEN_CONVERGED) rep->reason = BF_EIGEN_MISSED;
  bf_eigen_explain(opt, how, rep);
  rep->seconds = bf_seconds() - start;
  return BF_OK;
}

int64_t bf_shift_invert_vectors(int pairs, int nnear)
{
  const int64_t want = (int64_t)pairs + 1; /* V, M V and the spare columns; X and its Rayleigh-Ritz step */
  return 3 * bf_lanczos_columns((int)want, nnear > pairs ? nnear : pairs) + 4 * want;
}

bf_err bf_shift_invert(const bf_matrix *K, const bf_matrix *M, const bf_eigen_options *opt, double *X,
                       bf_eigen_report *report)
{
  bf_err  err = BF_OK;
  inverse s   = {.K = NULL};
  BF_CHECK(K && M && opt && X && report, BF_E_ARG, "null argument");
  *report = (bf_eigen_report){0};
  BF_CHECK(!K->be->ops.on_device, BF_E_UNSUPPORTED,
           "method: shift_invert factors on the CPU, the matrices are on backend '%s'", K->be->ops.name);
  BF_GO(bf_pencil_create(K, M, &s.p));
  BF_GO(bf_matrix_to_sparse(K, &s.K));
  BF_GO(bf_matrix_to_sparse(M, &s.M));
  BF_GO(solve(&s, opt, X, report));
done:
  clear(&s);
  if (err != BF_OK) bf_eigen_report_clear(report);
  return err;
}

bf_err bf_shift_invert_sparse(const bf_sparse *K, const bf_sparse *M, int ncomp, const bf_eigen_options *opt,
                              double *X, bf_eigen_report *report)
{
  bf_err               err  = BF_OK;
  const bf_matrix_form form = {.format = BF_FORMAT_CSR, .ncomp = ncomp};
  bf_backend          *be   = NULL;
  bf_matrix           *A = NULL, *B = NULL;
  BF_CHECK(K && M && opt && X && report, BF_E_ARG, "null argument");
  *report = (bf_eigen_report){0};
  BF_GO(bf_backend_create("cpu", NULL, &be));
  BF_GO(bf_matrix_from_sparse(be, K, &form, &A));
  BF_GO(bf_matrix_from_sparse(be, M, &form, &B));
  BF_GO(bf_shift_invert(A, B, opt, X, report));
done:
  bf_matrix_destroy(&A);
  bf_matrix_destroy(&B);
  bf_backend_destroy(&be);
  return err;
}
