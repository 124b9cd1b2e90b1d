/* app/solve/choose_format.c - in which order and format a matrix from outside is solved
 *
 * Orders: that of the file, and reverse Cuthill-McKee of the symmetrised pattern.  Formats with bands are
 * counted in every order, the others in the one of the smaller half-bandwidth, which is the better for the
 * caches.  Chosen is the least expected time of a product (format_cost_model.c); COO, ELL and HYB are there
 * to compare and for those who ask for them.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "app/job.h"
#include "app/solve/mtx.h"
#include "base/bands_split.h"
#include "base/memory.h"

/* ---- numberings ---- */

static bf_err number(bf_mtx_job *job)
{
  bf_err            err = BF_OK;
  bf_graph         *g   = NULL;
  bf_mtx_numbering *rcm = &job->numbering[1];
  const double      t0  = bf_seconds();
  job->numbering[0]     = (bf_mtx_numbering){.name = "file", .S = job->S};
  job->nnumberings      = 1;
  BF_GO(bf_sparse_bands(job->S, &job->numbering[0].bands));
  job->nnumberings = 2;
  *rcm             = (bf_mtx_numbering){.name = "rcm"};
  BF_GO(BF_NEW_ARRAY(rcm->order, job->S->nrows));
  BF_GO(bf_sparse_graph(job->S, 1, &g));
  BF_GO(bf_graph_rcm(g, rcm->order));
  BF_GO(bf_sparse_permute(job->S, rcm->order, &rcm->S));
  BF_GO(bf_sparse_bands(rcm->S, &rcm->bands));
  bf_phase_add(&job->phases, "numbering", bf_seconds() - t0, 0.0, 0.0);
done:
  bf_graph_destroy(&g);
  return err;
}

/* The order of the smaller half-bandwidth among those the options allow. */
static int narrowest(const bf_mtx_job *job)
{
  if (job->opt.order != BF_MTX_AUTO) return job->opt.order;
  return bf_bands_reach(job->numbering[1].bands) < bf_bands_reach(job->numbering[0].bands);
}

/* ---- candidates ---- */

static bf_mtx_candidate *add(bf_mtx_job *job, bf_format format, int half, int numbering)
{
  bf_mtx_candidate *c = &job->candidate[job->ncandidates++];
  *c                  = (bf_mtx_candidate){.format = format, .half = half, .numbering = numbering};
  if (half && job->survey.unpaired) c->why_not = "the pattern is not symmetric";
  if (half && !bf_survey_symmetric(&job->survey)) c->why_not = "the matrix is not symmetric";
  return c;
}

/* Memory of both precisions where the iterations have rounded values; b, rest: bands and remainder, or NULL.
 */
static void count(const bf_mtx_job *job, bf_mtx_candidate *c, const bf_bands *b, const bf_graph *rest,
                  int64_t fp64, int64_t fp32, int64_t product)
{
  c->bytes   = job->opt.prec == BF_FP32 ? fp64 + fp32 : fp64;
  c->product = product;
  c->seconds = bf_plan_seconds(c->format, c->half, product, b, rest, job->S->nrows,
                               (double)job->S->nnz / (double)job->S->nrows, 1, &job->rates);
}

static void banded(bf_mtx_job *job, int k)
{
  const bf_bands *b    = job->numbering[k].bands;
  const bf_prec   prec = (bf_prec)job->opt.prec;
  for (int half = 0; half < 2; half++) {
    bf_mtx_candidate *c = add(job, BF_FORMAT_BDIA, half, k);
    if (!c->why_not)
      count(job, c, b, NULL, bf_bdia_bytes(b, 1, half, BF_FP64), bf_bdia_bytes(b, 1, half, BF_FP32),
            bf_bdia_product_bytes(b, 1, half, prec));
  }
  count(job, add(job, BF_FORMAT_DIA, 0, k), b, NULL, bf_bdia_bytes(b, 1, 0, BF_FP64),
        bf_bdia_bytes(b, 1, 0, BF_FP32), bf_bdia_product_bytes(b, 1, 0, prec));
}

/* Rows of the remainder that have entries. */
static bf_int rows_of(const bf_graph *rest)
{
  bf_int n = 0;
  for (bf_int i = 0; i < rest->n; i++) n += rest->ptr[i + 1] > rest->ptr[i];
  return n;
}

static bf_err split(bf_mtx_job *job, int k)
{
  bf_err           err  = BF_OK;
  const bf_sparse *S    = job->numbering[k].S;
  bf_graph        *rest = NULL;
  bf_bands        *b    = NULL;
  const bf_graph   g    = {.n = S->nrows, .ptr = S->ptr, .adj = S->col}; /* borrowed */
  const bf_prec    prec = (bf_prec)job->opt.prec;
  for (int half = 0; half < 2; half++) {
    bf_mtx_candidate *c = add(job, BF_FORMAT_HYBRID, half, k);
    if (c->why_not) continue;
    const bf_split_want want = {1, half, 8, 1}; /* fp32 values are rounded in place of those in fp64 */
    BF_GO(bf_bands_split(&g, &want, &b, &rest));
    const int64_t m = rest->ptr[rest->n];
    const bf_int  r = rows_of(rest);
    count(job, c, b, rest, bf_bdia_bytes(b, 1, half, BF_FP64) + bf_rest_bytes(m, r, BF_FP64),
          bf_bdia_bytes(b, 1, half, BF_FP32) + bf_rest_bytes(m, r, BF_FP32),
          bf_bdia_product_bytes(b, 1, half, prec) + bf_rest_product_bytes(m, r, prec));
    bf_bands_destroy(&b);
    bf_graph_destroy(&rest);
  }
done:
  bf_bands_destroy(&b);
  bf_graph_destroy(&rest);
  return err;
}

