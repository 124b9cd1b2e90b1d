/* app/solve/choose_format.c - in which order and format a matrix from outside is solved
 *
 * Orders: that of the file, and reverse Cuthill-McKee of the symmetrised pattern.  Formats with bands are
 * counted in every order, the others in the one of the smaller half-bandwidth, which is the better for the
 * caches.  Chosen is the least expected time of a product (kernels/matrix/cost_model.c); COO, ELL and HYB are
 * there to compare and for those who ask for them.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "app/job.h"
#include "app/solve/mtx.h"
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
  BF_GO(bf_sparse_graph(job->S, job->opt.components, &g));
  BF_GO(bf_mtx_order_nodes(g, job->opt.components, rcm->order));
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

const char *bf_mtx_why(bf_why_not why)
{
  return why == BF_TOO_FAR               ? "a column is too far from its row"
         : why == BF_UNSYMMETRIC_PATTERN ? "the pattern is not symmetric"
         : why == BF_UNSYMMETRIC         ? "the matrix is not symmetric"
                                         : "too many diagonals";
}

/* Why there is no symmetric storage. */
static bf_why_not no_half(const bf_mtx_job *job)
{
  if (!bf_statistics_symmetric(&job->statistics)) return BF_UNSYMMETRIC;
  return job->statistics.unpaired ? BF_UNSYMMETRIC_PATTERN : BF_FITS;
}

typedef struct layout { /* of one numbering; its graph is borrowed */
  bf_graph  g;
  bf_layout L;
} layout;

static void layout_of(const bf_mtx_job *job, int k, layout *out)
{
  const bf_sparse *S = job->numbering[k].S;
  const bf_bands  *b = job->numbering[k].bands;
  out->g             = (bf_graph){.n = S->nrows, .ptr = S->ptr, .adj = S->col};
  out->L             = (bf_layout){
                  .nrows = S->nrows, .ncomp = 1, .nnz = S->nnz, .reach = bf_bands_reach(b), .bands = b, .graph = &out->g};
}

/* Both storages of a format in numbering k; full alone where it has no other. */
static bf_err add(bf_mtx_job *job, const bf_layout *L, int k, bf_format format)
{
  const bf_prec values = (bf_prec)job->opt.prec;
  for (int half = 0; half <= bf_format_of(format)->half; half++) {
    const bf_why_not why = half ? no_half(job) : BF_FITS;
    if (format == BF_FORMAT_HYBRID) /* fp32 values are rounded in place of those in fp64 */
      BF_TRY(bf_plan_add_split(&job->candidates, L, k, half, 8, values, why, &job->rates));
    else
      BF_TRY(bf_plan_add(&job->candidates, L, k, format, half, values, why, &job->rates));
  }
  return BF_OK;
}

/* Formats of rows: first those that auto takes, the narrower before the wider. */
static bf_err by_rows(bf_mtx_job *job, int k)
{
  layout l;
  layout_of(job, k, &l);
  for (int f = BF_FORMATS - 1; f >= 0; f--)
    if (bf_plan_considers((bf_format)f, l.L.ncomp)) BF_TRY(add(job, &l.L, k, (bf_format)f));
  for (int f = 0; f < BF_FORMATS; f++) {
    if (bf_format_of((bf_format)f)->bands || bf_plan_considers((bf_format)f, l.L.ncomp)) continue;
    if (!bf_format_of((bf_format)f)->automatic || f == job->opt.format)
      BF_TRY(add(job, &l.L, k, (bf_format)f));
  }
  return BF_OK;
}

/* ---- choice ---- */

static bf_format_request request_of(const bf_mtx_job *job)
{
  const int nodes =
      job->opt.components > 1 && job->opt.format == BF_MTX_AUTO; /* rows of nodes stay together */
  return (bf_format_request){.format  = nodes ? BF_FORMAT_CSR : job->opt.format,
                             .storage = (bf_storage_request)job->opt.storage,
                             .layout  = job->opt.order};
}

/* Nothing that is allowed is possible. */
static bf_err refuse(bf_mtx_job *job)
{
  const bf_format_request request = request_of(job);
  const char             *why     = NULL;
  for (int i = 0; i < job->candidates.count && !why; i++)
    if (bf_plan_allows(&job->candidates, &request, &job->candidates.item[i]))
      why = bf_mtx_why(job->candidates.item[i].why_not);
  const int symmetric = job->opt.storage == BF_REQUEST_HALF;
  bf_diag_add(&job->diags, BF_ERROR, 226, (bf_where){.file = job->opt.path}, "--format %s%s: %s",
              job->opt.format == BF_MTX_AUTO ? "auto" : bf_format_word((bf_format)job->opt.format),
              symmetric ? " --storage symmetric" : "", why ? why : "this format has no symmetric storage");
  return BF_FAIL(BF_E_MODEL, "no format fits");
}

bf_err bf_mtx_plan(bf_mtx_job *job)
{
  static const bf_format banded[] = {BF_FORMAT_BDIA, BF_FORMAT_DIA, BF_FORMAT_HYBRID};
  const int              direct   = job->opt.method == BF_METHOD_DIRECT;
  layout                 l;
  BF_TRY(number(job));
  const double t0 = bf_seconds();
  bf_rates_of_word(direct ? "cpu" : job->opt.backend ? job->opt.backend : "auto", &job->rates);
  job->candidates.count = 0;
  for (int k = 0; k < job->nnumberings; k++) {
    if (job->opt.order != BF_MTX_AUTO && k != job->opt.order) continue;
    layout_of(job, k, &l);
    for (int f = 0; f < 3; f++) BF_TRY(add(job, &l.L, k, banded[f]));
  }
  BF_TRY(by_rows(job, narrowest(job)));
  const bf_format_request request = request_of(job);
  job->chosen                     = bf_plan_choose(&job->candidates, &request);
  bf_phase_add(&job->phases, "formats: count", bf_seconds() - t0, 0.0, 0.0);
  return job->chosen < 0 ? refuse(job) : BF_OK;
}
