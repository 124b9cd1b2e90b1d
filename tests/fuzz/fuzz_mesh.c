/* tests/fuzz/fuzz_mesh.c - any bytes as a .msh file: a mesh that keeps every invariant, or one error
 *
 * What was read is checked, measured and, while it is small, numbered.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "mesh/numbering.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/say.h"
#include <math.h>

enum { NUMBERED = 400 }; /* nodes of the largest mesh that is numbered: the search takes its time */

static void number(const bf_mesh *m)
{
  bf_numbering *num = NULL;
  bf_graph     *g   = NULL;
  if (m->nnodes > NUMBERED || m->nelem > NUMBERED) return;
  for (bf_order order = BF_ORDER_AUTO; order <= BF_ORDER_LEVELS; order++) {
    if (bf_numbering_create(m, order, &num) != BF_OK) continue;
    FUZZ_MUST(bf_numbering_check(num) == BF_OK, "%s", bf_err_message());
    FUZZ_MUST(bf_numbering_pattern(m, num, &g) == BF_OK, "%s", bf_err_message());
    bf_graph_destroy(&g);
    bf_numbering_destroy(&num);
  }
}

static void use_mesh(bf_mesh *m, bf_diags *d)
{
  double     lo[3], hi[3];
  bf_quality q;
  FUZZ_MUST(bf_mesh_check(m) == BF_OK, "%s", bf_err_message());
  bf_mesh_bounds(m, lo, hi);
  for (int i = 0; i < 3; i++) FUZZ_MUST(isfinite(lo[i]) && lo[i] <= hi[i], "bounds %g %g", lo[i], hi[i]);
  const int    before = d->errors;
  const bf_err err    = bf_mesh_check_jacobian(m, d);
  FUZZ_MUST(err == (d->errors > before ? BF_E_MODEL : BF_OK), "%s", bf_err_name(err));
  FUZZ_MUST(bf_mesh_quality(m, &q) == BF_OK, "%s", bf_err_message());
  FUZZ_MUST(q.components >= 1 && q.unused_nodes < m->nnodes, "%d parts", q.components);
  for (int g = 0; g < m->ngroups; g++) {
    bf_int *nodes = NULL, count = 0;
    FUZZ_MUST(bf_mesh_group_nodes(m, &m->group[g], &nodes, &count) == BF_OK, "%s", bf_err_message());
    FUZZ_MUST(count > 0 || m->group[g].nelem == 0, "group '%s' has no nodes", m->group[g].name);
    FUZZ_MUST(bf_mesh_group(m, m->group[g].name), "group '%s' is not found", m->group[g].name);
    bf_host_free(nodes);
  }
  number(m);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  bf_diags      d      = {0};
  bf_mesh      *m      = NULL;
  const int64_t before = bf_memory_live();
  const bf_err  err    = bf_mesh_read_msh_memory("nowhere/fuzz.msh", data, size, &d, &m);
  if (err == BF_OK) {
    FUZZ_MUST(m && d.errors == 0, "%d errors and a mesh", d.errors);
    use_mesh(m, &d);
  } else {
    FUZZ_MUST(!m && d.errors == 1 && err == BF_E_MODEL, "%s after %d errors", bf_err_name(err), d.errors);
  }
  fuzz_say(&d);
  bf_mesh_destroy(&m);
  bf_diags_clear(&d);
  FUZZ_MUST(bf_memory_live() == before, "%lld blocks are left", (long long)(bf_memory_live() - before));
  return 0;
}
