/* solvers/linear/multigrid/parents.c - of which node of a coarse level each node of the matrix is a part
 *
 *     of_1[r] = parent_0[r],   of_2[r] = parent_1[of_1[r]]
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "solvers/linear/multigrid/multigrid.h"

void bf_multigrid_parents_clear(bf_multigrid_parents *p)
{
  for (int l = 0; l < BF_MULTIGRID_PARENTS; l++) bf_host_free(p->level[l].of);
  *p = (bf_multigrid_parents){.nlevels = 0};
}

static int wanted(const bf_mg_stage *fine)
{
  return fine->parents && fine->parents->nlevels < BF_MULTIGRID_PARENTS;
}

bf_err bf_mg_parents_host(const bf_mg_stage *fine, bf_int n, const bf_int *parent, bf_int count,
                          const bf_int *grid)
{
  bf_multigrid_parents *p = fine->parents;
  if (!wanted(fine)) return BF_OK;
  bf_multigrid_parent *to   = &p->level[p->nlevels];
  const bf_int        *from = p->nlevels > 0 ? p->level[p->nlevels - 1].of : NULL;
  if (!from) p->rows = n;
  BF_CHECK(!from || p->level[p->nlevels - 1].count == n, BF_E_ARG, "a level has %d nodes, not %d", (int)n,
           (int)p->level[p->nlevels - 1].count);
  *to = (bf_multigrid_parent){.count = count};
  for (int a = 0; a < 3 && grid; a++) to->grid[a] = grid[a];
  BF_TRY(BF_NEW_ARRAY(to->of, (size_t)p->rows));
  for (bf_int r = 0; r < p->rows; r++) to->of[r] = !from ? parent[r] : from[r] < 0 ? -1 : parent[from[r]];
  p->nlevels++;
  return BF_OK;
}

bf_err bf_mg_parents(const bf_mg_stage *fine, bf_int n, const bf_int *parent, bf_int count)
{
  bf_err      err  = BF_OK;
  bf_backend *be   = fine->be;
  bf_int     *host = NULL;
  if (!wanted(fine)) return BF_OK;
  BF_GO(BF_NEW_ARRAY(host, (size_t)n));
  BF_GO(be->ops.copy(be, host, parent, (size_t)n * sizeof *host, BF_TO_HOST));
  BF_GO(be->ops.sync(be));
  BF_GO(bf_mg_parents_host(fine, n, host, count, NULL));
done:
  bf_host_free(host);
  return err;
}
