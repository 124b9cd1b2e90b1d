/* assembly/model/bloch.c - see bloch.h: pairs of sides from the deck, and conditions that are invalid with
 * them */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "assembly/model/bloch.h"
#include "assembly/model/internal.h"
#include "base/memory.h"
#include <string.h>

/* The one condition of this type of a dispersion, or NULL; E306. */
static const bf_boundary *find(const bf_model *m, bf_diags *diags)
{
  const bf_problem  *p     = m->problem;
  const bf_boundary *found = NULL;
  const int          waves = p->analysis == BF_DISPERSION;
  for (int i = 0; i < p->nboundaries; i++) {
    const bf_boundary *bc = &p->boundary[i];
    if (bc->type != BF_BC_BLOCH) continue;
    if (!waves)
      bf_diag_add(diags, BF_ERROR, 306, bc->where, "bloch belongs to analysis dispersion");
    else if (found)
      bf_diag_add(diags, BF_ERROR, 306, bc->where, "one condition of type bloch lists all pairs of sides");
    else
      found = bc;
  }
  if (waves && !found)
    bf_diag_add(diags, BF_ERROR, 306, p->analysis_where,
                "dispersion needs a boundary of type bloch with the pairs of periodic sides");
  return found;
}

static bf_err match(bf_model *m, const bf_boundary *bc, bf_diags *diags)
{
  bf_err        err    = BF_OK;
  bf_face_pair *pair   = NULL;
  const int     before = diags->errors, n = bc->ngroups / 2;
  BF_GO(BF_NEW_ARRAY(pair, n));
  for (int i = 0; i < n; i++) {
    const bf_name *name = &bc->group[2 * i];
    pair[i]             = (bf_face_pair){
                    .first  = bf_model_group(m, &name[0], m->sdim - 1, m->sdim - 1, "boundary 'bloch'", diags),
                    .second = bf_model_group(m, &name[1], m->sdim - 1, m->sdim - 1, "boundary 'bloch'", diags),
                    .where  = name[0].where};
  }
  if (diags->errors > before) goto done;
  err = bf_periodic_create(m->mesh, m->used, &m->lattice, pair, n, bc->tolerance, diags, &m->periodic);
  if (err == BF_E_MODEL) err = BF_OK; /* already reported */
done:
  bf_host_free(pair);
  return err;
}

/* E306: an unknown prescribed on one side and not on its partner, or a whole side prescribed. */
static void check_held(const bf_model *m, const bf_boundary *bc, bf_diags *diags)
{
  const bf_periodic *p     = m->periodic;
  const size_t       nc    = (size_t)m->ncomp;
  bf_int             first = -1, by = -1, free_ones = 0, odd = 0;
  for (bf_int v = 0; v < p->nnodes; v++) {
    if (!p->paired[v]) continue;
    int nfixed = 0;
    for (size_t c = 0; c < nc; c++) {
      const size_t i = (size_t)v * nc + c, j = (size_t)p->master[v] * nc + c;
      nfixed += m->fixed[i];
      if (m->fixed[i] == m->fixed[j]) continue;
      odd++;
      if (first >= 0) continue;
      first = m->fixed[i] ? v : p->master[v];
      by    = m->fixed_by[m->fixed[i] ? i : j];
    }
    free_ones += nfixed < (int)nc;
  }
  if (odd) {
    const double *x = m->mesh->x + 3 * (size_t)first;
    bf_diag_add(diags, BF_ERROR, 306, by >= 0 ? m->problem->boundary[by].where : bc->where,
                "'%s' prescribes node %lld (%g, %g, %g) of a periodic side but not its partner on the "
                "opposite side (%d such values in total)",
                by >= 0 ? bf_bc_name(m->problem->boundary[by].type) : "a condition",
                (long long)m->mesh->node_tag[first], x[0], x[1], x[2], (int)odd);
  } else if (free_ones == 0)
    bf_diag_add(diags, BF_ERROR, 306, bc->where,
                "all periodic nodes are also constrained by another boundary condition");
}