static bf_err by_rows(bf_mtx_job *job, int k)
{
  const bf_sparse  *S    = job->numbering[k].S;
  const bf_prec     prec = (bf_prec)job->opt.prec;
  const bf_int      n    = S->nrows;
  bf_widths         w;
  bf_mtx_candidate *narrow = add(job, BF_FORMAT_CSR16, 0, k);
  count(job, narrow, NULL, NULL, bf_csr16_bytes(S->nnz, n, BF_FP64), bf_csr16_bytes(S->nnz, n, BF_FP32),
        bf_csr16_product_bytes(S->nnz, n, prec));
  if (bf_bands_reach(job->numbering[k].bands) > INT16_MAX - BF_CSR16_ROWS)
    narrow->why_not = "a column is too far from its row";
  count(job, add(job, BF_FORMAT_CSR, 0, k), NULL, NULL, bf_csr_bytes(S->nnz, n, BF_FP64),
        bf_csr_bytes(S->nnz, n, BF_FP32), bf_csr_product_bytes(S->nnz, n, prec));
  BF_TRY(bf_widths_count(n, S->ptr, 1, prec, &w));
  count(job, add(job, BF_FORMAT_ELL, 0, k), NULL, NULL, bf_ell_bytes(w.longest, n, BF_FP64),
        bf_ell_bytes(w.longest, n, BF_FP32), bf_ell_product_bytes(w.longest, n, prec));
  count(job, add(job, BF_FORMAT_HYB, 0, k), NULL, NULL,
        bf_ell_bytes(w.usual, n, BF_FP64) + bf_coo_bytes(w.beyond, BF_FP64),
        bf_ell_bytes(w.usual, n, BF_FP32) + bf_coo_bytes(w.beyond, BF_FP32),
        bf_ell_product_bytes(w.usual, n, prec) + bf_coo_bytes(w.beyond, prec));
  count(job, add(job, BF_FORMAT_COO, 0, k), NULL, NULL, bf_coo_bytes(S->nnz, BF_FP64),
        bf_coo_bytes(S->nnz, BF_FP32), bf_coo_product_bytes(S->nnz, n, prec));
  return BF_OK;
}

/* ---- choice ---- */

/* auto leaves out formats that are no better than another by design. */
static int allowed(const bf_mtx_job *job, const bf_mtx_candidate *c)
{
  const bf_mtx_options *o     = &job->opt;
  const int             plain = c->format == BF_FORMAT_BDIA || c->format == BF_FORMAT_HYBRID ||
                    c->format == BF_FORMAT_CSR || c->format == BF_FORMAT_CSR16;
  if (o->order != BF_MTX_AUTO && c->numbering != o->order) return 0;
  if (o->storage != BF_MTX_AUTO && c->half != o->storage) return 0;
  return o->format == BF_MTX_AUTO ? plain : (int)c->format == o->format;
}

/* Nothing that is allowed is possible. */
static bf_err refuse(bf_mtx_job *job)
{
  const char *why = NULL;
  for (int i = 0; i < job->ncandidates && !why; i++)
    if (allowed(job, &job->candidate[i])) why = job->candidate[i].why_not;
  const int symmetric = job->opt.storage == 1;
  bf_diag_add(&job->diags, BF_ERROR, 226, (bf_where){.file = job->opt.path}, "--format %s%s: %s",
              job->opt.format == BF_MTX_AUTO ? "auto" : bf_format_word((bf_format)job->opt.format),
              symmetric ? " --storage symmetric" : "", why ? why : "this format has no symmetric storage");
  return BF_FAIL(BF_E_MODEL, "no format fits");
}

bf_err bf_mtx_plan(bf_mtx_job *job)
{
  const int direct = job->opt.method == BF_METHOD_DIRECT;
  BF_TRY(number(job));
  const double t0 = bf_seconds();
  bf_rates_of_word(direct ? "cpu" : job->opt.backend ? job->opt.backend : "auto", &job->rates);
  job->ncandidates = 0;
  for (int k = 0; k < job->nnumberings; k++) {
    if (job->opt.order != BF_MTX_AUTO && k != job->opt.order) continue;
    banded(job, k);
    BF_TRY(split(job, k));
  }
  BF_TRY(by_rows(job, narrowest(job)));
  job->chosen = -1;
  for (int i = 0; i < job->ncandidates; i++) {
    const bf_mtx_candidate *c = &job->candidate[i];
    if (c->why_not || !allowed(job, c)) continue;
    if (job->chosen < 0 || c->seconds < job->candidate[job->chosen].seconds) job->chosen = i;
  }
  bf_phase_add(&job->phases, "formats: count", bf_seconds() - t0, 0.0, 0.0);
  return job->chosen < 0 ? refuse(job) : BF_OK;
}
