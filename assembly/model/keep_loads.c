/* assembly/model/keep_loads.c - the external loads by node, for the reactions */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "assembly/model/internal.h"
#include "base/memory.h"

bf_err bf_model_keep_loads(bf_model *m, const bf_numbering *num, bf_backend *be, const double *b,
                           bf_phases *phases)
{
  bf_err       err = BF_OK;
  double      *h = NULL, since = bf_seconds();
  const size_t nc = (size_t)m->ncomp, n = (size_t)num->nrows * nc;
  if (!m->f_ext) BF_GO(BF_NEW_ARRAY(m->f_ext, (size_t)m->mesh->nnodes * nc));
  BF_GO(BF_NEW_ARRAY(h, n));
  BF_GO(be->ops.copy(be, h, b, n * sizeof *h, BF_TO_HOST));
  BF_GO(be->ops.sync(be));
#pragma omp parallel for schedule(static) if (m->mesh->nnodes > 8192)
  for (bf_int v = 0; v < m->mesh->nnodes; v++) {
    const bf_int r = num->row[v];
    for (size_t c = 0; c < nc; c++) m->f_ext[(size_t)v * nc + c] = r < 0 ? 0.0 : h[(size_t)r * nc + c];
  }
  BF_GO(bf_phase_end(be, phases, "assembly: loads kept", &since, (double)n * 8.0));
done:
  bf_host_free(h);
  return err;
}