bf_err bf_model_resolve_bloch(bf_model *m, bf_diags *diags)
{
  const bf_problem  *p  = m->problem;
  const bf_boundary *bc = find(m, diags);
  double             b[3][3];
  if (!bc) return BF_OK;
  m->lattice.n = p->nlattice;
  memcpy(m->lattice.a, p->lattice, sizeof p->lattice);
  if (bf_lattice_reciprocal(&m->lattice, b) != BF_OK) {
    bf_diag_add(diags, BF_ERROR, 211, p->lattice_where, "%s", bf_err_message());
    return BF_OK;
  }
  BF_TRY(match(m, bc, diags));
  if (m->periodic) check_held(m, bc, diags);
  return BF_OK;
}

const bf_periodic *bf_model_periodic(const bf_model *m)
{
  return m->periodic;
}

const bf_lattice *bf_model_lattice(const bf_model *m)
{
  return m->periodic ? &m->lattice : NULL;
}

/* Numbers of the masters' free unknowns, in the order of the rows. */
static bf_err number(const bf_model *m, const bf_numbering *num, bf_cell_rows *rows, bf_int *unknown)
{
  const bf_periodic *p  = m->periodic;
  const size_t       nc = (size_t)m->ncomp;
  for (bf_int r = 0; r < num->nrows; r++) {
    const bf_int v = num->node[r];
    for (size_t c = 0; v >= 0 && c < nc; c++) {
      const size_t i = (size_t)v * nc + c;
      unknown[i]     = p->master[v] == v && !m->fixed[i] ? rows->n++ : -1;
    }
  }
  BF_CHECK(rows->n > 0, BF_E_MODEL, "every unknown of the cell is prescribed");
  return BF_OK;
}

bf_err bf_model_bloch_rows(const bf_model *m, const bf_numbering *num, bf_cell_rows *rows)
{
  bf_err             err     = BF_OK;
  bf_int            *unknown = NULL; /* by mesh unknown */
  const size_t       nc      = (size_t)m->ncomp;
  const bf_periodic *p       = m->periodic;
  BF_CHECK(p && num && rows && num->nnodes == p->nnodes, BF_E_ARG,
           "the model has no periodic sides, or the mesh is another");
  *rows = (bf_cell_rows){.nrows = num->nrows * m->ncomp};
  BF_GO(BF_NEW_ARRAY(unknown, (size_t)p->nnodes * nc));
  BF_GO(BF_NEW_ARRAY(rows->unknown, rows->nrows));
  BF_GO(BF_NEW_ARRAY(rows->shift, 3 * (size_t)rows->nrows));
  BF_GO(BF_NEW_ARRAY(rows->paired, rows->nrows));
  BF_GO(number(m, num, rows, unknown));
  for (bf_int r = 0; r < num->nrows; r++) {
    const bf_int v = num->node[r];
    for (size_t c = 0; c < nc; c++) {
      const size_t i   = (size_t)r * nc + c;
      rows->unknown[i] = v < 0 ? -1 : unknown[(size_t)p->master[v] * nc + c];
      rows->paired[i]  = v >= 0 && p->paired[v];
      for (size_t d = 0; d < 3; d++) rows->shift[3 * i + d] = v < 0 ? 0 : p->shift[v][d];
    }
  }
done:
  bf_host_free(unknown);
  if (err != BF_OK) bf_cell_rows_clear(rows);
  return err;
}

void bf_model_bloch_shape(const bf_model *m, const bf_numbering *num, const bf_view *view, const double *u,
                          double *re, double *im)
{
  const size_t nc = (size_t)m->ncomp, width = nc == 1 ? 1 : 3;
  for (bf_int i = 0; i < view->npoints; i++) {
    const bf_int r = num->row[view->node[i]];
    for (size_t c = 0; c < width; c++) {
      const size_t to = (size_t)i * width + c, from = 2 * ((size_t)(r < 0 ? 0 : r) * nc + c);
      re[to] = c < nc && r >= 0 ? u[from] : 0.0;
      im[to] = c < nc && r >= 0 ? u[from + 1] : 0.0;
    }
  }
}
